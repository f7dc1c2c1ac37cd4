"""The work of a log's signer and its witnesses: sign only what continues the last signed checkpoint."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from ledger.errors import ForkError
from ledger.seal import verify_errors
from ledger.seal.note import (
    Checkpoint,
    PublicKey,
    SignedNote,
    Signer,
    cosign_note,
    read_checkpoint,
    read_note,
    sign_text,
    verify_signature,
)
from ledger.seal.tree import HASH_SIZE, NodeReader, build_consistency_path, build_inclusion_path, is_consistent

_REQUEST_LINE: Final = re.compile(r"old (0|[1-9][0-9]{0,17})")
_MOST_HASHES: Final = 126
_RESTORED_HINT: Final = (
    "Nothing was signed. If a copy was put back on purpose: handledger seal --restored --new-key --key NEW-FILE "
    "says so on record, and signs on as another log."
)


class WitnessRequest(NamedTuple):
    """The question to a witness: whether the log of `checkpoint` begins with the `old` leaves that it saw.

    As a file, it is the body that c2sp.org/tlog-witness sends to `add-checkpoint`.
    """

    old: int
    path: tuple[bytes, ...]
    checkpoint: str  # a signed note

    def __str__(self) -> str:
        """Return the request as a file."""
        hashes = [base64.b64encode(step).decode() for step in self.path]
        return "\n".join([f"old {self.old}", *hashes, ""]) + "\n" + self.checkpoint


def read_request(text: str) -> WitnessRequest:
    """Parse a request without verifying it. Raise `ProofError` if it is malformed."""
    header_text, separator, checkpoint = text.partition("\n\n")
    first_line, *hashes = header_text.split("\n")
    old_match = _REQUEST_LINE.fullmatch(first_line)
    if not separator or old_match is None or len(hashes) > _MOST_HASHES:
        raise verify_errors.not_a_request()
    path_hashes = []
    for hash_text in hashes:
        try:
            hash_bytes = base64.b64decode(hash_text.encode("ascii"), validate=True)
        except ValueError:
            hash_bytes = b""
        if len(hash_bytes) != HASH_SIZE or base64.b64encode(hash_bytes).decode() != hash_text:
            raise verify_errors.bad_hash_in_request()
        path_hashes.append(hash_bytes)
    return WitnessRequest(int(old_match[1]), tuple(path_hashes), checkpoint)


def open_checkpoint(note_text: str, key: PublicKey) -> tuple[SignedNote, Checkpoint]:
    """Return a log's checkpoint with a verified signature. Raise `ProofError` if `key` didn't sign it."""
    note = read_note(note_text)
    checkpoint = read_checkpoint(note)
    if checkpoint.origin != key.name:
        raise verify_errors.checkpoint_of_other_log(checkpoint.origin, key.name)
    if verify_signature(note, key) is None:
        raise verify_errors.signature_missing(key.name)
    return note, checkpoint


def sign_next(checkpoint: Checkpoint, last_note: str, signer: Signer, read_node: NodeReader) -> str:
    """Return the signed note of a checkpoint, or raise `ForkError` if it contradicts `last_note`.

    `read_node` returns the nodes of the log's tree in the database.
    """
    if last_note:
        _, last_checkpoint = open_checkpoint(last_note, signer.key)
        if checkpoint.size < last_checkpoint.size:
            raise ForkError(
                f"the log has {checkpoint.size} commits; {last_checkpoint.size} were signed before",
                describe_fork(last_note, checkpoint, "the log is shorter than it was"),
                f"An old copy may have been restored. {_RESTORED_HINT}",
            )
        proof_path = build_consistency_path(last_checkpoint.size, checkpoint.size, read_node)
        if not is_consistent(last_checkpoint.size, last_checkpoint.root, checkpoint.size, checkpoint.root, proof_path):
            raise ForkError(
                f"the first {last_checkpoint.size} commits are not those that were signed before",
                describe_fork(last_note, checkpoint, "the log was rewritten"),
                _RESTORED_HINT,
            )
    return sign_text(str(checkpoint), signer)


def describe_fork(signed_note: str, checkpoint: Checkpoint, contradiction: str) -> str:
    """Return a text with both sides of a contradiction: the signed note, and the log's present checkpoint."""
    return f"{contradiction}\n\n--- what was signed before\n{signed_note}\n--- what the log says now, not signed\n{checkpoint}"


def cosign_request(request: WitnessRequest, log_key: PublicKey, last_note: str, signer: Signer, timestamp: int) -> str:
    """Return the checkpoint with this witness's cosignature, or raise `ForkError` if it contradicts `last_note`.

    `last_note` is the checkpoint that the witness cosigned last, "" = none. `timestamp` is in seconds.
    """
    _, checkpoint = open_checkpoint(request.checkpoint, log_key)
    if not last_note:
        if request.old or request.path:
            raise verify_errors.witness_is_new()
        return cosign_note(request.checkpoint, signer, timestamp)
    _, last_checkpoint = open_checkpoint(last_note, log_key)
    if checkpoint == last_checkpoint:
        return cosign_note(request.checkpoint, signer, timestamp)
    if request.old != last_checkpoint.size:
        raise verify_errors.witness_saw_other_size(last_checkpoint.size, request.old)
    if checkpoint.size < last_checkpoint.size or not is_consistent(
        last_checkpoint.size, last_checkpoint.root, checkpoint.size, checkpoint.root, request.path
    ):
        raise ForkError(
            f"the log does not begin with the {last_checkpoint.size} commits that this witness saw",
            describe_fork(last_note, checkpoint, "two checkpoints of one log contradict each other")
            + f"\n--- as signed\n{request.checkpoint}",
            "Nothing was cosigned. Keep both: they prove it.",
        )
    return cosign_note(request.checkpoint, signer, timestamp)


def build_request(old_size: int, checkpoint: Checkpoint, signed_note: str, read_node: NodeReader) -> WitnessRequest:
    """Return the request for a witness that saw `old_size` commits to cosign `signed_note`."""
    return WitnessRequest(old_size, tuple(build_consistency_path(old_size, checkpoint.size, read_node)), signed_note)


def find_inclusion_path(leaf_index: int, tree_size: int, read_node: NodeReader) -> Sequence[bytes]:
    """Return the path from a leaf to the root of a tree of `tree_size` leaves."""
    return build_inclusion_path(leaf_index, tree_size, read_node)
