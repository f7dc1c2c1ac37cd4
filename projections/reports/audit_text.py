"""Findings and audits as text for people: code frames on the source's own bytes, and a summary.

Text of the source is hostile: it passes `ledger.safe`. Nothing here reads a file or a store, the
bytes come through `Source`. Colour is never the only sign.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from ledger import safe
from ledger.vocabulary import Seat
from projections.addresses.address_book import named_address, typed
from projections.addresses.source_names import encoding_of
from projections.amount_text import amount
from projections.audit.audit_result import AuditResult, BookRef
from projections.findings.finding import NOT_JUDGED, Coverage, Finding, Line
from projections.reports.facts import fact
from projections.reports.tally import Tally, tally

_AROUND: Final = 400  # bytes read on either side of a mark to find the ends of its line
_COLOURS: Final = {"error": "31", "warning": "33", "info": "36"}
_RULE_MOST: Final = 4000
_FATES: Final = {"followed": "followed", "not-followed": "not followed", "cannot-tell": "cannot tell"}


@dataclass(frozen=True, slots=True)
class Source:
    """How a report gets at the bytes of a source file and says where they are.

    `read(digest, start, length)` gives bytes, `where(digest, offset)` the file's name and the line
    number, `sha256` what its bytes hash to; None or "" = unknown.
    """

    read: Callable[[str, int, int], bytes]
    where: Callable[[str, int], tuple[str, int] | None]
    sha256: Mapping[str, str] = field(default_factory=dict)


def finding(
    found: Finding,
    source: Source | None = None,
    *,
    width: int = 100,
    colour: bool = False,
    name: Callable[[Seat], str] | None = None,
    address: str = "",
    knock_on: str = "",
) -> str:
    """Return a finding with its code frame, each line at most `width` columns.

    `name` gives a player's printable name, `address` that of the event in a ledger, `knock_on` what came of it.
    """
    seat = "" if found.seat is None else f"  seat {found.seat}"
    if found.seat is not None and name is not None:
        seat += f" {name(found.seat)}".rstrip()
    head = [
        safe.terminal(found.citation, 100),
        found.severity,
        f"{address or named_address(found.hand, found.version)}{seat}",
        f"({found.certainty}, fingerprint {found.fingerprint[:8]})",
    ]
    if colour:
        head[0] = f"\x1b[1m{head[0]}\x1b[0m"
        head[1] = f"\x1b[{_COLOURS[found.severity]}m{head[1]}\x1b[0m"
    lines = ["  ".join(head) if colour else safe.cut("  ".join(head), width)]
    lines += _frame(found, source, width)
    lines += _facts(found, width, address, knock_on)
    return "\n".join(lines)


def _facts(found: Finding, width: int, address: str, knock_on: str) -> list[str]:
    also = f" (also {', '.join(found.also)})" if found.also else ""
    facts = [
        ("saw", found.saw),
        ("because", found.because),
        ("rule", safe.terminal(f"{found.citation}{also}: {found.asks}", _RULE_MOST)),
        ("should be", found.should),
        ("money", _money(found)),
        ("knock-on", knock_on),
        ("remedy", _FATES.get(found.remedy, "")),
    ]
    lines = [line for key, text in facts if text for line in _wrapped(f"   = {key:<9} ", text, width)]
    rule = f"handledger rules {safe.terminal(found.book, 60)} {safe.terminal(shlex.quote(found.clause), 60)}"
    return [
        *lines,
        *_commands("   = try       ", [rule, *([f"handledger show {typed(address)}"] if address else [])], width),
    ]


def _commands(lead: str, commands: list[str], width: int) -> list[str]:
    """Put commands on one line, or each on its own where that is too long; none is cut."""
    line = lead + " · ".join(commands)
    if safe.columns(line) <= width:
        return [line]
    if len(lead) + max(map(safe.columns, commands)) <= width:
        return [(" " * len(lead) if at else lead) + command for at, command in enumerate(commands)]
    return [lead.rstrip(), *(f"   {command}" for command in commands)]


def _wrapped(lead: str, text: str, width: int) -> list[str]:
    """Break text at blanks into lines of `width` columns, indented under the first."""
    lines: list[str] = []
    line = lead
    for word in text.split(" "):
        if safe.columns(line) + safe.columns(word) + 1 > width and line.strip(" ="):
            lines.append(line.rstrip())
            line = " " * len(lead)
        line += word + " "
    return [safe.cut(each, width) for each in (*lines, line.rstrip())]


def _money(found: Finding) -> str:
    if not found.money:
        return ""
    parts = [
        f"seat {share.seat} {'was overpaid' if share.amount > 0 else 'is short'} {amount(abs(share.amount), found.unit, found.exponent)}"
        for share in found.money
    ]
    return ", ".join(parts) + f" (sums to {sum(share.amount for share in found.money)})"


def _frame(found: Finding, source: Source | None, width: int) -> list[str]:
    placed = [line for line in found.lines if line.length]
    if source is None or not placed or not found.source:
        return []
    main = placed[0]
    where = source.where(found.source, main.start)
    at = f"{safe.terminal(where[0], 60)}:{where[1]}  " if where else ""
    known = source.sha256.get(found.source, "")
    which = f"sha256 {known[:12]}" if known else f"source {found.source[:12]}"
    lines = [safe.cut(f"  --> {at}bytes {main.start}-{main.start + main.length}  {which}…", width)]
    numbers = {line.version: source.where(found.source, line.start) for line in placed}
    gutter = max(len(str(number[1])) if number else 1 for number in numbers.values()) + 1
    lines.append(" " * gutter + " |")
    for line in sorted(placed, key=lambda each: (each.start, each.version)):
        number = numbers[line.version]
        sign = "^" if line is main else "-"
        note = line.note or ("" if line is not main else found.saw)
        lines += _marked(found.source, line, source, str(number[1]) if number else "", gutter, sign, note, width)
    lines.append(" " * gutter + " |")
    return lines


def _marked(
    digest: str, line: Line, source: Source, number: str, gutter: int, sign: str, note: str, width: int
) -> list[str]:
    """Return the line of the source that holds a mark, and under it the mark."""
    from_ = max(0, line.start - _AROUND)
    data = source.read(digest, from_, line.start - from_ + min(line.length, 4096) + _AROUND)
    before, marked, after = _cut_line(data, line.start - from_, min(line.length, 4096))
    head, mark, tail = (safe.terminal(part, 10_000) if part else "" for part in (before, marked, after))
    room = max(20, width - gutter - 3)
    lead = safe.columns(head)
    if lead + safe.columns(mark) > room:  # keep the mark in sight
        keep = max(0, room - min(safe.columns(mark), room // 2) - 2)
        head = "…" + _last_columns(head, keep) if lead > keep else head
        lead = safe.columns(head)
    text = safe.cut(head + mark + tail, room)
    under = sign * max(1, min(safe.columns(mark), room - lead))
    shown = safe.cut(f"{' ' * lead}{under} {note}".rstrip(), room)
    return [f"{number:>{gutter}} | {text}", f"{' ' * gutter} | {shown}"]


def _cut_line(data: bytes, start: int, length: int) -> tuple[str, str, str]:
    """Return the text before the mark on its line, the mark's first line, and the rest of it."""
    code, end = encoding_of(data[:200])
    first = data.rfind(end, 0, start) + len(end) if end in data[:start] else start % len(end)
    last = data.find(end, start)
    last = len(data) if last < 0 else last
    stop = min(start + length, last)
    parts = (data[first:start], data[start:stop], data[stop:last])
    before, marked, after = (part.decode(code, "replace").rstrip("\r") for part in parts)
    return before, marked.rstrip(), marked[len(marked.rstrip()) :] + after


