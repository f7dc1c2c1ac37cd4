"""Makes the tables of phrases in docs/formats: what a room's text says, and the events that its reader makes of it.

Which events a row can make is read off the code that tells it: the events that it puts down itself, and those of
what it calls.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from types import CodeType
from typing import Any, Final, NamedTuple

from ledger import formats
from ledger.event import Event, topic
from ledger.events import EVENT_TYPES
from ledger.hand.ending import LineUnread
from ledger.hand.opening import SeatDealtIn
from ledger.readers.phrase_hand import PhraseHand

FOLDER: Final = Path(__file__).resolve().parent / "formats"
BEGIN, END = "<!-- phrases: written by make docs -->", "<!-- /phrases -->"
HEAD = """Made from the reader's tables of phrases. A word in braces is a field, `{_}` is left aside; who is `{name}` has a seat in the
hand. The events are those of [the vocabulary](../vocabulary.md): all that the phrase can make, or "none" where it says nothing that
is kept as an event of its own. A line that no phrase fits is kept as `hand.line-unread`.
"""
_DEEPEST: Final = 8
_WORDS_MOST: Final = 12
_WORDS: Final = {
    "street": ("STREETS", "a street"),
    "hand_street": ("HAND_STREETS", "a street without a board"),
    "pot": ("POTS", "a pot"),
}
"""Fields that hold one of the room's words, where those stand, and what they are words for."""


class Row(NamedTuple):
    """A phrase and what tells it."""

    phrase: str
    tell: Callable[..., Any] | type[Event]


def pages() -> dict[str, str]:
    """Return each format's page whose reader is made of phrases, with the table that it should have."""
    found = {}
    for name, rooms in _rooms().items():
        path = FOLDER / f"{name}.md"
        if not path.exists():
            raise ValueError(f"docs/formats/{name}.md is missing: say there what is read, inferred and rejected, and put "
                             f"{BEGIN} and {END} where its phrases are to stand")
        before, _, rest = path.read_text("utf-8").partition(BEGIN)
        _, mark, behind = rest.partition(END)
        if not mark:
            raise ValueError(f"{path.name}: {BEGIN} and {END} are missing, between which its phrases stand")
        found[path.name] = f"{before}{BEGIN}\n{HEAD}\n{_block(rooms)}\n{END}{behind}"
    return found


@cache
def _rooms() -> dict[str, list[type[PhraseHand]]]:
    """Return the rooms that have phrases of their own, by the name of their format."""
    packages = {formats.package(name): name for name in formats.NAMES}
    for name in formats.NAMES:
        formats.get(name)
    found: dict[str, list[type[PhraseHand]]] = {}
    for room in sorted(_below(PhraseHand), key=_place):
        package = next((one for one in packages if f"{room.__module__}.".startswith(f"{one}.")), None)
        if package is not None and any(_own(room)):
            found.setdefault(packages[package], []).append(room)
    return found


def _place(room: type[PhraseHand]) -> tuple[str, int]:
    """Return where a room is written: its module, and how many names the module has before it."""
    return room.__module__, list(vars(sys.modules[room.__module__])).index(room.__name__)


def _below(room: type[PhraseHand]) -> Iterator[type[PhraseHand]]:
    for one in room.__subclasses__():
        yield one
        yield from _below(one)


def _own(room: type[PhraseHand]) -> Iterator[Row]:
    """Yield the rows that a room has beyond those of the room that it is made from."""
    above = [row for base in room.__bases__ if issubclass(base, PhraseHand) for row in _rows(base)]
    yield from (row for row in _rows(room) if row not in above)


def _rows(room: type[PhraseHand]) -> Iterator[Row]:
    behind = next((mark for mark in room.NAME_ENDINGS if mark), "")
    yield from (Row(template, SeatDealtIn) for template in room.SEAT_ROWS)
    yield from (Row(template, tell) for template, tell in room.SEAT_LIST_LINES)
    yield from (Row(f"{{name}}{behind} {template}", tell) for template, tell in (*room.ACTIONS, *room.PLAYER_LINES))
    yield from (Row(template, tell) for template, tell in (*room.LINES, *room.SUMMARY_LINES))


def _block(rooms: list[type[PhraseHand]]) -> str:
    """Return the tables of a page: what all its rooms have, then what only some of them have."""
    lines: list[str] = []
    several = len(rooms) > 1
    shared = [row for row in _own(rooms[0]) if several and all(row in _own(room) for room in rooms[1:])]
    if shared:
        lines += _table(rooms[0], shared)
    for room in rooms:
        rows = [row for row in _own(room) if row not in shared]
        if not rows:
            continue
        if several:
            lines += ["", f"**{_sentence(room)}**"]
        lines += ["", *_table(room, rows)]
        lines += [line for line in _field_words(room, rows) if line not in lines]
        above = [base for base in room.__bases__ if issubclass(base, PhraseHand) and any(_rows(base)) and base is not PhraseHand]
        for base in above:
            home = next((name for name, some in _rooms().items() if base in some), None)
            if home is not None and room not in _rooms()[home]:
                lines += ["", f"All phrases of [{home}]({home}.md) are read as well."]
    return "\n".join(lines).strip("\n")


