"""Hole cards that the dealer exposed: when it is a misdeal, and what replaces them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import msgspec

from ledger.hand.dealing import CardExposed, CardReplaced, CardReturned, DealCompleted, HoleCardsDealt
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
    if not any(deal.exposed for deal in deals):
        yield _explain_no_exposure(hand)
    exposures = [exposure for deal in deals if not deal.misdeal for exposure in deal.exposed]
    due = next(((version, event) for version, event in exposures if event.deck in indexes), None)
    for version, event in exposures if due is None else [due]:  # one misdeal is due, however many lay there
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


class _DealtHand(NamedTuple):
    """One deal of a hand: the hole cards that the dealer exposed in it, and the misdeal that ended it."""

    exposed: list[tuple[int, CardExposed]]
    misdeal: int = 0  # 0 = it was played
    reason: str = ""

    def single(self, barred: list[int] | None = None) -> tuple[int, CardExposed] | None:
        """Return the only card that the dealer exposed, unless the book has another remedy for it."""
        exposure = self.exposed[0] if len(self.exposed) == 1 else None
        return exposure if exposure is not None and exposure[1].deck not in (barred or ()) else None

    @property
    def for_it(self) -> int:
        """Where a misdeal was declared for an exposed card, or without a reason; 0 = none was."""
        return self.misdeal if self.reason in ("exposed-card", "other") else 0


def _list_deals(hand: Timeline) -> list[_DealtHand]:
    """Return the deals of a hand: one for each misdeal, and the one that was played."""
    exposed = [
        (version, event)
        for version, event in hand.events_before(hand.first_act or AFTER_ALL_EVENTS, CardExposed)
        if event.seat is not None and event.cause == "dealer"
    ]
    deals, start = [], 0
    for end, misdeal in [*hand.misdeals(), (AFTER_ALL_EVENTS, None)]:
        dealt = [event for version, event in hand.of(HoleCardsDealt) if start < version < end]
        own_exposures = [
            (version, _add_deck_place(event, dealt)) for version, event in exposed if start < version < end
        ]
        deals.append(_DealtHand(own_exposures, end, misdeal.reason) if misdeal else _DealtHand(own_exposures))
        start = end
    return deals


def _add_deck_place(exposed: CardExposed, dealt: list[HoleCardsDealt]) -> CardExposed:
    """Return the card with its place in the deck, where the deal tells it."""
    for event in dealt:
        places = dict(zip(split_cards(event.cards), event.deck, strict=False))
        if not exposed.deck and event.seat == exposed.seat and "?" not in exposed.card and exposed.card in places:
            return msgspec.structs.replace(exposed, deck=places[exposed.card])
    return exposed


def _explain_no_exposure(hand: Timeline) -> Answer:
    """Return what to answer where the dealer is not known to have exposed a hole card."""
    causes_known = all(event.cause != "unknown" for _, event in hand.of(CardExposed) if event.seat)
    return NO_OCCASION if causes_known else CannotTell("who exposed the card")


def _may_be_among(hand: Timeline, event: CardExposed, indexes: list[int] | None) -> bool:
    """Whether an exposed card whose place in the deck is not told may be one of these: by its seat."""
    if event.deck or not indexes:
        return False
    order = hand.seats_after(hand.button) if hand.button is not None else []
    return not order or event.seat in {order[(index - 1) % len(order)] for index in indexes}


@hand_detector(events=(CardExposed,), needs=Witness.DEAL_ERRORS)
def needless_misdeal(hand: Timeline, *, indexes: list[int]) -> Iterator[Answer]:
    """A misdeal was declared for one exposed card that does not make one."""
    misdealt = [(exposure, deal.for_it) for deal in _list_deals(hand) if (exposure := deal.single()) and deal.for_it]
    if not misdealt:
        yield NO_OCCASION
    for (version, event), misdeal in misdealt:
        if _may_be_among(hand, event, indexes):
            yield CannotTell("deal-order")
        elif event.deck not in indexes:
            yield Breach(
                misdeal,
                say.misdeal_for_exposed_card(),
                seat=event.seat,
                should=say.deal_goes_on(),
                because=_describe_misdeal_assumption(hand, misdeal),
                certainty="likely" if _describe_misdeal_assumption(hand, misdeal) else "certain",
                other_events=((version, say.exposed_place_note(event.deck) if event.deck else say.exposed_note()),),
            )


def _describe_misdeal_assumption(hand: Timeline, misdeal: int) -> str:
    """Say what is assumed of a misdeal for which no reason is told; "" = the exposed card is told as its reason."""
    reason_stated = any(version == misdeal and event.reason == "exposed-card" for version, event in hand.misdeals())
    return "" if reason_stated else say.misdeal_reason_assumed()


@hand_detector(events=(CardExposed,), needs=Witness.DEAL_ERRORS, deadline="mendable")
def kept(hand: Timeline, *, never_misdeal: bool = False, except_indexes: list[int] | None = None) -> Iterator[Answer]:
    """A player kept a card that the dealer had exposed, or a misdeal was declared where it is only replaced."""
    occasion = False
    for deal in _list_deals(hand):
        exposure = deal.single(except_indexes)
        if exposure is None or (deal.misdeal and not (deal.for_it and never_misdeal)):
            continue
        occasion = True
        version, event = exposure
        replaced = hand.first_event_after(version, CardReplaced, seat=event.seat)
        if deal.misdeal:
            yield Breach(
                deal.misdeal,
                say.misdeal_for_exposed_card(),
                seat=event.seat,
                should=say.replaced_and_dealt_on(),
                because=_describe_misdeal_assumption(hand, deal.misdeal),
                certainty="likely" if _describe_misdeal_assumption(hand, deal.misdeal) else "certain",
                other_events=((version, say.exposed_note()),),
            )
        elif replaced is None or hand.has_acted(event.seat, replaced[0]):
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
    if not occasion:
        yield _explain_no_exposure(hand)


def _grade_exposure(hand: Timeline, event: CardExposed, indexes: list[int] | None) -> tuple[Certainty, str]:
    """Return how certain it is that an exposed card makes no misdeal, and what is assumed."""
    if not _may_be_among(hand, event, indexes):
        return "certain", ""
    return "likely", say.not_among_first_cards()


@hand_detector(events=(CardExposed,), needs=Witness.DEAL_ERRORS)
def wrong_replacement(
    hand: Timeline, *, burn: bool, back: bool = False, except_indexes: list[int] | None = None
) -> Iterator[Answer]:
    """An exposed card was replaced too early or not from the top, or did not go where it belongs."""
    exposure = _list_deals(hand)[-1].single(except_indexes)
    replaced = (
        hand.first_event_after(exposure[0], CardReplaced, seat=exposure[1].seat) if exposure is not None else None
    )
    if exposure is None or replaced is None:
        yield NO_OCCASION
        return
    (version, event), (replaced_at, replacement) = exposure, replaced
    answers = _judge_replacement(hand, version, event, replaced_at, replacement)
    if back:
        answers = chain(answers, _judge_return(hand, version, replaced_at, event))
    if burn:
        answers = chain(answers, _judge_flop_burn(hand, version, event))
    certainty, doubt = _grade_exposure(hand, event, except_indexes)
    for answer in answers:
        yield replace(answer, certainty=certainty, because=doubt) if isinstance(answer, Breach) else answer


def _judge_replacement(
    hand: Timeline, version: int, event: CardExposed, replaced_at: int, replacement: CardReplaced
) -> Iterator[Answer]:
    """Yield where the card was replaced too early, or by another card than the top one."""
    top = find_top_after_deal(hand, replaced_at)
    if not hand.is_deal_complete(replaced_at) and (hand.of(DealCompleted) or not hand.first_act):
        yield Breach(
            replaced_at,
            say.replaced_too_early(event.seat or 0),
            seat=event.seat,
            should=say.top_card_after_deal(),
            remedy="not-followed",
            wrong_event=version,
        )
    elif replacement.source not in ("deck", "unknown") or (replacement.deck and top not in (None, replacement.deck)):
        yield Breach(
            replaced_at,
            say.not_replaced_by_top_card(event.seat or 0),
            seat=event.seat,
            should=say.card_of_deck(top) if top else say.top_card(),
            remedy="not-followed",
            wrong_event=version,
        )


def _judge_return(hand: Timeline, version: int, replaced: int, event: CardExposed) -> Iterator[Answer]:
    """Yield where the exposed card went elsewhere than on top of the deck."""
    for returned_at, returned in hand.events_after(replaced, CardReturned, seat=event.seat):
        if returned.position in ("bottom", "within"):
            yield Breach(
                returned_at,
                say.not_on_top(event.seat or 0),
                seat=event.seat,
                should=say.face_up_on_top(),
                remedy="not-followed",
                wrong_event=version,
            )


def _judge_flop_burn(hand: Timeline, version: int, event: CardExposed) -> Iterator[Answer]:
    """Yield where the flop's burn is another card than the exposed one, or the flop is another than by nature."""
    flop = next((deal for deal in hand.deals if deal.street == "flop"), None)
    if flop is None:
        return
    if not hand.is_witnessed(Witness.BURNS):
        yield CannotTell("burns")
        return
    references = ((version, say.exposed_note()),)
    matching_burns = [
        burned_at
        for burned_at, card in flop.burns
        if card.source == "exposed-card" or (card.card == event.card and "?" not in event.card)
    ]
    other_burns = [burned_at for burned_at, _ in flop.burns if burned_at not in matching_burns[:1]]
    shifted = find_shifted_flop(flop, find_top_after_deal(hand, flop.version))
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
    elif shifted is not None:
        yield Breach(
            flop.version,
            say.flop_shifted_by_swap(shifted[0]),
            remedy="not-followed",
            wrong_event=version,
            should=say.swap_leaves_flop(shifted[1]),
            other_events=references,
        )


