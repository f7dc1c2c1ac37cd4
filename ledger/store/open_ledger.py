"""Open a ledger: make a new one, or bring a restored copy up to date with later erasures."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress

from ledger.entry import Provenance
from ledger.errors import HandledgerError
from ledger.house.events import LedgerCreated
from ledger.store.database.derived_tables import find_out_of_log, list_table_names, reset_derived_tables
from ledger.store.database.dialects import open_database
from ledger.store.database.quick_checks import check_tables, find_index_damage
from ledger.store.ledger import Ledger
from ledger.store.people.ids import NewLedgerIds
from ledger.store.requests.erasure import erase_again, set_veil
from ledger.streams import HOUSE
from ledger.vocabulary import Millis


def system_clock() -> Millis:
    """Return the time of this machine's clock."""
    return time.time_ns() // 1_000_000


def _check_positions(ledger: Ledger) -> None:
    """Note positions outside of the log; in a writable ledger, clear their tables to be made again."""
    with suppress(HandledgerError, TypeError, ValueError):  # `verify` reports what is wrong with a damaged file
        ledger.derived_faults = find_out_of_log(ledger.database)
        if ledger.derived_faults and not ledger.database.read_only:
            reset_derived_tables(ledger.database, ledger.derived_faults)
    with suppress(HandledgerError, TypeError, ValueError):
        ledger.index_damage = find_index_damage(ledger.database)


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
    """Open the ledger at a SQLAlchemy URL or path of a SQLite file; make it if it doesn't exist.

    `timeout`: seconds to wait for another program that writes, then `LedgerBusyError`.
    `announce`: a new ledger begins with the event of its creation.
    `people_key`: the file of the key of its ids (`ledger.store.people.people_key`), made with a new ledger;
    the default is HANDLEDGER_PEOPLE_KEY, or a file in the user's settings folder.
    """
    database = open_database(url, read_only=read_only, timeout=timeout)
    new_ids = NewLedgerIds(people_key, is_lasting=database.is_lasting)
    try:
        was_made = database.prepare(create=create and not read_only, make_about=new_ids.about_values)
        if not was_made:  # another program was faster, or an earlier attempt broke off
            new_ids.undo()
            check_tables(database.address.name, list_table_names(database))
        ledger = Ledger(database, clock=clock, software=software, people_key=people_key)
        if was_made:
            ledger.key_made = new_ids.path
            ledger.people.ids.secret = new_ids.secret
        if was_made and announce:
            ledger.append(
                "house",
                HOUSE,
                [LedgerCreated(ledger.id, software=software, ids=new_ids.ids)],
                version=1,
                recorded=Provenance(clock(), writer="handledger", key="created"),
            )
        elif read_only:
            set_veil(ledger)
        else:
            erase_again(ledger)
        if not was_made:
            _check_positions(ledger)
    except BaseException:
        database.close()
        raise
    return ledger
