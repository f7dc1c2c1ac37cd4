"""`handledger import --to-shards`: files straight into a lake, without a ledger between."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from cli import opening, output
from ledger import safe
from ledger.errors import UsageError

if TYPE_CHECKING:
    from projections.shards.direct_import import DirectImport

ToShards = Annotated[
    Path | None,
    typer.Option(
        "--to-shards",
        metavar="DIR",
        help="Into a lake, Parquet shards, and into no ledger: for more hands than one ledger is to hold.",
        show_default=False,
    ),
]
Hands = Annotated[
    int | None,
    typer.Option(
        "--hands", metavar="N", min=1, help="With --to-shards: about so many hands a shard; 500000 without it.",
        show_default=False,
    ),
]  # fmt: skip
_HANDS: Final = 500_000


class Asked(NamedTuple):
    """What is to be done."""

    paths: list[str]
    folder: Path | None
    forced: str | None
    hands: int | None
    jobs: int
    people_key: Path | None


def instead(context: typer.Context, asked: Asked, shape: str, file: Path | None) -> None:
    """Do it, if a folder was named, instead of an import; refuse what does not go together with either."""
    if asked.folder is None:
        if asked.hands is not None:
            raise UsageError("--hands is said with --to-shards", "A ledger has no shards.")
        return
    said = [
        "--plain" if context.params.get(name) is False and option == "--compress" else option
        for name, option in _OF_LEDGERS.items()
        if (source := context.get_parameter_source(name)) is not None and source.name == "COMMANDLINE"
    ]
    if said:
        raise UsageError(
            f"{said[0]} is for a ledger, and --to-shards makes none", f"Leave out {said[0]}, or --to-shards."
        )
    _run(asked, asked.folder, shape, file)


_OF_LEDGERS: Final = {
    "dry_run": "--dry-run",
    "compress": "--compress",
    "hide_cards": "--hide-cards",
    "key": "--key",
    "watch": "--watch",
    "url": "--ledger",
}


def _run(asked: Asked, folder: Path, shape: str, file: Path | None) -> None:
    """Read the files, say what became of them, and exit as `import` does."""
    from cli.import_output import document, text
    from ledger.store.opening import system_clock
    from projections.shards.direct_import import import_to_shards

    progress = output.Progress()
    try:
        made = import_to_shards(
            asked.paths,
            folder,
            imported_at=system_clock(),
            format=asked.forced,
            hands=asked.hands or _HANDS,
            jobs=asked.jobs,
            people_key=asked.people_key,
            progress=progress,
        )
    finally:
        progress.clear()
    if made.key_made is not None:
        sys.stderr.write(f"{opening.key_made(made.key_made)}\n")
    if shape == "json":
        output.document(document(made.summary, str(folder), key_made=str(made.key_made or "")), file)
    else:
        lake = shlex.quote(str(folder))
        told = text(made.summary, follow=_next(made, lake), listed=f"handledger lake rejects {lake}")
        output.put(told, file)
    raise typer.Exit(made.summary.exit_code)


def _next(made: DirectImport, lake: str) -> list[str]:
    """Return what there is now, and what can be typed next."""
    found, straight = made.manifest, made.manifest.straight
    if straight is None or made.summary.exit_code == 2:
        return []
    hands, tables = sum(one.hands for one in found.shards), sum(one.tables for one in found.shards)
    lake = safe.terminal(lake, 200)
    many = len(found.shards)
    shards = f"{many:,} shard{'s' * (many != 1)}"
    return [
        f"{lake}: {hands:,} hands of {tables:,} tables in {shards}, each a log of its own.",
        f"The root over them: {straight.root}",
        "What to type next:",
        f"  handledger lake audit {lake} --out FINDINGS -r BOOK   what was wrong",
        f"  handledger lake rejects {lake}   what could not be read",
        f"  handledger verify {lake}   whether it is what was written",
        f"  handledger seal --lake {lake}   sign it: then its hands can be proved",
    ]
