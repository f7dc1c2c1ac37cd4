"""Texts of the page that keeps a table, for what happens between two hands and at a seat."""

from __future__ import annotations

from typing import Final

from ledger.text.language import translatable

BETWEEN_WORDS: Final[dict[str, str]] = {
    "moveButton": translatable("Move the button"),
    "buttonBack": translatable("Button back where it's due"),
    "buttonHere": translatable("The button is here"),
    "whereButton": translatable("Where the button is"),
    "straddle": translatable("Straddle"),
    "straddleKey": translatable("{player} straddles {amount}"),
    "kill": translatable("Kill the pot"),
    "killKey": translatable("{player} kills: {amount}"),
    "killOf": translatable("{seat} kills: {amount}"),
    "floorRefused": translatable("Refused by {name}"),
    "breaks": translatable("This breaks a rule:"),
    "toPlay": translatable("To be dealt in: {post}"),
    "whyOf": translatable("Why: {act}"),
    "whyOwes": translatable("Why?"),
    "newName": translatable("Or a new name"),
    "atSeat": translatable("At a seat"),
    "chairNumber": translatable("Seat {seat}"),
    "wasTakenBack": translatable("taken back"),
    "yourGame": translatable("What is played here?"),
    "chooseGame": translatable("Choose the game"),
}
"""Each text by its name in the scripts."""
