"""The lines before the first post: number, game, stakes, date, table, button, seats, tournament."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.partypoker.words import CODES, CONVERTED, DAYS, GAMES, HEADS, LIMITS, MONTHS, VENUE, ZONES
from ledger.hand.opening import Betting
from ledger.readers import amounts, timestamps
from ledger.readers.hand import SEATS
from ledger.readers.phrases import number as number_of
from ledger.readers.room import nobody, unknown_game
from ledger.vocabulary import Millis, Seat

_MARKS: Final = "\ufeff\0 \t"
_DAY_MILLIS: Final = 86_400_000
_NUMBERS: Final = {str(number): number for number in range(1, SEATS)}
_EPOCH: Final = date(1970, 1, 1).toordinal()


class Game(NamedTuple):
    """The line behind the number, taken apart; amounts as written."""

    variant: str
    betting: Betting
    written: str  # the game's own name
    stakes: tuple[str, ...]  # blinds or bets; () where only a table's greatest buy-in is named
    unit: str  # currency code, "" = not told
    tournament: bool
    number: str  # the tournament's
    level: str
    ante: str
    buy_in: str
    fee: str


@dataclass(slots=True)
class Head:
    """What stands before the hand's first post."""

    number: str
    game: Game
    line: int  # of the game
    date: str  # as written
    table: str = ""
    club: str = ""  # the tournament's name
    play: bool = False
    button: Seat | None = None
    button_line: int = 0
    chairs: int = 0
    seats: list[tuple[int, Seat, str, str]] = field(default_factory=list)  # line, seat, name, stack
    tournament: str = ""
    level: str = ""
    stakes: tuple[str, ...] = ()
    ante: str = ""
    venue: str = VENUE
    body: int = 0  # the first line behind the head


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line."""
    return line.startswith(HEADS) or line.lstrip(_MARKS).startswith(HEADS)


def clean(text: str) -> str:
    """Return an amount without currency code, inner blanks and what stands around it."""
    bare = text.strip(" \t\xa0.")
    for code in CODES:
        bare = bare.removesuffix(code)
    return "".join(bare.split())


def read(text: list[str], k: int, after: int) -> Head:
    """Read from the line that begins the hand; what is no such head raises `UnreadableHandError`."""
    number, _, room = text[k].lstrip(_MARKS)[len(HEADS[0]) :].strip().partition(" *****")
    number, room = number.rstrip("*").strip(), room.strip(" *()")
    if not number or len(number) > 60 or not number.isascii() or not number.isalnum():
        raise UnreadableHandError(f"the hand's number is {number[:40]!r}", kind="header", hint="A number was expected.")
    k = next((at for at in range(k + 1, after) if text[at].strip()), after)
    if k == after:
        raise UnreadableHandError("the hand breaks off behind its first line", kind="cut-off")
    line = " ".join(text[k].split())
    at = _date_at(line)
    game = game_of(line[:at].rstrip(" -"))
    head = Head(
        number,
        game,
        k,
        line[at:].strip(),
        tournament=game.number,
        level=game.level,
        stakes=game.stakes,
        ante=game.ante,
        venue=CONVERTED.get(room, room) or VENUE,
    )
    seats = head.seats
    for at in range(k + 1, after):
        line = _without_statistics(text[at].strip())
        if line[:5] == "Seat " and line[-1] == ")":
            # The commonest form; all others are read below.
            digits, _, rest = line[5:].partition(": ")
            name, _, stack = rest.rpartition(" (")
            if (seat := _NUMBERS.get(digits)) and name:
                seats.append((at, seat, name.strip(), stack[:-1]))
                continue
        if line and not _line(head, line, at):
            head.body = at
            break
    else:
        head.body = after
    if not head.seats:
        raise nobody()
    return head


def _without_statistics(line: str) -> str:
    """Return the row of a seat without what a tracker knows of its player: ` - VPIP: 21, …`, ` - (21.60 / …)`."""
    if line[:5] != "Seat " or " ) - " not in line:
        return line
    row, _, known = line.rpartition(" ) - ")
    return f"{row} )" if known.startswith(("VPIP:", "(")) else line


def _line(head: Head, line: str, k: int) -> bool:
    """Read one line of the head; False where the head is over."""
    word = line[:5].lower()
    if word.startswith("seat"):
        return _button(head, line, k) if line.endswith("is the button") else _seat(head, line, k)
    if word == "table":
        _table(head, line[5:].strip(), k)
    elif line.startswith("Total number of players"):
        head.chairs = number_of(line.rpartition("/")[2].strip()) if "/" in line else 0
    elif word.startswith("trny"):
        number, level = _level(line)
        head.tournament, head.level = number or head.tournament, level or head.level
    elif word in ("blind", "stake") and "(" in line:
        head.stakes, head.ante = _levels(line)
    else:
        return False
    return True


def _button(head: Head, line: str, k: int) -> bool:
    digits = line[4:].split(maxsplit=1)[0].strip(":#")
    head.button, head.button_line = number_of(digits), k
    return True


def _table(head: Head, rest: str, k: int) -> None:
    """Read `Name (Real Money)`, with ` -- Seat 2 is the button` behind it or not."""
    rest, dashes, button = rest.partition(" -- ")
    if dashes and button.strip().endswith("is the button"):
        _button(head, button.strip(), k)
    head.table, head.club, number, head.play = _place(rest, tournament=head.game.tournament)
    head.tournament = head.tournament or number


@lru_cache(maxsize=10_000)
def _place(rest: str, *, tournament: bool) -> tuple[str, str, str, bool]:
    """Return table, tournament's name and number, and whether it is played for nothing."""
    low, play = rest.lower(), False
    for money in ("( real money )", "(real money)", "( play money )", "(play money)"):
        if low.endswith(money):
            play = "play" in money
            rest = rest[: -len(money)].rstrip()
            break
    name, word, table = rest.rpartition("Table #")
    if not tournament or not word:
        return " ".join(rest.split()), "", "", play
    club, number = name.strip(), ""
    if club.endswith(")"):
        title, _, inner = club[:-1].rpartition("(")
        if inner.isascii() and inner.isdigit():
            club, number = title.strip(), inner
    return table.strip(), club, number, play


