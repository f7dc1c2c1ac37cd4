"""Find the shortest address that identifies a hand or table in its ledger. Every output prints these addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from projections.addresses.address_grammar import format_hand_address, quote
from projections.addresses.reused_numbers import ReusedNumbers, read_table_key

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from projections.addresses.hand_reference import Hand

_MAX_NAME_LENGTH: Final = 80
"""The greatest length of a name in an address. If a name is longer, the hand's id is used instead."""


class AddressBook:
    """The addresses of the hands in a ledger. Make a new book for each answer, because the ledger grows."""

    def __init__(self, ledger: Ledger) -> None:
        """Create an empty book, which looks up each address in `ledger` when it's first needed."""
        self._ledger = ledger
        self._numbers = ReusedNumbers(ledger)
        self._paths: dict[TableKey, tuple[str, ...]] = {}
        self._ordinals_by_number: dict[str, frozenset[str]] = {}
        self._last_lookup: tuple[str, HandRow | None] = "", None

    def find_hand_address(self, hand_row: HandRow, event: int | str = "") -> str:
        """Return the address of a hand, or of an event in it (a number or a street)."""
        if len(hand_row.number) > _MAX_NAME_LENGTH or len(hand_row.table) > _MAX_NAME_LENGTH:
            return hand_row.stream.hex + (f"@{event}" if event else "")
        table_key = read_table_key(hand_row)
        day_text = self._numbers.find_day_suffix(hand_row)
        table_path = self.find_table_path(table_key)
        # Old addresses had neither a room nor a day, so either one rules the old reading out.
        if len(table_path) == 1 and not day_text and self._reads_as_old_address(hand_row.table, hand_row.number):
            table_path = self._list_paths(table_key)[-1]
        account = 0 if hand_row.stands else hand_row.account
        return format_hand_address(table_path, hand_row.number, day=day_text, account=account, event=event)

    def find_stream_address(self, stream: str, event: int | str = "") -> str:
        """Return the address of the hand with a stream id (hex), or "" if the ledger doesn't have it."""
        if self._last_lookup[0] != stream:
            self._last_lookup = stream, self._numbers.find_row(stream)
        hand_row = self._last_lookup[1]
        return "" if hand_row is None else self.find_hand_address(hand_row, event)

    def find_finding_address(self, hand: Hand, event: int | str = "") -> str:
        """Return the address of a finding's hand. For a hand that isn't in this ledger, use its names as they are."""
        address = self.find_stream_address(hand.stream, event) if hand.stream else ""
        return address or build_address_from_names(hand, event)

    def find_table_address(self, table_key: TableKey) -> str:
        """Return the address of a table."""
        return "/".join(map(quote, self.find_table_path(table_key)))

    def find_table_path(self, table_key: TableKey) -> tuple[str, ...]:
        """Return the fewest names that identify a table: its own, and if needed its tournament, room, or both."""
        if table_key not in self._paths:
            namesakes = self._find_namesakes(table_key.table)
            unique_paths = (
                candidate for candidate in self._list_paths(table_key) if _count_matches(candidate, namesakes) == 1
            )
            self._paths[table_key] = next(unique_paths, self._list_paths(table_key)[-1])
        return self._paths[table_key]

    def _list_paths(self, table_key: TableKey) -> list[tuple[str, ...]]:
        """Return the possible paths of a table, shortest first.

        Room, tournament and table together are a path only if the ledger has another table of that name.
        """
        venue, tournament, table_name = table_key
        paths: list[tuple[str, ...]] = [(table_name,)]
        if tournament:
            paths.append((tournament, table_name))
        paths.append((venue, table_name))
        if len(self._find_namesakes(table_name)) > 1:
            paths.append((venue, tournament, table_name))
        return paths

    def _find_namesakes(self, table_name: str) -> list[tuple[str, str]]:
        """Return the venue and tournament of each table with this name."""
        sql = "SELECT venue, tournament FROM places WHERE name = ?"
        with self._ledger.database.reading() as connection:
            return [(row[0], row[1]) for row in connection.execute(sql, (table_name,)).fetchall()]

    def _reads_as_old_address(self, table_name: str, hand_number: str) -> bool:
        """Whether TABLE/HAND is also an address of earlier versions: `219/2` was the second hand numbered 219."""
        if not hand_number[:1].isdigit():
            return False
        old_number = table_name  # an old address began with the hand's number
        if old_number not in self._ordinals_by_number:
            hand_rows = (hand_row for hand_row in self._ledger.hands(number=old_number) if hand_row.accounts > 1)
            self._ordinals_by_number[old_number] = frozenset(str(hand_row.session) for hand_row in hand_rows)
        return hand_number.lstrip("0") in self._ordinals_by_number[old_number]


def _count_matches(table_path: tuple[str, ...], namesakes: list[tuple[str, str]]) -> int:
    """Count the tables that a path matches. The first of two names is a room or a tournament."""
    if len(table_path) == 1:
        return len(namesakes)
    if len(table_path) == 2:
        first_name = table_path[0]
        return sum(first_name in (venue, tournament) for venue, tournament in namesakes)
    return sum(table_path[:2] == namesake for namesake in namesakes)


def build_address_from_names(hand: Hand, event: int | str = "") -> str:
    """Return the address of a hand by its table and number, without looking into a ledger."""
    return format_hand_address((hand.table,), hand.number, event=event)
