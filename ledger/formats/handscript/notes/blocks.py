"""A hand of a night, or what stands between two: its lines, what was read of them, what is asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ledger.account import Problem
from ledger.formats.handscript.lines import Line
from ledger.formats.handscript.notes.noted_hand import CanonicalLine
from ledger.formats.handscript.notes.statements import Statement

TABLE_KINDS: Final = frozenset(("away", "back", "leaves", "chips", "moves", "waits", "sits"))
"""Facts about the table, between hands."""


@dataclass(slots=True)
class Block:
    """A hand, or facts between hands, read: canonical lines, or what is asked."""

    kind: str  # "hand", "table", "heading"
    lines: list[Line] = field(default_factory=list)  # of the notes
    canonical_lines: list[CanonicalLine] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    remarks: list[tuple[Line, str]] = field(default_factory=list)
    number: str = ""
    header: list[str] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)
    counted: int = 0  # of the statements, those whose kinds are known

    def has(self, kinds: frozenset[str]) -> bool:
        """Whether one of its statements is of these kinds."""
        self.kinds.update(statement.kind for statement in self.statements[self.counted :])
        self.counted = len(self.statements)
        return not self.kinds.isdisjoint(kinds)


def is_of_hand(statements: list[Statement]) -> bool:
    """Whether a line behind the end of a hand belongs to it: nothing of it is about the table."""
    kinds = {statement.kind for statement in statements}
    return not kinds & TABLE_KINDS and ("unread" not in kinds or bool(kinds & {"show", "win", "pot", "board", "act"}))


def next_number(previous_number: str) -> str:
    """Return the number of a hand that the notes don't number."""
    return (
        str(int(previous_number) + 1)
        if previous_number.isdecimal()
        else "1"
        if not previous_number
        else f"{previous_number}+1"
    )
