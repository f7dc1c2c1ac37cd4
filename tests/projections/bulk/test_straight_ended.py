"""A lake that files go into is the same whoever reads, in any order, ended anywhere; what is wrong is said."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.errors import HandledgerError, IntegrityError, LedgerBusyError, SourceError, StorageFullError, UsageError
from ledger.intake import ImportOptions, spools
from ledger.lake import atomic_files, layout
from ledger.lake.layout import LakeManifest, StraightImport
from ledger.lake.several import compute_logs_root, sum_accounts
from ledger.lake.shard_writer import write_sheet
from projections.shards import direct_import, shard_plan
from projections.shards.direct_import import import_to_shards
from tests.cli.conftest import Run as Program
from tests.cli.conftest import run as program
from tests.intake.hands import hands
from tests.intake.test_accounts import HEADER, correction, hand
from tests.projections.bulk.test_straight import table

__all__ = ["program"]

IMPORTED_AT = 1_790_000_000_000


def write_files(folder: Path, patch: pytest.MonkeyPatch) -> list[Path]:
    """Files of several tables, with all that is settled between shards; two of them are a task."""
    patch.setattr(shard_plan, "_TASK_BYTES", 2_500)
    patch.setattr(shard_plan, "token_hex", lambda _: "ab" * 16)
    patch.setenv("HANDLEDGER_PEOPLE_KEY", str(folder / "people.key"))
    (folder / "people.key").write_text(f"handledger-people-key-1 {'cd' * 32}\n")
    (folder / "people.key").chmod(0o600)
    texts = [
        hands(1, 2, 3) + hands(4, table="T2").replace("[1]", "[9]"),
        hands(3, 5) + '\n[5]\nvariant = "NT"\nactions = [\n\n' + hands(6, table="T3"),
        HEADER + hand(1) + "\n2 away\n" + table("T6", hand(1), hand(2).replace("2 folds", "2 sings")) + hand(2),
        HEADER + 'source "A"\n' + hand(1, raised=20) + correction(9, 9, "2 folds") + table("T7", hand(1)),
        HEADER + 'source "A"\n' + hand(1, raised=25) + table("T7", "\n2 away\n", hand(1, raised=25)),
        HEADER + table("T8", "\n2 away\n"),
    ]
    paths = [folder / f"{index}.txt" for index in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return paths


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    return write_files(tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of those files."""
    folder = tmp_path_factory.mktemp("sound")
    with pytest.MonkeyPatch.context() as patch:
        make_lake(folder / "lake", write_files(folder, patch))
    return folder / "lake"


@pytest.fixture
def lake(sound: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(sound, tmp_path / "lake"))


def make_lake(folder: Path, files: list[Path], jobs: int = 1) -> LakeManifest:
    return import_to_shards(
        files, folder, ImportOptions(jobs=jobs), imported_at=IMPORTED_AT, hands_per_shard=1
    ).manifest


