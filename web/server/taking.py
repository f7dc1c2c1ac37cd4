"""What is taken in: the one door for everything that adds to the ledger from a page or a program.

The guard has seen to the name, the page that it comes from, the key, the size and the speed. Here: whether
the role may, whether the token is ours, and what was said, whether in a form, with files, or as JSON.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from web.server.refusing import RefusedError
from web.server.roles import needed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from web.server.roles import Right

_FIELDS: Final = 400
_FILES: Final = 100
_WORD: Final = 64 * 1024
"""Bytes of one field."""


class Taken(NamedTuple):
    """What was said, field by field, and the files that came with it; files are gone when the request is."""

    fields: Mapping[str, list[str]]
    files: list[UploadFile]

    def one(self, name: str) -> str:
        """Return what was said in a field; "" = nothing."""
        said = self.fields.get(name, [])
        return said[0].strip() if said else ""

    def every(self, name: str) -> list[str]:
        """Return all that was said in fields of that name."""
        return [one.strip() for one in self.fields.get(name, [])]


@asynccontextmanager
async def taken(request: Request, right: Right) -> AsyncIterator[Taken]:
    """Lend what was sent; `RefusedError` if this role may not, the token is not ours, or nobody can read it."""
    needed(request.scope["role"], right, writes=True)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        if kind == "application/json":
            told = Taken(_spoken(await request.body()), [])
            _ours(request, told)
            yield told
        elif kind in ("application/x-www-form-urlencoded", "multipart/form-data"):
            async with request.form(max_files=_FILES, max_fields=_FIELDS, max_part_size=_WORD) as form:
                fields: dict[str, list[str]] = {}
                files = []
                for name, value in form.multi_items():
                    if isinstance(value, UploadFile):
                        files.append(value)
                    else:
                        fields.setdefault(name, []).append(value)
                told = Taken(fields, [one for one in files if one.filename or one.size])
                _ours(request, told)
                yield told
        else:
            raise RefusedError(415, "Nobody here can read what was sent.", "Send a form, or JSON as application/json.")
    except ClientDisconnect:
        raise RefusedError(400, "What was sent broke off, and nothing was taken in.", "Send it again.") from None
    except HTTPException as error:
        raise RefusedError(400, f"The form cannot be read: {error.detail}", "Open its page again.") from None


def _ours(request: Request, told: Taken) -> None:
    """Refuse what a browser was made to send: only our own pages know the token. A program that sends its key needs none."""
    token = request.scope["token"]
    if token and not hmac.compare_digest(token.encode(), told.one("token").encode("utf-8", "replace")):
        raise RefusedError(
            403,
            "This form is not from a page of this server, or the server was started again since.",
            "Open the page again and send it from there. Nothing was taken in.",
        )


def _spoken(body: bytes) -> dict[str, list[str]]:
    """Return a JSON object of words, or lists of words, as a form's fields."""
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        raise RefusedError(400, "This is not JSON.") from None
    if not isinstance(told, dict) or len(told) > _FIELDS:
        raise RefusedError(400, "What is taken in is one JSON object, with a field for each thing that is said.")
    fields = {}
    for name, value in told.items():
        values = value if isinstance(value, list) else [value]
        if not all(isinstance(one, str | int) for one in values):
            raise RefusedError(400, f"{name!r} is neither words nor a list of words.")
        fields[name] = [_word(one) for one in values]
    return fields


def _word(value: str | int) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return str(value)
