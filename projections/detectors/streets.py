"""The order of streets, the number of cards on each, and betting left open between them.

`order` is the detector; its docstring states the breach.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from ledger.hand.dealing import BoardDealt, HoleCardsDealt, WrongCountFound
from ledger.hand.ending import HandVoided
from ledger.hand.street_deals import StreetDeal
from ledger.vocabulary import Seat, Witness
from projections.detectors.shared.deal_counts import find_noticed_miscounts, has_unknown_hole_cards, judge_hole_counts
from projections.findings.detector import Symptom, hand_detector
from projections.findings.finding import Answer, Breach, CannotTell
from projections.sentences import dealing as say
from projections.sentences.words import count_of
from projections.timeline.hand_timeline import AFTER_ALL_EVENTS, Timeline

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

    `found_is_elsewhere`: another clause of the book covers a wrong number of hole cards that was noticed.
    """
    if hole is not None:
        yield from _judge_hole_counts(hand, hole, found_is_elsewhere=found_is_elsewhere)
    if not hand.of(BoardDealt):
        return
    yield from _judge_streets(hand, board)
    if betting_open:
        yield from _judge_early_streets(hand)
    yield from _judge_early_end(hand, betting_open=betting_open)


def _judge_hole_counts(hand: Timeline, hole: int, *, found_is_elsewhere: bool) -> Iterator[Answer]:
    """Yield the seats with a wrong number of hole cards, without those that were noticed if `found_is_elsewhere`."""
    miscounted_seats: set[Seat] = set()
    if found_is_elsewhere:
        miscounted_seats = {event.seat for _, event in hand.of(WrongCountFound)}
        miscounted_seats |= {seat for _, seat in find_noticed_miscounts(hand)}
    yield from (breach for breach in judge_hole_counts(hand, hole) if breach.seat not in miscounted_seats)
    if has_unknown_hole_cards(hand, hole):
        yield CannotTell("own-cards")


def _judge_streets(hand: Timeline, board: list[int]) -> Iterator[Breach]:
    """Yield the streets that came out of order or with a wrong number of cards."""
    last_version = max((deal.version for deal in hand.deals), default=0)
    street_counter = _StreetCounter(hand)
    for deal in (*hand.deals, *hand.later_runs):
        if deal.street not in _STREETS:
            continue
        street_index, streets_dealt = _STREETS.index(deal.street), street_counter.count_before(deal)
        if street_index > streets_dealt:
            due_street = _STREETS[streets_dealt]
            yield Breach(
                deal.version, say.street_out_of_order(deal.street, due_street), should=say.street_next(due_street)
            )
        is_followed = deal.version < last_version
        is_kept = deal.withdrawn is None and is_followed  # otherwise a card taken back may still be replaced
        card_count = (deal.remaining_count if is_kept else deal.card_count) - deal.event.stuck
        if card_count != board[street_index] and not (deal.street == "flop" and deal.card_count > board[0]):
            yield Breach(
                deal.version, say.cards_on_street(deal.street, card_count), should=count_of(board[street_index], "card")
            )


def _judge_early_streets(hand: Timeline) -> Iterator[Breach]:
    """Yield the streets that came before the betting was over."""
    for deal in hand.early_streets():
        if deal.is_matched and deal.street == "flop" and deal.withdrawn is None:
            continue  # only the big blind's option was missing, which has its own clause
        yield Breach(
            deal.version,
            say.street_before_betting_over(deal.street, deal.first_to_act),
            seat=deal.first_to_act,
            should=say.betting_first(),
            certainty="certain" if hand.is_witnessed(Witness.DEAL_ERRORS) else "likely",
            severity="warning" if deal.withdrawn is not None else None,  # corrected in time
            wrong_event=deal.version if deal.is_oversize else 0,
        )


def _judge_early_end(hand: Timeline, *, betting_open: bool) -> Iterator[Breach]:
    """Yield a breach if the hand ended before the betting was over."""
    end = hand.betting_end
    if end is None or not end.seats_to_act or hand.of(HandVoided):  # a cancelled hand has no betting to finish
        return
    first_to_act = end.seats_to_act[0]
    is_only_option = end.is_matched and end.street == "preflop"
    is_reported = betting_open and hand.was_passed_over(first_to_act)
    if not (is_reported or is_only_option):
        yield Breach(
            end.version,
            say.hand_ended_before_betting_over(end.street, first_to_act),
            seat=first_to_act,
            should=say.betting_first(),
            certainty="likely",
        )


class _StreetCounter:
    """Counts the streets that lie on a board at any time.

    A later run shares the streets before its own first one; a second board shares none. A whole flop dealt before
    the first betting, as in all-in-or-fold games, counts as the flop.
    """

    def __init__(self, hand: Timeline) -> None:
        # By (board, run, street): from which version to which such cards lay there. Run None = any run.
        # Streets are numbered 1 = flop to 3 = river.
        self._periods: dict[tuple[int, int | None, int], list[tuple[int, int]]] = {}
        self._first_own_street: dict[tuple[int, int], int] = {}  # by (board, run)
        for deal in (*hand.deals, *hand.later_runs):
            if deal.street not in _STREETS and deal.card_count < _FLOP:
                continue
            board, run = deal.event.board, deal.event.run
            street = _STREETS.index(deal.street) + 1 if deal.street in _STREETS else 1
            period = deal.version, AFTER_ALL_EVENTS if deal.withdrawn is None else deal.withdrawn[0]
            for key in ((board, run, street), (board, None, street)):
                self._periods.setdefault(key, []).append(period)
            self._first_own_street[board, run] = min(self._first_own_street.get((board, run), street), street)
        self._sorted_periods = {key: _sort_periods(street_periods) for key, street_periods in self._periods.items()}

    def count_before(self, deal: StreetDeal) -> int:
        """Return how many streets were on a deal's board before it."""
        board, run = deal.event.board, deal.event.run
        first_own_street = self._first_own_street[board, run]
        for street in range(len(_STREETS), 0, -1):
            if self._is_on_board(board, run, street, deal.version):
                return street
            if street < first_own_street and self._is_on_board(board, None, street, deal.version):
                return street
        return 0

    def _is_on_board(self, board: int, run: int | None, street: int, version: int) -> bool:
        """Whether a street was on a board just before an event; `run` None = in any run."""
        dealt_versions, end_versions = self._sorted_periods.get((board, run, street), ([], []))
        earlier_count = bisect_left(dealt_versions, version)
        return earlier_count > 0 and end_versions[earlier_count - 1] > version


def _sort_periods(periods: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Return the starts of the periods in order, and for each the latest end up to it."""
    periods.sort()
    return [start for start, _ in periods], list(accumulate((end for _, end in periods), max))
