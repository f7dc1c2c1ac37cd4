"""Parses a line into statements. A word that doesn't fit makes the rest of its sentence unread."""

from __future__ import annotations

from typing import Final

from ledger.formats.handscript.lines import Line
from ledger.formats.handscript.notes import act_phrases, groups, sequences, table_talk
from ledger.formats.handscript.notes.cursor import TokenCursor
from ledger.formats.handscript.notes.statements import Kind, Ref, Statement
from ledger.formats.handscript.notes.table_words import CARDS_ON, STREETS, VERBS
from ledger.formats.handscript.notes.tokenizer import tokenize

_PLAY_KINDS: Final = frozenset(("act", "next", "everyone", "board", "folds-to", "bare"))
_STOP_MARKS: Final = frozenset((".", ";", "!", "-", "(", ")"))
_END_MARKS: Final = frozenset(".;/")


def parse(
    note_line: Line, line_text: str, player_names: frozenset[str], seats: frozenset[int], *, playing: bool
) -> list[Statement]:
    """Parse a line into statements. `playing`: cards are dealt, a bare number isn't a post."""
    cursor = TokenCursor(tokenize(line_text, player_names), seats)
    line_statements: list[Statement] = []
    cursor.separators()
    while not cursor.at_end:
        start_index = cursor.position
        cursor.playing = playing or any(earlier_statement.kind in _PLAY_KINDS for earlier_statement in line_statements)
        statements = _parse_statements(cursor, note_line, line_statements, playing=playing)
        if not statements:
            cursor.position = start_index
            statements = [_take_unread(cursor, note_line, line_text)]
        statement_text = line_text[cursor.tokens[start_index].start : cursor.tokens[cursor.position - 1].end]
        for statement in statements:
            statement.text = statement.text or statement_text
        line_statements += statements
        cursor.separators()
    return line_statements


def _parse_statements(
    cursor: TokenCursor, note_line: Line, earlier_statements: list[Statement], *, playing: bool
) -> list[Statement]:
    """Parse the statements that begin at the cursor."""
    is_line_start = not earlier_statements or all(statement.kind == "board" for statement in earlier_statements)
    if is_line_start and (cursor.take("pre") or cursor.take("preflop") or cursor.take("pre", "-", "flop")):
        cursor.separators()
    start_index = cursor.position
    for parse_phrase in (_parse_sequence, sequences.parse_lone_card) if is_line_start else ():
        if statements := parse_phrase(cursor, note_line):
            return statements
        cursor.position = start_index
    for parse_phrase in (_parse_street, table_talk.parse_table_event, groups.parse_group):
        start_index = cursor.position
        if statements := parse_phrase(cursor, note_line):
            return statements
        cursor.position = start_index
    start_index = cursor.position
    subjects = cursor.refs()
    if subjects:
        if statements := _parse_fold_with_blinds(cursor, note_line, subjects):
            return statements
        if statements := table_talk.parse_player_event(cursor, note_line, subjects):
            return statements
        if statements := act_phrases.parse_act(cursor, note_line, subjects, playing=playing):
            return statements
    cursor.position = start_index
    if statements := act_phrases.parse_glued_act(cursor, note_line):
        return statements
    cursor.position = start_index
    if (
        earlier_statements
        and earlier_statements[-1].kind in ("show", "win")
        and act_phrases.skip_hand_description(cursor)
    ):
        return [Statement("remark", note_line)]
    cursor.position = start_index
    if playing or any(statement.kind in _PLAY_KINDS for statement in earlier_statements):
        if statements := sequences.parse_lone_pot(cursor, note_line):
            return statements
        cursor.position = start_index
    if (
        earlier_statements
        and earlier_statements[-1].kind in ("show", "act", "post")
        and len(earlier_statements[-1].players) == 1
    ):
        return act_phrases.parse_next_act(cursor, note_line, earlier_statements[-1])
    return []


def _parse_fold_with_blinds(cursor: TokenCursor, note_line: Line, subjects: list[Ref]) -> list[Statement]:
    """Parse `Hutch and both blinds fold`."""
    start_index = cursor.position
    if cursor.take("and") or cursor.take("&"):
        group_statements = groups.parse_group(cursor, note_line)
        if (
            len(group_statements) == 1
            and group_statements[0].qualifier == "blinds"
            and group_statements[0].verb == "fold"
        ):
            return [Statement("act", note_line, players=subjects, verb="fold"), *group_statements]
    cursor.position = start_index
    return []


def _parse_sequence(cursor: TokenCursor, note_line: Line) -> list[Statement]:
    """Parse acts without players at the start of a line: `x, b25, c`."""
    return sequences.parse_sequence(cursor, note_line)


def _parse_street(cursor: TokenCursor, note_line: Line) -> list[Statement]:
    """Parse `flop Ah 7c 2d`, `t 2s`, `board 8h 8c 3d Jc Qd`."""
    cursor.skip("the", "on")
    first_word = cursor.low()
    street = STREETS.get(first_word, "") if first_word != "board" else "board"
    if not street:
        cards = cursor.cards(5)
        is_board = len(cards) in (3, 5) and (cursor.at_separator() or cursor.low() in VERBS)
        statements = [
            Statement("board", note_line, verb=street_name, cards=" ".join(street_cards))
            for street_name, street_cards in _split_board(cards)
            if is_board
        ]
        if statements and cursor.low() == "(":
            statements[0].amount = cursor.amount()
        return statements
    cursor.position += 1
    pot_amount = cursor.amount() if cursor.low() == "(" else None
    cursor.skip("is", "comes", "was", "brings", "card", "the", ":", "=", "a")
    if street == "board":
        cards = cursor.cards(5)
        cards_by_street = _split_board(cards)
    else:
        cards = cursor.cards(CARDS_ON[street])
        cards_by_street = [(street, cards)] if len(cards) == CARDS_ON[street] else []
    statements = [
        Statement("board", note_line, verb=street_name, cards=" ".join(street_cards))
        for street_name, street_cards in cards_by_street
    ]
    if statements:
        statements[0].amount = pot_amount or (cursor.amount() if cursor.low() == "(" else None)
    return statements


def _split_board(cards: list[str]) -> list[tuple[str, list[str]]]:
    """Split a whole board into streets."""
    if len(cards) not in (3, 4, 5):
        return []
    streets = [("flop", cards[:3]), ("turn", cards[3:4]), ("river", cards[4:5])]
    return [(street_name, street_cards) for street_name, street_cards in streets if street_cards]


def _take_unread(cursor: TokenCursor, note_line: Line, line_text: str) -> Statement:
    """Take unreadable words up to the next stop."""
    start_index = cursor.position
    while not cursor.at_end and not (cursor.position > start_index and cursor.low() in _END_MARKS and cursor.low()):
        cursor.position += 1
    unread_text = line_text[cursor.tokens[start_index].start : cursor.tokens[cursor.position - 1].end]
    is_apart = start_index == 0 or cursor.low(start_index - 1 - cursor.position) in _STOP_MARKS
    is_remark = is_apart and sequences.is_remark(list(cursor.tokens[start_index : cursor.position]), unread_text)
    kind: Kind = "remark" if is_remark else "unread"
    return Statement(kind, note_line, text=unread_text)
