"""Phrases: literal text with fields in braces, `collected ({amount}) from {pot}`, matched without going back.

A phrase is taken apart once, into the pieces of text around its fields; each piece is looked for from
where the one before it ended, so a line is walked once for each phrase that begins with its first word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

Made = TypeVar("Made")

_DIGITS: Final = 3
_LAST: Final = ("name", "who")
"""Fields that hold a name."""


class Phrase(NamedTuple):
    """A template taken apart: the literal pieces, one more than there are fields between them."""

    parts: tuple[str, ...]
    fields: tuple[str, ...]

    def match(self, text: str) -> dict[str, str] | None:
        """Return the fields of a text, None where it is no such phrase.

        >>> phrase("collected ({amount}) from {pot}").match("collected ($5) from side pot")
        {'amount': '$5', 'pot': 'side pot'}
        """
        first, last = self.parts[0], self.parts[-1]
        if not self.fields:
            return {} if text == first else None
        at, end = len(first), len(text) - len(last)
        if at > end or not text.startswith(first) or not text.endswith(last):
            return None
        found: dict[str, str] = {}
        for number, (field, part) in enumerate(zip(self.fields, self.parts[1:-1], strict=False), 2):
            if field in _LAST:
                # What stands behind it may stand in a name too: the last such places are meant.
                where = end
                for behind in (*reversed(self.parts[number:-1]), part):
                    where = text.rfind(behind, at, max(where, at))
            else:
                where = text.find(part, at, end)
            if where < 0:
                return None
            found[field] = text[at:where]
            at = where + len(part)
        found[self.fields[-1]] = text[at:end]
        return found


class Table(Generic[Made]):
    """Phrases and what each makes, by the first word of a text; the first that fits is meant."""

    __slots__ = ("_any", "_by_word")

    def __init__(self, rows: Sequence[tuple[str, Made]]) -> None:
        compiled = [(phrase(template), made) for template, made in rows]
        words = {_first(row) for row, _ in compiled} - {""}
        self._any = tuple(one for one in compiled if not _first(one[0]))
        self._by_word = {word: tuple(one for one in compiled if _first(one[0]) in ("", word)) for word in words}

    def matches(self, text: str) -> Iterator[tuple[Made, dict[str, str]]]:
        """Yield what fits a text, in the order of the table, with its fields."""
        for row, made in self._by_word.get(text.partition(" ")[0], self._any):
            found = row.match(text)
            if found is not None:
                yield made, found


def _first(row: Phrase) -> str:
    """Return the whole word with which every text of this phrase begins, "" where it is not whole."""
    word, blank, _ = row.parts[0].partition(" ")
    return word if blank or not row.fields else ""


def phrase(template: str) -> Phrase:
    """Take a template apart.

    >>> phrase("Seat {seat}: {name}")
    Phrase(parts=('Seat ', ': ', ''), fields=('seat', 'name'))
    """
    pieces = template.replace("}", "{").split("{")
    return Phrase(tuple(pieces[::2]), tuple(pieces[1::2]))


def number(text: str, most: int = _DIGITS) -> int:
    """Return a number of so many digits at most, 0 where it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most else 0
