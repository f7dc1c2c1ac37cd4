"""Players whom the next hand need not know again: of a pool, who meet for one hand, and of a table that names nobody."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from ledger.hand.opening import HouseOption

POOLS: Final = frozenset(
    ("other", name)
    for name in ("zoom", "rush and cash", "rush", "snap", "go fast", "escape", "hold-up", "blitz", "fastforward")
)
"""The options that name one, as each room calls it."""

ANONYMOUS: Final[tuple[HouseOption, str]] = ("other", "anonymous")
"""The option of a table whose record names chairs, and no person in them."""


def has_pool_option(options: Collection[tuple[str, int | str]]) -> bool:
    """Tell whether a hand with these options was dealt to players of a pool."""
    return not POOLS.isdisjoint(options)
