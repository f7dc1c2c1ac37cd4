"""The tabs of a table's players under one book, as plain values.

`projections.obligations.player_tabs` learns from hands, `projections.obligations.presence_rules` from events between them.
"""

from __future__ import annotations

from ledger.table.events import HandPlayed
from ledger.vocabulary import PlayerId, Seat
from projections.obligations.dues import Due, SeatDue
from projections.obligations.earlier_hands import Word
from projections.obligations.game_start import NewGame
from projections.obligations.missed_blinds import Spot, spot_of
from projections.obligations.policy import Policy
from projections.obligations.tab import Tab
from projections.sentences import unknowns


class TabFacts:
    """The tabs of all players of a table under one book, and where its blinds were."""

    __slots__ = (
        "_spot",
        "_unread_hand",
        "cached",
        "chairs",
        "felted",
        "game",
        "has_met_players",
        "last",
        "loud_players",
        "owing",
        "policy",
        "seated",
        "tabs",
        "unnamed",
        "words",
    )

    def __init__(self, policy: Policy) -> None:
        """Take the book's policy: whether a straddle settles a debt, and who may let blinds pass."""
        self.policy = policy
        self.tabs: dict[PlayerId, Tab] = {}
        self.seated: dict[Seat, PlayerId] = {}  # as far as recorded
        self.unnamed: dict[Seat, Tab] = {}  # who sits where no hand or seat has named the player yet
        self.chairs: set[Seat] = set()  # where somebody played over a player whom nothing names
        self.words: list[tuple[Word, int | None]] = []  # what somebody said of the players since the last hand
        self.felted: dict[PlayerId, str] = {}  # who lost the last chip and the chair → on which hand
        self.owing: dict[PlayerId, Tab] = {}  # who owed blinds and gave up the chair → what stood open then
        self.has_met_players = False  # a hand has named its players since the record began, or since a gap
        self._spot: Spot | None = None
        self._unread_hand: tuple[HandPlayed, Due | None] | None = None
        self.last = ""  # number of the last hand
        self.game = NewGame(is_recorded=False)  # since the beginning of the game, or of the record
        self.cached: tuple[SeatDue, ...] | None = None  # of the last hand, while nothing changes
        self.loud_players: set[PlayerId] = set()  # those whose tab is not quiet

    @property
    def spot(self) -> Spot | None:
        """Where the positions of the last hand were; None = not known."""
        if self._unread_hand is not None:
            self._spot, self._unread_hand = spot_of(*self._unread_hand)[0], None
        return self._spot

    @spot.setter
    def spot(self, spot: Spot | None) -> None:
        self._spot, self._unread_hand = spot, None

    def wake(self, policy: Policy) -> None:
        """Go on from the tabs of another walk, without its cached values."""
        self.policy = policy
        self.cached = self._unread_hand = None
        for tab in (*self.tabs.values(), *self.unnamed.values()):
            tab.due = None

    def tab_of(self, player: PlayerId) -> Tab:
        """Return a player's tab; an unknown player owes nothing and is established."""
        return self.tabs.get(player) or Tab()

    def is_settled_player(self, player: PlayerId) -> bool:
        """Whether a player has been in the game and owes nothing, even if somebody plays over the chair."""
        tab = self.tabs.get(player)
        return tab is not None and tab.entered and tab.is_settled

    @property
    def all_quiet(self) -> bool:
        """Whether nobody at the table owes, waits, is new or unknown, or has just made up a blind."""
        return not self.loud_players

    def drop_tab(self, player: PlayerId) -> None:
        """Drop the tab of a player who left, but remember who went broke or owed blinds: they may come back."""
        tab = self.tabs.pop(player, None)
        if tab is None:
            return
        if tab.broke:
            self.felted[player] = tab.broke
        elif tab.missed or tab.short_big or tab.marked is not None:
            self.owing[player] = tab
        elif tab.former_tab is not None:
            self.owing[player] = tab.former_tab

    def find_owing_tab(self, player: PlayerId, seat: Seat) -> Tab | None:
        """Return the old tab of a player who takes a chair and owed blinds when giving one up."""
        return None if seat in self.chairs else self.owing.get(player)

    def seat_arrival(self, player: PlayerId, seat: Seat) -> None:
        """Forget what was known of the chair and of the player's earlier sitting: the new tab has what matters."""
        self.chairs.discard(seat)
        self.felted.pop(player, None)
        self.owing.pop(player, None)

    def doubt_return(self, player: PlayerId, seat: Seat) -> str:
        """Say what isn't known of a player who takes a chair; "" = a new player.

        Where somebody played over an unnamed player, it may be that player who is back. To some books, a player
        who went broke and buys chips isn't new; to others, only if the big blind passed meanwhile. No book
        says whether giving up the chair changes that, or ends a debt.
        """
        if seat in self.chairs:
            return unknowns.owner_of_chair(seat)
        hand = self.felted.get(player, "")
        if player in self.owing:
            return unknowns.owes_or_new(seat)
        if not hand or self.policy.get("entry.bust_reentry") is None:
            return ""
        return unknowns.rebuys_or_new(seat, hand)
