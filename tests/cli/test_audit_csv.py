"""`audit --format csv`: what a spreadsheet gets leads back to the hand and to the bytes."""

from __future__ import annotations

import csv
import io
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import SAMPLES, Run
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def house(sampled: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A ledger with the evenings that come with the program."""
    return str(shutil.copy(sampled, tmp_path_factory.mktemp("house")))


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.slow
def test_the_rows_are_the_findings_of_the_json_and_the_exit_code_is_the_same(run: Run, house: str) -> None:
    books = ("-r", "hilton", "-r", "bicycle", "--ledger", house)
    result = run("audit", *books, "--format", "csv")
    document = run("audit", *books, "--format", "json")
    assert (result.code, result.err) == (document.code, "") == (1, "")
    wrong = [row for row in table(result.out) if row["verdict"] == "found"]
    assert [row["fingerprint"] for row in wrong] == [
        finding["fingerprint"] for finding in document.document["findings"]
    ]
    blind = [row for row in table(result.out) if row["verdict"] == "cannot-tell"]
    assert [int(row["hands"]) for row in blind] == [
        row["cannot_tell"] for row in document.document["coverage"] if row["cannot_tell"]
    ]
    assert run("audit", *books, "--format", "csv").out == result.out


def test_a_row_leads_to_the_bytes_and_to_the_event(run: Run, house: str) -> None:
    rows = table(run("audit", "-r", "hilton", "--ledger", house, "--format", "csv").out)
    placed_rows = [row for row in rows if row["byte_start"]]
    assert len({row["source"] for row in placed_rows}) > 1
    for row in placed_rows:
        data = Path(row["source"]).read_bytes()[int(row["byte_start"]) : int(row["byte_end"])]
        assert b"\n" not in data.rstrip()
        if row["seat"] and row["clause"] == "hilton B3":
            assert data.startswith(row["seat"].encode())
    row = next(row for row in placed_rows if row["clause"] == "hilton B3")
    result = run("show", row["show"], "--ledger", house, "--format", "json")
    assert result.code == 0
    assert result.document["hand"]["number"] == row["hand"]
    assert (row["player"], row["table"], row["started_utc"]) == ("Lars", "T3", "2026-11-21T23:37:12Z")


def test_the_finding_of_a_second_account_is_shown_by_its_address(run: Run, tmp_path: Path) -> None:
    url = str(tmp_path / "l")
    first = SAMPLES / "riverside-limit-evening.hand"
    run("import", str(first), "--ledger", url)
    second_file = tmp_path / "again.hand"
    second_file.write_text(first.read_text().replace("4 bets 20\n", "4 bets 30\n", 1))
    run("import", str(second_file), "--ledger", url)
    second = table(run("audit", "703~2", "-r", "hilton", "--ledger", url, "--format", "csv").out)
    addresses = {row["show"] for row in second if row["verdict"] == "found"}
    assert addresses
    for address in addresses:
        assert "~2@" in address
        assert run("show", address, "--ledger", url).code == 0


def test_a_file_begins_with_the_mark_that_excel_needs_and_a_pipe_does_not(run: Run, house: str, tmp_path: Path) -> None:
    for command in (("audit", "-r", "hilton", "--format", "csv"), ("export", "--to", "csv")):
        out = tmp_path / "x.csv"
        run(*command, "--ledger", house, "-o", str(out))
        data = out.read_bytes()
        assert data.startswith(b"\xef\xbb\xbf")
        assert not data[3:].startswith(b"\xef\xbb\xbf")
        assert run(*command, "--ledger", house).out.encode() == data[3:]


def test_no_finding_is_a_head_and_what_cannot_be_told(run: Run, book: str) -> None:
    result = run("audit", "-r", "rrop4", "--ledger", book, "--format", "csv")
    rows = table(result.out)
    assert result.code == (1 if any(row["verdict"] == "found" for row in rows) else 0)
    assert any(row["verdict"] == "cannot-tell" for row in rows)


def test_every_column_is_explained(run: Run, house: str) -> None:
    page = (ROOT / "docs/formats/csv.md").read_text("utf-8")
    for command in (("audit", "-r", "hilton", "--format", "csv"), ("export", "--to", "csv")):
        head = run(*command, "--ledger", house).out.splitlines()[0]
        assert all(f"| `{name}` | " in page for name in head.split(","))
