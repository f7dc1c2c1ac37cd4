"""The options of an import, the same for a ledger, for a folder that is watched and for the shards of a lake."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

ProgressCallback: TypeAlias = Callable[[str], None]
"""Shows a line about the progress."""


def ignore_progress(_line: str) -> None:
    """Ignore a line about the progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """How sources are imported. `dry_run`, `compress`, `hide_cards` and `answers` are for ledgers only."""

    format_name: str | None = None
    """The format that every source is read as. None: each source's content decides."""

    jobs: int = 1
    """How many processes read large sources, and small ones if they are many. The result is the same to the byte."""

    dry_run: bool = False
    """Write nothing, and report what an import would do."""

    compress: bool | None = None
    """Store the events compressed (`Ledger.bulk`). None: as in this ledger so far; a new ledger compresses."""

    hide_cards: bool = False
    """Commit to cards that were not shown (`ledger.hidden_cards`). Of the sources, which show them, only digests are kept."""

    answers: Mapping[str, bytes] = field(default_factory=dict)
    """Files of notes with the answers to their questions, by the SHA-256 of the file without them, hex."""

    on_progress: ProgressCallback = ignore_progress


DEFAULT_OPTIONS: Final = ImportOptions()
