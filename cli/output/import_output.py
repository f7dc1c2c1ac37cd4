"""Format the result of an import: a table for people, a document for programs."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from cli.documents.import_documents import ImportDocument
from cli.output import console
from ledger import safe
from ledger.intake.summary import FileSummary, ImportSummary
from projections.addresses.address_grammar import split_account
from projections.reports import import_breaks
from projections.reports.finding_changes import count_changes
from projections.reports.import_breaks import TableBreaks

if TYPE_CHECKING:
    from ledger.house.events import FindingChanged


def build_import_document(
    summary: ImportSummary,
    ledger: str,
    table_breaks: Sequence[TableBreaks] = (),
    key_made: str = "",
    changed: Sequence[FindingChanged] = (),
) -> ImportDocument:
    """Return the document of an import."""
    return ImportDocument(
        ledger=ledger,
        dry_run=summary.dry_run,
        files=summary.files,
        total=summary.total,
        breaks=list(table_breaks),
        people_key=key_made,
        findings=count_changes(changed),
    )


def format_import(
    summary: ImportSummary,
    table_breaks: Sequence[TableBreaks] = (),
    follow: Sequence[str] = (),
    list_command: str = "handledger rejects",
    address: Callable[[str], str] = lambda _: "",
) -> str:
    """Return an import as text.

    `follow`: lines after it. `list_command`: the command that lists all rejects. `address` returns the address of a hand
    by its id, "" if it has none.
    """
    total = summary.total
    has_superseded = total.superseded > 0
    columns = [column for column in _COLUMNS if has_superseded or column.field != "superseded"]
    name_width = max(12, console.find_width() - 13 - sum(column.width for column in columns))
    lines = [
        f"{'':{name_width}}  {heading:<11}"
        + "".join(f"{column.head[heading_row]:>{column.width}}" for column in columns)
        for heading_row, heading in enumerate(("", "FORMAT"))
    ]
    lines += _format_files(summary, name_width, columns)
    if len(summary.files) > 1:
        total.format = ""
        lines.append(_format_row(f"{len(summary.files)} files", total, name_width, columns))
    lines += _format_rejects(summary, list_command)
    lines += _format_accounts(summary, address)
    lines += _format_evenings(summary)
    lines += _format_dead_posts(summary)
    lines += _format_notes(summary)
    lines += _format_unwitnessed(summary)
    lines += _format_answers(summary)
    if table_breaks:
        lines += ["", *import_breaks.format_table_breaks(table_breaks)]
    lines.append("")
    lines += [_format_verdict(summary, total), *follow]
    return "\n".join(line.rstrip() for line in lines)


class _FigureColumn(NamedTuple):
    """A column of the table: its heading in two lines, its width, and the field of its figures."""

    head: tuple[str, str]
    width: int
    field: str


_MAX_ROWS: Final = 40
"""Files, or rejects, up to which each gets a row of its own."""
_MAX_PER_KIND: Final = 5
"""Rows for each kind of reject, or of file, if there are more than `_MAX_ROWS`."""
_COLUMNS: Final = (
    _FigureColumn(("", "NEW"), 8, "new"),
    _FigureColumn(("ALREADY", "THERE"), 9, "same"),
    _FigureColumn(("ANOTHER", "ACCOUNT"), 9, "second"),
    _FigureColumn(("", "SUPERSEDED"), 11, "superseded"),
    _FigureColumn(("", "REJECTED"), 9, "rejected"),
    _FigureColumn(("BYTES", "NOT READ"), 9, "not_read"),
)


def _format_files(summary: ImportSummary, name_width: int, columns: Sequence[_FigureColumn]) -> list[str]:
    """Return a row for each file; if there are many, only for the first files of each kind."""
    files_by_kind: dict[str, list[FileSummary]] = {", all read to the last byte": [], " in which no hand was found": []}
    clean_files, empty_files = files_by_kind.values()
    shown_files = []
    for file in summary.files:
        if file.is_clean:
            similar_files = clean_files
        elif file.account_count or file.error:
            shown_files.append(file)
            continue
        else:
            similar_files = empty_files
        similar_files.append(file)
        if len(similar_files) <= _MAX_PER_KIND or len(summary.files) <= _MAX_ROWS:
            shown_files.append(file)
    lines = [
        _format_row(safe.tail(safe.terminal(file.name), name_width), file, name_width, columns) for file in shown_files
    ]
    if len(shown_files) < len(summary.files):
        hidden_counts = {
            description: len(files) - _MAX_PER_KIND
            for description, files in files_by_kind.items()
            if len(files) > _MAX_PER_KIND
        }
        lines += [
            f"({hidden_count:,} more file{'s' * (hidden_count != 1)}{description})"
            for description, hidden_count in hidden_counts.items()
        ]
    return lines


def _format_row(name: str, file: FileSummary, name_width: int, columns: Sequence[_FigureColumn]) -> str:
    figures = "".join(f"{getattr(file, column.field):>{column.width},}" for column in columns)
    if file.error:
        figures = "  " + safe.terminal(file.error, 70)
    return f"{safe.fit(name, name_width)}  {safe.terminal(file.format, 10) or '-':<11}{figures}"


def _format_rejects(summary: ImportSummary, list_command: str) -> list[str]:
    from cli.output.reject_text import describe_reasons, find_line

    lines = [""]
    is_long = sum(len(file.rejects) for file in summary.files) > _MAX_ROWS
    counts_by_code: Counter[str] = Counter()
    for file in summary.files:
        name = safe.tail(safe.terminal(file.name), 90)
        for reject in file.rejects:
            counts_by_code[reject.code] += 1
            if is_long and counts_by_code[reject.code] > _MAX_PER_KIND:
                continue
            location = f"{name}:{find_line(reject, reject.line)}  bytes {reject.start}-{reject.start + reject.length}"
            lines.append(f"{location}  {console.paint('rejected', 'red')} ({reject.code})")
            lines += describe_reasons(reject)
        if file.rejected > len(file.rejects) and not is_long:
            lines.append(f"{name}: {file.rejected - len(file.rejects)} more; {list_command} has them all")
    total = summary.total
    if is_long:
        kind_texts = [
            f"{count - _MAX_PER_KIND:,} {code}" for code, count in counts_by_code.most_common() if count > _MAX_PER_KIND
        ]
        if total.rejected > counts_by_code.total():
            kind_texts.append(f"{total.rejected - counts_by_code.total():,} whose reasons are not listed here")
        if kind_texts:
            lines.append(f"more were rejected: {', '.join(kind_texts)}; {list_command} has them all")
    if total.unbalanced:
        lines.append(f"{_count_hands(total.unbalanced)} stored whose chips don't add up; `handledger log` marks them.")
    if total.incomplete:
        lines.append(
            f"{_count_hands(total.incomplete)} stored with lines that couldn't be read; `handledger log` marks them."
        )
    return lines if len(lines) > 1 else []


def _format_accounts(summary: ImportSummary, address: Callable[[str], str]) -> list[str]:
    """Return a line for each hand that the ledger had already: which account counts."""
    lines = []
    for file in summary.files:
        for account in file.accounts:
            number = split_account(address(account.hand))[0] or safe.terminal(account.number, 40)
            if account.became == "superseded":
                lines.append(f"hand {number}: this version counts now. The earlier one is kept.")
            elif account.became == "untold":
                lines.append(f"hand {number} isn't in this file any more. It stays in the ledger.")
            elif account.became == "doubtful":
                lines.append(
                    f"hand {number} may be the hand on record with that number, or a different one. Both are kept; nothing was replaced."
                )
            elif not account.number:
                lines.append(
                    f"Facts between hands that aren't in this file any more stay in the ledger: {account.why}."
                )
            else:
                lines.append(
                    f"hand {number} differs from the hand on record and is stored next to it: {account.why}. Nothing was replaced."
                )
        account_count = file.superseded + file.doubtful + file.kept + file.facts_kept + file.untold
        if account_count > len(file.accounts):
            name = safe.tail(safe.terminal(file.name), 90)
            lines.append(f"{name}: {account_count - len(file.accounts)} more accounts of hands on record")
    total = summary.total
    if total.untold:
        lines.append(
            "    If it was never played: `handledger show HAND` numbers its events; then `handledger correct HAND@LAST voided --insert --by ... --why ...`."
        )
    if total.facts_voided:
        lines.append(
            "1 fact between hands isn't in its file any more and no longer counts; the record keeps it."
            if total.facts_voided == 1
            else f"{total.facts_voided:,} facts between hands aren't in their files any more and no longer count; the record keeps them."
        )
    if total.corrected:
        lines.append(
            f"{total.corrected:,} correction{'s' * (total.corrected != 1)} of hands on record: `handledger show` lists them at the end of the hand."
        )
    if total.doubtful or total.kept:
        lines.append("    `handledger accounts HAND` lists them and lets you choose the one that counts.")
    return ["", *lines] if lines else []


def _format_evenings(summary: ImportSummary) -> list[str]:
    """Return which hands were read as another evening's, which may be, and how to keep evenings apart."""
    files_apart = [file for file in summary.files if file.apart]
    undated_files = [file for file in summary.files if file.undated]
    lines = [
        f"{_shorten_name(file)}: {_count_noun(file.apart, 'hand')} kept as another evening."
        " Button, players or blinds differ from those on record."
        for file in files_apart[:_MAX_PER_KIND]
    ]
    if files_apart:
        lines.append("    If it is the same evening: `handledger accounts HAND --same-as HAND --by ROLE --why TEXT`.")
    lines += [
        f"{_shorten_name(file)}: {_count_noun(file.undated, 'hand')} taken for hands on record. No time tells them apart."
        for file in undated_files[:_MAX_PER_KIND]
    ]
    if undated_files:
        lines.append(f"    If it is another evening, {_explain_dating(undated_files)}. Then import both files again.")
    return ["", *lines] if lines else []


