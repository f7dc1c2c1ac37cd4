"""Compare two rulebooks on the hands of a ledger: findings that come, go and change, and dues that differ.

`compare_at_tables` uses stored judgements. `compare_recent_hands` judges in a temporary database, so that a draft that
nobody adopts leaves nothing behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from ledger.errors import NothingFoundError
from ledger.store.hands.hand_accounts import TableKey
from ledger.text.language import language_in_force, phrase
from ledger.vocabulary import Chips, Millis
from projections.addresses.address_book import AddressBook
from projections.audit.edition_differences import ChangeKind, FindingChange, find_changes, sum_chips_at_stake
from projections.reports.audit_json import FindingDocument, add_address
from projections.reports.owed_report import format_call
from projections.tables.counted_findings import count_overlong_hands
from projections.tables.judgement import TableJudgement
from projections.tables.judgement_update import update_judgements
from projections.tables.owed_document import make_owed_document
from projections.tables.stored_dues import iter_stored_dues
from projections.tables.table_stores import TemporaryTables

if TYPE_CHECKING:
    from ledger.store import Ledger, TableRow
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Finding
    from projections.table_walk.table_dues import TableDues
    from projections.tables.stored_judgement import StoredJudgement

RECENT_MILLIS: Final = 31 * 24 * 60 * 60 * 1000
MAX_JUDGED_HANDS: Final = 20_000
"""The most hands that `compare_recent_hands` judges under each book."""
MAX_LISTED: Final = 100
"""The most findings and tables that a comparison lists. It counts all."""


class ComparedFinding(msgspec.Struct, frozen=True):
    """A finding that differs. `old` or `new` is None if that book has no such finding."""

    becomes: ChangeKind
    old: FindingDocument | None
    new: FindingDocument | None


class ComparedDues(msgspec.Struct, frozen=True):
    """The dues on a table's next hand under each book, as the floor calls them out. Names are sanitized."""

    venue: str
    tournament: str
    table: str
    old: str
    new: str


class StakeSum(msgspec.Struct, frozen=True):
    """Chips that ended up in wrong seats by findings that appear, vanish or change, in units of 10^-exponent."""

    becomes: ChangeKind
    chips: Chips
    unit: str
    exponent: int


class BookComparison(msgspec.Struct, frozen=True):
    """How two books differ on the hands of a month."""

    hands: int  # of the period
    judged_hands: int  # including earlier hands at the same tables, on which dues depend
    overlong_hands: int  # judged hands with too many events to be judged
    tables: int
    tables_left_out: int  # because there are too many hands
    first: Millis | None  # the start of the period; None = hands without a time
    last: Millis | None
    counts: dict[ChangeKind, int]
    findings: list[ComparedFinding]
    at_stake: list[StakeSum]
    dues: list[ComparedDues]  # of tables where they differ
    dues_count: int


class TableChanges(NamedTuple):
    """The findings that differ at one table, and its hands."""

    hands: int
    changes: list[FindingChange]


def compare_at_tables(
    judgements: Collection[StoredJudgement], places: Iterable[TableKey], selected_streams: Collection[str] | None = None
) -> Iterator[TableChanges]:
    """Yield the differences between two judgements, by table. `selected_streams`: ids of the hands; None = all hands."""
    for place in places:
        results = [judgement.load_result([place]) for judgement in judgements]
        findings = [
            [
                finding
                for finding in result.findings
                if selected_streams is None or finding.hand.stream in selected_streams
            ]
            for result in results
        ]
        yield TableChanges(results[0].hands, find_changes(*findings))


class _RecentTables(NamedTuple):
    places: list[TableKey]
    left_out: int
    first: Millis | None
    last: Millis | None


