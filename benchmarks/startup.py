"""How long `handledger --version` takes beside an empty Typer program. Goal: at most 2 times.

Run: python benchmarks/startup.py
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

RUNS = 15
GOAL = 2.0
EMPTY = "import typer\napp = typer.Typer()\n@app.command()\ndef main() -> None: pass\napp()\n"


def seconds(command: list[str]) -> float:
    """CPU seconds of one run of `command`, user and system."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder) / "empty.py"
        empty.write_text(EMPTY)
        ours = [sys.executable, "-m", "cli.main", "--version"]
        theirs = [sys.executable, str(empty)]
        bare = [sys.executable, "-c", "pass"]
        pairs = [(seconds(theirs), seconds(ours), seconds(bare)) for _ in range(RUNS)]
    typer, own, python = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"bare Python             {python * 1000:7.1f} ms CPU")
    print(f"empty Typer program     {typer * 1000:7.1f} ms CPU")
    print(f"handledger --version    {own * 1000:7.1f} ms CPU")
    print(f"ratio {own / typer:.2f} (goal: at most {GOAL}): {'reached' if own <= GOAL * typer else 'MISSED'}")
    help_ = statistics.median(seconds([sys.executable, "-m", "cli.main", "--help"]) for _ in range(5))
    print(f"handledger --help       {help_ * 1000:7.1f} ms CPU, {help_ / typer:.2f} times")


if __name__ == "__main__":
    main()
