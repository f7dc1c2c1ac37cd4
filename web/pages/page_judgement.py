"""Judge the hands that a page shows. Each table is walked once, and each hand is judged in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec.structs import replace

from ledger.export.audience import HOUSE
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.requests.stored_hands import group_rows_by_table
from projections.audit import house_audit as adopted
from projections.audit.auditor import Auditor
from projections.audit.knock_on import POSITIONS_RIGHT, ButtonAndBlinds, is_table_finding
from projections.books import rulebook
from projections.books.rulebook import BUILT_IN
from projections.findings.finding import NOT_JUDGED
from projections.table_walk.replay import walk_hands
from projections.table_walk.table_context import pick_table_books
from projections.tables.knock_ons import KnockOns
from web.pages import report_errors
from web.pages.documents import Judgement, Wanting
from web.pages.hand_frames import ViewedHand

if TYPE_CHECKING:
    from ledger.replay import HandReplay
    from ledger.store import HandRow, Ledger
    from projections.audit.audit_result import AuditResult, BookRef
    from projections.audit.book_differences import Difference
    from projections.audit.knock_on import KnockOn
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Coverage, Finding
    from projections.obligations.dues import Ground
    from projections.table_walk.replay import TableCheckpoint
    from projections.table_walk.table_context import ContextsByBook, TableContext
    from web.pages.hand_frames import Viewer


_NO_POSITION_RULE: Final = "the book does not say where button and blinds belong"


class JudgedHand(NamedTuple):
    """A hand with its judgements."""

    hand: ViewedHand
    judgements: list[Judgement]
    differences: list[Difference]

    @property
    def chosen_judgements(self) -> list[Judgement]:
        """The judgements under the books that a page or report is about, without those for comparison."""
        return [judgement for judgement in self.judgements if not judgement.is_for_comparison]

    @property
    def findings(self) -> list[Finding]:
        """The findings of those books and of the record itself, each once."""
        return list(
            {
                finding.fingerprint: finding for judgement in self.chosen_judgements for finding in judgement.findings
            }.values()
        )


class BookChoice(NamedTuple):
    """The books for a page. It opens at the first primary book's findings.

    Without a primary book, the page checks only whether the record agrees with itself. Comparison books appear
    if they have a verdict on the hand. `adoption_dates`: when the house adopted a book, by the book's name.
    """

    primary_books: list[Rulebook]
    comparison_books: Sequence[Rulebook] = ()
    adoption_dates: Mapping[str, str] | None = (
        None  # a dict: another process draws pages, and a mapping view can't be pickled
    )


def choose_default_books(ledger: Ledger, rows: Sequence[HandRow]) -> BookChoice:
    """Return the books for hands when nobody named one: the house's adopted book, and ours for comparison.

    Without an adopted book, all books are for comparison. If a hand has no time and the house changed its book,
    every book that may have been in force is primary. Several hands under several books raise `UsageError`.
    """
    adoption_dates: dict[Rulebook, str] = {}
    if adopted.has_adopted_books(ledger):
        house = adopted.House(ledger)
        house_books = {book for row in rows for book in house.find_possible_books(row.venue, row.table, row.started)}
        adoption_dates = {
            book: house.make_reference(book).adopted for book in sorted(house_books, key=lambda book: book.name)
        }
    if len(rows) > 1 and len(adoption_dates) > 1:
        raise report_errors.several_books([book.name for book in adoption_dates])
    dates_by_name = {book.name: adopted_on for book, adopted_on in adoption_dates.items()}
    built_in_books = [rulebook.load(name) for name in rulebook.list_names() if name not in dates_by_name]
    return BookChoice(list(adoption_dates), built_in_books, dates_by_name)


class HandJudge:
    """Judges hands under some books."""

    def __init__(self, ledger: Ledger, books: BookChoice, *, follows_hands: bool = True) -> None:
        """`follows_hands`: also work out where button and blinds belonged, and what each hand led to."""
        self._ledger, self._follows_hands = ledger, follows_hands
        self._comparison_names = {book.name for book in books.comparison_books}
        self._adopted = books.adoption_dates or {}
        self._books = [*books.primary_books, *books.comparison_books]
        names = [book.name for book in self._books]
        self._primary_names = {book.name for book in books.primary_books} or {BUILT_IN}
        self._names = [*names, BUILT_IN] if books.primary_books else [BUILT_IN, *names]
        self._knock_ons = KnockOns(ledger, self._books)
        self._books_with_positions = {book.name for book in pick_table_books(self._books)}

    def judge_rows(self, rows: Iterable[HandRow], viewer: Viewer) -> Iterator[JudgedHand]:
        """Yield hands with their judgements, table by table in playing order.

        Only one hand is in memory at a time.
        """
        by_stream = {row.stream: row for row in rows}
        rows_by_table = group_rows_by_table(by_stream.values())
        for replay, contexts in walk_hands(
            self._ledger, rows_by_table, self._books, find_checkpoint=self._find_checkpoint
        ):
            assert replay.stream is not None  # noqa: S101 - the hand comes from a ledger
            yield self._judge_hand(ViewedHand(self._ledger, by_stream[replay.stream], viewer), contexts)

    def _find_checkpoint(self, table_key: TableKey, stream: bytes) -> TableCheckpoint | None:
        return self._knock_ons.checkpoint_finder.find_stored_checkpoint(
            table_key, stream.hex(), pick_table_books(self._books)
        )

    def _judge_hand(self, hand: ViewedHand, contexts: ContextsByBook | None) -> JudgedHand:
        result = self._judge_replay(hand.visible_hand, contexts)
        if hand.viewer.audience != HOUSE:
            result.findings = _filter_findings(result, self._judge_replay(hand.full_hand, contexts), hand)
            result.differences = []
        book_refs = {ref.name: ref for ref in result.books}
        book_judgements = (
            self._judge_under_book(
                book_refs[name], hand, result, contexts if name in self._books_with_positions else None
            )
            for name in dict.fromkeys(self._names)
        )
        judgements = [
            judgement
            for judgement in book_judgements
            if judgement.has_verdict or judgement.book.name not in self._comparison_names
        ]
        return JudgedHand(hand, judgements, list(result.differences))

    def _judge_replay(self, replay: HandReplay, contexts: ContextsByBook | None) -> AuditResult:
        return Auditor(self._books).judge_hands([(replay, contexts)])

    def _judge_under_book(
        self, ref: BookRef, hand: ViewedHand, result: AuditResult, contexts: ContextsByBook | None
    ) -> Judgement:
        """Return a book's judgement of a hand. `contexts`: the dues under each book; None if it sets no positions."""
        coverage = [row for row in result.coverage if row.book == ref.name]
        knock_on = self._follow_hand(ref, hand, result, contexts)
        is_position_right = knock_on is not None and knock_on.why == POSITIONS_RIGHT and not knock_on.hands
        right_positions = hand.find_recorded_positions() if is_position_right else _find_right_positions(knock_on)
        return Judgement(
            book=replace(ref, adopted=self._adopted.get(ref.name, "")),
            findings=result.list_findings(ref.name),
            should=right_positions,
            is_position_right=is_position_right,
            unknown=self._explain_unknown_positions(knock_on) if right_positions is None else "",
            position_grounds=[] if contexts is None else _list_position_grounds(contexts[ref.name]),
            knock_on=knock_on if knock_on is not None and knock_on.hands else None,
            judged=0 if _is_too_long(coverage) else sum(row.judged > 0 for row in coverage),
            wanting=_list_missing_facts(coverage),
            unchecked=sum(row.not_built > 0 for row in coverage),
            is_for_comparison=ref.name not in self._primary_names,
        )

    def _follow_hand(
        self, ref: BookRef, hand: ViewedHand, result: AuditResult, contexts: ContextsByBook | None
    ) -> KnockOn | None:
        """Return a hand's aftermath under a book; None if hands aren't followed, or the book sets no positions."""
        book = next((book for book in self._books if book.name == ref.name), None)
        if book is None or not self._follows_hands or book.name not in self._books_with_positions:
            return None
        table_findings = (
            finding for finding in result.findings if finding.book == ref.name and is_table_finding(book, finding)
        )
        table_key = TableKey(hand.row.venue, hand.row.tournament, hand.row.table)
        knock_on = self._knock_ons.follow_hand(
            table_key, hand.row.stream.hex, book, next(table_findings, None), table_context=contexts
        )
        return _drop_player_ids(knock_on, hand)

    def _explain_unknown_positions(self, knock_on: KnockOn | None) -> str:
        """Return why nobody can say where button and blinds belonged; "" if the judge was not asked."""
        if knock_on is not None:
            return knock_on.why
        return _NO_POSITION_RULE if self._follows_hands else ""


