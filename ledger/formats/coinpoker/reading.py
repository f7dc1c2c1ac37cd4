"""What a stream says of its tables, and one hand: its game, its seats, then what its messages tell, in the order of play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.coinpoker import values
from ledger.formats.coinpoker.stream import SILENT, CoinPokerStream
from ledger.formats.coinpoker.values import (
    AWAY,
    GAMES,
    OMAHA,
    VENUE,
    WITNESSES,
    CoinPokerHand,
    CoinPokerMessage,
    chair,
    clock,
    number,
)
from ledger.hand.opening import Betting, BlindPositionPlaced, ButtonPlaced, GameFormat, GameSet, OptionSet
from ledger.people import People
from ledger.readers.json_hand import count_below, letters_and_digits, member_names
from ledger.vocabulary import Seat, Witness

_COUNTER: Final = 5
"""So many digits of a hand's number count the hands of a table; those before are the table's number."""

_DEPTH_MOST: Final = 12
_OF_TABLES: Final = ("game.game_alldata", "game.game_init")


@dataclass(slots=True)
class CoinPokerTable:
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


class CoinPokerTables:
    """The tables of a stream, by number."""

    def __init__(self) -> None:
        self._of: dict[str, CoinPokerTable] = {}

    def of(self, number: str) -> CoinPokerTable:
        """Return what is known of the table on which hand `number` was dealt."""
        return self._of.get(table_of(number)) or CoinPokerTable()

    def hear(self, message: CoinPokerMessage) -> None:
        """Take in a message that is of no hand: a table that was joined, a list of the lobby."""
        if message.name.startswith(("lobby.", "tournamentlobby.")) or message.name in _OF_TABLES:
            for one in _objects(message.value):
                self._take(one, message.name)

    def know(self, number: str, message: CoinPokerMessage) -> None:
        """Take in what a message within hand `number` says of the table."""
        if message.name == "game.hole_cards":
            held = message.value.get("holeCards")
            if isinstance(held, list) and held:
                self._of.setdefault(table_of(number), CoinPokerTable()).held = len(held)
        elif message.name in _OF_TABLES:
            self.hear(message)

    def _take(self, one: dict[str, object], heard: str) -> None:
        name = one.get("tableName") or one.get("roomName")
        number = one.get("tableId")
        if not isinstance(number, int) or isinstance(number, bool):
            last = name.rpartition(" ")[2] if isinstance(name, str) else ""  # a table's name ends with its number
            number = last if last.isascii() and last.isdigit() and len(last) < 20 else ""
        if not number:
            return
        table = self._of.setdefault(str(number), CoinPokerTable())
        if isinstance(name, str) and not table.name:
            table.name = name[:_MOST]
        room = one.get("roomProperties")
        told = {**room, **one} if isinstance(room, dict) else one
        for word in (told.get("gameVarient"), told.get("gameVariant"), table.name):
            if isinstance(word, str):
                _named(table, word.lower())
        if heard.startswith("tournamentlobby.") and isinstance(room, dict):
            table.tournament = str(room.get("id") or "")[:_MOST]
        elif heard.startswith("lobby."):
            table.cash = True
        table.all_in_or_fold = table.all_in_or_fold or told.get("gameType") == "Allinfold"
        table.seats = table.seats or count_below(told.get("tableSize"), 100)
        table.coin = table.coin or count_below(told.get("coinTypeId", told.get("coinType")), 100)


def table_of(number: str) -> str:
    """Return the number of the table on which a hand was dealt: `70000100012` → `700001`."""
    return number[:-_COUNTER]


def _named(table: CoinPokerTable, words: str) -> None:
    """Take the game from a name: `12th-NLHE 0.10-0.20 702119`."""
    for part in words.replace("-", " ").replace("_", " ").split():
        for word, game, betting in GAMES:
            if part == word or (len(word) > 2 and part.startswith(word)):
                table.game = table.game or game
                if betting is not None and game == table.game:
                    table.betting = table.betting or betting
                return


def _objects(value: object, depth: int = 0) -> Iterator[dict[str, object]]:
    if depth > _DEPTH_MOST:
        return
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(one, depth + 1)


_MOST: Final = 200
_UNITS: Final = {0: "chips", 1: "USDT", 2: "play"}
_FIRST: Final = "game.pre_hand_start_info"
_KNOWN: Final = member_names(
    "gameId dealerSeatId sbSeatId bbSeatId anteAmount sbAmount bbAmount initTimeStamp tableId tableSize maxSeats gameHandId"
)


def tell(
    data: bytes,
    place: tuple[int, int],
    named: str,
    messages: list[CoinPokerMessage],
    tables: CoinPokerTables,
    people: People,
    exponent: int | None,
) -> CoinPokerHand:
    """Read the hand of that number; one that cannot be read raises `UnreadableHandError`."""
    told = [one for one in messages if one.name not in SILENT and one.value is not None]
    if any(b"\\u0000" in one.body or b"\0" in one.body for one in told):
        raise UnreadableHandError("the hand holds characters that are no text", kind="damaged")
    opening = next(one for one in told if one.name == _FIRST)
    info, table = opening.value, tables.of(named)
    hand = CoinPokerHand(data, place, people, VENUE, _game(info, table, told, exponent))
    hand.place = first = hand.add_message_place(opening)
    if table.game and table.betting:
        hand.add_event(hand.game)
    else:
        hand.add_inferred(hand.game, at=first)
    if table.all_in_or_fold:
        hand.add_event(OptionSet("other", "all-in-or-fold"))
    stream = CoinPokerStream(hand, told)
    _sit(hand, stream)
    hand.place = first
    _positions(hand, info)
    hand.hero = hand.seats.get(stream.hero, 0)
    hand.tell()
    values.finish(hand, stream.end)
    for name in info:
        if name not in _KNOWN and info[name]:
            hand.add_unread_place(
                f"{_FIRST}.{name}", hand.spans.add(*(hand.inside(opening, name) or (opening.start, opening.length)))
            )
    hand.has_own_cards = bool(hand.hole)
    witnesses = WITNESSES | (int(Witness.STACKS_AFTER) if stream.stacks else 0)
    written = info.get("initTimeStamp", "")
    began = clock(written) or None
    hand.open_hand(table_of(named), named, witnesses, began, str(written)[:_MOST], table.seats, table.tournament)
    return hand


# -- the game -----------------------------------------------------------------------------------


def _game(
    info: dict[str, object], table: CoinPokerTable, told: list[CoinPokerMessage], exponent: int | None
) -> GameSet:
    """Return the game: as the table's name tells it, else as cards and offers show it."""
    variant = table.game or OMAHA.get(_held(told) or table.held, "")
    if not variant:
        raise UnreadableHandError(
            "no name and no hole cards tell which game this is",
            kind="unknown-game",
            hint="Messages of the lobby, or a hand of the same table with cards, would tell it.",
        )
    amounts = [info.get(name) or 0 for name in ("sbAmount", "bbAmount", "anteAmount")]
    whole = not any(isinstance(one, str) and one.rpartition(".")[2].strip("0") for one in amounts)
    played: GameFormat = "tournament" if table.tournament else "unknown"
    if not table.tournament and (table.cash or not whole):
        played = "cash"
    if exponent is None:
        exponent = 2 if played == "cash" else 0
    small, big, ante = (number(one, exponent) for one in amounts)
    betting = table.betting or _betting(told)
    if betting is None:
        betting = "pot-limit" if variant.startswith("omaha") else "no-limit"
    unit = "chips" if table.tournament else _UNITS.get(table.coin, "chips")
    blinds = tuple(one for one in (small, big) if one > 0)
    return GameSet(variant, betting, played, unit, exponent, blinds, max(ante, 0), written=table.name)


