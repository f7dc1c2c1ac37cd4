"""The questions about the seats of a tournament: drawing, balancing, breaking tables and redraws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.text.language import translatable
from projections.books.point_question import NumberRange, PointQuestion, number_answers

_SEATS: Final = NumberRange(2, 12)
SEATING_QUESTIONS: Final[Mapping[str, PointQuestion]] = {
    "seating.assigned": PointQuestion(
        translatable("How do players of a tournament get their seats?"), {"drawn": translatable("By a random draw")}
    ),
    "seating.mover": PointQuestion(
        translatable("A tournament table gives a player to another table. Who moves?"),
        {"next-big-blind": translatable("The player whose big blind comes next")},
    ),
    "seating.moved_to": PointQuestion(
        translatable("Which seat does that player get at the other table?"),
        {"worst-position": translatable("The one whose big blind comes first, never the small blind")},
    ),
    "seating.moved_to_stud": PointQuestion(
        translatable("Which seat does that player get in a stud tournament?"),
        {"last-open-seat": translatable("The one that opened last")},
    ),
    "seating.halt": PointQuestion(
        translatable("How many players fewer than the fullest table stop a tournament table?"),
        numbers=NumberRange(1, 9),
    ),
    "seating.breaking_order": PointQuestion(
        translatable("Which table of a tournament breaks first?"),
        {
            "highest-number": translatable("The one with the highest number"),
            "lowest-number": translatable("The one with the lowest number"),
        },
    ),
    "seating.redraw": PointQuestion(
        translatable("With how many tables left are all seats drawn again?"), number_answers(range(1, 11))
    ),
    "seating.final_table": PointQuestion(
        translatable("How many players may the final table have in events with eight seats or more?"), numbers=_SEATS
    ),
    "seating.final_table_short": PointQuestion(
        translatable("How many players may the final table have in events with seven seats or fewer?"), numbers=_SEATS
    ),
    "seating.late_stack": PointQuestion(
        translatable("Which stack does a late entry or a re-entry get?"),
        {"full": translatable("A full one, as at the start")},
    ),
}
