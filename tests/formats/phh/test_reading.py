"""What a PHH file says becomes events, each on the bytes that say it."""

from __future__ import annotations

import pytest

from ledger.account import Account, Reject
from ledger.formats.phh import FORMAT
from ledger.hand.betting import Bet, BetReturned, Called, Checked, Raised
from ledger.hand.dealing import BoardDealt, StreetDealt
from ledger.hand.ending import (
    CardsMucked,
    CardsShown,
    DropTaken,
    HandCompleted,
    LineUnread,
    PotAwarded,
    RemarkNoted,
    ResultDeclared,
)
from ledger.hand.fold import fold
from ledger.hand.opening import (
    AntePosted,
    BlindPosted,
    ButtonPlaced,
    GameSet,
    HandOpened,
    PostReturned,
    SeatDealtIn,
    StraddlePosted,
)
from ledger.notation import Chunk
from ledger.people import People
from tests.formats.phh.conftest import SAMPLES, Read, hand, only_hand

DEALT = ("d dh p1 ????", "d dh p2 ????", "d dh p3 ????")


def events_of(account: Account, *kinds: type) -> list[object]:
    return [event for event in account.events if isinstance(event, kinds)]


def test_an_act_stands_on_the_bytes_of_its_own_action(read: Read) -> None:
    text = hand(*DEALT, "p3 f", "p1 cbr 6 # böse", "p2 f", suffix="players = ['Ä', 'B', 'C']\n")
    account = only_hand(read(text))
    data = text.encode()

    def place(kind: type) -> str:
        index = next(i for i, event in enumerate(account.events) if isinstance(event, kind))
        start, length = account.places[2 * index : 2 * index + 2]
        return data[start : start + length].decode()

    assert place(Raised) == "p1 cbr 6"
    assert place(RemarkNoted) == "# böse"
    assert place(SeatDealtIn) == "players = ['Ä', 'B', 'C']"
    assert place(BlindPosted) == "blinds_or_straddles = [1, 2, 0]"


def test_call_and_raise_follow_from_the_play(read: Read) -> None:
    account = only_hand(
        read(hand(*DEALT, "p3 cc", "p1 cbr 8", "p2 f", "p3 cc", "d db 2c7dKc", "p1 cc", "p3 cbr 10", "p1 cc"))
    )
    assert events_of(account, Called, Raised, Bet, Checked) == [
        Called(3, 2, 2, False),
        Raised(1, 7, 8, False),
        Called(3, 6, 8, False),
        Checked(1),
        Bet(3, 10, 10, False),
        Called(1, 10, 10, False),
    ]


def test_heads_up_antes_and_blinds_are_read_the_other_way_round(read: Read) -> None:
    account = only_hand(
        read(hand("d dh p1 ????", "d dh p2 ????", "p2 f", antes="0, 1", blinds="1, 2", stacks="100, 100"))
    )
    assert events_of(account, BlindPosted) == [BlindPosted(2, "small", 1, 0, False), BlindPosted(1, "big", 2, 0, False)]
    assert events_of(account, AntePosted) == [AntePosted(1, 1, True, "ante", False)]
    assert events_of(account, ButtonPlaced) == [ButtonPlaced(2)]


def test_a_negative_blind_is_a_live_post_out_of_turn(read: Read) -> None:
    account = only_hand(read(hand(antes="0, 0, 0, 0", blinds="1, 2, 0, -2", stacks="9, 9, 9, 9")))
    assert events_of(account, BlindPosted)[-1] == BlindPosted(4, "entry", 2, 0, False)


def test_dead_money_beside_a_negative_blind_makes_up_for_both(read: Read) -> None:
    account = only_hand(read(hand(antes="0, 0, 1, 0", blinds="1, 2, -2, 0", stacks="9, 9, 9, 9")))
    posts = events_of(account, BlindPosted)
    assert BlindPosted(3, "makeup-small", 0, 1, False) in posts
    assert BlindPosted(3, "makeup-big", 2, 0, False) in posts
    assert fold(account.events).round.bet_to_call == 2


