"""Makes docs/vocabulary.md: every event with its fields, and what tells which fact of the rules."""

from __future__ import annotations

import inspect
import tomllib
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from ledger import presence, vocabulary
from ledger.case import events as case
from ledger.event import Event, topic
from ledger.events import EVENT_TYPES
from ledger.hand import betting, dealing, ending, opening
from ledger.schema import list_fields, list_streams
from ledger.table import events as table
from ledger.table import money_events as money

HEAD = """# The vocabulary

Generated from the program (`make docs`). The ledger stores these events and no others. An event is stored as an array: its name, then
its fields in this order. `StraddlePosted(seat=4, amount=2000)` is `["StraddlePosted",4,2000,"straddle",true,null]`. In an older event,
fields with a default may be missing at the end. `schemas/events` has the same as JSON Schemas, and so does
`handledger schema hand.straddle-posted`.

Amounts are integers in the table's smallest unit. `to` is a seat's live total on the street, `added` the chips of the act. A seat is a
number, clockwise. A player is an opaque id. Free text is a reference into the vault and can be erased.
"""

TITLES = {
    "hand": ("Events of a hand", "One stream for each account of a hand, as one source has it."),
    "table": ("Events of a table", "Facts about seats and chips may also be in a hand, if the source has them there."),
    "case": ("Events of a case", "A dispute, from the first claim to the ruling and after."),
    "house": ("Events of the house", "What the keepers of the ledger did."),
}


def facts() -> dict[str, Any]:
    """Return the map of facts and constructs, as kept in `facts.toml`."""
    return tomllib.loads((Path(__file__).resolve().parent / "facts.toml").read_text("utf-8"))


def page() -> str:
    """Return the page as Markdown."""
    parts = [HEAD]
    for stream, (title, description) in TITLES.items():
        parts.append(f"## {title}\n\n{description}\n")
        parts += [_event(kind) for kind in EVENT_TYPES if kind.STREAM == stream]
    return "\n".join([*parts, *_lists(), *_witnesses(), *_map(facts())])


def _event(kind: type[Event]) -> str:
    streams = list_streams(kind)
    other_streams = [stream for stream in streams if stream != kind.STREAM]
    lines = [f"### {topic(kind)}", "", inspect.cleandoc(kind.__doc__ or "")]
    if other_streams or kind.STREAM not in streams:
        lines += ["", f"In streams of: {', '.join(streams)}."]
    fields = list_fields(kind)
    if fields:
        lines += ["", "| field | type | default | |", "|---|---|---|---|"]
        lines += [
            f"| {field.name} | {_cell(field.type)} | {_cell(field.default)} | {_escape_cell(field.note)} |"
            for field in fields
        ]
    return "\n".join(lines) + "\n"


def _lists() -> list[str]:
    """Return the closed lists that fields name by a word of ours."""
    parts = ["## Closed lists\n", "| type | values |\n|---|---|"]
    for module in (vocabulary, opening, dealing, betting, ending, presence, table, money, case):
        for name, value in vars(module).items():
            if get_origin(value) is Literal and f"\n{name}: TypeAlias" in inspect.getsource(module):
                parts.append(f"| `{name}` | {' · '.join(value_name or '(none)' for value_name in get_args(value))} |")
    return [*parts, ""]


def _witnesses() -> list[str]:
    """Return what a source can declare that it records."""
    parts = ["## What a source can witness\n", "Bits of `witnesses`. If a bit isn't set, the source's silence proves nothing.\n",
             "| bit | records | |\n|---|---|---|"]
    for line in inspect.getsource(vocabulary.Witness).splitlines():
        name, _, bit_text = line.strip().partition(" = 1 << ")
        if bit_text:
            bit, _, note = bit_text.partition("#")
            parts.append(f"| {bit.strip()} | {name.lower().replace('_', '-')} | {note.strip()} |")
    return [*parts, ""]


def _cell(code: str | None) -> str:
    return f"`{_escape_cell(code)}`" if code else ""


def _escape_cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _link(name: str) -> str:
    """Turn `hand.blind-posted.role=small` into a link to the event and what of it is meant."""
    path, _, value = name.partition("=")
    stream, event, *field = path.split(".")
    anchor = f"{stream}.{event}"
    link_text = f"[{anchor}](#{anchor.replace('.', '')})"
    if field:
        link_text += f" `{field[0]}{' = ' + value if value else ''}`"
    return link_text


def _map(fact_map: dict[str, Any]) -> list[str]:
    parts = ["## Facts, and the events that show them\n", "The facts that the rulebooks' clauses need, and the events that show them.\n",
             "| fact | part | shown by |\n|---|---|---|"]
    for name, entries in fact_map["fact"].items():
        parts += [
            f"| {name if part == 'is' else ''} | {'' if part == 'is' else part} | {' · '.join(map(_link, event_names))} |"
            for part, event_names in entries.items()
        ]
    parts += ["\n## What is inferred\n", "| inferred | rests on | by |\n|---|---|---|"]
    parts += [
        f"| {name.replace('_', ' ')} | {', '.join(entry['from'])} | {entry['by']} |"
        for name, entry in fact_map["inferred"].items()
    ]
    parts += ["\n## What formats write\n", "| in a file | becomes | |\n|---|---|---|"]
    parts += [
        f"| {_escape_cell(entry['source'])} | {' · '.join(map(_link, entry['events']))} | {entry.get('note', '')} |"
        for entry in fact_map["construct"]
    ]
    parts.append("\n## What no format writes\n")
    parts += [f"- {entry['why']} {' · '.join(map(_link, entry['events']))}" for entry in fact_map["live"]]
    return [*parts, ""]
