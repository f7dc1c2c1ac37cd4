"""Format a case line by line: its state, its hands and holds, and its events."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

from ledger import safe
from ledger.clocks import describe_local_time
from projections.amount_text import amount
from projections.cases.case_documents import CaseDocument, CaseHand, ForeignHand, Payment
from projections.cases.case_event_text import OUTCOME_LABELS, format_time, name_awaited
from projections.reports.hand_documents import EventDocument

MAX_WIDTH: Final = 100
"""Columns of a report's lines. A terminal may have fewer."""


def format_case(document: CaseDocument, width: int = MAX_WIDTH) -> Iterator[str]:
    """Yield a case line by line: its state, its hands and holds, then its events in order. `width`: columns."""
    yield from _format_heading(document)
    for hand in document.hands:
        yield from _format_hand(hand, width)
    yield from format_standing(document)
    for citation in document.cited:
        yield from _wrap_text(
            "cited",
            f"{citation.book} {citation.clause}  {citation.says}  (fingerprint {citation.fingerprint[:8]})",
            width,
        )
    for hold in document.holds:
        target_name = safe.terminal(hold.called or hold.target, 40)
        yield f"held   {hold.what} {target_name}" + (
            f" until {format_time(hold.until)}" if hold.until is not None else ""
        )
    for entry in document.assigned:
        name = "(forgotten)" if entry.person is None else safe.name(entry.person)
        yield f"works  {name} ({entry.role})"
    yield ""
    yield from format_events(document.events, document.voided, width)


def _format_heading(document: CaseDocument) -> Iterator[str]:
    """Yield the number and status of a case, then when, where and about how much it was opened."""
    outcome_text = f": {OUTCOME_LABELS.get(document.outcome, document.outcome)}" if document.outcome else ""
    yield f"case {safe.terminal(document.number, 60)}  {document.subject}  {document.status}{outcome_text}"
    place_text = "  ".join(
        safe.terminal(entry, 60) for entry in (document.venue, document.table and f"table {document.table}") if entry
    )
    money_text = (
        "" if document.amount is None else f"  {amount(document.amount, document.unit, document.exponent)} disputed"
    )
    yield f"opened {format_time(document.opened)}" + (f"  {place_text}" if place_text else "") + money_text


def _format_hand(hand: CaseHand, width: int) -> Iterator[str]:
    """Yield a hand of a case with the events that the case is about."""
    spans = ", ".join(
        f"{first_event}-{last_event}" if first_event != last_event else str(first_event)
        for first_event, last_event in hand.spans
    )
    if hand.elsewhere and not hand.address:
        yield from _format_foreign_hand(hand.elsewhere, hand.id, spans, width)
        return
    name = hand.address or safe.terminal(hand.id, 40)
    start_text = describe_local_time(hand.local, hand.zone) if hand.address else ""
    yield f"hand   {name}  {start_text}{_format_spans(spans)}{_format_superseded(hand)}"


def _format_spans(spans: str) -> str:
    """Return the events of a hand that a case is about, or "" if it's about the whole hand."""
    if not spans:
        return ""
    is_single = "-" not in spans and "," not in spans
    return f"  event {spans}" if is_single else f"  events {spans}"


_LAKE_STATES: Final = {
    "": "",
    "same": " The lake has the same bytes.",
    "other": " THE LAKE HAS OTHER BYTES OF IT.",
    "missing": " The lake does not have it.",
}


def _format_foreign_hand(origin: ForeignHand, stream: str, spans: str, width: int) -> Iterator[str]:
    """Yield what identifies a hand that is not in this ledger."""
    place_text = "  ".join(
        safe.terminal(place_name, 60)
        for place_name in (origin.venue, origin.tournament, origin.table and f"table {origin.table}")
        if place_name
    )
    start_text = "" if origin.started is None else f"  {format_time(origin.started)}"
    yield f"hand   {safe.terminal(origin.number, 40)}{start_text}  {place_text}{_format_spans(spans)}"
    sentence = (
        f"not in this ledger: {safe.terminal(stream, 32)} at position {origin.position:,} of ledger "
        f"{safe.terminal(origin.ledger, 32)}, hash {safe.terminal(origin.root, 64)}.{_LAKE_STATES.get(origin.now, '')}"
    )
    yield from _wrap_text("", sentence, width)


def _format_superseded(hand: CaseHand) -> str:
    """Return a remark if another account of the hand counts now. The case still cites the earlier one."""
    if hand.stands:
        return ""
    return f"  (account {hand.account}, superseded: another account counts now)"


def format_events(events: list[EventDocument], voided: list[int], width: int) -> Iterator[str]:
    """Yield events, numbered, with when they were recorded."""
    for event in events:
        voided_text = "  (voided)" if event.version in voided else ""
        heading = f"{event.version:>4}  {format_time(event.at):<17}  "
        text_lines = textwrap.wrap(event.told + voided_text, max(width - len(heading), 30))
        yield heading + (text_lines[0] if text_lines else "")
        yield from (" " * len(heading) + text_line for text_line in text_lines[1:])


def format_standing(document: CaseDocument) -> Iterator[str]:
    """Yield what is due, and what the rulings move."""
    for due in document.due:
        if not due.done:
            overdue_text = "  OVERDUE" if due.overdue else ""
            yield f"due    {name_awaited(due.what)} by {format_time(due.due)}{overdue_text}"
    payments = [payment for payment in document.balance if payment.amount]
    if payments:
        payment_texts = [_format_payment(payment, document.exponent) for payment in payments]
        remainder = sum(payment.amount for payment in payments)
        remainder_text = (
            "" if not remainder else f"  (does not add up: {amount(remainder, payments[0].unit, document.exponent)})"
        )
        yield f"moves  {', '.join(payment_texts)}{remainder_text}"


def _format_payment(payment: Payment, exponent: int) -> str:
    """Return who receives (+) or pays (-) how much: `seat 3 +$5`."""
    sign = "+" if payment.amount > 0 else ""
    return f"{_name_party(payment)} {sign}{amount(payment.amount, payment.unit, exponent)}"


def _name_party(payment: Payment) -> str:
    if payment.seat is not None:
        return f"seat {payment.seat}"
    if payment.house:
        return "the house"
    return "(forgotten)" if payment.player is None else safe.name(payment.player)


def _wrap_text(label: str, sentence: str, width: int) -> Iterator[str]:
    for line_index, text_line in enumerate(textwrap.wrap(safe.terminal(sentence, 600), width - 7)):
        yield f"{label if not line_index else '':<7}{text_line}"
