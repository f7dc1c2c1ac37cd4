"""What a house states for itself: its pages are right, and a schedule never accuses a hand that keeps to it."""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, get_args

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ledger.errors import RulebookError
from ledger.formats.handscript import read_case
from ledger.people import People
from ledger.replay import HandReplay
from projections.books.house_lines import read_lines, write_line, write_lines
from projections.books.rulebook import read
from projections.detectors import rake
from projections.findings.finding import Answer, Breach
from projections.obligations.house_points import (
    GAMES_POINT,
    HOUSE_POINTS,
    JACKPOT_POINT,
    RAKE_POINT,
    DropStep,
    HousePointError,
    RakedChips,
    RakeRow,
    Rounding,
)
from projections.timeline.hand_timeline import Timeline
from tests.projections.pages import Case, Mark, explain_marks, house_cases, load_book
from tests.projections.running import run
from tests.several import all_keep

PAGES = {
    f"{page} {clause}": list(cases)
    for (page, clause), cases in groupby(house_cases(), key=lambda case: (case.page, case.clause))
}


def finds_what_is_marked(case: Case) -> None:
    ran = run(case)
    demanded = {mark for mark in case.marks if not mark.untold}
    found = ran.spoken(load_book(case.book), demanded)
    assert found == demanded, explain_marks(case, found, demanded)
    for mark in case.marks - demanded:
        assert (mark.hand, mark.clause) in ran.untold


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_page_of_a_house_is_right_and_no_other_clause_speaks(page: list[Case]) -> None:
    all_keep(finds_what_is_marked, page, lambda case: case.name)


def test_every_clause_of_a_house_has_a_page_with_right_and_wrong() -> None:
    def accuses(case: Case, mark: Mark) -> bool:
        return mark.clause == case.clause and not mark.untold

    wrong = {(case.book, case.clause) for case in house_cases() if any(accuses(case, mark) for mark in case.marks)}
    right = {(case.book, case.clause) for case in house_cases() if not any(accuses(case, mark) for mark in case.marks)}
    books = [load_book(name) for name in {case.book for case in house_cases()}]
    built = {(book.name, clause.id) for book in books for clause in book.clauses.values() if clause.kind == "detector"}
    assert built == wrong == right


# A schedule never accuses a hand that keeps to it


class Pots(NamedTuple):
    """A hand of three players in which seat 1 wins everything: a raise, perhaps a short all-in, and an uncalled bet."""

    raised_to: int
    all_in_for: int  # seat 2's stack; 0 = it folds
    bet: int  # uncalled, on the flop; 0 = none

    @property
    def sizes(self) -> list[int]:
        """The pots that were called, in cents, main pot first."""
        if not self.all_in_for:
            return [2 * self.raised_to + 200]
        side = 2 * (self.raised_to - self.all_in_for)
        return [3 * self.all_in_for, side] if side else [3 * self.all_in_for]

    def write(self, taken: int) -> str:
        """Return the hand as handscript."""
        second = f"2 calls {units(self.all_in_for - 200)} all-in" if self.all_in_for else "2 folds"
        stack = units(self.all_in_for or 100_000)
        bet = f"1 bets {units(self.bet)}; 3 folds; 1 uncalled {units(self.bet)}" if self.bet else "1 checks; 3 checks"
        return (
            "game holdem no-limit cash blinds 1/2 unit USD 2\n"
            f"seat 1 Ann 1000; seat 2 Bo {stack}; seat 3 Cy 1000; button 3\n"
            "1 posts small 1; 2 posts big 2; deal done\n"
            f"3 raises to {units(self.raised_to)}; 1 calls {units(self.raised_to - 100)}; {second}\n"
            f"flop Ah Kd 7s; {bet}; turn 2c; river 3c\n"
            f"1 wins {units(sum(self.sizes) - taken)}\n" + (f"rake {units(taken)}\n" if taken else "")
        )


def units(cents: int) -> str:
    return f"{cents / 100:.2f}"


@st.composite
def drawn_pots(draw: st.DrawFn) -> Pots:
    raised_to = draw(st.integers(400, 30_000))
    all_in_for = draw(st.just(0) | st.integers(201, raised_to))
    return Pots(raised_to, all_in_for, draw(st.just(0) | st.integers(200, 20_000)))


