"""Build the document of a case, and its line in a list of cases."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from ledger import safe
from ledger.case.events import CaseLinked, CaseOpened, FindingCited, HoldPlaced, PaymentOrdered
from ledger.case.state import DueItem
from ledger.errors import HandledgerError
from ledger.event import topic
from projections.addresses import room_days, source_names
from projections.addresses.address_book import AddressBook
from projections.addresses.address_grammar import quote_for_shell
from projections.amount_text import MoneyFormat
from projections.books import rulebook
from projections.books.shelf import BOOK_NAME_PATTERN, Shelf
from projections.cases.case_documents import (
    CaseAssignment,
    CaseCitation,
    CaseDeadline,
    CaseDocument,
    CaseExhibit,
    CaseHand,
    CaseLine,
    CaseRuling,
    CaseStatement,
    ForeignHand,
    Hold,
    Notice,
    Payment,
)
from projections.cases.case_event_text import CaseEventDescriber
from projections.cases.case_hands import find_table_name
from projections.cases.case_money import find_case_money
from projections.reports.event_text import EventDescriber
from projections.reports.hand_documents import EventDocument

if TYPE_CHECKING:
    from ledger.case.state import CaseState
    from ledger.people import People
    from ledger.store import Ledger
    from ledger.store.requests.case_streams import Case
    from ledger.vocabulary import Millis, PlayerId

_NO_OPENING = CaseOpened("", "other", "unknown")


def build_case_document(
    ledger: Ledger,
    case: Case,
    activity: str = "",
    notes: Iterable[str] = (),
    last_version: int = 0,
    *,
    hides_digests: bool = False,
) -> CaseDocument:
    """Return the document of a case.

    `activity`: what the command did with the events after `last_version`; empty if it only shows the case.
    `hides_digests` leaves digests and fingerprints out of the events' lines.
    """
    state, people, current_time = case.state, ledger.people, ledger.now()
    opening = state.opening or _NO_OPENING
    hands = _build_case_hands(ledger, state)
    money = find_case_money(ledger, state) or MoneyFormat(None)
    shelf = Shelf(ledger)
    return CaseDocument(
        done=activity,
        added=_list_added_versions(case, last_version) if activity else [],
        notes=list(notes),
        number=case.number,
        subject=opening.subject,
        status=state.status,
        outcome=state.outcome,
        opened=case.at,
        by=opening.by,
        person=_find_name(people, opening.person),
        venue=opening.venue,
        table=opening.table,
        claim=people.words(opening.claim),
        amount=opening.amount,
        unit=money.unit,
        exponent=money.exponent,
        occurred=opening.occurred,
        before_next_deal=opening.before_next_deal,
        hands=hands,
        statements=_build_statements(people, state),
        remarks=[people.words(ref) for ref in state.remarks],
        evidence=_build_evidence(people, state),
        holds=[_build_hold(ledger, hold, hands) for hold in state.list_holds_in_force(current_time)],
        cited=_build_citations(shelf, state),
        assigned=[
            CaseAssignment(_find_name(people, assignment.person), assignment.role) for assignment in state.assigned
        ],
        due=[_build_deadline(item, state, current_time) for item in state.due],
        notices=[Notice(notice.authority, notice.reference) for notice in state.notices],
        rulings=_build_rulings(people, state),
        balance=_build_balance(people, state),
        appeals=[CaseStatement(appeal.by, _find_name(people, appeal.person), to=appeal.to) for appeal in state.appeals],
        events=_build_events(ledger, case, hands, money, hides_digests=hides_digests),
        voided=_list_voided_versions(case),
        next=_list_next_commands(case, hands),
    )


def build_case_line(ledger: Ledger, case: Case) -> CaseLine:
    """Return a case's entry in a list."""
    state = case.state
    current_time = ledger.now()
    opening = state.opening or _NO_OPENING
    open_dues = state.open_dues()
    money = MoneyFormat(None) if opening.amount is None else find_case_money(ledger, state) or MoneyFormat(None)
    return CaseLine(
        number=case.number,
        opened=case.at,
        subject=opening.subject,
        status=state.status,
        outcome=state.outcome,
        venue=opening.venue,
        table=opening.table,
        hands=_build_case_hands(ledger, state),
        claim=ledger.people.words(opening.claim),
        due=_build_deadline(open_dues[0], state, current_time) if open_dues else None,
        overdue=len(state.list_overdue(current_time)),
        person=_find_name(ledger.people, opening.person),
        owner=_find_name(ledger.people, state.assigned[-1].person) if state.assigned else "",
        amount=opening.amount,
        unit=money.unit,
        exponent=money.exponent,
    )


