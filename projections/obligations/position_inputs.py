"""What the methods of moving button and blinds read and return: inputs, drafts and citations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple, TypeAlias

from ledger.vocabulary import PlayerId, Seat
from projections.obligations.button_round import HandPositions
from projections.obligations.dues import Ground, Method
from projections.obligations.game import BlindName

ButtonRight: TypeAlias = Literal["yes", "no", "rather-yes", "rather-no"]
"""Whether a seat may have the button. `rather-yes`, `rather-no`: the book leaves it open, usually for yes or for no.

Then neither answer is a breach."""


class PositionInputs(NamedTuple):
    """What the positions of one hand depend on."""

    last_positions: HandPositions
    roles: tuple[BlindName, ...]
    settled_seats: tuple[Seat, ...]  # in the game, and owe nothing; ascending
    entrants: tuple[Seat, ...]  # new players and those who come back: on the coming hand, they may still wait
    is_recorded: bool  # a recorded hand; False = the coming one
    posters: frozenset[Seat]  # entrants who post to enter, or to make up blinds
    judge_button_right: Callable[[Seat], tuple[ButtonRight, Ground | None]]
    players: dict[Seat, PlayerId]
    debts: dict[PlayerId, tuple[BlindName, ...]]  # as in `ButtonRound`
    late_debts: dict[PlayerId, tuple[BlindName, ...]]  # as in `ButtonRound`
    free_entrants: frozenset[Seat] = frozenset()  # entrants who are dealt in wherever the blinds fall
    excused: frozenset[Seat] = frozenset()  # take no blind before the big blind reaches them
    entrants_in_turn: frozenset[Seat] = frozenset()  # entrants who take any blind: the book lets them in at any seat

    def had_last_blind(self, seat: Seat) -> bool:
        """Whether a seat had the last blind, and its player is still there."""
        last_positions = self.last_positions
        return last_positions.furthest == seat and last_positions.find_player(seat) == self.players.get(seat)

    @property
    def all_seats(self) -> tuple[Seat, ...]:
        """All who are, or may be, dealt in."""
        return tuple(sorted((*self.settled_seats, *self.entrants)))

    @property
    def blind_turn_seats(self) -> set[Seat]:
        """The seats that take any blind when its turn comes to them."""
        return {*self.settled_seats, *self.entrants_in_turn}

    def list_dealt_seats(self, blinds: Iterable[Seat]) -> tuple[Seat, ...]:
        """Return who is dealt in, ascending: on the coming hand, entrants only in a blind or wherever the blinds fall."""
        if self.is_recorded:
            return self.all_seats
        return tuple(sorted({*self.settled_seats, *self.free_entrants, *blinds}))


class Draft(NamedTuple):
    """Where button and blinds of a hand belong, before posts and the order of play are worked out."""

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
    owed_posts: tuple[tuple[Seat, BlindName], ...] | None = None  # who posts which blind; None: each from its position
    has_collision: bool = False  # as `Placement.has_collision`

    @property
    def furthest(self) -> Seat | None:
        """The last blind clockwise."""
        return self.blinds[-1] if self.blinds else None


class Citations(NamedTuple):
    """The clauses that each kind of reason cites, and three decisions of the book: the last three fields."""

    method: tuple[str, ...] = ()
    dead_blind: tuple[str, ...] = ()
    dead_button: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()  # the blinds under a moving button
    forward: tuple[str, ...] = ()  # the button always moves on
    heads_up: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    heads_up_known: bool = False  # the book says where the small blind of two players is
    small_off_button: bool = False  # with three blinds, the button doesn't post the smallest
    transition: str = ""  # the book's rule when three players become two; "" = none
