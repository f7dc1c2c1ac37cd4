"""Seal a ledger: grow its tree, sign a checkpoint, store both, and prove events of the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple
from uuid import UUID

from ledger import chain
from ledger.entry import Provenance
from ledger.errors import ForkError, IntegrityError, NothingFoundError, ProofError
from ledger.hand.ending import HandSealed
from ledger.house.events import BackupRestored, CheckpointSigned
from ledger.seal import log as logs
from ledger.seal import proof_errors
from ledger.seal.keys import SignatureMemory
from ledger.seal.note import Checkpoint, InclusionProof, Signer, read_checkpoint, read_note
from ledger.seal.tree import compute_root_over
from ledger.store.commits import Commit
from ledger.store.ledger import Ledger
from ledger.store.seals.merkle_tiles import KeptTree, MerkleTiles, hash_commit_leaf
from ledger.streams import HOUSE

NAME: Final = "handledger"
"""The first part of a ledger's origin, unless its keepers chose a name."""


_SIZES_NAMED: Final = 5


class Sealed(NamedTuple):
    """A signed checkpoint of a ledger. `is_new`: signed just now; otherwise the log had no new commits."""

    checkpoint: Checkpoint
    note: str
    is_new: bool


def origin(ledger: Ledger, name: str = NAME) -> str:
    """Return the name that a ledger signs with: its keeper, its id, and how often it was restored."""
    return f"{name}/{ledger.id}/{_count_restores(ledger)}"


def _count_restores(ledger: Ledger) -> int:
    incarnations = [event.incarnation for event in ledger.events(HOUSE) if isinstance(event, BackupRestored)]
    return incarnations[-1] if incarnations else 1


def record_restore(ledger: Ledger) -> None:
    """Record that the ledger goes on from a restored copy: later signatures have another origin."""
    merkle_tiles = tiles_of(ledger)
    merkle_tiles.create_tables()
    with ledger.writing() as link:
        kept_tree, number = merkle_tiles.grow_tree(link), _count_restores(ledger) + 1
        restore_events = [BackupRestored(number, kept_tree.size, kept_tree.root.hex())]
        ledger.append_within(
            link, "house", HOUSE, restore_events, Provenance(ledger.now(), writer="seal", key=f"restored:{number}")
        )


def seal(
    ledger: Ledger, signer: Signer, memory: SignatureMemory, on_progress: Callable[[int], None] | None = None
) -> Sealed:
    """Sign the log in the database; it must begin with what was signed before.

    Signs nothing and raises `IntegrityError` if a row isn't what was recorded or the kept tree is damaged,
    `ForkError` if the log contradicts the last signature.
    """
    try:
        return _sign_checkpoint(ledger, signer, memory, on_progress)
    except (ForkError, ProofError, IntegrityError) as error:
        if is_tree_damaged(ledger, memory.read_last()):
            raise IntegrityError(
                "the stored tree is damaged; the log is what was signed",
                "Rebuild the tree from the log: handledger seal --repair-tree",
            ) from error
        raise


def is_tree_damaged(ledger: Ledger, last: str) -> bool:
    """Return whether the log matches the last signature, so that only the kept tree can be wrong."""
    signed_before = read_checkpoint(read_note(last)) if last else None
    leaves = []
    head = chain.START
    for commit in ledger.commits():
        leaves.append(hash_commit_leaf(commit))
        head = chain.compute_link(head, leaves[-1])
        if head != commit.hash:
            return False
    if signed_before is None:
        return True
    return len(leaves) >= signed_before.size and compute_root_over(leaves[: signed_before.size]) == signed_before.root


def repair_tree(ledger: Ledger) -> int:
    """Rebuild the kept tree from the log; return how many commits it covers.

    Raises `IntegrityError` if a row of the log isn't what was recorded; the kept tree then stays as it is.
    """
    merkle_tiles = tiles_of(ledger)
    merkle_tiles.create_tables()
    with ledger.writing() as link:
        link.execute("DELETE FROM tiles")
        return merkle_tiles.grow_tree(link).size


