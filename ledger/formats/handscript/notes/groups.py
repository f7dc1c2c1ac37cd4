"""Acts of several players, or of the next player: `everybody folds`, `check check`, `push 8 87`."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.act_phrases import BLIND_ROLES, parse_act
from ledger.formats.handscript.notes.cursor import TokenCursor, index_phrases
from ledger.formats.handscript.notes.showdown_phrases import skip_position
from ledger.formats.handscript.notes.statements import NotedAmount, Ref, Statement
from ledger.formats.handscript.notes.table_words import EVERYONE, NUMBER_WORDS, POT_KINDS, PRONOUNS, VERBS
from ledger.formats.handscript.notes.tokenizer import parse_figure

_REPEATED_LETTER: Final = re.compile(r"(x+|ff+)", re.IGNORECASE)
_AROUND_WORDS: Final = ("around", "round", "through", "out", "it")
_BLIND_PLAYERS: Final = index_phrases((("the", "blinds"), ("blinds",), ("both", "blinds")))
_OTHER_PLAYERS: Final = index_phrases((("the", "rest"), ("the", "others"), ("rest",), ("others",)))
_REST_OF_TABLE: Final = index_phrases((("else",), ("others",), ("the", "others")))


class _GroupWords(NamedTuple):
    """The players of a common act: `everybody else`, `the blinds`, `both`."""

    kind: str  # "blinds", "both" or "all"
    names_everyone: bool  # begins with `everybody`, `all`, `we`
    is_rest_of_table: bool


def parse_group(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse acts of several players, or of the next player: `everybody folds`, `check check`, `xx`."""
    start_index = cursor.position
    for parse_phrase in (
        _parse_folds_to,
        _parse_everyone,
        _parse_checked_around,
        _parse_repeated_verb,
        _parse_counted_verb,
        _parse_dealt_to,
        _parse_pot_to,
        _parse_split,
        _parse_winner,
        _parse_blinds,
    ):
        if statements := parse_phrase(cursor, note_line):
            return statements
        cursor.position = start_index
    return []


