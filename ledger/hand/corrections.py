"""Apply the corrections of a stream. The same for every kind of stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from ledger.event import Event
from ledger.hand.ending import CorrectionMade

EventT = TypeVar("EventT", bound=Event)


class Replacement(NamedTuple):
    """What replaced an event that doesn't hold any more."""

    correction: int  # version of the last correction that counts
    versions: tuple[int, ...]  # of the events that hold in its place; () = it was taken away


def apply_corrections(numbered: Sequence[tuple[int, EventT]]) -> list[tuple[int, EventT]]:
    """Return the events in force with their versions, in the order that the corrections give.

    `numbered` is a stream in the order of its versions. If a later correction voids a correction, the events that came
    with the voided one are dropped too. The result contains no corrections.
    """
    corrections = {version: event for version, event in numbered if isinstance(event, CorrectionMade)}
    if not corrections:
        return list(numbered)
    insertions = _find_insertions(numbered, corrections)
    void_versions = _find_void_versions(corrections, insertions)
    event_by_version = dict(numbered)
    return [
        (version, event_by_version[version])
        for version in _sort_versions(numbered, corrections, insertions)
        if version not in void_versions and version not in corrections
    ]


def find_replacement(numbered: Sequence[tuple[int, Event]], version: int) -> Replacement | None:
    """Return what replaced an event, through all later corrections; None if the event holds.

    If a correction is void, the events that it had voided hold again, and replace those that came with it.
    """
    corrections = {version: event for version, event in numbered if isinstance(event, CorrectionMade)}
    insertions = _find_insertions(numbered, corrections)
    void_versions = _find_void_versions(corrections, insertions)
    if version not in void_versions:
        return None
    in_force = {number: correction for number, correction in corrections.items() if number not in void_versions}
    latest_correction = 0
    seen_versions: set[int] = set()
    pending_versions = [version]
    while pending_versions:
        pending_version = pending_versions.pop()
        if pending_version in seen_versions:
            continue
        seen_versions.add(pending_version)
        if pending_version not in void_versions:
            continue
        bringers = [number for number, inserted_versions in insertions.items() if pending_version in inserted_versions]
        for void_version in (pending_version, *bringers):
            for number in _list_voiding(in_force, void_version):
                latest_correction = max(latest_correction, number)
                pending_versions += insertions[number]
                pending_versions += corrections[void_version].voids if void_version in corrections else ()
    return Replacement(latest_correction, tuple(sorted(seen_versions - void_versions - corrections.keys())))


def _list_voiding(corrections: Mapping[int, CorrectionMade], version: int) -> list[int]:
    """Return the versions of the corrections that void an event."""
    return [number for number, correction in corrections.items() if version in correction.voids]


def _find_void_versions(corrections: Mapping[int, CorrectionMade], insertions: Mapping[int, Sequence[int]]) -> set[int]:
    """Return the versions that don't hold: what corrections void, and what came with a void correction."""
    void_versions: set[int] = set()
    for version in sorted(corrections, reverse=True):
        void_versions.update(insertions[version] if version in void_versions else corrections[version].voids)
    return void_versions


def _find_insertions(
    numbered: Sequence[tuple[int, Event]], corrections: Mapping[int, CorrectionMade]
) -> dict[int, list[int]]:
    """Return the versions of the events that came with each correction: with the nearest one before them."""
    correction_of: dict[int, int] = {}
    for index, (version, _) in enumerate(numbered):
        if version in corrections:
            inserted_count = max(corrections[version].count, 0)
            inserted_events = numbered[index + 1 : index + 1 + inserted_count]
            correction_of.update((inserted_version, version) for inserted_version, _ in inserted_events)
    insertions: dict[int, list[int]] = {version: [] for version in corrections}
    for version in sorted(correction_of):
        insertions[correction_of[version]].append(version)
    return insertions


def _sort_versions(
    numbered: Sequence[tuple[int, Event]],
    corrections: Mapping[int, CorrectionMade],
    insertions: Mapping[int, Sequence[int]],
) -> list[int]:
    """Return all versions, with those that came with a correction at the place that it names."""
    inserted_versions = {version for versions in insertions.values() for version in versions}
    version_order = [version for version, _ in numbered if version not in inserted_versions]
    for version in sorted(insertions):
        anchor = corrections[version].after
        if anchor in version_order:
            insert_index = version_order.index(anchor) + 1
        else:
            insert_index = 0 if anchor < 1 else len(version_order)
        version_order[insert_index:insert_index] = insertions[version]
    return version_order