def _last_columns(text: str, columns: int) -> str:
    """Return as much of the end of harmless text as fits into `columns`."""
    while text and safe.columns(text) > columns:
        text = text[max(1, len(text) - columns) if safe.columns(text) > 2 * columns else 1 :]
    return text


def summary(
    result: AuditResult, *, width: int = 100, coverage: bool = True, only: str = "", since: bool = False
) -> str:
    """Return what an audit found by clause, how far it could see, and for want of what not further.

    Without `coverage` only what it found; `only` says which clauses it is about; `since`: it is about
    what is otherwise than in an earlier audit.
    """
    told = tally(result.findings)
    lines = [_headline(result, told, only, " that came or changed" * since)]
    for why in NOT_JUDGED:
        hands = max((one.hands for row in result.coverage for one in row.missing if one.fact == why), default=0)
        if hands:
            lines.append(f"{hands} hand{'s' * (hands != 1)} {why}.")
    if told.findings:
        lines += ["", "Findings"]
        order = {(c.book, c.clause): at for at, c in enumerate(result.coverage)}
        for (book, clause, severity), count in sorted(told.clauses.items(), key=lambda i: order.get(i[0][:2], 0)):
            lines.append(
                safe.cut(f"  {book + ' ' + clause:<26} {count:>6}  {severity:<8} {told.asks[book, clause]}", width)
            )
    for ref in result.books if coverage else ():
        lines += ["", *_book(ref, [c for c in result.coverage if c.book == ref.name], width)]
    return "\n".join(lines)


