"""How long `handledger --version` takes beside an empty Typer program. Goal: at most 2 times.

Run: python benchmarks/startup.py
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from children import PROGRAM, Children

RUNS = 15
GOAL = 2.0


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        children = Children(Path(folder))
        bare_python = [sys.executable, "-c", "pass"]
        commands = (bare_python, children.empty, [*PROGRAM, "--version"], [*PROGRAM, "--help"])
        python, typer, handledger, help_ = children.medians(*commands, runs=RUNS)
    print(f"bare Python             {python * 1000:7.1f} ms CPU")
    print(f"empty Typer program     {typer * 1000:7.1f} ms CPU")
    print(f"handledger --version    {handledger * 1000:7.1f} ms CPU")
    print(
        f"ratio {handledger / typer:.2f} (goal: at most {GOAL}): {'reached' if handledger <= GOAL * typer else 'MISSED'}"
    )
    print(f"handledger --help       {help_ * 1000:7.1f} ms CPU, {help_ / typer:.2f} times")


if __name__ == "__main__":
    main()
