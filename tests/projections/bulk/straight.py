"""The same files in a ledger and its lake, and straight in shards: what the tests of both share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from ledger.intake import ImportOptions, import_paths
from ledger.intake.summary import ImportSummary
from ledger.lake.lake_check import verify
from ledger.store import open as open_ledger
from ledger.store.open_ledger import system_clock
from projections.books import rulebook
from projections.shards import shard_plan
from projections.shards.direct_import import DirectImport, import_to_shards
from projections.shards.lake_audit import LakeRun, audit_lake
from projections.shards.lake_builder import build_lake

BOOKS = [rulebook.load("hilton"), rulebook.load("rrop4")]


class Both(NamedTuple):
    """What came of the same files on both ways."""

    imported: ImportSummary
    made: DirectImport
    judged: tuple[LakeRun, LakeRun]


def import_both_ways(folder: Path, files: Sequence[Path], *, hands: int = 3, jobs: int = 1, times: int = 1) -> Both:
    """Import files into a ledger, lay it out and judge it; and the same straight; under the same ids.

    The same id stands for the same name where key and id of the ledger are the same.
    """
    folder.mkdir(exist_ok=True)
    key = folder / "people.key"
    with open_ledger(folder / "x.ledger", people_key=key) as ledger:
        imported = import_paths(ledger, files)
        build_lake(ledger, folder / "lake", day_start="06:00")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(shard_plan, "token_hex", lambda _: ledger.id)
            direct_import = import_to_shards(
                files,
                folder / "straight",
                ImportOptions(jobs=jobs),
                imported_at=system_clock(),
                hands_per_shard=hands,
                people_key=key,
            )
    direct = audit_lake(folder / "lake", BOOKS, folder / "out")
    lake_run = audit_lake(folder / "straight", BOOKS, folder / "out-straight")
    assert verify(folder / "straight")[1] == []
    return Both(imported, direct_import, (direct, lake_run))


def check_same(both_ways: Both) -> None:
    """Demand that both ways came to the same."""
    direct, ours = both_ways.judged
    assert not direct.troubles
    assert not ours.troubles
    assert file_accounts(both_ways.made.summary) == file_accounts(both_ways.imported)
    assert (ours.sessions, ours.hands, ours.findings, ours.digest) == (
        direct.sessions,
        direct.hands,
        direct.findings,
        direct.digest,
    )


def file_accounts(summary: ImportSummary) -> list[object]:
    """Return what is said of each file; of accounts of hands the first are listed, in the order of shards."""
    return [[getattr(file, name) for name in file.__struct_fields__ if name != "accounts"] for file in summary.files]
