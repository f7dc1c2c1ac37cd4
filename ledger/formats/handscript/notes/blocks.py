"""Blocks of a night: a hand, or the facts between two hands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.noted_hand import CanonicalLine
from ledger.formats.handscript.notes.questions import NotesQuestion
from ledger.formats.handscript.notes.statements import Statement

TABLE_KINDS: Final = frozenset(("away", "back", "leaves", "chips", "moves", "waits", "sits"))
"""Kinds of statements about the table."""
_ENDINGS: Final = frozenset(("win", "chop", "misdeal", "end"))
_ACTS: Final = frozenset(("act", "next", "everyone", "folds-to", "checks-to"))
_OPENING_ACTS: Final = _ACTS | {"bare"}
CORRECTABLE: Final = frozenset(("act", "board", "show", "win", "button", "post"))
"""Kinds of statements that a later one may correct."""


@dataclass(slots=True)
class Block:
    """A hand, or facts between hands, with its canonical lines or its questions."""

    kind: str  # "hand", "table", "heading"
    lines: list[ScriptLine] = field(default_factory=list)  # of the notes
    canonical_lines: list[CanonicalLine] = field(default_factory=list)
    problems: list[NotesQuestion] = field(default_factory=list)
    remarks: list[tuple[ScriptLine, str]] = field(default_factory=list)
    number: str = ""
    header: list[str] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)
    counted: int = 0  # statements already counted in `kinds`

    def has(self, kinds: frozenset[str]) -> bool:
        """Whether a statement has one of these kinds."""
        self.kinds.update(statement.kind for statement in self.statements[self.counted :])
        self.counted = len(self.statements)
        return not self.kinds.isdisjoint(kinds)


def correct_statement(statements: list[Statement], correction: Statement) -> bool:
    """Put a correction in the place of the statement that it corrects; return whether there is one."""
    for index in range(len(statements) - 1, -1, -1):
        corrected = statements[index]
        if corrected.kind in ("remark", "pot", "time") or (correction.kind == "board" and corrected.kind != "board"):
            continue
        if not _corrects(correction, corrected):
            return False
        remark = Statement("remark", correction.line, text=f"{corrected.text}; corrected: {correction.text}")
        statements[index] = correction
        statements.append(remark)
        return True
    return False


def _corrects(correction: Statement, corrected: Statement) -> bool:
    """Whether one statement corrects another: the same player's act, or the same street."""
    if correction.kind not in CORRECTABLE or correction.kind != corrected.kind:
        return False
    if correction.kind == "board":
        return correction.verb == corrected.verb
    if correction.kind == "button":
        return True
    same_player = [ref.text for ref in correction.players] == [ref.text for ref in corrected.players]
    return same_player and len(correction.players) == 1


def read_out_as_fold(block: Block, statement: Statement, line_statements: list[Statement]) -> None:
    """Read `Pat out` among acts as a fold; before the first act it may mean that Pat isn't dealt in, and is asked."""
    is_out = (
        statement.kind == "leaves"
        and statement.text.lower().split()[-1:] == ["out"]
        and len(statement.text.split()) < 4
    )
    if not is_out or block.has(_ENDINGS):
        return
    is_among_acts = any(line_statement.kind in _OPENING_ACTS for line_statement in line_statements)
    if block.has(_ACTS) and is_among_acts:
        statement.kind, statement.verb, statement.qualifier = "act", "fold", ""
    else:
        statement.kind = "unread"


def read_gain_as_win(block: Block, statement: Statement) -> None:
    """Read `Jun +97` at the end of a hand as what Jun wins, not as chips he buys."""
    if statement.kind == "chips" and "+" in statement.text and block.has(_ACTS) and not block.has(_ENDINGS):
        statement.kind, statement.verb, statement.qualifier = "win", "win", ""


def is_of_hand(statements: list[Statement]) -> bool:
    """Whether a line after the end of a hand belongs to the hand, not to the table."""
    kinds = {statement.kind for statement in statements}
    if kinds <= {"remark", "gap", "unread"}:
        return False
    return not kinds & TABLE_KINDS and ("unread" not in kinds or bool(kinds & {"show", "win", "board", "act"}))


def find_next_number(previous_number: str) -> str:
    """Return the number of a hand that the notes leave unnumbered."""
    return (
        str(int(previous_number) + 1)
        if previous_number.isdecimal()
        else "1"
        if not previous_number
        else f"{previous_number}+1"
    )
