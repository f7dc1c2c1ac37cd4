"""The report of a case: the rulebooks that it cites, and its head with claim, ruling and money."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ledger.errors import HandledgerError
from projections.books.rulebook import BUILT_IN
from projections.books.shelf import Shelf
from web.pages.documents import CaseHeading, OrderedPayment, RulingHeading

if TYPE_CHECKING:
    from ledger.case.state import CaseState
    from ledger.store import Ledger
    from projections.books.rulebook import Rulebook
    from projections.cases.case_documents import CaseDocument, Payment
    from web.pages.documents import HandPage


def load_cited_books(ledger: Ledger, state: CaseState) -> tuple[list[Rulebook], list[str]]:
    """Return the rulebooks of a case's rulings and cited findings, and the names of those that can't be loaded.

    A finding cites an edition, and the case is judged under that one.
    """
    editions = {citation.book: citation.edition for citation in state.cited}
    names = [ruling.event.book for ruling in reversed(state.rulings) if ruling.event.book] + list(editions)
    shelf = Shelf(ledger)
    books: list[Rulebook] = []
    missing_names: list[str] = []
    for name in dict.fromkeys(names):
        if name == BUILT_IN:
            continue
        edition = editions.get(name, "")
        try:
            books.append(_load_edition(shelf, name, edition))
        except HandledgerError:
            missing_names.append(f"{name} {edition}".strip())
    return books, missing_names


def _load_edition(shelf: Shelf, name: str, edition: str) -> Rulebook:
    try:
        book = shelf.load(name)
    except HandledgerError:
        if not edition or "@" in name:
            raise
        return shelf.load(f"{name}@{edition}")
    if not edition or book.edition == edition or "@" in name:
        return book
    return shelf.load(f"{name}@{edition}")


def build_case_heading(
    document: CaseDocument, hand_pages: Sequence[HandPage], missing_books: list[str], *, is_under_cited_books: bool
) -> CaseHeading:
    """Return the head of a case's report."""
    return CaseHeading(
        number=document.number,
        subject=document.subject,
        status=document.status,
        outcome=document.outcome,
        by=document.by,
        person=document.person,
        claim=document.claim,
        amount=document.amount,
        unit=document.unit,
        exponent=document.exponent,
        rulings=[RulingHeading(ruling.by, ruling.decision, ruling.book, ruling.clause) for ruling in document.rulings],
        payments=[
            OrderedPayment(_name_party(payment, hand_pages), payment.amount, payment.unit)
            for payment in document.balance
            if payment.amount
        ],
        is_under_cited_books=is_under_cited_books,
        missing_books=missing_books,
    )


def _name_party(payment: Payment, hand_pages: Sequence[HandPage]) -> str:
    """Return who pays or receives. A seat has a name if the same player sat there in all hands of the report."""
    if payment.seat is None:
        return "the house" if payment.house else payment.player or "(forgotten)"
    names = {chair.player for page in hand_pages for chair in page.chairs if chair.seat == payment.seat}
    name = payment.player or (names.pop() if len(names) == 1 else "")
    return f"seat {payment.seat} {name}".strip()
