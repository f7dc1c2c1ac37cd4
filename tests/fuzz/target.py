"""What a fuzz target is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from tests.fuzz.mutate import mutated

Mutator: TypeAlias = Callable[[bytes, list[bytes], Random, Sequence[bytes]], bytes]


@dataclass
class Target:
    """A door of the program through which strangers' bytes come in."""

    name: str
    seeds: Callable[[], list[bytes]]
    run: Callable[[bytes], None]
    """Raises if anything is wrong; errors of ours that the door may answer with are caught in here."""
    words: tuple[str, ...]
    """Modules whose constants are tried as words."""
    work: int = 300_000
    work_per_byte: int = 60
    """Blocks that may run."""
    seconds_per_byte: float = 20e-6
    """CPU seconds that it may take, beside a second for any input: twenty times what readers need."""
    mutate: Mutator = mutated
    share: float = 1.0
    """Of the time of a whole run."""
