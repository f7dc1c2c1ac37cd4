"""What a floor person asks of rulebooks: the matrix, a clause, a book of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli import output
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
    told = run("rules")
    assert told.code == 0
    assert "hilton" in told.out
    book = load("hilton")
    assert f"edition {book.edition}, {len(book.clauses)} clauses" in told.out


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_the_matrix_fits_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setattr(output, "width", lambda: width)
    told = run("rules", "--matrix")
    lines = told.out.splitlines()
    assert told.code == 0
    assert [line for line in lines if len(line) > width] == []
    assert all(any(key in line for line in lines) for key in POINTS if len(key) < width)


def test_two_books_stand_side_by_side(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "width", lambda: 80)
    lines = run("rules", "--matrix", "-r", "hilton", "-r", "rrop4").out.splitlines()
    at = next(n for n, line in enumerate(lines) if "entry.bust_reentry" in line)
    assert lines[at + 1].split("  ")[1].startswith("new once the big blind was missed")
    assert "not new; owes the blinds" in lines[at + 1]
    assert "B19.1" in "".join(lines[at : at + 6])
    assert "bicycle" not in "\n".join(lines)


def test_a_silent_book_has_a_dash_and_the_answer_drawn_is_named(run: Run) -> None:
    lines = run("rules", "--matrix", "-r", "hilton", "-r", "house-burn").out.splitlines()
    at = next(n for n, line in enumerate(lines) if "blinds.heads_up_small_blind" in line)
    assert lines[at + 1] == "  - in every book"
    assert lines[at + 2] == "  drawn where silent: button: the usual answer of later books"


def test_the_matrix_as_a_document_has_every_point_of_every_book(run: Run) -> None:
    told = run("rules", "--matrix", "--format", "json").document
    assert [point["key"] for point in told["points"]] == list(POINTS)
    books = [book["name"] for book in told["books"]]
    assert all([one["book"] for one in point["answers"]] == books for point in told["points"])
    zone = next(point for point in told["points"] if point["key"] == "entry.zone")
    answers = {one["book"]: (one.get("value"), one.get("clauses")) for one in zone["answers"]}
    assert answers["rrop4"] == ("barred", ["blinds.7.1", "blinds.7.3"])
    assert next(one for one in zone["answers"] if one["book"] == "house-burn")["silent"]


def test_a_clause_says_what_it_decides_and_what_other_books_say(run: Run) -> None:
    told = run("rules", "hilton", "B17.1").out
    assert "decides        new player, limit below the boundary (entry.post.limit_low)" in told
    assert "  hilton       nothing (B17.1)" in told
    assert "  rrop4        big blind amount, or wait (blinds.4.1, blinds.4a, blinds.4b)" in told
    assert "  house-burn   silent" in told
    only = run("rules", "hilton", "B17.1", "-r", "bicycle").out
    assert "  bicycle      no post stated" in only
    assert "rrop4" not in only.partition("decides")[2]


def test_a_book_of_ones_own_is_read_wherever_a_book_is_named(run: Run, room: str) -> None:
    listed = run("rules", room).out
    assert "over rrop4@" in listed
    assert "4.2" in listed
    assert "switched off" in listed
    clause = run("rules", room, "4.2").out
    assert "stands for     rrop4 blinds.7.2" in clause
    assert run("rules", room, "blinds.7.2").out == clause
    assert "straddles are fun" in run("rules", room, "blinds.15").out
    matrix = run("rules", "--matrix", "-r", "rrop4", "-r", room).out
    assert "sit down anywhere" in matrix
    told = run("rules", room, "--format", "json").document["books"][0]
    assert (told["name"], told["extends"].partition("@")[0]) == ("room", "rrop4")


def test_a_new_book_is_made_and_is_right_as_it_is(run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "my-room.toml")
    made = run("rules", "new", "--from", "hilton", path)
    assert made.code == 0
    assert "is made" in made.out
    assert run("rules", path).code == 0
    again = run("rules", "new", "--from", "hilton", path)
    assert again.code == 2
    assert "exists already" in again.err
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
    told = run("rules", *arguments)
    assert told.code == 2
    assert complaint in told.err


def test_a_wrong_book_says_the_line_and_what_is_allowed(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "room.toml"
    path.write_text(
        '[rulebook]\ntitle = "x"\nedition = "1"\nsource = "x"\nextends = "hilton@undated-r1"\n'
        '[policy]\n"entry.zone" = { is = "bared" }\n'
    )
    told = run("rules", str(path))
    assert told.code == 2
    assert f"{path}:7: entry.zone: 'bared' will not do" in told.err
    assert 'Allowed: "barred", "open"' in told.err


def test_an_edition_can_be_asked_for(run: Run) -> None:
    newest = load("hilton").edition
    assert f"edition {newest}" in " ".join(run("rules", "hilton").out.split())
    assert run("rules", f"hilton@{newest}").out == run("rules", "hilton").out
    assert "edition undated-r1" in " ".join(run("rules", "hilton@undated-r1").out.split())
    told = run("rules", "hilton@1975")
    assert told.code == 2
    assert "no edition '1975' of hilton" in told.err
    assert "undated-r1" in told.err


def test_text_of_a_house_book_cannot_act_on_the_terminal(run: Run, room: str) -> None:
    text = Path(room).read_text()
    asked = (("rules", room), ("rules", "--matrix", "-r", room), ("rules", room, "blinds.7.2"))
    Path(room).write_text(text.replace("Our room", "\\u001b[2J").replace('"4.2"', '"4\\u0007"'))
    for arguments in asked:
        told = run(*arguments)
        assert told.code == 2
        assert "hidden character U+0007" in told.err
        assert "\x1b" not in told.out + told.err
        assert "\x07" not in told.out + told.err
    load.cache_clear()
    Path(room).write_text(text.replace("Our room", "\\u2028Our\\u200b room"))
    for arguments in asked:
        told = run(*arguments)
        assert told.code == 0
        assert "\u2028" not in told.out
        assert "\u200b" not in told.out


def test_where_a_clause_stands_is_told_without_the_number_of_the_text(run: Run) -> None:
    told = " ".join(run("rules", "hilton", "B8a.1").out.split())
    assert f"edition {load('hilton').edition}, B8a " in told
