"""Every output says the same of a hand: badge, panels, comparison, table page, /findings, reports, PDF and audit."""

from __future__ import annotations

import json
import pickle
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest

from cli.audit import judge_with_progress
from ledger import formats
from ledger.export.audience import HOUSE as HOUSE_EYES
from ledger.formats.handscript import CASE
from ledger.house.events import RulebookAdopted
from ledger.intake import import_paths
from ledger.store import HandRow, Ledger
from ledger.store import open as open_ledger
from ledger.store.requests.stored_hands import group_rows_by_table
from ledger.streams import HOUSE
from projections.audit import house_audit as adopted
from projections.audit.audit_result import AuditResult
from projections.books import rulebook
from projections.books.rulebook import Rulebook, load
from projections.findings.finding import Finding
from tests.formats.support import samples
from tests.laws import size
from tests.projections.pages import Case, cases
from tests.web.serving import Served, serving
from web.pages.documents import HandPage, Judgement, ReportDocument
from web.pages.hand_frames import Viewer
from web.pages.hand_page import build_pages, read_ledger_head
from web.pages.html import render_for_paper, render_html
from web.pages.page_judgement import BookChoice, choose_default_books
from web.pages.report_summary import summarize_hands

Prints = dict[str, list[str]]
"""The fingerprints of the findings of each hand, by its stream."""

_CODE = re.compile(r"<code>([0-9a-f]{8})</code>")


@dataclass(frozen=True)
class Shelf:
    """Samples that go into one ledger, and the rulebook that its house adopts ("" = none)."""

    name: str
    book: str
    files: tuple[Path, ...] = ()
    pages: tuple[Case, ...] = ()

    def texts(self) -> Iterator[str]:
        """Yield case pages as files, each at a table of its own."""
        for number, case in enumerate(self.pages, 1):
            text = case.text if case.evening else f"hand 1\n{case.text}"
            if not text.startswith("handscript 1\n"):
                text = f"handscript 1\n{case.column.header}{CASE}{text}"
            yield re.sub(r"\btable 1\b", f"table c{number}", text, count=1)


def shelves() -> list[Shelf]:
    """Return all samples: those of each format, and the pages of each clause under each of its books."""
    books = ["", *rulebook.list_names()]
    shelf_list = [
        Shelf(name, books[index % len(books)], files=tuple(samples(name)))
        for index, name in enumerate(formats.NAMES)
        if samples(name)
    ]
    by_page: defaultdict[tuple[str, str, str], list[Case]] = defaultdict(list)
    for case in cases():
        by_page[case.page, case.clause, case.book].append(case)
    for (page, clause, book), page_cases in by_page.items():
        shelf_list.append(Shelf(f"{page} {clause} {book}", "" if book == "record" else book, pages=tuple(page_cases)))
    return shelf_list


def picked() -> list[Shelf]:
    """Return what this run looks at: all samples, or a few of each kind, in an order of chance."""
    every = shelves()
    rng = Random(30)
    records = [shelf for shelf in every if shelf.name.startswith("record ")]
    clauses = [shelf for shelf in every if shelf.pages and shelf not in records]
    kinds = (([shelf for shelf in every if shelf.files], 2), (records, 2), (clauses, 2))
    shelf_list = [
        shelf for kind_shelves, small in kinds for shelf in rng.sample(kind_shelves, size(small, len(kind_shelves)))
    ]
    rng.shuffle(shelf_list)
    return shelf_list


PARTS = size(2, 64)


@pytest.mark.law
@pytest.mark.parametrize("part", range(PARTS))
def test_all_outputs_say_the_same_of_every_hand(part: int, tmp_path: Path) -> None:
    for index, shelf in enumerate(picked()[part::PARTS]):
        (tmp_path / str(index)).mkdir()
        try:
            look_at(shelf, tmp_path / str(index))
        except AssertionError as error:
            error.add_note(f"samples: {shelf.name}, under {shelf.book or 'no rulebook'}")
            raise


@contextmanager
def filled(shelf: Shelf, folder: Path) -> Iterator[Ledger]:
    """Put samples into a ledger whose house adopted their rulebook."""
    with open_ledger(folder / "x.ledger") as ledger:
        for index, text in enumerate(shelf.texts()):
            (folder / f"{index}.hand").write_text(text, encoding="utf-8")
        import_paths(ledger, [*shelf.files, *sorted(folder.glob("*.hand"))])
        if shelf.book:
            book = load(shelf.book)
            ledger.append("house", HOUSE, [RulebookAdopted(book.name, book.edition, book.digest)])
        yield ledger


