"""Plain questions about the points that a book decides, with an answer in words for each value.

`projections.books.house_questions.QUESTIONS` has one for each point of `projections.obligations.policy.POINTS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias, get_args, get_origin, get_type_hints

import msgspec

from ledger.text.language import translatable
from projections.obligations.policy import POINTS

Shape: TypeAlias = Literal["choice", "number", "list", "table", "lines"]
"""How a point is answered: one of some values, a number, a list of values, a value for each part of a table, or lines.

Each line is an entry of a list that a house states: `projections.books.house_lines`.
"""


class NumberRange(NamedTuple):
    """The numbers that an answer may have."""

    minimum: float
    maximum: float


class PartQuestion(NamedTuple):
    """One part of a point that has several."""

    text: str
    answers: Mapping[object, str] = {}  # by value; for a list, by member
    numbers: NumberRange | None = None


class PointQuestion(NamedTuple):
    """The question of a point, as a manager of a card room would be asked."""

    text: str
    answers: Mapping[object, str] = {}  # by value; for a list, by member
    numbers: NumberRange | None = None
    parts: Mapping[str, PartQuestion] = {}  # of a table, by the field's name in a book's file


YES_NO: Final[Mapping[object, str]] = {True: translatable("Yes"), False: translatable("No")}
COUNTS: Final = NumberRange(0, 99)
BLINDS: Final = NumberRange(0, 1000)
"""Multiples of the big blind."""
PART_OF_ONE: Final = NumberRange(0, 1)


def number_answers(numbers: range) -> dict[object, str]:
    """Return answers that are whole numbers."""
    return {number: str(number) for number in numbers}


def find_shape(value_type: object) -> Shape:
    """Return how a value of this type is answered.

    >>> find_shape(bool), find_shape(int), find_shape(list[int])
    ('choice', 'number', 'list')
    """
    if get_origin(value_type) is list:
        return "lines" if _is_struct(get_args(value_type)[0]) else "list"
    if value_type in (int, float):
        return "number"
    return "table" if _is_struct(value_type) else "choice"


def _is_struct(value_type: object) -> bool:
    return isinstance(value_type, type) and issubclass(value_type, msgspec.Struct)


@cache
def find_part_types(point_key: str) -> Mapping[str, object]:
    """Return the types of a table's parts, by the field's name in a book's file; {} for a point without parts."""
    shape = POINTS[point_key].shape
    if not (isinstance(shape, type) and issubclass(shape, msgspec.Struct)):
        return {}
    hints = get_type_hints(shape)
    return {field.encode_name: hints[field.name] for field in msgspec.structs.fields(shape)}


def list_allowed_values(value_type: object) -> list[object]:
    """Return the values of a type that has finitely many, or the members of a list type; [] for other types.

    >>> list_allowed_values(bool), list_allowed_values(list[Literal["small", "button"]]), list_allowed_values(int)
    ([True, False], ['small', 'button'], [])
    """
    if get_origin(value_type) is list:
        return list_allowed_values(get_args(value_type)[0])
    if value_type is bool:
        return [True, False]
    if get_origin(value_type) is Literal:
        return list(get_args(value_type))
    members = get_args(value_type)
    return [value for member in members for value in ([None] if member is type(None) else list_allowed_values(member))]


def make_answer_key(value: object) -> str:
    """Return the word for a value in a form.

    >>> make_answer_key(True), make_answer_key(None), make_answer_key(""), make_answer_key("dead"), make_answer_key(2)
    ('yes', 'unstated', 'none', 'dead', '2')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "unstated" if value is None else str(value) or "none"
