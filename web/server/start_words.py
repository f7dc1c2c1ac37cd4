"""Texts of the page on which a house begins: its rulebook, its first table, its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ledger.text.language import phrase, translatable

if TYPE_CHECKING:
    from projections.books.rulebook import Rulebook

_BOOKS: Final = {
    "hilton": translatable("Cash games and tournaments: hold'em and games with blinds, as in a Las Vegas room."),
    "rrop4": translatable("Robert's Rules: button and blinds of cash games; the house chooses how the button moves."),
    "bicycle": translatable("Cash games: hold'em as in a Californian room, with a moving button."),
    "house-burn": translatable("Hold'em only: the deal, the board and burn cards. It doesn't place the button."),
    "tda2024": translatable("Tournaments only: the rules of the TDA, with a dead button."),
}
"""What each built-in rulebook is for."""
GAMES: Final = {
    "holdem no-limit": translatable("No-limit hold'em"),
    "holdem limit": translatable("Limit hold'em"),
    "omaha pot-limit": translatable("Pot-limit Omaha"),
    "omaha8 limit": translatable("Limit Omaha 8 or better"),
    "omaha5 pot-limit": translatable("Pot-limit five-card Omaha"),
    "holdem pot-limit": translatable("Pot-limit hold'em"),
}
"""Each game of the list, by its words in a game line."""
STAKES: Final = ("1/2", "1/3", "2/5", "5/5", "5/10", "10/20", "25/50")
"""Blinds to choose from. In a limit game the bets are the big blind and twice it."""
UNITS: Final = {"USD 2": "$", "EUR 2": "€", "GBP 2": "£", "chips 0": ""}
"""Units of the list, each with its sign."""
BUTTON_METHODS: Final = {
    "dead": translatable("Dead button: the big blind moves on, the button may be at an empty seat"),
    "moving": translatable("Moving button: the button goes to the next player, the blinds follow"),
}
ENTRY_POSTS: Final = {
    "1": translatable("New players post, or wait for the big blind"),
    "0": translatable("New players play at once, without a post"),
}


def rank_book(book: Rulebook) -> tuple[int, str]:
    """Return the place of a rulebook in the list: the house's own first, then as above."""
    names = list(_BOOKS)
    return (names.index(book.name) if book.name in names else -1), book.name


def describe_book(name: str, title: str) -> str:
    """Return what a rulebook is for; of a house's own book, its title."""
    return phrase(_BOOKS[name]) if name in _BOOKS else title
