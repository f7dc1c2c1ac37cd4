"""`handledger lake`: a ledger laid out as files by `handledger shard`, judged and checked without the ledger."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple

import typer

from cli import audit_options, lake_asking, options, output
from cli.audit import chosen
from ledger import safe
from ledger.errors import IntegrityError, RulebookError, UsageError

if TYPE_CHECKING:
    from projections.audit.audit_result import AuditResult
    from projections.books.rulebook import Rulebook
    from projections.shards.lake_audit import LakeRun, Mapper

Engine = Annotated[
    Literal["local", "spark"],
    typer.Option("--engine", help="What judges: processes of this machine, or a Spark cluster."),
]
Master = Annotated[
    str | None, typer.Option("--master", metavar="URL", help="With spark: its master, spark://HOST:7077 or local[2].")
]
Remote = Annotated[
    str | None, typer.Option("--remote", metavar="URL", help="With spark: a server of Spark Connect, sc://HOST:15002.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--conf", metavar="KEY=VALUE", help="With spark: a setting of its own; may be said several times."),
]

EPILOG: Final = "Every verb takes --format text|json and -o FILE: handledger lake audit --help"

Lake = Annotated[Path, typer.Argument(metavar="LAKE", help="The folder that `handledger shard` wrote.")]
Out = Annotated[
    Path,
    typer.Option(
        "--out", metavar="DIR", help="The folder of findings, results and receipts: said again, it goes on there."
    ),
]


def command() -> None:
    """Judge and check a ledger that `handledger shard` laid out as files, in any number of processes or machines.

    Nothing here opens a ledger. What a shard is judged to be does not depend on who judged it, nor on how
    many shards there are: the digest of a run says so.
    """


def audit(
    lake: Lake,
    *,
    out: Out,
    books: options.Books = None,
    edition: audit_options.Edition = None,
    only: audit_options.Only = None,
    frames: audit_options.Frames = 20,
    coverage: audit_options.Coverage = None,
    fail_on: audit_options.FailOn = "info",
    jobs: options.Jobs = 1,
    engine: Engine = "local",
    master: Master = None,
    remote: Remote = None,
    settings: Settings = None,
    format_: audit_options.Lines = "text",
    file: options.Output = None,
) -> None:
    """Judge a lake under rulebooks, as `handledger audit` judges the ledger: the same findings, to the byte.

    What was judged before under the same books by the same program is not judged again; an ended process
    costs what it had not finished. Exit 0 if nothing was found, 1 if anything was. A shard that is damaged
    (4) or cannot be judged (2) is named, and the others are judged.

    \b
    handledger lake audit lake --out findings -r hilton
    handledger lake audit lake --out findings -r hilton --jobs 16
    handledger lake audit lake --out findings -r hilton --engine spark --master spark://host:7077
    """  # noqa: D301 - \b keeps the lines of the examples
    from projections.audit.clause_filter import Clauses
    from projections.audit.clause_filter import only as narrowed
    from projections.shards.lake_audit import audit_lake, merge_results

    said = _chosen(lake, books, edition)
    cluster = _Cluster(master, remote, settings or [])
    with _mapper(engine, jobs, cluster) as mapper, output.working("judging") as progress:
        made = audit_lake(lake, said, out, mapper, progress.judged)
    for one in made.troubles:
        sys.stderr.write(
            f"handledger: shard {one.shard} was not judged: {safe.terminal(one.trouble, 200)} ({one.code})\n"
        )
    failed = False
    if made.receipts:
        whole = merge_results(out, made)
        if only:
            whole = narrowed(whole, Clauses(only))
        _put(lake, whole, made, format_, frames, coverage, only or [], file)
        failed = any(audit_options.severe(found.severity, fail_on) for found in whole.findings)
    if made.troubles:
        raise typer.Exit(4 if any(one.code == IntegrityError.code for one in made.troubles) else 2)
    raise typer.Exit(1 if failed else 0)


def _chosen(lake: Path, books: list[str] | None, edition: str | None) -> list[Rulebook]:
    """Return the rulebooks that were named: of the program, or of the lake's house."""
    from ledger.lake.reading import house_of

    try:
        return chosen(None, books, edition)
    except RulebookError:
        with house_of(lake) as house:
            return chosen(house.ledger, books, edition)


class _Cluster(NamedTuple):
    """Where a cluster is, and what it is told."""

    master: str | None
    remote: str | None
    settings: list[str]


@contextmanager
def _mapper(engine: str, jobs: int, cluster: _Cluster) -> Iterator[Mapper]:
    """Lend what runs the jobs."""
    from projections.shards.lake_audit import map_in_turn, process_mapper

    if engine == "local":
        if any(cluster):
            raise UsageError("--master, --remote and --conf are for a cluster", "Say --engine spark.")
        yield process_mapper(jobs) if jobs > 1 else map_in_turn
        return
    if jobs > 1:
        raise UsageError("--jobs is for this machine", "A cluster has as many workers as it has.")
    wrong = next((one for one in cluster.settings if "=" not in one), None)
    if wrong is not None:
        raise UsageError(f"--conf: {wrong!r} is no setting", "As in: --conf spark.executor.memory=2g")
    from projections.shards.spark import spark_mapper

    with spark_mapper(cluster.master, cluster.remote, dict(one.split("=", 1) for one in cluster.settings)) as mapper:
        yield mapper


def _put(
    lake: Path,
    found: AuditResult,
    made: LakeRun,
    format_: str,
    frames: int,
    coverage: bool | None,
    only: list[str],
    file: Path | None,
) -> None:
    """Put out what was found: as `audit` does, but for names of people, which a lake has not."""
    from msgspec.structs import replace

    from cli.audit_output import told
    from ledger.lake.sources import Sources
    from projections.reports import audit_text
    from projections.reports.audit_json import build_header, with_sources

    kept = Sources(lake)
    if format_ == "jsonl":
        output.jsonl(with_sources(found, kept.sha256), file)
    elif format_ == "json":
        long = {"findings": with_sources(found, kept.sha256), "differences": found.differences}
        output.listings(replace(build_header(found), only=only), long, file)
    else:
        width = min(output.width(), 120)
        source = audit_text.Source(read=kept.piece, locate=kept.where, sha256=kept.sha256)
        framed = partial(audit_text.format_finding, source=source, width=width)
        shown = told(found, frames, framed, coverage=coverage, only=", ".join(only))
        said = f"{made.sessions:,} tables of the lake, digest {made.digest}"
        output.lines(f"{shown}\n\n{said}".split("\n"), file)


VERBS: Final = {"audit": audit, **lake_asking.VERBS}
