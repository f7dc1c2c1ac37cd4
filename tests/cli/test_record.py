"""`record`: a table kept while it is played, from a program and on a terminal."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ledger.store import open as open_ledger
from tests.children import child
from tests.cli.conftest import Result, Run
from tests.conftest import ROOT

GAME = "holdem no-limit cash blinds 2/5 unit USD 2"
SIX = (
    "hand 41",
    *(f"seat {seat} {name} 500" for seat, name in enumerate(("Ana", "Bo", "Cy", "Dee", "Eli", "Fay"), 1)),
    *("button 1", "2 posts small 2", "3 posts big 5", "deal done"),
    *("4 folds", "5 folds", "6 folds", "1 folds", "2 folds", "3 uncalled 3", "3 wins 4", "end"),
)


@pytest.fixture
def record(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Keeps table T7 of a new ledger with lines as a program sends them."""

    def keep(*lines: str, options: tuple[str, ...] = ()) -> Result:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        table_options = ("--venue", "Riverside", "--game", GAME, "-r", "hilton", "--ledger", str(tmp_path / "l"))
        return run("record", "T7", *table_options, *options)

    return keep


def test_each_line_is_answered_by_how_it_stands_in_the_record(record: Callable[..., Result]) -> None:
    result = record(*SIX)
    assert result.code == 0
    assert "  9  button 1" in result.out
    assert result.out.rstrip().endswith("the hand is over")


def test_leaving_is_for_a_terminal_and_says_what_ends_lines_of_a_program(record: Callable[..., Result]) -> None:
    result = record(*SIX[:8], "q")
    assert result.code == 3
    assert "q works only on a terminal" in result.out
    assert "Leave the line out" in result.out
    assert record(*SIX[8:]).code == 0, "it went on where it was"


def test_a_line_that_is_refused_is_answered_with_the_right_one_and_the_next_is_taken(
    record: Callable[..., Result],
) -> None:
    result = record(*SIX[:11], "4 raises 15", "4 raises to 15")
    assert result.code == 3
    assert "write  4 raises to 15" in result.out
    assert " 13  4 raises to 15" in result.out


def test_keys_and_proposals_play_a_hand(record: Callable[..., Result], run: Run, tmp_path: Path) -> None:
    result = record(*SIX, ".", ".", "f", "f", "f", "r 15", "f", "c", "7h2cKd", "k", "b 20", "f", ".", ".", ".")
    assert result.code == 0
    output = run("show", "42", "--ledger", str(tmp_path / "l")).out
    for sentence in ("the button is at 2 Bo", "2 Bo raises to $15", "2 Bo wins"):
        assert sentence in output


def test_several_facts_on_a_line_are_taken_as_in_a_file(record: Callable[..., Result]) -> None:
    result = record("; ".join(SIX[:11]), "4, 5, 6 and 1 fold; 2 folds", "; ".join(SIX[-3:]))
    assert result.code == 0
    assert " 13  4 folds" in result.out
    assert result.out.rstrip().endswith("the hand is over")


def test_what_is_wrong_is_said_with_the_line_that_shows_it(record: Callable[..., Result]) -> None:
    result = record(*SIX[:11], "5 calls 5")
    assert "✗ Seat 5" in result.out
    assert "(hilton B9.1, error, certain)" in result.out


def test_what_was_taken_back_is_said_and_stays_on_record(record: Callable[..., Result], tmp_path: Path) -> None:
    result = record(*SIX[:11], "f", "u", "4 calls 5")
    assert "taken back: 4 folds" in result.out
    with open_ledger(str(tmp_path / "l"), read_only=True) as book:
        (row,) = book.hands()
        assert [type(event).__name__ for event in book.events(row.stream)][-3:] == [
            "Folded",
            "CorrectionMade",
            "Called",
        ]


def test_a_hand_that_was_kept_to_its_end_is_over(record: Callable[..., Result], run: Run, tmp_path: Path) -> None:
    ledger = ("--ledger", str(tmp_path / "l"))
    record(*SIX[:12])
    assert "Hand 41 isn't over" in run("floor", "T7", "-r", "hilton", *ledger).out
    assert "live" in run("log", *ledger).out
    record(*SIX[12:])
    assert "Hand 41 is finished" in run("floor", "T7", "-r", "hilton", *ledger).out
    assert "live" not in run("log", *ledger).out


