"""Track button and blinds from hand to hand: where they were, and who still owes blinds this round."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from ledger.hand.opening import Agreed
from ledger.table.events import HandPlayed, Post
from ledger.table.positions import find_big_blind_seat, find_extra_blind_seat, find_last_poster, find_small_blind_seat
from ledger.vocabulary import PlayerId, Seat, Witness
from projections.obligations.blindless_hands import NO_BLINDS, has_no_blinds
from projections.obligations.dues import Due, Placement
from projections.obligations.game import BlindName, ButtonBarKind, has_blinds
from projections.obligations.ring import did_button_pass, find_seat_before, moves_backwards, reaches
from projections.obligations.round_debts import ROUND_DEBTS
from projections.sentences import readings, unknowns
from projections.sentences.positions import button_taken_from_blind

_POSTS = int(Witness.POSTS)
_IN_TURN: Final = ("small", "big", "extra")
_NOTHING_PAID: Final[frozenset[BlindName]] = frozenset()

FollowedRule: TypeAlias = Literal["none", "owed", "position"]
"""By which rule a hand's blinds were posted: by debts, or each from its position. `none`: it agrees with no placement."""


class HandPositions(NamedTuple):
    """Where button and blinds were on a played hand: as recorded, or else as they follow from earlier hands."""

    hand: str  # its number
    button: Seat | None
    small: Seat | None
    big: Seat | None
    extra: Seat | None
    dealt: tuple[Seat, ...]  # ascending
    players: tuple[PlayerId, ...]  # in the order of `dealt`
    roles: tuple[BlindName, ...]  # the game's blinds, clockwise
    assumed: str = ""  # what we assumed about a button that isn't recorded
    moved_from: Seat | None = None  # the old chair of the last blind's player, who moved without passing anybody
    small_went: Seat | None = None  # the new chair of the small blind's player, who moved without passing anybody

    def seat(self, role: BlindName) -> Seat | None:
        """Return the seat of a blind, or None if it's unknown or there was none."""
        if role == "big":
            return self.big
        return self.small if role == "small" else self.extra

    @property
    def furthest(self) -> Seat | None:
        """The seat of the last blind clockwise; the button's in a game without blinds."""
        return self.seat(self.roles[-1]) if self.roles else self.button

    def find_player(self, seat: Seat) -> PlayerId | None:
        """Return who was dealt in at a seat, or None if nobody was."""
        return dict(zip(self.dealt, self.players, strict=True)).get(seat)

    def has_same_players(self, hand: HandPlayed) -> bool:
        """Whether the same players are dealt in on another hand, in the same seats."""
        dealt, players = self.dealt, self.players
        if len(hand.dealt_in) != len(dealt):
            return False
        for index, dealt_player in enumerate(hand.dealt_in):
            if dealt_player.seat != dealt[index] or dealt_player.player != players[index]:
                return False
        return True

    @property
    def blinds_to_button(self) -> list[Seat | None]:
        """The seats of the blinds and the button, counterclockwise from the last blind."""
        return [*(self.seat(role) for role in reversed(self.roles)), self.button]


class Turn(NamedTuple):
    """Where the next button, blinds and first act are, as indexes of `HandPositions.dealt`."""

    button: int
    small: int
    big: int
    opener: int


def plan_turn(positions: HandPositions | None) -> Turn | None:
    """Return the next turn, or None unless the last hand had button and two blinds in a row, among three or more."""
    if (
        positions is None
        or positions.assumed
        or positions.roles != ("small", "big")
        or positions.button not in positions.dealt
    ):
        return None
    dealt = positions.dealt
    count = len(dealt)
    button_index = dealt.index(positions.button)
    if count < 3 or (dealt[(button_index + 1) % count], dealt[(button_index + 2) % count]) != (
        positions.small,
        positions.big,
    ):
        return None
    return Turn(
        (button_index + 1) % count, (button_index + 2) % count, (button_index + 3) % count, (button_index + 4) % count
    )


