"""A lake that files went straight into is signed as a whole; its hands are proved and cited as those of a ledger's lake."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import json, structs

from ledger.intake import import_paths
from ledger.lake import layout
from ledger.seal.keys import create_key
from ledger.seal.note import Checkpoint, HeldKey, read_checkpoint, read_note, sign_text
from ledger.store import open as open_ledger
from ledger.store.open_ledger import system_clock
from projections.shards.direct_import import import_to_shards
from tests.cli.conftest import Run
from tests.conftest import ROOT
from tests.projections.bulk.lakes import laid

EVENING = (ROOT / "cli" / "samples" / "riverside-nl-evening.hand").read_text()


@pytest.fixture(scope="module")
def built_lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of three tables at which hands of the same numbers were played, in more than one shard, and a key."""
    folder = tmp_path_factory.mktemp("made")
    files = [folder / f"{table}.hand" for table in ("T1", "T2", "T3")]
    for file in files:
        file.write_text(EVENING.replace("table T7", f"table {file.stem}"))
    direct_import = import_to_shards(
        files, folder / "lake", imported_at=system_clock(), hands_per_shard=3, people_key=folder / "people.key"
    )
    assert len(direct_import.manifest.shards) > 1
    create_key(folder / "seal.pem")
    return folder


@pytest.fixture
def room(built_lake: Path, tmp_path: Path) -> Path:
    """The same, to be changed."""
    return Path(shutil.copytree(built_lake, tmp_path / "room"))


def seal(room: Path, run: Run) -> str:
    """Sign the lake; return the public key."""
    result = run("seal", "--lake", str(room / "lake"), "--key", str(room / "seal.pem"), "--name", "room.example")
    assert (result.code, result.err) == (0, "")
    return layout.read_manifest(room / "lake").key


def restated(room: Path, **changes: object) -> None:
    (room / "lake" / layout.MANIFEST_FILE).write_bytes(
        json.encode(structs.replace(layout.read_manifest(room / "lake"), **changes))
    )


def hand_at(room: Path, table: str) -> str:
    """The id of hand 408 of a table."""
    for shard in layout.read_manifest(room / "lake").shards:
        for row in layout.read_rows(room / "lake" / shard.name):
            if (row[2], row[3]) == (table, "408"):
                return bytes(row[14]).hex()
    raise AssertionError(table)


def test_a_hand_of_each_log_is_proved_to_a_stranger(room: Path, run: Run) -> None:
    lake, path = ("--lake", str(room / "lake")), room / "hand.hlev"
    result = run("evidence", "408", *lake, "-o", str(path))
    assert (result.code, "handledger seal --lake" in result.err) == (2, True)
    key = seal(room, run)
    result = run("evidence", "408", *lake, "-o", str(path))
    ids = [hand_at(room, table) for table in ("T1", "T2", "T3")]
    assert result.code == 2
    assert all(hand_id in result.err for hand_id in ids)
    for hand_id, table in zip(ids, ("T1", "T2", "T3"), strict=True):
        result = run("evidence", hand_id, *lake, "-o", str(path), "-r", "hilton", "--verifier")
        assert (result.code, result.err) == (0, "")
        assert "its ledger may keep" not in result.out
        single = subprocess.run(
            [sys.executable, "-I", str(room / "verify_hlev.py"), str(path), "--key", key],
            capture_output=True,
            text=True,
            check=False,
        )
        assert single.stdout.startswith("VERIFIED")
        assert f"hand '408' of table '{table}'" in single.stdout
        assert run("verify", str(path), "--key", key).code == 0


@pytest.mark.slow
def test_verify_holds_the_lake_against_the_signature(room: Path, run: Run) -> None:
    result = run("verify", str(room / "lake"))
    assert "it isn't signed (handledger seal --lake signs it)" in " ".join(result.out.split())
    key = seal(room, run)
    result = run("verify", str(room / "lake"), "--key", key, "--jobs", "2")
    assert result.code == 0
    assert "begins with the lake's own checkpoint" in result.out
    assert "who signed" not in result.out
    assert "who signed the lake's checkpoint" in " ".join(run("verify", str(room / "lake")).out.split())
    point = read_checkpoint(read_note(layout.read_manifest(room / "lake").checkpoint))
    held_key = HeldKey(point.origin, create_key(room / "other.pem"))
    result = run("verify", str(room / "lake"), "--key", str(held_key.key))
    assert (result.code, "is not signed by" in result.out + result.err) == (4, True)
    restated(room, checkpoint=sign_text(str(Checkpoint(point.origin, point.size, bytes(32))), held_key))
    result = run("verify", str(room / "lake"), "--key", str(held_key.key))
    assert (result.code, "are not those of the lake's own checkpoint" in " ".join(result.out.split())) == (4, True)
    result = run("evidence", hand_at(room, "T1"), "--lake", str(room / "lake"), "-o", str(room / "x.hlev"))
    assert (result.code, (room / "x.hlev").exists()) == (4, False)
    result = run("seal", "--lake", str(room / "lake"), "--key", str(room / "seal.pem"), "--name", "room.example")
    assert (result.code, "other content" in result.err) == (4, True)


