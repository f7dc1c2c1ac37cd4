"""What being dealt in changes on the tabs: who came in, who played while owing blinds, and who lost the last chip."""

from __future__ import annotations

from collections.abc import Collection

from ledger.table.events import DealtIn, HandPlayed
from ledger.vocabulary import Chips, Seat
from projections.obligations.dues import Due
from projections.obligations.missed_blinds import Spot
from projections.obligations.tab import Tab
from projections.obligations.tab_facts import TabFacts
from projections.sentences import debts as debt_sentences


def note_dealt_players(player_tabs: TabFacts, hand: HandPlayed, due: Due | None, spot: Spot) -> None:
    """Note who came in, who played while owing blinds, and who lost the last chip."""
    # On the first recorded hand, players on the button and the small blind are assumed to be in the game.
    established_seats = () if player_tabs.has_met_players else (spot.button, spot.small)
    last_blind_seats = {post.seat for post in hand.posts if post.role in ("big", "extra")}
    for dealt_player in hand.dealt_in:
        seat, tab = dealt_player.seat, player_tabs.tabs[dealt_player.player]
        if due is not None and tab.broke_hand and tab.missed:
            _settle_free_return(tab, due, seat, hand)
        if not tab.entered:
            _note_entry(tab, seat, established_seats)
        if tab.open_purchase_hand:
            tab.settle(debt_sentences.bought_button_before(seat, hand.number), hand.number)
        tab.move = None
        if (tab.missed or tab.short_big) and seat not in last_blind_seats:
            tab.played_owing.append((hand.number, _has_acted(hand, dealt_player)))
        elif tab.broke_hand:
            tab.broke_hand = ""
        if dealt_player.after == 0:
            tab.broke_hand = hand.number


def note_blindless_hand(player_tabs: TabFacts, hand: HandPlayed) -> None:
    """Note who came in on a hand without blinds, and who lost the last chip. Nobody misses a blind or plays owing one."""
    for dealt_player in hand.dealt_in:
        tab = player_tabs.tabs[dealt_player.player]
        if not tab.entered:
            _note_entry(tab, dealt_player.seat, ())
        tab.move = None
        if dealt_player.after == 0:
            tab.broke_hand = hand.number
    player_tabs.blindless_number = player_tabs.last_number = hand.number


def _settle_free_return(tab: Tab, due: Due, seat: Seat, hand: HandPlayed) -> None:
    """Clear the tab of a player who had no chips when the blinds passed, if the book lets such a player in free."""
    seat_due = due.seat(seat)
    if seat_due is not None and seat_due.enters_free:
        tab.settle(debt_sentences.came_back_free(seat, hand.number), hand.number)
        tab.established = False


def _note_entry(tab: Tab, seat: Seat, established_seats: Collection[Seat | None]) -> None:
    """Note that a player came into the game."""
    tab.entered = True
    tab.established = tab.established or seat in established_seats
    if tab.established or tab.origin != "returning":  # a returning player may still owe from before
        tab.missing_fact, tab.former_tab = "", None


def _has_acted(hand: HandPlayed, dealt_player: DealtIn) -> bool | None:
    """Whether a player put in chips after the posts. None if that's unknown: an equal stack proves nothing."""
    if dealt_player.before is None or dealt_player.after is None:
        return None
    posted: Chips = sum(post.live + post.dead for post in hand.posts if post.seat == dealt_player.seat)
    return dealt_player.after != dealt_player.before - posted or None
