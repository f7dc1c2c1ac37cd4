"""Lines without players: acts in turn such as `pre: f, r20, c, f`, a lone card, a lone pot."""

from __future__ import annotations

from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.cursor import TokenCursor, index_phrases
from ledger.formats.handscript.notes.statements import NotedAmount, Statement
from ledger.formats.handscript.notes.table_words import VERBS
from ledger.formats.handscript.notes.tokenizer import SIZED_ACT, parse_figure, tokenize

_MAX_STEPS: Final = 60
"""More acts than a betting round has."""


def parse_sequence(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse a whole line of acts in turn, without players: `f, r20, c`."""
    statements: list[Statement] = []
    while not cursor.at_end and len(statements) <= _MAX_STEPS:
        statement = _parse_step(cursor, note_line)
        if statement is None or not (cursor.is_at_separator() and cursor.peek_lower() not in ("(", "and")):
            return []
        statements.append(statement)
        cursor.skip(",", "/", "-")
        if cursor.peek_lower() == "." and cursor.peek(1) is None:
            cursor.position += 1
    if len(statements) < 2 or not cursor.at_end:
        return []
    statements[-1].ends_round = True  # the betting round is over
    return statements


def _parse_step(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    """Parse one act of a sequence."""
    first_word, amount = cursor.peek_lower(), cursor.take_amount()
    if amount is not None:
        return Statement("next", note_line, verb="bare", amount=amount, qualifier="run")
    verb, amount = take_verb(cursor)
    if verb not in ("fold", "check", "call", "bet", "raise", "all-in"):
        return None
    amount = amount or (cursor.take_amount() if verb in ("call", "bet", "raise", "all-in") else None)
    statement = Statement("next", note_line, verb=verb, amount=amount, qualifier="run", all_in=verb == "all-in")
    statement.cards = "to" if verb == "raise" and first_word[:1] == "r" and first_word[:2] != "ra" else ""
    return statement


def take_verb(cursor: TokenCursor) -> tuple[str, NotedAmount | None]:
    """Take a verb and the amount attached to it: `r12`, `b25`."""
    sized_match = SIZED_ACT.fullmatch(cursor.peek_lower())
    if sized_match is not None:
        cursor.position += 1
        (amount_token,) = tokenize(sized_match[2])
        return VERBS[sized_match[1]], parse_figure(amount_token)
    verb = VERBS.get(cursor.peek_lower(), "")
    cursor.position += bool(verb)
    return verb, None


def parse_lone_card(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse the turn or river from a card alone at the start of a line: `4h (5.8k): Kit bets`."""
    cards = cursor.take_cards(2)
    if not cards:
        return []
    pot_amount = cursor.take_amount() if cursor.peek_lower() == "(" else None
    if not (cursor.is_at_separator() or pot_amount) or cursor.peek_lower() in ("/", "and"):
        return []
    statements = [Statement("board", note_line, verb="next", cards=card) for card in cards]
    statements[0].amount = pot_amount
    statements[-1].count = len(cards)
    return statements


_POT_WORDS: Final = ("pot", "main", "side")
_IN_THE_POT: Final = index_phrases((("in", "the", "pot"), ("in", "pot"), ("pot",)))


def parse_lone_pot(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse a pot size: `(40)`, `77.`, `21 in the pot`, `main is 182`."""
    pot_word = _take_pot_name(cursor)
    amount = cursor.take_amount()
    if amount is None:
        return []
    is_in_brackets = cursor.peek_lower(-1) == ")"
    has_pot_suffix = cursor.take_phrase(_IN_THE_POT)
    if (
        not cursor.is_at_separator()
        or cursor.peek_lower() in ("and", "-", "/")
        or (cursor.peek_lower() == ":" and not pot_word)
    ):
        return []
    ends_here = cursor.at_end or cursor.peek_lower() in (")", ".")
    if not (pot_word or has_pot_suffix or is_in_brackets or ends_here):
        return []
    pot_kind = pot_word if pot_word in ("main", "side") else ""
    return [Statement("pot", note_line, amount=amount, qualifier=pot_kind)]


def _take_pot_name(cursor: TokenCursor) -> str:
    """Take `the main pot is now` before an amount; return `pot`, `main` or `side`, or "" if there is no such word."""
    if cursor.peek_lower(1) in _POT_WORDS:
        cursor.skip("the", "total")
    pot_word = cursor.take_any(_POT_WORDS)
    if pot_word:
        cursor.skip(
            *("pot", "is", "now", ":", "of", "=", "was", "at", "stands", "stood"),
            *("totals", "totaled", "totalled", "comes", "came", "to"),
        )
    return pot_word
