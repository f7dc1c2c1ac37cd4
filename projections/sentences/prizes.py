"""Sentences on the money and chips of a tournament: its pool, its prizes, and the chips in play."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.text.language import join_and, phrase, phrase_count


def pool_differs(amount: str, due_amount: str) -> str:
    """Say that the stated pool isn't what was sold."""
    return phrase(
        "The prize pool is stated as {amount}; what was sold comes to {due_amount}",
        amount=amount,
        due_amount=due_amount,
    )


def pool_not_as_due(amount: str, due_amount: str) -> str:
    """Say that the stated pool isn't the sum of the sales and the house's money."""
    return phrase(
        "The prize pool is stated as {amount}; it should be {due_amount}", amount=amount, due_amount=due_amount
    )


def sold_sum(amount: str) -> str:
    """Say what the sales put in the pool."""
    return phrase("The sales put {amount} in the pool.", amount=amount)


def added_money(amount: str) -> str:
    """Say what the house adds in any case."""
    return phrase("Added money: {amount}.", amount=amount)


def overlay_due(amount: str, guaranteed_amount: str) -> str:
    """Say what the house pays to reach the guaranteed pool."""
    return phrase(
        "Guaranteed prize pool: {guaranteed_amount}, so the overlay is {amount}.",
        amount=amount,
        guaranteed_amount=guaranteed_amount,
    )


def no_overlay(guaranteed_amount: str) -> str:
    """Say that the pool reaches the guaranteed one without an overlay."""
    return phrase("The prize pool reached the guarantee of {guaranteed_amount}.", guaranteed_amount=guaranteed_amount)


def sold_count(entries: int, more_count: int) -> str:
    """Say how much was sold."""
    if not more_count:
        return phrase_count("{count} entry is on record.", "{count} entries are on record.", entries)
    return phrase_count(
        "{count} entry is on record. Re-entries, rebuys and add-ons: {more_count}.",
        "{count} entries are on record. Re-entries, rebuys and add-ons: {more_count}.",
        entries,
        more_count=more_count,
    )


def paid_more_than_pool(amount: str, due_amount: str) -> str:
    """Say that the prizes come to more than the pool."""
    return phrase("The prizes come to {amount}; the pool is only {due_amount}", amount=amount, due_amount=due_amount)


def paid_less_than_pool(amount: str, due_amount: str) -> str:
    """Say that the prizes come to less than the pool."""
    return phrase("The prizes come to only {amount}; the pool is {due_amount}", amount=amount, due_amount=due_amount)


def prizes_paid(count: int) -> str:
    """Say how many prizes were paid."""
    return phrase_count("{count} prize was paid.", "{count} prizes were paid.", count)


def place_paid_twice(place: int, payment_texts: Sequence[str]) -> str:
    """Say that a place was paid more than once."""
    return phrase("Place {place} was paid more than once: {payments}", place=place, payments=join_and(payment_texts))


def payment(amount: str, name: str) -> str:
    """Name one payment of a prize."""
    return phrase("{amount} to {name}", amount=amount, name=name)


def wrong_place(place: int, name: str, finish: int) -> str:
    """Say that a prize went to a player who finished elsewhere."""
    return phrase(
        "The prize of place {place} went to {name}, who finished in place {finish}",
        place=place,
        name=name,
        finish=finish,
    )


def finisher(place: int, names: Sequence[str]) -> str:
    """Say who finished in a place."""
    return phrase("{names} finished in place {place}.", names=join_and(names), place=place)


def paid_to_stranger(place: int, name: str) -> str:
    """Say that a prize went to somebody who isn't in any hand."""
    return phrase(
        "The prize of place {place} went to {name}, who isn't in any hand of the tournament", place=place, name=name
    )


def chips_differ_before(hand: str, table: str, amount: str, due_amount: str) -> str:
    """Say that other chips are in play than were sold, when a hand begins."""
    return phrase(
        "When hand {hand} of table {table} begins, {amount} chips are in play; the entries come to {due_amount}",
        hand=hand,
        table=table,
        amount=amount,
        due_amount=due_amount,
    )


