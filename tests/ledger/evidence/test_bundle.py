"""Evidence: a stranger with the key is convinced by the true file, and by nothing else."""

from __future__ import annotations

import ast
import io
import json
import random
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

import ledger
from ledger.errors import DisclosureError, NothingFoundError, ProofError
from ledger.evidence import bundle as bundles
from ledger.evidence import offline as untyped
from ledger.hand.betting import Called, Folded
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import CardsShown, HandSealed
from ledger.hand.opening import HandOpened, SeatDealtIn
from ledger.seal import keys, log, tree
from ledger.seal.note import COSIGNATURE, HeldKey
from ledger.store import Ledger
from ledger.store.seals import sealer
from ledger.streams import hand_stream
from tests.ledger.store.conftest import Clock
from tests.ledger.store.hands import draft

offline: Any = untyped

WITNESS = HeldKey("auditor.example", Ed25519PrivateKey.from_private_bytes(b"w" * 32), COSIGNATURE)


class Room(NamedTuple):
    book: Ledger
    signer: HeldKey
    memory: keys.SignatureMemory

    @property
    def key(self) -> Any:
        return offline.read_key(str(self.signer.key))

    def seal(self) -> str:
        return sealer.seal(self.book, self.signer, self.memory).note


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    path = tmp_path / "room.key"
    with ledger.open(tmp_path / "x.ledger", clock=Clock()) as book:
        private = keys.create_key(path)
        book.append_all([draft(n, book.people) for n in range(30)])
        yield Room(book, HeldKey(sealer.origin(book, "room.example"), private), keys.SignatureMemory(path))


def write_bundle(data: bytes, tmp_path: Path, name: str = "x.hlev") -> str:
    path = tmp_path / name
    path.write_bytes(data)
    return str(path)


@pytest.fixture
def true_file(room: Room, tmp_path: Path) -> bytes:
    stream = next(room.book.hands(number="7")).stream
    further_members = {"view/hand.txt": b"words", "findings.json": b"[]"}
    return bundles.make_bundle(
        room.book, stream, room.seal(), rule_files={"a.toml": b"x = 1\n" * 200}, further_members=further_members
    )


