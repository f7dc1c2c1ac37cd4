"""The words of iPoker's files, and what stands at the beginning of a session."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.hand.opening import Betting, GameSet, TournamentSet
from ledger.readers import amounts, currencies, games
from ledger.readers.document_room import Head
from ledger.readers.marked import Source, Tag, plain, values
from ledger.readers.markup import COUNTS, Sheet
from ledger.vocabulary import Chips, Street

VENUE: Final = "iPoker"

LIMITS: Final[tuple[tuple[Betting, tuple[str, ...]], ...]] = (
    ("no-limit", ("no limit", "no-limit", "nolimit", "nl", "sl", "lz", "бл")),
    ("pot-limit", ("pot limit", "pot-limit", "potlimit", "pl", "lp")),
    ("limit", ("fixed limit", "limit", "fl", "l")),
)
"""The betting as the game type names it, small letters; the first that fits counts."""

GAMES: Final = games.FLOP | {"short-deck", "omaha5", "omaha5-8", "omaha6", "omaha6-8", "stud", "stud8"}
OWN_NAMES: Final = {"lh": "holdem", **dict.fromkeys(("5 card stud", "5-card stud", "five card stud"), "stud5")}
"""`stud5` is told; nothing replays it yet."""


def variant_of(name: str) -> str:
    """Return the variant of a game named in small letters: `omaha hilow`; "" if it is not known."""
    return OWN_NAMES.get(name) or games.variant(name, GAMES) or ""


OWN_STAKES: Final = ("smallblind", "bigblind", "ante")
"""The stakes as a hand itself names them."""

OF_CARDS: Final = {2: "holdem", 4: "omaha", 5: "omaha5", 6: "omaha6"}
"""The variant where the game is not named, by the cards that are dealt."""

STUD: Final = frozenset(("stud", "stud8", "stud5"))

BOARDS: Final[dict[str, Street]] = {"flop": "flop", "turn": "turn", "river": "river"}
OWN: Final[dict[str, Street]] = {
    "second street": "preflop",
    "third street": "third",
    "fourth street": "fourth",
    "fifth street": "fifth",
    "sixth street": "sixth",
    "seventh street": "seventh",
    "river": "seventh",
}
"""Streets that bring each player cards of the own."""

KINDS: Final = {
    "fold": "0",
    "sb": "1",
    "small blind": "1",
    "bb": "2",
    "big blind": "2",
    "call": "3",
    "check": "4",
    "bet": "5",
    "all in": "7",
    "all-in": "7",
    "allin": "7",
    "sit out": "9",
    "sitting out": "9",
    "ante": "15",
    "bring in": "16",
    "bring-in": "16",
    "raise to": "23",
}
"""`actiontxt` of archives, small letters → the type that says the same."""

UPS: Final = {1: "u", 2: "du", 3: "ddu"}

_RANKS: Final = {**{rank: rank for rank in "23456789TJQKA"}, "10": "T", "1": "A"}
_SUITS: Final = frozenset("CDHS")
_KEPT: Final = 20_000


@lru_cache(maxsize=_KEPT)
def cards(text: str) -> str:
    """Return `H3 D10 X` as cards; what is none raises `UnreadableHandError`."""
    return "".join(_card(word) for word in text.upper().split())


def _card(word: str) -> str:
    if word in ("X", "XX", "??"):
        return "??"
    if word[0] in _SUITS and word[1:] in _RANKS:
        return _RANKS[word[1:]] + word[0].lower()
    if word[-1] in _SUITS and word[:-1] in _RANKS:
        return _RANKS[word[:-1]] + word[-1].lower()
    raise UnreadableHandError(f"{word[:40]!r} is no card", kind="cards")


_BLANKS: Final = re.compile(r"[\s\u00a0\u202f\u2009']+")
_EURO: Final = "\\x80"
"""What some programs make of cp1252's euro: four characters."""
_DIGITS: Final = frozenset("0123456789")


@lru_cache(maxsize=_KEPT)
def bare(text: str) -> str:
    """Return an amount without its currency and without blanks between its digits: `€1 480` → `1480`."""
    found = _BLANKS.sub("", text.replace(_EURO, "€"))
    first, last = 0, len(found)
    while first < last and found[first] not in _DIGITS:
        first += 1
    while last > first and found[last - 1] not in _DIGITS:
        last -= 1
    minus = "-" if "-" in found[:first] else ""
    if found[max(first - 1, 0) : first] in (".", ",") and first == 1:
        first = 0  # `.50`
    return minus + found[first:last]


