"""The JSON documents of one case and of a list of cases. A name or text that was erased is None."""

from __future__ import annotations

import msgspec

from ledger.case.state import Status
from ledger.vocabulary import Chips, Millis, Role, Seat
from projections.reports.hand_documents import EventDocument


class ForeignHand(msgspec.Struct):
    """A hand of another ledger, as it was when the case linked it."""

    ledger: str  # its id
    position: int  # of the hand's last event there
    root: str  # Merkle root over the hand's commits, hex
    venue: str
    tournament: str
    table: str
    number: str
    started: Millis | None
    now: str = ""  # the hand in the lake compared with: "same", "other" or "missing"; "" = not compared


class CaseHand(msgspec.Struct):
    """A hand of a case. If it isn't in this ledger, only `id`, `spans` and perhaps `elsewhere` are set."""

    id: str  # stream id, hex
    number: str
    venue: str
    table: str
    started: Millis | None
    spans: list[tuple[int, int]]  # first and last version of each cited part; [] = the whole hand
    local: str = ""  # when it began, on the room's clock
    zone: str = ""  # of that clock; "" = unknown
    account: int = 1
    stands: bool = True  # False = another account replaced this one; the case still cites this one
    elsewhere: ForeignHand | None = None  # set if it was linked from another ledger
    address: str = ""  # accepted by every command, query and page; "" = not in this ledger


class CaseStatement(msgspec.Struct):
    """A statement, or an appeal to another authority (`to`)."""

    by: Role
    person: str | None
    words: str | None = ""
    seat: Seat | None = None
    to: str = ""


class CaseExhibit(msgspec.Struct):
    """Evidence attached to a case. The file itself is not in the ledger."""

    kind: str
    sha256: str
    label: str | None
    camera: str
    starts: Millis | None
    ends: Millis | None
    expires: Millis | None


class Hold(msgspec.Struct):
    """A hold: names that the case protects from being erased."""

    what: str  # "person", "hand", "table" or "source"
    target: str  # its id
    called: str | None  # its name for people: the person, the hand's address, the table or the file
    until: Millis | None  # None = as long as the case is open


class CaseCitation(msgspec.Struct):
    """A cited finding of an audit."""

    fingerprint: str
    clause: str
    book: str
    edition: str
    says: str  # text of the clause; "" = this program doesn't have that edition
    hand: str = ""  # stream id of its hand, hex; "" = not recorded


class CaseAssignment(msgspec.Struct):
    """A person assigned to a case."""

    person: str | None
    role: Role


class CaseDeadline(msgspec.Struct):
    """A deadline."""

    what: str
    due: Millis
    done: bool
    overdue: bool


class Notice(msgspec.Struct):
    """A notice to a regulator."""

    authority: str
    reference: str


class Payment(msgspec.Struct):
    """A payment. A seat, a player or the house receives (positive amount) or pays (negative amount)."""

    seat: Seat | None
    player: str | None
    house: bool
    amount: Chips
    unit: str


class CaseRuling(msgspec.Struct):
    """A ruling and its payments."""

    by: Role
    person: str | None
    decision: str | None
    clause: str
    book: str
    payments: list[Payment]


class CaseDocument(msgspec.Struct, kw_only=True, tag_field="schema", tag="handledger/case/1"):
    """A case and its events in order."""

    done: str  # what the command did; "" = it only showed the case
    added: list[int]  # versions of the events that the command added
    notes: list[str]  # remarks for the user
    number: str
    subject: str
    status: Status
    outcome: str
    opened: Millis
    by: Role
    person: str | None
    venue: str
    table: str
    claim: str | None
    amount: Chips | None
    unit: str
    exponent: int
    occurred: Millis | None
    before_next_deal: bool | None
    hands: list[CaseHand]
    statements: list[CaseStatement]
    remarks: list[str | None]
    evidence: list[CaseExhibit]
    holds: list[Hold]
    cited: list[CaseCitation]
    assigned: list[CaseAssignment]
    due: list[CaseDeadline]
    notices: list[Notice]
    rulings: list[CaseRuling]
    balance: list[Payment]  # payments of all rulings, summed by party
    appeals: list[CaseStatement]
    events: list[EventDocument]
    voided: list[int]  # versions of voided events
    next: list[str]  # commands for the next steps


class CaseLine(msgspec.Struct):
    """A case in a list."""

    number: str
    opened: Millis
    subject: str
    status: Status
    outcome: str
    venue: str
    table: str
    hands: list[CaseHand]
    claim: str | None
    due: CaseDeadline | None  # its earliest open deadline
    overdue: int  # number of missed deadlines
    person: str | None = ""  # who made the claim; "" = not recorded
    owner: str | None = ""  # who works on it: the last one assigned; "" = nobody
    amount: Chips | None = None  # in dispute
    unit: str = ""
    exponent: int = 0


class CasesDocument(msgspec.Struct, kw_only=True, tag_field="schema", tag="handledger/cases/1"):
    """Cases in the order in which they were opened."""

    cases: list[CaseLine]
