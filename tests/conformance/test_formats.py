"""Our readers find in each hand of the suite what it means."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.conformance.format_meanings import read_meaning
from tests.conformance.suite import SUITE, read_document

CASES: list[dict[str, Any]] = read_document(SUITE / "formats" / "cases.json")["cases"]
IDS = [f"{case['id']}-{case['title'].replace(' ', '-')}" for case in CASES]


def test_the_document_follows_its_schema_and_has_every_file_once() -> None:
    schema = json.loads((SUITE / "schemas" / "formats.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    document = read_document(SUITE / "formats" / "cases.json")
    assert [error.json_path for error in Draft202012Validator(schema).iter_errors(document)] == []
    files = sorted(f"hands/{path.name}" for path in (SUITE / "formats" / "hands").iterdir())
    assert sorted(case["file"] for case in CASES) == files
    assert len({case["id"] for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_chips_of_a_case_add_up(case: dict[str, Any]) -> None:
    means = case["means"]
    if means["net"] is not None:
        assert sum(means["net"].values()) == -means["rake"]
        assert sum(means["pots"]) == sum(means["won"].values()) + means["rake"]
        assert set(means["net"]) == {name for name, _ in means["players"].values()}


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_our_reader_finds_what_a_hand_means(case: dict[str, Any]) -> None:
    meaning = read_meaning(SUITE / "formats" / case["file"], case["format"])
    assert meaning == {**case["means"], "posts": sorted(case["means"]["posts"])}


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["format"] == "phh" and case["means"]["net"]], ids=lambda case: case["id"]
)
def test_pokerkit_finds_the_same_results(case: dict[str, Any]) -> None:
    """Where nobody knows the cards of a showdown, PokerKit shares the pot: such a case has no result here."""
    pokerkit = pytest.importorskip("pokerkit", reason="the second reader of PHH")
    hand = pokerkit.HandHistory.loads((SUITE / "formats" / case["file"]).read_text(encoding="utf-8"))
    *_, state = hand
    unit = 10 ** case["means"]["exponent"]
    net = {name: round(payoff * unit) for name, payoff in zip(hand.players, state.payoffs, strict=True)}
    assert net == case["means"]["net"]
