"""Write a ledger into a lake: tables into shards, sorted by name. Complete files aren't written again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import UUID

import msgspec

from ledger.chain import START
from ledger.errors import HandledgerError
from ledger.lake import atomic_files, lake_errors, layout
from ledger.lake.layout import FileReceipt, LakeManifest, ParquetSheet
from ledger.lake.sources import BLOCKS_PER_GROUP
from ledger.process.worker_pool import worker_pool
from ledger.store import open as open_ledger
from ledger.store.database.database import Row
from ledger.store.hands.hand_accounts import TableKey, read_stream_pages
from ledger.store.log import log_reader
from ledger.store.requests.rulebook_files import read_all_files as every_book
from ledger.store.seals.merkle_tiles import hash_commit_leaf
from ledger.store.seals.sealer import checkpoint
from ledger.streams import HOUSE, table_stream

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger, TableRow
    from ledger.store.commits import Commit

SOURCES_FILE: Final = "sources.parquet"
_BATCH_COMMITS: Final = 2_000
"""Commits in memory at a time: about 5 MB."""
_NO_HAND_FACTS: Final = (None,) * 8


class LakeSelection(NamedTuple):
    """The content of a lake."""

    tables: Sequence[TableRow]
    query: str = ""  # that chose the hands; "" = all of the ledger
    hands: int = layout.HANDS_PER_SHARD  # in a shard
    sources: bool = True


def write_lake(
    ledger: Ledger,
    selection: LakeSelection,
    unread_bits: Mapping[TableKey, Mapping[str, int]],
    lake_folder: Path,
    on_progress: Callable[[int, int], None] = lambda _done, _of: None,
    *,
    jobs: int = 1,
) -> LakeManifest:
    """Write a lake, or what is missing of it; return its manifest.

    A shard is written again only if anything came in at its tables. `unread_bits`: the bits of a shard's rows for
    hands next to unread lines, by table and the stream's id (hex). `jobs`: number of processes, if others can read the
    ledger. The shards don't depend on it.
    """
    if layout.is_lake(lake_folder) and layout.read_manifest(lake_folder).straight is not None:
        raise lake_errors.imported_lake(lake_folder)
    ledger.upto, head_hash = _find_last_commit(ledger)
    table_states = {
        _read_table_key(table_row): _describe_table_state(ledger, table_row) for table_row in selection.tables
    }
    selection = selection._replace(
        tables=[table_row for table_row in selection.tables if table_states[_read_table_key(table_row)][0] is not None]
    )
    if not selection.tables:
        raise lake_errors.no_hands()
    shard_plans = [
        _plan_shard(ledger, number, tables, table_states, unread_bits)
        for number, tables in enumerate(_divide_tables(selection), 1)
    ]
    hand_count = sum(planned_table.hands for plan in shard_plans for planned_table in plan.tables)
    shards: list[FileReceipt] = []
    hands_done = 0
    for plan in _write_shards(ledger, lake_folder, shard_plans, jobs):
        shards.append(plan)
        hands_done += plan.hands
        on_progress(hands_done, hand_count)
    other_receipts = _write_house(
        ledger, lake_folder, shards, _hash_json([ledger.id, ledger.upto, head_hash, selection.query])
    )
    sources_receipt = _write_sources(ledger, lake_folder, shards) if selection.sources else None
    rulebooks_receipt = _write_rulebooks(ledger, lake_folder)
    commit_count = sum(plan.rows for plan in (*shards, *other_receipts))
    manifest = LakeManifest(
        layout.ONE_LOG_SCHEMA,
        ledger.id,
        ledger.upto,
        head_hash,
        commit_count,
        selection.query,
        shards,
        *other_receipts,
        sources_receipt,
        _find_newest_checkpoint(ledger, commit_count),
        rulebooks=rulebooks_receipt,
    )
    atomic_files.write_file(lake_folder / layout.MANIFEST_FILE, msgspec.json.encode(manifest))
    for stale_file in (lake_folder / "shards").iterdir():  # of an earlier lake that had more
        if stale_file.stem.isdigit() and int(stale_file.stem) > len(shards):
            stale_file.unlink()
    return manifest


def _divide_tables(selection: LakeSelection) -> Iterator[list[TableRow]]:
    """Yield the tables of each shard: sorted by name, with about the requested number of hands."""
    shard_tables: list[TableRow] = []
    for next_table in sorted(selection.tables, key=lambda table_row: table_row[:3]):
        if shard_tables and sum(table_row.hands for table_row in shard_tables) + next_table.hands > selection.hands:
            yield shard_tables
            shard_tables = []
        shard_tables.append(next_table)
    yield shard_tables


_STATE_SQL: Final = (
    "SELECT max(g.position) FROM places AS p JOIN hands AS h ON h.place = p.id JOIN log AS l ON l.position = h.position "
    "JOIN log AS g ON g.stream = l.stream WHERE p.venue = ? AND p.tournament = ? AND p.name = ? AND g.position <= ?"
)


def _find_last_commit(ledger: Ledger) -> tuple[int, str]:
    """Return position and hash (hex) of the last commit to read. Later commits are left out."""
    last_position = ledger.head()[0] if ledger.upto is None else ledger.upto
    with ledger.database.reading() as connection:
        query = "SELECT position, hash FROM log WHERE position <= ? ORDER BY position DESC LIMIT 1"
        commit_row = connection.execute(query, (last_position,)).fetchone()
    return (commit_row[0], bytes(commit_row[1]).hex()) if commit_row is not None else (0, START.hex())


def _describe_table_state(ledger: Ledger, table_row: TableRow) -> list[int | None]:
    """Return what changes whenever a table changes: the ends of its hands (None without any) and of its stream."""
    with ledger.database.reading() as connection:
        hands_end = connection.execute(_STATE_SQL, (*_read_table_key(table_row), ledger.upto)).fetchone()[0]
        query = "SELECT coalesce(max(position), 0) FROM log WHERE stream = ? AND position <= ?"
        return [
            hands_end,
            connection.execute(query, (table_stream(*_read_table_key(table_row)).bytes, ledger.upto)).fetchone()[0],
        ]


def _hash_json(document: object) -> str:
    return sha256(json.dumps(document).encode()).hexdigest()


def find_reusable_receipt(lake_folder: Path, file_name: str, plan_digest: str) -> FileReceipt | None:
    """Return the receipt of a complete file that was made from the same plan, or None."""
    receipt = layout.read_receipt(lake_folder / file_name)
    return (
        receipt
        if receipt is not None and receipt.plan == plan_digest and not layout.describe_damage(lake_folder, receipt)
        else None
    )


def store_receipt(lake_folder: Path, receipt: FileReceipt) -> FileReceipt:
    """Write the receipt of a file next to it."""
    atomic_files.write_file((lake_folder / receipt.name).with_suffix(".json"), msgspec.json.encode(receipt))
    return receipt


class ShardPlan(NamedTuple):
    """A shard to be written."""

    name: str
    plan: str
    tables: Sequence[TableRow]
    unread_bits: dict[TableKey, Mapping[str, int]]


def _plan_shard(
    ledger: Ledger,
    shard_number: int,
    table_rows: Sequence[TableRow],
    table_states: Mapping[TableKey, list[int | None]],
    unread_bits: Mapping[TableKey, Mapping[str, int]],
) -> ShardPlan:
    file_name = f"shards/{shard_number:05}.parquet"
    unread_of_tables = {table_key: unread_bits.get(table_key, {}) for table_key in map(_read_table_key, table_rows)}
    planned_tables = [
        [*table_key, table_states[table_key], sorted(unread_of_tables[table_key].items())]
        for table_key in unread_of_tables
    ]
    return ShardPlan(file_name, _hash_json([ledger.id, file_name, planned_tables]), table_rows, unread_of_tables)


def _write_shards(
    ledger: Ledger, lake_folder: Path, shard_plans: Sequence[ShardPlan], jobs: int
) -> Iterator[FileReceipt]:
    """Yield the receipts of shards in order. Missing and incomplete ones are written."""
    receipts = [find_reusable_receipt(lake_folder, shard_plan.name, shard_plan.plan) for shard_plan in shard_plans]
    missing_shards = [shard_plan for shard_plan, receipt in zip(shard_plans, receipts, strict=True) if receipt is None]
    with ExitStack() as exit_stack:
        if jobs > 1 and len(missing_shards) > 1 and ledger.database.is_lasting:
            worker_args = (ledger.database.address.full_url, ledger.upto, lake_folder)
            new_receipts = exit_stack.enter_context(
                worker_pool(min(jobs, len(missing_shards)), [__name__], _init_worker, worker_args)
            ).map(_write_in_worker, missing_shards)
        else:
            new_receipts = (write_shard(ledger, lake_folder, shard_plan) for shard_plan in missing_shards)
        try:
            for receipt in receipts:
                yield next(new_receipts) if receipt is None else receipt
        except BrokenProcessPool:
            raise lake_errors.writer_process_lost() from None


class _ShardWriter:
    """The open ledger and folder of a process that writes shards."""

    ledger: Ledger
    folder: Path


_shard_writer: Final = _ShardWriter()


def _init_worker(ledger_url: str, last_position: int, lake_folder: Path) -> None:
    _shard_writer.ledger, _shard_writer.folder = open_ledger(ledger_url, create=False, read_only=True), lake_folder
    _shard_writer.ledger.upto = last_position


def _write_in_worker(shard_plan: ShardPlan) -> FileReceipt:
    return write_shard(_shard_writer.ledger, _shard_writer.folder, shard_plan)


def write_shard(ledger: Ledger, lake_folder: Path, shard_plan: ShardPlan) -> FileReceipt:
    """Write a shard and its receipt. Return the receipt."""
    shard_path = lake_folder / shard_plan.name
    hand_count = 0
    with atomic_files.open_replacement(shard_path) as draft_path:
        shard_sheet = ParquetSheet(draft_path, layout.SHARD_COLUMNS, _BATCH_COMMITS)
        for table_key in map(_read_table_key, shard_plan.tables):
            for commit in iter_stream_commits(ledger, table_stream(*table_key)):
                shard_sheet.add_row((*table_key, *_NO_HAND_FACTS, *build_commit_row(commit)))
            for hand_row, commit in _read_hands_with_commits(ledger, table_key):
                is_first_commit = commit.position == hand_row.position
                hand_count += is_first_commit
                hand_facts = (
                    _build_hand_columns(hand_row, shard_plan.unread_bits[table_key])
                    if is_first_commit
                    else _NO_HAND_FACTS
                )
                shard_sheet.add_row((*table_key, *hand_facts, *build_commit_row(commit)))
        shard_sheet.close()
        byte_count, file_sha256 = draft_path.stat().st_size, atomic_files.hash_file(draft_path)
    first_table, last_table = (
        (_read_table_key(shard_plan.tables[table_index]) for table_index in (0, -1))
        if shard_plan.tables
        else (None, None)
    )
    return store_receipt(
        lake_folder,
        FileReceipt(
            shard_plan.name,
            file_sha256,
            byte_count,
            shard_plan.plan,
            shard_sheet.rows,
            hand_count,
            len(shard_plan.tables),
            first_table,
            last_table,
        ),
    )


def _read_table_key(table_row: TableRow) -> TableKey:
    return TableKey(table_row.venue, table_row.tournament, table_row.table)


def _build_hand_columns(hand_row: HandRow, unread_bits: Mapping[str, int]) -> Row:
    hand_facts = (
        hand_row.number,
        hand_row.account,
        hand_row.started,
        hand_row.variant,
        hand_row.betting,
        hand_row.format,
        hand_row.note,
    )
    return *hand_facts, unread_bits.get(hand_row.stream.hex, 0)


def build_commit_row(commit: Commit) -> Row:
    """Return a commit as a row, in the order of `layout.COMMIT_COLUMNS`."""
    leading_columns = (
        commit.position,
        commit.count,
        commit.code,
        commit.stream_bytes,
        commit.version,
        commit.at,
        *commit.writer,
    )
    return (
        *leading_columns,
        commit.source,
        commit.start,
        commit.length,
        commit.key,
        commit.marks,
        commit.hash,
        commit.data,
    )


def iter_stream_commits(ledger: Ledger, stream: UUID) -> Iterator[Commit]:
    """Yield the commits of a stream of any length."""
    for commit_page in read_stream_pages(ledger, stream, 0):
        yield from (commit for commit in commit_page if commit.position <= (ledger.upto or 0))


def _read_hands_with_commits(ledger: Ledger, table_key: TableKey) -> Iterator[tuple[HandRow, Commit]]:
    """Yield the accounts of a table's hands in the order of arrival, each with all its commits."""
    hand_filter = dict(zip(("venue", "tournament", "table"), table_key, strict=True)) | {"upto": ledger.upto}
    hand_page: list[HandRow] = []
    for hand_row in log_reader.read_hand_rows(ledger.database, hand_filter=hand_filter, number_of=lambda _: None):
        hand_page.append(hand_row)
        if len(hand_page) == log_reader.PAGE:
            yield from _join_commits(ledger, hand_page)
            hand_page = []
    yield from _join_commits(ledger, hand_page)


