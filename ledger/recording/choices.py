"""Find the next possible acts in a running hand: whose turn it is and for how much, the next street, who is paid.

A choice is a proposal. Other acts can be recorded as well, and a rulebook judges them.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand.bounds import bounds, to_call
from ledger.hand.evaluate import shares
from ledger.hand.events import HandEvent
from ledger.hand.order import actor
from ledger.hand.pots import find_uncalled_bet, pots
from ledger.hand.state import HandState
from ledger.hand.variants import StreetPlan
from ledger.vocabulary import Chips, Seat

ChoiceWord: TypeAlias = Literal[
    "fold",
    "check",
    "call",
    "bet",
    "raise",
    "all-in",
    "deal done",
    "street",
    "uncalled",
    "showdown",
    "show",
    "muck",
    "win",
    "end",
]


class HandChoice(NamedTuple):
    """A possible next act.

    `events` record it if everything is known. A choice that needs an amount or cards has none: it has a total between
    `min_total` and `max_total` (None: no known limit), or a number of cards.
    """

    word: ChoiceWord
    seat: Seat | None = None
    events: tuple[HandEvent, ...] = ()
    min_total: Chips = 0
    max_total: Chips | None = None
    cards: int = 0
    street: str = ""


def find_choices(state: HandState) -> list[HandChoice]:
    """Return the possible next acts, the likeliest first; none if the hand is over or too little is known."""
    if state.completed or not state.dealt:
        return []
    if state.voided:
        return [HandChoice("end", events=(e.HandCompleted(),))]
    if state.chips.awarded and not state.conservation():
        return [HandChoice("end", events=(e.HandCompleted(),))]
    if not state.deal_completed and not state.round.actions and not state.rounds:
        return [HandChoice("deal done", events=(d.DealCompleted(),))]
    seat = actor(state)
    if seat is not None:
        return _list_turn_choices(state, seat)
    return _list_dealer_choices(state)


def build_wager_event(state: HandState, seat: Seat, total: Chips) -> HandEvent:
    """Return a seat's bet or raise to a total on this street, all-in if that is its entire stack."""
    added_chips = total - state.street_bet(seat)
    stack_left = state.stack_left(seat)
    event_type = b.Raised if state.round.bet_to_call else b.Bet
    return event_type(seat, added_chips, total, True if stack_left is not None and added_chips >= stack_left else None)


def _list_turn_choices(state: HandState, seat: Seat) -> list[HandChoice]:
    """Return the acts of the seat whose turn it is."""
    call_amount, stack_left = to_call(state, seat), state.stack_left(seat)
    turn_choices = []
    if call_amount:
        turn_choices.append(HandChoice("fold", seat, (b.Folded(seat),)))
        takes_all = True if stack_left is not None and call_amount >= stack_left else None
        turn_choices.append(
            HandChoice("call", seat, (b.Called(seat, call_amount, state.street_bet(seat) + call_amount, takes_all),))
        )
    else:
        turn_choices.append(HandChoice("check", seat, (b.Checked(seat),)))
    bet_bounds = bounds(state, seat)
    if bet_bounds.may_raise:
        wager_word: ChoiceWord = "raise" if state.round.bet_to_call else "bet"
        only_wager = (
            (build_wager_event(state, seat, bet_bounds.min_to),) if bet_bounds.min_to == bet_bounds.max_to else ()
        )
        turn_choices.append(HandChoice(wager_word, seat, only_wager, bet_bounds.min_to, bet_bounds.max_to))
    if (
        stack_left
        and bet_bounds.may_raise
        and (bet_bounds.max_to is None or state.street_bet(seat) + stack_left <= bet_bounds.max_to)
    ):
        turn_choices.append(
            HandChoice("all-in", seat, (build_wager_event(state, seat, state.street_bet(seat) + stack_left),))
        )
    if not call_amount:
        turn_choices.append(HandChoice("fold", seat, (b.Folded(seat),)))
    return turn_choices


def _list_dealer_choices(state: HandState) -> list[HandChoice]:
    """Return the dealer's acts when nobody is due: return a bet, deal a street, show down, pay the pots."""
    uncalled_bet = find_uncalled_bet(state)
    if uncalled_bet is not None and uncalled_bet.amount > 0:
        return [HandChoice("uncalled", uncalled_bet.seat, (b.BetReturned(uncalled_bet.seat, uncalled_bet.amount),))]
    if len(state.live) > 1:
        street_plan = _find_next_street(state)
        if street_plan is not None:
            return [_build_street_choice(street_plan)]
        if not state.showdown:
            return [HandChoice("showdown", events=(e.ShowdownBegun(),))]
    return [*_list_award_choices(state), *_list_show_choices(state)]


