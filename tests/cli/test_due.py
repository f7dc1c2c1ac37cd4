"""`handledger due`: a floor manager's screen, word by word, and what stands behind it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from cli.output import console
from tests.cli.conftest import Run


@pytest.fixture(scope="module")
def evening(sampled: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(shutil.copy(sampled, tmp_path_factory.mktemp("due")))


def section(text: str, name: str) -> list[str]:
    """The lines below a heading, up to the next."""
    lines = text.splitlines()
    start = lines.index(name) + 1
    end = next((index for index in range(start, len(lines)) if not lines[index].startswith(" ")), len(lines))
    return lines[start:end]


def test_the_coming_hand_says_positions_amounts_names_and_reasons(run: Run, evening: str) -> None:
    result = run("due", "T3", "-r", "hilton", "--ledger", evening)
    assert result.code == 0
    assert result.out.splitlines()[0] == "table T3  Riverside Cardroom  Limit Hold'em $10/$20"
    due = section(result.out, "positions")
    assert due[0].startswith("  button       seat 2 Jo: ")
    assert "[B11b.1]" in " ".join(due)
    assert any(line.startswith("  small blind  seat 3 Kim $5: ") for line in due)
    assert any(line.startswith("  big blind    seat 4 Lars $10: ") for line in due)
    assert "  acts first   seat 5 Mo, in the first round" in due
    seats = section(result.out, "seats")
    assert [line.split()[:2] for line in seats] == [
        ["2", "Jo"],
        ["3", "Kim"],
        ["4", "Lars"],
        ["5", "Mo"],
        ["7", "Nell"],
        ["8", "Otto"],
    ]


@pytest.mark.parametrize(
    ("table", "number_before", "book", "call"),
    [
        (
            "T3",
            "712",
            "rrop4",
            "Button seat 5 (Mo). Small blind $5 seat 7 (Nell), big blind $10 seat 8 (Otto). Kim may play for $10 live",
        ),
        ("T7", "", "hilton", "Button seat 5 (Eli). Small blind $2 seat 6 (Fay), big blind $5 seat 7 (Gus)."),
        ("Final", "", "hilton", "This game has no button and no blinds."),
    ],
)
def test_the_answer_comes_first_as_a_floor_calls_it_out(
    run: Run, evening: str, table: str, number_before: str, book: str, call: str
) -> None:
    hand = ("--before", number_before) if number_before else ()
    lines = run("due", table, *hand, "-r", book, "--ledger", evening).out.splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith("What ")) + 1
    assert " ".join(" ".join(lines[start:]).split()).startswith(call)


@pytest.mark.parametrize(
    ("book", "asks"),
    [
        ("hilton", "may play if it posts $10 live and $5 dead"),
        ("rrop4", "may play if it posts $10 live and $5 dead"),
        ("bicycle", "$10 live and $5 dead"),
    ],
)
def test_who_missed_blinds_hears_how_much_and_on_which_hands(run: Run, evening: str, book: str, asks: str) -> None:
    result = run("due", "T3", "--before", "712", "-r", book, "--ledger", evening)
    lines = section(result.out, "seats")
    index = next(n for n, line in enumerate(lines) if line.split()[:2] == ["3", "Kim"])
    text = " ".join(" ".join(lines[index : index + 12]).split())
    assert asks in text
    assert "hand 709" in text
    assert "hand 710" in text
    assert "posted       seat 3 Kim $10 (missed blinds)" in result.out, "what was done stands beside it"


def test_json_has_every_number_with_its_grounds(run: Run, evening: str) -> None:
    document = run(
        "due", "T3", "--before", "712", "-r", "hilton", "-r", "rrop4", "--ledger", evening, "--format", "json"
    ).document
    assert [book["name"] for book in document["books"]] == ["hilton", "rrop4"]
    assert document["recorded"]["button"] == 5
    for due in document["due"]:
        place = due["placements"][0]
        assert (place["button"], place["small"], place["big"]) == (5, 7, 8)
        assert all(ground["says"] for field in ("button_why", "small_why", "big_why") for ground in place[field])
        kim = next(seat for seat in due["seats"] if seat["seat"] == 3)
        assert [(missed_blind["role"], missed_blind["hand"]) for missed_blind in kim["missed"]] == [
            ("big", "709"),
            ("small", "710"),
        ]
        assert sum(post["live"] for post in kim["post"]) == 1000
        assert sum(post["dead"] for post in kim["post"]) == 500
        assert kim["why"] or kim["post"][0]["why"]


def test_lines_fit_the_terminal_and_names_are_harmless(run: Run, evening: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for width in (60, 80, 120):
        monkeypatch.setattr(console, "find_width", lambda width=width: width)
        result = run("due", "T3", "--before", "712", "-r", "hilton", "--ledger", evening)
        assert max(map(len, result.out.splitlines())) <= width
    hostile = run("due", "Vesta III", "-r", "rrop4", "--ledger", evening)
    assert "\x1b" not in hostile.out
    assert hostile.code == 0


def test_a_table_is_named_with_its_room_where_two_have_the_same_name(run: Run, evening: str) -> None:
    result = run("due", "T3", "-r", "hilton", "--ledger", evening)
    assert run("due", "Riverside Cardroom/T3", "-r", "hilton", "--ledger", evening).out == result.out
    wrong = run("due", "T3", "--before", "260511000008", "-r", "hilton", "--ledger", evening)
    assert wrong.code == 2
    assert "was played at table" in wrong.err
    assert "not at 'T3'" in wrong.err
    assert "Try: handledger due '\"Vesta III\"' --before " in wrong.err
    assert wrong.err.rstrip().endswith(" -r hilton")
    hand = run("due", "T3/712", "-r", "hilton", "--ledger", evening)
    assert (hand.code, "handledger due T3 --before T3/712" in hand.err) == (2, True)
    assert run("record", "T3/712", "--ledger", evening).code == 2


def test_a_reason_that_many_seats_share_is_said_once(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "gap.hand"
    seats = "".join(f"seat {n} P{n} 100\n" for n in range(1, 6))
    hand = (
        "\nhand {n}\n"
        + seats
        + "button 1\n2 posts small 1\n3 posts big 2\ndeal done\n4 folds\n5 folds\n1 folds\n2 folds\n3 uncalled 1\n3 wins 2 from main\nend\n"
    )
    path.write_text(
        "handscript 1\nvenue V  table T\nwitness everything\ngame holdem no-limit cash blinds 1/2 unit chips 0\n"
        + hand.format(n=1)
        + hand.format(n=7)
    )
    book = str(tmp_path / "x.ledger")
    run("import", str(path), "--ledger", book)
    lines = section(run("due", "T", "-r", "rrop4", "--ledger", book).out, "seats")
    assert sum("missing" in line for line in lines) == 1
    assert sum("can't tell, as seat" in line for line in lines) >= 2


def test_a_number_that_was_dealt_again_means_the_deal_that_counts(run: Run, tmp_path: Path) -> None:
    seats = "".join(f"seat {n} P{n} 100\n" for n in range(1, 6))
    hand_start = "\nhand {n}\n" + seats + "button {b}\n{s} posts small 1\n{g} posts big 2\n"
    first_ending = "deal done\n4 folds\n5 folds\n1 folds\n2 folds\n3 uncalled 1\n3 wins 2 from main\nend\n"
    second_ending = "deal done\n5 folds\n1 folds\n2 folds\n3 folds\n4 uncalled 1\n4 wins 2 from main\nend\n"
    path = tmp_path / "again.hand"
    path.write_text(
        "handscript 1\nvenue V  table T\nwitness everything\ngame holdem no-limit cash blinds 1/2 unit chips 0\n"
        + hand_start.format(n=1, b=1, s=2, g=3)
        + first_ending
        + (hand_start.format(n=2, b=2, s=3, g=4) + "misdeal other by dealer\nend\n")
        .replace("P2 100", "P2 99")
        .replace("P3 100", "P3 101")
        + (hand_start.format(n=2, b=2, s=3, g=4) + second_ending).replace("P2 100", "P2 99").replace("P3 100", "P3 101")
    )
    book = str(tmp_path / "x.ledger")
    run("import", str(path), "--ledger", book)
    result = run("due", "T", "--before", "2", "-r", "rrop4", "--ledger", book)
    assert result.code == 0
    assert "Hand 2 didn't count, so the button and blinds stay." in " ".join(result.out.split())
    judged = run("audit", "2", "-r", "rrop4", "--ledger", book, "--format", "json")
    assert '"findings":[]' in judged.out.replace(" ", "").replace("\n", "")


def test_who_changed_seats_in_lowball_hears_of_the_kill(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "lowball.hand"
    path.write_text(
        "handscript 1\nvenue V  table T\nwitness everything\noption button-method dead\n"
        "game triple-27 limit cash blinds 5/10 bets 10/20 unit chips 0\n\nhand 1\n"
        + "".join(f"seat {n} P{n} 100\n" for n in (1, 2, 3, 4, 5, 6, 8))
        + "button 1\n2 posts small 5\n3 posts big 10\ndeal done\n4 folds\n5 folds\n6 folds\n8 folds\n1 folds\n"
        "2 folds\n3 uncalled 5\n3 wins 10 from main\nend\n\nmoved P4 from 4 to 7\n"
    )
    book = str(tmp_path / "x.ledger")
    run("import", str(path), "--ledger", book)
    text = " ".join(" ".join(section(run("due", "T", "-r", "rrop4", "--ledger", book).out, "seats")).split())
    assert "may play if it kills the pot (the book gives no amount), or waits until" in text
    assert "posts an amount" not in text


def test_who_moved_and_owes_nothing_plays_without_a_post(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "moved.hand"
    path.write_text(
        "handscript 1\nvenue V  table T\nwitness everything\ngame holdem no-limit cash blinds 1/2 unit chips 0\n"
        "\nhand 1\n"
        + "".join(f"seat {n} P{n} 100\n" for n in (1, 2, 3, 4, 5, 6, 8))
        + "button 1\n2 posts small 1\n3 posts big 2\ndeal done\n4 folds\n5 folds\n6 folds\n8 folds\n1 folds\n"
        "2 folds\n3 uncalled 1\n3 wins 2 from main\nend\n\nmoved P6 from 6 to 7\n"
    )
    book = str(tmp_path / "x.ledger")
    run("import", str(path), "--ledger", book)
    lines = section(run("due", "T", "-r", "rrop4", "--ledger", book).out, "seats")
    assert [line.split(None, 3)[3] for line in lines if "7 P6" in line] == ["plays without a post"]


def test_a_hand_without_an_end_is_not_said_not_to_have_counted(run: Run, tmp_path: Path) -> None:
    """The game was stopped: whether the hand counts is open, and both answers are shown."""
    seats = "".join(f"seat {n} P{n} 100\n" for n in range(1, 6))
    path = tmp_path / "stopped.hand"
    path.write_text(
        "handscript 1\nvenue V  table T\nwitness everything\ngame holdem no-limit cash blinds 1/2 unit chips 0\n"
        f"\nhand 1\n{seats}button 1\n2 posts small 1\n3 posts big 2\ndeal done\n4 folds\n5 folds\n1 folds\n"
        f"2 folds\n3 uncalled 1\n3 wins 2 from main\nend\n"
        f"\nhand 2\n{seats}button 2\n3 posts small 1\n4 posts big 2\ndeal done\n5 folds\n".replace(
            "P2 100\nseat 3 P3 100\nseat 4 P4 100\nseat 5 P5 100\nbutton 2",
            "P2 99\nseat 3 P3 101\nseat 4 P4 100\nseat 5 P5 100\nbutton 2",
        )
    )
    book = str(tmp_path / "x.ledger")
    run("import", str(path), "--ledger", book)
    text = " ".join(run("due", "T", "-r", "hilton", "--ledger", book).out.split())
    assert "Hand 2 has no recorded end. If it didn't count, the button and blinds stay." in text
    assert "hand 2 did not count" not in text
    assert "or, by another reading" in text


SMALL_TABLE = """handscript 1
venue V  table T
witness everything
game holdem limit cash blinds 5/10 unit USD 2

