"""Build JSON Schemas (2020-12) of stored and written documents from their types.

msgspec gives the structure. The source adds the rest: the name and comment of each field, and patterns for cards and
ids. Events are arrays: the tag, then the fields in their order. Later versions may append fields, so a reader ignores
items that it doesn't know, and takes the default of missing ones.
"""

from __future__ import annotations

import ast
import inspect
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from ledger.event import Event, topic
from ledger.events import EVENT_TYPES, STREAMS

Schema: TypeAlias = dict[str, Any]
"""A JSON Schema or a part of one."""

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_CARD: Final = r"[2-9TJQKA][cdhs]|\?\?|Jk|\{[0-9a-f]{64}\}"
_FORMS: Final[dict[str, Schema]] = {
    "Seat": {"description": "a seat, clockwise, 1 at the dealer's left"},
    "Chips": {"description": "an amount in the table's smallest unit"},
    "ChipCount": {"description": "chips that somebody counted or handed over, in the table's smallest unit"},
    "Cents": {"description": "money of a tournament, in hundredths of its currency"},
    "Rank": {"description": "a place in a tournament, 1 for the winner"},
    "Millis": {"description": "milliseconds since 1970-01-01 in UTC"},
    "Cards": {
        "description": "cards without blanks: known, unknown (??), joker (Jk), committed ({hash})",
        "pattern": f"^(?:{_CARD})*$",
    },
    "PlayerId": {"description": "an opaque player", "pattern": "^(?:[A-Za-z0-9_-]{16})?$"},
    "TextRef": {"description": "text in the vault", "pattern": "^(?:t[A-Za-z0-9_-]{16})?$"},
}
"""Descriptions and patterns of the type aliases in `ledger.vocabulary`."""


class SourceField(NamedTuple):
    """A field as written in the source: its type, its default, and the comment on its line."""

    name: str
    type: str
    default: str | None
    note: str


def name_event_schema(kind: type[Event]) -> str:
    """Return the name of an event's schema and samples: `hand.straddle-posted.v1`."""
    return f"{topic(kind)}.v{kind.VERSION}"


def map_event_types() -> dict[str, type[Event]]:
    """Return every event type, keyed by the name of its schema."""
    return {name_event_schema(kind): kind for kind in EVENT_TYPES}


def list_streams(kind: type[Event]) -> list[str]:
    """Return the kinds of stream that may contain an event of this type."""
    return [stream for stream, kinds in STREAMS.items() if kind in kinds]


def build_event_schema(kind: type[Event]) -> Schema:
    """Return the schema of an event as stored."""
    stream_list = ", ".join(list_streams(kind))
    schema = build_schema(kind, f"events:{name_event_schema(kind)}", name_event_schema(kind))
    schema["description"] += f"\n\nIn streams of: {stream_list}."
    return schema


def build_schema(kind: object, path: str, title: str) -> Schema:
    """Return the schema of a type that msgspec supports. `path` completes its `$id` (`events:hand.folded.v1`)."""
    (root,), defs = build_components([kind], "#/$defs/")
    classes = {struct.__name__: struct for struct in _iter_structs(msgspec.inspect.type_info(kind))}
    for name, schema in defs.items():
        _add_descriptions(schema, classes.get(name))
    if set(root) == {"$ref"}:
        root = defs.pop(root["$ref"].removeprefix("#/$defs/"))
    schema = {"$schema": DIALECT, "$id": f"urn:handledger:{path}", **root, "title": title}
    if defs:
        schema["$defs"] = dict(sorted(defs.items()))
    return schema


def build_components(kinds: Iterable[object], path: str) -> tuple[tuple[Schema, ...], dict[str, Schema]]:
    """Return the schemas of types, and the schemas of their parts by name. References begin with `path`."""
    schemas, parts = msgspec.json.schema_components(kinds, ref_template=f"{path}{{name}}")
    for part in parts.values():  # older Pythons keep the indentation of a docstring
        if doc := part.get("description"):
            part["description"] = inspect.cleandoc(doc)
    names = {name: _shorten_part_name(name) for name in parts if "." in name}
    for schema in (*schemas, *parts.values()):
        _replace_references(schema, {f"{path}{name}": f"{path}{published}" for name, published in names.items()})
    return schemas, {names.get(name, name): part for name, part in parts.items()}


