"""Run a query on a ledger: expand saved queries, look up names, choose the rulebooks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fnmatch import filter as filter_names
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from sqlalchemy import select

from ledger.errors import NoRulebookError, UsageError
from ledger.store.requests.erasure import same_person
from ledger.text.language import phrase
from projections.addresses import source_names
from projections.addresses.hand_address import find_matching
from projections.addresses.person_address import find_person, unknown_person_error
from projections.addresses.query_values import quote_query_value
from projections.addresses.room_days import parse_day_start
from projections.addresses.suggestions import suggest_names
from projections.audit import house_audit
from projections.books import rulebook
from projections.books.shelf import Shelf, load_books
from projections.queries.finding_phrases import replace_phrases
from projections.queries.query_checks import check_query
from projections.queries.query_grammar import And, Not, Or, Query, Term, parse_syntax, query_error
from projections.queries.query_run import open_hand_selection
from projections.queries.query_terms import find_book_names, find_terms, has_finding_term, join_with_dot
from projections.queries.saved_queries import expand_saved_queries
from projections.tables.finding_tables import kept_findings
from projections.tables.result_tables import hand_results

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from projections.books.rulebook import Rulebook
    from projections.queries.query_run import HandSelection
    from projections.tables.judgement_update import Progress


class LedgerNames:
    """Looks up people, sources and hands of a ledger by the names in a query."""

    def __init__(self, ledger: Ledger) -> None:
        """Create the lookup of a ledger's names."""
        self._ledger = ledger

    def find_people(self, name: str) -> list[str]:
        """Return the ids of all people with this name, in every room; `*` matches any letters."""
        ledger = self._ledger
        if "*" in name:
            pattern = name.casefold().replace("[", "[[]")
            with ledger.database.reading() as connection:
                player_ids = [
                    player_id
                    for player_id, _, known_name in ledger.people.all_names(connection)
                    if fnmatchcase(known_name.casefold(), pattern)
                ]
            if not player_ids:
                raise unknown_person_error(ledger, name)
        else:
            player_ids = ledger.people.find_players(name) or [find_person(ledger, name)]
        return sorted({merged_id for player_id in player_ids for merged_id in same_person(ledger, player_id)})

    def find_sources(self, name: str) -> list[str]:
        """Return the digests of the files with this name."""
        return source_names.find_sources(self._ledger, name)

    def find_hands(self, address: str) -> list[int]:
        """Return the positions of the hands at an address."""
        return [row.position for row in find_matching(self._ledger, address)]


def parse_query(text: str) -> Query:
    """Parse a query, replace its phrases, and check its fields and words."""
    return check_query(replace_phrases(parse_syntax(text), text), text)


def choose_books(ledger: Ledger, text: str | None, books: list[Rulebook]) -> list[Rulebook]:
    """Return the given rulebooks, else those that the query names, else those that the house adopted."""
    return books or _default_books(ledger, find_named_books(ledger, text))


def find_named_books(ledger: Ledger, text: str | None) -> list[str]:
    """Return the names of the rulebooks in a query; [] without a query."""
    if text is None:
        return []
    return find_book_names(
        parse_query(expand_saved_queries(ledger, text)), [*Shelf(ledger).list_names(), rulebook.BUILT_IN]
    )


@contextmanager
def select_hands(
    ledger: Ledger,
    text: str | None,
    day_begins_at: str,
    books: Iterable[Rulebook] = (),
    *,
    judge: bool = False,
    group_fields: Sequence[str] = (),
    statistics: bool = False,
    progress: Progress | None = None,
    on_log_progress: Progress | None = None,
) -> Iterator[HandSelection]:
    """Open the selection of hands that match a query, or of all hands without one.

    Findings are those under `books`, else under the books in the query, else under the house's books. `judge` loads
    findings even if the query has no term about them. `group_fields`: what the caller groups the hands by.
    `statistics`: load the statistics of players. `day_begins_at`: clock time such as 06:00. `progress` and
    `on_log_progress`: as for `open_tables`.
    """
    text = None if text is None else expand_saved_queries(ledger, text)
    query = None if text is None else parse_query(text)
    needs_findings = judge or (query is not None and has_finding_term(query))
    given_books = list(books)
    rulebooks = choose_books(ledger, text, given_books) if needs_findings else []
    uses_house_books = needs_findings and not given_books and not find_named_books(ledger, text)
    if query is not None and text is not None and needs_findings:
        _check_clauses(query, text, rulebooks)
        query = _strip_editions(query, rulebooks)
    with open_hand_selection(
        ledger,
        query,
        text or "",
        LedgerNames(ledger),
        parse_day_start(day_begins_at),
        rulebooks,
        uses_house_books=uses_house_books,
        by_dealer="dealer" in group_fields,
        statistics=statistics,
        progress=progress,
        on_log_progress=on_log_progress,
    ) as selection:
        yield selection


