"""Format the summary of an audit for a terminal: the findings by clause, and the outcomes of each book's clauses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from ledger import safe
from ledger.text.language import join_and, join_list, phrase, phrase_count, translatable, translatable_count
from ledger.text.screen_lines import fill_columns, wrap_text
from projections.audit.audit_result import AuditResult, BookRef
from projections.books.rulebook import BUILT_IN
from projections.findings.finding import MAX_EVENTS, MAX_JUDGED_PLAYERS, TOO_MANY_EVENTS, TOO_MANY_PLAYERS, Coverage
from projections.reports.audit_text import wrap_after
from projections.reports.fact_names import advise_recording, describe_fact, find_silence
from projections.reports.tally import FindingTally, tally_findings
from projections.sentences.words import count_of, severity_name


def format_summary(
    result: AuditResult,
    *,
    width: int = 100,
    with_coverage: bool = True,
    clause_filter: str = "",
    is_comparison: bool = False,
    with_advice: bool = True,
) -> str:
    """Return the findings by clause, then each book's coverage with the facts that the records lack.

    `with_advice` adds how to record a missing fact next time: useful only to people who write their own record.
    `clause_filter`: the clauses that the audit was limited to; "" = all. `is_comparison`: `result` has only the
    findings that differ from an earlier audit.
    """
    finding_counts = tally_findings(result.findings)
    headline = _format_headline(result, finding_counts, clause_filter, is_comparison=is_comparison)
    lines = [headline, *_list_unjudged_hands(result.coverage)]
    if finding_counts.finding_count:
        lines += ["", phrase("Findings"), *_format_clause_counts(finding_counts, result.coverage, width)]
    for book_ref in result.books if with_coverage else ():
        lines += ["", *_format_book(result, book_ref, width, with_advice=with_advice)]
    return "\n".join(lines)


def _list_unjudged_hands(coverage: list[Coverage]) -> Iterator[str]:
    """Yield how many hands no book judged, for each reason."""
    for reason, message in _UNJUDGED_HANDS.items():
        hand_counts = [missing.hands for row in coverage for missing in row.missing if missing.fact == reason]
        if hand_count := max(hand_counts, default=0):
            yield phrase_count(
                *message, hand_count, most_events=format(MAX_EVENTS, ","), most_players=MAX_JUDGED_PLAYERS
            )


_UNJUDGED_HANDS: Final = {
    TOO_MANY_EVENTS: translatable_count(
        "{count} hand not judged: more than {most_events} events.",
        "{count} hands not judged: more than {most_events} events.",
    ),
    TOO_MANY_PLAYERS: translatable_count(
        "{count} hand not judged: more than {most_players} players.",
        "{count} hands not judged: more than {most_players} players.",
    ),
}


def _format_clause_counts(finding_counts: FindingTally, coverage: list[Coverage], width: int) -> Iterator[str]:
    """Yield a line for each clause with findings, in the order of the books and their clauses."""
    clause_order = {(row.book, row.clause): row_index for row_index, row in enumerate(coverage)}

    def clause_position(counted: tuple[tuple[str, str, str], int]) -> int:
        (book_name, clause_id, _severity), _count = counted
        return clause_order.get((book_name, clause_id), 0)

    for (book_name, clause_id, severity), count in sorted(finding_counts.counts_by_clause.items(), key=clause_position):
        demand = finding_counts.demands[book_name, clause_id]
        severity_text = fill_columns(severity_name(severity), 8)
        yield safe.cut(f"  {book_name + ' ' + clause_id:<26} {count:>6}  {severity_text} {demand}", width)


def _format_headline(
    result: AuditResult, finding_counts: FindingTally, clause_filter: str, *, is_comparison: bool
) -> str:
    """Return how many hands were judged under which books, and how many findings there are."""
    introduction = _introduce_audit(result)
    if clause_filter:
        introduction = phrase(
            "{introduction}, only {clauses}", introduction=introduction, clauses=safe.terminal(clause_filter, 200)
        )
    finding_count = finding_counts.finding_count
    if not finding_count:
        if is_comparison:
            return phrase("{introduction}: no findings that came or changed.", introduction=introduction)
        return phrase("{introduction}: no findings.", introduction=introduction)
    if is_comparison:
        finding_text = phrase_count(
            "{count} finding that came or changed", "{count} findings that came or changed", finding_count
        )
    else:
        finding_text = phrase_count("{count} finding", "{count} findings", finding_count)
    by_severity = finding_counts.count_by_severity()
    severity_list = [
        phrase_count(*message, by_severity[severity])
        for severity, message in _SEVERITY_COUNTS.items()
        if by_severity[severity]
    ]
    return phrase(
        "{introduction}: {findings} in {hands} ({severities}).",
        introduction=introduction,
        findings=finding_text,
        hands=count_of(finding_counts.hand_count, "hand"),
        severities=join_list(severity_list),
    )


_SEVERITY_COUNTS: Final[dict[str, tuple[str, str]]] = {
    "error": translatable_count("{count} error", "{count} errors"),
    "warning": translatable_count("{count} warning", "{count} warnings"),
    "info": translatable_count("{count} info", "{count} info"),
}


def _introduce_audit(result: AuditResult) -> str:
    """Return how many hands were judged, and under which books."""
    book_names = [
        phrase("{book} (adopted {period})", book=book_ref.name, period=book_ref.adopted)
        if book_ref.adopted
        else book_ref.name
        for book_ref in result.books
        if book_ref.name != BUILT_IN
    ]
    if len(book_names) == len(result.books):
        message = translatable("Judged {hands} under {books}")
    elif not book_names:
        message = translatable("Judged {hands} for contradictions in the record")
    elif len(book_names) == 1:
        message = translatable("Judged {hands} under {books} and for contradictions in the record")
    else:
        message = translatable("Judged {hands} under {books}, and for contradictions in the record")
    return phrase(message, hands=count_of(result.hands, "hand"), books=join_and(book_names))


def _format_book(result: AuditResult, book_ref: BookRef, width: int, *, with_advice: bool) -> Iterator[str]:
    """Yield a book's edition, its clauses counted by outcome, and the facts that were missing."""
    coverage_rows = [row for row in result.coverage if row.book == book_ref.name]
    is_single_hand = result.hands == 1
    edition = safe.terminal(book_ref.edition, 40)
    yield phrase_count(
        "{book} (edition {edition}, sha256 {digest}), {count} clause",
        "{book} (edition {edition}, sha256 {digest}), {count} clauses",
        len(coverage_rows),
        book=safe.terminal(book_ref.name, 60),
        edition=edition,
        digest=book_ref.digest[:12],
    )
    outcome_counts = list(_count_outcomes(coverage_rows, is_single_hand=is_single_hand))
    yield from wrap_after("  ", join_list(outcome_counts), width)
    yield from _format_missing_facts(coverage_rows, width, is_single_hand=is_single_hand, with_advice=with_advice)
    unbuilt_clauses = [coverage_row.clause for coverage_row in coverage_rows if coverage_row.not_built]
    if unbuilt_clauses:
        label = phrase("no check yet: ")
        yield from wrap_after(f"  {label}", ", ".join(unbuilt_clauses), width)


