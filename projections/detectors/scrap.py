"""Boxed cards and jokers: scrap, and what takes their place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from ledger.hand.betting import ChipsReturned, Folded, HandKilled
from ledger.hand.dealing import BoardDealt, BoxedCardFound, CardReplaced, HoleCardsDealt, JokerFound
from ledger.hand.ending import CardsShown, PotAwarded
from ledger.hand.opening import PostReturned
from ledger.hand.street_deals import StreetDeal
from ledger.vocabulary import JOKER, Cards, Seat, Witness, split_cards
from projections.detectors.shared.awards import compute_dead_hand_money
from projections.detectors.shared.deal_counts import find_jokers
from projections.detectors.shared.deck_order import find_current_top, format_places
from projections.findings.detector import SIGNS_ONLY, Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.sentences import dealer_errors as say
from projections.timeline.chip_flows import refunded
from projections.timeline.hand_timeline import Timeline

_ScrapEvent: TypeAlias = BoxedCardFound | JokerFound


@hand_detector(events=(BoxedCardFound,), needs=Witness.DEAL_ERRORS, deadline="mendable")
def boxed_card(hand: Timeline) -> Iterator[Answer]:
    """A boxed card was used, or a misdeal was declared for it alone."""
    for version, event in hand.of(BoxedCardFound):
        used_versions = [
            v
            for v, dealt in hand.events_after(version, HoleCardsDealt)
            if "?" not in event.card and event.card in split_cards(dealt.cards)
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
    """Return where scrap came on the board that was never taken off it again."""
    return [
        deal.version
        for deal in hand.deals
        if event.seat is None
        and deal.withdrawn is None
        and card not in _list_withdrawn_cards(deal)
        and (card in split_cards(deal.event.cards) or (event.deck and event.deck in deal.deck_positions))
    ]


def _list_withdrawn_cards(deal: StreetDeal) -> list[str]:
    return [card for _, withdrawal in deal.withdrawals for card in split_cards(withdrawal.cards) if "?" not in card]


def _judge_use(
    hand: Timeline, version: int, event: _ScrapEvent, used_versions: list[int], reason: str, name: say.Scrap
) -> Iterator[Answer]:
    misdeals = hand.misdeals()
    for misdealt_at, misdeal in misdeals:
        if misdeal.reason == reason and len(hand.of(BoxedCardFound, JokerFound)) == 1:
            yield Breach(
                misdealt_at,
                say.misdeal_for_scrap(name),
                should=say.scrap_is_replaced(),
                remedy="not-followed",
                other_events=((version, name),),
            )
            return
    if misdeals:
        return
    is_alive = (
        _is_in_hand(hand, version, event)
        and not hand.has_acted(event.seat, version)
        and not hand.events_after(version, CardReplaced, seat=event.seat)
    )
    if is_alive or used_versions:
        used_at = version if is_alive else min(used_versions)
        yield Breach(
            used_at,
            say.scrap_used(name),
            seat=event.seat,
            should=say.scrap_is_replaced(),
            remedy="not-followed",
            other_events=() if is_alive else ((version, name),),
        )


def _is_in_hand(hand: Timeline, version: int, event: _ScrapEvent) -> bool:
    """Whether the scrap lay in a dealt hand, rather than being due to a seat or to the board."""
    return event.seat is not None and hand.is_deal_complete(version)


@hand_detector(events=(BoxedCardFound, JokerFound), needs=Witness.DEAL_ERRORS | Witness.DEAL_ORDER)
def wrong_replacement(hand: Timeline, *, when: Literal["dealing", "later"]) -> Iterator[Answer]:
    """Scrap was replaced by another card than the next one, or than the top one after the round."""
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
    """Look at scrap in a dealt hand: the top card of the deck takes its place."""
    replaced = hand.first_event_after(version, CardReplaced, seat=event.seat)
    if replaced is None:
        return NO_OCCASION
    replaced_at, replacement = replaced
    top = find_current_top(hand, replaced_at)
    if replacement.source in ("deck", "unknown") and (not replacement.deck or top in (None, replacement.deck)):
        return None
    return Breach(
        replaced_at,
        say.scrap_not_replaced_by_top_card(),
        seat=event.seat,
        remedy="not-followed",
        should=say.card_of_deck(top) if top else say.top_card(),
    )


def _judge_scrap_in_deal(hand: Timeline, version: int, event: _ScrapEvent) -> Answer | None:
    """Look at scrap that came while cards were being dealt: the next card takes its place."""
    return (
        _judge_scrap_on_board(hand, version, event)
        if event.seat is None
        else _judge_scrap_in_hole_cards(hand, version, event)
    )


def _judge_scrap_on_board(hand: Timeline, version: int, event: _ScrapEvent) -> Answer | None:
    """Look at scrap that came with the board: the next card is the burn or lies on the street."""
    street_deals = _list_street_deals(hand, version, event)
    if not street_deals:
        return NO_OCCASION
    last = street_deals[-1]
    if last.is_dealt_again and last.shuffles and not _has_other_error(hand, street_deals[0]):
        return Breach(
            last.version,
            say.redealt_for_scrap(last.street),
            remedy="not-followed",
            should=say.only_scrap_replaced(),
            other_events=((version, say.scrap_note()),),
        )
    places_known = event.deck and last.deck_positions and 0 not in last.deck_positions
    if last.withdrawn is not None or not places_known:
        return CannotTell("deal-order")
    return (
        None if event.deck in last.deck_positions else _judge_street(hand, event, street_deals)
    )  # used: another clause's


def _list_street_deals(hand: Timeline, version: int, event: _ScrapEvent) -> list[StreetDeal]:
    """Return the deals of the street that scrap came with, or before."""
    scrap_deals = [deal for deal in hand.deals if event.deck and event.deck in deal.event.deck]
    deals = scrap_deals or [deal for deal in hand.deals if deal.version > version]
    return [deal for deal in hand.deals if deal.street == deals[0].street] if deals else []


def _judge_street(hand: Timeline, event: _ScrapEvent, street: list[StreetDeal]) -> Breach | None:
    """Look whether the card below scrap took its place on a street."""
    last = street[-1]
    is_in_place, due = _check_next_card(hand, event, street)
    if is_in_place:
        return None
    return Breach(
        last.withdrawals[-1][0] if last.withdrawals else last.version,
        say.cards_after_scrap(format_places(last.deck_positions), event.deck),
        remedy="not-followed",
        should=say.card_in_its_place(due),
    )


def _check_next_card(hand: Timeline, event: _ScrapEvent, street: list[StreetDeal]) -> tuple[bool, int]:
    """Whether the card below scrap took its place on a street, and which card that is."""
    last, dealt_places = street[-1], [place for deal in street for place in deal.event.deck]
    due = _find_next_place(hand, event)
    if event.deck in dealt_places:  # it lay there: the next card of the deck after all that had come with it
        run: list[int] = []
        place = min(dealt_places)
        while len(run) < len(last.deck_positions):
            if place not in _find_scrap_places(hand):
                run.append(place)
            place += 1
        return sorted(last.deck_positions) == run, run[-1]
    burned = [card.deck for deal in street for _, card in deal.burns]
    if max(last.deck_positions) < event.deck or due in (*last.deck_positions, *burned):
        return True, due
    return due < min(last.deck_positions) and 0 in burned, due  # it may well be the burn


def _find_next_place(hand: Timeline, event: _ScrapEvent) -> int:
    """Return the place of the card that lies below scrap in the deck, other scrap left out."""
    scrap, due = _find_scrap_places(hand), event.deck + 1
    while due in scrap:
        due += 1
    return due


def _has_other_error(hand: Timeline, deal: StreetDeal) -> bool:
    """Whether a street had to be dealt again for another reason than scrap."""
    return deal in hand.early_streets() or deal.is_oversize or len(deal.burns) != 1


def _find_scrap_places(hand: Timeline) -> set[int]:
    return {scrap.deck for _, scrap in hand.of(BoxedCardFound, JokerFound)}


def _judge_scrap_in_hole_cards(hand: Timeline, version: int, event: _ScrapEvent) -> Answer | None:
    """Look at scrap that came in the deal of the hands: its seat gets the next card, or the top one later."""
    swapped = hand.first_event_after(version, CardReplaced, seat=event.seat)
    due = _find_next_place(hand, event)
    holes = hand.of(HoleCardsDealt)
    if _is_misdealt_first(hand, version, due):
        return NO_OCCASION
    if swapped is not None:
        deal_version, card_given, seat = swapped[0], swapped[1].deck, event.seat
        if card_given in (due, find_current_top(hand, deal_version)):
            return None
    elif any(hole.seat == event.seat and event.deck in hole.deck for _, hole in holes):
        return None  # the scrap itself was used: another clause's
    else:
        deal_version, card_given, seat = _find_given_card(holes, version, event, due)
    if not event.deck or not card_given or seat is None:
        return CannotTell("deal-order")
    if (card_given, seat) == (due, event.seat):
        return None
    return Breach(
        deal_version,
        say.card_to_seat_after_scrap(card_given, seat, event.deck),
        seat=event.seat,
        should=say.card_in_its_place(due),
        remedy="not-followed",
    )


def _is_misdealt_first(hand: Timeline, version: int, due: int) -> bool:
    """Whether a misdeal was declared after scrap and before the card below it was dealt."""
    misdealt_at = min((misdealt_at for misdealt_at, _ in hand.misdeals() if misdealt_at > version), default=None)
    dealt_at = min((dealt_at for dealt_at, hole in hand.of(HoleCardsDealt) if due in hole.deck), default=None)
    return misdealt_at is not None and (dealt_at is None or misdealt_at < dealt_at)


def _find_given_card(
    holes: list[tuple[int, HoleCardsDealt]], version: int, event: _ScrapEvent, due: int
) -> tuple[int, int, Seat | None]:
    """Return where the next card went, which card that is, and to whom; without it, what the seat got later."""
    for dealt_at, hole in holes:
        if due in hole.deck:
            return dealt_at, due, hole.seat
    for dealt_at, hole in holes:
        if dealt_at > version and hole.seat == event.seat:
            return dealt_at, min(hole.deck, default=0), event.seat
    return 0, 0, None


@hand_detector(
    events=(JokerFound, CardsShown),
    needs=Witness.DEAL_ERRORS | Witness.ACTS,
    signs=Symptom.STREETS,
    occasion=SIGNS_ONLY,
    deadline="mendable",
)
def joker_acted_on(hand: Timeline) -> Iterator[Answer]:
    """Who had acted with a joker among the hole cards kept a live hand, or got money."""
    occasion = False
    for version, event in find_jokers(hand) if not hand.option("joker-used") else ():
        seat = event.seat
        if seat is None or not hand.has_acted(seat, version):
            continue
        occasion = True
        refund = hand.first_event_after(version, ChipsReturned, PostReturned, PotAwarded, seat=seat)
        is_dead = (
            hand.events_before(version, Folded, HandKilled, seat=seat) or hand.find_kill(seat, version) is not None
        )
        if refund is not None or not is_dead:
            message = say.joker_hand_got_money(seat) if refund else say.joker_hand_stayed_live(seat)
            yield Breach(
                refund[0] if refund else version,
                message,
                seat=seat,
                remedy="not-followed",
                should=say.foul_hand(),
                money=refunded(hand, seat, version) or compute_dead_hand_money(hand, seat),
            )
    if not occasion:
        yield NO_OCCASION
