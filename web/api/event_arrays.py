"""Read the events that a program sends: arrays of a tag and fields."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from ledger.decoders import decode_json
from ledger.events import EVENT_TYPES
from web.api import api_errors

if TYPE_CHECKING:
    from ledger.event import Event

_EVENT_TYPES: Final = {kind.__name__: kind for kind in EVENT_TYPES}


def decode_event(raw: msgspec.Raw) -> Event:
    """Return an event from its array of tag and fields."""
    tag: object = None
    try:
        decoded = decode_json(raw)
        tag = decoded[0] if isinstance(decoded, list) and decoded else None
        event_type = _EVENT_TYPES.get(tag) if isinstance(tag, str) else None
        if event_type is None:
            raise api_errors.event_unknown(str(tag))
        return decode_json(raw, event_type)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise api_errors.event_malformed(str(tag), _explain_shape(error)) from None


_SHORT_ARRAY: Final = re.compile(r"Expected `array` of (?:at least )?length (\d+)(?: to \d+)?, got (\d+)")


def _explain_shape(error: Exception) -> str:
    """Return in plain words what is wrong with an event's array."""
    match = _SHORT_ARRAY.fullmatch(str(error))
    return f"it needs {match[1]} elements or more, and has {match[2]}" if match else str(error)
