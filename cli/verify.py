"""`handledger verify`: whether the ledger holds what was written into it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli import opening, options, output, stamps
from cli import people_key as people_key_
from cli.documents import ProblemTold, StampTold, VerifyDocument
from cli.keys import note as checkpoint_text
from ledger import safe
from ledger.errors import HandledgerError, ProofError, UsageError
from ledger.store.erasing import unseen

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.store import Ledger
    from ledger.store.verify_tree import Anchor

_NAMES: Final = "every name and text is the one that its id was made of"
_UNNAMED: Final = "that names and texts are those"
_CHECKS: Final = (
    (
        "the tables, and the guards that keep the log append-only, are as handledger makes them, word by word",
        {"guard", "layout"},
    ),
    (
        "every commit's hash, recomputed from its raw row, and its link to the one before",
        {"hash", "codec", "writer", "dictionary", "head", "file", "row"},
    ),
    ("positions and versions follow one another without a gap", {"position", "version", "order", "count"}),
    (
        "every stored event is one that its stream may hold, with its mark",
        {"json", "event", "unknown-event", "marks", "kind"},
    ),
    (
        "the Merkle tree over the log, recomputed, against the kept one and every kept checkpoint",
        {"tree", "checkpoint"},
    ),
    ("every kept checkpoint is one that the log names, signed by the key that it names", {"checkpoint"}),
    ("every time stamp is over the checkpoint that it is kept with", {"stamp"}),
    ("the index of hands says what the log says", {"index"}),
    ("what is made from the log has no position outside of it", {"projection"}),
    (_NAMES, {"name", "text", "about", "salt"}),
    ("every hidden card that can be opened is the one that was committed to", {"opening"}),
    ("the bytes of every source have the digest under which they are kept", {"source", "progress", "salt"}),
    ("every rulebook of the house's own that is kept is the one that it adopted, to the byte", {"rulebook"}),
    ("whom and what the events name is there, or the house says that it was forgotten", {"name", "text", "erased"}),
)
"""What is checked, in words, each with the codes of the problems that speak against it."""

CHECKED: Final = tuple(words for words, _ in _CHECKS)
_REWRITTEN: Final = (
    "that nobody rewrote the whole log, or cut off its end: compare it with a checkpoint kept elsewhere (--against)"
)
_TAIL: Final = ("that nothing was cut off behind the newest checkpoint that was compared",)
_INSIDE: Final = "as far as a ledger can tell of itself: an end that was cut off, or a whole that was rewritten, shows only against a checkpoint kept elsewhere"
_END: Final = "as it was when that checkpoint was made; what came in since and was cut off again does not show"
_PAINTS: Final[dict[str, str]] = {"✓": "green", "✗": "red", "?": "yellow"}
NOT_PROVED: Final = ("that a source told the truth: its bytes are kept as they came",)

_KEPT: Final = "that the results and findings that are kept beside the log are those of the log (no --tables)"

Tables = Annotated[
    bool,
    typer.Option("--tables", help="Also make results and findings anew, and compare them with those that are kept."),
]
Against = Annotated[
    list[Path] | None,
    typer.Option(
        "--against",
        metavar="CHECKPOINT",
        help="A checkpoint kept elsewhere: the log must begin with it. May be said several times.",
    ),
]
Quorum = Annotated[
    int | None, typer.Option("--quorum", min=1, help="Of evidence: how many of the witnesses. Without it: all.")
]


def command(
    given: Annotated[
        Path | None,
        typer.Argument(
            metavar="[EVIDENCE|LAKE]",
            help="An evidence file (.hlev), or the folder of a lake; without it, the whole ledger.",
        ),
    ] = None,
    *,
    witnesses: Annotated[
        list[str] | None,
        typer.Option(
            "--witness", metavar="KEY", help="Of evidence: the public key of a witness that must have cosigned."
        ),
    ] = None,
    quorum: Quorum = None,
    against: Against = None,
    keys: Annotated[
        list[str] | None,
        typer.Option("--key", metavar="KEY", help="The public key that must have signed it, got from elsewhere."),
    ] = None,
    tsa: stamps.Trusted = None,
    tables: Tables = False,
    jobs: options.Jobs = 1,
    people_key: options.PeopleKey = None,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Recompute every hash, position and link of the ledger from its raw rows; or check evidence, or a lake.

    Exit 0 if all agrees, 4 if anything does not. What cannot be proved is said. Evidence without --key is
    only said to agree with itself: anybody may have made it.

    \b
    handledger verify
    handledger verify hand.hlev --key room.example/...+8a1c...+AX...
    handledger verify hand.hlev --key room.example/...+8a1c...+AX... --tsa authority-root.pem
    handledger verify --against tonight.checkpoint --key room.example/...+8a1c...+AX...
    """  # noqa: D301 - \b keeps the lines of the examples
    if given is not None and not (given / "lake.json").is_file():
        for option, said in (("--against", against), ("--tables", tables)):
            if said:
                raise UsageError(f"{option} is for a whole ledger, not for evidence")
        _without(url, "evidence")
        raise typer.Exit(_evidence(given, keys or [], witnesses or [], quorum, tsa or [], format_, file))
    if witnesses or quorum is not None:
        raise UsageError(
            "--witness and --quorum are for evidence, not for a whole ledger",
            "Name the evidence file, or leave them out.",
        )
    anchors = [_anchor(path, keys or []) for path in against or []]
    if given is not None:
        document = _lake(given, anchors, keys or [], url, jobs=jobs, ledgers=bool(tsa or tables))
    else:
        with opening.opened(url, people_key=people_key, looks=True) as ledger, output.working("verifying") as progress:
            document = verdict(ledger, anchors, keys or [], tsa, tables=tables, jobs=jobs, progress=progress.followed)
    if format_ == "json":
        output.document(document, file)
    else:
        output.put(_text(document), file)
    raise typer.Exit(0 if document.sound else 4)


