"""`audit` of some clauses, under another edition, without coverage, against an earlier audit; its exit codes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from ledger.intake import import_paths
from ledger.store import open as open_ledger
from tests.cli.conftest import Run
from tests.cli.test_audit_tables import file, ledger
from tests.projections.test_table_context import hand


@pytest.fixture(scope="module")
def url(sampled: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A ledger with the sample hands."""
    return str(shutil.copy(sampled, tmp_path_factory.mktemp("url")))


def audit_document(run: Run, url: str, *more: str, code: int = 1) -> Any:
    result = run("audit", "-r", "hilton", "--ledger", url, "--format", "json", *more)
    assert result.code == code, result.err
    return result.document


def prints(rows: list[Any]) -> list[str]:
    return [row["fingerprint"] for row in rows]


def test_only_shows_the_findings_and_the_coverage_of_the_clauses_that_are_named(run: Run, url: str) -> None:
    complete = audit_document(run, url)
    selected = audit_document(run, url, "--only", "b15*", "--only", "hilton.B8a.1")
    names = {"B15a.1", "B15b.1", "B8a.1"}
    assert prints(selected["findings"]) == [f["fingerprint"] for f in complete["findings"] if f["clause"] in names]
    assert {row["clause"] for row in selected["coverage"]} == {
        row["clause"] for row in complete["coverage"] if row["clause"].startswith("B15") or row["clause"] == "B8a.1"
    }
    assert [ref["name"] for ref in selected["books"]] == ["hilton"]
    assert selected["only"] == ["b15*", "hilton.B8a.1"]
    assert selected["findings"][0] in complete["findings"], "a finding is what it is whatever else is shown"


def test_only_keeps_a_finding_that_speaks_for_the_clause_too(run: Run, url: str) -> None:
    complete = audit_document(run, url, "-r", "rrop4")
    shared_finding = next((f for f in complete["findings"] if f["also"]), None)
    assert shared_finding is not None, "the samples have a finding that stands for several clauses"
    selected = audit_document(
        run, url, "-r", "rrop4", "--only", f"{shared_finding['book']}.{shared_finding['also'][0]}"
    )
    assert shared_finding["fingerprint"] in prints(selected["findings"])


@pytest.mark.parametrize(("name", "hint"), [("B15c.9", "Did you mean"), ("zzzzzz", "lists its clauses"), ("", "lists")])
def test_a_clause_that_no_book_has_is_an_error(run: Run, url: str, name: str, hint: str) -> None:
    result = run("audit", "-r", "hilton", "--ledger", url, "--only", name)
    assert result.code == 2
    assert repr(name) in result.err
    assert hint in result.err


def test_findings_can_be_had_without_coverage(run: Run, url: str) -> None:
    assert audit_document(run, url, "--no-coverage")["coverage"] == []
    text = run("audit", "-r", "hilton", "--ledger", url, "--no-coverage", "--frames", "0")
    assert "findings" in text.out
    assert "Not judged" not in text.out
    table = run("audit", "-r", "hilton", "--ledger", url, "--no-coverage", "--format", "csv")
    assert "cannot-tell" not in table.out
    assert table.out.count("\r\nfound,") == len(audit_document(run, url)["findings"])


@pytest.mark.parametrize(
    ("only", "least", "code"),
    [
        ("intro.1b", "info", 1),
        ("intro.1b", "warning", 1),
        ("intro.1b", "error", 0),
        ("B15b.1", "error", 1),
        ("B15b.1", "never", 0),
    ],
)
@pytest.mark.parametrize("shape", ["text", "json", "csv"])
def test_the_exit_code_hangs_on_how_severe_a_finding_must_be(
    run: Run, url: str, only: str, least: str, code: int, shape: str
) -> None:
    result = run("audit", "-r", "hilton", "--ledger", url, "--only", only, "--fail-on", least, "--format", shape)
    assert result.code == code
    assert "found" in result.out or "finding" in result.out, "what is found is shown all the same"


