"""A house's own book from answers: it loads, and differs from its base in the changed points only."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.errors import RulebookError
from projections.books import rulebook
from projections.books.draft_answers import LEFT_OPEN, NONE_OF_THESE, make_list_mark, read_answers
from projections.books.house_draft import (
    HouseDraft,
    find_naming_problems,
    find_needed_points,
    find_open_points,
    suggest_edition,
)
from projections.books.house_lines import EXAMPLES
from projections.books.house_questions import QUESTIONS
from projections.books.point_question import (
    PointQuestion,
    find_part_types,
    find_shape,
    list_allowed_values,
    make_answer_key,
)
from projections.books.rulebook import Rulebook
from projections.obligations.policy import POINTS
from tests.laws import FULL_SIZE

RROP = rulebook.load("rrop4")
_STRIDE = 1 if FULL_SIZE else 7
"""Of the law's drafts, each so-manyth is loaded in CI: the whole law takes half a minute."""


def draft_of(base: Rulebook, changes: dict[str, Any], *, is_own_base: bool = False) -> HouseDraft:
    return HouseDraft(base, is_own_base, changes, "Our room", "1")


def other_answers(base: Rulebook) -> Iterator[tuple[str, dict[str, str]]]:
    """Each way to change one point of a book: the point, and the fields of the form."""
    open_points, needed_points = find_open_points(base), find_needed_points(base)
    for key, point in POINTS.items():
        value, question = base.policy.value(key), QUESTIONS[key]
        if key in open_points:
            yield key, {f"{key}/off": "yes"}
        if question.parts:
            is_needed = key in needed_points
            yield from (
                (key, fields)
                for fields in _other_parts(key, value)
                if not (is_needed and "unstated" in fields.values())
            )
        else:
            yield from ((key, fields) for fields in _other_values(key, point.shape, question, value))


def _other_values(name: str, value_type: object, question: PointQuestion, value: object) -> Iterator[dict[str, str]]:
    shape = find_shape(value_type)
    if shape == "choice":
        yield from ({name: make_answer_key(other)} for other in list_allowed_values(value_type) if other != value)
    elif shape == "lines":
        yield {name: EXAMPLES[name]}
    elif shape == "number":
        assert question.numbers
        yield from ({name: f"{number:.15g}"} for number in question.numbers if value is None or number != value)
    else:
        members = value if isinstance(value, list) else []
        for member in question.answers:
            chosen = {*members} ^ {member}
            marks = [make_answer_key(other) for other in chosen] or [NONE_OF_THESE]
            yield {name: "list", **{f"{name}/{mark}": "yes" for mark in marks}}


def _other_parts(key: str, value: object) -> Iterator[dict[str, str]]:
    parts = None if value is None else msgspec.to_builtins(value)
    first_answers: dict[str, str] = {}
    for name, value_type in find_part_types(key).items():
        question = QUESTIONS[key].parts[name]
        options = list(_other_values(f"{key}/{name}", value_type, question, None if parts is None else parts[name]))  # type: ignore[arg-type]  # a part has the same fields
        if parts is None:
            first_answers |= options[0]
        else:
            yield from options
    if parts is None:
        yield first_answers


@pytest.mark.law
@pytest.mark.parametrize("name", rulebook.list_names())
def test_each_changed_point_gives_a_book_that_differs_in_that_point_only(name: str) -> None:
    base = rulebook.load(name)
    cases = list(other_answers(base))
    assert {key for key, _ in cases} == set(POINTS), "every point can be changed"
    for key, fields in cases[::_STRIDE]:
        answers = read_answers(base.policy, fields)
        assert answers.problems == {}, (key, fields)
        assert list(answers.changes) == [key], (key, fields)
        policy = draft_of(base, answers.changes).load().policy
        assert [point for point in POINTS if policy.value(point) != base.policy.value(point)] == [key], fields
        expected = answers.changes[key]
        assert policy.value(key) == expected, fields


