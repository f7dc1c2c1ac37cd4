"""Hole cards that the dealer exposed: when it is a misdeal, and what replaces them."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.hand.dealing import (
    CardBurned,
    CardExposed,
    CardReplaced,
    CardReturned,
    DealCompleted,
    MisdealDeclared,
)
from ledger.vocabulary import Witness
from projections.course import NEVER, Course
from projections.deckorder import dealt, listed, top_card
from projections.detector import detects
from projections.finding import NO_OCCASION, Answer, Breach, CannotTell


def _exposed(hand: Course) -> list[tuple[int, CardExposed]]:
    """Return the hole cards that the dealer exposed in the deal."""
    until = hand.first_act or NEVER
    return [
        (v, event) for v, event in hand.of(CardExposed)
        if v < until and event.seat is not None and event.cause == "dealer"
    ]  # fmt: skip


def _unknown_cause(hand: Course) -> bool:
    return any(
        event.cause == "unknown" and event.seat is not None for _, event in hand.of(CardExposed)
    )


def _misdeal(hand: Course, after: int = 0) -> int | None:
    return next((v for v, _ in hand.of(MisdealDeclared) if v > after), None)


@detects(on=(CardExposed,), needs=Witness.DEAL_ERRORS)
def misdeal_due(hand: Course, *, indexes: list[int]) -> Iterator[Answer]:
    """The dealer exposed one of the cards that make a misdeal, and the deal went on."""
    exposed = _exposed(hand)
    if not exposed:
        yield CannotTell("who exposed the card") if _unknown_cause(hand) else NO_OCCASION
    for version, event in exposed:
        if _misdeal(hand, version):
            continue
        if not event.deck:
            yield CannotTell("deal-order")
        elif event.deck in indexes:
            yield Breach(
                version, f"card {event.deck} of the deal was exposed and the deal went on", seat=event.seat,
                should="a misdeal: cards back, shuffle, cut", remedy="not-followed",
            )  # fmt: skip


@detects(on=(CardExposed,), needs=Witness.DEAL_ERRORS)
def needless_misdeal(hand: Course, *, indexes: list[int]) -> Iterator[Answer]:
    """A misdeal was declared for one exposed card that does not make one."""
    exposed = _exposed(hand)
    misdeal = _misdeal(hand)
    if len(exposed) != 1 or misdeal is None:
        yield NO_OCCASION
        return
    version, event = exposed[0]
    if not event.deck and indexes:
        yield CannotTell("deal-order")
    elif event.deck not in indexes:
        yield Breach(
            misdeal, "a misdeal was declared for one exposed card", seat=event.seat, should="the deal goes on",
            beside=((version, f"card {event.deck or '?'} of the deal exposed"),),
        )  # fmt: skip


@detects(on=(CardExposed,), needs=Witness.DEAL_ERRORS)
def kept(
    hand: Course,
    *,
    misdeal_indexes: list[int] | None = None,
    except_indexes: list[int] | None = None,
) -> Iterator[Answer]:
    """A player kept a card that the dealer had exposed."""
    exposed = _exposed(hand)
    misdeal = _misdeal(hand)
    if misdeal is not None and misdeal_indexes is not None and len(exposed) == 1:
        if exposed[0][1].deck not in misdeal_indexes:
            yield Breach(
                misdeal, "a misdeal was declared for one exposed card", seat=exposed[0][1].seat,
                should="the card is replaced and the deal goes on", beside=((exposed[0][0], "exposed"),),
            )  # fmt: skip
        return
    if not _single(exposed, except_indexes) or misdeal is not None:
        yield CannotTell("who exposed the card") if _unknown_cause(hand) else NO_OCCASION
        return
    version, event = exposed[0]
    acted = next((a.version for a in hand.acts if a.seat == event.seat), NEVER)
    replaced = any(r.seat == event.seat and version < v < acted for v, r in hand.of(CardReplaced))
    if not replaced:
        yield Breach(
            version, f"seat {event.seat} kept the exposed card", seat=event.seat,
            should="another card in its place before the seat acts", remedy="not-followed",
        )  # fmt: skip


def _single(exposed: list[tuple[int, CardExposed]], barred: list[int] | None) -> bool:
    """Whether exactly one card was exposed, and none of those for which the book has another remedy."""
    return len(exposed) == 1 and exposed[0][1].deck not in (barred or ())


@detects(on=(CardExposed,), needs=Witness.DEAL_ERRORS)
def wrong_replacement(
    hand: Course, *, burn: bool, back: bool = False, except_indexes: list[int] | None = None
) -> Iterator[Answer]:
    """An exposed card was replaced too early or not from the top, or did not go where it belongs."""
    exposed = _exposed(hand)
    if not _single(exposed, except_indexes) or _misdeal(hand):
        yield NO_OCCASION
        return
    version, event = exposed[0]
    replaced = [(v, r) for v, r in hand.of(CardReplaced) if r.seat == event.seat and v > version]
    if not replaced:
        yield NO_OCCASION
        return
    when, new = replaced[0]
    complete = next((v for v, _ in hand.of(DealCompleted)), None)
    top = top_card(hand, when)
    if (complete is not None and when < complete) or (complete is None and not hand.first_act):
        yield Breach(when, f"the exposed card of seat {event.seat} was replaced before the deal was complete",
                     seat=event.seat, should="the top card after the deal", remedy="not-followed")  # fmt: skip
    elif new.source not in ("deck", "unknown") or (new.deck and top and new.deck != top):
        yield Breach(when, f"the exposed card of seat {event.seat} was not replaced by the top card", seat=event.seat,
                     should=f"card {top} of the deck" if top else "the top card", remedy="not-followed")  # fmt: skip
    if back:
        yield from _put_back(hand, when, event)
    if burn:
        yield from _burn(hand, version, event)


def _put_back(hand: Course, replaced: int, event: CardExposed) -> Iterator[Answer]:
    """Yield where the exposed card went elsewhere than on top of the deck."""
    for version, returned in hand.of(CardReturned):
        if (
            version > replaced
            and returned.seat == event.seat
            and returned.position in ("bottom", "within")
        ):
            yield Breach(version, f"the exposed card of seat {event.seat} did not go on top of the deck",
                         seat=event.seat, should="face up on top", remedy="not-followed")  # fmt: skip


def _burn(hand: Course, version: int, event: CardExposed) -> Iterator[Answer]:
    """Yield where the flop's burn is another card than the exposed one."""
    flop = next((deal for deal in hand.deals if deal.street == "flop"), None)
    if flop is None:
        return
    if not hand.witnessed(Witness.BURNS):
        yield CannotTell("burns")
        return
    for at, (when, card) in enumerate(flop.burns):
        own = card.source == "exposed-card" or (card.card == event.card and "?" not in event.card)
        if not own or at:
            yield Breach(
                when, f"another card than the exposed one of seat {event.seat} was burned before the flop",
                should="the exposed card, and no other", remedy="not-followed", beside=((version, "exposed"),),
            )  # fmt: skip
            return
    top, cards = top_card(hand, flop.version), dealt(flop)
    if not flop.burns:
        yield Breach(flop.version, "the flop came without the exposed card being burned", remedy="not-followed",
                     should="the exposed card as the burn", beside=((version, "exposed"),))  # fmt: skip
    elif top is not None and cards is not None and cards != (top, top + 1, top + 2):
        yield Breach(
            flop.version, f"after the swap the flop is {listed(cards)} of the deck", remedy="not-followed",
            should=f"{listed((top, top + 1, top + 2))}: the swap leaves the flop as it was", beside=((version, "exposed"),),
        )  # fmt: skip


@detects(on=(CardExposed,), needs=Witness.DEAL_ERRORS | Witness.BURNS)
def burn_is_another_card(hand: Course) -> Iterator[Answer]:
    """The first burn is not the exposed card that was replaced."""
    exposed = _exposed(hand)
    if len(exposed) != 1 or _misdeal(hand) or not hand.of(CardReplaced) or not hand.of(CardBurned):
        yield NO_OCCASION
        return
    yield from _burn(hand, *exposed[0])


@detects(on=(CardExposed,), needs=Witness.DEAL_ERRORS)
def too_many(hand: Course, *, count: int) -> Iterator[Answer]:
    """The dealer exposed this many cards in the deal, and the deal went on."""
    exposed = _exposed(hand)
    if len(exposed) < count:
        yield CannotTell("who exposed the card") if _unknown_cause(hand) else NO_OCCASION
    elif not _misdeal(hand, exposed[count - 1][0]):
        yield Breach(
            exposed[count - 1][0], f"{len(exposed)} cards were exposed in the deal and it went on",
            should="a misdeal", remedy="not-followed", beside=((exposed[0][0], "the first of them"),),
        )  # fmt: skip
