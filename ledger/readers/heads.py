"""What stands before a hand's list of seats, as templates: `Table '{table}' {chairs}-max Seat #{button} is the button`."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.errors import UnreadableHandError
from ledger.readers.phrases import Phrase, Table, number, phrase
from ledger.readers.reading import Page
from ledger.vocabulary import Seat


class Found(dict[str, str]):
    """What a head tells, by the names of its fields; "" of those that it lacks."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, int] = {}  # where each field stands
        self.strange: list[int] = []  # lines that no template fits, or that tell a field again
        self.behind = 0  # the line behind the head

    def __missing__(self, _field: str) -> str:
        return ""

    def take(self, row: Phrase, line: str, k: int) -> bool:
        """Take what a line tells that fits a template, if it is not told yet; False where it does not fit.

        A `date` begins with a year.
        """
        fields = row.match(line)
        if fields is None or not fields.get("date", "0000")[:4].isdigit():
            return False
        if fields.keys() & self.lines.keys():
            self.strange.append(k)
            return True
        for field, told in fields.items():
            if field != "_":
                self[field], self.lines[field] = told.strip(), k
        return True

    @property
    def dealer(self) -> tuple[Seat, int] | None:
        """The seat in the field `button` and the line that tells it; None where that is no seat."""
        seat = number(self["button"])
        return (seat, self.lines["button"]) if seat else None


class Head:
    """How a room's hands begin: the forms of the first line, and those of the lines up to the list of seats.

    Of several forms that fit a line the first is meant. What has none of them ends the head, unless it begins with the
    first word of one, or the head `ends` with a line that begins otherwise: then it is strange.
    """

    def __init__(self, *first: str, then: Sequence[str] = (), ends: str = "", rule: str = "") -> None:
        """Take the templates apart; `rule`: signs that may stand behind the first line."""
        self._first = tuple(map(phrase, first))
        self._rule = rule
        self._then: Table[None, None] = Table([(template, None) for template in then], {})
        self._words = {_word(template) for template in then} - {"Seat"}
        self._ends = ends

    def read(self, page: Page) -> Found:
        """Read the head of a hand; a first line that has none of the forms raises `UnreadableHandError`."""
        found, text, title = Found(), page.lines.text, page.title.rstrip(self._rule + " ")
        if not any(found.take(row, title, page.head) for row in self._first):
            raise UnreadableHandError(f"the hand's first line breaks off: {title[:80]!r}", kind="header")
        found.behind = page.after
        for k in range(page.head + 1, page.after):
            line = text[k].strip()
            if not line or any(found.take(row, line, k) for row, _, _ in self._then.rows(line)):
                continue
            if line.startswith(self._ends) and _word(line) not in self._words:
                found.behind = k
                break
            found.strange.append(k)
        return found


def _word(line: str) -> str:
    """Return the first word of a line, without a colon."""
    return line.partition(" ")[0].rstrip(":")
