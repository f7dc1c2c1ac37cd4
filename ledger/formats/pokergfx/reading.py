"""One hand of a PokerGFX export to events, each with the value that tells it.

Blinds and antes are no acts here but the structure of the hand and the positions in it; bets, calls
and raises are all the street's total.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from ledger.errors import UnreadableHandError
from ledger.formats.pokergfx import seating, settling
from ledger.formats.pokergfx.acts import ACTS, Streets
from ledger.formats.pokergfx.values import Gfx
from ledger.formats.pokergfx.words import GAMES, LIMITS, TRIPS_FIRST, VENUE, WITNESSES, plain
from ledger.hand.ending import RemarkNoted
from ledger.hand.opening import GameFormat, GameSet, HandOpened, OptionSet
from ledger.hand.variants import VARIANTS
from ledger.people import People
from ledger.readers import amounts, timestamps
from ledger.readers.games import unknown_game
from ledger.readers.hand import HandBuilder
from ledger.vocabulary import Chips, Witness

_KNOWN: Final = frozenset(
    (
        "AnteAmt",
        "BetStructure",
        "BombPotAmt",
        "Description",
        "Duration",
        "Events",
        "FlopDrawBlinds",
        "GameClass",
        "GameVariant",
        "HandNum",
        "NumBoards",
        "Players",
        "RecordingOffsetStart",
        "RunItNumTimes",
        "StartDateTimeUTC",
        "StudLimits",
    )
)
"""Members of a hand; where its recording begins in the film is no fact of the hand."""

_EVENT: Final = frozenset(
    ("BetAmt", "BoardCards", "BoardNum", "DateTimeUTC", "EventType", "NumCardsDrawn", "PlayerNum", "Pot")
)
"""Members of an act. `Pot` follows from the acts before it."""


def tell(data: bytes, place: tuple[int, int], table: str, people: People, exponent: int | None) -> HandBuilder:
    """Read the hand at `place`; one that cannot be read raises `UnreadableHandError`."""
    gfx = Gfx(data, place)
    number = gfx.value.get("HandNum")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 10**15:
        raise UnreadableHandError("the hand has no HandNum", kind="no-header")
    form, concluded = _format(gfx)
    game = _game(gfx, form, exponent or 0)
    told = gfx.told = HandBuilder(gfx.spans, people, VENUE, game, gfx.at("HandNum"))
    told.at = gfx.at("GameVariant")
    told.put(game)
    if concluded:
        told.derived.append(1)
    _options(gfx)
    seating.players(gfx)
    seating.positions(gfx)
    seating.posts(gfx)
    known = seating.cards(gfx)
    streets = Streets(gfx)
    for at, event in gfx.parts("Events"):
        told.at = at
        _event(streets, event)
    streets.flush()
    seating.last_cards(gfx)
    _strangers(gfx)
    written = gfx.value.get("StartDateTimeUTC")
    written = written[:40] if isinstance(written, str) else ""
    started = timestamps.iso(written)
    settling.settle(gfx, started)
    witnesses = WITNESSES | int(Witness.ALL_CARDS) if known else WITNESSES
    if streets.astray:
        witnesses &= ~int(Witness.ACTS)
    told.open(HandOpened(VENUE, table, str(number), witnesses, started, written))
    return told


def _game(gfx: Gfx, form: GameFormat, exponent: int) -> GameSet:
    value, flop = gfx.value, gfx.flop
    name = value.get("GameVariant")
    variant = GAMES.get(plain(name)) if isinstance(name, str) else None
    if variant is None:
        raise unknown_game(str(name))
    limit = value.get("BetStructure")
    betting = LIMITS.get(plain(limit)) if isinstance(limit, str) else None
    if betting is None:
        raise UnreadableHandError(f"no limit is known as {str(limit)[:40]!r}", kind="unknown-game")

    def number(owner: dict[str, Any], key: str) -> Chips:
        found = owner.get(key)
        return 0 if found is None else amounts.number(found, exponent)

    stud = value.get("StudLimits")
    stud = stud if isinstance(stud, dict) else {}
    # What stands here in a game that a bring-in opens is left from the game before it.
    roles = ("Small", "Big", "Third") if VARIANTS[variant].opening == "blinds" else ()
    blinds = [number(flop, role + "BlindAmt") for role in roles]
    bets = [number(stud, "LowLimitAmt"), number(stud, "HighLimitAmt")]
    return GameSet(
        variant,
        betting,
        form,
        "chips",
        exponent,
        tuple(one for one in blinds if one),
        number(value, "AnteAmt"),
        tuple(one for one in bets if one),
        number(stud, "BringInAmt"),
    )


def _format(gfx: Gfx) -> tuple[GameFormat, bool]:
    """Return of what the hand is, and whether that is concluded.

    A level or a rank says that it is a tournament. Without them a big blind's ante shows it, where
    it is no less than the big blind: cash games take no such antes.
    """
    flop = gfx.flop
    found = [flop.get("BlindLevel")]
    found += [one.get("EliminationRank") for _, one in gfx.parts("Players") if isinstance(one, dict)]
    if any(type(one) is int and one > 0 for one in found):
        return "tournament", False
    ante, big = gfx.value.get("AnteAmt"), flop.get("BigBlindAmt")
    numbers = type(ante) is int and type(big) is int and ante >= big > 0
    if numbers and plain(str(flop.get("AnteType"))).startswith("BBANTE"):
        return "tournament", True
    return "unknown", False


def _options(gfx: Gfx) -> None:
    """Tell the house's options that the hand has, and what its operator wrote of it."""
    told, value = gfx.told, gfx.value
    bomb = gfx.chips(value.get("BombPotAmt"))
    if bomb:
        told.at = gfx.at("BombPotAmt")
        told.put(OptionSet("bomb-pot", bomb))
    if plain(value["GameVariant"]) in TRIPS_FIRST:
        told.at = gfx.at("GameVariant")
        told.put(OptionSet("trips-beat-straights", 1))
    words = value.get("Description")
    if isinstance(words, str) and words.strip():
        told.at = gfx.at("Description")
        told.put(RemarkNoted(told.people.text(words)))


def _event(streets: Streets, event: object) -> None:
    """Read one element of `Events`."""
    told = streets.gfx.told
    kind = event.get("EventType") if isinstance(event, dict) else None
    act = ACTS.get(plain(kind)) if isinstance(kind, str) else None
    if not isinstance(event, dict) or act is None or not act(streets, event):
        streets.flush()
        told.unread(msgspec.json.encode(event).decode()[:2000])
        return
    for name in event.keys() - _EVENT:
        told.unread(f"{name}: {msgspec.json.encode(event[name]).decode()[:2000]}")


def _strangers(gfx: Gfx) -> None:
    """Keep the members of the hand that nobody knows."""
    for name in sorted(gfx.value.keys() - _KNOWN):
        gfx.told.at = gfx.at(name)
        gfx.told.unread(f"{name}: {msgspec.json.encode(gfx.value[name]).decode()[:2000]}")
