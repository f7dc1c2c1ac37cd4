"""Sign a lake of imported files: one Merkle tree over the commits of all its logs, in order."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ledger.lake import atomic_files, lake_errors, layout
from ledger.lake.lake_proof import list_log_receipts, read_leaves
from ledger.lake.several import compute_logs_root
from ledger.seal.note import Checkpoint, HeldKey, read_checkpoint, read_note, sign_text
from ledger.seal.tree import HASH_SIZE, TreePeaks

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class SignedLake(NamedTuple):
    """A lake's signed checkpoint. `is_new`: it was signed just now."""

    point: Checkpoint
    note: str
    key: str  # public
    new: bool


def sign(lake_folder: Path, private_key: Ed25519PrivateKey, signer_name: str) -> SignedLake:
    """Sign a lake as `signer_name`, and write the checkpoint to its manifest.

    Every file is read. Raises `IntegrityError` if one was changed, or if the logs don't match the roots in the
    manifest; `ForkError` if the lake was signed with another content; `UsageError` for a ledger's lake.
    """
    manifest = layout.read_manifest(lake_folder)
    if manifest.straight is None:
        raise lake_errors.lake_of_ledger()
    straight, lake_tree = manifest.straight, TreePeaks()
    for receipts, shard_log in zip(list_log_receipts(manifest, straight), straight.logs, strict=True):
        log_tree = TreePeaks()
        end_positions, leaves = read_leaves(lake_folder, receipts)
        for index in range(len(end_positions)):
            for merkle_tree in (log_tree, lake_tree):
                merkle_tree.add(leaves[HASH_SIZE * index : HASH_SIZE * (index + 1)])
        if (log_tree.size, log_tree.compute_root().hex()) != (shard_log.commits, shard_log.root):
            raise lake_errors.log_root_wrong(shard_log.name)
    if compute_logs_root(straight.logs, [straight.files, straight.rejects, *straight.sources]) != manifest.head:
        raise lake_errors.lake_root_wrong()
    signer = HeldKey(f"{signer_name}/{manifest.ledger}/1", private_key)
    checkpoint = Checkpoint(signer.key.name, lake_tree.size, lake_tree.compute_root())
    previous_checkpoint = read_checkpoint(read_note(manifest.checkpoint)) if manifest.checkpoint else None
    if previous_checkpoint is not None and previous_checkpoint[1:] != checkpoint[1:]:
        raise lake_errors.signed_before(f"{manifest.checkpoint}\n{checkpoint}")
    signed_note = sign_text(str(checkpoint), signer)
    if signed_note != manifest.checkpoint:
        signed_manifest = msgspec.structs.replace(manifest, checkpoint=signed_note, key=str(signer.key))
        atomic_files.write_file(lake_folder / layout.MANIFEST_FILE, msgspec.json.encode(signed_manifest))
    return SignedLake(checkpoint, signed_note, str(signer.key), signed_note != manifest.checkpoint)
