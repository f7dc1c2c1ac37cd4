"""The law of the page that keeps a table: what is pressed is recorded once, in its order, or shown as refused."""

from __future__ import annotations

import random
import re
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Error

from ledger.formats.handscript import write_lines
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from ledger.streams import table_stream
from tests.laws import size
from tests.web.browser import chromium, needs_chromium
from tests.web.serving import FLOOR, KEYS, Served, listening, serving
from web.api.device_requests import Lines, NewTable
from web.api.tables import RecordedTables
from web.server.application import build_application
from web.server.keep_page import PAGE_DEVICE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SEQUENCES = (Path(__file__).parent / "outbox_law.js").read_text(encoding="utf-8")
CUT_OFF = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""A server that ends in the middle of an answer leaves connections that nobody closed."""
VENUE = "Riverside Cardroom"
TOKEN = next(key.token for key in KEYS if key.secret == FLOOR)


class Restarted:
    """A server that is ended and started again, on the same port and with nothing remembered, while it is asked."""

    def __init__(self, ledger: Ledger, seed: int = 1, pause_range: tuple[float, float] = (0.3, 1.5)) -> None:
        self.ledger, self.starts = ledger, 0
        self._chance, self._between = random.Random(seed), pause_range
        self._end = threading.Event()
        self._started = threading.Event()
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._started.wait(20)
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join(30)

    def _run(self) -> None:
        names = [f"127.0.0.1:{self.port}"]
        while not self._end.is_set():
            app = build_application(self.ledger, "x.ledger", KEYS, names, is_writable=True)
            with socket.create_server(("127.0.0.1", self.port)) as sock, listening(app, sock):
                self.starts += 1
                self._started.set()
                self._end.wait(self._chance.uniform(*self._between))
            time.sleep(self._chance.uniform(0, 0.1))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def reach(page: Page, address: str) -> None:
    """Open a page of a server that may be down just now."""
    while True:
        try:
            page.goto(address)
        except Error:
            page.wait_for_timeout(20)
        else:
            return


def run(browser: Browser, served: Served, seeds: range, *, real: bool, pause: float = 0) -> dict[str, Any]:
    page = browser.new_context().new_page()
    page.set_default_timeout(0)
    reach(page, f"{served.origin}/rules?key={FLOOR}")
    settings = {"seeds": list(seeds), "real": real, "token": TOKEN, "venue": VENUE, "pause": pause}
    outcome = page.evaluate(SEQUENCES, settings)
    page.context.close()
    assert isinstance(outcome, dict)
    return outcome


@needs_chromium
@pytest.mark.law
def test_the_outbox_loses_and_doubles_nothing_over_any_loss(browser: Browser, tmp_path: Path) -> None:
    with open_ledger(tmp_path / "x.ledger") as ledger, serving(ledger, writes=True) as served:
        result = run(browser, served, range(size(500, 50_000)), real=False)
    assert not result["count"], result["failures"]
    assert result["recorded"] > result["pressed"] / 5


@needs_chromium
@pytest.mark.law
@CUT_OFF
def test_the_outbox_and_the_server_lose_and_double_nothing_over_any_loss_and_restart(
    browser: Browser, tmp_path: Path
) -> None:
    with open_ledger(tmp_path / "x.ledger") as ledger, Restarted(ledger) as restarted:
        result = run(browser, Served(ledger, restarted.port), range(size(12, 1_000)), real=True, pause=4)
        assert restarted.starts > 2
        assert ledger.verify() == []
    assert not result["count"], result["failures"]
    assert result["recorded"] > result["pressed"] / 5


BEGIN = "; ".join(
    (
        "hand 1",
        *(f"seat {seat} {name} 500" for seat, name in enumerate(("Ana", "Bo", "Cy", "Di", "Ed", "Flo"), 1)),
        "button 1",
        "2 posts small 2",
        "3 posts big 5",
        "deal done",
    )
)
TAP = """([pick, amount]) => {
  const find = (act) => document.querySelector(`.panel [data-act=${act}]:enabled`);
  const acts = ["fold", "call", "check", "raise"].filter(find);
  if (!acts.length) return null;
  const act = acts[pick % acts.length];
  const { seat } = document.querySelector(".chair[data-turn]").dataset;
  find(act).click();
  if (act === "raise") {
    for (const key of amount) document.querySelector(`.panel [data-key="${key}"]`).click();
    const done = find("keypad-done");
    if (!done) find("keypad-cancel").click();
    else done.click();
    if (!done) return null;
  }
  const said = { fold: "folds", call: "calls", check: "checks" }[act] || `to ${amount}`;
  const name = Object.keys(sessionStorage).find((one) => one.startsWith("handledger sender "));
  return [`${seat} ${said}`, sessionStorage[name]];
}"""
"""Presses one of the buttons of the seat whose turn it is; returns what a person would say it means, and who sends it."""
BOXES = """() => Object.keys(localStorage).filter((name) => name.startsWith("handledger acts "))
  .map((name) => JSON.parse(localStorage[name]))"""
ALL_SETTLED = f"() => ({BOXES})().every((box) => !box.acts.length)"
VERB = re.compile(r"(\d+) (folds|checks|calls|bets|raises to)(?: ([\d.]+))?")


class Keeper:
    """A device with the page of a table, and a person who presses what it shows."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.context = browser.new_context()
        self.page = self.context.new_page()
        self.address, self.offline = address, False
        self.pressed: list[str] = []
        self.senders: set[str] = set()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.opens()

    def opens(self) -> None:
        """Open the page, and wait for its script: until then a press is a form that is sent as without one."""
        while True:
            reach(self.page, self.address)
            try:
                self.page.wait_for_selector("html[data-keeps]", state="attached", timeout=2_000)
            except Error:
                continue
            return

    def taps(self, chance: random.Random) -> None:
        """Press some buttons as fast as they come."""
        for _ in range(chance.randint(1, 4)):
            tapped = self.page.evaluate(TAP, [chance.randrange(4), str(chance.randint(1, 60))])
            if tapped is not None:
                self.pressed.append(tapped[0])
                self.senders.add(tapped[1])
            if chance.random() < 0.3:
                self.page.wait_for_timeout(chance.random() * 150)

    def connects(self, on: bool) -> None:
        self.offline = not on
        self.context.set_offline(self.offline)

    def reloads(self) -> None:
        if not self.offline:
            self.opens()

    def settles(self) -> None:
        self.connects(on=True)
        self.page.wait_for_function(ALL_SETTLED, timeout=60_000)

    def shown(self) -> list[str]:
        return [act["label"] for box in self.page.evaluate(BOXES) for act in box["refused"]]


