"""Players who owed blinds on a hand, and those who had played an earlier hand without a post that they owed."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from projections.detectors.shared.seat_dues import JudgedSeat, list_judged_seats
from projections.table_walk.table_context import TableContext
from projections.timeline.hand_timeline import Timeline

Debtor: TypeAlias = Literal["any", "broke", "drew", "short"]
"""`broke`: had no chips when the blinds passed; `drew`: drew for the button of a new game;
`short`: posted less than half of the big blind."""


def list_debtors(hand: Timeline, context: TableContext, who: Debtor = "any") -> list[JudgedSeat]:
    """Return the dealt-in seats that owed blinds and didn't post the big blind in turn; `who` narrows them."""
    debtors = [
        judged_seat
        for judged_seat in list_judged_seats(hand, context)
        if judged_seat.owes_blinds and not judged_seat.is_new and not judged_seat.has_big_blind
    ]
    match who:
        case "any":
            return debtors
        case "broke":
            return [debtor for debtor in debtors if debtor.tab.broke_hand]
        case "drew":
            return [debtor for debtor in debtors if debtor.due.player in context.player_tabs.game.drawers]
        case "short":
            return [debtor for debtor in debtors if debtor.tab.short_big]


class OverduePost(NamedTuple):
    """A post that its player owed on the last hand, and acted on that hand without it."""

    debtor: JudgedSeat
    last_number: str  # of the last hand


def list_overdue_posts(hand: Timeline, context: TableContext) -> list[OverduePost]:
    """Return the posts of players who acted on the last hand without a post they owed, and owe it still."""
    if context.last_hand is None:
        return []
    last_number = context.last_hand.number
    return [
        OverduePost(debtor, last_number)
        for debtor in list_debtors(hand, context)
        if debtor.tab.played_owing and debtor.tab.played_owing[-1] == (last_number, True)
    ]


def is_forgotten_post_due_next(context: TableContext) -> bool:
    """Whether the book makes a forgotten post due on the next deal. Then a clause of its own covers overdue posts."""
    rule = context.policy.value("missed.acted")
    return rule is not None and rule.due == "next-deal"
