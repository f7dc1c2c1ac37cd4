"""Boxed cards and jokers: scrap, and what takes their place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from ledger.hand.betting import ChipsReturned, HandKilled
from ledger.hand.dealing import (
    BoardDealt,
    BoxedCardFound,
    CardReplaced,
    DealCompleted,
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
            v for v, dealt in hand.of(HoleCardsDealt, BoardDealt)
            if v > version and "?" not in event.card and event.card in split_cards(dealt.cards)
        ]  # fmt: skip
        yield from _used(hand, version, event, used, "boxed-card", "boxed card")


@detects(on=(JokerFound,), needs=Witness.DEAL_ERRORS)
def joker(hand: Course) -> Iterator[Answer]:
    """A joker was used where none belongs, or a misdeal was declared for it alone."""
    if hand.option("joker-used"):
        yield NO_OCCASION
        return
    for version, event in hand.of(JokerFound):
        used = [v for v, dealt in hand.of(BoardDealt) if v > version and "Jk" in dealt.cards]
        yield from _used(hand, version, event, used, "joker", "joker")


def _used(
    hand: Course, version: int, event: _Scrap, used: list[int], reason: str, name: str
) -> Iterator[Answer]:
    for when, misdeal in hand.of(MisdealDeclared):
        if misdeal.reason == reason and len(hand.of(BoxedCardFound, JokerFound)) == 1:
            yield Breach(when, f"a misdeal was declared for one {name}", should="the card is scrap and is replaced",
                         remedy="not-followed", beside=((version, name),))  # fmt: skip
            return
    if hand.of(MisdealDeclared):
        return
    if event.seat is not None and _held(hand, version):
        acted = any(a.seat == event.seat and a.version < version for a in hand.acts)
        if not acted and not any(
            r.seat == event.seat and v > version for v, r in hand.of(CardReplaced)
        ):
            used = [version]
    if used:
        yield Breach(used[0], f"a {name} was used", seat=event.seat, should="the card is scrap and is replaced",
                     remedy="not-followed", beside=((version, name),) if used[0] != version else ())  # fmt: skip


def _held(hand: Course, version: int) -> bool:
    """Whether the scrap lay in a dealt hand, rather than being due to a seat."""
    complete = next((v for v, _ in hand.of(DealCompleted)), None)
    return complete is not None and complete < version


@detects(on=(BoxedCardFound, JokerFound), needs=Witness.DEAL_ERRORS | Witness.DEAL_ORDER)
def wrong_replacement(hand: Course, *, when: Literal["dealing", "later"]) -> Iterator[Answer]:
    """Scrap was replaced by another card than the next one, or than the top one after the round."""
    occasion = False
    for version, event in hand.of(BoxedCardFound, JokerFound):
        in_hand = event.seat is not None and _held(hand, version)
        if in_hand != (when == "later"):
            continue
        answers = list(_late(hand, version, event) if in_hand else _next(hand, version, event))
        occasion = occasion or NO_OCCASION not in answers
        yield from (answer for answer in answers if answer is not NO_OCCASION)
    if not occasion:
        yield NO_OCCASION


def _late(hand: Course, version: int, event: _Scrap) -> Iterator[Answer]:
    """Look at scrap in a dealt hand: the top card of the deck takes its place."""
    replaced = [(v, r) for v, r in hand.of(CardReplaced) if r.seat == event.seat and v > version]
    if not replaced:
        yield NO_OCCASION
        return
    at, new = replaced[0]
    top = top_card(hand, at)
    if new.source not in ("deck", "unknown") or (new.deck and top and new.deck != top):
        yield Breach(at, "scrap was not replaced by the top card", seat=event.seat, remedy="not-followed",
                     should=f"card {top} of the deck" if top else "the top card")  # fmt: skip


def _next(hand: Course, version: int, event: _Scrap) -> Iterator[Answer]:
    """Look at scrap that came while cards were being dealt: the next card takes its place."""
    until = next((v for v, _ in hand.of(MisdealDeclared) if v > version), 10**9)
    dealt = [
        (v, e) for v, e in hand.of(HoleCardsDealt, BoardDealt)
        if version < v < until and (event.seat is None) == isinstance(e, BoardDealt)
    ]  # fmt: skip
    if until < 10**9 and not dealt:
        yield NO_OCCASION
        return
    if not dealt or not event.deck or not all(dealt[0][1].deck) or not dealt[0][1].deck:
        yield CannotTell("deal-order")
        return
    at, following = dealt[0]
    due = event.deck + 1
    if event.deck in following.deck:
        return  # the scrap itself was used: another clause's
    if isinstance(following, BoardDealt):
        if max(following.deck) > event.deck and due not in following.deck:
            yield Breach(at, f"{listed(following.deck)} came after scrap at card {event.deck}", remedy="not-followed",
                         should=f"card {due} in its place")  # fmt: skip
    elif following.deck[0] != due or following.seat != event.seat:
        yield Breach(
            at, f"card {following.deck[0]} went to seat {following.seat} after scrap at card {event.deck}",
            seat=event.seat, should=f"card {due} in its place", remedy="not-followed",
        )  # fmt: skip


@detects(on=(JokerFound,), needs=Witness.DEAL_ERRORS | Witness.ACTS)
def joker_acted_on(hand: Course) -> Iterator[Answer]:
    """Who had acted with a joker among the hole cards kept a live hand, or got money."""
    occasion = False
    for version, event in hand.of(JokerFound):
        seat = event.seat
        if seat is None or not any(a.seat == seat and a.version < version for a in hand.acts):
            continue
        occasion = True
        back = [
            v
            for v, e in hand.of(ChipsReturned, PostReturned, PotAwarded)
            if e.seat == event.seat and v > version
        ]
        killed = any(k.seat == event.seat and v > version for v, k in hand.of(HandKilled))
        if back or not killed:
            saw = (
                f"seat {event.seat} got money"
                if back
                else f"the hand of seat {event.seat} stayed live"
            )
            yield Breach(back[0] if back else version, saw, seat=event.seat, remedy="not-followed",
                         should="a foul hand: it loses the pot and all money put in",
                         money=refunded(hand, seat, version))  # fmt: skip
    if not occasion:
        yield NO_OCCASION