def _check_clauses(query: Query, text: str, books: Sequence[Rulebook]) -> None:
    """Raise `QueryError` if a clause is in none of the books. An empty result would look as if nothing were wrong."""
    clause_terms = [*find_terms(query, "clause")]
    if not clause_terms:
        return
    all_books = *books, rulebook.load(rulebook.BUILT_IN)
    books_by_name = {name: book for book in all_books for name in (book.name, book.plain_name)}
    clauses = [(name, clause) for name, book in books_by_name.items() for clause in book.clauses]
    cited_clauses = {f"{name}.{clause}".casefold() for name, clause in clauses}
    clause_ids = {clause.casefold(): clause for _, clause in clauses}
    book_names = [*dict.fromkeys(name for name, _ in clauses)]
    for term in clause_terms:
        for value, offset in zip(term.values, term.value_offsets, strict=True):
            pattern = value.casefold().replace("[", "[[]")
            if not filter_names(cited_clauses, join_with_dot(pattern)) and not filter_names(clause_ids, pattern):
                reason = phrase(
                    "no clause of {books} is called {value}", books=", ".join(book_names), value=repr(value)
                )
                raise query_error(text, offset, reason, _suggest_clauses(pattern, book_names, clause_ids.values()))


def _suggest_clauses(pattern: str, book_names: Sequence[str], clause_ids: Iterable[str]) -> str:
    """Return the clauses nearest to an unknown one, which may begin with a book's name."""
    book_part, _, clause_part = pattern.partition(".")
    clause_pattern = clause_part if book_part in book_names else pattern
    return suggest_names(clause_pattern, clause_ids, phrase("handledger rules BOOK lists the clauses of one."))


def _strip_editions(query: Query, books: Sequence[Rulebook]) -> Query:
    """Replace NAME@EDITION of the house's own books by NAME: findings are stored without the edition.

    Raise `UsageError` if the books include two editions of one book.
    """
    match query:
        case Term(field="book" | "clause"):
            for book in books:
                plain_values = tuple(_strip_edition(value, book) for value in query.values)
                if plain_values != tuple(query.values):
                    if [other_book.plain_name for other_book in books].count(book.plain_name) > 1:
                        raise UsageError(
                            phrase(
                                "the query names {book} and another edition of {name}",
                                book=book.name,
                                name=book.plain_name,
                            ),
                            phrase("Ask for one edition per query."),
                        )
                    query = replace(query, values=plain_values)
            return query
        case Not():
            return replace(query, operand=_strip_editions(query.operand, books))
        case And() | Or():
            return replace(query, operands=tuple(_strip_editions(operand, books) for operand in query.operands))
    return query


def _strip_edition(value: str, book: Rulebook) -> str:
    """Return a book or clause of a query, with the book's name replaced by its plain name."""
    prefix, _, clause = join_with_dot(value).partition(f"{book.name}.")
    if book.name == book.plain_name or (value != book.name and (prefix or not clause)):
        return value
    return f"{book.plain_name}.{clause}" if clause else book.plain_name


def _default_books(ledger: Ledger, book_names: list[str]) -> list[Rulebook]:
    """Return the books with these names, else those that the house adopted; raise if there are none."""
    if book_names:
        return load_books(ledger, book_names)
    adopted_books = house_audit.House(ledger).list_books() if house_audit.has_adopted_books(ledger) else []
    if not adopted_books:
        raise NoRulebookError(
            phrase("this query is about findings, but names no rulebook, and the house hasn't adopted one"),
            phrase(
                "Add one, as in book:hilton or clause:hilton.B8*. The rulebooks: {names}.",
                names=", ".join(Shelf(ledger).list_names()),
            ),
        )
    return adopted_books


def list_matching_hands(ledger: Ledger, text: str, day_begins_at: str, books: Iterable[Rulebook] = ()) -> list[HandRow]:
    """Return the matching hands in playing order, one account of each: the one in force."""
    with select_hands(ledger, text, day_begins_at, books) as selection:
        return list(selection.iter_rows())


def find_matching_findings(ledger: Ledger, text: str, day_begins_at: str) -> set[str]:
    """Return the fingerprints of the house's findings that match a query."""
    with select_hands(ledger, text, day_begins_at, judge=True) as selection:
        conditions = selection.conditions
        statement = select(kept_findings.c.finding).where(
            selection.counted_findings,
            kept_findings.c.position.in_(select(hand_results.c.position).where(conditions.hands)),
            *([] if conditions.findings is None else [conditions.findings]),
        )
        return {str(json.loads(bytes(row[0]))["fingerprint"]) for row in selection.fetch_rows(statement)}


def has_matching_hands(ledger: Ledger, text: str, day_begins_at: str) -> bool:
    """Whether any hand may match a query without its terms about findings. Always true for alternatives (`or`)."""
    if isinstance(parse_query(text), Or):
        return True
    with select_hands(ledger, text, day_begins_at, judge=True) as selection:
        return selection.without_finding_terms().count_hands() > 0


def add_option_terms(text: str | None, options: Mapping[str, str | None]) -> str | None:
    """Add a term to a query for each command option: `--table T7` adds `table:"T7"`.

    Return None if there is neither a query nor an option.
    """
    terms = [f"{name}:{quote_query_value(value)}" for name, value in options.items() if value is not None]
    if text is not None:
        parse_query(text)  # so that an error points into the user's text
        terms.append(f"({text})")
    return " ".join(terms) or None
