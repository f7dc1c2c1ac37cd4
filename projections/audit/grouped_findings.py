"""Group the findings of several rulebooks that are about the same violation in a hand.

Findings belong together if they share event and seat, or if they are each other's nearest findings about the same
point of policy and seat. Indexes keep this fast, because a hand may have thousands of findings.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from typing import Final, NamedTuple, TypeAlias

from ledger.vocabulary import Seat
from projections.findings.finding import Finding

Points: TypeAlias = Sequence[frozenset[str]]
"""The points of policy that each finding decides, in the order of the findings."""

_ALL_SEATS: Final = -1
"""The seat of keys under which findings about any seat are listed."""
_LOWEST_INDEX: Final = -1
"""Lower than the index of any finding."""
_HIGHEST_INDEX: Final = 1 << 62
"""Higher than the index of any finding."""

_Key: TypeAlias = tuple[str, str, Seat | None]  # book, point, seat


class _Position(NamedTuple):
    """Where a finding is: the version of its event, and its index among the findings."""

    version: int
    finding_index: int


def group_findings(findings: Sequence[Finding], points: Points) -> Iterator[list[Finding]]:
    """Yield groups of findings about the same violation, in the order of their first finding."""
    by_event = _EventGroups(findings)
    by_point = _PointGroups(findings, points)
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
            for related in (
                *by_event.iter_findings_of_other_books(index, books_met, is_grouped),
                *by_point.iter_nearest_of_other_books(index),
            ):
                if related > index and not is_grouped[related]:
                    heappush(pending, related)
        yield group


class _EventGroups:
    """An index of findings by event, seat and book."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self._findings = findings
        self._books: dict[tuple[int, Seat | None], dict[str, list[int]]] = {}
        for index, finding in enumerate(findings):
            self._books.setdefault((finding.version, finding.seat), {}).setdefault(finding.book, []).append(index)

    def iter_findings_of_other_books(
        self, index: int, books_by_event: dict[tuple[int, Seat | None], set[str]], is_grouped: Sequence[bool]
    ) -> Iterator[int]:
        """Yield the ungrouped findings of other books about the same event and seat as a finding.

        `books_by_event` remembers the books whose findings this group has already followed.
        """
        finding = self._findings[index]
        event_key = finding.version, finding.seat
        books_met = books_by_event.setdefault(event_key, set())
        if finding.book in books_met or len(books_met) > 1:
            return
        books_met.add(finding.book)
        for book, indexes in self._books[event_key].items():
            if book != finding.book:
                indexes[:] = [other_index for other_index in indexes if not is_grouped[other_index]]
                yield from tuple(indexes)


class _PointGroups:
    """An index of findings by book, point of policy and seat, to find the nearest one of another book."""

    def __init__(self, findings: Sequence[Finding], points: Points) -> None:
        self._findings, self._points = findings, points
        self._books = dict.fromkeys(finding.book for finding in findings)
        self._positions: dict[_Key, list[_Position]] = {}  # sorted
        for index, finding in enumerate(findings):
            for point in points[index]:
                for seat in (finding.seat, _ALL_SEATS):
                    key = finding.book, point, seat
                    self._positions.setdefault(key, []).append(_Position(finding.version, index))
        for positions in self._positions.values():
            positions.sort()

    def iter_nearest_of_other_books(self, index: int) -> Iterator[int]:
        """Yield each other book's nearest finding, if this finding is in turn the nearest to that one."""
        book = self._findings[index].book
        for other_book in self._books:
            if other_book == book:
                continue
            nearest = self._find_nearest(index, other_book)
            if nearest is not None and self._find_nearest(nearest, book) == index:
                yield nearest

    def _find_nearest(self, index: int, book: str) -> int | None:
        """Return the index of a book's nearest finding about the same points, or None if it has none."""
        finding = self._findings[index]
        seats = (_ALL_SEATS,) if finding.seat is None else (finding.seat, None)
        candidates = (
            candidate
            for point in self._points[index]
            for seat in seats
            for candidate in _iter_neighbors(self._positions.get((book, point, seat), ()), finding.version)
        )
        nearest = min(
            candidates, key=lambda candidate: (abs(candidate.version - finding.version), candidate), default=None
        )
        return None if nearest is None else nearest.finding_index


def _iter_neighbors(positions: Sequence[_Position], version: int) -> Iterator[_Position]:
    """Yield the first finding after a version, and the first one at the nearest event up to it."""
    next_index = bisect_right(positions, (version, _HIGHEST_INDEX))
    if next_index < len(positions):
        yield positions[next_index]
    if next_index > 0:
        nearest_version = positions[next_index - 1].version
        yield positions[bisect_left(positions, (nearest_version, _LOWEST_INDEX))]
