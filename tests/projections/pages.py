"""The case pages: hands and evenings in handscript, with the lines that offend a clause marked.

CONTRIBUTING.md says how a page is written. A page of a book judges under that book; a page of
`worked` under the columns that it names. Silence is demanded of every clause that is not marked.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple
from uuid import UUID, uuid5

from ledger.account import Account, TableAccount
from ledger.formats.handscript import CASE, read_case, read_with_comments
from ledger.formats.handscript.writer import write_lines
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.people import People
from ledger.replay import HandReplay
from ledger.table.events import TableEvent, TableOpened
from ledger.table.order import TableEntry, number_table_events
from ledger.table.played import build_hand_played
from ledger.vocabulary import Millis
from projections.books.rulebook import Rulebook, load
from tests.projections import page_table

CASES = Path(__file__).resolve().parent.parent / "cases"
WORKED = "worked"
HOUSE_CASES = CASES / "house"
"""Books of houses, `NAME.toml`, each with its pages in the folder `NAME`. No published book has such clauses."""
_SECRET = b"c" * 32
_SPACE = UUID(int=0)


class Column(NamedTuple):
    """A book, with options of the house that are told of every hand: `rrop4/dead`, `hilton+makeup-option=1`."""

    name: str
    book: str
    options: tuple[tuple[str, str], ...]

    @property
    def header(self) -> str:
        """What stands above the hands."""
        return "".join(f"option {option} {value}\n" for option, value in self.options)


class Mark(NamedTuple):
    """A clause that speaks at an event of a hand; `untold`: it must say that it cannot tell."""

    hand: int  # 1 = the page's first
    version: int
    clause: str
    untold: bool = False


class Expected(NamedTuple):
    """A line of a `due` fence: what is due before a hand under a column."""

    hand: int
    says: str
    line: str


@dataclass(frozen=True)
class Case:
    """One fence under one column."""

    page: str  # "hilton", or "worked"
    clause: str  # the page's file: a clause, or the number of a worked example
    title: str
    column: Column
    evening: bool
    text: str
    due: tuple[str, ...] = field(default=(), compare=False)
    silent: bool = False  # the book has no verdict: nothing of it may speak

    @property
    def book(self) -> str:
        return self.column.book

    @property
    def name(self) -> str:
        column = f" [{self.column.name}]" if self.page == WORKED else ""
        return f"{self.page} {self.clause}: {self.title}{column}"

    @property
    def told(self) -> Evening:
        return _evening(self.text, self.column, self.evening)

    @property
    def events(self) -> tuple[HandEvent, ...]:
        """The events of the only hand."""
        (hand,) = self.told.hands
        return tuple(hand.recorded_events)

    @property
    def marks(self) -> frozenset[Mark]:
        """What the comments demand under this column."""
        marks = set()
        for hand, version, comment in self.told.comments:
            for clause in self._clauses(comment):
                marks.add(Mark(hand, version, clause.lstrip("?"), clause.startswith("?")))
        return frozenset(marks)

    @property
    def named(self) -> set[str]:
        """The columns that marks and `due` lines name."""
        comments = self.told.comments if self.page == WORKED else ()
        names = {part.split()[0] for *_, text in comments for part in text.split(";")}
        for line in self.due:
            names.update(line.partition(":")[0].replace(",", " ").split()[1:])
        return names

    def _clauses(self, comment: str) -> Iterator[str]:
        if self.page != WORKED:
            yield from (clause.strip() for clause in comment.split(","))
            return
        for part in comment.split(";"):
            name, *clauses = part.replace(",", " ").split()
            if name in (self.column.name, self.book):
                yield from (clause for clause in clauses if clause != "?")

    @property
    def expected(self) -> list[Expected]:
        """What the `due` fence demands under this column."""
        expectations = []
        for line in self.due:
            head, _, statement = line.partition(":")
            hand, *names = head.replace(",", " ").split()
            if not hand.startswith("H") or not hand[1:].isdigit():
                raise ValueError(f"{self.name}: {line!r} does not begin with H and a number")
            if not names or self.column.name in names or self.book in names:
                expectations.append(Expected(int(hand[1:]), statement.strip(), line))
        return expectations


class Evening(NamedTuple):
    """Hands of one table, and the table's stream as a ledger would keep it."""

    hands: tuple[HandReplay, ...]
    table: tuple[TableEntry, ...]
    comments: tuple[tuple[int, int, str], ...]  # hand, version, text


