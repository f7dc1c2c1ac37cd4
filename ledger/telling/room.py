"""A room's text as tables of phrases: `Uncalled bet ({amount}) returned to {name}` → how it is told.

A phrase is literal text with fields in braces. What a field holds follows from its name: `name` is a
seated player, `seat` and `count` are small numbers, `amount` is chips, `cards` are cards; any other is text.
A phrase whose field is no such thing is not meant, and the next one is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, Final, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, ResultDeclared, ShowdownBegun
from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.telling.cards import KNOWN, reader
from ledger.telling.lines import Lines
from ledger.telling.phrases import Phrase, Table, number, phrase
from ledger.telling.spoken import Make, Spoken, nobody
from ledger.vocabulary import Cards, Chips, Seat, Street

Tell: TypeAlias = Callable[..., bool | None]
"""Tells a phrase of a hand, which is given first and its fields by name; False where it was not meant."""

Rows: TypeAlias = Sequence[tuple[str, Tell]]
Value: TypeAlias = Seat | Chips | Cards | str


_read_cards: Final = reader(KNOWN)


class Room(Spoken):
    """A hand told from a room's tables: the row of a seat, acts and sayings behind a name, other lines."""

    __slots__ = ("board_told", "shown")

    SEAT: ClassVar[str] = "Seat {seat}: {name} ({amount})"
    DEEDS: ClassVar[Sequence[tuple[str, Make]]] = ()
    """What a player does, behind the name: `raises {_} to {amount}`; the words for all-in are `ALL_IN`."""
    SAYINGS: ClassVar[Rows] = ()
    """What else stands behind a name; the teller is given the seat."""
    LINES: ClassVar[Rows] = ()
    """All other lines."""

    _sayings: ClassVar[Table[Tell]]
    _lines: ClassVar[Table[Tell]]
    _seat: ClassVar[Phrase]

    def __init_subclass__(cls) -> None:
        """Take the room's phrases apart, once."""
        super().__init_subclass__()
        acts: dict[str, tuple[tuple[str, Make], ...]] = {}
        for template, make in cls.DEEDS:
            words = template.partition("{")[0]
            first = words.partition(" ")[0]
            acts[first] = (*acts.get(first, ()), (words, make))
        cls.ACTS = acts
        cls._sayings, cls._lines, cls._seat = Table(cls.SAYINGS), Table(cls.LINES), phrase(cls.SEAT)

    def __init__(self, lines: Lines, people: People, venue: str, game: GameSet, at: int) -> None:
        super().__init__(lines, people, venue, game, at)
        self.board_told: Cards = ""  # the whole board so far
        self.shown: set[Seat] = set()  # who showed or mucked

    def cards(self, text: str) -> Cards | None:
        """Return `9c 2c Qd` as cards, or as the room writes them; None where one of them is no card."""
        return _read_cards(text.strip())

    def seats_from(self, k: int, after: int) -> int:
        """Take the list of seats from line `k` on; return the line behind it."""
        text, row = self.lines.text, self._seat
        while k < after:
            line = text[k].strip()
            if line and not line.startswith(row.parts[0]):
                break
            if line:
                self.at = k
                self.listed_as(line, row.match(line))
            k += 1
        if not self.seats:
            raise nobody()
        self.listen()
        return k

    def listed_as(self, line: str, found: Mapping[str, str] | None) -> None:
        """Take one row of the list of seats."""
        seat = number(found["seat"]) if found else 0
        if found is None or not seat:
            raise UnreadableHandError(
                f"a seat cannot be read: {line[:80]!r}", kind="seat",
                hint="A number, a name and a stack in brackets were expected.",
            )  # fmt: skip
        self.take(seat, found["name"], self.amount(found["amount"]))

    def act(self, seat: Seat, rest: str) -> bool:
        """Read what follows a name: an act of the table, or a saying of the room."""
        return super().act(seat, rest) or any(
            tell(self, seat, **fields) is not False
            for tell, fields in self._meant(self._sayings, rest)
        )

    def line(self, line: str) -> bool:
        """Read a line that no act begins; False where nobody knows it."""
        return any(
            tell(self, **fields) is not False for tell, fields in self._meant(self._lines, line)
        )

    # -- what most rooms say: their tables name these ---------------------------------------------

    def own_cards(self, name: Seat, cards: Cards) -> None:
        """Tell `Dealt to Ada [9d Jd]`."""
        self.own = True
        self.dealt(HoleCardsDealt(name, cards))

    def uncalled(self, amount: Chips, name: Seat) -> None:
        """Tell `Uncalled bet ($1.50) returned to Ada`."""
        self.refund(name, amount)

    def rake(self, amount: Chips) -> None:
        """Tell `Rake: $0.10`."""
        self.drop("rake", amount)

    def whole_board(self, cards: Cards) -> None:
        """Tell `Board [9c 2c Qd]` of a summary."""
        self.put(ResultDeclared("board", None, None, cards))

    def street_board(self, street: Street | None, cards: Cards | None) -> bool:
        """Deal a street of which the source tells the whole board so far; False where that cannot be."""
        if street is None or cards is None or not cards.startswith(self.board_told):
            return False
        new, self.board_told = cards[len(self.board_told) :], cards
        self.board(street, new)
        return True

    def shows(self, seat: Seat, cards: Cards, claim: str = "") -> None:
        """Show a hand, once: some rooms tell it twice."""
        if seat not in self.shown:
            self.shown.add(seat)
            self.close_bets()
            words = claim.strip().removeprefix("(").removesuffix(")")
            self.put(CardsShown(seat, cards, False, self.people.text(words)))

    def mucks(self, seat: Seat) -> None:
        """Muck a hand, once."""
        if seat not in self.shown:
            self.shown.add(seat)
            self.close_bets()
            self.put(CardsMucked(seat))

    def showdown(self) -> None:
        """Begin the showdown, if anybody is left to show against."""
        self.close_bets()
        if len(self.stacks) - len(self.folded) > 1:
            self.put(ShowdownBegun())

    def ignored(self, **fields: Value) -> None:
        """Take a line as read that tells nothing of the hand."""

    def _meant(self, rows: Table[Tell], text: str) -> Iterator[tuple[Tell, dict[str, Value]]]:
        for tell, found in rows.matches(text):
            fields = {field: self._value(field, value) for field, value in found.items()}
            meant = {field: value for field, value in fields.items() if value is not None}
            if len(meant) == len(fields):
                yield tell, meant

    def _value(self, field: str, text: str) -> Value | None:
        """Return what a field holds; None where it holds no such thing."""
        if field == "name":
            return self.seat_of(text) or None
        if field in ("seat", "count"):
            return number(text) or None
        if field == "amount":
            return self.amount(text)
        return self.cards(text) if field == "cards" else text