def _held(told: list[CoinPokerMessage]) -> int:
    """Return how many cards a seat of this hand was dealt, 0 where none are told."""
    for message in told:
        for name in ("holeCards", "playerCards"):
            if message.name in ("game.hole_cards", "game.player_info") and (dealt := message.value.get(name)):
                return len(dealt) if isinstance(dealt, list) else 0
    for message in told:
        if message.name in ("game.show_hole_cards", "game.reveal_cards"):
            shown = message.value.get("userCardListMap")
            many = [len(one) for one in shown.values() if isinstance(one, list)] if isinstance(shown, dict) else []
            if any(many):
                return max(many)
    return 0


def _betting(told: list[CoinPokerMessage]) -> Betting | None:
    """Return the limit that an offer to raise shows, up to the pot or past it; None where none does."""
    for message in told:
        value = message.value
        options = value.get("userTurnOptions") if message.name == "game.user_turn" else None
        bounds = options.get("5") if isinstance(options, dict) else None
        pot = value.get("potRaiseValue")
        if not isinstance(bounds, list) or len(bounds) != 2 or not pot:
            continue
        try:
            most, pot = number(bounds[1], 6), number(pot, 6)
        except UnreadableHandError:
            continue
        if most >= pot > 0:
            return "pot-limit" if most == pot else "no-limit"
    return None


# -- the seats ----------------------------------------------------------------------------------


def _sit(hand: CoinPokerHand, stream: CoinPokerStream) -> None:
    """Tell who sits where. Who is not in play and does nothing is left out."""
    for seat, one in sorted(stream.chairs.items()):
        told = one.told
        where = hand.inside(one.message, "seatResponseDataList", one.nth) if one.nth >= 0 else None
        hand.place = hand.spans.add(*where) if where else hand.add_message_place(one.message)
        name, chips, stack = one.name, told.get("userChips"), None
        if not one.late and chips is not None:  # what it had before it put anything in
            stack = hand.chips_of(chips) + hand.chips_of(told.get("betAmout") or 0)
        if told.get("isPlaying") is not False or seat in stream.acting or name in stream.named:
            hand.seat_player(seat, name, stack)
        else:
            caption = letters_and_digits(told.get("newCaption") or told.get("caption"))
            hand.leave_seat_out(seat, name, stack, AWAY.get(caption, "unknown"))
    if not hand.stacks:
        raise UnreadableHandError("nobody of the hand is dealt in", kind="seat")
    hand.callers = hand.sort_names()


def _positions(hand: CoinPokerHand, info: dict[str, object]) -> None:
    button: Seat = chair(info.get("dealerSeatId"))
    if button:
        hand.add_event(ButtonPlaced(button))
    for role, name in (("small", "sbSeatId"), ("big", "bbSeatId")):
        told = info.get(name)
        if isinstance(told, int) and not isinstance(told, bool):
            hand.add_event(BlindPositionPlaced(role, chair(told) or None))  # type: ignore[arg-type]  # both are roles
