"""Corrections of a hand that stands elsewhere: read in the place of the hand that they belong to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import cast

from ledger.account import Account, Amendment, CorrectionReader, Reject
from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.handscript.context import Context
from ledger.formats.handscript.phrasebook import BOOK, KINDS_OF
from ledger.formats.handscript.tokens import marks, placed, shown
from ledger.hand.ending import CorrectionMade, HandCompleted
from ledger.hand.events import HandEvent
from ledger.hand.opening import HandOpened
from ledger.notation import Chunk
from ledger.people import People


def amendment(chunk: Chunk, hand: Account) -> Amendment | Reject:
    """Return the corrections of a hand that is not told here; each has its events behind it."""
    events, places = hand.events, hand.places
    found: list[tuple[CorrectionMade, CorrectionReader]] = []
    index = _first(hand)
    while index < len(events) and isinstance(made := events[index], CorrectionMade):
        behind = range(index + 1, index + 1 + max(made.count, 0))
        if behind.stop > len(events):
            break
        told = []
        for at in behind:
            start = hand.start + places[2 * at] - chunk.start
            told.append(chunk.data[start : start + places[2 * at + 1]].decode(chunk.encoding))
        found.append((made, partial(read_behind, tuple(told))))
        index = behind.stop
    if any(not isinstance(event, HandCompleted) for event in events[index:]):
        return Reject(
            hand.start,
            hand.length,
            0,
            "line",
            "its corrections do not fit the lines behind them: count says how many lines each brings",
            'For one line: correction 27 after 26 count 1 by floor why "..."',
        )
    return Amendment(hand.opened, found, hand.start, hand.length)


def corrects(hand: Account) -> bool:
    """Tell whether a hand's lines begin with a correction: there is nothing in it that it could correct."""
    return isinstance(hand.events[_first(hand)], CorrectionMade)


def _first(hand: Account) -> int:
    """Return the first event that a line of the hand's own tells, behind the one that says which hand it is."""
    own = (i for i in range(1, len(hand.events)) if hand.places[2 * i + 1])
    return next(own, 0)


def read_behind(told: Sequence[str], before: Sequence[Event], people: People) -> list[HandEvent]:
    """Return the events that lines tell in a hand, behind the events `before`."""
    context = Context(people)
    for event in before:
        if isinstance(event, HandOpened):
            context.settings.venue, context.settings.table = event.venue, event.table
        context.follow(event)
    events: list[HandEvent] = []
    for text in told:
        found, _, _ = marks(placed(text.removesuffix("\r"))[0])
        if not found:
            raise UnreadableHandError("an empty line tells nothing", kind="line")
        event = BOOK.read(found, context)
        if type(event) not in KINDS_OF["hand"] or isinstance(event, HandOpened | CorrectionMade):
            raise UnreadableHandError(f"{shown(found[0])}: this is no fact of a hand", kind="place")
        events.append(cast("HandEvent", event))
    return events
