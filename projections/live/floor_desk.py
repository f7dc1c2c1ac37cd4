"""Collect what a floor manager needs when the game stops: a table's last hands, findings, dues and open cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ledger.errors import HandledgerError
from ledger.house.books import ADOPTIONS, find_books_in_force, read_adoptions
from ledger.recording.running_hand import find_last_version
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.requests.case_streams import all_cases
from ledger.streams import HOUSE
from ledger.text.language import join_sentences, phrase
from projections.addresses.address_book import AddressBook
from projections.audit import house_audit
from projections.cases.case_hands import find_case_rows
from projections.cases.case_view import build_case_line
from projections.findings.finding import MAX_EVENTS, MAX_JUDGED_PLAYERS
from projections.reports.states import build_hands
from projections.sentences import as_sentence
from projections.tables import owed_document
from projections.tables.hand_findings import find_findings_of_hands

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger, TableRow
    from projections.books.rulebook import Rulebook
    from projections.cases.case_documents import CaseLine
    from projections.findings.finding import Finding
    from projections.reports.hand_documents import HandTold
    from projections.reports.owed_report import OwedDocument


class LastHand(NamedTuple):
    """One of the last hands of a table."""

    hand: HandTold
    hands_since: int  # how many hands the table has played since
    findings: list[Finding]
    not_judged_reason: str = ""  # the reason why it wasn't judged; empty if it was


class FloorDesk(NamedTuple):
    """A table at this moment: its last hands, its dues and its open cases."""

    due: OwedDocument | None  # None if the dues are unknown
    no_dues_reason: str  # why the dues are unknown; empty if they are known
    hands: list[LastHand]  # the newest first
    judged: bool  # under a rulebook; without one, each record is only checked against itself
    running: bool  # the newest hand isn't over, as far as the record shows
    cases: list[CaseLine]  # open cases about the table or its hands
    address: str  # the table's


def build_floor_desk(ledger: Ledger, row: TableRow, books: Sequence[Rulebook], count: int) -> FloorDesk:
    """Return a table's last `count` hands and its dues, under these books or else the house's."""
    table_key = TableKey(row.venue, row.tournament, row.table)
    rows = list(ledger.hands(**table_key._asdict(), order="newest", limit=count, standing=True))
    is_judged = bool(books) or house_audit.has_adopted_books(ledger)
    findings_by_hand = find_findings_of_hands(
        ledger, rows, list(books) or house_audit.load_judging_books(ledger), uses_house_books=not books
    )
    due, no_dues_reason = _find_dues(ledger, row, books)
    rows_without_book = _select_hands_without_book(ledger, rows) if is_judged and not books else []
    hands = [
        LastHand(
            hand,
            hands_since,
            findings=findings_by_hand.get(hand_row.position, []),
            not_judged_reason=_find_reason_not_judged(
                ledger, hand_row, hand, has_book=hand_row not in rows_without_book
            ),
        )
        for hands_since, (hand_row, hand) in enumerate(zip(rows, build_hands(ledger, rows), strict=True))
    ]
    return FloorDesk(
        due=due,
        no_dues_reason=no_dues_reason,
        hands=hands,
        judged=is_judged,
        running=bool(rows) and owed_document.is_being_played(ledger, table_key, rows[0]),
        cases=list(_iter_open_cases(ledger, table_key)),
        address=AddressBook(ledger).find_table_address(table_key),
    )


def _find_dues(ledger: Ledger, row: TableRow, books: Sequence[Rulebook]) -> tuple[OwedDocument | None, str]:
    """Return a table's dues under these books or else the house's; if they are unknown, None and the reason."""
    try:
        if books:
            return owed_document.build_document(ledger, row, list(books)), ""
        return owed_document.build_house_document(ledger, row), ""
    except HandledgerError as error:
        return None, join_sentences([as_sentence(error.message.rstrip("?.。")), *filter(None, (error.hint,))])


def _select_hands_without_book(ledger: Ledger, rows: Sequence[HandRow]) -> list[HandRow]:
    """Return the hands that were played when no house rulebook was in force at their table."""
    adopted = read_adoptions(ledger.entries_of_types(HOUSE, *ADOPTIONS))
    return [row for row in rows if not find_books_in_force(adopted, row.venue, row.table, row.started)]


def _find_reason_not_judged(ledger: Ledger, row: HandRow, hand: HandTold, *, has_book: bool) -> str:
    """Return why a hand wasn't judged, or "" if it was: it is too large, or the house had no rulebook for it."""
    if find_last_version(ledger, row.stream) > MAX_EVENTS:
        return phrase("not judged: more than {count} events", count=format(MAX_EVENTS, ","))
    if hand.players > MAX_JUDGED_PLAYERS:
        return phrase("not judged: more than {count} players", count=MAX_JUDGED_PLAYERS)
    return "" if has_book else phrase("not judged: no rulebook was in force")


def _iter_open_cases(ledger: Ledger, table_key: TableKey) -> Iterator[CaseLine]:
    """Yield the open cases about a table or its hands."""
    for case in all_cases(ledger):
        if case.state.status == "closed":
            continue
        table_case = build_case_line(ledger, case)
        case_tables = {TableKey(row.venue, row.tournament, row.table) for row in find_case_rows(ledger, case.state)}
        if table_key in case_tables or (
            not case_tables and (table_case.venue, table_case.table) == (table_key.venue, table_key.table)
        ):
            yield table_case
