"""Encode events to stored bytes and decode them: a closed list of types; older ones are upcast.

An event class may have `UPCASTS`, a mapping from an older tag to a function that takes the stored
fields of that older event (without the tag) and returns those of this class. The mapper checks upcasts
when it's made: each older tag is upcast once and isn't a tag of today.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, TypeAlias, Union

import msgspec

from ledger.chain import KIND_CODES
from ledger.decoders import JsonDecoder, build_json_decoder, convert
from ledger.errors import IntegrityError, UnknownEventError, UnstorableError, UsageError
from ledger.event import Event
from ledger.events import STREAMS

Fields: TypeAlias = list[Any]
Upcast: TypeAlias = Callable[[Fields], Fields]

_UPDATE_HINT: Final = "A newer handledger may have written it: install the newest and try again."


class Mapper:
    """Encodes and decodes the events of each kind of stream."""

    def __init__(self, streams: Mapping[str, Sequence[type[Event]]] = STREAMS) -> None:
        self._types = {kind: frozenset(types) for kind, types in streams.items()}
        self._tags = {
            kind: {event_type.__name__: event_type for event_type in types} for kind, types in streams.items()
        }
        self._decoders: dict[str, JsonDecoder[list[Event]]] = {}
        self._upcasts = {kind: _collect_upcasts(tuple(types)) for kind, types in streams.items()}
        self._encode = msgspec.json.Encoder().encode
        self._loose = build_json_decoder(list[Fields])

    def has_kind(self, kind: str) -> bool:
        """Return whether there are events of that kind of stream."""
        return kind in self._types

    def encode(self, kind: str, events: Sequence[Event]) -> bytes:
        """Return the events as stored; refuse an event that isn't of this kind of stream."""
        allowed = self._types.get(kind)
        if allowed is None:
            raise UsageError(f"there is no kind of stream called {kind}")
        if not events:
            raise UsageError("an append holds at least one event")
        if not allowed.issuperset(map(type, events)):
            strangers = {type(event) for event in events} - allowed
            names = ", ".join(sorted(stranger.__name__ for stranger in strangers))
            raise UnknownEventError(f"{names} cannot stand in a stream of kind {kind}")
        try:
            data = self._encode(events)
        except (UnicodeEncodeError, OverflowError, msgspec.MsgspecError) as error:
            raise UnstorableError(f"an event of kind {kind} cannot be stored: {error}") from error
        check_storable(data)
        return data

    def decode(self, kind: str, data: bytes) -> list[Event]:
        """Return the events that are stored in `data`."""
        decoder = self._decoders.get(kind)
        if decoder is None:
            decoder = self._decoders[kind] = self._decoder(kind)
        try:
            return decoder.decode(data)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            return self._decode_old(kind, data)

    def _decoder(self, kind: str) -> JsonDecoder[list[Event]]:
        """Return the decoder of a kind of stream, made on first use since that takes a while."""
        types = self._tags.get(kind)
        if types is None:
            raise UnknownEventError(f"a stream of kind {kind} holds no events of handledger's")
        return build_json_decoder(list[Union[tuple(types.values())]])  # type: ignore[misc]  # noqa: UP007 - from data

    def _decode_old(self, kind: str, data: bytes) -> list[Event]:
        """Upcast older events; raise for unknown or damaged ones."""
        try:
            raw_events = self._loose.decode(data)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            raise IntegrityError(f"stored events are no list of events: {error}") from error
        return [self._convert_event(kind, fields) for fields in raw_events]

    def _convert_event(self, kind: str, fields: Fields) -> Event:
        tag = fields[0] if fields else None
        tags, upcasts = self._tags[kind], self._upcasts[kind]
        upcast_count = 0
        while isinstance(tag, str) and tag not in tags and tag in upcasts:
            next_tag, upcast = upcasts[tag]
            fields = [next_tag, *upcast(fields[1:])]
            tag = next_tag
            upcast_count += 1
        event_type = tags.get(tag) if isinstance(tag, str) else None
        if event_type is None:
            raise UnknownEventError(
                f"a stream of kind {kind} holds an event {tag!r} that this version does not know", _UPDATE_HINT
            )
        try:
            return convert(fields, event_type)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise IntegrityError(f"a stored {tag} is damaged: {error}") from error


@cache  # the same for all ledgers of a program
def _collect_upcasts(types: tuple[type[Event], ...]) -> dict[str, tuple[str, Upcast]]:
    current_names = {event_type.__name__ for event_type in types}
    upcast_by_tag: dict[str, tuple[str, Upcast]] = {}
    for event_type in types:
        upcasts: Mapping[str, Upcast] = getattr(event_type, "UPCASTS", {})
        for tag, upcast in upcasts.items():
            if tag in current_names:
                raise UsageError(f"{tag} is still written, {event_type.__name__} cannot upcast it")
            if tag in upcast_by_tag:
                raise UsageError(f"{tag} is upcast twice: {upcast_by_tag[tag][0]}, {event_type.__name__}")
            upcast_by_tag[tag] = (event_type.__name__, upcast)
    return upcast_by_tag


def check_storable(data: bytes) -> None:
    """Refuse U+0000 in stored JSON: PostgreSQL can't store it, and C strings end there."""
    offset = data.find(b"\\u0000")
    while offset >= 0:
        first_backslash = offset
        while first_backslash and data[first_backslash - 1] == 0x5C:
            first_backslash -= 1
        if (offset - first_backslash) % 2 == 0:  # not an escaped backslash
            raise UnstorableError(
                "an event holds the character U+0000, which no ledger can keep",
                "The source is damaged or not text; the reader has to reject this hand.",
            )
        offset = data.find(b"\\u0000", offset + 1)


def find_kind_code(kind: str) -> int:
    """Return the stored number of a kind of stream."""
    code = KIND_CODES.get(kind)
    if code is None:
        raise UsageError(f"there is no kind of stream called {kind}")
    return code
