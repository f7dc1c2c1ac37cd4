"""Format a night of notes: line number, line, its events in words, and the questions below their line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import Final

from cli.output import console
from ledger import safe
from projections.reports.notes_lines import NoteEvent, NoteLine, NoteQuestion

_MAX_NOTES_WIDTH: Final = 44
"""Columns of the notes beside their events."""
_MIN_EVENTS_WIDTH: Final = 24
_SEPARATOR: Final = " · "
ANSWER: Final = "+"
"""The mark of an answer, instead of a line number."""


def format_page(lines: Iterable[NoteLine], answer_lines: frozenset[int] = frozenset()) -> Iterator[str]:
    """Yield the rows of a page. `answer_lines`: the numbers of lines that aren't in the file."""
    page_lines = list(lines)
    digits = len(str(max((line.line for line in page_lines if line.line not in answer_lines), default=1)))
    longest = max((len(line.text) for line in page_lines), default=0)
    width = console.find_width() - 1
    notes_width = min(_MAX_NOTES_WIDTH, longest, max(16, (width - digits - 4) * 9 // 20))
    events_width = max(_MIN_EVENTS_WIDTH, width - digits - notes_width - 4)
    for index, line in enumerate(page_lines):
        if index and (line.hand or (line.waits and line.line > page_lines[index - 1].line + 1)):
            yield ""
        number = f"{ANSWER:>{digits}}" if line.line in answer_lines else f"{line.line:{digits}}"
        notes = wrap(safe.terminal(line.text, 400), notes_width) or [""]
        events = pack_phrases(describe_events(line), events_width)
        for row in range(max(len(notes), len(events))):
            row_number = number if row == 0 else " " * digits
            row_notes = notes[row] if row < len(notes) else ""
            row_events = events[row] if row < len(events) else ""
            yield f"{row_number}  {row_notes:{notes_width}}  {row_events}".rstrip()
        for question in line.questions:
            yield from format_question(question, " " * (digits + 2), width)


def describe_events(line: NoteLine) -> list[str]:
    """Return the events of a line as phrases, derived values marked with a star."""
    if line.waits:
        return ["…"]
    return [_describe(event) for event in line.events if event.plain]


def _describe(event: NoteEvent) -> str:
    return event.plain + "*" * event.derived


def format_question(question: NoteQuestion, indent: str, width: int) -> Iterator[str]:
    """Yield a question, and the line to write."""
    rows = wrap(safe.terminal(question.reason, 200), width - len(indent) - 2)
    for row, row_text in enumerate(rows):
        yield f"{indent}{console.paint('?', 'red') if row == 0 else ' '} {row_text}"
    for label, text in (("write: ", question.write), ("", question.hint)):
        yield from wrap(
            safe.terminal(text, 200), width, initial_indent=f"{indent}  {label}", subsequent_indent=f"{indent}  "
        )


def pack_phrases(phrases: Iterable[str], width: int) -> list[str]:
    """Return phrases in rows of at most `width` columns; a phrase is broken only if it fills a row."""
    rows: list[str] = []
    for phrase in phrases:
        if rows and len(rows[-1]) + len(_SEPARATOR) + len(phrase) <= width:
            rows[-1] += _SEPARATOR + phrase
        else:
            rows += wrap(phrase, width, subsequent_indent="  ") or []
    return rows
