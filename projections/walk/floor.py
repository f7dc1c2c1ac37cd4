"""What a floor manager asks of a table where the game is stopped: the last hands, what was wrong, what is due."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ledger.errors import HandledgerError
from ledger.store.accounts import Place
from projections.reports.states import told
from projections.tables.found import found_in
from projections.walk import adopted, due

if TYPE_CHECKING:
    from ledger.store import Ledger, TableRow
    from projections.finding import Finding
    from projections.reports.hand_documents import HandTold
    from projections.reports.owed import OwedDocument
    from projections.rulebook import Rulebook


class LastHand(NamedTuple):
    """One of the last hands of a table, and how many were dealt since, as far as the ledger knows."""

    hand: HandTold
    since: int
    findings: list[Finding]


class Floor(NamedTuple):
    """A table now. `why`: nothing can be said of what is due."""

    due: OwedDocument | None
    why: str
    hands: list[LastHand]  # the newest first


def floor(ledger: Ledger, row: TableRow, books: Sequence[Rulebook], count: int) -> Floor:
    """Return a table's last hands and what is due there, under a book, or under the one that the house adopted."""
    place = Place(row.venue, row.tournament, row.table)
    rows = list(ledger.hands(**place._asdict(), order="newest", limit=count, standing=True))
    judging = list(books) or (adopted.House(ledger).books() if adopted.any_in(ledger) else [])
    found = found_in(ledger, rows, judging)
    owed, why = None, ""
    try:
        owed = due.document(ledger, row, list(books)) if books else due.as_adopted(ledger, row)
    except HandledgerError as error:
        why = f"{error.message}. {error.hint}".strip()
    hands = [
        LastHand(hand, since, found.get(one.position, []))
        for since, (one, hand) in enumerate(zip(rows, told(ledger, rows), strict=True))
    ]
    return Floor(owed, why, hands)
