"""Lines without players: `pre: f, r20, c, f` names what each does in turn; what stands alone is a card, a pot, a remark."""

from __future__ import annotations

import re
from typing import Final

from ledger.formats.handscript.lines import Line
from ledger.formats.handscript.notes.cursor import TokenCursor
from ledger.formats.handscript.notes.statements import NotedAmount, Statement
from ledger.formats.handscript.notes.table_words import (
    EVERYONE,
    LEFT,
    ME,
    MUCKS,
    OF_TABLE,
    PAUSES,
    POSITIONS,
    POSTS,
    PRONOUNS,
    REBUYS,
    SHOWS,
    STREETS,
    VERBS,
    WINS,
    words,
)
from ledger.formats.handscript.notes.tokenizer import SIZED, Token, cards_of, figure, tokenize

_SAYS_MORE: Final = frozenset(
    (
        *VERBS,
        *SHOWS,
        *MUCKS,
        *WINS,
        *POSTS,
        *EVERYONE,
        *POSITIONS,
        *PRONOUNS,
        *STREETS,
        *PAUSES,
        *LEFT,
        *REBUYS,
        *ME,
        *OF_TABLE,
        *words(
            "dark blind pot main side both one two three four five us them him her his their misdeal burn burned dead card cards "
            "straddle post deal deals dealt dealing dealer hand hands player players chips stack no not never wait sorry "
            "correction actually oops mistake wrong meant scratch undo cancel error except but instead should seen see view "
            "missed missing forgot forgotten think maybe probably perhaps possibly unclear unknown unsure can't cannot couldn't "
            "didn't wasn't isn't lost either or someone somebody another other others rest again same exposed floor ruling "
            "ruled ruling rule timed clock time call's split chop chopped quartered twice run ran runs back returned takes give "
            "gives gave given put puts all-in kicks paid pays pay refund short dispute disputed claims says said"
        ),
    )
)
"""Words by which a line may say something of the hand: then it is no mere remark."""


_STEPS_MOST: Final = 60
"""More acts than a betting round has."""


def sequence(cursor: TokenCursor, line: Line) -> list[Statement]:
    """Return what each player does in turn, where a line names nobody: `f, r20, c` up to its end."""
    found: list[Statement] = []
    while not cursor.done and len(found) <= _STEPS_MOST:
        step = _step(cursor, line)
        if step is None or not (cursor.at_separator() and cursor.low() not in ("(", "and")):
            return []
        found.append(step)
        cursor.skip(",", "/", "-")
        if cursor.low() == "." and cursor.peek(1) is None:
            cursor.at += 1
    if len(found) < 2 or not cursor.done:
        return []
    found[-1].else_ = True  # and the betting round is over
    return found


def _step(cursor: TokenCursor, line: Line) -> Statement | None:
    """Return what one player does."""
    word, amount = cursor.low(), cursor.amount()
    if amount is not None:
        return Statement("next", line, verb="bare", amount=amount, how="run")
    verb, amount = take_verb(cursor)
    if verb not in ("fold", "check", "call", "bet", "raise", "all-in"):
        return None
    amount = amount or (cursor.amount() if verb in ("call", "bet", "raise", "all-in") else None)
    if verb in ("bet", "raise") and amount is None:
        return None
    step = Statement("next", line, verb=verb, amount=amount, how="run", all_in=verb == "all-in")
    step.cards = "to" if verb == "raise" and word[:1] == "r" and word[:2] != "ra" else ""
    return step


def take_verb(cursor: TokenCursor) -> tuple[str, NotedAmount | None]:
    """Take a verb, and the amount that is written in one word with it: `r12`, `b25`."""
    match = SIZED.fullmatch(cursor.low())
    if match is not None:
        cursor.at += 1
        (number,) = tokenize(match[2])
        return VERBS[match[1]], figure(number)
    verb = VERBS.get(cursor.low(), "")
    cursor.at += bool(verb)
    return verb, None


def card_alone(cursor: TokenCursor, line: Line) -> list[Statement]:
    """Return the turn or the river where a line begins with the card alone: `4h (5.8k): Kit bets`."""
    cards = cursor.cards(2)
    if not cards:
        return []
    pot = cursor.amount() if cursor.low() == "(" else None
    if not (cursor.at_separator() or pot) or cursor.low() in ("/", "and"):
        return []
    found = [Statement("board", line, verb="next", cards=card) for card in cards]
    found[0].amount = pot
    found[-1].count = len(cards)
    return found


def pot_alone(cursor: TokenCursor, line: Line) -> list[Statement]:
    """Return a pot that the notes count: `(40)`, `77.`, `21 in the pot`, `main is 182`."""
    is_named = bool(cursor.take("pot") or cursor.take("main") or cursor.take("side"))
    side = cursor.low(-1) if is_named else ""
    cursor.skip("pot", "is", "now", ":", "of", "=") if is_named else None
    amount = cursor.amount()
    if amount is None:
        return []
    named_behind = cursor.take("in", "the", "pot") or cursor.take("in", "pot") or cursor.take("pot")
    if not cursor.at_separator() or cursor.low() in ("and", ":", "-", "/"):
        return []
    if not (
        is_named or named_behind or cursor.low(-1) == ")" or cursor.low() == ")" or (cursor.done or cursor.low() == ".")
    ):
        return []
    how = side if side in ("main", "side") else ""
    return [Statement("pot", line, amount=amount, how=how)]


def is_remark(tokens: list[Token], text: str) -> bool:
    """Whether words say nothing of the hand: no player, number, card, nor any word of the game."""
    for index, token in enumerate(tokens):
        if token.kind in ("name", "number", "text") or token.text in "?+=<>%" or token.low in _SAYS_MORE:
            return False
        if token.kind == "word" and (
            cards_of(token.text) or any(map(str.isdigit, token.text)) or (len(token.text) == 1 and token.text != "a")
        ):
            return False
        if index and token.text[:1].isupper() and not token.text.isupper():
            return False  # may be somebody's name
    return len(re.findall(r"[^\W\d_]{2,}", text)) > 1
