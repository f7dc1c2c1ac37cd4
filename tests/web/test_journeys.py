"""Five people, each with a minute's work: what they type and what they look at, on the demonstration's ledger.

A floor manager with the game stopped, a surveillance analyst, a compliance auditor, a player, and who runs it at night.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest

from cli.documents.published import find_schema
from tests.cli.conftest import Result
from tests.web.browser import chromium, needs_chromium, visited

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

Type = Callable[..., Result]


@pytest.fixture
def typed(tmp_path: Path, demo: Path) -> Type:
    """Type a command in a folder of one's own, with the demonstration's ledger and nothing else of the machine."""
    for name in ("demo.ledger", "people.key", "samples"):
        demo_file = demo / name
        (shutil.copytree if demo_file.is_dir() else shutil.copy)(demo_file, tmp_path / name)
    return lambda *args: _typed(tmp_path, *args)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of `handledger demo --keep`, with the key of its people."""
    folder = tmp_path_factory.mktemp("journeys")
    result = _typed(folder, "demo", "--keep", "kept")
    assert result.code == 0, result.err
    shutil.copy(folder / "people.key", folder / "kept")
    return folder / "kept"


def _typed(folder: Path, *args: str) -> Result:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(sys.path),
        "HANDLEDGER_URL": "demo.ledger",
        "HANDLEDGER_PEOPLE_KEY": str(folder / "people.key"),
    }
    result = subprocess.run(
        [sys.executable, "-m", "cli.main", *args],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in result.stderr
    return Result(result.returncode, result.stdout, result.stderr)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@needs_chromium
def test_a_floor_manager_stops_the_game(typed: Type, browser: Browser, tmp_path: Path) -> None:
    """Who owes what, may we still rule, what does the book say, what did we decide?"""
    screen = typed("floor", "T3", "-r", "rrop4")
    assert screen.code == 1, "something was found"
    assert len(screen.out.splitlines()) < 24
    assert "Hand 720 is finished and the next hasn't been dealt" in screen.out
    assert "Button seat 2 (Jo). Small blind $5 seat 3 (Kim), big blind $10 seat 4 (Lars)." in screen.out
    assert "✗ T3/719" in screen.out
    assert typed("report", "714", "-r", "rrop4", "-r", "bicycle", "-o", "714.html").code == 0
    page = visited(browser, (tmp_path / "714.html").as_uri())
    assert page.locator(".should").inner_text().startswith("Should have been: small blind at seat 1 (nobody")
    assert page.locator(".wide .ghost").count() == 2
    assert "7 hands were affected" in page.locator(".led").inner_text()
    assert page.locator("tfoot td").last.inner_text() == "$0"
    page.keyboard.press("r")
    assert page.locator(".wide .ghost").count() == 0, "the other book lets it pass"
    opened = typed(
        "case", "open", "714@11", "--number", "T3-714", "--claim", "seat 3 charged early", "--by", "floor", "--hold"
    )
    assert opened.code == 0, opened.err
    print_ = json.loads(typed("audit", "714", "-r", "rrop4", "--format", "json").out)["findings"][0]["fingerprint"]
    assert typed("case", "cite", "T3-714", print_, "-r", "rrop4").code == 0
    rule = ("case", "rule", "T3-714", "--decision", "seat 3 gets back $5", "--by", "floor", "-r", "rrop4")
    rule = (*rule, "--clause", "blinds.1b.1", "--pay", "3=5")
    assert typed(*rule).code == 2, "payments that do not add up are refused"
    assert typed(*rule, "--pay", "2=-5").code == 0
    assert "T3-714 (" in typed("floor", "T3", "-r", "rrop4").out
    assert typed("case", "close", "T3-714", "upheld").code == 0
    assert typed("report", "case:T3-714", "-r", "rrop4", "-o", "case.html").code == 0
    case_text = visited(browser, (tmp_path / "case.html").as_uri()).locator(".case").inner_text()
    assert "seat 3 Kim receives $5" in case_text
    assert "closed: upheld" in case_text


@needs_chromium
def test_a_surveillance_analyst_looks_for_the_moment(typed: Type, browser: Browser, tmp_path: Path) -> None:
    """Show me that moment in the bytes, everything like it, and how often it happens."""
    audit = typed("audit", "714", "-r", "rrop4")
    assert audit.code == 1
    line = next(line for line in audit.out.splitlines() if "3 posts big 10" in line)
    caret = audit.out.splitlines()[audit.out.splitlines().index(line) + 1]
    assert "^" * len("3 posts big 10") in caret
    place = re.search(r"(\S+riverside-limit-evening.hand):(\d+)  bytes (\d+)-(\d+)", audit.out)
    assert place is not None
    data = (tmp_path / "samples" / "riverside-limit-evening.hand").read_bytes()
    assert data[int(place[3]) : int(place[4])] == b"3 posts big 10"
    hands = json.loads(typed("log", "--where", "clause:rrop4.blinds.* table:T3", "--format", "json").out)["hands"]
    assert {row["number"] for row in hands} >= {"712", "714"}
    rates = json.loads(typed("rates", "-r", "rrop4", "--by", "table", "--format", "json").out)["rates"]
    assert all(row["hands"] for row in rates), "nobody is judged without the number of hands beside it"
    assert typed("report", "714", "-r", "rrop4", "-o", "714.html").code == 0
    page = visited(browser, f"{(tmp_path / '714.html').as_uri()}#e=11&cf")
    assert page.locator(".now").inner_text().startswith("11 of 21 · 2 Jo posts the small blind $5")
    page.locator(".source summary").click()
    assert page.locator(".source .current").inner_text() == "2 posts small 5"
    page.keyboard.press("ArrowRight")
    assert page.locator(".source .current").inner_text() == "3 posts big 10"
    assert page.evaluate("location.href").endswith("#e=12&cf")
    frames = typed("replay", "714@11").out
    assert frames.count("\n--- ") == 11
    assert "2 Jo (SB)" in frames
    output = typed("why", "714", "finding", "-r", "rrop4").out
    assert "blinds.1b.1" in output


def test_a_compliance_auditor_trusts_nobody(typed: Type, tmp_path: Path) -> None:
    """Is it whole and untouched, can I check it without you, and what can it not prove?"""
    assert typed("seal", "--new-key", "--name", "room.example", "-o", "tonight.checkpoint").code == 0
    key = re.search(r"room\.example\S*\+[0-9a-f]{8}\+\S+", typed("seal", "--format", "json").out.replace('"', " "))
    assert key is not None
    verdict = typed("verify", "--against", "tonight.checkpoint", "--key", key[0])
    assert verdict.code == 0, verdict.out
    assert "! not proved" in verdict.out, "it says what it cannot prove"
    evidence = typed("evidence", "714", "-o", "hand.hlev", "-r", "rrop4", "--verifier", "--purpose", "audit")
    assert evidence.code == 0, evidence.err
    assert typed("verify", "hand.hlev", "--key", key[0]).code == 0
    keyless = typed("verify", "hand.hlev").out
    assert "VERIFIED" not in keyless, "a key that lies inside proves nothing"
    alone = [sys.executable, "-I", "verify_hlev.py", "hand.hlev", "--key", key[0]]
    offline = subprocess.run(alone, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert offline.returncode == 0, offline.stdout + offline.stderr
    data = bytearray((tmp_path / "hand.hlev").read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "forged.hlev").write_bytes(data)
    assert typed("verify", "forged.hlev", "--key", key[0]).code == 4
    assert typed("report", "table:T3", "-r", "rrop4", "-o", "evening.html").code == 0
    page = (tmp_path / "evening.html").read_text(encoding="utf-8")
    assert "20 hands" in page
    head = json.loads(typed("report", "714", "--format", "json").out)["head"]
    assert head["origin"].startswith("room.example/")
    assert head["key"] == key[0]
    assert head["key"].replace("+", "&#43;") in page or head["key"] in page, "the page says by which key it was signed"
    csv = typed("audit", "-r", "rrop4", "--where", "table:T3", "--format", "csv")
    assert csv.out.startswith("book,") or "," in csv.out.splitlines()[0]


@needs_chromium
def test_a_player_gets_a_file_on_a_phone(typed: Type, browser: Browser, tmp_path: Path) -> None:
    """What does the record say of me, without telling me of others, and where does my own note differ?"""
    assert typed("report", "705", "-r", "rrop4", "--as", "Jo", "--names", "position", "-o", "mine.html").code == 0
    html = (tmp_path / "mine.html").read_text(encoding="utf-8")
    for name in ("Ines", "Kim", "Lars", "Nell", "Otto", ">Mo<", " Mo "):
        assert name not in html
    page = visited(browser, (tmp_path / "mine.html").as_uri(), size="phone")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator(".tall").is_visible()
    page.get_by_role("button", name="last event").click()
    assert "leaves out the bytes of the source" in page.locator(".source").inner_text()
    assert page.locator("tfoot td").last.inner_text() == "$0"
    assert "Made for" in page.locator("footer").inner_text()
    assert page.said == []  # type: ignore[attr-defined]  # what the page complained of
    owed = json.loads(typed("fairness", "-r", "rrop4", "--format", "json").out)["shares"]
    assert [(row["due"], row["paid"]) for row in owed if row["player"] == "Jo"] == [(4500, 4000)]
    output = typed("export", "717", "--to", "handscript").out
    lines = output.splitlines()
    last = max(index for index, line in enumerate(lines) if line.endswith((" checks", " calls 20")))
    notes = "\n".join([*lines[:last], lines[last].split()[0] + " folds", *lines[last + 1 :]]) + "\n"
    (tmp_path / "my-notes.hand").write_text(notes, encoding="utf-8")
    document = json.loads(typed("import", "my-notes.hand", "--format", "json").out)
    assert sum(row["second"] for row in document["files"]) == 1, document
    differs = typed("compare", "717")
    assert "my-notes.hand" in differs.out
    assert "folds" in differs.out


def test_who_runs_it_at_night_reads_exit_codes_and_documents(typed: Type, tmp_path: Path) -> None:
    """What came in, what broke, is anything new wrong, and hand the rest on."""
    accepted = typed("audit", "--all", "-r", "hilton", "--format", "json", "-o", "accepted.json")
    assert accepted.code == 1
    evening = (tmp_path / "samples" / "riverside-limit-evening.hand").read_text(encoding="utf-8")
    incoming = tmp_path / "incoming"
    incoming.mkdir()
    (incoming / "again.hand").write_text(evening, encoding="utf-8")
    (incoming / "broken.hand").write_text("handscript 1\nhand 9\nnobody knows this line\n", encoding="utf-8")
    first = typed("import", "incoming", "--format", "json")
    assert first.code == 3, "done in part"
    assert first.err == "", "no progress where nobody looks"
    document = json.loads(first.out)
    jsonschema.Draft202012Validator(find_schema("import")).validate(document)
    assert sum(row["new"] for row in document["files"]) == 0, "every hand is there already"
    assert sum(row["rejected"] for row in document["files"]) == 1
    assert all(row["not_read"] == 0 for row in document["files"])
    nightly = (
        "audit",
        "--all",
        "-r",
        "hilton",
        "--baseline",
        "accepted.json",
        "--fail-on",
        "error",
        "--format",
        "json",
    )
    audit = typed(*nightly)
    assert audit.code == 0, audit.out[-500:]
    judged = json.loads(audit.out)
    jsonschema.Draft202012Validator(find_schema(judged["schema"].split("/")[1])).validate(judged)
    later = evening.replace("table T3", "table T4")
    assert later != evening
    (incoming / "later.hand").write_text(later, encoding="utf-8")
    assert json.loads(typed("import", "incoming", "--format", "json").out)["files"]
    assert typed(*nightly).code == 1, "another table's evening brings new findings"
    out = typed("export", "--where", "venue:PokerStars", "--to", "phh", "-o", "hands.phhs")
    assert out.code == 0, out.err
    assert (tmp_path / "hands.phhs").read_text(encoding="utf-8").count("variant = ") == 12
    assert typed("import", "nowhere").code == 2
    assert typed("verify").code == 0
