"""How a ledger is opened: which database lies behind an address, and what was forgotten since a copy was made."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from ledger.entry import Recorded
from ledger.errors import UsageError
from ledger.house.events import LedgerCreated
from ledger.store.database import Database, default_url, parse
from ledger.store.erasing import reapply, veiled
from ledger.store.ids import Begun
from ledger.store.ledger import Ledger
from ledger.streams import HOUSE
from ledger.vocabulary import Millis


def system_clock() -> Millis:
    """Return the time of this machine's clock."""
    return time.time_ns() // 1_000_000


def open_ledger(
    url: str | os.PathLike[str] | None = None,
    *,
    create: bool = True,
    read_only: bool = False,
    clock: Callable[[], Millis] = system_clock,
    timeout: float = 5.0,
    software: str = "",
    announce: bool = True,
    people_key: str | os.PathLike[str] | None = None,
) -> Ledger:
    """Open the ledger at a SQLAlchemy URL or path of a SQLite file; make it if there is none.

    `timeout`: seconds to wait for another program that writes, then `LedgerBusyError`.
    `announce`: a new ledger begins with the event that it was made.
    `people_key`: the file of the key of its ids (`ledger.store.people_key`), made with a new ledger;
    without it HANDLEDGER_PEOPLE_KEY says which, or it lies in the user's settings folder.
    """
    database = open_database(url, read_only=read_only, timeout=timeout)
    begun = Begun(people_key, lasting=database.lasting)
    try:
        made = database.prepare(create=create and not read_only, about=begun.about)
        if not made:  # another program was faster; where making broke off, a ledger may be there
            begun.undo()
        ledger = Ledger(database, clock=clock, software=software, people_key=people_key)
        if made:
            ledger.key_made = begun.path
            ledger.people.ids.secret = begun.secret
        if made and announce:
            ledger.append(
                "house",
                HOUSE,
                [LedgerCreated(ledger.id, software=software, ids=begun.ids)],
                version=1,
                recorded=Recorded(clock(), by="handledger", key="created"),
            )
        elif read_only:
            veiled(ledger)
        else:
            reapply(ledger)
    except BaseException:
        database.close()
        raise
    return ledger


def open_database(url: str | os.PathLike[str] | None, *, read_only: bool = False, timeout: float = 5.0) -> Database:
    """Return the database behind an address, not yet looked into."""
    told = os.fspath(url) if url is not None else default_url()
    if not told:
        raise UsageError("the ledger's address is empty", "Give a path or a SQLAlchemy URL.")
    parsed = parse(told)
    if parsed.kind == "sqlite":
        from ledger.store.sqlite import SqliteDatabase  # noqa: PLC0415 - only what is needed

        return SqliteDatabase(parsed, read_only=read_only, timeout=timeout)
    from ledger.store.postgres import PostgresDatabase  # noqa: PLC0415 - an extra

    return PostgresDatabase(parsed, read_only=read_only, timeout=timeout)
