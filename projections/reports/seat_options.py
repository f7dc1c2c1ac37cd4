"""Describe the options of a seat in the list of dues: whether it's dealt in, at what price, and how else it may play."""

from __future__ import annotations

from collections.abc import Callable, Collection

from ledger.text.language import join_each_or, join_statements
from ledger.vocabulary import Chips
from projections.obligations.dues import Due, SeatDue, WayIn
from projections.reports.blind_labels import list_roles
from projections.reports.ways_in import is_current_way, may_wait_for_big_blind, must_kill_pot
from projections.sentences import due as say
from projections.sentences import due_list as say_list


class SeatOptions:
    """Describes the options of a table's seats."""

    def __init__(self, away_seats: Collection[int], format_sum: Callable[[Chips | None, Chips | None], str]) -> None:
        """Create a describer. `format_sum` formats live and dead chips."""
        self._away_seats = away_seats
        self._format_sum = format_sum

    def describe(self, seat_due: SeatDue, due: Due) -> str:
        """Describe whether a seat is dealt in, the positions it has, and the other ways it may play."""
        statements = [self._describe_deal(seat_due, due)]
        if due.place is not None and seat_due.deal == "yes":
            statements += list_roles(due.place, seat_due.seat)
        alternatives = [way_in for way_in in seat_due.ways_in if not is_current_way(way_in, seat_due, due.place)]
        if may_wait_for_big_blind(seat_due, due, alternatives):
            statements.append(say_list.or_waits())
        if alternatives:
            ways = join_each_or([*dict.fromkeys(map(self._describe_way, alternatives))])
            may_play_now = seat_due.deal in ("if-posts", "yes")
            statements.append(say_list.or_ways(ways) if may_play_now else ways)
        text = join_statements(statements)
        if seat_due.button is False and seat_due.deal in ("yes", "if-posts"):
            return say.without_button(text)
        return text

    def _describe_deal(self, seat_due: SeatDue, due: Due) -> str:
        """Describe whether a seat is dealt in, and what it costs."""
        if seat_due.deal == "yes":
            is_free = any(way_in.kind == "free" for way_in in seat_due.ways_in)
            play = self._describe_play(seat_due, due)
            return say_list.plays_free(play) if is_free else play
        if seat_due.deal == "no":
            is_absent = seat_due.status in ("away", "broke")
            plays_by_another_reading = any(seat_due.seat in placement.dealt for placement in due.placements[1:])
            absence_text = say_list.standing_name(seat_due.status) if is_absent else say_list.gets_no_cards()
            return say_list.by_first_reading(absence_text) if plays_by_another_reading else absence_text
        # For a player who is away, the options say what it takes to come back.
        deal_text = self._describe_open_deal(seat_due)
        return say_list.absent_player(deal_text) if seat_due.seat in self._away_seats else deal_text

    def _describe_open_deal(self, seat_due: SeatDue) -> str:
        """Describe what a seat pays to be dealt in, or that we can't tell."""
        if seat_due.deal == "open":
            return say_list.cannot_tell(seat_due.status)
        if must_kill_pot(seat_due):
            return say_list.plays_if_kills()
        post_sums = [self._format_sum(post.live, post.dead) for post in seat_due.possible_posts or (seat_due,)]
        return say_list.plays_for([*dict.fromkeys(post_sums)])

    def _describe_play(self, seat_due: SeatDue, due: Due) -> str:
        """Describe that a seat plays, and what it would post if other players' choices moved the positions."""
        plays = say_list.plays(seat_due.status)
        posts = [
            post
            for choice in due.choices
            if seat_due.seat in choice.posting
            for post in choice.post
            if post.seat == seat_due.seat
        ]
        if not posts:
            return plays
        sums = join_each_or([*dict.fromkeys(self._format_sum(post.live, post.dead) for post in posts)])
        if due.place is not None and seat_due.seat == (due.place.extra or due.place.big):
            return say_list.plays_in_blind("big" if due.place.extra is None else "extra", sums)
        return say_list.plays_or_posts(plays, sums)

    def _describe_way(self, way_in: WayIn) -> str:
        """Return one way to be dealt in, with its price and the hands to wait."""
        way_text = say_list.way_text(way_in.kind)
        has_payment = way_in.live is None or way_in.dead is None or way_in.live + way_in.dead
        if has_payment and way_in.kind in ("post", "straddle", "buy-button", "kill"):
            price = "" if way_in.live is None else self._format_sum(way_in.live, way_in.dead)
            way_text = say_list.priced_way(way_in.kind, price)
        return say_list.waiting_way(way_text, way_in.hands_to_wait) if way_in.hands_to_wait else way_text
