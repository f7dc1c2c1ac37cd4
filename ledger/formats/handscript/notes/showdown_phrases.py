"""Showdowns as people write them: cards shown, mucks, pots won."""

from __future__ import annotations

import re
from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.cursor import TokenCursor, index_phrases
from ledger.formats.handscript.notes.statements import Statement
from ledger.formats.handscript.notes.table_words import HAND_WORDS, MUCKS, POSITIONS, POT_KINDS, SHOWS, WINS
from ledger.formats.handscript.notes.tokenizer import parse_figure

_PLACES: Final = frozenset((*POSITIONS, "small", "big", "blind", "blinds"))
_RANKS_ONLY: Final = re.compile(r"[2-9TJQKA]{2,4}[so]?")


_TURNED_OVER: Final = index_phrases((("turns", "over"), ("turned", "over")))


def parse_shown_cards(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    """Parse cards that a player shows, with or without a verb: `2 AhQd`."""
    holding_word = _take_holding_words(cursor)
    show_verb = holding_word or cursor.take_any(SHOWS) or _take_turned_over(cursor)
    cursor.skip(":", "the")
    cards = cursor.take_cards(7)
    if not cards and show_verb:
        cards = _take_described_cards(cursor)
    if not cards and (show_verb or _at_ranks_with_cards(cursor)):
        return _parse_ranks(cursor, note_line)
    if not cards or (not show_verb and len(cards) < 2):
        return None
    skip_hand_description(cursor)
    skip_position(cursor)
    visibility = "holds" if holding_word or show_verb in ("has", "have", "had") else "shows"
    return Statement("show", note_line, cards=" ".join(cards), qualifier=visibility)


def _take_turned_over(cursor: TokenCursor) -> str:
    return "turns" if cursor.take_phrase(_TURNED_OVER) else ""


def _take_described_cards(cursor: TokenCursor) -> list[str]:
    """Take cards after their description: `pocket nines, the 9c and 9d`."""
    start_index = cursor.position
    if skip_hand_description(cursor):
        cursor.skip(",", ":", "-", "(", "the")
        if cards := cursor.take_cards(7):
            return cards
    cursor.position = start_index
    return []


def _at_spaced_ranks(cursor: TokenCursor) -> bool:
    """Whether two ranks come next: `Q J`."""
    tokens = (cursor.peek(), cursor.peek(1))
    return all(token is not None and bool(_ONE_RANK.fullmatch(token.text)) for token in tokens)


_ONE_RANK: Final = re.compile(r"10|[2-9TJQKA]")


def _at_ranks_with_cards(cursor: TokenCursor) -> bool:
    """Whether ranks and then cards come next: `KK (Kh Kc)`."""
    token = cursor.peek()
    has_ranks = token is not None and token.kind == "word" and bool(_RANKS_ONLY.fullmatch(token.text))
    return has_ranks and (
        cursor.peek_lower(1) in ("(", ",", ".", "/", ";", "", "no") or cursor.peek_lower(1) in HAND_WORDS
    )


def _take_holding_words(cursor: TokenCursor) -> str:
    """Take words for cards a player holds without showing them."""
    start_index = cursor.position
    cursor.skip("am", "is", "was", "look", "looks", "pick", "picks", "down", "up", "at", "are")
    if cursor.take_any(frozenset(("dealt", "hold", "holds", "held", "get", "gets", "got"))) or (
        cursor.position > start_index and cursor.peek_lower(-1) in ("up", "at")
    ):
        return "holds"
    cursor.position = start_index
    return ""


def _parse_ranks(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    """Parse cards without suits as a remark."""
    next_token = cursor.peek()
    if next_token is None or not (_RANKS_ONLY.fullmatch(next_token.text) or _at_spaced_ranks(cursor)):
        return None
    cursor.position += 1 if _RANKS_ONLY.fullmatch(next_token.text) else 2
    skip_hand_description(cursor)
    if cursor.peek_lower() == "(" and len(cards := cursor.take_cards(7)) > 1:  # KK (Kh Kc)
        cursor.take(")")
        return Statement("show", note_line, cards=" ".join(cards), qualifier="holds")
    return Statement("remark", note_line)


def skip_hand_description(cursor: TokenCursor) -> bool:
    """Skip a description of a hand; return whether there was one."""
    start_index = cursor.position
    cursor.skip(",", "(", "for")
    word_count = int(cursor.take("got", "there") or cursor.take("no", "good"))
    while cursor.peek_lower() in HAND_WORDS and cursor.peek_lower():
        cursor.position += 1
        word_count += 1
    if not word_count:
        cursor.position = start_index
        return False
    cursor.take(")")
    return True


def parse_muck(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    """Parse `mucks his hand`."""
    if not cursor.take_any(MUCKS):
        return None
    cursor.skip("his", "her", "hand", "the")
    return Statement("muck", note_line, cards=" ".join(cursor.take_cards(7)))


_VAGUE_TOTALS: Final = index_phrases((("or", "so"), ("ish",), ("total", "or", "so")))


def parse_win(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    """Parse a win, with its amount if the notes give one."""
    win_verb = cursor.take_any(WINS) or _take_award_words(cursor) or _take_bust(cursor) or _take_pickup(cursor)
    if not win_verb:
        return _parse_chop(cursor, note_line) or _parse_received_chips(cursor, note_line)
    win_statement = Statement("win", note_line, verb="win")
    if win_verb == "busts":
        return win_statement if cursor.is_at_separator() else None
    cursor.skip("it", "down", "up", "through", "the", "hand", "all", "back", "pot", "blinds", "with", "of")
    cursor.skip("both")
    _take_pot_kind(cursor, win_statement)
    win_statement.amount = cursor.take_amount()
    if cursor.take_phrase(_VAGUE_TOTALS):
        win_statement.amount = None
    cursor.skip("pot", "from", "the", "in", "chips", "uncontested", "each")
    if cursor.peek_lower(-1) == "each":
        win_statement.qualifier = "each"
    skip_hand_description(cursor)
    return win_statement


def _take_pickup(cursor: TokenCursor) -> str:
    """Take `picks up` before an amount or `pot`, or `+` before `pot`."""
    start_index = cursor.position
    if cursor.take("picks", "up") and (cursor.peek_lower() == "pot" or _at_amount(cursor)):
        return "picks"
    if cursor.take("+") and cursor.peek_lower() == "pot":
        return "picks"
    cursor.position = start_index
    return ""


def _parse_chop(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    if not cursor.take_any(frozenset(("split", "splits", "chop", "chops"))):
        return None
    cursor.skip("it", "the", "pot")
    return Statement("chop", note_line, amount=cursor.take_amount())


def _take_pot_kind(cursor: TokenCursor, win_statement: Statement) -> None:
    """Take which pot is won: `main pot`, `side pots`, `main and side`."""
    pot_kind = POT_KINDS.get(cursor.peek_lower(), "")
    if not pot_kind:
        return
    cursor.position += 1
    cursor.skip("pot", "pots", "and", "the")
    win_statement.qualifier = "sides" if cursor.peek_lower(-1) == "pots" else pot_kind
    if cursor.take_any(frozenset(("side", "sides"))):
        win_statement.qualifier = ""
        cursor.skip("pot", "pots")
    if has_figure_ahead(cursor):
        cursor.skip("of", ":", ",")


def _take_bust(cursor: TokenCursor) -> str:
    """Take `busts Carla`, `knocks out Bo`."""
    start_index = cursor.position
    if cursor.take_any(frozenset(("busts", "busted", "eliminates", "eliminated", "felts", "felted"))) or cursor.take(
        "knocks", "out"
    ):
        cursor.skip("out")
        if cursor.take_player():
            return "busts"
    cursor.position = start_index
    return ""


def _take_award_words(cursor: TokenCursor) -> str:
    """Take `was given`, `is awarded`, `is pushed`."""
    start_index = cursor.position
    if cursor.take_any(frozenset(("was", "is", "gets", "got", "being"))) and cursor.take_any(_AWARDED):
        return "wins"
    cursor.position = start_index
    return ""


_AWARDED: Final = frozenset(("given", "awarded", "pushed", "shipped"))


def has_figure_ahead(cursor: TokenCursor) -> bool:
    """Whether an amount comes next, or after one word or mark."""
    tokens = (cursor.peek(), cursor.peek(1))
    return any(token is not None and parse_figure(token) is not None for token in tokens)


def _at_amount(cursor: TokenCursor) -> bool:
    next_token = cursor.peek()
    return next_token is not None and parse_figure(next_token) is not None


def _parse_received_chips(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    """Parse `gets the odd chip`, `gets the pot`, `gets it`."""
    if not cursor.take("gets"):
        return None
    if cursor.take("the", "odd") and (
        chip_name := cursor.take_any(frozenset(["quarter", "chip", "dollar", "dime", "nickel"]))
    ):
        return Statement("odd-chip", note_line, qualifier=chip_name)
    if cursor.take("the", "pot") or cursor.take("it"):
        return Statement("win", note_line, verb="win", amount=cursor.take_amount())
    return None


def parse_next_act(cursor: TokenCursor, note_line: ScriptLine, previous_statement: Statement) -> list[Statement]:
    """Parse the same player's next act: `Barb shows 6d 5d and wins`."""
    is_joined = cursor.peek_lower(-1) in JOINING_WORDS or (
        previous_statement.kind == "show" and cursor.peek_lower() in _OUTCOMES
    )
    if not is_joined or not cursor.peek_lower():
        return []
    if previous_statement.kind == "show" and cursor.peek_lower() in _BEATS:
        return _parse_beaten(cursor, note_line, previous_statement)
    for parse_phrase in (parse_win, parse_shown_cards, parse_muck):
        start_index = cursor.position
        if statement := parse_phrase(cursor, note_line):
            statement.players = list(previous_statement.players)
            return [statement]
        cursor.position = start_index
    return []


def _parse_beaten(cursor: TokenCursor, note_line: ScriptLine, winner: Statement) -> list[Statement]:
    """Parse `beats Bart Kh Ts for the side` after the winner's cards."""
    cursor.position += 1
    if not (loser := cursor.take_player()):
        return []
    cards = cursor.take_cards(7)
    skip_hand_description(cursor)
    statements = (
        [Statement("show", note_line, players=[loser], cards=" ".join(cards), qualifier="shows")] if cards else []
    )
    won = Statement("remark", note_line, players=list(winner.players))
    start_index = cursor.position
    cursor.skip("for", "the")
    if pot_kind := POT_KINDS.get(cursor.peek_lower(), ""):
        cursor.position += 1
        cursor.skip("pot", "pots", "of", ",")
        won = Statement("win", note_line, players=list(winner.players), qualifier=pot_kind, amount=cursor.take_amount())
    else:
        cursor.position = start_index
    return [*statements, won]


_BEATS: Final = frozenset(("beats", "beat", "beating"))
_OUTCOMES: Final = frozenset((*_BEATS, *WINS))
JOINING_WORDS: Final = frozenset(("and", ",", "then", "but"))


def skip_position(cursor: TokenCursor) -> None:
    """Skip the position a player acts from: `from the cutoff`, `on the button`, `in the big blind`."""
    start_index = cursor.position
    if not cursor.take_any(frozenset(("from", "on", "in", "out"))):
        return
    cursor.skip("of")
    cursor.skip("the", "my", "his", "her")
    if cursor.take("small", "blind") or cursor.take("big", "blind") or cursor.take_any(_PLACES):
        return
    cursor.position = start_index
