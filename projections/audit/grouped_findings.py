"""Put findings of several rulebooks about one hand together where they are about the same.

That is one event and one seat, or, where none lies nearer, one point of decision and one seat. No finding is compared with
all others: a hand may have thousands.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from typing import Final, TypeAlias

from ledger.vocabulary import Seat
from projections.findings.finding import Finding

Points: TypeAlias = Sequence[frozenset[str]]
"""The points of decision of each finding, in the order of the findings."""

_ANY: Final = -1
"""Stands for all seats."""

_Key: TypeAlias = tuple[str, str, Seat | None]  # book, point, seat


def groups(findings: Sequence[Finding], points: Points) -> Iterator[list[Finding]]:
    """Yield the findings that are about the same, each with those that come after it and are the same as it."""
    by_event = _ByEvent(findings)
    near = _Nearest(findings, points)
    taken = [False] * len(findings)
    for first in range(len(findings)):
        if taken[first]:
            continue
        group: list[Finding] = []
        coming = [first]
        opened: dict[tuple[int, Seat | None], set[str]] = {}
        while coming:
            index = heappop(coming)
            if taken[index]:
                continue
            taken[index] = True
            group.append(findings[index])
            for other in (*by_event.others(index, opened, taken), *near.partners(index)):
                if other > index and not taken[other]:
                    heappush(coming, other)
        yield group


class _ByEvent:
    """Findings by the event and the seat that they are about, and by their books."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self._findings = findings
        self._books: dict[tuple[int, Seat | None], dict[str, list[int]]] = {}
        for index, found in enumerate(findings):
            self._books.setdefault((found.version, found.seat), {}).setdefault(found.book, []).append(index)

    def others(
        self, index: int, opened: dict[tuple[int, Seat | None], set[str]], taken: Sequence[bool]
    ) -> Iterator[int]:
        """Yield the findings of other books about the event of a finding that its group has not met yet."""
        found = self._findings[index]
        event = found.version, found.seat
        met = opened.setdefault(event, set())
        if found.book in met or len(met) > 1:
            return
        met.add(found.book)
        for book, indexes in self._books[event].items():
            if book != found.book:
                left = indexes[:] = [one for one in indexes if not taken[one]]
                yield from left


class _Nearest:
    """Findings by their points of decision, each with the one of another book that lies nearest."""

    def __init__(self, findings: Sequence[Finding], points: Points) -> None:
        self._findings, self._points = findings, points
        self._books = dict.fromkeys(found.book for found in findings)
        self._lists: dict[_Key, list[tuple[int, int]]] = {}
        for index, found in enumerate(findings):
            for point in points[index]:
                for seat in (found.seat, _ANY):
                    self._lists.setdefault((found.book, point, seat), []).append((found.version, index))
        for one in self._lists.values():
            one.sort()

    def partners(self, index: int) -> Iterator[int]:
        """Yield the finding of each other book that lies nearest, where this one is the nearest to it, too."""
        book = self._findings[index].book
        for other in self._books:
            if other == book:
                continue
            nearest = self._nearest(index, other)
            if nearest is not None and self._nearest(nearest, book) == index:
                yield nearest

    def _nearest(self, index: int, book: str) -> int | None:
        """Return the finding of its kind in a book that lies nearest: a hand may show the same wrong twice."""
        found = self._findings[index]
        seats = (_ANY,) if found.seat is None else (found.seat, None)
        near = (
            one
            for point in self._points[index]
            for seat in seats
            for one in _beside(self._lists.get((book, point, seat), ()), found.version)
        )
        best = min(near, key=lambda one: (abs(one[0] - found.version), one), default=None)
        return None if best is None else best[1]


def _beside(places: Sequence[tuple[int, int]], version: int) -> Iterator[tuple[int, int]]:
    """Yield the first of the findings at the nearest event before or at a version, and the first after it."""
    after = bisect_right(places, (version, len(places) + _FAR))
    if after < len(places):
        yield places[after]
    if after:
        yield places[bisect_left(places, (places[after - 1][0], _ANY))]


_FAR: Final = 1 << 62
"""More findings than there are."""
