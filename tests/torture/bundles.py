"""Evidence files are altered and forged, and both verifiers judge them: `python -m tests.torture.bundles`.

Forgeries (`--mutants`): what somebody makes who knows the format and has other evidence of the same
room (`tests.torture.forging`), with keys, witnesses and quorums by chance. Bytes (`--step`): each is
replaced by others, left out, one is put before it, the file is cut off after it; each value of each
JSON member is changed and the file packed again. The time stamp: each byte of it likewise, checked
with the authority's root. Both verifiers must say the same, neither may mislead
(`tests.torture.judging` says what that means), and nothing may end in a traceback.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import ledger
from cli.proofs import evidence_check, refound_findings
from ledger.evidence import bundle as bundles
from ledger.evidence import offline as untyped
from ledger.intake import ImportOptions, import_paths
from ledger.seal import keys, stamps
from ledger.seal.note import HeldKey
from ledger.store.seals import sealer, time_stamps
from tests.authority import Authority, NoOpensslError
from tests.torture import forging, genuine, judging
from tests.torture.genuine import consistent, contents, packed
from tests.torture.judging import Asked, Reader
from tests.torture.sizes import SAMPLE

offline: Any = untyped
ACCEPTED: Final = "taken: what was changed is gone, or named as not covered"
STAMP: Final = "stamps/0001.tsr"


def make_bundle_file(folder: Path) -> tuple[bytes, str, Path | None]:
    """The evidence of a real hand with a time stamp, the key that proves it, and the root of the
    authority that stamped it; None where no openssl can stamp.
    """
    with ledger.open(folder / "x.ledger") as book:
        import_paths(book, [SAMPLE], ImportOptions(hide_cards=True))
        signer = HeldKey(sealer.origin(book, "room.example"), keys.create_key(folder / "key"))
        sealer.seal(book, signer, keys.SignatureMemory(folder / "key"))
        roots = None
        try:
            authority = Authority(folder / "authority")
            answer = authority.answer(time_stamps.request_stamp(book))
            time_stamps.add_stamp(book, answer, stamps.read_roots(authority.roots.read_bytes()))
            roots = authority.roots
        except NoOpensslError as error:
            print(f"without a time stamp: {error}")
        hand = max(book.hands(), key=lambda row: row.count)
        data = bundles.make_bundle(book, hand.stream, sealer.checkpoint(book))
    return data, str(signer.key), roots


def altered(data: bytes, chance: random.Random, step: int) -> Iterator[tuple[str, bytes]]:
    """Yield the file with one byte changed, left out or put in, and cut off."""
    for index in range(chance.randrange(step), len(data), step):
        head, byte, tail = data[:index], data[index], data[index + 1 :]
        yield "a bit flipped", head + bytes([byte ^ 1 << chance.randrange(8)]) + tail
        yield "a byte changed", head + bytes([byte ^ chance.randrange(1, 256)]) + tail
        yield "a byte put in", head + chance.randbytes(1) + data[index:]
        yield "a byte left out", head + tail
        yield "cut off", head


def changed(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the file with one value changed, for each value of its JSON, and packed again."""
    files = contents(data)
    for name, member in files.items():
        start = offline.read_entry(member)["data"] if name.startswith("entries/") else 0
        kind = "a value of an event" if start else f"a value of {name}"
        if start or name.endswith(".json"):
            for changed_value in _values(json.loads(member[start:])):
                yield kind, packed(consistent(files | {name: member[:start] + changed_value}))


def restamped(data: bytes, chance: random.Random, step: int) -> Iterator[tuple[str, bytes]]:
    """Yield the file with one byte of its time stamp changed, and packed again."""
    files = contents(data)
    if STAMP in files:
        for kind, altered_stamp in altered(files[STAMP], chance, step):
            yield f"time stamp: {kind}", packed(consistent(files | {STAMP: altered_stamp}))


def _values(document: Any) -> Iterator[bytes]:
    """Yield the JSON with one value changed, for each value in it."""
    places = list(_places(document))
    for path in places:
        copied = json.loads(json.dumps(document))
        inside = copied
        for step in path[:-1]:
            inside = inside[step]
        value = inside[path[-1]]
        inside[path[-1]] = (
            not value
            if isinstance(value, bool)
            else value + 1
            if isinstance(value, int)
            else 1
            if value is None
            else value + "x"
        )
        yield json.dumps(copied, separators=(",", ":"), sort_keys=isinstance(document, dict)).encode()


