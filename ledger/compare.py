"""Compare two accounts of one hand: where they first differ, what only one has, and the money that depends on it.

Facts are compared, not words: a raise is a seat and its total on the street, whatever the source's wording. A fact that
one of the sources never records is no difference.
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
from ledger.vocabulary import Chips, Seat, shown_decimals, split_cards


class HandFact(NamedTuple):
    """A fact in an account. Equal facts of two accounts differ only in `version`."""

    subject: str  # "wager", "board", "stack", ...
    seat: Seat  # 0 = of no seat
    stated_value: tuple[Any, ...]
    version: int  # of the event that states it, 0 = it follows from several

    @property
    def identity(self) -> tuple[object, ...]:
        """The fact without its version."""
        return self[:3]


@dataclass(frozen=True, slots=True)
class FactDifference:
    """A fact that differs in two accounts. None: the account doesn't have it."""

    subject: str
    a: HandFact | None
    b: HandFact | None


@dataclass(slots=True)
class HandComparison:
    """The result of comparing two accounts of one hand."""

    first: FactDifference | None = None  # the first difference in the course of play
    others: list[FactDifference] = field(default_factory=list)  # of facts without an order: stacks, cards, pots
    equal: int = 0  # facts in which they agree
    nets: list[tuple[Seat, Chips, Chips]] = field(default_factory=list)  # seat of a, won or lost in a and in b
    only_a: Counter[str] = field(default_factory=Counter)  # kinds of events that only one has
    only_b: Counter[str] = field(default_factory=Counter)
    seats: dict[Seat, Seat] = field(default_factory=dict)  # of b → of a
    exponent: int = 0  # of all amounts here

    @property
    def same(self) -> bool:
        """Whether no fact that both accounts have differs."""
        return self.first is None and not self.others


def compare_hand_accounts(a: Sequence[Event], b: Sequence[Event], people_a: People, people_b: People) -> HandComparison:
    """Compare two accounts of one hand. Amounts of the result are in the finer unit of the two."""
    side_a, side_b = _Side(a, people_a), _Side(b, people_b)
    comparison = HandComparison(exponent=max(side_a.exponent, side_b.exponent))
    comparison.seats = side_a.match_seats(side_b)
    course_a = side_a.list_course(comparison.exponent, {})
    course_b = side_b.list_course(comparison.exponent, comparison.seats)
    _compare_course(comparison, course_a, course_b)
    lasting_a, lasting_b = (
        side_a.list_unordered_facts(comparison.exponent, {}),
        side_b.list_unordered_facts(comparison.exponent, comparison.seats),
    )
    for key in dict.fromkeys((*lasting_a, *lasting_b)):
        fact_a, fact_b = lasting_a.get(key), lasting_b.get(key)
        if fact_a is None or fact_b is None:
            if key[0] in _REQUIRED_FACTS:
                comparison.others.append(FactDifference(key[0], fact_a, fact_b))
        elif fact_a.identity == fact_b.identity or _are_compatible(fact_a, fact_b):
            comparison.equal += 1
        else:
            comparison.others.append(FactDifference(key[0], fact_a, fact_b))
    nets_a, nets_b = (
        side_a.compute_nets(comparison.exponent, {}),
        side_b.compute_nets(comparison.exponent, comparison.seats),
    )
    comparison.nets = [(seat, nets_a.get(seat, 0), nets_b.get(seat, 0)) for seat in sorted(nets_a | nets_b)]
    kinds_a, kinds_b = side_a.count_other_kinds(), side_b.count_other_kinds()
    comparison.only_a, comparison.only_b = _count_only(kinds_a, kinds_b), _count_only(kinds_b, kinds_a)
    return comparison


_REQUIRED_FACTS: Final = frozenset(("stack", "award"))
"""Facts that every account has. If one lacks them, that is a difference."""


def _compare_course(comparison: HandComparison, a: list[HandFact], b: list[HandFact]) -> None:
    for fact_a, fact_b in zip(a, b, strict=False):
        if fact_a.identity != fact_b.identity:
            comparison.first = FactDifference(fact_a.subject, fact_a, fact_b)
            return
        comparison.equal += 1
    if len(a) != len(b):
        first_missing = min(len(a), len(b))
        longer = (a if len(a) > len(b) else b)[first_missing]
        comparison.first = FactDifference(longer.subject, *((longer, None) if len(a) > len(b) else (None, longer)))


