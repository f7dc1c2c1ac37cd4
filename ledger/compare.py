"""Two accounts of one hand: where they first differ, what only one of them says, and what that moves in money.

Facts are compared, not words: a raise is a seat and its total on the street, however a source writes
it. What one of the sources never records is no difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, cast

from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.hand.state import HandState
from ledger.people import People
from ledger.vocabulary import Chips, Seat, count_decimals, split_cards


class HandFact(NamedTuple):
    """Something that an account says: the same facts in two accounts are equal but for `version`."""

    about: str  # "wager", "board", "stack", ...
    seat: Seat  # 0 = nobody's
    said: tuple[Any, ...]
    version: int  # of the event that says it, 0 = it follows from several

    @property
    def same(self) -> tuple[object, ...]:
        """What is compared."""
        return self[:3]


@dataclass(frozen=True, slots=True)
class FactDifference:
    """Where two accounts say different things; None: that one says nothing."""

    about: str
    a: HandFact | None
    b: HandFact | None


@dataclass(slots=True)
class HandComparison:
    """What two accounts of one hand have in common and what not."""

    first: FactDifference | None = None  # the first difference in the course of play
    others: list[FactDifference] = field(default_factory=list)  # in what has no order: stacks, cards, pots
    equal: int = 0  # facts in which they agree
    nets: list[tuple[Seat, Chips, Chips]] = field(default_factory=list)  # seat of a, won or lost in a and in b
    only_a: Counter[str] = field(default_factory=Counter)  # kinds of events that only one has
    only_b: Counter[str] = field(default_factory=Counter)
    seats: dict[Seat, Seat] = field(default_factory=dict)  # of b → of a
    exponent: int = 0  # of all amounts here

    @property
    def same(self) -> bool:
        """Whether nothing that both say differs."""
        return self.first is None and not self.others


def compare(a: Sequence[Event], b: Sequence[Event], people_a: People, people_b: People) -> HandComparison:
    """Compare two accounts of one hand. Amounts of the result are in the finer unit of the two."""
    left, right = _Side(a, people_a), _Side(b, people_b)
    found = HandComparison(exponent=max(left.exponent, right.exponent))
    found.seats = left.seats_of(right)
    course_a = left.course(found.exponent, {})
    course_b = right.course(found.exponent, found.seats)
    _course(found, course_a, course_b)
    lasting_a, lasting_b = (left.lasting(found.exponent, {}), right.lasting(found.exponent, found.seats))
    for key in dict.fromkeys((*lasting_a, *lasting_b)):
        one, other = lasting_a.get(key), lasting_b.get(key)
        if one is None or other is None:
            if key[0] in _MUST:
                found.others.append(FactDifference(key[0], one, other))
        elif one.same == other.same or _compatible(one, other):
            found.equal += 1
        else:
            found.others.append(FactDifference(key[0], one, other))
    nets_a, nets_b = left.nets(found.exponent, {}), right.nets(found.exponent, found.seats)
    found.nets = [(seat, nets_a.get(seat, 0), nets_b.get(seat, 0)) for seat in sorted(nets_a | nets_b)]
    kinds_a, kinds_b = left.kinds(), right.kinds()
    found.only_a, found.only_b = _only(kinds_a, kinds_b), _only(kinds_b, kinds_a)
    return found


_MUST: Final = frozenset(("stack", "award"))
"""What every account says: if one does not, that is a difference."""


def _course(found: HandComparison, a: list[HandFact], b: list[HandFact]) -> None:
    for one, other in zip(a, b, strict=False):
        if one.same != other.same:
            found.first = FactDifference(one.about, one, other)
            return
        found.equal += 1
    if len(a) != len(b):
        at = min(len(a), len(b))
        longer = (a if len(a) > len(b) else b)[at]
        found.first = FactDifference(longer.about, *((longer, None) if len(a) > len(b) else (None, longer)))


def _compatible(one: HandFact, other: HandFact) -> bool:
    """Whether two accounts of a hand's cards agree in the cards that both know."""
    if one.about != "cards":
        return one.about in ("stack", "button") and None in (*one.said, *other.said)
    mine, theirs = (Counter(card for card in fact.said if card[0] not in "?{") for fact in (one, other))
    if not mine or not theirs:
        return True
    return not mine - theirs or not theirs - mine


