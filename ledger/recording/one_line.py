"""What one line tells, which may be several facts: a hand's, and the table's before it began or when it was over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ledger.errors import UsageError
from ledger.formats.handscript.live import Taken


class LineFacts(NamedTuple):
    """Facts that are recorded together. `first`: so many events begin the hand, and stand apart from the rest."""

    table_before: Taken | None
    hand: Taken | None
    table_after: Taken | None
    opening_count: int = 0


def split_line_facts(takens: Sequence[Taken]) -> LineFacts:
    """Return what a line tells whose facts were taken one by one; `UsageError` if it tells of two hands."""
    own = [at for at, one in enumerate(takens) if one.kind == "hand"]
    if sum(takens[at].begins for at in own) > 1 or any(takens[at].ends for at in own[:-1]):
        raise UsageError("a line tells of one hand", "Write the next hand on a line of its own.")
    if not own:
        return LineFacts(_merge_taken(takens), None, None)
    first, last = own[0], own[-1] + 1
    ahead, hand, behind = takens[:first], takens[first:last], takens[last:]
    return LineFacts(
        _merge_taken(ahead), _merge_taken(hand), _merge_taken(behind), len(hand[0].events) if hand[0].begins else 0
    )


def _merge_taken(takens: Sequence[Taken]) -> Taken | None:
    if len(takens) < 2:
        return takens[0] if takens else None
    all_ = Taken(takens[0].kind, begins=takens[0].begins, ends=takens[-1].ends)
    for one in takens:
        have = len(all_.events)
        all_.events += one.events
        all_.inferred += [have + at for at in one.inferred]
        all_.times.update({have + at: moment for at, moment in one.times.items()})
    return all_