def _headline(result: AuditResult, found: Tally, only: str, which: str) -> str:
    *most, last = (book.name + (f" (adopted {book.adopted})" if book.adopted else "") for book in result.books)
    books = " and ".join(filter(None, (", ".join(most), last)))
    count, hands, grades = found.findings, found.hands, found.graded()
    told = ", ".join(
        f"{grades[grade]} {grade}{'s' * (grades[grade] != 1 and grade != 'info')}"
        for grade in ("error", "warning", "info")
        if grades[grade]
    )
    about = f", only {safe.terminal(only, 200)}" if only else ""
    return f"Judged {result.hands} hand{'s' * (result.hands != 1)} under {books}{about}: " + (
        f"{count} finding{'s' * (count != 1)}{which} in {hands} hand{'s' * (hands != 1)} ({told})."
        if count
        else f"no findings{which}."
    )


def _book(ref: BookRef, rows: list[Coverage], width: int) -> Iterable[str]:
    """Yield a book's coverage: clauses by what became of them, and the facts that were wanting."""
    judged = [row for row in rows if row.judged]
    edition = safe.terminal(ref.edition, 40)
    yield f"{safe.terminal(ref.name, 60)} (edition {edition}, sha256 {ref.digest[:12]}), {len(rows)} clause{'s' * (len(rows) != 1)}"
    parts = [
        (len(judged), "judged"),
        (sum(bool(row.found) for row in rows), "with findings"),
        (sum(bool(row.cannot_tell) for row in rows), "not enough on record in some hands"),
        (sum(bool(row.not_built) for row in rows), "not built"),
        (sum(bool(row.no_judgement) for row in rows), "define or permit, or cannot be seen"),
        (sum(_unasked(row) and row.did_not_come_up > 0 for row in rows), "did not come up"),
        (sum(_unasked(row) and not row.did_not_come_up for row in rows), "about other games"),
    ]
    yield from _wrapped("  ", ", ".join(f"{count} {what}" for count, what in parts if count), width)
    lacking: dict[str, tuple[int, int]] = {}
    for row in rows:
        for missing in row.missing:
            clauses, hands = lacking.get(missing.fact, (0, 0))
            lacking[missing.fact] = (clauses + 1, max(hands, missing.hands))
    if lacking:
        yield "  not enough on record:"
        said = {lacks: fact(lacks) + " not recorded" * (fact(lacks) != lacks) for lacks in lacking}
        room = min(max(40, *map(len, said.values())), 64)
        for lacks, (clauses, hands) in sorted(lacking.items(), key=lambda i: (-i[1][0], i[0])):
            yield safe.cut(
                f"    {said[lacks]:<{room}} {clauses:>3} clause{'s' * (clauses != 1)}, in up to {hands} hand{'s' * (hands != 1)}",
                width,
            )
    waiting = [row.clause for row in rows if row.not_built]
    if waiting:
        yield from _wrapped("  not built: ", ", ".join(waiting), width)


def _unasked(row: Coverage) -> bool:
    return row.not_applicable > 0 and not row.judged and not row.cannot_tell


def coverage(result: AuditResult, *, width: int = 100) -> str:
    """Return one line for each clause of each book, in the book's order."""
    lines = [
        f"{'':<26} {'':>7} {'':>7} {'cannot':>7} {'did not':>7} {'other':>7} {'not':>7}",
        f"{'clause':<26} {'clean':>7} {'found':>7} {'tell':>7} {'come up':>7} {'games':>7} {'built':>7}  not recorded",
    ]
    named: dict[tuple[str, int, tuple[str, ...]], list[str]] = {}
    for row in result.coverage:
        want = ", ".join(fact(m.fact) for m in row.missing) or (row.kind if row.no_judgement else "")
        lines.append(
            f"{row.book + ' ' + row.clause:<26} {row.clean:>7} {row.found:>7} {row.cannot_tell:>7} "
            f"{row.did_not_come_up:>7} {row.not_applicable - row.did_not_come_up:>7} "
            f"{row.not_built:>7}  {want}"
        )
        for lack in row.missing:
            key = lack.fact, lack.hands, tuple(lack.named)
            named.setdefault(key, []).append(f"{row.book} {row.clause}")
    cut = [safe.cut(line, width) for line in lines]
    if named:
        cut += ["", "not enough on record:"]
        for (lacks, hands, which), clauses in sorted(named.items()):
            more = f" and {hands - len(which)} more (--every-hand)" if hands > len(which) else ""
            told = ", ".join(safe.terminal(address, 90) for address in which)
            cut.append(safe.cut(f"  {safe.terminal(fact(lacks), 120)}", width))
            cut += _wrapped("    ", ", ".join(clauses), width)
            cut += _wrapped("    ", f"in hand{'s' * (hands != 1)} {told}{more}", width)
    return "\n".join(cut)
