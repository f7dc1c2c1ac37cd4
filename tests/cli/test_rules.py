"""What a floor person asks of rulebooks: the matrix, a clause, a book of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.output import console
from projections.books.rulebook import load
from projections.obligations.policy import POINTS
from tests.cli.conftest import Run

ROOM = """
[rulebook]
title = "Our room"
edition = "1"
source = "ours"
extends = "rrop4@{edition}"
[cite]
"blinds.7.2" = "4.2"
[policy]
"entry.zone" = {{ is = "open", says = "sit down anywhere" }}
"entry.playing_over" = {{ off = "nobody plays over here" }}
[blinds.15]
off = "straddles are fun"
"""


@pytest.fixture
def room(tmp_path: Path) -> str:
    path = tmp_path / "room.toml"
    path.write_text(ROOM.format(edition=load("rrop4").edition))
    return str(path)


def test_the_books_are_listed_with_their_edition(run: Run) -> None:
    result = run("rules")
    assert result.code == 0
    assert "hilton" in result.out
    book = load("hilton")
    assert f"edition {book.edition}, {len(book.clauses)} clauses" in result.out


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_the_matrix_fits_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setattr(console, "find_width", lambda: width)
    result = run("rules", "--matrix")
    lines = result.out.splitlines()
    assert result.code == 0
    assert [line for line in lines if len(line) > width] == []
    assert all(any(key in line for line in lines) for key in POINTS if len(key) < width)


def test_two_books_stand_side_by_side(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "find_width", lambda: 80)
    lines = run("rules", "--matrix", "-r", "hilton", "-r", "rrop4").out.splitlines()
    index = next(n for n, line in enumerate(lines) if "entry.bust_reentry" in line)
    assert lines[index + 1].split("  ")[1].startswith("new once the big blind was missed")
    assert "not new; owes the blinds" in lines[index + 1]
    assert "B19.1" in "".join(lines[index : index + 6])
    assert "bicycle" not in "\n".join(lines)


def test_a_silent_book_has_a_dash_and_the_answer_drawn_is_named(run: Run) -> None:
    lines = run("rules", "--matrix", "-r", "hilton", "-r", "house-burn").out.splitlines()
    index = next(n for n, line in enumerate(lines) if "blinds.heads_up_small_blind" in line)
    assert lines[index + 1] == "  - in every book"
    assert lines[index + 2] == "  shown where a book is silent: button: the usual answer of later books"


def test_the_matrix_as_a_document_has_every_point_of_every_book(run: Run) -> None:
    document = run("rules", "--matrix", "--format", "json").document
    assert [point["key"] for point in document["points"]] == list(POINTS)
    books = [book["name"] for book in document["books"]]
    assert all([answer["book"] for answer in point["answers"]] == books for point in document["points"])
    zone = next(point for point in document["points"] if point["key"] == "entry.zone")
    answers = {answer["book"]: (answer.get("value"), answer.get("clauses")) for answer in zone["answers"]}
    assert answers["rrop4"] == ("barred", ["blinds.7.1", "blinds.7.3"])
    assert next(answer for answer in zone["answers"] if answer["book"] == "house-burn")["silent"]


def test_a_clause_says_what_it_decides_and_what_other_books_say(run: Run) -> None:
    output = run("rules", "hilton", "B17.1").out
    assert "decides        new player, limit below the boundary (entry.post.limit_low)" in output
    assert "  hilton       nothing (B17.1)" in output
    assert "  rrop4        big blind amount, or wait (blinds.4.1, blinds.4a, blinds.4b)" in output
    assert "  house-burn   silent" in output
    only = run("rules", "hilton", "B17.1", "-r", "bicycle").out
    assert "  bicycle      no post stated" in only
    assert "rrop4" not in only.partition("decides")[2]


def test_a_book_of_ones_own_is_read_wherever_a_book_is_named(run: Run, room: str) -> None:
    output = run("rules", room).out
    assert "over rrop4@" in output
    assert "4.2" in output
    assert "switched off" in output
    clause = run("rules", room, "4.2").out
    assert "stands for     rrop4 blinds.7.2" in clause
    assert run("rules", room, "blinds.7.2").out == clause
    assert "straddles are fun" in run("rules", room, "blinds.15").out
    matrix = run("rules", "--matrix", "-r", "rrop4", "-r", room).out
    assert "sit down anywhere" in matrix
    book = run("rules", room, "--format", "json").document["books"][0]
    assert (book["name"], book["extends"].partition("@")[0]) == ("room", "rrop4")


def test_a_new_book_is_made_and_is_right_as_it_is(run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "my-room.toml")
    result = run("rules", "new", "--from", "hilton", path)
    assert result.code == 0
    assert "Wrote" in result.out
    assert run("rules", path).code == 0
    second_result = run("rules", "new", "--from", "hilton", path)
    assert second_result.code == 2
    assert "exists already" in second_result.err
    second = run("rules", "new", "--from", path, str(tmp_path / "second.toml"), "--format", "json")
    assert second.document["made"] == str(tmp_path / "second.toml")
    assert second.document["books"][0]["clauses"] == len(load("hilton").clauses)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("new",), "needs the file to write"),
        (("new", "x.toml"), "needs the file to write"),
        (("new", "--from", "hilton"), "needs the file to write"),
        (("hilton", "--from", "hilton"), "needs the file to write"),
        (("new", "x.txt", "--from", "hilton"), "doesn't end in .toml"),
        (("new", "x.toml", "--from", "hiltn"), "no rulebook called"),
    ],
)
def test_what_is_no_new_book_is_said(run: Run, arguments: tuple[str, ...], complaint: str) -> None:
    result = run("rules", *arguments)
    assert result.code == 2
    assert complaint in result.err


def test_a_wrong_book_says_the_line_and_what_is_allowed(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "room.toml"
    path.write_text(
        '[rulebook]\ntitle = "x"\nedition = "1"\nsource = "x"\nextends = "hilton@undated-r1"\n'
        '[policy]\n"entry.zone" = { is = "bared" }\n'
    )
    result = run("rules", str(path))
    assert result.code == 2
    assert f"{path}:7: entry.zone: 'bared' will not do" in result.err
    assert 'Allowed: "barred", "open"' in result.err


def test_an_edition_can_be_asked_for(run: Run) -> None:
    newest = load("hilton").edition
    assert f"edition {newest}" in " ".join(run("rules", "hilton").out.split())
    assert run("rules", f"hilton@{newest}").out == run("rules", "hilton").out
    assert "edition undated-r1" in " ".join(run("rules", "hilton@undated-r1").out.split())
    result = run("rules", "hilton@1975")
    assert result.code == 2
    assert "no edition '1975' of hilton" in result.err
    assert "undated-r1" in result.err


def test_text_of_a_house_book_cannot_act_on_the_terminal(run: Run, room: str) -> None:
    text = Path(room).read_text()
    commands = (("rules", room), ("rules", "--matrix", "-r", room), ("rules", room, "blinds.7.2"))
    Path(room).write_text(text.replace("Our room", "\\u001b[2J").replace('"4.2"', '"4\\u0007"'))
    for arguments in commands:
        result = run(*arguments)
        assert result.code == 2
        assert "hidden character U+0007" in result.err
        assert "\x1b" not in result.out + result.err
        assert "\x07" not in result.out + result.err
    load.cache_clear()
    Path(room).write_text(text.replace("Our room", "\\u2028Our\\u200b room"))
    for arguments in commands:
        result = run(*arguments)
        assert result.code == 0
        assert "\u2028" not in result.out
        assert "\u200b" not in result.out


def test_where_a_clause_stands_is_told_without_the_number_of_the_text(run: Run) -> None:
    text = " ".join(run("rules", "hilton", "B8a.1").out.split())
    assert f"edition {load('hilton').edition}, B8a " in text
