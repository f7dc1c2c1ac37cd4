"""A table as handscript and back."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from handledger import door_errors
from handledger.table_log import WITNESSES, Step, TableIdentity
from ledger.account import Account, TableAccount
from ledger.formats.handscript import read_with_comments
from ledger.formats.handscript.context import Context, Settings
from ledger.formats.handscript.writer import FIRST_LINE, write_header, write_line
from ledger.hand.ending import HandCompleted
from ledger.hand.opening import GameSet, HandOpened, OptionSet
from ledger.table.events import TableOpened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ledger.hand.opening import HouseOption
    from ledger.people import People

MAX_CHARACTERS: Final = 4_000_000


class ScriptedTable(NamedTuple):
    """A table read from handscript. `game` and `options`: of the last hand, or as set after it."""

    identity: TableIdentity
    steps: list[Step]
    game: GameSet
    options: dict[HouseOption, int | str]


def write_script(identity: TableIdentity, steps: Iterable[Step], people: People) -> str:
    """Return the handscript of a table: a header, then each hand and what happened between them."""
    settings = _make_settings(identity)
    lines = [FIRST_LINE, *write_header(settings)]
    for is_hand, group in groupby(steps, key=lambda step: step.is_hand):
        group_steps = list(group)
        if not is_hand:
            group_steps = [Step(tuple(event for step in group_steps for event in step.events))]
        for step in group_steps:
            lines += ["", *_write_section(step, settings, people)]
    return "\n".join(lines) + "\n"


def write_lines(identity: TableIdentity, step: Step, people: People) -> list[str]:
    """Return the lines of a step, without the header."""
    return _write_section(step, _make_settings(identity), people)


def _make_settings(identity: TableIdentity) -> Settings:
    return Settings(identity.venue, identity.table, identity.seats, identity.tournament, witnesses=identity.witnesses)


def _write_section(step: Step, settings: Settings, people: People) -> list[str]:
    context = Context(people, settings)
    lines = [write_line(event, context) for event in step.events]
    if not step.is_hand:
        return ["between-hands", *lines, "end"]
    if isinstance(step.events[-1], HandCompleted):
        return [*lines[:-1], "end" + lines[-1].removeprefix("completed")]
    return [*lines, "stop"]


def read_lines(identity: TableIdentity, lines: str, people: People) -> list[Step]:
    """Read the steps in lines without a header, as `write_lines` wrote them; `TableError` for another table's."""
    header = "\n".join([FIRST_LINE, *write_header(_make_settings(identity))])
    places, steps = _read_steps(f"{header}\n{lines}\n", people)
    if places != {(identity.venue, identity.table, identity.tournament)}:
        raise door_errors.several_tables(len(places))
    return steps


def read_script(text: str, people: People) -> ScriptedTable:
    """Read the table of a text; `UnreadableHandError` for a line that can't be read, `TableError` for several tables."""
    places, steps = _read_steps(text, people)
    if len(places) != 1:
        raise door_errors.several_tables(len(places))
    events = [event for step in steps for event in step.events]
    games = [event for event in events if isinstance(event, GameSet)]
    if not games:
        raise door_errors.script_without_game()
    openings = [event for event in events if isinstance(event, HandOpened | TableOpened)]
    chairs = max((opening.seats for opening in openings), default=0)
    witnesses = next((opening.witnesses for opening in reversed(openings) if opening.witnesses), 0)
    identity = TableIdentity(*places.pop(), chairs, witnesses or WITNESSES)
    return ScriptedTable(identity, steps, games[-1], dict(_iter_last_options(steps)))


def _read_steps(text: str, people: People) -> tuple[set[tuple[str, str, str]], list[Step]]:
    """Return the tables that a text names, as venue, table and tournament, and its steps."""
    if len(text) > MAX_CHARACTERS:
        raise door_errors.script_too_long(MAX_CHARACTERS)
    try:
        items = read_with_comments(text, people)
    except UnicodeEncodeError:
        raise door_errors.script_not_unicode() from None
    accounts = [item.told for item in items if isinstance(item.told, Account | TableAccount)]
    return set(map(_find_place, accounts)), [Step(tuple(account.events)) for account in accounts]


def _find_place(account: Account | TableAccount) -> tuple[str, str, str]:
    source = account if isinstance(account, TableAccount) else account.opened
    return source.venue, source.table, source.tournament


def _iter_last_options(steps: list[Step]) -> Iterator[tuple[HouseOption, int | str]]:
    """Yield the options of the last hand, and those set after it."""
    last_hand = max((index for index, step in enumerate(steps) if step.is_hand), default=0)
    for step in steps[last_hand:]:
        for event in step.events:
            if isinstance(event, OptionSet):
                yield event.option, event.value
