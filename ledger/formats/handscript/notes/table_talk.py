"""Parses lines about the table: button, players who come, go or buy chips, the start and end of a hand."""

from __future__ import annotations

from typing import Final

from ledger.formats.handscript.lines import Line
from ledger.formats.handscript.notes.cursor import TokenCursor
from ledger.formats.handscript.notes.statements import Ref, Statement
from ledger.formats.handscript.notes.table_words import LEAVE_WORDS, PAUSES, REBUYS

_BUTTON_WORDS: Final = frozenset(("button", "btn", "bu"))
_BUTTON_FILLERS: Final = (
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


def parse_table_event(cursor: TokenCursor, note_line: Line) -> list[Statement]:
    """Parse a table event that doesn't begin with a player."""
    for parse_phrase in (
        _parse_hand_start,
        _parse_button,
        _parse_dead_small,
        _parse_same,
        _parse_misdeal,
        _parse_returned,
        _parse_ending,
        _parse_dealing,
        _parse_rake,
        _parse_seats_in,
        _parse_aside,
    ):
        start_index = cursor.position
        if statement := parse_phrase(cursor, note_line):
            return [statement]
        cursor.position = start_index
    return []


def _parse_hand_start(cursor: TokenCursor, note_line: Line) -> Statement | None:
    """Parse the start of a hand: `hand 12`, `#12`, `Hand A`, `next hand`."""
    if cursor.position and not all(number_token.kind == "mark" for number_token in cursor.tokens[: cursor.position]):
        return None
    if cursor.low(1) == "hand" and (cursor.low()[:-2].isdecimal() or cursor.low() in _WHICH_HAND):
        cursor.position += 1
        cursor.position += 1
        return Statement("hand", note_line)
    if not cursor.position and cursor.low().isdecimal() and cursor.low(1) in (".", ")"):
        cursor.position += 2
        return Statement("hand", note_line, name=cursor.low(-2))
    if cursor.take("hand"):
        cursor.skip("no", "number", "#", ".")
    elif cursor.low()[:1] == "h" and cursor.low()[1:].isdecimal():
        hand_number = cursor.low()[1:]
        cursor.position += 1
        return Statement("hand", note_line, name=hand_number)
    elif not cursor.take("#"):
        return None
    number_token = cursor.peek()
    if (
        number_token is None
        or number_token.kind not in ("number", "word")
        or cursor.low() in ("over", "ends", "is", "ended", "done")
    ):
        return None
    if number_token.kind == "word" and not (len(number_token.text) == 1 or any(map(str.isdecimal, number_token.text))):
        return None
    cursor.position += 1
    return Statement("hand", note_line, name=number_token.text)


def _parse_button(cursor: TokenCursor, note_line: Line) -> Statement | None:
    if cursor.playing:
        return None
    if cursor.low()[:1] == "b" and cursor.low()[1:].isdecimal() and int(cursor.low()[1:]) in cursor.seats:
        glued_seat = int(cursor.low()[1:])
        cursor.position += 1
        return (
            Statement("button", note_line, players=[Ref("seat", str(glued_seat), glued_seat)])
            if cursor.at_separator()
            else None
        )
    cursor.skip("the")
    is_dead = cursor.take("dead")
    says_dealer = cursor.take("dealer")
    if not cursor.take_any(_BUTTON_WORDS) and not (says_dealer and not is_dead):
        return None
    if cursor.low() in ("folds", "calls", "raises", "checks", "bets"):
        return None
    cursor.skip(*_BUTTON_FILLERS)
    seat_number = cursor.seat_number()  # the seat may be empty
    button_player = Ref("seat", str(seat_number), seat_number) if seat_number else cursor.ref()
    if button_player is None or button_player.kind == "position":
        return None
    if seat_number and (name_token := cursor.peek()) is not None and name_token.kind == "name":
        cursor.position += 1
    if cursor.take("(", "dead", ")") or cursor.take(",", "dead"):
        is_dead = True
    if not cursor.at_separator():
        return None
    return Statement("button", note_line, players=[button_player], qualifier="dead" if is_dead else "")


def _parse_dead_small(cursor: TokenCursor, note_line: Line) -> Statement | None:
    if not (cursor.take("no") or cursor.take("dead") or cursor.take("the", "small", "blind", "is", "dead")):
        return None
    says_dead = cursor.low(-1) == "dead" and cursor.low() not in ("small", "sb")
    if not says_dead and not (cursor.take("small", "blind") or cursor.take("sb")):
        return None
    return Statement("dead-small", note_line)


def _parse_same(cursor: TokenCursor, note_line: Line) -> Statement | None:
    if not cursor.take("same"):
        return None
    unchanged_word = cursor.take_any(frozenset(("seats", "players", "blinds", "lineup", "table", "button")))
    if unchanged_word in ("", "button"):
        return None
    if unchanged_word == "blinds":
        return Statement("posted", note_line)
    cursor.skip("and", "stacks", "as", "before")
    return Statement("same", note_line)


def _parse_misdeal(cursor: TokenCursor, note_line: Line) -> Statement | None:
    """Parse a misdeal; the words after it give the reason."""
    cursor.skip("floor", "dealer", "calls", "declares", "the", "a", "-", ":")
    if not cursor.take("misdeal"):
        return None
    reason = "other"
    while not cursor.at_end and cursor.low() not in (".", ";"):
        reason = _MISDEALS.get(cursor.low(), reason)
        cursor.position += 1
    return Statement("misdeal", note_line, qualifier=reason)


def _parse_returned(cursor: TokenCursor, note_line: Line) -> Statement | None:
    cursor.skip("all", "the")
    if not cursor.take_any(frozenset(["stakes", "blinds", "bets", "chips", "money", "antes"])):
        return None
    cursor.skip("are", "were", "all")
    if cursor.take("go", "back") or cursor.take("returned") or cursor.take("back") or cursor.take("given", "back"):
        return Statement("returned", note_line)
    if (
        cursor.take("in")
        or cursor.take("posted")
        or cursor.take("up")
        or (cursor.at_end and cursor.low(-1) == "blinds")
    ):
        return Statement("posted", note_line)
    return None


def _parse_ending(cursor: TokenCursor, note_line: Line) -> Statement | None:
    for ending_phrase in _ENDINGS:
        if cursor.take(*ending_phrase.split()):
            return Statement("end", note_line) if cursor.at_separator() else None
    return None


def _parse_dealing(cursor: TokenCursor, note_line: Line) -> Statement | None:
    if cursor.take("cards", "dealt") or cursor.take("deal", "done") or cursor.take("dealt") or cursor.take("deal"):
        return Statement("deal", note_line) if cursor.at_separator() else None
    if cursor.take("burn") or cursor.take("burns"):
        return Statement("strict", note_line, text="burn") if cursor.at_separator() else None
    if cursor.take("showdown"):
        return Statement("strict", note_line, text="showdown") if cursor.at_separator() else None
    return None


def _parse_rake(cursor: TokenCursor, note_line: Line) -> Statement | None:
    if cursor.take("rake") or cursor.take("drop"):
        cursor.skip(":", "of", "is")
        amount = cursor.amount()
        return Statement("rake", note_line, amount=amount) if amount else None
    return None


def _parse_seats_in(cursor: TokenCursor, note_line: Line) -> Statement | None:
    """Parse `seats 1 2 3 6 8`: the seats dealt in."""
    if cursor.take("dealt", "in") or cursor.take("in", ":"):
        cursor.skip(":")
    elif cursor.low() != "seats":
        return None
    dealt_players = cursor.refs()
    if not dealt_players or not cursor.at_end or len(dealt_players) < 2:
        return None
    return Statement("seats-in", note_line, players=dealt_players)


def _parse_aside(cursor: TokenCursor, note_line: Line) -> Statement | None:
    """Parse a remark: text in parentheses or after `note`."""
    if cursor.take("note", ":") or cursor.take("remark") or cursor.take("nb", ":"):
        cursor.position = len(cursor.tokens)
        return Statement("remark", note_line)
    if not cursor.take("("):
        return None
    while not cursor.at_end:
        if cursor.take(")"):
            return Statement("remark", note_line)
        next_token = cursor.peek()
        if next_token is None or next_token.kind in ("number", "name"):
            return None  # it may be a fact
        cursor.position += 1
    return None


# About a player


def parse_player_event(cursor: TokenCursor, note_line: Line, players: list[Ref]) -> list[Statement]:
    """Parse an event about these players: button, away, back, chips, seat change."""
    for parse_phrase in (
        _parse_has_button,
        _parse_away,
        _parse_back,
        _parse_leaves,
        _parse_purchase,
        _parse_seat_change,
        _parse_waits,
    ):
        start_index = cursor.position
        if statement := parse_phrase(cursor, note_line):
            statement.players = players
            return [statement]
        cursor.position = start_index
    return []


def _parse_has_button(cursor: TokenCursor, note_line: Line) -> Statement | None:
    if cursor.take("deals") or cursor.take("dealing") or cursor.take("is", "dealing") or cursor.take("is", "dealer"):
        return Statement("button", note_line) if cursor.at_separator() else None
    if not cursor.playing and cursor.take_any(_BUTTON_WORDS):
        return Statement("button", note_line) if cursor.at_separator() else None
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
    if not cursor.take_any(_BUTTON_WORDS) or not cursor.at_separator():
        return None
    return Statement("button", note_line)


def _parse_away(cursor: TokenCursor, note_line: Line) -> Statement | None:
    if cursor.take("sits", "out") or cursor.take("sit", "out") or cursor.take("sitting", "out"):
        cursor.skip("next", "hand")
        return Statement("away", note_line)
    cursor.skip(
        "goes", "went", "is", "takes", "steps", "gone", "go", "taking", "out", "on", "for", "to", "a", "the", "off"
    )
    if not cursor.take_any(PAUSES):
        return None
    cursor.skip("break", "for", "a", "from", "table", "the")
    if cursor.take(",", "skip", "her") or cursor.take(",", "skip", "him"):
        pass
    return Statement("away", note_line) if cursor.at_separator() else None


def _parse_back(cursor: TokenCursor, note_line: Line) -> Statement | None:
    cursor.skip("is", "comes", "sits", "came")
    if cursor.take("back") or cursor.take("returns") or cursor.take("returned"):
        cursor.skip("down", "at", "the", "table", "in")
        return Statement("back", note_line) if cursor.at_separator() else None
    return None


def _parse_leaves(cursor: TokenCursor, note_line: Line) -> Statement | None:
    """Parse a departure, with the player's stack if the notes give it."""
    is_busted = False
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
        cursor.position += not cursor.at_end
        cursor.take("(", "balancing", ")")
    else:
        cursor.skip("is", "has", "goes", "stands", "gets", "was", "knocked")
        leave_word = cursor.take_any(LEAVE_WORDS)
        if not leave_word:
            return None
        is_busted = leave_word.startswith(("bust", "elim")) or (leave_word == "out" and cursor.low(-2) == "knocked")
        cursor.skip("the", "table", "game", "and", "leaves", "out")
    statement = Statement("leaves", note_line, qualifier="busted" if is_busted else "")
    cursor.skip("with")
    statement.amount = cursor.amount()
    _skip_finishing_place(cursor)
    return statement if cursor.at_separator() else None


def _skip_finishing_place(cursor: TokenCursor) -> None:
    """Skip `, 34th place`, `in 34th`."""
    start_index = cursor.position
    cursor.skip(",", "in", "finishes", "finished")
    if cursor.low()[:1].isdecimal() and cursor.low().endswith(("st", "nd", "rd", "th")):
        cursor.position += 1
        cursor.skip("place")
        return
    cursor.position = start_index


def _parse_purchase(cursor: TokenCursor, note_line: Line) -> Statement | None:
    purchase_verb = "adds" if cursor.take("+") else cursor.take_any(frozenset(REBUYS))
    if not purchase_verb:
        return None
    purchase_kind = REBUYS[purchase_verb]
    if cursor.take("in", "again"):
        purchase_kind = "rebuy"
    cursor.skip("in", "up", "on", "for", "with", "another", "back", "chips", ",", ":")
    amount = cursor.amount()
    cursor.skip("more", "in", "chips")
    if amount is None or not cursor.at_separator():
        return None
    return Statement("chips", note_line, amount=amount, qualifier=purchase_kind)


def _parse_seat_change(cursor: TokenCursor, note_line: Line) -> Statement | None:
    if not cursor.take_any(frozenset(("moves", "moved", "changes", "switches"))):
        return None
    cursor.skip("to", "over", "into")
    cursor.skip("seat", "seats")
    cursor.skip("to", "seat")
    seat_number = cursor.seat_number()
    return Statement("moves", note_line, count=seat_number) if seat_number and cursor.at_separator() else None


def _parse_waits(cursor: TokenCursor, note_line: Line) -> Statement | None:
    if not (
        cursor.take("waits")
        or cursor.take("wants", "to", "wait")
        or cursor.take("waiting")
        or cursor.take("will", "wait")
    ):
        return None
    cursor.skip("for", "the", "his", "her")
    cursor.skip("big", "blind", "bb")
    return Statement("waits", note_line) if cursor.at_separator() else None
