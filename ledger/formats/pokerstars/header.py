"""The first two lines of a hand: room, number, game, stakes, tournament, date, table."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec import structs

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.pokerstars.words import GAMES, HEADS, LIMIT_TITLES, LOCAL_HEADS, ROOMS, TITLES
from ledger.hand.opening import Betting, GameSet, OptionSet, TournamentSet
from ledger.readers import amounts, currencies, games, timestamps
from ledger.readers.phrases import number, require_number
from ledger.readers.signatures import ends_at, starts
from ledger.vocabulary import Chips, Millis

CODES: Final = frozenset(code for code in currencies.CURRENCIES if len(code) == 3 and code.isupper()) | {"SC"}
_BUY_IN_WORDS: Final = CODES | {"FREEROLL", "FPP", "TICKET", "STARSCOIN"}
_BETWEEN: Final = "./-"
_KEPT: Final = 4096
_LOCAL: Final = 80
"""So early in a first line stand the room's name and the hand's number in other languages."""
SUMMARY: Final = "PokerStars Tournament #"
"""How a tournament's summary begins, which is no hand."""
NO_LIMIT_AFTER: Final = OptionSet("other", "pot limit before the flop, no limit after")
_AFTER_THE_FLOP: Final = " pot limit pre-flop, no limit post-flop"
_ZOOM: Final = OptionSet("other", "zoom")
_MARKS: Final = ("", "\ufeff", "> ", ">", " ", "  ", "   ", "    ", "\t", "\t\t", "\t\t\t")
"""What archives put before a hand's lines."""
_RULE: Final = 20
"""What stands between the stars of a rule in other languages, `n. 27` or `№2`, is shorter."""


class Setup(NamedTuple):
    """What the header tells of the game: the same for every hand of a table or level."""

    events: tuple[Event, ...]  # [TournamentSet], GameSet, OptionSet...
    game: GameSet
    tournament: str = ""
    club: str = ""


class Head(NamedTuple):
    """A header taken apart."""

    room: str
    zoom: bool
    number: str
    game: str  # what stands between the number and the date
    written: str  # the date as written


class Table(NamedTuple):
    """The second line."""

    name: str
    seats: int
    button: int | None
    play: bool | None  # whether its chips are worth nothing; None: it is said that they are worth something


def is_local(line: str) -> bool:
    """Tell whether a hand begins with this line in another language than English."""
    head = line[:_LOCAL]
    return line.startswith(LOCAL_HEADS) and "PokerStars" in head and any("0" <= sign <= "9" for sign in head)


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line."""
    if not line.startswith(HEADS):
        line = line.lstrip("\ufeff \t>")
        if not line.startswith(HEADS):
            return is_local(line)
    at = line.find(" #")
    return (at > 0 and line[at - 4 : at].upper() in ("HAND", "GAME") and line[at + 2 : at + 3].isdigit()) or is_local(
        line
    )


NUMBERED: Final = "Hand #"
"""How a line begins that numbers the hands of an archive."""


def is_rule(line: str) -> bool:
    """Tell whether this is `*********** # 1 **************` or `Hand #1: `, which archives put before a hand."""
    line = line.rstrip()
    if line.startswith(NUMBERED):
        return line.endswith(":") and line[len(NUMBERED) : -1].isdigit()
    if not line.startswith("*****"):
        return False
    inner = line.strip("* \t")
    return line.endswith("*****") and ("#" in line or (inner[-1:].isdigit() and len(inner) < _RULE))


def stopper(begins: Callable[[str], bool], heads: tuple[str, ...], *foreign: str) -> Callable[[str], bool]:
    """Return what tells a line with which a hand of a room ends, because something else begins."""
    own = {(mark + head)[:4] if mark else head.partition(" ")[0] for mark in _MARKS for head in heads}
    words = (*own, *starts(foreign)[1])
    short = {word[:4] for word in words}

    def stops(line: str) -> bool:
        return ("#" in line or (line[:4] in short and line.startswith(words))) and (
            begins(line) or ends_at(line, foreign) or is_rule(line)
        )

    return stops


@lru_cache(maxsize=_KEPT)
def _room(words: str) -> tuple[str, bool]:
    """Return the room of a header's first words, and whether it is Zoom."""
    upper = words.upper()
    return next((name for name in ROOMS if upper.startswith(name.upper())), words), "ZOOM" in upper


def head(line: str) -> Head:
    """Take a line apart that `begins` a hand."""
    line = line.strip("\ufeff \t\r>")
    before, _, after = line.partition(" #")
    number, colon, rest = after.partition(":")
    if not colon:
        number = after.split(" ", 1)[0]
    require_number(number)
    dash = _date_at(rest)
    return Head(*_room(before), number, rest[:dash].strip(), rest[dash + 3 :].strip())


