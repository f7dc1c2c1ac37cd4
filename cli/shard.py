"""`handledger shard`: whole tables of the ledger as files that any number of machines judge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli import days, opening, options, output
from cli.export import given_out
from cli.lake_documents import LakeDocument
from ledger import safe

if TYPE_CHECKING:
    from ledger.lake.layout import Manifest

Query = Annotated[
    str | None,
    typer.Argument(
        metavar="[QUERY]",
        help="Only tables at which a hand fits, and those whole: 'venue:Alcor day:2026-01-02'. Without it: all.",
        autocompletion=options.complete_query,
    ),
]
Folder = Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder of the lake.")]
Hands = Annotated[int, typer.Option("--hands", metavar="N", min=1, help="About so many hands a shard.")]
Sources = Annotated[
    bool,
    typer.Option(
        "--sources/--no-sources", help="Also the bytes of the files, which hold names; or not.", show_default=False
    ),
]


def command(
    query: Query = None,
    *,
    folder: Folder,
    hands: Hands = 500_000,
    sources: Sources = True,
    day_begins: days.DayBegins = days.DEFAULT_DAY_START,
    as_of: options.AsOf = None,
    jobs: options.Jobs = 1,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
) -> None:
    """Write whole tables as Parquet shards, a lake, which any number of processes or machines judge.

    `handledger lake audit` judges it, without the ledger. A row for each commit, with its bytes and its hash; a receipt beside each file; a manifest when all is there.
    Said again, only what is missing, damaged, or of tables at which anything came in is written.
    Names of people are not in it, but for the bytes of the files, as far as nobody in them was forgotten.

    \b
    handledger shard -o lake
    handledger shard 'venue:Alcor' -o alcor --hands 200000 --no-sources
    """  # noqa: D301 - \b keeps the lines of the examples
    from ledger.lake.layout import MANIFEST, receipt_of, sha256_of
    from ledger.lake.writing import SOURCES
    from projections.shards.lake_builder import build_lake

    before = {path.name: receipt_of(path) for path in (folder / SOURCES, *folder.glob("shards/*.parquet"))}
    with opening.opened(url, as_of=as_of) as ledger, output.working("writing") as progress:
        made = build_lake(
            ledger,
            folder,
            query or "",
            day_start=day_begins,
            hands=hands,
            sources=sources,
            jobs=jobs,
            progress=progress.written,
        )
    fresh = [one for one in made.shards if before.get(Path(one.name).name) != one]
    if fresh or (made.sources is not None and before[SOURCES] != made.sources):
        digest = sha256_of(folder / MANIFEST)
        kind = "lake" if sources else "lake without sources"
        given_out(url, kind, sum(one.hands for one in fresh or made.shards), "house", digest, lossy=False, by="shard")
    told = _document(made, folder, len(fresh))
    if format_ == "json":
        output.document(told)
    else:
        output.put(_text(told))


def _document(made: Manifest, folder: Path, fresh: int) -> LakeDocument:
    files = [*made.shards, made.house, *([made.leaves] if made.leaves else []), *made.all_sources]
    return LakeDocument(
        lake=str(folder),
        ledger=made.ledger,
        position=made.position,
        head=made.head,
        shards=len(made.shards),
        written=fresh,
        tables=sum(one.tables for one in made.shards),
        hands=sum(one.hands for one in made.shards),
        commits=made.commits,
        bytes=sum(one.bytes for one in files),
    )


def _text(told: LakeDocument) -> str:
    shards = f"{told.shards:,} shard{'s' * (told.shards != 1)} ({told.written:,} written now)"
    return (
        f"{safe.terminal(told.lake, 200)}: {told.hands:,} hands of {told.tables:,} tables in {shards}, "
        f"{told.bytes:,} bytes.\nThe ledger as it stood at position {told.position:,}, head {told.head[:16]}."
    )
