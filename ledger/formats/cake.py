"""Cake's text (Cake Poker, Doyle's Room and others; later Lock Poker, closed): no rake, amounts with blanks and commas.

`docs/formats/cake.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import ClassVar, Final, NamedTuple

from msgspec.structs import replace

from ledger.errors import UnreadableHandError
from ledger.hand.dealing import DealCompleted, HoleCardsLearned
from ledger.hand.ending import CardsMucked, PotAwarded, ResultDeclared, ShowdownBegun
from ledger.hand.opening import GameSet, TournamentSet
from ledger.readers import acts, amounts, games, settling
from ledger.readers.phrases import alike, number, require_number
from ledger.readers.reading import Grammar, Page, text_format
from ledger.readers.room import Room
from ledger.readers.signatures import headed, others
from ledger.readers.telling import Pot, chips
from ledger.vocabulary import Cards, Chips, Seat, Witness

HEAD: Final = "Hand#"
WITNESSES: Final = Witness.of("BUTTON POSTS ANTES STACKS_BEFORE ACTS BOARD AWARDS RETURNED_BETS BLIND_AMOUNTS")
"""No rake, no pots, not what of a post is live, nobody's coming and going."""
_MARKS: Final = "\ufeff\xef\xbb\xbf \t\r"  # a byte order mark, also one that was read as cp1252


