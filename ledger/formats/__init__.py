"""Hand-history notations: one module or package each, all of one shape (`ledger.notation.Format`)."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

from ledger.errors import UnknownFormatError
from ledger.notation import Format

NAMES: Final = (
    "pokerstars",
    "phh",
    "handscript",
    "ohh",
    "ggpoker",
    "acpc",
    "pokergfx",
    "partypoker",
    "bovada",
    "winamax",
    "888poker",
    "fulltilt",
    "pokernow",
    "wpn",
    "ongame",
    "absolute",
    "everleaf",
    "pkr",
    "ipoker",
    "pokertracker",
    "merge",
    "microgaming",
    "boss",
    "everest",
    "globalpoker",
    "entraction",
    "cake",
    "mavens",
    "betonline",
    "kingsclub",
    "unibet",
    "enet",
    "biggame",
    "igt",
    "coinpoker",
    "betclic",
    "coinpoker-text",
)
"""The formats, each `ledger.formats.<name>` with a value FORMAT; imported when first asked for."""

_PACKAGES: Final = {"888poker": "pacific", "coinpoker-text": "cointext"}
"""Formats whose name no package can have."""


_XML: Final = (b"<",)
_RULE: Final = (b"*****",)
_NEEDED: Final[dict[str, tuple[bytes, ...]]] = {
    "handscript": (b"handscript",),
    "acpc": (b"STATE:", b"# name/game/"),
    "ohh": (b"{",),
    "pokergfx": (b"{", b"GAME,PokerGFX"),
    "globalpoker": (b"{",),
    "coinpoker": (b'"game.',),
    "ipoker": _XML,
    "merge": _XML,
    "microgaming": _XML,
    "boss": _XML,
    "everest": _XML,
    "888poker": _RULE,
    "partypoker": _RULE,
    "ongame": _RULE,
    "winamax": (b"Winamax",),
    "betclic": (b"*** HEADER ***",),
    "coinpoker-text": (b"CoinPoker Hand #",),
    "biggame": (b"LoadHand",),
    "igt": (b'"history"',),
}
"""One of these stands in every source of the format: where none does, it is neither imported nor asked.

To import a reader takes longer than to read a hand. Whether a source is of the format, `sniff` says.
"""


@cache
def get(name: str) -> Format:
    """Return the format of that name; `UnknownFormatError` if there is none."""
    if name not in NAMES:
        raise UnknownFormatError(name)
    found: Format = import_module(package(name)).FORMAT
    return found


def package(name: str) -> str:
    """Return the module of the format of that name: `ledger.formats.pokerstars`."""
    return f"ledger.formats.{_PACKAGES.get(name, name)}"


def recognise(head: bytes) -> Format | None:
    """Return the format that is surest of the first bytes of a source (as UTF-8), None if none is."""
    best, sure = None, 0
    for name in NAMES:
        needed = _NEEDED.get(name)
        if needed and not any(word in head for word in needed):
            continue
        found = get(name)
        score = found.sniff(head)
        if score > sure:
            best, sure = found, score
    return best
