"""Cases as documents: one whole, and the list of them.

Names and words are None where they were erased.
"""

from __future__ import annotations

import msgspec

from ledger.case.state import Status
from ledger.vocabulary import Chips, Millis, Role, Seat
from projections.reports.hand_documents import EventTold


class Elsewhere(msgspec.Struct):
    """A hand as it was read from another ledger when it was linked: which hand, where there, over what bytes."""

    ledger: str  # its id
    position: int  # of the hand's last event there
    root: str  # over the Merkle leaves of its commits, hex; of one commit its leaf
    venue: str
    tournament: str
    table: str
    number: str
    started: Millis | None
    now: str = ""  # whether a lake that was looked into has the same: "same", "other", "missing"; "" = none was


class CaseHand(msgspec.Struct):
    """A hand that a case concerns. `spans`: versions, first and last; empty = the whole hand.

    Of a hand that is not in this ledger `id` is told, and `elsewhere` where it was read from another.
    """

    id: str
    number: str
    venue: str
    table: str
    started: Millis | None
    spans: list[tuple[int, int]]
    local: str = ""  # when it began on the room's own clock
    zone: str = ""  # of that clock; "" = the source does not say
    account: int = 1
    stands: bool = True  # False: another account stands since; what is cited stays with this one
    elsewhere: Elsewhere | None = None
    address: str = ""  # what every command, query and page takes; "" = the hand is not in this ledger


class Said(msgspec.Struct):
    """What somebody told: a statement, or an appeal to another place (`to`)."""

    by: Role
    person: str | None
    words: str | None = ""
    seat: Seat | None = None
    to: str = ""


class Attached(msgspec.Struct):
    """Something that was put to a case. The file itself is not in the ledger."""

    kind: str
    sha256: str
    label: str | None
    camera: str
    starts: Millis | None
    ends: Millis | None
    expires: Millis | None


class Hold(msgspec.Struct):
    """What a case keeps from being erased. `called`: the hand's number, the table, the person, the file."""

    what: str
    target: str
    called: str | None
    until: Millis | None  # None: as long as the case lasts


class Cited(msgspec.Struct):
    """A finding of an audit. `says`: the clause, where this program has that rulebook."""

    fingerprint: str
    clause: str
    book: str
    edition: str
    says: str
    hand: str = ""  # id of the hand in which it is; "" = not told


class Assigned(msgspec.Struct):
    """Who works on a case."""

    person: str | None
    role: Role


class DueTold(msgspec.Struct):
    """Something that is due by a time."""

    what: str
    due: Millis
    done: bool
    overdue: bool


class Notice(msgspec.Struct):
    """That a regulator was told."""

    authority: str
    reference: str


class Payment(msgspec.Struct):
    """What a seat, a player or the house receives (positive) or pays (negative)."""

    seat: Seat | None
    player: str | None
    house: bool
    amount: Chips
    unit: str


class Ruling(msgspec.Struct):
    """A decision, with the payments ordered by it."""

    by: Role
    person: str | None
    decision: str | None
    clause: str
    book: str
    payments: list[Payment]


class CaseDocument(msgspec.Struct, kw_only=True, tag_field="schema", tag="handledger/case/1"):
    """A case as it stands, and its events in order. `done`: what was done to it; "" = it was only looked at.

    `added`: versions of the events that this wrote.
    `balance` sums the payments of all rulings. `voided`: versions of events that no longer hold.
    """

    done: str
    added: list[int]
    notes: list[str]
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
    statements: list[Said]
    remarks: list[str | None]
    evidence: list[Attached]
    holds: list[Hold]
    cited: list[Cited]
    assigned: list[Assigned]
    due: list[DueTold]
    notices: list[Notice]
    rulings: list[Ruling]
    balance: list[Payment]
    appeals: list[Said]
    events: list[EventTold]
    voided: list[int]
    next: list[str]


class CaseLine(msgspec.Struct):
    """A case in a list. `due`: what is due first; None = nothing."""

    number: str
    opened: Millis
    subject: str
    status: Status
    outcome: str
    venue: str
    table: str
    hands: list[CaseHand]
    claim: str | None
    due: DueTold | None
    overdue: int


class CasesDocument(msgspec.Struct, kw_only=True, tag_field="schema", tag="handledger/cases/1"):
    """Cases, in the order in which they were opened."""

    cases: list[CaseLine]
