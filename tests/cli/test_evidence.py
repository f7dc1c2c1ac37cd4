"""Evidence from the command line: given out, checked, refused, and written into the house's record."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from ledger.evidence.bundle import packed
from ledger.house.events import EvidenceIssued
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from tests.cli.conftest import Run

SAMPLES = Path(__file__).resolve().parent.parent.parent / "cli" / "samples"


@pytest.fixture
def room(run: Run, tmp_path: Path) -> tuple[str, str]:
    """The address of a sealed ledger with the sample evenings, and its public key."""
    book = str(tmp_path / "x.ledger")
    assert run("import", str(SAMPLES), "--ledger", book).code == 0
    found = run(
        "seal",
        "--new-key",
        "--key",
        str(tmp_path / "k"),
        "--name",
        "room.example",
        "--ledger",
        book,
        "--format",
        "json",
    )
    return book, found.document["key"]


def test_a_hand_with_its_findings_is_checked_by_a_stranger(
    run: Run, room: tuple[str, str], tmp_path: Path
) -> None:
    book, key = room
    path = tmp_path / "out" / "hand.hlev"
    path.parent.mkdir()
    found = run(
        "evidence",
        "715",
        "-o",
        str(path),
        "-r",
        "house-burn",
        "-r",
        "bicycle",
        "--verifier",
        "--purpose",
        "a dispute",
        "--ledger",
        book,
    )
    assert found.code == 0
    assert path.stat().st_size < 20_000
    told = run("verify", str(path), "--key", key)
    assert told.code == 0
    assert "found again here" in told.out
    single = subprocess.run(
        [sys.executable, "-I", str(path.with_name("verify_hlev.py")), str(path), "--key", key],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (single.returncode, single.stderr) == (0, "")
    with open_ledger(book, read_only=True) as opened:
        issued = [event for event in opened.events(HOUSE) if isinstance(event, EvidenceIssued)]
        assert [event.audience for event in issued] == ["house"]
        assert opened.people.words(issued[0].purpose) == "a dispute"
        assert opened.verify() == []


def test_other_findings_than_the_books_give_are_refused(
    run: Run, room: tuple[str, str], tmp_path: Path
) -> None:
    book, key = room
    path = tmp_path / "hand.hlev"
    run("evidence", "715", "-o", str(path), "-r", "bicycle", "--ledger", book)
    with zipfile.ZipFile(path) as file:
        files = {name: file.read(name) for name in file.namelist()}
    findings = json.loads(files["findings.json"])
    findings["findings"].append(
        {"book": "bicycle", "clause": "p20", "version": 3, "fingerprint": "0" * 16}
    )
    files["findings.json"] = json.dumps(findings).encode()
    index = json.loads(files["bundle.json"])
    index["files"]["findings.json"] = sha256(files["findings.json"]).hexdigest()
    files["bundle.json"] = json.dumps(index).encode()
    path.write_bytes(packed(files))
    found = run("verify", str(path), "--key", key)
    assert found.code == 4
    assert "NOT VERIFIED (findings)" in found.out


def test_evidence_for_the_public_holds_no_name_and_no_unseen_card(
    run: Run, room: tuple[str, str], tmp_path: Path
) -> None:
    book, key = room
    path = tmp_path / "hand.hlev"
    assert run("evidence", "705", "-o", str(path), "--as", "public", "--ledger", book).code == 0
    data = path.read_bytes()
    for name in (b"Ines", b"Kim", b"Nell", b"Riverside Cardroom.hand"):
        assert name not in data
    assert run("verify", str(path), "--key", key).code == 0
    refused = run("evidence", "260511000008", "-o", str(path), "--as", "public", "--ledger", book)
    assert refused.code == 2
    assert "in the clear" in refused.err
