"""Parses a line into statements. A word that doesn't fit makes the rest of its sentence unread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes import (
    act_phrases,
    board_phrases,
    groups,
    line_corrections,
    player_events,
    remarks,
    sequences,
    showdown_phrases,
    table_talk,
)
from ledger.formats.handscript.notes.blocks import CORRECTABLE
from ledger.formats.handscript.notes.cursor import TokenCursor
from ledger.formats.handscript.notes.statements import Ref, Statement
from ledger.formats.handscript.notes.table_words import POSITIONS, PRONOUNS, VERBS, WRITER_WORDS
from ledger.formats.handscript.notes.tokenizer import Token, tokenize

_PLAY_KINDS: Final = frozenset(("act", "next", "everyone", "board", "folds-to", "checks-to", "bare"))
_STOP_MARKS: Final = frozenset((".", ";", "!", "-", "(", ")"))
_END_MARKS: Final = frozenset(".;/")
_CLAUSE_MARKS: Final = frozenset((",", "and", "but", "then", "so", "while", "-", "&"))
_CLAUSE_KINDS: Final = frozenset(("act", "everyone", "folds-to", "checks-to", "show", "muck", "win", "chop"))
_SUBJECTS: Final = PRONOUNS | WRITER_WORDS | frozenset(("the", "everyone", "everybody", "both", "all", "nobody"))
_SHORTHAND_MOST: Final = 2
"""The longest verb of shorthand: `x`, `ck`. Longer verbs may continue a sentence."""


def parse(
    note_line: ScriptLine, line_text: str, player_names: frozenset[str], seats: frozenset[int], *, playing: bool
) -> list[Statement]:
    """Parse a line into statements. `playing`: cards are dealt, a bare number isn't a post."""
    cursor = TokenCursor(tokenize(line_text, player_names), seats)
    line_statements: list[Statement] = []
    cursor.skip_separators()
    while not cursor.at_end:
        start_index = cursor.position
        cursor.playing = playing or any(earlier_statement.kind in _PLAY_KINDS for earlier_statement in line_statements)
        statements = _parse_statements(cursor, note_line, line_statements, playing=playing)
        if not statements:
            cursor.position = start_index
            statements = [_take_unread(cursor, note_line, line_text, line_statements, playing=playing)]
        statement_text = line_text[cursor.tokens[start_index].start : cursor.tokens[cursor.position - 1].end]
        for statement in statements:
            statement.text = statement.text or statement_text
        line_statements += statements
        _skip_separators(cursor)
    return line_statements


def _skip_separators(cursor: TokenCursor) -> None:
    """Skip separators and harmless asides such as `(no more action)`."""
    while True:
        start_index = cursor.position
        if cursor.peek_lower() == "(" and (end_index := _find_aside_end(cursor)):
            cursor.position = end_index
        elif not cursor.take_separator():
            cursor.position = start_index
            return


def _find_aside_end(cursor: TokenCursor) -> int:
    """Return where a harmless aside in parentheses ends; 0 if it isn't harmless."""
    for index in range(cursor.position + 1, len(cursor.tokens)):
        token = cursor.tokens[index]
        if token.low == ")" and token.kind == "mark":
            return index + 1
        if not remarks.is_harmless(token):
            return 0
    return 0


def _parse_statements(
    cursor: TokenCursor, note_line: ScriptLine, earlier_statements: list[Statement], *, playing: bool
) -> list[Statement]:
    """Parse the statements that begin at the cursor."""
    position = LinePosition(cursor, note_line, earlier_statements, playing=playing)
    if position.is_line_start and (cursor.take("pre") or cursor.take("preflop") or cursor.take("pre", "-", "flop")):
        cursor.skip_separators()
    if position.is_line_start and cursor.peek_lower() in _LABELS and cursor.peek_lower(1) in (":", "-"):
        cursor.position += 2
    start_index = cursor.position
    for parse_phrase in _PARSERS:
        if statements := parse_phrase(position):
            return statements
        cursor.position = start_index
    return []