def compare_recent_hands(
    ledger: Ledger, old: Rulebook, new: Rulebook, on_progress: Callable[[int, int], None] | None = None
) -> BookComparison:
    """Compare two books on the hands of the 31 days up to the ledger's newest hand.

    `on_progress` gets the hands judged so far and the total.
    """
    recent = _find_recent_tables(ledger)
    streams = {
        row.stream.hex
        for place in recent.places
        for row in ledger.hands(
            venue=place.venue, tournament=place.tournament, table=place.table, since=recent.first, standing=True
        )
    }
    with TemporaryDirectory() as folder:
        scratch = TemporaryTables(Path(folder))
        try:
            judgements = [TableJudgement(ledger, book, scratch) for book in (old, new)]
            numbers = update_judgements(
                judgements, set(recent.places), progress=on_progress, language=language_in_force()
            )
            comparisons = list(compare_at_tables(judgements, recent.places, streams))
            overlong_hands = count_overlong_hands(scratch, numbers[-1:])
            dues = [dict(iter_stored_dues(scratch, number, recent.places)) for number in numbers]
        finally:
            scratch.close()
    changes = [change for comparison in comparisons for change in comparison.changes]
    find_address = AddressBook(ledger).find_finding_address
    counts = Counter(change.kind for change in changes)

    def add_finding_address(finding: Finding | None) -> FindingDocument | None:
        return None if finding is None else add_address(finding, find_address)

    changed_dues = list(_iter_changed_dues(ledger, recent.places, *dues))
    return BookComparison(
        hands=len(streams),
        judged_hands=sum(comparison.hands for comparison in comparisons),
        overlong_hands=sum(overlong_hands.values()),
        tables=len(recent.places),
        tables_left_out=recent.left_out,
        first=recent.first,
        last=recent.last,
        counts={kind: counts[kind] for kind in ("appears", "vanishes", "changes")},
        findings=[
            ComparedFinding(change.kind, add_finding_address(change.old), add_finding_address(change.new))
            for change in changes[:MAX_LISTED]
        ],
        at_stake=[
            StakeSum(kind, chips, unit, exponent)
            for (kind, unit, exponent), chips in sum_chips_at_stake(changes).items()
            if chips
        ],
        dues=changed_dues[:MAX_LISTED],
        dues_count=len(changed_dues),
    )


def _find_recent_tables(ledger: Ledger) -> _RecentTables:
    """Return the tables where a hand of the last month was played, the latest first, within `MAX_JUDGED_HANDS`."""
    rows = list(ledger.tables())
    if not rows:
        raise NothingFoundError(phrase("There are no hands to compare."), phrase("Import hands on the Imports page."))
    last = max((row.last for row in rows if row.last is not None), default=None)
    first = None if last is None else last - RECENT_MILLIS
    recent_rows = [row for row in rows if first is None or (row.last is not None and row.last >= first)]
    recent_rows.sort(key=_get_recency, reverse=True)
    places, hands = [], 0
    for row in recent_rows:
        if hands + row.hands <= MAX_JUDGED_HANDS:
            hands += row.hands
            places.append(TableKey(row.venue, row.tournament, row.table))
    return _RecentTables(sorted(places), len(recent_rows) - len(places), first, last)


def _get_recency(row: TableRow) -> tuple[Millis, str, str, str]:
    return row.last or 0, row.venue, row.tournament, row.table


def _iter_changed_dues(
    ledger: Ledger, places: Iterable[TableKey], old: dict[TableKey, TableDues], new: dict[TableKey, TableDues]
) -> Iterator[ComparedDues]:
    for place in places:
        calls = [_call_dues(ledger, place, dues_by_place.get(place)) for dues_by_place in (old, new)]
        if calls[0] != calls[1]:
            yield ComparedDues(place.venue, place.tournament, place.table, *calls)


def _call_dues(ledger: Ledger, place: TableKey, table_dues: TableDues | None) -> str:
    """Return what a floor would call out before a table's next hand."""
    return "" if table_dues is None else format_call(make_owed_document(ledger, place, [table_dues], []))