_NOT_JUDGED_IN_SOME: Final = translatable_count("{count} not judged in some hands", "{count} not judged in some hands")
_NOT_JUDGED_IN_HAND: Final = translatable_count("{count} not judged", "{count} not judged")
_CLAUSE_OUTCOMES: Final[tuple[tuple[tuple[str, str], Callable[[Coverage], object]], ...]] = (
    (translatable_count("{count} judged", "{count} judged"), lambda row: row.judged),
    (translatable_count("{count} with findings", "{count} with findings"), lambda row: row.found),
    (_NOT_JUDGED_IN_SOME, lambda row: row.cannot_tell),
    (translatable_count("{count} without a check yet", "{count} without a check yet"), lambda row: row.not_built),
    (
        translatable_count("{count} can't be checked from a record", "{count} can't be checked from records"),
        lambda row: row.no_judgement,
    ),
    (
        translatable_count("{count} did not come up", "{count} did not come up"),
        lambda row: _is_about_other_games(row) and row.did_not_come_up,
    ),
    (
        translatable_count("{count} about other games", "{count} about other games"),
        lambda row: _is_about_other_games(row) and not row.did_not_come_up,
    ),
)
"""Outcomes of a clause over the hands of an audit, each with its test. A clause may have several outcomes."""


def _count_outcomes(coverage_rows: list[Coverage], *, is_single_hand: bool) -> Iterator[str]:
    """Yield the number of clauses with each outcome: "3 judged", "1 with findings"."""
    for message, has_outcome in _CLAUSE_OUTCOMES:
        if clause_count := sum(bool(has_outcome(coverage_row)) for coverage_row in coverage_rows):
            is_short = is_single_hand and message is _NOT_JUDGED_IN_SOME
            yield phrase_count(*(_NOT_JUDGED_IN_HAND if is_short else message), clause_count)


