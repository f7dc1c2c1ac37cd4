"""What a person meets on any page: no commands, the query as it was typed, a header as new as the log, no wide paths."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from ledger.case.events import CaseOpened
from ledger.entry import Provenance
from ledger.house.events import RulebookAdopted
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from ledger.store.requests.case_streams import open_case
from ledger.streams import HOUSE
from projections.books.rulebook import load
from tests.conftest import ROOT
from tests.web.browser import SIZES, chromium, needs_chromium
from tests.web.nights import wrong_button
from tests.web.serving import AUDITOR, KEYS, Served, serving

COMMANDS = re.compile(r"handledger [a-z]+|(?<![\w-])--[a-z][a-z-]+|(?<=[ (])-[a-z](?=[ ,.)])")
LONG_NAME = "hand-histories-of-the-main-room-" * 5
ERRORS = (
    "log?q=pot%3E",
    "log?q=player:nobody",
    "log?q=saved:none",
    "findings?q=clause:zzz",
    "findings?book=zzz",
    "results?by=moon",
    "results?q=pot%3E",
    "person?name=nobody",
    "hand",
    "hand?id=zzz",
    "hand?id=412&book=zzz",
    "table?venue=x&name=y",
    "case?number=9",
    "rules?book=zzz",
    "log?page=x",
)


def write_folder(folder: Path) -> Path:
    """Return a file with a long path, of a night with a wrong button."""
    path = folder / LONG_NAME / LONG_NAME / f"{LONG_NAME}.hand"
    path.parent.mkdir(parents=True)
    path.write_text(wrong_button(), encoding="utf-8")
    (path.parent / f"{LONG_NAME}-broken.hand").write_text("handscript 1\nhand 9\nnobody knows this line\n")
    return path.parent


@pytest.fixture(scope="module", params=["adopted", "no book", "empty"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of a night under a book that the house adopted, of one without a book, and of an empty ledger."""
    folder = tmp_path_factory.mktemp("plain")
    with open_ledger(folder / "x.ledger") as ledger:
        if request.param != "empty":
            import_paths(ledger, [write_folder(folder), ROOT / "cli" / "samples"])
            open_case(ledger, CaseOpened("", "button", "player", claim=ledger.people.text("the button")), [], "2026-1")
        if request.param == "adopted":
            book = load("rrop4")
            adopted = RulebookAdopted(book.name, book.edition, book.digest)
            ledger.append("house", HOUSE, [adopted], recorded=Provenance(ledger.now()))
        with serving(ledger) as server:
            yield server


def list_addresses(served: Served) -> Iterator[str]:
    """Yield the address of every page that is linked, and of requests that are refused."""
    yield from ("tables", "log", "findings", "cases", "results", "rules", "imports", "looks", "counts")
    yield from ("rules?book=hilton", "rules?book=hilton&clause=B15a.1", "case?number=2026-1", *ERRORS)
    for table in json.loads(served.ask("/tables.json")[1])["tables"]:
        place = {"venue": table["venue"], "tournament": table["tournament"], "name": table["table"]}
        yield f"table?{urlencode(place)}"
    for hand in json.loads(served.ask("/log.json")[1])["hands"][:8]:
        yield f"hand?id={hand['id']}"
        yield f"hand?id={hand['id']}&book=hilton"


def test_no_page_names_a_command_or_its_options(served: Served) -> None:
    named = []
    for address in list_addresses(served):
        for key in KEYS:
            html = served.ask(f"/{address}", key=key.secret)[1]
            text = re.sub(r"<(script|style)\b.*?</\1>|<[^>]+>", " ", html[html.index("<main") :], flags=re.DOTALL)
            named += [(address, key.role, words) for words in COMMANDS.findall(text.partition("</main>")[0])]
    assert named == []


@pytest.mark.parametrize("page", ["log", "findings", "results"])
@pytest.mark.parametrize("query", ["pot>", 'player:"Ana', "clause:zzz pot>=200", "tabel:T7"])
def test_a_query_with_an_error_can_be_corrected_where_it_was_typed(served: Served, page: str, query: str) -> None:
    parameters = {"q": query} | ({"by": "position"} if page == "results" else {})
    status, html, _ = served.ask(f"/{page}?{urlencode(parameters)}")
    if status == 200:
        return  # without a book, a clause can't be wrong
    assert status == 400
    form = html[html.index('<form class="ask"') :].partition("</form>")[0]
    assert f'action="/{page}"' in form
    typed = query.replace("&", "&amp;").replace('"', "&#34;").replace(">", "&gt;")
    assert f'name="q" value="{typed}"' in form
    assert ('name="by" value="position"' in form) is (page == "results")


@needs_chromium
@pytest.mark.slow
def test_a_long_path_of_a_file_widens_no_page(served: Served) -> None:
    if not json.loads(served.ask("/log.json")[1])["hands"]:
        return
    with chromium() as browser:
        for width, height in SIZES.values():
            context = browser.new_context(viewport={"width": width, "height": height})
            context.add_cookies([{"name": "handledger", "value": AUDITOR, "url": served.origin}])
            page = context.new_page()
            for address in ("imports", "hand?id=T7/412&book=rrop4", "findings?book=rrop4", "findings"):
                page.goto(f"{served.origin}/{address}")
                page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (address, width)
                wide = page.evaluate(
                    "[...document.querySelectorAll('.wrap')].filter(box => box.scrollWidth > box.clientWidth + 1 &&"
                    " [...box.querySelectorAll('th')].some(cell => cell.offsetWidth > innerWidth)).length"
                )
                assert wide == 0, (address, width)
            context.close()


@needs_chromium
@pytest.mark.slow
def test_the_header_counts_what_came_in_meanwhile(tmp_path: Path) -> None:
    book = load("rrop4")
    with open_ledger(tmp_path / "x.ledger") as ledger:
        ledger.append(
            "house", HOUSE, [RulebookAdopted(book.name, book.edition, book.digest)], recorded=Provenance(ledger.now())
        )
        import_paths(ledger, [ROOT / "cli" / "samples"])
        with serving(ledger) as server, chromium() as browser:
            context = browser.new_context()
            context.add_cookies([{"name": "handledger", "value": AUDITOR, "url": server.origin}])
            pages = [context.new_page() for _ in range(3)]
            for page, address in zip(pages, ("tables", "hand?id=T3/712", "open-case"), strict=True):
                page.goto(f"{server.origin}/{address}")
            before = json.loads(server.ask("/counts.json")[1])["open"]
            (tmp_path / "night.hand").write_text(wrong_button(), encoding="utf-8")
            import_paths(ledger, [tmp_path / "night.hand"])
            after = json.loads(server.ask("/counts.json")[1])["open"]
            assert after > before
            for page in pages:
                page.wait_for_function(
                    "count => document.querySelector('#counts').textContent.includes(count)", arg=str(after)
                )
                assert page.locator("#counts").count() == 1
            context.close()
