"""Format the matrix of the rulebooks' decisions: side by side, or as a list on a narrow terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from cli.output import console
from ledger import safe

if TYPE_CHECKING:
    from projections.books.clause_page import PolicyAnswer, PolicyPoint
    from projections.books.rulebook import Rulebook

_MIN_COLUMN_WIDTH: Final = 15
_MAX_COLUMN_WIDTH: Final = 40
_INDENT: Final = 2
_SILENT: Final = "-"


def format_matrix(books: Sequence[Rulebook], points: Sequence[PolicyPoint], width: int) -> Iterator[str]:
    """Yield the matrix, section by section, in lines of at most `width` columns."""
    column = min((width - _INDENT) // max(len(books), 1) - 1, _MAX_COLUMN_WIDTH)
    fits_side_by_side = column >= _MIN_COLUMN_WIDTH
    section = ""
    for point in points:
        if point.section != section:
            section = point.section
            yield from _format_heading(section, books, column if fits_side_by_side else 0)
        yield from _format_title(point, width)
        if all(answer.silent for answer in point.answers):
            yield f"{'':<{_INDENT}}{_SILENT} in every book"
        elif fits_side_by_side:
            yield from _format_columns(point.answers, column)
        else:
            yield from _format_list(point.answers, width)
        if point.fallback and any(answer.silent for answer in point.answers):
            yield from _format_paragraph(f"shown where a book is silent: {safe.terminal(point.fallback)}", width)
    yield ""
    legend = f"{_SILENT} = the book is silent: no verdict.  ~ = only a literal reading covers it."
    yield from textwrap.wrap(legend, width)


def _format_heading(section: str, books: Sequence[Rulebook], column: int) -> Iterator[str]:
    yield ""
    yield console.paint(section.upper(), "bold")
    if column:
        names = (safe.fit(safe.terminal(book.name), column) for book in books)
        yield console.paint(f"{'':<{_INDENT}}{' '.join(names)}".rstrip(), "bold")


def _format_title(point: PolicyPoint, width: int) -> Iterator[str]:
    yield ""
    if len(point.title) + len(point.key) + 2 <= width:
        yield f"{point.title}  {console.paint(point.key, 'dim')}"
    else:
        yield from textwrap.wrap(point.title, width)
        yield console.paint(point.key, "dim")


def _format_columns(answers: Sequence[PolicyAnswer], column: int) -> Iterator[str]:
    """Yield the answers as columns: the text, and below it the clauses."""
    words = [textwrap.wrap(_format_answer(answer), column - 1) for answer in answers]
    clauses = [textwrap.wrap(_format_citation(answer), column - 1) for answer in answers]
    for cells, style in ((words, ""), (clauses, "dim")):
        for row in zip_longest(*cells, fillvalue=""):
            line = f"{'':<{_INDENT}}{' '.join(safe.fit(cell, column) for cell in row)}".rstrip()
            yield console.paint(line, style) if style else line


def _format_list(answers: Sequence[PolicyAnswer], width: int) -> Iterator[str]:
    room = max(len(answer.book) for answer in answers) + _INDENT + 2
    for answer in answers:
        cited = f" ({_format_citation(answer)})" if answer.clauses else ""
        answer_lines = textwrap.wrap(f"{_format_answer(answer)}{cited}", max(width - room, 20))
        for line_index, piece in enumerate(answer_lines):
            name = safe.terminal(answer.book) if not line_index else ""
            yield f"{'':<{_INDENT}}{safe.fit(name, room - _INDENT)}{piece}"


def _format_answer(answer: PolicyAnswer) -> str:
    if answer.silent:
        return _SILENT
    return ("~ " if answer.literal else "") + safe.terminal(answer.says, 300)


def _format_citation(answer: PolicyAnswer) -> str:
    return ", ".join(safe.terminal(clause, 40) for clause in answer.clauses)


def _format_paragraph(text: str, width: int) -> Iterator[str]:
    blanks = " " * _INDENT
    for piece in textwrap.wrap(text, width, initial_indent=blanks, subsequent_indent=blanks):
        yield console.paint(piece, "dim")
