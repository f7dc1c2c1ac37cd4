"""Facts of the house: what the ledger's keepers did, adopted, changed, looked at and gave out."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from ledger.event import Event
from ledger.hand.ending import CorrectionMade, RemarkNoted
from ledger.vocabulary import Millis, PlayerId, Role, Seat, TextRef


class LedgerCreated(Event, frozen=True):
    """The ledger began."""

    STREAM: ClassVar[str] = "house"

    ledger: str  # random id, hex
    incarnation: int = 1
    software: str = ""
    ids: str = ""  # how ids are made, and a digest of their secret; "" = the secret is in the ledger


class IdsKeyTaken(Event, frozen=True):
    """The key of the ids was taken out of the ledger; ids stay as they are."""

    STREAM: ClassVar[str] = "house"

    ids: str  # as in `LedgerCreated`


class SourceImported(Event, frozen=True):
    """A file, or the new part of one, was read to its end; every byte is accounted for."""

    STREAM: ClassVar[str] = "house"

    source: str  # the ledger's name for it, hex: a salted digest; in older ledgers the SHA-256 of its bytes
    format: str
    reader: str  # name and version of the reader
    length: int
    bytes_read: int
    bytes_blank: int
    bytes_rejected: int
    new: int
    same: int
    second: int
    rejected: int
    encoding: str = ""
    name: TextRef = ""
    origin: str = ""  # keyed hash of its path: a file at the same path is another edition
    told: str = ""  # keyed hash of its own name (`source` in handscript)
    superseded: int = 0  # hands that now count as this edition has them
    kept: bool = False  # its bytes are in the ledger; False: they aren't, or it isn't recorded


class SourceRejected(Event, frozen=True):
    """Part of a source couldn't be read as a hand. Its bytes are kept."""

    STREAM: ClassVar[str] = "house"

    source: str
    start: int
    length: int
    line: int
    code: str
    detail: TextRef = ""


class RejectWaived(Event, frozen=True):
    """Somebody decided that a rejected part needn't be read."""

    STREAM: ClassVar[str] = "house"

    source: str
    start: int
    by: Role
    person: PlayerId = ""
    why: TextRef = ""


class RulebookAdopted(Event, frozen=True):
    """A rulebook applies to a venue or one of its tables from a time on."""

    STREAM: ClassVar[str] = "house"

    book: str
    edition: str
    digest: str
    venue: str = ""
    table: str = ""
    since: Millis | None = None
    by: Role = "unknown"


class RulebookRetired(Event, frozen=True):
    """A rulebook applies no more."""

    STREAM: ClassVar[str] = "house"

    book: str
    edition: str
    venue: str = ""
    table: str = ""
    until: Millis | None = None


class SoftwareChanged(Event, frozen=True):
    """A program that writes here changed its version."""

    STREAM: ClassVar[str] = "house"

    component: str
    before: str
    after: str
    digest: str = ""
    by: Role = "unknown"
    person: PlayerId = ""


class GameEnabled(Event, frozen=True):
    """A game was made available, or withdrawn."""

    STREAM: ClassVar[str] = "house"

    venue: str
    game: str
    enabled: bool
    by: Role = "unknown"


class PeopleMerged(Event, frozen=True):
    """Two ids are one person."""

    STREAM: ClassVar[str] = "house"

    kept: PlayerId
    merged: PlayerId
    by: Role
    why: TextRef = ""


class PeopleParted(Event, frozen=True):
    """A merger was wrong. The two ids are two people again."""

    STREAM: ClassVar[str] = "house"

    kept: PlayerId
    parted: PlayerId
    by: Role
    why: TextRef = ""


class PersonHeld(Event, frozen=True):
    """For now, nobody may erase a person's data."""

    STREAM: ClassVar[str] = "house"

    person: PlayerId
    reason: Literal["case", "law", "retention", "other"]
    until: Millis | None = None
    lifted: bool = False


