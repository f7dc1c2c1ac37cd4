"""What happened at the tables, how it is kept, how it comes in and goes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ledger.store import open as open  # noqa: A004 - the one way in

__version__ = "0.3.0"


def __getattr__(name: str) -> object:
    """Load the store when a ledger is first opened, not before: most commands need less."""
    if name == "open":
        from ledger.store import open as open_ledger  # noqa: PLC0415 - see above

        return open_ledger
    raise AttributeError(name)
