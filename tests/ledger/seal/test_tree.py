"""The Merkle tree against RFC 6962's definition written out plainly, its vectors, and pymerkle."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import ProofError
from ledger.seal import tree
from tests.several import all_keep

VECTOR = [
    b"",
    b"\x00",
    b"\x10",
    b"\x20\x21",
    b"\x30\x31",
    b"\x40\x41\x42\x43",
    b"\x50\x51\x52\x53\x54\x55\x56\x57",
    b"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f",
]
"""The eight entries of Certificate Transparency's reference tests."""

ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def leaves(count: int) -> list[bytes]:
    return [sha256(b"\0" + str(i).encode()).digest() for i in range(count)]


def reference_root(hashes: list[bytes]) -> bytes:
    """The definition of RFC 6962 section 2.1, as it stands there."""
    if not hashes:
        return sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    k = 1
    while k * 2 < len(hashes):
        k *= 2
    return sha256(b"\1" + reference_root(hashes[:k]) + reference_root(hashes[k:])).digest()


def nodes(hashes: list[bytes]) -> tree.NodeReader:
    def node_at(level: int, index: int) -> bytes:
        start = index << level
        end = (index + 1) << level
        assert end <= len(hashes), "only complete nodes are ever asked for"
        return reference_root(hashes[start:end])

    return node_at


def test_the_reference_vectors_give_the_published_roots() -> None:
    hashes = [sha256(b"\0" + entry).digest() for entry in VECTOR]
    assert [tree.compute_root_over(hashes[: n + 1]).hex() for n in range(8)] == ROOTS


def proves_every_leaf_and_nothing_else(size: int) -> None:
    hashes = leaves(size)
    root = reference_root(hashes)
    assert tree.compute_root_over(hashes) == root
    for index in range(size):
        path = tree.build_inclusion_path(index, size, nodes(hashes))
        assert tree.compute_root_from_path(hashes[index], index, size, path) == root
        for wrong in {(index + 1) % size, index ^ 1} - {index}:
            if wrong < size:
                assert _root(hashes[index], wrong, size, path) != root
        if path:
            assert _root(hashes[index], index, size, path[:-1]) != root
            assert _root(hashes[index], index, size, [*path[:-1], bytes(32)]) != root
        assert _root(hashes[index], index, size, [*path, bytes(32)]) != root


def test_every_leaf_of_every_size_is_proved_and_nothing_else_is() -> None:
    all_keep(proves_every_leaf_and_nothing_else, [*range(34), 64, 100, 127, 129])


def _root(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes | None:
    try:
        return tree.compute_root_from_path(leaf, index, size, path)
    except ProofError:
        return None


def is_proved_to_begin_with_every_smaller_one(new: int) -> None:
    hashes = leaves(new)
    root = reference_root(hashes)
    for old in range(new + 1):
        old_root = reference_root(hashes[:old])
        path = tree.build_consistency_path(old, new, nodes(hashes))
        assert tree.is_consistent(old, old_root, new, root, path)
        assert not tree.is_consistent(old, old_root, new, root, [*path, bytes(32)])
        assert not tree.is_consistent(old, bytes(32), new, root, path)
        assert not tree.is_consistent(old, old_root, new, bytes(32), path) or old == 0
        for index in range(len(path)):
            forged = [bytes(32) if i == index else step for i, step in enumerate(path)]
            assert not tree.is_consistent(old, old_root, new, root, forged)
            assert not tree.is_consistent(old, old_root, new, root, path[:index])


def test_a_tree_is_proved_to_begin_with_every_smaller_one() -> None:
    all_keep(is_proved_to_begin_with_every_smaller_one, [*range(18), 31, 32, 33, 64, 65])


@given(st.integers(1, 60), st.data())
def test_a_rewritten_leaf_breaks_consistency(size: int, data: st.DataObject) -> None:
    old = data.draw(st.integers(1, size))
    leaf_index = data.draw(st.integers(0, old - 1))
    hashes = leaves(size)
    forged = [bytes(32) if i == leaf_index else leaf for i, leaf in enumerate(hashes)]
    path = tree.build_consistency_path(old, size, nodes(forged))
    assert not tree.is_consistent(old, reference_root(hashes[:old]), size, reference_root(forged), path)


@given(st.integers(0, 300))
def test_a_tree_that_grows_can_be_taken_up_again(size: int) -> None:
    hashes = leaves(size)
    peaks = tree.TreePeaks()
    for leaf in hashes[: size // 2]:
        peaks.add(leaf)
    tree_peaks = tree.TreePeaks(peaks.size, peaks.peaks)
    for leaf in hashes[size // 2 :]:
        tree_peaks.add(leaf)
    assert tree_peaks.compute_root() == reference_root(hashes)


def test_what_no_tree_has_is_refused() -> None:
    node_reader = nodes(leaves(4))
    for index, size in ((4, 4), (-1, 4), (0, 0)):
        with pytest.raises(ProofError):
            tree.build_inclusion_path(index, size, node_reader)
        with pytest.raises(ProofError):
            tree.compute_root_from_path(bytes(32), index, size, [])
    with pytest.raises(ProofError):
        tree.build_consistency_path(5, 4, node_reader)
    assert not tree.is_consistent(5, bytes(32), 4, bytes(32), [])
    with pytest.raises(ValueError, match="peaks"):
        tree.TreePeaks(3, [bytes(32)])


def test_pymerkle_gives_the_same_roots() -> None:
    """An oracle where it happens to be installed: its licence keeps it out of what we ask for."""
    pymerkle = pytest.importorskip("pymerkle", reason="pymerkle is not installed")
    pymerkle_tree = pymerkle.InmemoryTree(algorithm="sha256")
    for count in range(1, 200):
        pymerkle_tree.append_entry(str(count - 1).encode())
        assert pymerkle_tree.get_root(count) == tree.compute_root_over(leaves(count))
