"""The facts of one line: those of a hand, and those of the table before or after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ledger.formats.handscript.live import LineResult
from ledger.recording import recording_errors


class LineFacts(NamedTuple):
    """Facts that are recorded together.

    `opening_count`: the number of events that open the hand, in a commit of their own.
    """

    table_before: LineResult | None
    hand: LineResult | None
    table_after: LineResult | None
    opening_count: int = 0


def split_line_facts(parts: Sequence[LineResult]) -> LineFacts:
    """Group the facts of a line that were read one by one. Raise `UsageError` if it concerns two hands."""
    hand_indexes = [index for index, facts in enumerate(parts) if facts.kind == "hand"]
    if sum(parts[index].begins for index in hand_indexes) > 1 or any(parts[index].ends for index in hand_indexes[:-1]):
        raise recording_errors.two_hands_on_line()
    if not hand_indexes:
        return LineFacts(_merge_parts(parts), None, None)
    hand_start, hand_stop = hand_indexes[0], hand_indexes[-1] + 1
    parts_before, hand_parts, parts_after = parts[:hand_start], parts[hand_start:hand_stop], parts[hand_stop:]
    return LineFacts(
        _merge_parts(parts_before),
        _merge_parts(hand_parts),
        _merge_parts(parts_after),
        len(hand_parts[0].events) if hand_parts[0].begins else 0,
    )


def _merge_parts(parts: Sequence[LineResult]) -> LineResult | None:
    if len(parts) < 2:
        return parts[0] if parts else None
    merged = LineResult(parts[0].kind, begins=parts[0].begins, ends=parts[-1].ends)
    for facts in parts:
        event_count = len(merged.events)
        merged.events += facts.events
        merged.inferred += [event_count + index for index in facts.inferred]
        merged.times.update({event_count + index: moment for index, moment in facts.times.items()})
    return merged
