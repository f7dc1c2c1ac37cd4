"""Compare a hand with the previous hand of its table: numbers, stacks, and missing hands."""

from __future__ import annotations

from ledger.table.events import HandPlayed, HandsMissing
from ledger.table.pools import has_pool_option
from ledger.table.state import Carry, Continuity, Gap, HandFit, SeatState, TableState
from ledger.vocabulary import Chips, PlayerId, Seat, Witness

_MAX_DIGITS = 18
_MIN_COUNTED_HANDS = 3
_MISSING_HANDS = int(Witness.MISSING_HANDS)  # enum flags are slow to combine


def parse_plain_number(text: str) -> int | None:
    """Return a hand number as an integer, or None unless it consists of at most 18 digits."""
    if 0 < len(text) <= _MAX_DIGITS and text.isascii() and text.isdigit():
        return int(text)
    return None


def compute_continuity(state: TableState, hand: HandPlayed) -> Continuity | None:
    """Compare `hand` with the last hand of `state`, or return None if there is none."""
    previous_hand = state.last_hand
    if previous_hand is None:
        return None
    seats = state.seats
    seat_by_player: dict[PlayerId, SeatState] | None = (
        None  # built once a player sits in another seat than the hand says
    )
    carried_stacks = _list_carried_stacks(state, previous_hand)
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
            seat_state = seat_by_player.get(player)  # None: left and came back, with any number of chips
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


def _list_carried_stacks(state: TableState, previous_hand: HandPlayed) -> dict[PlayerId, Chips | None]:
    """Return the stack of each player after the last hand, dealt in or left out."""
    carried_stacks: dict[PlayerId, Chips | None] = {
        seat_entry.player: seat_entry.after for seat_entry in previous_hand.dealt_in
    }
    if previous_hand.left_out:
        carried_stacks.update((seat_entry.player, seat_entry.stack) for seat_entry in previous_hand.left_out)
    if state.identities:
        return {state.identities.get(player, player): stack for player, stack in carried_stacks.items()}
    return carried_stacks


def fit_hand(state: TableState, hand: HandPlayed) -> HandFit:
    """Compare `hand` with the last one of `state`. The result is cached for the next rulebook."""
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
    previous_number, following_number = parse_plain_number(previous_hand.number), parse_plain_number(hand.number)
    return None if previous_number is None or following_number is None else following_number == previous_number + 1


def explain_loose_link(fit: Continuity) -> str:
    """Return why hands may be missing between two hands without a gap, or "" if none can be.

    A source that counts the hands of all its tables skips numbers. A source that numbers what it recorded never skips
    one, even if it missed a hand. Unless a source witnesses that no hand is missing, only the stacks can show it:
    blinds move the chips of at least two players in every hand.
    """
    if fit.consecutive:
        return ""
    earlier_count, later_count = _split_count(fit.after), _split_count(fit.before)
    number_step: int | None = None
    if earlier_count is not None and later_count is not None and earlier_count[0] == later_count[0]:
        number_step = later_count[1] - earlier_count[1]
    if number_step == 0:  # a hand that is dealt again keeps its number
        return _explain_stack_break(fit)
    if number_step is not None and number_step != 1:
        return f"the numbers of hand {fit.after} and hand {fit.before} don't follow, so hands may be missing in between"
    are_stacks_recorded = all(carry.difference is not None for carry in fit.stacks)
    if are_stacks_recorded and fit.continues and len(fit.came) + len(fit.left) < 2:
        return ""
    if number_step and (stack_break := _explain_stack_break(fit)):
        return stack_break
    return f"hands may be missing between hand {fit.after} and hand {fit.before}: the record doesn't rule it out"


def is_next_number(earlier_number: str, later_number: str) -> bool:
    """Whether a hand number follows another, by the counts at their ends."""
    earlier_count, later_count = _split_count(earlier_number), _split_count(later_number)
    return (
        earlier_count is not None
        and later_count is not None
        and later_count == (earlier_count[0], earlier_count[1] + 1)
    )


def _explain_stack_break(fit: Continuity) -> str:
    """Return how stacks break between two hands, or "" if they continue or can't be compared."""
    if not fit.unexplained:
        return ""
    return (
        f"the stacks of hand {fit.before} differ from those after hand {fit.after}, so hands may be missing in between"
    )


def _split_count(number: str) -> tuple[str, int] | None:
    """Split a hand number into the count at its end and the prefix before it."""
    prefix = number.rstrip("0123456789")
    count = number[len(prefix) :]
    return (prefix, int(count)) if 0 < len(count) <= _MAX_DIGITS else None