@st.composite
def drawn_rows(draw: st.DrawFn) -> RakeRow:
    raked = draw(st.sampled_from(get_args(RakedChips)))
    flop_rule = draw(st.booleans())
    if draw(st.booleans()):
        pots = sorted(draw(st.sets(st.integers(1, 400), min_size=1, max_size=4)))
        takes = draw(st.lists(st.integers(0, 10), min_size=len(pots), max_size=len(pots)))
        drops = [DropStep(float(pot), float(take)) for pot, take in zip(pots, sorted(takes), strict=True)]
        return RakeRow(drops=drops, raked=raked, no_flop_no_drop=flop_rule)
    return RakeRow(
        percent=draw(st.integers(0, 200)) / 20,
        cap=draw(st.none() | st.integers(0, 40).map(lambda halves: halves / 2)),
        step=draw(st.none() | st.sampled_from([0.05, 0.25, 0.5, 1.0, 2.0])),
        rounding=draw(st.sampled_from(get_args(Rounding))),
        raked=raked,
        no_flop_no_drop=flop_rule,
    )


def second_reading(row: RakeRow, pots: Pots) -> int:
    """Return what a row takes, in cents, worked out with decimals."""
    sizes = pots.sizes
    if row.raked == "main-pot":
        sizes = sizes[:1]
    elif row.raked != "each-pot":
        sizes = [sum(sizes) + (pots.bet if row.raked == "all-bets" else 0)]
    if row.drops:
        return max((int(drop.take * 100) for drop in row.drops if sum(sizes) >= drop.pot * 100), default=0)
    step = Decimal(1) if row.step is None else Decimal(str(row.step)) * 100
    rounding = {"down": ROUND_FLOOR, "up": ROUND_CEILING, "nearest": ROUND_HALF_UP}[row.rounding]
    shares = [Decimal(size) * Decimal(str(row.percent)) / 100 / step for size in sizes]
    taken = sum(int(share.to_integral_value(rounding) * step) for share in shares)
    return taken if row.cap is None else min(taken, int(row.cap * 100))


def judge(row: RakeRow, pots: Pots, taken: int) -> list[Answer]:
    account, _ = read_case(pots.write(taken), People(b"c" * 32))
    timeline = Timeline(HandReplay(account.events))
    return [
        *rake.too_much(timeline, schedule=[row]),
        *rake.without_flop(timeline, schedule=[row]),
        *rake.too_little(timeline, schedule=[row]),
    ]


@given(row=drawn_rows(), pots=drawn_pots())
def test_the_rake_of_the_schedule_is_never_a_finding(row: RakeRow, pots: Pots) -> None:
    due = second_reading(row, pots)
    assume(due < sum(pots.sizes))
    assert judge(row, pots, due) == []


@given(row=drawn_rows(), pots=drawn_pots(), cents=st.integers(1, 300))
def test_a_cent_more_or_less_is_a_finding(row: RakeRow, pots: Pots, cents: int) -> None:
    due = second_reading(row, pots)
    assume(due + cents < sum(pots.sizes))
    assert [type(answer) for answer in judge(row, pots, due + cents)] == [Breach]
    if due >= cents:
        assert [type(answer) for answer in judge(row, pots, due - cents)] == [Breach]


# Lines


@given(row=drawn_rows(), players=st.none() | st.tuples(st.integers(0, 9), st.integers(1, 9)))
def test_a_row_is_read_as_it_is_written(row: RakeRow, players: tuple[int, int] | None) -> None:
    if players is not None:
        row = msgspec.structs.replace(row, players_min=min(players), players_max=max(players))
    assert read_lines(RAKE_POINT, write_line(row)) == [row]


@pytest.mark.parametrize("name", sorted({case.book for case in house_cases()}))
def test_what_a_house_states_is_read_as_it_is_written(name: str) -> None:
    for point, ruling in load_book(name).policy.rulings.items():
        assert read_lines(point, write_lines(ruling.value)) == ruling.value


