"""PokerStars text becomes the right events, each at its place, whatever the bytes look like."""

from __future__ import annotations

import pytest

from ledger.account import Account
from ledger.formats.pokerstars import FORMAT
from ledger.hand import betting as b
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.fold import fold
from ledger.intake.byte_accounts import count_bytes as accounted
from ledger.notation import Chunk
from tests.conftest import thin_out
from tests.formats.pokerstars.support import new_people, read, read_hand, rejects, sample


def events_of(account: Account, kind: type) -> list:
    return [event for event in account.events if isinstance(event, kind)]


def test_mixed_line_ends_in_one_file_are_read() -> None:
    text = sample("dead-blinds")
    lines = text.split("\n")
    mixed = "".join(line + ("\r\n", "\n", "\r")[index % 3] for index, line in enumerate(lines))
    assert read_hand(mixed).events == read_hand(text).events


def _lines(account: Account, raw: bytes) -> list[bytes]:
    places = account.places
    return [
        raw[account.start + places[index] : account.start + places[index] + places[index + 1]]
        for index in range(0, len(places), 2)
    ]


def test_a_byte_order_mark_belongs_to_no_hand() -> None:
    account = read_hand(b"\xef\xbb\xbf" + sample("razz").encode())
    assert account.start == 3
    assert account.places[0] == 0


def test_every_event_of_a_wager_stands_at_its_own_line() -> None:
    text = sample("hostile-names")
    account, raw = read_hand(text), text.encode()
    for event, line in zip(account.events, _lines(account, raw), strict=True):
        if isinstance(event, b.Folded):
            assert line.decode().rstrip().endswith("folds")
        if isinstance(event, b.Raised):
            assert " raises " in line.decode()


def test_names_that_look_like_lines_keep_their_acts() -> None:
    account = read_hand(sample("hostile-names"))
    assert [event.seat for event in events_of(account, b.Folded)] == [6, 2, 3, 5, 4]
    assert [event.seat for event in events_of(account, b.Raised)] == [1]
    assert [event.seat for event in events_of(account, e.PotAwarded)] == [1]


def test_one_line_with_both_blinds_is_a_dead_and_a_live_post() -> None:
    posts = events_of(read_hand(sample("dead-blinds")), o.BlindPosted)
    assert [(post.seat, post.role, post.live, post.dead) for post in posts] == [
        (1, "small", 100, 0),
        (2, "big", 200, 0),
        (4, "makeup-small", 0, 100),
        (4, "makeup-big", 200, 0),
        (6, "makeup-small", 0, 100),
    ]


def test_a_returned_bet_that_the_file_does_not_print_is_derived() -> None:
    account = read_hand(sample("old-without-returns"))
    (index,) = account.inferred
    assert account.events[index] == b.BetReturned(2, 1000)
    assert account.opened.started == 1124130430000


def test_a_bet_that_the_declared_pot_still_holds_is_not_returned() -> None:
    text = sample("old-without-returns").replace("Total pot $13 ", "Total pot $23 ")
    assert not events_of(read_hand(text), b.BetReturned)


def test_a_hand_that_does_not_balance_is_stored_as_told() -> None:
    text = sample("dead-blinds").replace("collected $126 from", "collected $999 from")
    account = read_hand(text)
    assert events_of(account, e.PotAwarded)[0].amount == 99900
    assert fold(account.events).conservation() == 12900 - 300 - 99900


def test_a_line_nobody_knows_is_kept_and_the_hand_is_incomplete() -> None:
    people = new_people()
    text = sample("razz").replace("Cy: folds \n", "Cy: folds \nThe lights went out\n")
    (unread_line,) = events_of(read_hand(text, people), e.LineUnread)
    assert people.words(unread_line.text) == "The lights went out"


def test_two_players_with_one_name_get_no_acts() -> None:
    text = sample("old-without-returns").replace("Cy", "Ada")
    account = read_hand(text)
    assert fold(account.events).unread_lines
    assert {event.seat for event in events_of(account, b.Raised)} == {2}


def test_an_empty_name_is_a_name() -> None:
    text = sample("old-without-returns").replace("Cy: ", ": ").replace("3: Cy (", "3:  (")
    account = read_hand(text)
    assert [event.seat for event in events_of(account, b.Folded)] == [3, 1]


