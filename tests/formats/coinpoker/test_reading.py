"""What CoinPoker's stream says in its own way: one act in three voices, snapshots, runs, two tables at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ledger.account import Account, Reject
from ledger.formats.coinpoker import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.fold import fold
from ledger.notation import Item
from ledger.presence import ChipsAdded, ConnectionLost
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, unbalanced, unread

SAMPLES = Path(__file__).parent / "samples"


def source(name: str) -> Any:
    return json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))


def items(messages: object) -> list[Item]:
    return read(FORMAT, json.dumps(messages))


def hands(name: str) -> list[Account]:
    items = read(FORMAT, (SAMPLES / f"{name}.json").read_bytes())
    return [item for item in items if isinstance(item, Account)]


def only(messages: object) -> Account:
    (item,) = items(messages)
    assert isinstance(item, Account), item
    return item


def drop_messages(messages: list[Any], *names: str) -> list[Any]:
    return [message for message in messages if message[0] not in names]


# -- amounts --------------------------------------------------------------------------------------


def test_a_snapshot_s_bet_is_the_round_s_total_and_a_call_adds_what_lacks() -> None:
    first, second = hands("cash")
    assert events_of(first, b.Raised)[:2] == [b.Raised(4, 50, 50), b.Raised(1, 160, 160)]
    assert events_of(first, b.Called)[0] == b.Called(5, 30, 50)
    assert events_of(second, b.Raised) == [b.Raised(3, 50, 60), b.Raised(1, 160, 180)]


def test_an_all_in_is_the_round_s_total_and_may_be_a_call() -> None:
    first, _ = hands("cash")
    assert b.Raised(2, 540, 550, all_in=True) in first.events
    assert b.Called(4, 250, 300, all_in=True) in first.events


def test_without_the_snapshots_the_list_of_acts_tells_the_same() -> None:
    """Two voices that were never asked together tell one hand."""
    messages = [event for event in source("cash") if event[1] != "70211900005"]
    account = only(messages)
    by_list = only(drop_messages(messages, "game.seat", "game.potInfo"))
    kinds = (o.BlindPosted, b.Folded, b.Called, b.Raised, e.PotAwarded, d.BoardDealt)
    assert [event for event in by_list.events if isinstance(event, kinds)] == [
        event for event in account.events if isinstance(event, kinds)
    ]
    by_seats = only(drop_messages(messages, "game.dealer_chat_action"))
    assert [event for event in by_seats.events if isinstance(event, kinds)] == [
        event for event in account.events if isinstance(event, kinds)
    ]


def test_a_list_of_all_acts_at_the_end_is_told_street_by_street() -> None:
    (hand,) = hands("list-of-acts")
    assert [
        type(event).__name__
        for event in hand.events
        if isinstance(event, o.BlindPosted | o.StraddlePosted | d.HoleCardsDealt | b.Raised | b.Bet | d.BoardDealt)
    ] == [
        "BlindPosted",
        "BlindPosted",
        "StraddlePosted",
        "HoleCardsDealt",
        "Raised",
        "BoardDealt",
        "Bet",
        "Raised",
        "Raised",
        "BoardDealt",
        "BoardDealt",
    ]
    assert events_of(hand, b.Raised) == [b.Raised(2, 22, 24), b.Raised(3, 90, 90), b.Raised(2, 266, 296, all_in=True)]
    assert hand.events.index(b.BetReturned(2, 30)) in hand.inferred


def test_a_snapshot_of_several_streets_has_the_moment_of_the_last_one() -> None:
    (hand,) = hands("list-of-acts")
    dealt = [index for index, event in enumerate(hand.events) if isinstance(event, d.BoardDealt)]
    assert [index in hand.times for index in dealt] == [False, False, True]


def test_a_second_voice_that_says_something_else_is_kept_and_changes_nothing() -> None:
    messages = [message for message in source("cash") if message[1] != "70211900004"]
    for name, _, body in messages:
        for entry in body.get("gameActionMessagesHistory", []) if name.startswith("game.") else []:
            if entry["action"] == "RAISE" and entry["username"] == "Basil":
                entry["actionAmount"] = 2.5
        if "Raises To 0.60 (by 0.50)" in str(body.get("dealerMessage")):
            body["dealerMessage"] = body["dealerMessage"].replace("(by 0.50)", "(by 0.40)")
    people = new_people()
    (hand,) = read(FORMAT, json.dumps(messages), people=people)
    assert isinstance(hand, Account)
    lines = unread(hand, people)
    assert len(lines) == 2
    assert lines[0].startswith("Ann: x [y] Raises To 0.60 (by 0.40)")
    assert lines[1].startswith("an act told in two ways")
    assert events_of(hand, b.Raised) == [b.Raised(3, 50, 60), b.Raised(1, 160, 180)]


def test_antes_that_count_in_the_snapshots_bets_are_no_part_of_the_bets() -> None:
    """Other records of the stream count an ante in a seat's bet: the chips tell what went in."""
    messages = [message for message in source("runs-and-boards") if message[1] == "61180000009"]
    for name, _, body in messages:
        if name == "game.seat" and body["caption"] in ("Raise", "AllIn"):
            body["betAmout"] += 2
    account = hands("runs-and-boards")[1]
    assert events_of(only(messages), b.Bet) == events_of(account, b.Bet)
    assert events_of(only(messages), b.Called) == events_of(account, b.Called)


