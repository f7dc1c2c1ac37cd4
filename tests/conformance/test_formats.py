"""Our readers find in each hand of the suite what it means."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from conformance.adapters import handledger_formats
from conformance.run_formats import list_differences, run
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
    meaning = handledger_formats.read_meaning(SUITE / "formats" / case["file"], case["format"])
    assert set(meaning) == set(case["means"])
    assert list_differences(case["means"], meaning) == []


def test_pokerkit_reads_every_phh_hand_but_one_alike() -> None:
    """Where nobody knows the cards of a showdown, PokerKit shares the pot: the file doesn't say who won."""
    pytest.importorskip("pokerkit", reason="the second reader of PHH")
    from conformance.adapters import pokerkit_formats  # noqa: PLC0415 - only if PokerKit is there

    score, wrong = run(pokerkit_formats, CASES)
    assert score["right"] == sum(case["format"] == "phh" for case in CASES) - 1
    assert [line.split()[0] for line in wrong] == ["p16"]
