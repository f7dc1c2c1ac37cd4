"""What can be done to a case, as events: the one place that says so, whoever asks, a command or a page.

Each deed takes what somebody said as it was typed, and raises what is wrong with it as our own errors. What
may follow what is the matter of `ledger.case.rules`; the deeds only say what the words mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ledger.case import events as c
from ledger.case.rules import voided
from ledger.errors import NothingFoundError, UsageError
from ledger.hand.ending import CorrectionMade, RemarkNoted
from ledger.store import cases
from projections.addresses import hand_address
from projections.addresses.room_days import parse_moment
from projections.cases import claims

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.case.state import CaseState
    from ledger.event import Event
    from ledger.store import HandRow, Ledger
    from ledger.store.cases import Case
    from ledger.vocabulary import PlayerId, Role, Seat
    from projections.cases.claims import Linked

Named: TypeAlias = Callable[[str], str]
"""What a thing that can be said is called where it is said: `person` is --person to a command, "Who" in a form."""


class At:
    """A case at the moment at which something is added to it."""

    def __init__(self, ledger: Ledger, case: Case, named: Named) -> None:
        """Take the case as it stands, and what things are called where they are said."""
        self.ledger = ledger
        self.case = case
        self.named = named
        self.new: list[str] = []  # names that this ledger did not know
        self.notes: list[str] = []  # what whoever does it should know

    @property
    def state(self) -> CaseState:
        """How it stands."""
        return self.case.state

    @property
    def venue(self) -> str:
        """In which room it is; "" = not told."""
        return self.state.opening.venue if self.state.opening else ""

    @cached_property
    def rows(self) -> list[HandRow]:
        """The hands that it concerns, as far as this ledger holds them."""
        return claims.rows_of(self.ledger, self.state)

    def nameless(self, told: str, what: str) -> str:
        """Return words that can never be erased; `UsageError` if they name a person."""
        return claims.nameless(self.ledger, told, self.named(what), self.rows) if told else ""

    def person(self, name: str) -> PlayerId:
        """Return whom a name means; somebody unknown is known from now on."""
        who, new = claims.person(self.ledger, name, self.venue, self.rows)
        self.new += [name] if new and name not in self.new else []
        return who

    def until(self, told: str | None, days: int | None, what: str) -> int | None:
        """Return the moment that a day, a time or a number of days from now means."""
        return claims.until(self.ledger, told, days, self.named(what))


Deed: TypeAlias = Callable[[At], "Sequence[Event]"]
"""Decides what is added to a case in view of it."""


class Added(NamedTuple):
    """A case after something was added to it: behind which event, with what to say of it."""

    case: Case
    after: int
    new: list[str]  # names that this ledger did not know
    notes: list[str]


def add(ledger: Ledger, number: str, deed: Deed, named: Named) -> Added:
    """Add to the case of that number what a deed decides; `CaseError` if it contradicts what is there."""
    seen: list[At] = []

    def decided(case: Case) -> Sequence[Event]:
        seen.append(At(ledger, case, named))
        return deed(seen[-1])

    case = cases.add(ledger, number, decided)
    last = seen[-1]
    return Added(case, len(last.case.entries), last.new, last.notes)


# opening


class Claim(NamedTuple):
    """What is said when a case is opened."""

    claim: str
    by: Role
    person: str = ""
    subject: c.CaseSubject = "other"
    amount: str = ""
    venue: str = ""
    table: str = ""
    before_next_deal: bool | None = None
    hold: bool = False
    number: str = ""


def opened(ledger: Ledger, said: Claim, hands: Iterable[str], named: Named, lake: Path | None = None) -> Added:
    """Open a case about hands, of the ledger or of a lake of another, or about a table."""
    linked = [_hand(ledger, told, lake) for told in dict.fromkeys(hands)]
    if not linked and not said.table:
        raise UsageError("a case about what?", f"Name a hand, T7/408 or T7/408@17-20, or say {named('table')}.")
    rows = [one.row for one in linked]
    claims.same_money(ledger, None, rows)
    claims.nameless(ledger, said.number, named("number"), rows)
    venue, table = _place(ledger, rows, said, named)
    money = claims.money_at(ledger, rows, venue, table)
    amount = claims.chips(said.amount, money, what=named("amount")) if said.amount else None
    who, new = claims.person(ledger, said.person, venue, rows)
    begun = c.CaseOpened(
        said.number,
        said.subject,
        said.by,
        who,
        venue,
        table,
        ledger.people.text(said.claim),
        amount,
        money.unit if amount is not None and money else "",
        rows[0].started if rows else None,
        said.before_next_deal,
    )
    more: list[Event] = [one.event for one in linked]
    if said.hold and lake is not None:
        raise UsageError("a hold keeps names of this ledger, and the hands of a lake are another's", "Hold them there.")
    streams = dict.fromkeys(row.stream.hex for row in rows)
    more += [c.HoldPlaced("hand", stream) for stream in streams] if said.hold else []
    return Added(cases.open_case(ledger, begun, more, said.number), 0, [said.person] if new else [], [])


def _hand(ledger: Ledger, told: str, lake: Path | None) -> Linked:
    if lake is None:
        return claims.hand(ledger, told)
    from projections.cases import lake_hands  # noqa: PLC0415 - few cases are about hands of a lake

    return lake_hands.hand_of(ledger, lake, told)


def _place(ledger: Ledger, rows: list[HandRow], said: Claim, named: Named) -> tuple[str, str]:
    """Return room and table: as told, or as this ledger knows them."""
    if rows:
        return said.venue or rows[0].venue, said.table or rows[0].table
    try:
        row = hand_address.find_table(ledger, said.table)
    except NothingFoundError:  # a table of which no hand was ever recorded may have a case too
        venue = claims.nameless(ledger, said.venue, named("venue"), rows)
        return venue, claims.nameless(ledger, said.table, named("table"), rows)
    return said.venue or row.venue, row.table


# what is told of it


def statement(at: At, words: str, by: Role, person: str = "", seat: Seat | None = None) -> list[Event]:
    """Take what somebody saw or wants."""
    return [c.StatementTaken(by, at.person(person), at.ledger.people.text(words), seat)]


def remark(at: At, words: str) -> list[Event]:
    """Note something as the case's keeper."""
    return [RemarkNoted(at.ledger.people.text(words))]


