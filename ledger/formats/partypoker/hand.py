"""A hand of partypoker while it is read: who sits where, and the posts that no line tells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec.structs import replace

from ledger.formats.partypoker.header import PartyPokerHeader, clean
from ledger.hand.betting import Bet, Called, Checked, Completed, Folded, Raised
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.opening import (
    AntePosted,
    BlindPosted,
    BlindRole,
    BringInPosted,
    ButtonPlaced,
    OptionSet,
    SeatDealtIn,
    StraddlePosted,
)
from ledger.people import chair_name
from ledger.readers import stud
from ledger.readers.cards import CARD_WORDS, card_reader, unknown_card_words
from ledger.readers.hand import SEATS, HandBuilder
from ledger.readers.phrase_hand import PhraseHand
from ledger.table.pools import ANONYMOUS
from ledger.vocabulary import DECK, Cards, Chips, PlayerId, Seat

FIRST_ACTS: Final = ("folds", "calls", "raises", "is all-In", "is all-in", "checks", "bets")
MOVES: Final = (Bet, Called, Checked, Completed, Folded, Raised, AntePosted, BlindPosted, BringInPosted, StraddlePosted)
_LONGEST_NAME: Final = 40
_OF_CHIPS: Final = (Bet, Called, Raised, Completed, BlindPosted, BringInPosted)
_CASED: Final = {written: card for card in DECK for written in (card.lower(), card.upper())}
_read_cards: Final = card_reader({**CARD_WORDS, **_CASED, **unknown_card_words("XX", "xx", "??", "X")})


Increase: TypeAlias = Callable[["PartyPokerSeating", Seat, Chips], None]
"""Raises, with what the number behind `raises` is."""


class PartyPokerSeating(PhraseHand):
    """A hand whose list of seats may lack who plays, and whose lines may lack posts."""

    NAME_ENDINGS = ("",)

    def begin(self) -> None:
        """Know of nobody who posted yet."""
        self.after = self.chairs = 0  # the line behind the hand; how many may sit at the table
        self.second: set[Seat] = set()  # further small blinds: live, unless a call shows otherwise
        self.hero: Seat = 0
        self.claimed: set[Seat] = set()  # of whom the text says what hand they had
        self.increase: Increase = HandBuilder.raise_by  # what the number behind `raises` is
        self.by_button = False  # how blinds that no line tells are inferred
        self.odd = 0  # calls that do not match the bet
        self.unmasked: set[Seat] = set()  # whose name an act told, for the list had `Player4`
        self.newcomers: set[str] = set()  # who joined the table since the list was made
        self.masks: dict[str, str] = {}  # `Player4`, in seat 4 → the name of that chair

    def clean_amount(self, text: str) -> str:
        """Return `[$5 USD]` as an amount."""
        return clean(text.strip("[]() "))

    def read_cards(self, text: str) -> Cards | None:
        """Return ` 4h, 4s, Jh ` or `[ Kh 4c ]` as cards; None where one of them is no card."""
        return _read_cards(text.strip(" :[]"))

    def player_id(self, name: str) -> PlayerId:
        """Return the id of somebody, or of the chair of whom the list calls by the seat."""
        return super().player_id(self.masks.get(name, name))

    def take_seats(self, head: PartyPokerHeader) -> None:
        """Deal the listed seats in; who turns out not to play is left out in the end."""
        self.masks = {name: chair_name(seat, head.where) for _, seat, name, _ in head.seats if name == f"Player{seat}"}
        for line, seat, name, stack in head.seats:
            self.place = line
            self.deal_in(seat, name, self.amount(stack))
        self.index_names()
        if head.button is not None and (head.button or not stud.is_stud(self)):
            self.place = head.button_line
            self.add_event(ButtonPlaced(head.button or None))

    # -- whose seat ---------------------------------------------------------------------------------

    def chair_of(self, name: str) -> Seat:
        """Return the seat of somebody who acts under a name that the list lacks; 0 = that cannot be.

        The list calls by the seat (`Player4`) whom the client does not know yet: the next such seat behind who acted
        before is meant, otherwise, and of who joined since, the next free chair.
        """
        if not name or len(name) > _LONGEST_NAME or ":" in name or name in self.shared_names:
            return 0
        if name in self.seats:
            return self.seats[name]
        if self.holds_a_line(name):
            return 0
        masks = {seat for shown, seat in self.seats.items() if shown == f"Player{seat}"} - self.unmasked - self.folded
        masks = set() if name in self.newcomers else masks - self.absence_reasons.keys()
        chairs = self.chairs_behind()
        seat = next((one for one in chairs if one in masks), 0)
        if seat:
            self.unmasked.add(seat)
            self.seats[name] = seat
            at = self.seat_event_index[seat]
            self.events[at] = SeatDealtIn(seat, self.player_id(name), self.stacks[seat])
            self.inferred.append(at)
        else:
            seat = next((one for one in (*chairs, *range(1, SEATS)) if one not in self.stacks), 0)
            if seat:
                self.deal_in_unlisted(seat, name)
        self.index_names()
        return seat

    def chairs_behind(self) -> list[Seat]:
        """Return all chairs, beginning behind who posted or acted last; behind the deal that is the big blind."""
        last: Seat = 0
        straddled = any(isinstance(event, StraddlePosted) for event in self.events)
        for event in reversed(self.events):
            if isinstance(event, MOVES):
                last = event.seat
                break
            if isinstance(event, DealCompleted) and self.big_blind_seat and not straddled:
                last = self.big_blind_seat
                break
        chairs = max(self.chairs, *self.stacks) if self.stacks else self.chairs
        return [(last + step - 1) % chairs + 1 for step in range(1, chairs + 1)]

    def say_anonymous(self) -> None:
        """Infer that the record names nobody, where it calls all by their seats but for whose file it is."""
        left = self.masks.keys() - {self.names_by_seat[seat] for seat in self.unmasked}
        if len(left) > 1 and len(left) >= len(self.names_by_seat) - 1:
            self.insert_event(min(self.seat_event_index.values()), OptionSet(*ANONYMOUS))

    # -- posts and acts -----------------------------------------------------------------------------

    def small_blind(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Post the small blind; a second one counts toward calling here, until a call shows otherwise."""
        if self.small_blind_seat not in (0, seat):
            self.second.add(seat)
            self.post_blind(seat, "makeup-small", amount)
        else:
            self.post_blind(seat, "small", amount)

    def button_blind(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Post the blind of the button, the only one of short deck."""
        self.post_blind(seat, "button", amount)

    def raises(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Raise; what the number is, partypoker and its imitators do not agree on."""
        self.increase(self, seat, amount)

    def checks(self, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
        """Check; who checks a bet must have posted it without a line."""
        if self.bet_of(seat) != self.betting.bet_to_call:
            self.missing_post(seat, self.bet_of(seat))
        self.check(seat)

    def calls(self, seat: Seat, added: Chips, _all_in: bool | None) -> None:
        """Call, and settle what a call that does not match the bet shows of posts before it."""
        to = self.bet_of(seat) + added
        if seat in self.second and to > self.betting.bet_to_call:
            self.second_is_dead(seat)
        elif to != self.betting.bet_to_call and not self.missing_post(seat, to):
            stack = self.stacks[seat]
            self.odd += to > self.betting.bet_to_call or stack is None or stack > self.chips_put_in(seat) + added
        self.call(seat, added)

    def missing_post(self, seat: Seat, to: Chips) -> bool:
        """Infer the big blind of somebody who came in without a line for it.

        `to` is the street total with which that seat checks or calls; a big blind more is what
        the others put in.
        """
        short, stack = self.betting.bet_to_call - to, self.stacks[seat]
        if self.street != "preflop" or not self.big_blind or short != self.big_blind or self.bet_of(seat):
            return False
        if stack is not None and stack < self.betting.bet_to_call:
            return False
        self.betting.add(seat, short)
        deal = (at for at, event in enumerate(self.events) if isinstance(event, HoleCardsDealt | DealCompleted))
        at = next(deal, len(self.events))
        self.silent_posts.append((seat, at))
        self.insert_and_shift(at, BlindPosted(seat, "entry", short))
        return True

    def dead_with_entry(self) -> None:
        """Infer the dead small blind that came in with the only post without a line: more was paid out than was in."""
        small = next(
            (event.live for event in self.events if isinstance(event, BlindPosted) and event.role == "small"), 0
        )
        if len(self.silent_posts) == 1 and 0 < self.total_awarded - self.total_put_in() <= small:
            seat, at = self.silent_posts[0]
            self.betting.put(seat, small)
            self.insert_and_shift(at, BlindPosted(seat, "makeup-small", 0, small))

    def second_is_dead(self, seat: Seat) -> None:
        """Make a second small blind dead, as the seat's first call shows it to be."""
        self.second.discard(seat)
        for index, event in enumerate(self.events):
            if isinstance(event, BlindPosted) and event.seat == seat and event.live:
                self.events[index] = BlindPosted(seat, event.role, 0, event.live, event.all_in)
                self.betting.recount(seat, -event.live)
                return

    def went_all_in(self, seat: Seat) -> None:
        """Take note that the act before was all-in."""
        for index in range(len(self.events) - 1, -1, -1):
            event = self.events[index]
            if getattr(event, "seat", 0) != seat:
                continue
            if isinstance(event, _OF_CHIPS):
                self.events[index] = replace(event, all_in=True)
                return
        self.add_remark()

    def silent_blinds(self) -> None:
        """Infer both blinds from who acts first: the big blind sits before, the small one before that.

        `by_button`: from the button, for lines in which who folded is told out of turn.
        """
        blinds, bets = self.game.blinds, self.game.bets
        if bets and self.game.format == "tournament":
            blinds = bets[0] // 2, bets[0]
        speakers = [one for line in self.lines.text[self.place + 1 : self.after] for one in self.named_seats(line)]
        ring = sorted({seat for seat, _ in speakers})
        first = next((seat for seat, rest in speakers if rest.startswith(FIRST_ACTS)), 0)
        if len(blinds) < 2 or len(ring) < 2 or not first:
            return
        at = ring.index(first)
        if self.by_button:
            button = next((event.seat for event in self.events if isinstance(event, ButtonPlaced)), None) or 0
            at = sum(seat <= button for seat in ring) + (2 if len(ring) > 2 else 1)
            at %= len(ring)
        roles: tuple[BlindRole, BlindRole] = ("small", "big")
        acting = {seat for seat, rest in speakers if rest.startswith(FIRST_ACTS)}
        for seat, role, blind in zip((ring[at - 2], ring[at - 1]), roles, blinds, strict=False):
            self.inferred.append(len(self.events))
            short = max(0, (self.stacks[seat] or blind) - self.chips_put_in(seat))  # all in with it: no act follows
            self.post_blind(seat, role, blind if seat in acting else min(blind, short))
        self.big_blind = blinds[-1]
        self.betting.call_in_full(self.big_blind)
