"""Find and format the breaks in tables' chains of hands after an import: missing hands, stacks that don't carry over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from ledger import safe
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.hands.table_streams import table_entries as read_table_stream
from ledger.streams import table_stream
from ledger.table.breaks import Break, find_breaks
from ledger.table.events import HandPlayed
from projections.reports.break_text import format_breaks

if TYPE_CHECKING:
    from ledger.store import Ledger

_MAX_HANDS: Final = 5_000
"""The most new hands of an import that is checked, and the most hands that one check reads.

`handledger due TABLE` shows the breaks of a table at any time.
"""
_MAX_PRINTED_TABLES: Final = 3
MAX_TABLES: Final = _MAX_PRINTED_TABLES + 1
"""Pass this as `max_tables` for printed output: the table beyond the printed ones shows that there are more."""
_MAX_BREAKS_PER_TABLE: Final = 3


class TableBreaks(msgspec.Struct, frozen=True):
    """The breaks in one table's chain of hands. Amounts are in units of 10^-exponent of `unit`."""

    venue: str
    tournament: str
    table: str
    exponent: int
    breaks: list[Break]
    unit: str = ""


def find_breaks_since(
    ledger: Ledger, position: int, new_hands: int, *, max_tables: int | None = None
) -> list[TableBreaks]:
    """Return the breaks of the tables that changed since a position of the log, at most `max_tables` tables.

    `new_hands` is the number of hands imported since. If there are more than `_MAX_HANDS`, no table is checked.
    Otherwise the search reads at most `_MAX_HANDS` hands, and skips tables that would exceed this limit.
    """
    if not 0 < new_hands <= _MAX_HANDS:
        return []
    changed_streams = {commit.stream for commit in ledger.commits(position, "table")}
    broken_tables: list[TableBreaks] = []
    hands_left = _MAX_HANDS
    for table_row in ledger.tables():
        table_key = TableKey(table_row.venue, table_row.tournament, table_row.table)
        stream = table_stream(*table_key)
        if table_row.hands < 2 or table_row.hands > hands_left or stream not in changed_streams:
            continue
        hands_left -= table_row.hands
        table_breaks = _find_table_breaks(ledger, table_key)
        if table_breaks is not None:
            broken_tables.append(table_breaks)
        if len(broken_tables) == max_tables:
            break
    return broken_tables


def _find_table_breaks(ledger: Ledger, table_key: TableKey) -> TableBreaks | None:
    """Return the breaks of one table, or None if it has none."""
    table_entries = read_table_stream(ledger, table_key)
    chain_breaks = list(find_breaks(table_entries))
    if not chain_breaks:
        return None
    last_hand = [entry.event for entry in table_entries if isinstance(entry.event, HandPlayed)][-1]
    return TableBreaks(
        venue=table_key.venue,
        tournament=table_key.tournament,
        table=table_key.table,
        exponent=last_hand.exponent,
        breaks=chain_breaks,
        unit=last_hand.unit,
    )


def format_table_breaks(broken_tables: Sequence[TableBreaks]) -> list[str]:
    """Return the breaks of the first tables as lines of text, and a hint if more tables have breaks."""
    text_lines: list[str] = []
    for broken_table in broken_tables[:_MAX_PRINTED_TABLES]:
        table_path = [broken_table.tournament, broken_table.table] if broken_table.tournament else [broken_table.table]
        table_label = safe.terminal("/".join(table_path), 40)
        first_sentence, *more_sentences = format_breaks(
            broken_table.breaks, broken_table.unit, broken_table.exponent, max_breaks=_MAX_BREAKS_PER_TABLE
        )
        text_lines += [f"table {table_label}: {first_sentence}", *more_sentences]
    if len(broken_tables) > _MAX_PRINTED_TABLES:
        text_lines.append("(more tables have breaks; `handledger due TABLE` shows those of one table)")
    return text_lines
