"""How large the evidence of a hand is in a large ledger: `python -m tests.torture.sizes --commits 1000000`.

The ledger holds `--real` commits (all, unless said), hands of a whole room, appended and sealed; the tree
over it is grown to its full size with leaves of random bytes: a proof does not know what its
neighbours are. What is measured is the file that `handledger evidence` would write, checked by the
single-file verifier.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import NamedTuple

import ledger
from cli.proofs import evidence_builder
from ledger.evidence import offline
from ledger.evidence.bundle import make_bundle
from ledger.intake import import_paths
from ledger.seal import keys
from ledger.seal.note import Checkpoint, HeldKey, sign_text
from ledger.seal.tree import HASH_SIZE
from ledger.store import Ledger
from ledger.store.seals import sealer
from ledger.store.seals.merkle_tiles import _UPSERT_TILE, TILE_WIDTH
from projections.books import rulebook
from tests.ledger.store.hands import draft

SAMPLE = Path(__file__).resolve().parent.parent.parent / "cli" / "samples" / "evening-online.txt"
BATCH = 5000


class Size(NamedTuple):
    """A bundle: its bytes, those of its proof, the seconds to check it.

    `ruled` is with all that `evidence -r hilton` puts in: book, findings, hand to read, source.
    """

    commits: int
    hashes: int
    plain: int
    proof: int
    ruled: int
    seconds: float


def filled(book: Ledger, commits: int) -> None:
    """Import real hands, then append others until there are so many commits."""
    import_paths(book, [SAMPLE])
    have = sum(1 for _ in book.commits())
    with book.bulk():
        for first in range(0, commits - have, BATCH):
            count = min(BATCH, commits - have - first)
            book.append_all([draft(n, book.people) for n in range(first, first + count)])


def grown(book: Ledger, signer: HeldKey, size: int) -> str:
    """Grow the kept tree with random leaves behind the real ones; return its signed checkpoint."""
    merkle_tiles, chance = sealer.tiles_of(book), random.Random(1)
    with book.writing() as link:
        have, position, row, _ = merkle_tiles._read_end(link)
        rows = {0: row}
        for index in range(have, size):
            merkle_tiles._add_hash(link, rows, 0, chance.randbytes(HASH_SIZE), index, position)
        if rows[0]:
            link.execute(_UPSERT_TILE, (0, size // TILE_WIDTH, position, b"".join(rows[0])))
        point = Checkpoint(signer.key.name, size, merkle_tiles.read_tree(link).root)
    return sign_text(str(point), signer)


def measure(folder: Path, commits: int, real: int | None = None) -> Size:
    """Make such a ledger in `folder`, seal it, and look at the largest hand of the sample."""
    with ledger.open(folder / "x.ledger") as book:
        filled(book, real or commits)
        signer = HeldKey(sealer.origin(book, "room.example"), keys.create_key(folder / "k"))
        point = sealer.seal(book, signer, keys.SignatureMemory(folder / "k")).checkpoint
        assert point.size == (real or commits)
        note = sealer.checkpoint(book) if real is None else grown(book, signer, commits)
        largest = max(book.hands(venue="PokerStars"), key=lambda row: row.count)
        plain_bundle = make_bundle(book, largest.stream, note)
        house = rulebook.load("hilton")
        further_members = evidence_builder.build_findings_member(
            book, largest.stream, [house]
        ) | evidence_builder.build_view_members(book, largest.stream)
        ruled = make_bundle(
            book, largest.stream, note, rule_files={"hilton.toml": house.data}, further_members=further_members
        )
    path = folder / "hand.hlev"
    path.write_bytes(plain_bundle)
    start = time.process_time()
    result = offline.check(path.read_bytes(), offline.read_key(str(signer.key)))
    seconds = time.process_time() - start
    assert result["size"] == commits
    with zipfile.ZipFile(path) as file:
        proofs = [info for info in file.infolist() if info.filename.startswith("proofs/")]
        hashes = file.read(proofs[0]).split(b"\n\n")[0].count(b"\n") - 1
    return Size(commits, hashes, len(plain_bundle), proofs[0].file_size, len(ruled), seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commits", type=int, default=1_000_000)
    parser.add_argument("--real", type=int, help="how many of them the ledger holds; all, if unsaid")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        size = measure(Path(scratch), options.commits, options.real)
    print(
        f"a ledger of {size.commits:,} commits: the evidence of a hand is {size.plain:,} bytes "
        f"({size.proof:,} of proof: {size.hashes} hashes), with rulebook, findings, view and source {size.ruled:,}; "
        f"checked offline in {size.seconds:.2f} s"
    )
    return 0 if size.ruled < 20_000 else 1


if __name__ == "__main__":
    sys.exit(main())
