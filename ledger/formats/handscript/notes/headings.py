"""Lines above the hands, in any order: room, table, date, game, stakes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Final, NamedTuple


@dataclass(slots=True)
class Heading:
    """The game and table, from the lines above the hands and between them."""

    venue: str = ""
    table: str = ""
    seats: int = 0
    tournament: str = ""
    is_tournament: bool = False
    day: date | None = None
    betting: str = ""
    variant: str = ""
    is_derived: bool = False  # part of the game follows from how it was played
    stakes: tuple[Decimal, ...] = ()  # as written: blinds, or the bets of a limit game
    third: Decimal | None = None  # the 5 of 1/2/5: the ante in a tournament, unclear elsewhere
    blinds: tuple[Decimal, ...] = ()
    ante: Decimal = Decimal(0)
    one_ante: bool = False  # one seat pays the ante for the table
    level: str = ""
    currency: str = ""
    stack_of_all: Decimal | None = None
    titles: list[str] = field(default_factory=list)

    @property
    def is_limit(self) -> bool:
        """Whether the game is limit."""
        return self.betting == "limit"

    @property
    def bets(self) -> tuple[Decimal, ...]:
        """Return the bets of a limit game."""
        return self.stakes if self.is_limit else ()

    @property
    def one_pays_ante(self) -> bool:
        """Whether the big blind pays the ante for the table; so if both are equal."""
        return self.one_ante or (bool(self.ante) and self.ante == self.big_blind)

    @property
    def small_blind(self) -> Decimal | None:
        """Return the small blind; None if the notes don't give it."""
        if self.blinds:
            return self.blinds[0] if len(self.blinds) > 1 else None
        return self.stakes[0] if self.stakes and not self.is_limit else None

    @property
    def big_blind(self) -> Decimal | None:
        """Return the big blind; in a limit game, the small bet."""
        if self.blinds:
            return self.blinds[-1]
        if not self.stakes:
            return None
        return self.stakes[0] if self.is_limit else self.stakes[1]


AMOUNT: Final = r"[$€£]?(?:\d[\d,]{0,24}(?:\.\d{1,9})?|\.\d{1,9})(?:[kcp¢](?![a-z]))?"
_STAKES: Final = re.compile(
    rf"(?<![\d/-])({AMOUNT})(?:\s?/\s?|-)({AMOUNT})(?:(?:\s?/\s?|-)({AMOUNT}))?(?![\d/-])", re.IGNORECASE
)
_SPACED_STAKES: Final = re.compile(
    rf"(?<![\d/.-])({AMOUNT})\s({AMOUNT})(?=\s*(?:$|nl|pl|no\b|no-|pot|limit|holdem|hold|cash|[,;@]))", re.IGNORECASE
)
"""`1 2 no limit`."""
_BLINDS: Final = re.compile(
    rf"\bblinds?[\s,:-]*(?:(?:up|now|are|were|is|at|of|to|go|goes|went|going|gone|raised|move|moved|become|became|doubled?|"
    rf"increased?|changed?|increase|the|will be|from here on|just)[\s,:-]+){{0,4}}({AMOUNT})\s*(?:/|and|&|an|n|-)\s*({AMOUNT})",
    re.IGNORECASE,
)
_BLINDS_APART: Final = re.compile(
    rf"\b(?:small blind|sb)(?:\s(?:is|of|was)|\s?[:=])?\s({AMOUNT})\s?[,;/]?\s?(?:and\s)?(?:the\s)?(?:big blind|bb)(?:\s(?:is|of|was)|\s?[:=])?\s({AMOUNT})"
    rf"|\bblinds?\s({AMOUNT})\s({AMOUNT})(?!\S)",
    re.IGNORECASE,
)
"""`small blind 1, big blind 3`, `blinds 1 3`."""
_COINS: Final = {
    **dict(
        zip(
            ("one", "two", "three", "four", "five", "ten", "twenty", "twenty-five", "fifty", "hundred"),
            map(Decimal, (1, 2, 3, 4, 5, 10, 20, 25, 50, 100)),
            strict=True,
        )
    ),
    "a dollar": Decimal(1),
    "a quarter": Decimal("0.25"),
    "quarter": Decimal("0.25"),
    "half": Decimal("0.5"),
    "a half": Decimal("0.5"),
    "nickel": Decimal("0.05"),
    "dime": Decimal("0.1"),
    "fifty cents": Decimal("0.5"),
    "twenty-five cents": Decimal("0.25"),
    "dollar": Decimal(1),
    "penny": Decimal("0.01"),
}
_COIN: Final = "|".join(sorted(_COINS, key=len, reverse=True))
_WORDED_STAKES: Final = re.compile(
    rf"\bblinds?[\s,:-]{{1,2}}(?:(?:of|are|were|at|is|was)\s)?({_COIN})(?:\s(?:and|to)\s|\s?[/-]\s?)({_COIN})(\s(?:dollars?|bucks|euros|pounds)|\scents)?\b"
    rf"|\b({_COIN})\s?/\s?({_COIN})\b",
    re.IGNORECASE,
)
"""`blinds of one and two dollars`, `quarter/half`."""
COIN_WORDS: Final = re.compile(r"\b(?:quarter|nickel|dime|fifty cents)s?\b", re.IGNORECASE)


