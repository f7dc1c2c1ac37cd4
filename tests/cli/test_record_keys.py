"""`record` by keys: how few seat a table and play a hand, what can be taken back, and what is proposed."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.recording.author import Author
from ledger.recording.keys import INSTANT_KEYS
from ledger.recording.recorder import Recorder
from ledger.recording.running_hand import find_last_settings
from ledger.store import open as open_ledger
from projections.live.live_session import TableSession
from tests.cli.conftest import Result, Run
from tests.cli.test_record import terminal

GAME = ("--venue", "V", "--game", "holdem no-limit cash blinds 2/5 unit USD 2", "--seats", "9")
FIVE = ("1 Ana 500", "2 Bo 500", "3 Cy 500", "4 Dee 500", "5 Eve 500")
DEALT = (*FIVE, "b1", ".")
WON = ("f", "f", "f", "f", ".", ".", ".")
"""All fold to the big blind, whose bet goes back; the pot, the end."""


@pytest.fixture
def record(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Record lines of a table, as a program sends them."""

    def typed(*lines: str) -> Result:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return run("record", "T7", *GAME, "--ledger", str(tmp_path / "l"))

    return typed


def hands(folder: Path) -> list[tuple[str, list[str]]]:
    """Return the hands of the ledger with the kinds of their events."""
    with open_ledger(str(folder / "l"), read_only=True) as book:
        return [(row.number, [type(event).__name__ for event in book.events(row.stream)]) for row in book.hands()]


def pressed(lines: tuple[str, ...]) -> int:
    """Return how many keys lines take on a terminal: a dot is Enter alone, and some keys need none."""
    running, count = False, 0
    for line in lines:
        running = running or line == "b1"
        count += 1 if line == "." or (running and line in INSTANT_KEYS) else len(line) + 1
    return count


def test_seating_five_and_dealing_takes_at_most_sixty_keys(record: Callable[..., Result], tmp_path: Path) -> None:
    result = record(*DEALT)
    assert (result.code, "✗" in result.out) == (0, False)
    assert pressed(DEALT) <= 60
    ((number, kinds),) = hands(tmp_path)
    assert number == "1"
    assert kinds[-4:] == ["ButtonPlaced", "BlindPosted", "BlindPosted", "DealCompleted"]
    assert "  9  2 posts small 2" in result.out
    assert " 10  3 posts big 5" in result.out


def test_several_players_are_seated_on_one_line_and_verbs_are_no_names(record: Callable[..., Result]) -> None:
    result = record("1 Mrs. Chen 500, 2 Bo 350.50", "2 adds 100", "b2")
    assert '1 sits "Mrs. Chen" stack 500' in result.out
    assert "2 Bo 450.50" in result.out, "a verb buys chips"
    assert "  5  button 2" in result.out
    assert "  6  2 posts small 2" in result.out, "two players: the button has the small blind"


@pytest.mark.parametrize(("line", "cause"), [("b9", "seat 9"), ("b1", "only one player")])
def test_a_button_that_cannot_be_is_refused(record: Callable[..., Result], line: str, cause: str) -> None:
    result = record("1 Ana 500", line)
    assert result.code == 3
    assert cause in result.out


