"""A ledger that is locked, taken away, replaced or overwritten under the server; queries with errors; and PostgreSQL."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.entry import Provenance
from ledger.house.events import RulebookAdopted
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from ledger.store.requests.case_streams import find_case
from ledger.streams import HOUSE
from projections.books import rulebook
from tests.postgres import NoPostgresError, server
from tests.web.browser import chromium, find_barriers, needs_chromium
from tests.web.nights import wrong_button
from tests.web.serving import AUDITOR, FLOOR, VIEWER, Served, serving
from web.server.access.bodies import IntakeBounds

PAGES = [
    "/tables",
    "/log",
    "/findings",
    "/cases",
    "/case?number=2026-1",
    "/imports",
    "/hand?id=412",
    "/results",
    "/looks",
]


def filled(url: str, folder: Path) -> None:
    """Put the evening with the wrong button into a ledger, under a book of the house."""
    (folder / "night.hand").write_text(wrong_button(), encoding="utf-8")
    with open_ledger(url) as ledger:
        import_paths(ledger, [folder / "night.hand"])
        book = rulebook.load("rrop4")
        ledger.append(
            "house", HOUSE, [RulebookAdopted(book.name, book.edition, book.digest)], recorded=Provenance(ledger.now())
        )


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    filled(str(tmp_path / "x.ledger"), tmp_path)
    with open_ledger(tmp_path / "x.ledger", read_only=True) as ledger, serving(ledger, writes=True) as running:
        assert running.tell("/open-case.json", claim="x", by="player", hands="412", number="2026-1")[0] == 201
        yield running


def troubled(served: Served, message: str) -> None:
    """Every page and every form says what is wrong, with a status and without a traceback."""
    for path in PAGES:
        status, text, _ = served.ask(path)
        assert (status, message in text) == (503, True), text
        assert "Traceback" not in text
    document = json.loads(served.ask("/tables.json")[1])
    assert message in document["message"]
    status, document = served.tell("/case/remark.json", number="2026-1", words="lost?")
    assert (status, message in str(document["message"])) == (503, True)


def test_a_ledger_that_is_taken_away_or_replaced_is_said_on_every_page(served: Served, tmp_path: Path) -> None:
    file, kept_file = tmp_path / "x.ledger", tmp_path / "kept.ledger"
    file.rename(kept_file)
    troubled(served, "no longer there")
    shutil.copy(kept_file, file)
    troubled(served, "Another file is where the ledger was")
    file.unlink()
    kept_file.rename(file)
    assert served.ask("/tables")[0] == 200, "and where it is back, so are the pages"


def test_a_ledger_that_is_overwritten_is_said_and_ends_nothing(served: Served, tmp_path: Path) -> None:
    served.ask("/tables")
    with (tmp_path / "x.ledger").open("r+b") as file:
        file.write(b"no ledger at all " * 5000)
    (tmp_path / "x.ledger-wal").write_bytes(b"")
    for path in PAGES:
        status, text, _ = served.ask(path)
        assert status in (200, 404, 503), text  # what was read before may still be known
        assert "Traceback" not in text
    assert served.tell("/case/remark.json", number="2026-1", words="lost?")[0] in (404, 503)
    assert served.ask("/static/page.css")[0] == 200


@pytest.mark.slow
def test_a_ledger_that_another_program_holds_can_be_read_and_a_form_keeps_what_was_typed(
    served: Served, tmp_path: Path
) -> None:
    for path in PAGES:
        served.ask(path)
    holder = sqlite3.connect(tmp_path / "x.ledger", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        assert served.ask("/tables")[0] == 200
        status, text, _ = served.send("/case/remark", number="2026-1", words="typed while it was held")
        assert status == 503
        assert "typed while it was held" in text
        assert "Another program" in text or "another program" in text
    finally:
        holder.execute("ROLLBACK")
        holder.close()
    assert served.send("/case/remark", number="2026-1", words="typed while it was held")[0] == 303
    assert len(find_case(served.ledger, "2026-1").state.remarks) == 1


@pytest.mark.parametrize("path", ["/log", "/findings", "/results"])
def test_an_error_in_a_query_is_shown_where_it_is(served: Served, path: str) -> None:
    for query in ("pot>>=20", "nonsense:1", '"', "(table:T7", "pot>=lots", "a" * 5000, "%00", "saved:none"):
        status, text, _ = served.ask(
            f"{path}?q={query.replace('%', '%25').replace('>', '%3E').replace(chr(34), '%22')}"
        )
        assert status in (400, 404), (query, status)
        assert "Traceback" not in text
    assert "^" in served.ask(f"{path}?q=pot%3E%3E=20")[1], "a caret"


@pytest.mark.parametrize("path", ["/hand?id=zz", "/case?number=none", "/case", "/table?name=none", "/rules?book=none"])
def test_what_is_not_there_is_said(served: Served, path: str) -> None:
    for ending, kind in (("", "text/html"), (".json", "application/problem+json")):
        name, _, query = path.partition("?")
        status, text, answer = served.ask(f"{name}{ending}?{query}")
        assert status in (400, 404)
        assert answer.headers["content-type"].startswith(kind)
        assert "Traceback" not in text


def test_a_viewer_asks_no_findings_by_a_query(served: Served) -> None:
    for query in ("finding", "clause:rrop4*", "-finding", "severity:error or pot>1"):
        status, text, _ = served.ask(f"/log?q={query.replace(' ', '%20').replace('>', '%3E')}", key=VIEWER)
        assert status == 400
        assert "show findings" in text
    assert served.ask("/log?q=table:T7", key=VIEWER)[0] == 200
    for path in ("/table.json?venue=Riverside&name=T7", "/hand.json?id=412", "/tables.json"):
        document = served.ask(path, key=VIEWER)[1]
        assert '"saw"' not in document
        assert json.loads(document)["open"] is None


@pytest.mark.postgres
def test_on_postgresql_the_pages_are_the_same_and_cases_are_worked(tmp_path: Path) -> None:
    try:
        with server() as url:
            worked(url, tmp_path)
    except NoPostgresError as error:
        pytest.skip(str(error))


def worked(url: str, tmp_path: Path) -> None:
    """Look at every page of a ledger, work a case in it, and drop a file."""
    filled(url, tmp_path)
    with open_ledger(url, read_only=True) as ledger, serving(ledger, writes=True) as running:
        assert running.tell("/open-case.json", claim="x", by="player", hands="412", number="2026-1")[0] == 201
        assert running.send("/case/statement", number="2026-1", words="on a server", by="dealer")[0] == 303
        for path in PAGES:
            status, text, _ = running.ask(path)
            assert status == 200, text
        assert "on a server" in running.ask("/case?number=2026-1", key=FLOOR)[1]
        status, page = running.drop(("more.hand", wrong_button().replace("table T7", "table T8").encode()))
        assert status == 200
        assert "2 new hands" in page
        assert "T8" in running.ask("/tables")[1]


@pytest.mark.slow
@needs_chromium
def test_cases_are_worked_in_a_browser_with_and_without_its_script(served: Served, tmp_path: Path) -> None:
    (tmp_path / "more.hand").write_text(wrong_button().replace("table T7", "table T9"), encoding="utf-8")
    with chromium() as browser:
        for script in (True, False):
            context = browser.new_context(java_script_enabled=script, viewport={"width": 390, "height": 844})
            page = context.new_page()
            errors: list[str] = []
            page.on("pageerror", lambda error, errors=errors: errors.append(str(error)))  # type: ignore[misc] # the list of this turn
            page.goto(f"{served.origin}/?key={FLOOR}")
            page.goto(f"{served.origin}/case?number=2026-1")
            page.locator("#do-rule summary").click()
            form = page.locator("#do-rule")
            form.locator("textarea").fill("seat 1 gets the blind back")
            form.locator("[name=pay-who]").first.select_option("1")
            form.locator("[name=pay-amount]").first.fill("5")
            form.get_by_role("button").click()
            page.locator(".refused").wait_for()
            assert page.locator("#do-rule textarea").input_value() == "seat 1 gets the blind back"
            page.goto(f"{served.origin}/case?number=2026-1")
            page.locator("#do-remark summary").click()
            page.locator("#do-remark textarea").fill(f"written with a script: {script}")
            page.locator("#do-remark").get_by_role("button").click()
            page.get_by_text("The remark was added").wait_for()
            page.goto(f"{served.origin}/imports")
            page.set_input_files("#file", tmp_path / "more.hand")
            page.get_by_role("button", name="Import").click()
            page.get_by_role("heading", name="Imported").wait_for()
            assert errors == []
            context.close()
    assert len(find_case(served.ledger, "2026-1").state.remarks) == 2


DROP = """([name, text, size]) => {
    const files = new DataTransfer();
    files.items.add(new File(size ? [new Uint8Array(size)] : [text], name));
    const say = (kind) => document.body.dispatchEvent(
        new DragEvent(kind, {dataTransfer: files, bubbles: true, cancelable: true}));
    const shown = () => document.querySelector(".drop").classList.contains("over");
    say("dragover");
    const over = shown();
    say("drop");
    return [over, shown()];
}"""


@pytest.mark.slow
@needs_chromium
def test_a_file_that_is_dropped_anywhere_on_the_page_is_taken_in(served: Served) -> None:
    text = wrong_button().replace("table T7", "table T9")
    max_bytes = 1024 * 1024
    with serving(served.ledger, writes=True, bounds=IntakeBounds(file=max_bytes)) as bounded, chromium() as browser:
        page = browser.new_page()
        page.goto(f"{bounded.origin}/?key={FLOOR}")
        page.goto(f"{bounded.origin}/imports")
        assert page.evaluate(DROP, ["large.hand", "", max_bytes]) == [True, False], (
            "the page shows that it would take it"
        )
        page.get_by_text("Too large").wait_for()
        assert page.url.endswith("/imports")
        assert page.get_by_role("heading", name="Imported").count() == 0, "and it was not sent"
        page.evaluate(DROP, ["more.hand", text, 0])
        page.get_by_role("heading", name="Imported").wait_for()
        assert "2 new hands" in (page.locator("#main").text_content() or "")


@pytest.mark.slow
@needs_chromium
def test_nothing_on_the_new_pages_keeps_anybody_out(served: Served) -> None:
    with chromium() as browser:
        for key, pages in ((FLOOR, ["/cases", "/case?number=2026-1", "/open-case", "/imports"]), (AUDITOR, ["/looks"])):
            for dark in (False, True):
                context = browser.new_context(color_scheme="dark" if dark else "light")
                page = context.new_page()
                page.goto(f"{served.origin}/?key={key}")
                for path in pages:
                    page.goto(f"{served.origin}{path}")
                    for summary in page.locator("#main summary").all():
                        summary.click()
                    assert find_barriers(page) == [], path
                    width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                    assert width <= 0, f"{path} is wider than the window"
                context.close()