class PersonErased(Event, frozen=True):
    """A person's name and keys were destroyed; every proof still holds."""

    STREAM: ClassVar[str] = "house"

    person: PlayerId
    basis: Literal["request", "retention", "court", "other"]
    by: Role = "unknown"
    texts: int | None = None  # how many texts were redacted, a `TextRedacted` each; None = not recorded


class TextRedacted(Event, frozen=True):
    """Names of erased people were blacked out in a free text; this is the digest of the remaining text."""

    STREAM: ClassVar[str] = "house"

    text: TextRef
    digest: str  # SHA-256 of the words as they are kept now, hex


class SourceBlackened(Event, frozen=True):
    """Names of erased people were blacked out in the kept bytes of a source, in place."""

    STREAM: ClassVar[str] = "house"

    source: str
    digest: str  # SHA-256 of what is kept now
    places: int
    length: int  # bytes made unreadable, in all


class StaffRegistered(Event, frozen=True):
    """A person works for the house in a role."""

    STREAM: ClassVar[str] = "house"

    person: PlayerId
    role: Role
    ended: bool = False


class HiddenCardsViewed(Event, frozen=True):
    """Somebody looked at cards that weren't shown at the table."""

    STREAM: ClassVar[str] = "house"

    hand: str
    seats: tuple[Seat, ...]
    by: Role
    person: PlayerId = ""
    why: TextRef = ""


class ExportMade(Event, frozen=True):
    """Hands left the ledger."""

    STREAM: ClassVar[str] = "house"

    kind: str
    hands: int
    audience: str = ""
    digest: str = ""
    person: PlayerId = ""
    lossy: bool = False


class EvidenceIssued(Event, frozen=True):
    """An evidence bundle was made for somebody."""

    STREAM: ClassVar[str] = "house"

    target: str
    digest: str
    audience: str
    purpose: TextRef = ""


class KeyRotated(Event, frozen=True):
    """The signing key changed; signed by the old and the new."""

    STREAM: ClassVar[str] = "house"

    before: str
    after: str
    by_before: str = ""
    by_after: str = ""


class CheckpointSigned(Event, frozen=True):
    """The log was signed up to a number of commits."""

    STREAM: ClassVar[str] = "house"

    size: int
    root: str
    key: str


class BackupRestored(Event, frozen=True):
    """The ledger goes on from a copy: a new incarnation."""

    STREAM: ClassVar[str] = "house"

    incarnation: int
    size: int
    root: str = ""


class ClockChecked(Event, frozen=True):
    """A clock was compared with a better one."""

    STREAM: ClassVar[str] = "house"

    clock: str
    reference: str
    offset: int  # milliseconds, positive = ahead


class IntegrityFailed(Event, frozen=True):
    """A verification found the ledger broken."""

    STREAM: ClassVar[str] = "house"

    what: str
    position: int | None = None


class RetentionApplied(Event, frozen=True):
    """Records past their legal retention were given up."""

    STREAM: ClassVar[str] = "house"

    before: Millis
    sources: int
    hands: int


class FindingChanged(Event, frozen=True):
    """Under a rulebook of the house, a finding came, went or changed."""

    STREAM: ClassVar[str] = "house"

    became: Literal["found", "gone", "other"]
    book: str
    edition: str
    digest: str  # SHA-256 of the file of the house's book, hex
    venue: str
    tournament: str
    table: str
    hand: str  # stream, hex
    fingerprint: str
    clause: str
    version: int  # the event of the hand that shows it
    severity: Literal["error", "warning", "info"]
    certainty: Literal["certain", "likely", "needs-video"]
    seat: Seat | None = None
    code: str = ""  # digest of the program's detectors that found it so, hex


class QuerySaved(Event, frozen=True):
    """A query was saved under a name and replaces an earlier one of that name."""

    STREAM: ClassVar[str] = "house"

    name: TextRef
    query: TextRef


DeviceMay: TypeAlias = Literal["all", "hand", "table", "look"]
"""The events that a device may append: all, or those of hands or of the table alone. `look`: it may only read."""


