"""What can come next in a hand that runs: whose turn it is and what for how much, the next street, who is paid.

A choice is a proposal. Nobody is held to it: what was done otherwise is recorded as readily, and judged by a rulebook.
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
from ledger.hand.pots import pots, uncalled
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
    """Something that can come next.

    `events` tell it, if all of it is known; what needs an amount or cards has none, and says what it needs:
    a total between `least` and `most` (None: no bound is known), or so many cards.
    """

    word: ChoiceWord
    seat: Seat | None = None
    events: tuple[HandEvent, ...] = ()
    min_total: Chips = 0
    max_total: Chips | None = None
    cards: int = 0
    street: str = ""


def find_choices(state: HandState) -> list[HandChoice]:
    """Return what can come next, the likeliest first; nothing where the hand is over or its record too thin to tell."""
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
        return _turn_choices(state, seat)
    return _dealer_choices(state)


def wager_event(state: HandState, seat: Seat, total: Chips) -> HandEvent:
    """Return the bet or raise of a seat to a total on this street, all-in if that is all it has."""
    added = total - state.bet(seat)
    behind = state.behind(seat)
    kind = b.Raised if state.round.bet_to_call else b.Bet
    return kind(seat, added, total, True if behind is not None and added >= behind else None)


def _turn_choices(state: HandState, seat: Seat) -> list[HandChoice]:
    """Return what a seat may do whose turn it is."""
    owed, behind = to_call(state, seat), state.behind(seat)
    found = []
    if owed:
        found.append(HandChoice("fold", seat, (b.Folded(seat),)))
        takes_all = True if behind is not None and owed >= behind else None
        found.append(HandChoice("call", seat, (b.Called(seat, owed, state.bet(seat) + owed, takes_all),)))
    else:
        found.append(HandChoice("check", seat, (b.Checked(seat),)))
    may = bounds(state, seat)
    if may.may_raise:
        word: ChoiceWord = "raise" if state.round.bet_to_call else "bet"
        sure = (wager_event(state, seat, may.min_to),) if may.min_to == may.max_to else ()
        found.append(HandChoice(word, seat, sure, may.min_to, may.max_to))
    if behind and may.may_raise and (may.max_to is None or state.bet(seat) + behind <= may.max_to):
        found.append(HandChoice("all-in", seat, (wager_event(state, seat, state.bet(seat) + behind),)))
    if not owed:
        found.append(HandChoice("fold", seat, (b.Folded(seat),)))
    return found


def _dealer_choices(state: HandState) -> list[HandChoice]:
    """Return what comes where nobody is to act: a bet goes back, a street, the showdown, the pots."""
    back = uncalled(state)
    if back is not None and back.amount > 0:
        return [HandChoice("uncalled", back.seat, (b.BetReturned(back.seat, back.amount),))]
    if len(state.live) > 1:
        plan = _find_next_street(state)
        if plan is not None:
            return [_street_choice(plan)]
        if not state.showdown:
            return [HandChoice("showdown", events=(e.ShowdownBegun(),))]
    return [*_award_choices(state), *_show_choices(state)]


def _street_choice(plan: StreetPlan) -> HandChoice:
    if plan.board:
        return HandChoice("street", cards=plan.board, street=plan.name)
    return HandChoice("street", events=(d.StreetDealt(plan.name),), street=plan.name)


def board_event(street: str, cards: str) -> HandEvent:
    """Return the event of a street's board; cards that nobody saw are `??`."""
    return d.BoardDealt(street, cards)  # type: ignore[arg-type] # a street of a plan


def _find_next_street(state: HandState) -> StreetPlan | None:
    game = state.known_variant
    names = [plan.name for plan in game.streets] if game is not None else []
    if game is None or state.street not in names:
        return None
    return next(iter(game.streets[names.index(state.street) + 1 :]), None)


def _show_choices(state: HandState) -> list[HandChoice]:
    """Return whose cards can still be shown or let go of."""
    game = state.known_variant
    if not state.showdown or game is None or len(state.live) < 2:
        return []
    seen = {event.seat for event in state.dealing if isinstance(event, e.CardsShown | e.CardsMucked)}
    found = []
    for seat in sorted(state.live - seen):
        found.append(HandChoice("show", seat, cards=game.hole_cards))
        found.append(HandChoice("muck", seat, (e.CardsMucked(seat),)))
    return found


def _award_choices(state: HandState) -> list[HandChoice]:
    """Return who can be paid what is left of the pots, less what the house took; the cards say who, if they are known."""
    left = state.conservation()
    if left <= 0:
        return []
    if len(state.live) == 1:
        (seat,) = state.live
        return [HandChoice("win", seat, (e.PotAwarded(seat, left),))]
    told = _award_by_cards(state, left)
    return [told] if told is not None else _awards_by_seat(state, left)


def _award_by_cards(state: HandState, left: Chips) -> HandChoice | None:
    """Return the awards that follow from the cards; None where these are not known, or some were made already."""
    found = shares(state)
    if found.reason or state.chips.awarded:
        return None
    several = len({share.pot for share in found.parts}) > 1
    paid: list[e.PotAwarded] = []
    over = sum(share.amount for share in found.parts) - left  # what the house took comes off the main pot
    for share in found.parts:
        amount = share.amount - (over if share.pot == 0 else 0)
        over -= share.amount - amount
        each, odd = divmod(amount, len(share.winners))
        for at, seat in enumerate(share.winners):
            paid.append(
                e.PotAwarded(
                    seat, each + (at < odd), share.pot if several else None, share.run, share.board, share.half
                )
            )
    if over or any(one.amount < 0 for one in paid):
        return None
    seats = {one.seat for one in paid}
    return HandChoice("win", paid[0].seat if len(seats) == 1 else None, tuple(paid))


def _awards_by_seat(state: HandState, left: Chips) -> list[HandChoice]:
    """Return each seat that can win what is left; the last side pot is settled first. Who mucked is offered nothing."""
    open_pots = pots(state)
    contending = find_contenders(state)
    if len(open_pots) == 1 or state.chips.awarded:
        return [HandChoice("win", seat, (e.PotAwarded(seat, left),)) for seat in sorted(contending)]
    last = open_pots[-1]
    pot_number = len(open_pots) - 1
    seats = [seat for seat in last.seats if seat in contending] or list(last.seats)
    return [HandChoice("win", seat, (e.PotAwarded(seat, last.amount, pot_number),)) for seat in seats]


def find_contenders(state: HandState) -> set[Seat]:
    """Return the live seats that did not muck their cards unseen; all of them if everybody did."""
    shown: set[Seat] = set()
    mucked: set[Seat] = set()
    for event in state.dealing:
        if isinstance(event, e.CardsMucked):
            mucked.add(event.seat)
        elif isinstance(event, e.CardsShown):
            shown.add(event.seat)
    return state.live - (mucked - shown) or set(state.live)
