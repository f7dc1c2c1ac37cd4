"""Games by their usual names, as in `limit 10/20`, `NL 2/5 ante 1` or `PLO 5/5`."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final, NamedTuple

from handledger import door_errors
from ledger.hand.opening import Betting, GameSet
from ledger.hand.variants import VARIANTS
from ledger.readers import games
from ledger.readers.currencies import SIGNS
from ledger.vocabulary import in_units

MAX_LENGTH: Final = 200
_MAX_DECIMALS: Final = 6
MAX_DECIMALS: Final = 15  # that a table may count
_MAX_DIGITS: Final = 12
_AMOUNT: Final = rf"[$€£]?(?:\d[\d,]{{0,{_MAX_DIGITS}}}(?:\.\d{{1,{_MAX_DECIMALS}}})?|\.\d{{1,{_MAX_DECIMALS}}})"
_PARTS: Final = {
    "blinds": re.compile(rf"\bblinds?\s+({_AMOUNT}(?:\s?/\s?{_AMOUNT}){{0,2}})(?![\d/.])"),
    "ante": re.compile(rf"\bante\s+({_AMOUNT})(?![\d/.])"),
    "bring-in": re.compile(rf"\bbring-?in\s+({_AMOUNT})(?![\d/.])"),
    "stakes": re.compile(rf"(?<![\w/.-])({_AMOUNT}(?:\s?[/-]\s?{_AMOUNT}){{1,2}})(?![\w/.])"),
}
"""The parts of a game's text that have amounts, in the order in which they are cut out of it."""
_SHORT_NAMES: Final[dict[str, tuple[str, Betting]]] = {
    **dict.fromkeys(("nlh", "nlhe"), ("holdem", "no-limit")),
    **dict.fromkeys(("lhe", "flhe"), ("holdem", "limit")),
    **dict.fromkeys(("plo", "plo4"), ("omaha", "pot-limit")),
    "plo5": ("omaha5", "pot-limit"),
    "plo6": ("omaha6", "pot-limit"),
    "plo8": ("omaha8", "pot-limit"),
}
_SPREAD: Final = re.compile(r"\bspread(?:[ -]limit)?\b")
_UNIT: Final = re.compile(r"[A-Za-z]{1,12}")
_LOWBALL: Final = re.compile(r"\b2-7(?= (?:triple|single|lowball|draw))")
_LONE_FIGURE: Final = re.compile(r"(?:^| )\d+(?:\.\d+)?$")
_GAMES: Final = frozenset(VARIANTS)


class _Stakes(NamedTuple):
    """The amounts of a game, as written."""

    blinds: tuple[Decimal, ...]
    bets: tuple[Decimal, ...]
    ante: Decimal
    bring_in: Decimal


def parse_game(text: str, *, tournament: bool = False, exponent: int = 0, unit: str | None = None) -> GameSet:
    """Parse a game's usual name; amounts become integers in units of 10^-exponent, with at least `exponent` decimals.

    `unit`: a currency code, or "chips"; by default that of the sign in the text, and chips in a tournament.
    `GameTextError` if the betting or the stakes are missing, or a word is unknown.

    >>> game = parse_game("limit 10/20")
    >>> game.variant, game.betting, game.blinds, game.bets
    ('holdem', 'limit', (5, 10), (10, 20))
    >>> game = parse_game("NL 0.5/1 ante .25")
    >>> game.blinds, game.ante, game.exponent
    ((50, 100), 25, 2)
    """
    if not isinstance(text, str):
        raise door_errors.not_text("game", text)
    if unit is not None and (not isinstance(unit, str) or not _UNIT.fullmatch(unit)):
        raise door_errors.bad_unit(unit)
    if len(text) > MAX_LENGTH:
        raise door_errors.game_too_long(MAX_LENGTH)
    name_words, amounts = _split_amounts(text)
    variant, betting = _parse_name(name_words, text)
    stakes = _read_stakes(variant, betting, amounts, text, tournament=tournament)
    written_amounts = (*stakes.blinds, *stakes.bets, stakes.ante, stakes.bring_in)
    exponent = max(exponent, *map(_count_decimals, written_amounts))
    scale = Decimal(10) ** exponent
    return GameSet(
        variant,
        betting,
        "tournament" if tournament else "cash",
        unit or ("chips" if tournament else _find_unit(text)),
        exponent,
        tuple(int(amount * scale) for amount in stakes.blinds),
        int(stakes.ante * scale),
        tuple(int(amount * scale) for amount in stakes.bets),
        int(stakes.bring_in * scale),
    )


def _split_amounts(text: str) -> tuple[str, dict[str, tuple[Decimal, ...]]]:
    """Return the words of a game's name, and its amounts by their part in `_PARTS`."""
    remaining_text = _LOWBALL.sub("2 7", " ".join(text.lower().split()))
    amounts: dict[str, tuple[Decimal, ...]] = {}
    for part_name, pattern in _PARTS.items():
        match = pattern.search(remaining_text)
        if match is not None:
            amounts[part_name] = tuple(_parse_amount(amount) for amount in re.split(r"[/-]", match[1]))
            remaining_text = f"{remaining_text[: match.start()]} {remaining_text[match.end() :]}"
    return " ".join(remaining_text.replace("$", " ").split()), amounts


