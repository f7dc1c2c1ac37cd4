"""Hands as message boards and mails hand them on, and lines in places where most hands have none."""

from __future__ import annotations

import pytest

from ledger.account import Account
from ledger.hand import betting as b
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.dealing import BoardDealt, DealCompleted, HoleCardsDealt
from ledger.intake.byte_accounts import count_bytes as accounted
from ledger.notation import Chunk
from ledger.presence import ChipsAdded, WordsSaid
from tests.formats.pokerstars.support import new_people, read, read_hand, rejects
from tests.formats.support import unbalanced

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


def events_of(account: Account, kind: type) -> list:
    return [event for event in account.events if isinstance(event, kind)]


def test_chips_bought_before_the_list_of_seats_are_told_before_it() -> None:
    hand = read_hand(REBUY)
    bought = events_of(hand, ChipsAdded)
    assert [(event.seat, event.amount, event.kind) for event in bought] == [(2, 3000, "rebuy"), (4, 1500, "rebuy")]
    assert [seat.stack for seat in events_of(hand, o.SeatDealtIn)] == [3000, 6000, 4500]
    assert hand.events.index(bought[1]) < hand.events.index(events_of(hand, o.SeatDealtIn)[0])
    assert not events_of(hand, e.LineUnread)
    raw = REBUY.encode()
    index = hand.events.index(bought[0])
    assert raw[hand.start + hand.places[2 * index] :].startswith(b"Ada re-buys")


def test_a_line_nobody_knows_before_the_list_is_kept() -> None:
    people = new_people()
    hand = read_hand(REBUY.replace("Ada re-buys and receives 3000 chips for $10.00", "Fog rolls in"), people)
    assert [people.texts[event.text] for event in events_of(hand, e.LineUnread)] == ["Fog rolls in"]
    assert len(events_of(hand, o.SeatDealtIn)) == 3


def test_a_hand_without_any_seat_does_not_swallow_the_next_one() -> None:
    broken = REBUY.partition("Ada re-buys")[0] + "\n\n"
    items = read(broken + REBUY)
    assert [reject.code for reject in rejects(items)] == ["cut-off"]
    assert sum(isinstance(item, Account) for item in items) == 1
    assert accounted(Chunk((broken + REBUY).encode()), items).not_read == 0


def test_stars_that_a_message_board_swallowed_are_read_as_headings() -> None:
    account = read_hand(REBUY)
    bold = REBUY
    for title in ("HOLE CARDS", "SUMMARY"):
        bold = bold.replace(f"*** {title} ***", f" {title} ")
    bold = bold.replace("*** FLOP *** [", " FLOP  [")
    hand = read_hand(bold)
    assert hand.events == account.events
    assert [board.cards for board in events_of(hand, BoardDealt)] == ["3hThJc"]


def test_a_quoted_hand_is_the_same_hand() -> None:
    account = read_hand(REBUY)
    first = read_hand("> " + REBUY)
    quoted_hand = read_hand("".join(f"> {line}\n" for line in REBUY.splitlines()))
    assert first.events == account.events == quoted_hand.events
    assert [fold.seat for fold in events_of(quoted_hand, b.Folded)] == [1, 4]
    quoted = ("> " + REBUY).encode()
    assert accounted(Chunk(quoted), read(quoted)).not_read == 0


def test_news_of_a_tournament_is_read() -> None:
    hand = read_hand(REBUY.replace("*** SUMMARY", NEWS + "*** SUMMARY"))
    assert not events_of(hand, e.LineUnread)
    assert [(won.seat, won.amount, won.over) for won in events_of(hand, e.BountyWon)] == [(2, 55, 1)]
    assert [(out.seat, out.rank) for out in events_of(hand, e.PlayerFinished)] == [(1, None)]
    assert [event.amount for event in events_of(hand, ChipsAdded)] == [3000, 1500, 500]


def test_an_observer_speaks_under_his_own_name() -> None:
    people = new_people()
    hand = read_hand(REBUY.replace("*** SUMMARY", NEWS + "*** SUMMARY"), people)
    assert [event.player for event in events_of(hand, WordsSaid)] == [people.player("PokerStars", "Zed")]


def test_every_byte_of_quoted_hands_is_told_whatever_breaks() -> None:
    quoted = "".join(f"> {line}\n" for line in REBUY.splitlines())
    raw = (quoted + quoted.replace("Table", "Tisch")).encode()
    assert accounted(Chunk(raw), read(raw)).not_read == 0


