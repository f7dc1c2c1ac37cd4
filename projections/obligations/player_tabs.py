"""Keep the tabs of a table's players up to date, hand by hand and event by event.

Tabs hold facts. What a book makes of them, `projections.obligations.debts` works out.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from typing import Final, Literal

from ledger.event import Event
from ledger.presence import PlayerAway, PlayerBack, SeatLeft, SeatTaken
from ledger.table.events import HandPlayed
from ledger.table.listing import find_late_seats, is_still_seated
from ledger.table.order import TableEntry
from ledger.table.pools import ANONYMOUS
from ledger.table.state import TableState
from ledger.vocabulary import PlayerId, Seat, Witness
from projections.obligations.dues import Due, Ground, Missed, Placement
from projections.obligations.earlier_hands import apply_statement, doubt_earlier_blinds
from projections.obligations.game import has_blinds
from projections.obligations.game_start import NewGame
from projections.obligations.gaps import describe_gap, has_gap
from projections.obligations.missed_blinds import (
    BlindPassage,
    Spot,
    find_absence,
    measure_passage,
    order_small_blind,
    spot_of,
)
from projections.obligations.moves import has_free_pass, measure_move, passes_nobody
from projections.obligations.posted_blinds import MAKEUP_ROLES, apply_posts, lift_button_bars
from projections.obligations.presence_rules import HANDLERS, does_draw_count, find_active_seats
from projections.obligations.stakes import Blind
from projections.obligations.tab import Tab
from projections.obligations.tab_facts import TabFacts
from projections.sentences import debts as reasons
from projections.sentences import unknowns

_PRESENCE: Final = int(Witness.PRESENCE)
_SEATING: Final = int(Witness.SEATING)
_LISTS_PLAYERS: Final = int(Witness.PRESENCE | Witness.SEATING)
_ASKS_LAST_HAND: Final[frozenset[type[Event]]] = frozenset({PlayerAway, PlayerBack, SeatLeft, SeatTaken})
"""Events whose handlers read only the table's last hand, and may run twice."""
_AWAY_REASONS: Final = frozenset({"sitting-out", "away", "reserved"})
_ABSENCE_REASONS: Final = _AWAY_REASONS | {"asked-to-be-dealt-out", "unknown", ""}


