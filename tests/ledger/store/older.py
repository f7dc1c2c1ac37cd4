"""A ledger as earlier versions made them: the secret of its ids within, no salts (layout 1)."""

from __future__ import annotations

import secrets

import ledger
from ledger.entry import Provenance
from ledger.house.events import LedgerCreated
from ledger.streams import HOUSE


def make(url: str) -> str:
    """Make one at a place where none is; return the secret of its ids, hex."""
    secret = secrets.token_hex(32)
    with ledger.open(url, announce=False) as book:
        with book.writing() as link:
            link.execute("DROP TABLE salts")
            link.execute("DELETE FROM about WHERE name = 'ids'")
            link.execute("UPDATE about SET value = '1' WHERE name = 'layout'")
            link.execute("INSERT INTO about (name, value) VALUES ('secret', ?)", (secret,))
            if book.database.address.kind == "sqlite":
                link.execute("PRAGMA user_version = 1")
        book.append(
            "house",
            HOUSE,
            [LedgerCreated(book.id)],
            version=1,
            recorded=Provenance(book.now(), writer="handledger", key="created"),
        )
    return secret
