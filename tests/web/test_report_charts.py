"""A report of several hands begins with one sentence and shows strip, stacks and dealers, for its reader's eyes only."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from msgspec.structs import replace

from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from projections.findings.finding import Finding, Share
from tests.cli.conftest import Run, run
from tests.conftest import ROOT
from tests.web.browser import chromium, find_barriers, needs_chromium, visited
from tests.web.conftest import page_of as page_of_hand
from tests.web.nights import wrong_button
from tests.web.serving import serving
from web.pages.report_cover import CoverFigures, sum_moved_chips, write_cover

__all__ = ["run"]

EVENING = ROOT / "cli" / "samples" / "riverside-nl-evening.hand"
NAMES = re.compile(r"\b(Ana|Bo Lee|Dee|Eli|Fay|Gus|Hana|María)\b")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The README's evening. Kim dealt the first half of it, Lou the second."""
    folder = tmp_path_factory.mktemp("charts")
    head, *hands = EVENING.read_text(encoding="utf-8").split("\nhand ")
    dealt = (
        "\nhand ".join([f"{head}\ndealer Kim\n", *hands[:13]]) + "\ndealer Lou\n\nhand " + "\nhand ".join(hands[13:])
    )
    (folder / "dealt.hand").write_text(dealt, encoding="utf-8")
    with open_ledger(folder / "x.ledger") as ledger:
        assert not sum(summary.rejected for summary in import_paths(ledger, [folder / "dealt.hand"]).files)
    return str(folder / "x.ledger")


def document_of(run: Run, url: str, *args: str) -> Any:
    return run("report", "T7", "-r", "hilton", *args, "--ledger", url, "--format", "json").document


def page_of(run: Run, url: str, *args: str) -> str:
    result = run("report", "T7", "-r", "hilton", *args, "--ledger", url)
    assert result.code == 0, result.err
    return result.out


def strip_of(html: str) -> str:
    return html.split('<ol class="strip"')[1].split("</ol>", maxsplit=1)[0]


def test_its_first_line_is_one_sentence(run: Run, url: str) -> None:
    findings = run("audit", "-r", "hilton", "--ledger", url, "--format", "json").document["findings"]
    counts = Counter(f"{finding['book']} {finding['clause']}" for finding in findings)
    hands = {finding["hand"]["number"] for finding in findings}
    html = page_of(run, url)
    sentence = re.search(r'<h1>[^<]*</h1>\s*<p class="cover" lang="en">(.*?)</p>', html)
    assert sentence
    match = re.fullmatch(
        r"26 hands at T7, 2026-11-20 20:06 to 21:01: (\d+) with findings, most often (.*); (\S+) in the wrong seats\.",
        sentence[1],
    )
    assert match, sentence[1]
    assert int(match[1]) == len(hands)
    assert counts[match[2]] == max(counts.values())
    gains: dict[tuple[str, int], int] = {}  # what each seat got too much in each hand
    for finding in findings:
        for share in finding["money"]:
            seat = (finding["hand"]["number"], share["seat"])
            gains[seat] = max(gains.get(seat, 0), share["amount"])
    moved = sum(gains.values())
    assert match[3] == f"${moved // 100}"
    assert moved % 100 == 0


def _money(finding: Finding, **amounts: int) -> Finding:
    return replace(finding, money=[Share(int(seat.removeprefix("seat")), chips) for seat, chips in amounts.items()])


def test_chips_that_several_findings_are_about_count_once(wrong: Ledger) -> None:
    finding = page_of_hand(wrong, "412", "rrop4").judgements[0].findings[0]
    unit = (finding.unit, finding.exponent)
    same = [_money(finding, seat2=-5, seat3=5)] * 3
    assert sum_moved_chips(same) == ({unit: 5}, False)
    two_debts = [_money(finding, seat2=-5, seat3=5), _money(finding, seat2=-5, seat4=5)]
    assert sum_moved_chips(two_debts) == ({unit: 10}, False)
    overlapping = [_money(finding, seat2=-5, seat3=5), _money(finding, seat2=-5, seat6=-7, seat3=12)]
    assert sum_moved_chips(overlapping) == ({unit: 12}, True)
    assert sum_moved_chips([_money(finding)]) == ({}, False)


def test_a_sum_that_may_be_larger_is_called_so() -> None:
    figures = CoverFigures(3, ["T7"], "", "", 2, "rrop4 1", Counter({("USD", 0): 12}), False, True, 0)
    assert write_cover(figures).endswith("; $12 in the wrong seats.")
    assert write_cover(figures._replace(is_lower_bound=True)).endswith("; at least $12 in the wrong seats.")


def test_no_clause_is_called_the_most_frequent_if_several_are(run: Run, url: str) -> None:
    html = run("report", "hand:T7/411 or hand:T7/412", "-r", "hilton", "--ledger", url).out
    cover = html.split('class="cover"')[1].split("</p>")[0]
    assert cover.endswith(": 2 with findings; $2 in the wrong seats.")  # B15b.1 and B2.1, each once
    figures = CoverFigures(3, ["T7"], "", "", 2, "", Counter({("USD", 0): 12}), True, True, 0)
    assert write_cover(figures) == "3 hands at T7: 2 with findings; at least $12 in the wrong seats."
    assert write_cover(figures._replace(moved_chips=Counter())) == "3 hands at T7: 2 with findings."


