"""Reports of several hands, and on paper: sums that are those of the commands, a bound that is said, a head that is whole."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zlib
from collections import Counter
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import pdfua
import pytest

from ledger.house.events import ExportMade, HiddenCardsViewed, RulebookAdopted
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from projections.books.rulebook import load
from tests.cli.conftest import Result, Run, run
from tests.evenings import evening
from tests.evenings.script import script
from tests.mentions import mentions
from tests.web.nights import wrong_button
from tests.web.test_rendering import HOSTILE, Tags

__all__ = ["run"]


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An evening of 60 hands, judged under a book that it was not played by."""
    return _ledger(tmp_path_factory.mktemp("many"), script(evening("hilton-limit", 7, 60)))


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> str:
    return _ledger(tmp_path_factory.mktemp("wrong"), wrong_button())


def _ledger(folder: Path, text: str) -> str:
    (folder / "night.hand").write_text(text)
    with open_ledger(folder / "l.ledger") as ledger:
        import_paths(ledger, [folder / "night.hand"])
    return str(folder / "l.ledger")


def report(run: Run, url: str, *args: str) -> Result:
    return run("report", *args, "--ledger", url)


@pytest.mark.slow
def test_sums_are_those_of_the_commands(night: str, run: Run) -> None:
    summary = report(run, night, "pot>=0", "-r", "rrop4", "--format", "json").document["summary"]
    audit = run("audit", "-r", "rrop4", "--ledger", night, "--format", "json").document
    assert summary["hands"] == audit["summary"]["hands"]
    assert summary["found"] == audit["summary"]["hands_with_findings"]
    rates = {f"{row['book']} {row['clause']}": row["findings"] for row in summary["rates"]}
    assert rates == {name: count for name, count in audit["summary"]["by_clause"].items() if count}
    fair = run("fairness", "-r", "rrop4", "--ledger", night, "--format", "json").document["shares"]
    figures = [
        {(row["player"], row["hands"], row["due"], row["paid"], row["untold"]) for row in rows}
        for rows in (summary["shares"], fair)
    ]
    assert figures[0] == figures[1]
    for row in summary["rates"]:
        assert row["per_thousand"] == round(1000 * row["findings"] / summary["hands"], 2)


@pytest.mark.slow
def test_beside_a_rate_stands_that_of_all_hands(night: str, run: Run) -> None:
    report_rates = report(run, night, 'player:"Player 1"', "-r", "rrop4", "--format", "json").document["summary"][
        "rates"
    ]
    rates = run("rates", "-r", "rrop4", "--ledger", night, "--format", "json").document["rates"]
    assert report_rates
    room_rates = {rate["name"]: rate["per_thousand"] for rate in rates}
    assert "in 1,000 hands of the whole ledger" in report(run, night, 'player:"Player 1"', "-r", "rrop4").out
    assert "in 1,000 hands\n" in run("rates", "-r", "rrop4", "--ledger", night).out
    assert [rate["room"] for rate in report_rates] == [
        room_rates[f"{rate['book']} {rate['clause']}"] for rate in report_rates
    ]