def _format_unwitnessed(summary: ImportSummary) -> list[str]:
    """Return for files without a witness line what can't be judged, and which line to add: the smaller profile first."""
    files = [file for file in summary.files if file.unwitnessed]
    lines = [
        f"{_shorten_name(file)}: {_count_noun(file.unwitnessed, 'hand')} without a witness line, so a missing fact proves nothing."
        " Above the first hand, write what you always note: witness floor-form (button, blinds, who is away),"
        " or witness dealer-notes (button, blinds, acts, payouts)."
        for file in files[:_MAX_PER_KIND]
    ]
    if len(files) > _MAX_PER_KIND:
        lines.append(f"({_count_noun(len(files) - _MAX_PER_KIND, 'more file')} without a witness line)")
    return ["", *lines] if lines else []


def _format_dead_posts(summary: ImportSummary) -> list[str]:
    """Repeat the total of each post with a dead part: the words `makeup 15 dead 5` may mean 15 in all."""
    lines = [
        f"{_shorten_name(file)}: check hand {safe.terminal(post.hand, 24)}: seat {post.seat} posts {post.live} live"
        f" and {post.dead} dead, {post.total} in all."
        for file in summary.files
        for post in file.dead_posts
    ]
    return ["", *lines[:_MAX_ROWS]] if lines else []


