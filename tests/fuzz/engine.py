"""Coverage-guided fuzzing: inputs that reach new blocks, or run one more often than any before, breed.

Everything follows from the seed and the number of runs; only where a run ends by its time does the
machine decide.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from time import process_time
from typing import Final

from tests.fuzz.faults import OF_THE_MACHINE, Fault, find_fault
from tests.fuzz.instrument import Coverage
from tests.fuzz.target import Target

_NEWEST: Final = 0.5
"""How often one of the newest inputs is changed rather than any."""
_PARENTS_DRAWN: Final = 4
_ANY_SIZE: Final = 0.15
"""How often it isn't the smallest of `_DRAWN`: small ones run sooner, and long ones must run, too."""
_SHRINK_RUNS: Final = 300
_SHRINK_SECONDS: Final = 5.0


@dataclass
class Crash:
    """A fault, and the least input found that shows it."""

    target: str
    fault: Fault
    data: bytes
    seconds: float
    """CPU seconds into its target's run."""
    executions: int
    times: int = 1


@dataclass
class Outcome:
    """What one target's run came to."""

    target: str
    executions: int = 0
    seconds: float = 0.0
    blocks: int = 0
    corpus: int = 0
    crashes: dict[str, Crash] = field(default_factory=dict)


class Fuzzer:
    """Runs one target: its seeds first, then what is bred of them."""

    def __init__(self, target: Target, coverage: Coverage, seed: int, more_seeds: Sequence[bytes] = ()) -> None:
        self.target, self.coverage, self._more_seeds = target, coverage, more_seeds
        self.random = Random(f"{seed} {target.name}")
        self.outcome = Outcome(target.name)
        self.words: list[bytes] = []
        self._corpus: list[bytes] = []
        self._seen: defaultdict[str, int] = defaultdict(int)  # of each block, which powers of two it ran
        self._start = 0.0
        self._until: str | None = None

    def run(
        self,
        seconds: float,
        executions: int = 0,
        on_crash: Callable[[Crash], None] = lambda _: None,
        end_kind: str | None = None,
    ) -> Outcome:
        """Fuzz for so many CPU seconds, or executions where they aren't 0; tell each new crash.

        `until`: how the kind of a crash begins with which the run ends.
        """
        self._start, self._until = process_time(), end_kind
        seeds = [*self.target.seeds(), *self._more_seeds]
        for data in seeds:
            self._execute(data, on_crash, is_seed=True)
        self.words = self.coverage.words_of(self.target.words)
        sources = seeds or [b""]
        while self._goes_on(seconds, executions):
            self._execute(self.target.mutate(self._parent(sources), sources, self.random, self.words), on_crash)
        self.outcome.seconds = process_time() - self._start
        self.outcome.blocks, self.outcome.corpus = len(self._seen), len(self._corpus)
        return self.outcome

    def _goes_on(self, seconds: float, executions: int) -> bool:
        if self._until is not None and any(kind.startswith(self._until) for kind in self.outcome.crashes):
            return False
        if executions:
            return self.outcome.executions < executions
        return process_time() - self._start < seconds

    def _parent(self, seeds: list[bytes]) -> bytes:
        if not self._corpus:
            return self.random.choice(seeds)
        newest = self.random.random() < _NEWEST
        candidates = self._corpus[-max(1, len(self._corpus) // 5) :] if newest else self._corpus
        parents = [self.random.choice(candidates) for _ in range(_PARENTS_DRAWN)]
        return parents[0] if self.random.random() < _ANY_SIZE else min(parents, key=len)

    def _fault(self, data: bytes) -> Fault | None:
        self.coverage.counts.clear()
        return find_fault(self.target, data, self.coverage.counts)

    def _execute(self, data: bytes, on_crash: Callable[[Crash], None], *, is_seed: bool = False) -> None:
        self.outcome.executions += 1
        fault = self._fault(data)
        if fault is not None:
            self._note(fault, data, on_crash)
        elif self._is_new() or is_seed:
            self._corpus.append(data)

    def _is_new(self) -> bool:
        is_new = False
        for block, count in self.coverage.counts.items():
            size = 1 << count.bit_length()
            if not self._seen[block] & size:
                self._seen[block] |= size
                is_new = True
        return is_new

    def _note(self, fault: Fault, data: bytes, on_crash: Callable[[Crash], None]) -> None:
        if fault.kind in self.outcome.crashes:
            self.outcome.crashes[fault.kind].times += 1
            return
        if (second_fault := self._fault(data)) is None or second_fault.kind != fault.kind:
            if fault.kind.startswith(OF_THE_MACHINE):
                return  # it was the machine, or what an earlier run left behind
            fault = Fault(f"{fault.kind} (not every time)", fault.detail)
        seconds = process_time() - self._start
        crash = Crash(self.target.name, fault, self._shrunk(fault, data), seconds, self.outcome.executions)
        self.outcome.crashes[fault.kind] = crash
        on_crash(crash)

    def _shrunk(self, fault: Fault, data: bytes) -> bytes:
        """Cut out what the fault doesn't need: pieces of half the size, of a quarter, ..., of a byte."""
        runs, end, size = 0, process_time() + _SHRINK_SECONDS, len(data) // 2
        while size and runs < _SHRINK_RUNS and process_time() < end:
            offset = 0
            while offset < len(data) and runs < _SHRINK_RUNS and process_time() < end:
                less = data[:offset] + data[offset + size :]
                remaining_fault, runs = self._fault(less), runs + 1
                if remaining_fault is not None and remaining_fault.kind == fault.kind:
                    data = less
                else:
                    offset += size
            size //= 2
        return data


def total(outcomes: list[Outcome]) -> str:
    """Return one line about a whole run."""
    kinds = Counter(crash.target for outcome in outcomes for crash in outcome.crashes.values())
    executions, seconds = (
        sum(target_outcome.executions for target_outcome in outcomes),
        sum(target_outcome.seconds for target_outcome in outcomes),
    )
    crashes = f"{kinds.total()} crashes: {dict(kinds)}" if kinds else "no crash"
    return f"{len(outcomes)} targets, {executions:,} executions in {seconds / 60:.1f} CPU minutes: {crashes}"
