"""Find the doubts that make a breach likely instead of certain: gaps in the record of its hand and of earlier hands."""

from __future__ import annotations

from ledger.hand.ending import LineUnread
from ledger.replay import HandReplay
from projections.addresses.hand_reference import Hand
from projections.audit.derived_values import describe_derived_doubt
from projections.audit.merged_findings import ClauseBreach
from projections.audit.record_gaps import find_oddities
from projections.books.rulebook import BUILT_IN, Clause
from projections.findings.doubts import CONTRADICTIONS, NearestDoubts
from projections.sentences.record_doubts import contradictory, line_not_read
from projections.table_walk.table_context import ContextsByBook
from projections.timeline.hand_timeline import Timeline


def find_breach_doubts(
    hand: HandReplay,
    clause_breach: ClauseBreach,
    timeline: Timeline,
    hand_reference: Hand,
    contexts: ContextsByBook | None,
    book: str,
    *,
    is_contradictory: bool,
) -> NearestDoubts:
    """Return the doubts about a breach, nearest first. `is_contradictory`: the hand's record contradicts itself."""
    doubts, farther_count = [], 0
    unread_versions = timeline.cached("unread", lambda: frozenset(version for version, _ in timeline.of(LineUnread)))
    if clause_breach.breach.version in unread_versions:
        return NearestDoubts([])  # the breach is the unread line itself, which is certain
    if unread_versions or (contexts is not None and contexts.unread_lines.in_hand):
        doubts.append(line_not_read(hand_reference.number))
    if is_contradictory and not is_contradiction(clause_breach.clause):
        doubts.append(contradictory(hand_reference.number))
    if derived := describe_derived_doubt(hand, timeline, clause_breach.breach, hand_reference.number):
        doubts.append(derived)
    if not is_contradiction(clause_breach.clause):
        oddities = timeline.cached("incoherent", lambda: find_oddities(timeline))
        doubts += [doubt for doubt, exempt_versions in oddities if clause_breach.breach.version not in exempt_versions]
    spec = clause_breach.clause.spec
    if contexts is not None and spec is not None and spec.reads_table:
        # Without a seat, the doubts are about the positions.
        seat = None if spec.subject == "places" else clause_breach.breach.seat
        for doubted_seat in dict.fromkeys((seat, *clause_breach.breach.rests_on)):
            earlier_doubts, farther = contexts[book].doubts(doubted_seat)
            doubts += (doubt for doubt in earlier_doubts if doubt not in doubts)
            farther_count = max(farther_count, farther)
    return NearestDoubts(doubts, farther_count)


def is_contradiction(clause: Clause) -> bool:
    """Whether a breach of this clause means that the hand's record contradicts itself."""
    return clause.book == BUILT_IN and clause.id in CONTRADICTIONS
