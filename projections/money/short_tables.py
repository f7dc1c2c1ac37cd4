"""Check that no table of a tournament plays on while it's too short."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from projections.money.table_balance import is_reshuffled
from projections.sentences import seating as say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.vocabulary import Millis
    from projections.money.seating_notes import SeatingNotes
    from projections.money.tournament import Tournament, TournamentTable

HALT: Final = "seating.halt"
_FULL_SIZE: Final = 8
"""The fewest seats of a full-size table. For smaller tables, the director decides."""


class _ShortHand(NamedTuple):
    """A hand that a table played although it was too short."""

    hand_index: int
    players: int
    fullest: TournamentTable
    fullest_count: int  # players at the fullest table then, at least


def check_short_tables(notes: SeatingNotes) -> None:
    """Check each hand at a full-size table against the players at the other tables then. All hands have times."""
    halt = notes.book.policy.value(HALT)
    if halt is None:
        return
    for table in notes.tournament.tables:
        if table.chairs >= _FULL_SIZE:
            for short_hands in _find_runs(notes.tournament, table, halt):
                if not _is_waived(table, short_hands):
                    _add_difference(notes, table, short_hands)


def _find_runs(tournament: Tournament, table: TournamentTable, halt: int) -> Iterator[list[_ShortHand]]:
    """Yield the runs of hands that were too short. A run begins once the big blind passes an empty seat."""
    run: list[_ShortHand] = []
    largest = 0  # players that the table had before
    for index in range(1, len(table.hands)):
        short_hand = _judge_hand(tournament, table, index, halt)
        largest = max(largest, len(table.hands[index - 1].players))
        if short_hand is not None and short_hand.players >= largest:
            short_hand = None  # the table is still filling up
        if short_hand is None:
            if run:
                yield run
            run = []
        elif run or passes_empty_seat(table, index):
            run.append(short_hand)
    if run:
        yield run


def _judge_hand(tournament: Tournament, table: TournamentTable, index: int, halt: int) -> _ShortHand | None:
    """Return a hand that was too short, or None. At the other tables, only players who were certainly there count."""
    hand = table.hands[index]
    assert hand.time is not None  # noqa: S101 - all hands have times
    counts = [
        (_count_at_least(other_table, hand.time), other_table)
        for other_table in tournament.tables
        if other_table is not table
    ]
    fullest_count, fullest = max(counts, key=lambda count: count[0], default=(0, table))
    players = len(hand.players)
    return _ShortHand(index, players, fullest, fullest_count) if fullest_count - players >= halt else None


def _count_at_least(table: TournamentTable, moment: Millis) -> int:
    """Return the fewest players that a table can have had at a moment: those of its current hand or of the next."""
    index = table.find_index_at(moment)
    if index is None:
        return 0
    if index + 1 == len(table.hands) or is_reshuffled(table, index):
        return 0  # it may have broken, or hands are missing
    return min(len(table.hands[index].players), len(table.hands[index + 1].players))


def passes_empty_seat(table: TournamentTable, index: int) -> bool:
    """Whether the big blind passed an empty seat since the previous hand. False if that isn't known."""
    start, end = table.hands[index - 1].big_blind_seat, table.hands[index].big_blind_seat
    if start is None or end is None or start == end:
        return False
    seats = range(start + 1, end) if start < end else [*range(start + 1, table.chairs + 1), *range(1, end)]
    return any(seat not in table.hands[index].players for seat in seats)


def _is_waived(table: TournamentTable, short_hands: list[_ShortHand]) -> bool:
    """Whether the floor ruled at the table shortly before these hands or during them."""
    first, last = short_hands[0].hand_index, short_hands[-1].hand_index
    return any(table.has_ruling_after(hand_index) for hand_index in range(first - 1, last + 1))


def _add_difference(notes: SeatingNotes, table: TournamentTable, short_hands: list[_ShortHand]) -> None:
    """Add the difference of a run of hands."""
    first_hand = short_hands[0]
    refer = notes.tournament.refer_to_hand
    fullest_index = first_hand.fullest.find_index_at(table.hands[first_hand.hand_index].time or 0)
    events = [refer(table, short_hand.hand_index) for short_hand in short_hands]
    if fullest_index is not None:
        events.append(refer(first_hand.fullest, fullest_index))
    notes.add_difference(
        HALT,
        table,
        say.short_table_played_on(
            table.name, first_hand.players, first_hand.fullest.name, first_hand.fullest_count, len(short_hands)
        ),
        say.big_blind_passed_empty_seat(table.hands[first_hand.hand_index].hand.number),
        events,
        expected=first_hand.fullest_count,
        counted=first_hand.players,
    )