def test_another_run_goes_on_where_the_hand_was_left(record: Callable[..., Result]) -> None:
    record(*SIX[:12])
    result = record(*SIX[12:])
    assert result.code == 0
    assert " 14  5 folds" in result.out


def test_for_programs_each_line_is_answered_by_where_the_table_stands(record: Callable[..., Result]) -> None:
    result = record(*SIX[:11], "nonsense", options=("--format", "json"))
    documents = [json.loads(part) for part in re.split(r"(?<=\n\})\n(?=\{)", result.out.strip())]
    assert [entry["schema"] for entry in documents[-2:]] == ["handledger/live/1", "handledger/error/1"]
    live = documents[-2]
    assert (live["hand"], live["stage"], live["version"]) == ("41", "betting", 12)
    assert [entry["word"] for entry in live["choices"]] == ["fold", "call", "raise", "all-in"]


def test_a_table_that_nobody_knows_is_asked_for_its_room(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("hand 1\n"))
    result = run("record", "T9", "--ledger", str(tmp_path / "l"))
    assert result.code == 2
    assert "--venue" in result.err


def test_who_leaves_within_a_hand_needs_no_name(record: Callable[..., Result]) -> None:
    assert " 14  5 leaves Eli" in record(*SIX[:12], "5 leaves").out


def test_a_raise_to_no_more_than_the_bet_is_refused(record: Callable[..., Result]) -> None:
    result = record(*SIX[:11], "r 20", "r 20", "c")
    assert "✗ the bet is 20 already, and 20 isn't a raise" in result.out
    assert " 14  5 calls 20" in result.out


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("r abc", "✗ 'abc' is no amount here\n  Digits, with a point where needed: r 40"),
        ("b 1,000", "✗ '1,000' is no amount here\n  Digits, with a point where needed: b 40"),
        ("F", "✗ F is no key\n  Keys are small letters: f"),
        ("R 25", "✗ R is no key\n  Keys are small letters: r 25"),
    ],
)
def test_a_key_that_was_mistyped_is_answered_as_one(record: Callable[..., Result], typed: str, answer: str) -> None:
    result = record(*SIX[:11], typed)
    assert result.code == 3
    assert answer in result.out


def test_all_in_for_less_than_the_bet_is_a_call_of_all_there_is(record: Callable[..., Result]) -> None:
    short_stack = [line.replace("Dee 500", "Dee 4") for line in SIX[:11]]
    assert " 13  4 calls 4 all-in" in record(*short_stack, "a").out


def test_a_hand_that_is_cancelled_is_ended_by_what_is_proposed(record: Callable[..., Result]) -> None:
    assert record(*SIX[:11], "voided", ".").out.rstrip().endswith("the hand is over")


@pytest.mark.parametrize("ends", [("voided ruling", "end"), ("misdeal exposed-card", "end")])
def test_a_hand_that_did_not_count_is_marked_and_found_as_voided(
    record: Callable[..., Result], run: Run, tmp_path: Path, ends: tuple[str, str]
) -> None:
    record(*SIX[:12], *ends)
    for query in ((), ("--where", "note:voided")):
        (line,) = run("log", "--ledger", str(tmp_path / "l"), *query).out.splitlines()
        assert line.startswith("T7/41 ")
        assert line.endswith("! voided")


def test_a_hand_that_is_left_is_not_said_to_be_over(record: Callable[..., Result]) -> None:
    assert record(*SIX[:12], "stop").out.rstrip().endswith("the record of this hand ends here, unfinished")