@pytest.mark.parametrize("name", rulebook.list_names())
def test_an_untouched_form_changes_nothing(name: str) -> None:
    policy = rulebook.load(name).policy
    fields = dict.fromkeys(POINTS, "")
    for key, question in QUESTIONS.items():
        value = policy.value(key)
        if find_shape(POINTS[key].shape) == "list":
            members = value or []
            fields[key] = make_list_mark(members, is_empty=value == [])
            fields |= {f"{key}/{make_answer_key(member)}": "yes" for member in members}
            if value == []:
                fields[f"{key}/{NONE_OF_THESE}"] = "yes"
        fields |= {f"{key}/{part}": "" for part in question.parts}
    assert read_answers(policy, fields) == ({}, {})


def test_a_list_that_was_left_as_it_was_follows_another_base() -> None:
    fields = {"button.eligibility": make_list_mark(["new"], is_empty=False), "button.eligibility/new": "yes"}
    assert read_answers(rulebook.load("hilton").policy, fields) == ({}, {})


@pytest.mark.parametrize(
    "fields",
    [
        {"button.buy": "perhaps"},
        {"button.method.tournament": "<script>"},
        {"betting.raise_cap": "-1"},
        {"betting.raise_cap": "1e99"},
        {"betting.raise_cap": "nan"},
        {"betting.raise_cap": "100"},
        {"betting.raise_cap": "1.5"},
        {"betting.half": "2"},
        {"straddle.size/fixed": "yes"},
        {"missed.ways_back": "list"},
        {"missed.ways_back": "list", "missed.ways_back/post": "yes", f"missed.ways_back/{NONE_OF_THESE}": "yes"},
        {"missed.both.limit/total": "none"},
    ],
)
def test_an_answer_that_is_none_is_reported_at_its_question(fields: dict[str, str]) -> None:
    answers = read_answers(RROP.policy, fields)
    (problem_point,) = answers.problems
    assert answers.changes == {}
    assert next(iter(fields)).startswith(problem_point)


@pytest.mark.parametrize(
    ("base", "changes", "point"),
    [
        ("rrop4", {"blinds.dead_blind_posted": "cannot-arise"}, "blinds.dead_blind_posted"),
        ("rrop4", {"button.last_action_when_dead": "cannot-arise"}, "button.last_action_when_dead"),
        ("hilton", {"straddle.allowed": "no"}, "straddle.allowed"),
        ("hilton", {"straddle.clears_missed_blind": False}, "straddle.clears_missed_blind"),
        ("hilton", {"straddle.multiple": 3}, "straddle.multiple"),
        ("bicycle", {"button.buy": False}, "button.buy"),
        ("bicycle", {"button.method.tournament": "dead"}, "button.method.tournament"),
        ("rrop4", {"missed.ways_back": []}, "missed.ways_back"),
        ("rrop4", {"deal.exposed.index1": "replaced"}, "deal.exposed.index1"),
        ("rrop4", {"deal.exposed.indexes": [1]}, "deal.exposed.indexes"),
        ("rrop4", {"entry.lowball_multiple": 3}, "entry.lowball_multiple"),
        ("hilton", {"game.omaha.hole_use": []}, "game.omaha.hole_use"),
    ],
)
def test_answers_that_contradict_each_other_are_reported(base: str, changes: dict[str, Any], point: str) -> None:
    assert list(draft_of(rulebook.load(base), changes).find_problems()) == [point]


def test_a_contradiction_is_solved_by_the_other_answer() -> None:
    changes = {"deal.exposed.index1": "replaced", "deal.exposed.index2": "replaced", "deal.exposed.indexes": []}
    assert draft_of(RROP, changes).find_problems() == {}


def test_a_point_that_a_check_needs_is_not_left_open() -> None:
    open_points = find_open_points(RROP)
    assert "button.buy" not in open_points, "the book is silent there"
    assert "entry.lowball_multiple" not in open_points
    assert "button.eligibility" in open_points
    problems = draft_of(RROP, {"entry.lowball_multiple": LEFT_OPEN, "button.eligibility": LEFT_OPEN}).find_problems()
    assert list(problems) == ["entry.lowball_multiple"]
    assert "silent" in problems["entry.lowball_multiple"]
    assert ".toml" not in problems["entry.lowball_multiple"]


