"""The page that keeps a table in the browser's language: no English is left on it but names and lines of handscript."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

import pytest

from ledger.entry import Provenance
from ledger.formats.handscript import write_lines
from ledger.house.events import RulebookAdopted
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from ledger.text.language import phrase, use_language
from projections.books import rulebook
from tests.web.browser import SIZES, chromium, find_barriers, needs_chromium, wait_until_settled
from tests.web.keeping import act, open_record, pick, wait_until_ready
from tests.web.serving import FLOOR, Served, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

T7 = {"venue": "Riverside", "tournament": "", "name": "T7"}
PAGE = f"/keep?{urlencode(T7)}"
GAME = "holdem no-limit cash blinds 2/5 unit USD 2"
BEGIN = [
    "hand 1",
    *(f"seat {seat} {name} 500" for seat, name in enumerate(("Ana", "Bo", "Cy", "Di"), 1)),
    *("button 1", "2 posts small 2", "3 posts big 5", "deal done"),
]
TAGS = {"es": "es", "vi": "vi", "zh": "zh-Hans"}
LOANWORDS = {"es": {"turn"}, "vi": {"turn", "check", "button", "pot"}, "zh": set[str]()}
"""English words that dealers use in a language."""
ENGLISH = re.compile(
    r"(?i)\b(the|of|is|was|and|or|seat|hand|player|pot|fold|check|call|raise|bet|left|waiting|record|next|line|table|"
    r"found|should|floor|take|leave|rake|chips|somebody|nobody|cards|button|turn|live|findings?|tables|rules|this)\b"
)
SHOWN = """() => {
  const copy = document.body.cloneNode(true);
  for (const part of copy.querySelectorAll("[translate=no], script, noscript, datalist, [hidden]")) part.remove();
  const labels = [...copy.querySelectorAll("[aria-label]")].map((part) => part.getAttribute("aria-label"));
  return [document.title, copy.textContent, ...labels].join(" ");
}"""
OVERLAPS = """() => {
  const shown = (part) => part.checkVisibility() && part.getClientRects().length;
  const parts = [...document.querySelectorAll("button, input:not([type=hidden]), summary, label, h1, h2, .who, nav a")].filter(shown);
  const found = [];
  const boxes = parts.map((part) => part.getBoundingClientRect());
  for (let one = 0; one < parts.length; one += 1) {
    if (boxes[one].right > innerWidth + 1 || parts[one].scrollWidth > parts[one].clientWidth + 2 && parts[one].matches("button:not(.chair)")) found.push(parts[one].textContent);
    for (let other = one + 1; other < parts.length; other += 1) {
      const [a, b] = [boxes[one], boxes[other]];
      const [p, q] = [parts[one], parts[other]];
      const layer = (part) => part.closest(".sheet-back, #waiting .box"); // these lie above the rest
      if (p.contains(q) || q.contains(p) || layer(p) !== layer(q)) continue;
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (width > 1 && height > 1) found.push(`${p.textContent} / ${q.textContent}`);
    }
  }
  return found;
}"""

pytestmark = [needs_chromium, pytest.mark.slow]


class Tablet(NamedTuple):
    """A page that keeps a table, opened in a language."""

    page: Page
    language: str
    served: Served

    def says(self, message: str, **fields: object) -> str:
        with use_language(self.language):
            return phrase(message, **fields)

    def press(self, message: str, **fields: object) -> None:
        self.page.get_by_role("button", name=self.says(message, **fields), exact=True).last.click()

    def wait_for(self, message: str, **fields: object) -> None:
        self.page.get_by_text(self.says(message, **fields)).first.wait_for()

    def check(self, typed: str = "") -> None:
        """Check language and layout of what is shown now. `typed`: a line that the page repeats."""
        assert self.page.locator("html").get_attribute("lang") == TAGS[self.language]
        shown = self.page.evaluate(SHOWN).replace(typed, "")
        words = {word.lower() for word in ENGLISH.findall(shown)} - LOANWORDS[self.language]
        assert not words, f"{words} in {shown!r}"
        assert not self.page.evaluate(OVERLAPS)
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")
        assert find_barriers(self.page) == []


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with open_ledger(tmp_path / "x.ledger") as ledger:
        book = rulebook.load("hilton")
        adopted = RulebookAdopted(book.name, book.edition, book.digest)
        ledger.append("house", HOUSE, [adopted], recorded=Provenance(ledger.now()))
        with serving(ledger, writes=True) as server:
            yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def tablets(browser: Browser, served: Served) -> Iterator[Callable[..., Tablet]]:
    contexts: list[BrowserContext] = []

    def open_tablet(language: str, *, script: bool = True) -> Tablet:
        width, height = SIZES["phone"]
        context = browser.new_context(
            viewport={"width": width, "height": height}, locale=language, java_script_enabled=script
        )
        contexts.append(context)
        page = context.new_page()
        page.goto(f"{served.origin}{PAGE}&key={FLOOR}")
        return Tablet(page, language, served)

    yield open_tablet
    for context in contexts:  # before the server ends: pages listen to it
        context.close()


def begin(served: Served) -> None:
    served.send("/keep", **T7, game=GAME, seats="9")
    for line in BEGIN:
        status, text, _ = served.send("/keep", **T7, written=line)
        assert status == 303, text


@pytest.mark.parametrize("language", TAGS)
def test_a_hand_is_kept_in_the_browsers_language(tablets: Callable[..., Tablet], served: Served, language: str) -> None:
    tablet = tablets(language)
    tablet.check()
    begin(served)
    tablet.page.reload()
    tablet.page.wait_for_selector("html[data-keeps]", state="attached")
    tablet.wait_for("Seat {seat} {player} is to act", seat=4, player="Di")
    tablet.check()
    for opener in ("[data-act=record]", "[data-act=events]", ".chair[data-turn]"):
        tablet.page.locator(opener).click()
        tablet.check()
        tablet.page.locator("[data-act=close]").click()
    tablet.page.locator("[data-act=raise]").click()
    tablet.page.locator("[data-key='3']").click()
    tablet.check()
    tablet.page.locator("[data-act=keypad-cancel]").click()
    tablet.page.context.set_offline(True)
    tablet.press("Fold")
    tablet.press("Call {amount}", amount="$5")
    tablet.wait_for("{reason}: {count} waiting.", reason=tablet.says("No connection"), count=2)
    tablet.check()
    tablet.page.context.set_offline(False)
    wait_until_settled(tablet.page)
    tablet.press("Fold")
    tablet.press("Check")
    tablet.check()
    pick(tablet.page, "7h", "2c", "Kd")
    tablet.wait_for("Seat {seat} {player} is to act", seat=3, player="Cy")
    for card in ("Ah", "2d"):
        tablet.press("Check around")
        pick(tablet.page, card)
    tablet.press("Check around")
    tablet.check()
    pick(tablet.page, "As", "Ad")
    shown = tablet.says("{player} shows {cards}", player="3 Cy", cards="As Ad")  # the server's words: it has answered
    tablet.page.locator("[data-act=undo]", has_text=shown).wait_for()
    act(tablet.page, "undo")
    tablet.wait_for("taken back: {act}", act=shown)
    tablet.check()
    act(tablet.page, "winner")
    tablet.check()
    tablet.page.locator("[data-winner='1']").click()
    tablet.check()
    act(tablet.page, "next")
    tablet.wait_for("Next hand {hand}, by {book}", hand=2, book="hilton")
    tablet.check()
    (row,) = served.ledger.hands()
    lines = write_lines(served.ledger.events(row.stream), served.ledger.people)
    assert [line for line in lines[len(BEGIN) + 1 :] if not line.startswith("correction")] == [
        *("4 folds", "1 calls 5", "2 folds", "3 checks", "flop 7h 2c Kd", "3 checks", "1 checks", "turn Ah"),
        *("3 checks", "1 checks", "river 2d", "3 checks", "1 checks", "showdown", "3 shows As Ad", "1 wins 12"),
        "completed",
    ]


@pytest.mark.parametrize("language", TAGS)
def test_what_is_refused_is_explained_in_the_browsers_language(
    tablets: Callable[..., Tablet], served: Served, language: str
) -> None:
    begin(served)
    tablet = tablets(language)
    wait_until_ready(tablet.page)
    field = open_record(tablet.page)
    for line, message, fields in (
        ("4 raises 20", "Write: {line}", {"line": "4 raises to 20"}),
        ("k", "it isn't time to check", {}),
        ("r 3", "the bet is {bet} already, and {amount} isn't a raise", {"bet": "5", "amount": "3"}),
        ("7h 2c Kd", "no board is due here", {}),
        ("hand 2", "a hand is running", {}),
        ("blah", "column {column}: this can't be read", {"column": 1}),
    ):
        field.fill(line)
        tablet.page.locator("form.ask button").click()
        tablet.page.locator("#waiting .refused", has_text=tablet.says(message, **fields)).wait_for()
        tablet.check(typed=line)
        tablet.press("OK")
        field.fill("")


@pytest.mark.parametrize("language", TAGS)
def test_it_works_in_the_browsers_language_without_a_script(
    tablets: Callable[..., Tablet], served: Served, language: str
) -> None:
    begin(served)
    tablet = tablets(language, script=False)
    tablet.press("Fold")
    turn = tablet.says("Seat {seat} {player} is to act", seat=1, player="Ana")
    tablet.page.locator(".who", has_text=turn).wait_for()
    tablet.page.locator("form.ask input[name=written]").fill("k")
    tablet.press("Record")
    tablet.page.locator(".refused, .error", has_text=tablet.says("it isn't time to check")).wait_for()


def test_other_pages_stay_english(tablets: Callable[..., Tablet], served: Served) -> None:
    begin(served)
    tablet = tablets("es")
    for name in ("tables", "findings", "rules"):
        tablet.page.goto(f"{served.origin}/{name}")
        assert tablet.page.locator("html").get_attribute("lang") == "en"
        assert "mesas" not in tablet.page.content()
