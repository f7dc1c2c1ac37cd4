"""Boards that came too early or with too many cards, and what was done about it."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.hand.betting import Folded
from ledger.hand.dealing import BoardDealt, DeckShuffled
from ledger.hand.ending import CardsMucked
from ledger.hand.opening import Agreed
from ledger.vocabulary import Witness, split_cards
from projections.course import Course, Deal
from projections.detector import Sign, detects
from projections.finding import NO_OCCASION, Answer, Breach, CannotTell, Fate


@detects(on=(BoardDealt,), needs=Witness.BOARD, signs=Sign.STREETS)
def oversize_flop(
    hand: Course, *, cards: int, stands_after_action: bool, burns_out: bool = False
) -> Iterator[Answer]:
    """A flop had too many cards; the remedy is a new flop."""
    for deal in hand.deals:
        if deal.street != "flop" or deal.cards <= cards:
            continue
        if stands_after_action and hand.substantial(deal.acts):
            yield NO_OCCASION  # then the cards stand, by another clause
            continue
        fate: Fate = "not-followed"
        if deal.withdrawn is not None:
            again = next(
                (d for d in hand.deals if d.version > deal.version and d.street == "flop"), None
            )
            whole = len(split_cards(deal.withdrawn[1].cards)) == deal.cards
            fate = (
                "followed"
                if whole and again is not None
                else "not-followed"
                if not whole
                else "cannot-tell"
            )
            if burns_out and again is not None and _burns_in(hand, again):
                fate = "not-followed"
        elif not hand.witnessed(Witness.DEAL_ERRORS):
            fate = "cannot-tell"
        yield Breach(deal.version, f"{deal.cards} cards on the flop", should="the whole flop withdrawn and dealt anew",
                     remedy=fate, beside=((deal.withdrawn[0], "withdrawn"),) if deal.withdrawn else ())  # fmt: skip


def _burns_in(hand: Course, again: Deal) -> list[str]:
    """Return the burned cards that were shuffled in before a street was dealt again."""
    burned = {
        card.card
        for deal in hand.deals
        if deal.version < again.version
        for _, card in deal.burns
        if "?" not in card.card
    }
    return [c for _, event in again.shuffled for c in split_cards(event.includes) if c in burned]


@detects(
    on=(BoardDealt,), needs=Witness.BOARD | Witness.DEAL_ERRORS | Witness.ACTS, signs=Sign.STREETS
)
def frozen_flop_withdrawn(hand: Course, *, cards: int) -> Iterator[Answer]:
    """A flop with too many cards was withdrawn although substantial action had been taken on it."""
    occasion = False
    for deal in hand.deals:
        if deal.street == "flop" and deal.cards > cards and hand.substantial(deal.acts):
            occasion = True
            if deal.withdrawn is not None:
                yield Breach(deal.withdrawn[0], "the flop was withdrawn after substantial action on it",
                             should="the cards that were bet on stay", remedy="not-followed",
                             beside=((deal.version, f"{deal.cards} cards on the flop"),))  # fmt: skip
    if not occasion:
        yield NO_OCCASION


@detects(on=(BoardDealt,), needs=Witness.BOARD | Witness.ACTS, signs=Sign.OPEN_ROUND)
def premature(
    hand: Course, *, streets: list[str], burns: int | None = None, shuffle: bool | None = None
) -> Iterator[Answer]:
    """A street was dealt before the betting was over; its cards may not be used."""
    for deal in hand.early():
        if deal.street not in streets:
            continue
        fate: Fate = "not-followed"
        why = ""
        if deal.withdrawn is not None:
            again = next(
                (d for d in hand.deals if d.version > deal.version and d.street == deal.street),
                None,
            )
            fate = "followed"
            if again is not None and burns is not None and len(again.burns) != burns:
                fate, why = "not-followed", f"{len(again.burns)} burned before it was dealt again"
            elif (
                again is not None
                and shuffle
                and not again.shuffled
                and hand.witnessed(Witness.SHUFFLES)
            ):
                fate, why = "not-followed", "it was dealt again without a shuffle"
        yield Breach(
            deal.version, f"the {deal.street} came while seat {deal.open[0]} had yet to act", seat=deal.open[0],
            should="the betting first, then other cards", remedy=fate, because=why,
            certainty="certain" if hand.witnessed(Witness.DEAL_ERRORS) else "likely",
            beside=((deal.withdrawn[0], "withdrawn"),) if deal.withdrawn else (),
        )  # fmt: skip


def _redealt(hand: Course, after: list[str]) -> list[tuple[Deal, Deal]]:
    """Return streets that were withdrawn for one of these errors, each with what replaced it."""
    early = hand.early()
    pairs = []
    for deal in hand.deals:
        kind = f"premature-{deal.street}" if deal in early else ""
        if deal.street == "flop" and deal.cards > 3:
            kind = "oversize-flop"
        if deal.withdrawn is None or kind not in after:
            continue
        again = next(
            (d for d in hand.deals if d.version > deal.version and d.street == deal.street), None
        )
        if again is not None:
            pairs.append((deal, again))
    return pairs


@detects(
    on=(BoardDealt,),
    needs=Witness.DEAL_ERRORS | Witness.SHUFFLES,
    signs=Sign.STREETS | Sign.OPEN_ROUND,
)
def wrong_reshuffle(
    hand: Course,
    *,
    after: list[str],
    withdrawn_in: bool = False,
    burns_out: bool = False,
    muck_out: bool = False,
) -> Iterator[Answer]:
    """Before a new flop the wrong cards were shuffled in, or the withdrawn ones were left out."""
    pairs = _redealt(hand, after)
    if not any(again.shuffled for _, again in pairs):
        yield NO_OCCASION
    for deal, again in pairs:
        for version, event in again.shuffled:
            yield from _shuffled(
                version, event, deal, withdrawn_in=withdrawn_in,
                banned=(_burns_in(hand, again) if burns_out else []) + (_muck(hand, event) if muck_out else []),
            )  # fmt: skip


def _shuffled(
    version: int,
    event: DeckShuffled,
    deal: Deal,
    *,
    withdrawn_in: bool,
    banned: list[str],
) -> Iterator[Answer]:
    if not event.includes and not event.excludes:
        yield CannotTell("which cards were shuffled in")
        return
    if banned:
        yield Breach(version, f"{' '.join(sorted(set(banned)))} shuffled back in", should="burned and discarded cards stay out",
                     remedy="not-followed", beside=((deal.version, deal.street),))  # fmt: skip
    if withdrawn_in and deal.withdrawn is not None:
        gone = [c for c in split_cards(deal.withdrawn[1].cards) if "?" not in c]
        left_out = [c for c in gone if c not in split_cards(event.includes)]
        if left_out:
            yield Breach(version, f"{' '.join(left_out)} not shuffled in", should="the withdrawn cards go back into the deck",
                         remedy="not-followed", beside=((deal.withdrawn[0], "withdrawn"),))  # fmt: skip


def _muck(hand: Course, event: DeckShuffled) -> list[str]:
    thrown = {
        c
        for _, fold in hand.of(Folded, CardsMucked)
        for c in split_cards(fold.cards)
        if "?" not in c
    }
    return [c for c in split_cards(event.includes) if c in thrown]


@detects(
    on=(BoardDealt,),
    needs=Witness.DEAL_ERRORS | Witness.BURNS,
    signs=Sign.STREETS | Sign.OPEN_ROUND,
)
def wrong_redeal(
    hand: Course, *, after: list[str], burns: int, shuffle: bool | None = None, cut: bool | None = None,
    burns_out: bool = False,
) -> Iterator[Answer]:  # fmt: skip
    """A street was dealt again with another number of burns, or with or without shuffle and cut."""
    pairs = _redealt(hand, after)
    if not pairs:
        yield NO_OCCASION
    for deal, again in pairs:
        beside = ((deal.version, f"the {deal.street} that was withdrawn"),)
        should = (
            f"{burns or 'no'} burn"
            + {True: ", a shuffle", False: ", no shuffle", None: ""}[shuffle]
            + (", a cut" if cut else "")
        )
        saw = []
        if len(again.burns) != burns:
            saw.append(f"{len(again.burns) or 'none'} burned")
        if hand.witnessed(Witness.SHUFFLES):
            if shuffle is not None and bool(again.shuffled) != shuffle:
                saw.append("shuffled" if again.shuffled else "not shuffled")
            if cut and not again.cut:
                saw.append("not cut")
            if burns_out and _burns_in(hand, again):
                saw.append("the burn shuffled in")
        elif shuffle is not None or cut:
            yield CannotTell("shuffles")
        if saw:
            yield Breach(again.version, f"before the new {again.street}: {', '.join(saw)}", should=should,
                         remedy="not-followed", beside=beside)  # fmt: skip


def _after_early_turn(hand: Course) -> tuple[Deal, Deal] | None:
    """Return a turn that was set aside for coming too early, and the river of the hand."""
    turn = next((d for d in hand.early() if d.street == "turn" and d.withdrawn), None)
    river = next((d for d in hand.deals if d.street == "river" and not d.again), None)
    return (turn, river) if turn is not None and river is not None else None


@detects(on=(BoardDealt,), needs=Witness.DEAL_ERRORS | Witness.SHUFFLES, signs=Sign.OPEN_ROUND)
def wrong_river_shuffle(hand: Course, *, withdrawn_in: bool) -> Iterator[Answer]:
    """After an early turn the deck was not shuffled with that card, or with burns or discards."""
    pair = _after_early_turn(hand)
    if pair is None:
        yield NO_OCCASION
        return
    turn, river = pair
    if not river.shuffled:
        yield Breach(river.version, "the river came without a shuffle", should="a shuffle with the card set aside",
                     remedy="not-followed", beside=((turn.version, "the early turn"),))  # fmt: skip
    for version, event in river.shuffled:
        banned = _burns_in(hand, river) + _muck(hand, event)
        yield from _shuffled(version, event, turn, withdrawn_in=withdrawn_in, banned=banned)


@detects(
    on=(BoardDealt,),
    needs=Witness.DEAL_ERRORS | Witness.SHUFFLES | Witness.BURNS,
    signs=Sign.OPEN_ROUND,
)
def wrong_river(hand: Course, *, burns: int, cut: bool = False) -> Iterator[Answer]:
    """After an early turn and the shuffle, the river came with a burn or without a cut."""
    pair = _after_early_turn(hand)
    if pair is None or not pair[1].shuffled:
        yield NO_OCCASION
        return
    turn, river = pair
    saw = []
    if len([v for v, _ in river.burns if v > river.shuffled[0][0]]) != burns:
        saw.append(f"{len(river.burns) or 'none'} burned")
    if cut and not river.cut:
        saw.append("not cut")
    if saw:
        yield Breach(river.version, f"before the river: {', '.join(saw)}", remedy="not-followed",
                     should=f"{burns or 'no'} burn after the shuffle" + (", and a cut" if cut else ""),
                     beside=((turn.version, "the early turn"),))  # fmt: skip


@detects(on=(Agreed,), needs=Witness.BOARD | Witness.ACTS, signs=Sign.OPEN_ROUND)
def kept_by_agreement(hand: Course) -> Iterator[Answer]:
    """Players chose to keep a card that had come too early, and it was kept."""
    agreed = hand.agreed("keep-cards")
    early = hand.early()
    if not agreed or not early:
        yield NO_OCCASION
        return
    for deal in early:
        if deal.withdrawn is None:
            yield Breach(agreed[0][0] or deal.version, f"the players agreed to keep the early {deal.street}, and it was kept",
                         should="nobody chooses; the card is out", remedy="not-followed",
                         beside=((deal.version, f"the early {deal.street}"),))  # fmt: skip


@detects(on=(BoardDealt,), needs=Witness.DEAL_ERRORS | Witness.ACTS, signs=Sign.OPEN_ROUND)
def remedy_before_betting(hand: Course) -> Iterator[Answer]:
    """The deck was shuffled or the card replaced before the open betting round was over."""
    early = hand.early()
    if not early:
        yield NO_OCCASION
    for deal in early:
        again = next(
            (d for d in hand.deals if d.version > deal.version and d.street == deal.street), None
        )
        steps = [v for v, _ in hand.of(DeckShuffled) if v > deal.version]
        steps += [again.version] if again is not None else []
        before = next(
            (a.street for a in reversed(hand.acts) if a.version < deal.version), "preflop"
        )
        left = [a for a in hand.acts if a.street == before and a.version > deal.version]
        if steps and left and min(steps) < left[-1].version:
            yield Breach(min(steps), f"the error was put right before seat {left[-1].seat} had acted",
                         should="the betting first, then the remedy", remedy="not-followed",
                         beside=((deal.version, f"the early {deal.street}"),))  # fmt: skip
