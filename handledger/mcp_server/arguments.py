"""The arguments of each tool. An assistant reads the descriptions; `build_tool_schema` makes them its JSON Schema."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

_MAX_LIST = 50

Start = Annotated[int, Meta(ge=1, le=10_000_000, description="The first entry of the list to return; 1 = the first.")]
_Address = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=300,
        description="A hand: T7/408, its number, FILE:LINE, or tournament/table/number. @12 or @flop picks a moment.",
    ),
]
_Table = Annotated[str, Meta(max_length=300, description="A table of the ledger: T7, tournament/table or venue/table.")]
_Books = Annotated[
    list[Annotated[str, Meta(max_length=100)]],
    Meta(
        max_length=8,
        description="Names of rulebooks, as `rules` lists them. Default: those of the server's operator, else the house's.",
    ),
]
_Query = Annotated[
    str,
    Meta(
        max_length=1_000,
        description="A query for hands, such as table:T7 pot>=200 -position:BTN, day:2026-11-20, clause:hilton.B8*",
    ),
]
_Document = Annotated[
    dict[str, Any] | None,
    Meta(
        description='A table written out, without any ledger: {"handledger": "table/1", "game": "limit 10/20", "seats": 9, '
        '"rulebook": "hilton", "steps": [{"do": "sit", "seat": 1, "name": "Ana"}, {"do": "sit", "seat": 3, "name": "Bo"}, '
        '{"do": "sit", "seat": 4, "name": "Cy"}, {"do": "deal", "button": 1}, {"do": "leave", "seat": 3}]}. Steps: sit, leave, '
        "away, back, move (seat, to), set_stack (seat, chips; 0 = broke), choose (seat, pick: post, wait or play), change_game "
        "(game), deal (as due, or with button, posts {seat: chips}, dealt [seats]). Was the game running before the first "
        'step? Then add "running": true, and owes (seat, blinds ["small blind"]) for blinds missed before. Amounts are whole '
        "chips."
    ),
]


class Arguments(msgspec.Struct, forbid_unknown_fields=True):
    """What a tool is asked."""


class DueArguments(Arguments):
    """The next hand of a table, or a past one."""

    table: _Table = ""
    document: _Document = None
    before_hand: Annotated[
        str, Meta(max_length=300, description="With `table`: a past hand of it, instead of the next one.")
    ] = ""
    rulebooks: _Books = []


class AuditArguments(Arguments):
    """Hands to check: by address, of a table, or of a query."""

    hands: Annotated[list[_Address], Meta(max_length=_MAX_LIST, description="Addresses of hands, such as T7/408.")] = []
    table: _Table = ""
    query: _Query = ""
    rulebooks: _Books = []
    start: Start = 1


class WhyArguments(Arguments):
    """A hand, or a table for its coming hand, and a figure of it."""

    address: _Address
    figure: Annotated[
        str,
        Meta(
            max_length=200,
            description="pot, rake, put:SEAT, won:SEAT, net:SEAT, button, small, big, due:SEAT, finding or "
            "finding:FINGERPRINT. Default: list all figures without reasons.",
        ),
    ] = ""
    rulebooks: _Books = []


class ShowArguments(Arguments):
    """A hand, or a moment of it."""

    address: _Address
    start: Start = 1


class RulesArguments(Arguments):
    """All rulebooks, the clauses of one, or one clause in full."""

    book: Annotated[str, Meta(max_length=100, description="A rulebook's name. Default: list the rulebooks.")] = ""
    clause: Annotated[
        str, Meta(max_length=100, description="A clause of it, such as B8a.1, to be explained in full.")
    ] = ""
    start: Start = 1


class SearchArguments(Arguments):
    """Letters of a table, hand, person, case or clause; or a query for hands."""

    text: Annotated[
        str, Meta(max_length=200, description="Letters of a table, hand number, person, case or clause.")
    ] = ""
    query: _Query = ""
    start: Start = 1


class CaseArguments(Arguments):
    """A dispute on file, or all of them."""

    number: Annotated[str, Meta(max_length=100, description="A case's number: 2026-7. Default: list the cases.")] = ""
    start: Start = 1


def build_tool_schema(arguments: type[Arguments]) -> dict[str, Any]:
    """Return the JSON Schema of a tool's arguments: an object at the root, with no references."""
    _, definitions = msgspec.json.schema_components([arguments])
    schema: dict[str, Any] = definitions[arguments.__name__]
    schema.pop("title", None)
    return schema
