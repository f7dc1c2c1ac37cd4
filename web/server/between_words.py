"""Texts of the page that keeps a table, for what happens between two hands and at a seat."""

from __future__ import annotations

from typing import Final

from ledger.text.language import translatable

BETWEEN_WORDS: Final[dict[str, str]] = {
    # The first screen: the game
    "yourGame": translatable("What is played here?"),
    "chooseGame": translatable("Choose the game"),
    # Between two hands: the button
    "moveButton": translatable("Move the button"),
    "buttonBack": translatable("Button back where it's due"),
    "buttonHere": translatable("The button is here"),
    "whereButton": translatable("Where the button is"),
    "breaks": translatable("This breaks a rule:"),
    # Between two hands: straddle and kill
    "straddle": translatable("Straddle"),
    "straddleKey": translatable("{player} straddles {amount}"),  # player: the name
    "kill": translatable("Kill the pot"),
    "killKey": translatable("{player} kills: {amount}"),  # player: the name
    "killOf": translatable("{seat} kills: {amount}"),  # seat: the number
    # At a seat
    "atSeat": translatable("At a seat"),
    "chairNumber": translatable("Seat {seat}"),  # seat: the number
    "newName": translatable("Or a new name"),
    "toPlay": translatable("To be dealt in: {post}"),  # post: what the player owes
    "whyOwes": translatable("Why?"),
    # The last acts and the reasons for them
    "whyOf": translatable("Why: {act}"),  # act: the text of its key
    "wasTakenBack": translatable("taken back"),
}
"""Each text by its name in the scripts."""
