"""Every byte and every field of an evidence file is altered: `python -m tests.torture.bundles`.

Bytes: each is replaced by others, the file is cut off after each, and one byte is put before each.
Fields: each value of each JSON member is changed and the file packed again, with digests that fit.
The time stamp: each byte of it likewise, and the file is checked with the authority's root.
Nothing may be taken for evidence of another content, and nothing may end in a traceback.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import ledger
from cli import checking, evidence
from ledger.evidence import bundle as bundles
from ledger.evidence import offline as untyped
from ledger.intake import import_paths
from ledger.seal import keys, stamps
from ledger.seal.note import HeldKey
from ledger.store import sealing, stamping
from projections import rulebook
from tests.authority import Authority, NoOpensslError
from tests.torture.sizes import SAMPLE

offline: Any = untyped
BESIDE: Final = ("rules", "stamps", "view", "source", "openings.json", "findings.json")
STAMP: Final = "stamps/0001.tsr"


def made(folder: Path) -> tuple[bytes, str, Path | None]:
    """The evidence of a real hand with everything that goes with it, the key that proves it, and
    the root of the authority that stamped it; None where no openssl can stamp.
    """
    with ledger.open(folder / "x.ledger") as book:
        import_paths(book, [SAMPLE], hide=True)
        signer = HeldKey(sealing.origin(book, "room.example"), keys.create(folder / "k"))
        sealing.seal(book, signer, keys.Memory(folder / "k"))
        roots = None
        try:
            authority = Authority(folder / "authority")
            answer = authority.answer(stamping.request(book))
            stamping.add(book, answer, stamps.read_roots(authority.roots.read_bytes()))
            roots = authority.roots
        except NoOpensslError as error:
            print(f"without a time stamp: {error}")
        hand = max(book.hands(), key=lambda row: row.count)
        house = rulebook.load("house-burn")
        more = evidence._findings(book, hand.stream, [house]) | evidence._views(book, hand.stream)
        data = bundles.bundle(book, hand.stream, sealing.checkpoint(book), rules={"house-burn.toml": house.data}, more=more)  # fmt: skip
    return data, str(signer.key), roots


def contents(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


def altered(data: bytes, chance: random.Random, step: int) -> Iterator[tuple[str, bytes]]:
    """Yield the file with one byte changed, left out or put in, and cut off."""
    for at in range(chance.randrange(step), len(data), step):
        head, byte, tail = data[:at], data[at], data[at + 1 :]
        yield "a bit flipped", head + bytes([byte ^ 1 << chance.randrange(8)]) + tail
        yield "a byte changed", head + bytes([byte ^ chance.randrange(1, 256)]) + tail
        yield "a byte put in", head + chance.randbytes(1) + data[at:]
        yield "a byte left out", head + tail
        yield "cut off", head


def forged(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the file with one value changed by somebody who knows the format and packs it again."""
    files = contents(data)
    for name, member in files.items():
        if name.startswith("entries/"):
            start = offline.read_entry(member)["data"]
            for other in _values(json.loads(member[start:])):
                yield "a value of an event", _packed(files, name, member[:start] + other)
        elif name.endswith(".json"):
            for other in _values(json.loads(member)):
                yield f"a value of {name}", _packed(files, name, other)


def restamped(data: bytes, chance: random.Random, step: int) -> Iterator[tuple[str, bytes]]:
    """Yield the file with one byte of its time stamp changed, and packed again."""
    files = contents(data)
    if STAMP in files:
        for kind, other in altered(files[STAMP], chance, step):
            yield f"time stamp: {kind}", _packed(files, STAMP, other)


def _values(document: Any) -> Iterator[bytes]:
    """Yield the JSON with one value changed, for each value in it."""
    places = list(_places(document))
    for path in places:
        other = json.loads(json.dumps(document))
        inside = other
        for step in path[:-1]:
            inside = inside[step]
        told = inside[path[-1]]
        inside[path[-1]] = (
            not told if isinstance(told, bool) else told + 1 if isinstance(told, int)
            else 1 if told is None else told + "x"
        )  # fmt: skip
        yield json.dumps(
            other, separators=(",", ":"), sort_keys=isinstance(document, dict)
        ).encode()


def _places(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(document, dict | list):
        pairs = document.items() if isinstance(document, dict) else enumerate(document)
        for step, inside in pairs:
            yield from _places(inside, (*path, step))
    else:
        yield path


def _packed(files: dict[str, bytes], name: str, member: bytes) -> bytes:
    other = files | {name: member}
    if name != "bundle.json":
        index = json.loads(other["bundle.json"])
        index["files"] = {n: sha256(d).hexdigest() for n, d in other.items() if n.split("/")[0] in BESIDE}  # fmt: skip
        other["bundle.json"] = json.dumps(index, separators=(",", ":"), sort_keys=True).encode()
    return bundles.packed(other)


def proven(found: dict[str, Any]) -> tuple[Any, ...]:
    """What a verdict proves: the events, the log, what was opened. The rest is marked as claimed."""
    return found["entries"], found["size"], found["root"], found["opened"]


def torture(folder: Path, step: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Return how often each kind was tried, and what was wrong."""
    data, told, roots = made(folder)
    key = offline.read_key(told)
    path, tried, wrong = folder / "altered.hlev", Counter[str](), list[str]()
    path.write_bytes(data)
    if roots is not None:
        for kind, problem in _stamps(path, data, told, roots, random.Random(seed), step):
            tried[kind] += 1
            if problem:
                wrong.append(f"{kind}: {problem}")
        path.write_bytes(data)
    truth, files = proven(offline.check(str(path), key)), contents(data)
    chance = random.Random(seed)
    for many, cases in ((False, altered(data, chance, step)), (True, forged(data))):
        for kind, other in cases:
            if other == data:
                continue
            tried[kind] += 1
            path.write_bytes(other)
            try:
                found = offline.check(str(path), key)
            except offline.Refused:
                continue
            except Exception as error:  # noqa: BLE001 - it is what is looked for
                wrong.append(f"{kind}: {type(error).__name__}: {error}")
                continue
            if proven(found) != truth or (not many and contents(other) != files):
                wrong.append(f"{kind}: taken for evidence of something else")
    return tried, wrong


def _stamps(
    path: Path, data: bytes, key: str, roots: Path, chance: random.Random, step: int
) -> Iterator[tuple[str, str]]:
    """Check the file with each alteration of its time stamp; yield its kind and what was wrong, "" = nothing."""
    trusted = stamps.read_roots(roots.read_bytes())
    truth = checking.checked(path, [key], [], None, trusted)
    assert any("existed before" in one for one in truth.proven)
    for kind, other in restamped(data, chance, step):
        path.write_bytes(other)
        problem = ""
        try:
            found = checking.checked(path, [key], [], None, trusted)
            if found.holds and found != truth:
                problem = "taken for a stamp that says something else"
        except Exception as error:  # noqa: BLE001 - it is what is looked for
            problem = f"{type(error).__name__}: {error}"
        yield kind, problem


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--step", type=int, default=1, help="every byte, every second one, ...")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        tried, wrong = torture(Path(scratch), asked.step, asked.seed)
    print(f"{sum(tried.values()):,} altered evidence files: {len(wrong)} wrong; {dict(tried)}")
    for one in wrong[:10]:
        print("  ", one)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
