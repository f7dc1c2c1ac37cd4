"""Rulebooks are data: whole, in order, and anything wrong in one is said when it is loaded."""

from __future__ import annotations

import pytest

from ledger.errors import RulebookError
from projections.books.clause_page import explain_clause
from projections.books.rulebook import list_editions, list_names, load, read

HEAD = b"""[rulebook]
title = "House"
edition = "1"
source = "ours"
[rulebook.games]
holdem = ["holdem"]
"""
CLAUSE = b"""
[B8a.1]
says = "One straddle."
topic = "straddle"
severity = "error"
"""


CLAUSE_COUNTS = {
    "bicycle@undated-r1": 76,
    "hilton@undated-r1": 87,
    "house-burn@undated-r1": 29,
    "rrop4@4-r1": 69,
    "tda2024@2024-1.0-r1": 66,
}
"""How many clauses the first edition of each text has: 261 of the seeds, and the notes of the TDA's."""


def test_every_clause_of_the_texts_is_there() -> None:
    assert {edition: len(load(edition).clauses) for edition in CLAUSE_COUNTS} == CLAUSE_COUNTS


def test_no_edition_loses_a_clause_or_its_place_in_the_book() -> None:
    for name in list_names():
        clauses = list(load(name).clauses)
        for edition in list_editions(name):
            clauses_before = list(load(f"{name}@{edition}").clauses)
            kept_clauses = [clause for clause in clauses if clause in clauses_before]
            assert kept_clauses == clauses_before, (
                f"{name}: {edition} has these clauses in this order; a new one may stand between them"
            )


def test_clauses_keep_the_order_of_their_book() -> None:
    hilton, rrop = (list(load(edition).clauses) for edition in ("hilton@undated-r1", "rrop4@4-r1"))
    assert hilton[:4] == ["intro.1a", "intro.1b", "intro.1c", "intro.1d"]
    assert (hilton[-1], rrop[-1]) == ("B24", "holdem.6")


def test_each_clause_is_judged_or_says_why_not() -> None:
    for name in list_names():
        for clause in load(name).clauses.values():
            assert (clause.run is not None) == (clause.kind == "detector")
            assert clause.kind == "detector" or len(clause.no_detector_reason) > 1, f"{name} {clause.id}"


def test_a_wrong_name_lists_the_books() -> None:
    with pytest.raises(RulebookError, match="no rulebook called 'hiltn'") as error:
        load("hiltn")
    assert "bicycle, hilton, house-burn, rrop4, tda2024" in error.value.hint


def test_a_book_of_ones_own_is_loaded_by_its_path(tmp_path) -> None:
    book = tmp_path / "ours.toml"
    book.write_bytes(HEAD + CLAUSE + b'detector = "straddle.too_many"\nusing = { limit = 2 }\n')
    assert load(str(book)).clauses["B8a.1"].kind == "detector"
    with pytest.raises(RulebookError, match="cannot be read"):
        load(str(tmp_path / "none.toml"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b'detector = "straddle.too_manny"', "no detector 'straddle.too_manny'"),
        (b'detector = "os.system"', "no detector 'os.system'"),
        (b'detector = "straddle._permitted"', "no detector"),
        (b'detector = "straddle"', "no detector 'straddle'"),
        (b'detector = "straddle.too_many"', "needs limit"),
        (b'detector = "straddle.too_many"\nusing = { limit = "one" }', "expected `int`"),
        (b'detector = "straddle.too_many"\nusing = { limit = 1, most = 2 }', "takes no most"),
        (b'detector = "straddle.too_many"\ndefines = "it"', "exactly one of"),
        (b"", "exactly one of"),
        (b'defines = "it"\nusing = { limit = 1 }', "without a detector"),
        (b'restates = "B9"', "restates B9"),
        (b'defines = "it"\ncolour = "red"', "colour"),
        (b'defines = "it"\napplies_to = { game = "chess" }', "which games 'chess' means"),
        (b'defines = "it"\napplies_to = { format = "home" }', "home"),
    ],
)
def test_what_is_wrong_with_a_book_is_said_when_it_is_loaded(text: bytes, complaint: str) -> None:
    with pytest.raises(RulebookError, match=complaint):
        read("ours", HEAD + CLAUSE + text)


def test_bytes_that_are_no_book_are_refused() -> None:
    for data in (b"\xff\xfe", b"[", b"x = 1", HEAD.replace(b'"holdem"]', b'"chess"]'), b"[a]\n" * 2):
        with pytest.raises(RulebookError):
            read("ours", data)


def test_explain_tells_what_a_clause_needs_and_shows_a_case() -> None:
    clause_explanation = explain_clause(load("hilton"), "B8a.1")
    assert clause_explanation.detector == "straddle.too_many"
    assert clause_explanation.parameters == {"limit": 1}
    assert clause_explanation.needs == ["posts", "permissions"]
    assert "a second straddle" in clause_explanation.worked_case
    explanation = explain_clause(load("hilton"), "B8.1")
    assert explanation.kind == "restates"
    assert explanation.detector == "straddle.sleeper"
    with pytest.raises(RulebookError, match="no clause 'B99'"):
        explain_clause(load("hilton"), "B99")


def test_a_wrong_key_of_a_table_that_may_hold_itself_is_said_in_one_line() -> None:
    data = load("house-burn").data
    assert b"betting_first" in data
    with pytest.raises(RulebookError) as error:
        read("house-burn", data.replace(b"betting_first", b"bettijg_first", 1))
    assert "bettijg_first" in error.value.message
