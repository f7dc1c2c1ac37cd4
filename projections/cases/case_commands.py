"""The actions on a case, shared by commands and pages. Each one turns typed input into events to append.

Bad input raises one of the project's errors. Whether an event may follow the earlier ones is decided in
`ledger.case.rules`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ledger.case import case_errors
from ledger.case import events as case_events
from ledger.case.rules import find_versions_to_void
from ledger.errors import NothingFoundError
from ledger.hand.ending import CorrectionMade, RemarkNoted
from ledger.store.requests import case_streams
from projections.addresses import hand_address
from projections.addresses.room_days import parse_moment
from projections.cases.case_hands import find_case_rows, resolve_hand
from projections.cases.case_money import find_case_money, find_opening_money, parse_chips, require_same_money
from projections.cases.case_people import had_chips_in_pot, require_no_names, require_seat, resolve_person
from projections.cases.cited_findings import build_citation, resolve_clause
from projections.cases.deadlines import parse_deadline
from projections.cases.hold_targets import resolve_target

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.case.state import CaseState
    from ledger.event import Event
    from ledger.store import HandRow, Ledger
    from ledger.store.requests.case_streams import Case
    from ledger.vocabulary import PlayerId, Role, Seat
    from projections.cases.case_hands import HandLink

OptionNames: TypeAlias = Callable[[str], str]
"""Returns an option's label for error messages: `person` is --person on a command line and "Who" in a form."""


class CaseEdit:
    """A case to which an action adds events, with helpers that read typed input."""

    def __init__(self, ledger: Ledger, case: Case, option_names: OptionNames) -> None:
        """Start an edit of a case. `option_names` labels the options in error messages."""
        self.ledger = ledger
        self.case = case
        self.option_names = option_names
        self.new_names: list[str] = []  # typed names that this ledger didn't know
        self.notes: list[str] = []  # remarks for the user who makes the edit

    @property
    def state(self) -> CaseState:
        """The state of the case before the edit."""
        return self.case.state

    @property
    def venue(self) -> str:
        """The case's room, or "" if it is unknown."""
        return self.state.opening.venue if self.state.opening else ""

    @cached_property
    def rows(self) -> list[HandRow]:
        """The hands of the case that are in this ledger."""
        return find_case_rows(self.ledger, self.state)

    def require_no_names(self, text: str, option: str) -> str:
        """Return text that goes into an event, which can't be erased; `UsageError` if it names a person."""
        return require_no_names(self.ledger, text, self.option_names(option), self.rows) if text else ""

    def resolve_player(self, name: str) -> PlayerId:
        """Return the player with a name; register a name that is new."""
        player, is_new = resolve_person(self.ledger, name, self.venue, self.rows)
        if is_new and name not in self.new_names:
            self.new_names.append(name)
        return player

    def parse_deadline(self, stated_time: str | None, days: int | None, option: str) -> int | None:
        """Return the deadline (ms since 1970) for a day, a time or a number of days from now, or None if none is given."""
        return parse_deadline(self.ledger, stated_time, days, self.option_names(option))


CaseAction: TypeAlias = Callable[[CaseEdit], "Sequence[Event]"]
"""Returns the events to add to a case."""


class CaseChange(NamedTuple):
    """A case after an edit."""

    case: Case
    last_version: int  # version of the last event before the edit; 0 if the edit opened the case
    new_names: list[str]  # typed names that this ledger didn't know
    notes: list[str]  # remarks for the user who made the edit


def add_to_case(ledger: Ledger, number: str, action: CaseAction, option_names: OptionNames) -> CaseChange:
    """Add an action's events to a case; `CaseError` if they can't follow the earlier ones.

    If somebody else adds to the case at the same moment, the action runs again.
    """
    edits: list[CaseEdit] = []

    def decide_events(case: Case) -> Sequence[Event]:
        edits.append(CaseEdit(ledger, case, option_names))
        return action(edits[-1])

    case = case_streams.add_to_case(ledger, number, decide_events)
    latest_edit = edits[-1]
    return CaseChange(case, len(latest_edit.case.entries), latest_edit.new_names, latest_edit.notes)


# Open a case


class CaseClaim(NamedTuple):
    """The input for opening a case, as typed. What wasn't given is empty."""

    claim: str
    role: Role
    person: str = ""
    subject: case_events.CaseSubject = "other"
    amount: str = ""
    venue: str = ""
    table: str = ""
    before_next_deal: bool | None = None  # whether the claim came before the next deal; None = unknown
    hold: bool = False
    number: str = ""


