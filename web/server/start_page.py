"""Build the page on which a house begins: its rulebook, its first table, its files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ledger.store.hands.hand_accounts import TableKey
from ledger.text.language import phrase
from projections.audit.house_audit import has_adopted_books
from projections.books.adoption import AdoptionScope, find_book_in_force
from projections.books.shelf import Shelf
from web.server import page_errors
from web.server.access.roles import AccessRight, require_right
from web.server.documents import StartBook, StartChoice, StartPage, StartTable
from web.server.start_words import BUTTON_METHODS, ENTRY_POSTS, GAMES, STAKES, UNITS, describe_book, rank_book

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.store import Ledger
    from projections.books.rulebook import Rulebook
    from web.server.page_request import PageRequest

EVERYWHERE: Final = AdoptionScope("", "", None)
CHAIRS: Final = (10, 9, 8, 7, 6, 2)
_METHOD_POINTS: Final = ("button.method.cash_limit", "button.method.cash_big_bet")
_ENTRY_POINTS: Final = ("entry.post.limit_low", "entry.post.limit_high", "entry.post.big_bet")
_MAX_TABLES: Final = 12
_LAST_NUMBER: Final = re.compile(r"(\d+)(?=\D*$)")


def is_fresh(ledger: Ledger) -> bool:
    """Whether a ledger has neither a rulebook of the house nor a table."""
    return not has_adopted_books(ledger) and next(iter(ledger.tables()), None) is None


def build_start_page(page_request: PageRequest) -> StartPage:
    """Return the first steps of a house, and which of them are done."""
    require_right(page_request.role, AccessRight.RECORD, is_writable=page_request.is_writable)
    ledger = page_request.ledger
    adoption = find_book_in_force(ledger, EVERYWHERE)
    books = sorted((book for book in Shelf(ledger).load_all() if book.policy.rulings), key=rank_book)
    adopted_book = None if adoption is None else next((book for book in books if book.digest == adoption.digest), None)
    kept_tables = page_request.tables.list_kept() if page_request.tables is not None else []
    table_rows = [TableKey(row.venue, row.tournament, row.table) for row in ledger.tables()]
    tables = list(dict.fromkeys((*table_rows, *kept_tables)))
    venue = page_request.parameters.get("venue", "") or (tables[-1].venue if tables else phrase("Card room"))
    names = [table.table for table in tables if table.venue == venue]
    return StartPage(
        finding_count=page_request.finding_count,
        books=[
            StartBook(
                name=book.name,
                title=book.title,
                sentence=describe_book(book.name, book.title),
                is_adopted=adoption is not None and book.digest == adoption.digest,
            )
            for book in books
        ],
        adopted="" if adoption is None else adoption.book,
        venue=venue,
        table=page_request.parameters.get("name", "") or _propose_name(names),
        games=[StartChoice(game, phrase(label)) for game, label in GAMES.items()],
        stakes=list(STAKES),
        units=[StartChoice(unit, sign or phrase("chips")) for unit, sign in UNITS.items()],
        chairs=list(CHAIRS),
        button_methods=_list_choices(adopted_book, _METHOD_POINTS, "house", BUTTON_METHODS),
        entry_posts=_list_choices(adopted_book, _ENTRY_POINTS, "per-game", ENTRY_POSTS),
        tables=[StartTable(*table) for table in tables[-_MAX_TABLES:]],
    )


def _list_choices(
    book: Rulebook | None, points: tuple[str, ...], value: str, choices: Mapping[str, str]
) -> list[StartChoice]:
    """Return what a table must decide because its book leaves it to the house; [] if the book decides it."""
    if book is None or all(book.policy.value(point) != value for point in points):
        return []
    return [StartChoice(name, phrase(label)) for name, label in choices.items()]


def _propose_name(names: list[str]) -> str:
    """Return a name for one more table.

    >>> _propose_name([]), _propose_name(["T7", "T9"]), _propose_name(["Blue"])
    ('T1', 'T10', 'T1')
    """
    numbered = [(int(match[1]), name, match) for name in names if (match := _LAST_NUMBER.search(name)) is not None]
    if not numbered:
        return "T1"
    number, name, match = max(numbered, key=lambda entry: entry[0])
    return f"{name[: match.start()]}{number + 1}{name[match.end() :]}"


def build_game_line(game: str, stakes: str, unit: str) -> str:
    """Return what is played as a game line has it. Raise `UsageError` for anything that isn't in the lists.

    >>> build_game_line("holdem limit", "2/5", "USD 2")
    'holdem limit cash blinds 2/5 bets 5/10 unit USD 2'
    """
    if game not in GAMES or stakes not in STAKES or unit not in UNITS:
        raise page_errors.game_not_listed()
    big_blind = int(stakes.partition("/")[2])
    bets = f" bets {big_blind}/{2 * big_blind}" if game.endswith(" limit") else ""
    return f"{game} cash blinds {stakes}{bets} unit {unit}"