def _format_missing_facts(
    coverage_rows: list[Coverage], width: int, *, is_single_hand: bool, with_advice: bool
) -> Iterator[str]:
    """Yield a line for each missing fact, the one that stopped most clauses first."""
    clause_counts: Counter[str] = Counter()
    most_hands: dict[str, int] = {}  # the most hands of any clause that lacked the fact
    for coverage_row in coverage_rows:
        for missing_fact in coverage_row.missing:
            clause_counts[missing_fact.fact] += 1
            most_hands[missing_fact.fact] = max(most_hands.get(missing_fact.fact, 0), missing_fact.hands)
    if not clause_counts:
        return
    descriptions = {fact_name: find_silence(fact_name) or describe_fact(fact_name) for fact_name in clause_counts}
    text_width = min(max(40, *map(safe.columns, descriptions.values())), 64)
    for is_silent in (False, True):
        facts = [fact_name for fact_name in clause_counts if bool(find_silence(fact_name)) == is_silent]
        if facts and is_silent:
            yield "  " + phrase("Not judged; the book is silent on:")
        elif facts:
            yield f"  {_title_missing_facts(with_advice=with_advice)}"
        for fact_name in sorted(facts, key=lambda fact: (-clause_counts[fact], fact)):
            clause_count = clause_counts[fact_name]
            count_text = phrase_count("{count} clause", "{count} clauses", clause_count)
            if not is_single_hand:
                hands = count_of(most_hands[fact_name], "hand")
                count_text = phrase("{clauses}, in up to {hands}", clauses=count_text, hands=hands)
            indent = " " * (3 - len(str(clause_count)))
            description = fill_columns(descriptions[fact_name], text_width)
            yield safe.cut(f"    {description} {indent}{count_text}", width)
            if with_advice and (advice := advise_recording(fact_name)):
                yield from wrap_after("      ", advice, width)


def _title_missing_facts(*, with_advice: bool) -> str:
    if with_advice:
        return phrase("Not judged; what was missing, and how to record it:")
    return phrase("Not judged; what was missing:")


def _is_about_other_games(coverage_row: Coverage) -> bool:
    """Whether a clause applied to no hand of the audit."""
    return coverage_row.not_applicable > 0 and not coverage_row.judged and not coverage_row.cannot_tell


_NARROWEST_COLUMN: Final = 7
_COVERAGE_COLUMNS: Final = (
    translatable("clean"),
    translatable("found"),
    translatable("not judged"),
    translatable("did not come up"),
    translatable("other games"),
    translatable("no check"),
)
_KINDS: Final = {
    "restates": translatable("restates"),
    "defines": translatable("defines"),
    "permits": translatable("permits"),
    "undetectable": translatable("undetectable"),
    "off": translatable("off"),
}


