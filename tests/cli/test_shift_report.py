"""`report --shift`: the same answer as a page, on paper, as a table, as JSON and on a terminal, with an exit code."""

from __future__ import annotations

import csv
import shlex
from hashlib import sha256
from io import StringIO
from pathlib import Path

import msgspec
import pdfua
import pytest

from ledger.house.events import ExportMade
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from tests.cli.conftest import Run
from tests.money.evening import Evening
from tests.money.records import ALL_ERRORS, import_evening
from tests.projections.money.evenings import write_hand, write_head
from tests.web.browser import chromium, find_barriers, needs_chromium
from web.pages.documents import ShiftReportDocument

pytestmark = pytest.mark.slow

ANSWER = "The money differs in 7 places. 1 thing couldn't be checked."


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A ledger of an evening with every error."""
    folder = tmp_path_factory.mktemp("wrong")
    import_evening(ALL_ERRORS, folder).close()
    return str(folder / "room.ledger")


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A ledger of one table whose money adds up."""
    folder = tmp_path_factory.mktemp("honest")
    import_evening(Evening(), folder, ["T1"]).close()
    return str(folder / "room.ledger")


def test_the_name_of_the_file_decides_the_format(run: Run, wrong: str, tmp_path: Path) -> None:
    for ending in ("html", "csv", "json"):
        file = tmp_path / f"swing.{ending}"
        result = run("report", "--shift", "swing", "-o", str(file), "--ledger", wrong)
        assert (result.code, result.out) == (1, ""), result.err
    assert ANSWER.replace("'", "&#39;") in (tmp_path / "swing.html").read_text(encoding="utf-8")
    document = msgspec.json.decode((tmp_path / "swing.json").read_bytes(), type=ShiftReportDocument)
    assert document.shift.answer == ANSWER
    with (tmp_path / "swing.csv").open(encoding="utf-8-sig") as file:
        kinds = [row["kind"] for row in csv.DictReader(file) if row["row"] == "difference"]
    assert sorted(kinds) == ["box", "chips", "chips", "prize", "rake", "seating", "tray"]


def test_paper_is_tagged_for_a_screen_reader(run: Run, wrong: str, tmp_path: Path) -> None:
    pytest.importorskip("weasyprint", exc_type=OSError, reason="WeasyPrint needs Pango")
    file = tmp_path / "swing.pdf"
    assert run("report", "--shift", "swing", "-o", str(file), "--ledger", wrong).code == 1
    assert [(finding.rule_id, finding.message) for finding in pdfua.validate(str(file)).findings] == []


def test_a_day_and_its_hours_are_the_same_shift(run: Run, wrong: str) -> None:
    reports = [
        run("report", "--shift", shift, "--format", "json", "--ledger", wrong).document["shift"]
        for shift in ("swing", "swing@2026-11-20", "2026-11-20", "2026-11-20T18:00..2026-11-20T22:00")
    ]
    for report in reports:
        del report["shift"]
        assert report == reports[0]


def test_time_charges_stand_beside_the_rake(run: Run, tmp_path: Path) -> None:
    file, ledger = tmp_path / "night.hand", str(tmp_path / "x.ledger")
    text = (
        write_head()
        + "1 sits Ana stack 500\n1 time-charge 6\n"
        + write_hand(1, "2026-11-20T20:01:00-05:00")
        + "drop-box 8 shift swing\n"
    )
    file.write_text(text, encoding="utf-8")
    assert run("import", str(file), "--ledger", ledger).code == 0
    report = ("report", "--shift", "swing", "--ledger", ledger)
    (table,) = run(*report, "--format", "json").document["shift"]["tables"]
    assert (table["rake"], table["time_charges"], table["box"], table["box_difference"]) == (200, 600, 800, 0)
    page = tmp_path / "swing.html"
    run(*report, "-o", str(page))
    assert "<td>$2 + $6 time</td>" in page.read_text(encoding="utf-8")
    rows = csv.DictReader(StringIO(run(*report, "--format", "csv").out))
    assert [row["recorded"] for row in rows if row["kind"] == "time"] == ["6.00"]


