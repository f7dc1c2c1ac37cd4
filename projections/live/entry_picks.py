"""What players who owe or are new may choose for the next hand, and the hand that follows from their choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ledger.text.language import phrase
from projections.amount_text import amount
from projections.live.next_hand import DealPlan, plan_hand
from projections.live.table_offers import OfferReason, Pick, PickKind, quote_grounds
from projections.sentences import due_list as say

if TYPE_CHECKING:
    from ledger.formats.handscript.context import Settings
    from ledger.table.state import TableState
    from ledger.vocabulary import Seat
    from projections.books.rulebook import Rulebook
    from projections.obligations.dues import Choice, Due, DuePost, SeatDue

_WAYS_OF_PICKS: Final[Mapping[PickKind, str]] = {"post": "post", "wait": "big-blind", "play": "free"}


class EntryPicks:
    """The choices of a table's players for its next hand, under one book."""

    def __init__(self, state: TableState, due: Due, book: Rulebook, settings: Settings) -> None:
        """Take the table, the dues of its next hand, their book, and how the table writes amounts."""
        self._state, self._due, self._book, self._settings = state, due, book, settings
        self._kinds = {} if due.unknown else dict(self._iter_kinds())

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
        has_known_post = _is_known(self._list_posts(seat_due))
        if _is_optional(choices, seat):
            return {
                "post": has_known_post and any(seat in choice.posting for choice in choices),
                "play": any(seat in choice.playing for choice in choices),
                "wait": any(_agrees(choice, seat, "wait") for choice in choices),
            }
        is_undecided = seat_due.deal == "open"
        is_free = seat_due.deal == "yes" and any(way_in.kind == "free" for way_in in seat_due.ways_in)
        may_wait = any(way_in.kind == "big-blind" and not way_in.is_on_this_hand for way_in in seat_due.ways_in)
        return {
            "post": has_known_post and seat_due.deal in ("if-posts", "open"),
            "play": is_undecided or is_free,
            "wait": is_undecided or seat_due.deal == "if-posts" or (is_free and may_wait),
        }

    def _list_posts(self, seat_due: SeatDue) -> tuple[DuePost, ...]:
        """Return what a player posts who posts now, wherever button and blinds are then."""
        posts_by_choice = (
            tuple(post for post in choice.post if post.seat == seat_due.seat)
            for choice in self._due.choices
            if seat_due.seat in choice.posting
        )
        return seat_due.post or next(posts_by_choice, ())

    def plan(self, picks: Mapping[Seat, str]) -> DealPlan:
        """Return the hand that the choices lead to. A choice that the book doesn't allow with the others is left out."""
        allowed_picks = {seat: pick for seat, pick in picks.items() if pick in self._kinds.get(seat, ())}
        choices = self._due.choices
        plan = plan_hand(self._state, self._due)
        if choices:
            choice = max(choices, key=lambda option: _count_agreements(option, allowed_picks))
            plan = DealPlan(frozenset(choice.dealt), choice.placements[0], choice.post)
        for seat, pick in allowed_picks.items():
            if not _is_optional(choices, seat):
                plan = self._change_plan(plan, seat, pick)
        return plan._replace(waiting=frozenset(seat for seat in self._kinds if seat not in plan.dealt))

    def _change_plan(self, plan: DealPlan, seat: Seat, pick: str) -> DealPlan:
        """Return a plan with one player's choice, which moves neither button nor blinds."""
        other_posts = tuple(post for post in plan.entry_posts if post.seat != seat)
        if pick == "wait":
            return plan._replace(dealt=plan.dealt - {seat}, entry_posts=other_posts)
        seat_due = self._due.seat(seat)
        posts = seat_due.post if pick == "post" and seat_due is not None else ()
        return plan._replace(dealt=plan.dealt | {seat}, entry_posts=(*other_posts, *posts))

    def list_picks(self, seat: Seat, plan: DealPlan) -> list[Pick]:
        """Return the choices of a seat's player; `plan`: the hand as it is drawn."""
        seat_due, kinds = self._due.seat(seat), self._kinds.get(seat)
        if seat_due is None or kinds is None:
            return []
        chosen_kind = _find_chosen_kind(seat, kinds, plan)
        return [
            Pick(
                pick=kind,
                label=self._describe_pick(kind, seat_due, plan),
                is_chosen=kind == chosen_kind,
                reasons=self._list_reasons(kind, seat_due),
            )
            for kind in kinds
        ]

    def _describe_pick(self, kind: PickKind, seat_due: SeatDue, plan: DealPlan) -> str:
        if kind == "post":
            return self.describe_post(seat_due)
        if plan.placement is not None and plan.placement.big == seat_due.seat and seat_due.seat in plan.dealt:
            return phrase("takes the big blind")
        if kind == "play":
            return phrase("plays now, posts nothing")
        hands_to_wait = next((way_in.hands_to_wait for way_in in seat_due.ways_in if way_in.kind == "big-blind"), None)
        label = say.way_text("big-blind")
        return say.waiting_way(label, hands_to_wait) if hands_to_wait else label

    def describe_post(self, seat_due: SeatDue) -> str:
        """Return what a player posts to be dealt in now; "" if that's nothing, or unknown."""
        posts = self._list_posts(seat_due)
        if not _is_known(posts):
            return ""
        live, dead = (
            sum(chips or 0 for chips in part) for part in zip(*((p.live, p.dead) for p in posts), strict=True)
        )
        if not dead:
            return phrase("posts {amount} now", amount=self._format_chips(live))
        if not live:
            return phrase("posts {amount} now, all of it dead", amount=self._format_chips(dead))
        return phrase(
            "posts {amount} now, {dead} of it dead",
            amount=self._format_chips(live + dead),
            dead=self._format_chips(dead),
        )

    def _format_chips(self, chips: int) -> str:
        return amount(chips, self._settings.unit, self._settings.exponent)

    def _list_reasons(self, kind: PickKind, seat_due: SeatDue) -> list[OfferReason]:
        """Return why a player may choose this, and at what price."""
        grounds = [
            ground for way_in in seat_due.ways_in if way_in.kind == _WAYS_OF_PICKS[kind] for ground in way_in.grounds
        ]
        if kind == "post":
            grounds += [ground for post in self._list_posts(seat_due) for ground in post.grounds]
        return quote_grounds((*grounds, *seat_due.grounds), self._book)


def _is_known(posts: Sequence[DuePost]) -> bool:
    """Whether there are posts, and all their amounts are known."""
    return bool(posts) and all(post.live is not None and post.dead is not None for post in posts)


def _is_optional(choices: Sequence[Choice], seat: Seat) -> bool:
    """Whether a seat's choice may move button and blinds."""
    return any(seat in (*choice.posting, *choice.playing, *choice.waiting) for choice in choices)


def _agrees(choice: Choice, seat: Seat, pick: str) -> bool:
    """Whether a player does in this choice what was picked. Who waits takes the big blind when it comes."""
    if pick == "post":
        return seat in choice.posting
    if pick == "play":
        return seat in choice.dealt and seat not in choice.posting
    return seat not in choice.posting and seat not in choice.playing


def _count_agreements(choice: Choice, picks: Mapping[Seat, str]) -> int:
    return sum(_agrees(choice, seat, pick) for seat, pick in picks.items())


def _find_chosen_kind(seat: Seat, kinds: Sequence[PickKind], plan: DealPlan) -> PickKind:
    """Return which of the choices the drawn hand has."""
    if seat not in plan.dealt:
        return "wait"
    if any(post.seat == seat for post in plan.entry_posts):
        return "post"
    return "play" if "play" in kinds else "wait"
