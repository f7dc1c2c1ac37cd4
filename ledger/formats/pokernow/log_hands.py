"""Splits the rows of a log into hands and reads them; facts about the table are yielded beside the hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, get_args

import msgspec

from ledger.account import TableAccount
from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.pokernow import table
from ledger.formats.pokernow.hand import LINES, PokerNowHand, is_act
from ledger.formats.pokernow.rows import STACKS, VENUE, WITNESSES, LogRow, find_game
from ledger.formats.pokernow.table import PokerNowTable
from ledger.hand.ending import HandCompleted, LineUnread, RemarkNoted
from ledger.hand.opening import ButtonPlaced, GameFormat, GameSet
from ledger.notation import Chunk, Item
from ledger.presence import PresenceEvent, SeatTaken
from ledger.readers.documents import reject_bytes
from ledger.readers.games import unknown_game
from ledger.readers.hand import HandBuilder
from ledger.readers.spans import Spans
from ledger.readers.text_format import read_in_unit
from ledger.table.events import GameStarted
from ledger.vocabulary import Witness

STARTS: Final = "-- starting hand #"
ENDS: Final = "-- ending hand #"


@dataclass(slots=True)
class HandRows:
    """The rows of one hand; `number` is "" for actions of a hand that begins before this log."""

    number: str
    rows: list[LogRow]
    indexes: list[int]  # the rows' positions in the log
    is_ended: bool = False
    indexes_after: list[int] = field(default_factory=list)  # later rows that belong to no hand

    def add(self, row: LogRow, index: int) -> None:
        """Take a row of the hand."""
        self.rows.append(row)
        self.indexes.append(index)


def group_rows(log: Sequence[LogRow]) -> tuple[HandRows, list[HandRows]]:
    """Split the rows into hands; rows before the first hand form a group of their own."""
    leading_group = HandRows("", [], [])
    groups: list[HandRows] = []
    current_group: HandRows = leading_group  # the hand of the current row, or the one before it
    is_open = False
    for index, row in enumerate(log):
        text = row.text
        if is_open and text[:1] != "-":
            current_group.rows.append(row)
            current_group.indexes.append(index)
        elif text.startswith(STARTS):
            current_group = HandRows(_parse_number(text, STARTS), [row], [index])
            groups.append(current_group)
            is_open = True
        elif text.startswith(ENDS):
            if not is_open:
                current_group = _add_stray_row(groups, current_group, row, index)
            else:
                current_group.add(row, index)
            current_group.is_ended, is_open = True, False
        elif is_open:
            current_group.add(row, index)
        elif not _belongs_to_hand(text):
            current_group.indexes_after.append(index)
        elif current_group.is_ended and current_group.number and _may_come_late(text):
            current_group.add(row, index)
        else:
            current_group = _add_stray_row(groups, current_group, row, index)
    return leading_group, groups


def _add_stray_row(groups: list[HandRows], current_group: HandRows, row: LogRow, index: int) -> HandRows:
    """Add a row to the actions without a hand, in a new group if there is none yet."""
    if not groups or current_group.number or current_group.is_ended:
        current_group = HandRows("", [], [])
        groups.append(current_group)
    current_group.add(row, index)
    return current_group


def _belongs_to_hand(text: str) -> bool:
    """Whether a row can only belong to a hand."""
    return is_act(text) if text[:1] == '"' else text.startswith(STACKS) or any(True for _ in LINES.matches(text))


def _may_come_late(text: str) -> bool:
    """Whether a row may follow the one that ends its hand: cards shown, bounties, rabbit hunts."""
    verb = text.rpartition('" ')[2].partition(" ")[0]
    return text.startswith("Undealt cards") or verb in ("shows", "paid") or "bounty" in text


def _parse_number(text: str, word: str) -> str:
    digits = text[len(word) :].partition(" ")[0]
    return digits if digits.isascii() and digits.isdigit() and len(digits) <= 15 else "?"


_IN_HANDS: Final = (*get_args(PresenceEvent), RemarkNoted, LineUnread)
_BUTTON: Final = int(Witness.BUTTON)


class HandTeller:
    """Reads the hands of one log, and the rows between them."""

    def __init__(
        self, chunk: Chunk, log: Sequence[LogRow], table: PokerNowTable, owner: str, game_format: GameFormat
    ) -> None:
        """Take the log, its table, its owner and the format of the game."""
        self.chunk = chunk
        self.log = log
        self.table = table
        self.owner = owner
        self.game_format = game_format
        self.has_null_bytes = b"\0" in chunk.data or b"\\u0000" in chunk.data

    # -- between hands --------------------------------------------------------------------------

    def read_between(self, table_name: str, indexes: Sequence[int]) -> Iterator[Item]:
        """Yield the facts about the table in these rows, which belong to no hand."""
        self.table.in_hand = False
        for index in indexes:
            text = self.log[index].text
            events = None if "\0" in text else table.read_table_facts(self.table, index, text)
            yield self._table_account(
                table_name, index, [table.build_unread_line(self.table, text)] if events is None else events
            )

    def _table_account(
        self, table_name: str, index: int, events: list[Event], inferred: Sequence[int] = ()
    ) -> TableAccount:
        row = self.log[index]
        return TableAccount(
            VENUE,
            table_name,
            events,  # type: ignore[arg-type]  # only table events are made
            [0, row.length] * len(events),
            self.chunk.start + row.start,
            row.length,
            inferred=list(inferred),
            times=dict.fromkeys(range(len(events)), row.moment),
        )

    # -- hands ----------------------------------------------------------------------------------

    def read_hand(self, table_name: str, group: HandRows) -> Iterator[Item]:
        """Yield a hand or a reject, and the facts in its rows that only concern the table."""
        hand_start = min(row.start for row in group.rows)
        hand_end = max(row.start + row.length for row in group.rows)
        facts: list[Item] = []
        try:
            hand = read_in_unit(partial(self._read_hand, table_name, group, facts))
        except UnreadableHandError as error:
            yield reject_bytes(self.chunk, hand_start, hand_end, error)
            return
        if _have_all_sat_down(hand):
            yield self._table_account(table_name, group.indexes[0], [GameStarted()], inferred=[0])
        yield hand.build_account(self.chunk.start, hand_start, hand_end - hand_start)
        yield from facts

    def _read_hand(self, table_name: str, group: HandRows, facts: list[Item], exponent: int | None) -> PokerNowHand:
        """Read a hand's rows; the facts that only concern the table are added to `facts`."""
        facts.clear()
        if not group.number:
            raise UnreadableHandError(
                "acts of a hand whose beginning is missing",
                kind="no-header",
                hint="The log begins, or was cut, in the middle of this hand.",
            )
        if self.has_null_bytes and any("\0" in row.text for row in group.rows):
            raise UnreadableHandError("the hand holds bytes that are no text", kind="damaged")
        first_row = group.rows[0]
        places = Spans()
        places.starts = [row.start for row in group.rows]
        places.lengths = [row.length for row in group.rows]
        game_set, dealer = self._read_header(group, exponent)
        hand = PokerNowHand(places, self.table.people, VENUE, game_set, self.owner)
        hand.add_event(game_set)
        self.table.in_hand = True
        for row_place, row in enumerate(group.rows[1:], 1):
            hand.place = row_place
            self._read_row(hand, row, group.indexes[row_place], table_name, facts)
            if row.text.startswith(STACKS):
                self._place_button(hand, dealer, group.indexes[row_place])
        if not hand.stacks:
            raise UnreadableHandError(
                "the hand has no list of stacks", kind="cut-off", hint="Without it nothing can be said about its seats."
            )
        if hand.is_ended:
            hand.complete_deal()
        if len(hand.full_blinds) == 2:
            small_blind, big_blind = sorted(hand.full_blinds)
            self.table.blinds = {"small": small_blind, "big": big_blind}
            hand.events[1] = msgspec.structs.replace(game_set, blinds=(small_blind, big_blind))
        witnesses = WITNESSES if hand.is_button_placed else WITNESSES & ~_BUTTON
        hand.open_hand(table_name, group.number, witnesses, first_row.moment, first_row.moment_text.decode())
        return hand

    def _read_header(self, group: HandRows, exponent: int | None) -> tuple[GameSet, str]:
        """Return the game and the dealer in the first row; the dealer is "" for a dead button."""
        header_text = group.rows[0].text[len(STARTS) + len(group.number) :]
        game_text, separator, dealer = header_text.partition('(dealer: "')
        if separator:
            dealer = dealer.rpartition('")')[0]
        else:
            game_text = header_text.partition("(dead button)")[0]
        game_text = game_text.strip()
        if game_text.startswith("(id:"):
            game_text = game_text.partition(")")[2].strip()
        game_name = game_text.removesuffix("--").strip().removeprefix("(").removesuffix(")").strip()
        known_game = find_game(game_name)
        if known_game is None:
            raise unknown_game(game_name)
        unit_exponent = self.table.exponent if exponent is None else exponent
        return GameSet(*known_game, self.game_format, "chips", unit_exponent), dealer

    def _place_button(self, hand: PokerNowHand, dealer: str, index: int) -> None:
        """Place the button; the log doesn't name the seat of a dead one."""
        seat = hand.seats.get(dealer) if dealer else None
        if seat is None and dealer:
            seat = self.table.sitting.seat_before(index, dealer)
        row_place, hand.place = hand.place, 0
        hand.add_event(ButtonPlaced(seat))
        hand.place = row_place
        hand.is_button_placed = seat is not None

    def _read_row(self, hand: PokerNowHand, row: LogRow, index: int, table_name: str, facts: list[Item]) -> None:
        """Read one row of a hand, with its time."""
        first_event, text = len(hand.events), row.text
        if text[:1] == "-" and text.startswith(ENDS):
            hand.is_ended = True
            hand.infer_returns()
            hand.add_event(HandCompleted())
        elif not hand.read_row(text):
            self._read_other_row(hand, index, text, table_name, facts)
        if len(hand.events) == first_event + 1:
            hand.times[first_event] = row.moment
            return
        for event_index in range(first_event, len(hand.events)):
            hand.times.setdefault(event_index, row.moment)

    def _read_other_row(self, hand: PokerNowHand, index: int, text: str, table_name: str, facts: list[Item]) -> None:
        """Read a row that isn't an action: some of its facts go into the hand, the rest beside it."""
        events = table.read_table_facts(self.table, index, text)
        if events is None:
            hand.add_unread(text.replace("\0", " "))
            return
        for event in events:
            if isinstance(event, _IN_HANDS):
                hand.add_event(event)
        table_facts = [event for event in events if not isinstance(event, _IN_HANDS)]
        if table_facts:
            facts.append(self._table_account(table_name, index, table_facts))


def _have_all_sat_down(hand: HandBuilder) -> bool:
    """Whether all players sat down for this hand, so that a new game begins with it."""
    seats_taken = {event.seat for event in hand.events if isinstance(event, SeatTaken)}
    return bool(seats_taken) and seats_taken >= hand.stacks.keys()
