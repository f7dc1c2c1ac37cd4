"""What an unread line between hands may change: nothing, some players' chips or presence, or the whole table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from ledger.formats.handscript.notes.list_rows import names_player
from ledger.formats.handscript.notes.money_lines import names_payout
from ledger.formats.handscript.notes.remarks import MOVING, may_be_name
from ledger.formats.handscript.notes.roster import Roster
from ledger.formats.handscript.notes.statements import Ref
from ledger.formats.handscript.notes.table_words import PRONOUNS, WRITER_WORDS, split_words
from ledger.formats.handscript.notes.tokenizer import Token, tokenize

_SEAT: Final = re.compile(r"\b(?:seats?|s)\s?#?(\d{1,2})\b", re.IGNORECASE)
_CLOCK: Final = re.compile(r"\b\d{1,2}:\d\d\b")
_NEWCOMERS: Final = split_words(
    "new newcomer joins joined join sits sat sit arrives arrived comes came replaces replaced somebody someone player players "
    "seated another swaps swapped swap fills filled everyone everybody all both two three others rest seats seat"
)
_STAKES: Final = split_words(
    "blinds blind ante antes level stakes limit straddle straddles game games double doubled button btn bounty kill"
)
_STACKS: Final = split_words("stack stacks chips each everyone everybody all rake raked drop")


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


@dataclass(frozen=True, slots=True)
class _LineSigns:
    """What an unread line shows of seats, players and the table."""

    named_seats: set[int]  # of players whom it names; the writer's own, if it says `me`
    numbered_seats: set[int]
    has_number: bool  # other than a time of day
    is_moving: bool  # a word such as `leaves` or `adds`
    has_stranger: bool
    has_pronoun: bool
    has_newcomer_word: bool
    has_stakes_word: bool
    has_stacks_word: bool

    @property
    def seats(self) -> set[int]:
        """The seats that the line names or numbers."""
        return self.named_seats | self.numbered_seats

    @property
    def has_newcomer(self) -> bool:
        """Whether somebody whom no list seats may sit down."""
        return self.has_stranger and self.has_newcomer_word

    @property
    def may_change_list(self) -> bool:
        """Whether the line may change who sits at the table, the stacks or the stakes."""
        return self.has_newcomer or (self.has_number and (self.has_stakes_word or self.has_stacks_word))


def find_doubt(text: str, roster: Roster, *, is_above: bool) -> Doubt:
    """Return what a line that no phrase reads may change. `is_above`: no hand has begun."""
    if names_payout(text):
        return Doubt(of_chips=True)  # asked about; chips paid out at the table have a line of their own
    signs = _read_signs(text, roster)
    if is_above and len(roster.seats) > 1 and not signs.seats:
        return Doubt(of_table=signs.may_change_list or names_player(text))
    if is_above and not signs.has_number and not signs.has_newcomer and not _names_stake(signs):
        return Doubt()
    if _concerns_table(signs, roster):
        return Doubt(of_table=True)
    if is_above and signs.has_number and not signs.seats:
        return Doubt(of_table=not roster.seats)
    if signs.is_moving or signs.has_number:
        return Doubt(seats=signs.seats, of_chips=bool(signs.seats))
    return Doubt()


def _read_signs(text: str, roster: Roster) -> _LineSigns:
    tokens = tokenize(text, roster.names())
    return _LineSigns(
        named_seats={seat for token in tokens if (seat := _seat_of(token, roster))},
        numbered_seats={int(seat) for seat in _SEAT.findall(text)},
        has_number=any(character.isdigit() for character in _CLOCK.sub("", text)),
        is_moving=any(token.low in MOVING for token in tokens),
        has_stranger=_names_stranger(tokens),
        has_pronoun=_has(tokens, PRONOUNS),
        has_newcomer_word=_has(tokens, _NEWCOMERS),
        has_stakes_word=_has(tokens, _STAKES),
        has_stacks_word=_has(tokens, _STACKS),
    )


def _names_stake(signs: _LineSigns) -> bool:
    """Whether somebody whom no list seats may post: `Zed straddles`."""
    return signs.has_stranger and signs.has_stakes_word


def _concerns_table(signs: _LineSigns, roster: Roster) -> bool:
    """Whether the line may change the stakes, or who sits where."""
    if signs.numbered_seats - set(roster.seats):
        return True
    if signs.has_stakes_word and (signs.has_number or signs.is_moving):
        return True
    if signs.has_stranger and (signs.is_moving or signs.has_number or signs.has_newcomer_word):
        return True
    if signs.seats:
        return False
    return signs.has_newcomer_word or (signs.is_moving and (signs.has_number or signs.has_pronoun))


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
