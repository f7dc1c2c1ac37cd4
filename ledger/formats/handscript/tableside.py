"""Write the lines of phrases that depend on the table: who sits there, the board, whose turn it is."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from ledger.formats.handscript import slots
from ledger.formats.handscript.context import Context
from ledger.hand.betting import Checked, Folded
from ledger.hand.dealing import BoardDealt
from ledger.hand.fold import HANDLERS
from ledger.hand.holdings import BoardCount, find_board
from ledger.hand.order import actor
from ledger.hand.pots import find_uncalled_bet
from ledger.vocabulary import Seat, split_cards

Groups: TypeAlias = dict[str, str]

_BOARD_SIZES: Final = {"flop": 0, "turn": 3, "river": 4}
"""A street → the number of board cards before it."""
_SEATS_MOST: Final = 30


def write_player(seat: str, context: Context) -> str:
    """Return the name of a seat's player as written in a line, or "" if it is unknown."""
    player = context.find_occupant(int(seat))
    return slots.PLAYER.write(player, context) if player is not None else ""


def count_box(groups: Groups) -> str:
    """Return the line of a counted box."""
    box = groups.get("box") or "drop"
    box = "promotion" if box == "promo" else box
    shift = groups["shift"] or groups["shift_name"]
    return f"{box}-box {groups['amount']}" + (f" shift {shift}" if shift else "")


def pay_fund(groups: Groups, context: Context) -> str:
    """Return the line of a jackpot or promotion paid to a player."""
    name = groups.get("name") or write_player(groups["seat"], context)
    fund = "jackpot" if groups["fund"] == "jackpot" else "promotion"
    return f"{fund}-paid {name} {groups['amount']}" if name else ""


def leave_table(groups: Groups, context: Context, details: str = "") -> str:
    """Return the line of a player who leaves the table."""
    name = write_player(groups["seat"], context)
    return f"{groups['seat']} leaves {name} {details}".strip() if name else ""


def close_table(groups: Groups, context: Context) -> str:
    """Return the line of a table that breaks, if the name is this table's."""
    return "game-broken" if groups["name"] == context.settings.table else ""


def write_agreement(groups: Groups, _context: Context) -> str:
    """Return the line of seats that agreed on something, separated by commas."""
    return f"agreed {groups['what']} {','.join(re.findall('[0-9]+', groups['seats']))}"


def stand_up(groups: Groups, context: Context) -> str:
    """Return the line of a player who stands up. Between hands the player leaves; during a hand it may be a walk."""
    return "" if context.state.opened is not None else leave_table(groups, context)


def report_card_count(groups: Groups, context: Context) -> str:
    """Return the line of a seat with a wrong number of cards, or "" if the number is right or the deal isn't over."""
    state, count = context.state, int(groups["count"])
    game = state.known_variant
    if game is None or game.hole_cards == count:
        return ""
    is_dealt = state.deal_completed or bool(state.round.actions)
    return f"{groups['seat']} holds {count}" if is_dealt or count > game.hole_cards else ""


def report_too_many_cards(groups: Groups, context: Context) -> str:
    """Return the line of a seat with too many cards. Too few cards may only mean that the deal isn't over."""
    game = context.state.known_variant
    return report_card_count(groups, context) if game is not None and int(groups["count"]) > game.hole_cards else ""


def open_betting(groups: Groups, context: Context) -> str:
    """Return the opening bet, or the opening raise if there are blinds; "" before the deal."""
    state = context.state
    if not state.deal_completed or int(groups["seat"]) not in state.live or state.round.full_raises:
        return ""
    return f"{groups['seat']} {'raises to' if state.round.bet_to_call else 'bets'} {groups['amount']}"


def ante_all(groups: Groups, context: Context) -> str:
    """Return an ante of each dealt-in seat that hasn't posted one."""
    state = context.state
    if state.deal_completed or state.chips.antes:
        return ""
    return "; ".join(f"{seat} antes {groups['amount']}" for seat in state.seats)


def withdraw_street(groups: Groups, context: Context) -> str:
    """Return the line of a withdrawn street, with its cards."""
    street = groups["street"]
    if not BoardCount().has_cards_of(context.state.dealing, street):
        return ""
    dealt = [event for event in context.state.dealing if isinstance(event, BoardDealt) and event.street == street]
    cards = " ".join(split_cards(dealt[-1].cards)) if len(dealt) == 1 else ""
    return f"withdrawn {street} {cards}" if cards else ""


