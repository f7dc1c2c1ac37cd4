"""One hand of PokerNow's JSON export: a table from the number of an act to what happened."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

import msgspec

from ledger.errors import UnreadableHandError
from ledger.formats.pokernow.hand import bomb
from ledger.formats.pokernow.rows import CARDS, VENUE, WITNESSES, padded
from ledger.hand.betting import RunsAgreed, RunsAnswered
from ledger.hand.dealing import DealCompleted, HoleCardsDealt, HoleCardsLearned
from ledger.hand.ending import BountyWon, CardsShown, Half, HandCompleted, RemarkNoted
from ledger.hand.opening import AntePosted, Betting, ButtonPlaced, GameSet
from ledger.hand.variants import VARIANTS
from ledger.people import People
from ledger.readers import acts, amounts
from ledger.readers.documented import Record, Recorded, count, names, objects
from ledger.readers.games import unknown_game
from ledger.readers.hand import SEATS, HandBuilder
from ledger.readers.phrases import number as digits
from ledger.vocabulary import Chips, Seat, Street, Witness

_WITNESSES: Final = int(
    WITNESSES & ~int(Witness.PRESENCE | Witness.SEATING | Witness.CHIP_PURCHASES) | Witness.BLIND_AMOUNTS
)
"""The export has the hands alone; what happens between them stands in the log."""

_HAND: Final = names(
    "ante bigBlind bombPot cents dealerSeat doubleBoard events gameType handVersion id number players",
    "sevenDeuceBounty smallBlind startedAt straddleSeat",
)

GAMES: Final[dict[str, tuple[str, Betting]]] = {"th": ("holdem", "no-limit"), "holdem": ("holdem", "no-limit")}
"""`gameType` → game and limit. Others are told by the number of cards in the hands."""

_BY_CARDS: Final = {2: "holdem", 4: "omaha", 5: "omaha5", 6: "omaha6"}

_STREETS: Final[dict[int, Street]] = {1: "flop", 2: "turn", 3: "river"}

Payload: TypeAlias = dict[str, object]
_TIME_END: Final = 10**13


class Exported(Recorded):
    """The hand being told, with its values."""

    def begin(self) -> None:
        """Know nothing yet of what only an export tells."""
        self.boards = bool(self.value.get("doubleBoard"))  # `run` counts boards
        self.bomb = bool(self.value.get("bombPot"))
        self.over = False  # somebody was paid
        self.ended = -1  # place of the act that ends the hand

    def number(self, value: object) -> Chips:
        """Return an amount; in a game with cents they are whole cents."""
        return _chips(value, self.exponent)

    def complete(self) -> None:
        """Infer that the cards are dealt, before the first act."""
        if not self.deal_told:
            self.deal_told = True
            self.infer(DealCompleted())


def tell(
    data: bytes, place: tuple[int, int], table: str, owner: str, people: People, exponent: int | None
) -> HandBuilder:
    """Read the hand at `place` of the game with that id, seen by that player."""
    record = Record(data, place)
    value, places = record.value, record.where
    number = value.get("number")
    if not isinstance(number, str | int) or isinstance(number, bool) or not str(number).strip():
        raise UnreadableHandError("the hand has no number", kind="no-header")
    told = Exported(record, people, VENUE, _setup(value, exponent))
    told.at = places.get("gameType", places[""])
    told.put(told.game)
    owners = _players(told, owner)
    told.at = places.get("dealerSeat", places[""])
    button = count(value.get("dealerSeat"), SEATS)
    told.put(ButtonPlaced(button or None))
    for at, event in told.parts("events"):
        told.at = at
        _event(told, event)
    told.besides(_HAND)
    _finish(told, owners)
    witnesses = _WITNESSES if button else _WITNESSES & ~int(Witness.BUTTON)
    told.own = owner in owners
    began = value.get("startedAt")
    told.opened(table, str(number).strip()[:40], witnesses, count(began, _TIME_END) or None, str(began or "")[:40])
    return told


def _setup(value: Payload, exponent: int | None) -> GameSet:
    unit = (2 if value.get("cents") else 0) if exponent is None else exponent
    kind = value.get("gameType")
    found = GAMES.get(kind.lower()) if isinstance(kind, str) else None
    if found is None:
        found = _by_cards(value)
    if found is None:
        raise unknown_game(str(kind))

    told = (value.get(name) for name in ("smallBlind", "bigBlind", "ante"))
    small, big, ante = (0 if one is None else _chips(one, unit) for one in told)
    blinds = tuple(one for one in (small, big) if one)
    written = kind if isinstance(kind, str) and kind.lower() not in GAMES else ""
    return GameSet(*found, "cash", "chips", unit, blinds, ante, written=written[:40])


def _chips(value: object, exponent: int) -> Chips:
    """Return an amount, of which a whole one counts the smallest unit."""
    return amounts.number(value, 0 if type(value) is int else exponent)


def _by_cards(value: Payload) -> tuple[str, Betting] | None:
    """Tell a game that has no name here by the cards of its hands and by what was paid for a low."""
    held = [one.get("hand") for one in objects(value, "players")]
    counts = {len(hand) for hand in held if isinstance(hand, list) and hand}
    variant = _BY_CARDS.get(counts.pop()) if len(counts) == 1 else None
    if variant is None:
        return None
    if variant == "holdem":
        return variant, "no-limit"
    low = b'"hilo":"lo' in msgspec.json.encode(value.get("events")).lower()
    return variant + (("8" if variant == "omaha" else "-8") if low else ""), "pot-limit"


def _cards(value: object) -> str:
    """Return a list of cards, an unknown one as `??`; "" where one of them is no card."""
    if not isinstance(value, list) or not value:
        return ""
    found = ["??" if one is None else CARDS.get(one) if isinstance(one, str) else None for one in value]
    return "" if None in found else "".join(one for one in found if one)


def _players(told: Exported, owner: str) -> dict[str, tuple[Seat, str, int]]:
    """Seat the players; return seat, cards and place of those whose cards are told, by their id."""
    listed = told.parts("players")
    if not listed:
        raise UnreadableHandError("the hand has no players", kind="cut-off")
    found: dict[str, tuple[Seat, str, int]] = {}
    for told.at, player in listed:
        seat = count(player.get("seat"), SEATS) if isinstance(player, dict) else 0
        if not seat or not isinstance(player.get("id"), str):
            told.encoded(player)
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
    told.complete()
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
        told.encoded(event)
    if isinstance(event, dict):
        told.timed(first, count(event.get("at"), _TIME_END))


def _act(told: Exported, payload: Payload) -> bool:
    kind, seat = payload.get("type"), count(payload.get("seat"), SEATS)
    all_in = True if payload.get("allIn") is True else None
    if not isinstance(kind, int):
        return False
    if kind in WITHOUT_SEAT:
        return WITHOUT_SEAT[kind](told, payload) is not False
    if seat not in told.stacks:
        return False
    if kind in _VOLUNTARY and not (told.bomb and told.street == "preflop"):
        told.complete()
    if kind in CHIPS:
        amount = 0 if kind in _WITHOUT_CHIPS else told.number(payload.get("value"))
        return CHIPS[kind](told, seat, amount, all_in) is not False
    if kind in OTHERS:
        return OTHERS[kind](told, seat, payload) is not False
    return not told.deal_told and _forced(told, seat, payload, all_in)


def _forced(told: Exported, seat: Seat, payload: Payload, all_in: bool | None) -> bool:
    """Tell a post by a number that nobody knows, where its amount or seat says what it is."""
    amount, ante = payload.get("value"), told.value.get("ante")
    if not isinstance(amount, int) or isinstance(amount, bool):
        return False
    paid = any(isinstance(event, AntePosted) and event.seat == seat for event in told.events)
    if ante and amount == ante and not paid:
        told.ante(seat, told.number(amount), all_in=all_in)
    elif seat == told.value.get("straddleSeat") and amount > told.blind:
        told.straddle(seat, told.number(amount), all_in=all_in)
    else:
        return False
    told.inferred.append(len(told.events) - 1)
    return True


def _wager(told: Exported, seat: Seat, to: Chips, all_in: bool | None, *, calls: bool = False) -> bool:
    """Tell a bet, raise or call of so many chips on this street; before a bomb pot's flop an ante."""
    if told.bomb and told.street == "preflop":
        bomb(told, seat, to, all_in)
        return True
    if to >= told.bet_of(seat):
        (told.call_to if calls else told.wager)(seat, to, all_in=all_in)
    return to >= told.bet_of(seat)


