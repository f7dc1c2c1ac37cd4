"""How heavy a hand's page is, how soon Chromium paints it beside an empty page, and what a step costs.

Run: python benchmarks/pages.py        (the parts about a browser need Chromium)
"""

from __future__ import annotations

import gzip
import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.children import PROGRAM, Children  # noqa: E402 - the path comes first
from ledger.intake import import_paths  # noqa: E402 - the path comes first
from ledger.store import open as open_ledger  # noqa: E402 - the path comes first
from tests.web.browser import CHROMIUM, chromium, visited  # noqa: E402 - the path comes first
from tests.web.nights import wrong_button  # noqa: E402 - the path comes first

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MAX_BYTES = 60_000  # bytes of a page
STEPS = 60
FRAME = 16.7  # milliseconds: a step that takes longer is seen
RUNS = 7
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
STEP = f"""() => {{
  const began = performance.now();
  for (let at = 0; at < {STEPS}; at += 1) {{
    const key = document.querySelector('tbody tr:last-child.current') ? 'Home' : 'ArrowRight';
    document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key, bubbles: true }}));
    document.body.getBoundingClientRect();
  }}
  return (performance.now() - began) / {STEPS};
}}"""


def measure_paint(browser: Browser, address: str) -> float:
    """Milliseconds until something is seen of a page."""
    times = []
    for _ in range(RUNS):
        page = visited(browser, address)
        page.wait_for_timeout(150)
        times.append(page.evaluate(PAINT))
        page.context.close()
    return statistics.median(times)


def measure_in_browser(page: Path, empty: Path) -> None:
    with chromium() as browser:
        empty_paint, page_paint = measure_paint(browser, empty.as_uri()), measure_paint(browser, page.as_uri())
        step = statistics.median(visited(browser, page.as_uri()).evaluate(STEP) for _ in range(RUNS))
    print(f"first paint             {page_paint:7.1f} ms, of an empty page {empty_paint:.1f} ms")
    print(
        f"{STEPS} events, laid out    {STEPS * step:7.1f} ms, {step:.2f} a step (goal: {FRAME} a step): "
        f"{'reached' if step <= FRAME else 'MISSED'}"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "night.hand").write_text(wrong_button())
        with open_ledger(folder / "l.ledger") as ledger:
            import_paths(ledger, [folder / "night.hand"])
        page, empty = folder / "hand.html", folder / "empty.html"
        empty.write_text("<!doctype html><title>empty</title><p>nothing")
        report = [*PROGRAM, "report", "412", "-r", "rrop4", "-r", "hilton"]
        report += ["--ledger", str(folder / "l.ledger"), "-o", str(page)]
        children = Children(folder)
        empty_program, report_seconds = children.medians(children.empty, report, runs=RUNS)
        data = page.read_bytes()
        print(
            f"a page of 43 events     {len(data):7,} bytes, {len(gzip.compress(data)):,} packed (goal: {MAX_BYTES:,}): "
            f"{'reached' if len(data) <= MAX_BYTES else 'MISSED'}"
        )
        print(
            f"handledger report       {report_seconds * 1000:7.1f} ms CPU, {report_seconds / empty_program:.1f} times an empty Typer program"
        )
        if CHROMIUM is None:
            print("no Chromium on this machine: paint and steps were not measured")
        else:
            measure_in_browser(page, empty)


if __name__ == "__main__":
    main()