def test_an_ante_under_a_caption_that_is_left_over_is_an_ante() -> None:
    messages = [message for message in source("runs-and-boards") if message[1] == "61180000009"]
    for _, _, body in messages:
        if body.get("caption") == "Ante":
            body["caption"] = body["newCaption"] = "Raise"
    account, changed_account = hands("runs-and-boards")[1], only(messages)
    assert events_of(changed_account, o.AntePosted) == events_of(account, o.AntePosted)
    assert events_of(changed_account, b.Bet) == events_of(account, b.Bet)


def test_a_snapshot_sent_twice_is_one_act() -> None:
    messages = []
    for entry in source("cash"):
        messages += [entry, entry] if entry[0] == "game.seat" else [entry]
    accounts = [item for item in items(messages) if isinstance(item, Account)]
    assert [account.events for account in accounts] == [account.events for account in hands("cash")]


def test_a_sum_of_binary_fractions_is_the_amount_it_stands_for() -> None:
    text = (
        (SAMPLES / "cash.json")
        .read_text(encoding="utf-8")
        .replace('"chipsToReturn": 1.2', '"chipsToReturn": 1.2000000000000002')
    )
    items = [item for item in read(FORMAT, text) if isinstance(item, Account)]
    assert [account.events for account in items] == [account.events for account in hands("cash")]


def test_balances_stand_behind_what_moved_chips_and_end_stacks_behind_the_hand() -> None:
    for name in ("cash", "all-in-or-fold", "runs-and-boards"):
        for hand in hands(name):
            assert len([x for x in events_of(hand, e.ResultDeclared) if x.what == "balance"]) >= 4
            ends = {x.seat for x in events_of(hand, e.ResultDeclared) if x.what == "end-stack"}
            assert ends == set(fold(hand.events).dealt)
            assert unbalanced(hand) == []
            assert hand.opened.witnesses & Witness.STACKS_AFTER


# -- what else happens ----------------------------------------------------------------------------


def test_posts_seats_and_positions_are_told() -> None:
    first, _ = hands("cash")
    assert events_of(first, o.BlindPosted) == [
        o.BlindPosted(2, "small", 10),
        o.BlindPosted(3, "big", 20),
        o.BlindPosted(5, "entry", 20),
    ]
    assert [(event.seat, event.reason) for event in events_of(first, o.SeatLeftOut)] == [(6, "sitting-out")]
    assert events_of(first, o.ButtonPlaced) == [o.ButtonPlaced(1)]
    assert first.opened.seats == 6
    assert first.opened.table == "702119"