def _only(mine: Counter[str], theirs: Counter[str]) -> Counter[str]:
    return Counter({kind: count for kind, count in mine.items() if kind not in theirs})


class _Side:
    """One of the two."""

    def __init__(self, events: Sequence[Event], people: People) -> None:
        self.events = events
        self.people = people
        self.state: HandState = fold(cast("Sequence[HandEvent]", events))
        self.exponent = count_decimals(self.state.game.exponent) if self.state.game else 0

    def seats_of(self, other: _Side) -> dict[Seat, Seat]:
        """Return which seat of the other account is which of this one: by name, else by number, else by order."""
        mine = {self.people.name(event.player): seat for seat, event in self.state.dealt.items()}
        theirs = {other.people.name(event.player): seat for seat, event in other.state.dealt.items()}
        named = {seat: mine[name] for name, seat in theirs.items() if name in mine}
        if len(named) == len(other.state.dealt) or self.state.dealt.keys() == other.state.dealt.keys():
            return {seat: named.get(seat, seat) for seat in other.state.dealt}
        if len(self.state.dealt) == len(other.state.dealt):
            return dict(zip(other.clockwise(), self.clockwise(), strict=True))
        return {seat: named.get(seat, seat) for seat in other.state.dealt}

    def clockwise(self) -> list[Seat]:
        """Return the dealt-in seats from the first after the button on."""
        button = self.state.button or 0
        return sorted(self.state.dealt, key=lambda seat: (seat <= button, seat))

    def course(self, exponent: int, seats: dict[Seat, Seat]) -> list[HandFact]:
        """Return the posts, in the order of seats, and then what was done in its order."""
        scale = 10 ** (exponent - self.exponent)
        facts = [
            fact
            for version, event in enumerate(self.events, 1)
            if type(event) in HANDLERS
            for fact in [HANDLERS[type(event)](event, scale)._replace(version=version)]
        ]
        facts = [fact._replace(seat=seats.get(fact.seat, fact.seat)) for fact in _whole_boards(facts)]
        posts = [fact for fact in facts if fact.about in _POSTS]
        return sorted(posts, key=lambda fact: (fact.about, fact.seat, str(fact.said))) + [
            fact for fact in facts if fact.about not in _POSTS
        ]

    def lasting(self, exponent: int, seats: dict[Seat, Seat]) -> dict[tuple[str, Seat], HandFact]:
        """Return what has no order, by what it is about and whose it is."""
        scale = 10 ** (exponent - self.exponent)
        state = self.state
        facts = (
            [HandFact("button", 0, (seats.get(state.button or 0, state.button),), self._of(o.ButtonPlaced))]
            if state.has_button_record
            else []
        )
        for seat, event in state.dealt.items():
            stack = None if event.stack is None else event.stack * scale
            facts.append(HandFact("stack", seat, (stack,), self._of(o.SeatDealtIn, seat)))
            cards = tuple(sorted(self._cards(seat)))
            if cards:
                facts.append(HandFact("cards", seat, cards, self._of(d.HoleCardsDealt, seat)))
        facts += [
            HandFact("award", seat, (amount * scale,), self._of(e.PotAwarded, seat))
            for seat, amount in state.chips.awarded.items()
            if amount
        ]
        if state.drops:
            facts.append(HandFact("drop", 0, (state.chips.drop * scale,), self._of(e.DropTaken)))
        if state.chips.returned:
            facts += [
                HandFact("returned", seat, (amount * scale,), self._of(b.BetReturned, seat))
                for seat, amount in state.chips.returned.items()
            ]
        return {
            (fact.about, seats.get(fact.seat, fact.seat)): fact._replace(seat=seats.get(fact.seat, fact.seat))
            for fact in facts
        }

    def _cards(self, seat: Seat) -> list[str]:
        """Return what the account knows of a seat's cards, shown, dealt or learned."""
        best = self.state.hole_cards(seat)
        for event in self.events:
            if getattr(event, "seat", None) == seat and isinstance(
                event, d.HoleCardsDealt | d.HoleCardsLearned | e.CardsShown | e.CardsMucked
            ):
                cards = split_cards(event.cards)
                if _known(cards) > _known(best):
                    best = cards
        return best

    def _of(self, kind: type[Event], seat: Seat | None = None) -> int:
        for version, event in enumerate(self.events, 1):
            if isinstance(event, kind) and (seat is None or getattr(event, "seat", None) == seat):
                return version
        return 0

    def nets(self, exponent: int, seats: dict[Seat, Seat]) -> dict[Seat, Chips]:
        """Return what each seat won or lost."""
        scale = 10 ** (exponent - self.exponent)
        state = self.state
        return {
            seats.get(seat, seat): scale
            * (state.chips.awarded.get(seat, 0) - state.chips.put_in.get(seat, 0) + state.cash_outs.get(seat, 0))
            for seat in state.dealt
        }

    def kinds(self) -> Counter[str]:
        """Return how many events of each kind there are that are no part of what is compared."""
        return Counter(type(event).__name__ for event in self.events if type(event) not in _SEEN)


