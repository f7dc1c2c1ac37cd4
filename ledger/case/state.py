"""The state of a case: what was claimed, what is known, what is due, what was decided."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from ledger.case.events import (
    CaseAssigned,
    CaseLinked,
    CaseOpened,
    DeadlineSet,
    EvidenceAttached,
    FindingCited,
    HoldPlaced,
    PaymentOrdered,
    RegulatorNotified,
    RulingAppealed,
    RulingMade,
    StatementTaken,
)
from ledger.vocabulary import Millis, PlayerId, Seat, TextRef

Status: TypeAlias = Literal["open", "decided", "appealed", "closed"]
"""`open`: not decided yet; `decided`: a ruling is in force; `appealed`: a higher ruling is due."""


class VersionSpan(NamedTuple):
    """Versions of a hand that a case concerns, both included; 0 and 0 = the entire hand."""

    first: int
    last: int


@dataclass(slots=True)
class DueItem:
    """A thing that is due. `settling_version` is the version of the event that settled it, 0 = it is still due."""

    version: int
    event: DeadlineSet
    settling_version: int = 0


@dataclass(slots=True)
class RulingRecord:
    """A ruling, and the payments ordered with it."""

    version: int
    event: RulingMade
    payments: list[PaymentOrdered] = field(default_factory=list)


class Party(NamedTuple):
    """A receiver or payer: a seat, a player, or (neither) the house; with the currency."""

    seat: Seat | None
    player: PlayerId
    unit: str


@dataclass(slots=True)
class CaseState:
    """A case after its events so far. Times aren't included: they belong to the entries."""

    opening: CaseOpened | None = None
    status: Status = "open"
    outcome: str = ""  # of the closing; "" = not closed, or reopened
    hands: dict[str, list[VersionSpan]] = field(default_factory=dict)  # stream id, hex → spans
    foreign_hands: dict[str, CaseLinked] = field(
        default_factory=dict
    )  # of those from another ledger: the event that linked it
    statements: list[StatementTaken] = field(default_factory=list)
    remarks: list[TextRef] = field(default_factory=list)
    evidence: list[EvidenceAttached] = field(default_factory=list)
    holds_placed: dict[tuple[str, str], HoldPlaced] = field(default_factory=dict)  # what, target → hold
    cited: list[FindingCited] = field(default_factory=list)
    assigned: list[CaseAssigned] = field(default_factory=list)
    due: list[DueItem] = field(default_factory=list)
    notices: list[RegulatorNotified] = field(default_factory=list)
    rulings: list[RulingRecord] = field(default_factory=list)
    unruled: list[PaymentOrdered] = field(default_factory=list)  # ordered without a ruling
    appeals: list[RulingAppealed] = field(default_factory=list)
    reopened: int = 0
    versions: frozenset[int] = frozenset()  # of the events that hold

    @property
    def payments(self) -> list[PaymentOrdered]:
        """Every ordered payment, in order."""
        return [*self.unruled, *(payment for ruled in self.rulings for payment in ruled.payments)]

    @property
    def balance(self) -> dict[Party, int]:
        """The amount that each party receives (positive) or pays by all rulings together.

        A later ruling takes back a payment by ordering the opposite.
        """
        balances: dict[Party, int] = {}
        for payment in self.payments:
            is_house = payment.house and payment.seat is None and not payment.player
            party = Party(None if is_house else payment.seat, payment.player, payment.unit)
            balances[party] = balances.get(party, 0) + payment.amount
        return balances

    def list_holds_in_force(self, moment: Millis) -> list[HoldPlaced]:
        """Return the holds in force: until their time, or without one until the case closes."""
        return [
            hold
            for hold in self.holds_placed.values()
            if (self.status != "closed" if hold.until is None else hold.until > moment)
        ]

    def open_dues(self) -> list[DueItem]:
        """Return what is still due, the earliest first."""
        if self.status == "closed":
            return []
        return sorted(
            (due_item for due_item in self.due if not due_item.settling_version),
            key=lambda due_item: due_item.event.due,
        )

    def list_overdue(self, moment: Millis) -> list[DueItem]:
        """Return what was due before a moment and isn't done."""
        return [due_item for due_item in self.open_dues() if due_item.event.due < moment]
