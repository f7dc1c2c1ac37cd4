"""The showdown: who showed, who was paid, the rake, and every seat's chips in the end."""

from __future__ import annotations

from typing import Any

from ledger.formats.igt.values import Hand, digits
from ledger.formats.igt.words import HALVES, MUCKED, OF_RESULT, OF_SHOWDOWN, cards
from ledger.hand.ending import CardsMucked, CardsShown, HandCompleted, ResultDeclared, ShowdownBegun
from ledger.readers.settling import conclude_rake
from ledger.readers.spans import members

_CLAIM_MOST = 200


def settle(hand: Hand) -> None:
    """Tell what `showDown` holds. A hand without it is not over."""
    found, at = hand.value.get("showDown"), hand.where.get("showDown", -1)
    hand.close_bets()
    if not isinstance(found, dict):
        if found is not None:
            hand.strange("showDown", at)
        return
    spans = hand.spans
    inside = members(hand.data, spans.starts[at], spans.lengths[at])
    listed = spans.add(*inside["result"]) if "result" in inside else -1
    results = hand.listed(listed, found.get("result"))
    contested = len(hand.stacks) - len(hand.folded) > 1
    hand.at = at
    if contested:
        hand.put(ShowdownBegun())
    for place, one in results:
        _show(hand, place, one, contested=contested)
    kinds = {str(one.get("winType")) for _, one in results if isinstance(one, dict)}
    for place, one in results:
        _award(hand, place, one, split={*HALVES} <= kinds)
    _totals(hand, found, at)
    for place, one in results:
        hand.at = place
        left = hand.sum(one.get("bankRoll")) if isinstance(one, dict) and hand.seat(one) else None
        if left is not None:
            hand.put(ResultDeclared("end-stack", hand.seat(one), left))
    for name in found:
        if name not in OF_SHOWDOWN:
            hand.strange(f"showDown.{name}", spans.add(*inside[name]))
    hand.at = hand.where.get("endTime", at)
    before = len(hand.events)
    hand.put(HandCompleted())
    if (ended := digits(hand.value.get("endTime"))) and ended >= max(hand.times.values(), default=0):
        hand.timed(before, ended)


def _show(hand: Hand, place: int, one: Any, *, contested: bool) -> None:  # noqa: ANN401 - a value of JSON
    """Tell what a result says of a hand."""
    hand.at = place
    seat = hand.seat(one) if isinstance(one, dict) else 0
    shown = cards(one.get("card") or []) if isinstance(one, dict) else None
    if shown is None:
        hand.strange("result", place)
        return
    if not seat:
        if one.get("win") and hand.sum(one["win"]):
            hand.strange("result", place)
        return
    before, words = len(hand.events), str(one.get("hand") or "").strip()
    if shown.strip("?"):
        claim = " ".join(filter(None, (words, str(one.get("handExt") or "").strip())))
        if words != MUCKED:
            hand.put(CardsShown(seat, shown, claim=hand.people.text(claim[:_CLAIM_MOST])))
        else:
            hand.put(CardsMucked(seat, shown))
    elif words == MUCKED and contested and seat not in hand.folded:
        hand.put(CardsMucked(seat))
    hand.timed(before, digits(one.get("date")))
    hand.strangers(one, OF_RESULT, place)


def _award(hand: Hand, place: int, one: Any, *, split: bool) -> None:  # noqa: ANN401 - a value of JSON
    if not isinstance(one, dict) or not (seat := hand.seat(one)):
        return
    hand.at = place
    won = hand.sum(one.get("win"))
    if won:
        before = len(hand.events)
        hand.award(seat, won, half=HALVES.get(str(one.get("winType")), "") if split else "")
        hand.timed(before, digits(one.get("date")))


def _totals(hand: Hand, found: dict[str, Any], at: int) -> None:
    """Tell the rake, and what the whole pot was: the pot of the record is what is left of it."""
    hand.at = at
    pot, rake = hand.sum(found.get("pot")), hand.sum(found.get("rake"))
    total = None if pot is None else pot + (rake or 0)
    hand.return_bets(total)
    if rake is None:
        conclude_rake(hand)
    else:
        hand.drop("rake", rake)
        hand.put(ResultDeclared("rake", amount=rake))
    if total is not None:
        hand.put(ResultDeclared("total-pot", amount=total))
