"""What a wrong button or blind led to: the hands until the game is back in step, and who paid too much or too little.

The table is walked twice under one book: as recorded, and as if from the wrong hand on button and blinds had
been where the book wants them. The game is back in step on the first hand from which on button, blinds and
payments are those of the second walk.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from ledger.table.events import HandPlayed, Post
from ledger.vocabulary import Chips, PlayerId, Seat
from projections.audit.blind_fairness import NO_BLINDS, apart, by_seat, paid_in
from projections.findings.doubts import SOUND
from projections.findings.finding import Share
from projections.obligations.dues import Due, Method, Placement, methods_of
from projections.table_walk.table_context import TableContexts
from projections.table_walk.to_hand import Start, Walked, unwatched

if TYPE_CHECKING:
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Finding

_BLINDS: Final = frozenset({"small", "big", "extra"})

IN_PLACE: Final = "its button and blinds are where the book wants them"
_NOWHERE: Final = "it is not over, or the table goes by another account of it"


class Spots(msgspec.Struct, frozen=True):
    """Where button and blinds are. None = nobody, or not told."""

    button: Seat | None
    small: Seat | None
    big: Seat | None


class OutOfStep(msgspec.Struct, frozen=True):
    """A hand that was out of step: where button and blinds were and belonged, and what each seat paid too much (+) or too little (-)."""

    number: str
    stream: str  # its id, hex
    recorded: Spots
    should: Spots
    money: list[Share]
    untold: str = ""  # why the amounts cannot be told; "" = they can


class Paid(msgspec.Struct, frozen=True):
    """What a player paid too much (+) or too little (-) over all these hands."""

    seat: Seat
    player: PlayerId
    amount: Chips


class KnockOn(msgspec.Struct, frozen=True):
    """What came of a wrong button or blind. Either `in_step` or `why` is told.

    `settled`: from there on the book asks the same of everybody as if nothing had been wrong; otherwise somebody
    may owe a blind, or be free of one, because of it.
    """

    fingerprint: str  # of the finding; "" = the hand itself was asked about
    book: str
    hands: list[OutOfStep]  # out of step, the one of the finding first
    money: list[Paid]  # sums; who came out even is left out
    in_step: str  # number of the first hand in step again; "" = none on record
    settled: bool
    why: str  # why it cannot be followed further; "" = it was back in step
    method: Method  # of moving the button, by which it is followed
    assumed: bool  # the book allows several methods: the one that the record is nearest to was taken
    likely: bool  # not certain: the finding is not, a method is assumed, or lines of these hands were not read
    unit: str = ""
    exponent: int = 0


def asks(book: Rulebook, found: Finding) -> bool:
    """Whether a finding is one about button or blinds over a table's hands."""
    clause = book.clauses.get(found.clause)
    return clause is not None and clause.trait is not None and clause.trait.table


def knock_on(
    start: Start, book: Rulebook, stream: str, found: Finding | None = None, walked: Walked = unwatched
) -> KnockOn:
    """Return what a hand, or a finding in it, led to; no hands if its button and blinds are as the book wants them.

    `stream` is its id, hex. What was told is gone through twice at once.
    `walked` is told how many hands of the table were walked so far.
    """
    walk = _Walk(book, found)
    recorded, otherwise = start.table([book]), start.table([book])
    both = zip(recorded.contexts(start.told), otherwise.contexts(start.told), strict=True)
    for count, (was, could) in enumerate(both, 1):
        walked(count)
        if (walk.hands or was.hand.hand == stream) and not walk.step(was, could):
            break
    return walk.answer()


