"""Read and write the JSON files of an unfinished import, and JSON values in the columns of a lake.

They use Python's `json`, because msgspec refuses file names with bytes that aren't UTF-8 (lone surrogates).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

import msgspec

from ledger.decoders import convert
from ledger.lake import atomic_files
from projections.shards import shard_errors

_Type = TypeVar("_Type")


def write_json(path: Path, value: object) -> None:
    """Write a value as JSON, atomically."""
    atomic_files.write_file(path, encode_json(value))


def encode_json(value: object) -> bytes:
    """Return a value as JSON in ASCII, with lone surrogates escaped."""
    return json.dumps(msgspec.to_builtins(value, str_keys=True), separators=(",", ":")).encode("ascii")


def read_json(path: Path, value_type: type[_Type]) -> _Type:
    """Read a value that `write_json` wrote; `NothingFoundError` if the file is missing or doesn't fit the type."""
    try:
        return decode_json(path.read_bytes(), value_type)
    except (OSError, ValueError, RecursionError) as error:
        raise shard_errors.work_file_damaged(path) from error


def decode_json(data: bytes, value_type: type[_Type]) -> _Type:
    """Decode a value of a type from the JSON of `encode_json`; `ValueError` if it doesn't fit."""
    return convert(json.loads(data), value_type, str_keys=True)
