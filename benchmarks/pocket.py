"""How much the page in the pocket loads, how soon it answers in Chromium, and what a further tap costs.

Run: python benchmarks/pocket.py       (needs Chromium and Pyodide's archives: handledger pocket -o pocket fetches them)
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.figures import print_goal  # noqa: E402 - the path comes first
from tests.web.browser import CHROMIUM, chromium  # noqa: E402 - the path comes first
from tests.web.pocket import ARCHIVE_FOLDER, missing_archives, static_server  # noqa: E402 - the path comes first
from web.pocket.folder import write_folder  # noqa: E402 - the path comes first

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

RUNS = 5
TAPS = 40
PATIENCE = 300_000
MEGABYTE = 1_000_000


def open_page(context: BrowserContext, address: str) -> tuple[Page, float]:
    """Open the page; return it with the seconds until its first answer."""
    page = context.new_page()
    began = time.perf_counter()
    page.goto(address)
    page.locator("#pocket[data-ready]").wait_for(state="attached", timeout=PATIENCE)
    return page, time.perf_counter() - began


def measure_taps(page: Page) -> float:
    """Return the milliseconds from a tap to its answer, the median of many."""
    for seat in range(1, 10):
        page.locator(f'[data-seat="{seat}"]').click()
    page.locator("[data-act=to-button]").click()
    page.locator('[data-seat="1"]').click()
    page.locator(".posts li").first.wait_for(timeout=PATIENCE)
    return page.evaluate(
        """async (taps) => {
  const times = [];
  const next = () => new Promise((resolve) => {
    const before = document.querySelector('.pots').textContent;
    const watch = new MutationObserver(() => { if (document.querySelector('.pots').textContent !== before) { watch.disconnect(); resolve(); } });
    watch.observe(document.querySelector('#pocket'), { subtree: true, childList: true, characterData: true });
  });
  for (let tap = 0; tap < taps; tap += 1) {
    const answered = next();
    const began = performance.now();
    document.querySelector('[data-act=deal]').click();
    await answered;
    times.push(performance.now() - began);
  }
  return times.sort((one, other) => one - other)[Math.floor(times.length / 2)];
}""",
        TAPS,
    )


def main() -> int:
    if CHROMIUM is None or missing_archives():
        print("no Chromium, or no archives of Pyodide: nothing is measured")
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "pocket"
        written = write_folder(folder, ARCHIVE_FOLDER)
        print(
            f"{len(written.files)} files, modules {'compiled' if written.is_compiled else 'not compiled: there is no node'}"
        )
        print_goal("on disk, MB", sum(written.files.values()) / MEGABYTE, 15, is_maximum=True)
        cold, warm, taps = [], [], []
        with chromium() as browser:
            for _ in range(RUNS):
                with static_server(folder) as server:
                    context = browser.new_context(locale="en-US")
                    page, seconds = open_page(context, server.address)
                    cold.append(seconds)
                    sent = server.sent
                    page.close()
                    page, seconds = open_page(context, server.address)
                    warm.append(seconds)
                    taps.append(measure_taps(page))
                    context.close()
        print_goal("transferred on the first visit, MB", sent / MEGABYTE, 8, is_maximum=True)
        print_goal("first answer on the first visit, s", statistics.median(cold), 10, is_maximum=True)
        print_goal("first answer later, s", statistics.median(warm), 3, is_maximum=True)
        print_goal("each further answer, ms", statistics.median(taps), 50, is_maximum=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
