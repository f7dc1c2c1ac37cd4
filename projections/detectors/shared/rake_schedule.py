"""What a house's schedule takes from a hand, and what the record shows was taken."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from math import ceil, floor
from typing import Final, NamedTuple

from ledger.hand.chips import HandChips
from ledger.hand.ending import DropTaken
from ledger.hand.opening import GameSet
from ledger.hand.pots import pots
from ledger.hand.state import HandState
from ledger.text.language import translatable
from ledger.vocabulary import Chips, Seat, Witness
from projections.detectors.shared.house_games import (
    STAKES_UNKNOWN,
    find_cash_game,
    fits_entry,
    to_chips,
    to_whole_chips,
)
from projections.findings.finding import CannotTell, NoOccasion
from projections.obligations.house_points import DropKind, RakedChips, RakeRow, Rounding
from projections.timeline.hand_timeline import Timeline

_NO_ROW: Final = translatable("what the house takes in this game")
_UNEVEN: Final = translatable("which chips are wrong: the payouts and the drop don't add up to the pot")
_UNFINISHED: Final = translatable("how the hand ended")
_SEEDED: Final = translatable("whether the house rakes chips that it added to the pot")
_NO_FLOP_GAME: Final = translatable("what “no flop, no drop” means in a game without a flop")


class RakeTaken(NamedTuple):
    """What the record shows was taken from a hand."""

    chips: Chips
    version: int  # of the last drop of this kind; 0 = none


class RakeDue(NamedTuple):
    """What the schedule takes from a hand."""

    chips: Chips
    pots: tuple[Chips, ...]  # the pots that the row counts, each by itself if it's rounded by itself
    raw_share: Fraction  # the percentage, before it's rounded and capped; of fixed drops, the drop itself
    returned: Chips  # the uncalled bet

    @property
    def pot(self) -> Chips:
        """The chips that the row counts."""
        return sum(self.pots)


def find_row(hand: Timeline, schedule: Sequence[RakeRow], kind: DropKind) -> RakeRow | CannotTell | NoOccasion | None:
    """Return the first row of a schedule that fits a cash hand, or None if there is none.

    Return `CannotTell` if the record lacks the game or its stakes, and `NO_OCCASION` for a tournament.
    """
    game = find_cash_game(hand)
    if not isinstance(game, GameSet):
        return game
    for row in schedule:
        if row.kind != kind or not _fits_players(hand, row):
            continue
        fit = fits_entry(game, row)
        if fit is None:
            return CannotTell(STAKES_UNKNOWN)
        if fit:
            return row
    return None


def require_row(hand: Timeline, schedule: Sequence[RakeRow], kind: DropKind) -> RakeRow | CannotTell | NoOccasion:
    """Return the row that fits a hand; `CannotTell` if there is none."""
    return find_row(hand, schedule, kind) or CannotTell(_NO_ROW)


def _fits_players(hand: Timeline, row: RakeRow) -> bool:
    """Whether a row is for as many players as were dealt in."""
    players = len(hand.seats)
    return row.players_min <= players and (row.players_max is None or players <= row.players_max)


def sum_taken(hand: Timeline, kind: DropKind) -> RakeTaken:
    """Return what the record shows was taken."""
    drops = [(version, drop.amount) for version, drop in hand.of(DropTaken) if drop.kind == kind]
    if not drops or hand.played.final_state.voided:
        return RakeTaken(0, 0)
    return RakeTaken(sum(amount for _, amount in drops), drops[-1][0])


def find_cap(row: RakeRow, game: GameSet) -> Chips | None:
    """Return the most that a row ever takes from a hand, or None if it has no cap."""
    if row.drops:
        return max(to_whole_chips(drop.take, game) for drop in row.drops)
    return None if row.cap is None else to_whole_chips(row.cap, game)


def is_dropless(hand: Timeline, row: RakeRow) -> bool | CannotTell:
    """Whether a row takes nothing from a hand because it had no flop."""
    if not row.no_flop_no_drop:
        return False
    variant = hand.variant
    if variant is None:
        return CannotTell("game")
    if not variant.board_cards:
        has_later_act = any(act.street != variant.streets[0].name for act in hand.acts)
        return False if has_later_act else CannotTell(_NO_FLOP_GAME)
    if any(deal.withdrawn is None and deal.street != variant.streets[0].name for deal in hand.deals):
        return False
    return True if hand.is_witnessed(Witness.BOARD) else CannotTell("board")


def compute_due(hand: Timeline, row: RakeRow, game: GameSet) -> RakeDue | CannotTell:
    """Return what a row takes from a finished hand, or why nobody can tell.

    Whether the hand had a flop isn't asked: `is_dropless`.
    """
    state = hand.played.final_state
    if problem := _explain_unknown_pot(hand, state):
        return CannotTell(problem)
    returned = sum(state.chips.returned.values())
    pot_sizes = tuple(_list_raked_pots(hand, state, row.raked, returned))
    if row.drops:
        reached = [drop for drop in row.drops if to_chips(drop.pot, game) <= sum(pot_sizes)]
        fixed = to_whole_chips(reached[-1].take, game) if reached else 0
        return RakeDue(fixed, pot_sizes, Fraction(fixed), returned)
    rate = Fraction(str(row.percent or 0)) / 100
    chips = sum(_round_share(rate * size, row, game) for size in pot_sizes)
    cap = find_cap(row, game)
    return RakeDue(chips if cap is None else min(chips, cap), pot_sizes, rate * sum(pot_sizes), returned)


def compute_due_chips(hand: Timeline, schedule: Sequence[RakeRow], kind: DropKind) -> Chips | None:
    """Return what a schedule takes from a finished hand, or None if nobody can tell, or if no row fits."""
    row, game = find_row(hand, schedule, kind), hand.game
    if not isinstance(row, RakeRow) or game is None:
        return None
    dropless = is_dropless(hand, row)
    if isinstance(dropless, CannotTell):
        return None
    if dropless:
        return 0
    due = compute_due(hand, row, game)
    return None if isinstance(due, CannotTell) else due.chips


def _explain_unknown_pot(hand: Timeline, state: HandState) -> str:
    """Return why nobody can tell how large the pot was; "" = it's known."""
    if not hand.is_witnessed(Witness.ACTS):
        return "acts"
    if not hand.is_witnessed(Witness.POSTS):
        return "posts"
    if state.chips.seeded:
        return _SEEDED
    if state.chips.awarded and not state.conservation():
        return ""
    return _UNEVEN if state.completed else _UNFINISHED


