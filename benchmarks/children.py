"""CPU seconds of other processes, as they run where they are installed: pip compiles modules, and so does the first run here."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

EMPTY = "import typer\napp = typer.Typer()\n@app.command()\ndef main() -> None: pass\napp()\n"
PROGRAM = [sys.executable, "-c", "from cli.main import run; run()"]
"""As the script that pip installs starts it."""


class Children:
    """Runs programs again and again, whose compiled modules are kept in a folder."""

    def __init__(self, folder: Path) -> None:
        inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        root = str(Path(__file__).parent.parent)
        self._environment = {**inherited, "PYTHONPYCACHEPREFIX": str(folder / "compiled"), "PYTHONPATH": root}
        empty = folder / "empty.py"
        empty.write_text(EMPTY)
        self.empty = [sys.executable, str(empty)]

    def seconds(self, command: list[str]) -> float:
        """CPU seconds of one run, user and system."""
        usage_before = resource.getrusage(resource.RUSAGE_CHILDREN)
        completed = subprocess.run(
            command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=self._environment
        )
        usage_after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert completed.returncode in (0, 1), completed.stderr.decode()
        return usage_after.ru_utime + usage_after.ru_stime - usage_before.ru_utime - usage_before.ru_stime

    def medians(self, *commands: list[str], runs: int) -> list[float]:
        """Return the median of each command's seconds; they take turns, so that what else the machine does hits all."""
        for command in commands:
            self.seconds(command)
        rounds = [[self.seconds(command) for command in commands] for _ in range(runs)]
        return [statistics.median(column) for column in zip(*rounds, strict=True)]
