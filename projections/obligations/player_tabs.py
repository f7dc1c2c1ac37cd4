"""Keep the tabs of a table's players up to date, hand by hand and event by event.

Tabs hold facts. `projections.obligations.debts` derives from them what each player owes under a book.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from typing import Final

from ledger.event import Event
from ledger.presence import PlayerAway, PlayerBack, SeatLeft, SeatTaken
from ledger.table.events import HandPlayed
from ledger.table.order import TableEntry
from ledger.table.pools import ANONYMOUS
from ledger.table.state import TableState
from ledger.table.unlisted_seats import find_late_seats
from ledger.vocabulary import PlayerId, Seat, Witness
from projections.obligations.blindless_hands import has_no_blinds
from projections.obligations.dealt_players import note_blindless_hand, note_dealt_players
from projections.obligations.dues import Due, Placement
from projections.obligations.earlier_hands import apply_statement
from projections.obligations.game import has_blinds
from projections.obligations.game_start import NewGame
from projections.obligations.gaps import describe_gap, has_gap
from projections.obligations.missed_blinds import Spot, locate_positions, measure_passage, place_heads_up_small_blind
from projections.obligations.moves import measure_move, passes_nobody
from projections.obligations.passed_blinds import note_passed_blinds, stays_seated
from projections.obligations.posted_blinds import MAKEUP_ROLES, apply_posts, lift_button_bars
from projections.obligations.presence_rules import HANDLERS, does_draw_count, find_active_seats
from projections.obligations.tab import Tab
from projections.obligations.tab_facts import TabFacts
from projections.sentences import debts as debt_sentences
from projections.sentences import unknowns

_SEATING: Final = int(Witness.SEATING)
_LISTS_PLAYERS: Final = int(Witness.PRESENCE | Witness.SEATING)
_ASKS_LAST_HAND: Final[frozenset[type[Event]]] = frozenset({PlayerAway, PlayerBack, SeatLeft, SeatTaken})
"""Events whose handlers read only the table's last hand, and may run twice."""