@pytest.mark.parametrize(
    ("amount", "chips"),
    [
        ("$1,270.50", 127050),
        ("$1.270,50", 127050),
        ("$12,5", 1250),
        ("12.50$", 1250),
        ("$0.005", None),
        ("$1000", 100000),
        ("$1\xa0", 100),
    ],
)
def test_amounts_of_all_shapes(amount: str, chips: int | None) -> None:
    text = sample("old-without-returns").replace("($100 in chips)", f"({amount} in chips)")
    account = read_hand(text)
    seat = next(event for event in events_of(account, o.SeatDealtIn) if event.seat == 1)
    game = events_of(account, o.GameSet)[0]
    if chips is None:
        assert (seat.stack, game.exponent) == (5, 3)
    else:
        assert (seat.stack, game.exponent) == (chips, 2)


@pytest.mark.parametrize("amount", ["1e999999", "9" * 5000, "٣", "-5", "", "$", "NaN", "1_000"])
def test_what_is_no_amount_rejects_that_hand_alone(amount: str) -> None:
    text = sample("razz")
    bad = sample("old-without-returns").replace("raises $4 to $6", f"raises $4 to {amount}")
    first, reject, last = read(f"{text}\n\n\n{bad}\n\n\n{text}")
    assert isinstance(first, Account)
    assert isinstance(last, Account)
    assert rejects([reject])[0].code == "amount"


def test_a_bounty_finer_than_a_cent_does_not_stop_the_reader() -> None:
    text = sample("tournament-bounty").replace("$7.50 bounty", "$7.505 bounty")
    assert read_hand(text).opened.number == "900000000004"


def test_a_hand_cut_in_its_middle_takes_no_neighbour_along() -> None:
    text, neighbour = sample("dead-blinds"), sample("razz")
    for cut_offset in thin_out(range(len(text))):
        items = read(f"{text[:cut_offset]}\n\n{neighbour}")
        last = items[-1]
        assert isinstance(last, Account)
        assert last.opened.number == "900000000005"


@pytest.mark.parametrize("data", [b"\xd8\x00\x01", b"\xd8\x00\x00", b"\x00x\x00\n\xd8\x00\x01"])
def test_wide_characters_that_break_off_are_accounted_for(data: bytes) -> None:
    for encoding, raw in (("utf-16-be", data), ("utf-16-le", data[1::-1] + data[2:])):
        chunk = Chunk(raw, encoding=encoding)
        assert accounted(chunk, FORMAT.read(chunk, new_people())).not_read == 0


@pytest.mark.parametrize(
    "line",
    [
        "Ada: shows [" * 6000,
        "(" * 65536,
        ": " * 32768,
        "*** FLOP *** [" * 5000,
        " wins " * 10000,
        ' said, "' * 9000,
        "Seat 1: " * 8000,
        "Ada" * 20000 + " has timed out",
    ],
)
def test_a_very_long_line_is_one_line(line: str) -> None:
    text = sample("razz")
    account = read_hand(text.replace("Cy: folds \n", f"Cy: folds \n{line}\n"))
    assert len(account.events) == len(read_hand(text).events) + 1


@pytest.mark.slow
def test_a_megabyte_of_garbage_is_one_reject() -> None:
    (reject,) = rejects(read(b"\x7f#Hand #" * 150_000))
    assert (reject.code, reject.start, reject.length) == ("not-a-hand", 0, 1_200_000)


def test_a_hand_of_a_room_that_nobody_knows_is_told_by_the_name_it_has() -> None:
    text = "BlitzPoker Hand #12:  Hold'em No Limit ($1/$2 USD) - 2026/11/22 16:05:00 ET\nTable 'x'\n"
    (reject,) = rejects(read(text))
    assert reject.code == "other-room"
    assert reject.reason == "begins like a hand of BlitzPoker, a room that no reader knows"
    assert reject.hint == "Keep the file, and import it again with a version that reads this room."


def test_a_hand_of_another_room_says_which() -> None:
    text = "Poker Hand #RC12345: Hold'em No Limit ($0.01/$0.02) - 2025/01/01 00:00:00\nTable 'x'\n"
    (reject,) = rejects(read(text))
    assert reject.code == "other-room"
    assert "GGPoker" in reject.reason