def _date_at(rest: str) -> int:
    """Return where ` - ` stands before the date, the end where a program tells none."""
    at = rest.rfind(" - ")
    while at >= 0:
        day = rest[at + 3 : at + 8]
        if (day[:4].isdigit() and day[4:] in ("/", "-")) or (day[:2].isdigit() and day[2:3] in _BETWEEN):
            return at
        at = rest.rfind(" - ", 0, at)
    return len(rest)


def moment(written: str) -> Millis | None:
    """Return when the hand began."""
    return timestamps.started(in_english(written))


def in_english(written: str) -> str:
    """Return a date as English has it; clients in other languages write the day first, `05-02-2025`, programs `2025-02-05`."""
    if written[4:5] == "/":
        return written
    return " ".join(map(_year_first, written.split(" ")))


def _year_first(word: str) -> str:
    open_, day = word[: word.startswith("[")], word.removeprefix("[")
    if day[:4].isdigit() and day[4:5] == "-":
        return open_ + day.replace("-", "/")
    mark = day[2:3]
    parts = day.split(mark) if mark and mark in _BETWEEN else []
    return f"{open_}{parts[2]}/{parts[1]}/{parts[0]}" if len(parts) == 3 else word


def setup(found: Head, exponent: int | None, play: bool | None) -> Setup:
    """Return the game of a header. `exponent` None = as the currency has it."""
    return _setup(found.game, exponent, play, found.zoom)


@lru_cache(maxsize=_KEPT)
def _setup(text: str, exponent: int | None, play: bool | None, zoom: bool) -> Setup:
    club = number = ""
    text = amounts.close(text)
    if text.startswith("{") and "}" in text:
        club, _, text = text[1:].partition("}")
        text = text.strip()
    if text[:5].lower() == "zoom ":
        text, zoom = text[5:], True
    ending = (_ZOOM,) if zoom else ()
    named = text[:12].lower() == "tournament #"
    if named:
        number, _, text = text[12:].partition(",")
        if not number.strip():
            raise UnreadableHandError("the tournament has no number", kind="header")
    if named or " - level " in text.lower():  # programs that imitate the room leave the number away
        costs, game, options = _tournament(text.strip(), exponent or 0)
        return Setup((costs, game, *options, *ending), game, number.strip(), club.strip())
    game, options = _stakes(text, exponent, play=play)
    return Setup((game, *options, *ending), game, "", club.strip())


def _stakes(text: str, exponent: int | None, *, play: bool | None) -> tuple[GameSet, list[OptionSet]]:
    """Read `Hold'em No Limit ($1/$2 USD)` or `HORSE (Razz Limit, $2/$4 USD)`."""
    before, inner = _bracket(text, "stakes")
    name, inner = before, inner.replace("\xa0", " ")
    mixed, comma, stakes = inner.rpartition(", ")
    if comma:
        name = mixed
    else:
        stakes = inner
    unit = next((code for code in stakes.split() if code in CODES), "")
    if not unit:
        unit = currencies.currency_of(stakes)
    if not unit or play:
        unit = "chips" if play is None else "play"
    if exponent is None:
        exponent = 2 if unit in CODES or unit in currencies.CURRENCIES else 0
    variant, betting, written = _game(name)
    blinds, ante, cap = _amounts(stakes, exponent)
    written = f"{before} ({mixed}" if comma else written
    game = games.game_set(variant, betting, blinds, unit=unit, exponent=exponent, ante=ante, written=written)
    return game, [*([OptionSet("bet-cap", cap)] if cap else []), *_options(name)]


def _amounts(stakes: str, exponent: int) -> tuple[tuple[Chips, ...], Chips, Chips]:
    """Return blinds or bets, ante and cap."""
    ante = cap = 0
    blinds: tuple[Chips, ...] = ()
    for part in stakes.split(" - "):
        words = part.split()
        low = part.lower()
        if "/" in part and not blinds:
            blinds = tuple(amounts.read(one, exponent) for one in words[0].split("/") if one and words)
        elif low.startswith("button blind"):
            blinds = (amounts.read(words[-1], exponent),)
        elif low.startswith("ante") and len(words) > 1:
            ante = amounts.read(words[1], exponent)
        elif "cap" in low.split() and words:
            cap = amounts.read(words[0], exponent)
    return blinds, ante, cap


def _bracket(text: str, what: str) -> tuple[str, str]:
    """Return what stands before the last bracket, and in it."""
    left, right = text.rfind("("), text.rfind(")")
    if left < 0 or right < left:
        raise UnreadableHandError(f"no {what} in {text[:80]!r}", kind="header")
    return text[:left].strip(), text[left + 1 : right]


