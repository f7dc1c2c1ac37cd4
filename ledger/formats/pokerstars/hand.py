"""What a reader knows of the hand that it is reading, and how it puts events down."""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat
from operator import itemgetter, sub
from typing import Final, NamedTuple, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.pokerstars.dialect import Dialect
from ledger.formats.pokerstars.words import CARDS, FIXED
from ledger.hand.betting import BetReturned
from ledger.hand.ending import LineUnread
from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.hand import SEATS
from ledger.readers.lines import Lines
from ledger.vocabulary import Cards, Chips, PlayerId, Seat, Street

_cards: dict[str, Cards | None] = {}
_KEPT: Final = 100_000


def cards(text: str) -> Cards | None:
    """Return `Ah Kd` as cards; None where one of them is no card."""
    try:
        return _cards[text]
    except KeyError:
        if len(_cards) > _KEPT:
            _cards.clear()
        found = [CARDS.get(word) for word in text.split()]
        joined = None if None in found else "".join(filter(None, found))
        if len(text) < 100:
            _cards[text] = joined
        return joined


class Chair(NamedTuple):
    """Who sits where: the part of a seat line that seldom changes from hand to hand."""

    seat: Seat
    name: str
    player: PlayerId
    head: str  # "Seat 3: Name", as the summary begins too


Make: TypeAlias = Callable[["Hand", Seat, Chips, bool], Event]
"""Keeps the books for an act and returns its event. The truth says that it is all-in."""

Told: TypeAlias = tuple[Make | None, list[Event], Chips, bool]
"""An act that was read before: how it is made, or one event for each seat, made once."""

_known: Final[dict[tuple[str, int], dict[str, Told]]] = {}

NOWHERE: Final = -1
NO_RAISE: Final = (1 << 30, 0)


def known(dialect: str, exponent: int) -> dict[str, Told]:
    """Return the acts read so far at this exponent, by what follows the name: the fast way."""
    found = _known.get((dialect, exponent))
    if found is None or len(found) > _KEPT:
        found = _known[dialect, exponent] = {words: (None, events, 0, False) for words, events in FIXED.items()}
    return found