def test_time_banks_lost_connections_top_ups_and_notices_are_told() -> None:
    people = new_people()
    first, second = (
        x for x in read(FORMAT, (SAMPLES / "cash.json").read_bytes(), people=people) if isinstance(x, Account)
    )
    assert events_of(first, b.TimeBankUsed) == [b.TimeBankUsed(1, 25)]
    assert events_of(first, ChipsAdded) == [ChipsAdded(2, 500, "top-up")]
    assert [people.words(event.text) for event in events_of(first, e.RemarkNoted)] == ["HAND_END_BUYOUT_SUCCESS 1.25"]
    assert events_of(second, ConnectionLost) == [ConnectionLost(2)]
    assert [event.cards for event in events_of(second, d.RabbitShown)] == ["4d5d6d", "Js", "Qs"]


def test_what_the_room_took_is_inferred_pot_by_pot() -> None:
    first, _ = hands("cash")
    assert events_of(first, e.PotAwarded) == [e.PotAwarded(4, 930, 0), e.PotAwarded(1, 480, 1)]
    assert events_of(first, e.DropTaken) == [e.DropTaken("rake", 40), e.DropTaken("rake", 20)]
    assert {first.events.index(event) for event in events_of(first, e.DropTaken)} <= set(first.inferred)


def test_in_all_in_or_fold_the_flop_lies_there_and_the_blinds_are_bets() -> None:
    (hand,) = hands("all-in-or-fold")
    assert events_of(hand, d.BoardDealt)[0] == d.BoardDealt("preflop", "Jd6s2c")
    assert events_of(hand, b.Raised) == [b.Raised(2, 190, 200, all_in=True)]
    assert events_of(hand, b.Called) == [b.Called(3, 175, 200, all_in=True)]
    assert o.OptionSet("other", "all-in-or-fold") in hand.events
    assert events_of(hand, e.DropTaken) == [e.DropTaken("rake", 4), e.DropTaken("other", 2)]


def test_chips_that_the_room_lays_beside_the_pot_go_to_the_one_winner_it_marks() -> None:
    (hand,) = hands("all-in-or-fold")
    assert events_of(hand, o.PotSeeded) == [o.PotSeeded("splash", 100)]
    assert hand.events.index(e.PotAwarded(3, 100)) in hand.inferred


def test_two_tables_at_once_are_two_hands() -> None:
    runs, boards = hands("runs-and-boards")
    assert (runs.opened.table, boards.opened.table) == ("611770", "611800")
    assert [(event.street, event.run) for event in events_of(runs, d.BoardDealt)] == [
        ("flop", 1),
        ("turn", 1),
        ("turn", 2),
        ("river", 1),
        ("river", 2),
    ]
    assert events_of(runs, b.RunsAgreed) == [b.RunsAgreed(2)]
    assert events_of(runs, e.PotAwarded) == [e.PotAwarded(2, 775, 0), e.PotAwarded(1, 775, 0, run=2)]
    assert [event.board for event in events_of(boards, e.PotAwarded)] == [1, 2]
    assert [event.board for event in events_of(boards, d.BoardDealt)] == [1, 2, 1, 2, 1, 2]
    assert len(events_of(boards, o.AntePosted)) == 3


def test_what_is_told_among_the_messages_of_another_hand_has_no_place() -> None:
    data = (SAMPLES / "runs-and-boards.json").read_bytes()
    first, second = hands("runs-and-boards")
    assert (first.start, first.start + first.length) == (0, second.start - 1)
    for hand in (first, second):
        number = hand.opened.number.encode()
        for place, length in zip(hand.places[2::2], hand.places[3::2], strict=True):
            words = data[hand.start + place :][:length]
            assert not length or number in words or words.startswith(b'{"seatId"')


# -- the game -------------------------------------------------------------------------------------


def test_the_game_is_read_where_the_table_s_name_tells_it_and_inferred_elsewhere() -> None:
    named_table, _ = hands("cash")
    (game,) = events_of(named_table, o.GameSet)
    assert (game.variant, game.betting, game.format, game.unit) == ("holdem", "no-limit", "cash", "USDT")
    assert 1 not in named_table.inferred
    runs, boards = hands("runs-and-boards")
    assert [(event.variant, event.betting) for hand in (runs, boards) for event in events_of(hand, o.GameSet)] == [
        ("omaha", "pot-limit"),
        ("omaha5", "pot-limit"),
    ]
    assert 1 in runs.inferred
    assert events_of(runs, o.GameSet)[0].unit == "chips"


