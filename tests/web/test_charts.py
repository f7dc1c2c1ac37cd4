"""The charts show what the ledger records: stacks with gaps, unjudged hands, findings counted as an audit counts them."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.audit import judge_with_progress
from ledger.entry import Provenance
from ledger.hand.opening import SeatDealtIn
from ledger.house.events import RulebookAdopted
from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.requests.stored_hands import group_rows_by_table
from ledger.streams import HOUSE
from projections.books.rulebook import load
from projections.findings.finding import Finding
from tests.conftest import ROOT
from tests.web.conftest import Opened
from tests.web.nights import wrong_button
from tests.web.serving import FLOOR, VIEWER, serving
from web.charts.line_chart import TALL, WIDE, ChartSize, Series, choose_grid, lay_out_lines

EVENING = ROOT / "cli" / "samples" / "riverside-nl-evening.hand"
_VALUES = st.lists(st.none() | st.integers(-10_000_000, 10_000_000), min_size=1, max_size=30)


@given(st.integers(-(10**12), 10**12), st.integers(0, 10**12))
def test_a_scale_holds_its_amounts_in_few_round_steps(low: int, span: int) -> None:
    grid = choose_grid(low, low + span)
    assert grid[0] <= low
    assert grid[-1] >= low + span
    assert 2 <= len(grid) <= 7
    steps = {higher - lower for lower, higher in itertools.pairwise(grid)}
    assert len(steps) == 1
    assert str(steps.pop()).rstrip("0") in ("1", "2", "5")


@given(st.lists(_VALUES, min_size=1, max_size=23), st.sampled_from([WIDE, TALL]))
def test_every_recorded_value_is_drawn_and_no_other(all_values: list[list[int | None]], size: ChartSize) -> None:
    chart = lay_out_lines([Series(str(index), values) for index, values in enumerate(all_values)], size)
    recorded_values = [value for values in all_values for value in values if value is not None]
    if chart is None:
        assert not recorded_values
        return
    points = sum(len(segment.split()) for line in chart.lines for segment in line.segments)
    assert points + sum(len(line.dots) for line in chart.lines) == len(recorded_values)
    label_heights = sorted(line.label.y for line in chart.lines)
    if len(label_heights) <= 14:
        assert all(lower + 14 <= higher + 0.11 for lower, higher in itertools.pairwise(label_heights))
        assert label_heights[-1] <= size.height
    points_drawn = [
        (float(x), float(y))
        for line in chart.lines
        for run in line.segments
        for x, y in [p.split(",") for p in run.split()]
    ]
    points_drawn += [dot for line in chart.lines for dot in line.dots]
    assert all(chart.plot_left <= x <= chart.plot_right and 0 <= y <= size.height for x, y in points_drawn)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """The README's evening, under hilton."""
    with open_ledger(tmp_path_factory.mktemp("charts") / "evening.ledger") as ledger:
        book = load("hilton")
        adopted = RulebookAdopted(book.name, book.edition, book.digest)
        ledger.append("house", HOUSE, [adopted], recorded=Provenance(ledger.now()))
        import_paths(ledger, [EVENING])
        yield ledger


def audited(ledger: Ledger) -> list[Finding]:
    """The findings of an audit of the whole ledger."""
    tables = group_rows_by_table(list(ledger.hands()))
    return list(judge_with_progress(ledger, tables, [load("hilton")]).findings)


def page_at(ledger: Ledger, path: str, key: str = FLOOR) -> Any:
    with serving(ledger) as served:
        status, text, _ = served.ask(path, key=key)
    assert status == 200, text
    return json.loads(text)


T7 = f"/table.json?{urlencode({'venue': 'Riverside Cardroom', 'tournament': '', 'name': 'T7'})}"


def test_the_strip_marks_each_hand_as_the_audit_does(evening: Ledger) -> None:
    page = page_at(evening, T7)
    findings = Counter(finding.hand.number for finding in audited(evening))
    hands = page["evening"]["hands"]
    assert len(hands) == 26
    assert {hand["address"].partition("/")[2]: hand["findings"] for hand in hands if hand["findings"]} == dict(findings)
    assert all((hand["severity"] != "") == bool(hand["findings"]) for hand in hands)