def open_case(
    ledger: Ledger, claim: CaseClaim, addresses: Iterable[str], option_names: OptionNames, lake: Path | None = None
) -> CaseChange:
    """Open a case about a table or about hands. With `lake`, the hands are those of another ledger's lake."""
    hand_links = [_resolve_hand(ledger, address, lake) for address in dict.fromkeys(addresses)]
    if not hand_links and not claim.table:
        raise case_errors.no_subject(option_names("table"))
    rows = [hand_link.row for hand_link in hand_links]
    require_same_money(ledger, None, rows)
    require_no_names(ledger, claim.number, option_names("number"), rows)
    venue, table = _resolve_table(ledger, rows, claim, option_names)
    money = find_opening_money(ledger, rows, venue, table)
    amount = parse_chips(claim.amount, money, option=option_names("amount")) if claim.amount else None
    player, is_new = resolve_person(ledger, claim.person, venue, rows)
    opening = case_events.CaseOpened(
        number=claim.number,
        subject=claim.subject,
        by=claim.role,
        person=player,
        venue=venue,
        table=table,
        claim=ledger.people.text(claim.claim),
        amount=amount,
        unit=money.unit if amount is not None and money else "",
        occurred=rows[0].started if rows else None,
        before_next_deal=claim.before_next_deal,
    )
    if claim.hold and lake is not None:
        raise case_errors.hold_in_lake()
    linked_events = [*(hand_link.event for hand_link in hand_links), *(_place_holds(rows) if claim.hold else ())]
    case = case_streams.open_case(ledger, opening, linked_events, claim.number)
    return CaseChange(case, 0, [claim.person] if is_new else [], [])


def _place_holds(rows: list[HandRow]) -> list[case_events.HoldPlaced]:
    """Return a hold on each of the hands."""
    return [case_events.HoldPlaced("hand", stream) for stream in dict.fromkeys(row.stream.hex for row in rows)]


def _resolve_hand(ledger: Ledger, address: str, lake: Path | None) -> HandLink:
    if lake is None:
        return resolve_hand(ledger, address)
    from projections.cases import lake_hands  # noqa: PLC0415 - few cases are about hands of a lake

    return lake_hands.resolve_lake_hand(ledger, lake, address)


def _resolve_table(ledger: Ledger, rows: list[HandRow], claim: CaseClaim, option_names: OptionNames) -> tuple[str, str]:
    """Return the room and table as typed, or as this ledger spells them."""
    if rows:
        return claim.venue or rows[0].venue, claim.table or rows[0].table
    try:
        row = hand_address.find_table(ledger, claim.table)
    except NothingFoundError:  # a table without recorded hands may have a case too
        venue = require_no_names(ledger, claim.venue, option_names("venue"), rows)
        return venue, require_no_names(ledger, claim.table, option_names("table"), rows)
    return claim.venue or row.venue, row.table


# Add statements and evidence


def take_statement(
    case_edit: CaseEdit, words: str, role: Role, person: str = "", seat: Seat | None = None
) -> list[Event]:
    """Record what somebody saw or wants."""
    return [
        case_events.StatementTaken(role, case_edit.resolve_player(person), case_edit.ledger.people.text(words), seat)
    ]


def add_remark(case_edit: CaseEdit, words: str) -> list[Event]:
    """Add a remark by the person who handles the case."""
    return [RemarkNoted(case_edit.ledger.people.text(words))]


def link_hands(case_edit: CaseEdit, addresses: Iterable[str], lake: Path | None = None) -> list[Event]:
    """Link more hands, or parts of hands."""
    hand_links = [_resolve_hand(case_edit.ledger, address, lake) for address in dict.fromkeys(addresses)]
    require_same_money(
        case_edit.ledger,
        find_case_money(case_edit.ledger, case_edit.state),
        [hand_link.row for hand_link in hand_links],
    )
    return [hand_link.event for hand_link in hand_links]


class CaseEvidence(NamedTuple):
    """Evidence to attach, with times as typed."""

    kind: case_events.EvidenceKind
    digest: str = ""  # SHA-256 of a file, hex; empty without a file
    label: str = ""  # name of the file, or where the evidence is kept
    camera: str = ""
    starts: str | None = None
    ends: str | None = None
    retention_date: str | None = None


def attach_evidence(case_edit: CaseEdit, evidence: CaseEvidence) -> list[Event]:
    """Attach evidence. Only the digest of a file is recorded."""
    return [
        case_events.EvidenceAttached(
            kind=evidence.kind,
            digest=evidence.digest,
            label=case_edit.ledger.people.text(evidence.label),
            camera=case_edit.require_no_names(evidence.camera, "camera"),
            starts=parse_moment(evidence.starts, case_edit.option_names("from")),
            ends=parse_moment(evidence.ends, case_edit.option_names("to")),
            expires=case_edit.parse_deadline(evidence.retention_date, None, "kept-until"),
        )
    ]


def cite_finding(case_edit: CaseEdit, fingerprint: str, books: list[str], lake: Path | None = None) -> list[Event]:
    """Cite a finding in a hand of the case, here or in a lake."""
    if lake is not None:
        from projections.cases import lake_hands  # noqa: PLC0415 - few cases are about hands of a lake

        return [lake_hands.cite_lake_finding(case_edit.state, lake, fingerprint, books)]
    return [build_citation(case_edit.ledger, fingerprint, case_edit.rows, books)]


def set_deadline(
    case_edit: CaseEdit, stated_time: str | None, days: int | None, awaited: case_events.Awaited
) -> list[Event]:
    """Set a deadline for what the case waits for; `UsageError` without a time."""
    deadline = case_edit.parse_deadline(stated_time, days, "time")
    if deadline is None:
        raise case_errors.deadline_missing(case_edit.option_names("days"))
    return [case_events.DeadlineSet(deadline, awaited)]


