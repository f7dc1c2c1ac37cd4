"""`handledger verify`: check that a ledger, a lake or evidence is complete and unchanged."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli import people_key as people_key_
from cli.documents.command_documents import ProblemEntry, TimeStampEntry, VerifyDocument
from cli.options import common_options, ledger_options, stamp_options
from cli.options.key_files import read_note as checkpoint_text
from cli.output import console
from ledger import safe
from ledger.errors import HandledgerError, ProofError
from ledger.seal import verify_errors
from ledger.store.requests.erasure import list_blind_spots
from ledger.store.verify.blind_spots import NAMES_UNMATCHED

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.store import Ledger
    from ledger.store.verify.tree_checks import Anchor

_NAMES: Final = "every stored name and text matches its id"
_CODES_BY_CLAIM: Final = (
    (
        "the tables, and the triggers that keep the log append-only, are exactly those that handledger creates",
        {"guard", "layout"},
    ),
    (
        "every commit's hash, recomputed from its raw row, and its link to the previous commit",
        {"hash", "codec", "writer", "dictionary", "head", "file", "row"},
    ),
    ("positions and versions follow one another without a gap", {"position", "version", "order", "count"}),
    (
        "every stored event belongs in its stream and has its origin",
        {"json", "event", "unknown-event", "marks", "kind"},
    ),
    (
        "the Merkle tree, recomputed from the log, matches the stored tree and every stored checkpoint",
        {"tree", "checkpoint"},
    ),
    ("the log names every stored checkpoint and the key that signed it", {"checkpoint"}),
    ("every time stamp covers its checkpoint", {"stamp"}),
    ("the index of hands agrees with the log", {"index"}),
    ("no table that is computed from the log points past its end", {"projection"}),
    (_NAMES, {"name", "text", "about", "salt"}),
    ("every hidden card that can be opened matches its commitment", {"opening"}),
    ("the bytes of every source match their digest", {"source", "progress", "salt"}),
    ("every rulebook of the house is byte for byte the one it adopted", {"rulebook"}),
    ("every name and text that an event refers to is stored, or recorded as forgotten", {"name", "text", "erased"}),
)
"""Claims that verifying checks, each with the codes of the problems that disprove it."""

CHECKED: Final = tuple(words for words, _ in _CODES_BY_CLAIM)
_REWRITTEN: Final = (
    "that nobody rewrote the whole log or cut off its end: compare it with a checkpoint kept elsewhere (--against)"
)
_TAIL: Final = ("that nothing was cut off after the newest checkpoint you compared",)
_SIGNERS: Final = ("who signed the checkpoints you compared (no --key)",)
_BROKEN_STEP: Final = "Keep it as it is. Compare it with a backup that verifies, and report this."
_LIMIT_ALONE: Final = (
    "as far as a ledger alone can show. A rewritten log or a missing end shows only against a checkpoint kept elsewhere"
)
_LIMIT_OF_CHECKPOINT: Final = "up to that checkpoint. Events that were added later and cut off again don't show"
_ANCHOR_NAME: Final = re.compile(r": [0-9,]+ commits(, signed by .*)?$", re.DOTALL)
_MARK_STYLES: Final[dict[str, str]] = {"✓": "green", "✗": "red", "?": "yellow"}
NOT_PROVED: Final = ("that a source tells the truth: its bytes are kept as they came",)

_TABLES_NOT_COMPARED: Final = "that the stored results and findings agree with the log (no --tables)"

Tables = Annotated[
    bool, typer.Option("--tables", help="Recompute results and findings too, and compare them with the stored ones.")
]
AgainstCheckpoints = Annotated[
    list[Path] | None,
    typer.Option(
        "--against", metavar="CHECKPOINT", help="A checkpoint kept elsewhere; the log must begin with it. Repeatable."
    ),
]
Quorum = Annotated[
    int | None,
    typer.Option("--quorum", min=1, help="For evidence: how many of these witnesses are enough. Default: all."),
]


def command(
    lake_path: Annotated[
        Path | None,
        typer.Argument(metavar="[EVIDENCE|LAKE]", help="An evidence file (.hlev) or a lake. Default: the ledger."),
    ] = None,
    *,
    witnesses: Annotated[
        list[str] | None,
        typer.Option(
            "--witness",
            metavar="KEY",
            help="For evidence: the public key of a witness that must have cosigned. Repeatable.",
        ),
    ] = None,
    quorum: Quorum = None,
    anchors_text: AgainstCheckpoints = None,
    keys: Annotated[
        list[str] | None,
        typer.Option("--key", metavar="KEY", help="The public key that must have signed it, from a source you trust."),
    ] = None,
    tsa: stamp_options.Trusted = None,
    tables: Tables = False,
    jobs: common_options.Jobs = 1,
    people_key: common_options.PeopleKey = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Verify a ledger, a lake or a file of evidence."""
    if lake_path is not None and not (lake_path / "lake.json").is_file():
        for option, is_given in (("--against", anchors_text), ("--tables", tables)):
            if is_given:
                raise verify_errors.ledger_option_for_evidence(option)
        _require_no_ledger(url, "evidence")
        raise typer.Exit(_verify_evidence(lake_path, keys or [], witnesses or [], quorum, tsa or [], format_, file))
    if witnesses or quorum is not None:
        raise verify_errors.evidence_option_for_ledger()
    anchors = [_read_anchor(path, keys or []) for path in anchors_text or []]
    if lake_path is not None:
        document = _verify_lake(lake_path, anchors, keys or [], url, jobs=jobs, needs_ledger=bool(tsa or tables))
    else:
        with (
            ledger_options.open_ledger(url, people_key=people_key, ignores_damage=True) as ledger,
            console.show_progress("verifying") as progress,
        ):
            document = verify_ledger(
                ledger, anchors, keys or [], tsa, tables=tables, jobs=jobs, progress=progress.show_followed
            )
    if format_ == "json":
        console.write_document(document, file)
    else:
        console.write_text(_format_document(document), file)
    raise typer.Exit(0 if document.sound else 4)