def test_a_viewer_sees_no_findings_on_the_strip(evening: Ledger) -> None:
    hands = page_at(evening, T7, VIEWER)["evening"]["hands"]
    assert {(hand["findings"], hand["severity"]) for hand in hands} == {(None, "")}


def test_stacks_are_those_of_the_records(evening: Ledger) -> None:
    """Each hand's stack is that of its own record, and its net the change that the record shows."""
    lines = page_at(evening, T7)["evening"]["stacks"]
    rows = list(evening.hands(order="played", table="T7"))
    assert len(rows) == 26
    recorded: dict[tuple[str, int], int | None] = {}
    for index, row in enumerate(rows):
        for event in evening.events(row.stream):
            if isinstance(event, SeatDealtIn):
                recorded[evening.people.name(event.player) or "", index] = event.stack
    drawn = {
        (line["player"], index): stack
        for line in lines
        for index, stack in enumerate(line["stacks"][:-1])
        if (line["player"], index) in recorded
    }
    assert drawn == recorded


def test_a_hand_without_a_rulebook_is_hatched_not_green(opened: Opened) -> None:
    ledger = opened(wrong_button())
    with serving(ledger) as served:
        address = urlencode({"venue": "Riverside", "tournament": "", "name": "T7"})
        page = served.ask(f"/table?{address}", key=FLOOR)[1]
    strip = page.split('<ol class="strip"')[1].split("</ol>")[0]
    assert 'class="clean"' not in strip
    assert strip.count("unseen-by-us") + strip.count('class="error"') == 2


def test_findings_are_counted_as_the_audit_counts_them(evening: Ledger) -> None:
    findings = audited(evening)
    facets = page_at(evening, "/findings.json")["facets"]
    assert facets["total"] == len(findings)
    counted = {count["value"]: count["count"] for count in facets["counts"]["clause"]}
    assert counted == dict(Counter(f"{finding.book}.{finding.clause}" for finding in findings))


def test_each_filter_leaves_as_many_findings_as_it_says(evening: Ledger) -> None:
    with serving(evening) as served:
        facets = json.loads(served.ask("/findings.json")[1])["facets"]
        for name, counts in facets["counts"].items():
            for count in counts:
                query = urlencode({"q": f"{name}:{count['value']}"})
                page = json.loads(served.ask(f"/findings.json?{query}")[1])
                assert page["facets"]["total"] == count["count"] == len(page["findings"]), (name, count)


def test_a_filter_is_taken_out_by_a_second_tap(evening: Ledger) -> None:
    with serving(evening) as served:
        first_page = served.ask("/findings?q=table:T7+severity:error")[1]
    assert 'class="chip on" href="/findings?q=table%3AT7"' in first_page


@pytest.mark.parametrize("order", ["newest", "oldest", "money", "severity", "clause", "table"])
def test_each_order_lists_the_same_findings(evening: Ledger, order: str) -> None:
    findings = page_at(evening, f"/findings.json?sort={order}")["findings"]
    newest = page_at(evening, "/findings.json")["findings"]
    assert sorted(finding["show"] for finding in findings) == sorted(finding["show"] for finding in newest)
    severities = [finding["severity"] for finding in findings]
    if order == "severity":
        assert severities == sorted(severities, key=["error", "warning", "info"].index)
    if order == "money":
        moved = [sum(share["amount"] for share in finding["money"] if share["amount"] > 0) for finding in findings]
        assert moved == sorted(moved, reverse=True)
        assert moved[0] > 0


def test_an_unknown_order_is_refused_with_the_known_ones(evening: Ledger) -> None:
    with serving(evening) as served:
        status, text, _ = served.ask("/findings?sort=luck")
    assert status == 422 or status == 400
    assert "newest, oldest, money" in text


