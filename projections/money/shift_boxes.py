"""Don't call a box too full if hands are missing or couldn't be read: they may have dropped the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger import safe
from ledger.store.hands.hand_accounts import TableKey
from ledger.table.breaks import Break, walk_breaks
from ledger.table.events import HandPlayed
from ledger.text.language import join_sentences, phrase, phrase_count
from projections.money.difference import EventRef, MoneyDifference, MoneyGap

if TYPE_CHECKING:
    from projections.findings.doubts import UnreadLines
    from projections.money.shift import ShiftTable

_MISSING_HANDS: Final = ("numbers", "told", "players", "order")
"""How breaks show that hands are missing. Stacks that don't carry over may have another cause."""


class SettledBoxes(NamedTuple):
    """The boxes that differ for certain, and those that hands missing from the record may explain."""

    differences: list[MoneyDifference]
    gaps: list[MoneyGap]


def settle_boxes(
    differences: Iterable[MoneyDifference],
    shift_tables: Sequence[ShiftTable],
    find_unread: Callable[[TableKey], Mapping[str, UnreadLines]],
) -> SettledBoxes:
    """Return the differences of boxes, and gaps for boxes that hold more than the hands on record dropped.

    A box that holds less is short, however many hands are missing. `find_unread` returns the hands of a table with lines
    within or next to them that couldn't be read, by the ids of their streams, hex.
    """
    tables = {table.key: table for table in shift_tables}
    settled = SettledBoxes([], [])
    for difference in differences:
        table = tables[TableKey(difference.venue, difference.tournament, difference.table)]
        doubts = list(_iter_doubts(difference, table, find_unread)) if _is_over(difference) else []
        if doubts:
            settled.gaps.append(_build_gap(difference, doubts))
        else:
            settled.differences.append(difference)
    return settled


def _is_over(difference: MoneyDifference) -> bool:
    return (difference.recorded or 0) > (difference.expected or 0)


def _iter_doubts(
    difference: MoneyDifference, table: ShiftTable, find_unread: Callable[[TableKey], Mapping[str, UnreadLines]]
) -> Iterator[str]:
    """Yield where hands of a box are missing; if none is, where lines next to its hands couldn't be read."""
    hands = _list_box_hands(difference.events, table)
    numbers = {hand.number for hand in hands}
    breaks = [
        chain_break
        for chain_break in walk_breaks(table.entries)
        if chain_break.how in _MISSING_HANDS and chain_break.before in numbers
    ]
    yield from map(_say_missing, breaks)
    if breaks:
        return
    unread_by_hand = find_unread(table.key)
    for hand in hands:
        unread = unread_by_hand.get(hand.hand)
        if unread is not None and (unread.before_hand or unread.after_hand):
            number = safe.terminal(hand.number, 24)
            yield (
                phrase("Lines before hand {hand} couldn't be read. A hand among them may have dropped it.", hand=number)
                if unread.before_hand
                else phrase(
                    "Lines after hand {hand} couldn't be read. A hand among them may have dropped it.", hand=number
                )
            )
            return  # the lines after a hand are those before the next one


def _list_box_hands(events: Sequence[EventRef], table: ShiftTable) -> list[HandPlayed]:
    """Return the hands between the count of a box and the one before it. `events`: both counts, the last one first."""
    indexes = {entry.version: index for index, entry in enumerate(table.entries)}
    end, *starts = (indexes[event.version] for event in events if event.stream == table.stream)
    start = starts[0] if starts else 0
    return [entry.event for entry in table.entries[start:end] if isinstance(entry.event, HandPlayed)]


def _say_missing(chain_break: Break) -> str:
    if not chain_break.count:
        return phrase(
            "Hands between {after} and {before} may be missing from the record, and may have dropped it.",
            after=chain_break.after,
            before=chain_break.before,
        )
    return phrase_count(
        "{count} hand between {after} and {before} isn't on record, and may have dropped it.",
        "{count} hands between {after} and {before} aren't on record, and may have dropped it.",
        chain_break.count,
        after=chain_break.after,
        before=chain_break.before,
    )


def _build_gap(difference: MoneyDifference, doubts: Sequence[str]) -> MoneyGap:
    return MoneyGap(
        difference.kind,
        difference.venue,
        difference.tournament,
        difference.table,
        join_sentences([difference.says, *doubts]),
        difference.events,
    )
