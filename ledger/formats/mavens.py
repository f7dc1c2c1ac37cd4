"""Poker Mavens' text: Seals with Clubs and the private rooms that run this software.

`docs/formats/mavens.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from ledger.hand.ending import HandCompleted, ShowdownBegun
from ledger.hand.opening import GameSet, NotDealtIn, TournamentSet
from ledger.readers import acts, amounts, games
from ledger.readers.hand import SEATS, broken_off
from ledger.readers.phrases import alike
from ledger.readers.reading import Grammar, Page, text_format
from ledger.readers.room import Room
from ledger.readers.signatures import headed, others
from ledger.readers.telling import Pot
from ledger.vocabulary import Cards, Chips, Seat, Witness

HEAD: Final = "Hand #"
WITNESSES: Final = Witness.of(
    "BUTTON POSTS ANTES STACKS_BEFORE ACTS BOARD AWARDS POTS DROP RETURNED_BETS BLIND_AMOUNTS CHIP_PURCHASES"
)
"""Not what of a post is live, no order of the showdown, not who came or went during the hand."""
GAMES: Final = games.FLOP | {"omaha5", "omaha5-8", "omaha6", "omaha6-8"}
AWAY: Final[dict[str, NotDealtIn]] = {
    "sitting out": "sitting-out",
    "waiting for big blind": "waiting-for-big-blind",
    "away": "away",
}
_SIDES: Final = ("", *(f" {number}" for number in range(1, SEATS)))


class Hand(Room):
    """The hand being read: `Name act 5 (All-in)`, no colon."""

    clean = Room.stripped
    BEHIND = ("",)
    ALL_IN = (" (All-in)", " (all-in)", " (All-In)")
    SEAT_ROWS = ("Seat {seat}: {name} ({amount}) - {why}", "Seat {seat}: {name} ({amount})")
    POTS: ClassVar[Mapping[str, Pot]] = {
        "Pot": (None, ""),
        "Pot Hi": (None, "high"),
        "Pot Lo": (None, "low"),
        "Hi Pot": (None, "high"),
        "High Pot": (None, "high"),
        "Lo Pot": (None, "low"),
        "Low Pot": (None, "low"),
        "Main Pot": (0, ""),
        "Main Hi Pot": (0, "high"),
        "Main Pot Hi": (0, "high"),
        "Main Lo Pot": (0, "low"),
        "Main Pot Lo": (0, "low"),
        **{f"Side Pot{number}": (int(number or 1), "") for number in _SIDES},
        **{f"Side Pot{number} Hi": (int(number or 1), "high") for number in _SIDES},
        **{f"Side Pot{number} Lo": (int(number or 1), "low") for number in _SIDES},
    }

    def sits_down(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Take `Seat 1: Ada (13.50) - waiting for big blind`."""
        super().sits_down(seat, row)
        if "why" in row:
            self.away[seat] = AWAY.get(row["why"], "unknown")

    def showdown_of(self, pot: Pot, cards: Cards = "") -> None:
        """Read `** Side Pot 1 Show Down ** [..]`: the board is told with the first one."""
        del pot
        self.close_bets()
        if not any(isinstance(event, ShowdownBegun) for event in self.events):
            self.put(ShowdownBegun())
            if cards:
                self.whole_board(cards)

    def shows_hand(self, seat: Seat, cards: Cards, claim: str) -> None:
        """Show a hand, also where nobody is left to show against."""
        self.shows(seat, cards, claim, after=len(self.stacks) - len(self.folded) < 2)

    def finish(self) -> None:
        """Do what only the whole hand can tell; it is over when its pot is paid."""
        if self.paid:
            self.leave_out_idle(self.away)
            self.settles()
            self.infer(HandCompleted())

    DEEDS = (
        *acts.PLAIN,
        ("raises to {amount}", acts.raises_to),
        ("posts small blind {amount}", acts.small_blind),
        ("posts big blind {amount}", acts.big_blind),
        *alike(acts.both_blinds, "posts small & big blind {amount}", "posts small and big blind {amount}"),
        *alike(acts.both_blinds, "posts small & big blinds {amount}", "posts both blinds {amount}"),
        *alike(acts.dead_blind, "posts dead small blind {amount}", "posts dead blind {amount}"),
        ("posts straddle {amount}", acts.straddles),
        ("posts ante {amount}", acts.antes),
        ("straddles {amount}", acts.straddles),
        ("refunded {amount}", acts.refunded),
    )
    SAYINGS = (
        ("shows {_}[{cards}]{claim}", shows_hand),
        *alike(Room.mucks, "mucks", "mucks hand"),
        *alike(Room.wins, "wins {pot} ({amount}){_}", "splits {pot} ({amount}){_}"),
        *alike(Room.tops_up, "adds {amount} chips", "adds {amount} chip"),
        ("has timed out", Room.times_out),
    )
    LINES = (
        ("** Hole Cards **{_}", Room.deal_done),
        ("** {street} ** [{cards}]", Room.new_cards),
        *alike(showdown_of, "** {pot} Show Down ** [{cards}]", "** {pot} Show Down **{_}"),
        ("Rake ({amount})", Room.rake),
        ("Dealt to {name} [{cards}]", Room.own_cards),
        ("{name} has the dealer button", Room.button),
    )


