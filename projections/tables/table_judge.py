"""Judge tables under the books whose judgement is behind the log, in this process or in several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.errors import StoreError
from ledger.hand.opening import HandOpened
from ledger.process.worker_pool import worker_pool
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.hands.table_streams import TableStream
from ledger.store.hands.table_streams import table_entries as read_table_stream
from ledger.store.requests.stored_hands import list_standing_accounts
from ledger.table.order import put_in_order
from ledger.table.plain import OrderReader
from projections.audit.auditor import Auditor
from projections.table_walk.checkpoint import save_walk
from projections.table_walk.replay import read_replayed_hands, replay_from, walk_hands
from projections.table_walk.table_dues import list_table_dues
from projections.tables import stored_walks
from projections.tables.code import check_same_code, code_digest
from projections.tables.judgement import (
    HandCheckpoint,
    JudgementBase,
    ResumableWalk,
    TableJudgement,
    TableRecord,
    WalkResult,
)
from projections.tables.stored_dues import encode_dues
from projections.tables.stored_walks import find_new_hands, parse_order

if TYPE_CHECKING:
    from ledger.replay import HandReplay
    from ledger.store import Ledger
    from projections.audit.audit_result import AuditResult
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import UnreadLines
    from projections.table_walk.table_context import ContextsByBook, TableWalk


class TableToJudge(NamedTuple):
    """A table whose judgements are behind the log, with its unread lines by hand."""

    accounts: int
    unread_lines: dict[str, UnreadLines]
    judgements: list[TableJudgement]
    has_changed_past: bool  # hands that were judged have changed since


class JudgedTable(NamedTuple):
    """A table's results under one book, not stored yet."""

    judgement: TableJudgement
    record: TableRecord
    base: JudgementBase
    walk_result: WalkResult


class _BookTask(NamedTuple):
    """A judgement of a table, and the stored state that it continues from."""

    judgement: TableJudgement
    base: JudgementBase


class _ResumableTask(NamedTuple):
    """A judgement of a table whose stored walk can be resumed."""

    judgement: TableJudgement
    walk: ResumableWalk


_LARGE_WALK: Final = 128 * 1024
"""The size in bytes up to which every checkpoint of a walk is stored. Of larger walks, only every second or fourth is."""

on_hand: Callable[[str], None] | None = None
"""Called with the name of each hand before it's judged."""


class AuditorCache:
    """Auditors by their rulebooks. Auditors of the same books share everything that doesn't depend on the table."""

    def __init__(self) -> None:
        """Create an empty cache."""
        self._auditors: dict[tuple[str, ...], Auditor] = {}

    def fork_auditor(self, books: Sequence[Rulebook]) -> Auditor:
        """Return a new auditor of one table's hands under these books."""
        key = tuple([book.digest for book in books])
        if key not in self._auditors:
            self._auditors[key] = Auditor(books, on_disk=True, compare_books=False)
        return self._auditors[key].fork()


def judge_table(
    ledger: Ledger, table_key: TableKey, table_to_judge: TableToJudge, auditors: AuditorCache
) -> Iterator[JudgedTable]:
    """Judge a table. If it only has new hands after its stored walk, resume that; else begin at the first hand."""
    judgements_to_restart = list(table_to_judge.judgements)
    if not table_to_judge.has_changed_past and table_to_judge.accounts >= stored_walks.CHECKPOINT_HANDS:
        for group in _group_resumable_tasks(table_key, table_to_judge):
            judged_tables = _judge_new_hands(ledger, table_key, table_to_judge, group, auditors)
            if judged_tables is not None:
                yield from judged_tables
                resumed_ids = {id(task.judgement) for task in group}
                judgements_to_restart = [
                    judgement for judgement in judgements_to_restart if id(judgement) not in resumed_ids
                ]
    if judgements_to_restart:
        rows, entries = list_standing_accounts(ledger, table_key), read_table_stream(ledger, table_key)
        order_reader, order = _order_entries(entries)
        record = TableRecord(table_key, table_to_judge.accounts, rows, order, table_to_judge.unread_lines)
        yield from _judge_from_beginning(record, entries, order_reader, judgements_to_restart, auditors)


def _group_resumable_tasks(table_key: TableKey, table_to_judge: TableToJudge) -> list[list[_ResumableTask]]:
    """Return the judgements whose walk can be resumed, in groups with the same last event and different books."""
    groups: dict[tuple[int, int], list[_ResumableTask]] = {}
    for judgement in table_to_judge.judgements:
        walk = judgement.find_resumable_walk(table_key, table_to_judge.unread_lines)
        if walk is not None:
            names = [task.judgement.book.name for group in groups.values() for task in group]
            key = (walk.end_checkpoint.version, names.count(judgement.book.name))
            groups.setdefault(key, []).append(_ResumableTask(judgement, walk))
    return list(groups.values())