def _list_raked_pots(hand: Timeline, state: HandState, raked: RakedChips, returned: Chips) -> list[Chips]:
    """Return the sizes of the pots that a row takes its part from, each by itself."""
    if raked == "called":
        return [state.pot_size()]
    if raked == "all-bets":
        return [state.pot_size() + returned]
    sizes = [pot.amount for pot in pots(_FinalPots(hand, state))] or [0]
    return sizes if raked == "each-pot" else sizes[:1]


class _FinalPots:
    """The pots as they were when the betting ended: a hand that was mucked later could still win."""

    def __init__(self, hand: Timeline, state: HandState) -> None:
        self._state = state
        self._live = set(state.live) if hand.betting_end is None else set(hand.betting_end.live_seats)

    @property
    def chips(self) -> HandChips:
        return self._state.chips

    @property
    def live(self) -> set[Seat]:
        return self._live

    def is_all_in(self, seat: Seat) -> bool:
        return self._state.is_all_in(seat)


def _round_share(share: Fraction, row: RakeRow, game: GameSet) -> Chips:
    """Return a share in whole units of the table: a multiple of the row's step, if it has one."""
    step = Fraction(1) if row.step is None else to_chips(row.step, game)
    if not step:
        return floor(share)
    return floor(_round(share / step, row.rounding) * step)


def _round(number: Fraction, rounding: Rounding) -> int:
    """Return a whole number; a half is rounded up to the nearest."""
    if rounding == "up":
        return ceil(number)
    return floor(number + Fraction(1, 2)) if rounding == "nearest" else floor(number)


def list_kinds(schedule: Sequence[RakeRow]) -> list[DropKind]:
    """Return the kinds of drop that a schedule is about."""
    kinds: AbstractSet[DropKind] = {row.kind for row in schedule}
    return sorted(kinds, reverse=True)
