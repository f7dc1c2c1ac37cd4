"""The suite's files are well formed, name real clauses and agree with themselves."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from projections.books.rulebook import load
from tests.conformance.suite import SUITE, Case, button_cases, button_files, read_document


@pytest.mark.parametrize("path", button_files(), ids=lambda path: path.stem)
def test_every_file_follows_the_schema(path: Path) -> None:
    schema = json.loads((SUITE / "schemas" / "button.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    errors = [error.json_path for error in Draft202012Validator(schema).iter_errors(read_document(path))]
    assert not errors


def test_an_id_names_one_case() -> None:
    assert [name for name, count in Counter(case["id"] for case in button_cases()).items() if count > 1] == []


def test_at_least_sixty_cases_were_written_by_hand() -> None:
    assert sum(not case["drawn"] for case in button_cases()) >= 60


def answers_of(case: Case) -> list[dict[str, Any]]:
    expect = case["expect"]
    return expect["answers"] if "answers" in expect else [expect["cannot_tell"]]


def test_every_answer_names_clauses_of_its_edition() -> None:
    unknown = []
    for case in button_cases():
        book = load(case["rules"]["book"])
        assert case["rules"]["edition"] == book.edition, "write the cases of the new edition"
        unknown += [
            (case["id"], clause)
            for answer in answers_of(case)
            for clause in answer["clauses"]
            if clause not in book.clauses
        ]
    assert not unknown


def occupied_seats(case: Case) -> set[int]:
    occupied = set()
    for event in case["history"]:
        if event["event"] == "sit":
            assert event["seat"] not in occupied, case["id"]
            occupied.add(event["seat"])
        elif event["event"] == "leave":
            occupied.remove(event["seat"])
        elif event["event"] == "move":
            assert event["to"] not in occupied, case["id"]
            occupied.remove(event["seat"])
            occupied.add(event["to"])
        elif event["event"] == "hand":
            assert set(event["dealt"]) <= occupied, case["id"]
            assert {post["seat"] for post in event["posts"]} <= set(event["dealt"]), case["id"]
        else:
            assert event["seat"] in occupied, case["id"]
    return occupied


@pytest.mark.parametrize("path", button_files(), ids=lambda path: path.stem)
def test_only_people_who_sit_there_are_dealt_in_and_post(path: Path) -> None:
    for case in read_document(path)["cases"]:
        occupied = occupied_seats(case)
        for answer in case["expect"].get("answers", []):
            posters = {post["seat"] for post in answer["posts"]}
            judged = {seat["seat"] for seat in answer["seats"]}
            positions = [answer[name] for name in ("button", "small_blind", "big_blind") if name in answer]
            living = {position["seat"] for position in positions if not position["dead"]}
            dead = {position["seat"] for position in positions if position["dead"]}
            assert posters | judged | living <= occupied, case["id"]
            assert not posters & dead, case["id"]
