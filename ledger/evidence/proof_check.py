"""Check the proofs of evidence a second time, with other code, so that a bug in one checker can't decide alone.

`ledger.evidence.offline` must stay one short file without dependencies, so it has its own signatures and Merkle tree.
This module checks the same bytes with `ledger.seal` and the Ed25519 of the cryptography library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ledger import chain
from ledger.evidence import evidence_errors
from ledger.seal.log import open_checkpoint
from ledger.seal.note import Checkpoint, PublicKey, read_checkpoint, read_note, read_proof, verify_signature
from ledger.seal.tree import compute_root_from_path


def check_proofs(
    files: Mapping[str, bytes], key: PublicKey | None, witnesses: Sequence[PublicKey], quorum: int
) -> Checkpoint:
    """Return the checkpoint that all proofs in the evidence lead to; `ProofError` if they don't lead to one.

    `files`: the members of the evidence, by name. `key` must have signed the checkpoint, and `quorum` of the
    `witnesses` too. Without a key, signatures aren't checked.
    """
    checkpoints: dict[str, Checkpoint] = {}
    for member_name, member_bytes in files.items():
        if member_name.startswith("proofs/"):
            try:
                proof = read_proof(member_bytes.decode("utf-8"))
            except UnicodeDecodeError:
                raise evidence_errors.proof_not_text() from None
            if proof.checkpoint not in checkpoints:
                checkpoints[proof.checkpoint] = _read_signed(proof.checkpoint, key, witnesses, quorum)
            checkpoint = checkpoints[proof.checkpoint]
            leaf_hash = chain.hash_leaf(files[f"entries/{member_name.removeprefix('proofs/')}"])
            if compute_root_from_path(leaf_hash, proof.leaf, checkpoint.size, proof.path) != checkpoint.root:
                raise evidence_errors.commit_not_signed(member_name)
    if len(set(checkpoints.values())) != 1:
        raise evidence_errors.different_checkpoints()
    return next(iter(checkpoints.values()))


def _read_signed(note: str, key: PublicKey | None, witnesses: Sequence[PublicKey], quorum: int) -> Checkpoint:
    """Parse a checkpoint; `ProofError` unless the key and enough witnesses signed it."""
    if key is None:
        return read_checkpoint(read_note(note))
    signed_note, checkpoint = open_checkpoint(note, key)
    if sum(verify_signature(signed_note, witness) is not None for witness in witnesses) < quorum:
        raise evidence_errors.too_few_witnesses()
    return checkpoint
