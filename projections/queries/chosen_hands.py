"""Choose hands of a ledger: by address, by a query, or by room, table and source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.addresses import hand_address, source_names
from projections.addresses.room_days import DEFAULT_DAY_START
from projections.table_walk.played_tables import list_places

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ledger.store import HandRow, Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from projections.books.rulebook import Rulebook


def iterate_chosen_hands(
    ledger: Ledger,
    addresses: Sequence[str] | None = None,
    venue: str | None = None,
    table: str | None = None,
    source: str | None = None,
    query_text: str | None = None,
    books: Iterable[Rulebook] = (),
) -> Iterator[tuple[TableKey, Iterable[HandRow]]]:
    """Yield the chosen hands by table. Without addresses, yield only the account in force of each hand.

    `query_text`: as for `log --where`; `books`: those whose findings it may ask about.
    """
    if addresses:
        from ledger.store.requests.stored_hands import group_rows_by_table  # noqa: PLC0415 - all hands need no replay

        yield from group_rows_by_table(match.row for match in hand_address.find_all(ledger, addresses))
        return
    if query_text is not None:
        from ledger.store.requests.stored_hands import group_rows_by_table  # noqa: PLC0415 - all hands need no replay
        from projections.queries.ledger_query import add_option_terms, list_matching_hands  # noqa: PLC0415 - most ask none

        query = add_option_terms(query_text, {"venue": venue, "table": table, "source": source})
        yield from group_rows_by_table(list_matching_hands(ledger, query or "", DEFAULT_DAY_START, books))
        return
    digests = [None] if source is None else source_names.find_sources(ledger, source)
    for place in list_places(ledger):
        if venue in (None, place.venue) and table in (None, place.table):
            yield (
                place,
                (row for digest in digests for row in ledger.hands(**place._asdict(), standing=True, source=digest)),
            )
