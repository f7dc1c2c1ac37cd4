"""Fold a hand to its end, and note its acts, streets and end for the detectors.

`build_trace` runs the steps of the fold; a note reads the state before each step. The notes follow the usual order of
turns: left of the last blind or straddle, then left of the button. If a seat acts out of turn, they continue from
there. Nothing is judged.
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


def build_trace(numbered: Sequence[tuple[int, Event]], options: Mapping[str, int | str] = NO_ENTRIES) -> HandTrace:
    """Fold a hand, and note acts and streets before each step. `options` are in force before the hand."""
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
    o.GameSet: TraceBuilder.note_game,
    o.OptionSet: TraceBuilder.note_option,
    o.SeatDealtIn: TraceBuilder.note_seat,
    o.BlindPosted: TraceBuilder.note_blind,
    o.StraddlePosted: TraceBuilder.note_post,
    o.AntePosted: TraceBuilder.note_post,
    o.BringInPosted: TraceBuilder.note_post,
    o.PostReturned: TraceBuilder.note_returned_post,
    o.DeadMoneyTaken: TraceBuilder.note_dead_money,
    b.HandKilled: TraceBuilder.note_kill,
    b.HandRetrieved: TraceBuilder.note_retrieval,
    b.BetReturned: TraceBuilder.note_returned_bet,
    b.ChipsReturned: TraceBuilder.note_returned_chips,
    d.CardBurned: TraceBuilder.note_burn,
    d.CardReturned: TraceBuilder.note_returned_card,
    d.DeckShuffled: TraceBuilder.note_shuffle,
    d.DeckCut: TraceBuilder.note_cut,
    d.BoardDealt: TraceBuilder.note_board,
    d.BoardWithdrawn: TraceBuilder.note_withdrawal,
    d.StreetDealt: TraceBuilder.note_street,
    d.MisdealDeclared: TraceBuilder.note_misdeal,
    e.ShowdownBegun: TraceBuilder.note_end,
    e.PotAwarded: TraceBuilder.note_end,
    e.HandVoided: TraceBuilder.note_void,
    e.HandCompleted: TraceBuilder.note_completion,
    **dict.fromkeys(ACT_KINDS, TraceBuilder.note_act),
}
"""The note before each event. Other event types have none."""
