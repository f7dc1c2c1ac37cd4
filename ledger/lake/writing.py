"""A ledger into a lake: whole tables into shards, in the order of their names; what is there and whole is not written again."""

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
from ledger.errors import HandledgerError, NothingFoundError, StoreError, UsageError
from ledger.lake import layout
from ledger.lake.layout import Manifest, Receipt, Sheet
from ledger.lake.sources import BLOCKS
from ledger.process.worker_pool import worker_pool
from ledger.store import open as open_ledger
from ledger.store.database.database import Row
from ledger.store.hands.hand_accounts import TableKey, stream_pages
from ledger.store.log import log_reader
from ledger.store.requests.rulebook_files import all_files as every_book
from ledger.store.seals.merkle_tiles import leaf_of
from ledger.store.seals.sealer import checkpoint
from ledger.streams import HOUSE, table_stream

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger, TableRow
    from ledger.store.commits import Commit

SOURCES: Final = "sources.parquet"
_ROWS: Final = 2_000
"""Commits that are in memory at once: some 5 MB of them."""
_NO_HAND: Final = (None,) * 8


class Wanted(NamedTuple):
    """What goes into a lake."""

    tables: Sequence[TableRow]
    query: str = ""  # what chose them; "" = all of the ledger
    hands: int = layout.HANDS  # in a shard
    sources: bool = True


def write(
    ledger: Ledger,
    wanted: Wanted,
    unread: Mapping[TableKey, Mapping[str, int]],
    folder: Path,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
    *,
    jobs: int = 1,
) -> Manifest:
    """Write a lake, or what is missing of it; return its manifest.

    A shard is written again only if anything came in at its tables. `unread`: of hands beside lines that nobody
    could read, by table and the stream's id (hex), bits as in a shard's rows. `jobs`: shards are written in so many
    processes, where others can read the ledger; they are the same.
    """
    if layout.is_lake(folder) and layout.manifest(folder).straight is not None:
        raise UsageError(
            f"files went straight into the lake in {folder}", "Write that of the ledger into another folder."
        )
    ledger.upto, head = _end(ledger)
    states = {_place(row): _state(ledger, row) for row in wanted.tables}
    wanted = wanted._replace(tables=[row for row in wanted.tables if states[_place(row)][0] is not None])
    if not wanted.tables:
        raise NothingFoundError("no hands match", "handledger log lists the hands.")
    work = [_planned(ledger, number, tables, states, unread) for number, tables in enumerate(_parted(wanted), 1)]
    whole = sum(table.hands for one in work for table in one.tables)
    shards: list[Receipt] = []
    done = 0
    for one in _written(ledger, folder, work, jobs):
        shards.append(one)
        done += one.hands
        progress(done, whole)
    rest = _rest(ledger, folder, shards, _digest([ledger.id, ledger.upto, head, wanted.query]))
    sources = _sources(ledger, folder, shards) if wanted.sources else None
    books = _rulebooks(ledger, folder)
    commits = sum(one.rows for one in (*shards, *rest))
    made = Manifest(
        layout.SCHEMA,
        ledger.id,
        ledger.upto,
        head,
        commits,
        wanted.query,
        shards,
        *rest,
        sources,
        _signed(ledger, commits),
        rulebooks=books,
    )
    layout.write(folder / layout.MANIFEST, msgspec.json.encode(made))
    for path in (folder / "shards").iterdir():  # of an earlier lake that had more
        if path.stem.isdigit() and int(path.stem) > len(shards):
            path.unlink()
    return made


def _parted(wanted: Wanted) -> Iterator[list[TableRow]]:
    """Yield the tables of each shard: as many as have the hands that are asked for, in the order of their names."""
    some: list[TableRow] = []
    for table in sorted(wanted.tables, key=lambda one: one[:3]):
        if some and sum(one.hands for one in some) + table.hands > wanted.hands:
            yield some
            some = []
        some.append(table)
    yield some


_STATE: Final = (
    "SELECT max(g.position) FROM places AS p JOIN hands AS h ON h.place = p.id JOIN log AS l ON l.position = h.position "
    "JOIN log AS g ON g.stream = l.stream WHERE p.venue = ? AND p.tournament = ? AND p.name = ? AND g.position <= ?"
)


def _end(ledger: Ledger) -> tuple[int, str]:
    """Return position and hash, hex, of the last commit that is read: what comes in from now on is not."""
    upto = ledger.head()[0] if ledger.upto is None else ledger.upto
    with ledger.database.reading() as link:
        sql = "SELECT position, hash FROM log WHERE position <= ? ORDER BY position DESC LIMIT 1"
        row = link.execute(sql, (upto,)).fetchone()
    return (row[0], bytes(row[1]).hex()) if row is not None else (0, START.hex())