def _verify_lake(
    lake: Path, anchors: list[Anchor], keys: list[str], ledger_url: str | None, *, jobs: int, needs_ledger: bool
) -> VerifyDocument:
    """Verify a lake. `needs_ledger`: an option needs facts that only a ledger has."""
    from cli.proofs.lake_check import verify_lake

    if needs_ledger:
        raise verify_errors.ledger_option_for_lake()
    _require_no_ledger(ledger_url, "a lake")
    with console.show_progress("verifying"):
        return verify_lake(lake, anchors, keys, jobs=jobs)


def _require_no_ledger(ledger: str | None, subject: str) -> None:
    if ledger is not None and ledger != os.environ.get("HANDLEDGER_URL"):
        raise verify_errors.ledger_named(subject)


def _verify_evidence(
    path: Path,
    keys: list[str],
    witnesses: list[str],
    quorum: int | None,
    tsa: list[Path],
    format_: str,
    file: Path | None,
) -> int:
    """Check evidence, write the verdict, and return the exit code."""
    from cli.proofs.evidence_check import check_file, format_verdict

    with console.show_progress("checking"):
        document = check_file(path, keys, witnesses, quorum, stamp_options.read_trusted_roots(tsa))
    if format_ == "json":
        console.write_document(document, file)
    else:
        console.write_text(format_verdict(document), file)
        if document.verdict == "consistent" and file is not None:
            sys.stderr.write("warning: the signature was not checked (no --key): anyone could have made this file\n")
    return 4 if document.verdict == "not-verified" else 0


