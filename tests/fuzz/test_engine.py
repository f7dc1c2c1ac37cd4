"""The fuzzer itself: what it counts, that it breeds what reaches new blocks, and that it finds planted bugs."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.engine import Crash, Fuzzer
from tests.fuzz.faults import find_fault, find_lasting_fault
from tests.fuzz.instrument import Coverage, _Instrumenter
from tests.fuzz.keep import keep_sample, kept_samples, target_of
from tests.fuzz.mutate import mutated
from tests.fuzz.plants import PLANTS, hunt, plant_in_copy
from tests.fuzz.target import Target
from tests.fuzz.targets import all_targets, chosen_targets
from tests.laws import size

SOURCE = '''
def f(n):
    """Docstring."""
    if n > 2:
        n += 1
    for _ in range(n):
        try:
            1 / (n - 1)
        except ZeroDivisionError:
            pass
    match n:
        case 0:
            return "none"
        case _:
            return "some"
'''


def test_each_block_is_counted() -> None:
    counts: defaultdict[str, int] = defaultdict(int)
    tree = ast.parse(SOURCE)
    _Instrumenter("m").visit_all(tree.body)
    namespace = {"_fuzz_counts_": counts}
    exec(compile(tree, "m", "exec"), namespace)  # the source above
    assert namespace["f"].__doc__ == "Docstring."
    assert namespace["f"](1) == "some"
    assert dict(counts) == {"m.f:2": 1, "m.f:4 else": 1, "m.f:7": 1, "m.f:10": 1, "m.f:15": 1}
    counts.clear()
    namespace["f"](4)
    assert counts["m.f:5"] == 1
    assert "m.f:4 else" not in counts
    assert counts["m.f:7"] == 5


class Lock:
    """A toy: opens to `FUZZ!`, and counts how many of its letters are right."""

    def __init__(self) -> None:
        self.coverage = Coverage()
        self.target = Target("lock", lambda: [b"aaaaaaaa"], self.turn, ())
        self.target.mutate = lambda data, _others, random, _words: bytes(
            random.choice(b"AFUZ!a") if random.random() < 0.2 else byte for byte in data
        )

    def turn(self, data: bytes) -> None:
        for index, letter in enumerate(b"FUZZ!"):
            if data[index : index + 1] != bytes([letter]):
                return
            self.coverage.counts[f"right:{index}"] += 1
        raise IndexError("open")


def test_what_reaches_a_new_block_breeds() -> None:
    guided, blind = Lock(), Lock()
    assert Fuzzer(guided.target, guided.coverage, 1).run(0, 4000).crashes
    assert not Fuzzer(blind.target, Coverage(), 1).run(0, 4000).crashes, "blind, it'd take thousands more"


def test_a_run_is_the_same_for_the_same_seed() -> None:
    locks = [Lock() for _ in range(2)]
    first, second = (Fuzzer(lock.target, lock.coverage, 3).run(0, 4000) for lock in locks)
    assert [(crash.executions, crash.data) for crash in first.crashes.values()] == [
        (crash.executions, crash.data) for crash in second.crashes.values()
    ]


def test_a_crash_is_kept_once_as_its_least_input_with_how_to_run_it_again(tmp_path: Path) -> None:
    def run(data: bytes) -> None:
        if b"x" in data:
            raise LookupError("x")

    crashes: list[Crash] = []
    target = Target("queries", lambda: [b"aaxa" * 50, b"x"], run, ())
    outcome = Fuzzer(target, Coverage(), 1).run(0, 50, crashes.append)
    assert [crash.data for crash in crashes] == [b"x"]
    assert outcome.crashes[crashes[0].fault.kind].times > 1
    path = keep_sample(crashes[0], tmp_path)
    assert kept_samples(tmp_path) == [path]
    assert path.read_bytes() == b"x"
    assert f"python -m tests.fuzz --again {path}" in path.with_suffix(".txt").read_text()
    assert target_of(path) == "queries"
    crashes[0].target = "readers/phh"
    assert target_of(keep_sample(crashes[0], tmp_path)) == "readers/phh"


@pytest.mark.parametrize(
    ("run", "kind"),
    [
        (lambda data: data.decode("ascii"), "UnicodeDecodeError"),
        (lambda _: b"x" * (300 << 20), "too much memory"),
        (lambda data: sum(1 for _ in range(len(data) * 6_000_000)), "too slow"),
    ],
)
def test_what_is_a_fault(run: object, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.faults.SECONDS", 0.05 if kind == "too slow" else 60)
    target = Target("toy", list, run, ())  # type: ignore[arg-type] # what it returns is nobody's business
    fault = find_fault(target, b"\xff", {})
    assert fault is not None
    assert fault.kind.startswith(kind)


def test_work_beyond_a_bound_is_a_fault_on_every_machine_alike() -> None:
    target = Target("toy", list, lambda _: None, (), work=1000, work_per_byte=10)
    assert find_fault(target, b"ab", {"m.f:1": 1020}) is None
    fault = find_fault(target, b"ab", {"m.f:1": 20, "m.loop:2": 1001})
    assert fault is not None
    assert fault.kind == "too much work: m.loop"


@pytest.mark.slow
def test_every_kept_sample_is_answered_as_it_should_be() -> None:
    targets = all_targets()
    faults = {path.name: find_lasting_fault(targets[target_of(path)], path.read_bytes(), {}) for path in kept_samples()}
    assert {name: fault.detail for name, fault in faults.items() if fault is not None} == {}


OTHER_TARGETS = [name for name in all_targets() if not name.startswith("readers/")]


@pytest.mark.parametrize("name", OTHER_TARGETS)
def test_a_few_inputs_of_every_target_are_answered_as_they_should_be(name: str) -> None:
    """Readers have more of them in `test_fuzz.py`."""
    target, random = all_targets()[name], Random(5)
    seeds = target.seeds()
    for _ in range(25):
        fault = find_lasting_fault(target, target.mutate(random.choice(seeds), seeds, random, ()), {})
        assert fault is None, fault.detail


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        ("phh", ["readers/phh"]),
        ("readers/phh,queries", ["readers/phh", "queries"]),
        ("handscript", ["handscript"]),
        ("readers", [name for name in all_targets() if name.startswith("readers/")]),
        ("", list(all_targets())),
    ],
)
def test_targets_are_chosen_by_their_names(names: str, chosen: list[str]) -> None:
    assert [target.name for target in chosen_targets(names)] == chosen


def test_a_target_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(SystemExit, match=r"no target spades\. There are: queries, "):
        chosen_targets("phh,spades")


def test_a_word_and_a_pump_change_an_input() -> None:
    random = Random(1)
    results = {mutated(b"pot>=200 table:T7", [b"x"], random, [b"zebra"]) for _ in range(300)}
    assert any(b"zebra" in result for result in results)
    assert any(len(result) > 1000 for result in results)
    assert max(map(len, results)) <= 200_000


@pytest.mark.law
def test_bugs_that_are_planted_in_a_copy_are_found(tmp_path: Path) -> None:
    """CI plants the first; `make laws` all seven, each of another kind."""
    plants = PLANTS[: size(1, len(PLANTS))]
    copy = plant_in_copy(plants, tmp_path)
    for plant in plants:
        seconds, executions, printed = hunt(plant, copy, ["--executions", "60000", "--seed", "1"])
        assert executions, f"{plant.name}: {printed}"
        assert seconds < 120
