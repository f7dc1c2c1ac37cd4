"""Pages as pictures: what the README shows, and what a test holds against what the pages look like today.

Run: python -m tests.web.pictures      (or: make picture) takes them anew into docs/pages.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec.structs import replace
from PIL import Image, ImageChops

from cli.report_shift import ShiftOptions, build_document
from ledger.entry import Provenance
from ledger.house.events import RulebookAdopted
from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from projections.addresses.room_days import DEFAULT_DAY_START
from projections.books.rulebook import load
from tests.conftest import ROOT
from tests.money.records import ALL_ERRORS, import_evening
from tests.web.browser import CHROMIUM, chromium
from tests.web.conftest import html_of, page_of
from tests.web.pocket import ARCHIVE_FOLDER, missing_archives, static_server
from tests.web.recorded_tape import played_tape, write_index
from tests.web.serving import AUDITOR, FLOOR, serving
from web.pages.hand_frames import Viewer
from web.pages.hand_page import build_pages
from web.pages.page_judgement import BookChoice
from web.pages.report_summary import summarize_hands
from web.pages.shift_page import render_shift_html
from web.pocket.folder import write_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER: Final = ROOT / "docs" / "pages"
COLOURS: Final = 128
STEP: Final = 8
"""Pixels, across and down, that are compared as one: how a browser smooths a letter is not seen in them."""

VISIBLE_DIFFERENCE: Final = 32
"""Of 255: from here on a difference is one."""

MAX_SHARE: Final = 0.001
"""Share of a picture that may differ."""

STYLE: Final = '*{font-family:"DejaVu Sans"!important;caret-color:transparent!important;animation:none!important}code,pre{font-family:"DejaVu Sans Mono"!important}.live,.masthead nav{visibility:hidden}'
"""Letters that every machine has; what blinks, and the list of pages, which grows, are not seen."""


class Shot(NamedTuple):
    """A page, how large, and the keys and buttons that are pressed before its picture is taken. `key`: who looks."""

    page: str
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = (1240, 770)
    dark: bool = False
    key: str = AUDITOR
    taps: tuple[str, ...] = ()  # on the page that keeps a table; nothing of them reaches the server


SHOTS: Final = {
    "hand": Shot("hand.html", ("n",), size=(1240, 900)),
    "phone": Shot("other.html", ("2",), (390, 844), dark=True),
    "evening": Shot("evening.html"),
    "shift": Shot("shift.html", size=(1240, 620)),
    "shift-differences": Shot("shift.html#differences", size=(1240, 700)),
    "tables": Shot("/tables", size=(1240, 420)),
    "table": Shot("/table?venue=Riverside%20Cardroom&name=T3", size=(1240, 620)),
    "findings": Shot("/findings", size=(1240, 620)),
    "person": Shot("/person?name=Ana", size=(1240, 760)),
    "next-hand": Shot("/keep?venue=Riverside%20Cardroom&name=T7", size=(1000, 640), key=FLOOR),
    "keep": Shot(
        "/keep?venue=Riverside%20Cardroom&name=T7",
        size=(390, 844),
        dark=True,
        key=FLOOR,
        taps=("[data-act=next]", "[data-act=call]", "[data-act=fold]"),
    ),
}


TAPE: Final = "tape"
"""The picture of a recording with its index. A browser encodes the recording, so no test compares it."""

POCKET: Final = "pocket"
"""The picture of the page in the pocket. It needs Pyodide, so the other pictures are taken without it."""

_POCKET_SIZE: Final = (360, 740)
_POCKET_STEPS: Final = [
    *(
        {"do": "sit", "seat": seat, "name": name}
        for seat, name in enumerate(("Ana", "Bo", "Cy", "Di", "Eve", "Fay", "Gus"), 1)
    ),
    {"do": "deal", "button": 1},
    {"do": "away", "seat": 5},
    {"do": "deal"},
    {"do": "deal"},
    {"do": "deal"},
    {"do": "back", "seat": 5},
]
_POCKET_TABLE: Final = {
    "handledger": "table/1",
    "game": "limit 10/20",
    "seats": 9,
    "rulebook": "hilton",
    "tournament": False,
    "options": {},
    "steps": _POCKET_STEPS,
}


@contextmanager
def visited_pocket(address: str, browser: Browser) -> Iterator[Page]:
    """Open the page in the pocket with a table whose player comes back after missing blinds."""
    width, height = _POCKET_SIZE
    context = browser.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce", bypass_csp=True, locale="en-US"
    )
    table = json.dumps(json.dumps(_POCKET_TABLE))
    context.add_init_script(f"localStorage.setItem('handledger pocket table', {table})")
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#pocket[data-ready]", state="attached", timeout=120_000)
    page.add_style_tag(content=STYLE)
    page.wait_for_timeout(100)
    yield page
    context.close()


def _take_pocket_picture(folder: Path, browser: Browser) -> Image.Image:
    write_folder(folder / "pocket", ARCHIVE_FOLDER)
    with static_server(folder / "pocket") as server, visited_pocket(server.address, browser) as page:
        return take_picture(page, folder / "pocket.png")


@contextmanager
def serve_pages() -> Iterator[tuple[str, str, Browser]]:
    """Yield where the written pages lie, where the server answers, and a browser."""
    with TemporaryDirectory() as name, open_ledger(Path(name, "demo.ledger")) as ledger:
        import_paths(ledger, [ROOT / "cli" / "samples"])
        book = load("rrop4")
        adopted = RulebookAdopted(book.name, book.edition, book.digest, since=1_700_000_000_000)
        ledger.append("house", HOUSE, [adopted], recorded=Provenance(ledger.now()))
        _write(ledger, Path(name))
        _write_shift(Path(name))
        with serving(ledger, writes=True) as served, chromium() as browser:
            yield Path(name).as_uri(), served.origin, browser


def _write(ledger: Ledger, folder: Path) -> None:
    """Write the pages that need no server."""
    for name, number, books in (("hand", "714", ("rrop4", "hilton", "bicycle")), ("other", "417", ("hilton", "rrop4"))):
        html = html_of(ledger, page_of(ledger, number, *books), title=f"Report of hand {number}")
        (folder / f"{name}.html").write_text(html, encoding="utf-8")
    books, eyes = BookChoice([load("hilton")]), Viewer()
    summary, rows = summarize_hands(ledger, list(ledger.hands(table="T7")), books, eyes, max_stepped=1)
    hand_pages = build_pages(ledger, rows, books, eyes)
    evening = html_of(ledger, *hand_pages, summary=summary, title="Report of table T7", about="table T7")
    (folder / "evening.html").write_text(evening, encoding="utf-8")


def _write_shift(folder: Path) -> None:
    """Write the report of an evening on which money is missing."""
    records = folder / "shift"
    records.mkdir()
    with import_evening(ALL_ERRORS, records) as ledger:
        document = build_document(ledger, ShiftOptions("swing", [], None, DEFAULT_DAY_START, None))
    head = replace(document.head, head="5eb63bbbe01eeed093cb22bb8f5acdc3" * 2)  # another in each run
    html = render_shift_html(replace(document, made=1_795_000_000_000, head=head))
    (folder / "shift.html").write_text(html, encoding="utf-8")


@contextmanager
def visited(shot: Shot, pages_folder: str, origin: str, browser: Browser) -> Iterator[Page]:
    """Open the page of a picture; its letters are those that every machine has that runs these tests."""
    context = browser.new_context(
        viewport={"width": shot.size[0], "height": shot.size[1]},
        color_scheme="dark" if shot.dark else "light",
        reduced_motion="reduce",
        bypass_csp=True,  # for the style of these pictures
        timezone_id="UTC",
        locale="en-US",
    )
    context.add_cookies([{"name": "handledger", "value": shot.key, "url": origin}])
    page = context.new_page()
    page.goto(f"{origin}{shot.page}" if shot.page.startswith("/") else f"{pages_folder}/{shot.page}")
    page.add_style_tag(content=STYLE)
    if shot.key == FLOOR:
        page.wait_for_selector("#keep-app[data-ready]", state="attached")
        page.route("**/keep.json", lambda _: None)  # the server never answers, so the ledger stays as it is
    for selector in shot.taps:
        page.locator(selector).click()
    for key in shot.keys:
        page.keyboard.press(key)
    page.wait_for_timeout(100)
    yield page
    context.close()


def take_picture(page: Page, file: Path) -> Image.Image:
    """Take the picture of a page."""
    page.screenshot(path=file, animations="disabled")
    return Image.open(file).convert("RGB")


def differing(image: Image.Image, other_image: Image.Image) -> float:
    """Return the share of two pictures that is not alike, 1 where they are not of one size."""
    if image.size != other_image.size:
        return 1.0
    small = (image.width // STEP, image.height // STEP)
    small_images = (picture.convert("RGB").resize(small, Image.Resampling.BOX) for picture in (image, other_image))
    difference = ImageChops.difference(*small_images)
    loudest = [max(pixel) for pixel in zip(*(band.tobytes() for band in difference.split()), strict=True)]
    return sum(loudness > VISIBLE_DIFFERENCE for loudness in loudest) / len(loudest)


def save_picture(name: str, picture: Image.Image) -> None:
    """Write a picture of docs/pages."""
    file = FOLDER / f"{name}.png"
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)
    print(f"{file.relative_to(ROOT)} {file.stat().st_size:,} bytes")  # noqa: T201 - it is a tool


def main() -> int:
    """Take all pictures anew."""
    if CHROMIUM is None:
        sys.stderr.write("there is no Chromium on this machine\n")
        return 2
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as name, serve_pages() as (pages_folder, origin, browser):
        for picture_name, shot in SHOTS.items():
            with visited(shot, pages_folder, origin, browser) as page:
                picture = take_picture(page, Path(name, "shot.png"))
            save_picture(picture_name, picture)
        with played_tape(write_index(Path(name)), browser) as (page, _):
            save_picture(TAPE, take_picture(page, Path(name, "shot.png")))
        if missing_archives():
            print(f"not taken: {POCKET}, which needs {' and '.join(missing_archives())}")  # noqa: T201 - it is a tool
        else:
            save_picture(POCKET, _take_pocket_picture(Path(name), browser))
    return 0


if __name__ == "__main__":
    sys.exit(main())
