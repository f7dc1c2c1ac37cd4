"""A room's text as tables of phrases: `Uncalled bet ({amount}) returned to {name}` → how it is told.

A phrase is literal text with fields in braces. What a field holds follows from its name (`FIELDS`): `name`
is a seated player, `amount` is chips, `street` one of the room's words for a street; `who` is anybody's name,
`_` is left aside, and any other is text. A phrase whose field is no such thing is not meant, and the next one is tried.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, Final, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.hand.dealing import HoleCardsLearned
from ledger.hand.ending import ShowdownBegun
from ledger.hand.opening import ButtonPlaced, GameSet, OptionSet, TournamentSet
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.acts import Make
from ledger.readers.cards import KNOWN, groups, reader
from ledger.readers.hand import SEATS
from ledger.readers.heads import Found
from ledger.readers.incomplete import nobody
from ledger.readers.lines import Lines
from ledger.readers.phrases import Phrase, Split, Table, number, phrase
from ledger.readers.rows import Tell, bound, in_order
from ledger.readers.telling import POTS, Pot, Telling, Value
from ledger.text.repeated_texts import TextResults
from ledger.vocabulary import Cards, Chips, Seat, Street

Deed: TypeAlias = tuple[str, str, str | None, Make, bool]
"""How a line begins that tells an act, what stands before its amount if more does, what behind it, how it is told.

