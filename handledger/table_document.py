"""A table as plain JSON and back: its game, its book, and what happened, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias, get_args

import msgspec

from handledger import door_errors
from handledger.answers import Pick
from handledger.games import write_game
from handledger.hand_plan import KINDS, MAX_CHIPS, MIN_PLAYERS, ROLES, HandSheet, SeatPost
from handledger.table_log import TableIdentity, TableLog
from ledger.decoders import convert
from ledger.hand.opening import GameSet, NotDealtIn
from ledger.presence import PlayerAway, PlayerBack, PlayerBusted, SeatLeft, SeatMoved, SeatTaken, StackCounted
from ledger.table.events import BlindsOwed, PlayerEstablished
from projections.books.rulebook import BOOK_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Callable

    from handledger.table import Table
    from handledger.table_log import Step
    from projections.books.rulebook import Rulebook

JsonObject: TypeAlias = dict[str, Any]

SCHEMA: Final = "table/1"
_UNKNOWN_GAME: Final = GameSet("", "no-limit", "unknown", "chips", 0)
"""The game of a table until its lines name it."""
_REASONS: Final[tuple[str, ...]] = get_args(NotDealtIn)
_SEAT_STEPS: Final[dict[type, str]] = {SeatLeft: "leave", PlayerBack: "back"}


def write_table(table: Table) -> JsonObject:
    """Return a table as plain JSON."""
    log, book = table._log, table.rulebook  # noqa: SLF001 - a part of the same class
    steps = log.steps[1:] if log.has_opening else log.steps
    place = {} if log.has_opening else {"place": log.identity._asdict()}
    return {
        "handledger": SCHEMA,
        "game": table._first_game,  # noqa: SLF001 - as above
        "unit": table.unit,
        "exponent": table.exponent,
        "seats": table.seats,
        "rulebook": None if book is None else book.name,
        "tournament": table.is_tournament,
        **({"running": True} if table.is_running else {}),
        "options": dict(table._options),  # noqa: SLF001 - as above
        **place,
        "steps": [_write_step(step, log) or {"do": "lines", "lines": _write_lines(log, step)} for step in steps],
        "picks": {str(seat): pick for seat, pick in table._picks.items()},  # noqa: SLF001 - as above
    }


def _write_lines(log: TableLog, step: Step) -> list[str]:
    from handledger.table_script import write_lines  # noqa: PLC0415 - loads the notation

    return write_lines(log.identity, step, log.people)


def _write_step(step: Step, log: TableLog) -> JsonObject | None:
    """Return a step as JSON; None if only handscript can express it."""
    if step.is_hand:
        return None if step.sheet is None else _write_sheet(step.sheet)
    first_event, *further_events = step.events
    if isinstance(first_event, PlayerEstablished):
        return _write_established(step, log)
    if further_events and not (isinstance(first_event, StackCounted) and isinstance(further_events[0], PlayerBusted)):
        return None
    if isinstance(first_event, SeatTaken):
        stack = {} if first_event.stack is None else {"stack": first_event.stack}
        name = log.find_name(first_event.player)
        return {"do": "sit", "seat": first_event.seat, "name": name, "origin": first_event.origin, **stack}
    if isinstance(first_event, PlayerAway):
        in_room = {} if first_event.in_room is None else {"in_room": first_event.in_room}
        return {"do": "away", "seat": first_event.seat, **in_room}
    if isinstance(first_event, SeatLeft | PlayerBack):
        return {"do": _SEAT_STEPS[type(first_event)], "seat": first_event.seat}
    if isinstance(first_event, BlindsOwed):
        return {"do": "owes", "seat": first_event.seat, "blinds": [KINDS[role] for role in first_event.roles]}
    if isinstance(first_event, SeatMoved):
        return {"do": "move", "seat": first_event.origin, "to": first_event.to}
    if isinstance(first_event, StackCounted):
        return {"do": "set_stack", "seat": first_event.seat, "chips": first_event.amount}
    if isinstance(first_event, GameSet):
        return {"do": "change_game", "game": write_game(first_event)}
    return None


def _write_established(step: Step, log: TableLog) -> JsonObject | None:
    """Return the step of a player who played here before, with the stack; None if only handscript can express it."""
    established, *further_events = step.events
    if not isinstance(established, PlayerEstablished) or not established.player:
        return None
    fields = {"do": "sit", "seat": established.seat, "name": log.find_name(established.player)}
    if not further_events:
        return fields
    stack = further_events[0]
    if len(further_events) > 1 or not isinstance(stack, StackCounted) or stack.seat != established.seat:
        return None
    return {**fields, "stack": stack.amount}


def _write_sheet(sheet: HandSheet) -> JsonObject:
    return {
        "do": "deal",
        "button": sheet.button,
        "small_blind": sheet.small,
        "big_blind": sheet.big,
        "dealt": sorted(sheet.dealt),
        "posts": [
            {"seat": post.seat, "kind": KINDS.get(post.role, post.role), "chips": post.live, "dead": post.dead}
            for post in sheet.posts
        ],
        "left_out": {str(seat): reason for seat, reason in sheet.left_out},
    }


# Reading


def read_table(table_class: type[Table], document: object, rulebook: str | Rulebook | None) -> Table:
    """Make the table of a document; `TableError` with the place of what is wrong in it."""
    fields = read_object(document, "document")
    if fields.get("handledger") != SCHEMA:
        raise door_errors.bad_table_document("handledger", "schema")
    book = fields.get("rulebook") if rulebook is None else rulebook
    if rulebook is None and isinstance(book, str) and book.endswith(BOOK_SUFFIX):
        raise door_errors.book_by_path(book)
    is_scripted = "place" in fields
    table = table_class(
        _UNKNOWN_GAME if is_scripted else fields.get("game", ""),
        seats=fields.get("seats", 9),
        rulebook=book,
        tournament=fields.get("tournament") is True,
        running=fields.get("running") is True,
        options=fields.get("options") or {},
        unit=fields.get("unit"),
        exponent=fields.get("exponent", 0),
    )
    if is_scripted:
        table._log = TableLog(_read_place(fields["place"]))  # noqa: SLF001 - a part of the same class
    for index, step in enumerate(_read_list(fields.get("steps", ()), "steps")):
        apply_step(table, step, f"steps[{index}]")
    if table._game is _UNKNOWN_GAME:  # noqa: SLF001 - as above
        raise door_errors.script_without_game()
    for key, pick in read_object(fields.get("picks", {}), "picks").items():
        seat = _read_key(key, "picks")
        if seat not in table.seated or pick not in get_args(Pick):
            raise door_errors.bad_table_document("picks", "choice")
        table._picks[seat] = pick  # noqa: SLF001 - as above
    return table


def _read_place(value: object) -> TableIdentity:
    """Return the table's name and facts in a record."""
    fields = read_object(value, "place")
    try:
        return convert([fields.get(name) for name in TableIdentity._fields], TableIdentity)
    except msgspec.ValidationError:
        raise door_errors.bad_table_document("place", "place") from None


