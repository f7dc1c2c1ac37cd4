"""Judge one shard, on any machine. Write the results as files and return a receipt.

The key of a job covers the shard, the rulebooks and the judging code. A job whose key is finished doesn't run again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
from sqlalchemy import LargeBinary, Table, Text

from ledger.decoders import decode_json
from ledger.errors import HandledgerError
from ledger.lake import atomic_files, lake_errors
from ledger.lake.layout import ParquetSheet
from ledger.lake.shard_reader import read_adoptions, read_parts, read_rulebooks
from ledger.text.language import in_english
from projections.audit.audit_result import AuditResult, BookRef
from projections.audit.auditor import Auditor
from projections.audit.book_differences import Difference
from projections.audit.house_audit import House, judge_by_book
from projections.findings.doubts import unpack_unread
from projections.findings.finding import Coverage, Finding
from projections.findings.source_lines import find_source_digest
from projections.table_walk.replay import walk_hands
from projections.tables.code import check_same_code
from projections.tables.result_tables import build_rows, hand_results, seat_results

if TYPE_CHECKING:
    from ledger.lake.shard_reader import LakePart
    from ledger.replay import HandReplay
    from ledger.store import HandRow
    from ledger.store.database.database import Row
    from ledger.store.hands.hand_accounts import TableKey
    from projections.books.rulebook import Rulebook

SESSIONS: Final = (
    ("venue", "string"),
    ("tournament", "string"),
    ("name", "string"),
    ("hands", "int64"),
    ("findings", "int64"),
    ("digest", "binary"),
)
FINDINGS: Final = (
    ("venue", "string"),
    ("tournament", "string"),
    ("name", "string"),
    ("number", "int64"),  # of the finding, 1, 2, ... at this table
    ("position", "int64"),  # of the hand's first event in the log
    ("seat", "int64"),
    ("book", "string"),
    ("clause", "string"),
    ("severity", "string"),
    ("certainty", "string"),
    ("finding", "binary"),  # the whole finding as JSON
    ("part", "int32"),  # index of its books' results in the coverage file
)


def _list_columns(table: Table) -> tuple[tuple[str, str], ...]:
    """Return the names and Parquet types of a database table's columns."""
    kinds = {Text: "string", LargeBinary: "binary"}
    return tuple((column.name, kinds.get(type(column.type), "int64")) for column in table.columns)


SHEETS: Final = {
    "sessions": SESSIONS,
    "findings": FINDINGS,
    "results": _list_columns(hand_results),
    "seats": _list_columns(seat_results),
}
"""The columns of a job's Parquet files, by kind of file."""
COVERAGE: Final = "coverage"
"""The kind of a job's JSON file, a list of `BookResults`."""
_MAX_TROUBLE_LETTERS: Final = 100
"""The most characters of an error message in a receipt."""


class Task(NamedTuple):
    """A shard to judge."""

    shard: str  # path of its file
    sha256: str
    house: str  # path of the file with the house's stream
    adopted: str = ""  # digest of the house's adoptions of rulebooks
    books: tuple[Rulebook, ...] = ()  # () = the house's books
    code: str = ""  # digest of the judging code, which must be the same on the machine that runs the task
    position_before: int = 0  # number of events in earlier logs of the lake, added to positions

    @property
    def name(self) -> str:
        """The shard's name: its file name without suffix."""
        return Path(self.shard).stem

    @property
    def key(self) -> str:
        """The digest that identifies the job, hex."""
        books = [[book.name, book.digest] for book in self.books] or [["house", self.adopted]]
        position_key = [self.position_before] if self.position_before else []
        return sha256(json.dumps([self.sha256, books, self.code, *position_key]).encode()).hexdigest()[:32]


