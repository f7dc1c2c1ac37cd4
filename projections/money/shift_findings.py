"""Judge the hands of a shift under the house's rulebooks: differences of rake and jackpot, and all other findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

from ledger.hand.ending import DropTaken
from ledger.text.language import join_list, join_sentences, phrase
from projections.addresses.address_book import AddressBook
from projections.audit import house_audit
from projections.audit.audit_result import BookRef, make_book_ref
from projections.audit.auditor import Auditor
from projections.detectors.shared.rake_schedule import compute_due_chips, list_kinds, sum_taken
from projections.money.difference import DifferenceKind, EventRef, MoneyDifference, MoneyGap
from projections.money.shift_report import ShiftFinding
from projections.table_walk.replay import walk_hands
from projections.timeline.hand_timeline import Timeline

if TYPE_CHECKING:
    from ledger.replay import HandReplay
    from ledger.store import HandRow, Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.vocabulary import Chips
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Finding
    from projections.obligations.house_points import DropKind, RakeRow

_MONEY_KINDS: Final[Mapping[str, DifferenceKind]] = {"rake": "rake", "jackpot": "fund"}
"""Modules of detectors whose findings are differences of the shift's money."""

RAKE_POINT: Final = "house.rake"

TableRows: TypeAlias = "tuple[TableKey, list[HandRow]]"
RowsByTable: TypeAlias = Sequence[TableRows]
"""Hands of tables in playing order."""


class ShiftJudgement(NamedTuple):
    """What rulebooks find in the hands of a shift."""

    books: list[BookRef]
    differences: list[MoneyDifference]
    findings: list[ShiftFinding]
    gaps: list[MoneyGap]
    books_by_table: dict[TableKey, list[Rulebook]]  # those that judged a hand there

    def list_tournament_books(self, venue: str, number: str) -> list[Rulebook]:
        """Return the rulebooks that judged the hands of a tournament."""
        books = (
            book
            for table_key, table_books in self.books_by_table.items()
            if (table_key.venue, table_key.tournament) == (venue, number)
            for book in table_books
        )
        return list(dict.fromkeys(books))


def judge_shift(
    ledger: Ledger,
    rows_by_table: RowsByTable,
    named_books: list[Rulebook],
    on_hands: Callable[[int, int], None] = lambda _judged, _total: None,
) -> ShiftJudgement:
    """Judge hands under the named books, else under the house's books, else only for contradictions in the record."""
    book_choice = _HouseBooks(ledger, named_books)
    judge = _ShiftJudge(ledger, sum(len(rows) for _, rows in rows_by_table), on_hands)
    for books, chosen_rows in book_choice.group_rows(rows_by_table):
        judge.judge_rows(books, chosen_rows)
    return ShiftJudgement(
        book_choice.build_book_refs(),
        judge.differences,
        judge.findings,
        book_choice.list_gaps(),
        book_choice.books_by_table,
    )


class _HouseBooks:
    """Chooses the rulebooks of each hand."""

    def __init__(self, ledger: Ledger, named_books: list[Rulebook]) -> None:
        self.books_by_table: dict[TableKey, list[Rulebook]] = {}
        self._named_books = named_books
        has_house = not named_books and house_audit.has_adopted_books(ledger)
        self._house = house_audit.House(ledger) if has_house else None

    def group_rows(self, rows_by_table: RowsByTable) -> list[tuple[list[Rulebook], list[TableRows]]]:
        """Return the hands in groups that the same books judge, table by table."""
        groups: dict[tuple[Rulebook, ...], dict[TableKey, list[HandRow]]] = {}
        for table_key, rows in rows_by_table:
            books_of_table = self.books_by_table.setdefault(table_key, [])
            for row in rows:
                books = self._choose_books(row)
                books_of_table += [book for book in books if book not in books_of_table]
                groups.setdefault(books, {}).setdefault(table_key, []).append(row)
        return [(list(books), list(tables.items())) for books, tables in groups.items()]

    def _choose_books(self, row: HandRow) -> tuple[Rulebook, ...]:
        """Return the books of a hand; () if the house had none, or if it's unknown which was in force."""
        if self._house is None:
            return tuple(self._named_books)
        possible_books = self._house.find_possible_books(row.venue, row.table, row.started)
        return tuple(possible_books) if len(possible_books) == 1 else ()

    def build_book_refs(self) -> list[BookRef]:
        """Return the references to the books that judged a hand."""
        used_books = dict.fromkeys(book for books in self.books_by_table.values() for book in books)
        return [make_book_ref(book) if self._house is None else self._house.make_reference(book) for book in used_books]

    def list_gaps(self) -> list[MoneyGap]:
        """Return a gap for each cash table whose rulebook states no rake."""
        return [
            MoneyGap("rake", table_key.venue, "", table_key.table, _describe_missing_schedule(books))
            for table_key, books in self.books_by_table.items()
            if not table_key.tournament and not any(book.policy.value(RAKE_POINT) for book in books)
        ]


