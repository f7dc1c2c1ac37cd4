"""A hand with very many events stops nothing: work grows with its length, and it is neither judged nor called clean."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ledger.hand.opening import SeatDealtIn
from ledger.replay import HandReplay
from ledger.store import open as open_ledger
from ledger.store.log.mapper import Mapper
from ledger.vocabulary import Witness
from projections.audit.auditor import Auditor
from projections.books import rulebook
from projections.findings.finding import MAX_EVENTS, TOO_MANY_EVENTS, TOO_MANY_PLAYERS
from tests.cli.conftest import Run
from tests.conftest import ROOT
from tests.laws import FULL_SIZE, size
from tests.pace import out_of_proportion
from tests.security.long_hands import MANY_SEATS, SLOW_HANDS, STEPS, Construct, every_format, read
from tests.security.proportion import Growth, drawn_of, growths, half_of_all

HAND = ROOT / "tests" / "events"
EVERYTHING = sum(int(witness) for witness in Witness)
OPENING: list[list[Any]] = [
    ["HandOpened", "v", "t", "1", 9, 1795291200000, "", EVERYTHING],
    ["GameSet", "holdem", "no-limit", "cash", "", 0, [100, 200]],
    *(["SeatDealtIn", seat, f"v:{seat}", 20000] for seat in (1, 2, 3, 4)),
    ["ButtonPlaced", 1],
    ["BlindPosted", 2, "small", 100],
    ["BlindPosted", 3, "big", 200],
    ["DealCompleted"],
]
ENDING: list[list[Any]] = [["ShowdownBegun"], ["CardsShown", 2, "AhKd"], ["PotAwarded", 2, 400], ["HandCompleted"]]
KINDS = sorted(path.name.removesuffix(".v1.json") for path in HAND.glob("hand.*.v1.json"))


@pytest.fixture
def unbounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many events a hand has, every clause is asked."""
    monkeypatch.setattr("projections.audit.hand_profile.MAX_EVENTS", 10**9)


def played(rows: list[list[Any]], times: int, ending: list[list[Any]]) -> HandReplay:
    return HandReplay(Mapper().decode("hand", json.dumps([*OPENING, *rows * times, *ending]).encode()))  # type: ignore[arg-type] # a hand's events


