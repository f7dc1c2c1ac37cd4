"""Phrases: literal text with fields in braces, `collected ({amount}) from {pot}`, matched without going back.

A phrase is taken apart once, into the pieces of text around its fields; each piece is looked for from
where the one before it ended, so a line is walked once for each phrase that begins with its first word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from ledger.errors import UnreadableHandError

Meaning = TypeVar("Meaning")
ReaderT = TypeVar("ReaderT")

Fields: TypeAlias = list[tuple[str, ReaderT | None, str]]
"""The fields of a phrase: how each is read, and how it is written."""
Split: TypeAlias = Callable[[str], tuple[str, ...] | None]
"""Returns the fields of a text in their order, `_` left aside; None where it is no such phrase."""

_DIGITS: Final = 3
_SMALL: Final = {str(value): value for value in range(10)}
"""Numbers of most seats."""
_ASIDE: Final = "_"
_LAST: Final = ("name", "who", "table", "game")
"""Fields in which what stands behind them may stand, too: a name."""


class Phrase(NamedTuple):
    """A template taken apart: the literal pieces, one more than there are fields between them, and how texts are split."""

    parts: tuple[str, ...]
    fields: tuple[str, ...]
    kept: tuple[str, ...]  # the fields that are not left aside
    split: Split

    def match(self, text: str) -> dict[str, str] | None:
        """Return the fields of a text by their names, `_` left aside; None where it is no such phrase.

        >>> phrase("collected ({amount}) from {pot}").match("collected ($5) from side pot")
        {'amount': '$5', 'pot': 'side pot'}
        """
        written = self.split(text)
        return None if written is None else dict(zip(self.kept, written, strict=True))


class PhraseTable(Generic[Meaning, ReaderT]):
    """Phrases, what each makes and how its fields are read, by the first and last word of a text; the first that fits is meant.

    A field that `readers` does not know is kept as it is written.
    """

    __slots__ = ("_by_words", "_first_words", "_last_words", "_readers", "_rows")

    def __init__(self, rows: Iterable[tuple[str, Meaning]], readers: Mapping[str, ReaderT]) -> None:
        self._readers = readers
        self._rows = [(parse_phrase(template), made) for template, made in rows]
        self._first_words = {_first(row) for row, _ in self._rows}
        self._last_words = {_last(row) for row, _ in self._rows}
        self._by_words: dict[tuple[str, str], tuple[tuple[Phrase, Meaning], ...]] = {}

    def rows(self, text: str) -> tuple[tuple[Phrase, Meaning], ...]:
        """Return the rows that a text may be, in the order of the table."""
        first, last = text.partition(" ")[0], text.rpartition(" ")[2]
        words = first if first in self._first_words else "", last if last in self._last_words else ""
        found = self._by_words.get(words)
        if found is None:
            found = self._by_words[words] = tuple(
                (row, made)
                for row, made in self._rows
                if _first(row) in ("", words[0]) and _last(row) in ("", words[1])
            )
        return found

    def matches(self, text: str) -> Iterator[tuple[Meaning, Fields[ReaderT]]]:
        """Yield what fits a text, in the order of the table, with its fields."""
        for row, made in self.rows(text):
            fields = row.match(text)
            if fields is not None:
                yield made, [(field, self._readers.get(field), told) for field, told in fields.items()]


def _first(row: Phrase) -> str:
    """Return the whole word with which every text of this phrase begins, "" where it is not whole."""
    word, blank, _ = row.parts[0].partition(" ")
    return word if blank or not row.fields else ""


def _last(row: Phrase) -> str:
    """Return the whole word with which every text of this phrase ends, "" where it is not whole."""
    _, blank, word = row.parts[-1].rpartition(" ")
    return word if blank or not row.fields else ""


def parse_phrase(template: str) -> Phrase:
    """Take a template apart.

    >>> phrase("Seat {seat}: {name}").parts
    ('Seat ', ': ', '')
    """
    pieces = template.replace("}", "{").split("{")
    parts, fields = tuple(pieces[::2]), tuple(pieces[1::2])
    return Phrase(parts, fields, tuple(one for one in fields if one != _ASIDE), _splitter(parts, fields))


def _splitter(parts: tuple[str, ...], fields: tuple[str, ...]) -> Split:
    """Return what splits a text; nearly all phrases have no field, one or two."""
    if not fields:
        return lambda text: () if text == parts[0] else None
    if len(fields) == 1:
        return _of_one(*parts, kept=fields[0] != _ASIDE)
    if len(fields) == 2 and _ASIDE not in fields:
        return _of_two(*parts, is_last=fields[0] in _LAST)
    return _of_many(parts, fields)


def _of_one(first: str, last: str, *, kept: bool) -> Split:
    before, behind = len(first), len(last)

    def split(text: str) -> tuple[str, ...] | None:
        end = len(text) - behind
        if text.startswith(first) and before <= end and text.endswith(last):
            return (text[before:end],) if kept else ()
        return None

    return split


def _of_two(first: str, part: str, last: str, *, is_last: bool) -> Split:
    before, between, behind = len(first), len(part), len(last)

    def split(text: str) -> tuple[str, str] | None:
        if text.startswith(first) and text.endswith(last):
            end = len(text) - behind
            where = text.rfind(part, before, end) if is_last else text.find(part, before, end)
            if where >= 0:
                return text[before:where], text[where + between : end]
        return None

    return split


def _of_many(parts: tuple[str, ...], fields: tuple[str, ...]) -> Split:
    first, last = parts[0], parts[-1]
    # Of a name all pieces behind it: what stands behind it may stand in a name too, and the last such places are meant.
    steps = [
        (field != _ASIDE, part, tuple(reversed(parts[at:-1])) if field in _LAST else ())
        for at, (field, part) in enumerate(zip(fields, parts[1:-1], strict=False), 1)
    ]
    kept_too = fields[-1] != _ASIDE

    def split(text: str) -> tuple[str, ...] | None:
        if not text.startswith(first) or not text.endswith(last):
            return None
        at, end = len(first), len(text) - len(last)
        found = []
        for kept, part, behind in steps:
            where = end if behind else text.find(part, at, end)
            for piece in behind:
                where = text.rfind(piece, at, where)
                if where < 0:
                    break
            if where < 0:
                return None
            if kept:
                found.append(text[at:where])
            at = where + len(part)
        if kept_too:
            found.append(text[at:end])
        return tuple(found)

    return split


def rows_told_by(made: Meaning, *templates: str) -> tuple[tuple[str, Meaning], ...]:
    """Return the rows of templates that are told in one way."""
    return tuple((template, made) for template in templates)


def require_number(
    text: str, *, whole: object = True, letters: bool = False, most: int = 24, what: str = "the hand's number"
) -> None:
    """Refuse what is no number of a hand, of digits or of letters too, or breaks off: `UnreadableHandError`."""
    if not whole or not text.isascii() or not (text.isalnum() if letters else text.isdigit()) or len(text) > most:
        raise UnreadableHandError(f"{what} is {text[:40]!r}", kind="header", hint="A number was expected.")


def small_number(text: str, most: int = _DIGITS) -> int:
    """Return a number of so many digits at most, 0 where it is none."""
    small = _SMALL.get(text)
    if small is not None:
        return small
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most else 0
