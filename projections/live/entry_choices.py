"""Find what players who owe or are new may choose for the next hand, and plan the hand from their choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from projections.live.next_hand import DealPlan, plan_hand

if TYPE_CHECKING:
    from ledger.table.state import TableState
    from ledger.vocabulary import Seat
    from projections.obligations.dues import Choice, Due, DuePost, SeatDue

PickKind: TypeAlias = Literal["post", "wait", "play"]
"""What a player who owes or is new does on the next hand: posts and plays, waits, or plays without a post."""


class EntryChoices:
    """The choices of a table's players for its next hand, under one book."""

    def __init__(self, state: TableState, due: Due) -> None:
        """Take the table, and the dues of its next hand."""
        self._state, self._due = state, due
        self.kinds: dict[Seat, list[PickKind]] = {} if due.unknown else dict(self._iter_kinds())

    def _iter_kinds(self) -> Iterator[tuple[Seat, list[PickKind]]]:
        """Yield the seats whose players have a choice, and what they may choose."""
        for seat_due in self._due.seats:
            seat_state = self._state.seats.get(seat_due.seat)
            if seat_state is None or seat_state.presence != "present" or seat_state.stack == 0:
                continue
            kinds = [kind for kind, is_open in self._find_open_kinds(seat_due).items() if is_open]
            if len(kinds) > 1:
                yield seat_due.seat, kinds

    def _find_open_kinds(self, seat_due: SeatDue) -> dict[PickKind, bool]:
        """Return whether a player may post, play without a post, or wait."""
        seat, choices = seat_due.seat, self._due.choices
        has_known_post = is_known(self.list_posts(seat_due))
        if _is_optional(choices, seat):
            return {
                "post": has_known_post and any(seat in choice.posting for choice in choices),
                "play": any(seat in choice.playing for choice in choices),
                "wait": any(_matches_pick(choice, seat, "wait") for choice in choices),
            }
        is_undecided = seat_due.deal == "open"
        is_free = seat_due.deal == "yes" and any(way_in.kind == "free" for way_in in seat_due.ways_in)
        may_wait = any(way_in.kind == "big-blind" and not way_in.is_on_this_hand for way_in in seat_due.ways_in)
        return {
            "post": has_known_post and seat_due.deal in ("if-posts", "open"),
            "play": is_undecided or is_free,
            "wait": is_undecided or seat_due.deal == "if-posts" or (is_free and may_wait),
        }

    def list_posts(self, seat_due: SeatDue) -> tuple[DuePost, ...]:
        """Return the posts of a player who posts now, for any positions of button and blinds."""
        posts_by_choice = (
            tuple(post for post in choice.post if post.seat == seat_due.seat)
            for choice in self._due.choices
            if seat_due.seat in choice.posting
        )
        return seat_due.post or next(posts_by_choice, ())

    def plan(self, picks: Mapping[Seat, str]) -> DealPlan:
        """Return the hand that follows from the choices. Ignore a choice that the book doesn't allow with the others."""
        allowed_picks = {seat: pick for seat, pick in picks.items() if pick in self.kinds.get(seat, ())}
        choices = self._due.choices
        plan = plan_hand(self._state, self._due)
        if choices:
            choice = max(choices, key=lambda option: _count_agreements(option, allowed_picks))
            plan = DealPlan(
                frozenset(choice.dealt), choice.placements[0], (*choice.post, *self._iter_settled_posts(choice))
            )
        for seat, pick in allowed_picks.items():
            if not _is_optional(choices, seat):
                plan = self._change_plan(plan, seat, pick)
        return plan._replace(waiting=frozenset(seat for seat in self.kinds if seat not in plan.dealt))

    def _iter_settled_posts(self, choice: Choice) -> Iterator[DuePost]:
        """Yield what dealt players post whose own choice moves neither button nor blinds, as after a change of seats."""
        for seat_due in self._due.seats:
            is_settled = seat_due.seat in choice.dealt and not _is_optional(self._due.choices, seat_due.seat)
            if is_settled and seat_due.deal == "if-posts":
                yield from seat_due.post

    def _change_plan(self, plan: DealPlan, seat: Seat, pick: str) -> DealPlan:
        """Return a plan with one player's choice, which moves neither button nor blinds."""
        other_posts = tuple(post for post in plan.entry_posts if post.seat != seat)
        if pick == "wait":
            return plan._replace(dealt=plan.dealt - {seat}, entry_posts=other_posts)
        seat_due = self._due.seat(seat)
        posts = seat_due.post if pick == "post" and seat_due is not None else ()
        return plan._replace(dealt=plan.dealt | {seat}, entry_posts=(*other_posts, *posts))


def is_known(posts: Sequence[DuePost]) -> bool:
    """Whether there are posts, and all their amounts are known."""
    return bool(posts) and all(post.live is not None and post.dead is not None for post in posts)


def _is_optional(choices: Sequence[Choice], seat: Seat) -> bool:
    """Whether a seat's choice may move button and blinds."""
    return any(seat in (*choice.posting, *choice.playing, *choice.waiting) for choice in choices)


def _matches_pick(choice: Choice, seat: Seat, pick: str) -> bool:
    """Whether a player does in this choice what was picked. A player who waits takes the big blind when it comes."""
    if pick == "post":
        return seat in choice.posting
    if pick == "play":
        return seat in choice.dealt and seat not in choice.posting
    return seat not in choice.posting and seat not in choice.playing


def _count_agreements(choice: Choice, picks: Mapping[Seat, str]) -> int:
    return sum(_matches_pick(choice, seat, pick) for seat, pick in picks.items())
