"""A table in play under its books. The running hand is judged after each event."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from ledger.hand.fold import fold
from ledger.recording.running_hand import find_last_version
from ledger.replay import HandReplay
from ledger.store.hands.table_streams import standings
from ledger.store.hands.table_streams import table_entries as read_table_stream
from ledger.streams import table_stream
from ledger.table.order import put_in_order
from ledger.table.plain import OrderReader
from ledger.table.played import build_hand_played
from ledger.table.standing_accounts import TableEntry
from ledger.table.unlisted_seats import list_absent_players
from ledger.text.language import language_in_force, use_language
from projections.audit.auditor import Auditor
from projections.table_walk.replay import TableReplay, make_first_checkpoint, replay_from
from projections.table_walk.table_context import ContextsByBook, TableWalk
from projections.table_walk.unread_lines import find_unread_lines
from projections.tables.changed_tables import find_continued_hands

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.hand.events import HandEvent
    from ledger.hand.state import HandState
    from ledger.store import Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.store.hands.table_streams import TableStream
    from ledger.table.state import TableState
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import UnreadLines
    from projections.findings.finding import Finding
    from projections.obligations.dues import Due


class LiveFinding(NamedTuple):
    """A finding in a running hand."""

    finding: Finding
    mendable: bool  # it can still be corrected in this hand; before the deal, everything can


_MAX_AUDITORS: Final = 8
_auditors: dict[tuple[str, ...], Auditor] = {}
"""Auditors by their books. Those of all tables share the plans of hands, which take the most memory and time."""


def fork_live_auditor(books: Sequence[Rulebook]) -> Auditor:
    """Return an auditor for one table's hands. It runs after each event, for months: it collects no findings or hands."""
    key = tuple(book.digest for book in books)
    auditor = _auditors.get(key)
    if auditor is None:
        if len(_auditors) >= _MAX_AUDITORS:
            _auditors.clear()
        auditor = _auditors[key] = Auditor(books, named_hands=0, compare_books=False, keep_findings=False)
    return auditor.fork()


class LiveTable:
    """A table of a ledger, read up to its last hand under some books."""

    def __init__(
        self,
        ledger: Ledger,
        table_key: TableKey,
        books: Sequence[Rulebook],
        find_version: Callable[[], int] | None = None,
    ) -> None:
        """Take the ledger, the table and the books. `find_version` returns the version of the table's last event."""
        self._ledger = ledger
        self._find_version = find_version or (lambda: find_last_version(ledger, table_stream(*table_key)))
        self._table_key = table_key
        self.books = list(books)
        self._auditor = fork_live_auditor(self.books)
        # By language: dues and doubts hold sentences, and readers of several languages may share the table.
        self._progresses: dict[str, _TableProgress] = {}
        self._sessions: dict[UUID, int] = {}  # session of the running hand, by its stream

    @property
    def state(self) -> TableState:
        """The table after its last hand. Don't change it."""
        return self._update_progress().table.state

    def find_due(self, book: Rulebook) -> Due:
        """Return the dues of the running hand under a book; between hands, those of the next hand."""
        return self._update_progress().find_due(book)

    def judge_running_hand(self, events: Sequence[HandEvent], stream: UUID) -> list[LiveFinding]:
        """Judge the running hand so far. `events` include its corrections."""
        progress = self._update_progress()
        return judge_live_hand(
            self._auditor,
            progress.table,
            progress.version + 1,
            HandReplay(events, None, stream, session=self._find_session(stream)),
        )

    def judge_draft(self, events: Sequence[HandEvent]) -> list[LiveFinding]:
        """Judge the beginning of a hand that isn't recorded: what it would break."""
        progress = self._update_progress()
        hand = HandReplay(events)
        return judge_live_hand(self._auditor, progress.table, progress.version + 1, hand)

    def _find_session(self, stream: UUID) -> int:
        if stream not in self._sessions:
            self._sessions = {stream: _find_session_number(self._ledger, self._table_key, stream)}
        return self._sessions[stream]

    @property
    def languages(self) -> list[str]:
        """The languages in which the table was read."""
        return list(self._progresses)

    def refresh(self) -> None:
        """Read the table up to its last hand, in the language in force and in those in which it was read."""
        for language in {language_in_force(): None, **dict.fromkeys(self.languages)}:
            with use_language(language):
                self._update_progress()

    def judge_ended_hand(self, stream: UUID) -> list[LiveFinding]:
        """Judge a hand that has just ended. Call `refresh` before its last line is recorded, and nothing in between."""
        progress = self._progresses.get(language_in_force())
        if progress is None:
            return []
        events = cast("list[HandEvent]", self._ledger.events(stream))
        hand = HandReplay(events, None, stream, session=_find_session_number(self._ledger, self._table_key, stream))
        return judge_live_hand(self._auditor, progress.table, progress.version + 1, hand, has_ended=True)

    def _update_progress(self) -> _TableProgress:
        """Return the table, read up to the end of its stream."""
        language, version = language_in_force(), self._find_version()
        progress = self._progresses.get(language)
        if progress is not None and progress.version == version:
            return progress
        unread_lines = find_unread_lines(self._ledger, self._table_key)
        self._progresses.pop(language, None)  # an error while reading would leave it half-updated
        progress = self._continue_from(progress, unread_lines) or self._read_from_start(version, unread_lines)
        self._progresses[language] = progress
        return progress

    def _continue_from(
        self, progress: _TableProgress | None, unread_lines: dict[str, UnreadLines]
    ) -> _TableProgress | None:
        """Read only the new entries, or return None if they may belong before earlier ones or change them.

        Reading from the first hand each time would take longer and longer.
        """
        if progress is None or unread_lines != progress.unread_lines or not progress.order.is_in_order:
            return None
        new_entries = read_table_stream(self._ledger, self._table_key, progress.version)
        continued_hands = find_continued_hands(self._ledger, progress.log_position)
        if not progress.hand_streams.isdisjoint(continued_hands) or not progress.order.read(new_entries):
            return None
        progress.read(new_entries)
        return progress

    def _read_from_start(self, version: int, unread_lines: dict[str, UnreadLines]) -> _TableProgress:
        entries = read_table_stream(self._ledger, self._table_key)
        order = entries.read_order()
        if not order.is_in_order:
            order = OrderReader.resume_sorted(entries, put_in_order(entries))
        empty_table = replay_from(make_first_checkpoint([], unread_lines), self._auditor.books)
        progress = _TableProgress(empty_table, order, unread_lines, version)
        progress.read(entries)
        return progress


