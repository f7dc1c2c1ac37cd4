"""Decorators of detectors: when a detector runs, and which facts it needs to judge.

A detector is a generator function in a module of `projections.detectors`: `name(hand, *, parameters)` with
`@hand_detector`, or `name(hand, context, *, parameters)` with `@table_detector`. It is pure: the same hand
at the same table gives the same answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import IntFlag
from typing import Final, Literal, TypeAlias, TypeVar

from ledger.event import Event
from ledger.hand import betting, dealing, ending, opening
from ledger.presence import PlayerAway
from ledger.vocabulary import Witness
from projections.findings.finding import Answer


class Symptom(IntFlag):
    """Cheap signs of an irregularity, collected in one pass over a hand (`projections.timeline.prefilter`).

    A detector that declares signs runs only on hands that show one of them: its breach can't occur without one,
    so a hand without them is clean.
    """

    STREETS = 1 << 0  # a street comes out of order, or with an unusual number of cards
    OPEN_ROUND = 1 << 1  # the next street or the end came while a seat had yet to act
    TURN = 1 << 2  # an act by another seat than the one that was due by the usual order
    ODD_POSTS = 1 << 3  # a post that isn't a small or big blind of the structure's size
    BLIND_SEATS = 1 << 4  # blinds missing, double, or not in the two seats after the button
    HOLE_COUNT = 1 << 5  # a seat with more or fewer hole cards than the game has
    SMALL_BET = 1 << 6  # a bet or raise below the minimum, or of another size than a fixed limit
    LARGE_BET = 1 << 7  # above the pot in a pot-limit game
    CAP = 1 << 8  # more than three raises on a street
    SHORT_ALL_IN = 1 << 9  # an all-in wager of less than a full bet or raise in a limit game
    STACK = 1 << 10  # more put in than a seat had, or an all-in that leaves chips
    SHOWDOWN = 1 << 11  # two or more hands at the end: cards to compare
    CONSERVATION = 1 << 12  # the pot paid out more or fewer chips than went in
    DECLARED = 1 << 13  # a result that the source states differs from the replay
    DUPLICATE = 1 << 14  # a card is in two places
    STRANGER = 1 << 15  # an act or award of a seat that is not dealt in, or a seat dealt in twice
    CALL_SIZE = 1 << 16  # a call of another amount than the one to call
    HEADS_UP = 1 << 17  # two players are dealt in
    ENTRY_POSTS = 1 << 18  # a post to enter or to make up a blind
    MAKEUP_POSTS = 1 << 19  # an entry post that makes up a missed blind
    MAKEUP_NEXT = 1 << 20  # a make-up post from the seat after the big blind
    AWARD = 1 << 21  # a pot that did not plainly go to the one hand that wins it
    PLAYER_AWAY = 1 << 22  # a player was recorded as away before the hand
    CONTESTED = 1 << 23  # two or more hands were left at the end
    ALL_IN = 1 << 24  # a contested hand with a player all-in
    UNSHOWN = 1 << 25  # a contested pot was paid to a hand that hadn't shown all its cards
    LET_GO = 1 << 26  # a contested pot was paid to a player who had mucked
    ALL_IN_AWARD = 1 << 27  # both ALL_IN and AWARD
    BURNED = 1 << 28  # a card was burned, or the source always records burns


Detector: TypeAlias = Callable[..., Iterator[Answer]]
_Detector = TypeVar("_Detector", bound=Detector)

_NO_SIGN: Final = Symptom(0)
SIGNS_ONLY: Final = Symptom(0)
"""Pass as `occasion` when a hand without the detector's signs, or without its subject, gives the clause nothing to judge.

As `signs`, the same value means that no cheap sign is known: `_NO_SIGN`.
"""
NO_FACTS: Final = Witness(0)

Subject: TypeAlias = Literal["", "seats", "places", "money"]
"""What a detector is about. It doesn't run on hands that have nothing of this kind.

