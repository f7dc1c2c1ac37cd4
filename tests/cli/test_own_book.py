"""A house adopts a rulebook of its own: its text goes into the ledger, and whoever has the ledger judges by it."""

from __future__ import annotations

import re
import shlex
import shutil
import sqlite3
import zipfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ledger.house.events import RulebookAdopted
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from projections.books import rulebook
from tests.cli.conftest import Result, Run
from tests.cli.test_adopted import House, house, ms
from tests.conftest import thin_out
from tests.projections.tables.test_announcing import night

__all__ = ["house"]

HEAD = """[rulebook]
title = "The Lantern Room"
edition = "{edition}"
source = "House rules"
extends = "{base}"
"""
SEVERE = '\n[B8a.1]\nseverity = "{severity}"\n'


def write_book(path: Path, text: str = "", *, edition: str = "1", base: str = "hilton@undated-r2") -> str:
    rulebook.load.cache_clear()  # a process reads a file once
    path.write_text(HEAD.format(edition=edition, base=base) + text)
    return str(path)


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    """Where the house's own file lies."""
    return tmp_path / "my-room.toml"


def findings(result: Result) -> list[tuple[str, str, str, str]]:
    return [
        (finding["book"], finding["edition"], finding["clause"], finding["severity"])
        for finding in result.document["findings"]
    ]


@pytest.mark.slow
def test_a_floor_manager_makes_a_book_adopts_it_and_its_file_may_go(run: Run, own_file: Path, tmp_path: Path) -> None:
    url, (first, next_file) = str(tmp_path / "x.ledger"), night(tmp_path, [4])
    assert run("import", str(first), "--ledger", url).code == 0
    assert run("rules", "new", "--from", "hilton", str(own_file)).code == 0
    own_file.write_text(re.sub(r'# ("B11b\.1" *= )"\d+"', r'\1"7.4"', own_file.read_text()))
    document = run("audit", "-r", str(own_file), "--ledger", url, "--format", "json").document
    result = run("rules", "adopt", str(own_file), "--ledger", url)
    assert result.code == 0
    assert f"{len(own_file.read_bytes()):,} bytes" in result.out
    assert "adopted already" in run("rules", "adopt", str(own_file), "--ledger", url).out
    own_file.unlink()
    brought = run("import", str(next_file), "--ledger", url)
    assert "Findings under my-room 1 at table 1" in brought.out
    results = [run(*words, "--ledger", url) for words in QUESTIONS]
    assert [words.err for words in results if words.code not in (0, 1)] == []
    (finding,) = [words for words in results[0].document["findings"] if words["number"] == "6"]
    assert (finding["book"], finding["clause"]) == ("my-room", "7.4")
    copy = tmp_path / "elsewhere" / "copy.ledger"
    copy.parent.mkdir()
    shutil.copy(url, copy)
    assert [run(*words, "--ledger", str(copy)) for words in thin_out(QUESTIONS)] == thin_out(results)
    for book_options in ([], ["-r", "my-room"]):
        page = run("report", "6", *book_options, "--ledger", str(copy), "--format", "json").document["hands"][0]
        judgement = next(words for words in page["judgements"] if words["book"]["name"] == "my-room")
        assert "7.4" in {words["clause"] for words in judgement["findings"]}
    assert document["books"][1]["digest"] == results[1].document["books"][1]["digest"]
    verified = run("verify", "--tables", "--ledger", url)
    assert verified.code == 0, verified.out
    assert "findings under my-room 1" in verified.out


