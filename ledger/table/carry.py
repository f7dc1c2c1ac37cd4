"""How one hand of a table follows on another: numbers, stacks, and what lies between them."""

from __future__ import annotations

from ledger.table.events import HandPlayed, HandsMissing
from ledger.table.pools import has_pool_option
from ledger.table.state import Carry, Continuity, Gap, HandFit, SeatState, TableState
from ledger.vocabulary import Chips, PlayerId, Seat, Witness

_MAX_DIGITS = 18
_MIN_COUNTED_HANDS = 3
_MISSING_HANDS = int(Witness.MISSING_HANDS)  # enum flags are slow to combine


def as_number(text: str) -> int | None:
    """Return a hand number as an integer; None if it is no plain number of at most 18 digits."""
    if 0 < len(text) <= _MAX_DIGITS and text.isascii() and text.isdigit():
        return int(text)
    return None


def compute_continuity(state: TableState, hand: HandPlayed) -> Continuity | None:
    """Say how `hand` fits to the last hand of `state`; None if there is none."""
    previous_hand = state.last_hand
    if previous_hand is None:
        return None
    seats = state.seats
    seat_by_player: dict[PlayerId, SeatState] | None = None  # made where somebody sits elsewhere than the hand says
    carried_stacks = _carried_stacks(state, previous_hand)
    listed_seats: list[tuple[Seat, PlayerId, Chips | None]]
    listed_seats = [(seat_entry.seat, seat_entry.player, seat_entry.before) for seat_entry in hand.dealt_in]
    if hand.left_out:
        listed_seats += [(seat_entry.seat, seat_entry.player, seat_entry.stack) for seat_entry in hand.left_out]
    moved_chips = state.moved_chips
    stacks, arrived_seats = [], []
    for seat, player, stack_before in listed_seats:
        if player not in carried_stacks:
            arrived_seats.append(seat)
            continue
        seat_state = seats.get(seat)
        if seat_state is None or seat_state.player != player:
            if seat_by_player is None:
                seat_by_player = {seat_entry.player: seat_entry for seat_entry in seats.values()}
            seat_state = seat_by_player.get(player)  # None: left and is back, with any number of chips
        expected_stack = seat_state.stack if seat_state is not None else None
        difference = None if stack_before is None or expected_stack is None else stack_before - expected_stack
        stacks.append(Carry(seat, player, carried_stacks[player], moved_chips.get(player, 0), stack_before, difference))
    listed_players = carried_stacks if len(stacks) == len(carried_stacks) else {player for _, player, _ in listed_seats}
    return Continuity(
        after=previous_hand.number,
        before=hand.number,
        consecutive=_is_consecutive(previous_hand, hand),
        stacks=tuple(stacks),
        came=tuple(arrived_seats),
        left=tuple([player for player in carried_stacks if player not in listed_players]),
    )


def _carried_stacks(state: TableState, previous_hand: HandPlayed) -> dict[PlayerId, Chips | None]:
    """Return the stack after the last hand of each player whom it lists, dealt in or left out."""
    carried_stacks: dict[PlayerId, Chips | None] = {
        seat_entry.player: seat_entry.after for seat_entry in previous_hand.dealt_in
    }
    if previous_hand.left_out:
        carried_stacks.update((seat_entry.player, seat_entry.stack) for seat_entry in previous_hand.left_out)
    if state.identities:
        return {state.identities.get(player, player): stack for player, stack in carried_stacks.items()}
    return carried_stacks


def fit_hand(state: TableState, hand: HandPlayed) -> HandFit:
    """Return how `hand` fits to the last one of `state`; worked out once, however many books ask."""
    cached_fit = state.cached_fit
    if cached_fit is None or cached_fit.hand is not hand:
        hand_continuity = compute_continuity(state, hand)
        cached_fit = state.cached_fit = HandFit(hand, hand_continuity, find_gap(state, hand, hand_continuity))
    return cached_fit


