"""Updates of kept judgements to the end of the log, table by table.

A table is judged again from its first hand if its past changed: a late hand, a correction, another account,
or a line that was re-read. If hands only followed the last one, only they are judged. The kept rows equal
those of a judgement from the first hand, byte for byte.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from ledger.store.hands.hand_accounts import TableKey
from projections.table_walk.unread_lines import find_unread_lines, group_by_place
from projections.tables.judgement import Judgement, Rows, write_rows
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

_HANDS_PER_TRANSACTION: Final = 2_000
"""Hands after which results are written in one transaction; a longer table takes one by itself."""


def update_judgements(
    judgements: Sequence[Judgement],
    selected_places: Collection[TableKey] | None = None,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[int]:
    """Judge what is new at all tables, or at `only` these; return the numbers of the judgements.

    Nothing is judged twice, and books share the work on each hand. `jobs` is the number of processes; each takes
    one table at a time, and the kept rows are the same. `progress` gets the hands done and the total.
    """
    stale = [judgement for judgement in judgements if not judgement.at_end()]
    if stale:
        ledger, head = stale[0].ledger, stale[0].head()
        tables_to_judge = _find_tables_to_judge(stale, head, selected_places)
        while tables_to_judge:
            uses_processes = jobs > 1 and len(tables_to_judge) > 1 and can_share(stale)
            judged_tables = (
                judge_in_processes(tables_to_judge, jobs) if uses_processes else _judge_in_turn(ledger, tables_to_judge)
            )
            tables_to_judge = _keep_all(
                _report_progress(judged_tables, tables_to_judge, progress) if progress else judged_tables, head
            )
        if selected_places is None:
            for judgement in stale:
                judgement.note_position(head)
    return [judgement.number for judgement in judgements]


def _find_tables_to_judge(
    judgements: Sequence[Judgement], head: int, selected_places: Collection[TableKey] | None
) -> dict[TableKey, TableToJudge]:
    """Return the tables where something is new, each with the judgements that need it."""
    ledger = judgements[0].ledger
    unread_by_place = group_by_place(ledger, find_unread_lines(ledger))
    tables_to_judge: dict[TableKey, TableToJudge] = {}
    for judgement in judgements:
        for table in judgement.to_judge(head, unread_by_place):
            place = table.place
            if selected_places is not None and place not in selected_places:
                continue
            stale_table = tables_to_judge.get(place) or TableToJudge(
                table.accounts, unread_by_place.get(place, {}), [], has_changed_past=False
            )
            stale_table.judgements.append(judgement)
            tables_to_judge[place] = stale_table._replace(
                has_changed_past=stale_table.has_changed_past or table.has_changed_past
            )
    return tables_to_judge


def _report_progress(
    judged_tables: Iterator[list[JudgedTable]], tables_to_judge: Mapping[TableKey, TableToJudge], progress: Progress
) -> Iterator[list[JudgedTable]]:
    """Yield the results of each table and report progress."""
    hands, total = 0, sum(table.accounts for table in tables_to_judge.values())
    progress(0, total)
    for table_judgements in judged_tables:
        hands += max((judged.walk.accounts for judged in table_judgements), default=0)
        progress(hands, total)
        yield table_judgements


def _judge_in_turn(ledger: Ledger, tables_to_judge: Mapping[TableKey, TableToJudge]) -> Iterator[list[JudgedTable]]:
    """Judge tables one by one in this process."""
    audits = AuditorCache()
    for place in sorted(tables_to_judge):
        yield [*judge_table(ledger, place, tables_to_judge[place], audits)]


def _keep_all(judged_tables: Iterator[list[JudgedTable]], head: int) -> dict[TableKey, TableToJudge]:
    """Keep the results of tables; return tables that another process judged meanwhile, to retry them."""
    retries: dict[TableKey, TableToJudge] = {}
    pending: list[JudgedTable] = []
    hands = 0
    for table_judgements in judged_tables:
        pending += table_judgements
        hands += max((judged.walk.accounts for judged in table_judgements), default=0)
        if hands >= _HANDS_PER_TRANSACTION:
            _keep_batch(pending, head, retries)
            pending, hands = [], 0
    _keep_batch(pending, head, retries)
    return retries


def _keep_batch(pending: Sequence[JudgedTable], head: int, retries: dict[TableKey, TableToJudge]) -> None:
    """Keep results in one transaction; add tables that another process judged meanwhile to `retries`."""
    if not pending:
        return
    rows: Rows = defaultdict(list)
    with pending[0].judgement.table_store.core(write=True) as connection:
        for judged in pending:
            if not judged.judgement.keep(connection, judged.walk, judged.base, judged.walk_result, head, rows):
                retry = retries.setdefault(
                    judged.walk.place,
                    TableToJudge(judged.walk.accounts, judged.walk.unread_lines, [], has_changed_past=True),
                )
                retry.judgements.append(judged.judgement)
        write_rows(connection, rows)
