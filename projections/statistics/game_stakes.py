"""Read the stakes of a hand: blinds, limit bets, or a tournament's price."""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.hand.state import HandState
from ledger.vocabulary import in_units, shown_decimals

_PRICE_DECIMALS: Final = 2


class GameStakes(NamedTuple):
    """The stakes of a game."""

    amounts: str = ""  # blinds 1/2, limit bets 4/8, a tournament's price and fee 5+0.50; "" = not on record
    unit: str = ""


def read_stakes(state: HandState) -> GameStakes:
    """Return the stakes of a hand. Amounts have a decimal point in any language."""
    game = state.game
    if game is None:
        return GameStakes()
    if game.format == "tournament":
        return _read_price(state)
    exponent = shown_decimals(game.exponent)
    amounts = game.bets if game.betting == "limit" and game.bets else game.blinds or game.bets
    if not amounts:
        return GameStakes()
    return GameStakes("/".join(in_units(chips, exponent) for chips in amounts), game.unit)


def _read_price(state: HandState) -> GameStakes:
    tournament = state.tournament
    if tournament is None or tournament.buy_in is None:
        return GameStakes()
    parts = (tournament.buy_in, tournament.bounty, tournament.fee)
    return GameStakes("+".join(in_units(part, _PRICE_DECIMALS) for part in parts if part), tournament.currency)
