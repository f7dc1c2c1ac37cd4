"""What a floor manager asks of a table where the game is stopped: the last hands, what was wrong, what is due."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ledger.errors import HandledgerError
from ledger.formats.handscript.context import Settings
from ledger.hand.seat_maps import FEW_SEATS
from ledger.recording.running import running
from ledger.store.accounts import Place
from ledger.store.cases import cases
from projections.addresses.address_book import AddressBook
from projections.audit import house_audit
from projections.cases.case_view import line
from projections.cases.claims import rows_of
from projections.findings.finding import MOST_EVENTS, TOO_LONG, TOO_MANY_PLAYERS
from projections.reports.states import build_hands
from projections.tables import owed_document
from projections.tables.hand_findings import find_in_hands

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger, TableRow
    from projections.books.rulebook import Rulebook
    from projections.cases.case_documents import CaseLine
    from projections.findings.finding import Finding
    from projections.reports.hand_documents import HandTold
    from projections.reports.owed_report import OwedDocument


class LastHand(NamedTuple):
    """One of the last hands of a table, and how many were dealt since, as far as the ledger knows."""

    hand: HandTold
    since: int
    findings: list[Finding]
    not_judged: str = ""  # why no rulebook was asked about it


class Floor(NamedTuple):
    """A table now. `why`: nothing can be said of what is due."""

    due: OwedDocument | None
    why: str
    hands: list[LastHand]  # the newest first
    judged: bool  # under a rulebook; otherwise only whether each record agrees with itself
    running: bool  # the newest hand is not over, as the record has it
    cases: list[CaseLine]  # that are open and concern the table or one of its hands
    address: str  # of the table


def floor(ledger: Ledger, row: TableRow, books: Sequence[Rulebook], count: int) -> Floor:
    """Return a table's last hands and what is due there, under a book, or under the one that the house adopted."""
    place = Place(row.venue, row.tournament, row.table)
    rows = list(ledger.hands(**place._asdict(), order="newest", limit=count, standing=True))
    judged = bool(books) or house_audit.any_in(ledger)
    found = find_in_hands(ledger, rows, list(books) or house_audit.judging_books(ledger), adopted=not books)
    owed, why = None, ""
    try:
        owed = (
            owed_document.build_document(ledger, row, list(books))
            if books
            else owed_document.house_document(ledger, row)
        )
    except HandledgerError as error:
        why = f"{error.message.rstrip('?.')}. {error.hint}".strip()
    hands = [
        LastHand(hand, since, found.get(one.position, []), _not_judged(ledger, one, hand))
        for since, (one, hand) in enumerate(zip(rows, build_hands(ledger, rows), strict=True))
    ]
    address = AddressBook(ledger).table(place)
    return Floor(owed, why, hands, judged, _runs(ledger, place, rows), [*_cases(ledger, place)], address)


def _not_judged(ledger: Ledger, row: HandRow, hand: HandTold) -> str:
    """Say why no rulebook was asked about a hand; "" = they were."""
    if _events(ledger, row) > MOST_EVENTS:
        return TOO_LONG
    return TOO_MANY_PLAYERS if hand.players > FEW_SEATS else ""


def _events(ledger: Ledger, row: HandRow) -> int:
    """Return how many events a hand has."""
    with ledger.database.reading() as link:
        return int(link.execute("SELECT sum(count) FROM log WHERE stream = ?", (row.stream.bytes,)).fetchone()[0])


def _runs(ledger: Ledger, place: Place, rows: Sequence[HandRow]) -> bool:
    """Whether the last hand is not over; of one that was recorded as it was played, the table was told."""
    if not rows or rows[0].note != "live":
        return bool(rows) and rows[0].note == "cut off"
    return running(ledger, Settings(place.venue, place.table, 0, place.tournament)) == rows[0].stream


def _cases(ledger: Ledger, place: Place) -> Iterator[CaseLine]:
    """Yield the open cases of a table."""
    for case in cases(ledger):
        if case.state.status == "closed":
            continue
        told = line(ledger, case)
        at = {Place(row.venue, row.tournament, row.table) for row in rows_of(ledger, case.state)}
        if place in at or (not at and (told.venue, told.table) == (place.venue, place.table)):
            yield told
