"""Check that a new event doesn't contradict its case. Every writer uses these rules.

The fold accepts any record; only new events must not contradict the earlier ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from ledger.case import case_errors
from ledger.case import events as c
from ledger.case.fold import apply_event, fold_case
from ledger.case.state import CaseState, VersionSpan
from ledger.errors import UnknownEventError
from ledger.event import Event
from ledger.hand.ending import CorrectionMade, RemarkNoted

CASE_NUMBER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
"""The form of case numbers, which occur in file names and on command lines."""

_DIGEST_PATTERN: Final = re.compile(r"[0-9a-f]{64}")
_ID_PATTERN: Final = re.compile(r"[0-9a-f]{32}")
_RULING_OUTCOMES: Final = frozenset({"upheld", "partly-upheld", "denied"})

Rule = Callable[[CaseState, Any], None]


def add_events(earlier_events: Sequence[Event], new_events: Iterable[Event]) -> CaseState:
    """Return the case after the new events. Raise `CaseError` if they contradict the earlier ones."""
    all_events = list(earlier_events)
    case_state = fold_case(all_events)
    has_payments = False
    for case_event in new_events:
        if type(case_event) not in HANDLERS:
            raise UnknownEventError(f"{type(case_event).__name__} is no event of a case")
        _check_event(case_state, case_event)
        all_events.append(case_event)
        has_payments = has_payments or isinstance(case_event, c.PaymentOrdered)
        if isinstance(case_event, CorrectionMade):
            case_state = fold_case(all_events)
        else:
            apply_event(case_state, case_event, len(all_events))
    if has_payments:
        _check_balance(case_state)
    return case_state


def find_versions_to_void(case_state: CaseState, versions: Iterable[int], events: Sequence[Event]) -> tuple[int, ...]:
    """Return the versions that fall when `versions` are voided: with a ruling, also its payments."""
    void_versions = set(versions)
    ruling_version = 0
    for version, case_event in enumerate(events, 1):
        if version in case_state.versions and isinstance(case_event, c.RulingMade):
            ruling_version = version
        elif (
            isinstance(case_event, c.PaymentOrdered)
            and ruling_version in void_versions
            and version in case_state.versions
        ):
            void_versions.add(version)
    return tuple(sorted(void_versions))


def _check_event(case_state: CaseState, case_event: Event) -> None:
    opening = isinstance(case_event, c.CaseOpened)
    if case_state.opening is None and not opening:
        raise case_errors.not_opened()
    if case_state.status == "closed" and not opening and not isinstance(case_event, c.CaseReopened):
        raise case_errors.case_closed(_require_case_number(case_state), case_state.outcome)
    HANDLERS[type(case_event)](case_state, case_event)


def _check_balance(case_state: CaseState) -> None:
    """Refuse a ruling's payments if chips would come from nowhere or vanish."""
    sums_by_unit: dict[str, int] = {}
    for payment in case_state.rulings[-1].payments:
        sums_by_unit[payment.unit] = sums_by_unit.get(payment.unit, 0) + payment.amount
    if any(sums_by_unit.values()):
        raise case_errors.payments_unbalanced()


def _require_case_number(case_state: CaseState) -> str:
    return case_state.opening.number if case_state.opening is not None else ""


def _check_opening(case_state: CaseState, case_event: c.CaseOpened) -> None:
    if case_state.opening is not None:
        raise case_errors.number_taken(_require_case_number(case_state))
    if not CASE_NUMBER.fullmatch(case_event.number):
        raise case_errors.bad_number(case_event.number)
    if case_event.amount is not None and case_event.amount < 0:
        raise case_errors.negative_amount()


def _check_link(case_state: CaseState, case_event: c.CaseLinked) -> None:
    if VersionSpan(case_event.first, case_event.last) in case_state.hands.get(case_event.hand, []):
        raise case_errors.hand_linked_already()
    is_whole_hand = (case_event.first, case_event.last) == (0, 0)
    if not is_whole_hand and not 1 <= case_event.first <= case_event.last:
        raise case_errors.bad_span()
    if case_event.ledger and not (
        _ID_PATTERN.fullmatch(case_event.ledger)
        and _DIGEST_PATTERN.fullmatch(case_event.root)
        and case_event.position > 0
    ):
        raise case_errors.foreign_hand_incomplete()


def _check_statement(_: CaseState, case_event: c.StatementTaken) -> None:
    if not case_event.words:
        raise case_errors.empty_statement()


def _check_remark(_: CaseState, case_event: RemarkNoted) -> None:
    if not case_event.text:
        raise case_errors.empty_remark()


