"""What the network's two notations share: games, file names, the cap on bets."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar, Final, NamedTuple

from ledger.hand.opening import NotDealtIn, OptionSet
from ledger.readers import acts, games
from ledger.readers.cards import CARD_WORDS, map_unknown_cards
from ledger.readers.phrase_hand import PhraseHand
from ledger.vocabulary import Chips, Seat, Witness

VENUE: Final = "Winning Poker Network"
WITNESSES: Final = Witness.from_names(
    "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD AWARDS DROP RETURNED_BETS BLIND_AMOUNTS PRESENCE"
)
GAMES: Final = games.FLOP | games.STUD | {"short-deck", "omaha5", "omaha5-8", "omaha6", "omaha6-8"}
SITS_OUT: Final[NotDealtIn] = "sitting-out"
FILE_NAME_SIGNS: Final = {
    "{FULLSTOP}": ".",
    "{BACKSLASH}": "/",
    "{SLASH}": "/",
    "{COLON}": ":",
    "{ASTERISK}": "*",
    "{QUESTION}": "?",
    "{QUOTE}": '"',
    "{LESS}": "<",
    "{GREATER}": ">",
    "{PIPE}": "|",
    "\xa0": " ",
}
"""Words in file names → the signs that they replace."""
_MAX_DIGITS: Final = 24
_MAX_NAME_LENGTH: Final = 300


class WpnHand(PhraseHand):
    """A hand of either notation: no colon after a name."""

    CARDS: ClassVar = {**CARD_WORDS, **map_unknown_cards("-", "X", "XX", "x", "xx", "??")}
    NAME_ENDINGS = ("",)

    def begin(self) -> None:
        """Set up hole cards and the cap."""
        self.hole_card_indexes: dict[Seat, int] = {}  # the event with a seat's hole cards
        self.is_cap_told = False  # a player has reached the game's cap, which is then known

    @property
    def is_stud(self) -> bool:
        """Whether the game is a kind of stud."""
        return self.game.variant in games.STUD

    def read_capped_bet(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Bet, call or raise by an amount up to the game's cap, which no other line has."""
        if not self.is_cap_told:
            self.is_cap_told = True
            self.add_inferred(OptionSet("bet-cap", self.get_chips_put_in(seat) + amount), place=self.place)
        acts.wager_by(self, seat, amount, all_in)


class FileNameFacts(NamedTuple):
    """The facts in a file's name; "" and False if it doesn't have them."""

    tournament: str  # its number
    title: str  # the tournament's or the table's name
    is_tournament: bool
    play: bool


@lru_cache(maxsize=4096)
def parse_file_name(file_name: str) -> FileNameFacts:
    """Return the facts in a file's name, the only place with tournaments' names.

    >>> parse_file_name("HH20190721 SCHEDULEDID-G9T25 TN-Mini{FULLSTOP} GAMETYPE-Hold'em LIMIT-no CUR-REAL OND-F.txt")
    FileNameFacts(tournament='', title='Mini.', is_tournament=True, play=False)
    >>> parse_file_name("HH20160914 T9000042-G90000041.txt").tournament
    '9000042'
    """
    file_name = file_name[:_MAX_NAME_LENGTH]
    title_text = (file_name.partition(" TN-")[2] or file_name.partition("-TN-")[2]).partition(" GAMETYPE")[0]
    for file_sign, sign in FILE_NAME_SIGNS.items():
        title_text = title_text.replace(file_sign, sign)
    name_parts = [name_part.partition("-") for name_part in file_name.split(" T")[1:]]
    numbers = (
        digits[:20]
        for digits, _, text_after in name_parts
        if digits.isascii() and digits.isdigit() and text_after.startswith("G")
    )
    tournament_number = next(numbers, "")
    has_tournament_word = "SCHEDULEDID-" in file_name or "SITGOID-" in file_name
    return FileNameFacts(
        tournament_number, title_text.strip(), bool(tournament_number) or has_tournament_word, "CUR-PLAY" in file_name
    )


def split_note(moment_and_note: str) -> tuple[str, str]:
    """Split a moment from a tracker's note after it (`*** Summary: …, TournamentId: 12, …`).

    Returns the moment as the room wrote it, and the tournament's number, "" if none is noted.
    """
    moment_text, _, note = moment_and_note.partition(" *** ")
    number = note.partition("TournamentId: ")[2].partition(",")[0].strip()
    is_number = number.isascii() and number.isdigit() and len(number) <= _MAX_DIGITS
    return moment_text.strip(), number if is_number else ""


def find_variant(game_name: str) -> str:
    """Return the variant of a game's name: `Hold'em`, `Omaha HiLow`, `7Stud H/L`."""
    known_variant = games.find_variant(game_name.replace("`", "'"), GAMES)
    if known_variant is None:
        raise games.unknown_game(game_name)
    return known_variant
