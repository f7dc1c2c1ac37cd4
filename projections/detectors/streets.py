"""The order of streets and the number of cards on each."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from ledger.hand.dealing import BoardDealt, HoleCardsDealt, WrongCountFound
from ledger.hand.ending import HandVoided
from ledger.hand.street_deals import StreetDeal
from ledger.vocabulary import Seat, Witness
from projections.detectors.shared.deal_counts import found_by_word, miscounted, partly_known
from projections.findings.detector import Symptom, hand_detector
from projections.findings.finding import Answer, Breach, CannotTell
from projections.timeline.hand_timeline import NEVER, Timeline

_STREETS: Final = ("flop", "turn", "river")
_FLOP: Final = 3


@hand_detector(
    events=(BoardDealt, HoleCardsDealt),
    needs=Witness.BOARD | Witness.ACTS,
    signs=Symptom.STREETS | Symptom.OPEN_ROUND | Symptom.HOLE_COUNT,
    deadline="mendable",
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
        miscounted_seats: set[Seat] = set()
        if found_is_elsewhere:
            miscounted_seats = {event.seat for _, event in hand.of(WrongCountFound)}
            miscounted_seats |= {seat for _, seat in found_by_word(hand)}
        yield from (breach for breach in miscounted(hand, hole) if breach.seat not in miscounted_seats)
        if partly_known(hand, hole):
            yield CannotTell("own-cards")
    if not hand.of(BoardDealt):
        return
    last = max((deal.version for deal in hand.deals), default=0)
    board_cards = _Lying(hand)
    for deal in (*hand.deals, *hand.others):
        if deal.street not in _STREETS:
            continue
        street_index, reached = _STREETS.index(deal.street), board_cards.count(deal)
        if street_index > reached:
            yield Breach(
                deal.version,
                f"the {deal.street} came before the {_STREETS[reached]}",
                should=f"the {_STREETS[reached]} next",
            )
        went_on = deal.version < last
        stays = deal.withdrawn is None and went_on  # else what was taken may still be replaced
        card_count = (deal.left if stays else deal.cards) - deal.event.stuck
        if card_count != board[street_index] and not (deal.street == "flop" and deal.cards > board[0]):
            yield Breach(
                deal.version,
                f"{card_count} card{'s' * (card_count != 1)} on the {deal.street}",
                should=f"{board[street_index]} card{'s' * (board[street_index] != 1)}",
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
    is_void = bool(hand.of(HandVoided))  # cancelled: there is no betting to finish
    already_reported = end is not None and bool(end.open) and betting_open and hand.passed_over(end.open[0])
    if (
        end is not None
        and end.open
        and not (is_void or already_reported)
        and not (end.matched and end.street == "preflop")
    ):
        yield Breach(
            end.version,
            f"the hand ended on the {end.street} while seat {end.open[0]} had yet to act",
            seat=end.open[0],
            should="the betting first",
            certainty="likely",
        )


class _Lying:
    """How many streets lay on a board at any time.

    A later run shares the streets below the first of its own; a second board has its own. A whole
    flop that lies there for the first betting, as in all-in-or-fold games, is the flop.
    """

    def __init__(self, hand: Timeline) -> None:
        self._spells: dict[tuple[int, int | None, int], list[tuple[int, int]]] = {}
        self._lowest: dict[tuple[int, int], int] = {}
        for deal in (*hand.deals, *hand.others):
            if deal.street not in _STREETS and deal.cards < _FLOP:
                continue
            board, run = deal.event.board, deal.event.run
            street = _STREETS.index(deal.street) + 1 if deal.street in _STREETS else 1
            spell = deal.version, NEVER if deal.withdrawn is None else deal.withdrawn[0]
            for key in ((board, run, street), (board, None, street)):
                self._spells.setdefault(key, []).append(spell)
            self._lowest[board, run] = min(self._lowest.get((board, run), street), street)
        self._longest = {key: _longest(spells) for key, spells in self._spells.items()}

    def count(self, before: StreetDeal) -> int:
        """Return how many streets lay on a card's own board when it came."""
        board, run = before.event.board, before.event.run
        lowest = self._lowest[board, run]
        for street in range(len(_STREETS), 0, -1):
            if self._lay(board, run, street, before.version):
                return street
            if street < lowest and self._lay(board, None, street, before.version):
                return street
        return 0

    def _lay(self, board: int, run: int | None, street: int, version: int) -> bool:
        """Whether a street had come before an event, and was not taken back before it."""
        dealt_versions, end_versions = self._longest.get((board, run, street), ([], []))
        earlier = bisect_left(dealt_versions, version)
        return earlier > 0 and end_versions[earlier - 1] > version


def _longest(spells: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Return when each spell began, in order, and until when the longest of them and those before lasted."""
    spells.sort()
    return [start for start, _ in spells], list(accumulate((end for _, end in spells), max))
