"""The events of a case in plain words. Names and free text pass through `ledger.safe` here."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from ledger import safe
from ledger.case import events as case_events
from ledger.event import Event
from ledger.hand.ending import CorrectionMade, RemarkNoted
from ledger.vocabulary import Millis, PlayerId, Role, TextRef
from projections.reports.event_text import EventDescriber

_MAX_STATEMENT_WIDTH: Final = 2000
"""Columns of a statement that are shown; JSON and evidence carry the whole text."""

HandLabels = dict[str, str]
"""Labels of hands and tables by stream id."""

OUTCOME_LABELS: Final = {"partly-upheld": "partly upheld", "referred": "referred to somebody else"}


def format_time(millis: Millis | None) -> str:
    """Return a moment as `2026-01-02 20:00Z`; a day alone at its beginning."""
    if millis is None:
        return ""
    if not -62_135_596_800_000 < millis < 253_402_300_800_000:  # years 1 to 9999
        return "?"
    return datetime.fromtimestamp(millis / 1000, UTC).strftime("%Y-%m-%d %H:%MZ").removesuffix(" 00:00Z")


class CaseTeller:
    """Words the events of one case."""

    def __init__(self, teller: EventDescriber, hands: HandLabels, *, hides_digests: bool = False) -> None:
        """Take the names of seats and chips, and the labels of hands. `hides_digests` leaves out digests and fingerprints."""
        self.teller = teller
        self.hands = hands
        self.hides_digests = hides_digests

    def tell(self, event: Event) -> str:
        """Return one line for an event."""
        handler = HANDLERS.get(type(event))
        return handler(self, event) if handler else self.teller.describe(event)

    def quote(self, ref: TextRef) -> str:
        """Return a statement in quotes, safe to print and long enough for a dispute."""
        stated_words = self.teller.people.words(ref)
        return "(forgotten)" if stated_words is None else f"“{safe.terminal(stated_words, _MAX_STATEMENT_WIDTH)}”"

    def name_party(self, role: Role, person: PlayerId) -> str:
        """Return `the floor`, or `Maria (floor)`."""
        if not person:
            return "somebody" if role == "unknown" else f"the {role.replace('-', ' ')}"
        name = self.teller.name_person(person)
        return name if role == "unknown" else f"{name} ({role.replace('-', ' ')})"

    def hand(self, stream: str) -> str:
        """Return `hand 408`, or the start of the id if this ledger does not hold the hand."""
        return f"hand {self.hands.get(stream) or safe.terminal(stream, 12)}"

    def target(self, held_kind: str, target: str) -> str:
        """Return the noun for what a hold protects."""
        if held_kind == "hand":
            return self.hand(target)
        if held_kind == "person":
            return f"person {self.teller.name_person(target)}"
        if held_kind == "table":
            return f"table {self.hands.get(target) or safe.terminal(target, 12)}"
        return f"source {safe.terminal(target, 12)}"

    def payment(self, event: case_events.PaymentOrdered) -> str:
        """Return `seat 3 Mo receives $5`."""
        money = self.teller.money
        if event.seat is not None:
            name = self.teller.players.get(event.seat)
            party = f"seat {event.seat}" + (f" {self.teller.name_person(name)}" if name else "")
        else:
            party = self.teller.name_person(event.player) if event.player else "the house"
        unit = f" {safe.terminal(event.unit, 12)}" if event.unit != money.unit else ""
        return f"{party} {'receives' if event.amount > 0 else 'pays'} {money(abs(event.amount))}{unit}"


def format_span(first: int, last: int) -> str:
    """Return a span of a hand's events: `event 3`, `events 3 to 9`, or "" for all."""
    if not first and not last:
        return ""
    return f"event {first}" if first == last else f"events {first} to {last}"


def _format_expiry(expires: Millis | None) -> str:
    return " as long as the case lasts" if expires is None else f" until {format_time(expires)}"


def _tell_opening(teller: CaseTeller, event: case_events.CaseOpened) -> str:
    amount = "" if event.amount is None else f", {teller.teller.money(event.amount)} disputed"
    claim_timing = {True: ", asked before the next deal", False: ", asked after the next deal", None: ""}[
        event.before_next_deal
    ]
    claim = f": {teller.quote(event.claim)}" if event.claim else ""
    subject = "" if event.subject == "other" else f", about {event.subject}"
    return f"opened for {teller.name_party(event.by, event.person)}{subject}{amount}{claim_timing}{claim}"


def _tell_link(teller: CaseTeller, event: case_events.CaseLinked) -> str:
    span_text = format_span(event.first, event.last)
    linked_text = f"concerns {teller.hand(event.hand)}" + (f", {span_text}" if span_text else "")
    if not event.ledger:
        return linked_text
    place = f"{safe.terminal(event.tournament or event.venue, 60)} {safe.terminal(event.table, 40)}".strip()
    log_position = f"at position {event.position:,} of ledger {safe.terminal(event.ledger, 32)}"
    return f"{linked_text}, of table {place}, {log_position}" + (
        "" if teller.hides_digests else f", hash {safe.terminal(event.root, 64)}"
    )


