"""The words of the Merge network's files, what stands before a hand's players, and its tags sorted."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.hand.opening import Betting, GameSet, TournamentSet
from ledger.readers import amounts, markup
from ledger.readers.cards import KNOWN, reader, unknown
from ledger.readers.games import unknown_game
from ledger.readers.marked import Source, Tag, values
from ledger.readers.markup import Part, between
from ledger.readers.timestamps import iso
from ledger.vocabulary import Chips, Millis, Seat, Street, Witness

VENUE: Final = "Merge"

WITNESSES: Final = Witness.of(
    "BUTTON POSTS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DISCARDS CHAT CONNECTIONS"
)
"""What the files record whenever it happens.

`TIMES` is added where every event has its own moment, `OWN_CARDS` where the file's owner plays,
`BLIND_AMOUNTS` where the stakes are blinds. Rake is told nowhere, and returned bets not always.
"""

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

LIMITS: Final[tuple[tuple[str, Betting], ...]] = (
    ("No Limit", "no-limit"),
    ("Half Pot Limit", "pot-limit"),
    ("Pot Limit", "pot-limit"),
    ("Limit", "limit"),
)
"""How `stakes` begins. No word of ours is for half the pot: `GameSet.written` keeps it."""

BOARDS: Final[dict[str, tuple[Street, int, int]]] = {
    "POSTFLOP": ("flop", 0, 3),
    "POSTTURN": ("turn", 3, 4),
    "POSTRIVER": ("river", 4, 5),
}
"""A round → its street, and which cards of the whole board come with it."""

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
def cards(text: str) -> list[str] | None:
    """Return the cards of `null,null,7s` or `,,7s` one by one, `??` for those that nobody saw.

    None where one of them is no card.
    """
    found: list[str] | None = []
    for word in text.split(","):
        card = read_cards(word.strip() or "??")
        found = None if card is None or found is None else [*found, card]
    return found


_MOST: Final = 200
_QUARTER: Final = 900_000
_TOURNAMENT: Final = " Tournament"


@dataclass(frozen=True, slots=True)
class Description:
    """What the description says for the hands behind it."""

    game: str  # as named, without `Tournament`
    tournament: bool
    stakes: str
    written: str


def description(source: Source, head: list[Tag]) -> Description:
    """Read the description. A game that nobody knows raises `UnreadableHandError`."""
    tag = next(one for one in head if one.name == "description")
    found = values(source, tag)
    written = found.get("type", "").strip()[:_MOST]
    game = written.removesuffix(_TOURNAMENT).strip()
    if game not in GAMES and game not in MIXED:
        raise unknown_game(written)
    stakes = found.get("stakes", "").strip()[:_MOST]
    return Description(game, written.endswith(_TOURNAMENT), stakes, f"{written} {stakes}".strip())


@dataclass(frozen=True, slots=True)
class Header:
    """What is known of a hand before its players."""

    number: str
    table: str
    tournament: str
    written: str  # when it began
    seats: int
    game: GameSet
    costs: TournamentSet | None
    added: bool  # raises are written as chips added
    posted: bool  # stacks are told without what was posted


def header(found: dict[str, str], known: Description, exponent: int | None, added: str) -> Header:
    """Read the attributes of a game, names in small letters.

    `added` is the day before which raises are chips added. What is damaged raises
    `UnreadableHandError`.
    """
    number = found.get("id", "").strip()
    if not number or len(number) > _MOST or not number.isascii():
        raise UnreadableHandError("the game has no number", kind="header")
    stakes = found.get("stakes", "").strip()[:_MOST] or known.stakes
    table, tournament, name = _place(found.get("data", ""), number, cash=not known.tournament)
    unit = "chips" if known.tournament else _unit(stakes, found)
    if exponent is None:
        exponent = 0 if known.tournament else 2
    written = found.get("starttime", "").strip()[:_MOST]
    variant = GAMES.get(known.game) or _of_mixed(found)
    level, _, _ = stakes.partition("Level ")[2].partition(" ")
    game = _game(variant, known, stakes, unit, exponent)
    costs = _costs(found, level, name) if known.tournament else None
    day = "".join(one for one in written[:10] if one.isdigit())
    return Header(
        number,
        table,
        tournament,
        written,
        markup.count(found.get("seats", "")) or 0,
        game,
        costs,
        bool(day) and day < added,
        known.tournament and not found.get("version"),
    )


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


def _unit(stakes: str, found: dict[str, str]) -> str:
    if found.get("realmoney") == "false":
        return "play"
    return amounts.currency(stakes) or "chips"


def _of_mixed(found: dict[str, str]) -> str:
    """Return which of the games of a mixed description a hand is; none known is a reject."""
    number = found.get("multigametype", "") or found.get("gametype", "")
    variant = NUMBERED.get(number, "")
    cards = found.get("numholecards", "")
    if variant == "omaha" and cards == "2":
        variant = "holdem"
    if not variant:
        raise UnreadableHandError(f"the game {number[:20]!r} of a mixed game is not known", kind="unknown-game")
    return variant


def _game(variant: str, known: Description, stakes: str, unit: str, exponent: int) -> GameSet:
    betting: Betting | None = None
    rest = ""
    for words, kind in LIMITS:
        if stakes.startswith(words):
            betting, rest = kind, stakes[len(words) :]
            break
    if betting is None:
        raise UnreadableHandError(f"the limit {stakes[:60]!r} is not known", kind="unknown-game")
    ante, sums = _sums(rest, exponent)
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
        unit,
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


def _costs(found: dict[str, str], level: str, name: str) -> TournamentSet:
    buy_in = amounts.maybe(found.get("buyin", ""), 2) if found.get("buyin") else None
    bounty = amounts.maybe(found.get("bounty", ""), 2) if found.get("bounty") else None
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


_MOMENT_MOST: Final = 15


@dataclass(slots=True)
class Line:
    """One element: a player, an event, cards or a winner."""

    tag: Tag
    found: dict[str, str]
    seat: Seat | None = None
    """The chair in `player` or `seat`, where the first one is 0; None if that is no number."""

    def __post_init__(self) -> None:
        text = self.found.get("player", "") or self.found.get("seat", "")
        if text.isascii() and text.isdecimal() and len(text) < 3:
            self.seat = int(text) + 1

    def get(self, name: str) -> str:
        """Return an attribute, "" if there is none."""
        return self.found.get(name, "")

    @property
    def moment(self) -> Millis | None:
        """When it was, None if that is not told."""
        text = self.found.get("timestamp", "")
        told = text.isascii() and text.isdecimal() and 0 < len(text) < _MOMENT_MOST
        return int(text) if told else None


@dataclass(slots=True)
class Round:
    """A round with its elements, each kind in its own order: cards stand behind all events."""

    name: str
    tag: Tag
    events: list[Line] = field(default_factory=list)
    cards: list[Line] = field(default_factory=list)
    winners: list[Line] = field(default_factory=list)

    def of(self, *kinds: str) -> list[Line]:
        """Return the cards of these types."""
        return [line for line in self.cards if line.get("type") in kinds]


@dataclass(slots=True)
class Parts:
    """What a game's tags say."""

    tag: Tag
    found: dict[str, str]
    dealer: Line | None = None
    players: list[Line] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    unknown: list[tuple[int, int]] = field(default_factory=list)  # tags and texts that nobody knows

    def events(self, rounds: frozenset[str] | None = None) -> list[Line]:
        """Return the events of these rounds, of all if none are named."""
        return [line for one in self.rounds if rounds is None or one.name in rounds for line in one.events]


def parts(source: Source, part: Part) -> Parts:
    """Take a game's tags apart."""
    inner = part.inner
    found = Parts(inner[0], values(source, inner[0]))
    now = Round("", inner[0])
    for tag in inner[1:]:
        name = tag.name
        if name in ("event", "cards", "winner", "player"):
            line = Line(tag, values(source, tag))
            if name == "player":
                found.players.append(line)
            elif not found.rounds:
                found.unknown.append((tag.start, tag.stop))
            else:
                {"event": now.events, "cards": now.cards, "winner": now.winners}[name].append(line)
        elif name == "round":
            now = Round(values(source, tag).get("id", ""), tag)
            found.rounds.append(now)
        elif name == "players":
            found.dealer = Line(tag, {"seat": values(source, tag).get("dealer", "")})
        elif name[0] != "/":
            found.unknown.append((tag.start, tag.stop))
    found.unknown += between(source, part, inner)
    return found
