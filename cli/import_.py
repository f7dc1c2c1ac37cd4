"""`handledger import`: import hand histories into the ledger."""

from __future__ import annotations

import shlex
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli import to_shards
from cli.options import common_options, key_files, ledger_options
from cli.output import console, judgement_output
from cli.output.import_output import build_import_document, format_import
from cli.screens.import_watch import FolderFollower
from ledger import formats, safe
from ledger.errors import NoLedgerError
from ledger.intake import import_errors
from ledger.intake.files import require_paths
from ledger.intake.import_options import ImportOptions
from ledger.intake.summary import ImportSummary
from projections.addresses.address_book import AddressBook
from projections.reports import import_breaks

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from ledger.house.events import FindingChanged
    from ledger.store import Ledger

SHAPES: Final = ("text", "json")
EPILOG: Final = "\b\nFormats, by name:\n" + textwrap.fill(
    " ".join(sorted(formats.NAMES)), 76, initial_indent="  ", subsequent_indent="  "
)
"""The end of the help: the names that --format takes."""


HideCards = Annotated[
    bool,
    typer.Option(
        "--hide-cards", help="Store unshown cards separately from the events, for the record of a live table."
    ),
]
SealKey = Annotated[
    Path | None,
    typer.Option(
        "--key", envvar="HANDLEDGER_KEY", metavar="FILE", help="Seal the ledger with this key after the import."
    ),
]


Jobs = Annotated[
    int,
    typer.Option(
        "--jobs", "-j", min=1, max=64, help="Use N processes. The result doesn't depend on N. Not with --hide-cards."
    ),
]


Follow = Annotated[
    bool,
    typer.Option(
        "--watch",
        help="Keep watching these files, folders and standard input (-) for new hands, until you press Ctrl-C. "
        "From PokerNow's log and PokerGFX, a hand in progress comes in action by action.",
    ),
]


NoInput = Annotated[
    bool, typer.Option("--no-input", help="Ask nothing. Hands of notes with open questions are held back.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and write nothing.")]
Compress = Annotated[
    bool | None,
    typer.Option(
        "--compress/--plain",
        help="Compress the events to a quarter of the space, or keep them readable with plain SQL. A new ledger "
        "compresses; one with 400 commits and none of them compressed stays plain.",
        show_default=False,
    ),
]


def complete_formats(incomplete: str) -> list[str]:
    """Return the values of --format that begin with `incomplete`."""
    return [word for word in (*SHAPES, *formats.NAMES) if word.startswith(incomplete)]


def command(
    context: typer.Context,
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help="Files, folders, patterns, archives (.gz .zst .zip), emails (.eml), or - for a pipe.",
        ),
    ],
    *,
    dry_run: DryRun = False,
    no_input: NoInput = False,
    compress: Compress = None,
    hide_cards: HideCards = False,
    key: SealKey = None,
    jobs: Jobs = 1,
    watch: Follow = False,
    folder: to_shards.ToShards = None,
    hands: to_shards.Hands = None,
    people_key: common_options.PeopleKey = None,
    url: common_options.LedgerUrl = None,
    format_: Annotated[
        list[str],
        typer.Option(
            "--format",
            help="text or json for the output, or the name of a format: the files are read as that format. Repeatable.",
            autocompletion=complete_formats,
        ),
    ] = [],  # noqa: B006 - Typer reads the default and hands over a fresh list
    file: common_options.Output = None,
) -> None:
    """Import hand histories and account for every byte."""
    shape, input_format = _parse_formats(format_)
    options = ImportOptions(
        format_name=input_format, jobs=jobs, dry_run=dry_run, compress=compress, hide_cards=hide_cards
    )
    to_shards.import_to_lake_instead(
        context, to_shards.ShardRequest(paths, folder, options, hands, people_key), shape, file
    )
    signer = None if key is None or dry_run else key_files.load_key(key, new=False, ask=False, file=None)
    if watch:
        _require_watchable(paths, shape, dry_run=dry_run)
        with _open_ledger(url, people_key, dry_run=False) as ledger:
            follower = FolderFollower(ledger, options)
            raise typer.Exit(follower.run_until_interrupted(paths, seal=_build_sealer(ledger, signer, key)))
    require_paths(paths)
    is_silent = no_input or dry_run or hide_cards or file is not None or shape == "json"
    with _open_ledger(url, people_key, dry_run=dry_run) as ledger:
        earlier_head = ledger.head()[0]
        answers = {} if is_silent else _ask_questions(ledger, paths, input_format)
        summary = _import_with_progress(ledger, paths, replace(options, answers=answers))
        new_count = 0
        changed_findings: list[FindingChanged] = []
        if not dry_run:
            new_count = summary.total.new
            changed_findings = judgement_output.announce_new_findings(ledger, jobs)
        find_breaks = partial(import_breaks.find_breaks_since, ledger, earlier_head, new_count)
        if shape == "json":
            facts = ledger_options.name_ledger(ledger), find_breaks(), str(ledger.key_made or "")
            console.write_document(build_import_document(summary, *facts, changed_findings), file)
        else:
            chain_breaks = find_breaks(max_tables=import_breaks.MAX_TABLES)
            console.write_text(_format_summary(ledger, summary, chain_breaks, changed_findings, url), file)
        _build_sealer(ledger, signer, key)()
    raise typer.Exit(summary.exit_code)


