"""Find different names that look alike: a warning for people, never a reason to merge players.

Follows the skeletons of Unicode TS #39, with a table of our own for names at tables: letters of other
alphabets that look like Latin ones, digits like letters, invisible characters.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from unicodedata import category, normalize

_TWINS: Final = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u051b\u051d\u04bb\u04cf\u043a"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0423\u0406\u0408\u0405\u051a\u051c\u04c0"
    "\u03bf\u03bd\u03c1\u03b9\u03ba\u03b1\u03c5\u03c7"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u0578\u0585\u057d\u0570\u0131\u0261\u0251",
    "aeopcyxijsdqwhlkABEKMHOPCTXYlJSQWlovpikauxABEZHlKMNOPTYXnouhiga",
)
"""Cyrillic, Greek, Armenian and rare Latin letters, and the Latin letter that each looks like."""

_LIKE_L: Final = str.maketrans("I1|0", "lllO")


def name_skeleton(name: str) -> str:
    """Return the visual skeleton of a name: names with the same skeleton look alike."""
    folded = normalize("NFKC", name).translate(_TWINS).translate(_LIKE_L)
    visible = (
        character for character in normalize("NFD", folded.casefold()) if category(character) not in ("Cf", "Zs", "Cc")
    )
    return "".join(visible).replace("rn", "m").replace("vv", "w")


def lookalike_groups(names: Iterable[str]) -> list[list[str]]:
    """Return the groups of different names that look alike, each in the order of `names`."""
    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        groups.setdefault(name_skeleton(name), []).append(name)
    return [group for group in groups.values() if len(group) > 1]
