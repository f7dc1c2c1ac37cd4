"""Sort items by what is known about their order, where stronger evidence overrules weaker evidence.

Each level of evidence is a list of pairs "this before that". If a level contradicts a stronger one about some items, it
is ignored for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import Any, NamedTuple, TypeAlias

Pairs: TypeAlias = Sequence[tuple[int, int]]


class ArrangedIndex(NamedTuple):
    """An item in its place. `is_guess`: no evidence puts it after the item before it."""

    number: int
    is_guess: bool


LastResort: TypeAlias = tuple[Any, ...]
"""A sort key. The parts of all keys have the same types."""


class OrderEvidence(NamedTuple):
    """The evidence of an item by itself: its time, and what breaks ties."""

    time: int | None
    last_resort: LastResort
    day: int  # used as its time if no earlier item has one


def arrange_indexes(
    indexes: Sequence[int], levels: Sequence[Pairs], evidence_for: Callable[[int], OrderEvidence]
) -> list[ArrangedIndex]:
    """Sort items so that all pairs hold, unless pairs contradict each other.

    An item without a time goes directly after the item that it follows.
    """
    index_set = set(indexes)
    followers: dict[int, list[int]] = {index: [] for index in indexes}
    for level in levels:
        for first, second in level:
            if first in index_set and second in index_set:
                followers[first].append(second)
    groups = _group_cycles(indexes, followers)
    if len(groups) == 1 and levels and len(indexes) > 1:
        return arrange_indexes(indexes, levels[:-1], evidence_for)
    arranged: list[ArrangedIndex] = []
    for group_index, is_guess in _sort_groups(groups, followers, evidence_for):
        inner = arrange_indexes(groups[group_index], levels, evidence_for) if len(groups[group_index]) > 1 else None
        if inner is None:
            arranged.append(ArrangedIndex(groups[group_index][0], is_guess))
        else:
            arranged.append(ArrangedIndex(inner[0].number, is_guess))
            arranged += inner[1:]
    return arranged


def _sort_groups(
    groups: list[list[int]], followers: dict[int, list[int]], evidence_for: Callable[[int], OrderEvidence]
) -> list[tuple[int, bool]]:
    """Return the groups, by index, each after all that must precede it, and whether its place is a guess."""
    later_groups = _find_later_groups(groups, followers)
    blocker_counts = Counter(later_group for group_followers in later_groups for later_group in group_followers)
    evidence = [_join_evidence([evidence_for(index) for index in group]) for group in groups]
    heap: list[tuple[int, LastResort, int]] = []
    inherited: dict[int, int] = {}
    freed_after: dict[int, int] = {}

    def release_group(group_index: int) -> None:
        """Add a group whose predecessors are all placed."""
        freed_after[group_index] = len(sorted_groups) - 1
        own_time = evidence[group_index].time
        time = own_time if own_time is not None else inherited.get(group_index, evidence[group_index].day)
        heappush(heap, (time, evidence[group_index].last_resort, group_index))

    sorted_groups: list[tuple[int, bool]] = []
    for group_index in range(len(groups)):
        if not blocker_counts[group_index]:
            release_group(group_index)
    while heap:
        time, _, group_index = heappop(heap)
        # If it was free before the last one was placed, it could have come first.
        sorted_groups.append((group_index, freed_after[group_index] < len(sorted_groups) - 1))
        for later_group in later_groups[group_index]:
            blocker_counts[later_group] -= 1
            inherited[later_group] = max(time, inherited.get(later_group, time))
            if not blocker_counts[later_group]:
                release_group(later_group)
    return sorted_groups


def _find_later_groups(groups: list[list[int]], followers: dict[int, list[int]]) -> list[set[int]]:
    """Return for each group the groups that must follow it."""
    group_by_index = {index: group_index for group_index, group in enumerate(groups) for index in group}
    later_groups: list[set[int]] = [set() for _ in groups]
    for first, seconds in followers.items():
        later_groups[group_by_index[first]].update(group_by_index[second] for second in seconds)
    for group_index, group_followers in enumerate(later_groups):
        group_followers.discard(group_index)
    return later_groups


def _join_evidence(evidences: Sequence[OrderEvidence]) -> OrderEvidence:
    """Return the earliest time and day, and the first tie breaker, of a group."""
    times = [evidence.time for evidence in evidences if evidence.time is not None]
    return evidences[0]._replace(
        time=min(times, default=None),
        day=min(evidence.day for evidence in evidences),
        last_resort=min(evidence.last_resort for evidence in evidences),
    )


def _group_cycles(indexes: Sequence[int], followers: dict[int, list[int]]) -> list[list[int]]:
    """Group items that precede each other by these pairs (Tarjan)."""
    visit_order: dict[int, int] = {}
    lowest_reachable: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    groups: list[list[int]] = []
    for root in indexes:
        if root in visit_order:
            continue
        open_nodes = [(root, iter(followers[root]))]
        visit_order[root] = lowest_reachable[root] = len(visit_order)
        stack.append(root)
        on_stack.add(root)
        while open_nodes:
            node, unvisited_followers = open_nodes[-1]
            for follower in unvisited_followers:
                if follower not in visit_order:
                    visit_order[follower] = lowest_reachable[follower] = len(visit_order)
                    stack.append(follower)
                    on_stack.add(follower)
                    open_nodes.append((follower, iter(followers[follower])))
                    break
                if follower in on_stack:
                    lowest_reachable[node] = min(lowest_reachable[node], visit_order[follower])
            else:
                open_nodes.pop()
                if open_nodes:
                    lowest_reachable[open_nodes[-1][0]] = min(
                        lowest_reachable[open_nodes[-1][0]], lowest_reachable[node]
                    )
                if lowest_reachable[node] == visit_order[node]:
                    group = [stack.pop()]
                    while group[-1] != node:
                        group.append(stack.pop())
                    on_stack.difference_update(group)
                    groups.append(group)
    return groups