def test_a_reject_names_its_bytes_and_line() -> None:
    head = "PokerStars Hand #1:  Chess No Limit ($1/$2 USD) - 2020/01/01 1:00:00 ET\n"
    text = sample("razz") + "\n\n" + head + "Table 'x' 6-max Seat #1 is the button\n"
    reject = rejects(read(text))[0]
    assert reject.code == "unknown-game"
    assert text.encode()[reject.start :].startswith(b"PokerStars Hand #1:")
    assert reject.line == sample("razz").count("\n") + 3


def test_a_hand_that_ends_early_is_kept_without_its_end() -> None:
    text = sample("dead-blinds").partition("*** TURN")[0]
    account = read_hand(text)
    assert not events_of(account, e.HandCompleted)
    assert fold(account.events).street == "flop"


def splashed() -> list[Account]:
    return [item for item in read(sample("splashed-pots")) if isinstance(item, Account)]


def test_a_splash_is_the_room_s_and_no_part_of_its_drop() -> None:
    assert [events_of(hand, o.PotSeeded) for hand in splashed()] == [
        [o.PotSeeded("splash", 120)],
        [o.PotSeeded("splash", 10000)],
        [o.PotSeeded("splash", 100)],
        [],
    ]
    assert [[drop.kind for drop in events_of(hand, e.DropTaken)] for hand in splashed()] == [["rake"]] * 4
    assert events_of(splashed()[1], e.ResultDeclared)[1] == e.ResultDeclared("side-pot", None, 3000)


def test_where_a_splash_is_told_as_uncalled_too_the_bet_alone_goes_back() -> None:
    people = new_people()
    hand = next(item for item in read(sample("splashed-pots"), people) if isinstance(item, Account))
    (back,) = events_of(hand, b.BetReturned)
    assert back == b.BetReturned(2, 50)
    assert hand.events.index(back) in hand.inferred
    assert people.texts[events_of(hand, e.RemarkNoted)[0].text] == "Uncalled bet (€1.70) returned to Bo M"
    assert fold(hand.events).conservation() == 0


def test_a_hand_that_the_room_played_out_says_how_much_nobody_is_told_to_have_won() -> None:
    assert [fold(hand.events).conservation() for hand in splashed()] == [0, 10000, 0, 0]


def test_a_time_in_brackets_of_another_zone_than_eastern_time_leaves_the_first_one() -> None:
    assert [hand.opened.started for hand in splashed()] == [1583173200000, 1583173440000, 1770755400000, 1770755460000]


def test_a_raise_that_runs_into_the_next_one_is_not_read_as_that_one() -> None:
    text = sample("old-without-returns").replace("raises $4 to $6", "raises $4Cy: raises $1 to $6")
    assert [reject.code for reject in rejects(read(text))] == ["amount"]


def test_an_amount_with_a_blank_in_it_is_damage() -> None:
    text = sample("old-without-returns").replace("raises $4 to $6", "raises $4 to $6 0")
    assert [reject.code for reject in rejects(read(text))] == ["amount"]


def test_what_follows_a_hand_is_none_of_its_lines_however_long_it_is() -> None:
    text = sample("old-without-returns")
    first, trailing_item = read(text + "\n" + "Yours sincerely\n" * 1500)
    assert isinstance(first, Account)
    assert first.events == read_hand(text).events
    assert [reject.code for reject in rejects([trailing_item])] == ["not-a-hand"]


def test_hands_without_a_line_between_them_are_told_apart_wherever_the_first_breaks_off() -> None:
    lines = sample("dead-blinds").rstrip("\n").split("\n")
    for index in range(1, len(lines) + 1):
        last = read("\n".join(lines[:index]) + "\n" + sample("razz"))[-1]
        assert isinstance(last, Account)
        assert last.events == read_hand(sample("razz")).events


@pytest.mark.parametrize("rule", ["*********** # 7 **************\n", "*********** # 7 **************\n\n"])
def test_a_chunk_larger_than_the_cache_tells_the_same_hands_at_the_same_places(rule: str) -> None:
    text = rule + sample("dead-blinds") + "\n\n"
    raw = (text * (200_000 // len(text))).encode()
    items = read(raw)
    assert {item.length for item in items} == {len(text.rstrip().encode())}
    assert [item.start for item in items] == list(range(0, len(raw), len(text.encode())))
    assert accounted(Chunk(raw), items).not_read == 0
