"""The answers of a `Table`: plain values that `msgspec.to_builtins` turns into JSON.

Amounts are integers in the table's smallest unit (`Table.exponent` says how many decimals that has). None means unknown,
never zero. Seats are numbers from 1, clockwise.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Basis: TypeAlias = Literal["record", "book", "fallback", "assumed"]
"""`record`: the history of the table shows it. `book`: the cited clauses ask for it. `fallback`: the usual practice,
because the book is silent. `assumed`: a fact is assumed, so what follows from it is only likely."""

PostKind: TypeAlias = Literal["small blind", "big blind", "third blind", "entry", "make-up", "straddle", "kill"]
"""`entry`: of a new player. `make-up`: for missed blinds. `kill`: twice the bet, to come in away from the blinds."""

Status: TypeAlias = Literal["plays", "must_post", "may_choose", "waits", "away", "no_chips", "open"]
"""`plays`: gets cards and posts nothing but the blind of the position. `must_post`: gets cards after posting.
`may_choose`: the player chooses among `SeatDue.choices`. `waits`: gets no cards on this hand. `open`: the book leaves
it open, or the table's history lacks a fact; the reasons say which."""

Pick: TypeAlias = Literal["post", "wait", "play"]
"""What a player chooses: to post and play, to wait, or to play without a post."""


class DueReason(msgspec.Struct, frozen=True):
    """A reason: a sentence, the clauses that it cites, and its basis."""

    sentence: str
    clauses: tuple[str, ...]
    basis: Basis


class PostDue(msgspec.Struct, frozen=True):
    """A post before the cards. `chips` are live and count as a bet; `dead` chips go into the pot beside them."""

    seat: int
    name: str
    kind: PostKind
    chips: int | None
    dead: int | None
    clauses: tuple[str, ...]
    reasons: tuple[DueReason, ...]


class SeatDue(msgspec.Struct, frozen=True):
    """What one player may and must do on the coming hand.

    `dealt`: whether the seat gets cards if the hand is dealt as shown. `posts`: what the player posts to come in now,
    beside the blind of the position; `chips` and `dead` are its sums. `hands_to_wait`: after how many hands the big blind
    comes, if nobody comes or goes. `may_have_button`: None if the book doesn't say.
    """

    seat: int
    name: str
    status: Status
    dealt: bool
    posts: tuple[PostDue, ...]
    chips: int | None
    dead: int | None
    choices: tuple[Pick, ...]
    hands_to_wait: int | None
    may_have_button: bool | None
    missed: tuple[PostKind, ...]
    clauses: tuple[str, ...]
    reasons: tuple[DueReason, ...]


class Reading(msgspec.Struct, frozen=True):
    """One way to deal the hand that the text of the book allows.

    `text`: how the book is read for it, or where button and blinds are. `is_settled`: the book decides it; otherwise it is
    the usual practice, which `check` doesn't judge. `is_doubtful`: another reading of the book is likelier.
    """

    button: int | None
    small_blind: int | None
    big_blind: int | None
    posts: tuple[PostDue, ...]
    dealt: tuple[int, ...]
    text: str
    is_settled: bool
    is_doubtful: bool


class EntryChoice(msgspec.Struct, frozen=True):
    """One way for the players who have a choice to come in, and where button and blinds are then.

    `posting`: post and play. `playing`: play without a post. `waiting`: wait.
    """

    posting: tuple[int, ...]
    playing: tuple[int, ...]
    waiting: tuple[int, ...]
    dealt: tuple[int, ...]
    readings: tuple[Reading, ...]


class Due(msgspec.Struct, frozen=True):
    """What is due on the coming hand of a table under one book.

    A position of None belongs to nobody, or can't be known: its reasons say which. A dead button or small blind is the
    number of a seat that gets no cards. `posts`: what is posted if the hand is dealt as shown. `readings`: the first is
    shown; a hand that fits any of them is right. `choices`: other ways to deal it, where what a player chooses moves the
    button or a blind. `unknown`: why positions can't be told, "" if they can. `unknowns`: all that the answer can't know.
    """

    rulebook: str
    edition: str
    hand: str
    after: str
    button: int | None
    small_blind: int | None
    big_blind: int | None
    button_is_dead: bool
    small_blind_is_dead: bool
    posts: tuple[PostDue, ...]
    seats: tuple[SeatDue, ...]
    dealt: tuple[int, ...]
    first_to_act: int | None
    readings: tuple[Reading, ...]
    choices: tuple[EntryChoice, ...]
    unknown: str
    unknowns: tuple[str, ...]
    sentence: str
    button_reasons: tuple[DueReason, ...]
    small_blind_reasons: tuple[DueReason, ...]
    big_blind_reasons: tuple[DueReason, ...]

    @property
    def is_certain(self) -> bool:
        """Whether nothing is unknown, and the book allows this hand alone."""
        is_single = len(self.readings) == 1 and self.readings[0].is_settled
        return is_single and not self.unknown and not self.unknowns and len(self.choices) < 2

    def seat(self, seat: int) -> SeatDue | None:
        """Return what is due from a seat, or None if nobody sits there."""
        return next((seat_due for seat_due in self.seats if seat_due.seat == seat), None)


class Fault(msgspec.Struct, frozen=True):
    """Something wrong with a hand before anybody acts.

    `clause` of `book` asks for `asks` in every hand; `sentence` is what is wrong in this one, and `should` what it takes
    to be right ("" if `asks` says it). `chips`: what each seat gained or lost by it.
    """

    book: str
    clause: str
    severity: Literal["error", "warning", "info"]
    certainty: Literal["certain", "likely", "needs-video"]
    seat: int | None
    sentence: str
    should: str
    reason: str
    asks: str
    chips: dict[int, int]


class HandPost(msgspec.Struct, frozen=True):
    """A post that was made."""

    seat: int
    kind: str
    chips: int
    dead: int


class RecordedHand(msgspec.Struct, frozen=True):
    """A hand as the table recorded it."""

    number: str
    button: int | None
    small_blind: int | None
    big_blind: int | None
    dealt: tuple[int, ...]
    posts: tuple[HandPost, ...]


class SeatedPlayer(msgspec.Struct, frozen=True):
    """A player in a seat. `stack`: None = unknown. `presence`: as last recorded."""

    seat: int
    name: str
    stack: int | None
    presence: Literal["present", "away", "unknown"]