@cache
def cases() -> tuple[Case, ...]:
    """Return every fence of every page under every column."""
    return tuple(case for page in sorted(CASES.glob("*/*.md")) for case in _page(page))


def load_book(name: str) -> Rulebook:
    """Load a published book, or that of a house with pages."""
    path = HOUSE_CASES / f"{name}.toml"
    return load(str(path)) if path.exists() else load(name)


@cache
def house_cases() -> tuple[Case, ...]:
    """Return every fence of the pages of houses' own books."""
    return tuple(case for page in sorted(HOUSE_CASES.glob("*/*.md")) for case in _page(page))


def explain_marks(case: Case, found: AbstractSet[Mark], marked: AbstractSet[Mark]) -> str:
    """Return what differs between findings and marks, each with its line of the hand in handscript."""
    problems = [(mark, "isn't marked, but is found") for mark in found - marked]
    problems += [(mark, "is marked, but isn't found") for mark in marked - found]
    hands = case.told.hands
    return "\n".join(
        f"hand {mark.hand}, {write_lines(hands[mark.hand - 1].recorded_events, People(_SECRET))[mark.version - 1]!r}: "
        f"{mark.clause} {problem}"
        for mark, problem in sorted(problems)
    )


def book_cases() -> tuple[Case, ...]:
    """Return the cases of the pages that belong to a clause of a book."""
    return tuple(case for case in cases() if case.page != WORKED)


def worked_cases() -> tuple[Case, ...]:
    """Return the cases of the worked examples, under every column."""
    return tuple(case for case in cases() if case.page == WORKED)


def column(text: str) -> Column:
    """Read a column's name."""
    head, *changes = text.split("+")
    book, _, method = head.partition("/")
    options = [("button-method", method)] if method else []
    for change in changes:
        option, _, value = change.partition("=")
        options.append((option, value))
    return Column(text, book, tuple(options))


def evening(text: str, column: Column) -> Evening:
    """Return an evening that is written in a test."""
    return _evening(text, column, True)


def _page(path: Path) -> Iterator[Case]:
    book = path.parent.name
    page = _Page(book, path.stem)
    for line in path.read_text(encoding="utf-8").splitlines():
        page.take(line)
    page.finish()
    yield from page.cases


