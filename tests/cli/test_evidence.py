"""Evidence from the command line: given out, checked, refused, and written into the house's record."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from ledger.case.events import (
    CaseClosed,
    CaseLinked,
    CaseOpened,
    CaseReopened,
    FindingCited,
    PaymentOrdered,
    RulingMade,
    StatementTaken,
)
from ledger.evidence.bundle import pack_members
from ledger.formats.handscript import read_with_comments
from ledger.house.events import EvidenceIssued
from ledger.people import People
from ledger.store import open as open_ledger
from ledger.streams import HOUSE, case_stream
from tests.cli.conftest import Run, sealed


@pytest.fixture
def room(run: Run, sampled: Path, tmp_path: Path) -> tuple[str, str]:
    """The address of a sealed ledger with the sample evenings, and its public key."""
    book = str(shutil.copy(sampled, tmp_path))
    return book, sealed(run, book, tmp_path / "k")


def test_a_hand_with_its_findings_is_checked_by_a_stranger(run: Run, room: tuple[str, str], tmp_path: Path) -> None:
    book, key = room
    path = tmp_path / "out" / "hand.hlev"
    path.parent.mkdir()
    result = run(
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
    assert result.code == 0
    assert path.stat().st_size < 20_000
    verdict = run("verify", str(path), "--key", key)
    assert verdict.code == 0
    assert "confirmed by judging it again" in verdict.out
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


def test_other_findings_than_the_books_give_are_refused(run: Run, room: tuple[str, str], tmp_path: Path) -> None:
    book, key = room
    path = tmp_path / "hand.hlev"
    run("evidence", "715", "-o", str(path), "-r", "bicycle", "--ledger", book)
    with zipfile.ZipFile(path) as file:
        files = {name: file.read(name) for name in file.namelist()}
    findings = json.loads(files["findings.json"])
    findings["findings"].append({"book": "bicycle", "clause": "p20", "version": 3, "fingerprint": "0" * 16})
    files["findings.json"] = json.dumps(findings).encode()
    index = json.loads(files["bundle.json"])
    index["files"]["findings.json"] = sha256(files["findings.json"]).hexdigest()
    files["bundle.json"] = json.dumps(index).encode()
    path.write_bytes(pack_members(files))
    result = run("verify", str(path), "--key", key)
    assert result.code == 4
    assert "NOT VERIFIED (findings)" in result.out


def test_evidence_for_the_public_holds_no_name_and_no_unseen_card(
    run: Run, room: tuple[str, str], tmp_path: Path
) -> None:
    book, key = room
    path = tmp_path / "hand.hlev"
    assert run("evidence", "705", "-o", str(path), "--as", "public", "--ledger", book).code == 0
    data = path.read_bytes()
    # three letters alone stand in the random bytes of some run
    for name in (b"Ines", b'"Kim"', b"Kim ", b"Kim:", b"Nell", b"Riverside Cardroom.hand"):
        assert name not in data
    assert run("verify", str(path), "--key", key).code == 0
    refused = run("evidence", "260511000008", "-o", str(path), "--as", "public", "--ledger", book)
    assert refused.code == 2
    assert "in the clear" in refused.err


@pytest.fixture
def case(run: Run, sampled: Path, tmp_path: Path) -> tuple[str, str, str]:
    """A sealed ledger with a case over a hand: its address, its public key, the hand's id."""
    book = str(shutil.copy(sampled, tmp_path))
    with open_ledger(book) as opened:
        hand = next(row.stream.hex for row in opened.hands(number="715"))
        people, stream = opened.people, case_stream("IN2026-1")
        claim = people.text("=cmd| I posted\x1b[2J already")
        mo = people.player("Riverside Cardroom", "Mo")
        opened.append(
            "case",
            stream,
            [
                CaseOpened("IN2026-1", "blinds", "player", mo, "Riverside Cardroom", "T3", claim, 500, "USD"),
                CaseLinked(hand),
                CaseLinked(hand, 3, 9),
            ],
        )
        opened.append(
            "case",
            stream,
            [
                StatementTaken("dealer", words=people.text("He did not.")),
                FindingCited("a" * 16, "B15a.1", "hilton"),
                RulingMade("floor", decision=people.text("The post stands."), clause="B15a.1", book="hilton"),
                PaymentOrdered(500, "USD", seat=3),
                CaseClosed("upheld"),
            ],
        )
    return book, sealed(run, book, tmp_path / "k"), hand


