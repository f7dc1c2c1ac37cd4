"""The public API of handledger. Each name is imported on first use.

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
    from handledger.table import Table as Table
    from ledger.errors import HandledgerError as HandledgerError
    from ledger.formats.handscript import read_case as read_hand
    from ledger.formats.handscript import read_with_comments as read_items
    from ledger.formats.handscript import write_lines as write_lines
    from ledger.formats.handscript import write_told as write_item
    from ledger.formats.handscript.context import Settings as Settings
    from ledger.intake.import_loop import import_paths as import_paths
    from ledger.intake.import_options import ImportOptions as ImportOptions
    from ledger.recording.recorder import Recorder as Recorder
    from ledger.store import open as open  # noqa: A004 - `handledger.open` opens a ledger
    from ledger.store.eventsourced import environment_for as environment_for
    from ledger.store.eventsourced.recorders import LedgerTrackingRecorder as LedgerTrackingRecorder
    from projections.live.live_session import TableSession as TableSession
    from projections.tables.live_runner import run_projection as run_projection
    from projections.tables.table_set import build_results_projection as results_projection
    from web.api.client import Client as Client

__all__ = [
    "Client",
    "HandledgerError",
    "ImportOptions",
    "LedgerTrackingRecorder",
    "Recorder",
    "Settings",
    "Table",
    "TableSession",
    "__version__",
    "environment_for",
    "import_paths",
    "open",
    "read_hand",
    "read_items",
    "results_projection",
    "run_projection",
    "write_item",
    "write_lines",
]

_SOURCES: Final = {
    "Table": ("handledger.table", "Table"),
    "HandledgerError": ("ledger.errors", "HandledgerError"),
    "read_hand": ("ledger.formats.handscript", "read_case"),
    "read_items": ("ledger.formats.handscript", "read_with_comments"),
    "write_lines": ("ledger.formats.handscript", "write_lines"),
    "write_item": ("ledger.formats.handscript", "write_told"),
    "ImportOptions": ("ledger.intake.import_options", "ImportOptions"),
    "import_paths": ("ledger.intake.import_loop", "import_paths"),
    "Settings": ("ledger.formats.handscript.context", "Settings"),
    "Recorder": ("ledger.recording.recorder", "Recorder"),
    "open": ("ledger.store", "open"),
    "environment_for": ("ledger.store.eventsourced", "environment_for"),
    "LedgerTrackingRecorder": ("ledger.store.eventsourced.recorders", "LedgerTrackingRecorder"),
    "TableSession": ("projections.live.live_session", "TableSession"),
    "run_projection": ("projections.tables.live_runner", "run_projection"),
    "results_projection": ("projections.tables.table_set", "build_results_projection"),
    "Client": ("web.api.client", "Client"),
}
"""Public name → its module in a checkout, and its name there."""

_PREFIX: Final = ledger.__name__.removesuffix("ledger")
"""What stands before our packages: nothing in a checkout, `handledger.` where a wheel is installed."""


def __getattr__(name: str) -> object:
    """Load what is asked for: a program that only opens a ledger loads no server."""
    if name not in _SOURCES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, inner_name = _SOURCES[name]
    prefix = "" if module.startswith(f"{__name__}.") else _PREFIX
    return getattr(import_module(f"{prefix}{module}"), inner_name)


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
