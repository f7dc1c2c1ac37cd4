"""Track the events that each player's stack follows from, and the facts since the last hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ledger.event import Event
from ledger.hand.ending import LineUnread
from ledger.presence import (
    ChipsAdded,
    ChipsRemoved,
    PlayerAway,
    PlayerBack,
    SeatLeft,
    SeatMoved,
    SeatTaken,
    StackCounted,
)
from ledger.table.events import HandPlayed, TimeChargeTaken
from ledger.table.money_events import FundPaid
from ledger.table.order import TableEntry
from ledger.table.state import TableState
from ledger.vocabulary import Chips, PlayerId, Seat
from projections.money.difference import EventRef
from projections.sentences import paragraph
from projections.sentences import table_chips as say

if TYPE_CHECKING:
    from projections.money.chip_notes import ChipNotes

_COMINGS_AND_GOINGS: Final = (SeatTaken, SeatLeft, SeatMoved, PlayerAway, PlayerBack)
_CHIP_MOVES: Final = (ChipsAdded, ChipsRemoved, TimeChargeTaken)


@dataclass(slots=True)
class StackBasis:
    """The last event that states a player's stack, and the chips that came and went since."""

    stack: Chips | None
    hand: HandPlayed | None = None  # that left the stack; None = a fact states it
    facts: list[EventRef] = field(default_factory=list)
    was_counted: bool = False
    moved_chips: list[Chips] = field(default_factory=list)
    is_of_last_game: bool = False

    def list_references(self, notes: ChipNotes) -> list[EventRef]:
        """Return the hand and the facts that the stack follows from."""
        return [*([] if self.hand is None else [notes.refer_to_hand(self.hand)]), *self.facts]

    def describe(self, notes: ChipNotes, seat: Seat) -> str:
        """Return sentences on where the stack comes from."""
        money = notes.money
        if self.hand is not None:
            origin = say.stack_after_hand(seat, notes.format_hand_number(self.hand), money(self.stack))
        elif self.was_counted:
            origin = say.stack_counted_before(seat, money(self.stack))
        else:
            origin = say.stack_brought(seat, money(self.stack))
        moves = [
            say.chips_added_since(seat, money(chips)) if chips > 0 else say.chips_removed_since(seat, money(-chips))
            for chips in self.moved_chips
        ]
        return paragraph(origin, *moves)


class StackHistory:
    """Where each player's stack comes from, by the table's events so far."""

    def __init__(self, notes: ChipNotes) -> None:
        """Create an empty history. `notes` names hands and facts."""
        self.last_hand: HandPlayed | None = None
        self._notes = notes
        self._bases: dict[PlayerId, StackBasis] = {}
        self._facts: list[tuple[TableEntry, PlayerId, EventRef]] = []  # since the last hand

    def find_basis(self, player: PlayerId) -> StackBasis | None:
        """Return what a player's stack follows from, if any event states it."""
        return self._bases.get(player)

    def is_of_last_game(self, player: PlayerId) -> bool:
        """Whether a player's stack was last stated before the game began."""
        basis = self._bases.get(player)
        return basis is not None and basis.is_of_last_game

    def begin_game(self) -> None:
        """Mark the stacks so far as those of the last game."""
        for basis in self._bases.values():
            basis.is_of_last_game = True

    def rename(self, old_player: PlayerId, new_player: PlayerId) -> None:
        """Move a player's stack to another id."""
        if old_player in self._bases:
            self._bases[new_player] = self._bases.pop(old_player)

    def add_hand(self, hand: HandPlayed, state: TableState) -> None:
        """Add a hand, from which the stacks after it follow. `state`: the table after the hand."""
        for dealt_in in hand.dealt_in:
            seat_state = state.seat_of(dealt_in.player)
            stack = seat_state.stack if seat_state is not None else dealt_in.after
            self._bases[dealt_in.player] = StackBasis(stack, hand)
        for left_out in hand.left_out:
            if left_out.stack is not None:
                self._bases[left_out.player] = StackBasis(left_out.stack, hand)
        self.last_hand = hand
        self._facts.clear()

    def add_fact(self, entry: TableEntry, state: TableState) -> None:
        """Add a fact between hands. `state`: the table after it."""
        event = entry.event
        if not isinstance(event, (*_COMINGS_AND_GOINGS, *_CHIP_MOVES, StackCounted, FundPaid, LineUnread)):
            return
        player = _find_player(event, state)
        reference = self._notes.refer_to_fact(entry)
        self._facts.append((entry, player, reference))
        if isinstance(event, SeatTaken) and event.stack is not None:
            self._bases[player] = StackBasis(event.stack, facts=[reference])
        elif isinstance(event, StackCounted):
            self._bases[player] = StackBasis(event.amount, facts=[reference], was_counted=True)
        elif isinstance(event, _CHIP_MOVES) and player in self._bases:
            basis = self._bases[player]
            basis.facts.append(reference)
            basis.moved_chips.append(event.amount if isinstance(event, ChipsAdded) else -event.amount)

    def list_facts_like(self, player: PlayerId, amount: Chips) -> list[EventRef]:
        """Return facts since the last hand that may explain a difference of this amount, the likeliest first.

        The same amount at any seat comes first, then unreadable lines, then the player's comings and goings.
        """
        return [
            *self._list_amounts(amount),
            *(reference for entry, _, reference in self._facts if isinstance(entry.event, LineUnread)),
            *(
                reference
                for entry, fact_player, reference in self._facts
                if fact_player == player
                and isinstance(entry.event, _COMINGS_AND_GOINGS)
                and getattr(entry.event, "stack", None) != amount
            ),
        ]

    def _list_amounts(self, amount: Chips) -> Iterator[EventRef]:
        for entry, _, reference in self._facts:
            if amount in (getattr(entry.event, "amount", None), getattr(entry.event, "stack", None)):
                yield reference


def _find_player(event: Event, state: TableState) -> PlayerId:
    """Return the player whom a fact is about, or "" if nobody knows."""
    player: PlayerId = getattr(event, "player", "")
    seat_state = state.seats.get(getattr(event, "seat", None) or 0)
    return player or (seat_state.player if seat_state is not None else "")