def _are_compatible(fact_a: HandFact, fact_b: HandFact) -> bool:
    """Whether two facts agree wherever both accounts know the value."""
    if fact_a.subject != "cards":
        return fact_a.subject in ("stack", "button") and None in (*fact_a.stated_value, *fact_b.stated_value)
    cards_a, cards_b = (Counter(card for card in fact.stated_value if card[0] not in "?{") for fact in (fact_a, fact_b))
    if not cards_a or not cards_b:
        return True
    return not cards_a - cards_b or not cards_b - cards_a


def _count_only(own_counts: Counter[str], other_counts: Counter[str]) -> Counter[str]:
    return Counter({kind: count for kind, count in own_counts.items() if kind not in other_counts})


class _Side:
    """One of the two compared accounts."""

    def __init__(self, events: Sequence[Event], people: People) -> None:
        self.events = events
        self.people = people
        self.state: HandState = fold(cast("Sequence[HandEvent]", events))
        self.exponent = shown_decimals(self.state.game.exponent) if self.state.game else 0

    def match_seats(self, other_side: _Side) -> dict[Seat, Seat]:
        """Match the seats of the other account with those of this one: by name, else by number, else by order."""
        own_seats = {self.people.name(event.player): seat for seat, event in self.state.dealt.items()}
        other_seats = {other_side.people.name(event.player): seat for seat, event in other_side.state.dealt.items()}
        matched_seats = {seat: own_seats[name] for name, seat in other_seats.items() if name in own_seats}
        if (
            len(matched_seats) == len(other_side.state.dealt)
            or self.state.dealt.keys() == other_side.state.dealt.keys()
        ):
            return {seat: matched_seats.get(seat, seat) for seat in other_side.state.dealt}
        if len(self.state.dealt) == len(other_side.state.dealt):
            return dict(zip(other_side.list_seats_clockwise(), self.list_seats_clockwise(), strict=True))
        return {seat: matched_seats.get(seat, seat) for seat in other_side.state.dealt}

    def list_seats_clockwise(self) -> list[Seat]:
        """Return the dealt-in seats, starting with the first after the button."""
        button = self.state.button or 0
        return sorted(self.state.dealt, key=lambda seat: (seat <= button, seat))

    def list_course(self, exponent: int, seats: dict[Seat, Seat]) -> list[HandFact]:
        """Return the posts in the order of seats, then the actions in their order."""
        scale = 10 ** (exponent - self.exponent)
        facts = [
            fact
            for version, event in enumerate(self.events, 1)
            if type(event) in HANDLERS
            for fact in [HANDLERS[type(event)](event, scale)._replace(version=version)]
        ]
        facts = [fact._replace(seat=seats.get(fact.seat, fact.seat)) for fact in _join_boards(facts)]
        posts = [fact for fact in facts if fact.subject in _POST_FACTS]
        return sorted(posts, key=lambda fact: (fact.subject, fact.seat, str(fact.stated_value))) + [
            fact for fact in facts if fact.subject not in _POST_FACTS
        ]

    def list_unordered_facts(self, exponent: int, seats: dict[Seat, Seat]) -> dict[tuple[str, Seat], HandFact]:
        """Return the facts without an order, by subject and seat."""
        scale = 10 ** (exponent - self.exponent)
        state = self.state
        facts: list[HandFact] = []
        if state.has_button_record:
            button = seats.get(state.button or 0, state.button)
            facts.append(HandFact("button", 0, (button,), self._find_version(o.ButtonPlaced)))
        for seat, event in state.dealt.items():
            stack = None if event.stack is None else event.stack * scale
            facts.append(HandFact("stack", seat, (stack,), self._find_version(o.SeatDealtIn, seat)))
            cards = tuple(sorted(self._find_best_known_cards(seat)))
            if cards:
                facts.append(HandFact("cards", seat, cards, self._find_version(d.HoleCardsDealt, seat)))
        facts += [
            HandFact("award", seat, (amount * scale,), self._find_version(e.PotAwarded, seat))
            for seat, amount in state.chips.awarded.items()
            if amount
        ]
        if state.drops:
            facts.append(HandFact("drop", 0, (state.chips.drop * scale,), self._find_version(e.DropTaken)))
        if state.chips.returned:
            facts += [
                HandFact("returned", seat, (amount * scale,), self._find_version(b.BetReturned, seat))
                for seat, amount in state.chips.returned.items()
            ]
        return {
            (fact.subject, seats.get(fact.seat, fact.seat)): fact._replace(seat=seats.get(fact.seat, fact.seat))
            for fact in facts
        }

    def _find_best_known_cards(self, seat: Seat) -> list[str]:
        """Return a seat's cards from the event that shows most of them."""
        known_cards = self.state.hole_cards(seat)
        for event in self.events:
            if getattr(event, "seat", None) == seat and isinstance(
                event, d.HoleCardsDealt | d.HoleCardsLearned | e.CardsShown | e.CardsMucked
            ):
                cards = split_cards(event.cards)
                if _count_known_cards(cards) > _count_known_cards(known_cards):
                    known_cards = cards
        return known_cards

    def _find_version(self, kind: type[Event], seat: Seat | None = None) -> int:
        for version, event in enumerate(self.events, 1):
            if isinstance(event, kind) and (seat is None or getattr(event, "seat", None) == seat):
                return version
        return 0

    def compute_nets(self, exponent: int, seats: dict[Seat, Seat]) -> dict[Seat, Chips]:
        """Return what each seat won or lost."""
        scale = 10 ** (exponent - self.exponent)
        state = self.state
        return {
            seats.get(seat, seat): scale
            * (state.chips.awarded.get(seat, 0) - state.chips.put_in.get(seat, 0) + state.cash_outs.get(seat, 0))
            for seat in state.dealt
        }

    def count_other_kinds(self) -> Counter[str]:
        """Count the events of each kind that isn't compared."""
        return Counter(type(event).__name__ for event in self.events if type(event) not in _COMPARED_EVENTS)


