"""The pages: each a question to the ledger, answered as a document."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec.structs import replace
from sqlalchemy import ColumnElement, func, select

from ledger.errors import NoRulebookError, NothingFoundError, QueryError, UsageError
from ledger.export.audience import HOUSE, PUBLIC
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.requests.card_views import hidden_seats
from projections.addresses import hand_address
from projections.addresses.address_book import AddressBook
from projections.addresses.room_days import DEFAULT_DAY_START, format_local_start
from projections.addresses.source_names import read_span
from projections.audit import house_audit
from projections.books import clause_page, rulebook
from projections.books.shelf import Shelf, load_books
from projections.live.floor_desk import LastHand, build_floor_desk
from projections.obligations.dues import blind_posters
from projections.queries import result_query
from projections.queries.ledger_query import find_named_books, parse_query, select_hands
from projections.queries.saved_queries import expand_saved_queries
from projections.queries.sql import has_finding_term
from projections.reports.audit_json import add_address
from projections.reports.book_documents import build_book, build_clause
from projections.reports.hand_documents import HandTold
from projections.reports.rejects import RejectTold, list_rejects
from projections.reports.states import build_hands
from projections.tables.counted_findings import count_overlong_hands, under_house_books, under_judgements
from projections.tables.hand_findings import decode_finding
from projections.tables.kept_findings import kept_findings
from projections.tables.kept_results import hand_results
from projections.tables.owed_list import iter_debts, iter_table_dues
from projections.tables.table_set import open_tables
from web import hand_page, judging
from web.frames import Eyes
from web.server.documents import (
    FindingsPage,
    HandLine,
    HandSite,
    ImportsPage,
    LogPage,
    ResultsPage,
    RulesPage,
    Site,
    SourceLine,
    TableLine,
    TablePage,
    TablesPage,
)
from web.server.roles import Right, may

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.store import HandRow, Ledger, TableRow
    from projections.books.rulebook import Rulebook
    from projections.tables.table_stores import TableStore
    from web.api.tables import Tables
    from web.documents import HandPage, Judgement
    from web.server.roles import Role

_PAGE: Final = 50
_LAST: Final = 20
_MOST: Final = 500
_TABLES: Final = 200
_TEXT: Final = 600
_DEEPEST: Final = 10_000


class Asking(NamedTuple):
    """A question to a page: of which ledger, by whom, with which words in its address. `writes`: by --write."""

    ledger: Ledger
    role: Role
    given: Mapping[str, str]
    writes: bool = False
    tables: Tables | None = None  # those that are kept here, where the server writes
    books: Sequence[str] = ()  # what is due goes by the first; without any, by the house's

    @property
    def chosen(self) -> list[Rulebook]:
        """The books that the server was started with."""
        return load_books(self.ledger, self.books)

    @property
    def open(self) -> int | None:
        """How many findings there are under the server's books, or the house's, for those who may know."""
        return _counted(self).total if may(self.role, Right.FINDINGS) else None

    @property
    def overlong_hands(self) -> int:
        """How many hands have more events than are judged, for those who may know what was found."""
        return sum(_counted(self).overlong_hands.values()) if may(self.role, Right.FINDINGS) else 0

    @property
    def query(self) -> str:
        """The query, as it was typed."""
        return self.given.get("q", "").strip()

    @property
    def asked(self) -> str:
        """The query, if it asks nothing that this role may not know: which hands fit tells what was found in them."""
        query = self.query
        if (
            query
            and not may(self.role, Right.FINDINGS)
            and has_finding_term(parse_query(expand_saved_queries(self.ledger, query)))
        ):
            raise QueryError("findings are not for this key", "Ask for tables, players, pots, cards of the board.")
        return query

    @property
    def page(self) -> int:
        """Which page of a list, from 1."""
        page = self.given.get("page", "1")
        is_number = page.isascii() and page.isdigit() and len(page) <= len(str(_DEEPEST))
        if not (is_number and 1 <= int(page) <= _DEEPEST):
            raise UsageError(f"{page[:20]!r} is no page", f"Pages are numbers from 1 to {_DEEPEST:,}.")
        return int(page)

    @property
    def eyes(self) -> Eyes:
        """What whoever asks may see of cards."""
        return Eyes(HOUSE if may(self.role, Right.CARDS) else PUBLIC)

    def one_of(self, name: str) -> str:
        """Return a word that has to be there."""
        if name not in self.given:
            raise UsageError(f"the address lacks {name}=", "Go there from the list of tables.")
        return self.given[name]


def tables(asking: Asking) -> TablesPage:
    """Return all tables, with what is due there."""
    ledger = asking.ledger
    found, total, overlong = _counted(asking)
    chosen = asking.chosen
    rows, more = _tables(asking)
    here = [TableKey(row.venue, row.tournament, row.table) for row in rows]
    asked_for = iter_table_dues(ledger, chosen, here) if chosen or found is not None else ()
    owing = {place: (book, one) for book, place, one in asked_for}
    if not may(asking.role, Right.FINDINGS):
        found, total, overlong = None, None, {}
    lines = []
    for row, place in zip(rows, here, strict=True):
        local, zone = _played(ledger, place)
        line = TableLine(
            venue=row.venue,
            tournament=row.tournament,
            table=row.table,
            hands=row.hands,
            first=row.first,
            last=row.last,
            local=local,
            zone=zone,
            findings=None if found is None else found.get(place, 0),
            overlong_hands=overlong.get(place, 0),
        )
        if place in owing:
            book, one = owing[place]
            where = one.due.place
            line.book, line.unknown = book.name, one.due.unknown
            if where is not None:
                line.button, line.big = where.button, where.big
                line.small = next(iter(blind_posters(where, "small")), None)
                line.likely = bool(one.due.doubts or one.due.choices) or len(one.due.placements) > 1
            line.owes = [f"seat {debt.seat} {debt.player}: {debt.description}" for debt in iter_debts(ledger, one)]
        lines.append(line)
    return TablesPage(open=total, tables=lines, query=asking.query, page=asking.page, more=more)


def _tables(asking: Asking) -> tuple[list[TableRow], bool]:
    """Return the tables of a page whose name has what was asked for, and whether there are more."""
    part = asking.query.casefold()
    rows = [row for row in asking.ledger.tables() if part in f"{row.venue} {row.tournament}/{row.table}".casefold()]
    rows.sort(key=lambda row: (row.venue, row.tournament, row.table))
    if len(rows) > _TABLES:
        rows.sort(key=lambda row: -1 if row.last is None else row.last, reverse=True)
    first = (asking.page - 1) * _TABLES
    return rows[first : first + _TABLES], len(rows) > first + _TABLES


def _played(ledger: Ledger, place: TableKey) -> tuple[str, str]:
    """Return when the last hand of a table began, by the room's clock, and its zone."""
    newest = ledger.hands(
        venue=place.venue, tournament=place.tournament, table=place.table, order="newest", limit=1, standing=True
    )
    return next((format_local_start(ledger, row) for row in newest), ("", ""))


