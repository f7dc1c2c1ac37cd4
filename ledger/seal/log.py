"""What a log's signer and its witnesses do: sign only what goes on from what was signed before."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from ledger.errors import ForkError, ProofError
from ledger.seal.note import Checkpoint, Key, Note, Signer, cosigned, read_checkpoint, read_note, signed, verified
from ledger.seal.tree import HASH, Node, consistency, consistent, inclusion

_REQUEST: Final = re.compile(r"old (0|[1-9][0-9]{0,17})")
_PATH_MOST: Final = 126
_BACK: Final = (
    "Nothing was signed. If a copy was put back on purpose: handledger seal --restored --new-key --key NEW-FILE "
    "says so on record, and signs on as another log."
)


class Request(NamedTuple):
    """What a witness is asked: that the log of `checkpoint` begins with the `old` leaves it saw.

    As a file it is the body that c2sp.org/tlog-witness sends to `add-checkpoint`.
    """

    old: int
    path: tuple[bytes, ...]
    checkpoint: str  # a signed note

    def __str__(self) -> str:
        """Return the request as a file."""
        hashes = [base64.b64encode(step).decode() for step in self.path]
        return "\n".join([f"old {self.old}", *hashes, ""]) + "\n" + self.checkpoint


def read_request(text: str) -> Request:
    """Take a request apart; nothing is verified. `ProofError` if it is not written as one."""
    above, gap, checkpoint = text.partition("\n\n")
    first, *hashes = above.split("\n")
    old = _REQUEST.fullmatch(first)
    if not gap or old is None or len(hashes) > _PATH_MOST:
        raise ProofError("the file is no request to a witness")
    path = []
    for told in hashes:
        try:
            step = base64.b64decode(told.encode("ascii"), validate=True)
        except ValueError:
            step = b""
        if len(step) != HASH or base64.b64encode(step).decode() != told:
            raise ProofError("a hash of the request is not written as it should be")
        path.append(step)
    return Request(int(old[1]), tuple(path), checkpoint)


def opened(note: str, key: Key) -> tuple[Note, Checkpoint]:
    """Return a log's checkpoint, its signature verified; `ProofError` if `key` did not sign it."""
    taken = read_note(note)
    point = read_checkpoint(taken)
    if point.origin != key.name:
        raise ProofError(f"the checkpoint is of the log {point.origin}, the key is of {key.name}")
    if verified(taken, key) is None:
        raise ProofError(f"{key.name} did not sign this checkpoint with the key that is known")
    return taken, point


def sign_next(point: Checkpoint, last: str, signer: Signer, of: Node) -> str:
    """Return the signed note of `point`; `ForkError` if it contradicts the note signed `last`.

    `of` gives the nodes of the log's tree as it lies in the database.
    """
    if last:
        _, old = opened(last, signer.key)
        if point.size < old.size:
            raise ForkError(
                f"the log has {point.size} commits; {old.size} were signed before",
                evidence(last, point, "the log is shorter than it was"),
                f"An old copy may have been restored. {_BACK}",
            )
        path = consistency(old.size, point.size, of)
        if not consistent(old.size, old.root, point.size, point.root, path):
            raise ForkError(
                f"the first {old.size} commits are not those that were signed before",
                evidence(last, point, "the log was rewritten"),
                _BACK,
            )
    return signed(str(point), signer)


def evidence(signed_before: str, now: Checkpoint, what: str) -> str:
    """Return a text that shows a contradiction: what was signed, and what the log says now."""
    return f"{what}\n\n--- what was signed before\n{signed_before}\n--- what the log says now, not signed\n{now}"


def witness(request: Request, log: Key, seen: str, signer: Signer, time: int) -> str:
    """Return the checkpoint with this witness's cosignature; `ForkError` if it contradicts `seen`.

    `seen` is the checkpoint that the witness cosigned last, "" = none; `time` in seconds.
    """
    _, point = opened(request.checkpoint, log)
    if not seen:
        if request.old or request.path:
            raise ProofError("this witness has seen nothing yet", "Ask it with old 0 and no hashes.")
        return cosigned(request.checkpoint, signer, time)
    _, old = opened(seen, log)
    if point == old:
        return cosigned(request.checkpoint, signer, time)
    if request.old != old.size:
        raise ProofError(
            f"this witness saw {old.size} commits, the request goes on from {request.old}",
            f"handledger seal --for-witness {old.size} writes the request it can check.",
        )
    if point.size < old.size or not consistent(old.size, old.root, point.size, point.root, request.path):
        raise ForkError(
            f"the log does not begin with the {old.size} commits that this witness saw",
            evidence(seen, point, "two checkpoints of one log contradict each other")
            + f"\n--- as signed\n{request.checkpoint}",
            "Nothing was cosigned. Keep both: they prove it.",
        )
    return cosigned(request.checkpoint, signer, time)


def request(old: int, point: Checkpoint, note: str, of: Node) -> Request:
    """Return what a witness that saw `old` commits needs in order to cosign `note`."""
    return Request(old, tuple(consistency(old, point.size, of)), note)


def path_of(leaf: int, size: int, of: Node) -> Sequence[bytes]:
    """Return the path of a leaf to the root of `size` leaves."""
    return inclusion(leaf, size, of)
