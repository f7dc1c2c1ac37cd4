"""Completions for the shell's Tab key. An error prints nothing: then there is nothing to offer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ledger.store import Ledger
    from projections.books.shelf import Shelf

MAX_OFFERED: Final = 30
"""Completions that a shell shows at most."""

_QUOTED_CHARACTERS: Final = frozenset(' ,"()')
"""A value of a query with any of them stands in quotes."""
_FIELD_KINDS_WITH_VALUES: Final = ("text", "person", "clause", "game", "choice", "source", "day")
"""Kinds of query fields with a value after a colon."""


def suggest_hands(url: str | None, prefix: str) -> list[str]:
    """Return hand numbers that begin with `prefix`, or addresses of hands if it names a table and a slash."""
    from projections.addresses.address_book import AddressBook
    from projections.addresses.address_grammar import parse_path

    def list_hands(ledger: Ledger) -> list[str]:
        rows = islice(ledger.hands(beginning=prefix), MAX_OFFERED)
        numbers = list(dict.fromkeys(row.number for row in rows))
        path_words = parse_path(prefix)
        if numbers or len(path_words) < 2:
            return numbers
        table_rows = ledger.hands(table=path_words[-2].text, beginning=path_words[-1].text, standing=True)
        address_book = AddressBook(ledger)
        addresses = [address_book.find_hand_address(row) for row in islice(table_rows, MAX_OFFERED)]
        return [address for address in addresses if address.startswith(prefix)]

    return _read_ledger(url, list_hands)


def suggest_cases(url: str | None, prefix: str) -> list[str]:
    """Return case numbers that begin with `prefix`, newest first."""
    from ledger.store.requests.case_streams import all_cases

    numbers = _read_ledger(url, lambda ledger: [case.number for case in all_cases(ledger)])
    return [number for number in reversed(numbers) if number.startswith(prefix)][:MAX_OFFERED]


def suggest_tables(url: str | None, prefix: str) -> list[str]:
    """Return table names that begin with `prefix`, in upper or lower case."""
    return _filter_names(_read_ledger(url, lambda ledger: [row.table for row in ledger.tables()]), prefix)


def suggest_people(url: str | None, prefix: str) -> list[str]:
    """Return people's names that begin with `prefix`, in upper or lower case."""

    def list_names(ledger: Ledger) -> list[str]:
        with ledger.database.reading() as link:
            return [name for _, _, name in ledger.people.all_names(link)]

    return _filter_names(_read_ledger(url, list_names), prefix)


def suggest_books(url: str | None, prefix: str) -> list[str]:
    """Return rulebook names that begin with `prefix`."""
    return [name for name in _read_shelf(url, lambda shelf: shelf.list_names()) if name.startswith(prefix)]


def suggest_clauses(url: str | None, prefix: str) -> list[str]:
    """Return clauses that begin with `prefix`, each with its book: `hilton.B8a.1`."""

    def list_clauses(shelf: Shelf) -> list[str]:
        names = [name for name in shelf.list_names() if f"{name}.".startswith(prefix) or prefix.startswith(f"{name}.")]
        return [f"{name}.{clause}" for name in names for clause in shelf.load(name).clauses]

    return [clause for clause in _read_shelf(url, list_clauses) if clause.startswith(prefix)][:MAX_OFFERED]


def suggest_queries(url: str | None, query: str) -> list[str]:
    """Return the query with its last word completed: a field, or the value of a field."""
    from projections.addresses.query_values import quote_query_value
    from projections.queries.fields import FIELDS, WORDS

    word_start = _find_last_word(query)
    last_word = query[word_start:]
    text_before = query[:word_start] + ("-" if last_word.startswith("-") else "")
    field, colon, value = last_word.removeprefix("-").partition(":")
    if not colon:
        names = [f"{name}:" if entry.kind in _FIELD_KINDS_WITH_VALUES else name for name, entry in FIELDS.items()]
        return [text_before + name for name in (*names, *WORDS) if name.startswith(field)][:MAX_OFFERED]
    values = _suggest_values(url, field, value.removeprefix('"'))
    return [
        f"{text_before}{field}:{quote_query_value(entry) if set(entry) & _QUOTED_CHARACTERS else entry}"
        for entry in values
    ]


def _suggest_values(url: str | None, field: str, prefix: str) -> list[str]:
    """Return the values of a query's field that begin with `prefix`."""
    from projections.queries.fields import FIELDS, FLAGS, GAME_NICKNAMES

    suggest = _SUGGEST_BY_FIELD.get(field)
    if suggest is not None:
        return suggest(url, prefix)
    if field == "game":
        choices = tuple(GAME_NICKNAMES)
    elif field == "flag":
        choices = tuple(FLAGS)
    else:
        choices = FIELDS[field].choices if field in FIELDS else ()
    words = [choice.replace(" ", "-") for choice in choices]
    return [word for word in words if word.startswith(prefix)]


_SUGGEST_BY_FIELD: Final = {
    "table": suggest_tables,
    "player": suggest_people,
    "dealer": suggest_people,
    "clause": suggest_clauses,
    "book": suggest_books,
}


def _find_last_word(query: str) -> int:
    """Return where the last word of a query begins. A value in quotes may have spaces, and its end may be missing."""
    word_start, is_quoted = 0, False
    for offset, character in enumerate(query, 1):
        if character == '"':
            is_quoted = not is_quoted
        elif not is_quoted and character in " \t(":
            word_start = offset
    return word_start


def _filter_names(names: Iterable[str], prefix: str) -> list[str]:
    """Return the names that begin with `prefix`, in upper or lower case, sorted and without repeats."""
    folded_prefix = prefix.casefold()
    matches = {name for name in names if name.isprintable() and name.casefold().startswith(folded_prefix)}
    return sorted(matches)[:MAX_OFFERED]


def _read_ledger(url: str | None, list_values: Callable[[Ledger], list[str]]) -> list[str]:
    """Return values from the ledger; none if it can't be read."""
    from cli.options.ledger_options import open_ledger
    from ledger.errors import HandledgerError

    try:
        with open_ledger(url) as ledger:
            return list_values(ledger)
    except (HandledgerError, OSError):
        return []


def _read_shelf(url: str | None, list_values: Callable[[Shelf], list[str]]) -> list[str]:
    """Return values from the ledger's rulebooks or, if it can't be read, from the program's own."""
    from cli.options.ledger_options import open_ledger
    from ledger.errors import HandledgerError
    from projections.books.shelf import Shelf

    try:
        with open_ledger(url) as ledger:
            return list_values(Shelf(ledger))
    except (HandledgerError, OSError):
        return list_values(Shelf(None))
