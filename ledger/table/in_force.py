"""The options, permissions, agreements and notices that are in force in a hand."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from ledger.hand.opening import Agreed, PermissionGranted


class InForce(NamedTuple):
    """What was stated at the table before a hand and is in force in it."""

    options: Mapping[str, int | str] = MappingProxyType({})
    permissions: tuple[PermissionGranted, ...] = ()  # seats are those of the hand
    agreements: tuple[Agreed, ...] = ()
    notices: int = 0  # number of the house's signs; the program can't interpret their text


NOTHING_IN_FORCE: Final = InForce()
