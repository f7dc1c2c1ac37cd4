"""Statistics of a hand by PokerKit alone: its own file reader and its own replay. No code of the project is used."""

from __future__ import annotations

import warnings
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from io import StringIO
from typing import Any, NamedTuple

import pokerkit


@dataclass
class Line:
    """What a seat did in a hand, in the terms of docs/statistics.md."""

    had_choice: bool = False
    paid: bool = False
    raised: bool = False
    could_three_bet: bool = False
    three_bet: bool = False
    acts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("bets", "raises", "calls", "checks", "folds"), 0)
    )
    saw_flop: bool = False
    reached_showdown: bool = False
    won_showdown: bool = False


class Moment(NamedTuple):
    """What a PokerKit state shows before an act: it changes the state in place."""

    street: int | None
    actor: int | None
    to_call: Any
    can_raise: bool
    highest_bet: Any


def _look(state: pokerkit.State) -> Moment:
    return Moment(
        state.street_index,
        state.actor_index,
        state.checking_or_calling_amount or 0 if state.actor_index is not None else 0,
        state.can_complete_bet_or_raise_to(),
        max(state.bets),
    )


def count_hand(history: pokerkit.HandHistory) -> dict[int, Line]:
    """Return a line for each seat of a hand."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _count_hand(history)


def _count_hand(history: pokerkit.HandHistory) -> dict[int, Line]:
    seats = history.seats or list(range(1, len(history.starting_stacks) + 1))
    lines = [Line() for _ in seats]
    folded: set[int] = set()
    raises = 0
    has_bring_in = history.bring_in is not None
    before: Moment | None = None
    was_later = False
    for state, action in history.state_actions:
        if before is not None and action is not None and action.startswith("p"):
            player, kind = int(action.split()[0][1:]) - 1, action.split()[1]
            if kind in ("f", "cc", "cbr"):
                _count_act(lines[player], before, kind, raises, has_bring_in)
                raises += kind == "cbr" and before.highest_bet > 0 and before.street == 0
                folded |= {player} if kind == "f" else set()
        if state.street_index not in (None, 0) and not was_later:
            was_later = True
            for index, line in enumerate(lines):
                line.saw_flop = index not in folded
        before = _look(state)
    live = set(range(len(lines))) - folded
    if len(live) > 1:
        for index in live:
            lines[index].reached_showdown = lines[index].saw_flop = True
        for operation in state.operations:
            if isinstance(operation, pokerkit.ChipsPushing):
                for index, amount in enumerate(operation.amounts):
                    lines[index].won_showdown |= amount > 0
    return dict(zip(seats, lines, strict=True))


def _count_act(line: Line, before: Moment, kind: str, raises: int, has_bring_in: bool) -> None:
    if before.street == 0:
        line.had_choice = True
        line.paid |= kind == "cbr" or (kind == "cc" and before.to_call > 0)
        line.raised |= kind == "cbr"
        if raises == 1 and not has_bring_in and before.can_raise:
            line.could_three_bet = True
            line.three_bet |= kind == "cbr"
    elif kind == "cbr":
        line.acts["raises" if before.highest_bet > 0 else "bets"] += 1
    elif kind == "cc":
        line.acts["calls" if before.to_call > 0 else "checks"] += 1
    else:
        line.acts["folds"] += 1


def read_histories(text: str, *, is_collection: bool) -> list[pokerkit.HandHistory]:
    """Return the hands of a file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of fields that it doesn't know
        return list(pokerkit.HandHistory.loads_all(text)) if is_collection else [pokerkit.HandHistory.loads(text)]


def parse_pokerstars(text: str) -> list[pokerkit.HandHistory]:
    """Return the hands of a PokerStars text that PokerKit can parse and replay."""
    with warnings.catch_warnings(), redirect_stderr(StringIO()):  # it prints each hand that it can't read
        warnings.simplefilter("ignore")
        return list(pokerkit.HandHistory.from_pokerstars(text, error_status=False))
