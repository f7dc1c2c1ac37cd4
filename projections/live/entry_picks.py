"""List what players may choose for the next hand, with labels and reasons for a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ledger.text.language import phrase
from projections.amount_text import amount
from projections.live.entry_choices import EntryChoices, PickKind, is_known
from projections.live.next_hand import DealPlan
from projections.live.table_offers import OfferReason, Pick, quote_grounds
from projections.sentences import due_list as say

if TYPE_CHECKING:
    from ledger.formats.handscript.context import Settings
    from ledger.table.state import TableState
    from ledger.vocabulary import Seat
    from projections.books.rulebook import Rulebook
    from projections.obligations.dues import Due, SeatDue

_WAYS_OF_PICKS: Final[Mapping[PickKind, str]] = {"post": "post", "wait": "big-blind", "play": "free"}


class EntryPicks:
    """The choices of a table's players, as a page shows them: each with its label and its reasons."""

    def __init__(self, state: TableState, due: Due, book: Rulebook, settings: Settings) -> None:
        """Take the table, the dues of its next hand, their book, and how the table writes amounts."""
        self._due, self._book, self._settings = due, book, settings
        self._choices = EntryChoices(state, due)

    def plan(self, picks: Mapping[Seat, str]) -> DealPlan:
        """Return the hand that follows from the choices."""
        return self._choices.plan(picks)

    def list_picks(self, seat: Seat, plan: DealPlan) -> list[Pick]:
        """Return the choices of a seat's player; `plan`: the hand as it is drawn."""
        seat_due, kinds = self._due.seat(seat), self._choices.kinds.get(seat)
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
        posts = self._choices.list_posts(seat_due)
        if not is_known(posts):
            return ""
        live = sum(post.live or 0 for post in posts)
        dead = sum(post.dead or 0 for post in posts)
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
            grounds += [ground for post in self._choices.list_posts(seat_due) for ground in post.grounds]
        return quote_grounds((*grounds, *seat_due.grounds), self._book)


def _find_chosen_kind(seat: Seat, kinds: Sequence[PickKind], plan: DealPlan) -> PickKind:
    """Return which of the choices the drawn hand has."""
    if seat not in plan.dealt:
        return "wait"
    if any(post.seat == seat for post in plan.entry_posts):
        return "post"
    return "play" if "play" in kinds else "wait"
