"""Plain values of an audit: a detector's answers, the findings made of its breaches, and coverage."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Literal, TypeAlias

import msgspec

from ledger.hand.seat_maps import FEW_SEATS
from ledger.vocabulary import Chips, Seat
from projections.addresses.hand_reference import Hand
from projections.obligations.dues import Ground

Severity: TypeAlias = Literal["error", "warning", "info"]
"""`error` changes cards, chips or who plays; `warning` is procedure; `info` is for the record."""

Certainty: TypeAlias = Literal["certain", "likely", "needs-video"]
"""`certain`: recorded facts alone show it; `likely`: it rests on a named assumption; `needs-video`: the footage
must show it."""

Fate: TypeAlias = Literal["followed", "not-followed", "cannot-tell", "none"]
"""Whether the remedy that the book prescribes was followed; `none`: it prescribes none."""

MAX_EVENTS: Final = 5_000
"""Heavy detectors don't judge a hand with more events. No real hand has nearly as many."""
MAX_JUDGED_PLAYERS: Final = FEW_SEATS
"""No rulebook judges a hand with more players. No table has as many seats."""
NOT_JUDGED_MARK: Final = "not judged: "
TOO_MANY_EVENTS: Final = f"{NOT_JUDGED_MARK}more than {MAX_EVENTS:,} events"
"""The missing fact of a hand with more than `MAX_EVENTS` events."""
TOO_MANY_PLAYERS: Final = f"{NOT_JUDGED_MARK}more than {MAX_JUDGED_PLAYERS} players"
"""The missing fact of a hand with more than `MAX_JUDGED_PLAYERS` players."""
NOT_JUDGED: Final = (TOO_MANY_EVENTS, TOO_MANY_PLAYERS)
"""The missing facts of hands that are too large to judge."""
TOO_LARGE: Final = f"{TOO_MANY_EVENTS} or {MAX_JUDGED_PLAYERS} players"
"""Both reasons in one sentence, for a list of hands that are too large to judge for one or the other."""


@dataclass(frozen=True, slots=True)
class Breach:
    """A violation of a clause, as a detector found it in a hand."""

    version: int  # of the event that shows it; the hand's first event has version 1
    saw: str  # the headline
    seat: Seat | None = None
    should: str = ""  # what should have happened; empty if the clause itself says it
    because: str = ""  # the facts that `should` follows from
    money: tuple[tuple[Seat, Chips], ...] = ()  # chips that each seat gained or lost by it; the chips sum to zero
    remedy: Fate = "none"
    certainty: Certainty = "certain"
    severity: Severity | None = None  # if it differs from the clause's own
    other_events: tuple[tuple[int, str], ...] = ()  # versions of other events that show it, each with a note
    grounds: tuple[Ground, ...] = ()  # the facts the demand rests on; if one is assumed, the certainty is `likely`
    rests_on: tuple[Seat, ...] = ()  # other seats whose dues the demand depends on
    wrong_event: int = (
        0  # version of the earlier wrong event that this one follows from or corrects; 0 if there is none
    )
    identity: tuple[int, Seat | None] | None = None  # version and seat to identify it by, if not those above

    @property
    def key(self) -> tuple[int, Seat | None]:
        """The version and seat that identify the breach in its fingerprint and among other clauses' breaches."""
        return self.identity or (self.version, self.seat)


@dataclass(frozen=True, slots=True)
class CannotTell:
    """The clause came up in the hand, but a fact is missing to judge it."""

    missing: str


class NoOccasion:
    """The clause didn't come up in the hand."""


NO_OCCASION = NoOccasion()
Answer: TypeAlias = Breach | CannotTell | NoOccasion


class Line(msgspec.Struct, frozen=True):
    """An event of the hand that shows a finding, and its bytes in the source: none if `length` is 0."""

    version: int
    note: str = ""
    start: int = 0  # byte offset in the source file
    length: int = 0


class Share(msgspec.Struct, frozen=True):
    """Chips that a seat gained (positive) or lost (negative) by a breach."""

    seat: Seat
    amount: Chips


class Finding(msgspec.Struct, frozen=True):
    """A breach with the clause that it violates, as published. It states facts, never somebody's motives."""

    clause: str
    book: str
    edition: str
    severity: Severity
    certainty: Certainty
    hand: Hand
    version: int
    seat: Seat | None
    saw: str
    asks: str  # what the clause demands in every hand, in our words
    should: str  # what the clause demands in this hand; empty if `asks` says it all
    because: str
    money: list[Share]  # sums to zero; empty if no chips moved, or if nobody can tell how many
    remedy: Fate
    fingerprint: str  # the same for the same breach of the same hand, whatever file recorded it
    lines: list[Line]  # the first is the event itself
    also: list[str] = []  # clauses of the same book that the same breach violates
    source: str = ""  # the file's SHA-256, hex; in a ledger and its evidence, the ledger's name for it
    unit: str = ""
    exponent: int = 0

    @property
    def citation(self) -> str:
        """Clause and book as people write them: `hilton B8a.1`."""
        return f"{self.book} {self.clause}"


class Missing(msgspec.Struct, frozen=True):
    """A missing fact that kept a clause from being judged, with the number of hands."""

    fact: str
    hands: int
    named: list[str] = []  # addresses of the first few of these hands, in the audit's order


class Coverage(msgspec.Struct):  # not frozen: merging results adds the counts of later hands to a row
    """The outcomes of one clause; the counts from `clean` to `no_judgement` sum to the number of hands."""

    clause: str
    book: str
    kind: str
    clean: int = 0
    found: int = 0  # hands with at least one finding
    cannot_tell: int = 0
    not_applicable: int = 0  # the clause is about other games, or it didn't come up
    not_built: int = 0
    no_judgement: int = 0  # the clause defines or permits, or nothing could show it
    findings: int = 0
    missing: list[Missing] = []
    did_not_come_up: int = 0  # those of `not_applicable` in games that the clause is about

    @property
    def judged(self) -> int:
        """The number of hands that were judged."""
        return self.clean + self.found


def compute_fingerprint(
    book: str, clause: str, hand: Hand, version: int, seat: Seat | None, breach_index: int, session: int = 1
) -> str:
    """Return 16 hex digits that identify a breach, whatever file recorded the hand.

    `breach_index` counts the breaches of the clause in the hand from 0. `session` is 1 for the first hand with this
    number at the table, 2 for the second, and so on: some tables number their hands from 1 again each session.
    """
    parts = (
        book,
        clause,
        hand.venue,
        hand.tournament,
        hand.table,
        hand.number,
        str(version),
        str(seat),
        str(breach_index),
    )
    text = "\0".join(parts if session == 1 else (*parts, str(session)))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
