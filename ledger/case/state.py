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
"""`open`: nobody has decided; `decided`: a ruling is in force; `appealed`: it waits for another."""


class Span(NamedTuple):
    """Versions of a hand that a case is about, both included; 0 and 0 = the whole hand."""

    first: int
    last: int


@dataclass(slots=True)
class Due:
    """Something that is due. `met` is the version of the event that did it, 0 = it is still due."""

    version: int
    event: DeadlineSet
    met: int = 0


@dataclass(slots=True)
class Ruled:
    """A ruling, and the payments that were ordered with it."""

    version: int
    event: RulingMade
    payments: list[PaymentOrdered] = field(default_factory=list)


class Party(NamedTuple):
    """Who receives or pays: a seat, a player, or (neither) the house; in which currency."""

    seat: Seat | None
    player: PlayerId
    unit: str


@dataclass(slots=True)
class CaseState:
    """A case as far as its events tell it. Times are not in it: they belong to the entries."""

    opening: CaseOpened | None = None
    status: Status = "open"
    outcome: str = ""  # of the closing; "" = not closed, or taken up again
    hands: dict[str, list[Span]] = field(default_factory=dict)  # stream id, hex → spans
    elsewhere: dict[str, CaseLinked] = field(default_factory=dict)  # of those read from another ledger: who said so
    statements: list[StatementTaken] = field(default_factory=list)
    remarks: list[TextRef] = field(default_factory=list)
    evidence: list[EvidenceAttached] = field(default_factory=list)
    placed: dict[tuple[str, str], HoldPlaced] = field(default_factory=dict)  # what, target → hold
    cited: list[FindingCited] = field(default_factory=list)
    assigned: list[CaseAssigned] = field(default_factory=list)
    due: list[Due] = field(default_factory=list)
    notices: list[RegulatorNotified] = field(default_factory=list)
    rulings: list[Ruled] = field(default_factory=list)
    unruled: list[PaymentOrdered] = field(default_factory=list)  # ordered without any ruling
    appeals: list[RulingAppealed] = field(default_factory=list)
    reopened: int = 0
    versions: frozenset[int] = frozenset()  # of the events that hold

    @property
    def payments(self) -> list[PaymentOrdered]:
        """Every payment that was ordered, in order."""
        return [*self.unruled, *(one for ruled in self.rulings for one in ruled.payments)]

    @property
    def balance(self) -> dict[Party, int]:
        """What each party has to receive (positive) or to pay by all rulings together.

        A later ruling takes an earlier payment back by ordering the opposite.
        """
        found: dict[Party, int] = {}
        for one in self.payments:
            house = one.house and one.seat is None and not one.player
            party = Party(None if house else one.seat, one.player, one.unit)
            found[party] = found.get(party, 0) + one.amount
        return found

    def holds(self, now: Millis) -> list[HoldPlaced]:
        """Return the holds in force: until their time, or where none is told as long as the case lasts."""
        return [
            hold
            for hold in self.placed.values()
            if (self.status != "closed" if hold.until is None else hold.until > now)
        ]

    def open_dues(self) -> list[Due]:
        """Return what is still due, the earliest first."""
        if self.status == "closed":
            return []
        return sorted((one for one in self.due if not one.met), key=lambda one: one.event.due)

    def overdue(self, now: Millis) -> list[Due]:
        """Return what should have been done before `now` and was not."""
        return [one for one in self.open_dues() if one.event.due < now]
