"""Words that can't be read: a card that is none, and a name that nobody has, are named with what to write."""

from __future__ import annotations

import pytest

from ledger.formats.handscript import AnswerSheet

NIGHT = """\
handscript 1
no-limit holdem 2/5
seat 1 Ana 500
seat 2 Bobby 430
seat 3 Old Cy 600
{between}
hand 1
button 1
2 sb, 3 bb
{opening}
Bobby calls
Old Cy checks
{flop}
Bobby checks, Old Cy bets 20
Bobby folds
"""
CARD = "A card is its rank and its suit (c, d, h or s), as in Kh."
SEATED = "At the table: 1 Ana, 2 Bobby, 3 Old Cy."

QUESTIONS = [
    ("flop", "flop Kx 7d 2c", "I can't read 'flop Kx 7d 2c': Kx isn't a card", "flop CARD 7d 2c", CARD),
    ("flop", "the flop comes 1s 7d 2z", "I can't read 'the flop comes 1s 7d 2z': 1s isn't a card", None, CARD),
    ("flop", "f Kh Bd 2c", "I can't read 'f Kh Bd 2c': Bd isn't a card", "f Kh CARD 2c", CARD),
    ("flop", "flop Kh 7d 1x, Bobby checks", "I can't read 'flop Kh 7d 1x': 1x isn't a card", None, CARD),
    ("opening", "Zed wins 60", "Nobody at the table is called Zed", "SEAT wins 60", SEATED),
    ("opening", "Zed mucks", "Nobody at the table is called Zed", "SEAT mucks", SEATED),
    ("opening", "Zed raises 40", "Nobody at the table is called Zed", "SEAT raises 40", SEATED),
    ("opening", "Old Zed folds", "Nobody at the table is called Old Zed", "SEAT folds", SEATED),
    (
        "opening",
        "Anna raises to 40",
        "Nobody at the table is called Anna",
        "Ana raises to 40",
        f"Did you mean Ana, seat 1? {SEATED}",
    ),
    (
        "opening",
        "boby folds",
        "Nobody at the table is called boby",
        "Bobby folds",
        f"Did you mean Bobby, seat 2? {SEATED}",
    ),
    ("flop", "flop Kh 7d, Bobby checks", "The flop has 2 cards; it needs 3", "flop Kh 7d CARD", ""),
    ("flop", "9 checks, Bobby checks", "Nobody sits in seat 9", "", SEATED),
    ("opening", "Ana sort of raised", "I can't read 'Ana sort of raised'", "", None),
    ("opening", "Zed sort of raised", "I can't read 'Zed sort of raised'", "", None),
    ("opening", "maybe folds", "I can't read 'maybe folds'", "", None),
]


@pytest.mark.parametrize(("place", "text", "reason", "write", "hint"), QUESTIONS, ids=[row[1] for row in QUESTIONS])
def test_what_is_wrong_is_named(place: str, text: str, reason: str, write: str | None, hint: str | None) -> None:
    lines = {"between": "", "opening": "Ana folds", "flop": "flop Kh 9c 4d"} | {place: text}
    problem = AnswerSheet.of_file(NIGHT.format(**lines).encode(), "utf-8").questions()[0].problem
    assert problem.reason == reason
    assert write is None or problem.write == write
    assert hint is None or problem.hint == hint
