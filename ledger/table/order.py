"""A table's events in the table's own order: by its clock and its hand numbers, not by arrival.

Hands may be imported late, out of order or twice. Ordering is deterministic: the same events give
the same order, in whatever sequence the hands came in.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from ledger.entry import Entry
from ledger.hand.corrections import holding
from ledger.table.events import HandPlayed, HandsMissing, TableEvent
from ledger.vocabulary import Millis

Key: TypeAlias = tuple[tuple[int, int, str], ...]


class Told(NamedTuple):
    """An event of a table: its version in the stream, and when it happened, if that is known."""

    version: int
    event: TableEvent
    at: Millis | None = None


def from_entries(entries: Iterable[Entry]) -> list[Told]:
    """Take what the order needs from a table's entries. A hand's time is when it began."""
    return [Told(entry.version, entry.event, entry.mark.at) for entry in entries]  # type: ignore[arg-type]  # the store holds only TableEvent in a table's stream


def from_events(events: Sequence[TableEvent], times: dict[int, Millis] | None = None) -> list[Told]:
    """Give numbers to events that are not in a ledger yet; `times` by index, as in `TableAccount`."""
    times = times or {}
    return [Told(index + 1, event, times.get(index)) for index, event in enumerate(events)]


def number_key(number: str) -> Key:
    """Return a key that sorts hand numbers as people read them: "9" before "10", "2-9" before "2-10".

    Digits are compared by length and text, so that a number of any length costs no conversion.
    """
    parts: list[tuple[int, int, str]] = []
    at = 0
    while at < len(number):
        digit = number[at] in "0123456789"
        end = at + 1
        while end < len(number) and (number[end] in "0123456789") == digit:
            end += 1
        run = number[at:end]
        if digit:
            run = run.lstrip("0")
            parts.append((0, len(run), run))
        else:
            parts.append((1, 0, run))
        at = end
    return tuple(parts)


def ordered(told: Iterable[Told]) -> list[Told]:
    """Return the events that hold in the table's order; a hand told twice appears once.

    Hands go by start and number. A timed event stands after the last hand that had begun by then.
    One without a time stays behind the event that was told before it; `HandsMissing` stands behind
    the hand that it names.
    """
    by_version = {one.version: one for one in told}
    stream = [
        by_version[version]
        for version, _ in holding(
            [(version, by_version[version].event) for version in sorted(by_version)]
        )
    ]
    hands = _hands(stream)
    place = {one.version: index for index, one in enumerate(stream)}
    starts = _clock(hands, place)
    slots = {one.version: index for index, one in enumerate(hands)}
    numbers = {one.event.number: index for index, one in enumerate(hands)}  # type: ignore[union-attr]  # `_hands` picks HandPlayed
    between: list[list[tuple[Millis, int, Told]]] = [[] for _ in range(len(hands) + 1)]
    slot, time = -1, -(1 << 62)
    for one in stream:
        event = one.event
        if isinstance(event, HandPlayed):
            slot = slots.get(one.version, numbers.get(event.number, slot))
            time = -(1 << 62)
            continue
        if isinstance(event, HandsMissing) and event.after in numbers:
            slot, time = numbers[event.after], -(1 << 62)
        elif one.at is not None:
            time = one.at
            slot = bisect_right(starts, (time, place[one.version])) - 1 if hands else -1
        between[slot + 1].append((time, place[one.version], one))
    out: list[Told] = []
    for index in range(len(hands) + 1):
        if index:
            out.append(hands[index - 1])
        out += (one for _, _, one in sorted(between[index], key=lambda item: item[:2]))
    return out


def _hands(stream: list[Told]) -> list[Told]:
    """Return one telling of each hand, in order. The first complete telling stands for the hand."""
    best: dict[object, Told] = {}
    for one in stream:
        event = one.event
        if isinstance(event, HandPlayed):
            key: object = event.number or one.version
            known = best.get(key)
            if known is None or (event.completed and not known.event.completed):  # type: ignore[union-attr]  # only hands are put in
                best[key] = one
    hands = sorted(best.values(), key=lambda one: (number_key(one.event.number), one.version))  # type: ignore[union-attr]  # only hands are put in
    time = -(1 << 62)
    keyed = []
    for place, one in enumerate(hands):
        # A hand without a time goes by its number, behind the latest of the lower numbers.
        started = _began(one)
        time = started if started is not None else time
        keyed.append((time, place, one))
    return [one for _, _, one in sorted(keyed, key=lambda item: item[:2])]


def _clock(hands: list[Told], place: dict[int, int]) -> list[tuple[Millis, int]]:
    """Return for each hand from when on it is the last one begun: time and place, ascending."""
    clock: list[tuple[Millis, int]] = []
    last = (-(1 << 62), 0)
    for one in hands:
        started = _began(one)
        last = max(last, (last[0] if started is None else started, place[one.version]))
        clock.append(last)
    return clock


def _began(one: Told) -> Millis | None:
    event = one.event
    return event.started if isinstance(event, HandPlayed) and event.started is not None else one.at
