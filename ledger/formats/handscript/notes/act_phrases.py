"""What players do in a hand, as people write it: posts, acts, cards shown, pots won."""

from __future__ import annotations

import re
from typing import Final

from ledger.formats.handscript.lines import Line
from ledger.formats.handscript.notes.cursor import TokenCursor
from ledger.formats.handscript.notes.sequences import take_verb
from ledger.formats.handscript.notes.statements import NotedAmount, Ref, Statement
from ledger.formats.handscript.notes.table_words import HAND_WORDS, MUCKS, POSITIONS, POSTS, SHOWS, VERBS, WINS
from ledger.formats.handscript.notes.tokenizer import GLUED, figure, tokenize

_UNCLEAR: Final = frozenset(["unclear", "unknown", "unreadable", "?", "illegible"])
_RANKS: Final = re.compile(r"[2-9TJQKA]{2,4}[so]?")
BLIND_OF: Final = {"small": "small", "sb": "small", "big": "big", "bb": "big"}


def act(cursor: TokenCursor, line: Line, who: list[Ref], *, playing: bool) -> list[Statement]:
    """Return what these players do."""
    cursor.skip(":", "-", "both", "each", "just", "also")
    _think(cursor)
    if cursor.take("makes", "the", "call") or cursor.take("made", "the", "call"):
        return [Statement("act", line, who=who, verb="call")]
    begin = cursor.at
    for reader in (_post, _all_in, _betting, _cards, _muck, _win):
        if statement := reader(cursor, line):
            statement.who = who
            return [statement, *_more_of(cursor, line, who, statement)]
        cursor.at = begin
    if not playing and len(who) == 1 and (amount := cursor.amount()) and cursor.at_next():
        bare = Statement("bare", line, who=who, amount=amount)
        return [bare, *_more_of(cursor, line, who, bare)]
    cursor.at = begin
    return _bare_bet(cursor, line, who) if playing else []


def _bare_bet(cursor: TokenCursor, line: Line, who: list[Ref]) -> list[Statement]:
    """Return a bet or raise that is no more than a player and an amount: `Pham 35`."""
    if len(who) != 1 or who[0].kind in ("seat", "pronoun"):
        return []
    amount = cursor.amount()
    if amount is None or not cursor.at_separator():
        return []
    return [Statement("act", line, who=who, verb="bare", amount=amount)]


def _more_of(cursor: TokenCursor, line: Line, who: list[Ref], statement: Statement) -> list[Statement]:
    """Return what a post is followed by: `S2 600 + ante 600`."""
    begin = cursor.at
    if statement.kind in ("bare", "post") and (cursor.take("+") or cursor.take("plus") or cursor.take("and")):
        cursor.skip("the", "bb", "big", "blind")
        if cursor.take("ante") and ((amount := cursor.amount()) or cursor.at_separator()):
            return [Statement("ante", line, who=who, amount=amount, how="table")]
    cursor.at = begin
    return []


def _think(cursor: TokenCursor) -> None:
    """Skip `thinks for 40 seconds and`."""
    begin = cursor.at
    if not cursor.take_any(frozenset(("thinks", "tanks", "hesitates", "waits"))):
        return
    cursor.skip("for", "about", "a", "while", "long", "time")
    if cursor.low().isdecimal() and cursor.low(1)[:3] in ("sec", "min"):
        cursor.at += 2
    cursor.skip(",", "and", "then")
    if cursor.done:
        cursor.at = begin


# Posts


def _post(cursor: TokenCursor, line: Line) -> Statement | None:
    """Return a blind, a straddle or an ante."""
    posted = bool(cursor.take_any(POSTS))
    if not posted:  # words that say so only with the blind's name
        for words in (("puts", "up"), ("puts", "in"), ("has",), ("is",), ("in",)):
            if cursor.take(*words):
                break
    cursor.skip("the", "a", "his", "her")
    straddle = cursor.take_any(frozenset(("straddle", "straddles", "strad", "straddled")))
    if straddle:
        cursor.skip("to", "for", "of", "it")
        return Statement("straddle", line, amount=cursor.amount())
    if cursor.take_any(frozenset(("ante", "antes"))):
        return Statement("ante", line, amount=cursor.amount())
    if cursor.take("both", "blinds"):
        return Statement("post", line, verb="both", amount=cursor.amount())
    missed = cursor.take("missed") or cursor.take("make-up") or cursor.take("makeup")
    role = BLIND_OF.get(cursor.low(), "")
    if role:
        cursor.at += 1
        cursor.skip("blind", "of", ":", "for")
        if role == "small" and cursor.take("and", "big"):
            cursor.skip("blind")
            return Statement("post", line, verb="both", amount=cursor.amount())
        found = Statement("post", line, verb=f"makeup-{role}" if missed else role, amount=cursor.amount())
        _dead(cursor, found)
        found.all_in = _says_all_in(cursor)
        return found
    if posted and cursor.low() and (amount := cursor.amount()):
        found = Statement("post", line, verb="makeup" if missed else "", amount=amount)
        _dead(cursor, found)
        found.all_in = _says_all_in(cursor)
        return found
    if posted and cursor.at_separator() and cursor.low(-1) in POSTS:
        return Statement("post", line)
    return None


