"""Reads free notes: files that the strict grammar rejects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ledger.account import Account, Reject, TableAccount
from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.answers import AnsweredNotes, NotesAnswer, carry_answers, merge_answers
from ledger.formats.handscript.notes.blocks import Block
from ledger.formats.handscript.notes.headings import COIN_WORDS
from ledger.formats.handscript.notes.night import Night
from ledger.formats.handscript.parser import HandscriptReader
from ledger.formats.handscript.sections import SectionResult
from ledger.notation import Chunk
from ledger.people import People

NIGHT_MOST: Final = 200_000
"""Maximum bytes of a night."""
LINE_MOST: Final = 2_000
"""Maximum bytes of a line; people don't write longer ones."""
_WITNESS: Final = re.compile(
    rb"^[ \t]*(?:.*[ \t])?(?:witness|records)[ \t]+(?!(?:floor-form|dealer-notes)[ \t\r]*$)",
    re.MULTILINE | re.IGNORECASE,
)
"""A list of recorded facts, except the two profiles for people who take notes."""
_OTHER_VERSION: Final = re.compile(rb"^\s*handscript[ \t]+(?!1\s)", re.MULTILINE)
BLANKS_MOST: Final = 8
"""Longer runs of blanks are cut to this: patterns try each blank as the end of a word."""
_LONG_BLANK: Final = re.compile(rf"\s{{{BLANKS_MOST + 1},}}")
_LONG_NUMBER: Final = re.compile(r"\d{19}")
"""More digits than any number of a night has."""
_PLAIN_SIGNS: Final = {0: " ", 9: " ", 0x2019: "'", 0x2018: "'", 0x2013: "-", 0x2014: "-", 0xA0: " ", 0xA2: "c"}
"""Word-processor characters and their keyboard equivalents, one for one, so that columns stay."""
_CURRENCY_SIGNS: Final = {"$": "USD", "€": "EUR", "£": "GBP"}


def is_free(data: bytes) -> bool:
    """Whether a file may be free notes, not a program's output or a complete record."""
    if not is_of_a_night(data):
        return False
    if _WITNESS.search(data) or _OTHER_VERSION.search(data):
        return False
    return not _LONG_NUMBER.search(data.decode("utf-8", "replace"))


def is_of_a_night(data: bytes) -> bool:
    """Whether a file is no longer than a night, with lines as people write them."""
    return len(data) <= NIGHT_MOST and max(map(len, data.split(b"\n"))) <= LINE_MOST


def read_blocks(chunk: Chunk) -> list[Block]:
    """Read a file into hands and facts, each with its canonical lines or its questions."""
    note_lines = [_normalize_line(line) for line in merge_answers(chunk)[0]]
    text = "\n".join(line.text for line in note_lines)
    currency = next((unit for sign, unit in _CURRENCY_SIGNS.items() if sign in text), "")
    scale = (
        2
        if currency
        or re.search(r"(?<![\d.:])\d*\.\d{1,2}(?![\d.:k])|\b\d+\s?¢|\b\d{1,2}[cp]/\d|\bcents\b|\d\s?pence\b", text)
        else 0
    )
    if not scale and COIN_WORDS.search(text):
        scale = 2
    nights = [night for night in _split_nights(note_lines) if night]
    blocks: list[Block] = []
    for night_lines in nights:
        night = Night(night_lines, scale=scale, currency=currency)
        night_blocks = list(night.blocks())
        if len(night.proven_raises) == 1:  # raises mean the same all night
            (raise_means,) = night.proven_raises
            night = Night(night_lines, scale=scale, currency=currency, raise_means=raise_means)
            night_blocks = list(night.blocks())
        if night_blocks:
            night_blocks[-1].lines += night.trailing_lines
        elif night.trailing_lines:
            night_blocks = [Block("heading", night.trailing_lines)]
        blocks += night_blocks
    return blocks


def _split_nights(note_lines: list[ScriptLine]) -> Iterator[list[ScriptLine]]:
    """Yield the lines of each night: `handscript 1` starts one."""
    night: list[ScriptLine] = []
    for line in note_lines:
        if line.text.split(maxsplit=1)[:1] == ["handscript"] and any(
            earlier_line.text.strip() for earlier_line in night
        ):
            yield night
            night = []
        night.append(line)
    yield night


