"""Bringing sources into the ledger: found, recognised, read, validated, stored, accounted for."""

from ledger.intake.importing import import_paths
from ledger.intake.summary import FileSummary, ImportSummary, RejectSummary

__all__ = ["FileSummary", "ImportSummary", "RejectSummary", "import_paths"]