class PlayerTabs(TabFacts):
    """The tabs of all players of a table under one book, kept up to date event by event."""

    __slots__ = ()

    def buys_back(self, hand: HandPlayed) -> bool:
        """Whether a player is dealt in who had no chips when a blind went past."""
        for dealt_player in hand.dealt_in if self.loud_players else ():
            tab = self.tabs.get(dealt_player.player)
            if tab is not None and tab.broke and tab.missed:
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
            self.game.drawers.update(listing.player for listing in hand.dealt_in if listing.seat in seats)
            self.game.drawers.update(listing.player for listing in hand.left_out if listing.seat in seats)
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
            and not (hand.left_out or self.unnamed or self.chairs or self.words or hand.late or hand.voided)
            and all(type(event) in _ASKS_LAST_HAND or type(event) not in HANDLERS for event in hand.within)
            and has_blinds(hand.variant)
        )

    def seat_as_before(self, tabs: dict[PlayerId, Tab], seated: dict[Seat, PlayerId]) -> None:
        """Seat the players as they sat in a postponed hand."""
        self.tabs, self.seated = tabs, seated
        self.unnamed.clear()
        self.chairs.clear()

    def record_hand(self, hand: HandPlayed, state: TableState, due: Due | None, *, is_first_hand: bool) -> None:
        """Apply a hand whose players are seated: blinds that passed, posts, and who was dealt in."""
        if not hand.voided and has_blinds(hand.variant):
            spot, placement = spot_of(hand, due)
            if hand.format != "tournament":
                late_seats = find_late_seats(state, hand)
                recorded_small = spot.small
                if placement is not None and self.spot is not None:
                    spot = order_small_blind(spot, self.spot, placement.method, len(hand.dealt_in))
                passed_blinds = measure_passage(
                    hand,
                    self.spot,
                    spot,
                    placement,
                    late_seats,
                    is_first_hand=is_first_hand,
                    by_order=spot.small != recorded_small,
                )
                self._note_passed_blinds(
                    hand, state, passed_blinds, has_met_players=self.has_met_players or is_first_hand
                )
                lift_button_bars(self, hand, spot)
                apply_posts(self, hand, spot)
                self._note_dealt_players(hand, due, spot)
            self.game.follow_hand(hand.number, self.spot, spot)
            self.spot, self.last = spot, hand.number
        self.has_met_players = self.has_met_players or bool(hand.dealt_in)
        self.apply_events_within(hand, state)
        self.words.clear()
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
        if seat in self.unnamed and not is_first_hand:
            return self.unnamed[seat]
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
            arrived_after=self.last,
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
        self.spot, self.game, self.last, self.has_met_players = None, NewGame(is_recorded=False), "", False
        self.game.is_start_lost = True
        self.felted.clear()
        self.owing.clear()

    def tabs_across_gap(self, reason: str) -> dict[PlayerId, Tab]:
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
        for event, version in self.words:
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
        spot, placement = spot_of(hand, Due("", self.last, placements, ()))
        self._note_passed_blinds(
            hand,
            state,
            measure_passage(hand, self.spot, spot, placement, late_seats),
            has_met_players=self.has_met_players,
        )
        late_tabs, self.tabs = self.tabs, saved_tabs
        return {player: late_tabs[player] for seat, player in self.seated.items() if seat in late_seats}

    # Details

    def _take_steady_hand(self, hand: HandPlayed, due: Due | None) -> bool:
        """Apply a hand on which nobody came, went, owed, posted out of turn or went broke; return False for any other.

        This saves 7 % of the time for complete evenings, and a fifth if the same players sit all along. It doesn't
        note which hand last settled a seat that owes nothing.
        """
        if (
            self.loud_players
            or self.words
            or hand.left_out
            or hand.within
            or hand.late
            or hand.voided
            or not self.last
            or (due is not None and due.unknown)  # perhaps hands are missing
            or len(hand.dealt_in) != len(self.seated)
            or not has_blinds(hand.variant)
        ):
            return False
        seated = self.seated
        big = hand.blinds[-1] if hand.blinds else 0
        for dealt_player in hand.dealt_in:
            if seated.get(dealt_player.seat) != dealt_player.player or dealt_player.after == 0:
                return False
            if dealt_player.before is not None and 2 * dealt_player.before < big:
                return False
        for post in hand.posts:
            if post.role in MAKEUP_ROLES or (post.role == "big" and post.live * 2 < big):
                return False
        if self.game.has_lapped:
            self._unread_hand = (hand, due)  # its positions are read only when they are needed
        else:
            last_spot, spot = self.spot, spot_of(hand, due)[0]
            self.game.follow_hand(hand.number, last_spot, spot)
            self.spot = spot
        self.last = hand.number
        return True

    def _update_loud_players(self) -> None:
        """Update the players whose tab isn't quiet, or who made up a blind since their last big blind."""
        tabs = self.tabs
        self.loud_players, self.cached = set(), None
        for player in self.seated.values():
            tab = tabs.get(player)
            if tab is None:
                tabs[player] = Tab()
            elif tab.make_up_hand or not tab.is_quiet:
                self.loud_players.add(player)

    def _seat_players(self, hand: HandPlayed, state: TableState, is_first_hand: bool) -> None:
        if self._is_renumbered(hand):
            self._forget_debts("who sits where: the source tells names or seats anew in each hand")
        self._seat_listed_players(hand, state, is_first_hand)

    def _is_renumbered(self, hand: HandPlayed) -> bool:
        """Whether the source numbers the seats of each hand anew, so that players can't be followed."""
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

    def _stays_seated(self, hand: HandPlayed, state: TableState, seat: Seat) -> bool:
        """Whether the player of a seat that `hand` doesn't list is assumed to sit there still."""
        seat_state = state.seats.get(seat)
        return not hand.witnesses & _PRESENCE or (seat_state is not None and is_still_seated(hand, seat_state))

    def _seat_listed_players(self, hand: HandPlayed, state: TableState, is_first_hand: bool) -> None:
        """Seat the listed players. If the source lists everybody who stays, the others have left."""
        listed_players = {listing.seat: listing.player for listing in hand.dealt_in}
        if hand.left_out:
            listed_players.update((listing.seat, listing.player) for listing in hand.left_out)
        if listed_players != self.seated:
            present_players = set(listed_players.values())
            for seat, player in list(self.seated.items()):
                if player in present_players or seat in listed_players or not self._stays_seated(hand, state, seat):
                    del self.seated[seat]
                    if player not in present_players:
                        self.drop_tab(player)
            for seat, player in listed_players.items():
                self.seated[seat] = player
                tab = self.tabs.get(player)
                if tab is None:
                    tab = self.tabs[player] = self.find_newcomer_tab(hand, seat)
                    self.forget_earlier_sitting(player, seat)
                    self.unnamed.pop(seat, None)
                tab.seat = seat
        if is_first_hand:
            self.game.is_recorded = True
            for listing in hand.dealt_in:
                self.tabs[listing.player].settle(reasons.dealt_into_first_hand(listing.seat, hand.number), hand.number)

    def _note_passed_blinds(
        self, hand: HandPlayed, state: TableState, passed_blinds: BlindPassage, *, has_met_players: bool
    ) -> None:
        """Note which blinds passed players without cards."""
        absence_reasons: dict[Seat, str] = {
            left_out_player.seat: left_out_player.reason for left_out_player in hand.left_out
        }
        seat_tabs = [
            (seat, self.tabs[player]) for seat, player in self.seated.items() if seat not in passed_blinds.dealt
        ]
        for seat, tab in self.unnamed.items():
            seat_tabs.append((seat, tab))
            absence_reasons[seat] = "away"
        for seat, tab in seat_tabs:
            if seat in passed_blinds.dealt:
                continue
            if not has_met_players and tab.entered and absence_reasons.get(seat, "") in _ABSENCE_REASONS:
                doubt_earlier_blinds(tab, hand.number, is_named=seat in absence_reasons)
            if ANONYMOUS in hand.options:
                tab.missing_fact = tab.missing_fact or unknowns.same_person(seat)
            if tab.move is not None:
                tab.move.waited += 1
            if not tab.entered and not (tab.transferred and self.policy.get("entry.transfer")):
                continue  # not in the game yet: a newcomer may let blinds and the button pass
            for role in passed_blinds.blinds_past(seat):
                if not tab.entered and role == "small" and not tab.missed:
                    continue  # moved here by the house: the player owes nothing before the big blind comes
                by_order = passed_blinds.by_order and role == "small"
                self._note_missed_blind(tab, role, hand, state, absence_reasons.get(seat, ""), by_order=by_order)

    def _note_missed_blind(
        self, tab: Tab, role: Blind, hand: HandPlayed, state: TableState, reason: str, *, by_order: bool
    ) -> None:
        """Note on a tab that a blind passed, unless the book lets it pass free of charge after a seat change."""
        move = tab.move
        if move is not None and has_free_pass(self.policy, move):
            if not move.granted:
                move.granted, move.passes = True, {"small", "big", "extra"}
            if role in move.passes:
                move.passes.discard(role)
                return
        if any(missed_blind.role == role and missed_blind.hand for missed_blind in tab.missed):
            return
        # A recorded miss replaces one that only a marker shows: taking the marker away doesn't pay it.
        tab.missed = [missed_blind for missed_blind in tab.missed if missed_blind.role != role]
        lists_all = bool(hand.witnesses & _SEATING) and self._stays_seated(hand, state, tab.seat)
        absence = find_absence(reason, state.seats.get(tab.seat), has_chips=not tab.broke, lists_all=lists_all)
        basis = absence.basis
        if absence.may_have_left:
            tab.doubt = unknowns.sat_out_or_left(tab.seat, hand.number)
            tab.missing_fact = tab.missing_fact or tab.doubt
        elif basis == "assumed":
            tab.doubt = tab.doubt or ""
        tab.missed_while_away = absence.was_away if not tab.missed else tab.missed_while_away and absence.was_away
        if by_order:
            basis, sentence = "assumed", reasons.missed_small_blind_heads_up(tab.seat, hand.number)
        else:
            circumstance: Literal["no cards", "no chips", "not known to have left"] = "no cards"
            if tab.broke:
                circumstance = "no chips"
            elif basis == "assumed":
                circumstance = "not known to have left"
            sentence = reasons.missed_blind(tab.seat, role, hand.number, circumstance)
        tab.missed.append(Missed(role, hand.number, Ground(sentence, (), basis, hand.number)))

    def _note_dealt_players(self, hand: HandPlayed, due: Due | None, spot: Spot) -> None:
        """Note who came in, who played while owing blinds, and who lost the last chip."""
        # On the first recorded hand, players on the button and the small blind are assumed to be in the game.
        established_seats = () if self.has_met_players else (spot.button, spot.small)
        chips_posted: dict[Seat, int] = {}
        last_blind_seats = {post.seat for post in hand.posts if post.role in ("big", "extra")}
        for post in hand.posts:
            chips_posted[post.seat] = chips_posted.get(post.seat, 0) + post.live + post.dead
        for dealt_player in hand.dealt_in:
            tab = self.tabs[dealt_player.player]
            seat_due = due.seat(dealt_player.seat) if due is not None and tab.broke and tab.missed else None
            if seat_due is not None and seat_due.enters_free:
                tab.settle(reasons.came_back_free(dealt_player.seat, hand.number), hand.number)
                tab.established = False
            if not tab.entered:
                tab.entered = True
                tab.established = tab.established or dealt_player.seat in established_seats
                if tab.established or tab.origin != "returning":  # one who returns may have been in the game before
                    tab.missing_fact, tab.former_tab = "", None
            if tab.bought:
                tab.settle(reasons.bought_button_before(dealt_player.seat, hand.number), hand.number)
            tab.move = None
            if (tab.missed or tab.short_big) and dealt_player.seat not in last_blind_seats:
                has_acted = None
                if dealt_player.before is not None and dealt_player.after is not None:
                    stack_after_posts = dealt_player.before - chips_posted.get(dealt_player.seat, 0)
                    has_acted = dealt_player.after != stack_after_posts or None  # an equal stack proves nothing
                tab.played_owing.append((hand.number, has_acted))
            elif tab.broke:
                tab.broke = ""
            if dealt_player.after == 0:
                tab.broke = hand.number
