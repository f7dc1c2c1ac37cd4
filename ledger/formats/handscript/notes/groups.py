"""What several players do together, or whoever is next: `everybody folds`, `check check`, `push 8 87`."""

from __future__ import annotations

import re
from typing import Final

from ledger.formats.handscript.lines import Line
from ledger.formats.handscript.notes.act_phrases import BLIND_OF, act
from ledger.formats.handscript.notes.cursor import TokenCursor
from ledger.formats.handscript.notes.statements import NotedAmount, Statement
from ledger.formats.handscript.notes.table_words import EVERYONE, NUMBER_WORDS, VERBS
from ledger.formats.handscript.notes.tokenizer import figure

_RUN: Final = re.compile(r"(x+|ff+)", re.IGNORECASE)
_AROUND: Final = ("around", "round", "through", "out", "it")


def group(cursor: TokenCursor, line: Line) -> list[Statement]:
    """Return what several do together, or whoever is next: `everybody folds`, `check check`, `xx`."""
    begin = cursor.at
    for reader in (_folds_to, _everyone, _run, _checked_around, _counted, _dealt_to, _pot_to, _split, _blinds_of):
        if statements := reader(cursor, line):
            return statements
        cursor.at = begin
    return []


def _everyone(cursor: TokenCursor, line: Line) -> list[Statement]:
    blinds = cursor.take("the", "blinds") or cursor.take("blinds") or cursor.take("both", "blinds")
    others = cursor.take("the", "rest") or cursor.take("the", "others") or cursor.take("rest") or cursor.take("others")
    everyone = not (blinds or others) and bool(cursor.take_any(EVERYONE | {"both", "we"}))
    both = everyone and cursor.low(-1) in ("both", "we")
    both = cursor.take("both") or both
    if not (blinds or others or everyone):
        return []
    rest = cursor.take("else") or others
    cursor.skip("of", "them", "players")
    verb = VERBS.get(cursor.low(), "") if cursor.low() != "in" else ""
    if verb not in ("fold", "check", "call"):
        if everyone and cursor.take_any(frozenset(("ante", "antes"))):
            amount = cursor.amount()
            return [Statement("ante", line, verb="everyone", amount=amount)] if amount else []
        return []
    cursor.at += 1
    cursor.skip(*_AROUND)
    if verb == "fold" and cursor.take("to"):
        target = cursor.ref()
        return [Statement("folds-to", line, who=[target])] if target else []
    how = "blinds" if blinds else "both" if both else "all"
    return [Statement("everyone", line, verb=verb, how=how, else_=rest)]


def _folds_to(cursor: TokenCursor, line: Line) -> list[Statement]:
    """Return `folds around to 8`, `fold round`, `folds to Ana who makes it 10`."""
    cursor.skip("action", "it", "is", "it's")
    if not cursor.take_any(frozenset(["f", "fold", "folds", "folded"])):
        return []
    cursor.skip("back", "all", "the", "way") if cursor.low(1) in ("around", "round", "the", "to") else None
    around = cursor.take_any(frozenset(("around", "round")))
    if cursor.take("to") and (target := cursor.ref()):
        cursor.skip("in", "the") if cursor.low() == "in" else None
        found = [Statement("folds-to", line, who=[target])]
        cursor.skip(",", "who")
        mark = cursor.at
        if following := act(cursor, line, [target], playing=True):
            return [*found, *following]
        cursor.at = mark
        return found
    return [Statement("everyone", line, verb="fold", how="all")] if around else []


def _run(cursor: TokenCursor, line: Line) -> list[Statement]:
    """Return `xx`, `ff`, `check check`: whoever is next does it."""
    token = cursor.peek()
    if token is not None and token.kind == "word" and _RUN.fullmatch(token.text):
        cursor.at += 1
        verb = "check" if token.low[0] == "x" else "fold"
        return [Statement("next", line, verb=verb, count=len(token.text))]
    word = VERBS.get(cursor.low(), "")
    if word in ("check", "fold", "call"):
        count = 0
        while VERBS.get(cursor.low(), "") == word and cursor.low() != "k":
            cursor.at += 1
            count += 1
            if cursor.low() == "," and VERBS.get(cursor.low(1), "") == word:
                cursor.at += 1
        alone = (count > 1 and word != "call") or (count == 1 and cursor.at_separator() and cursor.low() != ":")
        return [Statement("next", line, verb=word, count=count)] if alone else []
    return []


