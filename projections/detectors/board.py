"""Boards that came too early or with too many cards, and how that was put right.

Each public function is a detector; its docstring states the breach.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ledger.hand.dealing import BoardDealt, DeckShuffled
from ledger.hand.opening import Agreed
from ledger.hand.street_deals import StreetDeal
from ledger.text.language import translatable
from ledger.vocabulary import Witness, split_cards
from projections.detectors.shared.deck_order import format_positions
from projections.detectors.shared.remedies import (
    UNKNOWN_SHUFFLED_CARDS,
    RedealSteps,
    are_dead_cards_unaccounted,
    find_burns_in_shuffle,
    find_burns_shuffled_in,
    find_discards_shuffled_in,
    find_due_positions,
    find_hurried_remedy,
    find_replacement,
    find_right_count,
    find_withdrawn_left_out,
    find_wrong_steps,
    grade_remedy,
    has_shuffle_between,
    is_withdrawn_unaccounted,
    judge_remedy,
)
from projections.findings.detector import Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.sentences import board as say
from projections.sentences import unknowns
from projections.sentences.dealing import cards_on_street, street_before_betting_over
from projections.timeline.hand_timeline import Timeline


@hand_detector(events=(BoardDealt,), needs=Witness.BOARD, signs=Symptom.STREETS, deadline="mendable")
def oversize_flop(hand: Timeline, *, cards: int, stands_after_action: bool, remedy: RedealSteps) -> Iterator[Answer]:
    """A flop had too many cards; the remedy is a new flop."""
    for deal in hand.deals:
        if deal.street != "flop" or deal.card_count <= cards:
            continue
        if stands_after_action and hand.is_substantial(deal.on_all):
            yield NO_OCCASION  # another clause says that the cards stay in play
            continue
        remedy_fate, reason = judge_remedy(hand, deal, remedy)
        if stands_after_action and remedy_fate != "followed" and hand.may_be_substantial(deal.on_all):
            yield CannotTell(unknowns.substantial_action())
            continue
        should = say.flop_taken_back_then(remedy.describe("flop"))
        if remedy_fate == "followed":
            should = say.flop_taken_back_and_redealt()
        yield Breach(
            deal.version,
            cards_on_street("flop", deal.card_count),
            should=should,
            because=reason,
            remedy=remedy_fate,
            severity=grade_remedy(remedy_fate),
            other_events=_build_withdrawal_notes(deal),
        )


def _build_withdrawal_notes(deal: StreetDeal) -> tuple[tuple[int, str], ...]:
    """Return each withdrawal of a street by its version, with the note that cites it."""
    return tuple((version, say.taken_back_note()) for version, _ in deal.withdrawals)


@hand_detector(events=(BoardDealt,), needs=Witness.BOARD | Witness.DEAL_ERRORS | Witness.ACTS, signs=Symptom.STREETS)
def frozen_flop_withdrawn(hand: Timeline, *, cards: int) -> Iterator[Answer]:
    """A flop with too many cards was withdrawn although substantial action had been taken on it."""
    has_occasion = False
    for deal in hand.deals:
        if deal.street == "flop" and deal.card_count > cards and hand.is_substantial(deal.on_all):
            has_occasion = True
            if deal.withdrawals and deal.withdrawn is None:
                yield CannotTell(translatable("which of the cards the players had acted on"))
            if deal.withdrawn is not None:
                yield Breach(
                    deal.withdrawn[0],
                    say.flop_taken_back_after_action(),
                    should=say.cards_bet_on_stay(),
                    remedy="not-followed",
                    wrong_event=deal.version,
                    other_events=((deal.version, say.cards_on_flop_note(deal.card_count)),),
                )
    if not has_occasion:
        yield NO_OCCASION


@hand_detector(events=(BoardDealt,), needs=Witness.BOARD | Witness.ACTS, signs=Symptom.OPEN_ROUND, deadline="mendable")
def premature(
    hand: Timeline, *, streets: list[str], remedy: RedealSteps, by_street: dict[str, RedealSteps] | None = None
) -> Iterator[Answer]:
    """A street was dealt before the betting was over; its cards may not be used."""
    for deal in hand.early_streets():
        if deal.street not in streets:
            continue
        steps = (by_street or {}).get(deal.street, remedy)
        remedy_fate, reason = judge_remedy(hand, deal, steps)
        should = say.betting_first_then(steps.describe(deal.street))
        if remedy_fate == "followed":
            should = say.betting_first_then_other_cards()
        yield Breach(
            deal.version,
            street_before_betting_over(deal.street, deal.first_to_act),
            seat=deal.first_to_act,
            should=should,
            remedy=remedy_fate,
            because=reason,
            severity=grade_remedy(remedy_fate),
            certainty="certain" if hand.is_witnessed(Witness.DEAL_ERRORS) else "likely",
            other_events=_build_withdrawal_notes(deal),
            wrong_event=deal.version if deal.is_oversize else 0,
        )


@hand_detector(
    events=(BoardDealt,), needs=Witness.DEAL_ERRORS | Witness.SHUFFLES, signs=Symptom.STREETS | Symptom.OPEN_ROUND
)
def wrong_reshuffle(
    hand: Timeline, *, after: list[str], withdrawn_in: bool = False, burns_out: bool = False, muck_out: bool = False
) -> Iterator[Answer]:
    """Before a new flop the wrong cards were shuffled in, or the withdrawn ones were left out."""
    redeals = _list_redeals(hand, after)
    if not any(redeal.replacement.shuffles for redeal in redeals):
        yield NO_OCCASION
    for deal, replacement in redeals:
        burns_shuffled_in = find_burns_shuffled_in(hand, replacement)
        for version, event in replacement.shuffles:
            dead_cards = find_burns_in_shuffle(hand, replacement, event) if burns_out else []
            if muck_out:
                dead_cards = dead_cards + find_discards_shuffled_in(hand, event)
            yield from _judge_shuffle(
                hand,
                version,
                event,
                deal,
                must_include_withdrawn=withdrawn_in,
                must_match_count=withdrawn_in and not burns_shuffled_in,
                must_exclude_dead=burns_out or muck_out,
                dead_cards=dead_cards,
            )


class _Redeal(NamedTuple):
    """A street that was withdrawn, and the street that replaced it."""

    deal: StreetDeal
    replacement: StreetDeal


def _list_redeals(hand: Timeline, error_kinds: list[str]) -> list[_Redeal]:
    """Return the streets that were withdrawn for one of these errors and dealt again."""
    early_versions = {deal.version for deal in hand.early_streets()}
    redeals = []
    for deal in hand.deals:
        kind = f"premature-{deal.street}" if deal.version in early_versions else ""
        if deal.is_oversize:
            kind = "oversize-flop"
        if deal.withdrawn is None or kind not in error_kinds:
            continue
        replacement = find_replacement(hand, deal)
        if replacement is not None:
            redeals.append(_Redeal(deal, replacement))
    return redeals


def _judge_shuffle(
    hand: Timeline,
    version: int,
    event: DeckShuffled,
    deal: StreetDeal,
    *,
    must_include_withdrawn: bool,
    must_match_count: bool,
    must_exclude_dead: bool,
    dead_cards: list[str],
) -> Iterator[Answer]:
    """Judge the shuffle after a street was withdrawn.

    `dead_cards` were shuffled in though the book keeps them out. The flags say whether the book wants the withdrawn
    cards in, the right number of cards, and burns or discards out.
    """
    left_out_cards = find_withdrawn_left_out(deal, event) if must_include_withdrawn else []
    expected_count = find_right_count(hand, version, event)
    if dead_cards:
        yield Breach(
            version,
            say.cards_shuffled_back(sorted(set(dead_cards))),
            should=say.dead_cards_stay_out(),
            remedy="not-followed",
            wrong_event=deal.version,
            other_events=((deal.version, say.street_note(deal.street)),),
        )
    if left_out_cards:
        is_stated = set(left_out_cards) <= set(split_cards(event.excludes))
        yield Breach(
            version,
            say.cards_not_shuffled_in(left_out_cards),
            should=say.cards_go_back_in(),
            remedy="not-followed",
            other_events=_build_withdrawal_notes(deal),
            certainty="certain" if is_stated else "likely",
            wrong_event=deal.version,
            because="" if is_stated else say.other_cards_named(),
        )
    if must_match_count and expected_count is not None and not left_out_cards and not dead_cards:
        yield Breach(
            version,
            say.wrong_shuffle_count(event.count),
            remedy="not-followed",
            wrong_event=deal.version,
            other_events=_build_withdrawal_notes(deal),
            should=say.stub_count(expected_count),
        )
    else:
        is_withdrawn_open = must_include_withdrawn and is_withdrawn_unaccounted(hand, deal, version, event)
        if is_withdrawn_open or (must_exclude_dead and are_dead_cards_unaccounted(hand, version, event)):
            yield CannotTell(UNKNOWN_SHUFFLED_CARDS)


@hand_detector(
    events=(BoardDealt,), needs=Witness.DEAL_ERRORS | Witness.BURNS, signs=Symptom.STREETS | Symptom.OPEN_ROUND
)
def wrong_redeal(
    hand: Timeline,
    *,
    after: list[str],
    burns: int,
    shuffle: bool | None = None,
    cut: bool = False,
    burns_out: bool = False,
    in_order: bool = False,
) -> Iterator[Answer]:
    """A street was redealt with the wrong burns, the wrong shuffle or cut, or from the wrong place in the deck."""
    redeals = _list_redeals(hand, after)
    if not redeals:
        yield NO_OCCASION
    steps = RedealSteps(burns=burns, shuffle=shuffle, cut=cut, in_order=in_order)
    for deal, replacement in redeals:
        if (shuffle is not None or cut) and not hand.is_witnessed(Witness.SHUFFLES):
            yield CannotTell("shuffles")
        wrong_steps = find_wrong_steps(hand, deal, replacement, steps)
        if burns_out and find_burns_shuffled_in(hand, replacement):
            wrong_steps.append(say.burn_shuffled_in())
        due_positions = find_due_positions(deal, replacement) if in_order and not replacement.shuffles else None
        if wrong_steps:
            should = steps.summary
            if due_positions and len(replacement.burns) == burns:
                should = say.cards_of_deck(format_positions(due_positions))
            yield Breach(
                replacement.version,
                say.wrong_before_new_street(replacement.street, wrong_steps),
                should=should,
                remedy="not-followed",
                wrong_event=deal.version,
                other_events=((deal.version, say.withdrawn_street_note(deal.street)),),
            )


@hand_detector(events=(BoardDealt,), needs=Witness.DEAL_ERRORS | Witness.SHUFFLES, signs=Symptom.OPEN_ROUND)
def wrong_river_shuffle(hand: Timeline, *, withdrawn_in: bool) -> Iterator[Answer]:
    """After an early turn the deck was not shuffled with that card, or with burns or discards."""
    early_turn = _find_early_turn(hand)
    if early_turn is None:
        yield NO_OCCASION
        return
    turn, river = early_turn
    if not river.shuffles:
        yield Breach(
            river.version,
            say.river_without_shuffle(),
            should=say.shuffle_with_card(),
            remedy="not-followed",
            wrong_event=turn.version,
            other_events=((turn.version, say.early_street_note("turn")),),
        )
    for version, event in river.shuffles:
        yield from _judge_shuffle(
            hand,
            version,
            event,
            turn,
            must_include_withdrawn=withdrawn_in,
            must_match_count=True,
            must_exclude_dead=True,
            dead_cards=find_burns_in_shuffle(hand, river, event) + find_discards_shuffled_in(hand, event),
        )


class _EarlyTurn(NamedTuple):
    """A turn that was withdrawn because it came too early, and the river of the hand."""

    turn: StreetDeal
    river: StreetDeal


def _find_early_turn(hand: Timeline) -> _EarlyTurn | None:
    """Return the turn that was withdrawn because it came too early, with the river; None = no such pair.

    It's also None if the deck was shuffled before the replacement turn, which `wrong_reshuffle` judges.
    """
    turn = next(
        (candidate for candidate in hand.early_streets() if candidate.street == "turn" and candidate.withdrawn), None
    )
    rivers = [candidate for candidate in hand.deals if candidate.street == "river"]
    river = next((candidate for candidate in rivers if candidate.withdrawn is None), next(iter(rivers), None))
    if turn is None or river is None:
        return None
    replacement = find_replacement(hand, turn)
    if replacement is not None and has_shuffle_between(hand, turn, replacement):
        return None
    return _EarlyTurn(turn, river)


@hand_detector(
    events=(BoardDealt,), needs=Witness.DEAL_ERRORS | Witness.SHUFFLES | Witness.BURNS, signs=Symptom.OPEN_ROUND
)
def wrong_river(hand: Timeline, *, burns: int, cut: bool = False) -> Iterator[Answer]:
    """After an early turn and the shuffle, the river came with a burn or without a cut."""
    early_turn = _find_early_turn(hand)
    if early_turn is None or not early_turn.river.shuffles:
        yield NO_OCCASION
        return
    turn, river = early_turn
    steps = RedealSteps(burns=burns, shuffle=True, cut=cut)
    wrong_steps = find_wrong_steps(hand, turn, river, steps)
    if wrong_steps:
        yield Breach(
            river.version,
            say.wrong_before_river(wrong_steps),
            remedy="not-followed",
            should=steps.after_shuffle,
            wrong_event=turn.version,
            other_events=((turn.version, say.early_street_note("turn")),),
        )


@hand_detector(events=(Agreed,), needs=Witness.BOARD | Witness.ACTS, signs=Symptom.OPEN_ROUND, deadline="mendable")
def kept_by_agreement(hand: Timeline) -> Iterator[Answer]:
    """Players chose to keep a card that had come too early, and it was kept."""
    agreement_versions = [version for version, event in hand.of(Agreed) if event.subject == "keep-cards"]
    early_deals = hand.early_streets()
    if not agreement_versions or not early_deals:
        yield NO_OCCASION
        return
    last_agreement_version = max(agreement_versions)
    for deal in early_deals:
        if deal.withdrawn is None and deal.version < last_agreement_version:
            yield Breach(
                deal.version,
                say.early_card_kept_by_agreement(deal.street),
                seat=deal.first_to_act,
                should=say.nobody_chooses(),
                remedy="not-followed",
                other_events=((last_agreement_version, say.agreement_note()),),
            )


@hand_detector(events=(BoardDealt,), needs=Witness.DEAL_ERRORS | Witness.ACTS, signs=Symptom.OPEN_ROUND)
def remedy_before_betting(hand: Timeline) -> Iterator[Answer]:
    """The deck was shuffled or the card replaced before the open betting round was over."""
    early_deals = hand.early_streets()
    if not early_deals:
        yield NO_OCCASION
    for deal in early_deals:
        hurried_step = find_hurried_remedy(hand, deal)
        if hurried_step:
            yield Breach(
                hurried_step.version,
                say.remedy_before_action(hurried_step.last_to_act),
                should=say.betting_finished_first(),
                remedy="not-followed",
                wrong_event=deal.version,
                other_events=((deal.version, say.early_street_note(deal.street)),),
            )
