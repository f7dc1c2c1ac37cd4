"""Measure how well a page of documentation reads: sentences over 25 words, and turns of phrase that read as translated."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

WORDS_MOST = 25
TURNS_MOST = 1.0  # in 1,000 words
TURNS_ON_A_SHORT_PAGE = 1  # a page of a few hundred words may have one turn

FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
NOT_PROSE = re.compile(r"^ *(?:[|#<!]|\[[^\]]+\]: ).*$", re.MULTILINE)  # tables, headings, HTML, pictures, link targets
ITEM = re.compile(r"^ *(?:[-*+]|\d+\.) +", re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
EMPHASIS = re.compile(r"[*_>]")
BLOCK = re.compile(r"\n\s*\n")
SENTENCE_END = re.compile(r"(?<=[.!?:;])[\"')]*\s+")
WORDS_LEAST = 3  # of a sentence; fewer are a label


@dataclass(frozen=True)
class Turn:
    """A turn of phrase that no page should have, and how to write it instead."""

    pattern: re.Pattern[str]
    better: str


@dataclass(frozen=True)
class Prose:
    """What was measured on one page."""

    words: int
    long_sentences: tuple[str, ...]
    turns: tuple[tuple[str, str], ...]
    """Each turn with some words around it, and the better form."""

    @property
    def turns_most(self) -> int:
        """The turns that a page of this length may have."""
        return max(TURNS_ON_A_SHORT_PAGE, int(self.words * TURNS_MOST / 1000))

    @property
    def is_done(self) -> bool:
        return not self.long_sentences and len(self.turns) <= self.turns_most


def split_sentences(page: str) -> list[str]:
    """Return the sentences of a page in Markdown, without code, tables and headings."""
    for pattern in (FENCE, COMMENT, NOT_PROSE):
        page = pattern.sub("\n", page)
    blocks = BLOCK.split(ITEM.sub("\n\n", page))
    return [
        sentence
        for block in blocks
        for sentence in SENTENCE_END.split(_plain_text(block))
        if len(sentence.split()) >= WORDS_LEAST
    ]


def _plain_text(block: str) -> str:
    """Return a paragraph without its marks, each piece of code as one word."""
    return " ".join(EMPHASIS.sub("", CODE.sub("it", LINK.sub(r"\1", block))).split())


def measure(page: str, turns: Sequence[Turn]) -> Prose:
    """Measure one page."""
    sentences = split_sentences(page)
    return Prose(
        words=sum(len(sentence.split()) for sentence in sentences),
        long_sentences=tuple(sentence for sentence in sentences if len(sentence.split()) > WORDS_MOST),
        turns=tuple(
            (sentence[max(0, match.start() - 30) : match.end() + 30], turn.better)
            for sentence in sentences
            for turn in turns
            for match in turn.pattern.finditer(sentence)
        ),
    )
