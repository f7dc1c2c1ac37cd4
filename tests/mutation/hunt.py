"""Hunts mutants: each in a forked child, where only its module is compiled anew.

A mutant is caught when a page, an evening or a unit test of the obligations notices it. Pages are
read once; each mutant is shown only to the checks and unit tests that ran its stretch when all was
well, the cheapest first. One that never ends is caught by time: of the processor, so that a busy
machine catches none.
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
from types import ModuleType
from typing import Any, Final, TypeVar

import pytest

from projections.books.rulebook import list_names
from tests.mutation import ran
from tests.mutation.checks import Check, checks
from tests.mutation.mutants import Mutant, mutants, mutated, unchanged
from tests.projections import running
from tests.projections.pages import house_cases, load_book

ROOT: Final = Path(__file__).resolve().parents[2]
TARGETS: Final = ("projections/detectors", "projections/obligations")
UNITS: Final = (
    "tests/projections/obligations",
    "tests/projections/test_placing.py",
    "tests/projections/test_moving.py",
)
SPARED: Final = frozenset({"due.py"})  # plain values
CAUGHT, SURVIVED, SLOW = 0, 1, 2


Place = tuple[str, int]
"""A file and the line where a stretch of it begins."""


@dataclass
class Grounds:
    """What was seen while all was well: which checks and unit tests run which stretch."""

    checks: list[Check] = field(default_factory=list)
    cost: list[float] = field(default_factory=list)  # seconds of the processor, by check
    ran: dict[Place, list[int]] = field(default_factory=dict)
    units: dict[Place, list[str]] = field(default_factory=dict)

    def of(self, mutant: Mutant) -> list[int]:
        return sorted(set(_values_at(self.ran, mutant)), key=lambda index: self.cost[index])

    def units_of(self, mutant: Mutant) -> list[str]:
        return list(dict.fromkeys(_values_at(self.units, mutant)))


_T = TypeVar("_T")


def _values_at(places: dict[Place, list[_T]], mutant: Mutant) -> list[_T]:
    """Return what ran the stretch of a mutant; all that ran its file, where nothing is changed."""
    file = str(ROOT / mutant.file)
    if mutant.stretch:
        return places.get((file, mutant.stretch), [])
    return [value for (name, _), values in places.items() if name == file for value in values]


def look(*, units: bool) -> Grounds:
    """Run every check once; those that fail are left out."""
    grounds = Grounds()
    if units:
        _pytest([str(ROOT / unit) for unit in UNITS], _Noting(grounds))
    for check in checks():
        ran.seen.clear()
        start = time.process_time()
        try:
            well = check.passes()
        except Exception:  # noqa: BLE001 - a page that cannot run says nothing of mutants
            well = False
        if not well:
            continue
        for place in ran.seen:
            grounds.ran.setdefault(place, []).append(len(grounds.checks))
        grounds.checks.append(check)
        grounds.cost.append(time.process_time() - start)
    return grounds


class _Noting:
    """Notes what each unit test runs; one that fails is left out."""

    def __init__(self, grounds: Grounds) -> None:
        self.grounds = grounds

    def pytest_runtest_setup(self) -> None:
        ran.seen.clear()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            for place in ran.seen:
                self.grounds.units.setdefault(place, []).append(str(ROOT / report.nodeid))


def break_it(mutant: Mutant) -> None:
    """Put the mutant in place of its module, wherever its names were taken to."""
    module = import_module(mutant.module)
    names_before = dict(module.__dict__)
    code = compile(mutated(mutant, ROOT), str(ROOT / mutant.file), "exec")
    exec(code, module.__dict__)
    changed = {
        id(old): module.__dict__[name]
        for name, old in names_before.items()
        if callable(old) and getattr(old, "__module__", "") == mutant.module
    }
    for loaded_module in list(sys.modules.values()):
        if isinstance(loaded_module, ModuleType) and loaded_module.__name__.startswith(("projections", "tests", "cli")):
            for name, member in list(loaded_module.__dict__.items()):
                if id(member) in changed and loaded_module is not module:
                    loaded_module.__dict__[name] = changed[id(member)]
                elif isinstance(member, dict):
                    for key, value in member.items():
                        if id(value) in changed:
                            member[key] = changed[id(value)]
    for book in (*list_names(), "record", *sorted({case.book for case in house_cases()})):
        for clause in load_book(book).clauses.values():
            run: Any = clause.run
            if run is not None and id(run.func) in changed:
                anew = partial(changed[id(run.func)], *run.args, **run.keywords)
                object.__setattr__(clause, "run", anew)
    running.forget_auditors()  # their plans hold the detectors as they were


def _pytest(paths: list[str], *plugins: object) -> bool:
    """Whether tests pass; the first that fails ends it unless somebody takes notes."""
    flags = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", *(() if plugins else ("-x",))]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        code = pytest.main(["--rootdir", str(ROOT), *flags, *paths], plugins=list(plugins))
    return code == pytest.ExitCode.OK


def verdict(mutant: Mutant, grounds: Grounds) -> int:
    """In the child: whether anything notices."""
    try:
        break_it(mutant)
        for index in grounds.of(mutant):
            if not grounds.checks[index].passes():
                return CAUGHT
        tests = grounds.units_of(mutant)
        if tests and not _pytest(tests):
            return CAUGHT
    except BaseException:  # noqa: BLE001 - a mutant that breaks is noticed
        return CAUGHT
    return SURVIVED


def hunt(
    prey: list[Mutant], grounds: Grounds, *, workers: int, limit: int, tell: Callable[[Mutant, int], None]
) -> Counter[int]:
    """Show each mutant to the checks, a few at once."""
    counts: Counter[int] = Counter()
    waiting = list(reversed(prey))
    running: dict[int, Mutant] = {}
    while waiting or running:
        while waiting and len(running) < workers:
            mutant = waiting.pop()
            pid = os.fork()
            if not pid:
                signal.setitimer(signal.ITIMER_PROF, limit)  # the child dies of it: noticed
                os._exit(verdict(mutant, grounds))
            running[pid] = mutant
        pid, status = os.wait()
        mutant = running.pop(pid)
        if os.WIFSIGNALED(status):
            fate = SLOW if os.WTERMSIG(status) == signal.SIGPROF else CAUGHT
        else:
            fate = os.WEXITSTATUS(status)
        counts[fate] += 1
        tell(mutant, fate)
    return counts


def everything(group: str, *, control: bool = False) -> Iterator[Mutant]:
    """Yield the mutants of the files whose path has one of the group's parts in it, or the files as they are."""
    for target in TARGETS:
        for file in sorted((ROOT / target).glob("[!_]*.py")):
            path = str(file.relative_to(ROOT))
            if file.name not in SPARED and any(part in path for part in group.split(",")):
                yield from [unchanged(file, ROOT)] if control else mutants(file, ROOT)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=300, help="how many of a group, 0 = all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--only",
        nargs="+",
        default=[""],
        metavar="GROUP",
        help="parts of paths, each argument a group of its own: obligations/ owing,entering",
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--limit", type=int, default=120, help="seconds of the processor for one")
    parser.add_argument("--control", action="store_true", help="put each module in unchanged: all must survive")
    parser.add_argument("--no-units", action="store_true", help="pages and evenings alone")
    options = parser.parse_args()
    start = time.monotonic()
    grounds = look(units=not options.no_units)
    units = len({test for tests_there in grounds.units.values() for test in tests_there})
    print(f"{len(grounds.checks)} checks, {units} unit tests, {time.monotonic() - start:.0f} s", flush=True)
    for group in options.only:
        prey = list(everything(group, control=options.control))
        total = len(prey)
        if options.sample and options.sample < total:
            prey = random.Random(options.seed).sample(prey, options.sample)
        print(f"{group or 'all'}: {len(prey)} of {total} mutants", flush=True)
        _hunt_told(prey, grounds, workers=options.workers, limit=options.limit)
    print(f"in {time.monotonic() - start:.0f} s")
    return 0


def _hunt_told(prey: list[Mutant], grounds: Grounds, *, workers: int, limit: int) -> None:
    """Hunt, and print what survived."""
    by_file: dict[str, Counter[int]] = {}

    def tell(mutant: Mutant, fate: int) -> None:
        by_file.setdefault(str(mutant.file), Counter())[fate] += 1
        if fate != CAUGHT:
            print(f"{'survived' if fate == SURVIVED else 'by time'} {mutant}", flush=True)

    counts = hunt(prey, grounds, workers=workers, limit=limit, tell=tell)
    for file, fates in sorted(by_file.items()):
        print(f"{file}: {sum(fates.values()) - fates[SURVIVED]} of {sum(fates.values())}")
    caught = sum(counts.values()) - counts[SURVIVED]
    share = 100 * caught / max(1, sum(counts.values()))
    print(f"caught {caught} of {sum(counts.values())} ({share:.1f} %), {counts[SLOW]} of them by time", flush=True)


if __name__ == "__main__":
    sys.exit(main())
