"""Plain values as JSON, quickly."""

from __future__ import annotations

import json
from typing import Final

import msgspec

_ENCODE: Final = msgspec.json.Encoder().encode


def encode(value: object) -> bytes:
    """Return a value as JSON; texts of a record may hold lone surrogates, which only the standard library escapes."""
    try:
        return _ENCODE(value)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value, str_keys=True), check_circular=False).encode("ascii")