@pytest.mark.parametrize(
    ("point", "line", "problem", "hint"),
    [
        (GAMES_POINT, "limit holdm 2/4", "line 1: there is no game 'holdm'", "Known: holdem"),
        (GAMES_POINT, "limit 2/4", "line 1: something is missing", "no-limit holdem 1/2"),
        (GAMES_POINT, "holdem 2/4/", "line 1: I can't read the stakes '2/4/'", 'Write the blinds as "1/2"'),
        (GAMES_POINT, "holdem 1/2: buy-in 200 to 40", "above the largest", "Exchange"),
        (GAMES_POINT, "holdem 1/2: buyin 40", "I can't read 'buyin 40'", "buy-in 40 to 200"),
        (RAKE_POINT, "holdem: 120%", "120 percent is more than the pot", "from 0 to 100"),
        (RAKE_POINT, "holdem: up to 5", "a cap of 5, but no percent", "percent = 5"),
        (RAKE_POINT, "holdem: 5%, 1 from 10", "both a percent and drops", "Leave out"),
        (RAKE_POINT, "holdem: 2 from 20, 1 from 10", "its drops aren't in order", "smallest pot"),
        (RAKE_POINT, "holdem:", "nothing follows the colon", "An example"),
        (RAKE_POINT, "holdem: 5%, step 0", "a step of 0", "smallest chip"),
        (JACKPOT_POINT, "bad beat: aces of jacks", "I can't read the hand 'aces of jacks'", "aces full of jacks"),
        (JACKPOT_POINT, "bad beat, razz: four twos", "wins in razz", "Name a game"),
        (JACKPOT_POINT, "high hand: four twos, beaten by four aces", "a high hand isn't beaten", "Leave out"),
    ],
)
def test_a_line_that_cannot_be_read_names_its_cause_and_what_to_write(
    point: str, line: str, problem: str, hint: str
) -> None:
    with pytest.raises(HousePointError, match=re.escape(problem)) as error:
        read_lines(point, line)
    assert hint in error.value.hint


HEAD = '[rulebook]\ntitle = "t"\nedition = "1"\nsource = "s"\n[policy]\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '"house.rake" = { is = [{ cap = 5 }] }\n',
            "room.toml:6: house.rake: entry 1: a cap of 5, but no percent to cap; Write percent = 5 as well",
        ),
        (
            '"house.rake" = { is = [{ percent = 5 }, { percent = 101 }] }\n',
            "room.toml:6: house.rake: entry 2: 101 percent is more than the pot; Write a percentage from 0 to 100",
        ),
        (
            '"house.games" = { is = [{ game = "holdm" }] }\n',
            "room.toml:6: house.games: entry 1: there is no game 'holdm'; Known: holdem",
        ),
        ('"house.rake" = { is = [{ percent = "5" }] }\n', "room.toml:6: house.rake: entry 1, percent: Expected"),
        ('"house.rake" = { is = [{ percent = -1 }] }\n', "percent = -1 is no amount; Write a number from 0 up"),
        ('"house.rake" = { is = [{ percent = nan }] }\n', "percent = nan is no amount"),
        ('"house.rake" = { is = [{ players_min = 24, percent = 5 }] }\n', "no table has so many players"),
        ('"house.jackpot" = { is = [{ kind = "bad-beat", hand = "aces" }] }\n', "I can't read the hand 'aces'"),
        ('"house.games" = { is = [{ betting = "limit" }] }\n', "entry 1: Object missing required field `game`"),
    ],
)
def test_a_book_with_a_wrong_entry_names_line_cause_and_what_to_write(text: str, message: str) -> None:
    with pytest.raises(RulebookError, match=re.escape(message)):
        read("room", (HEAD + text).encode())


# The documentation

DOCS = Path(__file__).resolve().parents[2] / "docs" / "house-list.md"


def test_the_example_of_the_documentation_loads_and_its_lines_are_read() -> None:
    fences = re.findall(r"```(\w*)\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    (book,) = [read("my-room", text.encode()) for kind, text in fences if kind == "toml"]
    assert {"G1", "G2", "R1", "R2", "R3", "J1"} < book.clauses.keys()
    lines = [text for kind, text in fences if not kind][1:]
    assert [len(read_lines(point, text)) for point, text in zip(HOUSE_POINTS, lines, strict=True)] == [2, 5, 2]
