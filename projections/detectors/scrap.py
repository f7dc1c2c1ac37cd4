"""Boxed cards and jokers: scrap, and what takes their place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from ledger.hand.betting import ChipsReturned, Folded, HandKilled
from ledger.hand.dealing import BoardDealt, BoxedCardFound, CardReplaced, HoleCardsDealt, JokerFound
from ledger.hand.ending import CardsShown, PotAwarded
from ledger.hand.opening import PostReturned
from ledger.hand.street_deals import StreetDeal
from ledger.vocabulary import JOKER, Cards, Witness, split_cards
from projections.detectors.shared.deal_counts import jokers
from projections.detectors.shared.deck_order import listed, top_now
from projections.findings.detector import SIGNS_ONLY, Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.timeline.chip_flows import refunded
from projections.timeline.hand_timeline import Timeline

_Scrap: TypeAlias = BoxedCardFound | JokerFound


@hand_detector(events=(BoxedCardFound,), needs=Witness.DEAL_ERRORS, deadline="mendable")
def boxed_card(hand: Timeline) -> Iterator[Answer]:
    """A boxed card was used, or a misdeal was declared for it alone."""
    for version, event in hand.of(BoxedCardFound):
        used_versions = [
            v
            for v, dealt in hand.since(version, HoleCardsDealt)
            if "?" not in event.card and event.card in split_cards(dealt.cards)
        ]
        used_versions += _lying(hand, event, event.card)
        yield from _used(hand, version, event, used_versions, "boxed-card", "boxed card")


@hand_detector(
    events=(JokerFound, BoardDealt, CardsShown),
    needs=Witness.DEAL_ERRORS,
    signs=Symptom.STREETS,
    occasion=SIGNS_ONLY,
    deadline="mendable",
)
def joker(hand: Timeline) -> Iterator[Answer]:
    """A joker was used where none belongs, or a misdeal was declared for it alone."""
    found_jokers = jokers(hand)
    if hand.option("joker-used") or not found_jokers:
        yield NO_OCCASION
        return
    for version, event in found_jokers:
        used_versions = _lying(hand, event, JOKER)
        yield from _used(hand, version, event, used_versions, "joker", "joker")


def _lying(hand: Timeline, event: _Scrap, card: Cards) -> list[int]:
    """Return where scrap came on the board that was never taken off it again."""
    return [
        deal.version
        for deal in hand.deals
        if event.seat is None
        and deal.withdrawn is None
        and card not in _withdrawn_cards(deal)
        and (card in split_cards(deal.event.cards) or (event.deck and event.deck in deal.places))
    ]


def _withdrawn_cards(deal: StreetDeal) -> list[str]:
    return [card for _, withdrawal in deal.taken for card in split_cards(withdrawal.cards) if "?" not in card]


def _used(
    hand: Timeline, version: int, event: _Scrap, used_versions: list[int], reason: str, name: str
) -> Iterator[Answer]:
    misdeals = hand.misdeals()
    for misdealt_at, misdeal in misdeals:
        if misdeal.reason == reason and len(hand.of(BoxedCardFound, JokerFound)) == 1:
            yield Breach(
                misdealt_at,
                f"a misdeal was declared for one {name}",
                should="the card is scrap and is replaced",
                remedy="not-followed",
                beside=((version, name),),
            )
            return
    if misdeals:
        return
    is_alive = (
        _in_hand(hand, version, event)
        and not hand.acted(event.seat, version)
        and not hand.since(version, CardReplaced, seat=event.seat)
    )
    if is_alive or used_versions:
        used_at = version if is_alive else min(used_versions)
        yield Breach(
            used_at,
            f"a {name} was used",
            seat=event.seat,
            should="the card is scrap and is replaced",
            remedy="not-followed",
            beside=() if is_alive else ((version, name),),
        )


def _in_hand(hand: Timeline, version: int, event: _Scrap) -> bool:
    """Whether the scrap lay in a dealt hand, rather than being due to a seat or to the board."""
    return event.seat is not None and hand.complete(version)


@hand_detector(events=(BoxedCardFound, JokerFound), needs=Witness.DEAL_ERRORS | Witness.DEAL_ORDER)
def wrong_replacement(hand: Timeline, *, when: Literal["dealing", "later"]) -> Iterator[Answer]:
    """Scrap was replaced by another card than the next one, or than the top one after the round."""
    judge = _scrap_in_hand if when == "later" else _next
    answers = [
        judge(hand, version, event)
        for version, event in hand.of(BoxedCardFound, JokerFound)
        if _in_hand(hand, version, event) == (when == "later")
    ]
    if all(answer is NO_OCCASION for answer in answers):
        yield NO_OCCASION
    yield from (answer for answer in answers if answer not in (None, NO_OCCASION))


def _scrap_in_hand(hand: Timeline, version: int, event: _Scrap) -> Answer | None:
    """Look at scrap in a dealt hand: the top card of the deck takes its place."""
    replaced = hand.nearest(version, CardReplaced, seat=event.seat)
    if replaced is None:
        return NO_OCCASION
    replaced_at, replacement = replaced
    top = top_now(hand, replaced_at)
    if replacement.source in ("deck", "unknown") and (not replacement.deck or top in (None, replacement.deck)):
        return None
    return Breach(
        replaced_at,
        "scrap was not replaced by the top card",
        seat=event.seat,
        remedy="not-followed",
        should=f"card {top} of the deck" if top else "the top card",
    )


def _next(hand: Timeline, version: int, event: _Scrap) -> Answer | None:
    """Look at scrap that came while cards were being dealt: the next card takes its place."""
    return _next_up(hand, version, event) if event.seat is None else _next_down(hand, version, event)


def _following(hand: Timeline, event: _Scrap) -> int:
    """Return the place of the card that lies below scrap in the deck, other scrap left out."""
    scrap, due = _scrap_at(hand), event.deck + 1
    while due in scrap:
        due += 1
    return due


def _next_up(hand: Timeline, version: int, event: _Scrap) -> Answer | None:
    """Look at scrap that came with the board: the next card is the burn or lies on the street."""
    with_it = [deal for deal in hand.deals if event.deck and event.deck in deal.event.deck]
    later_deals = [deal for deal in hand.deals if deal.version > version]
    if not with_it and not later_deals:
        return NO_OCCASION
    street = (with_it or later_deals)[0].street
    of_it = [deal for deal in hand.deals if deal.street == street]
    last = of_it[-1]
    if last.again and last.shuffled and not _other_error(hand, of_it[0]):
        return Breach(
            last.version,
            f"the {street} was dealt anew from a shuffled deck",
            remedy="not-followed",
            should="only the scrap replaced, by the next card",
            beside=((version, "scrap"),),
        )
    if last.withdrawn is not None or not last.places or 0 in last.places or not event.deck:
        return CannotTell("deal-order")
    if event.deck in last.places:
        return None  # the scrap itself was used: another clause's
    is_in_place, due = _in_its_place(hand, event, of_it)
    if is_in_place:
        return None
    breach_at = last.taken[-1][0] if last.taken else last.version
    return Breach(
        breach_at,
        f"{listed(last.places)} came after scrap at card {event.deck}",
        remedy="not-followed",
        should=f"card {due} in its place",
    )


def _in_its_place(hand: Timeline, event: _Scrap, street: list[StreetDeal]) -> tuple[bool, int]:
    """Whether the card below scrap took its place on a street, and which card that is."""
    last, dealt_places = street[-1], [place for deal in street for place in deal.event.deck]
    due = _following(hand, event)
    if event.deck in dealt_places:  # it lay there: the next card of the deck after all that had come with it
        run: list[int] = []
        place = min(dealt_places)
        while len(run) < len(last.places):
            if place not in _scrap_at(hand):
                run.append(place)
            place += 1
        return sorted(last.places) == run, run[-1]
    burned = [card.deck for deal in street for _, card in deal.burns]
    if max(last.places) < event.deck or due in (*last.places, *burned):
        return True, due
    return due < min(last.places) and 0 in burned, due  # it may well be the burn


def _other_error(hand: Timeline, deal: StreetDeal) -> bool:
    """Whether a street had to be dealt again for another reason than scrap."""
    return deal in hand.early() or deal.oversize or len(deal.burns) != 1


def _scrap_at(hand: Timeline) -> set[int]:
    return {scrap.deck for _, scrap in hand.of(BoxedCardFound, JokerFound)}


def _next_down(hand: Timeline, version: int, event: _Scrap) -> Answer | None:
    """Look at scrap that came in the deal of the hands: its seat gets the next card, or the top one later."""
    swapped = hand.nearest(version, CardReplaced, seat=event.seat)
    due = _following(hand, event)
    holes = hand.of(HoleCardsDealt)
    took = next(((v, hole) for v, hole in holes if due in hole.deck), None)
    misdeal = next((declared for declared in hand.misdeals() if declared[0] > version), None)
    if misdeal is not None and (took is None or misdeal[0] < took[0]):
        return NO_OCCASION
    if swapped is not None and (swapped[1].deck in (due, top_now(hand, swapped[0]))):
        return None
    own_deal = next((hole for _, hole in holes if hole.seat == event.seat and event.deck in hole.deck), None)
    if own_deal is not None and swapped is None:
        return None  # the scrap itself was used: another clause's
    if swapped is not None:
        given_at, card_given, seat = swapped[0], swapped[1].deck, event.seat
    elif took is not None:
        (given_at, hole), card_given = took, due
        seat = hole.seat
    else:
        late_deal = next(((v, hole) for v, hole in holes if v > version and hole.seat == event.seat), None)
        given_at, card_given, seat = (
            (late_deal[0], min(late_deal[1].deck, default=0), event.seat) if late_deal else (0, 0, None)
        )
    if not event.deck or not card_given:
        return CannotTell("deal-order")
    if (card_given, seat) == (due, event.seat):
        return None
    return Breach(
        given_at,
        f"card {card_given} went to seat {seat} after scrap at card {event.deck}",
        seat=event.seat,
        should=f"card {due} in its place",
        remedy="not-followed",
    )


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
    for version, event in jokers(hand) if not hand.option("joker-used") else ():
        seat = event.seat
        if seat is None or not hand.acted(seat, version):
            continue
        occasion = True
        refund = hand.nearest(version, ChipsReturned, PostReturned, PotAwarded, seat=seat)
        is_dead = hand.upto(version, Folded, HandKilled, seat=seat) or hand.killed(seat, version) is not None
        if refund is not None or not is_dead:
            message = f"seat {seat} got money" if refund else f"the hand of seat {seat} stayed live"
            yield Breach(
                refund[0] if refund else version,
                message,
                seat=seat,
                remedy="not-followed",
                should="a foul hand: it loses the pot and all money put in",
                money=refunded(hand, seat, version),
            )
    if not occasion:
        yield NO_OCCASION
