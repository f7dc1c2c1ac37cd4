"""Read rows about the table between hands: phrases and the facts that they mean.

If a row doesn't name a seat, the nearest list of stacks does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from ledger import presence
from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.pokernow.rows import VENUE, SeatHistory
from ledger.hand.ending import LineUnread, RemarkNoted
from ledger.people import People
from ledger.readers import amounts, phrases
from ledger.table import events as table_events
from ledger.vocabulary import Chips, PlayerId, Seat


@dataclass(slots=True)
class PokerNowTable:
    """The state of the table while its rows are read."""

    people: People
    sitting: SeatHistory
    exponent: int  # of the log's amounts
    in_hand: bool = False  # the row is part of a hand
    row_index: int = 0  # the number of the row
    blinds: dict[str, Chips] = field(default_factory=dict)  # small and big, as far as known
    tokens: dict[str, str] = field(default_factory=dict)  # a player's id → the last name and id

    def player(self, token: str) -> PlayerId:
        """Return the id of a player by the log's name and id."""
        return self.people.player(VENUE, token)

    def chips(self, text: str) -> Chips:
        """Return an amount. Raises `UnreadableHandError` if the text isn't one."""
        return amounts.read(text, self.exponent)

    def seat(self, token: str) -> Seat | None:
        """Return the player's last seat before the current row, or None."""
        return self.sitting.seat_before(self.row_index, token)

    def keep_remark(self) -> list[Event]:
        """Return a remark for a row without an event of its own."""
        return [RemarkNoted(self.people.text(self.sitting.row_text(self.row_index).strip().replace("\0", " ")))]


FactsMaker: TypeAlias = Callable[..., list[Event]]
"""Makes the facts of a row from the table and the fields of the row's phrase."""


def read_table_facts(table: PokerNowTable, index: int, text: str) -> list[Event] | None:
    """Return the facts of row `index` about the table, or None for an unknown row."""
    table.row_index = index
    for make_facts, fields in PHRASES.matches(text):
        try:
            return make_facts(
                table,
                **{
                    field_name: parse_field(table, field_text) if parse_field else field_text
                    for field_name, parse_field, field_text in fields
                },
            )
        except (UnreadableHandError, amounts.FinerAmountError):
            return None
    return table.keep_remark() if text.startswith(REMARK_BEGINNINGS) else None


def build_unread_line(table: PokerNowTable, text: str) -> LineUnread:
    """Return the event that keeps an unknown row."""
    return LineUnread(table.people.text(text.strip().replace("\0", " ")))


# -- seats and chips --------------------------------------------------------------------------------


def _build_join_maker(origin: presence.Origin) -> FactsMaker:
    def make_facts(table: PokerNowTable, token: str, stack: Chips) -> list[Event]:
        seat = table.sitting.seat_after(table.row_index, token)
        if seat is None:  # never dealt in: only the chips are a fact
            return [presence.ChipsAdded(None, stack, "buy-in", player=table.player(token))]
        return [presence.SeatTaken(seat, table.player(token), origin, stack)]

    return make_facts


def _make_stand_up(table: PokerNowTable, token: str, stack: Chips) -> list[Event]:
    seat = table.seat(token)
    player_away = presence.PlayerAway(seat, table.player(token), why="stood-up")
    # In the middle of a hand the stack doesn't include the bets, so it is no count.
    return [player_away] if seat is None or table.in_hand else [presence.StackCounted(seat, stack), player_away]


def _make_return(table: PokerNowTable, token: str, stack: Chips) -> list[Event]:
    player_id, former_seat, seat = (
        table.player(token),
        table.seat(token),
        table.sitting.seat_after(table.row_index, token),
    )
    facts: list[Event] = [presence.PlayerBack(former_seat, player_id)]
    if seat is not None:
        if former_seat is not None and seat != former_seat:
            facts.append(presence.SeatMoved(player_id, former_seat, seat))
        facts.append(presence.StackCounted(seat, stack))
    return facts


def _make_identification(table: PokerNowTable, token: str, old_id: str, new_id: str) -> list[Event]:
    name = token.rpartition(" @ ")[0]
    former_token, current_token = table.tokens.get(old_id, f"{name} @ {old_id}"), f"{name} @ {new_id}"
    table.tokens[new_id] = current_token
    return [table_events.PlayerIdentified(table.player(former_token), table.player(current_token))]


def _make_stack_update(table: PokerNowTable, token: str, stack: Chips, new_stack: Chips) -> list[Event]:
    chips_event = presence.ChipsAdded if new_stack >= stack else presence.ChipsRemoved
    return [chips_event(table.seat(token), abs(new_stack - stack), "admin", "host", table.player(token))]


def _make_seat_answer(table: PokerNowTable, token: str, stack: Chips) -> list[Event]:
    return [table_events.SeatRequestAnswered(table.player(token), granted=True, by="host", stack=stack)]


# -- the game -----------------------------------------------------------------------------------------


