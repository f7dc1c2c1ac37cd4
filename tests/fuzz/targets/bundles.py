"""Evidence: whatever a bundle holds, both verifiers say the same and neither misleads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from tests.fuzz.mutate import mutated
from tests.fuzz.scratch import scratch_folder
from tests.fuzz.target import Target
from tests.torture import forging
from tests.torture.bundles import quick
from tests.torture.genuine import Genuine, consistent, contents, make_room, packed
from tests.torture.judging import Asked, Reader


def targets() -> list[Target]:
    """Return the one target."""
    modules = ("ledger.evidence", "cli.proofs.refound_findings", "cli.proofs.evidence_check", "ledger.seal")
    return [Target("bundles", seeds, run, modules, work=5_000_000, work_per_byte=200, mutate=mutate)]


def seeds() -> list[bytes]:
    """Return evidence of every make."""
    return list(_room().files.values())


def run(data: bytes) -> None:
    """Let both verifiers judge it, with the room's key and without one."""
    reader = _reader()
    for question in (Asked(reader.room.key), Asked(None)):
        wrong = reader.wrong(data, question)
        assert not wrong, wrong


def mutate(data: bytes, sources: list[bytes], random: Random, words: Sequence[bytes]) -> bytes:
    """Forge a bundle, or change one member and pack it again, or change any bytes."""
    index = random.randrange(3)
    if index == 0:
        return forging.forged(_room(), random)[2]
    try:
        members = contents(data)
        name = random.choice(sorted(members))
    except Exception:  # noqa: BLE001 - zipfile raises what it likes for a container that was changed before
        return mutated(data, sources, random, words)
    if index == 1:
        members[name] = mutated(members[name], list(members.values()), random, words)
        return packed(consistent(members) if random.randrange(4) else members)
    return mutated(data, sources, random, words)


@cache
def _room() -> Genuine:
    quick()
    return make_room(scratch_folder())


@cache
def _reader() -> Reader:
    return Reader(_room())
