"""Build the pages of cases: the list, one case, and the form that opens a case."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from ledger.hand.opening import SeatDealtIn, SeatLeftOut
from ledger.store.requests import case_streams as stored
from projections.addresses.address_book import AddressBook
from projections.audit import house_audit
from projections.books.shelf import Shelf
from projections.cases.case_hands import find_case_rows
from projections.cases.case_view import build_case_document, build_case_line
from projections.findings.earlier_fingerprints import iter_earlier_fingerprints
from projections.tables.hand_findings import find_findings_of_hands
from web.server.access.roles import AccessRight, has_right
from web.server.cases.case_forms import list_forms
from web.server.documents import CasePage, CaseSeat, CasesPage, Citable, OpenCasePage

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from ledger.store.requests.case_streams import Case
    from projections.cases.case_documents import CaseLine
    from projections.findings.finding import Finding
    from web.server.page_request import PageRequest


def build_cases_page(page_request: PageRequest) -> CasesPage:
    """Return the list of cases, those with something overdue first."""
    ledger, with_closed = page_request.ledger, "every" in page_request.parameters
    lines = [
        build_case_line(ledger, stored_case)
        for stored_case in stored.all_cases(ledger)
        if with_closed or stored_case.state.status != "closed"
    ]
    return CasesPage(
        finding_count=page_request.finding_count, every=with_closed, cases=sorted(lines, key=_rank_urgency)
    )


def _rank_urgency(line: CaseLine) -> tuple[bool, bool, int, int]:
    due_at = 0 if line.due is None else line.due.due
    return line.status == "closed", line.due is None, due_at, -line.opened


def build_case_page(page_request: PageRequest) -> CasePage:
    """Return the page of the requested case."""
    return build_stored_case_page(
        page_request, stored.find_case(page_request.ledger, page_request.require_parameter("number"))
    )


def build_stored_case_page(page_request: PageRequest, stored_case: Case) -> CasePage:
    """Return the page of a case, with the forms that may be filled in now."""
    ledger = page_request.ledger
    document = build_case_document(ledger, stored_case, hides_digests=page_request.role != "auditor")
    rows = find_case_rows(ledger, stored_case.state)
    can_work = page_request.is_writable and has_right(page_request.role, AccessRight.WORK)
    forms = list_forms(document) if can_work else []
    cited = {(citation.hand, citation.fingerprint) for citation in stored_case.state.cited}
    return CasePage(
        finding_count=page_request.finding_count,
        case=document,
        version=len(stored_case.entries),
        seats=_list_seats(ledger, rows),
        findings=_list_findings(ledger, rows, cited) if can_work else [],
        forms=[form.name for form in forms],
        books=Shelf(ledger).list_names() if can_work else [],
    )


def _list_seats(ledger: Ledger, rows: list[HandRow]) -> list[CaseSeat]:
    names_by_seat: dict[int, str] = {}
    for row in rows:
        for event in ledger.events(row.stream):
            if isinstance(event, SeatDealtIn | SeatLeftOut):
                names_by_seat.setdefault(event.seat, ledger.people.name(event.player) or "")
    return [CaseSeat(seat, player) for seat, player in sorted(names_by_seat.items())]


def _list_findings(ledger: Ledger, rows: list[HandRow], cited: set[tuple[str, str]]) -> list[Citable]:
    """Return the findings of these hands that aren't cited yet, under the house's books or of the record itself."""
    if not rows:
        return []
    findings_by_position = find_findings_of_hands(
        ledger, rows, house_audit.load_judging_books(ledger), uses_house_books=True
    )
    sessions = {row.stream.hex: row.session for row in rows}
    findings = [finding for position in sorted(findings_by_position) for finding in findings_by_position[position]]
    findings = [finding for finding in findings if not _is_cited(finding, sessions.get(finding.hand.stream, 1), cited)]
    address = AddressBook(ledger).find_finding_address
    return [
        Citable(finding.fingerprint, finding.book, finding.clause, address(finding.hand, finding.version), finding.saw)
        for finding in findings
    ]


def _is_cited(finding: Finding, session: int, cited: set[tuple[str, str]]) -> bool:
    fingerprints = finding.fingerprint, *iter_earlier_fingerprints(finding, session)
    return any((hand, fingerprint) in cited for fingerprint in fingerprints for hand in (finding.hand.stream, ""))


def open_case(page_request: PageRequest) -> OpenCasePage:
    """Return the form in which a case is opened."""
    return OpenCasePage(finding_count=page_request.finding_count, once=secrets.token_urlsafe(12))
