"""The games, stakes and buy-ins that a house spreads.

Each public function is a detector; its docstring states the breach. A house states its games in its own book.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ledger.event import Event
from ledger.hand.opening import GameSet
from ledger.presence import ChipsAdded, SeatTaken
from ledger.vocabulary import Chips, Seat, Witness
from projections.detectors.shared.house_games import (
    STAKES_UNKNOWN,
    find_cash_game,
    fits_entry,
    name_entry,
    name_game,
    name_stakes,
    to_whole_chips,
)
from projections.findings.detector import SIGNS_ONLY, HandBasis, hand_detector, table_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell, NoOccasion
from projections.obligations.house_points import SpreadGame
from projections.sentences import house_games as say
from projections.table_walk.table_context import TableContext
from projections.timeline.hand_timeline import Timeline

_NEW_PLAYERS: Final = frozenset({"walk-in", "game-start", "playing-over", "unknown"})
"""Where a player comes from who buys in. From elsewhere, a player brings a stack or may have to."""
_PURCHASES: Final = frozenset({"buy-in", "rebuy", "add-on", "top-up", "unknown"})


@hand_detector()
def unlisted(hand: Timeline, *, games: list[SpreadGame]) -> Iterator[Answer]:
    """The hand is of a game, or at stakes, that the house doesn't spread."""
    game = find_cash_game(hand)
    if not isinstance(game, GameSet):
        yield game
        return
    entry = _find_entry(game, games)
    if isinstance(entry, CannotTell):
        yield entry
    elif entry is None:
        same_games = [entry for entry in games if _is_same_game(game, entry)]
        title, stakes = name_game(game), name_stakes(hand, game)
        yield Breach(
            next((version for version, _ in hand.of(GameSet)), 1),
            say.stakes_unlisted(title, stakes) if same_games else say.game_unlisted(title),
            should=say.only_these([name_entry(entry) for entry in same_games or games]),
        )


def _find_entry(game: GameSet, games: list[SpreadGame]) -> SpreadGame | CannotTell | None:
    """Return the first entry that a game falls under, or None if the house doesn't spread it."""
    fits = [fits_entry(game, entry) for entry in games]
    if True in fits:
        return games[fits.index(True)]
    return CannotTell(STAKES_UNKNOWN) if None in fits else None


def _is_same_game(game: GameSet, entry: SpreadGame) -> bool:
    """Whether an entry is of the same variant and betting as a game, at whatever stakes."""
    return entry.game == game.variant and entry.betting in ("", game.betting)


class _BuyInLimits(NamedTuple):
    """The smallest and the largest buy-in of a game; None = no such limit."""

    smallest: Chips | None
    largest: Chips | None


@table_detector(
    needs=Witness.SEATING | Witness.CHIP_PURCHASES,
    partial=Witness.SEATING | Witness.CHIP_PURCHASES,
    occasion=SIGNS_ONLY,
    subject="money",
    basis=HandBasis.TABLE_NOW,
)
def buy_in(hand: Timeline, context: TableContext, *, games: list[SpreadGame]) -> Iterator[Answer]:
    """A player sat down with fewer or more chips than the house's buy-in, or added chips beyond the largest."""
    limits = _find_limits(hand, games)
    if not isinstance(limits, _BuyInLimits):
        yield limits
        return
    answers = list(_judge_purchases(hand, context, limits))
    yield from answers or [NO_OCCASION]


def _find_limits(hand: Timeline, games: list[SpreadGame]) -> _BuyInLimits | CannotTell | NoOccasion:
    """Return the limits of a hand's game; `NO_OCCASION` if it has none, or isn't spread at all."""
    game = find_cash_game(hand)
    if not isinstance(game, GameSet):
        return game
    entry = _find_entry(game, games)
    if isinstance(entry, CannotTell):
        return entry
    if entry is None or (entry.buy_in_min is None and entry.buy_in_max is None):
        return NO_OCCASION
    smallest = None if entry.buy_in_min is None else to_whole_chips(entry.buy_in_min, game)
    return _BuyInLimits(smallest, None if entry.buy_in_max is None else to_whole_chips(entry.buy_in_max, game))


def _judge_purchases(hand: Timeline, context: TableContext, limits: _BuyInLimits) -> Iterator[Answer]:
    """Yield the breaches of players who sat down or added chips since the last hand began."""
    within: tuple[Event, ...] = () if context.last_hand is None else context.last_hand.within
    events = [*within, *(entry.event for entry in context.events_between)]
    new_seats = {event.seat for event in events if isinstance(event, SeatTaken)}
    for event in events:
        if isinstance(event, SeatTaken) and event.origin in _NEW_PLAYERS:
            yield from _judge_buy_in(hand, context, event, limits)
    added: dict[Seat, Chips] = {}
    for event in events:
        if isinstance(event, ChipsAdded) and event.kind in _PURCHASES and event.seat is not None:
            added[event.seat] = added.get(event.seat, 0) + event.amount
    for seat in added.keys() - new_seats:
        chips = added[seat]
        yield from _judge_addition(hand, context, seat, chips, limits)


def _judge_buy_in(hand: Timeline, context: TableContext, event: SeatTaken, limits: _BuyInLimits) -> Iterator[Answer]:
    """Yield a breach if a new player sat down with a stack outside the limits."""
    seat = event.seat
    dealt_stack = hand.stack_at(seat)  # with what the player added before the first hand
    stack = event.stack if dealt_stack is None else dealt_stack
    if stack is None:
        yield CannotTell("stacks-before")
        return
    amount, doubt = hand.format_chips(stack), say.origin_unknown(seat) if event.origin == "unknown" else ""
    if limits.smallest is not None and stack < limits.smallest:
        smallest = hand.format_chips(limits.smallest)
        headline, should = say.buy_in_too_small(seat, amount, smallest), say.buy_in_from(smallest)
    elif limits.largest is not None and stack > limits.largest:
        largest = hand.format_chips(limits.largest)
        headline, should = say.buy_in_too_large(seat, amount, largest), say.buy_in_up_to(largest)
    else:
        return
    yield Breach(
        context.version_of("dealt", seat),
        headline,
        seat=seat,
        should=should,
        because=doubt,
        certainty="likely" if doubt else "certain",
    )


def _judge_addition(
    hand: Timeline, context: TableContext, seat: Seat, chips: Chips, limits: _BuyInLimits
) -> Iterator[Answer]:
    stack = hand.stack_at(seat)
    if limits.largest is None or seat not in hand.start:
        return
    if stack is None:
        yield CannotTell("stacks-before")
    elif stack > limits.largest and chips > 0:
        largest = hand.format_chips(limits.largest)
        yield Breach(
            context.version_of("dealt", seat),
            say.stack_too_large(seat, hand.format_chips(chips), hand.format_chips(stack), largest),
            seat=seat,
            should=say.stack_up_to(largest),
        )