def link(at: At, hands: Iterable[str], lake: Path | None = None) -> list[Event]:
    """Say that the case concerns further hands, or spans of their events."""
    found = [_hand(at.ledger, told, lake) for told in dict.fromkeys(hands)]
    claims.same_money(at.ledger, claims.money_of(at.ledger, at.state), [one.row for one in found])
    return [one.event for one in found]


class Evidence(NamedTuple):
    """What is put to a case. `digest`: the SHA-256 of a file, hex, "" = no file. `label`: what to call it."""

    kind: c.EvidenceKind
    digest: str = ""
    label: str = ""
    camera: str = ""
    starts: str | None = None
    ends: str | None = None
    kept_until: str | None = None


def attach(at: At, told: Evidence) -> list[Event]:
    """Put something to the case; of a file only the digest is written down."""
    return [
        c.EvidenceAttached(
            told.kind,
            told.digest,
            at.ledger.people.text(told.label),
            at.nameless(told.camera, "camera"),
            parse_moment(told.starts, at.named("from")),
            parse_moment(told.ends, at.named("to")),
            at.until(told.kept_until, None, "kept-until"),
        )
    ]


def cite(at: At, fingerprint: str, books: list[str], lake: Path | None = None) -> list[Event]:
    """Take a finding into the case that audit gives in a hand of it, or in one of it that lies in a lake."""
    if lake is not None:
        from projections.cases import lake_hands  # noqa: PLC0415 - as above

        return [lake_hands.finding(at.state, lake, fingerprint, books)]
    return [claims.finding(at.ledger, fingerprint, at.rows, books)]