def _find_session_number(ledger: Ledger, table_key: TableKey, stream: UUID) -> int:
    """Return how many hands with its number the table has had, this one included.

    A running hand isn't in the table's stream yet, so it comes after the others.
    """
    row = ledger.hand(stream.hex)
    if row is None or row.accounts == 1:
        return 1
    accounts = standings(read_table_stream(ledger, table_key))
    if stream.hex in accounts:
        return accounts[stream.hex].session
    other_streams = (other_row.stream.hex for other_row in ledger.hands(**table_key._asdict(), number=row.number))
    return 1 + max((accounts[stream_id].session for stream_id in other_streams if stream_id in accounts), default=0)


class _TableProgress:
    """A table read up to the end of its stream, from where reading can continue."""

    def __init__(
        self, replay: TableReplay, order: OrderReader, unread_lines: dict[str, UnreadLines], version: int
    ) -> None:
        """Take the table's replay, the order of its hands, their unread lines, and the version up to which it is read."""
        self.replay, self.table = replay, replay.walk
        self.order, self.unread_lines, self.version = order, unread_lines, version
        self.hand_streams: set[bytes] = set()
        self.log_position = 0
        self._dues: dict[str, Due] = {}  # by book, until more of the table is read

    def find_due(self, book: Rulebook) -> Due:
        """Return the dues of the next hand under a book."""
        if book.name not in self._dues:
            self._dues[book.name] = self.table.add_doubts(book.name, self.table.find_next_dues()[book.name], None)
        return self._dues[book.name]

    def read(self, entries: TableStream) -> None:
        """Read these entries of the table."""
        self._dues.clear()
        for contexts in self.replay.continue_with(entries):
            self.hand_streams.add(bytes.fromhex(contexts.hand.hand))
        self.version, self.log_position = max(self.version, self.order.version), entries.log_end


def judge_live_hand(
    auditor: Auditor, table: TableWalk, version: int, hand: HandReplay, *, has_ended: bool = False
) -> list[LiveFinding]:
    """Judge a hand at a live table. Findings that need the end of the hand are left out unless `has_ended`.

    Findings on the button and blinds are left out before the deal, because they may still be placed.
    """
    stream = "" if hand.stream is None else hand.stream.hex
    table_hand = list_absent_players(table.state, build_hand_played(fold(hand.events), stream))
    contexts = ContextsByBook(table, TableEntry(version, table_hand), table_hand)
    books = {book.name: book for book in auditor.books}
    is_before_deal = not is_dealt(hand.final_state)
    live_findings = []
    for finding in auditor.judge_hand(hand, contexts):
        spec = books[finding.book].clauses[finding.clause].spec
        if has_ended:
            live_findings.append(LiveFinding(finding, mendable=False))
            continue
        if spec is None or spec.deadline == "after_hand":
            continue
        if is_before_deal and (spec.reads_table or spec.subject == "seats"):
            continue
        live_findings.append(LiveFinding(finding, is_before_deal or spec.deadline == "mendable"))
    return live_findings


def is_dealt(state: HandState) -> bool:
    """Whether the record shows that cards were dealt, after which no blind can be posted."""
    return bool(state.deal_completed or state.round.actions or state.rounds)