OWN = """[rulebook]
title = "Lantern"
edition = "7"
source = "Lantern House"
extends = "rrop4@4-r2"
notes = "since \\"spring\\""
[rulebook.games]
special = ["holdem"]
[cite]
"blinds.1.1" = "7.1"
"blinds.1.2" = "7.2"
[policy]
"button.buy" = { is = true, clauses = ["blinds.1.2"], says = "for the price of both blinds" }
"button.initial" = { off = "the dealer decides" }
"missed.option" = { is = false }
[blinds.1a.1]
says = "The button moves on."
severity = "info"
[house.1]
says = "A clause of our own, \\u00fc."
topic = "house"
severity = "info"
defines = "nothing"
"""


def test_an_amount_that_a_check_needs_is_not_unstated() -> None:
    hilton = rulebook.load("hilton")
    answers = read_answers(hilton.policy, {"missed.both.limit/live": "unstated"})
    assert list(draft_of(hilton, answers.changes).find_problems()) == ["missed.both.limit"]


def test_the_next_edition_of_a_house_s_own_book_keeps_the_rest_of_its_text() -> None:
    own = rulebook.read_house_book("lantern", (OWN.encode(),))
    assert suggest_edition(own, is_own_base=True) == "8"
    draft = HouseDraft(own, True, {"missed.option": LEFT_OPEN, "button.buy": False}, "Lantern, new", "8")
    book = draft.load("lantern")
    assert (book.title, book.edition, book.source, book.extends) == ("Lantern, new", "8", "Lantern House", "rrop4@4-r2")
    changed = [point for point in POINTS if book.policy.value(point) != own.policy.value(point)]
    assert changed == ["button.buy", "missed.option"]
    assert book.policy.clauses("button.buy") == ("7.2",)
    assert {name: clause.entry for name, clause in book.clauses.items()} == {
        name: clause.entry for name, clause in own.clauses.items()
    }
    old_tables, new_tables = tomllib.loads(OWN), tomllib.loads(draft.write())
    for tables in (old_tables, new_tables):
        del tables["policy"]
        del tables["rulebook"]["title"], tables["rulebook"]["edition"]
    assert new_tables == old_tables


def test_a_book_that_extends_none_keeps_its_clauses_and_loses_what_is_left_open() -> None:
    data = RROP.data.replace(b'title = "', b'title = "Ours: ', 1)
    own = rulebook.read_house_book("ours", (data,))
    book = HouseDraft(own, True, {"button.initial": LEFT_OPEN, "missed.option": False}, "Ours", "x-2").load("ours")
    assert book.policy.get("button.initial") is None
    assert book.policy.value("missed.option") is False
    assert book.policy.clauses("missed.option") == own.policy.clauses("missed.option")
    assert list(book.clauses) == list(own.clauses)


def test_a_book_over_another_file_of_the_house_is_written_over_the_same_file(tmp_path: Path) -> None:
    (tmp_path / "ground.toml").write_text(OWN)
    (tmp_path / "upper.toml").write_text(
        '[rulebook]\ntitle = "Upper"\nedition = "1"\nsource = "x"\nextends = "ground.toml"\n[policy]\n'
    )
    own = rulebook.load(str(tmp_path / "upper.toml"))
    book = HouseDraft(own, True, {"button.buy": False}, "Upper", "2").load("upper")
    assert book.policy.value("button.buy") is False
    assert len(book.own_files) == 2


def test_the_file_is_what_the_page_loads(tmp_path: Path) -> None:
    draft = HouseDraft(RROP, False, {"button.buy": True, "missed.ways_back": ["post"]}, 'The "Rose"', "1")
    (tmp_path / "rose.toml").write_text(draft.write(), encoding="utf-8")
    assert rulebook.load(str(tmp_path / "rose.toml")).digest == draft.load("rose").digest
    assert "May a player buy the button?" in draft.write()


@pytest.mark.parametrize("name", ["", "rrop4", "record", "adopt", "a.b", "../x", "a b", "<b>", "x" * 61, "x\n"])
def test_a_name_that_a_book_cannot_have(name: str) -> None:
    assert list(find_naming_problems(name, "Title", "1")) == ["name"]


