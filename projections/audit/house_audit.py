"""Judge each hand under the rulebook that the house had adopted when it was played, if the user names no book."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ledger.errors import HandledgerError, NothingFoundError, UsageError
from ledger.house.books import ADOPTIONS, Adoption, drop_replaced, find_books_in_force, read_adoptions
from ledger.streams import HOUSE
from ledger.text.language import join_sentences, phrase
from projections.audit.audit_result import BookRef, make_book_ref, merge_books
from projections.books import rulebook
from projections.books.shelf import Shelf, suggest_books

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.vocabulary import Millis
    from projections.audit.audit_result import AuditResult
    from projections.books.rulebook import Rulebook

    HandsByTable = Iterator[tuple[TableKey, Iterable[HandRow]]]


def has_adopted_books(ledger: Ledger) -> bool:
    """Whether the house has ever adopted a rulebook."""
    return bool(read_adoptions(ledger.entries_of_types(HOUSE, *ADOPTIONS)))


def load_judging_books(ledger: Ledger) -> list[Rulebook]:
    """Load the books to judge under if the user names none: the house's, or `record` if it adopted none."""
    return House(ledger).list_books() if has_adopted_books(ledger) else [rulebook.load(rulebook.BUILT_IN)]


class AdoptionPeriod(NamedTuple):
    """A period in which the house played by one book at a table."""

    digest: str  # of the book; empty if the house had adopted none
    start: Millis | None  # None for a period from the first hand on
    end: Millis | None  # None for a period that lasts until today
    is_undated: bool = False  # for hands without a time; of several such periods, any may apply


class House:
    """The adoptions in a house's stream, and the adopted books."""

    def __init__(self, ledger: Ledger) -> None:
        """Read the stream. Raise `UsageError` if the house adopted no book."""
        self._ledger = ledger
        self._shelf = Shelf(ledger)
        self._adopted = self._shelf.adopted
        if not self._adopted:
            raise UsageError(
                phrase("no rulebook is chosen, and the house hasn't adopted one"),
                join_sentences(
                    [suggest_books(rulebook.list_names()), phrase("To adopt one: handledger rules adopt hilton")]
                ),
            )

    def find_book(self, venue: str, table: str, moment: Millis | None) -> Rulebook:
        """Return the book in force at a table at a time. If `moment` is None, the time is unknown.

        `UsageError` if no book was in force, or if the time is unknown and several books may have been.
        """
        possible_books = self.find_possible_books(venue, table, moment)
        if len(possible_books) == 1:
            return possible_books.pop()
        table_name = repr(table)
        if possible_books:
            raise UsageError(
                f"a hand of table {table_name} has no time, so I can't tell which of the house's rulebooks was in force",
                suggest_books(self._shelf.list_names()),
            )
        if moment is None:
            sentence = phrase("no rulebook is adopted for table {table}", table=table_name)
        else:
            day = _format_day(moment)
            sentence = phrase("no rulebook is adopted for table {table} on {day}", table=table_name, day=day)
        raise UsageError(sentence, suggest_books(self._shelf.list_names()))

    def find_possible_books(self, venue: str, table: str, moment: Millis | None) -> set[Rulebook]:
        """Return the book in force at a table at a time, as a set, which is empty if there was none.

        If `moment` is None, the time is unknown: the set has every book that may have been in force.
        """
        return {
            self._shelf.load_adopted(adoption) for adoption in find_books_in_force(self._adopted, venue, table, moment)
        }

    def list_places(self) -> list[tuple[str, str]]:
        """Return the venue and name of each table with hands, or one empty pair if all adoptions are for all tables."""
        if not any(adoption.venue or adoption.table for adoption in self._adopted):
            return [("", "")]
        return list(dict.fromkeys((row.venue, row.table) for row in self._ledger.tables()))

    def list_periods(self, venue: str, table: str) -> tuple[AdoptionPeriod, ...]:
        """Return the periods of the books at a table: first those for hands without a time, then by date."""
        table_adoptions = [adoption for adoption in self._adopted if adoption.is_for_table(venue, table)]
        periods = self._list_dated_periods(table_adoptions, venue, table)
        has_single_book = len(periods) == 1 and bool(periods[0].digest)  # it applies to hands without a time, too
        if not table_adoptions or has_single_book:
            return tuple(periods)
        undated_digests = dict.fromkeys(
            self._shelf.load_adopted(adoption).digest
            for adoption in find_books_in_force(table_adoptions, venue, table, None)
        )
        undated_periods = [AdoptionPeriod(digest, None, None, is_undated=True) for digest in undated_digests]
        return (*undated_periods, *periods)

    def _list_dated_periods(self, table_adoptions: Sequence[Adoption], venue: str, table: str) -> list[AdoptionPeriod]:
        """Return the periods between changes of the book, by date; the first begins at None, the last ends there."""
        change_moments = sorted(
            {
                moment
                for adoption in table_adoptions
                for moment in (adoption.since, adoption.until)
                if moment is not None
            }
        )
        # The period before the first change begins at None, so look up its book just before that change.
        moment_before_changes = change_moments[0] - 1 if change_moments else 0
        periods: list[AdoptionPeriod] = []
        for period_start, period_end in zip([None, *change_moments], [*change_moments, None], strict=True):
            moment = moment_before_changes if period_start is None else period_start
            digest = self._find_digest(table_adoptions, venue, table, moment)
            if periods and periods[-1].digest == digest:
                periods[-1] = periods[-1]._replace(end=period_end)
            else:
                periods.append(AdoptionPeriod(digest, period_start, period_end))
        return periods

    def _find_digest(self, adoptions: Sequence[Adoption], venue: str, table: str, moment: Millis) -> str:
        """Return the digest of the book in force at a table at a time, or "" if there was none."""
        adoption = next(iter(find_books_in_force(adoptions, venue, table, moment)), None)
        return "" if adoption is None else self._shelf.load_adopted(adoption).digest

    def was_adopted_at(self, book: Rulebook, venue: str, table: str) -> bool:
        """Whether a book was ever in force at a table.

        Call `list_books` first: a book that it didn't load counts as absent. An adoption for all tables may never
        apply here, because one for this table alone takes precedence.
        """
        table_books = [
            self._shelf.find_loaded(adoption) for adoption in self._adopted if adoption.is_for_table(venue, table)
        ]
        # The only adoption for a table applies there for sure. Among several, look at the periods.
        if book not in table_books or len(table_books) == 1:
            return book in table_books
        return any(period.digest == book.digest for period in self.list_periods(venue, table))

    def list_books(self) -> list[Rulebook]:
        """Return all books that were ever adopted, in the order of adoption.

        Raise an error for a book whose file is missing, unless no table with hands plays by it.
        """
        loaded_books, current_adoptions = [], drop_replaced(self._adopted)
        for adoption in self._adopted:
            try:
                loaded_books.append(self._shelf.load_adopted(adoption))
            except HandledgerError:
                if adoption in current_adoptions and any(
                    adoption.is_for_table(row.venue, row.table) for row in self._ledger.tables()
                ):
                    raise
        return list(dict.fromkeys(loaded_books))

    def make_reference_at(self, book: Rulebook, venue: str, table: str, moment: Millis | None) -> BookRef:
        """Return the reference to the book in force at a table, with the day on which that adoption began."""
        return self._build_reference(book, find_books_in_force(self._adopted, venue, table, moment))

    def make_reference(self, book: Rulebook) -> BookRef:
        """Return the reference to a book, with the days on which its adoptions began.

        The book must have been loaded by `list_books`, `find_possible_books` or `find_book`. Adoptions that none of them loaded
        don't count.
        """
        return self._build_reference(book, self._adopted)

    def _build_reference(self, book: Rulebook, adoptions: Sequence[Adoption]) -> BookRef:
        days = [
            "for all hands" if adoption.since is None else _format_day(adoption.since)
            for adoption in adoptions
            if self._shelf.find_loaded(adoption) is book
        ]
        return msgspec.structs.replace(make_book_ref(book), adopted=", ".join(dict.fromkeys(days)))


