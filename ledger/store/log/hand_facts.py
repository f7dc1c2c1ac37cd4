"""Infer a hand's row in the index of hands from its events."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.errors import UsageError
from ledger.event import Event
from ledger.hand.ending import HandCompleted, HandVoided, LineUnread
from ledger.hand.opening import GameSet, HandOpened, SeatDealtIn
from ledger.store.commits import HandFacts


def infer_hand_facts(events: Sequence[Event], *, live: bool = False) -> HandFacts:
    """Return the index fields of a hand whose first commit holds `events`; `live`: it came from no source.

    If such a hand's first commit names the game and deals nobody in, the hand is recorded as it's played:
    later commits hold its end.
    """
    opened = events[0]
    if type(opened) is not HandOpened:
        raise UsageError(
            f"a hand begins with HandOpened, not {type(opened).__name__}", "Its first event says which hand it is."
        )
    variant, betting, form = "", "", "unknown"
    for event in events:
        if type(event) is GameSet:
            variant, betting, form = event.variant, event.betting, event.format
            break
    kinds = set(map(type, events))
    if HandVoided in kinds:
        note = "voided"
    elif HandCompleted not in kinds:
        note = "live" if live and GameSet in kinds and SeatDealtIn not in kinds else "cut off"
    else:
        note = "unread lines" if LineUnread in kinds else ""
    return HandFacts(
        opened.venue, opened.tournament, opened.table, opened.number, opened.started, variant, betting, form, note
    )