def _known(cards: Iterable[str]) -> int:
    return sum(card[0] not in "?{" for card in cards)


def _whole_boards(facts: list[HandFact]) -> list[HandFact]:
    """Take the cards of one street that came one by one as one deal."""
    out: list[HandFact] = []
    for fact in facts:
        last = out[-1] if out else None
        if (
            fact.about == "board"
            and last
            and last.about == "board"
            and last.said[0] == fact.said[0]
            and last.said[2:] == fact.said[2:]
        ):
            out[-1] = last._replace(said=(fact.said[0], tuple(sorted(last.said[1] + fact.said[1])), *fact.said[2:]))
        else:
            out.append(fact)
    return out


def _post(event: o.BlindPosted, scale: int) -> HandFact:
    return HandFact("post", event.seat, (event.live * scale, event.dead * scale), 0)


def _straddle(event: o.StraddlePosted, scale: int) -> HandFact:
    live = event.amount * scale if event.live else 0
    return HandFact("post", event.seat, (live, event.amount * scale - live), 0)


def _ante(event: o.AntePosted, scale: int) -> HandFact:
    return HandFact("ante", event.seat, (event.amount * scale,), 0)


def _bring_in(event: o.BringInPosted, scale: int) -> HandFact:
    return HandFact("post", event.seat, (event.amount * scale, 0), 0)


def _wager(event: b.Wager, scale: int) -> HandFact:
    about = "call" if type(event) is b.Called else "wager"
    return HandFact(about, event.seat, (event.to * scale,), 0)


def _board(event: d.BoardDealt, _scale: int) -> HandFact:
    return HandFact("board", 0, (event.street, tuple(sorted(split_cards(event.cards))), event.board, event.run), 0)


def _plain(about: str) -> Callable[[b.Folded | b.Checked, int], HandFact]:
    return lambda event, _scale: HandFact(about, event.seat, (), 0)


_POSTS: Final = ("post", "ante")
HANDLERS: Final[dict[type, Callable[[Any, int], HandFact]]] = {
    o.BlindPosted: _post,
    o.StraddlePosted: _straddle,
    o.AntePosted: _ante,
    o.BringInPosted: _bring_in,
    b.Folded: _plain("fold"),
    b.Checked: _plain("check"),
    b.Called: _wager,
    b.Bet: _wager,
    b.Raised: _wager,
    b.Completed: _wager,
    d.BoardDealt: _board,
    d.CardsDiscarded: lambda event, _: HandFact("discard", event.seat, (event.count,), 0),
    d.StoodPat: lambda event, _: HandFact("discard", event.seat, (0,), 0),
}
"""What is done in an order → the fact that it is."""

_SEEN: Final = frozenset(
    (
        *HANDLERS,
        o.HandOpened,
        o.GameSet,
        o.SeatDealtIn,
        o.ButtonPlaced,
        d.HoleCardsDealt,
        d.HoleCardsLearned,
        d.DealCompleted,
        d.StreetDealt,
        e.CardsShown,
        e.CardsMucked,
        e.PotAwarded,
        e.DropTaken,
        e.HandCompleted,
        e.ShowdownBegun,
        b.BetReturned,
    )
)
"""What is compared, or frames it."""
