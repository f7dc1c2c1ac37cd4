"""Errors of verifying, sealing and cosigning: which key, signature, checkpoint or time stamp is wrong, and what to do."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.errors import ProofError, SigningKeyError, StoreError, UsageError

# Options that don't fit


def ledger_option_for_evidence(option: str) -> UsageError:
    """Return the error for an option of a whole ledger beside a file of evidence."""
    return UsageError(f"{option} is for a whole ledger, not for evidence", f"Leave out {option}.")


def evidence_option_for_ledger() -> UsageError:
    """Return the error for options of evidence beside a whole ledger."""
    return UsageError(
        "--witness and --quorum are for evidence, not for a whole ledger", "Name the evidence file, or leave them out."
    )


def ledger_option_for_lake() -> UsageError:
    """Return the error for options of a ledger beside a lake."""
    return UsageError("--tsa and --tables are for a ledger: a lake has no time stamps and no tables", "Leave them out.")


def ledger_named(subject: str) -> UsageError:
    """Return the error for `--ledger` beside a lake or evidence."""
    return UsageError(f"{subject} is checked without a ledger", "Leave out --ledger.")


def options_exclude(options: Sequence[str]) -> UsageError:
    """Return the error for several tasks in one command."""
    return UsageError(f"{', '.join(options[:-1])} and {options[-1]} exclude each other", "Use one of them.")


def restored_needs_new_key() -> UsageError:
    """Return the error for `--restored` without a new key, or with another task."""
    return UsageError(
        "a restored ledger needs a new key, and no other task in the same command",
        "For example: handledger seal --restored --new-key --key new-room.key",
    )


def lake_and_ledger() -> UsageError:
    """Return the error for sealing a lake and a ledger at once."""
    return UsageError("--lake and --ledger can't be signed at once", "Leave out one of them.")


def authority_without_stamp() -> UsageError:
    """Return the error for `--tsa` without a time stamp."""
    return UsageError("--tsa works only with --timestamped", "It names the authority whose time stamp you bring back.")


def verifier_process_lost() -> StoreError:
    """Return the error for a process that ended too early."""
    return StoreError(
        "a process that was verifying stopped before it finished", "Try again. With --jobs 1 it needs less memory."
    )


# Keys


def not_a_public_key() -> SigningKeyError:
    """Return the error for a text that isn't a public key."""
    return SigningKeyError(
        "that isn't a public key: name+id+base64", "Paste the whole line that `handledger seal` printed."
    )


def public_key_damaged(reason: str) -> SigningKeyError:
    """Return the error for a public key that was cut or changed."""
    return SigningKeyError(reason, "Paste the whole key as it was printed.")


def public_key_id_wrong() -> SigningKeyError:
    """Return the error for a public key whose id doesn't match."""
    return SigningKeyError("the key is damaged: its id doesn't match", "Paste the whole key as it was printed.")


def other_kind_of_key() -> SigningKeyError:
    """Return the error for a public key of another kind."""
    return SigningKeyError("this key isn't an Ed25519 key", "Use the key that `handledger seal` printed.")


def bad_key_name() -> SigningKeyError:
    """Return the error for a key's name that can't be one."""
    return SigningKeyError(
        "a key's name is 1 to 300 characters without blanks and plus signs", "Choose a name such as room.example."
    )


def key_file_exists(path: str) -> SigningKeyError:
    """Return the error for a new key where another one lies."""
    return SigningKeyError(f"there is a key file at {path} already", "Name another, or use this one.")


def key_file_not_made(path: str, reason: str) -> SigningKeyError:
    """Return the error for a key file that the system doesn't let us write."""
    return SigningKeyError(f"no key file can be made at {path}: {reason}", "Name another place with --key.")


def key_file_open(path: str, shell_path: str) -> SigningKeyError:
    """Return the error for a key file that other users can read."""
    return SigningKeyError(
        f"other users can read the key file {path}",
        f"If nobody has read it: chmod 600 {shell_path}. Otherwise make a new key.",
    )


def key_file_unreadable(path: str, shell_path: str, reason: str) -> SigningKeyError:
    """Return the error for a key file that can't be read."""
    return SigningKeyError(
        f"the key file {path} can't be read: {reason}",
        f"To make a new key: handledger seal --new-key --key {shell_path}",
    )


def passphrase_needed(path: str) -> SigningKeyError:
    """Return the error for a key file with a passphrase that wasn't given."""
    return SigningKeyError(
        f"the key file {path} needs its passphrase",
        "Type it with --passphrase, or name its file: --passphrase-file FILE",
    )


def no_passphrase(path: str) -> SigningKeyError:
    """Return the error for a passphrase of a key file that has none."""
    return SigningKeyError(f"the key file {path} has no passphrase", "Leave the passphrase out.")


def key_file_damaged(path: str) -> SigningKeyError:
    """Return the error for a key file that doesn't open."""
    return SigningKeyError(
        f"{path} isn't a key file, or this isn't its passphrase", "Check the file and type the passphrase again."
    )


def key_file_of_other_kind(path: str) -> SigningKeyError:
    """Return the error for a key file of another kind."""
    return SigningKeyError(
        f"the key in {path} isn't an Ed25519 key", "Name the file that `handledger seal --new-key` made."
    )


