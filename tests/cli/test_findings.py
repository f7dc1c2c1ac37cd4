"""Under the books that the house adopted, `import` judges what it brings and `findings` says what was known when."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

from ledger.store import open as open_ledger
from projections.books.rulebook import load
from tests.cli.conftest import Run
from tests.projections.tables.test_announcing import adopt, night

RIGHT_POSTS = "position small 2\nposition big 3\n2 posts small 5\n3 posts big 10\n"
WRONG = "position small 6\nposition big 7\n6 posts small 5\n7 posts big 10\n"


def test_import_says_what_it_brings_and_takes_away(tmp_path: Path, run: Run) -> None:
    (path,) = night(tmp_path, [])
    url = str(tmp_path / "x.ledger")
    with open_ledger(url) as ledger:
        adopt(ledger, "hilton")
    first = run("import", "--ledger", url, str(path))
    assert f"Findings under hilton {load('hilton').edition} at table 1: 1 new." in first.out
    with open_ledger(url) as ledger:
        position_then = ledger.head()[0]
    text_before, _, text_after = path.read_text().partition(WRONG)
    text_after = text_after.replace("7 checks\n", "7 calls 10\n", 1).replace(
        "7 wins 35 ", "7 wins 45 ", 1
    )  # it posted nothing now
    path.write_text(text_before + RIGHT_POSTS + text_after)
    document = json.loads(run("import", "--ledger", url, str(path), "--format", "json").out)
    (of_table,) = document["findings"]
    assert of_table["gone"] == 1
    assert "Findings under" not in run("import", "--ledger", url, str(path)).out

    result = run("findings", "--as-of", str(position_then), "--ledger", url)
    assert result.code == 1
    heading, line = result.out.splitlines()[:2]
    assert heading.split() == ["PLAYED", "FILED", "RULE", "SEVERITY", "CERTAINTY", "WHERE"]
    assert re.search(r" hilton B11b\.1 +error +certain +1/", line), line
    findings = json.loads(run("findings", "--ledger", url, "--format", "json").out)["findings"]
    assert len(findings) == of_table["found"]
    assert "B11b.1" not in {finding["clause"] for finding in findings if finding["number"] == "6"}


def test_a_house_without_a_book_is_told_nothing_of_findings(tmp_path: Path, run: Run) -> None:
    (path,) = night(tmp_path, [])
    url = str(tmp_path / "x.ledger")
    assert "Findings" not in run("import", "--ledger", url, str(path)).out
    result = run("findings", "--ledger", url)
    assert (result.code, result.out.splitlines()[0]) == (0, "No findings on file.")
    assert result.out.splitlines()[1:] == [
        "The house hasn't adopted a rulebook, so no hand was checked.",
        "Adopt one: handledger rules adopt hilton",
    ]


def test_findings_are_on_file_right_after_a_book_is_adopted(tmp_path: Path, run: Run) -> None:
    (path,) = night(tmp_path, [])
    url = str(tmp_path / "x.ledger")
    run("import", "--ledger", url, str(path))
    assert run("findings", "--ledger", url).out.startswith("No findings on file.")
    adopted = run("rules", "adopt", "hilton", "--ledger", url)
    assert adopted.out.splitlines()[-1] == "See what is on file: handledger findings"
    on_file = run("findings", "--ledger", url)
    assert on_file.code == 1
    _, line, sentence = on_file.out.splitlines()[:3]
    assert " hilton B11b.1 " in line
    assert sentence.startswith("    Button ")
    assert on_file.out.splitlines()[-1].startswith("Details: handledger why 1/")
    assert "not judged" not in on_file.out
    assert run("findings", "--where", "button wrong or wrong blind", "--ledger", url).out == on_file.out
    assert run("findings", "--where", "clause:B11b.1 and severity:error", "--ledger", url).out == on_file.out
    assert (
        run("findings", "--where", "severity:info or pot>999999", "--ledger", url).out
        == "No findings on file match this query.\n"
    )


def test_hands_that_nobody_judged_yet_are_not_passed_over_in_silence(tmp_path: Path, run: Run) -> None:
    (path,) = night(tmp_path, [])
    url = str(tmp_path / "x.ledger")
    run("import", "--ledger", url, str(path))
    with open_ledger(url) as ledger:
        adopt(ledger, "hilton")
        hands = sum(row.hands for row in ledger.tables())
    output = run("findings", "--ledger", url).out
    assert f"! {hands} hands are not judged under hilton yet (1). This list doesn't cover them." in output
    assert "not judged" not in run("findings", "--ledger", url, "--table", "2").out
    document = run("findings", "--ledger", url, "--format", "json").document
    assert document["unjudged"] == [{"book": "hilton", "tables": ["1"], "hands": hands}]
    run("import", "--ledger", url, str(path))
    assert "not judged" not in run("findings", "--ledger", url).out


def test_a_table_with_a_book_of_its_own_waits_for_no_other(tmp_path: Path, run: Run) -> None:
    (path,) = night(tmp_path, [])
    url = str(tmp_path / "x.ledger")
    run("import", "--ledger", url, str(path))
    with open_ledger(url) as ledger:
        adopt(ledger, "hilton")
        adopt(ledger, "rrop4", table="1")
    assert "hilton" not in run("findings", "--ledger", url).out
    assert "are not judged under rrop4 yet" in run("findings", "--ledger", url).out
    imported = run("import", "--ledger", url, str(path)).out
    assert "Findings under hilton" not in imported
    assert "Findings under rrop4" in imported


def test_a_book_that_is_not_here_keeps_nothing_from_being_imported(tmp_path: Path, run: Run) -> None:
    (path,) = night(tmp_path, [])
    url = str(tmp_path / "x.ledger")
    with open_ledger(url) as ledger:
        adopt(ledger, "hilton", digest="0" * 64)
    result = run("import", "--ledger", url, str(path))
    assert result.code == 0
    assert "Not judged: the house adopted another text of hilton" in result.err


def test_verify_says_whether_what_is_kept_beside_the_log_was_looked_at(tmp_path: Path, run: Run) -> None:
    (path,) = night(tmp_path, [])
    url = str(tmp_path / "x.ledger")
    run("import", "--ledger", url, str(path))
    unproved = "that the stored results and findings agree with the log (no --tables)"
    assert unproved not in json.loads(run("verify", "--ledger", url, "--format", "json").out)["not_proved"]
    run("audit", "-r", "hilton", "--ledger", url)
    run("results", "--ledger", url)
    assert unproved in json.loads(run("verify", "--ledger", url, "--format", "json").out)["not_proved"]
    result = run("verify", "--tables", "--ledger", url)
    assert result.code == 0
    assert f"findings under hilton {load('hilton').edition}, rebuilt from the log" in " ".join(result.out.split())
    with closing(sqlite3.connect(url)) as link:
        link.execute("UPDATE kept_findings SET clause = 'B1' WHERE number = 1")
        link.commit()
    assert run("verify", "--ledger", url).code == 0
    forged = run("verify", "--tables", "--ledger", url)
    assert forged.code == 4
    assert "differs from the log: clause" in " ".join(forged.out.split())


def test_a_slip_is_not_read_as_a_clean_record(tmp_path: Path, run: Run) -> None:
    (path,) = night(tmp_path, [])
    url = str(tmp_path / "x.ledger")
    run("import", "--ledger", url, str(path))
    run("rules", "adopt", "hilton", "--ledger", url)
    for slip, sentence in (
        (["--table", "table 1"], "no table is called 'table 1'"),
        (["--table", "11", "--format", "json"], ""),
        (["--where", "table:11"], "no hands match"),
        (["--where", "venue:Nowhere"], "no hands match"),
        (["--watch", "--table", "11"], "no table is called '11'"),
    ):
        refused = run("findings", *slip, "--ledger", url)
        assert refused.code == 2, slip
        assert sentence in refused.err
    for table in ("1", "Evening/1"):
        assert run("findings", "--table", table, "--ledger", url).out == run("findings", "--ledger", url).out
    nothing = run("findings", "--where", "severity:info", "--ledger", url)
    assert (nothing.code, nothing.out) == (0, "No findings on file match this query.\n")
