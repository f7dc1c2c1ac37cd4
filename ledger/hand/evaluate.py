"""Who should win what: every pot by run, board and half, where the needed cards are known.

Amounts are before the drop. An odd chip goes by the house's rule to one of the winners: here it
is only counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from ledger.errors import VariantError
from ledger.hand import betting as b
from ledger.hand import ending as e
from ledger.hand.holdings import boards, has_tabled
from ledger.hand.pots import Pot, pots
from ledger.hand.ranking import rank
from ledger.hand.state import HandState
from ledger.hand.variants import Variant
from ledger.vocabulary import UNKNOWN_CARD, Chips, Seat

__all__ = ["Range", "Share", "Shares", "award_ranges", "divide", "rank", "shares"]

Reason: TypeAlias = Literal[
    "",
    "nothing-to-win",
    "voided",
    "game-unknown",
    "cards-unknown",  # a seat that can win did not show all its cards
    "board-incomplete",
    "nobody-left",  # every seat that could win folded or mucked
    "cards-contradict",  # no hand can be made of what the record says: too few or too many cards
]


class Share(NamedTuple):
    """A part of a pot and the seats that win it."""

    pot: int  # 0 = main pot
    run: int
    board: int
    half: Literal["", "high", "low"]
    amount: Chips
    winners: tuple[Seat, ...]  # by seat number
    odd: Chips  # what cannot be divided among them; each is a candidate for a chip of it


@dataclass(frozen=True, slots=True)
class Shares:
    """All shares of a hand; `reason` says why a pot is missing, "" = none is."""

    parts: tuple[Share, ...]
    reason: Reason = ""


class Range(NamedTuple):
    """What a seat may rightly have been paid, after the drop, wherever odd chips went."""

    least: Chips
    most: Chips


def shares(state: HandState) -> Shares:
    """Return who should be awarded what, as far as the cards are known."""
    if state.voided:
        return Shares((), "voided")
    found = pots(state)
    if not found:
        return Shares((), "nothing-to-win")
    if state.game is None:
        return Shares((), "game-unknown")
    try:
        game = state.variant
    except VariantError:
        return Shares((), "game-unknown")
    table = _Table(state, game)
    parts: list[Share] = []
    reason: Reason = ""
    for number, pot in enumerate(found):
        try:
            parts += table.share(number, pot)
        except _UntoldError as untold:
            reason = untold.reason
        except VariantError:
            reason = "cards-contradict"
    return Shares(tuple(parts), reason)


def award_ranges(state: HandState) -> dict[Seat, Range] | None:
    """Return what each seat may rightly get in all, after the drop; None where it is not known.

    The drop may have come from any pot, and odd chips may have gone to any winner: the range holds
    every such way. What a hand wins that was sold may have gone to the house.
    """
    found = shares(state)
    if found.reason or not found.parts:
        return None
    least: dict[Seat, Chips] = {}
    most: dict[Seat, Chips] = {}
    unit = _unit(state)
    split = len({part[1:4] for part in found.parts}) > 1
    for part in found.parts:
        many = len(part.winners)
        slack = unit if split else 0  # an odd chip between runs, boards or halves
        base = (part.amount - part.odd) // many
        for seat in part.winners:
            least[seat] = least.get(seat, 0) + max(0, base - slack)
            most[seat] = most.get(seat, 0) + base + part.odd + slack
    if len(least) == 1:
        seat, total = next(iter(least)), sum(part.amount for part in found.parts)
        least[seat] = most[seat] = total - state.chips.drop
    else:
        least = {seat: max(0, much - state.chips.drop) for seat, much in least.items()}
    return {seat: Range(0 if seat in state.sold_seats else least[seat], most[seat]) for seat in least}


class _UntoldError(Exception):
    """The record does not tell what is needed; never leaves this module."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


