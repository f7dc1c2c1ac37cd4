"""Answer the tools of an assistant with the documents that the commands print as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import islice
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import msgspec

from handledger.mcp_server import arguments as tool_arguments
from handledger.mcp_server import tool_errors
from handledger.mcp_server.answer_text import Page
from handledger.mcp_server.guarded_people import WITHHELD, GuardedPeople
from ledger.errors import HandledgerError, NoLedgerError, NoRulebookError
from ledger.export.player_names import Naming
from projections.books.shelf import Shelf

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from ledger.store.people.vault import Vault
    from projections.books.rulebook import Rulebook

MAX_HANDS: Final = 2_000
"""Hands that one call checks at most."""
_MAX_DOCUMENT: Final = 200_000  # characters of a table that is written out
_MAX_MATCHES: Final = 1_000  # of a search
_MIN_LETTERS: Final = 2  # of a name or a clause's text: one letter matches half of them
_DROPPED_FIELDS: Final = frozenset({"data", "topic", "position", "id", "sha256", "source", "start", "length", "digest"})
"""Fields for programs: of no use in a sentence. An event's stored form also has ids of people, and commitments."""
_PERSONAL_FIELDS: Final = frozenset({"file", "line", "label", "camera", "user", "device", "approver", "reference"})
"""Fields that may name somebody and don't come from the ledger's people: file names, source lines, staff."""


class ServerOptions(NamedTuple):
    """What the operator of a server chose."""

    url: str | None = None  # of the ledger; None = the default one
    naming: Naming = "keep"
    rulebooks: tuple[str, ...] = ()
    people_key: Path | None = None  # for pseudonyms; None = where the ledger looks for it


class ToolAnswer(NamedTuple):
    """A document, and which of its lists comes page by page."""

    document: dict[str, Any]
    page: Page | None = None