def test_a_case_is_checked_by_a_stranger_and_leads_to_its_hands(
    run: Run, case: tuple[str, str, str], tmp_path: Path
) -> None:
    book, key, hand = case
    path = tmp_path / "case.hlev"
    result = run("evidence", "case:IN2026-1", "-o", str(path), "--verifier", "--ledger", book)
    assert (result.code, result.err) == (0, "")
    assert "handledger evidence T3/715 -o FILE" in result.out
    verdict = run("verify", str(path), "--key", key)
    assert verdict.code == 0
    assert "8 events of one case are in the log" in verdict.out
    assert "chips" not in verdict.out
    single = subprocess.run(
        [sys.executable, "-I", str(path.with_name("verify_hlev.py")), str(path), "--key", key],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (single.returncode, single.stderr) == (0, "")
    assert "VERIFIED: 8 events of one case" in single.stdout
    assert "add up" not in single.stdout.replace("cannot be added up", "")
    with zipfile.ZipFile(path) as file:
        view = file.read("view/case.txt").decode()
    [(stream, _)] = read_with_comments(view, People(bytes(32)))
    assert (stream.kind, stream.name, len(stream.events)) == ("case", "IN2026-1", 8)
    assert "\x1b" not in view
    assert run("evidence", hand, "-o", str(tmp_path / "h.hlev"), "--ledger", book).code == 0
    document = run("evidence", "case:IN2026-1", "-o", str(path), "--ledger", book, "--format", "json")
    assert document.document["hands"] == [hand]


def test_a_case_with_an_event_left_out_or_altered_is_not_verified(
    run: Run, case: tuple[str, str, str], tmp_path: Path
) -> None:
    book, key, _ = case
    path = tmp_path / "case.hlev"
    run("evidence", "case:IN2026-1", "-o", str(path), "--ledger", book)
    with zipfile.ZipFile(path) as file:
        files = {name: file.read(name) for name in file.namelist()}
    shortened = {name: data for name, data in files.items() if not name.endswith("/0002")}
    index = json.loads(files["bundle.json"])
    shortened["bundle.json"] = json.dumps({**index, "entries": ["0001"]}).encode()
    bent = {**files, "entries/0002": files["entries/0002"].replace(b"upheld", b"denied")}
    cut = {**files, "bundle.json": json.dumps({**index, "entries": ["0002", "0001"]}).encode()}
    for members, holds in ((files, True), (bent, False), (cut, False), (shortened, True)):
        path.write_bytes(pack_members(members))
        result = run("verify", str(path), "--key", key)
        assert (result.code == 0) is holds, result.out
        if members is shortened:  # what came after its last event is never covered, and said so
            assert "3 events of one case" in result.out
            assert "what came after the last event here" in result.out


def test_a_case_may_be_given_to_whom_it_names_without_any_words(
    run: Run, case: tuple[str, str, str], tmp_path: Path
) -> None:
    book, key, _ = case
    path = tmp_path / "case.hlev"
    for audience in ("public", "Mo"):
        result = run("evidence", "case:IN2026-1", "-o", str(path), "--as", audience, "--ledger", book)
        assert (result.code, result.err) == (0, "")
        data = path.read_bytes()
        for words in (b"I posted", b"He did not", b"The post stands", b"Mo@"):
            assert words not in data
        assert run("verify", str(path), "--key", key).code == 0
    with open_ledger(book, read_only=True) as opened:
        issued = [event.audience for event in opened.events(HOUSE) if isinstance(event, EvidenceIssued)]
        assert issued == ["public", opened.people.player("Riverside Cardroom", "Mo")]
    result = run("evidence", "case:IN2026-1", "-o", str(path), "--as", "Nobody", "--ledger", book)
    assert result.code == 2
    assert "nobody is called 'Nobody' here" in result.err


def test_what_cannot_be_evidence_of_a_case_says_why(run: Run, case: tuple[str, str, str], tmp_path: Path) -> None:
    book, _, _ = case
    path = tmp_path / "no.hlev"
    for args, message in (
        (("case:IN2026-1", "-r", "hilton"), "handledger evidence T3/715 -r BOOK"),
        (("case:IN2026",), "no case 'IN2026' in this ledger"),
        (("case:",), "no case '' in this ledger"),
    ):
        result = run("evidence", *args, "-o", str(path), "--ledger", book)
        assert result.code == 2
        assert message in result.err
    with open_ledger(book) as opened:
        opened.append("case", case_stream("IN2026-1"), [CaseReopened()])
    result = run("evidence", "case:IN2026-1", "-o", str(path), "--ledger", book)
    assert (result.code, "Seal the ledger first" in result.err) == (2, True)
    assert not path.exists()


def test_findings_that_need_earlier_hands_are_named_as_left_out(
    run: Run, room: tuple[str, str], tmp_path: Path
) -> None:
    (book, _), path = room, tmp_path / "hand.hlev"
    written = run("evidence", "T3/712", "-o", str(path), "-r", "hilton", "--ledger", book)
    assert written.code == 0
    assert "Left out: 1 finding that needs earlier hands (hilton B15a.1)." in written.out
    verdict = run("verify", str(path))
    assert "0 findings from this hand alone, confirmed by judging it again" in verdict.out
    assert "findings that need earlier hands aren't in the file" in " ".join(verdict.out.split())
    document = run("evidence", "T3/712", "-o", str(path), "-r", "hilton", "--ledger", book, "--format", "json").document
    assert document["left_out"] == ["hilton B15a.1"]
    alone = run("evidence", "T3/712", "-o", str(path), "--ledger", book)
    assert "Left out" not in alone.out
    refused = run("evidence", "T3/712", "-o", str(path), "--checkpoint", "5", "--ledger", book)
    assert (refused.code, "no checkpoint of 5 commits\n  There is one of " in refused.err) == (2, True)