QUESTIONS = [
    ["findings", "--format", "json"],
    ["audit", "--format", "json"],
    ["audit"],
    ["due"],
    ["due", "1"],
    ["floor", "1"],
    ["fairness"],
    ["rates"],
    ["results"],
    ["why", "6", "finding"],
    ["log", "--where", "severity:error"],
    ["log", "--where", "clause:my-room.7.4"],
    ["results", "book:my-room"],
    ["audit", "-r", "my-room"],
    ["audit", "-r", "my-room@1"],
    ["audit", "-r", "my-room", "--edition", "1"],
    ["audit", "-r", "my-room", "--anew"],
    ["audit", "--aftermath"],
    ["due", "1", "-r", "my-room"],
    ["due", "-r", "my-room"],
    ["floor", "1", "-r", "my-room"],
    ["fairness", "-r", "my-room"],
    ["rates", "-r", "my-room"],
    ["why", "6", "finding", "-r", "my-room"],
    ["why", "6", "due", "-r", "my-room"],
    ["aftermath", "6"],
    ["aftermath", "6", "-r", "my-room"],
    ["replay", "6", "-r", "my-room"],
    ["rules"],
    ["rules", "my-room"],
    ["rules", "my-room", "7.4"],
    ["rules", "my-room", "--format", "json"],
    ["rules", "hilton", "B11b.1"],
    ["rules", "--matrix"],
    ["rules", "--matrix", "-r", "hilton", "-r", "my-room"],
    ["rules", "diff", "hilton", "my-room"],
]
"""What a floor manager asks without saying which book, and by the name of the house's own."""


@pytest.mark.slow
def test_what_changed_is_another_edition_and_earlier_hands_stay_under_theirs(
    run: Run, house: House, own_file: Path
) -> None:
    url = house()
    hilton_findings = run("audit", "-r", "hilton", "--ledger", url, "--format", "json").document["findings"]
    began = {
        hand["number"]: hand["started"] for hand in run("log", "--ledger", url, "--format", "json").document["hands"]
    }
    clause, times = next(
        (clause, times)
        for clause in sorted(
            {
                finding["clause"]
                for finding in hilton_findings
                if (finding["book"], finding["severity"]) == ("hilton", "error")
            }
        )
        if len(
            times := sorted(
                {began[finding["hand"]["number"]] for finding in hilton_findings if finding["clause"] == clause}
            )
        )
        > 1
    )
    noon = times[-1]
    assert run("rules", "adopt", write_book(own_file), "--ledger", url).code == 0
    first = findings(run("audit", "--ledger", url, "--format", "json"))
    changed = f'\n[{clause}]\nseverity = "info"\n'
    refused = run("rules", "adopt", write_book(own_file, changed), "--ledger", url)
    assert refused.code == 2
    assert "Raise the edition" in refused.err
    noon_time = datetime.fromtimestamp(noon / 1000, UTC).isoformat()
    write_book(own_file, changed, edition="2")
    assert run("rules", "adopt", str(own_file), "--since", noon_time, "--ledger", url).code == 0
    own_file.unlink()
    rows = findings(run("audit", "--ledger", url, "--format", "json"))
    severities = {
        book: {severity for name, _, finding, severity in rows if (name, finding) == (book, clause)} for book in NAMES
    }
    assert severities["my-room@1"] == {"error"}
    assert severities["my-room"] == {"info"}, "of the later edition"
    assert sorted(finding[2] for finding in rows) == sorted(finding[2] for finding in first)
    on_file = run("findings", "--ledger", url, "--format", "json").document["findings"]
    assert {finding["edition"] for finding in on_file if finding["book"] != "record"} == {"1", "2"}


NAMES = ("my-room@1", "my-room")


@pytest.mark.parametrize(
    ("name", "edition", "message"),
    [
        ("hilton", "1", "a built-in rulebook"),
        ("record", "1", "a built-in rulebook"),
        ("adopt", "1", "a word of handledger rules"),
        ("my room", "1", "'my room' can't be the name"),
        ("x.toml", "1", "'x.toml' can't be the name"),
        ("a" * 61, "1", "can't be the name"),
        ("ours", "", "can't name an edition"),
        ("ours", "1\\u200b", "can't name an edition"),
        ("ours", "1" * 61, "can't name an edition"),
    ],
)
def test_a_book_that_could_not_be_told_from_another_is_refused(
    run: Run, house: House, tmp_path: Path, name: str, edition: str, message: str
) -> None:
    url = house()
    refused = run("rules", "adopt", write_book(tmp_path / f"{name}.toml", edition=edition), "--ledger", url)
    assert refused.code == 2
    assert message in refused.err
    with open_ledger(url) as ledger:
        assert ledger.events(HOUSE) == [
            event for event in ledger.events(HOUSE) if not isinstance(event, RulebookAdopted)
        ]


