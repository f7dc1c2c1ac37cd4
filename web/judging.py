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
from web.frames import Seen

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
    from web.frames import Eyes


_SILENT: Final = "the book does not say where button and blinds belong"


class Judged(NamedTuple):
    """A hand with all that was said of it."""

    hand: Seen
    judgements: list[Judgement]
    differences: list[Difference]

    @property
    def chosen(self) -> list[Judgement]:
        """The judgements under the books that a page or a report goes by."""
        return [one for one in self.judgements if not one.beside]

    @property
    def findings(self) -> list[Finding]:
        """What those books find, and what contradicts the record, each once."""
        return list({one.fingerprint: one for judgement in self.chosen for one in judgement.findings}.values())


class Books(NamedTuple):
    """Under which books hands are shown: the first of `chosen` is the one that a page goes by.

    Where none is chosen it goes by whether the record agrees with itself. `beside` are shown too, if they
    have anything to say of the hand. `adopted`: since when a book is the house's, by its name.
    """

    chosen: list[Rulebook]
    beside: Sequence[Rulebook] = ()
    adopted: Mapping[str, str] | None = None  # pages are drawn in another process: no view of a mapping goes there


def offered(ledger: Ledger, rows: Sequence[HandRow]) -> Books:
    """Return the books of hands where none was named: the one that the house had adopted, and ours beside it.

    Where the house had none, nobody is accused under any: all stand beside. Where a hand tells no time and the
    house changed its book, each that may have been in force is chosen. Several hands under several books are an error.
    """
    own: dict[Rulebook, str] = {}
    if adopted.has_adopted_books(ledger):
        house = adopted.House(ledger)
        every = {book for row in rows for book in house.books_at(row.venue, row.table, row.started)}
        own = {book: house.reference(book).adopted for book in sorted(every, key=lambda book: book.name)}
    if len(rows) > 1 and len(own) > 1:
        names = ", ".join(book.name for book in own)
        raise UsageError(f"the house had several rulebooks for these hands: {names}", "Say one with -r.")
    since = {book.name: when for book, when in own.items()}
    ours = [rulebook.load(name) for name in rulebook.names() if name not in since]
    return Books(list(own), ours, since)


