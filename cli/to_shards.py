"""`handledger import --to-shards`: import files into a lake, without a ledger."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from cli.options import ledger_options
from cli.output import console
from ledger import safe
from ledger.intake import import_errors

if TYPE_CHECKING:
    from ledger.intake.import_options import ImportOptions
    from projections.shards.direct_import import DirectImport

ToShards = Annotated[
    Path | None,
    typer.Option(
        "--to-shards",
        metavar="DIR",
        help="Write Parquet shards (a lake) instead of a ledger, for very many hands.",
        show_default=False,
    ),
]
Hands = Annotated[
    int | None,
    typer.Option(
        "--hands", metavar="N", min=1, help="With --to-shards: hands per shard. Default: 500000.",
        show_default=False,
    ),
]  # fmt: skip
_HANDS_PER_SHARD: Final = 500_000


class ShardRequest(NamedTuple):
    """The options of an import into a lake."""

    paths: list[str]
    folder: Path | None
    options: ImportOptions
    hands: int | None
    people_key: Path | None


def import_to_lake_instead(context: typer.Context, request: ShardRequest, shape: str, file: Path | None) -> None:
    """Import into a lake if a folder is named. Raise an error for options that need a ledger, or a lake."""
    if request.folder is None:
        if request.hands is not None:
            raise import_errors.hands_without_shards()
        return
    refused_options = [
        "--plain" if context.params.get(name) is False and option == "--compress" else option
        for name, option in _LEDGER_OPTIONS.items()
        if (source := context.get_parameter_source(name)) is not None and source.name == "COMMANDLINE"
    ]
    if refused_options:
        raise import_errors.option_of_ledger(refused_options[0])
    _import_files(request, request.folder, shape, file)


_LEDGER_OPTIONS: Final = {
    "dry_run": "--dry-run",
    "compress": "--compress",
    "hide_cards": "--hide-cards",
    "key": "--key",
    "watch": "--watch",
    "url": "--ledger",
}


def _import_files(request: ShardRequest, folder: Path, shape: str, file: Path | None) -> None:
    """Import the files, write the result, and exit like `import`."""
    from cli.output.import_output import build_import_document, format_import
    from ledger.store.open_ledger import system_clock
    from projections.shards.direct_import import import_to_shards

    progress = console.ProgressLine()
    try:
        direct_import = import_to_shards(
            request.paths,
            folder,
            replace(request.options, on_progress=progress),
            imported_at=system_clock(),
            hands_per_shard=request.hands or _HANDS_PER_SHARD,
            people_key=request.people_key,
        )
    finally:
        progress.clear()
    if direct_import.created_key_file is not None:
        sys.stderr.write(f"{ledger_options.describe_new_key(direct_import.created_key_file)}\n")
    if shape == "json":
        console.write_document(
            build_import_document(
                direct_import.summary, str(folder), key_made=str(direct_import.created_key_file or "")
            ),
            file,
        )
    else:
        lake = shlex.quote(str(folder))
        import_text = format_import(
            direct_import.summary,
            follow=_suggest_commands(direct_import, lake),
            list_command=f"handledger lake rejects {lake}",
        )
        console.write_text(import_text, file)
    raise typer.Exit(direct_import.summary.exit_code)


def _suggest_commands(direct_import: DirectImport, lake: str) -> list[str]:
    """Return the size of the lake and the next commands, as lines."""
    shards, straight = direct_import.manifest.shards, direct_import.manifest.straight
    if straight is None or direct_import.summary.exit_code == 2:
        return []
    hands, tables = sum(shard.hands for shard in shards), sum(shard.tables for shard in shards)
    lake = safe.terminal(lake, 200)
    shards_text = f"{len(shards):,} shard{'s' * (len(shards) != 1)}"
    return [
        f"{lake}: {hands:,} hands of {tables:,} tables in {shards_text}, each a log of its own.",
        f"The root over them: {straight.root}",
        "What to type next:",
        f"  handledger lake audit {lake} --out FINDINGS -r BOOK   what was wrong",
        f"  handledger lake rejects {lake}   what could not be read",
        f"  handledger verify {lake}   whether it is what was written",
        f"  handledger seal --lake {lake}   sign it: then its hands can be proved",
    ]
