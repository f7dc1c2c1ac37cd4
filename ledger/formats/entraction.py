"""Entraction's text (24hPoker, NoiQ and others, closed in 2012): columns of names, acts and amounts.

`docs/formats/entraction.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import HandCompleted
from ledger.hand.opening import AntePosted, BlindPosted, ButtonPlaced, GameSet, SeatDealtIn, TournamentSet
from ledger.readers import acts, games, timestamps
from ledger.readers.phrases import alike, require_number
from ledger.readers.reading import Grammar, Page, text_format
from ledger.readers.room import Room
from ledger.readers.signatures import headed, others
from ledger.vocabulary import Cards, Chips, Millis, Seat, Witness

HEAD: Final = "Game # "
WITNESSES: Final = Witness.of("BUTTON POSTS ANTES STACKS_BEFORE ACTS BOARD AWARDS DROP RETURNED_BETS BLIND_AMOUNTS")
"""Not what of a post is live, no order of the showdown, no pots, nobody's coming and going."""
GAMES: Final = games.FLOP | {"omaha5", "omaha5-8"}
_BEFORE_ACTS: Final = (BlindPosted, AntePosted, ButtonPlaced, SeatDealtIn, HoleCardsDealt)


class Hand(Room):
    """The hand being read: a name, blanks, a word, an amount in brackets."""

    BEHIND = ("",)
    SEAT_ROWS = ("{name}({amount} in seat {seat})",)

    def begin(self) -> None:
        """Know nothing of table and end yet."""
        self.chairs = 0
        self.ended = ""  # when, as written

    def clean(self, text: str) -> str:
        """Return `(1,209.76)`, `EUR 98.00` as an amount."""
        bare = text.strip("() ")
        return bare[3:].lstrip() if bare[3:4] == " " and bare[:3].isupper() else bare

    def cards(self, text: str) -> Cards | None:
        """Return `2h - 2s - Ah` as cards; None where one of them is no card."""
        return super().cards(text.replace("-", " "))

    def sits_down(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Take `Ada       (€ 5.00 in seat 3)`."""
        self.take(seat, row["name"].rstrip(), self.amount(row["amount"].rpartition(" ")[2]))

    def has_chairs(self, count: int) -> None:
        """Take `Players(max 10):`."""
        self.chairs = count

    def out_of_turn(self, name: Seat, amount: Chips) -> None:
        """Tell a blind posted out of turn: the big blind in it is live, what is more or less than that is dead."""
        if self.blind and amount > self.blind:
            self.post_both(name, amount)
        elif amount < self.blind:
            self.post(name, "makeup-small", 0, amount)
        else:
            self.post(name, "entry", amount)

    def deals(self, who: str, cards: Cards) -> bool:
        """Tell `hero was dealt:`, where one seat alone is called so but for the size of its letters."""
        alike = [seat for name, seat in self.seats.items() if name.lower() == who.strip().lower()]
        if len(alike) == 1:
            self.own_cards(alike[0], cards)
        return len(alike) == 1

    def ended_at(self, when: str) -> None:
        """Tell `Game ended 2011-08-06 18:53:35 CEST`."""
        self.ended = when
        moment = moment_of(when)
        if moment is not None:
            self.times[len(self.events)] = moment
        self.put(HandCompleted())

    def finish(self) -> None:
        """Infer that the cards were dealt, which no line says: behind the posts."""
        last = max((k for k, event in enumerate(self.events) if isinstance(event, _BEFORE_ACTS)), default=0)
        if last:
            self.insert(last + 1, DealCompleted())
        if self.paid:
            self.silent()

    BESIDES = (("Players(max {count}){_}", has_chairs), ("Players(max {_}", Room.ignored))
    DEEDS = (
        *acts.usual("Fold", "Check", "Call{amount}", "Bet{amount}"),
        ("Raise{amount}", acts.raises_by),
        ("All-In{amount}", acts.puts_all_in),
        ("Ante{amount}", acts.antes),
        ("Payback{amount}", acts.refunded),
    )
    SAYINGS = (
        *alike(Room.declines, "didn't show hand", "didn't show hand ({cards})"),
        *alike(Room.shows, "shows:{cards}({claim})", "shows:{cards}"),
        *alike(Room.wins, "wins:{amount}({_}", "wins:{amount}"),
    )
    LINES = (
        ("Small Blind:{name}({amount})", lambda hand, name, amount: acts.small_blind(hand, name, amount, None)),
        ("Big Blind:{name}({amount})", lambda hand, name, amount: acts.big_blind(hand, name, amount, None)),
        ("Small + Big Blind:{name}({amount})", lambda hand, name, amount: hand.post_both(name, amount)),
        ("Blind out of turn:{name}({amount})", out_of_turn),
        ("Dealer:{name}", Room.button),
        ("Rake:{amount}", Room.rake),
        ("{name} was dealt:{cards}", Room.own_cards),
        ("{who} was dealt:{cards}", deals),
        ("Game ended {when}", ended_at),
        ("{street} {cards}", Room.last_card),
    )


class Head(NamedTuple):
    """The first line taken apart."""

    number: str
    table: str
    tournament: str
    costs: TournamentSet | None
    game: GameSet


begins: Final = headed(HEAD, lambda line: line[7:8].isdigit() and ' - Table "' in line)


def head(line: str, exponent: int | None) -> Head:
    """Read `Game # 5 - Texas Hold'em No Limit 200/400 and 20 ante - Table "Cup #1 90000014 2"`."""
    left, _, table = line[len(HEAD) :].partition(' - Table "')
    number, dash, written = left.partition(" - ")
    require_number(number, whole=dash, most=20)
    table = table.removesuffix('"')
    name, _, last = table.rpartition(" ")
    name, _, tournament = name.rpartition(" ")
    in_tournament = all(part.isascii() and part.isdigit() for part in (last, tournament))
    game = setup(written, exponent, may_be_tournament=in_tournament)
    if game.format != "tournament":
        return Head(number, table, "", None, game)
    return Head(number, last, tournament, TournamentSet(written=name), game)


@lru_cache(maxsize=4096)
def setup(written: str, exponent: int | None, *, may_be_tournament: bool) -> GameSet:
    """Read `Omaha High Pot Limit EUR 0.50/1`, `Texas Hold'em No Limit 200/400 and 20 ante`."""
    words, _, ante = written.partition(" and ")
    parts = words.split()
    stakes = parts[-1].split("/") if parts else []
    currency = parts[-2] if len(parts) > 2 and parts[-2].isupper() and len(parts[-2]) == 3 else ""
    title = " ".join(parts[: -2 if currency else -1])
    variant, betting = games.known(title if len(stakes) == 2 else "", GAMES, written)
    tournament = not currency and may_be_tournament
    return games.game_set(
        variant,
        betting,
        stakes,
        unit=currency or ("chips" if tournament else "play"),
        exponent=exponent,
        tournament=tournament,
        ante=ante.removesuffix(" ante"),
    )


def moment_of(written: str) -> Millis | None:
    """Return the moment of `2011-08-06 18:53:35 CEST`; None where the zone is not known.

    >>> moment_of("2012-05-31 02:03:38 GMT+01:00")
    1338426218000
    """
    day, _, rest = written.partition(" ")
    clock, _, zone = rest.partition(" ")
    return timestamps.european(f"{day.replace('-', '/')} {clock}", zone.strip())


def tell(page: Page) -> Hand:
    """Read one hand."""
    first = head(page.title, page.exponent)
    hand = Hand(page.lines, page.people, "Entraction", first.game, page.first)
    hand.play(page.first + 1, page.after, first.costs)
    hand.opened(
        first.table,
        first.number,
        WITNESSES,
        moment_of(hand.ended),
        hand.ended and f"Game ended {hand.ended}",
        hand.chairs,
        first.tournament,
    )
    return hand


_GRAMMAR: Final = Grammar(begins, others(HEAD), tell, initials="G\ufeff \t")
FORMAT: Final = text_format("entraction", "Entraction text", _GRAMMAR, (HEAD,))
