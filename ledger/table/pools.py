"""Recognise tables whose players mean nothing to the next hand: pools, and tables without names."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from ledger.hand.opening import HouseOption

POOLS: Final = frozenset(
    ("other", name)
    for name in ("zoom", "rush and cash", "rush", "snap", "go fast", "escape", "hold-up", "blitz", "fastforward")
)
"""The options that mark a hand of a pool, by each room's name for it."""

ANONYMOUS: Final[tuple[HouseOption, str]] = ("other", "anonymous")
"""The option of a table whose record has chairs and no players."""


def has_pool_option(options: Collection[tuple[str, int | str]]) -> bool:
    """Return whether a hand with these options was dealt to players of a pool."""
    return not POOLS.isdisjoint(options)
