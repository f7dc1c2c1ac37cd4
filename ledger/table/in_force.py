"""What a table was told before a hand that counts in it: options, permissions, agreements, notices."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from ledger.hand.opening import Agreed, PermissionGranted


class InForce(NamedTuple):
    """What was told at the table before a hand and counts in it."""

    options: Mapping[str, int | str] = MappingProxyType({})
    permissions: tuple[PermissionGranted, ...] = ()  # seats are those of the hand
    agreements: tuple[Agreed, ...] = ()
    notices: int = 0  # signs of the house; their words are not for the program to read


NOTHING_IN_FORCE: Final = InForce()
