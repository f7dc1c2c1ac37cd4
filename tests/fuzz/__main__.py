"""`python -m tests.fuzz [--target NAME] [--minutes 20] [--seed 1]`: what breaks the program, and with what bytes."""

from __future__ import annotations

import argparse
import faulthandler
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from tests.fuzz.engine import Crash, Fuzzer, Outcome, total
from tests.fuzz.faults import find_lasting_fault, limit_memory
from tests.fuzz.instrument import Coverage
from tests.fuzz.keep import SAMPLES, keep_sample, target_of


def main() -> int:
    """Run; return 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--target", default="", help="readers, readers/phh, queries, ...; all by default")
    parser.add_argument("--minutes", type=float, default=20, help="of CPU time, shared among the targets")
    parser.add_argument("--executions", type=int, default=0, help="of each target, instead of minutes")
    parser.add_argument("--until", help="end a target with the first crash whose kind begins so")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="where crashes are written; tests/fuzz/samples by default")
    parser.add_argument(
        "--more", type=Path, help="a folder of more files to start from; crashes are kept elsewhere then"
    )
    parser.add_argument("--again", type=Path, help="run one kept input again")
    options = parser.parse_args()
    faulthandler.enable()
    limit_memory()
    coverage = Coverage()
    coverage.install()
    if options.again:
        return _run_again(options.again, coverage)
    # Real hands belong to other people: what is made of them never goes into the project.
    folder = options.keep or (Path(mkdtemp(prefix="fuzz-")) if options.more else SAMPLES)
    outcomes = _run(options, coverage, folder)
    _print(total(outcomes))
    return 1 if any(outcome.crashes for outcome in outcomes) else 0


def _run(options: argparse.Namespace, coverage: Coverage, folder: Path) -> list[Outcome]:
    """Run each target for its share of the time."""
    from tests.fuzz.targets import chosen_targets  # noqa: PLC0415 - behind the instrumentation

    targets, outcomes = chosen_targets(options.target), []
    shares = sum(target.share for target in targets)
    size = f"{options.executions:,} executions each" if options.executions else f"{options.minutes:g} CPU minutes"
    _print(f"{len(targets)} targets, {size}, seed {options.seed}")

    def on_crash(crash: Crash) -> None:
        path = keep_sample(crash, folder)
        _print(f"  {crash.fault.kind}\n    after {crash.seconds:.1f} s, execution {crash.executions}: {path}")

    for target in targets:
        fuzzer = Fuzzer(target, coverage, options.seed, _files(options.more))
        seconds = 60 * options.minutes * target.share / shares
        outcome = fuzzer.run(seconds, options.executions, on_crash, options.until)
        outcomes.append(outcome)
        _print(
            f"{outcome.target}: {outcome.executions:,} executions in {outcome.seconds:.0f} s, "
            f"{outcome.blocks:,} blocks, {outcome.corpus:,} inputs kept, {len(outcome.crashes)} crashes"
        )
    return outcomes


def _files(folder: Path | None) -> list[bytes]:
    """Return what files of a folder hold, as more seeds."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file()) if folder else []
    return [path.read_bytes()[:_MORE_MOST] for path in paths]


_MORE_MOST: Final = 100_000


def _run_again(path: Path, coverage: Coverage) -> int:
    from tests.fuzz.targets import chosen_targets  # noqa: PLC0415 - behind the instrumentation

    (target,) = chosen_targets(target_of(path.resolve()))
    fault = find_lasting_fault(target, path.read_bytes(), coverage.counts)
    _print("nothing is wrong" if fault is None else f"{fault.kind}\n{fault.detail}")
    return 0 if fault is None else 1


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
