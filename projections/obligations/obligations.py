"""Keep what is due at a table under one book, hand by hand: first the positions, then the dues of each seat."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import msgspec

from ledger.presence import SeatMoved
from ledger.table.events import GameStarted, HandPlayed
from ledger.table.order import TableEntry
from ledger.table.state import TableState
from ledger.vocabulary import PlayerId, Seat
from projections.obligations import debts, first_button
from projections.obligations.blindless_hands import has_no_blinds
from projections.obligations.button_rights import ButtonRights, bar_from_button, find_absent_button_seat
from projections.obligations.button_round import ButtonRound, HandPositions, add_chopped_blinds
from projections.obligations.choices import ComingHand
from projections.obligations.dealt_in import (
    HandRoster,
    find_entrants_in_turn,
    find_excused_seats,
    find_roster,
    find_zone_entrants,
    read_roster,
)
from projections.obligations.draft_readings import add_late_players, mark_doubtful, merge_placements
from projections.obligations.dues import NO_BUTTON, Due, Ground, Method, Placement
from projections.obligations.game import (
    BlindName,
    BlindStructure,
    MethodReadings,
    find_option,
    find_structure,
    has_blinds,
    read_methods,
)
from projections.obligations.gaps import describe_gap, has_gap
from projections.obligations.moves import passes_nobody
from projections.obligations.origin import find_origin, state_counted_hand
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.policy import Policy
from projections.obligations.position_inputs import Citations, Draft, PositionInputs
from projections.obligations.positions import draft_positions
from projections.obligations.post_order import Setting, find_straddler
from projections.obligations.steady_round import place_steady_hand
from projections.obligations.tab import Tab
from projections.sentences import readings, unknowns
from projections.sentences.positions import button_bought


class PostponedHand(NamedTuple):
    """A hand after a gap that hasn't been applied yet, with the players as they sat in it."""

    hand: HandPlayed
    due: Due
    roles: tuple[BlindName, ...]
    tabs: dict[PlayerId, Tab]
    seated: dict[Seat, PlayerId]
    last_hand: HandPlayed | None  # before the gap