class Hand:
    """The hand being read: who sits where, the bets of this street, the events so far."""

    __slots__ = (
        "after",
        "alone",
        "antes",
        "base",
        "bets",
        "big",
        "blind",
        "board",
        "chairs",
        "dealt",
        "derived",
        "dialect",
        "doubtful",
        "dup",
        "early",
        "ended",
        "events",
        "exponent",
        "face",
        "game",
        "kept",
        "known",
        "last_raise",
        "left_out",
        "level",
        "lines",
        "marks",
        "money",
        "order",
        "own",
        "pending",
        "people",
        "run",
        "runs_at",
        "seats",
        "small",
        "street",
        "summary",
        "tournament",
        "venue",
    )

    def __init__(self, lines: Lines, base: int, people: People, venue: str, game: GameSet, dialect: Dialect) -> None:
        self.lines = lines
        self.base = base  # byte in the chunk at which the hand begins
        self.people = people
        self.venue = venue
        self.game = game
        self.exponent = game.exponent
        self.money = amounts.known(game.exponent)
        self.dialect = dialect
        self.known = known(dialect.name, game.exponent)
        self.tournament = game.format == "tournament"
        self.events: list[Event] = []
        self.marks: list[int] = []  # the line that tells each event, NOWHERE for none
        self.derived: list[int] = []
        self.seats: dict[str, Seat] = {}  # by name, without names that two seats share
        self.order: list[str] | None = None  # the names, longest first
        self.dup: set[str] = set()  # names that two seats share
        self.early: list[int] = []  # lines between the table and its seats
        self.chairs: dict[Seat, Chair] = {}
        self.left_out: dict[Seat, int] = {}  # where its SeatLeftOut stands
        self.bets: list[Chips] = [0] * SEATS
        self.level = 0  # the highest live bet
        self.last_raise = NO_RAISE  # where it stands, and the raiser's bet before it
        self.alone: Seat = 0  # who made it, until somebody matches it; 0 = nobody
        self.street: Street = "preflop"
        self.pending: list[tuple[Seat, Chips, int]] = []  # bets that nobody called, not yet returned
        self.small: Seat = 0  # who posted the small blind, the big blind
        self.big: Seat = 0
        self.blind = game.blinds[-1] if game.blinds else (game.bets[0] if game.bets else 0)
        self.doubtful: dict[Seat, int] = {}  # second small blinds: dead or live shows later
        self.antes: list[int] = []  # where the antes stand
        self.board: dict[tuple[int, int], int] = {}  # cards dealt so far, by run and board
        self.dealt = ""  # the only board as written, while nothing about it is odd
        self.run = 1
        self.face = 1  # the board whose pots are awarded
        self.runs_at = -1  # where RunsAgreed stands
        self.after = False  # a pot was awarded, no showdown was announced
        self.ended = False  # betting is over: showdown or award seen
        self.kept: dict[Seat, Cards] = {}  # cards shown
        self.own = False  # somebody's own cards are told
        self.summary = -1  # the line of the summary's heading

    def put(self, event: Event, k: int) -> None:
        """Add an event that line `k` tells."""
        self.events.append(event)
        self.marks.append(k)

    def places(self) -> list[int]:
        """Return start and length of each event's line, counted from the hand's first byte."""
        marks, lines = self.marks, self.lines
        places = [0] * (2 * len(marks))
        of_marks = itemgetter(*marks)  # a hand has more than one event
        places[::2] = map(sub, of_marks(lines.starts), repeat(self.base))
        places[1::2] = of_marks(lines.lengths)
        for index in self.derived:
            if marks[index] == NOWHERE:
                places[2 * index : 2 * index + 2] = (0, 0)
        return places

    def unread(self, line: str, k: int) -> None:
        """Keep a line that nobody knows."""
        self.put(LineUnread(self.people.text(line.strip())), k)

    def chips(self, text: str) -> Chips:
        """Read an amount in the hand's unit."""
        found = self.money.get(text)
        return amounts.read(text, self.exponent) if found is None else found

    def player(self, name: str) -> PlayerId:
        """Return the id of a name at this venue."""
        return self.people.player(self.venue, name)

    def by_length(self) -> list[str]:
        """Return the names of the seats, longest first."""
        if self.order is None:
            self.order = sorted((*self.seats, *self.dup), key=len, reverse=True)
        return self.order

    def who(self, line: str, after: str) -> tuple[str, str] | None:
        """Find the name before `after` at the beginning of a line: the name, and what follows."""
        for name in self.by_length():
            if line.startswith(after, len(name)) and line.startswith(name):
                return name, line[len(name) + len(after) :]
        return None

    def seat(self, name: str) -> Seat | None:
        """Return the seat of a name, blanks at its end or not."""
        found = self.seats.get(name)
        return self.seats.get(name.rstrip()) if found is None else found

    def posted(self, seat: Seat, live: Chips) -> None:
        """Keep the books for a blind or bet of `live` more chips."""
        bet = self.bets[seat] = self.bets[seat] + live
        self.raised_to(seat, bet)

    def raised_to(self, seat: Seat, bet: Chips) -> None:
        """Keep the level for a seat's live total."""
        if bet > self.level:
            self.level = bet
            self.alone = seat
        elif bet == self.level and seat != self.alone:
            self.alone = 0

    def next_street(self, street: Street) -> None:
        """Begin a street; a bet that nobody called and nobody gave back is remembered."""
        self.close_bets()
        self.street = street
        self.bets = [0] * SEATS
        self.level = self.alone = 0

    def close_bets(self) -> None:
        """Remember a bet that nobody called."""
        if self.alone:
            rest = max(bet for seat, bet in enumerate(self.bets) if seat != self.alone)
            self.pending.append((self.alone, self.level - rest, len(self.events)))
            self.alone = 0

    def end_bets(self) -> None:
        """Take note that the betting is over."""
        if not self.ended:
            self.ended = True
            self.close_bets()

    def insert(self, index: int, event: Event) -> None:
        """Put a derived event where it belongs."""
        self.events.insert(index, event)
        self.marks.insert(index, NOWHERE)
        self.derived = [at + (at >= index) for at in self.derived] + [index]
        if self.runs_at >= index:
            self.runs_at += 1
        self.left_out = {seat: at + (at >= index) for seat, at in self.left_out.items()}

    def move(self, start: int, to: int) -> None:
        """Put the events from `start` on before event `to`: their line stands before its line."""
        count = len(self.events) - start
        self.events[to:] = self.events[start:] + self.events[to:start]
        self.marks[to:] = self.marks[start:] + self.marks[to:start]
        self.left_out = {seat: at + count * (at >= to) for seat, at in self.left_out.items()}

    def return_bets(self, total: Chips | None, put: Chips) -> None:
        """Derive the returned bets that old files do not print.

        Where the declared total counts such a bet among the pot, the source says that it stayed in.
        """
        if not self.pending or total == put:
            return
        for seat, amount, index in reversed(self.pending):
            if amount > 0:
                self.insert(index, BetReturned(seat, amount))


def too_many(seat: int) -> UnreadableHandError:
    """Return the error for a seat number that no table has."""
    return UnreadableHandError(f"there is no seat {seat}: tables have fewer than {SEATS}", kind="seat")
