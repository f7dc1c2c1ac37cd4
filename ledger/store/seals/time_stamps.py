"""Time stamps of a ledger's checkpoints: kept beside them, one or more for each."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple
from uuid import UUID

from ledger.errors import ProofError
from ledger.seal import proof_errors, stamps
from ledger.seal.note import strip_cosignatures
from ledger.store.ledger import Ledger
from ledger.store.seals import sealer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cryptography.x509 import Certificate

_MAX_STAMPS: Final = 64
"""Time stamps stored for one checkpoint at most; nobody needs more."""


class Stamped(NamedTuple):
    """A stored time stamp. `is_new`: it wasn't stored before."""

    size: int  # commits that its checkpoint covers
    checked_stamp: stamps.TrustedTime
    is_new: bool


def request_stamp(ledger: Ledger) -> bytes:
    """Return what to send to a time stamping authority, for the newest checkpoint."""
    return stamps.build_stamp_request(strip_cosignatures(sealer.checkpoint(ledger)))


def add_stamp(ledger: Ledger, answer: bytes, roots: Sequence[Certificate]) -> Stamped:
    """Store an authority's answer; `ProofError` unless it stamps a checkpoint of this ledger.

    `roots` are the trusted certificates.
    """
    stamp_info = stamps.read_stamp(answer)
    for size, note in _read_checkpoints(ledger):
        signed_bytes = strip_cosignatures(note)
        if hashlib.new(stamp_info.hash, signed_bytes).digest() == stamp_info.imprint:
            checked_stamp = stamps.verify_stamp(answer, signed_bytes, roots)
            return Stamped(size, checked_stamp, _store_stamp(ledger, size, answer))
    raise proof_errors.stamp_of_other_ledger()


def _store_stamp(ledger: Ledger, size: int, answer: bytes) -> bool:
    if not _has_stamps(ledger):
        from ledger.store.database import tables  # noqa: PLC0415 - it loads SQLAlchemy, once in a ledger

        with ledger.database.core(write=True) as core:
            tables.LATER_TABLES.create_all(core, tables=[tables.stamps])
    with ledger.writing() as link:
        stamp_rows = link.execute(
            "SELECT number, answer FROM stamps WHERE size = ? ORDER BY number", (size,)
        ).fetchall()
        if any(bytes(row[1]) == answer for row in stamp_rows):
            return False
        if len(stamp_rows) >= _MAX_STAMPS:
            raise proof_errors.too_many_stamps(_MAX_STAMPS)
        link.execute("INSERT INTO stamps (size, number, answer) VALUES (?, ?, ?)", (size, len(stamp_rows) + 1, answer))
    return True


def list_stamps(ledger: Ledger, size: int) -> list[bytes]:
    """Return the time stamps of the checkpoint of `size` commits, in the order they came in."""
    return [answer for _, answer in list_all_stamps(ledger, size)]


def list_all_stamps(ledger: Ledger, size: int | None = None) -> list[tuple[int, bytes]]:
    """Return all time stamps with the sizes of their checkpoints; only those of `size`, if given."""
    if not _has_stamps(ledger):
        return []
    with ledger.database.reading() as link:
        rows = link.execute(
            "SELECT size, answer FROM stamps ORDER BY size, number"
            if size is None
            else "SELECT size, answer FROM stamps WHERE size = ? ORDER BY number",
            () if size is None else (size,),
        ).fetchall()
    return [(int(row[0]), bytes(row[1])) for row in rows]


def check_stamps(ledger: Ledger, roots: Sequence[Certificate]) -> Iterator[tuple[int, stamps.TrustedTime | ProofError]]:
    """Yield for each time stamp its checkpoint's size and the checked stamp, or the error."""
    for size, answer in list_all_stamps(ledger):
        try:
            checked_stamp = stamps.verify_stamp(answer, strip_cosignatures(sealer.checkpoint(ledger, size)), roots)
        except ProofError as error:
            yield size, error
        else:
            yield size, checked_stamp


def find_proving_checkpoint(ledger: Ledger, stream: UUID) -> str:
    """Return the checkpoint that proves a stream best.

    That is the first stamped one that covers it, for the earliest time; without one, the newest.
    """
    commits = ledger.stream(stream)
    sizes = sorted({size for size, _ in list_all_stamps(ledger)})
    if commits and sizes:
        tiles = sealer.tiles_of(ledger)
        with ledger.database.reading() as link:
            try:
                leaf = tiles.leaf_index(link, commits[-1].position)
            except ProofError:  # not sealed yet: `prove` raises the error
                sizes = []
        for size in sizes:
            if leaf < size:
                return sealer.checkpoint(ledger, size)
    return sealer.checkpoint(ledger)


def _read_checkpoints(ledger: Ledger) -> Iterator[tuple[int, str]]:
    """Yield size and note of every kept checkpoint, the newest first."""
    if sealer.tiles_of(ledger).has_tables():
        with ledger.database.reading() as link:
            rows = link.execute("SELECT size, note FROM checkpoints ORDER BY size DESC").fetchall()
        yield from ((int(size), str(note)) for size, note in rows)


def _has_stamps(ledger: Ledger) -> bool:
    return ledger.database.has_table("stamps")
