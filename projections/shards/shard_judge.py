"""One shard judged: what an engine runs, wherever it does. What it found is in files, what it returns is a receipt.

Of a shard, the rulebooks and the code that judges a key is made: whatever ran already under the same key is not run again.
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

from ledger.errors import HandledgerError, IntegrityError
from ledger.lake import layout
from ledger.lake.layout import Sheet
from ledger.lake.reading import adoptions, parts, rulebooks
from projections.audit.audit_result import AuditResult, BookRef
from projections.audit.auditor import Audit
from projections.audit.book_differences import Difference
from projections.audit.house_audit import House, by_book
from projections.findings.doubts import spoiled_of
from projections.findings.finding import Coverage
from projections.findings.source_lines import source_of
from projections.table_walk.stored_hands import seated
from projections.tables.code import check_same_code
from projections.tables.kept_results import build_rows, hand_results, seat_results

if TYPE_CHECKING:
    from ledger.lake.reading import Part
    from ledger.replay import PlayedHand
    from ledger.store import HandRow
    from ledger.store.accounts import Place
    from ledger.store.database import Row
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
    ("number", "int64"),  # 1, 2, ... at this table
    ("position", "int64"),  # of the hand's first event
    ("seat", "int64"),
    ("book", "string"),
    ("clause", "string"),
    ("severity", "string"),
    ("certainty", "string"),
    ("finding", "binary"),  # the whole of it, JSON
    ("part", "int32"),  # under which books: a row of the coverage
)


def _columns(table: Table) -> tuple[tuple[str, str], ...]:
    kinds = {Text: "string", LargeBinary: "binary"}
    return tuple((one.name, kinds.get(type(one.type), "int64")) for one in table.columns)


SHEETS: Final = {
    "sessions": SESSIONS,
    "findings": FINDINGS,
    "results": _columns(hand_results),
    "seats": _columns(seat_results),
}
"""The files of a job, by what is in them; `coverage` is one more, JSON."""
COVERAGE: Final = "coverage"


_SAID: Final = 100
"""Letters of what went wrong that fit into a receipt."""


class Task(NamedTuple):
    """A shard that is to be judged. `books` none: by those of the house."""

    shard: str  # path of the file
    sha256: str
    house: str  # path of the file of the house's stream
    adopted: str = ""  # digest of what it says of rulebooks
    books: tuple[Rulebook, ...] = ()
    code: str = ""  # digest of the code that judges, where it is asked for
    behind: int = 0  # events of other logs of the lake, behind which this shard's own are counted

    @property
    def name(self) -> str:
        """What the shard is called."""
        return Path(self.shard).stem

    @property
    def key(self) -> str:
        """What tells this judgement from every other, hex."""
        books = [[book.name, book.digest] for book in self.books] or [["house", self.adopted]]
        more = [self.behind] if self.behind else []
        return sha256(json.dumps([self.sha256, books, self.code, *more]).encode()).hexdigest()[:32]


class Receipt(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of a job. `trouble`: it was not done, and why; nothing of it is kept then."""

    shard: str
    key: str
    sessions: int = 0
    hands: int = 0
    findings: int = 0
    digest: str = ""  # over the digests of the sessions, hex: what the files of the job are called
    sizes: list[int] = []  # of these files, in bytes
    trouble: str = ""
    code: str = ""  # of the error


class Under(msgspec.Struct):
    """What was found of a shard under some books, besides the findings."""

    books: list[BookRef]
    hands: int
    coverage: list[Coverage]
    differences: list[Difference]


def job(task: Task, out: str) -> bytes:
    """Judge a shard; return the receipt as JSON, at most 250 bytes.

    Findings, results, seats and coverage are in files of `out` when this returns, each whole; the receipt is there
    last. A shard that is not what was written, or cannot be judged, is a receipt that says so.
    """
    folder = Path(out)
    kept = done(folder, task)
    if kept is not None:
        return msgspec.json.encode(kept)
    try:
        receipt = _judged(task, folder)
    except HandledgerError as error:
        said = error.message.encode("ascii", "backslashreplace").decode()[:_SAID]
        return msgspec.json.encode(Receipt(task.name, task.key, trouble=said, code=error.code))
    data = msgspec.json.encode(receipt)
    layout.write(place_of(folder, task), data)
    return data


def said_by(adopted: Sequence[Row]) -> str:
    """Return the digest of what a house's stream says of rulebooks, hex."""
    return sha256(b"".join(row[-1] for row in adopted)).hexdigest()


def place_of(folder: Path, task: Task) -> Path:
    """Return where the receipt of a job is."""
    return folder / "receipts" / f"{task.key}.json"


def files(folder: Path, receipt: Receipt) -> list[Path]:
    """Return the files of a job, in the order of `sizes`."""
    stem = folder / "data" / receipt.digest[:32]
    return [stem.with_suffix(f".{kind}.parquet") for kind in SHEETS] + [stem.with_suffix(f".{COVERAGE}.json")]


def done(folder: Path, task: Task) -> Receipt | None:
    """Return the receipt of a job that is done and whose files are there; None of any other."""
    try:
        receipt = msgspec.json.decode(place_of(folder, task).read_bytes(), type=Receipt)
        sizes = [file.stat().st_size for file in files(folder, receipt)]
    except (OSError, msgspec.DecodeError):
        return None
    return receipt if receipt.key == task.key and sizes == receipt.sizes else None


