"""Remedies for a wrong street: how a book wants it dealt again, and whether the dealer did that."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

import msgspec

from ledger.hand.betting import Folded
from ledger.hand.dealing import DeckShuffled
from ledger.hand.ending import CardsMucked, HandVoided
from ledger.hand.street_deals import StreetDeal
from ledger.vocabulary import Seat, Witness, split_cards
from projections.detectors.shared.deck_order import count_stub, find_dealt_positions, format_positions
from projections.findings.finding import Fate, Severity
from projections.sentences import board as say
from projections.timeline.hand_timeline import Timeline

UNKNOWN_SHUFFLED_CARDS: Final = "which cards were shuffled in"


class RedealSteps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the dealer must do between taking a street back and dealing it again.

    Rulebooks set these fields by name.
    """

    burns: int | None = None  # None if the book is silent on it
    shuffle: bool | None = None  # None if the book is silent on it
    cut: bool = False
    card_in: bool = False  # the withdrawn cards are shuffled back in
    burns_out: bool = False  # burned and discarded cards stay out
    in_order: bool = False  # the next cards of the deck replace the withdrawn ones
    betting_first: bool = False  # the open betting is finished first
    later: RedealSteps | None = None  # the steps before the next street

    @property
    def summary(self) -> str:
        """Describe the steps: `a shuffle and a cut, but no burn`."""
        return say.redeal_steps(self.burns, self.shuffle, is_cut=self.cut)

    def describe(self, street: str) -> str:
        """Describe how a street is dealt again."""
        parts = [say.new_street_with(street, self.summary)]
        if self.card_in and self.burns_out:
            parts.append(say.cards_go_in_and_dead_cards_stay_out())
        else:
            parts += [say.cards_go_back_in()] * self.card_in + [say.dead_cards_stay_out()] * self.burns_out
        if self.later is not None:
            parts.append(say.river_after_shuffle(self.later.after_shuffle))
        return say.steps_of_remedy(parts)

    @property
    def after_shuffle(self) -> str:
        """Describe what follows the shuffle: `a cut and no burn after the shuffle`."""
        return say.steps_after_shuffle(self.burns or 0, is_cut=self.cut)


def find_replacement(hand: Timeline, deal: StreetDeal) -> StreetDeal | None:
    """Return the next deal of the same street, or None if it wasn't dealt again."""
    return next(
        (candidate for candidate in hand.deals if candidate.version > deal.version and candidate.street == deal.street),
        None,
    )


def find_burns_shuffled_in(hand: Timeline, deal: StreetDeal) -> list[str]:
    """Return the burned cards that all shuffles before a street put back into the deck."""
    return [card for _, event in deal.shuffles for card in find_burns_in_shuffle(hand, deal, event)]


def find_burns_in_shuffle(hand: Timeline, deal: StreetDeal, event: DeckShuffled) -> list[str]:
    """Return the burned cards that one shuffle before a street put back into the deck."""
    earlier_deals = [earlier_deal for earlier_deal in hand.deals if earlier_deal.version < deal.version]
    burned_cards = {burn.card for earlier_deal in earlier_deals for _, burn in earlier_deal.burns}
    return [card for card in split_cards(event.includes) if card in burned_cards and "?" not in card]


def find_discards_shuffled_in(hand: Timeline, event: DeckShuffled) -> list[str]:
    """Return the folded and mucked cards that one shuffle put back into the deck."""
    discards = {card for _, fold in hand.of(Folded, CardsMucked) for card in split_cards(fold.cards) if "?" not in card}
    return [card for card in split_cards(event.includes) if card in discards]


def find_withdrawn_left_out(deal: StreetDeal, event: DeckShuffled) -> list[str]:
    """Return the withdrawn cards that the record names as left out, or doesn't name among those shuffled in.

    If it names only cards that stayed out, nothing is known about the others.
    """
    excluded, included = split_cards(event.excludes), split_cards(event.includes)
    return [
        card for card in find_known_withdrawn_cards(deal) if card in excluded or (included and card not in included)
    ]


def find_fully_known_cards(deal: StreetDeal) -> set[str]:
    """Return the cards of a street, or an empty set if any of them is unknown."""
    cards = set(split_cards(deal.event.cards))
    return set() if any("?" in card or "{" in card for card in cards) else cards


def find_known_withdrawn_cards(deal: StreetDeal) -> list[str]:
    """Return the cards of a withdrawn street without those that are unknown."""
    withdrawn_cards = split_cards(deal.withdrawn[1].cards) if deal.withdrawn is not None else []
    return [card for card in withdrawn_cards if "?" not in card]


def is_withdrawn_unaccounted(hand: Timeline, deal: StreetDeal, version: int, event: DeckShuffled) -> bool:
    """Whether neither card names nor the number of shuffled cards show if the withdrawn cards went back in."""
    if _is_count_right(hand, version, event):
        return False
    if event.includes:
        return False
    withdrawn_cards = find_known_withdrawn_cards(deal)
    return not withdrawn_cards or not set(withdrawn_cards) <= set(split_cards(event.excludes))


