"""Make the ids of a ledger, and find the key behind them."""

from __future__ import annotations

import os
from pathlib import Path
from secrets import token_bytes, token_hex
from typing import TYPE_CHECKING, Final

from ledger.errors import PeopleKeyError
from ledger.store.database.ledger_layout import SCHEMA
from ledger.store.people import people_key

if TYPE_CHECKING:
    from collections.abc import Mapping


KEY_INSIDE: Final = (
    "the key of its ids is in the ledger itself: anyone with a copy can guess the names of forgotten people "
    "(handledger people key --take-out moves it)"
)
"""The warning for a ledger of an earlier version."""


class Ids:
    """How one ledger makes its ids, and the secret behind them, found when it's needed."""

    def __init__(self, ledger: str, about_values: Mapping[str, str], key_path: str | os.PathLike[str] | None) -> None:
        """Take the ledger's table `about`; `KeyError` or `ValueError` if it doesn't describe the ids."""
        self._ledger, self._key_path = ledger, key_path
        self.key_inside = "secret" in about_values
        self.secret = bytes.fromhex(about_values["secret"]) if self.key_inside else None
        self.key_statement = None if self.key_inside else people_key.read_key_statement(about_values["ids"])
        self.is_salted = self.key_statement is not None and self.key_statement.id_method == "salted"
        self.path: Path | None = None
        self._has_searched = False
        self.trouble: PeopleKeyError | None = None

    def known_secret(self) -> bytes | None:
        """Return the secret, None if the key isn't at hand; `trouble` then holds the reason."""
        if self.secret is None and self.key_statement is not None and not self._has_searched:
            self._has_searched = True
            self.secret, self.path, self.trouble = people_key.find_secret(
                self._ledger, self.key_statement, self._key_path
            )
        return self.secret

    def missing_key_error(self) -> PeopleKeyError:
        """Return the error for a task that needs the missing key."""
        return self.trouble or PeopleKeyError("the key of this ledger's ids is not at hand", people_key.KEY_HINT)


class NewLedgerIds:
    """The id of a new ledger, and the key of its ids outside it."""

    def __init__(self, key_path: str | os.PathLike[str] | None, *, is_lasting: bool) -> None:
        """Take the path of the key's file. A ledger in memory needs no key file (`is_lasting` False)."""
        self._key_path, self._is_lasting = key_path, is_lasting
        self.ids = ""
        self.path: Path | None = None  # where a key was made
        self.secret: bytes | None = None

    def about_values(self) -> dict[str, str]:
        """Return the rows of `about` for the new ledger, after writing the key to the disk."""
        if self.secret is None:
            self._ledger = token_hex(16)
            if self._is_lasting:
                self.secret, self.path = people_key.prepare_secret(self._ledger, self._key_path)
            else:
                self.secret = token_bytes(32)
            self.ids = str(people_key.build_key_statement(self.secret, "salted"))
        return {"ledger": self._ledger, "ids": self.ids, "layout": str(SCHEMA)}

    def undo(self) -> None:
        """Delete the key: no ledger was made with it."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)
            self.path = None
