"""Hand-history formats. Each is a module or package with a value `FORMAT` (`ledger.notation.Format`)."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Final

from ledger.errors import UnknownFormatError
from ledger.notation import Format
from ledger.readers.copies import restore_copy

_XML: Final = (b"<",)
_RULE: Final = (b"*****",)
_FORMATS: Final[dict[str, tuple[bytes, ...]]] = {
    "pokerstars": (),
    "phh": (),
    "handscript": (b"handscript",),
    "ohh": (b"{",),
    "ggpoker": (),
    "acpc": (b"STATE:", b"# name/game/"),
    "pokergfx": (b"{", b"GAME,PokerGFX"),
    "partypoker": _RULE,
    "bovada": (),
    "winamax": (b"Winamax",),
    "888poker": _RULE,
    "fulltilt": (),
    "pokernow": (),
    "wpn": (),
    "ongame": _RULE,
    "absolute": (),
    "everleaf": (),
    "pkr": (),
    "ipoker": _XML,
    "pokertracker": (),
    "merge": _XML,
    "microgaming": _XML,
    "boss": _XML,
    "everest": _XML,
    "globalpoker": (b"{",),
    "entraction": (),
    "cake": (),
    "mavens": (),
    "betonline": (),
    "kingsclub": (),
    "unibet": (),
    "enet": (),
    "biggame": (b"LoadHand",),
    "igt": (b'"history"',),
    "coinpoker": (b'"game.',),
    "betclic": (b"*** HEADER ***",),
    "coinpoker-text": (b"CoinPoker Hand #",),
}
"""A format's name → words of which every source contains at least one; () = no such words are known.

A format is imported on first use, because importing a reader takes longer than reading a hand. Without any of its words
in the source, it isn't imported. The words alone prove nothing: `sniff` decides.
"""

NAMES: Final = tuple(_FORMATS)

_PACKAGES: Final = {"888poker": "pacific", "coinpoker-text": "cointext"}
"""Formats whose name can't be a package's."""


@cache
def get(name: str) -> Format:
    """Return the format of that name. Raise `UnknownFormatError` if there is none."""
    if name not in NAMES:
        nearest = get_close_matches(name.lower(), NAMES, 1)
        raise UnknownFormatError(name, f"Did you mean {nearest[0]}?") if nearest else UnknownFormatError(name)
    loaded_format: Format = import_module(find_module_name(name)).FORMAT
    return loaded_format


def find_module_name(name: str) -> str:
    """Return the module of the format of that name: `ledger.formats.pokerstars`."""
    return f"{__name__}.{_PACKAGES.get(name, name)}"


def recognise(head: bytes) -> Format | None:
    """Return the format with the highest score for a source's first bytes (as UTF-8), or None if no format knows them."""
    surest_format, score = _find_best_format(head)
    copy = restore_copy(head)
    if copy is not None:
        copied_format, copied_score = _find_best_format(copy.data)
        surest_format = copied_format if copied_score > score else surest_format
    return surest_format


def _find_best_format(head: bytes) -> tuple[Format | None, int]:
    best_format, best_score = None, 0
    for name, words in _FORMATS.items():
        if words and not any(word in head for word in words):
            continue
        candidate = get(name)
        new_score = candidate.sniff(head)
        if new_score > best_score:
            best_format, best_score = candidate, new_score
    return best_format, best_score
