"""A case as a document, and as people read it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from cli import days, output
from cli.case_documents import (
    Assigned,
    Attached,
    CaseDocument,
    CaseHand,
    CaseLine,
    Cited,
    DueTold,
    Hold,
    Notice,
    Payment,
    Ruling,
    Said,
)
from cli.case_finding import money_of, row_of, table_called
from cli.case_words import OUTCOMES, CaseTeller, due_word, time
from cli.days import when
from ledger import safe
from ledger.case.events import CaseOpened, HoldPlaced, PaymentOrdered
from ledger.case.state import Due
from ledger.event import topic
from projections.amounts import Money, amount
from projections.reports.hand_documents import EventTold
from projections.reports.teller import Teller

if TYPE_CHECKING:
    from ledger.case.state import CaseState
    from ledger.people import People
    from ledger.store import Ledger
    from ledger.store.cases import Case
    from ledger.vocabulary import Millis, PlayerId

_UNTOLD = CaseOpened("", "other", "unknown")


def document(ledger: Ledger, case: Case, done: str = "", notes: Iterable[str] = (), after: int = 0) -> CaseDocument:
    """Return a case as it stands; `done` says what was done to it by the events behind `after`."""
    state, people, now = case.state, ledger.people, ledger.now()
    opening = state.opening or _UNTOLD
    hands = _hands(ledger, state)
    money = money_of(ledger, state) or Money(None)
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
        cited=[
            Cited(x.fingerprint, x.clause, x.book, x.edition, _says(x.book, x.edition, x.clause)) for x in state.cited
        ],
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
        events=_events(ledger, case, hands, money),
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
    found = []
    for stream, spans in state.hands.items():
        row = row_of(ledger, stream)
        told = [(span.first, span.last) for span in spans if span != (0, 0)]
        if row is None:
            found.append(CaseHand(stream, "", "", "", None, told))
        else:
            found.append(
                CaseHand(
                    stream,
                    row.number,
                    row.venue,
                    row.table,
                    row.started,
                    told,
                    *days.shown(ledger, row),
                    row.account,
                    row.stands,
                )
            )
    return found


def _superseded(hand: CaseHand) -> str:
    """Say that another account of a hand stands now: the case stays with the one that it was about."""
    if hand.stands:
        return ""
    return f"  (account {hand.account}, superseded: another account stands now)"


def _hold(ledger: Ledger, hold: HoldPlaced, hands: list[CaseHand]) -> Hold:
    called: str | None = ""
    if hold.what == "person":
        called = ledger.people.name(hold.target)
    elif hold.what == "hand":
        row = row_of(ledger, hold.target)
        called = next((one.number for one in hands if one.id == hold.target), row.number if row else "")
    elif hold.what == "table":
        called = table_called(ledger, hold.target)
    else:
        from projections.reports import sources

        called = sources.names(ledger).get(hold.target, "")
    return Hold(hold.what, hold.target, called, hold.until)


def _due(one: Due, state: CaseState, now: Millis) -> DueTold:
    done = bool(one.met) or state.status == "closed"
    return DueTold(one.event.what, one.event.due, done, not done and one.event.due < now)


def _payment(people: People, x: PaymentOrdered) -> Payment:
    return Payment(x.seat, _name(people, x.player) or None, x.house, x.amount, x.unit)


def _says(book: str, edition: str, clause: str) -> str:
    """Return what a clause says; "" if this program has no such book, edition or clause."""
    from projections import rulebook

    if book not in rulebook.names():
        return ""
    loaded = rulebook.load(book)
    if edition and edition != loaded.edition:
        return ""
    found = loaded.clauses.get(clause)
    return found.entry.says if found else ""


def _events(ledger: Ledger, case: Case, hands: list[CaseHand], money: Money) -> list[EventTold]:
    teller = Teller(ledger.people)
    for hand in reversed(hands):  # of a seat in several hands: who sat there in the first
        row = row_of(ledger, hand.id)
        for event in ledger.events(row.stream) if row else ():
            teller.learn(event)
    teller.money = money
    called = {one.id: safe.terminal(one.number, 24) for one in hands if one.number}
    for hold in case.state.placed.values():
        name = table_called(ledger, hold.target) if hold.what == "table" else ""
        called |= {hold.target: safe.terminal(name, 40)} if name else {}
    told = CaseTeller(teller, called)
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
    state, number = case.state, case.number
    found = []
    books = list(dict.fromkeys(one.book for one in state.cited))
    for hand in [one for one in hands if one.number][:3]:
        at = f"@{hand.spans[0][1]}" if hand.spans else ""
        found.append(f"handledger show {hand.id[:16] if _odd(hand.number) else hand.number}{at}")
        chosen = "".join(f" -r {book}" for book in books)
        found.append(f"handledger audit {hand.id[:16] if _odd(hand.number) else hand.number}{chosen}")
    if state.status == "closed":
        found.append(f"handledger case reopen {number} --why REASON")
    elif state.status == "decided":
        found.append(f"handledger case close {number} upheld")
    else:
        found.append(f"handledger case rule {number} --decision TEXT --by floor")
    return [*found, f"handledger evidence case:{number} -o {safe.filename(number)}.hlev"]


def _odd(number: str) -> bool:
    """Whether a hand's number is nothing to type as it is."""
    return not (number.isascii() and number.replace("-", "").isalnum())


