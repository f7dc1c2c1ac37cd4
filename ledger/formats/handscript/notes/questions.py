"""Questions about notes: one for each missing fact, with the line that answers it."""

from __future__ import annotations

from ledger.account import Problem
from ledger.formats.handscript.lines import Line


class QuestionError(Exception):
    """A hand needs an answer before the rest of it can be read."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.reason)
        self.problem = problem


class StackDoubtError(Exception):
    """A written amount contradicts a stack carried over from earlier hands."""

    def __init__(self, seat: int, note_line: Line, doubt_text: str) -> None:
        super().__init__(doubt_text)
        self.seat, self.line, self.text = seat, note_line, doubt_text


def question(note_line: Line, reason: str, answer_line: str = "", hint: str = "") -> QuestionError:
    """Return a question about a line. `answer_line`: the line that answers it."""
    return QuestionError(Problem(note_line.number, 0, reason, answer_line, "", hint))


def describe_unread(note_line: Line, unread_text: str) -> Problem:
    """Return the problem for words that can't be read."""
    shown_words = " ".join(unread_text.split())
    return Problem(
        note_line.number, 0, f"I can't read {shown_words!r}", hint="Write it as in: seat 5 Ana 500, or: 5 raises to 40"
    )