class Judge:
    """Judges hands under some books."""

    def __init__(self, ledger: Ledger, books: Books, *, follow: bool = True) -> None:
        """Take the ledger and the books. `follow`: say of each hand where button and blinds belonged, and what came of it."""
        self._ledger, self._follow = ledger, follow
        self._beside = {book.name for book in books.beside}
        self._adopted = books.adopted or {}
        self._books = [*books.chosen, *books.beside]
        names = [book.name for book in self._books]
        self._first = {book.name for book in books.chosen} or {BUILT_IN}
        self._names = [*names, BUILT_IN] if books.chosen else [BUILT_IN, *names]
        self._knock_ons = KnockOns(ledger, self._books)
        self._tabled = {book.name for book in pick_table_books(self._books)}

    def all(self, rows: Iterable[HandRow], eyes: Eyes) -> Iterator[Judged]:
        """Yield hands with what the books say of them, table by table, in the order in which they were played.

        One hand is in memory at a time.
        """
        by_stream = {row.stream: row for row in rows}
        wanted = group_rows_by_table(by_stream.values())
        for played, contexts in walk_hands(self._ledger, wanted, self._books, find_checkpoint=self._find_checkpoint):
            assert played.stream is not None  # noqa: S101 - it is from a ledger
            yield self._judged(Seen(self._ledger, by_stream[played.stream], eyes), contexts)

    def _find_checkpoint(self, place: TableKey, stream: bytes) -> TableCheckpoint | None:
        return self._knock_ons.checkpoint_finder.find_kept_checkpoint(
            place, stream.hex(), pick_table_books(self._books)
        )

    def _judged(self, hand: Seen, contexts: ContextsByBook | None) -> Judged:
        result = self._result(hand.played, contexts)
        if hand.eyes.audience != HOUSE:
            result.findings = _theirs(result, self._result(hand.whole, contexts), hand)
            result.differences = []
        refs = {ref.name: ref for ref in result.books}
        every = (
            self._under(refs[name], hand, result, contexts if name in self._tabled else None)
            for name in dict.fromkeys(self._names)
        )
        judgements = [one for one in every if one.speaks or one.book.name not in self._beside]
        return Judged(hand, judgements, list(result.differences))

    def _result(self, played: HandReplay, contexts: ContextsByBook | None) -> AuditResult:
        return Auditor(self._books).judge_hands([(played, contexts)])

    def _under(self, ref: BookRef, hand: Seen, result: AuditResult, contexts: ContextsByBook | None) -> Judgement:
        own = [one for one in result.findings if one.book == ref.name]
        rows = [row for row in result.coverage if row.book == ref.name]
        place = TableKey(hand.row.venue, hand.row.tournament, hand.row.table)
        book = next((one for one in self._books if one.name == ref.name), None)
        led: KnockOn | None = None
        if book is not None and self._follow and book.name in self._tabled:
            asking = next((one for one in own if is_table_finding(book, one)), None)
            led = _unnamed(
                self._knock_ons.follow_hand(place, hand.row.stream.hex, book, asking, table_context=contexts), hand
            )
        right = led is not None and led.why == POSITIONS_RIGHT and not led.hands
        should: Spots | None = None
        if right:
            should = hand.recorded_spots()
        elif led is not None and led.hands:
            should = led.hands[0].should
        shown = None if contexts is None else contexts[ref.name].due.place
        return Judgement(
            book=replace(ref, adopted=self._adopted.get(ref.name, "")),
            findings=result.findings_under(ref.name),
            should=should,
            right=right,
            unknown="" if should is not None else led.why if led is not None else _SILENT if self._follow else "",
            why=[]
            if shown is None
            else [list(shown.button_grounds), list(shown.small_grounds), list(shown.big_grounds)],
            knock_on=led if led is not None and led.hands else None,
            judged=0 if _is_too_long(rows) else sum(row.judged > 0 for row in rows),
            wanting=_wanting(rows),
            unchecked=sum(row.not_built > 0 for row in rows),
            beside=ref.name not in self._first,
        )


def _is_too_long(rows: list[Coverage]) -> bool:
    """Whether the hand was not judged, as its record is far too long: then nothing found is no good sign."""
    return any(missing.fact in NOT_JUDGED for row in rows for missing in row.missing)


def _wanting(rows: list[Coverage]) -> list[Wanting]:
    """Return for want of which facts clauses were not judged, the one that most of them need first."""
    facts: dict[str, list[str]] = {}
    for row in rows:
        for missing in row.missing:
            facts.setdefault(missing.fact, []).append(row.clause)
    return [Wanting(fact, clauses) for fact, clauses in sorted(facts.items(), key=lambda one: (-len(one[1]), one[0]))]


def _theirs(seen: AuditResult, whole: AuditResult, hand: Seen) -> list[Finding]:
    """Return the findings that these eyes can see for themselves, each under the fingerprint that the house knows it by.

    What is found only where cards are hidden, or only where they are not, is left out: it would tell of them.
    """
    versions = [entry.version for entry in hand.kept]
    known = {(one.book, one.clause, one.version, one.seat): one.fingerprint for one in whole.findings}
    out = []
    for one in seen.findings:
        key = one.book, one.clause, versions[one.version - 1], one.seat
        if key in known:
            lines = [replace(line, version=versions[line.version - 1]) for line in one.lines]
            out.append(replace(one, fingerprint=known[key], version=key[2], lines=lines))
    return out


def _unnamed(led: KnockOn, hand: Seen) -> KnockOn:
    """Return what a hand led to without the ids of players, if these eyes are to know nobody: an id is a name, too."""
    if hand.eyes.naming == "keep":
        return led
    return replace(led, money=[replace(one, player="") for one in led.money])
