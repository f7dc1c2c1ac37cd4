"""What an import did to the chains of hands: where those of the tables that it told of break."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from ledger import safe
from ledger.store.accounts import Place
from ledger.store.table_streams import told as told_to
from ledger.streams import table_stream
from ledger.table.breaks import Break, breaks
from ledger.table.events import HandPlayed
from projections.reports.chain import sentences

if TYPE_CHECKING:
    from ledger.store import Ledger

_MOST: Final = 5_000
"""Hands that are looked through after an import; `owed` says of every table where its chain breaks."""
_TABLES: Final = 3
SAID: Final = _TABLES + 1
"""Tables that are looked for to say it to people: one more than are named."""
_EACH: Final = 3


class TableBreaks(msgspec.Struct, frozen=True):
    """Where the chain of one table's hands breaks. Amounts are in units of 10^-exponent of `unit`."""

    venue: str
    tournament: str
    table: str
    exponent: int
    breaks: list[Break]
    unit: str = ""


def since(ledger: Ledger, position: int, new: int, *, most: int | None = None) -> list[TableBreaks]:
    """Return the breaks of the tables, `most` of them, that were told of `new` hands behind a position of the log."""
    if not 0 < new <= _MOST:
        return []
    touched = {commit.stream for commit in ledger.commits(position, "table")}
    found, left = [], _MOST
    for row in ledger.tables():
        stream = table_stream(row.venue, row.tournament, row.table)
        if row.hands < 2 or row.hands > left or stream not in touched:
            continue
        left -= row.hands
        told = told_to(ledger, Place(row.venue, row.tournament, row.table))
        broken = list(breaks(told))
        if broken:
            last = [one.event for one in told if isinstance(one.event, HandPlayed)][-1]
            table = (row.venue, row.tournament, row.table)
            found.append(TableBreaks(*table, last.exponent, broken, last.unit))
        if len(found) == most:
            break
    return found


def lines(found: Sequence[TableBreaks]) -> list[str]:
    """Return what people read of it: what hangs on the hands before cannot be told behind a break."""
    said: list[str] = []
    for one in found[:_TABLES]:
        name = safe.terminal(f"{one.tournament}/{one.table}" if one.tournament else one.table, 40)
        first, *rest = sentences(one.breaks, one.unit, one.exponent, most=_EACH)
        said += [f"table {name}: {first}", *rest]
    if len(found) > _TABLES:
        said.append("(and more tables; `handledger owed TABLE` says where)")
    return said