def _count_known_cards(cards: Iterable[str]) -> int:
    return sum(card[0] not in "?{" for card in cards)


def _join_boards(facts: list[HandFact]) -> list[HandFact]:
    """Join the cards of one street that were dealt card by card."""
    joined_facts: list[HandFact] = []
    for fact in facts:
        last_fact = joined_facts[-1] if joined_facts else None
        if (
            fact.subject == "board"
            and last_fact
            and last_fact.subject == "board"
            and last_fact.stated_value[0] == fact.stated_value[0]
            and last_fact.stated_value[2:] == fact.stated_value[2:]
        ):
            joined_facts[-1] = last_fact._replace(
                stated_value=(
                    fact.stated_value[0],
                    tuple(sorted(last_fact.stated_value[1] + fact.stated_value[1])),
                    *fact.stated_value[2:],
                )
            )
        else:
            joined_facts.append(fact)
    return joined_facts


def _build_post_fact(event: o.BlindPosted, scale: int) -> HandFact:
    return HandFact("post", event.seat, (event.live * scale, event.dead * scale), 0)


def _build_straddle_fact(event: o.StraddlePosted, scale: int) -> HandFact:
    live = event.amount * scale if event.live else 0
    return HandFact("post", event.seat, (live, event.amount * scale - live), 0)


def _build_ante_fact(event: o.AntePosted, scale: int) -> HandFact:
    return HandFact("ante", event.seat, (event.amount * scale,), 0)


def _build_bring_in_fact(event: o.BringInPosted, scale: int) -> HandFact:
    return HandFact("post", event.seat, (event.amount * scale, 0), 0)


def _build_wager_fact(event: b.Wager, scale: int) -> HandFact:
    subject = "call" if type(event) is b.Called else "wager"
    return HandFact(subject, event.seat, (event.to * scale,), 0)


def _build_board_fact(event: d.BoardDealt, _scale: int) -> HandFact:
    return HandFact("board", 0, (event.street, tuple(sorted(split_cards(event.cards))), event.board, event.run), 0)


def _fact_builder(subject: str) -> Callable[[b.Folded | b.Checked, int], HandFact]:
    return lambda event, _scale: HandFact(subject, event.seat, (), 0)


_POST_FACTS: Final = ("post", "ante")
HANDLERS: Final[dict[type, Callable[[Any, int], HandFact]]] = {
    o.BlindPosted: _build_post_fact,
    o.StraddlePosted: _build_straddle_fact,
    o.AntePosted: _build_ante_fact,
    o.BringInPosted: _build_bring_in_fact,
    b.Folded: _fact_builder("fold"),
    b.Checked: _fact_builder("check"),
    b.Called: _build_wager_fact,
    b.Bet: _build_wager_fact,
    b.Raised: _build_wager_fact,
    b.Completed: _build_wager_fact,
    d.BoardDealt: _build_board_fact,
    d.CardsDiscarded: lambda event, _: HandFact("discard", event.seat, (event.count,), 0),
    d.StoodPat: lambda event, _: HandFact("discard", event.seat, (0,), 0),
}
"""The event types of the course of a hand, each with the function that builds its fact."""

_COMPARED_EVENTS: Final = frozenset(
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
"""Event types that are compared, or that only frame the hand."""
