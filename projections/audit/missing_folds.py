"""Merge the breaches that one unrecorded fold causes: after it, every act, street and award looks wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ledger.vocabulary import Seat
from projections.audit.merged_findings import ClauseBreach, is_about_table
from projections.audit.record_gaps import find_unresolved_seat
from projections.books.rulebook import BUILT_IN
from projections.sentences import record_doubts as say
from projections.timeline.hand_timeline import Timeline

_TURN_DETECTORS = ("turn.", "record_acts.act_before_turn", "tda_betting.out_of_turn")


def merge_under_missing_fold(breaches: list[ClauseBreach], timeline: Timeline) -> list[ClauseBreach]:
    """Return the breaches, with all that an unrecorded fold explains merged into one breach for each book.

    Breaches of `record` merge into the breach of the first other book, if there is one.
    """
    seat = timeline.cached("unresolved seat", lambda: find_unresolved_seat(timeline))
    if seat is None:
        return breaches
    missing_fold = _UnrecordedFold(timeline, seat)
    explained = [clause_breach for clause_breach in breaches if missing_fold.explains(clause_breach)]
    if not explained:
        return breaches
    leaders = _choose_leaders(explained)
    for clause_breach in explained:
        leader = leaders.get(clause_breach.clause.book) or next(iter(leaders.values()))
        if leader is not clause_breach:
            leader.merged_breaches += [clause_breach, *clause_breach.merged_breaches]
    for leader in leaders.values():
        leader.breach = replace(leader.breach, seat=seat, saw=say.never_folds(seat), should=say.missing_fold(seat))
    return [
        clause_breach
        for clause_breach in breaches
        if not missing_fold.explains(clause_breach) or any(clause_breach is leader for leader in leaders.values())
    ]


def _choose_leaders(explained: list[ClauseBreach]) -> dict[str, ClauseBreach]:
    """Return the first breach of each book, into which the others merge; one of `record` only if there's no other."""
    leaders: dict[str, ClauseBreach] = {}
    for clause_breach in explained:
        leaders.setdefault(clause_breach.clause.book, clause_breach)
    if len(leaders) > 1:
        leaders.pop(BUILT_IN, None)
    return leaders


@dataclass(slots=True)
class _UnrecordedFold:
    """A fold that isn't recorded, in one hand and seat."""

    timeline: Timeline
    seat: Seat

    def explains(self, clause_breach: ClauseBreach) -> bool:
        """Whether the missing fold explains a breach about the seat, its turn, or a showdown that never happened."""
        if is_about_table(clause_breach):
            return False
        breach = clause_breach.breach
        if breach.seat == self.seat:
            return True
        act = next((act for act in self.timeline.acts if act.version == breach.version), None)
        if (
            act is not None
            and act.seat_to_act == self.seat
            and clause_breach.clause.entry.detector.startswith(_TURN_DETECTORS)
        ):
            return True
        return clause_breach.clause.entry.topic == "showdown" and self._leaves_one_hand()

    def _leaves_one_hand(self) -> bool:
        """Whether only one live hand remains without the seat, so that there was no showdown."""
        end = self.timeline.betting_end
        return end is not None and len(end.live_seats - {self.seat}) == 1
