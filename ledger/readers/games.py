"""Find games and limits by the rooms' names for them: `No Limit Hold'em`, `OMAHA_HI_LO`, `7-Card Stud`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.hand.opening import Betting, GameSet, TournamentSet
from ledger.readers import amounts, currencies
from ledger.vocabulary import Chips, Street

FLOP: Final = frozenset(("holdem", "omaha", "omaha8"))
"""The games that nearly every room spreads."""
STUD: Final = frozenset(("stud", "stud8", "razz"))
DRAW: Final = frozenset(("draw5", "single-27", "triple-27", "triple-a5", "badugi", "badeucey", "badacey"))
STUD_STREETS: Final[dict[str, Street]] = {
    "3rd": "third",
    "4th": "fourth",
    "5th": "fifth",
    "6th": "sixth",
    "7th": "seventh",
}
"""A stud street's number of cards → the street."""
DRAW_STREETS: Final[tuple[Street, ...]] = ("first-draw", "second-draw", "third-draw")
LIMITS: Final[dict[str, Betting]] = {
    "half pot limit": "pot-limit",
    "fixed limit": "limit",
    "pot limit": "pot-limit",
    "no limit": "no-limit",
    "nolimit": "no-limit",
    "limit": "limit",
    "nl": "no-limit",
    "pl": "pot-limit",
    "fl": "limit",
    "l": "limit",
}
"""A limit's name → the limit. Longer names come first."""
NAMES: Final = {
    "holdem": "holdem",
    "texas holdem": "holdem",
    "short deck": "short-deck",
    "short deck holdem": "short-deck",
    "6+ holdem": "short-deck",
    "6 plus holdem": "short-deck",
    "6+ texas holdem": "short-deck",
    "6 plus texas holdem": "short-deck",
    "omaha": "omaha",
    **dict.fromkeys(("omaha4", "omaha 4", "plo", "plo4", "plo 4", "4 card plo", "4 card omaha"), "omaha"),
    **{form.format(count): f"omaha{count}" for count in (5, 6) for form in ("plo{}", "plo {}", "{} card plo")},
    "nlh": "holdem",
    "sixplus holdem": "short-deck",
    **{form.format(count): f"omaha{count}" for count in (5, 6) for form in ("omaha{}", "omaha {}", "{} card omaha")},
    **{f"omaha {count} {noun}": f"omaha{count}" for count in (5, 6) for noun in ("card", "cards")},
    "big o": "omaha5-8",
    "courchevel": "courchevel",
    "irish": "irish",
    "irish poker": "irish",
    "fusion": "fusion",
    "tempest holdem": "holdem",
    "showtime holdem": "holdem",
    "split holdem": "split-holdem",
    "stud": "stud",
    "7stud": "stud",
    "7 card": "stud",
    "7 card stud": "stud",
    "7 cards stud": "stud",
    "razz": "razz",
    "5 card draw": "draw5",
    "2 7 triple draw": "triple-27",
    "2 7 single draw": "single-27",
    "triple draw 2 7 lowball": "triple-27",
    "single draw 2 7 lowball": "single-27",
    "lowball27": "triple-27",
    "a 5 triple draw": "triple-a5",
    "triple draw a 5 lowball": "triple-a5",
    "badugi": "badugi",
    "badeucey": "badeucey",
    "badacey": "badacey",
}
UNRULED: Final = {
    "5 card stud": "stud5",
    "2 7 razz": "razz-27",
    "a 5 single draw": "single-a5",
    "2 7 drawmaha": "drawmaha-27",
}
"""Games whose rules handledger doesn't know. Their hands are read as written, and nothing is derived from them."""
UNRULED_CARDS: Final = {"stud5": 5, "razz-27": 7, "single-a5": 5, "drawmaha-27": 5}
"""A game without known rules → the number of cards in a full hand."""
_JOINED_NAMES: Final = {name.replace(" ", ""): game for name, game in NAMES.items()}
"""Names without blanks: some rooms write a name as a single word."""
_SPLIT_GAMES: Final = {
    "omaha": "omaha8",
    "omaha5": "omaha5-8",
    "omaha6": "omaha6-8",
    "courchevel": "courchevel8",
    "stud": "stud8",
}
"""A game → its high-low split variant."""
_SPLIT_ENDINGS: Final = (
    "8 or better",
    " hi/lo",
    " hi lo",
    " hi low",
    " hi/low",
    " high/low",
    "hilow",
    "hilo",
    " h/l",
    "hl",
    "8",
)
"""Endings of the names of split games."""
_PLAIN_ENDINGS: Final = (" hi", " high", " lowball")
"""Endings that don't change the game."""
_MAX_NAME_LENGTH: Final = 60
_MAX_NAME_WORDS: Final = 8
"""The maximum number of words in a game's name."""
_CACHE_SIZE: Final = 4096
_NUMBER_WORDS: Final = {"five": "5", "six": "6", "seven": "7", "eight": "8"}


def normalize_name(words: str) -> str:
    """Return a name in lower case without punctuation: `SEVEN_CARD_STUD` and `7-Card Stud` become the same name."""
    low = words.lower().replace("'", "").replace("-", " ").replace("_", " ").replace("hold em", "holdem")
    return " ".join(_NUMBER_WORDS.get(word, word) for word in low.split())


@lru_cache(maxsize=_CACHE_SIZE)
def find_variant(words: str, known_games: frozenset[str]) -> str | None:
    """Return the variant with this name, or None if it is unknown or not among the room's `known_games`.

    >>> find_variant("Omaha Hi-Lo", FLOP), find_variant("Belote", FLOP), find_variant("7 Card Stud", FLOP)
    ('omaha8', None, None)
    >>> find_variant("Seven Card Stud Hi-Lo Eight or Better", STUD)
    'stud8'
    """
    name = normalize_name(words)
    game = UNRULED.get(name) or _find_variant_by_name(name)
    return game if game in known_games else None