def test_lines_that_are_set_in_below_a_first_line_that_is_not_are_the_same_hand() -> None:
    first, *following_lines = REBUY.split("\n")
    set_in = "\n".join(
        [first, *(" " + line for line in following_lines if not line.startswith("Bo: likes tables re-buys"))]
    )
    plain_text = REBUY.replace("Bo: likes tables re-buys and receives 1500 chips for $5.00\n", "")
    assert read_hand(set_in).events == read_hand(plain_text).events


@pytest.mark.parametrize("indent", [" ", "\t", "    ", "        "])
def test_a_hand_that_is_set_in_as_in_a_program_is_the_same_hand(indent: str) -> None:
    raw = "".join(f"{indent}{line}\n" for line in REBUY.splitlines())
    hand = read_hand(raw)
    assert hand.events == read_hand(REBUY).events
    index = next(k for k, event in enumerate(hand.events) if isinstance(event, o.SeatDealtIn))
    assert raw[hand.start + hand.places[2 * index] :].startswith("Seat 1: ")
    assert accounted(Chunk(raw.encode()), read(raw)).not_read == 0


REPEATED_HAND = """\
Weplay Hand #90000301:  Hold'em No Limit ($0.50/$1) - 2026/03/02 20:31:09 UTC
Table 'Split #4'(90004401) 6-max Seat #1 is the button
Seat 1: Ada ($60 in chips)
Seat 2: Bo Li ($98.50 in chips)
Seat 3: Cem ($12 in chips)
Bo Li: posts small blind $0.50
Cem: posts big blind $1
*** HOLE CARDS ***
Dealt to Ada [Ts 5d]
Ada: activates time bank
Ada: calls $1
Bo Li: raises $12 to $12
Cem: calls $11 and is all-in
Ada: folds
*** FLOP *** [9c 7h 5h]
*** TURN *** [9c 7h 5h] [2s]
*** RIVER *** [9c 7h 5h 2s] [Td]
*** HOLE CARDS ***
Dealt to Ada [Ts 5d]
*** SHOW DOWN ***
Bo Li: shows [Kc Ks] (a pair of Kings)
Cem: shows [Qd 7d] (a pair of Sevens)
Ada: shows [] (two pair, Tens and Fives)
Bo Li collected $25 from pot
*** SUMMARY ***
Total pot $25 | Rake $0
Board [9c 7h 5h 2s Td]
Seat 1: Ada (button) folded before Flop showed [Ts 5d] and lost with two pair, Tens and Fives
Seat 2: Bo Li (small blind) showed [Kc Ks] and won ($25) with a pair of Kings
Seat 3: Cem (big blind) showed [Qd 7d] and lost with a pair of Sevens
"""


def test_a_hand_that_is_dealt_again_behind_the_board_is_dealt_once() -> None:
    hand = read_hand(REPEATED_HAND)
    assert not events_of(hand, e.LineUnread)
    assert [(card.seat, card.cards) for card in events_of(hand, HoleCardsDealt)] == [(1, "Ts5d")]
    assert len(events_of(hand, DealCompleted)) == 1
    account = read_hand(REPEATED_HAND.replace("Dealt to Ada [Ts 5d]\n*** SHOW", "Dealt to Ada [Ts 5h]\n*** SHOW"))
    assert [card.cards for card in events_of(account, HoleCardsDealt)] == ["Ts5d", "Ts5h"]


def test_who_folded_and_shows_nothing_shows_no_hand() -> None:
    hand = read_hand(REPEATED_HAND)
    assert [event.seat for event in events_of(hand, e.CardsShown)] == [2, 3]
    assert [bank.seat for bank in events_of(hand, b.TimeBankUsed)] == [1]


BOMB_POT = """\
Weplay Hand #90000401:  Hold'em No Limit ($0.50/$1) - 2026/03/02 20:35:44 UTC
Table 'Own Bomb Pot #2'(90004402) 6-max (Money 3) Seat #3 is the button
Seat 1: Ada ($60 in chips)
Seat 2: Bo Li ($98.50 in chips)
Seat 3: Cem ($12 in chips)
Ada: posts the ante $4
Bo Li: posts the ante $4
Cem: posts the ante $4
*** HOLE CARDS ***
Dealt to Ada [Ts 5d]
*** FLOP *** [9c 7h 5h]
Ada: bets $6
Bo Li: folds
Cem: folds
Uncalled bet ($6) returned to Ada
*** SHOW DOWN ***
Ada: doesn't show hand
Ada collected $12 from pot
*** SUMMARY ***
Total pot $12 | Rake $0.60
Board [9c 7h 5h]
Seat 1: Ada collected ($12)
Seat 2: Bo Li folded on the Flop
Seat 3: Cem (button) folded on the Flop
"""


