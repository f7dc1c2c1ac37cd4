"""A night as people write it: what is plain is understood, the rest is answered with the right line."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.account import Account, Reject, TableAccount, read_detail, write_detail
from ledger.formats.handscript import FORMAT, read_with_comments, write_told
from ledger.notation import Chunk
from ledger.people import People

HEADER = """\
handscript 1
venue "Riverside Cardroom" table T5 seats 9
witness live-table
game holdem no-limit cash blinds 2/5 unit USD 2
"""
SEATED = """
hand 12 2026-11-22T02:55:00-05:00
seat 1 Maria 500
seat 3 Joe 400
seat 5 Al 220
seat 8 "Old Tom" 310
button 8
"""
DEALT = SEATED + "1 posts small 2\n3 posts big 5\ndeal done\n"
FLOP = DEALT + "5 folds\n8 folds\n1 calls\n3 checks\nburn flop\nflop Ah 7c 2d\n"

UNDERSTOOD = [
    # who sits
    ("", "Seat 3: Joe ($400)", "seat 3 Joe 400"),
    ("", "seat 3 Joe $1,400.50", "seat 3 Joe 1400.50"),
    ("", "Seat 8: Old Tom (310 in chips)", 'seat 8 "Old Tom" 310'),
    ("", "seat 8 Old Tom 310", 'seat 8 "Old Tom" 310'),
    ("", "seat 8 Man of War 310", 'seat 8 "Man of War" 310'),
    ("", "seat 8 “Tom” 310", "seat 8 Tom 310"),
    ("", "seat 3 Joe with 400", "seat 3 Joe 400"),
    (SEATED, "button 8 seat", "button 8"),
    (SEATED, "Button: 8", "button 8"),
    (SEATED, "dealer is seat 8", "button 8"),
    (SEATED, "button Old Tom", "button 8"),
    (SEATED, "btn 8", "button 8"),
    # words with a hyphen
    (FLOP, "noticed double burn by dealer", "noticed double-burn by dealer"),
    (DEALT, "Floor called", "floor-called"),
    (DEALT, "5 timed out", "5 timed-out"),
    (SEATED, "4 sits Kim walk in stack 400", "4 sits Kim walk-in stack 400"),
    (SEATED, "5 posts missed big blind 5", "5 posts makeup-big 5"),
    (SEATED, "Al makes up the small blind $2", "5 posts makeup-small 2"),
    (DEALT, "misdeal exposed card", "misdeal exposed-card"),
    # posts
    (SEATED, "1 posts sb 2", "1 posts small 2"),
    (SEATED, "joe posts the big blind $5", "3 posts big 5"),
    (SEATED, "Joe: posts big blind $5", "3 posts big 5"),
    (SEATED, "5 straddle 10", "5 straddles 10"),
    (SEATED, "Old Tom antes $1", "8 antes 1"),
    # acts
    (DEALT, "Joe bets $20", "3 bets 20"),
    (DEALT, "joe folds", "3 folds"),
    (DEALT, "old tom folds", "8 folds"),
    (DEALT, "seat 5 folds", "5 folds"),
    (DEALT, "Seat 5: folded", "5 folds"),
    (DEALT, "5 fold", "5 folds"),
    (DEALT, "5 raise to 40", "5 raises to 40"),
    (DEALT, "5 raised it to $40", "5 raises to 40"),
    (DEALT, "5 makes it 40", "5 raises to 40"),
    (DEALT, "Al raises $35 to $40", "5 raises to 40"),
    (DEALT, "5 raises from 5 to 40", "5 raises to 40"),
    (DEALT, "5 raises to 220 and is all in", "5 raises to 220 all-in"),
    (DEALT, "5 RAISES TO 40", "5 raises to 40"),
    (DEALT, "5 raises to 1,200", "5 raises to 1200"),
    (DEALT, "5 moves 300 chips 100,100,100", "5 moves 300 chips 100/100/100"),
    (DEALT, "5 moves 1000 chips 500, 500", "5 moves 1000 chips 500/500"),
    (DEALT, "5 moves 1,200 chips 1,200", "5 moves 1200 chips 1200"),
    (DEALT, "5 is away", "5 away"),
    (DEALT, "5 killed cannot cover", "5 killed cannot-call"),
    # cards
    (SEATED, "deal", "deal done"),
    (SEATED, "cards dealt", "deal done"),
    (DEALT, "burn", "burn flop"),
    (FLOP, "burn", "burn turn"),
    (DEALT, "flop: Ah 7c 2d", "flop Ah 7c 2d"),
    (DEALT, "Flop [Ah 7c 2d]", "flop Ah 7c 2d"),
    (DEALT, "flop Ah, 7c, 2d", "flop Ah 7c 2d"),
    (DEALT, "flop A♥ 7♣ 2♦", "flop Ah 7c 2d"),
    (DEALT, "flop is ah 10c 2D", "flop Ah Tc 2d"),
    (FLOP, "turn card 10h", "turn Th"),
    (FLOP, "Maria shows Kh, Qh", "1 shows Kh Qh"),
    (FLOP, "1 won $8", "1 wins 8"),
    (FLOP, "remark he said he had called", 'remark "he said he had called"'),
]

ANSWERED = [
    (SEATED, "1 posts 2", "1 posts small 2", ""),
    (SEATED, "3 posts 5 big", "3 posts big 5", ""),
    (SEATED, "4 Kim 300", "seat 4 Kim 300", ""),
    (SEATED, "seat 4 Kim", "seat 4 Kim ?", ""),
    (SEATED, "5 posts smal 2", "5 posts small 2", ""),
    (SEATED, "button", "button SEAT", ""),
    (DEALT, "5 raises 40", "5 raises to 40", "5 raises to 45"),
    (DEALT, "5 raises by 40", "5 raises to 45", ""),
    (DEALT, "raises to 40", "5 raises to 40", ""),
    (DEALT, "folds", "5 folds", ""),
    (DEALT, "5 all-in", "5 raises to 220 all-in", ""),
    (DEALT, "Joe shoves", "3 raises to 400 all-in", ""),
    (DEALT, "5 bets", "5 bets AMOUNT", ""),
    (DEALT, "5 raises", "5 raises to TOTAL", ""),
    (DEALT, "5 flods", "5 folds", ""),
    (DEALT, "fold 5", "5 folds", ""),
    (DEALT, "Bob folds", "", "Nobody called Bob is dealt in; seats: 1 Maria, 3 Joe, 5 Al, 8 Old Tom."),
    (
        DEALT,
        "Mario raises to 20",
        "",
        "Nobody called Mario is dealt in; seats: 1 Maria, 3 Joe, 5 Al, 8 Old Tom. Did you mean Maria? Then write: 1 raises to 20",
    ),
    (
        DEALT,
        "flop Kx 7d 2c",
        "",
        "A card is its rank and its suit (c, d, h or s), as in Kh. Write ?? for one that nobody saw.",
    ),
    (DEALT, "5 bets €20", "5 bets AMOUNT", "The amounts of this table are in USD, not in €."),
    (DEALT, "5 bets 1,20", "5 bets AMOUNT", "Amounts are written 1200 or 12.50."),
    (DEALT, "flop Ah 7x 2d", "", ""),
    (DEALT, "board Ah 7c 2d", "flop Ah 7c 2d", ""),
    (DEALT, "said I saw it seat 3", 'said "I saw it" seat 3', ""),
    (DEALT, "3 says call loudly", '3 says call as "call loudly"', ""),
    (DEALT, "3 says I fold", '3 says fold as "I fold"', ""),
    (DEALT, "3 says hello", "3 says WHAT", ""),
    (DEALT, "3 folds out of turn", "3 folds", ""),
    (DEALT, "5 exposes Ah", "exposed Ah seat 5", ""),
    (DEALT, "5 clock", "clock 5", ""),
    (FLOP, "1 and 3 chop", "", "Write what each of them is paid: 6 wins 50; 8 wins 50."),
    (DEALT, "time called on seat 5", "clock 5", ""),
    (DEALT, "Joe calls time", "clock 3", ""),
    (DEALT, "card exposed Ah seat 5", "exposed Ah seat 5", ""),
    (DEALT, "5 card exposed", "exposed ?? seat 5", ""),
]


@pytest.fixture
def people() -> People:
    return People(b"p" * 32)


def items(text: str, people: People):
    return list(FORMAT.read(Chunk(text.encode()), people))


def only(preceding: str, line: str) -> str:
    return HEADER + (preceding or "\nhand 12\n") + line + "\n"


@pytest.mark.parametrize(("preceding", "line", "expected_line"), UNDERSTOOD)
def test_what_is_plain_is_understood_and_is_the_line_of_the_notation(people, preceding, line, expected_line):
    (hand,) = items(only(preceding, line), people)
    (expected_hand,) = items(only(preceding, expected_line), people)
    assert isinstance(hand, Account), hand
    assert hand.events == expected_hand.events
    assert write_told(hand, people).splitlines()[-2] == expected_line
    (item,) = read_with_comments(write_told(hand, people), people)
    assert item.told.events == hand.events


@pytest.mark.parametrize(("preceding", "line", "expected_line", "hint"), ANSWERED)
def test_what_is_in_doubt_is_answered_with_the_right_line(people, preceding, line, expected_line, hint):
    (reject,) = items(only(preceding, line), people)
    (problem,) = reject.problems
    assert (problem.line, problem.write) == (only(preceding, line).count("\n"), expected_line)
    assert hint in problem.hint
    if expected_line and not any(word.isupper() for word in expected_line.split() if word != "Ah"):
        assert isinstance(items(only(preceding, expected_line), people)[0], Account)


def test_all_that_is_wrong_with_a_file_is_said_at_once(people):
    text = (
        HEADER
        + DEALT
        + "5 raises 40\n8 flods\n1 folds\nend\n"
        + "\nhand 13 3:02am\nseat 1 Maria 500\nseat 3 Joe 400\nbutton 1\n3 bets\nend\n"
        + DEALT.replace("hand 12", "hand 14")
        + "5 folds\nend\n"
    )
    first, second, third = items(text, people)
    assert [(p.line, p.write) for p in first.problems] == [(15, "5 raises to 40"), (16, "8 folds")]
    assert [(p.line, p.write) for p in second.problems] == [
        (20, "hand 13 2026-11-22T03:02:00-05:00"),
        (24, "3 bets AMOUNT"),
    ]
    assert all(p.form for p in (*first.problems, *second.problems))
    assert isinstance(third, Account)


def test_of_a_suggested_time_it_is_said_what_nobody_told(people):
    """The room's zone, and without a date the day, are no more than an example: pasted, they would be wrong."""
    day, clock, known_day = (
        items(HEADER + preceding + DEALT.replace("hand 12 2026-11-22T02:55:00-05:00", line) + "end\n", people)[
            -1
        ].problems[0]
        for preceding, line in (
            ("", "hand 13 - 2026-11-23 03:02"),
            ("", "hand 13 3:02am"),
            (DEALT + "end\n", "hand 13 3:02am"),
        )
    )
    assert day.write == "hand 13 2026-11-23T03:02:00-05:00"
    assert day.hint == "In place of -05:00 write how far the room's clock is from UTC."
    assert clock.hint.startswith("In place of 2026-11-22 write the day, and in place of -05:00 ")
    assert (known_day.write, known_day.hint) == ("hand 13 2026-11-22T03:02:00-05:00", "")


