"""What players do in a hand, as people write it: posts, acts, cards shown, pots won."""

from __future__ import annotations

from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.cursor import TokenCursor, index_phrases
from ledger.formats.handscript.notes.sequences import take_verb
from ledger.formats.handscript.notes.showdown_phrases import parse_muck, parse_shown_cards, parse_win, skip_position
from ledger.formats.handscript.notes.statements import NotedAmount, Ref, Statement
from ledger.formats.handscript.notes.table_words import POSTS, VERBS
from ledger.formats.handscript.notes.tokenizer import GLUED_ACT, parse_figure, tokenize

_UNCLEAR_WORDS: Final = frozenset(["unclear", "unknown", "unreadable", "?", "illegible"])
_CALLS: Final = index_phrases((("makes", "the", "call"), ("made", "the", "call")))
_REFUSALS_TO_SHOW: Final = index_phrases(
    (*negation.split(), "show")
    for negation in ("didn't", "doesn't", "don't", "did not", "does not", "do not", "won't", "never")
)
BLIND_ROLES: Final = {"small": "small", "sb": "small", "big": "big", "bb": "big"}


def parse_act(cursor: TokenCursor, note_line: ScriptLine, players: list[Ref], *, playing: bool) -> list[Statement]:
    """Parse what these players do."""
    _skip_words_before_act(cursor)
    if cursor.take_phrase(_CALLS):
        return [Statement("act", note_line, players=players, verb="call")]
    if cursor.take_phrase(_REFUSALS_TO_SHOW):
        cursor.skip("his", "her", "hand", "cards")
        return [Statement("gap", note_line, players=players)]
    if statements := _parse_verb_phrase(cursor, note_line, players):
        return statements
    if not playing and len(players) == 1 and (statements := _parse_bare_post(cursor, note_line, players)):
        return statements
    if playing or "to" in (cursor.peek_lower(), cursor.peek_lower(1)):
        return _parse_bare_bet(cursor, note_line, players)
    return []


def _skip_words_before_act(cursor: TokenCursor) -> None:
    """Skip marks and words between players and their act: `both just`, `thinks and`."""
    cursor.skip(":", "-", "=", "both", "each", "just", "also", "then", "now", "simply")
    if cursor.peek_lower(1) in VERBS:
        cursor.skip("all")
    _skip_thinking(cursor)


def _parse_verb_phrase(cursor: TokenCursor, note_line: ScriptLine, players: list[Ref]) -> list[Statement]:
    """Parse a post, an act or a result that a verb or cards name; take nothing if there is none."""
    start_index = cursor.position
    for parse_phrase in (_parse_post, _parse_all_in, _parse_betting, parse_shown_cards, parse_muck, parse_win):
        has_pot = len(players) > 1 and parse_phrase is _parse_betting and _has_pot_after(cursor)
        if statement := parse_phrase(cursor, note_line):
            statement.players = players
            skip_position(cursor)
            _skip_own_cards(cursor)
            if has_pot and statement.verb == "call" and statement.amount is not None:
                pot, statement.amount = statement.amount, None
                return [statement, Statement("pot", note_line, amount=pot)]
            return [statement, *_parse_added_ante(cursor, note_line, players, statement)]
        cursor.position = start_index
    return []


def _parse_bare_post(cursor: TokenCursor, note_line: ScriptLine, players: list[Ref]) -> list[Statement]:
    """Parse an amount without a verb before the deal: `Uri $1 big`, `Uri 2`; take nothing if there is none."""
    start_index = cursor.position
    if statement := _parse_blind_last(cursor, note_line, players):
        return [statement]
    cursor.position = start_index
    if (amount := cursor.take_amount()) and cursor.is_at_next_statement():
        bare_bet = Statement("bare", note_line, players=players, amount=amount)
        return [bare_bet, *_parse_added_ante(cursor, note_line, players, bare_bet)]
    cursor.position = start_index
    return []


def _parse_blind_last(cursor: TokenCursor, note_line: ScriptLine, players: list[Ref]) -> Statement | None:
    """Parse a post whose blind comes last: `Uri $1 big`, `Uri 2 bb`."""
    amount = cursor.take_amount()
    if amount is None:
        return None
    cursor.skip("for", "as", "in", "the", "(")
    role = BLIND_ROLES.get(cursor.peek_lower(), "")
    cursor.position += bool(role)
    cursor.skip("blind", ")")
    return (
        Statement("post", note_line, players=players, verb=role, amount=amount)
        if role and cursor.is_at_next_statement()
        else None
    )