def test_a_report_is_written_into_the_house_s_record(wrong: str, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "r.html"
    assert report(run, wrong, "412", "--as", "5", "-o", str(file)).code == 0
    with open_ledger(wrong) as ledger:
        export = [event for event in ledger.events(HOUSE) if isinstance(event, ExportMade)][-1]
    assert (export.kind, export.hands, export.audience) == ("report", 1, "player")
    assert export.digest == sha256(file.read_bytes()).hexdigest()


def test_no_id_and_no_filter_names_anybody_without_names(wrong: str, run: Run) -> None:
    args = ('player:"Flo"', "-r", "rrop4", "--format", "json")
    assert mentions(report(run, wrong, *args).out, "Flo")
    with open_ledger(wrong) as ledger, ledger.database.reading() as link:
        ids = [player_id for player_id, _, _ in ledger.people.all_names(link)]
    output = report(run, wrong, *args).out
    assert any(player_id in output for player_id in ids), "the control: who is named can be known by an id"
    for naming in ("position", "pseudonym"):
        out = report(run, wrong, *args, "--names", naming).out
        assert not mentions(out, "Flo")
        assert not [player_id for player_id in ids if player_id in out]


def test_a_bound_on_what_is_stepped_is_said(night: str, run: Run) -> None:
    document = report(run, night, "1", "-r", "rrop4", "--format", "json").document
    assert document["summary"] is None, "1 names a hand"
    html = report(run, night, "--where", "table:1", "-r", "rrop4").out
    assert html.count('<article class="hand"') == 25
    assert "25 of the " in html
    assert len(html.encode()) < 1_000_000
    wrong = set(re.findall(r'<tr class="found"><th scope="row">(.*?)</th>', html))
    assert wrong
    assert all(link.startswith('<a href="#h=') for link in wrong), "those with findings are among them"


@pytest.mark.slow
def test_as_many_hands_are_whole_as_are_asked_for(night: str, run: Run) -> None:
    for limit, expected_count in ((0, 0), (3, 3), (100, 60)):
        html = report(run, night, "--where", "table:1", "-r", "rrop4", "--whole", str(limit)).out
        assert html.count('<article class="hand"') == expected_count
        assert (f"{expected_count} of the 60 hands" in html) == (expected_count < 60)


def test_a_page_that_is_heavier_than_others_says_so(run: Run, tmp_path: Path) -> None:
    lines = wrong_button().splitlines()
    index = lines.index("flop 7h 2c Kd")
    extra = [f'remark "the clock shows {number} and somebody says so at length"' for number in range(120)]
    url = _ledger(tmp_path, "\n".join([*lines[: index + 1], *extra, *lines[index + 1 :]]) + "\n")
    long_result, usual_result = (
        report(run, url, number, "-r", "rrop4", "-o", str(tmp_path / "x.html")) for number in ("412", "411")
    )
    assert "more than 60,000: the hand has 163 events" in long_result.err
    assert usual_result.err == ""


def test_a_table_a_case_and_a_query_name_hands(wrong: str, run: Run) -> None:
    numbers = [row["number"] for row in report(run, wrong, "T7", "--format", "json").document["summary"]["lines"]]
    assert numbers == ["411", "412"]
    document = report(run, wrong, "hand:412", "-r", "rrop4", "--format", "json").document
    assert [row["hand"]["number"] for row in document["hands"]] == ["412"]
    assert run("case", "open", "412", "--claim", "mine", "--by", "player", "--ledger", wrong).code == 0
    number = run("case", "list", "--ledger", wrong, "--format", "json").document["cases"][0]["number"]
    of_case = report(run, wrong, f"case:{number}", "--format", "json").document
    assert [row["hand"]["number"] for row in of_case["hands"]] == ["412"]
    assert of_case["about"] == f"case:{number}"
    html = report(run, wrong, f"case:{number}").out
    assert "“mine”" in html
    assert "concerns hand T7/412" in html
    assert "\x1b" not in html
    for options in (["--as", "public"], ["--names", "position"]):
        output = report(run, wrong, f"case:{number}", *options).out
        assert "“mine”" not in output
        assert "leaves out the statements of the case" in output


@pytest.mark.parametrize("args", [["nothing"], ["case:none"], [], ["412", "--where", "pot>0"], ["T7", "-r", "none"]])
def test_what_names_nothing_is_an_error(args: list[str], wrong: str, run: Run) -> None:
    assert report(run, wrong, *args).code == 2


def test_no_activity_is_a_report(wrong: str, run: Run) -> None:
    result = report(run, wrong, "pot>999999", "-r", "rrop4")
    assert result.code == 0
    assert "No activity" in result.out
    assert "pot&gt;999999" in result.out


def test_names_are_in_no_part_of_a_report_without_them(wrong: str, run: Run) -> None:
    assert "Flo" in report(run, wrong, "T7", "-r", "rrop4").out
    for naming in ("position", "pseudonym"):
        html = report(run, wrong, "T7", "-r", "rrop4", "--names", naming).out
        assert not re.search(r"\b(Ana|Dee|Eli|Flo)\b", html)
    assert "player-" in html, "who paid what is told under pseudonyms"


def test_a_book_that_is_not_the_house_s_accuses_nobody(wrong: str, run: Run) -> None:
    document = report(run, wrong, "T7", "--format", "json").document
    assert document["summary"]["book"]["name"] == "record"
    assert document["summary"]["found"] == 0
    assert document["summary"]["unshared"]


def text_of(pdf: Path) -> list[str]:
    """The text of each sheet of a PDF."""
    output = subprocess.run(["pdftotext", "-layout", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
    return output.split("\f")[:-1]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="there is no pdftotext on this machine")
def test_every_sheet_of_a_printed_report_says_what_it_is(wrong: str, run: Run, tmp_path: Path) -> None:
    pytest.importorskip("weasyprint", exc_type=OSError, reason="WeasyPrint needs Pango")
    file = tmp_path / "r.pdf"
    with open_ledger(wrong) as ledger:
        _, head = ledger.head()
    assert report(run, wrong, "T7", "-r", "rrop4", "--pdf", "-o", str(file)).code == 0
    document = json.loads(report(run, wrong, "T7", "-r", "rrop4", "--format", "json").out)
    sheets = text_of(file)
    for number, sheet in enumerate(sheets, 1):
        assert "Report of table T7" in sheet
        assert f"page {number} of {len(sheets)}" in sheet
        assert head in sheet
    first = sheets[0]
    for words in ("handledger/report/1", "2026-11-20 22:36:00 to 2026-11-20 22:41:00", "table T7", "rrop4", "2 hands"):
        assert words in first
    text = " ".join(" ".join(sheets).split())
    assert document["summary"]["book"]["digest"] in text
    assert "How to check this page" in text
    assert "5 Eli raises to $327 and is all in" in text, "the hand with the finding"
    assert report(run, wrong, "pot>999999", "-r", "rrop4", "-o", str(file)).code == 0
    assert "No activity" in text_of(file)[0]


def parts_of(pdf: Path) -> bytes:
    """What a PDF says of itself: its objects, unpacked."""
    data = pdf.read_bytes()
    out = [data]
    for packed in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL):
        with suppress(zlib.error):
            out.append(zlib.decompress(packed))
    return b"\n".join(out)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["412", "T7"])