def _dead(cursor: TokenCursor, post: Statement) -> None:
    """Take what of a post is dead: `15, 5 of it dead`, `10 dead 5`, `15 (5 dead)`."""
    begin = cursor.at
    cursor.skip(",", "(", "of", "which", "with", "plus", "+", "and")
    if cursor.take("dead") and (amount := cursor.amount()):
        post.dead, post.how = amount, "live"  # 10 dead 5: ten are live
        cursor.take(")")
        return
    amount = cursor.amount()
    if amount is not None:
        cursor.skip("of", "it", "which", "is", "are", "them")
        if cursor.take("dead"):
            post.dead, post.how = amount, "total"
            cursor.take(")")
            return
    cursor.at = begin


# Acts


def _says_all_in(cursor: TokenCursor) -> bool:
    """Take the words that say all the chips are in."""
    begin = cursor.at
    cursor.skip(",", "(", "and", "is", "goes", "for", "-", "puts", "him", "her", "himself", "herself")
    if _all_in_words(cursor):
        cursor.take(")")
        return True
    cursor.at = begin
    return False


def _all_in_words(cursor: TokenCursor) -> bool:
    if cursor.take("all", "in") or cursor.take("all", "-", "in"):
        return True
    return bool(cursor.take_any(frozenset(("all-in", "allin", "ai"))))


def _all_in(cursor: TokenCursor, line: Line) -> Statement | None:
    """Return `all in`, `shoves`, `moves all in for 72`."""
    if cursor.take("puts", "in") or cursor.take("put", "in"):
        cursor.skip("his", "her", "my", "the")
        if not cursor.take_any(frozenset(("last", "remaining"))):
            return None
        found = Statement("act", line, verb="all-in", all_in=True)
        _sized(cursor, found)
        return found
    cursor.take_any(frozenset(["goes", "moves", "is", "pushes", "puts", "gets", "went", "moved", "go", "move", "push"]))
    cursor.skip("it")
    word = cursor.low()
    if not (_all_in_words(cursor) or (VERBS.get(word) == "all-in" and cursor.take(word))):
        return None
    cursor.skip("for", "with", ":", "at", "his", "her", "last", "to")
    found = Statement("act", line, verb="all-in", all_in=True)
    _sized(cursor, found)
    if found.amount is None:
        begin = cursor.at
        if cursor.take(",") or cursor.take("(", "count", ":"):
            found.amount = cursor.amount()
            cursor.take(")")
            if found.amount is None or not cursor.at_separator():
                cursor.at, found.amount = begin, None
    _unclear(cursor, found)
    return found