def write_stakes(text: str) -> str:
    """Return a text with stakes in words as figures: `quarter/half` is 0.25/0.5."""
    if not (match := _WORDED_STAKES.search(text)):
        return text
    small, big = (_COINS[group.lower()] for group in (match[1] or match[4], match[2] or match[5]))
    if (match[3] or "").strip().lower() == "cents":
        small, big = small / 100, big / 100
    label = "blinds " if match[1] else ""
    return f"{text[: match.start()]}{label}{small:f}/{big:f}{text[match.end() :]}" if small < big else text


_ANTE: Final = re.compile(
    rf"\b(bb |big blind )?antes?\s*:?\s*(?:of\s*)?({AMOUNT})(\s*\(?(?:bba|bb ante|big blind ante)\)?)?", re.IGNORECASE
)
_ANTE_LAST: Final = re.compile(rf"({AMOUNT})[\s-](bb[\s-]|big[\s-]blind[\s-])?ante\b", re.IGNORECASE)
_LEVEL: Final = re.compile(r"\blevel\s+(\w+)\s*:?", re.IGNORECASE)
_BETTINGS: Final = (
    (re.compile(r"\bno[- ]?limit\b|\bnl\b|\bnlhe?\b", re.IGNORECASE), "no-limit"),
    (re.compile(r"\bpot[- ]?limit\b|\bpl\b|\bplo8?\b", re.IGNORECASE), "pot-limit"),
    (re.compile(r"\bspread[- ]?limit\b|\bspread\b", re.IGNORECASE), "spread"),
    (re.compile(r"\b(?:fixed[- ]?)?limit\b|\blhe\b|\bfl\b", re.IGNORECASE), "limit"),
)
_VARIANTS: Final = (
    (re.compile(r"\bomaha (?:8|hi-?lo|eight or better)\b|\bplo8\b|\bo8\b", re.IGNORECASE), "omaha8"),
    (re.compile(r"\bomaha\b|\bplo\b", re.IGNORECASE), "omaha"),
    (re.compile(r"\b(?:texas )?hold[']?\s?em\b|\bnlhe?\b|\blhe\b", re.IGNORECASE), "holdem"),
)
_TABLE: Final = re.compile(
    r"\b(?:table|tbl)\s*:?\s*(?:no\.?\s*|#\s*)?((?:(?=[\w-]{0,20}\d)\w[\w-]{0,20}|[A-Z]\b|(?<=: )[A-Z]\w{0,20}))|(?:^|[-,;|]\s)(T\d+)\b",
    re.IGNORECASE,
)
_SEATS: Final = re.compile(
    r"\(?\b(\d{1,2})[- ]?(?:seats|max|handed|seater)\b\)?|\bseats\s*:?\s*(\d{1,2})\s*$", re.IGNORECASE
)
_ROOM: Final = re.compile(
    r"\b(?:room|venue|casino|cardroom)\b\s*:?\s+([^,;\n]+?)(?=\s{2,}|,|;|\s+table\b|$)", re.IGNORECASE
)
_EVENT: Final = re.compile(r"\b(?:event|tournament)\s*#?\s*([\w-]+)", re.IGNORECASE)
_TOURNAMENT: Final = re.compile(
    r"\b(?:tournament|event|level|bounty|freeze-?out|re-?entry|satellite|sit ?& ?go|sng|mtt|td|final table)\b",
    re.IGNORECASE,
)
_ALL_HAVE: Final = re.compile(
    rf"\b(?:everyone|everybody|all|each|we all)\b(?: is| are)?(?: in for| has| have| starts? with| started with| sits with| bought in for| buys in for| begins with)\s*({AMOUNT})",
    re.IGNORECASE,
)
_PEOPLE: Final = re.compile(
    r"\b(?:dealer|dlr|floor|camera|recording of|recording|shift)\b\s*:?\s*[\w. '-]*?(?=\s{2,}|,|;|$)", re.IGNORECASE
)
_MONTHS: Final = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DATES: Final = (
    re.compile(r"\b(?P<y>20\d\d)-(?P<m>\d\d)-(?P<d>\d\d)\b"),
    re.compile(r"\b(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<y>(?:20)?\d\d)\b"),
    re.compile(r"\b(?P<mon>[A-Z][a-z]{2,8})\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?,? (?P<y>20\d\d)\b"),
    re.compile(r"\b(?P<d>\d{1,2})\.? (?P<mon>[A-Z][a-z]{2,8})\.? (?P<y>20\d\d)\b"),
)
_NAMED_VENUE: Final = re.compile(r"\b(?:casino|card ?room|poker room|card club|cardroom|club house)\b", re.IGNORECASE)
ASIDE: Final = re.compile(
    r"\b(?:complains?|argues?|asks?|warned|warns?|says|said|jokes?|dispute|ruling|rules|apologi[sz]es|tips?|reviewed)\b"
    r"|^\s*(?:\d+[- ]minute |dinner |short )?(?:break|colou?r(?:ing)? up|chip race|race off)\b",
    re.IGNORECASE,
)
"""Talk and breaks that don't change who plays."""


