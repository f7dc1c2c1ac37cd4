"""Fold a case's events into its state, with one handler for each event type.

Every record has a state, whatever it contains and in whatever order. `ledger.case.rules` decides what may be written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from ledger.case import events as c
from ledger.case.state import CaseState, DueItem, RulingRecord, VersionSpan
from ledger.errors import UnknownEventError
from ledger.event import Event
from ledger.hand.corrections import apply_corrections
from ledger.hand.ending import CorrectionMade, RemarkNoted
from ledger.vocabulary import Role

Handler = Callable[[CaseState, Any, int], None]

_HOUSE_ROLES: Final[frozenset[Role]] = frozenset(
    {"floor", "shift-manager", "manager", "host", "house", "surveillance", "auditor"}
)
"""The roles whose statement counts as a reply to the claim."""


def begin_case() -> CaseState:
    """Return the state of a case before its first event."""
    return CaseState()


def apply_event(case_state: CaseState, case_event: Event, version: int) -> None:
    """Apply an event to the state of its case. Raise `UnknownEventError` for an unknown type."""
    handler = HANDLERS.get(type(case_event))
    if handler is None:
        raise UnknownEventError(f"{type(case_event).__name__} is no event of a case")
    handler(case_state, case_event, version)
    case_state.versions |= {version}


def fold_case(events: Iterable[Event]) -> CaseState:
    """Return the state after all `events` of a case's stream, with corrections applied."""
    case_state = begin_case()
    for version, case_event in apply_corrections(list(enumerate(events, 1))):
        apply_event(case_state, case_event, version)
    return case_state


def _apply_case_opened(case_state: CaseState, case_event: c.CaseOpened, _: int) -> None:
    if case_state.opening is None:
        case_state.opening = case_event


def _apply_case_linked(case_state: CaseState, case_event: c.CaseLinked, _: int) -> None:
    spans = case_state.hands.setdefault(case_event.hand, [])
    version_span = VersionSpan(case_event.first, case_event.last)
    if version_span not in spans:
        spans.append(version_span)
    if case_event.ledger:
        case_state.foreign_hands.setdefault(case_event.hand, case_event)


def _apply_statement_taken(case_state: CaseState, case_event: c.StatementTaken, version: int) -> None:
    case_state.statements.append(case_event)
    if case_event.by in _HOUSE_ROLES:
        _settle_dues(case_state, version, "reply")


def _apply_evidence_attached(case_state: CaseState, case_event: c.EvidenceAttached, version: int) -> None:
    case_state.evidence.append(case_event)
    if case_event.kind == "video":
        _settle_dues(case_state, version, "footage")


def _apply_hold_placed(case_state: CaseState, case_event: c.HoldPlaced, _: int) -> None:
    case_state.holds_placed[case_event.what, case_event.target] = case_event


def _apply_hold_lifted(case_state: CaseState, case_event: c.HoldLifted, _: int) -> None:
    case_state.holds_placed.pop((case_event.what, case_event.target), None)


def _apply_deadline_set(case_state: CaseState, case_event: c.DeadlineSet, version: int) -> None:
    for due_item in case_state.due:  # a new time for the same thing replaces the old one
        if due_item.event.what == case_event.what and not due_item.settling_version and case_event.what != "other":
            due_item.settling_version = version
    case_state.due.append(DueItem(version, case_event))


def _apply_regulator_notified(case_state: CaseState, case_event: c.RegulatorNotified, version: int) -> None:
    case_state.notices.append(case_event)
    _settle_dues(case_state, version, "notice")


def _apply_ruling_made(case_state: CaseState, case_event: c.RulingMade, version: int) -> None:
    case_state.rulings.append(RulingRecord(version, case_event))
    case_state.status = "decided"
    _settle_dues(case_state, version, "reply", "decision")


def _apply_payment_ordered(case_state: CaseState, case_event: c.PaymentOrdered, _: int) -> None:
    (case_state.rulings[-1].payments if case_state.rulings else case_state.unruled).append(case_event)


def _apply_ruling_appealed(case_state: CaseState, case_event: c.RulingAppealed, _: int) -> None:
    case_state.appeals.append(case_event)
    case_state.status = "appealed"


def _apply_case_closed(case_state: CaseState, case_event: c.CaseClosed, version: int) -> None:
    case_state.status, case_state.outcome = "closed", case_event.outcome
    _settle_dues(case_state, version, "reply", "decision", "footage", "notice", "other")


def _apply_case_reopened(case_state: CaseState, _: c.CaseReopened, __: int) -> None:
    case_state.status, case_state.outcome = "open", ""
    case_state.reopened += 1


def _settle_dues(case_state: CaseState, version: int, *kinds: str) -> None:
    for due_item in case_state.due:
        if due_item.event.what in kinds and not due_item.settling_version:
            due_item.settling_version = version


HANDLERS: Final[dict[type[Event], Handler]] = {
    c.CaseOpened: _apply_case_opened,
    c.CaseLinked: _apply_case_linked,
    c.StatementTaken: _apply_statement_taken,
    c.EvidenceAttached: _apply_evidence_attached,
    c.HoldPlaced: _apply_hold_placed,
    c.HoldLifted: _apply_hold_lifted,
    c.FindingCited: lambda state, event, _: state.cited.append(event),
    c.CaseAssigned: lambda state, event, _: state.assigned.append(event),
    c.DeadlineSet: _apply_deadline_set,
    c.RegulatorNotified: _apply_regulator_notified,
    c.RulingMade: _apply_ruling_made,
    c.PaymentOrdered: _apply_payment_ordered,
    c.RulingAppealed: _apply_ruling_appealed,
    c.CaseClosed: _apply_case_closed,
    c.CaseReopened: _apply_case_reopened,
    RemarkNoted: lambda state, event, _: state.remarks.append(event.text),
    CorrectionMade: lambda _state, _event, _version: None,  # already applied to the events in force
}