def chips_differ_after(hand: str, table: str, amount: str, due_amount: str) -> str:
    """Say that other chips are in play than were sold, after a hand."""
    return phrase(
        "After hand {hand} of table {table}, {amount} chips are in play; the entries come to {due_amount}",
        hand=hand,
        table=table,
        amount=amount,
        due_amount=due_amount,
    )


def stack_jumped(name: str, stack: str, new_stack: str) -> str:
    """Say which stack changed between hands."""
    return phrase("{name} had {stack} and has {new_stack} now.", name=name, stack=stack, new_stack=new_stack)


def stack_without_entry(name: str, stack: str) -> str:
    """Say that a player has chips without an entry."""
    return phrase("{name} has {stack}, and no entry for them is on record.", name=name, stack=stack)


def first_stack(name: str, stack: str, chips: str) -> str:
    """Say that a player begins with another stack than was sold."""
    return phrase("{name} begins with {stack}; the entry is for {chips}.", name=name, stack=stack, chips=chips)


def hand_adds_up_wrong(stack: str, new_stack: str) -> str:
    """Say that the stacks of a hand come to another sum after it."""
    return phrase(
        "The stacks in the hand come to {stack} before it and {new_stack} after it.", stack=stack, new_stack=new_stack
    )


def chips_never_in_play(name: str, chips: str) -> str:
    """Say that chips that a player bought are in no stack."""
    return phrase("{name} bought {chips} chips that are in no stack", name=name, chips=chips)


def late_stack(name: str, chips: str, full_stack: str) -> str:
    """Say that an entry was sold for another stack than the others."""
    return phrase(
        "{name}'s entry got {chips} chips; a full stack is {full_stack}", name=name, chips=chips, full_stack=full_stack
    )


def most_entries(full_stack: str) -> str:
    """Say where the full stack comes from."""
    return phrase("Most entries got {full_stack} chips.", full_stack=full_stack)


def no_entries() -> str:
    """Say that nothing was sold on record."""
    return phrase("No entries are on record, so neither the prize pool nor the chips in play can be checked.")


def no_pool_stated() -> str:
    """Say that no pool was stated."""
    return phrase("No prize pool is on record. The prizes are compared with what was sold.")


def not_all_paid(place: int) -> str:
    """Say that the payout isn't finished on record."""
    return phrase(
        "The prize of place {place} isn't on record, so nothing shows whether the whole pool was paid.", place=place
    )


def no_places() -> str:
    """Say that nobody's finish is on record."""
    return phrase("The record doesn't show who finished where, so nothing shows whether the right players were paid.")


def place_unknown(name: str, place: int) -> str:
    """Say that a player's finish isn't on record."""
    return phrase(
        "The record doesn't show where {name} finished, who got the prize of place {place}.", name=name, place=place
    )


def chips_not_stated(names: Sequence[str]) -> str:
    """Say that entries don't state their chips."""
    return phrase(
        "The record doesn't show how many chips {names} got for the entry, so the chips in play can't be checked.",
        names=join_and(names),
    )


def stacks_unknown(hand: str, table: str) -> str:
    """Say that the chips in play can't be counted from a hand on."""
    return phrase(
        "Stacks of hand {hand} of table {table} aren't on record, so the chips in play can't be counted there.",
        hand=hand,
        table=table,
    )


def never_seated(name: str) -> str:
    """Say that a player bought an entry and never played."""
    return phrase("{name} bought an entry and isn't in any hand, so the chips in play can't be counted.", name=name)


def came_from_unrecorded_table(name: str) -> str:
    """Say that a player came from a table that isn't on record."""
    return phrase("{name} came from a table that isn't on record, so the chips in play can't be counted.", name=name)


def chips_need_times() -> str:
    """Say that chips can't be followed from table to table."""
    return phrase("Hands have no time, so the chips can't be followed from table to table.")
