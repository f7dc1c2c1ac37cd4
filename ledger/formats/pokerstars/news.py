"""Lines that aren't actions: players who come, go and speak, and what a tournament brings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, Literal, TypeAlias

from ledger.event import Event
from ledger.formats.pokerstars.summary import SummarizedHand
from ledger.hand.betting import CashOutTaken, ClockExpired
from ledger.hand.ending import BountyWon, PlayerFinished
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
from ledger.readers.phrase_hand import PhraseHand, PhraseRows
from ledger.readers.phrases import build_rows
from ledger.readers.text_hand import build_event_handler
from ledger.vocabulary import Cards, Chips, PlayerId, Seat

MakeEvent: TypeAlias = Callable[[Seat | None, PlayerId], Event]
"""Makes an event from a player's seat (None without one) and id."""


def add_player_event(make_event: MakeEvent) -> Callable[..., bool]:
    """Return the reader of a line that is one event about a player, who may have no seat in this hand."""

    def read_line(hand: PhraseHand, who: str) -> bool:
        seat = hand.seats.get(who)
        if seat is None and who in hand.shared_names:
            return False
        hand.add_event(make_event(seat, hand.get_player_id(who)))
        return True

    return read_line


def add_departure(reason: Literal["left", "removed", "missed-post"]) -> Callable[..., bool]:
    """Return the reader of a line about a player who leaves the table."""
    return add_player_event(lambda seat, player: SeatLeft(seat, player, reason))


def _build_cash_out(seat: Seat, amount: Chips, dead: Chips = 0) -> Event:
    return CashOutTaken(seat, amount, dead)


def build_sit_out(seat: Seat | None, player: PlayerId) -> Event:
    """Return the event of `Ada: sits out`."""
    return PlayerAway(seat, player, why="sits-out")


def build_player_away(seat: Seat | None, player: PlayerId) -> Event:
    """Return the event of `Ada: is sitting out`."""
    return PlayerAway(seat, player, why="away")


def say_words(hand: SummarizedHand, speaker: str, words: str) -> None:
    """Read `Ada said, "hi"`."""
    seat = hand.seats.get(speaker)
    player = hand.get_player_id(speaker.removesuffix(" [observer]"))
    hand.add_event(WordsSaid(hand.people.text(words), seat, player))


def run_out_of_time(hand: SummarizedHand, who: str, *, connected: bool = True) -> bool:
    """Read `Ada has timed out`."""
    seat = hand.seats.get(who)
    if seat is not None:
        hand.add_event(ClockExpired(seat, connected))
    elif who not in hand.shared_names:  # a player who isn't in this hand
        hand.add_remark()
    return seat is not None or who not in hand.shared_names


def show_described_cards(hand: SummarizedHand, name: Seat, cards: Cards, claim: str = "") -> None:
    """Read `Ada shows [4s 4d] for Three of Kind [Qc 8s 4s 4d 4c]`, as Run It Once writes it."""
    hand.show_cards(name, cards, claim)


def join_table(hand: SummarizedHand, who: str, seat: Seat) -> bool:
    """Read `Ada joins the table at seat #3`."""
    if seat < SEATS:
        hand.add_event(SeatTaken(seat, hand.get_player_id(who)))
    return seat < SEATS


def win_bounty(
    hand: SummarizedHand,
    name: Seat,
    prize: Chips,
    eliminated: str,
    kind: Literal["knockout", "progressive"] = "progressive",
) -> None:
    """Read `Ada wins $6.12 for eliminating Bo and their own bounty increases by …`.

    Where several share an elimination, each has a line: `$3.06 for splitting the elimination of Bo and …`.
    """
    loser, own_bounty, increase = eliminated.partition(hand.OWN_BOUNTY)
    hand.add_event(BountyWon(name, prize, hand.find_seat_by_name(loser) or None, kind))
    if own_bounty:
        hand.put_remark(own_bounty[1:] + increase)


def split_bounty(hand: SummarizedHand, names: str, prize: Chips, eliminated: str) -> bool:
    """Read `A, B split the $50 bounty for eliminating C`: the odd cent goes to the first."""
    seats = [hand.find_seat_by_name(name) for name in names.split(", ")]
    if 0 in seats:
        return False
    equal_share, odd_cents = divmod(prize, len(seats))
    for index, seat in enumerate(seats):
        hand.inferred.append(len(hand.events))
        share = equal_share + odd_cents if index == 0 else equal_share
        hand.add_event(BountyWon(seat, share, hand.find_seat_by_name(eliminated) or None))
    return True


