"""The page in the pocket, in Chromium: a player gets the answer, without a network too, and nothing hostile runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image

from ledger.intake.import_loop import import_paths
from ledger.intake.import_options import ImportOptions
from ledger.store import open as open_ledger
from tests.web.browser import chromium, needs_chromium
from tests.web.pictures import FOLDER, MAX_SHARE, POCKET, differing, take_picture, visited_pocket
from tests.web.pocket import StaticServer, build_folder, needs_pyodide, static_server
from tests.web.serving import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = [needs_chromium, needs_pyodide, pytest.mark.slow]
PHONE, TABLET = (360, 740), (768, 1024)
MOST_SENT = 8_000_000
MOST_KEPT = 15_000_000
PATIENCE = 120_000  # milliseconds until Python has started on a busy machine


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_folder(tmp_path_factory)


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[StaticServer]:
    with static_server(folder) as started:
        yield started


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def open_page(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.messages = []  # type: ignore[attr-defined]  # what the browser complains of
    page.on("console", lambda message: page.messages.append(message.text))
    page.on("pageerror", lambda error: page.messages.append(str(error)))
    page.on("dialog", lambda dialog: (page.messages.append(dialog.message), dialog.dismiss()))
    page.goto(address)
    wait_until_started(page)
    return page


def wait_until_started(page: Page) -> None:
    page.locator("#pocket[data-ready]").wait_for(state="attached", timeout=PATIENCE)


def new_context(browser: Browser, size: tuple[int, int] = PHONE, **options: Any) -> BrowserContext:
    return browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", **options)


@pytest.fixture(scope="module")
def started_page(browser: Browser, server: StaticServer) -> Iterator[Page]:
    """A page whose Python has started, for many tests: a start takes seconds."""
    context = new_context(browser, locale="en-US")
    yield open_page(context, server.address)
    context.close()


@pytest.fixture
def page(started_page: Page) -> Iterator[Page]:
    """The page with a new table."""
    started_page.messages.clear()
    start_again(started_page)
    started_page.locator("[data-act=book]").select_option("hilton")
    yield started_page
    assert started_page.messages == []


def start_again(page: Page) -> None:
    page.keyboard.press("Escape")
    open_more(page, "more")
    page.locator("[data-act=new-table]").click()
    page.locator("[data-act=everybody]").wait_for(timeout=PATIENCE)


def seat_players(page: Page, *seats: int, button: int) -> None:
    for seat in seats:
        page.locator(f'[data-seat="{seat}"]').click()
    page.locator("[data-act=to-button]").click()
    page.locator(f'[data-seat="{button}"]').click()
    page.locator(".posts li").first.wait_for(timeout=PATIENCE)


def posts_of(page: Page) -> list[str]:
    return page.locator(".posts li > span").all_inner_texts()


def open_more(page: Page, act: str) -> None:
    page.locator(f"[data-act={act}]").click()
    page.locator(".sheet").wait_for()


def test_a_player_sees_who_posts_what_after_a_few_taps(page: Page) -> None:
    seat_players(page, 1, 3, 5, 7, button=3)
    assert "Button seat 5" in page.locator(".call").inner_text()
    assert posts_of(page) == [
        "D Button: seat 5 Player 5",
        "7 Player 7 posts 1: small blind",
        "1 Player 1 posts 2: big blind",
    ]
    assert page.locator('[data-seat="7"] .bet').inner_text() == "1"
    page.locator(".posts li", has_text="big blind").locator("button").click()
    page.locator(".sheet .clause").first.wait_for()
    page.wait_for_function("() => !document.querySelector('.sheet .clause').textContent.includes('…')")
    assert "hilton B1" in page.locator(".sheet").inner_text()


def test_a_newcomer_and_a_player_who_was_away(page: Page) -> None:
    seat_players(page, 1, 2, 3, 4, button=1)
    page.locator('[data-seat="4"]').click()
    page.locator("[data-act=away]").click()
    page.locator("[data-act=deal]").click()
    page.get_by_text("Hand 3", exact=True).wait_for()
    page.locator('[data-seat="4"]').click()
    page.locator("[data-act=back]").click()
    page.locator('[data-seat="6"]').click()
    page.locator("#name").fill("Eve")
    page.locator("[data-act=name]").click()
    page.locator('[data-seat="6"]', has_text="Eve").wait_for()
    page.locator(".posts li", has_text="Eve").first.wait_for()


def test_a_wrong_button_is_said_to_be_wrong_and_what_it_means_now(page: Page) -> None:
    seat_players(page, 1, 2, 3, 4, 5, button=1)
    open_more(page, "different")
    page.locator('[data-button="4"]').click()
    page.locator(".sheet .deal-broken").wait_for(timeout=PATIENCE)
    assert "seat 4 instead of seat 2" in page.locator(".sheet .deal-broken").inner_text()
    page.locator("[data-act=record-different]").click()
    page.locator(".answer .deal-broken").wait_for(timeout=PATIENCE)
    assert "Hand 2 was dealt wrong" in page.locator(".answer .deal-broken").inner_text()
    page.locator(".answer .deal-broken button").first.click()
    reason = page.locator(".sheet").inner_text()
    assert "Seat 1 had the button in hand 1" in reason
    assert "undefined" not in reason
    page.keyboard.press("Escape")
    assert "Hand 3" in page.locator(".pots").inner_text()
    page.locator("[data-act=undo]").click()
    page.get_by_text("Hand 2", exact=True).wait_for()
    assert page.locator(".answer .deal-broken").count() == 0


def test_a_post_that_is_no_number_is_no_missing_post(page: Page) -> None:
    seat_players(page, 1, 2, 3, button=1)
    open_more(page, "different")
    page.locator(".sheet summary").click()
    page.locator(".posts-form input").first.fill("two")
    page.locator(".posts-form input").first.press("Enter")
    page.locator(".sheet .problem").wait_for(timeout=PATIENCE)
    assert "Type the chips that each player posted." in page.locator(".sheet .problem").inner_text()
    assert page.locator(".sheet .deal-broken").count() == 0


def test_stated_posts_begin_with_what_was_due(page: Page) -> None:
    seat_players(page, 1, 3, 5, 7, button=3)  # due: small blind 1 from seat 7, big blind 2 from seat 1
    open_more(page, "different")
    page.locator(".sheet summary").click()
    fields = page.locator(".posts-form input")
    assert {field.get_attribute("name"): field.input_value() for field in fields.all()} == {
        "1": "2",
        "3": "",
        "5": "",
        "7": "1",
    }
    page.locator('.posts-form [name="7"]').fill("2")
    page.locator('.posts-form [name="7"]').press("Enter")
    page.locator(".sheet .deal-broken").wait_for(timeout=PATIENCE)
    faults = page.locator(".sheet .deal-broken").inner_text()
    assert "eat 7" in faults
    assert "eat 1 " not in faults, "its big blind is as it was due"
    page.locator('.posts-form [name="7"]').fill("1")
    page.locator('.posts-form [name="7"]').press("Enter")
    page.locator(".sheet .deal-broken").wait_for(state="detached", timeout=PATIENCE)


def test_a_player_owes_a_blind_from_before_the_first_hand(page: Page) -> None:
    page.locator("[data-act=book]").select_option("bicycle")
    for seat in (1, 2, 3, 4):
        page.locator(f'[data-seat="{seat}"]').click()
    assert page.locator("[name=running]").is_checked()
    page.locator('[data-seat="2"]').click()
    page.locator("[data-act=owes-small-blind]").click()
    page.locator("[data-act=owes-small-blind][aria-pressed=true]").wait_for()
    page.keyboard.press("Escape")
    assert "owes a blind" in page.locator('[data-seat="2"]').inner_text()
    page.locator("[data-act=to-button]").click()
    page.locator('[data-seat="1"]').click()
    page.locator(".posts li", has_text="Player 2 may post now or wait.").wait_for()
    page.locator('[data-seat="2"]').click()
    page.locator("[data-act=choose-post]").click()
    page.locator('[data-seat="2"]', has_text="Posts now").wait_for()
    assert page.locator(".posts li", has_text="may post now or wait").count() == 0
    assert page.locator(".posts li", has_text="Player 2 posts").count() == 1


def test_a_chair_has_room_for_what_its_player_owes(page: Page) -> None:
    page.locator('[data-seat="2"]').click()
    page.locator('[data-seat="2"]:not(.empty)').click()
    page.locator("[data-act=owes-big-blind]").click()
    page.locator("[data-act=owes-big-blind][aria-pressed=true]").wait_for()
    page.keyboard.press("Escape")
    is_whole = """(plate) => plate.scrollWidth <= plate.clientWidth && plate.scrollHeight <= plate.clientHeight"""
    assert page.locator('[data-seat="2"] .plate').evaluate(is_whole)


def test_who_sits_down_owes_nothing_of_who_left(page: Page) -> None:
    for seat in (1, 2, 3):
        page.locator(f'[data-seat="{seat}"]').click()
    page.locator('[data-seat="2"]').click()
    page.locator("[data-act=owes-big-blind]").click()
    page.locator("[data-act=owes-big-blind][aria-pressed=true]").wait_for()
    page.locator("[data-act=leave]").click()
    page.locator('[data-seat="2"].empty').click()
    page.locator('[data-seat="2"]', has_text="Player 2").click()
    page.locator("[data-act=owes-big-blind][aria-pressed=false]").wait_for()
    assert "owes a blind" not in page.locator('[data-seat="2"]').inner_text()


def test_a_new_game_has_no_blinds_from_before(page: Page) -> None:
    page.locator("[name=running]").uncheck()
    for seat in (1, 2, 3):
        page.locator(f'[data-seat="{seat}"]').click()
    page.locator("[data-act=to-button]").click()
    assert page.locator(".call").inner_text() == "Who had the button in the first hand? Tap the player."
    page.locator('[data-seat="1"]').click()
    page.locator(".posts li").first.wait_for(timeout=PATIENCE)
    assert page.evaluate("'running' in JSON.parse(localStorage.getItem('handledger pocket table'))") is False


def test_a_book_of_tournaments_is_no_answer_for_a_cash_game(page: Page) -> None:
    seat_players(page, 1, 2, 3, button=1)
    page.locator("[data-act=book]").select_option("tda2024")
    page.locator(".call", has_text="for tournaments only").wait_for()
    assert page.locator("[data-act=deal]").is_disabled()
    page.locator("[data-act=book]").select_option("hilton")
    page.locator(".posts li").first.wait_for()


def test_the_answer_of_an_earlier_table_is_never_shown(page: Page) -> None:
    seat_players(page, 1, 2, 3, 4, button=1)
    page.evaluate(
        """() => {
          const post = Worker.prototype.postMessage;
          window.held = [];
          Worker.prototype.postMessage = function (message) { held.push(() => post.call(this, message)); };
          window.release = () => { Worker.prototype.postMessage = post; held.forEach((send) => send()); };
        }"""
    )
    page.locator("[data-act=deal]").click()
    page.get_by_text("Working it out …").wait_for()
    assert not page.locator(".posts").is_visible()
    assert not page.locator(".call").is_visible()
    assert page.locator(".pots").inner_text() == ""
    assert page.locator(".bet, .mark").count() == 0
    assert page.locator("[data-act=deal]").is_disabled()
    page.evaluate("release()")
    page.get_by_text("Hand 3", exact=True).wait_for()
    assert page.locator(".posts").is_visible()
    assert page.get_by_text("Working it out …").count() == 0


def test_all_rulebooks_stand_side_by_side(page: Page) -> None:
    seat_players(page, 1, 2, 3, 4, button=1)
    open_more(page, "books")
    page.wait_for_function("() => !document.querySelector('.books').textContent.includes('…')", timeout=PATIENCE)
    rows = page.locator(".books tbody tr").all_inner_texts()
    assert [row.split()[0] for row in rows] == ["bicycle", "hilton", "house-burn", "rrop4", "tda2024"]
    page.locator(".books button", has_text="rrop4").click()
    page.wait_for_function("() => document.querySelector('[data-act=book]').value === 'rrop4'")


def test_it_opens_and_answers_without_a_network(browser: Browser, folder: Path) -> None:
    with static_server(folder) as started:
        context = new_context(browser, locale="en-US")
        page = open_page(context, started.address)
        seat_players(page, 1, 2, 3, button=1)
        assert started.sent <= MOST_SENT
    context.set_offline(True)  # and the server has ended
    page.reload()
    wait_until_started(page)
    page.locator("[data-act=deal]").click()
    page.get_by_text("Hand 3", exact=True).wait_for()
    open_more(page, "more")
    page.locator("[data-act=language-vi]").click()
    page.wait_for_function("() => document.documentElement.lang === 'vi'")
    context.close()


def test_undo_takes_back_one_step_after_a_reload(page: Page) -> None:
    seat_players(page, 1, 2, 3, button=1)
    page.locator("[data-act=deal]").click()
    page.get_by_text("Hand 3", exact=True).wait_for()
    page.reload()
    wait_until_started(page)
    page.get_by_text("Hand 3", exact=True).wait_for()
    page.locator("[data-act=undo]").click()
    page.get_by_text("Hand 2", exact=True).wait_for()
    page.locator("[data-act=undo]").click()
    page.locator("[data-act=to-button]").wait_for()
    page.locator('[data-seat="5"]').click()  # as before the first hand, a tap seats a player
    page.locator('[data-seat="5"]', has_text="Player 5").wait_for()


def test_undo_after_a_shared_or_a_new_table_brings_back_the_own_one(page: Page) -> None:
    seat_players(page, 1, 2, 3, button=1)
    page.locator("[data-act=deal]").click()
    page.get_by_text("Hand 3", exact=True).wait_for()
    steps = [*({"do": "sit", "seat": seat, "name": f"Guest {seat}"} for seat in (4, 5)), {"do": "deal", "button": 4}]
    shared = {**TABLE, "steps": steps}
    link = page.evaluate("async (table) => (await import('./pocket/link.js')).linkOf(table, location.href)", shared)
    page.goto("about:blank")
    page.goto(link)
    wait_until_started(page)
    page.locator('[data-seat="4"]', has_text="Guest 4").wait_for()
    page.get_by_text("Hand 2", exact=True).wait_for()
    page.locator("[data-act=undo]").click()
    page.get_by_text("Hand 3", exact=True).wait_for()
    assert page.locator('[data-seat="3"]', has_text="Player 3").count() == 1
    start_again(page)
    page.locator("[data-act=undo]").click()
    page.get_by_text("Hand 3", exact=True).wait_for()


def test_a_link_that_fails_leaves_the_own_table(page: Page) -> None:
    seat_players(page, 1, 2, 3, button=1)
    address = page.url
    page.goto("about:blank")
    page.goto(f"{address}#t=!!!")
    wait_until_started(page)
    page.get_by_text("Hand 2", exact=True).wait_for()
    assert "I can't read the table" in page.locator(".problem:not([hidden])").inner_text()


def test_the_folder_is_small(folder: Path) -> None:
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) <= MOST_KEPT


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


TABLE = {"handledger": "table/1", "game": "limit 4/8", "seats": 9, "rulebook": "hilton", "steps": []}
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
