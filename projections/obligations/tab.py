"""What one player has done at a table since sitting down: entered, took, missed, made up, moved."""

from __future__ import annotations

import msgspec

from ledger.presence import Origin
from ledger.vocabulary import Seat
from projections.obligations.dues import Ground, Missed, SeatDue
from projections.obligations.moves import Move


class Tab(msgspec.Struct):
    """What one player has done at this table since sitting down."""

    seat: Seat = 0
    established: bool = True  # took the big blind or posted here, or was in from the start
    entered: bool = True  # is in the game: has been dealt in, or was active when it began
    missed: list[Missed] = []  # blinds that passed the seat and aren't made up yet
    made_up_in_zone: bool = False  # made up between button and big blind; no button this round
    short_big: bool = False  # posted less than half of the big blind, where the book asks to make that good
    arrived_after: str = ""  # number of the last hand before the player sat down
    is_arrival_recorded: bool = False  # the record shows the player sitting down
    version: int | None = None  # of that event in the table's stream
    origin: Origin = "unknown"
    missing_fact: str = ""  # what isn't known, so that what is owed is open
    former_tab: Tab | None = None  # the tab at a chair given up while owing: perhaps it's still owed
    doubt: str | None = None  # `missing_fact` while nothing shows whether the player was away or had left
    missed_while_away: bool | None = None  # whether the player was away when the first of `missed` went past
    broke: str = ""  # number of the hand on which the player lost the last chip; "" = did not
    played_owing: list[tuple[str, bool | None]] = []
    """Hands dealt in without paying what was owed; and whether the player acted, if that is known."""
    marked: int | None = None  # version of a missed-blind marker that no blind on record explains
    maybe_missed: frozenset[str] = frozenset()  # blinds that may have passed as well: the record doesn't show it
    is_vouched_for: bool = False  # somebody said how the player stood before the record or in a gap
    first_absence: str = ""  # as somebody says: the first hand without cards, before the record
    move: Move | None = None
    make_up_hand: str = ""  # number of a hand on which a blind was made up, until the next big blind
    straddled: bool = False  # made up by a straddle
    bought: str = ""  # the hand after which the player bought the button
    purchase: str = ""  # the same, kept after it settled what was owed
    settlement: Ground | None = None  # how it was last settled
    due: SeatDue | None = None  # cached while the tab is quiet: what is due from its seat

    @property
    def transferred(self) -> bool:
        """Whether the house moved the player here from a broken or changed game."""
        return self.origin in ("broken-game", "limit-change")

    @property
    def is_clear(self) -> bool:
        """In the game, with nothing owed and nothing unsure; a move may still have to be made good."""
        return (
            not self.missing_fact
            and self.entered
            and not self.missed
            and not self.short_big
            and self.marked is None
            and not self.maybe_missed
            and not self.broke
        )

    @property
    def is_settled(self) -> bool:
        """In the game, with nothing owed, nothing unsure, and no move to make good."""
        return self.move is None and self.is_clear

    @property
    def is_active(self) -> bool:
        """In the game and owing nothing, also after a move that gained no position."""
        return self.is_clear and (self.move is None or self.move.gained <= 0)

    @property
    def is_quiet(self) -> bool:
        """Settled, and free to have the button."""
        return (
            self.established
            and self.entered
            and not (
                self.missing_fact
                or self.missed
                or self.short_big
                or self.maybe_missed
                or self.broke
                or self.made_up_in_zone
            )
            and self.marked is None
            and self.move is None
        )

    def confirm_absence(self) -> None:
        """Take a player who is said to be back to have been away, not gone."""
        if self.doubt is None:
            return
        self.missed = [
            msgspec.structs.replace(missed_blind, ground=msgspec.structs.replace(missed_blind.ground, basis="record"))
            for missed_blind in self.missed
        ]
        if self.missing_fact == self.doubt:
            self.missing_fact = ""
        self.doubt, self.missed_while_away = None, True if self.missed_while_away is None else self.missed_while_away

    def settle(self, sentence: str, hand: str) -> None:
        """Clear the tab: the player has paid all that was owed."""
        self.established = self.entered = True
        self.missed.clear()
        self.played_owing.clear()
        self.missing_fact = self.broke = self.bought = ""
        self.short_big = self.straddled = False
        self.doubt = None
        self.marked = self.missed_while_away = self.move = self.former_tab = None
        self.maybe_missed = frozenset()
        self.settlement, self.due = Ground(sentence, (), "record", hand), None
