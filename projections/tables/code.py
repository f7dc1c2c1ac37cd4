"""Which code judged: what is kept under one state of the program's own code never answers for another."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

import ledger.hand
import ledger.table
import projections
from ledger.errors import UsageError
from projections import rulebook


@cache
def code_digest() -> str:
    """Return the digest of all that every judgement stands on, code and built-in book: another never answers for this one."""
    found = sha256()
    folders = [Path(one.__path__[0]) for one in (projections, ledger.hand, ledger.table)]
    top = folders[0].parent
    for file in sorted(file for folder in folders for file in folder.rglob("*.py")):
        name = file.relative_to(top) if file.is_relative_to(top) else Path(file.parent.name, file.name)
        found.update(name.as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    found.update(rulebook.load(rulebook.BUILT_IN).digest.encode())
    return found.hexdigest()


def same_code(code: str) -> None:
    """Raise `UsageError` in a process that judges with other code than the one that asks, whose digest this is."""
    if code != code_digest():
        raise UsageError(
            "the process that is to judge is of another version of handledger than the one that asks",
            "handledger was changed meanwhile. Ask again: it goes on where it stopped.",
        )
