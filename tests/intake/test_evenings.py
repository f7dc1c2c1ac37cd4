"""Two evenings with the same hand numbers and no dates, and two accounts of one evening."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli.output import import_output
from ledger.intake import import_paths
from ledger.intake.evenings import Comparison, Rival, settle_run
from ledger.intake.summary import FileSummary, ImportSummary
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.table.events import HandPlayed
from ledger.table.identity import decide_identity
from tests.conftest import scale_examples
from tests.laws import size
from tests.ledger.table.tables import hand as hand_played

PLAYERS = ("Ann", "Bob", "Cat", "Dan", "Eve")


def hand(number: int, button: int, *, began: str = "", stacks: Sequence[int | str] = ("?",) * 5, tail: str = "") -> str:
    """Return one hand of five players with blinds behind the button; `tail` tells it in other words."""
    small, big = button % 5 + 1, (button + 1) % 5 + 1
    seats = "\n".join(f"seat {seat} {name} {stacks[seat - 1]}" for seat, name in enumerate(PLAYERS, 1))
    posts = f"{small} posts small 1\n{big} posts big 2"
    return f"\nhand {number} {began}\n{seats}\nbutton {button}\n{posts}\ndeal done\n{tail}end\n"


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Ledger]:
    with open_ledger(tmp_path / "book.ledger") as opened:
        yield opened


def take(book: Ledger, path: Path, hands: Sequence[str], witness: str = "floor-form") -> FileSummary:
    head = f'handscript 1\nvenue "Riverside" table same seats 9\nwitness {witness}\n'
    path.write_text(head + "game holdem no-limit cash blinds 1/2 unit USD 0\n" + "".join(hands))
    return import_paths(book, [path]).files[0]


def counted(summary: FileSummary) -> dict[str, int]:
    names = ("new", "same", "second", "superseded", "doubtful", "apart", "undated")
    return {name: count for name in names if (count := getattr(summary, name))}


def night(buttons: Sequence[int], tail: str = "") -> list[str]:
    return [hand(number, button, tail=tail) for number, button in enumerate(buttons, 1)]


NOTE = 'remark "seen from seat 1"\n'


def test_two_evenings_with_the_same_numbers_are_two(book: Ledger, tmp_path: Path) -> None:
    assert counted(take(book, tmp_path / "fri.hand", night([1, 2, 2]))) == {"new": 3}
    assert counted(take(book, tmp_path / "sat.hand", night([3, 4, 4]))) == {"new": 3, "apart": 3}
    assert [(row.number, row.session) for row in book.hands(standing=True)].count(("1", 2)) == 1
    sunday = take(book, tmp_path / "sun.hand", night([5, 1, 2]))
    assert counted(sunday) == {"new": 2, "apart": 2, "same": 1, "undated": 1}, (
        "its third hand is Friday's to the letter"
    )
    file_summary = take(book, tmp_path / "floor.hand", night([3, 4, 4], NOTE))
    assert counted(file_summary) == {"second": 3, "undated": 3}, "accounts of Saturday's hands"


def test_an_evening_goes_on_behind_the_numbers_of_another(book: Ledger, tmp_path: Path) -> None:
    take(book, tmp_path / "fri.hand", night([1, 2, 3]))
    assert counted(take(book, tmp_path / "sat.hand", night([3, 4, 5, 1]))) == {"new": 4, "apart": 3}


@pytest.mark.parametrize("witness", ["floor-form", "dealer-notes", "live-table"])
def test_blinds_alone_part_evenings(book: Ledger, tmp_path: Path, witness: str) -> None:
    def without_buttons(buttons: Sequence[int]) -> list[str]:
        return [one.replace("button", "# button") for one in night(buttons)]

    take(book, tmp_path / "fri.hand", without_buttons([1, 2, 3]), witness)
    assert counted(take(book, tmp_path / "sat.hand", without_buttons([3, 4, 5]), witness)) == {"new": 3, "apart": 3}


@pytest.mark.parametrize(
    ("buttons", "expected"),
    [
        ([1], {"second": 1, "undated": 1}),
        ([2], {"second": 1, "undated": 1}),
        ([1, 3, 3], {"second": 3, "undated": 3}),
        ([1, 2, 4, 5], {"second": 4, "undated": 4}),
        ([1, 3, 4, 5], {"new": 4, "apart": 4}),
    ],
)
def test_accounts_that_differ_in_one_hand_stay_accounts(
    book: Ledger, tmp_path: Path, buttons: list[int], expected: dict[str, int]
) -> None:
    take(book, tmp_path / "fri.hand", night([1, 2, 3, 4]))
    assert counted(take(book, tmp_path / "player.hand", night(buttons, NOTE))) == expected


def test_stacks_of_their_own_date_a_hand(book: Ledger, tmp_path: Path) -> None:
    """Nobody sits down with the same odd chips twice."""
    stacks = (101, 240, 77, 388, 200)
    take(book, tmp_path / "dealer.hand", [hand(1, 1, stacks=stacks), hand(2, 2, stacks=stacks)])
    texts = [hand(1, 1, stacks=stacks, tail=NOTE), hand(2, 3, stacks=stacks, tail=NOTE)]
    assert counted(take(book, tmp_path / "player.hand", texts)) == {"second": 2}


def test_a_file_that_was_changed_stands_and_the_doubt_is_said(book: Ledger, tmp_path: Path) -> None:
    """Saturday's file may have taken the place of Friday's, or its buttons were mended."""
    take(book, tmp_path / "night.hand", night([1, 2, 3]))
    assert counted(take(book, tmp_path / "night.hand", night([3, 4, 5]))) == {"superseded": 3, "undated": 3}


def test_one_file_may_hold_both_evenings(book: Ledger, tmp_path: Path) -> None:
    texts = [*night([1, 2, 3]), *night([3, 4, 5])]
    assert counted(take(book, tmp_path / "both.hand", texts)) == {"new": 6}


@pytest.mark.parametrize("zone", ["", ":00-05:00"])
def test_dates_keep_evenings_apart_also_once_both_were_taken_for_one(book: Ledger, tmp_path: Path, zone: str) -> None:
    fri, sat = tmp_path / "fri.hand", tmp_path / "sat.hand"
    take(book, fri, night([1, 2, 3]))
    assert counted(take(book, sat, night([1, 2, 3], NOTE))) == {"second": 3, "undated": 3}

    def dated(day: str, tail: str) -> list[str]:
        return [hand(n, n, began=f"2026-11-{day}T20:{10 * n}{zone}", tail=tail) for n in (1, 2, 3)]

    assert counted(take(book, fri, dated("20", "")))["superseded"] == 3
    assert counted(take(book, sat, dated("21", NOTE))) == {"new": 3}


def test_import_says_what_is_in_doubt_and_which_line_keeps_evenings_apart() -> None:
    files = [FileSummary("sat.hand", format="handscript", second=3, undated=3), FileSummary("sun.hand", new=2, apart=2)]
    lines = import_output.format_import(ImportSummary(files)).splitlines()
    assert "sun.hand: 2 hands kept as another evening. Button, players or blinds differ from those on record." in lines
    assert "sat.hand: 3 hands taken for hands on record. No time tells them apart." in lines
    [hint] = [line for line in lines if "hand 1 2026" in line]
    assert hint.split() == [
        "If",
        "it",
        "is",
        "another",
        "evening,",
        "write",
        "on",
        "each",
        "`hand`",
        "line",
        "of",
        "both",
        "files",
        "when",
        "it",
        "began:",
        "hand",
        "1",
        "2026-11-21T20:15.",
        "Then",
        "import",
        "both",
        "files",
        "again.",
    ]


def run_of(pairs: Sequence[tuple[HandPlayed, HandPlayed]], source: str = "fri") -> list[Comparison]:
    return [
        Comparison(later, [Rival(earlier, source)], lambda rival, hand: decide_identity(rival.hand, hand))
        for earlier, later in pairs
    ]


def played(number: int, button: int, source: str) -> HandPlayed:
    stacks_after = {1: 150, 2: 250} if source == "b" else {}
    return hand_played(number, button, None, None, range(1, 6), hand=f"{source}{number}", after=stacks_after)


def test_what_a_file_showed_before_holds_for_the_hands_that_follow() -> None:
    """A large file comes in pieces: the last may hold one hand."""
    first = run_of([(played(n, n, "a"), played(n, n + 2, "b")) for n in (1, 2)])
    [last] = run_of([(played(3, 3, "a"), played(3, 3, "b"))])
    parted: set[str] = set()
    settle_run(first, lambda source: False, parted)
    settle_run([last], lambda source: False, parted)
    assert [set(comparison.answers.values()) for comparison in (*first, last)] == [{"other"}] * 3
    [alone] = run_of([(played(3, 3, "a"), played(3, 3, "b"))])
    settle_run([alone], lambda source: False, set())
    assert set(alone.answers.values()) == {"same"}


@settings(
    max_examples=scale_examples(size(60, 600)),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(buttons=st.lists(st.integers(1, 5), min_size=3, max_size=7), slip=st.integers(0, 6), shift=st.integers(1, 4))
@pytest.mark.law
def test_a_slip_in_one_hand_parts_no_accounts_and_a_shift_of_all_parts_evenings(
    tmp_path_factory: pytest.TempPathFactory, buttons: list[int], slip: int, shift: int
) -> None:
    folder = tmp_path_factory.mktemp("evenings")
    wrong = [*buttons]
    wrong[slip % len(wrong)] = (wrong[slip % len(wrong)] + shift - 1) % 5 + 1
    shifted = [(button + shift - 1) % 5 + 1 for button in buttons]
    with open_ledger(folder / "book.ledger") as book:
        take(book, folder / "dealer.hand", night(buttons))
        assert take(book, folder / "player.hand", night(wrong, NOTE)).second == len(buttons)
        assert take(book, folder / "next.hand", night(shifted, NOTE.replace("seat 1", "seat 2"))).new == len(buttons)
