"""What every reader of a small room's text stands, whatever its words are."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import formats
from ledger.account import Account, Reject
from tests.formats import checks, hostile
from tests.formats.support import read

ROOMS = ("entraction", "cake", "mavens")
HERE = Path(__file__).parent
SAMPLES = [(name, path) for name in ROOMS for path in sorted((HERE / name / "samples").glob("*.txt"))]  # fmt: skip

each_sample = pytest.mark.parametrize(
    ("name", "path"), SAMPLES, ids=[f"{name}-{path.stem}" for name, path in SAMPLES]
)


def samples(name: str) -> list[Path]:
    return [path for room, path in SAMPLES if room == name]


@each_sample
def test_a_sample_becomes_the_events_of_its_golden(name: str, path: Path, regen: bool) -> None:
    checks.is_golden(formats.get(name), path, regen=regen)


@each_sample
def test_every_line_of_a_sample_is_known_and_its_chips_add_up(name: str, path: Path) -> None:
    checks.is_whole(formats.get(name), path)


@each_sample
def test_every_encoding_and_line_end_gives_the_same_events(name: str, path: Path) -> None:
    checks.reads_the_same_in_every_encoding(formats.get(name), path)


@each_sample
def test_no_byte_is_lost_whatever_is_cut_out(name: str, path: Path) -> None:
    checks.loses_no_byte(formats.get(name), path)


@pytest.mark.parametrize("name", ROOMS)
def test_a_source_in_chunks_gives_what_it_gives_whole(name: str) -> None:
    checks.reads_in_chunks(formats.get(name), samples(name))


@pytest.mark.parametrize("name", ROOMS)
def test_the_format_is_recognised_by_its_content(name: str) -> None:
    checks.is_recognised(formats.get(name), samples(name))


@pytest.mark.parametrize("name", ROOMS)
@given(
    data=st.binary(max_size=1500),
    lines=st.integers(1, 12),
    encoding=st.sampled_from(["utf-8", "cp1252", "utf-16-le", "utf-16-be"]),
)
def test_any_bytes_behind_a_header_are_accounted_for(
    name: str, data: bytes, lines: int, encoding: str
) -> None:
    head = samples(name)[0].read_text(encoding="utf-8").split("\n")[:lines]
    start = "\n".join(head).replace("€", "$").encode(encoding)
    assert hostile.not_read(formats.get(name), start + data, encoding) == 0


@pytest.mark.parametrize("name", ROOMS)
@pytest.mark.parametrize("piece", ["Seat 1: ", "Hero ", "[", "(", "*** ", "1,", "Hero: ", " - "])
def test_a_very_long_line_is_one_line_or_one_reject(name: str, piece: str) -> None:
    lines = samples(name)[0].read_text(encoding="utf-8").split("\n")
    for at in (1, 6, 12):
        changed = [*lines[:at], piece * (60_000 // len(piece)), *lines[at:]]
        found = read(formats.get(name), "\n".join(changed))
        assert all(isinstance(item, Account | Reject) for item in found)