def parse_amount(amount_text: str) -> Decimal:
    """Parse an amount of a heading."""
    digits = amount_text.strip("$€£").replace(",", "").lower()
    if digits.endswith("k"):
        return Decimal(digits[:-1]) * 1000
    if digits[-1:] in ("c", "p", "¢"):
        return Decimal(digits[:-1]) / 100
    return Decimal(digits)


def read_date(text: str) -> tuple[date | None, str]:
    """Return a date and the text without it; None if day and month are ambiguous."""
    for pattern in _DATES:
        match = pattern.search(text)
        if match is None:
            continue
        date_parts = match.groupdict()
        month = _parse_month(date_parts.get("mon") or "") or int(date_parts.get("m") or 0)
        day, year = int(date_parts["d"]), int(date_parts["y"])
        remaining_text = (
            re.sub(r"\b(?:date|on)\s*:?\s*$", "", text[: match.start()], flags=re.IGNORECASE) + text[match.end() :]
        )
        if month > 12 and day <= 12:
            month, day = day, month
        elif "/" in match[0] and month <= 12 and day <= 12 and month != day:
            return None, remaining_text
        try:
            return date(year + 2000 * (year < 100), month, day), remaining_text
        except ValueError:
            continue
    return None, text


def _parse_month(month_name: str) -> int:
    return _MONTHS.index(month_name[:3].lower()) + 1 if month_name[:3].lower() in _MONTHS else 0


