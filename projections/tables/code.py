"""Which code judged: what is kept under one state of the program's own code never answers for another."""

from __future__ import annotations

import os
from functools import cache
from hashlib import sha256

import projections
from ledger import hand, table
from ledger.errors import UsageError
from projections.books import rulebook


@cache
def code_digest() -> str:
    """Return the digest of all that every judgement stands on, code and built-in book: another never answers for this one."""
    code_hash = sha256()
    for package in (projections, hand, table):
        top = package.__path__[0]
        for folder, folders, names in os.walk(top):
            folders.sort()
            for name in sorted(name for name in names if name.endswith(".py")):
                path = os.path.join(folder, name)  # noqa: PTH118 - of some hundred files: paths as objects take longer than the hash
                module = f"{package.__name__}{path[len(top) :]}".replace(os.sep, "/")
                with open(path, "rb") as file:  # noqa: PTH123 - the same
                    code_hash.update(b"\0".join((module.encode(), file.read(), b"")))
    code_hash.update(rulebook.load(rulebook.BUILT_IN).digest.encode())
    return code_hash.hexdigest()


def check_same_code(code: str) -> None:
    """Raise `UsageError` in a process that judges with other code than the one that asks, whose digest this is."""
    if code != code_digest():
        raise UsageError(
            "the process that is to judge is of another version of handledger than the one that asks",
            "handledger was changed meanwhile. Ask again: it goes on where it stopped.",
        )
