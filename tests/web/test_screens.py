"""The server's pages on four screens: no page scrolls sideways, no table is cut off, and nothing on a felt overlaps."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

import pytest

from ledger.entry import Provenance
from ledger.house.events import RulebookAdopted
from ledger.store import Ledger
from ledger.streams import HOUSE
from projections.books.rulebook import load
from tests.web.browser import chromium, find_barriers, needs_chromium
from tests.web.conftest import Opened
from tests.web.nights import NAMES, quiet_night, table_of, wrong_button
from tests.web.serving import AUDITOR, FLOOR, Served, serving
from tests.web.test_browser import collisions
from tests.web.test_keep_bounds import HOSTILE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [needs_chromium, pytest.mark.slow]

SCREENS: Final = {"small phone": (360, 740), "phone": (390, 844), "tablet": (768, 1024), "laptop": (1280, 900)}
TABLE: Final = {"venue": "Riverside", "tournament": "", "name": "T7"}
LONG_CLAIM: Final = f"<script>alert(1)</script> {'W' * 90}"

PAGES: Final = {
    "tables": {},
    "table": TABLE,
    "log": {},
    "hand": {"id": "412"},
    "findings": {},
    "cases": {"every": "yes"},
    "case": {"number": "first"},
    "results": {},
    "person": {"name": HOSTILE[0]},
    "search": {"q": "t7"},
    "rules": {"book": "rrop4"},
    "house-rules": {"base": "rrop4"},
    "imports": {},
    "looks": {},
}

CUT_OFF: Final = """() => {
  const problems = [];
  if (document.documentElement.scrollWidth > innerWidth) problems.push(`the page is ${document.documentElement.scrollWidth} wide`);
  for (const table of document.querySelectorAll("main table")) {
    if (!table.checkVisibility()) continue;
    const { left, right } = table.getBoundingClientRect();
    if (left < -0.5 || right > innerWidth + 0.5) problems.push(`a table ends at ${Math.round(right)}`);
    const region = table.closest(".wrap, .scroll");
    if (region && region.scrollWidth > region.clientWidth + 1) problems.push(`${region.getAttribute("aria-label")} is cut off`);
  }
  return problems;
}"""

LOOSE_TEXTS: Final = """() => [...document.querySelectorAll("svg.table")].filter((table) => table.getBoundingClientRect().width)
  .flatMap((table) => [...table.querySelectorAll(".seat")]).flatMap((seat) => {
    const plate = seat.querySelector(".plate").getBoundingClientRect();
    return [...seat.querySelectorAll(".name, .stack")].map((text) => [text, text.getBoundingClientRect()])
      .filter(([, box]) => box.width && (box.left < plate.left - 0.5 || box.right > plate.right + 0.5 || box.top < plate.top - 0.5 || box.bottom > plate.bottom + 0.5))
      .map(([text]) => `${text.textContent} leaves its plate`);
  })"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def _adopt_book(ledger: Ledger) -> None:
    book = load("rrop4")
    adopted = RulebookAdopted(book.name, book.edition, book.digest, since=1_700_000_000_000)
    ledger.append("house", HOUSE, [adopted], recorded=Provenance(ledger.now()))


@pytest.fixture(scope="module")
def served(opened: Opened) -> Iterator[Served]:
    """A server of an evening whose players have long and hostile names, with a case."""
    ledger = opened(wrong_button(HOSTILE))
    _adopt_book(ledger)
    with serving(ledger, writes=True) as running:
        fields = {"claim": LONG_CLAIM, "by": "player", "hands": "412", "subject": "button", "amount": "15"}
        status, text, _ = running.send("/open-case", **fields)
        assert status in (200, 303), text
        yield running


@contextmanager
def visiting(browser: Browser, served: Served, *, dark: bool = False, key: str = AUDITOR) -> Iterator[Page]:
    context = browser.new_context(color_scheme="dark" if dark else "light", reduced_motion="reduce")
    context.add_cookies([{"name": "handledger", "value": key, "url": served.origin}])
    page = context.new_page()
    try:
        yield page
    finally:
        context.close()


def _address(served: Served, path: str) -> str:
    fields = PAGES[path]
    if path == "case":
        fields = {"number": json.loads(served.ask("/cases.json?every=yes")[1])["cases"][0]["number"]}
    return f"{served.origin}/{path}?{urlencode(fields)}"


@pytest.mark.parametrize("path", PAGES)
def test_no_page_scrolls_sideways_and_no_table_is_cut_off(path: str, browser: Browser, served: Served) -> None:
    problems = []
    with visiting(browser, served, key=FLOOR if path == "house-rules" else AUDITOR) as page:
        answer = page.goto(_address(served, path))
        assert answer is not None
        assert answer.status == 200
        page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
        for screen, (width, height) in SCREENS.items():
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(50)
            problems += [f"{screen}: {problem}" for problem in page.evaluate(CUT_OFF)]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("names", [NAMES, HOSTILE], ids=["names", "hostile"])
@pytest.mark.parametrize("seats", range(2, 11))
def test_nothing_overlaps_on_the_felt_of_a_table(
    seats: int, names: tuple[str, ...], browser: Browser, opened: Opened
) -> None:
    """What is due on the coming hand, and a hand at its start and at its end."""
    due_ledger, hand_ledger = opened(quiet_night(seats, names)), opened(table_of(seats, names))
    problems = []
    for ledger, path in ((due_ledger, f"table?{urlencode(TABLE)}"), (hand_ledger, "hand?id=1")):
        _adopt_book(ledger)
        with serving(ledger) as running, visiting(browser, running) as page:
            page.goto(f"{running.origin}/{path}")
            assert page.locator("svg.table:visible .seat").count() == seats
            for key in ("", "Home", "End") if path.startswith("hand") else ("",):
                for screen, (width, height) in SCREENS.items():
                    page.set_viewport_size({"width": width, "height": height})
                    if key:
                        page.keyboard.press(key)
                    page.wait_for_timeout(30)
                    found_problems = [*collisions(page), *page.evaluate(LOOSE_TEXTS), *page.evaluate(CUT_OFF)]
                    problems += [f"{path} {key} {screen}: {problem}" for problem in found_problems]
    assert not problems, "\n".join(problems)


def test_the_controls_see_a_text_that_leaves_its_plate(browser: Browser, opened: Opened) -> None:
    ledger = opened(quiet_night(3))
    _adopt_book(ledger)
    with serving(ledger) as running, visiting(browser, running) as page:
        page.goto(f"{running.origin}/table?{urlencode(TABLE)}")
        assert page.evaluate(LOOSE_TEXTS) == []
        page.evaluate("for (const name of document.querySelectorAll('.dues .name')) name.textContent = 'W'.repeat(30)")
        assert len(page.evaluate(LOOSE_TEXTS)) == 3


def test_on_a_phone_the_list_of_pages_opens_and_closes(browser: Browser, served: Served) -> None:
    with visiting(browser, served) as page:
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(f"{served.origin}/tables")
        links = page.locator(".masthead nav a")
        assert not links.first.is_visible()
        page.get_by_role("button", name="pages").click()
        assert links.last.is_visible()
        assert not find_barriers(page)
        page.keyboard.press("Escape")
        assert not links.first.is_visible()
        page.get_by_role("button", name="pages").click()
        page.get_by_role("link", name="findings", exact=True).click()
        page.wait_for_url("**/findings")
        page.set_viewport_size({"width": 1280, "height": 900})
        assert links.first.is_visible()
        assert not page.get_by_role("button", name="pages").is_visible()
