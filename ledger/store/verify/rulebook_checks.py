"""Whether each kept file of a rulebook is the one that the house adopted, from the raw rows. Part of `ledger.store.verify`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from sqlalchemy import Connection

from ledger.store.commits import Problem
from ledger.store.database.raw_connection import there
from ledger.store.verify.log_claims import Said


def check_rulebooks(connection: Connection, said: Said) -> Iterator[Problem]:
    """Hash every file again; look for files of which the house's stream speaks nowhere."""
    if not there(connection, "rulebooks"):
        return
    rows = connection.exec_driver_sql("SELECT digest, base FROM rulebooks ORDER BY digest").all()
    bases = {bytes(digest).hex(): bytes(base).hex() for digest, base in rows}
    told = [str(event[3]).lower() for event in said.told("RulebookAdopted") if len(event) > 3 and event[3]]
    named = {one for one in bases if any(one.startswith(begins) for begins in told)}
    for one in list(named):
        while (one := bases.get(one, "")) and one not in named:
            named.add(one)
    for digest, base, data in connection.exec_driver_sql("SELECT digest, base, data FROM rulebooks ORDER BY digest"):
        what = f"the rulebook of SHA-256 {bytes(digest).hex()[:12]}"
        own = hashlib.sha256(bytes(data)).hexdigest()
        whole = hashlib.sha256(f"{bytes(base).hex()}\n{own}".encode()).hexdigest() if bytes(base) else own
        if whole != bytes(digest).hex():
            yield Problem(None, "rulebook", f"{what} is kept with other bytes than the house adopted")
        if bytes(digest).hex() not in named:
            yield Problem(None, "rulebook", f"{what} is kept, and the house never adopted it")
