"""The report of a case: headed by claim, ruling and money, judged by the rulebook it cites, with its hands."""

from __future__ import annotations

import re
from hashlib import sha256
from http.client import HTTPResponse
from pathlib import Path
from urllib.parse import urlencode

import pytest

from ledger.case.events import FindingCited
from ledger.case.state import CaseState
from ledger.entry import Provenance
from ledger.house.events import ExportMade, RulebookAdopted
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from projections.books.rulebook import load
from tests.cli.conftest import Run, run
from tests.conftest import ROOT
from tests.web.serving import AUDITOR, FLOOR, VIEWER, Served, serving
from web.pages.case_heading import load_cited_books

__all__ = ["run"]


@pytest.fixture
def url(run: Run, tmp_path: Path) -> str:
    """A ledger with a case that cites hilton, in a house that plays by rrop4."""
    address = str(tmp_path / "x.ledger")
    book = load("rrop4")
    with open_ledger(address) as ledger:
        import_paths(ledger, [ROOT / "cli" / "samples"])
        ledger.append(
            "house", HOUSE, [RulebookAdopted(book.name, book.edition, book.digest)], recorded=Provenance(ledger.now())
        )
    (finding,) = [
        finding
        for finding in run("audit", "T3/712", "-r", "hilton", "--format", "json", "--ledger", address).document[
            "findings"
        ]
        if finding["clause"] == "B15a.1"
    ]
    claim = ("--claim", "<b>seat 3</b> paid 5 too little", "--by", "player", "--amount", "5", "--subject", "blinds")
    for words in (
        ("open", "T3/712", "--number", "A1", *claim),
        ("link", "A1", "T3/711"),
        ("cite", "A1", finding["fingerprint"], "-r", "hilton"),
        ("rule", "A1", "--decision", "seat 3 pays", "--by", "floor", "-r", "hilton", "--clause", "B15a.1", "--pay", "3=-5", "--pay", "8=5"),
    ):  # fmt: skip
        result = run("case", *words, "--ledger", address)
        assert result.code == 0, result.err
    return address


def read_text(html: str) -> str:
    body = html[html.index("<main") : html.index("</main>")]
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def test_a_case_is_judged_by_the_rulebook_that_it_cites(run: Run, url: str) -> None:
    document = run("report", "case:A1", "--format", "json", "--ledger", url).document
    assert [judgement["book"]["name"] for judgement in document["hands"][0]["judgements"]] == ["hilton", "record"]
    assert document["summary"]["found"] >= 1
    assert document["case_heading"]["under_cited_books"]
    html = run("report", "case:A1", "--ledger", url).out
    assert "nothing found" not in html.partition('class="case"')[0]
    assert "The hands are judged under the rulebooks that the case cites." in html


def test_another_rulebook_can_be_named(run: Run, url: str) -> None:
    document = run("report", "case:A1", "-r", "rrop4", "--format", "json", "--ledger", url).document
    assert document["summary"]["book"]["name"] == "rrop4"
    assert not document["case_heading"]["under_cited_books"]


def test_it_is_headed_by_claim_ruling_and_money(run: Run, url: str) -> None:
    html = run("report", "case:A1", "--ledger", url).out
    assert "<b>seat 3</b>" not in html
    text = read_text(html)
    assert text.startswith("Case A1 blinds · decided claim “&lt;b&gt;seat 3&lt;/b&gt; paid 5 too little”")
    heading = text.partition("Findings by clause")[0]
    for words in (
        "player, $5 disputed",
        "“seat 3 pays” (floor, by hilton B15a.1)",
        "seat 3 Kim pays $5, seat 8 Otto receives $5",
    ):
        assert words in heading, words


@pytest.mark.parametrize("options", [(), ("--pdf",)])
def test_it_contains_its_hands(run: Run, url: str, options: tuple[str, ...], tmp_path: Path) -> None:
    document = run("report", "case:A1", *options, "--format", "json", "--ledger", url).document
    assert {page["hand"]["number"] for page in document["hands"]} == {"711", "712"}
    if not options:
        assert "hands are shown below" not in run("report", "case:A1", "--ledger", url).out


def test_a_cited_book_that_is_not_here_is_named(url: str) -> None:
    book = load("hilton")
    cited = [
        FindingCited("f" * 16, "B15a.1", "hilton", book.edition),
        FindingCited("e" * 16, "1", "another-room", "2031"),
        FindingCited("d" * 16, "R1", "record", ""),
    ]
    with open_ledger(url) as ledger:
        books, missing_names = load_cited_books(ledger, CaseState(cited=cited))
        earlier = load_cited_books(ledger, CaseState(cited=[FindingCited("c" * 16, "1", "hilton", "no such edition")]))
    assert [cited_book.digest for cited_book in books] == [book.digest]
    assert missing_names == ["another-room 2031"]
    assert earlier == ([], ["hilton no such edition"])


def test_who_may_not_see_the_case_is_not_shown_its_head(run: Run, url: str) -> None:
    for options in (("--as", "public"), ("--names", "position")):
        output = run("report", "case:A1", *options, "--ledger", url).out
        assert "paid 5 too little" not in output
        assert "Kim pays" not in output


def post(served: Served, key: str, **fields: str) -> tuple[int, str, HTTPResponse]:
    headers = {"Content_Type": "application/x-www-form-urlencoded", "Origin": served.origin}
    return served.ask("/case-report", key=key, method="POST", body=urlencode(fields).encode(), **headers)


@pytest.mark.parametrize("key", [FLOOR, AUDITOR])
def test_its_page_gives_the_file_and_records_the_export(run: Run, url: str, key: str) -> None:
    written = run("report", "case:A1", "--ledger", url).out
    with open_ledger(url) as ledger, serving(ledger, writes=True) as served:
        page = served.ask("/case?number=A1", key=key)[1]
        form = page.partition('action="/case-report"')[2].partition("</form>")[0]
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
        assert fields["number"] == "A1"
        before = [event for event in ledger.events(HOUSE) if isinstance(event, ExportMade)]
        status, text, answer = post(served, key, **fields)
        exports = [event for event in ledger.events(HOUSE) if isinstance(event, ExportMade)][len(before) :]
    assert status == 200, text
    assert answer.headers["content-disposition"] == 'attachment; filename="case-A1.html"'
    assert [(export.kind, export.hands, export.audience) for export in exports] == [("report", 2, "house")]
    assert exports[0].digest == sha256(text.encode()).hexdigest()
    assert read_text(text) == read_text(written)


def test_who_may_not_see_cases_gets_no_file(url: str) -> None:
    with open_ledger(url) as ledger, serving(ledger, writes=True) as served:
        before = ledger.head()[0]
        assert post(served, VIEWER, token=served.token(FLOOR), number="A1")[0] == 403
        assert post(served, FLOOR, token="0" * 64, number="A1")[0] == 403
        assert served.send("/case-report", number="none")[0] == 404
        assert served.tell("/case-report.json", key=VIEWER, number="A1")[0] == 403
        assert ledger.head()[0] == before
        status, document = served.tell("/case-report.json", number="A1")
    assert (status, document["case_heading"]["number"]) == (200, "A1")


def test_a_server_for_reading_gives_no_unrecorded_file(url: str) -> None:
    with open_ledger(url) as ledger, serving(ledger) as served:
        assert "/case-report" not in served.ask("/case?number=A1", key=FLOOR)[1]
        assert post(served, FLOOR, number="A1")[0] in (403, 404, 405)
