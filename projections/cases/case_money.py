"""Find the money of a case, and parse the amounts that the user types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ledger.case import case_errors
from ledger.errors import UnreadableHandError
from ledger.hand.opening import GameSet
from ledger.readers.amounts import read
from projections.amount_text import MoneyFormat
from projections.cases.case_hands import find_case_rows

if TYPE_CHECKING:
    from ledger.case.state import CaseState
    from ledger.store import HandRow, Ledger
    from ledger.vocabulary import Chips


def find_case_money(ledger: Ledger, state: CaseState) -> MoneyFormat | None:
    """Return the money that a case is about: that of its first hand, or else of its table's first hand.

    Return None if no such hand is in this ledger, or if its record doesn't show the money.
    """
    opening = state.opening
    venue, table = (opening.venue, opening.table) if opening else ("", "")
    return find_opening_money(ledger, find_case_rows(ledger, state)[:1], venue, table)


def find_opening_money(ledger: Ledger, rows: list[HandRow], venue: str, table: str) -> MoneyFormat | None:
    """Return the money of a case that is being opened, from its first hand or else from its table's first hand."""
    row = rows[0] if rows else None
    if row is None and table:
        row = next(ledger.hands(venue=venue or None, table=table), None)
    return None if row is None else find_hand_money(ledger, row)


def find_hand_money(ledger: Ledger, row: HandRow) -> MoneyFormat | None:
    """Return the money that a hand is played for, or None if its record doesn't show it."""
    game = next((event for event in ledger.events(row.stream) if isinstance(event, GameSet)), None)
    return None if game is None else MoneyFormat(game)


def require_same_money(ledger: Ledger, money: MoneyFormat | None, rows: Iterable[HandRow]) -> None:
    """Raise `CaseError` if a hand is played for other money than the case.

    If the money of the case isn't known, the first hand that shows its money decides. A hand that doesn't
    show it is allowed.
    """
    for row in rows:
        row_money = find_hand_money(ledger, row)
        money = money or row_money
        if money and row_money and (money.unit, money.exponent) != (row_money.unit, row_money.exponent):
            raise case_errors.other_money(row.number)


def parse_chips(stated_amount: str, money: MoneyFormat | None, *, option: str) -> Chips:
    """Parse an amount such as `15`, `$12.50` or `-15`. `option` is its label in errors."""
    if money is None:
        raise case_errors.chips_without_worth(option)
    stripped_amount = stated_amount.strip()
    sign = -1 if stripped_amount[:1] in ("-", "−") else 1  # noqa: RUF001 - people type a real minus sign too
    try:
        return sign * read(stripped_amount.lstrip("+-−"), money.exponent)  # noqa: RUF001 - as above
    except UnreadableHandError:
        raise case_errors.bad_chips(option, stated_amount, money.exponent) from None
