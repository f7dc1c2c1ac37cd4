"""Describe each event of a case in one line. Names and free text are sanitized here by `ledger.safe`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from ledger import safe
from ledger.case import events as case_events
from ledger.event import Event
from ledger.hand.ending import CorrectionMade, RemarkNoted
from ledger.vocabulary import Millis, PlayerId, Role, Seat, TextRef
from projections.reports.event_text import EventDescriber

_MAX_STATEMENT_WIDTH: Final = 2000
"""Columns after which a printed statement is cut. JSON and evidence files contain the whole text."""

Labels: TypeAlias = dict[str, str]
"""Labels of hands and tables by stream id."""

_AWAITED_NAMES: Final[dict[str, str]] = {
    "reply": "a reply",
    "decision": "a decision",
    "footage": "footage",
    "notice": "a notice",
    "other": "something",
}
"""What a deadline is for, as a noun with its article."""
OUTCOME_LABELS: Final = {"partly-upheld": "partly upheld", "referred": "referred to somebody else"}


def format_time(millis: Millis | None) -> str:
    """Return a moment as `2026-01-02 20:00Z`, or "" for None.

    Midnight is left out: a date without a time is stored as midnight UTC.
    """
    if millis is None:
        return ""
    if not -62_135_596_800_000 < millis < 253_402_300_800_000:  # years 1 to 9999
        return "?"
    return datetime.fromtimestamp(millis / 1000, UTC).strftime("%Y-%m-%d %H:%MZ").removesuffix(" 00:00Z")


class CaseEventDescriber:
    """Describes the events of one case."""

    def __init__(self, event_describer: EventDescriber, labels: Labels, *, hides_digests: bool = False) -> None:
        """Create a describer for one case.

        `event_describer` knows the hands' players and money. `hides_digests` leaves out digests and fingerprints.
        """
        self.event_describer = event_describer
        self.labels = labels
        self.hides_digests = hides_digests

    def describe(self, event: Event) -> str:
        """Return one line that describes an event."""
        handler = HANDLERS.get(type(event))
        return handler(self, event) if handler else self.event_describer.describe(event)

    def quote(self, ref: TextRef) -> str:
        """Return a sanitized statement in quotes. It's longer than other text: a dispute turns on the exact words."""
        stated_words = self.event_describer.people.words(ref)
        return "(forgotten)" if stated_words is None else f"“{safe.terminal(stated_words, _MAX_STATEMENT_WIDTH)}”"

    def name_party(self, role: Role, person: PlayerId) -> str:
        """Return who acted: `the floor`, or `Maria (floor)` if the person is known."""
        role_name = "" if role == "unknown" else role.replace("-", " ")
        if not person:
            return f"the {role_name}" if role_name else "somebody"
        name = self.event_describer.name_person(person)
        return f"{name} ({role_name})" if role_name else name

    def name_hand(self, stream: str) -> str:
        """Return `hand 408`, or the beginning of its id if the hand isn't in this ledger."""
        return f"hand {self.labels.get(stream) or safe.terminal(stream, 12)}"

    def name_target(self, held_kind: str, target: str) -> str:
        """Return what a hold protects: `person Maria`, `hand 408`, `table T7`."""
        if held_kind == "hand":
            return self.name_hand(target)
        if held_kind == "person":
            return f"person {self.event_describer.name_person(target)}"
        if held_kind == "table":
            return f"table {self.labels.get(target) or safe.terminal(target, 12)}"
        return f"source {safe.terminal(target, 12)}"

    def name_seat(self, seat: Seat) -> str:
        """Return `seat 3 Mo`, or `seat 3` if nobody is known to sit there."""
        player = self.event_describer.players.get(seat)
        return f"seat {seat} {self.event_describer.name_person(player)}" if player else f"seat {seat}"


def format_span(first: int, last: int) -> str:
    """Return a span of a hand's events: `event 3`, `events 3 to 9`, or "" if both ends are 0: the whole hand."""
    if not first and not last:
        return ""
    return f"event {first}" if first == last else f"events {first} to {last}"


def _format_expiry(expires: Millis | None) -> str:
    return " as long as the case lasts" if expires is None else f" until {format_time(expires)}"


_CLAIM_TIMINGS: Final = {True: ", asked before the next deal", False: ", asked after the next deal", None: ""}
"""When a claim was made, by `CaseOpened.before_next_deal`."""


def _describe_opening(describer: CaseEventDescriber, event: case_events.CaseOpened) -> str:
    amount = "" if event.amount is None else f", {describer.event_describer.money(event.amount)} disputed"
    claim_timing = _CLAIM_TIMINGS[event.before_next_deal]
    claim = f": {describer.quote(event.claim)}" if event.claim else ""
    subject = f", about {event.subject}" if event.subject != "other" else ""
    return f"opened for {describer.name_party(event.by, event.person)}{subject}{amount}{claim_timing}{claim}"


def _describe_link(describer: CaseEventDescriber, event: case_events.CaseLinked) -> str:
    span_text = format_span(event.first, event.last)
    parts = [f"concerns {describer.name_hand(event.hand)}"]
    if span_text:
        parts.append(span_text)
    if event.ledger:
        table_name = f"{safe.terminal(event.tournament or event.venue, 60)} {safe.terminal(event.table, 40)}".strip()
        parts.append(f"of table {table_name}")
        parts.append(f"at position {event.position:,} of ledger {safe.terminal(event.ledger, 32)}")
        if not describer.hides_digests:
            parts.append(f"hash {safe.terminal(event.root, 64)}")
    return ", ".join(parts)


