"""The page of who opened hidden cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from ledger.store.requests.card_views import list_views
from projections.addresses.address_book import AddressBook
from web.server.documents import Look, LooksPage

if TYPE_CHECKING:
    from ledger.entry import Entry
    from ledger.house.events import HiddenCardsViewed
    from ledger.store import Ledger
    from web.server.pages import Asking

_MOST: Final = 500


def who_looked(asking: Asking) -> LooksPage:
    """Return who opened hidden cards, on pages and by commands alike."""
    found = list_views(asking.ledger)
    book = AddressBook(asking.ledger)
    told = [_look(asking.ledger, book, entry) for entry in reversed(found[-_MOST:])]
    return LooksPage(open=asking.open, looks=told, more=max(0, len(found) - _MOST))


def _look(ledger: Ledger, book: AddressBook, entry: Entry) -> Look:
    event = cast("HiddenCardsViewed", entry.event)
    row = ledger.hand(event.hand)
    return Look(
        at=entry.recorded.at,
        by=event.by,
        person=ledger.people.name(event.person) if event.person else "",
        why=ledger.people.words(event.why),
        hand=event.hand,
        number=row.number if row else "",
        address=book.hand(row) if row else "",
        table=row.table if row else "",
        seats=list(event.seats),
        program=entry.recorded.by,
    )
