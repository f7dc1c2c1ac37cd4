"""Everything that has a published schema besides events: documents of the commands, and rulebooks."""

from __future__ import annotations

from typing import Any

from cli.documents import DOCUMENTS
from ledger.schema import DIALECT, of
from projections.audit import AuditResult
from projections.finding import Coverage, Finding
from projections.rulebook import Entry, Header


def documents() -> dict[str, dict[str, Any]]:
    """Return the schemas of documents by name: those of commands by the command, then their parts."""
    found = {"audit-result": AuditResult, "finding": Finding, "coverage": Coverage}
    found |= {str(kind.__struct_config__.tag).split("/")[1]: kind for kind in DOCUMENTS}
    made = {name: of(kind, name, name) for name, kind in found.items()}
    made["rulebook"] = rulebook()
    return dict(sorted(made.items()))


def rulebook() -> dict[str, Any]:
    """Return the schema of a rulebook file: the table `rulebook`, then clauses by their id.

    An id with dots is a table in a table in TOML: `[intro.1a]` is `intro` with a clause `1a`.
    """
    header = of(Header, "", "Header")
    clause = of(Entry, "", "Entry")
    for part in (header, clause):
        for key in ("$schema", "$id"):
            del part[key]
    return {
        "$schema": DIALECT,
        "$id": "urn:handledger:rulebook",
        "title": "rulebook",
        "description": "A rulebook: what it is, and its clauses in the book's order.",
        "type": "object",
        "required": ["rulebook"],
        "properties": {"rulebook": {"$ref": "#/$defs/Header"}},
        "additionalProperties": {"$ref": "#/$defs/clauses"},
        "$defs": {
            "Header": header,
            **{
                name: schema for part in (clause,) for name, schema in part.pop("$defs", {}).items()
            },
            "Entry": clause,
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