def _lake(
    lake: Path, anchors: list[Anchor], keys: list[str], ledger: str | None, *, jobs: int, ledgers: bool
) -> VerifyDocument:
    """Verify a lake; `ledgers`: what only a ledger knows was asked for."""
    from cli.lake_checking import verdict as of_lake

    if ledgers:
        raise UsageError("--tsa and --tables are for a ledger: a lake has no time stamps and no tables")
    _without(ledger, "a lake")
    with output.working("verifying"):
        return of_lake(lake, anchors, keys, jobs=jobs)


def _without(ledger: str | None, what: str) -> None:
    if ledger is not None and ledger != os.environ.get("HANDLEDGER_URL"):
        raise UsageError(f"{what} is checked without a ledger", "Leave out --ledger.")


def _evidence(
    path: Path,
    keys: list[str],
    witnesses: list[str],
    quorum: int | None,
    tsa: list[Path],
    format_: str,
    file: Path | None,
) -> int:
    """Check evidence, say what came of it, and return the exit code."""
    from cli.checking import checked, text

    with output.working("checking"):
        told = checked(path, keys, witnesses, quorum, stamps.trusted(tsa))
    if format_ == "json":
        output.document(told, file)
    else:
        output.put(text(told), file)
        if told.verdict == "consistent":
            sys.stderr.write(
                "warning: no --key, so nobody's signature was looked at: anybody may have made this file\n"
            )
    return 4 if told.verdict == "not-verified" else 0


