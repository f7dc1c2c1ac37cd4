"""What goes wrong, as `application/problem+json` (RFC 9457): a status, a sentence, a way out."""

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

if TYPE_CHECKING:
    from collections.abc import Mapping


class ProblemError(Exception):
    """Something that a request asks cannot be done; it never leaves the API but as an answer."""

    def __init__(self, status: int, title: str, hint: str = "", **details: object) -> None:
        super().__init__(title)
        self.status, self.title, self.hint, self.details = status, title, hint, details


def problem_response(
    status: int, title: str, hint: str = "", headers: Mapping[str, str] | None = None, **details: object
) -> Response:
    """Return a problem as an answer."""
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
    """Return what an error means to whoever asked; what nobody foresaw is said at the terminal, and is a 500."""
    if isinstance(error, ProblemError):
        return problem_response(error.status, error.title, error.hint, _retry_header(error.status), **error.details)
    if isinstance(error, UnreadableHandError):
        details: dict[str, object] = {
            name: value for name in ("write", "form", "column") if (value := getattr(error, name, ""))
        }
        return problem_response(422, error.reason, error.hint, None, **details)
    if isinstance(error, HandledgerError):
        status = _status(error)
        return problem_response(status, error.message, error.hint, _retry_header(status))
    if isinstance(error, SQLAlchemyError | OSError):
        sys.stderr.write(f"handledger: {safe.terminal(str(error), 300)}\n")
        return problem_response(503, "the ledger cannot be reached now", "Ask again.", _retry_header(503))
    sys.stderr.write(f"handledger: api: {type(error).__name__}: {safe.terminal(str(error), 300)}\n")
    return problem_response(500, "this could not be answered", "That is a fault of ours: please report it.")


def _retry_header(status: int) -> dict[str, str]:
    return {"retry-after": "1"} if status in (429, 503) else {}


def _status(error: HandledgerError) -> int:
    if isinstance(error, ConflictError):
        return 409
    if isinstance(error, NothingFoundError):
        return 404
    if isinstance(error, UsageError | UnstorableError):
        return 422
    if isinstance(error, StorageFullError):
        return 507
    return 503 if isinstance(error, LedgerBusyError | StoreError) else 422
