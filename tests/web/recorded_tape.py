"""A camera's recording in a browser, with the index that `export --to webvtt` writes as its subtitles.

The recording is drawn: what a camera over a table sees, for a second and a half.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

SIZE: Final = {"width": 900, "height": 506}
BEGINS: Final = "2026-11-20 20:22:58"
"""When the recording begins, by the room's clock: with hand 408 of table T7."""

_PAGE: Final = """<!doctype html>
<style>
  body { margin: 0; background: #000 }
  video { display: block; width: 900px; height: 506px }
  video::cue { font-family: "DejaVu Sans"; font-size: 17px; background: #000c }
</style>
<video muted></video>"""

_PLAY: Final = """async ([cues, clock]) => {
  const canvas = document.createElement("canvas");
  canvas.width = 900; canvas.height = 506;
  const pen = canvas.getContext("2d");
  const oval = (x, y, width, height, colour) => {
    pen.fillStyle = colour;
    pen.beginPath(); pen.ellipse(x, y, width, height, 0, 0, 7); pen.fill();
  };
  const draw = () => {
    pen.fillStyle = "#20262b"; pen.fillRect(0, 0, 900, 506);
    oval(450, 235, 330, 165, "#5a4634");
    oval(450, 235, 305, 143, "#2f6d52");
    for (const angle of [0.1, 0.75, 1.35, 1.8, 2.4, 3.05, 3.9, 5.5]) {
      oval(450 + 355 * Math.cos(angle), 235 + 185 * Math.sin(angle), 30, 30, "#6f7c86");
    }
    oval(450, 58, 34, 34, "#8a949e");
    pen.fillStyle = "#fff";
    for (let card = 0; card < 3; card++) pen.fillRect(385 + 42 * card, 205, 32, 46);
    for (const [x, y, colour] of [[330, 300, "#c33"], [345, 296, "#c33"], [560, 290, "#38c"], [300, 200, "#eee"]]) {
      oval(x, y, 9, 9, colour);
    }
    pen.fillStyle = "#e8f0e8"; pen.font = "16px DejaVu Sans Mono"; pen.fillText(clock, 18, 30);
  };
  draw();
  const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: "video/webm" });
  const parts = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  const stopped = new Promise((resolve) => { recorder.onstop = resolve; });
  recorder.start();
  for (let frame = 0; frame < 40; frame++) { draw(); await new Promise((next) => setTimeout(next, 40)); }
  recorder.stop();
  await stopped;
  const video = document.querySelector("video");
  const track = document.createElement("track");
  track.kind = "subtitles"; track.default = true;
  track.src = URL.createObjectURL(new Blob([cues], { type: "text/vtt" }));
  video.append(track);
  video.src = URL.createObjectURL(new Blob(parts, { type: "video/webm" }));
  await video.play();
  while (!track.track.activeCues?.length) await new Promise((next) => setTimeout(next, 20));
  video.pause();
  const describe = (cue) => [cue.startTime, cue.endTime, cue.getCueAsHTML().textContent];
  return { all: [...track.track.cues].map(describe), shown: [...track.track.activeCues].map(describe) };
}"""


def write_index(folder: Path) -> str:
    """Return the index of table T7 of the samples, under Hilton's rules, for a recording from `BEGINS`."""
    program = [sys.executable, "-c", "from cli.main import run; run()"]
    ledger, index = folder / "tape.ledger", folder / "camera12.vtt"
    commands = [
        ["import", ROOT / "cli" / "samples"],
        [
            "export",
            "--table",
            "T7",
            "--to",
            "webvtt",
            "--starts",
            BEGINS,
            "--clock",
            "+0s",
            "-r",
            "hilton",
            "-o",
            index,
        ],
    ]
    for command in commands:
        arguments = [*map(str, command), "--ledger", str(ledger)]
        subprocess.run([*program, *arguments], cwd=ROOT, capture_output=True, check=True)
    return index.read_text(encoding="utf-8")


def can_record(browser: Browser) -> bool:
    """Whether this browser encodes video."""
    page = browser.new_page()
    supported = page.evaluate("Boolean(globalThis.MediaRecorder?.isTypeSupported('video/webm'))")
    page.close()
    return bool(supported)


@contextmanager
def played_tape(index: str, browser: Browser) -> Iterator[tuple[Page, dict[str, list[list[object]]]]]:
    """Play the recording up to its first cue. Yield the page, and all cues and those shown: start, end and text each."""
    context = browser.new_context(viewport=SIZE)
    page = context.new_page()
    page.set_content(_PAGE)
    cues = page.evaluate(_PLAY, [index, f"CAM 12   {BEGINS.replace(' ', '   ')}"])
    page.wait_for_timeout(200)
    yield page, cues
    context.close()