def text(told: CaseDocument) -> str:
    """Return a case for people."""
    lines = [output.paint(f"case {safe.terminal(told.number, 60)}: {told.done}", "bold")] if told.done else []
    lines += [f"! {note}" for note in told.notes]
    if not told.done:
        first, *rest = whole(told)
        lines += [output.paint(first, "bold"), *rest]
    else:
        lines += _course([one for one in told.events if one.version in told.added], told.voided)
        lines += _standing(told)
    lines += ["", "to go on", *(f"  {safe.terminal(one, 200)}" for one in told.next)]
    return "\n".join(lines)


def whole(told: CaseDocument) -> Iterator[str]:
    """Yield how a case stands, and everything in order, line by line."""
    width = min(output.width(), 100)
    end = f": {OUTCOMES.get(told.outcome, told.outcome)}" if told.outcome else ""
    yield f"case {safe.terminal(told.number, 60)}  {told.subject}  {told.status}{end}"
    place = "  ".join(safe.terminal(one, 60) for one in (told.venue, told.table and f"table {told.table}") if one)
    money = "" if told.amount is None else f"  {amount(told.amount, told.unit, told.exponent)} disputed"
    yield f"opened {time(told.opened)} UTC" + (f"  {place}" if place else "") + money
    for hand in told.hands:
        spans = ", ".join(f"{first}-{last}" if first != last else str(first) for first, last in hand.spans)
        yield (
            f"hand   {safe.terminal(hand.number or hand.id, 40)}  {when(hand.local, hand.zone) if hand.number else ''}"
            + (f"  event{'s' * ('-' in spans or ',' in spans)} {spans}" if spans else "")
            + _superseded(hand)
        )
    yield from _standing(told)
    for cited in told.cited:
        yield from _wrapped(
            "cited", f"{cited.book} {cited.clause}  {cited.says}  (fingerprint {cited.fingerprint[:8]})", width
        )
    for hold in told.holds:
        called = safe.terminal(hold.called or hold.target, 40)
        yield f"held   {hold.what} {called}" + (f" until {time(hold.until)}" if hold.until is not None else "")
    for one in told.assigned:
        name = "(forgotten)" if one.person is None else safe.name(one.person)
        yield f"works  {name} ({one.role})"
    yield ""
    yield from _course(told.events, told.voided)


def _course(events: list[EventTold], voided: list[int]) -> Iterator[str]:
    """Yield events, numbered, with when they were told."""
    width = min(output.width(), 100)
    for event in events:
        gone = "  (voided)" if event.version in voided else ""
        head = f"{event.version:>4}  {time(event.at):<16}  "
        words = textwrap.wrap(event.told + gone, max(width - len(head), 30))
        yield head + (words[0] if words else "")
        yield from (" " * len(head) + more for more in words[1:])


def _standing(told: CaseDocument) -> Iterator[str]:
    """Yield what is due, and what the rulings move."""
    for due in told.due:
        if not due.done:
            late = "  OVERDUE" if due.overdue else ""
            yield f"due    {due_word(due.what)} by {time(due.due)} UTC{late}"
    moved = [one for one in told.balance if one.amount]
    if moved:
        parts = [
            f"{_party(one)} {'+' * (one.amount > 0)}{amount(one.amount, one.unit, told.exponent)}" for one in moved
        ]
        rest = sum(one.amount for one in moved)
        sums = "" if not rest else f"  (does not add up: {amount(rest, moved[0].unit, told.exponent)})"
        yield f"moves  {', '.join(parts)}{sums}"


def _party(one: Payment) -> str:
    if one.seat is not None:
        return f"seat {one.seat}"
    return "the house" if one.house else "(forgotten)" if one.player is None else safe.name(one.player)


def _wrapped(word: str, said: str, width: int) -> Iterator[str]:
    for n, piece in enumerate(textwrap.wrap(safe.terminal(said, 600), width - 7)):
        yield f"{word if not n else '':<7}{piece}"


def listed(cases: list[CaseLine]) -> str:
    """Return cases for people, one line each."""
    if not cases:
        return "no cases"
    rows = []
    for one in cases:
        hands = ", ".join(safe.terminal(hand.number or hand.id, 14) for hand in one.hands[:3])
        more = f" and {len(one.hands) - 3} more" if len(one.hands) > 3 else ""
        due = "" if one.due is None else f"{due_word(one.due.what)} by {time(one.due.due)}"
        late = "" if not one.overdue else "OVERDUE " if one.overdue == 1 else f"{one.overdue} OVERDUE, first "
        end = f" ({OUTCOMES.get(one.outcome, one.outcome)})" if one.outcome else ""
        rows.append(
            [
                safe.terminal(one.number, 40),
                time(one.opened)[:10],
                one.subject,
                one.status + end,
                (f"hand {hands}{more}" if hands else f"table {safe.terminal(one.table, 20)}" if one.table else ""),
                late + due,
            ]
        )
    widths = [max(map(safe.columns, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        safe.cut(
            "  ".join(safe.fit(cell, room) for cell, room in zip(row, widths, strict=True) if room).rstrip(),
            max(output.width(), 60),
        )
        for row in rows
    )
