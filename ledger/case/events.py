"""Facts of a case: a dispute from the first claim to the ruling and after."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from ledger.event import Event
from ledger.hand.ending import CorrectionMade, RemarkNoted
from ledger.vocabulary import Chips, Millis, PlayerId, Role, Seat, TextRef

CaseSubject: TypeAlias = Literal[
    "blinds", "button", "betting", "cards", "pot", "conduct", "collusion", "record", "payment", "other"
]


EvidenceKind: TypeAlias = Literal["video", "photo", "hand-history", "document", "cards", "chips", "other"]
HoldTarget: TypeAlias = Literal["hand", "table", "person", "source"]
Awaited: TypeAlias = Literal["reply", "decision", "footage", "notice", "other"]
CaseOutcome: TypeAlias = Literal["upheld", "partly-upheld", "denied", "withdrawn", "settled", "referred", "other"]


class CaseOpened(Event, frozen=True):
    """Somebody disputes something."""

    STREAM: ClassVar[str] = "case"

    number: str
    subject: CaseSubject
    by: Role
    person: PlayerId = ""
    venue: str = ""
    table: str = ""
    claim: TextRef = ""
    amount: Chips | None = None
    unit: str = ""
    occurred: Millis | None = None
    before_next_deal: bool | None = None  # asked before the next deal began


class CaseLinked(Event, frozen=True):
    """The case concerns a hand, or a span of its events."""

    STREAM: ClassVar[str] = "case"

    hand: str  # stream id, hex
    first: int = 0  # versions; 0 = the entire hand
    last: int = 0
    ledger: str = ""  # id of the ledger that it comes from; "" = this one, without the fields below
    position: int = 0  # of its last event there at that time
    root: str = ""  # over the Merkle leaves of its commits up to there, hex; of a single commit its leaf
    venue: str = ""
    tournament: str = ""
    table: str = ""
    number: str = ""
    started: Millis | None = None


class StatementTaken(Event, frozen=True):
    """Somebody described what they saw or want."""

    STREAM: ClassVar[str] = "case"

    by: Role
    person: PlayerId = ""
    words: TextRef = ""
    seat: Seat | None = None


class EvidenceAttached(Event, frozen=True):
    """Evidence was added to the case: a recording, a photograph, a file, kept cards."""

    STREAM: ClassVar[str] = "case"

    kind: EvidenceKind
    digest: str = ""  # SHA-256 of the file, hex
    label: TextRef = ""
    camera: str = ""
    starts: Millis | None = None
    ends: Millis | None = None
    expires: Millis | None = None


class HoldPlaced(Event, frozen=True):
    """Nobody may erase the records of a hand, table or person."""

    STREAM: ClassVar[str] = "case"

    what: HoldTarget
    target: str
    until: Millis | None = None


class HoldLifted(Event, frozen=True):
    """A hold ended."""

    STREAM: ClassVar[str] = "case"

    what: HoldTarget
    target: str


class FindingCited(Event, frozen=True):
    """The case cites a finding of an audit."""

    STREAM: ClassVar[str] = "case"

    fingerprint: str
    clause: str
    book: str
    edition: str = ""
    hand: str = ""  # stream id, hex; "" = unknown


class CaseAssigned(Event, frozen=True):
    """Somebody works on the case."""

    STREAM: ClassVar[str] = "case"

    person: PlayerId
    role: Role


class DeadlineSet(Event, frozen=True):
    """Something is due by a time."""

    STREAM: ClassVar[str] = "case"

    due: Millis
    what: Awaited = "reply"


class RegulatorNotified(Event, frozen=True):
    """The regulator was notified."""

    STREAM: ClassVar[str] = "case"

    authority: str
    reference: str = ""


class RulingMade(Event, frozen=True):
    """Somebody with authority made a ruling."""

    STREAM: ClassVar[str] = "case"

    by: Role
    person: PlayerId = ""
    decision: TextRef = ""
    clause: str = ""
    book: str = ""


class PaymentOrdered(Event, frozen=True):
    """The ruling moves money: `seat` or `player` receives it (positive) or pays it (negative)."""

    STREAM: ClassVar[str] = "case"

    amount: int
    unit: str
    player: PlayerId = ""
    seat: Seat | None = None
    house: bool = False


class RulingAppealed(Event, frozen=True):
    """The ruling was appealed to a higher authority."""

    STREAM: ClassVar[str] = "case"

    by: Role
    person: PlayerId = ""
    to: str = ""


class CaseClosed(Event, frozen=True):
    """The case ended."""

    STREAM: ClassVar[str] = "case"

    outcome: CaseOutcome


class CaseReopened(Event, frozen=True):
    """The case was reopened."""

    STREAM: ClassVar[str] = "case"

    why: TextRef = ""


CaseEvent: TypeAlias = (
    CaseOpened
    | CaseLinked
    | StatementTaken
    | EvidenceAttached
    | HoldPlaced
    | HoldLifted
    | FindingCited
    | CaseAssigned
    | DeadlineSet
    | RegulatorNotified
    | RulingMade
    | PaymentOrdered
    | RulingAppealed
    | CaseClosed
    | CaseReopened
    | RemarkNoted
    | CorrectionMade
)
"""All events in the stream of a case."""
