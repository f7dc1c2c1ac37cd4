"""List the rejected spans of a direct import that no later file corrected."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ledger.account import read_detail
from ledger.lake import lake_errors, layout
from projections.addresses.source_names import SourcePlace
from projections.reports.rejects import RejectDocument
from projections.shards import shard_errors


def iter_refused_spans(lake: Path) -> Iterator[RejectDocument]:
    """Yield the rejected spans, file by file; `UsageError` for a lake that was built from a ledger."""
    straight = layout.read_manifest(lake).straight
    if straight is None:
        raise shard_errors.no_rejects_in_lake()
    for receipt in (straight.files, straight.rejects):
        if damage := layout.describe_damage(lake, receipt):
            raise lake_errors.file_damaged(receipt.name, damage)
    names = {number: (name, sha256) for number, name, _, sha256, *_ in layout.read_rows(lake / straight.files.name)}
    for file, source, line, start, length, code, detail, is_current in layout.read_rows(lake / straight.rejects.name):
        if is_current:
            place = SourcePlace(*names.get(file, ("", "")), line, start, length, source)
            yield RejectDocument(place, code, *read_detail(detail.decode("utf-8", "surrogatepass")))
