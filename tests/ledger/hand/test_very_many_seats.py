"""Very many seats in one hand take work in proportion: a table has at most a few, a hostile file as many as it likes."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

import msgspec
import pytest

from ledger.event import Event
from ledger.hand import fold
from ledger.hand.betting_round import BettingRound
from ledger.hand.seat_maps import FEW_SEATS, CrowdedBets
from ledger.hand.state import HandState
from ledger.store.log.mapper import Mapper
from tests.conftest import ROOT
from tests.laws import size
from tests.pace import out_of_proportion

SAMPLES = ROOT / "tests" / "events"
KINDS = sorted(
    path.name.removesuffix(".v1.json")
    for path in SAMPLES.glob("hand.*.v1.json")
    if path.name != "hand.correction-made.v1.json"
)
"""All but corrections, which are no events of play."""


def decoded(rows: list[list[object]]) -> list[Event]:
    return list(Mapper().decode("hand", json.dumps(rows).encode()))


def dealt(seats: int) -> list[Event]:
    return decoded(
        [
            ["HandOpened", "v", "t", "1", 9, 1795291200000, "", 0],
            ["GameSet", "holdem", "no-limit", "cash", "", 0, [100, 200]],
            *(["SeatDealtIn", seat, f"v:{seat}", 20000] for seat in range(1, seats + 1)),
        ]
    )


def at_every_seat(kind: str) -> Callable[[int], list[Event]]:
    (event,) = decoded([json.loads((SAMPLES / f"{kind}.v1.json").read_text())])
    has_seat = "seat" in event.__struct_fields__
    return lambda seats: [
        msgspec.structs.replace(event, seat=seat) if has_seat else event for seat in range(1, seats + 1)
    ]


def folded(events: list[Event]) -> HandState:
    state = HandState()
    for event in events:
        fold.HANDLERS[type(event)](state, event)
    return state


@pytest.mark.law
def test_twice_as_many_seats_take_twice_the_work() -> None:
    slow = []
    many = size(1500, 40_000)
    for kind in KINDS:
        events = at_every_seat(kind)
        half, double = ([*dealt(seats), *events(seats)] for seats in (many, 2 * many))
        if (times := out_of_proportion(folded, half, double, felt=0.02)) is not None:
            slow.append((kind, times))
    assert not slow


@pytest.mark.law
def test_twice_as_many_seats_and_streets_take_twice_the_work() -> None:
    def hand(count: int) -> list[Event]:
        streets = decoded([["StreetDealt", "flop"], ["BetReturned", 1, 5], ["StreetDealt", "turn"]])
        return [*dealt(count), *streets * count]

    many = size(1500, 40_000)
    assert out_of_proportion(folded, hand(many), hand(2 * many), felt=0.02) is None


@pytest.mark.law
def test_the_highest_bet_of_many_seats_is_that_of_all_of_them() -> None:
    random = Random(5)
    for _ in range(size(200, 20_000)):
        seats = random.randint(1, 8)
        plain_bets = dict.fromkeys(range(1, seats + 1), 0)
        bets = CrowdedBets(plain_bets if random.random() < 0.5 else None)
        for _ in range(random.randint(0, 30)):
            seat, amount = random.randint(1, seats), random.randint(-9, 9)
            plain_bets[seat] += amount
            bets[seat] += amount
            if random.random() < 0.2:
                bets = bets.copy()
            if random.random() < 0.5:
                assert bets.find_highest(seats) == max(plain_bets.values())
            assert all(bets[seat] == plain_bets[seat] for seat in plain_bets)


@pytest.mark.law
def test_a_crowded_hand_comes_to_what_a_small_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same events, as the program follows few seats and many."""
    random = Random(6)
    kinds = [at_every_seat(kind)(6) for kind in KINDS if not kind.startswith("hand.hand-")]
    for _ in range(size(150, 5000)):
        events = [*dealt(6), *(random.choice(random.choice(kinds)) for _ in range(40))]
        monkeypatch.setattr("ledger.hand.betting_round.FEW_SEATS", FEW_SEATS)
        state = folded(events)
        monkeypatch.setattr("ledger.hand.betting_round.FEW_SEATS", 1)
        many = folded(events)
        for name in HandState.__slots__:
            if name not in ("round", "rounds"):
                assert getattr(state, name) == getattr(many, name), name
        for name in BettingRound.__slots__:
            if name != "bets":
                assert getattr(state.round, name) == getattr(many.round, name), name
        assert all(many.street_bet(seat) == bet for seat, bet in state.round.bets.items())
