"""An event with its position in the ledger and its provenance."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias
from uuid import UUID

from ledger.event import Event
from ledger.vocabulary import Millis

Basis: TypeAlias = Literal["read", "derived"]
"""`read`: the source states the event. `derived`: the reader inferred it, such as a returned bet that isn't printed."""


class EventOrigin(NamedTuple):
    """Where an event comes from: bytes of its source, when it happened, and whether it was inferred.

    `start` counts from the first byte of the hand. `length` 0 means that no bytes of the source stand for this event.
    """

    start: int = 0
    length: int = 0
    time: Millis | None = None
    basis: Basis = "read"


NO_ORIGIN = EventOrigin()


class SourceSpan(NamedTuple):
    """A span of a source: digest of the whole file (SHA-256, hex), byte offset and length."""

    source: str
    start: int
    length: int


class Provenance(NamedTuple):
    """How a commit came into the ledger. The commit's hash covers all of it."""

    time: Millis
    clock: str = "system"  # the clock of `time`: "system", "ntp", "terminal" or "file"
    writer: str = "import"  # a part of the program, or the opaque id of a person
    key: str = ""  # idempotency key; "" = the position in the stream is enough
    source: SourceSpan | None = None


class Entry(NamedTuple):
    """One event in the ledger. `version` counts in its stream, `position` in the whole log; both from 1."""

    stream: UUID
    version: int
    position: int
    event: Event
    mark: EventOrigin
    recorded: Provenance
