"""An import stores each hand once, accounts for every byte, and goes on where it was stopped."""

from __future__ import annotations

import gzip
import io
import random
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.account import Account, Reject
from ledger.entry import Entry
from ledger.errors import UnknownFormatError
from ledger.house.events import SourceImported, SourceRejected
from ledger.intake import FileSummary, ImportOptions, account_writer, accounts, import_loop, import_paths, source_reader
from ledger.intake import chunks as chunking
from ledger.intake.files import find_sources
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.log.event_log import EventLog
from ledger.streams import HOUSE, table_stream
from ledger.table.events import HandPlayed, TableOpened
from ledger.table.order import number_table_events, sort_entries
from tests.intake.hands import hand, hands


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with open_ledger(tmp_path / "hands.ledger") as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    hands_folder = tmp_path / "hands"
    hands_folder.mkdir()
    return hands_folder


def import_file(ledger: Ledger, path: Path, **told: bool | str) -> FileSummary:
    [file] = import_paths(ledger, [path], ImportOptions(**told)).files  # type: ignore[arg-type] # the caller's duty
    return file


def counts(file: FileSummary) -> tuple[int, int, int, int]:
    return file.new, file.same, file.second, file.rejected


def accounted(file: FileSummary) -> bool:
    return file.read + file.blank + file.rejected_bytes + file.not_read == file.length


def test_hands_are_stored_with_their_place_in_the_source(ledger: Ledger, folder: Path) -> None:
    text = hands(1, 2, 3)
    (folder / "a.phhs").write_text(text)
    file = import_file(ledger, folder)
    assert counts(file) == (3, 0, 0, 0)
    assert accounted(file)
    assert (file.format, file.encoding, file.outcome) == ("phh", "utf-8", "read")
    for row in ledger.hands():
        assert ledger.sources.slice(row.source, row.start, row.length).decode() in text
    assert ledger.sources.read_all(file.source).decode() == text
    assert ledger.verify() == []


def test_the_table_remembers_its_hands_in_the_same_order_once(ledger: Ledger, folder: Path) -> None:
    (folder / "a.phhs").write_text(hands(1, 2, 3))
    (folder / "b.phhs").write_text(hands(3, 2, 4))
    import_paths(ledger, [folder])
    events = ledger.events(table_stream("Testing room", "", "T1"))
    assert isinstance(events[0], TableOpened)
    played = [event for event in events if isinstance(event, HandPlayed)]
    assert [event.number for event in played] == ["1", "2", "3", "4"]
    assert {event.hand for event in played} == {row.stream.hex for row in ledger.hands()}


def test_importing_again_in_any_disguise_stores_nothing(ledger: Ledger, folder: Path) -> None:
    (folder / "a.phhs").write_text(hands(*range(20)))
    import_paths(ledger, [folder])
    streams = [row.stream for row in ledger.hands()]
    numbers = list(range(20))
    random.Random(1).shuffle(numbers)
    (folder / "shuffled.phhs").write_text(hands(*numbers))
    shutil.copy(folder / "a.phhs", folder / "renamed.txt")
    (folder / "b.gz").write_bytes(gzip.compress((folder / "a.phhs").read_bytes()))
    with zipfile.ZipFile(folder / "c.zip", "w") as archive:
        archive.write(folder / "a.phhs", "inside.phhs")
    summary = import_paths(ledger, [folder])
    assert (summary.total.new, summary.total.second) == (0, 0)
    assert [counts(file) for file in summary.files] == [(0, 20, 0, 0)] * 5
    assert [row.stream for row in ledger.hands()] == streams
    assert ledger.verify() == []


