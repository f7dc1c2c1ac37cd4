"""The text of a finding as every report and page prints it: the headline, the correct action, and who owes whom."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from ledger.text.language import ENGLISH, join_sentences, language_in_force, phrase
from ledger.vocabulary import Chips, Seat
from projections.amount_text import amount
from projections.findings.finding import Finding, Share
from projections.sentences import as_sentence, capitalize
from projections.sentences.money import seat_is_owed, seat_owes

PlayerName = Callable[[Seat], str]
"""Returns the sanitized name of the player in a seat, or "" if it's unknown."""

_SEATS: Final = {
    ENGLISH: re.compile(r"\b(?:[Ss]eat \d{1,4}|[Ss]eats \d{1,4}(?:(?:, | and | or )\d{1,4})*)\b"),
    "es": re.compile(
        r"\b(?:[Ss]eat \d{1,4}|[Ss]eats \d{1,4}(?:(?:, | and | or )\d{1,4})*"
        r"|[Aa]siento \d{1,4}|[Aa]sientos \d{1,4}(?:(?:, | y | o )\d{1,4})*)\b"
    ),
    "vi": re.compile(
        r"\b(?:[Ss]eat \d{1,4}|[Ss]eats \d{1,4}(?:(?:, | and | or )\d{1,4})*"
        r"|[Gg]hế \d{1,4}(?:(?:, | và | hoặc )\d{1,4})*)\b"
    ),
    "zh": re.compile(
        r"\b(?:[Ss]eat \d{1,4}|[Ss]eats \d{1,4}(?:(?:, | and | or )\d{1,4})*)\b"
        r"|(?<!\d)\d{1,4}(?:[、和或]\d{1,4})*号位"
    ),
}
"""Mentions of seats in each language: "seat 3" or "seats 3, 4 and 9". Stored sentences mention them in English."""


def name_seats(text: str, player_name: PlayerName | None) -> str:
    """Add each player's name after the first mention of the seat: `seat 9 (Mo)`.

    `player_name` is None if names aren't printed. The text is unchanged then.
    """
    if player_name is None:
        return text
    named_seats: set[Seat] = set()

    def add_name(mention: str, seat: Seat) -> str:
        """Return a mention of one seat, with the player's name if it's the first mention."""
        name = "" if seat in named_seats else player_name(seat)
        named_seats.add(seat)
        return phrase("{seat} ({player})", seat=mention, player=name) if name else mention

    def add_names(mention_match: re.Match[str]) -> str:
        """Return a mention of seats with the names of those mentioned for the first time."""
        mention = mention_match[0]
        seats = re.findall(r"\d+", mention)
        if len(seats) == 1:
            return add_name(mention, int(seats[0]))
        return re.sub(r"\d+", lambda number_match: add_name(number_match[0], int(number_match[0])), mention)

    return _SEATS[language_in_force()].sub(add_names, text)


def format_headline(finding: Finding, player_name: PlayerName | None = None) -> str:
    """Return what happened, as a headline without a full stop."""
    return capitalize(name_seats(finding.saw, player_name))


def format_should_be(finding: Finding, player_name: PlayerName | None = None) -> str:
    """Return what should have happened, or "" if the clause doesn't say."""
    return name_seats(finding.should, player_name)


class Transfer(NamedTuple):
    """A payment from one seat to another."""

    payer: Seat
    payee: Seat
    chips: Chips


def list_transfers(shares: Sequence[Share]) -> list[Transfer]:
    """Return the payments that settle the shares.

    Seats with too many chips pay seats with too few, both in the order of their seats.
    """
    # The seat of each payee, with the chips that it's still owed.
    payees = [[share.seat, -share.amount] for share in sorted(shares, key=lambda share: share.seat) if share.amount < 0]
    transfers = []
    for share in sorted(shares, key=lambda share: share.seat):
        chips_left = share.amount
        while chips_left > 0 and payees:
            payee, chips_missing = payees[0]
            chips_paid = min(chips_left, chips_missing)
            transfers.append(Transfer(share.seat, payee, chips_paid))
            chips_left -= chips_paid
            payees[0][1] -= chips_paid
            if not payees[0][1]:
                payees.pop(0)
    return transfers


def describe_money(shares: Sequence[Share], unit: str, exponent: int, player_name: PlayerName | None = None) -> str:
    """Return who owes whom, as in `Seat 9 owes $5: $3 to seat 3, $2 to seat 4`."""
    named_payees = {transfer.payee for transfer in list_transfers(shares)}
    # A payee whom a payer's sentence already names needs no sentence of its own.
    sentences = [
        as_sentence(sentence)
        for share, sentence in describe_shares(shares, unit, exponent)
        if share.amount > 0 or share.seat not in named_payees
    ]
    return name_seats(join_sentences(sentences), player_name)


def describe_shares(shares: Sequence[Share], unit: str, exponent: int) -> list[tuple[Share, str]]:
    """Return each share with a sentence on what its seat owes to whom, or what it's owed. Payers come first."""
    transfers = list_transfers(shares)
    described = []
    for share in sorted(shares, key=lambda share: (share.amount < 0, share.seat)):
        chips = amount(abs(share.amount), unit, exponent)
        payments = [
            (amount(transfer.chips, unit, exponent), transfer.payee)
            for transfer in transfers
            if transfer.payer == share.seat
        ]
        if payments:
            described.append((share, seat_owes(share.seat, chips, payments)))
        elif share.amount < 0:
            described.append((share, seat_is_owed(share.seat, chips)))
    return described