def _join_commits(ledger: Ledger, hand_rows: Sequence[HandRow]) -> Iterator[tuple[HandRow, Commit]]:
    commits_by_stream: dict[bytes, list[Commit]] = {}
    with ledger.database.reading() as connection:
        for commit in ledger.reader.streams(connection, [hand_row.stream.bytes for hand_row in hand_rows]):
            if commit.position <= (ledger.upto or 0):
                commits_by_stream.setdefault(commit.stream_bytes, []).append(commit)
    for hand_row in hand_rows:
        for commit in commits_by_stream[hand_row.stream.bytes]:
            yield hand_row, commit


def _write_house(
    ledger: Ledger, lake_folder: Path, shards: Sequence[FileReceipt], plan_digest: str
) -> tuple[FileReceipt, FileReceipt]:
    """Write the house's stream, and the leaves of all commits that are in no shard."""
    reusable = [
        find_reusable_receipt(lake_folder, file_name, plan_digest) for file_name in ("house.parquet", "leaves.parquet")
    ]
    if reusable[0] is not None and reusable[1] is not None:
        return reusable[0], reusable[1]
    house_receipt = write_sheet(
        lake_folder,
        "house.parquet",
        plan_digest,
        layout.COMMIT_COLUMNS,
        map(build_commit_row, iter_stream_commits(ledger, HOUSE)),
    )
    leaf_rows = (
        (commit.position, hash_commit_leaf(commit))
        for commit in find_missing_commits(ledger, lake_folder, [*shards, house_receipt])
    )
    return house_receipt, write_sheet(lake_folder, "leaves.parquet", plan_digest, layout.LEAF_COLUMNS, leaf_rows)


