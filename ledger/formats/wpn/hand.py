"""What the network's two notations share: games, the names of files, who takes part, what a summary infers."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar, Final, NamedTuple

from ledger.hand.opening import NotDealtIn, OptionSet
from ledger.readers import acts, games
from ledger.readers.cards import CARD_WORDS, unknown_card_words
from ledger.readers.room import PhraseHand
from ledger.vocabulary import Chips, Seat, Witness

VENUE: Final = "Winning Poker Network"
WITNESSES: Final = Witness.of(
    "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD AWARDS DROP RETURNED_BETS BLIND_AMOUNTS PRESENCE"
)
GAMES: Final = games.FLOP | games.STUD | {"short-deck", "omaha5", "omaha5-8", "omaha6", "omaha6-8"}
SITS_OUT: Final[NotDealtIn] = "sitting-out"
SIGNS: Final = {
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
"""What the name of a file has instead of a sign."""
_DIGITS: Final = 24
_LONGEST: Final = 300


class Hand(PhraseHand):
    """The hand being read, of either notation: no colon behind a name."""

    CARDS: ClassVar = {**CARD_WORDS, **unknown_card_words("-", "X", "XX", "x", "xx", "??")}
    NAME_ENDINGS = ("",)

    def begin(self) -> None:
        """Know of nobody's cards yet."""
        self.hole: dict[Seat, int] = {}  # where the cards that a seat holds stand among the events
        self.capped = False  # what the game's cap is was told by who reached it

    @property
    def stud(self) -> bool:
        """Whether cards come street by street."""
        return self.game.variant in games.STUD

    def caps(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Tell a bet, call or raise with so many chips more, up to the game's cap: no other line tells that."""
        if not self.capped:
            self.capped = True
            self.add_inferred(OptionSet("bet-cap", self.chips_put_in(seat) + amount), at=self.place)
        acts.wagers_by(self, seat, amount, all_in)


class Facts(NamedTuple):
    """What the name of a file tells; "" and False where it does not."""

    tournament: str  # its number
    title: str  # the tournament's or the table's name
    is_tournament: bool
    play: bool


@lru_cache(maxsize=4096)
def facts(name: str) -> Facts:
    """Return what the name of a file tells: the network writes tournaments' names nowhere else.

    >>> facts("HH20190721 SCHEDULEDID-G9T25 TN-Mini{FULLSTOP} GAMETYPE-Hold'em LIMIT-no CUR-REAL OND-F.txt")
    Facts(tournament='', title='Mini.', is_tournament=True, play=False)
    >>> facts("HH20160914 T9000042-G90000041.txt").tournament
    '9000042'
    """
    name = name[:_LONGEST]
    title = (name.partition(" TN-")[2] or name.partition("-TN-")[2]).partition(" GAMETYPE")[0]
    for written, sign in SIGNS.items():
        title = title.replace(written, sign)
    parts = [part.partition("-") for part in name.split(" T")[1:]]
    numbers = (one[:20] for one, _, rest in parts if one.isascii() and one.isdigit() and rest.startswith("G"))
    number = next(numbers, "")
    kind = "SCHEDULEDID-" in name or "SITGOID-" in name
    return Facts(number, title.strip(), bool(number) or kind, "CUR-PLAY" in name)


def without_note(written: str) -> tuple[str, str]:
    """Part a moment from what a tracker notes behind it (`*** Summary: …, TournamentId: 12, …`).

    Returns the moment as the room wrote it, and the tournament's number, "" if none is noted.
    """
    moment, _, note = written.partition(" *** ")
    number = note.partition("TournamentId: ")[2].partition(",")[0].strip()
    known = number.isascii() and number.isdigit() and len(number) <= _DIGITS
    return moment.strip(), number if known else ""


def variant(name: str) -> str:
    """Return the variant of a game by its name: `Hold'em`, `Omaha HiLow`, `7Stud H/L`."""
    found = games.variant(name.replace("`", "'"), GAMES)
    if found is None:
        raise games.unknown_game(name)
    return found
