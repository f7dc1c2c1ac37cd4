"""One hand: its game, its seats, then what its messages tell, in the order of play."""

from __future__ import annotations

from typing import Any, Final

from ledger.errors import UnreadableHandError
from ledger.formats.coinpoker import settling
from ledger.formats.coinpoker.stream import SILENT, Chair, Stream
from ledger.formats.coinpoker.tables import Table, Tables, table_of
from ledger.formats.coinpoker.values import AWAY, OMAHA, VENUE, WITNESSES, Hand, Message, chair, clock, number
from ledger.hand.opening import BlindPositionPlaced, ButtonPlaced, GameFormat, GameSet, HandOpened, OptionSet
from ledger.people import People
from ledger.readers.documented import names, plain
from ledger.vocabulary import Seat, Witness

_MOST: Final = 200
_UNITS: Final = {0: "chips", 1: "USDT", 2: "play"}
_FIRST: Final = "game.pre_hand_start_info"
_KNOWN: Final = names(
    "gameId dealerSeatId sbSeatId bbSeatId anteAmount sbAmount bbAmount initTimeStamp tableId tableSize maxSeats gameHandId"
)

Told = list[tuple[Message, dict[str, Any]]]


def tell(
    data: bytes,
    place: tuple[int, int],
    named: str,
    messages: list[Message],
    tables: Tables,
    people: People,
    exponent: int | None,
) -> Hand:
    """Read the hand of that number; one that cannot be read raises `UnreadableHandError`."""
    told = [(one, one.value()) for one in messages if one.name not in SILENT]
    if any(b"\\u0000" in one.body or b"\0" in one.body for one, _ in told):
        raise UnreadableHandError("the hand holds characters that are no text", kind="damaged")
    opening, info = next((one, value) for one, value in told if one.name == _FIRST)
    table = tables.of(named)
    hand = Hand(data, place, people, VENUE, _game(info, table, told, exponent))
    first = hand.spans.add(opening.start, opening.length)
    hand.at = first
    if table.game and table.betting:
        hand.put(hand.game)
    else:
        hand.derive(hand.game, at=first)
    if table.all_in_or_fold:
        hand.put(OptionSet("other", "all-in-or-fold"))
    stream = Stream(hand)
    stream.take(told)
    _sit(hand, stream)
    hand.at = first
    _positions(hand, info)
    stream.name_hero()
    hand.tell()
    settling.finish(hand, stream.end)
    for name in info:
        if name not in _KNOWN and info[name]:
            hand.strange(
                f"{_FIRST}.{name}", hand.spans.add(*(hand.inside(opening, name) or (opening.start, opening.length)))
            )
    witnesses = WITNESSES | (int(Witness.OWN_CARDS) if hand.own else 0)
    witnesses |= int(Witness.STACKS_AFTER) if stream.stacks else 0
    written = info.get("initTimeStamp", "")
    began = clock(written) or None
    hand.open(
        HandOpened(VENUE, table_of(named), named, witnesses, began, str(written)[:_MOST], table.seats, table.tournament)
    )
    return hand


# -- the game -----------------------------------------------------------------------------------


def _game(info: dict[str, Any], table: Table, told: Told, exponent: int | None) -> GameSet:
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


def _held(told: Told) -> int:
    """Return how many cards a seat of this hand was dealt, 0 where none are told."""
    for message, value in told:
        for name in ("holeCards", "playerCards"):
            if message.name in ("game.hole_cards", "game.player_info") and value.get(name):
                return len(value[name]) if isinstance(value[name], list) else 0
    for message, value in told:
        if message.name in ("game.show_hole_cards", "game.reveal_cards"):
            shown = value.get("userCardListMap")
            many = [len(one) for one in shown.values() if isinstance(one, list)] if isinstance(shown, dict) else []
            if any(many):
                return max(many)
    return 0


def _betting(told: Told) -> Any:  # noqa: ANN401 - a `Betting`, or None where no offer shows it
    """Return the limit that an offer to raise shows: up to the pot, or past it."""
    for message, value in told:
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


def _sit(hand: Hand, stream: Stream) -> None:
    """Tell who sits where. Who is not in play and does nothing is left out."""
    for seat, one in sorted(stream.chairs.items()):
        hand.at = hand.spans.add(*one.place())
        name, stack = one.name, _stack(hand, one)
        if one.playing or seat in stream.acting or name in stream.named:
            hand.sit(seat, name, stack)
        else:
            hand.leave_out(seat, name, stack, AWAY.get(plain(one.caption), "unknown"))
    if not hand.stacks:
        raise UnreadableHandError("nobody of the hand is dealt in", kind="seat")
    hand.callers = hand.names()


def _stack(hand: Hand, one: Chair) -> int | None:
    """Return what a seat had before it put anything in; None where that is not told."""
    if one.late or one.chips is None:
        return None
    return hand.chips_of(one.chips) + hand.chips_of(one.bet or 0)


def _positions(hand: Hand, info: dict[str, Any]) -> None:
    button: Seat = chair(info.get("dealerSeatId"))
    if button:
        hand.put(ButtonPlaced(button))
    for role, name in (("small", "sbSeatId"), ("big", "bbSeatId")):
        told = info.get(name)
        if isinstance(told, int) and not isinstance(told, bool):
            hand.put(BlindPositionPlaced(role, chair(told) or None))  # type: ignore[arg-type]  # both are roles
