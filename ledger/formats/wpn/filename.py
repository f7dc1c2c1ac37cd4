"""What a file's name tells: the tournament's number and name, play money.

The network writes tournaments' names into the names of its files alone:
`HH20190721 SCHEDULEDID-G90000036T25 TN-The Venom GAMETYPE-Hold'em LIMIT-no CUR-REAL OND-F BUYIN-0.txt`,
and before 2019 `HH20160914 T9000042-G90000041.txt`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

_SIGNS: Final = {
    "{FULLSTOP}": ".",
    "{BACKSLASH}": "/",
    "{SLASH}": "/",
    "{COLON}": ":",
    "{ASTERISK}": "*",
    "{QUESTION}": "?",
    "{QUOTE}": '"',
    "{LESS}": "<",
    "{GREATER}": ">",
    "{PIPE}": "|",
}
_LONGEST: Final = 300
_KINDS: Final = ("SCHEDULEDID-", "SITGOID-")


class Facts(NamedTuple):
    """What the name of a file tells; "" and False where it does not."""

    tournament: str  # its number
    title: str  # the tournament's or the table's name
    is_tournament: bool
    play: bool


@lru_cache(maxsize=4096)
def facts(name: str) -> Facts:
    """Return what the name of a file tells."""
    name = name[:_LONGEST]
    title = name.partition(" TN-")[2] or name.partition("-TN-")[2]
    title = title.partition(" GAMETYPE")[0]
    for written, sign in _SIGNS.items():
        title = title.replace(written, sign)
    number = _number(name)
    return Facts(
        number,
        title.replace("\xa0", " ").strip(),
        bool(number) or any(kind in name for kind in _KINDS),
        "CUR-PLAY" in name,
    )


def _number(name: str) -> str:
    """Return the digits of `T9000042-G90000041`, where T stands behind a blank."""
    at = name.find(" T")
    while at >= 0:
        digits, dash, rest = name[at + 2 :].partition("-")
        if dash and digits.isascii() and digits.isdigit() and rest.startswith("G"):
            return digits[:20]
        at = name.find(" T", at + 1)
    return ""
