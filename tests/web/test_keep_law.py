"""The law of the page that keeps a table: what is pressed is recorded once, in its order, or shown as refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger.store import open as open_ledger
from tests.laws import size
from tests.web.browser import chromium, needs_chromium
from tests.web.serving import FLOOR, Served, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SEQUENCES = (Path(__file__).parent / "outbox_law.js").read_text(encoding="utf-8")
VENUE = "Riverside Cardroom"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def run(browser: Browser, served: Served, seeds: range, *, real: bool, pause: float = 0) -> dict[str, Any]:
    page = browser.new_context().new_page()
    page.set_default_timeout(0)
    page.goto(f"{served.origin}/tables?key={FLOOR}")
    told = {"seeds": list(seeds), "real": real, "token": served.token(), "venue": VENUE, "pause": pause}
    found = page.evaluate(SEQUENCES, told)
    page.context.close()
    assert isinstance(found, dict)
    return found


@needs_chromium
@pytest.mark.law
def test_the_outbox_loses_and_doubles_nothing_over_any_loss(browser: Browser, tmp_path: Path) -> None:
    with open_ledger(tmp_path / "x.ledger") as ledger, serving(ledger, writes=True) as served:
        found = run(browser, served, range(size(1_000, 50_000)), real=False)
    assert not found["count"], found["failures"]
    assert found["recorded"] > found["pressed"] / 5
