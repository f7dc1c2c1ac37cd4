"""What says that it came further than the log reaches: `verify` says so, any other command says so once and makes it again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.cli.conftest import Run
from tests.projections.tables.test_positions_outside import BOOK, evening, prepare_ledger

MESSAGE = "judgements.position is 4611686018427387904, but the log ends at"


def moved(url: str) -> None:
    with closing(sqlite3.connect(url)) as link, link:
        link.execute("UPDATE judgements SET position = ?", (2**62,))


def test_what_lies_outside_of_the_log_is_said_once_and_judged_again(tmp_path: Path, run: Run) -> None:
    first, second = evening(tmp_path)
    url, sound_url = str(tmp_path / "x.ledger"), str(tmp_path / "whole.ledger")
    for address in (url, sound_url):
        prepare_ledger(address, first)
    moved(url)
    for address in (url, sound_url):
        run("import", str(second), "--ledger", address)
    for words in (
        ["audit", "-r", BOOK],
        ["audit", "-r", BOOK, "--anew"],
        ["log", "--where", f"clause:{BOOK}.*"],
        ["findings"],
    ):
        first_said, sound_result = (run(*words, "--ledger", address) for address in (url, sound_url))
        assert (first_said.code, first_said.out) == (sound_result.code, sound_result.out), words
        assert "changed" not in first_said.err


def test_a_command_says_so_once_and_verify_until_it_is_made_again(tmp_path: Path, run: Run) -> None:
    first, _ = evening(tmp_path)
    url = str(tmp_path / "x.ledger")
    prepare_ledger(url, first)
    moved(url)
    for _ in range(2):
        verified = run("verify", "--ledger", url)
        assert verified.code == 4
        assert MESSAGE in verified.out
        assert verified.err == ""
    error_texts = [run("log", "--ledger", url).err for _ in range(2)]
    assert MESSAGE in error_texts[0]
    assert "They're made again from the log." in error_texts[0]
    assert error_texts[1] == ""
    assert run("verify", "--ledger", url).code == 0