def test_a_file_that_is_known_is_not_read_again(ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.phhs").write_text(hands(1, 2))
    import_paths(ledger, [folder])

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(source_reader, "split_chunks", never)
    file = import_file(ledger, folder)
    assert (file.outcome, file.same, accounted(file)) == ("known", 2, True)


def test_another_telling_is_a_second_account_beside_the_first(ledger: Ledger, folder: Path) -> None:
    (folder / "a.phhs").write_text(hands(1, 2))
    (folder / "b.phhs").write_text(hands(1, 2, raised=8))
    first, second = import_paths(ledger, [folder]).files
    assert (counts(first), counts(second)) == ((2, 0, 0, 0), (0, 0, 2, 0))
    assert [row.account for row in ledger.hands(number="1")] == [1, 2]
    played = [e for e in ledger.events(table_stream("Testing room", "", "T1")) if isinstance(e, HandPlayed)]
    assert len(played) == 4, "the table is told of every account"
    hexes = [row.stream.hex for row in ledger.hands(standing=True)]
    assert [entry.event.hand for entry in sort_entries(number_table_events(played))] == hexes
    assert [row.account for row in ledger.hands(standing=True)] == [1, 1]


def test_a_dry_run_says_the_same_and_writes_nothing(ledger: Ledger, folder: Path) -> None:
    (folder / "a.phhs").write_text(hands(1, 2))
    import_paths(ledger, [folder])
    (folder / "b.phhs").write_text(hands(2, 3) + "\n[9]\n" + hand(1, raised=10) + "\n[10]\nvariant = \n")
    head = ledger.head()
    tried = import_paths(ledger, [folder], ImportOptions(dry_run=True))
    assert ledger.head() == head
    assert len(list(ledger.sources)) == 1
    real = import_paths(ledger, [folder])
    assert [counts(file) for file in tried.files] == [counts(file) for file in real.files]
    assert counts(tried.files[1]) == (1, 1, 1, 1)


def test_a_damaged_hand_is_rejected_with_its_place_and_its_neighbours_are_read(ledger: Ledger, folder: Path) -> None:
    text = f'[1]\n{hand(1)}\n[2]\nvariant = "NT"\nactions = [\n\n[3]\n{hand(3)}'
    (folder / "a.phhs").write_text(text)
    summary = import_paths(ledger, [folder])
    [file] = summary.files
    assert counts(file) == (2, 0, 0, 1)
    assert accounted(file)
    assert summary.exit_code == 3
    [reject] = file.rejects
    assert text.encode()[reject.start :].startswith(b"[2]")
    assert text.splitlines()[reject.line - 1] in text.encode()[reject.start :][: reject.length].decode()
    rejections = [e for e in ledger.events(HOUSE) if isinstance(e, SourceRejected)]
    assert [(e.source, e.start, e.length) for e in rejections] == [(file.source, reject.start, reject.length)]
    import_summary = import_paths(ledger, [folder])
    assert (import_summary.exit_code, counts(import_summary.files[0])) == (3, (0, 2, 0, 1))


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"Dear diary,\n", "unknown-format"), (bytes(range(256)) * 9, "binary"), (b"x" * 3_000_000, "unknown-format")],
)
def test_what_is_no_hand_history_is_rejected_whole(ledger: Ledger, folder: Path, data: bytes, code: str) -> None:
    (folder / "a.txt").write_bytes(data)
    summary = import_paths(ledger, [folder])
    [file] = summary.files
    assert (file.outcome, file.rejects[0].code, summary.exit_code) == ("rejected", code, 2)
    assert accounted(file)
    digests = [row.digest for row in ledger.sources]
    assert digests == ([file.source] if code == "unknown-format" else [])


def test_an_empty_file_is_said_to_be_empty(ledger: Ledger, folder: Path) -> None:
    (folder / "a.txt").touch()
    summary = import_paths(ledger, [folder])
    assert (summary.files[0].outcome, summary.exit_code) == ("empty", 2)


def test_a_forced_format_is_obeyed_and_an_unknown_one_refused(ledger: Ledger, folder: Path) -> None:
    (folder / "a.txt").write_text("Dear diary,\n")
    file = import_file(ledger, folder, format_name="phh")
    assert (file.format, file.rejected, accounted(file)) == ("phh", 1, True)
    with pytest.raises(UnknownFormatError):
        import_paths(ledger, [folder], ImportOptions(format_name="runes"))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_encodings_are_found_and_written_down(ledger: Ledger, folder: Path, encoding: str) -> None:
    (folder / "a.phhs").write_bytes(hands(1, 2, names=("Zoë", "Bob")).encode(encoding))
    file = import_file(ledger, folder)
    assert counts(file) == (2, 0, 0, 0)
    assert accounted(file)
    expected = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le"}.get(encoding, encoding)
    assert file.encoding == expected
    assert ledger.people.find_players("Zoë")
    [imported] = [e for e in ledger.events(HOUSE) if isinstance(e, SourceImported)]
    assert imported.encoding == expected


def test_an_interrupted_import_goes_on(ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunking, "CHUNK_BYTES", 2000)
    (folder / "a.phhs").write_text(hands(*range(50)))
    stored = account_writer.AccountWriter.store

    def interrupted(self: account_writer.AccountWriter, *told: object) -> None:
        if self.progress.new > 20:
            raise KeyboardInterrupt
        stored(self, *told)  # type: ignore[arg-type] # handed on

    monkeypatch.setattr(account_writer.AccountWriter, "store", interrupted)
    with pytest.raises(KeyboardInterrupt):
        import_paths(ledger, [folder])
    stored_count = len(list(ledger.hands()))
    assert 20 < stored_count < 50
    assert ledger.verify() == []
    monkeypatch.setattr(account_writer.AccountWriter, "store", stored)
    file = import_file(ledger, folder)
    assert (file.new, file.same, accounted(file)) == (50, 0, True), "the counts are of the whole file"
    assert len(list(ledger.hands())) == 50
    assert ledger.verify() == []
    assert import_file(ledger, folder).outcome == "known"