def test_a_printed_report_can_be_read_aloud(target: str, wrong: str, run: Run, tmp_path: Path) -> None:
    """It says its language and title, its parts are tagged, and no picture is without words (PDF/UA-1)."""
    pytest.importorskip("weasyprint", exc_type=OSError, reason="WeasyPrint needs Pango")
    file = tmp_path / "r.pdf"
    assert report(run, wrong, target, "-r", "rrop4", "--pdf", "-o", str(file)).code == 0
    content = parts_of(file)
    for part in (rb"/Lang \(en\)", rb"/MarkInfo <</Marked true>>", rb"/DisplayDocTitle true", rb"pdfuaid:part=\"1\""):
        assert re.search(part, content), part
    assert f"Report of {'hand T7/412' if target == '412' else 'table T7'}".encode() in content
    tags = Counter(re.findall(rb"/S ?/(\w+)", content))
    assert {b"H1", b"H2", b"H3", b"Table", b"TH", b"TD", b"Figure", b"P"} <= set(tags)
    figures = re.findall(rb"<<[^<>]*/S ?/Figure(?:[^<>]|<<[^<>]*>>|<[0-9a-fA-F]*>)*>>", content)
    assert len(figures) == tags[b"Figure"] > 0
    assert not [figure for figure in figures if b"/Alt" not in figure]


