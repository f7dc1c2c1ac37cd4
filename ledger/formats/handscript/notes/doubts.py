"""What an unread line between hands may change: nothing, some players' chips or presence, or the whole table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from ledger.formats.handscript.notes.player_lists import names_player
from ledger.formats.handscript.notes.remarks import MOVING, may_be_name
from ledger.formats.handscript.notes.roster import Roster
from ledger.formats.handscript.notes.statements import Ref
from ledger.formats.handscript.notes.table_words import PRONOUNS, WRITER_WORDS, words
from ledger.formats.handscript.notes.tokenizer import Token, tokenize

_SEAT: Final = re.compile(r"\b(?:seats?|s)\s?#?(\d{1,2})\b", re.IGNORECASE)
_CLOCK: Final = re.compile(r"\b\d{1,2}:\d\d\b")
_NEWCOMERS: Final = words(
    "new newcomer joins joined join sits sat sit arrives arrived comes came replaces replaced somebody someone player players "
    "seated another swaps swapped swap fills filled everyone everybody all both two three others rest seats seat"
)
_STAKES: Final = words(
    "blinds blind ante antes level stakes limit straddle straddles game games double doubled button btn bounty kill"
)


_STACKS: Final = words("stack stacks chips each everyone everybody all rake raked drop")


@dataclass(slots=True)
class Doubt:
    """What a line may change. `seats`: players whose presence is in doubt."""

    of_table: bool = False
    seats: set[int] = field(default_factory=set)
    of_chips: bool = False  # their stacks are in doubt, too

    @property
    def is_asked(self) -> bool:
        """Whether the line is asked about, not kept as a remark."""
        return self.of_table or self.of_chips


def find_doubt(text: str, roster: Roster, *, is_above: bool) -> Doubt:
    """Return what a line that no phrase reads may change. `is_above`: no hand has begun."""
    tokens = tokenize(text, roster.names())
    seats = {seat for token in tokens if (seat := _seat_of(token, roster))}
    numbered_seats = {int(seat) for seat in _SEAT.findall(text)}
    has_number = any(character.isdigit() for character in _CLOCK.sub("", text))
    is_moving = any(token.low in MOVING for token in tokens)
    has_stranger = _names_stranger(tokens)
    if is_above and len(roster.seats) > 1 and not seats and not _SEAT.search(text):
        is_of_table = (has_number and _has(tokens, _STAKES | _STACKS)) or (has_stranger and _has(tokens, _NEWCOMERS))
        return Doubt(of_table=is_of_table or names_player(text))
    if is_above and not has_number and not (has_stranger and _has(tokens, _NEWCOMERS | _STAKES)):
        return Doubt()
    if numbered_seats - set(roster.seats) or (_has(tokens, _STAKES) and (has_number or is_moving)):
        return Doubt(of_table=True)
    seats |= numbered_seats
    if has_number and is_moving and not seats:
        return Doubt(of_table=True)
    if not seats and (_has(tokens, _NEWCOMERS) or (is_moving and (_has(tokens, PRONOUNS) or has_stranger))):
        return Doubt(of_table=True)
    if has_stranger and (is_moving or has_number or _has(tokens, _NEWCOMERS)):
        return Doubt(of_table=True)
    if is_above and has_number and not seats:
        return Doubt(of_table=not roster.seats or has_stranger)
    return Doubt(seats=seats, of_chips=bool(seats)) if is_moving or has_number else Doubt()


def note_doubt(roster: Roster, doubt: Doubt, line_number: int) -> None:
    """Keep a doubt in the roster until a list of seats, or the players' own acts, settle it."""
    if doubt.of_table:
        roster.doubt = roster.doubt or line_number
    for seat in doubt.seats:
        player = roster.seats.get(seat)
        if player is None:
            continue  # left since
        player.doubt = player.doubt or line_number
        if doubt.of_chips:
            player.stack, player.carried = None, True


def _seat_of(token: Token, roster: Roster) -> int | None:
    if token.kind == "name":
        return roster.find(Ref("name", roster.names().get(token.low, token.low)))
    return roster.own_seat() if token.kind == "word" and token.low in WRITER_WORDS - {"we"} else None


def _has(tokens: Sequence[Token], listed_words: frozenset[str]) -> bool:
    return any(token.kind != "name" and token.low in listed_words for token in tokens)


def _names_stranger(tokens: Sequence[Token]) -> bool:
    """Whether a word may be the name of somebody whom no list seats."""
    starts_with_name = len(tokens) > 1 and may_be_name(tokens[0]) and tokens[1].low in MOVING | _NEWCOMERS
    return starts_with_name or any(
        may_be_name(token) and previous.text not in ".!?" for previous, token in pairwise(tokens)
    )