def apply_step(table: Table, step: object, document_path: str) -> None:
    """Apply one step of a document to a table. `document_path`: the step's place, for errors."""
    step_fields = read_object(step, document_path)
    kind = step_fields.pop("do", None)
    if not isinstance(kind, str) or kind not in _READERS:
        raise door_errors.bad_table_document(document_path, "step")
    parameters, reader = _READERS[kind]
    unknown_fields = sorted(str(name) for name in step_fields if name not in parameters)
    if unknown_fields:
        raise door_errors.bad_table_document(f"{document_path}.{unknown_fields[0]:.40}", "field")
    missing_fields = [name for name, is_needed in parameters.items() if is_needed and name not in step_fields]
    if missing_fields:
        raise door_errors.bad_table_document(f"{document_path}.{missing_fields[0]}", "missing")
    reader(table, step_fields, document_path)


def _apply_sit(table: Table, step_fields: JsonObject, _path: str) -> None:
    table.sit(step_fields["seat"], step_fields["name"], step_fields.get("stack"), origin=step_fields.get("origin"))


def _apply_away(table: Table, step_fields: JsonObject, _path: str) -> None:
    table.away(step_fields["seat"], in_room=step_fields.get("in_room"))


def _apply_owes(table: Table, step_fields: JsonObject, document_path: str) -> None:
    table.owes(step_fields["seat"], *_read_list(step_fields["blinds"], f"{document_path}.blinds"))


def _apply_deal(table: Table, step_fields: JsonObject, document_path: str) -> None:
    """Record a hand from its facts; without facts, as due or as stated."""
    if "left_out" in step_fields:
        table._record_sheet(_read_sheet(table, step_fields, document_path))  # noqa: SLF001 - a part of the same class
        return
    posts = step_fields.get("posts")
    if isinstance(posts, Mapping):
        posts = {_read_key(seat, f"{document_path}.posts"): stated for seat, stated in posts.items()}
    table.deal(step_fields.get("button"), posts, dealt=step_fields.get("dealt"))


def _apply_lines(table: Table, step_fields: JsonObject, document_path: str) -> None:
    from handledger.table_script import read_lines  # noqa: PLC0415 - loads the notation

    lines = _read_list(step_fields["lines"], f"{document_path}.lines")
    if not all(isinstance(line, str) for line in lines):
        raise door_errors.bad_table_document(f"{document_path}.lines", "text")
    log = table._log  # noqa: SLF001 - a part of the same class
    steps = read_lines(log.identity, "\n".join(lines), log.people)
    table._add_steps(steps)  # noqa: SLF001 - as above


