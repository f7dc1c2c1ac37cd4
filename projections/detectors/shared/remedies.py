"""What a book prescribes for a street that has to be dealt again, and whether the record followed it."""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from ledger.hand.betting import Folded
from ledger.hand.dealing import DeckShuffled
from ledger.hand.ending import CardsMucked, HandVoided
from ledger.hand.street_deals import StreetDeal
from ledger.vocabulary import Witness, split_cards
from projections.detectors.shared.deck_order import dealt, list_places, stub
from projections.findings.finding import Fate, Severity
from projections.sentences import board as say
from projections.sentences import unknowns
from projections.timeline.hand_timeline import Timeline

UNTOLD_CARDS: Final = "which cards were shuffled in"
UNDEFINED: Final = unknowns.substantial_action()


class Steps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What lies between taking cards back and the cards that come in their place.

    None: the book does not say. `later` is what the street after the one that came early takes.
    """

    burns: int | None = None
    shuffle: bool | None = None
    cut: bool = False
    card_in: bool = False  # the withdrawn cards are shuffled in
    burns_out: bool = False  # burned and discarded cards stay out
    in_order: bool = False  # the next cards of the deck, as if nothing had been taken away
    betting_first: bool = False  # the betting that was open comes first
    later: Steps | None = None

    @property
    def summary(self) -> str:
        """Say what is done between the two: `a shuffle and a cut, but no burn`."""
        return say.redeal_steps(self.burns, self.shuffle, is_cut=self.cut)

    def describe(self, street: str) -> str:
        """Say how a street is dealt again."""
        parts = [say.new_street_with(street, self.summary)]
        if self.card_in and self.burns_out:
            parts.append(say.cards_go_in_and_dead_cards_stay_out())
        else:
            parts += [say.cards_go_back_in()] * self.card_in + [say.dead_cards_stay_out()] * self.burns_out
        if self.later is not None:
            parts.append(say.river_after_shuffle(self.later.after_shuffle))
        return "; ".join(parts)

    @property
    def after_shuffle(self) -> str:
        """Say what follows the shuffle: `a cut and no burn after the shuffle`."""
        return say.steps_after_shuffle(self.burns or 0, is_cut=self.cut)


def find_replacement(hand: Timeline, deal: StreetDeal) -> StreetDeal | None:
    """Return the cards that came in place of a street's."""
    return next(
        (candidate for candidate in hand.deals if candidate.version > deal.version and candidate.street == deal.street),
        None,
    )


def burns_in(hand: Timeline, deal: StreetDeal) -> list[str]:
    """Return the burned cards that were shuffled in before a street was dealt."""
    burned = {
        card.card
        for earlier in hand.deals
        if earlier.version < deal.version
        for _, card in earlier.burns
        if "?" not in card.card
    }
    return [c for _, event in deal.shuffled for c in split_cards(event.includes) if c in burned]


def muck_in(hand: Timeline, event: DeckShuffled) -> list[str]:
    """Return the discarded cards that a shuffle took in."""
    thrown_cards = {
        card for _, fold in hand.of(Folded, CardsMucked) for card in split_cards(fold.cards) if "?" not in card
    }
    return [card for card in split_cards(event.includes) if card in thrown_cards]


def left_out(deal: StreetDeal, event: DeckShuffled) -> list[str]:
    """Return the withdrawn cards that a shuffle did not take in.

    Named as left out, or not among those that are named as shuffled in. Where a record names only
    cards that stayed out, nobody can tell of the others.
    """
    excluded, included = split_cards(event.excludes), split_cards(event.includes)
    return [card for card in withdrawn(deal) if card in excluded or (included and card not in included)]


def known_cards(deal: StreetDeal) -> set[str]:
    """Return the cards of a street; none if one is not known."""
    cards = set(split_cards(deal.event.cards))
    return set() if any("?" in card or "{" in card for card in cards) else cards


def withdrawn(deal: StreetDeal) -> list[str]:
    """Return the cards of a street that were taken back and are known."""
    withdrawn_cards = split_cards(deal.withdrawn[1].cards) if deal.withdrawn is not None else []
    return [card for card in withdrawn_cards if "?" not in card]


