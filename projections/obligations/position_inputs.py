"""What the methods need: the last positions, who is to be dealt in, and who may have the button."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

from ledger.vocabulary import PlayerId, Seat
from projections.obligations.button_round import HandPositions
from projections.obligations.dues import Ground, Method
from projections.obligations.game import BlindName

ButtonRight: TypeAlias = Literal["yes", "no", "rather-yes", "rather-no"]
"""Whether a seat may have the button; `rather`: the book leaves it open, both are right."""


class Ask(NamedTuple):
    """The question for positions of one hand."""

    last_positions: HandPositions
    roles: tuple[BlindName, ...]
    settled_seats: tuple[Seat, ...]  # dealt in and settled, ascending
    comers: tuple[Seat, ...]  # may come in where the big blind falls; with `is_recorded` they are dealt in
    is_recorded: bool  # who is dealt in is on record
    posters: frozenset[Seat]  # of those coming: post to enter or to make up on this hand
    judge_button_right: Callable[[Seat], tuple[ButtonRight, Ground | None]]
    players: dict[Seat, PlayerId]
    debts: dict[PlayerId, tuple[BlindName, ...]]
    late_debts: dict[PlayerId, tuple[BlindName, ...]]
    free_comers: frozenset[Seat] = frozenset()  # of those coming: dealt in wherever the blinds fall
    excused: frozenset[Seat] = frozenset()  # take no blind before the big one comes round
    turn_takers: frozenset[Seat] = (
        frozenset()
    )  # of those coming: the book lets them in anywhere, so they take any blind

    def had_last_blind(self, seat: Seat) -> bool:
        """Whether the player who sits in a seat now had the last blind there."""
        was = self.last_positions
        return was.furthest == seat and was.player_at(seat) == self.players.get(seat)

    @property
    def all_seats(self) -> tuple[Seat, ...]:
        """All who are, or may be, dealt in."""
        return tuple(sorted((*self.settled_seats, *self.comers)))


class Draft(NamedTuple):
    """Positions of a hand, before posts and the order of play are worked out."""

    method: Method
    button: Seat | None
    blinds: tuple[Seat | None, ...]  # in the order of the roles
    dealt: tuple[Seat, ...]
    button_grounds: tuple[Ground, ...]
    blind_grounds: tuple[tuple[Ground, ...], ...]
    heads_up: bool = False
    judged: bool = True
    reading: str = ""
    doubtful: bool = False  # as `Placement.doubtful`
    owes: tuple[tuple[Seat, BlindName], ...] | None = None  # None: each blind from its position
    folded: bool = False  # as `Placement.folded`

    @property
    def furthest(self) -> Seat | None:
        """The last blind clockwise."""
        return self.blinds[-1] if self.blinds else None


class Cites(NamedTuple):
    """The clauses behind each reason."""

    method: tuple[str, ...] = ()
    dead_blind: tuple[str, ...] = ()
    dead_button: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()  # the blinds under a moving button
    forward: tuple[str, ...] = ()  # the button never stays
    heads_up: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    heads_up_known: bool = False  # the book says where the small blind of two players is
    small_off_button: bool = False  # of three blinds, the smallest is not posted from the button
    transition: str = ""  # what the book says of three who become two
