"""Scrap: boxed cards and jokers, and the cards that take their place.

Each public function is a detector; its docstring states the breach. A card's `deck` is its position in the deck, 0 =
not recorded.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from ledger.hand.betting import ChipsReturned, Folded, HandKilled
from ledger.hand.dealing import BoardDealt, BoxedCardFound, CardReplaced, HoleCardsDealt, JokerFound
from ledger.hand.ending import CardsShown, PotAwarded
from ledger.hand.opening import PostReturned
from ledger.hand.street_deals import StreetDeal
from ledger.vocabulary import JOKER, Cards, Seat, Witness, split_cards
from projections.detectors.shared.awards import compute_dead_hand_money
from projections.detectors.shared.deal_counts import find_jokers
from projections.detectors.shared.deck_order import find_current_top, format_positions
from projections.findings.detector import SIGNS_ONLY, Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.sentences import dealer_errors as say
from projections.timeline.chip_flows import build_refund_flow
from projections.timeline.hand_timeline import AFTER_ALL_EVENTS, Timeline

_ScrapEvent: TypeAlias = BoxedCardFound | JokerFound


@hand_detector(events=(BoxedCardFound,), needs=Witness.DEAL_ERRORS, deadline="mendable")
def boxed_card(hand: Timeline) -> Iterator[Answer]:
    """A boxed card was used, or a misdeal was declared for it alone."""
    for version, event in hand.of(BoxedCardFound):
        used_versions = [
            dealt_version
            for dealt_version, hole_cards in hand.events_after(version, HoleCardsDealt)
            if "?" not in event.card and event.card in split_cards(hole_cards.cards)
        ]
        used_versions += _find_board_uses(hand, event, event.card)
        yield from _judge_use(hand, version, event, used_versions, "boxed-card", "boxed card")


@hand_detector(
    events=(JokerFound, BoardDealt, CardsShown),
    needs=Witness.DEAL_ERRORS,
    signs=Symptom.STREETS,
    occasion=SIGNS_ONLY,
    deadline="mendable",
)
def joker(hand: Timeline) -> Iterator[Answer]:
    """A joker was used where none belongs, or a misdeal was declared for it alone."""
    found_jokers = find_jokers(hand)
    if hand.option("joker-used") or not found_jokers:
        yield NO_OCCASION
        return
    for version, event in found_jokers:
        used_versions = _find_board_uses(hand, event, JOKER)
        yield from _judge_use(hand, version, event, used_versions, "joker", "joker")


def _find_board_uses(hand: Timeline, event: _ScrapEvent, card: Cards) -> list[int]:
    """Return the versions of the streets that scrap came with, unless it was taken off the board again."""
    return [
        deal.version
        for deal in hand.deals
        if event.seat is None
        and deal.withdrawn is None
        and card not in _list_withdrawn_cards(deal)
        and (card in split_cards(deal.event.cards) or (event.deck and event.deck in deal.deck_positions))
    ]


def _list_withdrawn_cards(deal: StreetDeal) -> list[str]:
    """Return the known cards of a street that were taken back."""
    return [card for _, withdrawal in deal.withdrawals for card in split_cards(withdrawal.cards) if "?" not in card]


def _judge_use(
    hand: Timeline, version: int, event: _ScrapEvent, used_versions: list[int], reason: str, name: say.Scrap
) -> Iterator[Answer]:
    """Yield a breach if scrap was used, or a misdeal was declared for this one card.

    `reason` is that of a misdeal for this kind of scrap. `used_versions` lists the events that put it into play.
    """
    misdeals = hand.misdeals()
    for misdeal_version, misdeal in misdeals:
        if misdeal.reason == reason and len(hand.of(BoxedCardFound, JokerFound)) == 1:
            yield Breach(
                misdeal_version,
                say.misdeal_for_scrap(name),
                should=say.scrap_is_replaced(),
                remedy="not-followed",
                other_events=((version, say.scrap_name_note(name)),),
            )
            return
    if misdeals:
        return
    is_kept_in_hand = (
        _is_in_hand(hand, version, event)
        and not hand.has_acted(event.seat, version)
        and not hand.events_after(version, CardReplaced, seat=event.seat)
    )
    if is_kept_in_hand or used_versions:
        yield Breach(
            version if is_kept_in_hand else min(used_versions),
            say.scrap_used(name),
            seat=event.seat,
            should=say.scrap_is_replaced(),
            remedy="not-followed",
            other_events=() if is_kept_in_hand else ((version, say.scrap_name_note(name)),),
        )


def _is_in_hand(hand: Timeline, version: int, event: _ScrapEvent) -> bool:
    """Whether scrap was found in a complete hand, not while cards were being dealt."""
    return event.seat is not None and hand.is_deal_complete(version)


@hand_detector(events=(BoxedCardFound, JokerFound), needs=Witness.DEAL_ERRORS | Witness.DEAL_ORDER)
def wrong_replacement(hand: Timeline, *, when: Literal["dealing", "later"]) -> Iterator[Answer]:
    """Scrap was not replaced by the next card, or after the round by the top card."""
    judge = _judge_scrap_in_hand if when == "later" else _judge_scrap_in_deal
    answers = [
        judge(hand, version, event)
        for version, event in hand.of(BoxedCardFound, JokerFound)
        if _is_in_hand(hand, version, event) == (when == "later")
    ]
    if all(answer is NO_OCCASION for answer in answers):
        yield NO_OCCASION
    yield from (answer for answer in answers if answer not in (None, NO_OCCASION))


def _judge_scrap_in_hand(hand: Timeline, version: int, event: _ScrapEvent) -> Answer | None:
    """Judge the replacement of scrap in a complete hand: it must be the deck's top card; None = it is."""
    numbered_replacement = hand.first_event_after(version, CardReplaced, seat=event.seat)
    if numbered_replacement is None:
        return NO_OCCASION
    replacement_version, replacement = numbered_replacement
    top_position = find_current_top(hand, replacement_version)
    may_be_top_card = not replacement.deck or top_position in (None, replacement.deck)
    if replacement.source in ("deck", "unknown") and may_be_top_card:
        return None
    return Breach(
        replacement_version,
        say.scrap_not_replaced_by_top_card(),
        seat=event.seat,
        remedy="not-followed",
        should=say.card_of_deck(top_position) if top_position else say.top_card(),
    )