def _judged(task: Task, folder: Path) -> Receipt:
    check_same_code(task.code)
    shard = Path(task.shard)
    try:
        if layout.sha256_of(shard) != task.sha256:
            raise layout.damaged(shard)
    except OSError as error:
        raise IntegrityError(f"{shard.name} cannot be read: {error.strerror or error}") from error
    adopted = [] if task.books else adoptions(Path(task.house))
    if not task.books and said_by(adopted) != task.adopted:
        raise layout.damaged(Path(task.house))
    under: dict[tuple[BookRef, ...], tuple[int, AuditResult]] = {}
    whole, count, hands, found = sha256(), 0, 0, 0
    with ExitStack() as ends:
        drafts = [ends.enter_context(layout.draft_in(folder / "data")) for _ in range(len(SHEETS) + 1)]
        sheets = {kind: Sheet(path, columns) for path, (kind, columns) in zip(drafts, SHEETS.items(), strict=False)}
        for part in parts(shard, adopted, rulebooks(Path(task.house).parent) if adopted else ()):
            house = House(part.ledger) if adopted else None
            for place in part.places:
                session = _Session(part, place, sheets, task.behind)
                for result in session.judged(task.books, house):
                    session.take(result, under)
                digest = session.end()
                whole.update(digest)
                count, hands, found = count + 1, hands + session.hands, found + session.findings
        for sheet in sheets.values():
            sheet.close()
        drafts[-1].write_bytes(
            msgspec.json.encode([Under(r.books, r.hands, r.coverage, list(r.differences)) for _, r in under.values()])
        )
        receipt = Receipt(
            task.name, task.key, count, hands, found, whole.hexdigest(), [one.stat().st_size for one in drafts]
        )
        for draft, path in zip(drafts, files(folder, receipt), strict=True):
            layout.placed(draft, path)
    return receipt


class _Session:
    """One table on its way: its rows go into the sheets, and all that was found into its digest."""

    def __init__(self, part: Part, place: Place, sheets: dict[str, Sheet], behind: int) -> None:
        self._behind = behind
        self._ledger = part.ledger
        self._place = place
        self._unread = {stream: spoiled_of(bits) for stream, bits in part.unread.items()}
        self._sheets = sheets
        self._digest = sha256(encoded(place))
        self._positions: dict[str, int] = {}  # of hands in which something was found
        self.hands = 0
        self.findings = 0

    def _wanted(self) -> Iterator[tuple[Place, Iterable[HandRow]]]:
        yield self._place, self._ledger.hands(**self._place._asdict(), standing=True)

    def judged(self, books: tuple[Rulebook, ...], house: House | None) -> list[AuditResult]:
        """Judge the table by these books, else by the house's, else by what a record must keep to."""
        if house is not None and not books:
            none = next(iter(next(self._wanted())[1]), None) is None
            return [] if none else by_book(house, self._wanted, self._audit)
        return [self._audit(self._wanted(), list(books))]

    def _audit(self, wanted: Iterable[tuple[Place, Iterable[HandRow]]], books: list[Rulebook]) -> AuditResult:
        running = Audit(books, long=True)
        for hand, contexts in seated(self._ledger, wanted, books, self._unread):
            if running.add(hand, contexts) and hand.stream is not None:
                self._positions[hand.stream.hex] = self._behind + hand.position
            self._result(hand)
        return running.result()

    def _result(self, hand: PlayedHand) -> None:
        """Write down what a hand came to."""
        assert hand.stream is not None  # noqa: S101 - it is of a ledger
        row, seats = build_rows(hand.recorded_events, self._behind + hand.position, hand.stream.bytes, source_of(hand))
        self.hands += 1
        if row is not None:
            for kind, values in (("results", row), *(("seats", seat) for seat in seats)):
                told = tuple(values.values())
                self._sheets[kind].add(told)
                self._digest.update(encoded(told[1:]))  # where it stands in the log is no result

    def take(self, result: AuditResult, under: dict[tuple[BookRef, ...], tuple[int, AuditResult]]) -> None:
        """Write down what was found under some books, and add it to what was found so at other tables."""
        key = tuple(result.books)
        at, before = under.get(key, (len(under), None))
        for one in result.findings:
            self.findings += 1
            said = encoded(one)
            row = self.findings, self._positions[one.hand.stream], one.seat, one.book, one.clause
            self._sheets["findings"].add((*self._place, *row, one.severity, one.certainty, said, at))
            self._digest.update(said)
        frame = AuditResult(result.books, result.hands, [], result.coverage, result.differences)
        self._digest.update(encoded(Under(frame.books, frame.hands, frame.coverage, list(frame.differences))))
        if before is None:
            under[key] = at, frame
        else:
            before.merge(frame)

    def end(self) -> bytes:
        """Return the digest of the table."""
        digest = self._digest.digest()
        self._sheets["sessions"].add((*self._place, self.hands, self.findings, digest))
        return digest


def encoded(what: object) -> bytes:
    """Return plain values as JSON, the same bytes each time; texts of a record may hold lone surrogates."""
    try:
        return _ENCODE(what)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(what), check_circular=False).encode("ascii")


_ENCODE: Final = msgspec.json.Encoder().encode