hand 1
{seats}button 1
{small} posts small 5
{big} posts big 10
deal done
{folds}{big} uncalled 5
{big} wins 10 from main
end
"""


def sit_down(run: Run, folder: Path, text: str) -> str:
    path, ledger = folder / "small.hand", str(folder / "small.ledger")
    path.write_text(text)
    assert run("import", str(path), "--ledger", ledger).code == 0
    return ledger


@pytest.fixture
def joined(run: Run, tmp_path: Path) -> str:
    """Ann and Bob played heads-up; Joe sits down in seat 3."""
    hand = SMALL_TABLE.format(seats="seat 1 Ann 500\nseat 2 Bob 500\n", small=1, big=2, folds="1 folds\n")
    return sit_down(run, tmp_path, hand + "3 sits Joe walk-in stack 400\n")


@pytest.mark.parametrize("book", ["rrop4", "bicycle"])
def test_a_position_has_no_amount_that_another_seat_owes(run: Run, tmp_path: Path, book: str) -> None:
    seats = "seat 1 Ann 500\nseat 2 Bob 500\nseat 3 Cy 500\n"
    hand = SMALL_TABLE.format(seats=seats, small=2, big=3, folds="1 folds\n2 folds\n")
    leaves = "2 leaves Bob\n2 sits Kim walk-in stack 400\n"
    ledger = sit_down(run, tmp_path, hand + leaves)
    output = run("due", "T", "-r", book, "--ledger", ledger).out
    for reading in re.split(r"(?m)^  or, |^  If ", output.partition("positions")[2]):
        paid = re.findall(r"seat (\d) \w+ posts (\$\d+)", reading)
        matches = re.findall(r"blind +seat (\d) \w+ (\$\d+)", reading)
        assert all(amount == dict(paid).get(seat, amount) for seat, amount in matches), reading
    if book == "rrop4":
        assert "or, if seat 2 Kim takes the big blind\n" in output
        assert not re.search(r"blind +seat \d \w+:", output), "a blind's line names who posts it"
        assert "gets no cards by the first reading" in output, "another reading gives Kim the big blind"


def test_who_chooses_is_said_where_readings_deal_in_other_players(run: Run, joined: str) -> None:
    result = run("due", "T", "-r", "rrop4", "--ledger", joined)
    text = " ".join(result.out.split())
    takes = "If seat 3 Joe takes the big blind: button seat 1 Ann, small blind seat 2 Bob, big blind seat 3 Joe."
    waits = "If seat 3 Joe waits: button seat 2 Bob, small blind seat 2 Bob, big blind seat 1 Ann."
    assert takes in text
    assert waits in text
    assert "or, if seat 3 Joe waits button" in text
    assert "by another reading" not in text
    choices = run("due", "T", "-r", "rrop4", "--ledger", joined, "--format", "json").document["due"][0]["choices"]
    assert [(choice["dealt"], choice["waiting"]) for choice in choices] == [([1, 2, 3], []), ([1, 2], [3])]
    floor = " ".join(run("floor", "T", "-r", "rrop4", "--ledger", joined).out.split())
    assert takes in floor
    assert waits in floor
    assert "or, if seat 3 Joe waits: button seat 2 Bob" in floor


@pytest.mark.parametrize("book", ["hilton", "rrop4"])
def test_each_way_to_come_in_is_said_once(run: Run, joined: str, book: str) -> None:
    lines = section(run("due", "T", "-r", book, "--ledger", joined).out, "seats")
    joe = " ".join(" ".join(lines[next(n for n, line in enumerate(lines) if "3 Joe" in line) :]).split())
    assert "may play at once, has the big blind" in joe
    assert "waits for the big blind" not in joe


def test_who_acts_first_and_last_names_the_rounds(run: Run, evening: str) -> None:
    """Heads-up, one player acts first in the first round and last afterwards: both lines must say so."""
    due = section(run("due", "T3", "-r", "hilton", "--ledger", evening).out, "positions")
    assert any(re.fullmatch(r"  acts first   .*, in the first round", line) for line in due)
    assert any(re.fullmatch(r"  acts last    .*, in later rounds, if nobody folds", line) for line in due)


def test_a_doubt_and_a_reason_are_said_once(run: Run, tmp_path: Path) -> None:
    """Three positions with the same reason say it once; what the book leaves open, and the doubt, stand in the call."""
    hands = tmp_path / "open.hand"
    hands.write_text(
        "handscript 1\nvenue Test  table H\nwitness everything\ngame holdem no-limit cash blinds 1/2 unit USD 2\n"
        "hand 1\nseat 1 Ana 100\nseat 2 Bo 100\nseat 3 Cy 100\nbutton 1\n2 posts small 1\n3 posts big 2\ndeal done\n"
        "1 folds\n2 folds\n3 uncalled 1\n3 wins 2\nend\n"
        "hand 2\nseat 1 Ana 100\nseat 2 Bo 99\nseat 3 Cy 101\nbutton 2\n3 posts small 1\n1 posts big 2\ndeal done\n2 folds\n"
    )
    ledger = str(tmp_path / "open.ledger")
    run("import", str(hands), "--ledger", ledger)
    shown = run("due", "H", "-r", "hilton", "--ledger", ledger).out
    assert shown.count("Likely, not certain") == 1
    assert " ".join(shown.split()).count("If it didn't count, the button and blinds stay.") == 1
    assert "the reason is below" not in shown
