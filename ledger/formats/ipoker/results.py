"""What a game's players won, and what follows from it: bets that came back, the rake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.formats.ipoker.words import bare
from ledger.hand.ending import DropTaken, HandCompleted, ResultDeclared
from ledger.readers.marked import Tag
from ledger.vocabulary import Chips, Seat

if TYPE_CHECKING:
    from ledger.formats.ipoker.game import Game, Parts


def settle(told: Game, found: Parts, *, apart: bool | None) -> None:
    """Tell who won what. A game that says it of nobody is not over.

    `apart`: the session says whether bets that nobody called are left out of what was won; None =
    it does not say.
    """
    told.close_bets()
    wins: dict[Seat, Chips] = {}
    tags: dict[Seat, Tag] = {}
    rake = 0
    for player in found.players:
        seat = told.seats.get(player.name)
        if seat is None:
            continue
        tags[seat] = player.tag
        if bare(player.win):
            wins[seat] = told.sum(player.win)
        if bare(player.rake):
            rake += told.sum(player.rake)
    if not sum(wins.values()):
        return
    back: dict[Seat, Chips] = {}
    for seat, amount, _ in told.pending:
        back[seat] = back.get(seat, 0) + amount
    within = _within(sum(told.put_in), wins, back, apart=apart)
    told.return_bets()
    for seat, win in wins.items():
        if not win:
            continue
        told.place(tags[seat])
        returned = back.get(seat, 0) if within else 0
        if returned < win:
            if returned:
                told.derived.append(len(told.events))
            told.award(seat, win - returned)
        told.put(ResultDeclared("winnings", seat, win))
    told.at = told.whole
    _rake(told, rake)
    told.put(HandCompleted())


def _within(total: Chips, wins: dict[Seat, Chips], back: dict[Seat, Chips], *, apart: bool | None) -> bool:
    """Tell whether the bets that nobody called are counted in what was won.

    Old clients count them, newer ones may. It shows where more was won than others had put in, or
    where a seat that lost to another has won just what nobody called.
    """
    uncalled, won = sum(back.values()), sum(wins.values())
    if not uncalled or any(amount > wins.get(seat, 0) for seat, amount in back.items()):
        return False
    consoled = all(wins[seat] == amount for seat, amount in back.items()) and won > uncalled
    if won > total - uncalled or consoled:
        return won <= total
    return apart is False and 10 * (total - won) <= total


def _rake(told: Game, rake: Chips) -> None:
    if rake:
        told.drop("rake", rake)
        told.put(ResultDeclared("rake", amount=rake))
        return
    left = sum(told.put_in) - told.paid
    if left > 0 and told.game.format == "cash" and 4 * left <= told.paid:
        told.derive(DropTaken("rake", left), at=told.at)
