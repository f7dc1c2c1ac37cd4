"""Things put into one order from what is known of their order, the stronger word before the weaker.

Each level of knowledge is a list of pairs "this before that". Where a level contradicts those above
it, it counts for nothing among the things that it contradicts them about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import Any, NamedTuple, TypeAlias

Pairs: TypeAlias = Sequence[tuple[int, int]]


class ArrangedIndex(NamedTuple):
    """One thing in its place; `guessed`: nothing tells that it stands behind the one before it."""

    what: int
    guessed: bool


LastResort: TypeAlias = tuple[Any, ...]
"""What is compared part by part; the parts of all are of the same types."""


class OrderEvidence(NamedTuple):
    """What is known of a thing by itself: its time, and what decides where nothing else does."""

    time: int | None
    last_resort: LastResort
    day: int  # the time that stands in where nothing that has one lies before it


def arrange_indexes(
    things: Sequence[int], levels: Sequence[Pairs], known: Callable[[int], OrderEvidence]
) -> list[ArrangedIndex]:
    """Put things into an order that agrees with all pairs, as far as they agree with each other.

    What has no time of its own goes directly behind what it follows.
    """
    here = set(things)
    after: dict[int, list[int]] = {one: [] for one in things}
    for level in levels:
        for first, second in level:
            if first in here and second in here:
                after[first].append(second)
    groups = _knots(things, after)
    if len(groups) == 1 and levels and len(things) > 1:
        return arrange_indexes(things, levels[:-1], known)
    found: list[ArrangedIndex] = []
    for at, guessed in _sorted(groups, after, known):
        inner = arrange_indexes(groups[at], levels, known) if len(groups[at]) > 1 else None
        if inner is None:
            found.append(ArrangedIndex(groups[at][0], guessed))
        else:
            found.append(ArrangedIndex(inner[0].what, guessed))
            found += inner[1:]
    return found


def _sorted(
    groups: list[list[int]], after: dict[int, list[int]], known: Callable[[int], OrderEvidence]
) -> list[tuple[int, bool]]:
    """Return the groups, by index, each behind all that must lie before it, and whether it is a guess."""
    of = {one: at for at, group in enumerate(groups) for one in group}
    follows: list[set[int]] = [set() for _ in groups]
    waits = [0] * len(groups)
    for first, seconds in after.items():
        for second in seconds:
            a, b = of[first], of[second]
            if a != b and b not in follows[a]:
                follows[a].add(b)
                waits[b] += 1
    times: list[int | None] = []
    resorts: list[LastResort] = []
    days: list[int] = []
    for group in groups:
        facts = [known(one) for one in group]
        times.append(min((f.time for f in facts if f.time is not None), default=None))
        resorts.append(min(f.last_resort for f in facts))
        days.append(min(f.day for f in facts))
    heap: list[tuple[int, LastResort, int]] = []
    inherited: dict[int, int] = {}
    freed: dict[int, int] = {}

    def free(at: int) -> None:
        freed[at] = len(out) - 1
        own = times[at]
        time = own if own is not None else inherited.get(at, days[at])
        heappush(heap, (time, resorts[at], at))

    out: list[tuple[int, bool]] = []
    for at, count in enumerate(waits):
        if not count:
            free(at)
    while heap:
        time, _, at = heappop(heap)
        # It could have come before the last one too, if it was free before that was taken.
        out.append((at, freed[at] < len(out) - 1))
        for later in follows[at]:
            waits[later] -= 1
            inherited[later] = max(time, inherited.get(later, time))
            if not waits[later]:
                free(later)
    return out


def _knots(things: Sequence[int], after: dict[int, list[int]]) -> list[list[int]]:
    """Return the things in groups of those that by these pairs lie before each other (Tarjan)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    groups: list[list[int]] = []
    for root in things:
        if root in index:
            continue
        work = [(root, iter(after[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            one, rest = work[-1]
            for later in rest:
                if later not in index:
                    index[later] = low[later] = len(index)
                    stack.append(later)
                    on_stack.add(later)
                    work.append((later, iter(after[later])))
                    break
                if later in on_stack:
                    low[one] = min(low[one], index[later])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[one])
                if low[one] == index[one]:
                    group = [stack.pop()]
                    while group[-1] != one:
                        group.append(stack.pop())
                    on_stack.difference_update(group)
                    groups.append(group)
    return groups
