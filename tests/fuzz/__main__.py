"""`python -m tests.fuzz NAME [--seconds 600] [--seed 1] [--more FOLDER]`: what breaks a reader, and with what bytes."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import gettempdir

from ledger import formats
from tests.fuzz.check import check, corpus
from tests.fuzz.mutate import mutated


def main() -> int:
    """Run; return 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("name", choices=formats.NAMES)
    parser.add_argument("--seconds", type=float, default=600, help="of processor time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--more", type=Path, help="a folder of more sources to start from")
    told = parser.parse_args()
    sources = corpus(told.name)
    if told.more:
        sources += [path.read_bytes()[:100_000] for path in sorted(told.more.rglob("*")) if path.is_file()]
    random, found, count = Random(told.seed), Counter[str](), 0
    # The process's own time: what else the machine does makes no run shorter.
    end = time.process_time() + told.seconds
    while time.process_time() < end:
        data = mutated(random.choice(sources), sources, random)
        count += 1
        try:
            check(told.name, data)
        except Exception as error:  # noqa: BLE001 - whatever leaves a reader is what is looked for
            last = traceback.extract_tb(error.__traceback__)[-1]
            kind = f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}: {str(error)[:100]}"
            found[kind] += 1
            if found[kind] == 1:
                kept = Path(gettempdir()) / f"fuzz-{told.name}-{sha256(data).hexdigest()[:8]}"
                kept.write_bytes(data)
                sys.stdout.write(f"{kind}  ({kept})\n")
                sys.stdout.flush()
    sys.stdout.write(
        f"{told.name}: {count} sources in {told.seconds:.0f} s, seed {told.seed}: {sum(found.values())} failures of {len(found)} kinds\n"
    )
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
