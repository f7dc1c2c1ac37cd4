"""Several processes read, one writes: the ledger is the same to the byte."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import zipfile
from contextlib import closing
from functools import partial
from io import BytesIO
from pathlib import Path

import pytest

from ledger.errors import SourceError
from ledger.formats.pokerstars import FORMAT
from ledger.intake import ImportOptions, chunks, import_errors, import_loop, import_run, jobs, prefetch
from ledger.intake.chunk_preparation import ChunkOrigin, ChunkPart
from ledger.intake.files import IncomingSource, find_sources
from ledger.intake.import_loop import import_paths
from ledger.notation import Chunk
from ledger.people import People
from ledger.store import open as open_ledger
from tests.conftest import ROOT
from tests.intake.test_accounts import HEADER, hand

HAND = (ROOT / "tests/formats/pokerstars/samples/dead-blinds.txt").read_text(encoding="utf-8")


def night(count: int) -> str:
    """Hands of people who come and go, one of them damaged."""
    hands = [
        HAND.replace("900000000001", f"90000000{number:04}").replace("Ada", f"Ada{number % 7}")
        for number in range(count)
    ]
    hands[count // 2] = hands[count // 2].replace("$1", "$1.x")
    return "\n\n\n".join(hands)


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        return list(database.iterdump())


@pytest.mark.slow
def test_the_ledger_is_the_same_to_the_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK_BYTES", 20_000)
    monkeypatch.setattr(import_run, "_current_millis", lambda: 1_700_000_000_000)
    source = tmp_path / "night.txt"
    source.write_text(night(120), encoding="utf-8")
    open_ledger(tmp_path / "1").close()
    shutil.copy(tmp_path / "1", tmp_path / "3")
    for count in (1, 3):
        with open_ledger(tmp_path / str(count), clock=lambda: 1_700_000_000_001) as ledger:
            total = import_paths(ledger, [source], ImportOptions(jobs=count)).total
            assert (total.new, total.rejected, total.not_read) == (119, 1, 0)
            assert not ledger.verify()
    differing = [pair for pair in zip(dump(tmp_path / "1"), dump(tmp_path / "3"), strict=True) if pair[0] != pair[1]]
    assert not differing


def folder(root: Path) -> Path:
    """Many small sources: several hands, one, none; damaged, twice, of no format; a large one, an archive."""
    root.mkdir()
    for number in range(24):
        text = night(1 + number % 3).replace("Bo", f"Bo{number % 5}")
        (root / f"{number:03}.txt").write_text(text, encoding="utf-8")
    (root / "005-again.txt").write_bytes((root / "005.txt").read_bytes())
    (root / "006-empty.txt").write_bytes(b"")
    (root / "007-binary.txt").write_bytes(bytes(range(256)) * 4)
    (root / "008-letter.txt").write_text("Dear Ada,\nwe played.\n", encoding="utf-8")
    (root / "009-wide.txt").write_bytes(("\ufeff" + night(2)).encode("utf-16-le"))
    (root / "010-large.txt").write_text(night(60), encoding="utf-8")
    with zipfile.ZipFile(root / "011.zip", "w") as archive:
        for number in range(6):
            archive.writestr(f"{number}.txt", night(1).replace("Cy", f"Cy{number}"))
    return root


@pytest.mark.slow
@pytest.mark.parametrize("form", [None, "pokerstars"])
def test_a_folder_of_small_files_gives_the_same_to_the_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str | None
) -> None:
    monkeypatch.setattr(prefetch, "BATCH_SOURCES", 4)
    monkeypatch.setattr(prefetch, "MAX_SMALL_BYTES", 40_000)
    monkeypatch.setattr(import_run, "_current_millis", lambda: 1_700_000_000_000)
    used = count_calls(monkeypatch)
    source = folder(tmp_path / "hands")
    open_ledger(tmp_path / "1").close()
    shutil.copy(tmp_path / "1", tmp_path / "3")
    outputs = []
    for count in (1, 3):
        with open_ledger(tmp_path / str(count), clock=lambda: 1_700_000_000_001) as ledger:
            import_summary = import_paths(ledger, [source], ImportOptions(jobs=count, format_name=form))
            outputs.append([(file.name, file.outcome, file.new, file.same) for file in import_summary.files])
            assert not ledger.verify()
    assert outputs[0] == outputs[1]
    assert used[0] >= 10  # sources that processes made ready
    assert dump(tmp_path / "1") == dump(tmp_path / "3")


def count_calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list whose only number is how many sources took what a process had made ready."""
    used, stamped = [0], jobs._set_import_time

    def counted(ready: jobs.ReadySource, origin: ChunkOrigin) -> tuple[list[ChunkPart], jobs.ChunkNames]:
        used[0] += 1
        return stamped(ready, origin)

    monkeypatch.setattr(jobs, "_set_import_time", counted)
    return used


