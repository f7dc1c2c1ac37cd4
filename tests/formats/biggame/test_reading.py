"""What The Big Game's calls say in their own way: posts that nobody tells, runs, cards behind the pot."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Final
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.account import Account, Reject
from ledger.errors import UnreadableHandError
from ledger.formats.biggame import _CALL_BEGINNING, FORMAT
from ledger.formats.biggame.literal import ParsedLiteral, parse_literal
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.notation import Item
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, read_hand, unread
from tests.fuzz.mutate import mutated
from tests.pace import out_of_proportion

module = import_module("ledger.formats.biggame.literal")
SAMPLES = Path(__file__).parent / "samples"
TEXTS = [path.read_bytes() for path in sorted(SAMPLES.iterdir()) if path.suffix != ".golden"]


def hands(name: str) -> list[Account]:
    items = read(FORMAT, (SAMPLES / name).read_bytes())
    return [item for item in items if isinstance(item, Account)]


def test_the_button_antes_for_the_table_and_the_two_behind_it_post() -> None:
    first, *_ = hands("evening.txt")
    assert events_of(first, o.AntePosted) == [o.AntePosted(1, 600, for_table=True)]
    assert events_of(first, o.BlindPosted) == [o.BlindPosted(2, "small", 200), o.BlindPosted(3, "big", 400)]
    posts = [index for index, event in enumerate(first.events) if isinstance(event, o.BlindPosted | o.AntePosted)]
    assert set(posts) <= set(first.inferred)
    assert not first.opened.witnesses & Witness.POSTS


def test_of_two_players_the_button_has_the_small_blind() -> None:
    hand = hands("evening.txt")[3]
    assert events_of(hand, o.BlindPosted) == [o.BlindPosted(6, "small", 200), o.BlindPosted(1, "big", 400)]


def test_a_bet_that_nobody_called_is_parted_from_the_award() -> None:
    first, *_ = hands("evening.txt")
    assert events_of(first, b.BetReturned) == [b.BetReturned(4, 7000)]
    assert events_of(first, e.PotAwarded) == [e.PotAwarded(4, 8600)]


def test_a_bet_that_was_taken_back_is_not_parted_again() -> None:
    hand = hands("runs.txt")[1]
    assert events_of(hand, b.BetReturned) == [b.BetReturned(1, 16500)]
    assert [event.amount for event in events_of(hand, e.PotAwarded)] == [31100, 31100]


def test_straddles_come_before_the_cards_and_the_second_is_one_upon_another() -> None:
    hand = hands("evening.txt")[1]
    assert events_of(hand, o.StraddlePosted) == [o.StraddlePosted(5, 800), o.StraddlePosted(6, 1600, "restraddle")]
    kinds = [type(event) for event in hand.events]
    assert kinds.index(o.StraddlePosted) < kinds.index(d.HoleCardsDealt)


def test_who_has_no_cards_and_makes_no_play_is_left_out() -> None:
    hand = hands("evening.txt")[2]
    assert [event.seat for event in events_of(hand, o.SeatLeftOut)] == [6]
    assert 5 in [event.seat for event in events_of(hand, o.SeatDealtIn)]  # folds, though no camera saw what
    assert not hand.opened.witnesses & Witness.ALL_CARDS
    assert hands("evening.txt")[0].opened.witnesses & Witness.ALL_CARDS


def test_all_in_is_the_seats_stack_whether_it_calls_or_raises() -> None:
    side = hands("runs.txt")[3]
    assert b.Raised(1, 2800, 3000, all_in=True) in side.events
    assert b.Raised(3, 22500, 27500, all_in=True) in side.events
    account = hands("runs.txt")[1]
    assert b.Called(3, 14500, 23500, all_in=True) in account.events


def test_cards_on_a_whole_board_are_another_run() -> None:
    rivers, pairs = hands("runs.txt")[:2]
    assert events_of(rivers, b.RunsAgreed) == [b.RunsAgreed(3)]
    assert [(event.street, event.run) for event in events_of(rivers, d.BoardDealt)] == [
        ("flop", 1),
        ("turn", 1),
        ("river", 1),
        ("river", 2),
        ("river", 3),
    ]
    assert events_of(pairs, d.BoardDealt)[-2:] == [d.BoardDealt("turn", "8h", 1, 2), d.BoardDealt("river", "3c", 1, 2)]
    agreed = pairs.events.index(b.RunsAgreed(2))
    assert pairs.events[agreed + 1] == d.BoardDealt("turn", "6c")


def test_a_flop_that_stands_behind_the_turn_is_put_before_it() -> None:
    hand = hands("runs.txt")[2]
    index = hand.events.index(d.BoardDealt("flop", "Ts4h6s"))
    assert index in hand.inferred
    assert events_of(hand, d.BoardDealt)[0].street == "flop"
    assert hand.places[2 * index + 1] > 0


def test_cards_behind_the_pot_are_no_board() -> None:
    river, several = hands("runs.txt")[4:6]
    assert events_of(river, d.RabbitShown) == [d.RabbitShown("8c", "river")]
    assert events_of(several, d.RabbitShown) == [d.RabbitShown("8c"), d.RabbitShown("2d3s4h", "flop")]


def test_a_run_without_cards_is_told_and_left_open() -> None:
    people = new_people()
    items = read(FORMAT, (SAMPLES / "strange.txt").read_bytes(), people=people)
    last = [item for item in items if isinstance(item, Account)][-1]
    assert events_of(last, b.RunsAgreed) == [b.RunsAgreed(2)]
    assert unread(last, people) == ['play: {Seat:0,Action:"Deal",value:[]}']


def test_the_address_tells_season_week_and_day_and_without_it_the_title_does() -> None:
    text = (SAMPLES / "evening.txt").read_text(encoding="utf-8").split("\n", 2)
    account, untitled = read_hand(FORMAT, f"{text[0]}\n{text[1]}"), read_hand(FORMAT, text[1])
    assert (account.opened.table, account.opened.number, account.opened.written) == ("Season 7, week 31", "1", "d2")
    assert (untitled.opened.table, untitled.opened.number) == ("week 31", "1")
    assert account.start == 0


def test_a_title_of_another_hand_is_kept_and_the_address_counts() -> None:
    people, text = new_people(), (SAMPLES / "evening.txt").read_text(encoding="utf-8")
    lines = text.split("\n")[:2]
    (item,) = read(FORMAT, "\n".join(lines).replace('"dd31h1"', '"d31h9"'), people=people)
    assert isinstance(item, Account)
    assert item.opened.number == "1"
    assert unread(item, people) == ['Title: Title:"d31h9"']


def test_where_just_the_antes_of_all_others_are_won_too_each_player_paid_one() -> None:
    text = (SAMPLES / "evening.txt").read_text(encoding="utf-8").split("\n", 2)[1]
    hand = read_hand(FORMAT, text.replace("Ante:600", "Ante:100"))
    assert events_of(hand, o.AntePosted) == [o.AntePosted(seat, 100) for seat in (2, 3, 4, 5, 6, 1)]
    assert events_of(hand, e.PotAwarded) == [e.PotAwarded(4, 8600)]


@pytest.mark.parametrize(
    ("synonym", "usual_word"), [("Raises To", "Raise to"), ("Raises To", "raises"), ("Folds", "fold")]
)
def test_other_forms_of_the_words_mean_the_same(synonym: str, usual_word: str) -> None:
    text = (SAMPLES / "evening.txt").read_text(encoding="utf-8")
    items, usual_items = read(FORMAT, text), read(FORMAT, text.replace(f'"{synonym}"', f'"{usual_word}"'))
    assert [getattr(item, "events", None) for item in items] == [getattr(item, "events", None) for item in usual_items]


def test_names_texts_and_amounts_may_be_written_in_any_way_of_javascript() -> None:
    people = new_people()
    first, _ = read(FORMAT, (SAMPLES / "loose.js").read_bytes(), people=people)
    assert isinstance(first, Account)
    assert [people.names[event.player][1] for event in events_of(first, o.SeatDealtIn)] == [
        'O\'Vesna "}])"',
        "LoadHand({Hand:{",
        "Ané !",
    ]
    game = events_of(first, o.GameSet)[0]
    assert (game.exponent, game.ante) == (1, 6005)


def test_what_is_damaged_says_what_it_is() -> None:
    items = read(FORMAT, (SAMPLES / "damaged.txt").read_bytes())
    assert [item.code if isinstance(item, Reject) else "hand" for item in items] == [
        "not-a-hand",
        "cut-off",
        "damaged",
        "not-a-hand",
        "seat",
        "seat",
        "amount",
        "amount",
        "no-header",
        "too-deep",
        "seat",
        "damaged",
        "hand",
        "not-a-hand",
    ]


@pytest.mark.parametrize("part", ["[", "{a:", "'", '"', '"LoadHand({', "LoadHand({a:'", "LoadHand({", "{a:1},"])
def test_a_text_that_never_ends_takes_time_in_proportion(part: str) -> None:
    def read_repeated(times: int) -> list[Item]:
        return read(FORMAT, "LoadHand({Hand:{Plays:[" + part * times)

    assert all(isinstance(item, Reject) for item in read_repeated(10))
    assert out_of_proportion(read_repeated, 1_500, 3_000) is None


SPELLED: Final = re.compile(
    module._ITEM.pattern.replace(module._LIST_OF_TEXTS, rb"((?!))").replace(module._PLAY, rb"(?!)()()()")
)


@given(seed=st.integers(0, 2**32))
def test_cards_and_plays_that_are_one_item_read_as_those_that_are_spelled_out(seed: int) -> None:
    random = Random(seed)
    text = random.choice(TEXTS)
    for data in (text, mutated(text, TEXTS, random)):
        for call in _CALL_BEGINNING.finditer(data):
            once = _read(data, call.end())
            with patch.object(module, "_ITEM", SPELLED):
                assert _read(data, call.end()) == once


def _read(data: bytes, offset: int) -> object:
    try:
        return _with_places(parse_literal(data, offset, "utf-8"))
    except UnreadableHandError as error:
        return error.kind


def _with_places(literal: ParsedLiteral) -> tuple[object, int, dict[str, tuple[int, int]]]:
    spans, member_places = literal.spans, literal.member_places

    def span_at(number: int) -> tuple[int, int]:
        return spans.starts[number], spans.lengths[number]

    def with_places(value: object) -> object:
        if isinstance(value, dict):
            return {k: span_at(v) if k == "" else with_places(v) for k, v in value.items()}
        return [with_places(v) for v in value] if isinstance(value, list) else value

    return with_places(literal.value), literal.end, {k: span_at(v) for k, v in member_places.items()}
