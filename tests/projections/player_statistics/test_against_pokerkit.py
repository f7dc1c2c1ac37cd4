"""Statistics of real hands, against PokerKit's own reading and replay of the same files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.account import Account
from ledger.formats import phh, pokerstars
from ledger.hand.opening import AntePosted
from ledger.notation import Chunk
from ledger.people import People
from ledger.replay import HandReplay
from projections.statistics.hand_statistics import SeatStatistics, read_hand
from tests.projections.player_statistics.pokerkit_statistics import Line, count_hand, parse_pokerstars, read_histories

pytestmark = pytest.mark.data
NOT_IN_POKERKIT = "wsop/2023/43/5/03-50-24.phh"
"""Razz: an all-in raise for less, written as `cbr`, is none that PokerKit allows."""


def read_both(file: Path) -> Iterator[tuple[HandReplay, dict[int, Line]]]:
    """Yield each hand of a file as we read it, with PokerKit's figures for the same hand."""
    accounts = [
        item
        for item in phh.FORMAT.read(Chunk(file.read_bytes(), name=file.name), People(b"a secret for this test only"))
        if isinstance(item, Account)
    ]
    histories = read_histories(file.read_text(), is_collection=file.suffix == ".phhs")
    for account, history in zip(accounts, histories, strict=True):
        yield HandReplay(account.events), count_hand(history)


PARSED_OTHERWISE = {
    "1000000000": "a player cashed out: docs/statistics.md counts neither a win nor a loss",
    "111111111111": "made up: a seat is paid a pot that another hand won",
}
"""PokerStars hands in which PokerKit awards the pot by the cards alone."""


def read_pokerstars(file: Path) -> Iterator[tuple[HandReplay, dict[int, Line]]]:
    """Yield the hands of a PokerStars file that PokerKit's own parser reads. It ignores antes, so hands with antes are left out."""
    text = file.read_bytes().decode("utf-8-sig", "replace")
    accounts = {
        item.opened.number: item
        for item in pokerstars.FORMAT.read(Chunk(file.read_bytes(), name=file.name), People(b"a secret for this test"))
        if isinstance(item, Account)
    }
    for history in parse_pokerstars(text):
        account = accounts.get(str(history.hand))
        has_antes = account is not None and any(type(event) is AntePosted for event in account.events)
        if account is not None and not has_antes and account.opened.number not in PARSED_OTHERWISE:
            yield HandReplay(account.events), count_hand(history)


def as_line(statistics: SeatStatistics) -> Line:
    return Line(
        *statistics.preflop,
        acts=statistics.postflop._asdict(),
        saw_flop=statistics.saw_flop,
        reached_showdown=statistics.reached_showdown,
        won_showdown=statistics.won_showdown,
    )


def compare(hands: Iterator[tuple[HandReplay, dict[int, Line]]]) -> tuple[Counter[str], list[object]]:
    """Return counts over these hands, and the seats whose lines differ."""
    counts: Counter[str] = Counter()
    differences: list[object] = []
    for hand, expected in hands:
        statistics = read_hand(hand)
        counts["left out" if statistics.gap else "hands"] += 1
        for seat, statistics_of_seat in statistics.seats.items():
            line = as_line(statistics_of_seat)
            counts["three-bets"] += line.three_bet
            counts["showdowns"] += line.reached_showdown
            if line != expected[seat]:
                differences.append((statistics, seat, line, expected[seat]))
    return counts, differences


def test_figures_of_phh_files_are_those_of_pokerkit(data_dir: Path) -> None:
    files = sorted([*data_dir.glob("phh/**/*.phh"), *data_dir.glob("phh/**/*.phhs")])
    counts, differences = compare(
        hand for file in files if not file.as_posix().endswith(NOT_IN_POKERKIT) for hand in read_both(file)
    )
    assert differences == []
    assert counts["hands"] > 2500
    assert counts["left out"] == 0
    assert counts["three-bets"] > 400
    assert counts["showdowns"] > 900


def test_figures_of_pokerstars_files_are_those_of_pokerkit(data_dir: Path) -> None:
    files = sorted(data_dir.glob("pokerstars/**/*.txt"))
    counts, differences = compare(hand for file in files for hand in read_pokerstars(file))
    assert differences == []
    assert counts["hands"] > 200
    assert counts["left out"] <= 1