def test_one_text_has_one_name(run: Run, house: House, own_file: Path, tmp_path: Path) -> None:
    url = house()
    assert run("rules", "adopt", write_book(own_file), "--ledger", url).code == 0
    other_file = str(shutil.copy(own_file, tmp_path / "other.toml"))
    assert "the same file is already adopted as my-room" in run("rules", "adopt", other_file, "--ledger", url).err
    assert run("rules", "adopt", "my-room", "--table", "T3", "--ledger", url).code == 0, "by its name, without a file"


def test_a_book_over_another_of_the_house_keeps_both_files(
    run: Run, house: House, own_file: Path, tmp_path: Path
) -> None:
    url = house()
    (tmp_path / "group").mkdir()
    write_book(tmp_path / "group" / "all-rooms.toml", SEVERE.format(severity="info"))
    result = run("rules", "adopt", write_book(own_file, base="group/all-rooms.toml"), "--ledger", url)
    assert result.code == 0, result.err
    document = run("audit", "-r", str(own_file), "--ledger", url, "--format", "json").document
    shutil.rmtree(tmp_path / "group")
    own_file.unlink()
    unasked = run("audit", "--ledger", url, "--format", "json").document
    assert document["findings"] == unasked["findings"]
    assert run("verify", "--ledger", url).code == 0
    with closing(sqlite3.connect(url)) as connection, connection:
        assert connection.execute("SELECT count(*) FROM rulebooks").fetchone() == (2,)
        connection.execute("DELETE FROM rulebooks WHERE digest IN (SELECT base FROM rulebooks)")
    assert "the file is missing here" in run("audit", "--ledger", url).err


def test_a_ledger_that_is_told_of_a_book_says_who_can_put_its_text_in(run: Run, house: House, own_file: Path) -> None:
    book = rulebook.load(write_book(own_file))
    event = RulebookAdopted("my-room", book.edition, book.digest, since=ms("2020-01-02"))
    url = house(event)
    for command in (["audit"], ["due"], ["floor", "T3"], ["findings"]):
        result = run(*command, "--ledger", url)
        assert result.code == (0 if command == ["findings"] else 2), command
        assert "handledger rules adopt my-room.toml" in result.err
        assert book.digest in result.err
    assert "that the log names and the ledger lacks: my-room 1" in " ".join(run("verify", "--ledger", url).out.split())
    mended = run("rules", "adopt", str(own_file), "--ledger", url)
    assert "was missing and is now in the ledger" in mended.out
    assert run("audit", "--ledger", url).code in (0, 1)
    with open_ledger(url) as ledger:
        assert [stored_event for stored_event in ledger.events(HOUSE) if isinstance(stored_event, RulebookAdopted)] == [
            event
        ]


def test_another_text_in_the_database_is_noticed_and_judges_nothing(run: Run, house: House, own_file: Path) -> None:
    url = house()
    assert run("rules", "adopt", write_book(own_file), "--ledger", url).code == 0
    with closing(sqlite3.connect(url)) as connection, connection:
        text = own_file.read_bytes().replace(b"Lantern", b"Lentern")
        connection.execute("UPDATE rulebooks SET data = ?", (text,))
    assert "differs from the one the house adopted" in run("audit", "--ledger", url).err
    verified = run("verify", "--ledger", url)
    assert verified.code == 4
    assert "is kept with other bytes than the house adopted" in " ".join(verified.out.split())
    assert run("rules", "adopt", str(own_file), "--ledger", url).code == 0
    assert run("verify", "--ledger", url).code == 0


