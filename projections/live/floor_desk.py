"""What a floor manager needs when the game stops at a table: the last hands, their findings, the dues, open cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.errors import HandledgerError
from ledger.formats.handscript.context import Settings
from ledger.hand.seat_maps import FEW_SEATS
from ledger.house.books import ADOPTIONS, books_in_force, read_adoptions
from ledger.recording.running import running
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.requests.case_streams import all_cases
from ledger.streams import HOUSE
from projections.addresses.address_book import AddressBook
from projections.audit import house_audit
from projections.cases.case_view import build_case_line
from projections.cases.claims import find_case_rows
from projections.findings.finding import MOST_EVENTS, NOT_JUDGED_MARK, TOO_MANY_EVENTS, TOO_MANY_PLAYERS
from projections.reports.states import build_hands
from projections.tables import owed_document
from projections.tables.hand_findings import find_findings_of_hands

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger, TableRow
    from projections.books.rulebook import Rulebook
    from projections.cases.case_documents import CaseLine
    from projections.findings.finding import Finding
    from projections.reports.hand_documents import HandTold
    from projections.reports.owed_report import OwedDocument


NO_BOOK: Final = f"{NOT_JUDGED_MARK}no rulebook was in force"
"""Why a hand wasn't judged, if the house had no rulebook for it."""


class LastHand(NamedTuple):
    """One of the last hands of a table."""

    hand: HandTold
    hands_since: int  # how many hands the table has played since
    findings: list[Finding]
    not_judged: str = ""  # why it wasn't judged; "" = it was


class FloorDesk(NamedTuple):
    """A table now."""

    due: OwedDocument | None  # None = unknown
    no_dues_reason: str  # why the dues are unknown; "" = they are known
    hands: list[LastHand]  # the newest first
    judged: bool  # under a rulebook; False = each record was only checked against itself
    running: bool  # by the record, the newest hand isn't over
    cases: list[CaseLine]  # open cases about the table or its hands
    address: str  # of the table


def build_floor_desk(ledger: Ledger, row: TableRow, books: Sequence[Rulebook], count: int) -> FloorDesk:
    """Return a table's last `count` hands and its dues, under these books or else the house's."""
    table_key = TableKey(row.venue, row.tournament, row.table)
    rows = list(ledger.hands(**table_key._asdict(), order="newest", limit=count, standing=True))
    is_judged = bool(books) or house_audit.has_adopted_books(ledger)
    findings_by_hand = find_findings_of_hands(
        ledger, rows, list(books) or house_audit.load_judging_books(ledger), uses_house_books=not books
    )
    dues, no_dues_reason = None, ""
    try:
        dues = (
            owed_document.build_document(ledger, row, list(books))
            if books
            else owed_document.build_house_document(ledger, row)
        )
    except HandledgerError as error:
        sentence = f"{error.message.rstrip('?.')}. {error.hint}".strip()
        no_dues_reason = sentence[:1].upper() + sentence[1:]
    unruled_rows = [] if books or not is_judged else _select_hands_without_book(ledger, rows)
    hands = [
        LastHand(
            hand,
            hands_since,
            findings_by_hand.get(hand_row.position, []),
            _find_reason_not_judged(ledger, hand_row, hand) or NO_BOOK * (hand_row in unruled_rows),
        )
        for hands_since, (hand_row, hand) in enumerate(zip(rows, build_hands(ledger, rows), strict=True))
    ]
    address = AddressBook(ledger).table(table_key)
    return FloorDesk(
        dues,
        no_dues_reason,
        hands,
        is_judged,
        _is_running(ledger, table_key, rows),
        [*_iter_open_cases(ledger, table_key)],
        address,
    )


def _select_hands_without_book(ledger: Ledger, rows: Sequence[HandRow]) -> list[HandRow]:
    """Return the hands that were played when no house rulebook was in force at their table."""
    adopted = read_adoptions(ledger.entries_of_types(HOUSE, *ADOPTIONS))
    return [row for row in rows if not books_in_force(adopted, row.venue, row.table, row.started)]


def _find_reason_not_judged(ledger: Ledger, row: HandRow, hand: HandTold) -> str:
    """Return why a hand is too large to judge; "" = it isn't."""
    if _count_events(ledger, row) > MOST_EVENTS:
        return TOO_MANY_EVENTS
    return TOO_MANY_PLAYERS if hand.players > FEW_SEATS else ""


def _count_events(ledger: Ledger, row: HandRow) -> int:
    """Return the number of a hand's events."""
    with ledger.database.reading() as link:
        return int(link.execute("SELECT sum(count) FROM log WHERE stream = ?", (row.stream.bytes,)).fetchone()[0])


def _is_running(ledger: Ledger, table_key: TableKey, rows: Sequence[HandRow]) -> bool:
    """Return whether the newest hand isn't over: its record is cut off, or it's being recorded right now."""
    if not rows:
        return False
    if rows[0].note != "live":
        return rows[0].note == "cut off"
    return running(ledger, Settings(table_key.venue, table_key.table, 0, table_key.tournament)) == rows[0].stream


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
