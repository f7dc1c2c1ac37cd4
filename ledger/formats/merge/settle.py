"""Who was paid, what came back, and what the house took."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ledger.hand.ending import Half, HandCompleted
from ledger.hand.opening import BlindPosted
from ledger.readers.settling import conclude_rake, within_awards

if TYPE_CHECKING:
    from ledger.formats.merge.game import Game
    from ledger.formats.merge.parts import Line

_HALVES: Final[dict[str, Half]] = {"h": "high", "l": "low"}


def settle(told: Game) -> None:
    """Tell the winners. A game that names none is not over."""
    winners = [line for one in told.found.rounds for line in one.winners]
    told.close_bets()
    _say(told, winners)
    parted = False
    for line in winners:
        if line.get("uncalled") == "true":
            parted = _back(told, line) or parted
    for line in winners:
        if line.get("uncalled") != "true":
            _award(told, line)
    if not told.paid and not parted:
        return
    if not parted:
        within_awards(told, always=True)
    told.return_bets()
    told.at = told.whole
    conclude_rake(told)
    told.put(HandCompleted())


def _back(told: Game, line: Line) -> bool:
    """Give back what nobody called; False for a seat that is not in the hand."""
    told.at_line(line)
    seat = line.seat
    if seat is None or seat not in told.stacks:
        told.unknown(line)
        return False
    told.give_back(seat, told.chips(line.get("amount")))
    return True


def _award(told: Game, line: Line) -> None:
    told.at_line(line)
    seat, number = line.seat, line.get("potnumber")
    if seat is None or seat not in told.stacks:
        told.unknown(line)
        return
    pot = int(number) - 1 if number.isascii() and number.isdecimal() and 0 < len(number) < 3 else None
    half = _HALVES.get(line.get("pottype"), "")
    told.award(seat, told.chips(line.get("amount")), pot if pot != -1 else None, half=half)


def _say(told: Game, winners: list[Line]) -> None:
    """Conclude the one post that the file tells with an amount of 0: what is missing in the pots.

    Only in tournaments, where nothing is taken out of them.
    """
    if told.unsaid < 0 or told.game.format != "tournament" or not winners:
        return
    missing = sum(told.chips(line.get("amount")) for line in winners) - sum(told.put_in)
    event = told.events[told.unsaid]
    if missing > 0 and isinstance(event, BlindPosted):
        told.put_in[event.seat] += missing
        told.posts[event.seat] += missing
        told.events[told.unsaid] = BlindPosted(event.seat, event.role, missing, 0, all_in=True)
        told.derived.append(told.unsaid)