def _sign_checkpoint(
    ledger: Ledger, signer: Signer, memory: SignatureMemory, on_progress: Callable[[int], None] | None
) -> Sealed:
    merkle_tiles = tiles_of(ledger)
    merkle_tiles.create_tables()
    last_note = memory.read_last()
    with ledger.writing() as link:
        kept_tree = merkle_tiles.grow_tree(link, on_progress)
        next_checkpoint = Checkpoint(signer.key.name, kept_tree.size, kept_tree.root)
        note = logs.sign_next(next_checkpoint, last_note, signer, merkle_tiles.node_reader(link))
        is_new = not last_note or _has_new_commits(ledger, read_checkpoint(read_note(last_note)).size, kept_tree)
        if is_new:
            memory.keep(note)  # before anybody sees the note
        else:
            note = last_note
            next_checkpoint = read_checkpoint(read_note(last_note))
        link.execute(
            "INSERT INTO checkpoints (size, note) VALUES (?, ?) ON CONFLICT (size) DO NOTHING",
            (next_checkpoint.size, note),
        )
        if not _is_named_in_log(ledger, next_checkpoint.size):  # also after a crash between signing and storing
            ledger.append_within(
                link,
                "house",
                HOUSE,
                [CheckpointSigned(next_checkpoint.size, next_checkpoint.root.hex(), str(signer.key))],
                Provenance(ledger.now(), writer="seal", key=f"checkpoint:{next_checkpoint.size}"),
            )
    return Sealed(next_checkpoint, note, is_new)


def _is_named_in_log(ledger: Ledger, size: int) -> bool:
    """Return whether the log names a checkpoint of `size` commits."""
    return any(isinstance(e, CheckpointSigned) and e.size == size for e in ledger.events(HOUSE))


def _has_new_commits(ledger: Ledger, size: int, grown: KeptTree) -> bool:
    """Return whether the log has commits after the first `size`, apart from the note of their signing."""
    if grown.size != size + 1:
        return grown.size != size
    newest = next(iter(ledger.commits(grown.position - 1)))
    return newest.key != f"checkpoint:{size}"


def seal_hand(ledger: Ledger, stream: UUID) -> Commit:
    """End a live hand of many commits with a seal over them: that one commit then proves the hand.

    After a correction, a new seal covers all commits of the hand.
    """
    commits = ledger.stream(stream)
    if not commits:
        raise NothingFoundError("there is no such stream in this ledger")
    count = sum(commit.count for commit in commits)
    earlier_seals = sum(isinstance(event, HandSealed) for event in ledger.events(stream))
    first_position = commits[0].position - commits[0].count + 1
    hand_seal = HandSealed(
        count,
        compute_root_over(map(hash_commit_leaf, commits)).hex(),
        first_position,
        commits[-1].position,
        earlier_seals + 1,
    )
    return ledger.append(
        "hand",
        stream,
        [hand_seal],
        version=count + 1,
        recorded=Provenance(ledger.now(), writer="seal", key=f"sealed:{stream.hex}:{count}"),
    )


def seal_ended_hands(ledger: Ledger, position: int) -> tuple[int, bool]:
    """Seal each live hand that ended after a position; return the position reached.

    Also return whether a table's session ended, which is a reason to sign the ledger at once.
    """
    session_ended, ended_hands = False, dict[UUID, None]()
    for commit in ledger.commits(position):
        position = commit.position
        if commit.kind == "table" and b'["GameBroken"' in commit.data:
            session_ended = True
        elif commit.kind == "hand" and commit.version > 1:
            if b'["HandCompleted"' in commit.data:
                ended_hands[commit.stream] = None
            elif b'["HandSealed"' in commit.data:
                ended_hands.pop(commit.stream, None)
    for stream in ended_hands:
        seal_hand(ledger, stream)
    return position, session_ended


def tiles_of(ledger: Ledger) -> MerkleTiles:
    """Return the kept tree of a ledger."""
    return MerkleTiles(ledger.database, ledger.reader)


