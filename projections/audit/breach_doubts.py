"""What is doubtful of the record that a breach rests on: of its hand, and of those before it."""

from __future__ import annotations

from ledger.hand.ending import LineUnread
from ledger.replay import PlayedHand
from projections.addresses.hand_reference import Hand
from projections.audit.derived_values import derived_doubt
from projections.audit.merged_findings import Spoken
from projections.audit.record_gaps import incoherent
from projections.books.rulebook import BUILT_IN, Clause
from projections.findings.doubts import CONTRADICTIONS, NearestDoubts
from projections.sentences.record_doubts import contradictory, line_not_read
from projections.table_walk.table_context import ContextsByBook
from projections.timeline.hand_timeline import Timeline


def breach_doubts(
    hand: PlayedHand, one: Spoken, course: Timeline, who: Hand, contexts: ContextsByBook | None, book: str, *, odd: bool
) -> NearestDoubts:
    """Return what is doubtful of the record that a breach rests on: of its hand, and of those before."""
    doubts, farther_count = [], 0
    unread_versions = course.cached("unread", lambda: frozenset(version for version, _ in course.of(LineUnread)))
    if one.breach.version in unread_versions:
        return NearestDoubts([])  # that the line was not understood is certain
    if unread_versions or (contexts is not None and contexts.unread_lines.in_hand):
        doubts.append(line_not_read(who.number))
    if odd and not contradicts(one.clause):
        doubts.append(contradictory(who.number))
    if derived := derived_doubt(hand, course, one.breach, who.number):
        doubts.append(derived)
    if not contradicts(one.clause):
        oddities = course.cached("incoherent", lambda: incoherent(course))
        doubts += [doubt for doubt, exempt_versions in oddities if one.breach.version not in exempt_versions]
    spec = one.clause.spec
    if contexts is not None and spec is not None and spec.reads_table:
        seat = None if spec.subject == "places" else one.breach.seat
        for doubted_seat in dict.fromkeys((seat, *one.breach.rests_on)):
            earlier_doubts, farther = contexts[book].doubts(doubted_seat)
            doubts += (doubt for doubt in earlier_doubts if doubt not in doubts)
            farther_count = max(farther_count, farther)
    return NearestDoubts(doubts, farther_count)


def contradicts(clause: Clause) -> bool:
    """Whether a breach of the clause says that the hand's record does not agree with itself."""
    return clause.book == BUILT_IN and clause.id in CONTRADICTIONS
