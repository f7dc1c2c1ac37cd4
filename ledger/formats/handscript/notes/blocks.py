"""Blocks of a night: a hand, or the facts between two hands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ledger.account import Problem
from ledger.formats.handscript.lines import Line
from ledger.formats.handscript.notes.noted_hand import CanonicalLine
from ledger.formats.handscript.notes.statements import Statement

TABLE_KINDS: Final = frozenset(("away", "back", "leaves", "chips", "moves", "waits", "sits"))
"""Kinds of statements about the table."""


@dataclass(slots=True)
class Block:
    """A hand, or facts between hands, with its canonical lines or its questions."""

    kind: str  # "hand", "table", "heading"
    lines: list[Line] = field(default_factory=list)  # of the notes
    canonical_lines: list[CanonicalLine] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    remarks: list[tuple[Line, str]] = field(default_factory=list)
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


def is_of_hand(statements: list[Statement]) -> bool:
    """Whether a line after the end of a hand belongs to the hand, not to the table."""
    kinds = {statement.kind for statement in statements}
    if kinds <= {"remark", "gap", "unread"}:
        return False
    return not kinds & TABLE_KINDS and ("unread" not in kinds or bool(kinds & {"show", "win", "pot", "board", "act"}))


def next_number(previous_number: str) -> str:
    """Return the number of a hand that the notes leave unnumbered."""
    return (
        str(int(previous_number) + 1)
        if previous_number.isdecimal()
        else "1"
        if not previous_number
        else f"{previous_number}+1"
    )
