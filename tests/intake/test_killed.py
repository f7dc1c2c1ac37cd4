"""An import that is killed leaves a ledger that opens, verifies and goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from ledger.errors import StoreError
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from tests.children import child
from tests.intake.hands import big

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that takes some chunks, and some seconds."""
    path = tmp_path_factory.mktemp("big") / "big.phhs"
    path.write_bytes(big(6))
    return path


@pytest.fixture(scope="module")
def hand_count(source: Path, tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many hands an import of the file stores that nobody kills."""
    with open_ledger(tmp_path_factory.mktemp("clean") / "clean.ledger") as ledger:
        import_paths(ledger, [source])
        return len({row.number for row in ledger.hands()})


LISTENING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from cli.main import run; run()"
"""The program, heeding Ctrl-C even where a shell started the tests in the background, which ignores it."""


def started(source: Path, ledger: Path) -> AbstractContextManager[subprocess.Popen[bytes]]:
    command = [sys.executable, "-c", LISTENING, "import", str(source), "--ledger", str(ledger)]
    return child(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def wait_for_hands(ledger: Path, running: subprocess.Popen[bytes]) -> None:
    """Wait until another process has stored a hand; only the time limit of the test ends it."""
    while True:
        time.sleep(0.05)
        assert running.poll() is None, "it was faster than the test; make the file bigger"
        try:
            with open_ledger(ledger, create=False, read_only=True) as opened:
                if next(opened.hands(), None) is not None:
                    return
        except StoreError:
            continue  # the other program is still making it


@pytest.mark.parametrize(("kill_signal", "code"), [(signal.SIGKILL, -9), (signal.SIGINT, 130), (signal.SIGTERM, 130)])
def test_a_killed_import_goes_on(
    source: Path, hand_count: int, tmp_path: Path, kill_signal: signal.Signals, code: int
) -> None:
    ledger = tmp_path / "hands.ledger"
    with started(source, ledger) as running:
        wait_for_hands(ledger, running)
        running.send_signal(kill_signal)
        out, err = running.communicate()
    assert running.returncode == code, (out, err)
    assert b"Traceback" not in err
    with open_ledger(ledger) as opened:
        stored_count = sum(1 for _ in opened.hands())
        assert stored_count > 0
        assert opened.verify() == []
        [file] = import_paths(opened, [source]).files
        assert file.new + file.same == source.read_bytes().count(b"variant")
        assert file.read + file.blank == file.length
        assert opened.verify() == []
        assert sum(1 for _ in opened.hands()) == hand_count


@pytest.mark.parametrize("kill_signal", [signal.SIGINT, signal.SIGTERM])
def test_a_dry_run_that_is_stopped_leaves_no_hands_behind(
    source: Path, tmp_path: Path, kill_signal: signal.Signals
) -> None:
    aside = tmp_path / "aside"
    aside.mkdir()
    command = [sys.executable, "-c", LISTENING, "import", str(source), "--dry-run", "--ledger", str(tmp_path / "l")]
    with child(command, env=os.environ | {"TMPDIR": str(aside)}, stderr=subprocess.PIPE) as running:
        while not [*aside.rglob("ledger")]:
            assert running.poll() is None
            time.sleep(0.05)
        running.send_signal(kill_signal)
        _, err = running.communicate()
    assert (running.returncode, [*aside.iterdir()]) == (130, []), err
    assert b"Traceback" not in err


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="nobody says here who started whom")
def test_the_processes_of_a_killed_import_end_with_it(source: Path, tmp_path: Path) -> None:
    """They share the pipe of their work: none of them hears that nobody writes to it any more."""
    ledger = tmp_path / "hands.ledger"
    command = [sys.executable, "-c", LISTENING, "import", str(source), "--jobs", "2", "--ledger", str(ledger)]
    with child(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        wait_for_hands(ledger, running)
        child_processes = children(running.pid)
        assert len(child_processes) >= 2
        running.send_signal(signal.SIGKILL)
        running.wait()
        while any(map(alive, child_processes)):  # only the time limit of the test ends it
            time.sleep(0.1)


def children(process: int) -> list[int]:
    """The processes that a process has started."""
    texts = [path.read_text() for path in Path(f"/proc/{process}/task").glob("*/children")]
    return [int(part) for line in texts for part in line.split()]


def alive(process: int) -> bool:
    """Whether a process runs; one that waits to be buried does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
