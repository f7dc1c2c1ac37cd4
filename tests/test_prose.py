"""Our pages read like a native speaker's: few turns that read as translated, no sentence over 25 words.

`prose.toml` has the banned turns with a better form each, and ceilings for pages still to do. `--regen` lowers the
ceilings to what was reached; it never raises one.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT
from tests.prose import WORDS_MOST, Prose, Turn, measure, split_sentences

if TYPE_CHECKING:
    from pathlib import Path

TABLE = ROOT / "tests" / "prose.toml"
CHANGE_MOST = 160  # characters of a line of the changelog
GENERATED = ("docs/rules/", "docs/vocabulary.md", "docs/cli.md")  # of sentences in the code, the books and case pages


@cache
def banned_turns() -> tuple[Turn, ...]:
    rows = tomllib.loads(TABLE.read_text("utf-8"))["turn"]
    return tuple(Turn(re.compile(row["pattern"], re.IGNORECASE), row["better"]) for row in rows)


def ceilings() -> dict[str, dict[str, int]]:
    table: dict[str, dict[str, int]] = tomllib.loads(TABLE.read_text("utf-8"))["to_do"]
    return table


def pages() -> dict[str, Path]:
    files = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    pages_by_name = {str(file.relative_to(ROOT)): file for file in sorted(files)}
    return {name: file for name, file in pages_by_name.items() if not name.startswith(GENERATED)}


def describe(prose: Prose, *, count: int = 5) -> str:
    turns = [f"…{words}… ({better})" for words, better in prose.turns[:count]]
    sentences = [f"over {WORDS_MOST} words: {sentence}" for sentence in prose.long_sentences[:count]]
    return "\n  ".join(["", *turns, *sentences])


def check_page(name: str, prose: Prose, ceiling: dict[str, int] | None) -> str:
    """Return what is wrong with a page, or nothing."""
    turns, long_sentences = len(prose.turns), len(prose.long_sentences)
    figures = f"{name}: {turns} translated turns in {prose.words} words, {long_sentences} sentences over {WORDS_MOST}"
    if ceiling is None:
        return "" if prose.is_done else f"{figures}. Rewrite:{describe(prose)}"
    if prose.is_done:
        return f"{figures}: it is done. Lower the ceilings: pytest tests/test_prose.py --regen"
    if turns > ceiling["turns"] or long_sentences > ceiling["long"]:
        return f"{figures}, at most {ceiling['turns']} and {ceiling['long']}. Rewrite:{describe(prose)}"
    return ""


def lower_ceilings(measured: dict[str, Prose], table: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    """Return the ceilings brought down to what was reached. A page that got worse keeps its ceiling, and fails."""
    return {
        name: {
            "turns": min(ceiling["turns"], len(measured[name].turns)),
            "long": min(ceiling["long"], len(measured[name].long_sentences)),
        }
        for name, ceiling in table.items()
        if name in measured and not measured[name].is_done
    }


def write_ceilings(table: dict[str, dict[str, int]]) -> None:
    head = TABLE.read_text("utf-8").partition("[to_do]\n")[0]
    rows = [f'"{name}" = {{ turns = {limits["turns"]}, long = {limits["long"]} }}\n' for name, limits in table.items()]
    TABLE.write_text(head + "[to_do]\n" + "".join(rows), "utf-8")


def test_pages_read_like_a_native_speakers(regen: bool) -> None:
    table = ceilings()
    measured = {name: measure(file.read_text("utf-8"), banned_turns()) for name, file in pages().items()}
    if regen:
        table = lower_ceilings(measured, table)
        write_ceilings(table)
    problems = [check_page(name, prose, table.get(name)) for name, prose in measured.items()]
    problems += [f"{name}: no such page" for name in table if name not in measured]
    problems = [problem for problem in problems if problem]
    assert not problems, "\n".join(problems)


def test_the_changelog_has_one_line_for_each_change() -> None:
    problems = []
    for number, line in enumerate((ROOT / "CHANGELOG.md").read_text("utf-8").splitlines(), 1):
        if line.startswith("### ") and line[4:] not in ("Added", "Changed", "Fixed"):
            problems.append(f"{number}: a heading is Added, Changed or Fixed")
        if line.startswith("  "):
            problems.append(f"{number}: a change has one line")
        if len(line) > CHANGE_MOST:
            problems.append(f"{number}: {len(line)} characters, at most {CHANGE_MOST}")
    assert not problems, "CHANGELOG.md " + ", ".join(problems)


@pytest.mark.parametrize(
    ("sentence", "turns"),
    [
        ("The hand of which the record tells nothing.", 1),
        ("Whoever keeps the key signs.", 1),
        ("The seat whom the dealer skipped.", 1),
        ("The time is told by the source.", 1),
        ("The file stands in the folder beside it.", 2),
        ("There is no finding.", 1),
        ("The list is no longer read twice.", 0),
        ("The file contains two hands. The dealer skipped seat 3.", 0),
        ("Sort `of which` by name.", 0),
    ],
)
def test_a_translated_turn_is_found(sentence: str, turns: int) -> None:
    assert len(measure(sentence, banned_turns()).turns) == turns


def test_no_two_turns_match_the_same_words() -> None:
    for words in ("of which", "by whom", "whom", "whoever", "of what", "stands in", "is said", "says of", "beside it"):
        assert len(measure(f"This is a try {words} here.", banned_turns()).turns) == 1, words


def test_code_tables_and_headings_are_not_prose() -> None:
    page = (
        "# A heading of which nothing counts\n\nOne sentence of words, with `code of which` and [a link](to/which.md).\n"
        "\n```\ncode of which nothing counts\n```\n\n| a table | of which nothing counts |\n|---|---|\n"
        "\n- an item of a list\n- another item of it\n"
    )
    assert split_sentences(page) == [
        "One sentence of words, with it and a link.",
        "an item of a list",
        "another item of it",
    ]


def test_a_sentence_over_25_words_is_found() -> None:
    longest = " ".join(["word"] * WORDS_MOST) + "."
    assert measure(longest, ()).is_done
    assert measure(f"A {longest}", ()).long_sentences == (f"A {longest}",)


def test_ceilings_only_shrink() -> None:
    bad = measure("Whoever reads of which nobody tells of whom. " * 3, banned_turns())
    better = measure("Whoever reads this. Whoever writes this.", banned_turns())
    prose = measure("The dealer reads this.", banned_turns())
    table = {name: {"turns": 4, "long": 1} for name in ("bad.md", "better.md", "done.md", "gone.md")}
    lowered = lower_ceilings({"bad.md": bad, "better.md": better, "done.md": prose}, table)
    assert lowered == {"bad.md": {"turns": 4, "long": 0}, "better.md": {"turns": 2, "long": 0}}
    assert "at most 4 and 0" in check_page("bad.md", bad, lowered["bad.md"])
    assert "it is done" in check_page("done.md", prose, table["done.md"])
    assert check_page("better.md", better, lowered["better.md"]) == ""
    assert "Rewrite" in check_page("new.md", bad, None)