def verify_ledger(
    ledger: Ledger,
    anchors: list[Anchor],
    keys: list[str],
    tsa: list[Path] | None,
    *,
    tables: bool = False,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> VerifyDocument:
    """Verify a ledger, and return the document of the result."""
    problems = [
        ProblemEntry(problem.code, problem.reason, problem.position)
        for problem in ledger.verify(anchors, jobs=jobs, progress=progress)
    ]
    signed_claims, signature_problems = _check_signatures(ledger, keys)
    valid_stamps, stamp_problems, unchecked_stamps = _check_stamps(ledger, tsa)
    matching_tables, table_problems, tables_not_compared = _check_tables(ledger, tables=tables)
    problems += signature_problems + stamp_problems + table_problems
    positions, head = ledger.head()
    unseen_claims = list_blind_spots(ledger)
    checked_claims = [claim for claim in CHECKED if claim != _NAMES or NAMES_UNMATCHED not in unseen_claims]
    return VerifyDocument(
        ledger=ledger_options.name_ledger(ledger),
        sound=not problems,
        checked=[*checked_claims, *signed_claims, *matching_tables],
        against=[anchor.label for anchor in anchors],
        not_proved=[
            *([] if anchors else [_REWRITTEN]),
            *(_TAIL if anchors else ()),
            *(_SIGNERS if anchors and not keys else ()),
            *NOT_PROVED,
            *unseen_claims,
            *unchecked_stamps,
            *_list_missing_books(ledger),
            *tables_not_compared,
        ],
        problems=problems,
        positions=positions,
        head=head,
        stamps=valid_stamps,
        notes=people_key_.warn_of_inner_key(ledger),
    )


def _check_signatures(ledger: Ledger, keys: list[str]) -> tuple[list[str], list[ProblemEntry]]:
    """Return what the keys prove about the stored checkpoints, and the problems of signatures."""
    from ledger.seal.note import read_key

    if not keys:
        return [], []
    count, problems = ledger.signed_by([read_key(key) for key in keys])
    signer = "the key you gave" if len(keys) == 1 else "a key you gave"
    claims = [f"the newest checkpoint of this ledger is signed by {signer}"]
    if count > 1:
        claims = [f"the newest checkpoint of this ledger and {count - 1:,} before it are signed by {signer}"]
    return ([] if problems else claims), [
        ProblemEntry(problem.code, problem.reason, problem.position) for problem in problems
    ]


def _check_stamps(ledger: Ledger, tsa: list[Path] | None) -> tuple[list[TimeStampEntry], list[ProblemEntry], list[str]]:
    """Return the valid time stamps of trusted authorities, the problems of others, and what wasn't checked."""
    from ledger.errors import ProofError
    from ledger.seal.stamps import format_time
    from ledger.store.seals import time_stamps

    if not tsa:
        count = len(time_stamps.list_all_stamps(ledger))
        return [], [], [f"who made the time stamps (no --tsa): {count}"] if count else []
    valid_stamps, problems = [], []
    for size, stamp in time_stamps.check_stamps(ledger, stamp_options.read_trusted_roots(tsa)):
        if isinstance(stamp, ProofError):
            reason = f"a time stamp of the checkpoint of {size} commits: {stamp.message}"
            problems.append(ProblemEntry("stamp", reason, None))
        else:
            valid_stamps.append(TimeStampEntry(size, format_time(stamp.time), stamp.authority))
    if not valid_stamps and not problems:
        problems.append(ProblemEntry("stamp", "the ledger has no time stamp, and --tsa requires one", None))
    return valid_stamps, problems, []


def _list_missing_books(ledger: Ledger) -> list[str]:
    """Return a line about the house's own rulebooks that the log names but the ledger doesn't have."""
    from projections.books.shelf import Shelf

    try:
        missing_books = Shelf(ledger).list_missing()
    except HandledgerError:  # the house's stream can't be read: a problem of its own
        return []
    if not missing_books:
        return []
    names = ", ".join(f"{missing_book.book} {missing_book.edition}".strip() for missing_book in missing_books)
    return [f"the text of house rulebooks that the log names and the ledger lacks: {names}"]


def _check_tables(ledger: Ledger, *, tables: bool) -> tuple[list[str], list[ProblemEntry], list[str]]:
    """Return the derived tables that match the log, the problems of those that don't, and those not compared."""
    from projections.tables.recomputation import compare_tables, has_stored_tables

    if not tables:
        return [], [], [_TABLES_NOT_COMPARED] if has_stored_tables(ledger) else []
    comparison = compare_tables(ledger)
    return (
        comparison.matching,
        [ProblemEntry("tables", difference, None) for difference in comparison.different],
        comparison.not_compared,
    )


def _read_anchor(path: Path, keys: list[str]) -> Anchor:
    """Return the root in a checkpoint file; raise an error unless each key has signed it."""
    from ledger.seal.note import read_checkpoint, read_key, read_note, verify_signature
    from ledger.store.verify.tree_checks import Anchor

    text = checkpoint_text(path)
    try:
        note = read_note(text)
        point = read_checkpoint(note)
    except ProofError as error:
        raise verify_errors.checkpoint_file_wrong(str(path), error.message, error.hint) from None
    signer_names = []
    for stated_key in keys:
        key = read_key(stated_key)
        if verify_signature(note, key) is None:
            raise verify_errors.checkpoint_not_signed(str(path), key.name)
        signer_names.append(key.name)
    signature_text = f", signed by {', '.join(signer_names)}" if signer_names else ""
    return Anchor(f"{path.name}: {point.size:,} commits{signature_text}", point.size, point.root, path.name)


def _format_document(document: VerifyDocument) -> str:
    from cli.proofs import lake_check

    codes_by_claim = dict((*_CODES_BY_CLAIM, *lake_check.CHECKS, *lake_check.LAKE_CHECKS))
    codes = {problem.code for problem in document.problems}
    lines = []
    for claim in document.checked:
        mark = "✓"
        if "unread" in codes:
            mark = "?"
        elif codes & codes_by_claim.get(claim, set()):
            mark = "✗"
        lines.append(console.format_item(console.paint(mark, _MARK_STYLES[mark]), safe.terminal(claim)))
    for anchor_text in document.against:
        if not _is_contradicted(anchor_text, document):  # otherwise the problem's own line names it
            sentence = f"begins with {safe.terminal(anchor_text, 300)}"
            lines.append(console.format_item(console.paint("✓", "green"), sentence))
    lines += [
        console.format_item(
            console.paint("✓", "green"),
            f"the checkpoint of {stamp.size:,} commits existed before {stamp.time}, says "
            f"{safe.terminal(stamp.authority, 200)}",
        )
        for stamp in document.stamps
    ]
    for problem in document.problems:
        position_text = "" if problem.position is None else f"position {problem.position}: "
        reason = f"{position_text}{safe.terminal(problem.reason)} ({problem.code})"
        lines.append(console.format_item(console.paint("✗", "red"), reason))
    lines += [console.format_item("!", f"not proved: {safe.terminal(limit)}") for limit in document.not_proved]
    lines += [console.format_item("!", safe.terminal(note, 300)) for note in document.notes]
    events_text = f"{document.positions:,} event{'s' * (document.positions != 1)}, head {document.head[:16]}"
    if document.sound:
        limit = _LIMIT_OF_CHECKPOINT if document.against else _LIMIT_ALONE
        lines.append(console.format_item("SOUND:", f"{events_text}, {limit}"))
    else:
        problem_count = len(document.problems)
        places = f"{problem_count} place{'s' * (problem_count != 1)}"
        lines += [console.format_item(f"BROKEN in {places}:", events_text), f"  {_BROKEN_STEP}"]
    return "\n".join(lines)


def _is_contradicted(anchor_text: str, document: VerifyDocument) -> bool:
    """Whether a problem is that the log doesn't begin with this checkpoint."""
    name = _ANCHOR_NAME.sub("", anchor_text)
    return any(
        problem.code == "checkpoint"
        and (problem.reason.startswith(f"{name} covers ") or problem.reason.endswith(f" are not those of {name}"))
        for problem in document.problems
    )