def said_of(line: str) -> str:
    match = VERB.match(line)
    assert match, line
    return f"{match[1]} to {match[3]}" if match[2] in ("bets", "raises to") else f"{match[1]} {match[2]}"


def recorded_by(ledger: Ledger, place: TableKey) -> dict[str, list[str]]:
    """Return what each sender's acts write_lines, in the order in which they are recorded."""
    lines_by_sender: dict[str, list[str]] = {}
    prefix = f"page:{table_stream(*place).hex}:"
    for row in ledger.hands(venue=place.venue, table=place.table):
        lines = iter(write_lines(ledger.events(row.stream), ledger.people))
        for entry, line in zip(ledger.entries(row.stream), lines, strict=True):
            key = entry.recorded.key
            if key.startswith(prefix) and VERB.match(line):  # a bet that goes back may come with an act
                lines_by_sender.setdefault(key.removeprefix(prefix).split(":")[0], []).append(said_of(line))
    return lines_by_sender


def keep_hand(browser: Browser, ledger: Ledger, port: int, seed: int) -> tuple[int, int]:
    """Keep one hand on one or two devices over losses of all kinds; return how much was pressed, and recorded."""
    chance, place = random.Random(seed), TableKey(VENUE, "", f"T{seed}")
    tables = RecordedTables(ledger)
    tables.open(place, PAGE_DEVICE, NewTable("holdem no-limit cash blinds 2/5 unit USD 2"))
    tables.record_lines(place, PAGE_DEVICE, Lines([BEGIN]))
    query = urlencode({"venue": VENUE, "tournament": "", "name": place.table})
    keepers = [
        Keeper(browser, f"http://127.0.0.1:{port}/keep?{query}&key={FLOOR}") for _ in range(chance.randint(1, 2))
    ]
    for _ in range(chance.randint(3, 8)):
        keeper = chance.choice(keepers)
        step = chance.random()
        if step < 0.6:
            keeper.taps(chance)
        elif step < 0.8:
            keeper.connects(on=keeper.offline)
        elif step < 0.9:
            keeper.reloads()
        else:
            keeper.page.wait_for_timeout(chance.random() * 400)
    for keeper in keepers:
        keeper.settles()
    recorded = recorded_by(ledger, place)
    for keeper in keepers:
        refused = keeper.shown()
        own_lines = [line for sender in recorded if sender in keeper.senders for line in recorded[sender]]
        assert sorted([*own_lines, *refused]) == sorted(keeper.pressed), (seed, keeper.pressed, own_lines, refused)
        pressed_lines = iter(keeper.pressed)
        assert all(line in pressed_lines for line in own_lines), (seed, keeper.pressed, own_lines)
        assert not keeper.errors, (seed, keeper.errors)
        keeper.context.close()
    return sum(len(keeper.pressed) for keeper in keepers), sum(map(len, recorded.values()))


@needs_chromium
@pytest.mark.law
@CUT_OFF
@pytest.mark.parametrize("part", range(4))
def test_every_tap_on_the_page_is_recorded_once_or_shown_as_refused(
    browser: Browser, tmp_path: Path, part: int
) -> None:
    seeds = range(part, 4 * size(1, 250), 4)
    with open_ledger(tmp_path / "x.ledger") as ledger, Restarted(ledger, pause_range=(0.5, 3)) as restarted:
        counts = [keep_hand(browser, ledger, restarted.port, seed) for seed in seeds]
    pressed, recorded = (sum(column) for column in zip(*counts, strict=True))
    assert recorded > pressed / 10
