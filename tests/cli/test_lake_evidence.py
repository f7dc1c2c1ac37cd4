"""Evidence leaves a lake with the proofs that its ledger would give, or it is said why not."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import msgspec
import pytest

from ledger.hand.opening import SeatDealtIn
from ledger.house.events import EvidenceIssued
from ledger.intake import import_paths
from ledger.lake import atomic_files, layout
from ledger.lake.hands import open_hands
from ledger.lake.lake_proof import find_signed_log
from ledger.seal import keys
from ledger.seal.note import HeldKey
from ledger.store import open as open_ledger
from ledger.store.seals import sealer
from ledger.streams import HOUSE
from projections.shards.lake_builder import build_lake
from tests.cli.conftest import Run
from tests.intake.hands import hands
from tests.projections.bulk.lakes import laid, ledger_of_everything


@pytest.fixture(scope="module")
def sealed_room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a sealed ledger of hands of every kind, a lake of it, and its public key."""
    folder = tmp_path_factory.mktemp("made")
    path = ledger_of_everything(folder)
    with open_ledger(path) as ledger:
        for row in list(ledger.hands(venue="Evening", table="4"))[:1]:
            sealer.seal_hand(ledger, row.stream)  # one whose commits the last proves
        signer = HeldKey(sealer.origin(ledger), keys.create_key(folder / "room.key"))
        sealer.seal(ledger, signer, keys.SignatureMemory(folder / "room.key"))
    laid(path, folder / "lake")
    (folder / "key").write_text(str(signer.key))
    return folder


@pytest.fixture
def room(sealed_room: Path, tmp_path: Path) -> Path:
    """The same, to be changed."""
    return Path(shutil.copytree(sealed_room, tmp_path / "room"))


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


@pytest.mark.slow
def test_of_every_hand_the_lake_gives_to_the_byte_what_the_ledger_gives_the_public(room: Path, run: Run) -> None:
    book, ledger_bundle, lake_bundle = str(room / "x.ledger"), room / "ours.hlev", room / "theirs.hlev"
    with open_ledger(book, read_only=True) as ledger:
        rows = list(ledger.hands())
    assert len(rows) > 20
    bundle_count = 0
    for row in rows[::3] + [hand_row for hand_row in rows if hand_row.accounts > 1 or hand_row.table == "4"]:
        evidence_words = ("evidence", row.stream.hex, "--as", "public", "-r", "hilton")
        direct = run(*evidence_words, "-o", str(ledger_bundle), "--ledger", book)
        result = run(*evidence_words, "-o", str(lake_bundle), "--lake", str(room / "lake"))
        assert (result.code, result.err) == (direct.code, direct.err)
        if not result.code:
            bundle_count += 1
            assert lake_bundle.read_bytes() == ledger_bundle.read_bytes()
    assert bundle_count > 3


@pytest.mark.slow
def test_what_the_house_gets_out_of_a_lake_is_proved_alike_and_lacks_names(room: Path, run: Run) -> None:
    book, ledger_bundle, lake_bundle = str(room / "x.ledger"), room / "ours.hlev", room / "theirs.hlev"
    with open_ledger(book, read_only=True) as ledger:
        several = [row for row in ledger.hands() if len(ledger.stream(row.stream)) > 1]
        rows = [*several, *list(ledger.hands())[::9]]
    assert several
    for row in rows:
        evidence_words = ("evidence", row.stream.hex, "-r", "rrop4", "-r", "hilton")
        assert run(*evidence_words, "-o", str(ledger_bundle), "--ledger", book).code == 0
        result = run(*evidence_words, "-o", str(lake_bundle), "--lake", str(room / "lake"))
        assert (result.code, result.err) == (0, "")
        direct, lake = members(ledger_bundle), members(lake_bundle)
        assert set(direct) == set(lake)
        differ = {name for name in direct if direct[name] != lake[name]}
        assert differ == {"bundle.json", "view/hand.txt"}  # its index has the digest of the words without names
        assert b"@" in lake["view/hand.txt"]
        verdict = run("verify", str(lake_bundle), "--key", (room / "key").read_text())
        assert verdict.code == 0
    assert "A lake has no names of people" in result.out
    assert "A lake has no time stamps" in result.out


