"""Errors about the tables and hands that a user types: what is wrong, and which command to type instead."""

from __future__ import annotations

from ledger.errors import AddressError, NothingFoundError
from ledger.text.language import phrase


class OtherTableError(NothingFoundError):
    """A hand was played at another table than the one named; the hint is a command without its `-r` options."""


def ambiguous_table(table_name: str, count: int, choices: str) -> AddressError:
    """Return the error for a name that several tables have."""
    return AddressError(
        phrase("{number} tables are called {name}", number=count, name=repr(table_name)),
        phrase("Say one of: {choices}.", choices=choices),
    )


def hand_instead_of_table(typed_name: str, table_path: str, hand_path: str) -> NothingFoundError:
    """Return the error for the name of a hand where a table is asked for."""
    return NothingFoundError(
        phrase("{name} is a hand, not a table", name=repr(typed_name)),
        phrase(
            "Its table is {table}. What was due on that hand: handledger due {table} --before {hand}",
            table=table_path,
            hand=hand_path,
        ),
    )


def no_hands_hint(*, has_rejects: bool) -> str:
    """Return the hint for a ledger without hands."""
    if has_rejects:
        return phrase("No hands are stored yet. handledger rejects says what couldn't be read.")
    return phrase("No hands are stored yet. handledger import PATH brings them in.")


def hand_of_other_table(hand_number: str, table_name: str, typed_table: str, arguments: str) -> OtherTableError:
    """Return the error for a hand of another table than the one named."""
    message = phrase(
        "hand {hand} was played at table {table}, not at {typed_table}",
        hand=repr(hand_number),
        table=repr(table_name),
        typed_table=repr(typed_table),
    )
    return OtherTableError(message, phrase("Try: handledger due {arguments}", arguments=arguments))
