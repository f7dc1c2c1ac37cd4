"""One hand of PokerNow's JSON export: a table from the number of an act to what happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec

from ledger.errors import UnreadableHandError
from ledger.formats.pokernow.seats import CARDS, VENUE, WITNESSES, padded
from ledger.hand.betting import RunsAgreed, RunsAnswered
from ledger.hand.dealing import DealCompleted, HoleCardsDealt, HoleCardsLearned
from ledger.hand.ending import BountyWon, CardsShown, Half, HandCompleted, RemarkNoted
from ledger.hand.opening import AntePosted, Betting, BlindRole, ButtonPlaced, GameSet, HandOpened, OptionSet
from ledger.hand.variants import VARIANTS
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.hand import SEATS, HandBuilder
from ledger.readers.spans import Spans, elements, members
from ledger.vocabulary import Chips, Seat, Street, Witness

_decoder: Final = msgspec.json.Decoder(dict[str, Any], float_hook=str)

_WITNESSES: Final = int(
    WITNESSES & ~int(Witness.PRESENCE | Witness.SEATING | Witness.CHIP_PURCHASES) | Witness.BLIND_AMOUNTS
)
"""The export has the hands alone; what happens between them stands in the log."""

_HAND: Final = frozenset(
    (
        "ante",
        "bigBlind",
        "bombPot",
        "cents",
        "dealerSeat",
        "doubleBoard",
        "events",
        "gameType",
        "handVersion",
        "id",
        "number",
        "players",
        "sevenDeuceBounty",
        "smallBlind",
        "startedAt",
        "straddleSeat",
    )
)

GAMES: Final[dict[str, tuple[str, Betting]]] = {"th": ("holdem", "no-limit"), "holdem": ("holdem", "no-limit")}
"""`gameType` → game and limit. Others are told by the number of cards in the hands."""

_BY_CARDS: Final = {2: "holdem", 4: "omaha", 5: "omaha5", 6: "omaha6"}

_STREETS: Final[dict[int, Street]] = {1: "flop", 2: "turn", 3: "river"}

Payload: TypeAlias = dict[str, Any]
Act: TypeAlias = Callable[["Exported", Seat, Payload], bool]
"""Tells an act; False where its values make no sense."""


class Exported(HandBuilder):
    """The hand being told, with its values."""

    __slots__ = ("boards", "bomb", "dealt", "ended", "over", "value")

    def __init__(self, places: Spans, people: People, game: GameSet, value: Payload) -> None:
        """Begin a hand whose whole object is place 0."""
        super().__init__(places, people, VENUE, game, 0)
        self.value = value
        self.boards = bool(value.get("doubleBoard"))  # `run` counts boards
        self.bomb = bool(value.get("bombPot"))
        self.dealt = False
        self.over = False  # somebody was paid
        self.ended = -1  # place of the act that ends the hand

    def number(self, value: object) -> Chips:
        """Return an amount; in a game with cents they are whole cents."""
        if isinstance(value, int) and not isinstance(value, bool):
            return amounts.number(value, 0)
        return amounts.number(value, self.exponent)

    def deal(self) -> None:
        """Conclude that the cards are dealt, before the first act."""
        if not self.dealt:
            self.dealt = True
            self.derive(DealCompleted())


def tell(
    data: bytes, place: tuple[int, int], game: tuple[str, str], people: People, exponent: int | None
) -> HandBuilder:
    """Read the hand at `place` of the game with that id, seen by that player."""
    start, length = place
    table, owner = game
    try:
        value = _decoder.decode(data[start : start + length])
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise UnreadableHandError(f"the hand cannot be read: {error}", kind="damaged") from None
    if b"\\u0000" in data[start : start + length]:
        raise UnreadableHandError("the hand holds characters that are no text", kind="damaged")
    number = value.get("number")
    if not isinstance(number, str | int) or isinstance(number, bool) or not str(number).strip():
        raise UnreadableHandError("the hand has no number", kind="no-header")
    spans = Spans()
    spans.add(start, length)
    where = members(data, start, length)
    places = {name: spans.add(*span) for name, span in where.items()}
    told = Exported(spans, people, _setup(value, exponent), value)
    told.at = places.get("gameType", 0)
    told.put(told.game)
    owners = _players(told, data, where, owner)
    told.at = places.get("dealerSeat", 0)
    button = _seat(value.get("dealerSeat"))
    told.put(ButtonPlaced(button or None))
    events = value.get("events")
    if isinstance(events, list):
        for span, event in zip(elements(data, *where["events"]), events, strict=True):
            told.at = spans.add(*span)
            _event(told, event)
    for name in sorted(value.keys() - _HAND):
        told.at = places[name]
        told.unread(f"{name}: {msgspec.json.encode(value[name]).decode()[:2000]}")
    _finish(told, owners)
    witnesses = _WITNESSES if button else _WITNESSES & ~int(Witness.BUTTON)
    if owners.get(owner):
        witnesses |= int(Witness.OWN_CARDS)
    began = value.get("startedAt")
    moment = began if type(began) is int and 0 < began < 10**13 else None
    told.open(HandOpened(VENUE, table, str(number).strip()[:40], witnesses, moment, str(began or "")[:40]))
    return told


def _setup(value: Payload, exponent: int | None) -> GameSet:
    unit = (2 if value.get("cents") else 0) if exponent is None else exponent
    kind = value.get("gameType")
    found = GAMES.get(kind.lower()) if isinstance(kind, str) else None
    if found is None:
        found = _by_cards(value)
    if found is None:
        raise UnreadableHandError(
            f"no game is known as {str(kind)[:40]!r}",
            kind="unknown-game",
            hint="If it is a game that handledger knows by another name, please report it.",
        )

    def chips(name: str) -> Chips:
        told = value.get(name)
        return 0 if told is None else amounts.number(told, 0 if isinstance(told, int) else unit)

    blinds = tuple(one for one in (chips("smallBlind"), chips("bigBlind")) if one)
    written = kind if isinstance(kind, str) and kind.lower() not in GAMES else ""
    return GameSet(*found, "cash", "chips", unit, blinds, chips("ante"), written=written[:40])


def _by_cards(value: Payload) -> tuple[str, Betting] | None:
    """Tell a game that has no name here by the cards of its hands and by what was paid for a low."""
    listed = value.get("players")
    players = listed if isinstance(listed, list) else []
    counts = {
        len(one["hand"])
        for one in players
        if isinstance(one, dict) and isinstance(one.get("hand"), list) and one["hand"]
    }
    variant = _BY_CARDS.get(counts.pop()) if len(counts) == 1 else None
    if variant is None:
        return None
    if variant == "holdem":
        return variant, "no-limit"
    low = b'"hiLo":"lo' in msgspec.json.encode(value.get("events")).lower().replace(b'"hilo"', b'"hiLo"')
    return variant + (("8" if variant == "omaha" else "-8") if low else ""), "pot-limit"


def _seat(value: object) -> Seat:
    usable = isinstance(value, int) and not isinstance(value, bool) and 0 < value < SEATS
    return int(str(value)) if usable else 0


def _cards(value: object) -> str:
    """Return a list of cards, an unknown one as `??`; "" where one of them is no card."""
    if not isinstance(value, list) or not value:
        return ""
    found = ["??" if one is None else CARDS.get(one) if isinstance(one, str) else None for one in value]
    return "" if None in found else "".join(one for one in found if one)


def _players(
    told: Exported, data: bytes, where: dict[str, tuple[int, int]], owner: str
) -> dict[str, tuple[Seat, str, int]]:
    """Seat the players; return seat, cards and place of those whose cards are told, by their id."""
    listed = told.value.get("players")
    if not isinstance(listed, list) or not listed:
        raise UnreadableHandError("the hand has no players", kind="cut-off")
    found: dict[str, tuple[Seat, str, int]] = {}
    spans = elements(data, *where["players"])
    places = told.places
    assert isinstance(places, Spans)  # noqa: S101 - made by `tell`
    for span, player in zip(spans, listed, strict=True):
        told.at = places.add(*span)
        seat = _seat(player.get("seat")) if isinstance(player, dict) else 0
        if not seat or not isinstance(player.get("id"), str):
            told.unread(msgspec.json.encode(player).decode()[:2000])
            continue
        stack = player.get("stack")
        told.sit(seat, f"{player.get('name')} @ {player['id']}", None if stack is None else told.number(stack))
        held = _cards(player.get("hand"))
        if held:
            found[player["id"]] = (seat, held, told.at)
    if not told.stacks:
        raise UnreadableHandError("nobody is dealt in", kind="cut-off")
    if owner in found:
        seat, held, told.at = found[owner]
        told.put(HoleCardsDealt(seat, held))
    return found


def _finish(told: Exported, owners: dict[str, tuple[Seat, str, int]]) -> None:
    """Tell the cards that nobody saw before, and that the hand is over."""
    told.deal()
    known = {event.seat for event in told.events if isinstance(event, HoleCardsDealt | CardsShown)}
    for seat, held, at in owners.values():
        if seat not in known:
            told.at = at
            told.put(HoleCardsLearned(seat, held))
    if told.ended >= 0:
        told.return_bets()
        told.at = told.ended
        told.put(HandCompleted())


# -- acts -----------------------------------------------------------------------------------------


def _event(told: Exported, event: object) -> None:
    """Tell one element of `events`, with its time."""
    payload = event.get("payload") if isinstance(event, dict) else None
    first = len(told.events)
    if not isinstance(payload, dict) or not _act(told, payload):
        told.unread(msgspec.json.encode(event).decode()[:2000])
    at = event.get("at") if isinstance(event, dict) else None
    if isinstance(at, int) and not isinstance(at, bool) and 0 < at < 10**13:
        for index in range(first, len(told.events)):
            told.times.setdefault(index, at)


def _act(told: Exported, payload: Payload) -> bool:
    kind = payload.get("type")
    if not isinstance(kind, int):
        return False
    seat = _seat(payload.get("seat"))
    if kind in WITHOUT_SEAT:
        return WITHOUT_SEAT[kind](told, seat, payload)
    if seat not in told.stacks:
        return False
    act = ACTS.get(kind)
    if act is None:
        return not told.dealt and _forced(told, seat, payload)
    if kind in _VOLUNTARY and not (told.bomb and told.street == "preflop"):
        told.deal()
    return act(told, seat, payload)


def _all_in(payload: Payload) -> bool | None:
    return True if payload.get("allIn") is True else None


def _forced(told: Exported, seat: Seat, payload: Payload) -> bool:
    """Tell a post by a number that nobody knows, where its amount or seat says what it is."""
    amount, ante = payload.get("value"), told.value.get("ante")
    if not isinstance(amount, int) or isinstance(amount, bool):
        return False
    paid = any(isinstance(event, AntePosted) and event.seat == seat for event in told.events)
    if ante and amount == ante and not paid:
        told.ante(seat, told.number(amount), all_in=_all_in(payload))
    elif seat == told.value.get("straddleSeat") and amount > told.blind:
        told.straddle(seat, told.number(amount), all_in=_all_in(payload))
    else:
        return False
    told.derived.append(len(told.events) - 1)
    return True


def _big(told: Exported, seat: Seat, payload: Payload) -> bool:
    role: BlindRole = "entry" if told.big else "big"
    told.post(seat, role, told.number(payload.get("value")), all_in=_all_in(payload))
    return True


def _small(told: Exported, seat: Seat, payload: Payload) -> bool:
    told.post(seat, "small", told.number(payload.get("value")), all_in=_all_in(payload))
    return True


def _missed_big(told: Exported, seat: Seat, payload: Payload) -> bool:
    told.post(seat, "makeup-big", told.number(payload.get("value")), all_in=_all_in(payload))
    return True


def _missed_small(told: Exported, seat: Seat, payload: Payload) -> bool:
    told.post(seat, "makeup-small", 0, told.number(payload.get("value")), all_in=_all_in(payload))
    return True


def _check(told: Exported, seat: Seat, _payload: Payload) -> bool:
    told.check(seat)
    return True


def _fold(told: Exported, seat: Seat, _payload: Payload) -> bool:
    told.fold(seat)
    return True


def _wager(told: Exported, seat: Seat, payload: Payload) -> bool:
    """Tell a bet, raise or call of so many chips on this street; before a bomb pot's flop an ante."""
    to = told.number(payload.get("value"))
    if told.bomb and told.street == "preflop":
        told.ante(seat, to, "bomb-pot", all_in=_all_in(payload))
        if not any(isinstance(event, OptionSet) for event in told.events):
            told.insert(2, OptionSet("bomb-pot", to))
        return True
    if to < told.bets[seat]:
        return False
    if payload.get("type") == _CALL:
        told.call_to(seat, to, all_in=_all_in(payload))
    else:
        told.wager(seat, to, all_in=_all_in(payload))
    return True


