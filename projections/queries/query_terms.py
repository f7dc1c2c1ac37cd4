"""Inspect a parsed query: its level, and the fields, books and dealers in its terms."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from projections.queries.fields import FIELDS, WORDS, Level
from projections.queries.query_grammar import And, Not, Or, Query, QueryWord, Term


def find_level(query: Query) -> Level | None:
    """Return what a query is about: hands, seats or findings, or None if its terms are about several."""
    match query:
        case Term():
            return FIELDS[query.field].level if query.field in FIELDS else "hand"
        case QueryWord():
            return WORDS[query.word].level
        case Not():
            return find_level(query.operand)
        case And() | Or():
            operands = query.operands
            levels = {find_level(operand) for operand in operands}
            return levels.pop() if len(levels) == 1 else None


def has_finding_term(query: Query) -> bool:
    """Whether a query has a term about findings."""
    match query:
        case Term() | QueryWord():
            return find_level(query) == "finding"
        case Not():
            return has_finding_term(query.operand)
        case And() | Or():
            return any(map(has_finding_term, query.operands))


def has_dealer_term(query: Query) -> bool:
    """Whether a query has a term about the dealer."""
    match query:
        case Term():
            return query.field == "dealer"
        case Not():
            return has_dealer_term(query.operand)
        case And() | Or():
            return any(map(has_dealer_term, query.operands))
    return False


def join_with_dot(value: str) -> str:
    """Return `hilton.B8a.1` for `hilton B8a.1`: findings have a space, queries a dot."""
    return value.replace(" ", ".", 1)


def find_terms(query: Query, field: str) -> Iterator[Term]:
    """Yield all terms about a field."""
    match query:
        case Term():
            if query.field == field:
                yield query
        case Not():
            yield from find_terms(query.operand, field)
        case And() | Or():
            for operand in query.operands:
                yield from find_terms(operand, field)


def find_book_names(query: Query, known_books: Collection[str]) -> list[str]:
    """Return the rulebooks in a query, in its order; a clause names one only if it begins with a known book."""
    match query:
        case Term(field="book"):
            return [value for value in query.values if "*" not in value]
        case Term(field="clause"):
            cited = [join_with_dot(value) for value in query.values]
            return [name for clause in cited for name in known_books if clause.startswith(f"{name}.")]
        case Not():
            return find_book_names(query.operand, known_books)
        case And() | Or():
            operands = query.operands
            return list(dict.fromkeys(name for operand in operands for name in find_book_names(operand, known_books)))
    return []