def test_the_paper_says_how_to_write_it_again(run: Run, wrong: str, tmp_path: Path) -> None:
    arguments = ("report", "--shift", "swing", "--table", "T1", "-r", "rrop4", "--day-begins", "08:00")
    document = run(*arguments, "--format", "json", "--ledger", wrong).document
    assert document["command"] == f"handledger {shlex.join(arguments)}"
    again = run(*shlex.split(document["command"])[1:], "--format", "json", "--ledger", wrong).document
    assert again["shift"] == document["shift"]
    page = tmp_path / "swing.html"
    run(*arguments, "-o", str(page), "--ledger", wrong)
    assert f"<code>{document['command']}</code>" in page.read_text(encoding="utf-8")


def test_one_table_can_be_chosen(run: Run, wrong: str) -> None:
    result = run("report", "--shift", "swing", "--table", "T3", "--format", "csv", "--ledger", wrong)
    rows = list(csv.DictReader(StringIO(result.out)))
    assert {row["table"] for row in rows if row["row"] == "table"} == {"T3"}
    assert [(row["kind"], row["clause"]) for row in rows if row["row"] == "difference"] == [("rake", "room R1")]


def test_money_that_adds_up_exits_with_0(run: Run, honest: str) -> None:
    result = run("report", "--shift", "swing", "--format", "json", "--ledger", honest)
    assert result.code == 0
    assert result.document["shift"]["answer"] == "The money of all 66 hands adds up."


def test_without_a_rulebook_the_rake_is_not_called_right(run: Run, wrong: str, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    folder.mkdir()
    (file,) = [file for file in Evening().write(folder) if file.name == "T1.hand"]
    url = str(tmp_path / "bare.ledger")
    assert run("import", str(file), "--ledger", url).code == 0
    shift = run("report", "--shift", "swing", "--format", "json", "--ledger", url).document["shift"]
    assert [gap["kind"] for gap in shift["gaps"]] == ["rake"]
    assert not shift["books"]


def test_without_a_page_to_write_the_report_is_text(run: Run, wrong: str, tmp_path: Path) -> None:
    out = run("report", "--shift", "swing", "--ledger", wrong).out
    file = tmp_path / "swing.txt"
    run("report", "--shift", "swing", "-o", str(file), "--ledger", wrong)
    assert file.read_text(encoding="utf-8") == out
    place, answer, *lines = out.splitlines()
    assert place.startswith("Desert Palms · 2026-11-20 18:")
    assert answer == ANSWER
    assert "T1/1033" in out
    tournament = lines[next(index for index, line in enumerate(lines) if line.startswith("tournament ")) + 1]
    assert tournament.split()[:6] == ["88", "12", "1", "1300", "1300", "1340"]
    fund = lines[next(index for index, line in enumerate(lines) if line.startswith("fund ")) + 1]
    assert fund.startswith("jackpot ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--shift", "graveyard"), "Counts state these shifts: swing."),
        (("--shift", "2026-11-20..2026-11-19"), "ends before it begins"),
        (("--shift", "2026-11-20.."), "needs two times"),
        (("--shift", "2030-01-01"), "no table has a hand in the shift"),
        (("--shift", "swing", "--table", "T9"), "Tables with hands: 1, 2, T1, T2, T3."),
        (("T1/1001", "--shift", "swing"), "Leave out the hand"),
        (("--shift", "swing", "--as", "public"), "Leave out the hand"),
        (("T1/1001", "--table", "T1"), "Name the shift"),
    ],
)
def test_a_wrong_request_says_what_to_write(run: Run, wrong: str, arguments: tuple[str, ...], message: str) -> None:
    result = run("report", *arguments, "--ledger", wrong)
    assert result.code == 2
    assert message in result.err


def test_a_report_that_leaves_the_ledger_is_on_record(run: Run, honest: str, tmp_path: Path) -> None:
    file = tmp_path / "swing.html"
    assert run("report", "--shift", "swing", "-o", str(file), "--ledger", honest).code == 0
    with open_ledger(honest) as ledger:
        exports = [entry.event for entry in ledger.entries(HOUSE) if isinstance(entry.event, ExportMade)]
    assert (exports[-1].hands, exports[-1].digest) == (66, sha256(file.read_bytes()).hexdigest())


@needs_chromium
def test_the_page_bars_nobody(run: Run, wrong: str, tmp_path: Path) -> None:
    file = tmp_path / "swing.html"
    run("report", "--shift", "swing", "-o", str(file), "--ledger", wrong)
    with chromium() as browser:
        for width in (390, 1240):
            page = browser.new_page(viewport={"width": width, "height": 900})
            page.goto(file.as_uri())
            assert find_barriers(page) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width
