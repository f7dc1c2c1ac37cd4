"""Check that the served ledger is still the file that the server opened.

If somebody removes or replaces the file, the program would go on reading the old one and lose its writes.
So the server checks the file before each answer.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from web.server import page_errors

if TYPE_CHECKING:
    from ledger.store import Ledger


class LedgerFileCheck:
    """The identity of a ledger's file when the server started. A PostgreSQL server reports such losses itself."""

    def __init__(self, ledger: Ledger) -> None:
        """Store the identity of the ledger's file."""
        address = ledger.database.address
        self._path = Path(address.full_url) if address.kind == "sqlite" and ledger.database.is_lasting else None
        self._first_identity = self._current_identity()

    def _current_identity(self) -> tuple[int, int] | None:
        if self._path is None:
            return None
        try:
            file_status = self._path.stat()
        except OSError:
            return None
        return file_status.st_dev, file_status.st_ino

    def check(self) -> None:
        """Raise `StoreError` if the file is gone or another one took its place."""
        if self._path is not None and self._current_identity() != self._first_identity:
            is_gone = self._current_identity() is None
            raise page_errors.ledger_gone() if is_gone else page_errors.ledger_replaced()