class ButtonRound:
    """Button and blinds as known when a hand begins. `positions` None: unknown, and `unknown_reason` says why."""

    __slots__ = (
        "debts",
        "late_debts",
        "positions",
        "stepped_in",
        "turn",
        "unknown_reason",
        "void",
        "void_debts",
        "void_reason",
        "zone",
    )

    def __init__(self) -> None:
        self.stepped_in = False  # on the last hand, somebody posted a blind for a player who was short
        self.forget_positions("no earlier hand of this table is on record")

    def forget_positions(self, reason: str) -> None:
        """Forget positions and debts; `reason` says which fact is missing."""
        self.positions: HandPositions | None = None
        self.unknown_reason = reason
        # Of a later hand that may not count, because it was voided or has no blinds or no end:
        self.void: HandPositions | None = None
        self.void_reason = ""
        self.void_debts: dict[PlayerId, tuple[BlindName, ...]] = {}  # the debts if that hand counts
        self.debts: dict[PlayerId, tuple[BlindName, ...]] = {}  # blinds that reached the player and aren't paid yet
        self.late_debts: dict[PlayerId, tuple[BlindName, ...]] = {}  # those that were due on the last hand
        self.zone: dict[PlayerId, ButtonBarKind] = {}  # came in between button and big blind, before it reached them
        self.stepped_in = False
        self.turn: Turn | None = None  # the next positions, if nobody comes or goes

    def plan_steady_turn(self) -> None:
        """Plan the next positions, one player on; leave the plan empty if anything is open."""
        self.turn = None
        if self.void is not None or self.stepped_in or self.late_debts or self.zone or len(self.debts) != 1:
            return
        turn = plan_turn(self.positions)
        if turn is None or self.positions is None:
            return
        next_small_player = self.positions.players[turn.small]  # who had the big blind has the small one next
        if self.debts == {next_small_player: ("small",)}:
            self.turn = turn

    def take_steady_hand(self, hand: HandPlayed, placement: Placement) -> bool:
        """Apply a hand that agrees with the planned `placement`, or return False if it doesn't agree."""
        positions, turn = self.positions, self.turn
        if (
            positions is None
            or turn is None
            or has_no_blinds(hand)
            or placement.method == "owed"
            or not hand.completed
            or not agrees_with(placement, hand)
        ):
            return False
        dealt = positions.dealt
        self.positions = HandPositions(
            hand.number,
            placement.button,
            placement.small,
            placement.big,
            None,
            dealt,
            positions.players,
            positions.roles,
        )
        self.debts = {positions.players[turn.big]: ("small",)}
        self.turn = Turn(turn.small, turn.big, turn.opener, (turn.opener + 1) % len(dealt))
        return True

    def move_with_player(self, old_seat: Seat, new_seat: Seat) -> None:
        """Move button and blinds with a player who changes chairs without passing anybody."""
        self.turn = None
        if self.positions is not None and old_seat in self.positions.dealt:
            self.positions = _move_player(self.positions, old_seat, new_seat)
        if self.void is not None and old_seat in self.void.dealt:
            self.void = _move_player(self.void, old_seat, new_seat)

    def align_positions(self, hand: HandPlayed) -> HandPositions | str | None:
        """Return the last positions by the seat numbers of `hand`, or None if unknown, a sentence if they are lost.

        Some formats only list players in order, so each hand has its own seat numbers.
        """
        positions = self.positions
        if positions is None or positions.has_same_players(hand):
            return positions
        old_seats = dict(zip(positions.players, positions.dealt, strict=True))
        returning_players = [dealt_player for dealt_player in hand.dealt_in if dealt_player.player in old_seats]
        moved_count = sum([old_seats[returning.player] != returning.seat for returning in returning_players])
        if 2 * moved_count <= len(returning_players):
            return positions
        seat_map: dict[Seat | None, Seat]
        seat_map = {old_seats[returning.player]: returning.seat for returning in returning_players}
        if positions.furthest is not None and positions.furthest not in seat_map:
            return "the seats have new numbers, and the player who had the big blind is gone"
        remaining = sorted((returning.seat, returning.player) for returning in returning_players)
        return positions._replace(
            button=seat_map.get(positions.button),
            small=seat_map.get(positions.small),
            big=seat_map.get(positions.big),
            extra=seat_map.get(positions.extra),
            dealt=tuple([seat for seat, _ in remaining]),
            players=tuple([player for _, player in remaining]),
        )

    def apply_hand(self, hand: HandPlayed, due: Due, roles: tuple[BlindName, ...]) -> None:
        """Note where button and blinds of a hand were: as recorded, or as in the due placement that it agrees with."""
        if not has_blinds(hand.variant):
            self.forget_positions(unknowns.hand_without_button(hand.number))
            return
        self._renumber_seats(hand)
        matching_placement = next((placement for placement in due.placements if agrees_with(placement, hand)), None)
        is_doubtful = matching_placement is not None and matching_placement.doubtful  # then debts may have been paid
        followed = None if is_doubtful else matching_placement
        positions = _read_positions(hand, matching_placement, roles)
        counts = hand.completed and not has_no_blinds(hand)
        if not counts and self._set_aside(hand, positions, followed, due):
            return
        if self.void is not None and self.void.furthest != positions.furthest:
            self.positions, self.debts = self.void, self.void_debts  # the blinds moved on, so the void hand counted
        if self.zone:
            self._clear_zone(hand, positions)
        self._update_debts(hand, positions, followed, due)
        self.stepped_in = (
            _has_stepped_in(matching_placement) if matching_placement is not None else _has_short_big_blind(hand)
        )
        self.positions, self.void = positions, None
        if positions.big is None and positions.button is None:
            self.forget_positions(unknowns.positions_of(hand.number))

    def _renumber_seats(self, hand: HandPlayed) -> None:
        """Give the last positions the seat numbers of `hand`, or forget them if they are lost."""
        aligned_positions = self.align_positions(hand)
        if isinstance(aligned_positions, str):
            self.forget_positions(aligned_positions)
        else:
            self.positions = aligned_positions

    def _set_aside(self, hand: HandPlayed, positions: HandPositions, followed: Placement | None, due: Due) -> bool:
        """Set aside a hand that doesn't count; return False if it's still open and nothing is known before it."""
        if self.positions is not None:
            self._remember_void_hand(hand, positions, followed, due)
            return True
        if hand.completed:
            self.unknown_reason = unknowns.hand_without_blinds(hand.number)
        return hand.completed or bool(hand.voided)

    def _remember_void_hand(
        self, hand: HandPlayed, positions: HandPositions, followed: Placement | None, due: Due
    ) -> None:
        """Remember positions and debts of a hand without an end, in case it counts; change nothing else."""
        saved_debts = self.debts, self.late_debts
        self._update_debts(hand, positions, followed, due)
        self.void, self.void_debts = positions, self.debts
        self.void_reason = NO_BLINDS if hand.completed else hand.voided
        self.debts, self.late_debts = saved_debts

    def _clear_zone(self, hand: HandPlayed, positions: HandPositions) -> None:
        """Drop the players whom the big blind has reached since they came in, and those who left."""
        seats = dict(zip(positions.players, positions.dealt, strict=True))
        seats.update((left_out_player.player, left_out_player.seat) for left_out_player in hand.left_out)
        last_positions = self.positions
        self.zone = {
            player: kind
            for player, kind in self.zone.items()
            if player in seats
            and (last_positions is None or not _is_round_over(kind, last_positions, seats[player], positions))
        }

    def _update_debts(
        self, hand: HandPlayed, positions: HandPositions, matching_placement: Placement | None, due: Due
    ) -> None:
        """Update what each player owes after a hand: add the blinds that reached the player, subtract those paid."""
        players = dict(zip(positions.dealt, positions.players, strict=True))
        if matching_placement is not None and matching_placement.method != "owed":
            self._update_debts_by_position(positions, players)
            return
        paid_by_seat = _collect_paid_roles(hand, matching_placement)
        paid_roles = {players[seat]: roles for seat, roles in paid_by_seat.items() if seat in players}
        followed: FollowedRule = "none" if matching_placement is None else "owed"
        self.debts = self._list_debts(positions, followed, paid_roles)
        if matching_placement is not None:
            # Nobody owes more than the placement that the hand agrees with asks for.
            posting_players = {players[post.seat] for post in matching_placement.posts if post.seat in players}
            self.debts = {player: roles for player, roles in self.debts.items() if player in posting_players}
        late_players = _find_late_players(due, players, paid_roles)
        self.late_debts = {player: roles for player, roles in self.debts.items() if player in late_players}

    def _update_debts_by_position(self, positions: HandPositions, players: Mapping[Seat, PlayerId]) -> None:
        """Update the debts after a hand whose blinds fell by position: who was last in line has had the turn."""
        paid_roles: dict[PlayerId, set[BlindName]] = {}
        furthest = positions.furthest
        if furthest is not None and furthest in players:  # posted or not
            paid_roles[players[furthest]] = set(positions.roles[-1:])
        self.debts = self._list_debts(positions, "position", paid_roles)
        self.late_debts = {}

    def _list_debts(
        self, positions: HandPositions, followed: FollowedRule, paid_roles: Mapping[PlayerId, set[BlindName]]
    ) -> dict[PlayerId, tuple[BlindName, ...]]:
        """Return the blinds that each player still owes this round, the largest first."""
        all_roles = tuple(reversed(positions.roles))
        last_positions = self.positions
        if (
            last_positions is not None
            and followed == "none"
            and moves_backwards(last_positions.furthest, positions.furthest, positions.dealt)
        ):
            last_positions = None  # the blind went backwards and passed nobody, so debts begin with this hand
        debts: dict[PlayerId, tuple[BlindName, ...]] = {}
        for seat, player in zip(positions.dealt, positions.players, strict=True):
            roles, old_debts = paid_roles.get(player, _NOTHING_PAID), self.debts.get(player, ())
            debt = ROUND_DEBTS.decide(
                followed,
                seat == positions.furthest,
                last_positions is not None,
                player in self.late_debts and not roles & set(old_debts),
                last_positions is not None and _has_blind_reached(last_positions, seat, positions),
            )
            unpaid_roles = list(old_debts) if debt.keeps_old else []
            unpaid_roles += all_roles if debt.adds == "all" else ()
            unpaid_roles += _list_unpaid_roles(roles, all_roles) if debt.adds == "smaller" else ()
            for role in roles & set(unpaid_roles):
                unpaid_roles.remove(role)
            if unpaid_roles:
                debts[player] = tuple(unpaid_roles)
        return debts


