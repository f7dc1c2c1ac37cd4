"""Queries asked of a ledger: what is kept under names, whom and what they name, whose findings are meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fnmatch import filter as filter_names
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING

from ledger.errors import NoRulebookError, UsageError
from ledger.store.erasing import same_person
from projections.addresses.hand_address import matching, nobody, person
from projections.addresses.query_values import quoted
from projections.addresses.room_days import day_begins
from projections.addresses.source_names import named as named_sources
from projections.addresses.suggestions import near
from projections.audit import house_audit
from projections.books import rulebook
from projections.books.shelf import Shelf, chosen
from projections.queries.grammar import And, Not, Or, Query, Term, parse, wrong
from projections.queries.query_run import asking
from projections.queries.saved_queries import expanded
from projections.queries.sql import as_cited, asks_findings, books_of, checked, terms_of

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from projections.books.rulebook import Rulebook
    from projections.queries.grammar import Query
    from projections.queries.query_run import Asked
    from projections.tables.judgement_update import Progress


class InLedger:
    """What a query names and only the ledger knows."""

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger."""
        self._ledger = ledger

    def people(self, name: str) -> list[str]:
        """Return the ids of whoever is called so, in every room; `*` stands for any letters."""
        ledger = self._ledger
        if "*" in name:
            pattern = name.casefold().replace("[", "[[]")
            with ledger.database.reading() as link:
                found = [
                    one for one, _, known in ledger.people.all_names(link) if fnmatchcase(known.casefold(), pattern)
                ]
            if not found:
                raise nobody(ledger, name)
        else:
            found = ledger.people.called(name) or [person(ledger, name)]
        return sorted({same for one in found for same in same_person(ledger, one)})

    def sources(self, name: str) -> list[str]:
        """Return the digests of the files that are called so."""
        return named_sources(self._ledger, name)

    def hands(self, address: str) -> list[int]:
        """Return the positions of the hands that an address names."""
        return [row.position for row in matching(self._ledger, address)]


def query_of(text: str) -> Query:
    """Read a query."""
    return checked(parse(text), text)


def judged_by(ledger: Ledger, text: str | None, books: list[Rulebook]) -> list[Rulebook]:
    """Return the books whose findings are meant: those asked for, else those that the query names or the house adopted."""
    return books or _books(ledger, books_named(ledger, text))


def books_named(ledger: Ledger, text: str | None) -> list[str]:
    """Return the books that a query names."""
    return [] if text is None else books_of(query_of(expanded(ledger, text)), Shelf(ledger).names())


@contextmanager
def asked(
    ledger: Ledger,
    text: str | None,
    begins: str,
    books: Iterable[Rulebook] = (),
    *,
    judge: bool = False,
    by: Sequence[str] = (),
    progress: Progress | None = None,
    followed: Progress | None = None,
) -> Iterator[Asked]:
    """Lend the answers to a query; findings are those under `books`, else under the books that the house adopted.

    `judge`: findings are wanted though the query asks none; `by`: how hands will be grouped;
    `progress` and `followed`: as for `kept`.
    """
    text = None if text is None else expanded(ledger, text)
    query = None if text is None else query_of(text)
    wanted = judge or (query is not None and asks_findings(query))
    said = list(books)
    under = judged_by(ledger, text, said) if wanted else []
    own = wanted and not said and not books_named(ledger, text)
    if query is not None and text is not None and wanted:
        _there(query, text, under)
        query = _as_kept(query, under)
    known, day, dealers = InLedger(ledger), day_begins(begins), "dealer" in by
    far = partial(asking, progress=progress, followed=followed)
    with far(ledger, query, text or "", known, day, under, adopted=own, dealers=dealers) as found:
        yield found


def _there(query: Query, text: str, books: Sequence[Rulebook]) -> None:
    """Refuse a clause that is in none of the books: nothing was found of it, and that would read as if all were well."""
    asked = [*terms_of(query, "clause")]
    if not asked:
        return
    every = *books, rulebook.load(rulebook.BUILT_IN)
    named = {name: book for book in every for name in (book.name, book.plain_name)}
    clauses = [(name, one) for name, book in named.items() for one in book.clauses]
    cited = {f"{name}.{one}".casefold() for name, one in clauses}
    ids = {one.casefold(): one for _, one in clauses}
    for term in asked:
        for value, at in zip(term.values, term.values_at, strict=True):
            pattern = value.casefold().replace("[", "[[]")
            if not filter_names(cited, as_cited(pattern)) and not filter_names(ids, pattern):
                said = ", ".join(dict.fromkeys(name for name, _ in clauses))
                bare = pattern.partition(".")[2] if pattern.partition(".")[0] in said.split(", ") else pattern
                hint = near(bare, ids.values(), "handledger rules BOOK lists the clauses of one.")
                raise wrong(text, at, f"no clause of {said} is called {value!r}", hint)


def _as_kept(query: Query, books: Sequence[Rulebook]) -> Query:
    """Return a query that names an edition of the house's own book as its findings are kept: without the edition."""
    match query:
        case Term(field="book" | "clause"):
            for book in books:
                mine = tuple(_plain(value, book) for value in query.values)
                if mine != tuple(query.values):
                    if sum(other.plain_name == book.plain_name for other in books) > 1:
                        raise UsageError(
                            f"{book.name} beside another edition of {book.plain_name} in one query",
                            "Ask for each by itself.",
                        )
                    query = replace(query, values=mine)
            return query
        case Not():
            return replace(query, one=_as_kept(query.one, books))
        case And():
            return replace(query, every=tuple(_as_kept(one, books) for one in query.every))
        case Or():
            return replace(query, either=tuple(_as_kept(one, books) for one in query.either))
    return query


def _plain(value: str, book: Rulebook) -> str:
    """Return a value of a query with the plain name of a book where it says its name."""
    said, _, clause = as_cited(value).partition(f"{book.name}.")
    if book.name == book.plain_name or (value != book.name and (said or not clause)):
        return value
    return f"{book.plain_name}.{clause}" if clause else book.plain_name


def _books(ledger: Ledger, named: list[str]) -> list[Rulebook]:
    """Return the books that a query names, else those that the house adopted."""
    if named:
        return chosen(ledger, named)
    found = house_audit.House(ledger).books() if house_audit.any_in(ledger) else []
    if not found:
        raise NoRulebookError(
            "findings under which rulebook?",
            f"Name it in the query (clause:hilton.B8*, book:hilton); the house has adopted none. "
            f"There are: {', '.join(Shelf(ledger).names())}.",
        )
    return found


def fitting(ledger: Ledger, text: str, begins: str, books: Iterable[Rulebook] = ()) -> list[HandRow]:
    """Return the hands that fit, of each the account that stands, in the order in which they were played."""
    with asked(ledger, text, begins, books) as found:
        return list(found.rows())


def beside(text: str | None, options: Mapping[str, str | None]) -> str | None:
    """Return a query with what options say besides: `--table T7` is `table:"T7"`."""
    terms = [f"{name}:{quoted(value)}" for name, value in options.items() if value is not None]
    if text is not None:
        query_of(text)  # an error points into what was written
        terms.append(f"({text})")
    return " ".join(terms) or None
