"""Pools of players, who meet for one hand: what is the name of a table there has no hands that follow each other."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

POOLS: Final = frozenset(
    ("other", name) for name in ("zoom", "rush and cash", "rush", "snap", "go fast", "blitz", "fastforward")
)
"""The options that name one, as each room calls it."""


def pooled(options: Collection[tuple[str, int | str]]) -> bool:
    """Tell whether a hand with these options was dealt to players of a pool."""
    return not POOLS.isdisjoint(options)
