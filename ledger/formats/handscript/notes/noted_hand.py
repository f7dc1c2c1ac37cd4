"""State of a hand of notes while it is read: canonical lines, derived facts and questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.bet_tracker import Betting
from ledger.formats.handscript.notes.headings import Heading
from ledger.formats.handscript.notes.questions import NotesQuestion, ask_who_sits, question
from ledger.formats.handscript.notes.roster import Roster
from ledger.formats.handscript.notes.statements import NotedAmount, Ref, Statement
from ledger.formats.handscript.tokens import quote
from ledger.vocabulary import in_units

MAX_PROBLEMS: Final = 12


@dataclass(frozen=True, slots=True)
class CanonicalLine:
    """A canonical line, its line of notes, and whether its value is derived from the game."""

    text: str
    line: ScriptLine
    derived: bool = False
    derivation: str = ""


@dataclass(slots=True)
class Previous:
    """Facts from earlier hands that this hand depends on."""

    button: int = 0
    big: int = 0
    small_amount: int | None = None
    raise_means: str = ""  # "to" or "by", if earlier hands prove it
    played: bool = False  # the previous hand was read to its end
    misdealt: bool = False
    dealt: tuple[int, ...] = ()


@dataclass(slots=True)
class NotedHand:
    """A hand of notes: its statements, the game, and the results so far."""

    number: str
    first: ScriptLine
    statements: Sequence[Statement]
    heading: Heading
    roster: Roster
    previous: Previous
    scale: int = 0
    raise_means: str = "to"  # how this reading takes a raise without `to` or `by`
    betting: Betting = field(default_factory=lambda: Betting((), {}))
    canonical_lines: list[CanonicalLine] = field(default_factory=list)
    problems: list[NotesQuestion] = field(default_factory=list)
    remarks: list[tuple[ScriptLine, str]] = field(default_factory=list)
    big_seat: int = 0
    small_amount: int | None = None
    dealt: tuple[int, ...] = ()
    board: list[str] = field(default_factory=list)
    shown_cards: dict[int, str] = field(default_factory=dict)
    winners: list[Statement] = field(default_factory=list)
    chop: Statement | None = None
    odd_chip: Statement | None = None
    rake: int = 0
    jackpot: int = 0  # dropped for it
    returned: int = 0  # uncalled bets
    misdealt: bool = False
    keeps_order: bool = True  # button and blinds determine whose turn it is
    ambiguous: ScriptLine | None = None  # a raise that may be `to` or `by`
    proves_raise: bool = False  # written amounts fit only one meaning of such a raise
    unsure_stacks: frozenset[int] = frozenset()  # seats whose carried-over stack contradicts a written amount
    evidence: int = 0  # number of written amounts that match derived ones
    statement_index: int = 0  # the current statement
    gap: Statement | None = None  # an unread sentence that may hide the next turn
    showdown_gap: Statement | None = None  # one that may hide who won
    start: int = 0  # byte offset of the hand's first line
    stacks: dict[int, int | None] = field(default_factory=dict)

    # Writing

    def write(
        self, canonical_text: str, note_line: ScriptLine, *, is_derived: bool = False, derivation: str = ""
    ) -> None:
        """Add a canonical line."""
        if not canonical_text:
            return
        self.canonical_lines.append(CanonicalLine(canonical_text, note_line, is_derived, derivation))

    def remark(self, note_line: ScriptLine, remark_text: str) -> None:
        """Add a remark about a line that differs from the lines above, without a question."""
        self.remarks.append((note_line, remark_text))
        self.write(f"remark {quote(remark_text)}", note_line, is_derived=True)

    def ask(self, question: NotesQuestion) -> None:
        """Add a question, up to `MAX_PROBLEMS`."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(question)

    # Amounts

    def units(self, amount: NotedAmount, note_line: ScriptLine) -> int:
        """Return an amount in the smallest unit."""
        if amount.approximate:
            raise question(
                note_line, f"{amount.text} is not exact: how much was it?", hint="Write the amount without ~."
            )
        chips = amount.value.scaleb(self.scale)
        if amount.in_blinds:
            if self.heading.big_blind is None:
                raise question(note_line, f"{amount.text}: how much is the big blind?", "blinds SMALL/BIG")
            chips *= self.heading.big_blind
        if chips != chips.to_integral_value() or chips >= 10**15:
            raise question(note_line, f"{amount.text} is no amount in chips of this table")
        return int(chips)

    def chips(self, amount: int) -> str:
        """Return an amount in handscript notation."""
        return in_units(amount, self.scale)

    # Players

    def name(self, seat: int) -> str:
        """Return a seat with its player's name, as in `seat 5 (Ana)`."""
        player = self.roster.seats.get(seat)
        return f"seat {seat} ({player.name})" if player is not None and player.name else f"seat {seat}"

    def resolve(self, ref: Ref, note_line: ScriptLine) -> int:
        """Return the seat for a reference; ask if it is unclear."""
        seat = self.roster.find(ref)
        if seat is None and ref.kind == "seat":
            raise ask_who_sits(note_line, ref.seat, f"Nobody sits in seat {ref.seat}", f"seat {ref.seat} NAME STACK")
        if seat is None and ref.kind in ("position", "pronoun", "me"):
            seat = self._by_place(ref, note_line)
        if seat is None:
            raise question(note_line, f"Which seat is {ref.text}?", "Name the seat, as in: 5 calls")
        if self.dealt and seat not in self.dealt:
            raise question(note_line, f"{self.name(seat)} isn't dealt in: back in the game?", f"{seat} back")
        return seat

    def _by_place(self, ref: Ref, note_line: ScriptLine) -> int | None:
        if ref.kind == "me":
            raise question(
                note_line, "Which seat is yours?", "I am in seat SEAT", hint="Write it above the first hand."
            )
        if ref.kind == "pronoun":
            other_seats = [seat for seat in self.betting.live if seat != self.roster.own_seat()]
            if len(other_seats) > 1:
                other_seats = [seat for seat in other_seats if seat != self.betting.last]
            return other_seats[0] if len(other_seats) == 1 else None
        return self._at_position(ref.text)

    def _at_position(self, position: str) -> int | None:
        betting = self.betting
        if position == "button":
            return betting.button if betting.button in self.dealt else None
        seat_order = betting.seats_after(betting.button)
        if betting.button not in self.dealt or len(seat_order) < 3 or not self.big_seat:
            return None
        if position in ("small", "big"):
            return {"small": seat_order[0], "big": self.big_seat}[position] if seat_order[1] == self.big_seat else None
        seats_after_big = betting.seats_after(self.big_seat)
        seat_offset = {"utg": 0, "utg+1": 1, "hijack": -5, "cutoff": -4}.get(
            position
        )  # the last three: button, small, big
        seat_count = len(seat_order)
        if position == "middle":
            seat_offset = 1 if seat_count == 6 else None
        if position == "lojack":
            seat_offset = -6 if seat_count >= 6 else None
        if seat_offset is None or seat_count < {-5: 6, -4: 4, 0: 4}.get(seat_offset, 5):
            return None
        return seats_after_big[seat_offset]

    # Looking ahead

    @property
    def dropped(self) -> int:
        """What the house took of the pot."""
        return self.rake + self.jackpot

    @property
    def lists_folds(self) -> bool:
        """Whether the notes list folds, so that a missing fold is a gap."""
        return any(statement.verb == "fold" and statement.kind in ("act", "next") for statement in self.statements)

    def acts_later(self, seat: int, *, on_street: bool) -> bool:
        """Whether a later statement names this seat as acting; `on_street`: before the next street."""
        for statement in self.statements[self.statement_index + 1 :]:
            if statement.kind == "board" and on_street:
                return False
            if statement.kind in ("act", "show", "win", "muck", "chop") and any(
                self.roster.find(ref) == seat for ref in statement.players
            ):
                return True
        return False
