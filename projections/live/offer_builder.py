"""What can be recorded at a table now by buttons, and what was recorded last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.live.chair_offers import list_chairs, list_known_players
from projections.live.deal_drawing import DealRequest, draw_deal
from projections.live.recorded_acts import list_last_acts
from projections.live.seat_events import list_table_events
from projections.live.table_offers import TableOffers

if TYPE_CHECKING:
    from ledger.recording.recorder import Recorder
    from ledger.vocabulary import Seat
    from projections.live.live_table import LiveTable


def build_table_offers(
    recorder: Recorder, live_table: LiveTable, seats: frozenset[Seat] | None, request: DealRequest
) -> TableOffers:
    """Return a table's offers and its last acts for a viewer who may see the cards of `seats`, or of all if it is None."""
    last_acts = list_last_acts(recorder, live_table, seats)
    return TableOffers(
        deal=None if recorder.running else draw_deal(recorder, live_table, request),
        chairs=list_chairs(recorder, live_table),
        events=list_table_events(recorder, live_table),
        players=list_known_players(recorder, live_table),
        recent=last_acts.acts,
        undo=last_acts.undo_label,
        undo_line=last_acts.undo_line,
    )