def test_rates_of_dealers_with_few_hands_are_grey(tmp_path: Path) -> None:
    text = EVENING.read_text(encoding="utf-8")
    head, *hands = text.split("\nhand ")
    dealt = (
        "\nhand ".join([f"{head}\ndealer Kim\n", *hands[:13]]) + "\ndealer Lou\n\nhand " + "\nhand ".join(hands[13:])
    )
    (tmp_path / "dealt.hand").write_text(dealt, encoding="utf-8")
    with open_ledger(tmp_path / "dealt.ledger") as ledger:
        summary = import_paths(ledger, [tmp_path / "dealt.hand"])
        assert not sum(file_summary.rejected for file_summary in summary.files)
        page = page_at(ledger, "/findings.json?book=hilton")
        dealer_map = page["facets"]["by_dealer"]
        assert {row["dealer"]: row["hands"] for row in dealer_map["dealers"]} == {"Kim": 13, "Lou": 13}
        assert all(rate["too_few"] for row in dealer_map["dealers"] for rate in row["rates"])
        with serving(ledger) as served:
            html = served.ask("/findings?book=hilton")[1]
        assert "heat-few" in html
        assert "heat-4" not in html


def test_the_newest_findings_are_of_the_hands_played_last(tmp_path: Path) -> None:
    """Whenever they were imported: files of an earlier day often come in later."""
    text = EVENING.read_text(encoding="utf-8")
    later_text = text.replace("2026-11-20T", "2026-12-01T").replace("2026-11-21T", "2026-12-02T")
    (tmp_path / "later.hand").write_text(later_text.replace("table T7", "table T8"), encoding="utf-8")
    with open_ledger(tmp_path / "two.ledger") as ledger:
        for file in (tmp_path / "later.hand", EVENING):
            assert not sum(file_summary.rejected for file_summary in import_paths(ledger, [file]).files)
        with serving(ledger) as served:
            pages = {
                order: json.loads(served.ask(f"/findings.json?book=hilton&sort={order}")[1])
                for order in ("newest", "oldest")
            }
    times = {order: [context["local"] for context in page["about"]] for order, page in pages.items()}
    assert len(set(times["newest"])) > 2
    assert times["newest"][0].startswith("2026-12-0")
    assert times["newest"] == sorted(times["newest"], reverse=True)
    assert times["oldest"] == sorted(times["oldest"])


def test_a_finding_leads_to_its_player_though_others_have_the_name(tmp_path: Path) -> None:
    text = EVENING.read_text(encoding="utf-8")
    (tmp_path / "other.hand").write_text(text.replace("Riverside Cardroom", "Harbour Room"), encoding="utf-8")
    with open_ledger(tmp_path / "two.ledger") as ledger:
        for file in (tmp_path / "other.hand", EVENING):
            import_paths(ledger, [file])
        with serving(ledger) as served:
            assert served.ask("/person?name=Cy")[0] == 400, "there are two"
            page = json.loads(served.ask("/findings.json?book=hilton")[1])
            html = served.ask("/findings?book=hilton")[1]
            links = {html_link.replace("&amp;", "&") for html_link in re.findall(r'href="(/person\?[^"]*)"', html)}
            assert {
                f"/person?id={player_id}" for context in page["about"] for player_id in context["player_ids"].values()
            } >= links
            table = served.ask(f"/table?{urlencode({'venue': 'Harbour Room', 'tournament': '', 'name': 'T7'})}")[1]
            links |= {html_link.replace("&amp;", "&") for html_link in re.findall(r'href="(/person\?[^"]*)"', table)}
            matches = json.loads(served.ask("/search.json?q=cy")[1])["matches"]
            people = [match for match in matches if match["kind"] == "person"]
            assert sorted(match["detail"] for match in people) == ["Harbour Room", "Riverside Cardroom"]
            links |= {match["link"] for match in people}
            assert len(links) > 8
            for link in links:
                assert served.ask(link)[0] == 200, link


def test_a_hand_is_drawn_as_a_picture_at_an_event(opened: Opened) -> None:
    ledger = opened(wrong_button())
    row = next(iter(ledger.hands(number="412")))
    with serving(ledger) as served:
        status, picture, answer = served.ask(f"/hand.svg?id={row.stream.hex}@14")
        at_start = served.ask(f"/hand.svg?id={row.stream.hex}@9")[1]
        assert served.ask("/hand.svg?id=nothing")[0] == 404
        seen_by_viewer = served.ask(f"/hand.svg?id={row.stream.hex}@14", key=VIEWER)[1]
    assert (status, answer.getheader("content-type")) == (200, "image/svg+xml")
    ET.fromstring(picture)
    assert picture != at_start
    assert "♥" in picture or "♠" in picture
    assert seen_by_viewer.count('class="card back"') > picture.count('class="card back"')
