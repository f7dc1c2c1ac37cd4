"""What an import says when it is done: the table that people read, the document for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from cli import output
from cli.import_documents import ImportDocument
from ledger import safe
from ledger.intake.summary import FileSummary, ImportSummary
from projections.addresses.address_grammar import split_account
from projections.reports import broken_chains
from projections.reports.broken_chains import TableBreaks
from projections.reports.finding_changes import count_changes

if TYPE_CHECKING:
    from ledger.house.events import FindingChanged


def document(
    summary: ImportSummary,
    ledger: str,
    told: Sequence[TableBreaks] = (),
    key_made: str = "",
    changed: Sequence[FindingChanged] = (),
) -> ImportDocument:
    """Return an import as the document that programs read."""
    return ImportDocument(
        ledger=ledger,
        dry_run=summary.dry_run,
        files=summary.files,
        total=summary.total,
        breaks=list(told),
        people_key=key_made,
        findings=count_changes(changed),
    )


def text(
    summary: ImportSummary,
    told: Sequence[TableBreaks] = (),
    follow: Sequence[str] = (),
    listed: str = "handledger rejects",
    address: Callable[[str], str] = lambda _: "",
) -> str:
    """Return an import as the table that people read.

    `listed`: the command that has all that was rejected; `address` gives that of a hand by its id, "" if it has none.
    """
    total = summary.total
    anew = total.superseded > 0
    columns = [one for one in _COLUMNS if anew or one.field != "superseded"]
    room = max(12, output.width() - 13 - sum(one.width for one in columns))
    lines = [
        f"{'':{room}}  {word:<11}" + "".join(f"{one.head[row]:>{one.width}}" for one in columns)
        for row, word in enumerate(("", "FORMAT"))
    ]
    lines += _files(summary, room, columns)
    if len(summary.files) > 1:
        total.format = ""
        lines.append(_row(f"{len(summary.files)} files", total, room, columns))
    lines += _troubles(summary, listed)
    lines += _accounts(summary, address)
    lines += _evenings(summary)
    lines += _unwitnessed(summary)
    if told:
        lines += ["", *broken_chains.format_table_breaks(told)]
    lines.append("")
    lines += [_verdict(summary, total), *follow]
    return "\n".join(line.rstrip() for line in lines)


class _Column(NamedTuple):
    """A column of the table: its heading in two lines, its width, and the figure that stands there."""

    head: tuple[str, str]
    width: int
    field: str


_ROWS: Final = 40
"""Files, or rejects, that are told one by one."""
_OF_EACH: Final = 5
"""Rejects of each reason that are told where there are more, and files without a hand."""
_COLUMNS: Final = (
    _Column(("", "NEW"), 8, "new"),
    _Column(("ALREADY", "THERE"), 9, "same"),
    _Column(("ANOTHER", "ACCOUNT"), 9, "second"),
    _Column(("", "SUPERSEDED"), 11, "superseded"),
    _Column(("", "REJECTED"), 9, "rejected"),
    _Column(("BYTES", "NOT READ"), 9, "not_read"),
)


def _files(summary: ImportSummary, room: int, columns: Sequence[_Column]) -> list[str]:
    """Return a row for each file; of very many alike, for the first of them."""
    alike: dict[str, list[FileSummary]] = {", all read to the last byte": [], " in which no hand was found": []}
    read, strange = alike.values()
    shown = []
    for file in summary.files:
        kind = read if file.clean else None if file.told or file.error else strange
        if kind is not None:
            kind.append(file)
        if kind is None or len(kind) <= _OF_EACH or len(summary.files) <= _ROWS:
            shown.append(file)
    lines = [_row(safe.tail(safe.terminal(file.name), room), file, room, columns) for file in shown]
    if len(shown) < len(summary.files):
        left = {what: len(files) - _OF_EACH for what, files in alike.items() if len(files) > _OF_EACH}
        lines += [f"({count:,} more file{'s' * (count != 1)}{what})" for what, count in left.items()]
    return lines


def _row(name: str, file: FileSummary, room: int, columns: Sequence[_Column]) -> str:
    figures = "".join(f"{getattr(file, one.field):>{one.width},}" for one in columns)
    if file.error:
        figures = "  " + safe.terminal(file.error, 70)
    return f"{safe.fit(name, room)}  {safe.terminal(file.format, 10) or '-':<11}{figures}"


def _troubles(summary: ImportSummary, listed: str) -> list[str]:
    from cli.rejects import why

    lines = [""]
    many = sum(len(file.rejects) for file in summary.files) > _ROWS
    told: Counter[str] = Counter()
    for file in summary.files:
        name = safe.tail(safe.terminal(file.name), 90)
        for reject in file.rejects:
            told[reject.code] += 1
            if many and told[reject.code] > _OF_EACH:
                continue
            where = f"{name}:{reject.line}  bytes {reject.start}-{reject.start + reject.length}"
            lines.append(f"{where}  {output.paint('rejected', 'red')} ({reject.code})")
            lines += why(reject)
        if file.rejected > len(file.rejects) and not many:
            lines.append(f"{name}: {file.rejected - len(file.rejects)} more; {listed} has them all")
    total = summary.total
    if many:
        kinds = [f"{count - _OF_EACH:,} {code}" for code, count in told.most_common() if count > _OF_EACH]
        if total.rejected > told.total():
            kinds.append(f"{total.rejected - told.total():,} whose reasons are not listed here")
        if kinds:
            lines.append(f"more were rejected: {', '.join(kinds)}; {listed} has them all")
    if total.unbalanced:
        lines.append(f"{_hands(total.unbalanced)} stored whose chips do not add up; `handledger log` marks them.")
    if total.incomplete:
        lines.append(
            f"{_hands(total.incomplete)} stored with lines that are not understood; `handledger log` marks them."
        )
    return lines if len(lines) > 1 else []


def _accounts(summary: ImportSummary, address: Callable[[str], str]) -> list[str]:
    """Say of hands that were told before what became of this account of them."""
    lines = []
    for file in summary.files:
        for one in file.accounts:
            number = split_account(address(one.hand))[0] or safe.terminal(one.number, 40)
            if one.became == "superseded":
                lines.append(f"hand {number} stands as it is told here; the account before it is kept.")
            elif one.became == "untold":
                lines.append(f"hand {number} was told by this source before, and is not any more: it stands.")
            elif one.became == "doubtful":
                lines.append(
                    f"hand {number} may be the hand of that number that the ledger has, or another: both are kept, nothing is replaced."
                )
            elif not one.number:
                lines.append(f"Facts between hands that this source no longer tells stay: {one.why}.")
            else:
                lines.append(f"hand {number} is told otherwise here and kept beside: {one.why}. Nothing is replaced.")
        told = file.superseded + file.doubtful + file.kept + file.facts_kept + file.untold
        if told > len(file.accounts):
            name = safe.tail(safe.terminal(file.name), 90)
            lines.append(f"{name}: {told - len(file.accounts)} more accounts of hands told before")
    total = summary.total
    if total.untold:
        lines.append(
            "    If it was never played: `handledger show HAND` numbers its events; then `handledger correct HAND@LAST voided --insert --by ... --why ...`."
        )
    if total.facts_voided:
        lines.append(
            f"{total.facts_voided:,} fact{'s' * (total.facts_voided != 1)} between hands, told before and not any more, no longer count; the record keeps them."
        )
    if total.corrected:
        lines.append(
            f"{total.corrected:,} correction{'s' * (total.corrected != 1)} of hands that were on record: `handledger show` has them at the end of the hand."
        )
    if total.doubtful or total.kept:
        lines.append("    `handledger accounts HAND` shows them, and lets you say which stands.")
    return ["", *lines] if lines else []


def _evenings(summary: ImportSummary) -> list[str]:
    """Say which hands were taken for another evening's, which may be one, and how to keep evenings apart."""
    apart = [file for file in summary.files if file.apart]
    undated = [file for file in summary.files if file.undated]
    lines = [
        f"{_file_name(file)}: {_counted(file.apart, 'hand')} kept as another evening."
        " Button, players or blinds differ from those on record."
        for file in apart[:_OF_EACH]
    ]
    if apart:
        lines.append("    If it is the same evening: `handledger accounts HAND --same-as HAND --by ROLE --why TEXT`.")
    lines += [
        f"{_file_name(file)}: {_counted(file.undated, 'hand')} taken for hands on record. Nothing dates them."
        for file in undated[:_OF_EACH]
    ]
    if undated:
        lines.append(f"    If it is another evening, {_way_to_date(undated)}. Then import both files again.")
    return ["", *lines] if lines else []