def judge_under_house_books(
    ledger: Ledger,
    list_hands: Callable[[], HandsByTable],
    judge: Callable[[HandsByTable, list[Rulebook]], AuditResult],
    load_kept_result: Callable[[Rulebook], AuditResult | None] | None = None,
) -> AuditResult:
    """Judge each hand under the book in force at its table when it started. `NothingFoundError` if there are no hands.

    `list_hands` is called once to find the books and again for each book. `judge` is called once for each book. If one
    book applies to all hands, `load_kept_result` may return a stored result, and then `judge` isn't called.
    """
    results = judge_by_book(House(ledger), list_hands, judge, load_kept_result)
    return merge_books(results) if len(results) > 1 else results[0]


def judge_by_book(
    house: House,
    list_hands: Callable[[], HandsByTable],
    judge: Callable[[HandsByTable, list[Rulebook]], AuditResult],
    load_kept_result: Callable[[Rulebook], AuditResult | None] | None = None,
) -> list[AuditResult]:
    """Judge as `judge_under_house_books` does, but return a result for each book, in the order of first use."""

    def find_row_book(row: HandRow) -> Rulebook:
        return house.find_book(row.venue, row.table, row.started)

    books = dict.fromkeys(find_row_book(row) for _, rows in list_hands() for row in rows)
    if not books:
        raise NothingFoundError("no hands match", "handledger log lists the hands.")

    def iter_rows_under(book: Rulebook) -> HandsByTable:
        for table_key, rows in list_hands():
            yield table_key, (row for row in rows if find_row_book(row) is book)

    stored_result = load_kept_result(next(iter(books))) if load_kept_result is not None and len(books) == 1 else None
    results = [judge(iter_rows_under(book), [book]) for book in books] if stored_result is None else [stored_result]
    refs = {book.name: house.make_reference(book) for book in books}
    for result in results:
        result.books = [refs.get(ref.name, ref) for ref in result.books]
    return results


def _format_day(moment: Millis) -> str:
    """Return the day of a time in UTC, or "?" if the calendar doesn't reach it."""
    if not -62_135_596_800_000 < moment < 253_402_300_800_000:  # years 1 to 9999
        return "?"
    return datetime.fromtimestamp(moment / 1000, UTC).strftime("%Y-%m-%d")
