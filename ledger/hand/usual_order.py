"""Sort a hand's events into the order of most notations: players and posts, then the cards.

Some rooms deal before the blinds are posted, others write a player's cards after all cards were dealt. A writer with a
fixed place for each uses this order, and stores the record's own order next to it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o

_CARDS: Final = frozenset((d.HoleCardsDealt, d.HoleCardsLearned, d.DealCompleted, d.StreetDealt, d.CardsDrawn))
_ACTS: Final = frozenset(
    {
        *(b.Folded, b.Checked, b.Called, b.Bet, b.Raised, b.Completed, o.BringInPosted),
        *(d.CardsDiscarded, d.StoodPat, d.BoardDealt, e.CardsShown),
    }
)
_HEADER: Final = frozenset(
    {
        *(o.GameSet, o.TournamentSet, o.OptionSet, o.SeatDealtIn, o.SeatLeftOut, o.ButtonPlaced),
        *(o.BlindPositionPlaced, o.BlindPosted, o.BlindSkipped, o.StraddlePosted, o.AntePosted),
    }
)


def sort_in_usual_order(events: Sequence[Event]) -> list[Event]:
    """Return the events. Those before the first act are in the usual order, and each kind keeps its own."""
    kinds = list(map(type, events))
    first_act_index = _find_first_index(kinds, _ACTS, len(kinds))
    first_card_index = _find_first_index(kinds, _CARDS, first_act_index)
    dealing = range(first_card_index, first_act_index)  # indexes from the first card to the first act
    header_indexes = [index for index in dealing if kinds[index] in _HEADER]
    deal_end_indexes = [index for index in dealing if kinds[index] is d.DealCompleted]
    if deal_end_indexes and d.HoleCardsDealt not in kinds[deal_end_indexes[0] : first_act_index]:
        deal_end_indexes = []
    moved_indexes = {*header_indexes, *deal_end_indexes}
    order = [
        *range(first_card_index),
        *header_indexes,
        *(index for index in dealing if index not in moved_indexes),
        *deal_end_indexes,
        *range(first_act_index, len(events)),
    ]
    return [events[index] for index in order]


def _find_first_index(kinds: Sequence[type[Event]], wanted_kinds: Collection[object], end: int) -> int:
    """Return the index of the first event of these kinds before `end`, or `end`."""
    return next((index for index, kind in enumerate(kinds[:end]) if kind in wanted_kinds), end)
