"""Hands as message boards and mails hand them on, and lines in places where most hands have none."""

from __future__ import annotations

import pytest

from ledger.account import Account
from ledger.hand import betting as b
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.dealing import BoardDealt
from ledger.intake.accounting import account as accounted
from ledger.notation import Chunk
from ledger.presence import ChipsAdded, WordsSaid
from tests.formats.pokerstars.support import one, people, read, rejects

REBUY = """\
PokerStars Hand #900000000201: Tournament #910000002, $10+$1 USD Hold'em No Limit - Level I (10/20) - 2026/01/29 12:15:12 ET
Table '910000002 5' 9-max Seat #1 is the button
Ada re-buys and receives 3000 chips for $10.00
Bo: likes tables re-buys and receives 1500 chips for $5.00
Seat 1: Cy (3000 in chips)
Seat 2: Ada (6000 in chips)
Seat 4: Bo: likes tables (4500 in chips)
Ada: posts small blind 10
Bo: likes tables: posts big blind 20
*** HOLE CARDS ***
Cy: folds
Ada: calls 10
Bo: likes tables: checks
*** FLOP *** [3h Th Jc]
Ada: bets 20
Bo: likes tables: folds
Uncalled bet (20) returned to Ada
Ada collected 40 from pot
*** SUMMARY ***
Total pot 40 | Rake 0
Board [3h Th Jc]
Seat 2: Ada (small blind) collected (40)
"""


NEWS = """\
Ada wins $0.55 for splitting the elimination of Cy and their own bounty increases by $0.55 to $2.10
Cy finished the tournament
Ada adds 500 chips (1 stack(s) of 500 chips). Ada has 2 stack(s) remaining.
Ada wins an entry to tournament #910000099
Ada wins a '€10 Step 3 ticket' ticket
All players have agreed to skip the break. Game resuming.
Zed [observer] said, "good luck"
"""


def of(account: Account, kind: type) -> list:
    return [event for event in account.events if isinstance(event, kind)]


def test_chips_bought_before_the_list_of_seats_are_told_before_it() -> None:
    hand = one(REBUY)
    bought = of(hand, ChipsAdded)
    assert [(event.seat, event.amount, event.kind) for event in bought] == [(2, 3000, "rebuy"), (4, 1500, "rebuy")]
    assert [seat.stack for seat in of(hand, o.SeatDealtIn)] == [3000, 6000, 4500]
    assert hand.events.index(bought[1]) < hand.events.index(of(hand, o.SeatDealtIn)[0])
    assert not of(hand, e.LineUnread)
    raw = REBUY.encode()
    at = hand.events.index(bought[0])
    assert raw[hand.start + hand.places[2 * at] :].startswith(b"Ada re-buys")


def test_a_line_nobody_knows_before_the_list_is_kept() -> None:
    who = people()
    hand = one(REBUY.replace("Ada re-buys and receives 3000 chips for $10.00", "Fog rolls in"), who)
    assert [who.texts[event.text] for event in of(hand, e.LineUnread)] == ["Fog rolls in"]
    assert len(of(hand, o.SeatDealtIn)) == 3


def test_a_hand_without_any_seat_does_not_swallow_the_next_one() -> None:
    broken = REBUY.partition("Ada re-buys")[0] + "\n\n"
    items = read(broken + REBUY)
    assert [reject.code for reject in rejects(items)] == ["cut-off"]
    assert sum(isinstance(item, Account) for item in items) == 1
    assert accounted(Chunk((broken + REBUY).encode()), items).not_read == 0


def test_stars_that_a_message_board_swallowed_are_read_as_headings() -> None:
    plain = one(REBUY)
    bold = REBUY
    for title in ("HOLE CARDS", "SUMMARY"):
        bold = bold.replace(f"*** {title} ***", f" {title} ")
    bold = bold.replace("*** FLOP *** [", " FLOP  [")
    hand = one(bold)
    assert hand.events == plain.events
    assert [board.cards for board in of(hand, BoardDealt)] == ["3hThJc"]


def test_a_quoted_hand_is_the_same_hand() -> None:
    plain = one(REBUY)
    first = one("> " + REBUY)
    whole = one("".join(f"> {line}\n" for line in REBUY.splitlines()))
    assert first.events == plain.events == whole.events
    assert [fold.seat for fold in of(whole, b.Folded)] == [1, 4]
    quoted = ("> " + REBUY).encode()
    assert accounted(Chunk(quoted), read(quoted)).not_read == 0


def test_news_of_a_tournament_is_read() -> None:
    hand = one(REBUY.replace("*** SUMMARY", NEWS + "*** SUMMARY"))
    assert not of(hand, e.LineUnread)
    assert [(won.seat, won.amount, won.over) for won in of(hand, e.BountyWon)] == [(2, 55, 1)]
    assert [(out.seat, out.rank) for out in of(hand, e.PlayerFinished)] == [(1, None)]
    assert [event.amount for event in of(hand, ChipsAdded)] == [3000, 1500, 500]


def test_an_observer_speaks_under_his_own_name() -> None:
    who = people()
    hand = one(REBUY.replace("*** SUMMARY", NEWS + "*** SUMMARY"), who)
    assert [said.player for said in of(hand, WordsSaid)] == [who.player("PokerStars", "Zed")]


def test_every_byte_of_quoted_hands_is_told_whatever_breaks() -> None:
    quoted = "".join(f"> {line}\n" for line in REBUY.splitlines())
    raw = (quoted + quoted.replace("Table", "Tisch")).encode()
    assert accounted(Chunk(raw), read(raw)).not_read == 0


def test_lines_that_are_set_in_below_a_first_line_that_is_not_are_the_same_hand() -> None:
    first, *rest = REBUY.split("\n")
    set_in = "\n".join([first, *(" " + line for line in rest if not line.startswith("Bo: likes tables re-buys"))])
    plain = REBUY.replace("Bo: likes tables re-buys and receives 1500 chips for $5.00\n", "")
    assert one(set_in).events == one(plain).events


@pytest.mark.parametrize("indent", [" ", "\t", "    ", "        "])
def test_a_hand_that_is_set_in_as_in_a_program_is_the_same_hand(indent: str) -> None:
    raw = "".join(f"{indent}{line}\n" for line in REBUY.splitlines())
    hand = one(raw)
    assert hand.events == one(REBUY).events
    at = next(k for k, event in enumerate(hand.events) if isinstance(event, o.SeatDealtIn))
    assert raw[hand.start + hand.places[2 * at] :].startswith("Seat 1: ")
    assert accounted(Chunk(raw.encode()), read(raw)).not_read == 0