def _seat(head: Head, line: str, k: int) -> bool:
    """Read `Seat 5: Name ( $5 USD )`, `seat1: Name ( 1,000 )` or `Seat 1: Name ($5)`."""
    colon, opening = line.find(":"), line.rfind("(")
    if colon < 0 or opening < colon or not line.endswith(")"):
        return False
    digits = line[4:colon].strip()
    if not digits.isascii() or not digits.isdigit() or len(digits) > 3:
        return False
    name = line[colon + 1 : opening].strip()
    head.seats.append((k, int(digits), name, line[opening + 1 : -1]))
    return True


def after_word(line: str, word: str) -> str:
    """Return the digits behind `word`, "" if there are none."""
    at = line.find(word)
    if at < 0:
        return ""
    found = line[at + len(word) :].lstrip().split(" ", 1)[0]
    return found if found.isascii() and found.isdigit() and len(found) < 20 else ""


@lru_cache(maxsize=10_000)
def _level(line: str) -> tuple[str, str]:
    """Read `Trny: 7 Level: 3`: number and level."""
    return after_word(line, "Trny:"), after_word(line, "Level:")


@lru_cache(maxsize=10_000)
def _levels(line: str) -> tuple[tuple[str, ...], str]:
    """Read `Blinds-Antes(1,250/2,500 -250)`: the blinds, and the ante or ""."""
    inner = line[line.find("(") + 1 :].partition(")")[0]
    blinds, _, ante = inner.partition("-")
    return tuple(clean(one) for one in blinds.split("/")), clean(ante)


@lru_cache(maxsize=10_000)
def game_of(what: str) -> Game:
    """Take apart what stands before the date: game, stakes, tournament."""
    table = what.find(" Game Table (")
    if table >= 0:
        return _mailed(what[:table], what[table + 12 :])
    words = what.split(" ")
    for index, word in enumerate(words):
        if word in ("NL", "PL", "FL"):
            return _classic(" ".join(words[:index]), word, " ".join(words[index + 1 :]))
    return _of_old(what, words)


def _of_old(what: str, words: list[str]) -> Game:
    """Read `$2/$4 Hold'em`, `Hold'em Trny:7 Level:3 …`: until 2006 fixed limit was in no word."""
    stakes = words[:1] if "/" in words[0] else []
    while stakes and words[len(stakes) : len(stakes) + 1] in ([one] for one in CODES):
        stakes.append(words[len(stakes)])
    if not stakes and "Trny" not in what:
        raise unknown_game(what)
    return _classic(" ".join(stakes), "FL", " ".join(words[len(stakes) :]))


def _date_at(line: str) -> int:
    """Return where the date begins: behind the last hyphen, with a weekday's name."""
    at = line.rfind("-")
    while at >= 0:
        if line[at + 1 :].lstrip()[:3].lower() in DAYS:
            return at + 1
        at = line.rfind("-", 0, at)
    raise UnreadableHandError("the header has no date", kind="header")


