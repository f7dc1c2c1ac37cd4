"""Commands that go on: whoever reads them through a pipe gets each line when it is written."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from cli.main import run_program
from ledger.intake import account_writer, folder_watch, import_paths
from ledger.store import open as open_ledger
from tests.children import child, children_hear_signals
from tests.cli.conftest import Run
from tests.intake.hands import hands
from tests.projections.tables.test_announcing import adopt
from tests.projections.tables.test_announcing import night as wrong_night


def first_line(*args: str) -> str:
    """Return the first line that a command which does not end by itself writes into a pipe."""
    with child([sys.executable, "-m", "cli.main", *args], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        line = str(running.stdout.readline())
        assert running.poll() is None, "it ended"
        return line


@pytest.fixture
def night(tmp_path: Path) -> Path:
    path = tmp_path / "night.phhs"
    path.write_text(hands(1, 2))
    return path


@pytest.mark.slow
def test_watching_says_what_it_read_while_it_goes_on(night: Path) -> None:
    line = first_line("import", "--watch", str(night), "--ledger", str(night.parent / "l"))
    assert line.rstrip().endswith("1 new")  # the last hand may still grow


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_watch_that_is_interrupted_within_an_archive_counts_what_it_read(
    jobs: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ZipFile(tmp_path / "nights.zip", "w") as archive:
        for index in range(3):
            archive.writestr(f"{index}.phhs", hands(2 * index + 1, 2 * index + 2))
    stored, sent = account_writer.AccountWriter.store, []

    def interrupted(self: account_writer.AccountWriter, *told: object) -> None:
        stored(self, *told)  # type: ignore[arg-type] # handed on
        if not sent:
            sent.append(signal.raise_signal(signal.SIGINT))

    monkeypatch.setattr(account_writer.AccountWriter, "store", interrupted)
    monkeypatch.setattr(folder_watch, "QUIET_SECONDS", 0)
    handler_before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        result = run("import", "--watch", str(tmp_path / "nights.zip"), "--ledger", str(tmp_path / "l"), "--jobs", jobs)
    finally:
        signal.signal(signal.SIGINT, handler_before)
    with open_ledger(tmp_path / "l") as ledger:
        assert len(list(ledger.hands())) == 6
    assert result.out.splitlines()[-1].startswith("6 new hands.")
    assert result.err == "Stopping after the current read. Press Ctrl-C again to stop at once.\n"
    assert result.code == 0


def test_sealing_again_and_again_says_so_while_it_goes_on(night: Path) -> None:
    url, key = str(night.parent / "l"), str(night.parent / "k")
    assert run_program(["import", str(night), "--ledger", url]) == 0
    assert run_program(["seal", "--new-key", "--key", key, "--name", "room.example", "--ledger", url]) == 0
    line = first_line("seal", "--key", key, "--every", "60", "--ledger", url)
    assert "commits" in line


def test_a_program_ends_with_the_test_that_started_it() -> None:
    class OutOfTimeError(Exception):
        """As a test's time limit raises it, wherever the test stands."""

    with pytest.raises(OutOfTimeError), child([sys.executable, "-c", "import time; time.sleep(300)"]) as running:
        raise OutOfTimeError
    assert running.returncode is not None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_program_hears_a_signal_that_its_test_ignores(number: signal.Signals) -> None:
    ask = [sys.executable, "-c", f"import signal; print(signal.getsignal({int(number)}) == signal.SIG_IGN)"]
    handler_before = signal.signal(number, signal.SIG_IGN)
    try:
        assert subprocess.check_output(ask) == b"True\n"
        with children_hear_signals():
            signal.raise_signal(number)  # the tests go on
            assert subprocess.check_output(ask) == b"False\n"
        assert signal.getsignal(number) is signal.SIG_IGN
    finally:
        signal.signal(number, handler_before)


@pytest.mark.slow
def test_the_house_is_told_what_is_found_while_hands_come_in_elsewhere(tmp_path: Path) -> None:
    first, second = wrong_night(tmp_path, [4])
    url = str(tmp_path / "l")
    with open_ledger(url) as ledger:
        adopt(ledger, "hilton")
        import_paths(ledger, [first])
    watch = [sys.executable, "-m", "cli.main", "findings", "--watch", "--ledger", url]
    with child(watch, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        with open_ledger(url) as ledger:
            import_paths(ledger, [second])
        line = str(running.stdout.readline())
        assert "found: hilton B11b.1 (error, certain)" in line
        assert line.rstrip().endswith("1/6@13")  # the address of the event
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 0
