"""The dues on every table's next hand, and the players who owe, for lists of many tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ledger.text.language import join_statements
from projections.amount_text import amount
from projections.audit.house_audit import House
from projections.sentences.due_list import standing_name
from projections.sentences.table_list import missed_blinds, post_open, posts_sum
from projections.table_walk.played_tables import list_places
from projections.tables.stored_dues import iter_stored_dues
from projections.tables.table_set import open_tables

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.vocabulary import PlayerId, Seat
    from projections.books.rulebook import Rulebook
    from projections.obligations.dues import SeatDue
    from projections.table_walk.table_dues import TableDues
    from projections.tables.judgement_update import Progress


def iter_table_dues(
    ledger: Ledger,
    chosen_books: Sequence[Rulebook],
    selected_places: Sequence[TableKey] | None = None,
    progress: Progress | None = None,
) -> Iterator[tuple[Rulebook, TableKey, TableDues]]:
    """Yield the dues of each table, sorted by table, under the first chosen book or else the house's book in force.

    `selected_places` limits the tables; None = all tables. `progress`: as for `update_judgements`.
    """
    all_tables = list_places(ledger) if selected_places is None else list(selected_places)
    tables_by_book: dict[Rulebook, list[TableKey]] = {}
    if chosen_books:
        tables_by_book[chosen_books[0]] = all_tables
    else:
        house = House(ledger)
        for table_key in all_tables:
            for book in house.find_possible_books(table_key.venue, table_key.table, ledger.now()):
                tables_by_book.setdefault(book, []).append(table_key)
    dues_by_table = []
    with open_tables(ledger, list(tables_by_book), results=False, progress=progress, translated=True) as (
        table_store,
        numbers,
    ):
        for (book, book_places), number in zip(tables_by_book.items(), numbers, strict=True):
            stored_dues = iter_stored_dues(table_store, number, book_places)
            dues_by_table += [(book, table_key, table_dues) for table_key, table_dues in stored_dues]
    yield from sorted(dues_by_table, key=lambda row: (row[1], row[0].name))


class Debt(NamedTuple):
    """A player who owes, waits or may not play."""

    seat: Seat
    player: str  # the name as recorded: escape it on output
    description: str


def iter_debts(ledger: Ledger, table_dues: TableDues) -> Iterator[Debt]:
    """Yield the players at a table who owe, wait or may not play."""
    for seat_due in table_dues.due.seats:
        description = _describe_debt(seat_due, table_dues)
        if description:
            yield Debt(seat_due.seat, find_player_name(ledger, seat_due.player), description)


def find_player_name(ledger: Ledger, player: PlayerId) -> str:
    """Return a player's name, or the first characters of the id if there is no name."""
    return ledger.people.name(player) or f"({player[:6]})"


def _describe_debt(seat_due: SeatDue, table_dues: TableDues) -> str:
    """Return what a player posts, missed or waits for; "" for a player who just plays on."""

    def format_chips(chips: int | None) -> str:
        return "?" if chips is None else amount(chips, table_dues.unit, table_dues.exponent)

    parts = []
    if seat_due.post:
        dead_text = format_chips(seat_due.dead) if seat_due.dead != 0 else ""
        parts.append(posts_sum(format_chips(seat_due.live), dead_text))
    elif seat_due.missed:
        parts.append(missed_blinds([missed.role for missed in seat_due.missed]))
    if seat_due.possible_posts:
        parts.append(post_open())
    if seat_due.status in ("waiting", "away", "broke"):
        parts.append(standing_name(seat_due.status))
    return join_statements(parts)
