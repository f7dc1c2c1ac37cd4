"""`why`: figures with the events, clauses and bytes that they rest on."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from ledger.store import open as open_ledger
from ledger.store.requests.stored_hands import read_hands
from projections.reports.figures import compute_figures
from tests.cli.conftest import Run
from tests.cli.test_audit_tables import file, ledger
from tests.projections.test_table_context import hand


@pytest.fixture(scope="module")
def url(sampled: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A ledger with the sample hands."""
    return str(shutil.copy(sampled, tmp_path_factory.mktemp("url")))


def explain(run: Run, url: str, *words: str) -> list[Any]:
    result = run("why", *words, "--ledger", url, "--format", "json")
    assert result.code == 0, result.err
    figures: list[Any] = result.document["figures"]
    return figures


def test_the_parts_of_every_sum_add_up_to_it_and_to_what_the_hand_came_to(url: str) -> None:
    with open_ledger(url) as book:
        rows = list(book.hands())
        for replayed_hand in read_hands(book, [row.stream for row in rows]):
            state = replayed_hand.final_state
            for figure in compute_figures(replayed_hand):
                if figure.void and figure.seat is not None:
                    assert (figure.chips, figure.parts) == (0, [])
                    continue
                assert sum(part.chips for part in figure.parts) == figure.chips
                if figure.name == "pot":
                    assert figure.chips == state.pot_size()
                if figure.name == "put" and figure.seat is not None:
                    assert figure.chips == state.chips.put_in.get(figure.seat, 0)
                if figure.name == "won" and figure.seat is not None:
                    won = state.chips.awarded.get(figure.seat, 0) + state.cash_outs.get(figure.seat, 0)
                    assert figure.chips == won


def test_every_byte_that_a_chain_names_is_the_line_it_shows(run: Run, url: str) -> None:
    line_count = 0
    for words in (
        ("712", "net"),
        ("712", "due", "-r", "hilton"),
        ("712", "finding", "-r", "hilton"),
        ("712", "big", "-r", "rrop4"),
    ):
        for figure in explain(run, url, *words):
            for step in figure["reasons"]:
                place = step["place"]
                if place is None:
                    continue
                data = Path(place["file"]).read_bytes()
                text = data[place["start"] : place["start"] + place["length"]].decode()
                assert text.rstrip("\n") == step["line"]
                assert data[: place["start"]].count(b"\n") + 1 == place["line"]
                assert run("show", step["show"], "--ledger", url).code == 0
                line_count += 1
    assert line_count > 20


def test_a_debt_leads_to_the_hands_in_which_the_blinds_were_missed(run: Run, url: str) -> None:
    (figure,) = explain(run, url, "712", "due:3", "-r", "hilton")
    assert (figure["chips"], figure["seat"], figure["book"]) == (1500, 3, "hilton")
    lines = [step["line"] for step in figure["reasons"] if step["depth"]]
    assert "left-out 3 Kim 820 away" in lines
    assert {step["show"].split("@")[0] for step in figure["reasons"] if step["depth"]} == {"T3/709", "T3/710"}
    cited = {clause["clause"]: clause["says"] for step in figure["reasons"] for clause in step["clauses"]}
    assert "B15a.1" in cited
    assert all(cited.values()), "each clause is told in words"


def test_a_finding_leads_to_its_events_and_clauses(run: Run, url: str) -> None:
    (figure,) = explain(run, url, "712", "finding", "-r", "hilton")
    (same_figure,) = explain(run, url, "712", figure["field"], "-r", "hilton")
    assert same_figure == figure
    assert "3 posts makeup 10" in [step["line"] for step in figure["reasons"]]
    assert {step["chips"] for step in figure["reasons"] if step["chips"]} == {500, -500}
    text = run("why", "712", "finding", "-r", "hilton", "--ledger", url).out
    assert re.search(r"\+\$5  Seat \d owes seat 3|\+\$5  Seat 3 owes", text)
    assert "seat 3 -$5" in text, "and what it led to is told in the same unit"