def is_withdrawal_unknown(hand: Timeline, deal: StreetDeal, version: int, event: DeckShuffled) -> bool:
    """Whether the record does not tell if the withdrawn cards were shuffled in.

    The number of shuffled cards tells it as well as their names.
    """
    if _all_counted(hand, version, event):
        return False
    stated_cards = {*split_cards(event.includes), *split_cards(event.excludes)}
    return not event.includes and not stated_cards.issuperset(withdrawn(deal) or ["??"])


def out_untold(hand: Timeline, version: int, event: DeckShuffled) -> bool:
    """Whether the record does not tell that burned and discarded cards stayed out of a shuffle."""
    stated_cards = event.includes or event.excludes
    return not stated_cards and not _all_counted(hand, version, event)


def _all_counted(hand: Timeline, version: int, event: DeckShuffled) -> bool:
    """Whether just as many cards were shuffled as should have been."""
    return bool(event.count) and event.count == stub(hand, version)


def miscounted(hand: Timeline, version: int, event: DeckShuffled) -> int | None:
    """Return how many cards should have been shuffled where the record tells another number."""
    due = stub(hand, version)
    return due if due is not None and event.count and event.count != due else None


def out_of_order(deal: StreetDeal, new: StreetDeal) -> tuple[int, ...] | None:
    """Return the places of the cards that were next in the deck where others were dealt."""
    old, places = dealt(deal), dealt(new)
    if old is None or places is None:
        return None
    start = old[-1] + len(new.burns) + 1
    due = tuple(range(start, start + len(places)))
    return due if places != due else None


class StepCheck(NamedTuple):
    """What was not done as prescribed, and what the record does not tell."""

    wrong: list[str]
    unrecorded: list[str]


def look(hand: Timeline, deal: StreetDeal, new: StreetDeal, steps: Steps) -> StepCheck:
    """Look at what was done between taking `deal` back and `new`."""
    wrong: list[str] = []
    unrecorded: list[str] = []
    _burning(hand, deal, new, steps, wrong, unrecorded)
    _shuffling(hand, new, steps, wrong, unrecorded)
    for version, event in new.shuffled:
        _shuffle(hand, deal, new, steps, (version, event), wrong, unrecorded)
    due = out_of_order(deal, new) if steps.in_order and not new.shuffled else None
    if due:
        wrong.append(say.not_next_cards(list_places(due)))
    if steps.betting_first and hurried(hand, deal):
        wrong.append(say.betting_not_over())
    return StepCheck(wrong, list(dict.fromkeys(unrecorded)))


def wrong_steps(hand: Timeline, deal: StreetDeal, new: StreetDeal, steps: Steps) -> list[str]:
    """Return what was not done as prescribed between taking `deal` back and `new`."""
    return look(hand, deal, new, steps).wrong


def _burning(
    hand: Timeline, deal: StreetDeal, replacement: StreetDeal, steps: Steps, wrong: list[str], unrecorded: list[str]
) -> None:
    """Enter whether as many cards were burned as prescribed; a burn not on record proves nothing.

    Where the first burn stays out and none had been burned, the one that was missing may be burned now.
    """
    if steps.burns is None:
        return
    missing = not steps.burns and deal.street == replacement.street and not deal.burns and not deal.again
    burns = replacement.burns
    if steps.shuffle and replacement.shuffled:
        burns = [burn for burn in burns if burn[0] > replacement.shuffled[0][0]]
    if len(burns) > steps.burns + missing or (len(burns) < steps.burns and hand.witnessed(Witness.BURNS)):
        wrong.append(say.burned_count(len(burns)))
    elif not hand.witnessed(Witness.BURNS) and (not burns or len(burns) < steps.burns):
        unrecorded.append(say.unknown_step("burn"))


def _shuffling(hand: Timeline, new: StreetDeal, steps: Steps, wrong: list[str], unrecorded: list[str]) -> None:
    """Enter whether the deck was shuffled and cut as prescribed."""
    shuffles_recorded = hand.witnessed(Witness.SHUFFLES)
    is_shuffled = bool(new.shuffled)
    if steps.shuffle is not None and is_shuffled != steps.shuffle and (is_shuffled or shuffles_recorded):
        wrong.append(say.deck_shuffled(is_shuffled=is_shuffled))
    elif steps.shuffle is not None and not is_shuffled and not shuffles_recorded:
        unrecorded.append(say.unknown_step("shuffle"))
    if steps.cut and not new.cut:
        (wrong if shuffles_recorded else unrecorded).append(
            say.deck_not_cut() if shuffles_recorded else say.unknown_step("cut")
        )