def test_a_stranger_checks_it_with_the_single_file(room: Path, run: Run) -> None:
    path = room / "hand.hlev"
    with open_ledger(room / "x.ledger", read_only=True) as ledger:
        number = next(ledger.hands(venue="Evening", table="4")).stream.hex
    assert run("evidence", number, "--lake", str(room / "lake"), "-o", str(path), "--verifier").code == 0
    single = subprocess.run(
        [sys.executable, "-I", str(room / "verify_hlev.py"), str(path), "--key", (room / "key").read_text()],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (single.returncode, single.stderr) == (0, "")
    assert single.stdout.startswith("VERIFIED")


def test_who_gets_it_is_recorded_in_the_ledger_that_is_named(room: Path, run: Run) -> None:
    book = str(room / "x.ledger")
    evidence_words = ("evidence", "715", "--lake", str(room / "lake"), "-o", str(room / "hand.hlev"))
    result = run(*evidence_words)
    assert result.code == 0
    assert "Nobody recorded who gets this file" in result.out
    result = run(*evidence_words, "--format", "json")
    assert result.document["recorded"] is False
    assert run(*evidence_words, "--purpose", "a dispute").code == 2
    result = run(*evidence_words, "--purpose", "a dispute", "--ledger", book, "--format", "json")
    assert result.document["recorded"] is True
    with open_ledger(book, read_only=True) as ledger:
        (issued,) = [event for event in ledger.events(HOUSE) if isinstance(event, EvidenceIssued)]
        assert (issued.digest, issued.audience) == (result.document["sha256"], "house")
        assert ledger.people.words(issued.purpose) == "a dispute"
        assert ledger.verify() == []
    manifest_before = msgspec.to_builtins(layout.read_manifest(room / "lake"))
    assert manifest_before == msgspec.to_builtins(layout.read_manifest(room / "lake"))


def test_a_player_is_named_by_the_id_and_gets_only_what_they_saw(room: Path, run: Run) -> None:
    with open_ledger(room / "x.ledger", read_only=True) as ledger:
        row = next(ledger.hands(number="260511000008"))
        players = [event.player for event in ledger.events(row.stream) if isinstance(event, SeatDealtIn)]
        names = [ledger.people.name(player) for player in players]
    evidence_words = ("evidence", row.stream.hex, "--lake", str(room / "lake"), "-o", str(room / "hand.hlev"))
    result = run(*evidence_words, "--as", str(names[0]))
    assert (result.code, "nobody is called" in result.err) == (2, True)
    codes = {run(*evidence_words, "--as", player).code for player in players}
    assert codes == {0, 2}
    result = run(*evidence_words, "--as", "public")
    assert (result.code, "in the clear" in result.err) == (2, True)


@pytest.mark.parametrize("address", ["nothing", "T1#1", "night.phhs:1", "", "\udcff", "715~7", "%", "219/2"])
def test_a_hand_that_is_not_there_is_said(room: Path, run: Run, address: str) -> None:
    result = run("evidence", address, "--lake", str(room / "lake"), "-o", str(room / "hand.hlev"))
    assert result.code == 2
    assert "in this lake" in result.err
    assert not (room / "hand.hlev").exists()


def test_an_address_means_what_it_means_to_the_ledger(room: Path, run: Run) -> None:
    book, path = str(room / "x.ledger"), str(room / "hand.hlev")
    with open_ledger(book, read_only=True) as ledger:
        told_twice = next(row for row in ledger.hands() if row.accounts > 1)
        used_often = max({row.number for row in ledger.hands()}, key=lambda n: sum(1 for _ in ledger.hands(number=n)))
        number = next(row.number for row in ledger.hands() if len(row.number) > 8)
    several = 0
    for address in (used_often, f"{told_twice.number}~2", number[:-1], number[:9], f"{number}@3", number, "26051100"):
        direct = run("evidence", address, "-o", path, "--ledger", book, "--format", "json")
        result = run("evidence", address, "-o", path, "--lake", str(room / "lake"), "--format", "json")
        assert result.code == direct.code
        several += "matches" in result.err + result.out
        assert ("matches" in direct.err + direct.out) == ("matches" in result.err + result.out)
    assert several


def test_a_lake_that_nobody_signed_proves_nothing(room: Path, run: Run) -> None:
    (room / "own.phhs").write_text(hands(1, 2))
    assert run("import", str(room / "own.phhs"), "--to-shards", str(room / "straight")).code == 0
    result = run("evidence", "1", "--lake", str(room / "straight"), "-o", str(room / "hand.hlev"))
    assert (result.code, "nobody signed this lake" in result.err) == (2, True)
    case = ("case", "open", "1", "--lake", str(room / "straight"), "--claim", "x", "--by", "auditor")
    result = run(*case, "--ledger", str(room / "x.ledger"))
    assert (result.code, "nobody signed this lake" in result.err) == (2, True)


def restated(lake: Path, **changes: object) -> None:
    atomic_files.write_file(
        lake / layout.MANIFEST_FILE, msgspec.json.encode(msgspec.structs.replace(layout.read_manifest(lake), **changes))
    )


def test_what_was_not_signed_is_not_proved(room: Path, run: Run) -> None:
    book, lake, path = room / "x.ledger", room / "lake", room / "hand.hlev"
    (room / "more.phhs").write_text(hands(77, 78, table="Late"))
    with open_ledger(book) as ledger:
        position_before = ledger.head()[0]
        import_paths(ledger, [room / "more.phhs"])
        build_lake(ledger, lake, day_start="06:00", hands_per_shard=40)
    result = run("evidence", "77", "--lake", str(lake), "-o", str(path))
    assert (result.code, "newer than the lake's checkpoint" in result.err) == (2, True)
    result = run("evidence", "715", "--lake", str(lake), "-o", str(path), "--checkpoint", "3")
    assert (result.code, "this lake has one checkpoint" in result.err) == (2, True)
    restated(lake, checkpoint="")
    result = run("evidence", "715", "--lake", str(lake), "-o", str(path))
    assert (result.code, "has no signed checkpoint" in result.err) == (2, True)
    assert run("evidence", "case:1", "--lake", str(lake), "-o", str(path)).code == 2
    assert not path.exists()
    with open_ledger(book) as ledger:  # the newest checkpoint is of more than a lake of then has
        signer = HeldKey(sealer.origin(ledger), keys.load_key(room / "room.key"))
        sealer.seal(ledger, signer, keys.SignatureMemory(room / "room.key"))
        ledger.upto = position_before
        lake_build = build_lake(ledger, room / "then", day_start="06:00", hands_per_shard=40)
    assert lake_build.checkpoint
    assert run("evidence", "715", "--lake", str(room / "then"), "-o", str(path)).code == 0
    assert run("verify", str(path), "--key", (room / "key").read_text()).code == 0


def test_a_damaged_file_is_named_and_nothing_proved(room: Path, run: Run) -> None:
    lake, path = room / "lake", room / "hand.hlev"
    for name in ("house.parquet", "leaves.parquet", "shards/00002.parquet", "sources.parquet"):
        data = (lake / name).read_bytes()
        (lake / name).write_bytes(data[:-9] + b"x" + data[-8:])
        result = run("evidence", "715", "--lake", str(lake), "-o", str(path))
        assert (result.code, f"{name}: its bytes are not" in result.err) == (4, True)
        (lake / name).unlink()
        assert run("evidence", "715", "--lake", str(lake), "-o", str(path)).code == 4
        (lake / name).write_bytes(data)
    assert not path.exists()


def test_a_lake_that_somebody_rewrote_does_not_come_to_its_checkpoint(room: Path, run: Run, tmp_path: Path) -> None:
    lake = room / "lake"
    lake_manifest = layout.read_manifest(lake)
    restated(lake, shards=lake_manifest.shards[1:])  # receipts and all
    with open_ledger(room / "x.ledger", read_only=True) as ledger:
        last = str(lake_manifest.shards[-1].last.table if lake_manifest.shards[-1].last else "")
        hand = next(ledger.hands(table=last)).stream.hex
    result = run("evidence", hand, "--lake", str(lake), "-o", str(tmp_path / "e.hlev"))
    assert (result.code, "but the lake has" in result.err) == (4, True)
    for other_file in (lake_manifest.house, lake_manifest.leaves):  # a file of another kind in a shard's place
        restated(lake, shards=[other_file, *lake_manifest.shards[1:]])
        assert run("evidence", hand, "--lake", str(lake), "-o", str(tmp_path / "e.hlev")).code == 4
    assert not (tmp_path / "e.hlev").exists()


def test_of_a_lake_only_the_hands_that_are_meant_are_lent(room: Path) -> None:
    lake = room / "lake"
    log = find_signed_log(layout.read_manifest(lake))
    with open_hands(lake, log, ["715"]) as part:
        assert {row.number for row in part.ledger.hands()} == {"715"}
        assert part.ledger.id == log.ledger
    with open_hands(lake, log, ["715"], tables=True) as part:
        assert len(list(part.ledger.hands())) > 5


def test_rows_are_read_by_their_numbers_wherever_groups_of_them_end(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    sheet = layout.ParquetSheet(path, layout.LEAF_COLUMNS, 7)
    for index in range(100):
        sheet.add_row((index, bytes([index])))
    sheet.close()
    for row_numbers in ([], [0], [6, 7, 8], [99], [0, 50, 99], list(range(100))):
        assert [row[0] for row in layout.read_rows_at(path, row_numbers, 5)] == row_numbers
