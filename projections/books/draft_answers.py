"""Read the answers of a form about a house's own rules, and describe values in words.

The field of a point has the point's key as its name, that of a part `POINT/PART`, that of a list's member
`POINT/MEMBER`. An empty or missing field leaves the book's answer. A list counts if its own field holds a text: `list`,
or the members that the form showed at first (`make_list_mark`). With those same members it leaves the book's answer too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from ledger.decoders import convert
from ledger.text.language import end_sentence, is_english, join_sentences, phrase
from projections.books.house_lines import EXAMPLES, MAX_LINES, HouseLineError, read_lines, write_line
from projections.books.house_questions import QUESTIONS
from projections.books.point_question import (
    NumberRange,
    PartQuestion,
    PointQuestion,
    find_part_types,
    find_shape,
    make_answer_key,
)
from projections.obligations.house_points import HOUSE_POINTS, HouseEntry, HousePointError
from projections.obligations.policy import POINTS

if TYPE_CHECKING:
    from projections.obligations.policy import Policy

LEFT_OPEN: Final = None
"""The change of a point that the house leaves open. No point has this value."""
OFF: Final = "off"
_LIST_MARK: Final = "was:"
NONE_OF_THESE: Final = "none-of-these"
_NUMBER: Final = re.compile(r"\d{1,9}(?:[.,]\d{1,6})?", re.ASCII)
_MAX_ECHO: Final = 40


class DraftAnswers(NamedTuple):
    """The points that differ from the book, with their new values, and what is wrong with other answers."""

    changes: dict[str, Any]  # by point; `LEFT_OPEN` or a value of the point's type
    problems: dict[str, str]  # by point, in words


class AnswerError(ValueError):
    """An answer that can't be used. Its text says what to do."""


def read_answers(policy: Policy, fields: Mapping[str, str]) -> DraftAnswers:
    """Return the answers of a form that differ from a book's policy."""
    changes: dict[str, Any] = {}
    problems: dict[str, str] = {}
    for key in POINTS:
        try:
            if (change := _read_point(key, policy.value(key), fields)) is not msgspec.UNSET:
                changes[key] = change
        except AnswerError as error:
            problems[key] = str(error)
    return DraftAnswers(changes, problems)


def _read_point(key: str, base_value: object, fields: Mapping[str, str]) -> object:
    """Return a point's new value, `LEFT_OPEN`, or UNSET if the book's answer stays."""
    if fields.get(key) == OFF or fields.get(f"{key}/{OFF}"):
        return msgspec.UNSET if base_value is None else LEFT_OPEN
    question, value_type = QUESTIONS[key], POINTS[key].shape
    if not question.parts:
        value = _read_value(key, value_type, question, base_value, fields)
        return msgspec.UNSET if value == base_value else value
    return _read_table(key, question, base_value, fields)


def _read_table(key: str, question: PointQuestion, base_value: object, fields: Mapping[str, str]) -> object:
    base_parts = {} if base_value is None else msgspec.to_builtins(base_value)
    new_parts = {}
    for name, value_type in find_part_types(key).items():
        base_part = base_parts.get(name, msgspec.UNSET)
        part = _read_value(f"{key}/{name}", value_type, question.parts[name], base_part, fields)
        if part is not msgspec.UNSET and part != base_part:
            new_parts[name] = part
    if not new_parts:
        return msgspec.UNSET
    try:
        value = convert({**base_parts, **new_parts}, POINTS[key].shape, strict=True)
    except msgspec.ValidationError:
        raise AnswerError(phrase("Answer each part of this question.")) from None
    return msgspec.UNSET if value == base_value else value


def _read_value(
    name: str, value_type: object, question: PointQuestion | PartQuestion, base_value: object, fields: Mapping[str, str]
) -> object:
    """Return the value of one field, or the base's value if nothing was answered."""
    shape = find_shape(value_type)
    text = fields.get(name, "").strip()
    if not text:
        return msgspec.UNSET if base_value is None and shape != "choice" else _keep_base(base_value)
    if shape == "lines":
        return _read_lines(name, text)
    if shape == "list":
        return _read_list(name, question, base_value, fields)
    if shape == "number":
        return _read_number(text, question.numbers, is_whole=value_type is int)
    for value in question.answers:
        if make_answer_key(value) == text:
            return value
    raise AnswerError(phrase("{answer} is none of the answers. Choose one of them.", answer=repr(text[:_MAX_ECHO])))


