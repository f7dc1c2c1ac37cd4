"""The Merkle tree of RFC 6962 section 2.1: roots, proofs, and their verification.

A leaf is the hash `ledger.chain.leaf` of a commit; a node is SHA-256(0x01 ‖ left ‖ right). Nodes are
named by level and index: level 0 are the leaves, node i of level n covers the 2^n leaves from i·2^n.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Final, TypeAlias

from ledger.errors import ProofError

Node: TypeAlias = Callable[[int, int], bytes]
"""Gives the hash of a complete node, by level and index."""

EMPTY: Final = sha256(b"").digest()
"""The root of a tree without leaves."""

HASH: Final = 32


def node(left: bytes, right: bytes) -> bytes:
    """Return the hash of the node above two others."""
    return sha256(b"\1" + left + right).digest()


class Peaks:
    """A tree that only grows, kept as the roots of its complete parts: as many as its size has bits."""

    __slots__ = ("peaks", "size")

    def __init__(self, size: int = 0, peaks: Iterable[bytes] = ()) -> None:
        """Take the size and the peaks of the tree so far, the largest part first."""
        self.size = size
        self.peaks = list(peaks)
        if len(self.peaks) != size.bit_count():
            raise ValueError(f"a tree of {size} leaves has {size.bit_count()} peaks")

    def add(self, leaf: bytes) -> None:
        """Append a leaf."""
        peaks, size = self.peaks, self.size
        while size & 1:
            leaf = node(peaks.pop(), leaf)
            size >>= 1
        peaks.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        """Return the root of the tree as it stands."""
        if not self.peaks:
            return EMPTY
        found = self.peaks[-1]
        for peak in self.peaks[-2::-1]:
            found = node(peak, found)
        return found


def root(leaves: Iterable[bytes]) -> bytes:
    """Return the root over leaves."""
    peaks = Peaks()
    for leaf in leaves:
        peaks.add(leaf)
    return peaks.root()


def part(start: int, end: int, of: Node) -> bytes:
    """Return the root of the leaves from `start` to `end` (excluded), a part that the tree has."""
    size = end - start
    if size & (size - 1) == 0:
        level = size.bit_length() - 1
        return of(level, start >> level)
    split = start + _split(size)
    return node(part(start, split, of), part(split, end, of))


def inclusion(index: int, size: int, of: Node) -> list[bytes]:
    """Return the audit path of leaf `index` in the tree of `size` leaves, from the leaf upwards."""
    if not 0 <= index < size:
        raise ProofError(f"a tree of {size} leaves has no leaf {index}")
    path: list[bytes] = []
    start, end = 0, size
    while end - start > 1:
        split = start + _split(end - start)
        if index < split:
            path.append(part(split, end, of))
            end = split
        else:
            path.append(part(start, split, of))
            start = split
    return path[::-1]


def consistency(old: int, new: int, of: Node) -> list[bytes]:
    """Return the proof that the tree of `new` leaves begins with the tree of `old` leaves."""
    if not 0 <= old <= new:
        raise ProofError(f"a tree of {new} leaves cannot begin with {old}")
    if old in (0, new):
        return []
    path: list[bytes] = []
    start, end, whole = 0, new, True
    while end != old:
        split = start + _split(end - start)
        if old <= split:
            path.append(part(split, end, of))
            end = split
        else:
            path.append(part(start, split, of))
            start, whole = split, False
    if not whole:
        path.append(part(start, end, of))
    return path[::-1]


def included(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """Return the root that `path` leads to from `leaf`; `ProofError` if it cannot be its path.

    The root must then be compared with one that is trusted, and `size` must come from there too:
    a path does not prove the size.
    """
    if not 0 <= index < size:
        raise ProofError(f"a tree of {size} leaves has no leaf {index}")
    at, last, found = index, size - 1, leaf
    for step in path:
        if not last:
            raise ProofError("the proof is too long")
        if at & 1 or at == last:
            found = node(step, found)
            while at and not at & 1:
                at >>= 1
                last >>= 1
        else:
            found = node(found, step)
        at >>= 1
        last >>= 1
    if last:
        raise ProofError("the proof is too short")
    return found


def consistent(old: int, old_root: bytes, new: int, new_root: bytes, path: Sequence[bytes]) -> bool:
    """Whether `path` proves that the tree with `new_root` begins with the tree with `old_root`."""
    if not 0 <= old <= new:
        return False
    if old == new:
        return not path and old_root == new_root
    if old == 0:
        return not path and old_root == EMPTY
    steps = list(path)
    if old & (old - 1) == 0:
        steps.insert(0, old_root)
    if not steps:
        return False
    at, last = old - 1, new - 1
    while at & 1:
        at >>= 1
        last >>= 1
    before = after = steps[0]
    for step in steps[1:]:
        if not last:
            return False
        if at & 1 or at == last:
            before, after = node(step, before), node(step, after)
            while at and not at & 1:
                at >>= 1
                last >>= 1
        else:
            after = node(after, step)
        at >>= 1
        last >>= 1
    return not last and before == old_root and after == new_root


def _split(size: int) -> int:
    """Return the largest power of two below `size`."""
    return 1 << ((size - 1).bit_length() - 1)
