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
    from cli.opening import opened
    from ledger.errors import HandledgerError
    from projections.addresses.address_book import AddressBook
    from projections.addresses.address_grammar import parse_path

    try:
        with opened(url) as ledger:
            rows = ledger.hands(beginning=incomplete)
            found = list(dict.fromkeys(row.number for row in islice(rows, OFFERED)))
            words = parse_path(incomplete)
            if found or len(words) < 2:
                return found
            book = AddressBook(ledger)
            here = ledger.hands(table=words[-2].text, beginning=words[-1].text, standing=True)
            return [one for row in islice(here, OFFERED) if (one := book.hand(row)).startswith(incomplete)]
    except (HandledgerError, OSError):
        return []


def cases(url: str | None, incomplete: str) -> list[str]:
    """Return numbers of cases that begin with `incomplete`, newest first."""
    from cli.opening import opened
    from ledger.errors import HandledgerError
    from ledger.store.cases import cases as all_cases

    try:
        with opened(url) as ledger:
            found = [case.number for case in all_cases(ledger)]
    except (HandledgerError, OSError):
        return []
    return [number for number in reversed(found) if number.startswith(incomplete)][:OFFERED]


def tables(url: str | None, incomplete: str) -> list[str]:
    """Return names of tables that begin with `incomplete`, in either case."""
    from cli.opening import opened
    from ledger.errors import HandledgerError

    try:
        with opened(url) as ledger:
            found = dict.fromkeys(row.table for row in ledger.tables())
    except (HandledgerError, OSError):
        return []
    return _beginning(found, incomplete)


def people(url: str | None, incomplete: str) -> list[str]:
    """Return names of people that begin with `incomplete`, in either case."""
    from cli.opening import opened
    from ledger.errors import HandledgerError

    try:
        with opened(url) as ledger, ledger.database.reading() as link:
            found = dict.fromkeys(name for _, _, name in ledger.people.all_names(link))
    except (HandledgerError, OSError):
        return []
    return _beginning(found, incomplete)


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    start = incomplete.casefold()
    return sorted(name for name in names if name.isprintable() and name.casefold().startswith(start))[:OFFERED]


def query(url: str | None, incomplete: str) -> list[str]:
    """Return a query with its last word completed: a field, or a value of one."""
    from projections.addresses.query_values import quote_query_value
    from projections.queries.fields import FIELDS, WORDS

    cut = _last_word(incomplete)
    done, last = incomplete[:cut], incomplete[cut:]
    minus = "-" if last.startswith("-") else ""
    field, colon, value = last.removeprefix("-").partition(":")
    if not colon:
        names = [f"{name}:" if one.kind in _NAMED else name for name, one in FIELDS.items()]
        return [done + minus + name for name in (*names, *WORDS) if name.startswith(field)][:OFFERED]
    values = _values(url, field, value.removeprefix('"'))
    return [f"{done}{minus}{field}:{quote_query_value(one) if set(one) & _TO_QUOTE else one}" for one in values]


def _last_word(text: str) -> int:
    """Return where the last word of a query begins; a value in quotes may hold blanks, and be cut off."""
    begins, within = 0, False
    for at, char in enumerate(text, 1):
        if char == '"':
            within = not within
        elif not within and char in " \t(":
            begins = at
    return begins


_TO_QUOTE: Final = frozenset(' ,"()')
_NAMED: Final = ("text", "person", "clause", "game", "choice", "source", "day")


def _values(url: str | None, field: str, value: str) -> list[str]:
    """Return what may stand behind a field."""
    from projections.queries.fields import FIELDS, FLAGS, GAMES

    if field == "table":
        return tables(url, value)
    if field in ("player", "dealer"):
        return people(url, value)
    if field == "clause":
        return clauses(url, value)
    if field == "book":
        return books(url, value)
    choices = {"game": tuple(GAMES), "flag": tuple(FLAGS)}.get(field) or (
        FIELDS[field].choices if field in FIELDS else ()
    )
    return [one.replace(" ", "-") for one in choices if one.replace(" ", "-").startswith(value)]


def clauses(url: str | None, incomplete: str) -> list[str]:
    """Return clauses that begin with `incomplete`, with their books: `hilton.B8a.1`."""
    found = (f"{book.name}.{clause}" for book in _shelf(url, incomplete) for clause in book.clauses)
    return [one for one in found if one.startswith(incomplete)][:OFFERED]


def _shelf(url: str | None, incomplete: str) -> list[Rulebook]:
    """Return the rulebooks whose clauses may be meant."""
    from cli.opening import opened
    from ledger.errors import HandledgerError
    from projections.books.shelf import Shelf

    def meant(shelf: Shelf) -> list[Rulebook]:
        near = (one for one in shelf.names() if f"{one}.".startswith(incomplete) or incomplete.startswith(f"{one}."))
        return [shelf.load(name) for name in near]

    try:
        with opened(url) as ledger:
            return meant(Shelf(ledger))
    except (HandledgerError, OSError):
        return meant(Shelf(None))


def books(url: str | None, incomplete: str) -> list[str]:
    """Return names of rulebooks that begin with `incomplete`."""
    from cli.opening import opened
    from ledger.errors import HandledgerError
    from projections.books.shelf import Shelf

    try:
        with opened(url) as ledger:
            names = Shelf(ledger).names()
    except (HandledgerError, OSError):
        names = Shelf(None).names()
    return [name for name in names if name.startswith(incomplete)]
