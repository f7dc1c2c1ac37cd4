"""Import sources: find, recognise, read, check and store them, and account for every byte."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.intake.import_options import ImportOptions
from ledger.intake.summary import FileSummary, ImportSummary, RejectSummary

if TYPE_CHECKING:
    from ledger.intake.import_loop import import_paths

__all__ = ["FileSummary", "ImportOptions", "ImportSummary", "RejectSummary", "import_paths"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - one function, imported when it is wanted
    """Import the importer and the store on first use."""
    if name == "import_paths":
        from ledger.intake.import_loop import import_paths  # noqa: PLC0415 - the reason for all this

        return import_paths
    raise AttributeError(name)
