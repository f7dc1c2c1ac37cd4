"""What people write about the table: the button, who is in, who left, who bought chips, how a hand begins and ends."""

from __future__ import annotations

from typing import Final

from ledger.formats.handscript.lines import Line
from ledger.formats.handscript.notes.cursor import TokenCursor
from ledger.formats.handscript.notes.statements import Ref, Statement
from ledger.formats.handscript.notes.table_words import LEFT, PAUSES, REBUYS

_BUTTON: Final = frozenset(("button", "btn", "bu"))
_AT: Final = (
    "at",
    "is",
    "on",
    "seat",
    "stays",
    "remains",
    "moves",
    "to",
    ":",
    "-",
    "the",
    "=",
    "still",
    "in",
    "front",
    "of",
    "before",
    "with",
    "pos",
    "position",
    "now",
)
_WHICH_HAND: Final = (
    *(
        "next",
        "new",
        "last",
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
    ),
)
_MISDEALS: Final = {"exposed": "exposed-card", "exposes": "exposed-card", "boxed": "boxed-card"}
_ENDINGS: Final = ("end of hand", "hand over", "hand ends", "end hand", "end")


def read(cursor: TokenCursor, line: Line) -> list[Statement]:
    """Return what is said of the table without naming a player first."""
    for reader in (
        _hand,
        _button,
        _dead_small,
        _same,
        _misdeal,
        _returned,
        _ending,
        _dealing,
        _money,
        _seats_in,
        _aside,
    ):
        begin = cursor.at
        if statement := reader(cursor, line):
            return [statement]
        cursor.at = begin
    return []


def _hand(cursor: TokenCursor, line: Line) -> Statement | None:
    """Return the beginning of a hand: `hand 12`, `#12`, `Hand A`, `next hand`."""
    if cursor.at and not all(token.kind == "mark" for token in cursor.tokens[: cursor.at]):
        return None
    if cursor.low(1) == "hand" and (cursor.low()[:-2].isdecimal() or cursor.low() in _WHICH_HAND):
        cursor.at += 1
        cursor.at += 1
        return Statement("hand", line)
    if not cursor.at and cursor.low().isdecimal() and cursor.low(1) in (".", ")"):
        cursor.at += 2
        return Statement("hand", line, name=cursor.low(-2))
    if cursor.take("hand"):
        cursor.skip("no", "number", "#", ".")
    elif cursor.low()[:1] == "h" and cursor.low()[1:].isdecimal():
        name = cursor.low()[1:]
        cursor.at += 1
        return Statement("hand", line, name=name)
    elif not cursor.take("#"):
        return None
    token = cursor.peek()
    if token is None or token.kind not in ("number", "word") or cursor.low() in ("over", "ends", "is", "ended", "done"):
        return None
    if token.kind == "word" and not (len(token.text) == 1 or any(map(str.isdecimal, token.text))):
        return None
    cursor.at += 1
    return Statement("hand", line, name=token.text)


def _button(cursor: TokenCursor, line: Line) -> Statement | None:
    if cursor.playing:
        return None
    if cursor.low()[:1] == "b" and cursor.low()[1:].isdecimal() and int(cursor.low()[1:]) in cursor.seats:
        seat = int(cursor.low()[1:])
        cursor.at += 1
        return Statement("button", line, who=[Ref("seat", str(seat), seat)]) if cursor.at_separator() else None
    cursor.skip("the")
    dead = cursor.take("dead")
    dealer = cursor.take("dealer")
    if not cursor.take_any(_BUTTON) and not (dealer and not dead):
        return None
    if cursor.low() in ("folds", "calls", "raises", "checks", "bets"):
        return None
    cursor.skip(*_AT)
    number = cursor.seat_number()  # the seat may be empty
    who = Ref("seat", str(number), number) if number else cursor.ref()
    if who is None or who.kind == "position":
        return None
    if number and (named := cursor.peek()) is not None and named.kind == "name":
        cursor.at += 1
    if cursor.take("(", "dead", ")") or cursor.take(",", "dead"):
        dead = True
    if not cursor.at_separator():
        return None
    return Statement("button", line, who=[who], how="dead" if dead else "")


def _dead_small(cursor: TokenCursor, line: Line) -> Statement | None:
    if not (cursor.take("no") or cursor.take("dead") or cursor.take("the", "small", "blind", "is", "dead")):
        return None
    told = cursor.low(-1) == "dead" and cursor.low() not in ("small", "sb")
    if not told and not (cursor.take("small", "blind") or cursor.take("sb")):
        return None
    return Statement("dead-small", line)


