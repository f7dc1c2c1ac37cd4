"""Boxed cards and jokers: scrap, and what takes their place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from ledger.hand.betting import ChipsReturned, HandKilled
from ledger.hand.dealing import (
    BoardDealt,
    BoxedCardFound,
    CardReplaced,
    HoleCardsDealt,
    JokerFound,
    MisdealDeclared,
)
from ledger.hand.ending import PotAwarded
from ledger.hand.opening import PostReturned
from ledger.vocabulary import Witness, split_cards
from projections.course import Course
from projections.deckorder import listed, top_card
from projections.detector import detects
from projections.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.money import refunded

_Scrap: TypeAlias = BoxedCardFound | JokerFound


@detects(on=(BoxedCardFound,), needs=Witness.DEAL_ERRORS)
def boxed_card(hand: Course) -> Iterator[Answer]:
    """A boxed card was used, or a misdeal was declared for it alone."""
    for version, event in hand.of(BoxedCardFound):
        used = [
            v for v, dealt in hand.since(version, HoleCardsDealt, BoardDealt)
            if "?" not in event.card and event.card in split_cards(dealt.cards)
        ]  # fmt: skip
        yield from _used(hand, version, event, used, "boxed-card", "boxed card")


@detects(on=(JokerFound,), needs=Witness.DEAL_ERRORS)
def joker(hand: Course) -> Iterator[Answer]:
    """A joker was used where none belongs, or a misdeal was declared for it alone."""
    if hand.option("joker-used"):
        yield NO_OCCASION
        return
    for version, event in hand.of(JokerFound):
        used = [v for v, dealt in hand.since(version, BoardDealt) if "Jk" in dealt.cards]
        yield from _used(hand, version, event, used, "joker", "joker")


def _used(
    hand: Course, version: int, event: _Scrap, used: list[int], reason: str, name: str
) -> Iterator[Answer]:
    misdeals = hand.of(MisdealDeclared)
    for when, misdeal in misdeals:
        if misdeal.reason == reason and len(hand.of(BoxedCardFound, JokerFound)) == 1:
            yield Breach(when, f"a misdeal was declared for one {name}", should="the card is scrap and is replaced",
                         remedy="not-followed", beside=((version, name),))  # fmt: skip
            return
    if misdeals:
        return
    left = (
        _in_hand(hand, version, event)
        and not hand.acted(event.seat, version)
        and not hand.since(version, CardReplaced, seat=event.seat)
    )
    if left or used:
        at = version if left else min(used)
        yield Breach(at, f"a {name} was used", seat=event.seat, should="the card is scrap and is replaced",
                     remedy="not-followed", beside=() if left else ((version, name),))  # fmt: skip


def _in_hand(hand: Course, version: int, event: _Scrap) -> bool:
    """Whether the scrap lay in a dealt hand, rather than being due to a seat or to the board."""
    return event.seat is not None and hand.complete(version)


@detects(on=(BoxedCardFound, JokerFound), needs=Witness.DEAL_ERRORS | Witness.DEAL_ORDER)
def wrong_replacement(hand: Course, *, when: Literal["dealing", "later"]) -> Iterator[Answer]:
    """Scrap was replaced by another card than the next one, or than the top one after the round."""
    judge = _late if when == "later" else _next
    answers = [
        judge(hand, version, event) for version, event in hand.of(BoxedCardFound, JokerFound)
        if _in_hand(hand, version, event) == (when == "later")
    ]  # fmt: skip
    if all(answer is NO_OCCASION for answer in answers):
        yield NO_OCCASION
    yield from (answer for answer in answers if answer not in (None, NO_OCCASION))


def _late(hand: Course, version: int, event: _Scrap) -> Answer | None:
    """Look at scrap in a dealt hand: the top card of the deck takes its place."""
    replaced = hand.nearest(version, CardReplaced, seat=event.seat)
    if replaced is None:
        return NO_OCCASION
    at, new = replaced
    top = top_card(hand, at)
    if new.source in ("deck", "unknown") and (not new.deck or top in (None, new.deck)):
        return None
    return Breach(at, "scrap was not replaced by the top card", seat=event.seat, remedy="not-followed",
                  should=f"card {top} of the deck" if top else "the top card")  # fmt: skip


def _next(hand: Course, version: int, event: _Scrap) -> Answer | None:
    """Look at scrap that came while cards were being dealt: the next card takes its place."""
    kind = BoardDealt if event.seat is None else HoleCardsDealt
    dealt, misdeal = hand.nearest(version, kind), hand.nearest(version, MisdealDeclared)
    if misdeal is not None and (dealt is None or misdeal < dealt):
        return NO_OCCASION
    if dealt is None or not event.deck or 0 in (dealt[1].deck or (0,)):
        return CannotTell("deal-order")
    at, following = dealt
    due, places = event.deck + 1, following.deck
    if event.deck in places:
        return None  # the scrap itself was used: another clause's
    if isinstance(following, BoardDealt):
        wrong = max(places) > event.deck and due not in places
        saw = f"{listed(places)} came after scrap at card {event.deck}"
    else:
        wrong = places[0] != due or following.seat != event.seat
        saw = f"card {places[0]} went to seat {following.seat} after scrap at card {event.deck}"
    should = f"card {due} in its place"
    return Breach(at, saw, seat=event.seat, should=should, remedy="not-followed") if wrong else None


@detects(on=(JokerFound,), needs=Witness.DEAL_ERRORS | Witness.ACTS)
def joker_acted_on(hand: Course) -> Iterator[Answer]:
    """Who had acted with a joker among the hole cards kept a live hand, or got money."""
    occasion = False
    for version, event in hand.of(JokerFound):
        seat = event.seat
        if seat is None or not hand.acted(seat, version):
            continue
        occasion = True
        back = hand.nearest(version, ChipsReturned, PostReturned, PotAwarded, seat=seat)
        if back is not None or not hand.since(version, HandKilled, seat=seat):
            saw = f"seat {seat} got money" if back else f"the hand of seat {seat} stayed live"
            yield Breach(back[0] if back else version, saw, seat=seat, remedy="not-followed",
                         should="a foul hand: it loses the pot and all money put in",
                         money=refunded(hand, seat, version))  # fmt: skip
    if not occasion:
        yield NO_OCCASION
