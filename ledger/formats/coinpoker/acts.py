"""Posts, acts and boards. An act has up to three sources: a seat's snapshot, an entry, the dealer's words.

The first source that reports an act adds it. In a snapshot, the bet is the seat's total of the round, and the
chips show how much went in. A second source with the same act adds nothing; a different one is kept as unread.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from ledger.formats.coinpoker.values import (
    POST_KINDS,
    WAGER_KINDS,
    CoinPokerHand,
    CoinPokerMessage,
    act_of,
    parse_cards,
    parse_spoken_cards,
)
from ledger.hand.betting import RunsAgreed, TimeBankUsed
from ledger.hand.dealing import BoardDealt, HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, RemarkNoted, ResultDeclared
from ledger.presence import ChipsAdded, ConnectionLost, PlayerAway
from ledger.readers import amounts
from ledger.readers.acts import ActionHandler, call, check, fold, wager_by
from ledger.readers.json_hand import parse_count_below
from ledger.vocabulary import Cards, Chips, Seat, Street

ActFigures: TypeAlias = Mapping[str, object]
"""The chips of an act as its source writes them.

`chips`: the seat's stack after it. `bet`: its total of the round. `amount`: in an entry, a call's chips or a
raise's total. `pot`: all chips in the pot after the act.
"""


def add_entry(hand: CoinPokerHand, player_name: str, act_kind: str, figures: ActFigures) -> None:
    """Add an entry of the list of acts, which contains players instead of seats."""
    seat = hand.seats.get(player_name)
    if seat is None:
        hand.add_unread_place("game.dealer_chat_action", hand.place)
        return
    add_act(hand, "entry", seat, act_kind, figures)


def add_act(hand: CoinPokerHand, act_source: str, seat: Seat, act_kind: str, figures: ActFigures) -> None:
    """Add an act, unless another source has reported it before."""
    if seat not in hand.stacks:
        hand.add_unread_place("game.seat", hand.place)
        return
    if act_kind in POST_KINDS:
        _add_post(hand, act_source, seat, act_kind, figures)
        return
    unmatched_acts = hand.unmatched_acts.setdefault(seat, [])
    other_source, other_kind, chips_added, street_total = (
        unmatched_acts[0] if unmatched_acts else (act_source, act_kind, 0, 0)
    )
    if other_source != act_source and (
        other_kind == act_kind
        or ("all-in" in (other_kind, act_kind) and WAGER_KINDS.issuperset((other_kind, act_kind)))
    ):
        del unmatched_acts[0]
        _compare_sources(hand, seat, act_kind, figures, chips_added, street_total)
        return
    hand.complete_deal()
    chips_added = _compute_chips_added(hand, act_source, seat, act_kind, figures) if act_kind in WAGER_KINDS else 0
    stack_left = hand.parse_amount_or_none(figures.get("chips"))
    all_in = True if act_kind == "all-in" or (stack_left == 0 and act_kind in WAGER_KINDS) else None
    _ACTS[act_kind](hand, seat, chips_added, all_in)
    unmatched_acts.append((act_source, act_kind, chips_added, hand.get_bet(seat)))
    hand.last_chips[seat] = chips_added
    if stack_left is not None and act_kind in WAGER_KINDS:
        hand.add_event(ResultDeclared("balance", seat, stack_left))


def _compare_sources(
    hand: CoinPokerHand, seat: Seat, act_kind: str, figures: ActFigures, chips_added: Chips, street_total: Chips
) -> None:
    """Compare an act's second source with the first, and keep it as unread if they differ."""
    amount, bet = hand.parse_amount_or_none(figures.get("amount")), hand.parse_amount_or_none(figures.get("bet"))
    if act_kind not in WAGER_KINDS or amount == (chips_added if act_kind == "call" else street_total):
        return
    if amount is not None or (
        bet is not None and bet not in (street_total, street_total + hand.ante_amounts.get(seat, 0))
    ):
        hand.add_unread_place("an act told in two ways", hand.place)


