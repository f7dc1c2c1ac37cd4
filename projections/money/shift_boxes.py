"""Don't call a box too full if hands are missing from its record: they may have dropped the rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.store.hands.hand_accounts import TableKey
from ledger.table.breaks import Break, walk_breaks
from ledger.table.events import HandPlayed
from ledger.text.language import join_sentences, phrase, phrase_count
from projections.money.difference import EventRef, MoneyDifference, MoneyGap

if TYPE_CHECKING:
    from projections.money.shift import ShiftTable

_MISSING_HANDS: Final = ("numbers", "told", "players", "order")
"""How breaks show that hands are missing. Stacks that don't carry over may have another cause."""


class SettledBoxes(NamedTuple):
    """The boxes that differ for certain, and those that hands missing from the record may explain."""

    differences: list[MoneyDifference]
    gaps: list[MoneyGap]


def settle_boxes(differences: Iterable[MoneyDifference], shift_tables: Sequence[ShiftTable]) -> SettledBoxes:
    """Return the differences of boxes, and gaps for boxes that hold more than the hands on record dropped.

    A box that holds less is short, however many hands are missing.
    """
    tables = {table.key: table for table in shift_tables}
    settled = SettledBoxes([], [])
    for difference in differences:
        table = tables[TableKey(difference.venue, difference.tournament, difference.table)]
        missing_breaks = _find_breaks(difference, table) if _is_over(difference) else []
        if missing_breaks:
            settled.gaps.append(_build_gap(difference, missing_breaks))
        else:
            settled.differences.append(difference)
    return settled


def _is_over(difference: MoneyDifference) -> bool:
    return (difference.recorded or 0) > (difference.expected or 0)


def _find_breaks(difference: MoneyDifference, table: ShiftTable) -> list[Break]:
    """Return where hands are missing among those of a box."""
    numbers = {hand.number for hand in _list_box_hands(difference.events, table)}
    return [
        chain_break
        for chain_break in walk_breaks(table.entries)
        if chain_break.how in _MISSING_HANDS and chain_break.before in numbers
    ]


def _list_box_hands(events: Sequence[EventRef], table: ShiftTable) -> list[HandPlayed]:
    """Return the hands between the count of a box and the one before it. `events`: both counts, the last one first."""
    indexes = {entry.version: index for index, entry in enumerate(table.entries)}
    end, *starts = (indexes[event.version] for event in events if event.stream == table.stream)
    start = starts[0] if starts else 0
    return [entry.event for entry in table.entries[start:end] if isinstance(entry.event, HandPlayed)]


def _build_gap(difference: MoneyDifference, breaks: Sequence[Break]) -> MoneyGap:
    sentences = [
        phrase_count(
            "{count} hand between {after} and {before} isn't on record, and may have dropped it.",
            "{count} hands between {after} and {before} aren't on record, and may have dropped it.",
            chain_break.count,
            after=chain_break.after,
            before=chain_break.before,
        )
        if chain_break.count
        else phrase(
            "Hands between {after} and {before} may be missing from the record, and may have dropped it.",
            after=chain_break.after,
            before=chain_break.before,
        )
        for chain_break in breaks
    ]
    return MoneyGap(
        difference.kind,
        difference.venue,
        difference.tournament,
        difference.table,
        join_sentences([difference.says, *sentences]),
        difference.events,
    )
