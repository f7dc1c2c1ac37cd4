"""The pages of cases: all of them, one whole, and the form that opens another."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from ledger.hand.opening import SeatDealtIn, SeatLeftOut
from ledger.store.requests import case_streams as stored
from projections.addresses.address_book import AddressBook
from projections.audit import house_audit
from projections.books.shelf import Shelf
from projections.cases import claims
from projections.cases.case_view import build_case_document, build_case_line
from projections.findings.earlier_fingerprints import iter_earlier_fingerprints
from projections.tables.hand_findings import find_findings_of_hands
from web.server.case_forms import offered
from web.server.documents import CasePage, CaseSeat, CasesPage, Citable, OpenCasePage
from web.server.roles import Right, may

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from ledger.store.requests.case_streams import Case
    from projections.cases.case_documents import CaseLine
    from projections.findings.finding import Finding
    from web.server.pages import Asking


def cases(asking: Asking) -> CasesPage:
    """Return the cases, those with something overdue first."""
    ledger, every = asking.ledger, "every" in asking.given
    found = [build_case_line(ledger, one) for one in stored.all_cases(ledger) if every or one.state.status != "closed"]
    return CasesPage(open=asking.open, every=every, cases=sorted(found, key=_urgency))


def _urgency(one: CaseLine) -> tuple[bool, bool, int, int]:
    due = 0 if one.due is None else one.due.due
    return one.status == "closed", one.due is None, due, -one.opened


def case(asking: Asking) -> CasePage:
    """Return a case whole, with what may be added to it now."""
    return of(asking, stored.find_case(asking.ledger, asking.one_of("number")))


def of(asking: Asking, found: Case) -> CasePage:
    """Return the page of a case."""
    ledger = asking.ledger
    told = build_case_document(ledger, found, hides_digests=asking.role != "auditor")
    rows = claims.find_case_rows(ledger, found.state)
    works = asking.writes and may(asking.role, Right.WORK)
    forms = offered(told) if works else []
    cited = {(citation.hand, citation.fingerprint) for citation in found.state.cited}
    return CasePage(
        open=asking.open,
        case=told,
        version=len(found.entries),
        seats=_seats(ledger, rows),
        findings=_findings(ledger, rows, cited) if works else [],
        forms=[form.name for form in forms],
        books=Shelf(ledger).names() if works else [],
    )


def _seats(ledger: Ledger, rows: list[HandRow]) -> list[CaseSeat]:
    found: dict[int, str] = {}
    for row in rows:
        for event in ledger.events(row.stream):
            if isinstance(event, SeatDealtIn | SeatLeftOut):
                found.setdefault(event.seat, ledger.people.name(event.player) or "")
    return [CaseSeat(seat, player) for seat, player in sorted(found.items())]


def _findings(ledger: Ledger, rows: list[HandRow], cited: set[tuple[str, str]]) -> list[Citable]:
    """Return the findings of these hands that aren't cited yet, under the books of the house, or of the record itself."""
    if not rows:
        return []
    found = find_findings_of_hands(ledger, rows, house_audit.load_judging_books(ledger), uses_house_books=True)
    sessions = {row.stream.hex: row.session for row in rows}
    findings = [finding for position in sorted(found) for finding in found[position]]
    findings = [finding for finding in findings if not _is_cited(finding, sessions.get(finding.hand.stream, 1), cited)]
    address = AddressBook(ledger).of_finding
    return [
        Citable(finding.fingerprint, finding.book, finding.clause, address(finding.hand, finding.version), finding.saw)
        for finding in findings
    ]


def _is_cited(found: Finding, session: int, cited: set[tuple[str, str]]) -> bool:
    fingerprints = found.fingerprint, *iter_earlier_fingerprints(found, session)
    return any((hand, one) in cited for one in fingerprints for hand in (found.hand.stream, ""))


def open_case(asking: Asking) -> OpenCasePage:
    """Return the form in which a case is opened."""
    return OpenCasePage(open=asking.open, once=secrets.token_urlsafe(12))
