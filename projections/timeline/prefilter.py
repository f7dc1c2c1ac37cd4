"""One cheap pass over a hand that tells whether any detector should have a closer look.

Most hands of a room are plain: two blinds of the right size in the right seats, everybody acts in
turn, the chips add up. For those this pass answers for nearly every detector at once. It only ever
errs towards asking: a hand with anything unusual in it shows all signs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.vocabulary import JOKER, Chips, Seat
from projections.findings.detector import Symptom
from projections.timeline.plain_hand import BEFORE, HARMLESS, PLAIN, SILENT
from projections.timeline.winning import plainly_won

ALL: Final = (1 << 29) - 1

_NEXT: Final = {"flop": ("preflop", 6), "turn": ("flop", 2), "river": ("turn", 2)}
_HOLE: Final = {"holdem": 4, "omaha": 8, "omaha8": 8, "omaha5": 10, "omaha5-8": 10, "omaha6": 12, "omaha6-8": 12}


_Line: TypeAlias = "Sequence[Any]"
"""Events of a hand, told apart by their class in a name of its own: the type checker does not follow that."""


class _Unusual(Exception):  # noqa: N818 - it is no error and never leaves this module
    """Something that this pass does not follow."""


_ALL_IN: Final = int(Symptom.ALL_IN)
_ALL_IN_AWARD: Final = int(Symptom.ALL_IN_AWARD)
_AWARD: Final = int(Symptom.AWARD)
_CALL_SIZE: Final = int(Symptom.CALL_SIZE)
_CAP: Final = int(Symptom.CAP)
_CONSERVATION: Final = int(Symptom.CONSERVATION)
_CONTESTED: Final = int(Symptom.CONTESTED)
_DECLARED: Final = int(Symptom.DECLARED)
_DUPLICATE: Final = int(Symptom.DUPLICATE)
_ENTRY_POSTS: Final = int(Symptom.ENTRY_POSTS)
_HEADS_UP: Final = int(Symptom.HEADS_UP)
_LARGE_BET: Final = int(Symptom.LARGE_BET)
_LET_GO: Final = int(Symptom.LET_GO)
_MAKEUP_NEXT: Final = int(Symptom.MAKEUP_NEXT)
_MAKEUP_POSTS: Final = int(Symptom.MAKEUP_POSTS)
_ODD_POSTS: Final = int(Symptom.ODD_POSTS)
_OPEN_ROUND: Final = int(Symptom.OPEN_ROUND)
_SHORT_ALL_IN: Final = int(Symptom.SHORT_ALL_IN)
_SHOWDOWN: Final = int(Symptom.SHOWDOWN)
_SMALL_BET: Final = int(Symptom.SMALL_BET)
_STACK: Final = int(Symptom.STACK)
_STREETS: Final = int(Symptom.STREETS)
_TURN: Final = int(Symptom.TURN)
_UNSHOWN: Final = int(Symptom.UNSHOWN)


class _Survey:
    """The books of one pass. Sets of seats are bit masks: seat 3 is `1 << 3`."""

    __slots__ = (
        "allin",
        "bets",
        "betting",
        "blind",
        "board",
        "button",
        "cards",
        "full",
        "last",
        "learned",
        "level",
        "live",
        "mucked",
        "out",
        "pending",
        "put",
        "raises",
        "returned",
        "said",
        "shown",
        "signs",
        "start",
        "street",
        "tabled",
        "unit",
        "unshown",
        "variant",
    )

    betting: str
    blind: Chips
    button: Seat
    full: Chips  # the largest bet or raise of the round so far
    last: Seat
    unit: tuple[Chips, ...]
    variant: str

    def __init__(self) -> None:
        self.start: dict[Seat, Chips] = {}
        self.put: dict[Seat, Chips] = {}
        self.bets: dict[Seat, Chips] = {}
        self.out: dict[Seat, Chips] = {}
        self.returned: dict[Seat, Chips] = {}
        self.cards: dict[Seat, str] = {}
        self.signs = self.allin = self.live = self.pending = 0
        self.mucked = self.shown = self.learned = self.tabled = self.unshown = self.said = 0
        self.level = self.raises = 0
        self.board = ""
        self.street = "preflop"


def symptoms(events: Sequence[Event], kinds: frozenset[type[Event]]) -> int:
    """Return the bits of `Sign` that a hand shows; `kinds` are the types of its events."""
    if not kinds <= PLAIN:
        return ALL
    survey = _Survey()
    try:
        at = _opening(survey, events)
        _play(survey, events, at)
    except (_Unusual, KeyError):
        return ALL
    return survey.signs


def _opening(survey: _Survey, events: _Line) -> int:
    """Follow the hand up to its first act; return the index of that event."""
    start, put = survey.start, survey.put
    game: o.GameSet | None = None
    small = big = button = None
    others: list[o.BlindPosted] = []
    placed: list[tuple[str, Seat | None]] = []
    hole = at = 0
    for at, event in enumerate(events):  # noqa: B007 - read after the loop
        kind = type(event)
        if kind is o.SeatDealtIn:
            if event.stack is None or event.seat in start or event.stack <= 0:
                raise _Unusual
            start[event.seat] = event.stack
            put[event.seat] = 0
        elif kind is d.HoleCardsDealt:
            if len(event.cards) != hole or event.seat in survey.cards or event.up:
                raise _Unusual
            if "?" not in event.cards:
                survey.cards[event.seat] = event.cards
        elif kind is o.BlindPosted:
            if event.role == "small" and small is None:
                small = event
            elif event.role == "big" and big is None:
                big = event
            elif event.role in ("entry", "makeup-small", "makeup-big"):
                others.append(event)
            else:
                raise _Unusual
            if event.all_in:
                survey.said |= 1 << event.seat
        elif kind is o.AntePosted:
            put[event.seat] += event.amount
            if event.all_in:
                survey.said |= 1 << event.seat
        elif kind is o.ButtonPlaced:
            button = event.seat
        elif kind is o.BlindPositionPlaced:
            placed.append((event.role, event.seat))
        elif kind is o.OptionSet:
            if event.option not in HARMLESS:
                raise _Unusual
        elif kind is e.PlayerFinished:
            raise _Unusual  # out of the tournament before anybody acted
        elif kind is o.GameSet:
            game = event
            hole = _HOLE[event.variant]
        elif kind not in BEFORE and kind not in SILENT:
            break
    if game is None or small is None or big is None or button is None:
        raise _Unusual
    _ready(survey, game, button, (small, big), others, placed)
    return at


def _ready(
    survey: _Survey,
    game: o.GameSet,
    button: Seat,
    blinds: tuple[o.BlindPosted, o.BlindPosted],
    others: list[o.BlindPosted],
    placed: list[tuple[str, Seat | None]],
) -> None:
    """Put the posts where they belong, and the first round before the seats."""
    start, put, bets = survey.start, survey.put, survey.bets
    small, big = blinds
    if len(game.blinds) != 2 or len(start) < 2:
        raise _Unusual
    seats = sorted(start)
    after = [seat for seat in seats if seat > button] + [seat for seat in seats if seat <= button]
    if len(seats) == 2:
        after.reverse()
        survey.signs |= _HEADS_UP
    for post, blind, seat in ((small, game.blinds[0], after[0]), (big, game.blinds[1], after[1])):
        if post.live != blind or post.dead or post.seat != seat:
            raise _Unusual
        bets[seat] = blind
        put[seat] += blind
        if put[seat] > start[seat]:
            survey.signs |= _STACK
    for role, place in placed:
        if place != {"small": small.seat, "big": big.seat}.get(role):
            raise _Unusual
    for post in others:  # they open nothing and are called like any bet
        survey.signs |= _ENTRY_POSTS
        if post.role != "entry":
            survey.signs |= _MAKEUP_POSTS
            if post.seat == after[2 % len(after)]:
                survey.signs |= _MAKEUP_NEXT
        elif post.dead:
            survey.signs |= _ODD_POSTS
        bets[post.seat] = bets.get(post.seat, 0) + post.live
        put[post.seat] += post.live + post.dead
        if bets[post.seat] > game.blinds[1] or put[post.seat] > start[post.seat]:
            raise _Unusual
    survey.blind, survey.button, survey.last = game.blinds[1], button, after[1]
    survey.full = game.blinds[1]
    survey.level, survey.betting = game.blinds[1], game.betting
    survey.variant = game.variant
    survey.unit = game.bets if game.betting == "limit" else ()
    if game.betting == "spread" or (game.betting == "limit" and len(game.bets) != 2):
        raise _Unusual
    for seat in seats:
        survey.live |= 1 << seat
        if put[seat] == start[seat]:
            survey.allin |= 1 << seat
    survey.pending = survey.live & ~survey.allin
    if survey.said & ~survey.allin:
        survey.signs |= _STACK


def _play(survey: _Survey, events: _Line, at: int) -> None:  # noqa: PLR0915 - one hot loop
    """Follow the acts, the board and the ending."""
    told: list[e.ResultDeclared] = []
    for event in events[at:]:
        kind = type(event)
        if kind is b.Folded or kind is b.Checked:
            seat, pending = event.seat, survey.pending
            bit = 1 << seat
            later = pending >> (survey.last + 1) << (survey.last + 1) or pending
            if bit != later & -later:
                survey.signs |= _TURN
                if not survey.live & bit:
                    raise _Unusual
            survey.pending = pending & ~bit
            survey.last = seat
            if kind is b.Folded:
                survey.live &= ~bit
                if event.cards:
                    raise _Unusual
            elif survey.bets.get(seat, 0) != survey.level:
                survey.signs |= _CALL_SIZE
        elif kind in _WAGERS:
            _wager(survey, kind, event)
        elif kind is d.BoardDealt:
            _street(survey, event)
        elif kind is e.PotAwarded:
            _over(survey)
            survey.pending = 0
            if not survey.live >> event.seat & 1:
                survey.signs |= _AWARD
            survey.out[event.seat] = survey.out.get(event.seat, 0) + event.amount
            survey.unshown |= (1 << event.seat) & ~survey.tabled
            if event.run != 1 or event.board != 1 or event.seat not in survey.start:
                raise _Unusual
        elif kind is b.BetReturned:
            survey.put[event.seat] -= event.amount
            survey.returned[event.seat] = event.amount
        elif kind is e.DropTaken:
            survey.out[0] = survey.out.get(0, 0) + event.amount
        elif kind is e.CardsShown:
            survey.shown |= 1 << event.seat
            if event.seat not in survey.start or JOKER in event.cards:
                raise _Unusual
            if len(event.cards) == _HOLE[survey.variant] and "?" not in event.cards:
                survey.tabled |= 1 << event.seat
            known = survey.cards.get(event.seat)
            if known is None and "?" not in event.cards:
                survey.cards[event.seat] = event.cards
            elif known != event.cards and sorted(known or "?") != sorted(event.cards):
                survey.signs |= _DUPLICATE
        elif kind is e.ResultDeclared:
            told.append(event)
        elif kind is e.ShowdownBegun:
            _over(survey)
            survey.pending = 0
        elif kind is d.CardBurned:  # whether it was one is asked by its own detectors
            if event.card != "??":
                raise _Unusual
        elif kind is b.CashOutTaken:
            survey.signs |= _CONSERVATION | _DECLARED | _AWARD
        elif kind is e.CardsMucked:
            survey.mucked |= 1 << event.seat
        elif kind is d.HoleCardsLearned:
            survey.learned |= 1 << event.seat
        elif kind is e.PlayerFinished:
            if not survey.out and survey.live & ~survey.allin & 1 << event.seat:
                raise _Unusual  # out of the tournament while it can still act
        elif kind not in SILENT:
            raise _Unusual
    if survey.live & (survey.live - 1):
        _contested(survey)
    elif survey.shown:
        survey.signs |= _SHOWDOWN
    _ending(survey, told)
    _awarded(survey)


def _awarded(survey: _Survey) -> None:
    """Look whether the pot plainly went to the one hand that wins it."""
    if survey.signs & _SHOWDOWN and not (
        survey.variant == "holdem"
        and not survey.signs & _DUPLICATE
        and not survey.shown & survey.mucked
        and not survey.learned & survey.live & ~survey.mucked
        and plainly_won(survey.live, survey.mucked, survey.out, survey.put, survey.cards, survey.board)
    ):
        survey.signs |= _AWARD
    if survey.signs & _AWARD and survey.signs & _ALL_IN:
        survey.signs |= _ALL_IN_AWARD


def _contested(survey: _Survey) -> None:
    """Look at a hand that ended with two hands or more: what its cards and its awards ask for."""
    survey.signs |= _SHOWDOWN | _CONTESTED
    _over(survey)
    if survey.live & (survey.allin | survey.said):
        survey.signs |= _ALL_IN
    if survey.unshown:
        survey.signs |= _UNSHOWN
    if survey.mucked and any(survey.mucked >> seat & 1 for seat in survey.out):
        survey.signs |= _LET_GO


_WAGERS: Final = frozenset({b.Called, b.Bet, b.Raised})


def _wager(survey: _Survey, kind: type[Event], event: b.Called | b.Bet | b.Raised) -> None:
    seat, to = event.seat, event.to
    bit = 1 << seat
    pending, level, bets = survey.pending, survey.level, survey.bets
    later = pending >> (survey.last + 1) << (survey.last + 1) or pending
    if bit != later & -later:
        survey.signs |= _TURN
        if not survey.live & bit:
            raise _Unusual
    survey.last = seat
    before = bets.get(seat, 0)
    if to - before != event.added:
        raise _Unusual
    put = survey.put[seat] = survey.put[seat] + event.added
    start = survey.start[seat]
    if put >= start:
        survey.allin |= bit
        if put > start:
            survey.signs |= _STACK
    elif event.all_in:
        survey.signs |= _STACK
    bets[seat] = to
    if kind is b.Called:
        survey.pending = pending & ~bit
        if to > level:
            raise _Unusual
        if to < level and put < start:
            survey.signs |= _CALL_SIZE
        return
    gain = to - level
    if gain <= 0:
        raise _Unusual
    survey.level = to
    survey.pending = survey.live & ~survey.allin & ~bit
    if not survey.live & ~bit & ~survey.allin and before >= level:
        survey.signs |= _TURN  # nobody else can bet, and there was nothing to call
    survey.raises += 1
    if survey.raises > 3 + (survey.street != "preflop"):
        survey.signs |= _CAP
    if survey.unit:
        if gain != survey.unit[survey.street in ("turn", "river")]:
            survey.signs |= _SMALL_BET | _SHORT_ALL_IN
    elif gain < survey.full:
        survey.signs |= _SMALL_BET
    else:
        survey.full = gain
    if survey.betting == "pot-limit":
        pot = sum(survey.put.values()) - event.added
        if to > level + pot + level - before:
            survey.signs |= _LARGE_BET


def _open(survey: _Survey) -> bool:
    """Whether a seat among those that have not acted had something to decide."""
    able = survey.live & ~survey.allin
    if able & (able - 1):
        return True
    seat = survey.pending.bit_length() - 1
    return survey.bets.get(seat, 0) < survey.level


def _over(survey: _Survey) -> None:
    """Look whether somebody had yet to act when the hand went on to its end."""
    if survey.pending and survey.live & (survey.live - 1) and _open(survey):
        survey.signs |= _OPEN_ROUND


def _street(survey: _Survey, event: d.BoardDealt) -> None:
    before, length = _NEXT[event.street]
    if survey.street != before or len(event.cards) != length:
        survey.signs |= _STREETS
    if event.run != 1 or event.board != 1 or event.stuck or not event.face_up or JOKER in event.cards:
        raise _Unusual
    if survey.pending and survey.live & (survey.live - 1) and _open(survey):
        survey.signs |= _OPEN_ROUND
    survey.street = event.street
    survey.board += event.cards
    survey.level = survey.raises = 0
    survey.full = survey.blind
    survey.bets.clear()
    survey.last = survey.button
    able = survey.live & ~survey.allin
    survey.pending = able if able & (able - 1) else 0


def _ending(survey: _Survey, told: list[e.ResultDeclared]) -> None:
    put, out = survey.put, survey.out
    total = sum(put.values())
    if total != sum(out.values()):
        survey.signs |= _CONSERVATION
    for event in told:
        if event.amount is None:
            continue
        if event.what == "total-pot":
            same = event.amount == total
        elif event.what == "rake":
            same = event.amount == out.get(0, 0)
        elif event.what == "end-stack" and event.seat in put:
            seat = event.seat
            same = event.amount == survey.start[seat] - put[seat] + out.get(seat, 0)
        elif event.what in ("winnings", "collected") and event.seat is not None:
            paid = out.get(event.seat, 0)
            same = event.amount in (paid, paid + survey.returned.get(event.seat, 0))
        elif event.what in ("main-pot", "side-pot", "board", "finish", "hand-count"):
            continue
        else:
            same = False
        if not same:
            survey.signs |= _DECLARED
            break
    cards = survey.board
    for known in survey.cards.values():
        cards += known
    pairs = {cards[at : at + 2] for at in range(0, len(cards), 2)}
    if len(pairs) * 2 != len(cards):
        survey.signs |= _DUPLICATE
