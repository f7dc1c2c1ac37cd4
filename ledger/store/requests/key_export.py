"""Move the key of an older ledger's ids out of it into a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from ledger.entry import Provenance
from ledger.errors import PeopleKeyError
from ledger.house.events import IdsKeyTaken
from ledger.store.database.ledger_layout import SCHEMA
from ledger.store.database.tables import META, salts
from ledger.store.log.event_log import EventLog
from ledger.store.people import people_key
from ledger.streams import HOUSE


class ExportedKey(NamedTuple):
    """The new path of a key; `unreached`: in words, where copies may remain."""

    path: Path
    unreached: list[str]


def export_key(ledger: EventLog, key_path: str | os.PathLike[str] | None = None) -> ExportedKey:
    """Move the key of the ids from the ledger into a file; return its path.

    Ids stay as they are. The file is written first and durably, so a run after a crash goes on.
    Raises `PeopleKeyError` if the file can't be made or holds another key.
    """
    ledger_ids = ledger.people.ids
    secret = ledger_ids.secret
    if not ledger_ids.key_inside or secret is None:
        raise PeopleKeyError("the key of this ledger's ids does not lie in it")
    key_statement = people_key.build_key_statement(secret, "keyed")
    path = Path(key_path) if key_path else people_key.find_default_path(ledger.id)
    if not _holds_key(path, ledger.id, key_statement):
        people_key.write_key(path, secret)
    with ledger.database.core(write=True) as core:
        META.create_all(core, tables=[salts])
    with ledger.writing() as link:
        link.execute("DELETE FROM about WHERE name = 'secret'")
        link.execute("UPDATE about SET value = ? WHERE name = 'layout'", (str(SCHEMA),))
        link.execute("INSERT INTO about (name, value) VALUES ('ids', ?)", (str(key_statement),))
        ledger.database.raise_layout(link)
        ledger.append_within(
            link, "house", HOUSE, [IdsKeyTaken(str(key_statement))], Provenance(ledger.now(), writer="people")
        )
    ledger_ids.key_inside, ledger_ids.key_statement, ledger_ids.path = False, key_statement, path
    return ExportedKey(path, ledger.database.scrub())


def _holds_key(path: Path, ledger: str, key_statement: people_key.KeyStatement) -> bool:
    return path.exists() and people_key.find_secret(ledger, key_statement, path).secret is not None
