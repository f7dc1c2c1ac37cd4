"""The tab of one player: what the player took, missed, made up and owes at a table since sitting down."""

from __future__ import annotations

import msgspec

from ledger.presence import Origin
from ledger.vocabulary import Seat
from projections.obligations.dues import Ground, Missed, SeatDue
from projections.obligations.moves import Move


class Tab(msgspec.Struct):
    """What one player has done and owes at this table since sitting down."""

    seat: Seat = 0
    established: bool = True  # has had the big blind or posted here, or was in the game from the start
    entered: bool = True  # is in the game: has been dealt in, or was there when it began
    missed: list[Missed] = []  # blinds that passed the seat and aren't made up yet
    made_up_in_zone: bool = False  # made up blinds between button and big blind, so gets no button this round
    short_big: bool = False  # posted less than half of the big blind, and the book asks to make that good
    arrived_after: str = ""  # number of the last hand before the player sat down
    is_arrival_recorded: bool = False  # the record shows the player sitting down
    version: int | None = None  # of the event that shows the arrival, in the table's stream
    origin: Origin = "unknown"
    missing_fact: str = ""  # the fact that leaves open what is owed; "" = none
    former_tab: Tab | None = None  # the tab at a chair that the player gave up while owing: it may still be owed
    doubt: str | None = None
    """The open question whether the player was away or had left, often the `missing_fact` as well.

    "": we assume that the player hadn't left. None: there is no doubt.
    """
    missed_while_away: bool | None = None  # whether the player was away when the first of `missed` went past
    broke: str = ""  # number of the hand on which the player lost the last chip; "" = none
    played_owing: list[tuple[str, bool | None]] = []
    """Numbers of hands that the player was dealt in on without paying, and whether the player acted (None = unknown)."""
    marked: int | None = None  # version of a missed-blind marker for blinds that the record doesn't show
    maybe_missed: frozenset[str] = frozenset()  # blinds that may have passed, though the record doesn't show it
    is_vouched_for: bool = False  # somebody stated what the player owed before the record, or in a gap
    first_absence: str = ""  # number of the first hand without cards before the record, as somebody stated it
    move: Move | None = None
    make_up_hand: str = ""  # number of the hand on which blinds were made up; "" again after the next big blind
    straddled: bool = False  # blinds were made up by a straddle
    bought: str = ""  # number of the hand after which the player bought the button; "" again once that settled the tab
    purchase: str = ""  # the same number, but kept after that
    settlement: Ground | None = None  # how the tab was last settled
    due: SeatDue | None = None  # the dues of the seat, cached while `is_quiet`

    @property
    def transferred(self) -> bool:
        """Whether the house moved the player here from a broken or changed game."""
        return self.origin in ("broken-game", "limit-change")

    @property
    def is_clear(self) -> bool:
        """Whether the player is in the game and certainly owes no blinds. A seat change may still cost something."""
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
        """Whether `is_clear`, and the player hasn't changed seats since last dealt in."""
        return self.move is None and self.is_clear

    @property
    def is_active(self) -> bool:
        """Whether `is_clear`, and any seat change since last dealt in gained no position on the blinds."""
        return self.is_clear and (self.move is None or self.move.gained <= 0)

    @property
    def is_quiet(self) -> bool:
        """Whether `is_settled`, and the player may have the button.

        That is so if `established`, and not if blinds were made up between button and big blind.
        """
        return (  # the conditions of `is_settled`, and these two
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
        """Turn the doubt whether the player had left into a recorded absence, since an event shows the player back.

        Blinds that passed meanwhile then count as missed by the record.
        """
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
        """Clear what the player owed, since everything is paid. `sentence` says how, `hand` is the hand's number.

        The arrival, statements, the last purchase, and the latest make-up (`make_up_hand`, `made_up_in_zone`) stay.
        """
        self.established = self.entered = True
        self.missed.clear()
        self.played_owing.clear()
        self.missing_fact = self.broke = self.bought = ""
        self.short_big = self.straddled = False
        self.doubt = None
        self.marked = self.missed_while_away = self.move = self.former_tab = None
        self.maybe_missed = frozenset()
        self.settlement, self.due = Ground(sentence, (), "record", hand), None
