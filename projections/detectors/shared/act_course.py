"""Follows a hand event by event, to judge whether its next act is possible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from ledger.event import Event
from ledger.hand import betting, opening
from ledger.hand.dealing import BoardDealt, CardsDiscarded, CardsDrawn, MisdealDeclared, StoodPat, StreetDealt
from ledger.hand.ending import CardsMucked, PlayerFinished, PotTakenBack
from ledger.presence import ChipsAdded, ConnectionLost, PlayerAway
from ledger.vocabulary import Chips, Seat, Street
from projections.detectors.shared.act_repairs import (
    describe_straddle_doubt,
    find_repairs,
    find_returns,
    has_board,
    is_live_post,
)
from projections.timeline.hand_timeline import Timeline


class DeadHand(NamedTuple):
    """How a seat's hand stopped being live."""

    version: int  # of the event that ended it
    is_folded: bool


class ActCourse:
    """The state of a hand after the events so far: what decides which acts are possible."""

    def __init__(self, hand: Timeline) -> None:
        """Start before the first event of a hand."""
        self.hand = hand
        self.dead_hands: dict[Seat, DeadHand] = {}
        self.mucked_seats: set[Seat] = set()
        self.finish_versions: dict[Seat, int] = {}  # of seats whose players are out of the tournament
        self.absent_seats: set[Seat] = set()  # a room may leave out their acts
        self.bought_seats: set[Seat] = set()  # their players bought chips during the hand
        self.is_misdealt = False
        self.is_reopened = False  # a pot was paid and taken back: the betting may go on
        self.has_odd_stack = False  # a seat put in more than its stack, or was all-in with chips left
        self.posted_chips: dict[Seat, Chips] = {}
        # The index of each event in the corrected hand, by its version.
        self.event_indexes = {version: index for index, (version, _) in enumerate(hand.numbered_events)}
        # What the seat of each act has put in by then, with posts, by the act's version.
        self.chips_with_act = {act.version: chips for act, chips in hand.acts_with_totals()}
        self.return_indexes = find_returns(hand, self.event_indexes)
        self.repaired_acts, self.mending_acts = find_repairs(hand, self.event_indexes, self.return_indexes)
        self.has_known_stacks = None not in hand.start.values()
        self.has_known_streets = bool(hand.of(StreetDealt)) or has_board(hand)
        self.has_draws = bool(hand.of(CardsDrawn, StoodPat, CardsDiscarded))
        self.is_round_closed = False  # if streets are unknown, another one may have begun
        self.has_live_posts = any(is_live_post(post) for _, post in hand.posts)
        self.straddle_doubt = describe_straddle_doubt(hand)
        self.first_street = hand.acts[0].street if hand.acts else None
        self.kill_posters = hand.find_posters("kill")  # a seat that killed the pot acts out of the usual order
        self.street: Street | None = None
        self.is_street_begun = False
        self.voluntary_seats: set[Seat] = set()  # they put chips in by an act, not only by a post
        self.out_of_turn_seats: set[Seat] = set()  # they acted out of turn on the street, or retrieved a hand
        self.has_unsettled_bet = False  # a bet out of turn may have been returned
        self.moved_seats: set[Seat] = set()  # the record shows how they moved chips on the street
        self.street_chips: dict[Seat, Chips] = {}  # put in by posts and acts on the street
        self.has_unclear_return = False  # chips were returned that no post or act on the street put in
        self.next_deal_index = 0

    def apply_event(self, version: int, event: Event) -> None:
        """Apply an event that is not an act."""
        if handler := HANDLERS.get(type(event)):
            handler(self, version, event)

    def check_stack(self, seat: Seat, chips: Chips, *, is_all_in: bool) -> None:
        """Note if a recorded stack can't be right."""
        stack = self.hand.stack_at(seat)
        if stack is not None and (chips > stack or (is_all_in and chips < stack)):
            self.has_odd_stack = True


def _apply_kill(course: ActCourse, version: int, event: betting.HandKilled) -> None:
    if event.seat not in course.hand.played.final_state.cleared_seats:
        course.dead_hands.setdefault(event.seat, DeadHand(version, is_folded=False))


def _apply_street(course: ActCourse, _: int, __: Event) -> None:
    course.moved_seats, course.street_chips, course.has_unclear_return = set(), {}, False


def _apply_motion(course: ActCourse, _: int, event: betting.ChipsMoved) -> None:
    course.moved_seats.add(event.seat)


def _apply_return(course: ActCourse, _: int, event: betting.ChipsReturned) -> None:
    """Note if the returned chips are more than posts and acts put in on the street."""
    if event.reason != "change":
        is_unclear = event.seat in course.moved_seats or event.amount > course.street_chips.get(event.seat, 0)
        course.has_unclear_return = course.has_unclear_return or is_unclear


def _apply_retrieval(course: ActCourse, _: int, event: betting.HandRetrieved) -> None:
    course.dead_hands.pop(event.seat, None)
    course.out_of_turn_seats.add(event.seat)


def _apply_misdeal(course: ActCourse, _: int, __: Event) -> None:
    course.dead_hands.clear()
    course.is_misdealt = True


def _apply_pot_taken_back(course: ActCourse, _: int, __: Event) -> None:
    course.is_reopened = True


def _apply_purchase(course: ActCourse, _: int, event: ChipsAdded) -> None:
    if event.seat is not None:
        course.bought_seats.add(event.seat)


def _apply_absence(course: ActCourse, _: int, event: ConnectionLost | PlayerAway) -> None:
    if event.seat is not None:
        course.absent_seats.add(event.seat)


def _apply_muck(course: ActCourse, _: int, event: CardsMucked) -> None:
    course.mucked_seats.add(event.seat)


def _apply_finish(course: ActCourse, version: int, event: PlayerFinished) -> None:
    course.finish_versions.setdefault(event.seat, version)


def _apply_post(course: ActCourse, _: int, event: opening.Post) -> None:
    chips = event.live + event.dead if isinstance(event, opening.BlindPosted) else event.amount
    total = course.posted_chips.get(event.seat, 0) + chips
    course.street_chips[event.seat] = course.posted_chips[event.seat] = total
    course.check_stack(event.seat, total, is_all_in=bool(event.all_in))


HANDLERS: Final[dict[type[Event], Callable[[ActCourse, int, Any], None]]] = {
    betting.HandKilled: _apply_kill,
    BoardDealt: _apply_street,
    StreetDealt: _apply_street,
    betting.ChipsMoved: _apply_motion,
    betting.ChipsReturned: _apply_return,
    betting.HandRetrieved: _apply_retrieval,
    MisdealDeclared: _apply_misdeal,
    PotTakenBack: _apply_pot_taken_back,
    ChipsAdded: _apply_purchase,
    ConnectionLost: _apply_absence,
    PlayerAway: _apply_absence,
    CardsMucked: _apply_muck,
    PlayerFinished: _apply_finish,
    **dict.fromkeys(
        (opening.BlindPosted, opening.StraddlePosted, opening.AntePosted, opening.BringInPosted), _apply_post
    ),
}
