"""What a plain hand is made of: the kinds of event and the options that no detector looks at twice."""

from __future__ import annotations

from typing import Final

from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.presence import ConnectionLost, ConnectionRestored, PlayerAway, PlayerBack, SeatLeft, SeatTaken, WordsSaid

BEFORE: Final = frozenset(
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
SILENT: Final = frozenset(
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
AFTER: Final = frozenset(
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
HARMLESS: Final = frozenset(
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
"""Options of a house that change nothing of what this pass looks at; with any other it gives up."""
PLAIN: Final = BEFORE | SILENT | AFTER
"""The kinds of event of a plain hand; one of another kind and all detectors have a look."""