def test_more_than_two_blinds_are_straddles(read: Read) -> None:
    account = only_hand(read(hand(antes="0, 0, 0, 0, 0", blinds="1, 2, 4, 8, 16", stacks="99, 99, 99, 99, 99")))
    assert events_of(account, StraddlePosted) == [
        StraddlePosted(3, 4, "straddle", all_in=False),
        StraddlePosted(4, 8, "straddle", all_in=False),
        StraddlePosted(5, 16, "button", all_in=False),
    ]


def test_one_ante_in_the_big_blind_pays_for_the_table(read: Read) -> None:
    account = only_hand(read(hand(antes="0, 2, 0", stacks="200, 3, 200")))
    assert events_of(account, AntePosted, BlindPosted) == [
        AntePosted(2, 2, True, "ante", False),
        BlindPosted(1, "small", 1, 0, False),
        BlindPosted(2, "big", 1, 0, True),
    ]


def test_uneven_antes_go_back_where_they_are_trimmed(read: Read) -> None:
    text = hand(antes="2, 2, 5", suffix="ante_trimming_status = true\n")
    account = only_hand(read(text))
    assert events_of(account, PostReturned) == [PostReturned(3, 3, "ante", dead=True)]


def test_amounts_are_never_rounded(read: Read) -> None:
    account = only_hand(read(hand(*DEALT, "p3 cbr 6.125", "p1 f", "p2 f", blinds="0.10, 0.20, 0")))
    game = events_of(account, GameSet)[0]
    assert (game.exponent, game.blinds, game.bets) == (3, (100, 200), (2000,))
    assert events_of(account, Raised) == [Raised(3, 6125, 6125, False)]


def test_an_unknown_stack_is_none_and_not_nothing(read: Read) -> None:
    account = only_hand(read(hand(*DEALT, "p3 cbr 600", "p1 f", "p2 f", stacks="200, 200, inf")))
    assert events_of(account, SeatDealtIn)[2].stack is None
    assert events_of(account, Raised)[0].all_in is None


def test_a_currency_counts_in_its_cents(read: Read) -> None:
    for field in ("currency = 'EUR'", "currency_symbol = '€'"):
        game = events_of(only_hand(read(hand(suffix=field + "\n"))), GameSet)[0]
        assert (game.unit, game.exponent, game.blinds) == ("EUR", 2, (100, 200))


def test_date_time_and_zone_make_a_moment_only_together(read: Read) -> None:
    date = "year = 2026\nmonth = 1\nday = 15\ntime = 21:04:05\n"
    opened = only_hand(read(hand(suffix=date + "time_zone = 'Europe/Paris'\n"))).opened
    assert (opened.started, opened.written) == (1768507445000, "2026-01-15 21:04:05 Europe/Paris")
    assert only_hand(read(hand(suffix=date))).opened.started is None
    assert only_hand(read(hand(suffix=date + "time_zone = 'Nowhere/../x'\n"))).opened.started is None


def test_the_uncalled_bet_is_derived_and_marked(read: Read) -> None:
    account = only_hand(read(hand(*DEALT, "p3 cbr 6", "p1 f", "p2 f")))
    index = account.events.index(BetReturned(3, 4))
    assert index in account.inferred
    assert events_of(account, PotAwarded) == [PotAwarded(3, 5, 0)]
    assert isinstance(account.events[-1], HandCompleted)
    assert fold(account.events).conservation() == 0


def test_a_hand_that_breaks_off_is_not_finished_for_it(read: Read) -> None:
    account = only_hand(read(hand(*DEALT, "p3 cbr 6", "p1 f")))
    assert not events_of(account, BetReturned, PotAwarded, HandCompleted)


SHOWDOWN = (
    "p3 cc",
    "p1 cc",
    "p2 cc",
    "d db 2c7dKc",
    "p1 cc",
    "p2 cc",
    "p3 cc",
    "d db 9s",
    "p1 cc",
    "p2 cc",
    "p3 cc",
    "d db 3h",
    "p1 cc",
    "p2 cc",
    "p3 cc",
)


