"""The picture in the README: a finding as the program prints it, as an SVG.

    python docs/picture.py        (or: make picture)

It imports the packaged evenings into a ledger of its own, judges one hand and draws what was printed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

PICTURE: Final = Path(__file__).parent / "finding.svg"
COMMAND: Final = "handledger audit 408 --rulebook hilton"
LINES: Final = 11  # of the finding; the coverage below it is left out
WIDTH, LINE, LETTER, EDGE = 100, 19, 8.43, 16

COLOURS: Final = (
    ("error: ", "#ff8a80"), ("     | ^", "#ff8a80"), (" 309 ", "#fff59d"),
    ("$ ", "#80cbc4"), ("   =", "#b0bec5"), ("  -->", "#b0bec5"),
)
"""Colour by how a line begins."""


def finding() -> list[str]:
    """Return the command and what it prints about the hand of the README."""
    program = Path(sys.executable).parent / "handledger"
    with TemporaryDirectory() as folder:
        environment = {
            **os.environ, "HANDLEDGER_URL": "demo/demo.ledger", "NO_COLOR": "1", "COLUMNS": str(WIDTH),
            "HANDLEDGER_PEOPLE_KEY": str(Path(folder, "people.key")),
        }

        def run(*words: str) -> str:
            return subprocess.run(
                [program, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
            ).stdout

        run("demo", "--keep", "demo")
        return [f"$ {COMMAND}", *run(*COMMAND.split()[1:]).splitlines()[:LINES]]


def picture(lines: list[str]) -> str:
    """Return the lines as an SVG that needs no font of its own."""
    picture_width = round(max(map(len, lines)) * LETTER) + 2 * EDGE
    picture_height = len(lines) * LINE + 2 * EDGE
    texts = [
        f'<text x="{EDGE}" y="{EDGE + (number + 1) * LINE - 5}" fill="{_colour(line)}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {picture_width} {picture_height}" width="{picture_width}" height="{picture_height}" '
        'role="img" aria-label="A finding: the line of the source, what was seen, and the clause">'
        f'<rect width="{picture_width}" height="{picture_height}" rx="8" fill="#1e272c"/>'
        '<g font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="14" '
        'xml:space="preserve" style="white-space:pre">'
    )
    return "\n".join((head, *texts, "</g></svg>")) + "\n"


def _colour(line: str) -> str:
    return next((colour for begin, colour in COLOURS if line.startswith(begin)), "#eceff1")


if __name__ == "__main__":
    PICTURE.write_text(picture(finding()), "utf-8")
