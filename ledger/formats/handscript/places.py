"""Find the table of facts between hands, and who sits where.

Facts between hands belong to the table of the previous hand. A hand's own line may name another table than the header:
`hand 5 tournament X table T9`. Facts after it, up to the next hand or header, belong to that table. Facts above the
first hand belong to the table of that hand.
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
    """A table's names."""

    venue: str
    tournament: str
    table: str


def find_table(source: HandOpened | Settings) -> SectionTable:
    """Return the table that a hand or a header names."""
    return SectionTable(source.venue, source.tournament, source.table)


class CommentedAccount(NamedTuple):
    """A section's account, and the comments at its lines' ends by the index of the event."""

    told: Account | TableAccount | SectionAccount | Reject
    comments: dict[int, str]


class HeadedSection(NamedTuple):
    """A section with the table of its header."""

    item: CommentedAccount
    header: SectionTable


def assign_tables(sections: Iterator[HeadedSection]) -> Iterator[CommentedAccount]:
    """Yield the items in order. Facts get the table of the hand before or after them."""
    waiting: list[HeadedSection] = []  # facts above the first hand, and the items between them
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
    """Return facts with the hand's own table, if they are under the same header."""
    item, account = section.item, section.item.told
    if hand_table == header_table or section.header != header_table or not isinstance(account, TableAccount):
        return item
    return item._replace(told=replace(account, **hand_table._asdict()))


_SEATING: Final = frozenset((SeatDealtIn, SeatLeftOut, SeatTaken, SeatMoved, SeatLeft))


class TableSeating:
    """The players of each table by seat, if lines named them."""

    def __init__(self) -> None:
        self._by_place: dict[SectionTable, dict[Seat, PlayerId]] = {}

    def list_seats(self, place: SectionTable) -> dict[Seat, PlayerId]:
        """Return the players of a table by seat."""
        return dict(self._by_place.get(place, {}))

    def find_player(self, place: SectionTable, seat: Seat) -> PlayerId | None:
        """Return the player in a seat, or None if no line named one or the player has left."""
        return self._by_place.get(place, {}).get(seat)

    def learn(self, section_table: SectionTable, events: Iterable[Event]) -> None:
        """Apply a section's events about who sits where."""
        seat_players(self._by_place.setdefault(section_table, {}), events)


class SectionSeats:
    """The players at a section's table, updated with the section's own events."""

    def __init__(self, seats: dict[Seat, PlayerId], place: SectionTable) -> None:
        """Start with the seats by the lines before the section."""
        self.seats, self.place = seats, place
        self._event_count = 0
        self._last_event: Event | None = None

    def follows(self, events: Sequence[Event]) -> bool:
        """Whether events begin with those already applied."""
        count = self._event_count
        return not count or (len(events) >= count and events[count - 1] is self._last_event)

    def catch_up(self, events: Sequence[Event]) -> Mapping[Seat, PlayerId]:
        """Apply the new events; return the players by seat."""
        if len(events) > self._event_count:
            seat_players(self.seats, events[self._event_count :])
            self._event_count, self._last_event = len(events), events[-1]
        return self.seats


def seat_players(seats: dict[Seat, PlayerId], events: Iterable[Event]) -> None:
    """Apply events about who sits where to the players of a table."""
    seating_events = [seating_event for seating_event in events if type(seating_event) in _SEATING]
    seats_of_leaving: dict[PlayerId, set[Seat]] = {  # the possible seats of players who leave
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
