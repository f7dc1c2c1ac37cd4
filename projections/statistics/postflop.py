"""Count each seat's acts in the later betting rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ledger.hand.acts import Act
from ledger.vocabulary import Seat


class PostflopActs(NamedTuple):
    """A seat's acts after the first betting round, by kind."""

    bets: int = 0
    raises: int = 0
    calls: int = 0
    checks: int = 0
    folds: int = 0


def count_postflop_acts(acts: Iterable[Act]) -> dict[Seat, PostflopActs]:
    """Count the acts of each seat that acted. `acts`: those after the first betting round."""
    counts: dict[Seat, Counter[str]] = {}
    for act in acts:
        counts.setdefault(act.seat, Counter())[act.kind] += 1
    return {
        seat: PostflopActs(count["bet"], count["raise"], count["call"], count["check"], count["fold"])
        for seat, count in counts.items()
    }
