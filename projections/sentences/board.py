"""Sentences of findings about board cards that came too early or in the wrong number, and how that was corrected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from ledger.text.language import join_and, join_list, join_or, phrase, phrase_count, translatable
from projections.sentences import as_sentence, capitalize, street_name

_NOT_NEXT: Final = translatable("{places} of the deck didn't come next")
_PLACES_MARK: Final = "\0"


def flop_taken_back_and_redealt() -> str:
    """Correct: a new flop."""
    return phrase("the whole flop taken back and dealt again")


def flop_taken_back_then(steps: str) -> str:
    """Correct: a new flop, and how it is dealt."""
    return phrase("the whole flop taken back, then {steps}", steps=steps)


def taken_back_note() -> str:
    """Note: cards were taken back."""
    return phrase("taken back")


def flop_taken_back_after_action() -> str:
    """Headline: a flop that players had acted on was taken back."""
    return phrase("The flop was taken back after substantial action on it")


def cards_bet_on_stay() -> str:
    """Correct: the flop stays."""
    return phrase("the cards that were bet on stay")


def cards_on_flop_note(cards: int) -> str:
    """Note: the size of the flop."""
    return phrase("{cards} cards on the flop", cards=cards)


def betting_first_then_other_cards() -> str:
    """Correct: the betting, then other cards."""
    return phrase("the betting finished first, then other cards")


def betting_first_then(steps: str) -> str:
    """Correct: the betting, then these steps of the remedy."""
    return phrase("the betting finished first, then {steps}", steps=steps)


def cards_shuffled_back(names: Sequence[str]) -> str:
    """Headline: cards were shuffled in that stay out."""
    return phrase_count(
        "{names} was shuffled back in", "{names} were shuffled back in", len(names), names=join_and(names)
    )


def dead_cards_stay_out() -> str:
    """Correct: burns and discards stay out."""
    return phrase("burns and mucked cards stay out")


def street_note(street: str) -> str:
    """Note: the street."""
    return phrase("the {street}", street=street_name(street))


def cards_not_shuffled_in(names: Sequence[str]) -> str:
    """Headline: cards that were taken back stayed out of the shuffle."""
    return phrase_count(
        "{names} was not shuffled in", "{names} were not shuffled in", len(names), names=join_and(names)
    )


def cards_go_back_in() -> str:
    """Correct: the cards go back."""
    return phrase("the cards taken back go into the shuffle")


def other_cards_named() -> str:
    """Why it's only likely: the record names other cards."""
    return phrase("The record names only other cards as shuffled in.")


def wrong_shuffle_count(count: int) -> str:
    """Headline: another number of cards was shuffled than should have been."""
    return phrase_count("{count} card was shuffled", "{count} cards were shuffled", count)


def stub_count(cards: int) -> str:
    """Correct: how many cards are in the stub."""
    return phrase("{cards} cards shuffled: all except hands, burns and the board cards that stay", cards=cards)


def wrong_before_new_street(street: str, faults: Sequence[str]) -> str:
    """Headline: what was done wrong before a street was dealt again."""
    if _has_wrong_cards(faults):
        message = translatable("Before the new {street}, {faults}")
    else:
        message = translatable("{faults} before the new {street}")
    return capitalize(phrase(message, faults=_join_faults(faults), street=street_name(street)))


def wrong_before_river(faults: Sequence[str]) -> str:
    """Headline: what was done wrong before the river."""
    if _has_wrong_cards(faults):
        message = translatable("Before the river, {faults}")
    else:
        message = translatable("{faults} before the river")
    return capitalize(phrase(message, faults=_join_faults(faults)))


def places_of_cards(deck_positions: Sequence[int]) -> str:
    """Return cards by their positions in the deck: "cards 14, 15, 16"."""
    return phrase_count(
        "card {places}",
        "cards {places}",
        len(deck_positions),
        places=join_list([str(position) for position in deck_positions]),
    )


def cards_of_deck(places: str) -> str:
    """Correct: cards by their places in the deck."""
    return phrase("{places} of the deck", places=places)