def verdict(
    ledger: Ledger,
    anchors: list[Anchor],
    keys: list[str],
    tsa: list[Path] | None,
    *,
    tables: bool = False,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> VerifyDocument:
    """Verify a whole ledger, and return what is to be told of it."""
    problems = [ProblemTold(p.code, p.reason, p.position) for p in ledger.verify(anchors, jobs=jobs, progress=progress)]
    signed, unsigned = _signed(ledger, keys)
    stamped, wrong, unchecked = _stamps(ledger, tsa)
    made_anew, different, not_made = _tables(ledger, tables=tables)
    problems += unsigned + wrong + different
    positions, head = ledger.head()
    out_of_sight = unseen(ledger)
    checked_ = [one for one in CHECKED if one != _NAMES or not any(u.startswith(_UNNAMED) for u in out_of_sight)]
    return VerifyDocument(
        ledger=opening.name_of(ledger),
        sound=not problems,
        checked=[*checked_, *signed, *made_anew],
        against=[anchor.what for anchor in anchors],
        not_proved=[
            *([] if anchors else [_REWRITTEN]),
            *(_TAIL if anchors or keys else ()),
            *NOT_PROVED,
            *out_of_sight,
            *unchecked,
            *_not_kept(ledger),
            *not_made,
        ],
        problems=problems,
        positions=positions,
        head=head,
        stamps=stamped,
        notes=people_key_.within(ledger),
    )


def _signed(ledger: Ledger, keys: list[str]) -> tuple[list[str], list[ProblemTold]]:
    """Return what the keys prove of the checkpoints that the ledger keeps, and what is wrong with others."""
    from ledger.seal.note import read_key

    if not keys:
        return [], []
    count, wrong = ledger.signed_by([read_key(told) for told in keys])
    told = [f"the newest checkpoint of this ledger, and {count - 1} before it, are signed by a key that was given"]
    return ([] if wrong else told), [ProblemTold(p.code, p.reason, p.position) for p in wrong]


def _stamps(ledger: Ledger, tsa: list[Path] | None) -> tuple[list[StampTold], list[ProblemTold], list[str]]:
    """Return the time stamps of trusted authorities, what is wrong with others, what was not looked at."""
    from ledger.errors import ProofError
    from ledger.seal.stamps import clock
    from ledger.store import stamping

    if not tsa:
        count = len(stamping.everyone(ledger))
        return [], [], [f"who made the time stamps (no --tsa): {count}"] if count else []
    told, wrong = [], []
    for size, found in stamping.vouched(ledger, stamps.trusted(tsa)):
        if isinstance(found, ProofError):
            reason = f"a time stamp of the checkpoint of {size} commits: {found.message}"
            wrong.append(ProblemTold("stamp", reason, None))
        else:
            told.append(StampTold(size, clock(found.time), found.authority))
    if not told and not wrong:
        wrong.append(ProblemTold("stamp", "no time stamp is kept, and --tsa demands one", None))
    return told, wrong, []


def _not_kept(ledger: Ledger) -> list[str]:
    """Return which rulebooks of the house's own are named in the log and not kept: somebody may have taken them away."""
    from projections.books.shelf import Shelf

    try:
        found = Shelf(ledger).missing()
    except HandledgerError:  # the house's stream cannot be read, which is a problem that was told
        return []
    names = ", ".join(f"{one.book} {one.edition}".strip() for one in found)
    return [f"what the house's own rulebooks say that are not kept here, or were taken away: {names}"] if found else []


def _tables(ledger: Ledger, *, tables: bool) -> tuple[list[str], list[ProblemTold], list[str]]:
    """Return which tables beside the log are what it gives, which are not, and which were not looked at."""
    from projections.tables.recomputation import compare_tables, has_kept_tables

    if not tables:
        return [], [], [_KEPT] if has_kept_tables(ledger) else []
    found = compare_tables(ledger)
    return found.matching, [ProblemTold("tables", one, None) for one in found.different], found.not_compared


def _anchor(path: Path, keys: list[str]) -> Anchor:
    """Return the root that a checkpoint file states; a key that is given must have signed it."""
    from ledger.seal.note import read_checkpoint, read_key, read_note, verified
    from ledger.store.verify_tree import Anchor

    text = checkpoint_text(path)
    try:
        note = read_note(text)
        point = read_checkpoint(note)
    except ProofError as error:
        raise ProofError(f"{path}: {error.message}", error.hint) from None
    by = []
    for told in keys:
        key = read_key(told)
        if verified(note, key) is None:
            raise ProofError(f"{path} is not signed by {key.name} with the key that was given")
        by.append(key.name)
    signed = f", signed by {', '.join(by)}" if by else ", its signature not looked at (no --key)"
    return Anchor(f"{path.name}: {point.size:,} commits{signed}", point.size, point.root)


def _text(document: VerifyDocument) -> str:
    from cli.lake_checking import CHECKS as OF_LAKES
    from cli.lake_checking import SEVERAL

    against = dict((*_CHECKS, *OF_LAKES, *SEVERAL))
    codes = {problem.code for problem in document.problems}
    lines = []
    for checked in document.checked:
        sign = "?" if "unread" in codes else "✗" if codes & against.get(checked, set()) else "✓"
        lines.append(output.item(output.paint(sign, _PAINTS[sign]), safe.terminal(checked)))
    for told in document.against:
        broken = any(p.code == "checkpoint" and told in p.reason for p in document.problems)
        sign = output.paint("✗", "red") if broken else output.paint("✓", "green")
        begins = f"{'does not begin' if broken else 'begins'} with {safe.terminal(told, 300)}"
        lines.append(output.item(sign, begins))
    lines += [
        output.item(
            output.paint("✓", "green"),
            f"the checkpoint of {stamp.size:,} commits existed before {stamp.time}, says "
            f"{safe.terminal(stamp.authority, 200)}",
        )
        for stamp in document.stamps
    ]
    for problem in document.problems:
        where = "" if problem.position is None else f"position {problem.position}: "
        reason = f"{where}{safe.terminal(problem.reason)} ({problem.code})"
        lines.append(output.item(output.paint("✗", "red"), reason))
    lines += [output.item("!", f"not proved: {safe.terminal(limit)}") for limit in document.not_proved]
    lines += [output.item("!", safe.terminal(note, 300)) for note in document.notes]
    many = len(document.problems)
    verdict = "SOUND:" if document.sound else f"BROKEN in {many} place{'s' * (many != 1)}:"
    end = f", {_END if document.against else _INSIDE}" if document.sound else ""
    counted = f"{document.positions:,} event{'s' * (document.positions != 1)}"
    return "\n".join([*lines, output.item(verdict, f"{counted}, head {document.head[:16]}{end}")])
