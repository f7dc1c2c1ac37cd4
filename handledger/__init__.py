"""The public API of handledger. Each name is imported on first use; docs/library.md lists them with their promises.

Who posts what, without a file or a ledger:

>>> import handledger
>>> table = handledger.Table("limit 10/20", rulebook="hilton")
>>> for seat, name in enumerate(["Ana", "Bo", "Cy", "Di"], start=1):
...     table.sit(seat, name)
>>> hand = table.deal()
>>> table.away(2)
>>> table.due().sentence
'Button seat 1 (Ana). Dead small blind seat 2, big blind 10 seat 3 (Cy).'

Hands that were recorded, in a ledger:

>>> with handledger.open("sqlite://") as ledger:
...     summary = handledger.import_files(ledger, "cli/samples/riverside-limit-evening.hand")
...     len(handledger.audit(ledger, "hilton").findings)
7
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

import ledger
from ledger import __version__ as __version__

if TYPE_CHECKING:
    from handledger.answers import Due as Due
    from handledger.answers import DueReason as DueReason
    from handledger.answers import EntryChoice as EntryChoice
    from handledger.answers import Fault as Fault
    from handledger.answers import HandPost as HandPost
    from handledger.answers import PostDue as PostDue
    from handledger.answers import Reading as Reading
    from handledger.answers import RecordedHand as RecordedHand
    from handledger.answers import SeatDue as SeatDue
    from handledger.answers import SeatedPlayer as SeatedPlayer
    from handledger.ledger_calls import ExportedText as ExportedText
    from handledger.ledger_calls import audit as audit
    from handledger.ledger_calls import describe_due as describe_due
    from handledger.ledger_calls import due as due
    from handledger.ledger_calls import export as export
    from handledger.ledger_calls import import_files as import_files
    from handledger.ledger_calls import query as query
    from handledger.ledger_calls import show as show
    from handledger.rulebook_calls import ClauseText as ClauseText
    from handledger.rulebook_calls import clause as clause
    from handledger.rulebook_calls import load_rulebook as load_rulebook
    from handledger.rulebook_calls import rulebooks as rulebooks
    from handledger.table import Table as Table
    from ledger.errors import GameTextError as GameTextError
    from ledger.errors import HandledgerError as HandledgerError
    from ledger.errors import NoRulebookError as NoRulebookError
    from ledger.errors import PostsError as PostsError
    from ledger.errors import RulebookError as RulebookError
    from ledger.errors import TableError as TableError
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
    "ClauseText",
    "Client",
    "Due",
    "DueReason",
    "EntryChoice",
    "ExportedText",
    "Fault",
    "GameTextError",
    "HandPost",
    "HandledgerError",
    "ImportOptions",
    "LedgerTrackingRecorder",
    "NoRulebookError",
    "PostDue",
    "PostsError",
    "Reading",
    "RecordedHand",
    "Recorder",
    "RulebookError",
    "SeatDue",
    "SeatedPlayer",
    "Settings",
    "Table",
    "TableError",
    "TableSession",
    "__version__",
    "audit",
    "clause",
    "describe_due",
    "due",
    "environment_for",
    "export",
    "import_files",
    "import_paths",
    "load_rulebook",
    "open",
    "query",
    "read_hand",
    "read_items",
    "results_projection",
    "rulebooks",
    "run_projection",
    "show",
    "write_item",
    "write_lines",
]

_SOURCES: Final = {
    "Table": ("handledger.table", "Table"),
    "Due": ("handledger.answers", "Due"),
    "DueReason": ("handledger.answers", "DueReason"),
    "EntryChoice": ("handledger.answers", "EntryChoice"),
    "Fault": ("handledger.answers", "Fault"),
    "HandPost": ("handledger.answers", "HandPost"),
    "PostDue": ("handledger.answers", "PostDue"),
    "Reading": ("handledger.answers", "Reading"),
    "RecordedHand": ("handledger.answers", "RecordedHand"),
    "SeatDue": ("handledger.answers", "SeatDue"),
    "SeatedPlayer": ("handledger.answers", "SeatedPlayer"),
    "ExportedText": ("handledger.ledger_calls", "ExportedText"),
    "audit": ("handledger.ledger_calls", "audit"),
    "describe_due": ("handledger.ledger_calls", "describe_due"),
    "due": ("handledger.ledger_calls", "due"),
    "export": ("handledger.ledger_calls", "export"),
    "import_files": ("handledger.ledger_calls", "import_files"),
    "query": ("handledger.ledger_calls", "query"),
    "show": ("handledger.ledger_calls", "show"),
    "ClauseText": ("handledger.rulebook_calls", "ClauseText"),
    "clause": ("handledger.rulebook_calls", "clause"),
    "load_rulebook": ("handledger.rulebook_calls", "load_rulebook"),
    "rulebooks": ("handledger.rulebook_calls", "rulebooks"),
    "GameTextError": ("ledger.errors", "GameTextError"),
    "NoRulebookError": ("ledger.errors", "NoRulebookError"),
    "PostsError": ("ledger.errors", "PostsError"),
    "RulebookError": ("ledger.errors", "RulebookError"),
    "TableError": ("ledger.errors", "TableError"),
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
"""The prefix of our packages: "" in a checkout, `handledger.` in an installed wheel."""


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that a program that only opens a ledger loads no server."""
    if name not in _SOURCES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, inner_name = _SOURCES[name]
    prefix = "" if module.startswith(f"{__name__}.") else _PREFIX
    return getattr(import_module(f"{prefix}{module}"), inner_name)


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