@dataclass(slots=True)
class LinePosition:
    """A place in a line, with the statements before it. `playing`: cards are dealt."""

    cursor: TokenCursor
    note_line: ScriptLine
    earlier_statements: list[Statement]
    playing: bool

    @property
    def is_line_start(self) -> bool:
        """Whether no statement but streets comes before this place."""
        return all(statement.kind == "board" for statement in self.earlier_statements)

    @property
    def previous_statement(self) -> Statement | None:
        """Return the statement before this place."""
        return self.earlier_statements[-1] if self.earlier_statements else None

    @property
    def is_playing(self) -> bool:
        """Whether an act came before this place, on this line or above it."""
        return self.playing or any(statement.kind in _PLAY_KINDS for statement in self.earlier_statements)


def _parse_correction(position: LinePosition) -> list[Statement]:
    """Parse a correction of an earlier statement: `no wait, Ted called`."""
    if not line_corrections.take_mark(position.cursor):
        return []
    statements = _parse_statements(
        position.cursor, position.note_line, position.earlier_statements, playing=position.playing
    )
    if not statements or statements[0].kind not in CORRECTABLE:
        return []
    statements[0].corrects = True
    return statements


def _parse_line_start(position: LinePosition) -> list[Statement]:
    """Parse acts without players, or a card alone, at the start of a line."""
    cursor, start_index = position.cursor, position.cursor.position
    for parse_phrase in (sequences.parse_sequence, sequences.parse_lone_card) if position.is_line_start else ():
        if statements := parse_phrase(cursor, position.note_line):
            return statements
        cursor.position = start_index
    return []


def _parse_without_subject(position: LinePosition) -> list[Statement]:
    """Parse a street, a table event, or acts of a group."""
    cursor, start_index = position.cursor, position.cursor.position
    for parse_phrase in (board_phrases.parse_street, table_talk.parse_table_event, groups.parse_group):
        if statements := parse_phrase(cursor, position.note_line):
            return statements
        cursor.position = start_index
    return []


def _parse_with_subject(position: LinePosition) -> list[Statement]:
    """Parse what one or more players do."""
    cursor, note_line = position.cursor, position.note_line
    is_pointed_out = cursor.take("it", "was")
    subjects = cursor.take_players()
    if not subjects or (is_pointed_out and cursor.peek_lower() != "who"):
        return []
    if position.previous_statement is not None and _gives_pronoun(position.previous_statement):
        subjects = [position.previous_statement.players[0] if ref.kind == "pronoun" else ref for ref in subjects]
    place = _take_apposition(cursor)
    statements = (
        _parse_fold_with_blinds(cursor, note_line, subjects)
        or player_events.parse_player_event(cursor, note_line, subjects)
        or act_phrases.parse_act(cursor, note_line, subjects, playing=position.playing)
    )
    if statements and place and len(subjects) == 1:
        statements = [*statements, Statement("place", note_line, players=subjects, verb=place)]
    return statements


def _gives_pronoun(statement: Statement) -> bool:
    """Whether `he` after a statement means its first player."""
    if statement.kind in ("folds-to", "checks-to"):
        return True
    return statement.kind in ("button", "post") and len(statement.players) == 1


def _parse_glued_act(position: LinePosition) -> list[Statement]:
    return act_phrases.parse_glued_act(position.cursor, position.note_line)


def _parse_description(position: LinePosition) -> list[Statement]:
    """Parse a description of a hand after shown cards or a win: `full house`."""
    previous_statement = position.previous_statement
    if previous_statement is not None and previous_statement.kind == "board" and position.is_playing:
        is_alone = showdown_phrases.skip_hand_description(position.cursor) and position.cursor.is_at_separator()
        return [Statement("remark", position.note_line)] if is_alone else []
    if previous_statement is None or previous_statement.kind not in ("show", "win"):
        return []
    return [Statement("remark", position.note_line)] if showdown_phrases.skip_hand_description(position.cursor) else []


def _parse_lone_pot(position: LinePosition) -> list[Statement]:
    return sequences.parse_lone_pot(position.cursor, position.note_line) if position.is_playing else []