def _describe_missing_schedule(books: list[Rulebook]) -> str:
    if not books:
        return phrase("No rulebook was in force here. Nobody can say whether the rake was right.")
    return phrase(
        "The rulebook {books} states no rake. Nobody can say whether the rake was right.",
        books=join_list([book.name for book in books]),
    )


class _ShiftJudge:
    """Judges hands, and separates findings about money from the others."""

    def __init__(self, ledger: Ledger, hand_count: int, on_hands: Callable[[int, int], None]) -> None:
        self.differences: list[MoneyDifference] = []
        self.findings: list[ShiftFinding] = []
        self._ledger = ledger
        self._address_book = AddressBook(ledger)
        self._hand_count, self._on_hands = hand_count, on_hands
        self._judged_count = 0

    def judge_rows(self, books: list[Rulebook], rows_by_table: Iterable[TableRows]) -> None:
        """Judge hands under the same books."""
        auditor = Auditor(books, keep_findings=False, compare_books=False)
        books_by_name = {book.name: book for book in auditor.books}
        for hand, contexts in walk_hands(self._ledger, rows_by_table, books):
            for finding in auditor.judge_hand(hand, contexts):
                self._add_finding(books_by_name[finding.book], finding, hand)
            self._judged_count += 1
            self._on_hands(self._judged_count, self._hand_count)

    def _add_finding(self, book: Rulebook, finding: Finding, hand: HandReplay) -> None:
        kind = _MONEY_KINDS.get(book.clauses[finding.clause].entry.detector.partition(".")[0])
        if kind is None:
            event = self._refer(finding, finding.version)
            self.findings.append(
                ShiftFinding(
                    clause=finding.citation, severity=finding.severity, saw=finding.saw, asks=finding.asks, event=event
                )
            )
        else:
            schedule = book.policy.value(RAKE_POINT) or []
            sums = _sum_rake(hand, schedule, finding.version) if kind == "rake" else _NO_SUMS
            self.differences.append(self._build_difference(kind, finding, sums))

    def _build_difference(self, kind: DifferenceKind, finding: Finding, sums: _RakeSums) -> MoneyDifference:
        return MoneyDifference(
            kind=kind,
            venue=finding.hand.venue,
            tournament=finding.hand.tournament,
            table=finding.hand.table,
            says=finding.saw,
            expected=sums.due,
            recorded=sums.taken,
            unit=finding.unit,
            exponent=finding.exponent,
            seat=finding.seat,
            clause=finding.citation,
            because=_explain_finding(finding),
            events=[self._refer(finding, finding.version)],
        )

    def _refer(self, finding: Finding, version: int) -> EventRef:
        stream = finding.hand.stream
        return EventRef(stream, version, self._address_book.find_stream_address(stream) or finding.hand.number)


def _explain_finding(finding: Finding) -> str:
    """Return what should have happened, and why, as far as the finding says."""
    sentences = [phrase("Should be: {demand}.", demand=finding.should)] if finding.should else []
    if finding.because:
        sentences.append(finding.because)
    return join_sentences(sentences)


class _RakeSums(NamedTuple):
    """What the house takes from a hand by its schedule, and what it took. None = unknown."""

    due: Chips | None = None
    taken: Chips | None = None


_NO_SUMS: Final = _RakeSums()


def _sum_rake(hand: HandReplay, schedule: Sequence[RakeRow], version: int) -> _RakeSums:
    """Return the sums of the kind of drop that an event is about.

    An event that isn't a drop shows that one is missing. If several kinds are, nobody can tell which it is.
    """
    event, timeline = hand.recorded_events[version - 1], Timeline(hand)
    if isinstance(event, DropTaken):
        kind = cast("DropKind", event.kind)  # a rake's finding is about no other
        return _RakeSums(compute_due_chips(timeline, schedule, kind), sum_taken(timeline, kind).chips)
    missing_sums = [
        due
        for kind in list_kinds(schedule)
        if not sum_taken(timeline, kind).chips and (due := compute_due_chips(timeline, schedule, kind))
    ]
    return _RakeSums(missing_sums[0], 0) if len(missing_sums) == 1 else _RakeSums(None, 0)
