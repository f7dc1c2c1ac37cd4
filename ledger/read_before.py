"""What a reading has read before: texts that come again and again, with what was made of them.

A log tells the same acts, seats and amounts in every hand. What a text says once need not be worked out
anew; it is kept with the people of the reading, ends with them, and never grows without bound.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

KEPT: Final = 100_000
"""Texts of one kind at most; one more, and all of that kind are read anew."""


Known: TypeAlias = dict[str, Any]
"""What was made of each text of a kind."""


class ReadBefore:
    """Texts that were read, by kind."""

    __slots__ = ("_kinds", "_together")

    def __init__(self) -> None:
        self._kinds: dict[tuple[type | str | int, ...], Known] = {}
        self._together: dict[tuple[type | str | int, ...], tuple[Known, ...]] = {}

    def of(self, *kind: type | str | int) -> Known:
        """Return the texts of a kind, such as a room's acts in a unit; who reads one puts it there.

        Asked for at the beginning of each hand: a hand is never so long that its own lines are too many.
        """
        found = self._kinds.get(kind)
        if found is None or len(found) > KEPT:
            found = self._kinds[kind] = {}
        return found

    def several(self, count: int, *kind: type | str | int) -> tuple[Known, ...]:
        """Return so many kinds of texts that are asked for together; when one has too many, all are read anew."""
        found = self._together.get(kind, ())
        for texts in found:
            if len(texts) > KEPT:
                found = ()
                break
        if not found:
            found = self._together[kind] = tuple({} for _ in range(count))
        return found

    def clear(self) -> None:
        """Forget all: somebody's name is to be nowhere any more."""
        self._kinds.clear()
        self._together.clear()
