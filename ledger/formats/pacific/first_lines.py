"""The lines above a hand: table or tournament, game, stakes and price."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from ledger.hand.opening import GameSet, TournamentSet
from ledger.readers import amounts, currencies, games
from ledger.readers.phrases import parse_small_number, require_number
from ledger.vocabulary import Chips

_GAMES: Final = games.FLOP | {"short-deck", "omaha5", "omaha5-8"}
_REAL_MONEY_MARK: Final = "(Real Money)"
_PLAY_MONEY_MARKS: Final = ("(Practice Play)", "(Play Money)")
_MOJIBAKE: Final = "\xc2"
"""What is left of a no-break space that was decoded as two characters."""
_CURRENCY_SIGNS: Final = "".join(currencies.SYMBOLS)


class PacificTableLine(NamedTuple):
    """The line of a table or a tournament."""

    table: str = ""
    chair_count: int = 0
    is_play_money: bool = False
    tournament: str = ""
    price: str = ""


@lru_cache(maxsize=10_000)
def parse_table_line(line: str) -> PacificTableLine:
    """Read `Table Ghent 6 Max (Real Money)` or `Tournament #7 $0.90 + $0.09 - Table #73 9 Max (…)`."""
    text = line
    for mark in (_REAL_MONEY_MARK, *_PLAY_MONEY_MARKS):
        text = text.partition(f" {mark}")[0].strip()
    text, chair_count = _split_chair_count(text)
    is_play_money = any(mark in line for mark in _PLAY_MONEY_MARKS)
    if text.startswith("Table "):
        return PacificTableLine(text.removeprefix("Table ").strip(), chair_count, is_play_money)
    number, _, price_and_table = text.removeprefix("Tournament ").strip().lstrip("#").partition(" ")
    require_number(number, max_digits=20, number_name="the tournament's number")
    price, table = _split_price(price_and_table)
    return PacificTableLine(table.strip(), chair_count, is_play_money, number, price.strip())


def _split_chair_count(text: str) -> tuple[str, int]:
    """Split `Ghent 6 Max` or `Ghent 6-max` into the text before and the number of chairs; 0 if it has none."""
    words = (text.removesuffix("-max") + " max" if text.endswith("-max") else text).split(" ")
    chair_count = parse_small_number(words[-2], 2) if len(words) > 2 and words[-1].lower() == "max" else 0
    return (" ".join(words[:-2]), chair_count) if chair_count else (text, 0)


def _split_price(price_and_table: str) -> tuple[str, str]:
    """Split `$0.90 + $0.09 - Table #73` into price and table. Either may be missing."""
    price, _, table = price_and_table.rpartition("- Table #")
    if price and table:
        return price, table
    if "Table #" in price_and_table:
        return "", price_and_table.partition("#")[2]
    return price_and_table, ""


@lru_cache(maxsize=10_000)
def parse_game(game_text: str, table_line: PacificTableLine, exponent: int | None) -> GameSet:
    """Read `$1/$2 Blinds No Limit Holdem`, `0,01 $/0,02 $ Blinds Pot Limit OmahaHL Jackpot table`."""
    stakes, separator, written_game = _put_stakes_first(game_text).partition(" Blinds ")
    name = written_game.lower().removesuffix("jackpot table").strip().replace("fix limit", "fixed limit")
    variant, betting = games.parse_game_with_limit(name if separator else "", _GAMES, game_text)
    unit = _find_unit(table_line, stakes)
    if exponent is None:
        exponent = 0 if unit == "chips" else 2  # play money has hundredths here
    blinds = _parse_blinds(stakes, exponent)
    # The two bets of a fixed limit aren't written here, and they aren't multiples of the blinds: with
    # blinds of 0.06 and 0.12 the room plays bets of 0.12 and 0.25.
    game_format = "tournament" if table_line.tournament else "cash"
    return GameSet(variant, betting, game_format, unit, exponent, blinds, written=written_game)  # type: ignore[arg-type]  # one of two


def _put_stakes_first(game_text: str) -> str:
    """Return Betfair's `PL $0.05/$0.10 Omaha` as the network writes it. A fixed limit has no stakes here."""
    limit, _, stakes_and_game = game_text.partition(" ")
    stakes, _, game = stakes_and_game.partition(" ")
    return f"{stakes} Blinds {limit} {game}" if limit in ("NL", "PL") else game_text


def _find_unit(table_line: PacificTableLine, stakes: str) -> str:
    """Return the unit of the amounts: the currency of the stakes, `chips` in a tournament, else `play`."""
    if table_line.tournament:
        return "chips"
    if table_line.is_play_money:
        return "play"
    return currencies.find_currency(stakes) or "play"


def _parse_blinds(stakes: str, exponent: int) -> tuple[Chips, ...]:
    """Read `$1/$2`, or `$2` alone. Without a big blind, as in hands with antes only, there is no small one either."""
    small_text, _, big_text = stakes.rpartition("/")
    big_blind = amounts.read(clean_amount(big_text), exponent)
    if not small_text:
        return (big_blind,)
    return (amounts.read(clean_amount(small_text), exponent), big_blind) if big_blind else ()


def parse_price(price: str) -> TournamentSet:
    """Read a tournament's price, such as `$0.90 + $0.09`. One without a price is free."""
    cleaned_price = "+".join(map(clean_amount, price.split("+"))) if any(map(str.isdigit, price)) else "0+0"
    return games.parse_costs(cleaned_price, price, currency=currencies.find_currency(price))


def clean_amount(text: str) -> str:
    """Return an amount without blanks, a currency sign at its end, or points that separate thousands.

    A point before three digits separates thousands, since no amount here has three decimals.

    >>> clean_amount("1.550 $"), clean_amount("3 023,50 $"), clean_amount("$1,234.50"), clean_amount("$ 3.243")
    ('1550', '3023,50', '$1,234.50', '$3243')
    """
    compact_text = "".join(text.replace(_MOJIBAKE, "").split())
    if compact_text[-1:] in currencies.SYMBOLS:
        compact_text = compact_text.rstrip(_CURRENCY_SIGNS)
    _, point, decimals = compact_text.rpartition(".")
    return compact_text.replace(".", "") if point and len(decimals) == 3 else compact_text