@hand_detector(events=(CardExposed,), needs=Witness.DEAL_ERRORS | Witness.BURNS)
def burn_is_another_card(hand: Timeline) -> Iterator[Answer]:
    """The first burn is not the exposed card that was replaced, or the flop after it is not the natural one."""
    exposure = _list_deals(hand)[-1].single()
    if exposure is None or not hand.events_after(exposure[0], CardReplaced, seat=exposure[1].seat):
        yield NO_OCCASION
        return
    yield from _judge_flop_burn(hand, *exposure)


@hand_detector(events=(CardExposed,), needs=Witness.DEAL_ERRORS)
def too_many(hand: Timeline, *, count: int) -> Iterator[Answer]:
    """The dealer exposed this many cards in the deal, and the deal went on."""
    crowded_deals = [deal for deal in _list_deals(hand) if len(deal.exposed) >= count]
    if not crowded_deals:
        yield _explain_no_exposure(hand)
    for exposed in [deal.exposed for deal in crowded_deals if not deal.misdeal]:
        yield Breach(
            exposed[count - 1][0],
            say.several_exposed(len(exposed)),
            should=say.misdeal(),
            remedy="not-followed",
            wrong_event=exposed[0][0],
            other_events=((exposed[0][0], say.first_of_them_note()),),
        )
