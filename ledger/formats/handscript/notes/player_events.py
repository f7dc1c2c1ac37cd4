"""Parses events about players: button, breaks, departures, chips, seat changes."""

from __future__ import annotations

from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.cursor import TokenCursor, index_phrases
from ledger.formats.handscript.notes.statements import Ref, Statement
from ledger.formats.handscript.notes.table_talk import BUTTON_WORDS
from ledger.formats.handscript.notes.table_words import LEAVE_WORDS, PAUSES, REBUYS


def parse_player_event(cursor: TokenCursor, note_line: ScriptLine, players: list[Ref]) -> list[Statement]:
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


_DRAWS: Final = frozenset(("won", "wins", "drew", "draws", "starts", "started", "begins", "high", "got", "cut"))


def _take_drawn_button(cursor: TokenCursor) -> bool:
    """Take `won the draw for the button`, `starts with the button`, `drew the high card and has the button`."""
    if cursor.playing or not cursor.take_any(_DRAWS):
        return False
    cursor.skip(
        "the", "draw", "for", "high", "card", "with", "on", "as", "deal", "and", "has", "had", "a", "gets", ",", "so"
    )
    return bool(cursor.take_any(BUTTON_WORDS) or cursor.take("dealer"))


_DEALING: Final = index_phrases((("deals",), ("dealing",), ("is", "dealing"), ("is", "dealer")))
_HAVING: Final = index_phrases((("has",), ("had",), ("gets",), ("with",), ("is", "on"), ("on",), ("is",)))


