"""A hand's time with a zone, without one, and back again."""

from __future__ import annotations

import pytest

from ledger.account import Account
from ledger.formats.handscript import FORMAT, write_told
from ledger.hand.opening import HandOpened
from ledger.notation import Chunk
from ledger.people import People

HAND = """\
handscript 1
venue "The Room"  table T9  seats 6
game holdem no-limit cash blinds 1/2 unit USD 0

hand 7 {time}
seat 1 Ann 200
seat 3 Bob 200
end
"""


def opened(text: str, people: People) -> tuple[Account, HandOpened]:
    [account] = [item for item in FORMAT.read(Chunk(text.encode()), people) if isinstance(item, Account)]
    return account, account.opened


@pytest.mark.parametrize(
    ("time", "started", "expected_text"),
    [
        ("2026-11-20T22:41:07-05:00", 1795232467000, "2026-11-20T22:41:07-05:00"),
        ("2026-11-21T03:41:07Z", 1795232467000, ""),
        ("2026-11-20T22:41:07", None, "2026-11-20T22:41:07"),
        ("2026-11-20T22:41", None, "2026-11-20T22:41"),
        ("", None, ""),
    ],
)
def test_a_time_is_a_moment_only_with_its_zone_and_kept_as_it_was_written(
    time: str, started: int | None, expected_text: str
) -> None:
    people = People(b"0" * 32)
    account, opening = opened(HAND.format(time=time), people)
    assert (opening.started, opening.written) == (started, expected_text)
    round_trip, _ = opened(write_told(account, people), people)
    assert round_trip.events == account.events


@pytest.mark.parametrize("time", ["2026-11-20", "22:41", "2026-13-20T22:41", "2026-11-20T25:41:07"])
def test_what_is_no_time_is_refused(time: str) -> None:
    items = list(FORMAT.read(Chunk(HAND.format(time=time).encode()), People(b"0" * 32)))
    assert not any(isinstance(item, Account) for item in items)
