"""What may follow what in a case: the one place that says so, for whoever writes.

The fold takes every record as it is; what is written anew must not contradict what stands there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from ledger.case import events as c
from ledger.case.fold import apply_event, fold_case
from ledger.case.state import CaseState, VersionSpan
from ledger.errors import CaseError, UnknownEventError
from ledger.event import Event
from ledger.hand.ending import CorrectionMade, RemarkNoted

CASE_NUMBER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
"""How a case may be numbered by whoever opens one: it stands in file names and on command lines."""

_DIGEST_PATTERN: Final = re.compile(r"[0-9a-f]{64}")
_ID_PATTERN: Final = re.compile(r"[0-9a-f]{32}")
_SHOW_HINT: Final = "handledger case show says what stands there."
_SPAN_HINT: Final = "Say the first event and the last: 408@17-20."
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


def versions_to_void(case_state: CaseState, versions: Iterable[int], events: Sequence[Event]) -> tuple[int, ...]:
    """Return the versions that fall when `versions` do: with a ruling, the payments ordered with it."""
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
        raise CaseError("there is no such case yet", "handledger case open begins one.")
    if case_state.status == "closed" and not opening and not isinstance(case_event, c.CaseReopened):
        raise CaseError(
            f"this case is closed ({case_state.outcome})",
            f"To go on with it: handledger case reopen {_case_number(case_state)} --why REASON",
        )
    HANDLERS[type(case_event)](case_state, case_event)


def _check_balance(case_state: CaseState) -> None:
    """Refuse payments of a ruling out of which chips come from nowhere, or go."""
    sums_by_unit: dict[str, int] = {}
    for payment in case_state.rulings[-1].payments:
        sums_by_unit[payment.unit] = sums_by_unit.get(payment.unit, 0) + payment.amount
    if any(sums_by_unit.values()):
        raise CaseError(
            "the payments do not add up to zero: what some receive others must pay",
            "Say who pays, --pay 5=-15, or that the house makes up the rest, --house-pays.",
        )


def _case_number(case_state: CaseState) -> str:
    return case_state.opening.number if case_state.opening is not None else ""


def _check_opening(case_state: CaseState, case_event: c.CaseOpened) -> None:
    if case_state.opening is not None:
        raise CaseError(
            f"there is a case {_case_number(case_state)!r} already",
            "Without --number the next free one is taken. To add to that case: handledger case note.",
        )
    if not CASE_NUMBER.fullmatch(case_event.number):
        raise CaseError(
            f"{case_event.number!r} cannot number a case",
            "Letters, digits, dots, dashes and underlines, 40 at most, a letter or digit first.",
        )
    if case_event.amount is not None and case_event.amount < 0:
        raise CaseError("the disputed amount is less than nothing", "Say who claims it in the claim.")


def _check_link(case_state: CaseState, case_event: c.CaseLinked) -> None:
    if VersionSpan(case_event.first, case_event.last) in case_state.hands.get(case_event.hand, []):
        raise CaseError("the case concerns that hand, or that span of it, already", _SHOW_HINT)
    is_whole_hand = (case_event.first, case_event.last) == (0, 0)
    if not is_whole_hand and not 1 <= case_event.first <= case_event.last:
        raise CaseError("a span of events begins at 1 or later and ends after it began", _SPAN_HINT)
    if case_event.ledger and not (
        _ID_PATTERN.fullmatch(case_event.ledger)
        and _DIGEST_PATTERN.fullmatch(case_event.root)
        and case_event.position > 0
    ):
        raise CaseError(
            "of a hand of another ledger its id, the hand's place there and the hash of its commits are told",
            "handledger case link --lake reads them out of a lake.",
        )


def _check_statement(_: CaseState, case_event: c.StatementTaken) -> None:
    if not case_event.words:
        raise CaseError("a statement without words says nothing", "Say what was told.")


def _check_remark(_: CaseState, case_event: RemarkNoted) -> None:
    if not case_event.text:
        raise CaseError("a remark without words says nothing", "Say what is to be noted.")


def _check_evidence(case_state: CaseState, case_event: c.EvidenceAttached) -> None:
    if case_event.digest and not _DIGEST_PATTERN.fullmatch(case_event.digest):
        raise CaseError("the digest of a file is its SHA-256: 64 hex digits", "Lower case.")
    if not case_event.digest and not case_event.label:
        raise CaseError(
            "evidence needs a file, or a label that says where it is kept",
            "Say FILE, or --label 'chips in the cage, bag 12'.",
        )
    if case_event.digest and any(attachment.digest == case_event.digest for attachment in case_state.evidence):
        raise CaseError("this very file is attached already", _SHOW_HINT)
    if case_event.starts is not None and case_event.ends is not None and case_event.ends < case_event.starts:
        raise CaseError("the recording ends before it begins", "Say --from and --to, in UTC.")


def _check_hold(case_state: CaseState, case_event: c.HoldPlaced) -> None:
    earlier_hold = case_state.holds_placed.get((case_event.what, case_event.target))
    if earlier_hold is not None and earlier_hold.until == case_event.until:
        raise CaseError(
            f"that {case_event.what} is held already, until the same time",
            "Another --until moves it; handledger case lift ends it.",
        )


def _check_lift(case_state: CaseState, case_event: c.HoldLifted) -> None:
    if (case_event.what, case_event.target) not in case_state.holds_placed:
        raise CaseError(f"that {case_event.what} is not held by this case", "handledger case show lists its holds.")


def _check_citation(case_state: CaseState, case_event: c.FindingCited) -> None:
    if any(
        (citation.fingerprint, citation.book) == (case_event.fingerprint, case_event.book)
        for citation in case_state.cited
    ):
        raise CaseError("that finding is cited already", _SHOW_HINT)


def _check_assignment(case_state: CaseState, case_event: c.CaseAssigned) -> None:
    if case_event in case_state.assigned:
        raise CaseError("that person works on the case already, in that role", _SHOW_HINT)


def _check_deadline(case_state: CaseState, case_event: c.DeadlineSet) -> None:
    if any(not due_item.settling_version and due_item.event == case_event for due_item in case_state.due):
        raise CaseError("that is due by that time already", "Another time moves it.")


def _check_notice(_: CaseState, case_event: c.RegulatorNotified) -> None:
    if not case_event.authority:
        raise CaseError("which authority was told?", "Say its name.")


def _check_ruling(case_state: CaseState, case_event: c.RulingMade) -> None:
    if case_state.status == "decided":
        raise CaseError(
            "this case is decided already",
            f"Another ruling follows an appeal: handledger case appeal {_case_number(case_state)} --by ROLE. "
            "One that was written down wrongly is voided: handledger case void.",
        )
    if not case_event.decision:
        raise CaseError("a ruling needs a decision", "Say it with --decision.")
    if case_event.clause and not case_event.book:
        raise CaseError("a clause of which rulebook?", "Say it with --rulebook.")


def _check_payment(case_state: CaseState, case_event: c.PaymentOrdered) -> None:
    if case_state.status != "decided":
        raise CaseError("payments are ordered by a ruling", "handledger case rule --pay")
    if not case_event.amount:
        raise CaseError("a payment of nothing moves nothing", "Leave it out.")
    if (case_event.seat is not None) + bool(case_event.player) + case_event.house != 1:
        raise CaseError("a payment is a seat's, a player's, or the house's", "Say one of them.")
    units_used = {payment.unit for payment in case_state.payments}
    if units_used and case_event.unit not in units_used:
        raise CaseError(
            f"payments of this case are in {', '.join(sorted(units_used))!r}, not in {case_event.unit!r}",
            "Open a case of its own for the other game.",
        )


def _check_appeal(case_state: CaseState, _: c.RulingAppealed) -> None:
    if case_state.status != "decided":
        is_waiting = case_state.status == "appealed"
        raise CaseError(
            "the ruling is appealed already" if is_waiting else "there is no ruling to appeal against",
            f"handledger case rule {_case_number(case_state)} decides.",
        )


def _check_closing(case_state: CaseState, case_event: c.CaseClosed) -> None:
    if case_event.outcome in _RULING_OUTCOMES and case_state.status != "decided":
        reason_open = "an appeal waits for its ruling" if case_state.status == "appealed" else "nobody has ruled"
        raise CaseError(
            f"{case_event.outcome!r} is the end of a ruling, and {reason_open}",
            f"handledger case rule {_case_number(case_state)} decides; without a ruling a case ends as "
            "withdrawn, settled, referred or other.",
        )


def _check_reopening(case_state: CaseState, _: c.CaseReopened) -> None:
    if case_state.status != "closed":
        raise CaseError(f"this case is not closed: it is {case_state.status}", "Go on with it as it is.")


def _check_correction(case_state: CaseState, case_event: CorrectionMade) -> None:
    unknown_versions = [version for version in case_event.voids if version not in case_state.versions]
    if not case_event.voids or unknown_versions:
        complaint = f"no event {unknown_versions[0]} that holds" if unknown_versions else "nothing to void"
        raise CaseError(f"there is {complaint} in this case", "handledger case show numbers them.")
    if 1 in case_event.voids:
        raise CaseError("the opening of a case cannot be voided", "Close it: handledger case close NUMBER withdrawn")
    if case_event.count:
        raise CaseError("a case is corrected by voiding", "Write anew what should stand there.")


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
