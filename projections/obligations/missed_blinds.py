"""Which blinds went past a seat that got no cards, and whether the player was away.

Under the dead button, and where blinds are owed, a blind passes every seat between its last seat and its new one.
Where blinds follow a moving button, a seat only misses the blind that it would have had itself.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.table.events import HandPlayed
from ledger.table.positions import find_big_blind_seat, find_extra_blind_seat, find_last_poster, find_small_blind_seat
from ledger.table.state import SeatState
from ledger.vocabulary import Seat
from projections.obligations.button_round import agrees_with
from projections.obligations.dues import Basis, Due, Method, Placement
from projections.obligations.ring import find_seat_after, is_between, reaches
from projections.obligations.rule_table import ANY_FACT, Rule, RuleTable
from projections.obligations.stakes import ROLES, Blind


class Spot(NamedTuple):
    """Where button and blinds of a hand were. A seat is None if it's unknown, or if the hand had no such position."""

    button: Seat | None = None
    small: Seat | None = None
    big: Seat | None = None
    extra: Seat | None = None
    has_collision: bool = False  # as `Placement.has_collision`
    method: Method = "record"  # as `Placement.method`; `record` if the positions are recorded ones

    def seat_of(self, role: str) -> Seat | None:
        """Return the seat of a blind, or None if it's unknown or the hand had no such blind."""
        match role:
            case "small":
                return self.small
            case "big":
                return self.big
            case _:
                return self.extra

    @property
    def furthest(self) -> Seat | None:
        """The seat of the last blind clockwise."""
        return self.big if self.extra is None else self.extra


def move_with_player(spot: Spot | None, old_seat: Seat, new_seat: Seat) -> Spot | None:
    """Return the positions after a player changed chairs without passing anybody.

    If the player had the last blind, its position moves along. Otherwise nothing changes.
    """
    if spot is None or spot.furthest != old_seat:
        return spot
    return spot._replace(big=new_seat) if spot.extra is None else spot._replace(extra=new_seat)


class BlindAbsence(NamedTuple):
    """What the record shows of a player whom a blind went past."""

    basis: Basis  # whether the record shows it, or we assume it
    was_away: bool | None  # None if that's unknown
    may_have_left: bool = False  # the player may have given up the seat


ABSENCES: Final = RuleTable(
    "A blind went past a seat without cards. Was the player away?",
    {
        "the hand lists the seat as": ("away", "present", "unknown", "not named"),
        "seen going away before": (True, False),
        "has chips": (True, False),
        "the source lists everybody who stays": (True, False),
    },
    (
        Rule(
            ("away", ANY_FACT, ANY_FACT, ANY_FACT),
            BlindAbsence("record", True),
            "Away. The blind is missed.",
            ("missed.ways_back",),
        ),
        Rule(
            (ANY_FACT, True, ANY_FACT, ANY_FACT),
            BlindAbsence("record", True),
            "Away. The blind is missed.",
            ("missed.ways_back",),
        ),
        Rule(
            ("present", ANY_FACT, True, ANY_FACT),
            BlindAbsence("record", True),
            "Chose not to play. The blind is missed.",
            ("missed.ways_back",),
        ),
        Rule(
            ("present", ANY_FACT, False, ANY_FACT),
            BlindAbsence("record", False),
            "Was there without chips. The book says whether new chips make a new player.",
            ("entry.bust_reentry",),
        ),
        Rule(
            ("unknown", ANY_FACT, ANY_FACT, ANY_FACT),
            BlindAbsence("record", None),
            "The blind is missed. Whether the player was away isn't recorded.",
            ("missed.ways_back",),
        ),
        Rule(
            ("not named", ANY_FACT, ANY_FACT, True),
            BlindAbsence("assumed", None),
            "The blind is missed, as we read the record: nobody said that the player left.",
            ("missed.ways_back",),
        ),
        Rule(
            ("not named", ANY_FACT, ANY_FACT, False),
            BlindAbsence("record", None, may_have_left=True),
            "Open: the player may have left.",
            ("missed.ways_back",),
        ),
    ),
)
# By the reason for which a hand leaves a seat out. Any other reason means that the player was present.
_LISTED_AS: Final = {"": "not named", "unknown": "unknown", "sitting-out": "away", "away": "away", "reserved": "away"}


