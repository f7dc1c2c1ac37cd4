"""What is doubtful of the record that a breach rests on: of its hand, and of those before it."""

from __future__ import annotations

from ledger.hand.ending import LineUnread
from projections.addresses.hand_reference import Hand
from projections.audit.merged_findings import Spoken
from projections.audit.record_gaps import incoherent
from projections.books.rulebook import BUILT_IN, Clause
from projections.findings.doubts import CONTRADICTIONS, Doubted, contradicting
from projections.table_walk.table_context import TableContexts
from projections.timeline.hand_timeline import Timeline


def breach_doubts(
    one: Spoken, course: Timeline, who: Hand, contexts: TableContexts | None, book: str, *, odd: bool
) -> Doubted:
    """Return what is doubtful of the record that a breach rests on: of its hand, and of those before."""
    found, more = [], 0
    unread = course.once("unread", lambda: frozenset(version for version, _ in course.of(LineUnread)))
    if one.breach.version in unread:
        return Doubted([])  # that the line was not understood is certain
    if unread or (contexts is not None and contexts.spoiled.within):
        found.append(f"a line of hand {who.number} was not understood")
    if odd and not contradicts(one.clause):
        found.append(contradicting(who.number))
    if not contradicts(one.clause):
        shown = course.once("incoherent", lambda: incoherent(course))
        found += [says for says, own in shown if one.breach.version not in own]
    trait = one.clause.trait
    if contexts is not None and trait is not None and trait.table:
        seat = None if trait.about == "places" else one.breach.seat
        for at in dict.fromkeys((seat, *one.breach.rests_on)):
            before, farther = contexts[book].doubts(at)
            found += (says for says in before if says not in found)
            more = max(more, farther)
    return Doubted(found, more)


def contradicts(clause: Clause) -> bool:
    """Whether a breach of the clause says that the hand's record does not agree with itself."""
    return clause.book == BUILT_IN and clause.id in CONTRADICTIONS
