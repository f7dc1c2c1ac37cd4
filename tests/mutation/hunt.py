"""Hunts mutants: each in a forked child, where only its module is compiled anew.

A mutant is caught when a page, an evening or a unit test of the obligations notices it. Pages are
read once; each mutant is shown only to the checks that ran its function when all was well.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, Final

import pytest

from projections.rulebook import load, names
from tests.mutation.checks import Check, checks
from tests.mutation.mutants import Mutant, mutants, mutated

ROOT: Final = Path(__file__).resolve().parents[2]
TARGETS: Final = ("projections/detectors", "projections/obligations")
UNITS: Final = ("tests/projections/obligations",)
SPARED: Final = frozenset({"due.py"})  # plain values
CAUGHT, SURVIVED, SLOW = 0, 1, 2


@dataclass
class Grounds:
    """What was seen while all was well: which checks run which function of which file."""

    checks: list[Check]
    ran: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def of(self, mutant: Mutant) -> list[int]:
        name = mutant.function.rpartition(".")[2]
        return self.ran.get((str(ROOT / mutant.file), name), [])


def look() -> Grounds:
    """Run every check once; those that fail are left out."""
    grounds = Grounds([])
    watched = tuple(str(ROOT / target) for target in TARGETS)
    for check in checks():
        seen: set[tuple[str, str]] = set()

        def note(frame: FrameType, event: str, _arg: object, seen: set = seen) -> None:
            code = frame.f_code
            if event == "call" and code.co_filename.startswith(watched):
                seen.add((code.co_filename, code.co_name))

        sys.setprofile(note)
        try:
            well = check.passes()
        except Exception:  # noqa: BLE001 - a page that cannot run says nothing of mutants
            well = False
        finally:
            sys.setprofile(None)
        if not well:
            continue
        for place in seen:
            grounds.ran.setdefault(place, []).append(len(grounds.checks))
        grounds.checks.append(check)
    return grounds


def break_it(mutant: Mutant) -> None:
    """Put the mutant in place of its module, wherever its names were taken to."""
    module = import_module(mutant.module)
    before = dict(module.__dict__)
    code = compile(mutated(mutant, ROOT), str(ROOT / mutant.file), "exec")
    exec(code, module.__dict__)
    changed = {
        id(old): module.__dict__[name]
        for name, old in before.items()
        if callable(old) and getattr(old, "__module__", "") == mutant.module
    }
    for other in list(sys.modules.values()):
        if isinstance(other, ModuleType) and other.__name__.startswith(
            ("projections", "tests", "cli")
        ):
            for name, held in list(other.__dict__.items()):
                if id(held) in changed and other is not module:
                    other.__dict__[name] = changed[id(held)]
                elif isinstance(held, dict):
                    for key, value in held.items():
                        if id(value) in changed:
                            held[key] = changed[id(value)]
    for book in (*names(), "record"):
        for clause in load(book).clauses.values():
            run: Any = clause.run
            if run is not None and id(run.func) in changed:
                anew = partial(changed[id(run.func)], *run.args, **run.keywords)
                object.__setattr__(clause, "run", anew)


def _units() -> bool:
    """Whether the unit tests of the obligations still pass."""
    there = [str(ROOT / unit) for unit in UNITS if (ROOT / unit).exists()]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        code = pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", *there])
    return code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


def verdict(mutant: Mutant, grounds: Grounds, *, units: bool) -> int:
    """In the child: whether anything notices."""
    try:
        break_it(mutant)
        for index in grounds.of(mutant):
            if not grounds.checks[index].passes():
                return CAUGHT
        if units and "obligations" in mutant.module and not _units():
            return CAUGHT
    except BaseException:  # noqa: BLE001 - a mutant that breaks is noticed
        return CAUGHT
    return SURVIVED


def hunt(
    prey: list[Mutant], grounds: Grounds, *, workers: int, limit: int, units: bool,
    tell: Callable[[Mutant, int], None],
) -> Counter[int]:  # fmt: skip
    """Show each mutant to the checks, a few at once."""
    counts: Counter[int] = Counter()
    waiting = list(reversed(prey))
    running: dict[int, Mutant] = {}
    while waiting or running:
        while waiting and len(running) < workers:
            mutant = waiting.pop()
            pid = os.fork()
            if not pid:
                signal.alarm(limit)  # the child dies of it: noticed, as an endless test run is
                os._exit(verdict(mutant, grounds, units=units))
            running[pid] = mutant
        pid, status = os.wait()
        mutant = running.pop(pid)
        if os.WIFSIGNALED(status):
            found = SLOW if os.WTERMSIG(status) == signal.SIGALRM else CAUGHT
        else:
            found = os.WEXITSTATUS(status)
        counts[found] += 1
        tell(mutant, found)
    return counts


def everything(only: str) -> Iterator[Mutant]:
    for target in TARGETS:
        for file in sorted((ROOT / target).glob("[!_]*.py")):
            if file.name not in SPARED and only in str(file.relative_to(ROOT)):
                yield from mutants(file, ROOT)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=300, help="how many, 0 = all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="part of a path: shortblind, obligations/")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--limit", type=int, default=60, help="seconds for one mutant")
    parser.add_argument("--no-units", action="store_true", help="pages and evenings alone")
    asked = parser.parse_args()
    start = time.monotonic()
    prey = list(everything(asked.only))
    total = len(prey)
    if asked.sample and asked.sample < total:
        prey = random.Random(asked.seed).sample(prey, asked.sample)
    grounds = look()
    print(f"{len(grounds.checks)} checks, {len(prey)} of {total} mutants", flush=True)
    by_file: dict[str, Counter[int]] = {}

    def tell(mutant: Mutant, found: int) -> None:
        by_file.setdefault(str(mutant.file), Counter())[found] += 1
        if found == SURVIVED:
            print(f"survived {mutant}", flush=True)

    counts = hunt(
        prey, grounds, workers=asked.workers, limit=asked.limit, units=not asked.no_units, tell=tell
    )
    for file, found in sorted(by_file.items()):
        print(f"{file}: {sum(found.values()) - found[SURVIVED]} of {sum(found.values())}")
    caught = sum(counts.values()) - counts[SURVIVED]
    share = 100 * caught / max(1, sum(counts.values()))
    print(
        f"caught {caught} of {sum(counts.values())} ({share:.1f} %), {counts[SLOW]} of them by time, "
        f"in {time.monotonic() - start:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