def buy_chips(hand: SummarizedHand, name: Seat, amount: Chips, price: str, kind: ChipsKind = "rebuy") -> None:
    """Read `Ada re-buys and receives 3000 chips for $5.00`."""
    hand.add_event(ChipsAdded(name, amount, kind, "player", hand.get_player(name)))
    hand.put_remark("for " + price)


def add_stacks(hand: SummarizedHand, name: Seat, purchase: str) -> bool:
    """Read `Ada adds 500 chips (1 stack(s) of 500 chips). Ada has 2 stack(s) remaining.`."""
    amount, separator, stacks = purchase.partition(" chips (")
    if not separator or " stack(s) " not in stacks:
        return False
    hand.add_event(ChipsAdded(name, hand.parse_chips(amount), "add-on", "player", hand.get_player(name)))
    hand.put_remark(purchase)
    return True


NEWS_LINES: Final[PhraseRows] = (
    ("{who} has timed out", run_out_of_time),
    *build_rows(
        partial(run_out_of_time, connected=False),
        *(f"{{who}} has timed out while {passive}disconnected" for passive in ("", "being ")),
    ),
    ("{who} leaves the table", add_departure("left")),
    ("{who} was removed from the table", add_departure("removed")),
    ("{who} was removed from the table for failing to post", add_departure("missed-post")),
    (
        "{who} will be allowed to play after the button",
        add_player_event(lambda seat, player: EntryDeferred(seat, player, "button-passed")),
    ),
    ("{who}: sits out", add_player_event(build_sit_out)),
    ("{who}: is sitting out", add_player_event(build_player_away)),
    (
        "{name} is sitting out",
        lambda hand, name: hand.add_event(PlayerAway(name, hand.get_player(name), why="unknown")),
    ),
    ("{who} has returned", add_player_event(PlayerBack)),
    ("{who} is disconnected", add_player_event(ConnectionLost)),
    ("{who} is connected", add_player_event(ConnectionRestored)),
    ('{speaker} said, "{words}"', say_words),
    ("{who} joins the table at seat #{seat}", join_table),
    ("{name} cashed out the hand for {amount} | Cash Out Fee {dead}", build_event_handler(_build_cash_out)),
    ("{name} cashed out the hand for {amount}", build_event_handler(_build_cash_out)),
    ("{name} finished the tournament in {rank} place and received {prize}", build_event_handler(PlayerFinished)),
    ("{name} finished the tournament in {rank} place{_}", build_event_handler(PlayerFinished)),
    ("{name} finished the tournament", build_event_handler(PlayerFinished)),
    ("{name} wins the tournament and receives {prize} - {_}", build_event_handler(partial(PlayerFinished, rank=1))),
    ("{name} wins the tournament{_}", build_event_handler(partial(PlayerFinished, rank=1))),
    *build_rows(PhraseHand.add_remark, "{name} wins an entry to tournament #{_}", "{name} wins a {_} ticket"),
    ("{name} also received a {_}", PhraseHand.add_remark),
    *build_rows(
        partial(win_bounty, kind="knockout"),
        *(f"{{name}} {word} the {{prize}} bounty for eliminating {{eliminated}}" for word in ("wins", "receives")),
    ),
    *build_rows(
        win_bounty,
        *(
            f"{{name}} {word} {{prize}} for {deed} {{eliminated}}"
            for deed in ("eliminating", "splitting the elimination of")
            for word in ("wins", "receives")
        ),
    ),
    ("{names} split the {prize} bounty for eliminating {eliminated}", split_bounty),
    ("{name} adds {purchase}", add_stacks),
    ("{name} re-buys and receives {amount} chips for {price}", buy_chips),
    ("{name} takes the add-on and receives {amount} chips for {price}", partial(buy_chips, kind="add-on")),
    *build_rows(PhraseHand.add_remark, "# {_}", "Table leave user"),  # written by imitators of the room
    *build_rows(show_described_cards, "{name} shows [{cards}] for {claim} [{_}", "{name} shows [{cards}]"),
)
"""Lines about players who come, go and speak, bounties and chips bought → their readers."""
