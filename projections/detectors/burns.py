"""Burn cards: one before each street, and what is done when there were none or two."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from ledger.hand.dealing import BoardDealt, BoardTurnedUp, CardReturned, DeckShuffled, ErrorNoticed
from ledger.hand.ending import PotAwarded
from ledger.vocabulary import Witness
from projections.course import Course, Deal
from projections.detector import detects
from projections.finding import NO_OCCASION, Answer, Breach, CannotTell

_NEEDS: Final = Witness.BURNS | Witness.BOARD
_NOTICE: Final = _NEEDS | Witness.ERRORS_NOTICED | Witness.DEAL_ERRORS


def _count(deal: Deal) -> str:
    many = len(deal.burns)
    return f"{many or 'no'} card{'s' * (many != 1)} burned before the {deal.street}"


def _frozen(hand: Course, deal: Deal) -> bool:
    """Whether a flop with too many cards stands because it was acted on."""
    return (
        deal.street == "flop"
        and deal.cards > 3
        and deal.withdrawn is None
        and hand.substantial(deal.acts)
    )


@detects(on=(BoardDealt,), needs=_NEEDS)
def per_street(hand: Course, *, burns: int, spare_frozen_flop: bool = False) -> Iterator[Answer]:
    """Another number of cards was burned before a street than the book asks."""
    for at, deal in enumerate(hand.deals):
        if deal.again or (spare_frozen_flop and at and _frozen(hand, hand.deals[at - 1])):
            continue
        if len(deal.burns) != burns:
            yield Breach(deal.version, _count(deal), should=f"{burns} burn",
                         beside=tuple((v, "burn") for v, _ in deal.burns))  # fmt: skip


@detects(on=(BoardDealt,), needs=_NEEDS | Witness.ACTS)
def after_frozen_flop(hand: Course, *, burns: int) -> Iterator[Answer]:
    """After a flop with too many cards that stands, the next street came without its burn."""
    for flop, turn in pairwise(hand.deals):
        if _frozen(hand, flop):
            if len(turn.burns) != burns:
                yield Breach(turn.version, _count(turn), should=f"{burns} burn", remedy="not-followed",
                             beside=((flop.version, f"{flop.cards} cards on the flop"),))  # fmt: skip
            return
    yield NO_OCCASION


def _wrong(hand: Course, burns: int, *streets: str, bet: bool = True) -> list[Deal]:
    """Return the streets that first came with a wrong number of burns, those with betting or without."""
    return [
        deal for deal in hand.deals
        if deal.street in streets and not deal.again and len(deal.burns) != burns and not deal.open
        and (deal.able > 1) == bet
    ]  # fmt: skip


def _noticed(hand: Course, deal: Deal) -> int | None:
    """Return where the burn error before this street was noticed."""
    first = min([deal.version, *(v for v, _ in deal.burns)])
    later = [d.version for d in hand.deals if d.version > deal.version and d.street != deal.street]
    until = later[0] if later else 10**9
    for version, event in hand.of(ErrorNoticed):
        if event.kind in ("no-burn", "double-burn") and first < version < until:
            return version
    return None


def _acted(deal: Deal, before: int) -> bool:
    return any(act.version < before for act in deal.acts)


def _up(hand: Course, deal: Deal, before: int) -> bool:
    """Whether a card of the street lay face up before this event."""
    return deal.event.face_up or any(
        event.street == deal.street and version < before
        for version, event in hand.of(BoardTurnedUp)
    )


@detects(on=(BoardDealt,), needs=_NOTICE)
def flop_unexposed(hand: Course, *, burns: int) -> Iterator[Answer]:
    """A wrong burn before the flop, noticed with no card face up, was not put right."""
    for deal in _wrong(hand, burns, "flop"):
        when = _noticed(hand, deal)
        if when is None or _up(hand, deal, when):
            continue
        places = sorted(p for p in (*deal.event.deck, *(c.deck for _, c in deal.burns)) if p)
        final = [
            d for d in hand.deals if d.street == "flop" and d.withdrawn is None
        ]  # fmt: skip
        if not places or not final or not all(final[-1].event.deck):
            yield CannotTell("deal-order")
            return
        due = tuple(range(places[0] + burns, places[0] + burns + 3))
        dealt = final[-1].event.deck
        if tuple(sorted(dealt)) != due:
            yield Breach(
                when, f"{_count(deal)}, and the flop is made of cards {_list(dealt)}",
                should=f"cards {_list(due)} of the deck", remedy="not-followed",
            )  # fmt: skip
        return
    yield NO_OCCASION


def _list(places: tuple[int, ...]) -> str:
    return ", ".join(map(str, sorted(places)))


@detects(on=(BoardDealt,), needs=_NOTICE | Witness.SHUFFLES)
def flop_exposed(hand: Course, *, burns: int) -> Iterator[Answer]:
    """A wrong burn, noticed with flop cards face up and before any action, led to no reshuffle."""
    for deal in _wrong(hand, burns, "flop"):
        when = _noticed(hand, deal)
        if when is None or not _up(hand, deal, when) or _acted(deal, when):
            continue
        shuffled = any(v > when for v, _ in hand.of(DeckShuffled))
        if deal.withdrawn is None or not shuffled:
            yield Breach(when, f"{_count(deal)}, noticed before any action, and the flop was kept",
                         should="a reshuffle and a new flop", remedy="not-followed",
                         beside=((deal.version, "flop"),))  # fmt: skip
        return
    yield NO_OCCASION


@detects(on=(BoardDealt,), needs=_NOTICE | Witness.ACTS)
def before_action(hand: Course, *, burns: int, streets: list[str]) -> Iterator[Answer]:
    """A wrong burn, noticed before any action on the street, was not corrected."""
    occasion = False
    for deal in _wrong(hand, burns, *streets):
        when = _noticed(hand, deal)
        if when is None or _acted(deal, when):
            continue
        occasion = True
        if deal.withdrawn is None:
            yield Breach(when, f"{_count(deal)}, noticed before any action, and the card stayed",
                         should="the card that was due", remedy="not-followed",
                         beside=((deal.version, deal.street),))  # fmt: skip
    if not occasion:
        yield NO_OCCASION


@detects(on=(BoardDealt,), needs=_NOTICE | Witness.ACTS)
def withdrawn_after_action(hand: Course, *, burns: int) -> Iterator[Answer]:
    """A card was taken back for a burn error although it had been acted on."""
    wrong = [deal for deal in _wrong(hand, burns, "flop", "turn", "river") if deal.acts]
    for deal in wrong:
        if deal.withdrawn is not None and _acted(deal, deal.withdrawn[0]):
            yield Breach(deal.withdrawn[0], f"the {deal.street} was taken back after it had been acted on",
                         should="the card stands", remedy="not-followed",
                         beside=((deal.version, _count(deal)),))  # fmt: skip
    if not wrong:
        yield NO_OCCASION


@detects(on=(BoardDealt,), needs=_NOTICE)
def later_streets(hand: Course, *, burns: int) -> Iterator[Answer]:
    """After a missing burn that stands, the next street came without the additional one."""
    occasion = False
    for deal in _wrong(hand, burns, "flop", "turn"):
        following = [d for d in hand.deals if d.version > deal.version and d.street != deal.street]
        if (
            deal.withdrawn is not None
            or not following
            or _noticed(hand, deal) is None
            or len(deal.burns) > burns
        ):
            continue
        occasion = True
        due = burns + burns - len(deal.burns)
        if len(following[0].burns) != due:
            yield Breach(following[0].version, _count(following[0]), should=f"{due} burns: one was missing before the {deal.street}",
                         remedy="not-followed", beside=((deal.version, _count(deal)),))  # fmt: skip
    if not occasion:
        yield NO_OCCASION


@detects(on=(BoardDealt,), needs=_NOTICE)
def surplus_burn(hand: Course, *, burns: int) -> Iterator[Answer]:
    """Of two burned cards none went back to be the next street's burn."""
    occasion = False
    for deal in _wrong(hand, burns, "flop", "turn"):
        following = [d for d in hand.deals if d.version > deal.version and d.street != deal.street]
        if (
            len(deal.burns) <= burns
            or deal.withdrawn is not None
            or not following
            or _noticed(hand, deal) is None
        ):
            continue
        occasion = True
        surplus = {card.card for _, card in deal.burns if "?" not in card.card}
        back = any(
            r.source == "burn" and deal.version < v < following[0].version
            for v, r in hand.of(CardReturned)
        )
        next_burns = [card for _, card in following[0].burns]
        own = len(next_burns) == burns and all(
            card.source == "returned-card"
            or card.card in surplus
            or (back and card.source != "deck")
            for card in next_burns
        )
        if not own:
            yield Breach(following[0].version, f"{_count(following[0])}, not the surplus one from before the {deal.street}",
                         should="the surplus burn goes back and is the next burn", remedy="not-followed",
                         beside=((deal.version, _count(deal)),))  # fmt: skip
    if not occasion:
        yield NO_OCCASION


@detects(on=(BoardDealt,), needs=_NOTICE | Witness.AWARDS)
def all_in(hand: Course, *, burns: int) -> Iterator[Answer]:
    """On a street without betting, a burn error was noticed before the award and left, or corrected after it."""
    award = next((v for v, _ in hand.of(PotAwarded)), 10**9)
    occasion = False
    for deal in _wrong(hand, burns, "flop", "turn", "river", bet=False):
        when = [
            v
            for v, e in hand.of(ErrorNoticed)
            if e.kind in ("no-burn", "double-burn") and v > deal.version
        ]
        if not when:
            continue
        occasion = True
        corrected = deal.withdrawn is not None
        if when[0] < award and not corrected:
            yield Breach(when[0], f"{_count(deal)}, noticed before the award, and left as it was",
                         should="the correction", remedy="not-followed", beside=((deal.version, deal.street),))  # fmt: skip
        elif when[0] > award and corrected:
            yield Breach(when[0], f"{_count(deal)}, noticed after the award, and changed",
                         should="the board stands", remedy="not-followed", beside=((deal.version, deal.street),))  # fmt: skip
    if not occasion:
        yield NO_OCCASION
