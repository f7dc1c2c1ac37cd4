"""The question of every point that a book can decide, in the order of the points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from projections.books.hand_questions import HAND_QUESTIONS
from projections.books.point_question import PointQuestion
from projections.books.seating_questions import SEATING_QUESTIONS
from projections.books.table_questions import TABLE_QUESTIONS

QUESTIONS: Final[Mapping[str, PointQuestion]] = {**TABLE_QUESTIONS, **HAND_QUESTIONS, **SEATING_QUESTIONS}
"""By the key of the point. `tests/projections/test_house_questions.py` holds it against `POINTS`."""
