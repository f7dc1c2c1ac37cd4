"""Make the tables of phrases in docs/formats: the phrases of a room's text, and the events that its reader makes.

The events of a row come from the code of its function: those that it makes itself, and those of the functions that
it calls.
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
HEAD = """Generated from the reader's tables of phrases (`make docs`). A word in braces is a field; `{_}` is skipped, and `{name}` has a seat
in the hand. The events are those of [the vocabulary](../vocabulary.md): all that the phrase can make, or "none" if it makes no event.
A line that fits no phrase is kept as `hand.line-unread`.
"""
_MAX_DEPTH: Final = 8
_MAX_WORDS: Final = 12
_WORDS: Final = {
    "street": ("STREETS", "a street"),
    "hand_street": ("HAND_STREETS", "a street without a board"),
    "pot": ("POTS", "a pot"),
}
"""Fields that hold one of the room's words, where those stand, and what they are words for."""


class Row(NamedTuple):
    """A phrase and the function or event type that reads it."""

    phrase: str
    tell: Callable[..., Any] | type[Event]


def pages() -> dict[str, str]:
    """Return the page of each format whose reader has phrases, with an up-to-date table."""
    texts = {}
    for name, rooms in _rooms().items():
        path = FOLDER / f"{name}.md"
        if not path.exists():
            raise ValueError(f"docs/formats/{name}.md is missing: write what the reader takes, infers and rejects, and put "
                             f"{BEGIN} and {END} where its phrases belong")
        text_before, _, remaining_text = path.read_text("utf-8").partition(BEGIN)
        _, end_mark, text_after = remaining_text.partition(END)
        if not end_mark:
            raise ValueError(f"{path.name}: {BEGIN} and {END} are missing: the phrases go between them")
        texts[path.name] = f"{text_before}{BEGIN}\n{HEAD}\n{_block(rooms)}\n{END}{text_after}"
    return texts


@cache
def _rooms() -> dict[str, list[type[PhraseHand]]]:
    """Return the rooms with phrases of their own, by format name."""
    packages = {formats.find_module_name(name): name for name in formats.NAMES}
    for name in formats.NAMES:
        formats.get(name)
    rooms_by_format: dict[str, list[type[PhraseHand]]] = {}
    for room in sorted(_subclasses(PhraseHand), key=_definition_order):
        package = next((candidate for candidate in packages if f"{room.__module__}.".startswith(f"{candidate}.")), None)
        if package is not None and any(_own_rows(room)):
            rooms_by_format.setdefault(packages[package], []).append(room)
    return rooms_by_format


def _definition_order(room: type[PhraseHand]) -> tuple[str, int]:
    """Return a sort key by definition: the room's module, and its place in the module."""
    return room.__module__, list(vars(sys.modules[room.__module__])).index(room.__name__)


def _subclasses(room: type[PhraseHand]) -> Iterator[type[PhraseHand]]:
    for subclass in room.__subclasses__():
        yield subclass
        yield from _subclasses(subclass)


def _own_rows(room: type[PhraseHand]) -> Iterator[Row]:
    """Yield the rows of a room without those of its base rooms."""
    inherited_rows = [row for base in room.__bases__ if issubclass(base, PhraseHand) for row in _rows(base)]
    yield from (row for row in _rows(room) if row not in inherited_rows)


def _rows(room: type[PhraseHand]) -> Iterator[Row]:
    name_end = next((mark for mark in room.NAME_ENDINGS if mark), "")
    yield from (Row(template, SeatDealtIn) for template in room.SEAT_ROWS)
    yield from (Row(template, tell) for template, tell in room.SEAT_LIST_LINES)
    yield from (Row(f"{{name}}{name_end} {template}", tell) for template, tell in (*room.ACTIONS, *room.PLAYER_LINES))
    yield from (Row(template, tell) for template, tell in (*room.LINES, *room.SUMMARY_LINES))


def _block(rooms: list[type[PhraseHand]]) -> str:
    """Return the tables of a page: first the rows that all its rooms share, then those of each room."""
    is_shared_page = len(rooms) > 1
    shared = [row for row in _own_rows(rooms[0]) if is_shared_page and all(row in _own_rows(room) for room in rooms[1:])]
    lines = _table(rooms[0], shared) if shared else []
    for room in rooms:
        rows = [row for row in _own_rows(room) if row not in shared]
        if not rows:
            continue
        if is_shared_page:
            lines += ["", f"**{_sentence(room)}**"]
        lines += ["", *_table(room, rows)]
        lines += [line for line in _field_words(room, rows) if line not in lines]
        lines += _links_to_base_formats(room)
    return "\n".join(lines).strip("\n")


def _links_to_base_formats(room: type[PhraseHand]) -> list[str]:
    """Return a line for each other format whose phrases a room reads as well."""
    lines: list[str] = []
    bases = [base for base in room.__bases__ if issubclass(base, PhraseHand) and any(_rows(base)) and base is not PhraseHand]
    for base in bases:
        home = next((name for name, format_rooms in _rooms().items() if base in format_rooms), None)
        if home is not None and room not in _rooms()[home]:
            lines += ["", f"All phrases of [{home}]({home}.md) apply too."]
    return lines


def _table(room: type[PhraseHand], rows: list[Row]) -> list[str]:
    """Return a table with one line for all phrases of the same meaning."""
    phrases_by_meaning: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        phrases_by_meaning.setdefault((_events_of(room, row.tell), _meaning(room, row.tell)), []).append(row.phrase)
    lines = ["| phrase | event | meaning |", "|---|---|---|"]
    for (events, meaning), phrases in phrases_by_meaning.items():
        phrase_list = ", ".join(f"`{phrase}`".replace("|", "\\|") for phrase in dict.fromkeys(phrases))
        lines.append(f"| {phrase_list} | {events} | {meaning} |")
    return lines


