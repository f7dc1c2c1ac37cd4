"""The shortest address of a hand that no other hand of the ledger has, as every output prints it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

from projections.addresses.grammar import hand_address, quote
from projections.addresses.reused_numbers import ReusedNumbers, place_of

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from ledger.store.accounts import Place
    from projections.addresses.hand_reference import Hand

_MANY: Final = 80
"""Characters of a name beyond which a hand goes by its id."""


class AddressBook:
    """The addresses of a ledger's hands, as it is now. Make a new one for each answer."""

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger."""
        self._ledger = ledger
        self._numbers = ReusedNumbers(ledger)
        self._paths: dict[Place, tuple[str, ...]] = {}
        self._second_hands: dict[str, frozenset[str]] = {}
        self._last: tuple[str, HandRow | None] = "", None

    def of(self, row: HandRow, event: int | str = "") -> str:
        """Return the address of a hand, or of one of its events."""
        if len(row.number) > _MANY or len(row.table) > _MANY:
            return row.stream.hex + (f"@{event}" if event else "")
        place, day = place_of(row), self._numbers.day(row)
        path = self.path(place)
        if len(path) == 1 and not day and self._is_second_hand(row.table, row.number):
            path = self._paths_of(place)[-1]
        account = 0 if row.stands else row.account
        return hand_address(path, row.number, day=day, account=account, event=event)

    def of_stream(self, stream: str, event: int | str = "") -> str:
        """Return the address of the hand that a stream (its id, hex) records; "" if this ledger has none."""
        if self._last[0] != stream:
            self._last = stream, self._numbers.row(stream)
        row = self._last[1]
        return "" if row is None else self.of(row, event)

    def of_finding(self, hand: Hand, event: int | str = "") -> str:
        """Return the address of the hand of a finding; of a hand that isn't in this ledger, by its names alone."""
        return (self.of_stream(hand.stream, event) if hand.stream else "") or named_address(hand, event)

    def table(self, place: Place) -> str:
        """Return the address of a table."""
        return "/".join(map(quote, self.path(place)))

    def path(self, place: Place) -> tuple[str, ...]:
        """Return the names that a table needs: its own, with its tournament, with its room, or all three."""
        if place not in self._paths:
            same = self._tables_called(place.table)
            fitting = (path for path in self._paths_of(place) if _fit(path, same) == 1)
            self._paths[place] = next(fitting, self._paths_of(place)[-1])
        return self._paths[place]

    def _paths_of(self, place: Place) -> list[tuple[str, ...]]:
        tournament = [(place.tournament, place.table)] if place.tournament else []
        whole = [tuple(place)] if len(self._tables_called(place.table)) > 1 else []
        return [(place.table,), *tournament, (place.venue, place.table), *whole]

    def _tables_called(self, name: str) -> list[tuple[str, str]]:
        """Return venue and tournament of each table that has this name."""
        sql = "SELECT venue, tournament FROM places WHERE name = ?"
        with self._ledger.database.reading() as link:
            return [(row[0], row[1]) for row in link.execute(sql, (name,)).fetchall()]

    def _is_second_hand(self, table: str, number: str) -> bool:
        """Whether `219/2` once meant the second hand numbered 219, which is another hand than hand 2 of table 219."""
        if not number[:1].isdigit():
            return False
        if table not in self._second_hands:
            rows = (row for row in self._ledger.hands(number=table) if row.accounts > 1)
            self._second_hands[table] = frozenset(str(row.session) for row in rows)
        return number.lstrip("0") in self._second_hands[table]


def _fit(path: tuple[str, ...], tables: list[tuple[str, str]]) -> int:
    """Return how many of the tables of one name a path names; a name before it is a room's or a tournament's."""
    if len(path) == 1:
        return len(tables)
    if len(path) == 2:
        return sum(path[0] in table for table in tables)
    return sum(path[:2] == table for table in tables)


def named_address(hand: Hand, event: int | str = "") -> str:
    """Return the address of a hand by its names alone, where no ledger is at hand."""
    path = [hand.table]
    return hand_address(path, hand.number, event=event)


def typed(address: str) -> str:
    """Return an address as a shell takes it."""
    return shlex.quote(address)
