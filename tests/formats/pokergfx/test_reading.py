"""A live table's export becomes the right events, and what it does not say is marked as inferred."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ledger.account import Account, Reject, TableAccount
from ledger.formats.pokergfx import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.evaluate import award_ranges
from ledger.hand.fold import fold
from ledger.hand.variants import VARIANTS
from ledger.intake.byte_accounts import count_bytes as accounted
from ledger.notation import Chunk
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, read_hand, texts, unbalanced, unread

SAMPLES = Path(__file__).parent / "samples"
NAMES = sorted(path.stem for path in SAMPLES.glob("*.json"))


sample = texts("pokergfx")


def hands(name: str) -> dict[str, Account]:
    items = [item for item in read(FORMAT, sample(name)) if isinstance(item, Account)]
    return {account.opened.number: account for account in items}


def changed(name: str, **fields: object) -> str:
    """The sample with other members in its first hand."""
    document = json.loads(sample(name))
    document["Hands"] = [{**document["Hands"][0], **fields}]
    return json.dumps(document)


def inferred(account: Account, kind: type) -> bool:
    return all(index in account.inferred for index, event in enumerate(account.events) if isinstance(event, kind))


@pytest.mark.parametrize("name", NAMES)
def test_each_event_points_at_the_value_that_tells_it(name: str) -> None:
    data = sample(name).encode()
    for account in hands(name).values():
        for index, event in enumerate(account.events):
            start, length = account.places[2 * index : 2 * index + 2]
            events = data[account.start + start :][:length].decode()
            if isinstance(event, o.HandOpened):
                assert events == event.number
            if isinstance(event, b.Folded | b.Checked | b.Called | b.Bet | b.Raised):
                assert json.loads(events)["PlayerNum"] == event.seat
            if isinstance(event, e.ResultDeclared):
                assert json.loads(events)["EndStackAmt"] == event.amount


def test_bets_calls_and_raises_are_the_streets_total() -> None:
    hand = hands("bets")["1"]
    assert events_of(hand, b.Raised) == [b.Raised(8, 4500, 4500), b.Raised(3, 16000, 18000, True)]
    assert events_of(hand, b.Called) == [b.Called(8, 13500, 18000)]


def test_single_board_cards_are_one_flop() -> None:
    dealt = events_of(hands("bets")["1"], d.BoardDealt)
    assert [(event.street, event.cards) for event in dealt] == [("flop", "Kd7s3c"), ("turn", "2h"), ("river", "9d")]


def test_cards_of_which_no_board_is_said_lie_on_the_first() -> None:
    document = json.loads(sample("bets"))
    acts = [dict(event) for event in document["Hands"][0]["Events"]]
    for event in acts:
        del event["BoardNum"]
    told_so = read_hand(FORMAT, changed("bets", Events=acts, BetStructure="NL"))
    account = read_hand(FORMAT, changed("bets"))
    assert told_so.events == account.events


def test_winners_and_returned_bets_are_inferred_from_the_stacks() -> None:
    hand = hands("all-in")["5"]
    assert events_of(hand, b.BetReturned) == [b.BetReturned(3, 8000)]
    assert events_of(hand, e.PotAwarded) == [
        e.PotAwarded(1, 2500, 0),
        e.PotAwarded(1, 13500, 1),
        e.PotAwarded(2, 14000, 2),
    ]
    assert inferred(hand, e.PotAwarded)
    assert inferred(hand, b.BetReturned)


def test_a_big_blind_with_too_few_chips_pays_its_blind_before_the_ante() -> None:
    hand = hands("all-in")["6"]
    assert events_of(hand, o.BlindPosted)[1] == o.BlindPosted(2, "big", 1500)
    assert not events_of(hand, o.AntePosted)
    assert hand.events.index(events_of(hand, o.BlindPosted)[1]) in hand.inferred


def test_the_button_may_lie_at_an_empty_seat_and_a_blind_may_fall_to_one() -> None:
    hand = hands("live-table")["11"]
    assert events_of(hand, o.ButtonPlaced) == [o.ButtonPlaced(5)]
    assert o.BlindPositionPlaced("small", 6) in hand.events
    assert events_of(hand, o.BlindSkipped) == [o.BlindSkipped("small", 6, "empty-seat")]


def test_a_card_that_was_read_twice_stays_in_both_places() -> None:
    dealt = events_of(hands("live-table")["12"], d.HoleCardsDealt)
    assert [event.cards for event in dealt if "As" in event.cards] == ["As7d", "As4h"]
    assert {event.how for event in dealt} == {"rfid"}


def test_a_hand_after_which_everybody_has_the_same_chips_was_aborted() -> None:
    hand = hands("live-table")["13"]
    assert events_of(hand, e.HandVoided) == [e.HandVoided("aborted")]
    assert not events_of(hand, e.PotAwarded)
    assert not events_of(hand, e.HandCompleted)


def test_chips_that_appear_are_declared_and_nothing_is_made_to_fit() -> None:
    hand = hands("live-table")["15"]
    assert events_of(hand, e.PotAwarded) == [e.PotAwarded(9, 4000, 0)]
    assert unbalanced(hand) == ["seat 9 declared end 99000, has 29000"]


def test_the_title_of_a_session_is_a_fact_of_its_table() -> None:
    people = new_people()
    items = [item for item in read(FORMAT, sample("live-table"), people=people) if isinstance(item, TableAccount)]
    assert [people.words(item.events[0].text) for item in items] == ["Night of the rivers"]


@pytest.mark.parametrize(
    ("kind", "payers"),
    [("STD_ANTE", [2, 3, 8]), ("BUTTON_ANTE", [8]), ("BB_ANTE", [3]), ("bb_ante_bb1st", [3]), ("TB_ANTE", [])],
)
def test_the_kind_of_ante_says_who_pays_it(kind: str, payers: list[int]) -> None:
    flop = json.loads(sample("bets"))["Hands"][0]["FlopDrawBlinds"]
    hand = read_hand(FORMAT, changed("bets", FlopDrawBlinds={**flop, "AnteType": kind}))
    assert [event.seat for event in events_of(hand, o.AntePosted)] == payers
    assert {event.for_table for event in events_of(hand, o.AntePosted)} <= {len(payers) == 1}


def test_a_live_ante_counts_toward_calling() -> None:
    flop = json.loads(sample("bets"))["Hands"][0]["FlopDrawBlinds"]
    hand = read_hand(FORMAT, changed("bets", FlopDrawBlinds={**flop, "AnteType": "LIVE_ANTE"}))
    assert o.BlindPosted(8, "unknown", 2000) in hand.events
    assert events_of(hand, b.Raised)[0] == b.Raised(8, 2500, 4500)


def test_runs_and_boards_are_told_apart() -> None:
    boards = events_of(hands("games")["24"], d.BoardDealt)
    assert [(event.street, event.board, event.run) for event in boards[:2]] == [("flop", 1, 1), ("flop", 2, 1)]
    runs = events_of(hands("games")["25"], d.BoardDealt)
    assert [(event.street, event.run) for event in runs[-2:]] == [("turn", 2), ("river", 2)]
    assert [event.run for event in events_of(hands("games")["25"], e.PotAwarded)] == [1, 2]


def test_streets_that_no_card_announces_are_inferred() -> None:
    stud = hands("games")["26"]
    assert events_of(stud, d.StreetDealt) == [d.StreetDealt("fourth")]
    assert inferred(stud, d.StreetDealt)
    draw = hands("games")["27"]
    assert events_of(draw, d.CardsDiscarded) == [d.CardsDiscarded(2, 2)]
    assert events_of(draw, d.StoodPat) == [d.StoodPat(1)]


GFX_GAMES = (
    "holdem",
    "holdem_sixplus_straight_beats_trips",
    "holdem_sixplus_trips_beats_straight",
    "omaha",
    "omaha_hilo",
    "omaha5",
    "omaha5_hilo",
    "omaha6",
    "omaha6_hilo",
    "courchevel",
    "courchevel_hilo",
    "draw5",
    "deuce7_draw",
    "deuce7_triple",
    "a5_triple",
    "badugi",
    "badeucy",
    "badacey",
    "stud7",
    "stud7_hilo8",
    "razz",
)
"""The games that the program can be set to, but for pineapple."""


@pytest.mark.parametrize("name", GFX_GAMES)
def test_every_game_of_the_program_is_known(name: str) -> None:
    """A hand that ends before anything is dealt: it is of that game."""
    account = read_hand(FORMAT, changed("bets", GameVariant=name.upper(), Events=[]))
    assert events_of(account, o.GameSet)[0].variant in VARIANTS


def test_stud_has_antes_and_a_bring_in_and_no_blinds_whatever_the_game_before_had() -> None:
    hand = hands("stud-and-draw")["31"]
    assert events_of(hand, o.GameSet)[0].blinds == ()
    assert not events_of(hand, o.BlindPosted) + events_of(hand, o.BlindPositionPlaced)
    assert [ante.seat for ante in events_of(hand, o.AntePosted)] == [1, 2, 3]
    assert inferred(hand, o.AntePosted)
    assert events_of(hand, o.BringInPosted) == [o.BringInPosted(3, 50)]
    assert events_of(hand, b.Completed)[0] == b.Completed(1, 200, 200)
    stud_hand = hands("stud-and-draw")["32"]
    assert not inferred(stud_hand, o.AntePosted)


def test_a_card_for_all_is_everybodys_last_in_stud() -> None:
    hand = hands("stud-and-draw")["31"]
    assert events_of(hand, d.BoardDealt) == [d.BoardDealt("seventh", "5h")]
    assert [event.street for event in events_of(hand, d.StreetDealt)] == ["fourth", "fifth", "sixth"]
    assert events_of(hand, e.PotAwarded) == [e.PotAwarded(1, 1675, 0)]


def test_a_street_of_a_draw_begins_with_the_first_that_changes_cards() -> None:
    hand = hands("stud-and-draw")["33"]
    street_order = [
        event.street if isinstance(event, d.StreetDealt) else type(event).__name__
        for event in hand.events
        if isinstance(event, d.StreetDealt | d.CardsDiscarded | d.StoodPat | b.Bet)
    ]
    assert street_order == [
        "first-draw",
        "CardsDiscarded",
        "CardsDiscarded",
        "CardsDiscarded",
        "Bet",
        "second-draw",
        "CardsDiscarded",
        "StoodPat",
        "third-draw",
        "StoodPat",
        "CardsDiscarded",
        "Bet",
    ]
    all_in = events_of(hands("stud-and-draw")["34"], d.StreetDealt)
    assert [street_event.street for street_event in all_in] == ["first-draw", "second-draw", "third-draw"]


def test_draws_that_are_not_told_do_not_stop_the_streets() -> None:
    document = json.loads(sample("stud-and-draw"))["Hands"][2]
    acts = [act for act in document["Events"] if act["EventType"] not in ("DRAW", "STAND PAT")]
    hand = read_hand(FORMAT, changed("stud-and-draw", **{**document, "Events": acts}))
    assert [event.street for event in events_of(hand, d.StreetDealt)] == ["first-draw", "second-draw", "third-draw"]
    assert not unbalanced(hand)


def test_courchevel_shows_a_card_before_the_first_bets() -> None:
    hand = hands("stud-and-draw")["35"]
    assert [(event.street, event.cards) for event in events_of(hand, d.BoardDealt)] == [
        ("preflop", "Ad"),
        ("flop", "Kc2s"),
        ("turn", "Jh"),
        ("river", "8s"),
    ]


def test_where_three_of_a_kind_beat_a_straight_they_win() -> None:
    hand = hands("stud-and-draw")["36"]
    assert o.OptionSet("trips-beat-straights", 1) in hand.events
    assert events_of(hand, e.PotAwarded) == [e.PotAwarded(1, 1200, 0)]
    assert award_ranges(fold(hand.events)) == {1: (1200, 1200)}
    events = [event for event in hand.events if not isinstance(event, o.OptionSet)]
    assert award_ranges(fold(events)) == {2: (1200, 1200)}


def test_what_nobody_knows_is_kept_and_makes_the_hand_incomplete() -> None:
    people = new_people()
    hand = next(i for i in read(FORMAT, sample("unknown"), people=people) if isinstance(i, Account))
    unread_parts = unread(hand, people)
    assert 'Country: "XX"' in unread_parts
    assert "HoleCards: 10s zz" in unread_parts
    assert '"noise"' in unread_parts
    assert 'Weather: "rain"' in unread_parts
    assert any("TIMEOUT" in words for words in unread_parts)


def test_a_player_without_a_name_is_known_by_the_seat() -> None:
    people = new_people()
    hand = next(i for i in read(FORMAT, sample("unknown"), people=people) if isinstance(i, Account))
    assert [people.name(event.player) for event in events_of(hand, o.SeatDealtIn)] == ["Ada", "Bo", "seat 8"]


def test_a_longer_export_of_the_same_session_tells_the_same_hands() -> None:
    document = json.loads(sample("bets"))
    short_export = json.dumps({**document, "Hands": document["Hands"][:1]})
    document["EventTitle"], document["Payouts"] = "Final", [5, 3]
    document["Hands"][0]["Players"][0]["VPIPPercent"] = 44
    long_accounts = [i for i in read(FORMAT, json.dumps(document)) if isinstance(i, Account)]
    assert read_hand(FORMAT, short_export).events == long_accounts[0].events


def test_the_session_is_the_table_and_its_number_also_follows_from_when_it_began() -> None:
    document = json.loads(sample("bets"))
    document["CreatedDateTimeUTC"] = "2025-01-02T03:04:05.1234567Z"
    del document["ID"]
    assert read(FORMAT, json.dumps(document))[0].opened.table == "638713838451234567"
    name = "PGFX_live_data_export GameID=900000000000000045.json"
    assert read(FORMAT, json.dumps(document), name=name)[0].opened.table == "900000000000000045"


def test_a_file_that_breaks_off_gives_its_whole_hands() -> None:
    text = sample("bets")
    cut = text[: text.index('"HandNum":2') + 4]
    items = read(FORMAT, cut)
    assert [type(item) for item in items] == [Account, Reject]
    assert items[0].events == hands("bets")["1"].events
    assert items[1].code == "cut-off"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("GAME,PokerGFX 3.2,FEATURE_TABLE,\nHAND,1,176,HOLDEM\n", "side-file"),
        ('{"CreatedDateTimeUTC":"x","Hands":[],"ID":5}', "not-a-hand"),
        ('{"CreatedDateTimeUTC":"2026-01-15T19:00:00Z","Hands":[{"HandNum":1', "cut-off"),
        (changed("bets", HandNum=None), "no-header"),
        (changed("bets", GameVariant="PINEAPPLE"), "unknown-game"),
        (changed("bets", BetStructure="HALFPOT"), "unknown-game"),
        (changed("bets", AnteAmt=10**16), "amount"),
        (changed("bets", AnteAmt="many"), "amount"),
        (changed("bets", Players=[]), "cut-off"),
        (changed("bets", Description="\0"), "damaged"),
        (changed("bets", Events="DEEP").replace('"DEEP"', "[" * 100_000 + "]" * 100_000), "too-deep"),
        ("no export at all", "not-a-hand"),
    ],
)
def test_what_is_no_hand_is_rejected_with_its_reason(text: str, code: str) -> None:
    items = read(FORMAT, text)
    assert [item.code for item in items if isinstance(item, Reject)] == [code]


def test_amounts_with_decimals_make_the_unit_finer() -> None:
    flop = json.loads(sample("bets"))["Hands"][0]["FlopDrawBlinds"]
    hand = read_hand(FORMAT, changed("bets", FlopDrawBlinds={**flop, "SmallBlindAmt": 0.25}))
    game = events_of(hand, o.GameSet)[0]
    assert (game.exponent, game.blinds) == (2, (25, 200000))


def accented(name: str) -> str:
    """The sample with names that take one, two, three and four bytes of UTF-8."""
    return sample(name).replace("Ada", "Zo\u00eb \u0416\u4e2d").replace("Bo", "\U0001f0a1 Bo")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_in_utf_16_the_same_is_told_and_each_event_points_at_its_value(name: str, mark: str, encoding: str) -> None:
    text = mark + accented(name)
    narrow, wide = text.encode(), text.encode(encoding)
    items, wide_items = read(FORMAT, narrow), read(FORMAT, wide)
    counts = accounted(Chunk(wide, encoding=encoding), wide_items)
    assert (counts.not_read, counts.rejected, counts.total) == (0, 0, len(wide))
    assert [type(item) for item in wide_items] == [type(item) for item in items]
    for narrow_item, wide_item in zip(items, wide_items, strict=True):
        assert isinstance(narrow_item, Account | TableAccount)
        assert isinstance(wide_item, Account | TableAccount)
        assert (wide_item.events, wide_item.inferred, wide_item.times) == (
            narrow_item.events,
            narrow_item.inferred,
            narrow_item.times,
        )
        for index in range(len(narrow_item.events)):
            start, length = narrow_item.places[2 * index : 2 * index + 2]
            first, many = wide_item.places[2 * index : 2 * index + 2]
            assert wide[wide_item.start + first :][:many].decode(encoding) == (
                narrow[narrow_item.start + start :][:length].decode()
            )


def test_a_mark_of_utf_8_before_the_export_is_no_part_of_a_hand() -> None:
    for name in NAMES:
        items = read(FORMAT, b"\xef\xbb\xbf" + accented(name).encode())
        unmarked_items = read(FORMAT, accented(name))
        assert [item.start - 3 for item in items] == [item.start for item in unmarked_items]
        assert [item.events for item in items] == [item.events for item in unmarked_items]


@pytest.mark.parametrize("end", [b"\n", b"x"])
def test_half_a_character_at_the_end_of_utf_16_is_said_and_costs_no_hand(end: bytes) -> None:
    data = sample("bets").encode("utf-16-le") + end
    items = read(FORMAT, data, encoding="utf-16-le")
    assert len([item for item in items if isinstance(item, Account)]) == 3
    assert [item.code for item in items if isinstance(item, Reject)] == ["damaged"] * (end == b"x")
    assert accounted(Chunk(data, encoding="utf-16-le"), items).not_read == 0


def test_a_fold_before_its_turn_shows_that_the_order_of_acts_is_not_the_tables() -> None:
    def acts(*order: int) -> Account:
        document = json.loads(sample("bets"))
        hand = document["Hands"][0]
        events = hand["Events"]
        hand["Events"] = [events[index] for index in order] + events[4:]
        document["Hands"] = [hand]
        return read_hand(FORMAT, json.dumps(document))

    assert acts(0, 1, 2, 3).opened.witnesses & Witness.ACTS
    early_fold = acts(1, 0, 2, 3)  # the small blind folds before the button has acted
    assert not early_fold.opened.witnesses & Witness.ACTS
    assert early_fold.opened.witnesses & Witness.BOARD