def _keep_base(base_value: object) -> object:
    return msgspec.UNSET if base_value is None else base_value


def _read_list(
    name: str, question: PointQuestion | PartQuestion, base_value: object, fields: Mapping[str, str]
) -> object:
    base_members = base_value if isinstance(base_value, list) else []
    members = [
        member for member in list_members(question, base_members) if fields.get(f"{name}/{make_answer_key(member)}")
    ]
    is_empty = bool(fields.get(f"{name}/{NONE_OF_THESE}"))
    if fields[name].strip() == make_list_mark(members, is_empty=is_empty):
        return _keep_base(base_value)
    if members and is_empty:
        raise AnswerError(phrase("Choose either some of these or none of these."))
    if not members and not is_empty:
        if not isinstance(base_value, list):
            return msgspec.UNSET
        raise AnswerError(phrase("Choose at least one, or “none of these”."))
    return base_value if set(members) == set(base_members) and isinstance(base_value, list) else members


def _read_lines(point: str, text: str) -> list[HouseEntry]:
    try:
        return read_lines(point, text)
    except HousePointError as error:
        raise AnswerError(_explain_line_error(point, error)) from None


def _explain_line_error(point: str, error: HousePointError) -> str:
    """Return why lines can't be read. Only English has the reason, because the words of the lines are English."""
    if is_english():
        return join_sentences([end_sentence(f"{str(error)[:1].upper()}{str(error)[1:]}"), error.hint])
    if isinstance(error, HouseLineError):
        return phrase(
            "Line {number} can't be read. An example: {example}",
            number=error.line_number,
            example=EXAMPLES[point].splitlines()[-1],
        )
    return phrase("Write at most {number} lines.", number=MAX_LINES)


def list_members(question: PointQuestion | PartQuestion, members: list[Any]) -> list[Any]:
    """Return the members that a list may have, and those that it has though no answer names them."""
    return [*question.answers, *(member for member in members if member not in question.answers)]


def make_list_mark(members: list[Any], *, is_empty: bool) -> str:
    """Return the text of a list's own field for the members that a form shows at first."""
    return _LIST_MARK + ",".join(sorted([*map(make_answer_key, members), *([NONE_OF_THESE] if is_empty else [])]))


def _read_number(text: str, numbers: NumberRange | None, *, is_whole: bool) -> float:
    bounds = numbers or NumberRange(0, 0)
    number = float(text.replace(",", ".")) if _NUMBER.fullmatch(text) else None
    is_in_bounds = number is not None and bounds.minimum <= number <= bounds.maximum
    if number is None or not is_in_bounds or (is_whole and number != int(number)):
        raise AnswerError(_describe_bounds(bounds, is_whole=is_whole))
    return int(number) if is_whole else number


def _describe_bounds(bounds: NumberRange, *, is_whole: bool) -> str:
    """Return which numbers an answer may have."""
    minimum, maximum = f"{bounds.minimum:g}", f"{bounds.maximum:,.15g}"
    if is_whole:
        return phrase("Write a whole number from {least} to {most}.", least=minimum, most=maximum)
    return phrase("Write a number from {least} to {most}, such as 0.5.", least=minimum, most=maximum)


def describe_value(key: str, value: object, translate: Callable[[str], str] = phrase) -> str:
    """Return a point's value in words. `translate`: how a message is turned into the reader's language."""
    question = QUESTIONS[key]
    if key in HOUSE_POINTS:
        return "; ".join(map(write_line, value)) if isinstance(value, list) else ""
    if not question.parts:
        return _describe_answer(question, value, translate)
    parts = msgspec.to_builtins(value)
    return " ".join(
        f"{translate(part.text)} {_describe_answer(part, parts.get(name), translate)}."
        for name, part in question.parts.items()
        if parts.get(name) != ""
    )


def describe_part(key: str, name: str, value: object) -> str:
    """Return the value of one part of a point in words."""
    return _describe_answer(QUESTIONS[key].parts[name], value, phrase)


def _describe_answer(question: PointQuestion | PartQuestion, value: object, translate: Callable[[str], str]) -> str:
    if isinstance(value, list):
        return ", ".join(_describe_answer(question, member, translate) for member in value) or translate(
            "None of these"
        )
    if value in question.answers and (isinstance(value, bool) or not _is_number(value)):
        return translate(question.answers[value])
    return f"{value:g}" if isinstance(value, float) else str(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
