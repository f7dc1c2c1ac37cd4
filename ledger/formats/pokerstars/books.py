"""The text of a hand while it is written: its lines, its words, and the books that they need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import opening as o
from ledger.hand.fold import fold
from ledger.hand.state import HandState
from ledger.hand.usual_order import usual_order
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.games import STUD
from ledger.vocabulary import Cards, Chips, PlayerId, Seat, split_cards


def spaced(cards: Cards) -> str:
    """Write the known cards with blanks between them."""
    return " ".join(card for card in split_cards(cards) if len(card) == 2 and card != "??")


class Writer:
    """The text of one hand as it grows."""

    def __init__(self, events: Sequence[Event], people: People) -> None:
        self.events = usual_order(events)
        self.people = people
        self.state: HandState = fold(events)  # type: ignore[arg-type]  # a hand's events
        self.game = self.state.game or o.GameSet("holdem", "no-limit", "unknown", "chips", 0)
        self.lines: list[str] = []
        self.lost: Counter[str] = Counter()
        self.total: Counter[Seat] = Counter()  # all chips that a seat put in
        self.level: Chips = 0
        self.bets: Counter[Seat] = Counter()
        self.boards: dict[tuple[int, int], list[str]] = {}
        self.seen: dict[Seat, list[str]] = {}  # cards of a seat that the text showed so far
        self.dead: tuple[Seat, Chips] | None = None  # dead half that waits for its live half
        self.street = "third" if self.game.variant in STUD else "preflop"
        self.folded: dict[Seat, str] = {}
        self.runs = self.state.runs
        self.dealt = False
        self.split = self.game.variant == "split-holdem"

    # words

    def chips(self, amount: Chips) -> str:
        """Write an amount."""
        return amounts.write(amount, self.game.unit, self.game.exponent)

    def money(self, amount: Chips) -> str:
        """Write an amount of a tournament's own currency."""
        currency = self.state.tournament.currency if self.state.tournament else ""
        return amounts.write(amount, currency, 2, full=True)

    def name(self, player: PlayerId) -> str:
        """Return a player's name on one line, or a stand-in where it is erased."""
        found = self.people.name(player)
        if found is None:
            return "player-" + player[:6]
        return " ".join(found.splitlines())

    def seat(self, seat: Seat | None) -> str:
        """Return the name of who sits in a seat."""
        event = self.state.dealt.get(seat or 0) or self.state.left_out.get(seat or 0)
        return self.name(event.player) if event else f"Seat {seat}"

    def words(self, ref: str) -> str:
        """Return a free text on one line."""
        return " ".join((self.people.words(ref) or "").splitlines())

    def put(self, line: str) -> None:
        """Add a line."""
        self.lines.append(line)

    def act(self, seat: Seat, words: str) -> None:
        """Add an act of a seat."""
        self.put(f"{self.seat(seat)}: {words}")

    def end(self, event: Any) -> str:  # noqa: ANN401 - any wager
        """Return what follows the amount of a wager."""
        cap = self.state.options.get("bet-cap")
        if event.all_in:
            return " and is all-in"
        if cap and isinstance(cap, int) and self.total.get(event.seat, 0) >= cap:
            return f" and has reached the {self.chips(cap)} cap"
        return ""

    def lose(self, what: str) -> None:
        """Count something that the text cannot say."""
        self.lost[what] += 1

    # the hand

    def book(self, event: Any) -> None:  # noqa: ANN401 - any event of a hand
        """Keep the books for an event."""
        kind = type(event)
        if kind is o.BlindPosted:
            self._wager(event.seat, self.bets[event.seat] + event.live, event.live)
            self.total[event.seat] += event.dead
        elif kind is o.BringInPosted or (kind is o.StraddlePosted and event.live):
            self._wager(event.seat, self.bets[event.seat] + event.amount, event.amount)
        elif kind in (b.Called, b.Bet, b.Raised, b.Completed):
            self._wager(event.seat, event.to, event.added)
        elif kind is b.BetReturned:
            self.bets[event.seat] -= event.amount

    def _wager(self, seat: Seat, to: Chips, added: Chips) -> None:
        self.bets[seat] = to
        self.level = max(self.level, to)
        self.total[seat] += added

    def next_street(self, street: str) -> None:
        """Begin a street."""
        self.street = street
        self.level = 0
        self.bets = Counter()
