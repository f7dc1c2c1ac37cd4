"""Fold a case's events into its state. One handler for each event type, in `HANDLERS`.

It is total: whatever a record tells, in whatever order, it has a state. What should not be written
is the matter of `ledger.case.rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from ledger.case import events as c
from ledger.case.state import CaseState, Due, Ruled, Span
from ledger.errors import UnknownEventError
from ledger.event import Event
from ledger.hand.corrections import holding
from ledger.hand.ending import CorrectionMade, RemarkNoted
from ledger.vocabulary import Role

Handler = Callable[[CaseState, Any, int], None]

_HOUSE: Final[frozenset[Role]] = frozenset(
    {"floor", "shift-manager", "manager", "host", "house", "surveillance", "auditor"}
)
"""Whose statement is a reply to whoever claims something."""


def begin() -> CaseState:
    """Return a case of which nothing is known."""
    return CaseState()


def apply(state: CaseState, event: Event, version: int) -> None:
    """Bring `state` to where it stands after `event`; `UnknownEventError` for a foreign type."""
    handler = HANDLERS.get(type(event))
    if handler is None:
        raise UnknownEventError(f"{type(event).__name__} is no event of a case")
    handler(state, event, version)
    state.versions |= {version}


def fold(events: Iterable[Event]) -> CaseState:
    """Return the case after all `events` of its stream, as its corrections leave them."""
    state = begin()
    for version, event in holding(list(enumerate(events, 1))):
        apply(state, event, version)
    return state


def _opened(state: CaseState, event: c.CaseOpened, _: int) -> None:
    if state.opening is None:
        state.opening = event


def _linked(state: CaseState, event: c.CaseLinked, _: int) -> None:
    spans = state.hands.setdefault(event.hand, [])
    span = Span(event.first, event.last)
    if span not in spans:
        spans.append(span)
    if event.ledger:
        state.elsewhere.setdefault(event.hand, event)


def _statement(state: CaseState, event: c.StatementTaken, version: int) -> None:
    state.statements.append(event)
    if event.by in _HOUSE:
        _meet(state, version, "reply")


def _evidence(state: CaseState, event: c.EvidenceAttached, version: int) -> None:
    state.evidence.append(event)
    if event.kind == "video":
        _meet(state, version, "footage")


def _held(state: CaseState, event: c.HoldPlaced, _: int) -> None:
    state.placed[event.what, event.target] = event


def _lifted(state: CaseState, event: c.HoldLifted, _: int) -> None:
    state.placed.pop((event.what, event.target), None)


def _due(state: CaseState, event: c.DeadlineSet, version: int) -> None:
    for one in state.due:  # the same thing by another time: the new time counts
        if one.event.what == event.what and not one.met and event.what != "other":
            one.met = version
    state.due.append(Due(version, event))


def _notified(state: CaseState, event: c.RegulatorNotified, version: int) -> None:
    state.notices.append(event)
    _meet(state, version, "notice")


def _ruled(state: CaseState, event: c.RulingMade, version: int) -> None:
    state.rulings.append(Ruled(version, event))
    state.status = "decided"
    _meet(state, version, "reply", "decision")


def _payment(state: CaseState, event: c.PaymentOrdered, _: int) -> None:
    (state.rulings[-1].payments if state.rulings else state.unruled).append(event)


def _appealed(state: CaseState, event: c.RulingAppealed, _: int) -> None:
    state.appeals.append(event)
    state.status = "appealed"


def _closed(state: CaseState, event: c.CaseClosed, version: int) -> None:
    state.status, state.outcome = "closed", event.outcome
    _meet(state, version, "reply", "decision", "footage", "notice", "other")


def _reopened(state: CaseState, _: c.CaseReopened, __: int) -> None:
    state.status, state.outcome = "open", ""
    state.reopened += 1


def _meet(state: CaseState, version: int, *what: str) -> None:
    for one in state.due:
        if one.event.what in what and not one.met:
            one.met = version


HANDLERS: Final[dict[type[Event], Handler]] = {
    c.CaseOpened: _opened,
    c.CaseLinked: _linked,
    c.StatementTaken: _statement,
    c.EvidenceAttached: _evidence,
    c.HoldPlaced: _held,
    c.HoldLifted: _lifted,
    c.FindingCited: lambda state, event, _: state.cited.append(event),
    c.CaseAssigned: lambda state, event, _: state.assigned.append(event),
    c.DeadlineSet: _due,
    c.RegulatorNotified: _notified,
    c.RulingMade: _ruled,
    c.PaymentOrdered: _payment,
    c.RulingAppealed: _appealed,
    c.CaseClosed: _closed,
    c.CaseReopened: _reopened,
    RemarkNoted: lambda state, event, _: state.remarks.append(event.text),
    CorrectionMade: lambda _state, _event, _version: None,  # its effect is in what holds
}
