"""Find the published schemas: of the commands' documents, rulebooks and events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from cli.documents import (
    command_documents,
    import_documents,
    judged_documents,
    lake_documents,
    query_documents,
    rulebook_documents,
    why_document,
)
from ledger.events import TOPICS
from ledger.schema import DIALECT, Schema, build_components, build_event_schema, build_schema, map_event_types
from projections.books.book_draft import Change, Entry, Header
from projections.cases import case_documents
from projections.findings.finding import Coverage, Finding
from projections.live import live_document
from projections.obligations.policy import POINTS
from projections.reports import hand_documents, owed_report
from projections.reports.audit_json import SCHEMA
from projections.reports.audit_json import Document as FindingsDocument
from web.api import documents as api_documents
from web.pages import documents as report_documents
from web.server import documents as site_documents

_MODULES: Final = (
    command_documents,
    import_documents,
    judged_documents,
    lake_documents,
    query_documents,
    rulebook_documents,
    why_document,
    case_documents,
    live_document,
    hand_documents,
    owed_report,
    report_documents,
    api_documents,
    site_documents,
)
"""Modules whose tagged types are published: `class LogDocument(CommandDocument, tag="handledger/log/1")`."""


def find_documents() -> Iterator[type[msgspec.Struct]]:
    """Yield the types of all documents, for the schemas."""
    yield FindingsDocument
    for module in _MODULES:
        for kind in vars(module).values():
            if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__module__ == module.__name__:
                tag = kind.__struct_config__.tag
                if isinstance(tag, str) and tag.startswith("handledger/"):
                    yield kind


def find_tag(document: type[msgspec.Struct]) -> str:
    """Return the value of a document's field `schema`: `handledger/import/1`."""
    tag = document.__struct_config__.tag
    return str(tag) if tag is not None else SCHEMA


RULEBOOK: Final = "rulebook"

_PARTS: Final[dict[str, type[msgspec.Struct]]] = {"coverage": Coverage, "finding": Finding}
_TYPES: Final[dict[str, type[msgspec.Struct]]] = {
    **_PARTS,
    **{find_tag(kind).split("/")[1]: kind for kind in find_documents()},
}
"""Documents by name: those of commands by the command, then their parts."""


def list_names() -> list[str]:
    """Return the names that `schema` knows: documents, then events by topic."""
    return [*sorted([*_TYPES, RULEBOOK]), *TOPICS]


def find_schema(name: str) -> Schema:
    """Return the schema called `name`; `KeyError` if there is none.

    An event has its topic as a name, with or without a version: `hand.folded`, `hand.folded.v1`.
    """
    if name == RULEBOOK:
        return _describe_rulebook()
    if name in _TYPES:
        schemas = build_schema(_TYPES[name], name, name)
        if name not in _PARTS:
            schemas["properties"]["schema"] = {"const": find_tag(_TYPES[name])}
        return schemas
    return build_event_schema(TOPICS[name] if name in TOPICS else map_event_types()[name])


def build_files() -> dict[str, Schema]:
    """Return all published schemas by file name without its ending: `events/hand.folded.v1`."""
    schemas = {name: find_schema(name) for name in sorted([*_TYPES, RULEBOOK])}
    return schemas | {f"events/{name}": build_event_schema(kind) for name, kind in map_event_types().items()}


def _describe_rulebook() -> Schema:
    """Return the schema of a rulebook file: `rulebook`, `policy`, `cite`, then clauses by their id.

    An id with dots is a table in a table in TOML: `[intro.1a]` is `intro` with a clause `1a`.
    """
    parts: Schema = {}
    for kind in (Header, Entry, Change):
        schemas = build_schema(kind, "", kind.__name__)
        del schemas["$schema"], schemas["$id"]
        parts.update(schemas.pop("$defs", {}))
        parts[kind.__name__] = schemas
    nested = {"type": "object", "minProperties": 1, "additionalProperties": {"$ref": "#/$defs/clauses"}}
    return {
        "$schema": DIALECT,
        "$id": "urn:handledger:rulebook",
        "title": RULEBOOK,
        "description": "A rulebook: what it is, what it decides, and its clauses in the book's order.",
        "type": "object",
        "required": ["rulebook"],
        "properties": {
            "rulebook": {"$ref": "#/$defs/Header"},
            "policy": {"$ref": "#/$defs/policy"},
            "cite": {
                "description": "A house's own numbers, by the clause of the book it extends.",
                "type": "object",
                "additionalProperties": {"type": "string", "minLength": 1, "maxLength": 40},
            },
        },
        "additionalProperties": {"$ref": "#/$defs/clauses"},
        "$defs": {
            **parts,
            **_describe_policy(),
            "clauses": {
                "description": "A clause, what a house changes in one, or the clauses whose ids begin with this part.",
                "if": {"type": "object", "required": ["says", "topic"]},
                "then": {"$ref": "#/$defs/Entry"},
                "else": {"anyOf": [{"$ref": "#/$defs/Change"}, nested]},
            },
        },
    }


def _describe_policy() -> Schema:
    """Return the schema of the table [policy], with the parts it refers to."""
    shapes, parts = build_components([point.shape for point in POINTS.values()], "#/$defs/")
    ruling = {
        "type": "object",
        "description": "What the book decides: the value, the clauses that say so, a few words.",
        "required": ["is"],
        "properties": {
            "is": {},
            "clauses": {"type": "array", "items": {"type": "string"}},
            "says": {"type": "string"},
            "literal": {"type": "boolean"},
        },
        "additionalProperties": False,
    }
    silent = {
        "type": "object",
        "description": "A house's book: the point is not decided, and why.",
        "required": ["off"],
        "properties": {"off": {"type": "string", "minLength": 1}},
        "additionalProperties": False,
    }
    points = {
        point.key: {
            "description": point.title,
            "if": {"required": ["off"]},
            "then": {"$ref": "#/$defs/silent"},
            "else": {"$ref": "#/$defs/ruling", "properties": {"is": shape}},
        }
        for point, shape in zip(POINTS.values(), shapes, strict=True)
    }
    policy = {"type": "object", "properties": points, "additionalProperties": False}
    return {**parts, "ruling": ruling, "silent": silent, "policy": policy}
