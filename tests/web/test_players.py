"""The results with statistics, and a player's page: figures with counts, a line of winnings with its numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from cli.documents.published import find_schema
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from tests.cli.test_statistics import CUT_OFF, OPEN_RAISE, SHOWDOWN, THREE_BET, write_ledger
from tests.web.serving import VIEWER, Served, serving
from web.server import player_pages


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of four hands of Ana, Bo and Cy in money and one in a tournament; one hand is cut off."""
    folder = tmp_path_factory.mktemp("players")
    url = write_ledger(
        folder,
        (OPEN_RAISE, {}),
        (THREE_BET, {}),
        (SHOWDOWN, {}),
        (CUT_OFF, {}),
        (OPEN_RAISE, {"format": "tournament", "unit": "chips"}),
    )
    with open_ledger(url) as ledger, serving(ledger) as server:
        yield server


def test_results_have_the_statistics_with_their_counts(served: Served) -> None:
    status, html, _ = served.ask("/results")
    assert status == 200
    assert '>100 % <span class="small">3/3</span>' in html  # Ana's VPIP
    assert "Not counted: 1 hand that is cut off." in html
    assert 'data-label="AF">0.0 <span class="small">0/1</span>' in html  # Ana's
    assert 'data-label="AF"><span class="small">1/0</span>' in html, (
        "Cy bet and never called: no figure, but the counts"
    )
    document = json.loads(served.ask("/results.json")[1])
    for row, figures in zip(document["results"], document["statistics"], strict=True):
        assert (row["name"], row["format"], row["hands"]) == (figures["name"], figures["format"], figures["hands"])


def test_results_by_stakes_are_statistics_alone(served: Served) -> None:
    status, html, _ = served.ask("/results?by=stakes")
    assert status == 200
    assert ">1/2 USD NL<" in html
    assert json.loads(served.ask("/results.json?by=stakes")[1])["results"] == []


def test_a_player_of_the_results_has_a_page(served: Served) -> None:
    html = served.ask("/results")[1]
    match = re.search(r'href="(/person\?id=[^"]+)">Ana<', html)
    assert match
    status, page, _ = served.ask(match[1])
    assert status == 200
    assert served.ask("/person?name=Ana")[1].count("<polyline") == page.count("<polyline") == 3
    assert "cash USD: $4 in 4 hands" in page
    assert "tournament chips: 3 chips in 1 hand<" in page
    for text in ("all $4", "at showdowns $7", "without a showdown -$3", ">BTN<", ">1/2 USD NL<"):
        assert text in page, text


def test_the_page_and_its_document_have_the_same_figures(served: Served) -> None:
    document = json.loads(served.ask("/person.json?name=Ana")[1])
    jsonschema.Draft202012Validator(find_schema("page-person")).validate(document)
    assert document["rooms"] == ["Room"]
    assert [(row["format"], row["hands"]) for row in document["totals"]] == [("cash", 4), ("tournament", 1)]
    (line,) = [line for line in document["lines"] if line["format"] == "cash"]
    assert line["points"][-1]["net"] == document["totals"][0]["net"] == 4
    assert sum(row["hands"] for row in document["positions"]) == 5


def test_a_query_narrows_a_players_page(served: Served) -> None:
    document = json.loads(served.ask("/person.json?name=Ana&q=showdown")[1])
    assert [(row["hands"], row["net"]) for row in document["totals"]] == [(1, 7)]


@pytest.mark.parametrize(
    ("address", "status"),
    [("/person", 400), ("/person?name=Nobody", 404), ("/person?id=x", 404), ("/person?name=Ana&q=pot%3E", 400)],
)
def test_who_is_not_there_has_no_page(served: Served, address: str, status: int) -> None:
    assert served.ask(address)[0] == status


def test_a_viewer_sees_players_and_asks_nothing_about_findings(served: Served) -> None:
    assert served.ask("/person?name=Ana", key=VIEWER)[0] == 200
    assert served.ask("/person?name=Ana&q=clause:B8a.1", key=VIEWER)[0] == 400


def test_a_page_does_not_count_a_long_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = write_ledger(tmp_path, (OPEN_RAISE, {}), (THREE_BET, {}))
    monkeypatch.setattr(player_pages, "_MAX_COMMITS", 3)
    with open_ledger(url) as ledger, serving(ledger) as server:
        for path in ("/results", "/person?name=Ana"):
            status, html, _ = server.ask(path)
            assert status == 200
            assert "aren't counted yet" in html
        assert ">Ana" in server.ask("/results")[1]


def test_hands_that_are_imported_later_are_on_the_page(tmp_path: Path) -> None:
    url = write_ledger(tmp_path, (OPEN_RAISE, {}))
    with open_ledger(url) as ledger, serving(ledger) as server:
        assert json.loads(server.ask("/person.json?name=Ana")[1])["totals"][0]["hands"] == 1
        write_text = (tmp_path / "night.hand").read_text().replace("hand 1 2026-11-20", "hand 2 2026-11-21")
        (tmp_path / "later.hand").write_text(write_text)
        import_paths(ledger, [tmp_path / "later.hand"])
        assert json.loads(server.ask("/person.json?name=Ana")[1])["totals"][0]["hands"] == 2
