"""Recognise a game by its hands when its name is only in the file's name.

A log that was renamed, or downloaded again later, has the same hands: the same number, the same start to the
millisecond, the same players in the same seats. Then it is a log of a table that the ledger has, and its hands are
compared with those there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from ledger.account import TableAccount
from ledger.decoders import build_json_decoder
from ledger.hand.events import HandEvent
from ledger.hand.opening import SeatDealtIn
from ledger.intake.chunk_preparation import ChunkPart, PreparedHand
from ledger.streams import hand_stream
from ledger.vocabulary import Millis

if TYPE_CHECKING:
    from ledger.store import Ledger

_MAX_LOOKUPS: Final = 16
"""Hands of a log to look up, spread over it. Of a game that went on, the older ones are known."""

_encode: Final = msgspec.json.Encoder().encode
_decode: Final = build_json_decoder(list[HandEvent]).decode

SeatedPlayers: TypeAlias = frozenset[tuple[int, str]]


class GameTables:
    """The ledger's names for the tables of games. `is_dry_run`: hands are never stored."""

    def __init__(self, ledger: Ledger, *, is_dry_run: bool = False) -> None:
        """Take the ledger."""
        self._ledger = ledger
        self._is_dry_run = is_dry_run
        self._seen_hands: dict[tuple[str, str, Millis], tuple[str, SeatedPlayers]] = {}
        self._source = ""
        self._table_names: dict[tuple[str, str], str] = {}  # of one source: its name of a table → the ledger's

    def match_tables(self, source: str, parts: Sequence[ChunkPart]) -> list[ChunkPart]:
        """Return the parts of a source with the ledger's names for its tables."""
        if source != self._source:
            self._source, self._table_names = source, {}
        hands_by_table: dict[tuple[str, str], list[PreparedHand]] = {}
        for part in parts:
            if isinstance(part, PreparedHand):
                hands_by_table.setdefault((part.opened.venue, part.opened.table), []).append(part)
        for source_table, table_hands in hands_by_table.items():
            if source_table not in self._table_names:
                self._table_names[source_table] = self._find_table(*source_table, table_hands)
        moved_parts = [self._move_part(part) for part in parts]
        if self._is_dry_run:
            self._remember_hands(moved_parts)
        return moved_parts

    def _find_table(self, venue: str, table: str, table_hands: list[PreparedHand]) -> str:
        """Return the ledger's name for the table of these hands, or `table` if the ledger doesn't have it."""
        if any(self._ledger.hands(venue=venue, table=table, limit=1)):
            return table
        if not self._seen_hands and not any(self._ledger.hands(venue=venue, limit=1)):
            return table
        step = max(1, len(table_hands) // _MAX_LOOKUPS)
        known_tables = (name for hand in table_hands[::-step] for name in self._find_tables_with(hand))
        return next(known_tables, table)

    def _find_tables_with(self, hand: PreparedHand) -> Iterator[str]:
        """Yield the tables that have a hand with this number, start and players."""
        opened, started = hand.opened, hand.opened.started
        if started is None or not hand.played.dealt_in:
            return
        company: SeatedPlayers = frozenset(
            (seated_player.seat, seated_player.player) for seated_player in hand.played.dealt_in
        )
        seen_hand = self._seen_hands.get((opened.venue, opened.number, started))
        if seen_hand is not None and seen_hand[1] == company:
            yield seen_hand[0]
        hand_rows = self._ledger.hands(venue=opened.venue, number=opened.number, since=started, until=started + 1)
        for hand_row in islice(hand_rows, _MAX_LOOKUPS):
            events = self._ledger.events(hand_row.stream)
            if company == {(event.seat, event.player) for event in events if isinstance(event, SeatDealtIn)}:
                yield hand_row.table

    def _move_part(self, part: ChunkPart) -> ChunkPart:
        """Return the part with the ledger's name for its table."""
        if isinstance(part, TableAccount):
            table = self._table_names.get((part.venue, part.table), part.table)
            return part if table == part.table else replace(part, table=table)
        if not isinstance(part, PreparedHand):
            return part
        table = self._table_names[part.opened.venue, part.opened.table]
        return part if table == part.opened.table else move_to_table(part, table)

    def _remember_hands(self, parts: Sequence[ChunkPart]) -> None:
        for part in parts:
            if isinstance(part, PreparedHand) and part.opened.started is not None:
                company: SeatedPlayers = frozenset(
                    (seated_player.seat, seated_player.player) for seated_player in part.played.dealt_in
                )
                hand_key = part.opened.venue, part.opened.number, part.opened.started
                self._seen_hands.setdefault(hand_key, (part.opened.table, company))


def move_to_table(hand: PreparedHand, table: str) -> PreparedHand:
    """Return a hand as it is stored under this table name."""
    events = _decode(hand.draft.data)
    opened = msgspec.structs.replace(hand.opened, table=table)
    events[0] = opened
    data = _encode(events)
    stream = hand_stream(opened.venue, table, opened.number, opened.started, sha256(data).digest())
    facts = hand.draft.hand
    draft = hand.draft._replace(stream=stream, data=data, hand=None if facts is None else facts._replace(table=table))
    played = msgspec.structs.replace(hand.played, hand=stream.hex)
    return replace(hand, draft=draft, played=played, opened=opened)
