"""Handlers of player actions, shared by all readers. Each adds the events of one action to a hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from ledger.hand.betting import Called, Checked, Folded
from ledger.hand.dealing import CardsDiscarded, CardsDrawn, StoodPat
from ledger.hand.opening import BlindRole
from ledger.readers.hand import SEATS, HandBuilder
from ledger.readers.listed_hand import ListedHand
from ledger.vocabulary import Cards, Chips, Seat

ActionHandler: TypeAlias = Callable[[Any, Seat, Chips, bool | None], bool | None]
"""Adds an action to a hand. Gets the hand, the seat, the amount as written, and True if the text says all-in.

Returns False if the phrase means something else.
"""

_MAX_HAND_CARDS: Final = 8
_FOLDED: Final = [Folded(seat) for seat in range(SEATS)]
_CHECKED: Final = [Checked(seat) for seat in range(SEATS)]


def fold(hand: HandBuilder, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    """Fold."""
    hand.folded.add(seat)
    hand.events.append(_FOLDED[seat])
    hand.event_places.append(hand.place)


def check(hand: HandBuilder, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    """Check."""
    hand.events.append(_CHECKED[seat])
    hand.event_places.append(hand.place)


call, call_to, bet = HandBuilder.call, HandBuilder.call_to, HandBuilder.bet
raise_to, raise_by = HandBuilder.raise_to, HandBuilder.raise_by
wager_to, bring_in = HandBuilder.wager, HandBuilder.post_bring_in


def bet_to(hand: HandBuilder, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Bet up to a total for the street; over a bring-in this completes the bet."""
    if hand.betting.bet_to_call:
        hand.raise_to(seat, amount, all_in=all_in)
    else:
        hand.bet(seat, amount, all_in=all_in)


def wager_by(hand: HandBuilder, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Bet, call or raise by adding this many chips."""
    hand.wager(seat, hand.get_bet(seat) + amount, all_in=all_in)


def go_all_in_to(hand: HandBuilder, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    """Go all-in for a total on the street."""
    hand.wager(seat, amount, all_in=True)


def go_all_in_by(hand: HandBuilder, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    """Go all-in by adding this many chips: a bet, a call or a raise."""
    hand.wager(seat, hand.get_bet(seat) + amount, all_in=True)


def stay_in(hand: HandBuilder, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    """Go all-in without adding chips: a disconnected player stays in for the chips already in the pot."""
    hand.add_event(Called(seat, 0, hand.get_bet(seat), True))


def post_ante(hand: HandBuilder, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post an ante; an ante of 0 isn't one."""
    if amount:
        hand.post_ante(seat, amount, all_in=all_in)


def post_straddle(hand: HandBuilder, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post a straddle."""
    hand.post_straddle(seat, amount, all_in=all_in)


def post_small_blind(hand: HandBuilder, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post the small blind."""
    hand.post_blind(seat, "small", amount, all_in=all_in)


def post_small_blind_once(hand: HandBuilder, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post the small blind; a second seat makes up a missed one with dead chips."""
    (make_up_small_blind if hand.small_blind_seat not in (0, seat) else post_small_blind)(hand, seat, amount, all_in)


def post_big_blind(hand: HandBuilder, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post the big blind; a later big blind is an entry post."""
    (post_to_enter if hand.big_blind_seat else post_first_big_blind)(hand, seat, amount, all_in)


def post_big_blind_once(hand: HandBuilder, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post the big blind; a second seat posts to enter the game."""
    (post_to_enter if hand.big_blind_seat not in (0, seat) else post_first_big_blind)(hand, seat, amount, all_in)


def post_big_or_makeup_blind(hand: HandBuilder, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post the big blind; a second seat posts to enter, or makes up a missed blind after a dead small blind."""
    role: BlindRole = "makeup-big" if hand.get_chips_put_in(seat) else "entry"
    if hand.big_blind_seat in (0, seat):
        role = "big"
    hand.post_blind(seat, role, amount, all_in=all_in)


def post_first_big_blind(hand: HandBuilder, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post the hand's big blind."""
    hand.post_blind(seat, "big", amount, all_in=all_in)


def post_to_enter(hand: HandBuilder, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post to enter the game; if the amount is both blinds, the small one is dead."""
    if amount == sum(hand.game.blinds) > hand.big_blind:
        hand.post_both_blinds(seat, amount, all_in=all_in)
    else:
        hand.post_blind(seat, "entry", amount, all_in=all_in)


def post_small_or_big_to_enter(hand: HandBuilder, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post to enter the game; less than the big blind is a live make-up for a missed small blind."""
    if amount < hand.big_blind:
        hand.post_blind(seat, "makeup-small", amount, all_in=all_in)
    else:
        post_to_enter(hand, seat, amount, all_in)


def make_up_small_blind(hand: HandBuilder, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Make up a missed small blind with dead chips."""
    hand.post_blind(seat, "makeup-small", 0, amount, all_in=all_in)


def make_up_big_blind(hand: HandBuilder, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Make up a missed big blind."""
    hand.post_blind(seat, "makeup-big", amount, all_in=all_in)


def post_both_blinds(hand: HandBuilder, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post both blinds as one amount."""
    hand.post_both_blinds(seat, amount, all_in=all_in)


def post_dead_chips(hand: HandBuilder, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post dead chips; the line doesn't say what they make up."""
    hand.post_blind(seat, "makeup", 0, amount, all_in=all_in)


def post_dead_blind(hand: HandBuilder, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post a blind that the text calls dead; more than the big blind means both blinds."""
    if hand.big_blind and amount > hand.big_blind:
        hand.post_both_blinds(seat, amount, all_in=all_in)
    else:
        hand.post_blind(seat, "makeup-small", 0, amount, all_in=all_in)


def take_back_chips(hand: ListedHand, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    """Take chips back from the pot."""
    hand.refund(seat, amount)


def discard_cards(hand: HandBuilder, seat: Seat, count: int, cards: Cards = "") -> bool:
    """Discard this many cards, or stand pat.

    Return False for more cards than any hand has.
    """
    is_possible = 0 <= count <= _MAX_HAND_CARDS
    if is_possible:
        hand.add_event(CardsDiscarded(seat, count, cards) if count else StoodPat(seat))
    return is_possible


def exchange_cards(hand: HandBuilder, seat: Seat, count: int, pairs: Sequence[tuple[Cards, Cards]]) -> bool:
    """Draw this many cards, or stand pat; return True if all discarded and all new cards are known.

    `pairs`: each known discarded card with the card that replaces it.
    """
    if not count:
        hand.add_event(StoodPat(seat))
        return False
    are_all_known = len(pairs) == count
    hand.add_event(CardsDiscarded(seat, count, "".join(old for old, _ in pairs) if are_all_known else ""))
    if are_all_known:
        hand.add_event(CardsDrawn(seat, "".join(new for _, new in pairs)))
    return are_all_known


def build_four_actions(
    fold_phrase: str, check_phrase: str, call_phrase: str, bet_phrase: str
) -> tuple[tuple[str, ActionHandler], ...]:
    """Return the phrase rows for four actions whose amounts are chips added."""
    return (fold_phrase, fold), (check_phrase, check), (call_phrase, call), (bet_phrase, bet)


COMMON_ACTIONS: Final = build_four_actions("folds", "checks", "calls {amount}", "bets {amount}")
"""The phrases that most rooms use."""
