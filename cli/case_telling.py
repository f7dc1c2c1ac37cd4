"""A case as people read it at a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

from cli import output
from cli.days import when
from ledger import safe
from projections.amount_text import amount
from projections.cases.case_documents import CaseDocument, CaseHand, CaseLine, Elsewhere, Payment
from projections.cases.words import OUTCOME_LABELS, due_noun, format_time
from projections.reports.hand_documents import EventTold


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
    lines += ["", "to go on", *(f"  {safe.terminal(one, 400)}" for one in told.next)]
    return "\n".join(lines)


def whole(told: CaseDocument) -> Iterator[str]:
    """Yield how a case stands, and everything in order, line by line."""
    width = min(output.width(), 100)
    end = f": {OUTCOME_LABELS.get(told.outcome, told.outcome)}" if told.outcome else ""
    yield f"case {safe.terminal(told.number, 60)}  {told.subject}  {told.status}{end}"
    place = "  ".join(safe.terminal(one, 60) for one in (told.venue, told.table and f"table {told.table}") if one)
    money = "" if told.amount is None else f"  {amount(told.amount, told.unit, told.exponent)} disputed"
    yield f"opened {format_time(told.opened)}" + (f"  {place}" if place else "") + money
    for hand in told.hands:
        spans = ", ".join(f"{first}-{last}" if first != last else str(first) for first, last in hand.spans)
        if hand.elsewhere and not hand.address:
            yield from _elsewhere(hand.elsewhere, hand.id, spans, width)
            continue
        yield (
            f"hand   {hand.address or safe.terminal(hand.id, 40)}  {when(hand.local, hand.zone) if hand.address else ''}"
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
        yield f"held   {hold.what} {called}" + (f" until {format_time(hold.until)}" if hold.until is not None else "")
    for one in told.assigned:
        name = "(forgotten)" if one.person is None else safe.name(one.person)
        yield f"works  {name} ({one.role})"
    yield ""
    yield from _course(told.events, told.voided)


_NOW: Final = {
    "": "",
    "same": " The lake has the same bytes.",
    "other": " THE LAKE HAS OTHER BYTES OF IT.",
    "missing": " The lake does not have it.",
}


def _elsewhere(one: Elsewhere, stream: str, spans: str, width: int) -> Iterator[str]:
    """Yield what identifies a hand that is not in this ledger."""
    place = "  ".join(
        safe.terminal(word, 60) for word in (one.venue, one.tournament, one.table and f"table {one.table}") if word
    )
    began = "" if one.started is None else f"  {format_time(one.started)}"
    events = f"  event{'s' * ('-' in spans or ',' in spans)} {spans}" if spans else ""
    yield f"hand   {safe.terminal(one.number, 40)}{began}  {place}{events}"
    said = (
        f"not in this ledger: {safe.terminal(stream, 32)} at position {one.position:,} of ledger "
        f"{safe.terminal(one.ledger, 32)}, hash {safe.terminal(one.root, 64)}.{_NOW.get(one.now, '')}"
    )
    yield from _wrapped("", said, width)


def _superseded(hand: CaseHand) -> str:
    """Say that another account of a hand stands now: the case stays with the one that it was about."""
    if hand.stands:
        return ""
    return f"  (account {hand.account}, superseded: another account stands now)"


def _course(events: list[EventTold], voided: list[int]) -> Iterator[str]:
    """Yield events, numbered, with when they were told."""
    width = min(output.width(), 100)
    for event in events:
        gone = "  (voided)" if event.version in voided else ""
        head = f"{event.version:>4}  {format_time(event.at):<17}  "
        words = textwrap.wrap(event.told + gone, max(width - len(head), 30))
        yield head + (words[0] if words else "")
        yield from (" " * len(head) + more for more in words[1:])


def _standing(told: CaseDocument) -> Iterator[str]:
    """Yield what is due, and what the rulings move."""
    for due in told.due:
        if not due.done:
            late = "  OVERDUE" if due.overdue else ""
            yield f"due    {due_noun(due.what)} by {format_time(due.due)}{late}"
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
        hands = ", ".join(
            hand.address or safe.terminal((hand.elsewhere and hand.elsewhere.number) or hand.id, 14)
            for hand in one.hands[:3]
        )
        more = f" and {len(one.hands) - 3} more" if len(one.hands) > 3 else ""
        due = "" if one.due is None else f"{due_noun(one.due.what)} by {format_time(one.due.due)}"
        late = "" if not one.overdue else "OVERDUE " if one.overdue == 1 else f"{one.overdue} OVERDUE, first "
        end = f" ({OUTCOME_LABELS.get(one.outcome, one.outcome)})" if one.outcome else ""
        rows.append(
            [
                safe.terminal(one.number, 40),
                format_time(one.opened)[:10],
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
