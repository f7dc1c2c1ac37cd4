"""Parses lines about the table: button, players who come, go or buy chips, the start and end of a hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.cursor import JOINING, TokenCursor, index_phrases
from ledger.formats.handscript.notes.statements import Ref, Statement
from ledger.formats.handscript.notes.table_words import WRITER_WORDS, split_words
from ledger.formats.handscript.notes.tokenizer import Token

BUTTON_WORDS: Final = frozenset(("button", "btn", "bu", "puck"))
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
    "was",
    "went",
    "goes",
    "passes",
    "passed",
    "now",
    "of",
    "before",
    "with",
    "pos",
    "position",
    "now",
    "starts",
    "starting",
    "begins",
    "#",
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
_HAND_VERBS: Final = ("over", "ends", "is", "ended", "done")
_ENDINGS: Final = ("end of hand", "hand over", "hand ends", "end hand", "end")


def parse_table_event(cursor: TokenCursor, note_line: ScriptLine) -> list[Statement]:
    """Parse a table event that doesn't begin with a player."""
    for parse_phrase in (
        _parse_hand_start,
        _parse_button,
        _parse_button_sentence,
        _parse_dead_small,
        _parse_same,
        _parse_misdeal,
        _parse_redeal,
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


def _parse_hand_start(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    """Parse the start of a hand: `hand 12`, `#12`, `Hand A`, `next hand`."""
    if cursor.position and not all(number_token.kind == "mark" for number_token in cursor.tokens[: cursor.position]):
        return None
    if cursor.peek_lower(1) == "hand" and (cursor.peek_lower()[:-2].isdecimal() or cursor.peek_lower() in _WHICH_HAND):
        cursor.position += 2
        return Statement("hand", note_line)
    if not cursor.position and cursor.peek_lower().isdecimal() and cursor.peek_lower(1) in (".", ")"):
        cursor.position += 2
        return Statement("hand", note_line, name=cursor.peek_lower(-2))
    if cursor.take("hand"):
        cursor.skip("no", "number", "#", ".")
    elif short_number := _take_short_hand_number(cursor):
        return Statement("hand", note_line, name=short_number)
    elif not cursor.take("#"):
        return None
    return _parse_hand_number(cursor, note_line)


def _take_short_hand_number(cursor: TokenCursor) -> str:
    """Take the number of `h#12` or `h12`."""
    if cursor.take("h", "#") and cursor.peek_lower().isdecimal():
        cursor.position += 1
        return cursor.peek_lower(-1)
    if cursor.peek_lower()[:1] == "h" and cursor.peek_lower()[1:].isdecimal():
        cursor.position += 1
        return cursor.peek_lower(-1)[1:]
    return ""


def _parse_hand_number(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    """Parse the number or letter after `hand`; `hand over` starts no hand."""
    token = cursor.peek()
    if token is None or cursor.peek_lower() in _HAND_VERBS:
        return None
    is_letter_or_numbered = token.kind == "word" and (len(token.text) == 1 or any(map(str.isdecimal, token.text)))
    if token.kind != "number" and not is_letter_or_numbered:
        return None
    cursor.position += 1
    return Statement("hand", note_line, name=token.text)


_ACT_VERBS: Final = ("folds", "calls", "raises", "checks", "bets")
_DEAD_ASIDES: Final = index_phrases((("(", "dead", ")"), ("(", "dead", "button", ")"), (",", "dead")))


def _parse_button(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    """Parse where the button is: `button seat 3`, `dead button 4`, `b3`."""
    if cursor.playing:
        return None
    glued_seat = cursor.peek_lower()[1:] if cursor.peek_lower()[:1] in ("b", "d") else ""
    if glued_seat.isdecimal() and int(glued_seat) in cursor.seats:
        cursor.position += 1
        button_player = Ref("seat", str(int(glued_seat)), int(glued_seat))
        return Statement("button", note_line, players=[button_player]) if cursor.is_at_separator() else None
    cursor.skip("the")
    is_dead = cursor.take("dead")
    if not _take_button_word(cursor, is_dead=is_dead) or cursor.peek_lower() in _ACT_VERBS:
        return None
    cursor.skip(*_BUTTON_FILLERS)
    holder = _take_button_holder(cursor)
    if holder is None:
        return None
    is_dead = cursor.take_phrase(_DEAD_ASIDES) or is_dead
    if not cursor.is_at_separator():
        return None
    return Statement("button", note_line, players=[holder], qualifier="dead" if is_dead else "")


def _take_button_word(cursor: TokenCursor, *, is_dead: bool) -> bool:
    """Take `button`, `dealer button` or `dealer`; `dead dealer` isn't one."""
    says_dealer = cursor.take("dealer")
    return bool(cursor.take_any(BUTTON_WORDS)) or (says_dealer and not is_dead)


def _take_button_holder(cursor: TokenCursor) -> Ref | None:
    """Take the seat of the button, which may be empty, or its player."""
    seat_number = cursor.take_seat_number()
    if not seat_number:
        player = cursor.take_player()
        return player if player is not None and player.kind != "position" else None
    if (name_token := cursor.peek()) is not None and name_token.kind == "name":
        cursor.position += 1
    return Ref("seat", str(seat_number), seat_number)


_BUTTON_SENTENCE: Final = split_words(
    "the a found finds was is are on with had has at in front of before for this that time one deal hand hands first second third fourth "
    "fifth sixth seventh eighth last and worth recording went goes to stays stayed moved moves sitting rests rested now belongs belonged "
    "holds held holding it again we started began start begin round starting starts begins opened saw sees came comes rested settled up "
    "drew draw draws drawn won wins high card cards got gets getting who so then seat chip puck currently here initially initial by "
    "tonight evening night us our gave given takes took had 1st ace king queen jack already"
)
"""Words of a sentence that only says who has the button."""
_DRAWS: Final = split_words("drew draw drawn high")
_DEALING: Final = split_words("deals dealt dealing")
_BUTTON_MARKS: Final = frozenset(":-=#(")
_MAX_SENTENCE_STEPS: Final = 24


@dataclass(slots=True)
class _ButtonSentence:
    """What the words of a sentence about the button name so far."""

    is_drawn: bool  # the button is won by a high card
    players: list[Ref] = field(default_factory=list)
    has_button: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether it names the button and one player."""
        return self.has_button and len(self.players) == 1

    @property
    def awaits_player(self) -> bool:
        """Whether a comma may come before the player: `high card for the button, Ana`."""
        return self.is_drawn and self.has_button and not self.players

    def take_word(self, cursor: TokenCursor) -> bool:
        """Take a word for the button or a plain word; return whether there was one."""
        names_button = _names_button(cursor, has_player=bool(self.players))
        if not names_button and cursor.peek_lower() not in _BUTTON_SENTENCE:
            return False
        self.has_button = self.has_button or names_button
        cursor.position += 1
        return True


def _parse_button_sentence(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    """Parse a clause of one player, the button or the deal, and plain words: `the first deal found the button before Doc`."""
    if cursor.playing:
        return None
    sentence = _ButtonSentence(is_drawn=not _DRAWS.isdisjoint((cursor.peek_lower(), cursor.peek_lower(1))))
    for _ in range(_MAX_SENTENCE_STEPS):
        if cursor.at_end or (sentence.is_complete and cursor.is_at_separator()):
            break
        if cursor.peek_lower() in _BUTTON_MARKS or (sentence.awaits_player and cursor.peek_lower() == ","):
            cursor.position += 1
        elif cursor.is_at_separator() and cursor.peek_lower() not in JOINING:
            break
        elif player := _take_button_player(cursor):
            sentence.players.append(player)
        elif not sentence.take_word(cursor):
            return None
    if not sentence.is_complete or not cursor.is_at_separator():
        return None
    return Statement("button", note_line, players=sentence.players)


def _names_button(cursor: TokenCursor, *, has_player: bool) -> bool:
    """Whether the next word means the button: `dealer`, `deals`, or `deal` after a player (Ana's deal)."""
    is_own_deal = has_player and cursor.peek_lower() == "deal"
    return is_own_deal or cursor.peek_lower() in _DEALING or _is_button_word(cursor)


def _take_button_player(cursor: TokenCursor) -> Ref | None:
    """Take a name, or a seat that is called so: `seat 3`, `s3`, the 3 of `D=3`."""
    token = cursor.peek()
    if token is None:
        return None
    if token.low in ("my", "mine") and token.kind == "word":
        cursor.position += 1
        return Ref("me", token.text)
    if token.low in WRITER_WORDS - {"we"} and token.kind == "word":
        return cursor.take_player()
    if token.kind != "name" and not _is_button_seat(cursor, token):
        return None
    player = cursor.take_player()
    return player if player is not None and player.kind in ("name", "seat") else None


def _is_button_seat(cursor: TokenCursor, token: Token) -> bool:
    """Whether a token is a seat: `s3`, or the number of an occupied seat after a mark or a word for the button."""
    if token.kind == "word" and token.low[:1] in "sp" and token.low[1:].isdecimal():
        return True
    is_marked = cursor.position > 0 and cursor.peek_lower(-1) in (
        *_BUTTON_MARKS,
        "seat",
        *BUTTON_WORDS,
        "dealer",
        "d",
        "on",
    )
    return is_marked and token.low.isdecimal() and int(token.low) in cursor.seats


def _is_button_word(cursor: TokenCursor) -> bool:
    """Whether the button comes next: `button`, `dealer`, or a capital D before its seat."""
    if cursor.peek_lower() in BUTTON_WORDS or cursor.peek_lower() in ("dealer", "dealer's"):
        return True
    token, next_token = cursor.peek(), cursor.peek(1)
    return (
        token is not None
        and token.text == "D"
        and next_token is not None
        and (next_token.text in ":=-" or next_token.kind in ("name", "number") or next_token.low[:1] == "s")
    )


def _parse_dead_small(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    if not (cursor.take("no") or cursor.take("dead") or cursor.take("the", "small", "blind", "is", "dead")):
        return None
    says_dead = cursor.peek_lower(-1) == "dead" and cursor.peek_lower() not in ("small", "sb")
    if not says_dead and not (cursor.take("small", "blind") or cursor.take("sb")):
        return None
    return Statement("dead-small", note_line)


def _parse_same(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    if not cursor.take("same"):
        return None
    unchanged_word = cursor.take_any(frozenset(("seats", "players", "blinds", "lineup", "table", "button")))
    if not unchanged_word and cursor.take_any(frozenset(("btn", "dealer"))):
        unchanged_word = "button"
    if unchanged_word == "button":
        return Statement("same-button", note_line) if cursor.is_at_separator() else None
    if not unchanged_word:
        return None
    if unchanged_word == "blinds":
        return Statement("posted", note_line)
    cursor.skip("and", "stacks", "as", "before")
    return Statement("same", note_line)


def _parse_misdeal(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    """Parse a misdeal; the words after it give the reason."""
    cursor.skip("floor", "dealer", "calls", "declares", "the", "a", "-", ":", "first", "deal", "was", "it")
    if not cursor.take("misdeal"):
        return None
    reason = "other"
    while not cursor.at_end and cursor.peek_lower() not in (".", ";"):
        reason = _MISDEALS.get(cursor.peek_lower(), reason)
        cursor.position += 1
    return Statement("misdeal", note_line, qualifier=reason)


def _parse_redeal(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    """Parse `redealt`, `reshuffled`, `dealt again` after a misdeal."""
    cursor.skip("we", "it", "was", "then", "so", "all", "they", "cards")
    for redeal_words in _REDEALS:
        if cursor.take(*redeal_words):
            if cursor.peek_lower(1) != "button":
                cursor.skip("hand", "the", "deck", "cards", "again", ":", "same", "hands")
            return Statement("remark", note_line) if cursor.is_at_separator() else None
    return None


_REDEALS: Final = (
    *(("redeal",), ("redealt",), ("re-deal",), ("re-dealt",), ("reshuffled",), ("reshuffle",), ("reshuffles",)),
    *(
        ("dealt", "again"),
        ("deal", "again"),
        ("dealing", "again"),
        ("start", "over"),
        ("started", "over"),
        ("new", "deal"),
    ),
)


def _parse_returned(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
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
        or (cursor.at_end and cursor.peek_lower(-1) == "blinds")
    ) and cursor.is_at_separator():
        return Statement("posted", note_line)
    return None


def _parse_ending(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    for ending_phrase in _ENDINGS:
        if cursor.take(*ending_phrase.split()):
            return Statement("end", note_line) if cursor.is_at_separator() else None
    return None


def _parse_dealing(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    if cursor.take("cards", "dealt") or cursor.take("deal", "done") or cursor.take("dealt") or cursor.take("deal"):
        return Statement("deal", note_line) if cursor.is_at_separator() else None
    if cursor.take("burn") or cursor.take("burns"):
        return Statement("strict", note_line, text="burn") if cursor.is_at_separator() else None
    if cursor.take("showdown"):
        return Statement("strict", note_line, text="showdown") if cursor.is_at_separator() else None
    return None


def _parse_rake(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    if cursor.take("rake") or cursor.take("drop"):
        cursor.skip(":", "of", "is")
        amount = cursor.take_amount()
        return Statement("rake", note_line, amount=amount) if amount else None
    if cursor.take("jackpot"):
        cursor.skip("drop", ":", "of")
        amount = cursor.take_amount()
        return Statement("jackpot", note_line, amount=amount) if amount and cursor.is_at_separator() else None
    return None


def _parse_seats_in(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
    """Parse `seats 1 2 3 6 8`: the seats dealt in."""
    if cursor.take("dealt", "in") or cursor.take("in", ":"):
        cursor.skip(":")
    elif cursor.peek_lower() != "seats":
        return None
    dealt_players = cursor.take_players()
    if not dealt_players or not cursor.at_end or len(dealt_players) < 2:
        return None
    return Statement("seats-in", note_line, players=dealt_players)


def _parse_aside(cursor: TokenCursor, note_line: ScriptLine) -> Statement | None:
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
