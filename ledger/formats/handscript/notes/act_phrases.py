"""What players do in a hand, as people write it: posts, acts, cards shown, pots won."""

from __future__ import annotations

import re
from typing import Final

from ledger.formats.handscript.lines import Line
from ledger.formats.handscript.notes.cursor import TokenCursor
from ledger.formats.handscript.notes.sequences import take_verb
from ledger.formats.handscript.notes.statements import NotedAmount, Ref, Statement
from ledger.formats.handscript.notes.table_words import HAND_WORDS, MUCKS, POSITIONS, POSTS, SHOWS, VERBS, WINS
from ledger.formats.handscript.notes.tokenizer import GLUED_ACT, parse_figure, tokenize

_UNCLEAR_WORDS: Final = frozenset(["unclear", "unknown", "unreadable", "?", "illegible"])
_RANKS_ONLY: Final = re.compile(r"[2-9TJQKA]{2,4}[so]?")
BLIND_ROLES: Final = {"small": "small", "sb": "small", "big": "big", "bb": "big"}


def parse_act(cursor: TokenCursor, note_line: Line, players: list[Ref], *, playing: bool) -> list[Statement]:
    """Parse what these players do."""
    cursor.skip(":", "-", "both", "each", "just", "also")
    _skip_thinking(cursor)
    if cursor.take("makes", "the", "call") or cursor.take("made", "the", "call"):
        return [Statement("act", note_line, players=players, verb="call")]
    start_index = cursor.position
    for parse_phrase in (_parse_post, _parse_all_in, _parse_betting, _parse_shown_cards, _parse_muck, _parse_win):
        if statement := parse_phrase(cursor, note_line):
            statement.players = players
            return [statement, *_parse_added_ante(cursor, note_line, players, statement)]
        cursor.position = start_index
    if not playing and len(players) == 1 and (amount := cursor.amount()) and cursor.at_next():
        bare_bet = Statement("bare", note_line, players=players, amount=amount)
        return [bare_bet, *_parse_added_ante(cursor, note_line, players, bare_bet)]
    cursor.position = start_index
    return _parse_bare_bet(cursor, note_line, players) if playing else []


def _parse_bare_bet(cursor: TokenCursor, note_line: Line, players: list[Ref]) -> list[Statement]:
    """Parse a bet or raise written as a player and an amount: `Pham 35`."""
    if len(players) != 1 or players[0].kind in ("seat", "pronoun"):
        return []
    amount = cursor.amount()
    if amount is None or not cursor.at_separator():
        return []
    return [Statement("act", note_line, players=players, verb="bare", amount=amount)]


def _parse_added_ante(
    cursor: TokenCursor, note_line: Line, players: list[Ref], statement: Statement
) -> list[Statement]:
    """Parse an ante added to a post: `S2 600 + ante 600`."""
    start_index = cursor.position
    if statement.kind in ("bare", "post") and (cursor.take("+") or cursor.take("plus") or cursor.take("and")):
        cursor.skip("the", "bb", "big", "blind")
        if cursor.take("ante") and ((amount := cursor.amount()) or cursor.at_separator()):
            return [Statement("ante", note_line, players=players, amount=amount, qualifier="table")]
    cursor.position = start_index
    return []


def _skip_thinking(cursor: TokenCursor) -> None:
    """Skip `thinks for 40 seconds and`."""
    start_index = cursor.position
    if not cursor.take_any(frozenset(("thinks", "tanks", "hesitates", "waits"))):
        return
    cursor.skip("for", "about", "a", "while", "long", "time")
    if cursor.low().isdecimal() and cursor.low(1)[:3] in ("sec", "min"):
        cursor.position += 2
    cursor.skip(",", "and", "then")
    if cursor.at_end:
        cursor.position = start_index


# Posts


