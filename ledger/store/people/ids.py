"""How a ledger makes ids, and how its key gets out of a ledger that has it within."""

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


WITHIN: Final = (
    "the key of its ids lies in the ledger itself: whoever has a copy can find out by guessing names "
    "who was forgotten (handledger people key --take-out moves it)"
)
"""What is said of a ledger of an earlier version."""


class Ids:
    """What one ledger knows of its ids, and the secret behind them, looked for when it is needed."""

    def __init__(self, ledger: str, about: Mapping[str, str], told: str | os.PathLike[str] | None) -> None:
        """Take what the ledger says of itself; `KeyError`, `ValueError` if it says nothing of its ids."""
        self._ledger, self._told = ledger, told
        self.within = "secret" in about
        self.secret = bytes.fromhex(about["secret"]) if self.within else None
        self.own = None if self.within else people_key.read_own(about["ids"])
        self.salted = self.own is not None and self.own.way == "salted"
        self.path: Path | None = None
        self._looked = False
        self.trouble: PeopleKeyError | None = None

    def known_secret(self) -> bytes | None:
        """Return the secret; None if its key is not at hand, and `trouble` says why."""
        if self.secret is None and self.own is not None and not self._looked:
            self._looked = True
            self.secret, self.path, self.trouble = people_key.find(self._ledger, self.own, self._told)
        return self.secret

    def keyless(self) -> PeopleKeyError:
        """Return the error of whoever needs the key and has it not."""
        return self.trouble or PeopleKeyError("the key of this ledger's ids is not at hand", people_key.HOW)


class Begun:
    """What a new ledger begins with: its id, and the key of its ids, outside it."""

    def __init__(self, told: str | os.PathLike[str] | None, *, lasting: bool) -> None:
        """`told`: the key's file. The ids of a ledger that does not last need no key that does."""
        self._told, self._lasting = told, lasting
        self.ids = ""
        self.path: Path | None = None  # where a key was made
        self.secret: bytes | None = None

    def about(self) -> dict[str, str]:
        """Return what the new ledger says of itself; the key is made first, and lies on the disk."""
        if self.secret is None:
            self._ledger = token_hex(16)
            if self._lasting:
                self.secret, self.path = people_key.for_new(self._ledger, self._told)
            else:
                self.secret = token_bytes(32)
            self.ids = str(people_key.own(self.secret, "salted"))
        return {"ledger": self._ledger, "ids": self.ids, "layout": str(SCHEMA)}

    def undo(self) -> None:
        """Take the key away again: no ledger was made with it."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)
            self.path = None
