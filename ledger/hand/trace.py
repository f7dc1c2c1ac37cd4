"""A hand folded to its end, with its acts, streets and end noted on the way: what detectors look at.

`trace` runs the fold's own steps; before each, a note reads the state. The notes follow the usual order of turns (left of
the furthest blind or straddle, then left of the button); where an act came from another seat they go on from there.
Nothing is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.acts import ACT_KINDS
from ledger.hand.fold import HANDLERS
from ledger.hand.hand_trace import HandTrace
from ledger.hand.seat_maps import NO_ENTRIES
from ledger.hand.trace_builder import TraceBuilder


def trace(numbered: Sequence[tuple[int, Event]], options: Mapping[str, int | str] = NO_ENTRIES) -> HandTrace:
    """Fold a hand, and note acts and streets before each step; `options` are in force before the hand."""
    builder = TraceBuilder(numbered, options)
    state, steps, notes = builder.state, HANDLERS, NOTES
    for index, (version, event) in enumerate(numbered):
        kind = type(event)
        if note_event := notes.get(kind):
            builder.index = index
            note_event(builder, version, event)
        steps[kind](state, event)
    return builder.finish()


Note: TypeAlias = Callable[[TraceBuilder, int, Any], None]

NOTES: Final[Mapping[type[Event], Note]] = {
    o.GameSet: TraceBuilder.game,
    o.OptionSet: TraceBuilder.option,
    o.SeatDealtIn: TraceBuilder.dealt_in,
    o.BlindPosted: TraceBuilder.blind,
    o.StraddlePosted: TraceBuilder.posted,
    o.AntePosted: TraceBuilder.posted,
    o.BringInPosted: TraceBuilder.posted,
    o.PostReturned: TraceBuilder.unposted,
    o.DeadMoneyTaken: TraceBuilder.dead_money,
    b.HandKilled: TraceBuilder.killed,
    b.HandRetrieved: TraceBuilder.retrieved,
    b.BetReturned: TraceBuilder.bet_back,
    b.ChipsReturned: TraceBuilder.chips_back,
    d.CardBurned: TraceBuilder.burned,
    d.CardReturned: TraceBuilder.returned,
    d.DeckShuffled: TraceBuilder.shuffle,
    d.DeckCut: TraceBuilder.cuts,
    d.BoardDealt: TraceBuilder.board,
    d.BoardWithdrawn: TraceBuilder.withdrawn,
    d.StreetDealt: TraceBuilder.street_dealt,
    d.MisdealDeclared: TraceBuilder.misdealt,
    e.ShowdownBegun: TraceBuilder.end,
    e.PotAwarded: TraceBuilder.end,
    e.HandVoided: TraceBuilder.voided,
    e.HandCompleted: TraceBuilder.complete,
    **dict.fromkeys(ACT_KINDS, TraceBuilder.act),
}
"""What is noted before a step; other events have no note."""