def _list_added_versions(case: Case, last_version: int) -> list[int]:
    return [entry.version for entry in case.entries if entry.version > last_version]


def _list_voided_versions(case: Case) -> list[int]:
    """Return the versions of the voided events of a case. Corrections don't count."""
    return [
        entry.version
        for entry in case.entries
        if entry.version not in case.state.versions and topic(type(entry.event)) != "hand.correction-made"
    ]


def _build_citations(shelf: Shelf, state: CaseState) -> list[CaseCitation]:
    return [
        CaseCitation(
            fingerprint=citation.fingerprint,
            clause=citation.clause,
            book=citation.book,
            edition=citation.edition,
            says=_find_clause_text(shelf, citation),
            hand=citation.hand,
        )
        for citation in state.cited
    ]


def _build_statements(people: People, state: CaseState) -> list[CaseStatement]:
    return [
        CaseStatement(statement.by, _find_name(people, statement.person), people.words(statement.words), statement.seat)
        for statement in state.statements
    ]


def _build_evidence(people: People, state: CaseState) -> list[CaseExhibit]:
    return [
        CaseExhibit(
            kind=exhibit.kind,
            sha256=exhibit.digest,
            label=people.words(exhibit.label),
            camera=exhibit.camera,
            starts=exhibit.starts,
            ends=exhibit.ends,
            expires=exhibit.expires,
        )
        for exhibit in state.evidence
    ]


def _build_balance(people: People, state: CaseState) -> list[Payment]:
    """Return what each party receives or pays in all. A party without seat and player is the house."""
    return [
        Payment(
            seat=party.seat,
            player=_find_name(people, party.player) or None,
            house=party.seat is None and not party.player,
            amount=chips,
            unit=party.unit,
        )
        for party, chips in state.balance.items()
    ]


def _find_name(people: People, person: PlayerId) -> str | None:
    """Return a person's name, None if it was erased, or "" if there is no person."""
    return people.name(person) if person else ""


def _build_case_hands(ledger: Ledger, state: CaseState) -> list[CaseHand]:
    """Return the hands of a case; a hand that isn't in this ledger has only its id and link."""
    case_hands = []
    address_book = AddressBook(ledger)
    for stream, spans in state.hands.items():
        row = ledger.hand(stream)
        cited_spans = [(span.first, span.last) for span in spans if span != (0, 0)]
        link = state.foreign_hands.get(stream)
        elsewhere = None if link is None else _build_elsewhere(link)
        if row is None:
            case_hands.append(
                CaseHand(id=stream, number="", venue="", table="", started=None, spans=cited_spans, elsewhere=elsewhere)
            )
            continue
        local_start, zone = room_days.format_local_start(ledger, row)
        case_hands.append(
            CaseHand(
                id=stream,
                number=row.number,
                venue=row.venue,
                table=row.table,
                started=row.started,
                spans=cited_spans,
                local=local_start,
                zone=zone,
                account=row.account,
                stands=row.stands,
                elsewhere=elsewhere,
                address=address_book.find_hand_address(row),
            )
        )
    return case_hands


def _build_elsewhere(link: CaseLinked) -> ForeignHand:
    return ForeignHand(
        ledger=link.ledger,
        position=link.position,
        root=link.root,
        venue=link.venue,
        tournament=link.tournament,
        table=link.table,
        number=link.number,
        started=link.started,
    )


def _label_hand(hand: CaseHand) -> str:
    """Return a hand's address, or its number in the other ledger, or "" if neither is known."""
    if hand.address or hand.elsewhere is None:
        return hand.address
    return hand.elsewhere.number


def _build_hold(ledger: Ledger, hold: HoldPlaced, hands: list[CaseHand]) -> Hold:
    """Return a hold with the name of its target."""
    label: str | None = ""
    if hold.what == "person":
        label = ledger.people.name(hold.target)
    elif hold.what == "hand":
        addresses = (hand.address for hand in hands if hand.id == hold.target)
        label = next(addresses, AddressBook(ledger).find_stream_address(hold.target))
    elif hold.what == "table":
        label = find_table_name(ledger, hold.target)
    else:
        label = source_names.load_source_names(ledger).get(hold.target, "")
    return Hold(hold.what, hold.target, label, hold.until)


