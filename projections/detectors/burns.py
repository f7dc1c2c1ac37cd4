"""Burn cards: one before each street, and what is done when there were none or two."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from ledger.hand.dealing import BoardDealt, BoardTurnedUp, CardReturned, DeckShuffled, ErrorNoticed
from ledger.hand.ending import PotAwarded
from ledger.vocabulary import Witness
from projections.course import Course, Deal
from projections.deckorder import dealt, listed, natural
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
        if deal.again or deal.shuffled:
            continue  # what is burned of a deck that was shuffled again is another clause's
        if spare_frozen_flop and at and _frozen(hand, hand.deals[at - 1]):
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
        wrong = _unnatural(hand, "flop", burns)
        if wrong is None:
            yield CannotTell("deal-order")
        elif wrong:
            due, cards = wrong
            yield Breach(when, f"{_count(deal)}, and the flop is made of {listed(cards)}",
                         should=f"{listed(due)} of the deck", remedy="not-followed")  # fmt: skip
        return
    yield NO_OCCASION


def _unnatural(
    hand: Course, street: str, burns: int
) -> tuple[tuple[int, ...], tuple[int, ...]] | tuple[()] | None:
    """Return the places that a street should show and those it does; () = it is right, None = untold."""
    due, final = natural(hand, street, burns), hand.kept(street)  # type: ignore[arg-type] # a street
    cards = dealt(final) if final is not None else None
    if due is None or cards is None:
        return None
    return (due, cards) if due != cards else ()


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
        yield from _left(hand, deal, when, burns, "noticed before any action")
    if not occasion:
        yield NO_OCCASION


def _left(hand: Course, deal: Deal, when: int, burns: int, noticed: str) -> Iterator[Answer]:
    """Yield where a street with a wrong burn stayed, or another card than the right one came instead."""
    due = natural(hand, deal.street, burns)
    should = f"{listed(due)} of the deck" if due else "the card that was due"
    if deal.withdrawn is None:
        yield Breach(when, f"{_count(deal)}, {noticed}, and the card stayed", should=should, remedy="not-followed",
                     beside=((deal.version, deal.street),))  # fmt: skip
    elif wrong := _unnatural(hand, deal.street, burns):
        yield Breach(when, f"{_count(deal)}, {noticed}, and {listed(wrong[1])} came instead", should=should,
                     remedy="not-followed", beside=((deal.version, deal.street),))  # fmt: skip


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


def _after(hand: Course, deal: Deal) -> list[Deal]:
    """Return the streets that came after this one from the unchanged deck, the next one first."""
    shuffled = [v for v, _ in hand.of(DeckShuffled) if v > deal.version]
    until = min(shuffled, default=10**9)
    return [
        later for later in hand.deals
        if deal.version < later.version < until and later.street != deal.street and later.withdrawn is None
    ]  # fmt: skip


@detects(on=(BoardDealt,), needs=_NOTICE)
def later_streets(hand: Course, *, burns: int) -> Iterator[Answer]:
    """After a wrong burn a later street is another card than without the error."""
    occasion = False
    for deal in _wrong(hand, burns, "flop", "turn"):
        later = _after(hand, deal)
        if not later or _noticed(hand, deal) is None:
            continue
        occasion = True
        for street in later:
            wrong = _off(hand, deal, street, burns, following=street is later[0])
            if wrong:
                yield Breach(street.version, wrong[0], should=wrong[1], remedy="not-followed",
                             beside=((deal.version, _count(deal)),))  # fmt: skip
                return
    if not occasion:
        yield NO_OCCASION


def _off(
    hand: Course, deal: Deal, street: Deal, burns: int, *, following: bool
) -> tuple[str, str] | None:
    """Return what a later street is and what it should be: by places in the deck, else by its burns."""
    due, cards = natural(hand, street.street, burns), dealt(street)
    if due is not None and cards is not None:
        saw = f"the {street.street} is {listed(cards)} of the deck"
        return (saw, f"{listed(due)}, as without the error") if due != cards else None
    if not following or deal.withdrawn is not None:
        return None
    if len(deal.burns) > burns:
        return None if _reburned(hand, deal, street, burns) else (_count(street), _SURPLUS)
    want = burns + burns - len(deal.burns)
    if len(street.burns) == want:
        return None
    return _count(street), f"{want} burns: one was missing before the {deal.street}"


_SURPLUS: Final = "the surplus burn goes back and is the next burn"


def _reburned(hand: Course, deal: Deal, following: Deal, burns: int) -> bool:
    """Whether the one burn of a street is the surplus card of the street before."""
    surplus = {card.card for _, card in deal.burns if "?" not in card.card}
    back = any(
        event.source == "burn" and deal.version < version < following.version
        for version, event in hand.of(CardReturned)
    )
    return len(following.burns) == burns and all(
        card.source == "returned-card" or card.card in surplus or (back and card.source != "deck")
        for _, card in following.burns
    )


@detects(on=(BoardDealt,), needs=_NOTICE)
def surplus_burn(hand: Course, *, burns: int) -> Iterator[Answer]:
    """Of two burned cards none went back to be the next street's burn."""
    occasion = False
    for deal in _wrong(hand, burns, "flop", "turn"):
        later = _after(hand, deal)
        if len(deal.burns) <= burns or deal.withdrawn or not later or _noticed(hand, deal) is None:
            continue
        occasion = True
        if not _reburned(hand, deal, later[0], burns):
            due = natural(hand, later[0].street, burns)
            yield Breach(
                later[0].version, f"{_count(later[0])}, not the surplus one from before the {deal.street}",
                should=_SURPLUS + (f", then {listed(due)} of the deck" if due else ""), remedy="not-followed",
                beside=((deal.version, _count(deal)),),
            )  # fmt: skip
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
        if when[0] < award:
            yield from _left(hand, deal, when[0], burns, "noticed before the award")
        elif deal.withdrawn is not None:
            yield Breach(when[0], f"{_count(deal)}, noticed after the award, and changed",
                         should="the board stands", remedy="not-followed", beside=((deal.version, deal.street),))  # fmt: skip
    if not occasion:
        yield NO_OCCASION
