"""What each table owes on its coming hand, kept with the judgement that the same walk made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from ledger.store.accounts import Place
from ledger.vocabulary import PlayerId, Seat
from projections.obligations.due import Due
from projections.tables.findings import obligations

if TYPE_CHECKING:
    from projections.table_context import Table
    from projections.tables.lending import Keeping


class Owing(msgspec.Struct, frozen=True):
    """What is due at a table on the coming hand, and who sits there. Amounts in units of 10^-exponent of `unit`."""

    after: str  # number of the last hand
    unit: str
    exponent: int
    due: Due
    holders: dict[Seat, PlayerId]


def owing(table: Table) -> dict[str, bytes]:
    """Return what is due at a table that was walked to its end, by the name of the book, as it is kept."""
    state = table.state
    game = state.last
    unit, exponent = (game.unit, game.exponent) if game else (state.unit, state.exponent)
    holders = {seat: held.player for seat, held in sorted(state.seats.items())}
    found = {}
    for name, due in table.coming().items():
        told = Owing(state.number, unit, exponent, table.doubted(name, due, None), holders)
        found[name] = json.dumps(msgspec.to_builtins(told, str_keys=True)).encode("ascii")
    return found


def kept_owing(keeping: Keeping, judgement: int, places: Iterable[Place]) -> Iterator[tuple[Place, Owing]]:
    """Yield what is kept of these tables under a book."""
    columns = obligations.c
    with keeping.core() as connection:
        asked = select(columns.venue, columns.tournament, columns.name, columns.owing)
        rows = {Place(*row[:3]): row[3] for row in connection.execute(asked.where(columns.judgement == judgement))}
    for place in places:
        if place in rows:
            yield place, msgspec.convert(json.loads(bytes(rows[place])), Owing, str_keys=True)
