"""Every JSON document that the commands write, as types. Their schemas are generated from here.

Amounts are integers in units of 10^-exponent of the game's unit. Names and free text are what the
ledger knows, raw; printing them harmlessly is the writer's duty (`ledger.safe.json`).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from ledger.vocabulary import Chips, Millis, Seat
from projections.addresses.source_names import SourcePlace
from projections.reports.hand_documents import EventDocument, HandTold, MomentDocument


class CommandDocument(msgspec.Struct, kw_only=True, tag_field="schema"):
    """What a command writes with --format json: exactly one, on standard output."""


class Failure(msgspec.Struct):
    """What went wrong: `code` is stable, `hint` says what to do."""

    code: str
    message: str
    hint: str = ""
    source: SourcePlace | None = None
    evidence: str = ""  # what shows it: two checkpoints that contradict each other


class ErrorDocument(msgspec.Struct, tag_field="schema", tag="handledger/error/1"):
    """What any command writes when it could not do what was asked."""

    error: Failure


class LogDocument(CommandDocument, tag="handledger/log/1"):
    """Hands, in the order in which they were played. `more`: the limit cut the list."""

    hands: list[HandTold]
    more: bool


class ShowDocument(CommandDocument, tag="handledger/show/1"):
    """A hand, event by event. `alike`: groups of different names that look the same."""

    hand: HandTold
    events: list[EventDocument]
    alike: list[list[str]] = []


class ReplayDocument(CommandDocument, tag="handledger/replay/1"):
    """A hand as all its states."""

    hand: HandTold
    moments: list[MomentDocument]


class LeftOutHand(msgspec.Struct):
    """A hand that was not written, and what of it the format cannot say."""

    number: str
    why: str


class ExportDocument(CommandDocument, tag="handledger/export/1"):
    """What was exported, or with --output where to. `data` is text, or base64 for `original`."""

    format: str
    hands: int
    losses: list[str]
    file: str
    encoding: Literal["text", "base64"]
    data: str
    left_out: int = 0  # hands that the format cannot say
    first_left_out: list[LeftOutHand] = []


class ProblemEntry(msgspec.Struct):
    """Something in the ledger that contradicts itself; `position` is where in the log."""

    code: str
    reason: str
    position: int | None


class VerifyDocument(CommandDocument, tag="handledger/verify/1"):
    """What was checked, and what is wrong."""

    ledger: str
    sound: bool
    against: list[str]  # what it was compared with: "SIZE commits, signed by NAME"
    checked: list[str]
    not_proved: list[str]
    problems: list[ProblemEntry]
    positions: int
    head: str
    stamps: list[TimeStampEntry]  # of trusted authorities, the earliest checkpoint first
    notes: list[str] = []  # what to know of this ledger beside that


class SealDocument(CommandDocument, tag="handledger/seal/1"):
    """A signed checkpoint. `new`: it was signed now; otherwise nothing had come in since."""

    ledger: str
    new: bool
    origin: str
    size: int  # commits
    root: str  # hex
    key: str  # public: name+id+base64
    note: str  # the checkpoint as signed


class StampDocument(CommandDocument, tag="handledger/stamp/1"):
    """A time stamp over a checkpoint, made by a trusted authority. `new`: it was not kept before."""

    ledger: str
    new: bool
    size: int  # commits that the checkpoint covers
    time: str  # before which it existed, UTC
    within_ms: int  # how far off the authority says it may be; 0 = it does not say
    authority: str  # subject of its certificate, RFC 4514


class TimeStampEntry(msgspec.Struct):
    """A time stamp that the ledger keeps, checked."""

    size: int
    time: str
    authority: str


class PocketDocument(CommandDocument, tag="handledger/pocket/1"):
    """A folder of the page for phones that was written. `digest`: SHA-256 over its files."""

    folder: str
    files: int
    bytes: int
    digest: str  # hex
    compiled: bool  # its modules are compiled; without that the page starts slower


class WitnessDocument(CommandDocument, tag="handledger/witness/1"):
    """A checkpoint that this witness cosigned."""

    origin: str
    size: int
    root: str
    key: str  # the witness's, public
    note: str


class EvidenceDocument(CommandDocument, tag="handledger/evidence/1"):
    """An evidence file that was written."""

    file: str
    sha256: str
    length: int
    audience: str
    origin: str  # of the ledger that it is from
    size: int  # commits that the checkpoint covers
    stamps: int  # time stamps of that checkpoint in it
    hands: list[str] = []  # of a case: ids of the hands that it concerns; they are not in it
    addresses: list[str] = []  # of these hands
    elsewhere: list[str] = []  # of a case: ids of the hands that it took out of a lake of another ledger
    lacks: list[str] = []  # what a lake does not carry and the evidence of its ledger may hold
    recorded: bool = True  # in a house's record: who was given it
    key: str = ""  # the public key that signed it
    answers: int = 0  # that completed the hand's notes, in view/answers.txt
    left_out: list[str] = []  # book and clause of each finding that rests on earlier hands, which aren't in the file


class CheckedDocument(CommandDocument, tag="handledger/checked/1"):
    """Whether an evidence file holds; the first step that does not ends it.

    `consistent`: it agrees with itself, but no key was given, so that anybody may have made it; it
    does not hold then.
    """

    file: str
    holds: bool
    code: str  # of what does not hold; "" = everything does
    reason: str
    origin: str
    size: int  # commits of the log when it was signed
    events: int
    proven: list[str]
    claimed: list[str]
    not_covered: list[str]
    verdict: Literal["verified", "consistent", "not-verified", ""] = ""
    line: str = ""  # the verdict with all that it leaves open, as the single-file verifier says it too


class PersonEntry(msgspec.Struct):
    """Somebody whom the ledger knows by name. `same`: other ids of the same person."""

    id: str
    venue: str
    name: str
    same: list[str]
    held: str  # why the person may not be erased now; "" = may be
    until: Millis | None
    case: str = ""  # a case that holds this person's data, beside a hold by `people hold`


class PeopleDocument(CommandDocument, tag="handledger/people/1"):
    """People, or what was done about one. Nobody is named who was just forgotten.

    `alike`: groups of different names that look the same; nobody is merged for that. `beyond`: what
    forgetting a person did not reach.
    """

    done: str
    people: list[PersonEntry]
    alike: list[list[str]] = []
    beyond: list[str] = []
    key: str = ""  # the file of the key of the ids, where it was looked for
    notes: list[str] = []  # what stays guessable, and by whom


class ComparedEvent(msgspec.Struct):
    """An event in one of two compared accounts, with the text of its source."""

    event: EventDocument
    text: str = ""  # the bytes of the source, decoded; raw


class DifferenceEntry(msgspec.Struct):
    """A difference between two accounts. `a` or `b` is None if that account records nothing."""

    about: str
    a: ComparedEvent | None
    b: ComparedEvent | None


class NetComparison(msgspec.Struct):
    """What a seat won or lost by each account, in units of the document's exponent."""

    seat: Seat  # in the first account
    player: str
    a: Chips
    b: Chips


