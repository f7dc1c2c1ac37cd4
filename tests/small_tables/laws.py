"""What holds of every hand that is offered, whatever the audit finds: laws 2 to 4 of small tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from projections.obligations.dues import Due
from tests.evenings.ring import clockwise, strictly
from tests.small_tables.dealing import Plan

ENTERING = ("entry", "makeup")


class Dealt(NamedTuple):
    """A hand as it was dealt, and who sat where."""

    plan: Plan
    players: dict[int, str]
    made_up: dict[str, str]  # who made up blinds → on which hand, up to this one

    def has(self, seat: int | None) -> str:
        """Return who sat in a seat."""
        return "" if seat is None else self.players.get(seat, "")


def breaches(due: Due, plan: Plan, players: dict[int, str], dealt: Dealt) -> Iterator[str]:
    """Yield what is wrong with an offer, in words that do not name its seats."""
    if plan.judged:
        yield from _moves(due, plan, players, dealt)
    yield from _debts(due, plan, players, dealt)


def _moves(due: Due, plan: Plan, players: dict[int, str], dealt: Dealt) -> Iterator[str]:
    """Law 2: positions move by the book. Two players are looked at as three are."""
    if len(plan.dealt) < 3 or len(dealt.plan.dealt) < 3:
        return
    if plan.method == "dead":
        start = dealt.plan.extra or dealt.plan.big
        assert start is not None
        takers = [seat for seat in plan.dealt if all(p.seat != seat or p.role not in ENTERING for p in plan.posts)]
        if (plan.extra or plan.big) != clockwise(start, takers)[0]:
            yield "law 2: the big blind did not go to the next player"
        return
    start = dealt.plan.button
    assert start is not None
    if dealt.has(start) == players.get(plan.button or 0):
        yield "law 2: the same player has the button twice running"
    may = {seat_due.seat for seat_due in due.seats if seat_due.button is not False}
    if due.book == "bicycle":
        return  # p24a: a button that goes past a player went forward (docs/readings.md)
    for seat in plan.dealt:
        is_same_player = seat in dealt.plan.dealt and dealt.has(seat) == players.get(seat)
        if is_same_player and seat in may and plan.button is not None and strictly(start, seat, plan.button):
            yield "law 2: the button went past a player"


def _debts(due: Due, plan: Plan, players: dict[int, str], dealt: Dealt) -> Iterator[str]:
    """Laws 3 and 4: no missed blind is paid twice or escaped, and everybody who is there has a way in."""
    entering = {post.seat for post in plan.posts if post.role in ENTERING}
    bigs = {post.seat for post in plan.posts if post.role in ("big", "extra")}
    out = dict(plan.left_out)
    for seat in due.seats:
        paid = dealt.made_up.get(players[seat.seat], "")
        if paid and any(miss.hand and int(miss.hand) <= int(paid) for miss in seat.missed):
            yield "law 3: a missed blind that was made up is owed again"
        if seat.seat in plan.dealt and seat.missed and seat.seat not in entering | bigs | {plan.extra or plan.big}:
            yield "law 3: a player who missed a blind is dealt in without it"
        if out.get(seat.seat, "away") not in ("away", "no-chips") and not seat.ways_in:
            yield "law 4: a player who is there is offered no way in"
