"""Sealing a ledger: grow its tree, sign a checkpoint, keep both, and prove what stands in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple
from uuid import UUID

from ledger import chain
from ledger.entry import Recorded
from ledger.errors import ForkError, IntegrityError, NothingFoundError, ProofError
from ledger.hand.ending import HandSealed
from ledger.house.events import BackupRestored, CheckpointSigned
from ledger.seal import log as logs
from ledger.seal.keys import Memory
from ledger.seal.note import Checkpoint, Proof, Signer, read_checkpoint, read_note
from ledger.seal.tree import root
from ledger.store.commits import Commit
from ledger.store.ledger import Ledger
from ledger.store.seals.merkle_tiles import Grown, Tiles, leaf_of
from ledger.streams import HOUSE

NAME: Final = "handledger"
"""What the origin of a ledger begins with, where its keepers chose no name."""


class Sealed(NamedTuple):
    """A signed checkpoint of a ledger. `new`: it was signed now; otherwise nothing had come in."""

    point: Checkpoint
    note: str
    new: bool


def origin(ledger: Ledger, name: str = NAME) -> str:
    """Return by what name a ledger signs: who keeps it, its id, and how often it was restored."""
    return f"{name}/{ledger.id}/{_incarnation(ledger)}"


def _incarnation(ledger: Ledger) -> int:
    told = [event.incarnation for event in ledger.events(HOUSE) if isinstance(event, BackupRestored)]
    return told[-1] if told else 1


def restored(ledger: Ledger) -> None:
    """Say on record that the ledger goes on from a copy, as it lies there: what is signed from here on has another origin."""
    kept = tiles_of(ledger)
    kept.prepare()
    with ledger.writing() as link:
        grown, number = kept.grow(link), _incarnation(ledger) + 1
        told = [BackupRestored(number, grown.size, grown.root.hex())]
        ledger.append_within(link, "house", HOUSE, told, Recorded(ledger.now(), by="seal", key=f"restored:{number}"))


def seal(ledger: Ledger, signer: Signer, memory: Memory, told: Callable[[int], None] | None = None) -> Sealed:
    """Sign the log as it lies in the database; what was signed before must be its beginning.

    `IntegrityError` if a row is not what was recorded, or the kept tree is damaged; `ForkError` if the log
    contradicts the last signature. Nothing is signed then.
    """
    try:
        return _seal(ledger, signer, memory, told)
    except (ForkError, ProofError, IntegrityError) as error:
        if is_tree_damaged(ledger, memory.last()):
            raise IntegrityError(
                "the tree that is kept beside the log is damaged; the log is what was signed",
                "Make the tree again from the log: handledger seal --repair-tree",
            ) from error
        raise


def is_tree_damaged(ledger: Ledger, last: str) -> bool:
    """Whether the log itself is what was signed last, so that only the tree kept of it can be wrong."""
    signed_before = read_checkpoint(read_note(last)) if last else None
    leaves = []
    head = chain.START
    for commit in ledger.commits():
        leaves.append(leaf_of(commit))
        head = chain.link(head, leaves[-1])
        if head != commit.hash:
            return False
    if signed_before is None:
        return True
    return len(leaves) >= signed_before.size and root(leaves[: signed_before.size]) == signed_before.root


def repair_tree(ledger: Ledger) -> int:
    """Make the kept tree again from the log; return how many commits it covers.

    `IntegrityError` where a row of the log is not what was recorded; the kept tree stays as it is then.
    """
    kept = tiles_of(ledger)
    kept.prepare()
    with ledger.writing() as link:
        link.execute("DELETE FROM tiles")
        return kept.grow(link).size


def _seal(ledger: Ledger, signer: Signer, memory: Memory, told: Callable[[int], None] | None) -> Sealed:
    kept = tiles_of(ledger)
    kept.prepare()
    last = memory.last()
    with ledger.writing() as link:
        grown = kept.grow(link, told)
        point = Checkpoint(signer.key.name, grown.size, grown.root)
        note = logs.sign_next(point, last, signer, kept.node(link))
        new = not last or _fresh(ledger, read_checkpoint(read_note(last)).size, grown)
        if new:
            memory.keep(note)  # before anybody can see it
        else:
            note = last
            point = read_checkpoint(read_note(last))
        link.execute(
            "INSERT INTO checkpoints (size, note) VALUES (?, ?) ON CONFLICT (size) DO NOTHING", (point.size, note)
        )
        if not _named(ledger, point.size):  # also where a cut came between signing and storing
            ledger.append_within(
                link,
                "house",
                HOUSE,
                [CheckpointSigned(point.size, point.root.hex(), str(signer.key))],
                Recorded(ledger.now(), by="seal", key=f"checkpoint:{point.size}"),
            )
    return Sealed(point, note, new)


def _named(ledger: Ledger, size: int) -> bool:
    """Whether the log says that its first `size` commits were signed."""
    return any(isinstance(e, CheckpointSigned) and e.size == size for e in ledger.events(HOUSE))


def _fresh(ledger: Ledger, size: int, grown: Grown) -> bool:
    """Whether anything came in since `size` commits, apart from the note that they were signed."""
    if grown.size != size + 1:
        return grown.size != size
    newest = next(iter(ledger.commits(grown.position - 1)))
    return newest.key != f"checkpoint:{size}"


def seal_hand(ledger: Ledger, stream: UUID) -> Commit:
    """End a live hand of many commits with a seal over them: it is proved by that one commit then.

    Said again after a correction, the seal is over all that stands there by then.
    """
    commits = ledger.stream(stream)
    if not commits:
        raise NothingFoundError("there is no such stream in this ledger")
    count = sum(commit.count for commit in commits)
    before = sum(isinstance(event, HandSealed) for event in ledger.events(stream))
    first = commits[0].position - commits[0].count + 1
    seal_ = HandSealed(count, root(map(leaf_of, commits)).hex(), first, commits[-1].position, before + 1)
    return ledger.append(
        "hand",
        stream,
        [seal_],
        version=count + 1,
        recorded=Recorded(ledger.now(), by="seal", key=f"sealed:{stream.hex}:{count}"),
    )


def tend(ledger: Ledger, after: int) -> tuple[int, bool]:
    """Seal each live hand that ended behind `after`; return how far the log was read.

    And whether a table's session ended on the way, which is a reason to sign the ledger at once.
    """
    ended, hands = False, dict[UUID, None]()
    for commit in ledger.commits(after):
        after = commit.position
        if commit.kind == "table" and b'["GameBroken"' in commit.data:
            ended = True
        elif commit.kind == "hand" and commit.version > 1:
            if b'["HandCompleted"' in commit.data:
                hands[commit.stream] = None
            elif b'["HandSealed"' in commit.data:
                hands.pop(commit.stream, None)
    for stream in hands:
        seal_hand(ledger, stream)
    return after, ended


def tiles_of(ledger: Ledger) -> Tiles:
    """Return the kept tree of a ledger."""
    return Tiles(ledger.database, ledger.reader)


def reached(ledger: Ledger) -> int:
    """Return the position up to which the log is in the kept tree; 0 if nothing was ever signed."""
    return tiles_of(ledger).reached()


def checkpoint(ledger: Ledger, size: int | None = None, *, within: int | None = None) -> str:
    """Return the newest signed checkpoint, or that of `size` commits; `ProofError` if there is none.

    `within`: the newest of at most so many commits.
    """
    where, values = "ORDER BY size DESC LIMIT 1", list[int]()
    if size is not None:
        where, values = "WHERE size = ?", [size]
    elif within is not None:
        where, values = f"WHERE size <= ? {where}", [within]
    if tiles_of(ledger).there():
        with ledger.database.reading() as link:
            row = link.execute(f"SELECT note FROM checkpoints {where}", tuple(values)).fetchone()  # noqa: S608 - of constants
        if row is not None:
            return str(row[0])
    raise ProofError("this ledger has no such checkpoint", "handledger seal signs one.")


def signed_with(ledger: Ledger, size: int) -> str:
    """Return the public key that the log names for its checkpoint of `size` commits; `ProofError` if it names none."""
    for event in ledger.events(HOUSE):
        if isinstance(event, CheckpointSigned) and event.size == size:
            return event.key
    raise ProofError(
        f"the log does not say who signed the checkpoint of {size} commits",
        "handledger verify says what does not hold.",
    )


def prove(ledger: Ledger, position: int, note: str) -> Proof:
    """Return the proof that the event at `position` stands in the log that `note` signs."""
    point = read_checkpoint(read_note(note))
    kept = tiles_of(ledger)
    with ledger.database.reading() as link:
        leaf = kept.leaf(link, position)
        if leaf >= point.size:
            raise ProofError("the event came after that checkpoint", "Seal the ledger again.")
        return Proof(leaf, tuple(logs.path_of(leaf, point.size, kept.node(link))), note)


def for_witness(ledger: Ledger, old: int) -> logs.Request:
    """Return what a witness that saw `old` commits needs to cosign the newest checkpoint."""
    note = checkpoint(ledger)
    point = read_checkpoint(read_note(note))
    kept = tiles_of(ledger)
    with ledger.database.reading() as link:
        return logs.request(old, point, note, kept.node(link))


def add_cosignatures(ledger: Ledger, note: str) -> int:
    """Keep a checkpoint of this ledger with the cosignatures it came back with; return how many."""
    taken = read_note(note)
    size = read_checkpoint(taken).size
    known = read_note(checkpoint(ledger, size))
    if known.text != taken.text:
        raise ProofError("the checkpoint is not one of this ledger")
    fresh = [one for one in taken.signatures if one not in known.signatures]
    merged = checkpoint(ledger, size)
    lines = note[len(taken.text) + 1 :].splitlines(keepends=True)
    for one, line in zip(taken.signatures, lines, strict=True):
        if one in fresh:
            merged += line
    with ledger.writing() as link:
        link.execute("UPDATE checkpoints SET note = ? WHERE size = ?", (merged, size))
    return len(fresh)
