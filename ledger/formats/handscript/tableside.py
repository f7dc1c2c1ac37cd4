"""Phrases whose lines depend on the table as it stands: who sits there, what lies on the board, whose turn it is."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from ledger.formats.handscript import slots
from ledger.formats.handscript.context import Context
from ledger.hand.betting import Checked, Folded
from ledger.hand.dealing import BoardDealt
from ledger.hand.fold import HANDLERS
from ledger.hand.holdings import BoardCount, board
from ledger.hand.order import actor
from ledger.hand.pots import uncalled
from ledger.vocabulary import Seat, split_cards

Groups: TypeAlias = dict[str, str]

_BEFORE: Final = {"flop": 0, "turn": 3, "river": 4}
"""How many cards lie on the board before each street."""
_SEATS_MOST: Final = 30


def name_of(seat: str, context: Context) -> str:
    """Return who sits in a seat as a line names a player; "" if nobody knows."""
    player = context.occupant(int(seat))
    return slots.PLAYER.write(player, context) if player is not None else ""


def leaving(found: Groups, context: Context, rest: str = "") -> str:
    """Return the line of a player who leaves the table."""
    name = name_of(found["seat"], context)
    return f"{found['seat']} leaves {name} {rest}".strip() if name else ""


def closing(found: Groups, context: Context) -> str:
    """Return the line of a table that is named, and breaks, if it is this one."""
    return "game-broken" if found["name"] == context.settings.table else ""


def agreed(found: Groups, _context: Context) -> str:
    """Return the line of seats that agreed on something: they are parted by commas."""
    return f"agreed {found['what']} {','.join(re.findall('[0-9]+', found['seats']))}"


def standing_up(found: Groups, context: Context) -> str:
    """Return the line of a player who stands up: between hands that is leaving, within one it may be a walk."""
    return "" if context.state.opened is not None else leaving(found, context)


def wrong_count(found: Groups, context: Context) -> str:
    """Return the line of a seat with a wrong number of cards; "" where the number is the game's own, or may be yet."""
    state, count = context.state, int(found["count"])
    game = state.known_variant
    if game is None or game.hole_cards == count:
        return ""
    is_dealt = state.deal_completed or bool(state.round.actions)
    return f"{found['seat']} holds {count}" if is_dealt or count > game.hole_cards else ""


def too_many_cards(found: Groups, context: Context) -> str:
    """Return the line of a seat that was dealt too many cards: fewer may be the first of them."""
    game = context.state.known_variant
    return wrong_count(found, context) if game is not None and int(found["count"]) > game.hole_cards else ""


def opening(found: Groups, context: Context) -> str:
    """Return the bet of who opens, or the raise where blinds lie there; "" before the deal."""
    state = context.state
    if not state.deal_completed or int(found["seat"]) not in state.live or state.round.full_raises:
        return ""
    return f"{found['seat']} {'raises to' if state.round.bet_to_call else 'bets'} {found['amount']}"


def all_ante(found: Groups, context: Context) -> str:
    """Return an ante of each seat that is dealt in and has not anted."""
    state = context.state
    if state.deal_completed or state.chips.antes:
        return ""
    return "; ".join(f"{seat} antes {found['amount']}" for seat in state.seats)


def taken_back(found: Groups, context: Context) -> str:
    """Return the line of a street that was taken back, with the cards that lie there."""
    street = found["street"]
    if not BoardCount().has_cards_of(context.state.dealing, street):
        return ""
    dealt = [event for event in context.state.dealing if isinstance(event, BoardDealt) and event.street == street]
    cards = " ".join(split_cards(dealt[-1].cards)) if len(dealt) == 1 else ""
    return f"withdrawn {street} {cards}" if cards else ""


def dealt_anew(found: Groups, context: Context) -> str:
    """Return the line of a street that was dealt again, where none of it lies on the board."""
    return (
        ""
        if BoardCount().has_cards_of(context.state.dealing, found["street"])
        else f"{found['street']} {found['cards']}"
    )


