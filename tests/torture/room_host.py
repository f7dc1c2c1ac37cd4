"""The server of a simulated room: `handledger serve --write` as a process, stopped and killed, its memory and time measured."""

from __future__ import annotations

import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple, Self
from urllib.parse import parse_qs, urlsplit

from tests.conftest import ROOT
from tests.torture.room_devices import Door
from tests.torture.server_probe import PROBE_FILE, ProbeFigures, read_figures

_START_SECONDS: Final = 60.0
_STOP_SECONDS: Final = 30.0
_SAMPLE_SECONDS: Final = 0.5
_PROGRAM: Final = "from tests.torture.server_probe import serve_with_probe; serve_with_probe()"


class MemorySample(NamedTuple):
    """The resident memory of the server's processes, and their processor time, after so many acts of the evening."""

    life: int
    acts: int
    server_kilobytes: int
    worker_kilobytes: int
    cpu_seconds: float  # of the server without its workers, since it started


class ServerLife(NamedTuple):
    """One life of the server, from its start to its end: memory in MB."""

    acts: int
    start: float  # after the warm-up
    end: float
    growth_per_thousand: float  # acts, by Theil and Sen
    peak: float
    worker_peak: float
    cpu_per_act: float  # milliseconds, for all requests


class RoomHost:
    """A server on one port. It prints another key at each start."""

    def __init__(self, url: str, count_acts: Callable[[], int]) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._url, self._count_acts = url, count_acts
        self._door = Door(self.port, "")
        self._folder = tempfile.TemporaryDirectory()
        self._probe_file = Path(self._folder.name, "probe.json")
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._ending = threading.Event()
        self.starts = 0
        self.samples: list[MemorySample] = []
        self.stop_seconds: list[float] = []  # after SIGTERM
        self.problems: list[str] = []
        self.probe_figures: ProbeFigures | None = None  # of the last life, after its end
        self._sampler = threading.Thread(target=self._sample, daemon=True)

    def __enter__(self) -> Self:
        self.start()
        self._sampler.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._sampler.join()
        if self._process is not None:
            self._process.kill()
            _close(self._process)
        self.probe_figures = read_figures(self._probe_file)
        self._folder.cleanup()

    @property
    def door(self) -> Door:
        return self._door

    @property
    def processes(self) -> list[int]:
        """The server's process and those that it started."""
        process = self._process
        return [] if process is None or process.poll() is not None else [process.pid, *_children(process.pid)]

    def start(self) -> None:
        """Start the server; return when it has printed its addresses."""
        command = [sys.executable, "-c", _PROGRAM, "serve", "--write", "--format", "json"]
        process = subprocess.Popen(
            [*command, "--port", str(self.port), "--ledger", self._url],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1", PROBE_FILE: str(self._probe_file)},
        )
        assert process.stdout is not None
        document, depth = "", 1
        while depth:
            line = process.stdout.readline()
            if not line:
                raise AssertionError(f"the server did not start: it ended with {process.wait()}")
            document += line
            depth = document.count("{") - document.count("}")
        addresses = {address["role"]: address["url"] for address in json.loads(document)["addresses"]}
        with self._lock:
            self._process = process
            self.starts += 1
            key = parse_qs(urlsplit(addresses["floor"]).query)["key"][0]
            self._door = Door(self.port, key, time.perf_counter())

    def revive(self) -> None:
        """Start the server again if it ended by itself, and count that as a problem."""
        process = self._process
        if process is None or process.poll() is None:
            return
        self.problems.append(f"the server ended by itself with {process.returncode}")
        _close(process)
        self.start()

    def restart(self, how: signal.Signals) -> None:
        """End the server as somebody does who pulls the plug (SIGKILL) or stops it (SIGTERM), and start it again."""
        self.revive()
        process = self._process
        assert process is not None
        began = time.monotonic()
        process.send_signal(how)
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.problems.append(f"the server still runs {_STOP_SECONDS:g} s after {how.name}")
            process.kill()
            process.wait()
        _close(process)
        if how == signal.SIGTERM:
            self.stop_seconds.append(time.monotonic() - began)
        self.start()

    def _sample(self) -> None:
        while not self._ending.wait(_SAMPLE_SECONDS):
            with self._lock:
                life = self.starts
            try:
                server, *workers = [(_resident(pid), _processor_seconds(pid)) for pid in self.processes]
            except (ValueError, OSError, IndexError):
                continue  # it ended meanwhile
            sample = MemorySample(
                life, self._count_acts(), server[0], sum(resident for resident, _ in workers), server[1]
            )
            self.samples.append(sample)

    def lives(self, warm_up_share: float = 0.5) -> list[ServerLife]:
        """Return what the server's memory did in each of its lives after the first part of it."""
        lives = []
        for life in sorted({sample.life for sample in self.samples}):
            samples = [sample for sample in self.samples if sample.life == life]
            acts = samples[-1].acts - samples[0].acts
            warm = samples[int(len(samples) * warm_up_share) :]
            if acts < 1 or len(warm) < 4:
                continue
            lives.append(
                ServerLife(
                    acts,
                    warm[0].server_kilobytes / 1024,
                    warm[-1].server_kilobytes / 1024,
                    _slope(warm),
                    max(sample.server_kilobytes for sample in samples) / 1024,
                    max(sample.worker_kilobytes for sample in samples) / 1024,
                    1000 * (samples[-1].cpu_seconds - samples[0].cpu_seconds) / acts,
                )
            )
        return lives


def _close(process: subprocess.Popen[str]) -> None:
    """Wait for a process that ended, and close its output."""
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _slope(samples: list[MemorySample]) -> float:
    """Return the median growth between any two samples, in MB per thousand acts."""
    thinned = samples[:: max(1, len(samples) // 200)]
    slopes = [
        (later.server_kilobytes - sample.server_kilobytes) / 1024 / (later.acts - sample.acts) * 1000
        for index, sample in enumerate(thinned)
        for later in thinned[index + 1 :]
        if later.acts > sample.acts
    ]
    return statistics.median(slopes) if slopes else 0.0


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _resident(pid: int) -> int:
    """Return the resident memory of a process, in KB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def _processor_seconds(pid: int) -> float:
    """Return the processor time of a process so far, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
