"""Describe the API (OpenAPI 3.1) from the types of its requests and answers and the schemas of events."""

from __future__ import annotations

import json
from typing import Final

from ledger import __version__
from ledger.events import STREAMS
from ledger.schema import Schema, build_components, build_event_schema, name_event_schema
from projections.live.live_document import LiveDocument
from web.api.device_requests import MAX_BATCH, MAX_BODY_BYTES, Events, Lines, NewTable, Undo
from web.api.documents import Answer

_PROBLEM: Final[Schema] = {
    "type": "object",
    "description": "Why it was not done (RFC 9457), and what to do. Nothing was recorded but what `detail` says.",
    "required": ["title", "status"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "write": {"type": "string", "description": "the nearest readable line"},
        "form": {"type": "string", "description": "what such a line looks like"},
        "column": {"type": "integer"},
    },
}
_ERROR_TEXTS: Final = {
    "400": "the body isn't valid JSON, or doesn't match the schema",
    "401": "no device key",
    "403": "this device may not do this",
    "404": "no such address, or no such table",
    "408": "the body came too slowly",
    "409": "another device was first, earlier events are missing, the key has another act, or the table exists",
    "413": f"more than {MAX_BODY_BYTES // 1024} KB",
    "415": "not JSON",
    "421": "another host name",
    "422": "can't be recorded",
    "429": "too many requests",
    "503": "the ledger is busy",
    "507": "the disk is full",
}
_TABLE_PARAMETERS: Final = [
    {"name": name, "in": "query", "required": False, "schema": {"type": "string"}, "description": text}
    for name, text in (
        ("venue", "the room; without it the device's own"),
        ("table", "the table's name; without it the device's own"),
        ("tournament", "the tournament's number, in a tournament"),
    )
]


def build_openapi(root: str) -> Schema:
    """Return the description of the API below a root path."""
    types = [Lines, Events, Undo, NewTable, Answer, LiveDocument]
    (*references,), components = build_components(types, "#/components/schemas/")
    references_by_name = {event_type.__name__: ref for event_type, ref in zip(types, references, strict=True)}
    event_types = [
        event_type
        for stream in ("hand", "table")
        for event_type in STREAMS[stream]
        if event_type.__name__ != "CorrectionMade"
    ]
    event_schemas = {
        name_event_schema(event_type): _move_into_components(build_event_schema(event_type), components)
        for event_type in dict.fromkeys(event_types)
    }
    components |= {**event_schemas, "Problem": _PROBLEM}
    components["Events"]["properties"]["events"] = {
        "type": "array",
        "minItems": 1,
        "maxItems": MAX_BATCH,
        "items": {"anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in event_schemas]},
    }
    components["Lines"]["properties"]["lines"] |= {"minItems": 1, "maxItems": MAX_BATCH}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "handledger: record tables",
            "version": __version__,
            "description": "Devices and programs record a table, line by line or event by event.",
        },
        "security": [{"device": []}],
        "paths": {
            f"{root}/me": {
                "get": _describe_get("This device, its rights, and the server's time", {"type": "object"}, [])
            },
            f"{root}/table": {
                "get": _describe_get("The state of a table", references_by_name["LiveDocument"], _TABLE_PARAMETERS),
                "post": _describe_post(
                    "Set the game of a table without hands",
                    references_by_name["NewTable"],
                    references_by_name["LiveDocument"],
                ),
            },
            f"{root}/table/lines": {
                "post": _describe_post(
                    "Record lines or keys", references_by_name["Lines"], references_by_name["Answer"]
                )
            },
            f"{root}/table/events": {
                "post": _describe_post(
                    "Record events, all or none", references_by_name["Events"], references_by_name["Answer"]
                )
            },
            f"{root}/table/undo": {
                "post": _describe_post(
                    "Take back the last event", references_by_name["Undo"], references_by_name["Answer"]
                )
            },
            f"{root}/table/live": {"get": _describe_stream()},
        },
        "components": {
            "schemas": components,
            "securitySchemes": {"device": {"type": "http", "scheme": "bearer", "description": "handledger device add"}},
        },
    }


def _move_into_components(schema: Schema, components: Schema) -> Schema:
    """Return a standalone schema as a component. Its definitions become components too."""
    inlined: Schema = json.loads(json.dumps(schema).replace("#/$defs/", "#/components/schemas/"))
    components |= inlined.pop("$defs", {})
    return {name: part for name, part in inlined.items() if name not in ("$schema", "$id")}


def _describe_get(summary: str, schema: Schema, parameters: list[Schema]) -> Schema:
    return {"summary": summary, "parameters": parameters, "responses": _describe_responses(schema, "application/json")}


def _describe_post(summary: str, request_schema: Schema, schema: Schema) -> Schema:
    body = {"required": True, "content": {"application/json": {"schema": request_schema}}}
    return {**_describe_get(summary, schema, _TABLE_PARAMETERS), "requestBody": body}


def _describe_stream() -> Schema:
    stream_schema = {"type": "string", "description": "server-sent events; the data of each is a LiveDocument"}
    return {
        "summary": "The state of a table, each time it changes",
        "parameters": _TABLE_PARAMETERS,
        "responses": _describe_responses(stream_schema, "text/event-stream"),
    }


def _describe_responses(schema: Schema, media_type: str) -> Schema:
    problem_content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    error_responses = {
        status: {"description": description, "content": problem_content} for status, description in _ERROR_TEXTS.items()
    }
    return {"200": {"description": "done", "content": {media_type: {"schema": schema}}}, **error_responses}
