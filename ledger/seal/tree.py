"""The Merkle tree of RFC 6962 section 2.1: roots, proofs, and their verification.

A leaf is the hash `ledger.chain.hash_leaf` of a commit; a node is SHA-256(0x01 ‖ left ‖ right). Nodes are
named by level and index: level 0 are the leaves, node i of level n covers the 2^n leaves from i·2^n.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Final, TypeAlias

from ledger.seal import proof_errors

NodeReader: TypeAlias = Callable[[int, int], bytes]
"""Returns the hash of a complete node, by level and index."""

EMPTY_ROOT: Final = sha256(b"").digest()
"""The root of a tree without leaves."""

HASH_SIZE: Final = 32


def hash_node(left_hash: bytes, right_hash: bytes) -> bytes:
    """Return the hash of the node over two others."""
    return sha256(b"\1" + left_hash + right_hash).digest()


class TreePeaks:
    """A growing tree, stored as the roots of its complete parts. Their number is that of the set bits in its size."""

    __slots__ = ("peaks", "size")

    def __init__(self, size: int = 0, peaks: Iterable[bytes] = ()) -> None:
        """Take the size and the peaks of the tree so far, the largest part first."""
        self.size = size
        self.peaks = list(peaks)
        if len(self.peaks) != size.bit_count():
            raise ValueError(f"a tree of {size} leaves has {size.bit_count()} peaks")

    def add(self, node_hash: bytes) -> None:
        """Append a leaf."""
        peaks, size_left = self.peaks, self.size
        while size_left & 1:
            node_hash = hash_node(peaks.pop(), node_hash)
            size_left >>= 1
        peaks.append(node_hash)
        self.size += 1

    def compute_root(self) -> bytes:
        """Return the root of the tree so far."""
        if not self.peaks:
            return EMPTY_ROOT
        root_hash = self.peaks[-1]
        for peak in self.peaks[-2::-1]:
            root_hash = hash_node(peak, root_hash)
        return root_hash


def compute_root_over(leaves: Iterable[bytes]) -> bytes:
    """Return the root over leaves."""
    tree = TreePeaks()
    for leaf in leaves:
        tree.add(leaf)
    return tree.compute_root()


def compute_subtree_root(first_leaf: int, end_leaf: int, read_node: NodeReader) -> bytes:
    """Return the root of the leaves from `first_leaf` to `end_leaf` (excluded), which must be a subtree."""
    leaf_count = end_leaf - first_leaf
    if leaf_count & (leaf_count - 1) == 0:
        level = leaf_count.bit_length() - 1
        return read_node(level, first_leaf >> level)
    split_leaf = first_leaf + _split_point(leaf_count)
    return hash_node(
        compute_subtree_root(first_leaf, split_leaf, read_node), compute_subtree_root(split_leaf, end_leaf, read_node)
    )


def build_inclusion_path(leaf_index: int, tree_size: int, read_node: NodeReader) -> list[bytes]:
    """Return the audit path of a leaf in the tree of `tree_size` leaves, from the leaf upwards."""
    if not 0 <= leaf_index < tree_size:
        raise proof_errors.leaf_missing(leaf_index, tree_size)
    audit_path: list[bytes] = []
    first_leaf, end_leaf = 0, tree_size
    while end_leaf - first_leaf > 1:
        split_leaf = first_leaf + _split_point(end_leaf - first_leaf)
        if leaf_index < split_leaf:
            audit_path.append(compute_subtree_root(split_leaf, end_leaf, read_node))
            end_leaf = split_leaf
        else:
            audit_path.append(compute_subtree_root(first_leaf, split_leaf, read_node))
            first_leaf = split_leaf
    return audit_path[::-1]


def build_consistency_path(old_size: int, new_size: int, read_node: NodeReader) -> list[bytes]:
    """Return the proof that the tree of `new_size` leaves begins with the tree of `old_size` leaves."""
    if not 0 <= old_size <= new_size:
        raise proof_errors.log_too_short(old_size, new_size)
    if old_size in (0, new_size):
        return []
    proof_path: list[bytes] = []
    first_leaf, end_leaf, is_left_edge = 0, new_size, True
    while end_leaf != old_size:
        split_leaf = first_leaf + _split_point(end_leaf - first_leaf)
        if old_size <= split_leaf:
            proof_path.append(compute_subtree_root(split_leaf, end_leaf, read_node))
            end_leaf = split_leaf
        else:
            proof_path.append(compute_subtree_root(first_leaf, split_leaf, read_node))
            first_leaf, is_left_edge = split_leaf, False
    if not is_left_edge:
        proof_path.append(compute_subtree_root(first_leaf, end_leaf, read_node))
    return proof_path[::-1]


def compute_root_from_path(leaf_hash: bytes, leaf_index: int, tree_size: int, audit_path: Sequence[bytes]) -> bytes:
    """Return the root at the end of an audit path. Raise `ProofError` if the path can't be the leaf's.

    The caller must compare the root with a trusted one, and take `tree_size` from there: a path doesn't prove the size.
    """
    if not 0 <= leaf_index < tree_size:
        raise proof_errors.leaf_missing(leaf_index, tree_size)
    node_index, last_index, node_hash = leaf_index, tree_size - 1, leaf_hash
    for sibling in audit_path:
        if not last_index:
            raise proof_errors.proof_too_long()
        if node_index & 1 or node_index == last_index:
            node_hash = hash_node(sibling, node_hash)
            while node_index and not node_index & 1:
                node_index >>= 1
                last_index >>= 1
        else:
            node_hash = hash_node(node_hash, sibling)
        node_index >>= 1
        last_index >>= 1
    if last_index:
        raise proof_errors.proof_too_short()
    return node_hash


def is_consistent(old_size: int, old_root: bytes, new_size: int, new_root: bytes, proof_path: Sequence[bytes]) -> bool:
    """Whether the path proves that the tree with `new_root` begins with the tree with `old_root`."""
    if not 0 <= old_size <= new_size:
        return False
    if old_size == new_size:
        return not proof_path and old_root == new_root
    if old_size == 0:
        return not proof_path and old_root == EMPTY_ROOT
    proof_hashes = list(proof_path)
    if old_size & (old_size - 1) == 0:
        proof_hashes.insert(0, old_root)
    if not proof_hashes:
        return False
    node_index, last_index = old_size - 1, new_size - 1
    while node_index & 1:
        node_index >>= 1
        last_index >>= 1
    old_node = new_node = proof_hashes[0]
    for proof_hash in proof_hashes[1:]:
        if not last_index:
            return False
        if node_index & 1 or node_index == last_index:
            old_node, new_node = hash_node(proof_hash, old_node), hash_node(proof_hash, new_node)
            while node_index and not node_index & 1:
                node_index >>= 1
                last_index >>= 1
        else:
            new_node = hash_node(new_node, proof_hash)
        node_index >>= 1
        last_index >>= 1
    return not last_index and old_node == old_root and new_node == new_root


def _split_point(size: int) -> int:
    """Return the largest power of two below `size`."""
    return 1 << ((size - 1).bit_length() - 1)