def _same(cursor: TokenCursor, line: Line) -> Statement | None:
    if not cursor.take("same"):
        return None
    what = cursor.take_any(frozenset(("seats", "players", "blinds", "lineup", "table", "button")))
    if what in ("", "button"):
        return None
    if what == "blinds":
        return Statement("posted", line)
    cursor.skip("and", "stacks", "as", "before")
    return Statement("same", line)


def _misdeal(cursor: TokenCursor, line: Line) -> Statement | None:
    """Return a misdeal with its reason; the words behind it describe it."""
    cursor.skip("floor", "dealer", "calls", "declares", "the", "a", "-", ":")
    if not cursor.take("misdeal"):
        return None
    reason = "other"
    while not cursor.done and cursor.low() not in (".", ";"):
        reason = _MISDEALS.get(cursor.low(), reason)
        cursor.at += 1
    return Statement("misdeal", line, how=reason)


def _returned(cursor: TokenCursor, line: Line) -> Statement | None:
    cursor.skip("all", "the")
    if not cursor.take_any(frozenset(["stakes", "blinds", "bets", "chips", "money", "antes"])):
        return None
    cursor.skip("are", "were", "all")
    if cursor.take("go", "back") or cursor.take("returned") or cursor.take("back") or cursor.take("given", "back"):
        return Statement("returned", line)
    if cursor.take("in") or cursor.take("posted") or cursor.take("up") or (cursor.done and cursor.low(-1) == "blinds"):
        return Statement("posted", line)
    return None


def _ending(cursor: TokenCursor, line: Line) -> Statement | None:
    for words in _ENDINGS:
        if cursor.take(*words.split()):
            return Statement("end", line) if cursor.at_separator() else None
    return None


def _dealing(cursor: TokenCursor, line: Line) -> Statement | None:
    if cursor.take("cards", "dealt") or cursor.take("deal", "done") or cursor.take("dealt") or cursor.take("deal"):
        return Statement("deal", line) if cursor.at_separator() else None
    if cursor.take("burn") or cursor.take("burns"):
        return Statement("strict", line, text="burn") if cursor.at_separator() else None
    if cursor.take("showdown"):
        return Statement("strict", line, text="showdown") if cursor.at_separator() else None
    return None


def _money(cursor: TokenCursor, line: Line) -> Statement | None:
    if cursor.take("rake") or cursor.take("drop"):
        cursor.skip(":", "of", "is")
        amount = cursor.amount()
        return Statement("rake", line, amount=amount) if amount else None
    return None


def _seats_in(cursor: TokenCursor, line: Line) -> Statement | None:
    """Return `seats 1 2 3 6 8`: who is dealt in."""
    if cursor.take("dealt", "in") or cursor.take("in", ":"):
        cursor.skip(":")
    elif cursor.low() != "seats":
        return None
    who = cursor.refs()
    if not who or not cursor.done or len(who) < 2:
        return None
    return Statement("seats-in", line, who=who)


def _aside(cursor: TokenCursor, line: Line) -> Statement | None:
    """Return a remark: what stands in parentheses, or behind `note`."""
    if cursor.take("note", ":") or cursor.take("remark") or cursor.take("nb", ":"):
        cursor.at = len(cursor.tokens)
        return Statement("remark", line)
    if not cursor.take("("):
        return None
    while not cursor.done:
        if cursor.take(")"):
            return Statement("remark", line)
        token = cursor.peek()
        if token is None or token.kind in ("number", "name"):
            return None  # it may tell something
        cursor.at += 1
    return None


# About a player


def about(cursor: TokenCursor, line: Line, who: list[Ref]) -> list[Statement]:
    """Return what is said of a player between hands, or of the button."""
    for reader in (_has_button, _goes, _back, _leaves, _buys, _moves, _waits):
        begin = cursor.at
        if statement := reader(cursor, line):
            statement.who = who
            return [statement]
        cursor.at = begin
    return []


def _has_button(cursor: TokenCursor, line: Line) -> Statement | None:
    if cursor.take("deals") or cursor.take("dealing") or cursor.take("is", "dealing") or cursor.take("is", "dealer"):
        return Statement("button", line) if cursor.at_separator() else None
    if not cursor.playing and cursor.take_any(_BUTTON):
        return Statement("button", line) if cursor.at_separator() else None
    if not (
        cursor.take("has")
        or cursor.take("had")
        or cursor.take("gets")
        or cursor.take("with")
        or cursor.take("is", "on")
        or cursor.take("on")
        or cursor.take("is")
    ):
        return None
    cursor.skip("the", "dealer")
    if not cursor.take_any(_BUTTON) or not cursor.at_separator():
        return None
    return Statement("button", line)


