"""The closed lists of CoinPoker's messages: acts, rounds, games, cards, and what they witness."""

from __future__ import annotations

from typing import Final

from ledger.hand.opening import Betting, NotDealtIn
from ledger.vocabulary import Cards, Street, Witness

VENUE: Final = "CoinPoker"

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.BLIND_POSITIONS
    | Witness.POSTS
    | Witness.ANTES
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.SHOWDOWN
    | Witness.AWARDS
    | Witness.POTS
    | Witness.DROP
    | Witness.TIMES
    | Witness.BLIND_AMOUNTS
)
"""What the stream holds whenever it happens; own cards and stacks after the hand are added where they are told."""

ACTS: Final[dict[str, str]] = {
    "sb": "small",
    "smallblind": "small",
    "bb": "big",
    "bigblind": "big",
    "autobb": "entry",
    "postbb": "entry",
    "ante": "ante",
    "straddle": "straddle",
    "fold": "fold",
    "check": "check",
    "call": "call",
    "raise": "raise",
    "bet": "raise",
    "pot": "raise",
    "halfpot": "raise",
    "minraise": "raise",
    "allin": "all-in",
    "muck": "muck",
}
"""A seat's caption or an entry's action, without signs and in small letters → what it is.

Seen are `SB BB Straddle Fold Check Call Raise Bet Pot AllIn`; what else stands here are words of other
people's records of the same stream. `Raise` stands for bets too.
"""

POSTS: Final = frozenset(("small", "big", "entry", "ante", "straddle"))
WAGERS: Final = frozenset(("call", "raise", "all-in"))

NO_ACT: Final = frozenset(("inuse", "empty", "", "none"))
"""Captions of a seat that does nothing."""

AWAY: Final[dict[str, NotDealtIn]] = {
    "sitout": "sitting-out",
    "sittingout": "sitting-out",
    "disconnected": "away",
    "away": "away",
    "waiting": "unknown",
    "reserved": "reserved",
}
"""Captions of a seat that is not in play → why it gets no cards."""

ROUNDS: Final[dict[str, int]] = {"ANTE": 0, "PREFLOP": 3, "FLOP": 5, "TURN": 7, "RIVER": 9}
"""A round → when its acts come; what is dealt for it comes one before."""

STREETS: Final[tuple[tuple[str, Street, int], ...]] = (("FLOP", "flop", 4), ("TURN", "turn", 6), ("RIVER", "river", 8))

BOARDS: Final = (
    ("dealerCards", 1, 1),
    ("dealerCardsRit", 1, 2),
    ("dealerCardsRit2", 1, 3),
    ("dealerCardsDoubleBoard", 2, 1),
)
"""Where a board's cards stand, which board it is, and which run."""

OMAHA: Final[dict[int, str]] = {2: "holdem", 4: "omaha", 5: "omaha5", 6: "omaha6"}
"""How many cards a seat holds → the game, where no name tells it."""

GAMES: Final[tuple[tuple[str, str, Betting | None], ...]] = (
    ("plo6", "omaha6", "pot-limit"),
    ("plo5", "omaha5", "pot-limit"),
    ("plo", "omaha", "pot-limit"),
    ("nlhe", "holdem", "no-limit"),
    ("nlh", "holdem", "no-limit"),
    ("shortdeck", "short-deck", None),
    ("short deck", "short-deck", None),
    ("omaha6", "omaha6", None),
    ("omaha5", "omaha5", None),
    ("omaha", "omaha", None),
    ("hold", "holdem", None),
    ("nl", "holdem", "no-limit"),
)
"""Words in a table's name or kind of game, the longest first → game, and betting if they tell it."""

_RANKS: Final = {
    "TWO": "2",
    "THREE": "3",
    "FOUR": "4",
    "FIVE": "5",
    "SIX": "6",
    "SEVEN": "7",
    "EIGHT": "8",
    "NINE": "9",
    "TEN": "T",
    "JACK": "J",
    "QUEEN": "Q",
    "KING": "K",
    "ACE": "A",
}
_SUITS: Final = {"CLUBS": "c", "DIAMONDS": "d", "HEARTS": "h", "SPADES": "s"}
_NUMBERS: Final = {
    **{str(number): str(number) for number in range(2, 10)},
    "10": "T",
    "11": "J",
    "12": "Q",
    "13": "K",
    "14": "A",
}


def cards(value: object) -> Cards | None:
    """Return the cards of `[{"suit": "CLUBS", "value": "FOUR"}]`, None where one is no card."""
    if not isinstance(value, list):
        return None
    found = []
    for one in value:
        if not isinstance(one, dict):
            return None
        rank, suit = one.get("value"), one.get("suit")
        if not isinstance(rank, str) or not isinstance(suit, str):
            return None
        if rank not in _RANKS or suit not in _SUITS:
            return None
        found.append(_RANKS[rank] + _SUITS[suit])
    return "".join(found)


def spoken(text: str) -> Cards | None:
    """Return the cards of the dealer's words, `11S 8S 7S 4D ` or `[12C, 9S, 6C]`; None if they are none."""
    found = []
    for word in text.strip(" []").replace(",", " ").split():
        rank, suit = _NUMBERS.get(word[:-1]), word[-1:].lower()
        if rank is None or suit not in "cdhs":
            return None
        found.append(rank + suit)
    return "".join(found) or None


def act(word: object) -> str | None:
    """Return what a caption or an action is: "fold", "raise", ...; None if it is none of them."""
    return ACTS.get(bare(word)) if isinstance(word, str) and len(word) < 40 else None


def bare(word: str) -> str:
    """Return a caption without signs, in small letters: `ALL_IN` and `AllIn` are one."""
    return word.replace("_", "").replace(" ", "").replace("-", "").lower()