def _numbered(line: str) -> bool:
    """Tell whether number and day stand behind the head: `Hand #9000016-110 - 2013-02-01 20:15:00`."""
    number, found, moment = line[len(HEAD) : 80].partition(" - ")
    return bool(found) and _is_number(number) and moment[4:5] == "-" == moment[7:8] and moment[:4].isdigit()


begins: Final = headed(HEAD, _numbered)


def _is_number(number: str) -> bool:
    return number.isascii() and number.replace("-", "").isdigit() and len(number) <= 40


def setup(text: str, exponent: int | None) -> tuple[GameSet, TournamentSet | None]:
    """Read `NL Hold'em (40 - 200) - Blinds 1/2`; a `(1000 + 100)` is a tournament's price."""
    left, found, behind = text.partition(" (")
    inner, closed, stakes = behind.partition(")")
    if not found or not closed:
        left, _, stakes = text.partition(" - ")
        inner = ""
    variant, betting = games.known(left, GAMES, text)
    tournament = "+" in inner
    if exponent is None:
        exponent = 0 if tournament else 2
    told = _stakes(stakes, exponent)
    bets = stakes.strip(" -").startswith("Stakes")
    game = GameSet(
        variant=variant,
        betting=betting,
        format="tournament" if tournament else "cash",
        unit="chips",
        exponent=exponent,
        blinds=() if bets else told.get("Blinds", ()),
        ante=told.get("Ante", (0,))[0],
        bets=told.get("Stakes", ()) if bets else (),
    )
    return game, games.costs(inner, text) if tournament else None


def _stakes(text: str, exponent: int) -> dict[str, tuple[Chips, ...]]:
    """Read `Blinds 50/100 - Ante 10`: each word with its amounts."""
    words = text.replace(" - ", " ").strip(" -").split()
    return {
        label.rstrip(":"): tuple(amounts.read(one, exponent) for one in value.split("/"))
        for label, value in zip(words[::2], words[1::2], strict=False)
    }


def labelled(text: list[str], first: int, after: int) -> dict[str, int]:
    """Return where `Game: `, `Site: ` and `Table: ` stand."""
    found: dict[str, int] = {}
    for at in range(first + 1, min(after, first + 8)):
        label = text[at].lstrip().partition(": ")[0]
        if label in ("Game", "Site", "Table"):
            found.setdefault(label, at)
    if "Game" not in found:
        raise broken_off("its game")
    return found


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    number, _, written = page.title[len(HEAD) :].partition(" - ")
    where = labelled(text, page.first, page.after)
    told = {label: text[at].partition(": ")[2].strip() for label, at in where.items()}
    game, costs = setup(told["Game"], page.exponent)
    venue = told.get("Site") or "Poker Mavens"
    hand = Hand(page.lines, page.people, venue, game, page.first)
    hand.at = where["Game"]
    table, tournament = told.get("Table", ""), ""
    if costs is not None:
        tournament, _, table = table.rpartition(" - Table ")
    hand.play(max(where.values()) + 1, page.after, costs)
    hand.opened(table, number, WITNESSES, None, written, 0, tournament)
    return hand


_GRAMMAR: Final = Grammar(begins, others(HEAD), tell, initials="H\ufeff \t")
FORMAT: Final = text_format("mavens", "Poker Mavens text (Seals with Clubs and private rooms)", _GRAMMAR, (HEAD,))
