"""Bovada's text becomes the right events, each at its place, whatever the bytes look like."""

from __future__ import annotations

import pytest

from ledger.account import Account, Reject
from ledger.formats.bovada import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.people import People
from ledger.presence import ChipsAdded, ConnectionLost, PlayerAway, SeatLeft
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, read_hand, texts, unread

sample = texts("bovada")


def hands(name: str) -> list[Account]:
    return [item for item in read(FORMAT, sample(name)) if isinstance(item, Account)]


def test_a_dead_chip_pays_both_blinds_and_the_small_one_is_dead() -> None:
    assert events_of(hands("old-limit")[0], o.BlindPosted)[2:] == [
        o.BlindPosted(5, "makeup-small", 0, 300),
        o.BlindPosted(5, "makeup-big", 600),
    ]


def names(hand: Account, people: People) -> list[str | None]:
    return [people.name(event.player) for event in events_of(hand, o.SeatDealtIn)]


@pytest.mark.parametrize(
    ("name", "expected_names", "option"),
    [
        ("hidden-streets", ["Seat 1 of 5550006", "Hero", "Seat 3 of 5550006", "Seat 4 of 5550006"], "anonymous"),
        ("tournament", ["Seat 58 of 70000004-1", "Seat 83 of 70000004-1"], "anonymous"),
        ("zone", ["Hero", "Seat 2 of hand 9000000002", "Seat 3 of hand 9000000002"], "zoom"),
    ],
)
def test_a_player_is_called_after_the_chair_and_the_records_owner_is_the_hero(
    name: str, expected_names: list[str], option: str
) -> None:
    people = new_people()
    hand = next(item for item in read(FORMAT, sample(name), people=people) if isinstance(item, Account))
    assert names(hand, people)[: len(expected_names)] == expected_names
    assert events_of(hand, o.OptionSet) == [o.OptionSet("other", option)]


def test_stacks_go_on_in_the_chairs_though_positions_change() -> None:
    people = new_people()
    first = sample("dead-button").replace("Set dealer\n", "Dealer : Set dealer [9]\n")
    second = first.replace("#9000000010", "#9000000012").replace("UTG", "Big Blind ")
    hands = [read_hand(FORMAT, text, people=people) for text in (first, second)]
    assert names(hands[0], people)[2] == names(hands[1], people)[2] == "Seat 6 of 55500010"


def test_a_button_in_one_of_several_empty_chairs_is_not_witnessed() -> None:
    text = sample("dead-button")
    assert not read_hand(FORMAT, text).opened.witnesses & Witness.BUTTON
    assert (
        read_hand(FORMAT, text.replace("Seat 3: Small", "Seat 1: Dealer ($9 in chips)\nSeat 3: Small")).opened.witnesses
        & Witness.BUTTON
    )


def test_who_gets_no_card_is_not_dealt_in_and_the_text_says_why() -> None:
    assert [(event.seat, event.reason) for event in events_of(hands("old-limit")[0], o.SeatLeftOut)] == [
        (3, "sitting-out"),
        (4, "waiting-for-big-blind"),
    ]


def test_streets_that_the_text_leaves_out_follow_from_the_betting_and_the_board() -> None:
    hand = hands("hidden-streets")[0]
    streets = [k for k, event in enumerate(hand.events) if isinstance(event, d.BoardDealt)]
    assert [hand.events[k].street for k in streets] == ["flop", "turn", "river"]
    assert set(streets) <= set(hand.inferred)
    flop = streets[0]
    assert hand.events[flop - 1] == hand.events[flop + 1] == b.Checked(4)


def test_numbers_of_a_tournaments_entries_are_no_chairs() -> None:
    hand = hands("tournament")[0]
    assert [event.seat for event in events_of(hand, o.SeatDealtIn)] == [1, 7, 8, 9]
    assert events_of(hand, o.ButtonPlaced) == [o.ButtonPlaced(7)]


def test_an_all_in_before_the_deal_is_an_ante_or_a_blind() -> None:
    hand = hands("tournament")[1]
    assert events_of(hand, o.AntePosted)[0] == o.AntePosted(1, 187, all_in=True)
    assert events_of(hand, o.PostReturned) == [o.PostReturned(5, 73, "ante", dead=True)]


