"""The ledger: events at the tables, their storage, import and export."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ledger.store import open as open  # noqa: A004 - the one way in

__version__ = "0.3.0"


def __getattr__(name: str) -> object:
    """Import the store when a ledger is first opened: most commands don't need it."""
    if name == "open":
        from ledger.store import open as open_ledger  # noqa: PLC0415 - see above

        return open_ledger
    raise AttributeError(name)