def signed_note_unreadable(path: str, reason: str) -> SigningKeyError:
    """Return the error for the memory of a key that can't be read."""
    return SigningKeyError(
        f"{path}, with what this key signed last, can't be read: {reason}", "Put it back from a backup."
    )


def signed_note_unwritable(path: str, reason: str) -> SigningKeyError:
    """Return the error for the memory of a key that can't be written."""
    return SigningKeyError(
        f"{path}, which keeps what this key signs, can't be written: {reason}",
        "Nothing was signed. Free some space, or make the folder writable.",
    )


def key_of_other_name(earlier_name: str, name: str) -> UsageError:
    """Return the error for a key that signed under another name."""
    return UsageError(f"this key signed as {earlier_name} so far, not as {name}", "Make another key for another name.")


def key_of_other_ledger(earlier_origin: str, origin: str) -> UsageError:
    """Return the error for a key that signs for another ledger."""
    return UsageError(
        f"this key signs for {earlier_origin}; this ledger is {origin}",
        "Use the key of this ledger, or make one with --new-key.",
    )


# Checkpoints


def checkpoint_file_wrong(path: str, reason: str, hint: str) -> ProofError:
    """Return the error for a checkpoint file; `reason`: what is wrong in it."""
    return ProofError(f"{path}: {reason}", hint or "Use the file as handledger seal wrote it.")


def checkpoint_not_signed(path: str, key_name: str) -> ProofError:
    """Return the error for a checkpoint file that a given key didn't sign."""
    return ProofError(
        f"{path} is not signed by {key_name} with the key that was given", "Check both: the file, and the key."
    )


def checkpoint_of_other_log(origin: str, key_name: str) -> ProofError:
    """Return the error for a checkpoint of another log than the key's."""
    return ProofError(f"the checkpoint is from the log {origin}, the key from {key_name}", "Use the key of that log.")


def signature_missing(key_name: str) -> ProofError:
    """Return the error for a checkpoint that its log's key didn't sign."""
    return ProofError(
        f"{key_name} did not sign this checkpoint with the known key",
        "Ask the room for its checkpoint again, and compare its public key.",
    )


def not_a_request() -> ProofError:
    """Return the error for a file that isn't a request to a witness."""
    return ProofError("this file isn't a request to a witness", "Write one: handledger seal --for-witness SIZE -o FILE")


def bad_hash_in_request() -> ProofError:
    """Return the error for a request with a damaged hash."""
    return ProofError("a hash in the request is damaged", "Write the request again: handledger seal --for-witness")


def witness_is_new() -> ProofError:
    """Return the error for a request that goes on from what a new witness never saw."""
    return ProofError(
        "this witness has seen nothing yet", "Write a request from the start: handledger seal --for-witness 0"
    )


def witness_saw_other_size(seen_count: int, request_count: int) -> ProofError:
    """Return the error for a request that goes on from elsewhere than the witness has seen."""
    return ProofError(
        f"this witness saw {seen_count} commits, but the request goes on from {request_count}",
        f"handledger seal --for-witness {seen_count} writes the request it can check.",
    )


# Time stamps


def stamp_damaged() -> ProofError:
    """Return the error for a file that isn't a time stamp."""
    return ProofError(
        "this file isn't an answer of a time stamping authority, or it is damaged",
        "Use the file as the authority sent it (application/timestamp-reply).",
    )


def stamp_hash_unknown() -> ProofError:
    """Return the error for a time stamp over another kind of hash."""
    return ProofError("this time stamp isn't over SHA-256, 384 or 512", "Ask the authority for one over SHA-256.")


def stamp_of_other_checkpoint() -> ProofError:
    """Return the error for a time stamp over something else."""
    return ProofError(
        "the time stamp isn't over this checkpoint", "Use the time stamp that answers this checkpoint's request."
    )


def stamp_not_trusted(reason: str) -> ProofError:
    """Return the error for a time stamp of an authority that isn't trusted here."""
    return ProofError(
        f"no trusted authority made this time stamp: {reason}",
        "Get the authority's root certificate from the authority itself, and give it with --tsa.",
    )


def stamp_ambiguous() -> ProofError:
    """Return the error for a time stamp with two meanings."""
    return ProofError("the time stamp can be read in two ways", "Don't trust it. Ask the authority for another.")


def stamp_signer_unknown() -> ProofError:
    """Return the error for a time stamp that doesn't name the certificate that signed it."""
    return ProofError(
        "the time stamp doesn't name the certificate that signed it", "Ask the authority for one with its certificate."
    )


def stamp_too_long() -> ProofError:
    """Return the error for an answer that is longer than any time stamp."""
    return ProofError("the authority's answer is too long for a time stamp", "Use the file as the authority sent it.")


def stamp_refused(status: str, details: str) -> ProofError:
    """Return the error for an authority that gave no time stamp; `details`: what it says, "" if nothing."""
    reason = f"{status}: {details}" if details else status
    return ProofError(f"the authority gave no time stamp: {reason}", "Ask it again, or ask another one.")


def roots_too_large() -> UsageError:
    """Return the error for a file of certificates of unusual size."""
    return UsageError("the file of root certificates is too large", "Keep only the authority's root certificate in it.")


def no_root_certificate() -> UsageError:
    """Return the error for a file without a certificate."""
    return UsageError(
        "this file has no certificate that can be read",
        "It must hold the authority's root certificate in PEM: -----BEGIN CERTIFICATE-----.",
    )
