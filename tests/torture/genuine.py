"""Genuine evidence of one room, small and of every make, and what a stranger may rely on in it."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID
from zlib import DEFLATED, compressobj, crc32

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import ledger
from cli.proofs import evidence_builder, refound_findings
from ledger.case.events import CaseClosed, CaseLinked, CaseOpened, StatementTaken
from ledger.evidence import bundle as bundles
from ledger.hand.betting import Called, Folded
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.opening import HandOpened, SeatDealtIn
from ledger.hidden_cards import hide_cards
from ledger.intake import ImportOptions, import_paths
from ledger.seal import keys, log
from ledger.seal.note import COSIGNATURE, ED25519, HeldKey, PublicKey
from ledger.store import Ledger
from ledger.store.seals import sealer
from ledger.streams import case_stream, hand_stream
from projections.books import rulebook

SAMPLES: Final = Path(__file__).resolve().parent.parent.parent / "cli" / "samples"
SIDE_MEMBERS: Final = ("rules", "stamps", "view", "source", "openings.json", "findings.json")
WITNESSES: Final = [
    HeldKey(f"{name}.example", Ed25519PrivateKey.from_private_bytes(name[:1].encode() * 32), COSIGNATURE)
    for name in ("auditor", "players", "stranger")
]
"""The first two cosigned; the last never did."""
ATTACKER: Final = Ed25519PrivateKey.from_private_bytes(b"!" * 32)


class Genuine(NamedTuple):
    """What a room gave out, by name; its key as people pass it on; rulebooks by member."""

    key: str
    signer: HeldKey
    files: dict[str, bytes]
    members: dict[str, dict[str, bytes]]  # of the files
    rules: dict[str, bytes]

    @property
    def own_key_as_witness(self) -> str:
        """The log's own key, under another name and as another kind: the same bytes."""
        return str(PublicKey("helper.example", COSIGNATURE, self.signer.key.public))

    @property
    def attackers_key(self) -> str:
        """A key of the log's own name."""
        return str(HeldKey(self.signer.key.name, ATTACKER, ED25519).key)


def contents(data: bytes) -> dict[str, bytes]:
    """Return the members of a container, as other programs read them."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


def packed(files: dict[str, bytes]) -> bytes:
    """Return the container that `ledger.evidence.bundle` would make, sooner: what was packed once is remembered."""
    front, back = bytearray(), bytearray()
    for name in sorted(files):
        data, packs = files[name], name.startswith("rules/")
        body = _deflated(data) if packs else data
        head = struct.pack("<HHHHHIIIHH", 20, 0, 8 * packs, 0, 33, crc32(data), len(body), len(data), len(name), 0)
        back += b"PK\1\2\x14\3" + head + struct.pack("<HHHII", 0, 0, 0, 0o644 << 16, len(front)) + name.encode()
        front += b"PK\3\4" + head + name.encode() + body
    count = len(files)
    return bytes(front + back) + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, count, count, len(back), len(front), 0)


@lru_cache(1000)
def _deflated(data: bytes) -> bytes:
    packer = compressobj(9, DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def consistent(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the members with an index that fits them, as far as one can be made."""
    try:
        index: Any = json.loads(files["bundle.json"])
        index["files"] = {n: sha256(d).hexdigest() for n, d in files.items() if n.split("/")[0] in SIDE_MEMBERS}
    except (ValueError, KeyError, TypeError, RecursionError):
        return files
    return files | {"bundle.json": json.dumps(index, separators=(",", ":"), sort_keys=True).encode()}


def live(book: Ledger, number: str, *, seal: bool) -> UUID:
    """Tell a hand event by event, its cards hidden, as a table does that records."""
    players = [book.people.player("Room", name) for name in ("Ana", "Bo")]
    stream = hand_stream("Room", "T1", number, 0, number.encode())
    events = hide_cards(
        [
            HandOpened("Room", "T1", number, 7),
            SeatDealtIn(1, players[0], 500),
            SeatDealtIn(2, players[1], 500),
            HoleCardsDealt(1, "AhKd"),
            HoleCardsDealt(2, "7c7d"),
            Called(1, 100, 100),
            Folded(2),
        ],
        book.people,
    )
    for event in events:
        book.append("hand", stream, [event])
    if seal:
        sealer.seal_hand(book, stream)
    return stream


def case(book: Ledger) -> UUID:
    """Open a case, and close it."""
    stream, people = case_stream("C1"), book.people
    book.append(
        "case",
        stream,
        [
            CaseOpened(
                "C1",
                "blinds",
                "player",
                people.player("Room", "Ana"),
                "Room",
                "T1",
                people.text("I posted."),
                500,
                "USD",
            ),
            CaseLinked("ab" * 16, 3, 9),
        ],
    )
    book.append("case", stream, [StatementTaken("dealer", words=people.text("No.")), CaseClosed("upheld")])
    return stream


def make_room(folder: Path) -> Genuine:
    """Make a room, seal it twice, let two witnesses cosign, and give out evidence of each make."""
    with ledger.open(folder / "room.ledger") as book:
        import_paths(book, [SAMPLES / "evening-online.txt"])
        import_paths(book, [SAMPLES], ImportOptions(hide_cards=True))
        signer = HeldKey(sealer.origin(book, "room.example"), keys.create_key(folder / "k"))
        memory = keys.SignatureMemory(folder / "k")
        early_note = sealer.seal(book, signer, memory).note
        streams = {
            "live": live(book, "1", seal=False),
            "sealed": live(book, "2", seal=True),
            "other": live(book, "3", seal=True),
            "case": case(book),
        }
        sealer.seal(book, signer, memory)
        for witness in WITNESSES[:2]:
            cosignature = log.cosign_request(sealer.build_witness_request(book, 0), signer.key, "", witness, 5)
            sealer.add_cosignatures(book, cosignature)
        note = sealer.checkpoint(book)
        books = [rulebook.load(name) for name in ("house-burn", "bicycle")]
        rules = {refound_findings.name_rule_member(book_file.name): book_file.data for book_file in books}
        files = {}
        online = next(row.number for row in book.hands(venue="PokerStars"))
        for name, number in (("hand", "715"), ("second", "705"), ("online", online)):
            stream = next(book.hands(number=number)).stream
            judged_books = books if name == "hand" else books[:1]
            further_members = evidence_builder.build_findings_member(
                book, stream, judged_books
            ) | evidence_builder.build_view_members(book, stream)
            rule_members = {
                refound_findings.name_rule_member(book_file.name).removeprefix("rules/"): book_file.data
                for book_file in judged_books
            }
            for point, title in ((note, name), (early_note, f"early {name}")):
                files[title] = bundles.make_bundle(
                    book, stream, point, rule_files=rule_members, further_members=further_members
                )
            files[f"bare {name}"] = bundles.make_bundle(book, stream, note)
        for name, stream in streams.items():
            files[name] = bundles.make_bundle(
                book, stream, note, further_members=evidence_builder.build_view_members(book, stream)
            )
    members = {name: contents(data) for name, data in files.items()}
    assert all(packed(members[name]) == data for name, data in files.items())
    return Genuine(str(signer.key), signer, files, members, rules)
