"""Puts the house's money between the hands of an evening: boxes, fills, credits, counts, payouts, entries and prizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from ledger.table import money_events as m
from tests.evenings.generate import Evening


def add_money(evening: Evening, seed: int) -> Evening:
    """Return the evening with money events between its hands and after them, at random places among the other facts."""
    rng = Random(f"money {seed}")
    money_events = _draw_events(evening, rng)
    hands = []
    for hand in evening.hands:
        facts = list(hand.before)
        for _ in range(rng.choice((0, 0, 1, 2))):
            facts.insert(rng.randint(min(1, len(facts)), len(facts)), next(money_events))
        hands.append(replace(hand, before=facts))
    return Evening(evening.room, evening.seed, hands, [*evening.after, next(money_events), next(money_events)])


def _draw_events(evening: Evening, rng: Random) -> Iterator[m.MoneyEvent]:
    """Yield what may be counted, filled, sold or paid: of a tournament's money only at its tables."""
    kinds = [_draw_box, _draw_fill, _draw_credit, _draw_tray, _draw_payment]
    if evening.room.form == "tournament":
        kinds += [_draw_entry, _draw_pool, _draw_prize]
    players = [seat.player for entry in evening.told() for seat in getattr(entry.event, "dealt_in", ())]
    while True:
        yield rng.choice(kinds)(rng, rng.choice(players))


def _draw_box(rng: Random, _player: str) -> m.BoxCounted:
    return m.BoxCounted(rng.choice(("drop", "jackpot", "promotion")), rng.randint(0, 90_000), rng.choice(("", "swing")))


def _draw_fill(rng: Random, _player: str) -> m.ChipsFilled:
    return m.ChipsFilled(rng.randint(0, 90_000))


def _draw_credit(rng: Random, _player: str) -> m.ChipsCredited:
    return m.ChipsCredited(rng.randint(0, 90_000))


def _draw_tray(rng: Random, _player: str) -> m.TrayCounted:
    return m.TrayCounted(rng.randint(0, 900_000))


def _draw_payment(rng: Random, player: str) -> m.FundPaid:
    return m.FundPaid(rng.choice(("jackpot", "promotion")), rng.randint(0, 90_000), player)


def _draw_entry(rng: Random, player: str) -> m.EntrySold:
    kind = rng.choice(("entry", "re-entry", "rebuy", "add-on"))
    return m.EntrySold(player, kind, rng.randint(0, 90_000), rng.choice((0, 1_000)), rng.choice((0, 10_000)))


def _draw_pool(rng: Random, _player: str) -> m.PrizePoolStated:
    return m.PrizePoolStated(rng.randint(0, 900_000))


def _draw_prize(rng: Random, player: str) -> m.PrizePaid:
    return m.PrizePaid(rng.randint(1, 9), player, rng.randint(0, 90_000))