def find_absence(reason: str, seat_state: SeatState | None, *, has_chips: bool, lists_all: bool) -> BlindAbsence:
    """Return what a hand shows of the player in a seat without cards.

    `reason` is why the hand leaves the seat out, or "" if it doesn't list the seat. `lists_all`: the source lists
    everybody who stays at the table.
    """
    is_seen_away = seat_state is not None and seat_state.presence == "away"
    return ABSENCES.decide(_LISTED_AS.get(reason, "present"), is_seen_away, has_chips, lists_all)


class BlindPassage(NamedTuple):
    """How button and blinds moved to one hand. It shows which blinds passed a seat.

    `is_small_blind_nominal`: heads-up, `spot.small` is where the small blind would be with more players. That isn't
    the button, where it was posted. A miss of that small blind is then only assumed.
    """

    hand: str  # its number
    method: Method
    last_spot: Spot  # on the hand before
    spot: Spot  # on this hand
    dealt: frozenset[Seat]  # seats that were dealt in when the blinds were posted
    is_backwards: bool  # the recorded big blind moved backwards, so it passed nobody
    is_anchor: bool = False  # nothing is known before the hand
    is_small_blind_nominal: bool = False

    def list_missed_blinds(self, seat: Seat) -> tuple[Blind, ...]:
        """Return the blinds that a seat without cards missed: they passed it, or would have been its own."""
        if self.is_backwards:
            return ()
        # Under a moving button, a seat misses only the blind that it would have had itself.
        is_own_blind_missed = self.method == "positional"
        if self.is_anchor:  # nothing is known before this hand, so it must show all positions itself
            is_own_blind_missed = self.spot.small is not None and self.spot.big is not None
        is_heads_up = len(self.dealt) < 3
        if is_own_blind_missed and not is_heads_up and self.spot.button is not None:
            return self._find_own_blind(seat, self.spot.button)
        return self._list_blinds_past(seat)

    def _list_blinds_past(self, seat: Seat) -> tuple[Blind, ...]:
        """Return the blinds that reached or passed a seat between their last seats and their new ones."""
        passed_blinds: list[Blind] = []
        for role in ROLES:
            # A blind that stayed in its seat passed nobody, but an owed one may have gone all the way around.
            last_seat, seat_now = self.last_spot.seat_of(role), self.spot.seat_of(role)
            if last_seat is None or seat_now is None or (last_seat == seat_now and self.method != "owed"):
                continue
            if reaches(self.last_spot.button, last_seat, seat, self.spot.button, seat_now):
                passed_blinds.append(role)
        return tuple(passed_blinds)

    def _find_own_blind(self, seat: Seat, start: Seat) -> tuple[Blind, ...]:
        """Return the blind that the seat would have had if it had been dealt in, or an empty tuple.

        That's the first blind at or after the seat, clockwise from `start`, the button.
        """
        for role in ROLES:
            end = self.spot.seat_of(role)
            if end is None and role == "small":
                end = self._find_unposted_small(start)
            if end is None:
                continue
            if start != end and is_between(start, seat, end):
                return (role,)
            start = end
        return ()

    def _find_unposted_small(self, button: Seat) -> Seat | None:
        """Return where an unposted small blind belonged, or None if that's unknown.

        That's the seat of the previous hand's big blind, if it's between the button and the big blind.
        """
        last_big, big = self.last_spot.big, self.spot.big
        if last_big is None or big is None or big in (last_big, button):
            return None
        return last_big if is_between(button, last_big, big) else None


def place_heads_up_small_blind(spot: Spot, last_spot: Spot | None, method: Method, dealt_count: int) -> Spot:
    """Move a heads-up small blind to the seat of the last big blind, unless blinds are owed.

    Heads-up, the small blind is posted on the button. With more players, it follows the big blind: it passes the seat
    where that was, and no other. Return `spot` unchanged for other hands.
    """
    if (
        method not in ("dead", "positional")
        or dealt_count != 2
        or last_spot is None
        or last_spot.big is None
        or spot.small is None
    ):
        return spot
    return spot._replace(small=last_spot.big)