def test_few_small_sources_start_no_process(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"{number}.txt").write_text(HAND, encoding="utf-8")
    few_jobs = jobs.Jobs(2, People(bytes(32)))
    names = [
        source.name
        for source in prefetch.prefetch_sources(few_jobs, find_sources([tmp_path]), "", bytes.hex, lambda _: False)
    ]
    assert names == sorted(names)
    assert len(names) == 5
    assert few_jobs._pool is None


def test_of_a_source_that_is_known_nothing_is_made_ready() -> None:
    batch = prefetch.SourceBatch()
    source = IncomingSource("night.txt", BytesIO, 4)
    batch.add(source, HAND.encode(), is_known=True, digest="00")
    assert prefetch.prepare_batch("", batch.contents) == [None]
    assert source.open().read() == HAND.encode()


def test_a_source_whose_process_dies_fails_alone(tmp_path: Path) -> None:
    def broken() -> jobs.ReadySource | None:
        raise import_errors.reader_process_lost()

    sources = [IncomingSource(name, partial(BytesIO, HAND.encode()), len(HAND)) for name in ("a", "b")]
    sources[0].ready = broken
    with open_ledger(tmp_path / "l") as ledger:
        files = import_loop.import_sources(ledger, sources).files
    assert [file.outcome for file in files] == ["failed", "read"]


def test_what_processes_met_is_learned_in_the_order_of_the_source() -> None:
    people, expected_people = People(bytes(32)), People(bytes(32))
    expected_people.player("Room", "Bo")
    expected_people.mark_stored()
    for name in ("Cy", "Bo", "Ada"):
        people.player("Room", name)
    expected_people.learn(people.fresh_names, people.fresh_texts)
    assert [name for _, name in expected_people.fresh_names.values()] == ["Cy", "Ada"]
    assert expected_people.player("Room", "Ada") == people.player("Room", "Ada")


def test_a_process_that_starts_while_a_terminal_interrupts_does_its_work() -> None:
    readers = jobs.Jobs(2, People(b"0" * 32))
    try:
        future = readers.submit(signal.getsignal, signal.SIGINT)
        assert readers._pool is not None
        for process in readers._pool._processes:
            os.kill(process, signal.SIGINT)
        assert readers.result(future) is signal.SIG_IGN
    finally:
        readers.close()
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_process_that_dies_is_said_to_have(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def result(self) -> None:
            raise jobs.BrokenProcessPool

    class Pool:
        def submit(self, *_: object) -> Broken:
            return Broken()

        def shutdown(self, **_: object) -> None: ...

    two_jobs = jobs.Jobs(2, People(bytes(32)))
    monkeypatch.setattr(two_jobs, "_start_pool", Pool)
    pieces = [Chunk(HAND.encode(), last=False), Chunk(HAND.encode())]
    with pytest.raises(SourceError, match="stopped before"):
        list(two_jobs.prepare_chunks(FORMAT, pieces, ChunkOrigin("00", 0)))


def test_a_source_told_anew_is_the_same_to_the_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands that are superseded and facts that fall do not depend on how many processes read."""
    monkeypatch.setattr(chunks, "CHUNK_BYTES", 2_000)
    monkeypatch.setattr(import_run, "_current_millis", lambda: 1_700_000_000_000)
    source = tmp_path / "night.hand"
    open_ledger(tmp_path / "1").close()
    shutil.copy(tmp_path / "1", tmp_path / "3")
    outputs = []
    for count in (1, 3):
        with open_ledger(tmp_path / str(count), clock=lambda: 1_700_000_000_001) as ledger:
            for raised, away in ((15, "2 away"), (20, "3 away")):
                hands = [hand(number, raised=raised) + f"\n{away}\n" for number in range(1, 60)]
                source.write_text(HEADER + "".join(hands), encoding="utf-8")
                total = import_paths(ledger, [source], ImportOptions(jobs=count)).total
            outputs.append((total.superseded, total.facts_voided))
            assert not ledger.verify()
    assert outputs == [(59, 59)] * 2
    assert dump(tmp_path / "1") == dump(tmp_path / "3")
