"""The pass over a crowded hand finds what the pass over any hand does, as far as it keeps it."""

from __future__ import annotations

import pytest

from projections.acts import Act, Deal
from projections.crowded import follow_crowd
from projections.timeline import Timeline
from tests.projections.test_removed import nights, whole


def counted(act: Act) -> tuple[object, ...]:
    sets = (act.waiting, act.live, act.able)
    own = [act.seat in seats for seats in sets]
    bets = (act.added, act.to, act.before, act.level, act.pot, act.raises, act.all_in, act.first)
    return act.version, act.kind, act.seat, act.street, act.due, bets, own, [len(seats) for seats in sets]


def dealt(deal: Deal) -> tuple[object, ...]:
    return deal.version, deal.event, bool(deal.open), deal.matched, deal.able, deal.again, deal.withdrawn, deal.put_back


@pytest.mark.parametrize("at", range(len(nights())))
def test_a_crowd_is_followed_as_few_are(at: int) -> None:
    _, hands, _ = whole(at)
    for hand in hands.values():
        course, crowd = Timeline(hand), Timeline(hand)
        crowd.begin()
        crowd.begin_acts()
        follow_crowd(crowd)
        assert list(map(counted, crowd.acts)) == list(map(counted, course.acts))
        assert list(map(dealt, crowd.deals)) == list(map(dealt, course.deals))
        assert set(crowd.live) == course.live
        assert (crowd.ended is None) == (course.ended is None)
        assert crowd.put == course.put
