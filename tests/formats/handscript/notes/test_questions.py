"""Notes that contradict themselves or lack an act are asked about in sentences that say where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ledger.formats.handscript import AnswerSheet

ROOT = Path(__file__).resolve().parents[4]
NIGHT = """\
handscript 1
2/5 NLH, 2026-11-24
1 Joe 500 / 2 Pat 640 / 3 Vic 200 / 5 Ng 1150

#1 btn 1
5 r 20, 1 f, 2 f, 3 c
f Ah 9d 4c
3 x, 5 b 40, 3 f
5 wins
"""
CORRECT = "Correct one of them."

QUESTIONS = [
    (
        "5 r 20, 1 f, 2 f, 3 c",
        "3 r 20, 5 c, fold round",
        "Seat 5 (Ng) acts before seat 3 (Vic). What did seat 5 do first?",
        "",
    ),
    ("3 c", "3 b 40", "The bet was already 20. Did seat 3 (Vic) raise?", ""),
    ("f Ah 9d 4c", "turn 4c", "There is a turn but no flop", "Add the flop above this line."),
    ("3 x, 5 b 40, 3 f", "3 x, 5 x\nriver 2s", "There is a river but no turn", "Add the turn above this line."),
    ("3 x, 5 b 40, 3 f", "3 x, 5 x\nflop Ah 9d 4s", "There is a second flop, with other cards", CORRECT),
    ("3 x, 5 b 40, 3 f", "3 x, 5 x\nturn 4c", "The 4c appears twice: on line 7 and on line 9", CORRECT),
    ("f Ah 9d 4c", "f Ah 9d 9d", "The 9d appears twice", ""),
    ("5 wins", "5 wins 500", "By the lines above the pot is 42, but seat 5 (Ng) wins 500", CORRECT),
    (
        "5 wins",
        "5 wins 40",
        "By the lines above the pot is 42, but seat 5 (Ng) wins 40",
        "Or correct the line that is wrong.",
    ),
    ("5 wins", "3 wins", "seat 3 (Vic) folded but also wins: which line is wrong?", ""),
]


@pytest.mark.parametrize(("words", "new_words", "reason", "hint"), QUESTIONS, ids=[row[2] for row in QUESTIONS])
def test_a_question_says_what_contradicts_what(words: str, new_words: str, reason: str, hint: str) -> None:
    problem = AnswerSheet.of_file(NIGHT.replace(words, new_words).encode(), "utf-8").questions()[0].problem
    assert (problem.reason, problem.hint) == (reason, hint)


def test_the_night_in_the_manual_is_read_whole() -> None:
    page = (ROOT / "docs" / "handscript.md").read_text("utf-8")
    night = re.search(r"```\n(handscript 1\nRoom: Desert Palms.*?)```", page, re.DOTALL)
    assert night is not None
    assert AnswerSheet.of_file(night[1].encode(), "utf-8").questions() == []
