"""Answer errors with a page for people or with problem+json for programs (RFC 9457)."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, ClassVar, Final
from urllib.parse import urlencode

import msgspec
from starlette.responses import Response

from ledger.errors import (
    AddressError,
    CaseError,
    ConflictError,
    HandledgerError,
    HeldError,
    NothingFoundError,
    QueryError,
    RulebookError,
    StoreError,
    UsageError,
)
from ledger.text.language import phrase, translatable
from web.pages.html import build_template_environment
from web.server.documents import Wrong

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import Scope

PROBLEM: Final = "application/problem+json"
_TITLES: Final = {
    400: translatable("This can't be answered"),
    401: translatable("The key is needed"),
    403: translatable("Not allowed"),
    404: translatable("Not found"),
    405: translatable("Read-only"),
    408: translatable("Too slow"),
    409: translatable("Somebody was faster"),
    413: translatable("Too large"),
    415: translatable("Unknown content type"),
    421: translatable("Wrong address"),
    422: translatable("Not recorded"),
    429: translatable("Too many tries"),
    500: translatable("Error in handledger"),
    503: translatable("Try again later"),
}


class RequestRefusedError(HandledgerError):
    """A request that the server refuses. The status gives the reason."""

    code: ClassVar[str] = "refused"

    def __init__(self, status: int, message: str, hint: str = "") -> None:
        """`message` and `hint`: what people read."""
        super().__init__(message, hint)
        self.error_page = build_error(status, message, hint)


def build_error(status: int, message: str, hint: str = "") -> Wrong:
    """Return the error page of a refused request."""
    title = phrase(_TITLES[status]) if status in _TITLES else HTTPStatus(status).phrase
    return Wrong(status, message, hint, title=title)


def describe_error(error: HandledgerError) -> Wrong:
    """Return the error page of one of our exceptions."""
    return build_error(_find_status(error), error.message, error.hint)


def _find_status(error: HandledgerError) -> int:
    if isinstance(error, NothingFoundError | RulebookError):
        return 404
    if isinstance(error, UsageError | AddressError | QueryError):
        return 400
    if isinstance(error, CaseError | HeldError):
        return 422
    if isinstance(error, ConflictError):
        return 409
    return 503 if isinstance(error, StoreError) else 500


def is_from_program(scope: Scope) -> bool:
    """Whether a program sent the request: it asks for a document or sends one."""
    headers = {name: value.decode("latin-1").lower() for name, value in scope["headers"]}
    accept_header, content_type = headers.get(b"accept", ""), headers.get(b"content-type", "")
    return (
        scope["path"].endswith(".json")
        or content_type.startswith("application/json")
        or ("json" in accept_header and "html" not in accept_header)
    )


def encode_problem(error_page: Wrong) -> bytes:
    """Return an error page as JSON."""
    return f"{json.dumps(msgspec.to_builtins(error_page), ensure_ascii=True)}\n".encode("ascii")


def build_error_response(scope: Scope, error_page: Wrong, headers: Mapping[str, str] | None = None) -> Response:
    """Return an error in the form that the client reads. The page has no navigation and no figures."""
    if is_from_program(scope):
        return Response(encode_problem(error_page), error_page.status, headers, PROBLEM)
    query = scope["query_string"].decode("latin-1")
    target = urlencode({"next": scope["path"] + (f"?{query}" if query else "")})
    template = build_template_environment().get_template("site/refused.html")
    page = template.render(page=error_page, sign_in_address=f"/sign-in?{target}")
    return Response(page, error_page.status, headers, "text/html")
