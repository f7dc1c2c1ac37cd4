"""Name a game as a card room does."""

from __future__ import annotations

from typing import Final

_GAMES: Final = {
    "no-limit": "No-Limit",
    "pot-limit": "Pot-Limit",
    "limit": "Limit",
    "spread": "Spread-Limit",
    "holdem": "Hold'em",
    "omaha": "Omaha",
    "omaha8": "Omaha Hi-Lo",
    "omaha5": "Five-Card Omaha",
    "omaha5-8": "Five-Card Omaha Hi-Lo",
    "omaha6": "Six-Card Omaha",
    "omaha6-8": "Six-Card Omaha Hi-Lo",
    "short-deck": "Short Deck",
    "courchevel": "Courchevel",
    "courchevel8": "Courchevel Hi-Lo",
    "stud": "Seven-Card Stud",
    "stud8": "Seven-Card Stud Hi-Lo",
    "razz": "Razz",
    "draw5": "Five-Card Draw",
    "single-27": "Deuce-to-Seven Single Draw",
    "triple-27": "Deuce-to-Seven Triple Draw",
    "triple-a5": "Ace-to-Five Triple Draw",
    "badugi": "Badugi",
    "badeucey": "Badeucey",
    "badacey": "Badacey",
    "irish": "Irish",
}


def format_game_title(game_text: str) -> str:
    """Return a game as a card room calls it: `limit holdem $10/$20` is Limit Hold'em $10/$20."""
    words = game_text.split(" ")
    return " ".join([*(_GAMES.get(word, word) for word in words[:2]), *words[2:]])