def _shuffle(
    hand: Timeline,
    deal: StreetDeal,
    replacement: StreetDeal,
    steps: Steps,
    shuffled: tuple[int, DeckShuffled],
    wrong: list[str],
    unrecorded: list[str],
) -> None:
    """Enter which cards one shuffle took in that it should not have, or left out."""
    version, event = shuffled
    if steps.burns_out and (burns_in(hand, replacement) or muck_in(hand, event)):
        wrong.append(say.dead_cards_shuffled_in())
    elif steps.card_in and left_out(deal, event):
        wrong.append(say.withdrawn_cards_left_out())
    elif (steps.card_in or steps.burns_out) and miscounted(hand, version, event):
        wrong.append(say.wrong_shuffle_count(event.count))
    elif (steps.card_in and is_withdrawal_unknown(hand, deal, version, event)) or (
        steps.burns_out and out_untold(hand, version, event)
    ):
        unrecorded.append(UNTOLD_CARDS)


def hurried(hand: Timeline, deal: StreetDeal) -> tuple[int, int] | None:
    """Return where an early street was put right before the open betting was over, and who acted later."""
    replacement = find_replacement(hand, deal)
    steps = [version for version, _ in hand.of(DeckShuffled) if version > deal.version]
    steps += [replacement.version] if replacement is not None else []
    open_street = next((act.street for act in reversed(hand.acts) if act.version < deal.version), "preflop")
    later_acts = [act for act in hand.acts if act.street == open_street and act.version > deal.version]
    if steps and later_acts and min(steps) < later_acts[-1].version:
        return min(steps), later_acts[-1].seat
    return None


def fate(hand: Timeline, deal: StreetDeal, steps: Steps) -> tuple[Fate, str]:
    """Return whether the record followed the remedy for a street that may not stand, and why not."""
    if deal.withdrawn is None:
        return _fate_of_kept(hand, deal)
    replacement = find_replacement(hand, deal)
    if replacement is None:
        return ("followed", "") if len(hand.live) < 2 else ("cannot-tell", "")
    wrong, unrecorded = look(hand, deal, replacement, steps)
    later_deals = [
        other_deal
        for other_deal in hand.deals
        if other_deal.version > replacement.version
        and other_deal.street != replacement.street
        and other_deal.withdrawn is None
    ]
    if steps.later is not None and later_deals and not earlier_shuffle(hand, deal, replacement):
        later_look = look(hand, deal, later_deals[0], steps.later)
        wrong, unrecorded = wrong + later_look.wrong, unrecorded + later_look.unrecorded
    if wrong:
        return "not-followed", say.done_wrong(wrong)
    return ("cannot-tell", say.not_shown(unrecorded)) if unrecorded else ("followed", "")


def _fate_of_kept(hand: Timeline, deal: StreetDeal) -> tuple[Fate, str]:
    """Return the fate of the remedy where the street, or some cards of it, stayed."""
    if deal.taken:
        return "not-followed", say.some_cards_kept()
    if deal.open and len(hand.live) < 2 and not deal.acts and deal is hand.deals[-1]:
        return "followed", ""  # the betting went on to its end, and the hand was over with it
    if hand.of(HandVoided):
        return "not-followed", say.hand_cancelled()
    errors_recorded = hand.witnessed(Witness.DEAL_ERRORS)
    return ("not-followed", say.cards_kept()) if errors_recorded else ("cannot-tell", "")


def earlier_shuffle(hand: Timeline, deal: StreetDeal, new: StreetDeal) -> bool:
    """Whether the deck was shuffled between an early street and what came in its place."""
    return any(deal.version < version < new.version for version, _ in hand.of(DeckShuffled))


def graded(outcome: Fate) -> Severity | None:
    """Return the severity of an irregularity: what was put right changed neither cards nor chips."""
    return "warning" if outcome == "followed" else None