def _parse_everyone(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse an act of several players: `everybody else folds`, `the blinds call`, `all ante 5`."""
    group = _take_group(cursor)
    if group is None:
        return []
    _skip_group_tail(cursor)
    verb = VERBS.get(cursor.peek_lower(), "") if cursor.peek_lower() != "in" else ""
    if verb not in ("fold", "check", "call"):
        return _parse_everyone_ante(cursor, note_line) if group.names_everyone else []
    cursor.position += 1
    cursor.skip(*_AROUND_WORDS)
    if verb == "fold" and cursor.take("to"):
        return _parse_next_player(cursor, note_line)
    return [
        Statement(
            "everyone",
            note_line,
            verb=verb,
            qualifier=group.kind,
            players=_parse_excepted(cursor),
            ends_round=group.is_rest_of_table,
        )
    ]


def _take_group(cursor: TokenCursor) -> _GroupWords | None:
    """Take the words for the players of a common act; return None if there are none."""
    names_blinds = cursor.take_phrase(_BLIND_PLAYERS)
    names_others = cursor.take_phrase(_OTHER_PLAYERS)
    names_everyone = not (names_blinds or names_others) and bool(cursor.take_any(EVERYONE | {"both", "we"}))
    is_both = names_everyone and cursor.peek_lower(-1) in ("both", "we")
    is_both = cursor.take("both") or is_both
    if not (names_blinds or names_others or names_everyone):
        return None
    is_rest_of_table = cursor.take_phrase(_REST_OF_TABLE) or names_others
    kind = "blinds" if names_blinds else "both" if is_both else "all"
    return _GroupWords(kind, names_everyone, is_rest_of_table)


def _skip_group_tail(cursor: TokenCursor) -> None:
    """Skip `of them`, `players left`, `still in` after the words for a group."""
    if cursor.peek_lower(1) != "in" or cursor.peek_lower() == "still":
        cursor.skip("of", "them", "us", "players", "left", "remaining", "still", "blinds")
    if cursor.peek_lower(-1) == "still":
        cursor.take("in")
    cursor.skip("just")


def _parse_everyone_ante(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse the ante of all players: `antes 5`, `antes`."""
    if not cursor.take_any(frozenset(("ante", "antes"))):
        return []
    amount = cursor.take_amount()
    if amount is None and not cursor.is_at_separator():
        return []
    return [Statement("ante", note_line, verb="everyone", amount=amount)]


def _parse_excepted(cursor: TokenCursor) -> list[Ref]:
    """Parse the players who don't act as the others do: `except Hutch`, `but Al`."""
    start_index = cursor.position
    if cursor.take("except", "for") or cursor.take_any(frozenset(("except", "but"))):
        players = cursor.take_players()
        if players and cursor.is_at_separator():
            return players
    cursor.position = start_index
    return []


def _parse_folds_to(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse `folds around to 8`, `fold round`, `folds to Ana who makes it 10`."""
    cursor.skip("action", "it", "is", "it's")
    if not cursor.take_any(frozenset(["f", "fold", "folds", "folded"])):
        return []
    cursor.skip("back", "all", "the", "way") if cursor.peek_lower(1) in ("around", "round", "the", "to") else None
    folds_around = cursor.take_any(frozenset(("around", "round")))
    if cursor.take("to") and (statements := _parse_next_player(cursor, note_line)):
        return statements
    return [Statement("everyone", note_line, verb="fold", qualifier="all")] if folds_around else []


def _parse_next_player(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse the player to whom all fold, and that player's act: `Ana, who makes it 10`."""
    last_player = cursor.take_player()
    if last_player is None:
        return []
    skip_position(cursor)
    statements = [Statement("folds-to", note_line, players=[last_player])]
    act_start = cursor.position
    cursor.skip(",", "-", "(", "who", "and", "then", *PRONOUNS)
    if next_acts := parse_act(cursor, note_line, [last_player], playing=True):
        return [*statements, *next_acts]
    cursor.position = act_start
    return statements


def _parse_repeated_verb(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse `xx`, `ff`, `check check`: acts of the next players."""
    next_token = cursor.peek()
    if next_token is not None and next_token.kind == "word" and _REPEATED_LETTER.fullmatch(next_token.text):
        cursor.position += 1
        verb = "check" if next_token.low[0] == "x" else "fold"
        return [Statement("next", note_line, verb=verb, count=len(next_token.text))]
    repeated_verb = VERBS.get(cursor.peek_lower(), "")
    if repeated_verb in ("check", "fold", "call"):
        count = 0
        while VERBS.get(cursor.peek_lower(), "") == repeated_verb and cursor.peek_lower() != "k":
            cursor.position += 1
            count += 1
            if cursor.peek_lower() == "," and VERBS.get(cursor.peek_lower(1), "") == repeated_verb:
                cursor.position += 1
        is_whole_statement = (count > 1 and repeated_verb != "call") or (
            count == 1 and cursor.is_at_separator() and cursor.peek_lower() != ":"
        )
        return [Statement("next", note_line, verb=repeated_verb, count=count)] if is_whole_statement else []
    return []


def _parse_checked_around(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    if cursor.take_phrase(_NO_BETS):
        return [Statement("everyone", note_line, verb="check", qualifier="all")] if cursor.is_at_separator() else []
    cursor.skip("it", "is", "was", "they", "action", "all", "gets", "got", "we", "goes") if cursor.peek_lower(
        1
    ) != "call" else None
    if not cursor.take_any(frozenset(("check", "checks", "checked", "x"))):
        return []
    cursor.skip("all", "the", "way", "it")
    if cursor.take("to") and (last_player := cursor.take_player()):
        return _continue_checked_to(cursor, note_line, last_player)
    if cursor.take_any(frozenset(("around", "round", "through", "down"))):
        return [Statement("everyone", note_line, verb="check", qualifier="all")]
    return []


_NO_BETS: Final = index_phrases(
    (
        *(
            ("nobody", "bets"),
            ("nobody", "bet"),
            ("no", "one", "bets"),
            ("no", "one", "bet"),
            ("no", "bets"),
            ("no", "bet"),
        ),
        *(
            ("no", "betting"),
            ("there", "was", "no", "betting"),
            ("there", "was", "no", "bet"),
            ("no", "takers"),
            ("no", "action"),
        ),
        *(("nobody", "wanted", "to", "bet"), ("nobody", "bit"), ("neither", "bets"), ("neither", "bet")),
    )
)


def _continue_checked_to(cursor: TokenCursor, note_line: ScriptLine, last_player: Ref) -> list[Statement]:
    """Parse `checks to Al, who bets 20`."""
    statements = [Statement("checks-to", note_line, players=[last_player])]
    act_start = cursor.position
    cursor.skip(",", "-", "who", "and", *PRONOUNS)
    if next_acts := parse_act(cursor, note_line, [last_player], playing=True):
        return [*statements, *next_acts]
    cursor.position = act_start
    return statements


def _parse_counted_verb(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse `two folds`, `folds x2`."""
    if (count := NUMBER_WORDS.get(cursor.peek_lower(), 0)) and VERBS.get(cursor.peek_lower(1)) in ("fold", "check"):
        verb = VERBS[cursor.peek_lower(1)]
        cursor.position += 2
        return [Statement("next", note_line, verb=verb, count=count)]
    return []


def _parse_dealt_to(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse `dealt to me: Qd Qh`: cards that only their holder sees."""
    if not cursor.take("dealt", "to"):
        return []
    card_holder = cursor.take_player()
    cursor.skip(":")
    cards = cursor.take_cards(7)
    return (
        [Statement("show", note_line, players=[card_holder], cards=" ".join(cards), qualifier="holds")]
        if card_holder and cards
        else []
    )


def _parse_pot_to(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse `push 8 87`, `pot pushed to seat 8`, `pot of 237 to seat 4`."""
    amount: NotedAmount | None = None
    pot_kind = ""
    cursor.skip("dealer")
    if cursor.take_any(frozenset(("push", "pushed", "pushes", "ship"))):
        cursor.skip("pot", "the", "it")
        amount = cursor.take_amount() if cursor.peek_lower() == "(" or cursor.peek_lower(1) == "to" else None
        cursor.skip("to")
    elif cursor.take("the", "pot") or cursor.take("pot") or (pot_kind := _take_pot_kind(cursor)):
        cursor.skip("of", ":", "is", "was", ",", "-")
        amount = cursor.take_amount()
        cursor.skip("goes", "is", "was", "pushed", "shipped", "awarded", "went", "pot", "both", "all", ",", "-")
        if not cursor.take("to"):
            return []
    elif (amount := cursor.take_amount()) is None or not cursor.take("to") or not _at_player_name(cursor):
        return []
    if not (players := cursor.take_players()):
        return []
    cursor.skip(",", ":", "-") if figure_follows(cursor) else None
    return [
        Statement(
            "win", note_line, players=players, verb="win", amount=amount or cursor.take_amount(), qualifier=pot_kind
        )
    ]


def _take_pot_kind(cursor: TokenCursor) -> str:
    """Take `main pot`, `the side`, `both sides`; return which pot it is."""
    start_index = cursor.position
    cursor.skip("the", "both")
    pot_kind = POT_KINDS.get(cursor.peek_lower(), "")
    if not pot_kind:
        cursor.position = start_index
        return ""
    cursor.position += 1
    cursor.skip("pot", "pots")
    return "sides" if cursor.peek_lower(-1) == "pots" and pot_kind == "side" else pot_kind


def _at_player_name(cursor: TokenCursor) -> bool:
    """Whether the next token is a player's name."""
    next_token = cursor.peek()
    return next_token is not None and (
        next_token.kind == "name"
        or next_token.low in ("me", "hero", "seat")
        or (next_token.low[:1] == "s" and next_token.low[1:].isdecimal())
    )


def figure_follows(cursor: TokenCursor) -> bool:
    """Whether an amount follows the next mark."""
    next_token = cursor.peek(1)
    return next_token is not None and parse_figure(next_token) is not None


def _parse_split(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    if (
        cursor.take("split", "pot")
        or cursor.take("chopped", "pot")
        or cursor.take("they", "chop")
        or cursor.take("chop")
    ):
        cursor.skip("it", "the", "pot")
        return [Statement("chop", note_line)]
    return []


def _parse_paid_blinds(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse `Ana ($2) and Bo ($5)` after `blinds posted by`."""
    start_index = cursor.position
    posts: list[Statement] = []
    for blind_role in ("small", "big"):
        poster = cursor.take_player()
        amount = cursor.take_amount() if poster else None
        if poster is None or amount is None:
            cursor.position = start_index
            return []
        posts.append(Statement("post", note_line, players=[poster], verb=blind_role, amount=amount))
        cursor.skip(",", "and", "&", "/")
    return posts


def _parse_winner(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse `Winner: Jun 97`."""
    if not cursor.take_any(frozenset(("winner", "winners"))) or not cursor.take_any(frozenset((":", "-", "is", "was"))):
        return []
    players = cursor.take_players()
    cursor.skip(",", ":", "-", "(", "wins", "pot", "of", "+", "with")
    amount = cursor.take_amount()
    cursor.skip(")")
    return [Statement("win", note_line, players=players, verb="win", amount=amount)] if players else []


def _parse_blinds(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse `sb 2 bb 3`, `blinds Jess and Priya`, `Jess and Priya blinds`."""
    if not cursor.playing and (blind_role := BLIND_ROLES.get(cursor.peek_lower(), "")):
        cursor.position += 1
        cursor.skip("blind", ":", "is", "seat")
        next_token = cursor.peek()
        if poster := cursor.take_player():
            post_statement = Statement("post", note_line, players=[poster], verb=blind_role, qualifier="maybe-amount")
            post_statement.amount = cursor.take_amount()
            if poster.kind == "seat" and next_token is not None and next_token.low.isdecimal():
                post_statement.count = int(next_token.low)
            return [post_statement]
        return []
    if cursor.take("blinds"):
        cursor.skip(":", "are", "is", "were", "posted", "by", "from", "put", "in", "paid", "-", "up")
        if posts := _parse_paid_blinds(cursor, note_line):
            return posts
        blind_players = cursor.take_players()
    else:
        blind_players = cursor.take_players()
        cursor.skip(
            "are",
            "in",
            "the",
            "have",
            "post",
            "had",
            "were",
            "posted",
            "pay",
            "paid",
            "as",
            "with",
            "on",
            "both",
            "put",
        )
        if len(blind_players) != 2 or not cursor.take("blinds"):
            return []
    if len(blind_players) != 2:
        return []
    return [
        Statement("post", note_line, players=[player], verb=blind_role)
        for player, blind_role in zip(blind_players, ("small", "big"), strict=True)
    ]