def test_seats_are_listed_under_their_names_as_they_are(people):
    text = HEADER + "hand 1\nseat 1 McCoy 100\nseat 2 kestrel_9 100\nBob folds\nend\n"
    [hand] = items(text, people)
    assert hand.problems[0].hint == "Nobody called Bob is dealt in; seats: 1 McCoy, 2 kestrel_9."


def test_the_header_and_what_stands_below_it_are_said_at_once(people):
    text = HEADER.replace("live-table", "live-table except burn").replace("game holdem no-limit cash ", "")
    rejects = items(text + DEALT + "5 flods\nend\n" + DEALT + "5 folds\nend\n", people)
    assert [type(item) for item in rejects] == [Reject, Reject]
    assert [p.write for p in rejects[0].problems] == [
        "witness live-table except burns",
        "game holdem no-limit cash blinds 2/5 unit USD 2",
        "5 folds",
    ]
    assert [p.line for p in rejects[1].problems] == [3]  # all else of it is right


def test_a_header_as_people_write_it(people):
    text = (HEADER + DEALT + "end\n").replace(
        'venue "Riverside Cardroom" table T5 seats 9', "Room: Riverside Cardroom, table: T5 seats 9"
    )
    canonical, natural = items(HEADER + DEALT + "end\n", people)[0], items(text, people)[0]
    assert natural.events == canonical.events
    records = (HEADER + DEALT + "end\n").replace("witness live-table", "records live-table")
    assert items(records, people)[0].events == canonical.events


