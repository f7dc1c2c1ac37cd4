"""What the posts of a hand change on the tabs: who settled a debt, made blinds up, or posted too little."""

from __future__ import annotations

from typing import Final

from ledger.hand.seat_maps import FEW_SEATS
from ledger.table.events import HandPlayed, Post
from ledger.vocabulary import Chips, Seat
from projections.amount_text import amount
from projections.obligations.dues import Ground
from projections.obligations.missed_blinds import Spot, find_seat_after_blinds, in_zone
from projections.obligations.ring import did_button_pass, find_seat_after
from projections.obligations.tab import Tab
from projections.obligations.tab_facts import TabFacts
from projections.sentences import debts as debt_sentences

MAKEUP_ROLES: Final = frozenset({"makeup", "makeup-small", "makeup-big", "entry", "unknown", "kill"})
_STRADDLE_ROLES: Final = frozenset({"straddle", "restraddle"})


def lift_button_bars(player_tabs: TabFacts, hand: HandPlayed, spot: Spot) -> None:
    """Lift the bar on players who made up between button and big blind, once the button has passed them."""
    if not player_tabs.players_with_issues:
        return
    last_button = None if player_tabs.spot is None else player_tabs.spot.button
    dealt = [dealt_player.seat for dealt_player in hand.dealt_in]
    for seat, player in player_tabs.seated.items():
        tab = player_tabs.tabs[player]
        if tab.made_up_in_zone and did_button_pass(last_button, seat, spot.button, dealt):
            tab.made_up_in_zone = False


def apply_posts(player_tabs: TabFacts, hand: HandPlayed, spot: Spot) -> None:
    """Update the tabs of the players who posted on a hand."""
    last_blind = "extra" if any(post.role == "extra" for post in hand.posts) else "big"
    for post in hand.posts:
        tab = player_tabs.tabs.get(player_tabs.seated.get(post.seat, ""))
        if tab is None or not (post.live or post.dead):
            continue
        if post.role == last_blind:
            _apply_last_blind(player_tabs, tab, hand, post, spot)
        elif post.role == "small" and tab.entered:
            tab.established = True  # a blind in turn, by a player who was in the game before
        elif post.role in MAKEUP_ROLES:
            _apply_makeup(tab, hand, post, spot)
        elif post.role in _STRADDLE_ROLES:
            _apply_straddle(player_tabs, tab, hand, post, spot)


def _apply_last_blind(player_tabs: TabFacts, tab: Tab, hand: HandPlayed, post: Post, spot: Spot) -> None:
    """Clear the tab of the player who had the last blind, and note who couldn't pay half of it, if the book asks."""
    tab.settle(debt_sentences.had_big_blind(post.seat, hand.number), hand.number)
    tab.make_up_hand, tab.made_up_in_zone = "", False
    if player_tabs.policy.value("blinds.short_below_half") != "next-posts":
        return
    big = hand.blinds[-1] if hand.blinds else 0
    if post.live * 2 < big and post.all_in is not False:
        sentence = debt_sentences.posted_short(
            post.seat, _format_chips(hand, post.live), _format_chips(hand, big), hand.number
        )
        _note_short_big_blind(tab, sentence, hand)
    elif post.role == "big":
        _note_passed_over(player_tabs, hand, spot, post.seat, big)


def _apply_makeup(tab: Tab, hand: HandPlayed, post: Post, spot: Spot) -> None:
    """Clear the tab of a player who posted to come in or to make blinds up, and note where."""
    is_in_zone = bool(in_zone(spot, post.seat))
    is_new, has_missed_blinds = not tab.entered, bool(tab.missed)
    tab.settle(debt_sentences.posted(post.seat, hand.number), hand.number)
    tab.make_up_hand = hand.number if has_missed_blinds else ""
    tab.made_up_in_zone = is_in_zone and has_missed_blinds
    tab.established = not (is_in_zone and is_new)  # a new player who came in there hasn't had a blind


def _apply_straddle(player_tabs: TabFacts, tab: Tab, hand: HandPlayed, post: Post, spot: Spot) -> None:
    """Clear the tab of a player who straddled next to the last blind, if the book lets a straddle settle debts."""
    if (
        not tab.owes_nothing
        and post.seat == find_seat_after_blinds(hand, spot)
        and player_tabs.policy.value("straddle.clears_missed_blind")
    ):
        tab.settle(debt_sentences.straddled(post.seat, hand.number), hand.number)
        tab.make_up_hand, tab.made_up_by_straddle = hand.number, True


def _note_passed_over(player_tabs: TabFacts, hand: HandPlayed, spot: Spot, poster: Seat, big: int) -> None:
    """Note the players before the poster who had less than half of the big blind and posted nothing."""
    nearest = spot.small if spot.small is not None else spot.button
    if nearest is None or not 3 <= len(hand.dealt_in) <= FEW_SEATS:
        return
    posted = {post.seat for post in hand.posts}
    stacks = {dealt_player.seat: dealt_player.before for dealt_player in hand.dealt_in}
    seat = find_seat_after(nearest, list(stacks))
    while seat is not None and seat != poster and seat not in posted:
        stack, tab = stacks[seat], player_tabs.tabs.get(player_tabs.seated.get(seat, ""))
        if stack is None or 2 * stack >= big or tab is None:
            return
        sentence = debt_sentences.had_too_little(
            seat, _format_chips(hand, stack), _format_chips(hand, big), hand.number
        )
        _note_short_big_blind(tab, sentence, hand)
        seat = find_seat_after(seat, list(stacks))


def _note_short_big_blind(tab: Tab, sentence: str, hand: HandPlayed) -> None:
    """Note that a player had less than half of the big blind, as the sentence says."""
    tab.short_big, tab.settlement = True, Ground(sentence, (), "record", hand.number)


def _format_chips(hand: HandPlayed, chips: Chips) -> str:
    return amount(chips, hand.unit, hand.exponent)
