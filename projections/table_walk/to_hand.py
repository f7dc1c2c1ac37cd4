"""A table walked to one of its hands: where the walk begins, and what was due on the hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from projections.table_walk.table_context import Table

if TYPE_CHECKING:
    from ledger.table.breaks import Break
    from ledger.table.events import HandPlayed
    from ledger.table.standing import Told
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import UnreadLines
    from projections.obligations.dues import Due

Walked: TypeAlias = Callable[[int], None]
"""Is told how many hands of a table were walked so far."""


def unwatched(_hands: int) -> None:
    """Nobody waits to see how far it is."""


class Start(NamedTuple):
    """Where a walk of a table begins: what it was told from there on, and the table as it stood there, under some books.

    `table` makes a new one each time; `told` can be gone through again; `broken` returns where the chain of its hands
    broke before.
    """

    told: Iterable[Told]
    table: Callable[[Sequence[Rulebook]], Table]
    broken: Callable[[], list[Break]] = list


def at_first(told: Iterable[Told], spoiled: Mapping[str, UnreadLines] = MappingProxyType({})) -> Start:
    """Begin at a table's first hand."""
    return Start(told, lambda books: Table(books, spoiled))


def due_before(
    start: Start, books: Sequence[Rulebook], hand: str | None = None, walked: Walked = unwatched
) -> tuple[Table, HandPlayed | None, list[Due]]:
    """Return a table before one of its hands, that hand, and what was due on it under each book.

    `walked` is told how many of its hands were walked so far.

    `hand` is the id of the hand's stream, hex; None, or a hand that was not played here: the coming
    hand, and None in its place.
    """
    table = start.table(books)
    for count, contexts in enumerate(table.contexts(start.told), 1):
        walked(count)
        if contexts.hand.hand == hand:
            dues = {book.name: contexts[book.name].due for book in books}
            return table, contexts.hand, [table.doubted(*book_due, contexts.hand) for book_due in dues.items()]
    return table, None, [table.doubted(*book_due, None) for book_due in table.coming().items()]
