"""Sentences on the chips at a table: what should be in front of a seat, and what the record shows instead."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.text.language import join_list, phrase, phrase_count
from projections.sentences import paragraph


def stack_in_hand(seat: int, hand: str, amount: str, due_amount: str) -> str:
    """Say that a seat begins a hand with another stack than it should have."""
    return phrase(
        "Seat {seat} begins hand {hand} with {amount}; by the record it should have {due_amount}",
        seat=seat,
        hand=hand,
        amount=amount,
        due_amount=due_amount,
    )


def stack_when_leaving(seat: int, amount: str, due_amount: str) -> str:
    """Say that a player left with more or less than the record comes to."""
    return phrase(
        "Seat {seat} left with {amount}; by the record it should be {due_amount}",
        seat=seat,
        amount=amount,
        due_amount=due_amount,
    )


def stack_counted(seat: int, amount: str, due_amount: str) -> str:
    """Say that a counted stack isn't what the record comes to."""
    return phrase(
        "Seat {seat}'s stack was counted at {amount}; by the record it should be {due_amount}",
        seat=seat,
        amount=amount,
        due_amount=due_amount,
    )


def stack_when_seated(seat: int, amount: str, due_amount: str) -> str:
    """Say that a player who sat here already is put down with another stack."""
    return phrase(
        "Seat {seat} is seated again with {amount}; by the record it should have {due_amount}",
        seat=seat,
        amount=amount,
        due_amount=due_amount,
    )


def out_of_chips(seat: int, due_amount: str) -> str:
    """Say that a player is put down as out of chips and should have some."""
    return phrase(
        "Seat {seat} is marked as out of chips; by the record it should have {due_amount}",
        seat=seat,
        due_amount=due_amount,
    )


def more_taken_off(seat: int, amount: str, stack: str) -> str:
    """Say that more chips were taken off a stack than it had."""
    return phrase(
        "{amount} was taken off seat {seat}; by the record it had only {stack}", amount=amount, seat=seat, stack=stack
    )


def more_put_in(seat: int, hand: str, amount: str, stack: str) -> str:
    """Say that a seat put more into a pot than it had."""
    return phrase(
        "Seat {seat} put {amount} into hand {hand} and had only {stack}",
        seat=seat,
        amount=amount,
        hand=hand,
        stack=stack,
    )


def chips_changed_seats(hand: str, stacks: Sequence[str]) -> str:
    """Say that chips are in front of other seats; `stacks` are such as "seat 3 has $50 more"."""
    return phrase(
        "In hand {hand} chips are in front of other seats than by the record: {stacks}",
        hand=hand,
        stacks=join_list(stacks),
    )


def stack_after_hand(seat: int, hand: str, stack: str) -> str:
    """Because: the stack after the last hand."""
    return phrase("After hand {hand} seat {seat} had {stack}.", hand=hand, seat=seat, stack=stack)


def stack_brought(seat: int, stack: str) -> str:
    """Because: what a player sat down with."""
    return phrase("The player in seat {seat} sat down with {stack}.", seat=seat, stack=stack)


def stack_counted_before(seat: int, stack: str) -> str:
    """Because: the last count of a stack."""
    return phrase("Seat {seat}'s stack was counted at {stack}.", seat=seat, stack=stack)


def chips_added_since(seat: int, amount: str) -> str:
    """Because: chips that were added since."""
    return phrase("Since then, seat {seat} added {amount}.", seat=seat, amount=amount)


def chips_removed_since(seat: int, amount: str) -> str:
    """Because: chips that were taken off since."""
    return phrase("Since then, {amount} was taken off seat {seat}.", seat=seat, amount=amount)


def hands_missing(first_hand: str, last_hand: str, hand_count: int, stacks: Sequence[str]) -> str:
    """Say that hands are missing, so that stacks can't be compared; `hand_count` 0 = nobody knows how many."""
    if hand_count:
        missing = phrase_count(
            "{count} hand between hand {first_hand} and hand {last_hand} isn't on record, so their stacks can't be compared.",
            "{count} hands between hand {first_hand} and hand {last_hand} aren't on record, so their stacks can't be compared.",
            hand_count,
            first_hand=first_hand,
            last_hand=last_hand,
        )
    else:
        missing = phrase(
            "Hands may be missing between hand {first_hand} and hand {last_hand}, so their stacks can't be compared.",
            first_hand=first_hand,
            last_hand=last_hand,
        )
    return paragraph(missing, _list_changes(stacks))


