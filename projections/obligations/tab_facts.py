"""The tabs of a table's players under one book, and the facts that all tabs share.

`projections.obligations.player_tabs` updates them after hands, `projections.obligations.presence_rules` after events
between hands.
"""

from __future__ import annotations

from ledger.table.events import HandPlayed
from ledger.vocabulary import PlayerId, Seat
from projections.obligations.dues import Due, SeatDue
from projections.obligations.earlier_hands import PlayerStatement
from projections.obligations.game_start import NewGame
from projections.obligations.missed_blinds import Spot, locate_positions
from projections.obligations.policy import Policy
from projections.obligations.tab import Tab
from projections.sentences import unknowns


class TabFacts:
    """The tabs of all players of a table under one book, and where button and blinds were on the last hand."""

    __slots__ = (
        "_spot",
        "_unread_hand",
        "blindless_number",
        "broke_leavers",
        "cached",
        "game",
        "has_met_players",
        "last_number",
        "owing_leavers",
        "pending_statements",
        "played_over_chairs",
        "players_with_issues",
        "policy",
        "seated",
        "tabs",
        "unnamed_tabs",
    )

    def __init__(self, policy: Policy) -> None:
        """Take the book's policy, which decides what settles a debt."""
        self.policy = policy
        self.tabs: dict[PlayerId, Tab] = {}
        self.seated: dict[Seat, PlayerId] = {}  # who sits where, as far as recorded
        self.unnamed_tabs: dict[Seat, Tab] = {}  # tabs of players whom no hand has named yet
        self.played_over_chairs: set[Seat] = set()  # where somebody plays over a player whom the record doesn't name
        # Statements about players since the last hand, with their versions.
        self.pending_statements: list[tuple[PlayerStatement, int | None]] = []
        self.broke_leavers: dict[PlayerId, str] = {}  # who left broke → number of the hand that took the last chip
        self.owing_leavers: dict[PlayerId, Tab] = {}  # who left owing blinds → the tab at that time
        self.has_met_players = False  # a hand has named players since the record began, or since the last gap
        self._spot: Spot | None = None
        self._unread_hand: tuple[HandPlayed, Due | None] | None = None
        self.last_number = ""  # number of the last hand
        self.blindless_number = ""  # number of the last hand without blinds; "" = none since the last one with blinds
        self.game = NewGame(is_recorded=False)  # since the game or the record began
        self.cached: tuple[SeatDue, ...] | None = None  # the dues of all seats, while nothing changes
        self.players_with_issues: set[PlayerId] = set()  # as in `Tab.has_no_issues`, or just made up a blind

    @property
    def spot(self) -> Spot | None:
        """Where button and blinds were on the last hand, or None if that's unknown."""
        if self._unread_hand is not None:
            self._spot, self._unread_hand = locate_positions(*self._unread_hand)[0], None
        return self._spot

    @spot.setter
    def spot(self, spot: Spot | None) -> None:
        self._spot, self._unread_hand = spot, None

    def resume(self, policy: Policy) -> None:
        """Go on from the tabs of another walk: set the policy and drop cached values."""
        self.policy = policy
        self.cached = self._unread_hand = None
        for tab in (*self.tabs.values(), *self.unnamed_tabs.values()):
            tab.due = None

    def find_tab(self, player: PlayerId) -> Tab:
        """Return a player's tab; for an unknown player, that of one who is in the game and owes nothing."""
        return self.tabs.get(player) or Tab()

    def is_settled_player(self, player: PlayerId) -> bool:
        """Whether a player has been in the game and owes nothing, even if somebody plays over the chair."""
        tab = self.tabs.get(player)
        return tab is not None and tab.entered and tab.owes_nothing

    @property
    def has_no_issues(self) -> bool:
        """Whether nobody at the table owes, waits, is new or unknown, or has just made up a blind."""
        return not self.players_with_issues

    def drop_tab(self, player: PlayerId) -> None:
        """Drop the tab of a player who left. A player who went broke or owes blinds is remembered, for a return."""
        tab = self.tabs.pop(player, None)
        if tab is None:
            return
        if tab.broke_hand:
            self.broke_leavers[player] = tab.broke_hand
        elif tab.missed or tab.short_big or tab.marker_version is not None:
            self.owing_leavers[player] = tab
        elif tab.former_tab is not None:
            self.owing_leavers[player] = tab.former_tab

    def has_owner(self, seat: Seat) -> bool:
        """Whether a player who has been in the game has a tab for a chair, even if somebody plays over it."""
        return any(tab.seat == seat and tab.entered for tab in self.tabs.values())

    def find_owing_tab(self, player: PlayerId, seat: Seat) -> Tab | None:
        """Return the tab of a player who left while owing blinds, or None.

        Also None if somebody played over the chair: the player may be its unnamed owner.
        """
        return None if seat in self.played_over_chairs else self.owing_leavers.get(player)

    def forget_earlier_sitting(self, player: PlayerId, seat: Seat) -> None:
        """Forget who played over the chair, and the player's earlier sitting: the new tab has what matters."""
        self.played_over_chairs.discard(seat)
        self.broke_leavers.pop(player, None)
        self.owing_leavers.pop(player, None)

    def describe_return_doubt(self, player: PlayerId, seat: Seat) -> str:
        """Return what isn't known about a player who takes a chair; "" = the player is new.

        The player may be the unnamed owner of a chair that somebody played over. A player who went broke may not count
        as new, depending on the book. And no book says whether giving up the chair ends a debt.
        """
        if seat in self.played_over_chairs:
            return unknowns.owner_of_chair(seat)
        hand = self.broke_leavers.get(player, "")
        if player in self.owing_leavers:
            return unknowns.owes_or_new(seat)
        if not hand or self.policy.get("entry.bust_reentry") is None:
            return ""
        return unknowns.rebuys_or_new(seat, hand)