def _is_consecutive(previous_hand: HandPlayed, hand: HandPlayed) -> bool | None:
    if not hand.witnesses & previous_hand.witnesses & _MISSING_HANDS:
        return None
    if previous_hand.voided and previous_hand.number == hand.number:
        return True  # a hand that is dealt again keeps its number
    previous_number, following_number = as_number(previous_hand.number), as_number(hand.number)
    return None if previous_number is None or following_number is None else following_number == previous_number + 1


def explain_loose_link(fit: Continuity) -> str:
    """Say why hands may be missing between two that no gap parts; "" = none can be.

    A source that counts the hands of all its tables leaves room between any two numbers, and one that numbers what
    it recorded goes on with the next number after a hand that it did not see: where no source witnesses that none is
    missing, the stacks alone speak. Every hand moves the chips of two players at least, by the blinds.
    """
    if fit.consecutive:
        return ""
    earlier_count, later_count = _split_count(fit.after), _split_count(fit.before)
    number_step = (
        later_count[1] - earlier_count[1]
        if earlier_count is not None and later_count is not None and earlier_count[0] == later_count[0]
        else None
    )
    if number_step == 0:  # a hand that is dealt again keeps its number
        return _explain_stack_break(fit)
    if number_step is not None and number_step != 1:
        return f"the numbers of hand {fit.after} and hand {fit.before} don't follow, so hands may be missing in between"
    are_stacks_recorded = all(carry.difference is not None for carry in fit.stacks)
    if are_stacks_recorded and fit.continues and len(fit.came) + len(fit.left) < 2:
        return ""
    return (_explain_stack_break(fit) if number_step else "") or (
        f"hands may be missing between hand {fit.after} and hand {fit.before}: the record doesn't rule it out"
    )


def next_number(earlier_number: str, later_number: str) -> bool:
    """Whether a hand number is the next one after another, by the counts at their ends."""
    earlier_count, later_count = _split_count(earlier_number), _split_count(later_number)
    return (
        earlier_count is not None
        and later_count is not None
        and later_count == (earlier_count[0], earlier_count[1] + 1)
    )


def _explain_stack_break(fit: Continuity) -> str:
    """Say that stacks do not go on where the numbers do; "" = they do, or nobody can compare them."""
    if not fit.unexplained:
        return ""
    return (
        f"the stacks of hand {fit.before} differ from those after hand {fit.after}, so hands may be missing in between"
    )


def _split_count(number: str) -> tuple[str, int] | None:
    """Return what stands before the count at the end of a hand number, and the count."""
    prefix = number.rstrip("0123456789")
    count = number[len(prefix) :]
    return (prefix, int(count)) if 0 < len(count) <= _MAX_DIGITS else None


def recorded_gap(event: HandsMissing) -> Gap:
    """Return the gap that the record itself tells of."""
    return Gap(event.after, event.before, event.count, "told")


def find_gap(state: TableState, hand: HandPlayed, fit: Continuity | None) -> Gap | None:
    """Return the gap that `hand` closes, if hands are missing between the last one and it.

    Hands that were told to be missing and came late after all are missing no more.
    """
    open_gap = state.open_gap
    previous_hand = state.last_hand
    if open_gap is not None and not _is_gap_closed(open_gap, previous_hand, hand):
        return Gap(open_gap.after, open_gap.before or hand.number, open_gap.count, open_gap.how)
    if fit is None or previous_hand is None:
        return _find_gap_before_first(state.former_game_hand, hand)
    if has_pool_option(hand.options):
        return Gap(previous_hand.number, hand.number, None, "players")
    if fit.consecutive is False:
        previous_number, following_number = as_number(previous_hand.number) or 0, as_number(hand.number) or 0
        return Gap(previous_hand.number, hand.number, max(following_number - previous_number - 1, 0) or None, "numbers")
    if fit.consecutive is None and (inferred_gap := _infer_gap(state, previous_hand, hand, fit)) is not None:
        return inferred_gap
    if state.is_order_guess and not fit.continues:
        return Gap(previous_hand.number, hand.number, None, "order")
    return None


