"""`handledger import --watch`: import new hands as rooms write them, and print a line for each file."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Final

from cli.output import console, judgement_output
from ledger import safe
from ledger.intake.summary import FileSummary, ImportSummary

if TYPE_CHECKING:
    from ledger.intake.files import IncomingSource
    from ledger.intake.growing_source import GrowingSource
    from ledger.intake.import_options import ImportOptions
    from ledger.intake.live_feed import Feed, FeedUpdate
    from ledger.store import Ledger

PAUSE: Final = 1.0
"""Seconds between two looks at the files."""

SEAL_EVERY: Final = 30.0
"""Seconds between two seals of a growing ledger."""


class FolderFollower:
    """Imports new hands of files and folders until it's interrupted."""

    def __init__(self, ledger: Ledger, options: ImportOptions) -> None:
        """Take the ledger and the options of every import."""
        from ledger.intake.accounts import Editions

        self.ledger = ledger
        self.options = options
        self.total = ImportSummary([])
        self.ended_hands = 0  # hands that came in action by action
        self._has_new_hands = False  # whether some hands weren't judged yet
        self._editions = Editions(ledger)

    def take(self, sources: Iterator[IncomingSource]) -> list[FileSummary]:
        """Import sources, and print a line for each with new or rejected hands."""
        from ledger.intake.import_loop import import_sources

        summary = import_sources(self.ledger, sources, self.options, editions=self._editions)
        for file in summary.files:
            self._report_file(file)
        self._has_new_hands |= any(
            file.new or file.second or file.superseded or file.corrected for file in summary.files
        )
        return summary.files

    def _judge(self) -> None:
        """Judge the hands since the last time, and print changed findings."""
        if self._has_new_hands:
            judgement_output.write_changes(
                self.ledger, judgement_output.announce_new_findings(self.ledger, self.options.jobs), _format_clock()
            )
            self._has_new_hands = False

    def _report_file(self, file: FileSummary) -> None:
        self.total.files.append(file)
        if not (file.new or file.second or file.rejected or file.error):
            return
        count_texts = [
            f"{file_count:,} {outcome}"
            for file_count, outcome in (
                (file.new, "new"),
                (file.second, "told differently"),
                (file.rejected, "rejected"),
            )
            if file_count
        ]
        reject_reason = safe.terminal(file.rejects[0].reason, 100) if file.rejects else ""
        outcome = ", ".join(count_texts) or safe.terminal(file.error or "", 80)
        self._print_line(file.name, f"{outcome}: {reject_reason} (handledger rejects)" if reject_reason else outcome)

    def _print_line(self, name: str, message: str) -> None:
        console.write_text(f"{_format_clock()}  {safe.tail(safe.terminal(name, 400), 60)}  {message}")

    def _open_feed(self, source: GrowingSource) -> Feed:
        """Return the feed that records the running hand of a source action by action."""
        from ledger.intake.live_feed import Feed

        return Feed(self.ledger, source.name, source.origin, hide=self.options.hide_cards)

    def _report_outcome(self, name: str, outcome: FeedUpdate) -> None:
        """Print the messages about a running hand; judge it when it has ended."""
        for message in outcome.messages:
            self._print_line(name, safe.terminal(message, 200))
        self.ended_hands += outcome.hands_ended
        if outcome.hands_ended:
            self._has_new_hands = True
            self._judge()

    def run_until_interrupted(self, paths: Sequence[str], seal: Callable[[], None]) -> int:
        """Look at the files once a second; return the exit code: 3 if anything was rejected or failed."""
        from ledger.intake.folder_watch import Watch
        from ledger.intake.growing_source import GrowingPipe

        pipes = [GrowingPipe(sys.stdin.buffer)] if "-" in paths else []
        files = [path for path in paths if path != "-"]
        feeds = None if self.options.format_name else self._open_feed
        watch = Watch(files, self.take, feeds, self._report_outcome, pipes)
        sealed_at, sealed_count = time.monotonic(), 0
        interrupt_guard = _DelayedInterrupt()
        try:
            while files or not pipes[0].end_event.is_set():
                with interrupt_guard:
                    watch.look(time.monotonic())
                self._judge()
                if self._growth > sealed_count and time.monotonic() - sealed_at >= SEAL_EVERY:
                    seal()
                    sealed_at, sealed_count = time.monotonic(), self._growth
                time.sleep(PAUSE)
        except KeyboardInterrupt:
            if interrupt_guard.insisted:
                raise
        watch.look(time.monotonic(), is_last_look=True)
        self._judge()
        if self._growth > sealed_count:
            seal()
        new_count = self.total.total.new + self.ended_hands
        console.write_text(f"{new_count:,} new hands. Stopped. Run the command again to go on.")
        return self.total.exit_code

    @property
    def _growth(self) -> int:
        """A count that rises when the ledger has more finished hands."""
        return len(self.total.files) + self.ended_hands


class _DelayedInterrupt:
    """Delays Ctrl-C and `kill` until the files being read are imported and reported. The second one stops at once."""

    def __init__(self) -> None:
        self._was_asked = self.insisted = False
        self._handled_signals: list[signal.Signals] = []

    def __enter__(self) -> None:
        self._handled_signals = [
            signal_number
            for signal_number in (signal.SIGINT, signal.SIGTERM)
            if signal.getsignal(signal_number) is signal.default_int_handler
        ]
        for signal_number in self._handled_signals:
            signal.signal(signal_number, self._on_signal)

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for signal_number in self._handled_signals:
            signal.signal(signal_number, signal.default_int_handler)
        if self._was_asked and error is None:
            raise KeyboardInterrupt

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if self._was_asked:
            self.insisted = True
            raise KeyboardInterrupt
        self._was_asked = True
        sys.stderr.write("Stopping after the current read. Press Ctrl-C again to stop at once.\n")


def _format_clock() -> str:
    return datetime.now(UTC).strftime("%H:%M:%SZ")