def _table(room: type[PhraseHand], rows: list[Row]) -> list[str]:
    """Return a table with one line for all phrases that are told in one way."""
    told: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        told.setdefault((_events_of(room, row.tell), _meaning(room, row.tell)), []).append(row.phrase)
    lines = ["| phrase | event | what it is |", "|---|---|---|"]
    for (events, meaning), phrases in told.items():
        said = ", ".join(f"`{one}`".replace("|", "\\|") for one in dict.fromkeys(phrases))
        lines.append(f"| {said} | {events} | {meaning} |")
    return lines


def _field_words(room: type[PhraseHand], rows: list[Row]) -> Iterator[str]:
    """Yield what words of the room the fields of these rows hold."""
    for field, (words, what) in _WORDS.items():
        written = list(getattr(room, words))
        known = list({word.lower(): word for word in reversed(written)}.values())[::-1]  # each in one size of letters
        if known and any(f"{{{field}}}" in row.phrase for row in rows):
            some = ", ".join(f"`{word}`" for word in known[:_WORDS_MOST])
            sizes = " Capitals do not matter." * (len(known) < len(written))
            more = f" and {len(known) - _WORDS_MOST} more" * (len(known) > _WORDS_MOST)
            yield f"\n`{{{field}}}` is the room's word for {what}: {some}{more}.{sizes}"


def _sentence(what: object) -> str:
    """Return the first sentence of what is said of a room or a function."""
    return (inspect.getdoc(what) or "").partition("\n")[0].replace("|", "\\|")


def _meaning(room: type[PhraseHand], tell: Callable[..., Any] | type[Event]) -> str:
    """Return what a function says of itself; of one that says nothing and makes one event, what that event is."""
    if isinstance(tell, partial):
        tell = tell.func
    if isinstance(tell, type):
        return ""
    made = _kinds(tell, room)
    what = made[0] if not tell.__doc__ and len(made) == 1 else tell
    said = re.sub(r"^(Tell|Read) (that )?", "", _sentence(what)).removesuffix(".")
    return said[:1].lower() + said[1:]


def _events_of(room: type[PhraseHand], tell: Callable[..., Any] | type[Event]) -> str:
    """Return the events of a row, in the order of the vocabulary."""
    kinds = {tell} if isinstance(tell, type) else {*_kinds(tell, room)} - {LineUnread}
    return ", ".join(f"`{topic(kind)}`" for kind in EVENT_TYPES if kind in kinds) or "none"


@cache
def _kinds(tell: Callable[..., Any], room: type[PhraseHand]) -> tuple[type[Event], ...]:
    """Return the events that a row's function makes, each once."""
    return tuple(dict.fromkeys(_made(tell, room)))


def _made(tell: Any, room: type, depth: int = 0) -> Iterator[type[Event]]:  # noqa: ANN401 - whatever a table holds
    """Yield the events that a function makes, those that it calls included; `room` has its methods."""
    if isinstance(tell, partial):
        tell = tell.func
    if isinstance(tell, type) and issubclass(tell, Event):
        yield tell
    if not inspect.isfunction(tell) or depth > _DEEPEST or not tell.__module__.startswith("ledger."):
        return
    closed = inspect.getclosurevars(tell).nonlocals
    names = {**vars(sys.modules[tell.__module__]), **closed}
    for value in closed.values():
        if callable(value):
            yield from _made(value, room, depth + 1)
    for node in _source(tell.__code__):
        if isinstance(node, ast.Call):
            for called in _called(node.func):
                yield from _made(_meant(called, names, room, tell), room, depth + 1)
        else:
            held = names.get(node.id)
            held = held[0] if isinstance(held, list | tuple) and held else held
            if isinstance(held, Event):
                yield type(held)


def _called(function: ast.expr) -> list[ast.expr]:
    """Return what a call may mean: both sides where one of two is called."""
    return [function.body, function.orelse] if isinstance(function, ast.IfExp) else [function]


def _meant(called: ast.expr, names: dict[str, Any], room: type, within: Callable[..., Any]) -> Any:  # noqa: ANN401 - as above
    """Return what stands behind a name that is called: a function, an event, or a method of the hand."""
    if isinstance(called, ast.Name):
        return names.get(called.id)
    if not isinstance(called, ast.Attribute):
        return None
    owner = called.value
    if isinstance(owner, ast.Call):  # super()
        above = [one for one in room.__mro__ if vars(one).get(within.__name__) is within]
        later = room.__mro__[room.__mro__.index(above[0]) + 1 :] if above else ()
        return next((vars(one)[called.attr] for one in later if called.attr in vars(one)), None)
    if isinstance(owner, ast.Name):
        held = names.get(owner.id)
        return getattr(held, called.attr, None) if inspect.ismodule(held) else getattr(room, called.attr, None)
    return None


@cache
def _source(code: CodeType) -> tuple[ast.Call | ast.Name, ...]:
    """Return the calls and names of a function as it is written."""
    written = _functions(code.co_filename)[code.co_firstlineno, code.co_name]
    return tuple(node for node in ast.walk(written) if isinstance(node, ast.Call | ast.Name))


@cache
def _functions(path: str) -> dict[tuple[int, str], ast.AST]:
    """Return the functions of a file by the line on which each begins and its name."""
    found: dict[tuple[int, str], ast.AST] = {}
    for node in ast.walk(ast.parse(Path(path).read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            found[first, node.name] = node
        elif isinstance(node, ast.Lambda):
            found[node.lineno, "<lambda>"] = node
    return found