@pytest.mark.law
@pytest.mark.usefixtures("unbounded")
def test_judging_twice_as_many_events_takes_at_most_two_and_a_half_times_the_work() -> None:
    books = [rulebook.load(name) for name in rulebook.list_names()]
    events = [json.loads((HAND / f"{kind}.v1.json").read_text()) for kind in KINDS]
    events = [row for row in events if row[0] not in ("HandOpened", "CorrectionMade", "HandSealed")]
    random = Random(7)
    event_choices = [[row] for row in events] + [random.choices(events, k=2) for _ in range(size(40, 2000))]
    many = size(400, 6000)

    def judge(hand: HandReplay) -> None:
        Auditor(books).judge_hand(hand.replace_events(hand.recorded_events))

    slow = []
    for rows in event_choices:
        for ending in ([], ENDING) if FULL_SIZE else (ENDING,):
            half, full = (played(rows, times * many // len(rows), ending) for times in (1, 2))
            times_taken = out_of_proportion(judge, half, full, felt=0.15)
            if times_taken is not None:
                slow.append((rows, ending, times_taken))
    assert not slow


FEW = ("audit",)
"""What is measured of each construct in CI; of some, all."""


def slow(construct: Construct, folder: Path, much: int, steps: Iterable[str] = STEPS) -> list[Growth]:
    """What takes more than in proportion of a text in which a construct comes so often, and one in which it comes twice as often."""
    return [growth for growth in growths(construct, folder, much, steps) if growth.is_slow]


@pytest.mark.law
@pytest.mark.usefixtures("unbounded", "capsys")
@pytest.mark.parametrize("construct", SLOW_HANDS, ids=lambda one: one.name)
def test_what_took_its_square_once_takes_work_in_proportion(construct: Construct, tmp_path: Path) -> None:
    all_steps = FULL_SIZE or construct is SLOW_HANDS[0]
    assert not slow(construct, tmp_path, size(20_000, half_of_all()), STEPS if all_steps else FEW)


@pytest.mark.law
@pytest.mark.usefixtures("unbounded", "capsys")
@pytest.mark.parametrize("construct", MANY_SEATS, ids=lambda one: one.name)
def test_very_many_seats_take_work_in_proportion(construct: Construct, tmp_path: Path) -> None:
    steps = STEPS if FULL_SIZE or construct is MANY_SEATS[0] else FEW
    assert not slow(construct, tmp_path, size(20_000, half_of_all()), steps)
    with open_ledger(str(tmp_path / "whole.ledger")) as ledger:
        assert len(list(ledger.hands())) == 1


@pytest.mark.parametrize("seats", [64, 65])
def test_no_rulebook_is_asked_about_more_players_than_any_table_has(seats: int, tmp_path: Path, run: Run) -> None:
    script = (
        MANY_SEATS[1]
        .text((seats - 3) * len("{seat} folds" + 18 * " "))
        .replace("2 folds\n", "4 checks\n4 folds\n2 folds\n")
    )
    (tmp_path / "crowd.hand").write_text(script)
    url = read(tmp_path / "crowd.hand", tmp_path)
    with open_ledger(url) as ledger:
        events = ledger.events(next(ledger.hands()).stream)
        assert sum(isinstance(event, SeatDealtIn) for event in events) == seats
    audited = run("audit", "-r", "rrop4", "--ledger", url)
    assert (f"1 hand {TOO_MANY_PLAYERS}." in audited.out) == (seats > 64)
    assert "record R13" in audited.out
    run("report", "1", "-r", "rrop4", "--ledger", url, "-o", str(tmp_path / "hand.html"))
    page = (tmp_path / "hand.html").read_text()
    assert "nothing found" not in page
    assert (TOO_MANY_PLAYERS in page) == (seats > 64)
    floor = run("floor", "J", "-r", "rrop4", "--ledger", url)
    assert (TOO_MANY_PLAYERS in floor.out) == (seats > 64)


@pytest.mark.law
@pytest.mark.usefixtures("unbounded", "capsys")
@pytest.mark.parametrize("name", every_format() if FULL_SIZE else Random(3).sample(every_format(), 6))
def test_twice_the_bytes_take_at_most_two_and_a_half_times_the_work(name: str, tmp_path: Path) -> None:
    """At full size some constructs are grown to 500 KB, and the one that grew most to as much as all others."""
    grown: list[tuple[float, Construct]] = []
    for construct in drawn_of(name, size(1, 10), 11):
        growth_list = list(growths(construct, tmp_path, size(8_000, 250_000), STEPS if FULL_SIZE else FEW))
        assert not [growth for growth in growth_list if growth.is_slow]
        grown.append((max(growth.ratio for growth in growth_list), construct))
    if FULL_SIZE:
        _, worst_construct = max(grown, key=lambda one: one[0])
        assert not slow(worst_construct, tmp_path, half_of_all())


def long_hand(tmp_path: Path, line: str = "1 checks", last_line: str = "9 checks") -> str:
    """A ledger with a hand of more events than are judged, in which a seat acts that nobody dealt in."""
    script = SLOW_HANDS[2].text(0).replace("2 folds\n", f"{line}\n" * (MAX_EVENTS + 1) + f"{last_line}\n2 folds\n", 1)
    (tmp_path / "padded.hand").write_text(script)
    return read(tmp_path / "padded.hand", tmp_path)


@pytest.mark.slow
def test_a_hand_of_too_many_events_is_kept_and_not_judged_and_its_record_still_checked(
    tmp_path: Path, run: Run
) -> None:
    url = long_hand(tmp_path)
    with open_ledger(url) as ledger:
        assert len(list(ledger.hands())) == 1
    audited = run("audit", "-r", "rrop4", "--ledger", url)
    assert f"1 hand {TOO_MANY_EVENTS}." in audited.out
    assert "record R7" in audited.out
    document = run("audit", "-r", "rrop4", "--ledger", url, "--format", "json").document
    rows = [row for row in document["coverage"] if row["book"] == "rrop4"]
    assert not any(row["clean"] or row["found"] for row in rows)
    assert any(gap["fact"] == TOO_MANY_EVENTS for row in rows for gap in row.get("missing", []))
    record_rows = [row for row in document["coverage"] if row["book"] == "record"]
    assert any(row["found"] for row in record_rows)
    assert any(gap["fact"] == TOO_MANY_EVENTS for row in record_rows for gap in row.get("missing", []))


def test_no_page_calls_a_hand_of_too_many_events_clean(tmp_path: Path, run: Run) -> None:
    url = long_hand(tmp_path, last_line="# nobody else")
    for words in ([], ["-r", "rrop4"]):
        run("report", "1", *words, "--ledger", url, "-o", str(tmp_path / "hand.html"))
        page = (tmp_path / "hand.html").read_text()
        assert "nothing found" not in page
        assert TOO_MANY_EVENTS in page
        run("report", "--where", "table:J", *words, "--ledger", url, "-o", str(tmp_path / "table.html"))
        assert "nothing found" not in (tmp_path / "table.html").read_text()
    floor = run("floor", "J", "-r", "rrop4", "--ledger", url)
    assert TOO_MANY_EVENTS in floor.out
    assert "nothing wrong found" not in floor.out


def test_one_event_fewer_is_judged(tmp_path: Path, run: Run) -> None:
    with open_ledger(long_hand(tmp_path, last_line="# nobody else")) as ledger:
        events = len(list(ledger.events(next(ledger.hands()).stream)))
    script = SLOW_HANDS[2].text(0).replace("2 folds\n", "1 checks\n" * (2 * MAX_EVENTS + 1 - events) + "2 folds\n", 1)
    (tmp_path / "just.hand").write_text(script)
    url = read(tmp_path / "just.hand", tmp_path)
    with open_ledger(url) as ledger:
        assert len(list(ledger.events(next(ledger.hands()).stream))) == MAX_EVENTS
    assert TOO_MANY_EVENTS not in run("audit", "-r", "rrop4", "--ledger", url).out


def test_a_seat_with_more_cards_than_any_game_deals_is_not_ranked(tmp_path: Path, run: Run) -> None:
    (tmp_path / "cards.hand").write_text(SLOW_HANDS[0].text(1_000))
    url = read(tmp_path / "cards.hand", tmp_path)
    assert run("audit", "-r", "rrop4", "--ledger", url).code in (0, 1)