def withdrawn_street_note(street: str) -> str:
    """Note: a street that was taken back."""
    return phrase("the {street} that was taken back", street=street_name(street))


def river_without_shuffle() -> str:
    """Headline: the deck was not shuffled before the river."""
    return phrase("The river came without a shuffle")


def shuffle_with_card() -> str:
    """Correct: a shuffle that takes in the card set aside."""
    return phrase("a shuffle that includes the card set aside")


def early_street_note(street: str) -> str:
    """Note: the street that came too early."""
    return phrase("the early {street}", street=street_name(street))


def early_card_kept_by_agreement(street: str) -> str:
    """Headline: players kept a card that came too early."""
    return phrase("The {street} came too early, and the players agreed to keep it", street=street_name(street))


def nobody_chooses() -> str:
    """Correct: the card is out."""
    return phrase("the card is out; players can't choose to keep it")


def agreement_note() -> str:
    """Note: players agreed to keep the card."""
    return phrase("agreed to keep it")


def remedy_before_action(last_seat: int) -> str:
    """Headline: an error was corrected before the last seat of the round had acted."""
    return phrase("The error was corrected before seat {last_seat} had acted", last_seat=last_seat)


def redeal_steps(burn_count: int | None, shuffle: bool | None, *, is_cut: bool) -> str:
    """Return the steps before a street is dealt again: "a shuffle and a burn", "a cut, but no shuffle" or "".

    A `burn_count` or `shuffle` of None means that the book doesn't say. 0 and False mean that the step is left out.
    """
    taken_steps = []
    if shuffle:
        taken_steps.append(phrase("a shuffle"))
    if is_cut:
        taken_steps.append(phrase("a cut"))
    if burn_count:
        taken_steps.append(_count_burns(burn_count))
    taken_text = join_and(taken_steps)
    omitted_text = _omitted_steps(is_shuffle_omitted=shuffle is False, is_burn_omitted=burn_count == 0)
    if taken_text and omitted_text:
        return phrase("{taken_text}, but {omitted_text}", taken_text=taken_text, omitted_text=omitted_text)
    return taken_text or omitted_text


def _omitted_steps(*, is_shuffle_omitted: bool, is_burn_omitted: bool) -> str:
    if is_shuffle_omitted:
        return phrase("no shuffle or burn") if is_burn_omitted else phrase("no shuffle")
    return phrase("no burn") if is_burn_omitted else ""


def _count_burns(burn_count: int) -> str:
    return phrase("a burn") if burn_count == 1 else phrase("{burn_count} burns", burn_count=burn_count)


def new_street_with(street: str, redeal_text: str) -> str:
    """Correct: a street is dealt again; `redeal_text` may be empty."""
    if redeal_text:
        return phrase("a new {street} with {redeal_text}", street=street_name(street), redeal_text=redeal_text)
    return phrase("a new {street}", street=street_name(street))


def steps_of_remedy(remedy_parts: Sequence[str]) -> str:
    """Correct: the parts of a remedy."""
    return phrase("; ").join(remedy_parts)


def cards_go_in_and_dead_cards_stay_out() -> str:
    """Correct: what is shuffled in, and what isn't."""
    return phrase("the cards taken back are shuffled in, but burns and mucked cards aren't")


def steps_after_shuffle(burn_count: int, *, is_cut: bool) -> str:
    """Return what should be between the shuffle and the river."""
    if not burn_count:
        return phrase("a cut and no burn after the shuffle") if is_cut else phrase("no burn after the shuffle")
    if is_cut:
        return phrase("a cut and {burns} after the shuffle", burns=_count_burns(burn_count))
    return phrase("{burns} after the shuffle", burns=_count_burns(burn_count))


def river_after_shuffle(redeal_text: str) -> str:
    """Correct: how the river is dealt after an early turn."""
    return phrase("before the river, the card set aside is shuffled in, with {redeal_text}", redeal_text=redeal_text)


