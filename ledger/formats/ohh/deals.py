"""What Open Hand History leaves to be inferred of stud and draw games: faces of cards, discards, the bring-in.

The format lists the cards that a seat is dealt, known ones alone, and has no word for the rest. What is inferred here
is what its reader tells, so the writer counts as lost only what is otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Final, TypeVar

from ledger.hand.dealing import CardsDiscarded, CardsDrawn, HoleCardsDealt, HowKnown
from ledger.hand.variants import VARIANTS
from ledger.readers.games import STUD
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Seat, Street, split_cards

FIRST: Final = frozenset(("preflop", "third"))
DRAWS: Final = frozenset(("first-draw", "second-draw", "third-draw"))
_MOST: Final = 2
_Amount = TypeVar("_Amount", Chips, Decimal)


def dealt(variant: str, street: Street, seat: Seat, known: Cards, *, own: bool) -> HoleCardsDealt | None:
    """Return the deal of which these cards are known; None where it cannot be told how many were dealt.

    In stud the one card that is known of somebody else's first three is the one that lies open.
    """
    first, is_stud = street in FIRST, variant in STUD
    whole = VARIANTS[variant].start_cards if first else 1
    hidden = UNKNOWN_CARD * (whole - len(known) // 2)
    how: HowKnown = "owner" if own else "unknown"
    if not is_stud:  # some writers deal card by card: one that is known is not one of several
        return HoleCardsDealt(seat, known or hidden, "", how) if known or first else None
    cards = hidden + known if len(known) == len(UNKNOWN_CARD) else known + hidden
    if first:
        how = "dealt-up" if known and hidden else how
        return HoleCardsDealt(seat, cards, "ddu" if len(cards) == 3 * len(UNKNOWN_CARD) else "", how)
    if street == "seventh":
        return HoleCardsDealt(seat, cards, "d", how)
    return HoleCardsDealt(seat, cards, "u", "dealt-up")


def drawn(seat: Seat, held: Sequence[str], told: Cards) -> list[CardsDiscarded | CardsDrawn]:
    """Return what a seat that holds so many cards gave up and got, of which a draw tells the new ones or the whole hand."""
    cards = split_cards(told)
    kept = [card for card in cards if card in held and card != UNKNOWN_CARD]
    new = [card for card in cards if card not in kept]
    gone = "".join(card for card in held if card not in kept) if kept else ""
    if not new:
        return []
    return [CardsDiscarded(seat, len(new), gone if len(gone) == 2 * len(new) else ""), CardsDrawn(seat, "".join(new))]


def brought_in(rounds: Sequence[Sequence[Mapping[str, object]]], chips: Callable[[object], _Amount]) -> _Amount:
    """Return stud's first bet if it can only be the bring-in, which the format writes as a bet; otherwise 0.

    `rounds`: the acts of each. A limit's first raise makes it twice the bet, and later streets bet twice as much at
    most: where more is made or bet, the first one was less than a bet. Where nobody does, nothing tells.
    """
    put: dict[str, _Amount] = {}
    nothing = first = most = chips(None)
    raised = False
    for nth, acts in enumerate(rounds):
        for act in acts:
            name = str(act.get("action")).lower()
            if name not in ("bet", "call", "raise"):
                continue
            added = chips(act.get("amount"))
            seat = str(act.get("player_id"))
            mine = put[seat] = put.get(seat, nothing) + added
            if name == "bet" and not nth and not first:
                first = added
            elif name == "bet" and nth:
                most = max(most, added)
            elif name == "raise" and not nth and not raised:
                most, raised = max(most, mine), True
        put.clear()
    return first if most > _MOST * first else nothing
