"""The players at the table: seats, names and stacks from hand to hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.statements import Ref
from ledger.formats.handscript.notes.table_words import RESERVED, WRITER_WORDS

_TITLES: Final = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "miss",
        "old",
        "big",
        "little",
        "st",
        "de",
        "the",
        "la",
        "van",
        "von",
        "young",
        "lady",
        "sir",
    ]
)


@dataclass(slots=True)
class Player:
    """A player at the table. `stack` is None if unknown."""

    name: str
    stack: int | None = None
    is_away: bool = False
    is_waiting: bool = False
    is_new: bool = False  # has not been dealt in yet
    may_be_absent: bool = False  # an earlier hand asks what the player did
    carried: bool = False  # the stack follows from an earlier hand
    doubt: int = 0  # an unread line that may say the player left or bought chips
    line: ScriptLine | None = None  # the list of seats with this player

    def carry_over(self, stack: int | None, *, is_dealt: bool) -> None:
        """Carry the player over to the next hand with these chips; whoever was dealt in is at the table."""
        self.stack, self.carried, self.is_new = stack, True, False
        if is_dealt:
            self.is_waiting = self.is_away = False
            self.doubt = 0


@dataclass(slots=True)
class Roster:
    """The seats of the table."""

    seats: dict[int, Player] = field(default_factory=dict)
    me: int = 0  # the writer's seat
    used_seats: set[int] = field(default_factory=set)  # seats occupied at any time of the night
    by_order: bool = False  # the list has no numbers: seats follow its order
    doubt: int = 0  # an unread line that may change who sits where
    listed_names: tuple[str, ...] = ()  # the players' names when a line last asked for them
    names_by_part: Mapping[str, str] = field(default_factory=dict)

    def carry_over(self, dealt_seats: Sequence[int], stacks: Mapping[int, int | None], *, is_read: bool) -> None:
        """Carry the players over a hand; all stacks are unknown after a hand that isn't read."""
        for seat, player in self.seats.items():
            if seat in dealt_seats or not is_read:
                player.carry_over(stacks.get(seat) if is_read else None, is_dealt=seat in dealt_seats)

    def names(self) -> Mapping[str, str]:
        """Map each unique name, or unique part of a name, to the full name; once for a table, since every line asks."""
        listed_names = tuple([player.name for player in self.seats.values()])
        if listed_names != self.listed_names:
            self.listed_names, self.names_by_part = listed_names, self._map_names()
        return self.names_by_part

    def _map_names(self) -> dict[str, str]:
        full_names = {player.name: player.name for player in self.seats.values() if player.name}
        parts_by_name = {name: _list_short_names(name) for name in full_names}
        part_counts = Counter(name_part for name_parts in parts_by_name.values() for name_part in name_parts)
        short_names = {
            name_part: name
            for name, name_parts in parts_by_name.items()
            for name_part in name_parts
            if part_counts[name_part] == 1 and name_part not in full_names
        }
        return short_names | full_names

    def find_seat_by_name(self, name: str) -> int | None:
        """Return the seat of the player with this name; None unless exactly one matches."""
        name = self.names().get(name, name)
        seats = [seat for seat, player in self.seats.items() if player.name == name]
        return seats[0] if len(seats) == 1 else None

    def note_own_name(self, *names: str) -> None:
        """Note the writer's seat if one of these names is at the table."""
        self.me = next((seat for name in names if name and (seat := self.find_seat_by_name(name))), self.me)

    def own_seat(self) -> int | None:
        """Return the writer's seat."""
        if self.me in self.seats:
            return self.me
        seats = [seat for seat, player in self.seats.items() if player.name.lower() in WRITER_WORDS]
        return seats[0] if len(seats) == 1 else None

    def find(self, ref: Ref) -> int | None:
        """Return the seat for a reference; None if it depends on the hand."""
        if ref.kind == "name":
            seat = self.find_seat_by_name(ref.text)
            return seat if not ref.seat or ref.seat == seat else None
        if ref.kind == "me":
            return self.own_seat()
        return ref.seat if ref.kind == "seat" and ref.seat in self.seats else None


def _list_short_names(name: str) -> list[str]:
    """Return the short forms of a name."""
    words = name.split()
    if len(words) < 2:
        return []
    if words[-1].isdecimal():
        return [words[0][0] + words[-1]]  # Villain 1 is V1
    return [
        word
        for word in set(words)
        if (word[:1].isupper() or name == name.lower())  # notes from a phone have no capitals
        and word.lower().strip(".") not in _TITLES
        and word.lower() not in RESERVED
        and len(word) > 1
    ]
