"""The second picture in the README: a page of a hand, as Chromium shows it.

    python docs/page_picture.py        (or: make picture)

It keeps the demonstration's ledger for a moment, writes the page of one of its hands, and takes a picture of it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from PIL import Image
from playwright.sync_api import sync_playwright

PICTURE: Final = Path(__file__).parent / "page.png"
WIDTH, HEIGHT = 1240, 770
COLOURS: Final = 96


def main() -> int:
    """Take the picture; return the exit code."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.stderr.write("there is no chromium on this machine\n")
        return 2
    with TemporaryDirectory() as folder:
        page, shot = Path(folder, "page.html"), Path(folder, "page.png")
        program = [sys.executable, "-m", "cli.main"]
        own = {**os.environ, "HANDLEDGER_PEOPLE_KEY": f"{folder}/people.key"}
        subprocess.run([*program, "demo", "--keep", f"{folder}/demo"], check=True, env=own, stdout=subprocess.DEVNULL)
        told = ["report", "714", "-r", "rrop4", "-r", "hilton", "-r", "bicycle", "-o", str(page)]
        subprocess.run([*program, *told, "--ledger", f"{folder}/demo/demo.ledger"], check=True, env=own)
        with sync_playwright() as started:
            browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            window = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            window.goto(page.as_uri())
            window.screenshot(path=shot)
            browser.close()
        Image.open(shot).quantize(COLOURS).save(PICTURE, optimize=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
