"""What the events of a hand so far mean for its next act."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import opening as o
from ledger.hand.dealing import BoardDealt, CardsDiscarded, CardsDrawn, MisdealDeclared, StoodPat, StreetDealt
from ledger.hand.ending import CardsMucked, PlayerFinished, PotTakenBack
from ledger.presence import ChipsAdded, ConnectionLost, PlayerAway
from ledger.vocabulary import Chips, Seat, Street
from projections.detectors.shared.act_repairs import find_repairs, find_returns, has_board, is_live_post, straddle_doubt
from projections.timeline.hand_timeline import Timeline


class DeadHand(NamedTuple):
    """Since when a seat holds no live hand, and whether it folded."""

    version: int
    is_folded: bool


class ActCourse:
    """Follows a hand event by event."""

    def __init__(self, hand: Timeline) -> None:
        """Take the hand, before its first event."""
        self.hand = hand
        self.dead_hands: dict[Seat, DeadHand] = {}
        self.mucked_seats: set[Seat] = set()
        self.finished: dict[Seat, int] = {}
        self.absent_seats: set[Seat] = set()  # whose acts a room may leave out
        self.bought_seats: set[Seat] = set()  # who got chips during the hand
        self.misdealt = False
        self.reopened = False  # a pot was paid and taken back: the betting may go on
        self.odd_stack = False  # a seat put in more than its stack, or was all-in with chips left
        self.posted_chips: dict[Seat, Chips] = {}
        self.event_order = {
            version: index for index, (version, _) in enumerate(hand.numbered_events)
        }  # of events as corrected
        self.chips_with_act = {act.version: chips for act, chips in hand.acts_with_totals()}
        self.returns = find_returns(hand, self.event_order)
        self.repaired_acts, self.mending_acts = find_repairs(hand, self.event_order, self.returns)
        self.stacks_known = None not in hand.start.values()
        self.streets_known = bool(hand.of(StreetDealt)) or has_board(hand)
        self.has_draws = bool(hand.of(CardsDrawn, StoodPat, CardsDiscarded))
        self.round_closed = False  # where streets are unknown, another one may have begun
        self.has_live_posts = any(is_live_post(post) for _, post in hand.posts)
        self.straddle_doubt = straddle_doubt(hand)
        self.first_street = hand.acts[0].street if hand.acts else None
        self.kill_posters = hand.find_posters("kill")  # who killed the pot acts out of the usual order
        self.street: Street | None = None
        self.street_begun = False
        self.voluntary_seats: set[Seat] = set()  # who put chips in by an act
        self.out_of_turn_seats: set[Seat] = set()  # who acted out of turn on the street, or got the hand back
        self.unsettled = False  # a bet out of turn may have gone back
        self.moved_seats: set[Seat] = set()  # whose motions of chips are on record on the street
        self.street_chips: dict[Seat, Chips] = {}  # what posts and acts put in on the street
        self.unclear_return = False  # other chips than those went back on the street, by the record
        self.next_deal = 0

    def note(self, version: int, event: Event) -> None:
        """Take in an event that is no act."""
        if take_in := HANDLERS.get(type(event)):
            take_in(self, version, event)

    def check_stack(self, seat: Seat, chips: Chips, *, all_in: bool) -> None:
        """Note whether a stack on record can't be right."""
        stack = self.hand.stack_at(seat)
        if stack is not None and (chips > stack or (all_in and chips < stack)):
            self.odd_stack = True


def _note_kill(course: ActCourse, version: int, event: b.HandKilled) -> None:
    if event.seat not in course.hand.played.final.cleared:
        course.dead_hands.setdefault(event.seat, DeadHand(version, is_folded=False))


def _note_street(course: ActCourse, _: int, __: Event) -> None:
    course.moved_seats, course.street_chips, course.unclear_return = set(), {}, False


def _note_motion(course: ActCourse, _: int, event: b.ChipsMoved) -> None:
    course.moved_seats.add(event.seat)


def _note_return(course: ActCourse, _: int, event: b.ChipsReturned) -> None:
    """Note whether the chips that went back are not simply some that an act put in on the street."""
    if event.reason != "change":
        is_unclear = event.seat in course.moved_seats or event.amount > course.street_chips.get(event.seat, 0)
        course.unclear_return = course.unclear_return or is_unclear


def _note_retrieval(course: ActCourse, _: int, event: b.HandRetrieved) -> None:
    course.dead_hands.pop(event.seat, None)
    course.out_of_turn_seats.add(event.seat)


def _note_misdeal(course: ActCourse, _: int, __: Event) -> None:
    course.dead_hands.clear()
    course.misdealt = True


def _note_pot_taken_back(course: ActCourse, _: int, __: Event) -> None:
    course.reopened = True


def _note_purchase(course: ActCourse, _: int, event: ChipsAdded) -> None:
    if event.seat is not None:
        course.bought_seats.add(event.seat)


def _note_absence(course: ActCourse, _: int, event: ConnectionLost | PlayerAway) -> None:
    if event.seat is not None:
        course.absent_seats.add(event.seat)


def _note_muck(course: ActCourse, _: int, event: CardsMucked) -> None:
    course.mucked_seats.add(event.seat)


def _note_finish(course: ActCourse, version: int, event: PlayerFinished) -> None:
    course.finished.setdefault(event.seat, version)


def _note_post(course: ActCourse, _: int, event: o.Post) -> None:
    chips = event.live + event.dead if isinstance(event, o.BlindPosted) else event.amount
    total = course.posted_chips.get(event.seat, 0) + chips
    course.street_chips[event.seat] = course.posted_chips[event.seat] = total
    course.check_stack(event.seat, total, all_in=bool(event.all_in))


HANDLERS: Final[dict[type[Event], Callable[[ActCourse, int, Any], None]]] = {
    b.HandKilled: _note_kill,
    BoardDealt: _note_street,
    StreetDealt: _note_street,
    b.ChipsMoved: _note_motion,
    b.ChipsReturned: _note_return,
    b.HandRetrieved: _note_retrieval,
    MisdealDeclared: _note_misdeal,
    PotTakenBack: _note_pot_taken_back,
    ChipsAdded: _note_purchase,
    ConnectionLost: _note_absence,
    PlayerAway: _note_absence,
    CardsMucked: _note_muck,
    PlayerFinished: _note_finish,
    **dict.fromkeys((o.BlindPosted, o.StraddlePosted, o.AntePosted, o.BringInPosted), _note_post),
}
