"""The pots of a hand as Open Hand History has them: each with its amount, its drop and who won it."""

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


def pots_of(events: Sequence[Event], state: HandState, number: Number, lose: Lose) -> list[dict[str, object]]:
    """Return the pots; [] where the record does not end."""
    if not state.completed:
        lose("a hand without its end")
        return []
    awards = [event for event in events if isinstance(event, PotAwarded)]
    declared = _declared_pots(events)
    numbers = sorted({event.pot or 0 for event in awards} | declared.keys())
    several = len(numbers) > 1
    for event in awards:
        if event.run > 1 or event.board > 1 or event.half:
            lose("which run or half a share came from")
        if (event.pot is None) == several:
            lose("which pot a share came from")
    _declared(events, state, lose)
    drops = _drops(events, lose)
    amounts = _amounts(awards, numbers, declared, sum(drops.values()), state)
    made: list[dict[str, object]] = []
    for which in numbers if several else [0]:
        mine = [event for event in awards if not several or (event.pot or 0) == which]
        pot: dict[str, object] = {"number": which, "amount": number(amounts[which] if several else state.pot_size())}
        if not made:  # the drop is told for the whole hand
            pot |= {kind: number(amount) for kind, amount in drops.items()}
        wins = [{"player_id": event.seat, "win_amount": number(event.amount)} for event in mine]
        pot["player_wins"] = wins if made else [*wins, *_cashed_out(events, number, lose)]
        made.append(pot)
    return made


def _cashed_out(events: Sequence[Event], number: Number, lose: Lose) -> list[dict[str, Seat | Decimal]]:
    """Return who sold a hand for what; a price that nobody knows is not one of nothing."""
    sold = [event for event in events if isinstance(event, CashOutTaken)]
    for event in sold:
        if event.price is None:
            lose("cash-outs without a price")
    return [
        {
            "player_id": event.seat,
            "win_amount": number(event.price),
            "cashout_amount": number(event.price),
            "cashout_fee": number(event.fee),
        }
        for event in sold
        if event.price is not None
    ]


def _declared_pots(events: Sequence[Event]) -> dict[int, Chips]:
    """Return the amounts that the record gives for main and side pots; an unnumbered side pot is the first."""
    found: dict[int, Chips] = {}
    for event in events:
        if isinstance(event, ResultDeclared) and event.what in ("main-pot", "side-pot"):
            found[event.number or int(event.what == "side-pot")] = event.amount or 0
    return found


def _amounts(
    awards: list[PotAwarded], numbers: list[int], declared: dict[int, Chips], drop: Chips, state: HandState
) -> dict[int, Chips]:
    """Return each pot's amount before the drop, which is counted to the first."""
    if sum(declared.values()) == state.pot_size():
        return declared
    found = {which: sum(event.amount for event in awards if (event.pot or 0) == which) for which in numbers}
    if declared.keys() == found.keys() and sum(declared.values()) + drop == state.pot_size():
        found = dict(declared)
    if numbers:
        found[numbers[0]] += drop
    return found


def _drops(events: Sequence[Event], lose: Lose) -> dict[str, Chips]:
    """Return rake and jackpot as far as they are told; other parts are counted with the jackpot."""
    found: dict[str, Chips] = {}
    for event in events:
        if isinstance(event, DropTaken):
            kind = "rake" if event.kind == "rake" else "jackpot"
            found[kind] = found.get(kind, 0) + event.amount
            if event.kind not in ("rake", "jackpot"):
                lose(f"the kind of the drop: {event.kind}")
    return found


def _declared(events: Sequence[Event], state: HandState, lose: Lose) -> None:
    """Count what the record declares and the acts do not give: the format has no place for it."""
    boards = {"".join(board) for board in state.boards}
    for event in events:
        if not isinstance(event, ResultDeclared) or event.what in ("main-pot", "side-pot"):
            continue
        if event.what == "board":
            given, what = event.cards in boards, "the declared board"
        elif event.what == "total-pot":
            given, what = event.amount == state.pot_size(), "a declared pot that the acts do not give"
        elif event.what == "collected" and event.seat is not None:
            given = event.amount == state.chips.awarded.get(event.seat, 0)
            what = "declared winnings that the awards do not give"
        else:
            given, what = False, f"the declared {event.what}"
        if not given:
            lose(what)
