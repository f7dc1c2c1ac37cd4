"""Plays our events at a PokerKit table: the other opinion on turns, bounds, pots and winners."""

from __future__ import annotations

from collections.abc import Iterator

import pokerkit
from pokerkit import Automation, State

from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import opening as o
from ledger.hand.events import HandEvent
from ledger.hand.fold import apply, begin
from ledger.hand.state import HandState


class PotLimitHoldem(pokerkit.PotLimitPokerMixin, pokerkit.NoLimitTexasHoldem):  # type: ignore[misc] # PokerKit has no types
    """Hold'em at pot limit, which PokerKit has no game for."""


GAMES = {
    ("holdem", "no-limit"): pokerkit.NoLimitTexasHoldem,
    ("holdem", "pot-limit"): PotLimitHoldem,
    ("holdem", "limit"): pokerkit.FixedLimitTexasHoldem,
    ("short-deck", "no-limit"): pokerkit.NoLimitShortDeckHoldem,
    ("omaha", "pot-limit"): pokerkit.PotLimitOmahaHoldem,
    ("omaha8", "limit"): pokerkit.FixedLimitOmahaHoldemHighLowSplitEightOrBetter,
    ("stud", "limit"): pokerkit.FixedLimitSevenCardStud,
    ("stud8", "limit"): pokerkit.FixedLimitSevenCardStudHighLowSplitEightOrBetter,
    ("razz", "limit"): pokerkit.FixedLimitRazz,
    ("single-27", "no-limit"): pokerkit.NoLimitDeuceToSevenLowballSingleDraw,
    ("triple-27", "limit"): pokerkit.FixedLimitDeuceToSevenLowballTripleDraw,
    ("badugi", "limit"): pokerkit.FixedLimitBadugi,
}
"""The games that PokerKit deals under these names."""

ACTS = (b.Folded, b.Checked, b.Called, b.Bet, b.Raised, b.Completed)
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
    Automation.RUNOUT_COUNT_SELECTION,
)


def table(opening: HandState) -> State:
    """Set up the same game with the same stacks; seat n is player n - 1."""
    game = opening.game
    assert game is not None
    seats = opening.seats
    count = len(seats)
    stacks = [opening.start[seat] for seat in seats]
    amounts: list[object] = [AUTOMATIONS, False, [game.ante] * count]
    if game.bring_in:
        amounts.append(game.bring_in)
    else:
        straddles = [p.amount for p in opening.posts if isinstance(p, o.StraddlePosted)]
        amounts.append([*game.blinds, *straddles, *[0] * (count - len(game.blinds) - len(straddles))])
    amounts += game.bets or game.blinds[-1:]
    return GAMES[game.variant, game.betting].create_state(*amounts, stacks, count)


def replay_both(events: list[HandEvent]) -> Iterator[tuple[HandState, HandEvent, State]]:
    """Yield our state and PokerKit's before each act, then play the act at both tables."""
    state = begin()
    pokerkit_state: State | None = None
    late_events: list[HandEvent] = []
    for event in events:
        if pokerkit_state is None and isinstance(event, d.HoleCardsDealt):
            pokerkit_state = table(state)
        if pokerkit_state is not None:
            if isinstance(event, ACTS):
                _draw(pokerkit_state, late_events)
                yield state, event, pokerkit_state
            if isinstance(event, d.CardsDiscarded | d.StoodPat | d.CardsDrawn):
                late_events.append(event)
            else:
                _draw(pokerkit_state, late_events)
                if not isinstance(event, ACTS) and pokerkit_state.actor_index is not None and state.round.actions:
                    pokerkit_state.check_or_call()  # it asks a big blind whom nobody can call any more
                _play(pokerkit_state, event)
        apply(state, event)
    assert pokerkit_state is not None
    yield state, events[-1], pokerkit_state


def _draw(state: State, events: list[HandEvent]) -> None:
    """Everybody throws away first, then everybody draws."""
    for event in events:
        if isinstance(event, d.CardsDiscarded):
            state.stand_pat_or_discard(event.cards)
        elif isinstance(event, d.StoodPat):
            state.stand_pat_or_discard()
    if events:
        _burn(state)
    for event in events:
        if isinstance(event, d.CardsDrawn):
            state.deal_hole(event.cards)
    events.clear()


def _burn(state: State) -> None:
    if state.can_burn_card():
        state.burn_card("??")


def _play(state: State, event: HandEvent) -> None:
    match event:
        case d.HoleCardsDealt():
            _burn(state)
            state.deal_hole(event.cards, event.seat - 1)
        case d.BoardDealt():
            _burn(state)
            state.deal_board(event.cards)
        case o.BringInPosted():
            state.post_bring_in()
        case b.Folded():
            state.fold()
        case b.Checked() | b.Called():
            state.check_or_call()
        case b.Bet() | b.Raised() | b.Completed():
            state.complete_bet_or_raise_to(event.to)
        case _:
            pass