class ToolDesk:
    """Answers the tools. Each call opens the ledger read-only and closes it, so it sees what was recorded since."""

    def __init__(self, options: ServerOptions) -> None:
        """Take what the operator chose."""
        self._options = options

    def find_due(self, question: tool_arguments.DueArguments) -> ToolAnswer:
        """Return button, blinds and debts of a table's next hand, or of a past one."""
        if bool(question.table) == (question.document is not None):
            raise tool_errors.table_or_document()
        if question.document is not None:
            return ToolAnswer(self._find_due_of_document(question.document, question.rulebooks))
        from projections.addresses import hand_address  # noqa: PLC0415 - the server starts fast
        from projections.reports.owed_report import format_screen  # noqa: PLC0415 - as above
        from projections.tables.owed_document import build_document, build_house_document  # noqa: PLC0415 - as above

        with self._open_ledger() as ledger:
            row = hand_address.find_table(ledger, question.table)
            books = self._require_books(ledger, question.rulebooks)
            past_hand = question.before_hand or None
            if past_hand is not None:
                hand_address.find_hand_at_table(ledger, row, past_hand)
            document = (
                build_document(ledger, row, books, past_hand) if books else build_house_document(ledger, row, past_hand)
            )
            return ToolAnswer({**self._build_plain(document), "text": format_screen(document)})

    def check_hands(self, question: tool_arguments.AuditArguments) -> ToolAnswer:
        """Return the findings of hands, each with what its clause asks."""
        from cli.audit import judge_with_progress  # noqa: PLC0415 - the server starts fast
        from ledger.store.requests.stored_hands import group_rows_by_table  # noqa: PLC0415 - as above
        from projections.audit import house_audit  # noqa: PLC0415 - as above
        from projections.reports.audit_json import build_document  # noqa: PLC0415 - as above

        with self._open_ledger() as ledger:
            rows = self._choose_hands(ledger, question)
            books = self._require_books(ledger, question.rulebooks)
            if books:
                result = judge_with_progress(ledger, group_rows_by_table(rows), books)
            else:
                result = house_audit.judge_under_house_books(
                    ledger,
                    lambda: iter(group_rows_by_table(rows)),
                    lambda rows_by_table, house_books: judge_with_progress(ledger, rows_by_table, house_books),
                )
            document = self._build_plain(build_document(result))
        document["coverage"] = [row for row in document["coverage"] if row["cannot_tell"]]
        return ToolAnswer(document, Page("findings", question.start))

    def explain_figure(self, question: tool_arguments.WhyArguments) -> ToolAnswer:
        """Return a figure's events, clauses and source lines."""
        from cli.why import build_answer  # noqa: PLC0415 - the server starts fast
        from projections.addresses import hand_address  # noqa: PLC0415 - as above

        with self._open_ledger() as ledger:
            if hand_address.is_hand(ledger, question.address):
                self._call_by_position(ledger, hand_address.find(ledger, question.address).row)
            books = self._load_books(ledger, question.rulebooks)
            return ToolAnswer(self._build_plain(build_answer(ledger, question.address, question.figure or None, books)))

    def show_hand(self, question: tool_arguments.ShowArguments) -> ToolAnswer:
        """Return a hand event by event, or the table after one event."""
        from cli import show  # noqa: PLC0415 - the server starts fast
        from cli.hand_titles import build_hand_summary  # noqa: PLC0415 - as above
        from projections.addresses import hand_address, source_names  # noqa: PLC0415 - as above
        from projections.reports.states import build_moment_at  # noqa: PLC0415 - as above

        with self._open_ledger() as ledger:
            match = hand_address.find(ledger, question.address)
            self._call_by_position(ledger, match.row)
            if match.version is None:
                return ToolAnswer(
                    self._build_plain(show.build_show_document(ledger, match.row)), Page("events", question.start)
                )
            events = source_names.read_recorded_events(ledger, match.row)
            moment = build_moment_at(build_hand_summary(ledger, match.row), events, match.version, ledger.people)
            return ToolAnswer(self._build_plain(moment))

    def read_rules(self, question: tool_arguments.RulesArguments) -> ToolAnswer:
        """Return the rulebooks, the clauses of one, or one clause in full with how the other books decide."""
        from projections.books.clause_page import explain_clause  # noqa: PLC0415 - the server starts fast
        from projections.reports.book_documents import build_book, build_clause  # noqa: PLC0415 - as above

        if question.clause and not question.book:
            raise tool_errors.clause_without_book()
        with self._open_shelf() as shelf:
            if not question.book:
                books = [msgspec.to_builtins(build_book(book)) for book in shelf.load_all()]
                return ToolAnswer({"books": books}, Page("books", question.start))
            book = _load_book(shelf, question.book)
            heading = {"book": msgspec.to_builtins(build_book(book))}
            if question.clause:
                explanation = explain_clause(book, question.clause, shelf.load_all())
                return ToolAnswer({**heading, "clause": msgspec.to_builtins(explanation)})
            clauses = [msgspec.to_builtins(build_clause(clause)) for clause in book.clauses.values()]
            return ToolAnswer({**heading, "clauses": clauses}, Page("clauses", question.start))

    def search(self, question: tool_arguments.SearchArguments) -> ToolAnswer:
        """Return what matches some letters, or the hands that match a query."""
        if bool(question.text) == bool(question.query):
            raise tool_errors.text_or_query()
        with self._open_ledger() as ledger:
            if question.query:
                from projections.reports.states import build_hands  # noqa: PLC0415 - the server starts fast

                rows = _query_hands(ledger, question.query)
                if not rows:
                    raise tool_errors.nothing_matches(question.query)
                page_rows = rows[question.start - 1 :][:_MAX_MATCHES]
                hands = [self._build_plain(hand) for hand in build_hands(ledger, page_rows)]
                return ToolAnswer({"hands": hands}, Page("hands", question.start, len(rows)))
            matches = list(islice(self._find_matches(ledger, question.text), _MAX_MATCHES))
            if not matches:
                raise tool_errors.nothing_matches(question.text)
            return ToolAnswer({"matches": matches}, Page("matches", question.start))

    def read_case(self, question: tool_arguments.CaseArguments) -> ToolAnswer:
        """Return a dispute on file, or all of them."""
        from ledger.store.requests.case_streams import all_cases, find_case  # noqa: PLC0415 - the server starts fast
        from projections.cases.case_view import build_case_document, build_case_line  # noqa: PLC0415 - as above

        with self._open_ledger() as ledger:
            if question.number:
                case = self._build_plain(build_case_document(ledger, find_case(ledger, question.number)))
                return ToolAnswer(case, Page("events", question.start))
            cases = [self._build_plain(build_case_line(ledger, case)) for case in all_cases(ledger)]
            return ToolAnswer({"cases": cases}, Page("cases", question.start))

    # Helpers

    @contextmanager
    def _open_ledger(self) -> Iterator[Ledger]:
        """Lend the ledger, opened read-only, with people as an assistant may see them."""
        from ledger.store import open as open_ledger  # noqa: PLC0415 - `due` of a document and `rules` need none
        from ledger.store.database.quick_checks import build_index_error  # noqa: PLC0415 - as above

        url, people_key = self._options.url, self._options.people_key
        with closing(open_ledger(url, create=False, read_only=True, people_key=people_key)) as ledger:
            if ledger.index_damage:
                raise build_index_error(ledger.database.address.name, ledger.index_damage)
            ledger.people = cast("Vault", GuardedPeople(ledger.people, self._options.naming))
            yield ledger

    @contextmanager
    def _open_shelf(self) -> Iterator[Shelf]:
        """Lend the rulebooks of the ledger or, if there is no ledger, those of the program."""
        with ExitStack() as stack:
            try:
                ledger = stack.enter_context(self._open_ledger())
            except NoLedgerError:
                ledger = None
            yield Shelf(ledger)

    def _load_books(self, ledger: Ledger, names: Iterable[str]) -> list[Rulebook]:
        """Return the rulebooks that were named, else the operator's; [] = the house's."""
        shelf = Shelf(ledger)
        own_books = [shelf.load(name) for name in self._options.rulebooks]
        return [_load_book(shelf, name) for name in dict.fromkeys(names)] or own_books

    def _require_books(self, ledger: Ledger, names: Iterable[str]) -> list[Rulebook]:
        """Return the rulebooks as `_load_books` does; `UsageError` if there are none, and the house has adopted none.

        The record's own checks alone would find nothing wrong in a hand that breaks the rules.
        """
        from projections.audit.house_audit import has_adopted_books  # noqa: PLC0415 - the server starts fast

        books = self._load_books(ledger, names)
        if not books and not has_adopted_books(ledger):
            raise tool_errors.no_rulebook()
        return books

    def _find_due_of_document(self, document: dict[str, Any], names: list[str]) -> dict[str, Any]:
        from handledger.notation import write_json  # noqa: PLC0415 - the server starts fast
        from handledger.table import Table  # noqa: PLC0415 - as above

        if len(msgspec.json.encode(document)) > _MAX_DOCUMENT:
            raise tool_errors.document_too_long(_MAX_DOCUMENT)
        with self._open_shelf() as shelf:
            books: list[Rulebook | None] = [_load_book(shelf, name) for name in dict.fromkeys(names)]
            if not books and "rulebook" not in document:
                books = [shelf.load(name) for name in self._options.rulebooks]
        with write_json():
            if len(books) < 2:
                table = Table.from_dict(document, rulebook=books[0] if books else None)
                return {"due": [msgspec.to_builtins(table.due())]}
            return {"due": [_find_due_under_book(document, book) for book in books]}

    def _choose_hands(self, ledger: Ledger, question: tool_arguments.AuditArguments) -> list[HandRow]:
        """Return the hands of a question; `UsageError` if they're more than `MAX_HANDS`."""
        from projections.addresses import hand_address  # noqa: PLC0415 - the server starts fast

        if bool(question.hands) + bool(question.table) + bool(question.query) != 1:
            raise tool_errors.one_choice_of_hands()
        if question.hands:
            rows = [match.row for match in hand_address.find_all(ledger, question.hands)]
        elif question.table:
            table = hand_address.find_table(ledger, question.table)
            rows = list(ledger.hands(venue=table.venue, tournament=table.tournament, table=table.table, standing=True))
        else:
            rows = _query_hands(ledger, question.query)
        if not rows:
            raise tool_errors.nothing_matches(question.query or question.table)
        if len(rows) > MAX_HANDS:
            raise tool_errors.too_many_hands(len(rows), MAX_HANDS)
        if len(rows) == 1:
            self._call_by_position(ledger, rows[0])
        return rows

    def _call_by_position(self, ledger: Ledger, row: HandRow) -> None:
        from projections.addresses.source_names import read_recorded_events  # noqa: PLC0415 - the server starts fast

        cast("GuardedPeople", ledger.people).call_by_position(read_recorded_events(ledger, row))

    def _find_matches(self, ledger: Ledger, text: str) -> Iterator[dict[str, str]]:
        """Yield hands, tables, people, cases and clauses with these letters."""
        from ledger.store.requests.case_streams import all_cases  # noqa: PLC0415 - the server starts fast

        letters = text.casefold()
        if any(letter.isdigit() for letter in text):
            yield from _find_hands(ledger, text)
        for table in ledger.tables():
            name = f"{table.tournament}/{table.table}" if table.tournament else table.table
            if letters in f"{table.venue} {name}".casefold():
                yield {"kind": "table", "address": name, "venue": table.venue}
        if len(letters) >= _MIN_LETTERS:
            yield from self._find_people(ledger, letters)
        for case in all_cases(ledger):
            if letters in case.number.casefold():
                yield {"kind": "case", "number": case.number, "status": case.state.status}
        yield from _find_clauses(Shelf(ledger), letters)

    def _find_people(self, ledger: Ledger, letters: str) -> Iterator[dict[str, str]]:
        if self._options.naming != "keep":
            return
        with ledger.database.reading() as link:
            people = [(name, venue) for _, venue, name in ledger.people.all_names(link)]
        for name, venue in sorted(set(people)):
            if letters in name.casefold():
                yield {"kind": "person", "name": name, "venue": venue}

    def _build_plain(self, document: msgspec.Struct) -> dict[str, Any]:
        """Return a document as plain JSON, without fields that an assistant has no use for or may not see."""
        plain_document: dict[str, Any] = _prune(
            msgspec.to_builtins(document), hides_names=self._options.naming != "keep"
        )
        return plain_document