class _Walk:
    """The hands from the wrong one on."""

    def __init__(self, book: Rulebook, found: Finding | None) -> None:
        self._book = book.name
        self._found = found
        self._method: Method | None = None
        self._assumed = False
        self.hands: list[OutOfStep] = []
        self._sums: dict[tuple[Seat, PlayerId], Chips] = {}
        self._back = ""
        self._open = _NOWHERE
        self._settled = self._spoiled = False
        self._steady = 0  # hands at the end of `hands` that are as they should be
        self._unit, self._exponent = "", 0

    def step(self, was: TableContexts, could: TableContexts) -> bool:
        """Take a hand as it was and as it could have been; whether to go on."""
        hand, name = was.hand, self._book
        self._unit, self._exponent = hand.unit, hand.exponent
        if hand.voided and not self.hands:
            self._open = "the hand did not count"
            return False
        due, right = was[name].due, could[name].due
        if due.unknown or right.unknown:
            self._open = f"what was due on hand {hand.number} cannot be told: {due.unknown or right.unknown}"
            return False
        if self.hands and _key(due) == _key(right):
            self._settled = True
            self._back = hand.number
            return False
        readings = _readings(right, self._method)
        if self._steady and readings and readings == _readings(due, self._method):
            return False
        place = self._place(right, hand)
        if place is None:
            self._open = f"the book does not settle where button and blinds belonged on hand {hand.number}"
            return False
        wanted, paid = by_seat(place, right, hand), paid_in(hand)
        if not self.hands and _fits(place, hand) and (wanted is None or not apart(_short(wanted, paid, hand), paid)):
            self._open = IN_PLACE
            return False
        self._enter(hand, place, wanted, paid)
        self._spoiled = self._spoiled or was.spoiled != SOUND
        off = self.hands[-1]
        right_so = _fits(place, hand) and not off.money and not off.untold
        self._steady = self._steady + 1 if right_so else 0
        could.instead(_as_due(could.hand, place, right))
        return True

    def _place(self, due: Due, hand: HandPlayed) -> Placement | None:
        """Return the reading to go by: the one that fits the record, else the nearest by one method."""
        sure = [place for place in due.placements if place.judged and not place.doubtful]
        if not sure:
            return None
        mine = [one for one in sure if self._method in (None, one.method, *one.alike)] or sure
        paid = paid_in(hand)

        def far(place: Placement) -> tuple[bool, bool, Chips]:
            wanted = by_seat(place, due, hand)
            return not _fits(place, hand), place.button != hand.button, apart(wanted or {}, paid)

        nearest = min(mine, key=far)
        if self._method is None:
            self._method = nearest.method
            self._assumed = len(methods_of(sure)) > 1 and len({_places(one) for one in sure}) > 1
        elif len({_places(one) for one in mine}) > 1 and not _fits(nearest, hand):
            return None
        return nearest

    def _enter(
        self, hand: HandPlayed, place: Placement, wanted: dict[Seat, Chips] | None, paid: dict[Seat, Chips]
    ) -> None:
        off: list[Share] = []
        untold = "" if wanted is not None else "the record leaves open what somebody owed"
        if hand.voided or not hand.completed:
            untold = "the hand does not count, or has no end on record"
        elif wanted is not None:
            short = _short(wanted, paid, hand)
            over = {seat: paid.get(seat, 0) - short.get(seat, 0) for seat in sorted(paid.keys() | short.keys())}
            off = [Share(seat, chips) for seat, chips in over.items() if chips]
            players = {one.seat: one.player for one in hand.dealt_in}
            for share in off:
                who = share.seat, players.get(share.seat, "")
                self._sums[who] = self._sums.get(who, 0) + share.amount
        was = Spots(hand.button, _at(hand, "small", hand.small), _at(hand, "big", hand.big))
        self.hands.append(OutOfStep(hand.number, hand.hand, was, _places(place), off, untold))

    def answer(self) -> KnockOn:
        """Return what was found."""
        if self.hands and self._open == _NOWHERE:
            self._open = f"the record ends with hand {self.hands[-1].number}"
        if self._steady:
            self._back = self.hands[-self._steady].number
            del self.hands[-self._steady :]
        found = self._found
        return KnockOn(
            "" if found is None else found.fingerprint,
            self._book,
            self.hands,
            [Paid(seat, player, chips) for (seat, player), chips in sorted(self._sums.items()) if chips],
            self._back,
            self._settled,
            "" if self._back else self._open,
            self._method or "record",
            self._assumed,
            self._assumed or self._spoiled or (found is not None and found.certainty != "certain"),
            self._unit,
            self._exponent,
        )


def _key(due: Due) -> object:
    """Return what is due, to be compared: positions, posts and debts, without their reasons."""
    seats = [
        (one.seat, one.deal, one.live, one.dead, one.button, sorted(missed.role for missed in one.missed))
        for one in due.seats
    ]
    return _readings(due), seats


def _readings(due: Due, method: Method | None = None) -> set[tuple[Spots, frozenset[tuple[Seat, str]]]]:
    """Return the positions that the book allows; with `method`, by that method."""
    return {
        (_places(one), _posts(one)) for one in due.placements if one.judged and method in (None, one.method, *one.alike)
    }


def _places(place: Placement) -> Spots:
    return Spots(place.button, place.small, place.big)


def _posts(place: Placement) -> frozenset[tuple[Seat, str]]:
    return frozenset((post.seat, post.role) for post in place.posts if post.role in _BLINDS)


def _at(hand: HandPlayed, role: str, told: Seat | None) -> Seat | None:
    """Return where a blind was: as told, else who posted it."""
    return told if told is not None else next((post.seat for post in hand.posts if post.role == role), None)


def _fits(place: Placement, hand: HandPlayed) -> bool:
    """Whether button and blinds of a hand, as far as they are told, are where a reading has them."""
    posted = frozenset((post.seat, str(post.role)) for post in hand.posts if post.role in _BLINDS)
    return hand.button in (None, place.button) and posted == _posts(place)


def _short(wanted: dict[Seat, Chips], paid: dict[Seat, Chips], hand: HandPlayed) -> dict[Seat, Chips]:
    """Return what was due of whom it could be had: nobody posts more than there is in front of the seat."""
    stacks = {one.seat: one.before for one in hand.dealt_in}
    all_in = {post.seat: paid.get(post.seat, 0) for post in hand.posts if post.all_in}
    most = {seat: all_in.get(seat, stack) for seat, stack in stacks.items()}
    return {seat: chips if (top := most.get(seat)) is None else min(chips, top) for seat, chips in wanted.items()}


def _as_due(hand: HandPlayed, place: Placement, due: Due) -> HandPlayed:
    """Return a hand with button, blinds and made-up blinds as they were due, and all else as it was."""
    dealt = {one.seat for one in hand.dealt_in}
    kept = [post for post in hand.posts if post.role in NO_BLINDS]
    owed = [post for one in due.seats if one.seat in dealt for post in one.post]
    made = [Post(post.seat, post.role, post.live or 0, post.dead or 0) for post in (*place.posts, *owed)]
    return replace(
        hand, button=place.button, small=place.small, big=place.big, posts=_unique([*made, *kept]), skipped=()
    )


def _unique(posts: Sequence[Post]) -> tuple[Post, ...]:
    return tuple({(post.seat, post.role): post for post in reversed(posts)}.values())[::-1]