def test_the_button_of_a_later_hand_follows_from_the_last_one(
    record: Callable[..., Result], run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(*DEALT, *WON)
    monkeypatch.setattr("sys.stdin", io.StringIO("b3\n"))
    result = run("record", "T7", "-r", "hilton", "--ledger", str(tmp_path / "l"))
    assert result.code == 3
    assert "the button moves by the rulebook" in result.out


def test_a_player_who_was_seated_wrongly_is_taken_back(record: Callable[..., Result], tmp_path: Path) -> None:
    result = record(*FIVE[:4], "5 Eva 500", "u", "5 Eve 500", "b1", ".")
    assert "taken back" in result.out
    assert result.code == 0
    assert "  7  seat 5 Eve 500" in result.out
    assert "seat 5 Eva" not in result.out
    assert len(hands(tmp_path)) == 1


def test_the_end_of_a_hand_is_taken_back_and_the_hand_runs_again(
    record: Callable[..., Result], run: Run, tmp_path: Path
) -> None:
    result = record(*DEALT, *WON, "u", "u", "2 wins 4", "end")
    assert "taken back: the hand runs again" in result.out
    assert "taken back: 3 wins 4" in result.out
    ((_, kinds),) = hands(tmp_path)
    assert (kinds.count("HandCompleted"), kinds.count("CorrectionMade")) == (2, 2), "all of it stays on record"
    log = run("log", "--ledger", str(tmp_path / "l")).out
    assert "→ Bo" in log
    assert run("verify", "--ledger", str(tmp_path / "l")).code == 0
    assert "button seat 2" in " ".join(run("due", "T7", "-r", "hilton", "--ledger", str(tmp_path / "l")).out.split())


def test_nothing_is_taken_back_at_an_empty_table(record: Callable[..., Result]) -> None:
    result = record("1 Ana 500", "u", "u")
    assert result.code == 3
    assert "there is nothing to take back" in result.out


SHOWDOWN = (*DEALT, "f", "f", "c", "c", "k", "AhKd7s", "k", "k", "k", "2c", "k", "k", "k", "9d", "k", "k", "k")


def test_who_wins_is_paid_what_lies_in_the_pot(record: Callable[..., Result]) -> None:
    result = record(*SHOWDOWN, ".", "3 wins", ".")
    assert result.code == 0
    assert "3 wins 15" in result.out
    assert "the hand is over" in result.out


def test_who_mucked_is_offered_nothing(record: Callable[..., Result], run: Run, tmp_path: Path) -> None:
    record(*SHOWDOWN, ".", "1 mucks")
    output = record("2 mucks").out
    assert "✗" not in output
    result = record(".")
    assert "3 wins 15" in result.out, "the last who holds cards is proposed"


def test_after_a_muck_a_seat_has_no_choice(record: Callable[..., Result], run: Run, tmp_path: Path) -> None:
    record(*SHOWDOWN, ".", "1 mucks")
    with open_ledger(str(tmp_path / "l")) as book:
        row = next(book.hands())
        recorder = Recorder(book, *find_last_settings(book, row.venue, row.table, ""), Author(name="record"))
        choices = TableSession(recorder, []).document().choices
    assert {choice.seat for choice in choices} == {2, 3}
    assert {choice.label for choice in choices if choice.word == "win"} == {"win $15"}


@pytest.mark.slow
def test_the_keys_do_on_a_terminal_what_they_do_in_a_pipe(tmp_path: Path) -> None:
    with terminal("record", "T7", *GAME, "-r", "hilton", "--ledger", str(tmp_path / "l")) as person:
        person.wait("between hands: seat the players")
        for line in FIVE:
            person.press(f"{line}\r", f"{line[0]} {line.split()[1]}")
        person.press("u\r", "taken back")
        person.press(f"{FIVE[4]}\r", "5 Eve")
        person.press("b1\r", "next: ")
        person.press("\r", "seat 4 fold")
        assert person.pressed - len("u\r") - len(FIVE[4]) - 1 <= 60
        for seat in (5, 1, 2):
            person.press("f", f"seat {seat} fold")
        person.press("f", "next: seat 3 uncalled")
        person.press("\r", "next: seat 3 win $4")
        person.press("\r", "next: end")
        person.press("\r", "next hand 2")
        person.press("u\r", "the hand runs again")
        person.press("end\r", "next hand 2")
        person.press("q\r", "To go on:")
    ((number, kinds),) = hands(tmp_path)
    assert (number, kinds[-1], kinds.count("SeatDealtIn")) == ("1", "HandCompleted", 5)


def test_without_a_book_the_button_begins_a_hand_of_the_same_players(
    record: Callable[..., Result], tmp_path: Path
) -> None:
    result = record(*DEALT, *WON, "b2", ".")
    assert result.code == 0
    assert "  8  button 2" in result.out
    assert "  9  3 posts small 2" in result.out
    assert "  4  seat 2 Bo 498" in result.out
    result = record("f", "f", "f", "f", ".", ".", ".", "5 leaves", "b3")
    assert result.code == 3
    assert "who posts what depends on the rulebook" in " ".join(result.out.split())
    assert len(hands(tmp_path)) == 2


@pytest.mark.parametrize(
    ("before", "typed", "sentence", "step"),
    [
        ((), "f", "no hand is running at T7; f (fold) needs one", "Begin with a line: hand NUMBER. In `record`, Enter takes the proposed hand."),
        ((), "7h2cKd", "no hand is running at T7; cards need one", "Begin with a line: hand NUMBER. In `record`, Enter takes the proposed hand."),
        (FIVE, "7 leaves", "nobody sits in seat 7", "To seat a player there: 7 Ana 500"),
        ((*FIVE, "b1"), "f", "it isn't time to fold", "The cards aren't dealt yet: press Enter when they are."),
        (DEALT, "7h2cKd", "no board is due here", "Seat 4 faces a bet: fold, call, raise or all-in."),
        (DEALT, "k", "it isn't time to check", "Seat 4 faces a bet: fold, call, raise or all-in."),
        ((*DEALT, "f", "f", "f", "c", "k"), "b 20", "it isn't time to bet", "The betting is over: type the flop: three cards"),
        ((*DEALT, "f", "f", "f", "c", "k"), "7h2cKx", "Kx isn't a card", "A card is rank and suit, as in Kd."),
        ((*DEALT, "f", "f", "f", "c", "k"), "7h2cKd4s", "the flop is three cards", "If the dealer turned 4, write: flop 7h 2c Kd 4s"),
        ((*DEALT, "f", "f", "f", "c", "k", "7h2cKd", "k", "k"), "7h2cKs", "the turn is one card", "To replace the flop, take it back first: u"),
        ((*DEALT, "f", "f", "f", "c", "k", "7h2cKd", "k", "k"), "c", "it isn't time to call or check", "The betting is over: type the turn card, as in As."),
    ],
)  # fmt: skip
def test_a_wrong_key_is_answered_with_what_is_due(
    record: Callable[..., Result], before: tuple[str, ...], typed: str, sentence: str, step: str
) -> None:
    answer = record(*before, typed).out.split("✗ ")
    assert len(answer) == 2, "only the last line is refused"
    assert answer[1].splitlines()[0] == sentence
    assert answer[1].splitlines()[1].startswith(f"  {step}")