`seats`: a seat that owes something or may not have the button. `places`: a button or blind that is in the wrong place.
`money`: chips and payments between hands. Any hand may have those. Empty: the detector depends on none of these.
"""

Deadline: TypeAlias = Literal["final", "mendable", "after_hand"]
"""When a breach is sure in a running hand.

`final`: it's sure at once. `mendable`: it may still be put right. `after_hand`: it's sure only once the hand is over.
"""


class HandBasis(IntFlag):
    """What a table detector can judge a hand from, if not from all earlier hands.

    After missing hands, a detector with `HISTORY` alone doesn't run. `HAND_ALONE` and `PLAIN_BREACH` relax that, and
    can be combined: a certain breach is reported first. `TABLE_NOW` removes the need for earlier hands.
    """

    HISTORY = 0  # it needs all earlier hands
    TABLE_NOW = 1 << 0  # missing hands don't matter
    HAND_ALONE = 1 << 1  # it can judge the hand alone, less exactly; its context is None then
    PLAIN_BREACH = 1 << 2  # after missing hands, its breaches are certain, but without one it can't tell


# By type of event, the fact that a source must always record. If it does, a missing event means that it didn't happen.
WITNESS_OF_EVENT: Final[dict[type[Event], Witness]] = {
    opening.SeatLeftOut: Witness.PRESENCE,
    opening.ButtonPlaced: Witness.BUTTON,
    opening.BlindPosted: Witness.POSTS,
    opening.StraddlePosted: Witness.POSTS,
    opening.AntePosted: Witness.ANTES,
    opening.PermissionGranted: Witness.PERMISSIONS,
    opening.Agreed: Witness.PERMISSIONS,
    opening.OptionSet: Witness.HOUSE_OPTIONS,
    dealing.HoleCardsDealt: Witness.OWN_CARDS,
    dealing.CardBurned: Witness.BURNS,
    dealing.BoardDealt: Witness.BOARD,
    dealing.BoardWithdrawn: Witness.DEAL_ERRORS,
    dealing.CardExposed: Witness.EXPOSED_CARDS,
    dealing.CardReplaced: Witness.DEAL_ERRORS,
    dealing.CardReturned: Witness.DEAL_ERRORS,
    dealing.ExtraCardDealt: Witness.DEAL_ERRORS,
    dealing.BoxedCardFound: Witness.DEAL_ERRORS,
    dealing.JokerFound: Witness.DEAL_ERRORS,
    dealing.WrongCountFound: Witness.DEAL_ERRORS,
    dealing.MisdealDeclared: Witness.DEAL_ERRORS,
    dealing.ErrorNoticed: Witness.ERRORS_NOTICED,
    dealing.CardsViewed: Witness.LOOKS,
    dealing.DeckShuffled: Witness.SHUFFLES,
    dealing.DeckCut: Witness.SHUFFLES,
    betting.Called: Witness.ACTS,
    betting.Bet: Witness.ACTS,
    betting.Raised: Witness.ACTS,
    betting.Completed: Witness.ACTS,
    betting.Checked: Witness.ACTS,
    betting.Folded: Witness.ACTS,
    betting.Declared: Witness.WORDS,
    betting.ChipsMoved: Witness.MOTIONS,
    betting.BetReturned: Witness.RETURNED_BETS,
    betting.HandKilled: Witness.HAND_KILLS,
    betting.RaisesCapped: Witness.PERMISSIONS,
    ending.ShowdownBegun: Witness.SHOWDOWN,
    ending.CardsShown: Witness.SHOWDOWN,
    ending.CardsMucked: Witness.SHOWDOWN,
    ending.CardsTurnedDown: Witness.SHOWDOWN,
    ending.BoardPlayDeclared: Witness.BOARD_PLAYS,
    ending.PotAwarded: Witness.AWARDS,
    ending.DropTaken: Witness.DROP,
    PlayerAway: Witness.PRESENCE,
}


_BLIND_MODULES: Final = frozenset(
    {"blinds", "button", "entering", "moving", "owing", "placing", "posts", "shortblind", "straddle"}
)
_BLIND_DETECTORS: Final = frozenset(
    {("tda", "big_blind_twice"), ("turn", "blinds_last"), ("turn", "first_round"), ("turn", "makeup_in_straddle_seat")}
)
"""Detectors about blinds, the button or the first round, by module and name, outside the modules that are all about them."""


@dataclass(frozen=True, slots=True)
class DetectorSpec:
    """When a detector runs, and what it means if it yields nothing.

    `occasion` decides whether the clause came up in a hand that shows none of `signs`. It did if the hand shows one
    of the signs in `occasion`. If `occasion` is None, it always did.
    """

    events: frozenset[type[Event]] = frozenset()  # the hand must have one of them; empty: it runs on every hand
    needs: Witness = NO_FACTS  # facts that the source must always record
    partial: Witness = NO_FACTS  # facts of `needs` that can show a breach even if only some of them are recorded
    signs: Symptom = _NO_SIGN  # a hand without any of them has no breach; `_NO_SIGN`: no cheap sign is known
    occasion: Symptom | None = None
    deadline: Deadline = "final"
    subject: Subject = ""
    is_heavy: bool = False  # its work may grow faster than the hand, so it skips extremely long records
    reads_table: bool = False  # it takes the hand's `TableContext` too
    needs_history: bool = False  # it needs all earlier hands, unless one of the next two applies
    judges_alone: bool = False  # as `HandBasis.HAND_ALONE`
    sees_plain_breach: bool = False  # as `HandBasis.PLAIN_BREACH`
    is_about_blinds: bool = False  # it asks about button, blinds, straddles or entering, which a bomb pot hasn't


_EVERY_HAND: Final = DetectorSpec()  # the defaults of every field: no condition


def hand_detector(
    *,
    events: tuple[type[Event], ...] = (),
    needs: Witness = NO_FACTS,
    partial: Witness = NO_FACTS,
    signs: Symptom = _NO_SIGN,
    occasion: Symptom | None = None,
    deadline: Deadline = "final",
    subject: Literal["", "seats"] = "",
    is_heavy: bool = False,
) -> Callable[[_Detector], _Detector]:
    """Mark a detector that judges a hand by itself; `DetectorSpec` explains the options."""
    return _mark(DetectorSpec(frozenset(events), needs, partial, signs, occasion, deadline, subject, is_heavy))


def table_detector(
    *,
    events: tuple[type[Event], ...] = (),
    needs: Witness = NO_FACTS,
    partial: Witness = NO_FACTS,
    signs: Symptom = _NO_SIGN,
    occasion: Symptom | None = None,
    subject: Subject = "",
    basis: HandBasis = HandBasis.HISTORY,
) -> Callable[[_Detector], _Detector]:
    """Mark a detector that judges a hand among the hands of its table; `DetectorSpec` explains the options."""
    return _mark(
        DetectorSpec(
            frozenset(events),
            needs,
            partial,
            signs,
            occasion,
            subject=subject,
            reads_table=True,
            needs_history=HandBasis.TABLE_NOW not in basis,
            judges_alone=HandBasis.HAND_ALONE in basis,
            sees_plain_breach=HandBasis.PLAIN_BREACH in basis,
        )
    )


def _mark(spec: DetectorSpec) -> Callable[[_Detector], _Detector]:
    """Return a decorator that attaches a spec to a detector."""

    def set_spec(function: _Detector) -> _Detector:
        module, name = function.__module__.rpartition(".")[2], function.__name__
        is_about_blinds = module in _BLIND_MODULES or (module, name) in _BLIND_DETECTORS
        function.__dict__["spec"] = replace(spec, is_about_blinds=is_about_blinds)
        return function

    return set_spec


def find_detector_spec(function: Detector) -> DetectorSpec:
    """Return what a detector's decorator declares. A detector without a decorator runs on every hand."""
    spec = function.__dict__.get("spec", _EVERY_HAND)
    assert isinstance(spec, DetectorSpec)  # noqa: S101 - only the decorators write it
    return spec
