"""Build the report of a shift from all checks of its money."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import msgspec

from ledger.errors import NothingFoundError
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.requests.stored_hands import HandReader
from ledger.table.events import HandPlayed
from ledger.text.language import join_list, join_sentences, phrase, phrase_count
from projections.addresses.address_book import AddressBook
from projections.addresses.room_days import DEFAULT_DAY_START
from projections.money.difference import MoneyDifference, MoneyGap
from projections.money.drop import check_drops
from projections.money.jackpots import JackpotInput, check_jackpots
from projections.money.prizes import check_prizes
from projections.money.seating import check_seating
from projections.money.shift import ShiftTable, list_shift_tables, read_shift
from projections.money.shift_boxes import settle_boxes
from projections.money.shift_chips import check_shift_chips
from projections.money.shift_corrections import list_hand_corrections, list_table_corrections
from projections.money.shift_findings import ShiftJudgement, judge_shift
from projections.money.shift_report import ShiftCorrection, ShiftReport, ShiftTableSums, ShiftTournamentSums
from projections.money.shift_sums import build_tournament_sums, read_times, sum_dealers, sum_table, sum_total
from projections.money.tournament import read_tournament
from projections.table_walk.unread_lines import find_unread_lines

if TYPE_CHECKING:
    from ledger.replay import HandReplay
    from ledger.store import HandRow, Ledger
    from ledger.vocabulary import PlayerId
    from projections.books.rulebook import Rulebook

_Item = TypeVar("_Item", MoneyDifference, MoneyGap)


def build_shift_report(
    ledger: Ledger,
    typed_shift: str,
    *,
    tables: Sequence[str] = (),
    books: Sequence[Rulebook] = (),
    day_begins: str = DEFAULT_DAY_START,
    on_hands: Callable[[int, int], None] = lambda _judged, _total: None,
) -> ShiftReport:
    """Return the report of a shift.

    `tables`: names of the tables to report; () = all. `books`: the rulebooks to judge under; () = the house's.
    `on_hands` gets the number of hands judged so far and the total. Raises `UsageError` for an unknown shift and
    `NothingFoundError` for an unknown table.
    """
    table_keys = _find_tables(ledger, tables) if tables else None
    shift_tables = read_shift(ledger, typed_shift, day_begins=day_begins, table_keys=table_keys)
    checks = _ShiftChecks(ledger, shift_tables)
    checks.check_tables()
    judgement = judge_shift(ledger, checks.rows_by_table, list(books), on_hands)
    checks.add_judgement(judgement)
    checks.check_tournaments(judgement)
    times = read_times(ledger, [row for _, rows in checks.rows_by_table for row in rows])
    table_sums = checks.sum_tables()
    hand_count = sum(len(table.hands) for table in shift_tables)
    return ShiftReport(
        shift=typed_shift,
        venues=sorted({table.key.venue for table in shift_tables}),
        first=times.first,
        last=times.last,
        hands=hand_count,
        answer=_summarize_result(hand_count, len(checks.differences), len(checks.gaps)),
        totals=sum_total(table_sums),
        tables=table_sums,
        dealers=sum_dealers(checks.drops.dealers),
        tournaments=checks.tournaments,
        funds=checks.chips.funds,
        differences=_sort_by_place(checks.differences),
        gaps=_sort_by_place(checks.gaps),
        corrections=checks.list_corrections(),
        findings=judgement.findings,
        books=judgement.books,
    )


def _find_tables(ledger: Ledger, names: Sequence[str]) -> list[TableKey]:
    """Return the tables with these names, in all rooms and tournaments."""
    all_keys = list_shift_tables(ledger)
    known_names = {key.table for key in all_keys if key.table}
    for name in names:
        if name not in known_names:
            raise NothingFoundError(
                phrase("no table is called {table}", table=repr(name)),
                phrase("Tables with hands: {names}.", names=join_list(sorted(known_names))),
            )
    return [key for key in all_keys if key.table in names]


def _sort_by_place(items: Iterable[_Item]) -> list[_Item]:
    """Return differences or gaps sorted by table. Those of one table stay in their order."""
    return sorted(items, key=lambda item: (item.venue, item.tournament, item.table))


def _summarize_result(hand_count: int, difference_count: int, gap_count: int) -> str:
    """Return whether the money adds up, as one or two sentences."""
    if not difference_count and not gap_count:
        return phrase_count("The money of {count} hand adds up.", "The money of all {count} hands adds up.", hand_count)
    sentences = []
    if difference_count:
        sentences.append(
            phrase_count(
                "The money differs in {count} place.", "The money differs in {count} places.", difference_count
            )
        )
    else:
        sentences.append(phrase("What could be checked adds up."))
    if gap_count:
        sentences.append(
            phrase_count("{count} thing couldn't be checked.", "{count} things couldn't be checked.", gap_count)
        )
    return join_sentences(sentences)


class _ShiftChecks:
    """Runs the checks of a shift and collects their results."""

    def __init__(self, ledger: Ledger, shift_tables: Sequence[ShiftTable]) -> None:
        self.differences: list[MoneyDifference] = []
        self.gaps: list[MoneyGap] = []
        self.tournaments: list[ShiftTournamentSums] = []
        self.rows_by_table = [(table.key, _list_rows(ledger, table)) for table in shift_tables if table.hands]
        self.drops = check_drops(ledger, shift_tables)
        self.chips = check_shift_chips(ledger, shift_tables)
        self._ledger = ledger
        self._shift_tables = shift_tables

    def check_tables(self) -> None:
        """Add the differences and gaps of boxes, chips, trays and funds."""
        boxes = settle_boxes(self.drops.differences, self._shift_tables, partial(find_unread_lines, self._ledger))
        self.differences += [*boxes.differences, *self.chips.differences]
        self.gaps += [*self.drops.gaps, *boxes.gaps, *self.chips.gaps]

    def sum_tables(self) -> list[ShiftTableSums]:
        """Return the sums of each table."""
        rows_by_key = dict(self.rows_by_table)
        return [
            sum_table(table, read_times(self._ledger, rows_by_key.get(table.key, [])), self.drops)
            for table in self._shift_tables
            if table.key.table
        ]

    def add_judgement(self, judgement: ShiftJudgement) -> None:
        """Add the differences and gaps of rake and jackpots."""
        dealers = self._name_dealers() if judgement.differences else {}
        for difference in judgement.differences:
            dealer = dealers.get(difference.events[0].stream, "")
            self.differences.append(msgspec.structs.replace(difference, dealer=dealer))
        self.gaps += judgement.gaps
        for table in self._shift_tables:
            for book in judgement.books_by_table.get(table.key, []):
                self._check_jackpots(table, book)

    def _name_dealers(self) -> dict[str, str]:
        """Return the name of each hand's dealer, by the hand's stream; "" = nobody is on record."""
        return {
            entry.event.hand: (self._ledger.people.name(dealer) or dealer) if dealer else ""
            for table in self._shift_tables
            for entry, dealer in zip(table.entries, table.dealers, strict=True)
            if isinstance(entry.event, HandPlayed)
        }

    def _check_jackpots(self, table: ShiftTable, book: Rulebook) -> None:
        versions = table.versions
        jackpots = check_jackpots(
            JackpotInput(table.key, table.entries, self._read_hand, book, self._name_player),
            lambda entry: entry.version in versions,
        )
        self.differences += jackpots.differences
        self.gaps += jackpots.gaps

    def _name_player(self, player: PlayerId) -> str:
        return self._ledger.people.name(player) or player

    def _read_hand(self, stream_hex: str) -> HandReplay:
        stream = bytes.fromhex(stream_hex)
        return HandReader(self._ledger, stream).read_hand(stream)

    def check_tournaments(self, judgement: ShiftJudgement) -> None:
        """Check prizes, chips and seats of each tournament that has a table in the shift."""
        tournaments = dict.fromkeys(
            (table.key.venue, table.key.tournament) for table in self._shift_tables if table.key.tournament
        )
        for venue, number in tournaments:
            tournament = read_tournament(self._ledger, venue, number)
            books = judgement.list_tournament_books(venue, number)
            prizes = check_prizes(tournament, books[0] if books else None)
            self.differences += prizes.differences
            self.gaps += prizes.gaps
            self.tournaments.append(build_tournament_sums(venue, number, self._shift_tables, prizes.sums))
            for book in books:
                seating = check_seating(tournament, book)
                self.differences += seating.differences
                self.gaps += seating.gaps

    def list_corrections(self) -> list[ShiftCorrection]:
        """Return the corrections of the shift's facts, then those of its hands."""
        address_book = AddressBook(self._ledger)
        corrections = []
        for table in self._shift_tables:
            corrections += list_table_corrections(self._ledger, table)
        for table_key, rows in self.rows_by_table:
            corrections += list_hand_corrections(self._ledger, table_key, rows, address_book.find_hand_address)
        return corrections


def _list_rows(ledger: Ledger, table: ShiftTable) -> list[HandRow]:
    """Return the index rows of a shift's hands, in playing order."""
    rows_by_stream = {row.stream.hex: row for row in ledger.hands(**table.key._asdict())}
    return [rows_by_stream[hand.hand] for hand in table.hands if hand.hand in rows_by_stream]