def test_all_is_witnessed_except_what_is_named(people):
    for phrase in ("all except burns shuffles", "everything except burns,shuffles", "all except burns, shuffles"):
        (hand,) = items((HEADER + DEALT).replace("live-table", phrase), people)
        (round_trip,) = items(write_told(hand, people), people)
        assert round_trip.opened.witnesses == hand.opened.witnesses
        assert hand.opened.witnesses & ~round_trip.opened.witnesses == 0
    assert "burns" not in write_told(hand, people).split("\n")[2].split()


def test_hand_lines_as_people_write_them(people):
    for line in ("Hand 12:", "HAND 12", "hand12"):
        (hand,) = items((HEADER + DEALT).replace("hand 12 2026-11-22T02:55:00-05:00", line), people)
        assert hand.opened.number == "12"
    for line in ("end hand", "End of hand", "hand over"):
        (hand,) = items(HEADER + DEALT + line + "\n", people)
        assert type(hand.events[-1]).__name__ == "HandCompleted"


def test_a_hand_without_its_first_line_is_said_once(people):
    (reject,) = items(HEADER + "seat 1 Maria 500\nseat 3 Joe 400\nbutton 1\n", people)
    assert [(p.line, "hand 412" in p.hint) for p in reject.problems] == [(5, True)]


