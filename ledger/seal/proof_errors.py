"""Errors of checkpoints and proofs: what in a signed file is wrong, and where to get a good one."""

from __future__ import annotations

from typing import Final

from ledger.errors import NotSealedError, ProofError

_COPY_HINT: Final = "The file was changed or cut off. Ask its sender for it again."
_SEAL_HINT: Final = "Seal the ledger again: handledger seal"

# A signed note


def note_too_long() -> ProofError:
    """Return the error for a note that is longer than any checkpoint."""
    return ProofError("the note is too long", _COPY_HINT)


def note_not_plain() -> ProofError:
    """Return the error for a note with control characters."""
    return ProofError("the note has control characters", _COPY_HINT)


def note_not_text(path: str) -> ProofError:
    """Return the error for a file of bytes where a checkpoint or a request is expected."""
    return ProofError(
        f"{path} isn't text, so it can't be a checkpoint or a request", "Name the file that handledger seal wrote."
    )


def note_without_signatures() -> ProofError:
    """Return the error for a text without signatures."""
    return ProofError("the note has no signatures", _COPY_HINT)


def too_many_signatures() -> ProofError:
    """Return the error for a note with very many signatures."""
    return ProofError("the note has too many signatures", "Keep the log's and those of your witnesses.")


def signature_line_wrong() -> ProofError:
    """Return the error for a line that should be a signature."""
    return ProofError("a line of the note isn't a signature", _COPY_HINT)


def signature_too_short() -> ProofError:
    """Return the error for a signature that lacks bytes."""
    return ProofError("a signature of the note is too short", _COPY_HINT)


def signature_length_wrong(key_name: str) -> ProofError:
    """Return the error for a signature with more or fewer bytes than its key makes."""
    return ProofError(f"the signature of {key_name} has the wrong length", _COPY_HINT)


def signature_wrong(key_name: str) -> ProofError:
    """Return the error for a signature of another text."""
    return ProofError(
        f"the signature of {key_name} doesn't fit the text",
        f"The text or the signature was changed: don't trust it. Ask {key_name} for the original.",
    )


def log_signature_missing() -> ProofError:
    """Return the error for a checkpoint that its own log didn't sign."""
    return ProofError("the log itself didn't sign this checkpoint", "Ask the room for its checkpoint again.")


def checkpoint_lines_wrong() -> ProofError:
    """Return the error for a signed text that isn't a checkpoint."""
    return ProofError("a checkpoint has three lines: origin, size, root", _COPY_HINT)


def checkpoint_malformed() -> ProofError:
    """Return the error for a checkpoint whose origin or size can't be read."""
    return ProofError("the checkpoint's origin or size is malformed", _COPY_HINT)


# A proof


def proof_too_long() -> ProofError:
    """Return the error for a proof that is longer than any."""
    return ProofError("the proof is too long", _COPY_HINT)


def proof_too_short() -> ProofError:
    """Return the error for a proof that lacks hashes."""
    return ProofError("the proof is too short", _COPY_HINT)


def not_a_proof() -> ProofError:
    """Return the error for a file that isn't a proof of inclusion."""
    return ProofError("this file isn't a proof of inclusion", "Use the proof as handledger evidence wrote it.")


def proof_malformed() -> ProofError:
    """Return the error for a proof whose index or length can't be read."""
    return ProofError("the proof's index or length is malformed", _COPY_HINT)


def hash_length_wrong() -> ProofError:
    """Return the error for a hash with more or fewer bytes than it has."""
    return ProofError("a hash has the wrong length", _COPY_HINT)


def not_base64(part_name: str) -> ProofError:
    """Return the error for bytes that aren't in base64; `part_name`: what they are."""
    return ProofError(f"a {part_name} isn't in base64", _COPY_HINT)


def base64_unusual(part_name: str) -> ProofError:
    """Return the error for bytes in base64 that nobody writes so; `part_name`: what they are."""
    return ProofError(f"a {part_name} is in base64 that isn't written the usual way", _COPY_HINT)


def leaf_missing(leaf_index: int, tree_size: int) -> ProofError:
    """Return the error for a proof of a leaf that the log doesn't have."""
    return ProofError(
        f"a tree of {tree_size} leaves has no leaf {leaf_index}", "The proof is from another log, or was changed."
    )


def log_too_short(old_size: int, new_size: int) -> ProofError:
    """Return the error for going on from more leaves than the log has."""
    return ProofError(
        f"a tree of {new_size} leaves can't begin with {old_size}", f"Go on from {new_size} leaves at most."
    )


# What a ledger keeps


def no_checkpoint() -> ProofError:
    """Return the error for a checkpoint that the ledger doesn't have."""
    return ProofError("this ledger has no such checkpoint", "Sign one: handledger seal")


def no_checkpoint_of_size(size: int, known_sizes: str) -> NotSealedError:
    """Return the error for a checkpoint of a size that nobody signed; `known_sizes`: which there are."""
    return NotSealedError(f"no checkpoint of {size:,} commits", known_sizes)


def signer_unknown(size: int) -> ProofError:
    """Return the error for a checkpoint whose key the log doesn't name."""
    return ProofError(
        f"the log doesn't name who signed the checkpoint of {size} commits", "Find the damage: handledger verify"
    )


def event_after_checkpoint() -> ProofError:
    """Return the error for proving an event that came later than the checkpoint."""
    return ProofError("the event came after that checkpoint", _SEAL_HINT)


def event_not_sealed() -> NotSealedError:
    """Return the error for an event after the last checkpoint."""
    return NotSealedError("the event is not in the sealed part of the log", "Seal the ledger first: handledger seal")


def checkpoint_of_other_ledger() -> ProofError:
    """Return the error for cosignatures of a checkpoint that this ledger didn't sign."""
    return ProofError("the checkpoint isn't one of this ledger", "Name the ledger that signed it: --ledger LEDGER")


def tree_node_missing() -> ProofError:
    """Return the error for a stored tree that lacks hashes."""
    return ProofError("the stored tree of hashes is incomplete", _SEAL_HINT)


def stamp_of_other_ledger() -> ProofError:
    """Return the error for a time stamp over nothing that this ledger signed."""
    return ProofError(
        "the time stamp is over no checkpoint of this ledger",
        "Ask an authority to stamp the newest: handledger seal --for-timestamp -o FILE",
    )


def too_many_stamps(maximum: int) -> ProofError:
    """Return the error for another time stamp of a checkpoint that has many."""
    return ProofError(f"this checkpoint has {maximum} time stamps already", "Leave this one out: one is enough.")