class _Table:
    """The cards of a hand at its end, and each seat's ranks, worked out once."""

    def __init__(self, state: HandState, game: Variant) -> None:
        self.state = state
        self.game = game
        self.boards = boards(state.dealing)
        self.conceded = _conceded(state)
        self.ranks: dict[tuple[Seat, int, int], tuple[int | None, int | None]] = {}
        self.unit = _unit(state)
        self.qualifier = state.options.get("low-qualifier", 8) != 0

    def share(self, number: int, pot: Pot) -> Iterable[Share]:
        """Return the shares of one pot."""
        if len(pot.seats) == 1:
            return [Share(number, 1, 1, "", pot.amount, pot.seats, 0)]
        able = tuple(seat for seat in pot.seats if seat not in self.conceded)
        if not able:
            raise _UntoldError("nobody-left")
        if len(able) == 1:
            return [Share(number, 1, 1, "", pot.amount, able, 0)]
        parts: list[Share] = []
        places = self._places()
        for (run, board), amount in zip(places, _split(pot.amount, len(places), self.unit), strict=True):
            ranked = {seat: self._rank(seat, run, board) for seat in able}
            parts += divide(Share(number, run, board, "", amount, (), 0), ranked, self.unit)
        return parts

    def _places(self) -> list[tuple[int, int]]:
        """Return the runs and boards that the pot is divided among."""
        if not self.game.board_cards:
            if self.state.runs > 1:  # a draw that is run twice: no event holds what a seat has in the second one
                raise _UntoldError("cards-unknown")
            return [(1, 1)]
        told = {place for place, cards in self.boards.items() if len(cards) >= self.game.board_cards}
        wanted = {(run, board) for run, board in self.boards}
        wanted |= {(1, board) for board in range(1, self.game.boards + 1)}
        wanted |= {(run, 1) for run in range(1, self.state.runs + 1)}
        if wanted != told:
            raise _UntoldError("board-incomplete")
        return sorted(told)

    def _rank(self, seat: Seat, run: int, board: int) -> tuple[int | None, int | None]:
        place = (seat, run, board)
        if place not in self.ranks:
            hole = self.state.hole_cards(seat)
            if not hole or UNKNOWN_CARD in hole or any(card[0] == "{" for card in hole):
                raise _UntoldError("cards-unknown")
            cards = self.boards.get((run, board), [])
            self.ranks[place] = rank(self.game, hole, cards, qualifier=self.qualifier)
        return self.ranks[place]


def divide(whole: Share, ranked: Mapping[Seat, tuple[int | None, int | None]], unit: Chips = 1) -> list[Share]:
    """Share a pot, or its part of a run or board, among the best of these high and low hands."""
    highs = _winners({seat: pair[0] for seat, pair in ranked.items()})
    lows = _winners({seat: pair[1] for seat, pair in ranked.items()})
    if not highs or not lows:
        return [_won(whole, "", whole.amount, highs or lows, unit)]
    high, low = _split(whole.amount, 2, unit)
    return [_won(whole, "high", high, highs, unit), _won(whole, "low", low, lows, unit)]


def _won(
    whole: Share, half: Literal["", "high", "low"], amount: Chips, winners: tuple[Seat, ...], unit: Chips
) -> Share:
    return Share(whole.pot, whole.run, whole.board, half, amount, winners, amount % (len(winners) * unit))


def _unit(state: HandState) -> Chips:
    """Return the smallest chip that a pot is divided down to."""
    told = state.options.get("smallest-chip")
    return told if isinstance(told, int) and told > 0 else 1


def _conceded(state: HandState) -> set[Seat]:
    """Return the seats whose cards were let go of or cleared away at the showdown without being shown."""
    gone: set[Seat] = set(state.cleared_seats)
    for event in state.dealing:
        if isinstance(event, e.CardsMucked | b.Folded):
            gone.add(event.seat)
        elif isinstance(event, e.CardsShown) and not event.after:
            gone.discard(event.seat)
    return {seat for seat in gone & state.live if not has_tabled(state.dealing, seat)}


def _winners(ranks: dict[Seat, int | None]) -> tuple[Seat, ...]:
    known = [found for found in ranks.values() if found is not None]
    if not known:
        return ()
    top = min(known)
    return tuple(sorted(seat for seat, found in ranks.items() if found == top))


def _split(amount: Chips, parts: int, unit: Chips) -> list[Chips]:
    """Divide into equal parts of whole chips; the first part takes what is left over."""
    each = amount // (parts * unit) * unit
    return [amount - each * (parts - 1), *[each] * (parts - 1)]