def _next_street(context: Context) -> str:
    lying = len(board(context.state.dealing))
    return next((street for street, before in _BEFORE.items() if before == lying), "")


def burned_twice(_found: Groups, context: Context) -> str:
    """Return the lines of two cards that were burned before the next street."""
    street = _next_street(context)
    return f"burn {street}; burn {street}" if street and context.state.deal_completed else ""


def burn_and_deal(found: Groups, context: Context) -> str:
    """Return the lines of a burn and the street after it; "" where another street is next."""
    street = found["street"]
    return f"burn {street}; {street} {found['cards']}" if street == _next_street(context) else ""


def call_of(found: Groups, context: Context) -> str:
    """Return the call of another seat's bet, where that is the bet to call."""
    state, seat, other = context.state, int(found["seat"]), int(found["other_seat"])
    is_bet = (
        other in state.live
        and other != seat
        and state.street_bet(other) == state.round.bet_to_call > state.street_bet(seat)
    )
    return f"{seat} calls" if is_bet else ""


def all_check(_found: Groups, context: Context) -> str:
    """Return a check for each seat that has yet to act; "" where somebody faces a bet."""
    state, seats = context.state.copy(), list[Seat]()
    while (seat := actor(state)) is not None and len(seats) < _SEATS_MOST:
        if state.street_bet(seat) < state.round.bet_to_call:
            return ""
        HANDLERS[Checked](state, Checked(seat))
        seats.append(seat)
    return "; ".join(f"{seat} checks" for seat in seats)


def fold_to(found: Groups, context: Context) -> str:
    """Return a fold for each seat whose turn comes before a seat's."""
    state, last, seats = context.state.copy(), int(found["seat"]), list[Seat]()
    while (seat := actor(state)) is not None and len(seats) < _SEATS_MOST:
        if seat == last:
            return "; ".join(f"{folder} folds" for folder in seats)
        HANDLERS[Folded](state, Folded(seat))
        seats.append(seat)
    return ""


# Answers


def string_act(found: Groups, _context: Context) -> str:
    """Return the act that was made in more than one motion, and a remark that it was."""
    verb = "raises to" if found["act"] == "raise" else "bets"
    act = f"{found['seat']} {verb} {found['amount']}; " if found["amount"] else ""
    return f'{act}remark "string {found["act"]}"'


def put_in(found: Groups, context: Context) -> str:
    """Return the likeliest act of a seat that put chips in: what it was called, nobody says."""
    seat, state = int(found["seat"]), context.state
    amount = slots.AMOUNT.value(found["amount"], context)
    if seat not in state.live or not state.deal_completed:
        return ""
    if not state.round.bet_to_call:
        return f"{seat} bets {found['amount']}"
    if amount == state.round.bet_to_call - state.street_bet(seat):
        return f"{seat} calls {found['amount']}"
    return f"{seat} moves {found['amount']}"


def call_with_cards(found: Groups, context: Context) -> str:
    """Return the lines of a call by a seat whose cards were counted."""
    count = wrong_count(found, context)
    return f"{count}; {found['seat']} calls" if count else f"{found['seat']} calls"


def premature(found: Groups, _context: Context) -> str:
    """Return the lines of a street that came too early, and of the notice."""
    noticed = f"noticed premature-{found['street']}"
    return f"{found['street']} {found['cards']}; {noticed}" if found.get("cards") else noticed


def given_back(found: Groups, context: Context) -> str:
    """Return how chips went back to a seat: a bet that nobody called, or chips by ruling or as change."""
    back = uncalled(context.state)
    seat, amount = int(found["seat"]), slots.AMOUNT.value(found["amount"], context)
    is_uncalled = back is not None and (back.seat, back.amount) == (seat, amount)
    return f"{seat} {'uncalled' if is_uncalled else 'given-back'} {found['amount']}"


def stands_in_hand(found: Groups, context: Context) -> str:
    """Return the answer to a player who stands up while a hand runs, or whom nobody knows."""
    return f"{found['seat']} away stood-up" if context.state.opened is not None else f"{found['seat']} leaves PLAYER"
