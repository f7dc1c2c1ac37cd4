"""Streets as people write them: `flop Ah 7c 2d`, `the turn was the 9c`, `on the river, a 3h`, `the board ran out …`."""

from __future__ import annotations

import re
from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.cursor import TokenCursor
from ledger.formats.handscript.notes.statements import NotedAmount, Statement
from ledger.formats.handscript.notes.table_words import CARDS_ON, STREETS, VERBS, split_words

_LEADS: Final = ("the", "on", "and", "then", "a")
_FILLERS: Final = (
    *("is", "was", "comes", "came", "come", "brings", "brought", "fell", "falls", "down", "card", "the", ":", "=", "a"),
    *(
        "an",
        "of",
        "out",
        "peels",
        "off",
        "dealt",
        "-",
        "bricks",
        "brick",
        "blank",
        "blanks",
        "bricked",
        "pairs",
        "paired",
    ),
    *(
        "hits",
        "hit",
        "were",
        "with",
        "shows",
        "showed",
        "gave",
        "gives",
        "went",
        "looks",
        "like",
        ",",
        "it's",
        "burn",
        "and",
    ),
    *(
        "lands",
        "landed",
        "arrives",
        "arrived",
        "opens",
        "opened",
        "runs",
        "ran",
        "rolls",
        "rolled",
        "beautiful",
        "board",
    ),
)
_BOARDS: Final = split_words("board runout run-out runouts boards")
_RUNS_OUT: Final = (("ran", "out"), ("runs", "out"), ("run", "out"), ("runs", "it", "out"), ("it", "ran", "out"))


def parse_street(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse a street with its cards, or cards of a flop alone."""
    start_index = cursor.position
    cursor.skip(*_LEADS)
    if _take_board_word(cursor):
        return _parse_board(cursor, note_line)
    street = STREETS.get(cursor.peek_lower(), "")
    if not street:
        cursor.position = start_index
        cursor.skip("the", "on")
        return _parse_bare_flop(cursor, note_line)
    cursor.position += 1
    pot_amount = _take_pot(cursor)
    cursor.skip(*_FILLERS)
    cards = cursor.take_cards(CARDS_ON[street])
    if not cards and (ranks := _take_ranks(cursor, CARDS_ON[street])):
        return [Statement("board", note_line, verb=street, qualifier="ranks", cards=ranks, amount=pot_amount)]
    if len(cards) != CARDS_ON[street]:
        return []
    cursor.skip("on", "the") if cursor.peek_lower() == "on" and cursor.peek_lower(2) in STREETS else None
    return [Statement("board", note_line, verb=street, cards=" ".join(cards), amount=pot_amount or _take_pot(cursor))]


def _take_ranks(cursor: TokenCursor, count: int) -> str:
    """Take cards without suits, `K94` or `K 9 4`, with the words about their suits."""
    ranks: list[str] = []
    while len(ranks) < count and (match := _RANKS.fullmatch(cursor.peek_lower())):
        ranks += [rank.upper() for rank in _RANK.findall(match[0])]
        cursor.position += 1
        cursor.skip("-", ",") if len(ranks) < count else None
    if len(ranks) != count:
        return ""
    while cursor.peek_lower() in _SUIT_WORDS and cursor.peek_lower():
        cursor.position += 1
    return " ".join(ranks)


_RANK: Final = re.compile(r"10|[2-9tjqka]", re.IGNORECASE)
_RANKS: Final = re.compile(r"(?:10|[2-9tjqka]){1,3}", re.IGNORECASE)
_SUIT_WORDS: Final = split_words(
    "rainbow with two three one all of both no flush draw monotone hearts spades clubs diamonds heart spade club diamond suited "
    "offsuit suit black red tone"
)


def _take_board_word(cursor: TokenCursor) -> bool:
    """Take `board`, `runout`, `ran out`."""
    if cursor.take_any(_BOARDS):
        return True
    return any(cursor.take(*run_words) for run_words in _RUNS_OUT)


def _parse_board(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse a whole board, or the streets that are still missing."""
    pot_amount = _take_pot(cursor)
    cursor.skip(*_FILLERS)
    cards = cursor.take_cards(5)
    statements = [
        Statement("board", note_line, verb=street_name, cards=" ".join(street_cards))
        for street_name, street_cards in _split_board(cards)
    ]
    if len(cards) in (1, 2):
        statements = [Statement("board", note_line, verb="next", cards=card) for card in cards]
    if statements:
        statements[0].amount = pot_amount or _take_pot(cursor)
    return statements


def _parse_bare_flop(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse the cards of a flop or a board without its name."""
    cards = cursor.take_cards(5)
    if len(cards) not in (3, 5) or not (cursor.is_at_separator() or cursor.peek_lower() in VERBS):
        return []
    statements = [
        Statement("board", note_line, verb=street_name, cards=" ".join(street_cards))
        for street_name, street_cards in _split_board(cards)
    ]
    statements[0].amount = _take_pot(cursor)
    return statements


def _take_pot(cursor: TokenCursor) -> NotedAmount | None:
    """Take a pot in parentheses: `(40)`, `(pot 40)`, `(pot is $40)`."""
    start_index = cursor.position
    if not cursor.take("("):
        return None
    cursor.skip("pot", "the", "is", "now", "of", ":", "=", "was", "at")
    amount = cursor.take_amount()
    cursor.skip("pot", "in", "the", "chips", "total")
    if amount is not None and cursor.take(")"):
        return amount
    cursor.position = start_index
    return None


def _split_board(cards: list[str]) -> list[tuple[str, list[str]]]:
    """Split a whole board into streets."""
    if len(cards) not in (3, 4, 5):
        return []
    streets = [("flop", cards[:3]), ("turn", cards[3:4]), ("river", cards[4:5])]
    return [(street_name, street_cards) for street_name, street_cards in streets if street_cards]
