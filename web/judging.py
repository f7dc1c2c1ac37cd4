"""What books say of hands that a page shows: one walk of each table, each hand judged in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec.structs import replace

from ledger.errors import UsageError
from ledger.export.audience import HOUSE
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.requests.stored_hands import group_rows_by_table
from projections.audit import house_audit as adopted
from projections.audit.auditor import Auditor
from projections.audit.knock_on import POSITIONS_RIGHT, Spots, is_table_finding
from projections.books import rulebook
from projections.books.rulebook import BUILT_IN
from projections.findings.finding import NOT_JUDGED
from projections.table_walk.replay import walk_hands
from projections.table_walk.table_context import pick_table_books
from projections.tables.kept_knock_ons import KnockOns
from web.documents import Judgement, Wanting
from web.frames import ViewedHand

if TYPE_CHECKING:
    from ledger.replay import HandReplay
    from ledger.store import HandRow, Ledger
    from projections.audit.audit_result import AuditResult, BookRef
    from projections.audit.book_differences import Difference
    from projections.audit.knock_on import KnockOn
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Coverage, Finding
    from projections.table_walk.replay import TableCheckpoint
    from projections.table_walk.table_context import ContextsByBook
    from web.frames import Viewer


_NO_POSITION_RULE: Final = "the book does not say where button and blinds belong"


class JudgedHand(NamedTuple):
    """A hand with all that was said of it."""

    hand: ViewedHand
    judgements: list[Judgement]
    differences: list[Difference]

    @property
    def chosen_judgements(self) -> list[Judgement]:
        """The judgements under the books that a page or a report goes by."""
        return [judgement for judgement in self.judgements if not judgement.is_for_comparison]

    @property
    def findings(self) -> list[Finding]:
        """What those books find, and what contradicts the record, each once."""
        return list(
            {
                finding.fingerprint: finding for judgement in self.chosen_judgements for finding in judgement.findings
            }.values()
        )


class BookChoice(NamedTuple):
    """Under which books hands are shown: the first of `chosen` is the one that a page goes by.

    Where none is chosen it goes by whether the record agrees with itself. `beside` are shown too, if they
    have anything to say of the hand. `adopted`: since when a book is the house's, by its name.
    """

    primary_books: list[Rulebook]
    comparison_books: Sequence[Rulebook] = ()
    adoption_dates: Mapping[str, str] | None = (
        None  # pages are drawn in another process: no view of a mapping goes there
    )


def default_books(ledger: Ledger, rows: Sequence[HandRow]) -> BookChoice:
    """Return the books of hands where none was named: the one that the house had adopted, and ours beside it.

    Where the house had none, nobody is accused under any: all stand beside. Where a hand tells no time and the
    house changed its book, each that may have been in force is chosen. Several hands under several books are an error.
    """
    adoption_dates: dict[Rulebook, str] = {}
    if adopted.has_adopted_books(ledger):
        house = adopted.House(ledger)
        house_books = {book for row in rows for book in house.books_at(row.venue, row.table, row.started)}
        adoption_dates = {
            book: house.reference(book).adopted for book in sorted(house_books, key=lambda book: book.name)
        }
    if len(rows) > 1 and len(adoption_dates) > 1:
        names = ", ".join(book.name for book in adoption_dates)
        raise UsageError(f"the house had several rulebooks for these hands: {names}", "Say one with -r.")
    dates_by_name = {book.name: adopted_on for book, adopted_on in adoption_dates.items()}
    built_in_books = [rulebook.load(name) for name in rulebook.names() if name not in dates_by_name]
    return BookChoice(list(adoption_dates), built_in_books, dates_by_name)


class HandJudge:
    """Judges hands under some books."""

    def __init__(self, ledger: Ledger, books: BookChoice, *, follows_hands: bool = True) -> None:
        """Take the ledger and the books. `follow`: say of each hand where button and blinds belonged, and what came of it."""
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
        """Yield hands with what the books say of them, table by table, in the order in which they were played.

        One hand is in memory at a time.
        """
        by_stream = {row.stream: row for row in rows}
        rows_by_table = group_rows_by_table(by_stream.values())
        for replay, contexts in walk_hands(
            self._ledger, rows_by_table, self._books, find_checkpoint=self._find_checkpoint
        ):
            assert replay.stream is not None  # noqa: S101 - it is from a ledger
            yield self._judge_hand(ViewedHand(self._ledger, by_stream[replay.stream], viewer), contexts)

    def _find_checkpoint(self, table_key: TableKey, stream: bytes) -> TableCheckpoint | None:
        return self._knock_ons.checkpoint_finder.find_kept_checkpoint(
            table_key, stream.hex(), pick_table_books(self._books)
        )

    def _judge_hand(self, hand: ViewedHand, contexts: ContextsByBook | None) -> JudgedHand:
        result = self._audit(hand.visible_hand, contexts)
        if hand.viewer.audience != HOUSE:
            result.findings = _findings_for_viewer(result, self._audit(hand.full_hand, contexts), hand)
            result.differences = []
        book_refs = {ref.name: ref for ref in result.books}
        book_judgements = (
            self._judge_under_book(
                book_refs[name], hand, result, contexts if name in self._books_with_positions else None
            )
            for name in dict.fromkeys(self._names)
        )
        judgements = [one for one in book_judgements if one.has_verdict or one.book.name not in self._comparison_names]
        return JudgedHand(hand, judgements, list(result.differences))

    def _audit(self, replay: HandReplay, contexts: ContextsByBook | None) -> AuditResult:
        return Auditor(self._books).judge_hands([(replay, contexts)])

    def _judge_under_book(
        self, ref: BookRef, hand: ViewedHand, result: AuditResult, contexts: ContextsByBook | None
    ) -> Judgement:
        own = [one for one in result.findings if one.book == ref.name]
        rows = [row for row in result.coverage if row.book == ref.name]
        place = TableKey(hand.row.venue, hand.row.tournament, hand.row.table)
        book = next((one for one in self._books if one.name == ref.name), None)
        led: KnockOn | None = None
        if book is not None and self._follows_hands and book.name in self._books_with_positions:
            asking = next((one for one in own if is_table_finding(book, one)), None)
            led = _without_player_ids(
                self._knock_ons.follow_hand(place, hand.row.stream.hex, book, asking, table_context=contexts), hand
            )
        right = led is not None and led.why == POSITIONS_RIGHT and not led.hands
        should: Spots | None = None
        if right:
            should = hand.recorded_positions()
        elif led is not None and led.hands:
            should = led.hands[0].should
        shown = None if contexts is None else contexts[ref.name].due.place
        return Judgement(
            book=replace(ref, adopted=self._adopted.get(ref.name, "")),
            findings=result.findings_under(ref.name),
            should=should,
            is_position_right=right,
            unknown=""
            if should is not None
            else led.why
            if led is not None
            else _NO_POSITION_RULE
            if self._follows_hands
            else "",
            position_grounds=[]
            if shown is None
            else [list(shown.button_grounds), list(shown.small_grounds), list(shown.big_grounds)],
            knock_on=led if led is not None and led.hands else None,
            judged=0 if _is_too_long(rows) else sum(row.judged > 0 for row in rows),
            wanting=_list_missing_facts(rows),
            unchecked=sum(row.not_built > 0 for row in rows),
            is_for_comparison=ref.name not in self._primary_names,
        )


def _is_too_long(coverage: list[Coverage]) -> bool:
    """Whether the hand was not judged, as its record is far too long: then nothing found is no good sign."""
    return any(missing.fact in NOT_JUDGED for row in coverage for missing in row.missing)


def _list_missing_facts(coverage: list[Coverage]) -> list[Wanting]:
    """Return for want of which facts clauses were not judged, the one that most of them need first."""
    clauses_by_fact: dict[str, list[str]] = {}
    for row in coverage:
        for missing in row.missing:
            clauses_by_fact.setdefault(missing.fact, []).append(row.clause)
    return [
        Wanting(fact, clauses)
        for fact, clauses in sorted(clauses_by_fact.items(), key=lambda one: (-len(one[1]), one[0]))
    ]


def _findings_for_viewer(viewer_result: AuditResult, full_result: AuditResult, hand: ViewedHand) -> list[Finding]:
    """Return the findings that these eyes can see for themselves, each under the fingerprint that the house knows it by.

    What is found only where cards are hidden, or only where they are not, is left out: it would tell of them.
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


def _without_player_ids(knock_on: KnockOn, hand: ViewedHand) -> KnockOn:
    """Return what a hand led to without the ids of players, if these eyes are to know nobody: an id is a name, too."""
    if hand.viewer.naming == "keep":
        return knock_on
    return replace(knock_on, money=[replace(share, player="") for share in knock_on.money])
