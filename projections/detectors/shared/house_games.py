"""Which entry of a house's list a hand falls under: its game, its stakes and its players."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, Protocol

from ledger.hand.opening import GameSet
from ledger.hand.titles import format_game_title
from ledger.text.language import join_or, translatable
from ledger.vocabulary import Chips
from projections.findings.finding import NO_OCCASION, CannotTell, NoOccasion
from projections.timeline.hand_timeline import Timeline

STAKES_UNKNOWN: Final = translatable("the stakes of the game")


class GameEntry(Protocol):
    """An entry of a house's list that is about some games."""

    @property
    def game(self) -> str:
        """The variant; "" = any."""

    @property
    def betting(self) -> str:
        """The betting structure; "" = any."""

    @property
    def stakes(self) -> list[str]:
        """The stakes; [] = any."""


def find_cash_game(hand: Timeline) -> GameSet | CannotTell | NoOccasion:
    """Return the game of a cash hand; a house's list isn't about tournaments."""
    game = hand.game
    if game is None or not game.variant:
        return CannotTell("game")
    if game.format == "tournament":
        return NO_OCCASION
    return CannotTell("game-format") if game.format == "unknown" else game


def fits_entry(game: GameSet, entry: GameEntry) -> bool | None:
    """Whether an entry is about a game and its stakes; None = the record doesn't show the stakes."""
    if entry.game not in ("", game.variant) or entry.betting not in ("", game.betting):
        return False
    if not entry.stakes:
        return True
    stakes = _read_stakes(game)
    if not stakes:
        return None
    return any(stakes == tuple(map(Fraction, text.split("/"))) for text in entry.stakes)


def _read_stakes(game: GameSet) -> tuple[Fraction, ...]:
    """Return the stakes in the currency: the bets of a limit game, the blinds of any other; () = unknown."""
    amounts = game.bets if game.betting == "limit" else game.blinds
    return tuple(Fraction(chips, 10**game.exponent) for chips in amounts)


def to_chips(number: float, game: GameSet) -> Fraction:
    """Return an amount of a house's list in the table's smallest unit. It may be no whole number of them."""
    return Fraction(str(number)) * Fraction(10) ** game.exponent


def to_whole_chips(number: float, game: GameSet) -> Chips:
    """Return an amount of a house's list in whole units of the table, rounded down."""
    return int(to_chips(number, game))


def name_game(game: GameSet) -> str:
    """Return the game as a card room calls it: `No-Limit Hold'em`."""
    return format_game_title(f"{game.betting} {game.variant}")


def name_stakes(hand: Timeline, game: GameSet) -> str:
    """Return the stakes of a game: `$1/$2`; "" = unknown."""
    return "/".join(map(hand.format_chips, game.bets if game.betting == "limit" else game.blinds))


def name_entry(entry: GameEntry) -> str:
    """Return the game and the stakes of an entry as a card room calls them: `Limit Hold'em 2/4 or 4/8`."""
    title = " ".join(format_game_title(word) for word in (entry.betting, entry.game) if word)
    return f"{title} {join_or(entry.stakes)}".strip()