def test_a_signed_lake_that_lacks_a_log_names_the_way_of_its_kind(room: Path, run: Run) -> None:
    seal(room, run)
    lake_manifest = layout.read_manifest(room / "lake")
    assert lake_manifest.straight is not None
    first = next(
        shard
        for shard in lake_manifest.shards
        if "408" in {row[3] for row in layout.read_rows(room / "lake" / shard.name)}
    )
    index = lake_manifest.shards.index(first)
    remaining_logs = [lake_manifest.straight.logs[0], lake_manifest.straight.logs[1 + index]]
    restated(room, shards=[first], straight=structs.replace(lake_manifest.straight, logs=remaining_logs))
    result = run("evidence", "408", "--lake", str(room / "lake"), "-o", str(room / "x.hlev"))
    assert (result.code, "but the lake has" in result.err) == (4, True)
    assert "import --to-shards" in result.err
    assert "handledger shard" not in result.err


def test_a_checkpoint_that_was_kept_elsewhere_is_compared(room: Path, run: Run) -> None:
    note = room / "kept.checkpoint"
    seal_words = ("seal", "--lake", str(room / "lake"), "--key", str(room / "seal.pem"), "-o", str(note))
    result = run(*seal_words)
    assert f"handledger verify {room / 'lake'} --against {note}" in result.out
    key = layout.read_manifest(room / "lake").key
    assert run("verify", str(room / "lake"), "--against", str(note), "--key", key).code == 0
    second_result = run(*seal_words[:-2], "--format", "json")
    assert second_result.document["new"] is False
    assert second_result.document["note"] == note.read_text()


def test_a_lake_in_a_folder_whose_name_is_no_utf_8_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "e.hand").write_text(EVENING)
    folder = os.fsdecode(bytes(tmp_path) + b"/\xff")
    result = run("import", "--to-shards", folder, str(tmp_path / "e.hand"), "--people-key", str(tmp_path / "k"))
    assert (result.code, "isn't UTF-8" in result.err) == (2, True)


def test_what_cannot_be_signed_is_said(room: Path, run: Run, tmp_path: Path) -> None:
    with open_ledger(tmp_path / "x.ledger") as ledger:
        (tmp_path / "e.hand").write_text(EVENING)
        import_paths(ledger, [tmp_path / "e.hand"])
    laid(tmp_path / "x.ledger", tmp_path / "of-ledger")
    key = ("--key", str(room / "seal.pem"))
    result = run("seal", "--lake", str(tmp_path / "of-ledger"), *key)
    assert (result.code, "was written from a ledger" in result.err) == (2, True)
    assert run("seal", "--lake", str(tmp_path), *key).code == 2
    assert run("seal", "--lake", str(room / "lake"), "--every", "5", *key).code == 2
    assert run("seal", "--lake", str(room / "lake"), "--ledger", "y.ledger", *key).code == 2
    lake_manifest = layout.read_manifest(room / "lake")
    shard = room / "lake" / lake_manifest.shards[0].name
    data = shard.read_bytes()
    shard.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    result = run("seal", "--lake", str(room / "lake"), *key)
    assert (result.code, lake_manifest.shards[0].name in result.err) == (4, True)
    shard.write_bytes(data)
    assert lake_manifest.straight is not None
    wrong = [*lake_manifest.straight.logs[:-1], structs.replace(lake_manifest.straight.logs[-1], root="0" * 64)]
    restated(room, straight=structs.replace(lake_manifest.straight, logs=wrong))
    result = run("seal", "--lake", str(room / "lake"), *key)
    assert (result.code, "Nothing was signed" in result.err) == (4, True)
    assert not layout.read_manifest(room / "lake").checkpoint


def test_the_same_files_again_leave_the_signature(built_lake: Path, room: Path, run: Run) -> None:
    seal(room, run)
    data = (room / "lake" / layout.MANIFEST_FILE).read_bytes()
    files = sorted(built_lake.glob("T*.hand"))
    import_to_shards(
        files, room / "lake", imported_at=system_clock(), hands_per_shard=3, people_key=room / "people.key"
    )
    assert (room / "lake" / layout.MANIFEST_FILE).read_bytes() == data


@pytest.mark.slow
def test_a_case_cites_hands_of_several_of_its_logs(room: Path, run: Run) -> None:
    own_ledger, lake = ("--ledger", str(room / "own.ledger")), ("--lake", str(room / "lake"))
    ids = [hand_at(room, table) for table in ("T1", "T2", "T3")]
    with open_ledger(room / "own.ledger"):
        pass
    open_words = ("case", "open", *ids[:2], *lake, *own_ledger, "--claim", "the same hand twice?", "--by", "auditor")
    result = run(*open_words)
    assert (result.code, "nobody signed this lake" in result.err) == (2, True)
    seal(room, run)
    result = run(*open_words, "--format", "json")
    assert result.code == 0
    number = result.document["number"]
    assert run("case", "link", number, "408", *lake, *own_ledger).code == 2
    assert run("case", "link", number, ids[2], *lake, *own_ledger).code == 0
    result_shown = run("case", "show", number, *lake, *own_ledger)
    assert " ".join(result_shown.out.split()).count("The lake has the same bytes") == 3
    out = ("--out", str(room / "found"), "-r", "hilton", "--format", "json")
    findings = [
        finding
        for finding in run("lake", "audit", lake[1], *out).document["findings"]
        if finding["hand"]["number"] == "408"
    ]
    assert {finding["hand"]["table"] for finding in findings} == {"T1", "T2", "T3"}
    for finding in findings[:3]:
        result = run("case", "cite", number, finding["fingerprint"][:10], "-r", "hilton", *lake, *own_ledger)
        assert (result.code, result.err) == (0, "")
    assert run("case", "cite", number, "0" * 10, "-r", "hilton", *lake, *own_ledger).code == 2
