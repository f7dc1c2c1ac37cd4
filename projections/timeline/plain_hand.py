"""The event types and house options of a plain hand, which the quick check can follow."""

from __future__ import annotations

from typing import Final

from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.presence import ConnectionLost, ConnectionRestored, PlayerAway, PlayerBack, SeatLeft, SeatTaken, WordsSaid

OPENING_EVENTS: Final = frozenset(
    {
        o.HandOpened,
        o.GameSet,
        o.TournamentSet,
        o.SeatDealtIn,
        o.SeatLeftOut,
        o.ButtonPlaced,
        o.BlindPosted,
        o.AntePosted,
        d.HoleCardsDealt,
        o.BlindPositionPlaced,
        o.OptionSet,
    }
)
"""Events before the first act."""

SILENT_EVENTS: Final = frozenset(
    {
        d.DealCompleted,
        e.HandCompleted,
        e.RemarkNoted,
        e.ShowdownBegun,
        b.ClockExpired,
        b.TimeWarned,
        b.TimeBankUsed,
        ConnectionLost,
        ConnectionRestored,
        PlayerAway,
        PlayerBack,
        SeatLeft,
        SeatTaken,
        WordsSaid,
        e.PlayerFinished,
        e.BountyWon,
    }
)
"""Events that the quick check ignores."""

PLAY_EVENTS: Final = frozenset(
    {
        b.Folded,
        b.Checked,
        b.Called,
        b.Bet,
        b.Raised,
        d.BoardDealt,
        b.BetReturned,
        b.CashOutTaken,
        e.CardsShown,
        e.PotAwarded,
        e.DropTaken,
        e.ResultDeclared,
        d.CardBurned,
        d.HoleCardsLearned,
        e.CardsMucked,
    }
)
"""Events from the first act on."""

HARMLESS_OPTIONS: Final = frozenset(
    {
        "button-method",
        "straddle-allowed",
        "straddle-amount",
        "makeup-option",
        "entry-post-required",
        "dealer-box",
        "smallest-chip",
        "low-qualifier",
        "joker-used",
    }
)
"""House options that the quick check can ignore. A hand with any other goes to the detectors."""

PLAIN_EVENTS: Final = OPENING_EVENTS | SILENT_EVENTS | PLAY_EVENTS
"""The event types of a plain hand. A hand with any other event goes to every detector."""

HOLE_CARD_LENGTHS: Final = {
    "holdem": 4,
    "omaha": 8,
    "omaha8": 8,
    "omaha5": 10,
    "omaha5-8": 10,
    "omaha6": 12,
    "omaha6-8": 12,
}
"""The length of a player's hole cards as text, by the variants that the quick check follows."""
