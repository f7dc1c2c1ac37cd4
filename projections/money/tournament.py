"""Read a tournament: its tables in playing order, and the stays of each player at them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple
from uuid import UUID

from ledger import safe
from ledger.hand.opening import TournamentSet
from ledger.presence import FloorRuled, PlayerBusted, SeatLeft, SeatMoved, SeatTaken
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.hands.table_streams import table_entries
from ledger.streams import table_stream
from ledger.table.events import HandPlayed, PlayerEliminated, TableEvent, TableOpened, Within
from ledger.table.order import put_in_order
from ledger.table.positions import find_big_blind_seat
from projections.money.difference import EventRef, name_fact
from projections.reports.event_text import EventDescriber
from projections.table_walk.played_tables import list_places

if TYPE_CHECKING:
    from ledger.people import People
    from ledger.store import Ledger
    from ledger.table.standing_accounts import TableEntry
    from ledger.vocabulary import Chips, Millis, PlayerId, Seat

_NUMBER: Final = re.compile(r"[0-9]{1,9}", re.ASCII)


class TournamentFact(NamedTuple):
    """An event at a table, other than a hand."""

    event: TableEvent | Within
    version: int  # in the table's stream; of a fact within a hand, that of the hand
    hands_before: int  # hands of the table that had begun by then
    time: Millis | None
    within_hand: bool = False


class TableHand(NamedTuple):
    """A hand of a table, with who sat at the table."""

    hand: HandPlayed
    version: int  # in the table's stream
    time: Millis | None
    players: Mapping[Seat, PlayerId]  # dealt in or left out
    stacks: Mapping[PlayerId, Chips | None]  # after the hand; None = unknown

    @property
    def big_blind_seat(self) -> Seat | None:
        """The position of the big blind, or None if the record doesn't have it."""
        return find_big_blind_seat(self.hand)


@dataclass
class TournamentTable:
    """A table of a tournament: its hands in playing order, and its other events."""

    key: TableKey
    hands: list[TableHand] = field(default_factory=list)
    facts: list[TournamentFact] = field(default_factory=list)
    chairs: int = 0  # 0 = unknown

    @property
    def name(self) -> str:
        """Its name, sanitized for a sentence."""
        return safe.terminal(self.key.table, 24)

    @property
    def number(self) -> int | None:
        """The number in its name, or None if it has none."""
        match = _NUMBER.search(self.key.table)
        return int(match[0]) if match else None

    @cached_property
    def _facts_by_hand(self) -> Mapping[int, Sequence[TournamentFact]]:
        """The facts, by the number of hands that had begun before."""
        facts_by_hand: dict[int, list[TournamentFact]] = {}
        for fact in self.facts:
            facts_by_hand.setdefault(fact.hands_before, []).append(fact)
        return facts_by_hand

    @cached_property
    def _times(self) -> Sequence[Millis]:
        """When the hands began, in playing order. All hands have times."""
        return [hand.time or 0 for hand in self.hands]

    def list_facts_after(self, hand_index: int) -> Sequence[TournamentFact]:
        """Return the facts of a hand and those before the next one. -1: the facts before the first hand."""
        return self._facts_by_hand.get(hand_index + 1, ())

    def has_ruling_after(self, hand_index: int) -> bool:
        """Whether the floor ruled at the table in a hand or between it and the next one."""
        return any(isinstance(fact.event, FloorRuled) for fact in self.list_facts_after(hand_index))

    def list_survivors(self, hand_index: int) -> dict[Seat, PlayerId]:
        """Return the players with chips after a hand, by seat. A player who buys back in for the next hand counts."""
        hand = self.hands[hand_index]
        next_players = self.hands[hand_index + 1].players.values() if hand_index + 1 < len(self.hands) else ()
        eliminated_players = {
            fact.event.player for fact in self.list_facts_after(hand_index) if isinstance(fact.event, PlayerEliminated)
        }
        return {
            seat: player
            for seat, player in hand.players.items()
            if player in next_players or (hand.stacks[player] != 0 and player not in eliminated_players)
        }

    def find_index_at(self, moment: Millis) -> int | None:
        """Return the index of the last hand that had begun by a moment, or None if none had. All hands have times."""
        index = bisect_right(self._times, moment) - 1
        return index if index >= 0 else None

    def find_index_from(self, moment: Millis) -> int | None:
        """Return the index of the first hand that began at a moment or later, or None if there is none."""
        index = bisect_left(self._times, moment)
        return index if index < len(self.hands) else None


