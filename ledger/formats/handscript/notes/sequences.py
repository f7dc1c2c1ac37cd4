"""Lines without players: acts in turn such as `pre: f, r20, c, f`, a lone card, a lone pot."""

from __future__ import annotations

from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.cursor import TokenCursor
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
        if statement is None or not (cursor.at_separator() and cursor.low() not in ("(", "and")):
            return []
        statements.append(statement)
        cursor.skip(",", "/", "-")
        if cursor.low() == "." and cursor.peek(1) is None:
            cursor.position += 1
    if len(statements) < 2 or not cursor.at_end:
        return []
    statements[-1].ends_round = True  # the betting round is over
    return statements


def _parse_step(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    """Parse one act of a sequence."""
    first_word, amount = cursor.low(), cursor.amount()
    if amount is not None:
        return Statement("next", note_line, verb="bare", amount=amount, qualifier="run")
    verb, amount = take_verb(cursor)
    if verb not in ("fold", "check", "call", "bet", "raise", "all-in"):
        return None
    amount = amount or (cursor.amount() if verb in ("call", "bet", "raise", "all-in") else None)
    statement = Statement("next", note_line, verb=verb, amount=amount, qualifier="run", all_in=verb == "all-in")
    statement.cards = "to" if verb == "raise" and first_word[:1] == "r" and first_word[:2] != "ra" else ""
    return statement


def take_verb(cursor: TokenCursor) -> tuple[str, NotedAmount | None]:
    """Take a verb and the amount attached to it: `r12`, `b25`."""
    sized_match = SIZED_ACT.fullmatch(cursor.low())
    if sized_match is not None:
        cursor.position += 1
        (amount_token,) = tokenize(sized_match[2])
        return VERBS[sized_match[1]], parse_figure(amount_token)
    verb = VERBS.get(cursor.low(), "")
    cursor.position += bool(verb)
    return verb, None


def parse_lone_card(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse the turn or river from a card alone at the start of a line: `4h (5.8k): Kit bets`."""
    cards = cursor.cards(2)
    if not cards:
        return []
    pot_amount = cursor.amount() if cursor.low() == "(" else None
    if not (cursor.at_separator() or pot_amount) or cursor.low() in ("/", "and"):
        return []
    statements = [Statement("board", note_line, verb="next", cards=card) for card in cards]
    statements[0].amount = pot_amount
    statements[-1].count = len(cards)
    return statements


def parse_lone_pot(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse a pot size: `(40)`, `77.`, `21 in the pot`, `main is 182`."""
    cursor.skip("the", "total") if cursor.low(1) in ("pot", "main", "side") else None
    is_named = bool(cursor.take("pot") or cursor.take("main") or cursor.take("side"))
    pot_word = cursor.low(-1) if is_named else ""
    cursor.skip(
        "pot",
        "is",
        "now",
        ":",
        "of",
        "=",
        "was",
        "at",
        "stands",
        "stood",
        "totals",
        "totaled",
        "totalled",
        "comes",
        "came",
        "to",
    ) if is_named else None
    amount = cursor.amount()
    if amount is None:
        return []
    has_pot_suffix = cursor.take("in", "the", "pot") or cursor.take("in", "pot") or cursor.take("pot")
    if not cursor.at_separator() or cursor.low() in ("and", "-", "/") or (cursor.low() == ":" and not is_named):
        return []
    if not (
        is_named
        or has_pot_suffix
        or cursor.low(-1) == ")"
        or cursor.low() == ")"
        or (cursor.at_end or cursor.low() == ".")
    ):
        return []
    pot_kind = pot_word if pot_word in ("main", "side") else ""
    return [Statement("pot", note_line, amount=amount, qualifier=pot_kind)]