def _judge_new_hands(
    ledger: Ledger,
    table_key: TableKey,
    table_to_judge: TableToJudge,
    group: Sequence[_ResumableTask],
    auditors: AuditorCache,
) -> Iterator[JudgedTable] | None:
    """Judge the hands after a stored walk, or return None if it can't be resumed."""
    books = [task.judgement.book for task in group]
    end_checkpoints = [task.walk.end_checkpoint for task in group]
    unread_lines = table_to_judge.unread_lines
    new_hands = find_new_hands(ledger, table_key, table_to_judge.accounts, books, end_checkpoints, unread_lines)
    judged_order = parse_order((group[0].walk.base.stored_row or {})["order"])
    if new_hands is None or judged_order is None:
        return None
    order_reader, rows = new_hands.order_reader, new_hands.rows
    order: Sequence[int] = range(1, order_reader.version + 1)
    if not isinstance(judged_order, range):
        order = [*judged_order, *(entry.version for entry in new_hands.entries)]
    record = TableRecord(table_key, table_to_judge.accounts, rows, order, unread_lines)
    recorder = _WalkRecorder(record, order_reader, books)
    replay = replay_from(new_hands.checkpoint, books)
    walked_hands = read_replayed_hands(ledger, rows, replay)
    hands_before = order_reader.hands - len(rows)
    result = auditors.fork_auditor(books).judge_hands(recorder.add_checkpoints(walked_hands, hands_before))
    recorder.record_end(replay.walk)
    tasks = [_BookTask(task.judgement, task.walk.base._replace(hands_to_judge=rows)) for task in group]
    return _split_by_book(result, record, tasks, recorder)


def _order_entries(entries: TableStream) -> tuple[OrderReader, Sequence[int]]:
    """Return a table's order reader and the versions of its events in playing order."""
    order_reader = entries.read_order()
    if order_reader.is_in_order:
        return order_reader, range(1, order_reader.version + 1)
    ordered_entries = [*put_in_order(entries)]
    return OrderReader.resume_sorted(entries, ordered_entries), [entry.version for entry in ordered_entries]


def _judge_from_beginning(
    record: TableRecord,
    entries: TableStream,
    order_reader: OrderReader,
    judgements: Sequence[TableJudgement],
    auditors: AuditorCache,
) -> Iterator[JudgedTable]:
    """Judge a table under these books. Books that judge the same hands share one walk."""
    groups: list[list[_BookTask]] = []
    for judgement in judgements:
        new_task = _BookTask(judgement, judgement.find_base(record, entries))
        for group in groups:
            has_same_hands = len(group[0].base.hands_to_judge) == len(new_task.base.hands_to_judge)
            if has_same_hands and all(task.judgement.book.name != judgement.book.name for task in group):
                group.append(new_task)
                break
        else:
            groups.append([new_task])
    for group in groups:
        yield from _walk_group(record, entries, order_reader, group, auditors)


def _walk_group(
    record: TableRecord,
    entries: TableStream,
    order_reader: OrderReader,
    group: Sequence[_BookTask],
    auditors: AuditorCache,
) -> Iterator[JudgedTable]:
    """Walk a table once for books that judge the same hands."""
    books = [task.judgement.book for task in group]
    ledger, hands_to_judge = group[0].judgement.ledger, group[0].base.hands_to_judge
    recorder = _WalkRecorder(record, order_reader, books)
    hands_by_table = [(record.table_key, hands_to_judge)]
    walked_hands = walk_hands(
        ledger, hands_by_table, books, record.unread_lines, lambda *_: entries, recorder.record_end
    )
    hands_before = len(record.rows) - len(hands_to_judge)
    result = auditors.fork_auditor(books).judge_hands(recorder.add_checkpoints(walked_hands, hands_before))
    yield from _split_by_book(result, record, group, recorder)


def _split_by_book(
    full_result: AuditResult, record: TableRecord, tasks: Sequence[_BookTask], recorder: _WalkRecorder
) -> Iterator[JudgedTable]:
    """Yield the results under each book of a shared walk."""
    for judgement, base in tasks:
        name = judgement.book.name
        result = full_result if len(tasks) == 1 else full_result.select_book(name)
        walk_result = WalkResult(
            result, recorder.dues.get(name), recorder.end_walks.get(name), recorder.checkpoints[name]
        )
        yield JudgedTable(judgement, record, base, walk_result)