def bytes_of(folder: Path) -> dict[str, str]:
    """What the files of a lake hash to."""
    return {
        str(path.relative_to(folder)): atomic_files.hash_file(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".json"
    }


@pytest.mark.slow
def test_any_number_of_processes_make_the_same_lake(tmp_path: Path, files: list[Path]) -> None:
    lake_manifest, two = make_lake(tmp_path / "one", files), make_lake(tmp_path / "two", files, jobs=2)
    assert lake_manifest == two
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two")
    assert lake_manifest.straight is not None
    assert len(lake_manifest.shards) > 2
    assert len(lake_manifest.straight.sources) > 1
    assert not (tmp_path / "one" / shard_plan.WORK).exists()
    assert any(log.leaves for log in lake_manifest.straight.logs), "no facts of a table without a hand"


STOPPED_PROGRAM = """
import os, signal, sys
from pathlib import Path
from ledger.lake import layout, atomic_files
from projections.shards import shard_plan
from tests.projections.bulk.test_straight_ended import make_lake
shard_plan._TASK_BYTES, shard_plan.token_hex = 2_500, lambda _: "ab" * 16
left = [int(sys.argv[1])]
placed = atomic_files.rename_draft
def ending(draft, path):
    left[0] -= 1
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    placed(draft, path)
atomic_files.rename_draft = ending
make_lake(Path(sys.argv[2]), [Path(one) for one in sys.argv[3:]])
"""


@pytest.mark.slow
@pytest.mark.parametrize("files_left", [1, 2, 5, 9, 14, 20, 27])
def test_one_that_was_ended_goes_on_and_nothing_is_told_twice(
    tmp_path: Path, files: list[Path], files_left: int
) -> None:
    lake_manifest = make_lake(tmp_path / "whole", files)
    folder = tmp_path / "ended"
    command = [sys.executable, "-c", STOPPED_PROGRAM, str(files_left), str(folder), *map(str, files)]
    result = subprocess.run(
        command, check=False, cwd=Path(__file__).parents[3], env=dict(os.environ), capture_output=True
    )
    assert result.returncode == -9, result.stderr.decode()
    assert make_lake(folder, files) == lake_manifest
    assert bytes_of(folder) == bytes_of(tmp_path / "whole")


@pytest.mark.skipif(sys.platform == "win32", reason="folders are not locked there")
def test_two_at_once_in_one_folder_are_kept_apart(tmp_path: Path, files: list[Path]) -> None:
    folder = tmp_path / "lake"
    with shard_plan.lock_lake(folder), pytest.raises(LedgerBusyError, match="another import --to-shards"):
        make_lake(folder, files)
    assert list(folder.iterdir()) == []
    assert make_lake(folder, files).shards
    with shard_plan.lock_lake(folder), pytest.raises(LedgerBusyError):  # a lake that is whole is swept, too
        make_lake(folder, files)


def test_said_again_it_is_there_and_other_files_are_refused(tmp_path: Path, files: list[Path]) -> None:
    folder = tmp_path / "lake"
    first = import_to_shards(files, folder, imported_at=IMPORTED_AT, hands_per_shard=1)
    direct_import = import_to_shards(files, folder, imported_at=IMPORTED_AT + 1, hands_per_shard=1)
    assert (direct_import.summary, direct_import.manifest) == (first.summary, first.manifest)
    for damaged in ("house.parquet", "sources/00001.parquet"):
        data = (folder / damaged).read_bytes()
        (folder / damaged).write_bytes(data[:-1])
        with pytest.raises(IntegrityError, match=damaged):
            import_to_shards(files, folder, imported_at=IMPORTED_AT, hands_per_shard=1)
        (folder / damaged).write_bytes(data)
    for wrong in (files[:1], [*files, tmp_path / "people.key"]):
        with pytest.raises(UsageError, match="made from other files"):
            import_to_shards(wrong, folder, imported_at=IMPORTED_AT, hands_per_shard=1)
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "x").touch()
    with pytest.raises(UsageError, match="contains something else"):
        import_to_shards(files, tmp_path / "strange", imported_at=IMPORTED_AT)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("dry_run", ImportOptions(dry_run=True)),
        ("compress", ImportOptions(compress=False)),
        ("hide_cards", ImportOptions(hide_cards=True)),
        ("answers", ImportOptions(answers={"": b""})),
    ],
)
def test_an_option_that_only_ledgers_have_is_refused(
    name: str, options: ImportOptions, tmp_path: Path, files: list[Path]
) -> None:
    with pytest.raises(UsageError, match=name):
        import_to_shards(files, tmp_path / "lake", options, imported_at=IMPORTED_AT)
    assert not (tmp_path / "lake").exists()