def test_facts_about_the_table_stay_facts_about_the_table(people):
    table, hand = items(HEADER + "5 away\n" + DEALT, people)
    assert isinstance(table, TableAccount)
    assert isinstance(hand, Account)


@pytest.mark.parametrize(
    ("line", "expected_line"),
    [
        ("4 is established", "4 established"),
        ("Seat 4: established", "4 established"),
        ("4 owes the small and big blind", "4 owes small big"),
        ("4 owed bb", "4 owes big"),
        ("4 owes blinds", "4 owes"),
        ("5 is away since hand 28", "5 away-since 28"),
        ('5 out since 28 player "Old Tom"', '5 away-since 28 player "Old Tom"'),
    ],
)
def test_what_lies_before_the_record_is_told_above_its_first_hand(people, line, expected_line):
    table, hand = items(f"{HEADER}{line}\n{DEALT}", people)
    (canonical, _) = items(f"{HEADER}{expected_line}\n{DEALT}", people)
    assert isinstance(table, TableAccount)
    assert table.events == canonical.events
    assert expected_line in write_told(table, people).splitlines()
    assert isinstance(hand, Account)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("4 is new", "4 sits PLAYER"),
        ("4 owes 15", "SEAT owes [big|extra|small ...] [player PLAYER]"),
        ("5 away since 10pm", "the number of a hand, not a time"),
        ("5 away-since 22:10", "the number of a hand, not a time"),
    ],
)
def test_what_is_not_told_so_of_the_time_before_is_answered(people, line, answer):
    reject = next(iter(items(f"{HEADER}{line}\n{DEALT}", people)))
    (problem,) = reject.problems
    assert answer in (problem.write, problem.form) or answer in problem.reason


@pytest.mark.parametrize(
    ("line", "expected_line"),
    [
        ("2 moves to 7", "moved PLAYER from 2 to 7"),
        ("seat 2 moved to seat 7", "moved PLAYER from 2 to 7"),
        ("2 moves from 2 to 7", "moved PLAYER from 2 to 7"),
        ("Joe moves from 3 to 7", "moved Joe from 3 to 7"),
        ("Old Tom changes from 8 to 7", 'moved "Old Tom" from 8 to 7'),
    ],
)
def test_a_seat_change_is_answered_with_its_line(people, line, expected_line):
    reject = next(iter(items(f"{HEADER}{line}\n{DEALT}", people)))
    assert [problem.write for problem in reject.problems] == [expected_line]
    assert "PLAYER" not in {name for _, name in people.names.values()}


