"""The file that a page becomes: nothing in it acts but our own script, whatever people call themselves."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

from ledger.store import Ledger
from tests.conftest import ROOT
from tests.web.conftest import Opened, html_of, page_of
from tests.web.nights import wrong_button
from web.pages.frame_data import escape_for_script
from web.pages.html import build_template_environment, read_static

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(2)>',
    "</script><script>alert(3)</script>",
    "\u202egnp.exe",
    "{{ 7 * 7 }}{% raw %}",
    "a\x1b[31mb",
)


class Tags(HTMLParser):
    """Which elements and attributes a page has."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes |= {name for name, _ in attrs}


def test_hostile_names_are_text(opened: Opened) -> None:
    ledger = opened(wrong_button(HOSTILE))
    html = html_of(ledger, page_of(ledger, "412", "rrop4"))
    usual_ledger = opened(wrong_button())
    ours = Tags(html_of(usual_ledger, page_of(usual_ledger, "412", "rrop4")))
    tags = Tags(html)
    assert set(tags.names) == set(ours.names)
    assert tags.names.count("script") == 2
    assert not {attribute for attribute in tags.attributes if attribute.startswith("on")}
    assert "&lt;img src=x onerror" in html
    assert "\u202e" not in html
    assert "\x1b" not in html
    assert "49{" not in html


def test_without_escaping_the_same_names_act(opened: Opened) -> None:
    """The control: what is tested above would be noticed."""
    ledger = opened(wrong_button(HOSTILE))
    environment = build_template_environment()
    page = page_of(ledger, "412", "rrop4")
    safe, environment.autoescape = environment.autoescape, False
    environment.cache.clear()
    try:
        html = html_of(ledger, page)
    finally:
        environment.autoescape = safe
        environment.cache.clear()
    tags = Tags(html)
    assert "img" in tags.names
    assert "onerror" in tags.attributes


def test_only_our_script_and_style_are_let_in(wrong: Ledger) -> None:
    html = html_of(wrong, page_of(wrong, "412", "rrop4"))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    rules = policy[1].replace("&#39;", "'")
    assert rules.startswith("default-src 'none'; ")
    assert "unsafe" not in rules
    assert "http" not in rules
    for kind, tag in (("script-src", "script"), ("style-src", "style")):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        assert f"{kind} 'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in rules
    assert not re.search(r"(src|href)=\"(?!#)", html), "nothing is fetched"
    assert " style=" not in html, "the policy would refuse it"


def test_the_island_is_json_that_ends_nothing(wrong: Ledger) -> None:
    html = html_of(wrong, page_of(wrong, "412", "rrop4"))
    (island,) = re.findall(r'<script type="application/json">(.*?)</script>', html, re.DOTALL)
    assert "<" not in island
    data = json.loads(island)
    assert len(data["frames"]) == 43
    assert data["books"][0]["should"] == [4, 5, 6]
    assert json.loads(escape_for_script('{"a": "</script><!--&"}')) == {"a": "</script><!--&"}


def test_what_is_sent_as_it_is_ends_no_element() -> None:
    assert "</" not in read_static("page.css")
    assert "</" not in read_static("replay.js")
    assert "innerHTML" not in read_static("replay.js")
    text = (ROOT / "web/static/replay.js").read_text()
    assert text.count("`") == sum(line.count("`") for line in text.splitlines() if line.count("`") % 2 == 0), (
        "no text runs over several lines: its indentation would be lost"
    )


def test_a_page_reads_without_its_script(wrong: Ledger) -> None:
    page = page_of(wrong, "412", "rrop4")
    html = html_of(wrong, page)
    rows = re.findall(r"<tr[^>]*><td><a href=\"#e=(\d+)\">", html)
    assert rows == [str(frame.version) for frame in page.frames]
    assert "5 Eli raises to $327 and is all in" in html
    assert re.search(r"Seat 6 \(Flo\) owes seat 5 \(Eli\) \$\d", html)
