"""Finds the place of an answer in a night of notes: where the line can be read, and the question is settled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ledger.account import Problem
from ledger.formats.handscript.lines import Line, lines
from ledger.formats.handscript.notes.answers import NotesAnswer, append_answers, split_answers
from ledger.formats.handscript.notes.blocks import Block
from ledger.formats.handscript.notes.reader import read_blocks
from ledger.notation import Chunk

_HAND_IS_OPEN: Final = re.compile(r"Hand \S+: (?:what happened next|who won)")
"""A question about the end of a hand: its line is the last one, which may be an answer that was read well."""
_DEPENDS_ON: Final = re.compile(r"\bline (\d+) isn't read")
"""A question that another line's answer settles."""


class Question(NamedTuple):
    """What a night doesn't say. `hand_line`: the first line of its hand in the file; it identifies the hand."""

    problem: Problem
    line_text: str
    hand_line: int
    hand_number: str  # "" = facts between hands


@dataclass(slots=True)
class AnswerSheet:
    """A night of notes and the answers to its questions so far."""

    notes: bytes
    answers: list[NotesAnswer] = field(default_factory=list)
    encoding: str = "utf-8"
    _read_with: tuple[NotesAnswer, ...] | None = None
    _blocks: list[Block] = field(default_factory=list)

    @classmethod
    def of_file(cls, data: bytes, encoding: str) -> AnswerSheet:
        """Return the sheet of a file that may have answers behind it."""
        answered = split_answers(data, encoding)
        return cls(answered.notes, list(answered.answers), encoding)

    @property
    def data(self) -> bytes:
        """The notes with all answers."""
        return append_answers(self.notes, self.answers, self.encoding)

    def questions(self) -> list[Question]:
        """Return the questions that are open, in the order of the file."""
        texts = {line.number: line.text for line in lines(self._chunk(self.answers))}
        return [
            Question(
                problem,
                self._answer_text(problem.line) or texts.get(problem.line, ""),
                self._hand_line(block),
                block.number,
            )
            for block in self._read(self.answers)
            for problem in block.problems
        ]

    def hand_lines(self, hand_line: int) -> list[Line]:
        """Return the lines of a hand in the order in which they are read, answers in their places."""
        block = self._find_block(self._read(self.answers), hand_line)
        return [] if block is None else block.lines

    def take(self, question: Question, text: str) -> str:
        """Write an answer where it can be read; return why it can't, "" if it can."""
        reason, best = "", None
        for answer in self._candidates(question, text):
            reading = self._weigh(question, answer)
            reason = reason or reading.reason
            if not reading.reason and (best is None or reading.lines_left < best[0]):
                best = reading.lines_left, answer
            if best is not None and best[0] < 0:
                break
        if best is None:
            return reason or question.problem.reason
        self.answers.append(best[1])
        return ""

    def is_answer(self, line_number: int) -> bool:
        """Whether a line is one of the answers."""
        return line_number > self._file_lines

    def describe_answer(self, line_number: int) -> str:
        """Return an answer with what it replaces."""
        answer = self._answer(line_number)
        if answer.placement != "instead of":
            return answer.text
        texts = {line.number: line.text for line in lines(self._chunk(self.answers))}
        replaced = self._answer(answer.line).text if self.is_answer(answer.line) else texts.get(answer.line, "")
        return f"{answer.text} (instead of: {replaced[answer.begin : answer.end or None].strip()})"

    def drop(self, hand_line: int) -> None:
        """Take the answers of a hand back."""
        hand_numbers = {line.number for line in self.hand_lines(hand_line)}
        first_answer = self._file_lines + 2
        dropped = {number for number in hand_numbers if self.is_answer(number)}
        for number, answer in enumerate(self.answers, first_answer):  # one that another answer replaced
            if answer.line in hand_numbers or answer.line in dropped:
                dropped.add(number)
        kept = [number for number in range(first_answer, first_answer + len(self.answers)) if number not in dropped]
        new_numbers = {number: index for index, number in enumerate(kept, first_answer)}
        answers = [self._answer(number) for number in kept]
        self.answers = [answer._replace(line=new_numbers.get(answer.line, answer.line)) for answer in answers]

    def _answer(self, line_number: int) -> NotesAnswer:
        return self.answers[line_number - self._file_lines - 2]

    def depends_on(self, question: Question) -> int:
        """Return the line whose answer settles a question, 0 if it's the question's own."""
        match = _DEPENDS_ON.search(question.problem.reason)
        return int(match[1]) if match else 0

    # One answer

    def _candidates(self, question: Question, text: str) -> Iterator[NotesAnswer]:
        """Yield an answer in each place where it may belong: at the question's line, or where its hand begins.

        What is written on the line is left in its place if it can be.
        """
        line_number, block = question.problem.line, self._find_block(self._read(self.answers), question.hand_line)
        yield NotesAnswer("before", line_number, text)
        yield NotesAnswer("after", line_number, text)
        if block is not None:
            for begin, end in self._find_parts(block, line_number):
                yield NotesAnswer("instead of", line_number, text, begin, end)
        yield NotesAnswer("instead of", line_number, text)
        if block is not None and block.statements:
            yield NotesAnswer("before", block.statements[0].line.number, text)
            yield NotesAnswer("after", block.statements[0].line.number, text)

    def _find_parts(self, block: Block, line_number: int) -> Iterator[tuple[int, int]]:
        """Yield where the statements of a line begin and end, if it has several."""
        whole_line = next((line for line in lines(self._chunk(self.answers)) if line.number == line_number), None)
        if whole_line is None or self.is_answer(line_number):
            return
        column = 0
        for text in dict.fromkeys(fact.text for fact in block.statements if fact.line.number == line_number):
            begin = whole_line.text.find(text, column)
            if text and begin >= 0 and text != whole_line.text.strip():
                column = begin + len(text)
                yield begin, column

    def _weigh(self, question: Question, answer: NotesAnswer) -> _Reading:
        """Read the night with an answer."""
        answers, blocks_before = [*self.answers, answer], self._read(self.answers)
        answer_line = self._file_lines + 1 + len(answers)
        blocks = read_blocks(self._chunk(answers))
        problems = [problem for block in blocks for problem in block.problems]
        refusal = next((problem for problem in problems if problem.line == answer_line), None)
        if refusal is not None and not (_HAND_IS_OPEN.match(refusal.reason) and _is_other(refusal, question.problem)):
            return _Reading(0, refusal.reason)
        if not all(_is_other(problem, question.problem) for problem in problems):
            return _Reading(0, question.problem.reason)
        if _count_hands(blocks) < _count_hands(blocks_before):
            return _Reading(0, "Another hand can't be read with that line")
        block = self._find_block(blocks, question.hand_line)
        if block is None or not any(answer_line == line.number for block in blocks for line in block.lines):
            return _Reading(0, question.problem.reason)
        lines_left = _count_lines_left(block)
        is_further = lines_left <= _count_lines_left(self._find_block(blocks_before, question.hand_line))
        return _Reading(lines_left, "" if is_further else block.problems[0].reason)

    # The night

    @property
    def _file_lines(self) -> int:
        return sum(1 for _ in lines(Chunk(self.notes, encoding=self.encoding)))

    def _answer_text(self, line_number: int) -> str:
        return self._answer(line_number).text if self.is_answer(line_number) else ""

    def _chunk(self, answers: Sequence[NotesAnswer]) -> Chunk:
        return Chunk(append_answers(self.notes, answers, self.encoding), encoding=self.encoding)

    def _read(self, answers: Sequence[NotesAnswer]) -> list[Block]:
        key = tuple(answers)
        if key != self._read_with:
            self._read_with, self._blocks = key, read_blocks(self._chunk(answers))
        return self._blocks

    def _find_block(self, blocks: Sequence[Block], hand_line: int) -> Block | None:
        return next((block for block in blocks if self._hand_line(block) == hand_line), None)

    def _hand_line(self, block: Block) -> int:
        """Return the first line of a block in the file, of answers alone the first of these."""
        numbers = [line.number for line in block.lines]
        return min((number for number in numbers if not self.is_answer(number)), default=numbers[0])


class _Reading(NamedTuple):
    """A night read with an answer: the lines of the hand below its next question, -1 if it has none."""

    lines_left: int
    reason: str = ""  # why the answer can't be read in this place


def _is_other(problem: Problem, earlier: Problem) -> bool:
    return (problem.reason, problem.write) != (earlier.reason, earlier.write)


def _count_hands(blocks: Sequence[Block]) -> int:
    return sum(block.kind == "hand" and not block.problems for block in blocks)


def _count_lines_left(block: Block | None) -> int:
    if block is None or not block.problems:
        return -1
    numbers = [line.number for line in block.lines]
    return (
        len(numbers) - 1 - numbers.index(block.problems[0].line) if block.problems[0].line in numbers else len(numbers)
    )