def test_side_pots_prizes_and_bounties_are_told() -> None:
    hand = hands("tournament")[0]
    assert [(event.amount, event.pot) for event in events_of(hand, e.PotAwarded)] == [(7276, 1), (1775, 0)]
    assert events_of(hand, e.PlayerFinished) == [e.PlayerFinished(8, 4), e.PlayerFinished(7, 3, 825)]
    assert events_of(hand, e.BountyWon) == [e.BountyWon(9, 400)]


def test_a_line_that_the_room_wrote_several_times_is_one_act() -> None:
    hand = hands("dead-button")[0]
    assert len(events_of(hand, b.Raised)) == len(events_of(hand, e.PotAwarded)) == 1
    assert len(events_of(hand, e.RemarkNoted)) == 3


def test_a_button_before_nobody_lies_on_the_empty_chair_before_the_blinds() -> None:
    hand = hands("dead-button")[0]
    assert events_of(hand, o.ButtonPlaced) == [o.ButtonPlaced(2)]
    assert hand.events.index(o.ButtonPlaced(2)) in hand.inferred


def test_the_cards_of_all_are_known_after_the_hand_and_ones_own_before() -> None:
    sources = [(event.seat, event.how) for event in events_of(hands("zone")[0], d.HoleCardsDealt)]
    assert sources == [(1, "owner"), (2, "after"), (3, "after"), (4, "after")]


def test_a_rake_that_is_not_told_is_what_the_pot_holds_more_than_was_paid() -> None:
    hand = hands("zone")[0]
    assert events_of(hand, e.DropTaken) == [e.DropTaken("rake", 20)]
    assert hand.events.index(e.DropTaken("rake", 20)) in hand.inferred


def test_who_leaves_or_loses_the_connection_is_told_even_without_a_name() -> None:
    zone, old, mvs = hands("zone")[0], hands("old-limit")[0], hands("mvs")[0]
    assert [(event.seat, event.reason) for event in events_of(zone, SeatLeft)] == [
        (4, "moved"),
        (None, "moved"),
        (1, "moved"),
    ]
    assert [(event.seat, event.amount) for event in events_of(old, ChipsAdded)] == [(None, 45_000)]
    assert [event.seat for event in events_of(old, ConnectionLost)] == [2]
    assert [event.seat for event in events_of(old, b.ClockExpired)] == [5]
    assert events_of(mvs, b.ClockExpired) == [b.ClockExpired(5, connected=False)]
    assert [event.why for event in events_of(old, PlayerAway)] == ["sits-out"]


def test_a_hand_that_begins_within_a_line_is_read_and_the_one_before_it_is_incomplete() -> None:
    unread_lines = [
        (item.code if isinstance(item, Reject) else item.opened.number) for item in read(FORMAT, sample("damaged"))
    ]
    assert unread_lines == [
        "9000000011",
        "no-header",
        "9000000012",
        "cut-off",
        "unknown-game",
        "cut-off",
        "9000000016",
        "other-room",
    ]


def test_stakes_come_from_the_level_the_table_or_the_name_of_the_file() -> None:
    text = sample("zone")
    file_name = "HH20190506-070605 - 5550002 - ZONE - $0.03-$0.06 - HOLDEMZonePoker - NL - x.txt"
    items = [read(FORMAT, text, name=name)[0] for name in ("", file_name)]
    items += [hands("mvs")[0], hands("tournament")[0]]
    games = [item.events[1] for item in items if isinstance(item, Account)]
    assert [game.blinds for game in games if isinstance(game, o.GameSet)] == [(), (3, 6), (300, 600), (250, 500)]


def test_headings_above_the_cards_of_stud_and_a_double_bet_are_read() -> None:
    lines = (
        sample("stud").replace("*** HOLE CARDS ***", "*** 3RD STREET ***").replace("D bets", "Double bets").split("\n")
    )
    streets = iter(["*** 4TH STREET ***", "*** 5TH STREET ***", "*** 6TH STREET ***", "*** RIVER ***"])
    headed: list[str] = []
    for index, line in enumerate(lines):
        if index > 11 and "Card dealt" in line and "Card dealt" not in lines[index - 1]:
            headed.append(next(streets))
        headed.append(line)
    account = read_hand(FORMAT, "\n".join(headed))
    assert next(streets, None) is None
    assert account.events == read_hand(FORMAT, sample("stud")).events