def test_a_hand_without_cards_has_the_game_of_another_hand_of_its_table() -> None:
    cards = ("game.hole_cards", "game.player_info", "game.show_hole_cards", "game.reveal_cards")
    messages = [
        message
        for message in drop_messages(source("cash"), "lobby.join_game_table")
        if message[1] != "70211900004" or message[0] not in cards
    ]
    accounts = [item for item in items(messages) if isinstance(item, Account)]
    assert [events_of(account, o.GameSet)[0].variant for account in accounts] == ["holdem", "holdem"]


def test_a_table_of_a_tournament_names_it() -> None:
    join = [
        "tournamentlobby.join_table",
        None,
        {
            "tableName": "Sunday 702119",
            "roomProperties": {"id": 8123, "tournamentName": "Sunday", "gameVarient": "Holdem"},
        },
    ]
    accounts = items([join, *drop_messages(source("cash"), "lobby.join_game_table")])
    assert [item.opened.tournament for item in accounts if isinstance(item, Account)] == ["8123", "8123"]
    assert {events_of(item, o.GameSet)[0].format for item in accounts if isinstance(item, Account)} == {"tournament"}


# -- what a source may look like ------------------------------------------------------------------


@pytest.mark.parametrize("frame", ["array", "object", "lines", "arrays", "kept", "a kept array"])
def test_messages_stand_in_arrays_objects_or_one_after_the_other(frame: str) -> None:
    messages = source("cash")
    records = [{"event": a, "hand_id": b, "payload": c, "captured": 5} for a, b, c in messages]
    text = {
        "array": json.dumps(messages),
        "object": json.dumps({"a": messages[:1], "b": messages[1:]}),
        "lines": "\n".join(map(json.dumps, messages)),
        "kept": "\n".join(map(json.dumps, records)),
        "a kept array": json.dumps(records),
        "arrays": json.dumps(messages[:40]) + "\n" + json.dumps(messages[40:]),
    }[frame]
    items = read(FORMAT, text)
    assert [item.events for item in items if isinstance(item, Account)] == [item.events for item in hands("cash")]
    assert len(items) == 2


def test_what_stands_between_messages_and_is_none_is_kept() -> None:
    messages, people = source("list-of-acts"), new_people()
    text = "oops\n" + "\n".join(map(json.dumps, [*messages[:2], 42, {"event": 7}, *messages[2:]]))
    (hand,) = read(FORMAT, text, people=people)
    assert isinstance(hand, Account)
    lines = unread(hand, people)
    assert lines == ["message: oops", 'message: 42 {"event": 7}']
    assert events_of(hand, b.Raised) == events_of(hands("list-of-acts")[0], b.Raised)


def test_a_stream_that_breaks_off_gives_what_was_told_and_no_end() -> None:
    text = json.dumps([message for message in source("cash") if message[1] != "70211900005"])
    hand, remainder = read(FORMAT, text[: text.index('"game.winnerInfo"') + 400])
    assert isinstance(hand, Account)
    assert isinstance(remainder, Reject)
    assert remainder.code == "cut-off"
    assert len(events_of(hand, d.BoardDealt)) == 3
    assert events_of(hand, e.HandCompleted) == []


def test_what_is_damaged_says_what_it_is() -> None:
    items = read(FORMAT, (SAMPLES / "damaged.json").read_bytes())
    codes = [getattr(item, "code", "hand") for item in items]
    assert codes == ["no-header", "unknown-game", "amount", "seat", "damaged", "hand", "cut-off"]


@pytest.mark.parametrize("text", ['[["lobby.x", null, {}]]', "[]", "{}", "[1, 2]", '{"a": {"game.seat": 1}}'])
def test_what_holds_no_hand_is_no_hand(text: str) -> None:
    (item,) = read(FORMAT, text)
    assert isinstance(item, Reject)
    assert item.code in ("not-a-hand", "cut-off")
