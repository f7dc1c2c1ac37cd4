"""What a detector says of itself: when it has an occasion, and what it must know to judge.

A detector is a generator function `name(hand, *, parameters)` of a module of
`projections.detectors`; one about tables is `name(hand, context, *, parameters)` and says so
(`table=True`). It is pure: the same hand, at the same table, gives the same answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntFlag
from typing import Final, Literal, TypeAlias, TypeVar

from ledger.event import Event
from ledger.hand import betting, dealing, ending, opening
from ledger.presence import PlayerAway
from ledger.vocabulary import Witness
from projections.findings.finding import Answer


class Symptom(IntFlag):
    """Cheap signs of an irregularity, gathered in one pass (`projections.timeline.prefilter`).

    A detector that names signs is asked only about hands that show one of them; each sign is
    necessary for its breach, so a hand without it is clean without a closer look.
    """

    STREETS = 1 << 0  # a street comes out of order, or with an unusual number of cards
    OPEN_ROUND = 1 << 1  # the next street or the end came while somebody had yet to act
    TURN = 1 << 2  # an act by another seat than the one that was due by the usual order
    ODD_POSTS = 1 << 3  # a post that is no small or big blind of the structure's size
    BLIND_SEATS = 1 << 4  # blinds missing, double, or not in the two seats after the button
    HOLE_COUNT = 1 << 5
    SMALL_BET = 1 << 6  # a bet or raise below the minimum, or of another size than a fixed limit
    LARGE_BET = 1 << 7  # above the pot in a pot-limit game
    CAP = 1 << 8  # more than three raises on a street
    SHORT_ALL_IN = 1 << 9  # an all-in wager of less than a full bet or raise in a limit game
    STACK = 1 << 10  # more put in than a seat had, or an all-in that leaves chips
    SHOWDOWN = 1 << 11  # two or more hands at the end: cards to compare
    CONSERVATION = 1 << 12  # the chips that went in did not come out
    DECLARED = 1 << 13  # what the source declares differs from the replay
    DUPLICATE = 1 << 14  # a card stands twice
    STRANGER = 1 << 15  # an act or award of a seat that is not dealt in, or a seat dealt in twice
    CALL_SIZE = 1 << 16  # a call of another amount than the one to call
    HEADS_UP = 1 << 17
    ENTRY_POSTS = 1 << 18  # a post to enter or to make up, beside the blinds of the structure
    MAKEUP_POSTS = 1 << 19  # one of them makes up a missed blind
    MAKEUP_NEXT = 1 << 20  # one is made up from the seat after the big blind
    AWARD = 1 << 21  # a pot that did not plainly go to the one hand that wins it
    AWAY = 1 << 22  # the table was told before the hand that somebody is away
    CONTESTED = 1 << 23  # two or more hands were left at the end
    ALL_IN = 1 << 24  # one of these was all-in
    UNSHOWN = 1 << 25  # one of these was paid before it had shown all its cards
    LET_GO = 1 << 26  # one of these was paid that let go of its cards
    ALL_IN_AWARD = 1 << 27  # both ALL_IN and AWARD
    BURNED = 1 << 28  # a card was burned, or the source would say so


Detector: TypeAlias = Callable[..., Iterator[Answer]]
_D = TypeVar("_D", bound=Detector)


_NO_SIGN: Final = Symptom(0)
_NOTHING: Final = Witness(0)


About: TypeAlias = Literal["", "seats", "places"]
"""What a table's detector looks at and nothing else: the dealt-in seats that the book asks something
of, or may not have the button; where button and blinds are beside where they belong."""


@dataclass(frozen=True, slots=True)
class Trait:
    """When a detector is asked. `on` empty: every hand is an occasion."""

    on: frozenset[type[Event]]  # kinds of event of which one must be there
    needs: Witness  # facts that the source must record
    signs: Symptom  # none: no cheap sign is known
    rare: bool  # a hand without the signs had no occasion; otherwise it is clean
    table: bool = False  # it is given the hand's `TableContext` too
    anchored: bool = False  # it asks what was due, which after missing hands nobody can tell
    alone: bool = False  # it has an answer without the table too, and is then given None
    about: About = ""
    occasion: Symptom = _NO_SIGN  # a hand with this sign and none of `signs` is clean
    shown: bool = False  # it finds what a hand shows by itself, where nothing is known before it
    of_seat: bool = False  # it is about what a seat owed, like a table's, and told from the hand
    ended: bool = False  # only what a hand came to shows it: not asked of a hand that runs
    mendable: bool = False  # what it finds in a hand that runs can still be put right
    heavy: bool = False  # its work may grow faster than the hand: of a record that is far too long it is not asked
    written: Witness = _NOTHING  # of `needs` those whose absence it never rests on


PLAIN: Final = Trait(frozenset(), _NOTHING, _NO_SIGN, rare=False)


def detects(
    *,
    on: tuple[type[Event], ...] = (),
    needs: Witness = _NOTHING,
    signs: Symptom = _NO_SIGN,
    rare: bool = False,
    table: bool = False,
    anchored: bool = True,
    alone: bool = False,
    occasion: Symptom = _NO_SIGN,
    about: About = "",
    shown: bool = False,
    of_seat: bool = False,
    ended: bool = False,
    mendable: bool = False,
    heavy: bool = False,
    written: Witness = _NOTHING,
) -> Callable[[_D], _D]:
    """Say when the function below has an occasion, what it needs and which signs it shows in.

    `table`: it is about a hand among the table's hands. Where hands are missing before it, a table's
    detector is not asked, save with `anchored=False`. `alone`: it judges the hand by itself as well,
    less exactly, where the table's hands are not at hand; its context is None then. `occasion`: of
    the hands without `signs`, those with this sign are clean, whatever `rare` says of the others. `about`:
    it is not asked where nothing of the kind is there. `of_seat`: what a table's detector finds of its
    seat on the hand is the same wrong. `shown`: where nothing is known before a hand,
    what it finds all the same is wrong whatever lies there; otherwise it cannot tell. `ended`: only a hand
    that is over shows it; `mendable`: while the hand runs it can still be put right. `heavy`: a clause of `record` that
    does more than to read the hand once.
    `written`: facts of `needs` whose presence alone it rests on. It is asked also where the source need not record them;
    what it finds then is found, and where it finds nothing, it cannot tell.
    """

    def mark(function: _D) -> _D:
        function.__dict__["trait"] = Trait(
            frozenset(on),
            needs,
            signs,
            rare,
            table,
            table and anchored,
            alone,
            about,
            occasion,
            shown,
            of_seat,
            ended,
            mendable,
            heavy,
            written,
        )
        return function

    return mark


def trait(function: Detector) -> Trait:
    """Return what a detector says of itself."""
    declared = function.__dict__.get("trait", PLAIN)
    assert isinstance(declared, Trait)  # noqa: S101 - only `detects` writes it
    return declared


_b, _d, _e, _o = betting, dealing, ending, opening
SEEN_BY: Final[dict[type[Event], Witness]] = {
    _o.SeatLeftOut: Witness.PRESENCE,
    _o.ButtonPlaced: Witness.BUTTON,
    _o.BlindPosted: Witness.POSTS,
    _o.StraddlePosted: Witness.POSTS,
    _o.AntePosted: Witness.ANTES,
    _o.PermissionGranted: Witness.PERMISSIONS,
    _o.Agreed: Witness.PERMISSIONS,
    _o.OptionSet: Witness.HOUSE_OPTIONS,
    _d.HoleCardsDealt: Witness.OWN_CARDS,
    _d.CardBurned: Witness.BURNS,
    _d.BoardDealt: Witness.BOARD,
    _d.BoardWithdrawn: Witness.DEAL_ERRORS,
    _d.CardExposed: Witness.EXPOSED_CARDS,
    _d.CardReplaced: Witness.DEAL_ERRORS,
    _d.CardReturned: Witness.DEAL_ERRORS,
    _d.ExtraCardDealt: Witness.DEAL_ERRORS,
    _d.BoxedCardFound: Witness.DEAL_ERRORS,
    _d.JokerFound: Witness.DEAL_ERRORS,
    _d.WrongCountFound: Witness.DEAL_ERRORS,
    _d.MisdealDeclared: Witness.DEAL_ERRORS,
    _d.ErrorNoticed: Witness.ERRORS_NOTICED,
    _d.CardsViewed: Witness.LOOKS,
    _d.DeckShuffled: Witness.SHUFFLES,
    _d.DeckCut: Witness.SHUFFLES,
    _b.Called: Witness.ACTS,
    _b.Bet: Witness.ACTS,
    _b.Raised: Witness.ACTS,
    _b.Completed: Witness.ACTS,
    _b.Checked: Witness.ACTS,
    _b.Folded: Witness.ACTS,
    _b.Declared: Witness.WORDS,
    _b.ChipsMoved: Witness.MOTIONS,
    _b.BetReturned: Witness.RETURNED_BETS,
    _b.HandKilled: Witness.HAND_KILLS,
    _b.RaisesCapped: Witness.PERMISSIONS,
    _e.ShowdownBegun: Witness.SHOWDOWN,
    _e.CardsShown: Witness.SHOWDOWN,
    _e.CardsMucked: Witness.SHOWDOWN,
    _e.CardsTurnedDown: Witness.SHOWDOWN,
    _e.BoardPlayDeclared: Witness.BOARD_PLAYS,
    _e.PotAwarded: Witness.AWARDS,
    PlayerAway: Witness.PRESENCE,
}
"""Which witness makes the absence of an event mean that it did not happen."""