def betting_finished_first() -> str:
    """Correct: the betting before any remedy."""
    return phrase("the betting finished first")


def some_cards_kept() -> str:
    """Because: only some cards were taken back."""
    return phrase("Some of the cards were kept.")


def cards_kept() -> str:
    """Because: no card was taken back."""
    return phrase("The cards were kept.")


def hand_cancelled() -> str:
    """Because: the hand was cancelled instead."""
    return phrase("The hand was voided instead.")


def not_shown(facts: Sequence[str]) -> str:
    """Because: the facts that the record lacks, so that we can't tell whether the remedy was followed."""
    return phrase("The record doesn't show {facts}.", facts=_join_facts(facts))


def done_wrong(faults: Sequence[str]) -> str:
    """Because: what was done wrong, so that the remedy wasn't followed."""
    return as_sentence(_join_faults(faults))


def deck_shuffled(*, is_shuffled: bool) -> str:
    """Return a fault: the deck was or wasn't shuffled."""
    return phrase("the deck was shuffled") if is_shuffled else phrase("the deck wasn't shuffled")


def deck_not_cut() -> str:
    """Return a fault: the deck wasn't cut."""
    return phrase("the deck wasn't cut")


def burned_count(count: int) -> str:
    """Return a fault: how many cards were burned."""
    if not count:
        return phrase("no card was burned")
    return phrase_count("{count} card was burned", "{count} cards were burned", count)


def burn_shuffled_in() -> str:
    """Return a fault: the burn was shuffled in."""
    return phrase("the burn was shuffled in")


def dead_cards_shuffled_in() -> str:
    """Return a fault: burns or discards were shuffled in."""
    return phrase("burned or mucked cards were shuffled in")


def withdrawn_cards_left_out() -> str:
    """Return a fault: the cards taken back weren't shuffled in."""
    return phrase("the cards taken back weren't shuffled in")


def not_next_cards(places: str) -> str:
    """Return a fault: other cards than the next ones were dealt."""
    return phrase(_NOT_NEXT, places=places)


def betting_not_over() -> str:
    """Return a fault: the betting wasn't over."""
    return phrase("the betting wasn't over")


def unknown_step(step: Literal["shuffle", "cut", "burn", "cards"]) -> str:
    """Return what a record doesn't show."""
    return {
        "shuffle": phrase("whether the deck was shuffled"),
        "cut": phrase("whether the deck was cut"),
        "burn": phrase("what was burned"),
        "cards": phrase("which cards were shuffled in"),
    }[step]


def _has_wrong_cards(faults: Sequence[str]) -> bool:
    """Whether a fault names cards that didn't come next. Then the time comes first in the sentence."""
    head, _, tail = phrase(_NOT_NEXT, places=_PLACES_MARK).partition(_PLACES_MARK)
    return any(fault.startswith(head) and fault.endswith(tail) for fault in faults)


def _join_faults(faults: Sequence[str]) -> str:
    """Join faults; name the deck once if it was neither shuffled nor cut."""
    uncut, unshuffled = deck_not_cut(), deck_shuffled(is_shuffled=False)
    if uncut in faults and unshuffled in faults:
        other_faults = [fault for fault in faults if fault not in (uncut, unshuffled)]
        return _join_clauses([phrase("the deck wasn't shuffled or cut"), *other_faults])
    return _join_clauses(faults)


def _join_clauses(clauses: Sequence[str]) -> str:
    if len(clauses) < 2:
        return "".join(clauses)
    return phrase("{clauses} and {last_clause}", clauses=join_list(clauses[:-1]), last_clause=clauses[-1])


def _join_facts(facts: Sequence[str]) -> str:
    """Join facts that a record lacks with "or"; name the deck once."""
    uncut, unshuffled = unknown_step("cut"), unknown_step("shuffle")
    if uncut in facts and unshuffled in facts:
        other_facts = [fact for fact in facts if fact not in (uncut, unshuffled)]
        return join_or([phrase("whether the deck was shuffled or cut"), *other_facts])
    return join_or(facts)
