"""`handledger lake log`, `lake results`, `lake rejects`: list a lake's hands, results and rejects."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from cli.documents.query_documents import CountDocument, ResultsDocument
from cli.options import common_options, day_options
from cli.options.day_options import DayBegins
from cli.options.where import QueryOption
from cli.output import console, log_fields
from cli.output.log_fields import Fields, Group, Listing, Sort
from cli.results import format_results
from ledger.errors import NothingFoundError
from ledger.vocabulary import PlayerId

FindingsFolder = Annotated[
    Path, typer.Argument(metavar="FINDINGS", help="The folder that `handledger lake audit --out` filled.")
]
ResultGrouping = Annotated[
    Literal["player", "position", "seat", "table", "venue", "game", "format", "day"],
    typer.Option("--by", help="What gets a row."),
]
LogFormat = Annotated[
    Literal["text", "json", "jsonl"],
    typer.Option("--format", help="Text for people, JSON for programs, or a line per hand."),
]
_MAX_NAMED_SHARDS: Final = 10
"""Shards that a warning names."""


def list_hands(
    findings: FindingsFolder,
    *,
    query_text: QueryOption = None,
    fields: Fields = None,
    sort: Sort = None,
    grouping: Group = None,
    count: Annotated[bool, typer.Option("--count", help="Print only the number of hands.")] = False,
    day_begins: DayBegins = day_options.DEFAULT_DAY_START,
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="The number of hands at most; 0 = all.")] = 1000,
    format_: LogFormat = "text",
    file: common_options.Output = None,
) -> None:
    """List or add up the hands of a judged lake."""
    from projections.addresses.room_days import parse_day_start
    from projections.shards.shard_queries import run_lake_query

    log_fields.check_listing_options(fields, sort, grouping)
    _warn_of_unjudged_shards(findings)
    group_fields = [name.strip().lower() for name in (grouping or "").split(",") if name.strip()]
    with run_lake_query(findings, query_text, day_begins, group_fields=group_fields) as selection:
        if not count:
            listing = Listing(fields, sort, grouping, parse_day_start(day_begins), limit, _no_hands_error)
            log_fields.write_listing(_find_no_name, selection, listing, format_, file)
            return
        hand_count = selection.count_hands()
    if format_ == "text":
        console.write_text(f"{hand_count:,} hand{'' if hand_count == 1 else 's'}", file)
    else:
        console.write_document(CountDocument(hands=hand_count), file)


def sum_results(
    findings: FindingsFolder,
    *,
    query_text: QueryOption = None,
    grouping: ResultGrouping = "player",
    day_begins: DayBegins = day_options.DEFAULT_DAY_START,
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="The number of rows at most; 0 = all.")] = 50,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Add up what the players of a judged lake won and lost."""
    from projections.queries.result_query import build_results
    from projections.shards.shard_queries import run_lake_query

    _warn_of_unjudged_shards(findings)
    with run_lake_query(findings, query_text, day_begins) as selection:
        result_rows = build_results(selection, grouping, [], day_begins, _find_no_name)
    if not result_rows:
        raise _no_hands_error()
    document = ResultsDocument(by=grouping, query=query_text or "", results=result_rows)
    if format_ == "json":
        console.write_document(document, file)
    else:
        console.write_text(format_results(document, limit), file)


def _find_no_name(player: PlayerId) -> None:
    """Return no name for a player: a lake has only ids."""
    del player


def _no_hands_error() -> NothingFoundError:
    return NothingFoundError("no hands match", "handledger lake log FINDINGS --count says how many there are.")


def _warn_of_unjudged_shards(findings: Path) -> None:
    """Print a warning if shards couldn't be judged: the answer leaves them out."""
    from projections.shards.lake_audit import read_run

    missing_shards = [trouble.shard for trouble in read_run(findings).troubles]
    if not missing_shards:
        return
    shard_names = ", ".join(missing_shards[:_MAX_NAMED_SHARDS])
    unnamed_count = len(missing_shards) - _MAX_NAMED_SHARDS
    more_text = f" and {unnamed_count:,} more" if unnamed_count > 0 else ""
    sys.stderr.write(f"handledger: not judged, and not in this answer: shard {shard_names}{more_text}\n")


def list_rejects(
    lake: Annotated[
        Path, typer.Argument(metavar="LAKE", help="The folder that `handledger import --to-shards` wrote.")
    ],
    *,
    bytes_: Annotated[bool, typer.Option("--bytes", help="Show the text of each span.")] = False,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """List what couldn't be read in the files of a lake."""
    from cli.rejects import EXIT_REJECTS, write_rejects
    from ledger.lake.sources import LakeSources
    from projections.shards.refused_spans import iter_refused_spans

    has_rejects = write_rejects(
        iter_refused_spans(lake), LakeSources(lake).read_piece if bytes_ else None, format_, file
    )
    raise typer.Exit(EXIT_REJECTS if has_rejects else 0)


VERBS: Final = {"log": list_hands, "results": sum_results, "rejects": list_rejects}
