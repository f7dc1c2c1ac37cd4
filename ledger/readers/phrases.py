"""Phrases: literal text with fields in braces, `collected ({amount}) from {pot}`, matched without going back.

A phrase is taken apart once, into the pieces of text around its fields; each piece is looked for from
where the one before it ended, so a line is walked once for each phrase that begins with its first word.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from ledger.errors import UnreadableHandError

Made = TypeVar("Made")
Read = TypeVar("Read")

Fields: TypeAlias = list[tuple[str, Read | None, str]]
"""The fields of a phrase: how each is read, and how it is written."""
Match: TypeAlias = Callable[[str], dict[str, str] | None]
"""Returns the fields of a text by their names, `_` left aside; None where it is no such phrase."""
Row: TypeAlias = tuple[Match, Made, tuple[tuple[str, Read], ...], bool]
"""How a phrase is matched, what it makes, how those of its fields are read that hold no text, and whether it has one of a kind."""

_DIGITS: Final = 3
_LAST: Final = ("name", "who", "table", "game")
"""Fields in which what stands behind them may stand, too: a name."""


class Phrase(NamedTuple):
    """A template taken apart: the literal pieces, one more than there are fields between them, and how it is matched.

    >>> phrase("collected ({amount}) from {pot}").match("collected ($5) from side pot")
    {'amount': '$5', 'pot': 'side pot'}
    """

    parts: tuple[str, ...]
    fields: tuple[str, ...]
    match: Match


class Table(Generic[Made, Read]):
    """Phrases, what each makes and how its fields are read, by the first or last word of a text; the first that fits is meant.

    A field that `readers` does not know is kept as it is written; one of the name `_` is left aside. Of each row is
    known whether it has one of the `marked` fields.
    """

    __slots__ = ("_any", "_by_end", "_by_word", "_readers")

    def __init__(
        self, rows: Sequence[tuple[str, Made]], readers: Mapping[str, Read], marked: Collection[str] = ()
    ) -> None:
        self._readers = readers
        compiled = []
        for template, made in rows:
            one = phrase(template)
            read = tuple((field, readers[field]) for field in dict.fromkeys(one.fields) if field in readers)
            compiled.append((one, (one.match, made, read, any(field in marked for field in one.fields))))
        words = {_first(one) for one, _ in compiled} - {""}
        self._by_word = {word: tuple(row for one, row in compiled if _first(one) in ("", word)) for word in words}
        rest = tuple((_last(one), row) for one, row in compiled if not _first(one))
        ends = {end for end, _ in rest} - {""}
        self._any = tuple(row for end, row in rest if not end)
        self._by_end = {word: tuple(row for end, row in rest if end in ("", word)) for word in ends}

    def rows(self, text: str) -> tuple[Row[Made, Read], ...]:
        """Return the rows that a text may be, in the order of the table."""
        found = self._by_word.get(text.partition(" ")[0])
        return self._by_end.get(text.rpartition(" ")[2], self._any) if found is None else found

    def matches(self, text: str) -> Iterator[tuple[Made, Fields[Read]]]:
        """Yield what fits a text, in the order of the table, with its fields."""
        for match, made, _, _ in self.rows(text):
            fields = match(text)
            if fields is not None:
                yield made, [(field, self._readers.get(field), told) for field, told in fields.items()]


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
    return Phrase(parts, fields, _matcher(parts, fields))


def _matcher(parts: tuple[str, ...], fields: tuple[str, ...]) -> Match:
    """Return what matches a phrase: nearly all have no field, one or two."""
    if len(fields) > 2:
        return _of_many(parts, fields)
    return (_of_none, _of_one, _of_two)[len(fields)](parts, fields)


def _of_none(parts: tuple[str, ...], _fields: tuple[str, ...]) -> Match:
    (whole,) = parts
    return lambda text: {} if text == whole else None


def _of_one(parts: tuple[str, ...], fields: tuple[str, ...]) -> Match:
    (first, last), (field,) = parts, fields
    before, behind, aside = len(first), len(last), field == "_"

    def match(text: str) -> dict[str, str] | None:
        end = len(text) - behind
        if text.startswith(first) and before <= end and text.endswith(last):
            return {} if aside else {field: text[before:end]}
        return None

    return match


def _of_two(parts: tuple[str, ...], fields: tuple[str, ...]) -> Match:
    (first, part, last), (one, other) = parts, fields
    before, between, behind, aside = len(first), len(part), len(last), "_" in fields
    is_last = one in _LAST

    def match(text: str) -> dict[str, str] | None:
        if not text.startswith(first) or not text.endswith(last):
            return None
        end = len(text) - behind
        where = text.rfind(part, before, end) if is_last else text.find(part, before, end)
        if where < 0:
            return None
        found = {one: text[before:where], other: text[where + between : end]}
        if aside:
            del found["_"]
        return found

    return match


def _of_many(parts: tuple[str, ...], fields: tuple[str, ...]) -> Match:
    first, last = parts[0], parts[-1]
    # Of a name all pieces behind it: what stands behind it may stand in a name too, and the last such places are meant.
    steps = [
        (field, parts[at], tuple(reversed(parts[at:-1])) if field in _LAST else ())
        for at, field in enumerate(fields[:-1], 1)
    ]

    def match(text: str) -> dict[str, str] | None:
        if not text.startswith(first) or not text.endswith(last):
            return None
        at, end = len(first), len(text) - len(last)
        found = {}
        for field, part, behind in steps:
            where = end if behind else text.find(part, at, end)
            for piece in behind:
                where = text.rfind(piece, at, where)
                if where < 0:
                    break
            if where < 0:
                return None
            found[field] = text[at:where]
            at = where + len(part)
        found[fields[-1]] = text[at:end]
        found.pop("_", None)
        return found

    return match


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
