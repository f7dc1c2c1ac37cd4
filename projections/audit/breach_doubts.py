"""Find the doubts that make a breach likely instead of certain: gaps in the record of its hand and of earlier hands."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.hand.ending import LineUnread
from ledger.replay import HandReplay
from ledger.vocabulary import Seat
from projections.addresses.hand_reference import Hand
from projections.audit.derived_values import describe_derived_doubt
from projections.audit.merged_findings import ClauseBreach
from projections.audit.record_gaps import find_oddities
from projections.books.rulebook import BUILT_IN, Clause
from projections.findings.doubts import CONTRADICTIONS, NearestDoubts
from projections.sentences.record_doubts import contradictory, line_not_read
from projections.table_walk.table_context import ContextsByBook, TableContext
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
    version = clause_breach.breach.version
    unread_versions = timeline.cached("unread", lambda: frozenset(version for version, _ in timeline.of(LineUnread)))
    if version in unread_versions:
        return NearestDoubts([])  # the breach is the unread line itself, which is certain
    doubts = []
    if unread_versions or (contexts is not None and contexts.unread_lines.in_hand):
        doubts.append(line_not_read(hand_reference.number))
    is_about_contradiction = is_contradiction(clause_breach.clause)
    if is_contradictory and not is_about_contradiction:
        doubts.append(contradictory(hand_reference.number))
    if derived := describe_derived_doubt(hand, timeline, clause_breach.breach, hand_reference.number):
        doubts.append(derived)
    if not is_about_contradiction:
        oddities = timeline.cached("incoherent", lambda: find_oddities(timeline))
        doubts += [oddity.doubt for oddity in oddities if version not in oddity.exempt_versions]
    spec = clause_breach.clause.spec
    if contexts is None or spec is None or not spec.reads_table:
        return NearestDoubts(doubts)
    # Without a seat, the doubts are about the positions.
    _, seat = (0, None) if spec.subject == "places" else clause_breach.breach.key
    return _add_table_doubts(doubts, contexts[book], (seat, *clause_breach.breach.rests_on))


def _add_table_doubts(doubts: list[str], context: TableContext, seats: Iterable[Seat | None]) -> NearestDoubts:
    """Return the doubts about a hand with those that earlier hands leave about these seats."""
    farther_count = 0
    for seat in dict.fromkeys(seats):
        earlier_doubts, seat_farther_count = context.list_doubts(seat)
        doubts += (doubt for doubt in earlier_doubts if doubt not in doubts)
        farther_count = max(farther_count, seat_farther_count)
    return NearestDoubts(doubts, farther_count)


def is_contradiction(clause: Clause) -> bool:
    """Whether a breach of this clause means that the hand's record contradicts itself."""
    return clause.book == BUILT_IN and clause.id in CONTRADICTIONS