def test_it_is_retired_by_its_name_though_its_file_is_gone(run: Run, house: House, own_file: Path) -> None:
    url = house()
    assert run("rules", "adopt", write_book(own_file), "--ledger", url).code == 0
    with closing(sqlite3.connect(url)) as connection, connection:
        connection.execute("DELETE FROM rulebooks")
    assert (
        "my-room is adopted for all tables, not just at table T3\n  Leave out --venue and --table."
        in run("rules", "retire", "my-room", "--table", "T3", "--ledger", url).err
    )
    assert "no rulebook called 'mine'" in run("rules", "retire", "mine", "--ledger", url).err
    result = run("rules", "retire", "my-room", "--since", "2020-01-01", "--ledger", url)
    assert result.out == "my-room (1) is retired from 2020-01-01 00:00 UTC.\n"
    assert run("audit", "--ledger", url).code == 2


def test_a_path_is_a_path_whatever_a_ledger_calls_its_books(run: Run, house: House, own_file: Path) -> None:
    book = rulebook.load(write_book(own_file))
    url = house(RulebookAdopted(str(own_file), book.edition, book.digest))
    assert run("audit", "-r", str(own_file), "--ledger", url).code in (0, 1)


def test_a_name_that_stands_in_a_rulebook_is_said_to_be_out_of_reach(run: Run, house: House, own_file: Path) -> None:
    url = house()
    with open_ledger(url) as ledger, ledger.database.reading() as link:
        name = next(name for _, _, name in ledger.people.all_names(link))
    assert run("rules", "adopt", write_book(own_file, f"# {name} asked for it\n"), "--ledger", url).code == 0
    result = run("people", "forget", name, "--basis", "request", "--by", "manager", "--ledger", url)
    assert "not reached: the text of the house's rulebook my-room" in " ".join(result.out.split())
    assert run("verify", "--ledger", url).code == 0
    assert run("audit", "--ledger", url).code in (0, 1)


@pytest.mark.slow
def test_editions_are_asked_for_by_name_and_told_apart(run: Run, house: House, own_file: Path) -> None:
    url = house()
    for edition, severity in (("1", "error"), ("2", "info"), ("3", "warning")):
        path = write_book(own_file, SEVERE.format(severity=severity), edition=edition)
        assert run("rules", "adopt", path, "--since", f"202{edition}-01-01", "--ledger", url).code == 0
    own_file.unlink()
    severities = {
        name: run("rules", name, "B8a.1", "--ledger", url, "--format", "json").document["clause"]["severity"]
        for name in ("my-room@1", "my-room@2", "my-room@3", "my-room")
    }
    assert severities == {"my-room@1": "error", "my-room@2": "info", "my-room@3": "warning", "my-room": "warning"}
    wrong = run("audit", "-r", "my-room@4", "--ledger", url)
    assert wrong.code == 2
    assert "Choose one of: my-room@1 (" in " ".join(wrong.err.split())
    result = run("audit", "-r", "my-rom", "--ledger", url)
    assert "tda2024, my-room, my-room@1, my-room@2." in " ".join(result.err.split())
    turns = run("rules", "diff", "my-room@1", "my-room", "--ledger", url)
    assert turns.out.startswith("my-room@1 (1) → my-room (3), ")
    for name in ("my-room@1", "my-room"):
        rates = run("rates", "-r", name, f"book:{name}", "--ledger", url, "--format", "json").document["whole"]
        assert rates["findings"] > 0
        clause = run("log", "--where", f"clause:{name}.*", "--ledger", url, "--format", "json").document["hands"]
        assert len(clause) > 0
    log_result = run("log", "--where", "book:my-room or book:my-room@1", "--ledger", url)
    assert "another edition of my-room" in log_result.err


