"""How hands of all rooms begin: where one room's hand ends because another room's begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

ROOMS: Final = (
    ("Poker Hand #", "GGPoker"),
    ("Winamax Poker - ", "Winamax"),
    ("FullTiltPoker Game #", "Full Tilt"),
    ("Full Tilt Poker Game #", "Full Tilt"),
    ("#Game No", "888poker or partypoker"),
    ("***** Cassava Hand History", "888poker"),
    ("***** Hand History for Game", "partypoker"),
    ("***** Hand History For Game", "partypoker"),
    ("***** History for hand ", "OnGame"),
    ("Stage #", "Absolute Poker"),
    ("Everleaf Gaming", "Everleaf"),
    ("Partouche Poker", "Partouche"),
    ("Ignition Hand #", "Ignition"),
    ("Bovada Hand #", "Bovada"),
    ("Bodog Hand #", "Bodog"),
    ("Game Hand #", "Winning Poker Network"),
    ("Game started at:", "Winning Poker Network"),
    ("EverestPoker Game #", "Everest, exported by PokerTracker"),
    ("MERGE_GAME #", "Merge, exported by PokerTracker"),
    ("Merge Game #", "Merge, exported by PokerTracker"),
    ("GAME #", "iPoker, exported by PokerTracker"),
    ("** Game ID ", "Microgaming, exported by PokerTracker"),
    ("** Hand # ", "Microgaming, exported by PokerTracker"),
    ("Game # ", "Entraction"),
    ("PokerStars Hand #", "PokerStars"),
    ("PokerStars Game #", "PokerStars"),
    ("PokerStars Zoom Hand #", "PokerStars"),
    ("PokerStars Home Game Hand #", "PokerStars"),
)
"""The beginning of a hand's first line → who writes so."""


def others(*own: str) -> tuple[str, ...]:
    """Return the beginnings of all rooms but those that begin with one of `own`."""
    return tuple(head for head, _ in ROOMS if not head.startswith(own))


def sniffer(begins: Callable[[str], bool], foreign: tuple[str, ...]) -> Callable[[bytes], int]:
    """Return a `Format.sniff`: 95 if a hand of this room comes before one of another, else 0."""

    def sniff(head: bytes) -> int:
        for line in head.decode("utf-8", "replace").replace("\r", "\n").split("\n"):
            if begins(line):
                return 95
            if line.startswith(foreign):
                return 0
        return 0

    return sniff


def room(line: str) -> str:
    """Return whose hand this line begins, "" for nobody's."""
    return next((name for head, name in ROOMS if line.startswith(head)), "")
