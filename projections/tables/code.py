"""The digest of the judging code. Judgements by other code are never reused."""

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
    """Return the digest of the code, and of the built-in book, that every judgement depends on."""
    code_hash = sha256()
    for package in (projections, hand, table):
        package_folder = package.__path__[0]
        for folder, folders, names in os.walk(package_folder):
            folders.sort()
            for name in sorted(name for name in names if name.endswith(".py")):
                path = os.path.join(folder, name)  # noqa: PTH118 - hundreds of files: path objects take longer than the hash
                module = f"{package.__name__}{path[len(package_folder) :]}".replace(os.sep, "/")
                with open(path, "rb") as file:  # noqa: PTH123 - the same
                    code_hash.update(b"\0".join((module.encode(), file.read(), b"")))
    code_hash.update(rulebook.load(rulebook.BUILT_IN).digest.encode())
    return code_hash.hexdigest()


def check_same_code(code: str) -> None:
    """Raise `UsageError` if this process runs other code than the caller, whose code has this digest."""
    if code != code_digest():
        raise UsageError(
            "the judging process runs another version of handledger",
            "handledger was updated meanwhile. Run the command again: it resumes where it stopped.",
        )
