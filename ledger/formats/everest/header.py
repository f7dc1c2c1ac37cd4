"""What a session says for its hands, and what stands in a hand's own tag."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.everest.words import GAMES, LIMITS, currency, stakes
from ledger.hand.opening import Betting, GameSet, TournamentSet
from ledger.readers.games import unknown_game
from ledger.readers.marked import Source, Tag, values
from ledger.vocabulary import Millis

_MOST: Final = 200
_SECONDS_MOST: Final = 11


@dataclass(frozen=True, slots=True)
class Session:
    """The facts that all hands of a session share."""

    table: str
    tournament: str
    variant: str
    betting: Betting
    unit: str
    written: str


def session(source: Source, head: list[Tag]) -> Session:
    """Read a session's tag. A game that nobody knows raises `UnreadableHandError`."""
    found = values(source, next(one for one in head if one.name == "session"))
    game, limit = found.get("game", "").strip()[:_MOST], found.get("gametype", "").strip()[:_MOST]
    variant = GAMES.get(game.lower().removesuffix("tournament").strip(" -"))
    betting = LIMITS.get(limit.lower().replace(" ", "-"))
    if variant is None or betting is None:
        raise unknown_game(game, limit)
    table = found.get("tablename", "").strip()[:_MOST]
    ring = found.get("type", "ring").strip().lower() == "ring"
    unit = currency(found.get("money", "")) if ring else "chips"
    return Session(
        table, "" if ring else found.get("id", "").strip()[:_MOST] or table, variant, betting, unit, f"{game} {limit}"
    )


@dataclass(frozen=True, slots=True)
class Header:
    """What is known of a hand before its seats."""

    number: str
    written: str
    started: Millis | None
    game: GameSet
    costs: TournamentSet | None


HUNDREDTHS: Final = 2
"""In what elements count: cents, and in tournaments hundredths of a chip."""


def header(found: dict[str, str], known: Session) -> Header:
    """Read a hand's attributes. What is damaged raises `UnreadableHandError`."""
    number = found.get("id", "").strip()
    if not number or len(number) > 40 or not number.isascii():
        raise UnreadableHandError("the hand has no number", kind="header")
    written = found.get("time", "").strip()[:_MOST]
    told = written.isascii() and written.isdecimal() and len(written) < _SECONDS_MOST
    ring = not known.tournament
    limit = known.betting == "limit"
    game = GameSet(
        known.variant,
        known.betting,
        "cash" if ring else "tournament",
        known.unit,
        HUNDREDTHS,
        stakes(found.get("blinds", ""), HUNDREDTHS),
        0,
        stakes(found.get("stakes", ""), HUNDREDTHS) if limit else (),
        0,
        known.written,
    )
    costs = None if ring else TournamentSet(written=known.table)
    return Header(number, written, int(written) * 1000 if told else None, game, costs)
