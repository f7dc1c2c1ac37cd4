"""An event in its place: which stream, which number, when recorded, from which bytes of a source."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias
from uuid import UUID

from ledger.event import Event
from ledger.vocabulary import Millis

Basis: TypeAlias = Literal["read", "derived"]
"""`read`: the source says it. `derived`: the reader inferred it (a returned bet not printed)."""


class EventOrigin(NamedTuple):
    """Where an event comes from: bytes of its source, when it happened, how it is known.

    `start` counts from the start of the hand's own bytes; `length` 0 means no place of its own.
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
    """How a commit came into the ledger; all of it is under the hash."""

    time: Millis
    clock: str = "system"  # which clock, and how good: "system", "ntp", "terminal", "file"
    writer: str = "import"  # who or what wrote: a program's part or an opaque person id
    key: str = ""  # idempotency key; "" = the stream's own place is key enough
    source: SourceSpan | None = None


class Entry(NamedTuple):
    """One event in the ledger. `version` counts in its stream, `position` in the whole log; both from 1."""

    stream: UUID
    version: int
    position: int
    event: Event
    mark: EventOrigin
    recorded: Provenance