def test_a_file_that_changes_while_it_is_read_is_named(
    tmp_path: Path, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    read = direct_import.open_file_sources

    def meanwhile(name: str) -> Any:
        yield from read(name)
        with files[2].open("a") as extra_lines:
            extra_lines.write("\n")

    monkeypatch.setattr(direct_import, "open_file_sources", meanwhile)
    with pytest.raises(SourceError, match=r"2\.txt changed while it was read"):
        make_lake(tmp_path / "lake", files)
    monkeypatch.setattr(direct_import, "open_file_sources", read)
    lake_manifest = make_lake(tmp_path / "lake", files)
    assert lake_manifest == make_lake(tmp_path / "other", files)


def full(*_: object) -> Any:
    raise OSError(errno.ENOSPC, "No space left on device")


def closed(*_: object) -> Any:
    raise sqlite3.OperationalError("database or disk is full")


@pytest.mark.parametrize(
    ("failing_call", "name", "failure"), [(spools.zstd, "compress", closed), (atomic_files.os, "fsync", full)]
)
def test_a_full_disk_is_said_and_the_rest_is_made_when_there_is_room(
    tmp_path: Path, files: list[Path], failing_call: Any, name: str, failure: Callable[..., Any]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(failing_call, name, failure)
        with pytest.raises(StorageFullError):
            make_lake(tmp_path / "lake", files)
    assert make_lake(tmp_path / "lake", files) == make_lake(tmp_path / "other", files)


def with_rows(lake: Path, table_name: str, change: Callable[[list[Any]], list[Any]]) -> None:
    """Change the accounts as somebody would who knows how lakes are written: receipts, sums, root and all."""
    lake_manifest = layout.read_manifest(lake)
    assert lake_manifest.straight is not None
    columns = {"files": layout.FILE_COLUMNS, "rejects": layout.REJECT_COLUMNS}[table_name]
    rows = change([list(row) for row in layout.read_rows(lake / f"{table_name}.parquet")])
    receipt = write_sheet(lake, f"{table_name}.parquet", "", columns, map(tuple, rows))
    changed: StraightImport = msgspec.structs.replace(lake_manifest.straight, **{table_name: receipt})
    if table_name == "files":
        changed = msgspec.structs.replace(changed, account=sum_accounts([tuple(row) for row in rows]))
    root = compute_logs_root(changed.logs, [changed.files, changed.rejects, *changed.sources])
    changed = msgspec.structs.replace(changed, root=root)
    new_manifest = msgspec.structs.replace(lake_manifest, straight=changed, head=root)
    atomic_files.write_file(lake / layout.MANIFEST_FILE, msgspec.json.encode(new_manifest))


def fewer_bytes(rows: list[Any]) -> list[Any]:
    rows[0][4] -= 1
    return rows


def nothing_rejected(rows: list[Any]) -> list[Any]:
    for row in rows:
        row[5], row[7] = row[5] + row[7], 0
    return rows


def without_one(rows: list[Any]) -> list[Any]:
    return rows[1:]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_lake_that_nobody_changed_is_sound(sound: Path, program: Program, jobs: str) -> None:
    assert program("verify", str(sound), "--jobs", jobs).code == 0


@pytest.mark.parametrize(
    ("table_name", "change"), [("files", fewer_bytes), ("files", nothing_rejected), ("rejects", without_one)]
)
def test_an_account_that_somebody_changed_is_seen(
    lake: Path, program: Program, table_name: str, change: Callable[[list[Any]], list[Any]]
) -> None:
    with_rows(lake, table_name, change)
    result = program("verify", str(lake), "--format", "json")
    assert result.code == 4
    assert {problem["code"] for problem in result.document["problems"]} == {"account"}


def without_a_log(lake_manifest: LakeManifest) -> dict[str, Any]:
    assert lake_manifest.straight is not None
    logs = lake_manifest.straight.logs
    return {
        "straight": msgspec.structs.replace(lake_manifest.straight, logs=logs[:-1]),
        "shards": lake_manifest.shards[:-1],
    }


def with_another_head(lake_manifest: LakeManifest) -> dict[str, Any]:
    assert lake_manifest.straight is not None
    logs = [msgspec.structs.replace(log, head="00" * 32) for log in lake_manifest.straight.logs]
    return {"straight": msgspec.structs.replace(lake_manifest.straight, logs=logs)}


def dealt_otherwise(lake_manifest: LakeManifest) -> dict[str, Any]:
    assert lake_manifest.straight is not None
    return {"straight": msgspec.structs.replace(lake_manifest.straight, dealt=lake_manifest.straight.dealt + 1)}


def of_one_log(lake_manifest: LakeManifest) -> dict[str, Any]:
    return {"schema": layout.ONE_LOG_SCHEMA}


@pytest.mark.parametrize("change", [without_a_log, with_another_head, dealt_otherwise, of_one_log])
def test_what_somebody_changed_in_the_manifest_is_seen(
    lake: Path, program: Program, change: Callable[[LakeManifest], dict[str, Any]]
) -> None:
    lake_manifest = layout.read_manifest(lake)
    atomic_files.write_file(
        lake / layout.MANIFEST_FILE,
        msgspec.json.encode(msgspec.structs.replace(lake_manifest, **change(lake_manifest))),
    )
    assert program("verify", str(lake)).code == 4


def test_the_command_says_what_was_read_and_what_was_not(tmp_path: Path, files: list[Path], program: Program) -> None:
    lake, book = str(tmp_path / "lake"), str(tmp_path / "x.ledger")
    result = program("import", "--to-shards", lake, *map(str, files), "--hands", "1", "--format", "json")
    ours = program("import", *map(str, files), "--ledger", book, "--format", "json")
    assert result.code == ours.code == 3
    sums = [
        {name: document["total"][name] for name in ("new", "rejected", "read", "rejected_bytes")}
        for document in (result.document, ours.document)
    ]
    assert sums[0] == sums[1]
    output = program("import", "--to-shards", lake, *map(str, files), "--hands", "1")
    assert f"handledger lake rejects {lake}" in output.out
    assert "each a log of its own" in output.out
    rejects, of_ledger = program("lake", "rejects", lake, "--bytes"), program("rejects", "--bytes", "--ledger", book)
    assert rejects.code == of_ledger.code == 3
    assert sorted(rejects.out.splitlines()) == sorted(of_ledger.out.splitlines())
    second_output = program("lake", "rejects", lake, "--format", "json")
    assert len(second_output.document["rejects"]) == result.document["total"]["rejected"]


def test_findings_stand_on_the_lines_of_their_files(tmp_path: Path, files: list[Path], program: Program) -> None:
    lake, book = str(tmp_path / "lake"), str(tmp_path / "x.ledger")
    program("import", "--to-shards", lake, *map(str, files), "--hands", "1")
    program("import", *map(str, files), "--ledger", book)
    arguments = ("--frames", "1000", "-r", "hilton")
    lines = program("lake", "audit", lake, "--out", str(tmp_path / "out"), *arguments).out.splitlines()
    direct = program("audit", "--ledger", book, *arguments).out.splitlines()
    frames = [line for line in direct if "-->" in line or " | " in line]
    assert frames
    assert sorted(line for line in lines if "-->" in line or " | " in line) == sorted(frames)
    assert program("evidence", "1", "--lake", lake, "-o", str(tmp_path / "e.hlev")).code == 2


def test_nothing_that_is_a_hand_is_a_lake_of_no_hands(tmp_path: Path, program: Program) -> None:
    (tmp_path / "a.txt").write_text("nothing that anybody reads\n")
    lake = str(tmp_path / "lake")
    key = ("--people-key", str(tmp_path / "k"))
    assert program("import", "--to-shards", lake, str(tmp_path / "a.txt"), *key).code == 2
    assert program("verify", lake).code == 0
    assert program("lake", "rejects", lake).code == 3
    assert isinstance(layout.read_manifest(Path(lake)).straight, StraightImport)
    with pytest.raises(HandledgerError):
        import_to_shards([tmp_path / "none"], tmp_path / "other", imported_at=IMPORTED_AT)
