"""Match lines against phrases, which are literal text with fields in braces: `collected ({amount}) from {pot}`.

A phrase is split once into the pieces of text around its fields. Each piece is searched from the end of the piece
before it, so matching never backtracks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from ledger.errors import UnreadableHandError

Meaning = TypeVar("Meaning")
ReaderT = TypeVar("ReaderT")

Fields: TypeAlias = list[tuple[str, ReaderT | None, str]]
"""The fields of a phrase: each name, its reader, and its text."""
Split: TypeAlias = Callable[[str], tuple[str, ...] | None]
"""Returns the fields of a text in order, without `_`, or None if the phrase doesn't match."""

_MAX_DIGITS: Final = 3
_SMALL_NUMBERS: Final = {str(value): value for value in range(10)}
"""Numbers of one digit, which most seats have."""
_IGNORED: Final = "_"
_NAME_FIELDS: Final = ("name", "who", "table", "game")
"""Fields that may contain the text that follows them, because they are names."""


class Phrase(NamedTuple):
    """A compiled template: its literal pieces, the fields between them, and the function that splits a text."""

    parts: tuple[str, ...]
    fields: tuple[str, ...]
    kept: tuple[str, ...]  # the fields without `_`
    split: Split

    def match(self, text: str) -> dict[str, str] | None:
        """Return the fields of a text by name, without `_`, or None if the phrase doesn't match.

        >>> parse_phrase("collected ({amount}) from {pot}").match("collected ($5) from side pot")
        {'amount': '$5', 'pot': 'side pot'}
        """
        values = self.split(text)
        return None if values is None else dict(zip(self.kept, values, strict=True))


class PhraseTable(Generic[Meaning, ReaderT]):
    """Phrases with their meanings and field readers, indexed by the first and last word. The first match counts.

    A field without one of the `readers` is text.
    """

    __slots__ = ("_by_words", "_first_words", "_last_words", "_readers", "_rows")

    def __init__(self, rows: Iterable[tuple[str, Meaning]], readers: Mapping[str, ReaderT]) -> None:
        self._readers = readers
        self._rows = [(parse_phrase(template), meaning) for template, meaning in rows]
        self._first_words = {_find_first_word(row) for row, _ in self._rows}
        self._last_words = {_find_last_word(row) for row, _ in self._rows}
        self._by_words: dict[tuple[str, str], tuple[tuple[Phrase, Meaning], ...]] = {}

    def rows(self, text: str) -> tuple[tuple[Phrase, Meaning], ...]:
        """Return the rows that may match a text, in the order of the table."""
        first, last = text.partition(" ")[0], text.rpartition(" ")[2]
        words = first if first in self._first_words else "", last if last in self._last_words else ""
        matching_rows = self._by_words.get(words)
        if matching_rows is None:
            matching_rows = self._by_words[words] = tuple(
                (row, meaning)
                for row, meaning in self._rows
                if _find_first_word(row) in ("", words[0]) and _find_last_word(row) in ("", words[1])
            )
        return matching_rows

    def matches(self, text: str) -> Iterator[tuple[Meaning, Fields[ReaderT]]]:
        """Yield the meaning and the fields of each match, in the order of the table."""
        for row, meaning in self.rows(text):
            fields = row.match(text)
            if fields is not None:
                yield meaning, [(field, self._readers.get(field), field_text) for field, field_text in fields.items()]


def _find_first_word(row: Phrase) -> str:
    """Return the word with which every text of this phrase begins, or "" if it may vary."""
    word, blank, _ = row.parts[0].partition(" ")
    return word if blank or not row.fields else ""


def _find_last_word(row: Phrase) -> str:
    """Return the word with which every text of this phrase ends, or "" if it may vary."""
    _, blank, word = row.parts[-1].rpartition(" ")
    return word if blank or not row.fields else ""


