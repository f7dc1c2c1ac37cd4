"""Read submissions: the one entrance for everything that a page or program adds to the ledger.

The guard has checked host name, origin, key, size and speed. This module checks the role and the token,
and reads the fields and files of a form or of JSON.
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

from web.server import request_errors
from web.server.access.roles import require_right

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from web.server.access.roles import AccessRight

_MAX_FIELDS: Final = 400
_MAX_FILES: Final = 100
_MAX_FIELD_BYTES: Final = 64 * 1024
"""Bytes of one field."""


class Submission(NamedTuple):
    """The fields and files of a request. The files vanish with the request."""

    fields: Mapping[str, list[str]]
    files: list[UploadFile]

    def get_text(self, name: str) -> str:
        """Return the text of a field; "" if it is empty or missing."""
        values = self.fields.get(name, [])
        return values[0].strip() if values else ""

    def list_texts(self, name: str) -> list[str]:
        """Return the texts of all fields with that name."""
        return [value.strip() for value in self.fields.get(name, [])]


@asynccontextmanager
async def read_submission(request: Request, access_right: AccessRight) -> AsyncIterator[Submission]:
    """Yield the submission. Raise `RequestRefusedError` without the right, with a wrong token, or if it's unreadable."""
    require_right(request.scope["role"], access_right, is_writable=True)
    async with read_fields(request) as submission:
        _check_token(request, submission)
        yield submission


@asynccontextmanager
async def read_fields(request: Request) -> AsyncIterator[Submission]:
    """Yield the submission of anybody: a page that signs in has no token yet. Raise `RequestRefusedError` if it's unreadable."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        if media_type == "application/json":
            yield Submission(_parse_json_fields(await request.body()), [])
        elif media_type in ("application/x-www-form-urlencoded", "multipart/form-data"):
            async with request.form(
                max_files=_MAX_FILES, max_fields=_MAX_FIELDS, max_part_size=_MAX_FIELD_BYTES
            ) as form:
                fields: dict[str, list[str]] = {}
                files = []
                for name, value in form.multi_items():
                    if isinstance(value, UploadFile):
                        files.append(value)
                    else:
                        fields.setdefault(name, []).append(value)
                yield Submission(fields, [file for file in files if file.filename or file.size])
        else:
            raise request_errors.content_type_unknown()
    except ClientDisconnect:
        raise request_errors.body_cut_off() from None
    except HTTPException as error:
        raise request_errors.form_unreadable(error.detail) from None


def _check_token(request: Request, submission: Submission) -> None:
    """Refuse a forged form: only our own pages know the token. A program that sends its key needs none."""
    token = request.scope["token"]
    if token and not hmac.compare_digest(token.encode(), submission.get_text("token").encode("utf-8", "replace")):
        raise request_errors.form_expired()


def _parse_json_fields(body: bytes) -> dict[str, list[str]]:
    """Return a JSON object of texts, or lists of texts, as the fields of a form."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        raise request_errors.json_unreadable() from None
    if not isinstance(document, dict):
        raise request_errors.json_not_an_object()
    if len(document) > _MAX_FIELDS:
        raise request_errors.too_many_fields(_MAX_FIELDS)
    fields = {}
    for name, value in document.items():
        values = value if isinstance(value, list) else [value]
        if not all(isinstance(value_part, str | int) for value_part in values):
            raise request_errors.field_not_text(name)
        fields[name] = [_read_field(value_part) for value_part in values]
    return fields


def _read_field(value: str | int) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return str(value)