def _returned(told: Exported, seat: Seat, payload: Payload) -> bool:
    told.give_back(seat, told.number(payload.get("value")))
    return True


def _won(told: Exported, seat: Seat, payload: Payload) -> bool:
    number = _run(payload.get("runNumber"))
    half: Half = ""
    word = payload.get("hiLo")
    if isinstance(word, str):
        half = "low" if word.lower().startswith("lo") else "high" if word.lower().startswith("hi") else ""
    told.over = True
    run, board = (1, number) if told.boards else (number, 1)
    told.award(seat, told.number(payload.get("value")), run=run, board=board, half=half)
    claim, best = payload.get("handDescription"), payload.get("combination")
    if isinstance(claim, str) and claim:
        said = ", ".join(map(str, best)) if isinstance(best, list) else ""
        told.put(RemarkNoted(told.people.text(f"{claim} (combination: {said})" if said else claim)))
    return True


def _run(value: object) -> int:
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and 0 < len(text) < 2 and text > "0" else 1


def _shows(told: Exported, seat: Seat, payload: Payload) -> bool:
    found = _cards(payload.get("cards"))
    if found:
        count = VARIANTS[told.game.variant].hole_cards
        told.put(CardsShown(seat, padded(found, count), told.over))
    return bool(found)


def _bounty(told: Exported, seat: Seat, payload: Payload) -> bool:
    told.put(BountyWon(seat, told.number(payload.get("value")), kind="seven-deuce"))
    return True


