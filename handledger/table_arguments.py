"""Check the arguments of a table, and raise errors for those that it can't take."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from handledger import door_errors
from handledger.hand_plan import MAX_CHIPS
from ledger.hand.options import OPTIONS, Option
from projections.books.rulebook import Rulebook
from projections.books.rulebook import load as load_rulebook

if TYPE_CHECKING:
    from ledger.hand.opening import HouseOption

_CASH_GAMES: Final = ("cash_limit", "cash_big_bet")
MAX_NAME_LENGTH: Final = 100


def is_number(value: object, lowest: int, highest: int) -> bool:
    """Whether a value is a whole number in some bounds."""
    return isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest


def check_name(name: object) -> None:
    """Raise an error if a name is empty, too long, or can't be stored."""
    if not isinstance(name, str):
        raise door_errors.not_text("name", name)
    is_clean = all(unicodedata.category(character)[0] != "C" for character in name)
    if not name.strip() or len(name) > MAX_NAME_LENGTH or not is_clean:
        raise door_errors.bad_name(name, MAX_NAME_LENGTH)


def find_book(rulebook: object) -> Rulebook | None:
    """Return a rulebook by its name or path; None for None."""
    if rulebook is None or isinstance(rulebook, Rulebook):
        return rulebook
    if not isinstance(rulebook, str):
        raise door_errors.not_text("rulebook", rulebook)
    return load_rulebook(rulebook)


def is_for_tournaments_only(book: Rulebook) -> bool:
    """Whether a book has a rule for the button in tournaments, and none for cash games."""
    rulings = book.policy.rulings
    return "button.method.tournament" in rulings and not any(f"button.method.{kind}" in rulings for kind in _CASH_GAMES)


def _can_hold(option: Option, value: int | str) -> bool:
    """Whether an option takes a value that handscript can hold."""
    if isinstance(value, str):
        can_be_written = len(value) <= MAX_NAME_LENGTH and value.isprintable()
    else:
        can_be_written = value <= MAX_CHIPS
    return can_be_written and option.takes_value(value)


def read_options(options: object) -> dict[HouseOption, int | str]:
    """Return options of the house by name; `TableError` for an unknown option, or a value that it doesn't take."""
    if not isinstance(options, Mapping):
        raise door_errors.bad_choice("options", options, OPTIONS)
    for name, value in options.items():
        option = OPTIONS.get(name)
        if option is None:
            raise door_errors.bad_choice("option", name, OPTIONS)
        if not isinstance(value, int | str) or isinstance(value, bool) or not _can_hold(option, value):
            raise door_errors.bad_option(name, value, option.allowed)
    return dict(options)