def _prune(value: Any, *, hides_names: bool) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        return {
            key: _prune_text(key, entry, hides_names=hides_names)
            if isinstance(entry, str)
            else _prune(entry, hides_names=hides_names)
            for key, entry in value.items()
            if key not in _DROPPED_FIELDS and not (hides_names and key == "recorder")
        }
    if isinstance(value, (list, tuple)):
        return [_prune(entry, hides_names=hides_names) for entry in value]
    return value


def _prune_text(key: str, text: str, *, hides_names: bool) -> str:
    """Return a field's text without the folders of the machine; if names are hidden, withhold those that may name people."""
    if hides_names and text and key in _PERSONAL_FIELDS:
        return WITHHELD
    return PurePath(text).name if key == "file" else text


def _find_due_under_book(document: dict[str, Any], book: Rulebook | None) -> dict[str, Any]:
    """Return what is due at a table under a book, or why the book can't be asked: the other books still answer."""
    from handledger.table import Table  # noqa: PLC0415 - the server starts fast

    try:
        due: dict[str, Any] = msgspec.to_builtins(Table.from_dict(document, rulebook=book).due())
    except NoRulebookError as error:
        return {"rulebook": "" if book is None else book.name, "refused": error.message, "hint": error.hint}
    return due


def _load_book(shelf: Shelf, name: str) -> Rulebook:
    """Load a rulebook by its name: nobody reads a file through a server."""
    if name.endswith(".toml") or "/" in name or "\\" in name:
        raise tool_errors.book_by_path(name, shelf.list_names())
    return shelf.load(name)


