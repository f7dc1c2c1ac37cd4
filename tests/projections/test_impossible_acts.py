"""Legal betting is silent under `record`; one act or award that nobody could make is found, at its line and for certain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final, NamedTuple, TypeAlias

import msgspec
import pytest

from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.events import HandEvent
from ledger.hand.fold import begin, iterate_states
from ledger.hand.order import actor
from ledger.hand.state import HandState
from ledger.hand.variants import VARIANTS
from ledger.replay import HandReplay
from ledger.vocabulary import Chips, Seat
from projections.books.rulebook import BUILT_IN
from projections.findings.finding import Finding
from tests.laws import size
from tests.ledger.hand.generate import BETTINGS, play
from tests.projections.running import audit_of

Events: TypeAlias = list[HandEvent]

ACTS: Final = (b.Folded, b.Checked, b.Called, b.Bet, b.Raised, b.Completed)
NEW: Final = frozenset({"R13", "R14", "R15", "R16", "R17", "R18", "R19", "R20"})


class Node(NamedTuple):
    """A moment of a legal hand: the events before it, the state there and who is due."""

    before: Events
    state: HandState
    due: Seat | None


def find_in_record(events: Sequence[HandEvent], *, screened: bool = True) -> list[Finding]:
    """Return what `record` finds."""
    return [
        finding
        for finding in audit_of(BUILT_IN, screened=screened).judge_hand(HandReplay(list(events)))
        if finding.book == BUILT_IN
    ]


def legal_hand(rng: Random, variants: Sequence[str] = tuple(sorted(VARIANTS))) -> Events:
    """Return a random legal hand."""
    return play(
        rng,
        rng.choice(variants),
        rng.choice(BETTINGS),
        antes=rng.random() < 0.3,
        straddle=rng.random() < 0.2,
        deep=rng.random() < 0.3,
        drop=rng.random() < 0.3,
    )


def without_stacks(events: Events) -> Events:
    """Return a hand as told by somebody who knows no stack and never says all-in."""
    return [
        msgspec.structs.replace(event, stack=None)
        if isinstance(event, o.SeatDealtIn)
        else msgspec.structs.replace(event, all_in=None)
        if hasattr(event, "all_in")
        else event
        for event in events
    ]


@pytest.mark.law
def test_legal_hands_of_every_game_are_silent() -> None:
    rng = Random(30)
    for _ in range(size(250, 20_000)):
        events = legal_hand(rng)
        assert find_in_record(events) == [], events
        assert find_in_record(events, screened=False) == [], events


@pytest.mark.law
def test_where_no_stack_is_on_record_no_legal_act_is_accused() -> None:
    rng = Random(31)
    for _ in range(size(250, 20_000)):
        events = without_stacks(legal_hand(rng))
        assert [
            finding for finding in find_in_record(events) if finding.clause in NEW or finding.certainty == "certain"
        ] == [], events


def nodes(events: Events) -> Iterator[Node]:
    """Yield each moment at which somebody is due, or a betting round is over and several can still bet."""
    events_before: Events = []
    dealt = False
    last = begin()
    for event, state in zip(events, iterate_states(events), strict=True):
        if dealt and isinstance(events_before[-1], (*ACTS, d.DealCompleted, d.BoardDealt)):
            yield Node(list(events_before), last, actor(last))
        events_before.append(event)
        last = state.copy()
        dealt = dealt or isinstance(event, d.DealCompleted)
        if isinstance(event, e.ShowdownBegun | e.PotAwarded | e.DropTaken):
            return


def wager(state: HandState, seat: Seat, chips: Chips = 20) -> b.Bet | b.Raised:
    """Return a bet or raise of a seat."""
    new_bet = state.round.bet_to_call + chips
    added = new_bet - state.street_bet(seat)
    return b.Raised(seat, added, new_bet) if state.round.bet_to_call else b.Bet(seat, added, new_bet)


def any_act(rng: Random, state: HandState, seat: Seat) -> HandEvent:
    """Return an act of any kind."""
    owed = state.round.bet_to_call - state.street_bet(seat)
    stack = state.stack_left(seat) or 0
    acts: Events = [b.Folded(seat), b.Checked(seat)]
    if 0 < owed <= stack:
        acts.append(b.Called(seat, owed, state.round.bet_to_call))
    if owed + 20 <= stack:
        acts.append(wager(state, seat))
    return rng.choice(acts)


def folded_acts(rng: Random, node: Node) -> HandEvent | None:
    """A folded seat acts."""
    seats = sorted(node.state.folded)
    return any_act(rng, node.state, rng.choice(seats)) if seats else None


def all_in_acts(rng: Random, node: Node) -> HandEvent | None:
    """An all-in seat folds, or checks while others can bet."""
    seats = sorted(node.state.all_in)
    other_seats = [seat for seat in node.state.live if not node.state.is_all_in(seat)]
    if not seats or len(other_seats) < 2:
        return None
    return rng.choice([b.Folded, b.Checked])(rng.choice(seats))


def due_checks_a_bet(_: Random, node: Node) -> HandEvent | None:
    """The due seat checks, facing a bet."""
    seat = node.due
    return b.Checked(seat) if seat is not None and node.state.street_bet(seat) < node.state.round.bet_to_call else None


def due_calls_short(rng: Random, node: Node) -> HandEvent | None:
    """The due seat calls less than the bet and keeps chips."""
    state, seat = node.state, node.due
    if seat is None:
        return None
    owed = state.round.bet_to_call - state.street_bet(seat)
    short_call = min(owed - 1, (state.stack_left(seat) or 0) - 1)
    if short_call < 1:
        return None
    added = rng.randint(1, short_call)
    return b.Called(seat, added, state.street_bet(seat) + added)


def due_calls_long(rng: Random, node: Node) -> HandEvent | None:
    """The due seat calls more than the bet."""
    state, seat = node.state, node.due
    if seat is None or not state.rounds or not state.round.bet_to_call:
        return None
    added = state.round.bet_to_call - state.street_bet(seat) + rng.randint(1, 20)
    return b.Called(seat, added, state.street_bet(seat) + added) if added < (state.stack_left(seat) or 0) else None


def acts_after_the_round(rng: Random, node: Node) -> HandEvent | None:
    """A seat with chips bets or checks once the round is over. Without a board nothing tells that no street began."""
    state = node.state
    if not any(plan.board for plan in state.variant.streets):
        return None
    able = [seat for seat in sorted(state.live) if not state.is_all_in(seat)]
    if node.due is not None or len(able) < 2 or len({state.street_bet(seat) for seat in able}) > 1:
        return None
    seat = rng.choice([one for one in able if (state.stack_left(one) or 0) > 20] or [0])
    return rng.choice([b.Checked(seat), wager(state, seat)]) if seat else None


def acts_before_its_turn(rng: Random, node: Node) -> HandEvent | None:
    """Behind the first act of a round a seat folds before the one that is due."""
    state = node.state
    if node.due is None or not state.round.actions or state.variant.opening != "blinds":
        return None
    waiting = [seat for seat in state.live if seat not in state.acted and not state.is_all_in(seat)]
    other_seats = sorted(seat for seat in waiting if seat != node.due)
    return b.Folded(rng.choice(other_seats)) if other_seats else None


Wrong: TypeAlias = Callable[[Random, Node], "HandEvent | None"]

WRONGS: Final[dict[Wrong, str]] = {
    folded_acts: "R13",
    all_in_acts: "R14",
    due_checks_a_bet: "R15",
    due_calls_short: "R16",
    due_calls_long: "R16",
    acts_after_the_round: "R17",
    acts_before_its_turn: "R20",
}


@pytest.mark.law
@pytest.mark.parametrize("wrong", WRONGS, ids=lambda one: one.__name__)
def test_an_act_that_nobody_could_make_is_found_at_its_line(wrong: Wrong) -> None:
    rng = Random(32)
    tried = 0
    while tried < size(60, 5_000):
        chances = [(node, act) for node in nodes(legal_hand(rng)) if (act := wrong(rng, node)) is not None]
        if not chances:
            continue
        node, act = rng.choice(chances)
        tried += 1
        events = [*node.before, act]
        certainty = "likely" if WRONGS[wrong] == "R20" else "certain"
        found_breaches = [(finding.clause, finding.certainty, finding.version) for finding in find_in_record(events)]
        assert found_breaches == [(WRONGS[wrong], certainty, len(events))], "\n".join(
            map(str, (found_breaches, *events))
        )
        assert [finding.clause for finding in find_in_record(events, screened=False)] == [WRONGS[wrong]]
        masked = [finding for finding in find_in_record(without_stacks(events)) if finding.clause != "R13"]
        assert "certain" not in [finding.certainty for finding in masked], events


@pytest.mark.law
def test_a_pot_that_goes_to_a_folded_hand_is_found() -> None:
    rng = Random(33)
    tried = 0
    while tried < size(60, 5_000):
        events = legal_hand(rng)
        state = HandReplay(events).final_state
        awards = [index for index, event in enumerate(events) if isinstance(event, e.PotAwarded)]
        if not state.folded or not awards:
            continue
        tried += 1
        index = rng.choice(awards)
        paid = events[index]
        assert isinstance(paid, e.PotAwarded)
        events[index] = msgspec.structs.replace(paid, seat=rng.choice(sorted(state.folded)))
        counter = Counter((finding.clause, finding.certainty, finding.version) for finding in find_in_record(events))
        assert counter["R18", "certain", index + 1] == 1, (counter, events)
        assert not {clause for clause, _, version in counter if version == index + 1} - {"R18"}


@pytest.mark.law
def test_a_pot_that_its_winner_never_paid_into_is_found_though_no_card_is_known() -> None:
    rng = Random(34)
    tried = 0
    while tried < size(40, 3_000):
        events = legal_hand(rng, ("holdem", "omaha"))
        state = HandReplay(events).final_state
        if len(state.live) < 2 or len({state.chips.put_in[seat] for seat in state.live}) < 2:
            continue
        tried += 1
        shortest_seat = min(state.live, key=lambda seat: (state.chips.put_in[seat], seat))
        total = state.pot_size()
        events_told = [
            event
            for event in events
            if not isinstance(event, e.PotAwarded | e.CardsShown | e.DropTaken | d.HoleCardsDealt)
        ]
        events = [*events_told[:-1], e.PotAwarded(shortest_seat, total), events_told[-1]]
        deepest = max(state.chips.put_in[seat] for seat in state.live)
        due = sum(min(chips_in, state.chips.put_in[shortest_seat]) for chips_in in state.chips.put_in.values()) + sum(
            state.chips.antes.values()
        )
        clauses = [event.clause for event in find_in_record(events)]
        assert clauses == (["R19"] if total > due and deepest > state.chips.put_in[shortest_seat] else []), events


@pytest.mark.law
def test_of_several_players_who_never_called_one_is_named() -> None:
    start: Events = play(Random(3), count=3, deep=True)
    events = start[: next(i for i, event in enumerate(start) if isinstance(event, d.DealCompleted)) + 1]
    seat = actor(HandReplay(events).final_state)
    assert seat is not None
    other_seats = sorted(HandReplay(events).final_state.live - {seat})
    added = wager(HandReplay(events).final_state, seat, 40)
    cards_showns = [e.CardsShown(finding, cards) for finding, cards in zip(other_seats, ("QsQd", "JsJd"), strict=True)]
    total = HandReplay([*events, added]).final_state.pot_size()
    events = [*events, added, d.BoardDealt("flop", "AhKd7s"), *cards_showns, e.PotAwarded(seat, total)]
    assert [finding.certainty for finding in find_in_record(events) if finding.clause == "R19"] == ["likely"]


def test_one_clause_speaks_of_each_act_of_a_hand_padded_with_them() -> None:
    """Many wrong acts are found one by one: nothing in the search is bounded by the size of the hand."""
    start: Events = play(Random(3), count=3, deep=True)
    act_index = next(i for i, event in enumerate(start) if isinstance(event, d.DealCompleted)) + 1
    state = HandReplay(start[:act_index]).final_state
    seat = actor(state)
    assert seat is not None
    events = [*start[:act_index], b.Folded(seat), *[b.Checked(seat)] * 50]
    assert [finding.clause for finding in find_in_record(events)] == ["R13"] * 50
