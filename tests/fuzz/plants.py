"""Plant bugs in a copy of the program and see that the fuzzer finds each: `python -m tests.fuzz.plants`.

Each is a mistake that somebody could make: a check left out, an error not caught, a loop in a loop.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

from tests.conftest import ROOT
from tests.fuzz.instrument import PACKAGES
from tests.fuzz.scratch import scratch_folder


class Plant(NamedTuple):
    """A bug: in `file`, `right` becomes `wrong`; the crash of `target` that it causes begins with `kind`."""

    name: str
    target: str
    file: str
    right: str
    wrong: str
    kind: str


PLANTS: Final = (
    Plant(
        "a reader doesn't check the number of a player (IndexError)",
        "readers/phh",
        "ledger/formats/phh/hand_actions.py",
        "return highest_player < len(self.dealing_order) and read_action(self, *arguments) is not False",
        "return read_action(self, *arguments) is not False",
        "IndexError at ledger.formats.phh",
    ),
    Plant(
        "a reader compares every line with every line before it (quadratic)",
        "readers/pokerstars",
        "ledger/readers/lines.py",
        "            self.text = text.split(end)\n",
        "            self.text = text.split(end)\n"
        "            for number, line in enumerate(self.text):\n"
        "                for before in self.text[:number]:\n"
        "                    if before is line:\n"
        "                        self.repeated = True\n",
        "too much work: ledger.readers.lines",
    ),
    Plant(
        "bytes that are no text aren't caught in a rulebook (UnicodeDecodeError)",
        "rulebooks",
        "projections/books/book_file.py",
        "except UnicodeDecodeError as error:",
        "except UnicodeEncodeError as error:",
        "UnicodeDecodeError at projections.books.book_file",
    ),
    Plant(
        "one operator of a query isn't known for one kind of field (KeyError)",
        "queries",
        "projections/queries/sql.py",
        '"<": rank, "<=": rank + 1}[term.operator]',
        '"<": rank}[term.operator]',
        "KeyError at projections.queries.sql",
    ),
    Plant(
        "a page takes for granted that the table is there (None)",
        "pages",
        "web/server/pages.py",
        "    if row is None:\n        raise page_errors.table_unknown()\n",
        "",
        "AttributeError at ",
    ),
    Plant(
        "a verifier doesn't check the length of a member's head (struct.error)",
        "bundles",
        "ledger/evidence/offline.py",
        'while data[offset : offset + 4] == b"PK\\3\\4" and len(data) >= offset + LOCAL.size:',
        'while data[offset : offset + 4] == b"PK\\3\\4":',
        "error at ledger.evidence.offline",
    ),
    Plant(
        "a body that is no JSON isn't caught (DecodeError)",
        "api",
        "web/api/device_requests.py",
        "except (msgspec.DecodeError, UnicodeDecodeError, RecursionError)",
        "except (msgspec.ValidationError, UnicodeDecodeError, RecursionError)",
        "DecodeError at web.api.device_requests",
    ),
)


def plant_in_copy(plants: tuple[Plant, ...], folder: Path) -> Path:
    """Copy the program and its tests to a folder, bugs planted; return the copy."""
    copy = folder / "copy"
    copy.mkdir()
    for name in (*PACKAGES, "tests"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for plant in plants:
        path = copy / plant.file
        text = path.read_text(encoding="utf-8")
        assert text.count(plant.right) == 1, f"{plant.file} has changed: plant another bug there"
        path.write_text(text.replace(plant.right, plant.wrong), encoding="utf-8")
    return copy


def hunt(plant: Plant, copy: Path, limit: list[str]) -> tuple[float, int, str]:
    """Fuzz a copy for one bug; return after how many CPU seconds and executions it was found, and what was printed.

    Seconds are negative if it wasn't found.
    """
    command = [sys.executable, "-m", "tests.fuzz", "--target", plant.target, "--keep", str(copy / "found"), *limit]
    result = subprocess.run([*command, "--until", plant.kind], cwd=copy, capture_output=True, text=True, check=False)
    match = re.search(rf"(?m)^  {re.escape(plant.kind)}.*\n    after ([0-9.]+) s, execution ([0-9]+)", result.stdout)
    return (float(match[1]), int(match[2]), result.stdout) if match else (-1.0, 0, result.stdout + result.stderr)


def main() -> int:
    """Plant all bugs in one copy; print after how long each is found. Return 1 if one isn't."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.plants", description=__doc__)
    parser.add_argument("--minutes", type=float, default=2, help="of CPU time for each bug")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    copy, missed = plant_in_copy(PLANTS, scratch_folder()), 0
    for plant in PLANTS:
        limit = ["--minutes", str(options.minutes), "--seed", str(options.seed)]
        seconds, executions, printed = hunt(plant, copy, limit)
        result = f"found after {seconds:.1f} s, {executions:,} executions" if executions else f"NOT FOUND\n{printed}"
        missed += not executions
        sys.stdout.write(f"{plant.target}: {plant.name}: {result}\n")
        sys.stdout.flush()
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