def test_the_commands_below_a_finding_name_the_book_as_it_was_named(run: Run, tmp_path: Path) -> None:
    """A book that isn't adopted has no name: its path must lead there, also one with a blank."""
    url = str(tmp_path / "x.ledger")
    assert run("import", *map(str, night(tmp_path, [4])), "--ledger", url).code == 0
    own_book = write_book(tmp_path / "my room.toml", SEVERE.format(severity="error"))
    for book in (own_book, "hilton@undated-r1"):
        audited = run("audit", "-r", book, "--ledger", url)
        commands = set(re.findall(r"handledger (rules .*?)(?: ·|$)", audited.out, re.MULTILINE))
        assert commands, audited.out
        for command in commands:
            words = shlex.split(command)
            assert words[1] == book
            assert run(*words, "--ledger", url).code == 0, command
    for words in (["rules", own_book], ["rules", own_book, "nothing"]):
        output = run(*words, "--ledger", url)
        assert shlex.quote(own_book) in output.out + output.err


def test_the_text_of_an_adopted_book_is_written_out_again(
    run: Run, house: House, own_file: Path, tmp_path: Path
) -> None:
    url = house()
    assert run("rules", "adopt", write_book(own_file, "# what we agreed on\n"), "--ledger", url).code == 0
    text = own_file.read_bytes()
    own_file.unlink()
    result = run("rules", "new", "--from", "my-room", str(own_file), "--ledger", url)
    assert "Raise its edition" in result.out
    assert own_file.read_bytes() == text
    assert run("rules", "--ledger", str(tmp_path / "none.ledger")).code == 0, "without a ledger there are ours"


