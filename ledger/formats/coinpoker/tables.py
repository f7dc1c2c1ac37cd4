"""What a stream says of its tables outside the hands: names, games, seats, tournaments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from ledger.formats.coinpoker.values import GAMES, Message
from ledger.hand.opening import Betting
from ledger.readers.documented import count

_MOST: Final = 200
_COUNTER: Final = 5
"""So many digits of a hand's number count the hands of a table; those before are the table's number."""

_DEPTH_MOST: Final = 12
_OF_TABLES: Final = ("game.game_alldata", "game.game_init")


@dataclass(slots=True)
class Table:
    """One table, as far as the stream tells."""

    name: str = ""
    game: str = ""
    betting: Betting | None = None
    seats: int = 0
    held: int = 0  # cards that a seat was dealt in one of its hands
    coin: int = 0  # 1 = the room's money, 2 = practice chips, 0 = not told
    cash: bool = False
    all_in_or_fold: bool = False
    tournament: str = ""


class Tables:
    """The tables of a stream, by number."""

    def __init__(self) -> None:
        self._of: dict[str, Table] = {}

    def of(self, number: str) -> Table:
        """Return what is known of the table on which hand `number` was dealt."""
        return self._of.get(table_of(number)) or Table()

    def hear(self, message: Message) -> None:
        """Take in a message that is of no hand: a table that was joined, a list of the lobby."""
        if message.name.startswith(("lobby.", "tournamentlobby.")) or message.name in _OF_TABLES:
            for one in _objects(message.value()):
                self._take(one, message.name)

    def know(self, number: str, message: Message) -> None:
        """Take in what a message within hand `number` says of the table."""
        if message.name == "game.hole_cards":
            held = message.value().get("holeCards")
            if isinstance(held, list) and held:
                self._of.setdefault(table_of(number), Table()).held = len(held)
        elif message.name in _OF_TABLES:
            self.hear(message)

    def _take(self, one: dict[str, Any], heard: str) -> None:
        name = one.get("tableName") or one.get("roomName")
        number = one.get("tableId")
        if not isinstance(number, int) or isinstance(number, bool):
            number = _ending(name) if isinstance(name, str) else ""
        if not number:
            return
        table = self._of.setdefault(str(number), Table())
        if isinstance(name, str) and not table.name:
            table.name = name[:_MOST]
        room = one.get("roomProperties")
        told = {**room, **one} if isinstance(room, dict) else one
        words = (told.get("gameVarient"), told.get("gameVariant"), table.name)
        for word in words:
            if isinstance(word, str):
                _game(table, word.lower())
        if heard.startswith("tournamentlobby.") and isinstance(room, dict):
            table.tournament = str(room.get("id") or "")[:_MOST]
        elif heard.startswith("lobby."):
            table.cash = True
        table.all_in_or_fold = table.all_in_or_fold or told.get("gameType") == "Allinfold"
        table.seats = table.seats or count(told.get("tableSize"), 100)
        table.coin = table.coin or count(told.get("coinTypeId", told.get("coinType")), 100)


def table_of(number: str) -> str:
    """Return the number of the table on which a hand was dealt: `70000100012` → `700001`."""
    return number[:-_COUNTER]


def _game(table: Table, words: str) -> None:
    """Take the game from a name: `12th-NLHE 0.10-0.20 702119`."""
    for part in words.replace("-", " ").replace("_", " ").split():
        for word, game, betting in GAMES:
            if part == word or (len(word) > 2 and part.startswith(word)):
                table.game = table.game or game
                if betting is not None and game == table.game:
                    table.betting = table.betting or betting
                return


def _objects(value: object, depth: int = 0) -> Iterator[dict[str, Any]]:
    if depth > _DEPTH_MOST:
        return
    if isinstance(value, dict):
        yield value
        for one in value.values():
            if isinstance(one, dict | list):
                yield from _objects(one, depth + 1)
    elif isinstance(value, list):
        for one in value:
            yield from _objects(one, depth + 1)


def _ending(name: str) -> str:
    """Return the number with which a table's name ends."""
    last = name.rpartition(" ")[2]
    return last if last.isascii() and last.isdigit() and len(last) < 20 else ""