def _parse_amount(text: str) -> Decimal:
    return Decimal(text.strip().lstrip("$€£").replace(",", ""))


def _count_decimals(amount: Decimal) -> int:
    exponent = amount.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _find_unit(text: str) -> str:
    """Return the currency whose sign is in a text; `chips` without one."""
    return next((unit for unit, sign in SIGNS.items() if sign in "$€£" and sign in text), "chips")


def _parse_name(name_words: str, text: str) -> tuple[str, Betting]:
    """Return variant and betting of a game's name without its stakes. Without a variant it is hold'em."""
    if name_words in _SHORT_NAMES:
        return _SHORT_NAMES[name_words]
    if _SPREAD.search(name_words):
        name_words = " ".join(_SPREAD.sub(" ", name_words).split())
        spread_variant = _find_variant(name_words)
        if spread_variant is None:
            raise door_errors.unknown_game_words(text, name_words)
        return spread_variant, "spread"
    name = games.normalize_name(name_words)
    for limit, betting in games.LIMITS.items():
        for variant_name in _strip_limit(name, limit):
            variant = _find_variant(variant_name)
            if variant is not None:
                return variant, betting
    if name and _find_variant(name) is None:
        if _LONE_FIGURE.search(name_words):
            raise door_errors.stakes_missing(text)
        raise door_errors.unknown_game_words(text, name_words)
    raise door_errors.betting_missing(text)


def _strip_limit(name: str, limit: str) -> list[str]:
    """Return what a name may be without the word of its limit, before or after it; [] if it doesn't have that word."""
    if name == limit:
        return [""]
    stripped_names = []
    if name.startswith(f"{limit} "):
        stripped_names.append(name.removeprefix(f"{limit} "))
    if name.endswith(f" {limit}"):
        stripped_names.append(name.removesuffix(f" {limit}"))
    return stripped_names


def _find_variant(name: str) -> str | None:
    """Return the variant of a name, hold'em if the name is empty; None if there is no such game."""
    if not name:
        return "holdem"
    joined = name.replace(" ", "-")
    return joined if joined in _GAMES else games.find_variant(name, _GAMES)


def _read_stakes(
    variant: str, betting: Betting, amounts: dict[str, tuple[Decimal, ...]], text: str, *, tournament: bool
) -> _Stakes:
    """Return blinds, bets, ante and bring-in; `GameTextError` if a game can't have them."""
    stakes, blinds = amounts.get("stakes", ()), amounts.get("blinds", ())
    ante = amounts.get("ante", (Decimal(0),))[0]
    bring_in = amounts.get("bring-in", (Decimal(0),))[0]
    has_blinds = VARIANTS[variant].opening == "blinds"
    if len(stakes) > 2:
        if not tournament or "ante" in amounts or betting in ("limit", "spread"):
            raise door_errors.third_figure(text)
        stakes, ante = stakes[:2], stakes[2]
    bets: tuple[Decimal, ...] = ()
    if betting in ("limit", "spread") or not has_blinds:
        bets = stakes
        if not blinds and has_blinds and betting == "limit" and bets:
            blinds = (bets[0] / 2, bets[0])
    elif not blinds:
        blinds = stakes
    if (has_blinds and not blinds) or (betting == "limit" and not bets) or not (blinds or bets):
        raise door_errors.stakes_missing(text)
    if any(amount <= 0 for amount in (*blinds, *bets)) or list(blinds) != sorted(blinds) or list(bets) != sorted(bets):
        raise door_errors.stakes_out_of_order(text)
    return _Stakes(blinds, bets, ante, bring_in)


def write_game(game: GameSet) -> str:
    """Return a game as text that `parse_game` reads.

    >>> write_game(parse_game("PLO 5/5")), write_game(parse_game("$3/$6 limit"))
    ('pot-limit omaha 5/5', 'limit holdem $3/$6 blinds $1.5/$3')
    """
    sign = SIGNS.get(game.unit, "") if game.unit in ("USD", "EUR", "GBP") else ""

    def write(amounts: tuple[int, ...]) -> str:
        return "/".join(f"{sign}{in_units(amount, game.exponent)}" for amount in amounts)

    text_parts = [game.betting, game.variant]
    has_bets = bool(game.bets) and game.betting in ("limit", "spread")
    if has_bets:
        text_parts.append(write(game.bets))
    if game.blinds:
        is_plain = len(game.blinds) == 2 and not has_bets  # two figures without bets are the blinds
        text_parts.append(write(game.blinds) if is_plain else f"blinds {write(game.blinds)}")
    if game.ante:
        text_parts.append(f"ante {write((game.ante,))}")
    if game.bring_in:
        text_parts.append(f"bring-in {write((game.bring_in,))}")
    return " ".join(text_parts)