def _write_rulebooks(ledger: Ledger, lake_folder: Path) -> FileReceipt | None:
    """Write the files of the house's own rulebooks. Return None if it has none."""
    book_files = list(every_book(ledger))
    if not book_files:
        (lake_folder / layout.RULEBOOKS_FILE).unlink(missing_ok=True)
        return None
    return write_sheet(
        lake_folder,
        layout.RULEBOOKS_FILE,
        _hash_json([book_file.digest for book_file in book_files]),
        layout.RULEBOOK_COLUMNS,
        book_files,
    )


def find_missing_commits(ledger: Ledger, lake_folder: Path, receipts: Sequence[FileReceipt]) -> Iterator[Commit]:
    """Yield the commits that are in none of these files."""
    pyarrow, _ = layout.import_arrow()
    position_columns = [
        column for receipt in receipts for column in layout.read_column(lake_folder / receipt.name, "position")
    ]
    positions = pyarrow.chunked_array(position_columns, pyarrow.int64())
    stored_positions = layout.sort_values(positions)
    last_position, next_stored = 0, next(stored_positions, None)
    while True:
        with ledger.database.reading() as connection:
            query = "SELECT position FROM log WHERE position > ? AND position <= ? ORDER BY position LIMIT ?"
            position_rows = connection.execute(query, (last_position, ledger.upto, _BATCH_COMMITS)).fetchall()
            missing = []
            for (last_position,) in position_rows:
                if last_position == next_stored:
                    next_stored = next(stored_positions, None)
                else:
                    missing.append(ledger.reader.commit_at(connection, last_position))
        yield from filter(None, missing)
        if len(position_rows) < _BATCH_COMMITS:
            return