def _find_late_players(
    due: Due, players: Mapping[Seat, PlayerId], paid_roles: Mapping[PlayerId, Collection[BlindName]]
) -> set[PlayerId]:
    """Return the players who didn't post a blind that they owed on this hand."""
    owed_posts = next((placement.posts for placement in due.placements if placement.method == "owed"), ())
    return {
        players[post.seat]
        for post in owed_posts
        if post.seat in players and post.role not in paid_roles.get(players[post.seat], ())
    }


def _list_unpaid_roles(roles: Collection[BlindName], all_roles: tuple[BlindName, ...]) -> tuple[BlindName, ...]:
    """Return the blinds smaller than those that a player posted. `all_roles`: the largest first."""
    posted = [all_roles.index(role) for role in roles if role in all_roles]
    return all_roles[max(posted) + 1 :] if posted else ()


def _move_player(positions: HandPositions, old_seat: Seat, new_seat: Seat) -> HandPositions:
    """Return the positions after a player moved to another chair without passing anybody."""
    players = {
        new_seat if seat == old_seat else seat: player
        for seat, player in zip(positions.dealt, positions.players, strict=True)
    }
    dealt = tuple(sorted(players))
    new_positions = positions._replace(dealt=dealt, players=tuple([players[seat] for seat in dealt]))
    if positions.button == old_seat:
        new_positions = new_positions._replace(button=new_seat)
    if positions.small == old_seat:  # two readings: a dead button may still go to the old chair
        new_positions = (
            new_positions._replace(small_went=new_seat) if len(dealt) > 2 else new_positions._replace(small=new_seat)
        )
    if positions.furthest != old_seat:
        return new_positions
    new_positions = new_positions._replace(moved_from=positions.moved_from or old_seat)
    return (
        new_positions._replace(extra=new_seat)
        if positions.roles[-1:] == ("extra",)
        else new_positions._replace(big=new_seat)
    )


