"""Reads lines as people jot them down in the middle of a hand that is on record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.handscript.correction_lines import read_behind
from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.blocks import Block
from ledger.formats.handscript.notes.night import Night
from ledger.formats.handscript.notes.noted_hand import CanonicalLine
from ledger.formats.handscript.tokens import LineError
from ledger.formats.handscript.writer import write_lines
from ledger.hand.events import HandEvent
from ledger.hand.opening import GameSet, HandOpened
from ledger.people import People

_ENDINGS: Final = frozenset(("win", "chop", "end", "misdeal"))
_NOT_PLAY: Final = frozenset(("remark", "fact", "hand", "level", "seats"))
_ENDS: Final = re.compile(r"^voided\b|^\d+ (?:uncalled|wins)\b")
_ACTS: Final = re.compile(r"^\d+ (?:checks|folds|calls)\b")


def read_notes_behind(texts: Sequence[str], before: Sequence[Event], people: People) -> list[HandEvent] | None:
    """Return the events that lines of notes add to a hand; None if notes can't say what the hand holds so far.

    A question about the lines raises `UnreadableHandError`.
    """
    game = next((event for event in before if isinstance(event, GameSet)), None)
    if game is None:
        return None
    opening, own_events = _split_opening(before)
    opening_lines = [*write_lines([game], people), "hand 1"]
    first_typed = len(opening_lines) + len(own_events) + 1
    night_lines = [*opening_lines, *write_lines(list(before), people)[len(opening) :], *texts]
    if before[: len(opening)] != opening:
        return None
    block = _read_hand(night_lines, game)
    if block is None or not _kinds(block, first_typed).isdisjoint(_NOT_PLAY):
        return None
    typed = _written_lines(block, first_typed)
    earlier = [line for line in block.canonical_lines if line.line.number < first_typed]
    if _read_earlier(earlier, opening, people) != own_events:
        return None
    _refuse_questions(block, first_typed)
    return read_behind([line.text for line in typed], before, people) if typed else None


def _split_opening(events: Sequence[Event]) -> tuple[Sequence[Event], list[Event]]:
    """Return the events that open the hand, and the others."""
    opening = [event for event in events if isinstance(event, HandOpened | GameSet)]
    return opening, [event for event in events if not isinstance(event, HandOpened | GameSet)]


def _read_hand(texts: Sequence[str], game: GameSet) -> Block | None:
    """Return the only hand of these lines."""
    lines = [ScriptLine(text, 0, len(text), number) for number, text in enumerate(texts, 1)]
    night = Night(lines, scale=game.exponent, currency="" if game.unit == "chips" else game.unit)
    blocks = [block for block in night.blocks() if block.kind == "hand"]
    return blocks[0] if len(blocks) == 1 else None


def _read_earlier(
    canonical_lines: Sequence[CanonicalLine], opening: Sequence[Event], people: People
) -> list[HandEvent] | None:
    """Return the events of the lines on record as notes have them; None if they can't be read."""
    try:
        return read_behind(_of_hand(canonical_lines), opening, people)
    except UnreadableHandError:
        return None


def _written_lines(block: Block, first_typed: int) -> list[CanonicalLine]:
    """Return the canonical lines of what was typed, without the end of the hand that follows from it.

    An act that nobody typed raises `UnreadableHandError`: a correction has no derived act.
    """
    typed_text = next((line.text for line in block.lines if line.number >= first_typed), "")
    kinds = _kinds(block, first_typed)
    canonical_lines: list[CanonicalLine] = []
    for line in block.canonical_lines:
        is_typed = line.line.number >= first_typed
        if not is_typed or line.text == "end" or (line.derived and not kinds & _ENDINGS and _ENDS.search(line.text)):
            continue
        if line.derived and _ACTS.search(line.text):
            raise LineError(
                f"Seat {line.text.split()[0]} acts before that. Write it, too, as in: {line.text}; {typed_text}"
            )
        canonical_lines.append(line)
    return canonical_lines


def _kinds(block: Block, first_typed: int) -> set[str]:
    """Return the kinds of the typed statements."""
    return {statement.kind for statement in block.statements if statement.line.number >= first_typed}


def _of_hand(canonical_lines: Sequence[CanonicalLine]) -> list[str]:
    texts = [line.text for line in canonical_lines]
    return [text for text in texts if text.split(maxsplit=1)[0] not in ("hand", "game")]


def _refuse_questions(block: Block, first_typed: int) -> None:
    """Raise the first question about a typed line; what happens next is on record."""
    for question in block.problems:
        if question.line >= first_typed and not question.asks_for_ending:
            error = LineError(question.reason, hint=question.hint)
            error.write = question.write
            raise error
