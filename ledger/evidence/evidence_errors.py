"""Errors of writing and checking evidence: what is wrong with the file or the command, and what to type."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.errors import (
    AddressError,
    NothingFoundError,
    NotSealedError,
    ProofError,
    RulebookError,
    SigningKeyError,
    UsageError,
)

# Writing evidence


def verifier_in_the_way(path: str) -> UsageError:
    """Return the error for another file where the single-file verifier goes."""
    return UsageError(f"{path} already exists and is another file", "Write the evidence to another folder.")


def book_for_case(command: str) -> UsageError:
    """Return the error for a rulebook with evidence of a case; `command` makes the evidence of its first hand, or ""."""
    hint = "Leave out -r. Give it with the evidence of the case's hands"
    return UsageError("a rulebook judges hands, and this is a case", f"{hint}: {command}" if command else f"{hint}.")


def never_sealed() -> NotSealedError:
    """Return the error for a ledger that nobody signed."""
    return NotSealedError(
        "this ledger was never sealed, so nothing in it can be proved",
        "Seal it first, under your room's name: handledger seal --new-key --key room.key --name room.example",
    )


def unknown_stream() -> NothingFoundError:
    """Return the error for a hand or case that the ledger doesn't have."""
    return NothingFoundError("this ledger has no such hand or case", "handledger log lists the hands.")


def same_book_names() -> UsageError:
    """Return the error for two rulebooks of one name."""
    return UsageError("two rulebooks would have the same name in the evidence", "Rename one of the files.")


def unknown_audience(name: str) -> UsageError:
    """Return the error for a reader of the evidence who isn't at the table."""
    return UsageError(
        f"nobody is called {name!r} here",
        "Write house, public, or the name or id of a player at the table or of a person in the case.",
    )


def log_key_damaged(reason: str) -> ProofError:
    """Return the error for a ledger whose own key can't be read."""
    return ProofError(f"the ledger's public key can't be read: {reason}", "Run handledger verify: it lists the damage.")


def evidence_not_valid(reason: str, code: str, *, is_too_large: bool) -> ProofError:
    """Return the error for evidence that its reader would refuse."""
    return ProofError(
        f"this evidence would be refused, so it wasn't written: {reason} ({code})",
        "A hand with thousands of commits must be sealed as it goes: handledger seal --every."
        if is_too_large
        else "Run handledger verify: it lists the damage in this ledger.",
    )


# Evidence from a lake


def no_cases_in_lake() -> UsageError:
    """Return the error for evidence of a case from a lake."""
    return UsageError("a lake has no cases", "Leave out --lake: the ledger that keeps the case writes its evidence.")


def purpose_in_lake() -> UsageError:
    """Return the error for a purpose without a ledger that records it."""
    return UsageError("a lake doesn't record a purpose", "Name the ledger that records it: --ledger LEDGER.")


def other_checkpoint_in_lake(commit_count: int) -> UsageError:
    """Return the error for a checkpoint that the lake doesn't have."""
    return UsageError(
        f"this lake has one checkpoint, of {commit_count:,} commits", "Leave out --checkpoint, or --lake."
    )


def ambiguous_lake_hand(address: str, stream_ids: Sequence[str]) -> AddressError:
    """Return the error for a number that several hands of a lake have."""
    return AddressError(
        f"{len(stream_ids)} hands of this lake are called {address!r}",
        f"Choose one by its id: {', '.join(stream_ids[:9])}",
    )


def unknown_lake_hand(address: str) -> NothingFoundError:
    """Return the error for a hand that a lake doesn't have."""
    return NothingFoundError(
        f"no hand {address!r} in this lake", "Name it by its number or id. handledger lake audit lists them."
    )


# Checking evidence


def several_log_keys() -> UsageError:
    """Return the error for `--key` given twice."""
    return UsageError("evidence has one log, so it needs one --key", "Give --key once. For witnesses: --witness KEY.")


def not_a_file(path: str, *, is_folder: bool) -> UsageError:
    """Return the error for a folder, a pipe or a device."""
    return UsageError(
        f"{path} is a folder, but not a lake" if is_folder else f"{path} isn't a file",
        "Name a file of evidence, or the folder of a lake.",
    )


def no_file(path: str) -> UsageError:
    """Return the error for a path that leads nowhere."""
    return UsageError(f"there is no file {path}", "Check the spelling.")


def unreadable_file(path: str, reason: str) -> UsageError:
    """Return the error for a file that the system doesn't let us read; `reason`: what the system says."""
    return UsageError(f"{path} can't be read: {reason}", "Check that it can be read, then try again.")


def ledger_not_evidence(path: str, name: str) -> UsageError:
    """Return the error for a ledger; `name` is its path as a shell reads it."""
    return UsageError(f"{path} is a ledger, not evidence", f"Use: handledger verify --ledger {name}")


def checkpoint_not_evidence(path: str, name: str) -> UsageError:
    """Return the error for a checkpoint; `name` is its path as a shell reads it."""
    return UsageError(f"{path} is a checkpoint, not evidence", f"Use: handledger verify --against {name}")


def keys_do_not_fit(reason: str) -> UsageError:
    """Return the error for keys that contradict each other; `reason`: what the single-file verifier says."""
    return UsageError(reason, "Write: handledger verify FILE --key KEY [--witness KEY ...] [--quorum N]")


def bad_public_key() -> SigningKeyError:
    """Return the error for a public key that can't be read."""
    return SigningKeyError("this isn't a public key, or it is damaged", "Paste the whole key as it was printed.")


def proof_not_text() -> ProofError:
    """Return the error for a proof in other bytes than text."""
    return ProofError("a proof in this evidence isn't text", _DAMAGED_HINT)


def commit_not_signed(member: str) -> ProofError:
    """Return the error for a commit that the signed log doesn't have."""
    return ProofError(f"the commit of {member} is not in the log that was signed", _DAMAGED_HINT)


def different_checkpoints() -> ProofError:
    """Return the error for proofs that don't lead to one checkpoint."""
    return ProofError("the proofs lead to different checkpoints, or there are none", _DAMAGED_HINT)


def too_few_witnesses() -> ProofError:
    """Return the error for a checkpoint without enough cosignatures."""
    return ProofError("too few of the witnesses cosigned", "Ask the witnesses to cosign, or lower --quorum.")


def bad_book_in_evidence(name: str, reason: str) -> RulebookError:
    """Return the error for a rulebook in the evidence that can't be read."""
    return RulebookError(f"{name} isn't a rulebook ({reason})", _DAMAGED_HINT)


_DAMAGED_HINT = "The evidence is damaged or was changed. Ask for it again."