def _skip_own_cards(cursor: TokenCursor) -> None:
    """Skip cards that a player holds while acting: `calls w/ JhTh`, `raises with AhKh`."""
    start_index = cursor.position
    if cursor.take("for", "less") or (cursor.take_any(frozenset(("for", "with"))) and _take_all_chips(cursor)):
        return
    cursor.position = start_index
    if not ((cursor.take("w", "/") or cursor.take("with") or cursor.take("holding")) and cursor.take_cards(4)):
        cursor.position = start_index


def _take_all_chips(cursor: TokenCursor) -> bool:
    """Take `her last chips`, `all of his chips`, `the rest`."""
    start_index = cursor.position
    cursor.skip("all", "of", "his", "her", "my", "the", "last", "remaining", "whole", "few")
    return cursor.position > start_index and bool(cursor.take_any(frozenset(("chips", "rest", "stack", "money"))))


def _has_pot_after(cursor: TokenCursor) -> bool:
    """Whether a verb and a number in parentheses come next: `Bo and Cy call (24)`."""
    return cursor.peek_lower(1) == "("


def _parse_bare_bet(cursor: TokenCursor, note_line: ScriptLine, players: list[Ref]) -> list[Statement]:
    """Parse a bet or raise written as a player and an amount: `Pham 35`, `Olu to 3`."""
    if len(players) != 1 or players[0].kind == "pronoun":
        return []
    if (
        (cursor.take("pot", "to") or cursor.take("pots", "to") or cursor.take("to"))
        and (total := cursor.take_amount())
        and cursor.is_at_next_statement()
    ):
        return [Statement("act", note_line, players=players, verb="makes", amount=total, qualifier="to")]
    if players[0].kind == "seat":
        return []
    amount = cursor.take_amount()
    if amount is None or not cursor.is_at_next_statement():
        return []
    return [Statement("act", note_line, players=players, verb="bare", amount=amount)]


def _parse_added_ante(
    cursor: TokenCursor, note_line: ScriptLine, players: list[Ref], statement: Statement
) -> list[Statement]:
    """Parse an ante added to a post: `S2 600 + ante 600`."""
    start_index = cursor.position
    if statement.kind in ("bare", "post") and (cursor.take("+") or cursor.take("plus") or cursor.take("and")):
        cursor.skip("the", "bb", "big", "blind")
        if cursor.take("ante") and ((amount := cursor.take_amount()) or cursor.is_at_separator()):
            return [Statement("ante", note_line, players=players, amount=amount, qualifier="table")]
    cursor.position = start_index
    return []


_THINKING: Final = frozenset(
    [
        "thinks",
        "thought",
        "tanks",
        "tanked",
        "hesitates",
        "hesitated",
        "waits",
        "waited",
        "ponders",
        "pondered",
        "deliberates",
        "deliberated",
        "stalls",
        "stalled",
        "sighs",
        "sighed",
        "shrugs",
        "shrugged",
        "pauses",
        "paused",
    ]
)


def _skip_thinking(cursor: TokenCursor) -> None:
    """Skip `thinks for 40 seconds and`."""
    start_index = cursor.position
    if not cursor.take_any(_THINKING):
        return
    cursor.skip("for", "about", "a", "while", "long", "time")
    if cursor.peek_lower().isdecimal() and cursor.peek_lower(1)[:3] in ("sec", "min"):
        cursor.position += 2
    cursor.skip(",", "and", "then")
    if cursor.at_end:
        cursor.position = start_index


# Posts


_WORDS_BEFORE_BLIND: Final = index_phrases((("puts", "up"), ("puts", "in"), ("has",), ("is",), ("in",)))
_MISSED_WORDS: Final = ("missed", "make-up", "makeup")


