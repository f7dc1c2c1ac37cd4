"""Hash the files that the user adds to a case as evidence. The files themselves aren't stored."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.case import case_errors

if TYPE_CHECKING:
    pass


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file, hex. The file itself isn't stored."""
    if not path.is_file():
        raise case_errors.no_evidence_file(str(path))
    sha = sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(1024 * 1024):
                sha.update(block)
    except OSError as error:
        raise case_errors.unreadable_evidence(str(path), error.strerror or str(error)) from error
    return sha.hexdigest()