def _import_with_progress(ledger: Ledger, paths: Sequence[str], options: ImportOptions) -> ImportSummary:
    """Import with progress on the terminal."""
    from ledger.intake import import_paths

    progress = console.ProgressLine()
    try:
        return import_paths(ledger, paths, replace(options, on_progress=progress))
    finally:
        progress.clear()


def _ask_questions(ledger: Ledger, paths: Sequence[str], input_format: str | None) -> dict[str, bytes]:
    """Ask for missing lines of notes if there is a terminal; return the notes with the answers."""
    if "-" in paths or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return {}
    from cli.screens.import_questions import ask_questions

    return ask_questions(ledger, paths, input_format)


def _format_summary(
    ledger: Ledger,
    summary: ImportSummary,
    chain_breaks: Sequence[import_breaks.TableBreaks],
    changed_findings: Sequence[FindingChanged],
    url: str | None,
) -> str:
    """Return an import as text, with changed findings and the next commands."""
    next_lines = [*judgement_output.format_changes(changed_findings), *_suggest_commands(summary, ledger, url)]
    return format_import(summary, chain_breaks, next_lines, address=AddressBook(ledger).find_stream_address)


def _require_watchable(paths: list[str], shape: str, *, dry_run: bool) -> None:
    """Raise an error for options that don't go with --watch."""
    if dry_run or shape == "json":
        raise import_errors.watch_writes_text()
    if paths.count("-") > 1:
        raise import_errors.stdin_named_twice()


def _build_sealer(ledger: Ledger, signer: Ed25519PrivateKey | None, key: Path | None) -> Callable[[], None]:
    """Return a function that seals the ledger; without a key it does nothing."""

    def seal() -> None:
        if signer is not None and key is not None:
            _seal(ledger, signer, key)

    return seal


def _seal(ledger: Ledger, private: Ed25519PrivateKey, path: Path) -> None:
    """Seal the ledger. An error here doesn't undo the import."""
    from cli.seal import build_signer, seal_ledger

    signer, memory = build_signer(ledger, private, path)
    document = seal_ledger(ledger, signer, memory)
    if document.new:
        sys.stderr.write(f"sealed {document.size:,} commits, root {document.root[:16]}\n")


def _open_ledger(ledger: str | None, people_key: Path | None, *, dry_run: bool) -> Ledger:
    """Open the ledger. A dry run without a ledger uses an empty one in memory: it creates no file."""
    if not dry_run:
        return ledger_options.open_ledger(ledger, create=True, read_only=False, people_key=people_key)
    try:
        return ledger_options.open_ledger(ledger, people_key=people_key)
    except NoLedgerError:
        return ledger_options.open_ledger(":memory:", create=True, read_only=False)


def _parse_formats(option_values: list[str]) -> tuple[str, str | None]:
    """Return the output format, and the input format or None if it's to be recognised."""
    output_formats = [option_value for option_value in option_values if option_value in SHAPES]
    input_formats = [option_value for option_value in option_values if option_value not in SHAPES]
    if len(output_formats) > 1 or len(input_formats) > 1:
        raise import_errors.two_formats()
    for option_value in input_formats:
        formats.get(option_value)
    return output_formats[0] if output_formats else "text", input_formats[0] if input_formats else None


def _suggest_commands(summary: ImportSummary, ledger: Ledger, ledger_url: str | None) -> list[str]:
    """Return the ledger's name and the next commands, as lines."""
    if summary.dry_run or summary.exit_code == 2:
        return []
    ledger_name = ledger_options.name_ledger(ledger)
    ledger_option = f" --ledger {shlex.quote(ledger_url)}" if ledger_url and "://" not in ledger_url else ""
    return [
        f"The ledger is {safe.terminal(ledger_name, 200)}. What to type next:",
        f"  handledger log{ledger_option}                   what was played",
        f"  handledger audit{ledger_option}                 what was wrong",
        f"  handledger due TABLE -r BOOK{ledger_option}     what is due at a table",
    ]