def test_no_award_is_made_up_where_cards_do_not_decide(read: Read) -> None:
    account = only_hand(read(hand(*DEALT, *SHOWDOWN)))
    assert not events_of(account, PotAwarded)
    assert fold(account.events).conservation() == 6


def test_declared_stacks_settle_what_cards_do_not(read: Read) -> None:
    account = only_hand(read(hand(*DEALT, *SHOWDOWN, suffix="finishing_stacks = [198, 204, 198]\n")))
    assert events_of(account, PotAwarded) == [PotAwarded(2, 6)]
    assert events_of(account, ResultDeclared)[1] == ResultDeclared("end-stack", 2, 204)


def test_declared_stacks_that_contradict_the_cards_change_nothing(read: Read) -> None:
    dealt = ("d dh p1 AhAd", "d dh p2 5c5h", "d dh p3 6d8h")
    account = only_hand(read(hand(*dealt, *SHOWDOWN, suffix="finishing_stacks = [198, 204, 198]\n")))
    assert events_of(account, PotAwarded) == [PotAwarded(1, 6, 0)]
    assert events_of(account, ResultDeclared)[1] == ResultDeclared("end-stack", 2, 204)


def test_winnings_after_rake_tell_the_rake(read: Read) -> None:
    text = hand(
        *DEALT,
        "p3 cbr 60",
        "p1 cc",
        "p2 f",
        "d db 2c7dKc",
        "p1 cc",
        "p3 cbr 40",
        "p1 f",
        suffix="winnings = [0, 0, 116]\n",
    )
    account = only_hand(read(text))
    assert events_of(account, PotAwarded, DropTaken) == [PotAwarded(3, 116), DropTaken("rake", 6)]
    assert all(account.events.index(e) in account.inferred for e in events_of(account, DropTaken))


def test_unlikely_winnings_are_only_declared(read: Read) -> None:
    text = hand(*DEALT, "p3 cbr 6", "p1 f", "p2 f", suffix="winnings = [0, 0, 0]\n")
    assert events_of(only_hand(read(text)), PotAwarded, DropTaken) == [PotAwarded(3, 5, 0)]


def test_who_turns_up_nothing_loses_to_who_does(read: Read) -> None:
    account = only_hand(
        read(
            hand(
                *DEALT,
                "p3 f",
                "p1 cc",
                "p2 cc",
                "d db 2c7dKc",
                "p1 cc",
                "p2 cc",
                "d db 9s",
                "p1 cc",
                "p2 cc",
                "d db 3h",
                "p1 cc",
                "p2 cc",
                "p1 sm KhKs",
                "p2 sm ????",
            )
        )
    )
    assert events_of(account, CardsShown) == [CardsShown(1, "KhKs"), CardsShown(2, "????")]
    assert events_of(account, PotAwarded) == [PotAwarded(1, 4, 0)]


def test_showing_and_mucking(read: Read) -> None:
    account = only_hand(read(hand("d dh p1 AhAd", "d dh p2 5c5h", "d dh p3 ????", "p1 sm -", "p2 sm")))
    assert events_of(account, CardsShown, CardsMucked) == [CardsShown(1, "AhAd"), CardsMucked(2)]


def test_three_single_cards_are_one_flop(read: Read) -> None:
    account = only_hand(read(hand(*DEALT, "d db 2c", "d db 7d", "d db Kc", "d db 9s")))
    assert [e.street for e in events_of(account, BoardDealt)] == ["flop", "flop", "flop", "turn"]


def test_a_sixth_board_card_is_kept_as_unread(read: Read, people: People) -> None:
    account = only_hand(read(hand(*DEALT, "d db 2c7dKc", "d db 9s", "d db 3h", "d db 4h")))
    (unread_line,) = events_of(account, LineUnread)
    assert people.words(unread_line.text) == "d db 4h"


@pytest.mark.parametrize(
    "action", ["p1 folds", "p9 f", "x f", "p1", "d dh p1", "d db 2x", "p1 cbr", "pb p1", "p0 cc", ""]
)
def test_an_action_nobody_knows_is_kept_and_marks_the_hand(read: Read, action: str) -> None:
    account = only_hand(read(hand(*DEALT, action, "p3 f")))
    assert bool(events_of(account, LineUnread)) == bool(action)