class AccountEntry(msgspec.Struct):
    """One account of a hand."""

    account: int
    hand: str  # id of its stream, hex
    stands: bool
    file: str
    sha256: str
    recorded: Millis
    told: HandTold
    source: str = ""  # the ledger's id of the source


class StatementEntry(msgspec.Struct):
    """A statement about an account: it counts ("stands"), or it belongs to a hand ("tells")."""

    position: int  # in the log
    recorded: Millis
    hand: str
    what: Literal["stands", "tells"]
    other: str  # the account that counted before, or an account of the hand that it belongs to
    by: str = ""
    person: str = ""
    why: str = ""
    rule: str = ""
    doubtful: bool = False


class OtherHandEntry(msgspec.Struct):
    """Another hand of the same number at the same table."""

    session: int
    hand: str
    started: Millis | None = None
    address: str = ""


class AccountsDocument(CommandDocument, tag="handledger/accounts/1"):
    """The accounts of a hand, which one counts, statements about them, and other hands of its number."""

    venue: str
    tournament: str
    table: str
    number: str
    accounts: list[AccountEntry]
    choices: list[StatementEntry]
    others: list[OtherHandEntry]


class CorrectDocument(CommandDocument, tag="handledger/correct/1"):
    """A hand with a correction that was made: the events that came with it stand at its record's end."""

    hand: HandTold
    voids: list[int]
    events: list[EventDocument]
    unbalanced: bool = False  # its chips do not add up, as it stands
    left_behind: list[int] = []  # events that still call what was corrected: no calls of what lies there now
    dry_run: bool = False  # nothing was written


class CorrectTableDocument(CommandDocument, tag="handledger/correct-table/1"):
    """A fact between hands that was corrected: the events that came with it stand at the end of the table's stream."""

    venue: str
    tournament: str
    table: str
    address: str  # of the corrected event, as it was typed: "T7@31"
    was: str  # the corrected event, as a sentence
    voids: list[int]
    events: list[EventDocument]
    dry_run: bool = False  # nothing was written


class CompareDocument(CommandDocument, tag="handledger/compare/1"):
    """Two accounts of one hand. `only_a`, `only_b`: kinds of events that the other does not tell, with how many."""

    a: HandTold
    b: HandTold
    same: bool
    equal: int  # facts in which they agree
    first: DifferenceEntry | None  # in the course of play
    others: list[DifferenceEntry]
    nets: list[NetComparison]
    only_a: dict[str, int]
    only_b: dict[str, int]
    unit: str
    exponent: int


class SchemasDocument(CommandDocument, tag="handledger/schemas/1"):
    """The names of the schemas that `schema NAME` prints."""

    names: list[str]


class DeviceEntry(msgspec.Struct):
    """A device that may record, or only ask: at which table, in which room ("" = any), and whether it sees hidden cards."""

    name: str
    may: str
    venue: str
    table: str
    cards: bool


class DeviceDocument(CommandDocument, tag="handledger/device/1"):
    """The devices that may record; `key`: of the one that was added just now."""

    devices: list[DeviceEntry]
    key: str = ""


class UserEntry(msgspec.Struct):
    """A person who may sign in. `sessions`: on how many devices this person is signed in."""

    id: str
    name: str  # "" = forgotten
    role: str
    sessions: int


class UserDocument(CommandDocument, tag="handledger/user/1"):
    """The people who may sign in; `link` and `code`: of the one who was named, made just now."""

    users: list[UserEntry]
    link: str = ""
    code: str = ""
    expires: int | None = None  # of the code: milliseconds since 1970


class Address(msgspec.Struct):
    """Where the pages of a ledger are, with the key that opens them."""

    role: str
    url: str


class ServeDocument(CommandDocument, tag="handledger/serve/1"):
    """Where the pages of a ledger are, as long as the program runs."""

    ledger: str
    addresses: list[Address]
    sign_in: str = ""  # address of the page where people sign in; "" = nobody can, or the server is for reading
    warning: str = ""  # of a certificate that isn't for a host name; "" = it's for all of them, or there is no TLS
    pocket: str = ""  # address of the page for phones; "" = it isn't served