def read_heading(heading: Heading, text: str, *, is_above: bool) -> bool:
    """Read a line about the game; return whether it is one. `is_above`: no hand has started."""
    text = write_stakes(text)
    day, remaining_text = read_date(text)
    is_heading = remaining_text != text
    if day is not None:
        heading.day = day
    for read_part in (_read_level, _read_game, *((_read_place,) if is_above else ())):
        remaining_text, has_match = read_part(heading, remaining_text, is_above)
        is_heading = is_heading or has_match
    title = re.sub(r"\s+", " ", remaining_text).strip(" ,;:|.-()")
    if is_heading and title:
        _keep_title(heading, remaining_text, is_above)
    return is_heading


_OF_TABLE: Final = re.compile(
    r"^\s*(?:s\s?)?\d{1,2}\b|\b(?:seats?|stacks?|blinds?|antes?|button|limit|players?|waits|sits)\b", re.IGNORECASE
)


def is_title(text: str) -> bool:
    """Whether a line above the hands is a plain title, without players or seats."""
    return not (_OF_TABLE.search(text) or re.search(r"[^\W\d_]\s*[:=(,]?\s*[$€£]?\d[\d,.]*\s*(?:$|[,;/])", text))


_AROUND_LEVEL: Final = re.compile(
    r"\b(?:(?:short |dinner |\d+[- ]minute )?break|colou?r up|is now|is|are now|are|now|starts?|begins?|new|next|up to|up|we|after|from here)\b",
    re.IGNORECASE,
)
"""Words around a new level."""


def has_leftover(text: str) -> bool:
    """Whether part of a line between hands can't be read."""
    scratch = Heading()
    read_heading(scratch, _AROUND_LEVEL.sub(" ", text), is_above=False)
    return bool(scratch.titles)


def _keep_title(heading: Heading, title_text: str, is_above: bool) -> None:
    for part in re.split(r"\s-\s|[,;|]|\s{2,}|:\s", title_text):
        words = part.strip(" ,;:|.-()")
        if not words:
            continue
        if is_above and not heading.venue and _NAMED_VENUE.search(words):
            heading.venue = words
        else:
            heading.titles.append(words)


def _read_level(heading: Heading, text: str, _above: bool) -> tuple[str, bool]:
    has_match = False
    if match := _LEVEL.search(text):
        heading.level, text, has_match = match[1], _remove_match(text, match), True
        if stakes_match := _STAKES.search(text):  # the blinds of this level, whatever they were before
            heading.blinds = ()
            heading.stakes = tuple(parse_amount(part) for part in stakes_match.groups()[:2])
            heading.third = parse_amount(stakes_match[3]) if stakes_match[3] else None
            text = _remove_match(text, stakes_match)
    if match := _ANTE.search(text):
        heading.ante = parse_amount(match[2])
        heading.one_ante = heading.one_ante or bool(match[1] or match[3])
        text, has_match = _remove_match(text, match), True
    elif match := _ANTE_LAST.search(text):
        heading.ante = parse_amount(match[1])
        heading.one_ante = heading.one_ante or bool(match[2])
        text, has_match = _remove_match(text, match), True
    if match := _BLINDS.search(text) or _BLINDS_APART.search(text):
        small, big = (group for group in match.groups() if group)
        heading.blinds = (parse_amount(small), parse_amount(big))
        text, has_match = _remove_match(text, match), True
        _note_currency(heading, match[0])
    if match := _ALL_HAVE.search(text):
        heading.stack_of_all = parse_amount(match[1])
        text, has_match = _remove_match(text, match), True
        _note_currency(heading, match[0])
    return text, has_match