class Receipt(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of a job. A failed job keeps no files."""

    shard: str
    key: str
    sessions: int = 0  # tables
    hands: int = 0
    findings: int = 0
    digest: str = ""  # over the digests of the tables, hex; its beginning names the job's files
    sizes: list[int] = []  # bytes of these files
    trouble: str = ""  # why the job failed; "" = it succeeded
    code: str = ""  # code of the error


class BookResults(msgspec.Struct):
    """The results of a shard under some books, without the findings."""

    books: list[BookRef]
    hands: int
    coverage: list[Coverage]
    differences: list[Difference]


@in_english
def judge_shard(task: Task, out: str) -> bytes:
    """Judge a shard, write the results to `out`, and return the receipt as JSON of at most 250 bytes.

    Each file is written atomically, and the receipt last. If the shard is damaged or can't be judged, the receipt
    contains the error.
    """
    folder = Path(out)
    earlier_receipt = read_stored_receipt(folder, task)
    if earlier_receipt is not None:
        return msgspec.json.encode(earlier_receipt)
    try:
        receipt = _judge_tables(task, folder)
    except HandledgerError as error:
        message = error.message.encode("ascii", "backslashreplace").decode()[:_MAX_TROUBLE_LETTERS]
        return msgspec.json.encode(Receipt(task.name, task.key, trouble=message, code=error.code))
    data = msgspec.json.encode(receipt)
    atomic_files.write_file(build_receipt_path(folder, task), data)
    return data


def digest_adoptions(adopted: Sequence[Row]) -> str:
    """Return the digest of a house's adoptions of rulebooks, hex."""
    return sha256(b"".join(row[-1] for row in adopted)).hexdigest()


def build_receipt_path(folder: Path, task: Task) -> Path:
    """Return the path of a job's receipt."""
    return folder / "receipts" / f"{task.key}.json"


def list_job_files(folder: Path, receipt: Receipt) -> list[Path]:
    """Return the paths of a job's files, in the order of `Receipt.sizes`."""
    stem = folder / "data" / receipt.digest[:32]
    return [stem.with_suffix(f".{kind}.parquet") for kind in SHEETS] + [stem.with_suffix(f".{COVERAGE}.json")]


def read_stored_receipt(folder: Path, task: Task) -> Receipt | None:
    """Return the receipt of a finished job, or None if there is none or a file is missing."""
    try:
        receipt = decode_json(build_receipt_path(folder, task).read_bytes(), Receipt)
        sizes = [file.stat().st_size for file in list_job_files(folder, receipt)]
    except (OSError, msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    return receipt if receipt.key == task.key and sizes == receipt.sizes else None


def _require_undamaged(shard: Path, sha256_hex: str) -> None:
    try:
        if atomic_files.hash_file(shard) != sha256_hex:
            raise lake_errors.file_changed(shard.name)
    except OSError as error:
        raise lake_errors.file_unreadable(shard, error.strerror or str(error)) from error


def _load_adoptions(task: Task) -> Sequence[Row]:
    """Return the rows of the house's adoptions; [] if the task names its books."""
    if task.books:
        return []
    adopted = read_adoptions(Path(task.house))
    if digest_adoptions(adopted) != task.adopted:
        raise lake_errors.file_changed(Path(task.house).name)
    return adopted


def _encode_results(results: Iterable[AuditResult]) -> bytes:
    return msgspec.json.encode(
        [BookResults(result.books, result.hands, result.coverage, list(result.differences)) for result in results]
    )


def _judge_tables(task: Task, folder: Path) -> Receipt:
    """Judge all tables of an undamaged shard and write the result files."""
    check_same_code(task.code)
    shard = Path(task.shard)
    _require_undamaged(shard, task.sha256)
    adopted = _load_adoptions(task)
    results_by_books: dict[tuple[BookRef, ...], tuple[int, AuditResult]] = {}
    shard_digest, count, hands, findings = sha256(), 0, 0, 0
    with ExitStack() as stack:
        drafts = [stack.enter_context(atomic_files.open_draft(folder / "data")) for _ in range(len(SHEETS) + 1)]
        sheets = {
            kind: ParquetSheet(path, columns) for path, (kind, columns) in zip(drafts, SHEETS.items(), strict=False)
        }
        for part in read_parts(shard, adopted, read_rulebooks(Path(task.house).parent) if adopted else ()):
            house = House(part.ledger) if adopted else None
            for table_key in part.table_keys:
                session = _TableSession(part, table_key, sheets, task.position_before)
                for result in session.judge(task.books, house):
                    session.add_result(result, results_by_books)
                digest = session.finish()
                shard_digest.update(digest)
                count, hands, findings = count + 1, hands + session.hands, findings + session.findings
        for sheet in sheets.values():
            sheet.close()
        drafts[-1].write_bytes(_encode_results(book_result for _, book_result in results_by_books.values()))
        receipt = Receipt(
            task.name,
            task.key,
            count,
            hands,
            findings,
            shard_digest.hexdigest(),
            [draft_file.stat().st_size for draft_file in drafts],
        )
        for draft, path in zip(drafts, list_job_files(folder, receipt), strict=True):
            atomic_files.rename_draft(draft, path)
    return receipt


class _TableSession:
    """Judges one table: adds rows to the sheets, and all results to the table's digest."""

    def __init__(
        self, part: LakePart, table_key: TableKey, sheets: dict[str, ParquetSheet], position_before: int
    ) -> None:
        self._position_offset = position_before
        self._ledger = part.ledger
        self._table_key = table_key
        self._unread_lines = {stream: unpack_unread(bits) for stream, bits in part.unread_bits.items()}
        self._sheets = sheets
        self._digest = sha256(encode_json(table_key))
        self._positions: dict[str, int] = {}  # of hands with findings, by stream id
        self.hands = 0
        self.findings = 0

    def _iter_table_hands(self) -> Iterator[tuple[TableKey, Iterable[HandRow]]]:
        yield self._table_key, self._ledger.hands(**self._table_key._asdict(), standing=True)

    def judge(self, books: tuple[Rulebook, ...], house: House | None) -> list[AuditResult]:
        """Judge the table under these books, else under the house's, else only under `record`."""
        if house is not None and not books:
            is_empty = next(iter(next(self._iter_table_hands())[1]), None) is None
            return [] if is_empty else judge_by_book(house, self._iter_table_hands, self._audit)
        return [self._audit(self._iter_table_hands(), list(books))]

    def _audit(self, table_hands: Iterable[tuple[TableKey, Iterable[HandRow]]], books: list[Rulebook]) -> AuditResult:
        hands = walk_hands(self._ledger, table_hands, books, self._unread_lines)
        return Auditor(books, on_disk=True).judge_hands(hands, self._write_result)

    def _write_result(self, hand: HandReplay, findings: Sequence[Finding]) -> None:
        """Write the rows of a hand's result, and remember the position of a hand with findings."""
        assert hand.stream is not None  # noqa: S101 - hands from a ledger have one
        if findings:
            self._positions[hand.stream.hex] = self._position_offset + hand.position
        row, seats = build_rows(
            hand.recorded_events, self._position_offset + hand.position, hand.stream.bytes, find_source_digest(hand)
        )
        self.hands += 1
        if row is not None:
            for kind, values in (("results", row), *(("seats", seat) for seat in seats)):
                row_values = tuple(values.values())
                self._sheets[kind].add_row(row_values)
                self._digest.update(encode_json(row_values[1:]))  # without the position, which isn't a result

    def add_result(
        self, result: AuditResult, results_by_books: dict[tuple[BookRef, ...], tuple[int, AuditResult]]
    ) -> None:
        """Write the findings of a result, and add its counts to `results_by_books` (part number and result)."""
        key = tuple(result.books)
        part_number, earlier_result = results_by_books.get(key, (len(results_by_books), None))
        for finding in result.findings:
            self.findings += 1
            finding_json = encode_json(finding)
            row = self.findings, self._positions[finding.hand.stream], finding.seat, finding.book, finding.clause
            self._sheets["findings"].add_row(
                (*self._table_key, *row, finding.severity, finding.certainty, finding_json, part_number)
            )
            self._digest.update(finding_json)
        without_findings = AuditResult(result.books, result.hands, [], result.coverage, result.differences)
        book_results = BookResults(result.books, result.hands, result.coverage, list(result.differences))
        self._digest.update(encode_json(book_results))
        if earlier_result is None:
            results_by_books[key] = part_number, without_findings
        else:
            earlier_result.append(without_findings)

    def finish(self) -> bytes:
        """Write the table's row of totals and return its digest."""
        digest = self._digest.digest()
        self._sheets["sessions"].add_row((*self._table_key, self.hands, self.findings, digest))
        return digest


def encode_json(value: object) -> bytes:
    """Return a value as JSON, always the same bytes. Text with lone surrogates, which records may have, is escaped."""
    try:
        return _encode(value)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value), check_circular=False).encode("ascii")


_encode: Final = msgspec.json.Encoder().encode
