"""The list of erased people beside a ledger: it outlives the ledger's replacement by an older copy.

It holds a header, the ledger's id, the number of people, a digest, and a line for each opaque id. A
shortened list would let a restored copy show a name, so a damaged list is an error.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import Final

from ledger.errors import IntegrityError
from ledger.files.plain_files import refuse_strange
from ledger.vocabulary import PlayerId

_HEADER: Final = "handledger: ids of people who were forgotten, list 2"
_ID: Final = re.compile(r"[0-9A-Za-z_-]{1,64}")
_HEAD_LINES: Final = 4


def read_list(path: Path, ledger_id: str) -> set[PlayerId]:
    """Return the ids on a list, none without a file. Raises `IntegrityError` if the list is damaged."""
    refuse_strange(path)
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return set()
    except OSError as error:
        raise IntegrityError(
            f"the list of forgotten people, {path}, can't be read: {error.strerror}",
            "Make it readable: without it, this ledger could show the name of a forgotten person.",
        ) from error
    people = _parse(text, ledger_id)
    if people is None:
        raise IntegrityError(
            f"the list of forgotten people, {path}, is damaged or belongs to another ledger",
            "Restore it from a backup: without it, this ledger could show the name of a forgotten person.",
        )
    return people


def write_list(path: Path, ledger_id: str, people: Collection[PlayerId]) -> None:
    """Replace the list by a new one; `OSError` if that can't be done."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write("\n".join([*_build_head(ledger_id, sorted(people)), *sorted(people), ""]))
        file.flush()
        os.fsync(file.fileno())
    Path(draft).replace(path)


def _build_head(ledger_id: str, people: list[PlayerId]) -> list[str]:
    digest = hashlib.sha256("\n".join([ledger_id, *people]).encode("ascii")).hexdigest()
    return [_HEADER, ledger_id, str(len(people)), digest]


def _parse(text: bytes, ledger_id: str) -> set[PlayerId] | None:
    """Return the ids of a list, None if it's damaged. A list of an earlier version begins with its ledger's id."""
    try:
        lines = text.decode("ascii").split("\n")
    except UnicodeDecodeError:
        return None
    if lines[-1]:
        return None
    if lines[0] == ledger_id:
        people = lines[1:-1]
        return set(people) if people and all(map(_ID.fullmatch, people)) else None
    people = lines[_HEAD_LINES:-1]
    is_whole = lines[:_HEAD_LINES] == _build_head(ledger_id, people) and people == sorted(set(people))
    return set(people) if is_whole else None