def _judge_scrap_in_deal(hand: Timeline, version: int, event: _ScrapEvent) -> Answer | None:
    """Judge the replacement of scrap that came while cards were being dealt: it must be the next card; None = it is."""
    return (
        _judge_scrap_on_board(hand, version, event)
        if event.seat is None
        else _judge_scrap_in_hole_cards(hand, version, event)
    )


def _judge_scrap_on_board(hand: Timeline, version: int, event: _ScrapEvent) -> Answer | None:
    """Judge scrap that came with the board: the next card must be the burn or a card of the street; None = it is."""
    street_deals = _list_street_deals(hand, version, event)
    if not street_deals:
        return NO_OCCASION
    last_deal = street_deals[-1]
    if last_deal.is_dealt_again and last_deal.shuffles and not _has_other_error(hand, street_deals[0]):
        return Breach(
            last_deal.version,
            say.redealt_for_scrap(last_deal.street),
            remedy="not-followed",
            should=say.only_scrap_replaced(),
            other_events=((version, say.scrap_note()),),
        )
    has_known_positions = event.deck and last_deal.deck_positions and 0 not in last_deal.deck_positions
    if last_deal.withdrawn is not None or not has_known_positions:
        return CannotTell("deal-order")
    if event.deck in last_deal.deck_positions:
        return None  # another clause reports that the scrap itself was used
    return _judge_street(hand, event, street_deals)


def _list_street_deals(hand: Timeline, version: int, event: _ScrapEvent) -> list[StreetDeal]:
    """Return the deals of the street that scrap came with, else of the next street after it."""
    scrap_deals = [deal for deal in hand.deals if event.deck and event.deck in deal.event.deck]
    deals = scrap_deals or [deal for deal in hand.deals if deal.version > version]
    return [deal for deal in hand.deals if deal.street == deals[0].street] if deals else []


def _judge_street(hand: Timeline, event: _ScrapEvent, street_deals: list[StreetDeal]) -> Breach | None:
    """Return a breach if the next card after scrap didn't take its place on a street."""
    last_deal = street_deals[-1]
    next_card = _check_next_card(hand, event, street_deals)
    if next_card.is_in_place:
        return None
    withdrawal_versions = [withdrawal_version for withdrawal_version, _ in last_deal.withdrawals]
    return Breach(
        withdrawal_versions[-1] if withdrawal_versions else last_deal.version,
        say.cards_after_scrap(format_positions(last_deal.deck_positions), event.deck),
        remedy="not-followed",
        should=say.card_in_its_place(next_card.position),
    )


class _NextCard(NamedTuple):
    """The card that must take the place of scrap on a street."""

    is_in_place: bool
    position: int  # in the deck


def _check_next_card(hand: Timeline, event: _ScrapEvent, street_deals: list[StreetDeal]) -> _NextCard:
    """Return the card that must take the place of scrap on a street, and whether it did."""
    last_deal = street_deals[-1]
    dealt_positions = [position for deal in street_deals for position in deal.event.deck]
    if event.deck in dealt_positions:  # scrap lay on the street: its cards are the next ones in the deck without scrap
        street_positions = _list_positions_without_scrap(hand, min(dealt_positions), len(last_deal.deck_positions))
        return _NextCard(sorted(last_deal.deck_positions) == street_positions, street_positions[-1])
    next_position = _find_next_position(hand, event)
    burned_positions = [burn.deck for deal in street_deals for _, burn in deal.burns]
    if max(last_deal.deck_positions) < event.deck or next_position in (*last_deal.deck_positions, *burned_positions):
        return _NextCard(is_in_place=True, position=next_position)
    may_be_burn = next_position < min(last_deal.deck_positions) and 0 in burned_positions
    return _NextCard(may_be_burn, next_position)


