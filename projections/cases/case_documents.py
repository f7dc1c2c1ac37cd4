"""The documents of one case and of the list of cases.

Erased names and words are None.
"""

from __future__ import annotations

import msgspec

from ledger.case.state import Status
from ledger.vocabulary import Chips, Millis, Role, Seat
from projections.reports.hand_documents import EventTold


class Elsewhere(msgspec.Struct):
    """A hand of another ledger as it was when it was linked: its position there and its hash."""

    ledger: str  # its id
    position: int  # of the hand's last event there
    root: str  # over the Merkle leaves of its commits, hex; for a single commit its leaf
    venue: str
    tournament: str
    table: str
    number: str
    started: Millis | None
    now: str = ""  # the hand in the compared lake: "same", "other", "missing"; "" = no lake was compared


class CaseHand(msgspec.Struct):
    """A hand of a case. `spans`: versions, first and last; empty = the whole hand.

    A hand that is not in this ledger has only `id`, and `elsewhere` if it was linked from another ledger.
    """

    id: str
    number: str
    venue: str
    table: str
    started: Millis | None
    spans: list[tuple[int, int]]
    local: str = ""  # when it began on the room's own clock
    zone: str = ""  # of that clock; "" = unknown
    account: int = 1
    stands: bool = True  # False: another account replaced it; citations stay with this one
    elsewhere: Elsewhere | None = None
    address: str = ""  # for commands, queries and pages; "" = the hand is not in this ledger


class Said(msgspec.Struct):
    """A statement, or an appeal to another authority (`to`)."""

    by: Role
    person: str | None
    words: str | None = ""
    seat: Seat | None = None
    to: str = ""


class Attached(msgspec.Struct):
    """Evidence attached to a case. The file itself is not in the ledger."""

    kind: str
    sha256: str
    label: str | None
    camera: str
    starts: Millis | None
    ends: Millis | None
    expires: Millis | None


class Hold(msgspec.Struct):
    """A hold: what a case protects from being erased. `called`: the hand's address, the table, the person or the file."""

    what: str
    target: str
    called: str | None
    until: Millis | None  # None: as long as the case lasts


class Cited(msgspec.Struct):
    """A cited finding of an audit. `says`: the clause's text if this program has that rulebook."""

    fingerprint: str
    clause: str
    book: str
    edition: str
    says: str
    hand: str = ""  # id of its hand; "" = not recorded


class Assigned(msgspec.Struct):
    """A person assigned to a case."""

    person: str | None
    role: Role


class DueTold(msgspec.Struct):
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
    """A payment: a seat, a player or the house receives (positive) or pays (negative)."""

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
    """A case and its events in order. `done`: the action of this command; "" = it only showed the case.

    `added`: versions of the events that the action added.
    `balance` sums the payments of all rulings. `voided`: versions of voided events.
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
    rulings: list[CaseRuling]
    balance: list[Payment]
    appeals: list[Said]
    events: list[EventTold]
    voided: list[int]
    next: list[str]


class CaseLine(msgspec.Struct):
    """A case in a list. `due`: its earliest deadline; None = none."""

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
    """Cases in the order of their opening."""

    cases: list[CaseLine]
