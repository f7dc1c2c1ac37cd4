"""GGPoker's first line: number, game, stakes or tournament and level, the room's wall time."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.ggpoker.words import BY_LENGTH, FAST, GAMES, HEADS, LIMITS, NO_LIMIT_AFTER_THE_FLOP, VENUE
from ledger.formats.pokerstars.header import Head, Setup
from ledger.hand.opening import Betting, OptionSet, TournamentSet
from ledger.readers import amounts, games
from ledger.vocabulary import Chips

_KEPT: Final = 20_000


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line."""
    if not line.startswith(HEADS):
        line = line.lstrip("\ufeff \t")
        if not line.startswith(HEADS):
            return False
    at = line.find("#")
    return line[at + 1 : at + 2].isalnum()


def head(line: str) -> Head:
    """Take a line apart that `begins` a hand."""
    number, colon, rest = line.partition("#")[2].partition(":")
    number = number.strip()
    word = number.replace("_", "")  # a club's hand: `ring_90000301`
    if not colon or not word.isascii() or not word.isalnum() or len(number) > 24:
        raise UnreadableHandError(
            f"the hand's number is {number[:40]!r}", kind="header", hint="Letters and digits and a colon were expected."
        )
    game, dash, written = rest.rstrip().rpartition(" - ")
    if not dash or not written[:4].isdigit():
        raise UnreadableHandError("the header has no date", kind="header")
    return Head(VENUE, number.startswith(FAST), number, game.strip(), written.strip())


_setups: dict[tuple[str, int | None, bool], Setup] = {}


def setup(found: Head, *, exponent: int | None, play: bool) -> Setup:
    """Return the game of a header. `exponent` None = as the currency has it."""
    key = (found.game, exponent, play)
    made = _setups.get(key)
    if made is None:
        if len(_setups) > _KEPT:
            _setups.clear()
        made = _setups[key] = _setup(found.game, exponent, play=play)
    if found.zoom:
        return replace(made, events=(*made.events, OptionSet("other", "rush and cash")))
    return made


def _setup(text: str, exponent: int | None, *, play: bool) -> Setup:
    if text[:12].lower() == "tournament #":
        return _tournament(text[12:], exponent or 0)
    left, right = text.rfind("("), text.rfind(")")
    if left >= 0 and text[right - 1 : right] == ")":
        left = text.rfind("(", 0, left)  # the ante stands in the stakes: `($0.5/$1($0.1))`
    if left < 0 or right < left:
        raise UnreadableHandError(f"no stakes in {text[:80]!r}", kind="header")
    stakes = text[left + 1 : right]
    unit = _unit(stakes)
    if not unit or play:
        unit = "play"
    if exponent is None:
        exponent = 0 if unit == "play" else 2
    variant, betting, option = _game(text[:left])
    blinds, ante = _stakes(stakes, exponent)
    game = games.game_set(variant, betting, blinds, unit=unit, exponent=exponent, ante=ante)
    return Setup((game, *option), game, "", "")


def _unit(stakes: str) -> str:
    if "C$" in stakes:
        return "CAD"
    return amounts.currency(stakes)


def _stakes(text: str, exponent: int) -> tuple[tuple[Chips, ...], Chips]:
    """Read `$0.5/$1`, `$0.02` (the button blind alone), `175/350(45)`, `$1/$2 - Ante $0.5`."""
    blinds, _, ante = text.partition("(")
    if not ante and "ante" in blinds.lower():
        at = blinds.lower().find("ante")
        blinds, ante = blinds[:at].rstrip(" -,"), blinds[at + 4 :]
    chips = tuple(amounts.read(one, exponent) for one in blinds.split("/") if one.strip())
    return chips, amounts.read(ante.strip(" )"), exponent) if ante.strip(" )") else 0


def _game(name: str) -> tuple[str, Betting, tuple[OptionSet, ...]]:
    """Find the game at the end of a text, which may be a tournament's name and its game."""
    low = " ".join(name.replace("\xa0", " ").lower().split())
    limit: Betting | None = None
    option: tuple[OptionSet, ...] = ()
    for ending, betting in LIMITS:
        if low.endswith(ending):
            low, limit = low[: -len(ending)], betting
            if ending == NO_LIMIT_AFTER_THE_FLOP:
                option = (OptionSet("other", "pot limit before the flop, no limit after"),)
            break
    for title in BY_LENGTH:
        if low.endswith(title):
            variant, usual = GAMES[title]
            return variant, limit or usual, option
    raise games.unknown_game(name.strip())


def _tournament(text: str, exponent: int) -> Setup:
    """Read `90000020, $52.50 Bounty Hunters Hold'em No Limit - Level1(100/200)`."""
    number, comma, rest = text.partition(",")
    number = number.strip()
    if not comma or not number:
        raise UnreadableHandError("the tournament has no number", kind="header")
    name, dash, level = rest.rpartition(" - ")
    left = level.find("(")
    if not dash or left < 0 or not level[left + 1 : left + 2].isdigit():
        raise UnreadableHandError(f"no level in {rest[:80]!r}", kind="header")
    variant, betting, option = _game(name)
    stakes = level[left + 1 :].rstrip()
    blinds, ante = _stakes(stakes.removesuffix(")"), exponent)
    game = games.game_set(variant, betting, blinds, unit="chips", exponent=exponent, tournament=True, ante=ante)
    costs = TournamentSet(level=_level(level[:left].strip()), written=" ".join(name.split()))
    return Setup((costs, game, *option), game, number, "")


def _level(text: str) -> str:
    """Return `12` of `Level12`, or whatever else stands there."""
    return text[5:].strip() if text[:5].lower() == "level" else text