def _parse_post(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    """Parse a blind, a straddle or an ante."""
    has_post_verb = bool(cursor.take_any(POSTS))
    if not has_post_verb:
        cursor.take_phrase(_WORDS_BEFORE_BLIND)
    cursor.skip("the", "a", "his", "her")
    if straddle_or_ante := _parse_straddle_or_ante(cursor, note_line):
        return straddle_or_ante
    if cursor.take("both", "blinds"):
        return Statement("post", note_line, verb="both", amount=cursor.take_amount())
    is_makeup = bool(cursor.take_any(_MISSED_WORDS))
    if cursor.peek_lower() in BLIND_ROLES:
        return _parse_named_blind(cursor, note_line, is_makeup=is_makeup)
    if has_post_verb:
        return _parse_unnamed_post(cursor, note_line, is_makeup=is_makeup)
    return None


def _parse_straddle_or_ante(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    if cursor.take_any(frozenset(("straddle", "straddles", "strad", "straddled"))):
        cursor.skip("to", "for", "of", "it")
        return Statement("straddle", note_line, amount=cursor.take_amount())
    if cursor.take_any(frozenset(("ante", "antes"))):
        return Statement("ante", note_line, amount=cursor.take_amount())
    return None


def _parse_named_blind(cursor: TokenCursor, note_line: ScriptLine, *, is_makeup: bool) -> Statement:
    """Parse a blind that begins with its name: `small 5`, `bb 10, 5 of it dead`, `small and big blind`."""
    blind_role = BLIND_ROLES[cursor.peek_lower()]
    cursor.position += 1
    cursor.skip("blind", "of", ":", "for")
    if blind_role == "small" and cursor.take("and", "big"):
        cursor.skip("blind")
        return Statement("post", note_line, verb="both", amount=cursor.take_amount())
    verb = f"makeup-{blind_role}" if is_makeup else blind_role
    return _parse_post_details(cursor, Statement("post", note_line, verb=verb, amount=cursor.take_amount()))


def _parse_unnamed_post(cursor: TokenCursor, note_line: ScriptLine, *, is_makeup: bool) -> Statement | None:
    """Parse what follows `posts` without the name of a blind: its amount, or nothing."""
    if amount := cursor.take_amount():
        verb = "makeup" if is_makeup else ""
        return _parse_post_details(cursor, Statement("post", note_line, verb=verb, amount=amount))
    if cursor.is_at_separator() and cursor.peek_lower(-1) in POSTS:
        return Statement("post", note_line)
    return None


def _parse_post_details(cursor: TokenCursor, post_statement: Statement) -> Statement:
    """Parse what follows the amount of a post: its dead part, `all-in`; return the post."""
    _take_dead_part(cursor, post_statement)
    post_statement.all_in = _take_all_in_aside(cursor)
    return post_statement


def _take_dead_part(cursor: TokenCursor, post_statement: Statement) -> None:
    """Take the dead part of a post: `15, 5 of it dead`, `10 dead 5`, `15 (5 dead)`."""
    start_index = cursor.position
    cursor.skip(",", "(", "of", "which", "with", "plus", "+", "and")
    if cursor.take("dead") and (amount := cursor.take_amount()):
        post_statement.dead, post_statement.qualifier = amount, "live"  # 10 dead 5: ten are live
        cursor.take(")")
        return
    amount = cursor.take_amount()
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


def _parse_all_in(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
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
    first_word = cursor.peek_lower()
    if not (_take_all_in_words(cursor) or (VERBS.get(first_word) == "all-in" and cursor.take(first_word))):
        return None
    cursor.skip("for", "with", ":", "at", "his", "her", "last", "to")
    all_in_act = Statement("act", note_line, verb="all-in", all_in=True)
    _take_size(cursor, all_in_act)
    if all_in_act.amount is None:
        start_index = cursor.position
        if (
            cursor.take("(", "count", ":")
            or cursor.take(",", "which", "was")
            or cursor.take(",", "which", "is")
            or cursor.take(",")
        ):
            all_in_act.amount = cursor.take_amount()
            cursor.take(")")
            if all_in_act.amount is None or not cursor.is_at_separator():
                cursor.position, all_in_act.amount = start_index, None
    _take_unclear_mark(cursor, all_in_act)
    return all_in_act


def _parse_betting(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    """Parse a fold, check, call, bet or raise."""
    first_word = cursor.peek_lower()
    verb, amount = take_verb(cursor)
    if first_word in ("3b", "4b") and (cursor.peek_lower(1) == "to" or cursor.peek_lower(1).isdecimal()):
        verb, cursor.position = "raise", cursor.position + 1
    if not verb or verb == "all-in":
        return None
    bet_statement = Statement("act", note_line, verb=verb, amount=amount)
    if amount is not None:
        bet_statement.qualifier = "to" if verb == "raise" else ""
        bet_statement.all_in = _take_all_in_aside(cursor)
    elif verb == "fold":
        _take_fold_words(cursor, bet_statement)
    elif verb == "check":
        _take_check_words(cursor, bet_statement)
    elif verb == "makes" and not cursor.take("it"):
        return None
    else:
        if verb == "raise" and (first_word in ("r", "rr") or first_word[:1] in ("3", "4", "5")):
            bet_statement.qualifier = "to"
        _parse_sized_act(cursor, bet_statement)
    return bet_statement


def _take_fold_words(cursor: TokenCursor, fold_statement: Statement) -> None:
    """Take what follows a fold: `her big blind`, `face down`, `out of turn`."""
    cursor.skip("it", "them")
    if cursor.peek_lower() in ("his", "her", "the", "my") and cursor.peek_lower(2) in ("blind", "bb", "sb"):
        cursor.position += 3
    if cursor.peek_lower() == "face":
        cursor.skip("out", "face", "down")
    _take_out_of_turn(cursor, fold_statement)


def _take_check_words(cursor: TokenCursor, check_statement: Statement) -> None:
    """Take what follows a check: `back`, `the table`, `out of turn`."""
    cursor.skip("back", "it", "behind")
    if not cursor.take("the", "table"):
        _take_out_of_turn(cursor, check_statement)


def _take_out_of_turn(cursor: TokenCursor, act_statement: Statement) -> None:
    if cursor.take("out", "of", "turn"):
        act_statement.qualifier = "out-of-turn"


_CALLED_BETS: Final = index_phrases((("the", "bet"), ("the", "big", "blind"), ("the", "raise")))


def _parse_sized_act(cursor: TokenCursor, bet_statement: Statement) -> None:
    """Parse what follows a call, bet or raise: its size, `all-in`, `out of turn`."""
    verb = bet_statement.verb
    if verb == "pots":
        bet_statement.verb, bet_statement.cards = "open", "pot"
    elif verb == "complete":
        cursor.skip("the", "small", "blind", "sb")
    cursor.skip("it", "out", "in")
    if verb == "call" and cursor.take_phrase(_CALLED_BETS):
        return
    _take_size_preposition(cursor, bet_statement)
    _take_size(cursor, bet_statement)
    if verb == "raise" and bet_statement.amount and cursor.take("more"):
        bet_statement.qualifier = "by"
    if cursor.peek_lower() == "to" and cursor.peek_lower(1) == "go":
        cursor.skip("to", "go")
    else:
        cursor.skip("more", "straight")
    _take_unclear_mark(cursor, bet_statement)
    bet_statement.all_in = _take_all_in_aside(cursor) or bet_statement.all_in
    if bet_statement.all_in and bet_statement.amount is None:
        cursor.skip("for", "at", "with", "his", "her", "my", "last", "remaining", "the", "of")
        _take_size(cursor, bet_statement)
    _take_unclear_mark(cursor, bet_statement)
    skip_position(cursor)
    if verb == "call":
        _take_out_of_turn(cursor, bet_statement)


def _take_size_preposition(cursor: TokenCursor, bet_statement: Statement) -> None:
    """Take the words before an amount: `to`, `by`, `from`."""
    if cursor.peek_lower() == "from":
        start_index, cursor.position = cursor.position, cursor.position + 1
        if cursor.take_amount() is None:
            cursor.position = start_index
            return
        bet_statement.qualifier = "to" if cursor.take("to") else "?"
        return
    if cursor.take("up", "to") or cursor.take("to"):
        bet_statement.qualifier = "to"
    elif cursor.take("another") or cursor.take("by"):
        bet_statement.qualifier = "by"
    else:
        cursor.skip("for", "of")
        if cursor.peek_lower() in ("his", "her", "my", "their") and cursor.peek_lower(1) in ("last", "remaining"):
            cursor.position += 2
            bet_statement.all_in = True


def _take_size(cursor: TokenCursor, bet_statement: Statement) -> None:
    """Take the size of a bet, call or raise."""
    if cursor.take("pot") or cursor.take("the", "pot"):
        bet_statement.cards = "pot"
        cursor.skip("again", "to", "for")
    amount = cursor.take_amount()
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


# Acts in short


def parse_glued_act(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
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
    elif verb not in ("fold", "check") and cursor.peek_lower() not in map(str, cursor.seats):
        _take_size(cursor, statement)
    return [statement]


def format_amount(amount: NotedAmount) -> str:
    """Return an amount in handscript notation."""
    return format(amount.value.normalize(), "f")
