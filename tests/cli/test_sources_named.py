"""A mail or an archive is named as it was imported: all that was read in it is meant, or it is said which parts there are."""

from __future__ import annotations

import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.conftest import ROOT

NIGHT = (ROOT / "cli/samples/evening-online.txt").read_text("utf-8")


@pytest.fixture
def url(run: Run, tmp_path: Path) -> str:
    """A ledger of a mail with one text, and of an archive with two."""
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "room@mail.example", "Your hands"
    mail.set_content(NIGHT, cte="quoted-printable")
    (tmp_path / "night.eml").write_bytes(mail.as_bytes())
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as file:
        first, second = (NIGHT.replace("#2", f"#{n}") for n in (8, 9))
        file.writestr("a.txt", first)
        file.writestr("b.txt", second)
    book = str(tmp_path / "l")
    assert run("import", str(tmp_path / "night.eml"), str(tmp_path / "two.zip"), "--ledger", book).code == 0
    return book


def numbers(run: Run, url: str, source: str) -> list[str]:
    hands = run("log", "--source", source, "--ledger", url, "--format", "json").document["hands"]
    return sorted(hand["number"] for hand in hands)


def test_hands_of_a_mail_or_an_archive_are_found_by_its_name(run: Run, url: str, tmp_path: Path) -> None:
    inside = numbers(run, url, "night.eml!text")
    assert inside
    assert numbers(run, url, "night.eml") == numbers(run, url, str(tmp_path / "night.eml")) == inside
    assert numbers(run, url, "two.zip") == sorted([*numbers(run, url, "a.txt"), *numbers(run, url, "b.txt")])
    assert run("log", "--source", "ight.eml", "--ledger", url).code == 2
    result = run("export", "--to", "handscript", "--source", "night.eml", "--ledger", url, "--lossy")
    assert result.out.count("\nhand ") == len(inside)
    assert run("audit", "--source", "two.zip", "-r", "record", "--ledger", url).code in (0, 1)


def test_the_file_itself_is_the_one_in_it_or_it_is_said_which_there_are(run: Run, url: str, tmp_path: Path) -> None:
    original = ("export", "--to", "original", "--ledger", url, "--source")
    assert run(*original, "night.eml").out == run(*original, "night.eml!text").out != ""
    result = run(*original, "two.zip")
    assert result.code == 2
    assert "'two.zip' holds 2 files that were read" in result.err
    assert f"'{tmp_path}/two.zip!a.txt', '{tmp_path}/two.zip!b.txt'" in result.err
    assert run(*original, "two.zip!b.txt").code == 0
    assert run("show", "night.eml:3", "--ledger", url).code == 0
    line = run("show", "two.zip:3", "--ledger", url)
    assert (line.code, "holds 2 files" in line.err) == (2, True)
