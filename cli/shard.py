"""`handledger shard`: write whole tables as Parquet files, for many machines to judge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.documents.lake_documents import LakeDocument
from cli.export import record_export
from cli.options import common_options, day_options, ledger_options
from cli.output import console
from ledger import safe

if TYPE_CHECKING:
    from ledger.lake.layout import LakeManifest

Query = Annotated[
    str | None,
    typer.Argument(
        metavar="[QUERY]",
        help="Only whole tables with a matching hand: 'venue:Alcor day:2026-01-02'. Default: all.",
        autocompletion=common_options.complete_query,
    ),
]
Folder = Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder of the lake.")]
Hands = Annotated[int, typer.Option("--hands", metavar="N", min=1, help="The number of hands per shard, roughly.")]
Sources = Annotated[
    bool,
    typer.Option(
        "--sources/--no-sources",
        help="Include the source files, which hold names, or leave them out.",
        show_default=False,
    ),
]


def command(
    query: Query = None,
    *,
    folder: Folder,
    hands: Hands = 500_000,
    sources: Sources = True,
    day_begins: day_options.DayBegins = day_options.DEFAULT_DAY_START,
    as_of: common_options.AsOf = None,
    jobs: common_options.Jobs = 1,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
) -> None:
    """Write whole tables as Parquet files: a lake."""
    from ledger.lake.atomic_files import hash_file
    from ledger.lake.layout import MANIFEST_FILE, read_receipt
    from ledger.lake.shard_writer import SOURCES_FILE
    from projections.shards.lake_builder import build_lake

    earlier_receipts = {
        path.name: read_receipt(path) for path in (folder / SOURCES_FILE, *folder.glob("shards/*.parquet"))
    }
    with ledger_options.open_ledger(url, as_of=as_of) as ledger, console.show_progress("writing") as progress:
        lake_manifest = build_lake(
            ledger,
            folder,
            query or "",
            day_start=day_begins,
            hands_per_shard=hands,
            sources=sources,
            jobs=jobs,
            progress=progress.show_written,
        )
    new_shards = [shard for shard in lake_manifest.shards if earlier_receipts.get(Path(shard.name).name) != shard]
    if new_shards or (lake_manifest.sources is not None and earlier_receipts[SOURCES_FILE] != lake_manifest.sources):
        digest = hash_file(folder / MANIFEST_FILE)
        kind = "lake" if sources else "lake without sources"
        record_export(
            url,
            kind,
            sum(shard.hands for shard in new_shards or lake_manifest.shards),
            "house",
            digest,
            lossy=False,
            role="shard",
        )
    document = _build_document(lake_manifest, folder, len(new_shards))
    if format_ == "json":
        console.write_document(document)
    else:
        console.write_text(_format_document(document))


def _build_document(lake_manifest: LakeManifest, folder: Path, written_count: int) -> LakeDocument:
    files = [
        *lake_manifest.shards,
        lake_manifest.house,
        *([lake_manifest.leaves] if lake_manifest.leaves else []),
        *lake_manifest.all_sources,
    ]
    return LakeDocument(
        lake=str(folder),
        ledger=lake_manifest.ledger,
        position=lake_manifest.position,
        head=lake_manifest.head,
        shards=len(lake_manifest.shards),
        written=written_count,
        tables=sum(receipt.tables for receipt in lake_manifest.shards),
        hands=sum(receipt.hands for receipt in lake_manifest.shards),
        commits=lake_manifest.commits,
        bytes=sum(receipt.bytes for receipt in files),
    )


def _format_document(document: LakeDocument) -> str:
    shards_text = f"{document.shards:,} shard{'s' * (document.shards != 1)} ({document.written:,} written now)"
    return (
        f"{safe.terminal(document.lake, 200)}: {document.hands:,} hands of {document.tables:,} tables in {shards_text}, "
        f"{document.bytes:,} bytes.\nThe ledger as of position {document.position:,}, head {document.head[:16]}."
    )
