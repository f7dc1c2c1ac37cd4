"""The events of a case in plain words. Names and free text pass through `ledger.safe` here."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from ledger import safe
from ledger.case import events as c
from ledger.event import Event
from ledger.hand.ending import CorrectionMade, RemarkNoted
from ledger.vocabulary import Millis, PlayerId, Role, TextRef
from projections.reports.event_text import Teller

_WORDS_MOST: Final = 2000
"""Columns of a statement that are shown; in JSON and in evidence all of it stands."""

Hands = dict[str, str]
"""Ids of hands → what to call them."""

OUTCOMES: Final = {"partly-upheld": "partly upheld", "referred": "referred to somebody else"}


def time(at: Millis | None) -> str:
    """Return a moment as `2026-01-02 20:00Z`; a day alone at its beginning."""
    if at is None:
        return ""
    if not -62_135_596_800_000 < at < 253_402_300_800_000:  # years 1 to 9999
        return "?"
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%MZ").removesuffix(" 00:00Z")


class CaseTeller:
    """Tells the events of one case."""

    def __init__(self, teller: Teller, hands: Hands, *, plain: bool = False) -> None:
        """Take who sits where and what chips are worth, and what to call the hands. `plain`: no digests."""
        self.teller = teller
        self.hands = hands
        self.plain = plain

    def tell(self, event: Event) -> str:
        """Return one line that says what was done."""
        teller = HANDLERS.get(type(event))
        return teller(self, event) if teller else self.teller.tell(event)

    def words(self, ref: TextRef) -> str:
        """Return what somebody said, harmless and in quotes: in a dispute, the whole of it."""
        found = self.teller.people.words(ref)
        return "(forgotten)" if found is None else f"“{safe.terminal(found, _WORDS_MOST)}”"

    def who(self, role: Role, person: PlayerId) -> str:
        """Return `the floor`, or `Maria (floor)`."""
        if not person:
            return "somebody" if role == "unknown" else f"the {role.replace('-', ' ')}"
        name = self.teller.person(person)
        return name if role == "unknown" else f"{name} ({role.replace('-', ' ')})"

    def hand(self, stream: str) -> str:
        """Return `hand 408`, or the beginning of an id that this ledger does not know."""
        return f"hand {self.hands.get(stream) or safe.terminal(stream, 12)}"

    def target(self, what: str, target: str) -> str:
        """Return what a hold is about."""
        if what == "hand":
            return self.hand(target)
        if what == "person":
            return f"person {self.teller.person(target)}"
        if what == "table":
            return f"table {self.hands.get(target) or safe.terminal(target, 12)}"
        return f"source {safe.terminal(target, 12)}"

    def payment(self, event: c.PaymentOrdered) -> str:
        """Return `seat 3 Mo receives $5`."""
        money = self.teller.money
        if event.seat is not None:
            name = self.teller.players.get(event.seat)
            party = f"seat {event.seat}" + (f" {self.teller.person(name)}" if name else "")
        else:
            party = self.teller.person(event.player) if event.player else "the house"
        unit = f" {safe.terminal(event.unit, 12)}" if event.unit != money.unit else ""
        return f"{party} {'receives' if event.amount > 0 else 'pays'} {money(abs(event.amount))}{unit}"


def span(first: int, last: int) -> str:
    """Return which events of a hand are meant: `event 3`, `events 3 to 9`, or nothing for all."""
    if not first and not last:
        return ""
    return f"event {first}" if first == last else f"events {first} to {last}"


def _until(at: Millis | None) -> str:
    return " as long as the case lasts" if at is None else f" until {time(at)}"


def _opened(t: CaseTeller, x: c.CaseOpened) -> str:
    amount = "" if x.amount is None else f", {t.teller.money(x.amount)} disputed"
    asked = {True: ", asked before the next deal", False: ", asked after the next deal", None: ""}[x.before_next_deal]
    claim = f": {t.words(x.claim)}" if x.claim else ""
    about = "" if x.subject == "other" else f", about {x.subject}"
    return f"opened for {t.who(x.by, x.person)}{about}{amount}{asked}{claim}"


def _linked(t: CaseTeller, x: c.CaseLinked) -> str:
    which = span(x.first, x.last)
    told = f"concerns {t.hand(x.hand)}" + (f", {which}" if which else "")
    if not x.ledger:
        return told
    place = f"{safe.terminal(x.tournament or x.venue, 60)} {safe.terminal(x.table, 40)}".strip()
    where = f"at position {x.position:,} of ledger {safe.terminal(x.ledger, 32)}"
    return f"{told}, of table {place}, {where}" + ("" if t.plain else f", hash {safe.terminal(x.root, 64)}")


def _statement(t: CaseTeller, x: c.StatementTaken) -> str:
    seat = f" in seat {x.seat}" if x.seat is not None else ""
    return f"{t.who(x.by, x.person)}{seat} says: {t.words(x.words)}"


def _evidence(t: CaseTeller, x: c.EvidenceAttached) -> str:
    parts = [f"{x.kind.replace('-', ' ')} attached"]
    parts += [t.words(x.label)] if x.label else []
    parts += [f"camera {safe.terminal(x.camera, 40)}"] if x.camera else []
    if x.starts is not None or x.ends is not None:
        parts.append(f"{time(x.starts) or '?'} to {time(x.ends) or '?'}")
    parts += [f"kept until {time(x.expires)}"] if x.expires is not None else []
    parts += [f"sha256 {safe.terminal(x.digest, 64)}"] if x.digest and not t.plain else []
    return ", ".join(parts)


def _cited(t: CaseTeller, x: c.FindingCited) -> str:
    edition = f" ({safe.terminal(x.edition, 30)})" if x.edition else ""
    said = f"{safe.terminal(x.book, 40)} {safe.terminal(x.clause, 40)}{edition}"
    said += f", in {t.hand(x.hand)}" if x.hand else ""
    return f"finding cited: {said}" + ("" if t.plain else f", fingerprint {safe.terminal(x.fingerprint, 16)}")


def _ruling(t: CaseTeller, x: c.RulingMade) -> str:
    clause = f", by {safe.terminal(x.book, 40)} {safe.terminal(x.clause, 40)}" if x.clause else ""
    return f"{t.who(x.by, x.person)} rules{clause}: {t.words(x.decision)}"


def _appealed(t: CaseTeller, x: c.RulingAppealed) -> str:
    place = f" to {safe.terminal(x.to, 60)}" if x.to else ""
    return f"{t.who(x.by, x.person)} appeals{place}"


def _notified(_: CaseTeller, x: c.RegulatorNotified) -> str:
    mark = f", reference {safe.terminal(x.reference, 60)}" if x.reference else ""
    return f"{safe.terminal(x.authority, 80)} was told{mark}"


def _corrected(t: CaseTeller, x: CorrectionMade) -> str:
    numbers = ", ".join(map(str, x.voids))
    why = f": {t.words(x.why)}" if x.why else ""
    return f"{t.who(x.by, x.person)} voids event{'s' * (len(x.voids) != 1)} {numbers}{why}"


def _reopened(t: CaseTeller, x: c.CaseReopened) -> str:
    return "taken up again" + (f": {t.words(x.why)}" if x.why else "")


HANDLERS: Final[dict[type, Callable[[CaseTeller, Any], str]]] = {
    c.CaseOpened: _opened,
    c.CaseLinked: _linked,
    c.StatementTaken: _statement,
    c.EvidenceAttached: _evidence,
    c.HoldPlaced: lambda t, x: f"{t.target(x.what, x.target)} held{_until(x.until)}",
    c.HoldLifted: lambda t, x: f"{t.target(x.what, x.target)} held no more",
    c.FindingCited: _cited,
    c.CaseAssigned: lambda t, x: f"{t.who(x.role, x.person)} works on it",
    c.DeadlineSet: lambda _, x: f"{due_word(x.what)} due by {time(x.due)}",
    c.RegulatorNotified: _notified,
    c.RulingMade: _ruling,
    c.PaymentOrdered: lambda t, x: t.payment(x),
    c.RulingAppealed: _appealed,
    c.CaseClosed: lambda _, x: f"closed: {OUTCOMES.get(x.outcome, x.outcome)}",
    c.CaseReopened: _reopened,
    RemarkNoted: lambda t, x: f"remark: {t.words(x.text)}",
    CorrectionMade: _corrected,
}
"""How each event of a case is told."""


def due_word(what: str) -> str:
    """Return what is due, with its article."""
    return "something" if what == "other" else "footage" if what == "footage" else f"a {what}"