@dataclass
class Stay:
    """A player's time in one seat of a table."""

    player: PlayerId
    table: TournamentTable
    seat: Seat
    first: int | None = None  # index of the first hand; None = none yet
    last: int | None = None
    arrival: TournamentFact | None = None  # the event by which the player came, if it is recorded
    departure: TournamentFact | None = None

    @property
    def began(self) -> Millis | None:
        """When its first hand began, else when the player sat down, else the nearest hand; None = unknown."""
        if self.first is not None:
            return self.table.hands[self.first].time
        if self.arrival is None or not self.table.hands:
            return None
        nearest_hand = self.table.hands[max(self.arrival.hands_before - 1, 0)]
        return nearest_hand.time if self.arrival.time is None else self.arrival.time

    @property
    def came_from_other_table(self) -> bool:
        """Whether the record says that the player came from another table."""
        event = self.arrival.event if self.arrival is not None else None
        return isinstance(event, SeatTaken) and event.origin in ("broken-game", "table-balance")

    @property
    def ended_broke(self) -> bool:
        """Whether the player was eliminated there, so that a later stay is a new entry."""
        departure = self.departure.event if self.departure is not None else None
        if isinstance(departure, PlayerEliminated | PlayerBusted):
            return True
        if isinstance(departure, SeatLeft) and departure.reason == "busted":
            return True
        return self.last is not None and self.table.hands[self.last].stacks[self.player] == 0


class TournamentMove(NamedTuple):
    """A player's move from one stay to the next."""

    player: PlayerId
    origin: Stay
    target: Stay

    @property
    def is_to_other_table(self) -> bool:
        """Whether the player changed tables."""
        return self.origin.table is not self.target.table


@dataclass
class Tournament:
    """A tournament with all its tables. `desk` is the stream of the tournament itself, which has no hands."""

    venue: str
    number: str
    tables: list[TournamentTable]  # with hands
    desk: list[TournamentTable]  # streams without hands
    people: People
    stays_by_player: dict[PlayerId, list[Stay]] = field(default_factory=dict)  # of each player, in order of time
    currency: str = ""  # of its prices; "" = unknown

    @property
    def has_times(self) -> bool:
        """Whether all hands have times, so that tables can be compared."""
        return all(hand.time is not None for table in self.tables for hand in table.hands)

    @property
    def facts(self) -> Iterator[tuple[TournamentTable, TournamentFact]]:
        """All events other than hands, each with its table: those of the desk first."""
        return ((table, fact) for table in (*self.desk, *self.tables) for fact in table.facts)

    @property
    def moves(self) -> Iterator[TournamentMove]:
        """The changes of seats and tables. A player who went broke and bought another entry didn't move."""
        for player, player_stays in self.stays_by_player.items():
            for origin, target in pairwise(player_stays):
                if not origin.ended_broke:
                    yield TournamentMove(player, origin, target)

    def may_have_been_elsewhere(self, player: PlayerId) -> bool:
        """Whether a player sat at several tables in an unknown order."""
        return not self.has_times and len({stay.table.key for stay in self.stays_by_player[player]}) > 1

    def name_player(self, player: PlayerId) -> str:
        """Return a player's name for a sentence."""
        return EventDescriber(self.people).name_person(player)

    def refer_to_hand(self, table: TournamentTable, hand_index: int, note: str = "") -> EventRef:
        """Return the reference to a hand of a table."""
        hand = table.hands[hand_index].hand
        return EventRef(hand.hand, 1, f"{table.key.table}/{hand.number}", note)

    def refer_to_fact(self, table: TournamentTable, fact: TournamentFact) -> EventRef:
        """Return the reference to a fact, or to the hand in which it happened."""
        note = EventDescriber(self.people).describe(fact.event)
        if fact.within_hand:
            return self.refer_to_hand(table, fact.hands_before - 1, note)
        name = name_fact(table.key.table or self.number, fact.version)
        return EventRef(table_stream(*table.key).hex, fact.version, name, note)


def list_tournaments(ledger: Ledger) -> list[tuple[str, str]]:
    """Return the venue and number of each tournament in a ledger, sorted."""
    return sorted({(key.venue, key.tournament) for key in list_places(ledger) if key.tournament})