What has None behind has no amount; the truth says that an amount stands in front of the one that counts.
"""

Rows: TypeAlias = Sequence[tuple[str, Tell]]
Acts: TypeAlias = dict[str, tuple[Make, Chips, bool | None]]
"""What was read before behind a name → how it is told."""
Told: TypeAlias = "dict[str, Callable[[Room], bool | None]]"
"""A line that was read before → how it is told."""

Field: TypeAlias = "Callable[[Room, str], Value | None]"
"""Reads what a field holds; None where its text is no such thing."""

_LONGEST: Final = 100
_ENDS: Final = re.compile(r"[\])*]\.?\w")  # of a line, with another right behind it
BOARD_STREETS: Final[tuple[Street, ...]] = ("flop", "turn", "river")
_PLACES: Final = 7
"""Digits of a place in a tournament."""
_OF_SEATS: Final = frozenset(("name", "result"))
"""Fields that hold something else in another hand."""
Row: TypeAlias = "tuple[Split, Tell, tuple[Field | None, ...], bool]"
"""How a phrase is split, what tells it, how its fields are read if one is to be, and whether it means the same in every hand."""


class Room(Telling):
    """A hand told from a room's tables: the row of a seat, acts and sayings behind a name, other lines."""

    __slots__ = (
        "acts_read",
        "besides_read",
        "by_word",
        "dealer",
        "lines_read",
        "plain_words",
        "rows_read",
        "run",
        "summary_read",
    )

    BEHIND: ClassVar[tuple[str, ...]] = (":",)
    """What may stand between a name and the blank behind it; "" = nothing."""
    ALL_IN: ClassVar[tuple[str, ...]] = ()
    """What an act ends with that puts somebody all in."""

    CARDS: ClassVar[Mapping[str, str]] = KNOWN
    """The room's words for a card → the card."""
    SEAT_ROWS: ClassVar[Sequence[str]] = ("Seat {seat}: {name} ({amount})",)
    """How a row of the list of seats may be written."""
    BESIDES: ClassVar[Rows] = ()
    """Other lines that may stand in the list of seats."""
    STREETS: ClassVar[Mapping[str, Street]] = {
        word: street for street in BOARD_STREETS for word in (street.title(), street.upper(), street)
    }
    """The room's words for a street with a board."""
    HAND_STREETS: ClassVar[Mapping[str, Street]] = {}
    """The room's words for a street without a board: of stud, or a draw."""
    POTS: ClassVar[Mapping[str, Pot]] = POTS
    """The room's words for a pot."""
    DEEDS: ClassVar[Sequence[tuple[str, Make]]] = ()
    """What a player does, behind the name: `raises {_} to {amount}`; the words for all-in are `ALL_IN`.

    Where what stands before the amount has to be one too, it is `{by}`.
    """
    WHY: ClassVar[Rows] = ()
    """What may stand behind an act and says why it was made, each told before it of the seat."""
    SAYINGS: ClassVar[Rows] = ()
    """What else stands behind a name; the teller is given the seat."""
    LINES: ClassVar[Rows] = ()
    """All other lines."""
    SUMMARY: ClassVar[Rows] = ()
    """Lines that are meant only behind the summary's heading, where they come before all others."""

    _cards: ClassVar[tuple[Callable[[str], Cards | None]]]
    _said: ClassVar[tuple[str, ...]]
    """What stands behind a name in any line, with the blank before it."""
    _acts: ClassVar[Mapping[str, tuple[Deed, ...]]]
    """The first word behind a name → `DEEDS` that begin with it."""
    _sayings: ClassVar[Table[Row, None]]
    _lines: ClassVar[Table[Row, None]]
    _besides: ClassVar[Table[Row, None]]
    _summary: ClassVar[Table[Row, None]]
    _seats: ClassVar[tuple[Phrase, ...]]
    _stack_last: ClassVar[bool]
    """What stands before the last bracket of a row seldom changes, as it ends with the stack."""

    def __init_subclass__(cls) -> None:
        """Take the room's phrases apart, once."""
        super().__init_subclass__()
        cls._cards = (reader(cls.CARDS),)
        acts: dict[str, tuple[Deed, ...]] = {}
        for template, make in cls.DEEDS:
            (words, *rest), fields, *_ = phrase(template)
            before = rest[-2] if len(rest) > 1 else ""
            first = words.partition(" ")[0]
            deed = (words, before, rest[-1] if rest else None, make, "by" in fields)
            acts[first] = (*acts.get(first, ()), deed)
        cls._acts = acts
        firsts = {" " + phrase(row[0]).parts[0].rstrip() for row in (*cls.DEEDS, *cls.SAYINGS)}
        firsts |= {parts[1].rstrip() for row in cls.LINES if not (parts := phrase(row[0]).parts)[0] and parts[1:]}
        cls._said = tuple(words for words in firsts if words[:1] == " " and len(words) > 1)
        cls._sayings, cls._lines = _table(cls.SAYINGS, 2), _table(cls.LINES)
        cls._summary, cls._besides = _table((*cls.SUMMARY, *cls.LINES)), _table(cls.BESIDES)
        cls._seats = tuple(map(phrase, cls.SEAT_ROWS))
        cls._stack_last = cls.SEAT_ROWS[0].endswith(" ({amount})")

    def __init__(self, lines: Lines, people: People, venue: str, game: GameSet, at: int) -> None:
        super().__init__(lines, people, venue, game, at)
        room, before = type(self), people.read_before
        self.acts_read: Acts
        self.lines_read: Told
        self.besides_read: Told
        self.summary_read: Told
        self.acts_read, self.lines_read, self.besides_read, self.summary_read = before.results_of_kinds(
            4, room, game.exponent
        )
        self.rows_read: dict[str, tuple[Seat, dict[str, str]]] = before.results_of(room, "rows")
        self.by_word: dict[str, list[tuple[str, Seat]]] = {}
        self.plain_words: dict[str, Seat] = {}
        self.run = 1  # the run of the board whose showdown it is
        self.dealer: tuple[Seat, int] | None = None  # who has the button, and in which line
        self.begin()

    def begin(self) -> None:
        """Know nothing yet of what only this room tells."""

    def finish(self) -> None:
        """Do what only the whole hand can tell."""

    def play(
        self, head: Found | int, after: int, costs: TournamentSet | None = None, *options: OptionSet | None
    ) -> None:
        """Tell all of a hand behind its head: costs, game, options, and what `play_on` tells."""
        for event in (costs, self.game, *options):
            if event is not None:
                self.put(event)
        self.play_on(head, after)

    def play_on(self, head: Found | int, after: int) -> None:
        """Tell what nobody knows of the head, the seats, the button, and what is done.

        A head that was read otherwise is the number of the line behind it.
        """
        k = head.behind if isinstance(head, Found) else head
        if isinstance(head, Found):
            self.dealer = self.dealer or head.dealer
            for self.at in head.strange:
                self.unread(self.lines.text[self.at])
        k = self.seats_from(k, after)
        if self.dealer is not None:
            self.at = self.dealer[1]
            self.put(ButtonPlaced(self.dealer[0]))
        self.body(k, after)
        self.finish()

    def heads(self, title: str, rest: str, run: int = 0) -> bool | None:
        """Read `TURN` with `[2c 7d Kc] [9s]`, of which the last bracket is new, or `SHOW DOWN`; None: it is neither.

        `run`: the number that the heading bears, 0 without one.
        """
        if title in self.STREETS:
            dealt = groups(self.cards, rest.strip(" :"))
            if dealt is not None:
                self.board_of_run(self.STREETS[title], dealt[-1], run)
            return dealt is not None
        if title not in ("SHOW DOWN", "SHOWDOWN"):
            return None
        self.close_bets()
        self.run = run or 1
        self.put(ShowdownBegun(self.run))
        return True

    def wins(self, seat: Seat, amount: Chips, pot: Pot = (None, "")) -> None:
        """Tell `wins side pot 1 ($5)`, of the run whose showdown it is."""
        self.award(seat, amount, pot[0], run=self.run, half=pot[1])

    def cards(self, text: str) -> Cards | None:
        """Return `9c 2c Qd` as cards, or as the room writes them; None where one of them is no card."""
        return self._cards[0](text)

    def seats_from(self, k: int, after: int) -> int:
        """Take the list of seats from line `k` on; return the line behind it."""
        text, label, stack_last = self.lines.text, self._seats[0].parts[0], self._stack_last
        rows, besides = self.rows_read, self.besides_read
        while k < after:
            line = text[k].strip()
            if line:
                self.at = k
                head, _, stack = line.rpartition(" (") if stack_last else (line, "", ")")
                row = rows.get(head) if stack[-1:] == ")" else None
                if row is not None and stack_last:
                    row[1]["amount"] = stack[:-1]
                elif row is None and line not in besides:
                    row = self._row(line, head)
                if row is not None:
                    self.sits_down(*row)
                elif (told := besides.get(line)) is not None and told(self) is not False:
                    pass
                elif not self._tell(self._besides, line, besides):
                    if label and line.startswith(label):
                        raise seat_unreadable(line)
                    break
            k += 1
        if not self.stacks:
            raise nobody()
        self.listen()
        return k

    def _row(self, line: str, head: str) -> tuple[Seat, dict[str, str]] | None:
        """Return what a row of the list of seats says; most players have the same chair in the next hand."""
        for row in self._seats:
            found = row.match(line)
            written = found["seat"].strip() if found else ""
            seat = number(written)
            if found and (seat or written == "0"):
                if len(line) < _LONGEST and (row is self._seats[0] or head == line):
                    self.rows_read[head] = seat, found
                return seat, found
        return None

    def sits_down(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Take one row of the list of seats."""
        self.take(seat, row["name"], self.amount(row["amount"]))

    def has_button(self, seat: Seat) -> None:
        """Take `Dealer: Seat 3` of the list of seats: what is told last counts."""
        self.dealer = (seat, self.at) if seat < SEATS else None

    def listen(self) -> None:
        """Learn how the lines of the seats begin, once all seats are read."""
        self.by_word.clear()
        self.plain_words.clear()
        by_word, plain = self.by_word, self.plain_words
        for name in self.names():
            for behind in self.BEHIND:
                spoken, seat = name + behind, self.seats[name]
                word, blank, _ = spoken.partition(" ")
                if word in by_word:
                    by_word[word].append((spoken, seat))
                    plain.pop(word, None)
                else:
                    by_word[word] = [(spoken, seat)]
                    if not blank:
                        plain[word] = seat

    def speaker(self, line: str) -> list[tuple[Seat, str]]:
        """Return the seats whose name a line may begin with, longest name first, and what follows."""
        return [
            (seat, line[len(spoken) + 1 :].strip())
            for spoken, seat in self.by_word.get(line.partition(" ")[0], ())
            if line.startswith(" ", len(spoken)) and line.startswith(spoken)
        ]

    def told_lines(self, k: int, after: int) -> Iterable[tuple[int, str]]:
        """Return lines `k` up to `after` with their numbers, each without what the room puts before acts."""
        return enumerate(self.lines.text[k:after], k)

    def body(self, k: int, after: int) -> None:
        """Read lines `k` up to `after`."""
        text, known, plain, by_word = self.lines.text, self.acts_read, self.plain_words, self.by_word
        for at, line in self.told_lines(k, after):
            self.at = at
            word, blank, rest = line.partition(" ")
            seat = plain.get(word)
            if seat:
                told = known.get(rest) or known.get(rest.strip())
                if told and told[0](self, seat, told[1], told[2]) is not False:
                    continue
                if blank and self.act(seat, rest.strip()):
                    continue
            elif word in by_word and self.spoken(line):
                continue
            if (bare := line.strip()) and not self.line(bare):
                self.unread(text[at])
            if self.closed:
                self.sum(at + 1, after)
                break

    def sum(self, k: int, after: int) -> None:
        """Read the lines of a summary in which nobody acts."""
        for at, line in enumerate(self.lines.text[k:after], k):
            if bare := line.strip():
                self.at = at
                if not self.line(bare):
                    self.unread(bare)

    def spoken(self, line: str) -> bool:
        """Read what somebody does; if it was no act of the longest name a shorter one may be meant."""
        for spoken, seat in self.by_word.get(line.partition(" ")[0], ()):
            behind = len(spoken)
            if line.startswith(" ", behind) and line.startswith(spoken) and self.act(seat, line[behind + 1 :].strip()):
                return True
        return False

    def act(self, seat: Seat, rest: str) -> bool:
        """Read what follows a name: an act of the table, or a saying of the room; False where it is neither."""
        if (told := self.acts_read.get(rest)) and told[0](self, seat, told[1], told[2]) is not False:
            return True
        for words, tell in self.WHY:
            if rest.endswith(words):
                tell(self, seat)
                rest = rest[: -len(words)].rstrip()
        for deed in self._acts.get(rest.partition(" ")[0], ()):
            if rest.startswith(deed[0]) and deed[1] in rest and self._make(seat, rest, deed):
                return True
        return self._tell(self._sayings, rest, self.acts_read, seat)

    def _make(self, seat: Seat, rest: str, deed: Deed) -> bool:
        words, before, behind, make, by = deed
        text = rest[len(words) :]
        aside, _, text = text.rpartition(before) if before else ("", "", text)
        bare, all_in = self.without_all_in(text)
        if behind is None:
            if bare:
                return False
            amount = 0
        elif bare.endswith(behind):
            amount = self.amount(bare[: len(bare) - len(behind)].strip())
        else:
            return False
        if by:
            self.amount(aside)
        if make(self, seat, amount, all_in) is False:
            return False
        if len(rest) < _LONGEST:
            self.acts_read[rest] = make, amount, all_in
        return True

    def without_all_in(self, text: str) -> tuple[str, bool | None]:
        """Part an act from what says that it is all-in."""
        for words in self.ALL_IN:
            if text.endswith(words):
                return text[: len(text) - len(words)], True
        return text, None

    def holds_a_line(self, name: str) -> bool:
        """Tell whether what stands where a name is looked for holds a line: its end was lost."""
        return bool(_ENDS.search(name)) or any(words in name for words in self._said)

    def learned(self, seat: Seat, rest: str) -> str | None:
        """Take the cards of `showed [Ah Kd] and won`, if they are new; return what stands behind them.

        Where no cards are told it is the whole; None where they are none that can be read.
        """
        if not rest.startswith(("showed [", "mucked [")):
            return rest
        inner, _, behind = rest[8:].partition("]")
        cards = self.cards(inner)
        if cards is None:
            return None
        if seat not in self.shown:
            self.shown.add(seat)
            self.put(HoleCardsLearned(seat, cards, "shown" if rest[0] == "s" else "after"))
        return behind.strip()

    def seat_of(self, name: str) -> Seat:
        """Return the seat of a name, 0 if nobody in this hand is called so."""
        return self.seats.get(name, 0)

    def line(self, line: str) -> bool:
        """Read a line that no act begins; False where nobody knows it."""
        rows, memory = (self._summary, self.summary_read) if self.summary else (self._lines, self.lines_read)
        told = memory.get(line)
        return (told is not None and told(self) is not False) or self._tell(rows, line, memory)

    def _tell(self, rows: Table[Row, None], text: str, memory: TextResults, *who: Seat) -> bool:
        """Tell the first phrase that fits and is meant; False where there is none.

        What a text says that names nobody is remembered, if the first phrase that fits is meant; so is that none fits.
        """
        if memory.get(text) is _fits_no_phrase:
            return False
        first = True
        for _, (split, tell, readers, lasting) in rows.rows(text):
            written = split(text)
            if written is None:
                continue
            values = self._read(readers, written) if readers else written
            if values is not None and tell(self, *who, *values) is not False:
                if first and lasting and len(text) < _LONGEST:
                    memory[text] = (_saying(tell, values), 0, None) if who else bound(tell, values)
                return True
            first = False
        if first and not who and len(text) < _LONGEST:
            memory[text] = _fits_no_phrase
        return False

    def _read(self, readers: tuple[Field | None, ...], written: Sequence[str]) -> list[Value] | None:
        """Return what fields hold; None where one holds no such thing."""
        values: list[Value] = []
        for read, text in zip(readers, written, strict=True):
            value = text if read is None else read(self, text)
            if value is None:
                return None
            values.append(value)
        return values


def _fits_no_phrase(_: object) -> bool:
    """Stand in a memory for a text that no phrase fits, whatever the hand: it isn't tried again."""
    return False


def _table(rows: Rows, given: int = 1) -> Table[Row, None]:
    """Return the table of rows that are told with so many values before the fields: the hand, and perhaps a seat."""
    compiled = []
    for template, tell in rows:
        one = phrase(template)
        readers = tuple(map(FIELDS.get, one.kept))
        row = (
            one.split,
            in_order(tell, one.kept, given),
            readers if any(readers) else (),
            _OF_SEATS.isdisjoint(one.kept),
        )
        compiled.append((template, row))
    return Table(compiled, {})


def _saying(tell: Tell, values: Sequence[Value]) -> Make:
    """Return how a saying is told as acts are."""
    return lambda hand, seat, _amount, _all_in: tell(hand, seat, *values)


FIELDS: Final[Mapping[str, Field]] = {
    "name": lambda hand, text: hand.seat_of(text) or hand.seat_of(text.strip()) or None,
    "seat": lambda _hand, text: number(text) or None,
    "count": lambda _hand, text: number(text) or None,
    "rank": lambda _hand, text: number(text.rstrip("stndrh"), _PLACES) or None,
    "amount": lambda hand, text: hand.amount(text.strip()),
    "stack": lambda hand, text: hand.maybe(text.strip()),
    "total": lambda hand, text: hand.maybe(text.strip()),
    "dead": lambda hand, text: hand.amount(text.strip()),
    "net": lambda hand, text: signed(hand, text.strip()),
    "prize": lambda _hand, text: amounts.maybe(text.rstrip("."), 2),
    "cards": lambda hand, text: hand.cards(text),
    "groups": lambda hand, text: groups(hand.cards, text),
    "street": lambda hand, text: hand.STREETS.get(text),
    "hand_street": lambda hand, text: hand.HAND_STREETS.get(text),
    "pot": lambda hand, text: hand.POTS.get(text),
    "drops": lambda hand, text: hand.drops_of(text),
    "result": lambda hand, text: hand.result_of(text),
}
"""What a field of that name holds; None where its text is no such thing."""


def signed(hand: Room, text: str) -> Chips | None:
    """Read `-$1.05`, `€-0.05` as less than nothing; None for what is no amount."""
    sign, minus, rest = text.partition("-")
    below = bool(minus) and not any(map(str.isdigit, sign))
    found = hand.maybe(sign + rest if below else text.removeprefix("+"))
    return -found if found is not None and below else found


def seat_unreadable(line: str) -> UnreadableHandError:
    """Return why a hand cannot be told that has such a row in its list of seats."""
    return UnreadableHandError(
        f"a seat cannot be read: {line.strip()[:80]!r}", kind="seat", hint="A number, a name and a stack were expected."
    )
