"""The results: who was paid from which pot, the rake, what each seat won, and its transactions."""

from __future__ import annotations

from typing import Any

import msgspec

from ledger.formats.globalpoker.values import Hand
from ledger.hand.ending import HandCompleted, RemarkNoted, ResultDeclared
from ledger.readers import amounts
from ledger.readers.spans import elements, members

_KNOWN = frozenset(("totalRake", "results", "transfers"))
_OF_PLAYER = frozenset(("playerId", "netWin", "totalWin", "rake", "totalBet", "transactionIds", "timeBank"))


def settle(hand: Hand) -> None:
    """Tell the results. A record without them is of a hand that is not over."""
    results = hand.value.get("results")
    hand.close_bets()
    if not isinstance(results, dict):
        return
    at = hand.where["results"]
    spans = hand.spans
    inside = members(hand.data, spans.starts[at], spans.lengths[at])
    _transfers(hand, results.get("transfers"), inside.get("transfers"))
    hand.return_bets()
    hand.at = spans.add(*inside["totalRake"]) if "totalRake" in inside else at
    if results.get("totalRake") is not None:
        rake = amounts.number(results["totalRake"], hand.exponent)
        hand.drop("rake", rake)
        hand.put(ResultDeclared("rake", amount=rake))
    _players(hand, results.get("results"), inside.get("results"))
    for name in results:
        if name not in _KNOWN:
            hand.strange(f"results.{name}", spans.add(*inside[name]))
    hand.at = hand.where.get("endTime", hand.where[""])
    before = len(hand.events)
    hand.put(HandCompleted())
    hand.timed(before, hand.value.get("endTime"))


def _transfers(hand: Hand, value: object, span: tuple[int, int] | None) -> None:
    """Pay the pots out."""
    if not isinstance(value, list) or span is None:
        return
    for place, one in zip(elements(hand.data, *span), value, strict=True):
        hand.at = hand.spans.add(*place)
        seat = hand.seat(one.get("playerId")) if isinstance(one, dict) else 0
        amount = hand.amount(one)
        if not seat or amount is None:
            hand.strange("transfer", hand.at)
            continue
        pot = one.get("pot")
        number = pot.get("potId") if isinstance(pot, dict) else None
        told = isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 30
        hand.award(seat, amount, int(str(number)) if told else None)


def _players(hand: Hand, value: object, span: tuple[int, int] | None) -> None:
    """Declare what each seat won; what the operator's own books call it is kept as a remark."""
    if not isinstance(value, dict) or span is None:
        return
    where = members(hand.data, *span)
    for key, one in value.items():
        hand.at = hand.spans.add(*where[key])
        seat = hand.seat(one.get("playerId")) if isinstance(one, dict) else 0
        if not seat or not isinstance(one, dict):
            if _nothing(one):
                continue
            hand.strange("result", hand.at)
            continue
        won, net = one.get("totalWin"), one.get("netWin")
        if won is not None:
            hand.put(ResultDeclared("collected", seat, amounts.number(won, hand.exponent)))
        if net is not None:
            hand.put(ResultDeclared("net", seat, amounts.number(net, hand.exponent)))
        books = {name: one[name] for name in ("transactionIds", "timeBank") if name in one}
        if books:
            said = msgspec.json.encode(books).decode("utf-8", "replace")[:500]
            hand.put(RemarkNoted(hand.people.text(said)))
        if not _OF_PLAYER.issuperset(one):
            inside = members(hand.data, *where[key])
            for name in [name for name in one if name not in _OF_PLAYER]:
                hand.strange(f"result.{name}", hand.spans.add(*inside[name]))


def _nothing(one: Any) -> bool:  # noqa: ANN401 - a value of JSON
    """Tell whether a result is of somebody who only sat there."""
    return isinstance(one, dict) and not any(one.get(name) for name in ("totalBet", "totalWin"))