def _checked_around(cursor: TokenCursor, line: Line) -> list[Statement]:
    if cursor.take_any(frozenset(("check", "checks", "checked", "x"))) and cursor.take_any(
        frozenset(("around", "round", "through", "down"))
    ):
        return [Statement("everyone", line, verb="check", how="all")]
    return []


def _counted(cursor: TokenCursor, line: Line) -> list[Statement]:
    """Return `two folds`, `folds x2`."""
    if (count := NUMBER_WORDS.get(cursor.low(), 0)) and VERBS.get(cursor.low(1)) in ("fold", "check"):
        verb = VERBS[cursor.low(1)]
        cursor.at += 2
        return [Statement("next", line, verb=verb, count=count)]
    return []


def _dealt_to(cursor: TokenCursor, line: Line) -> list[Statement]:
    """Return `dealt to me: Qd Qh`: cards that nobody else sees."""
    if not cursor.take("dealt", "to"):
        return []
    who = cursor.ref()
    cursor.skip(":")
    cards = cursor.cards(7)
    return [Statement("show", line, who=[who], cards=" ".join(cards), how="holds")] if who and cards else []


def _pot_to(cursor: TokenCursor, line: Line) -> list[Statement]:
    """Return `push 8 87`, `pot pushed to seat 8`, `pot of 237 to seat 4`."""
    amount: NotedAmount | None = None
    cursor.skip("dealer")
    if cursor.take_any(frozenset(("push", "pushed", "pushes", "ship"))):
        cursor.skip("pot", "the", "it")
        amount = cursor.amount() if cursor.low() == "(" or cursor.low(1) == "to" else None
        cursor.skip("to")
    elif cursor.take("the", "pot") or cursor.take("pot"):
        cursor.skip("of", ":")
        amount = cursor.amount()
        cursor.skip("goes", "is", "was", "pushed", "shipped", "awarded")
        if not cursor.take("to"):
            return []
    elif (amount := cursor.amount()) is None or not cursor.take("to") or not _is_named(cursor):
        return []
    if not (who := cursor.refs()):
        return []
    cursor.skip(",", ":", "-") if figure_follows(cursor) else None
    return [Statement("win", line, who=who, verb="win", amount=amount or cursor.amount())]


def _is_named(cursor: TokenCursor) -> bool:
    """Whether a player's name stands here, no number."""
    token = cursor.peek()
    return token is not None and (token.kind == "name" or token.low in ("me", "hero"))


def figure_follows(cursor: TokenCursor) -> bool:
    """Whether an amount stands behind the next mark."""
    token = cursor.peek(1)
    return token is not None and figure(token) is not None


def _split(cursor: TokenCursor, line: Line) -> list[Statement]:
    if (
        cursor.take("split", "pot")
        or cursor.take("chopped", "pot")
        or cursor.take("they", "chop")
        or cursor.take("chop")
    ):
        cursor.skip("it", "the", "pot")
        return [Statement("chop", line)]
    return []


def _blinds_of(cursor: TokenCursor, line: Line) -> list[Statement]:
    """Return `sb 2 bb 3`, `blinds Jess and Priya`, `Jess and Priya blinds`."""
    if not cursor.playing and (role := BLIND_OF.get(cursor.low(), "")):
        cursor.at += 1
        cursor.skip("blind", ":", "is", "seat")
        token = cursor.peek()
        if who := cursor.ref():
            post = Statement("post", line, who=[who], verb=role, how="maybe-amount")
            post.amount = cursor.amount()
            if who.kind == "seat" and token is not None and token.low.isdecimal():
                post.count = int(token.low)
            return [post]
        return []
    if cursor.take("blinds"):
        cursor.skip(":", "are", "is")
        who_all = cursor.refs()
    else:
        who_all = cursor.refs()
        cursor.skip("are", "in", "the", "have", "post")
        if len(who_all) != 2 or not cursor.take("blinds"):
            return []
    if len(who_all) != 2:
        return []
    return [Statement("post", line, who=[one], verb=role) for one, role in zip(who_all, ("small", "big"), strict=True)]
