"""The pots of a hand as Open Hand History has them, each with its amount, its drop and its winners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from ledger.event import Event
from ledger.hand.betting import CashOutTaken
from ledger.hand.ending import DropTaken, PotAwarded, ResultDeclared
from ledger.hand.state import HandState
from ledger.vocabulary import Chips, Seat

Number = Callable[[Chips], Decimal]
Lose = Callable[[str], None]


def build_pots(events: Sequence[Event], hand_state: HandState, number: Number, lose: Lose) -> list[dict[str, object]]:
    """Return the pots, or [] if the record has no end."""
    if not hand_state.completed:
        lose("a hand without its end")
        return []
    awards = [event for event in events if isinstance(event, PotAwarded)]
    declared = _find_declared_pots(events)
    pot_numbers = sorted({event.pot or 0 for event in awards} | declared.keys())
    has_side_pots = len(pot_numbers) > 1
    _lose_shares(awards, lose, has_side_pots=has_side_pots)
    _lose_declared(events, hand_state, lose)
    drops = _sum_drops(events, lose)
    pot_amounts = _compute_pot_amounts(awards, pot_numbers, declared, sum(drops.values()), hand_state)
    pots: list[dict[str, object]] = []
    for pot_number in pot_numbers if has_side_pots else [0]:
        pot_awards = _list_awards_of_pot(awards, pot_number) if has_side_pots else awards
        amount = pot_amounts[pot_number] if has_side_pots else hand_state.pot_size()
        pot: dict[str, object] = {"number": pot_number, "amount": number(amount)}
        if not pots:  # the first pot has the drop of the whole hand
            pot |= {kind: number(drop) for kind, drop in drops.items()}
        wins = [{"player_id": event.seat, "win_amount": number(event.amount)} for event in pot_awards]
        pot["player_wins"] = wins if pots else [*wins, *_build_cash_outs(events, number, lose)]
        pots.append(pot)
    return pots


def _list_awards_of_pot(awards: Sequence[PotAwarded], pot_number: int) -> list[PotAwarded]:
    return [event for event in awards if (event.pot or 0) == pot_number]


def _lose_shares(awards: list[PotAwarded], lose: Lose, *, has_side_pots: bool) -> None:
    """Count the facts about awards that the format has no place for."""
    for event in awards:
        if event.run > 1 or event.board > 1 or event.half:
            lose("which run or half a share came from")
        if (event.pot is None) == has_side_pots:
            lose("which pot a share came from")


def _build_cash_outs(events: Sequence[Event], number: Number, lose: Lose) -> list[dict[str, Seat | Decimal]]:
    """Return the cash-outs with a price. An unknown price must not become 0."""
    cash_outs = [event for event in events if isinstance(event, CashOutTaken)]
    for event in cash_outs:
        if event.price is None:
            lose("cash-outs without a price")
    return [
        {
            "player_id": event.seat,
            "win_amount": number(event.price),
            "cashout_amount": number(event.price),
            "cashout_fee": number(event.fee),
        }
        for event in cash_outs
        if event.price is not None
    ]


def _find_declared_pots(events: Sequence[Event]) -> dict[int, Chips]:
    """Return the declared amounts of main and side pots. A side pot without a number is the first."""
    pot_amounts: dict[int, Chips] = {}
    for event in events:
        if isinstance(event, ResultDeclared) and event.what in ("main-pot", "side-pot"):
            pot_amounts[event.number or int(event.what == "side-pot")] = event.amount or 0
    return pot_amounts


def _compute_pot_amounts(
    awards: list[PotAwarded], pot_numbers: list[int], declared: dict[int, Chips], drop: Chips, hand_state: HandState
) -> dict[int, Chips]:
    """Return each pot's amount before the drop, which counts toward the first."""
    if sum(declared.values()) == hand_state.pot_size():
        return declared
    pot_amounts = {
        pot_number: sum(event.amount for event in awards if (event.pot or 0) == pot_number)
        for pot_number in pot_numbers
    }
    if declared.keys() == pot_amounts.keys() and sum(declared.values()) + drop == hand_state.pot_size():
        pot_amounts = dict(declared)
    if pot_numbers:
        pot_amounts[pot_numbers[0]] += drop
    return pot_amounts


def _sum_drops(events: Sequence[Event], lose: Lose) -> dict[str, Chips]:
    """Return rake and jackpot, if there are any. Other kinds of drop count as jackpot."""
    drop_amounts: dict[str, Chips] = {}
    for event in events:
        if isinstance(event, DropTaken):
            kind = "rake" if event.kind == "rake" else "jackpot"
            drop_amounts[kind] = drop_amounts.get(kind, 0) + event.amount
            if event.kind not in ("rake", "jackpot"):
                lose(f"the kind of the drop: {event.kind}")
    return drop_amounts


def _lose_declared(events: Sequence[Event], hand_state: HandState, lose: Lose) -> None:
    """Count declared results that don't follow from the acts, since the format has no place for them."""
    boards = {"".join(board) for board in hand_state.boards}
    for event in events:
        if not isinstance(event, ResultDeclared) or event.what in ("main-pot", "side-pot"):
            continue
        if event.what == "board":
            follows_from_acts, lost_fact = event.cards in boards, "the declared board"
        elif event.what == "total-pot":
            follows_from_acts = event.amount == hand_state.pot_size()
            lost_fact = "a declared pot that the acts do not give"
        elif event.what == "collected" and event.seat is not None:
            follows_from_acts = event.amount == hand_state.chips.awarded.get(event.seat, 0)
            lost_fact = "declared winnings that the awards do not give"
        else:
            follows_from_acts, lost_fact = False, f"the declared {event.what}"
        if not follows_from_acts:
            lose(lost_fact)