def test_without_a_rulebook_nothing_looks_judged(run: Run, tmp_path: Path) -> None:
    (tmp_path / "night.hand").write_text(wrong_button())
    with open_ledger(tmp_path / "x.ledger") as ledger:
        import_paths(ledger, [tmp_path / "night.hand"])
    html = run("report", "T7", "--ledger", str(tmp_path / "x.ledger")).out
    assert "not judged by a rulebook" in html.split('class="cover"')[1].split("</p>")[0]
    assert 'class="clean"' not in strip_of(html)


def test_each_hand_has_a_mark_that_leads_to_it(run: Run, url: str) -> None:
    document = document_of(run, url)["summary"]
    html = page_of(run, url)
    found = {line["number"]: line["findings"] for line in document["lines"]}
    marks = re.findall(r'<(a|span) class="(\w[\w-]*)"(?: href="#h=(\d+)")? title="T7/(\d+)', strip_of(html))
    assert [mark[3] for mark in marks] == [line["number"] for line in document["lines"]]
    for tag, css_class, page, number in marks:
        assert (css_class == "clean") == (not found[number])
        assert (tag == "a") == bool(page)
        if page:
            assert f'<h2 id="hand{page}">Hand T7/{number}</h2>' in html
    few = re.findall(r'<(a|span) class="\w[\w-]*"[^>]* title=', strip_of(page_of(run, url, "--whole", "3")))
    assert Counter(few) == {"a": 3, "span": 23}


def test_stacks_are_those_of_the_table_s_page(run: Run, url: str) -> None:
    evening = document_of(run, url)["summary"]["evening"]
    with open_ledger(url) as ledger, serving(ledger) as served:
        address = urlencode({"venue": "Riverside Cardroom", "tournament": "", "name": "T7"})
        page = json.loads(served.ask(f"/table.json?{address}")[1])
    assert evening["stacks"] == page["evening"]["stacks"]
    assert (evening["unit"], evening["exponent"]) == (page["evening"]["unit"], page["evening"]["exponent"])
    html = page_of(run, url)
    assert '<svg class="chart lines wide"' in html
    assert html.count('<th scope="row">Ana</th>') >= 1


def test_names_are_in_no_chart_without_them(run: Run, url: str) -> None:
    assert NAMES.search(page_of(run, url).split('<article class="hand"')[0])
    pseudonyms = page_of(run, url, "--names", "pseudonym")
    assert not re.search(r"\b(Kim|Lou)\b", pseudonyms)
    assert not NAMES.search(pseudonyms)
    stacks = document_of(run, url, "--names", "pseudonym")["summary"]["evening"]["stacks"]
    assert len(stacks) == len(document_of(run, url)["summary"]["evening"]["stacks"])
    assert all(line["player"].startswith("player-") for line in stacks)
    positions = page_of(run, url, "--names", "position")
    assert not NAMES.search(positions)
    assert not re.search(r"\b(Kim|Lou)\b", positions)
    assert '<svg class="chart lines wide"' not in positions
    assert "players go by their positions here" in positions


@pytest.mark.parametrize("audience", ["public", "5"])
def test_a_reader_s_strip_has_the_findings_of_that_reader(run: Run, url: str, audience: str) -> None:
    summary = document_of(run, url, "--as", audience)["summary"]
    listed = {line["address"]: line["findings"] for line in summary["lines"]}
    assert {hand["address"]: hand["findings"] for hand in summary["evening"]["hands"]} == listed
    assert f" {summary['found']} with findings" in summary["cover"]
    assert summary["by_dealer"] is None
    assert not re.search(r"\b(Kim|Lou)\b", page_of(run, url, "--as", audience))


def test_dealers_and_clauses_are_counted(run: Run, url: str) -> None:
    summary = document_of(run, url)["summary"]
    by_dealer = summary["by_dealer"]
    assert {row["dealer"]: row["hands"] for row in by_dealer["dealers"]} == {"Kim": 13, "Lou": 13}
    totals = {
        clause: sum(row["rates"][index]["findings"] for row in by_dealer["dealers"])
        for index, clause in enumerate(by_dealer["clauses"])
    }
    assert totals == {f"{rate['book']} {rate['clause']}": rate["findings"] for rate in summary["rates"]}
    html = page_of(run, url)
    assert ">By dealer and clause<" in html
    assert "too few hands to tell" in html.split('class="list heat cards"')[1].split("</table>")[0]


def test_hands_of_several_tables_share_no_evening(run: Run, tmp_path: Path) -> None:
    other = EVENING.read_text(encoding="utf-8").replace("table T7", "table T8")
    assert other != EVENING.read_text(encoding="utf-8")
    (tmp_path / "t8.hand").write_text(other, encoding="utf-8")
    with open_ledger(tmp_path / "x.ledger") as ledger:
        import_paths(ledger, [EVENING, tmp_path / "t8.hand"])
    summary = run(
        "report", "pot>=0", "-r", "hilton", "--ledger", str(tmp_path / "x.ledger"), "--format", "json"
    ).document["summary"]
    assert summary["evening"] is None
    assert summary["cover"].startswith("52 hands at 2 tables, ")


@needs_chromium
@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
def test_the_file_is_accessible_and_its_marks_work(run: Run, url: str, tmp_path: Path, dark: bool) -> None:
    file = tmp_path / "r.html"
    file.write_text(page_of(run, url, "--whole", "4"), encoding="utf-8")
    with chromium() as browser:
        for size in ("laptop", "phone"):
            page = visited(browser, file.as_uri(), size=size, dark=dark)
            assert find_barriers(page) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.locator(".strip a").first.click()
            assert page.evaluate("location.hash").startswith("#h=")
            page.wait_for_function("document.querySelector('article.hand').getBoundingClientRect().top < innerHeight")
            assert page.said == []  # type: ignore[attr-defined]  # what the page complained of
