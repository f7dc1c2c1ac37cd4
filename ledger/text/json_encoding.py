"""Encode plain values as JSON, quickly."""

from __future__ import annotations

import json
from typing import Final

import msgspec

_encode_fast: Final = msgspec.json.Encoder().encode


def encode_json(value: object) -> bytes:
    """Return a value as JSON; only the standard library escapes the lone surrogates that texts may hold."""
    try:
        return _encode_fast(value)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value, str_keys=True), check_circular=False).encode("ascii")
