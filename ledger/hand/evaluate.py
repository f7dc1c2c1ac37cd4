"""Evaluate who should win each pot, by run, board and half, if the needed cards are known.

Amounts are before the drop. An odd chip goes to one of the winners by the house's rule; here it is only counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from ledger.errors import VariantError
from ledger.hand import betting as b
from ledger.hand import ending as e
from ledger.hand.hand_strength import rank_hand
from ledger.hand.holdings import has_tabled, list_boards
from ledger.hand.pots import Pot, pots
from ledger.hand.state import HandState
from ledger.hand.variants import Variant
from ledger.vocabulary import UNKNOWN_CARD, Chips, Seat

__all__ = ["PotShare", "Range", "Shares", "award_ranges", "divide_pot", "rank_hand", "shares"]

Reason: TypeAlias = Literal[
    "",
    "nothing-to-win",
    "voided",
    "game-unknown",
    "cards-unknown",  # a seat that can win didn't show all its cards
    "board-incomplete",
    "nobody-left",  # every seat that could win has folded or mucked
    "cards-contradict",  # too few or too many cards for a hand
]


class PotShare(NamedTuple):
    """A part of a pot and the seats that win it."""

    pot: int  # 0 = main pot
    run: int
    board: int
    half: Literal["", "high", "low"]
    amount: Chips
    winners: tuple[Seat, ...]  # by seat number
    odd: Chips  # the indivisible remainder; any of the winners may get a chip of it


@dataclass(frozen=True, slots=True)
class Shares:
    """All shares of a hand. `reason` says why a pot is missing; "" = none is."""

    parts: tuple[PotShare, ...]
    reason: Reason = ""


class Range(NamedTuple):
    """The least and the most that a seat can rightly have been paid after the drop, wherever odd chips went."""

    least: Chips
    most: Chips


def shares(state: HandState) -> Shares:
    """Return who should be awarded how much, if the cards are known."""
    if state.voided:
        return Shares((), "voided")
    all_pots = pots(state)
    if not all_pots:
        return Shares((), "nothing-to-win")
    if state.game is None:
        return Shares((), "game-unknown")
    try:
        game = state.variant
    except VariantError:
        return Shares((), "game-unknown")
    table = _Table(state, game)
    pot_shares: list[PotShare] = []
    reason: Reason = ""
    for pot_number, pot in enumerate(all_pots):
        try:
            pot_shares += table.list_shares(pot_number, pot)
        except _MissingRecordError as error:
            reason = error.reason
        except VariantError:
            reason = "cards-contradict"
    return Shares(tuple(pot_shares), reason)


def award_ranges(state: HandState) -> dict[Seat, Range] | None:
    """Return how much each seat can rightly get in all, after the drop; None if unknown.

    The drop may have come from any pot, and odd chips may have gone to any winner: the range covers every case. The
    winnings of a sold hand may have gone to the house.
    """
    all_shares = shares(state)
    if all_shares.reason or not all_shares.parts:
        return None
    lowest_awards: dict[Seat, Chips] = {}
    highest_awards: dict[Seat, Chips] = {}
    unit = _find_smallest_chip(state)
    is_split = len({share[1:4] for share in all_shares.parts}) > 1
    for share in all_shares.parts:
        winner_count = len(share.winners)
        slack = unit if is_split else 0  # an odd chip between runs, boards or halves
        base = (share.amount - share.odd) // winner_count
        for seat in share.winners:
            lowest_awards[seat] = lowest_awards.get(seat, 0) + max(0, base - slack)
            highest_awards[seat] = highest_awards.get(seat, 0) + base + share.odd + slack
    if len(lowest_awards) == 1:
        seat, total = next(iter(lowest_awards)), sum(share.amount for share in all_shares.parts)
        lowest_awards[seat] = highest_awards[seat] = total - state.chips.drop
    else:
        lowest_awards = {seat: max(0, lowest_award - state.chips.drop) for seat, lowest_award in lowest_awards.items()}
    return {
        seat: Range(0 if seat in state.sold_seats else lowest_awards[seat], highest_awards[seat])
        for seat in lowest_awards
    }


class _MissingRecordError(Exception):
    """The record lacks what is needed; never leaves this module."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


