"""Read stacks that facts state (a count, a cash-out, a player who is out of chips), with the stack expected so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ledger.event import Event
from ledger.presence import ChipsAdded, ChipsRemoved, PlayerBusted, SeatLeft, SeatTaken, StackCounted
from ledger.table.events import HandPlayed
from ledger.table.state import SeatState, TableState
from ledger.vocabulary import Chips, PlayerId, Seat
from projections.amount_text import MoneyFormat
from projections.sentences import table_chips as say

ClaimKind: TypeAlias = Literal["left", "counted", "seated", "busted", "overdrawn"]


class StackClaim(NamedTuple):
    """A stack that a fact states, and the stack by the events before it."""

    kind: ClaimKind
    seat: Seat
    player: PlayerId
    expected: Chips
    stated: Chips

    @property
    def amount(self) -> Chips:
        """How much more is stated."""
        return self.stated - self.expected

    @property
    def is_overdrawn(self) -> bool:
        """Whether more chips were taken off than there were."""
        return self.kind == "overdrawn"

    def describe(self, money: MoneyFormat) -> str:
        """Return the sentence, without a full stop."""
        stated, expected = money(self.stated), money(self.expected)
        if self.kind == "busted":
            return say.out_of_chips(self.seat, expected)
        if self.kind == "overdrawn":
            return say.more_taken_off(self.seat, stated, expected)
        return _SENTENCES[self.kind](self.seat, stated, expected)


_SENTENCES: Final[dict[ClaimKind, Callable[[Seat, str, str], str]]] = {
    "left": say.stack_when_leaving,
    "counted": say.stack_counted,
    "seated": say.stack_when_seated,
}


def read_claim(event: Event, state: TableState) -> StackClaim | None:
    """Return the stack that a fact states, or None. `state`: the table before the fact."""
    reader = HANDLERS.get(type(event))
    return reader(event, state) if reader is not None else None


def list_late_claims(hand: HandPlayed) -> Iterator[StackClaim]:
    """Yield the stacks with which players left during a hand, with the stacks that the hand leaves them."""
    stacks = {dealt_in.player: dealt_in.after for dealt_in in hand.dealt_in}
    seats = {dealt_in.player: dealt_in.seat for dealt_in in hand.dealt_in}
    players = {dealt_in.seat: dealt_in.player for dealt_in in hand.dealt_in}
    for event in hand.within:
        if isinstance(event, ChipsAdded | ChipsRemoved):
            player = event.player or players.get(event.seat or 0, "")
            stack = stacks.get(player)
            if stack is not None:
                stacks[player] = stack + (event.amount if isinstance(event, ChipsAdded) else -event.amount)
        elif isinstance(event, SeatLeft) and event.stack is not None:
            expected = stacks.get(event.player)
            if expected is not None:
                yield StackClaim("left", seats[event.player], event.player, expected, event.stack)


def _find_seat(state: TableState, seat: Seat | None, player: PlayerId) -> SeatState | None:
    """Return the seat that a fact is about, if its stack is known."""
    seat_state = state.seats.get(seat) if seat is not None else None
    if seat_state is None or (player and seat_state.player != player):
        seat_state = state.seat_of(player) if player else None
    return seat_state if seat_state is not None and seat_state.stack is not None else None


def _build_claim(kind: ClaimKind, seat_state: SeatState | None, stated: Chips | None) -> StackClaim | None:
    if seat_state is None or seat_state.stack is None or stated is None:
        return None
    return StackClaim(kind, seat_state.seat, seat_state.player, seat_state.stack, stated)


def _read_leaving(event: SeatLeft, state: TableState) -> StackClaim | None:
    is_out = event.stack is None and event.reason == "busted"
    stack = 0 if is_out else event.stack
    return _build_claim("busted" if is_out else "left", _find_seat(state, event.seat, event.player), stack)


def _read_count(event: StackCounted, state: TableState) -> StackClaim | None:
    """Read a count. A stack that was set has an amount before; one that was counted doesn't."""
    stack = event.amount if event.before is None else event.before
    return _build_claim("counted", _find_seat(state, event.seat, ""), stack)


def _read_seating(event: SeatTaken, state: TableState) -> StackClaim | None:
    return _build_claim("seated", _find_seat(state, None, event.player), event.stack)


def _read_bust(event: PlayerBusted, state: TableState) -> StackClaim | None:
    return _build_claim("busted", _find_seat(state, event.seat, event.player), 0)


def _read_removal(event: ChipsRemoved, state: TableState) -> StackClaim | None:
    seat_state = _find_seat(state, event.seat, event.player)
    is_overdrawn = seat_state is not None and event.amount > (seat_state.stack or 0)
    return _build_claim("overdrawn", seat_state, event.amount) if is_overdrawn else None


HANDLERS: Final[dict[type[Event], Callable[[Any, TableState], StackClaim | None]]] = {
    SeatLeft: _read_leaving,
    StackCounted: _read_count,
    SeatTaken: _read_seating,
    PlayerBusted: _read_bust,
    ChipsRemoved: _read_removal,
}
