"""How one hand of a table follows on another: numbers, stacks, and what lies between them."""

from __future__ import annotations

from ledger.table.events import HandPlayed, HandsMissing
from ledger.table.pools import has_pool_option
from ledger.table.state import Carry, Continuity, Gap, HandFit, SeatState, TableState
from ledger.vocabulary import Chips, PlayerId, Seat, Witness

_DIGITS_MOST = 18
_COUNTED_LEAST = 3
_MISSING_HANDS = int(Witness.MISSING_HANDS)  # enum flags are slow to combine


def as_number(text: str) -> int | None:
    """Return a hand number as an integer; None if it is no plain number of at most 18 digits."""
    if 0 < len(text) <= _DIGITS_MOST and text.isascii() and text.isdigit():
        return int(text)
    return None


def compute_continuity(state: TableState, hand: HandPlayed) -> Continuity | None:
    """Say how `hand` fits to the last hand of `state`; None if there is none."""
    last = state.last
    if last is None:
        return None
    seats = state.seats
    held: dict[PlayerId, SeatState] | None = None  # made where somebody sits elsewhere than the hand says
    sat: dict[PlayerId, Chips | None] = {one.player: one.after for one in last.dealt_in}
    if last.left_out:
        sat.update((one.player, one.stack) for one in last.left_out)
    if state.identities:
        sat = {state.identities.get(player, player): stack for player, stack in sat.items()}
    now: list[tuple[Seat, PlayerId, Chips | None]]
    now = [(one.seat, one.player, one.before) for one in hand.dealt_in]
    if hand.left_out:
        now += [(one.seat, one.player, one.stack) for one in hand.left_out]
    moved = state.moved
    stacks, came = [], []
    for seat, player, found in now:
        if player not in sat:
            came.append(seat)
            continue
        sits = seats.get(seat)
        if sits is None or sits.player != player:
            if held is None:
                held = {one.player: one for one in seats.values()}
            sits = held.get(player)  # None: left and is back, with any number of chips
        expected = sits.stack if sits is not None else None
        difference = None if found is None or expected is None else found - expected
        stacks.append(Carry(seat, player, sat[player], moved.get(player, 0), found, difference))
    here = sat if len(stacks) == len(sat) else {player for _, player, _ in now}
    return Continuity(
        after=last.number,
        before=hand.number,
        consecutive=_consecutive(last, hand),
        stacks=tuple(stacks),
        came=tuple(came),
        left=tuple([player for player in sat if player not in here]),
    )


def fit_hand(state: TableState, hand: HandPlayed) -> HandFit:
    """Return how `hand` fits to the last one of `state`; worked out once, however many books ask."""
    known = state.fitted
    if known is None or known.hand is not hand:
        fit = compute_continuity(state, hand)
        known = state.fitted = HandFit(hand, fit, find_gap(state, hand, fit))
    return known


def _consecutive(last: HandPlayed, hand: HandPlayed) -> bool | None:
    if not hand.witnesses & last.witnesses & _MISSING_HANDS:
        return None
    if last.voided and last.number == hand.number:
        return True  # a hand that is dealt again keeps its number
    before, after = as_number(last.number), as_number(hand.number)
    return None if before is None or after is None else after == before + 1


def explain_loose_link(fit: Continuity) -> str:
    """Say why hands may be missing between two that no gap parts; "" = none can be.

    A source that counts the hands of all its tables leaves room between any two numbers, and one that numbers what
    it recorded goes on with the next number after a hand that it did not see: where no source witnesses that none is
    missing, the stacks alone speak. Every hand moves the chips of two players at least, by the blinds.
    """
    if fit.consecutive:
        return ""
    one, other = _counted(fit.after), _counted(fit.before)
    step = other[1] - one[1] if one is not None and other is not None and one[0] == other[0] else None
    if step == 0:  # a hand that is dealt again keeps its number
        return _astray(fit)
    if step is not None and step != 1:
        return f"the numbers of hand {fit.after} and hand {fit.before} don't follow, so hands may be missing in between"
    told = all(carry.difference is not None for carry in fit.stacks)
    if told and fit.continues and len(fit.came) + len(fit.left) < 2:
        return ""
    return (_astray(fit) if step else "") or (
        f"hands may be missing between hand {fit.after} and hand {fit.before}: the record doesn't rule it out"
    )


def next_number(before: str, after: str) -> bool:
    """Whether a hand number is the next one after another, by the counts at their ends."""
    one, other = _counted(before), _counted(after)
    return one is not None and other is not None and other == (one[0], one[1] + 1)


def _astray(fit: Continuity) -> str:
    """Say that stacks do not go on where the numbers do; "" = they do, or nobody can compare them."""
    if not fit.unexplained:
        return ""
    return (
        f"the stacks of hand {fit.before} differ from those after hand {fit.after}, so hands may be missing in between"
    )


