"""Where nothing more can be written, the place is said and nothing is left lying about."""

from __future__ import annotations

import errno
import io
import subprocess
import sys
from pathlib import Path

import pytest

from cli.output import console
from tests.cli.conftest import Run

FULL = Path("/dev/full")
FREE = "  Free some space, or write to another place; then do it again.\n"


class Full(io.BytesIO):
    """A file on a disk without room: what is written is refused, and again when it is closed."""

    def write(self, _data: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    def close(self) -> None:
        super().close()
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("command", [["export", "--table", "1", "--to", "csv"], ["log", "--format", "jsonl"]])
def test_a_full_disk_is_said_with_the_place_and_keeps_no_draft(
    run: Run, book: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    class Drafted(console.PendingOutput):
        def __init__(self, file: Path | None = None) -> None:
            super().__init__(file)
            self._out.close()
            self._out = Full()

    monkeypatch.setattr(console, "PendingOutput", Drafted)
    place = tmp_path / "x.csv"
    result = run(*command, "-o", str(place), "--ledger", book)
    assert (result.code, result.err) == (2, f"handledger: {place}: no space left on device\n{FREE}")
    assert not [*tmp_path.iterdir()]


@pytest.mark.skipif(not FULL.exists(), reason="no device here is always full")
@pytest.mark.parametrize(
    "words",
    [
        ["log"],
        ["log", "--table", "9", "--format", "json"],
        pytest.param(["show", "1"], marks=pytest.mark.slow),
        pytest.param(["show", "1", "--format", "json"], marks=pytest.mark.slow),
        pytest.param(["export", "--to", "csv"], marks=pytest.mark.slow),
    ],
)
def test_output_that_takes_nothing_is_a_plain_error(book: str, words: list[str]) -> None:
    with FULL.open("wb") as full:
        result = subprocess.run(
            [sys.executable, "-m", "cli.main", *words, "--ledger", book],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert result.returncode == 2
    message = "no table is called" if "9" in words else f"standard output: no space left on device\n{FREE}"
    assert result.stderr.startswith(f"handledger: {message}")
    assert "Traceback" not in result.stderr
    assert "Exception ignored" not in result.stderr


@pytest.mark.parametrize("closed", ["<&- >&-", *(pytest.param(one, marks=pytest.mark.slow) for one in ("<&-", ">&-"))])
def test_streams_that_were_closed_before_are_no_fault(book: str, closed: str) -> None:
    line = f'"$0" -m cli.main log --ledger "$1" {closed}'
    result = subprocess.run(["sh", "-c", line, sys.executable, book], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