def _build_stakes_maker(changed_blind: str, other_blind: str) -> FactsMaker:
    def make_facts(table: PokerNowTable, stack: Chips) -> list[Event]:
        table.blinds[changed_blind] = stack
        next_text = table.sitting.row_text(table.row_index + 1)
        if next_text.startswith(f"The game's {other_blind} blind was changed from "):  # both blinds change at once
            table.blinds[other_blind] = table.chips(next_text.rpartition(" to ")[2].rstrip("."))
        small_blind, big_blind = table.blinds.get("small"), table.blinds.get("big")
        if small_blind is None or big_blind is None:  # the other blind was set before this log began
            return table.keep_remark()
        return [table_events.StakesChanged((small_blind, big_blind))]

    return make_facts


REMARK_BEGINNINGS: Final = (
    "WARNING: ",
    "Game Config Changes",
    "Asking to busted players",
    "Waiting for the game owner",
    "IMPORTANT: ",
)
"""The beginnings of rows without an event of their own: their words are kept."""

PHRASES: Final[phrases.PhraseTable[FactsMaker, Callable[[PokerNowTable, str], Chips]]] = phrases.PhraseTable(
    (
        ('The player "{token}" joined the game with a stack of {stack}.', _build_join_maker("unknown")),
        (
            'The player "{token}" quits the game with a stack of {stack}.',
            lambda table, token, stack: [
                presence.SeatLeft(table.seat(token), table.player(token), "left" if stack else "busted", stack)
            ],
        ),
        ('The player "{token}" stand up with the stack of {stack}.', _make_stand_up),
        ('The player "{token}" sit back with the stack of {stack}.', _make_return),
        (
            'The player "{token}" requested a seat.',
            lambda table, token: [table_events.SeatRequested(table.player(token))],
        ),
        (
            'The player "{token}" canceled the seat request.',
            lambda table, token: [table_events.SeatRequestAnswered(table.player(token), granted=False, by="player")],
        ),
        ('The admin approved the player "{token}" participation with a stack of {stack}.', _make_seat_answer),
        ('The admin "{_}" approved the player "{token}" participation with a stack of {stack}.', _make_seat_answer),
        (
            'The player "{token}" requested a seat with a stack of {stack}.',
            lambda table, token, stack: [table_events.SeatRequested(table.player(token), stack=stack)],
        ),
        (
            'The admin "{_}" rejected the seat request from the player "{token}".',
            lambda table, token: [table_events.SeatRequestAnswered(table.player(token), granted=False, by="host")],
        ),
        (
            'The admin "{_}" forced the player "{token}" to away mode in the next hand.',
            lambda table, token: [presence.PlayerAway(table.seat(token), table.player(token), why="forced")],
        ),
        (
            'The admin "{_}" enqueued the removal of the player "{token}".',
            lambda table, token: [table_events.RemovalQueued(table.player(token), "host", False)],
        ),
        (
            'The admin "{_}" canceled the removal of the player "{token}".',
            lambda table, token: [table_events.RemovalQueued(table.player(token), "host", True)],
        ),
        (
            'The admin "{_}" enqueued the game stop on next hand.',
            lambda _: [table_events.RemovalQueued("", "host", False)],
        ),
        (
            'The admin "{_}" canceled the game stop on next hand.',
            lambda _: [table_events.RemovalQueued("", "host", True)],
        ),
        ('The admin updated the player "{token}" stack from {stack} to {new_stack}.', _make_stack_update),
        ('The admin "{_}" updated the player "{token}" stack from {stack} to {new_stack}.', _make_stack_update),
        (
            'The player "{token}" passed the room ownership to "{new_host}".',
            lambda table, token, new_host: [table_events.HostChanged(table.player(new_host), table.player(token))],
        ),
        (
            'The player "{token}" changed the ID from {old_id} to {new_id} because authenticated login.',
            _make_identification,
        ),
        ('The player "{token}" is in the tournament with a stack of {stack}.', _build_join_maker("game-start")),
        (
            'The player "{token}" will start to play in this table with a stack of {stack}.',
            _build_join_maker("table-balance"),
        ),
        (
            'The player "{token}" was moved to table #{_}.',
            lambda table, token: [presence.SeatLeft(table.seat(token), table.player(token), "moved")],
        ),
        ('"{_}" will be playing on table #{_} (ID: {_}).', PokerNowTable.keep_remark),
        ('The player "{_}" requested a rebuy of {_}.', PokerNowTable.keep_remark),
        (
            'The player "{token}" rebought. New stack {stack}.',  # a rebuy without chips: the stack is the purchase
            lambda table, token, stack: [
                presence.ChipsAdded(table.seat(token), stack, "rebuy", "player", table.player(token))
            ],
        ),
        ("The game's small blind was changed from {_} to {stack}.", _build_stakes_maker("small", "big")),
        ("The game's big blind was changed from {_} to {stack}.", _build_stakes_maker("big", "small")),
        ("The game's ante was changed from {_} to {stack}.", lambda _, stack: [table_events.StakesChanged(ante=stack)]),
        ("Game entering in a break returning in {_} minutes.", lambda _: [table_events.TablePaused("break")]),
    ),
    dict.fromkeys(("stack", "new_stack"), PokerNowTable.chips),
)
"""The phrase of a row → the maker of its facts."""

TOURNAMENT_WORDS: Final = (
    "is in the tournament with a stack of",
    "was moved to table #",
    "will be playing on table #",
    "will start to play in this table with",
    "rebought. New stack",
    "Game entering in a break",
)
"""Words of rows that only tournaments have."""
