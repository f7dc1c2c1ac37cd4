"""The page in the pocket as it travels: small, private, shared, translated, with hostile names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image

from ledger.intake.import_loop import import_paths
from ledger.intake.import_options import ImportOptions
from ledger.store import open as open_ledger
from tests.web.browser import needs_chromium
from tests.web.pictures import FOLDER, MAX_SHARE, POCKET, differing, take_picture, visited_pocket
from tests.web.pocket import StaticServer, needs_pyodide
from tests.web.pocket_page import (
    PATIENCE,
    PHONE,
    TABLE,
    TABLET,
    browser,
    folder,
    new_context,
    open_more,
    open_page,
    page,
    posts_of,
    seat_players,
    server,
    started_page,
)
from tests.web.serving import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["browser", "folder", "page", "server", "started_page"]

pytestmark = [needs_chromium, needs_pyodide, pytest.mark.slow]
MAX_KEPT = 15_000_000


def test_the_folder_is_small(folder: Path) -> None:
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) <= MAX_KEPT


def test_nothing_leaves_the_phone(browser: Browser, server: StaticServer) -> None:
    context = new_context(browser, locale="en-US")
    asked: list[str] = []
    context.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    page = open_page(context, server.address)
    seat_players(page, 1, 2, 3, button=1)
    assert asked
    assert [request for request in asked if not request.startswith(f"GET {server.address}") or "?" in request] == []
    context.close()


def test_a_table_is_shared_as_a_link(page: Page, browser: Browser, server: StaticServer) -> None:
    seat_players(page, 1, 2, 3, 4, button=2)
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    open_more(page, "share")
    page.locator("[data-act=copy-link]").click()
    page.wait_for_function("() => window.copied")
    link = page.evaluate("window.copied")
    assert link.startswith(f"{server.address}#t=")
    with_link = new_context(browser, locale="en-US")
    other = open_page(with_link, link)
    other.locator(".posts li").first.wait_for(timeout=PATIENCE)
    assert posts_of(other) == posts_of(page)
    assert "#" not in other.url
    with_link.close()


def test_a_table_is_shared_as_handscript_that_import_reads(page: Page, tmp_path: Path) -> None:
    seat_players(page, 1, 2, 3, 4, button=2)
    page.locator("[data-act=deal]").click()
    page.get_by_text("Hand 3", exact=True).wait_for()
    open_more(page, "share")
    with page.expect_download() as download:
        page.locator("[data-act=save-handscript]").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    with open_ledger(tmp_path / "x.ledger") as ledger:
        summary = import_paths(ledger, [path], ImportOptions())
        assert summary.exit_code == 0, summary
        assert sum(1 for _ in ledger.hands()) == 2
    page.locator("#handscript").fill(path.read_text("utf-8"))
    page.locator("[data-act=read]").click()
    page.locator(".sheet").wait_for(state="detached")
    page.locator(".posts li").first.wait_for()
    assert page.locator('[data-seat="4"]').inner_text().strip().startswith("Player 4")


def test_a_long_evening_fits_in_a_link(page: Page) -> None:
    hand = {"do": "deal", "button": 1, "small_blind": 1, "big_blind": 2, "dealt": [1, 2], "posts": [], "left_out": {}}
    length = page.evaluate(
        """async (table) => {
          const { linkOf, tableOf } = await import('./pocket/link.js');
          return (await tableOf(new URL(await linkOf(table, location.href)).hash))?.steps.length;
        }""",
        {**TABLE, "steps": [hand] * 1000},
    )
    assert length == 1000


@pytest.mark.parametrize(
    "name",
    ["<img src=x onerror=alert(1)>", "\u202egnihton", "a\u0000b", '"; drop', "{seat}", "x" * 60, "王" * 60],
    ids=range(7),
)
def test_a_hostile_name_is_only_a_name(page: Page, name: str) -> None:
    seat_players(page, 1, 2, 3, button=1)
    page.locator('[data-seat="1"]').click()
    page.locator("#name").fill(name)
    page.locator("[data-act=name]").click()
    page.locator(".sheet").wait_for(state="detached")
    page.wait_for_timeout(300)
    assert page.locator("img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    "mark", ["t=!!!", "t=" + "A" * 5000, "t=eyJ9", "t="], ids=["letters", "long", "json", "nothing"]
)
def test_a_link_that_holds_no_table_is_said_so(page: Page, mark: str) -> None:
    page.evaluate("(mark) => { location.hash = mark; }", mark)
    page.locator(".problem:not([hidden])", has_text="I can't read the table in this link.").wait_for()


BAD_TABLES = [
    {**TABLE, "game": "cards", "tournament": False, "options": {}},
    {**TABLE, "seats": 10**9},
    {**TABLE, "rulebook": "/etc/passwd"},
    {**TABLE, "handledger": "table/9", "steps": [{"do": "dance"}]},
    {**TABLE, "steps": [{"do": "sit", "seat": -1, "name": 7}]},
    {**TABLE, "game": [], "seats": None, "rulebook": {}, "steps": [None, 7, "x", []]},
]


@pytest.mark.parametrize("table", BAD_TABLES, ids=range(len(BAD_TABLES)))
def test_a_table_that_cannot_be_is_a_sentence(page: Page, table: dict[str, Any]) -> None:
    seat_players(page, 1, 2, 3, button=1)
    posts = posts_of(page)
    page.evaluate(
        "async (table) => { location.href = await (await import('./pocket/link.js')).linkOf(table, location.href); }",
        table,
    )
    page.locator(".problem:not([hidden])").wait_for(timeout=PATIENCE)
    problem = page.locator(".problem:not([hidden])").inner_text()
    assert problem
    assert "Traceback" not in problem
    assert "couldn't be worked out" not in problem
    assert posts_of(page) == posts  # the table that was shown is still there


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
def test_everybody_can_use_it(browser: Browser, server: StaticServer, size: tuple[int, int], *, dark: bool) -> None:
    context = new_context(browser, size, color_scheme="dark" if dark else "light", locale="en-US")
    page = open_page(context, server.address)

    def check(what: str) -> None:
        results = Axe().run(page).response
        assert [violation["id"] for violation in results["violations"]] == [], (what, results["violations"])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), what

    check("the first steps")
    seat_players(page, 1, 2, 3, 4, 5, 6, button=2)
    check("the answer")
    for act in ("books", "different", "share", "more", "game"):
        open_more(page, act)
        check(act)
        page.keyboard.press("Escape")
    page.locator('[data-seat="3"]').click()
    check("a seat")
    page.keyboard.press("Escape")
    page.locator(".why-key").first.click()
    check("why")
    context.close()


@pytest.mark.parametrize(
    ("language", "tag", "word"), [("es", "es", "ciega"), ("vi", "vi", "blind"), ("zh", "zh-Hans", "盲")]
)
def test_it_speaks_the_language_of_the_phone(
    browser: Browser, server: StaticServer, language: str, tag: str, word: str
) -> None:
    context = new_context(browser, locale={"es": "es-MX", "vi": "vi-VN", "zh": "zh-CN"}[language])
    page = open_page(context, server.address)
    assert page.evaluate("document.documentElement.lang") == tag
    seat_players(page, 1, 2, 3, 4, button=2)
    text = (
        page.locator(".panel").inner_text() + page.locator(".felt").inner_text()
    )  # titles of rulebooks stay as they are
    assert word in text.lower()
    for english in ("posts", "Seat", "button", "Undo", "dealt", "rulebooks"):
        assert english not in text or (language == "vi" and english == "button"), english
    context.close()


def test_it_looks_as_its_picture(browser: Browser, server: StaticServer, tmp_path: Path) -> None:
    with visited_pocket(server.address, browser) as page, Image.open(FOLDER / f"{POCKET}.png") as reference:
        assert differing(take_picture(page, tmp_path / "now.png"), reference) <= MAX_SHARE


def test_the_server_of_a_ledger_has_it_too(browser: Browser, folder: Path, tmp_path: Path) -> None:
    with open_ledger(tmp_path / "x.ledger") as ledger, serving(ledger, pocket_folder=folder) as served:
        origin = served.origin
        context = new_context(browser, locale="en-US")
        page = open_page(context, f"{origin}/pocket/")  # without the key: it holds nothing of the ledger
        seat_players(page, 1, 2, 3, button=1)
        assert page.messages == []
        assert page.goto(f"{origin}/tables").status == 401
        context.close()
