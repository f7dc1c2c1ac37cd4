"""The records of the log: drafts, commits, outcomes, index rows."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, cast
from uuid import UUID

import msgspec

from ledger.chain import KIND_CODES
from ledger.entry import Provenance, SourceSpan
from ledger.errors import IntegrityError
from ledger.vocabulary import Millis

Kind: TypeAlias = Literal["hand", "table", "case", "house", "opaque"]

KIND_NAMES = {code: name for name, code in KIND_CODES.items()}


class HandFacts(NamedTuple):
    """The index fields of one account of a hand, inferred from its events."""

    venue: str
    tournament: str
    table: str
    number: str
    started: Millis | None
    variant: str
    betting: str
    format: str  # "cash", "tournament", "unknown"
    note: str  # "" | "voided" | "live": recorded as it was played | "cut off" | "unread lines", the first that holds


class CommitDraft(NamedTuple):
    """A commit to be: 1..n events of one stream, encoded.

    `version` is the place of its first event; None for the end of the stream. `data` is a JSON
    array of events; `marks` are packed (`ledger.marks`) or empty.
    """

    kind: Kind
    stream: UUID
    version: int | None
    count: int  # type: ignore[assignment]  # hides tuple.count
    data: bytes
    marks: bytes
    recorded: Provenance
    hand: HandFacts | None = None  # for the first commit of a hand; inferred if absent


class Ready(NamedTuple):
    """A commit without its position. `entry_tail`: its hashed entry after the position."""

    count: int  # type: ignore[assignment]  # hides tuple.count
    entry_tail: bytes
    kind: int
    stream: bytes
    version: int
    data: bytes
    marks: bytes
    recorded_ms: int
    writer: int
    key: str | None


class Commit(msgspec.Struct, frozen=True, gc=False):
    """One row of the log. `position` is that of its last event, `version` that of its first.

    Reading a whole ledger needs little more than `data` of most rows: the fields are a row's plain columns,
    and properties compute the rest.
    """

    position: int
    count: int
    code: int  # of its kind
    stream_bytes: bytes
    version: int
    data: bytes
    marks: bytes
    at: Millis
    writer: tuple[str, str]  # clock and by
    source: str | None  # digest, hex
    start: int | None
    length: int | None
    key: str | None
    hash: bytes

    @classmethod
    def from_draft(cls, draft: CommitDraft, outcome: Outcome) -> Commit:
        """Return the commit of a new draft."""
        recorded_ms, clock, writer_name, append_key, place = draft.recorded
        source, start, length = place or (None, None, None)
        return cls(
            outcome.position,
            draft.count,
            KIND_CODES[draft.kind],
            draft.stream.bytes,
            outcome.version,
            draft.data,
            draft.marks,
            recorded_ms,
            (clock, writer_name),
            source,
            start,
            length,
            append_key or None,
            outcome.hash,
        )

    @property
    def kind(self) -> str:
        """The kind of its stream."""
        kind = KIND_NAMES.get(self.code)
        if kind is None:
            raise IntegrityError(
                f"the commit at position {self.position:,} of the log is of a kind {self.code} that there is not"
            )
        return kind

    @property
    def stream(self) -> UUID:
        """The id of its stream."""
        return UUID(bytes=self.stream_bytes[:16])

    @property
    def recorded(self) -> Provenance:
        """How it was recorded."""
        place = None
        if self.source is not None:
            place = SourceSpan(self.source, cast("int", self.start), cast("int", self.length))
        return Provenance(self.at, *self.writer, self.key or "", place)


class Outcome(NamedTuple):
    """The outcome of a draft. `same`: the ledger had it already, nothing was stored."""

    state: Literal["new", "same"]
    stream: UUID
    version: int
    position: int
    account: int = 0  # of a hand: 1 = first account of this hand, 2 = second, ...
    hash: bytes = b""  # of the new commit


class HandRow(NamedTuple):
    """One account of a hand in the index. `source` is the SHA-256 of its file, hex, or ""."""

    stream: UUID
    venue: str
    tournament: str
    table: str
    number: str
    started: Millis | None
    variant: str
    betting: str
    format: str
    account: int  # which account of its hand
    source: str
    start: int
    length: int
    position: int  # of the last event of its first commit
    count: int  # type: ignore[assignment]  # hides tuple.count; events of its first commit
    note: str
    accounts: int = 1  # how many accounts there are of its number at its table
    session: int = 1  # which hand of this number at its table: numbers restart
    stands: bool = True  # whether the house relies on this account

    @property
    def id(self) -> bytes:
        """The bytes of its stream's id."""
        return self.stream.bytes


class TableRow(NamedTuple):
    """One table of the index, with how many accounts of hands it has and when they began."""

    venue: str
    tournament: str
    table: str
    hands: int
    first: Millis | None
    last: Millis | None


class IntegrityProblem(NamedTuple):
    """A contradiction in the ledger. `position` in the log, None if it's elsewhere."""

    position: int | None
    code: str
    reason: str
