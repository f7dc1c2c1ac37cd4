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
    is_grouped = [False] * len(findings)
    for first_index in range(len(findings)):
        if is_grouped[first_index]:
            continue
        group: list[Finding] = []
        pending = [first_index]
        books_met: dict[tuple[int, Seat | None], set[str]] = {}
        while pending:
            index = heappop(pending)
            if is_grouped[index]:
                continue
            is_grouped[index] = True
            group.append(findings[index])
            for related in (*by_event.others(index, books_met, is_grouped), *near.partners(index)):
                if related > index and not is_grouped[related]:
                    heappush(pending, related)
        yield group


class _ByEvent:
    """Findings by the event and the seat that they are about, and by their books."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self._findings = findings
        self._books: dict[tuple[int, Seat | None], dict[str, list[int]]] = {}
        for index, finding in enumerate(findings):
            self._books.setdefault((finding.version, finding.seat), {}).setdefault(finding.book, []).append(index)

    def others(
        self, index: int, opened: dict[tuple[int, Seat | None], set[str]], taken: Sequence[bool]
    ) -> Iterator[int]:
        """Yield the findings of other books about the event of a finding that its group has not met yet."""
        finding = self._findings[index]
        event_key = finding.version, finding.seat
        books_met = opened.setdefault(event_key, set())
        if finding.book in books_met or len(books_met) > 1:
            return
        books_met.add(finding.book)
        for book, indexes in self._books[event_key].items():
            if book != finding.book:
                ungrouped = indexes[:] = [position for position in indexes if not taken[position]]
                yield from ungrouped


class _Nearest:
    """Findings by their points of decision, each with the one of another book that lies nearest."""

    def __init__(self, findings: Sequence[Finding], points: Points) -> None:
        self._findings, self._points = findings, points
        self._books = dict.fromkeys(finding.book for finding in findings)
        self._lists: dict[_Key, list[tuple[int, int]]] = {}
        for index, finding in enumerate(findings):
            for point in points[index]:
                for seat in (finding.seat, _ANY):
                    self._lists.setdefault((finding.book, point, seat), []).append((finding.version, index))
        for positions in self._lists.values():
            positions.sort()

    def partners(self, index: int) -> Iterator[int]:
        """Yield the finding of each other book that lies nearest, where this one is the nearest to it, too."""
        book = self._findings[index].book
        for other_book in self._books:
            if other_book == book:
                continue
            nearest = self._nearest(index, other_book)
            if nearest is not None and self._nearest(nearest, book) == index:
                yield nearest

    def _nearest(self, index: int, book: str) -> int | None:
        """Return the finding of its kind in a book that lies nearest: a hand may show the same wrong twice."""
        finding = self._findings[index]
        seats = (_ANY,) if finding.seat is None else (finding.seat, None)
        nearby = (
            candidate
            for point in self._points[index]
            for seat in seats
            for candidate in _around_version(self._lists.get((book, point, seat), ()), finding.version)
        )
        nearest = min(nearby, key=lambda candidate: (abs(candidate[0] - finding.version), candidate), default=None)
        return None if nearest is None else nearest[1]


def _around_version(positions: Sequence[tuple[int, int]], version: int) -> Iterator[tuple[int, int]]:
    """Yield the first of the findings at the nearest event before or at a version, and the first after it."""
    next_index = bisect_right(positions, (version, len(positions) + _FAR))
    if next_index < len(positions):
        yield positions[next_index]
    if next_index:
        yield positions[bisect_left(positions, (positions[next_index - 1][0], _ANY))]


_FAR: Final = 1 << 62
"""More findings than there are."""