def add_chopped_blinds(hand: HandPlayed, due: Due) -> HandPlayed:
    """Return a hand whose players agreed to chop, as if they had posted the blinds: they have had their turn."""
    if hand.posts:
        return hand
    placement = next((placement for placement in due.placements if placement.judged), None)
    chopped = any(isinstance(event, Agreed) and event.subject == "chop-blinds" for event in hand.within)
    if placement is None or not chopped:
        return hand
    posts = tuple([Post(post.seat, post.role, post.live or 0) for post in placement.posts if post.role in _IN_TURN])
    return msgspec.structs.replace(hand, posts=posts)


def _has_blind_reached(last_positions: HandPositions, seat: Seat, positions: HandPositions) -> bool:
    """Whether the last blind came to a seat, or went past it, since the last hand."""
    start, end = last_positions.furthest, positions.furthest
    return start is not None and end is not None and reaches(last_positions.button, start, seat, positions.button, end)


def _is_round_over(kind: ButtonBarKind, last_positions: HandPositions, seat: Seat, positions: HandPositions) -> bool:
    """Whether the big blind has reached a player who came in ahead of it; or, after a make-up, the button has passed."""
    has_button_passed = kind == "made-up-between" and did_button_pass(
        last_positions.button, seat, positions.button, positions.dealt
    )
    return has_button_passed or _has_blind_reached(last_positions, seat, positions)


