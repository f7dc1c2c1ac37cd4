"""Enet's text: the rake of each street, cards without blanks, the limit in the table's name.

`docs/formats/enet.md` says what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.event import Event
from ledger.hand.ending import RemarkNoted, ResultDeclared
from ledger.readers import acts, games
from ledger.readers.heads import Found, Head
from ledger.readers.phrases import alike
from ledger.readers.reading import Page
from ledger.readers.room import Room
from ledger.readers.signatures import numbered
from ledger.readers.telling import puts
from ledger.readers.text_room import TextRoom, room_format
from ledger.vocabulary import Cards, Chips, Seat, Witness

FIRST: Final = "Game #"
_GAMES: Final = ("Hold'em ", "Holdem ", "Omaha ", "Texas ", "Tournament #")


class Hand(TextRoom):
    """The hand being read: `Name: act €1,50`."""

    VENUE = "Enet"
    HEAD = Head(
        "Game #{number}: {game} ({stakes}) - {written} - {_}",
        "Game #{number}: {game} ({stakes}) - {written}",
        then=("Table '{table}' {chairs}-max Seat #{button} is the button", "Table '{table}' {_}"),
        most=20,
    )
    WITNESSES = Witness.of("BUTTON STACKS_BEFORE ACTS BOARD AWARDS DROP BLIND_AMOUNTS")
    """Not every post: some chips are in the pot of which no line tells. No returned bets for sure."""
    BEHIND = (":", "")
    QUIET_SUMMARY = True
    ALL_IN = (" and is all-in", " and is all in", ", and is all-in")
    LABELS = (*Room.LABELS, "(dealer)")

    @classmethod
    def setup(cls, found: Found, page: Page) -> Iterator[Event]:
        """Read the limit from the table's name; where none is told, it is the pot in Omaha, and none in hold'em."""
        name, _, limit = found["table"].rpartition(" - ")
        if limit.strip(" )").lower() in games.LIMITS:
            found["table"], found["limit"] = name, limit.strip(" )")
        else:
            found["limit"] = "no limit" if games.variant(found["game"], cls.GAMES) == "holdem" else "pot limit"
        yield cls.game_of(found, page.exponent)

    def witnesses(self) -> int:
        """Return what the text of this hand records: `Seat #0 is the button` is nobody's."""
        return self.WITNESSES if self.dealer else self.WITNESSES & ~int(Witness.BUTTON)

    def begin(self) -> None:
        """Know nothing of the showdown yet."""
        self.collected: dict[Seat, tuple[Chips, int]] = {}

    def clean(self, text: str) -> str:
        """Return `(€10,57)` as an amount."""
        return text.strip("() ").removesuffix(" in chips")

    def cards(self, text: str) -> Cards | None:
        """Return `9c2cQd` as cards; None where one of them is no card."""
        bare = text.strip(" []").replace("10", "T").replace(" ", "")
        if len(bare) > 20:
            return None
        return super().cards(" ".join(bare[at : at + 2] for at in range(0, len(bare), 2)))

    def won(self, result: tuple[Seat, str]) -> None:
        """Read `Ada (small blind) showed [9dJd2dTd] and won (€10,57) with Straight`."""
        seat, rest = result
        found = self.cards(rest[8:].partition("]")[0]) if rest.startswith("showed [") else None
        if found is not None:
            self.shows_once(seat, found, after=True)
        for words in ("and won (", "collected ("):
            amount = rest.partition(words)[2]
            if amount:
                self.pay(seat, self.amount(amount.partition(")")[0]))
                break

    def pay(self, seat: Seat, amount: Chips) -> None:
        """Pay what the summary says; the line before it may tell a bet that came back instead."""
        told = self.collected.pop(seat, None)
        self.award(seat, amount)
        if told is not None and told[0] != amount:
            at, self.at = self.at, told[1]
            self.put(RemarkNoted(self.people.text(self.lines.text[told[1]].strip())))
            self.at = at

    def collects(self, seat: Seat, amount: Chips) -> None:
        """Keep what was collected: where they differ the summary's amount is the right one."""
        self.collected[seat] = self.collected.get(seat, (0, 0))[0] + amount, self.at

    def checks(self, seat: Seat) -> None:
        """Check; who had nothing in before the flop has posted a big blind of which no line tells."""
        if self.street == "preflop" and self.bet_of(seat) < self.betting.bet_to_call and not self.put_by(seat):
            self.silent_posts.append((seat, len(self.events)))
            self.inferred.append(len(self.events))
            self.post(seat, "makeup-big", self.betting.bet_to_call)
        self.check(seat)

    def dead_small(self, seat: Seat) -> bool:
        """Take a small blind without an amount as the structure's, and dead."""
        small = self.game.blinds[0] if self.game.blinds else 0
        if small:
            self.inferred.append(len(self.events))
            self.post(seat, "makeup-small", 0, small)
        return bool(small)

    def finish(self) -> None:
        """Do what only the whole hand can tell."""
        for seat, (amount, at) in self.collected.items():  # of which no summary tells
            self.at = at
            self.award(seat, amount)
        self.settles()
        self.completes()

    DEEDS = (
        ("folds", acts.folds),
        ("calls {amount}", acts.calls),
        ("bets {amount}", acts.bets),
        ("raises {amount}", acts.raises_by),
        ("goes all-in {amount}", acts.puts_all_in),
        ("posts small blind {amount}", acts.small_blind),
        ("posts big blind {amount}", acts.big_blind),
        ("posts small & big blinds {amount}", acts.both_blinds),
        ("posts the ante {amount}", acts.antes),
    )
    SAYINGS = (
        ("checks", checks),
        ("posts small blind", dead_small),
        ("posts big blind", Room.remark),
        ("shows [{cards}]{claim}", Room.shows_once),
        *alike(Room.mucks_once, "mucked", "mucks", "mucks hand", "doesn't show hand"),
        ("collected ({amount}) from {_}pot{_}", collects),
    )
    LINES = (
        *alike(Room.deal_done, "*** HOLECARDS ***{_}", "*** HOLE CARDS ***{_}"),
        *alike(Room.showdown, "*** SHOWDOWN ***{_}", "*** SHOW DOWN ***{_}"),
        ("*** SUMMARY ***{_}", Room.sums_up),
        ("*** {street} ***{cards}", Room.street_board),
        ("Rake: €-{_}", Room.remark),
        ("Rake: {amount}", Room.rake),
        ("Dealt to {name} [{cards}]", Room.own_cards),
        ("Uncalled bet ({amount}) returned to {name}", Room.uncalled),
        ("Board [{cards}]", Room.whole_board),
        ("Board []", Room.ignored),
        ("Total pot {_} | Rake {amount}", puts(lambda amount: ResultDeclared("rake", None, amount))),
        ("Total pot {_}", Room.ignored),
    )
    SUMMARY = (("Seat {result}", won),)


FORMAT: Final = room_format(Hand, "enet", "Enet text", FIRST, then=numbered(": ", *_GAMES), own=())
