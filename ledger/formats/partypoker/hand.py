"""The seats of a partypoker hand, and the posts without a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec.structs import replace

from ledger.formats.partypoker.header import PartyPokerHeader, clean_amount
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
from ledger.people import format_chair_name
from ledger.readers import stud
from ledger.readers.cards import CARD_WORDS, build_card_reader, map_unknown_cards
from ledger.readers.hand import SEATS, HandBuilder
from ledger.readers.phrase_hand import PhraseHand
from ledger.table.pools import ANONYMOUS
from ledger.vocabulary import DECK, Cards, Chips, PlayerId, Seat

FIRST_ACTS: Final = ("folds", "calls", "raises", "is all-In", "is all-in", "checks", "bets")
POSTS_AND_ACTS: Final = (
    Bet,
    Called,
    Checked,
    Completed,
    Folded,
    Raised,
    AntePosted,
    BlindPosted,
    BringInPosted,
    StraddlePosted,
)
_MAX_NAME_LENGTH: Final = 40
_CHIP_EVENTS: Final = (Bet, Called, Raised, Completed, BlindPosted, BringInPosted)
_CARD_SPELLINGS: Final = {written: card for card in DECK for written in (card.lower(), card.upper())}
_read_cards: Final = build_card_reader({**CARD_WORDS, **_CARD_SPELLINGS, **map_unknown_cards("XX", "xx", "??", "X")})


RaiseRule: TypeAlias = Callable[["PartyPokerSeating", Seat, Chips], None]
"""Raises by or to the number after `raises`."""


class PartyPokerSeating(PhraseHand):
    """A hand whose list of seats may lack players, and whose lines may lack posts."""

    NAME_ENDINGS = ("",)

    def begin(self) -> None:
        """Begin without posts and masks."""
        self.end_line = self.chair_count = 0  # the line after the hand; the number of chairs at the table
        self.late_small_blinds: set[Seat] = set()  # further small blinds: live, unless a call shows otherwise
        self.owner_seat: Seat = 0
        self.seats_with_claim: set[Seat] = set()  # seats whose hand the text describes
        self.raise_rule: RaiseRule = HandBuilder.raise_by  # the meaning of the number after `raises`
        self.infers_from_button = False  # blinds without a line are inferred from the button
        self.unmatched_calls = 0  # number of calls that don't match the bet
        self.unmasked_seats: set[Seat] = set()  # listed as `Player4`, but an act contains the name
        self.newcomers: set[str] = set()  # players who joined after the list of seats
        self.chair_of_mask: dict[str, str] = {}  # `Player4`, in seat 4 → the name of that chair

    def clean_amount(self, text: str) -> str:
        """Return `[$5 USD]` as an amount."""
        return clean_amount(text.strip("[]() "))

    def read_cards(self, text: str) -> Cards | None:
        """Return ` 4h, 4s, Jh ` or `[ Kh 4c ]` as cards, or None if one of them isn't a card."""
        return _read_cards(text.strip(" :[]"))

    def get_player_id(self, name: str) -> PlayerId:
        """Return the id of a player, or of the chair if the list names a player by the seat."""
        return super().get_player_id(self.chair_of_mask.get(name, name))

    def seat_players(self, header: PartyPokerHeader) -> None:
        """Deal in the listed seats. A player who doesn't play is left out at the end."""
        self.chair_of_mask = {
            name: format_chair_name(seat, header.chair_scope)
            for _, seat, name, _ in header.seat_rows
            if name == f"Player{seat}"
        }
        for line_number, seat, name, stack in header.seat_rows:
            self.place = line_number
            self.deal_in(seat, name, self.parse_amount(stack))
        self.index_names()
        if header.button is not None and (header.button or not stud.is_stud(self)):
            self.place = header.button_line
            self.add_event(ButtonPlaced(header.button or None))

    # -- whose seat ---------------------------------------------------------------------------------

    def find_chair(self, name: str) -> Seat:
        """Return the seat of a player who acts under a name that the list lacks, or 0 if there is none.

        The list has `Player4` for a player in seat 4 whose name the client doesn't know yet. So the name
        belongs to the next such seat after the last act. If there is none, or the player joined later, it
        is the next free chair.
        """
        if not name or len(name) > _MAX_NAME_LENGTH or ":" in name or name in self.shared_names:
            return 0
        if name in self.seats:
            return self.seats[name]
        if self.holds_a_line(name):
            return 0
        masked_seats = set() if name in self.newcomers else self.find_masked_seats()
        chairs_in_order = self.chairs_in_order()
        seat = next((chair_number for chair_number in chairs_in_order if chair_number in masked_seats), 0)
        if seat:
            self.unmasked_seats.add(seat)
            self.seats[name] = seat
            event_index = self.seat_event_index[seat]
            self.events[event_index] = SeatDealtIn(seat, self.get_player_id(name), self.stacks[seat])
            self.inferred.append(event_index)
        else:
            seat = next(
                (
                    chair_number
                    for chair_number in (*chairs_in_order, *range(1, SEATS))
                    if chair_number not in self.stacks
                ),
                0,
            )
            if seat:
                self.deal_in_unlisted(seat, name)
        self.index_names()
        return seat

    def find_masked_seats(self) -> set[Seat]:
        """Return the seats listed as `Player4` whose players' names no act has shown, and who may still act."""
        listed_seats = {seat for listed_name, seat in self.seats.items() if listed_name == f"Player{seat}"}
        return listed_seats - self.unmasked_seats - self.folded - self.absence_reasons.keys()

    def chairs_in_order(self) -> list[Seat]:
        """Return all chairs in order after the last post or act. After the deal the big blind is the last."""
        last_seat: Seat = 0
        has_straddle = any(isinstance(event, StraddlePosted) for event in self.events)
        for event in reversed(self.events):
            if isinstance(event, POSTS_AND_ACTS):
                last_seat = event.seat
                break
            if isinstance(event, DealCompleted) and self.big_blind_seat and not has_straddle:
                last_seat = self.big_blind_seat
                break
        chair_count = max(self.chair_count, *self.stacks) if self.stacks else self.chair_count
        return [(last_seat + distance - 1) % chair_count + 1 for distance in range(1, chair_count + 1)]

    def infer_anonymous(self) -> None:
        """Infer an anonymous table if the record names every player but its owner by the seat."""
        masked_names = self.chair_of_mask.keys() - {self.names_by_seat[seat] for seat in self.unmasked_seats}
        if len(masked_names) > 1 and len(masked_names) >= len(self.names_by_seat) - 1:
            self.insert_event(min(self.seat_event_index.values()), OptionSet(*ANONYMOUS))

    # -- posts and acts -----------------------------------------------------------------------------

    def post_small_blind(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Post the small blind. A second one is live here, unless a call shows otherwise."""
        if self.small_blind_seat not in (0, seat):
            self.late_small_blinds.add(seat)
            self.post_blind(seat, "makeup-small", amount)
        else:
            self.post_blind(seat, "small", amount)

    def post_button_blind(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Post the blind of the button, the only one of short deck."""
        self.post_blind(seat, "button", amount)

    def raise_by_rule(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Raise. `raise_rule` is the meaning of the number: partypoker and its imitators differ."""
        self.raise_rule(self, seat, amount)

    def add_check(self, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
        """Check. A player who checks a bet must have posted it without a line."""
        if self.get_bet(seat) != self.betting.bet_to_call:
            self.infer_missing_post(seat, self.get_bet(seat))
        self.check(seat)

    def add_call(self, seat: Seat, chips_added: Chips, _all_in: bool | None) -> None:
        """Call. If the call doesn't match the bet, infer a post without a line, or a dead small blind."""
        street_total = self.get_bet(seat) + chips_added
        if seat in self.late_small_blinds and street_total > self.betting.bet_to_call:
            self.make_small_blind_dead(seat)
        elif street_total != self.betting.bet_to_call and not self.infer_missing_post(seat, street_total):
            stack = self.stacks[seat]
            self.unmatched_calls += (
                street_total > self.betting.bet_to_call
                or stack is None
                or stack > self.get_chips_put_in(seat) + chips_added
            )
        self.call(seat, chips_added)

    def infer_missing_post(self, seat: Seat, street_total: Chips) -> bool:
        """Infer the big blind of a player who entered without a line for it. Return whether there was one.

        `street_total` is the seat's total with its check or call. It must be one big blind below the bet.
        """
        missing_chips, stack = self.betting.bet_to_call - street_total, self.stacks[seat]
        if self.street != "preflop" or not self.big_blind or missing_chips != self.big_blind or self.get_bet(seat):
            return False
        if stack is not None and stack < self.betting.bet_to_call:
            return False
        self.betting.add(seat, missing_chips)
        deal_indexes = (
            deal_index
            for deal_index, event in enumerate(self.events)
            if isinstance(event, HoleCardsDealt | DealCompleted)
        )
        deal_index = next(deal_indexes, len(self.events))
        self.silent_posts.append((seat, deal_index))
        self.insert_and_shift(deal_index, BlindPosted(seat, "entry", missing_chips))
        return True

    def infer_dead_small(self) -> None:
        """Infer a dead small blind with the only post without a line, if more was paid out than put in."""
        small_blind = next(
            (event.live for event in self.events if isinstance(event, BlindPosted) and event.role == "small"), 0
        )
        if len(self.silent_posts) == 1 and 0 < self.total_awarded - self.get_total_put_in() <= small_blind:
            seat, event_index = self.silent_posts[0]
            self.betting.move_chips(seat, small_blind)
            self.insert_and_shift(event_index, BlindPosted(seat, "makeup-small", 0, small_blind))

    def make_small_blind_dead(self, seat: Seat) -> None:
        """Make a second small blind dead, as the seat's first call shows."""
        self.late_small_blinds.discard(seat)
        for event_index, event in enumerate(self.events):
            if isinstance(event, BlindPosted) and event.seat == seat and event.live:
                self.events[event_index] = BlindPosted(seat, event.role, 0, event.live, event.all_in)
                self.betting.recount(seat, -event.live)
                return

    def mark_all_in(self, seat: Seat) -> None:
        """Mark the seat's last act as an all-in."""
        for event_index in range(len(self.events) - 1, -1, -1):
            event = self.events[event_index]
            if getattr(event, "seat", 0) != seat:
                continue
            if isinstance(event, _CHIP_EVENTS):
                self.events[event_index] = replace(event, all_in=True)
                return
        self.add_remark()

    def infer_blinds(self) -> None:
        """Infer both blinds from the seat that acts first: the big blind sits before it, the small one before that."""
        blinds = self._blinds_of_level()
        speakers = [
            speaker
            for line in self.lines.text[self.place + 1 : self.end_line]
            for speaker in self.find_named_seats(line)
        ]
        ring = sorted({seat for seat, _ in speakers})
        acting_seats = [seat for seat, act_text in speakers if act_text.startswith(FIRST_ACTS)]
        if len(blinds) < 2 or len(ring) < 2 or not acting_seats or not acting_seats[0]:
            return
        first_index = self._index_of_first_act(ring, acting_seats[0])
        roles: tuple[BlindRole, BlindRole] = ("small", "big")
        for seat, role, blind in zip((ring[first_index - 2], ring[first_index - 1]), roles, blinds, strict=False):
            self.inferred.append(len(self.events))
            stack_left = max(0, (self.stacks[seat] or blind) - self.get_chips_put_in(seat))
            # A seat without an act may be all-in with its blind.
            self.post_blind(seat, role, blind if seat in acting_seats else min(blind, stack_left))
        self.big_blind = blinds[-1]
        self.betting.call_in_full(self.big_blind)

    def _blinds_of_level(self) -> tuple[Chips, ...]:
        """Return the blinds. A tournament's fixed-limit level contains its bets instead."""
        limit_bets = self.game.bets
        if limit_bets and self.game.format == "tournament":
            return limit_bets[0] // 2, limit_bets[0]
        return self.game.blinds

    def _index_of_first_act(self, ring: list[Seat], first_actor: Seat) -> int:
        """Return the index of the seat after the blinds, counted from the button: the text may have folds out of turn."""
        if not self.infers_from_button:
            return ring.index(first_actor)
        button = next((event.seat for event in self.events if isinstance(event, ButtonPlaced)), None) or 0
        seats_up_to_button = len([seat for seat in ring if seat <= button])
        blind_count = 2 if len(ring) > 2 else 1  # heads-up, the button has the small blind
        return (seats_up_to_button + blind_count) % len(ring)
