"""No sample of ours holds a hand of somebody else's: what tests print and keep, we wrote."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = [pytest.mark.data, pytest.mark.slow]

LONG_NUMBER = re.compile(rb"(?<!\d)\d{7,20}(?!\d)")
"""Numbers of hands, tables and tournaments, and clocks: too long to be equal by chance."""

ANYBODYS = re.compile(rb"\d0+|0\d+|[1-9]?(123456789|1234567|12345678)\d*|(19|20)\d{6}|20\d{12}|1500000")
"""Round numbers, counting, dates and days with their time: anybody may write these."""


def numbers(text: bytes) -> set[bytes]:
    """Return the long numbers of a text, of one in UTF-16 too."""
    changed_text = text.replace(b"\0", b"")
    return {match for match in LONG_NUMBER.findall(changed_text) if not ANYBODYS.fullmatch(match)}


def tracked_files() -> list[Path]:
    """Return what the repository keeps that might be a hand: samples, pages, sources."""
    output = subprocess.run(
        ["git", "ls-files", "ledger", "docs", "cli", "tests/formats"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    # Goldens follow from their samples; what is known of single hands of the data has to name them.
    return [
        ROOT / name
        for name in output.splitlines()
        if Path(name).stem not in {"known", "test_known", "test_foreign"} and not name.endswith(".golden")
    ]


def test_no_number_of_a_hand_of_the_data_stands_in_a_sample_or_a_page(data_dir: Path) -> None:
    real = {
        number
        for path in data_dir.rglob("*")
        if path.is_file() and path.stat().st_size < 4_000_000
        for number in numbers(path.read_bytes())
    }
    assert len(real) > 10_000
    lines = {
        f"{path.relative_to(ROOT)}: {number.decode()}"
        for path in tracked_files()
        if path.is_file()
        for number in numbers(path.read_bytes()) & real
    }
    assert sorted(lines) == []