def test_what_lies_before_the_record_is_no_line_of_a_hand(people):
    (reject,) = items(f"{HEADER}{DEALT}4 owes big\nend\n", people)
    (problem,) = reject.problems
    assert "4 owes is about the table, not a hand" in problem.reason
    assert "above the line that begins the hand" in problem.hint


def test_a_name_that_was_read_otherwise_is_not_learned(people):
    items(only("", "seat 8 Old Tom 310"), people)
    assert {name for _, name in people.names.values()} == {"Old Tom"}


def test_two_of_one_name_are_told_apart_by_their_seats(people):
    text = only(DEALT.replace("Al 220", "joe 220"), "joe folds")
    (reject,) = items(text, people)
    assert reject.problems[0].write == ""


def test_of_a_section_that_is_all_wrong_the_first_lines_are_said(people):
    (reject,) = items(HEADER + "hand 1\n" + "1 dances\n" * 300, people)
    assert len(reject.problems) == 101
    assert reject.problems[-1].reason == "and 200 more lines, which were not looked at"


@given(
    st.lists(
        st.sampled_from(
            [
                "seat",
                "3",
                "Joe",
                "joe",
                "$400",
                "1,200",
                "raises",
                "raise",
                "to",
                "by",
                "40",
                "all",
                "in",
                "(",
                ")",
                "Ah",
                "10h",
                "flop:",
                "the",
                "?",
                "-",
                "posts",
                "2/5",
                "button",
                "burn",
                '"x y"',
                "a@b",
                "hand",
                "end",
                "shoves",
            ]
        ),
        min_size=1,
        max_size=7,
    )
)
def test_no_words_are_too_odd_to_be_answered(words):
    people = People(b"p" * 32)
    items_read = items(only(DEALT, " ".join(words)), people)
    assert items_read
    for item in items_read:
        if isinstance(item, Reject):
            assert item.problems
            assert read_detail(write_detail(item)) == (item.reason, item.hint, item.problems)
        else:
            text = write_told(item, people)
            assert [entry.told.events for entry in read_with_comments(text, people)] == [item.events]


def test_what_an_older_ledger_keeps_of_a_reject_is_read():
    assert read_detail("the reason\nthe hint") == ("the reason", "the hint", ())
    assert read_detail("two\nlines\n[[ no list") == ("two\nlines", "[[ no list", ())


def _count_calls(players: int, lines: int) -> int:
    """Count what Python calls while it reads a table of so many players, then lines that nobody can read."""
    seated = "".join(f"{seat} sits Player{seat} stack 100\n" for seat in range(1, players + 1))
    refused = "".join(f"{number % 9 + 1} zoom\n" for number in range(lines))
    chunk = Chunk(f"handscript 1\n{seated}{refused}".encode())
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    profiler_before = sys.getprofile()
    sys.setprofile(count)
    try:
        list(FORMAT.read(chunk, People(bytes(32))))
    finally:
        sys.setprofile(profiler_before)
    return calls


@pytest.mark.slow
def test_a_line_costs_no_more_at_a_table_of_many_players() -> None:
    """The names of a table are built once: 700 lines among 99 players were too much work."""
    for players in (9, 30):
        _count_calls(players, 20)  # compiles patterns of these names
    few, many = (_count_calls(players, 60) - _count_calls(players, 20) for players in (9, 30))
    assert many < 1.02 * few


def test_a_name_is_known_from_the_line_that_seats_it_to_the_one_that_frees_it() -> None:
    """The names of a table are kept from line to line only while the table stays as it is."""
    lines = ("1 sits Ana stack 100", "Ana leaves", "1 sits Bo stack 100", "moved Bo from 1 to 2", "Bo leaves")
    text = HEADER + "".join(f"{line}\n" for line in lines)
    (facts,) = FORMAT.read(Chunk(text.encode()), People(bytes(32)))
    assert isinstance(facts, TableAccount)
    assert [type(event).__name__ for event in facts.events] == [
        *("SeatTaken", "SeatLeft", "SeatTaken", "SeatMoved", "SeatLeft")
    ]
    text_after_leaving = HEADER + "1 sits Ana stack 100\nAna leaves\nAna leaves\n"
    (refused,) = FORMAT.read(Chunk(text_after_leaving.encode()), People(bytes(32)))
    assert isinstance(refused, Reject)