def _parse_post(cursor: TokenCursor, note_line: Line) -> Statement | None:
    """Parse a blind, a straddle or an ante."""
    has_post_verb = bool(cursor.take_any(POSTS))
    if not has_post_verb:  # these words need the blind's name
        for lead_words in (("puts", "up"), ("puts", "in"), ("has",), ("is",), ("in",)):
            if cursor.take(*lead_words):
                break
    cursor.skip("the", "a", "his", "her")
    straddle_word = cursor.take_any(frozenset(("straddle", "straddles", "strad", "straddled")))
    if straddle_word:
        cursor.skip("to", "for", "of", "it")
        return Statement("straddle", note_line, amount=cursor.amount())
    if cursor.take_any(frozenset(("ante", "antes"))):
        return Statement("ante", note_line, amount=cursor.amount())
    if cursor.take("both", "blinds"):
        return Statement("post", note_line, verb="both", amount=cursor.amount())
    is_makeup = cursor.take("missed") or cursor.take("make-up") or cursor.take("makeup")
    blind_role = BLIND_ROLES.get(cursor.low(), "")
    if blind_role:
        cursor.position += 1
        cursor.skip("blind", "of", ":", "for")
        if blind_role == "small" and cursor.take("and", "big"):
            cursor.skip("blind")
            return Statement("post", note_line, verb="both", amount=cursor.amount())
        post_statement = Statement(
            "post", note_line, verb=f"makeup-{blind_role}" if is_makeup else blind_role, amount=cursor.amount()
        )
        _take_dead_part(cursor, post_statement)
        post_statement.all_in = _take_all_in_aside(cursor)
        return post_statement
    if has_post_verb and cursor.low() and (amount := cursor.amount()):
        post_statement = Statement("post", note_line, verb="makeup" if is_makeup else "", amount=amount)
        _take_dead_part(cursor, post_statement)
        post_statement.all_in = _take_all_in_aside(cursor)
        return post_statement
    if has_post_verb and cursor.at_separator() and cursor.low(-1) in POSTS:
        return Statement("post", note_line)
    return None


def _take_dead_part(cursor: TokenCursor, post_statement: Statement) -> None:
    """Take the dead part of a post: `15, 5 of it dead`, `10 dead 5`, `15 (5 dead)`."""
    start_index = cursor.position
    cursor.skip(",", "(", "of", "which", "with", "plus", "+", "and")
    if cursor.take("dead") and (amount := cursor.amount()):
        post_statement.dead, post_statement.qualifier = amount, "live"  # 10 dead 5: ten are live
        cursor.take(")")
        return
    amount = cursor.amount()
    if amount is not None:
        cursor.skip("of", "it", "which", "is", "are", "them")
        if cursor.take("dead"):
            post_statement.dead, post_statement.qualifier = amount, "total"
            cursor.take(")")
            return
    cursor.position = start_index


# Acts


def _take_all_in_aside(cursor: TokenCursor) -> bool:
    """Take an all-in aside; return whether there was one."""
    start_index = cursor.position
    cursor.skip(",", "(", "and", "is", "goes", "for", "-", "puts", "him", "her", "himself", "herself")
    if _take_all_in_words(cursor):
        cursor.take(")")
        return True
    cursor.position = start_index
    return False


def _take_all_in_words(cursor: TokenCursor) -> bool:
    if cursor.take("all", "in") or cursor.take("all", "-", "in"):
        return True
    return bool(cursor.take_any(frozenset(("all-in", "allin", "ai"))))


