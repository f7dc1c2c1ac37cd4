"""Compares what each seat should have won, by the recorded cards, with what it was paid."""

from __future__ import annotations

from math import gcd
from typing import Final, NamedTuple

from ledger.hand.betting import CashOutTaken
from ledger.hand.dealing import BoardDealt, BoardWithdrawn, MisdealDeclared
from ledger.hand.ending import PotAwarded
from ledger.hand.evaluate import shares
from ledger.text.language import translatable
from ledger.vocabulary import DECK, Chips, Seat, Street, split_cards
from projections.findings.finding import CannotTell
from projections.timeline.chip_flows import Money, build_flow
from projections.timeline.hand_timeline import Timeline

_CARDS: Final = frozenset(DECK)


class Award(NamedTuple):
    """What a seat should have won and what it was paid."""

    due: Chips  # what the cards win, before the drop and without odd chips
    paid: Chips  # what the record pays the seat
    version: int  # of the seat's first award, or the hand's last one if the seat got none


def find_awards(hand: Timeline) -> dict[Seat, Award] | CannotTell | None:
    """Return the awards of all seats that should win or were paid, in ascending order of seats.

    Return None if there is nothing to compare, and `CannotTell` if a hand that could win has unknown cards.
    """
    return hand.cached("expected", lambda: _compute_awards(hand))


def _compute_awards(hand: Timeline) -> dict[Seat, Award] | CannotTell | None:
    """Compute what `find_awards` returns."""
    state = hand.played.final_state
    awards = hand.of(PotAwarded)
    if not awards:
        return None
    if hand.of(CashOutTaken):
        return CannotTell(translatable("what the house took over in a cash-out"))
    if _has_conflicting_boards(hand):
        return CannotTell(translatable("which board counts"))
    pot_shares = shares(state)
    if pot_shares.reason == "cards-unknown":
        return CannotTell(translatable("the cards of a hand at the showdown"))
    if pot_shares.reason or not pot_shares.parts:
        return None
    due: dict[Seat, Chips] = {}
    for part in pot_shares.parts:
        for seat in part.winners:
            due[seat] = due.get(seat, 0) + part.amount // len(part.winners)
    award_versions: dict[Seat, int] = {}
    for version, event in awards:
        award_versions.setdefault(event.seat, version)
    last_version, _ = awards[-1]
    return {
        seat: Award(
            due=due.get(seat, 0), paid=state.chips.awarded.get(seat, 0), version=award_versions.get(seat, last_version)
        )
        for seat in sorted(due.keys() | award_versions.keys())
    }


def _has_conflicting_boards(hand: Timeline) -> bool:
    """Whether a street was dealt again with other cards though none were withdrawn: perhaps a second run."""
    full_counts = {plan.name: plan.board for plan in hand.variant.streets} if hand.variant else {}
    cards_by_place: dict[tuple[Street, int, int], set[str]] = {}
    for _, event in hand.of(BoardDealt, BoardWithdrawn, MisdealDeclared):
        if isinstance(event, MisdealDeclared):
            cards_by_place.clear()
            continue
        place = (event.street, event.board, getattr(event, "run", 1))
        if isinstance(event, BoardWithdrawn):
            cards_by_place.pop(place, None)
            continue
        cards = _CARDS.intersection(split_cards(event.cards))
        earlier_cards = cards_by_place.setdefault(place, set())
        if (
            earlier_cards
            and not cards <= earlier_cards
            and len(earlier_cards | cards) > full_counts.get(event.street, 0)
        ):
            return True
        earlier_cards |= cards
    return False


def compute_dead_hand_money(hand: Timeline, seat: Seat) -> Money:
    """Return the chips that a dead hand was paid, and the hand they were taken from.

    Empty unless exactly one other hand would have won them.
    """
    state = hand.played.final_state
    chips = state.chips.awarded.get(seat, 0)
    if chips <= 0:
        return ()
    others = state.copy()
    others.live.discard(seat)
    pot_shares = shares(others)
    winners = {winner for part in pot_shares.parts for winner in part.winners}
    if pot_shares.reason or len(winners) != 1:
        return ()
    return build_flow({seat: chips, winners.pop(): -chips})


def find_smallest_chip(hand: Timeline) -> Chips:
    """Return the smallest chip that a pot is divided into.

    It is the recorded option, else the greatest common divisor of all stacks, bets and awards.
    """
    stated_chip = hand.option("smallest-chip")
    if stated_chip:
        return stated_chip
    stacks = [stack for stack in hand.start.values() if stack]
    awards = [event.amount for _, event in hand.of(PotAwarded)]
    return gcd(*stacks, *hand.put_in.values(), *awards) or 1


def is_unopposed(hand: Timeline) -> bool:
    """Whether all hands but one were mucked or cleared at the showdown, and only that one was paid."""
    state = hand.played.final_state
    remaining = {seat for seat in state.live if hand.find_muck(seat) is None}
    remaining -= {seat for seat in state.cleared_seats if not hand.has_tabled(seat)}
    return len(remaining) == 1 and remaining == {event.seat for _, event in hand.of(PotAwarded)}
