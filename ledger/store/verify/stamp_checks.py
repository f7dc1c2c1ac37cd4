"""Verify that each kept time stamp covers its checkpoint, from the raw rows.

This doesn't check who made a stamp: that takes the certificate of a trusted authority.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection

from ledger.errors import ProofError
from ledger.seal.note import strip_cosignatures
from ledger.seal.stamps import read_stamp_over
from ledger.store.commits import IntegrityProblem
from ledger.store.database.raw_connection import has_table


def check_stamps(connection: Connection) -> Iterator[IntegrityProblem]:
    """Yield the time stamps that don't cover their checkpoint."""
    if not has_table(connection, "stamps"):
        return
    rows = connection.exec_driver_sql(
        "SELECT s.size, s.number, s.answer, c.note FROM stamps AS s "
        "LEFT JOIN checkpoints AS c ON c.size = s.size ORDER BY s.size, s.number"
    )
    previous_stamp: tuple[int, int] = (0, 0)
    for size, number, answer, note in rows:
        if number != (previous_stamp[1] + 1 if previous_stamp[0] == size else 1):
            yield IntegrityProblem(
                None, "stamp", f"of the time stamps of {size} commits there is a number {number}, and not all before it"
            )
        previous_stamp = (size, number)
        subject = f"time stamp {number} of the checkpoint of {size} commits"
        if note is None:
            yield IntegrityProblem(None, "stamp", f"{subject}: there is no such checkpoint")
            continue
        try:
            read_stamp_over(bytes(answer), strip_cosignatures(note))
        except ProofError as error:
            yield IntegrityProblem(None, "stamp", f"{subject}: {error.message}")