def test_a_readers_fault_loses_nothing_and_is_tried_again(
    ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.phhs").write_text(hands(1, 2, 3))
    form = import_loop.formats.get("phh")

    def failing(chunk: object, people: object) -> Iterator[object]:
        for item in form.read(chunk, people):  # type: ignore[arg-type] # handed on
            if isinstance(item, Account) and item.opened.number == "2":
                raise ZeroDivisionError
            yield item

    broken = type(form)(**{f: getattr(form, f) for f in form.__dataclass_fields__} | {"read": failing})
    monkeypatch.setattr(import_loop.formats, "recognise", lambda _head: broken)
    file = import_file(ledger, folder)
    assert counts(file) == (1, 0, 0, 1)
    assert accounted(file)
    assert file.rejects[0].code == "fault"
    monkeypatch.undo()
    file = import_file(ledger, folder)
    assert counts(file) == (2, 1, 0, 0)


def test_a_stretch_without_a_hand_is_rejected_and_memory_stays_small(
    ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunking, "CHUNK_BYTES", 1000)
    monkeypatch.setattr(chunking, "MAX_HAND_BYTES", 5000)
    read = 0

    def reading(size: int) -> bytes:
        nonlocal read
        read = max(read, size)
        return source.read(size)

    source = io.BytesIO((hands(1) + "x" * 30_000 + "\n" + hands(2, 3)).encode())
    pieces = list(chunking.split_chunks(reading, import_loop.formats.get("phh"), "utf-8", "x"))
    [reject] = [piece for piece in pieces if isinstance(piece, Reject)]
    assert (reject.code, reject.line) == ("too-long", 1)
    assert all(isinstance(piece, Reject) or len(piece.data) < 5000 for piece in pieces)
    assert read < 15_000, "no more is held than a hand may be long"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=min(25, settings().max_examples))
@given(
    st.lists(
        st.one_of(
            st.integers(1, 5).map(lambda n: f"[{n}]\n{hand(n)}"),
            st.text("\n\r \t", max_size=5),
            st.text(max_size=40),
            st.just("[7]\nvariant = 'NT'\nactions = ['p9 zz']\n"),
        ),
        max_size=8,
    )
)
def test_every_byte_is_accounted_for_whatever_a_file_holds(tmp_path: Path, parts: list[str]) -> None:
    path = tmp_path / "a.phhs"
    data = "\n".join(parts).encode("utf-8", "surrogatepass")
    path.write_bytes(data)
    with open_ledger(":memory:") as ledger:
        file = import_file(ledger, path, format_name="phh")
        assert file.length == len(data)
        assert accounted(file)
        assert file.not_read == 0
        assert import_file(ledger, path, format_name="phh").new == 0
        assert ledger.verify() == []


@pytest.fixture
def versions_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """From which versions on what the house was told is read."""
    versions: list[int] = []
    entries_after = accounts.read_entries_after

    def counted(log: EventLog, stream: UUID, version: int) -> Iterator[Entry]:
        versions.append(version)
        return entries_after(log, stream, version)

    monkeypatch.setattr(accounts, "read_entries_after", counted)
    return versions


def test_what_was_read_before_is_read_once_however_many_sources_nobody_reads(
    ledger: Ledger, folder: Path, versions_read: list[int]
) -> None:
    for number in range(30):
        (folder / f"letter-{number}.txt").write_text(f"Dear Ann, letter {number}.\n")
    assert import_paths(ledger, [folder]).total.rejected == 30
    assert versions_read == [0]


def test_who_imports_again_and_again_reads_what_was_read_before_once(
    ledger: Ledger, folder: Path, versions_read: list[int]
) -> None:
    editions = accounts.Editions(ledger)
    texts = [hands(1), hands(1, 2), hands(3) + "\n[4]\nvariant = 1\n", "no hand\n", hands(1), hands(5)]
    for index, text in enumerate(texts):
        path = folder / ("night.phhs" if index < 3 or index > 3 else "letter.txt")
        path.write_text(text)
        if index == 4:  # somebody else imports, too
            import_paths(ledger, [path])
        import_summary = import_loop.import_sources(ledger, find_sources([folder]), editions=editions)
        assert [file.rejects for file in import_summary.files] == [
            file.rejects for file in import_paths(ledger, [folder], ImportOptions(dry_run=True)).files
        ]
        editions.read_on()
        anew = accounts.Editions(ledger)
        for name in (
            "imported",
            "reject_positions",
            "sources_read",
            "sealed_position",
            "_keys",
            "_digests",
            "_last_digests",
        ):
            assert getattr(editions, name) == getattr(anew, name), name
    other_reads = 2 * len(texts) + 1
    assert versions_read.count(0) == 1 + other_reads, "it goes on from where it was"


def test_a_file_that_is_named_twice_says_again_what_was_rejected_of_it(ledger: Ledger, folder: Path) -> None:
    path = folder / "night.phhs"
    path.write_text(hands(1) + "\n[4]\nvariant = 1\n")
    first, repeated = import_paths(ledger, [path, path]).files
    assert repeated.outcome == "known"
    assert repeated.rejects == first.rejects != []