def _parse_has_button(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    """Parse `has the button`, `is on the button`, `deals`."""
    if not _take_has_button(cursor):
        return None
    return Statement("button", note_line) if cursor.is_at_separator() else None


def _take_has_button(cursor: TokenCursor) -> bool:
    """Take words that give the player before them the button; return whether there were any."""
    start_index = cursor.position
    if _take_drawn_button(cursor):
        cursor.skip("first", "to", "start", "for", "hand", "one", "1", "the", "begin")
        return True
    cursor.position = start_index
    if cursor.take_phrase(_DEALING) or (not cursor.playing and cursor.take_any(BUTTON_WORDS)):
        return True
    if not cursor.take_phrase(_HAVING):
        return False
    cursor.skip("the", "dealer")
    return bool(cursor.take_any(BUTTON_WORDS))


def _parse_away(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    if cursor.take("sits", "out") or cursor.take("sit", "out") or cursor.take("sitting", "out"):
        cursor.skip("this", "next", "hand", "one", "the", "a")
        return Statement("away", note_line)
    if (
        cursor.take("sits", "one", "out")
        or cursor.take("sits", "this", "one", "out")
        or cursor.take("skips", "a", "hand")
    ):
        return Statement("away", note_line) if cursor.is_at_separator() else None
    if _takes_errand(cursor):
        return Statement("away", note_line)
    cursor.skip(*_LEAVE_FILLERS)
    if not cursor.take_any(PAUSES):
        return None
    _skip_return_time(cursor)
    cursor.skip(
        "break",
        "for",
        "a",
        "from",
        "table",
        "the",
        "outside",
        "and",
        "call",
        "some",
        "food",
        "of",
        "hands",
        "few",
        "bit",
    )
    if cursor.take(",", "skip", "her") or cursor.take(",", "skip", "him"):
        pass
    return Statement("away", note_line) if cursor.is_at_separator() else None


_ERRAND_VERBS: Final = frozenset(
    ("ran", "runs", "went", "goes", "stepped", "steps", "popped", "pops", "headed", "heads", "walked")
)


def _takes_errand(cursor: TokenCursor) -> bool:
    """Take `ran out for ice`, `stepped outside to make a call`."""
    start_index = cursor.position
    if cursor.take_any(_ERRAND_VERBS) and cursor.take_any(
        frozenset(("out", "outside", "off", "upstairs", "downstairs"))
    ):
        if cursor.is_at_separator() and cursor.peek_lower(-1) in ("outside", "upstairs", "downstairs"):
            return True
        if cursor.take_any(frozenset(("for", "to"))):
            while (token := cursor.peek()) and token.kind == "word" and not cursor.is_at_separator():
                cursor.position += 1
            _skip_return_time(cursor)
            return cursor.is_at_separator()
    cursor.position = start_index
    return False


def _skip_return_time(cursor: TokenCursor) -> None:
    """Skip `, back in 5`, `, back in ten minutes`, `, back soon`."""
    start_index = cursor.position
    cursor.skip(",", "(", "-", "will", "be")
    if cursor.take("back", "soon") or cursor.take("brb"):
        return
    if cursor.take("back", "in"):
        cursor.skip("a", "about", "few", ":")
        cursor.position += not cursor.is_at_separator()
        cursor.skip("minutes", "mins", "min", "minute", "hands", "hand")
        return
    cursor.position = start_index


_LEAVE_FILLERS: Final = (
    *(
        "goes",
        "went",
        "is",
        "takes",
        "steps",
        "gone",
        "go",
        "taking",
        "out",
        "on",
        "for",
        "to",
        "a",
        "the",
        "off",
        "took",
    ),
    *(
        "stepped",
        "outside",
        "get",
        "gets",
        "grab",
        "grabs",
        "some",
        "an",
        "quick",
        "has",
        "heads",
        "headed",
        "was",
        "getting",
    ),
    *("going", "leaves", "the", "table", "his", "her", "another", "walked", "ran", "wandered", "over"),
)
"""Words before the place where a player takes a break."""


def _parse_back(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    cursor.skip("is", "comes", "sits", "came", "was", "now", "gets", "got", "sat", "are")
    if (
        cursor.take_any(frozenset(("rejoins", "rejoined")))
        or cursor.take("back")
        or cursor.take("returns")
        or cursor.take("returned")
    ):
        cursor.skip("down", "at", "the", "table", "in", "from", "break", "now", "again", "his", "her", "seat", "game")
        return Statement("back", note_line) if cursor.is_at_separator() else None
    return None


_DEPARTURES: Final = index_phrases(
    (("racks", "up"), ("cashes", "out"), ("goes", "home"), ("heads", "home"), ("heads", "out"), ("calls", "it"))
)
_MOVES_TO_TABLE: Final = index_phrases((("moved", "to", "table"), ("moves", "to", "table")))


def _parse_leaves(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    """Parse a departure, with the player's stack if the notes give it."""
    is_busted = False
    if _take_departure(cursor):
        cursor.skip("and", "leaves")
    elif cursor.take_phrase(_MOVES_TO_TABLE):
        cursor.position += not cursor.at_end
        cursor.take("(", "balancing", ")")
    else:
        leave_word = _take_leave_word(cursor)
        if not leave_word:
            return None
        is_busted = leave_word.startswith(("bust", "elim")) or (
            leave_word == "out" and cursor.peek_lower(-2) == "knocked"
        )
        cursor.skip(
            "the", "table", "game", "and", "leaves", "out", "again", "for", "good", "night", "home", "early", "us"
        )
    statement = Statement("leaves", note_line, qualifier="busted" if is_busted else "")
    cursor.skip("with", "about", "around", "roughly", "up", "some")
    statement.amount = cursor.take_amount()
    if cursor.take("or", "so") or cursor.take("ish"):
        statement.amount = None
    _skip_finishing_place(cursor)
    return statement if cursor.is_at_separator() else None


def _take_departure(cursor: TokenCursor) -> bool:
    """Take `racks up`, `goes home`; also `picks up` before a word, unless it's the pot that is picked up."""
    has_word_after = cursor.peek_lower(2)[:1].isalpha() and cursor.peek_lower(2) != "pot"
    return cursor.take_phrase(_DEPARTURES) or (has_word_after and cursor.take("picks", "up"))


def _take_leave_word(cursor: TokenCursor) -> str:
    """Take `is out`, `stands up`, `busted`; "" before a name, since the word then says what is done to that player."""
    cursor.skip("is", "has", "goes", "stands", "gets", "was", "knocked")
    leave_word = cursor.take_any(LEAVE_WORDS)
    next_token = cursor.peek()
    return "" if next_token is not None and next_token.kind == "name" else leave_word


def _skip_finishing_place(cursor: TokenCursor) -> None:
    """Skip `, 34th place`, `in 34th`."""
    start_index = cursor.position
    cursor.skip(",", "in", "finishes", "finished")
    if cursor.peek_lower()[:1].isdecimal() and cursor.peek_lower().endswith(("st", "nd", "rd", "th")):
        cursor.position += 1
        cursor.skip("place")
        return
    cursor.position = start_index


def _parse_purchase(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    purchase_verb = "adds" if cursor.take("+") else cursor.take_any(frozenset(REBUYS))
    if not purchase_verb:
        return None
    purchase_kind = REBUYS[purchase_verb]
    if cursor.take("in", "again"):
        purchase_kind = "rebuy"
    cursor.skip(
        "in", "up", "on", "for", "with", "another", "back", "chips", ",", ":", "an", "extra", "himself", "herself"
    )
    if cursor.take("to"):
        purchase_kind = "to"
    amount = cursor.take_amount()
    cursor.skip(
        "more", "in", "chips", "to", "his", "her", "stack", "from", "the", "jar", "bank", "box", "again", "on", "top"
    )
    if amount is None or not cursor.is_at_separator():
        return None
    return Statement("chips", note_line, amount=amount, qualifier=purchase_kind)


def _parse_seat_change(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    if not cursor.take_any(frozenset(("moves", "moved", "changes", "switches"))):
        return None
    cursor.skip("to", "over", "into")
    cursor.skip("seat", "seats")
    cursor.skip("to", "seat")
    seat_number = cursor.take_seat_number()
    return Statement("moves", note_line, count=seat_number) if seat_number and cursor.is_at_separator() else None


def _parse_waits(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    if not (
        cursor.take("waits")
        or cursor.take("wants", "to", "wait")
        or cursor.take("waiting")
        or cursor.take("will", "wait")
    ):
        return None
    cursor.skip("for", "the", "his", "her")
    cursor.skip("big", "blind", "bb")
    return Statement("waits", note_line) if cursor.is_at_separator() else None