def _state(ledger: Ledger, row: TableRow) -> list[int | None]:
    """Return what tells one state of a table from another: where its hands end, None without any, and its stream."""
    with ledger.database.reading() as link:
        hands = link.execute(_STATE, (*_place(row), ledger.upto)).fetchone()[0]
        sql = "SELECT coalesce(max(position), 0) FROM log WHERE stream = ? AND position <= ?"
        return [hands, link.execute(sql, (table_stream(*_place(row)).bytes, ledger.upto)).fetchone()[0]]


def _digest(what: object) -> str:
    return sha256(json.dumps(what).encode()).hexdigest()


def kept(folder: Path, name: str, plan: str) -> Receipt | None:
    """Return the receipt of a file that is there and whole, made of the same."""
    found = layout.receipt_of(folder / name)
    return found if found is not None and found.plan == plan and not layout.damage(folder, found) else None


def finished(folder: Path, receipt: Receipt) -> Receipt:
    """Put the receipt of a file beside it."""
    layout.write((folder / receipt.name).with_suffix(".json"), msgspec.json.encode(receipt))
    return receipt


class Shard(NamedTuple):
    """A shard that is to be there."""

    name: str
    plan: str
    tables: Sequence[TableRow]
    unread: dict[TableKey, Mapping[str, int]]


def _planned(
    ledger: Ledger,
    number: int,
    tables: Sequence[TableRow],
    states: Mapping[TableKey, list[int | None]],
    unread: Mapping[TableKey, Mapping[str, int]],
) -> Shard:
    name = f"shards/{number:05}.parquet"
    own = {place: unread.get(place, {}) for place in map(_place, tables)}
    plan = [[*place, states[place], sorted(own[place].items())] for place in own]
    return Shard(name, _digest([ledger.id, name, plan]), tables, own)


def _written(ledger: Ledger, folder: Path, work: Sequence[Shard], jobs: int) -> Iterator[Receipt]:
    """Yield the receipts of shards, in their order; those that are not there and whole are written."""
    found = [kept(folder, one.name, one.plan) for one in work]
    left = [one for one, there in zip(work, found, strict=True) if there is None]
    with ExitStack() as ends:
        if jobs > 1 and len(left) > 1 and ledger.database.is_lasting:
            given = (ledger.database.address.full_url, ledger.upto, folder)
            fresh = ends.enter_context(worker_pool(min(jobs, len(left)), [__name__], _begin, given)).map(
                _in_process, left
            )
        else:
            fresh = (shard(ledger, folder, one) for one in left)
        try:
            for there in found:
                yield next(fresh) if there is None else there
        except BrokenProcessPool:
            raise StoreError(
                "a process that was writing shards ended before it was done", "Ask again: it goes on where it stopped."
            ) from None


class _Child:
    """What a process that writes shards has open."""

    ledger: Ledger
    folder: Path


_child: Final = _Child()


def _begin(url: str, upto: int, folder: Path) -> None:
    _child.ledger, _child.folder = open_ledger(url, create=False, read_only=True), folder
    _child.ledger.upto = upto


def _in_process(one: Shard) -> Receipt:
    return shard(_child.ledger, _child.folder, one)


def shard(ledger: Ledger, folder: Path, one: Shard) -> Receipt:
    """Write a shard; return its receipt, which lies beside it."""
    path = folder / one.name
    hands = 0
    with layout.drafted(path) as draft:
        sheet = Sheet(draft, layout.SHARD, _ROWS)
        for place in map(_place, one.tables):
            for commit in of_stream(ledger, table_stream(*place)):
                sheet.add((*place, *_NO_HAND, *told(commit)))
            for row, commit in _hands(ledger, place):
                first = commit.position == row.position
                hands += first
                known = _facts(row, one.unread[place]) if first else _NO_HAND
                sheet.add((*place, *known, *told(commit)))
        sheet.close()
        size, digest = draft.stat().st_size, layout.sha256_of(draft)
    first_, last = (_place(one.tables[at]) for at in (0, -1)) if one.tables else (None, None)
    return finished(folder, Receipt(one.name, digest, size, one.plan, sheet.rows, hands, len(one.tables), first_, last))


def _place(row: TableRow) -> TableKey:
    return TableKey(row.venue, row.tournament, row.table)


def _facts(row: HandRow, unread: Mapping[str, int]) -> Row:
    facts = row.number, row.account, row.started, row.variant, row.betting, row.format, row.note
    return *facts, unread.get(row.stream.hex, 0)


def told(one: Commit) -> Row:
    """Return a commit as a row, in the order of `layout.COMMIT`."""
    head = one.position, one.count, one.code, one.stream_bytes, one.version, one.at, *one.writer
    return *head, one.source, one.start, one.length, one.key, one.marks, one.hash, one.data


def of_stream(ledger: Ledger, stream: UUID) -> Iterator[Commit]:
    """Yield the commits of a stream of any length."""
    for page in stream_pages(ledger, stream, 0):
        yield from (one for one in page if one.position <= (ledger.upto or 0))