def build_recorded_gap(event: HandsMissing) -> Gap:
    """Return the gap that the record states."""
    return Gap(event.after, event.before, event.count, "told")


def find_gap(state: TableState, hand: HandPlayed, fit: Continuity | None) -> Gap | None:
    """Return the gap between the last hand and `hand`, or None.

    A gap that the record states is closed if the missing hands arrive later.
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
        previous_number, following_number = (
            parse_plain_number(previous_hand.number) or 0,
            parse_plain_number(hand.number) or 0,
        )
        return Gap(previous_hand.number, hand.number, max(following_number - previous_number - 1, 0) or None, "numbers")
    if fit.consecutive is None and (inferred_gap := _infer_gap(state, previous_hand, hand, fit)) is not None:
        return inferred_gap
    if state.is_order_guess and not fit.continues:
        return Gap(previous_hand.number, hand.number, None, "order")
    return None


def _infer_gap(state: TableState, previous_hand: HandPlayed, hand: HandPlayed, fit: Continuity) -> Gap | None:
    """Return the gap that numbers, stacks or players show. No source witnesses here that the hands follow each other."""
    if skipped_count := _count_skipped_numbers(state, previous_hand, hand, fit):
        return Gap(previous_hand.number, hand.number, skipped_count, "numbers")
    if _do_numbers_restart(previous_hand, hand, fit):
        return Gap(previous_hand.number, hand.number, None, "numbers")
    if _do_stacks_break(fit):
        return Gap(previous_hand.number, hand.number, None, "stacks")
    if _are_players_replaced(fit):
        return Gap(previous_hand.number, hand.number, None, "players")
    return None


def _count_skipped_numbers(state: TableState, previous_hand: HandPlayed, hand: HandPlayed, fit: Continuity) -> int:
    """Return how many numbers a table skipped that numbers its hands one by one. 0 means none or unknown.

    Such a table has most of the numbers of its count, and its last hand followed directly or closed such a gap. In a
    room that numbers the hands of all its tables, two neighbours may follow by chance. So a count that doesn't start
    near 1 needs three hands. Continuing stacks contradict a gap.
    """
    previous_number, following_number = parse_plain_number(previous_hand.number), parse_plain_number(hand.number)
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
    """Whether the numbers start over, as on another night. Continuing stacks contradict it."""
    previous_number, following_number = parse_plain_number(previous_hand.number), parse_plain_number(hand.number)
    return (
        previous_number is not None
        and following_number is not None
        and following_number < previous_number
        and not _do_stacks_continue(fit)
    )


def _do_stacks_continue(fit: Continuity) -> bool:
    """Whether every player's stack is known in both hands, and equal."""
    return bool(fit.continues and fit.stacks and all(carry.difference is not None for carry in fit.stacks))


def _find_gap_before_first(former_hand: HandPlayed | None, hand: HandPlayed) -> Gap | None:
    """Return the gap before the first recorded hand of a game that continues the count of the game before."""
    if former_hand is None or _is_consecutive(former_hand, hand) is not False:
        return None
    count = (parse_plain_number(hand.number) or 0) - (parse_plain_number(former_hand.number) or 0) - 1
    return Gap(former_hand.number, hand.number, count, "numbers") if count > 0 else None


def _do_stacks_break(fit: Continuity) -> bool:
    """Whether the stacks don't continue: one shrank, several grew, or the only comparable one grew.

    If one stack grew among others, its player probably bought chips: sources that don't count their hands seldom record
    that.
    """
    grown_count = compared_count = 0
    for carry in fit.stacks:
        if carry.difference is not None:
            if carry.difference < 0:
                return True
            compared_count += 1
            grown_count += carry.difference > 0
    return grown_count > 1 or grown_count == compared_count == 1


def _are_players_replaced(fit: Continuity) -> bool:
    """Whether the players were replaced: none of several stayed, or most left at once."""
    if len(fit.left) > 1 and fit.came and not fit.stacks:
        return True
    return len(fit.left) > 2 and len(fit.left) > len(fit.stacks)


def _is_gap_closed(open_gap: Gap, previous_hand: HandPlayed | None, hand: HandPlayed) -> bool:
    """Whether `hand` directly follows the last hand, although the record stated that hands are missing."""
    previous_number = parse_plain_number(previous_hand.number) if previous_hand else None
    number = parse_plain_number(hand.number)
    if previous_number is None or number is None or parse_plain_number(open_gap.before) is None:
        return False
    return number == previous_number + 1
