"""What a simulated evening's tables are told: the acts of random legal evenings, as a dealer enters them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from ledger.formats.handscript import write_lines
from ledger.hand.ending import HandCompleted
from ledger.table.events import TableOpened
from tests.evenings import ROOMS, evening
from tests.evenings.generate import PEOPLE, Dealt

BOOK: Final = "hilton"
GAMES: Final = tuple(
    room.name for room in ROOMS.values() if (room.book, room.form, room.variant) == (BOOK, "cash", "holdem")
)
_HEAD: Final = re.compile(r"(hand|game|option|venue|table|book) ")
_KEY: Final = re.compile(r"(\d+) (folds|checks|calls)\b")
_KEYS: Final = {"folds": "f", "checks": "k", "calls": "c"}


class TableAct(NamedTuple):
    """What a dealer enters at once: a pressed key with the seat whose turn it is, or one or several lines."""

    line: str
    recorded_lines: tuple[str, ...]  # what its events tell
    hand: str  # the number of its hand; "" = between hands
    seat: int | None = None


class PlannedTable(NamedTuple):
    """A table's evening: what is played there, and what happens, in order."""

    name: str
    game: str
    chairs: int
    acts: list[TableAct]

    def lines_by_hand(self) -> dict[str, list[str]]:
        """Return what the ledger must hold in the end: each hand's lines by its number, the table's under ""."""
        lines: dict[str, list[str]] = {"": []}
        for act in self.acts:
            lines.setdefault(act.hand, []).extend(act.recorded_lines)
        return lines


def plan_tables(count: int, hands: int, seed: int) -> list[PlannedTable]:
    """Return so many tables, each with so many hands."""
    return [
        plan_table(f"T{index + 1}", GAMES[index % len(GAMES)], hands, seed * 1000 + index) for index in range(count)
    ]


def plan_table(name: str, room_name: str, hands: int, seed: int) -> PlannedTable:
    """Return a table's evening in a game of `tests.evenings`."""
    night = evening(room_name, seed, hands)
    opened = night.hands[0].before[0]
    assert isinstance(opened, TableOpened)
    game = next(line for line in write_lines(night.hands[0].events, PEOPLE) if line.startswith("game "))
    acts = [act for hand in night.hands for act in _acts_of(hand)]
    return PlannedTable(name, game.removeprefix("game "), opened.seats or 9, acts)


def core_lines(lines: Iterable[str]) -> list[str]:
    """Return the lines that tell what happened, without those that say where, when and under which options."""
    return [line for line in lines if not _HEAD.match(line)]


def _acts_of(hand: Dealt) -> Iterator[TableAct]:
    facts = [event for event in hand.before if not isinstance(event, TableOpened)]
    yield from (TableAct(line, (line,), "") for line in write_lines(facts, PEOPLE))
    lines = write_lines(hand.events, PEOPLE)
    options = [line for line in lines if line.startswith("option ")]
    start = next((index + 1 for index, line in enumerate(lines) if line == "deal done"), len(lines))
    opening_lines = core_lines(lines[:start])
    yield TableAct("; ".join([f"hand {hand.number}", *options, *opening_lines]), tuple(opening_lines), hand.number)
    *_, last = lines[start:] or [""]
    is_flop_dealt = False
    for line, following in pairwise(lines[start:]):
        key = _KEY.match(line)
        is_flop_dealt = is_flop_dealt or line.startswith("flop ")
        # The key of a last fold also returns the bet. A big blind against all-in players has no key to check.
        if key is None or "uncalled" in following or (key[2] == "checks" and not is_flop_dealt):
            yield TableAct(line, (line,), hand.number)
        else:
            yield TableAct(_KEYS[key[2]], (line,), hand.number, int(key[1]))
    if isinstance(hand.events[-1], HandCompleted):
        yield TableAct("end", ("completed",), hand.number)
    else:
        if last:
            yield TableAct(last, (last,), hand.number)
        yield TableAct("stop", (), hand.number)
