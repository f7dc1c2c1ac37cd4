"""Check a lake: its files, and that they are what its ledger recorded and signed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.documents.command_documents import ProblemEntry, VerifyDocument

if TYPE_CHECKING:
    from ledger.lake.layout import LakeManifest
    from ledger.store.verify.tree_checks import Anchor

CHECKS: Final = (
    ("every file has the bytes and rows that its receipt states", {"file"}),
    ("every commit's hash, recomputed from its row, and the links between all commits of the ledger", {"hash", "head"}),
    ("every commit is in the lake once, as a row or as its leaf of the Merkle tree", {"position"}),
    ("every row is with its table, and every table is in one shard, sorted by name", {"place", "order"}),
    ("every hand's row agrees with its events", {"index"}),
    ("the bytes of every source match their digest", {"source"}),
    ("the Merkle tree over all commits, recomputed, against every checkpoint", {"checkpoint"}),
    ("every rulebook of the house in it is byte for byte the one it adopted", {"rulebook"}),
)
LAKE_CHECKS: Final = (
    CHECKS[0],
    ("in every log, every commit's hash, recomputed from its row, the links and the Merkle tree", {"hash", "head"}),
    ("the Merkle tree over the logs, the accounts and the sources", {"head", "checkpoint"}),
    ("every commit is in its log once, as a row or as its leaf of the tree", {"position"}),
    ("every row is with its table, and every table is in the shard for its name", {"place", "order"}),
    *CHECKS[4:6],
    ("every byte of every file is read, blank, rejected or not read, as the house's log states", {"account"}),
)
"""Claims about a lake, each with the codes of the problems that contradict it: `CHECKS` of a lake made from a ledger,
`LAKE_CHECKS` of one that files were imported into."""

_UNPROVED: Final = (
    "which lines of a source couldn't be read: only the rows of hands show it",
    "that a source tells the truth: its bytes are kept as they came",
)
_SALTED: Final = "which file a source's bytes are from: their ids are salted, and only the ledger has the salts"
_UNSIGNED: Final = "that somebody signed this log: the lake has no checkpoint (handledger seal signs the ledger; --against names a checkpoint kept elsewhere)"
_NO_LEDGER: Final = "that nobody replaced this lake: it isn't signed (handledger seal --lake signs it); compare its root with one kept elsewhere"
_LATER_COMMITS: Final = "what the ledger recorded after the newest checkpoint that was compared"
_SIGNER_UNKNOWN: Final = "who signed the lake's checkpoint (no --key)"


def verify_lake(lake: Path, anchors: list[Anchor], keys: list[str], *, jobs: int = 1) -> VerifyDocument:
    """Verify a lake, and return the document of the result."""
    from ledger.lake.lake_check import find_own_anchors, verify

    lake_manifest, lake_problems = verify(lake, anchors, jobs=jobs)
    problems = [ProblemEntry(problem.code, problem.reason, problem.position) for problem in lake_problems]
    signature_problems = [_check_signature(lake_manifest, key) for key in keys]
    problems += [ProblemEntry("checkpoint", problem, None) for problem in signature_problems if problem]
    return VerifyDocument(
        ledger=str(lake),
        sound=not problems,
        against=[anchor.label for anchor in (*find_own_anchors(lake_manifest), *anchors)],
        checked=[claim for claim, _ in (CHECKS if lake_manifest.straight is None else LAKE_CHECKS)],
        not_proved=[
            *_describe_unsigned(lake_manifest, anchors),
            *_describe_missing(lake, lake_manifest),
            *([_SALTED] if lake_manifest.all_sources else []),
            *([_SIGNER_UNKNOWN] if lake_manifest.checkpoint and not keys else []),
            *_UNPROVED,
        ],
        problems=problems,
        positions=lake_manifest.position,
        head=lake_manifest.head,
        stamps=[],
    )


def _describe_missing(lake: Path, lake_manifest: LakeManifest) -> list[str]:
    """Return a line with the number of sources whose bytes the lake lacks, though hands were read from them."""
    from ledger.lake.checks import DAMAGE_ERRORS
    from ledger.lake.sources import LakeSources

    try:
        missing_sources = LakeSources(lake).find_missing_sources(lake / shard.name for shard in lake_manifest.shards)
    except DAMAGE_ERRORS:
        return []  # an unreadable file is a problem of its own
    if not missing_sources:
        return []
    files_text = "1 file" if len(missing_sources) == 1 else f"{len(missing_sources):,} files"
    return [f"that hands match their sources: the bytes of {files_text} aren't in this lake"]


def _describe_unsigned(lake_manifest: LakeManifest, anchors: list[Anchor]) -> list[str]:
    """Return what no signed checkpoint proves."""
    if lake_manifest.straight is not None:
        return [] if lake_manifest.checkpoint else [_NO_LEDGER]
    return [_LATER_COMMITS] if lake_manifest.checkpoint or anchors else [_UNSIGNED]


def _check_signature(lake_manifest: LakeManifest, key_text: str) -> str:
    """Return the problem of a lake's checkpoint with the signature of a key; "" if there is none."""
    from ledger.seal.note import read_key, read_note, verify_signature

    key = read_key(key_text)
    if not lake_manifest.checkpoint:
        return f"the lake has no checkpoint, and --key requires one by {key.name}"
    is_signed = verify_signature(read_note(lake_manifest.checkpoint), key) is not None
    return "" if is_signed else f"the lake's checkpoint is not signed by {key.name} with the key that was given"
