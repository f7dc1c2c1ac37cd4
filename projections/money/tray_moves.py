"""Read what came into a dealer's tray and left it: fills, credits, chips sold to players and bought back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from ledger.event import Event
from ledger.presence import ChipsAdded, ChipsKind, ChipsRemoved, SeatLeft, SeatTaken
from ledger.table.events import HandPlayed
from ledger.table.money_events import ChipsCredited, ChipsFilled
from ledger.vocabulary import Chips, Role
from projections.money.table_moves import TRANSFER_ORIGINS
from projections.sentences.tray_counts import ChipPath, TrayMove

_BOUGHT: Final[frozenset[ChipsKind]] = frozenset({"buy-in", "rebuy", "add-on", "top-up", "unknown"})
_SOLD_BACK: Final[frozenset[ChipsKind]] = frozenset({"cash-out", "unknown"})
_CAGE_ROLES: Final[frozenset[Role]] = frozenset({"house", "floor", "shift-manager", "manager", "host"})
"""Who sells chips at a table, but not from the dealer's tray."""


class TrayTerm(NamedTuple):
    """Chips that came into the tray, or (negative) left it.

    `path`: set if the record doesn't show whether they moved through the tray or the cage; None = through the tray.
    """

    move: TrayMove
    amount: Chips | None  # None = the record doesn't say
    path: ChipPath | None = None


def read_terms(event: Event) -> Iterator[TrayTerm]:
    """Yield the chips that a table's event, or a fact within a hand, moved into the tray or out of it."""
    if isinstance(event, HandPlayed):
        for fact in event.within:
            yield from read_terms(fact)
        return
    reader = HANDLERS.get(type(event))
    term = reader(event) if reader is not None else None
    if term is not None:
        yield term


def _read_fill(event: ChipsFilled) -> TrayTerm:
    return TrayTerm("fill", event.amount)


def _read_credit(event: ChipsCredited) -> TrayTerm:
    return TrayTerm("credit", -event.amount)


def _read_addition(event: ChipsAdded) -> TrayTerm | None:
    """Read chips that a player added. A dealer sells them from the tray, but the seller is often not on record."""
    if event.kind not in _BOUGHT or event.by in _CAGE_ROLES:
        return None
    return TrayTerm("sale", -event.amount, None if event.by == "dealer" else "purchases")


def _read_removal(event: ChipsRemoved) -> TrayTerm | None:
    if event.kind not in _SOLD_BACK or event.by in _CAGE_ROLES:
        return None
    return TrayTerm("buy-back", event.amount, None if event.by == "dealer" else "cash-outs")


def _read_seating(event: SeatTaken) -> TrayTerm | None:
    """Read the first stack of a player who sat down, unless the chips came along from another table."""
    if event.origin in TRANSFER_ORIGINS:
        return None
    return TrayTerm("sale", None if event.stack is None else -event.stack, "first-stacks")


def _read_leaving(event: SeatLeft) -> TrayTerm | None:
    if event.reason in ("moved", "busted"):
        return None
    return TrayTerm("buy-back", event.stack, "last-stacks")


HANDLERS: Final[dict[type[Event], Callable[[Any], TrayTerm | None]]] = {
    ChipsFilled: _read_fill,
    ChipsCredited: _read_credit,
    ChipsAdded: _read_addition,
    ChipsRemoved: _read_removal,
    SeatTaken: _read_seating,
    SeatLeft: _read_leaving,
}