@pytest.mark.parametrize(
    ("title", "edition", "field"),
    [
        ("", "1", "title"),
        ("a\nb", "1", "title"),
        ("t" * 121, "1", "title"),
        ("t", "", "edition"),
        ("t", "1\u202e", "edition"),
        ("t", "e" * 61, "edition"),
    ],
)
def test_a_title_or_edition_that_a_book_cannot_have(title: str, edition: str, field: str) -> None:
    assert list(find_naming_problems("my-room", title, edition)) == [field]


def test_a_hostile_title_stays_a_title() -> None:
    title = '"]\n[policy]'
    with pytest.raises(RulebookError):
        HouseDraft(RROP, False, {"button.buy": True}, title + "\x00", "1").load()
    assert HouseDraft(RROP, False, {"button.buy": True}, '"] [policy] \\', "1").load().title == '"] [policy] \\'


HOUSE_ANSWERS = {
    "house.games": "limit holdem 2/4, 4/8\nno-limit holdem 1/2: buy-in 40 to 200",
    "house.rake": "no-limit holdem: 5% up to 5, step 0.5, no flop no drop\nlimit holdem: 1 from 10, 2 from 20",
    "house.jackpot": "bad beat, holdem: aces full of jacks, both hole cards, pot from 20, 4 players or more",
}


def test_what_a_house_states_is_written_with_the_clauses_that_judge_it() -> None:
    answers = read_answers(RROP.policy, HOUSE_ANSWERS)
    assert not answers.problems
    book = draft_of(RROP, answers.changes).load("lantern")
    assert {clause: book.clauses[clause].entry.detector for clause in book.clauses if clause.startswith("house.")} == {
        "house.games.1": "spread.unlisted",
        "house.games.2": "spread.buy_in",
        "house.rake.1": "rake.too_much",
        "house.rake.2": "rake.without_flop",
        "house.rake.3": "rake.too_little",
        "house.jackpot.1": "",
    }
    assert book.policy.clauses("house.rake") == ("house.rake.1", "house.rake.2", "house.rake.3")
    assert book.policy.clauses("house.jackpot") == ("house.jackpot.1",)
    assert book.clauses["house.rake.1"].entry.says == (
        "The house takes at most: no-limit holdem: 5% up to 5, step 0.5, no flop no drop; "
        "limit holdem: 1 from 10, 2 from 20."
    )
    assert book.clauses["house.games.2"].entry.says == "Buy-ins: no-limit holdem 1/2: buy-in 40 to 200."
    assert book.clauses["house.rake.2"].entry.says.endswith("step 0.5, no flop no drop.")
    assert [point for point in POINTS if book.policy.value(point) != RROP.policy.value(point)] == [*HOUSE_ANSWERS]


def test_a_house_keeps_the_numbers_of_its_clauses_and_gets_new_words() -> None:
    first = draft_of(RROP, read_answers(RROP.policy, HOUSE_ANSWERS).changes).write().replace("house.rake.1", "R9")
    own = rulebook.read_house_book("lantern", (first.encode(),))
    answers = read_answers(own.policy, {**HOUSE_ANSWERS, "house.rake": "no-limit holdem: 10% up to 4"})
    assert list(answers.changes) == ["house.rake"]
    book = draft_of(own, answers.changes, is_own_base=True).load("lantern")
    assert book.clauses["R9"].entry.says == "The house takes at most: no-limit holdem: 10% up to 4."
    assert "house.rake.1" not in book.clauses
    assert book.clauses["house.games.1"].entry == own.clauses["house.games.1"].entry


def test_a_line_that_cannot_be_read_is_a_problem_of_its_question() -> None:
    answers = read_answers(RROP.policy, {"house.rake": "no-limit holdem: 5%\nlimit holdem: 120%"})
    assert answers.problems == {
        "house.rake": "Line 2: 120 percent is more than the pot. Write a percentage from 0 to 100, such as percent = 5."
    }
    assert not answers.changes
