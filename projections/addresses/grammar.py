"""How an address is written: `[VENUE/][TOURNAMENT/]TABLE/HAND[/DAY][~ACCOUNT][@EVENT]`.

A name that holds one of the marks, a blank or a character that a terminal doesn't show is quoted, as in
`"Alcor II"/408@14`. Within quotes a quote is doubled; `%1b` is a byte of UTF-8 that can't be shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

from ledger import safe
from ledger.errors import AddressError
from ledger.readers.timestamps import iso

_EVENT: Final = re.compile(r'(.+)@([^@/~"]+)', re.DOTALL)
_ACCOUNT: Final = re.compile(r"(.+)~([0-9]{1,9})", re.DOTALL)
_QUOTED: Final = re.compile(r'"((?:[^"]|"")*)"(?!")')
_PLAIN: Final = re.compile(r"""(?!-)[^\s/~@"'\\:#%]+""")
_ORDINAL: Final = re.compile(r"([1-9][0-9]{0,8})(st|nd|rd|th)")
_DATE_LENGTH: Final = len("2026-11-20")


class Word(NamedTuple):
    """A part of an address between two slashes."""

    text: str
    is_quoted: bool = False


def split_event(address: str) -> tuple[str, str]:
    """Split off what follows the last @ outside of quotes; "" if nothing does."""
    match = _EVENT.fullmatch(address)
    return (match[1], match[2]) if match else (address, "")


def split_account(address: str) -> tuple[str, int | None]:
    """Split off the number of an account, as in `T7/408~2`."""
    match = _ACCOUNT.fullmatch(address)
    return (match[1], int(match[2])) if match else (address, None)


def parse_path(text: str) -> tuple[Word, ...]:
    """Split the names of an address at the slashes outside of quotes.

    >>> [word.text for word in parse_path('"Alcor II"/408')], [word.text for word in parse_path('"a""/b"/2')]
    (['Alcor II', '408'], ['a"/b', '2'])
    """
    words: list[Word] = []
    at = 0
    while True:
        match = _QUOTED.match(text, at)
        if match and text[match.end() : match.end() + 1] in ("", "/"):
            words.append(Word(_unescape(match[1]), is_quoted=True))
            end = match.end()
        elif text[at : at + 1] == '"':
            raise AddressError(
                f"a quote in {text!r} doesn't close before a /", 'Quote each name by itself: "Alcor II"/408.'
            )
        else:
            end = text.find("/", at)
            end = len(text) if end < 0 else end
            words.append(Word(text[at:end]))
        if end == len(text):
            return tuple(words)
        at = end + 1


def _unescape(text: str) -> str:
    data = unquote_to_bytes(text.replace('""', '"').encode("utf-8", "surrogatepass"))
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def split_addresses(text: str) -> list[str]:
    """Return the addresses in a line, between blanks or commas outside of quotes.

    >>> split_addresses('T7/408@17-20, "Alcor II"/3')
    ['T7/408@17-20', '"Alcor II"/3']
    """
    found = [""]
    in_quotes = False
    for char in text:
        in_quotes ^= char == '"'
        if not in_quotes and (char == "," or char.isspace()):
            found.append("")
        else:
            found[-1] += char
    return [address for address in found if address]


def ordinal_number(text: str) -> int | None:
    """Return the number in `2nd`; None for other text."""
    match = _ORDINAL.fullmatch(text)
    return int(match[1]) if match and ordinal(int(match[1])) == text else None


def ordinal(number: int) -> str:
    """Return a number as people count.

    >>> ordinal(1), ordinal(2), ordinal(3), ordinal(11), ordinal(22)
    ('1st', '2nd', '3rd', '11th', '22nd')
    """
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def is_day(text: str) -> bool:
    """Whether a part of an address is a day: `2026-11-20`, or `2nd` where the record has no date."""
    if ordinal_number(text) is not None:
        return True
    return len(text) == _DATE_LENGTH and text[4] == "-" and iso(text) is not None


@lru_cache(maxsize=4096)
def quote(name: str) -> str:
    r"""Return a name as it stands in an address, quoted if it must be.

    >>> quote("T7"), quote("Alcor II"), quote('a"/b'), quote("\x1b[2J"), quote("2026-11-20"), quote("")
    ('T7', '"Alcor II"', '"a""/b"', '"%1b[2J"', '"2026-11-20"', '""')
    """
    shown = _is_shown(name)
    if shown and _PLAIN.fullmatch(name) and not is_day(name):
        return name
    return '"' + "".join(_escape(char, shown=shown) for char in name) + '"'


def _is_shown(name: str) -> bool:
    """Whether a terminal shows a name as it is."""
    return safe.terminal(name, 4 * len(name) + 4) == name


def _escape(char: str, *, shown: bool) -> str:
    if char == '"':
        return '""'
    if char not in "%\\" and (shown or (char.isascii() and char.isprintable())):
        return char
    return "".join(f"%{byte:02x}" for byte in char.encode("utf-8", "surrogatepass"))


def hand_address(path: Iterable[str], number: str, *, day: str = "", account: int = 0, event: int | str = "") -> str:
    """Return the address of a hand; `path` is venue, tournament and table, as far as they are needed.

    >>> hand_address(["T7"], "408", event=14), hand_address(["V", "T 7"], "3", day="2nd", account=2)
    ('T7/408@14', 'V/"T 7"/3/2nd~2')
    """
    text = "/".join([*map(quote, path), quote(number), *([day] if day else [])])
    return text + (f"~{account}" if account else "") + (f"@{event}" if event else "")
