"""What a book decides stands in its own file: typed, cited, and a silent point is absent."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Literal

import pytest

from ledger.errors import RulebookError
from projections.books.rulebook import list_names, load
from projections.obligations.policy import FALLBACKS, POINTS, MakeUp, Policy, Ruling, describe_allowed, parse_ruling

BOOKS = ("hilton", "rrop4", "bicycle", "house-burn")
MATRIX = Path(__file__).resolve().parents[3] / "shared" / "rules" / "policy_matrix.md"
BROADER_POINTS = {"button.initial.tournament": "button.initial", "entry.tournament": "entry.zone"}
"""Cells of the matrix that hold two points."""


def _id(code: str, book: str) -> str:
    """Return a clause id of the matrix as our files write it."""
    if book != "rrop4":
        return code
    return re.sub("^h[.]", "holdem.", re.sub("^b[.]", "blinds.", code))


def _cited(cell: str, book: str, known_clauses: dict[str, object]) -> set[str]:
    """Return the same with `b.9.*` and `a`-`b` ranges spelled out by the book's own order."""
    ids, order = set(), list(known_clauses)
    for code in (_id(code, book) for code in re.findall(r"`([^`]+)`", cell)):
        star = code.removesuffix("*")
        ids |= {clause_id for clause_id in known_clauses if clause_id.startswith(star)} if star != code else {code}
    for ends in re.findall(r"`([^`]+)`-`([^`]+)`", cell):
        first, last = (order.index(_id(end, book)) for end in ends)
        ids |= set(order[first : last + 1])
    return ids


@pytest.mark.data
def test_every_cell_of_the_matrix_stands_in_the_books() -> None:
    if not MATRIX.exists():
        pytest.skip("the matrix that the books were written from is not beside the checkout")
    section, points_by_book = "", {book: {} for book in BOOKS}
    for line in MATRIX.read_text("utf-8").splitlines():
        if heading := re.match(r"## ([A-Z])\. ", line):
            section = heading[1]
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if section in "ABCDEFGHI" and len(cells) == 6 and cells[0].startswith("`"):
            key = cells[0].strip("`")
            assert POINTS[key].section == section
            for book, cell in zip(BOOKS, cells[2:], strict=True):
                points_by_book[book][key] = cell
    assert (
        len(points_by_book["hilton"])
        == 116
        == len(POINTS) - len(BROADER_POINTS) - sum(point.section in "JKL" for point in POINTS.values())
    )
    for book, cells in points_by_book.items():
        rules = load(book)
        cited: dict[str, set[str]] = {}
        for key, ruled in rules.policy.rulings.items():
            if POINTS[key].section not in "JKL":
                cited.setdefault(BROADER_POINTS.get(key, key), set()).update(ruled.clauses)
        for key, cell in cells.items():
            text = f"{book} {key}: {cell}"
            if key == "entry.post.big_bet" and book == "hilton":
                assert rules.policy.value(key) == "per-game"  # "-", but B4.2 says where to look
            elif cell.startswith(("-", "n/a", "not stated")):
                assert key not in cited, text
            elif cited_ids := _cited(cell, book, rules.clauses):
                cited_told = cited.get(key, set())
                assert cited_told == cited_ids or ("*" in cell and cited_told and cited_told < cited_ids), text
            else:
                assert key in cited, text


@pytest.mark.data
def test_every_threshold_of_the_matrix_is_a_parameter_of_its_book() -> None:
    if not MATRIX.exists():
        pytest.skip("the matrix that the books were written from is not beside the checkout")
    table = MATRIX.read_text("utf-8").partition("## J. ")[2].partition("## K. ")[0]
    rows = [line for line in table.splitlines() if "`" in line and "undefined" not in line]
    assert len(rows) == 9
    codes = {code for row in rows for code in re.findall(r"`([^`]+)`", row)}
    cited = {
        clause
        for book in BOOKS
        for key, ruled in load(book).policy.rulings.items()
        if POINTS[key].section == "J" or key in ("betting.raise_cap", "seat_change.free_pass")
        for clause in ruled.clauses
    }
    codes = {_id(code, "rrop4") for code in codes}
    assert codes <= cited
    assert cited - codes == {"p06b", "blinds.14"}  # the same points without a number of their own