class Hand(Room):
    """The hand being read: `Name: act $1,50`."""

    BEHIND = (":", "")
    SEAT_ROWS = ("Seat {seat}: {name} ({amount} in chips){mark}",)
    POTS: ClassVar[Mapping[str, Pot]] = {"high": (None, "high"), "low": (None, "low")}

    def begin(self) -> None:
        """Know nothing of the showdown yet."""
        self.let_go: set[Seat] = set()  # who mucked
        self.showdowns: list[int] = []  # the events with which they begin, one for each pot

    def clean(self, text: str) -> str:
        """Return `$0.25 (EUR €0.20)`, `2 477` as an amount."""
        return text.partition(" (")[0].replace(" ", "").replace("\xa0", "")

    def sits_down(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Take a seat; `DEALER` behind it says who has the button."""
        super().sits_down(seat, row)
        if row["mark"].strip().endswith("DEALER"):
            self.dealer = seat, self.at

    def listen(self) -> None:
        """Learn how lines begin: that a hand was mucked is told of a name with an underscore for each blank."""
        super().listen()
        for name in self.names():
            spoken = name.replace(" ", "_")
            if " " in name and spoken not in self.seats:
                self.by_word[spoken + ":"] = [(spoken + ":", self.seats[name])]

    def deals(self, name: Seat, cards: Cards) -> None:
        """Deal the owner's cards, and with them everybody's."""
        self.own_cards(name, cards)
        self.put(DealCompleted())

    def showdown(self) -> None:
        """Begin a showdown: there is one for each pot."""
        self.close_bets()
        self.showdowns.append(len(self.events))
        if len(self.showdowns) == 1 and len(self.stacks) - len(self.folded) > 1:
            self.put(ShowdownBegun())

    def shows_hand(self, seat: Seat, cards: Cards, claim: str) -> None:
        """Show a hand, also after the pot was paid."""
        self.shows(seat, cards, claim, after=bool(self.paid))

    def mucks_hand(self, seat: Seat, cards: Cards = "") -> None:
        """Muck a hand; behind the award it is told again, with the cards."""
        self.close_bets()
        if seat in self.let_go:
            self.put(HoleCardsLearned(seat, cards))
        else:
            self.let_go.add(seat)
            self.put(CardsMucked(seat, cards))

    def posts_both(self, name: Seat, dead_part: str, amount: Chips) -> None:
        """Read `posts dead blind $-0,10 and big blind $0,10`: less than nothing is no dead blind."""
        if "-" not in dead_part:
            acts.missed_small(self, name, self.amount(dead_part), None)
        acts.missed_big(self, name, amount, None)

    def told_anew(self, name: Seat, seat: Seat, amount: Chips) -> bool:
        """Read a row of the list of seats that is told anew behind a hand; again and again, until the next one begins."""
        result = ResultDeclared("end-stack", seat, amount)
        known = bool(self.paid) and name == seat
        if known and not any(isinstance(one, ResultDeclared) and one.seat == seat for one in self.events):
            self.put(result)
        return known and result in self.events

    def behind(self) -> bool:
        """Keep what is told of the table behind a hand."""
        if self.paid:
            self.remark()
        return bool(self.paid)

    def finish(self) -> None:
        """Do what only the whole hand can tell; it is over when its pot is paid."""
        if self.paid:
            self.close_bets()
            self.side_pots_last_first()
            settling.all_is_paid(self)

    def side_pots_last_first(self) -> None:
        """Give awards that come showdown by showdown the numbers of their pots, the main pot last."""
        ends = pairwise((*self.showdowns, len(self.events)))
        groups = [[at for at in range(*one) if isinstance(self.events[at], PotAwarded)] for one in ends]
        paid = [group for group in groups if group]
        for pot, places in enumerate(reversed(paid if len(paid) > 1 else [])):
            for at in places:
                self.events[at] = replace(self.events[at], pot=pot)

    BESIDES = (("Dealer: Seat {seat}", Room.has_button),)
    DEEDS = (
        *acts.PLAIN,
        ("raises to {amount}", acts.raises_to),
        ("is all in {amount}", acts.puts_all_in),
        ("posts small blind {amount}", acts.small_blind),
        ("posts big blind {amount}", acts.big_blind),
        *alike(acts.dead_blind, "posts dead blind {amount}", "posts dead {amount}"),
        *alike(acts.antes, "posts ante of {amount}", "posts ante {amount}"),
        ("returns uncalled bet {amount}", acts.refunded),
    )
    SAYINGS = (
        ("shows {_}[{cards}]{claim}", shows_hand),
        *alike(mucks_hand, "mucks", "mucks {_}[{cards}]{_}"),
        *alike(Room.wins, "wins {pot} pot {amount} with{_}", "wins {pot} pot {amount}", "wins {amount} with{_}"),
        ("wins {amount}", Room.wins),
        ("finished {rank} out of {_}", Room.finishes),
        ("rebuys {amount} chips{_}", chips("rebuy")),
        ("chats: {words}", Room.speaks),
    )
    LINES = (
        ("*** {street} ***{_}[{cards}]{_}", Room.new_cards),
        ("Dealt to {name} [{cards}]{_}", deals),
        ("***SHOW DOWN***{_}", showdown),
        ("{name}:posts dead blind {dead_part} and big blind {amount}", posts_both),
        *alike(Room.remark, "Player left the table{_}", "Tournament: {_} bounty. {_}"),
        ("There is no low hand", Room.ignored),
        ("Seat {seat}: {name} ({amount} in chips)", told_anew),
        *alike(behind, "Seat {_}: {_} in chips)", "Dealer: Seat {_}"),
    )


class Head(NamedTuple):
    """The first line taken apart."""

    number: str
    table: str
    tournament: str
    costs: TournamentSet | None
    stakes: str  # `$3/$6 FL Hold'em`
    written: str
    chairs: int


begins: Final = headed(HEAD, lambda line: line[5:6].isdigit() and " -- " in line, marks=_MARKS)


def head(line: str) -> Head:
    """Read `Hand#29A1 - Cup T109 -- CASH -- $15 + $1.5 -- 10 Max -- Table 5 -- 0/75/150 NL Hold'em -- 2012/04/12 - 22:32:06`."""
    parts = line.strip(_MARKS)[len(HEAD) :].split(" -- ")
    number, dash, name = parts[0].partition(" - ")
    require_number(number, whole=dash, letters=True, most=40)
    if len(parts) < 3:
        raise UnreadableHandError("the hand's first line breaks off", kind="header")
    name, found, tournament = name.rpartition(" T")
    if len(parts) == 3 or not found or not tournament.isascii() or not tournament.isdigit():
        name, found, tournament = name + found + tournament, "", ""
    table, chairs, price = name, _chairs(name), ""
    for part in parts[1:-2]:
        if part.startswith("Table "):
            table = part[6:]
        elif part.endswith((" Max", " max")):
            chairs = _chairs(part)
        elif " + " in part:
            price = part
    costs = games.costs(price, name) if found else None
    return Head(number, table, tournament, costs, parts[-2], parts[-1], chairs)


def _chairs(text: str) -> int:
    """Return the chairs of `10 Max`, `Melbourne (Turbo, 6-max) 11667`; 0 where none are told."""
    return number(text.lower().rpartition("max")[0].rstrip(" -")[-2:].strip("( ,"))


def setup(head: Head, seat: str, exponent: int | None) -> GameSet:
    """Return the game; `seat` is the list's first line, whose stack tells what is played for."""
    words = head.stakes.split()
    at = next((k for k, word in enumerate(words) if word in ("NL", "PL", "FL")), 0)
    variant = games.variant(" ".join(words[at + 1 :]), games.FLOP)
    if not at or variant is None:
        raise games.unknown_game(head.stakes)
    betting, written = games.LIMITS[words[at].lower()], "".join(words[:at])
    unit = amounts.currency(seat.partition(" in chips)")[0].rpartition(" (")[2])
    # Without a sign in the stacks, or with another one: a table in euros whose stacks are dollars.
    other = bool(amounts.currency(written)) and not (unit and amounts.SIGNS[unit] in written)
    tournament = bool(head.tournament)
    if exponent is None:
        exponent = 0 if tournament else 2
    stakes = [amounts.read(one, exponent) for one in written.split("/") if not one.startswith("-")]
    if not any(stakes):  # `-1/-1/0`: the first hand at a table does not know its level
        stakes = []
    limit = betting == "limit" and not tournament
    ante = stakes.pop(0) if len(stakes) > 2 else 0
    return GameSet(
        variant=variant,
        betting=betting,
        format="tournament" if tournament else "cash",
        unit="chips" if tournament else unit or "play",
        exponent=exponent,
        blinds=() if limit or other else tuple(stakes),
        ante=0 if other else ante,
        bets=tuple(stakes) if limit and not other else (),
        written=head.stakes if other else "",
    )


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    first = head(text[page.first])
    seat = next((line for line in text[page.first : page.after] if line.startswith("Seat ")), "")
    game = setup(first, seat, page.exponent)
    hand = Hand(page.lines, page.people, "Cake", game, page.first)
    hand.play(page.first + 1, page.after, first.costs)
    hand.opened(first.table, first.number, WITNESSES, None, first.written, first.chairs, first.tournament)
    return hand


_GRAMMAR: Final = Grammar(begins, others(HEAD), tell, initials="H\ufeff\xef \t")
FORMAT: Final = text_format("cake", "Cake text", _GRAMMAR, (HEAD,))
