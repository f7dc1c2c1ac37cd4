"""A fold that nobody wrote down: one slip, though every act, street and award after it looks wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ledger.vocabulary import Seat
from projections.audit.merged_findings import Spoken, is_about_table
from projections.audit.record_gaps import find_unresolved_seat
from projections.books.rulebook import BUILT_IN
from projections.sentences import record_doubts as say
from projections.timeline.hand_timeline import Timeline

_TURN_DETECTORS = ("turn.", "record_acts.act_before_turn", "tda_betting.out_of_turn")


def gather_under_missing_fold(breaches: list[Spoken], course: Timeline) -> list[Spoken]:
    """Return the breaches with one for each book about a seat that never folds, the others merged into it.

    What `record` finds of it goes under the first book that finds something.
    """
    seat = course.cached("unresolved seat", lambda: find_unresolved_seat(course))
    if seat is None:
        return breaches
    slip = _MissingFold(course, seat)
    symptoms = [clause_breach for clause_breach in breaches if slip.explains(clause_breach)]
    if not symptoms:
        return breaches
    books = list(
        dict.fromkeys(clause_breach.clause.book for clause_breach in symptoms if clause_breach.clause.book != BUILT_IN)
    )
    leaders: dict[str, Spoken] = {}
    for clause_breach in symptoms:
        book = books[0] if clause_breach.clause.book == BUILT_IN and books else clause_breach.clause.book
        if clause_breach.clause.book == book:
            leaders.setdefault(book, clause_breach)
    for clause_breach in symptoms:
        leader = leaders.get(clause_breach.clause.book) or leaders[books[0]]
        if leader is not clause_breach:
            leader.merged += [clause_breach, *clause_breach.merged]
    for leader in leaders.values():
        leader.breach = replace(leader.breach, seat=seat, saw=say.never_folds(seat), should=say.missing_fold(seat))
    return [
        clause_breach
        for clause_breach in breaches
        if not slip.explains(clause_breach) or any(clause_breach is leader for leader in leaders.values())
    ]


@dataclass(slots=True)
class _MissingFold:
    """A hand in which nothing shows that a seat folded."""

    course: Timeline
    seat: Seat

    def explains(self, clause_breach: Spoken) -> bool:
        """Whether a breach is about the seat's turn, or about what came after it."""
        if is_about_table(clause_breach):
            return False
        breach = clause_breach.breach
        if breach.seat == self.seat:
            return True
        act = next((act for act in self.course.acts if act.version == breach.version), None)
        if act is not None and act.due == self.seat and clause_breach.clause.entry.detector.startswith(_TURN_DETECTORS):
            return True
        return clause_breach.clause.entry.topic == "showdown" and self._leaves_one()

    def _leaves_one(self) -> bool:
        """Whether one hand is left without the seat, so that there was no showdown."""
        end = self.course.betting_end
        return end is not None and len(end.live - {self.seat}) == 1
