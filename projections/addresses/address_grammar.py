"""The syntax of addresses: `[VENUE/][TOURNAMENT/]TABLE/HAND[/DAY][~ACCOUNT][@EVENT]`.

A name with a space, a character of this syntax or an unprintable character is quoted: `"Alcor II"/408@14`.
Within quotes, a quote is doubled, and `%` with two hex digits is a byte of UTF-8. `%` and a backslash are always
written so. In a name with an unprintable character, so is every character that isn't printable ASCII.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

from ledger import safe
from ledger.errors import AddressError
from ledger.readers.timestamps import parse_iso

_EVENT_PATTERN: Final = re.compile(r'(.+)@([^@/~"]+)', re.DOTALL)
_ACCOUNT_PATTERN: Final = re.compile(r"(.+)~([0-9]{1,9})", re.DOTALL)
_QUOTED_PATTERN: Final = re.compile(r'"((?:[^"]|"")*)"(?!")')
_UNQUOTED_PATTERN: Final = re.compile(r"""(?!-)[^\s/~@"'\\:#%]+""")
_ORDINAL_PATTERN: Final = re.compile(r"([1-9][0-9]{0,8})(st|nd|rd|th)")
_DATE_LENGTH: Final = len("2026-11-20")


class PathWord(NamedTuple):
    """The part of an address between two slashes, without quotes."""

    text: str
    is_quoted: bool = False


def split_event(address: str) -> tuple[str, str]:
    """Split an address at its last @ into the hand and the event. The event is "" if there's none."""
    event_match = _EVENT_PATTERN.fullmatch(address)
    return (event_match[1], event_match[2]) if event_match else (address, "")


def split_account(address: str) -> tuple[str, int | None]:
    """Split `T7/408~2` into the hand and the account number. The number is None if there's none."""
    account_match = _ACCOUNT_PATTERN.fullmatch(address)
    return (account_match[1], int(account_match[2])) if account_match else (address, None)


def parse_path(text: str) -> tuple[PathWord, ...]:
    """Split the names of an address at the slashes outside quotes.

    >>> [word.text for word in parse_path('"Alcor II"/408')], [word.text for word in parse_path('"a""/b"/2')]
    (['Alcor II', '408'], ['a"/b', '2'])
    """
    words: list[PathWord] = []
    position = 0
    while True:
        match = _QUOTED_PATTERN.match(text, position)
        if match and text[match.end() : match.end() + 1] in ("", "/"):
            words.append(PathWord(_unescape(match[1]), is_quoted=True))
            end = match.end()
        elif text[position : position + 1] == '"':
            raise AddressError(
                f"a quote in {text!r} doesn't close before a /", 'Quote each name by itself: "Alcor II"/408.'
            )
        else:
            end = text.find("/", position)
            end = len(text) if end < 0 else end
            words.append(PathWord(text[position:end]))
        if end == len(text):
            return tuple(words)
        position = end + 1


def _unescape(quoted_text: str) -> str:
    """Return the name that is written between two quotes. This undoes `_escape`."""
    utf8_bytes = unquote_to_bytes(quoted_text.replace('""', '"').encode("utf-8", "surrogatepass"))
    try:
        return utf8_bytes.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return utf8_bytes.decode("utf-8", "replace")


def split_addresses(text: str) -> list[str]:
    """Split a line into addresses at spaces and commas outside quotes.

    >>> split_addresses('T7/408@17-20, "Alcor II"/3')
    ['T7/408@17-20', '"Alcor II"/3']
    """
    addresses = [""]
    in_quotes = False
    for character in text:
        in_quotes ^= character == '"'
        if not in_quotes and (character == "," or character.isspace()):
            addresses.append("")
        else:
            addresses[-1] += character
    return [address for address in addresses if address]


def parse_ordinal(text: str) -> int | None:
    """Return the number of an English ordinal, such as 2 for `2nd`, or None for other text."""
    ordinal_match = _ORDINAL_PATTERN.fullmatch(text)
    return int(ordinal_match[1]) if ordinal_match and ordinal(int(ordinal_match[1])) == text else None


def ordinal(number: int) -> str:
    """Return a number as an English ordinal.

    >>> ordinal(1), ordinal(2), ordinal(3), ordinal(11), ordinal(22)
    ('1st', '2nd', '3rd', '11th', '22nd')
    """
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def is_day(text: str) -> bool:
    """Whether a part of an address is a day: `2026-11-20`, or `2nd` if the record has no date."""
    if parse_ordinal(text) is not None:
        return True
    return len(text) == _DATE_LENGTH and text[4] == "-" and parse_iso(text) is not None


@lru_cache(maxsize=4096)
def quote(name: str) -> str:
    r"""Return a name as an address spells it, quoted if necessary.

    >>> quote("T7"), quote("Alcor II"), quote('a"/b'), quote("\x1b[2J"), quote("2026-11-20"), quote("")
    ('T7', '"Alcor II"', '"a""/b"', '"%1b[2J"', '"2026-11-20"', '""')
    """
    is_shown = _is_printed_unchanged(name)
    if is_shown and _UNQUOTED_PATTERN.fullmatch(name) and not is_day(name):
        return name
    return '"' + "".join(_escape(character, is_shown=is_shown) for character in name) + '"'


def _is_printed_unchanged(name: str) -> bool:
    """Whether a terminal prints a name unchanged."""
    # The limit has room for an escape of every character, so that nothing is cut off.
    return safe.terminal(name, 4 * len(name) + 4) == name


def _escape(character: str, *, is_shown: bool) -> str:
    """Return a character as it's written between quotes.

    `is_shown`: a terminal prints the whole name unchanged. Otherwise every character but printable ASCII is escaped.
    """
    if character == '"':
        return '""'
    if character not in "%\\" and (is_shown or (character.isascii() and character.isprintable())):
        return character
    return "".join(f"%{byte:02x}" for byte in character.encode("utf-8", "surrogatepass"))


def format_hand_address(
    table_path: Iterable[str], hand_number: str, *, day: str = "", account: int = 0, event: int | str = ""
) -> str:
    """Return the address of a hand as text. `table_path` is venue, tournament and table, or only the last of these.

    >>> format_hand_address(["T7"], "408", event=14), format_hand_address(["V", "T 7"], "3", day="2nd", account=2)
    ('T7/408@14', 'V/"T 7"/3/2nd~2')
    """
    address = "/".join([*map(quote, table_path), quote(hand_number), *([day] if day else [])])
    return address + (f"~{account}" if account else "") + (f"@{event}" if event else "")


def quote_for_shell(address: str) -> str:
    """Return an address, or another word of a command, quoted for a shell."""
    return shlex.quote(address)