def _parse_next_act(position: LinePosition) -> list[Statement]:
    """Parse the same player's next act: `Barb shows 6d 5d and wins`."""
    previous_statement = position.previous_statement
    if previous_statement is None or previous_statement.kind not in ("show", "act", "post", "remark"):
        return []
    if len(previous_statement.players) != 1:
        return []
    return showdown_phrases.parse_next_act(position.cursor, position.note_line, previous_statement)


def _parse_same_player(position: LinePosition) -> list[Statement]:
    """Parse a verb whose player the words before it name: `Luis thinks about it, then folds`."""
    cursor, previous_statement = position.cursor, position.previous_statement
    if previous_statement is None or cursor.peek_lower(-1) not in showdown_phrases.JOINING_WORDS | {"-"}:
        return []
    has_one_player = len(previous_statement.players) == 1 and not previous_statement.unclear
    if (
        previous_statement.kind not in ("gap", "button", "chips")
        or not has_one_player
        or len(cursor.peek_lower()) <= _SHORTHAND_MOST
    ):
        return []
    subjects, start_index = list(previous_statement.players), cursor.position
    if statements := player_events.parse_player_event(cursor, position.note_line, subjects):
        return statements
    cursor.position = start_index
    return act_phrases.parse_act(cursor, position.note_line, subjects, playing=position.playing)


def _parse_likewise(position: LinePosition) -> list[Statement]:
    """Parse `and so did Omar`, `as does Al`: the act before it, of other players."""
    cursor, previous_statement = position.cursor, position.previous_statement
    if previous_statement is None or previous_statement.kind not in ("act", "everyone"):
        return []
    if previous_statement.verb not in ("fold", "check", "call"):
        return []
    if not ((cursor.take("so") or cursor.take("as") or cursor.peek_lower(-1) == "so") and cursor.take_any(_DO_FORMS)):
        return []
    players = cursor.take_players()
    if not players or not cursor.is_at_separator():
        return []
    return [Statement("act", position.note_line, players=players, verb=previous_statement.verb)]


_LABELS: Final = frozenset(
    ("result", "results", "showdown", "action", "summary", "outcome", "betting", "hand", "play", "preflop", "pre")
)
"""Labels before what happens: `RESULT: Jun +97`."""
_DO_FORMS: Final = frozenset(("did", "does", "do"))
_PARSERS: Final[tuple[Callable[[LinePosition], list[Statement]], ...]] = (
    _parse_correction,
    _parse_line_start,
    _parse_same_player,
    _parse_likewise,
    _parse_without_subject,
    _parse_with_subject,
    _parse_glued_act,
    _parse_description,
    _parse_lone_pot,
    _parse_next_act,
)
"""Parsers of phrases, in the order in which they are tried."""


def _take_apposition(cursor: TokenCursor) -> str:
    """Take `who`, `(BTN)` or `, on the button,` after a player; return the position."""
    start_index = cursor.position
    closing_mark = {"(": ")", ",": ",", "[": "]"}.get(cursor.peek_lower(), "")
    if closing_mark:
        cursor.position += 1
        cursor.skip("on", "in", "from", "the", "at")
        place = POSITIONS.get(cursor.peek_lower(), "") or {"small": "small", "big": "big"}.get(cursor.peek_lower(), "")
        cursor.position += bool(place)
        cursor.skip("blind", "position")
        if place and cursor.take(closing_mark):
            cursor.take("who")
            return place
        cursor.position = start_index
    cursor.skip(",")
    if not cursor.take("who"):
        cursor.position = start_index
    return ""


def _parse_fold_with_blinds(cursor: TokenCursor, note_line: ScriptLine, subjects: list[Ref]) -> list[Statement]:
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


