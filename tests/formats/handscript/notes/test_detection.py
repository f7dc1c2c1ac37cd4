"""A night of notes is known without a first line of ours; no other text is taken for one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import formats
from ledger.formats.handscript import looks_like_notes
from tests.conftest import ROOT
from tests.laws import size

NIGHTS = sorted((ROOT / "tests/formats/handscript/notes/nights").glob("*.hand"))
SAMPLES = [
    path
    for path in sorted((ROOT / "tests/formats").glob("*/samples/**/*"))
    if path.is_file() and "handscript" not in path.parts and path.stat().st_size < 200_000
]
PROSE = [
    line
    for path in [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CHANGELOG.md"]
    for line in path.read_text().splitlines()
    if line.strip()
]

WITNESSED = b"""\
handscript 1
venue "Riverside" table T5 seats 9
witness live-table
game holdem no-limit cash blinds 2/5 unit USD 2
hand 12 2026-11-22T02:55:00-05:00
seat 1 Maria 500
seat 3 Joe 400
button 1
1 posts small 2
3 posts big 5
deal done
1 folds
3 uncalled 3
3 wins 4
end
"""


@pytest.mark.parametrize("night", NIGHTS, ids=lambda night: night.stem)
def test_a_night_is_known_without_its_first_line(night: Path) -> None:
    lines = night.read_bytes().split(b"\n")
    assert lines[0] == b"handscript 1"
    data = b"\n".join(lines[1:])
    assert formats.recognise(data) is None
    assert looks_like_notes(data)


def test_a_record_with_a_list_of_witnesses_is_known_without_its_first_line() -> None:
    record = WITNESSED.removeprefix(b"handscript 1\n")
    assert looks_like_notes(record)
    assert not looks_like_notes(record.replace(b"Joe 400", b"Joe")), "a hand that can't be read is no proof"


@pytest.mark.law
def test_no_sample_of_another_format_is_taken_for_notes() -> None:
    """Not even without its first lines, without the lines that have a hand's number, or from its middle on."""
    lines = [
        f"{path.relative_to(ROOT)} {name}"
        for path in SAMPLES[:: size(12, 1)]
        for name, data in _mutilate(path.read_bytes())
        if formats.recognise(data) is None and looks_like_notes(data)
    ]
    assert not lines


def _mutilate(data: bytes) -> list[tuple[str, bytes]]:
    lines = data.split(b"\n")
    return [
        ("as it is", data),
        ("without its first line", b"\n".join(lines[1:])),
        ("without numbers", b"\n".join(line for line in lines if b"#" not in line)),
        ("from its middle on", b"\n".join(lines[len(lines) // 2 :])),
    ]


@pytest.mark.law
@settings(max_examples=size(40, 1_500), deadline=None)
@given(st.lists(st.sampled_from(PROSE), min_size=1, max_size=60))
def test_no_prose_about_poker_is_taken_for_notes(lines: list[str]) -> None:
    assert not looks_like_notes("\n".join(lines).encode())
