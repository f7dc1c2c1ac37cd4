"""Build a hand: its events, their places in the source, and the bets from which amounts follow.

Sources write amounts in several ways: chips added, the street's total, or the increase over the highest bet. A reader
calls the method for its source's way, and the event gets both `to` and `added`.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from itertools import repeat
from operator import itemgetter, sub
from typing import Final, Literal, Protocol, TypeAlias

from msgspec.structs import replace

from ledger.account import Account
from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.hand.betting import Bet, BetReturned, Called, Checked, Completed, Folded, Raised, RunsAgreed
from ledger.hand.betting_round import begin_round
from ledger.hand.chips import HandChips
from ledger.hand.dealing import BoardDealt, StreetDealt
from ledger.hand.ending import DropTaken, Half, HandCompleted, LineUnread, PotAwarded
from ledger.hand.opening import (
    AntePosted,
    BlindPosted,
    BlindRole,
    BringInPosted,
    DeadMoneyTaken,
    GameSet,
    HandOpened,
    NotDealtIn,
    SeatDealtIn,
    SeatLeftOut,
    StraddleKind,
    StraddlePosted,
)
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.unwitnessed import find_unseen
from ledger.vocabulary import Cards, Chips, Millis, PlayerId, Seat, Street, Witness

AnteKind: TypeAlias = Literal["ante", "bomb-pot", "penalty"]
DropKind: TypeAlias = Literal["rake", "jackpot", "bingo", "fortune", "tax", "cash-out", "other"]

SEATS: Final = 24
"""Seat numbers are below this."""

NO_PLACE: Final = -1
"""The place of an event without a part of the source."""

_UNLIMITED_CHIPS: Final = 10**18
_OPENING_PLACEHOLDER: Final = HandCompleted()  # replaced by HandOpened in `set_opening`


class Places(Protocol):
    """Numbered parts of a source, in bytes: the lines of a text, the values of a document."""

    starts: list[int]
    lengths: list[int]


class HandBuilder:
    """A hand while it is read. `place` is the number of the line or value that is being read."""

    seat_limit = SEATS
    """Seat numbers are below this."""

    __slots__ = (
        "betting",
        "big_blind",
        "big_blind_seat",
        "chips_by_text",
        "event_places",
        "events",
        "exponent",
        "folded",
        "game",
        "has_own_cards",
        "inferred",
        "people",
        "place",
        "places",
        "records_returns",
        "seats",
        "small_blind_seat",
        "stacks",
        "times",
        "total_awarded",
        "total_drop",
        "uncalled_bets",
        "unread_count",
        "venue",
    )

    def __init__(self, places: Places, people: People, venue: str, game: GameSet, place: int) -> None:
        """Begin a hand whose first part is at `place`. The game becomes its second event."""
        self.places = places
        self.people = people
        self.venue = venue
        self.game = game
        self.exponent = game.exponent
        self.chips_by_text: dict[str, Chips] = people.read_before.results_of("chips", game.exponent)
        self.place = place
        self.events: list[Event] = [_OPENING_PLACEHOLDER]
        self.event_places: list[int] = [place]
        self.inferred: list[int] = []
        self.times: dict[int, Millis] = {}
        self.seats: dict[str, Seat] = {}  # of the players who are dealt in
        self.stacks: dict[Seat, Chips | None] = {}
        self.betting = begin_round("preflop", {}, HandChips())
        self.folded: set[Seat] = set()
        self.big_blind = game.blinds[-1] if game.blinds else 0  # in chips, 0 if unknown
        self.big_blind_seat: Seat = 0  # the first seat that posted it, 0 = no seat
        self.small_blind_seat: Seat = 0  # the first seat that posted it, 0 = no seat
        self.uncalled_bets: list[tuple[Seat, Chips, int]] = []  # and the event before which each goes back
        self.records_returns = False  # the source says when chips go back
        self.has_own_cards = False  # the source shows one player's cards before the showdown
        self.total_awarded = 0
        self.total_drop = 0
        self.unread_count = 0

    # -- events ---------------------------------------------------------------------------------

    def add_event(self, event: Event) -> None:
        """Add an event at the current place. For speed, the most common events are added without this call."""
        self.events.append(event)
        self.event_places.append(self.place)

    def add_inferred(self, event: Event, *, place: int = NO_PLACE) -> None:
        """Add an event that the reader inferred; `place` is what it was inferred from."""
        self.inferred.append(len(self.events))
        self.events.append(event)
        self.event_places.append(place)

    def insert_event(self, index: int, event: Event) -> None:
        """Insert an inferred event before the event of that index."""
        self.events.insert(index, event)
        self.event_places.insert(index, NO_PLACE)
        self.renumber_events(lambda old_index: old_index + 1 if old_index >= index else old_index)
        self.inferred.append(index)

    def remove_event(self, index: int) -> None:
        """Remove the event of that index."""
        del self.events[index], self.event_places[index]
        self.inferred = [inferred_index for inferred_index in self.inferred if inferred_index != index]
        self.times.pop(index, None)
        self.renumber_events(lambda old_index: old_index - 1 if old_index > index else old_index)

    def renumber_events(self, new_index: Callable[[int], int]) -> None:
        """Update all lists that hold indexes of events."""
        self.inferred = [new_index(index) for index in self.inferred]
        self.times = {new_index(index): moment for index, moment in self.times.items()}
        self.uncalled_bets = [(seat, amount, new_index(index)) for seat, amount, index in self.uncalled_bets]

    def add_unread(self, words: str) -> None:
        """Keep a part of the source that the reader doesn't understand. The hand then counts as incomplete."""
        self.unread_count += 1
        self.add_event(LineUnread(self.people.text(words.strip())))

    def parse_chips(self, text: str) -> Chips:
        """Return an amount in the hand's unit. Raise `UnreadableHandError` if the text is no amount."""
        chips = self.chips_by_text.get(text)
        if chips is None:
            chips = self.chips_by_text[text] = amounts.read(text, self.exponent)
        return chips

    def get_player_id(self, name: str) -> PlayerId:
        """Return the id of a name at this venue."""
        return self.people.player(self.venue, name)

    # -- betting --------------------------------------------------------------------------------

    @property
    def street(self) -> Street:
        """The current street."""
        return self.betting.street

    def get_bet(self, seat: Seat) -> Chips:
        """Return a seat's live chips of this street."""
        return self.betting.bets.get(seat, 0)

    def get_chips_put_in(self, seat: Seat) -> Chips:
        """Return the chips that a seat put into the pot, less what came back."""
        return self.betting.chips.put_in.get(seat, 0)

    def get_total_put_in(self) -> Chips:
        """Return the chips that all seats put into the pot, less what came back."""
        return self.betting.chips.pot()

    def is_round_over(self, acted: Container[Seat]) -> bool:
        """Whether every seat with chips left has acted and called."""
        bet_to_call = self.betting.bet_to_call
        return all(seat in acted and self.get_bet(seat) >= bet_to_call for seat in self.list_seats_able_to_bet())

    # -- seats ----------------------------------------------------------------------------------

    def seat_player(self, seat: Seat, name: str, stack: Chips | None, *, bounty: Chips = 0) -> None:
        """Deal a player in. `seats` finds the seat by the name."""
        if seat in self.stacks or not 0 < seat < self.seat_limit:
            self._check_seat(seat)  # raises
        if name not in self.seats:
            self.seats[name] = seat
        self.stacks[seat] = stack
        self.add_event(SeatDealtIn(seat, self.get_player_id(name), stack, bounty))

    def leave_seat_out(self, seat: Seat, name: str, stack: Chips | None, reason: NotDealtIn = "unknown") -> None:
        """Add a player who has a seat but gets no cards."""
        self._check_seat(seat)
        self.add_event(SeatLeftOut(seat, self.get_player_id(name), stack, reason))

    def _check_seat(self, seat: Seat) -> None:
        if not 0 < seat < self.seat_limit:
            raise UnreadableHandError(f"there is no seat {seat}: tables have fewer than {self.seat_limit}", kind="seat")
        if seat in self.stacks:
            raise UnreadableHandError(f"two players sit in seat {seat}", kind="seat")

    def sort_names(self) -> list[str]:
        """Return the players' names, longest first: a line may begin with two of them."""
        return sorted(self.seats, key=len, reverse=True)

    def get_stack_left(self, seat: Seat) -> Chips:
        """Return the remaining stack, or more than any bet if the stack is unknown."""
        stack = self.stacks[seat]
        return _UNLIMITED_CHIPS if stack is None else max(stack - self.get_chips_put_in(seat), 0)

    def list_seats_in_hand(self) -> list[Seat]:
        """Return the seats that were dealt in and have not folded."""
        return [seat for seat in self.stacks if seat not in self.folded]

    def list_seats_able_to_bet(self) -> list[Seat]:
        """Return the seats that haven't folded and have chips left."""
        return [seat for seat in self.list_seats_in_hand() if self.get_stack_left(seat)]

    # -- posts ----------------------------------------------------------------------------------

    def post_blind(
        self, seat: Seat, role: BlindRole, live: Chips, dead: Chips = 0, *, all_in: bool | None = None
    ) -> None:
        """Post a blind, an entry blind or a make-up blind. Only the live part counts toward calling."""
        if role == "big" and not self.big_blind_seat:
            self.big_blind_seat = seat
            self.big_blind = self.big_blind or live
        elif role == "small" and not self.small_blind_seat:
            self.small_blind_seat = seat
        if dead:
            self.betting.move_chips(seat, dead)
        if live:
            self.betting.add(seat, live)
        self.events.append(BlindPosted(seat, role, live, dead, all_in))
        self.event_places.append(self.place)

    def post_both_blinds(self, seat: Seat, total: Chips, *, all_in: bool | None = None) -> None:
        """Post both blinds from one amount: the big blind is live, the rest is a dead small blind."""
        live = min(total, self.big_blind) if self.big_blind else total
        self.post_blind(seat, "makeup-small", 0, total - live, all_in=all_in)
        self.post_blind(seat, "makeup-big", live, all_in=all_in)

    def post_straddle(
        self,
        seat: Seat,
        amount: Chips,
        kind: StraddleKind = "straddle",
        *,
        live: bool = True,
        all_in: bool | None = None,
    ) -> None:
        """Post a straddle."""
        if live:
            self.betting.add(seat, amount)
        else:
            self.betting.move_chips(seat, amount)
        self.add_event(StraddlePosted(seat, amount, kind, live, all_in))

    def post_ante(
        self, seat: Seat, amount: Chips, kind: AnteKind = "ante", *, for_table: bool = False, all_in: bool | None = None
    ) -> None:
        """Post an ante, which is dead money."""
        self.betting.move_chips(seat, amount)
        self.add_event(AntePosted(seat, amount, for_table, kind, all_in))

    def post_dead_money(self, seat: Seat, amount: Chips) -> None:
        """Put chips into the pot that count toward no bet."""
        self.betting.move_chips(seat, amount)
        self.add_event(DeadMoneyTaken(seat, amount))

    def post_bring_in(self, seat: Seat, amount: Chips, all_in: bool | None = None) -> None:
        """Post the bring-in, stud's forced bet."""
        self.betting.add(seat, amount)
        self.add_event(BringInPosted(seat, amount, all_in))

    # -- acts -----------------------------------------------------------------------------------

    def fold(self, seat: Seat, cards: Cards = "") -> None:
        """Fold."""
        self.folded.add(seat)
        self.add_event(Folded(seat, cards))

    def check(self, seat: Seat) -> None:
        """Check."""
        self.add_event(Checked(seat))

    def call(self, seat: Seat, added: Chips, all_in: bool | None = None) -> None:
        """Call by adding this many chips."""
        street_total = self.betting.add(seat, added)
        self.events.append(Called(seat, added, street_total, all_in))
        self.event_places.append(self.place)

    def call_to(self, seat: Seat, street_total: Chips, all_in: bool | None = None) -> None:
        """Call; the source gives the seat's total for the street."""
        self.call(seat, street_total - self.get_bet(seat), all_in)

    def get_call_amount(self, seat: Seat) -> Chips:
        """Return the chips that it takes to call, at most the stack."""
        return min(self.betting.bet_to_call - self.get_bet(seat), self.get_stack_left(seat))

    def check_or_call(self, seat: Seat) -> None:
        """Check or call, for sources that write both alike."""
        if amount := self.get_call_amount(seat):
            self.call(seat, amount)
        else:
            self.check(seat)

    def bet(self, seat: Seat, added: Chips, all_in: bool | None = None) -> None:
        """Bet this many chips."""
        street_total = self.betting.add(seat, added)
        self.events.append(Bet(seat, added, street_total, all_in))
        self.event_places.append(self.place)

    def raise_to(self, seat: Seat, street_total: Chips, all_in: bool | None = None) -> None:
        """Raise; the source gives the seat's total for the street."""
        added = street_total - self.get_bet(seat)
        is_completion = (
            (self.betting.street == "third" or self.game.variant == "stud5")
            and self.game.bets
            and self.betting.bet_to_call < self.game.bets[0]
        )  # completing a bring-in is no raise
        self.betting.add(seat, added)
        self.events.append((Completed if is_completion else Raised)(seat, added, street_total, all_in))
        self.event_places.append(self.place)

    def raise_by(self, seat: Seat, added: Chips, all_in: bool | None = None) -> None:
        """Raise by adding this many chips."""
        self.raise_to(seat, self.get_bet(seat) + added, all_in)

    def raise_over(self, seat: Seat, increase: Chips, *, all_in: bool | None = None) -> None:
        """Raise; `increase` is the difference to the highest bet so far."""
        self.raise_to(seat, self.betting.bet_to_call + increase, all_in)

    def wager(self, seat: Seat, street_total: Chips, all_in: bool | None = None) -> None:
        """Bet, call or raise; the source gives the seat's total for the street."""
        if street_total <= self.betting.bet_to_call:
            self.call_to(seat, street_total, all_in)
        elif self.betting.bet_to_call == 0:
            self.bet(seat, street_total - self.get_bet(seat), all_in)
        else:
            self.raise_to(seat, street_total, all_in)

    # -- streets --------------------------------------------------------------------------------

    def deal_board(self, street: Street, cards: Cards, *, board: int = 1, run: int = 1) -> None:
        """Deal the new community cards. A further board or run of the same street begins no betting."""
        if street != self.betting.street:
            self.begin_betting(street)
        self.add_event(BoardDealt(street, cards, board, run))

    def agree_runs(self) -> None:
        """Note that the players run it twice, unless that was noted."""
        if not any(isinstance(event, RunsAgreed) for event in reversed(self.events)):
            self.close_bets()
            self.add_event(RunsAgreed(2))

    def deal_run_board(self, street: Street, cards: Cards, number: int) -> None:
        """Deal the new cards of run `number`; 0 means that the board is run once. The first run notes the agreement."""
        if number:
            self.agree_runs()
        if number > 1 and street != self.betting.street:
            self.betting.street = street  # no betting follows
        self.deal_board(street, cards, run=number or 1)

    def deal_street(self, street: Street) -> None:
        """Begin a street of stud or a draw."""
        self.begin_betting(street)
        self.add_event(StreetDealt(street))

    def infer_street(self, street: Street) -> None:
        """Begin a street of stud or a draw that the source does not say."""
        self.begin_betting(street)
        self.add_inferred(StreetDealt(street))

    def begin_betting(self, street: Street) -> None:
        """Begin a street's betting."""
        self.close_bets()
        self.betting = self.betting.begin_next_street(street)

    def close_bets(self) -> None:
        """End the betting of a street, and remember an uncalled bet."""
        betting = self.betting
        if betting.bet_to_call and not betting.is_closed and (uncalled_bet := betting.find_uncalled_bet()) is not None:
            self.uncalled_bets.append((*uncalled_bet, len(self.events)))
        betting.is_closed = True

    # -- the end --------------------------------------------------------------------------------

    def return_uncalled(self, seat: Seat, amount: Chips) -> None:
        """Return an uncalled bet that the source records."""
        betting = self.betting
        uncalled_bet = betting.find_uncalled_bet()
        betting.is_closed = betting.is_closed or (uncalled_bet is not None and uncalled_bet.seat == seat)
        betting.move_chips(seat, -amount)
        betting.take_back(seat, min(amount, self.get_bet(seat)))  # it may belong to an earlier street
        self.uncalled_bets = [pending_bet for pending_bet in self.uncalled_bets if pending_bet[0] != seat]
        self.add_event(BetReturned(seat, amount))

    def award(
        self, seat: Seat, amount: Chips, pot: int | None = None, *, run: int = 1, board: int = 1, half: Half = ""
    ) -> None:
        """Pay a seat from the pot."""
        self.close_bets()
        self.total_awarded += amount
        self.events.append(PotAwarded(seat, amount, pot, run, board, half))
        self.event_places.append(self.place)

    def take_drop(self, kind: DropKind, amount: Chips) -> None:
        """Let the house take its part of the pot. Zero adds no event."""
        if amount:
            self.total_drop += amount
            self.add_event(DropTaken(kind, amount))

    def infer_returns(self, total: Chips | None = None) -> None:
        """Infer the returned bets that the source leaves out.

        If the declared `total` pot includes such a bet, the bet stayed in.
        """
        self.close_bets()
        if total is not None and total == self.get_total_put_in():
            self.uncalled_bets.clear()
        for seat, amount, index in reversed(self.uncalled_bets):
            self.betting.move_chips(seat, -amount)
            self.insert_event(index, BetReturned(seat, amount))
        self.uncalled_bets.clear()

    def infer_returns_by_payout(self) -> None:
        """Infer the returned bets from what was paid. If the awards include the uncalled bet, it stayed in."""
        self.close_bets()
        put_in = self.get_total_put_in()
        uncalled = sum(amount for _, amount, _ in self.uncalled_bets)
        self.infer_returns(None if self.total_awarded <= put_in - uncalled else put_in)

    def infer_returns_by_pot(self, total: Chips | None) -> None:
        """Infer the returned bets if the declared `total` pot leaves them out. Otherwise they stayed in."""
        self.close_bets()
        put_in = self.get_total_put_in()
        uncalled = sum(amount for _, amount, _ in self.uncalled_bets)
        self.infer_returns(total if total == put_in - uncalled else put_in)

    def mark_table_ante(self) -> None:
        """Mark a single ante, posted by the big blind, as paid for the whole table."""
        antes = [index for index, event in enumerate(self.events) if isinstance(event, AntePosted)]
        if len(antes) == 1 and len(self.stacks) > 1:
            ante = self.events[antes[0]]
            if isinstance(ante, AntePosted) and ante.seat == self.big_blind_seat and ante.kind == "ante":
                self.events[antes[0]] = AntePosted(ante.seat, ante.amount, True, all_in=ante.all_in)

    def set_opening(self, event: HandOpened) -> None:
        """Set the first event. It claims no witness that the hand itself disproves."""
        unseen_witnesses = event.witnesses & find_unseen(self)
        self.events[0] = replace(event, witnesses=event.witnesses & ~unseen_witnesses) if unseen_witnesses else event

    def open_hand(
        self,
        table: str,
        number: str,
        witnesses: int,
        started: Millis | None,
        start_text: str,
        seat_count: int = 0,
        tournament: str = "",
    ) -> None:
        """Set the first event from its fields. The source is a witness of own cards if it shows them."""
        all_witnesses = int(witnesses) | (int(Witness.OWN_CARDS) if self.has_own_cards else 0)
        opening = HandOpened(self.venue, table, number, all_witnesses, started, start_text, seat_count, tournament)
        self.set_opening(opening)

    @property
    def blind_witness(self) -> int:
        """The witness bit for blind amounts, if the game has blinds."""
        return int(Witness.BLIND_AMOUNTS) if self.game.blinds else 0

    def build_account(self, source: int, start: int, length: int) -> Account:
        """Return the hand; its bytes begin at `start` of the chunk, which begins at byte `source`."""
        starts, lengths, marks = self.places.starts, self.places.lengths, self.event_places
        places = [0] * (2 * len(marks))
        places_of = itemgetter(*marks)  # a hand has more than one event
        places[::2] = map(sub, places_of(starts), repeat(start)) if start else places_of(starts)
        places[1::2] = places_of(lengths)
        for index in self.inferred:
            if marks[index] == NO_PLACE:
                places[2 * index : 2 * index + 2] = (0, 0)
        return Account(self.events, places, source + start, length, self.inferred, self.times)  # type: ignore[arg-type]  # only hand events are added