def _hands(ledger: Ledger, place: TableKey) -> Iterator[tuple[HandRow, Commit]]:
    """Yield the accounts of a table's hands in the order in which they came, each with all its commits."""
    wanted = dict(zip(("venue", "tournament", "table"), place, strict=True)) | {"upto": ledger.upto}
    some: list[HandRow] = []
    for row in log_reader.hand_rows(ledger.database, hand_filter=wanted, number_of=lambda _: None):
        some.append(row)
        if len(some) == log_reader.PAGE:
            yield from _with_commits(ledger, some)
            some = []
    yield from _with_commits(ledger, some)


def _with_commits(ledger: Ledger, rows: Sequence[HandRow]) -> Iterator[tuple[HandRow, Commit]]:
    found: dict[bytes, list[Commit]] = {}
    with ledger.database.reading() as link:
        for commit in ledger.reader.streams(link, [row.stream.bytes for row in rows]):
            if commit.position <= (ledger.upto or 0):
                found.setdefault(commit.stream_bytes, []).append(commit)
    for row in rows:
        for commit in found[row.stream.bytes]:
            yield row, commit


def _rest(ledger: Ledger, folder: Path, shards: Sequence[Receipt], plan: str) -> tuple[Receipt, Receipt]:
    """Write the house's stream, and of what is in no shard either the leaves of the tree."""
    there = [kept(folder, name, plan) for name in ("house.parquet", "leaves.parquet")]
    if there[0] is not None and there[1] is not None:
        return there[0], there[1]
    house = sheet(folder, "house.parquet", plan, layout.COMMIT, map(told, of_stream(ledger, HOUSE)))
    leaves = ((one.position, leaf_of(one)) for one in others(ledger, folder, [*shards, house]))
    return house, sheet(folder, "leaves.parquet", plan, layout.LEAVES, leaves)


def _rulebooks(ledger: Ledger, folder: Path) -> Receipt | None:
    """Write the files of the house's own rulebooks; None where it has none."""
    found = list(every_book(ledger))
    if not found:
        (folder / layout.RULEBOOKS).unlink(missing_ok=True)
        return None
    return sheet(folder, layout.RULEBOOKS, _digest([one.digest for one in found]), layout.BOOK, found)


def others(ledger: Ledger, folder: Path, files: Sequence[Receipt]) -> Iterator[Commit]:
    """Yield the commits that are in none of these files."""
    pyarrow, _ = layout.arrow()
    pieces = [one for file in files for one in layout.columns(folder / file.name, "position")]
    found = pyarrow.chunked_array(pieces, pyarrow.int64())
    there = layout.ascending(found)
    after, own = 0, next(there, None)
    while True:
        with ledger.database.reading() as link:
            sql = "SELECT position FROM log WHERE position > ? AND position <= ? ORDER BY position LIMIT ?"
            rows = link.execute(sql, (after, ledger.upto, _ROWS)).fetchall()
            missing = []
            for (after,) in rows:
                if after == own:
                    own = next(there, None)
                else:
                    missing.append(ledger.reader.commit_at(link, after))
        yield from filter(None, missing)
        if len(rows) < _ROWS:
            return


def sheet(
    folder: Path,
    name: str,
    plan: str,
    columns: tuple[tuple[str, str], ...],
    rows: Iterable[tuple[Any, ...]],
    at: int = _ROWS,
) -> Receipt:
    """Write a file of a lake out of its rows, `at` so many in memory at once; return its receipt, which lies beside it."""
    with layout.drafted(folder / name) as draft:
        file = Sheet(draft, columns, at)
        for row in rows:
            file.add(row)
        file.close()
        size, digest = draft.stat().st_size, layout.sha256_of(draft)
    return finished(folder, Receipt(name, digest, size, plan, file.rows))


def _sources(ledger: Ledger, folder: Path, shards: Sequence[Receipt]) -> Receipt:
    """Write the bytes of the sources that the shards name, as they are read: what was taken out of them stays out."""
    name = SOURCES
    plain = ledger.sources.sha256s()  # of one that a name was taken out of there is none
    files = {row.digest: ledger.people.words(row.name) or "" for row in ledger.sources}
    plan = _digest([[one.sha256 for one in shards], sorted(plain.items()), sorted(files.items())])
    there = kept(folder, name, plan)
    if there is not None:
        return there
    named: set[str] = set()
    for one in shards:
        for some in layout.columns(folder / one.name, "source"):
            named.update(some.unique().to_pylist())
    here = sorted(digest for digest in named if digest and ledger.sources.has_bytes(digest))

    def blocks() -> Iterator[Row]:
        for digest in here:
            start = 0
            for block in ledger.sources.read(digest):
                yield digest, plain.get(digest, ""), layout.plain(files[digest]), start, block
                start += len(block)

    return sheet(folder, name, plan, layout.SOURCES, blocks(), BLOCKS)


def _signed(ledger: Ledger, commits: int) -> str:
    """Return the newest signed checkpoint of the ledger's first commits, so many at most; "" if there is none."""
    try:
        return checkpoint(ledger, max_size=commits)
    except HandledgerError:
        return ""
