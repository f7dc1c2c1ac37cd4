"""Everything that has a published schema: documents of the commands, rulebooks, events."""

from __future__ import annotations

import inspect
from typing import Any, Final

import msgspec

from cli.documents import (
    AccountsDocument,
    CheckedDocument,
    CompareDocument,
    CorrectDocument,
    DeviceDocument,
    ErrorDocument,
    EvidenceDocument,
    ExportDocument,
    LogDocument,
    PeopleDocument,
    ReplayDocument,
    SchemasDocument,
    SealDocument,
    ServeDocument,
    ShowDocument,
    StampDocument,
    VerifyDocument,
    WitnessDocument,
)
from cli.import_documents import DemoDocument, ImportDocument, RejectsDocument
from cli.judged_documents import FloorDocument, KnockOnDocument, OwedEverywhereDocument, RulesDiffDocument
from cli.lake_documents import LakeDocument
from cli.query_documents import (
    CountDocument,
    FairnessDocument,
    FieldsDocument,
    KnownDocument,
    RatesDocument,
    ResultsDocument,
    SeatsDocument,
    SumsDocument,
)
from ledger.events import TOPICS
from ledger.schema import DIALECT, events, of, of_event
from projections.bookdraft import Change, Entry, Header
from projections.finding import Coverage, Finding
from projections.live.document import LiveDocument
from projections.policy import POINTS
from projections.reports.hand_documents import MomentDocument

_OWN: Final[tuple[type[msgspec.Struct], ...]] = (
    ErrorDocument,
    ImportDocument,
    KnownDocument,
    RatesDocument,
    RejectsDocument,
    ResultsDocument,
    CountDocument,
    FairnessDocument,
    FieldsDocument,
    SumsDocument,
    FloorDocument,
    DeviceDocument,
    LiveDocument,
    KnockOnDocument,
    RulesDiffDocument,
    SeatsDocument,
    OwedEverywhereDocument,
    LakeDocument,
    LogDocument,
    ShowDocument,
    MomentDocument,
    ReplayDocument,
    ExportDocument,
    VerifyDocument,
    SealDocument,
    ServeDocument,
    StampDocument,
    WitnessDocument,
    EvidenceDocument,
    CheckedDocument,
    PeopleDocument,
    DemoDocument,
    SchemasDocument,
    CompareDocument,
    AccountsDocument,
    CorrectDocument,
)


def documents() -> tuple[type[msgspec.Struct], ...]:
    """Return the types of all documents, for the schemas.

    Those that speak of rulebooks or cases live with them: each is imported only where it is needed.
    """
    from cli.rulings import RulesDocument
    from cli.why_document import WhyDocument
    from projections.cases.documents import CaseDocument, CasesDocument
    from projections.reports.json import Document as FindingsDocument
    from projections.reports.owed import OwedDocument
    from web.documents import ReportDocument
    from web.server.documents import DOCUMENTS

    judged = (FindingsDocument, OwedDocument, WhyDocument, ReportDocument)
    return (*_OWN, CaseDocument, CasesDocument, RulesDocument, *judged, *DOCUMENTS)


def name_of(document: type[msgspec.Struct]) -> str:
    """Return the name that stands in the field `schema` of a document: `handledger/import/1`."""
    from projections.reports.json import SCHEMA

    tag = document.__struct_config__.tag
    return str(tag) if tag is not None else SCHEMA


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
    """Return the schema of a rulebook file: `rulebook`, `policy`, `cite`, then clauses by their id.

    An id with dots is a table in a table in TOML: `[intro.1a]` is `intro` with a clause `1a`.
    """
    parts: dict[str, Any] = {}
    for kind in (Header, Entry, Change):
        found = of(kind, "", kind.__name__)
        del found["$schema"], found["$id"]
        parts.update(found.pop("$defs", {}))
        parts[kind.__name__] = found
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
            **_policy(),
            "clauses": {
                "description": "A clause, what a house changes in one, or the clauses whose ids begin with this part.",
                "if": {"type": "object", "required": ["says", "topic"]},
                "then": {"$ref": "#/$defs/Entry"},
                "else": {"anyOf": [{"$ref": "#/$defs/Change"}, nested]},
            },
        },
    }


def _policy() -> dict[str, Any]:
    """Return the schema of the table [policy], with the parts it refers to."""
    shapes, parts = msgspec.json.schema_components(
        [point.shape for point in POINTS.values()], ref_template="#/$defs/{name}"
    )
    for part in parts.values():  # older Pythons keep the indentation of a docstring
        if doc := part.get("description"):
            part["description"] = inspect.cleandoc(doc)
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
