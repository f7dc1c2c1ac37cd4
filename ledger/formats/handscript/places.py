"""Tables: at which one facts between hands were, and who sits where.

Facts between hands were at the table of the hand before, whose own line may name another than the header:
`hand 5 tournament X table T9` says of one hand what the header says of all. What follows it, up to the
next hand or header, happened at that table; facts above the first hand belong to the table of that hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from ledger.account import Account, Reject, SectionAccount, TableAccount
from ledger.event import Event
from ledger.formats.handscript.context import Settings
from ledger.hand.opening import HandOpened, SeatDealtIn, SeatLeftOut
from ledger.presence import SeatLeft, SeatMoved, SeatTaken
from ledger.vocabulary import PlayerId, Seat


class SectionTable(NamedTuple):
    """A table, by its names."""

    venue: str
    tournament: str
    table: str


def find_table(source: HandOpened | Settings) -> SectionTable:
    """Return the table that a hand, or a header, names."""
    return SectionTable(source.venue, source.tournament, source.table)


class CommentedAccount(NamedTuple):
    """What a section says, and the comments at the ends of its lines, by the index of the event."""

    told: Account | TableAccount | SectionAccount | Reject
    comments: dict[int, str]


class HeadedSection(NamedTuple):
    """A section under the table of its header."""

    item: CommentedAccount
    header: SectionTable


def assign_tables(sections: Iterator[HeadedSection]) -> Iterator[CommentedAccount]:
    """Yield the items in their order, facts at the table of the hand that they stand behind or before."""
    waiting: list[HeadedSection] = []  # facts above the first hand, and what stands between them
    header_table = hand_table = SectionTable("", "", "")
    has_hand = False
    for section in sections:
        account = section.item.told
        if isinstance(account, Account):
            hand_table = find_table(account.opened)
            header_table, has_hand = section.header, True
            yield from (_move_to_table(waiting_section, header_table, hand_table) for waiting_section in waiting)
            waiting = []
            yield section.item
        elif has_hand and section.header == header_table:
            yield _move_to_table(section, header_table, hand_table)
        elif waiting or isinstance(account, TableAccount):
            has_hand = False
            waiting.append(section)
        else:
            yield section.item
    yield from (waiting_section.item for waiting_section in waiting)


def _move_to_table(section: HeadedSection, header_table: SectionTable, hand_table: SectionTable) -> CommentedAccount:
    """Return facts at the hand's own table, if they stand under the same header."""
    item, account = section.item, section.item.told
    if hand_table == header_table or section.header != header_table or not isinstance(account, TableAccount):
        return item
    return item._replace(told=replace(account, **hand_table._asdict()))


_SEATING: Final = frozenset((SeatDealtIn, SeatLeftOut, SeatTaken, SeatMoved, SeatLeft))


class TableSeating:
    """The players of each table by their seats, as far as lines named them."""

    def __init__(self) -> None:
        self._by_place: dict[SectionTable, dict[Seat, PlayerId]] = {}

    def seats(self, place: SectionTable) -> dict[Seat, PlayerId]:
        """Return who sits at a table, by seat."""
        return dict(self._by_place.get(place, {}))

    def find_player(self, place: SectionTable, seat: Seat) -> PlayerId | None:
        """Return who sits in a seat; None: nobody was named, or who was has gone."""
        return self._by_place.get(place, {}).get(seat)

    def learn(self, section_table: SectionTable, events: Iterable[Event]) -> None:
        """Take what a section told of who sits where."""
        seat_players(self._by_place.setdefault(section_table, {}), events)


class SectionSeats:
    """Who sits at the table of a section, kept up to date with the section's own events."""

    def __init__(self, seats: dict[Seat, PlayerId], place: SectionTable) -> None:
        """Take who sits there by the lines before the section."""
        self.seats, self.place = seats, place
        self._event_count = 0
        self._last_event: Event | None = None

    def follows(self, events: Sequence[Event]) -> bool:
        """Whether events begin with those that are seated already."""
        count = self._event_count
        return not count or (len(events) >= count and events[count - 1] is self._last_event)

    def catch_up(self, events: Sequence[Event]) -> Mapping[Seat, PlayerId]:
        """Seat the players of events that are new here; return who sits where."""
        if len(events) > self._event_count:
            seat_players(self.seats, events[self._event_count :])
            self._event_count, self._last_event = len(events), events[-1]
        return self.seats


def seat_players(seats: dict[Seat, PlayerId], events: Iterable[Event]) -> None:
    """Bring the players of a table up to date with what was told of who sits where."""
    seating_events = [seating_event for seating_event in events if type(seating_event) in _SEATING]
    seats_of_leaving: dict[PlayerId, set[Seat]] = {  # of those who go: where they may sit
        seating_event.player: set() for seating_event in seating_events if isinstance(seating_event, SeatLeft)
    }
    for seat, player in seats.items() if seats_of_leaving else ():
        if player in seats_of_leaving:
            seats_of_leaving[player].add(seat)
    for event in seating_events:
        if isinstance(event, SeatLeft):
            for seat in seats_of_leaving[event.player]:
                if seats.get(seat) == event.player:
                    del seats[seat]
            seats_of_leaving[event.player].clear()
        elif isinstance(event, SeatMoved):
            seats.pop(event.origin, None)
            _sit_down(seats, seats_of_leaving, event.to, event.player)
        elif isinstance(event, SeatDealtIn | SeatLeftOut | SeatTaken):
            _sit_down(seats, seats_of_leaving, event.seat, event.player)


def _sit_down(
    seats: dict[Seat, PlayerId], seats_of_leaving: dict[PlayerId, set[Seat]], seat: Seat, player: PlayerId
) -> None:
    """Seat a player, and note the seat if the player leaves later."""
    seats[seat] = player
    if player in seats_of_leaving:
        seats_of_leaving[player].add(seat)
