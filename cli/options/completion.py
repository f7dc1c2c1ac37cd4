"""What the shell offers when a person presses Tab. Never says anything: it offers, or it does not."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from projections.books.rulebook import Rulebook

OFFERED = 30


def hands(url: str | None, incomplete: str) -> list[str]:
    """Return numbers of hands that begin with `incomplete`, and the addresses at a table that is named before a slash."""
    from cli.options.ledger_options import opened
    from ledger.errors import HandledgerError
    from projections.addresses.address_book import AddressBook
    from projections.addresses.address_grammar import parse_path

    try:
        with opened(url) as ledger:
            rows = ledger.hands(beginning=incomplete)
            numbers = list(dict.fromkeys(row.number for row in islice(rows, OFFERED)))
            path_words = parse_path(incomplete)
            if numbers or len(path_words) < 2:
                return numbers
            address_book = AddressBook(ledger)
            table_rows = ledger.hands(table=path_words[-2].text, beginning=path_words[-1].text, standing=True)
            return [
                hand_address
                for row in islice(table_rows, OFFERED)
                if (hand_address := address_book.hand(row)).startswith(incomplete)
            ]
    except (HandledgerError, OSError):
        return []


def cases(url: str | None, incomplete: str) -> list[str]:
    """Return numbers of cases that begin with `incomplete`, newest first."""
    from cli.options.ledger_options import opened
    from ledger.errors import HandledgerError
    from ledger.store.requests.case_streams import all_cases

    try:
        with opened(url) as ledger:
            numbers = [case.number for case in all_cases(ledger)]
    except (HandledgerError, OSError):
        return []
    return [number for number in reversed(numbers) if number.startswith(incomplete)][:OFFERED]


def tables(url: str | None, incomplete: str) -> list[str]:
    """Return names of tables that begin with `incomplete`, in either case."""
    from cli.options.ledger_options import opened
    from ledger.errors import HandledgerError

    try:
        with opened(url) as ledger:
            table_names = dict.fromkeys(row.table for row in ledger.tables())
    except (HandledgerError, OSError):
        return []
    return _names_beginning(table_names, incomplete)


def people(url: str | None, incomplete: str) -> list[str]:
    """Return names of people that begin with `incomplete`, in either case."""
    from cli.options.ledger_options import opened
    from ledger.errors import HandledgerError

    try:
        with opened(url) as ledger, ledger.database.reading() as link:
            people_names = dict.fromkeys(name for _, _, name in ledger.people.all_names(link))
    except (HandledgerError, OSError):
        return []
    return _names_beginning(people_names, incomplete)


def _names_beginning(names: Iterable[str], incomplete: str) -> list[str]:
    start = incomplete.casefold()
    return sorted(name for name in names if name.isprintable() and name.casefold().startswith(start))[:OFFERED]


def query(url: str | None, incomplete: str) -> list[str]:
    """Return a query with its last word completed: a field, or a value of one."""
    from projections.addresses.query_values import quote_query_value
    from projections.queries.fields import FIELDS, WORDS

    word_start = _last_word_start(incomplete)
    earlier_text, last_word = incomplete[:word_start], incomplete[word_start:]
    minus = "-" if last_word.startswith("-") else ""
    field, colon, value = last_word.removeprefix("-").partition(":")
    if not colon:
        names = [f"{name}:" if entry.kind in _FIELD_KINDS_WITH_VALUES else name for name, entry in FIELDS.items()]
        return [earlier_text + minus + name for name in (*names, *WORDS) if name.startswith(field)][:OFFERED]
    values = _complete_value(url, field, value.removeprefix('"'))
    return [
        f"{earlier_text}{minus}{field}:{quote_query_value(entry) if set(entry) & _TO_QUOTE else entry}"
        for entry in values
    ]


def _last_word_start(text: str) -> int:
    """Return where the last word of a query begins; a value in quotes may hold blanks, and be cut off."""
    word_start, is_quoted = 0, False
    for offset, char in enumerate(text, 1):
        if char == '"':
            is_quoted = not is_quoted
        elif not is_quoted and char in " \t(":
            word_start = offset
    return word_start


_TO_QUOTE: Final = frozenset(' ,"()')
_FIELD_KINDS_WITH_VALUES: Final = ("text", "person", "clause", "game", "choice", "source", "day")


def _complete_value(url: str | None, field: str, value: str) -> list[str]:
    """Return what may stand behind a field."""
    from projections.queries.fields import FIELDS, FLAGS, GAME_NICKNAMES

    if field == "table":
        return tables(url, value)
    if field in ("player", "dealer"):
        return people(url, value)
    if field == "clause":
        return clauses(url, value)
    if field == "book":
        return books(url, value)
    choices = {"game": tuple(GAME_NICKNAMES), "flag": tuple(FLAGS)}.get(field) or (
        FIELDS[field].choices if field in FIELDS else ()
    )
    return [choice.replace(" ", "-") for choice in choices if choice.replace(" ", "-").startswith(value)]


def clauses(url: str | None, incomplete: str) -> list[str]:
    """Return clauses that begin with `incomplete`, with their books: `hilton.B8a.1`."""
    clause_names = (f"{book.name}.{clause}" for book in _load_books(url, incomplete) for clause in book.clauses)
    return [clause_name for clause_name in clause_names if clause_name.startswith(incomplete)][:OFFERED]


def _load_books(url: str | None, incomplete: str) -> list[Rulebook]:
    """Return the rulebooks whose clauses may be meant."""
    from cli.options.ledger_options import opened
    from ledger.errors import HandledgerError
    from projections.books.shelf import Shelf

    def load_matching(shelf: Shelf) -> list[Rulebook]:
        book_names = (
            book_name
            for book_name in shelf.names()
            if f"{book_name}.".startswith(incomplete) or incomplete.startswith(f"{book_name}.")
        )
        return [shelf.load(near_name) for near_name in book_names]

    try:
        with opened(url) as ledger:
            return load_matching(Shelf(ledger))
    except (HandledgerError, OSError):
        return load_matching(Shelf(None))


def books(url: str | None, incomplete: str) -> list[str]:
    """Return names of rulebooks that begin with `incomplete`."""
    from cli.options.ledger_options import opened
    from ledger.errors import HandledgerError
    from projections.books.shelf import Shelf

    try:
        with opened(url) as ledger:
            names = Shelf(ledger).names()
    except (HandledgerError, OSError):
        names = Shelf(None).names()
    return [name for name in names if name.startswith(incomplete)]