def due(at: At, when: str | None, days: int | None, what: c.Awaited) -> list[Event]:
    """Say what is due by a time."""
    by = at.until(when, days, "time")
    if by is None:
        raise UsageError("due by when?", f"Say a day, 2026-12-07, or {at.named('days')} 10.")
    return [c.DeadlineSet(by, what)]


def hold(at: At, what: c.Held, target: str, until: str | None = None, days: int | None = None) -> list[Event]:
    """Keep a person, or everybody in a hand, at a table or in a source, from being erased."""
    found = claims.target(at.ledger, what, target, at.rows, at.venue)
    return [c.HoldPlaced(what, found, at.until(until, days, "until"))]


def lift(at: At, what: c.Held, target: str) -> list[Event]:
    """End a hold."""
    found = claims.target(at.ledger, what, target, at.rows, at.venue)
    return [c.HoldLifted(what, found)]


def assign(at: At, person: str, role: Role) -> list[Event]:
    """Say who works on it."""
    return [c.CaseAssigned(at.person(person), role)]


def notify(at: At, authority: str, reference: str = "") -> list[Event]:
    """Write down that a regulator was told."""
    return [c.RegulatorNotified(at.nameless(authority, "authority"), at.nameless(reference, "reference"))]


# the ruling, and after


class Decision(NamedTuple):
    """A ruling as it is told. `payments`: party and amount; what they lack to zero, the house pays, if so told."""

    decision: str
    by: Role
    person: str = ""
    clause: str = ""
    book: str = ""
    payments: Sequence[tuple[str, str]] = ()
    house_pays: bool = False


def rule(at: At, told: Decision) -> list[Event]:
    """Decide with authority; the ruling moves chips."""
    cited = claims.clause(at.ledger, told.clause, told.book)
    if told.house_pays and not told.payments:
        raise UsageError("the house pays whom?", "Say who receives: --pay 3=15 --house-pays.")
    ruling = c.RulingMade(told.by, at.person(told.person), at.ledger.people.text(told.decision), *cited)
    return [ruling, *_payments(at, told)]


def _payments(at: At, told: Decision) -> list[Event]:
    money = claims.money_of(at.ledger, at.state) if told.payments else None
    unit = money.unit if money else ""
    found: list[c.PaymentOrdered] = []
    for party, amount in told.payments:
        chips = claims.chips(amount, money, what=at.named("pay"))
        if party == "house":
            found.append(c.PaymentOrdered(chips, unit, house=True))
        elif re.fullmatch(r"[0-9]{1,2}", party):
            seat = claims.seat(at.ledger, int(party), at.rows)
            if chips < 0 and not claims.had_part(at.ledger, seat, at.rows):
                at.notes.append(
                    f"seat {seat} had no chips in the pot and won none; the ruling takes them all the same."
                )
            found.append(c.PaymentOrdered(chips, unit, seat=seat))
        else:
            who = claims.target(at.ledger, "person", party, at.rows, at.venue)
            found.append(c.PaymentOrdered(chips, unit, who))
    rest = sum(one.amount for one in found)
    if told.house_pays and rest:
        found.append(c.PaymentOrdered(-rest, unit, house=True))
    return [*found]


def appeal(at: At, by: Role, person: str = "", to: str = "") -> list[Event]:
    """Take the ruling to a higher place."""
    return [c.RulingAppealed(by, at.person(person), at.nameless(to, "to"))]


def close(_: At, outcome: c.CaseOutcome) -> list[Event]:
    """End the case."""
    return [c.CaseClosed(outcome)]


def reopen(at: At, why: str) -> list[Event]:
    """Take a closed case up again."""
    return [c.CaseReopened(at.ledger.people.text(why))]


def void(at: At, events: Iterable[int], why: str, by: Role = "unknown", person: str = "") -> list[Event]:
    """Void what was written down wrongly; with a ruling go its payments."""
    gone = voided(at.state, events, at.case.events)
    return [CorrectionMade(gone, len(at.case.entries), 0, by, at.person(person), at.ledger.people.text(why))]
