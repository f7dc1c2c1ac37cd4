"""An audit in another language has no English words but those of clauses, names, source lines and commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from ledger.text.language import phrase, use_language
from tests.cli.conftest import Run
from tests.wording.catalogues import TRANSLATIONS, read_catalogue

_WORD = re.compile(r"(?<![\w.])[A-Za-zÀ-ỹ]{2,}(?![\w.])")
_CODE = re.compile(
    r"`[^`]*`|handledger .*|--[a-z-]+(?: json)?|sha256 \S+|\b(?:hilton|record) [\w.]+|^record\b|\{\w+\}|\S+/\d+",
    re.MULTILINE,
)
_SOURCE_LINE = re.compile(r" *\d+ \| |  --> ")
_CLAUSE_LINE = re.compile(r"  (?:hilton|record) \S+ +\d+ ")


def words_of(text: str) -> set[str]:
    """The words of a text, without commands, citations, options, fields and addresses of hands."""
    return {word.lower() for word in _WORD.findall(_CODE.sub(" ", text))}


def english_only_words(language: str) -> set[str]:
    """The words of English messages that no translation has. Loanwords such as "flop" aren't among them."""
    messages = [message for message in read_catalogue(language) if message.id]
    english = set[str]().union(*(words_of(" ".join(_forms(message.id))) for message in messages))
    return english.difference(*(words_of(" ".join(_forms(message.string))) for message in messages))


def _forms(text: str | Sequence[str] | None) -> Sequence[str]:
    return [text] if isinstance(text, str) else text or ()


def lines_in_language(printed: str, rule_label: str) -> Iterator[str]:
    """Yield what the program says: neither the text of clauses nor lines of a source."""
    is_clause = False
    for line in printed.splitlines():
        if not line.startswith("     "):
            is_clause = line.startswith(f"   = {rule_label} ")
        if not is_clause and not _SOURCE_LINE.match(line) and not _CLAUSE_LINE.match(line):
            yield line


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_an_audit_speaks_the_language(run: Run, sampled: Path, language: str) -> None:
    command = ("audit", "-r", "hilton", "--frames", "100", "--coverage", "--ledger", str(sampled))
    printed = run(*command, "--language", language).out
    with use_language(language):
        rule_label = phrase("rule")
    assert printed.count(f"   = {rule_label} ") > 10
    text = re.sub("`[^`]*`", "", "\n".join(lines_in_language(printed, rule_label)))
    english = english_only_words(language)
    faults = [f"{line}: {words}" for line in text.splitlines() if (words := words_of(line) & english)]
    assert not faults, "\n".join(faults)