def test_every_ruling_cites_clauses_that_exist_and_says_something() -> None:
    for name in list_names():
        rules = load(name)
        for key, ruled in rules.policy.rulings.items():
            assert ruled.clauses, f"{name} {key}"
            assert set(ruled.clauses) <= rules.clauses.keys(), f"{name} {key}"
            assert 0 < len(ruled.says) <= 100, f"{name} {key}"


def test_silence_is_absence_and_an_unknown_point_is_a_slip() -> None:
    policy = load("house-burn").policy
    assert policy.get("button.method.cash_limit") is None
    assert policy.value("missed.marker") is None
    assert policy.clauses("missed.marker") == ()
    with pytest.raises(KeyError):
        policy.get("button.methods")


def test_values_have_the_type_of_their_point() -> None:
    hilton = load("hilton").policy
    assert hilton.value("missed.both.big_bet") == MakeUp("big", "all", "makeup-option", "capped", "all")
    assert hilton.value("straddle.max_count").most == 1
    assert hilton.value("entry.stake_boundary") == 5
    assert load("rrop4").policy.value("missed.acted").due == "next-deal"
    assert load("bicycle").policy.value("missed.zone.limit") is True


def test_a_clause_knows_the_points_it_decides() -> None:
    assert load("hilton").policy.list_decided_points("B16.3") == [
        "button.eligibility",
        "missed.zone.big_bet",
        "missed.excuses_rotation",
    ]
    assert load("hilton").policy.list_decided_points("B99") == []


def test_fallbacks_cite_nobody_and_are_of_the_right_type() -> None:
    for key, ruled in FALLBACKS.items():
        assert not ruled.clauses
        shape = POINTS[key].shape
        assert isinstance(ruled.value, MakeUp) if shape is MakeUp else parse_ruling(key, {"is": ruled.value})


@pytest.mark.parametrize(
    ("key", "table", "complaint", "hint"),
    [
        ("button.methd.tournament", {"is": "dead"}, "no policy point", "button.method.tournament"),
        ("entry.zone", {"is": "bared"}, "'bared' will not do", '"barred", "open"'),
        ("entry.zone", {"clauses": ["1"]}, "missing required field `is`", "is = value"),
        ("entry.zone", {"is": "open", "because": "x"}, "unknown field `because`", "is = value"),
        ("missed.marker", {"is": "yes"}, "'yes' will not do", "true, false"),
        ("missed.marker", {"is": 1}, "1 will not do", "true, false"),
        ("betting.raise_cap", {"is": "three"}, "'three' will not do", "whole numbers"),
        ("entry.stake_boundary", {"is": "5-10"}, "will not do", "numbers"),
        ("missed.ways_back", {"is": ["swim"]}, "will not do", 'a list of "big-blind"'),
        ("missed.both.limit", {"is": {"total": "sum", "live": "none"}}, "will not do", "bring-in"),
        ("missed.both.limit", {"is": {"total": "sum", "life": "all"}}, "will not do", "total ("),
        ("entry.zone", "open", "Expected `object`", "is = value"),
    ],
)
def test_what_is_wrong_says_what_is_allowed(key, table, complaint: str, hint: str) -> None:
    with pytest.raises(RulebookError, match=complaint) as error:
        parse_ruling(key, table)
    assert hint in error.value.hint


def test_what_is_allowed_can_be_said_of_every_point() -> None:
    for point in POINTS.values():
        assert describe_allowed(point.shape)
    assert describe_allowed(Literal["a"] | None) == '"a"'


def test_the_files_hold_no_point_twice() -> None:
    for name in list_names():
        text = (resources.files("projections") / "rulebooks" / f"{name}.toml").read_text("utf-8")
        assert list(tomllib.loads(text)["policy"]) == [key for key in POINTS if key in load(name).policy.rulings]


def test_a_policy_of_nothing_is_silent() -> None:
    assert Policy({}).get("entry.zone") is None
    assert Policy({"entry.zone": Ruling("open", ("1",))}).value("entry.zone") == "open"
