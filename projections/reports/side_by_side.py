"""Format the differences between rulebooks: the books' answers in columns, or one below the other if it's narrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

from ledger import safe
from ledger.text.language import join_and, join_list, language_in_force, phrase, phrase_count, translatable
from ledger.text.screen_lines import wrap_text
from projections.addresses.address_book import build_address_from_names
from projections.addresses.hand_reference import Hand
from projections.audit.audit_result import AuditResult
from projections.audit.book_differences import BookAnswer
from projections.reports.fact_names import describe_fact
from projections.reports.tally import count_hands

_MIN_COLUMN_WIDTH: Final = 24  # of a book's column; if it would be narrower, books go below each other
_COLUMN_GAP: Final = "  "
_MAX_CELL_LINES: Final = 7  # longer answers are cut
_ANSWER_TEXTS: Final = {
    "found": translatable("FOUND"),
    "clean": translatable("in order"),
    "cannot-tell": translatable("not judged"),
    "not-built": translatable("no check"),
    "no-judgement": translatable("only says"),
    "silent": translatable("silent"),
}


def format_differences(
    result: AuditResult,
    *,
    width: int = 100,
    max_differences: int = 20,
    find_address: Callable[[Hand, int], str] = build_address_from_names,
) -> str:
    """Return the differences in the order of the hands, or "" if there are none.

    Each line has at most `width` columns. Differences after `max_differences` are only counted.
    """
    differences = result.differences
    if not differences:
        return ""
    book_names = [book_answer.book for book_answer in differences[0].books]
    times = phrase_count("{number} time", "{number} times", len(differences), number=format(len(differences), ","))
    hand_count = count_hands(differences)
    hands = phrase_count("{number} hand", "{number} hands", hand_count, number=format(hand_count, ","))
    lines = [phrase("Where {books} differ: {times} in {hands}", books=join_and(book_names), times=times, hands=hands)]
    column_width = (width - 2 + len(_COLUMN_GAP)) // len(book_names) - len(_COLUMN_GAP)
    for difference in differences[:max_differences]:
        lines += ["", safe.cut(f"{find_address(difference.hand, difference.version)}: {difference.saw}", width)]
        lines += (
            _format_columns(difference.books, column_width)
            if column_width >= _MIN_COLUMN_WIDTH
            else _format_stacked(difference.books, width)
        )
    if len(differences) > max_differences > 0:
        more_count = format(len(differences) - max_differences, ",")
        lines += ["", phrase("({count} more; --frames shows more, --format json all)", count=more_count)]
    return "\n".join(safe.cut(full_line, width) for full_line in lines)


def _format_columns(book_answers: Sequence[BookAnswer], column_width: int) -> Iterator[str]:
    """Yield the books in columns of `column_width`, each under its name."""
    cells = [[book_answer.book, *_format_cell(book_answer, column_width)] for book_answer in book_answers]
    for cell_row in zip_longest(*cells, fillvalue=""):
        joined_row = _COLUMN_GAP.join(safe.fit(cell, column_width) for cell in cell_row)
        yield f"  {joined_row}".rstrip()


def _format_stacked(book_answers: Sequence[BookAnswer], width: int) -> Iterator[str]:
    """Yield the books one below the other."""
    name_width = max(safe.columns(book_answer.book) for book_answer in book_answers)
    for book_answer in book_answers:
        first_line, *more_lines = _format_cell(book_answer, max(width - name_width - 4, _MIN_COLUMN_WIDTH))
        yield f"  {safe.fit(book_answer.book, name_width)}  {first_line}".rstrip()
        yield from (f"  {' ' * name_width}  {cell_line}" for cell_line in more_lines)


def _format_cell(book_answer: BookAnswer, column_width: int) -> list[str]:
    """Return a book's answer in lines of at most `column_width` columns."""
    answer_line = f"{phrase(_ANSWER_TEXTS[book_answer.answer])} {', '.join(book_answer.clauses)}".rstrip()
    texts = [answer_line]
    if book_answer.missing:
        facts = join_list([describe_fact(fact_name) for fact_name in book_answer.missing])
        texts.append(phrase("not recorded: {facts}", facts=facts))
    if book_answer.says and book_answer.answer == "found":
        texts.append(phrase("should be: {correct_action}", correct_action=book_answer.says))
    elif book_answer.says:
        texts.append(book_answer.says)
    lines = [wrapped_line for text in texts for wrapped_line in _wrap_text(text, column_width)]
    return lines if len(lines) <= _MAX_CELL_LINES else [*lines[: _MAX_CELL_LINES - 1], "…"]


def _wrap_text(text: str, column_width: int) -> Iterator[str]:
    """Wrap text at spaces to `column_width` columns."""
    if language_in_force() == "zh":
        yield from (safe.cut(line, column_width) for line in wrap_text(text, column_width))
        return
    current_line = ""
    for word in text.split():
        if current_line and safe.columns(current_line) + safe.columns(word) + 1 > column_width:
            yield current_line
            current_line = ""
        current_line = f"{current_line} {word}" if current_line else word
    if current_line:
        yield safe.cut(current_line, column_width)
