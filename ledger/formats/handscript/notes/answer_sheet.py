"""Finds the place of an answer in a night of notes: where the line can be read, and the question is settled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ledger.account import Problem
from ledger.formats.handscript.lines import ScriptLine, iterate_lines
from ledger.formats.handscript.notes.answers import NotesAnswer, append_answers, split_answers
from ledger.formats.handscript.notes.blocks import Block
from ledger.formats.handscript.notes.noted_hand import CanonicalLine
from ledger.formats.handscript.notes.questions import NotesQuestion
from ledger.formats.handscript.notes.reader import read_blocks
from ledger.formats.handscript.notes.statements import Ref, Statement
from ledger.notation import Chunk

_SEAT_LINE: Final = re.compile(r'seat (\d+) (?:"([^"]+)"|(\S+))')


class Question(NamedTuple):
    """What a night doesn't say. `hand`: the number of its hand, "" = a line above or between the hands."""

    problem: Problem
    line_text: str
    hand: str
    depends_on: int = 0  # the line whose answer settles it, 0 = its own


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
        """Return the sheet of a file that may have answers after it."""
        answered = split_answers(data, encoding)
        return cls(answered.notes, list(answered.answers), encoding)

    @property
    def data(self) -> bytes:
        """The notes with all answers."""
        return append_answers(self.notes, self.answers, self.encoding)

    def questions(self) -> list[Question]:
        """Return the questions that are open, in the order of the file."""
        return [
            Question(
                notes_question.problem,
                self._line_text(notes_question.line),
                block.number if block.kind == "hand" else "",
                notes_question.depends_on,
            )
            for block in self._read(self.answers)
            for notes_question in block.problems
        ]

    def hand_lines(self, hand: str) -> list[ScriptLine]:
        """Return the lines of a hand in the order in which they are read, answers in their places."""
        return [line for block in self._read(self.answers) if _is_hand(block, hand) for line in block.lines]

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
        replaced = self._line_text(answer.line)
        return f"{answer.text} (instead of: {replaced[answer.begin : answer.end or None].strip()})"

    def drop(self, hand: str) -> None:
        """Take the answers of a hand back."""
        hand_numbers = {line.number for line in self.hand_lines(hand)}
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

    # One answer

    def _candidates(self, question: Question, text: str) -> Iterator[NotesAnswer]:
        """Yield an answer in each place where it may belong: at the question's line, or where its hand begins.

        What is written on the line is left in its place if it can be.
        """
        line_number, block = question.problem.line, _find_block(self._read(self.answers), question.problem.line)
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
        whole_line = next(
            (line for line in iterate_lines(self._chunk(self.answers)) if line.number == line_number), None
        )
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
        problems = [notes_question for block in blocks for notes_question in block.problems]
        if objection := _find_objection(problems, question, answer_line):
            return _Reading(0, objection)
        if _count_hands(blocks) < _count_hands(blocks_before):
            return _Reading(0, "Another hand can't be read with that line")
        block = _find_block(blocks, answer_line)
        if block is None:
            return _Reading(0, question.problem.reason)
        if lost_text := self._find_lost_words(answer, _find_block(blocks_before, answer.line), block, answer_line):
            return _Reading(0, f"That leaves out {lost_text!r}. Write the whole line, with what is missing")
        if not question.hand:
            return _Reading(len(problems))
        block = next((block for block in blocks if _is_hand(block, question.hand)), block)
        lines_left = _count_lines_left(block)
        lines_before = _count_lines_left(_find_block(blocks_before, question.problem.line))
        return _Reading(lines_left, "" if lines_left <= lines_before else block.problems[0].reason)

    def _find_lost_words(
        self, answer: NotesAnswer, replaced_block: Block | None, block: Block, answer_line: int
    ) -> str:
        """Return the first words that an answer would replace and doesn't say itself; "" if it leaves out nothing read."""
        if answer.placement != "instead of" or replaced_block is None:
            return ""
        seat_by_name = _seat_by_name([*replaced_block.canonical_lines, *block.canonical_lines])
        typed_statements = [statement for statement in block.statements if statement.line.number == answer_line]
        players = _player_keys(typed_statements, seat_by_name)
        kinds = {statement.kind for statement in typed_statements}
        replaced_text = self._line_text(answer.line)[answer.begin : answer.end or None]
        for statement in replaced_block.statements:
            is_replaced = statement.line.number == answer.line and statement.text in replaced_text
            if not is_replaced or statement.kind in ("unread", "remark"):
                continue
            replaced_players = _player_keys([statement], seat_by_name)
            is_said_again = replaced_players <= players if replaced_players else statement.kind in kinds
            if not is_said_again:
                return statement.text
        return ""

    def _line_text(self, line_number: int) -> str:
        texts = {line.number: line.text for line in iterate_lines(self._chunk(self.answers))}
        return self._answer_text(line_number) or texts.get(line_number, "")

    # The night

    @property
    def _file_lines(self) -> int:
        return sum(1 for _ in iterate_lines(Chunk(self.notes, encoding=self.encoding)))

    def _answer_text(self, line_number: int) -> str:
        return self._answer(line_number).text if self.is_answer(line_number) else ""

    def _chunk(self, answers: Sequence[NotesAnswer]) -> Chunk:
        return Chunk(append_answers(self.notes, answers, self.encoding), encoding=self.encoding)

    def _read(self, answers: Sequence[NotesAnswer]) -> list[Block]:
        key = tuple(answers)
        if key != self._read_with:
            self._read_with, self._blocks = key, read_blocks(self._chunk(answers))
        return self._blocks


