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
    from ledger.store.accounts import Place
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
        found = self.in_force(venue, table, at)
        if len(found) == 1:
            return found.pop()
        where = repr(table)
        if found:
            raise UsageError(
                f"under which rulebook? A hand of table {where} tells no time, and the house changed its book",
                choice_hint(self._shelf.names()),
            )
        when = "" if at is None else f" on {_day(at)}"
        raise UsageError(
            f"under which rulebook? The house had adopted none for table {where}{when}",
            choice_hint(self._shelf.names()),
        )

    def in_force(self, venue: str, table: str, at: Millis | None) -> set[Rulebook]:
        """Return the books that may have been in force at a table at a time; `at` None = not told."""
        return {self._shelf.book(one) for one in in_force(self._adopted, venue, table, at)}

    def places(self) -> list[tuple[str, str]]:
        """Return the venues and tables of hands; where one book is adopted for all alike, no matter which, one stands for all."""
        if not any(one.venue or one.table for one in self._adopted):
            return [("", "")]
        return list(dict.fromkeys((row.venue, row.table) for row in self._ledger.tables()))

    def spells(self, venue: str, table: str) -> tuple[Spell, ...]:
        """Return which books were in force at a table, one after the other; first those of hands that tell no time."""
        near = [one for one in self._adopted if one.reaches(venue, table)]
        bounds = sorted({at for one in near for at in (one.since, one.until) if at is not None})
        found: list[Spell] = []
        for since, until in zip([None, *bounds], [*bounds, None], strict=True):
            at = since if since is not None else bounds[0] - 1 if bounds else 0
            digest = next((self._shelf.book(one).digest for one in in_force(near, venue, table, at)), "")
            if found and found[-1].digest == digest:
                found[-1] = found[-1]._replace(until=until)
            else:
                found.append(Spell(digest, since, until))
        if not near or (len(found) == 1 and found[0].digest):
            return tuple(found)
        untold = dict.fromkeys(self._shelf.book(one).digest for one in in_force(near, venue, table, None))
        return (*(Spell(digest, None, None, untold=True) for digest in untold), *found)

    def reaches(self, book: Rulebook, venue: str, table: str) -> bool:
        """Whether a book, of those that `books` gave, was ever the house's at a table: one adopted there alone may stand for it."""
        near = [self._shelf.loaded_book(one) for one in self._adopted if one.reaches(venue, table)]
        if book not in near or len(near) == 1:
            return book in near
        return any(one.digest == book.digest for one in self.spells(venue, table))

    def books(self) -> list[Rulebook]:
        """Return all books that were ever adopted, in their order.

        One that is not here is an error, unless no hand was played where it is in force.
        """
        found, last = [], standing(self._adopted)
        for one in self._adopted:
            try:
                found.append(self._shelf.book(one))
            except HandledgerError:
                if one in last and any(one.reaches(row.venue, row.table) for row in self._ledger.tables()):
                    raise
        return list(dict.fromkeys(found))

    def reference(self, book: Rulebook) -> BookRef:
        """Return which book this is, and since when it is the house's."""
        days = [
            "for all its hands" if one.since is None else _day(one.since)
            for one in self._adopted
            if self._shelf.loaded_book(one) is book
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
    found = by_book(House(ledger), wanted, judge, whole)
    return joined(found) if len(found) > 1 else found[0]


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

    def of(book: Rulebook) -> Wanted:
        for place, rows in wanted():
            yield place, (row for row in rows if book_of(row) is book)

    kept = whole(next(iter(books))) if whole is not None and len(books) == 1 else None
    found = [judge(of(book), [book]) for book in books] if kept is None else [kept]
    refs = {book.name: house.reference(book) for book in books}
    for one in found:
        one.books = [refs.get(ref.name, ref) for ref in one.books]
    return found


def _day(at: Millis) -> str:
    if not -62_135_596_800_000 < at < 253_402_300_800_000:  # years 1 to 9999
        return "?"
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d")