def read_tournament(ledger: Ledger, venue: str, number: str) -> Tournament:
    """Read the tables of a tournament, and who sat where."""
    desk_key = TableKey(venue, number, "")
    keys = [key for key in list_places(ledger) if (key.venue, key.tournament) == (venue, number)]
    records = [read_table(key, table_entries(ledger, key)) for key in dict.fromkeys([*keys, desk_key])]
    tables = [record for record in records if record.hands]
    desk = [record for record in records if not record.hands]
    return Tournament(venue, number, tables, desk, ledger.people, order_stays(tables), _read_currency(ledger, tables))


def _read_currency(ledger: Ledger, tables: Sequence[TournamentTable]) -> str:
    """Return the currency of the buy-in, from the tables' first hands, or "" if it's unknown."""
    for table in tables:
        for event in ledger.events(UUID(hex=table.hands[0].hand.hand)):
            if isinstance(event, TournamentSet) and event.currency:
                return event.currency
    return ""


def read_table(key: TableKey, entries: Iterable[TableEntry]) -> TournamentTable:
    """Read a table's entries in playing order."""
    table = TournamentTable(key)
    for entry in put_in_order(entries):
        event = entry.event
        if isinstance(event, HandPlayed):
            _add_hand(table, entry, event)
            continue
        if isinstance(event, TableOpened):
            table.chairs = event.seats or table.chairs
        table.facts.append(TournamentFact(event, entry.version, len(table.hands), entry.time))
    return table


def _add_hand(table: TournamentTable, entry: TableEntry, hand: HandPlayed) -> None:
    """Add a hand and the facts within it."""
    time = hand.started if hand.started is not None else entry.time
    players = {dealt.seat: dealt.player for dealt in hand.dealt_in} | {
        absent.seat: absent.player for absent in hand.left_out
    }
    stacks = {dealt.player: dealt.after for dealt in hand.dealt_in} | {
        absent.player: absent.stack for absent in hand.left_out
    }
    table.hands.append(TableHand(hand, entry.version, time, players, stacks))
    table.chairs = max(table.chairs, hand.seats)
    table.facts += [
        TournamentFact(event, entry.version, len(table.hands), time, within_hand=True) for event in hand.within
    ]


def order_stays(tables: Iterable[TournamentTable]) -> dict[PlayerId, list[Stay]]:
    """Return the stays of each player, ordered by time. Stays without a time come last."""
    stays_by_player: dict[PlayerId, list[Stay]] = {}
    for table in tables:
        for stay in _StayReader(table).read():
            stays_by_player.setdefault(stay.player, []).append(stay)
    for player_stays in stays_by_player.values():
        player_stays.sort(key=lambda stay: (stay.began is None, stay.began or 0))
    return stays_by_player


class _StayReader:
    """Reads who sat where at one table, from its facts and hands in order."""

    def __init__(self, table: TournamentTable) -> None:
        self._table = table
        self._current_stays: dict[PlayerId, Stay] = {}
        self._all_stays: list[Stay] = []

    def read(self) -> list[Stay]:
        """Return the stays at the table, in the order in which they began."""
        self._add_facts(0)
        for index, hand in enumerate(self._table.hands):
            self._add_hand(index, hand)
            self._add_facts(index + 1)
        return [stay for stay in self._all_stays if stay.first is not None or stay.arrival is not None]

    def _add_facts(self, hands_before: int) -> None:
        for fact in self._table.list_facts_after(hands_before - 1):
            event = fact.event
            if isinstance(event, SeatTaken):
                self._seat_player(event.player, event.seat, fact)
            elif isinstance(event, SeatMoved):
                self._end_stay(event.player, fact)
                self._seat_player(event.player, event.to, fact)
            elif isinstance(event, SeatLeft | PlayerEliminated | PlayerBusted):
                self._end_stay(event.player, fact)

    def _add_hand(self, index: int, hand: TableHand) -> None:
        absent_players = [player for player in self._current_stays if player not in hand.players.values()]
        for player in absent_players:
            if self._current_stays[player].first is not None:
                del self._current_stays[player]
        for seat, player in hand.players.items():
            stay = self._seat_player(player, seat, None)
            stay.first = index if stay.first is None else stay.first
            stay.last = index

    def _seat_player(self, player: PlayerId, seat: Seat, arrival: TournamentFact | None) -> Stay:
        stay = self._current_stays.get(player)
        if stay is None or stay.seat != seat:
            stay = self._current_stays[player] = Stay(player, self._table, seat, arrival=arrival)
            self._all_stays.append(stay)
        return stay

    def _end_stay(self, player: PlayerId, departure: TournamentFact) -> None:
        stay = self._current_stays.pop(player, None)
        if stay is not None:
            stay.departure = departure
