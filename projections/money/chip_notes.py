"""Build the differences and gaps of one table, with references to the events that they rest on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ledger import safe
from ledger.streams import table_stream
from ledger.table.events import HandPlayed
from ledger.table.order import TableEntry
from ledger.table.state import TableState
from ledger.vocabulary import Chips, PlayerId, Seat
from projections.amount_text import MoneyFormat
from projections.money.difference import DifferenceKind, EventRef, MoneyDifference, MoneyGap, name_fact
from projections.reports.break_text import describe_stack_change
from projections.reports.event_text import EventDescriber

if TYPE_CHECKING:
    from ledger.people import People
    from ledger.store.hands.hand_accounts import TableKey


class ChipNotes:
    """Names a table's hands, players and facts, in the unit of its last hand."""

    def __init__(
        self,
        table_key: TableKey,
        people: People,
        name_hand: Callable[[HandPlayed], str],
        money: MoneyFormat,
        kind: DifferenceKind = "chips",
    ) -> None:
        """Create the notes of a table. `name_hand` returns a hand's address. `kind` is that of all differences and gaps."""
        self.money = money
        self._table_key = table_key
        self._stream = table_stream(*table_key).hex
        self._people = people
        self._name_hand = name_hand
        self._kind = kind
        self._describer = EventDescriber(people)
        self._dealer: PlayerId = ""

    def update_table(self, hand: HandPlayed, state: TableState) -> None:
        """Set the unit to that of a hand, and the seats to those after it."""
        if hand.unit:
            self.money.unit, self.money.exponent = hand.unit, hand.exponent
        self.seat_players(state)

    def seat_players(self, state: TableState) -> None:
        """Set who sits where, and who deals."""
        self._dealer = state.dealer
        self._describer.money = self.money
        self._describer.players = {seat: seat_state.player for seat, seat_state in state.seats.items()}

    def name_player(self, player: PlayerId) -> str:
        """Return a player's name, or "" if the ledger doesn't hold it."""
        return self._people.name(player) or "" if player else ""

    def describe_player(self, player: PlayerId) -> str:
        """Return a player's name for a sentence."""
        return self._describer.name_person(player)

    def describe_table(self) -> str:
        """Return the table's name for a sentence."""
        return safe.terminal(self._table_key.table, 40)

    def format_hand_number(self, hand: HandPlayed) -> str:
        """Return the number of a hand for a sentence."""
        return safe.terminal(hand.number, 24)

    def describe_change(self, seat: Seat, change: Chips) -> str:
        """Return how much more or less a seat has: "seat 3 has $50 more"."""
        return describe_stack_change(seat, change, self.money.unit, self.money.exponent)

    def refer_to_hand(self, hand: HandPlayed) -> EventRef:
        """Return the reference to a hand."""
        return EventRef(hand.hand, 1, self._name_hand(hand))

    def refer_to_fact(self, entry: TableEntry) -> EventRef:
        """Return the reference to an event of the table's stream, with a line that describes it."""
        event = entry.event
        note = "" if isinstance(event, HandPlayed) else self._describer.describe(event)
        return EventRef(self._stream, entry.version, name_fact(self._table_key.table, entry.version), note)

    def locate_entry(self, entry: TableEntry) -> tuple[str, int]:
        """Return the stream and version in the reference to a hand, or to a fact."""
        event = entry.event
        return (event.hand, 1) if isinstance(event, HandPlayed) else (self._stream, entry.version)

    def refer(self, entry: TableEntry) -> EventRef:
        """Return the reference to a hand, or to a fact."""
        event = entry.event
        return self.refer_to_hand(event) if isinstance(event, HandPlayed) else self.refer_to_fact(entry)

    def build_difference(
        self,
        statement: str,
        *,
        expected: Chips | None,
        stated: Chips | None,
        events: list[EventRef],
        seat: Seat | None = None,
        player: PlayerId = "",
        reason: str = "",
        could_explain: Sequence[EventRef] = (),
    ) -> MoneyDifference:
        """Return a difference of this table."""
        return MoneyDifference(
            kind=self._kind,
            **self._table_key._asdict(),
            says=statement,
            expected=expected,
            recorded=stated,
            unit=self.money.unit,
            exponent=self.money.exponent,
            seat=seat,
            player=self.name_player(player),
            dealer=self.name_player(self._dealer),
            because=reason,
            events=events,
            could_explain=list(could_explain),
        )

    def build_gap(self, missing: str, events: list[EventRef], *, is_of_table: bool = True) -> MoneyGap:
        """Return a gap of this table, or of the whole room."""
        table_key = self._table_key if is_of_table else self._table_key._replace(tournament="", table="")
        return MoneyGap(kind=self._kind, **table_key._asdict(), missing=missing, events=events)
