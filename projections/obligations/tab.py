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

    # In the game
    entered: bool = True  # has been dealt in, or was there when the game began
    established: bool = True  # has had the big blind or posted here, or was in the game from the start

    # How the player came here
    origin: Origin = "unknown"
    arrived_after: str = ""  # number of the last hand before the player sat down
    is_arrival_recorded: bool = False  # the record shows the player sitting down
    arrival_version: int | None = None  # of the event that shows the arrival, in the table's stream
    former_tab: Tab | None = None  # the tab at a chair that the player gave up while owing: it may still be owed

    # Blinds missed, and other debts
    missed: list[Missed] = []  # blinds that passed the seat and aren't made up yet
    missed_while_away: bool | None = None  # whether the player was away when the first of `missed` went past
    marker_version: int | None = None  # of a missed-blind marker for blinds that the record doesn't show
    maybe_missed: frozenset[str] = frozenset()  # blinds that may have passed, though the record doesn't show it
    short_big: bool = False  # posted less than half of the big blind, and the book asks to make that good
    broke_hand: str = ""  # number of the hand that took the player's last chip; "" = the player has chips
    played_owing: list[tuple[str, bool | None]] = []
    """Numbers of hands that the player was dealt in on without paying, and whether the player acted (None = unknown)."""
    move: Move | None = None  # a seat change since the player last had cards

    # What isn't known
    missing_fact: str = ""  # the fact that leaves open what is owed; "" = none
    doubt: str | None = None
    """The open question whether the player was away or had left, often the `missing_fact` as well.

    "": we assume that the player hadn't left. None: there is no doubt.
    """
    is_vouched_for: bool = False  # somebody stated what the player owed before the record, or in a gap
    first_absence: str = ""  # number of the first hand without cards before the record, as somebody stated it

    # How debts were settled
    settlement: Ground | None = None  # how the tab was last settled
    make_up_hand: str = ""  # number of the hand on which blinds were made up; "" again after the next big blind
    made_up_in_zone: bool = False  # made up blinds between button and big blind, so gets no button this round
    made_up_by_straddle: bool = False  # blinds were made up by a straddle
    open_purchase_hand: str = ""  # number of the hand before the player bought the button; "" once that settled the tab
    last_purchase_hand: str = ""  # the same number, but kept after that

    due: SeatDue | None = None  # the dues of the seat, cached while `has_no_issues`

    @property
    def transferred(self) -> bool:
        """Whether the house moved the player here from a broken or changed game."""
        return self.origin in ("broken-game", "limit-change")

    @property
    def owes_no_blinds(self) -> bool:
        """Whether the player is in the game and certainly owes no blinds."""
        return (
            self.entered
            and not self.missing_fact
            and not self.missed
            and not self.maybe_missed
            and not self.short_big
            and not self.broke_hand
            and self.marker_version is None
        )

    @property
    def owes_nothing(self) -> bool:
        """As `owes_no_blinds`, and no seat change is left to pay for."""
        return self.move is None and self.owes_no_blinds

    @property
    def is_active(self) -> bool:
        """As `owes_no_blinds`, and a seat change, if any, has gained no position on the blinds."""
        return self.owes_no_blinds and (self.move is None or self.move.gained <= 0)

    @property
    def has_no_issues(self) -> bool:
        """As `owes_nothing`, and the player may have the button."""
        return self.established and not self.made_up_in_zone and self.owes_nothing

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
        self.doubt = None
        if self.missed_while_away is None:
            self.missed_while_away = True

    def settle(self, sentence: str, hand: str) -> None:
        """Clear what the player owed, since everything is paid. `sentence` says how, `hand` is the hand's number.

        The arrival, statements, the last purchase, and the latest make-up (`make_up_hand`, `made_up_in_zone`) stay.
        """
        self.entered = self.established = True
        self.former_tab = None
        # Blinds missed, and other debts
        self.missed.clear()
        self.played_owing.clear()
        self.missed_while_away = self.marker_version = self.move = None
        self.maybe_missed = frozenset()
        self.short_big = False
        self.broke_hand = ""
        # What isn't known
        self.missing_fact, self.doubt = "", None
        # How debts were settled
        self.settlement = Ground(sentence, (), "record", hand)
        self.made_up_by_straddle = False
        self.open_purchase_hand = ""
        self.due = None
