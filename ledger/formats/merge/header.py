"""The words of the Merge network's files, what stands before a hand's players, and its tags sorted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.hand.opening import Betting, GameSet, TournamentSet
from ledger.readers import amounts, games
from ledger.readers.cards import KNOWN, reader, unknown
from ledger.readers.document_room import Head
from ledger.readers.marked import Source, Tag, values
from ledger.readers.markup import Line, Sheet
from ledger.readers.timestamps import iso
from ledger.vocabulary import Cards, Chips, Millis, Street

GAMES: Final[dict[str, str]] = {
    "Holdem": "holdem",
    "Omaha": "omaha",
    "Omaha H/L8": "omaha8",
    "7-Stud": "stud",
    "7-Stud H/L8": "stud8",
    "5-Stud": "stud5",
    "Razz": "razz",
    "5-Draw": "draw5",
    "5-Draw w/Joker": "draw5",
    "2-7 Lowball": "triple-27",
    "A-5 Lowball": "triple-a5",
    "Badugi": "badugi",
}
"""A game as the description names it → its variant. `stud5` is told; nothing replays it yet."""

MIXED: Final = frozenset(("HORSE", "HOSE", "SHOE", "HO", "HA", "HAR", "RASH", "HOE", "8-Game", "Mixed"))
"""Descriptions of several games: a hand's `multigametype` says which it is."""

NUMBERED: Final[dict[str, str]] = {
    **dict.fromkeys(("1", "2", "23"), "holdem"),
    **dict.fromkeys(("4", "9"), "omaha"),
    **dict.fromkeys(("34", "35", "37"), "omaha8"),
    **dict.fromkeys(("38", "39", "41", "42"), "stud"),
    **dict.fromkeys(("43", "45"), "stud8"),
    **dict.fromkeys(("46", "47", "49"), "razz"),
    "55": "draw5",
    "63": "triple-a5",
    "67": "triple-27",
    "71": "badugi",
}
"""`gametype` and `multigametype` → variant."""

STUD: Final = frozenset(("stud", "stud8", "razz", "stud5"))
DRAW: Final = frozenset(("draw5", "triple-27", "triple-a5", "badugi"))

LIMITS: Final[dict[str, Betting]] = {
    "No Limit": "no-limit",
    "Half Pot Limit": "pot-limit",
    "Pot Limit": "pot-limit",
    "Limit": "limit",
}
"""How `stakes` begins. No word of ours is for half the pot: `GameSet.written` keeps it."""

BOARDS: Final[dict[str, Street]] = {"POSTFLOP": "flop", "POSTTURN": "turn", "POSTRIVER": "river"}
"""A round → its street."""

STREETS: Final[dict[str, Street]] = {
    "FOURTH_STREET": "fourth",
    "FIFTH_STREET": "fifth",
    "SIXTH_STREET": "sixth",
    "SEVENTH_STREET": "seventh",
    "FIRST_DRAW": "first-draw",
    "SECOND_DRAW": "second-draw",
    "THIRD_DRAW": "third-draw",
}
"""A round with which a street of stud or a draw begins → that street."""

FIRST: Final = frozenset(("BLINDS", "PREFLOP", "BRING_IN", "THIRD_STREET", "PRE_FIRST_DRAW"))
"""Rounds in which everybody who is dealt in has something to do."""

LATER: Final = frozenset(
    ("POST_FIRST_DRAW", "POST_SECOND_DRAW", "POST_THIRD_DRAW", "END_OF_FOLDED_GAME", "END_OF_GAME", "GAME_CANCELLED")
)
"""Rounds that begin nothing by themselves."""

ADDED_BEFORE: Final = "20100908"
"""Files of days before this one write with a raise the chips added, later ones the street's total."""

read_cards: Final = reader({**KNOWN, **unknown("null", "", "??")})
"""Returns `Ah Kd` as cards; None where one of them is no card."""

_KEPT: Final = 20_000


@lru_cache(maxsize=_KEPT)
def cards(text: str) -> Cards | None:
    """Return the cards of `null,null,7s` or `,,7s`, `??` for those that nobody saw; None where one of them is no card."""
    return read_cards(" ".join(word.strip() or "??" for word in text.split(",")))


_MOST: Final = 200
_QUARTER: Final = 900_000
_MOMENT_MOST: Final = 15
_TOURNAMENT: Final = " Tournament"


@dataclass(frozen=True, slots=True)
class MergeDescription:
    """What the description says for the hands behind it."""

    game: str  # as named, without `Tournament`
    tournament: bool
    stakes: str
    written: str


def description(source: Source, tags: list[Tag]) -> MergeDescription:
    """Read the description. A game that nobody knows raises `UnreadableHandError`."""
    found = values(source, next(one for one in tags if one.name == "description"))
    written, stakes = found.get("type", "").strip()[:_MOST], found.get("stakes", "").strip()[:_MOST]
    game = written.removesuffix(_TOURNAMENT).strip()
    if game not in GAMES and game not in MIXED:
        raise games.unknown_game(written)
    return MergeDescription(game, written.endswith(_TOURNAMENT), stakes, f"{written} {stakes}".strip())