def _infer_gap(state: TableState, previous_hand: HandPlayed, hand: HandPlayed, fit: Continuity) -> Gap | None:
    """Return the gap that numbers, stacks or players show where no source witnesses that hands follow each other."""
    if skipped_count := _count_skipped_numbers(state, previous_hand, hand, fit):
        return Gap(previous_hand.number, hand.number, skipped_count, "numbers")
    if _do_numbers_restart(previous_hand, hand, fit):
        return Gap(previous_hand.number, hand.number, None, "numbers")
    if _do_stacks_break(fit):
        return Gap(previous_hand.number, hand.number, None, "stacks")
    if _has_strangers(fit):
        return Gap(previous_hand.number, hand.number, None, "players")
    return None


def _count_skipped_numbers(state: TableState, previous_hand: HandPlayed, hand: HandPlayed, fit: Continuity) -> int:
    """Return how many numbers were skipped at a table that numbers its hands one by one; 0 = none, or unknown.

    Such a table has most of the numbers of its count, and its last hand followed on the one before, or closed such
    a gap. In a room that numbers the hands of all its tables two may be neighbours by chance, so that a count
    which does not begin near 1 takes three. Stacks that go on contradict a gap.
    """
    previous_number, following_number = as_number(previous_hand.number), as_number(hand.number)
    if (
        previous_number is None
        or following_number is None
        or following_number <= previous_number + 1
        or not state.follows_count
    ):
        return 0
    begins_low = 2 * state.counted_hands > previous_number
    if not begins_low and (
        state.counted_hands < _MIN_COUNTED_HANDS
        or 2 * state.counted_hands <= previous_number - state.first_counted_number + 1
    ):
        return 0
    if _do_stacks_continue(fit):
        return 0
    return following_number - previous_number - 1


def _do_numbers_restart(previous_hand: HandPlayed, hand: HandPlayed, fit: Continuity) -> bool:
    """Whether the numbers start over: another night. Stacks that go on contradict it."""
    previous_number, following_number = as_number(previous_hand.number), as_number(hand.number)
    return (
        previous_number is not None
        and following_number is not None
        and following_number < previous_number
        and not _do_stacks_continue(fit)
    )


def _do_stacks_continue(fit: Continuity) -> bool:
    """Whether every player's stack is known on both hands, and the same."""
    return bool(fit.continues and fit.stacks and all(carry.difference is not None for carry in fit.stacks))


def _find_gap_before_first(former_hand: HandPlayed | None, hand: HandPlayed) -> Gap | None:
    """Return the gap before the first hand on record of a game, whose hands are counted on from the game before."""
    if former_hand is None or _is_consecutive(former_hand, hand) is not False:
        return None
    count = (as_number(hand.number) or 0) - (as_number(former_hand.number) or 0) - 1
    return Gap(former_hand.number, hand.number, count, "numbers") if count > 0 else None


def _do_stacks_break(fit: Continuity) -> bool:
    """Whether the stacks do not continue: one shrank, or several grew, or all that can be compared.

    One stack that grew while others stayed is a player who bought chips; sources that do not count
    their hands seldom tell it.
    """
    grown_count = compared_count = 0
    for carry in fit.stacks:
        if carry.difference is not None:
            if carry.difference < 0:
                return True
            compared_count += 1
            grown_count += carry.difference > 0
    return grown_count > 1 or grown_count == compared_count == 1


def _has_strangers(fit: Continuity) -> bool:
    """Whether the players are others: none of several is the same, or most have gone at once."""
    if len(fit.left) > 1 and fit.came and not fit.stacks:
        return True
    return len(fit.left) > 2 and len(fit.left) > len(fit.stacks)


def _is_gap_closed(open_gap: Gap, previous_hand: HandPlayed | None, hand: HandPlayed) -> bool:
    """Whether `hand` follows the last hand directly although hands were told to be missing."""
    previous_number = as_number(previous_hand.number) if previous_hand else None
    number = as_number(hand.number)
    if previous_number is None or number is None or as_number(open_gap.before) is None:
        return False
    return number == previous_number + 1