def _build_street_choice(street_plan: StreetPlan) -> HandChoice:
    if street_plan.board:
        return HandChoice("street", cards=street_plan.board, street=street_plan.name)
    return HandChoice("street", events=(d.StreetDealt(street_plan.name),), street=street_plan.name)


def build_board_event(street: str, cards: str) -> HandEvent:
    """Return the event of a street's board, with `??` for unseen cards."""
    return d.BoardDealt(street, cards)  # type: ignore[arg-type] # a street of a plan


def _find_next_street(state: HandState) -> StreetPlan | None:
    variant = state.known_variant
    street_names = [plan.name for plan in variant.streets] if variant is not None else []
    if variant is None or state.street not in street_names:
        return None
    return next(iter(variant.streets[street_names.index(state.street) + 1 :]), None)


def _list_show_choices(state: HandState) -> list[HandChoice]:
    """Return the seats that can still show or muck."""
    variant = state.known_variant
    if not state.showdown or variant is None or len(state.live) < 2:
        return []
    shown_seats = {event.seat for event in state.dealing if isinstance(event, e.CardsShown | e.CardsMucked)}
    show_choices = []
    for seat in sorted(state.live - shown_seats):
        show_choices.append(HandChoice("show", seat, cards=variant.hole_cards))
        show_choices.append(HandChoice("muck", seat, (e.CardsMucked(seat),)))
    return show_choices


def _list_award_choices(state: HandState) -> list[HandChoice]:
    """Return who can be paid the remaining pots, less the drop; the cards decide it, if they are known."""
    chips_left = state.conservation()
    if chips_left <= 0:
        return []
    if len(state.live) == 1:
        (seat,) = state.live
        return [HandChoice("win", seat, (e.PotAwarded(seat, chips_left),))]
    card_choice = _list_awards_by_cards(state, chips_left)
    return [card_choice] if card_choice is not None else _list_awards_by_seat(state, chips_left)


def _list_awards_by_cards(state: HandState, chips_left: Chips) -> HandChoice | None:
    """Return the awards that the cards decide. None: the cards are unknown, or some awards were made already."""
    pot_shares = shares(state)
    if pot_shares.reason or state.chips.awarded:
        return None
    has_side_pots = len({share.pot for share in pot_shares.parts}) > 1
    awards: list[e.PotAwarded] = []
    house_chips = sum(share.amount for share in pot_shares.parts) - chips_left  # the drop comes off the main pot
    for share in pot_shares.parts:
        amount = share.amount - (house_chips if share.pot == 0 else 0)
        house_chips -= share.amount - amount
        even_share, odd_chips = divmod(amount, len(share.winners))
        for winner_index, seat in enumerate(share.winners):
            awards.append(
                e.PotAwarded(
                    seat,
                    even_share + (winner_index < odd_chips),
                    share.pot if has_side_pots else None,
                    share.run,
                    share.board,
                    share.half,
                )
            )
    if house_chips or any(award.amount < 0 for award in awards):
        return None
    seats = {award.seat for award in awards}
    return HandChoice("win", awards[0].seat if len(seats) == 1 else None, tuple(awards))


def _list_awards_by_seat(state: HandState, chips_left: Chips) -> list[HandChoice]:
    """Return each seat that can win the remaining chips; the last side pot is settled first.

    Mucked hands win nothing.
    """
    open_pots = pots(state)
    contending = find_contenders(state)
    if len(open_pots) == 1 or state.chips.awarded:
        return [HandChoice("win", seat, (e.PotAwarded(seat, chips_left),)) for seat in sorted(contending)]
    last_pot = open_pots[-1]
    pot_number = len(open_pots) - 1
    seats = [seat for seat in last_pot.seats if seat in contending] or list(last_pot.seats)
    return [HandChoice("win", seat, (e.PotAwarded(seat, last_pot.amount, pot_number),)) for seat in seats]


def find_contenders(state: HandState) -> set[Seat]:
    """Return the live seats that didn't muck unseen, or all of them if everybody did."""
    shown_seats: set[Seat] = set()
    mucked_seats: set[Seat] = set()
    for event in state.dealing:
        if isinstance(event, e.CardsMucked):
            mucked_seats.add(event.seat)
        elif isinstance(event, e.CardsShown):
            shown_seats.add(event.seat)
    return state.live - (mucked_seats - shown_seats) or set(state.live)