def _parse_all_in(cursor: TokenCursor, note_line: Line) -> Statement | None:
    """Parse `all in`, `shoves`, `moves all in for 72`."""
    if cursor.take("puts", "in") or cursor.take("put", "in"):
        cursor.skip("his", "her", "my", "the")
        if not cursor.take_any(frozenset(("last", "remaining"))):
            return None
        all_in_act = Statement("act", note_line, verb="all-in", all_in=True)
        _take_size(cursor, all_in_act)
        return all_in_act
    cursor.take_any(frozenset(["goes", "moves", "is", "pushes", "puts", "gets", "went", "moved", "go", "move", "push"]))
    cursor.skip("it")
    first_word = cursor.low()
    if not (_take_all_in_words(cursor) or (VERBS.get(first_word) == "all-in" and cursor.take(first_word))):
        return None
    cursor.skip("for", "with", ":", "at", "his", "her", "last", "to")
    all_in_act = Statement("act", note_line, verb="all-in", all_in=True)
    _take_size(cursor, all_in_act)
    if all_in_act.amount is None:
        start_index = cursor.position
        if cursor.take(",") or cursor.take("(", "count", ":"):
            all_in_act.amount = cursor.amount()
            cursor.take(")")
            if all_in_act.amount is None or not cursor.at_separator():
                cursor.position, all_in_act.amount = start_index, None
    _take_unclear_mark(cursor, all_in_act)
    return all_in_act


def _parse_betting(cursor: TokenCursor, note_line: Line) -> Statement | None:
    """Parse a fold, check, call, bet or raise."""
    first_word = cursor.low()
    verb, amount = take_verb(cursor)
    if first_word in ("3b", "4b") and (cursor.low(1) == "to" or cursor.low(1).isdecimal()):
        verb, cursor.position = "raise", cursor.position + 1
    if not verb or verb == "all-in":
        return None
    bet_statement = Statement("act", note_line, verb=verb, amount=amount)
    if amount is not None:
        bet_statement.qualifier = "to" if verb == "raise" else ""
        bet_statement.all_in = _take_all_in_aside(cursor)
        return bet_statement
    if verb == "fold":
        cursor.skip("it", "them")
        if cursor.low() in ("his", "her", "the", "my") and cursor.low(2) in ("blind", "bb", "sb"):
            cursor.position += 3
        cursor.skip("out", "face", "down") if cursor.low() == "face" else None
        bet_statement.qualifier = "out-of-turn" if cursor.take("out", "of", "turn") else ""
        return bet_statement
    if verb == "check":
        cursor.skip("back", "it", "behind")
        if cursor.take("the", "table"):
            return bet_statement
        bet_statement.qualifier = "out-of-turn" if cursor.take("out", "of", "turn") else ""
        return bet_statement
    if verb == "makes" and not cursor.take("it"):
        return None
    if verb == "pots":
        bet_statement.verb, bet_statement.cards = "open", "pot"
        cursor.skip("it")
    if verb == "complete":
        cursor.skip("the", "small", "blind", "sb")
    if verb == "raise":
        bet_statement.qualifier = "to" if first_word in ("r", "rr") else ""
    cursor.skip("it", "out", "in")
    if verb == "call" and (
        cursor.take("the", "bet") or cursor.take("the", "big", "blind") or cursor.take("the", "raise")
    ):
        return bet_statement
    _take_size_preposition(cursor, bet_statement)
    _take_size(cursor, bet_statement)
    if bet_statement.verb == "raise" and bet_statement.amount and cursor.take("more"):
        bet_statement.qualifier = "by"
    cursor.skip("to", "go") if cursor.low() == "to" and cursor.low(1) == "go" else cursor.skip("more", "straight")
    _take_unclear_mark(cursor, bet_statement)
    bet_statement.all_in = _take_all_in_aside(cursor) or bet_statement.all_in
    if bet_statement.all_in and bet_statement.amount is None:
        cursor.skip("for", "at")
        _take_size(cursor, bet_statement)
    _take_unclear_mark(cursor, bet_statement)
    skip_position(cursor)
    bet_statement.qualifier = (
        "out-of-turn" if verb == "call" and cursor.take("out", "of", "turn") else bet_statement.qualifier
    )
    return bet_statement


def skip_position(cursor: TokenCursor) -> None:
    """Skip the position a player acts from: `from the cutoff`, `on the button`, `in the big blind`."""
    start_index = cursor.position
    if not cursor.take_any(frozenset(("from", "on", "in"))):
        return
    cursor.skip("the", "my", "his", "her")
    if cursor.take("small", "blind") or cursor.take("big", "blind") or cursor.take_any(frozenset(POSITIONS)):
        return
    cursor.position = start_index


