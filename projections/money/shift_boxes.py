"""Turn the difference of a box that is over into a gap, if missing or unreadable hands may explain it."""

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
    """The boxes that certainly differ, and gaps for those that missing hands may explain."""

    differences: list[MoneyDifference]
    gaps: list[MoneyGap]


def settle_boxes(
    differences: Iterable[MoneyDifference],
    shift_tables: Sequence[ShiftTable],
    find_unread: Callable[[TableKey], Mapping[str, UnreadLines]],
) -> SettledBoxes:
    """Return the boxes that certainly differ, and gaps for those that missing hands may explain.

    A box that holds less is short, however many hands are missing. `find_unread` returns a table's hands that have
    unreadable lines in or next to them, by stream id (hex).
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
    """Yield a sentence for each place where hands of a box are missing, or else where lines couldn't be read."""
    hands = _list_box_hands(difference.events, table)
    numbers = {hand.number for hand in hands}
    breaks = [
        chain_break
        for chain_break in walk_breaks(table.entries)
        if chain_break.how in _MISSING_HANDS and chain_break.before in numbers
    ]
    yield from map(_describe_missing, breaks)
    if breaks:
        return
    unread_by_hand = find_unread(table.key)
    for hand in hands:
        unread = unread_by_hand.get(hand.hand)
        if unread is None or not (unread.before_hand or unread.after_hand):
            continue
        number = safe.terminal(hand.number, 24)
        if unread.before_hand:
            yield phrase(
                "Lines before hand {hand} couldn't be read. A hand among them may have dropped it.", hand=number
            )
        else:
            yield phrase(
                "Lines after hand {hand} couldn't be read. A hand among them may have dropped it.", hand=number
            )
        return  # the lines after a hand are those before the next one


def _list_box_hands(events: Sequence[EventRef], table: ShiftTable) -> list[HandPlayed]:
    """Return the hands between the count of a box and the previous one. `events`: both counts, the latest first."""
    indexes = {entry.version: index for index, entry in enumerate(table.entries)}
    end, *starts = (indexes[event.version] for event in events if event.stream == table.stream)
    start = starts[0] if starts else 0
    return [entry.event for entry in table.entries[start:end] if isinstance(entry.event, HandPlayed)]


def _describe_missing(chain_break: Break) -> str:
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
