"""`handledger import`: bring hand histories into the ledger."""

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
from cli.output.import_output import document, text
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
"""What stands below the help: the names that --format takes."""


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
    """Return what --format of import takes."""
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
    shape, forced = _parse_formats(format_)
    options = ImportOptions(format_name=forced, jobs=jobs, dry_run=dry_run, compress=compress, hide_cards=hide_cards)
    to_shards.import_to_lake_instead(
        context, to_shards.ShardRequest(paths, folder, options, hands, people_key), shape, file
    )
    signer = None if key is None or dry_run else key_files.load(key, new=False, ask=False, file=None)
    if watch:
        _require_watchable(paths, shape, dry_run=dry_run)
        with _open_ledger(url, people_key, dry_run=False) as ledger:
            follower = FolderFollower(ledger, options)
            raise typer.Exit(follower.until_interrupted(paths, seal=_sealer(ledger, signer, key)))
    require_paths(paths)
    is_silent = no_input or dry_run or hide_cards or file is not None or shape == "json"
    with _open_ledger(url, people_key, dry_run=dry_run) as ledger:
        earlier_head = ledger.head()[0]
        answers = {} if is_silent else _ask_questions(ledger, paths, forced)
        summary = _run_cleared(ledger, paths, replace(options, answers=answers))
        new_count, changed_findings = (
            (0, []) if dry_run else (summary.total.new, judgement_output.announce_new_findings(ledger, jobs))
        )
        find_breaks = partial(import_breaks.find_breaks_since, ledger, earlier_head, new_count)
        if shape == "json":
            facts = ledger_options.name_of(ledger), find_breaks(), str(ledger.key_made or "")
            console.document(document(summary, *facts, changed_findings), file)
        else:
            chain_breaks = find_breaks(max_tables=import_breaks.MAX_TABLES)
            console.write_text(_format_summary(ledger, summary, chain_breaks, changed_findings, url), file)
        _sealer(ledger, signer, key)()
    raise typer.Exit(summary.exit_code)


def _run_cleared(ledger: Ledger, paths: Sequence[str], options: ImportOptions) -> ImportSummary:
    """Import, and show how far it is while it takes."""
    from ledger.intake import import_paths

    progress = console.ProgressLine()
    try:
        return import_paths(ledger, paths, replace(options, on_progress=progress))
    finally:
        progress.clear()


def _ask_questions(ledger: Ledger, paths: Sequence[str], forced: str | None) -> dict[str, bytes]:
    """Ask what notes don't say, if somebody is at the terminal; return the notes with the answers."""
    if "-" in paths or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return {}
    from cli.screens.import_questions import ask_questions

    return ask_questions(ledger, paths, forced)


def _format_summary(
    ledger: Ledger,
    summary: ImportSummary,
    chain_breaks: Sequence[import_breaks.TableBreaks],
    changed_findings: Sequence[FindingChanged],
    url: str | None,
) -> str:
    """Return an import for people, with the changed findings and what to type next."""
    next_lines = [*judgement_output.lines(changed_findings), *_suggest_commands(summary, ledger, url)]
    return text(summary, chain_breaks, next_lines, address=AddressBook(ledger).find_stream_address)


def _require_watchable(paths: list[str], shape: str, *, dry_run: bool) -> None:
    """Refuse to watch what cannot be watched."""
    if dry_run or shape == "json":
        raise import_errors.watch_writes_text()
    if paths.count("-") > 1:
        raise import_errors.stdin_named_twice()


def _sealer(ledger: Ledger, signer: Ed25519PrivateKey | None, key: Path | None) -> Callable[[], None]:
    """Return what signs the ledger as it stands; nothing where no key was named."""

    def seal() -> None:
        if signer is not None and key is not None:
            _seal(ledger, signer, key)

    return seal


def _seal(ledger: Ledger, private: Ed25519PrivateKey, path: Path) -> None:
    """Sign what the ledger holds now; what was read stays, whatever comes of it."""
    from cli.seal import sealed, signer_of

    signer, memory = signer_of(ledger, private, path)
    document = sealed(ledger, signer, memory)
    if document.new:
        sys.stderr.write(f"sealed {document.size:,} commits, root {document.root[:16]}\n")


def _open_ledger(ledger: str | None, people_key: Path | None, *, dry_run: bool) -> Ledger:
    """Open the ledger; a dry run makes none, and without one everything is new."""
    if not dry_run:
        return ledger_options.opened(ledger, create=True, read_only=False, people_key=people_key)
    try:
        return ledger_options.opened(ledger, people_key=people_key)
    except NoLedgerError:
        return ledger_options.opened(":memory:", create=True, read_only=False)


def _parse_formats(option_values: list[str]) -> tuple[str, str | None]:
    """Return the shape of the output and the format that is forced, None = by content."""
    output_formats = [option_value for option_value in option_values if option_value in SHAPES]
    input_formats = [option_value for option_value in option_values if option_value not in SHAPES]
    if len(output_formats) > 1 or len(input_formats) > 1:
        raise import_errors.two_formats()
    for option_value in input_formats:
        formats.get(option_value)
    return output_formats[0] if output_formats else "text", input_formats[0] if input_formats else None


def _suggest_commands(summary: ImportSummary, ledger: Ledger, ledger_url: str | None) -> list[str]:
    """Return where the hands are now, and what can be typed next."""
    if summary.dry_run or summary.exit_code == 2:
        return []
    ledger_name = ledger_options.name_of(ledger)
    ledger_option = f" --ledger {shlex.quote(ledger_url)}" if ledger_url and "://" not in ledger_url else ""
    return [
        f"The ledger is {safe.terminal(ledger_name, 200)}. What to type next:",
        f"  handledger log{ledger_option}                   what was played",
        f"  handledger audit{ledger_option}                 what was wrong",
        f"  handledger due TABLE -r BOOK{ledger_option}     what is due at a table",
    ]
