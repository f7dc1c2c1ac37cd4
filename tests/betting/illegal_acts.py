"""One illegal act in a small hand, and which clauses speak of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from ledger.hand import betting as b
from ledger.hand.bounds import bet_size, bounds, call_level
from ledger.hand.events import HandEvent
from ledger.hand.opening import BlindPosted
from ledger.hand.order import actor
from ledger.hand.state import HandState
from ledger.recording.choices import build_wager_event
from ledger.vocabulary import Chips, Seat
from tests.betting.small_hands import Decider, SmallHand, SmallTable

IllegalKind: TypeAlias = Literal[
    "limit bet of another size",
    "raise under the minimum",
    "bet over the pot",
    "raise beyond the cap",
    "opens out of turn",
]

CLAUSES: Final[dict[IllegalKind, dict[str, tuple[str, ...]]]] = {
    "limit bet of another size": {"hilton": ("B3",)},
    "raise under the minimum": {"tda2024": ("43a.1",)},
    "bet over the pot": {"bicycle": ("p27b", "p29a"), "tda2024": ("54b", "54c")},
    "raise beyond the cap": {"bicycle": ("p06b",), "tda2024": ("48b",)},
    "opens out of turn": {
        "hilton": ("B9.1", "intro.4d"),
        "rrop4": ("blinds.intro.10", "blinds.intro.11", "blinds.intro.3"),
        "bicycle": ("p02c", "p03b", "p03c"),
    },
}
"""The clauses, one of which must speak of such an act. tda2024 judges tournaments only."""


class IllegalHand(SmallHand):
    """A small hand with one illegal act, at a place drawn by chance."""

    def __init__(self, table: SmallTable, decider: Decider, kind: IllegalKind) -> None:
        super().__init__(table, decider)
        self.kind = kind
        self.broken_at = 0  # version of the illegal act, 0 = it did not come up

    def _next(self) -> tuple[HandEvent, ...]:
        seat = actor(self.state) if self.state.deal_completed else None
        if self.broken_at or seat is None or self.state.street not in ("preflop", "flop"):
            return super()._next()
        illegal = list(illegal_acts(self.state, seat, self.kind))
        if not illegal or self.decider.choose(3):
            return super()._next()
        self.broken_at = len(self.events) + 1
        return (illegal[self.decider.choose(len(illegal))],)


def illegal_acts(state: HandState, seat: Seat, kind: IllegalKind) -> Iterator[HandEvent]:
    """Yield the acts of a kind that the seat could make wrongly now; nobody goes all-in by them.

    Nothing is drawn where texts leave two readings: over a blind or a limit bet that is all-in for less.
    """
    if _has_short_blind(state):
        return
    betting = state.game.betting if state.game else ""
    legal, level = bounds(state, seat), call_level(state)
    max_bet = state.street_bet(seat) + (state.stack_left(seat) or 0) - 1
    if kind == "opens out of turn":
        if not state.round.actions and state.street == "preflop":  # most books don't say who opens later rounds
            waiting = [
                other_seat for other_seat in state.live_seats() if other_seat != seat and state.can_bet(other_seat)
            ]
            yield from (_passive(state, other_seat, level) for other_seat in waiting)
        return
    for total in _wrong_totals(state, kind, betting, level, legal.min_to, legal.max_to, legal.may_raise):
        if level < total <= max_bet:
            yield build_wager_event(state, seat, total)


def _wrong_totals(
    state: HandState,
    kind: IllegalKind,
    betting: str,
    level: Chips,
    chips: Chips,
    highest: Chips | None,
    may_raise: bool,
) -> Iterator[Chips]:
    if kind == "limit bet of another size" and betting == "limit" and may_raise:
        if not any(state.is_all_in(-seat) for seat in state.round.actions if seat < 0):
            yield from (chips + 1, chips - 1)
    elif kind == "raise under the minimum" and betting != "limit" and may_raise and level:
        yield chips - 1
    elif kind == "bet over the pot" and betting == "pot-limit" and may_raise and highest is not None:
        yield highest + 1
    elif kind == "raise beyond the cap" and betting == "limit" and state.round.full_raises >= 3 and _can_bet(state) > 2:
        yield level + bet_size(state)


def _has_short_blind(state: HandState) -> bool:
    return any(isinstance(post, BlindPosted) and post.all_in for post in state.posts)


def _can_bet(state: HandState) -> int:
    return sum(state.can_bet(seat) for seat in state.live)


def _passive(state: HandState, seat: Seat, level: Chips) -> HandEvent:
    owed = level - state.street_bet(seat)
    return b.Folded(seat) if owed > 0 else b.Checked(seat)