def place_hold(
    case_edit: CaseEdit,
    held_kind: case_events.HoldTarget,
    target: str,
    expires: str | None = None,
    days: int | None = None,
) -> list[Event]:
    """Protect a person from being erased, or everybody in a hand, at a table, or in a source."""
    target_id = resolve_target(case_edit.ledger, held_kind, target, case_edit.rows, case_edit.venue)
    return [case_events.HoldPlaced(held_kind, target_id, case_edit.parse_deadline(expires, days, "until"))]


def lift_hold(case_edit: CaseEdit, held_kind: case_events.HoldTarget, target: str) -> list[Event]:
    """Lift a hold, so that names may be erased again."""
    target_id = resolve_target(case_edit.ledger, held_kind, target, case_edit.rows, case_edit.venue)
    return [case_events.HoldLifted(held_kind, target_id)]


def assign_person(case_edit: CaseEdit, person: str, role: Role) -> list[Event]:
    """Assign somebody to the case."""
    return [case_events.CaseAssigned(case_edit.resolve_player(person), role)]


def record_notice(case_edit: CaseEdit, authority: str, reference: str = "") -> list[Event]:
    """Record that a regulator was notified."""
    return [
        case_events.RegulatorNotified(
            case_edit.require_no_names(authority, "authority"), case_edit.require_no_names(reference, "reference")
        )
    ]


# Rule, appeal, close, correct


class CaseDecision(NamedTuple):
    """The input for a ruling, as typed. What wasn't given is empty."""

    decision: str
    role: Role
    person: str = ""
    clause: str = ""
    book: str = ""
    payments: Sequence[tuple[str, str]] = ()  # party ("house", a seat or a name) and amount
    house_pays: bool = False  # the house pays the difference, so that the payments add up to zero


def make_ruling(case_edit: CaseEdit, decision: CaseDecision) -> list[Event]:
    """Rule on the case and order its payments."""
    clause, book = resolve_clause(case_edit.ledger, decision.clause, decision.book)
    if decision.house_pays and not decision.payments:
        raise case_errors.house_pays_nobody()
    ruling = case_events.RulingMade(
        by=decision.role,
        person=case_edit.resolve_player(decision.person),
        decision=case_edit.ledger.people.text(decision.decision),
        clause=clause,
        book=book,
    )
    return [ruling, *_order_payments(case_edit, decision)]


def _order_payments(case_edit: CaseEdit, decision: CaseDecision) -> list[Event]:
    """Return the payments of a ruling as events; note seats that pay without having had chips in the pot."""
    money = find_case_money(case_edit.ledger, case_edit.state) if decision.payments else None
    unit = money.unit if money else ""
    payments: list[case_events.PaymentOrdered] = []
    for party, amount in decision.payments:
        chips = parse_chips(amount, money, option=case_edit.option_names("pay"))
        if party == "house":
            payments.append(case_events.PaymentOrdered(chips, unit, house=True))
        elif re.fullmatch(r"[0-9]{1,2}", party):
            seat = require_seat(case_edit.ledger, int(party), case_edit.rows)
            if chips < 0 and not had_chips_in_pot(case_edit.ledger, seat, case_edit.rows):
                case_edit.notes.append(
                    f"seat {seat} had no chips in the pot and won none; the ruling takes chips from it anyway."
                )
            payments.append(case_events.PaymentOrdered(chips, unit, seat=seat))
        else:
            player = resolve_target(case_edit.ledger, "person", party, case_edit.rows, case_edit.venue)
            payments.append(case_events.PaymentOrdered(chips, unit, player))
    unpaid_chips = sum(payment.amount for payment in payments)
    if decision.house_pays and unpaid_chips:
        payments.append(case_events.PaymentOrdered(-unpaid_chips, unit, house=True))
    return list(payments)


def appeal_ruling(case_edit: CaseEdit, role: Role, person: str = "", authority: str = "") -> list[Event]:
    """Appeal the ruling."""
    return [
        case_events.RulingAppealed(role, case_edit.resolve_player(person), case_edit.require_no_names(authority, "to"))
    ]


def close_case(_: CaseEdit, outcome: case_events.CaseOutcome) -> list[Event]:
    """Close the case."""
    return [case_events.CaseClosed(outcome)]


def reopen_case(case_edit: CaseEdit, reason: str) -> list[Event]:
    """Reopen a closed case."""
    return [case_events.CaseReopened(case_edit.ledger.people.text(reason))]


def void_events(
    case_edit: CaseEdit, events: Iterable[int], reason: str, role: Role = "unknown", person: str = ""
) -> list[Event]:
    """Void wrong events of the case. Voiding a ruling also voids its payments."""
    voided_versions = find_versions_to_void(case_edit.state, events, case_edit.case.events)
    return [
        CorrectionMade(
            voids=voided_versions,
            after=len(case_edit.case.entries),
            by=role,
            person=case_edit.resolve_player(person),
            why=case_edit.ledger.people.text(reason),
        )
    ]
