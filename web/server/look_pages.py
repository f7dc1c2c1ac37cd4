"""Build the page that lists who opened hidden cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from ledger.store.requests.card_views import list_views
from projections.addresses.address_book import AddressBook
from web.server.documents import Look, LooksPage

if TYPE_CHECKING:
    from ledger.entry import Entry
    from ledger.house.events import HiddenCardsViewed
    from ledger.store import Ledger
    from web.server.page_request import PageRequest

_MAX_LOOKS: Final = 500


def build_looks_page(page_request: PageRequest) -> LooksPage:
    """Return who opened hidden cards, whether on a page or by a command."""
    entries = list_views(page_request.ledger)
    address_book = AddressBook(page_request.ledger)
    card_looks = [_build_look(page_request.ledger, address_book, entry) for entry in reversed(entries[-_MAX_LOOKS:])]
    return LooksPage(
        finding_count=page_request.finding_count, looks=card_looks, more_count=max(0, len(entries) - _MAX_LOOKS)
    )


def _build_look(ledger: Ledger, address_book: AddressBook, entry: Entry) -> Look:
    event = cast("HiddenCardsViewed", entry.event)
    row = ledger.hand(event.hand)
    return Look(
        opened_at=entry.recorded.time,
        role=event.by,
        person=ledger.people.name(event.person) if event.person else "",
        reason=ledger.people.words(event.why),
        hand=event.hand,
        number=row.number if row else "",
        address=address_book.find_hand_address(row) if row else "",
        table=row.table if row else "",
        seats=list(event.seats),
        program=entry.recorded.writer,
    )