class PlayerTabs(TabFacts):
    """The tabs of all players of a table under one book, kept up to date event by event."""

    __slots__ = ()

    def buys_back(self, hand: HandPlayed) -> bool:
        """Whether a player is dealt in who had no chips when a blind went past."""
        if not self.players_with_issues:
            return False
        for dealt_player in hand.dealt_in:
            tab = self.tabs.get(dealt_player.player)
            if tab is not None and tab.broke_hand and tab.missed:
                return True
        return False

    # Hands and events

    def apply_table_event(self, entry: TableEntry, state: TableState) -> None:
        """Apply an event between hands. `state` has it already."""
        handler = HANDLERS.get(type(entry.event))
        if handler is not None:
            handler(self, entry.event, state, entry.version)
            self._update_loud_players()

    def note_seat_changes(self, hand: HandPlayed, state: TableState) -> None:
        """Note the moves of players who sit in another chair than on the last hand, though no move is recorded."""
        seated = self.seated
        if not hand.witnesses & _SEATING or all(
            seated.get(dealt_player.seat) == dealt_player.player for dealt_player in hand.dealt_in
        ):
            return
        if self.spot is None or has_gap(state, hand) or self._is_renumbered(hand):
            return
        former_seats = {player: seat for seat, player in seated.items()}
        for dealt_player in hand.dealt_in:
            former_seat = former_seats.get(dealt_player.player, dealt_player.seat)
            tab = self.tabs.get(dealt_player.player)
            if former_seat == dealt_player.seat or tab is None or not tab.entered or tab.move is not None:
                continue
            if not passes_nobody(state, former_seat, dealt_player.seat):
                tab.move = measure_move(
                    state, self.spot, former_seat, dealt_player.seat, None, find_active_seats(self, state)
                )
                tab.move.missing_fact = unknowns.moved_or_came_back(dealt_player.seat, former_seat)
                self._update_loud_players()

    def apply_hand(self, hand: HandPlayed, state: TableState, due: Due | None = None) -> None:
        """Apply a hand. `state`: the table before the hand. `due`: what was due on it."""
        if self._take_steady_hand(hand, due):
            return
        is_first_hand = self.is_first_hand(hand)
        if self.game.drawn_seats and not self.game.first_hand:  # the draw may have been recorded by seats only
            seats = self.game.drawn_seats
            self.game.drawers.update(
                dealt_player.player for dealt_player in hand.dealt_in if dealt_player.seat in seats
            )
            self.game.drawers.update(
                left_out_player.player for left_out_player in hand.left_out if left_out_player.seat in seats
            )
        self._seat_players(hand, state, is_first_hand)
        self.record_hand(hand, state, due, is_first_hand=is_first_hand)

    def forget_hands(self, hand: HandPlayed, state: TableState) -> None:
        """Forget everything but who sits where, since hands are missing before `hand`; then seat its players."""
        self._forget_debts(describe_gap(state, hand))
        self._reapply_statements()
        self._seat_players(hand, state, is_first_hand=False)

    def can_postpone(self, hand: HandPlayed) -> bool:
        """Whether a hand, whose players are seated, can be applied later: it needs only the table's last hand."""
        return (
            len(self.seated) == len(hand.dealt_in)
            and not (
                hand.left_out
                or self.unnamed_tabs
                or self.played_over_chairs
                or self.pending_statements
                or hand.late
                or hand.voided
            )
            and all(type(event) in _ASKS_LAST_HAND or type(event) not in HANDLERS for event in hand.within)
            and has_blinds(hand.variant)
        )

    def seat_as_before(self, tabs: dict[PlayerId, Tab], seated: dict[Seat, PlayerId]) -> None:
        """Seat the players as they sat in a postponed hand."""
        self.tabs, self.seated = tabs, seated
        self.unnamed_tabs.clear()
        self.played_over_chairs.clear()

    def record_hand(self, hand: HandPlayed, state: TableState, due: Due | None, *, is_first_hand: bool) -> None:
        """Apply a hand whose players are seated: blinds that passed, posts, and who was dealt in."""
        if not hand.voided and has_blinds(hand.variant) and has_no_blinds(hand):
            apply_posts(self, hand, Spot())
            note_blindless_hand(self, hand)
        elif not hand.voided and has_blinds(hand.variant):
            spot, placement = locate_positions(hand, due)
            if hand.format != "tournament":
                late_seats = find_late_seats(state, hand)
                recorded_small = spot.small
                if placement is not None and self.spot is not None:
                    spot = place_heads_up_small_blind(spot, self.spot, placement.method, len(hand.dealt_in))
                passage = measure_passage(
                    hand,
                    self.spot,
                    spot,
                    placement,
                    late_seats,
                    is_first_hand=is_first_hand,
                    is_small_blind_nominal=spot.small != recorded_small,
                )
                note_passed_blinds(self, hand, state, passage, has_met_players=self.has_met_players or is_first_hand)
                lift_button_bars(self, hand, spot)
                apply_posts(self, hand, spot)
                note_dealt_players(self, hand, due, spot)
            self.game.follow_hand(hand.number, self.spot, spot)
            self.spot, self.last_number, self.blindless_number = spot, hand.number, ""
        self.has_met_players = self.has_met_players or bool(hand.dealt_in)
        self.apply_events_within(hand, state)
        self.pending_statements.clear()
        self._update_loud_players()

    def apply_events_within(self, hand: HandPlayed, state: TableState) -> None:
        """Apply the events within a hand that aren't acts."""
        for event in hand.within:
            handler = HANDLERS.get(type(event))
            if handler is not None:
                handler(self, event, state, None)

    def is_first_hand(self, hand: HandPlayed) -> bool:
        """Whether the record shows that the game begins with `hand`, so that nobody owes anything."""
        return self.is_first_hand_of([dealt_player.player for dealt_player in hand.dealt_in])

    def is_first_hand_of(self, players: Iterable[PlayerId]) -> bool:
        """Whether a hand with these players is recorded as the first of its game."""
        if self.spot is not None:
            return False
        if self.game.is_recorded:
            return not self.game.first_hand
        tabs = [self.tabs.get(player) for player in players]
        return all(tab is not None and tab.is_arrival_recorded for tab in tabs)

    def find_newcomer_tab(self, hand: HandPlayed, seat: Seat) -> Tab:
        """Return the tab of a player who appears in `hand` without a recorded arrival."""
        is_first_hand = self.spot is None and self.game.is_recorded
        if seat in self.unnamed_tabs and not is_first_hand:
            return self.unnamed_tabs[seat]
        if not self.has_met_players:  # the record begins here: players are assumed to be in the game already
            has_drawn = seat in self.game.drawn_seats and does_draw_count(self.policy)
            is_out = (
                is_first_hand and not has_drawn and all(dealt_player.seat != seat for dealt_player in hand.dealt_in)
            )
            return Tab(seat, established=not is_out, entered=not is_out, origin="game-start" if is_out else "unknown")
        player = next((dealt_player.player for dealt_player in hand.dealt_in if dealt_player.seat == seat), "")
        tab = Tab(
            seat,
            established=False,
            entered=False,
            arrived_after=self.last_number,
            missing_fact=self.describe_return_doubt(player, seat),
            former_tab=self.find_owing_tab(player, seat),
        )
        if not hand.witnesses & _LISTS_PLAYERS:
            tab.missing_fact = unknowns.new_or_sat_out()
        return tab

    def _forget_debts(self, reason: str) -> None:
        """Forget what everybody owes, since hands are missing. `reason`: the missing fact."""
        for player, tab in list(self.tabs.items()):
            self.tabs[player] = Tab(tab.seat, origin=tab.origin, missing_fact=reason)
        self.spot, self.game, self.last_number, self.has_met_players = None, NewGame(is_recorded=False), "", False
        self.blindless_number = ""
        self.game.is_start_lost = True
        self.broke_leavers.clear()
        self.owing_leavers.clear()

    def build_tabs_across_gap(self, reason: str) -> dict[PlayerId, Tab]:
        """Return the tabs as they are after missing hands, with the statements made since. `reason`: the missing fact."""
        saved_tabs = self.tabs
        self.tabs = {
            player: Tab(tab.seat, origin=tab.origin, missing_fact=reason) for player, tab in saved_tabs.items()
        }
        self._reapply_statements()
        tabs_after_gap, self.tabs = self.tabs, saved_tabs
        return tabs_after_gap

    def _reapply_statements(self) -> None:
        """Apply the statements about players since the last hand again, after a gap."""
        for event, version in self.pending_statements:
            player = event.player or self.seated.get(event.seat, "")
            if player in self.tabs:
                apply_statement(self.tabs[player], event, version)

    def find_late_tabs(
        self, hand: HandPlayed, state: TableState, placements: tuple[Placement, ...]
    ) -> dict[PlayerId, Tab]:
        """Return the tabs of players who came back after the blinds were posted, with the blinds that passed them noted."""
        late_seats = find_late_seats(state, hand)
        saved_tabs = self.tabs
        self.tabs = {player: deepcopy(tab) for player, tab in saved_tabs.items()}
        spot, placement = locate_positions(hand, Due("", self.last_number, placements, ()))
        passage = measure_passage(hand, self.spot, spot, placement, late_seats)
        note_passed_blinds(self, hand, state, passage, has_met_players=self.has_met_players)
        late_tabs, self.tabs = self.tabs, saved_tabs
        return {player: late_tabs[player] for seat, player in self.seated.items() if seat in late_seats}

    # Details

    def _take_steady_hand(self, hand: HandPlayed, due: Due | None) -> bool:
        """Apply a hand on which nobody came, went, owed, posted out of turn or went broke; return False for any other.

        This saves 7 % of the time for complete evenings, and a fifth if the same players sit all along. It doesn't
        note which hand last settled a seat that owes nothing.
        """
        if not self._may_be_steady(hand, due) or not self._has_steady_players(hand):
            return False
        if self.game.has_lapped:
            self._unread_hand = (hand, due)  # its positions are read only when they are needed
        else:
            last_spot, spot = self.spot, locate_positions(hand, due)[0]
            self.game.follow_hand(hand.number, last_spot, spot)
            self.spot = spot
        self.last_number = hand.number
        return True

    def _may_be_steady(self, hand: HandPlayed, due: Due | None) -> bool:
        """Whether no player has issues, and nothing unusual happened in the hand or since the last one."""
        return not (
            self.players_with_issues
            or self.pending_statements
            or hand.left_out
            or hand.within
            or hand.late
            or hand.voided
            or not self.last_number
            or self.blindless_number
            or (due is not None and due.unknown)  # perhaps hands are missing
            or len(hand.dealt_in) != len(self.seated)
            or not has_blinds(hand.variant)
        )

    def _has_steady_players(self, hand: HandPlayed) -> bool:
        """Whether the same players sit in the same seats, with enough chips before and after, and nobody made up a blind."""
        seated = self.seated
        big = hand.blinds[-1] if hand.blinds else 0
        for post in hand.posts:
            if post.role in MAKEUP_ROLES or (post.role == "big" and post.live * 2 < big):
                return False
        for dealt_player in hand.dealt_in:
            if seated.get(dealt_player.seat) != dealt_player.player or dealt_player.after == 0:
                return False
            if dealt_player.before is not None and 2 * dealt_player.before < big:
                return False
        return True

    def _update_loud_players(self) -> None:
        """Update the players whose tab has issues, or who made up a blind since their last big blind."""
        tabs = self.tabs
        self.players_with_issues, self.cached = set(), None
        for player in self.seated.values():
            tab = tabs.get(player)
            if tab is None:
                tabs[player] = Tab()
            elif tab.make_up_hand or not tab.has_no_issues:
                self.players_with_issues.add(player)

    def _seat_players(self, hand: HandPlayed, state: TableState, is_first_hand: bool) -> None:
        if self._is_renumbered(hand):
            self._forget_debts("who sits where: each hand of the source has its own names or seat numbers")
        self._seat_listed_players(hand, state, is_first_hand)

    def _is_renumbered(self, hand: HandPlayed) -> bool:
        """Whether each hand of the source has its own seat numbers, so that players can't be followed."""
        seated = self.seated
        moved_players = [
            dealt_player for dealt_player in hand.dealt_in if seated.get(dealt_player.seat) != dealt_player.player
        ]
        if not moved_players:
            return False
        former_seats = {player: seat for seat, player in seated.items()}
        moved_count = sum(
            [
                former_seats.get(dealt_player.player, dealt_player.seat) != dealt_player.seat
                for dealt_player in moved_players
            ]
        )
        if ANONYMOUS in hand.options:  # players are named by their seats here, and a seat doesn't move
            return moved_count > 0
        return moved_count > 1 and moved_count * 2 > len(hand.dealt_in)

    def _seat_listed_players(self, hand: HandPlayed, state: TableState, is_first_hand: bool) -> None:
        """Seat the listed players. If the source lists everybody who stays, the others have left."""
        listed_players = {dealt_player.seat: dealt_player.player for dealt_player in hand.dealt_in}
        if hand.left_out:
            listed_players.update((left_out_player.seat, left_out_player.player) for left_out_player in hand.left_out)
        if listed_players != self.seated:
            self._unseat_others(hand, state, listed_players)
            for seat, player in listed_players.items():
                self._seat_player(hand, seat, player)
        if is_first_hand:
            self.game.is_recorded = True
            for dealt_player in hand.dealt_in:
                self.tabs[dealt_player.player].settle(
                    debt_sentences.dealt_into_first_hand(dealt_player.seat, hand.number), hand.number
                )

    def _unseat_others(self, hand: HandPlayed, state: TableState, listed_players: dict[Seat, PlayerId]) -> None:
        """Take everybody who has moved, left or lost the seat to another player from it; drop the tabs of those gone."""
        present_players = set(listed_players.values())
        for seat, player in list(self.seated.items()):
            if player in present_players or seat in listed_players or not stays_seated(hand, state, seat):
                del self.seated[seat]
                if player not in present_players:
                    self.drop_tab(player)

    def _seat_player(self, hand: HandPlayed, seat: Seat, player: PlayerId) -> None:
        """Seat a listed player, with a new tab if the player has none."""
        self.seated[seat] = player
        tab = self.tabs.get(player)
        if tab is None:
            tab = self.tabs[player] = self.find_newcomer_tab(hand, seat)
            self.forget_earlier_sitting(player, seat)
            self.unnamed_tabs.pop(seat, None)
        tab.seat = seat
