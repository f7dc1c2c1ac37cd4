"""What Boss Media's files say in their own way: calls of two kinds, dead blinds, cards as numbers."""

from __future__ import annotations

from pathlib import Path

from ledger.account import Account
from ledger.formats.boss import CARDS, FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.vocabulary import DECK, Witness
from tests.formats.support import read

SAMPLES = Path(__file__).parent / "samples"


def hands(name: str) -> list[Account]:
    items = read(FORMAT, (SAMPLES / f"{name}.xml").read_bytes())
    return [item for item in items if isinstance(item, Account)]


def events_of(account: Account, kind: type) -> list:
    return [event for event in account.events if isinstance(event, kind)]


def test_cards_are_numbers_of_one_deck() -> None:
    assert sorted(CARDS.values()) == sorted((*DECK, "??"))
    assert (CARDS["0"], CARDS["12"], CARDS["13"], CARDS["51"]) == ("Ad", "Kd", "Ac", "Ks")


def test_a_call_is_chips_added_in_newer_files_and_the_total_in_older_ones() -> None:
    newer, older = hands("cash")
    assert b.Called(3, 70, 75) in newer.events  # VALUE="0.70" over a small blind
    assert b.Called(2, 2250, 3250) in older.events  # VALUE="32.50" over a big blind


def test_the_stack_shows_whether_an_all_in_is_a_total() -> None:
    newer, _ = hands("cash")
    assert b.Raised(5, 210, 210, all_in=True) in newer.events


def test_dead_blinds_are_told_four_ways() -> None:
    newer, older = hands("cash")
    assert events_of(newer, o.BlindPosted)[2:] == [
        o.BlindPosted(5, "makeup-small", 0, 5),
        o.BlindPosted(5, "makeup-big", 10),
        o.BlindPosted(1, "makeup-small", 0, 5),
        o.BlindPosted(1, "makeup-big", 10),
    ]
    assert events_of(older, o.BlindPosted)[2:] == [
        o.BlindPosted(3, "makeup-small", 0, 500),
        o.BlindPosted(2, "entry", 1000),
    ]


def test_halves_are_told_where_the_pot_was_split() -> None:
    newer, _ = hands("cash")
    assert [(event.seat, event.half) for event in events_of(newer, e.PotAwarded)] == [(3, "high"), (5, "low")]


def test_empty_chairs_are_nobody_and_who_sits_out_is_left_out() -> None:
    newer, _ = hands("cash")
    assert [event.seat for event in events_of(newer, o.SeatLeftOut)] == [6]
    assert len(events_of(newer, e.RemarkNoted)) == 1  # BLINDSTATE


def test_a_draw_tells_which_cards_went_where_they_are_known() -> None:
    (hand,) = hands("draw")
    assert events_of(hand, d.CardsDiscarded) == [d.CardsDiscarded(3, 2), d.CardsDiscarded(5, 3, "5h9sJd")]
    assert events_of(hand, d.CardsDrawn) == [d.CardsDrawn(5, "AdKc5d")]
    assert events_of(hand, d.StoodPat) == [d.StoodPat(2)]


def test_antes_that_no_line_tells_follow_from_the_pot() -> None:
    (hand,) = hands("tournament")
    assert events_of(hand, o.AntePosted) == [o.AntePosted(seat, 25) for seat in (1, 2, 3)]
    assert all(hand.events.index(event) in hand.inferred for event in events_of(hand, o.AntePosted))


def test_the_button_is_witnessed_only_where_files_tell_it() -> None:
    newer, _ = hands("cash")
    (old,) = hands("tournament")
    assert newer.opened.witnesses & Witness.BUTTON
    assert not old.opened.witnesses & Witness.BUTTON
    assert events_of(old, o.ButtonPlaced) == []


BACKS = b'<CARD LINK="b"></CARD><CARD LINK="b"></CARD></RESULT></SHOWDOWN>'


def test_a_result_of_who_is_not_dealt_in_is_a_remark_unless_it_says_more() -> None:
    text = (SAMPLES / "tournament.xml").read_bytes()
    text = text.replace(b"<ACTION", b'<PLAYER NAME="Unknown" SEAT="4" AMOUNT="0.00"></PLAYER><ACTION', 1)
    line = b'<RESULT PLAYER="%s" WIN="%s" HAND="$(STR_G_WIN_HIGHCARD)">' + BACKS

    def count_remarks(name: bytes, win: bytes) -> tuple[int, int]:
        (hand,) = read(FORMAT, text.replace(b"</SHOWDOWN>", line % (name, win)))
        assert isinstance(hand, Account)
        return len(events_of(hand, e.LineUnread)), len(events_of(hand, e.RemarkNoted))

    assert count_remarks(b"Unknown", b"0.00") == (0, 1)
    assert count_remarks(b"Unknown", b"5.00") == (1, 0)
    assert count_remarks(b"Zoe", b"0.00") == (1, 0)


def test_what_is_damaged_says_what_it_is() -> None:
    items = read(FORMAT, (SAMPLES / "damaged.xml").read_bytes())
    codes = [getattr(item, "code", "hand") for item in items]
    assert codes == ["header", "unknown-game", "amount", "cut-off", "seat", "hand"]
