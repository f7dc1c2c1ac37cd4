"""Which events of a stream hold once its corrections are applied. The same for every kind of stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ledger.event import Event
from ledger.hand.ending import CorrectionMade

EventT = TypeVar("EventT", bound=Event)


def apply_corrections(numbered: Sequence[tuple[int, EventT]]) -> list[tuple[int, EventT]]:
    """Return the events that hold, with their versions, in the order that the corrections give.

    `numbered` is a stream in the order of its versions. A correction that a later one voids has no
    effect, and the events that came with it fall too. Corrections themselves are not among the result.
    """
    index_by_version = {version: index for index, (version, _) in enumerate(numbered)}
    correction_by_version: dict[int, CorrectionMade] = {}
    correction_of: dict[int, int] = {}  # event → the correction that it came with: the nearest before it
    for index, (version, event) in enumerate(numbered):
        if isinstance(event, CorrectionMade):
            correction_by_version[version] = event
            correction_of.update(
                (inserted_version, version)
                for inserted_version, _ in numbered[index + 1 : index + 1 + max(event.count, 0)]
            )
    if not correction_by_version:
        return list(numbered)
    insertions: dict[int, list[int]] = {version: [] for version in correction_by_version}
    for version in sorted(correction_of):
        insertions[correction_of[version]].append(version)
    void_versions: set[int] = set()
    for version in sorted(correction_by_version, reverse=True):
        void_versions.update(insertions[version] if version in void_versions else correction_by_version[version].voids)
    version_order = [version for version, _ in numbered if version not in correction_of]
    for version in sorted(insertions):
        anchor = correction_by_version[version].after
        insert_index = (
            version_order.index(anchor) + 1 if anchor in version_order else (0 if anchor < 1 else len(version_order))
        )
        version_order[insert_index:insert_index] = insertions[version]
    return [
        numbered[index_by_version[version]]
        for version in version_order
        if version not in void_versions and version not in correction_by_version
    ]
