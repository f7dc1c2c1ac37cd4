"""Makes docs/rules/: a page for each rulebook, clause by clause, and the matrix of what they decide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from projections.books.clause_page import PolicyAnswer, PolicyPoint, explain_clause, build_policy_matrix, describe_policy_value
from projections.books.house_template import to_toml
from projections.obligations.policy import POINTS, SECTIONS
from projections.books.rulebook import BUILT_IN, Clause, Rulebook, load, list_names

CASES = Path(__file__).resolve().parent.parent / "tests" / "cases"
KINDS = {
    "detector": "judged", "restates": "repeats another clause", "defines": "defines",
    "permits": "permits", "undetectable": "leaves no trace in a record", "not-built": "not programmed yet",
    "off": "switched off",
}
FENCE = re.compile(r"^```(hand|evening)\n(.*?)^```", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"\s#\s(.*)$", re.MULTILINE)


def pages() -> dict[str, str]:
    """Return each page of the folder by its file name."""
    book_pages = {f"{name}.md": "\n".join(book(load(name))).rstrip() + "\n" for name in [*list_names(), BUILT_IN]}
    return {"README.md": "\n".join(overview()).rstrip() + "\n", **book_pages}


def overview() -> Iterator[str]:
    """Yield the page with the books and the matrix."""
    books = [load(name) for name in list_names()]
    yield "# Rulebooks and their decisions\n"
    yield "Generated from the books' own files (`make docs`). `handledger rules --matrix` prints the matrix, `handledger rules BOOK CLAUSE`"
    yield "one clause with its cases. To start a book of your own, type `handledger rules new --from BOOK my-room.toml`.\n"
    yield "| book | title | edition | clauses | judged | defines, permits | leaves no trace | not programmed |"
    yield "|---|---|---|---|---|---|---|---|"
    for listed_book in [*books, load(BUILT_IN)]:
        count = {kind: sum(c.kind == kind for c in listed_book.clauses.values()) for kind in KINDS}
        yield (
            f"| [{listed_book.name}]({listed_book.name}.md) | {cell(listed_book.title)} | {cell(listed_book.edition)} | {len(listed_book.clauses)} "
            f"| {count['detector'] + count['restates']} | {count['defines'] + count['permits']} "
            f"| {count['undetectable']} | {count['not-built']} |"
        )
    yield "\nEvery audit also judges `record`: a record must not contradict itself.\n"
    yield "A dash: the book is silent, and no finding rests on the point. *(lit.)*: only a literal reading of a general sentence covers it.\n"
    policy_points = build_policy_matrix(books)
    for section in SECTIONS.values():
        yield f"## {section}\n"
        yield f"| point | {' | '.join(listed_book.name for listed_book in books)} |"
        yield "|---" * (len(books) + 1) + "|"
        yield from (matrix_row(point) for point in policy_points if point.section == section)
        yield ""
    yield "## Where a book is silent\n"
    yield "If a book is silent, `due` shows one of these. They never lead to a finding.\n"
    yield from (f"- {point.title}: {point.fallback}" for point in policy_points if point.fallback)


def matrix_row(point: PolicyPoint) -> str:
    """Return one line of the matrix."""
    cells = " | ".join(answer_cell(answer) for answer in point.answers)
    return f"| {point.title}<br>`{point.key}` | {cells} |"


def answer_cell(answer: PolicyAnswer) -> str:
    """Return a cell of the matrix."""
    if answer.silent:
        return "-"
    cited = ", ".join(f"[{clause}]({answer.book}.md#{anchor(clause)})" for clause in answer.clauses)
    literal = " *(lit.)*" if answer.literal else ""
    return f"{cell(answer.says)}{literal}<br>{cited}" if cited else cell(answer.says) + literal


def book(rules: Rulebook) -> Iterator[str]:
    """Yield the page of one book."""
    yield f"# {rules.name}: {rules.title}\n"
    yield f"Edition {rules.edition}. {rules.source}. Generated from `projections/rulebooks/{rules.name}.toml` (`make docs`); in our words.\n"
    count = [(sum(c.kind == kind for c in rules.clauses.values()), description) for kind, description in KINDS.items()]
    yield f"{len(rules.clauses)} clauses: {', '.join(f'{n} {description}' for n, description in count if n)}.\n"
    for clause in rules.clauses.values():
        yield from clause_section(rules, clause)


def clause_section(rules: Rulebook, clause: Clause) -> Iterator[str]:
    """Yield all that is said of a clause."""
    explanation = explain_clause(rules, clause.id)
    scope_words = [word.replace("_", " ") for word in (explanation.applies_to.format, explanation.applies_to.betting, explanation.applies_to.game) if word not in ("all", "both")]
    yield f"## {clause.id}\n"
    yield f"{explanation.says}\n"
    scope = f", {', '.join(scope_words)} only" if scope_words else ""
    yield f"- {explanation.severity}{scope}" + (f" · {explanation.place}" if explanation.place else "")
    if explanation.kind == "detector":
        parameters = ", ".join(f"{key} = {to_toml(value)}" for key, value in explanation.parameters.items())
        yield f"- judged by `{explanation.detector}`" + (f" with {parameters}" if parameters else "")
    elif explanation.kind == "restates":
        yield f"- judged with [{explanation.no_detector_reason}](#{anchor(explanation.no_detector_reason)})"
    else:
        yield f"- {KINDS[explanation.kind]}: {explanation.no_detector_reason}"
    lines = [
        ("reports", explanation.breach_summary if explanation.kind in ("detector", "restates") else ""),
        ("needs", ", ".join(explanation.needs)), ("only partly", explanation.partial_note), ("remedy", explanation.remedy),
        ("note", explanation.note), ("differs from", ", ".join(explanation.conflicts_with)), ("also covers", ", ".join(explanation.restated_by)),
        ("yields to", ", ".join(explanation.yields_to)),
    ]
    for word, text in lines:
        if text:
            yield f"- {word}: {' '.join(text.split())}"
    for key in rules.policy.list_decided_points(clause.id):
        ruled = rules.policy.get(key)
        assert ruled is not None  # noqa: S101 - `list_decided_points` names points the book decides
        yield f"- decides {POINTS[key].title} (`{key}`): {ruled.says or describe_policy_value(ruled.value)}"
    yield from case_lines(rules.name, clause.id, clause.entry.see)
    yield ""


def case_lines(name: str, clause: str, worked: list[str]) -> Iterator[str]:
    """Yield the line of a clause's case page, with the heading of each case, and of worked examples."""
    page = CASES / name / f"{clause}.md"
    if page.exists():
        titles = [title + answer for title, answer in case_outcomes(page.read_text("utf-8"))]
        yield f"- [cases](../../tests/cases/{name}/{clause}.md): {'; '.join(titles)}"
    existing_examples = [example for example in worked if (CASES / "worked" / f"{example}.md").exists()]
    if existing_examples:
        yield f"- worked examples: {', '.join(f'[{example}](../../tests/cases/worked/{example}.md)' for example in existing_examples)}"


def case_outcomes(text: str) -> Iterator[tuple[str, str]]:
    """Yield the heading of each case of a page, and what the marks of its lines mean: a violation, or not judged."""
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        marks = [mark for fence in FENCE.finditer(body) for mark in MARK.findall(fence[2])]
        has_finding = any(not marked_clause.startswith("?") for mark in marks for marked_clause in mark.replace(",", " ").split())
        yield title.strip(), " (breaks it)" if has_finding else " (not judged)" if marks else ""


def anchor(clause: str) -> str:
    """Return the anchor that Markdown gives a heading: `B8a.1` → `b8a1`."""
    return re.sub(r"[^a-z0-9-]", "", clause.lower())


def cell(text: str) -> str:
    """Return text that stays in its cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")