def test_antes_alone_before_the_flop_are_a_bomb_pot() -> None:
    hand = read_hand(BOMB_POT)
    assert {ante.kind for ante in events_of(hand, o.AntePosted)} == {"bomb-pot"}
    assert events_of(hand, o.OptionSet) == [o.OptionSet("bomb-pot", 400)]
    blind = read_hand(BOMB_POT.replace("*** HOLE", "Ada: posts small blind $0.50\n*** HOLE"))
    assert {ante.kind for ante in events_of(blind, o.AntePosted)} == {"ante"}


def test_where_one_award_took_the_whole_pot_the_rake_came_from_it() -> None:
    hand = read_hand(BOMB_POT)
    assert [(award.seat, award.amount) for award in events_of(hand, e.PotAwarded)] == [(1, 1140)]
    assert not events_of(hand, e.ResultDeclared)[-1].seat
    assert unbalanced(hand) == []
    split = BOMB_POT.replace("Ada collected $12", "Ada collected $6 from pot\nBo Li collected $6")
    assert [award.amount for award in events_of(read_hand(split), e.PotAwarded)] == [600, 600]
    net = BOMB_POT.replace("$12", "$11.40")
    assert [award.amount for award in events_of(read_hand(net), e.PotAwarded)] == [1140]


def test_numbers_before_the_hands_of_an_archive_belong_to_them() -> None:
    raw = f"Hand #1: \n\n{REBUY}\n\nHand #2: \n\n{REBUY.replace('0000201', '0000202')}"
    items = read(raw)
    assert [item.opened.number for item in items if isinstance(item, Account)] == ["900000000201", "900000000202"]
    assert len(items) == 2
    assert accounted(Chunk(raw.encode()), items).not_read == 0
    assert [raw[item.start :][:8] for item in items] == ["Hand #1:", "Hand #2:"]


def test_what_converters_write_otherwise_is_read() -> None:
    """Colons in the summary, capitals behind stacks; the winner in the summary alone."""
    plain_text = BOMB_POT.replace("$12 | Rake $0.60", "$12 | Rake $0")
    converted_text = (
        plain_text.replace("in chips)", "in Chips)").replace("Total pot ", "Total pot: ").replace("Board [", "Board: [")
    )
    assert read_hand(converted_text).events == read_hand(plain_text).events
    silent = read_hand(plain_text.replace("Ada collected $12 from pot\n", ""))
    assert [(award.seat, award.amount) for award in events_of(silent, e.PotAwarded)] == [(1, 1200)]
    assert [silent.events.index(award) in silent.inferred for award in events_of(silent, e.PotAwarded)] == [True]
    sold = plain_text.replace("Ada collected $12 from pot", "Ada cashed out the hand for $11.88 | Cash Out Fee $0.12")
    assert events_of(read_hand(sold), e.PotAwarded) == []


def test_cards_and_dates_as_converters_write_them() -> None:
    account = read_hand(BOMB_POT)
    for cards in ("[9C 7H 5H]", "[9♣ 7♥ 5♥]"):
        assert read_hand(BOMB_POT.replace("[9c 7h 5h]", cards)).events == account.events
    assert read_hand(BOMB_POT.replace("[Ts 5d]", "[10s 5d]")).events == account.events
    dashes = read_hand(BOMB_POT.replace("2026/03/02", "2026-03-02"))
    assert dashes.opened.started == account.opened.started
    undated = read_hand(BOMB_POT.replace(" - 2026/03/02 20:35:44 UTC", ""))
    assert (undated.opened.started, undated.opened.written) == (None, "")
    assert undated.events[1:] == account.events[1:]


def test_posts_in_other_words() -> None:
    text = BOMB_POT.replace("Ada: posts the ante $4\nBo Li: posts the ante $4\nCem: posts the ante $4\n", "{}*** FIRST")
    text = text.replace("*** FIRST*** HOLE", "*** HOLE")
    hand = read_hand(text.format("Ada: posts big blind ante $1\nBo Li: posts dead $0.50\nAda: posts big blind $1\n"))
    assert [(ante.seat, ante.amount, ante.for_table) for ante in events_of(hand, o.AntePosted)] == [(1, 100, True)]
    assert [(post.role, post.live, post.dead) for post in events_of(hand, o.BlindPosted)] == [
        ("makeup", 0, 50),
        ("big", 100, 0),
    ]


def test_totals_that_are_not_understood_are_kept_as_unread() -> None:
    people = new_people()
    hand = read_hand(BOMB_POT.replace("| Rake $0.60", "Rake $0.60"), people)
    assert [people.texts[event.text] for event in events_of(hand, e.LineUnread)] == ["Total pot $12 Rake $0.60"]