def table(asking: Asking) -> TablePage:
    """Return what is due at a table, and its last hands."""
    ledger = asking.ledger
    place = TableKey(asking.given.get("venue", ""), asking.given.get("tournament", ""), asking.one_of("name"))
    row = next((one for one in ledger.tables(place.table) if (one.venue, one.tournament, one.table) == place), None)
    if row is None:
        raise NothingFoundError("there is no such table", "The list of tables has all of them.")
    found = build_floor_desk(ledger, row, asking.chosen, _LAST)
    return TablePage(
        open=asking.open,
        venue=place.venue,
        tournament=place.tournament,
        table=place.table,
        due=found.due,
        why=found.no_dues_reason,
        hands=[_line(one, sees=may(asking.role, Right.FINDINGS)) for one in found.hands],
    )


def log(asking: Asking) -> LogPage:
    """Return hands that fit a query, the newest first."""
    ledger, page, query = asking.ledger, asking.page, asking.asked
    last = page * _PAGE + 1
    if query:
        with select_hands(ledger, query, DEFAULT_DAY_START) as found:
            rows = list(islice(found.iter_rows(newest_first=True, limit=last), last - 1 - _PAGE, last))
    else:
        rows = list(islice(ledger.hands(order="newest", limit=last, standing=True), last - 1 - _PAGE, last))
    hands: list[HandTold] = list(build_hands(ledger, rows[:_PAGE]))
    return LogPage(open=asking.open, query=query, page=page, more=len(rows) > _PAGE, hands=hands)


def _line(last: LastHand, *, sees: bool) -> HandLine:
    """Return one of the last hands of a table, with its findings for those who may see them."""
    own = last.hand.address
    findings = last.findings if sees else []
    return HandLine(last.hand, [add_address(one, lambda _, event: f"{own}@{event}") for one in findings])


