"""The rulebooks that the house adopted: what is judged by where no `-r` is said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ledger.errors import HandledgerError, NothingFoundError, UsageError
from ledger.house.books import ADOPTIONS, adoptions, in_force, standing
from ledger.streams import HOUSE
from projections.audit.audit_result import BookRef, joined, reference
from projections.books import rulebook
from projections.books.shelf import Shelf, choice_hint

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from ledger.store.hands.hand_accounts import Place
    from ledger.vocabulary import Millis
    from projections.audit.audit_result import AuditResult
    from projections.books.rulebook import Rulebook

    Wanted = Iterator[tuple[Place, Iterable[HandRow]]]


def any_in(ledger: Ledger) -> bool:
    """Whether the house has ever adopted a rulebook."""
    return bool(adoptions(ledger.told(HOUSE, *ADOPTIONS)))


def judging_books(ledger: Ledger) -> list[Rulebook]:
    """Return the books under which hands are judged where none is named: the house's; without any, `record` alone."""
    return House(ledger).books() if any_in(ledger) else [rulebook.load(rulebook.BUILT_IN)]


class Spell(NamedTuple):
    """From when until when a book was the house's at a table; of hands that tell no time, `untold`, it may have been."""

    digest: str  # of the book; "" = the house had adopted none
    since: Millis | None
    until: Millis | None
    untold: bool = False


class House:
    """What a house's stream says of rulebooks, and the books themselves."""

    def __init__(self, ledger: Ledger) -> None:
        """Read the stream. A house that adopted nothing is an error: which book is not told."""
        self._ledger = ledger
        self._shelf = Shelf(ledger)
        self._adopted = self._shelf.adopted
        if not self._adopted:
            raise UsageError("under which rulebook?", f"{choice_hint(rulebook.names())} The house has adopted none.")

    def under(self, venue: str, table: str, at: Millis | None) -> Rulebook:
        """Return the book that was in force at a table at a time; `at` None = not told."""
        books = self.in_force(venue, table, at)
        if len(books) == 1:
            return books.pop()
        table_name = repr(table)
        if books:
            raise UsageError(
                f"under which rulebook? A hand of table {table_name} tells no time, and the house changed its book",
                choice_hint(self._shelf.names()),
            )
        date_suffix = "" if at is None else f" on {_format_day(at)}"
        raise UsageError(
            f"under which rulebook? The house had adopted none for table {table_name}{date_suffix}",
            choice_hint(self._shelf.names()),
        )

    def in_force(self, venue: str, table: str, at: Millis | None) -> set[Rulebook]:
        """Return the books that may have been in force at a table at a time; `at` None = not told."""
        return {self._shelf.book(adoption) for adoption in in_force(self._adopted, venue, table, at)}

    def places(self) -> list[tuple[str, str]]:
        """Return the venues and tables of hands; where one book is adopted for all alike, no matter which, one stands for all."""
        if not any(adoption.venue or adoption.table for adoption in self._adopted):
            return [("", "")]
        return list(dict.fromkeys((row.venue, row.table) for row in self._ledger.tables()))

    def spells(self, venue: str, table: str) -> tuple[Spell, ...]:
        """Return which books were in force at a table, one after the other; first those of hands that tell no time."""
        reaching = [adoption for adoption in self._adopted if adoption.reaches(venue, table)]
        bounds = sorted(
            {moment for adoption in reaching for moment in (adoption.since, adoption.until) if moment is not None}
        )
        spells: list[Spell] = []
        for spell_start, spell_end in zip([None, *bounds], [*bounds, None], strict=True):
            moment = spell_start if spell_start is not None else bounds[0] - 1 if bounds else 0
            digest = next(
                (self._shelf.book(adoption).digest for adoption in in_force(reaching, venue, table, moment)), ""
            )
            if spells and spells[-1].digest == digest:
                spells[-1] = spells[-1]._replace(until=spell_end)
            else:
                spells.append(Spell(digest, spell_start, spell_end))
        if not reaching or (len(spells) == 1 and spells[0].digest):
            return tuple(spells)
        undated_digests = dict.fromkeys(
            self._shelf.book(adoption).digest for adoption in in_force(reaching, venue, table, None)
        )
        return (*(Spell(digest, None, None, untold=True) for digest in undated_digests), *spells)

    def reaches(self, book: Rulebook, venue: str, table: str) -> bool:
        """Whether a book, of those that `books` gave, was ever the house's at a table: one adopted there alone may stand for it."""
        reaching_books = [
            self._shelf.loaded_book(adoption) for adoption in self._adopted if adoption.reaches(venue, table)
        ]
        if book not in reaching_books or len(reaching_books) == 1:
            return book in reaching_books
        return any(spell.digest == book.digest for spell in self.spells(venue, table))

    def books(self) -> list[Rulebook]:
        """Return all books that were ever adopted, in their order.

        One that is not here is an error, unless no hand was played where it is in force.
        """
        loaded_books, current_adoptions = [], standing(self._adopted)
        for adoption in self._adopted:
            try:
                loaded_books.append(self._shelf.book(adoption))
            except HandledgerError:
                if adoption in current_adoptions and any(
                    adoption.reaches(row.venue, row.table) for row in self._ledger.tables()
                ):
                    raise
        return list(dict.fromkeys(loaded_books))

    def reference(self, book: Rulebook) -> BookRef:
        """Return which book this is, and since when it is the house's."""
        days = [
            "for all its hands" if adoption.since is None else _format_day(adoption.since)
            for adoption in self._adopted
            if self._shelf.loaded_book(adoption) is book
        ]
        return msgspec.structs.replace(reference(book), adopted=", ".join(dict.fromkeys(days)))


def judged(
    ledger: Ledger,
    wanted: Callable[[], Wanted],
    judge: Callable[[Wanted, list[Rulebook]], AuditResult],
    whole: Callable[[Rulebook], AuditResult | None] | None = None,
) -> AuditResult:
    """Judge each hand under the book that was the house's at its table when it began.

    `wanted` gives the hands anew each time, `judge` judges some under some books; `whole` gives what is
    kept of all of them under one book, where one book is the house's for all.
    """
    results = by_book(House(ledger), wanted, judge, whole)
    return joined(results) if len(results) > 1 else results[0]


def by_book(
    house: House,
    wanted: Callable[[], Wanted],
    judge: Callable[[Wanted, list[Rulebook]], AuditResult],
    whole: Callable[[Rulebook], AuditResult | None] | None = None,
) -> list[AuditResult]:
    """Judge as `judged` does; return what was found under each book, in the order in which hands need them."""

    def book_of(row: HandRow) -> Rulebook:
        return house.under(row.venue, row.table, row.started)

    books = dict.fromkeys(book_of(row) for _, rows in wanted() for row in rows)
    if not books:
        raise NothingFoundError("no hands match", "handledger log lists the hands.")

    def rows_under(book: Rulebook) -> Wanted:
        for place, rows in wanted():
            yield place, (row for row in rows if book_of(row) is book)

    stored_result = whole(next(iter(books))) if whole is not None and len(books) == 1 else None
    results = [judge(rows_under(book), [book]) for book in books] if stored_result is None else [stored_result]
    refs = {book.name: house.reference(book) for book in books}
    for result in results:
        result.books = [refs.get(ref.name, ref) for ref in result.books]
    return results


def _format_day(moment: Millis) -> str:
    if not -62_135_596_800_000 < moment < 253_402_300_800_000:  # years 1 to 9999
        return "?"
    return datetime.fromtimestamp(moment / 1000, UTC).strftime("%Y-%m-%d")
