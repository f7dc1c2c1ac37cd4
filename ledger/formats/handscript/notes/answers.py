"""Answers to questions about notes: a section after the last line of the file that they complete.

The bytes of the file stay as they are, so that each place in them stays, too. The section begins with the length and
the SHA-256 of the file; below it, each line has an answer and its place:

    answers 1 to 812 bytes, sha256 5b2f…
    before line 14: 2 bets 20
    instead of line 16, characters 11-34: 4 bets 35
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final, Literal, NamedTuple

from ledger.formats.handscript.lines import ScriptLine, iterate_lines
from ledger.notation import Chunk

Placement = Literal["before", "after", "instead of"]
PLACEMENTS: Final[tuple[Placement, ...]] = ("before", "after", "instead of")

_FIRST_WORDS: Final = b"\nanswers 1 to "
_HEADING: Final = re.compile(rb"answers 1 to (\d{1,9}) bytes, sha256 ([0-9a-f]{64})\n")
_ANSWER: Final = re.compile(r"(before|after|instead of) line (\d{1,7})(?:, characters (\d{1,4})-(\d{1,4}))?: (.+)")
_SEPARATORS: Final = " \t,;."


class NotesAnswer(NamedTuple):
    """A line of the user and its place.

    `line` counts the lines of the file, and on into the section. `begin` and `end` cut the part of the line that the
    answer replaces, as a slice; 0 and 0 are the whole line.
    """

    placement: Placement
    line: int
    text: str
    begin: int = 0
    end: int = 0

    def write(self) -> str:
        """Return the line of the section."""
        part = f", characters {self.begin + 1}-{self.end}" if self.end else ""
        return f"{self.placement} line {self.line}{part}: {self.text}"


class SpanAnswers(NamedTuple):
    """The answers to the lines of a span of notes."""

    first_line: int  # of the span, 1 = first line of the file
    last_line: int
    section: bytes  # the heading and the answers, as they are behind the file


class AnsweredNotes(NamedTuple):
    """A file of notes and the answers after it."""

    notes: bytes
    answers: tuple[NotesAnswer, ...]


def append_answers(notes: bytes, answers: Sequence[NotesAnswer], encoding: str = "utf-8") -> bytes:
    """Return a file of notes with a section of answers after it; without answers, the file."""
    if not answers:
        return notes
    gap = b"" if notes.endswith(b"\n") else b"\n"
    heading = f"answers 1 to {len(notes)} bytes, sha256 {sha256(notes).hexdigest()}\n"
    answer_lines = "".join(f"{answer.write()}\n" for answer in answers)
    return notes + gap + (heading + answer_lines).encode(encoding)


def split_answers(data: bytes, encoding: str = "utf-8") -> AnsweredNotes:
    """Return a file of notes and its answers, none if it has no section of them."""
    heading = _HEADING.match(data, data.rfind(_FIRST_WORDS) + 1)
    if heading is None:
        return AnsweredNotes(data, ())
    notes = data[: int(heading[1])]
    gap = data[len(notes) : heading.start()]
    if gap not in (b"", b"\n") or sha256(notes).hexdigest().encode() != heading[2]:
        return AnsweredNotes(data, ())
    answers = _parse_answers(data[heading.end() :], encoding)
    return AnsweredNotes(notes, answers) if answers else AnsweredNotes(data, ())


def find_span_answers(data: bytes, start: int, length: int, encoding: str = "utf-8") -> SpanAnswers | None:
    """Return the answers to the lines of a span, and to those answers; None if there is none.

    The file's own bytes may be redacted, so their hash isn't checked.
    """
    heading = _HEADING.match(data, data.rfind(_FIRST_WORDS) + 1)
    if heading is None or data[int(heading[1]) : heading.start()] not in (b"", b"\n"):
        return None
    file_lines = data.count(b"\n", 0, heading.start())
    first_line = data.count(b"\n", 0, start) + 1
    last_line = first_line + data[start : start + length].rstrip(b"\n").count(b"\n")
    answered_lines = set(range(first_line, last_line + 1))
    rows: list[bytes] = []
    for number, row in enumerate(data[heading.end() :].splitlines(keepends=True), file_lines + 2):
        answer = _parse_answer(row.decode(encoding, "replace").rstrip("\n"))
        if answer is not None and answer.line in answered_lines:
            answered_lines.add(number)
            rows.append(row)
    return SpanAnswers(first_line, last_line, b"".join([heading[0], *rows])) if rows else None


def _parse_answers(section: bytes, encoding: str) -> tuple[NotesAnswer, ...]:
    """Return the answers of a section, none if one of its lines is no answer."""
    try:
        section_lines = section.decode(encoding).removesuffix("\n").split("\n")
    except UnicodeDecodeError:
        return ()
    answers = [_parse_answer(line) for line in section_lines]
    return tuple(answer for answer in answers if answer is not None and None not in answers)


def _parse_answer(line: str) -> NotesAnswer | None:
    match = _ANSWER.fullmatch(line)
    if match is None:
        return None
    placement = next(placement for placement in PLACEMENTS if placement == match[1])
    begin, end = int(match[3] or 1) - 1, int(match[4] or 0)
    return NotesAnswer(placement, int(match[2]), match[5], begin, end) if 0 <= begin <= end or not end else None


def merge_answers(chunk: Chunk) -> tuple[list[ScriptLine], int]:
    """Return the lines of a file in the order to read them, answers in their places, and where the section starts."""
    all_lines = list(iterate_lines(chunk))
    answered = split_answers(chunk.data, chunk.encoding)
    if not answered.answers:
        return all_lines, chunk.start + len(chunk.data)
    answer_count = len(answered.answers)
    note_lines, section_lines = all_lines[: -answer_count - 1], all_lines[-answer_count - 1 :]
    answer_lines = [
        _place_answer(line, answer, chunk.encoding)
        for line, answer in zip(section_lines[1:], answered.answers, strict=True)
    ]
    return _insert_answers(note_lines, answered.answers, answer_lines, chunk.encoding), section_lines[0].start


def _place_answer(section_line: ScriptLine, answer: NotesAnswer, encoding: str) -> ScriptLine:
    """Return an answer as a line of its own, with the place of its words."""
    length = len(answer.text.encode(encoding))
    return ScriptLine(answer.text, section_line.start + section_line.length - length, length, section_line.number)


def _insert_answers(
    note_lines: list[ScriptLine], answers: Iterable[NotesAnswer], answer_lines: Iterable[ScriptLine], encoding: str
) -> list[ScriptLine]:
    """Insert answers one after another; those after the same line keep their order."""
    merged, whole_lines = list(note_lines), {line.number: line for line in note_lines}
    last_after: dict[int, int] = {}  # line → the last answer after it
    for answer, line in zip(answers, answer_lines, strict=True):
        whole_lines[line.number] = line
        anchor = last_after.get(answer.line, answer.line) if answer.placement == "after" else answer.line
        indexes = [index for index, merged_line in enumerate(merged) if merged_line.number == anchor]
        if not indexes or anchor >= line.number:
            continue
        if answer.placement == "instead of":
            pieces = slice(indexes[0], indexes[-1] + 1)
            merged[pieces] = _replace_part(merged[pieces], answer, line, whole_lines[anchor], encoding)
        elif answer.placement == "after":
            merged.insert(indexes[-1] + 1, line)
            last_after[answer.line] = line.number
        else:
            merged.insert(indexes[0], line)
    return merged


def _replace_part(
    pieces: Sequence[ScriptLine], answer: NotesAnswer, answer_line: ScriptLine, whole_line: ScriptLine, encoding: str
) -> list[ScriptLine]:
    """Return the pieces of a line with an answer instead of the part that it replaces; columns stay."""
    if not answer.end:
        return [answer_line]
    replaced: list[ScriptLine] = []
    for piece in pieces:
        if piece.number != answer.line or not piece.text[answer.begin : answer.end].strip():
            replaced.append(piece)
            continue
        first_column = len(piece.text) - len(piece.text.lstrip())
        replaced += [
            *_cut(whole_line, first_column, answer.begin, encoding),
            answer_line,
            *_cut(whole_line, answer.end, len(piece.text), encoding),
        ]
    return replaced


def _cut(line: ScriptLine, begin: int, end: int, encoding: str) -> list[ScriptLine]:
    """Return a part of a line as a line of its own in the same columns, none if nothing is in it."""
    text = line.text[begin:end].rstrip(_SEPARATORS)
    if not text.strip(_SEPARATORS):
        return []
    begin += len(text) - len(text.lstrip(_SEPARATORS))
    text = text.lstrip(_SEPARATORS)
    offset = len(line.text[:begin].encode(encoding))
    return [ScriptLine(" " * begin + text, line.start + offset, len(text.encode(encoding)), line.number)]


def carry_answers(earlier: AnsweredNotes, notes: bytes, hands: Iterable[range]) -> tuple[NotesAnswer, ...]:
    """Return the answers that hold in a mended file, too: those in hands whose lines are the same there.

    `hands` has the lines of each hand in the earlier file; an answer's own line is in none of them.
    """
    earlier_lines, new_lines = earlier.notes.splitlines(), notes.splitlines()
    shifts = {
        number: shift
        for hand in hands
        if (shift := _find_shift(earlier_lines[hand.start - 1 : hand.stop - 1], hand.start, new_lines)) is not None
        for number in hand
    }
    new_numbers = {number: number + shift for number, shift in shifts.items()}
    carried: list[NotesAnswer] = []
    for number, answer in enumerate(earlier.answers, len(earlier_lines) + 2):
        if answer.line in new_numbers:
            carried.append(answer._replace(line=new_numbers[answer.line]))
            new_numbers[number] = len(new_lines) + 1 + len(carried)
    return tuple(carried)


def _find_shift(hand_lines: Sequence[bytes], first_number: int, new_lines: Sequence[bytes]) -> int | None:
    """Return by how many lines a hand has moved; None if it isn't there exactly once."""
    count = len(hand_lines)
    indexes = [
        index for index in range(len(new_lines) - count + 1) if list(new_lines[index : index + count]) == hand_lines
    ]
    return indexes[0] + 1 - first_number if len(indexes) == 1 and count else None
