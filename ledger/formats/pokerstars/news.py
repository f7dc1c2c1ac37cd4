"""Lines of other kinds than acts: who comes, goes and speaks, and what a tournament brings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, Literal, TypeAlias

from ledger.event import Event
from ledger.formats.pokerstars.summary import SummarizedHand
from ledger.hand.betting import CashOutTaken, ClockExpired
from ledger.hand.ending import BountyWon, PlayerFinished, RemarkNoted
from ledger.presence import (
    ChipsAdded,
    ChipsKind,
    ConnectionLost,
    ConnectionRestored,
    EntryDeferred,
    PlayerAway,
    PlayerBack,
    SeatLeft,
    SeatTaken,
    WordsSaid,
)
from ledger.readers.hand import SEATS
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import rows_told_by
from ledger.readers.text_hand import event_teller
from ledger.vocabulary import Cards, Chips, PlayerId, Seat

MakeEvent: TypeAlias = Callable[[Seat | None, PlayerId], Event]
"""Makes an event about somebody: the seat, None for one without a seat, and who it is."""


def tell_of_anybody(make_event: MakeEvent) -> Callable[..., bool]:
    """Return how a line is told that is one event about somebody who may have no seat in this hand."""

    def tell(hand: PhraseHand, who: str) -> bool:
        seat = hand.seats.get(who)
        if seat is None and who in hand.shared_names:
            return False
        hand.add_event(make_event(seat, hand.player_id(who)))
        return True

    return tell


def tell_departure(reason: Literal["left", "removed", "missed-post"]) -> Callable[..., bool]:
    """Return how a line is told after which somebody is no longer there."""
    return tell_of_anybody(lambda seat, player: SeatLeft(seat, player, reason))


def _cash_out_taken(seat: Seat, amount: Chips, dead: Chips = 0) -> Event:
    return CashOutTaken(seat, amount, dead)


def player_sits_out(seat: Seat | None, player: PlayerId) -> Event:
    """Return the event of `Ada: sits out`."""
    return PlayerAway(seat, player, why="sits-out")


def player_away(seat: Seat | None, player: PlayerId) -> Event:
    """Return the event of `Ada: is sitting out`."""
    return PlayerAway(seat, player, why="away")


class News(SummarizedHand):
    """A hand with what is told beside its acts."""

    __slots__ = ()

    OWN_BOUNTY: ClassVar[str] = " and their own bounty"
    """What stands before the words on the winner's own bounty."""

    def says(self, speaker: str, words: str) -> None:
        """Read `Ada said, "hi"`."""
        seat = self.seats.get(speaker)
        player = self.player_id(speaker.removesuffix(" [observer]"))
        self.add_event(WordsSaid(self.people.text(words), seat, player))

    def runs_out(self, who: str, *, connected: bool = True) -> bool:
        """Read `Ada has timed out`."""
        seat = self.seats.get(who)
        if seat is not None:
            self.add_event(ClockExpired(seat, connected))
        elif who not in self.shared_names:  # somebody who is not in this hand
            self.add_remark()
        return seat is not None or who not in self.shared_names

    def shows_for(self, name: Seat, cards: Cards, claim: str = "") -> None:
        """Read `Ada shows [4s 4d] for Three of Kind [Qc 8s 4s 4d 4c]`, as Run It Once writes it."""
        self.shows(name, cards, claim)

    def joins(self, who: str, seat: Seat) -> bool:
        """Read `Ada joins the table at seat #3`."""
        if seat < SEATS:
            self.add_event(SeatTaken(seat, self.player_id(who)))
        return seat < SEATS

    def wins_bounty(
        self, name: Seat, prize: Chips, over: str, kind: Literal["knockout", "progressive"] = "progressive"
    ) -> None:
        """Read `Ada wins $6.12 for eliminating Bo and their own bounty increases by …`.

        Of an elimination that several share, `$3.06 for splitting the elimination of Bo and …`, each has a line.
        """
        over, own, more = over.partition(self.OWN_BOUNTY)
        self.add_event(BountyWon(name, prize, self.seat_of(over) or None, kind))
        if own:
            self.put_remark(own[1:] + more)

    def split_bounty(self, names: str, prize: Chips, over: str) -> bool:
        """Read `A, B split the $50 bounty for eliminating C`: the odd cent goes to the first."""
        seats = [self.seat_of(name) for name in names.split(", ")]
        if 0 in seats:
            return False
        each, odd = divmod(prize, len(seats))
        for at, seat in enumerate(seats):
            self.inferred.append(len(self.events))
            self.add_event(BountyWon(seat, each + (odd if at == 0 else 0), self.seat_of(over) or None))
        return True

    def buys(self, name: Seat, amount: Chips, price: str, kind: ChipsKind = "rebuy") -> None:
        """Read `Ada re-buys and receives 3000 chips for $5.00`."""
        self.add_event(ChipsAdded(name, amount, kind, "player", self.player_at(name)))
        self.put_remark("for " + price)

    def adds_stacks(self, name: Seat, purchase: str) -> bool:
        """Read `Ada adds 500 chips (1 stack(s) of 500 chips). Ada has 2 stack(s) remaining.`."""
        amount, word, stacks = purchase.partition(" chips (")
        if not word or " stack(s) " not in stacks:
            return False
        self.add_event(ChipsAdded(name, self.parse_chips(amount), "add-on", "player", self.player_at(name)))
        self.put_remark(purchase)
        return True

    def put_remark(self, words: str) -> None:
        """Keep words of which no event can say what they tell."""
        self.add_event(RemarkNoted(self.people.text(words)))

    LINES = (
        ("{who} has timed out", runs_out),
        *rows_told_by(
            partial(runs_out, connected=False),
            *(f"{{who}} has timed out while {how}disconnected" for how in ("", "being ")),
        ),
        ("{who} leaves the table", tell_departure("left")),
        ("{who} was removed from the table", tell_departure("removed")),
        ("{who} was removed from the table for failing to post", tell_departure("missed-post")),
        (
            "{who} will be allowed to play after the button",
            tell_of_anybody(lambda seat, player: EntryDeferred(seat, player, "button-passed")),
        ),
        ("{who}: sits out", tell_of_anybody(player_sits_out)),
        ("{who}: is sitting out", tell_of_anybody(player_away)),
        (
            "{name} is sitting out",
            lambda hand, name: hand.add_event(PlayerAway(name, hand.player_at(name), why="unknown")),
        ),
        ("{who} has returned", tell_of_anybody(PlayerBack)),
        ("{who} is disconnected", tell_of_anybody(ConnectionLost)),
        ("{who} is connected", tell_of_anybody(ConnectionRestored)),
        ('{speaker} said, "{words}"', says),
        ("{who} joins the table at seat #{seat}", joins),
        ("{name} cashed out the hand for {amount} | Cash Out Fee {dead}", event_teller(_cash_out_taken)),
        ("{name} cashed out the hand for {amount}", event_teller(_cash_out_taken)),
        ("{name} finished the tournament in {rank} place and received {prize}", event_teller(PlayerFinished)),
        ("{name} finished the tournament in {rank} place{_}", event_teller(PlayerFinished)),
        ("{name} finished the tournament", event_teller(PlayerFinished)),
        ("{name} wins the tournament and receives {prize} - {_}", event_teller(partial(PlayerFinished, rank=1))),
        ("{name} wins the tournament{_}", event_teller(partial(PlayerFinished, rank=1))),
        *rows_told_by(PhraseHand.add_remark, "{name} wins an entry to tournament #{_}", "{name} wins a {_} ticket"),
        ("{name} also received a {_}", PhraseHand.add_remark),
        *rows_told_by(
            partial(wins_bounty, kind="knockout"),
            *(f"{{name}} {word} the {{prize}} bounty for eliminating {{over}}" for word in ("wins", "receives")),
        ),
        *rows_told_by(
            wins_bounty,
            *(
                f"{{name}} {word} {{prize}} for {deed} {{over}}"
                for deed in ("eliminating", "splitting the elimination of")
                for word in ("wins", "receives")
            ),
        ),
        ("{names} split the {prize} bounty for eliminating {over}", split_bounty),
        ("{name} adds {purchase}", adds_stacks),
        ("{name} re-buys and receives {amount} chips for {price}", buys),
        ("{name} takes the add-on and receives {amount} chips for {price}", partial(buys, kind="add-on")),
        *rows_told_by(PhraseHand.add_remark, "# {_}", "Table leave user"),  # of programs that imitate the room
        *rows_told_by(shows_for, "{name} shows [{cards}] for {claim} [{_}", "{name} shows [{cards}]"),
    )