def _take_size_preposition(cursor: TokenCursor, bet_statement: Statement) -> None:
    """Take the words before an amount: `to`, `by`, `from`."""
    if cursor.take("from"):
        if cursor.amount() is None:
            return
        bet_statement.qualifier = "to" if cursor.take("to") else "?"
        return
    if cursor.take("up", "to") or cursor.take("to"):
        bet_statement.qualifier = "to"
    elif cursor.take("another") or cursor.take("by"):
        bet_statement.qualifier = "by"
    else:
        cursor.skip("for", "of")
        if cursor.low() in ("his", "her", "my", "their") and cursor.low(1) in ("last", "remaining"):
            cursor.position += 2
            bet_statement.all_in = True


def _take_size(cursor: TokenCursor, bet_statement: Statement) -> None:
    """Take the size of a bet, call or raise."""
    if cursor.take("pot") or cursor.take("the", "pot"):
        bet_statement.cards = "pot"
        cursor.skip("again")
    amount = cursor.amount()
    if amount is not None:
        bet_statement.amount = amount
        bet_statement.unclear = bet_statement.unclear or amount.approximate


def _take_unclear_mark(cursor: TokenCursor, bet_statement: Statement) -> None:
    """Take a note that the size is unknown."""
    start_index = cursor.position
    cursor.skip(",", "(", "amount", "size", "an", "is", "some")
    if cursor.take_any(_UNCLEAR_WORDS):
        cursor.skip("amount", "size", ")")
        bet_statement.unclear = True
    else:
        cursor.position = start_index


# Showdown


def _parse_shown_cards(cursor: TokenCursor, note_line: Line) -> Statement | None:
    """Parse cards that a player shows, with or without a verb: `2 AhQd`."""
    holding_word = _take_holding_words(cursor)
    show_verb = (
        holding_word
        or cursor.take_any(SHOWS)
        or (cursor.take("turns", "over") and "turns")
        or (cursor.take("turned", "over") and "t")
    )
    cursor.skip(":", "the")
    cards = cursor.cards(7)
    if show_verb and not cards:
        return _parse_ranks(cursor, note_line)
    if not cards or (not show_verb and len(cards) < 2):
        return None
    skip_hand_description(cursor)
    skip_position(cursor)
    visibility = "holds" if holding_word or show_verb in ("has", "have", "") else "shows"
    return Statement("show", note_line, cards=" ".join(cards), qualifier=visibility)


def _take_holding_words(cursor: TokenCursor) -> str:
    """Take words for cards a player holds without showing them."""
    start_index = cursor.position
    cursor.skip("am", "is", "was", "look", "looks", "pick", "picks", "down", "up", "at", "are")
    if cursor.take_any(frozenset(("dealt", "hold", "holds", "held", "get", "gets", "got"))) or (
        cursor.position > start_index and cursor.low(-1) in ("up", "at")
    ):
        return "holds"
    cursor.position = start_index
    return ""


def _parse_ranks(cursor: TokenCursor, note_line: Line) -> Statement | None:
    """Parse cards without suits as a remark."""
    next_token = cursor.peek()
    if next_token is None or not _RANKS_ONLY.fullmatch(next_token.text):
        return None
    cursor.position += 1
    skip_hand_description(cursor)
    return Statement("remark", note_line)


def skip_hand_description(cursor: TokenCursor) -> bool:
    """Skip a description of a hand; return whether there was one."""
    start_index = cursor.position
    cursor.skip(",", "(", "for")
    word_count = int(cursor.take("got", "there"))
    while cursor.low() in HAND_WORDS and cursor.low():
        cursor.position += 1
        word_count += 1
    if not word_count:
        cursor.position = start_index
        return False
    cursor.take(")")
    return True


def _parse_muck(cursor: TokenCursor, note_line: Line) -> Statement | None:
    if not cursor.take_any(MUCKS):
        return None
    cursor.skip("his", "her", "hand", "the")
    return Statement("muck", note_line, cards=" ".join(cursor.cards(7)))