@pytest.mark.slow
def test_what_was_found_is_counted_under_the_book_of_its_day_only(run: Run, house: House, own_file: Path) -> None:
    url = house()
    hands = run("log", "--ledger", url, "--format", "json").document["hands"]
    noon = sorted(row["started"] for row in hands)[len(hands) // 2]
    assert run("rules", "adopt", write_book(own_file), "--ledger", url).code == 0
    noon_time = datetime.fromtimestamp(noon / 1000, UTC).isoformat()
    assert run("rules", "adopt", write_book(own_file, edition="2"), "--since", noon_time, "--ledger", url).code == 0
    audited = run("audit", "--ledger", url, "--format", "json").document["findings"]
    counted = run("rates", "--ledger", url, "--format", "json").document["whole"]["findings"]
    assert counted == len(audited) > 0, "each hand under one book"
    table = audited[0]["hand"]["table"]
    result = run("floor", table, "-n", "50", "--ledger", url, "--format", "json")
    floor = result.document["hands"]
    fingerprints = [finding["fingerprint"] for hand in floor for finding in hand["findings"]]
    editions = {(finding["book"], finding["edition"]) for hand in floor for finding in hand["findings"]}
    assert editions == {(row["book"], row["edition"]) for row in audited if row["hand"]["table"] == table}
    assert sorted(fingerprints) == sorted(row["fingerprint"] for row in audited if row["hand"]["table"] == table)
    assert run("findings", "--ledger", url).code in (0, 1)


@pytest.mark.slow
def test_evidence_holds_its_text_under_the_name_of_its_file(
    run: Run, house: House, own_file: Path, tmp_path: Path
) -> None:
    url = house()
    base = write_book(tmp_path / "all-rooms.toml", SEVERE.format(severity="info"))
    for edition in ("1", "2"):
        adopted = write_book(own_file, f"# {edition}\n", edition=edition)
        assert run("rules", "adopt", adopted, "--since", f"202{edition}-01-01", "--ledger", url).code == 0
    other_file = write_book(tmp_path / "over.toml", base=Path(base).name)
    assert run("rules", "adopt", other_file, "--table", "T9", "--ledger", url).code == 0
    audited = run("audit", "-r", "my-room", "--ledger", url, "--format", "json").document["findings"]
    hand = next(row["hand"]["number"] for row in audited if row["clause"] == "B8a.1")
    key = ["--key", str(tmp_path / "k.key"), "--name", "room.example"]
    assert run("seal", "--new-key", *key, "--ledger", url).code == 0
    for name, text in (("my-room@1", b"# 1"), ("my-room", b"# 2")):
        file = str(tmp_path / f"{name}.hlev")
        assert run("evidence", hand, "-o", file, "-r", name, "--ledger", url).code == 0
        with zipfile.ZipFile(file) as members:
            assert text in members.read("rules/my-room.toml")
        verified = run("verify", file)
        assert "confirmed by judging it again" in verified.out
        assert "the house's own rulebook my-room, edition" in verified.out
    result = run("evidence", hand, "-o", str(tmp_path / "over.hlev"), "-r", "over", "--ledger", url)
    assert (result.code, result.err) == (0, "")
    verified = run("verify", str(tmp_path / "over.hlev")).out
    assert "confirmed by judging it again" in verified
    assert "over extends it: the digest of over covers it" in verified
    digest = rulebook.load(other_file).digest
    assert f"the house's own rulebook over, edition 1: compare its SHA-256 {digest}" in verified
    for index in range(1, 4):
        other_file = write_book(tmp_path / f"over{index}.toml", f"# {index}\n", base=Path(other_file).name)
    assert run("rules", "adopt", other_file, "--table", "T8", "--ledger", url).code == 0
    result = run("evidence", hand, "-o", str(tmp_path / "deep.hlev"), "-r", "over3", "--ledger", url)
    assert (result.code, "more files of the house's own" in result.err) == (0, True)
    assert "this version can't judge the hand again" in run("verify", str(tmp_path / "deep.hlev")).out


def test_evidence_out_of_a_lake_is_judged_by_what_the_house_adopted(
    run: Run, house: House, own_file: Path, tmp_path: Path
) -> None:
    url, lake, file = house(), str(tmp_path / "lake"), str(tmp_path / "x.hlev")
    assert run("rules", "adopt", write_book(own_file), "--ledger", url).code == 0
    audited = run("audit", "-r", "my-room", "--ledger", url, "--format", "json").document["findings"]
    hand = next(row["hand"]["number"] for row in audited if row["clause"] == "B8a.1")
    own_file.unlink()
    key = ["--key", str(tmp_path / "k.key"), "--name", "room.example"]
    assert run("seal", "--new-key", *key, "--ledger", url).code == 0
    assert run("shard", "-o", lake, "--ledger", url).code == 0
    assert run("evidence", hand, "-o", file, "-r", "my-room", "--lake", lake).code == 0
    verified = run("verify", file).out
    assert "confirmed by judging it again" in verified
    assert "the house's own rulebook my-room, edition 1" in verified
    wrong = run("evidence", hand, "-o", file, "-r", "my-rom", "--lake", lake)
    assert (wrong.code, "my-rom" in wrong.err, "my-room" in wrong.err) == (2, True, True)


def test_a_book_is_adopted_before_the_first_hand_and_one_that_cannot_be_read_makes_no_ledger(
    run: Run, own_file: Path, tmp_path: Path
) -> None:
    url = str(tmp_path / "x.ledger")
    assert run("rules", "adopt", str(own_file), "--ledger", url).code == 2, "there is no such file"
    assert run("rules", "adopt", "the-lantern-room", "--ledger", url).code != 0, "a name that no ledger can know"
    assert not Path(url).exists()
    write_book(own_file)
    assert run("rules", "adopt", str(own_file), "--ledger", url).code == 0
    (first, _) = night(tmp_path, [4])
    assert run("import", str(first), "--ledger", url).code == 0
    assert run("audit", "--ledger", url, "--format", "json").document["books"][-1]["title"] == "The Lantern Room"