def findings(asking: Asking) -> FindingsPage:
    """Return findings in hands that fit a query, under the books that it names, the server's, or the house's.

    Without any, only whether each record agrees with itself: books to choose from stand beside.
    """
    books = _addressed(asking) or asking.chosen
    if books and not find_named_books(asking.ledger, asking.query or None):
        return _found(asking, books)
    try:
        return _found(asking)
    except NoRulebookError:
        return _of_records(asking)


def _of_records(asking: Asking) -> FindingsPage:
    """Return what contradicts itself in the records of hands that fit, and the books to choose from."""
    books = Shelf(asking.ledger).names()
    try:
        page = _found(asking, [rulebook.load(rulebook.BUILT_IN)])
    except QueryError:  # it asks for clauses of a book that it does not name
        return FindingsPage(open=asking.open, query=asking.query, page=1, more=False, findings=[], choose=books)
    page.choose = books
    return page


def _found(asking: Asking, books: Sequence[Rulebook] = ()) -> FindingsPage:
    ledger, page, query = asking.ledger, asking.page, asking.query
    with select_hands(ledger, query or None, DEFAULT_DAY_START, books, judge=True) as found:
        hands = select(hand_results.c.position).where(found.condition)
        columns = kept_findings.c
        rows = found.fetch_rows(
            select(columns.finding)
            .where(found.counted_findings, columns.position.in_(hands))
            .order_by(columns.position.desc(), columns.number)
            .limit(_PAGE + 1)
            .offset((page - 1) * _PAGE)
        )
        shelf = Shelf(ledger)
        some = [shelf.with_current_name(decode_finding(data)) for (data,) in rows]
    address = AddressBook(asking.ledger).of_finding
    told_findings = [add_address(one, address) for one in some[:_PAGE]]
    named = asking.given.get("book", "")
    more = len(some) > _PAGE
    made = FindingsPage(open=asking.open, query=query, page=page, more=more, findings=told_findings, book=named)
    if books := books or load_books(ledger, find_named_books(ledger, query or None)):
        with open_tables(ledger, books) as (keeping, numbers):
            made.overlong_hands = sum(count_overlong_hands(keeping, numbers).values())
    return made


def hand(asking: Asking) -> HandSite:
    """Return a hand as a report shows it."""
    return hand_for(asking, asking.eyes)


def hand_for(asking: Asking, eyes: Eyes) -> HandSite:
    """Return a hand as some eyes see it."""
    ledger = asking.ledger
    row, version = hand_address.find(ledger, asking.one_of("id"))
    page = _drawn(ledger, row, _books_of(asking, row), eyes)
    if page is None:
        return HandSite(open=asking.open, hand=None)
    if version is not None:
        page.first = next((at for at, one in enumerate(page.frames) if one.version >= version), page.first)
    if not may(asking.role, Right.FINDINGS):
        page.judgements = [_unjudged(one) for one in page.judgements]
        page.differences = []
    opens = asking.writes and may(asking.role, Right.OPEN)
    return HandSite(
        open=asking.open, hand=page, hidden=list(hidden_seats(ledger, row.stream)) if opens else [], opened=eyes.opening
    )


def _drawn(ledger: Ledger, row: HandRow, books: judging.Books, eyes: Eyes) -> HandPage | None:
    """Return a hand's page; None: whoever judges apart is not done with it. With hidden cards it is drawn here."""
    if ledger.judging is not None and not eyes.opening:
        page: HandPage | None = ledger.judging.hand_page(row, books, eyes, AddressBook(ledger).hand(row))
        return page
    (page,) = hand_page.pages(ledger, [row], books, eyes)
    return page


def _books_of(asking: Asking, row: HandRow) -> judging.Books:
    """Return the books of a hand's page: those that its address names, else the server's or the house's; others beside."""
    usual = judging.Books(asking.chosen) if asking.chosen else judging.offered(asking.ledger, [row])
    first = _addressed(asking) or usual.chosen
    beside = [book for book in (*usual.chosen, *usual.beside) if all(book.name != one.name for one in first)]
    return judging.Books(first, beside, usual.adopted)


def _addressed(asking: Asking) -> list[Rulebook]:
    """Return the books that the page's address names."""
    names = [name for name in asking.given.get("book", "").split(",") if name]
    return [_known(Shelf(asking.ledger), name) for name in dict.fromkeys(names)]


