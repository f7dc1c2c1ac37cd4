"""Hand-history notations: one module or package each, all of one shape (`ledger.notation.Format`)."""

from __future__ import annotations

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
)
"""The formats, each `ledger.formats.<name>` with a value FORMAT; imported when first asked for."""

_PACKAGES: Final = {"888poker": "pacific"}
"""Formats whose name no package can have."""


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
        found = get(name)
        score = found.sniff(head)
        if score > sure:
            best, sure = found, score
    return best