def _places(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(document, dict | list):
        pairs = document.items() if isinstance(document, dict) else enumerate(document)
        for step, inside in pairs:
            yield from _places(inside, (*path, step))
    else:
        yield path


def torture(folder: Path, step: int, seed: int, mutants: int = 0) -> tuple[Counter[str], list[str]]:
    """Return how many different files of each kind were tried, how many were taken, and what was wrong."""
    tried, wrong = Counter[str](), list[str]()
    room = genuine.make_room(folder)
    reader = Reader(room)
    chance = random.Random(seed)
    for name, data in room.files.items():
        verdicts = judging.check_alone(data, Asked(room.key)), judging.check_with_program(data, Asked(room.key))
        assert [verdict.exit for verdict in verdicts] == [0, 0], f"{name}: {verdicts}"
    for kind, data, question in _files(reader, chance, step, mutants):
        tried[kind] += 1
        try:
            problem = reader.wrong(data, question)
        except Exception as error:  # noqa: BLE001 - it is what is looked for
            problem = f"{type(error).__name__}: {error}"
        if problem:
            wrong.append(f"{kind}: {problem}")
    tried[ACCEPTED] = reader.accepted
    if step:
        data, key, roots = make_bundle_file(folder)
        if roots is not None:
            for kind, problem in _stamps(folder, data, key, roots, random.Random(seed), step):
                tried[kind] += 1
                if problem:
                    wrong.append(f"{kind}: {problem}")
    return tried, wrong


def _files(reader: Reader, chance: random.Random, step: int, mutants: int) -> Iterator[tuple[str, bytes, Asked]]:
    """Yield altered files, each once, with the keys that their reader has."""
    room, digests = reader.room, {sha256(data).digest() for data in reader.room.files.values()}
    while mutants:
        kind, _, data = forging.forged(room, chance)
        digest = sha256(data).digest()
        if digest not in digests:
            digests.add(digest)
            mutants -= 1
            yield kind, data, chance.choice(reader.asks)
    if step:
        for data in (room.files["sealed"], room.files["hand"]):
            for kind, altered_data in (*altered(data, chance, step), *changed(data)):
                if altered_data != data:
                    yield kind, altered_data, Asked(room.key)


def _stamps(
    folder: Path, data: bytes, key: str, roots: Path, chance: random.Random, step: int
) -> Iterator[tuple[str, str]]:
    """Check the file with each alteration of its time stamp; yield its kind and what was wrong, "" = nothing."""
    trusted = stamps.read_roots(roots.read_bytes())
    path = folder / "altered.hlev"
    path.write_bytes(data)
    truth = evidence_check.check_file(path, [key], [], None, trusted)
    assert any("existed before" in proven for proven in truth.proven)
    for kind, altered_stamp in restamped(data, chance, step):
        path.write_bytes(altered_stamp)
        problem = ""
        try:
            result = evidence_check.check_file(path, [key], [], None, trusted)
            if result.holds and result != truth:
                problem = "taken for a stamp that says something else"
        except Exception as error:  # noqa: BLE001 - it is what is looked for
            problem = f"{type(error).__name__}: {error}"
        yield kind, problem


def quick() -> None:
    """Remember what is the same for the same bytes: signatures, rulebooks."""
    offline.ed25519 = cache(offline.ed25519)
    refound_findings.read_house_book = lru_cache(1000)(refound_findings.read_house_book)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=100_000, help="how many forgeries")
    parser.add_argument("--step", type=int, default=1, help="every byte, every second one, ...; 0 = none")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    quick()
    with tempfile.TemporaryDirectory() as scratch:
        tried, wrong = torture(Path(scratch), options.step, options.seed, options.mutants)
    differ = sum(judging.DIFFER in problem for problem in wrong)
    accepted_count = tried.pop(ACCEPTED)
    print(
        f"{sum(tried.values()):,} altered evidence files: {differ} differ, {len(wrong) - differ} mislead or fail; "
        f"{accepted_count:,} {ACCEPTED}; {dict(tried)}"
    )
    for problem in wrong[:10]:
        print("  ", problem)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
