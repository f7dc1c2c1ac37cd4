"""A table at six moments of one hand, and what a line written there is read as, or answered with."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from ledger.account import Account, Reject, TableAccount
from ledger.event import Event
from ledger.formats.handscript import FORMAT
from ledger.notation import Chunk
from ledger.people import People

HEADER: Final = """\
handscript 1
venue Case table Q
witness live-table
game holdem no-limit cash blinds 5/10 unit chips 0
"""
_SEATED: Final = """\
hand 1 2026-11-20T20:00:00Z
seat 1 Al 1000
seat 2 Bo 1000
seat 3 Cy 1000
seat 4 Di 1000
button 1
"""
_DEALT: Final = _SEATED + "2 posts small 5\n3 posts big 10\ndeal done\n"
_FLOP: Final = _DEALT + "4 calls\n1 folds\n2 calls\n3 checks\nburn flop 6d\nflop Kd 7s 2c\n"
_CHECKED: Final = "2 checks\n3 checks\n4 checks\n"
PLACES: Final = {
    "between": _DEALT + "4 folds\n1 folds\n2 folds\n3 uncalled 5\n3 wins 10\nend\n",
    "seated": _SEATED,
    "dealt": _DEALT,
    "flop": _FLOP,
    "facing": _FLOP + "2 bets 20\n",
    "showdown": f"{_FLOP}{_CHECKED}burn turn\nturn 8h\n{_CHECKED}burn river\nriver 3s\n{_CHECKED}showdown\n",
}
"""The lines above the one that is written, by where it is."""

WRITTEN_PATH: Final = Path(__file__).with_name("written.txt")


class WrittenLine(NamedTuple):
    """A line as somebody writes it: where, and what is made of it. `read`: it is read as `meaning`, else answered."""

    place: str
    line: str
    read: bool
    meaning: str


def written_lines() -> list[WrittenLine]:
    """Return the lines of `written.txt`."""
    entries, place = [], ""
    for line in WRITTEN_PATH.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            place = line.strip("[]")
        elif line and not line.startswith("#"):
            mark = " = " if " = " in line else " !"
            text, _, meaning = line.partition(mark)
            entries.append(WrittenLine(place, text, mark == " = ", meaning.strip()))
    return entries


class Outcome(NamedTuple):
    """What was made of a line: the events that it told and who is known then, or the answer and what else was said."""

    events: list[Event]
    people: frozenset[str] = frozenset()
    write: str = ""
    hint: str = ""


def outcome(place: str, *lines: str) -> Outcome:
    """Return what is made of lines that are written somewhere."""
    people = People(b"p" * 32)
    above = HEADER + PLACES[place]
    items = list(FORMAT.read(Chunk((above + "\n".join(lines) + "\n").encode()), people))
    items = items[1:] if place == "between" else items
    if not items:  # a line of the header
        return Outcome([])
    item = items[0]
    if isinstance(item, Reject):
        if not item.problems:
            return Outcome([], frozenset(), "", item.hint)
        problem = next(
            (candidate for candidate in item.problems if candidate.line > above.count("\n")), item.problems[0]
        )
        return Outcome([], frozenset(), problem.write, problem.hint)
    assert isinstance(item, Account | TableAccount)
    # the header's game is told of the hand, too
    count_above = 0 if place == "between" else PLACES[place].count("\n") + 1
    return Outcome(list(item.events[count_above:]), frozenset(name for _, name in people.names.values()))