def _field_words(room: type[PhraseHand], rows: list[Row]) -> Iterator[str]:
    """Yield the room's words for the fields of these rows."""
    for field, (words, noun) in _WORDS.items():
        all_words = list(getattr(room, words))
        distinct_words = list({word.lower(): word for word in reversed(all_words)}.values())[::-1]  # each word once, whatever its case
        if distinct_words and any(f"{{{field}}}" in row.phrase for row in rows):
            shown_words = ", ".join(f"`{word}`" for word in distinct_words[:_MAX_WORDS])
            capitals_note = " Case doesn't matter." * (len(distinct_words) < len(all_words))
            more_text = f" and {len(distinct_words) - _MAX_WORDS} more" * (len(distinct_words) > _MAX_WORDS)
            yield f"\n`{{{field}}}` is the room's word for {noun}: {shown_words}{more_text}.{capitals_note}"


def _sentence(documented: object) -> str:
    """Return the first line of a docstring."""
    return (inspect.getdoc(documented) or "").partition("\n")[0].replace("|", "\\|")


def _meaning(room: type[PhraseHand], tell: Callable[..., Any] | type[Event]) -> str:
    """Return a function's docstring as a meaning, or its only event's docstring if it has none."""
    if isinstance(tell, partial):
        tell = tell.func
    if isinstance(tell, type):
        return ""
    made_events = _made_events(tell, room)
    documented = made_events[0] if not tell.__doc__ and len(made_events) == 1 else tell
    sentence = re.sub(r"^(Tell|Read) (that )?", "", _sentence(documented)).removesuffix(".")
    return sentence[:1].lower() + sentence[1:]


def _events_of(room: type[PhraseHand], tell: Callable[..., Any] | type[Event]) -> str:
    """Return the events of a row, in the order of the vocabulary."""
    kinds = {tell} if isinstance(tell, type) else {*_made_events(tell, room)} - {LineUnread}
    return ", ".join(f"`{topic(kind)}`" for kind in EVENT_TYPES if kind in kinds) or "none"


@cache
def _made_events(tell: Callable[..., Any], room: type[PhraseHand]) -> tuple[type[Event], ...]:
    """Return the event types that a row's function makes, each once."""
    return tuple(dict.fromkeys(_iter_made_events(tell, room)))


def _iter_made_events(tell: Any, room: type, depth: int = 0) -> Iterator[type[Event]]:  # noqa: ANN401 - whatever a table holds
    """Yield the event types that a function and its calls make. `room` holds the methods that it calls."""
    if isinstance(tell, partial):
        tell = tell.func
    if isinstance(tell, type) and issubclass(tell, Event):
        yield tell
    if not inspect.isfunction(tell) or depth > _MAX_DEPTH or not tell.__module__.startswith("ledger."):
        return
    nonlocals = inspect.getclosurevars(tell).nonlocals
    names = {**vars(sys.modules[tell.__module__]), **nonlocals}
    for value in nonlocals.values():
        if callable(value):
            yield from _iter_made_events(value, room, depth + 1)
    for node in _calls_and_names(tell.__code__):
        if isinstance(node, ast.Call):
            for called_function in _called_functions(node.func):
                yield from _iter_made_events(_resolve_call(called_function, names, room, tell), room, depth + 1)
        else:
            named_value = names.get(node.id)
            named_value = named_value[0] if isinstance(named_value, list | tuple) and named_value else named_value
            if isinstance(named_value, Event):
                yield type(named_value)


def _called_functions(function: ast.expr) -> list[ast.expr]:
    """Return the functions that a call may mean: both branches of a conditional expression."""
    return [function.body, function.orelse] if isinstance(function, ast.IfExp) else [function]


def _resolve_call(called_function: ast.expr, names: dict[str, Any], room: type, caller: Callable[..., Any]) -> Any:  # noqa: ANN401 - as above
    """Return the function, event type or method behind a called name, or None."""
    if isinstance(called_function, ast.Name):
        return names.get(called_function.id)
    if not isinstance(called_function, ast.Attribute):
        return None
    owner = called_function.value
    if isinstance(owner, ast.Call):  # super()
        owners = [base for base in room.__mro__ if vars(base).get(caller.__name__) is caller]
        later_classes = room.__mro__[room.__mro__.index(owners[0]) + 1 :] if owners else ()
        return next((vars(base)[called_function.attr] for base in later_classes if called_function.attr in vars(base)), None)
    if isinstance(owner, ast.Name):
        named_value = names.get(owner.id)
        return getattr(named_value, called_function.attr, None) if inspect.ismodule(named_value) else getattr(room, called_function.attr, None)
    return None


@cache
def _calls_and_names(code: CodeType) -> tuple[ast.Call | ast.Name, ...]:
    """Return the calls and names in a function's source."""
    function_node = _functions_by_line(code.co_filename)[code.co_firstlineno, code.co_name]
    return tuple(node for node in ast.walk(function_node) if isinstance(node, ast.Call | ast.Name))


@cache
def _functions_by_line(path: str) -> dict[tuple[int, str], ast.AST]:
    """Return the functions of a file by first line and name."""
    functions: dict[tuple[int, str], ast.AST] = {}
    for node in ast.walk(ast.parse(Path(path).read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            functions[first, node.name] = node
        elif isinstance(node, ast.Lambda):
            functions[node.lineno, "<lambda>"] = node
    return functions
