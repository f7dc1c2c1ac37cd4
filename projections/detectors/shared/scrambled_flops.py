"""Flops that are scrambled and dealt again: one card becomes a burn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.hand.street_deals import StreetDeal
from projections.detectors.shared.remedies import find_replacement, known_cards
from projections.findings.finding import Answer, Breach, CannotTell
from projections.sentences import tournament as say
from projections.sentences.board import cards_on_flop_note
from projections.timeline.hand_timeline import Timeline

FLOP: Final = 3
"""How many cards a flop has."""


def check_scrambled_flop(hand: Timeline, deal: StreetDeal, replacement: StreetDeal) -> Iterator[Answer]:
    """Look whether a new flop and the next burn are the four cards of the first."""
    four, three = known_cards(deal), known_cards(replacement)
    if not four or not three:
        yield CannotTell("which cards came back as the flop")
    elif len(four - three) != 1 or replacement.cards != FLOP:
        yield Breach(
            replacement.version,
            say.new_flop_of_other_cards(),
            should=say.scramble_four(),
            remedy="not-followed",
            other_events=((deal.version, cards_on_flop_note(deal.cards)),),
        )
    else:
        yield from check_fourth_burned(hand, replacement.version, four - three)


def check_fourth_burned(hand: Timeline, flop_version: int, fourth: set[str]) -> Iterator[Answer]:
    """Yield where another card than the fourth of the flop was burned before the turn."""
    next_street = hand.find_kept_street("turn")
    if next_street is None:
        return
    burned = {card.card for _, card in next_street.burns if "?" not in card.card}
    if burned and burned != fourth:
        yield Breach(
            next_street.version,
            say.cards_burned_before_turn(sorted(burned)),
            remedy="not-followed",
            should=say.fourth_card_is_burn(sorted(fourth)),
            other_events=((flop_version, say.flop_of_three_note()),),
        )


def check_unburned_flop(hand: Timeline, deal: StreetDeal, notice_version: int) -> Iterator[Answer]:
    """Look whether two cards of a flop without a burn are in the new flop."""
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
    old_cards, new_cards = known_cards(deal), known_cards(replacement)
    if not old_cards or not new_cards:
        yield CannotTell("which cards came back as the flop")
    elif len(old_cards & new_cards) != 2:
        yield Breach(
            replacement.version,
            say.cards_in_new_flop(len(old_cards & new_cards)),
            should=say.scramble_three(),
            remedy="not-followed",
            other_events=((deal.version, say.no_burn_note()),),
        )