def _betting(cursor: TokenCursor, line: Line) -> Statement | None:
    """Return a fold, check, call, bet or raise."""
    word = cursor.low()
    verb, amount = take_verb(cursor)
    if word in ("3b", "4b") and (cursor.low(1) == "to" or cursor.low(1).isdecimal()):
        verb, cursor.at = "raise", cursor.at + 1
    if not verb or verb == "all-in":
        return None
    found = Statement("act", line, verb=verb, amount=amount)
    if amount is not None:
        found.how = "to" if verb == "raise" else ""
        found.all_in = _says_all_in(cursor)
        return found
    if verb == "fold":
        cursor.skip("it", "them")
        if cursor.low() in ("his", "her", "the", "my") and cursor.low(2) in ("blind", "bb", "sb"):
            cursor.at += 3
        cursor.skip("out", "face", "down") if cursor.low() == "face" else None
        found.how = "out-of-turn" if cursor.take("out", "of", "turn") else ""
        return found
    if verb == "check":
        cursor.skip("back", "it", "behind")
        if cursor.take("the", "table"):
            return found
        found.how = "out-of-turn" if cursor.take("out", "of", "turn") else ""
        return found
    if verb == "makes" and not cursor.take("it"):
        return None
    if verb == "pots":
        found.verb, found.cards = "open", "pot"
        cursor.skip("it")
    if verb == "complete":
        cursor.skip("the", "small", "blind", "sb")
    if verb == "raise":
        found.how = "to" if word in ("r", "rr") else ""
    cursor.skip("it", "out", "in")
    if verb == "call" and (
        cursor.take("the", "bet") or cursor.take("the", "big", "blind") or cursor.take("the", "raise")
    ):
        return found
    _way(cursor, found)
    _sized(cursor, found)
    if found.verb == "raise" and found.amount and cursor.take("more"):
        found.how = "by"
    cursor.skip("to", "go") if cursor.low() == "to" and cursor.low(1) == "go" else cursor.skip("more", "straight")
    _unclear(cursor, found)
    found.all_in = _says_all_in(cursor) or found.all_in
    if found.all_in and found.amount is None:
        cursor.skip("for", "at")
        _sized(cursor, found)
    _unclear(cursor, found)
    _from_position(cursor)
    found.how = "out-of-turn" if verb == "call" and cursor.take("out", "of", "turn") else found.how
    return found


def _from_position(cursor: TokenCursor) -> None:
    """Skip where somebody acts from: `from the cutoff`, `on the button`, `in the big blind`."""
    begin = cursor.at
    if not cursor.take_any(frozenset(("from", "on", "in"))):
        return
    cursor.skip("the", "my", "his", "her")
    if cursor.take("small", "blind") or cursor.take("big", "blind") or cursor.take_any(frozenset(POSITIONS)):
        return
    cursor.at = begin


def _way(cursor: TokenCursor, found: Statement) -> None:
    """Take the words before an amount that say what it counts."""
    if cursor.take("from"):
        if cursor.amount() is None:
            return
        found.how = "to" if cursor.take("to") else "?"
        return
    if cursor.take("up", "to") or cursor.take("to"):
        found.how = "to"
    elif cursor.take("another") or cursor.take("by"):
        found.how = "by"
    else:
        cursor.skip("for", "of")
        if cursor.low() in ("his", "her", "my", "their") and cursor.low(1) in ("last", "remaining"):
            cursor.at += 2
            found.all_in = True


def _sized(cursor: TokenCursor, found: Statement) -> None:
    """Take the size of an act."""
    if cursor.take("pot") or cursor.take("the", "pot"):
        found.cards = "pot"
        cursor.skip("again")
    amount = cursor.amount()
    if amount is not None:
        found.amount = amount
        found.unclear = found.unclear or amount.approximate


def _unclear(cursor: TokenCursor, found: Statement) -> None:
    """Take what says that the size is not known."""
    begin = cursor.at
    cursor.skip(",", "(", "amount", "size", "an", "is", "some")
    if cursor.take_any(_UNCLEAR):
        cursor.skip("amount", "size", ")")
        found.unclear = True
    else:
        cursor.at = begin


# Showdown


def _cards(cursor: TokenCursor, line: Line) -> Statement | None:
    """Return cards that a player shows, also without a verb: `2 AhQd`."""
    holds = _takes_cards(cursor)
    verb = (
        holds
        or cursor.take_any(SHOWS)
        or (cursor.take("turns", "over") and "turns")
        or (cursor.take("turned", "over") and "t")
    )
    cursor.skip(":", "the")
    cards = cursor.cards(7)
    if verb and not cards:
        return _ranks(cursor, line)
    if not cards or (not verb and len(cards) < 2):
        return None
    describe(cursor)
    _from_position(cursor)
    how = "holds" if holds or verb in ("has", "have", "") else "shows"
    return Statement("show", line, cards=" ".join(cards), how=how)


def _takes_cards(cursor: TokenCursor) -> str:
    """Take words that say which cards a player holds, not that they are shown."""
    begin = cursor.at
    cursor.skip("am", "is", "was", "look", "looks", "pick", "picks", "down", "up", "at", "are")
    if cursor.take_any(frozenset(("dealt", "hold", "holds", "held", "get", "gets", "got"))) or (
        cursor.at > begin and cursor.low(-1) in ("up", "at")
    ):
        return "holds"
    cursor.at = begin
    return ""


