"""Everything that has a published schema: documents of the commands, rulebooks, events."""

from __future__ import annotations

from typing import Any, Final

from cli.documents import documents, name_of
from ledger.events import TOPICS
from ledger.schema import DIALECT, events, of, of_event
from projections.finding import Coverage, Finding
from projections.rulebook import Entry, Header

RULEBOOK: Final = "rulebook"

_TYPES: Final[dict[str, Any]] = {
    "coverage": Coverage,
    "finding": Finding,
    **{name_of(kind).split("/")[1]: kind for kind in documents()},
}
"""Documents by name: those of commands by the command, then their parts."""


def names() -> list[str]:
    """Return the names that `schema` knows: documents, then events by topic."""
    return [*sorted([*_TYPES, RULEBOOK]), *TOPICS]


def schema(name: str) -> dict[str, Any]:
    """Return the schema called `name`; `KeyError` if there is none.

    An event has its topic as a name, with or without a version: `hand.folded`, `hand.folded.v1`.
    """
    if name == RULEBOOK:
        return _rulebook()
    if name in _TYPES:
        found = of(_TYPES[name], name, name)
        if _TYPES[name] in documents():
            found["properties"]["schema"] = {"const": name_of(_TYPES[name])}
        return found
    return of_event(TOPICS[name] if name in TOPICS else events()[name])


def files() -> dict[str, dict[str, Any]]:
    """Return all published schemas by file name without its ending: `events/hand.folded.v1`."""
    found = {name: schema(name) for name in sorted([*_TYPES, RULEBOOK])}
    return found | {f"events/{name}": of_event(kind) for name, kind in events().items()}


def _rulebook() -> dict[str, Any]:
    """Return the schema of a rulebook file: the table `rulebook`, then clauses by their id.

    An id with dots is a table in a table in TOML: `[intro.1a]` is `intro` with a clause `1a`.
    """
    header, clause = of(Header, "", "Header"), of(Entry, "", "Entry")
    for part in (header, clause):
        del part["$schema"], part["$id"]
    return {
        "$schema": DIALECT,
        "$id": "urn:handledger:rulebook",
        "title": RULEBOOK,
        "description": "A rulebook: what it is, and its clauses in the book's order.",
        "type": "object",
        "required": ["rulebook"],
        "properties": {"rulebook": {"$ref": "#/$defs/Header"}},
        "additionalProperties": {"$ref": "#/$defs/clauses"},
        "$defs": {
            **clause.pop("$defs", {}),
            "Entry": clause,
            "Header": header,
            "clauses": {
                "description": "A clause, or the clauses whose ids begin with this part.",
                "if": {"type": "object", "required": ["says"]},
                "then": {"$ref": "#/$defs/Entry"},
                "else": {
                    "type": "object",
                    "minProperties": 1,
                    "additionalProperties": {"$ref": "#/$defs/clauses"},
                },
            },
        },
    }