def _query_hands(ledger: Ledger, query: str) -> list[HandRow]:
    from cli.options.day_options import DEFAULT_DAY_START  # noqa: PLC0415 - the server starts fast
    from projections.queries.ledger_query import list_matching_hands  # noqa: PLC0415 - as above

    return list_matching_hands(ledger, query, DEFAULT_DAY_START)


def _find_hands(ledger: Ledger, text: str) -> Iterator[dict[str, str]]:
    from projections.addresses import hand_address  # noqa: PLC0415 - the server starts fast
    from projections.addresses.address_book import AddressBook  # noqa: PLC0415 - as above

    try:
        rows = hand_address.find_matching(ledger, text)
    except HandledgerError:  # the text isn't an address
        return
    address_book = AddressBook(ledger)
    yield from ({"kind": "hand", "address": address_book.find_hand_address(row)} for row in rows)


def _find_clauses(shelf: Shelf, letters: str) -> Iterator[dict[str, str]]:
    for book in shelf.load_all():
        for clause in book.clauses.values():
            is_cited = letters in (clause.id.casefold(), f"{book.name} {clause.id}".casefold())
            if is_cited or (len(letters) > _MIN_LETTERS and letters in clause.entry.says.casefold()):
                yield {"kind": "clause", "book": book.name, "clause": clause.id, "says": clause.entry.says}