@lru_cache(maxsize=_KEPT)
def chips(text: str, exponent: int) -> Chips:
    """Return an amount in units of 10^-exponent; what is none raises `UnreadableHandError`."""
    return amounts.read(bare(text), exponent)


def currency(text: str) -> str:
    """Return the currency that an amount is written with, "" if none is."""
    text = text.replace(_EURO, "€")
    known = currencies.currency_of(text)
    if known:
        return known
    letters = "".join(one for one in text if one.isascii() and one.isalpha()).upper()
    return letters if len(letters) == 3 else ""


_MOST: Final = 500
_CODES: Final = frozenset(("N/A", ""))


@dataclass(frozen=True, slots=True)
class IpokerSession:
    """The facts that all games of a session share."""

    game: str  # as named, without stakes; "" = not named
    variant: str  # "" = not named
    betting: Betting
    stakes: tuple[str, ...]  # small and big blind or bet, and an ante, without currency
    unit: str
    table: str
    tournament: str
    chairs: int  # 0 = not told
    nickname: str  # whose file it is
    apart: bool | None  # bets that nobody called are left out of what was won; None = not told
    costs: TournamentSet | None
    venue: str  # the room, which trackers that store other rooms' hands so name
    games: dict[tuple[int, tuple[str, ...]], GameSet] = field(default_factory=dict)
    """Once they are known: by exponent, and by the stakes that the game itself names."""


def session(source: Source, tags: list[Tag]) -> IpokerSession:
    """Read the tags up to the first game. A game type that cannot be read raises `UnreadableHandError`."""
    facts: dict[str, str] = {}
    code = ""
    for tag in tags:
        if tag.name == "session":
            code = values(source, tag).get("sessioncode", "")
        elif tag.name not in facts:
            end = source.text.find("<", tag.stop, tag.stop + _MOST)
            facts[tag.name] = plain(source.words(tag.stop, max(end, tag.stop))).strip()
    written = facts.get("gametype", "")
    game, betting, stakes = _game(written)
    variant = variant_of(game)
    if game and not variant:
        raise games.unknown_game(written)
    table = facts.get("tablename", "")
    tournament = ""
    named = facts.get("tournamentname", "") or facts.get("tournamentcode", "")
    if named or not stakes:
        tournament = facts.get("tournamentcode", "") or _number(table) or named or table or code
    unit = "chips"
    if not tournament:
        unit = _code(facts.get("tablecurrency", "")) or currency(written) or _code(facts.get("currency", ""))
    if facts.get("mode", "").lower() in ("fun", "play", "playmoney") and not tournament:
        unit = "play"
    return IpokerSession(
        written,
        variant,
        betting,
        tuple(bare(one) for one in stakes),
        unit or "chips",
        table[:_MOST],
        tournament[:_MOST],
        COUNTS.get(facts.get("tablesize", ""), 0),
        _told(facts.get("nickname", "")),
        {"true": True, "false": False}.get(facts.get("uncalled_bet_enabled", "").lower()),
        _costs(facts) if tournament else None,
        site if (site := facts.get("pokersite", "")[:_MOST]) and site.lower() != VENUE.lower() else VENUE,
    )


def _told(text: str) -> str:
    return "" if text in _CODES else text


def _code(text: str) -> str:
    upper = text.upper()
    return upper if len(upper) == 3 and upper.isascii() and upper.isalpha() else currency(text)


def _number(table: str) -> str:
    """Return the number at the end of `Twister $1 SNG, 900000021`, "" if there is none."""
    last = table.replace(",", " ").split()[-1:]
    return last[0] if last and last[0].isascii() and last[0].isdecimal() and len(last[0]) > 5 else ""


def _game(written: str) -> tuple[str, Betting, list[str]]:
    """Split `Omaha PL €5/€10` into game, betting and stakes."""
    words = _joined(currencies.join_amounts(written).split())
    stakes: list[str] = []
    ante = ""
    while words and any(one.isdecimal() for one in words[-1]) and not _is_word(words[-1]):
        last = words.pop()
        if words and words[-1].lower() == "ante":
            words.pop()
            ante = last
        elif "/" in last:
            stakes = last.split("/")[:2]
        else:
            stakes = [last, *stakes]
    if len(words) > 2 and "/" in words[-3] and words[-2].lower() == "x2":
        stakes = words[-3].split("/")[:2]  # `LH 20/40 x2 Limit $10/$20`: the bets, twice the blinds
        words[-3:] = words[-1:]
    text = " ".join(words).lower()
    betting: Betting | None = None
    for kind, names in LIMITS:
        name = next((one for one in names if text == one or text.endswith(" " + one)), "")
        if name:
            text, betting = text[: -len(name)].strip(), kind
            break
    if betting is None:
        betting = "pot-limit" if "omaha" in text else "no-limit"
    found = [one for one in stakes if bare(one)]
    return text, betting, [*found, ante] if bare(ante).strip("0.,") and len(found) == 2 else found