def _compute_chips_added(hand: CoinPokerHand, act_source: str, seat: Seat, act_kind: str, figures: ActFigures) -> Chips:
    """Return how many chips an act put in."""
    stack, street_bet = hand.stacks.get(seat), hand.get_bet(seat)
    stack_left = None if stack is None else stack - hand.get_chips_put_in(seat)
    if act_source == "seat":
        stack_after = hand.parse_amount_or_none(figures.get("chips"))
        by_bet = hand.amount_of(figures.get("bet") or 0) - street_bet
        if stack_left is None or stack_after is None:
            return by_bet
        by_chips = stack_left - stack_after
        # If the snapshot's bet includes the ante, only the chips show how much went in now.
        return by_chips if by_bet - by_chips == hand.ante_amounts.get(seat, 0) else by_bet
    if act_kind == "all-in" and stack_left is not None:
        return stack_left
    amount, pot = hand.amount_of(figures.get("amount") or 0), hand.parse_amount_or_none(figures.get("pot"))
    pot_increase = 0 if pot is None else pot - hand.get_total_put_in()
    chips_added = amount if act_kind == "call" else amount - street_bet
    return pot_increase if pot_increase > 0 and chips_added != pot_increase else chips_added


# -- posts --------------------------------------------------------------------------------------


def _add_post(hand: CoinPokerHand, act_source: str, seat: Seat, post_kind: str, figures: ActFigures) -> None:
    if (seat, post_kind) in hand.posted_kinds:  # another source repeats it, or a later turn
        amount = hand.parse_amount_or_none(figures.get("amount"))
        if amount is not None and amount != hand.post_amounts.get((seat, post_kind), amount):
            hand.add_unread_place("a post told in two ways", hand.place)
        return
    stack_left, written_amount = hand.parse_amount_or_none(figures.get("chips")), figures.get("amount") or 0
    chips_added = (
        _compute_chips_added(hand, act_source, seat, post_kind, figures)
        if act_source == "seat"
        else hand.amount_of(written_amount)
    )
    hand.posted_kinds.add((seat, post_kind))
    hand.post_amounts[seat, post_kind] = chips_added
    all_in = True if stack_left == 0 else None
    if post_kind == "ante":
        hand.ante_amounts[seat] = chips_added
        hand.post_ante(seat, chips_added, all_in=all_in)
    elif post_kind == "straddle":
        hand.post_straddle(seat, hand.get_bet(seat) + chips_added if hand.get_bet(seat) else chips_added, all_in=all_in)
    else:
        role = "entry" if post_kind == "big" and hand.big_blind_seat else post_kind
        hand.post_blind(seat, role, chips_added, all_in=all_in)  # type: ignore[arg-type]  # all are roles
    hand.last_chips[seat] = chips_added
    if stack_left is not None:
        hand.add_event(ResultDeclared("balance", seat, stack_left))


# -- acts ---------------------------------------------------------------------------------------


_ACTS: Final[dict[str, ActionHandler]] = {
    "fold": fold,
    "check": check,
    "call": call,
    **dict.fromkeys(("raise", "all-in"), wager_by),  # an all-in may be a call, depending on the bet
    "muck": lambda hand, seat, _added, _all_in: hand.add_event(CardsMucked(seat)),
}


# -- boards -------------------------------------------------------------------------------------


def agree_on_runs(hand: CoinPokerHand) -> None:
    """Record that the players run the rest of the board several times."""
    hand.close_bets()
    hand.add_event(RunsAgreed(hand.run_count))


def deal_board(hand: CoinPokerHand, street: Street, new_cards: Cards, board_number: int, run_number: int) -> None:
    """Deal to a board. If a flop comes before the first act, the blinds remain bets of that round."""
    hand.complete_deal()
    if street == "flop" and hand.first_round_on_flop and any(hand.betting.bets.values()) and hand.street == "preflop":
        hand.add_event(BoardDealt("preflop", new_cards, board_number, run_number))
    elif board_number > 1 or run_number > 1:
        hand.betting.street = street
        hand.add_event(BoardDealt(street, new_cards, board_number, run_number))
    else:
        hand.deal_board(street, new_cards)


# -- the dealer's words, cards, clocks, absent players and notices ------------------------------

_TABLE_WORDS: Final = ("New Hand: #", "PREFLOP", "FLOP", "TURN", "RIVER", "Winner-Info: ")
_WORDS_WITHOUT_CHIPS: Final = ("Turn (", "Dealer", "Folds", "Checks", "Return-Chips: ")
_WORDS_WITH_CHIPS: Final = ("Raises To ", "Calls ", "All In ", "Bets ", "SB ", "BB ", "Straddle ", "Ante ")
_MAX_TEXT_LENGTH: Final = 500


