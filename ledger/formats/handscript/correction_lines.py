"""Read corrections of a hand that is recorded elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import cast

from ledger.account import Account, Amendment, CorrectionReader, Reject
from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.handscript.context import Context
from ledger.formats.handscript.phrasebook import BOOK, KINDS_OF
from ledger.formats.handscript.tokens import format_word, split_marks, split_placed_words
from ledger.hand.ending import CorrectionMade, HandCompleted
from ledger.hand.events import HandEvent
from ledger.hand.opening import HandOpened
from ledger.notation import Chunk
from ledger.people import People


def build_amendment(chunk: Chunk, hand: Account) -> Amendment | Reject:
    """Return the corrections of a hand that isn't in this chunk, each with the events after it."""
    events, places = hand.events, hand.places
    corrections: list[tuple[CorrectionMade, CorrectionReader]] = []
    index = _find_first_event(hand)
    while index < len(events) and isinstance(correction := events[index], CorrectionMade):
        corrected_range = range(index + 1, index + 1 + max(correction.count, 0))
        if corrected_range.stop > len(events):
            break
        lines = []
        for event_index in corrected_range:
            start = hand.start + places[2 * event_index] - chunk.start
            lines.append(chunk.data[start : start + places[2 * event_index + 1]].decode(chunk.encoding))
        corrections.append((correction, partial(read_behind, tuple(lines))))
        index = corrected_range.stop
    if any(not isinstance(event, HandCompleted) for event in events[index:]):
        return Reject(
            hand.start,
            hand.length,
            0,
            "line",
            "its corrections don't fit the lines after them: count is the number of lines that each adds",
            'For one line: correction 27 after 26 count 1 by floor why "..."',
        )
    return Amendment(hand.opened, corrections, hand.start, hand.length)


def begins_with_correction(hand: Account) -> bool:
    """Whether a hand's lines begin with a correction, which must then be about a hand recorded elsewhere."""
    return isinstance(hand.events[_find_first_event(hand)], CorrectionMade)


def _find_first_event(hand: Account) -> int:
    """Return the first event with a line of its own, after the event that identifies the hand."""
    line_indexes = (i for i in range(1, len(hand.events)) if hand.places[2 * i + 1])
    return next(line_indexes, 0)


def read_behind(lines: Sequence[str], earlier_events: Sequence[Event], people: People) -> list[HandEvent]:
    """Return the events of lines that follow `earlier_events` in a hand."""
    context = Context(people)
    for event in earlier_events:
        if isinstance(event, HandOpened):
            context.settings.venue, context.settings.table = event.venue, event.table
        context.follow(event)
    events: list[HandEvent] = []
    for line in lines:
        words, _, _ = split_marks(split_placed_words(line.removesuffix("\r"))[0])
        if not words:
            raise UnreadableHandError("an empty line tells nothing", kind="line")
        event = BOOK.read(words, context)
        if type(event) not in KINDS_OF["hand"] or isinstance(event, HandOpened | CorrectionMade):
            raise UnreadableHandError(f"{format_word(words[0])}: this is no fact of a hand", kind="place")
        events.append(cast("HandEvent", event))
    return events
