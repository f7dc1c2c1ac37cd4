"""Hole cards that the dealer exposed: when that is a misdeal, and which cards replace them.

Each public function is a detector; its docstring states the breach. A card's `deck` is its position in the deck, 1 =
the first card dealt, 0 = not recorded. `indexes` and `except_indexes` are such positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import msgspec

from ledger.hand.dealing import CardExposed, CardReplaced, CardReturned, DealCompleted, HoleCardsDealt
from ledger.text.language import translatable
from ledger.vocabulary import Witness, split_cards
from projections.detectors.shared.deck_order import find_shifted_flop, find_top_after_deal
from projections.findings.detector import hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell, Certainty
from projections.sentences import dealer_errors as say
from projections.timeline.hand_timeline import AFTER_ALL_EVENTS, Timeline


@hand_detector(events=(CardExposed,), needs=Witness.DEAL_ERRORS)
def misdeal_due(hand: Timeline, *, indexes: list[int]) -> Iterator[Answer]:
    """The dealer exposed one of the cards that make a misdeal, and the deal went on."""
    deals = _list_deals(hand)
    if not any(deal.exposures for deal in deals):
        yield _explain_no_exposure(hand)
    exposures = [exposure for deal in deals if not deal.misdeal_version for exposure in deal.exposures]
    misdeal_card = next((exposure for exposure in exposures if exposure.event.deck in indexes), None)
    if misdeal_card is not None:
        exposures = [misdeal_card]  # several such cards are one breach
    for version, event in exposures:
        if _may_be_among(hand, event, indexes):
            yield CannotTell("deal-order")
        elif event.deck in indexes:
            yield Breach(
                version,
                say.exposed_and_dealt_on(event.deck),
                seat=event.seat,
                should=say.misdeal_with_shuffle(),
                remedy="not-followed",
            )


class _Exposure(NamedTuple):
    """A hole card that the dealer exposed."""

    version: int
    event: CardExposed


class _DealtHand(NamedTuple):
    """One deal of a hand: the hole cards that the dealer exposed, and the misdeal that ended it."""

    exposures: list[_Exposure]
    misdeal_version: int = 0  # 0 = there was none, the deal was played
    misdeal_reason: str = ""

    def find_single(self, except_indexes: list[int] | None = None) -> _Exposure | None:
        """Return the only exposed card; None if there are several, or its deck position is one of `except_indexes`."""
        if len(self.exposures) != 1:
            return None
        (exposure,) = self.exposures
        return None if exposure.event.deck in (except_indexes or ()) else exposure

    @property
    def exposure_misdeal_version(self) -> int:
        """The version of a misdeal for an exposed card or without a reason; 0 = there was none."""
        return self.misdeal_version if self.misdeal_reason in ("exposed-card", "other") else 0


def _list_deals(hand: Timeline) -> list[_DealtHand]:
    """Return the deals of a hand: one for each misdeal, then the one that was played."""
    exposures = [
        _Exposure(version, event)
        for version, event in hand.events_before(hand.first_act or AFTER_ALL_EVENTS, CardExposed)
        if event.seat is not None and event.cause == "dealer"
    ]
    deals, start = [], 0
    for end, misdeal in [*hand.misdeals(), (AFTER_ALL_EVENTS, None)]:
        hole_cards = [event for version, event in hand.of(HoleCardsDealt) if start < version < end]
        own_exposures = [
            _Exposure(version, _add_deck_position(event, hole_cards))
            for version, event in exposures
            if start < version < end
        ]
        deals.append(_DealtHand(own_exposures, end, misdeal.reason) if misdeal else _DealtHand(own_exposures))
        start = end
    return deals


def _add_deck_position(exposed: CardExposed, hole_cards: list[HoleCardsDealt]) -> CardExposed:
    """Return the exposed card with its position in the deck, if the deal shows it."""
    for event in hole_cards:
        positions = dict(zip(split_cards(event.cards), event.deck, strict=False))
        if not exposed.deck and event.seat == exposed.seat and "?" not in exposed.card and exposed.card in positions:
            return msgspec.structs.replace(exposed, deck=positions[exposed.card])
    return exposed


def _explain_no_exposure(hand: Timeline) -> Answer:
    """Return the answer if no hole card is known to have been exposed by the dealer."""
    has_known_causes = all(event.cause != "unknown" for _, event in hand.of(CardExposed) if event.seat)
    return NO_OCCASION if has_known_causes else CannotTell(translatable("who exposed the card"))


def _may_be_among(hand: Timeline, event: CardExposed, indexes: list[int] | None) -> bool:
    """Whether an exposed card of unknown deck position may have one of these, given the seat it was dealt to."""
    if event.deck or not indexes:
        return False
    deal_order = hand.seats_after(hand.button) if hand.button is not None else []
    return not deal_order or event.seat in {deal_order[(index - 1) % len(deal_order)] for index in indexes}


@hand_detector(events=(CardExposed,), needs=Witness.DEAL_ERRORS)
def needless_misdeal(hand: Timeline, *, indexes: list[int]) -> Iterator[Answer]:
    """A misdeal was declared for one exposed card that does not make one."""
    misdealt_exposures = [
        (exposure, deal.exposure_misdeal_version)
        for deal in _list_deals(hand)
        if (exposure := deal.find_single()) and deal.exposure_misdeal_version
    ]
    if not misdealt_exposures:
        yield NO_OCCASION
    for (version, event), misdeal_version in misdealt_exposures:
        if _may_be_among(hand, event, indexes):
            yield CannotTell("deal-order")
        elif event.deck not in indexes:
            yield Breach(
                misdeal_version,
                say.misdeal_for_exposed_card(),
                seat=event.seat,
                should=say.deal_goes_on(),
                because=_describe_misdeal_assumption(hand, misdeal_version),
                certainty="likely" if _describe_misdeal_assumption(hand, misdeal_version) else "certain",
                other_events=((version, say.exposed_place_note(event.deck) if event.deck else say.exposed_note()),),
            )


def _describe_misdeal_assumption(hand: Timeline, misdeal_version: int) -> str:
    """Return that a misdeal is assumed to be for the exposed card; "" = the record gives that reason."""
    is_reason_recorded = any(
        version == misdeal_version and event.reason == "exposed-card" for version, event in hand.misdeals()
    )
    return "" if is_reason_recorded else say.misdeal_reason_assumed()


@hand_detector(events=(CardExposed,), needs=Witness.DEAL_ERRORS, deadline="mendable")
def kept(hand: Timeline, *, never_misdeal: bool = False, except_indexes: list[int] | None = None) -> Iterator[Answer]:
    """A player kept a card that the dealer had exposed, or a misdeal was declared though it should only be replaced."""
    has_occasion = False
    for deal in _list_deals(hand):
        exposure = deal.find_single(except_indexes)
        if exposure is None or (deal.misdeal_version and not (deal.exposure_misdeal_version and never_misdeal)):
            continue
        has_occasion = True
        version, event = exposure
        replacement_version, _ = hand.first_event_after(version, CardReplaced, seat=event.seat) or (None, None)
        if deal.misdeal_version:
            assumption = _describe_misdeal_assumption(hand, deal.misdeal_version)
            yield Breach(
                deal.misdeal_version,
                say.misdeal_for_exposed_card(),
                seat=event.seat,
                should=say.replaced_and_dealt_on(),
                because=assumption,
                certainty="likely" if assumption else "certain",
                other_events=((version, say.exposed_note()),),
            )
        elif replacement_version is None or hand.has_acted(event.seat, replacement_version):
            certainty, doubt = _grade_exposure(hand, event, except_indexes)
            yield Breach(
                version,
                say.kept_exposed_card(event.seat or 0),
                seat=event.seat,
                should=say.replaced_before_acting(event.seat or 0),
                because=doubt,
                certainty=certainty,
                remedy="not-followed",
                wrong_event=version,
            )
    if not has_occasion:
        yield _explain_no_exposure(hand)


def _grade_exposure(hand: Timeline, event: CardExposed, indexes: list[int] | None) -> tuple[Certainty, str]:
    """Return how certain it is that an exposed card has none of these positions, and the assumption ("" = none)."""
    if not _may_be_among(hand, event, indexes):
        return "certain", ""
    return "likely", say.not_among_first_cards()


@hand_detector(events=(CardExposed,), needs=Witness.DEAL_ERRORS)
def wrong_replacement(
    hand: Timeline, *, burn: bool, back: bool = False, except_indexes: list[int] | None = None
) -> Iterator[Answer]:
    """An exposed card was replaced too early or not from the top, or did not go where it belongs."""
    exposure = _list_deals(hand)[-1].find_single(except_indexes)
    if exposure is None:
        yield NO_OCCASION
        return
    numbered_replacement = hand.first_event_after(exposure.version, CardReplaced, seat=exposure.event.seat)
    if numbered_replacement is None:
        yield NO_OCCASION
        return
    replacement_version, replacement = numbered_replacement
    answers = _judge_replacement(hand, exposure, replacement_version, replacement)
    if back:
        answers = chain(answers, _judge_return(hand, exposure, replacement_version))
    if burn:
        answers = chain(answers, _judge_flop_burn(hand, exposure))
    certainty, doubt = _grade_exposure(hand, exposure.event, except_indexes)
    for answer in answers:
        yield replace(answer, certainty=certainty, because=doubt) if isinstance(answer, Breach) else answer


def _judge_replacement(
    hand: Timeline, exposure: _Exposure, replacement_version: int, replacement: CardReplaced
) -> Iterator[Answer]:
    """Yield a breach if the card was replaced too early, or not by the top card."""
    version, event = exposure
    top_position = find_top_after_deal(hand, replacement_version)
    is_known_other_position = replacement.deck and top_position not in (None, replacement.deck)
    if not hand.is_deal_complete(replacement_version) and (hand.of(DealCompleted) or not hand.first_act):
        yield Breach(
            replacement_version,
            say.replaced_too_early(event.seat or 0),
            seat=event.seat,
            should=say.top_card_after_deal(),
            remedy="not-followed",
            wrong_event=version,
        )
    elif replacement.source not in ("deck", "unknown") or is_known_other_position:
        yield Breach(
            replacement_version,
            say.not_replaced_by_top_card(event.seat or 0),
            seat=event.seat,
            should=say.card_of_deck(top_position) if top_position else say.top_card(),
            remedy="not-followed",
            wrong_event=version,
        )


def _judge_return(hand: Timeline, exposure: _Exposure, replacement_version: int) -> Iterator[Answer]:
    """Yield a breach if the exposed card went back into the deck, but not on top."""
    version, event = exposure
    for return_version, returned_card in hand.events_after(replacement_version, CardReturned, seat=event.seat):
        if returned_card.position in ("bottom", "within"):
            yield Breach(
                return_version,
                say.not_on_top(event.seat or 0),
                seat=event.seat,
                should=say.face_up_on_top(),
                remedy="not-followed",
                wrong_event=version,
            )


def _judge_flop_burn(hand: Timeline, exposure: _Exposure) -> Iterator[Answer]:
    """Yield a breach if the flop's only burn isn't the exposed card, or the flop isn't the next three cards."""
    version, event = exposure
    flop = next((deal for deal in hand.deals if deal.street == "flop"), None)
    if flop is None:
        return
    if not hand.is_witnessed(Witness.BURNS):
        yield CannotTell("burns")
        return
    references = ((version, say.exposed_note()),)
    matching_burns = [
        burn_version
        for burn_version, burn in flop.burns
        if burn.source == "exposed-card" or (burn.card == event.card and "?" not in event.card)
    ]
    other_burns = [burn_version for burn_version, _ in flop.burns if burn_version not in matching_burns[:1]]
    shifted_flop = find_shifted_flop(flop, find_top_after_deal(hand, flop.version))
    if other_burns:
        yield Breach(
            other_burns[0],
            say.other_burn_than_exposed(event.seat or 0),
            should=say.exposed_card_only_burn(),
            remedy="not-followed",
            wrong_event=version,
            other_events=references,
        )
    elif not matching_burns:
        yield Breach(
            flop.version,
            say.flop_without_exposed_burn(),
            remedy="not-followed",
            wrong_event=version,
            should=say.exposed_card_as_burn(),
            other_events=references,
        )
    elif shifted_flop is not None:
        yield Breach(
            flop.version,
            say.flop_shifted_by_swap(shifted_flop.shown_cards),
            remedy="not-followed",
            wrong_event=version,
            should=say.swap_leaves_flop(shifted_flop.due_cards),
            other_events=references,
        )


