"""Questions about notes: one for each missing fact, with the line that answers it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ledger.account import Problem
from ledger.formats.handscript.lines import ScriptLine

_LEADING_SEAT: Final = re.compile(r"(?:seat\s+|s)?(\d{1,2})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NotesQuestion:
    """A question about a line of notes. Its sentence is for people; the other fields contain what it asks for."""

    line: int  # 1 = first line of the source
    reason: str
    write: str = ""  # a line that answers it
    hint: str = ""
    asks_for_ending: bool = False  # what happened next, or who won
    depends_on: int = 0  # the line whose answer settles it, 0 = its own
    silent_seat: int = 0  # a seat without an act, which may be empty
    named_seat: int = 0  # a seat that its line names, and that may be empty

    @property
    def problem(self) -> Problem:
        """The question as a wrong line of the file."""
        return Problem(self.line, 0, self.reason, self.write, hint=self.hint)


class QuestionError(Exception):
    """A hand needs an answer before the rest of it can be read."""

    def __init__(self, question: NotesQuestion) -> None:
        super().__init__(question.reason)
        self.question = question


class StackDoubtError(Exception):
    """A written amount contradicts a stack carried over from earlier hands."""

    def __init__(self, seat: int, note_line: ScriptLine, doubt_text: str) -> None:
        super().__init__(doubt_text)
        self.seat, self.line, self.text = seat, note_line, doubt_text


def question(note_line: ScriptLine, reason: str, answer_line: str = "", hint: str = "") -> QuestionError:
    """Return a question about a line. `answer_line`: the line that answers it."""
    return QuestionError(NotesQuestion(note_line.number, reason, answer_line, hint))


def ask_for_act(
    note_line: ScriptLine, seat: int, seat_name: str, verb: str, *, why: str = "", until: str = ""
) -> QuestionError:
    """Return the question about a seat without an act.

    `verb`: the likeliest one; `why`: a sentence before the question; `until`: how the question goes on.
    """
    reason = f"{why}What did {seat_name} do{until}?"
    return QuestionError(NotesQuestion(note_line.number, reason, f"{seat} {verb}", silent_seat=seat))


def ask_for_ending(note_line: ScriptLine, reason: str, answer_line: str) -> QuestionError:
    """Return the question about the end of a hand."""
    return QuestionError(NotesQuestion(note_line.number, reason, answer_line, asks_for_ending=True))


def ask_who_sits(note_line: ScriptLine, seat: int, reason: str, answer_line: str) -> QuestionError:
    """Return the question about a seat that is on no list."""
    return QuestionError(NotesQuestion(note_line.number, reason, answer_line, named_seat=seat))


def describe_unread(note_line: ScriptLine, unread_text: str) -> NotesQuestion:
    """Return the question about words that can't be read."""
    shown_words = " ".join(unread_text.split())
    seat_match = _LEADING_SEAT.match(shown_words)
    return NotesQuestion(
        note_line.number,
        f"I can't read {shown_words!r}",
        hint="Write it as in: seat 5 Ana 500, or: 5 raises to 40",
        named_seat=int(seat_match[1]) if seat_match else 0,
    )
