"""A case about a hand that lies in a lake of another ledger: what an investigator does, from the shards to the verdict."""

from __future__ import annotations

import json
import shutil
import zipfile
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from ledger.case.events import CaseLinked, CaseOpened, FindingCited
from ledger.case.fold import fold_case
from ledger.case.rules import add_events
from ledger.errors import CaseError
from ledger.intake import import_paths
from ledger.lake import atomic_files, layout
from ledger.lake.layout import ParquetSheet
from ledger.seal import keys
from ledger.seal.note import HeldKey
from ledger.store import open as open_ledger
from ledger.store.seals import sealer
from ledger.streams import case_stream
from tests.cli.conftest import Run
from tests.cli.test_case import SAMPLE
from tests.intake.hands import hands
from tests.projections.bulk.lakes import adopt, laid
from tests.web.serving import serving


@pytest.fixture(scope="module")
def sealed_room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a sealed ledger of an evening, the lake of it, and the ledger of somebody who looks into it."""
    folder = tmp_path_factory.mktemp("made")
    with open_ledger(folder / "house.ledger") as ledger:
        import_paths(ledger, [SAMPLE])
    adopt(folder / "house.ledger", "hilton")
    with open_ledger(folder / "house.ledger") as ledger:
        signer = HeldKey(sealer.origin(ledger), keys.create_key(folder / "room.key"))
        sealer.seal(ledger, signer, keys.SignatureMemory(folder / "room.key"))
    laid(folder / "house.ledger", folder / "lake")
    (folder / "key").write_text(str(signer.key))
    (folder / "own.phhs").write_text(hands(1, 2))
    with open_ledger(folder / "own.ledger") as ledger:
        import_paths(ledger, [folder / "own.phhs"])
    return folder


@pytest.fixture
def room(sealed_room: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sealed_room, tmp_path / "room"))


def opened(run: Run, room: Path, *more: str) -> str:
    result = run(
        *(
            "case",
            "open",
            "408@17-20",
            "--lake",
            str(room / "lake"),
            "--claim",
            "a straddle too many",
            "--by",
            "auditor",
        ),
        *("--ledger", str(room / "own.ledger"), "--format", "json", *more),
    )
    assert result.code == 0, result.out + result.err
    return str(result.document["number"])


def straddle(run: Run, room: Path) -> str:
    """Judge the lake; return the fingerprint of what is wrong in hand 408."""
    out = ("--out", str(room / "found"))
    result = run("lake", "audit", str(room / "lake"), *out, "-r", "hilton", "--format", "json")
    assert result.code == 1
    fingerprints = [
        finding["fingerprint"]
        for finding in result.document["findings"]
        if finding["hand"]["number"] == "408" and finding["clause"].startswith("B8a")
    ]
    return str(fingerprints[0])


def test_the_whole_walk_of_an_investigator(room: Path, run: Run) -> None:
    own_ledger, lake = ("--ledger", str(room / "own.ledger")), ("--lake", str(room / "lake"))
    fingerprint = straddle(run, room)
    pytest.importorskip("duckdb")
    assert "408" in run("lake", "log", str(room / "found"), "--where", "clause:hilton.B8a*").out
    number = opened(run, room)
    result = run("case", "cite", number, fingerprint[:8], "-r", "hilton", *lake, *own_ledger)
    assert (result.code, result.err) == (0, "")
    shutil.move(room / "lake", room / "away")  # the case tells where the hand lies, whatever became of the lake
    result_shown = run("case", "show", number, *own_ledger)
    (room / "house.id").write_text(layout.read_manifest(room / "away").ledger)
    for words in (
        "hand   408",
        "table T7",
        "not in this ledger",
        (room / "house.id").read_text(),
        "B8a",
        "--lake LAKE",
    ):
        assert words in result_shown.out
    document = run("case", "show", number, *own_ledger, "--format", "json").document
    (hand,) = document["hands"]
    assert (hand["number"], hand["elsewhere"]["number"], hand["spans"]) == ("", "408", [[17, 20]])
    assert hand["elsewhere"]["now"] == ""
    assert document["cited"][0]["hand"] == hand["id"]
    shutil.move(room / "away", room / "lake")
    result_shown = run("case", "show", number, *lake, *own_ledger)
    assert "the lake has the same bytes" in " ".join(result_shown.out.split()).lower()
    path = room / "hand.hlev"
    assert run("evidence", hand["id"], *lake, "-r", "hilton", "-o", str(path)).code == 0
    assert run("verify", str(path), "--key", (room / "key").read_text()).code == 0
    with zipfile.ZipFile(path) as file:  # and the evidence is of the very hand that the case keeps
        assert sha256(b"\0" + file.read("entries/0001")).hexdigest() == hand["elsewhere"]["root"]
        index = json.loads(file.read("bundle.json"))
    assert (index["ledger"], index["stream"]) == (hand["elsewhere"]["ledger"], hand["id"])
    with open_ledger(room / "own.ledger", read_only=True) as ledger:
        assert ledger.verify() == []


def test_without_a_rulebook_a_finding_is_under_the_books_of_the_lakes_house(room: Path, run: Run) -> None:
    number = opened(run, room)
    own_ledger, lake = ("--ledger", str(room / "own.ledger")), ("--lake", str(room / "lake"))
    result = run("case", "cite", number, straddle(run, room), *lake, *own_ledger)
    assert (result.code, result.err) == (0, "")
    second_result = run("case", "cite", number, straddle(run, room), *lake, *own_ledger)
    assert (second_result.code, "cited already" in second_result.err) == (2, True)


def test_the_record_keeps_what_identifies_the_hand(room: Path, run: Run) -> None:
    number = opened(run, room)
    with open_ledger(room / "own.ledger", read_only=True) as ledger:
        (link,) = [event for event in ledger.events(case_stream(number)) if isinstance(event, CaseLinked)]
        opening = next(event for event in ledger.events(case_stream(number)) if isinstance(event, CaseOpened))
    with open_ledger(room / "house.ledger", read_only=True) as house:
        row = next(house.hands(number="408"))
        assert (link.ledger, link.hand, link.number) == (house.id, row.stream.hex, "408")
        assert (link.venue, link.tournament, link.table, link.started) == (*row[1:4], row.started)
        assert link.position == house.stream(row.stream)[-1].position
        assert (opening.venue, opening.table, opening.occurred) == (row.venue, row.table, row.started)


def test_a_case_takes_hands_of_its_ledger_and_of_lakes_and_its_evidence_says_so(room: Path, run: Run) -> None:
    own_ledger = ("--ledger", str(room / "own.ledger"))
    number = opened(run, room)
    assert run("case", "link", number, "1", *own_ledger).code == 0
    assert run("case", "link", number, "409", "--lake", str(room / "lake"), *own_ledger).code == 0
    result = run("case", "link", number, "409", "--lake", str(room / "lake"), *own_ledger)
    assert (result.code, "already" in result.err) == (2, True)
    output = run("case", "list", *own_ledger).out
    assert "408" in output
    assert "409" in output
    with open_ledger(room / "own.ledger") as ledger:
        signer = HeldKey(sealer.origin(ledger), keys.create_key(room / "own.key"))
        sealer.seal(ledger, signer, keys.SignatureMemory(room / "own.key"))
    result = run("evidence", f"case:{number}", "-o", str(room / "case.hlev"), *own_ledger)
    assert result.code == 0
    assert result.out.count("--lake LAKE") == 2
    assert run("verify", str(room / "case.hlev"), "--key", str(signer.key)).code == 0


def test_pages_tell_of_the_hand_without_a_link_to_a_page_that_is_not_there(room: Path, run: Run) -> None:
    number = opened(run, room)
    with open_ledger(room / "own.ledger", read_only=True) as ledger, serving(ledger) as served:
        status, text, _ = served.ask(f"/case?number={number}")
        assert status == 200
        assert "not in this ledger, but at position" in text
        assert 'href="/hand?' not in text
        status, text, _ = served.ask("/cases")
        assert (status, "hand 408, which is not here" in text) == (200, True)


def test_what_a_lake_cannot_give_a_case_is_refused(room: Path, run: Run) -> None:
    own_ledger, lake = ("--ledger", str(room / "own.ledger")), ("--lake", str(room / "lake"))
    claim = ("--claim", "x", "--by", "auditor")
    for words, message in (
        (("case", "open", "999", *lake, *claim), "no hand '999' in this lake"),
        (("case", "open", "408@900-901", *lake, *claim), "isn't a span of hand"),
        (("case", "open", "408", "--lake", str(room), *claim), "there is no lake"),
        (("case", "open", "408", *lake, *claim, "--hold"), "Hold them there"),
        (("case", "open", "408", *lake, *claim, "--amount", "15"), "no hand shows what a chip is worth"),
        (("case", "open", "408", *claim), "no hand '408' in this ledger"),
    ):
        result = run(*words, *own_ledger)
        assert (result.code, message in result.err) == (2, True), result.err
    result = run("case", "open", "408", *lake, *claim, "--ledger", str(room / "house.ledger"))
    assert (result.code, "written from this ledger" in result.err) == (2, True)
    number = opened(run, room)
    for fingerprint in ("0" * 16, "xyz", "12"):
        assert run("case", "cite", number, fingerprint, "-r", "hilton", *lake, *own_ledger).code == 2
    assert run("case", "open", "1", *claim, "--number", "Own", *own_ledger).code == 0
    result = run("case", "cite", "Own", straddle(run, room), "-r", "hilton", *lake, *own_ledger)
    assert (result.code, "concerns no hand of this lake" in result.err) == (2, True)


def test_other_bytes_under_the_same_id_are_said(room: Path, run: Run) -> None:
    own_ledger, lake = ("--ledger", str(room / "own.ledger")), ("--lake", str(room / "lake"))
    number, fingerprint = opened(run, room), straddle(run, room)
    lake_manifest = layout.read_manifest(room / "lake")
    shard = room / "lake" / lake_manifest.shards[0].name
    rows = list(layout.read_rows(shard))
    with atomic_files.open_replacement(shard) as draft:  # somebody changes when a hand was recorded, receipts and all
        sheet = ParquetSheet(draft, layout.SHARD_COLUMNS)
        for row in rows:
            sheet.add_row((*row[:16], row[16] + 1, *row[17:]))
        sheet.close()
    receipt = msgspec.structs.replace(
        lake_manifest.shards[0], sha256=atomic_files.hash_file(shard), bytes=shard.stat().st_size
    )
    changed = msgspec.structs.replace(lake_manifest, shards=[receipt, *lake_manifest.shards[1:]])
    atomic_files.write_file(room / "lake" / layout.MANIFEST_FILE, msgspec.json.encode(changed))
    assert "THE LAKE HAS OTHER BYTES" in " ".join(run("case", "show", number, *lake, *own_ledger).out.split())
    result = run("case", "cite", number, fingerprint, "-r", "hilton", *lake, *own_ledger)
    assert (result.code, "its bytes are different" in result.err) == (2, True)
    assert run("evidence", "408", *lake, "-o", str(room / "e.hlev")).code == 4


def test_an_event_of_an_older_program_reads_as_before() -> None:
    old = fold_case([CaseOpened("1", "blinds", "player"), CaseLinked("0a" * 16)])
    assert (list(old.hands), old.foreign_hands) == (["0a" * 16], {})
    with pytest.raises(CaseError, match="a hand of another ledger needs"):
        add_events([CaseOpened("1", "blinds", "player")], [CaseLinked("0a" * 16, ledger="0b" * 16)])
    assert FindingCited("0a", "B8a.1", "hilton").hand == ""
