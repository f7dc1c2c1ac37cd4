"""Small hands, bet in every legal way that the program offers: 2 to 4 seats, stacks to 20."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple, Protocol

import msgspec

from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.events import HandEvent
from ledger.hand.fold import apply, begin
from ledger.hand.state import HandState
from ledger.recording.choices import HandChoice, build_board_event, build_wager_event, find_choices
from ledger.vocabulary import Chips, Seat, Witness

UNSEEN = (Witness.BURNS, Witness.SHUFFLES)
HOLE_CARDS = ("AsAh", "KsKh", "QsQh", "JsJh")
BOARDS = {"flop": "2c7d9h", "turn": "3s", "river": "5c"}
BETTING_STREETS = ("preflop", "flop")


class SmallTable(NamedTuple):
    """What a small hand is played with; blinds are 1/2, or 2/4 with bets of 4/8."""

    stacks: tuple[Chips, ...]
    betting: str  # "no-limit", "pot-limit", "limit"
    format: str = "cash"  # or "tournament"
    has_big_bets: bool = False

    @property
    def game(self) -> o.GameSet:
        """The game as an event."""
        blinds = (2, 4) if self.has_big_bets else (1, 2)
        bets = (blinds[1], 2 * blinds[1]) if self.betting == "limit" else ()
        return o.GameSet("holdem", self.betting, self.format, "chips", 0, blinds, 0, bets)  # type: ignore[arg-type] # a word of the vocabulary


class Decider(Protocol):
    """Chooses one of so many ways."""

    def choose(self, count: int) -> int:
        """Return a number below `count`."""
        ...


class RandomDecider:
    """Chooses by chance."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def choose(self, count: int) -> int:
        """Return a random number below `count`."""
        return self.rng.randrange(count)


class OdometerDecider:
    """Takes every way once: each play goes on from the last, until `advance` has no further way."""

    def __init__(self) -> None:
        self.digits: list[tuple[int, int]] = []
        self.depth = 0

    def choose(self, count: int) -> int:
        """Return this play's number below `count`."""
        if self.depth == len(self.digits):
            self.digits.append((0, count))
        digit = self.digits[self.depth][0]
        self.depth += 1
        return digit

    def advance(self) -> bool:
        """Go on to the next way; False after the last."""
        self.depth = 0
        while self.digits:
            digit, count = self.digits.pop()
            if digit + 1 < count:
                self.digits.append((digit + 1, count))
                return True
        return False


class SmallHand:
    """One hand, dealt and played as the program offers."""

    def __init__(self, table: SmallTable, decider: Decider) -> None:
        self.table = table
        self.decider = decider
        self.state = begin()
        self.events: list[HandEvent] = []

    def play(self) -> list[HandEvent]:
        """Return the events of the hand, from its opening to its end."""
        self._open()
        while not self.state.completed:
            self._add(*self._next())
        return self.events

    def _add(self, *events: HandEvent) -> None:
        for event in events:
            self.events.append(event)
            apply(self.state, event)

    def _open(self) -> None:
        table = self.table
        witnesses = sum(set(Witness) - set(UNSEEN))
        count = len(table.stacks)
        self._add(o.HandOpened("Test Room", "1", "1", witnesses, 1_700_000_000_000), table.game)
        if table.betting == "limit":
            self._add(o.OptionSet("raise-cap", 3))
        for seat, stack in enumerate(table.stacks, 1):
            self._add(o.SeatDealtIn(seat, f"player{seat:010d}", stack))
        self._add(o.ButtonPlaced(count))
        small, big = table.game.blinds
        small_seat, big_seat = (2, 1) if count == 2 else (1, 2)
        self._post(small_seat, "small", small)
        self._post(big_seat, "big", big)
        seats = range(1, count + 1)
        order = sorted(seats, key=lambda seat: (seat - small_seat) % count)
        for seat in order:
            self._add(d.HoleCardsDealt(seat, HOLE_CARDS[seat - 1]))
        self._add(d.DealCompleted())

    def _post(self, seat: Seat, role: str, amount: Chips) -> None:
        stack = self.table.stacks[seat - 1]
        paid = min(amount, stack)
        self._add(o.BlindPosted(seat, role, paid, all_in=paid == stack or None))  # type: ignore[arg-type] # a word of the vocabulary

    def _next(self) -> tuple[HandEvent, ...]:
        offered = find_choices(self.state)
        assert offered, "the hand stands still"
        first = offered[0]
        if first.word == "street":
            return first.events or (build_board_event(first.street, BOARDS[first.street]),)
        if shows := [choice for choice in offered if choice.word == "show"]:
            return tuple(e.CardsShown(choice.seat, HOLE_CARDS[choice.seat - 1]) for choice in shows if choice.seat)
        if first.word == "win" and len(self.state.live) > 1:
            winners = {event.seat for event in first.events if isinstance(event, e.PotAwarded)}
            losers = sorted(self.state.live - winners)
            return (*(b.HandKilled(seat, "lost") for seat in losers), *first.events)
        if first.word not in ("fold", "check", "call"):
            return first.events
        if self.state.street not in BETTING_STREETS:
            return next(choice.events for choice in offered if choice.word in ("check", "call"))
        choices = list(legal_acts(self.state, offered))
        return (choices[self.decider.choose(len(choices))],)


def legal_acts(state: HandState, offered: list[HandChoice]) -> Iterator[HandEvent]:
    """Yield each act that is offered to the seat in turn, raises to each total once; nobody folds for nothing."""
    events: set[HandEvent] = set()
    words = {choice.word for choice in offered}
    for choice in offered:
        if choice.word == "fold" and "check" in words:
            continue
        for event in choice.events or _totals(state, choice):
            if event not in events:
                events.add(event)
                yield event


def _totals(state: HandState, choice: HandChoice) -> Iterator[HandEvent]:
    assert choice.seat is not None
    stack_left = state.stack_left(choice.seat) or 0
    max_total = choice.max_total if choice.max_total is not None else state.street_bet(choice.seat) + stack_left
    for total in range(choice.min_total, max_total + 1):
        yield build_wager_event(state, choice.seat, total)


def without_stacks(events: list[HandEvent]) -> list[HandEvent]:
    """Return the hand as a record tells it that holds no stacks and calls nobody all-in."""
    return [_without_stack(event) for event in events]


def _without_stack(event: HandEvent) -> HandEvent:
    if isinstance(event, o.HandOpened):
        return msgspec.structs.replace(event, witnesses=event.witnesses & ~int(Witness.STACKS_BEFORE))
    if isinstance(event, o.SeatDealtIn):
        return msgspec.structs.replace(event, stack=None)
    if getattr(event, "all_in", None):
        return msgspec.structs.replace(event, all_in=None)
    return event


def random_table(rng: Random) -> SmallTable:
    """Draw a table of 2 to 4 seats with stacks to 20."""
    has_big_bets = rng.random() < 0.5
    least = 2 if has_big_bets else 1  # half a blind: for less, books pass the blind on
    stacks = tuple(rng.randint(least, 20) for _ in range(rng.randint(2, 4)))
    betting = rng.choice(("no-limit", "pot-limit", "limit"))
    return SmallTable(stacks, betting, rng.choice(("cash", "cash", "tournament")), has_big_bets)


__all__ = [
    "OdometerDecider",
    "RandomDecider",
    "SmallHand",
    "SmallTable",
    "legal_acts",
    "random_table",
    "without_stacks",
]