def write_sheet(
    lake_folder: Path,
    file_name: str,
    plan_digest: str,
    columns: tuple[tuple[str, str], ...],
    sheet_rows: Iterable[tuple[Any, ...]],
    rows_per_group: int = _BATCH_COMMITS,
) -> FileReceipt:
    """Write a file of a lake from its rows, with `rows_per_group` in memory at a time.

    Return its receipt, which is written next to it.
    """
    with atomic_files.open_replacement(lake_folder / file_name) as draft_path:
        parquet_sheet = ParquetSheet(draft_path, columns, rows_per_group)
        for sheet_row in sheet_rows:
            parquet_sheet.add_row(sheet_row)
        parquet_sheet.close()
        byte_count, file_sha256 = draft_path.stat().st_size, atomic_files.hash_file(draft_path)
    return store_receipt(lake_folder, FileReceipt(file_name, file_sha256, byte_count, plan_digest, parquet_sheet.rows))


def _write_sources(ledger: Ledger, lake_folder: Path, shards: Sequence[FileReceipt]) -> FileReceipt:
    """Write the bytes of the shards' sources as they are now: redacted names stay redacted."""
    file_name = SOURCES_FILE
    plain_digests = ledger.sources.sha256s()  # a redacted source has none
    file_names = {source_row.digest: ledger.people.words(source_row.name) or "" for source_row in ledger.sources}
    plan_digest = _hash_json(
        [[shard.sha256 for shard in shards], sorted(plain_digests.items()), sorted(file_names.items())]
    )
    receipt = find_reusable_receipt(lake_folder, file_name, plan_digest)
    if receipt is not None:
        return receipt
    named_digests: set[str] = set()
    for shard in shards:
        for column in layout.read_column(lake_folder / shard.name, "source"):
            named_digests.update(column.unique().to_pylist())
    stored_digests = sorted(digest for digest in named_digests if digest and ledger.sources.has_bytes(digest))

    def read_source_blocks() -> Iterator[Row]:
        for digest in stored_digests:
            block_start = 0
            for block in ledger.sources.read(digest):
                yield (
                    digest,
                    plain_digests.get(digest, ""),
                    layout.replace_non_utf8(file_names[digest]),
                    block_start,
                    block,
                )
                block_start += len(block)

    return write_sheet(
        lake_folder, file_name, plan_digest, layout.SOURCE_COLUMNS, read_source_blocks(), BLOCKS_PER_GROUP
    )


def _find_newest_checkpoint(ledger: Ledger, commit_count: int) -> str:
    """Return the newest signed checkpoint of at most this many commits, or ""."""
    try:
        return checkpoint(ledger, max_size=commit_count)
    except HandledgerError:
        return ""