@pytest.mark.slow
def test_a_validator_of_pdf_ua_finds_nothing_in_a_printed_report(wrong: str, run: Run, tmp_path: Path) -> None:
    """Of its 12 checks, that of headings can't read our links (docs/decisions/web.md)."""
    pytest.importorskip("weasyprint", exc_type=OSError, reason="WeasyPrint needs Pango")
    file = tmp_path / "r.pdf"
    assert report(run, wrong, "T7", "-r", "rrop4", "--pdf", "-o", str(file)).code == 0
    checked = pdfua.validate(str(file))
    assert [(finding.rule_id, finding.message) for finding in checked.findings] == []
    content = parts_of(file)
    header_cells = re.findall(rb"/S ?/TH\b", content)
    assert len(re.findall(rb"/Scope ?/(?:Row|Column)", content)) == len(header_cells) > 0
    assert b"stacks of" in content, "the chart has words"


def test_sealed_cards_lie_open_only_for_a_reason(run: Run, tmp_path: Path) -> None:
    (tmp_path / "night.hand").write_text(wrong_button())
    url = str(tmp_path / "l.ledger")
    assert run("import", "--hide-cards", str(tmp_path / "night.hand"), "--ledger", url).code == 0
    closed = report(run, url, "412", "-r", "rrop4").out
    assert "AhAd" not in closed
    assert "Ah Ad" not in closed
    assert "{" + "0" not in closed.split("</style>")[1].split('<script>"use strict"')[0]
    assert report(run, url, "412", "--open-cards").code == 2
    opened = ("412", "--open-cards", "--why", "the pot is disputed")
    assert "AhAd" in report(run, url, *opened).out
    assert "AhAd" not in report(run, url, *opened, "--as", "5").out, "seat 3 threw them away unseen"
    with open_ledger(url) as ledger:
        events = [event for event in ledger.events(HOUSE) if isinstance(event, HiddenCardsViewed)]
    assert len(events) == 2


def test_a_corrected_hand_is_shown_as_it_stands(run: Run, tmp_path: Path) -> None:
    url = _ledger(tmp_path, wrong_button())
    result = run("correct", "412@9", "button none", "--by", "floor", "--why", "told wrong", "--ledger", url)
    assert result.code == 0, result.err
    page = report(run, url, "412", "--format", "json").document["hands"][0]
    assert page["recorded"]["button"] is None
    assert "there is no button" in [frame["told"] for frame in page["frames"]]
    assert "the button is at 5 Eli" not in [frame["told"] for frame in page["frames"]]
    assert len(page["corrections"]) == 1
    assert "event 9 no longer counts" in page["corrections"][0]
    html = report(run, url, "412").out
    assert "event 9 no longer counts" in html
    assert "told wrong" not in report(run, url, "412", "--as", "public").out


def test_a_page_goes_by_the_book_that_the_house_adopted(run: Run, tmp_path: Path) -> None:
    url = _ledger(tmp_path, wrong_button())
    book = load("rrop4")
    with open_ledger(url) as ledger:
        ledger.append("house", HOUSE, [RulebookAdopted("rrop4", book.edition, book.digest, since=1_700_000_000_000)])
    page = report(run, url, "412", "--format", "json").document["hands"][0]
    assert page["judgements"][0]["book"]["name"] == "rrop4"
    assert page["judgements"][0]["book"]["adopted"] == "2023-11-14"
    assert {"hilton", "bicycle"} <= {judgement["book"]["name"] for judgement in page["judgements"]}, (
        "the others stand beside"
    )
    document = report(run, url, "T7", "--format", "json").document
    assert document["summary"]["found"] == 1
    assert [judgement["book"]["name"] for judgement in document["hands"][0]["judgements"]] == ["rrop4", "record"]


def test_hostile_names_are_text_in_the_sums_too(wrong: str, run: Run, tmp_path: Path) -> None:
    url = _ledger(tmp_path, wrong_button(HOSTILE))
    html = report(run, url, "player:*img*", "-r", "rrop4").out
    ours = Tags(report(run, wrong, "T7", "-r", "rrop4").out)
    tags = Tags(html)
    assert set(tags.names) == set(ours.names)
    assert not [attribute for attribute in tags.attributes if attribute.startswith("on")]
    assert "&lt;img src=x onerror=alert(1)&gt;" in html, "who paid what is told by name"
    assert "\u202e" not in html
