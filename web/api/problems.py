"""Answer errors as `application/problem+json` (RFC 9457) with a status, a sentence and a hint."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import Response

from ledger import safe
from ledger.errors import (
    ConflictError,
    HandledgerError,
    LedgerBusyError,
    NothingFoundError,
    StorageFullError,
    StoreError,
    UnreadableHandError,
    UnstorableError,
    UsageError,
)
from web.api import api_errors
from web.api.api_errors import ProblemError

if TYPE_CHECKING:
    from collections.abc import Mapping


def build_problem_response(
    status: int, title: str, hint: str = "", headers: Mapping[str, str] | None = None, **details: object
) -> Response:
    """Return a problem as a response."""
    document = {
        "type": "about:blank",
        "title": title,
        "status": status,
        **({"detail": hint} if hint else {}),
        **details,
    }
    data = json.dumps(document, ensure_ascii=True)
    return Response(f"{data}\n", status, dict(headers or {}), media_type="application/problem+json")


def describe_error(error: Exception) -> Response:
    """Return the response to an error. An unforeseen error is a 500 and also goes to the terminal."""
    if isinstance(error, ProblemError):
        return _answer_problem(error)
    if isinstance(error, UnreadableHandError):
        details: dict[str, object] = {
            name: value for name in ("write", "form", "column") if (value := getattr(error, name, ""))
        }
        return build_problem_response(422, error.reason, error.hint, None, **details)
    if isinstance(error, HandledgerError):
        status = _find_status(error)
        return build_problem_response(status, error.message, error.hint, _build_retry_header(status))
    if isinstance(error, SQLAlchemyError | OSError):
        sys.stderr.write(f"handledger: {safe.terminal(str(error), 300)}\n")
        return _answer_problem(api_errors.ledger_unreachable())
    sys.stderr.write(f"handledger: api: {type(error).__name__}: {safe.terminal(str(error), 300)}\n")
    return _answer_problem(api_errors.api_fault())


def _answer_problem(problem: ProblemError) -> Response:
    return build_problem_response(
        problem.status, problem.message, problem.hint, _build_retry_header(problem.status), **problem.details
    )


def _build_retry_header(status: int) -> dict[str, str]:
    return {"retry-after": "1"} if status in (429, 503) else {}


def _find_status(error: HandledgerError) -> int:
    if isinstance(error, ConflictError):
        return 409
    if isinstance(error, NothingFoundError):
        return 404
    if isinstance(error, UsageError | UnstorableError):
        return 422
    if isinstance(error, StorageFullError):
        return 507
    return 503 if isinstance(error, LedgerBusyError | StoreError) else 422