def are_dead_cards_unaccounted(hand: Timeline, version: int, event: DeckShuffled) -> bool:
    """Whether neither card names nor the number of shuffled cards show if burns and discards stayed out."""
    stated_cards = event.includes or event.excludes
    return not stated_cards and not _is_count_right(hand, version, event)


def _is_count_right(hand: Timeline, version: int, event: DeckShuffled) -> bool:
    """Whether the number of shuffled cards is recorded and right."""
    return bool(event.count) and event.count == count_stub(hand, version)


def find_right_count(hand: Timeline, version: int, event: DeckShuffled) -> int | None:
    """Return the right number of shuffled cards if the record has a wrong one, else None."""
    if not event.count:
        return None
    expected_count = count_stub(hand, version)
    return expected_count if event.count != expected_count else None


def find_due_positions(deal: StreetDeal, replacement: StreetDeal) -> tuple[int, ...] | None:
    """Return the deck positions that the new street should have come from.

    None if it did come from them, or if the record doesn't show it.
    """
    old_positions, new_positions = find_dealt_positions(deal), find_dealt_positions(replacement)
    if old_positions is None or new_positions is None:
        return None
    start = old_positions[-1] + len(replacement.burns) + 1
    due_positions = tuple(range(start, start + len(new_positions)))
    return due_positions if new_positions != due_positions else None


class StepCheck(NamedTuple):
    """The steps that were done wrong, and those that the record doesn't show."""

    wrong: list[str]
    unrecorded: list[str]


def check_steps(hand: Timeline, deal: StreetDeal, replacement: StreetDeal, steps: RedealSteps) -> StepCheck:
    """Check what was done between taking `deal` back and dealing `replacement`."""
    checker = _StepChecker(hand, deal, replacement, steps)
    checker.check_burns()
    checker.check_shuffle_and_cut()
    for version, event in replacement.shuffles:
        checker.check_shuffled_cards(version, event)
    checker.check_order()
    # Two shuffles may have the same fault.
    return StepCheck(list(dict.fromkeys(checker.wrong)), list(dict.fromkeys(checker.unrecorded)))


def find_wrong_steps(hand: Timeline, deal: StreetDeal, replacement: StreetDeal, steps: RedealSteps) -> list[str]:
    """Return the steps that were done wrong between taking `deal` back and dealing `replacement`."""
    return check_steps(hand, deal, replacement, steps).wrong


@dataclass(slots=True)
class _StepChecker:
    """Compares what was done with the book's steps and collects the differences."""

    hand: Timeline
    deal: StreetDeal
    replacement: StreetDeal
    steps: RedealSteps
    wrong: list[str] = field(default_factory=list)
    unrecorded: list[str] = field(default_factory=list)

    def check_burns(self) -> None:
        """Check the number of burned cards. If the source doesn't record all burns, a missing one proves nothing.

        A book that wants no new burn counts the burn of the first deal; a dealer who forgot that burn may burn now.
        """
        due_burns = self.steps.burns
        if due_burns is None:
            return
        deal, replacement = self.deal, self.replacement
        is_burn_forgotten = deal.street == replacement.street and not deal.burns and not deal.is_dealt_again
        max_burns = 1 if due_burns == 0 and is_burn_forgotten else due_burns
        burns = replacement.burns
        if self.steps.shuffle and replacement.shuffles:
            shuffle_version, _ = replacement.shuffles[0]
            burns = [(version, burn) for version, burn in burns if version > shuffle_version]
        has_all_burns = self.hand.is_witnessed(Witness.BURNS)
        might_lack_burns = len(burns) < max(due_burns, 1)  # also if none is due: an unrecorded one would be wrong
        if len(burns) > max_burns or (len(burns) < due_burns and has_all_burns):
            self.wrong.append(say.burned_count(len(burns)))
        elif might_lack_burns and not has_all_burns:
            self.unrecorded.append(say.unknown_step("burn"))

    def check_shuffle_and_cut(self) -> None:
        """Check whether the deck was shuffled and cut."""
        steps = self.steps
        has_all_shuffles = self.hand.is_witnessed(Witness.SHUFFLES)
        is_shuffled = bool(self.replacement.shuffles)
        if steps.shuffle is not None and is_shuffled != steps.shuffle and (is_shuffled or has_all_shuffles):
            self.wrong.append(say.deck_shuffled(is_shuffled=is_shuffled))
        elif steps.shuffle is not None and not is_shuffled and not has_all_shuffles:
            self.unrecorded.append(say.unknown_step("shuffle"))
        if steps.cut and not self.replacement.is_cut:
            if has_all_shuffles:
                self.wrong.append(say.deck_not_cut())
            else:
                self.unrecorded.append(say.unknown_step("cut"))

    def check_shuffled_cards(self, version: int, event: DeckShuffled) -> None:
        """Check whether one shuffle had the right cards in it."""
        hand, steps = self.hand, self.steps
        if steps.burns_out and (
            find_burns_in_shuffle(hand, self.replacement, event) or find_discards_shuffled_in(hand, event)
        ):
            self.wrong.append(say.dead_cards_shuffled_in())
        elif steps.card_in and find_withdrawn_left_out(self.deal, event):
            self.wrong.append(say.withdrawn_cards_left_out())
        elif (steps.card_in or steps.burns_out) and find_right_count(hand, version, event):
            self.wrong.append(say.wrong_shuffle_count(event.count))
        elif (steps.card_in and is_withdrawn_unaccounted(hand, self.deal, version, event)) or (
            steps.burns_out and are_dead_cards_unaccounted(hand, version, event)
        ):
            self.unrecorded.append(UNKNOWN_SHUFFLED_CARDS)

    def check_order(self) -> None:
        """Check whether the next cards of the deck were dealt, and whether the betting was finished first."""
        is_in_deck_order = self.steps.in_order and not self.replacement.shuffles
        due_positions = find_due_positions(self.deal, self.replacement) if is_in_deck_order else None
        if due_positions:
            self.wrong.append(say.not_next_cards(format_positions(due_positions)))
        if self.steps.betting_first and find_hurried_remedy(self.hand, self.deal):
            self.wrong.append(say.betting_not_over())


