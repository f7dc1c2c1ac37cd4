"""A hand's own events, kept in a field of ours beside what the notation can say.

`_handledger_events` holds a digest of the other fields and all events as JSON, names and free texts in
the clear as in the rest of the file: ids belong to one ledger only. Other programs pass it over. Where
somebody changed the other fields since, the digest tells, and those are read instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from typing import Any, Final

import msgspec

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.phh.words import DIGITS_MAX
from ledger.hand.events import HandEvent
from ledger.hand.opening import HandOpened
from ledger.people import People

_LIST: Final[msgspec.json.Decoder[list[HandEvent]]] = msgspec.json.Decoder(list[HandEvent])
_CHIPS_END: Final = 10 ** (DIGITS_MAX + 1)


@cache
def _personal(kind: type[Event]) -> tuple[tuple[str, bool], ...]:
    """Return the fields of `kind` that refer to the vault, and whether each is a person."""
    return tuple(
        (name, said == "PlayerId")
        for base in reversed(kind.__mro__)
        for name, said in getattr(base, "__annotations__", {}).items()
        if said in ("PlayerId", "TextRef")
    )


def in_clear(events: Sequence[Event], people: People) -> tuple[bytes, int]:
    """Return events as JSON with names and words in the clear, and how many of those are gone."""
    gone = 0
    out: list[Event] = []
    for event in events:
        changes: dict[str, Any] = {}
        for name, person in _personal(type(event)):
            ref = getattr(event, name)
            if ref:
                words = people.name(ref) if person else people.words(ref)
                gone += words is None
                changes[name] = erased(ref) if words is None else words
        out.append(msgspec.structs.replace(event, **changes) if changes else event)
    return msgspec.json.encode(out), gone


def erased(ref: str) -> str:
    """Return what stands for a name or text that the vault no longer holds."""
    return f"erased {ref[:8]}"


def kept(words: str, people: People, at: int) -> list[HandEvent]:
    """Return the events that our field keeps, names turned into ids again."""
    try:
        events = _LIST.decode(words)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        raise UnreadableHandError("a field of ours that holds no events", kind="kept", at=at) from None
    if not events or not isinstance(events[0], HandOpened):
        raise UnreadableHandError("kept events without a beginning", kind="kept", at=at)
    venue = events[0].venue
    out: list[HandEvent] = []
    for event in events:
        changes: dict[str, Any] = {}
        for name, person in _personal(type(event)):
            said = getattr(event, name)
            if said:
                changes[name] = people.player(venue, said) if person else people.text(said)
        out.append(_bounded(msgspec.structs.replace(event, **changes) if changes else event, at))
    return out


def _bounded(event: HandEvent, at: int) -> HandEvent:
    for name in event.__struct_fields__:
        value = getattr(event, name)
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, int) and not -_CHIPS_END < number < _CHIPS_END:
                raise UnreadableHandError("a number too large", kind="amount", at=at)
    return event


def digest(fields: dict[str, str]) -> str:
    """Return what ties kept events to the fields beside them: key → text of the value."""
    joined = "\n".join(f"{key} = {fields[key]}" for key in sorted(fields))
    return blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