def _check_evidence(case_state: CaseState, case_event: c.EvidenceAttached) -> None:
    if case_event.digest and not _DIGEST_PATTERN.fullmatch(case_event.digest):
        raise case_errors.bad_digest()
    if not case_event.digest and not case_event.label:
        raise case_errors.evidence_without_place()
    if case_event.digest and any(attachment.digest == case_event.digest for attachment in case_state.evidence):
        raise case_errors.attached_already()
    if case_event.starts is not None and case_event.ends is not None and case_event.ends < case_event.starts:
        raise case_errors.recording_ends_early()


def _check_hold(case_state: CaseState, case_event: c.HoldPlaced) -> None:
    earlier_hold = case_state.holds_placed.get((case_event.what, case_event.target))
    if earlier_hold is not None and earlier_hold.until == case_event.until:
        raise case_errors.held_already(case_event.what)


def _check_lift(case_state: CaseState, case_event: c.HoldLifted) -> None:
    if (case_event.what, case_event.target) not in case_state.holds_placed:
        raise case_errors.not_held(case_event.what)


def _check_citation(case_state: CaseState, case_event: c.FindingCited) -> None:
    if any(
        (citation.fingerprint, citation.book) == (case_event.fingerprint, case_event.book)
        for citation in case_state.cited
    ):
        raise case_errors.cited_already()


def _check_assignment(case_state: CaseState, case_event: c.CaseAssigned) -> None:
    if case_event in case_state.assigned:
        raise case_errors.assigned_already()


def _check_deadline(case_state: CaseState, case_event: c.DeadlineSet) -> None:
    if any(not due_item.settling_version and due_item.event == case_event for due_item in case_state.due):
        raise case_errors.due_already()


def _check_notice(_: CaseState, case_event: c.RegulatorNotified) -> None:
    if not case_event.authority:
        raise case_errors.authority_missing()


def _check_ruling(case_state: CaseState, case_event: c.RulingMade) -> None:
    if case_state.status == "decided":
        raise case_errors.decided_already(_require_case_number(case_state))
    if not case_event.decision:
        raise case_errors.ruling_without_decision()
    if case_event.clause and not case_event.book:
        raise case_errors.ruling_clause_without_book()


def _check_payment(case_state: CaseState, case_event: c.PaymentOrdered) -> None:
    if case_state.status != "decided":
        raise case_errors.payment_without_ruling()
    if not case_event.amount:
        raise case_errors.payment_of_nothing()
    if (case_event.seat is not None) + bool(case_event.player) + case_event.house != 1:
        raise case_errors.payment_of_several()
    units_used = {payment.unit for payment in case_state.payments}
    if units_used and case_event.unit not in units_used:
        raise case_errors.payment_in_other_money(sorted(units_used), case_event.unit)


def _check_appeal(case_state: CaseState, _: c.RulingAppealed) -> None:
    if case_state.status != "decided":
        number = _require_case_number(case_state)
        is_waiting = case_state.status == "appealed"
        raise case_errors.appealed_already(number) if is_waiting else case_errors.nothing_to_appeal(number)


def _check_closing(case_state: CaseState, case_event: c.CaseClosed) -> None:
    if case_event.outcome in _RULING_OUTCOMES and case_state.status != "decided":
        raise case_errors.outcome_without_ruling(
            _require_case_number(case_state), case_event.outcome, is_appealed=case_state.status == "appealed"
        )


def _check_reopening(case_state: CaseState, _: c.CaseReopened) -> None:
    if case_state.status != "closed":
        raise case_errors.not_closed(case_state.status)


def _check_correction(case_state: CaseState, case_event: CorrectionMade) -> None:
    unknown_versions = [version for version in case_event.voids if version not in case_state.versions]
    if unknown_versions:
        raise case_errors.unknown_entry(unknown_versions[0])
    if not case_event.voids:
        raise case_errors.nothing_to_void()
    if 1 in case_event.voids:
        raise case_errors.opening_voided()
    if case_event.count:
        raise case_errors.correction_with_events()


HANDLERS: Final[dict[type[Event], Rule]] = {
    c.CaseOpened: _check_opening,
    c.CaseLinked: _check_link,
    c.StatementTaken: _check_statement,
    c.EvidenceAttached: _check_evidence,
    c.HoldPlaced: _check_hold,
    c.HoldLifted: _check_lift,
    c.FindingCited: _check_citation,
    c.CaseAssigned: _check_assignment,
    c.DeadlineSet: _check_deadline,
    c.RegulatorNotified: _check_notice,
    c.RulingMade: _check_ruling,
    c.PaymentOrdered: _check_payment,
    c.RulingAppealed: _check_appeal,
    c.CaseClosed: _check_closing,
    c.CaseReopened: _check_reopening,
    RemarkNoted: _check_remark,
    CorrectionMade: _check_correction,
}
