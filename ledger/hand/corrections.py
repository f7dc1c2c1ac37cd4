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
    at = {version: index for index, (version, _) in enumerate(numbered)}
    made: dict[int, CorrectionMade] = {}
    owner: dict[int, int] = {}  # event → the correction that it came with: the nearest before it
    for index, (version, event) in enumerate(numbered):
        if isinstance(event, CorrectionMade):
            made[version] = event
            owner.update((v, version) for v, _ in numbered[index + 1 : index + 1 + max(event.count, 0)])
    if not made:
        return list(numbered)
    blocks: dict[int, list[int]] = {version: [] for version in made}
    for version in sorted(owner):
        blocks[owner[version]].append(version)
    void: set[int] = set()
    for version in sorted(made, reverse=True):
        void.update(blocks[version] if version in void else made[version].voids)
    order = [version for version, _ in numbered if version not in owner]
    for version in sorted(blocks):
        after = made[version].after
        place = order.index(after) + 1 if after in order else (0 if after < 1 else len(order))
        order[place:place] = blocks[version]
    return [numbered[at[version]] for version in order if version not in void and version not in made]