def _unjudged(one: Judgement) -> Judgement:
    """Return what a book says of a hand to those who may know what was due, and not what was wrong."""
    return replace(one, findings=[], knock_on=None, wanting=[], judged=0, unchecked=0)


def rules(asking: Asking) -> RulesPage:
    """Return the rulebooks, the clauses of one, or a clause."""
    book, clause = asking.given.get("book", ""), asking.given.get("clause", "")
    shelf = Shelf(asking.ledger)
    books = shelf.all()
    found = _known(shelf, book) if book else None
    return RulesPage(
        open=asking.open,
        books=list(map(build_book, books)),
        clauses=[] if found is None else [build_clause(one) for one in found.clauses.values()],
        clause=clause_page.explain_clause(found, clause, books) if found and clause else None,
    )


def imports(asking: Asking) -> ImportsPage:
    """Return the sources that were read, and what could not be read of them."""
    ledger = asking.ledger
    words = ledger.people.words
    counts: dict[str, int] = {}
    shown: list[RejectTold] = []
    texts: list[str] = []
    more = 0
    for reject in list_rejects(ledger):
        counts[reject.place.source] = counts.get(reject.place.source, 0) + 1
        if len(shown) < _MOST:
            shown.append(reject)
            texts.append(_text(ledger, reject))
        else:
            more += 1
    sources = [
        SourceLine(words(row.name) or "", row.digest, row.length, counts.get(row.digest, 0)) for row in ledger.sources
    ]
    return ImportsPage(open=asking.open, sources=sources[-_MOST:], rejects=shown, more=more, texts=texts)


def _text(ledger: Ledger, reject: RejectTold) -> str:
    """Return how the text of a span that was not read begins."""
    place = reject.place
    return read_span(ledger, place.source, place.start, min(place.length, _TEXT)).decode("utf-8", "replace")


GROUPS: Final = ("player", "position", "table", "day", "game", "seat", "dealer")


def sums(asking: Asking) -> ResultsPage:
    """Return what the seats of hands that fit a query came to."""
    by = asking.given.get("by", "player")
    if by not in GROUPS:
        raise UsageError(f"results are not grouped by {by!r}", f"They are by: {', '.join(GROUPS)}.")
    found = result_query.sum_matching_results(asking.ledger, asking.asked or None, by, [], DEFAULT_DAY_START)
    return ResultsPage(
        open=asking.open, query=asking.query, by=by, results=found[:_MOST], more=max(0, len(found) - _MOST)
    )


def _known(shelf: Shelf, name: str) -> Rulebook:
    """Return a book of the program's or the house's own: a path that somebody typed into an address is none."""
    if name.endswith(rulebook.BOOK_SUFFIX) or name.partition("@")[0] not in (*shelf.names(), rulebook.BUILT_IN):
        raise NothingFoundError(f"there is no rulebook {name!r}", f"There are: {', '.join(shelf.names())}.")
    return shelf.load(name)


class _Counted(NamedTuple):
    """How many findings each table has under some books, and all of them; None: there are no books."""

    findings: dict[TableKey, int] | None
    total: int | None
    overlong_hands: dict[TableKey, int]  # tables that have hands with more events than are judged


def _counted(asking: Asking) -> _Counted:
    """Count what was found under the books of the server or the house."""
    ledger, chosen = asking.ledger, asking.chosen
    if not chosen and not house_audit.has_adopted_books(ledger):
        return _Counted(None, None, {})
    books = chosen or house_audit.load_judging_books(ledger)
    with open_tables(ledger, books) as (keeping, numbers):
        found = dict(
            _counts(keeping, under_judgements(numbers) if chosen else under_house_books(ledger, books, numbers))
        )
        overlong = count_overlong_hands(keeping, numbers)
    return _Counted(found, sum(found.values()), overlong)


def _counts(keeping: TableStore, judged: ColumnElement[bool]) -> Iterator[tuple[TableKey, int]]:
    columns = kept_findings.c
    names = (columns.venue, columns.tournament, columns.name)
    asked_for = select(*names, func.count()).where(judged).group_by(*names)
    with keeping.core() as connection:
        for *place, count in connection.execute(asked_for):
            yield TableKey(*place), count


__all__ = ["Asking", "Site", "findings", "hand", "imports", "log", "rules", "sums", "table", "tables"]
