"""Checkpoints, proofs and cosignatures beside another implementation of C2SP: each verifies what the other made."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from urllib.request import Request, urlopen

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger.seal.log import cosign_request, open_checkpoint, read_request
from ledger.seal.note import COSIGNATURE, HeldKey, read_key, read_note, verify_signature
from ledger.seal.tree import build_consistency_path, build_inclusion_path, compute_root_from_path, is_consistent
from ledger.store import open as open_ledger
from ledger.store.seals.sealer import tiles_of
from tests.cli.conftest import Run

_REASON = "aics-tlog and aics-witness aren't installed: they need Python 3.12"
aics_tlog = pytest.importorskip("aics_tlog", reason=_REASON)
aics_witness = pytest.importorskip("aics_witness", reason=_REASON)

HAND = """\
handscript 1
venue Riverside  table T1  seats 6
hand {number}
game holdem no-limit cash blinds 1/2 unit USD 0
seat 1 Ann 100
seat 2 Bo 100
button 1
1 posts small 1
2 posts big 2
deal done
1 folds
2 wins 2 pot
end
"""


class Room:
    """A ledger that grows, its key, and its checkpoints."""

    def __init__(self, run: Run, folder: Path) -> None:
        self._run = run
        self.folder = folder
        self.book = str(folder / "hands.ledger")
        self.key = ""
        self.origin = ""

    def grow(self, number: int) -> str:
        """Import a hand and seal; return the checkpoint."""
        night = self.folder / f"{number}.hand"
        night.write_text(HAND.format(number=number))
        assert self._run("import", str(night), "--ledger", self.book).code == 0
        new_key = [] if self.key else ["--new-key", "--name", "room.example"]
        key_file = ["--key", str(self.folder / "room.key")]
        sealed = self._run("seal", *new_key, *key_file, "--ledger", self.book, "--format", "json").document
        self.key, self.origin = sealed["key"], sealed["origin"]
        return str(sealed["note"])

    def ask_witness(self, old_size: int) -> str:
        """Return the request that a witness gets."""
        request = self.folder / "request.txt"
        asked = self._run("seal", "--for-witness", str(old_size), "-o", str(request), "--ledger", self.book)
        assert asked.code == 0
        return request.read_text()


@pytest.fixture
def room(run: Run, tmp_path: Path) -> Room:
    return Room(run, tmp_path)


@pytest.fixture
def witness(room: Room, tmp_path: Path) -> Iterator[SimpleNamespace]:
    """Start the other implementation's witness on loopback; it knows the room's ledger."""
    room.grow(1)
    log = aics_witness.LogConfig(origin=room.origin, vkeys=(aics_witness.config.parse_log_vkey(room.key),))
    with aics_witness.WitnessStore(tmp_path / "witness.db", create=True) as store:
        keeper = aics_witness.Witness("auditor.example", Ed25519PrivateKey.generate(), store, [log])
        server = aics_witness.make_server(keeper)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield SimpleNamespace(address=f"{server.url}/add-checkpoint", key=keeper.vkey_text)
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


def test_our_checkpoints_and_proofs_hold_there(room: Room) -> None:
    notes = [room.grow(number) for number in (1, 2, 3)]
    heads = []
    for note in notes:
        verified = aics_tlog.verify_checkpoint(aics_tlog.parse_note(note.encode()), aics_tlog.parse_vkey(room.key))
        assert verified.ok
        heads.append(verified)
    with open_ledger(room.book, create=False) as ledger, ledger.database.reading() as link:
        read_node = tiles_of(ledger).node_reader(link)
        for old, new in pairwise(heads):
            path = build_consistency_path(old.size, new.size, read_node)
            assert aics_tlog.verify_consistency(old.size, new.size, old.root, new.root, path)
        size = heads[-1].size
        for index in range(size):
            leaf = read_node(0, index)
            path = build_inclusion_path(index, size, read_node)
            assert aics_tlog.verify_inclusion(leaf, index, size, path, heads[-1].root)
            assert not aics_tlog.verify_inclusion(leaf, index, size, path, heads[0].root)


def test_their_checkpoints_and_proofs_hold_here() -> None:
    log_key, witness_key = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    leaves = [f"entry {number}\n".encode() for number in range(21)]
    tree = aics_tlog.MerkleTree(leaves)
    size = len(leaves)
    head = aics_tlog.Checkpoint("log.example/hands", size, tree.root())
    signed = aics_tlog.sign_checkpoint(head, log_key, "log.example/hands")
    _, cosignature = aics_tlog.sign_cosignature(
        witness_key, "auditor.example", 1_767_000_000, "log.example/hands", size, tree.root()
    )
    note_text = aics_tlog.Note(text=signed.text, signatures=(*signed.signatures, cosignature)).to_bytes().decode()
    key = read_key(aics_tlog.format_vkey(aics_tlog.vkey_from_ed25519("log.example/hands", log_key.public_key())))
    note, checkpoint = open_checkpoint(note_text, key)
    assert (checkpoint.size, checkpoint.root) == (size, tree.root())
    cosigner = read_key(aics_tlog.format_vkey(aics_tlog.cosignature_vkey("auditor.example", witness_key.public_key())))
    assert verify_signature(note, cosigner) == 1_767_000_000
    for index, leaf in enumerate(leaves):
        path = tree.inclusion_proof(index)
        assert compute_root_from_path(aics_tlog.leaf_hash(leaf), index, size, path) == tree.root()
    for old_size in range(1, size):
        proof = tree.consistency_proof(old_size, size)
        assert is_consistent(old_size, tree.root(old_size), size, tree.root(), proof)
        assert not is_consistent(old_size, tree.root(old_size - 1), size, tree.root(), proof)


def test_their_witness_cosigns_our_ledger(room: Room, witness: SimpleNamespace, run: Run) -> None:
    def post(request: str) -> str:
        with urlopen(Request(witness.address, request.encode(), method="POST")) as answer:
            return str(answer.read().decode())

    first = room.ask_witness(0)
    checkpoint = read_request(first).checkpoint
    cosigned = checkpoint + post(first)
    assert verify_signature(read_note(cosigned), read_key(witness.key))
    old_size = int(checkpoint.split("\n")[1])
    room.grow(2)
    second = room.ask_witness(old_size)
    cosigned = read_request(second).checkpoint + post(second)
    answer = room.folder / "cosigned.txt"
    answer.write_text(cosigned)
    taken = run("seal", "--cosigned", str(answer), "--ledger", room.book)
    assert taken.code == 0, taken.err
    proof = str(room.folder / "hand.hlev")
    assert run("evidence", "T1/1", "-o", proof, "--ledger", room.book).code == 0
    trusted = ("--key", room.key, "--witness", witness.key, "--quorum", "1")
    verified = run("verify", proof, *trusted)
    assert verified.code == 0, verified.err
    stranger = str(HeldKey("auditor.example", Ed25519PrivateKey.generate(), COSIGNATURE).key)
    assert run("verify", proof, "--key", room.key, "--witness", stranger, "--quorum", "1").code != 0


def test_our_witness_cosigns_their_log() -> None:
    log_key = Ed25519PrivateKey.generate()
    tree = aics_tlog.MerkleTree([f"entry {number}\n".encode() for number in range(13)])
    key = read_key(aics_tlog.format_vkey(aics_tlog.vkey_from_ed25519("log.example", log_key.public_key())))
    signer = HeldKey("auditor.example", Ed25519PrivateKey.generate(), COSIGNATURE)
    last_note = ""
    for old_size, size in ((0, 5), (5, 13)):
        head = aics_tlog.Checkpoint("log.example", size, tree.root(size))
        note = aics_tlog.sign_checkpoint(head, log_key, "log.example").to_bytes()
        proof = tree.consistency_proof(old_size, size) if old_size else []
        request = read_request(aics_witness.protocol.format_add_checkpoint_request(old_size, proof, note).decode())
        assert str(request).encode() == aics_witness.protocol.format_add_checkpoint_request(old_size, proof, note)
        last_note = cosign_request(request, key, last_note, signer, 1_767_000_000)
        verified = aics_tlog.verify_checkpoint(
            aics_tlog.parse_note(last_note.encode()),
            aics_tlog.parse_vkey(str(key)),
            [aics_tlog.parse_vkey(str(signer.key))],
            quorum=1,
        )
        assert verified.ok
