"""A case as a document: how it stands, and its events in order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from ledger import safe
from ledger.case.events import CaseLinked, CaseOpened, FindingCited, HoldPlaced, PaymentOrdered
from ledger.case.state import Due
from ledger.errors import HandledgerError
from ledger.event import topic
from projections.addresses import room_days, source_names
from projections.addresses.address_book import AddressBook, quote_for_shell
from projections.amount_text import Money
from projections.books import rulebook
from projections.books.shelf import NAME, Shelf
from projections.cases.case_documents import (
    Assigned,
    Attached,
    CaseDocument,
    CaseHand,
    CaseLine,
    Cited,
    DueTold,
    Elsewhere,
    Hold,
    Notice,
    Payment,
    Ruling,
    Said,
)
from projections.cases.claims import money_of, table_called
from projections.cases.words import CaseTeller
from projections.reports.event_text import Teller
from projections.reports.hand_documents import EventTold

if TYPE_CHECKING:
    from ledger.case.state import CaseState
    from ledger.people import People
    from ledger.store import Ledger
    from ledger.store.cases import Case
    from ledger.vocabulary import Millis, PlayerId

_UNTOLD = CaseOpened("", "other", "unknown")


def document(
    ledger: Ledger, case: Case, done: str = "", notes: Iterable[str] = (), after: int = 0, *, plain: bool = False
) -> CaseDocument:
    """Return a case as it stands; `done` says what was done to it by the events behind `after`.

    `plain`: its events are told without digests and fingerprints.
    """
    state, people, now = case.state, ledger.people, ledger.now()
    opening = state.opening or _UNTOLD
    hands = _hands(ledger, state)
    money = money_of(ledger, state) or Money(None)
    shelf = Shelf(ledger)
    return CaseDocument(
        done=done,
        added=[entry.version for entry in case.entries if done and entry.version > after],
        notes=list(notes),
        number=case.number,
        subject=opening.subject,
        status=state.status,
        outcome=state.outcome,
        opened=case.at,
        by=opening.by,
        person=_name(people, opening.person),
        venue=opening.venue,
        table=opening.table,
        claim=people.words(opening.claim),
        amount=opening.amount,
        unit=money.unit,
        exponent=money.exponent,
        occurred=opening.occurred,
        before_next_deal=opening.before_next_deal,
        hands=hands,
        statements=[Said(x.by, _name(people, x.person), people.words(x.words), x.seat) for x in state.statements],
        remarks=[people.words(ref) for ref in state.remarks],
        evidence=[
            Attached(x.kind, x.digest, people.words(x.label), x.camera, x.starts, x.ends, x.expires)
            for x in state.evidence
        ],
        holds=[_hold(ledger, hold, hands) for hold in state.holds(now)],
        cited=[Cited(x.fingerprint, x.clause, x.book, x.edition, _says(shelf, x), x.hand) for x in state.cited],
        assigned=[Assigned(_name(people, x.person), x.role) for x in state.assigned],
        due=[_due(one, state, now) for one in state.due],
        notices=[Notice(x.authority, x.reference) for x in state.notices],
        rulings=[
            Ruling(
                one.event.by,
                _name(people, one.event.person),
                people.words(one.event.decision),
                one.event.clause,
                one.event.book,
                [_payment(people, p) for p in one.payments],
            )
            for one in state.rulings
        ],
        balance=[
            Payment(
                party.seat,
                _name(people, party.player) or None,
                party.seat is None and not party.player,
                chips,
                party.unit,
            )
            for party, chips in state.balance.items()
        ],
        appeals=[Said(x.by, _name(people, x.person), to=x.to) for x in state.appeals],
        events=_events(ledger, case, hands, money, plain=plain),
        voided=[
            entry.version
            for entry in case.entries
            if entry.version not in state.versions and topic(type(entry.event)) != "hand.correction-made"
        ],
        next=_next(case, hands),
    )


def line(ledger: Ledger, case: Case) -> CaseLine:
    """Return a case in a list."""
    state, now = case.state, ledger.now()
    opening = state.opening or _UNTOLD
    due = state.open_dues()
    return CaseLine(
        case.number,
        case.at,
        opening.subject,
        state.status,
        state.outcome,
        opening.venue,
        opening.table,
        _hands(ledger, state),
        ledger.people.words(opening.claim),
        _due(due[0], state, now) if due else None,
        len(state.overdue(now)),
    )


def _name(people: People, person: PlayerId) -> str | None:
    return people.name(person) if person else ""


def _hands(ledger: Ledger, state: CaseState) -> list[CaseHand]:
    found, book = [], AddressBook(ledger)
    for stream, spans in state.hands.items():
        row = ledger.hand(stream)
        told = [(span.first, span.last) for span in spans if span != (0, 0)]
        link = state.elsewhere.get(stream)
        other = None if link is None else _elsewhere(link)
        if row is None:
            found.append(CaseHand(stream, "", "", "", None, told, elsewhere=other))
        else:
            found.append(
                CaseHand(
                    stream,
                    row.number,
                    row.venue,
                    row.table,
                    row.started,
                    told,
                    *room_days.format_local_start(ledger, row),
                    row.account,
                    row.stands,
                    other,
                    book.of(row),
                )
            )
    return found


def _elsewhere(link: CaseLinked) -> Elsewhere:
    place = link.venue, link.tournament, link.table
    return Elsewhere(link.ledger, link.position, link.root, *place, link.number, link.started)


def _called(hand: CaseHand) -> str:
    """Return the address of a hand, or its number where it was read; "" = neither is known."""
    return hand.address or (hand.elsewhere.number if hand.elsewhere else "")


def _hold(ledger: Ledger, hold: HoldPlaced, hands: list[CaseHand]) -> Hold:
    called: str | None = ""
    if hold.what == "person":
        called = ledger.people.name(hold.target)
    elif hold.what == "hand":
        here = (one.address for one in hands if one.id == hold.target)
        called = next(here, AddressBook(ledger).of_stream(hold.target))
    elif hold.what == "table":
        called = table_called(ledger, hold.target)
    else:
        called = source_names.source_names_by_digest(ledger).get(hold.target, "")
    return Hold(hold.what, hold.target, called, hold.until)


def _due(one: Due, state: CaseState, now: Millis) -> DueTold:
    done = bool(one.met) or state.status == "closed"
    return DueTold(one.event.what, one.event.due, done, not done and one.event.due < now)


def _payment(people: People, x: PaymentOrdered) -> Payment:
    return Payment(x.seat, _name(people, x.player) or None, x.house, x.amount, x.unit)


def _says(shelf: Shelf, cited: FindingCited) -> str:
    """Return what a cited clause says; "" if neither program nor house has such a book, edition or clause."""
    stem = cited.book.partition("@")[0]
    if not NAME.fullmatch(stem):
        return ""
    try:
        loaded = shelf.load(cited.book if stem in rulebook.names() else f"{stem}@{cited.edition}")
    except HandledgerError:
        return ""
    if cited.edition and cited.edition != loaded.edition:
        return ""
    found = loaded.clauses.get(cited.clause)
    return found.entry.says if found else ""


def _events(ledger: Ledger, case: Case, hands: list[CaseHand], money: Money, *, plain: bool) -> list[EventTold]:
    teller = Teller(ledger.people)
    for hand in reversed(hands):  # of a seat in several hands: who sat there in the first
        row = ledger.hand(hand.id)
        for event in ledger.events(row.stream) if row else ():
            teller.learn(event)
    teller.money = money
    called = {one.id: safe.terminal(_called(one), 90) for one in hands if _called(one)}
    for hold in case.state.placed.values():
        name = table_called(ledger, hold.target) if hold.what == "table" else ""
        called |= {hold.target: safe.terminal(name, 40)} if name else {}
    told = CaseTeller(teller, called, plain=plain)
    return [
        EventTold(
            version=entry.version,
            position=entry.position,
            topic=topic(type(entry.event)),
            told=told.tell(entry.event),
            data=msgspec.to_builtins(entry.event),
            derived=False,
            at=entry.mark.at if entry.mark.at is not None else entry.recorded.at,
            place=None,
        )
        for entry in case.entries
    ]


def _next(case: Case, hands: list[CaseHand]) -> list[str]:
    """Return commands to go on with."""
    state, number = case.state, quote_for_shell(case.number)
    found = []
    chosen = "".join(f" -r {quote_for_shell(book)}" for book in dict.fromkeys(one.book for one in state.cited))
    for hand in [one for one in hands if one.address][:3]:
        at = f"@{hand.spans[0][1]}" if hand.spans else ""
        found.append(f"handledger show {quote_for_shell(hand.address + at)}")
        found.append(f"handledger audit {quote_for_shell(hand.address)}{chosen}")
    others = [one.id for one in hands if one.elsewhere and not one.address]
    found += [f"handledger evidence {hand} --lake LAKE{chosen} -o FILE" for hand in others[:3]]
    if state.status == "closed":
        found.append(f"handledger case reopen {number} --why REASON")
    elif state.status == "decided":
        found.append(f"handledger case close {number} upheld")
    else:
        found.append(f"handledger case rule {number} --decision TEXT --by floor")
    return [
        *found,
        f"handledger evidence {quote_for_shell(f'case:{case.number}')} -o {safe.filename(case.number)}.hlev",
    ]
