"""Cache the results of texts that repeat within one reading of a source.

Every hand of a log has the same acts, seats and amounts. A reader parses each text once; the cache belongs to
the reading's people, ends with them, and is bounded.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

MAX_TEXTS: Final = 100_000
"""Texts of one kind at most; beyond, all of that kind are read again."""


TextResults: TypeAlias = dict[str, Any]
"""The result of each text of a kind."""


class RepeatedTexts:
    """Results of texts, by kind."""

    __slots__ = ("_groups", "_kinds")

    def __init__(self) -> None:
        self._kinds: dict[tuple[type | str | int, ...], TextResults] = {}
        self._groups: dict[tuple[type | str | int, ...], tuple[TextResults, ...]] = {}

    def results_of(self, *kind: type | str | int) -> TextResults:
        """Return the cache of a kind, such as a room's acts in a unit; readers add their results.

        Called at the beginning of each hand: no hand has so many lines that the cache overflows.
        """
        results = self._kinds.get(kind)
        if results is None or len(results) > MAX_TEXTS:
            results = self._kinds[kind] = {}
        return results

    def results_of_kinds(self, count: int, *kind: type | str | int) -> tuple[TextResults, ...]:
        """Return several caches used together; if one is full, all start again."""
        result_groups = self._groups.get(kind, ())
        for texts in result_groups:
            if len(texts) > MAX_TEXTS:
                result_groups = ()
                break
        if not result_groups:
            result_groups = self._groups[kind] = tuple({} for _ in range(count))
        return result_groups

    def forget_all(self) -> None:
        """Clear everything: no trace of an erased name may stay."""
        self._kinds.clear()
        self._groups.clear()
