"""The dues in a few sentences that a floor manager can call out: button, blinds, and players with a choice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

from ledger.text.language import join_each_or, join_sentences
from ledger.vocabulary import Chips, Seat
from projections.obligations.dues import NO_BUTTON, Due, Placement, SeatDue, WayIn, list_blind_posters
from projections.reports import choice_text
from projections.reports.blind_labels import BLIND_ROLES
from projections.reports.ways_in import is_current_way, must_kill_pot
from projections.sentences import due as say

_MAX_PLAYERS: Final = 4
"""The most players who get a sentence. The others are only counted."""

_OTHER_POSTS: Final = ("entry", "makeup", "straddle", "kill")
_WAITS: Final = ("big-blind", "button-passes", "position")
_PAID_WAYS: Final[dict[str, Callable[[str], str]]] = {"straddle": say.straddle_in, "buy-button": say.buy_button}


class DueCall:
    """Writes the call for one book's dues."""

    def __init__(
        self,
        due: Due,
        names: Mapping[Seat, str],
        away: Collection[Seat],
        format_sum: Callable[[Chips | None, Chips | None], str],
        likely_text: str = "",
        *,
        is_list_below: bool = False,
    ) -> None:
        """Create the writer of a call.

        `names`: sanitized player names. `away`: the seats of absent players. `format_sum` formats live and dead chips.
        `likely_text`: why the positions are only likely; "" = they are certain. `is_list_below`: the other choices,
        readings and players follow the call.
        """
        self._due = due
        self._likely_text = likely_text
        self._names = names
        self._away = away
        self._format_sum = format_sum
        self._is_list_below = is_list_below

    def build_text(self) -> str:
        """Return the call, or "" if there is nothing to call."""
        if self._due.unknown == NO_BUTTON:
            return say.no_button()
        if self._due.unknown:
            return say.open_question(self._due.unknown)
        placement = self._due.place
        return "" if placement is None else join_sentences([*self._list_sentences(placement)])

    def describe_placement(self, placement: Placement) -> str:
        """Return where the button and the blinds are in one placement."""
        return join_sentences([self._call_button(placement), say.blinds([*self._list_blinds(placement)])])

    def _list_sentences(self, placement: Placement) -> Iterator[str]:
        """Yield the call's sentences: button, blinds, other posts, players with a choice, conditions."""
        yield self.describe_placement(placement)
        for post in placement.posts:
            if post.role in _OTHER_POSTS:
                price = self._format_sum(post.live, post.dead)
                yield say.posts_besides(self._name_player(post.seat), price, say.purpose_of(post.role))
        players = [sentence for seat_due in self._due.seats if (sentence := self._call_player(seat_due))]
        yield from players[:_MAX_PLAYERS]
        if len(players) > _MAX_PLAYERS:
            yield say.more_players(len(players) - _MAX_PLAYERS, is_list_below=self._is_list_below)
        yield from self._list_limits(placement)

    def _list_limits(self, placement: Placement) -> Iterator[str]:
        """Yield the conditions and doubts that the call depends on."""
        if condition := choice_text.describe_shown_choice(self._due, self._name_seat):
            yield say.depends_on_choice(condition, is_list_below=self._is_list_below)
        has_other_readings = any(other.dealt == placement.dealt for other in self._due.placements[1:])
        if has_other_readings:
            sentence = say.other_readings if placement.judged else say.unsettled_readings
            yield sentence(is_list_below=self._is_list_below)
        elif not placement.judged:
            yield say.unsettled_collision() if placement.has_collision else say.unsettled()
        if self._likely_text:
            yield self._likely_text

    def _call_button(self, placement: Placement) -> str:
        if placement.button is None:
            return say.button_open()
        return say.button_goes_to(self._name_seat(placement.button, is_empty=placement.button_empty))

    def _list_blinds(self, placement: Placement) -> Iterator[str]:
        """Yield "small blind $5 seat 7 (Nell)" for each blind, or a note if nobody posts the small blind."""
        for role in BLIND_ROLES:
            posters = () if role == "small" and placement.small_empty else list_blind_posters(placement, role)
            sums = {post.seat: self._format_sum(post.live, post.dead) for post in placement.posts if post.role == role}
            for seat in posters:
                yield say.blind_post(role, sums.get(seat, ""), self._name_seat(seat))
            if role == "small" and placement.has_collision:
                yield say.small_blind_open()
            elif role == "small" and not posters:
                yield say.dead_small_blind(placement.small) if placement.small_empty else say.no_small_blind()

    def _call_player(self, seat_due: SeatDue) -> str:
        """Return the sentence on a player who may pay, must wait, or whose dues are open; "" for other players."""
        if seat_due.deal == "yes" or seat_due.seat in self._away or seat_due.status in ("away", "broke"):
            return ""
        who = self._name_player(seat_due.seat)
        ways_to_wait = self._list_waits(seat_due)
        if seat_due.deal == "no":
            return say.must_wait(who, ways_to_wait)
        if seat_due.deal == "open":
            return say.player_open(who)
        if must_kill_pot(seat_due):
            return say.may_kill_pot(who)
        sums = dict.fromkeys(self._format_sum(post.live, post.dead) for post in seat_due.possible_posts or (seat_due,))
        is_likely = any(doubt.seat == seat_due.seat for doubt in self._due.doubts)
        return say.may_play(who, join_each_or(list(sums)), ways_to_wait, is_likely=is_likely)

    def _list_waits(self, seat_due: SeatDue) -> list[str]:
        """Return how else the player may come in: by the shortest wait, or now by a straddle or buying the button."""
        ways_in = [way_in for way_in in seat_due.ways_in if not is_current_way(way_in, seat_due, self._due.place)]
        hand_counts = [way_in.hands_to_wait for way_in in ways_in if way_in.kind in _WAITS and way_in.hands_to_wait]
        if hand_counts:
            waits = [say.wait_hands(min(hand_counts))]
        else:
            waits = [say.wait_until(way_in.kind) for way_in in ways_in if way_in.kind in _WAITS]
        for way_in in ways_in:
            if way_in.is_on_this_hand and way_in.kind in _PAID_WAYS:
                waits.append(_PAID_WAYS[way_in.kind](self._format_price(way_in)))
        return list(dict.fromkeys(waits))

    def _format_price(self, way_in: WayIn) -> str:
        return "" if way_in.live is None else self._format_sum(way_in.live, way_in.dead)

    def _name_seat(self, seat: Seat, *, is_empty: bool = False) -> str:
        player = self._names.get(seat, "")
        return say.empty_seat(seat, player) if is_empty else say.seat_of(seat, player)

    def _name_player(self, seat: Seat) -> str:
        """Return the player's name, with the seat if somebody else at the table has the same name."""
        name = self._names.get(seat, "")
        return name if name and list(self._names.values()).count(name) == 1 else self._name_seat(seat)
