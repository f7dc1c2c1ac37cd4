"""Ask for missing lines of a night of notes before the import stores it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from cli.output import console
from cli.output.notes_page import ANSWER, format_page, format_question
from ledger import formats, safe
from ledger.formats.handscript import FORMAT, NIGHT_MOST, AnswerSheet
from ledger.intake.accounts import Editions
from ledger.intake.answered import add_stored_answers
from ledger.intake.encoding import HEAD_BYTES, Utf8Check, convert_to_utf8, detect_encoding, is_binary
from ledger.intake.files import find_sources
from ledger.intake.source_format import is_notes
from ledger.people import People
from projections.reports.notes_lines import NoteLine, NoteQuestion, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.formats.handscript import Question
    from ledger.intake.files import IncomingSource
    from ledger.store import Ledger

_MAX_ANSWER: Final = 300
"""Characters of an answer."""
_STOP: Final = ("q", "quit")
_UNDO: Final = "u"
_NO: Final = ("n", "no")


def ask_questions(ledger: Ledger, paths: Sequence[str], input_format: str | None) -> dict[str, bytes]:
    """Ask the questions of all notes that `paths` name; return the notes with their answers, by SHA-256 of the file."""
    editions, completed_files = Editions(ledger), dict[str, bytes]()
    for source in find_sources(paths):
        notes, encoding = _read_notes(source, input_format)
        if not notes:
            continue
        keys = {ledger.people.source(source.origin)}
        sheet = AnswerSheet.of_file(add_stored_answers(ledger, editions, keys, notes, encoding), encoding)
        go_on = _Dialog(source.name, sheet).run() if _has_questions(sheet) else True
        if sheet.answers:
            completed_files[sha256(notes).hexdigest()] = sheet.data
        if not go_on:
            break
    return completed_files


def _read_notes(source: IncomingSource, input_format: str | None) -> tuple[bytes, str]:
    """Return the bytes and the encoding of a source that may be notes; b"" and "" for other sources."""
    if source.problem or source.opens_once or not source.origin:
        return b"", ""
    with source.open() as stream:
        data = stream.read(NIGHT_MOST + 1)
    head = data[:HEAD_BYTES]
    encoding = detect_encoding(head)
    if len(data) > NIGHT_MOST or is_binary(head) or encoding != "utf-8":
        return b"", ""
    check = Utf8Check()
    check.add_bytes(data)
    form = formats.get(input_format) if input_format else formats.recognise(convert_to_utf8(head, encoding))
    if form is FORMAT or (form is None and is_notes(data, check.decide_encoding())):
        return data, check.decide_encoding()
    return b"", ""


def _has_questions(sheet: AnswerSheet) -> bool:
    """Whether the text is read as free notes and leaves a question open."""
    lines = read_lines(sheet.data, People(bytes(32)), sheet.encoding)
    return any(line.questions for line in lines) and bool(sheet.questions())


class _Dialog:
    """Asks the questions of one file."""

    def __init__(self, name: str, sheet: AnswerSheet) -> None:
        self._name = safe.tail(safe.terminal(name), 60)
        self._sheet = sheet
        self._earlier_count = len(sheet.answers)
        self._skipped: set[str | int] = set()  # numbers of skipped hands, and of lines without a hand

    def run(self) -> bool:
        """Ask question after question; return whether to go on with the next file."""
        count = len(self._sheet.questions())
        _print_line(f"{self._name}: {count:,} question{'s' * (count != 1)}. Type the line that is missing.")
        _print_line("Enter skips the hand for now. u takes back your last line. q stops asking.")
        _print_line("# marks the unread line as a comment.")
        while (question := self._find_question()) is not None:
            self._earlier_count = min(self._earlier_count, len(self._sheet.answers))
            _print_line("")
            for row in self._format_question(question):
                _print_line(row)
            try:
                is_answered = self._take_answer(question)
            except EOFError:
                self._drop_open_hands()
                return False
            if is_answered and question.hand and not self._is_open(question.hand):
                self._confirm_hand(question)
        return True

    def _find_question(self) -> Question | None:
        """Return the first question of a hand that isn't skipped."""
        for question in self._sheet.questions():
            if question.depends_on in self._skipped:
                self._skip(question)
            if self._skipped.isdisjoint((question.hand or question.problem.line, question.problem.line)):
                return question
        return None

    def _skip(self, question: Question) -> None:
        """Skip a hand, and drop the answers to it: nobody has seen how it would be read."""
        self._skipped |= {question.hand or question.problem.line, question.problem.line}
        if question.hand:
            self._sheet.drop(question.hand)

    def _undo(self) -> None:
        """Take back the last answer of this dialog, if there is one."""
        if len(self._sheet.answers) > self._earlier_count:
            _print_line(f"  taken back: {safe.terminal(self._sheet.answers.pop().text, 120)}")
        else:
            _print_line("  There is no line of yours to take back.")

    def _drop_open_hands(self) -> None:
        for hand in {question.hand for question in self._sheet.questions() if question.hand}:
            self._sheet.drop(hand)

    def _is_open(self, hand: str) -> bool:
        return any(question.hand == hand for question in self._sheet.questions())

    def _format_question(self, question: Question) -> Iterator[str]:
        problem = question.problem
        place = ANSWER if self._sheet.is_answer(problem.line) else str(problem.line)
        yield f"{self._name}:{place}  {safe.terminal(question.line_text.strip(), 120)}"
        question_asked = NoteQuestion(problem.reason, problem.write, problem.hint)
        yield from format_question(question_asked, "  ", console.find_width() - 1)

    def _take_answer(self, question: Question) -> bool:
        """Ask until an answer can be read; return False if the hand is skipped."""
        while True:
            text = _read_answer("> ")
            if text in _STOP:
                raise EOFError
            if not text:
                self._skip(question)
                return False
            if text == _UNDO:
                self._undo()
                return False
            reason = self._refuse(text) or self._sheet.take(question, text)
            if not reason:
                return True
            _print_line(f"  {console.paint('✗', 'red')} {safe.terminal(reason, 200)}")

    def _refuse(self, text: str) -> str:
        if not text.isprintable():
            return "That line has characters that can't be printed"
        return f"That line is longer than {_MAX_ANSWER} characters" if len(text) > _MAX_ANSWER else ""

    def _confirm_hand(self, question: Question) -> None:
        """Show how the hand is read, and ask whether it's right."""
        title = f"hand {safe.terminal(question.hand, 24)}"
        _print_line(f"\n{title.capitalize()} now reads ({ANSWER} is your answer, * follows from the game):\n")
        answer_lines, page = self._list_hand_lines(question.hand)
        for row in format_page(page, answer_lines):
            _print_line(row)
        _print_line("")
        try:
            text = _read_answer(f"Store {title}? Enter = yes, n = not now > ")
        except EOFError:
            text = "n"
        if text.lower() in _NO:
            self._skip(question)

    def _list_hand_lines(self, hand: str) -> tuple[frozenset[int], list[NoteLine]]:
        """Return the numbers of a hand's lines that are answers, and all its lines in reading order."""
        sheet = self._sheet
        by_number = {line.line: line for line in read_lines(sheet.data, People(bytes(32)), sheet.encoding)}
        numbers = list(dict.fromkeys(line.number for line in sheet.hand_lines(hand)))
        page = [by_number[number] for number in numbers if number in by_number]
        answer_lines = frozenset(number for number in numbers if sheet.is_answer(number))
        for line in page:
            if line.line in answer_lines:
                line.text = sheet.describe_answer(line.line)
        return answer_lines, page


def _print_line(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _read_answer(text: str) -> str:
    """Return a typed line, stripped; `EOFError` at the end of input."""
    sys.stdout.write(text)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        _print_line("")
        raise EOFError
    return line.strip()