def test_of_fixed_limit_no_bets_are_told() -> None:
    text = sample("mvs").replace(" No Limit", " Fixed Limit", 1)
    hand = next(item for item in read(FORMAT, text) if isinstance(item, Account))
    (game,) = events_of(hand, o.GameSet)
    assert (game.betting, game.blinds, game.bets) == ("limit", (300, 600), ())


def test_a_button_before_nobody_and_a_hand_not_shown_are_read() -> None:
    text = (
        sample("mvs")
        .replace("Seat 5: Dealer ($655.35 in chips)\n", "")
        .replace("Dealer : Folds (auth-disconnect)\n", "")
        .replace("Seat+5: Dealer Folded before the FLOP\n", "")
    )
    people = new_people()
    hand = read_hand(FORMAT, text, people=people)
    assert not unread(hand, people)
    assert events_of(hand, o.ButtonPlaced) == [o.ButtonPlaced(5)]
    lost = next(line for line in text.split("\n") if line.startswith("Seat+6:"))
    account = read_hand(FORMAT, text.replace(lost, "Seat+6: Small Blind [Does not show]"), people=people)
    assert not unread(account, people)


def test_a_card_to_the_table_is_dealt_like_a_card_dealt_to_table() -> None:
    text = sample("mvs")
    for heading, cards in (("FLOP", "[7s 3c 5s]"), ("TURN", "[4d]"), ("RIVER", "[Qd]")):
        line = next(text_line for text_line in text.split("\n") if text_line.startswith(f"*** {heading} "))
        text = text.replace(line, f"Card to the table {cards}")
    account, usual = read_hand(FORMAT, text), read_hand(FORMAT, sample("mvs"))
    assert events_of(account, d.BoardDealt) == events_of(usual, d.BoardDealt)


def test_words_before_an_amount_that_nobody_knows_are_no_act() -> None:
    people = new_people()
    hand = read_hand(FORMAT, sample("mvs").replace("Big Blind : Calls $12", "Big Blind : Calls out $12"), people=people)
    assert unread(hand, people) == ["Big Blind : Calls out $12"]


def test_two_blanks_behind_a_position_do_not_deal_it_out() -> None:
    wide = sample("hi-lo").replace("Dealer :", "Dealer  :")
    assert "Dealer  : Card dealt" in wide
    assert read_hand(FORMAT, wide).events == read_hand(FORMAT, sample("hi-lo")).events


def test_cards_without_their_closing_bracket_are_not_believed() -> None:
    text = sample("old-limit")
    muck = next(line for line in text.splitlines() if " : Does not show [" in line)
    cut = read(FORMAT, text.replace(muck, muck[: muck.index("]") - 3]))
    mucked = [event for item in cut if isinstance(item, Account) for event in events_of(item, e.CardsMucked)]
    assert any(not event.cards for event in mucked)


@pytest.mark.parametrize("name", ["hi-lo", "stud"])
def test_a_deal_that_is_written_twice_is_dealt_once(name: str) -> None:
    text, people = sample(name), new_people()
    account = read_hand(FORMAT, text, people=people)
    for line in [line for line in text.splitlines() if "Card dealt to a spot" in line]:
        twice = read_hand(FORMAT, text.replace(line, f"{line}\n{line}"), people=people)
        assert [event for event in twice.events if not isinstance(event, e.RemarkNoted)] == list(account.events)
        assert unread(twice, people) == []


def test_a_card_that_somebody_has_begins_no_street_of_stud() -> None:
    text, people = sample("stud"), new_people()
    repeated_card = "Seat+5 : Card dealt to a spot [4c] "
    account = read_hand(
        FORMAT, text.replace("Seat+5 : Bets $0.08", f"{repeated_card}\nSeat+5 : Bets $0.08"), people=people
    )
    assert unread(account, people) == [repeated_card.strip()]
    assert events_of(account, d.StreetDealt) == events_of(read_hand(FORMAT, text, people=people), d.StreetDealt)


def test_a_level_of_stud_names_neither_blinds_nor_bets() -> None:
    """`Level 2 (10/20)`, where 20 and 40 are bet."""
    (hand,) = hands("stud-tournament")
    (game,) = events_of(hand, o.GameSet)
    assert (game.variant, game.betting, game.blinds, game.bets) == ("stud", "limit", (), ())
    assert not hand.opened.witnesses & Witness.BLIND_AMOUNTS
    assert [(event.amount) for event in events_of(hand, o.BringInPosted)] == [10]