def _shorten_part_name(name: str) -> str:
    """Shorten the name of a part, where msgspec adds the module because two classes share a name.

    `web.pages.documents.Line` becomes `web.documents.Line`, without the folders in between and without the wheel's own
    package. So a schema stays the same if code moves.
    """
    *packages, module, class_name = name.split(".")
    folders = [package for package in packages if package != "handledger"]
    return ".".join([*folders[:1], module, class_name])


def _replace_references(schema: object, names: dict[str, str]) -> None:
    """Replace references by the names in `names`."""
    if isinstance(schema, dict):
        if schema.get("$ref") in names:
            schema["$ref"] = names[schema["$ref"]]
        for part in schema.values():
            _replace_references(part, names)
    elif isinstance(schema, list | tuple):
        for part in schema:
            _replace_references(part, names)


def _iter_structs(info: object, seen_structs: set[type] | None = None) -> Iterator[type]:
    """Yield every struct in a type, given as `msgspec.inspect` describes it."""
    seen_structs = set() if seen_structs is None else seen_structs
    if isinstance(info, msgspec.inspect.StructType):
        if info.cls in seen_structs:
            return
        seen_structs.add(info.cls)
        yield info.cls
    for name in getattr(info, "__struct_fields__", ()):
        value = getattr(info, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, msgspec.inspect.Type | msgspec.inspect.Field):
                yield from _iter_structs(part, seen_structs)


def _add_descriptions(schema: Schema, struct: type | None) -> None:
    """Complete a struct's schema with descriptions, patterns and the titles of array items."""
    if doc := schema.get("description"):
        schema["description"] = _replace_python_words(doc)
    if struct is None:
        return
    fields = list_fields(struct)
    if schema.get("type") == "array":
        items = schema["prefixItems"]
        if len(items) > len(fields):
            items[0]["title"] = "event"
        for item, field in zip(items[len(items) - len(fields) :], fields, strict=True):
            item["title"] = field.name
            _add_note(item, field)
        return
    names = {field.name: field.encode_name for field in msgspec.structs.fields(struct)}
    for field in fields:
        _add_note(schema["properties"][names[field.name]], field)


def _replace_python_words(text: str) -> str:
    """Replace Python's `None`, `True` and `False` by JSON's words."""
    for python, json in (("None", "null"), ("True", "true"), ("False", "false")):
        text = re.sub(rf"\b{python}\b", json, text)
    return text


def _add_note(schema: Schema, field: SourceField) -> None:
    """Add the field's comment, and the description and pattern of its type."""
    form = _FORMS.get(field.type.removesuffix(" | None"), {})
    if field.note or form:
        schema["description"] = _replace_python_words(field.note or form["description"])
    if "pattern" in form:
        for branch in schema.get("anyOf", (schema,)):
            if branch.get("type") == "string":
                branch["pattern"] = form["pattern"]


@cache
def list_fields(struct: type) -> tuple[SourceField, ...]:
    """Return a struct's fields with their comments, in order; inherited ones first."""
    field_by_name: dict[str, SourceField] = {}
    for kind in reversed(struct.__mro__):
        if issubclass(kind, msgspec.Struct) and kind not in (msgspec.Struct, Event):
            field_by_name.update((field.name, field) for field in _read_fields(kind))
    return tuple(field_by_name[field.name] for field in msgspec.structs.fields(struct))


@cache
def _parse_classes(module: str) -> tuple[dict[str, ast.ClassDef], dict[int, str]]:
    """Return the syntax trees of a module's classes, and its comments by line number."""
    source = inspect.getsource(sys.modules[module])
    comments = {
        token.start[0]: token.string.lstrip("# ").strip()
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    return {node.name: node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)}, comments


def _read_fields(struct: type) -> Iterator[SourceField]:
    """Read the fields of a class from its source."""
    classes, comments = _parse_classes(struct.__module__)
    for node in classes[struct.__name__].body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            kind = ast.unparse(node.annotation)
            if kind.startswith("ClassVar"):
                continue
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            note = " ".join(comments[line] for line in lines if comments.get(line))
            default = ast.unparse(node.value) if node.value else None
            yield SourceField(node.target.id, kind, default, note)
