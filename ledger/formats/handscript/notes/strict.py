"""Facts that only the strict grammar has: dealing errors, declarations, burns."""

from __future__ import annotations

from typing import Final

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.handscript import interpreter, tokens
from ledger.formats.handscript.context import Context
from ledger.formats.handscript.notes.noted_hand import NotedHand
from ledger.formats.handscript.notes.statements import Statement
from ledger.formats.handscript.phrasebook import BOOK
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.people import People
from ledger.presence import FloorCalled, FloorRuled

_MOVE_NO_CHIPS: Final = (
    d.CardBurned,
    d.CardExposed,
    d.CardReplaced,
    d.CardReturned,
    d.ExtraCardDealt,
    d.BoxedCardFound,
    d.JokerFound,
    d.WrongCountFound,
    d.ErrorNoticed,
    d.CardsViewed,
    d.DeckShuffled,
    d.DeckCut,
    b.Declared,
    b.ClockCalled,
    b.ClockExpired,
    b.TimeBankUsed,
    e.BoardPlayDeclared,
    e.ShowdownBegun,
    e.RemarkNoted,
    FloorCalled,
    FloorRuled,
)
"""Facts that change neither chips nor whose turn it is."""


def replay_lines(hand: NotedHand) -> Context | None:
    """Replay the lines so far; return the strict grammar's context, None if it can't read them."""
    context = Context(People(b""))
    try:
        for canonical_line in hand.canonical_lines:
            line_words, _ = tokens.split_words(canonical_line.text)
            BOOK.read(line_words, context)  # this updates the context
    except UnreadableHandError:
        return None
    return context


def take_strict_facts(hand: NotedHand, statement: Statement) -> bool:
    """Write a statement as the strict grammar reads it; return whether it is a fact that moves no chips."""
    context = replay_lines(hand)
    if context is None:
        return False
    try:
        events = _parse_events(statement.text, context)
    except UnreadableHandError:
        return False
    if not events or not all(isinstance(event, _MOVE_NO_CHIPS) for event in events):
        return False
    for event in events:
        hand.write(BOOK.format_line(event, context), statement.line)
    return True


def _parse_events(statement_text: str, context: Context) -> list[Event]:
    line_words = tokens.split_placed_words(statement_text.strip(" .;,"))[0]
    try:
        return [BOOK.read(line_words, context)]
    except UnreadableHandError:
        return list(interpreter.understand(line_words, context))