def _list_positions_without_scrap(hand: Timeline, first_position: int, count: int) -> list[int]:
    """Return the first `count` deck positions from a position on that don't hold scrap."""
    scrap_positions = _find_scrap_positions(hand)
    return list(
        itertools.islice(
            (position for position in itertools.count(first_position) if position not in scrap_positions), count
        )
    )


def _find_next_position(hand: Timeline, event: _ScrapEvent) -> int:
    """Return the deck position of the next card after scrap that isn't scrap itself."""
    scrap_positions, next_position = _find_scrap_positions(hand), event.deck + 1
    while next_position in scrap_positions:
        next_position += 1
    return next_position


def _has_other_error(hand: Timeline, deal: StreetDeal) -> bool:
    """Whether a street had to be dealt again for another reason than scrap."""
    return deal in hand.early_streets() or deal.is_oversize or len(deal.burns) != 1


def _find_scrap_positions(hand: Timeline) -> set[int]:
    """Return the deck positions of all scrap found in the hand."""
    return {scrap.deck for _, scrap in hand.of(BoxedCardFound, JokerFound)}


def _judge_scrap_in_hole_cards(hand: Timeline, version: int, event: _ScrapEvent) -> Answer | None:
    """Judge scrap that came as a hole card: its seat must get the next card, or the top card later; None = it did."""
    numbered_replacement = hand.first_event_after(version, CardReplaced, seat=event.seat)
    next_position = _find_next_position(hand, event)
    hole_cards = hand.of(HoleCardsDealt)
    if _is_misdealt_first(hand, version, next_position):
        return NO_OCCASION
    if numbered_replacement is not None:
        replacement_version, replacement = numbered_replacement
        if replacement.deck in (next_position, find_current_top(hand, replacement_version)):
            return None
        given_card = _GivenCard(replacement_version, replacement.deck, event.seat)
    elif any(dealt.seat == event.seat and event.deck in dealt.deck for _, dealt in hole_cards):
        return None  # another clause reports that the scrap itself was used
    else:
        given_card = _find_given_card(hole_cards, version, event, next_position)
    if not event.deck or not given_card.position or given_card.seat is None:
        return CannotTell("deal-order")
    if (given_card.position, given_card.seat) == (next_position, event.seat):
        return None
    return Breach(
        given_card.version,
        say.card_to_seat_after_scrap(given_card.position, given_card.seat, event.deck),
        seat=event.seat,
        should=say.card_in_its_place(next_position),
        remedy="not-followed",
    )


def _is_misdealt_first(hand: Timeline, version: int, next_position: int) -> bool:
    """Whether a misdeal was declared after scrap and before the next card was dealt."""
    misdeal_version = min((misdeal for misdeal, _ in hand.misdeals() if misdeal > version), default=None)
    dealt_versions = [dealt_version for dealt_version, dealt in hand.of(HoleCardsDealt) if next_position in dealt.deck]
    return misdeal_version is not None and misdeal_version < min(dealt_versions, default=AFTER_ALL_EVENTS)


class _GivenCard(NamedTuple):
    """The card that was dealt in place of scrap."""

    version: int = 0
    position: int = 0  # in the deck; 0 = not recorded
    seat: Seat | None = None  # that got it; None = unknown


def _find_given_card(
    hole_cards: list[tuple[int, HoleCardsDealt]], version: int, event: _ScrapEvent, next_position: int
) -> _GivenCard:
    """Return the next card after scrap and its seat; if it isn't recorded, the card that the scrap's seat got later."""
    for dealt_version, dealt in hole_cards:
        if next_position in dealt.deck:
            return _GivenCard(dealt_version, next_position, dealt.seat)
    for dealt_version, dealt in hole_cards:
        if dealt_version > version and dealt.seat == event.seat:
            return _GivenCard(dealt_version, min(dealt.deck, default=0), event.seat)
    return _GivenCard()


@hand_detector(
    events=(JokerFound, CardsShown),
    needs=Witness.DEAL_ERRORS | Witness.ACTS,
    signs=Symptom.STREETS,
    occasion=SIGNS_ONLY,
    deadline="mendable",
)
def joker_acted_on(hand: Timeline) -> Iterator[Answer]:
    """A player who had acted with a joker among the hole cards kept a live hand, or got money."""
    has_occasion = False
    stray_jokers = [] if hand.option("joker-used") else find_jokers(hand)
    for version, event in stray_jokers:
        seat = event.seat
        if seat is None or not hand.has_acted(seat, version):
            continue
        has_occasion = True
        payment = hand.first_event_after(version, ChipsReturned, PostReturned, PotAwarded, seat=seat)
        money_version = 0 if payment is None else payment[0]
        is_dead = (
            hand.events_before(version, Folded, HandKilled, seat=seat) or hand.find_kill(seat, version) is not None
        )
        if money_version or not is_dead:
            yield Breach(
                money_version or version,
                say.joker_hand_got_money(seat) if money_version else say.joker_hand_stayed_live(seat),
                seat=seat,
                remedy="not-followed",
                should=say.foul_hand(),
                money=build_refund_flow(hand, seat, version) or compute_dead_hand_money(hand, seat),
            )
    if not has_occasion:
        yield NO_OCCASION
