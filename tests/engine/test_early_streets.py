"""Streets that came before the betting was over, and chips that went back though nobody had bet them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import opening as o
from ledger.hand.bounds import actor, to_call
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.hand.trace import build_trace
from ledger.replay import HandReplay
from ledger.vocabulary import Witness
from projections.audit.auditor import audit
from projections.books.rulebook import load
from projections.findings.finding import Finding
from tests.engine.hands import BOOKS, tables_of

ACCIDENTS = Path(__file__).parent / "accidents"
EARLY_CLAUSES = ("intro.1a", "holdem.3.1", "holdem.4.1", "p16a", "p17a", "6a")
TABLE: list[HandEvent] = [
    o.HandOpened("Room", "T", "1", int(Witness.ACTS | Witness.DEAL_ERRORS)),
    o.GameSet("holdem", "no-limit", "cash", "chips", 0, (5, 10)),
    *(o.SeatDealtIn(seat, f"player{seat:010d}", 1000) for seat in (1, 2, 3)),
    o.ButtonPlaced(1),
    o.BlindPosted(2, "small", 5),
    o.BlindPosted(3, "big", 10),
    d.DealCompleted(),
]
FLOP = d.BoardDealt("flop", "KdJh2c")


def hand(name: str) -> HandReplay:
    (table,) = tables_of(ACCIDENTS / name, "handscript")
    return table.hands[0]


def findings(name: str) -> list[Finding]:
    return audit([hand(name)], [load(book) for book in BOOKS]).findings


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("f2-call-under-early-flop.hand", [(1, 30, 30)]),
        ("f2b-call-under-early-turn.hand", [(4, 20, 20)]),
        ("f2c-raise-call-under-early-turn.hand", [(2, 60, 80)]),
    ],
)
def test_a_call_under_an_early_street_costs_what_the_open_street_asks(
    name: str, calls: list[tuple[int, int, int]]
) -> None:
    played = hand(name)
    call_amounts = [(event.seat, event.added, event.to) for _, event in played.events_of(b.Called)]
    assert call_amounts[-len(calls) :] == calls
    assert not played.final_state.conservation()
    assert {(finding.clause in EARLY_CLAUSES, finding.certainty) for finding in findings(name)} == {(True, "certain")}


@pytest.mark.parametrize("name", sorted(path.name for path in ACCIDENTS.glob("f5*")))
def test_chips_that_were_only_moved_go_back_to_the_stack(name: str) -> None:
    assert not hand(name).final_state.conservation()
    assert not findings(name)


def test_the_betting_that_an_early_street_cut_off_goes_on() -> None:
    state = fold([*TABLE, b.Raised(1, 30, 30), FLOP])
    assert (state.street, state.early_street, state.round.bet_to_call) == ("preflop", "flop", 30)
    assert (actor(state), to_call(state, 2)) == (2, 25)
    final_state = fold([*TABLE, b.Raised(1, 30, 30), FLOP, b.Called(2, 25, 30), b.Folded(3), b.Checked(2)])
    assert (final_state.street, final_state.early_street, final_state.round.actions) == ("flop", None, [2])
    assert [(betting_round.street, betting_round.bets) for betting_round in final_state.rounds] == [
        ("preflop", {1: 30, 2: 30, 3: 10})
    ]


def test_a_bet_begins_the_street_that_lies_there() -> None:
    events = [*TABLE, b.Raised(1, 30, 30), b.Called(2, 25, 30), FLOP, b.Bet(2, 50, 50)]
    assert (fold(events).street, fold(events).round.bets[2]) == ("flop", 50)
    assert build_trace(list(enumerate(events, 1))).acts[-1].street == "flop"


def test_an_early_street_that_is_taken_back_was_never_there() -> None:
    events = [*TABLE, b.Raised(1, 30, 30), FLOP, d.BoardWithdrawn("flop", "KdJh2c")]
    state = fold(events)
    assert (state.street, state.early_street, state.boards) == ("preflop", None, [[]])
    assert state.round == fold([*TABLE, b.Raised(1, 30, 30)]).round


def test_a_flop_without_bets_before_it_cuts_nothing_off() -> None:
    bomb = [event for event in TABLE if not isinstance(event, o.BlindPosted)]
    assert fold([*bomb, FLOP]).street == "flop"


def test_where_acts_may_be_missing_a_street_begins_at_once() -> None:
    unwitnessed = [o.HandOpened("Room", "T", "1", int(Witness.ACTS)), *TABLE[1:], b.Raised(1, 30, 30), FLOP]
    assert (fold(unwitnessed).street, fold(unwitnessed).early_street) == ("flop", None)


def test_only_chips_that_no_act_put_in_are_set_aside() -> None:
    moved = [*TABLE, b.ChipsMoved(1, 40), b.Raised(1, 30, 30), b.ChipsReturned(1, 40)]
    assert fold(moved).chips.put_in[1] == 0
    assert build_trace(list(enumerate(moved, 1))).set_aside == {len(moved): 10}
    assert fold([*TABLE, b.Raised(1, 30, 30), b.ChipsReturned(1, 30)]).chips.put_in[1] == 0
