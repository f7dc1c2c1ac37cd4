"""Judges a table under the books whose judgement is behind the log, here or in another process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from ledger.errors import StoreError
from ledger.hand.opening import HandOpened
from ledger.process.worker_pool import worker_pool
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.hands.table_streams import TableStream
from ledger.store.hands.table_streams import table_entries as read_table_stream
from ledger.table.order import in_order
from ledger.table.plain import InPlace
from projections.audit.auditor import Auditor
from projections.table_walk.checkpoint import save_walk
from projections.table_walk.replay import replay_from
from projections.table_walk.stored_hands import list_standing_accounts, read_replayed_hands, walk_hands
from projections.table_walk.table_dues import list_table_dues
from projections.tables import kept_checkpoints
from projections.tables.code import check_same_code, code_digest
from projections.tables.judgement import HandCheckpoint, Judgement, JudgementBase, ResumableWalk, Walk, WalkResult
from projections.tables.kept_checkpoints import find_new_hands, parse_order
from projections.tables.kept_dues import encode_owing

if TYPE_CHECKING:
    from ledger.replay import PlayedHand
    from ledger.store import Ledger
    from projections.audit.audit_result import AuditResult
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import UnreadLines
    from projections.table_walk.table_context import ContextsByBook, TableWalk


class TableToJudge(NamedTuple):
    """A table whose judgements are behind the log, with its unread lines."""

    accounts: int
    unread_lines: dict[str, UnreadLines]
    judgements: list[Judgement]
    has_changed_past: bool  # judged hands changed


class JudgedTable(NamedTuple):
    """Results of a table that aren't kept yet."""

    judgement: Judgement
    walk: Walk
    base: JudgementBase
    walk_result: WalkResult


_LARGE_WALK: Final = 128 * 1024
"""Bytes up to which every checkpoint of a walk is kept; of larger walks every second, fourth and so on."""


class AuditorCache:
    """Auditors by rulebooks: they share what is common to all tables of a ledger."""

    def __init__(self) -> None:
        """Begin without auditors."""
        self._auditors: dict[tuple[str, ...], Auditor] = {}

    def auditor_for(self, books: Sequence[Rulebook]) -> Auditor:
        """Return an auditor of a table's hands under these books."""
        key = tuple([book.digest for book in books])
        if key not in self._auditors:
            self._auditors[key] = Auditor(books, on_disk=True, compare_books=False)
        return self._auditors[key].fork()


def judge_table(
    ledger: Ledger, place: TableKey, stale_table: TableToJudge, audits: AuditorCache
) -> Iterator[JudgedTable]:
    """Judge a table as it is now: resume its kept walk if hands only followed it, else begin at the first hand."""
    from_beginning = list(stale_table.judgements)
    if not stale_table.has_changed_past and stale_table.accounts >= kept_checkpoints.CHECKPOINT_HANDS:
        for resumable in _group_resumable(place, stale_table):
            resumed = _judge_new_hands(ledger, place, stale_table, resumable, audits)
            if resumed is not None:
                yield from resumed
                from_beginning = [
                    judgement
                    for judgement in from_beginning
                    if all(judgement is not resumed_judgement for resumed_judgement, _ in resumable)
                ]
    if from_beginning:
        rows, entries = list_standing_accounts(ledger, place), read_table_stream(ledger, place)
        order_reader, order = _read_order(entries)
        yield from _judge_from_beginning(
            Walk(place, stale_table.accounts, rows, order, stale_table.unread_lines),
            entries,
            order_reader,
            from_beginning,
            audits,
        )


def _read_order(entries: TableStream) -> tuple[InPlace, Sequence[int]]:
    """Return the resumable reader of a table's order, and the versions of its events in playing order."""
    order_reader = entries.in_place()
    if order_reader.whole:
        return order_reader, range(1, order_reader.version + 1)
    ordered_entries = [*in_order(entries)]
    return InPlace.arranged(entries, ordered_entries), [entry.version for entry in ordered_entries]


_ResumableGroup: TypeAlias = "list[tuple[Judgement, ResumableWalk]]"


def _group_resumable(place: TableKey, stale_table: TableToJudge) -> list[_ResumableGroup]:
    """Return the kept walks of a table, grouped by their last event."""
    groups: dict[tuple[int, int], _ResumableGroup] = {}
    for judgement in stale_table.judgements:
        resumable = judgement.resumable_walk(place, stale_table.unread_lines)
        if resumable is not None:
            books = [grouped.book.name for group in groups.values() for grouped, _ in group]
            groups.setdefault((resumable.end_checkpoint.version, books.count(judgement.book.name)), []).append(
                (judgement, resumable)
            )
    return list(groups.values())