class _Page:
    """A page while its lines are read."""

    def __init__(self, book: str, clause: str) -> None:
        self.book, self.clause = book, clause
        self.title = ""
        self.columns = [] if book == WORKED else [column(book)]
        self.silent: list[Column] = []
        self.fence = ""  # the kind that is open
        self.lines: list[str] = []
        self.table: list[str] = []  # how hands begin, as the last `table` fence says
        self.above: list[str] = []  # the last evening
        self.open: list[Case] = []  # the cases of the last fence: a `due` fence may follow
        self.cases: list[Case] = []

    def take(self, line: str) -> None:
        if self.fence:
            if line == "```":
                self._close()
            else:
                self.lines.append(line)
        elif line.startswith("```"):
            self.fence, self.lines = line[3:].strip() or "text", []
        elif line.startswith("## "):
            self.title, self.silent = line[3:].strip(), []
        elif line.startswith("columns:"):
            self.columns, self.silent = _columns(line), []
        elif line.startswith("no verdict:"):
            self.silent = _columns(line)

    def _close(self) -> None:
        kind, self.fence = self.fence, ""
        if kind == "due":
            if not self.open:
                raise ValueError(f"{self.book} {self.clause}: a due fence follows an evening")
            self.open = [_with_due(case, self.lines) for case in self.open]
        elif kind == "table":
            self.table = page_table.facts("\n".join(self.lines))
        elif kind in ("hand", "evening"):
            self.finish()
            silent_columns = [column_name for column_name in self.silent if column_name not in self.columns]
            if not self.columns and not silent_columns:
                raise ValueError(f"{self.book} {self.clause}: no columns are named")
            text = self._text(kind)
            title = self._numbered(self.title)
            self.open = [
                Case(
                    self.book,
                    self.clause,
                    title,
                    column_name,
                    kind == "evening",
                    text,
                    silent=column_name in self.silent,
                )
                for column_name in [*self.columns, *silent_columns]
            ]

    def _text(self, kind: str) -> str:
        """Return what the open fence tells, with what the table and the evening above it say."""
        own_facts = page_table.facts("\n".join(self.lines))
        try:
            if kind == "hand":
                fact_lines = page_table.hand(self.table, own_facts)
            else:
                fact_lines = self.above = page_table.evening(self.table, own_facts, self.above)
        except ValueError as error:
            raise ValueError(f"{self.book} {self.clause}: {self.title}: {error}") from None
        return "\n".join(fact_lines) + "\n"

    def _numbered(self, title: str) -> str:
        """Return a title that no fence before has: a section may hold several."""
        titles = {c.title for c in [*self.cases] if c.title.split(" (")[0] == title.split(" (", maxsplit=1)[0]}
        return title if title not in titles else f"{title} ({len(titles) + 1})"

    def finish(self) -> None:
        self.cases += self.open
        self.open = []


def _with_due(case: Case, lines: list[str]) -> Case:
    due = tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))
    return Case(
        case.page, case.clause, case.title, case.column, case.evening, case.text, (*case.due, *due), case.silent
    )


def _columns(line: str) -> list[Column]:
    return [column(name.strip()) for name in line.partition(":")[2].split(",") if name.strip()]


@cache
def _evening(text: str, column: Column, evening: bool) -> Evening:
    people = People(_SECRET)
    if not evening:
        account, comments = read_case(text, people, header=CASE + column.header)
        return _tabled([account], {0: comments}, [])
    header = "handscript 1\n" + column.header
    text = header + text.removeprefix("handscript 1\n") if text.startswith("handscript 1\n") else header + CASE + text
    accounts: list[Account] = []
    notes: dict[int, dict[int, str]] = {}
    facts: list[tuple[int, TableAccount]] = []
    for item in read_with_comments(text, people):
        if isinstance(item.told, Account):
            notes[len(accounts)] = item.comments
            accounts.append(item.told)
            continue
        if not isinstance(item.told, TableAccount):
            raise TypeError("an evening holds hands and facts about their table")
        if item.comments:
            raise ValueError("a mark stands at a line of a hand")
        facts.append((len(accounts), item.told))
    return _tabled(accounts, notes, facts)


def _tabled(
    accounts: list[Account], notes: dict[int, dict[int, str]], facts: list[tuple[int, TableAccount]]
) -> Evening:
    """Put hands and facts into the table's stream, as an import does."""
    hands = []
    events: list[TableEvent] = []
    times: dict[int, Millis] = {}
    comments = []
    if accounts:
        first = accounts[0].opened
        events.append(TableOpened(first.venue, first.table, first.tournament, first.club, first.seats, first.witnesses))
    for index in range(len(accounts) + 1):
        for offset, fact in facts:
            if offset == index:
                times |= {len(events) + step: time for step, time in fact.times.items()}
                events += fact.events
        if index < len(accounts):
            account = accounts[index]
            stream = uuid5(_SPACE, f"{index} {account.opened.number}")
            hands.append(HandReplay(account.events, stream=stream))
            events.append(build_hand_played(fold(account.events), stream.hex))
            comments += [(index + 1, step + 1, comment) for step, comment in notes.get(index, {}).items()]
    return Evening(tuple(hands), tuple(number_table_events(events, times)), tuple(comments))
