"""A lake that files went straight into is signed as a whole: one Merkle tree over the commits of all its logs, in their order."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from ledger.errors import ForkError, IntegrityError, UsageError
from ledger.lake import layout
from ledger.lake.proving import logs_of, read_log
from ledger.lake.several import root
from ledger.seal.note import Checkpoint, HeldKey, read_checkpoint, read_note, signed
from ledger.seal.tree import HASH, Peaks

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class Signed(NamedTuple):
    """A lake's signed checkpoint. `new`: it was signed now."""

    point: Checkpoint
    note: str
    key: str  # public
    new: bool


def sign(lake: Path, private: Ed25519PrivateKey, name: str) -> Signed:
    """Sign what lies in a lake, as `name`, and write the checkpoint into its manifest.

    Every file is read: `IntegrityError` where one is not what was written, or the logs do not come to the roots that the
    manifest names. `ForkError` where the lake was signed with another content, `UsageError` of a lake of a ledger.
    """
    found = layout.manifest(lake)
    if found.straight is None:
        raise UsageError(
            "this lake was written of a ledger, whose checkpoint lies in it",
            "Seal the ledger, and write the lake again: handledger seal, then handledger shard into the same folder.",
        )
    straight, whole = found.straight, Peaks()
    for files, log in zip(logs_of(found), straight.logs, strict=True):
        own = Peaks()
        ends, leaves = read_log(lake, files)
        for at in range(len(ends)):
            for tree in (own, whole):
                tree.add(leaves[HASH * at : HASH * (at + 1)])
        if (own.size, own.root().hex()) != (log.commits, log.root):
            raise IntegrityError(f"{log.name} does not come to the root that the lake names", _WRONG)
    if root(straight.logs, [straight.files, straight.rejects, *straight.sources]) != found.head:
        raise IntegrityError("the logs do not come to the root that the lake names", _WRONG)
    signer = HeldKey(f"{name}/{found.ledger}/1", private)
    point = Checkpoint(signer.key.name, whole.size, whole.root())
    before = read_checkpoint(read_note(found.checkpoint)) if found.checkpoint else None
    if before is not None and before[1:] != point[1:]:
        raise ForkError(
            "the lake was signed with another content than it has now", f"{found.checkpoint}\n{point}", _WRONG
        )
    note = signed(str(point), signer)
    if note != found.checkpoint:
        made = msgspec.structs.replace(found, checkpoint=note, key=str(signer.key))
        layout.write(lake / layout.MANIFEST, msgspec.json.encode(made))
    return Signed(point, note, str(signer.key), note != found.checkpoint)


_WRONG: Final = "handledger verify LAKE says what does not hold. Nothing was signed."
