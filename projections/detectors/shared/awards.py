"""Who should have been paid what, by the cards on record, beside who was."""

from __future__ import annotations

from itertools import combinations
from math import gcd
from typing import Final, NamedTuple

from phevaluator.evaluator import evaluate_cards

from ledger.errors import VariantError
from ledger.hand.betting import CashOutTaken
from ledger.hand.dealing import BoardDealt, BoardWithdrawn, MisdealDeclared
from ledger.hand.ending import PotAwarded
from ledger.hand.evaluate import rank, shares
from ledger.hand.variants import VARIANTS
from ledger.vocabulary import DECK, Chips, Seat, Street, split_cards
from projections.findings.finding import CannotTell
from projections.timeline.chip_flows import Money, balanced
from projections.timeline.hand_timeline import Timeline

_CARDS: Final = frozenset(DECK)


class Award(NamedTuple):
    """What a seat wins and was paid."""

    due: Chips  # by the cards, before the drop and without odd chips
    paid: Chips
    version: int  # of the event to point at


def expected(hand: Timeline) -> dict[Seat, Award] | CannotTell | None:
    """Return for each seat that wins or was paid what it wins by the cards.

    None: there is nothing to compare. `CannotTell`: cards of a hand that could win are not known.
    """
    return hand.cached("expected", lambda: _expected(hand))


def _expected(hand: Timeline) -> dict[Seat, Award] | CannotTell | None:
    state = hand.played.final
    awards = hand.of(PotAwarded)
    if not awards:
        return None
    if hand.of(CashOutTaken):
        return CannotTell("what the house took over in a cash-out")
    if _two_boards(hand):
        return CannotTell("which board counts")
    pot_shares = shares(state)
    if pot_shares.reason == "cards-unknown":
        return CannotTell("the cards of a hand at the showdown")
    if pot_shares.reason or not pot_shares.parts:
        return None
    due: dict[Seat, Chips] = {}
    for part in pot_shares.parts:
        for seat in part.winners:
            due[seat] = due.get(seat, 0) + part.amount // len(part.winners)
    award_versions: dict[Seat, int] = {}
    for version, event in awards:
        award_versions.setdefault(event.seat, version)
    last = awards[-1][0]
    return {
        seat: Award(due.get(seat, 0), state.chips.awarded.get(seat, 0), award_versions.get(seat, last))
        for seat in sorted(due.keys() | award_versions.keys())
    }


def _two_boards(hand: Timeline) -> bool:
    """Whether a street is told again with other cards, though none were taken back: it may be a second run."""
    full_counts = {plan.name: plan.board for plan in hand.variant.streets} if hand.variant else {}
    lying_cards: dict[tuple[Street, int, int], set[str]] = {}
    for _, event in hand.of(BoardDealt, BoardWithdrawn, MisdealDeclared):
        if isinstance(event, MisdealDeclared):
            lying_cards.clear()
            continue
        place = (event.street, event.board, getattr(event, "run", 1))
        if isinstance(event, BoardWithdrawn):
            lying_cards.pop(place, None)
            continue
        cards = _CARDS.intersection(split_cards(event.cards))
        earlier_cards = lying_cards.setdefault(place, set())
        if (
            earlier_cards
            and not cards <= earlier_cards
            and len(earlier_cards | cards) > full_counts.get(event.street, 0)
        ):
            return True
        earlier_cards |= cards
    return False


def paid_dead(hand: Timeline, seat: Seat) -> Money:
    """Return what moved if a hand that should be dead was paid: the cards of the others send its chips to one of them."""
    state = hand.played.final
    chips = state.chips.awarded.get(seat, 0)
    if chips <= 0:
        return ()
    others = state.copy()
    others.live.discard(seat)
    pot_shares = shares(others)
    winners = {winner for part in pot_shares.parts for winner in part.winners}
    if pot_shares.reason or len(winners) != 1:
        return ()
    return balanced({seat: chips, winners.pop(): -chips})


def smallest_chip(hand: Timeline) -> Chips:
    """Return the smallest chip that a pot is divided down to: as told, else as everybody's chips show.

    They show it where all stacks, posts, bets and awards are multiples of a chip.
    """
    stated_chip = hand.option("smallest-chip")
    if stated_chip:
        return stated_chip
    stacks = [stack for stack in hand.start.values() if stack]
    awards = [event.amount for _, event in hand.of(PotAwarded)]
    return gcd(*stacks, *hand.put_in.values(), *awards) or 1


def unopposed(hand: Timeline) -> bool:
    """Whether all but one hand were let go of at the showdown, and that one alone was paid."""
    state = hand.played.final
    remaining = {seat for seat in state.live if hand.find_muck(seat) is None}
    remaining -= {seat for seat in state.cleared if not hand.has_tabled(seat)}
    return len(remaining) == 1 and remaining == {event.seat for _, event in hand.of(PotAwarded)}


def threw_away(hand: Timeline, seat: Seat) -> bool:
    """Whether a seat let go of its cards at the showdown."""
    return hand.find_muck(seat) is not None


def plays_board(hand: Timeline, seat: Seat) -> bool:
    """Whether a hold'em hand makes nothing better than the five cards of the board."""
    state = hand.played.final
    hole, board = state.hole(seat), state.boards[0]
    if state.known_variant is not VARIANTS["holdem"] or not known_cards(hand, seat):
        return False
    return int(evaluate_cards(*board)) == int(evaluate_cards(*hole, *board))


def known_cards(hand: Timeline, seat: Seat) -> bool:
    """Whether both hole cards of a seat, and a whole board, are on record."""
    state = hand.played.final
    hole, board = state.hole(seat), state.boards[0]
    return len(hole) == 2 and len(board) == 5 and _CARDS.issuperset([*hole, *board])


_OMAHA_MOST: Final = 11
"""Cards of a board and of the largest Omaha hand; every seven of very many take for ever."""


def reads_any(hand: Timeline, seat: Seat) -> bool:
    """Whether an Omaha hand would win if any number of its hole cards could be used."""
    state = hand.played.final
    board, holdem = state.boards[0], VARIANTS["holdem"]
    if len(board) + len(state.hole(seat)) > _OMAHA_MOST:
        return False
    try:
        rival_ranks = [
            rank(state.variant, state.hole(rival_seat), board)[0]
            for rival_seat in state.live_seats()
            if rival_seat != seat and "??" not in state.hole(rival_seat)
        ]
        own_rank = min(
            card_rank
            for seven in combinations([*board, *state.hole(seat)], 7)
            if (card_rank := rank(holdem, list(seven[:2]), list(seven[2:]))[0]) is not None
        )
    except (VariantError, ValueError):
        return False
    return all(rival_rank is None or own_rank <= rival_rank for rival_rank in rival_ranks)


def reads_low(hand: Timeline, seat: Seat) -> bool | None:
    """Whether a seat holds an eight-or-better low; None where its cards are not known."""
    state = hand.played.final
    hole, board = state.hole(seat), state.boards[0]
    if not hole or "??" in hole or len(board) != 5:
        return None
    try:
        return rank(VARIANTS["omaha8"], hole, board)[1] is not None
    except VariantError:
        return None