def look_at(shelf: Shelf, folder: Path) -> None:
    """Compare what each output says of samples."""
    with filled(shelf, folder) as ledger:
        rows = list(ledger.hands(standing=True))
        assert rows or not shelf.pages
        if rows:
            agree(ledger, rows, shelf.book)


def agree(ledger: Ledger, rows: list[HandRow], book: str) -> None:
    """Hold every output against an audit under all rulebooks."""
    books = [load(name) for name in rulebook.list_names()]
    findings = list(judge_with_progress(ledger, group_rows_by_table(rows), books).findings)
    expected = prints(findings, "record", book)
    assert prints(house_audit(ledger, rows)) == expected, "audit"
    page_by_page(ledger, rows, findings, expected)
    with serving(ledger) as served:
        listed_findings = [finding for page in everything(served, "findings") for finding in page["findings"]]
        assert raw(listed_findings) == expected, "/findings"
        tables(served, ledger, expected)
        hands(served, rows, expected)
        links(served)


def house_audit(ledger: Ledger, rows: list[HandRow]) -> list[Finding]:
    """Return what `audit` without -r finds."""

    def judge(rows: Any, books: list[Rulebook]) -> AuditResult:
        return judge_with_progress(ledger, rows, books)

    if adopted.has_adopted_books(ledger):
        return list(adopted.judge_under_house_books(ledger, lambda: group_rows_by_table(rows), judge).findings)
    return list(judge_with_progress(ledger, group_rows_by_table(rows), []).findings)


def prints(findings: Iterable[Finding], *books: str) -> Prints:
    """Return fingerprints by hand; with `books`, of those alone."""
    fingerprints: defaultdict[str, list[str]] = defaultdict(list)
    for finding in findings:
        if not books or finding.book in books:
            fingerprints[finding.hand.stream].append(finding.fingerprint)
    return {stream: sorted(stream_prints) for stream, stream_prints in fingerprints.items()}


def raw(raw_findings: Iterable[Mapping[str, Any]]) -> Prints:
    """Return the same of findings in a document."""
    return prints(msgspec.convert(list(raw_findings), list[Finding]))


def short_prints(fingerprints: Iterable[str]) -> list[str]:
    """Return fingerprints as pages print them."""
    return sorted(fingerprint[:8] for fingerprint in fingerprints)


def page_by_page(ledger: Ledger, rows: list[HandRow], findings: list[Finding], expected: Prints) -> None:
    """Look at the pages of hands, and at the report of them all."""
    books = choose_default_books(ledger, rows)
    document = report_of(ledger, rows, books)
    hands, summary = document.hands, document.summary
    assert summary is not None
    for page in hands:
        assert pickle.loads(pickle.dumps(page)) == page  # `serve` draws it in another process
        for judgement in page.judgements:
            expected_prints = prints(findings, "record", judgement.book.name).get(page.hand.id, [])
            assert sorted(finding.fingerprint for finding in judgement.findings) == expected_prints, (
                page.hand.number,
                judgement.book.name,
            )
    assert summary.hands_with_findings == len(expected)
    assert [line.findings for line in summary.lines] == [len(expected.get(page.hand.id, ())) for page in hands]
    assert sum(rate.findings for rate in summary.rates) == sum(map(len, expected.values()))
    for text in (render_html(document), render_for_paper(document)):
        in_html(text, hands, expected)


def report_of(ledger: Ledger, rows: list[HandRow], books: BookChoice) -> ReportDocument:
    """Return a report of hands, all of them event by event."""
    summary, stepped_rows = summarize_hands(ledger, rows, books, Viewer(), max_stepped=1000)
    assert len(stepped_rows) == len(rows)
    return ReportDocument(
        title="All",
        about="all",
        made=1_795_000_000_000,
        version="0",
        audience=HOUSE_EYES,
        naming="keep",
        head=read_ledger_head(ledger, "x.ledger"),
        summary=summary,
        hands=list(build_pages(ledger, stepped_rows, books, Viewer())),
    )


def in_html(text: str, hand_pages: Sequence[HandPage], expected: Prints) -> None:
    """Compare badges, first panels and comparisons of a page of HTML."""
    wrong = sum(bool(expected.get(page.hand.id)) for page in hand_pages)
    total = (
        f"✗ findings in {wrong} of {len(hand_pages)} hands" if wrong else f"✓ nothing found in {len(hand_pages)} hands"
    )
    assert total in text
    articles = text.split('<article class="hand"')[1:]
    for page, article in zip(hand_pages, articles, strict=True):
        says_the_same(article, page.judgements, expected.get(page.hand.id, []))


