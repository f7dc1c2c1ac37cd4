"""The one public name of handledger: what other programs need, each loaded when it is first asked for.

>>> import handledger
>>> with handledger.open("sqlite://") as ledger:
...     ledger.verify()
[]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

import ledger
from ledger import __version__ as __version__

if TYPE_CHECKING:
    from ledger.errors import HandledgerError as HandledgerError
    from ledger.formats.handscript import read_case as read_case
    from ledger.formats.handscript import read_with_comments as read_with_comments
    from ledger.formats.handscript import tell as tell
    from ledger.formats.handscript import write_told as write_told
    from ledger.formats.handscript.context import Settings as Settings
    from ledger.recording.recorder import Recorder as Recorder
    from ledger.store import open as open  # noqa: A004 - `handledger.open` opens a ledger
    from ledger.store.eventsourced import environment_for as environment_for
    from ledger.store.recorder import LedgerTrackingRecorder as LedgerTrackingRecorder
    from projections.live.live_session import Keeping as Keeping
    from projections.tables.live_runner import running as running
    from projections.tables.table_set import results_of as results_of
    from web.client import Client as Client

_MODULES: Final = {
    "HandledgerError": "ledger.errors",
    "read_case": "ledger.formats.handscript",
    "read_with_comments": "ledger.formats.handscript",
    "tell": "ledger.formats.handscript",
    "write_told": "ledger.formats.handscript",
    "Settings": "ledger.formats.handscript.context",
    "Recorder": "ledger.recording.recorder",
    "open": "ledger.store",
    "environment_for": "ledger.store.eventsourced",
    "LedgerTrackingRecorder": "ledger.store.recorder",
    "Keeping": "projections.live.live_session",
    "running": "projections.tables.live_runner",
    "results_of": "projections.tables.table_set",
    "Client": "web.client",
}
"""Public name → its module in a checkout."""

_PREFIX: Final = ledger.__name__.removesuffix("ledger")
"""What stands before our packages: nothing in a checkout, `handledger.` where a wheel is installed."""


def __getattr__(name: str) -> object:
    """Load what is asked for: a program that only opens a ledger loads no server."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{_PREFIX}{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted([*_MODULES, "__version__"])