def _joined(words: list[str]) -> list[str]:
    """Put together what blanks part within an amount: `2.50 kr/5 kr`, `€1 000/€2 000`."""
    parted = any("/" in word for word in words)
    joined: list[str] = []
    for word in words:
        money = word.partition("/")[0].lower().rstrip(".")
        thousands = parted and word[:3].isdecimal() and not word[3:4].isdecimal()
        if joined and joined[-1][-1:].isdecimal() and (money in _MONEY or thousands):
            joined[-1] += word
        else:
            joined.append(word)
    return joined


_MONEY: Final = frozenset(
    ("kr", "€", "$", "£", "eur", "usd", "gbp", "sek", "dkk", "nok", "rsd", "din", "kn", "lei", "ron")
)


def _is_word(word: str) -> bool:
    """Tell whether a word with a digit names the game: `6+`, `5-card`."""
    return word.endswith("+") or word.lower().endswith("card")


def _costs(facts: dict[str, str]) -> TournamentSet:
    """Read `€4.65 + €0.35`: prize and fee; between them a third part is a bounty."""
    written = facts.get("buyin", "") or facts.get("totalbuyin", "")
    told = _code(facts.get("tournamentcurrency", "")) or currency(written)
    return games.costs("+".join(map(bare, written.split("+"))), written, currency=told)


_CODE_MOST: Final = 40


def head(sheet: Sheet, known: IpokerSession, exponent: int | None) -> Head:
    """Return what is known of a game before its players. What is damaged raises `UnreadableHandError`."""
    code = sheet.get("gamecode")
    if not code or len(code) > _CODE_MOST:
        raise UnreadableHandError("the game has no number", kind="header")
    told = {name: bare(plain(lines[0].text)) for name in OWN_STAKES if (lines := sheet.lines[name])}
    exponent = (0 if known.unit == "chips" else 2) if exponent is None else exponent
    key = exponent, tuple(told.values())
    game = known.games.get(key) if known.variant else None
    if game is None:
        game = known.games[key] = game_of(known, told, known.variant or _by_cards(sheet), exponent)
    began = next((text for line in sheet.lines["startdate"] if (text := plain(line.text).strip())), "")
    return Head(code, known.table, game, known.tournament, known.costs, began, chairs=known.chairs, venue=known.venue)


def _by_cards(sheet: Sheet) -> str:
    """Return the variant of a game that is not named, by the cards that are dealt."""
    dealt = [line for round_ in sheet.lines["round"] for line in round_.those("cards")]
    pockets = [cards(line.text) for line in dealt if line.get("type").strip().lower() == "pocket"]
    variant = OF_CARDS.get(max(map(len, pockets), default=0) // 2, "")
    if not variant:
        raise UnreadableHandError("the game is not named, nor do its cards tell which it is", kind="unknown-game")
    return variant


def game_of(known: IpokerSession, told: dict[str, str], variant: str, exponent: int) -> GameSet:
    """Return the game of these stakes: the session's, or those that the hand itself names."""
    written = known.stakes
    own = not written and "smallblind" in told and "bigblind" in told
    if own:
        written = told["smallblind"], told["bigblind"]
    if len(written) == 2 and told.get("ante"):
        written = (*written, told["ante"])
    stakes = tuple(amounts.read(one, exponent) for one in written)
    blinds, ante = stakes[:2] if len(stakes) >= 2 else (), stakes[2] if len(stakes) > 2 else 0
    bets: tuple[Chips, ...] = ()
    if known.betting == "limit" and blinds and not own:  # own blinds do not tell the upper bet
        # Stakes of a limit game are its bets; the blinds are half of them.
        bets, blinds = blinds, (blinds[0] // 2, blinds[0])
    return GameSet(
        variant,
        known.betting,
        "tournament" if known.tournament else "cash",
        known.unit,
        exponent,
        () if variant in STUD else blinds,
        ante,
        bets,
        0,
        known.game,
    )
