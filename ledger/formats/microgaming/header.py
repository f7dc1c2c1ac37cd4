"""What stands in a game's own tag."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.microgaming.words import GAMES, KINDS, LIMITS, named, unpacked
from ledger.hand.opening import GameSet, TournamentSet
from ledger.readers import amounts, games
from ledger.vocabulary import Chips

_MOST: Final = 200


@dataclass(frozen=True, slots=True)
class Header:
    """What is known of a hand before its seats."""

    number: str
    table: str
    tournament: str
    written: str
    seats: int
    game: GameSet
    costs: TournamentSet | None
    owner: int  # whose file it is, 0 = an observer's
    rake: Chips | None


def header(found: dict[str, str], exponent: int | None) -> Header:
    """Read a game's attributes. What is damaged raises `UnreadableHandError`."""
    number = found.get("id", "").strip()
    if not number or len(number) > 40 or not number.isascii():
        raise UnreadableHandError("the game has no number", kind="header")
    kind = found.get("tabletype", "").lower()
    tournament = found.get("istournament", "0").strip() not in ("0", "", "false") or kind in ("mtt", "stt")
    name = named(found.get("tablename", ""), found.get("unicodetablename", ""))[:_MOST]
    table, number_of = (name, "") if not tournament else _tournament(name)
    if exponent is None:
        exponent = 0 if tournament else 2
    game = _game(found, tournament=tournament, exponent=exponent)
    rake = amounts.maybe(found.get("rake", ""), 0) if found.get("rake") else None
    if rake is not None and not tournament:
        rake = rake * 10**exponent // 100  # cents, always
    return Header(
        number,
        table,
        number_of,
        found.get("date", "").strip()[:_MOST],
        _count(found.get("tablesize", "")),
        game,
        TournamentSet(written=name) if tournament else None,
        _count(found.get("playerseat", "")),
        None if tournament else rake,
    )


def _count(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else 0


def _tournament(name: str) -> tuple[str, str]:
    """Return table and tournament of `Christmas Day[90000025]:Table 10`."""
    _, bracket, rest = name.rpartition("[")
    number, _, table = rest.partition("]")
    if not bracket or not number.isascii() or not number.isdecimal():
        return name, name
    return table.lstrip(": ").removeprefix("Table ").strip() or name, number


def _game(found: dict[str, str], *, tournament: bool, exponent: int) -> GameSet:
    written = found.get("gametype", "").strip()[:_MOST]
    name = written.lower().replace("&apos;", "'")
    for kind in KINDS:
        name = name.removeprefix(kind)
    variant, betting = GAMES.get(name), LIMITS.get(found.get("betlimit", "").upper())
    if variant is None or betting is None:
        limit = found.get("betlimit", "")[:20]
        raise UnreadableHandError(f"the game {limit} {written[:60]!r} is not known", kind="unknown-game")
    stakes = tuple(amounts.read(one, exponent) for one in found.get("stakes", "").split("|") if one)
    unit = "chips"
    if not tournament:
        sign = unpacked(found.get("currencysymbol", ""))
        unit = amounts.SYMBOLS.get(sign[-1:], "chips")
        if found.get("realmoney") == "false":
            unit = "play"
    written = f"{written} {found.get('betlimit', '')}"
    return games.game_set(
        variant, betting, stakes[:2], unit=unit, exponent=exponent, tournament=tournament, written=written
    )
