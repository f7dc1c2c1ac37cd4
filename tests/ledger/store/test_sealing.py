"""A sealed ledger: everything in it can be proved, and every rewriting of its past is found out."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import ledger
from ledger import chain
from ledger.errors import ForkError, IntegrityError, ProofError, SigningKeyError
from ledger.house.events import BackupRestored
from ledger.seal import keys, log, tree
from ledger.seal.note import COSIGNATURE, HeldKey, read_checkpoint, read_note, verify_signature
from ledger.store import Ledger
from ledger.store.database.ledger_layout import SQLITE_GUARDS
from ledger.store.seals import sealer
from ledger.store.seals.merkle_tiles import encode_commit, hash_commit_leaf
from ledger.store.verify.tree_checks import Anchor
from ledger.streams import HOUSE
from tests.ledger.store.conftest import Clock
from tests.ledger.store.hands import draft
from tests.ledger.store.plain import plain_sqlite

WITNESS = HeldKey("auditor.example", Ed25519PrivateKey.from_private_bytes(b"w" * 32), COSIGNATURE)


class Signer:
    """A key file and what belongs to it."""

    def __init__(self, folder: Path, book: Ledger) -> None:
        path = folder / "keys" / "room.key"
        self.held = HeldKey(sealer.origin(book, "room.example"), keys.create_key(path))
        self.memory = keys.SignatureMemory(path)

    def seal(self, book: Ledger) -> sealer.Sealed:
        return sealer.seal(book, self.held, self.memory)


@pytest.fixture
def signer(book: Ledger, tmp_path: Path) -> Signer:
    return Signer(tmp_path, book)


def fill(book: Ledger, first: int, last: int) -> None:
    book.append_all([draft(n, book.people) for n in range(first, last)])


def test_the_kept_tree_is_the_tree_over_the_log_at_every_size(book: Ledger) -> None:
    merkle_tiles = sealer.tiles_of(book)
    merkle_tiles.create_tables()
    sealed_size = 0
    for upto in (1, 2, 5, 250, 257, 600):
        fill(book, sealed_size, upto)
        sealed_size = upto
        with book.writing() as link:
            grown = merkle_tiles.grow_tree(link)
            leaves = [hash_commit_leaf(commit) for commit in book.commits()]
            assert grown.size == len(leaves)
            assert grown.root == tree.compute_root_over(leaves)
            assert merkle_tiles.read_tree(link) == grown
            node_at = merkle_tiles.node_reader(link)
            for index in {0, len(leaves) // 2, len(leaves) - 1}:
                path = tree.build_inclusion_path(index, len(leaves), node_at)
                assert tree.compute_root_from_path(leaves[index], index, len(leaves), path) == grown.root
    assert book.verify() == []


def test_every_event_of_a_sealed_ledger_is_proved_offline(book: Ledger, signer: Signer) -> None:
    fill(book, 0, 20)
    sealed = signer.seal(book)
    leaves = {c.position: hash_commit_leaf(c) for c in book.commits()}
    for commit in book.commits():
        if commit.key and commit.key.startswith("checkpoint:"):
            continue
        for position in (commit.position - commit.count + 1, commit.position):
            proof = sealer.prove(book, position, sealed.note)
            assert (
                tree.compute_root_from_path(leaves[commit.position], proof.leaf, sealed.checkpoint.size, proof.path)
                == sealed.checkpoint.root
            )
    position, _ = book.head()
    with pytest.raises(ProofError, match="not in the sealed part"):
        sealer.prove(book, position, sealed.note)


def test_sealing_again_signs_only_what_is_new(book: Ledger, signer: Signer) -> None:
    fill(book, 0, 3)
    first = signer.seal(book)
    assert first.is_new
    second_seal = signer.seal(book)
    assert (second_seal.note, second_seal.is_new) == (first.note, False)
    fill(book, 3, 4)
    second = signer.seal(book)
    assert second.is_new
    assert second.checkpoint.size > first.checkpoint.size
    assert sealer.checkpoint(book) == second.note
    assert sealer.checkpoint(book, first.checkpoint.size) == first.note
    with pytest.raises(ProofError):
        sealer.checkpoint(book, 1)
    assert verify_signature(read_note(second.note), signer.held.key) == 0
    assert book.verify() == []


def test_an_old_copy_that_goes_on_is_found_out_by_the_signer(tmp_path: Path) -> None:
    path, copy = tmp_path / "x.ledger", tmp_path / "old.ledger"
    with ledger.open(path, clock=Clock()) as book:
        signer = Signer(tmp_path, book)
        fill(book, 0, 5)
        signer.seal(book)
    shutil.copy(path, copy)
    with ledger.open(path, clock=Clock()) as book:
        fill(book, 5, 8)
        last = signer.seal(book)
    shutil.copy(copy, path)
    path.with_name(path.name + "-wal").unlink(missing_ok=True)
    with ledger.open(path, clock=Clock()) as book:
        with pytest.raises(ForkError, match="signed before") as error:
            signer.seal(book)
        assert last.note in error.value.evidence
        fill(book, 20, 40)
        with pytest.raises(ForkError, match="not those that were signed") as fork:
            signer.seal(book)
        assert last.note in fork.value.evidence
        assert signer.memory.read_last() == last.note, "nothing was signed"
        problems = book.verify([Anchor("the seal", last.checkpoint.size, last.checkpoint.root)])
        assert [p.code for p in problems] == ["checkpoint"]


OTHER_NOTE = """UPDATE checkpoints SET note =
    replace(note, substr(note, 60, 1), CASE substr(note, 60, 1) WHEN 'x' THEN 'y' ELSE 'x' END)"""


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        (OTHER_NOTE, "checkpoint"),
        ("UPDATE tiles SET data = zeroblob(length(data)) WHERE level = 0 AND number = 0", "tree"),
        ("UPDATE tiles SET data = zeroblob(32) WHERE level = 1", "tree"),
        ("INSERT INTO tiles VALUES (0, 9, 9999, zeroblob(32))", "tree"),
    ],
)
def test_verification_compares_the_kept_tree_with_the_log(tmp_path: Path, statement: str, code: str) -> None:
    path = tmp_path / "x.ledger"
    with ledger.open(path, clock=Clock()) as book:
        fill(book, 0, 300)
        Signer(tmp_path, book).seal(book)
        assert book.verify() == []
    with plain_sqlite(path) as connection:
        connection.execute(statement)
    with ledger.open(path, read_only=True) as book:
        assert {p.code for p in book.verify()} == {code}


def rewritten(path: Path) -> None:
    """Change a stack in the past and put every link right again, as an insider with full rights can."""
    with plain_sqlite(path) as connection:
        for name in ("log_unchanged", "log_kept", "log_follows"):
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(
            "UPDATE log SET data = replace(data, '200', '201') WHERE position = (SELECT position FROM log WHERE position > 1 AND data LIKE '%200%' ORDER BY position LIMIT 1)"
        )
        connection.commit()
    with ledger.open(path, read_only=True) as book:
        start, hashes = chain.START, []
        for commit in book.commits():
            start = chain.compute_link(start, chain.hash_leaf(encode_commit(commit)))
            hashes.append((start, commit.position))
    with plain_sqlite(path) as connection:
        connection.executemany("UPDATE log SET hash = ? WHERE position = ?", hashes)
    with plain_sqlite(path) as connection:
        for guard in SQLITE_GUARDS[:3]:
            connection.execute(guard)


def test_a_rewritten_past_satisfies_the_chain_and_fails_the_seal(tmp_path: Path) -> None:
    path = tmp_path / "x.ledger"
    with ledger.open(path, clock=Clock()) as book:
        fill(book, 0, 12)
        checkpoint = read_checkpoint(read_note(Signer(tmp_path, book).seal(book).note))
    with plain_sqlite(path) as connection:
        connection.execute("DROP TRIGGER log_kept")
        connection.execute("DELETE FROM log WHERE key LIKE 'checkpoint:%'")  # that it was sealed at all
        connection.execute("DELETE FROM writers WHERE by = 'seal'")
        connection.execute("DELETE FROM tiles")
        connection.execute("DELETE FROM checkpoints")
        connection.execute(next(guard for guard in SQLITE_GUARDS if "TRIGGER log_kept" in guard))
    rewritten(path)
    with ledger.open(path, clock=Clock()) as book:
        assert book.verify() == [], "links alone cannot tell"
        problems = book.verify([Anchor("the auditor's copy", checkpoint.size, checkpoint.root)])
        assert [p.code for p in problems] == ["checkpoint"]
        signer = HeldKey(checkpoint.origin, keys.load_key(tmp_path / "keys" / "room.key"))
        with pytest.raises(ForkError, match="not those that were signed"):
            sealer.seal(book, signer, keys.SignatureMemory(tmp_path / "keys" / "room.key"))


def test_nothing_is_signed_that_is_not_what_was_recorded(tmp_path: Path) -> None:
    path = tmp_path / "x.ledger"
    with ledger.open(path, clock=Clock()) as book:
        signer = Signer(tmp_path, book)
        fill(book, 0, 5)
    with plain_sqlite(path) as connection:
        connection.execute("DROP TRIGGER log_unchanged")
        connection.execute("UPDATE log SET at = at + 1 WHERE position = (SELECT max(position) FROM log)")
        connection.execute(SQLITE_GUARDS[1])
    with ledger.open(path, clock=Clock()) as book, pytest.raises(IntegrityError, match="not what was recorded"):
        signer.seal(book)
    assert signer.memory.read_last() == ""


def test_a_witness_cosigns_what_goes_on_from_what_it_saw(book: Ledger, signer: Signer) -> None:
    key = signer.held.key
    fill(book, 0, 3)
    first = signer.seal(book)
    cosignature = log.cosign_request(sealer.build_witness_request(book, 0), key, "", WITNESS, 10)
    assert verify_signature(read_note(cosignature), WITNESS.key) == 10
    assert sealer.add_cosignatures(book, cosignature) == 1
    assert sealer.add_cosignatures(book, cosignature) == 0
    assert sealer.checkpoint(book, first.checkpoint.size) == cosignature
    fill(book, 3, 9)
    signer.seal(book)
    witness_request = log.read_request(str(sealer.build_witness_request(book, first.checkpoint.size)))
    later = log.cosign_request(witness_request, key, cosignature, WITNESS, 20)
    assert verify_signature(read_note(later), WITNESS.key) == 20
    with pytest.raises(ProofError, match="saw"):
        log.cosign_request(sealer.build_witness_request(book, 2), key, cosignature, WITNESS, 20)
    with pytest.raises(ForkError):
        log.cosign_request(witness_request._replace(path=witness_request.path[:-1]), key, cosignature, WITNESS, 20)
    with pytest.raises(ProofError, match="nothing yet"):
        log.cosign_request(witness_request, key, "", WITNESS, 20)
    with pytest.raises(ProofError):
        log.cosign_request(witness_request, WITNESS.key, cosignature, WITNESS, 20)


def test_a_log_that_forked_is_never_cosigned(new_url: Callable[[], str], tmp_path: Path) -> None:
    private = Ed25519PrivateKey.from_private_bytes(b"s" * 32)
    notes = []
    for number, hands in ((0, 4), (1, 7)):
        with ledger.open(new_url(), clock=Clock()) as book:
            held_key = HeldKey("room.example/same/1", private)
            fill(book, 10 * number, 10 * number + hands)
            sealer.seal(book, held_key, keys.SignatureMemory(tmp_path / f"{number}.key"))
            notes.append((sealer.build_witness_request(book, 0 if not number else 5), held_key.key))
    cosignature = log.cosign_request(notes[0][0], notes[0][1], "", WITNESS, 1)
    with pytest.raises(ForkError, match="does not begin") as fork:
        log.cosign_request(notes[1][0], notes[1][1], cosignature, WITNESS, 2)
    assert notes[1][0].checkpoint in fork.value.evidence
    assert cosignature in fork.value.evidence


def test_a_restored_copy_signs_under_another_name(book: Ledger) -> None:
    first_origin = sealer.origin(book)
    book.append("house", HOUSE, [BackupRestored(2, 5)])
    assert first_origin.endswith("/1")
    assert sealer.origin(book) == first_origin[:-1] + "2"


def test_a_key_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.key"
    ed25519_private_key = keys.create_key(path, b"secret words")
    assert path.stat().st_mode & 0o777 == 0o600
    assert b"ENCRYPTED" in path.read_bytes()
    assert keys.load_key(path, b"secret words").public_key() == ed25519_private_key.public_key()
    for wrong in (b"", b"other words"):
        with pytest.raises(SigningKeyError, match="passphrase"):
            keys.load_key(path, wrong)
    with pytest.raises(SigningKeyError, match="already"):
        keys.create_key(path)
    path.chmod(0o644)
    with pytest.raises(SigningKeyError, match="other users can read"):
        keys.load_key(path, b"secret words")
    plain_key = tmp_path / "b.key"
    keys.create_key(plain_key)
    with pytest.raises(SigningKeyError, match="has no passphrase"):
        keys.load_key(plain_key, b"x")
    for name, content in (("none", None), ("text", b"no key"), ("folder", None)):
        odd = tmp_path / name
        if content is not None:
            odd.write_bytes(content)
            odd.chmod(0o600)
        elif name == "folder":
            odd.mkdir(mode=0o700)
        with pytest.raises(SigningKeyError):
            keys.load_key(odd)


@pytest.mark.parametrize(
    "text",
    ["", "old 1\n", "old 01\n\nx", "new 1\n\nx", "old 1\nAAAA\n\nx", "old 1\n" + ("A" * 43 + "=\n") * 127 + "\nx"],
)
def test_what_is_no_request_is_refused(text: str) -> None:
    with pytest.raises(ProofError):
        log.read_request(text)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE tiles SET data = zeroblob(32) WHERE level = 0",
        "DELETE FROM tiles",
        "UPDATE tiles SET upto = upto + 4",
        "UPDATE tiles SET data = substr(data, 1, 31)",
    ],
)
def test_a_damaged_tree_is_made_again_from_the_log(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "x.ledger"
    with ledger.open(path, clock=Clock()) as book:
        signer = Signer(tmp_path, book)
        fill(book, 0, 5)
        signer.seal(book)
    with plain_sqlite(path) as connection:
        connection.execute(damage)
    with ledger.open(path, clock=Clock()) as book:
        assert book.verify()
        fill(book, 5, 7)
        if damage != "DELETE FROM tiles":  # then it simply grows again
            with pytest.raises(IntegrityError, match="the log is what was signed") as raised:
                signer.seal(book)
            assert "--repair-tree" in raised.value.hint
        sealer.repair_tree(book)
        signer.seal(book)
        assert book.verify() == []


def test_a_rewritten_log_is_no_damaged_tree(tmp_path: Path) -> None:
    path = tmp_path / "x.ledger"
    with ledger.open(path, clock=Clock()) as book:
        signer = Signer(tmp_path, book)
        fill(book, 0, 5)
        signer.seal(book)
    with ledger.open(tmp_path / "y.ledger", clock=Clock()) as other_ledger:
        fill(other_ledger, 2, 9)
        assert not sealer.is_tree_damaged(other_ledger, signer.memory.read_last())