def test_another_edition_is_the_same_as_its_full_name(run: Run, url: str) -> None:
    edition = ["--edition", "undated-r1"]
    result = run("audit", "-r", "hilton@undated-r1", "--ledger", url, "--format", "json")
    assert run("audit", "-r", "hilton", *edition, "--ledger", url, "--format", "json").out == result.out
    assert result.document["books"][-1]["edition"] == "undated-r1"
    for wrong in (["-r", "hilton@undated-r1", *edition], edition, ["-r", "hilton", "--edition", "1999"]):
        assert run("audit", *wrong, "--ledger", url).code == 2


class TestBaseline:
    """What came, went and changed since an earlier audit."""

    @pytest.fixture
    def nights(self, tmp_path: Path) -> tuple[str, Path]:
        """A ledger with one wrong button, and its audit."""
        start = "game-started at 2026-11-21T19:00:00Z"
        first = file(tmp_path, "a", "T1", start, hand(1, button=5), hand(2, button=3))
        return ledger(tmp_path, "l", [first]), tmp_path / "before.json"

    def test_only_what_came_is_shown(self, run: Run, tmp_path: Path, nights: tuple[str, Path]) -> None:
        url, baseline = nights
        result = run("audit", "-r", "hilton", "--ledger", url, "--format", "json", "-o", str(baseline))
        assert result.code == 1
        repeated = audit_document(run, url, "--baseline", str(baseline), code=0)
        assert repeated["findings"] == repeated["went"] == repeated["changed"] == []
        assert repeated["since"]["counts"] == {
            "came": 0,
            "went": 0,
            "changed": 0,
            "same": len(json.loads(baseline.read_text())["findings"]),
            "elsewhere": 0,
        }
        path = file(tmp_path, "b", "T2", hand(1, button=5), hand(2, button=3))
        with open_ledger(url) as book:
            import_paths(book, [path])
        grown = audit_document(run, url, "--baseline", str(baseline))
        assert {row["hand"]["table"] for row in grown["findings"]} == {"T2"}
        assert grown["since"]["counts"]["came"] == len(grown["findings"])
        text = run("audit", "-r", "hilton", "--ledger", url, "--baseline", str(baseline))
        assert f"{len(grown['findings'])} came, 0 went, 0 changed" in text.out

    def test_what_went_is_listed_and_what_was_not_judged_now_did_not_go(
        self, run: Run, tmp_path: Path, nights: tuple[str, Path]
    ) -> None:
        url, baseline = nights
        run("audit", "-r", "hilton", "--ledger", url, "--format", "json", "-o", str(baseline))
        findings = json.loads(baseline.read_text())["findings"]
        assert {row["hand"]["number"] for row in findings} == {"2"}
        part = audit_document(run, url, "1", "--baseline", str(baseline), code=0)
        assert part["since"]["counts"] == {"came": 0, "went": 0, "changed": 0, "same": 0, "elsewhere": len(findings)}
        mended = run("correct", "2@8", "button 1", "--by", "floor", "--why", "it lay there", "--ledger", url)
        assert mended.code == 0, mended.err
        shrunk = audit_document(run, url, "--baseline", str(baseline), code=1)
        assert shrunk["since"]["counts"]["went"] == len(shrunk["went"]) > 0
        assert {row["fingerprint"] for row in shrunk["went"]} <= {row["fingerprint"] for row in findings}
        assert "went     hilton" in run("audit", "-r", "hilton", "--ledger", url, "--baseline", str(baseline)).out

    def test_a_finding_that_says_something_else_is_changed(self, run: Run, nights: tuple[str, Path]) -> None:
        url, baseline = nights
        run("audit", "-r", "hilton", "--ledger", url, "--format", "json", "-o", str(baseline))
        document = json.loads(baseline.read_text())
        document["findings"][0]["certainty"] = "likely"
        document["findings"][0]["asks"] = "an older wording"
        baseline.write_text(json.dumps(document))
        current = audit_document(run, url, "--baseline", str(baseline))
        assert current["since"]["counts"]["changed"] == 1
        assert current["changed"][0]["fields"] == ["certainty", "asks"]
        assert current["changed"][0]["before"]["certainty"] == "likely"
        assert prints(current["findings"]) == [current["changed"][0]["fingerprint"]]
        assert "changed  hilton" in run("audit", "-r", "hilton", "--ledger", url, "--baseline", str(baseline)).out

    def test_editions_are_compared_and_other_books_refused(self, run: Run, nights: tuple[str, Path]) -> None:
        url, baseline = nights
        run("audit", "-r", "hilton@undated-r1", "--ledger", url, "--format", "json", "-o", str(baseline))
        other_edition = audit_document(run, url, "--baseline", str(baseline), code=0)
        assert other_edition["since"]["counts"]["same"] == len(json.loads(baseline.read_text())["findings"])
        assert "undated-r1" in run("audit", "-r", "hilton", "--ledger", url, "--baseline", str(baseline)).out
        refused = run("audit", "-r", "rrop4", "--ledger", url, "--baseline", str(baseline))
        assert (refused.code, "rules diff" in refused.err) == (2, True)

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"{",
            b"[]",
            b"null",
            b'{"schema": "handledger/owed/1"}',
            b"[" * 100_000,
            b"\xff\xfe",
            b'{"schema": "handledger/findings/1", "books": 3}',
        ],
    )
    def test_a_file_that_is_no_audit_is_refused(self, run: Run, tmp_path: Path, url: str, content: bytes) -> None:
        path = tmp_path / "b.json"
        path.write_bytes(content)
        result = run("audit", "-r", "hilton", "--ledger", url, "--baseline", str(path))
        assert result.code == 2
        assert "b.json" in result.err
        assert "fault of handledger" not in result.err

    def test_a_baseline_that_holds_less_is_refused(self, run: Run, tmp_path: Path, url: str) -> None:
        complete, selected, compared = (tmp_path / f"{name}.json" for name in ("whole", "some", "since"))
        base = ["audit", "-r", "hilton", "--ledger", url]
        run(*base, "--format", "json", "-o", str(complete))
        run(*base, "--format", "json", "-o", str(selected), "--only", "B15*")
        run(*base, "--format", "json", "-o", str(compared), "--baseline", str(complete))
        assert run(*base, "--baseline", str(selected)).code == 2
        assert run(*base, "--baseline", str(selected), "--only", "B15*").code == 0
        assert run(*base, "--baseline", str(complete), "--only", "B15*").code == 0
        assert run(*base, "--baseline", str(compared)).code == 2


