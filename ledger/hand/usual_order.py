"""A hand's events in the order of most notations: who plays and who posts, the cards, then that they are dealt.

Some rooms deal before the blinds are posted, others tell the cards of a player when all were dealt. A
writer whose text has a place for each goes by this order, and keeps the record's own beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
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


def usual_order(events: Sequence[Event]) -> list[Event]:
    """Return the events; those before the first act stand as above, each kind in its own order."""
    kinds = list(map(type, events))
    began = next((at for at, kind in enumerate(kinds) if kind in _ACTS), len(kinds))
    dealt = next((at for at, kind in enumerate(kinds[:began]) if kind in _CARDS), began)
    head = [at for at in range(dealt, began) if kinds[at] in _HEADER]
    done = [at for at in range(dealt, began) if kinds[at] is d.DealCompleted]
    if done and d.HoleCardsDealt not in kinds[done[0] : began]:
        done = []
    if not head and not done:
        return list(events)
    moved = {*head, *done}
    order = [*range(dealt), *head, *(at for at in range(dealt, began) if at not in moved), *done]
    return [events[at] for at in (*order, *range(began, len(events)))]