def says_the_same(article: str, judgements: Sequence[Judgement], expected_prints: list[str]) -> None:
    """Compare what a hand's page says in its badge, its first panel and its comparison of rulebooks."""
    badge = re.search(r'<b class="badge \w+">(.*?)</b>', article)
    assert badge is not None
    text = f"✗ {len(expected_prints)} finding{'s' * (len(expected_prints) != 1)}"
    clean_text = "✓ nothing found" if judgements[0].judged else "? nothing could be judged"
    assert badge[1] == (text if expected_prints else clean_text)
    assert sorted(_CODE.findall(first_panel(article))) == short_prints(expected_prints)
    compared = re.findall(r'<tr data-book="(\d+)">.*?<td>([^<]*)</td></tr>', article, re.DOTALL)
    for index, number in compared:
        judgement = judgements[int(index)]
        assert number == (f"✗ {len(judgement.findings)}" if judgement.findings else "✓ 0" if judgement.judged else "?")


def first_panel(article: str) -> str:
    """Return the findings of a hand's page as they are shown at first."""
    return article.split('<div class="book" data-book="0">')[1].partition('<div class="book"')[0]


def everything(served: Served, path: str) -> Iterator[dict[str, Any]]:
    """Yield the documents of a list, page by page."""
    for page in count(1):
        document = json.loads(served.ask(f"/{path}.json?page={page}")[1])
        yield document
        if not document["more"]:
            return


def tables(served: Served, ledger: Ledger, expected: Prints) -> None:
    """Compare what the pages of tables have: each its last hands."""
    for row in ledger.tables():
        table_query = {"venue": row.venue, "tournament": row.tournament, "name": row.table}
        page = json.loads(served.ask(f"/table.json?{urlencode(table_query)}")[1])
        for line in page["hands"]:
            stream = line["hand"]["id"]
            assert raw(line["findings"]).get(stream, []) == expected.get(stream, []), line["hand"]["number"]


def hands(served: Served, rows: list[HandRow], expected: Prints) -> None:
    """Compare what the server's pages of hands say."""
    for row in rows[: size(10, len(rows))]:
        stream = row.stream.hex
        page = json.loads(served.ask(f"/hand.json?id={stream}")[1])
        judgements = msgspec.convert(page["hand"]["judgements"], list[Judgement])
        says_the_same(served.ask(f"/hand?id={stream}")[1], judgements, expected.get(stream, []))


def links(served: Served) -> None:
    """Follow the links of findings: each opens a hand that has its event, and the finding in the first panel."""
    page = served.ask("/findings")[1].split("<main")[1]
    matches = re.findall(r'href="(/hand\?[^"#]*)#e=(\d+)"', page)
    assert len(matches) == page.count('<td data-label="clause">')
    for path, event in matches[: size(5, 50)]:
        article = served.ask(unescape(path))[1]
        assert f'data-event="{event}"' in first_panel(article)
        assert f'<a href="#e={event}">{event}</a>' in article


@pytest.mark.law
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="there is no pdftotext on this machine")
@pytest.mark.parametrize("part", range(size(1, 8)))
def test_a_pdf_says_the_same_of_every_hand(part: int, tmp_path: Path) -> None:
    pytest.importorskip("weasyprint", exc_type=OSError, reason="WeasyPrint needs Pango")
    records = [candidate for candidate in shelves() if candidate.name.startswith("record ")]
    for index, shelf in enumerate(records[part :: size(len(records), 8)]):
        (tmp_path / str(index)).mkdir()
        with filled(shelf, tmp_path / str(index)) as ledger:
            rows = list(ledger.hands(standing=True))[:8]
            books = BookChoice([load("hilton")])
            expected = prints(judge_with_progress(ledger, group_rows_by_table(rows), books.primary_books).findings)
            document = report_of(ledger, rows, books)
            assert document.summary is not None
            text = printed(document, tmp_path)
            assert f"findings in {len(expected)} of {len(rows)} hands" in text
            for expected_prints in expected.values():
                for code in short_prints(expected_prints):
                    assert code in text, shelf.name


def printed(document: ReportDocument, folder: Path) -> str:
    """Return the text of a report as PDF."""
    from web.pages.paper import render_pdf  # noqa: PLC0415 - an extra, and slow to import

    (folder / "r.pdf").write_bytes(render_pdf(document))
    output = subprocess.run(
        ["pdftotext", "-layout", str(folder / "r.pdf"), "-"], capture_output=True, check=True
    ).stdout
    return " ".join(output.decode().split())