def _normalize_line(line: ScriptLine) -> ScriptLine:
    return line._replace(text=_LONG_BLANK.sub(" " * BLANKS_MOST, line.text.translate(_PLAIN_SIGNS)))


def read(chunk: Chunk, people: People) -> Iterator[SectionResult]:
    """Yield the hands and facts of a night, and a reject for each hand that needs an answer."""
    answers_start = merge_answers(chunk)[1]
    chunk_end = chunk.start + len(chunk.data)
    blocks = read_blocks(chunk)
    end = chunk.start
    for block in blocks:
        start, end = _find_span(block, answers_start, end)
        if block.problems:
            yield _build_question(block, start, end)
        elif block.canonical_lines:
            for outcome in _read_canonical(block, start, end, people):
                yield outcome if answers_start == chunk_end else _with_span(outcome, start, end)
        else:
            yield Reject(
                start,
                end - start,
                block.lines[0].number,
                "no-hands",
                "this file has no hand yet",
                "Begin one with: hand 1",
            )
    if answers_start < chunk_end:  # the answers are in the hands that they complete; their bytes are read
        yield TableAccount("", "", [], [], answers_start, chunk_end - answers_start)


def _find_span(block: Block, answers_start: int, previous_end: int) -> tuple[int, int]:
    """Return where a block's own lines begin and end; answers are outside of it, at the end of the file."""
    own_lines = [line for line in block.lines if line.start < answers_start]
    if not own_lines:
        return previous_end, previous_end
    return min(line.start for line in own_lines), max(line.start + line.length for line in own_lines)


def _with_span(outcome: SectionResult, start: int, end: int) -> SectionResult:
    """Return an account or a reject with this span; its events keep their places."""
    if isinstance(outcome, Account | TableAccount):
        shift = outcome.start - start
        outcome.places = [
            place + shift if index % 2 == 0 and outcome.places[index + 1] else place
            for index, place in enumerate(outcome.places)
        ]
    outcome.start, outcome.length = start, end - start
    return outcome


def _build_question(block: Block, start: int, end: int) -> Reject:
    """Return the reject with the questions about a block."""
    first_problem = block.problems[0]
    return Reject(
        start,
        end - start,
        first_problem.line,
        "question",
        f"line {first_problem.line}: {first_problem.reason}",
        first_problem.hint,
        tuple(notes_question.problem for notes_question in block.problems),
    )


def _read_canonical(block: Block, start: int, end: int, people: People) -> Iterator[SectionResult]:
    """Yield the accounts that the strict grammar reads from the canonical lines."""
    reader = HandscriptReader(people)
    for placed_entry in reader.read_sections(_place_canonical_lines(block, start, end)):
        yield placed_entry.told


def _place_canonical_lines(block: Block, start: int, end: int) -> Iterator[ScriptLine]:
    """Yield the canonical lines at the positions of their lines of notes."""
    number = block.lines[0].number
    for line_text in ("handscript 1", *block.header):
        yield ScriptLine(line_text, start, 0, number)
    if block.kind == "table":
        yield ScriptLine("between-hands", start, 0, number)
    last_line = block.lines[-1]
    for canonical_line in block.canonical_lines:
        line_text = canonical_line.text + " derived" * (
            canonical_line.derived and not canonical_line.text.startswith("hand ")
        )
        source_line = (
            last_line if canonical_line is block.canonical_lines[-1] and block.kind == "hand" else canonical_line.line
        )
        yield ScriptLine(line_text, source_line.start, source_line.length, canonical_line.line.number)
    if block.kind == "table":
        yield ScriptLine("end", end, 0, last_line.number)


def carry_to_mended(earlier: AnsweredNotes, notes: bytes, encoding: str) -> tuple[NotesAnswer, ...]:
    """Return the answers to an earlier state of a file that hold in it as it is now."""
    blocks = read_blocks(Chunk(earlier.notes, encoding=encoding))
    hands = [range(block.lines[0].number, block.lines[-1].number + 1) for block in blocks]
    return carry_answers(earlier, notes, hands)
