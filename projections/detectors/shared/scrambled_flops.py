"""Flops that are scrambled and dealt again with one card of them as a burn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.hand.street_deals import StreetDeal
from ledger.text.language import translatable
from projections.detectors.shared.remedies import find_fully_known_cards, find_replacement
from projections.findings.finding import Answer, Breach, CannotTell
from projections.sentences import tournament as say
from projections.sentences.board import cards_on_flop_note
from projections.timeline.hand_timeline import Timeline

FLOP: Final = 3
"""How many cards a flop has."""


def check_scrambled_flop(hand: Timeline, deal: StreetDeal, replacement: StreetDeal) -> Iterator[Answer]:
    """Check that a new flop and the next burn are the four cards of the first flop."""
    old_cards, new_cards = find_fully_known_cards(deal), find_fully_known_cards(replacement)
    if not old_cards or not new_cards:
        yield CannotTell(translatable("which cards came back as the flop"))
    elif len(old_cards - new_cards) != 1 or replacement.card_count != FLOP:
        yield Breach(
            replacement.version,
            say.new_flop_of_other_cards(),
            should=say.scramble_four(),
            remedy="not-followed",
            other_events=((deal.version, cards_on_flop_note(deal.card_count)),),
        )
    else:
        yield from check_fourth_burned(hand, replacement.version, old_cards - new_cards)


def check_fourth_burned(hand: Timeline, flop_version: int, fourth_cards: set[str]) -> Iterator[Answer]:
    """Check that the burn before the turn is the flop's fourth card; a burn of an unknown card passes."""
    turn = hand.find_kept_street("turn")
    if turn is None:
        return
    burned_cards = {burn.card for _, burn in turn.burns if "?" not in burn.card}
    if burned_cards and burned_cards != fourth_cards:
        yield Breach(
            turn.version,
            say.cards_burned_before_turn(sorted(burned_cards)),
            remedy="not-followed",
            should=say.fourth_card_is_burn(sorted(fourth_cards)),
            other_events=((flop_version, say.flop_of_three_note()),),
        )


def check_unburned_flop(hand: Timeline, deal: StreetDeal, notice_version: int) -> Iterator[Answer]:
    """Check that exactly two cards of a flop without a burn are in the new flop."""
    replacement = find_replacement(hand, deal)
    if deal.withdrawn is None or replacement is None:
        yield Breach(
            deal.version,
            say.unburned_flop_kept(),
            should=say.scramble_three(),
            remedy="not-followed",
            other_events=((notice_version, say.noticed_note()),),
        )
        return
    old_cards, new_cards = find_fully_known_cards(deal), find_fully_known_cards(replacement)
    if not old_cards or not new_cards:
        yield CannotTell(translatable("which cards came back as the flop"))
    elif len(old_cards & new_cards) != 2:
        yield Breach(
            replacement.version,
            say.cards_in_new_flop(len(old_cards & new_cards)),
            should=say.scramble_three(),
            remedy="not-followed",
            other_events=((deal.version, say.no_burn_note()),),
        )