def test_of_a_dead_button_and_a_blind_that_nobody_owes_the_proposal_says_so(
    record: Callable[..., Result], run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(*SIX, "2 leaves")
    monkeypatch.setattr(sys, "stdin", io.StringIO("3 leaves\n"))
    result = run("record", "T7", "-r", "rrop4", "--ledger", str(tmp_path / "l"), "--format", "json")
    notes = json.loads(result.out)["next"]["notes"]
    assert notes == ["Dead button: nobody is dealt in at seat 2.", "Nobody owes the small blind on this hand."]


def test_what_only_the_end_shows_is_said_when_the_hand_ends(record: Callable[..., Result]) -> None:
    played = ("f", "f", "f", "f", "c", "k", "7h2c9d", "k", "k", "4s", "k", "k", "8s", "k", "k", ".", "s AhAd", "s KsKd")
    result = record(*SIX[:11], "u", "deal done", *played, "3 wins 10", "end")
    last = result.out.rpartition("the hand is over")[2]
    assert "$10 to seat 2 (Bo), by the cards on record" in " ".join(last.split())
    assert "by the cards on record" not in result.out.rpartition("the hand is over")[0]


def test_a_bet_that_goes_back_and_the_showdown_need_no_key_of_their_own(
    record: Callable[..., Result], tmp_path: Path
) -> None:
    """Whoever puts the flop down has given the bet back, and whoever shows has come to the showdown."""
    played = ("f", "f", "f", "f", "r 400", "a", "7h2c9d", "4s", "8s", "s AhAd", "s KsKd")
    result = record(*(line.replace("Cy 500", "Cy 300") for line in SIX[:11]), *played)
    assert result.code == 0, result.out
    with open_ledger(str(tmp_path / "l"), read_only=True) as book:
        (row,) = book.hands()
        facts = [
            (type(entry.event).__name__, entry.mark is not None and entry.mark.basis)
            for entry in book.entries(row.stream)
        ]
    index = [name for name, _ in facts].index("BetReturned")
    names, marks = zip(*facts[index:], strict=True)
    assert names == ("BetReturned", *["BoardDealt"] * 3, "ShowdownBegun", "CardsShown", "CardsShown")
    assert [mark == "derived" for mark in marks] == [True, False, False, False, True, False, False]


def test_before_the_deal_nobody_is_to_act(record: Callable[..., Result]) -> None:
    last = json.loads(re.split(r"(?<=\n\})\n(?=\{)", record(*SIX[:9], options=("--format", "json")).out.strip())[-1])
    assert (last["stage"], last["moment"]["turn"]) == ("before the deal", None)


def test_whoever_is_seated_behind_the_deal_is_said_to_be_dealt_in(record: Callable[..., Result]) -> None:
    result = record(*SIX[:11], "seat 7 Kim 400")
    assert "was dealt in on this hand" in result.out
    assert "was dealt in" not in record(*SIX[11:], "hand 42", "seat 7 Kim 400").out


def test_a_game_that_is_not_understood_is_answered_with_the_option_as_it_should_be(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    games = {
        "1/2 holdem": "holdem no-limit cash blinds 1/2 unit USD 2",
        "limit 10/20": "holdem limit cash blinds 5/10 bets 10/20 unit USD 2",
        "pot-limit omaha 2/5": "omaha pot-limit cash blinds 2/5 unit USD 2",
        "some poker": "holdem no-limit cash blinds 2/5 unit USD 2",
    }
    for number, (typed_game, game) in enumerate(games.items()):
        place = ("record", "T9", "--venue", "V", "--ledger", str(tmp_path / f"l{number}"))
        result = run(*place, "--game", typed_game)
        assert result.code == 2
        assert f'--game "{game}"' in " ".join(result.err.split())
        assert run(*place, "--game", game).code == 0


def test_names_are_shown_and_never_obeyed(record: Callable[..., Result]) -> None:
    result = record("hand 1", r'seat 1 "\u{1b}[2J\u{202e}Eve" 100')
    assert "\x1b" not in result.out
    assert "\u202e" not in result.out


@pytest.mark.parametrize("hands", [4, pytest.param(26, marks=pytest.mark.slow)])
def test_the_packaged_evening_is_taken_line_by_line(record: Callable[..., Result], tmp_path: Path, hands: int) -> None:
    text = (ROOT / "cli" / "samples" / "riverside-nl-evening.hand").read_text()
    result = record(*"\nhand ".join(text.split("\nhand ")[: hands + 1]).splitlines())
    assert result.code == 0
    with open_ledger(str(tmp_path / "l"), read_only=True) as book:
        assert len(list(book.hands())) == hands
        assert not list(book.verify())


# on a terminal


class Terminal:
    """A person before `record`: presses keys and looks at the screen."""

    def __init__(self, end: int) -> None:
        self.end = end
        self.pressed = 0
        self.seen = ""

    def press(self, keys: str, expected_text: str) -> None:
        """Press keys and wait until the screen shows a text that it did not show before."""
        self.seen = ""
        os.write(self.end, keys.encode())
        self.pressed += len(keys)
        self.wait(expected_text)

    def wait(self, expected_text: str) -> None:
        end = time.monotonic() + 60
        while expected_text not in self.seen:
            assert time.monotonic() < end, f"no {expected_text!r} on the screen:\n{self.seen[-2000:]}"
            ready, _, _ = select.select([self.end], [], [], 1)
            if ready:
                events = os.read(self.end, 65536).decode("utf-8", "replace")
                self.seen += events
                if "\x1b[6n" in events:  # where the cursor is: without an answer each prompt waits a second for it
                    os.write(self.end, b"\x1b[1;1R")


@contextmanager
def terminal(*args: str) -> Iterator[Terminal]:
    """Run the program on a terminal of its own."""
    our_end, terminal_end = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "110", "LINES": "50", "NO_COLOR": "1"}
    with child(
        [sys.executable, "-m", "cli.main", *args], stdin=terminal_end, stdout=terminal_end, stderr=terminal_end, env=env
    ):
        os.close(terminal_end)
        yield Terminal(our_end)
    os.close(our_end)


@pytest.mark.slow
def test_a_hand_of_six_takes_fewer_than_thirty_keys_on_a_terminal(
    record: Callable[..., Result], tmp_path: Path
) -> None:
    record(*SIX)
    with terminal("record", "T7", "-r", "hilton", "--ledger", str(tmp_path / "l")) as person:
        person.wait("next hand 42")
        person.press("\r", "T7 42>")
        person.press("\r", "seat 5 fold")
        for seat in (6, 1, 2):
            person.press("f", f"seat {seat} fold")
        person.press("r15\r", "seat 3 fold")
        person.press("f", "seat 4 fold")
        person.press("c", "next: flop")
        person.press("\r", "seat 4 check")
        person.press("k", "seat 2 check")
        person.press("b20\r", "seat 4 fold")
        person.press("f", "next: seat 2 uncalled")
        person.press("\r", "next: seat 2 win")
        person.press("\r", "next: end")
        person.press("\r", "next hand 43")
        assert person.pressed < 30
        person.press("q\r", "To go on:")
    with open_ledger(str(tmp_path / "l"), read_only=True) as book:
        hand = next(row for row in book.hands() if row.number == "42")
        assert type(book.events(hand.stream)[-1]).__name__ == "HandCompleted"


@pytest.mark.slow
def test_a_word_that_begins_with_the_letter_of_a_key_is_no_key(record: Callable[..., Result], tmp_path: Path) -> None:
    record(*SIX[:11])
    with terminal("record", "T7", "-r", "hilton", "--ledger", str(tmp_path / "l")) as person:
        person.wait("seat 4 fold")
        person.press("floor-called\r", "13  floor-called")
        person.press("misdeal\r", "14  misdeal")
        person.press("\r", "seat 4 fold")
        person.press("c\r", "seat 5 fold")  # Enter belongs to the key: it confirms nothing
        person.press("ff", "seat 1 fold")
        person.press("q\r", "To go on:")
    with open_ledger(str(tmp_path / "l"), read_only=True) as book:
        (row,) = book.hands()
        event_names = [type(event).__name__ for event in book.events(row.stream)][11:]
    assert event_names == [
        "DealCompleted",
        "FloorCalled",
        "MisdealDeclared",
        "DealCompleted",
        "Called",
        "Folded",
        "Folded",
    ]