def redeal_street(groups: Groups, context: Context) -> str:
    """Return the line of a redealt street, if none of its cards are on the board."""
    return (
        ""
        if BoardCount().has_cards_of(context.state.dealing, groups["street"])
        else f"{groups['street']} {groups['cards']}"
    )


def _find_next_street(context: Context) -> str:
    board_count = len(find_board(context.state.dealing))
    return next((street for street, board_size in _BOARD_SIZES.items() if board_size == board_count), "")


def burn_two_cards(_groups: Groups, context: Context) -> str:
    """Return the lines of two burn cards before the next street."""
    street = _find_next_street(context)
    return f"burn {street}; burn {street}" if street and context.state.deal_completed else ""


def burn_and_deal(groups: Groups, context: Context) -> str:
    """Return the lines of a burn card and the street after it, or "" if another street is next."""
    street = groups["street"]
    return f"burn {street}; {street} {groups['cards']}" if street == _find_next_street(context) else ""


def call_seat_bet(groups: Groups, context: Context) -> str:
    """Return the call of another seat's bet, if that is the bet to call."""
    state, seat, bettor = context.state, int(groups["seat"]), int(groups["other_seat"])
    is_bet = (
        bettor in state.live
        and bettor != seat
        and state.street_bet(bettor) == state.round.bet_to_call > state.street_bet(seat)
    )
    return f"{seat} calls" if is_bet else ""


def check_all(_groups: Groups, context: Context) -> str:
    """Return a check for each seat that has yet to act, or "" if a seat faces a bet."""
    state, seats = context.state.copy(), list[Seat]()
    while (seat := actor(state)) is not None and len(seats) < _SEATS_MOST:
        if state.street_bet(seat) < state.round.bet_to_call:
            return ""
        HANDLERS[Checked](state, Checked(seat))
        seats.append(seat)
    return "; ".join(f"{seat} checks" for seat in seats)


def fold_to(groups: Groups, context: Context) -> str:
    """Return a fold for each seat whose turn comes before the named seat."""
    state, last, seats = context.state.copy(), int(groups["seat"]), list[Seat]()
    while (seat := actor(state)) is not None and len(seats) < _SEATS_MOST:
        if seat == last:
            return "; ".join(f"{folder} folds" for folder in seats)
        HANDLERS[Folded](state, Folded(seat))
        seats.append(seat)
    return ""


# Answers


def write_string_act(groups: Groups, _context: Context) -> str:
    """Return an act made in more than one motion, and a remark about it."""
    verb = "raises to" if groups["act"] == "raise" else "bets"
    act = f"{groups['seat']} {verb} {groups['amount']}; " if groups["amount"] else ""
    return f'{act}remark "string {groups["act"]}"'


def put_chips_in(groups: Groups, context: Context) -> str:
    """Return the likeliest act of a seat that put chips in without a named act."""
    seat, state = int(groups["seat"]), context.state
    amount = slots.AMOUNT.value(groups["amount"], context)
    if seat not in state.live or not state.deal_completed:
        return ""
    if not state.round.bet_to_call:
        return f"{seat} bets {groups['amount']}"
    if amount == state.round.bet_to_call - state.street_bet(seat):
        return f"{seat} calls {groups['amount']}"
    return f"{seat} moves {groups['amount']}"


def call_with_cards(groups: Groups, context: Context) -> str:
    """Return the lines of a call by a seat whose cards were counted."""
    count = report_card_count(groups, context)
    return f"{count}; {groups['seat']} calls" if count else f"{groups['seat']} calls"


def deal_too_early(groups: Groups, _context: Context) -> str:
    """Return the lines of a street that came too early, and of the notice."""
    notice_line = f"noticed premature-{groups['street']}"
    return f"{groups['street']} {groups['cards']}; {notice_line}" if groups.get("cards") else notice_line


def return_chips(groups: Groups, context: Context) -> str:
    """Return the possible lines of chips returned to a seat: an uncalled bet, chips by a ruling, or change."""
    uncalled_bet = find_uncalled_bet(context.state)
    seat, amount = int(groups["seat"]), slots.AMOUNT.value(groups["amount"], context)
    is_uncalled = uncalled_bet is not None and (uncalled_bet.seat, uncalled_bet.amount) == (seat, amount)
    return f"{seat} {'uncalled' if is_uncalled else 'given-back'} {groups['amount']}"


def stand_up_in_hand(groups: Groups, context: Context) -> str:
    """Return the advice for a player who stands up during a hand, or who is unknown."""
    return f"{groups['seat']} away stood-up" if context.state.opened is not None else f"{groups['seat']} leaves PLAYER"
