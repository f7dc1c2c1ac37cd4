"""The list of seats: positions, stacks, and which chair each has."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ledger.formats.bovada.words import INFO
from ledger.readers.amounts import SYMBOLS

_CHAIRS: Final = 10
"""The most players at a table: larger numbers are those of the tournament's entries."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A line of the list: `Seat 3: UTG [ME] ($320 in chips)`, or in stud `Seat+3 [ME]: $0.50 in chips`."""

    line: int
    number: int  # as written
    name: str  # the position; in stud the seat itself
    me: bool
    stack: str


@dataclass(slots=True)
class Seating:
    """The lines between the header and the first post."""

    chairs: list[Chair] = field(default_factory=list)
    info: str = ""  # the line that begins `Table Info:`
    remarks: list[int] = field(default_factory=list)

    @property
    def unit(self) -> str:
        """The currency of the stacks; `play` without a sign."""
        sign = self.chairs[0].stack[:1]
        return SYMBOLS.get(sign, "play")

    @property
    def ordered(self) -> bool:
        """Whether the numbers are chairs: they rise, and are not those of a tournament's entries."""
        numbers = [chair.number for chair in self.chairs]
        return numbers == sorted(set(numbers)) and numbers[0] > 0 and numbers[-1] <= _CHAIRS

    def seats(self, button: tuple[str, int] | None) -> list[int]:
        """Return each line's seat. Where the numbers are no chairs, the list is in their order.

        `button`: the position that has it and its chair, which the text counts; None = not told.
        """
        if self.ordered:
            return [chair.number for chair in self.chairs]
        places = list(range(1, len(self.chairs) + 1))
        if button is None:
            return self._around_a_dead_button(places)
        name, chair = button
        at = next((k for k, one in enumerate(self.chairs) if one.name == name), -1)
        shift = chair - 1 - at
        if at < 0 or not 0 < shift <= _CHAIRS - len(self.chairs):
            return places
        return places[:at] + [place + shift for place in places[at:]]

    def _around_a_dead_button(self, places: list[int]) -> list[int]:
        """Leave a chair for a button that lies before nobody: the one before the blinds."""
        names = [chair.name for chair in self.chairs]
        blind = "Small Blind" if "Small Blind" in names else "Big Blind"
        if "Dealer" in names or blind not in names:
            return places
        at = names.index(blind)
        return places[:at] + [place + (at > 0) for place in places[at:]]


def seats(text: list[str], k: int, after: int) -> tuple[Seating, int]:
    """Read the list of seats from line `k` on; return the line behind it as well."""
    found = Seating()
    while k < after:
        line = text[k]
        chair = _chair(line, k)
        if chair:
            found.chairs.append(chair)
        elif line.startswith(INFO):
            found.info = found.info or (line if line.startswith("Table") else "")
            found.remarks.append(k)
        elif line.strip():
            break
        k += 1
    return found, k


_KEPT: Final = 10_000
_places: dict[str, int] = {}  # `Seat 3`, `Seat+3 [ME]` → 3, 0 for what is none
_positions: dict[str, tuple[str, bool]] = {}  # `UTG [ME]` → UTG, True


def _chair(line: str, k: int) -> Chair | None:
    if line[:4] != "Seat":
        return None
    place, colon, rest = line.partition(": ")
    number = _places.get(place)
    if number is None:
        number = _number(place)
    end = rest.find(" in chips")
    if not colon or not number or end < 0 or rest[end + 9 :].strip() not in (")", "") or " : " in line:
        return None
    start = rest.rfind("(", 0, end)
    who = rest[:start] if start >= 0 else place
    known = _positions.get(who)
    if known is None:
        if len(_positions) > _KEPT:
            _positions.clear()
        known = _positions[who] = who.replace("[ME]", "").strip(), "[ME]" in who
    return Chair(k, number, known[0], known[1], rest[start + 1 : end])


def _number(place: str) -> int:
    digits = place[5:].replace("[ME]", "").strip()
    number = 0
    if place[4:5] in (" ", "+") and digits.isascii() and digits.isdecimal() and len(digits) <= 6:
        number = int(digits)
    if len(_places) > _KEPT:
        _places.clear()
    _places[place] = number
    return number