class DeviceEnrolled(Event, frozen=True):
    """A device or program may record a table from here on. If it was enrolled before, its old key is void."""

    STREAM: ClassVar[str] = "house"

    device: str
    digest: str  # SHA-256 of its key, hex: the key itself is in no ledger
    may: DeviceMay = "all"
    venue: str = ""  # "" = in every room
    table: str = ""  # "" = at every table
    cards: bool = False  # it may tell and see cards that were not shown


class DeviceRetired(Event, frozen=True):
    """A device may no longer record or ask."""

    STREAM: ClassVar[str] = "house"

    device: str


UserRole: TypeAlias = Literal["dealer", "floor", "auditor", "viewer"]
"""The rights of a user of the pages: `web/server/access/roles.py`."""

CodeUse: TypeAlias = Literal["sign-in", "approval"]
ApprovalAnswer: TypeAlias = Literal["approved", "refused"]


class UserEnrolled(Event, frozen=True):
    """A person may sign in to the pages in a role. If enrolled before, the old link, codes and sessions are void."""

    STREAM: ClassVar[str] = "house"

    user: PlayerId
    role: UserRole
    digest: str  # SHA-256 of the secret in the person's link, hex: the secret itself is in no ledger


class UserRevoked(Event, frozen=True):
    """A person may no longer sign in; all sessions end."""

    STREAM: ClassVar[str] = "house"

    user: PlayerId


class SignInCodeIssued(Event, frozen=True):
    """A code was made that signs a person in, or approves an act, once."""

    STREAM: ClassVar[str] = "house"

    user: PlayerId
    digest: str  # scrypt of the code, hex
    expires: Millis
    by: PlayerId = ""  # who asked for it; "" = somebody at the machine that has the ledger


class SignInCodeUsed(Event, frozen=True):
    """A code was used: it's void from here on."""

    STREAM: ClassVar[str] = "house"

    user: PlayerId
    digest: str
    use: CodeUse


class UserSignedIn(Event, frozen=True):
    """A person signed in on a device."""

    STREAM: ClassVar[str] = "house"

    user: PlayerId
    digest: str  # SHA-256 of the session's secret, hex
    means: Literal["link", "code"]
    expires: Millis
    device: str = ""  # an enrolled one; "" = any browser


class UserSignedOut(Event, frozen=True):
    """A person's session ended."""

    STREAM: ClassVar[str] = "house"

    user: PlayerId
    digest: str  # of the session


class ApprovalAsked(Event, frozen=True):
    """A dealer asked a floor to approve an act at a table."""

    STREAM: ClassVar[str] = "house"

    request: str
    user: PlayerId
    act: str  # what a floor has to approve, such as `misdeal`
    line: TextRef  # in handscript
    position: int  # of the table in the log, as the dealer saw it
    table: str
    venue: str = ""
    tournament: str = ""
    seat: Seat | None = None  # whose turn it was
    device: str = ""  # an enrolled one; "" = any browser


class ApprovalAnswered(Event, frozen=True):
    """A floor approved an act, which is recorded at its table, or refused it."""

    STREAM: ClassVar[str] = "house"

    request: str
    answer: ApprovalAnswer
    floor: PlayerId


HouseEvent: TypeAlias = (
    LedgerCreated
    | IdsKeyTaken
    | SourceImported
    | SourceRejected
    | RejectWaived
    | RulebookAdopted
    | RulebookRetired
    | SoftwareChanged
    | GameEnabled
    | PeopleMerged
    | PeopleParted
    | PersonHeld
    | PersonErased
    | TextRedacted
    | SourceBlackened
    | StaffRegistered
    | HiddenCardsViewed
    | ExportMade
    | EvidenceIssued
    | KeyRotated
    | CheckpointSigned
    | BackupRestored
    | ClockChecked
    | IntegrityFailed
    | RetentionApplied
    | FindingChanged
    | QuerySaved
    | DeviceEnrolled
    | DeviceRetired
    | UserEnrolled
    | UserRevoked
    | SignInCodeIssued
    | SignInCodeUsed
    | UserSignedIn
    | UserSignedOut
    | ApprovalAsked
    | ApprovalAnswered
    | RemarkNoted
    | CorrectionMade
)
"""All events in the house's stream."""