def _find_variant_by_name(name: str) -> str | None:
    is_split = False
    while (game := NAMES.get(name) or _JOINED_NAMES.get(name.replace(" ", ""))) is None:
        ending = next((suffix for suffix in (*_SPLIT_ENDINGS, *_PLAIN_ENDINGS) if name.endswith(suffix)), "")
        if not ending or len(name) > _MAX_NAME_LENGTH:
            return None
        is_split = is_split or ending in _SPLIT_ENDINGS
        name = name.removesuffix(ending).strip()
    return _SPLIT_GAMES.get(game, game if game in _SPLIT_GAMES.values() else None) if is_split else game


@lru_cache(maxsize=_CACHE_SIZE)
def split_limit(words: str, known_games: frozenset[str]) -> tuple[str | None, Betting | None]:
    """Return the variant and the limit, which may come before or after the game's name.

    >>> split_limit("NL Hold'em", FLOP), split_limit("Omaha Pot Limit", FLOP), split_limit("Omaha", FLOP)
    (('holdem', 'no-limit'), ('omaha', 'pot-limit'), ('omaha', None))
    """
    name = normalize_name(words)
    for limit, betting in LIMITS.items():
        if name.startswith(limit + " "):
            return find_variant(name.removeprefix(limit), known_games), betting
        if name.endswith(" " + limit):
            return find_variant(name.removesuffix(limit), known_games), betting
    return find_variant(name, known_games), None


def find_game_at_end(words: str, known_games: frozenset[str]) -> tuple[str | None, Betting | None]:
    """Return the variant and the limit at the end of a text, for example after a tournament's name.

    >>> find_game_at_end("Daily Omaha Classic, 15 seats Hold'em No Limit", FLOP), find_game_at_end("Daily", FLOP)
    (('holdem', 'no-limit'), (None, None))
    """
    parts = words.split()
    for first_word in range(max(0, len(parts) - _MAX_NAME_WORDS), len(parts)):
        game, betting = split_limit(" ".join(parts[first_word:]), known_games)
        if game is not None:
            return game, betting
    return None, None


def unknown_game(*words: str) -> UnreadableHandError:
    """Return the error for an unknown game; `words` name it."""
    return UnreadableHandError(
        f"the game {' '.join(repr(word[:80]) for word in words)} is not known",
        kind="unknown-game",
        hint="handledger rules lists no such game; tell us where it is played.",
    )


def parse_game_with_limit(words: str, known_games: frozenset[str], *game_words: str) -> tuple[str, Betting]:
    """Return the variant and the limit of a text that names both. Raise `UnreadableHandError` if one is unknown.

    `game_words`: the words that an error quotes; default: the names.
    """
    variant, betting = split_limit(words, known_games)
    if variant is None or betting is None:
        raise unknown_game(*(game_words or (words,)))
    return variant, betting


def parse_game_and_limit(name: str, limit: str, known_games: frozenset[str], *game_words: str) -> tuple[str, Betting]:
    """Return the variant and the limit from two texts. Raise `UnreadableHandError` if one is unknown.

    `game_words`: the words that an error quotes; default: the names.
    """
    game, betting = find_variant(name, known_games), LIMITS.get(normalize_name(limit))
    if game is None or betting is None:
        raise unknown_game(*(game_words or (name, limit)))
    return game, betting


def find_currency(stakes: str, *, tournament: object, play: object = False, default: str = "play") -> str:
    """Return the game's currency: that of the sign in the stakes, or `default` if there is no sign."""
    if tournament:
        return "chips"
    return "play" if play else currencies.find_currency(stakes) or default


def build_game_set(
    variant: str,
    betting: Betting,
    stakes: Iterable[str | Chips],
    *,
    unit: str,
    exponent: int | None,
    tournament: bool = False,
    play_exponent: int = 2,
    ante: str | Chips = 0,
    written: str = "",
) -> GameSet:
    """Build the game with these stakes, which are bets in fixed limit and blinds otherwise.

    `exponent` None: two decimals for money, none for tournament chips, and `play_exponent` for play money.
    """
    is_fixed_limit = betting == "limit"
    if exponent is None:
        money_exponent = play_exponent if unit == "play" else 2
        exponent = 0 if tournament else money_exponent
    chips = tuple(stake if isinstance(stake, int) else amounts.read(stake, exponent) for stake in stakes)
    if isinstance(ante, str):
        ante = amounts.read(ante, exponent) if ante else 0
    return GameSet(
        variant=variant,
        betting=betting,
        format="tournament" if tournament else "cash",
        unit=unit,
        exponent=exponent,
        blinds=() if is_fixed_limit else chips,
        ante=ante,
        bets=chips if is_fixed_limit else (),
        written=written,
    )


def parse_costs(price: str, written: str | None = None, level: str = "", *, currency: str = "") -> TournamentSet:
    """Parse a tournament's price: `$10 + $1` is buy-in and fee; of three parts the middle is the bounty.

    >>> parse_costs("$2.00+$0.50+$0.20", "Sample Knockout")
    TournamentSet(level='', buy_in=200, fee=20, bounty=50, currency='USD', written='Sample Knockout')
    """
    parts = [amounts.read_or_none(part.strip(), 2) for part in price.split("+")] if price else []
    if None in parts or len(parts) > 3:
        parts = []
    return TournamentSet(
        level,
        parts[0] if parts else None,
        parts[-1] if len(parts) > 1 else None,
        parts[1] if len(parts) == 3 else None,
        currency or (currencies.find_currency(price) if parts else ""),
        price if written is None else written,
    )
