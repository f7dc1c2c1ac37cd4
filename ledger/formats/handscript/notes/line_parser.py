"""The statements of a line. Every word counts: what is left over makes the rest of the line unread."""

from __future__ import annotations

from typing import Final

from ledger.formats.handscript.lines import Line
from ledger.formats.handscript.notes import act_phrases, groups, sequences, table_talk
from ledger.formats.handscript.notes.cursor import TokenCursor
from ledger.formats.handscript.notes.statements import Kind, Ref, Statement
from ledger.formats.handscript.notes.table_words import CARDS_ON, STREETS, VERBS
from ledger.formats.handscript.notes.tokenizer import tokenize

_PLAYED: Final = frozenset(("act", "next", "everyone", "board", "folds-to", "bare"))
_STOPS: Final = frozenset((".", ";", "!", "-", "(", ")"))
_ENDS: Final = frozenset(".;/")


def parse(line: Line, text: str, names: frozenset[str], seats: frozenset[int], *, playing: bool) -> list[Statement]:
    """Return what a line says. `playing`: cards are out, a bare number is no post."""
    cursor = TokenCursor(tokenize(text, names), seats)
    found: list[Statement] = []
    cursor.separators()
    while not cursor.done:
        begin = cursor.at
        cursor.playing = playing or any(one.kind in _PLAYED for one in found)
        statements = _one(cursor, line, found, playing=playing)
        if not statements:
            cursor.at = begin
            statements = [_unread(cursor, line, text)]
        said = text[cursor.tokens[begin].start : cursor.tokens[cursor.at - 1].end]
        for statement in statements:
            statement.text = statement.text or said
        found += statements
        cursor.separators()
    return found


def _one(cursor: TokenCursor, line: Line, before: list[Statement], *, playing: bool) -> list[Statement]:
    """Return the statement, or statements, that begin here."""
    is_begin = not before or all(one.kind == "board" for one in before)
    if is_begin and (cursor.take("pre") or cursor.take("preflop") or cursor.take("pre", "-", "flop")):
        cursor.separators()
    begin = cursor.at
    for reader in (_sequence_at, sequences.card_alone) if is_begin else ():
        if statements := reader(cursor, line):
            return statements
        cursor.at = begin
    for reader in (_street, table_talk.read, groups.group):
        begin = cursor.at
        if statements := reader(cursor, line):
            return statements
        cursor.at = begin
    begin = cursor.at
    subjects = cursor.refs()
    if subjects:
        if statements := _with_blinds(cursor, line, subjects):
            return statements
        if statements := table_talk.about(cursor, line, subjects):
            return statements
        if statements := act_phrases.act(cursor, line, subjects, playing=playing):
            return statements
    cursor.at = begin
    if statements := act_phrases.glued(cursor, line):
        return statements
    cursor.at = begin
    if before and before[-1].kind in ("show", "win") and act_phrases.describe(cursor):
        return [Statement("remark", line)]
    cursor.at = begin
    if playing or any(one.kind in _PLAYED for one in before):
        if statements := sequences.pot_alone(cursor, line):
            return statements
        cursor.at = begin
    if before and before[-1].kind in ("show", "act", "post") and len(before[-1].who) == 1:
        return act_phrases.further(cursor, line, before[-1])
    return []


def _with_blinds(cursor: TokenCursor, line: Line, subjects: list[Ref]) -> list[Statement]:
    """Return `Hutch and both blinds fold`."""
    begin = cursor.at
    if cursor.take("and") or cursor.take("&"):
        together = groups.group(cursor, line)
        if len(together) == 1 and together[0].how == "blinds" and together[0].verb == "fold":
            return [Statement("act", line, who=subjects, verb="fold"), *together]
    cursor.at = begin
    return []


def _sequence_at(cursor: TokenCursor, line: Line) -> list[Statement]:
    """Return acts without players, where the line begins with them: `x, b25, c`."""
    return sequences.sequence(cursor, line)


def _street(cursor: TokenCursor, line: Line) -> list[Statement]:
    """Return `flop Ah 7c 2d`, `t 2s`, `board 8h 8c 3d Jc Qd`."""
    cursor.skip("the", "on")
    word = cursor.low()
    street = STREETS.get(word, "") if word != "board" else "board"
    if not street:
        cards = cursor.cards(5)
        whole = len(cards) in (3, 5) and (cursor.at_separator() or cursor.low() in VERBS)
        found = [Statement("board", line, verb=name, cards=" ".join(some)) for name, some in _board(cards) if whole]
        if found and cursor.low() == "(":
            found[0].amount = cursor.amount()
        return found
    cursor.at += 1
    pot = cursor.amount() if cursor.low() == "(" else None
    cursor.skip("is", "comes", "was", "brings", "card", "the", ":", "=", "a")
    if street == "board":
        cards = cursor.cards(5)
        parts = _board(cards)
    else:
        cards = cursor.cards(CARDS_ON[street])
        parts = [(street, cards)] if len(cards) == CARDS_ON[street] else []
    found = [Statement("board", line, verb=name, cards=" ".join(some)) for name, some in parts]
    if found:
        found[0].amount = pot or (cursor.amount() if cursor.low() == "(" else None)
    return found


def _board(cards: list[str]) -> list[tuple[str, list[str]]]:
    """Return the streets of a whole board."""
    if len(cards) not in (3, 4, 5):
        return []
    streets = [("flop", cards[:3]), ("turn", cards[3:4]), ("river", cards[4:5])]
    return [(name, some) for name, some in streets if some]


def _unread(cursor: TokenCursor, line: Line, text: str) -> Statement:
    """Take what nobody can read, up to the next stop."""
    begin = cursor.at
    while not cursor.done and not (cursor.at > begin and cursor.low() in _ENDS and cursor.low()):
        cursor.at += 1
    said = text[cursor.tokens[begin].start : cursor.tokens[cursor.at - 1].end]
    is_apart = begin == 0 or cursor.low(begin - 1 - cursor.at) in _STOPS
    is_remark = is_apart and sequences.is_remark(list(cursor.tokens[begin : cursor.at]), said)
    kind: Kind = "remark" if is_remark else "unread"
    return Statement(kind, line, text=said)
