"""`handledger serve` with a probe in its process: processor time by request, and how long the interpreter is held.

Neither figure depends on what else the machine does. `HANDLEDGER_PROBE` names the file that gets the figures, as JSON.
"""

from __future__ import annotations

import functools
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from cli.main import run
from web.server.answers import Server
from web.server.table_keeper import TableKeeper

PROBE_FILE: Final = "HANDLEDGER_PROBE"
_SLEEP_SECONDS: Final = 0.001
_WRITE_SECONDS: Final = 1.0
_STEPS_PER_MILLISECOND: Final = 10
"""Times are counted in steps, so that the probe takes no more memory after hours."""


class ProbeFigures(NamedTuple):
    """How often something took so many tenths of a millisecond of processor time, by its name."""

    requests: dict[str, dict[int, int]]
    holds: dict[int, int]  # of the interpreter, while another thread waited for it


class Probe:
    """Counts what the server's threads take."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._requests: dict[str, Counter[int]] = {}
        self._holds: Counter[int] = Counter()

    def start(self) -> None:
        """Measure from now on, until the process ends."""
        threading.Thread(target=self._measure_holds, daemon=True).start()

    def measure(self, name_of: Callable[..., str], work: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a function that answers requests, each in one thread."""

        @functools.wraps(work)
        def measured(*arguments: Any) -> Any:
            before = time.thread_time()
            try:
                return work(*arguments)
            finally:
                steps = int((time.thread_time() - before) * 1000 * _STEPS_PER_MILLISECOND)
                with self._lock:
                    self._requests.setdefault(name_of(*arguments), Counter())[steps] += 1

        return measured

    def _measure_holds(self) -> None:
        """Wake up again and again: what the process computed meanwhile held the interpreter, or ran beside it."""
        written_at = time.monotonic()
        while True:
            before = time.process_time()
            time.sleep(_SLEEP_SECONDS)
            self._holds[int((time.process_time() - before) * 1000 * _STEPS_PER_MILLISECOND)] += 1
            if time.monotonic() - written_at > _WRITE_SECONDS:
                self._write()
                written_at = time.monotonic()

    def _write(self) -> None:
        with self._lock:
            figures = ProbeFigures({name: dict(counts) for name, counts in self._requests.items()}, dict(self._holds))
        new_file = self._file.with_suffix(".new")
        new_file.write_text(json.dumps(figures._asdict()))
        new_file.replace(self._file)


def quantile_of_counts(counts: dict[int, int], share: float) -> float:
    """Return the smallest time in milliseconds that so large a share of the counted ones doesn't exceed."""
    wanted, seen = share * sum(counts.values()), 0
    for steps in sorted(counts):
        seen += counts[steps]
        if seen >= wanted:
            return (steps + 1) / _STEPS_PER_MILLISECOND
    return 0.0


def read_figures(file: Path) -> ProbeFigures | None:
    """Return what a probe wrote; None if it wrote nothing yet."""
    if not file.exists():
        return None
    document = json.loads(file.read_text())
    return ProbeFigures(
        {name: _numbered(counts) for name, counts in document["requests"].items()}, _numbered(document["holds"])
    )


def _numbered(counts: dict[str, int]) -> dict[int, int]:
    return {int(steps): count for steps, count in counts.items()}


def serve_with_probe() -> None:
    """Run the command line with the probe."""
    probe = Probe(Path(os.environ[PROBE_FILE]))
    for owner, method_name, name_of in (
        (Server, "_answer", lambda _, page_name, answer_format, *__: f"{page_name}.{answer_format}"),
        (TableKeeper, "_record_and_answer", lambda *_: "act"),
    ):
        setattr(owner, method_name, probe.measure(name_of, getattr(owner, method_name)))
    probe.start()
    run()