def _won(told: Exported, seat: Seat, payload: Payload) -> None:
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


def _run(value: object) -> int:
    return digits(str(value), 1) or 1


def _shows(told: Exported, seat: Seat, payload: Payload) -> bool:
    found = _cards(payload.get("cards"))
    if found:
        told.put(CardsShown(seat, padded(found, VARIANTS[told.game.variant].hole_cards), told.over))
    return bool(found)


def _board(told: Exported, payload: Payload) -> bool:
    turn, found = payload.get("turn"), _cards(payload.get("cards"))
    street = _STREETS.get(turn) if isinstance(turn, int) else None
    if street is None or not found:
        return False
    number = _run(payload.get("run", 1))
    fresh = found[-2:] if street != "flop" else found
    told.complete()
    told.board(street, fresh, run=1 if told.boards else number, board=number if told.boards else 1)
    return True


def _vote(told: Exported, payload: Payload) -> None:
    told.complete()
    for name, runs in (("approvedSeats", 2), ("deniedSeats", 1)):
        seats = payload.get(name)
        for one in seats if isinstance(seats, list) else ():
            if (seat := count(one, SEATS)) in told.stacks:
                told.put(RunsAnswered(seat, runs))
    told.put(RunsAgreed(2 if payload.get("approved") is True else 1))


def _end(told: Exported, _payload: Payload) -> None:
    told.ended = told.at


_WITHOUT_CHIPS: Final = frozenset((0, 11))
_VOLUNTARY: Final = frozenset((0, 7, 8, 11))

CHIPS: Final[dict[int, Callable[[Exported, Seat, Chips, bool | None], bool | None]]] = {
    0: acts.checks,
    2: acts.big_blind,
    3: acts.small_blind,
    4: acts.missed_big,
    5: acts.missed_small,
    7: partial(_wager, calls=True),
    8: _wager,
    11: acts.folds,
    16: lambda told, seat, amount, _all_in: told.give_back(seat, amount),
    18: lambda told, seat, amount, _all_in: told.put(BountyWon(seat, amount, kind="seven-deuce")),
}
"""The number of what a seat did → how it is told of its chips."""

OTHERS: Final[dict[int, Callable[[Exported, Seat, Payload], bool | None]]] = {10: _won, 12: _shows}
WITHOUT_SEAT: Final[dict[int, Callable[[Exported, Payload], bool | None]]] = {9: _board, 14: _vote, 15: _end}
"""The number of what happened at the table → how it is told."""