def _judge_new_hands(
    ledger: Ledger, place: TableKey, stale_table: TableToJudge, group: _ResumableGroup, audits: AuditorCache
) -> Iterator[JudgedTable] | None:
    """Judge the hands after a kept walk; None if it can't resume."""
    books = [judgement.book for judgement, _ in group]
    new_hands = find_new_hands(
        ledger,
        place,
        stale_table.accounts,
        books,
        [resumable.end_checkpoint for _, resumable in group],
        stale_table.unread_lines,
    )
    if new_hands is None:
        return None
    order_reader, rows = new_hands.order_reader, new_hands.rows
    judged_order = parse_order((group[0][1].base.kept_row or {})["order"])
    if judged_order is None:
        return None
    is_contiguous = isinstance(judged_order, range)
    order = (
        range(1, order_reader.version + 1)
        if is_contiguous
        else [*judged_order, *(entry.version for entry in new_hands.entries)]
    )
    walk = Walk(place, stale_table.accounts, rows, order, stale_table.unread_lines)
    walk_ends = _WalkRecorder(walk, order_reader, books)
    replay = replay_from(new_hands.checkpoint, books)
    walked_hands = read_replayed_hands(ledger, rows, replay)
    result = audits.auditor_for(books).judge_hands(walk_ends.note_hands(walked_hands, order_reader.hands - len(rows)))
    walk_ends.record_end(replay.walk)
    return _split_by_book(
        result,
        walk,
        [(judgement, resumable.base._replace(hands_to_judge=rows)) for judgement, resumable in group],
        walk_ends,
    )


class _WalkRecorder:
    """Records checkpoints, the end of a walk and the dues on the next hand."""

    def __init__(self, walk: Walk, order_reader: InPlace, books: Sequence[Rulebook]) -> None:
        """Take the walk, the reader of its order, and its rulebooks."""
        self._is_long = walk.accounts >= kept_checkpoints.CHECKPOINT_HANDS
        self._read = order_reader
        self._books = [book.name for book in books]
        self.due: dict[str, bytes] = {}
        self.end_walks: dict[str, bytes | None] = {}
        self.checkpoints: dict[str, list[HandCheckpoint]] = {name: [] for name in self._books}

    def note_hands(
        self, walked_hands: Iterable[tuple[PlayedHand, ContextsByBook | None]], hands_before: int
    ) -> Iterator[tuple[PlayedHand, ContextsByBook | None]]:
        """Yield hands that are about to be judged, with checkpoints kept where they are due."""
        for hands, (hand, contexts) in enumerate(walked_hands, hands_before):
            self.add_checkpoint(hands, contexts)
            if on_hand is not None:
                first_event = hand.recorded_events[0]
                opening = first_event if isinstance(first_event, HandOpened) else None
                on_hand("" if opening is None else f"{opening.table}, hand {opening.number}")
            yield hand, contexts

    def add_checkpoint(self, hands: int, contexts: ContextsByBook | None) -> None:
        """Keep a checkpoint before a hand, after `hands` hands, if one is due there."""
        if (
            contexts is None
            or not self._is_long
            or not self._read.whole
            or not hands
            or hands % kept_checkpoints.CHECKPOINT_HANDS
        ):
            return
        for name, checkpoints in self.checkpoints.items():
            walk = save_walk(contexts.table, name, None)
            if (
                walk is not None
                and hands // kept_checkpoints.CHECKPOINT_HANDS % (1 << (len(walk) // _LARGE_WALK).bit_length()) == 0
            ):
                stream, break_count = bytes.fromhex(contexts.hand.hand), len(contexts.table.breaks)
                checkpoints.append(HandCheckpoint(hands, stream, contexts.version - 1, break_count, walk))

    def record_end(self, table: TableWalk) -> None:
        """Keep the walk at its end and the dues on the next hand."""
        if self._is_long:
            self.end_walks = {name: save_walk(table, name, self._read) for name in self._books}
        self.due = {name: encode_owing(dues) for name, dues in list_table_dues(table).items()}


def _judge_from_beginning(
    walk: Walk, entries: TableStream, order_reader: InPlace, judgements: Sequence[Judgement], audits: AuditorCache
) -> Iterator[JudgedTable]:
    """Judge a table under these books; books that judge the same hands share one walk."""
    groups: list[list[tuple[Judgement, JudgementBase]]] = []
    for judgement in judgements:
        base = judgement.base(walk, entries)
        for group in groups:
            same_hands = len(group[0][1].hands_to_judge) == len(base.hands_to_judge)
            if same_hands and all(grouped.book.name != judgement.book.name for grouped, _ in group):
                group.append((judgement, base))
                break
        else:
            groups.append([(judgement, base)])
    for group in groups:
        yield from _walk_group(walk, entries, order_reader, group, audits)


on_hand: Callable[[str], None] | None = None
"""Called with the name of each hand before it's judged."""


