"""The order of streets and the number of cards on each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.hand.dealing import BoardDealt, HoleCardsDealt, WrongCountFound
from ledger.hand.ending import HandVoided
from ledger.vocabulary import Seat, Witness
from projections.dealt import found_by_word, miscounted, partly_known
from projections.detector import Symptom, detects
from projections.finding import Answer, Breach, CannotTell
from projections.timeline import Deal, Timeline

_STREETS: Final = ("flop", "turn", "river")
_FLOP: Final = 3


@detects(
    on=(BoardDealt, HoleCardsDealt),
    needs=Witness.BOARD | Witness.ACTS,
    signs=Symptom.STREETS | Symptom.OPEN_ROUND | Symptom.HOLE_COUNT,
    mendable=True,
)
def order(
    hand: Timeline,
    *,
    board: list[int],
    hole: int | None = None,
    betting_open: bool = False,
    found_is_elsewhere: bool = False,
) -> Iterator[Answer]:
    """A street came out of order or with a wrong number of cards, or before the betting was over.

    `found_is_elsewhere`: the book has a clause for a wrong number of hole cards that was found.
    """
    if hole is not None:
        found: set[Seat] = set()
        if found_is_elsewhere:
            found = {event.seat for _, event in hand.of(WrongCountFound)}
            found |= {seat for _, seat in found_by_word(hand)}
        yield from (breach for breach in miscounted(hand, hole) if breach.seat not in found)
        if partly_known(hand, hole):
            yield CannotTell("own-cards")
    if not hand.of(BoardDealt):
        return
    for deal in (*hand.deals, *hand.others):
        if deal.street not in _STREETS:
            continue
        at, reached = _STREETS.index(deal.street), _lying(hand, deal)
        if at > reached:
            yield Breach(
                deal.version,
                f"the {deal.street} came before the {_STREETS[reached]}",
                should=f"the {_STREETS[reached]} next",
            )
        went_on = any(other.version > deal.version for other in hand.deals)
        stays = deal.withdrawn is None and went_on  # else what was taken may still be replaced
        many = (deal.left if stays else deal.cards) - deal.event.stuck
        if many != board[at] and not (deal.street == "flop" and deal.cards > board[0]):
            yield Breach(
                deal.version,
                f"{many} card{'s' * (many != 1)} on the {deal.street}",
                should=f"{board[at]} card{'s' * (board[at] != 1)}",
            )
    if betting_open:
        for deal in hand.early():
            if deal.matched and deal.street == "flop" and deal.withdrawn is None:
                continue  # nothing but an option was lacking, and that is the blind's own clause
            yield Breach(
                deal.version,
                f"the {deal.street} came while seat {deal.open[0]} had yet to act",
                seat=deal.open[0],
                should="the betting first",
                certainty="certain" if hand.witnessed(Witness.DEAL_ERRORS) else "likely",
                of=deal.version if deal.oversize else 0,
            )
    end = hand.ended
    void = bool(hand.of(HandVoided))  # cancelled: there is no betting to finish
    told = end is not None and bool(end.open) and betting_open and hand.passed_over(end.open[0])
    if end is not None and end.open and not (void or told) and not (end.matched and end.street == "preflop"):
        yield Breach(
            end.version,
            f"the hand ended on the {end.street} while seat {end.open[0]} had yet to act",
            seat=end.open[0],
            should="the betting first",
            certainty="likely",
        )


def _lying(hand: Timeline, before: Deal) -> int:
    """Return how many streets lay on a card's own board when it came.

    A later run shares the streets below the first of its own; a second board has its own. A whole
    flop that lies there for the first betting, as in all-in-or-fold games, is the flop.
    """
    board, run = before.event.board, before.event.run
    lying = [
        (_STREETS.index(deal.street) + 1 if deal.street in _STREETS else 1, deal)
        for deal in (*hand.deals, *hand.others)
        if (deal.street in _STREETS or deal.cards >= _FLOP) and deal.event.board == board
    ]
    lowest = min(at for at, deal in lying if deal.event.run == run)
    return max(
        (
            at
            for at, deal in lying
            if deal.version < before.version
            and (deal.event.run == run or at < lowest)
            and (deal.withdrawn is None or deal.withdrawn[0] > before.version)
        ),
        default=0,
    )