def _format_notes(summary: ImportSummary) -> list[str]:
    """Return which files were read as notes, and how to see how each line was read."""
    files = [file for file in summary.files if file.as_notes]
    lines = [
        f"{_shorten_name(file)}: read as notes. How each line was read: handledger read {shlex.quote(safe.terminal(file.name, 200))}"
        for file in files[:_MAX_PER_KIND]
    ]
    if len(files) > _MAX_PER_KIND:
        lines.append(f"({_count_noun(len(files) - _MAX_PER_KIND, 'more file')} read as notes)")
    return ["", *lines] if lines else []


def _format_answers(summary: ImportSummary) -> list[str]:
    """Return the lines that answers are kept, and that their files are unchanged."""
    return [
        f"{_shorten_name(file)}: {_count_noun(file.answers, 'answer')} kept in the ledger. Your file is unchanged."
        for file in summary.files
        if file.answers
    ]


def _explain_dating(files: Sequence[FileSummary]) -> str:
    if all(file.format == "handscript" for file in files):
        return "write on each `hand` line of both files when it began: hand 1 2026-11-21T20:15"
    return "write date and time on the hands of both files"


def _shorten_name(file: FileSummary) -> str:
    return safe.tail(safe.terminal(file.name), 60)


def _count_noun(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _count_hands(count: int) -> str:
    return "1 hand is" if count == 1 else f"{count:,} hands are"


def _explain_nothing(summary: ImportSummary, total: FileSummary) -> str:
    """Return why no hand was stored: there was none, it couldn't be read, or the notes leave a question open."""
    codes = {reject.code for file in summary.files for reject in file.rejects}
    if codes == {"question"}:
        return "No hand was stored: the notes wait for answers."
    return "No hand was stored: see what was rejected." if total.rejected else "No hand was found."


def _format_verdict(summary: ImportSummary, total: FileSummary) -> str:
    bytes_text = (
        f"{total.length:,} bytes: {total.read:,} read, {total.blank:,} blank, "
        f"{total.rejected_bytes:,} rejected, {total.not_read:,} not read."
    )
    if summary.dry_run:
        return f"{bytes_text} Nothing was written: this was a dry run."
    if summary.exit_code == 2:
        return f"{bytes_text} {_explain_nothing(summary, total)}"
    return f"{bytes_text} Run it again: nothing new will be written."
