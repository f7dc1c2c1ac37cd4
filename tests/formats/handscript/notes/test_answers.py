"""Answers behind a night of notes: the bytes of the night stay, and each answer is read in its place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.account import Account
from ledger.formats.handscript import (
    FORMAT,
    AnswerSheet,
    append_answers,
    carry_answers,
    find_span_answers,
    split_answers,
)
from ledger.formats.handscript.notes.answers import NotesAnswer, merge_answers
from ledger.notation import Chunk
from ledger.people import People
from tests.conftest import ROOT
from tests.laws import size

NIGHTS = ROOT / "tests/formats/handscript/notes/nights"
CAMERA = (NIGHTS / "camera_analyst.hand").read_bytes()

_TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=12)
_LINES = st.lists(_TEXTS | st.just(""), min_size=1, max_size=8)
_ANSWERS = st.lists(
    st.builds(
        NotesAnswer,
        st.sampled_from(["before", "after", "instead of"]),
        st.integers(1, 12),
        _TEXTS,
        st.just(0),
        st.just(0),
    ),
    max_size=5,
)


@pytest.mark.law
@settings(max_examples=size(100, 3_000), deadline=None)
@given(_LINES, _ANSWERS, st.booleans())
def test_each_line_keeps_its_bytes(texts: list[str], answers: list[NotesAnswer], ends: bool) -> None:
    notes = ("\n".join(texts) + "\n" * ends).encode()
    data = append_answers(notes, answers)
    assert data.startswith(notes)
    assert split_answers(data) == (notes, tuple(answers))
    merged, section_start = merge_answers(Chunk(data))
    for line in merged:
        assert data[line.start : line.start + line.length].decode() == line.text
    own_numbers = [line.number for line in merged if line.start < section_start]
    assert own_numbers == sorted(own_numbers), "the lines of the file keep their order"
    replaced = {answer.line for answer in answers if answer.placement == "instead of"}
    assert {line.number for line in merge_answers(Chunk(notes))[0]} - replaced <= set(own_numbers)


def test_a_section_for_other_bytes_is_no_section() -> None:
    data = append_answers(b"hand 1\n", [NotesAnswer("after", 1, "button 1")])
    assert split_answers(b"#" + data).answers == ()
    assert split_answers(data + b"hand 2\n").answers == ()


def test_answers_to_the_same_line_keep_their_order() -> None:
    answers = [NotesAnswer("after", 1, "a"), NotesAnswer("after", 1, "b"), NotesAnswer("before", 1, "c")]
    merged, _ = merge_answers(Chunk(append_answers(b"one\ntwo\n", answers)))
    assert [line.text for line in merged] == ["c", "one", "a", "b", "two"]


def test_part_of_a_line_is_replaced() -> None:
    answers = [NotesAnswer("instead of", 1, "2 bets 30", 13, 25), NotesAnswer("instead of", 1, "1 folds", 27, 34)]
    data = append_answers("José checks, Bo bets lots, Ana fouls\n".encode(), answers)
    merged, _ = merge_answers(Chunk(data))
    assert [line.text.strip() for line in merged] == ["José checks", "2 bets 30", "1 folds", "ls"]
    assert [data[line.start : line.start + line.length].decode() for line in merged] == [
        "José checks",
        "2 bets 30",
        "1 folds",
        "ls",
    ]


def test_an_answer_goes_where_it_settles_the_question() -> None:
    sheet = AnswerSheet.of_file(CAMERA, "utf-8")
    (question,) = sheet.questions()
    count_before = _count_hands(sheet.data)
    assert "lots" in sheet.take(question, "lots")
    assert sheet.take(question, "1 raises to 60") == ""
    assert not sheet.questions()
    assert _count_hands(sheet.data) == count_before + 1
    sheet.drop(question.hand)
    assert sheet.data == CAMERA


NIGHT = b"""\
handscript 1
no-limit holdem 2/5
seat 1 Ana 500
seat 2 Bo 500
seat 3 Cy 500
hand 1
button 1
2 sb, 3 bb
Ana raises to 20, Bo mumbles, Cy calls
Cy wins
"""


def test_an_answer_leaves_out_nothing_that_was_read() -> None:
    sheet = AnswerSheet.of_file(NIGHT, "utf-8")
    question = sheet.questions()[0]
    assert "Bo mumbles" in question.problem.reason
    assert sheet.take(question, "2 folds") == ""
    assert sheet.answers == [NotesAnswer("instead of", 9, "2 folds", 18, 28)]
    question = sheet.questions()[0]
    assert "what happened next, on the flop?" in question.problem.reason
    assert sheet.take(question, "#"), "a line that says nothing answers nothing"
    assert sheet.take(question, "3 calls")
    assert len(sheet.answers) == 1


def test_a_line_above_the_hands_may_mean_nothing() -> None:
    sheet = AnswerSheet.of_file(NIGHT.replace(b"seat 1", b"Bo 2 owes Cy 3 beers\nseat 1", 1), "utf-8")
    while sheet.questions()[0].problem.line == 3:
        assert sheet.take(sheet.questions()[0], "#") == ""
    assert [question.problem.line for question in sheet.questions()] == [10]


def test_answers_hold_in_a_mended_file_while_their_hand_is_the_same() -> None:
    sheet = AnswerSheet.of_file(CAMERA, "utf-8")
    sheet.take(sheet.questions()[0], "1 raises to 60")
    mended = CAMERA.replace(b"\n", b"\n# mended\n", 1)
    carried = carry_answers(split_answers(sheet.data), mended, "utf-8")
    assert [(answer.text, answer.line) for answer in carried] == [("1 raises to 60", sheet.answers[0].line + 1)]
    changed = CAMERA.replace(b"amount unclear", b"60")
    assert carry_answers(split_answers(sheet.data), changed, "utf-8") == ()


def test_a_question_says_in_a_field_what_settles_it() -> None:
    """A player's name may say what a question says, and an odd apostrophe changes how its words are quoted."""
    night = (
        NIGHT.replace(b"2 Bo", b'2 "line 4 isn\'t read"')
        .replace(b"Bo mumbles, ", b"")
        .replace(b"Cy wins", b"flop 2c 3d 4h")
    )
    night += b"2 bets 30\nCy folds\n"
    (about_act,) = AnswerSheet.of_file(night, "utf-8").questions()
    assert about_act.problem.reason == "What did seat 2 (line 4 isn't read) do?"
    assert about_act.depends_on == 0
    stranger = NIGHT.replace(b"Cy wins", b"7 doesn't fold\nCy wins").replace(b"Bo mumbles", b"Bo folds")
    questions = AnswerSheet.of_file(stranger + b"hand 2\nbutton 2\nAna folds\n", "utf-8").questions()
    assert [(question.problem.line, question.depends_on) for question in questions] == [(10, 0), (12, 10)]


def test_a_span_has_the_answers_to_its_own_lines() -> None:
    notes = b"hand 1\nBo bets\n\nhand 2\nCy bets"
    answers = [
        NotesAnswer("after", 4, "button 2"),
        NotesAnswer("before", 2, "1 folds"),
        NotesAnswer("after", 7, "3 folds"),
    ]
    data = append_answers(notes, answers)
    span_answers = find_span_answers(data, notes.index(b"hand 2"), len(b"hand 2\nCy bets"))
    assert span_answers is not None
    heading, *rows = span_answers.section.decode().splitlines()
    assert heading.startswith(f"answers 1 to {len(notes)} bytes")
    assert rows == ["after line 4: button 2", "after line 7: 3 folds"], "the second answers the first"
    assert (span_answers.first_line, span_answers.last_line) == (4, 5)
    redacted = data.replace(b"Bo bets", b"## bets")
    assert find_span_answers(redacted, 0, len(b"hand 1\nBo bets\n")) is not None
    assert find_span_answers(notes, 0, len(notes)) is None


def _count_hands(data: bytes) -> int:
    return sum(isinstance(item, Account) for item in FORMAT.read(Chunk(data), People(bytes(32))))