@hand_detector(events=(CardExposed,), needs=Witness.DEAL_ERRORS | Witness.BURNS)
def burn_is_another_card(hand: Timeline) -> Iterator[Answer]:
    """The first burn is not the exposed card that was replaced, or the flop after it is not the natural one."""
    exposure = _list_deals(hand)[-1].find_single()
    if exposure is None or not hand.events_after(exposure.version, CardReplaced, seat=exposure.event.seat):
        yield NO_OCCASION
        return
    yield from _judge_flop_burn(hand, exposure)


@hand_detector(events=(CardExposed,), needs=Witness.DEAL_ERRORS)
def too_many(hand: Timeline, *, count: int) -> Iterator[Answer]:
    """The dealer exposed this many cards in the deal, and the deal went on."""
    crowded_deals = [deal for deal in _list_deals(hand) if len(deal.exposures) >= count]
    if not crowded_deals:
        yield _explain_no_exposure(hand)
    for deal in crowded_deals:
        if deal.misdeal_version:
            continue
        first_version = deal.exposures[0].version
        yield Breach(
            deal.exposures[count - 1].version,
            say.several_exposed(len(deal.exposures)),
            should=say.misdeal(),
            remedy="not-followed",
            wrong_event=first_version,
            other_events=((first_version, say.first_of_them_note()),),
        )