def _format_column_titles() -> tuple[list[str], list[int]]:
    """Return the title lines of the columns of counts, and the columns' widths. Words of a title are stacked."""
    titles = [phrase(title) for title in _COVERAGE_COLUMNS]
    widths = [max(_NARROWEST_COLUMN, *map(safe.columns, title.split(" "))) for title in titles]
    stacks = [wrap_text(title, width) for title, width in zip(titles, widths, strict=True)]
    height = max(map(len, stacks))
    rows = [
        " ".join(
            fill_columns(([""] * (height - len(stack)) + stack)[row_index], width, is_right_aligned=True)
            for stack, width in zip(stacks, widths, strict=True)
        )
        for row_index in range(height)
    ]
    row_titles = [""] * (height - 1) + [phrase("clause")]
    lines = [f"{fill_columns(row_title, 26)} {row}" for row_title, row in zip(row_titles, rows, strict=True)]
    missing_title = phrase("what was missing")
    return [*lines[:-1], f"{lines[-1]}  {missing_title}"], widths


def format_coverage(result: AuditResult, *, width: int = 100, with_advice: bool = True) -> str:
    """Return a table with a line for each clause of each book, then the missing facts with their hands.

    `with_advice`: as for `format_summary`.
    """
    lines, widths = _format_column_titles()
    for coverage_row in result.coverage:
        missing_text = join_list([describe_fact(missing_fact.fact) for missing_fact in coverage_row.missing])
        if not missing_text and coverage_row.no_judgement:
            missing_text = phrase(_KINDS.get(coverage_row.kind, coverage_row.kind))
        counts = (
            coverage_row.clean,
            coverage_row.found,
            coverage_row.cannot_tell,
            coverage_row.did_not_come_up,
            coverage_row.not_applicable - coverage_row.did_not_come_up,
            coverage_row.not_built,
        )
        cells = " ".join(f"{count:>{width}}" for count, width in zip(counts, widths, strict=True))
        lines.append(f"{coverage_row.book + ' ' + coverage_row.clause:<26} {cells}  {missing_text}")
    fact_lines = _list_facts_with_hands(result.coverage, width, with_advice=with_advice)
    return "\n".join([*(safe.cut(line, width) for line in lines), *fact_lines])


def _list_facts_with_hands(coverage: list[Coverage], width: int, *, with_advice: bool) -> Iterator[str]:
    """Yield each missing fact with its clauses and hands, and with advice if `with_advice`."""
    clauses_by_fact: dict[tuple[str, int, tuple[str, ...]], list[str]] = {}  # fact, hands, addresses → clauses
    for coverage_row in coverage:
        for missing_fact in coverage_row.missing:
            fact_key = missing_fact.fact, missing_fact.hands, tuple(missing_fact.named)
            clauses_by_fact.setdefault(fact_key, []).append(f"{coverage_row.book} {coverage_row.clause}")
    if clauses_by_fact:
        yield ""
        yield safe.cut(_title_missing_facts(with_advice=with_advice), width)
    for (fact_name, hand_count, hand_addresses), clauses in sorted(clauses_by_fact.items()):
        address_list = ", ".join(safe.terminal(hand_address, 90) for hand_address in hand_addresses)
        if (unlisted_count := hand_count - len(hand_addresses)) > 0:
            address_list = phrase(
                "{addresses} and {count} more (--every-hand)", addresses=address_list, count=unlisted_count
            )
        hands_text = phrase_count("in hand {addresses}", "in hands {addresses}", hand_count, addresses=address_list)
        yield safe.cut(f"  {safe.terminal(describe_fact(fact_name), 120)}", width)
        if with_advice and (advice := advise_recording(fact_name)):
            yield from wrap_after("    ", advice, width)
        yield from wrap_after("    ", ", ".join(clauses), width)
        yield from wrap_after("    ", hands_text, width)