_READERS: Final[dict[str, tuple[dict[str, bool], Callable[[Table, JsonObject, str], None]]]] = {
    "sit": ({"seat": True, "name": True, "stack": False, "origin": False}, _apply_sit),
    "owes": ({"seat": True, "blinds": True}, _apply_owes),
    "leave": ({"seat": True}, lambda table, step_fields, _: table.leave(step_fields["seat"])),
    "away": ({"seat": True, "in_room": False}, _apply_away),
    "back": ({"seat": True}, lambda table, step_fields, _: table.back(step_fields["seat"])),
    "move": (
        {"seat": True, "to": True},
        lambda table, step_fields, _: table.move(step_fields["seat"], step_fields["to"]),
    ),
    "choose": (
        {"seat": True, "pick": True},
        lambda table, step_fields, _: table.choose(step_fields["seat"], step_fields["pick"]),
    ),
    "set_stack": (
        {"seat": True, "chips": True},
        lambda table, step_fields, _: table.set_stack(step_fields["seat"], step_fields["chips"]),
    ),
    "change_game": ({"game": True}, lambda table, step_fields, _: table.change_game(step_fields["game"])),
    "deal": (dict.fromkeys(("button", "small_blind", "big_blind", "dealt", "posts", "left_out"), False), _apply_deal),
    "lines": ({"lines": True}, _apply_lines),
}
"""Step → its fields (True = required), and the function that applies it."""


def _read_sheet(table: Table, step_fields: JsonObject, document_path: str) -> HandSheet:
    """Return the facts of a hand; `TableError` if they don't fit the table."""
    dealt_path, left_out_path = f"{document_path}.dealt", f"{document_path}.left_out"
    dealt = frozenset(_read_seat(table, seat, dealt_path) for seat in _read_list(step_fields.get("dealt"), dealt_path))
    left_out = []
    for key, reason in read_object(step_fields["left_out"], left_out_path).items():
        if reason not in _REASONS:
            raise door_errors.bad_table_document(left_out_path, "reason")
        left_out.append((_read_seat(table, _read_key(key, left_out_path), left_out_path), reason))
    seated = table.seated
    seats = [*dealt, *(seat for seat, _ in left_out)]
    if sorted(seats) != sorted(seated) or len(dealt) < MIN_PLAYERS:
        raise door_errors.bad_table_document(document_path, "dealt")
    posts = _read_posts(table, step_fields.get("posts"), dealt, f"{document_path}.posts")
    if any(seated[seat].stack == 0 for seat in dealt):
        raise door_errors.bad_table_document(dealt_path, "no-chips")
    button, small, big = (
        _read_position(table, step_fields.get(name), f"{document_path}.{name}")
        for name in ("button", "small_blind", "big_blind")
    )
    return HandSheet(dealt, button, small, big, posts, tuple(left_out))


def _read_seat(table: Table, value: object, document_path: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= table.seats:
        raise door_errors.bad_table_document(document_path, "seat")
    return value


def _read_position(table: Table, value: object, document_path: str) -> int | None:
    return None if value is None else _read_seat(table, value, document_path)


def _read_posts(table: Table, entries: object, dealt: frozenset[int], document_path: str) -> tuple[SeatPost, ...]:
    """Return the posts of a hand; `TableError` if a seat without cards posts, or posts more than its stack."""
    stacks = {seat: player.stack for seat, player in table.seated.items()}
    posts = []
    for index, entry in enumerate(_read_list(entries, document_path)):
        post = _read_post(entry, f"{document_path}[{index}]")
        chips = post.live + post.dead
        stack = stacks.get(post.seat)
        if post.seat not in dealt or (stack is not None and chips > stack):
            raise door_errors.bad_table_document(f"{document_path}[{index}]", "post")
        if stack is not None:
            stacks[post.seat] = stack - chips
        if chips:
            posts.append(post)
    return tuple(posts)


def _read_post(entry: object, document_path: str) -> SeatPost:
    fields = read_object(entry, document_path)
    seat, kind, chips, dead = (fields.get(name) for name in ("seat", "kind", "chips", "dead"))
    if not isinstance(kind, str) or kind not in ROLES:
        raise door_errors.bad_table_document(f"{document_path}.kind", "kind")
    numbers = [number for number in (seat, chips, dead) if isinstance(number, int) and not isinstance(number, bool)]
    if len(numbers) != 3 or not all(0 <= number <= MAX_CHIPS for number in numbers):
        raise door_errors.bad_table_document(document_path, "seat-and-chips")
    return SeatPost(numbers[0], ROLES[kind], *numbers[1:])


def read_object(value: object, document_path: str) -> JsonObject:
    """Return a copy of a JSON object; `TableError` if the value isn't an object."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise door_errors.bad_table_document(document_path, "object")
    return dict(value)


def _read_list(value: object, document_path: str) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise door_errors.bad_table_document(document_path, "list")
    return value


def _read_key(key: object, document_path: str) -> int:
    """Return the seat of a JSON object's key, which is a text of digits."""
    if isinstance(key, int):
        return key
    if not isinstance(key, str) or not key.isascii() or not key.isdigit() or len(key) > 3:
        raise door_errors.bad_table_document(document_path, "seat")
    return int(key)