def _find_right_positions(knock_on: KnockOn | None) -> ButtonAndBlinds | None:
    """Return where button and blinds belonged in the hand itself, or None if that is unknown."""
    return knock_on.hands[0].should if knock_on is not None and knock_on.hands else None


def _list_position_grounds(context: TableContext) -> list[list[Ground]]:
    """Return the reasons for the button, the small and the big blind; [] if the positions are unknown."""
    positions = context.due.place
    if positions is None:
        return []
    return [list(positions.button_grounds), list(positions.small_grounds), list(positions.big_grounds)]


def _is_too_long(coverage: list[Coverage]) -> bool:
    """Whether the hand was too long to judge, so that an empty list of findings proves nothing."""
    return any(missing.fact in NOT_JUDGED for row in coverage for missing in row.missing)


def _list_missing_facts(coverage: list[Coverage]) -> list[Wanting]:
    """Return the missing facts with the clauses that need them, the most needed fact first."""
    clauses_by_fact: dict[str, list[str]] = {}
    for row in coverage:
        for missing in row.missing:
            clauses_by_fact.setdefault(missing.fact, []).append(row.clause)
    return [
        Wanting(fact, clauses)
        for fact, clauses in sorted(
            clauses_by_fact.items(), key=lambda fact_clauses: (-len(fact_clauses[1]), fact_clauses[0])
        )
    ]


def _filter_findings(viewer_result: AuditResult, full_result: AuditResult, hand: ViewedHand) -> list[Finding]:
    """Return the findings that both this viewer and the house reach, each under the house's fingerprint.

    A finding that only one of them reaches is left out, since it would reveal hidden cards.
    """
    versions = [entry.version for entry in hand.visible_entries]
    fingerprints = {
        (finding.book, finding.clause, finding.version, finding.seat): finding.fingerprint
        for finding in full_result.findings
    }
    findings = []
    for finding in viewer_result.findings:
        key = finding.book, finding.clause, versions[finding.version - 1], finding.seat
        if key in fingerprints:
            lines = [replace(line, version=versions[line.version - 1]) for line in finding.lines]
            findings.append(replace(finding, fingerprint=fingerprints[key], version=key[2], lines=lines))
    return findings


def _drop_player_ids(knock_on: KnockOn, hand: ViewedHand) -> KnockOn:
    """Return a hand's aftermath, without player ids if the viewer sees no names: an id identifies a player too."""
    if hand.viewer.naming == "keep":
        return knock_on
    return replace(knock_on, money=[replace(share, player="") for share in knock_on.money])