def parse_phrase(template: str) -> Phrase:
    """Compile a template.

    >>> parse_phrase("Seat {seat}: {name}").parts
    ('Seat ', ': ', '')
    """
    pieces = template.replace("}", "{").split("{")
    parts, fields = tuple(pieces[::2]), tuple(pieces[1::2])
    return Phrase(parts, fields, tuple(field for field in fields if field != _IGNORED), _build_splitter(parts, fields))


def _build_splitter(parts: tuple[str, ...], fields: tuple[str, ...]) -> Split:
    """Return the function that splits a text. Nearly all phrases have at most two fields."""
    if not fields:
        return lambda text: () if text == parts[0] else None
    if len(fields) == 1:
        return _split_one_field(*parts, is_kept=fields[0] != _IGNORED)
    if len(fields) == 2 and _IGNORED not in fields:
        return _split_two_fields(*parts, is_last=fields[0] in _NAME_FIELDS)
    return _split_many_fields(parts, fields)


def _split_one_field(first: str, last: str, *, is_kept: bool) -> Split:
    first_length, last_length = len(first), len(last)

    def split(text: str) -> tuple[str, ...] | None:
        end = len(text) - last_length
        if text.startswith(first) and first_length <= end and text.endswith(last):
            return (text[first_length:end],) if is_kept else ()
        return None

    return split


def _split_two_fields(first: str, part: str, last: str, *, is_last: bool) -> Split:
    first_length, part_length, last_length = len(first), len(part), len(last)

    def split(text: str) -> tuple[str, str] | None:
        if text.startswith(first) and text.endswith(last):
            end = len(text) - last_length
            part_start = text.rfind(part, first_length, end) if is_last else text.find(part, first_length, end)
            if part_start >= 0:
                return text[first_length:part_start], text[part_start + part_length : end]
        return None

    return split


def _split_many_fields(parts: tuple[str, ...], fields: tuple[str, ...]) -> Split:
    first, last = parts[0], parts[-1]
    # A name may contain the pieces that follow it, so search all pieces after a name from the end.
    steps = [
        (field != _IGNORED, part, tuple(reversed(parts[part_index:-1])) if field in _NAME_FIELDS else ())
        for part_index, (field, part) in enumerate(zip(fields, parts[1:-1], strict=False), 1)
    ]
    is_last_kept = fields[-1] != _IGNORED

    def split(text: str) -> tuple[str, ...] | None:
        if not text.startswith(first) or not text.endswith(last):
            return None
        part_index, end = len(first), len(text) - len(last)
        values = []
        for is_kept, part, pieces in steps:
            part_start = end if pieces else text.find(part, part_index, end)
            for piece in pieces:
                part_start = text.rfind(piece, part_index, part_start)
                if part_start < 0:
                    break
            if part_start < 0:
                return None
            if is_kept:
                values.append(text[part_index:part_start])
            part_index = part_start + len(part)
        if is_last_kept:
            values.append(text[part_index:end])
        return tuple(values)

    return split


def build_rows(meaning: Meaning, *templates: str) -> tuple[tuple[str, Meaning], ...]:
    """Build a row for each template, all with the same meaning."""
    return tuple((template, meaning) for template in templates)


def require_number(
    text: str,
    *,
    is_whole: object = True,
    has_letters: bool = False,
    max_digits: int = 24,
    number_name: str = "the hand's number",
) -> None:
    """Raise `UnreadableHandError` if a text isn't a complete number of digits, or of letters and digits."""
    if (
        not is_whole
        or not text.isascii()
        or not (text.isalnum() if has_letters else text.isdigit())
        or len(text) > max_digits
    ):
        raise UnreadableHandError(f"{number_name} is {text[:40]!r}", kind="header", hint="A number was expected.")


def parse_small_number(text: str, max_digits: int = _MAX_DIGITS) -> int:
    """Return a number of at most `max_digits` digits, or 0 for any other text."""
    small = _SMALL_NUMBERS.get(text)
    if small is not None:
        return small
    return int(text) if text.isascii() and text.isdigit() and len(text) <= max_digits else 0