def _read_game(heading: Heading, text: str, is_above: bool) -> tuple[str, bool]:
    variant, betting = _find_name(_VARIANTS, text), _find_name(_BETTINGS, text)
    heading.variant, heading.betting = variant or heading.variant, betting or heading.betting
    has_match = bool(variant or betting)
    match = _STAKES.search(text) or (_SPACED_STAKES.search(text) if has_match and is_above else None)
    if match and (has_match or is_above or heading.level):
        _note_stakes(heading, match, is_above=is_above, names_game=has_match)
        text, has_match = _remove_match(text, match), True
    if has_match:
        for pattern, _ in (*_VARIANTS, *_BETTINGS):
            text = pattern.sub(" ", text)
        text = re.sub(r"\b(?:game|stakes|cash|now)\b\s*:?", " ", text, flags=re.IGNORECASE)
    return text, has_match


def _find_name(names: Iterable[tuple[re.Pattern[str], str]], text: str) -> str:
    """Return the first name whose pattern is in a text; "" if there is none."""
    return next((name for pattern, name in names if pattern.search(text)), "")


def _note_stakes(heading: Heading, match: re.Match[str], *, is_above: bool, names_game: bool) -> None:
    """Note the stakes of a game; numbers without a game don't replace blinds that are named."""
    stakes = tuple(parse_amount(part) for part in match.groups() if part)
    if names_game or not heading.blinds:
        heading.stakes, heading.third = stakes[:2], stakes[2] if len(stakes) > 2 else None
        heading.blinds = heading.blinds if is_above else ()
    _note_currency(heading, match[0])


def _read_place(heading: Heading, text: str, _above: bool) -> tuple[str, bool]:
    has_match = False
    if match := _ROOM.search(text):
        heading.venue = match[1].strip(' "-') or heading.venue
        text, has_match = _remove_match(text, match), True
    if match := _SEATS.search(text):
        heading.seats, text, has_match = int(match[1] or match[2]), _remove_match(text, match), True
    if match := _TABLE.search(text):
        heading.table, text, has_match = match[1] or match[2], _remove_match(text, match), True
    heading.is_tournament = heading.is_tournament or bool(_TOURNAMENT.search(text))
    if match := _EVENT.search(text):
        heading.tournament, text, has_match = match[1], _remove_match(text, match), True
    while match := _PEOPLE.search(text):
        text, has_match = _remove_match(text, match), True
    return text, has_match


def is_new_level(text: str) -> bool:
    """Whether a line only starts a new level of blinds."""
    return bool(
        _LEVEL.match(_AROUND_LEVEL.sub("", text).strip(" .,:;-"))
        or re.match(r"\s*blinds? (?:up|now|are|go)\b", text, re.IGNORECASE)
    )


def settle_third(heading: Heading) -> bool:
    """Take the third figure of a tournament's blinds as its ante; return whether it is settled."""
    if heading.third is not None and (heading.is_tournament or heading.level):
        heading.ante, heading.third = heading.third, None
    return heading.third is None


def _remove_match(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + "  " + text[match.end() :]


def _note_currency(heading: Heading, text: str) -> None:
    for sign, unit in (("$", "USD"), ("€", "EUR"), ("£", "GBP")):
        if sign in text:
            heading.currency = unit


class NamedGame(NamedTuple):
    """A game line for a header, and a typical first raise."""

    text: str
    raise_to: str


def name_of_game(text: str) -> NamedGame | None:
    """Parse a game's usual name, as in `limit 10/20`; return None if stakes are missing or it is unknown."""
    heading = Heading()
    if not read_heading(heading, text, is_above=True) or not heading.betting or not heading.stakes or heading.titles:
        return None
    big = heading.big_blind or Decimal(0)
    stakes = "/".join(f"{value.normalize():f}" for value in heading.stakes)
    raise_to = 2 * big if heading.is_limit else 3 * big
    return NamedGame(f"{heading.betting} {heading.variant or 'holdem'} {stakes}", f"{raise_to.normalize():f}")
