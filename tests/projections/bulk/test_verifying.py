"""A lake is what its ledger recorded, or `verify` says what is not."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.errors import IntegrityError
from ledger.lake import atomic_files, layout
from ledger.lake.layout import FileReceipt, LakeManifest, ParquetSheet
from ledger.seal import keys
from ledger.seal.note import HeldKey
from ledger.store import open as open_ledger
from ledger.store.seals import sealer
from tests.cli.conftest import Run as Program
from tests.cli.conftest import run as program
from tests.laws import size
from tests.projections.bulk.lakes import grown, laid, ledger_of_everything

__all__ = ["program"]

Row = tuple[Any, ...]


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A lake of a ledger that was signed before its last hands came, and the key."""
    folder = tmp_path_factory.mktemp("sealed")
    path = ledger_of_everything(folder)
    private = keys.create_key(folder / "room.key")
    with open_ledger(path) as ledger:
        signer = HeldKey(sealer.origin(ledger), private)
        sealer.seal(ledger, signer, keys.SignatureMemory(folder / "room.key"))
    grown(path, "T1", folder)
    laid(path, folder / "lake")
    laid(path, folder / "part", "table:3 or table:T1")
    return folder, str(signer.key)


@pytest.fixture
def lake(sealed: tuple[Path, str], tmp_path: Path) -> Path:
    return Path(shutil.copytree(sealed[0] / "lake", tmp_path / "lake"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lake", "part"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_lake_is_proved_against_the_checkpoint_of_its_ledger(
    sealed: tuple[Path, str], program: Program, name: str, jobs: str
) -> None:
    result = program("verify", str(sealed[0] / name), "--key", sealed[1], "--jobs", jobs, "--format", "json")
    assert result.document["problems"] == []
    assert result.code == 0
    assert "own checkpoint of" in result.document["against"][0]
    assert len(list((sealed[0] / "part" / "shards").glob("*.parquet"))) < 3


def rewritten(lake: Path, shard_index: int, change: Callable[[list[Row]], list[Row]]) -> None:
    """Change the rows of a shard as somebody would who knows how lakes are written: receipts and all."""
    lake_manifest = layout.read_manifest(lake)
    receipt = lake_manifest.shards[shard_index]
    rows = change(list(layout.read_rows(lake / receipt.name)))
    with atomic_files.open_replacement(lake / receipt.name) as draft:
        sheet = ParquetSheet(draft, layout.SHARD_COLUMNS)
        for row in rows:
            sheet.add_row(row)
        sheet.close()
    path = lake / receipt.name
    new_manifest = msgspec.structs.replace(
        receipt, sha256=atomic_files.hash_file(path), bytes=path.stat().st_size, rows=len(rows)
    )
    restated(lake, shards=[new_manifest if shard is receipt else shard for shard in lake_manifest.shards])


def restated(lake: Path, **changes: Any) -> None:
    atomic_files.write_file(
        lake / layout.MANIFEST_FILE, msgspec.json.encode(msgspec.structs.replace(layout.read_manifest(lake), **changes))
    )


def replace_column(column: int, value: Callable[[Any], Any]) -> Callable[[list[Row]], list[Row]]:
    """Change a column of the first row of which it can be changed."""

    def changed(rows: list[Row]) -> list[Row]:
        index = next(
            index for index, row in enumerate(rows) if row[3] is not None and value(row[column]) != row[column]
        )
        row = list(rows[index])
        row[column] = value(row[column])
        rows[index] = tuple(row)
        return rows

    return changed


def other_stakes(data: bytes) -> bytes:
    return data.replace(b'"HandCompleted"', b'"HandVoided"')


FORGED: dict[str, tuple[Callable[[list[Row]], list[Row]], str]] = {
    "events": (replace_column(-1, other_stakes), "hash"),
    "when it was recorded": (replace_column(16, lambda at: at + 1), "hash"),
    "a hash": (replace_column(-2, lambda data: bytes(32)), "hash"),
    "number": (replace_column(3, lambda number: f"9{number}"), "index"),
    "note": (replace_column(9, lambda note: "voided"), "index"),
    "a hand left out": (lambda rows: rows[:-1], "hash"),
    "a hand twice": (lambda rows: [*rows, rows[-1]], "position"),
    "another table's": (lambda rows: [(*row[:2], "Z", *row[3:]) for row in rows], "index"),
}


@pytest.mark.parametrize("column_changed", FORGED)
def test_what_somebody_changed_in_a_shard_is_seen(lake: Path, program: Program, column_changed: str) -> None:
    change, code = FORGED[column_changed]
    rewritten(lake, 1, change)
    result = program("verify", str(lake), "--format", "json")
    assert result.code == 4
    assert code in {problem["code"] for problem in result.document["problems"]}


def without_a_shard(lake_manifest: LakeManifest) -> dict[str, Any]:
    return {"shards": lake_manifest.shards[1:]}


def of_a_shorter_log(lake_manifest: LakeManifest) -> dict[str, Any]:
    return {"position": lake_manifest.position - 1}


def in_another_order(lake_manifest: LakeManifest) -> dict[str, Any]:
    return {"shards": lake_manifest.shards[::-1]}


def with_fewer_leaves(lake_manifest: LakeManifest) -> dict[str, Any]:
    return {
        "leaves": FileReceipt(
            "house.parquet", lake_manifest.house.sha256, lake_manifest.house.bytes, "", lake_manifest.house.rows
        )
    }


@pytest.mark.parametrize("change", [without_a_shard, of_a_shorter_log, in_another_order, with_fewer_leaves])
def test_what_somebody_changed_in_the_manifest_is_seen(
    lake: Path, program: Program, change: Callable[[LakeManifest], dict[str, Any]]
) -> None:
    restated(lake, **change(layout.read_manifest(lake)))
    assert program("verify", str(lake)).code == 4


@pytest.mark.law
def test_a_damaged_file_is_named_wherever_its_damage_lies(lake: Path, program: Program) -> None:
    path = lake / "sources.parquet"
    data = path.read_bytes()
    for index in range(0, len(data), max(1, len(data) // size(25, 4000))):
        path.write_bytes(data[:index] + bytes([data[index] ^ 1]) + data[index + 1 :])
        answer = program("verify", str(lake))
        assert (answer.code, answer.err) == (4, ""), index
        assert "sources.parquet: its bytes are not those that were written" in answer.out


@pytest.mark.slow
def test_a_log_that_was_rewritten_whole_is_seen_by_the_checkpoint(
    lake: Path, sealed: tuple[Path, str], tmp_path: Path, program: Program
) -> None:
    path = ledger_of_everything(tmp_path)  # the same hands, under other ids
    laid(path, tmp_path / "other")
    restated(tmp_path / "other", checkpoint=layout.read_manifest(lake).checkpoint)
    result = program("verify", str(tmp_path / "other"), "--key", sealed[1])
    assert result.code == 4
    assert "are not those of the lake's own checkpoint" in result.out
    restated(lake, checkpoint="")
    assert program("verify", str(lake), "--key", sealed[1]).code == 4


def test_what_is_asked_of_ledgers_alone_is_refused(lake: Path, program: Program) -> None:
    for options in (["--tables"], ["--ledger", "x"], ["--quorum", "1"]):
        assert program("verify", str(lake), *options).code == 2


def test_a_file_that_lost_a_column_is_named(lake: Path) -> None:
    _, parquet = layout.import_arrow()
    shard = next((lake / "shards").glob("*.parquet"))
    for path in (*(lake / name for name in ("house.parquet", "sources.parquet", "leaves.parquet")), shard):
        table = parquet.read_table(path)
        for column in table.column_names:
            parquet.write_table(table.drop_columns([column]), path)
            with pytest.raises(IntegrityError, match=f"{path.name} has lost columns.*{column}"):
                list(layout.read_rows(path))
        parquet.write_table(table, path)


def test_sources_that_the_manifest_does_not_name_are_found(lake: Path, program: Program) -> None:
    manifest = layout.read_manifest(lake)
    (lake / "lake.json").write_bytes(msgspec.json.encode(msgspec.structs.replace(manifest, sources=None)))
    result = program("verify", str(lake))
    assert result.code == 4
    assert "doesn't name it" in result.out
