"""A dealer's evening on a tablet: sign in by a code, record, ask a floor, hand over, be revoked."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from ledger.formats.handscript import write_lines
from ledger.recording.author import parse_writer
from ledger.store import open as open_ledger
from ledger.store.requests import sign_ins
from tests.web.browser import chromium, find_barriers, needs_chromium, wait_until_settled
from tests.web.keeping import act, open_record, wait_until_ready, write
from tests.web.serving import KEYS, Served, listening
from tests.web.test_users import KEEP, begin, code_of, enrolled
from web.server.application import build_application

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = [needs_chromium, pytest.mark.slow]

LEAST_TARGET: Final = 44  # CSS pixels


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with open_ledger(tmp_path / "x.ledger") as ledger, socket.create_server(("127.0.0.1", 0)) as sock:
        port = sock.getsockname()[1]
        app = build_application(ledger, "x.ledger", KEYS, [f"127.0.0.1:{port}"], is_writable=True, books=["hilton"])
        with listening(app, sock):
            yield Served(ledger, port)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def sign_in(page: Page, code: str) -> None:
    page.locator("input[name=code]").fill(code)
    page.locator("form:has(input[name=code]) button").click()


def height_of(element: Locator) -> float:
    box = element.bounding_box()
    assert box is not None
    return box["height"]


def recorded(served: Served) -> list[tuple[str, str, str]]:
    """Each line of the hand, with who recorded and who approved it."""
    (hand,) = served.ledger.hands(number="412")
    entries = served.ledger.entries(hand.stream)
    people = served.ledger.people
    lines = write_lines([entry.event for entry in entries], people)
    recordings = [parse_writer(entry.recorded.writer) for entry in entries]
    return [
        (line, people.name(recording.user) or "", people.name(recording.approver) or "")
        for line, recording in zip(lines, recordings, strict=True)
    ]


def test_a_dealers_evening_on_a_tablet(browser: Browser, served: Served) -> None:
    begin(served)
    for name in ("Maria", "Jo"):
        enrolled(served.ledger, name)
    context = browser.new_context(viewport={"width": 1024, "height": 768})
    page = context.new_page()
    # nobody is signed in: the page leads to the sign-in page, and back to the table
    page.goto(served.origin + KEEP)
    page.get_by_role("link", name="Sign in").click()
    assert find_barriers(page) == []
    sign_in(page, "00000000")
    assert "This code isn't valid." in page.locator("[role=alert]").inner_text()
    sign_in(page, code_of(served.ledger, "Maria"))
    wait_until_ready(page)
    page.get_by_role("button", name="Maria deals").wait_for()
    # she records
    write(page, "deal done")
    act(page, "fold")
    wait_until_settled(page)
    # what she may not record is kept until a floor approves it
    write(page, "2 killed")
    link = page.get_by_role("link", name="A floor approves it")
    assert height_of(link) >= LEAST_TARGET
    link.click()
    page.get_by_text("2 killed").wait_for()
    assert (
        min(map(height_of, page.locator("main button, main a.button, main input:not([type=hidden])").all()))
        >= LEAST_TARGET
    )
    assert find_barriers(page) == []
    page.get_by_label("The floor's code").fill(code_of(served.ledger, "Flo"))
    page.get_by_role("button", name="Approve and record").click()
    wait_until_ready(page)
    assert recorded(served)[-3:] == [("deal done", "Maria", ""), ("1 folds", "Maria", ""), ("2 killed", "Maria", "Flo")]
    # Jo takes over
    act(page, "who")
    assert find_barriers(page) == []
    page.get_by_role("button", name="Sign out").click()
    sign_in(page, code_of(served.ledger, "Jo"))
    wait_until_ready(page)
    page.get_by_role("button", name="Jo deals").wait_for()
    write(page, "floor-called")
    wait_until_settled(page)
    assert recorded(served)[-1][:2] == ("floor-called", "Jo")
    # and is revoked: the next act isn't recorded, and the page says where to sign in
    sign_ins.revoke_user(served.ledger, sign_ins.find_user(served.ledger, "Jo").user)
    open_record(page).fill("burn")
    page.locator("form.ask button").click()
    page.get_by_text("You're signed out. Sign in again").first.wait_for()
    page.get_by_role("link", name="Sign in").first.click()
    assert re.search(r"/sign-in\?next=", page.url)
    assert len([line for line, _, _ in recorded(served) if line.startswith("burn")]) == 0
    context.close()


def test_an_undo_that_needs_a_floor_took_nothing_back(browser: Browser, served: Served) -> None:
    begin(served)
    enrolled(served.ledger, "Maria")
    page = browser.new_context().new_page()
    page.goto(served.origin + KEEP)
    page.get_by_role("link", name="Sign in").click()
    sign_in(page, code_of(served.ledger, "Maria"))
    wait_until_ready(page)
    act(page, "next", "fold", "fold", "next")
    page.get_by_text("Next hand 413").wait_for()
    act(page, "undo")
    page.get_by_text("a hand that had ended, opened again").wait_for()
    wait_until_settled(page)
    assert page.locator(".who s").count() == 0
    page.context.close()


def test_a_link_is_opened_on_ones_own_phone(browser: Browser, served: Served) -> None:
    secret = enrolled(served.ledger, "Maria")
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{served.origin}/?key={secret}")
    assert secret not in page.url
    page.get_by_role("button", name="Sign in as Maria").click()
    page.get_by_role("link", name="Maria").click()
    page.get_by_role("button", name="Make my code").click()
    code = page.locator(".code").inner_text()
    assert re.fullmatch(r"\d{4} \d{4}", code)
    assert find_barriers(page) == []
    other = browser.new_context().new_page()
    other.goto(served.origin + "/sign-in")
    sign_in(other, code)
    other.get_by_role("link", name="Maria").wait_for()
    context.close()


@pytest.mark.parametrize(("language", "title"), [("es", "Iniciar sesión"), ("vi", "Đăng nhập"), ("zh", "登录")])
def test_the_tablet_asks_in_its_language(browser: Browser, served: Served, language: str, title: str) -> None:
    enrolled(served.ledger, "Maria")
    page = browser.new_context(locale=language).new_page()
    page.goto(served.origin + "/sign-in")
    assert page.locator("h1").inner_text().startswith(title)
    sign_in(page, "00000000")
    assert "valid" not in page.locator("main").inner_text()
    page.context.close()
