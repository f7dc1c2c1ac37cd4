"""A hand of a document while it is told: values that nobody knows, and moments that are numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.readers.hand import HandBuilder, Places
from ledger.readers.spans import Spans, elements

_WORDS_MOST: Final = 500


class JsonHandBuilder(HandBuilder):
    """The hand being told; its places are values in the bytes `data`."""

    __slots__ = ("data",)

    def __init__(self, data: bytes, places: Places, people: People, venue: str, game: GameSet, at: int) -> None:
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


class Recorded(JsonHandBuilder):
    """The hand of one JSON object: `value`, and in `where` the places of its members by name."""

    __slots__ = ("spans", "value", "where")

    def __init__(
        self,
        data: bytes,
        spans: Spans,
        where: dict[str, int],
        people: People,
        venue: str,
        game: GameSet,
        value: dict[str, Any],
    ) -> None:
        """Begin the hand of `value`; the place of the object itself is `where[""]`."""
        super().__init__(data, spans, people, venue, game, where[""])
        self.spans = spans
        self.where = where
        self.value = value

    def parts(self, name: str) -> list[tuple[int, Any]]:
        """Return the elements of a member that is a list, each with its place."""
        return self.listed(self.where.get(name, -1), self.value.get(name))

    def listed(self, at: int, found: object) -> list[tuple[int, Any]]:
        """Return the elements of the list at that place, each with its own."""
        if not isinstance(found, list) or at < 0:
            return []
        where = elements(self.data, self.spans.starts[at], self.spans.lengths[at])
        return [(self.spans.add(*span), one) for span, one in zip(where, found, strict=True)]
