"""Verify kept checkpoints: the log names each of them and the key that signed it.

Part of `ledger.store.verify`. `ledger.seal` reads and checks the signatures; it knows no store.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection

from ledger.errors import HandledgerError
from ledger.seal.note import PublicKey, read_checkpoint, read_key, read_note, verify_signature
from ledger.store.commits import IntegrityProblem
from ledger.store.database.raw_connection import has_table
from ledger.store.verify.log_claims import LogClaims


def check_checkpoints(connection: Connection, claims: LogClaims) -> Iterator[IntegrityProblem]:
    """Compare the kept checkpoints with those that the log says were signed."""
    signed_events = {event[1]: event for event in claims.house_events("CheckpointSigned") if len(event) > 3}
    notes_by_size = _read_notes(connection)
    for size in sorted(signed_events.keys() - notes_by_size.keys()):
        yield IntegrityProblem(None, "checkpoint", f"the checkpoint of {size} commits, which the log names, is gone")
    for size, note in notes_by_size.items():
        subject = f"the ledger's checkpoint of {size} commits"
        event = signed_events.get(size)
        if event is None:
            yield IntegrityProblem(None, "checkpoint", f"the log does not say that {subject} was signed")
            continue
        reason = _find_checkpoint_fault(size, note, event[2], event[3])
        if reason:
            yield IntegrityProblem(None, "checkpoint", f"{subject}: {reason}")


def _read_notes(connection: Connection) -> dict[int, str]:
    """Return the kept checkpoints by their size, ascending."""
    if not has_table(connection, "checkpoints"):
        return {}
    rows = connection.exec_driver_sql("SELECT size, note FROM checkpoints ORDER BY size")
    return {int(size): str(note) for size, note in rows}


def _find_checkpoint_fault(size: int, note: str, root: str, key_text: str) -> str:
    """Return what is wrong with a kept checkpoint, "" if it is the one that the log names."""
    try:
        signed_note, verifier_key = read_note(note), read_key(key_text)
        checkpoint = read_checkpoint(signed_note)
        if (checkpoint.size, checkpoint.root.hex()) != (size, root):
            return "it is not the one that the log names"
        if checkpoint.origin != verifier_key.name or verify_signature(signed_note, verifier_key) is None:
            return "it is not signed by the key that the log names"
    except HandledgerError as error:
        return error.message
    return ""


def count_signed_by(connection: Connection, keys: list[PublicKey]) -> tuple[int, list[IntegrityProblem]]:
    """Return how many kept checkpoints one of `keys` signed, and what is wrong.

    The keys come from elsewhere: a person who rewrites a ledger can't sign with them. The newest
    checkpoint covers everything signed before, so one of them must have signed it. A key that was
    replaced since may have signed an older one.
    """
    count, reason = 0, "the ledger holds no checkpoint that a key could have signed"
    for size, note in _read_notes(connection).items():
        reason = ""
        try:
            signed_note = read_note(note)
            signing_keys = [key for key in keys if verify_signature(signed_note, key) is not None]
        except HandledgerError as error:
            return count, [IntegrityProblem(None, "checkpoint", f"the checkpoint of {size} commits: {error.message}")]
        count += bool(signing_keys)
        if not signing_keys:
            reason = f"the ledger's checkpoint of {size} commits is not signed by a key that was given"
    return count, [IntegrityProblem(None, "checkpoint", reason)] if reason else []