def test_streets_of_stud_and_draw_are_told(read: Read) -> None:
    stud = only_hand(read((SAMPLES / "F7S.phh").read_bytes()))
    assert [e.street for e in events_of(stud, StreetDealt)] == ["fourth", "fifth", "sixth", "seventh"]
    draw = only_hand(read((SAMPLES / "FB.phh").read_bytes()))
    assert [e.street for e in events_of(draw, StreetDealt)] == ["first-draw", "second-draw", "third-draw"]


def test_fields_and_comments_are_kept_word_for_word(read: Read, people: People) -> None:
    account = only_hand(read("# Recorded by hand\n" + hand(suffix="_lamp = { on = true }  # or not\n")))
    assert [people.words(e.text) for e in events_of(account, RemarkNoted)] == [
        "Recorded by hand",
        "_lamp = { on = true }",
        "or not",
    ]


def test_hands_without_a_name_or_number_do_not_meet(read: Read) -> None:
    template = "variant='NT'\nantes=[0,0]\nblinds_or_straddles=[1,2]\nmin_bet=2\nstarting_stacks={}\nactions=[]\n"
    first, second = only_hand(read(template.format("[9,9]"))), only_hand(read(template.format("[9,8]")))
    assert first.opened.table != second.opened.table
    assert {e.player for e in events_of(first, SeatDealtIn)}.isdisjoint(
        e.player for e in events_of(second, SeatDealtIn)
    )
    assert only_hand(read(template.format("[9,9]"))).opened == first.opened


def test_the_same_hand_reads_the_same_in_other_layouts(read: Read) -> None:
    text = (SAMPLES / "NS.phh").read_text()
    spread = text.replace("', '", "',\r\n  '").replace(" = ", "=").replace("'NS'", '"NS"')
    assert only_hand(read(spread)).events == only_hand(read(text)).events


def test_utf16_and_a_byte_order_mark_are_read(people: People) -> None:
    text = (SAMPLES / "NS.phh").read_text() + "_who = 'ÄÖ李🂡'\n"
    account = only_hand(list(FORMAT.read(Chunk(text.encode()), people)))
    marked = only_hand(list(FORMAT.read(Chunk(b"\xef\xbb\xbf" + text.encode()), people)))
    wide = only_hand(list(FORMAT.read(Chunk(text.encode("utf-16-le"), encoding="utf-16-le"), people)))
    assert marked.events == wide.events == account.events
    index = next(i for i, e in enumerate(wide.events) if isinstance(e, Raised))
    start, length = wide.places[2 * index : 2 * index + 2]
    assert text.encode("utf-16-le")[start : start + length].decode("utf-16-le") == "p1 cbr 40"


def test_a_rewritten_hand_of_ours_is_read_anew_where_somebody_changed_it(read: Read, people: People) -> None:
    opened = HandOpened("Harbour Room", "1", "1", 0)
    events = [
        opened,
        GameSet("holdem", "no-limit", "cash", "chips", 0, (1, 2)),
        SeatDealtIn(1, people.player("Harbour Room", "A"), 50),
        SeatDealtIn(2, people.player("Harbour Room", "B"), 50),
        ButtonPlaced(1),
    ]
    text = FORMAT.write(events, people).text
    assert only_hand(read(text)).events == events
    changed = only_hand(read(text.replace("[50, 50]", "[50, 60]")))
    assert events_of(changed, SeatDealtIn)[0].stack == 60, "p2 is the button, in seat 1"
    assert "changed" in (people.words(events_of(changed, RemarkNoted)[0].text) or "")


def test_rejects_say_where_and_why(read: Read) -> None:
    good, bad = hand(*DEALT), hand(*DEALT).replace("'NT'", "'NLHE'")
    first, reject, last = read(f"[1]\n{good}\n[2]\n{bad}\n[3]\n{good}")
    assert isinstance(first, Account)
    assert isinstance(last, Account)
    assert isinstance(reject, Reject)
    assert (reject.code, reject.line) == ("variant", 13)
    assert "NLHE" in reject.reason
    assert "FO/8" in reject.hint