class _WalkRecorder:
    """Records what is stored of a walk under each book: checkpoints, the walk at its end, and the next hand's dues."""

    def __init__(self, record: TableRecord, order_reader: OrderReader, books: Sequence[Rulebook]) -> None:
        """Create the recorder of a table's walk."""
        self._is_long = record.accounts >= stored_walks.CHECKPOINT_HANDS
        self._order_reader = order_reader
        self._books = [book.name for book in books]
        self.dues: dict[str, bytes] = {}
        self.end_walks: dict[str, bytes | None] = {}
        self.checkpoints: dict[str, list[HandCheckpoint]] = {name: [] for name in self._books}

    def add_checkpoints(
        self, walked_hands: Iterable[tuple[HandReplay, ContextsByBook | None]], hands_before: int
    ) -> Iterator[tuple[HandReplay, ContextsByBook | None]]:
        """Yield hands that are about to be judged, and add a checkpoint before those at which one is due."""
        for hand_count, (hand, contexts) in enumerate(walked_hands, hands_before):
            self._add_checkpoint(hand_count, contexts)
            if on_hand is not None:
                first_event = hand.recorded_events[0]
                opening = first_event if isinstance(first_event, HandOpened) else None
                on_hand("" if opening is None else f"{opening.table}, hand {opening.number}")
            yield hand, contexts

    def _add_checkpoint(self, hand_count: int, contexts: ContextsByBook | None) -> None:
        """Add a checkpoint after this number of hands, if one is due. Of large walks, only some are stored."""
        number, remainder = divmod(hand_count, stored_walks.CHECKPOINT_HANDS)
        if contexts is None or not self._is_long or not self._order_reader.is_in_order or not number or remainder:
            return
        for name, checkpoints in self.checkpoints.items():
            walk = save_walk(contexts.walk, name, None)
            if walk is not None and number % (1 << (len(walk) // _LARGE_WALK).bit_length()) == 0:
                stream, break_count = bytes.fromhex(contexts.hand.hand), len(contexts.walk.breaks)
                checkpoints.append(HandCheckpoint(hand_count, stream, contexts.version - 1, break_count, walk))

    def record_end(self, table: TableWalk) -> None:
        """Record the walk at its end, and the dues on the next hand."""
        if self._is_long:
            self.end_walks = {name: save_walk(table, name, self._order_reader) for name in self._books}
        self.dues = {name: encode_dues(dues) for name, dues in list_table_dues(table).items()}


def can_share(judgements: Sequence[TableJudgement]) -> bool:
    """Whether other processes can open these judgements' databases: not if they are in memory or temporary."""
    return all(
        judgement.table_store is judgement.ledger.database and judgement.ledger.database.is_lasting
        for judgement in judgements
    )


class _SentResult(NamedTuple):
    """A table's results under one book, as a process sends them back."""

    judgement_index: int
    record: TableRecord
    base: JudgementBase
    walk_result: WalkResult


class _WorkerTask(NamedTuple):
    """A table to judge, as it's sent to a process."""

    table_key: TableKey
    table_to_judge: TableToJudge  # without its judgements, which can't be sent
    judgement_indexes: list[int]
    code: str  # digest of the caller's code


class _WorkerState:
    """The state of a judging process."""

    ledger: Ledger
    judgements: list[TableJudgement]
    auditors: AuditorCache


_worker: Final = _WorkerState()


def judge_in_processes(tables_to_judge: Mapping[TableKey, TableToJudge], jobs: int) -> Iterator[list[JudgedTable]]:
    """Judge tables in several processes, the longest first; yield each table's results as it finishes."""
    judgements = list(
        dict.fromkeys(
            judgement for table_to_judge in tables_to_judge.values() for judgement in table_to_judge.judgements
        )
    )
    judgement_indexes = {judgement: index for index, judgement in enumerate(judgements)}
    ledger = judgements[0].ledger
    initargs = (ledger.database.address.full_url, ledger.upto, [judgement.book for judgement in judgements])
    code = code_digest()
    tasks = [
        _WorkerTask(
            table_key,
            table_to_judge._replace(judgements=[]),
            [judgement_indexes[judgement] for judgement in table_to_judge.judgements],
            code,
        )
        for table_key, table_to_judge in sorted(
            tables_to_judge.items(), key=lambda entry: (-entry[1].accounts, entry[0])
        )
    ]
    with worker_pool(min(jobs, len(tasks)), [__name__], _init_worker, initargs) as processes:
        try:
            for sent_results in processes.map(_judge_task, tasks):
                yield [
                    JudgedTable(judgements[sent.judgement_index], sent.record, sent.base, sent.walk_result)
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
    _worker.judgements = [TableJudgement(ledger, book, ledger.database) for book in books]
    _worker.auditors = AuditorCache()


def _judge_task(task: _WorkerTask) -> list[_SentResult]:
    """Judge a table in a process; return only the rows that the results need."""
    check_same_code(task.code)
    judgements = [_worker.judgements[index] for index in task.judgement_indexes]
    table_to_judge = task.table_to_judge._replace(judgements=judgements)
    sent_results = []
    for judged in judge_table(_worker.ledger, task.table_key, table_to_judge, _worker.auditors):
        result = judged.walk_result.result
        result.findings = list(result.findings)
        result.differences = []
        hand_streams = {finding.hand.stream for finding in result.findings}
        hand_streams |= {checkpoint.stream.hex() for checkpoint in judged.walk_result.checkpoints}
        record = judged.record._replace(rows=[row for row in judged.record.rows if row.id.hex() in hand_streams])
        walk_result = judged.walk_result._replace(result=result)
        base = judged.base._replace(hands_to_judge=[])
        index = _worker.judgements.index(judged.judgement)
        sent_results.append(_SentResult(index, record, base, walk_result))
    return sent_results
