"""Statistics of players, as documents and pages show them."""

from __future__ import annotations

import msgspec

from ledger.vocabulary import Millis


class Ratio(msgspec.Struct):
    """How often something happened, out of how many chances."""

    count: int
    of: int

    @property
    def percent(self) -> float | None:
        """The ratio in percent; None without a chance."""
        return 100 * self.count / self.of if self.of else None


class StatisticsRow(msgspec.Struct, kw_only=True):
    """The statistics of a group of seats in one unit of money. Amounts are in units of 10^-exponent of `unit`."""

    name: str  # a player, a position, stakes, ...
    room: str = ""  # set for a player who shares a name with another
    ids: list[str] = []  # of the player; [] if the group isn't a player
    format: str
    unit: str
    exponent: int
    hands: int  # counted once for each seat dealt in
    net: int  # without hands whose record is cut off, has unread lines or doesn't add up
    per_hundred: float | None = None  # big blinds won in a hundred hands; None: no hand has a big blind on record
    vpip: Ratio
    pfr: Ratio
    three_bet: Ratio
    bets: int  # after the first betting round, as raises, calls and folds
    raises: int
    calls: int
    folds: int
    went_to_showdown: Ratio  # of the hands in which the seat saw the flop
    won_at_showdown: Ratio
    left_out: dict[str, int] = {}  # hands that no figure counts, by reason
    showdown_unknown: int = 0  # hands in which the record can't show whether there was a showdown

    @property
    def aggression_factor(self) -> float | None:
        """Bets and raises for each call; None without a call."""
        return (self.bets + self.raises) / self.calls if self.calls else None

    @property
    def aggression_frequency(self) -> Ratio:
        """Bets and raises among bets, raises, calls and folds."""
        aggressive_acts = self.bets + self.raises
        return Ratio(aggressive_acts, aggressive_acts + self.calls + self.folds)


class WinPoint(msgspec.Struct):
    """A player's winnings after a number of hands. `showdown`: at showdowns. `other`: without one, or unknown."""

    hands: int
    started: Millis | None  # when the last of them began; None = not on record
    net: int
    showdown: int
    other: int


class WinLine(msgspec.Struct):
    """What a player won over time in one unit of money. Amounts are in units of 10^-exponent of `unit`."""

    format: str
    unit: str
    exponent: int
    hands: int
    points: list[WinPoint]
    untimed: int = 0  # hands without a time on record: they come last, in the order of the log