def test_the_true_file_is_verified_by_the_program_and_by_the_single_file(
    room: Room, true_file: bytes, tmp_path: Path
) -> None:
    path = write_bundle(true_file, tmp_path)
    result = offline.check(true_file, room.key)
    stream = next(room.book.hands(number="7")).stream
    assert result["entries"][0]["stream"] == stream.hex
    assert [event[0] for event in result["entries"][0]["events"]] == [
        type(e).__name__ for e in room.book.events(stream)
    ]
    assert result["money"] == 0
    run = subprocess.run(
        [sys.executable, "-I", offline.__file__, path, "--key", str(room.signer.key)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert "VERIFIED: 7 events of one hand" in run.stdout


def test_the_single_file_needs_nothing_but_python_and_stays_readable() -> None:
    text = Path(offline.__file__).read_text(encoding="utf-8")
    assert len(text.splitlines()) < 300
    parsed = ast.parse(text, feature_version=(3, 9))
    import_nodes = [n for n in ast.walk(parsed) if isinstance(n, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in import_nodes for alias in node.names}
    assert names <= set(sys.stdlib_module_names)


def test_the_same_evidence_has_the_same_bytes(room: Room, true_file: bytes) -> None:
    stream = next(room.book.hands(number="7")).stream
    note = sealer.checkpoint(room.book)
    bundle = bundles.make_bundle(
        room.book,
        stream,
        note,
        rule_files={"a.toml": b"x = 1\n" * 200},
        further_members={"view/hand.txt": b"words", "findings.json": b"[]"},
    )
    assert bundle == true_file


def contents(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


def verdict(data: bytes, key: Any, tmp_path: Path, *args: Any) -> str:
    """ "" = accepted, otherwise the code of the refusal; anything but a refusal is an error here."""
    try:
        offline.check(data, key, *args)
    except offline.Refused as refusal:
        return str(refusal.code)
    return ""


@pytest.mark.slow
def test_no_altered_byte_is_accepted(room: Room, true_file: bytes, tmp_path: Path) -> None:
    chance = random.Random(7)
    for index in range(0, len(true_file), 3):
        altered = bytearray(true_file)
        altered[index] ^= 1 << chance.randrange(8)
        if not verdict(bytes(altered), room.key, tmp_path):
            assert contents(bytes(altered)) == contents(true_file), f"byte {index}: another content"
    for cut in chance.sample(range(len(true_file)), 60):
        assert verdict(true_file[:cut], room.key, tmp_path)
    assert verdict(true_file + b"\0", room.key, tmp_path) == "container"
    assert verdict(b"\0" + true_file, room.key, tmp_path) == "container"


def repacked(data: bytes, change: Callable[[dict[str, bytes]], object], *, digests: bool = True) -> bytes:
    """What somebody makes who knows the format: other members, packed and indexed as they should be."""
    files = contents(data)
    change(files)
    if digests:
        index = json.loads(files["bundle.json"])
        if isinstance(index, dict):
            index["files"] = {
                n: sha256(d).hexdigest()
                for n, d in files.items()
                if n != "bundle.json" and n.split("/")[0] not in ("entries", "proofs")
            }
            files["bundle.json"] = json.dumps(index).encode()
    return bundles.pack_members(files)


def entry(change: Callable[[bytes], bytes]) -> Callable[[dict[str, bytes]], None]:
    def changed(files: dict[str, bytes]) -> None:
        files["entries/0001"] = change(files["entries/0001"])

    return changed


def proof(old: str, new: str) -> Callable[[dict[str, bytes]], None]:
    def changed(files: dict[str, bytes]) -> None:
        text = files["proofs/0001"].decode()
        assert old in text
        files["proofs/0001"] = text.replace(old, new, 1).encode()

    return changed


def index(**fields: Any) -> Callable[[dict[str, bytes]], None]:
    def changed(files: dict[str, bytes]) -> None:
        document = json.loads(files["bundle.json"])
        files["bundle.json"] = json.dumps(document | fields).encode()

    return changed


FORGERIES: list[tuple[Callable[[dict[str, bytes]], object], set[str]]] = [
    (entry(lambda d: d.replace(b"200", b"300")), {"inclusion"}),
    (entry(lambda d: d[:-1]), {"entry"}),
    (entry(lambda d: d[:20]), {"entry"}),
    (entry(lambda d: d + b" "), {"inclusion"}),
    (proof("index ", "index 0"), {"proof"}),
    (proof("c2sp.org/tlog-proof@v1", "c2sp.org/tlog-proof@v2"), {"proof"}),
    (lambda f: f.update({"proofs/0001": f["proofs/0001"].replace(b"\n31\n", b"\n32\n")}), {"signature"}),
    (lambda f: f.pop("proofs/0001"), {"proof"}),
    (lambda f: f.update({"proofs/0002": f["proofs/0001"]}), {"proof"}),
    (lambda f: f.pop("entries/0001"), {"index"}),
    (lambda f: f.update({"entries/0002": f["entries/0001"]}), {"index"}),
    (
        lambda f: f.update(
            {
                "entries/0002": f["entries/0001"],
                "bundle.json": f["bundle.json"].replace(b'["0001"]', b'["0001","0002"]'),
            }
        ),
        {"stream"},
    ),
    (lambda f: f.update({"strange": b""}), {"index"}),
    (lambda f: f.update({"../up": b""}), {"container"}),
    (lambda f: f.update({"source/00-0": b"x"}), {"source"}),
    (lambda f: f.update({"openings.json": b'[{"label":"x","salt":"' + b"0" * 64 + b'","value":"Ah"}]'}), {"opening"}),
    (lambda f: f.update({"openings.json": b"{}"}), {"opening"}),
    (lambda f: f.update({"openings.json": b"[1]"}), {"opening"}),
    (index(size=1), {"index"}),
    (index(stream="00"), {"index"}),
    (index(ledger="00"), {"index"}),
    (index(audience="nobody"), {"index"}),
    (index(entries=[]), {"index"}),
    (index(entries=[["0001"]]), {"index"}),
    (index(entries="0001"), {"index"}),
    (index(files=[]), {"index"}),
    (index(more=1), {"index"}),
    (index(format="handledger/evidence/2"), {"index"}),
    (lambda f: f.update({"bundle.json": b"[]"}), {"index"}),
    (lambda f: f.update({"bundle.json": b"{"}), {"index"}),
    (lambda f: f.update({"bundle.json": b"[" * 100_000}), {"index", "container"}),
    (lambda f: f.update({"bundle.json": b'{"format":1,"format":2}'}), {"json"}),
    (lambda f: f.update({"bundle.json": b"\xff"}), {"index"}),
    (lambda f: f.pop("bundle.json"), {"index"}),
]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(FORGERIES)))
def test_a_forger_who_knows_the_format_is_refused_by_name(
    number: int, room: Room, true_file: bytes, tmp_path: Path
) -> None:
    change, codes = FORGERIES[number]
    digests = number not in range(18, 34)
    assert verdict(repacked(true_file, change, digests=digests), room.key, tmp_path) in codes


def test_what_stands_beside_the_proof_must_be_what_the_index_says(room: Room, true_file: bytes, tmp_path: Path) -> None:
    for name in ("view/hand.txt", "findings.json", "rules/a.toml"):
        altered = bundles.pack_members(contents(true_file) | {name: b"other"})
        assert verdict(altered, room.key, tmp_path) == "index"


def test_another_log_or_key_is_refused(room: Room, true_file: bytes, tmp_path: Path) -> None:
    private = Ed25519PrivateKey.from_private_bytes(b"x" * 32)
    same_name = offline.read_key(str(HeldKey(room.signer.key.name, private).key))
    assert verdict(true_file, same_name, tmp_path) == "unsigned"
    key = offline.read_key(str(HeldKey("other.example/x/1", private).key))
    assert verdict(true_file, key, tmp_path) == "origin"


def test_witnesses_are_demanded_by_whoever_verifies(room: Room, tmp_path: Path) -> None:
    room.seal()
    cosignature = log.cosign_request(sealer.build_witness_request(room.book, 0), room.signer.key, "", WITNESS, 5)
    stream = next(room.book.hands(number="3")).stream
    witness = offline.read_key(str(WITNESS.key))
    stranger = offline.read_key(str(HeldKey("x", Ed25519PrivateKey.from_private_bytes(b"y" * 32), COSIGNATURE).key))
    bundle = bundles.make_bundle(room.book, stream, sealer.checkpoint(room.book))
    sealer.add_cosignatures(room.book, cosignature)
    vouched = bundles.make_bundle(room.book, stream, sealer.checkpoint(room.book))
    assert verdict(bundle, room.key, tmp_path, [witness]) == "witness"
    assert verdict(vouched, room.key, tmp_path, [witness]) == ""
    assert verdict(vouched, room.key, tmp_path, [witness, stranger]) == "witness"
    assert verdict(vouched, room.key, tmp_path, [witness, stranger], 1) == ""
    files = contents(vouched)
    line = files["proofs/0001"].decode().splitlines()[-1]
    forged = files["proofs/0001"].decode().replace(line[-20:-4], "A" * 16)
    assert verdict(
        repacked(vouched, lambda f: f.update({"proofs/0001": forged.encode()})), room.key, tmp_path, [witness]
    ) in ("signature", "checkpoint")


def live_hand(book: Ledger, *, seal: bool) -> Any:
    """A hand that was told event by event, between other tables' hands."""
    ana, bo = book.people.player("Room", "Ana"), book.people.player("Room", "Bo")
    stream = hand_stream("Room", "T1", "1", 0, b"live")
    events = [
        HandOpened("Room", "T1", "1", 7),
        SeatDealtIn(1, ana, 500),
        SeatDealtIn(2, bo, 500),
        HoleCardsDealt(1, "AhKd"),
        HoleCardsDealt(2, "7c7d"),
        Called(1, 100, 100),
        Folded(2),
    ]
    for number, event in enumerate(events):
        book.append("hand", stream, [event])
        book.append_all([draft(900 + number, book.people)])
    if seal:
        sealer.seal_hand(book, stream)
    return stream


def test_a_hand_that_is_corrected_is_sealed_again(room: Room, tmp_path: Path) -> None:
    stream = live_hand(room.book, seal=True)
    assert sealer.seal_hand(room.book, stream).version == 9, "a seal over the seal too"
    room.book.append("hand", stream, [CardsShown(2, "7c7d")])
    last = sealer.seal_hand(room.book, stream)
    last_event = room.book.events(stream)[-1]
    assert isinstance(last_event, HandSealed)
    assert (last_event.events, last_event.number) == (last.version - 1, 3)
    data = bundles.make_bundle(room.book, stream, room.seal())
    assert sum(name.startswith("proofs/") for name in contents(data)) == 1
    assert len(offline.check(data, room.key)["entries"]) == 11


@pytest.mark.parametrize("seal", [True, False])
def test_a_live_hand_of_many_commits_is_proved_whole(room: Room, tmp_path: Path, seal: bool) -> None:
    stream = live_hand(room.book, seal=seal)
    data = bundles.make_bundle(room.book, stream, room.seal())
    assert sum(name.startswith("proofs/") for name in contents(data)) == (1 if seal else 7)
    assert len(offline.check(data, room.key)["entries"]) == 7 + seal
    dropped = contents(data)
    for missing_entry in ("0004", f"{7 + seal:04}"):
        files = {n: d for n, d in dropped.items() if not n.endswith(missing_entry)}
        kept_entries = [n for n in json.loads(files["bundle.json"])["entries"] if n != missing_entry]
        renamed = {f"entries/{index:04}": files[f"entries/{n}"] for index, n in enumerate(kept_entries, 1)}
        renamed |= {
            f"proofs/{index:04}": files[f"proofs/{n}"]
            for index, n in enumerate(kept_entries, 1)
            if f"proofs/{n}" in files
        }
        manifest = json.loads(files["bundle.json"]) | {
            "entries": [f"{index:04}" for index in range(1, len(kept_entries) + 1)]
        }
        forged = bundles.pack_members({"bundle.json": json.dumps(manifest).encode(), **renamed})
        expected_verdicts = {"stream", "proof", "seal"} if missing_entry == "0004" or seal else {""}
        assert verdict(forged, room.key, tmp_path) in expected_verdicts, "without its seal, a hand may go on"


def test_nobody_is_shown_cards_that_they_have_not_seen(room: Room) -> None:
    stream = live_hand(room.book, seal=True)
    note = room.seal()
    ana = room.book.people.player("Room", "Ana")
    with pytest.raises(DisclosureError) as public:
        bundles.make_bundle(room.book, stream, note, audience="public")
    assert public.value.seats == [1, 2]
    with pytest.raises(DisclosureError) as player:
        bundles.make_bundle(room.book, stream, note, audience=ana)
    assert player.value.seats == [2]
    room.book.append("hand", stream, [CardsShown(2, "7c7d")])
    assert bundles.make_bundle(room.book, stream, room.seal(), audience=ana)


def test_an_opened_card_must_fit_what_was_committed_to(room: Room, tmp_path: Path) -> None:
    salt = "5a" * 32
    hidden = sha256(b"handledger/commit/v1\0hole\0" + bytes.fromhex(salt) + b"Ah").hexdigest()
    stream = hand_stream("Room", "T2", "1", 0, b"hidden")
    room.book.append("hand", stream, [HandOpened("Room", "T2", "1", 7), HoleCardsDealt(1, "{" + hidden + "}")])
    opening = [{"label": "hole", "salt": salt, "value": "Ah"}]
    for wrong in ({}, {"value": "As"}, {"label": "x"}, {"salt": "5b" * 32}):
        openings = [opening[0] | wrong]
        data = bundles.make_bundle(
            room.book,
            stream,
            room.seal(),
            audience="public",
            further_members={"openings.json": json.dumps(openings).encode()},
        )
        assert verdict(data, room.key, tmp_path) == ("opening" if wrong else "")


def test_what_is_not_sealed_yet_cannot_be_proved(room: Room) -> None:
    with pytest.raises(ProofError, match="no such checkpoint"):
        sealer.checkpoint(room.book)
    note = room.seal()
    room.book.append_all([draft(99, room.book.people)])
    with pytest.raises(ProofError):
        bundles.make_bundle(room.book, next(room.book.hands(number="99")).stream, note)
    with pytest.raises(NothingFoundError):
        bundles.make_bundle(room.book, hand_stream("no", "such", "hand", 0, b""), note)


@pytest.mark.parametrize("size", [*range(1, 18), 31, 32, 33])
def test_the_single_files_tree_agrees_with_the_log(size: int) -> None:
    leaves = [sha256(bytes([n])).digest() for n in range(size)]
    root = tree.compute_root_over(leaves)
    assert offline.root_over(leaves) == root

    def node_at(level: int, index: int) -> bytes:
        return tree.compute_root_over(leaves[index << level : index + 1 << level])

    for leaf, leave in enumerate(leaves):
        path = tree.build_inclusion_path(leaf, size, node_at)
        for index in range(2 * size + 2):
            for tried_path in (path, path[:-1], path[1:], [*path, bytes(32)], path[::-1]):
                try:
                    log_verdict = tree.compute_root_from_path(leave, index, size, tried_path) == root
                except ProofError:
                    log_verdict = False
                try:
                    file_verdict = offline.included(leave, index, size, tried_path) == root
                except offline.Refused:
                    file_verdict = False
                assert file_verdict == log_verdict == (index == leaf and tried_path == path), (leaf, index)


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=200), st.integers(0, 511))
def test_the_single_files_ed25519_agrees_with_the_library(seed: bytes, message: bytes, bit: int) -> None:
    private = Ed25519PrivateKey.from_private_bytes(seed)
    public, signature = private.public_key().public_bytes_raw(), private.sign(message)
    assert offline.ed25519(public, signature, message)
    altered = bytearray(signature)
    altered[bit // 8] ^= 1 << bit % 8
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(bytes(altered), message)
        holds = True
    except InvalidSignature:
        holds = False
    assert offline.ed25519(public, bytes(altered), message) == holds
    assert not offline.ed25519(public, signature, message + b"x")


def test_strange_command_lines_end_with_two(
    true_file: bytes, tmp_path: Path, room: Room, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_bundle(true_file, tmp_path)
    key = str(room.signer.key)
    for args in (
        [],
        ["--key", key],
        [path, "--quorum", "1"],
        [path, "--witness", str(WITNESS.key)],
        [str(tmp_path / "none"), "--key", key],
        [str(tmp_path), "--key", key],
        [path, "--key", "x"],
        [path, path, "--key", key],
        [path, "--key"],
        [path, "--key", key, "--quorum", "x"],
    ):
        with pytest.raises(SystemExit) as stop:
            offline.main(args)
        assert stop.value.code == 2
    assert offline.main([path, "--key", key]) == 0
    assert offline.main([write_bundle(b"", tmp_path, "none.hlev"), "--key", key]) == 4
    assert "NOT VERIFIED (container)" in capsys.readouterr().out
