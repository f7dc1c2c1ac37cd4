"""Update stored judgements to the end of the log, table by table.

If a table only has new hands after the last judged one, only those are judged. If its past changed (by a late hand, a
correction, another account, or a line that was read again), the table is judged again from its first hand. Either way
the stored rows are the same, byte for byte.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from ledger.store.hands.hand_accounts import TableKey
from ledger.text.language import ENGLISH, use_language
from projections.table_walk.unread_lines import find_unread_lines, group_by_table
from projections.tables.judgement import Rows, TableJudgement, write_rows
from projections.tables.table_judge import (
    AuditorCache,
    JudgedTable,
    TableToJudge,
    can_share,
    judge_in_processes,
    judge_table,
)

if TYPE_CHECKING:
    from ledger.store import Ledger

Progress: TypeAlias = "Callable[[int, int], None]"
"""Called with the amount of work done so far and the total."""

_HANDS_PER_TRANSACTION: Final = 2_000
"""The number of hands after which results are written in one transaction. A table isn't split."""


def update_judgements(
    judgements: Sequence[TableJudgement],
    selected_places: Collection[TableKey] | None = None,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
    language: str = ENGLISH,
) -> list[int]:
    """Judge the new hands of the selected tables, or of all tables, and return the numbers of the judgements.

    Nothing is judged twice, and books share the work on each hand. `jobs`: the number of processes. Each judges one
    table at a time, and the stored rows are the same. `progress` gets the hands judged so far and the total.
    `language`: of the sentences. A ledger stores only English ones.
    """
    with use_language(language):
        return _update_judgements(judgements, selected_places, jobs, progress)


def _update_judgements(
    judgements: Sequence[TableJudgement],
    selected_places: Collection[TableKey] | None,
    jobs: int,
    progress: Progress | None,
) -> list[int]:
    stale_judgements = [judgement for judgement in judgements if not judgement.is_at_end()]
    if stale_judgements:
        ledger, head = stale_judgements[0].ledger, stale_judgements[0].find_head()
        tables_to_judge = _find_tables_to_judge(stale_judgements, head, selected_places)
        while tables_to_judge:  # repeat for tables that another process judged in the meantime
            uses_processes = jobs > 1 and len(tables_to_judge) > 1 and can_share(stale_judgements)
            judged_tables = (
                judge_in_processes(tables_to_judge, jobs)
                if uses_processes
                else _judge_one_by_one(ledger, tables_to_judge)
            )
            if progress is not None:
                judged_tables = _report_progress(judged_tables, tables_to_judge, progress)
            tables_to_judge = _store_in_batches(judged_tables, head)
        if selected_places is None:
            for judgement in stale_judgements:
                judgement.record_position(head)
    return [judgement.number for judgement in judgements]


def _find_tables_to_judge(
    judgements: Sequence[TableJudgement], head: int, selected_places: Collection[TableKey] | None
) -> dict[TableKey, TableToJudge]:
    """Return the tables with anything new, each with the judgements that are behind there."""
    ledger = judgements[0].ledger
    unread_by_table = group_by_table(ledger, find_unread_lines(ledger))
    tables_to_judge: dict[TableKey, TableToJudge] = {}
    for judgement in judgements:
        for stale_table in judgement.find_stale_tables(head, unread_by_table):
            table_key = stale_table.table_key
            if selected_places is not None and table_key not in selected_places:
                continue
            table_to_judge = tables_to_judge.get(table_key) or TableToJudge(
                stale_table.accounts, unread_by_table.get(table_key, {}), [], has_changed_past=False
            )
            table_to_judge.judgements.append(judgement)
            tables_to_judge[table_key] = table_to_judge._replace(
                has_changed_past=table_to_judge.has_changed_past or stale_table.has_changed_past
            )
    return tables_to_judge


def _report_progress(
    judged_tables: Iterator[list[JudgedTable]], tables_to_judge: Mapping[TableKey, TableToJudge], progress: Progress
) -> Iterator[list[JudgedTable]]:
    """Yield the results of each table, and report progress after it."""
    hand_count, total = 0, sum(table.accounts for table in tables_to_judge.values())
    progress(0, total)
    for table_results in judged_tables:
        hand_count += _count_hands(table_results)
        progress(hand_count, total)
        yield table_results


def _count_hands(table_results: Sequence[JudgedTable]) -> int:
    """Count a table's hands, which its results under each book share."""
    return max((judged.record.accounts for judged in table_results), default=0)


def _judge_one_by_one(ledger: Ledger, tables_to_judge: Mapping[TableKey, TableToJudge]) -> Iterator[list[JudgedTable]]:
    """Judge tables one by one in this process."""
    auditors = AuditorCache()
    for table_key in sorted(tables_to_judge):
        yield [*judge_table(ledger, table_key, tables_to_judge[table_key], auditors)]


def _store_in_batches(judged_tables: Iterator[list[JudgedTable]], head: int) -> dict[TableKey, TableToJudge]:
    """Store the results of tables; return the tables to retry, because another process judged them in the meantime."""
    retries: dict[TableKey, TableToJudge] = {}
    pending: list[JudgedTable] = []
    hand_count = 0
    for table_results in judged_tables:
        pending += table_results
        hand_count += _count_hands(table_results)
        if hand_count >= _HANDS_PER_TRANSACTION:
            _store_batch(pending, head, retries)
            pending, hand_count = [], 0
    _store_batch(pending, head, retries)
    return retries


def _store_batch(pending: Sequence[JudgedTable], head: int, retries: dict[TableKey, TableToJudge]) -> None:
    """Store results in one transaction; add tables that another process judged in the meantime to `retries`."""
    if not pending:
        return
    rows: Rows = defaultdict(list)
    with pending[0].judgement.table_store.core(write=True) as connection:
        for judged in pending:
            record = judged.record
            if not judged.judgement.store_walk(connection, record, judged.base, judged.walk_result, head, rows):
                retry = TableToJudge(record.accounts, record.unread_lines, [], has_changed_past=True)
                retries.setdefault(record.table_key, retry).judgements.append(judged.judgement)
        write_rows(connection, rows)