def _find_objection(problems: Sequence[NotesQuestion], question: Question, answer_line: int) -> str:
    """Return the question that an answer raises itself, or leaves open; "" if it answers what was asked."""
    refusal = next((notes_question for notes_question in problems if notes_question.line == answer_line), None)
    # The end of a hand is asked for at its last line, which may be an answer that was read well.
    if refusal is not None and not (refusal.asks_for_ending and _is_another_question(refusal, question.problem)):
        return refusal.reason
    is_answered = all(_is_another_question(notes_question, question.problem) for notes_question in problems)
    return "" if is_answered else question.problem.reason


class _Reading(NamedTuple):
    """A night read with an answer: the lines of the hand below its next question, -1 if it has none.

    Of an answer above or between the hands: the questions of the whole night.
    """

    lines_left: int
    reason: str = ""  # why the answer can't be read in this place


def _seat_by_name(canonical_lines: Sequence[CanonicalLine]) -> dict[str, str]:
    """Return the seats of the players of a hand by their names."""
    matches = [_SEAT_LINE.match(line.text) for line in canonical_lines]
    return {(match[2] or match[3]).lower(): match[1] for match in matches if match is not None}


def _player_key(ref: Ref, seat_by_name: dict[str, str]) -> str:
    return str(ref.seat) if ref.kind == "seat" else seat_by_name.get(ref.text.lower(), ref.text.lower())


def _player_keys(statements: Sequence[Statement], seat_by_name: dict[str, str]) -> set[str]:
    return {_player_key(ref, seat_by_name) for statement in statements for ref in statement.players}


def _is_hand(block: Block, number: str) -> bool:
    return block.kind == "hand" and block.number == number


def _find_block(blocks: Sequence[Block], line_number: int) -> Block | None:
    """Return the block in which a line is."""
    return next((block for block in blocks if any(line.number == line_number for line in block.lines)), None)


def _is_another_question(notes_question: NotesQuestion, earlier_problem: Problem) -> bool:
    return (notes_question.reason, notes_question.write) != (earlier_problem.reason, earlier_problem.write)


def _count_hands(blocks: Sequence[Block]) -> int:
    return sum(block.kind == "hand" and not block.problems for block in blocks)


def _count_lines_left(block: Block | None) -> int:
    if block is None or not block.problems:
        return -1
    numbers = [line.number for line in block.lines]
    return (
        len(numbers) - 1 - numbers.index(block.problems[0].line) if block.problems[0].line in numbers else len(numbers)
    )