def read_sealed_position(ledger: Ledger) -> int:
    """Return the position up to which the kept tree covers the log, 0 if nothing was ever signed."""
    return tiles_of(ledger).sealed_position()


def checkpoint(ledger: Ledger, size: int | None = None, *, max_size: int | None = None) -> str:
    """Return the newest signed checkpoint, or that of `size` commits; `ProofError` if there is none.

    `max_size`: the newest of at most so many commits.
    """
    clauses, values = "ORDER BY size DESC LIMIT 1", list[int]()
    if size is not None:
        clauses, values = "WHERE size = ?", [size]
    elif max_size is not None:
        clauses, values = f"WHERE size <= ? {clauses}", [max_size]
    if tiles_of(ledger).has_tables():
        with ledger.database.reading() as link:
            row = link.execute(f"SELECT note FROM checkpoints {clauses}", tuple(values)).fetchone()  # noqa: S608 - of constants
        if row is not None:
            return str(row[0])
        sizes = _list_sizes(ledger)
        if size is not None and sizes:
            others = f"There is one of {sizes[-1]:,}." if len(sizes) == 1 else _name_sizes(sizes)
            raise proof_errors.no_checkpoint_of_size(size, others)
    raise proof_errors.no_checkpoint()


def _list_sizes(ledger: Ledger) -> list[int]:
    """Return the sizes of the checkpoints that are kept, in commits, the newest last."""
    with ledger.database.reading() as link:
        return [int(row[0]) for row in link.execute("SELECT size FROM checkpoints ORDER BY size").fetchall()]


def _name_sizes(sizes: list[int]) -> str:
    """Return which checkpoints there are, at most the newest of them."""
    newest = ", ".join(f"{size:,}" for size in sizes[-_SIZES_NAMED:])
    return f"There are {len(sizes):,}; the newest are of {newest} commits."


def find_signing_key(ledger: Ledger, size: int) -> str:
    """Return the public key that the log names for its checkpoint of `size` commits; `ProofError` if it names none."""
    for event in ledger.events(HOUSE):
        if isinstance(event, CheckpointSigned) and event.size == size:
            return event.key
    raise proof_errors.signer_unknown(size)


def prove(ledger: Ledger, position: int, note: str) -> InclusionProof:
    """Return the proof that the log signed by `note` holds the event at `position`."""
    signed_point = read_checkpoint(read_note(note))
    merkle_tiles = tiles_of(ledger)
    with ledger.database.reading() as link:
        leaf = merkle_tiles.leaf_index(link, position)
        if leaf >= signed_point.size:
            raise proof_errors.event_after_checkpoint()
        return InclusionProof(
            leaf, tuple(logs.find_inclusion_path(leaf, signed_point.size, merkle_tiles.node_reader(link))), note
        )


def build_witness_request(ledger: Ledger, old_size: int) -> logs.WitnessRequest:
    """Return what a witness that saw `old_size` commits needs to cosign the newest checkpoint."""
    note = checkpoint(ledger)
    point = read_checkpoint(read_note(note))
    merkle_tiles = tiles_of(ledger)
    with ledger.database.reading() as link:
        return logs.build_request(old_size, point, note, merkle_tiles.node_reader(link))


def add_cosignatures(ledger: Ledger, note: str) -> int:
    """Store the cosignatures with which a checkpoint of this ledger came back; return how many are new."""
    returned_note = read_note(note)
    size = read_checkpoint(returned_note).size
    kept_note = read_note(checkpoint(ledger, size))
    if kept_note.text != returned_note.text:
        raise proof_errors.checkpoint_of_other_ledger()
    new_signatures = [signature for signature in returned_note.signatures if signature not in kept_note.signatures]
    merged_note = checkpoint(ledger, size)
    lines = note[len(returned_note.text) + 1 :].splitlines(keepends=True)
    for signature, line in zip(returned_note.signatures, lines, strict=True):
        if signature in new_signatures:
            merged_note += line
    with ledger.writing() as link:
        link.execute("UPDATE checkpoints SET note = ? WHERE size = ?", (merged_note, size))
    return len(new_signatures)
