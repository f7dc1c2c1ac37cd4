"""`handledger lake`: judge and query a lake, the files of `handledger shard`, without the ledger."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple

import typer

from cli import lake_queries
from cli.audit import choose_books
from cli.options import audit_options, common_options
from cli.output import console
from ledger import safe
from ledger.errors import IntegrityError, RulebookError, UsageError

if TYPE_CHECKING:
    from projections.audit.audit_result import AuditResult
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Finding
    from projections.shards.lake_audit import LakeRun, Mapper

Engine = Annotated[
    Literal["local", "spark"], typer.Option("--engine", help="Processes of this machine, or a Spark cluster.")
]
Master = Annotated[
    str | None, typer.Option("--master", metavar="URL", help="For spark: its master, spark://HOST:7077 or local[2].")
]
Remote = Annotated[
    str | None, typer.Option("--remote", metavar="URL", help="For spark: a Spark Connect server, sc://HOST:15002.")
]
Settings = Annotated[
    list[str] | None, typer.Option("--conf", metavar="KEY=VALUE", help="For spark: a setting. Repeatable.")
]

EPILOG: Final = "Every verb takes --format text|json and -o FILE: handledger lake audit --help"

Lake = Annotated[Path, typer.Argument(metavar="LAKE", help="The folder that `handledger shard` wrote.")]
Out = Annotated[
    Path,
    typer.Option(
        "--out", metavar="DIR", help="The folder for findings, results and receipts. A second run continues there."
    ),
]


def command() -> None:
    """Audit a lake, and list its hands and results."""


def audit_lake_command(
    lake: Lake,
    *,
    out: Out,
    books: common_options.Books = None,
    edition: audit_options.Edition = None,
    clause_patterns: audit_options.OnlyClauses = None,
    frames: audit_options.Frames = 20,
    coverage: audit_options.Coverage = None,
    fail_on: audit_options.FailOn = "info",
    jobs: common_options.Jobs = 1,
    engine: Engine = "local",
    master: Master = None,
    remote: Remote = None,
    settings: Settings = None,
    format_: audit_options.Lines = "text",
    file: common_options.Output = None,
) -> None:
    """Check a lake against rulebooks, with the same findings as `handledger audit`."""
    from projections.audit.clause_filter import ClauseFilter, filter_clauses
    from projections.shards.lake_audit import audit_lake, merge_results

    rulebooks = _load_books(lake, books, edition)
    cluster = _Cluster(master, remote, settings or [])
    with _open_mapper(engine, jobs, cluster) as mapper, console.show_progress("judging") as progress:
        run = audit_lake(lake, rulebooks, out, mapper, progress.show_judged)
    for trouble in run.troubles:
        sys.stderr.write(
            f"handledger: shard {trouble.shard} was not judged: {safe.terminal(trouble.trouble, 200)} ({trouble.code})\n"
        )
    has_failed = False
    if run.receipts:
        result = merge_results(out, run)
        if clause_patterns:
            result = filter_clauses(result, ClauseFilter(clause_patterns))
        book_arguments = {book.name: book.command_argument for book in rulebooks}
        _write_result(lake, result, run, format_, frames, coverage, clause_patterns or [], file, book_arguments)
        has_failed = any(audit_options.is_severe(finding.severity, fail_on) for finding in result.findings)
    if run.troubles:
        raise typer.Exit(4 if any(trouble.code == IntegrityError.code for trouble in run.troubles) else 2)
    raise typer.Exit(1 if has_failed else 0)


def _load_books(lake: Path, books: list[str] | None, edition: str | None) -> list[Rulebook]:
    """Return the named rulebooks: the program's, or those of the lake's house."""
    from ledger.lake.shard_reader import open_house

    try:
        return choose_books(None, books, edition)
    except RulebookError:
        with open_house(lake) as house:
            return choose_books(house.ledger, books, edition)


class _Cluster(NamedTuple):
    """The address and the settings of a Spark cluster."""

    master: str | None
    remote: str | None
    settings: list[str]


@contextmanager
def _open_mapper(engine: str, jobs: int, cluster: _Cluster) -> Iterator[Mapper]:
    """Yield the mapper that runs the jobs: in this process, in worker processes, or on a cluster."""
    from projections.shards.lake_audit import make_process_mapper, map_in_turn

    if engine == "local":
        if any(cluster):
            raise UsageError("--master, --remote and --conf are for a cluster", "Say --engine spark.")
        yield make_process_mapper(jobs) if jobs > 1 else map_in_turn
        return
    if jobs > 1:
        raise UsageError("--jobs is for this machine", "A cluster has as many workers as it has.")
    bad_setting = next((setting for setting in cluster.settings if "=" not in setting), None)
    if bad_setting is not None:
        raise UsageError(f"--conf: {bad_setting!r} is no setting", "As in: --conf spark.executor.memory=2g")
    from projections.shards.spark import open_spark_mapper

    with open_spark_mapper(
        cluster.master, cluster.remote, dict(setting.split("=", 1) for setting in cluster.settings)
    ) as mapper:
        yield mapper


def _write_result(
    lake: Path,
    result: AuditResult,
    run: LakeRun,
    format_: str,
    frames: int,
    coverage: bool | None,
    clause_patterns: list[str],
    file: Path | None,
    book_arguments: Mapping[str, str],
) -> None:
    """Write the findings like `audit`, without names of people: a lake has none."""
    from msgspec.structs import replace

    from cli.output.audit_output import format_audit
    from ledger.lake.sources import LakeSources
    from projections.reports import audit_text
    from projections.reports.audit_json import build_header, iter_addressed_findings

    sources = LakeSources(lake)
    if format_ == "jsonl":
        console.write_jsonl(iter_addressed_findings(result, sources.sha256), file)
    elif format_ == "json":
        long_lists = {"findings": iter_addressed_findings(result, sources.sha256), "differences": result.differences}
        console.write_listings(replace(build_header(result), only=clause_patterns), long_lists, file)
    else:
        width = min(console.find_width(), 120)
        source = audit_text.Source(read=sources.read_piece, locate=sources.find_line, sha256=sources.sha256)

        def format_frame(finding: Finding) -> str:
            book_argument = book_arguments.get(finding.book, "")
            return audit_text.format_finding(finding, source, width=width, book_argument=book_argument)

        result_text = format_audit(
            result,
            frames,
            format_frame,
            coverage_detail=audit_options.choose_coverage_detail(is_full=coverage),
            clause_filter=", ".join(clause_patterns),
        )
        digest_text = f"{run.sessions:,} tables of the lake, digest {run.digest}"
        console.write_lines(f"{result_text}\n\n{digest_text}".split("\n"), file)


VERBS: Final = {"audit": audit_lake_command, **lake_queries.VERBS}