def _describe_statement(describer: CaseEventDescriber, event: case_events.StatementTaken) -> str:
    seat = f" in seat {event.seat}" if event.seat is not None else ""
    return f"{describer.name_party(event.by, event.person)}{seat} says: {describer.quote(event.words)}"


def _describe_evidence(describer: CaseEventDescriber, event: case_events.EvidenceAttached) -> str:
    parts = [f"{event.kind.replace('-', ' ')} attached"]
    if event.label:
        parts.append(describer.quote(event.label))
    if event.camera:
        parts.append(f"camera {safe.terminal(event.camera, 40)}")
    if event.starts is not None or event.ends is not None:
        parts.append(f"{format_time(event.starts) or '?'} to {format_time(event.ends) or '?'}")
    if event.expires is not None:
        parts.append(f"kept until {format_time(event.expires)}")
    if event.digest and not describer.hides_digests:
        parts.append(f"sha256 {safe.terminal(event.digest, 64)}")
    return ", ".join(parts)


def _describe_citation(describer: CaseEventDescriber, event: case_events.FindingCited) -> str:
    edition = f" ({safe.terminal(event.edition, 30)})" if event.edition else ""
    parts = [f"finding cited: {safe.terminal(event.book, 40)} {safe.terminal(event.clause, 40)}{edition}"]
    if event.hand:
        parts.append(f"in {describer.name_hand(event.hand)}")
    if not describer.hides_digests:
        parts.append(f"fingerprint {safe.terminal(event.fingerprint, 16)}")
    return ", ".join(parts)


def _describe_ruling(describer: CaseEventDescriber, event: case_events.RulingMade) -> str:
    clause = f", by {safe.terminal(event.book, 40)} {safe.terminal(event.clause, 40)}" if event.clause else ""
    return f"{describer.name_party(event.by, event.person)} rules{clause}: {describer.quote(event.decision)}"


def _describe_payment(describer: CaseEventDescriber, event: case_events.PaymentOrdered) -> str:
    """Return who receives or pays how much: `seat 3 Mo receives $5`."""
    money = describer.event_describer.money
    if event.seat is not None:
        party = describer.name_seat(event.seat)
    elif event.player:
        party = describer.event_describer.name_person(event.player)
    else:
        party = "the house"
    verb = "receives" if event.amount > 0 else "pays"
    unit = f" {safe.terminal(event.unit, 12)}" if event.unit != money.unit else ""
    return f"{party} {verb} {money(abs(event.amount))}{unit}"


def _describe_appeal(describer: CaseEventDescriber, event: case_events.RulingAppealed) -> str:
    authority = f" to {safe.terminal(event.to, 60)}" if event.to else ""
    return f"{describer.name_party(event.by, event.person)} appeals{authority}"


def _describe_notice(_: CaseEventDescriber, event: case_events.RegulatorNotified) -> str:
    reference = f", reference {safe.terminal(event.reference, 60)}" if event.reference else ""
    return f"{safe.terminal(event.authority, 80)} was told{reference}"


def _describe_correction(describer: CaseEventDescriber, event: CorrectionMade) -> str:
    noun = "event" if len(event.voids) == 1 else "events"
    numbers = ", ".join(map(str, event.voids))
    reason = f": {describer.quote(event.why)}" if event.why else ""
    return f"{describer.name_party(event.by, event.person)} voids {noun} {numbers}{reason}"


def _describe_reopening(describer: CaseEventDescriber, event: case_events.CaseReopened) -> str:
    return "taken up again" + (f": {describer.quote(event.why)}" if event.why else "")


HANDLERS: Final[dict[type, Callable[[CaseEventDescriber, Any], str]]] = {
    case_events.CaseOpened: _describe_opening,
    case_events.CaseLinked: _describe_link,
    case_events.StatementTaken: _describe_statement,
    case_events.EvidenceAttached: _describe_evidence,
    case_events.HoldPlaced: lambda describer, event: (
        f"{describer.name_target(event.what, event.target)} held{_format_expiry(event.until)}"
    ),
    case_events.HoldLifted: lambda describer, event: (
        f"hold on {describer.name_target(event.what, event.target)} lifted"
    ),
    case_events.FindingCited: _describe_citation,
    case_events.CaseAssigned: lambda describer, event: f"{describer.name_party(event.role, event.person)} works on it",
    case_events.DeadlineSet: lambda _, event: f"{name_awaited(event.what)} due by {format_time(event.due)}",
    case_events.RegulatorNotified: _describe_notice,
    case_events.RulingMade: _describe_ruling,
    case_events.PaymentOrdered: _describe_payment,
    case_events.RulingAppealed: _describe_appeal,
    case_events.CaseClosed: lambda _, event: f"closed: {OUTCOME_LABELS.get(event.outcome, event.outcome)}",
    case_events.CaseReopened: _describe_reopening,
    RemarkNoted: lambda describer, event: f"remark: {describer.quote(event.text)}",
    CorrectionMade: _describe_correction,
}
"""How each type of event in a case is described."""


def name_awaited(awaited: str) -> str:
    """Return what a deadline is for, as a noun with its article: `a ruling`, `footage`."""
    return _AWAITED_NAMES[awaited]
