"""What the IGT network's records say in their own way: totals, balances, returned bets, dead blinds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ledger.account import Account, Reject
from ledger.formats.igt import FORMAT, parse_cards
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, unread

SAMPLES = Path(__file__).parent / "samples"


def hands(name: str) -> list[Account]:
    items = read(FORMAT, (SAMPLES / f"{name}.json").read_bytes())
    return [item for item in items if isinstance(item, Account)]


def test_calls_bets_and_raises_are_the_streets_total() -> None:
    first, _ = hands("hilo")
    assert events_of(first, b.Called) == [b.Called(1, 300, 350), b.Called(3, 1650, 3650)]
    assert events_of(first, b.Raised) == [
        b.Raised(3, 350, 350),
        b.Raised(3, 2000, 2000),
        b.Raised(1, 3150, 3650, all_in=True),
    ]


def test_an_all_in_may_be_told_as_what_is_added() -> None:
    text = (SAMPLES / "hilo.json").read_text(encoding="utf-8")
    text = text.replace(
        '"ACTION_ALLIN","player":"Solveig","value":"36.50"', '"ACTION_ALLIN","player":"Solveig","value":"31.50"'
    )
    first = read(FORMAT, text)[0]
    assert isinstance(first, Account)
    assert b.Raised(1, 3150, 3650, all_in=True) in first.events


def test_the_balance_behind_every_act_with_chips_is_declared() -> None:
    first, _ = hands("hilo")
    balances = [event for event in events_of(first, e.ResultDeclared) if event.what == "balance"]
    assert [(event.seat, event.amount) for event in balances[:4]] == [(1, 3950), (2, 5450), (3, 9650), (1, 3650)]


def test_halves_are_told_where_a_pot_was_split_between_high_and_low() -> None:
    _, second = hands("hilo")
    assert events_of(second, e.PotAwarded) == [e.PotAwarded(3, 462, half="high"), e.PotAwarded(5, 462, half="low")]


def test_an_adjustment_tells_what_stays_in() -> None:
    first, walk = hands("posts")
    assert events_of(first, b.BetReturned) == [b.BetReturned(7, 1300)]
    assert events_of(walk, b.BetReturned) == [b.BetReturned(2, 200)]
    assert not events_of(walk, e.ShowdownBegun) + events_of(walk, e.CardsMucked)


def test_a_dead_small_blind_is_put_back_on_the_stack_that_is_told_behind_it() -> None:
    first, _ = hands("posts")
    seat = next(event for event in events_of(first, o.SeatDealtIn) if event.seat == 5)
    assert seat.stack == 8075
    assert first.events.index(seat) in first.inferred
    assert events_of(first, o.BlindPosted) == [
        o.BlindPosted(5, "makeup-small", 0, 50),
        o.BlindPosted(1, "small", 50),
        o.BlindPosted(2, "big", 100),
        o.BlindPosted(5, "makeup-big", 100),
        o.BlindPosted(7, "entry", 100),
    ]


def test_empty_chairs_are_nobody_and_who_sits_out_is_left_out() -> None:
    first, _ = hands("posts")
    assert [(event.seat, event.reason) for event in events_of(first, o.SeatLeftOut)] == [(6, "sitting-out")]
    assert 4 not in [event.seat for event in events_of(first, o.SeatDealtIn)]
    assert (first.opened.seats, events_of(first, o.ButtonPlaced)) == (7, [o.ButtonPlaced(7)])


def test_a_chair_that_is_kept_for_somebody_is_told_as_reserved() -> None:
    text = (SAMPLES / "posts.json").read_text(encoding="utf-8")
    first = read(FORMAT, text.replace("STATE_SITOUT", "STATE_RESERVED"))[0]
    assert isinstance(first, Account)
    assert [(event.seat, event.reason) for event in events_of(first, o.SeatLeftOut)] == [(6, "reserved")]


def test_only_new_cards_of_a_board_are_dealt_and_changed_ones_are_declared() -> None:
    first, _ = hands("posts")
    assert [event.cards for event in events_of(first, d.BoardDealt)] == ["Qc8s3h", "2c", "Jh"]
    record = json.loads((SAMPLES / "posts.json").read_text(encoding="utf-8"))
    boards = [act for act in record["history"][0]["action"] if act["type"] == "HAND_BOARD"]
    boards[1]["card"][0] = {"link": "0"}
    item = read(FORMAT, json.dumps(record))[0]
    assert isinstance(item, Account)
    assert e.ResultDeclared("board", cards="2d8s3h2c") in item.events


def test_every_act_has_its_moment() -> None:
    first, _ = hands("posts")
    acts = (b.Called, b.Raised, b.Folded, b.BetReturned, o.BlindPosted, d.BoardDealt)
    assert all(index in first.times for index, event in enumerate(first.events) if isinstance(event, acts))
    assert first.opened.witnesses & Witness.TIMES
    assert first.opened.started == first.times[min(first.times)] - 700


def test_a_draw_tells_what_went_and_what_came() -> None:
    draw, _ = hands("draw-and-tournament")
    assert events_of(draw, d.CardsDiscarded) == [d.CardsDiscarded(1, 3, "4d5sKc"), d.CardsDiscarded(2, 1)]
    assert events_of(draw, d.CardsDrawn) == [d.CardsDrawn(1, "9d2c6d")]
    assert events_of(draw, d.StoodPat) == [d.StoodPat(3)]


def test_of_fixed_limit_the_stakes_are_bets_where_the_big_blind_is_the_small_bet() -> None:
    draw, _ = hands("draw-and-tournament")
    game = events_of(draw, o.GameSet)[0]
    assert (game.betting, game.blinds, game.bets) == ("limit", (), (100, 200))


def test_a_tournament_has_chips_antes_and_bounties() -> None:
    _, hand = hands("draw-and-tournament")
    game = events_of(hand, o.GameSet)[0]
    assert (game.format, game.unit, game.exponent, game.ante) == ("tournament", "chips", 0, 10)
    assert (hand.opened.tournament, events_of(hand, o.SeatDealtIn)[0].bounty) == ("TRN_77", 250)


@pytest.mark.parametrize(
    ("link", "card"), [("0", "2d"), ("12", "Ad"), ("13", "2c"), ("26", "2h"), ("51", "As"), ("b", "??")]
)
def test_cards_count_from_the_two_up_suit_by_suit(link: str, card: str) -> None:
    assert parse_cards([{"link": link}]) == card


def test_what_nobody_knows_is_kept() -> None:
    people = new_people()
    (item,) = read(FORMAT, (SAMPLES / "strange.json").read_bytes(), people=people)
    assert isinstance(item, Account)
    labels = [line.partition(":")[0] for line in unread(item, people)]
    assert labels == [
        "mood",
        "weather",
        "action",
        "action",
        "action",
        "action",
        "hurry",
        "action",
        "glow",
        "result",
        "result",
        "showDown.bonus",
    ]


@pytest.mark.parametrize("frame", ["{0}", "{0}\n{0}", " {0} \n\n{0}\n"])
def test_records_stand_alone_or_one_after_the_other(frame: str) -> None:
    record = json.dumps(json.loads((SAMPLES / "hilo.json").read_text(encoding="utf-8")))
    items = read(FORMAT, frame.replace("{0}", record))
    assert all(isinstance(item, Account) for item in items)
    assert len(items) == 2 * frame.count("{0}")


def test_a_record_without_a_showdown_is_of_a_hand_that_is_not_over() -> None:
    record = json.loads((SAMPLES / "posts.json").read_text(encoding="utf-8"))
    del record["history"][1]["showDown"]
    item = read(FORMAT, json.dumps(record))[1]
    assert isinstance(item, Account)
    assert not events_of(item, e.HandCompleted)


def test_what_is_damaged_says_what_it_is() -> None:
    items = read(FORMAT, (SAMPLES / "damaged.json").read_bytes())
    assert [item.code if isinstance(item, Reject) else "hand" for item in items] == [
        "no-header",
        "unknown-game",
        "not-a-hand",
        "cut-off",
        "seat",
        "amount",
        "seat",
        "hand",
        "amount",
        "cut-off",
    ]


@pytest.mark.parametrize("name", [{"x": []}, [], 7, True])
def test_a_name_that_is_none_stays_unread(name: object) -> None:
    record = json.loads((SAMPLES / "hilo.json").read_text(encoding="utf-8"))
    hand = record["history"][0]
    next(entry for entry in hand["player"] if entry["name"] == "Solveig")["name"] = name
    for entry in hand["action"]:
        if entry.get("player") == "Solveig":
            entry["player"] = ""
    people = new_people()
    first = read(FORMAT, json.dumps(record), people=people)[0]
    assert isinstance(first, Account)
    assert "player" in [line.partition(":")[0] for line in unread(first, people)]


def test_of_fixed_limit_no_bets_are_told_where_the_stakes_are_the_blinds() -> None:
    text = (SAMPLES / "posts.json").read_text()
    document, limited = json.loads(text), json.loads(text)
    for hand in limited["history"]:
        hand["limit"] = "Fixed Limit"
    assert limited != document
    hand = next(item for item in read(FORMAT, json.dumps(limited)) if isinstance(item, Account))
    game = events_of(hand, o.GameSet)[0]
    assert game.betting == "limit"
    assert game.blinds == events_of(hands("posts")[0], o.GameSet)[0].blinds
    assert game.bets == ()