def _parse_win(cursor: TokenCursor, note_line: Line) -> Statement | None:
    """Parse a win, with its amount if the notes give one."""
    win_verb = cursor.take_any(WINS)
    if not win_verb and (cursor.take("picks", "up") or cursor.take("+")):
        win_verb = "picks"
        if cursor.low() != "pot" and (cursor.low(-1) == "+" or not _at_amount(cursor)):
            return None
    if not win_verb:
        if cursor.take_any(frozenset(("split", "splits", "chop", "chops"))):
            cursor.skip("it", "the", "pot")
            return Statement("chop", note_line, amount=cursor.amount())
        return _parse_odd_chip(cursor, note_line) if cursor.take("gets") else None
    win_statement = Statement("win", note_line, verb="win")
    cursor.skip(
        "it", "down", "up", "through", "the", "hand", "all", "back", "pot", "blinds", "with", "of"
    ) if win_verb else None
    if cursor.take_any(frozenset(("main", "side"))):
        win_statement.qualifier = cursor.low(-1)
        cursor.skip("pot", "and", "the")
        if cursor.take("side"):
            win_statement.qualifier = ""
            cursor.skip("pot", "pots")
        cursor.skip("of", ":")
    win_statement.amount = cursor.amount()
    cursor.skip("pot", "from", "the", "in", "chips", "uncontested", "each")
    if cursor.low(-1) == "each":
        win_statement.qualifier = "each"
    skip_hand_description(cursor)
    return win_statement


def _at_amount(cursor: TokenCursor) -> bool:
    next_token = cursor.peek()
    return next_token is not None and parse_figure(next_token) is not None


def _parse_odd_chip(cursor: TokenCursor, note_line: Line) -> Statement | None:
    if cursor.take("the", "odd") and (
        chip_name := cursor.take_any(frozenset(["quarter", "chip", "dollar", "dime", "nickel"]))
    ):
        return Statement("odd-chip", note_line, qualifier=chip_name)
    if cursor.take("the", "pot") or cursor.take("it"):
        return Statement("win", note_line, verb="win", amount=cursor.amount())
    return None


# Acts in short


def parse_glued_act(cursor: TokenCursor, note_line: Line) -> list[Statement]:
    """Parse `8b25`, `2f`, `2AI`."""
    next_token = cursor.peek()
    glued_match = (
        GLUED_ACT.fullmatch(next_token.text)
        if next_token is not None and next_token.kind in ("word", "number")
        else None
    )
    if glued_match is None or int(glued_match[1]) not in cursor.seats:
        return []
    cursor.position += 1
    verb = VERBS[glued_match[2].lower()]
    statement = Statement(
        "act", note_line, players=[Ref("seat", glued_match[1], int(glued_match[1]))], verb=verb, all_in=verb == "all-in"
    )
    if verb == "raise":
        statement.qualifier = "to"
    if glued_match[3]:
        (amount_token,) = tokenize(glued_match[3])
        statement.amount = parse_figure(amount_token)
    elif verb not in ("fold", "check"):
        _take_size(cursor, statement) if cursor.low() not in map(str, cursor.seats) else None
    return [statement]


def parse_next_act(cursor: TokenCursor, note_line: Line, previous_statement: Statement) -> list[Statement]:
    """Parse the same player's next act: `Barb shows 6d 5d and wins`."""
    if cursor.low(-1) not in JOINING_WORDS or not cursor.low():
        return []
    for parse_phrase in (_parse_win, _parse_shown_cards, _parse_muck):
        start_index = cursor.position
        if statement := parse_phrase(cursor, note_line):
            statement.players = list(previous_statement.players)
            return [statement]
        cursor.position = start_index
    return []


JOINING_WORDS: Final = frozenset(("and", ",", "then", "but"))


def amount_text(amount: NotedAmount) -> str:
    """Return an amount in handscript notation."""
    return format(amount.value.normalize(), "f")
