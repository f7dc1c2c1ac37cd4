"""`handledger read`: show how the lines of notes are read."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from cli.documents.import_documents import ReadDocument
from cli.options import common_options
from cli.output import console
from cli.output.notes_page import format_page
from ledger import safe
from ledger.errors import UsageError
from ledger.people import People
from projections.reports.notes_lines import NoteLine, read_lines


def command(
    night: Annotated[Path, typer.Argument(help="A file of handscript, or of notes.")],
    *,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Show how notes are read, line by line."""
    try:
        data = night.read_bytes()
    except OSError as error:
        raise UsageError(f"{night} can't be read: {error.strerror}", "Name a file of notes.") from None
    if b"\0" in data[:1000]:
        raise UsageError(f"{night} is no text", "Save your notes as plain text.")
    lines = read_lines(data, People(bytes(32)))
    question_count = sum(len(line.questions) for line in lines)
    if format_ == "json":
        console.write_document(ReadDocument(file=str(night), lines=lines, questions=question_count), file)
    else:
        console.write_lines(_format_page(lines, night), file)
    raise typer.Exit(3 if question_count else 0)


def _format_page(lines: list[NoteLine], night: Path) -> Iterator[str]:
    """Yield the page, then the meaning of its marks, and what to do about open questions."""
    yield from format_page(lines)
    yield ""
    if any(event.derived and event.plain for line in lines for event in line.events):
        yield "* Follows from the game; not written in the line. No finding rests on it alone."
    question_count = sum(len(line.questions) for line in lines)
    hand_count = sum(bool(line.hand) for line in lines)
    hands_text = f"{hand_count:,} hand{'s' * (hand_count != 1)} read"
    if not question_count:
        yield f"Every line was understood. {hands_text}."
        return
    if any(line.waits for line in lines):
        yield "… This line waits for an answer to the question."
    yield f"{question_count} question{'s' * (question_count != 1)}. {hands_text}; the others wait."
    yield f"Write the missing lines into the file, or type them: handledger import {shlex.quote(safe.terminal(str(night), 200))}"