def _take_unread(
    cursor: TokenCursor, note_line: ScriptLine, line_text: str, earlier_statements: list[Statement], *, playing: bool
) -> Statement:
    """Take unreadable words up to a stop, or to a clause that can be read."""
    start_index = cursor.position
    _skip_to_stop(cursor)
    end_index = cursor.position
    chunk_tokens = list(cursor.tokens[start_index:end_index])
    if not any(token.low in remarks.SUBORDINATE for token in chunk_tokens):
        end_index = _find_readable_clause(cursor, note_line, start_index, end_index, playing=playing)
    cursor.position = end_index
    subjects = _find_subjects(cursor, start_index)
    chunk_tokens = list(cursor.tokens[start_index:end_index])
    unread_text = line_text[chunk_tokens[0].start : chunk_tokens[-1].end]
    kind = remarks.classify(
        [_as_player(token, subjects) for token in chunk_tokens],
        unread_text,
        is_apart=_is_apart(cursor, start_index),
        is_opening=not (playing or any(statement.kind in _PLAY_KINDS for statement in earlier_statements)),
    )
    statement = Statement(kind, note_line, text=unread_text)
    statement.players = _list_players(chunk_tokens, subjects)
    statement.unclear = any(remarks.names_group(token) for token in chunk_tokens)
    return statement


def _skip_to_stop(cursor: TokenCursor) -> None:
    """Skip one token, and then all up to the next mark that ends a sentence."""
    start_index = cursor.position
    while not cursor.at_end and not (
        cursor.position > start_index and cursor.peek_lower() in _END_MARKS and cursor.peek_lower()
    ):
        cursor.position += 1


def _list_players(tokens: Sequence[Token], subjects: Sequence[Ref]) -> list[Ref]:
    """Return the players whom unread words name: seats, then names, then the writer."""
    seats = [ref for ref in subjects if ref.kind == "seat"]
    names = [Ref("name", token.low) for token in tokens if token.kind == "name"]
    writers = [Ref("me", token.text) for token in tokens if token.low in WRITER_WORDS]
    return [*seats, *names, *writers]


def _find_subjects(cursor: TokenCursor, start_index: int) -> list[Ref]:
    """Return the players at the start of unread words."""
    end_index, cursor.position = cursor.position, start_index
    subjects = cursor.take_players()
    cursor.position = end_index
    return subjects


def _as_player(token: Token, subjects: list[Ref]) -> Token:
    """Return the token of a seat as a name's: `S5`, the 5 of `seat 5`."""
    is_seat = any(ref.kind == "seat" and token.low in (ref.text, f"s{ref.text}") for ref in subjects)
    return token._replace(kind="name") if is_seat else token


def _is_apart(cursor: TokenCursor, start_index: int) -> bool:
    """Whether words begin a sentence, or a clause with a subject of its own."""
    if start_index == 0:
        return True
    previous_word = cursor.tokens[start_index - 1].low
    first_token = cursor.tokens[start_index]
    has_subject = (
        first_token.kind == "name" or bool(_find_subjects(cursor, start_index)) or first_token.low in _SUBJECTS
    )
    return previous_word in _STOP_MARKS or (has_subject and previous_word in _CLAUSE_MARKS)


def _find_readable_clause(
    cursor: TokenCursor, note_line: ScriptLine, start_index: int, end_index: int, *, playing: bool
) -> int:
    """Return where a clause that can be read begins after unread words; the end if there is none."""
    tried_position = 0  # where the clause after a run of marks begins: it's tried once for the whole run
    for index in range(start_index + 1, end_index - 1):
        is_mark = cursor.tokens[index].low in _CLAUSE_MARKS and cursor.tokens[index].kind != "name"
        if index < tried_position or not is_mark:
            continue
        cursor.position = index
        cursor.skip_separators()
        tried_position = cursor.position
        if start_index < cursor.position < end_index and _reads_clause(cursor, note_line, playing=playing):
            return index
    return end_index


def _reads_clause(cursor: TokenCursor, note_line: ScriptLine, *, playing: bool) -> bool:
    """Whether a clause with its own subject and an act begins here, or the same player's next act."""
    token = cursor.tokens[cursor.position]
    cursor.playing = True
    if (
        VERBS.get(token.low)
        and len(token.low) > _SHORTHAND_MOST
        and cursor.peek_lower(-1) in showdown_phrases.JOINING_WORDS
    ):
        return True
    if not (token.kind == "name" or token.low in _SUBJECTS):
        return bool(player_events.parse_player_event(cursor, note_line, []))
    placeholder = Statement("remark", note_line)
    statements = _parse_statements(cursor, note_line, [placeholder], playing=playing)
    return bool(statements) and statements[0].kind in _CLAUSE_KINDS