class Obligations:
    """Keeps what a table's players owe under one book, event by event in the table's order."""

    def __init__(self, policy: Policy | None, book: str) -> None:
        """Take a book's policy and its name. Without a policy, the book decides nothing."""
        self.policy = policy if policy is not None else Policy({})
        self.book = book
        self._round = ButtonRound()
        self._player_tabs = PlayerTabs(self.policy)
        self._postponed: PostponedHand | None = None
        self._steady: Due | None = None  # the last answer of `find_positions`, if nobody came or went before that hand
        self._method_cache: dict[object, tuple[MethodReadings, dict[Method, Citations]]] = {}

    @property
    def round(self) -> ButtonRound:
        """Where button and blinds were on the last hand, and who still owes blinds this round.

        Applies a postponed hand first.
        """
        self._apply_postponed()
        return self._round

    @property
    def player_tabs(self) -> PlayerTabs:
        """The tabs of the players. Applies a postponed hand first."""
        self._apply_postponed()
        return self._player_tabs

    def resume(self, button_round: ButtonRound, player_tabs: PlayerTabs) -> None:
        """Go on from the saved state of another walk of the table."""
        self._round, self._player_tabs, self._postponed = button_round, player_tabs, None
        player_tabs.resume(self.policy)

    def apply_table_event(self, entry: TableEntry, state: TableState) -> None:
        """Apply an event between hands. `state` has it already."""
        if isinstance(entry.event, GameStarted):
            self.round.forget_positions(first_button.NEW_GAME)
        if isinstance(entry.event, SeatMoved) and passes_nobody(state, entry.event.origin, entry.event.to):
            self.round.move_with_player(entry.event.origin, entry.event.to)
        self.player_tabs.apply_table_event(entry, state)

    def apply_hand(self, hand: HandPlayed, state: TableState, due: Due) -> None:
        """Apply a hand. `state`: the table before the hand. `due`: what was due on it."""
        hand = add_chopped_blinds(hand, due)
        if has_no_blinds(hand) and not has_gap(state, hand):
            self._apply_positions(hand, state, self._find_dues_if_counted(hand, state))
            self.player_tabs.apply_hand(hand, state, due)
            return
        if has_gap(state, hand) and self._had_positions:
            self._apply_hand_after_gap(hand, state, due)
            return
        if due is self._steady and self.round.take_steady_hand(hand, due.placements[0]):
            self.player_tabs.apply_hand(hand, state, due)
            return
        if self.player_tabs.buys_back(hand):
            due = self.add_seat_dues(due, state, hand)  # the terms of buying back in, before the hand changes them
        self._apply_positions(hand, state, due)
        self.player_tabs.apply_hand(hand, state, due)

    def find_due(self, state: TableState) -> Due:
        """Return what is due on the coming hand. For a recorded one: `find_positions`, then `add_seat_dues`."""
        place_hand = partial(self._find_placements, state, None)
        coming_hand = ComingHand(self.policy, self.player_tabs, state, self._find_coming_roster(state), place_hand)
        due = coming_hand.find_due(self.book)
        seats = bar_from_button(self.policy, due.seats, self.round.zone)
        return msgspec.structs.replace(due, seats=seats)

    def add_seat_dues(self, due: Due, state: TableState, hand: HandPlayed | None) -> Due:
        """Return the dues of a hand with those of each seat added. `due` has the positions."""
        player_tabs = self.player_tabs
        if due is self._steady and player_tabs.cached is not None and hand is not None and not hand.left_out:
            return Due(due.book, due.previous_hand, due.placements, player_tabs.cached, due.dealt)
        if hand is not None:
            player_tabs.note_seat_changes(hand, state)
        seats = debts.list_seat_dues(self.policy, player_tabs, state, due.placements, due.dealt, hand)
        seats = bar_from_button(self.policy, seats, self.round.zone)
        return Due(due.book, due.previous_hand, due.placements, seats, due.dealt, due.unknown)

    def is_presence_unknown(self, state: TableState, hand: HandPlayed) -> bool:
        """Whether hands are missing before `hand`, and nothing since shows who sits at the table."""
        is_silent = not self._player_tabs.pending_statements and not hand.late and not self._round.zone
        return is_silent and has_gap(state, hand) and self._had_positions

    def find_positions(self, state: TableState, hand: HandPlayed) -> Due:
        """Return the positions that were due on a hand, without the dues of seats: enough to apply the hand."""
        if has_gap(state, hand) and has_blinds(hand.variant):
            dealt = tuple(sorted([dealt_player.seat for dealt_player in hand.dealt_in]))
            return Due(
                self.book, state.number, self._place_by_record(state, hand), (), dealt, describe_gap(state, hand)
            )
        if has_blinds(hand.variant) and has_no_blinds(hand):
            dealt = tuple(sorted([dealt_player.seat for dealt_player in hand.dealt_in]))
            return Due(self.book, state.number, (), (), dealt, unknowns.hand_without_blinds(hand.number))
        if (steady_placement := self._place_steady_hand(state, hand)) is not None:
            self._steady = Due(self.book, state.number, (steady_placement,), (), steady_placement.dealt)
            return self._steady
        dealt = tuple(sorted([dealt_player.seat for dealt_player in hand.dealt_in]))
        roster = read_roster(hand, state, self.player_tabs)
        placements, unknown_reason = self._find_placements(state, hand, roster)
        if unknown_reason and not placements:
            placements = self._place_by_record(state, hand)
        return Due(self.book, state.number, placements, (), dealt, unknown_reason)

    def _find_dues_if_counted(self, hand: HandPlayed, state: TableState) -> Due:
        """Return where button and blinds are on a hand without blinds, if it counts for them."""
        placements, unknown_reason = self._find_placements(state, hand, read_roster(hand, state, self.player_tabs))
        return Due(self.book, state.number, placements, (), (), unknown_reason)

    @property
    def _had_positions(self) -> bool:
        """Whether the positions of the last hand are known."""
        return self._postponed is not None or self._player_tabs.spot is not None

    def _apply_hand_after_gap(self, hand: HandPlayed, state: TableState, due: Due) -> None:
        """Forget everything but who sits where. Postpone the hand if possible: another gap would make applying it useless."""
        self._round.forget_positions("")
        self._player_tabs.forget_hands(hand, state)
        tabs, seated = dict(self._player_tabs.tabs), dict(self._player_tabs.seated)
        postponed = PostponedHand(hand, due, _find_roles(state, hand), tabs, seated, state.last_hand)
        if self._player_tabs.can_postpone(hand):
            self._player_tabs.apply_events_within(hand, state)
            self._postponed = postponed
        else:
            self._postponed = None
            self._apply_postponed_hand(postponed, state)

    def _apply_postponed(self) -> None:
        """Apply the hand after the last gap, if that was postponed."""
        postponed, self._postponed = self._postponed, None
        if postponed is not None:
            self._player_tabs.seat_as_before(postponed.tabs, postponed.seated)
            state_before = TableState(last_hand=postponed.last_hand)  # nothing else of it is read
            self._apply_postponed_hand(postponed, state_before)

    def _apply_postponed_hand(self, postponed: PostponedHand, state: TableState) -> None:
        self._round.apply_hand(postponed.hand, postponed.due, postponed.roles)
        self._round.plan_steady_turn()
        self._player_tabs.record_hand(postponed.hand, state, postponed.due, is_first_hand=False)

    def _apply_positions(self, hand: HandPlayed, state: TableState, due: Due) -> None:
        """Apply the positions of a hand, and note who came in between button and big blind."""
        if has_gap(state, hand):
            self.round.forget_positions("")
        last_positions = self.round.positions  # None: then who came in on this hand is unknown
        roster = (
            None
            if last_positions is None or self._has_same_players(last_positions, state, hand)
            else read_roster(hand, state, self.player_tabs)
        )
        self.round.apply_hand(hand, due, _find_roles(state, hand))
        hand_positions = self.round.void or self.round.positions
        has_entrants = roster is not None and bool(roster.entrants or roster.late_seats)
        if roster is not None and hand_positions is not None and has_entrants and not hand.voided:
            button, furthest = hand_positions.button, hand_positions.furthest
            self.round.zone.update(find_zone_entrants(hand, roster, button, furthest, self.player_tabs))
        self.round.plan_steady_turn()

    def _has_same_players(self, positions: HandPositions, state: TableState, hand: HandPlayed) -> bool:
        """Whether the players of the last hand are dealt in again, and nobody came, owes or waits."""
        return (
            self.player_tabs.has_no_issues
            and positions.hand == state.number
            and not hand.late
            and positions.has_same_players(hand)
        )

    # Positions

    def _find_coming_roster(self, state: TableState) -> HandRoster:
        roster = find_roster(state, self.player_tabs)
        positions = self.round.positions
        if positions is None or positions.button is None or "dead" in self._find_methods(state, None)[0].methods:
            return roster
        called_seats = find_absent_button_seat(self.policy, self.player_tabs, state, positions.button, roster)
        return find_roster(state, self.player_tabs, called_seats) if called_seats else roster

    def _place_steady_hand(self, state: TableState, hand: HandPlayed) -> Placement | None:
        """Return the only placement of a hand if nobody came or went, or None if it must be worked out in full."""
        if self.round.turn is None or not self.player_tabs.has_no_issues:
            return None
        if not has_blinds(hand.variant):
            return None
        blinds = find_structure(state, hand)
        method_readings, citations = self._find_methods(state, hand)
        method = method_readings.methods[0]
        if isinstance(blinds, str) or method == "record" or find_straddler(hand) is not None:
            return None
        equal_methods = tuple(other_method for other_method in method_readings.methods if other_method != method)
        return place_steady_hand(self.round, state, hand, blinds, method, citations[method], equal_methods)

    def _find_placements(
        self, state: TableState, hand: HandPlayed | None, roster: HandRoster
    ) -> tuple[tuple[Placement, ...], str]:
        """Return the placements of a hand, or of the coming hand if it's None. Without any, say why in the second value."""
        if not has_blinds(hand.variant if hand is not None else state.variant):
            return (), NO_BUTTON
        if hand is None and state.is_game_over:
            return (), "the game is over"
        missing_hands = describe_gap(state, hand)
        if missing_hands:
            return (), missing_hands
        blinds = find_structure(state, hand)
        if isinstance(blinds, str):
            return (), blinds
        method_readings, citations = self._find_methods(state, hand)
        setting = self._build_setting(blinds, state, hand, roster)
        if method_readings.methods == ("record",):
            return _place_as_recorded(hand, roster, setting)
        positions = self.round.align_positions(hand) if hand is not None else self.round.positions
        if positions is None:
            answer = self._draft_first_hand(state, hand, roster, setting, method_readings, citations)
        elif isinstance(positions, str):
            answer = positions
        else:
            answer = self._draft_next_hand(positions, state, roster, setting, method_readings, citations)
        if roster.late_seats and not isinstance(answer, str):
            answer = [add_late_players(draft, roster.late_seats) for draft in answer]
        return ((), answer) if isinstance(answer, str) else (merge_placements(answer, setting), "")

    def _draft_first_hand(
        self,
        state: TableState,
        hand: HandPlayed | None,
        roster: HandRoster,
        setting: Setting,
        method_readings: MethodReadings,
        citations: dict[Method, Citations],
    ) -> list[Draft] | str:
        dealt = tuple(sorted((*roster.settled_seats, *roster.entrants)))
        sat_down = state.last_hand is None and self.player_tabs.is_first_hand_of(roster.players[seat] for seat in dealt)
        if not first_button.is_new_game(state) and not (dealt and sat_down):
            return self.round.unknown_reason
        if not dealt:
            return unknowns.too_few_players()
        answer = first_button.find_first_button(self.policy, state, hand, dealt)
        if isinstance(answer, str):
            return answer
        button, reason, judged = answer
        openings = [
            first_button.draft_behind_button(
                method, button, reason, dealt, setting.structure.roles, citations[method], judged=judged
            )
            for method in method_readings.methods
        ]
        first_drafts = [opening for opening in openings if isinstance(opening, Draft)]
        return first_drafts or str(openings[0])

    def _place_by_record(self, state: TableState, hand: HandPlayed) -> tuple[Placement, ...]:
        """Return where the blinds belong by the hand's own record: nothing is known before it."""
        blinds = find_structure(state, hand)
        if isinstance(blinds, str) or first_button.has_blinds_in_order(hand, blinds.roles):
            return ()
        method_readings, citations = self._find_methods(state, hand)
        is_lost = has_gap(state, hand) or self.round.align_positions(hand) is None
        if method_readings.methods == ("record",) or not is_lost:
            return ()
        roster = read_roster(hand, state, self.player_tabs, is_first_known=True)
        shown_drafts = first_button.draft_from_record(
            hand, roster.list_blind_takers(hand), blinds.roles, method_readings.methods, citations
        )
        return merge_placements(shown_drafts, self._build_setting(blinds, state, hand, roster))

    def _draft_next_hand(
        self,
        positions: HandPositions,
        state: TableState,
        roster: HandRoster,
        setting: Setting,
        method_readings: MethodReadings,
        citations: dict[Method, Citations],
    ) -> list[Draft] | str:
        """Return the drafts of a hand that follows another hand of the same game; a sentence if there is none."""
        dealt = tuple(sorted((*roster.settled_seats, *roster.entrants)))
        method = method_readings.methods[0]
        origin = find_origin(self.policy, self.round, positions, method, dealt)
        is_certain = origin.is_certain and not self.round.stepped_in
        next_drafts = [] if origin.repeated_draft is None else [origin.repeated_draft]
        if state.button_buyer is not None:
            bought_draft = self._draft_bought_button(state.button_buyer, method, dealt, setting, citations)
            next_drafts += [bought_draft] if isinstance(bought_draft, Draft) else []
            is_certain = is_certain and self.policy.value("button.buy") is False
        failures = []
        for base in origin.bases:
            answer = self._draft_readings(self._build_inputs(base, roster, setting), method_readings, citations)
            if isinstance(answer, str):
                failures.append(answer)
                answer = []
            next_drafts += (
                [state_counted_hand(draft, self.round) for draft in answer] if base is self.round.void else answer
            )
            # If it's open whether the last hand counts, judge only if the rules give an answer in either case.
            if len(origin.bases) > 1 and not any(draft.judged for draft in answer):
                is_certain = False
        if not next_drafts:
            return next(filter(None, failures), "no answer")
        if self.round.stepped_in:
            next_drafts = [_credit_short_blind(draft) for draft in next_drafts]
        return next_drafts if is_certain else [draft._replace(judged=False) for draft in next_drafts]

    def _draft_readings(
        self, inputs: PositionInputs, method_readings: MethodReadings, citations: dict[Method, Citations]
    ) -> list[Draft] | str:
        """Return the drafts that follow from one hand by each method; a sentence if there is none."""
        method_drafts: list[Draft] = []
        failure = ""
        for method in method_readings.methods:
            answer = draft_positions(inputs, method, citations[method])
            if isinstance(answer, str):
                failure = failure or answer
            else:
                method_drafts += answer
        if "owed" in method_readings.methods and "positional" not in method_readings.methods:
            answer = draft_positions(inputs, "positional", citations["owed"])
            method_drafts += () if isinstance(answer, str) else map(mark_doubtful, answer)
        return method_drafts or failure

    def _draft_bought_button(
        self, seat: Seat, method: Method, dealt: tuple[Seat, ...], setting: Setting, citations: dict[Method, Citations]
    ) -> Draft | str:
        reason = Ground(button_bought(seat), self.policy.clauses("button.buy"), "record")
        return first_button.draft_behind_button(
            method,
            seat,
            reason,
            dealt,
            setting.structure.roles,
            citations[method],
            judged=False,
            reading=readings.button_in_buyers_seat(),
        )

    def _build_inputs(self, base: HandPositions, roster: HandRoster, setting: Setting) -> PositionInputs:
        round_state = self.round
        unpaid_blinds = round_state.void_debts if base is round_state.void else round_state.debts
        return PositionInputs(
            last_positions=base,
            roles=setting.structure.roles,
            settled_seats=roster.settled_seats,
            entrants=roster.entrants,
            is_recorded=roster.is_recorded,
            posters=roster.posters,
            judge_button_right=ButtonRights(self.policy, self.player_tabs, roster, round_state.zone).judge,
            players=roster.players,
            debts=unpaid_blinds,
            late_debts=round_state.late_debts,
            free_entrants=roster.free_entrants,
            excused=find_excused_seats(self.policy, self.player_tabs, roster),
            entrants_in_turn=find_entrants_in_turn(self.policy, self.player_tabs, roster),
        )

    # What the book says of this kind of game

    def _find_methods(
        self, state: TableState, hand: HandPlayed | None
    ) -> tuple[MethodReadings, dict[Method, Citations]]:
        game_format, betting = (hand.format, hand.betting) if hand is not None else (state.format, state.betting)
        house_method = find_option(state, hand, "button-method")
        key = (game_format, betting, house_method)
        cached = self._method_cache.get(key)
        if cached is None:
            method_readings = read_methods(self.policy, game_format, betting, house_method)
            cached = self._method_cache[key] = (
                method_readings,
                {method: self._collect_citations(method_readings, method) for method in method_readings.methods},
            )
        return cached

    def _collect_citations(self, method_readings: MethodReadings, method: Method) -> Citations:
        clauses = self.policy.clauses
        method_clauses = method_readings.clauses
        dead_blind_clauses = clauses("blinds.dead_blind_posted")
        button_move_clauses = clauses("blinds.when_button_moves")
        if method_readings.is_house_choice:  # cite the clause that leaves the choice to the house, and the method's own
            method_clauses = (
                *method_clauses,
                *(dead_blind_clauses if method == "dead" else clauses("button.repeat_last_action")),
            )
        transition = self.policy.value("blinds.heads_up_transition")
        return Citations(
            method=method_clauses,
            dead_blind=dead_blind_clauses,
            dead_button=clauses("button.last_action_when_dead"),
            moved=button_move_clauses,
            order=clauses("blinds.order"),
            heads_up=clauses("blinds.heads_up_small_blind"),
            heads_up_known=self.policy.value("blinds.heads_up_small_blind") == "button",
            small_off_button=self.policy.value("blinds.order") == "next-seats",
            transition=transition or "",
        )

    def _build_setting(
        self, blinds: BlindStructure, state: TableState, hand: HandPlayed | None, roster: HandRoster
    ) -> Setting:
        half_blind_ruling = self.policy.get("blinds.short_below_half")
        betting = hand.betting if hand is not None else state.betting
        return Setting(
            blinds,
            roster.stacks,
            frozenset(roster.entrants) - find_entrants_in_turn(self.policy, self.player_tabs, roster),
            find_straddler(hand),
            half_blind_ruling.clauses
            if half_blind_ruling is not None and half_blind_ruling.value == "next-posts"
            else None,
            betting in ("limit", "spread"),
        )


def _place_as_recorded(
    hand: HandPlayed | None, roster: HandRoster, setting: Setting
) -> tuple[tuple[Placement, ...], str]:
    """Return where the record has button and blinds, under a book without a rule on them; say so for a coming hand."""
    if hand is None:
        return (), unknowns.no_rule_on_positions()
    draft = first_button.draft_as_recorded(hand, tuple(sorted(roster.players)), setting.structure.roles)
    return merge_placements([draft], setting), ""


def _credit_short_blind(draft: Draft) -> Draft:
    """Return a draft that says whose blind counts after somebody posted for a player who was short of chips."""
    reason = Ground(unknowns.credit_for_short_blind(), (), "fallback")
    return draft._replace(button_grounds=(reason, *draft.button_grounds))


def _find_roles(state: TableState, hand: HandPlayed) -> tuple[BlindName, ...]:
    blinds = find_structure(state, hand)
    return blinds.roles if isinstance(blinds, BlindStructure) else ()
