"""How long `import handledger` and its `Table` take beside a Python that imports msgspec.

The import loads nothing heavy: at most 1.3 times. `Table` loads the engine of dues when it is first used, without a goal.
Run: python benchmarks/library.py
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from children import Children

RUNS = 21
GOAL = 1.3
TABLE = """
import handledger
table = handledger.Table("limit 10/20", rulebook="hilton")
for seat, name in enumerate(("Ana", "Bo", "Cy"), 1):
    table.sit(seat, name)
table.deal(button=1)
print(table.due().sentence)
"""


def main() -> None:
    programs = ("pass", "import msgspec", "import msgspec, handledger", TABLE)
    with tempfile.TemporaryDirectory() as folder:
        children = Children(Path(folder))
        bare, msgspec, library, table = children.medians(
            *([sys.executable, "-c", text] for text in programs), runs=RUNS
        )
    print(f"bare Python               {bare * 1000:7.1f} ms CPU")
    print(f"import msgspec            {msgspec * 1000:7.1f} ms CPU")
    print(f"and handledger            {library * 1000:7.1f} ms CPU")
    verdict = "reached" if library <= GOAL * msgspec else "MISSED"
    print(f"ratio {library / msgspec:.2f} (goal: at most {GOAL}): {verdict}")
    print(f"a first answer of Table   {table * 1000:7.1f} ms CPU, {table / msgspec:.1f} times")


if __name__ == "__main__":
    main()
