"""A ledger of an evening whose last hand has its button in the wrong seat, and pages made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from projections.books.rulebook import load
from tests.web.browser import closing_contexts
from tests.web.nights import wrong_button
from web.pages.documents import HandPage, ReportDocument, Summary
from web.pages.hand_frames import Viewer
from web.pages.hand_page import build_pages, read_ledger_head
from web.pages.html import render_html
from web.pages.page_judgement import BookChoice

Opened = Callable[[str], Ledger]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """Close the pages of a test before its server ends, which waits for them."""
    with closing_contexts():
        return (yield)


@pytest.fixture(scope="session")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """Open a new ledger that holds a text in handscript."""
    ledgers: list[Ledger] = []

    def open_text(text: str) -> Ledger:
        folder = tmp_path_factory.mktemp("pages")
        (folder / "night.hand").write_text(text, encoding="utf-8")
        ledger = open_ledger(folder / "pages.ledger")
        import_summary = import_paths(ledger, [folder / "night.hand"])
        assert not sum(file_summary.rejected for file_summary in import_summary.files)
        ledgers.append(ledger)
        return ledger

    yield open_text
    for ledger in ledgers:
        ledger.close()


@pytest.fixture(scope="session")
def wrong(opened: Opened) -> Ledger:
    """The evening with a wrong button."""
    return opened(wrong_button())


def page_of(ledger: Ledger, number: str, *books: str, eyes: Viewer | None = None) -> HandPage:
    """A hand as a page under books."""
    rows = list(ledger.hands(number=number))
    (page,) = build_pages(ledger, rows, BookChoice([load(name) for name in books]), eyes or Viewer())
    return page


def html_of(
    ledger: Ledger,
    *told: HandPage,
    eyes: Viewer | None = None,
    summary: Summary | None = None,
    title: str = "Hands",
    about: str = "",
) -> str:
    """Pages as one file."""
    eyes = eyes or Viewer()
    document = ReportDocument(
        title=title,
        about=about,
        made=1_795_000_000_000,
        version="0",
        audience=eyes.audience,
        naming=eyes.naming,
        head=read_ledger_head(ledger, "pages.ledger"),
        summary=summary,
        hands=list(told),
    )
    return render_html(document)


def write_page(folder: Path, html: str) -> str:
    """Write a page to a file and return its address."""
    file = folder / "page.html"
    file.write_text(html, encoding="utf-8")
    return file.as_uri()
