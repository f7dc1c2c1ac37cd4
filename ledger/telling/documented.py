"""A hand of a document while it is told: values that nobody knows, and moments that are numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.telling.hand import Places, Telling

_WORDS_MOST: Final = 500


class Documented(Telling):
    """The hand being told; its places are values in the bytes `data`."""

    __slots__ = ("data",)

    def __init__(
        self, data: bytes, places: Places, people: People, venue: str, game: GameSet, at: int
    ) -> None:
        """Begin a hand of that game whose first part is place `at`."""
        super().__init__(places, people, venue, game, at)
        self.data = data

    def strange(self, name: str, at: int) -> None:
        """Keep the value at that place, which nobody knows, as it is written."""
        self.at = at
        start = self.places.starts[at]
        words = self.data[start : start + self.places.lengths[at]].decode("utf-8", "replace")
        said = "\n".join(filter(None, words.splitlines()))
        self.unread(f"{name[:100]}: {said[:_WORDS_MOST]}")

    def strangers(self, names: Iterable[str], known: frozenset[str], at: int) -> None:
        """Keep the members of the object at that place that are not among those known."""
        if not known.issuperset(names):
            for name in names:
                if name not in known:
                    self.strange(name, at)

    def timed(self, before: int, moment: object) -> None:
        """Give the events from index `before` on a moment, in milliseconds since 1970."""
        if isinstance(moment, int) and not isinstance(moment, bool) and 0 < moment < 1 << 47:
            for index in range(before, len(self.events)):
                self.times[index] = moment
