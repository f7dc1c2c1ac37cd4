"""`handledger read`: what the lines of a night were understood as, for whoever wrote them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Final

import typer

from cli import options, output
from cli.import_documents import ReadDocument
from ledger import safe
from ledger.errors import UsageError
from ledger.people import People
from projections.reports.notes_read import LineRead, read_lines

_MAX_NOTES_WIDTH: Final = 44
"""Characters of a line of notes beside what it means; the rest goes on below."""


def command(
    night: Annotated[Path, typer.Argument(help="A file of handscript, or of notes.")],
    *,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Show how a night's notes are read: each line beside its events, what was filled in, what is asked.

    Nothing is written. A * marks what the game decides and the line doesn't say.
    Exit 0 if every line is read, 3 if a line is asked about.

    \b
    handledger read friday.hand
    handledger read friday.hand --format json
    """  # noqa: D301 - \b keeps the lines of the examples
    try:
        data = night.read_bytes()
    except OSError as error:
        raise UsageError(f"{night} can't be read: {error.strerror}", "Name a file of notes.") from None
    if b"\0" in data[:1000]:
        raise UsageError(f"{night} is no text", "Save your notes as plain text.")
    lines = read_lines(data, People(bytes(32)))
    question_count = sum(len(line.questions) for line in lines)
    if format_ == "json":
        output.document(ReadDocument(file=str(night), lines=lines, questions=question_count), file)
    else:
        output.lines(_format_page(lines, question_count), file)
    raise typer.Exit(3 if question_count else 0)


def _format_page(lines: list[LineRead], question_count: int) -> Iterator[str]:
    """Yield the page: number, line, events."""
    digits = len(str(lines[-1].line)) if lines else 1
    notes_width = min(_MAX_NOTES_WIDTH, max((len(line.text) for line in lines), default=0))
    events_width = max(30, output.width() - digits - notes_width - 5)
    for line in lines:
        text = safe.terminal(line.text, 400)
        events = "; ".join(safe.terminal(event.text, 200) + "*" * event.derived for event in line.events)
        event_lines = wrap(events, events_width) or [""]
        note_lines = wrap(text, notes_width) or [""]
        for row_index in range(max(len(event_lines), len(note_lines))):
            number = f"{line.line:{digits}}" if row_index == 0 else " " * digits
            yield f"{number}  {note_lines[row_index] if row_index < len(note_lines) else '':{notes_width}}  {event_lines[row_index] if row_index < len(event_lines) else ''}".rstrip()
        for question in line.questions:
            yield f"{' ' * digits}  {output.paint('?', 'red')} {safe.terminal(question.reason, 200)}"
            for label, suggestion in (("write ", question.write), ("", question.hint)):
                if suggestion:
                    yield f"{' ' * digits}      {label}{safe.terminal(suggestion, 200)}"
    yield ""
    if any(event.derived for line in lines for event in line.events):
        yield "* The game decides this; the line doesn't say it. No finding rests on it alone."
    yield f"{question_count} question{'s' * (question_count != 1)}." if question_count else "Every line is read."
