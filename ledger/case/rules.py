"""What may follow what in a case: the one place that says so, for whoever writes.

The fold takes every record as it is; what is written anew must not contradict what stands there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from ledger.case import events as c
from ledger.case.fold import apply, fold
from ledger.case.state import CaseState, Span
from ledger.errors import CaseError, UnknownEventError
from ledger.event import Event
from ledger.hand.ending import CorrectionMade, RemarkNoted

NUMBER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
"""How a case may be numbered by whoever opens one: it stands in file names and on command lines."""

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_ID: Final = re.compile(r"[0-9a-f]{32}")
_SHOW: Final = "handledger case show says what stands there."
_SPAN: Final = "Say the first event and the last: 408@17-20."
_OF_A_RULING: Final = frozenset({"upheld", "partly-upheld", "denied"})

Rule = Callable[[CaseState, Any], None]


def added(before: Sequence[Event], new: Iterable[Event]) -> CaseState:
    """Return the case after `new` events behind `before`; `CaseError` if they contradict what is there."""
    whole = list(before)
    state = fold(whole)
    moved = False
    for event in new:
        if type(event) not in HANDLERS:
            raise UnknownEventError(f"{type(event).__name__} is no event of a case")
        _check(state, event)
        whole.append(event)
        moved = moved or isinstance(event, c.PaymentOrdered)
        if isinstance(event, CorrectionMade):
            state = fold(whole)
        else:
            apply(state, event, len(whole))
    if moved:
        _adds_up(state)
    return state


def voided(state: CaseState, versions: Iterable[int], events: Sequence[Event]) -> tuple[int, ...]:
    """Return the versions that fall when `versions` do: with a ruling, the payments ordered with it."""
    found = set(versions)
    ruling = 0
    for version, event in enumerate(events, 1):
        if version in state.versions and isinstance(event, c.RulingMade):
            ruling = version
        elif isinstance(event, c.PaymentOrdered) and ruling in found and version in state.versions:
            found.add(version)
    return tuple(sorted(found))


def _check(state: CaseState, event: Event) -> None:
    opening = isinstance(event, c.CaseOpened)
    if state.opening is None and not opening:
        raise CaseError("there is no such case yet", "handledger case open begins one.")
    if state.status == "closed" and not opening and not isinstance(event, c.CaseReopened):
        raise CaseError(
            f"this case is closed ({state.outcome})",
            f"To go on with it: handledger case reopen {_number(state)} --why REASON",
        )
    HANDLERS[type(event)](state, event)


def _adds_up(state: CaseState) -> None:
    """Refuse payments of a ruling out of which chips come from nowhere, or go."""
    sums: dict[str, int] = {}
    for one in state.rulings[-1].payments:
        sums[one.unit] = sums.get(one.unit, 0) + one.amount
    if any(sums.values()):
        raise CaseError(
            "the payments do not add up to zero: what some receive others must pay",
            "Say who pays, --pay 5=-15, or that the house makes up the rest, --house-pays.",
        )


def _number(state: CaseState) -> str:
    return state.opening.number if state.opening is not None else ""


def _open(state: CaseState, event: c.CaseOpened) -> None:
    if state.opening is not None:
        raise CaseError(
            f"there is a case {_number(state)!r} already",
            "Without --number the next free one is taken. To add to that case: handledger case note.",
        )
    if not NUMBER.fullmatch(event.number):
        raise CaseError(
            f"{event.number!r} cannot number a case",
            "Letters, digits, dots, dashes and underlines, 40 at most, a letter or digit first.",
        )
    if event.amount is not None and event.amount < 0:
        raise CaseError("the disputed amount is less than nothing", "Say who claims it in the claim.")


def _link(state: CaseState, event: c.CaseLinked) -> None:
    if Span(event.first, event.last) in state.hands.get(event.hand, []):
        raise CaseError("the case concerns that hand, or that span of it, already", _SHOW)
    whole = (event.first, event.last) == (0, 0)
    if not whole and not 1 <= event.first <= event.last:
        raise CaseError("a span of events begins at 1 or later and ends after it began", _SPAN)
    if event.ledger and not (_ID.fullmatch(event.ledger) and _DIGEST.fullmatch(event.root) and event.position > 0):
        raise CaseError(
            "of a hand of another ledger its id, the hand's place there and the hash of its commits are told",
            "handledger case link --lake reads them out of a lake.",
        )


def _statement(_: CaseState, event: c.StatementTaken) -> None:
    if not event.words:
        raise CaseError("a statement without words says nothing", "Say what was told.")


def _remark(_: CaseState, event: RemarkNoted) -> None:
    if not event.text:
        raise CaseError("a remark without words says nothing", "Say what is to be noted.")


def _evidence(state: CaseState, event: c.EvidenceAttached) -> None:
    if event.digest and not _DIGEST.fullmatch(event.digest):
        raise CaseError("the digest of a file is its SHA-256: 64 hex digits", "Lower case.")
    if not event.digest and not event.label:
        raise CaseError(
            "evidence needs a file, or a label that says where it is kept",
            "Say FILE, or --label 'chips in the cage, bag 12'.",
        )
    if event.digest and any(one.digest == event.digest for one in state.evidence):
        raise CaseError("this very file is attached already", _SHOW)
    if event.starts is not None and event.ends is not None and event.ends < event.starts:
        raise CaseError("the recording ends before it begins", "Say --from and --to, in UTC.")


def _hold(state: CaseState, event: c.HoldPlaced) -> None:
    before = state.placed.get((event.what, event.target))
    if before is not None and before.until == event.until:
        raise CaseError(
            f"that {event.what} is held already, until the same time",
            "Another --until moves it; handledger case lift ends it.",
        )


def _lift(state: CaseState, event: c.HoldLifted) -> None:
    if (event.what, event.target) not in state.placed:
        raise CaseError(f"that {event.what} is not held by this case", "handledger case show lists its holds.")


def _cite(state: CaseState, event: c.FindingCited) -> None:
    if any((one.fingerprint, one.book) == (event.fingerprint, event.book) for one in state.cited):
        raise CaseError("that finding is cited already", _SHOW)


def _assign(state: CaseState, event: c.CaseAssigned) -> None:
    if event in state.assigned:
        raise CaseError("that person works on the case already, in that role", _SHOW)


def _due(state: CaseState, event: c.DeadlineSet) -> None:
    if any(not one.met and one.event == event for one in state.due):
        raise CaseError("that is due by that time already", "Another time moves it.")


def _notify(_: CaseState, event: c.RegulatorNotified) -> None:
    if not event.authority:
        raise CaseError("which authority was told?", "Say its name.")


def _rule(state: CaseState, event: c.RulingMade) -> None:
    if state.status == "decided":
        raise CaseError(
            "this case is decided already",
            f"Another ruling follows an appeal: handledger case appeal {_number(state)} --by ROLE. "
            "One that was written down wrongly is voided: handledger case void.",
        )
    if not event.decision:
        raise CaseError("a ruling needs a decision", "Say it with --decision.")
    if event.clause and not event.book:
        raise CaseError("a clause of which rulebook?", "Say it with --rulebook.")


def _pay(state: CaseState, event: c.PaymentOrdered) -> None:
    if state.status != "decided":
        raise CaseError("payments are ordered by a ruling", "handledger case rule --pay")
    if not event.amount:
        raise CaseError("a payment of nothing moves nothing", "Leave it out.")
    if (event.seat is not None) + bool(event.player) + event.house != 1:
        raise CaseError("a payment is a seat's, a player's, or the house's", "Say one of them.")
    units = {one.unit for one in state.payments}
    if units and event.unit not in units:
        raise CaseError(
            f"payments of this case are in {', '.join(sorted(units))!r}, not in {event.unit!r}",
            "Open a case of its own for the other game.",
        )


def _appeal(state: CaseState, _: c.RulingAppealed) -> None:
    if state.status != "decided":
        waits = state.status == "appealed"
        raise CaseError(
            "the ruling is appealed already" if waits else "there is no ruling to appeal against",
            f"handledger case rule {_number(state)} decides.",
        )


def _close(state: CaseState, event: c.CaseClosed) -> None:
    if event.outcome in _OF_A_RULING and state.status != "decided":
        waits = "an appeal waits for its ruling" if state.status == "appealed" else "nobody has ruled"
        raise CaseError(
            f"{event.outcome!r} is the end of a ruling, and {waits}",
            f"handledger case rule {_number(state)} decides; without a ruling a case ends as "
            "withdrawn, settled, referred or other.",
        )


def _reopen(state: CaseState, _: c.CaseReopened) -> None:
    if state.status != "closed":
        raise CaseError(f"this case is not closed: it is {state.status}", "Go on with it as it is.")


def _correct(state: CaseState, event: CorrectionMade) -> None:
    strange = [version for version in event.voids if version not in state.versions]
    if not event.voids or strange:
        said = f"no event {strange[0]} that holds" if strange else "nothing to void"
        raise CaseError(f"there is {said} in this case", "handledger case show numbers them.")
    if 1 in event.voids:
        raise CaseError("the opening of a case cannot be voided", "Close it: handledger case close NUMBER withdrawn")
    if event.count:
        raise CaseError("a case is corrected by voiding", "Write anew what should stand there.")


HANDLERS: Final[dict[type[Event], Rule]] = {
    c.CaseOpened: _open,
    c.CaseLinked: _link,
    c.StatementTaken: _statement,
    c.EvidenceAttached: _evidence,
    c.HoldPlaced: _hold,
    c.HoldLifted: _lift,
    c.FindingCited: _cite,
    c.CaseAssigned: _assign,
    c.DeadlineSet: _due,
    c.RegulatorNotified: _notify,
    c.RulingMade: _rule,
    c.PaymentOrdered: _pay,
    c.RulingAppealed: _appeal,
    c.CaseClosed: _close,
    c.CaseReopened: _reopen,
    RemarkNoted: _remark,
    CorrectionMade: _correct,
}