def _counted(number: str) -> tuple[str, int] | None:
    """Return what stands before the count at the end of a hand number, and the count."""
    bare = number.rstrip("0123456789")
    count = number[len(bare) :]
    return (bare, int(count)) if 0 < len(count) <= _DIGITS_MOST else None


def recorded_gap(event: HandsMissing) -> Gap:
    """Return the gap that the record itself tells of."""
    return Gap(event.after, event.before, event.count, "told")


def find_gap(state: TableState, hand: HandPlayed, fit: Continuity | None) -> Gap | None:
    """Return the gap that `hand` closes, if hands are missing between the last one and it.

    Hands that were told to be missing and came late after all are missing no more.
    """
    told = state.open_gap
    last = state.last
    if told is not None and not _filled(told, last, hand):
        return Gap(told.after, told.before or hand.number, told.count, told.how)
    if fit is None or last is None:
        return _before_first(state.former, hand)
    if has_pool_option(hand.options):
        return Gap(last.number, hand.number, None, "players")
    if fit.consecutive is False:
        before, after = as_number(last.number) or 0, as_number(hand.number) or 0
        return Gap(last.number, hand.number, max(after - before - 1, 0) or None, "numbers")
    if fit.consecutive is None and (count := _skipped(state, last, hand, fit)):
        return Gap(last.number, hand.number, count, "numbers")
    if fit.consecutive is None and _starts_over(last, hand, fit):
        return Gap(last.number, hand.number, None, "numbers")
    if fit.consecutive is None and _stacks_break(fit):
        return Gap(last.number, hand.number, None, "stacks")
    if fit.consecutive is None and _strangers(fit):
        return Gap(last.number, hand.number, None, "players")
    if state.guessed and not fit.continues:
        return Gap(last.number, hand.number, None, "order")
    return None


def _skipped(state: TableState, last: HandPlayed, hand: HandPlayed, fit: Continuity) -> int:
    """Return how many numbers were skipped at a table that numbers its hands one by one; 0 = none, or unknown.

    Such a table has most of the numbers of its count, and its last hand followed on the one before, or closed such
    a gap. In a room that numbers the hands of all its tables two may be neighbours by chance, so that a count
    which does not begin near 1 takes three. Stacks that go on contradict a gap.
    """
    after, before = as_number(last.number), as_number(hand.number)
    if after is None or before is None or before <= after + 1 or not state.follows_count:
        return 0
    begins_low = 2 * state.counted > after
    if not begins_low and (state.counted < _COUNTED_LEAST or 2 * state.counted <= after - state.counted_from + 1):
        return 0
    if _stacks_continue(fit):
        return 0
    return before - after - 1


def _starts_over(last: HandPlayed, hand: HandPlayed, fit: Continuity) -> bool:
    """Whether the numbers start over: another night. Stacks that go on contradict it."""
    after, before = as_number(last.number), as_number(hand.number)
    return after is not None and before is not None and before < after and not _stacks_continue(fit)


def _stacks_continue(fit: Continuity) -> bool:
    """Whether every player's stack is known on both hands, and the same."""
    return bool(fit.continues and fit.stacks and all(one.difference is not None for one in fit.stacks))


def _before_first(former: HandPlayed | None, hand: HandPlayed) -> Gap | None:
    """Return the gap before the first hand on record of a game, whose hands are counted on from the game before."""
    if former is None or _consecutive(former, hand) is not False:
        return None
    count = (as_number(hand.number) or 0) - (as_number(former.number) or 0) - 1
    return Gap(former.number, hand.number, count, "numbers") if count > 0 else None


def _stacks_break(fit: Continuity) -> bool:
    """Whether the stacks do not continue: one shrank, or several grew, or all that can be compared.

    One stack that grew while others stayed is a player who bought chips; sources that do not count
    their hands seldom tell it.
    """
    grew = told = 0
    for one in fit.stacks:
        if one.difference is not None:
            if one.difference < 0:
                return True
            told += 1
            grew += one.difference > 0
    return grew > 1 or grew == told == 1


def _strangers(fit: Continuity) -> bool:
    """Whether the players are others: none of several is the same, or most have gone at once."""
    if len(fit.left) > 1 and fit.came and not fit.stacks:
        return True
    return len(fit.left) > 2 and len(fit.left) > len(fit.stacks)


def _filled(told: Gap, last: HandPlayed | None, hand: HandPlayed) -> bool:
    """Whether `hand` follows the last hand directly although hands were told to be missing."""
    before = as_number(last.number) if last else None
    number = as_number(hand.number)
    if before is None or number is None or as_number(told.before) is None:
        return False
    return number == before + 1