def _game(name: str) -> tuple[str, Betting, str]:
    """Return variant and betting, and the game's name where it is not the one that PokerStars itself writes today."""
    found = game_of(name)
    if found is None:
        raise games.unknown_game(name)
    variant, betting = found
    return variant, betting, "" if name == f"{TITLES[variant]} {LIMIT_TITLES[betting]}" else name


def _options(name: str) -> list[OptionSet]:
    return [NO_LIMIT_AFTER] if name.lower().endswith(_AFTER_THE_FLOP) else []


def game_of(name: str) -> tuple[str, Betting] | None:
    """Return variant and betting of a game's name; None if it is not known."""
    if _options(name):
        name = name[: -len(_AFTER_THE_FLOP)] + " no limit"
    variant, betting = games.parted(name, GAMES)
    return (variant, betting) if variant and betting else None


def _tournament(text: str, exponent: int) -> tuple[TournamentSet, GameSet, list[OptionSet]]:
    """Read `$1.40+$0.10 USD Badugi Limit - Match Round I, Level V (50/100)`."""
    before, stakes = _bracket(text, "level")
    names, dash, last = before.rpartition(" - ")
    match = level = ""
    if dash and "LEVEL" in last.upper():
        before = names
        at = last.upper().find("LEVEL")
        level, match = last[at + 5 :].strip(), last[:at].strip().rstrip(",")
    buy_in, name = parted(before)
    mixed, bracket, within = name[:-1].partition("(") if name.endswith(")") else ("", "", "")
    variant, betting, written = _game(name := within if bracket else name)
    written = f"{mixed.strip()} ({name}" if bracket else written
    blinds, ante, _cap = _amounts(stakes, exponent)
    game = games.game_set(
        variant, betting, blinds, unit="chips", exponent=exponent, tournament=True, ante=ante, written=written
    )
    return _costs(buy_in, match, level), game, _options(name)


def parted(text: str) -> tuple[str, str]:
    """Part the price from the game's name, word by word."""
    words = text.split(" ")
    at = 0
    while at < len(words):
        word = words[at]
        following = words[at + 1].lower() if at + 1 < len(words) else ""
        is_game = following.startswith(("card", "hold")) and (word.isdigit() or word == "6+")
        if is_game or not (
            word == "-"
            or word.endswith(",")
            or word.upper() in _BUY_IN_WORDS
            or _is_price(word)
            or (word.isdigit() and at == 0)
        ):
            break
        at += 1
    return " ".join(words[:at]).rstrip(" -"), " ".join(words[at:])


def _is_price(word: str) -> bool:
    if word.upper().endswith("FPP") and word[:-3].isdigit():
        return True
    if word[:1] in currencies.SYMBOLS or word.startswith(tuple(currencies.LONGER)):
        return True
    return "+" in word[1:-1] and word[:1].isdigit()


def _costs(written: str, match: str, level: str) -> TournamentSet:
    """Read `$10+$1 USD`, `$2.00+$0.50+$0.20 USD` (prize, bounty, fee), `50FPP`, `Freeroll`."""
    words = written.split()
    price = words[0] if words else ""
    currency = next((word.upper() for word in words if word.upper() in CODES), "")
    if not currency:
        currency = currencies.currency_of(price)
    if price.upper().endswith("FPP"):
        price, currency = price[:-3], "FPP"
    found = games.costs(price, f"{written} - {match}" if match else written, level.upper(), currency=currency)
    if price.lower() == "freeroll":
        return structs.replace(found, buy_in=0, fee=0, currency=currency)
    unit = found.currency or ("play" if found.buy_in else "")
    return structs.replace(found, fee=found.fee or (None if found.buy_in is None else 0), currency=unit)


@lru_cache(maxsize=_KEPT)
def table(line: str) -> Table | None:
    """Read `Table 'Name' 6-max (Play Money) Seat #5 is the button`; None if it is no such line."""
    left, right = line.find("'"), line.rfind("'")
    if line[:5].upper() != "TABLE" or left < 0 or right == left:
        return None
    name, rest = line[left + 1 : right], line[right + 1 :].strip()
    sizes = [number(word[:-4][:3]) for word in rest.split() if word.lower().endswith("-max")]
    at = rest.find("Seat #")
    written = rest[at + 6 :].split(" ", 1)[0] if at >= 0 else ""
    button = number(written) if number(written) or written == "0" else None
    play = "(Play Money)" in rest or (None if "(Real Money)" in rest else False)
    return Table(name, next((size for size in reversed(sizes) if size), 0), button, play)