class ToolSpec(NamedTuple):
    """A tool: its name and description, its arguments, and the method that answers it."""

    name: str
    title: str
    description: str
    arguments: type[tool_arguments.Arguments]
    answer: Callable[[ToolDesk, Any], ToolAnswer]
    narrower: str  # how to ask for less


TOOLS: Final = {
    spec.name: spec
    for spec in (
        ToolSpec(
            "due",
            "Button, blinds and who may play",
            "Who has the button, who posts what and who may play on a table's next hand, with the clause for each answer. "
            "Takes a table of the ledger, or a table written out as a document. `text` or `sentence` is what a floor reads out; "
            "several `readings` or `placements` mean that the book allows each; `unknown` says why it can't be told.",
            tool_arguments.DueArguments,
            ToolDesk.find_due,
            "Ask with one rulebook.",
        ),
        ToolSpec(
            "audit",
            "Check hands against rulebooks",
            "Checks hands and returns each violation with its clause, certainty, what was seen and what should have been. "
            "Only what the record shows is judged; `coverage` lists clauses that couldn't be judged, and why.",
            tool_arguments.AuditArguments,
            ToolDesk.check_hands,
            "Check a single hand.",
        ),
        ToolSpec(
            "why",
            "Explain a figure",
            "Explains a pot, a payout, a button, a debt or a finding: its events, its clauses and the lines of its source.",
            tool_arguments.WhyArguments,
            ToolDesk.explain_figure,
            "Ask for one figure, such as due:5.",
        ),
        ToolSpec(
            "show",
            "Show a hand",
            "Shows a hand event by event, or the table after one event (T7/408@18). Hidden cards stay hidden.",
            tool_arguments.ShowArguments,
            ToolDesk.show_hand,
            "Ask for one moment, such as T7/408@flop.",
        ),
        ToolSpec(
            "rules",
            "Read rulebooks",
            "Lists the rulebooks, the clauses of one, or explains one clause in full: what it says, how it's judged, worked "
            "cases, and how other books decide the same point.",
            tool_arguments.RulesArguments,
            ToolDesk.read_rules,
            "Ask for one clause.",
        ),
        ToolSpec(
            "search",
            "Find hands, tables, people, cases and clauses",
            "Finds by letters, or lists the hands that match a query.",
            tool_arguments.SearchArguments,
            ToolDesk.search,
            "Search for more letters, or add a term to the query.",
        ),
        ToolSpec(
            "case",
            "Read disputes",
            "Lists the disputes on file, or shows one: claim, hands, statements, ruling and payments.",
            tool_arguments.CaseArguments,
            ToolDesk.read_case,
            "Ask for one case by its number.",
        ),
    )
}
"""Name → tool. All of them only read."""