def head(sheet: Sheet, known: MergeDescription, exponent: int | None) -> Head:
    """Read the attributes of a game. What is damaged raises `UnreadableHandError`."""
    number = sheet.get("id")
    if not number or len(number) > _MOST or not number.isascii():
        raise UnreadableHandError("the game has no number", kind="header")
    stakes = sheet.get("stakes") or known.stakes
    table, tournament, name = _place(sheet.found["data"], number, cash=not known.tournament)
    written = sheet.get("starttime")
    moments = (moment(event) for one in sheet.lines["round"] for event in one.those("event"))
    return Head(
        number,
        table,
        _game(sheet, known, stakes, exponent),
        tournament,
        _costs(sheet, stakes.partition("Level ")[2].partition(" ")[0], name) if known.tournament else None,
        written,
        started(written, next(filter(None, moments), None)),
        sheet.count("seats") or 0,
    )


def moment(event: Line) -> Millis | None:
    """Return when an event was, None if that is not told."""
    text = event.found["timestamp"]
    return int(text) if text.isascii() and text.isdecimal() and 0 < len(text) < _MOMENT_MOST else None


def _place(data: str, number: str, *, cash: bool) -> tuple[str, str, str]:
    """Return table, tournament and the table's name: `20110531|Room|90000023-1|90000024-25|true`.

    Old files part these with colons. Where nothing is told the hand's number begins with the table's.
    """
    parts = data.split("|") if "|" in data else data.split(":")
    name = parts[1].strip()[:_MOST] if len(parts) > 2 else ""
    place = parts[2].strip()[:_MOST] if len(parts) > 2 else ""
    own = number.partition("-")[0]
    if cash:
        return name or own, "", name
    tournament, _, table = place.partition("-")
    return table or own, tournament or own, name


def _variant(sheet: Sheet, known: MergeDescription) -> str:
    """Return the variant; of a mixed description the hand says which it is: none known is a reject."""
    number = sheet.found["multigametype"] or sheet.found["gametype"]
    variant = GAMES.get(known.game) or NUMBERED.get(number, "")
    if known.game not in GAMES and variant == "omaha" and sheet.found["numholecards"] == "2":
        variant = "holdem"
    if not variant:
        raise UnreadableHandError(f"the game {number[:20]!r} of a mixed game is not known", kind="unknown-game")
    return variant


def _game(sheet: Sheet, known: MergeDescription, stakes: str, exponent: int | None) -> GameSet:
    variant = _variant(sheet, known)
    words = next((words for words in LIMITS if stakes.startswith(words)), None)
    if words is None:
        raise UnreadableHandError(f"the limit {stakes[:60]!r} is not known", kind="unknown-game")
    if exponent is None:
        exponent = 0 if known.tournament else 2
    betting = LIMITS[words]
    ante, sums = _sums(stakes[len(words) :], exponent)
    blinds, bets, bring_in = (), (), 0  # type: tuple[Chips, ...], tuple[Chips, ...], Chips
    if variant in STUD and betting != "limit" and len(sums) == 3:
        ante, bring_in, bets = sums[0], sums[1], sums[2:]
    elif betting == "limit" and not known.tournament:
        bets = sums[:2]
    elif variant not in STUD and len(sums) >= 2 and "Half Pot" not in stakes:
        blinds = sums[:2]
    return GameSet(
        variant,
        betting,
        "tournament" if known.tournament else "cash",
        games.currency(
            stakes, tournament=known.tournament, play=sheet.found["realmoney"] == "false", otherwise="chips"
        ),
        exponent,
        blinds,
        ante,
        bets,
        bring_in,
        known.written,
    )


def _sums(text: str, exponent: int) -> tuple[Chips, tuple[Chips, ...]]:
    """Return the ante and the amounts of ` ($0.05/$0.10)` or ` Level 5 Ante 10, Blinds 50/100`."""
    ante = 0
    blinds = text
    for part in text.split(","):
        word, _, value = part.strip().rpartition(" ")
        if word.endswith("Ante"):
            ante = amounts.maybe(value, exponent) or 0
        if "/" in value:
            blinds = value
    found = [amounts.maybe(one.strip(" ()"), exponent) for one in blinds.split("/")]
    told = len(found) > 1 and None not in found
    return ante, tuple(one for one in found if one is not None) if told else ()


def _costs(sheet: Sheet, level: str, name: str) -> TournamentSet:
    buy_in, bounty = (amounts.maybe(sheet.found[what], 2) for what in ("buyin", "bounty"))
    return TournamentSet(level[:20], buy_in, None, bounty, "", name)


def started(written: str, first: Millis | None) -> Millis | None:
    """Return when a hand began: `2012/06/05 19:39:26 -0400`, or `20120529031347` without a zone.

    Which zone that is shows in the first event's moment, in whole quarters of an hour; without
    such a moment nobody knows.
    """
    if written[4:5] == "/":
        day, _, rest = written.partition(" ")
        clock, _, zone = rest.partition(" ")
        told = f"{day.replace('/', '-')}T{clock}{zone[:3]}:{zone[3:]}" if len(zone) == 5 else ""
        return iso(told) if told else None
    wall = None
    if len(written) == 14 and written.isascii() and written.isdecimal():
        try:
            wall = iso(datetime.strptime(written, "%Y%m%d%H%M%S").isoformat())  # noqa: DTZ007 - of no zone yet
        except ValueError:
            wall = None
    if wall is None or first is None:
        return None
    zone_off = round((wall - first) / _QUARTER) * _QUARTER
    return wall - zone_off if abs(zone_off) <= 56 * _QUARTER else None