def _walk_group(
    walk: Walk,
    entries: TableStream,
    order_reader: InPlace,
    group: Sequence[tuple[Judgement, JudgementBase]],
    audits: AuditorCache,
) -> Iterator[JudgedTable]:
    """Walk a table once for books that judge the same hands."""
    books = [judgement.book for judgement, _ in group]
    walk_ends = _WalkRecorder(walk, order_reader, books)
    ledger, hands_by_table = group[0][0].ledger, [(walk.place, group[0][1].hands_to_judge)]
    walked_hands = walk_hands(
        ledger, hands_by_table, books, walk.unread_lines, lambda *_: entries, walk_ends.record_end
    )
    judged_before = len(walk.rows) - len(group[0][1].hands_to_judge)
    result = audits.auditor_for(books).judge_hands(walk_ends.note_hands(walked_hands, judged_before))
    yield from _split_by_book(result, walk, group, walk_ends)


def _split_by_book(
    full_result: AuditResult, walk: Walk, group: Sequence[tuple[Judgement, JudgementBase]], walk_ends: _WalkRecorder
) -> Iterator[JudgedTable]:
    """Yield the results under each book of a shared walk."""
    for judgement, base in group:
        result = full_result if len(group) == 1 else full_result.for_book(judgement.book.name)
        name = judgement.book.name
        walk_result = WalkResult(
            result, walk_ends.due.get(name), walk_ends.end_walks.get(name), walk_ends.checkpoints[name]
        )
        yield JudgedTable(judgement, walk, base, walk_result)


def can_share(judgements: Sequence[Judgement]) -> bool:
    """Whether other processes can read these judgements' tables: not those in memory or beside the ledger."""
    return all(
        judgement.table_store is judgement.ledger.database and judgement.ledger.database.is_lasting
        for judgement in judgements
    )


class _SentResult(NamedTuple):
    """Results of a table under one book, sent back by a process."""

    judgement_index: int
    walk: Walk
    base: JudgementBase
    walk_result: WalkResult


class _WorkerState:
    """State of a judging process."""

    ledger: Ledger
    judgements: list[Judgement]
    audits: AuditorCache


_worker: Final = _WorkerState()


def judge_in_processes(tables_to_judge: Mapping[TableKey, TableToJudge], jobs: int) -> Iterator[list[JudgedTable]]:
    """Judge tables in processes, the longest first; yield them as they finish."""
    judgements = list(
        dict.fromkeys(judgement for stale_table in tables_to_judge.values() for judgement in stale_table.judgements)
    )
    judgement_indexes = {judgement: number for number, judgement in enumerate(judgements)}
    ledger = judgements[0].ledger
    initargs = (ledger.database.address.full_url, ledger.upto, [judgement.book for judgement in judgements])
    code = code_digest()
    tasks = [
        (
            place,
            stale_table._replace(judgements=[]),
            [judgement_indexes[judgement] for judgement in stale_table.judgements],
            code,
        )
        for place, stale_table in sorted(tables_to_judge.items(), key=lambda entry: (-entry[1].accounts, entry[0]))
    ]
    with worker_pool(min(jobs, len(tasks)), [__name__], _init_worker, initargs) as processes:
        try:
            for sent_results in processes.map(_judge_task, tasks):
                yield [
                    JudgedTable(judgements[sent.judgement_index], sent.walk, sent.base, sent.walk_result)
                    for sent in sent_results
                ]
        except BrokenProcessPool:
            raise StoreError(
                "a judging process ended early",
                "Run the command again: it resumes where it stopped. --jobs 1 needs less memory.",
            ) from None


def _init_worker(url: str, last_position: int | None, books: list[Rulebook]) -> None:
    ledger = _worker.ledger = open_ledger(url, create=False, read_only=True)
    ledger.upto = last_position
    _worker.judgements = [Judgement(ledger, book, ledger.database) for book in books]
    _worker.audits = AuditorCache()


def _judge_task(task: tuple[TableKey, TableToJudge, list[int], str]) -> list[_SentResult]:
    """Judge a table in a process; return as little as possible."""
    place, stale_table, indexes, code = task
    check_same_code(code)
    stale_table = stale_table._replace(judgements=[_worker.judgements[index] for index in indexes])
    sent_results = []
    for judged in judge_table(_worker.ledger, place, stale_table, _worker.audits):
        result = judged.walk_result.result
        result.findings = list(result.findings)
        result.differences = []
        hand_streams = {finding.hand.stream for finding in result.findings}
        hand_streams |= {checkpoint.stream.hex() for checkpoint in judged.walk_result.checkpoints}
        rows = [row for row in judged.walk.rows if row.id.hex() in hand_streams]
        walk = judged.walk._replace(rows=rows)
        walk_result = judged.walk_result._replace(result=result)
        sent_results.append(
            _SentResult(
                _worker.judgements.index(judged.judgement), walk, judged.base._replace(hands_to_judge=[]), walk_result
            )
        )
    return sent_results