class HurriedRemedy(NamedTuple):
    """A step that corrected an early street before the open betting was over."""

    version: int
    last_to_act: Seat


def find_hurried_remedy(hand: Timeline, deal: StreetDeal) -> HurriedRemedy | None:
    """Return the step that corrected an early street before the betting was over, or None if the betting came first."""
    replacement = find_replacement(hand, deal)
    remedy_versions = [version for version, _ in hand.of(DeckShuffled) if version > deal.version]
    remedy_versions += [replacement.version] if replacement is not None else []
    open_street = next((act.street for act in reversed(hand.acts) if act.version < deal.version), "preflop")
    later_acts = [act for act in hand.acts if act.street == open_street and act.version > deal.version]
    if remedy_versions and later_acts and min(remedy_versions) < later_acts[-1].version:
        return HurriedRemedy(min(remedy_versions), later_acts[-1].seat)
    return None


def judge_remedy(hand: Timeline, deal: StreetDeal, steps: RedealSteps) -> tuple[Fate, str]:
    """Return whether the remedy for a wrong street was followed, and a reason; "" if none is needed."""
    if deal.withdrawn is None:
        return _judge_kept_street(hand, deal)
    replacement = find_replacement(hand, deal)
    if replacement is None:
        return ("followed", "") if len(hand.live) < 2 else ("cannot-tell", "")
    wrong, unrecorded = check_steps(hand, deal, replacement, steps)
    later_deals = [
        other_deal
        for other_deal in hand.deals
        if other_deal.version > replacement.version
        and other_deal.street != replacement.street
        and other_deal.withdrawn is None
    ]
    # A shuffle before the new street already mixed the card in, so the steps before the next street don't apply.
    if steps.later is not None and later_deals and not has_shuffle_between(hand, deal, replacement):
        later_check = check_steps(hand, deal, later_deals[0], steps.later)
        wrong, unrecorded = wrong + later_check.wrong, unrecorded + later_check.unrecorded
    if wrong:
        return "not-followed", say.done_wrong(wrong)
    return ("cannot-tell", say.not_shown(unrecorded)) if unrecorded else ("followed", "")


def _judge_kept_street(hand: Timeline, deal: StreetDeal) -> tuple[Fate, str]:
    """Return whether the remedy was followed if the street, or some of its cards, stayed on the table."""
    if deal.withdrawals:
        return "not-followed", say.some_cards_kept()
    if deal.seats_to_act and len(hand.live) < 2 and not deal.acts and deal is hand.deals[-1]:
        return "followed", ""  # the betting was finished and ended the hand
    if hand.of(HandVoided):
        return "not-followed", say.hand_cancelled()
    has_all_errors = hand.is_witnessed(Witness.DEAL_ERRORS)
    return ("not-followed", say.cards_kept()) if has_all_errors else ("cannot-tell", "")


def has_shuffle_between(hand: Timeline, deal: StreetDeal, replacement: StreetDeal) -> bool:
    """Whether the deck was shuffled between an early street and its replacement."""
    return any(deal.version < version < replacement.version for version, _ in hand.of(DeckShuffled))


def grade_remedy(remedy_fate: Fate) -> Severity | None:
    """Return the severity of an irregularity: a warning if its remedy was followed, or None for the clause's own."""
    return "warning" if remedy_fate == "followed" else None
