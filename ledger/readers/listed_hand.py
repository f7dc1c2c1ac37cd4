"""Hands whose seat list also names players who sit out. Only the whole hand shows who they are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.opening import AntePosted, GameSet, NotDealtIn, PostReturned, SeatDealtIn, SeatLeftOut
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.hand import SEATS, HandBuilder, Places
from ledger.vocabulary import Chips, PlayerId, Seat

_MAX_AMOUNT_LENGTH: Final = 60
_NAME_ENDS: Final = frozenset(" :")
_SHORT_NAME: Final = 12
_JOINED_ROWS: Final = re.compile(
    r".(?:Seat|seat|Lugar|Asiento|Место|Siège|Place)[ +]{0,2}\d{1,2} ?[:-]"
    r"| \([^()]{0,20}\d[^()]{0,20}\)[.:]?\w| sitting in seat \d|\(max \d{1,2}\):",
    re.DOTALL,
)
"""Found in a name, this shows that the row of another seat, or text after a stack, was joined to it."""


class ListedHand(HandBuilder):
    """A hand with a list of seats. `clean_amount` strips what the room puts around an amount."""

    __slots__ = (
        "absence_reasons",
        "has_plain_names",
        "names_by_seat",
        "names_checked",
        "room_chips",
        "seat_event_index",
        "shared_names",
        "sorted_names",
    )

    def __init__(self, places: Places, people: People, venue: str, game: GameSet, place: int) -> None:
        super().__init__(places, people, venue, game, place)
        self.room_chips: dict[str, Chips] = people.read_before.results_of(venue, "chips", game.exponent)
        self.seat_event_index: dict[Seat, int] = {}  # index of its SeatDealtIn or SeatLeftOut
        self.names_by_seat: dict[Seat, str] = {}  # of all players in the list
        self.sorted_names: list[str] = []
        self.has_plain_names = False  # no name contains a blank, as of `names_checked` seats
        self.names_checked = -1
        self.shared_names: set[str] = set()  # names of several seats
        self.absence_reasons: dict[Seat, NotDealtIn] = {}  # of the players whom the source calls absent

    def clean_amount(self, text: str) -> str:
        """Return an amount's text in a form that `amounts.read` accepts."""
        return "".join(text.split())

    def strip_brackets(self, text: str) -> str:
        """Strip brackets and blanks around an amount."""
        return text.strip("() ")

    def parse_amount(self, text: str) -> Chips:
        """Parse an amount in the room's notation, and cache it."""
        chips = self.room_chips.get(text)
        if chips is None:
            if len(text) > _MAX_AMOUNT_LENGTH:
                raise UnreadableHandError(f"{text[:40]!r} is no amount", kind="amount")
            chips = amounts.read(self.clean_amount(text), self.exponent)
            self.room_chips[text] = chips
        return chips

    def parse_amount_or_none(self, text: str) -> Chips | None:
        """Parse an amount; return None if the text isn't one."""
        try:
            return self.parse_amount(text)
        except UnreadableHandError:
            return None

    def deal_in(self, seat: Seat, name: str, stack: Chips | None, bounty: Chips = 0) -> None:
        """Deal a listed player in. Players who turn out not to play are left out at the end.

        If two players share a name, neither can be found by it.
        """
        if seat in self.stacks or not 0 < seat < SEATS:
            if self.names_by_seat.get(seat) == name and self.stacks[seat] == stack:
                return  # the row is written twice
            self._check_seat(seat)  # raises
        if len(name) > _SHORT_NAME and not name.isalnum() and _JOINED_ROWS.search(name):
            raise UnreadableHandError(
                f"another line begins within the row of seat {seat}: {name[:60]!r}",
                kind="seat",
                hint="Were line ends lost? Each player stands in a line of their own.",
            )
        self.deal_in_known_row(seat, name, stack, bounty)

    def deal_in_known_row(self, seat: Seat, name: str, stack: Chips | None, bounty: Chips = 0) -> None:
        """Deal a listed player in without checking the row, which an earlier hand also had."""
        seats, shared_names, events = self.seats, self.shared_names, self.events
        self.seat_event_index[seat] = len(events)
        self.names_by_seat[seat] = name
        self.stacks[seat] = stack
        if name in seats or name in shared_names:
            shared_names.add(name)
            seats.pop(name, None)
        else:
            seats[name] = seat
        events.append(SeatDealtIn(seat, self.get_player_id(name), stack, bounty))
        self.event_places.append(self.place)

    def deal_in_unlisted(self, seat: Seat, name: str) -> None:
        """Deal in a player who acts but isn't in the list, after its last row and with an unknown stack."""
        self.seats[name], self.names_by_seat[seat], self.stacks[seat] = seat, name, None
        event_index = max(self.seat_event_index.values(), default=0) + 1
        self.insert_and_shift(event_index, SeatDealtIn(seat, self.get_player_id(name), None))
        self.seat_event_index[seat] = event_index

    def list_sorted_names(self) -> list[str]:
        """Return the names of the seats, longest first."""
        if len(self.sorted_names) != len(self.seats):
            self.sorted_names = self.sort_names()
        return self.sorted_names

    def are_names_plain(self) -> bool:
        """Whether no name contains a blank, so that a line's first word is the name."""
        if self.names_checked != len(self.seats):
            self.names_checked = len(self.seats)
            self.has_plain_names = " " not in "".join(self.seats)
        return self.has_plain_names

    def find_names_at_start(self, line: str) -> list[str]:
        """Return the players' names with which a line begins, longest first.

        A blank or a colon follows the name.
        """
        if self.are_names_plain():
            word = line.partition(" ")[0]
            first_words = (word, word.partition(":")[0]) if ":" in word else (word,)
            return [name for name in first_words if name in self.seats]
        return [
            name for name in self.list_sorted_names() if line.startswith(name) and line[len(name) :][:1] in _NAME_ENDS
        ]

    def get_player(self, seat: Seat) -> PlayerId:
        """Return the player in a listed seat."""
        event = self.events[self.seat_event_index[seat]]
        player: PlayerId = event.player  # type: ignore[attr-defined]  # a seat's event names its player
        return player

    def insert_and_shift(self, index: int, event: Event) -> None:
        """Insert an inferred event before the event of that index, which may be a seat's."""
        self.insert_event(index, event)
        for seat, seat_index in self.seat_event_index.items():
            if seat_index >= index:
                self.seat_event_index[seat] = seat_index + 1

    def move_events(self, start: int, target: int) -> None:
        """Move the events from index `start` on before the event `target`: their line comes before its line."""
        count = len(self.events) - start

        def new_index(old_index: int) -> int:
            if old_index >= start:
                return old_index - start + target
            return old_index + count if old_index >= target else old_index

        self.events[target:] = self.events[start:] + self.events[target:start]
        self.event_places[target:] = self.event_places[start:] + self.event_places[target:start]
        self.seat_event_index = {seat: new_index(index) for seat, index in self.seat_event_index.items()}
        self.renumber_events(new_index)

    def add_hole_cards(self, event: HoleCardsDealt) -> None:
        """Add hole cards before the end of the deal, whose heading comes first in the source."""
        if isinstance(self.events[-1], DealCompleted):
            self.events.insert(-1, event)
            self.event_places.insert(-1, self.place)
        else:
            self.add_event(event)

    def mark_left_out(self, seat: Seat, reason: NotDealtIn, *, is_recorded: bool) -> None:
        """Change a listed player from dealt in to left out."""
        index = self.seat_event_index.get(seat, -1)
        event = self.events[index] if index >= 0 else None
        if isinstance(event, SeatDealtIn):
            self.events[index] = SeatLeftOut(seat, event.player, event.stack, reason)
            if not is_recorded and index not in self.inferred:
                self.inferred.append(index)

    def leave_out_silent(self) -> None:
        """Leave out the players who put nothing in and didn't fold."""
        if self.shared_names:
            return
        self.leave_out_idle(self.seat_event_index)

    def leave_out_idle(self, seats: Iterable[Seat]) -> None:
        """Leave out the players in these seats who put nothing in and didn't fold."""
        put_in, folded = self.betting.chips.put_in, self.folded
        for seat in seats:
            if not put_in.get(seat) and seat not in folded:
                self.leave_out_as_said(seat)

    def leave_out_as_said(self, seat: Seat) -> None:
        """Leave a seat out, with the source's reason if there is one."""
        self.mark_left_out(seat, self.absence_reasons.get(seat, "unknown"), is_recorded=seat in self.absence_reasons)

    def return_ante(self, seat: Seat, amount: Chips) -> None:
        """Return the unmatched part of an ante."""
        self.betting.move_chips(seat, -amount)
        self.add_event(PostReturned(seat, amount, "ante", True))

    def refund(self, seat: Seat, amount: Chips) -> None:
        """Return an uncalled bet, or the unmatched part of an ante."""
        ante = sum(event.amount for event in self.events if isinstance(event, AntePosted) and event.seat == seat)
        if self.get_bet(seat) < amount <= ante and seat not in [bet_seat for bet_seat, _, _ in self.uncalled_bets]:
            self.records_returns = True
            self.return_ante(seat, amount)
        else:
            self.return_uncalled(seat, amount)
