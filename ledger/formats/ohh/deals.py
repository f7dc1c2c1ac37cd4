"""Facts of stud and draw games that must be inferred from Open Hand History: faces of cards, discards, the bring-in.

The format lists only the known cards that a seat is dealt. Reader and writer infer the other facts here, so
the writer counts only different facts as lost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Final, TypeVar

from ledger.hand.dealing import CardsDiscarded, CardsDrawn, HoleCardsDealt, HowKnown
from ledger.hand.variants import VARIANTS
from ledger.readers.games import STUD
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Seat, Street, split_cards

FIRST_STREETS: Final = frozenset(("preflop", "third"))
DRAW_STREETS: Final = frozenset(("first-draw", "second-draw", "third-draw"))
_MAX_BET_RATIO: Final = 2
_Amount = TypeVar("_Amount", Chips, Decimal)


def infer_deal(
    variant: str, street: Street, seat: Seat, known_cards: Cards, *, is_owner: bool
) -> HoleCardsDealt | None:
    """Return the deal with these known cards, or None if the number of cards dealt is unknown.

    In stud, the only known card of another player's first three is the one dealt face up.
    """
    is_first_street, is_stud = street in FIRST_STREETS, variant in STUD
    card_count = VARIANTS[variant].start_cards if is_first_street else 1
    hidden_cards = UNKNOWN_CARD * (card_count - len(known_cards) // 2)
    card_source: HowKnown = "owner" if is_owner else "unknown"
    if not is_stud:  # some writers deal card by card, so one known card may be the whole deal
        return (
            HoleCardsDealt(seat, known_cards or hidden_cards, "", card_source)
            if known_cards or is_first_street
            else None
        )
    cards = hidden_cards + known_cards if len(known_cards) == len(UNKNOWN_CARD) else known_cards + hidden_cards
    if is_first_street:
        card_source = "dealt-up" if known_cards and hidden_cards else card_source
        return HoleCardsDealt(seat, cards, "ddu" if len(cards) == 3 * len(UNKNOWN_CARD) else "", card_source)
    if street == "seventh":
        return HoleCardsDealt(seat, cards, "d", card_source)
    return HoleCardsDealt(seat, cards, "u", "dealt-up")


def infer_draw(seat: Seat, held_cards: Sequence[str], drawn_cards: Cards) -> list[CardsDiscarded | CardsDrawn]:
    """Return the discard and the draw of a seat. `drawn_cards` are the new cards or the whole hand after the draw."""
    card_list = split_cards(drawn_cards)
    kept_cards = [card for card in card_list if card in held_cards and card != UNKNOWN_CARD]
    new_cards = [card for card in card_list if card not in kept_cards]
    discarded_cards = "".join(card for card in held_cards if card not in kept_cards) if kept_cards else ""
    if not new_cards:
        return []
    return [
        CardsDiscarded(seat, len(new_cards), discarded_cards if len(discarded_cards) == 2 * len(new_cards) else ""),
        CardsDrawn(seat, "".join(new_cards)),
    ]


def infer_bring_in(rounds: Sequence[Sequence[Mapping[str, object]]], chips: Callable[[object], _Amount]) -> _Amount:
    """Return stud's first bet if it can only be the bring-in, which the format writes as a bet; otherwise 0.

    `rounds`: the acts of each round. In a limit game the first raise is to twice the bet, and later streets bet
    at most twice as much. A larger raise or bet shows that the first one was less than a bet.
    """
    street_totals: dict[str, _Amount] = {}
    zero_amount = first_bet = largest_bet = chips(None)
    has_raise = False
    for round_index, acts in enumerate(rounds):
        for act in acts:
            act_name = str(act.get("action")).lower()
            if act_name not in ("bet", "call", "raise"):
                continue
            chips_added = chips(act.get("amount"))
            player_id = str(act.get("player_id"))
            street_total = street_totals[player_id] = street_totals.get(player_id, zero_amount) + chips_added
            if act_name == "bet" and not round_index and not first_bet:
                first_bet = chips_added
            elif act_name == "bet" and round_index:
                largest_bet = max(largest_bet, chips_added)
            elif act_name == "raise" and not round_index and not has_raise:
                largest_bet, has_raise = max(largest_bet, street_total), True
        street_totals.clear()
    return first_bet if largest_bet > _MAX_BET_RATIO * first_bet else zero_amount
