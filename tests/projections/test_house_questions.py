"""Every point that a book decides has a question, and every value an answer in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args, get_origin

import pytest

from projections.books import rulebook
from projections.books.draft_answers import describe_value
from projections.books.house_lines import EXAMPLES, read_lines
from projections.books.house_questions import QUESTIONS
from projections.books.point_question import (
    PartQuestion,
    PointQuestion,
    find_part_types,
    find_shape,
    list_allowed_values,
    make_answer_key,
)
from projections.books.policy_conflicts import find_conflicts
from projections.obligations.policy import POINTS


def asked() -> Iterator[tuple[str, object, PointQuestion | PartQuestion]]:
    """Every question and part of one, with the type of its value."""
    for key, point in POINTS.items():
        types = find_part_types(key)
        if not types:
            yield key, point.shape, QUESTIONS[key]
        for name, value_type in types.items():
            yield f"{key}/{name}", value_type, QUESTIONS[key].parts[name]


def test_every_point_has_a_question_in_the_order_of_the_points() -> None:
    assert list(QUESTIONS) == list(POINTS)
    for key in POINTS:
        assert list(QUESTIONS[key].parts) == list(find_part_types(key)), key


@pytest.mark.parametrize(
    ("name", "value_type", "question"), list(asked()), ids=lambda part: part if isinstance(part, str) else ""
)
def test_every_value_has_an_answer(name: str, value_type: object, question: PointQuestion | PartQuestion) -> None:
    shape, values = find_shape(value_type), list_allowed_values(value_type)
    if shape == "lines":
        assert len(read_lines(name, EXAMPLES[name])) > 0
    elif shape == "number":
        assert question.numbers is not None, name
        assert question.numbers.minimum < question.numbers.maximum
    elif values:
        assert list(question.answers) == values, name
    else:
        assert get_origin(value_type) is list, name
        assert all(isinstance(member, get_args(value_type)[0]) for member in question.answers), name
        assert question.answers, name
    texts, keys = list(question.answers.values()), [make_answer_key(value) for value in question.answers]
    assert len(set(texts)) == len(texts), f"{name}: two answers read alike"
    assert len(set(keys)) == len(keys), f"{name}: two answers are sent alike"


def test_questions_are_questions() -> None:
    for key, question in QUESTIONS.items():
        for text in (question.text, *(part.text for part in question.parts.values())):
            assert "?" in text, key
            assert "{" not in text, key
    texts = [question.text for question in QUESTIONS.values()]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("name", rulebook.list_names())
def test_what_a_book_decides_can_be_said_in_words(name: str) -> None:
    for key, ruling in rulebook.load(name).policy.rulings.items():
        text = describe_value(key, ruling.value)
        assert text, key
        assert "Literal" not in text
        assert "None" not in text.replace("None of these", ""), key


@pytest.mark.parametrize("name", rulebook.list_names())
def test_no_book_of_the_program_contradicts_itself(name: str) -> None:
    assert find_conflicts(rulebook.load(name).policy) == []