def _goes(cursor: TokenCursor, line: Line) -> Statement | None:
    if cursor.take("sits", "out") or cursor.take("sit", "out") or cursor.take("sitting", "out"):
        cursor.skip("next", "hand")
        return Statement("away", line)
    cursor.skip(
        "goes", "went", "is", "takes", "steps", "gone", "go", "taking", "out", "on", "for", "to", "a", "the", "off"
    )
    if not cursor.take_any(PAUSES):
        return None
    cursor.skip("break", "for", "a", "from", "table", "the")
    if cursor.take(",", "skip", "her") or cursor.take(",", "skip", "him"):
        pass
    return Statement("away", line) if cursor.at_separator() else None


def _back(cursor: TokenCursor, line: Line) -> Statement | None:
    cursor.skip("is", "comes", "sits", "came")
    if cursor.take("back") or cursor.take("returns") or cursor.take("returned"):
        cursor.skip("down", "at", "the", "table", "in")
        return Statement("back", line) if cursor.at_separator() else None
    return None


def _leaves(cursor: TokenCursor, line: Line) -> Statement | None:
    """Return who left, and with how much if it is said."""
    busted = False
    if (
        cursor.take("racks", "up")
        or (cursor.low(2)[:1].isalpha() and cursor.low(2) != "pot" and cursor.take("picks", "up"))
        or cursor.take("cashes", "out")
        or cursor.take("goes", "home")
        or cursor.take("heads", "home")
        or cursor.take("heads", "out")
        or cursor.take("calls", "it")
    ):
        cursor.skip("and", "leaves")
    elif cursor.take("moved", "to", "table") or cursor.take("moves", "to", "table"):
        cursor.at += not cursor.done
        cursor.take("(", "balancing", ")")
    else:
        cursor.skip("is", "has", "goes", "stands", "gets", "was", "knocked")
        word = cursor.take_any(LEFT)
        if not word:
            return None
        busted = word.startswith(("bust", "elim")) or (word == "out" and cursor.low(-2) == "knocked")
        cursor.skip("the", "table", "game", "and", "leaves", "out")
    found = Statement("leaves", line, how="busted" if busted else "")
    cursor.skip("with")
    found.amount = cursor.amount()
    _placed(cursor)
    return found if cursor.at_separator() else None


def _placed(cursor: TokenCursor) -> None:
    """Skip `, 34th place`, `in 34th`."""
    begin = cursor.at
    cursor.skip(",", "in", "finishes", "finished")
    if cursor.low()[:1].isdecimal() and cursor.low().endswith(("st", "nd", "rd", "th")):
        cursor.at += 1
        cursor.skip("place")
        return
    cursor.at = begin


def _buys(cursor: TokenCursor, line: Line) -> Statement | None:
    word = "adds" if cursor.take("+") else cursor.take_any(frozenset(REBUYS))
    if not word:
        return None
    how = REBUYS[word]
    if cursor.take("in", "again"):
        how = "rebuy"
    cursor.skip("in", "up", "on", "for", "with", "another", "back", "chips", ",", ":")
    amount = cursor.amount()
    cursor.skip("more", "in", "chips")
    if amount is None or not cursor.at_separator():
        return None
    return Statement("chips", line, amount=amount, how=how)


def _moves(cursor: TokenCursor, line: Line) -> Statement | None:
    if not cursor.take_any(frozenset(("moves", "moved", "changes", "switches"))):
        return None
    cursor.skip("to", "over", "into")
    cursor.skip("seat", "seats")
    cursor.skip("to", "seat")
    number = cursor.seat_number()
    return Statement("moves", line, count=number) if number and cursor.at_separator() else None


def _waits(cursor: TokenCursor, line: Line) -> Statement | None:
    if not (
        cursor.take("waits")
        or cursor.take("wants", "to", "wait")
        or cursor.take("waiting")
        or cursor.take("will", "wait")
    ):
        return None
    cursor.skip("for", "the", "his", "her")
    cursor.skip("big", "blind", "bb")
    return Statement("waits", line) if cursor.at_separator() else None