def _collect_paid_roles(hand: HandPlayed, matching_placement: Placement | None) -> dict[Seat, set[BlindName]]:
    """Return the blinds that each seat posted: as recorded, or as due if the source doesn't record posts."""
    paid_roles: dict[Seat, set[BlindName]] = {}
    if not hand.witnesses & _POSTS and not hand.posts and matching_placement is not None:
        for due in matching_placement.posts:
            if due.role in ("small", "big", "extra"):
                paid_roles.setdefault(due.seat, set()).add(due.role)
        return paid_roles
    for post in hand.posts:
        if post.role in ("small", "big", "extra"):
            paid_roles.setdefault(post.seat, set()).add(post.role)
    return paid_roles


def _has_stepped_in(placement: Placement) -> bool:
    """Whether somebody posts a blind in a placement for a player who is short of chips."""
    big_blind_seats = [post.seat for post in placement.posts if post.role == "big"]
    if placement.reading == readings.short_stack_passed_over():
        return True
    return placement.method in ("dead", "positional") and len(big_blind_seats) > 1


def _has_short_big_blind(hand: HandPlayed) -> bool:
    """Whether somebody posted a big blind as well as another player who posted less than half of it."""
    big_blind_amounts = [post.live for post in hand.posts if post.role == "big"]
    return len(big_blind_amounts) > 1 and 2 * min(big_blind_amounts) < max(big_blind_amounts)


def agrees_with(placement: Placement, hand: HandPlayed) -> bool:
    """Whether what a hand records of button and blinds agrees with a placement."""
    if hand.button is not None and placement.button is not None and hand.button != placement.button:
        return False
    if hand.small is not None and placement.small is not None and hand.small != placement.small:
        return False
    if hand.big is not None and placement.big is not None and hand.big != placement.big:
        return False
    posted = {(post.role, post.seat) for post in hand.posts if post.role in _IN_TURN}
    return not posted or posted == {(due.role, due.seat) for due in placement.posts if due.role in _IN_TURN}


def _read_positions(
    hand: HandPlayed, matching_placement: Placement | None, roles: tuple[BlindName, ...]
) -> HandPositions:
    """Return a hand's positions: as recorded, else as posted, else as in the placement that it agrees with.

    If blinds are owed, a poster needn't be in the blind's position: then the placement comes before the posts.
    """
    seated_players = sorted((dealt_player.seat, dealt_player.player) for dealt_player in hand.dealt_in)
    dealt = tuple([seat for seat, _ in seated_players])
    button, small, big, extra = _complete_positions(hand, matching_placement)
    assumption = ""
    if button is None and small is not None and len(dealt) > 1:
        other_seats = [seat for seat in dealt if seat != small]
        button = small if len(dealt) == 2 else find_seat_before(small, other_seats)
        assumption = button_taken_from_blind(hand.number)
    if small is None and len(dealt) == 2 and roles == ("small", "big") and button != big:
        small = button
    return HandPositions(
        hand.number,
        button,
        small,
        big,
        extra,
        dealt,
        tuple([player for _, player in seated_players]),
        roles,
        assumption,
    )


def _complete_positions(
    hand: HandPlayed, matching_placement: Placement | None
) -> tuple[Seat | None, Seat | None, Seat | None, Seat | None]:
    """Return the seats of button, small, big and third blind, by the rule that `_read_positions` gives."""
    button, small, big, extra = hand.button, hand.small, hand.big, None
    if matching_placement is None or matching_placement.method != "owed":
        small, big, extra = find_small_blind_seat(hand), find_big_blind_seat(hand), find_extra_blind_seat(hand)
    if matching_placement is not None:
        button = matching_placement.button if button is None else button
        small = matching_placement.small if small is None else small
        big = matching_placement.big if big is None else big
        extra = matching_placement.extra if extra is None else extra
    big = find_last_poster(hand, "big", button) if big is None else big
    extra = find_last_poster(hand, "extra", button) if extra is None else extra
    return button, small, big, extra