def _board(told: Exported, _seat: Seat, payload: Payload) -> bool:
    turn, found = payload.get("turn"), _cards(payload.get("cards"))
    street = _STREETS.get(turn) if isinstance(turn, int) else None
    if street is None or not found:
        return False
    number = _run(payload.get("run", 1))
    fresh = found[-2:] if street != "flop" else found
    told.deal()
    told.board(street, fresh, run=1 if told.boards else number, board=number if told.boards else 1)
    return True


def _vote(told: Exported, _seat: Seat, payload: Payload) -> bool:
    told.deal()
    for name, runs in (("approvedSeats", 2), ("deniedSeats", 1)):
        seats = payload.get(name)
        for one in seats if isinstance(seats, list) else ():
            if _of(one, told):
                told.put(RunsAnswered(one, runs))
    told.put(RunsAgreed(2 if payload.get("approved") is True else 1))
    return True


def _of(value: object, told: Exported) -> bool:
    return bool(_seat(value)) and value in told.stacks


def _end(told: Exported, _seat: Seat, _payload: Payload) -> bool:
    told.ended = told.at
    return True


_CALL: Final = 7
_VOLUNTARY: Final = frozenset((0, 7, 8, 11))

ACTS: Final[dict[int, Act]] = {
    0: _check,
    2: _big,
    3: _small,
    4: _missed_big,
    5: _missed_small,
    7: _wager,
    8: _wager,
    10: _won,
    11: _fold,
    12: _shows,
    16: _returned,
    18: _bounty,
}
"""The number of what a seat did → how it is told."""

WITHOUT_SEAT: Final[dict[int, Act]] = {9: _board, 14: _vote, 15: _end}
"""The number of what happened at the table → how it is told."""