def locate_positions(hand: HandPlayed, due: Due | None) -> tuple[Spot, Placement | None]:
    """Return where button and blinds of a hand were, and the due placement that was used.

    The placement is the first for owed blinds that agrees with everything recorded. If there's none, it's the first
    that agrees on button and big blind. If none does, it's the first of all, or None if nothing is due.

    Each position is as recorded, else as posted, else as due in a placement that agrees. If blinds are owed, posts
    don't show positions, because a poster needn't be in the blind's position.
    """
    placements = due.placements if due is not None else ()
    for placement in placements:
        if placement.method == "owed" and agrees_with(placement, hand):
            return _complete_spot(placement, hand.button, hand.small, hand.big), placement
    small, big, extra = find_small_blind_seat(hand), find_big_blind_seat(hand), find_extra_blind_seat(hand)
    for placement in placements:
        if _agrees_on_button_and_big(placement, hand.button, big):
            return _complete_spot(placement, hand.button, small, big, extra), placement
    # No placement agrees, so none fills in a position.
    extra = find_last_poster(hand, "extra", hand.button) if extra is None else extra
    return Spot(hand.button, small, big, extra), (placements[0] if placements else None)


def _complete_spot(
    placement: Placement, button: Seat | None, small: Seat | None, big: Seat | None, extra: Seat | None = None
) -> Spot:
    """Return the positions, each unknown one as in a placement."""
    return Spot(
        placement.button if button is None else button,
        placement.small if small is None else small,
        placement.big if big is None else big,
        placement.extra if extra is None else extra,
    )


def _agrees_on_button_and_big(placement: Placement, button: Seat | None, big: Seat | None) -> bool:
    """Whether a placement agrees with a hand's button and big blind. A seat of None agrees with any."""
    return (button is None or placement.button is None or button == placement.button) and (
        big is None or placement.big is None or big == placement.big
    )


def measure_passage(
    hand: HandPlayed,
    last_spot: Spot | None,
    spot: Spot,
    placement: Placement | None,
    late_seats: frozenset[Seat] = frozenset(),
    *,
    is_first_hand: bool = False,
    is_small_blind_nominal: bool = False,
) -> BlindPassage:
    """Return how button and blinds moved from the last hand to `hand`.

    `last_spot` is None if nothing is known before the hand. `late_seats` were dealt in after the blinds were posted.
    `is_first_hand`: the hand is the game's first, so there was nothing before it. `is_small_blind_nominal`: as in `BlindPassage`.
    """
    dealt = frozenset([dealt_player.seat for dealt_player in hand.dealt_in])
    dealt = dealt - late_seats if late_seats else dealt
    method = placement.method if placement is not None else "record"
    is_backwards = False
    if last_spot is None:
        return BlindPassage(
            hand.number, method, Spot(), spot, dealt, is_backwards, not is_first_hand, is_small_blind_nominal
        )
    if placement is None or placement.big != spot.big:  # a big blind that is where it was due has moved forward
        is_backwards = _has_moved_backwards(last_spot.big, spot.big, dealt)
    return BlindPassage(
        hand.number, method, last_spot, spot, dealt, is_backwards, is_small_blind_nominal=is_small_blind_nominal
    )


def _has_moved_backwards(last_big: Seat | None, big: Seat | None, dealt: frozenset[Seat]) -> bool:
    """Whether a big blind would have passed nearly everybody on its way, so that it has moved backwards.

    Nearly everybody means at least two dealt-in seats, and all of them but two at most.
    """
    if last_big is None or big is None or last_big == big:
        return False
    passed_count = len([seat for seat in dealt if seat != big and is_between(last_big, seat, big)])
    return passed_count >= max(2, len(dealt) - 2)


def find_seat_after_blinds(hand: HandPlayed, spot: Spot) -> Seat | None:
    """Return the next dealt-in seat clockwise after the last blind, or None if that blind's seat is unknown."""
    if spot.furthest is None:
        return None
    return find_seat_after(spot.furthest, [dealt_player.seat for dealt_player in hand.dealt_in])


def in_zone(spot: Spot, seat: Seat) -> bool | None:
    """Whether a seat is on the button or between the button and the last blind. None if that's unknown.

    The last blind's own seat isn't. If positions collide, every seat but that one counts as between the two.
    """
    button, end = spot.button, spot.furthest
    if seat == end:
        return False
    if spot.has_collision:
        return True
    if button is None or end is None:
        return None
    if seat == button:
        return True
    return button != end and is_between(button, seat, end)
