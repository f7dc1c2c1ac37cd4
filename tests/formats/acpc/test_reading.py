"""Logs of the poker competition become the right events, each at its place, whatever the bytes are."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.account import Account, Reject, TableAccount
from ledger.formats.acpc import FORMAT
from ledger.hand import betting as b
from ledger.hand.ending import HandCompleted, RemarkNoted
from ledger.hand.fold import fold
from ledger.hand.opening import GameSet
from tests.formats.support import new_people, read, read_hand, unbalanced

SAMPLES = Path(__file__).parent / "samples"
NAMES = sorted(path.stem for path in SAMPLES.glob("*.txt"))
UNDAMAGED = sorted(set(NAMES) - {"damaged"})


def sample(name: str) -> bytes:
    return (SAMPLES / f"{name}.txt").read_bytes()


def hands(name: str) -> list[Account]:
    return [i for i in read(FORMAT, sample(name), name=f"{name}.log") if isinstance(i, Account)]


@pytest.mark.parametrize("name", UNDAMAGED)
def test_a_sample_balances_and_its_payoffs_follow_from_the_betting(name: str) -> None:
    for account in hands(name):
        if not any(isinstance(event, HandCompleted) for event in account.events):
            continue  # the log ends within this hand
        assert not unbalanced(account)
        state = fold(account.events)
        assert not state.oddities
        nets = {
            declaration.seat or 0: declaration.amount for declaration in state.declarations if declaration.what == "net"
        }
        for seat, net in nets.items():
            assert state.chips.awarded.get(seat, 0) - state.chips.put_in[seat] == net


def test_a_raise_with_an_amount_tells_the_chips_of_the_whole_hand() -> None:
    hand = read_hand(FORMAT, "STATE:1:r300c/r700f:2c7d|AhKh/3s9hQd:300|-300:Ann|Bo\n")
    assert [event for event in hand.events if isinstance(event, b.Raised | b.Bet)] == [
        b.Raised(2, 250, 300),
        b.Bet(1, 400, 400),
    ]


def test_what_the_line_does_not_say_is_marked_as_inferred() -> None:
    hand = read_hand(FORMAT, "STATE:1:f:2c7d|AhKh:50|-50:Ann|Bo\n")
    kinds = {type(hand.events[index]).__name__ for index in hand.inferred}
    assert kinds == {"GameSet", "SeatDealtIn", "ButtonPlaced", "BlindPosted", "BetReturned", "PotAwarded"}


def test_without_a_raise_the_payoffs_tell_limit_from_no_limit() -> None:
    limit = read_hand(FORMAT, "STATE:1:f:2c7d|AhKh:5|-5:Ann|Bo\n")
    no_limit = read_hand(FORMAT, "STATE:1:f:2c7d|AhKh:50|-50:Ann|Bo\n")
    assert [hand.events[1].betting for hand in (limit, no_limit) if isinstance(hand.events[1], GameSet)] == [
        "limit",
        "no-limit",
    ]


def test_more_chips_than_the_assumed_stack_leave_the_stacks_untold() -> None:
    hand = read_hand(FORMAT, "STATE:1:r30000f:2c7d|AhKh:-100|100:Ann|Bo\n")
    assert [fold(hand.events).start[seat] for seat in (1, 2)] == [None, None]


def test_an_act_that_the_dealer_changed_is_told_as_the_dealer_took_it() -> None:
    people = new_people()
    text = sample("messages")
    hand = next(i for i in read(FORMAT, text, people=people) if isinstance(i, Account))
    remarks = [people.texts[event.text] for event in hand.events if isinstance(event, RemarkNoted)]
    assert len(remarks) == 1
    assert remarks[0].endswith(":r350")
    assert b.Bet(1, 100, 100) in hand.events


def test_the_match_that_the_log_names_is_the_table_of_its_hands() -> None:
    items = read(FORMAT, sample("limit"), name="elsewhere.log")
    assert isinstance(items[0], TableAccount)
    assert {item.opened.table for item in items if isinstance(item, Account)} == {"example.limit"}
    assert hands("six")[0].opened.table == "six"


def test_a_log_is_cut_where_its_last_match_begins() -> None:
    first, second = sample("limit"), sample("three")
    assert FORMAT.find_cut(first + second, "utf-8") == len(first)
    assert FORMAT.find_cut(first, "utf-8") == 0


def test_a_very_long_match_is_cut_where_a_hand_begins() -> None:
    many = sample("six") * 30_000
    cut_offset = FORMAT.find_cut(many, "utf-8")
    assert many[cut_offset:] == sample("six").splitlines(keepends=True)[1]
    talk = sample("messages").split(b"FINISHED")[0].partition(b"\n")[2]
    long_talk = talk * 5000
    cut_offset = FORMAT.find_cut(long_talk, "utf-8")
    assert long_talk[cut_offset : cut_offset + 19] in (b"TO 1 at 1700000009.", b"TO 1 at 1700000007.")


def test_colons_before_the_message_do_not_stand_for_its_own() -> None:
    text = sample("messages").replace(b"STARTED", b"TO 1 at 1:2:3:4 MATCHSTATE:0d|\nSTARTED", 1)
    items = read(FORMAT, text)
    assert [item.code for item in items if isinstance(item, Reject)] == ["cut-off"]
    assert [i.events for i in items if isinstance(i, Account)] == [i.events for i in hands("messages")]


def test_other_games_of_the_competition_are_rejected_and_named() -> None:
    items = read(FORMAT, "STATE:4:cr:K|Q/J:-3|3:Ann|Bo\n")
    assert isinstance(items[0], Reject)
    assert items[0].code == "cards"
    assert "Leduc" in items[0].hint