def test_without_a_field_figures_are_listed_and_an_event_picks_those_it_is_a_part_of(run: Run, url: str) -> None:
    figures = explain(run, url, "712")
    assert {"pot", "rake", "net:3", "won:8"} <= {figure["field"] for figure in figures}
    assert not any(figure["reasons"] for figure in figures)
    assert "button" not in {figure["field"] for figure in figures}, "no book was named"
    post = explain(run, url, "712@14", "-r", "hilton")
    assert {figure["field"] for figure in post} >= {"pot", "put:3", "net:3", "finding:f5c022a4"}
    assert "put:8" not in {figure["field"] for figure in post}


def test_a_table_is_asked_about_its_coming_hand(run: Run, url: str) -> None:
    (button,) = explain(run, url, "T3", "button", "-r", "rrop4")
    owed = run("due", "T3", "-r", "rrop4", "--ledger", url, "--format", "json").document
    assert button["seat"] == owed["due"][0]["placements"][0]["button"]
    assert button["reasons"]


def test_a_corrected_event_is_told_as_corrected(run: Run, tmp_path: Path) -> None:
    url = ledger(tmp_path, "l", [file(tmp_path, "a", "T1", hand(1, button=5))])
    figure_before = explain(run, url, "1", "net:1")[0]
    version = next(step["show"] for step in figure_before["reasons"] if step["chips"] < 0)
    result = run("correct", version, "1 posts small 4", "--by", "floor", "--why", "so it was", "--ledger", url)
    assert result.code in (0, 3), result.err
    figure_after = explain(run, url, "1", "net:1")[0]
    assert figure_after["chips"] == figure_before["chips"] + 1
    assert sum(step["chips"] for step in figure_after["reasons"]) == figure_after["chips"]


@pytest.mark.parametrize(
    "words",
    [
        ("712", "colour"),
        ("712", "net:x"),
        ("712", "net:77"),
        ("712", "button"),
        ("T3", "pot"),
        ("nowhere",),
        ("712", ""),
    ],
)
def test_what_cannot_be_asked_is_refused(run: Run, url: str, words: tuple[str, ...]) -> None:
    result = run("why", *words, "--ledger", url)
    assert result.code == 2
    assert "fault of handledger" not in result.err


def test_a_fact_told_between_hands_leads_to_its_own_line(run: Run, tmp_path: Path) -> None:
    """The ground of a debt may be no hand at all: a marker that somebody put there."""
    start = "game-started at 2026-11-21T19:00:00Z"
    night = file(
        tmp_path,
        "a",
        "T1",
        start,
        hand(1, button=5),
        "3 marker missed-blind",
        "3 away",
        hand(2, button=1, seats=(1, 2, 4, 5)),
    )
    url = ledger(tmp_path, "l", [night])
    steps = [
        step
        for figure in explain(run, url, "T1", "due", "-r", "rrop4")
        for step in figure["reasons"]
        if step["says"].startswith("between hands")
    ]
    assert [step["line"] for step in steps] == ["3 marker missed-blind"]
    place = steps[0]["place"]
    data = night.read_bytes()
    assert data[place["start"] : place["start"] + place["length"]].decode().rstrip("\n") == "3 marker missed-blind"
    assert data.split(b"\n")[place["line"] - 1] == b"3 marker missed-blind"


def test_what_is_printed_at_the_end_can_be_pasted_and_says_more(run: Run, url: str) -> None:
    asked_for_book = run("why", "T3", "--ledger", url).out.splitlines()[-1]
    assert "what each seat owes, name a rulebook: handledger why T3 -r rrop4" in asked_for_book
    listing = run("why", "T3", "-r", "rrop4", "--ledger", url).out
    words = listing.splitlines()[-1].partition("handledger ")[2].split()
    assert words == ["why", "T3", "button", "-r", "rrop4"]
    assert "[rrop4" in run(*words, "--ledger", url).out


def test_where_nothing_can_be_told_no_reasons_are_offered(run: Run, url: str) -> None:
    text = run("why", "T3/701", "big", "-r", "rrop4", "--ledger", url).out
    assert "big = can't tell: " in text
    assert "The reasons" not in text
