"""Verifies kept checkpoints: signed by the key that the log names, each of those that the log names.

Part of `ledger.store.verify`. Signatures are read and checked by `ledger.seal`, which knows no store.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection

from ledger.errors import HandledgerError
from ledger.seal.note import Key, read_checkpoint, read_key, read_note, verified
from ledger.store.commits import Problem
from ledger.store.database.raw_connection import there
from ledger.store.verify.log_claims import Said


def check_checkpoints(connection: Connection, said: Said) -> Iterator[Problem]:
    """Compare the kept checkpoints with those that the log says were signed."""
    told = {event[1]: event for event in said.told("CheckpointSigned") if len(event) > 3}
    kept = _kept(connection)
    for size in sorted(told.keys() - kept.keys()):
        yield Problem(None, "checkpoint", f"the checkpoint of {size} commits, which the log names, is gone")
    for size, note in kept.items():
        what = f"the ledger's checkpoint of {size} commits"
        event = told.get(size)
        if event is None:
            yield Problem(None, "checkpoint", f"the log does not say that {what} was signed")
            continue
        wrong = _wrong(size, note, event[2], event[3])
        if wrong:
            yield Problem(None, "checkpoint", f"{what}: {wrong}")


def _kept(connection: Connection) -> dict[int, str]:
    """Return the kept checkpoints by their size, ascending."""
    if not there(connection, "checkpoints"):
        return {}
    rows = connection.exec_driver_sql("SELECT size, note FROM checkpoints ORDER BY size")
    return {int(size): str(note) for size, note in rows}


def _wrong(size: int, note: str, root: str, signer: str) -> str:
    """Return what is wrong with a kept checkpoint; nothing if it is the one that the log names."""
    try:
        taken, key = read_note(note), read_key(signer)
        point = read_checkpoint(taken)
        if (point.size, point.root.hex()) != (size, root):
            return "it is not the one that the log names"
        if point.origin != key.name or verified(taken, key) is None:
            return "it is not signed by the key that the log names"
    except HandledgerError as error:
        return error.message
    return ""


def signed_by(connection: Connection, keys: list[Key]) -> tuple[int, list[Problem]]:
    """Return how many kept checkpoints one of `keys` signed, and what is wrong.

    The keys come from elsewhere: whoever rewrites a ledger cannot sign under them. The newest
    checkpoint covers all that was signed before, so it must be theirs; an older one may have been
    signed by a key that was replaced since.
    """
    count, reason = 0, "the ledger holds no checkpoint that a key could have signed"
    for size, note in _kept(connection).items():
        reason = ""
        try:
            taken = read_note(note)
            signed = [key for key in keys if verified(taken, key) is not None]
        except HandledgerError as error:
            return count, [Problem(None, "checkpoint", f"the checkpoint of {size} commits: {error.message}")]
        count += bool(signed)
        if not signed:
            reason = f"the ledger's checkpoint of {size} commits is not signed by a key that was given"
    return count, [Problem(None, "checkpoint", reason)] if reason else []
