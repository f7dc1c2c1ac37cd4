"""Names that look alike and are not the same: a warning for people, never a reason to merge anybody.

After the skeletons of Unicode TS #39, with a table of our own that holds what is met at tables:
letters of other alphabets that are drawn like Latin ones, digits like letters, characters unseen.
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
"""Cyrillic, Greek, Armenian and rare Latin letters, and the Latin letter that each is drawn like."""

_LIKE_L: Final = str.maketrans("I1|0", "lllO")


def skeleton(name: str) -> str:
    """Return what is left of a name for the eye: names with the same skeleton look alike."""
    plain = normalize("NFKC", name).translate(_TWINS).translate(_LIKE_L)
    seen = (c for c in normalize("NFD", plain.casefold()) if category(c) not in ("Cf", "Zs", "Cc"))
    return "".join(seen).replace("rn", "m").replace("vv", "w")


def alike(names: Iterable[str]) -> list[list[str]]:
    """Return the groups of different names that look alike, each in the order of `names`."""
    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        groups.setdefault(skeleton(name), []).append(name)
    return [group for group in groups.values() if len(group) > 1]