def _ranks(cursor: TokenCursor, line: Line) -> Statement | None:
    """Return cards whose suits nobody wrote down: no more than a remark."""
    token = cursor.peek()
    if token is None or not _RANKS.fullmatch(token.text):
        return None
    cursor.at += 1
    describe(cursor)
    return Statement("remark", line)


def describe(cursor: TokenCursor) -> bool:
    """Skip the words that describe a hand: they are no facts. Whether there are any."""
    begin = cursor.at
    cursor.skip(",", "(", "for")
    words = int(cursor.take("got", "there"))
    while cursor.low() in HAND_WORDS and cursor.low():
        cursor.at += 1
        words += 1
    if not words:
        cursor.at = begin
        return False
    cursor.take(")")
    return True


def _muck(cursor: TokenCursor, line: Line) -> Statement | None:
    if not cursor.take_any(MUCKS):
        return None
    cursor.skip("his", "her", "hand", "the")
    return Statement("muck", line, cards=" ".join(cursor.cards(7)))


def _win(cursor: TokenCursor, line: Line) -> Statement | None:
    """Return who wins, and how much if it is said."""
    word = cursor.take_any(WINS)
    if not word and (cursor.take("picks", "up") or cursor.take("+")):
        word = "picks"
        if cursor.low() != "pot" and (cursor.low(-1) == "+" or not _is_amount(cursor)):
            return None
    if not word:
        if cursor.take_any(frozenset(("split", "splits", "chop", "chops"))):
            cursor.skip("it", "the", "pot")
            return Statement("chop", line, amount=cursor.amount())
        return _odd_chip(cursor, line) if cursor.take("gets") else None
    found = Statement("win", line, verb="win")
    cursor.skip(
        "it", "down", "up", "through", "the", "hand", "all", "back", "pot", "blinds", "with", "of"
    ) if word else None
    if cursor.take_any(frozenset(("main", "side"))):
        found.how = cursor.low(-1)
        cursor.skip("pot", "and", "the")
        if cursor.take("side"):
            found.how = ""
            cursor.skip("pot", "pots")
        cursor.skip("of", ":")
    found.amount = cursor.amount()
    cursor.skip("pot", "from", "the", "in", "chips", "uncontested", "each")
    if cursor.low(-1) == "each":
        found.how = "each"
    describe(cursor)
    return found


def _is_amount(cursor: TokenCursor) -> bool:
    token = cursor.peek()
    return token is not None and figure(token) is not None


def _odd_chip(cursor: TokenCursor, line: Line) -> Statement | None:
    if cursor.take("the", "odd") and (
        chip := cursor.take_any(frozenset(["quarter", "chip", "dollar", "dime", "nickel"]))
    ):
        return Statement("odd-chip", line, how=chip)
    if cursor.take("the", "pot") or cursor.take("it"):
        return Statement("win", line, verb="win", amount=cursor.amount())
    return None


# Acts in short


def glued(cursor: TokenCursor, line: Line) -> list[Statement]:
    """Return `8b25`, `2f`, `2AI`."""
    token = cursor.peek()
    match = GLUED.fullmatch(token.text) if token is not None and token.kind in ("word", "number") else None
    if match is None or int(match[1]) not in cursor.seats:
        return []
    cursor.at += 1
    verb = VERBS[match[2].lower()]
    found = Statement("act", line, who=[Ref("seat", match[1], int(match[1]))], verb=verb, all_in=verb == "all-in")
    if verb == "raise":
        found.how = "to"
    if match[3]:
        (number,) = tokenize(match[3])
        found.amount = figure(number)
    elif verb not in ("fold", "check"):
        _sized(cursor, found) if cursor.low() not in map(str, cursor.seats) else None
    return [found]


def further(cursor: TokenCursor, line: Line, before: Statement) -> list[Statement]:
    """Return what the same player does next: `Barb shows 6d 5d and wins`."""
    if cursor.low(-1) not in JOINED or not cursor.low():
        return []
    for reader in (_win, _cards, _muck):
        begin = cursor.at
        if statement := reader(cursor, line):
            statement.who = list(before.who)
            return [statement]
        cursor.at = begin
    return []


JOINED: Final = frozenset(("and", ",", "then"))


def amount_text(amount: NotedAmount) -> str:
    """Return an amount as handscript has it."""
    return format(amount.value.normalize(), "f")