def stack_is_back(hand: str) -> str:
    """Because: the next hand has the stack that was due before."""
    return phrase("In hand {hand} the stack is back to what it should be.", hand=hand)


def stack_is_back_later() -> str:
    """Because: the next thing on record has the stack that was due before."""
    return phrase("After that hand the stack is back to what it should be.")


def purchases_not_noted(hand: str, stacks: Sequence[str]) -> str:
    """Say that stacks changed before a hand of a record that doesn't note every purchase."""
    return paragraph(
        phrase(
            "This record doesn't note all chips that players buy or take off, so nobody can tell why stacks changed "
            "before hand {hand}.",
            hand=hand,
        ),
        _list_changes(stacks),
    )


def unread_before_hand(hand: str, stacks: Sequence[str]) -> str:
    """Say that stacks changed where lines before a hand, or of the hand before it, couldn't be read."""
    return paragraph(
        phrase("Lines before hand {hand} couldn't be read, so nobody can tell why stacks changed.", hand=hand),
        _list_changes(stacks),
    )


def statement_of_loose_record(statement: str) -> str:
    """Say that a stack differs in a record that doesn't note every purchase; `statement` is a sentence without full stop."""
    return paragraph(
        statement, phrase("This record doesn't note all chips that players buy or take off, so nobody can tell why.")
    )


def game_restarted(hand: str, stacks: Sequence[str]) -> str:
    """Say that a new game began, and stacks aren't those of the last game."""
    return paragraph(
        phrase(
            "A new game began before hand {hand}, and the record doesn't say what happened to the stacks of the last one.",
            hand=hand,
        ),
        _list_changes(stacks),
    )


def _list_changes(stacks: Sequence[str]) -> str:
    """Return how stacks differ, or "" if none does."""
    if not stacks:
        return ""
    return phrase("The stacks differ: {stacks}.", stacks=join_list(stacks))


def stacks_not_recorded(first_hand: str, last_hand: str, seats: Sequence[int]) -> str:
    """Say that hands don't give the stacks of some seats; `last_hand` is the last such hand."""
    seat_list = join_list([*map(str, seats)])
    if first_hand == last_hand:
        return phrase_count(
            "Hand {hand} doesn't give the stack of seat {seats}, so those chips can't be followed.",
            "Hand {hand} doesn't give the stacks of seats {seats}, so those chips can't be followed.",
            len(seats),
            hand=first_hand,
            seats=seat_list,
        )
    return phrase_count(
        "Hands {first_hand} to {last_hand} don't give the stack of seat {seats}, so those chips can't be followed.",
        "Hands {first_hand} to {last_hand} don't give all stacks of seats {seats}, so those chips can't be followed.",
        len(seats),
        first_hand=first_hand,
        last_hand=last_hand,
        seats=seat_list,
    )


def no_result(hand: str) -> str:
    """Say that a hand has no result, so that stacks after it are unknown."""
    return phrase("Hand {hand} has no result on record, so nobody knows the stacks after it.", hand=hand)


def seated_by_hand(seat: int, hand: str, amount: str) -> str:
    """Say that a player plays a hand and the record doesn't show where the chips came from."""
    return phrase(
        "Seat {seat} plays hand {hand} with {amount}, and the record doesn't show that player sitting down or buying chips.",
        seat=seat,
        hand=hand,
        amount=amount,
    )


def players_of_pool() -> str:
    """Say that a pool's players meet for one hand, so that stacks can't be followed."""
    return phrase("The players of this pool meet for one hand only, so stacks can't be followed from hand to hand.")


def hands_before_may_be_missing() -> str:
    """Note: the record begins with this hand, which isn't the first."""
    return phrase("Hands before this one may be missing.")


def unread_within() -> str:
    """Note: lines of a hand couldn't be read."""
    return phrase("Lines of this hand couldn't be read.")


def hand_contradicts() -> str:
    """Note: the chips of a hand don't agree with each other."""
    return phrase("The chips of this hand don't add up.")


def moved_with(player: str, amount: str, due_amount: str, table: str, other_table: str) -> str:
    """Say that a player brought another stack to a table than was taken from the last one."""
    return phrase(
        "{player} left table {other_table} with {due_amount} and sat down at table {table} with {amount}",
        player=player,
        other_table=other_table,
        due_amount=due_amount,
        table=table,
        amount=amount,
    )