class _Table:
    """The cards of a finished hand, and each seat's ranks, computed once."""

    def __init__(self, state: HandState, game: Variant) -> None:
        self.state = state
        self.game = game
        self.boards = list_boards(state.dealing)
        self.conceded = _find_conceded_seats(state)
        self.ranks: dict[tuple[Seat, int, int], tuple[int | None, int | None]] = {}
        self.unit = _find_smallest_chip(state)
        self.qualifier = state.options.get("low-qualifier", 8) != 0

    def list_shares(self, number: int, pot: Pot) -> Iterable[PotShare]:
        """Return the shares of one pot."""
        if len(pot.seats) == 1:
            return [PotShare(number, 1, 1, "", pot.amount, pot.seats, 0)]
        able = tuple(seat for seat in pot.seats if seat not in self.conceded)
        if not able:
            raise _MissingRecordError("nobody-left")
        if len(able) == 1:
            return [PotShare(number, 1, 1, "", pot.amount, able, 0)]
        parts: list[PotShare] = []
        places = self._list_board_places()
        for (run, board), amount in zip(places, _split_evenly(pot.amount, len(places), self.unit), strict=True):
            ranked = {seat: self._rank_seat(seat, run, board) for seat in able}
            parts += divide_pot(PotShare(number, run, board, "", amount, (), 0), ranked, self.unit)
        return parts

    def _list_board_places(self) -> list[tuple[int, int]]:
        """Return the runs and boards that divide the pot."""
        if not self.game.board_cards:
            if self.state.runs > 1:  # a draw that is run twice: no event has a seat's cards of the second run
                raise _MissingRecordError("cards-unknown")
            return [(1, 1)]
        complete_boards = {place for place, cards in self.boards.items() if len(cards) >= self.game.board_cards}
        expected_boards = {(run, board) for run, board in self.boards}
        expected_boards |= {(1, board) for board in range(1, self.game.boards + 1)}
        expected_boards |= {(run, 1) for run in range(1, self.state.runs + 1)}
        if expected_boards != complete_boards:
            raise _MissingRecordError("board-incomplete")
        return sorted(complete_boards)

    def _rank_seat(self, seat: Seat, run: int, board: int) -> tuple[int | None, int | None]:
        place = (seat, run, board)
        if place not in self.ranks:
            hole = self.state.hole_cards(seat)
            if not hole or UNKNOWN_CARD in hole or any(card[0] == "{" for card in hole):
                raise _MissingRecordError("cards-unknown")
            cards = self.boards.get((run, board), [])
            self.ranks[place] = rank_hand(self.game, hole, cards, qualifier=self.qualifier)
        return self.ranks[place]


def divide_pot(
    undivided: PotShare, ranked: Mapping[Seat, tuple[int | None, int | None]], unit: Chips = 1
) -> list[PotShare]:
    """Divide a pot, or its part for a run or board, among the best high and low hands."""
    highs = _find_winners({seat: pair[0] for seat, pair in ranked.items()})
    lows = _find_winners({seat: pair[1] for seat, pair in ranked.items()})
    if not highs or not lows:
        return [_award_share(undivided, "", undivided.amount, highs or lows, unit)]
    high, low = _split_evenly(undivided.amount, 2, unit)
    return [_award_share(undivided, "high", high, highs, unit), _award_share(undivided, "low", low, lows, unit)]


def _award_share(
    undivided: PotShare, half: Literal["", "high", "low"], amount: Chips, winners: tuple[Seat, ...], unit: Chips
) -> PotShare:
    return PotShare(
        undivided.pot, undivided.run, undivided.board, half, amount, winners, amount % (len(winners) * unit)
    )


def _find_smallest_chip(state: HandState) -> Chips:
    """Return the smallest chip that a pot is divided down to."""
    smallest_chip = state.options.get("smallest-chip")
    return smallest_chip if isinstance(smallest_chip, int) and smallest_chip > 0 else 1


def _find_conceded_seats(state: HandState) -> set[Seat]:
    """Return the seats whose cards were mucked or cleared away at the showdown unseen."""
    conceded_seats: set[Seat] = set(state.cleared_seats)
    for event in state.dealing:
        if isinstance(event, e.CardsMucked | b.Folded):
            conceded_seats.add(event.seat)
        elif isinstance(event, e.CardsShown) and not event.after:
            conceded_seats.discard(event.seat)
    return {seat for seat in conceded_seats & state.live if not has_tabled(state.dealing, seat)}


def _find_winners(ranks: dict[Seat, int | None]) -> tuple[Seat, ...]:
    known_ranks = [hand_rank for hand_rank in ranks.values() if hand_rank is not None]
    if not known_ranks:
        return ()
    best_rank = min(known_ranks)
    return tuple(sorted(seat for seat, hand_rank in ranks.items() if hand_rank == best_rank))


def _split_evenly(amount: Chips, parts: int, unit: Chips) -> list[Chips]:
    """Divide into equal parts of complete chips. The first part gets the remainder."""
    part_amount = amount // (parts * unit) * unit
    return [amount - part_amount * (parts - 1), *[part_amount] * (parts - 1)]