def _unwitnessed(summary: ImportSummary) -> list[str]:
    """Say of files without a witness line what cannot be judged, and which line to add: the modest profile first."""
    files = [file for file in summary.files if file.unwitnessed]
    lines = [
        f"{_file_name(file)}: {_counted(file.unwitnessed, 'hand')} without a witness line. What is not written can't be judged."
        " Say above the first hand what you always note: witness floor-form (button, blinds, who is away),"
        " or witness dealer-notes (button, blinds, acts, payouts)."
        for file in files[:_OF_EACH]
    ]
    if len(files) > _OF_EACH:
        lines.append(f"({_counted(len(files) - _OF_EACH, 'more file')} without a witness line)")
    return ["", *lines] if lines else []


def _way_to_date(files: Sequence[FileSummary]) -> str:
    if all(file.format == "handscript" for file in files):
        return "write on each `hand` line of both files when it began: hand 1 2026-11-21T20:15"
    return "put date and time on the hands of both files"


def _file_name(file: FileSummary) -> str:
    return safe.tail(safe.terminal(file.name), 60)


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _hands(count: int) -> str:
    return "1 hand is" if count == 1 else f"{count:,} hands are"


def _verdict(summary: ImportSummary, total: FileSummary) -> str:
    bytes_ = (
        f"{total.length:,} bytes: {total.read:,} read, {total.blank:,} blank, "
        f"{total.rejected_bytes:,} rejected, {total.not_read:,} not read."
    )
    if summary.dry_run:
        return f"{bytes_} Nothing was written: this was a dry run."
    if summary.exit_code == 2:
        return f"{bytes_} {'Nothing of it could be taken in.' if total.rejected else 'No hand was found.'}"
    return f"{bytes_} Run it again: nothing new will be written."
