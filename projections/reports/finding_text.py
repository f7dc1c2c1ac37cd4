"""The text of a finding as every report and page prints it: headline, what should be, and who owes whom."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from ledger.vocabulary import Chips, Seat
from projections.amount_text import amount
from projections.findings.finding import Finding, Share
from projections.sentences import as_sentence
from projections.sentences.money import seat_is_owed, seat_owes

PlayerName = Callable[[Seat], str]
"""Returns a printable name of who sits in a seat, or ""."""

_SEATS: Final = re.compile(r"\b(?:([Ss]eat )(\d{1,4})|([Ss]eats )(\d{1,4}(?:(?:, | and | or )\d{1,4})*))\b")


def name_seats(text: str, player_name: PlayerName | None) -> str:
    """Put each player's name after the first mention of the seat: `seat 9 (Mo)`."""
    if player_name is None:
        return text
    named_seats: set[Seat] = set()

    def with_name(number: re.Match[str]) -> str:
        seat = int(number[0])
        name = "" if seat in named_seats else player_name(seat)
        named_seats.add(seat)
        return f"{number[0]} ({name})" if name else number[0]

    return _SEATS.sub(lambda match: re.sub(r"\d+", with_name, match[0]), text)


def headline(finding: Finding, player_name: PlayerName | None = None) -> str:
    """Return what happened, without a full stop."""
    saw = name_seats(finding.saw, player_name)
    return saw[:1].upper() + saw[1:]


def should_be(finding: Finding, player_name: PlayerName | None = None) -> str:
    """Return what should have been; "" = the clause says no more."""
    return name_seats(finding.should, player_name)


def list_transfers(shares: Sequence[Share]) -> list[tuple[Seat, Seat, Chips]]:
    """Return who pays whom how much, so that nobody has too much or too little: payer, payee, chips.

    A share above zero is paid, one below is got, each in the order of seats.
    """
    payees = [[share.seat, -share.amount] for share in sorted(shares, key=lambda share: share.seat) if share.amount < 0]
    transfers = []
    for share in sorted(shares, key=lambda share: share.seat):
        chips = share.amount
        while chips > 0 and payees:
            seat, missing = payees[0]
            part = min(chips, missing)
            transfers.append((share.seat, seat, part))
            chips -= part
            payees[0][1] -= part
            if not payees[0][1]:
                payees.pop(0)
    return transfers


def describe_money(shares: Sequence[Share], unit: str, exponent: int, player_name: PlayerName | None = None) -> str:
    """Return who owes whom, as in `Seat 9 owes $5: $3 to seat 3, $2 to seat 4`."""
    payees = {payee for _, payee, _ in list_transfers(shares)}
    sentences = [
        as_sentence(sentence)
        for share, sentence in describe_shares(shares, unit, exponent)
        if share.amount > 0 or share.seat not in payees
    ]
    return name_seats(" ".join(sentences), player_name)


def describe_shares(shares: Sequence[Share], unit: str, exponent: int) -> list[tuple[Share, str]]:
    """Return each share with what its seat owes and to whom, or what it is owed."""
    transfers = list_transfers(shares)
    described = []
    for share in sorted(shares, key=lambda share: (share.amount < 0, share.seat)):
        chips = amount(abs(share.amount), unit, exponent)
        payments = [(amount(part, unit, exponent), payee) for payer, payee, part in transfers if payer == share.seat]
        if payments:
            described.append((share, seat_owes(share.seat, chips, payments)))
        elif share.amount < 0:
            described.append((share, seat_is_owed(share.seat, chips)))
    return described
