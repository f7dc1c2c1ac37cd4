"""The list of seats: positions, stacks, and which chair each has."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ledger.formats.bovada.words import INFO
from ledger.telling.amounts import SYMBOLS

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


def _chair(line: str, k: int) -> Chair | None:
    if line[:4] != "Seat" or line[4:5] not in (" ", "+"):
        return None
    name, colon, rest = line.partition(": ")
    if not colon or " : " in line:
        return None
    digits = name[5:].replace("[ME]", "").strip()
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 6):
        return None
    rest = rest.strip().removesuffix(")")
    if not rest.endswith(" in chips"):
        return None
    who, bracket, stack = rest.rpartition("(")
    if not bracket:
        who = name
    me = "[ME]" in who
    bare = who.replace("[ME]", "").strip()
    return Chair(k, int(digits), bare, me, stack.removesuffix(" in chips"))
