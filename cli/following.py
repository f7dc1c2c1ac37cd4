"""`handledger import --watch`: reads what rooms append, and says so line by line."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from cli import judging, output
from ledger import safe
from ledger.intake.summary import FileSummary, ImportSummary

if TYPE_CHECKING:
    from ledger.intake.files import Incoming
    from ledger.store import Ledger

PAUSE: Final = 1.0
"""Seconds between two looks."""

SEAL_EVERY: Final = 30.0
"""Seconds after which a ledger that grew is sealed again."""


class Following:
    """Follows files and folders into a ledger."""

    def __init__(self, ledger: Ledger, forced: str | None, *, compress: bool, hide: bool, jobs: int) -> None:
        """Take the ledger and how everything is imported."""
        self.ledger = ledger
        self.forced = forced
        self.compress = compress
        self.hide = hide
        self.jobs = jobs
        self.total = ImportSummary([])

    def take(self, sources: Iterator[Incoming]) -> list[FileSummary]:
        """Import sources; say what came of each that brought anything."""
        from ledger.intake.importing import import_sources

        summary = import_sources(
            self.ledger, sources, format=self.forced, compress=self.compress, hide=self.hide, jobs=self.jobs
        )
        for file in summary.files:
            self._say(file)
        if any(file.new or file.second or file.superseded or file.corrected for file in summary.files):
            judging.live(judging.keep_current(self.ledger, self.jobs), _now())
        return summary.files

    def _say(self, file: FileSummary) -> None:
        self.total.files.append(file)
        if not (file.new or file.second or file.rejected or file.error):
            return
        said = [
            f"{count:,} {what}"
            for count, what in ((file.new, "new"), (file.second, "told differently"), (file.rejected, "rejected"))
            if count
        ]
        now = _now()
        what = ", ".join(said) or safe.terminal(file.error or "", 80)
        output.put(f"{now}  {safe.tail(safe.terminal(file.name, 400), 60)}  {what}")

    def until_interrupted(self, paths: Sequence[str], seal: Callable[[], None]) -> int:
        """Look again and again; return the exit code: 3 if anything was rejected or failed."""
        from ledger.intake.watching import Watch

        watch = Watch(paths, self.take)
        sealed, seen = time.monotonic(), 0
        try:
            while True:
                watch.look(time.monotonic())
                if len(self.total.files) > seen and time.monotonic() - sealed >= SEAL_EVERY:
                    seal()
                    sealed, seen = time.monotonic(), len(self.total.files)
                time.sleep(PAUSE)
        except KeyboardInterrupt:
            watch.look(time.monotonic(), last=True)
        if len(self.total.files) > seen:
            seal()
        new = self.total.total.new
        output.put(f"{new:,} new hands. Stopped; start again and it goes on.")
        return self.total.exit_code


def _now() -> str:
    return datetime.now(UTC).strftime("%H:%M:%SZ")
