"""Phrases: literal text with fields in braces, `collected ({amount}) from {pot}`, matched without going back.

A phrase is taken apart once, into the pieces of text around its fields; each piece is looked for from
where the one before it ended, so a line is walked once for each phrase that begins with its first word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from ledger.errors import UnreadableHandError

Made = TypeVar("Made")
Read = TypeVar("Read")

Fields: TypeAlias = list[tuple[str, Read | None, str]]
"""The fields of a phrase: how each is read, and how it is written."""
Row: TypeAlias = tuple["Phrase", Made, tuple[tuple[str, Read | None], ...]]
"""A phrase, what it makes, and how each of its fields is read."""

_DIGITS: Final = 3
_LAST: Final = ("name", "who", "table", "game")
"""Fields in which what stands behind them may stand, too: a name."""


class Phrase(NamedTuple):
    """A template taken apart: the literal pieces, one more than there are fields between them."""

    parts: tuple[str, ...]
    fields: tuple[str, ...]
    steps: tuple[tuple[str, str, tuple[str, ...]], ...]
    """Each field but the last, the piece behind it, and of a name all pieces behind it, the last first."""

    def match(self, text: str) -> dict[str, str] | None:
        """Return the fields of a text, None where it is no such phrase.

        >>> phrase("collected ({amount}) from {pot}").match("collected ($5) from side pot")
        {'amount': '$5', 'pot': 'side pot'}
        """
        parts, fields, steps = self
        first, last = parts[0], parts[-1]
        if not fields:
            return {} if text == first else None
        if not text.startswith(first) or not text.endswith(last):
            return None
        at, end = len(first), len(text) - len(last)
        if at > end:
            return None
        found: dict[str, str] = {}
        for field, part, behind in steps:
            if behind:
                # What stands behind it may stand in a name too: the last such places are meant.
                where = end
                for piece in behind:
                    where = text.rfind(piece, at, where)
                    if where < 0:
                        return None
            else:
                where = text.find(part, at, end)
                if where < 0:
                    return None
            found[field] = text[at:where]
            at = where + len(part)
        found[fields[-1]] = text[at:end]
        return found


class Table(Generic[Made, Read]):
    """Phrases, what each makes and how its fields are read, by the first or last word of a text; the first that fits is meant.

    A field that `readers` does not know is kept as it is written; one of the name `_` is left aside.
    """

    __slots__ = ("_any", "_by_end", "_by_word")

    def __init__(self, rows: Sequence[tuple[str, Made]], readers: Mapping[str, Read]) -> None:
        compiled = []
        for template, made in rows:
            row = phrase(template)
            compiled.append((row, made, tuple((one, readers.get(one)) for one in row.fields if one != "_")))
        words = {_first(row) for row, _, _ in compiled} - {""}
        self._by_word = {word: tuple(one for one in compiled if _first(one[0]) in ("", word)) for word in words}
        rest = tuple(one for one in compiled if not _first(one[0]))
        ends = {_last(row) for row, _, _ in rest} - {""}
        self._any = tuple(one for one in rest if not _last(one[0]))
        self._by_end = {word: tuple(one for one in rest if _last(one[0]) in ("", word)) for word in ends}

    def rows(self, text: str) -> tuple[Row[Made, Read], ...]:
        """Return the rows that a text may be, in the order of the table."""
        found = self._by_word.get(text.partition(" ")[0])
        return self._by_end.get(text.rpartition(" ")[2], self._any) if found is None else found

    def matches(self, text: str) -> Iterator[tuple[Made, Fields[Read]]]:
        """Yield what fits a text, in the order of the table, with its fields."""
        for row, made, readers in self.rows(text):
            fields = row.match(text)
            if fields is not None:
                yield made, [(field, read, fields[field]) for field, read in readers]


def _first(row: Phrase) -> str:
    """Return the whole word with which every text of this phrase begins, "" where it is not whole."""
    word, blank, _ = row.parts[0].partition(" ")
    return word if blank or not row.fields else ""


def _last(row: Phrase) -> str:
    """Return the whole word with which every text of this phrase ends, "" where it is not whole."""
    _, blank, word = row.parts[-1].rpartition(" ")
    return word if blank else ""


def phrase(template: str) -> Phrase:
    """Take a template apart.

    >>> phrase("Seat {seat}: {name}").parts
    ('Seat ', ': ', '')
    """
    pieces = template.replace("}", "{").split("{")
    parts, fields = tuple(pieces[::2]), tuple(pieces[1::2])
    steps = tuple(
        (field, parts[at], tuple(reversed(parts[at:-1])) if field in _LAST else ())
        for at, field in enumerate(fields[:-1], 1)
    )
    return Phrase(parts, fields, steps)


def alike(made: Made, *templates: str) -> tuple[tuple[str, Made], ...]:
    """Return the rows of templates that are told in one way."""
    return tuple((template, made) for template in templates)


def require_number(
    text: str, *, whole: object = True, letters: bool = False, most: int = 24, what: str = "the hand's number"
) -> None:
    """Refuse what is no number of a hand, of digits or of letters too, or breaks off: `UnreadableHandError`."""
    if not whole or not text.isascii() or not (text.isalnum() if letters else text.isdigit()) or len(text) > most:
        raise UnreadableHandError(f"{what} is {text[:40]!r}", kind="header", hint="A number was expected.")


def number(text: str, most: int = _DIGITS) -> int:
    """Return a number of so many digits at most, 0 where it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most else 0
