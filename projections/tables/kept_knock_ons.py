"""What findings and hands led to, each table walked for it: `projections.audit.knock_on` over a ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ledger.store.accounts import Place
from projections.audit.knock_on import IN_PLACE, asks, knock_on
from projections.table_walk.to_hand import Walked, unwatched
from projections.tables.starts import Starts

if TYPE_CHECKING:
    from ledger.store import Ledger
    from projections.audit.knock_on import KnockOn
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Finding
    from projections.table_walk.table_context import TableContexts


class KnockOns:
    """Follows hands and findings through the hands behind them; each walks its table."""

    def __init__(self, ledger: Ledger, books: Iterable[Rulebook]) -> None:
        """Take the ledger, and the books by which it was judged."""
        self.starts = Starts(ledger)
        self._books = {book.name: book for book in books}

    def of(self, found: Finding) -> KnockOn | None:
        """Return what a finding led to, or why that cannot be told; None where it is not about button and blinds."""
        book = self._books.get(found.book)
        if book is None or not asks(book, found):
            return None
        place = Place(found.hand.venue, found.hand.tournament, found.hand.table)
        led = self.behind(place, found.hand.stream, book, found)
        return None if led.why == IN_PLACE else led

    def every(self, findings: Iterable[Finding]) -> Iterator[KnockOn]:
        """Yield what findings led to, in their order."""
        for found in findings:
            if (one := self.of(found)) is not None:
                yield one

    def behind(
        self,
        place: Place,
        stream: str,
        book: Rulebook,
        found: Finding | None = None,
        *,
        at: TableContexts | None = None,
        walked: Walked = unwatched,
    ) -> KnockOn:
        """Return what a hand of a table led to. `at`: the table as it was walked to the hand; `walked` as for `knock_on`."""
        begun = None if at is None else self.starts.at(place, at, book)
        return knock_on(begun or self.starts.before(place, stream, [book]), book, stream, found, walked)