def _classic(stakes: str, limit: str, rest: str) -> Game:
    """Read `$1/$2 USD` NL `Texas Hold'em`, or NL `Texas Hold'em $5 USD Buy-in Trny:7 Level:3 …`."""
    variant, name = _variant(rest)
    tail = rest[len(name) :].strip()
    tournament = "Trny" in tail or "Buy-in" in tail or "Buyin" in tail or not stakes
    unit = unit_of(stakes)
    if not tournament:
        blinds = clean(stakes).split("/")
        bets = tuple(blinds) if len(blinds) > 1 else ()
        return Game(variant, LIMITS[limit], name, bets, unit, False, "", "", "", "", "")
    opening = max(tail.find("Blinds"), tail.find("Stakes"))
    levels, ante = _levels(tail[opening:]) if opening >= 0 else ((), "")
    price = tail.partition("Buy-in")[0] if "Buy-in" in tail else ""
    fee = tail.partition("Buy-in")[2].partition("Entry Fee")[0] if "Entry Fee" in tail else ""
    return Game(
        variant,
        LIMITS[limit],
        name,
        levels,
        unit_of(price),
        True,
        after_word(tail, "Trny:"),
        after_word(tail, "Level:"),
        ante,
        clean(price),
        clean(fee.strip(" +")),
    )


def _mailed(stakes: str, rest: str) -> Game:
    """Read `0.01/0.02 Texas Hold'em` and `(NL) (MTT Tournament #7) (Buyin $5 + $1)`."""
    limit, _, tail = rest.strip().removeprefix("(").partition(")")
    amount, _, title = stakes.partition(" ")
    for code in CODES:
        title = title.removeprefix(code + " ")
    tourney = title.startswith("Tourney ")
    variant, name = _variant(title.removeprefix("Tourney "))
    betting = LIMITS.get(limit.strip())
    if betting is None:
        raise unknown_game(stakes + rest)
    prices = tail.partition("(Buyin")[2].partition(")")[0].split("+")
    number = tail.partition("Tournament #")[2].partition(")")[0].strip()
    return Game(
        variant,
        betting,
        name,
        tuple(clean(one) for one in amount.split("/")),
        unit_of(amount + prices[0]),
        tourney or bool(number),
        number if number.isascii() and number.isalnum() else "",
        "",
        "",
        clean(prices[0]),
        clean(prices[1]) if len(prices) > 1 else "",
    )


def _variant(text: str) -> tuple[str, str]:
    low = text.lower()
    for name, variant in GAMES:
        if low.startswith(name):
            return variant, text[: len(name)]
    raise unknown_game(text)


def unit_of(text: str) -> str:
    """Return the currency that an amount names, "" for none."""
    codes = (code for code in CODES if code in text and code.isupper() and len(code) == 3)
    return next(codes, "") or next((code for sign, code in amounts.SYMBOLS.items() if sign in text), "")


@lru_cache(maxsize=10_000)
def started(written: str) -> Millis | None:
    """Return the moment of `Thursday, May 12, 17:41:57 EDT 2016`; None where that cannot be told."""
    words = written.replace(",", " ").split()
    if not 5 <= len(words) <= 6:
        return None
    month = MONTHS.get(words[1][:3].lower())
    day, year = words[2], words[-1]
    zone = words[4] if len(words) == 6 else ""
    if month is None or not (day + year).isascii() or not day.isdigit() or not year.isdigit():
        return None
    if zone == "ET" and len(year) == 4:
        return timestamps.started(f"{year}/{month:02}/{day:0>2} {words[3]} ET")
    minutes = _zone(zone, int(year[:4]), month)
    clock = timestamps.started(f"2000/01/01 {words[3]} UTC")
    if minutes is None or clock is None or len(day) > 2 or len(year) != 4:
        return None
    try:
        ordinal = date(int(year), month, int(day)).toordinal()
    except ValueError:
        return None
    return (ordinal - _EPOCH) * _DAY_MILLIS + clock % _DAY_MILLIS - minutes * 60_000


def _zone(zone: str, year: int, month: int) -> int | None:
    """Return a zone's minutes east; Moscow kept summer time all year from spring 2011 to autumn 2014."""
    if zone == "MSK":
        always = (2011, 4) <= (year, month) < (2014, 10)
        return 240 if always else 180
    return ZONES.get(zone)