STRANGER = """handscript 1
venue V  table 1  seats 4
witness live-table
game holdem no-limit cash blinds 2/5 unit USD 2
hand 1
seat 1 Ana 200
seat 2 Bo 200
seat 3 Cy 200
button 1
2 posts small 2
3 posts big 5
deal
1 folds
4 calls
"""


@pytest.fixture
def stranger(tmp_path: Path) -> Iterator[Ledger]:
    """A hand without a time in which somebody acts who was not dealt in: a finding of `record` alone."""
    (tmp_path / "night.hand").write_text(STRANGER)
    with open_ledger(tmp_path / "x.ledger") as ledger:
        import_paths(ledger, [tmp_path / "night.hand"])
        yield ledger


def test_what_contradicts_a_record_counts_once_under_several_rulebooks(stranger: Ledger) -> None:
    with serving(stranger) as served:
        findings = json.loads(served.ask("/findings.json?book=hilton,rrop4")[1])["findings"]
    assert [finding["book"] for finding in findings] == ["record"]


def test_without_a_rulebook_the_pages_have_what_contradicts_the_record(stranger: Ledger) -> None:
    with serving(stranger) as served:
        page = json.loads(served.ask("/findings.json")[1])
        table = json.loads(served.ask("/table.json?venue=V&name=1")[1])
    assert [finding["clause"] for finding in page["findings"]] == ["R7"]
    assert page["choose"] == rulebook.list_names()
    assert [finding["clause"] for finding in table["hands"][0]["findings"]] == ["R7"]


ONE_FINDS = """handscript 1
venue V  table 1  seats 4
witness live-table
game holdem no-limit cash blinds 1/2 unit USD 0
hand 1
seat 1 Ana 200
seat 2 Bo 200
seat 3 Cy 200
button 1; 2 posts small 1; 3 posts big 2; deal done; 1 folds; 2 folds; 3 wins 3
end
hand 2
seat 1 Ana 200
seat 2 Bo 199
seat 3 Cy 201
button 2; 3 posts small 1; 1 posts big 5; deal done; 2 folds; 3 folds; 1 wins 6
end
"""
"""A blind of the wrong size, about which hilton has a clause and rrop4 none."""


@pytest.mark.parametrize("asked", [["hilton", "rrop4"], ["rrop4", "hilton"]])
def test_where_several_rulebooks_are_asked_for_no_output_is_green_if_one_of_them_finds_something(
    asked: list[str], tmp_path: Path
) -> None:
    (tmp_path / "night.hand").write_text(ONE_FINDS)
    with open_ledger(tmp_path / "x.ledger") as ledger:
        import_paths(ledger, [tmp_path / "night.hand"])
        rows = list(ledger.hands(standing=True))
        books = BookChoice([load(name) for name in asked])
        expected = prints(judge_with_progress(ledger, group_rows_by_table(rows), books.primary_books).findings)
        assert len(expected) == 1
        assert (
            len(
                {
                    finding.book
                    for finding in judge_with_progress(ledger, group_rows_by_table(rows), books.primary_books).findings
                }
            )
            == 1
        )
        document = report_of(ledger, rows, books)
        assert document.summary is not None
        assert document.summary.hands_with_findings == 1
        assert [line.findings for line in document.summary.lines] == [
            len(expected.get(row.stream.hex, [])) for row in rows
        ]
        for text in (render_html(document), render_for_paper(document)):
            assert "✗ findings in 1 of 2 hands" in text
            assert all(load(name).title in unescape(text) for name in asked)
        with serving(ledger, books=asked) as served:
            for row in rows:
                verdicts = served.ask(f"/hand?id={row.stream.hex}")[1].count('<b class="badge bad">✗ 1 finding</b>')
                assert verdicts == len(expected.get(row.stream.hex, []))
            findings = json.loads(served.ask("/findings.json")[1])["findings"]
            assert raw(findings) == expected


def test_where_any_of_two_rulebooks_may_have_been_in_force_the_page_goes_by_both(stranger: Ledger) -> None:
    for name, since_ms in (("hilton", None), ("rrop4", 1_700_000_000_000)):
        book = load(name)
        stranger.append("house", HOUSE, [RulebookAdopted(name, book.edition, book.digest, since=since_ms)])
    with serving(stranger) as served:
        html = served.ask(f"/hand?id={next(stranger.hands()).stream.hex}")[1]
        findings = json.loads(served.ask("/findings.json")[1])["findings"]
    assert [finding["clause"] for finding in findings] == ["R7"]
    assert html.count('<b class="badge bad">✗ 1 finding</b>') == 2
    assert "any of these rulebooks may have been in force" in html
