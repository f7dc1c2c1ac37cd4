"""Check a parsed query. An unknown field or word raises an error that suggests the right one."""

from __future__ import annotations

from typing import Final

from ledger.errors import QueryError
from ledger.text.language import phrase
from projections.queries.fields import FIELDS, WORDS
from projections.queries.name_suggestions import suggest_name
from projections.queries.query_grammar import And, Not, Or, Query, QueryWord, Term, query_error

_OTHER_FIELDS: Final = ("flag", "saved")
"""Fields that aren't in `FIELDS`, because no column holds them."""


def check_query(query: Query, text: str) -> Query:
    """Return the query; raise `QueryError` for an unknown field or word."""
    match query:
        case Term() if query.field not in FIELDS and query.field not in _OTHER_FIELDS:
            suggestion = suggest_name(query.field, [*FIELDS, *_OTHER_FIELDS])
            raise query_error(
                text, query.offset, phrase("there is no field {field}", field=repr(query.field)), suggestion
            )
        case Term() if query.field == "saved" and (query.operator not in (":", "=") or len(query.values) != 1):
            raise saved_query_error(text, query)
        case QueryWord() if query.word not in WORDS:
            raise query_error(
                text,
                query.offset,
                phrase("there is no word {word}", word=repr(query.word)),
                suggest_name(query.word, [*WORDS, *FIELDS]),
            )
        case Not():
            check_query(query.operand, text)
        case And() | Or():
            for operand in query.operands:
                check_query(operand, text)
    return query


def saved_query_error(text: str, term: Term) -> QueryError:
    """Return the error for a `saved` term that isn't `saved:NAME`."""
    return query_error(
        text, term.offset, phrase("saved takes the name of one saved query"), phrase("Write saved:NAME.")
    )
