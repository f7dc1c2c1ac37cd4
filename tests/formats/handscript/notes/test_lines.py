"""The law of lines: what people write means what they mean, or is asked about; it never means anything else."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from ledger.formats.handscript.notes.reader import read_blocks
from ledger.notation import Chunk

HEAD = """\
handscript 1
room Case, table Q, no-limit holdem 5/10
seat 1 Al 1000
seat 2 Bo 1000
seat 3 Cy 1000
seat 4 Di 1000
hand 1
button 1
2 posts small 5
3 posts big 10
"""
FLOP = HEAD + "4 calls\n1 folds\n2 calls\n3 checks\nflop Jd 7s 2c\n"
CHECKED = "2 checks\n3 checks\n4 checks\n"
PLACES = {
    "preflop": HEAD,
    "flop": FLOP,
    "facing": FLOP.replace("4 calls\n", "4 calls\n") + "2 bets 20\n",
    "river": f"{FLOP}{CHECKED}turn 8h\n{CHECKED}river 3s\n{CHECKED}",
    "won": FLOP + "2 bets 20\n3 folds\n4 folds\n",
    "between": HEAD + "4 folds\n1 folds\n2 folds\n3 wins\n",
}


ENDS = ("what happened next", "who won")
"""What is asked because the hand ends behind the line."""


class Group(NamedTuple):
    """Lines of one meaning."""

    place: str
    meaning: str
    lines: list[str]


def groups() -> list[Group]:
    groups: list[Group] = []
    for line in (Path(__file__).parent / "lines.txt").read_text().splitlines():
        if " => " in line and line.split(" => ")[0] in PLACES:
            place, meaning = line.split(" => ")
            groups.append(Group(place, meaning, []))
        elif line.strip() and not line.startswith("# "):
            groups[-1].lines.append(line)
    return groups


def meaning_of(place: str, line: str) -> str:
    """Return what a line means there, as canonical lines; "?" where something is asked about it."""
    above = PLACES[place]
    number = above.count("\n") + 1
    blocks = read_blocks(Chunk(f"{above}{line}\n".encode()))
    problems = [problem for block in blocks for problem in block.problems]
    canonical_lines = [
        entry
        for block in blocks
        for entry in block.canonical_lines
        if entry.line.number == number and entry.text != "end"
    ]
    filled_in = any(entry.derived and entry.text.endswith((" folds", " checks")) for entry in canonical_lines)
    if filled_in or not all(any(end in entry.reason for end in ENDS) for entry in problems):
        return "?"  # what is filled in counts where the hand goes on to its end
    results = () if place == "won" else (" wins ",)
    return "; ".join(
        entry.text
        for entry in canonical_lines
        if not any(word in entry.text for word in ("uncalled", "remark", *results))
    )


def matches(meaning: str, expected: str) -> bool:
    """Whether a meaning is the wanted one; facts between hands may name the player and the kind."""
    if expected in ("4 away", "4 adds 300"):
        return meaning.startswith(expected)
    return meaning == expected


@pytest.mark.parametrize("group", groups(), ids=lambda group: f"{group.place}: {group.meaning}"[:40])
def test_a_line_means_what_people_mean_or_is_asked_about(group: Group) -> None:
    wrong = {
        line: actual for line in group.lines if not matches(actual := meaning_of(group.place, line), group.meaning)
    }
    assert {line: actual for line, actual in wrong.items() if actual != "?"} == {}


@pytest.mark.slow
def test_nine_of_ten_lines_are_read() -> None:
    clear_lines = [(group, line) for group in groups() if group.meaning != "?" for line in group.lines]
    read = sum(matches(meaning_of(group.place, line), group.meaning) for group, line in clear_lines)
    assert sum(len(group.lines) for group in groups()) >= 500
    assert read / len(clear_lines) >= 0.9
