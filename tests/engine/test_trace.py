"""The trace of a hand beside the pass that detectors look at: every field of every act, street and end."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from ledger.hand.trace import HandTrace, trace
from projections.acts import Wagers
from projections.timeline import Timeline
from tests.engine import hands
from tests.engine.views import deal_view
from tests.laws import size

FIELDS = (
    *("version", "kind", "seat", "street", "added", "to", "before", "level", "pot", "due", "waiting", "live"),
    *("able", "raises", "all_in", "first", "pending", "call", "gain"),
)


@pytest.mark.law
def test_the_trace_notes_what_the_pass_finds() -> None:
    every = size(4, 1)
    for table in [*list(hands.pages())[::every], *hands.evenings(1), *hands.damaged(size(2, 100))]:
        for hand in table.hands:
            assert seen(trace(hand.numbered)) == passed(Timeline(hand)), hand.numbered
            assert trace(hand.numbered).state == hand.final


def seen(found: HandTrace) -> tuple[object, ...]:
    ended = found.betting_end
    return (
        acts(found.acts),
        [deal_view(deal) for deal in (*found.street_deals, *found.later_runs)],
        ended and (ended.version, ended.street, ended.open, ended.matched, ended.live),
        (found.undone, found.first_act, found.live, {seat: much for seat, much in found.put_in.items() if much}),
    )


def passed(hand: Timeline) -> tuple[object, ...]:
    ended = hand.ended
    return (
        acts(hand.acts),
        [deal_view(deal) for deal in (*hand.deals, *hand.others)],
        ended and (ended.version, ended.street, ended.open, ended.matched, ended.live),
        (hand.undone, hand.first_act, hand.live, {seat: much for seat, much in hand.put.items() if much}),
    )


def acts(found: Iterable[object]) -> list[tuple[object, ...]]:
    return [(*(getattr(act, name) for name in FIELDS), levels(getattr(act, "wagers"))) for act in found]  # noqa: B009


def levels(wagers: Wagers) -> list[tuple[int, int]]:
    found, last = [], wagers
    while last.before is not None:
        found.append((last.level, last.largest_step))
        last = last.before
    return found
