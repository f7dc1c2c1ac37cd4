"""Read the lines before a hand's list of seats with templates: `Table '{table}' {chairs}-max Seat #{button} is the button`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.readers.incomplete import broken_off
from ledger.readers.phrases import Phrase, PhraseTable, parse_phrase, parse_small_number, require_number
from ledger.readers.text_format import HandLines
from ledger.vocabulary import Seat

_CACHE_SIZE: Final = 4096
_MAX_LINE_LENGTH: Final = 400
"""The maximum length of a line in the head."""


class HeadFields(dict[str, str]):
    """The fields of a head by name; a missing field is ""."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, int] = {}  # of each field
        self.unknown_lines: list[int] = []  # no template fits them, or their fields were read before
        self.line_after = 0  # the line after the head

    def __missing__(self, _field: str) -> str:
        return ""

    def add_fields(self, fields: Mapping[str, str], line_number: int) -> None:
        """Add the fields of a line, unless an earlier line has one of them."""
        if not self.lines.keys().isdisjoint(fields):
            self.unknown_lines.append(line_number)
            return
        self.update(fields)
        self.lines.update(dict.fromkeys(fields, line_number))

    @property
    def start_text(self) -> str:
        """When the hand began, as written."""
        return self["date"] or self["written"]

    @property
    def button_and_line(self) -> tuple[Seat, int] | None:
        """The seat in the field `button` and its line, or None if the field holds no seat."""
        seat = parse_small_number(self["button"])
        return (seat, self.lines["button"]) if seat else None


class HeadTemplates:
    """A room's templates for the first line of a hand and for the lines up to the list of seats.

    If several templates fit a line, the first one counts. A line that fits none ends the head. It is an unknown line
    instead if it begins with a template's first word, or doesn't begin with the room's `ending`.
    """

    def __init__(
        self,
        *first: str,
        later_lines: Sequence[str] = (),
        ending: str = "",
        rule: str = "",
        needed_fields: Mapping[str, str] = MappingProxyType({}),
        max_digits: int = 24,
        has_letters: bool = False,
        marks: str = "",
    ) -> None:
        """Compile the templates. `rule`: characters that may end the first line.

        `needed_fields`: each required field and its description for errors. The field `number` has up to `max_digits`
        digits, and letters too if `has_letters`. It may contain `marks`.
        """
        self._first = tuple(map(parse_phrase, first))
        self._rule = rule + " "
        table: PhraseTable[None, None] = PhraseTable([(template, None) for template in later_lines], {})
        # Most of these lines come before the next hand too.
        self._fields = lru_cache(maxsize=_CACHE_SIZE)(
            lambda line: _find_first_match((row for row, _ in table.rows(line)), line)
        )
        firsts = {_get_first_word(template) for template in later_lines}
        self._words = firsts - {"Seat"}
        self._loose = "Seat" in firsts or any("{" in word for word in firsts)  # lines with other first words may fit
        self._ends, self._needs, self._marks = ending, needed_fields, marks
        self._require_number = partial(require_number, has_letters=has_letters, max_digits=max_digits)

    def read(self, page: HandLines) -> HeadFields:
        """Read the head of a hand. Raise `UnreadableHandError` if the first line fits no template."""
        fields_read, text, title = HeadFields(), page.lines.text, page.title.rstrip(self._rule)
        fields = _find_first_match(self._first, title)
        if fields is None:
            raise UnreadableHandError(f"the hand's first line breaks off: {title[:80]!r}", kind="header")
        fields_read.add_fields(fields, page.head_line)
        fields_read.line_after = page.end_line
        for line_number in range(page.head_line + 1, page.end_line):
            line = text[line_number].strip()
            if not line:
                continue
            has_known_word = _get_first_word(line) in self._words
            fields = self._fields(line) if (has_known_word or self._loose) and len(line) < _MAX_LINE_LENGTH else None
            if fields is not None:
                fields_read.add_fields(fields, line_number)
            elif has_known_word or not line.startswith(self._ends):
                fields_read.unknown_lines.append(line_number)
            else:
                fields_read.line_after = line_number
                break
        missing = next((description for field, description in self._needs.items() if field not in fields_read), None)
        if missing is not None:
            raise broken_off(missing)
        if "number" in fields_read:
            self._require_number(
                fields_read["number"].replace(self._marks, "") if self._marks else fields_read["number"]
            )
        return fields_read


def _find_first_match(rows: Iterable[Phrase], line: str) -> Mapping[str, str] | None:
    """Return the fields of the first template that fits a line. A `date` must begin with a year."""
    for row in rows:
        values = row.split(line)
        if values is not None:
            fields = dict(zip(row.kept, map(str.strip, values), strict=True))
            if fields.get("date", "0000")[:4].isdigit():
                return fields
    return None


def _get_first_word(line: str) -> str:
    """Return the first word of a line, without a colon."""
    return line.partition(" ")[0].rstrip(":")