def _tell_statement(teller: CaseTeller, event: case_events.StatementTaken) -> str:
    seat = f" in seat {event.seat}" if event.seat is not None else ""
    return f"{teller.name_party(event.by, event.person)}{seat} says: {teller.quote(event.words)}"


def _tell_evidence(teller: CaseTeller, event: case_events.EvidenceAttached) -> str:
    parts = [f"{event.kind.replace('-', ' ')} attached"]
    parts += [teller.quote(event.label)] if event.label else []
    parts += [f"camera {safe.terminal(event.camera, 40)}"] if event.camera else []
    if event.starts is not None or event.ends is not None:
        parts.append(f"{format_time(event.starts) or '?'} to {format_time(event.ends) or '?'}")
    parts += [f"kept until {format_time(event.expires)}"] if event.expires is not None else []
    parts += [f"sha256 {safe.terminal(event.digest, 64)}"] if event.digest and not teller.hides_digests else []
    return ", ".join(parts)


def _tell_citation(teller: CaseTeller, event: case_events.FindingCited) -> str:
    edition = f" ({safe.terminal(event.edition, 30)})" if event.edition else ""
    citation = f"{safe.terminal(event.book, 40)} {safe.terminal(event.clause, 40)}{edition}"
    citation += f", in {teller.hand(event.hand)}" if event.hand else ""
    return f"finding cited: {citation}" + (
        "" if teller.hides_digests else f", fingerprint {safe.terminal(event.fingerprint, 16)}"
    )


def _tell_ruling(teller: CaseTeller, event: case_events.RulingMade) -> str:
    clause = f", by {safe.terminal(event.book, 40)} {safe.terminal(event.clause, 40)}" if event.clause else ""
    return f"{teller.name_party(event.by, event.person)} rules{clause}: {teller.quote(event.decision)}"


def _tell_appeal(teller: CaseTeller, event: case_events.RulingAppealed) -> str:
    authority = f" to {safe.terminal(event.to, 60)}" if event.to else ""
    return f"{teller.name_party(event.by, event.person)} appeals{authority}"


def _tell_notice(_: CaseTeller, event: case_events.RegulatorNotified) -> str:
    reference = f", reference {safe.terminal(event.reference, 60)}" if event.reference else ""
    return f"{safe.terminal(event.authority, 80)} was told{reference}"


def _tell_correction(teller: CaseTeller, event: CorrectionMade) -> str:
    numbers = ", ".join(map(str, event.voids))
    reason = f": {teller.quote(event.why)}" if event.why else ""
    return f"{teller.name_party(event.by, event.person)} voids event{'s' * (len(event.voids) != 1)} {numbers}{reason}"


def _tell_reopening(teller: CaseTeller, event: case_events.CaseReopened) -> str:
    return "taken up again" + (f": {teller.quote(event.why)}" if event.why else "")


HANDLERS: Final[dict[type, Callable[[CaseTeller, Any], str]]] = {
    case_events.CaseOpened: _tell_opening,
    case_events.CaseLinked: _tell_link,
    case_events.StatementTaken: _tell_statement,
    case_events.EvidenceAttached: _tell_evidence,
    case_events.HoldPlaced: lambda teller, event: (
        f"{teller.target(event.what, event.target)} held{_format_expiry(event.until)}"
    ),
    case_events.HoldLifted: lambda teller, event: f"{teller.target(event.what, event.target)} held no more",
    case_events.FindingCited: _tell_citation,
    case_events.CaseAssigned: lambda teller, event: f"{teller.name_party(event.role, event.person)} works on it",
    case_events.DeadlineSet: lambda _, event: f"{due_noun(event.what)} due by {format_time(event.due)}",
    case_events.RegulatorNotified: _tell_notice,
    case_events.RulingMade: _tell_ruling,
    case_events.PaymentOrdered: lambda teller, event: teller.payment(event),
    case_events.RulingAppealed: _tell_appeal,
    case_events.CaseClosed: lambda _, event: f"closed: {OUTCOME_LABELS.get(event.outcome, event.outcome)}",
    case_events.CaseReopened: _tell_reopening,
    RemarkNoted: lambda teller, event: f"remark: {teller.quote(event.text)}",
    CorrectionMade: _tell_correction,
}
"""The wording of each event of a case."""


def due_noun(awaited: str) -> str:
    """Return the noun for what is due, with its article."""
    return "something" if awaited == "other" else "footage" if awaited == "footage" else f"a {awaited}"