def check_words(hand: CoinPokerHand, line: str) -> None:
    """Compare a line of the dealer's words with the hand so far, and keep a different or unknown one as unread.

    Only a top-up adds an event, since other messages contain everything else.
    """
    words = line.strip()
    if not words or words.startswith(_TABLE_WORDS):
        return
    player_name = next((name for name in hand.caller_names if words.startswith(f"{name} ")), "")
    act_words, seat = words[len(player_name) + 1 :], hand.seats.get(player_name, 0)
    is_known = act_words.startswith(_WORDS_WITHOUT_CHIPS)
    if not player_name:
        pass
    elif act_words.startswith(_WORDS_WITH_CHIPS):
        is_known = _parse_chips_in_words(hand, act_words) in (None, hand.last_chips.get(seat))
    elif (act_kind := act_of(act_words.partition(" ")[0])) in POST_KINDS:
        is_known = _parse_chips_in_words(hand, act_words) in (None, hand.post_amounts.get((seat, str(act_kind))))
    elif act_words.startswith("My Hole Cards"):
        is_known = not hand.owner_cards or parse_spoken_cards(act_words[len("My Hole Cards") :]) == hand.owner_cards
    elif act_words.startswith("Show Cards"):
        is_known = parse_spoken_cards(act_words[len("Show Cards") :]) == hand.shown_cards.get(seat)
    elif (
        act_words.startswith("Top-Up: ")
        and (top_up := amounts.read_or_none(act_words[len("Top-Up: ") :], hand.exponent)) is not None
    ):
        hand.add_event(ChipsAdded(seat, top_up, "top-up"))
        is_known = True
    if not player_name or not is_known:
        hand.add_unread(words[:_MAX_TEXT_LENGTH])


def _parse_chips_in_words(hand: CoinPokerHand, act_words: str) -> int | None:
    """Return the chips added in the dealer's words: `Raises To 0.07 (by 0.05) => TotalPot: 0.10`."""
    words_before_pot = act_words.partition(" =>")[0]
    amount_text = words_before_pot.partition("(by ")[2].rstrip(") ") or words_before_pot.rpartition(" ")[2]
    return amounts.read_or_none(amount_text, hand.exponent)


def deal_owner_cards(hand: CoinPokerHand, message: CoinPokerMessage) -> None:
    """Deal the client's owner the hole cards."""
    hole_cards = parse_cards(message.parsed_body.get("holeCards") or message.parsed_body.get("playerCards"))
    if not hole_cards or not hand.owner_seat:
        hand.add_unread_place(message.name, hand.place)
    elif not hand.owner_cards:
        hand.owner_cards = hole_cards
        hand.add_event(HoleCardsDealt(hand.owner_seat, hole_cards))
    elif hole_cards != hand.owner_cards:
        hand.add_unread_place(f"{message.name}, other cards than before", hand.place)


def show_hand(hand: CoinPokerHand, seat: Seat, shown_cards: Cards) -> None:
    """Show a seat's hand, once."""
    if seat not in hand.stacks:
        hand.add_unread_place("game.show_hole_cards", hand.place)
    elif hand.shown_cards.get(seat) != shown_cards:
        hand.shown_cards[seat] = shown_cards
        hand.add_event(CardsShown(seat, shown_cards, after=hand.payment_count > 0))


def add_extra_time(hand: CoinPokerHand, message: CoinPokerMessage) -> None:
    """Record that a player uses extra time. Other timers are unknown."""
    message_body = message.parsed_body
    timer_name, seconds = str(message_body.get("timerName")).lower(), message_body.get("turnTime")
    seat = hand.seats.get(str(message_body.get("whoseTurn")), 0)
    if seat and "extra" in timer_name:
        hand.add_event(TimeBankUsed(seat, parse_count_below(seconds, 10_000) or None))
    else:
        hand.add_unread_place("game.user_turn", hand.place)


def add_absence(hand: CoinPokerHand, seat: Seat, caption: str) -> None:
    """Record that a player is away or has lost the connection."""
    if caption == "disconnected":
        hand.add_event(ConnectionLost(seat))
    elif caption.startswith(("sit", "away")):
        hand.add_event(PlayerAway(seat, why="sits-out" if caption.startswith("sit") else "away"))


def keep_notice(hand: CoinPokerHand, message: CoinPokerMessage) -> None:
    """Keep a notice to the client's owner: `HAND_END_BUYOUT_SUCCESS 1.94`."""
    notice_words = [
        str(message.parsed_body[member_name])
        for member_name in ("message", "data", "errorMsg")
        if message.parsed_body.get(member_name)
    ]
    if notice_words:
        hand.add_event(RemarkNoted(hand.people.text(" ".join(notice_words)[:_MAX_TEXT_LENGTH])))