def _build_deadline(item: DueItem, state: CaseState, current_time: Millis) -> CaseDeadline:
    is_done = bool(item.settling_version) or state.status == "closed"
    deadline = item.event.due
    return CaseDeadline(
        what=item.event.what, due=deadline, done=is_done, overdue=not is_done and deadline < current_time
    )


def _build_rulings(people: People, state: CaseState) -> list[CaseRuling]:
    return [
        CaseRuling(
            by=ruling.event.by,
            person=_find_name(people, ruling.event.person),
            decision=people.words(ruling.event.decision),
            clause=ruling.event.clause,
            book=ruling.event.book,
            payments=[_build_payment(people, payment) for payment in ruling.payments],
        )
        for ruling in state.rulings
    ]


def _build_payment(people: People, payment: PaymentOrdered) -> Payment:
    return Payment(
        seat=payment.seat,
        player=_find_name(people, payment.player) or None,
        house=payment.house,
        amount=payment.amount,
        unit=payment.unit,
    )


def _find_clause_text(shelf: Shelf, cited: FindingCited) -> str:
    """Return the text of a cited clause, or "" if the program doesn't have that book, edition or clause."""
    book_name = cited.book.partition("@")[0]
    if not BOOK_NAME_PATTERN.fullmatch(book_name):
        return ""
    try:
        rulebook_edition = shelf.load(
            cited.book if book_name in rulebook.list_names() else f"{book_name}@{cited.edition}"
        )
    except HandledgerError:
        return ""
    if cited.edition and cited.edition != rulebook_edition.edition:
        return ""
    clause = rulebook_edition.clauses.get(cited.clause)
    return clause.entry.says if clause else ""


def _build_events(
    ledger: Ledger, case: Case, hands: list[CaseHand], money: MoneyFormat, *, hides_digests: bool
) -> list[EventDocument]:
    event_describer = EventDescriber(ledger.people)
    for hand in reversed(hands):  # the first hand comes last, so its names win
        row = ledger.hand(hand.id)
        for event in ledger.events(row.stream) if row else ():
            event_describer.remember(event)
    event_describer.money = money
    labels = {case_hand.id: safe.terminal(_label_hand(case_hand), 90) for case_hand in hands if _label_hand(case_hand)}
    for hold in case.state.holds_placed.values():
        name = find_table_name(ledger, hold.target) if hold.what == "table" else ""
        if name:
            labels[hold.target] = safe.terminal(name, 40)
    case_describer = CaseEventDescriber(event_describer, labels, hides_digests=hides_digests)
    return [
        EventDocument(
            version=entry.version,
            position=entry.position,
            topic=topic(type(entry.event)),
            told=case_describer.describe(entry.event),
            data=msgspec.to_builtins(entry.event),
            derived=False,
            at=entry.mark.time if entry.mark.time is not None else entry.recorded.time,
            place=None,
        )
        for entry in case.entries
    ]


def _list_next_commands(case: Case, hands: list[CaseHand]) -> list[str]:
    """Return commands that the user may want next."""
    state, number = case.state, quote_for_shell(case.number)
    commands = []
    book_options = "".join(
        f" -r {quote_for_shell(book)}" for book in dict.fromkeys(citation.book for citation in state.cited)
    )
    for hand in [case_hand for case_hand in hands if case_hand.address][:3]:
        version_suffix = f"@{hand.spans[0][1]}" if hand.spans else ""
        commands.append(f"handledger show {quote_for_shell(hand.address + version_suffix)}")
        commands.append(f"handledger audit {quote_for_shell(hand.address)}{book_options}")
    lake_hand_ids = [case_hand.id for case_hand in hands if case_hand.elsewhere and not case_hand.address]
    commands += [f"handledger evidence {hand_id} --lake LAKE{book_options} -o FILE" for hand_id in lake_hand_ids[:3]]
    if state.status == "closed":
        commands.append(f"handledger case reopen {number} --why REASON")
    elif state.status == "decided":
        commands.append(f"handledger case close {number} upheld")
    else:
        commands.append(f"handledger case rule {number} --decision TEXT --by floor")
    return [
        *commands,
        f"handledger evidence {quote_for_shell(f'case:{case.number}')} -o {safe.filename(case.number)}.hlev",
    ]
