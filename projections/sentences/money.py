"""Sentences about who owes whom after a finding."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.text.language import join_list, phrase


def seat_owes(seat: int, amount: str, transfers: Sequence[tuple[str, int]]) -> str:
    """Say what a seat owes; `transfers` are the amounts and the seats that get them."""
    if len(transfers) == 1:
        return phrase("Seat {seat} owes seat {payee} {amount}", seat=seat, payee=transfers[0][1], amount=amount)
    payees = join_list([phrase("{part} to seat {payee}", part=part, payee=payee) for part, payee in transfers])
    return phrase("Seat {seat} owes {amount}: {payees}", seat=seat, amount=amount, payees=payees)


def seat_is_owed(seat: int, amount: str) -> str:
    """Say what a seat gets from others."""
    return phrase("Seat {seat} is owed {amount}", seat=seat, amount=amount)