def test_knock_on_is_told_where_it_is_asked(run: Run, tmp_path: Path) -> None:
    start = "game-started at 2026-11-21T19:00:00Z"
    hands = [hand(number, button=button) for number, button in enumerate((5, 2, 3, 3, 4), 1)]
    url = ledger(tmp_path, "l", [file(tmp_path, "a", "T1", start, *hands)])
    assert audit_document(run, url)["knock_on"] == []
    document = audit_document(run, url, "--aftermath")
    first = document["knock_on"][0]
    assert first["fingerprint"] == document["findings"][0]["fingerprint"]
    assert (first["in_step"], [off["number"] for off in first["hands"]]) == ("4", ["2", "3"])
    text = run("audit", "-r", "hilton", "--ledger", url, "--aftermath").out
    assert "= aftermath 2 hands were affected: 2 and 3. The button and blinds were right again on hand 4." in text
    assert "aftermath" not in run("audit", "-r", "hilton", "--ledger", url).out
    figure = run("why", "2", "finding", "-r", "hilton", "--ledger", url, "--format", "json").document["figures"][0]
    assert figure["knock_on"] == first
    output = run("why", "2", "finding", "-r", "hilton", "--ledger", url).out
    assert "hand 3: button 3 (belonged 2) small 4 (belonged 3) big 5 (belonged 4)" in output
