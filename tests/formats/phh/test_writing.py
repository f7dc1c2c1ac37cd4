"""What we write reads back as the same hand, here and in PokerKit; what cannot be said is named."""

from __future__ import annotations

import tomllib
import warnings
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import pytest

from ledger.account import Account
from ledger.event import Event
from ledger.formats.phh import FORMAT
from ledger.formats.phh.words import CODES
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.fold import fold
from ledger.hand.variants import VARIANTS
from ledger.notation import Chunk
from ledger.people import People
from tests.formats.phh.conftest import SAMPLES, Read, hand, only_hand
from tests.formats.support import samples

pokerkit = pytest.importorskip("pokerkit")
FILES = samples("phh")


def pokerkit_stacks(text: str) -> list[Decimal]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        *_, state = pokerkit.HandHistory.loads(text)
    return [Decimal(stack) for stack in state.stacks]


def foreign(people: People) -> list[Event]:
    """The hand of a room that tells more than PHH has words for: posts, time-outs, rake."""
    names = {1: "Ada", 2: "Bo", 3: "Eve", 4: "Cy", 5: "Di"}
    ids = {seat: people.player("Example", name) for seat, name in names.items()}
    return [
        o.HandOpened(
            "Example",
            "Example I",
            "900000000001",
            123456,
            1768507445000,
            "2026/01/15 21:04:05 CET [2026/01/15 15:04:05 ET]",
            6,
        ),
        o.GameSet("holdem", "no-limit", "cash", "USD", 2, (100, 200)),
        o.SeatDealtIn(1, ids[1], 20000),
        o.SeatDealtIn(2, ids[2], 18000),
        o.SeatLeftOut(3, ids[3], 9000, "sitting-out"),
        o.SeatDealtIn(4, ids[4], 6000),
        o.SeatDealtIn(5, ids[5], 25000),
        o.ButtonPlaced(5),
        o.BlindPosted(1, "small", 100),
        o.BlindPosted(2, "big", 200),
        o.BlindPosted(4, "makeup-small", 0, 100),
        o.BlindPosted(4, "makeup-big", 200),
        d.HoleCardsDealt(5, "AhKh"),
        d.DealCompleted(),
        b.Checked(4),
        b.Raised(5, 800, 800),
        b.ClockExpired(1),
        b.Folded(1),
        b.Called(2, 600, 800),
        b.Raised(4, 5700, 5900, True),
        b.Raised(5, 11200, 12000),
        b.Folded(2),
        b.BetReturned(5, 6100),
        d.BoardDealt("flop", "2c7dKc"),
        d.BoardDealt("turn", "9s"),
        d.BoardDealt("river", "3h"),
        e.ShowdownBegun(),
        e.CardsShown(4, "QsQd", claim=people.text("a pair of Queens")),
        e.CardsShown(5, "AhKh", claim=people.text("a pair of Kings")),
        e.PotAwarded(5, 12500),
        e.DropTaken("rake", 300),
        e.ResultDeclared("total-pot", None, 12800),
        e.HandCompleted(),
    ]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_hand_read_written_and_read_is_the_same_hand(file: Path, people: People, read: Read) -> None:
    for account in read(file.read_bytes()):
        assert isinstance(account, Account)
        export = FORMAT.write(account.events, people)
        assert export.losses == []
        assert "_handledger_events" not in export.text, "PHH can say all of what it said"
        round_trip = only_hand(read(export.text))
        assert round_trip.events == account.events
        assert FORMAT.write(round_trip.events, people) == export


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_what_we_write_is_toml(file: Path, people: People, read: Read) -> None:
    for account in read(file.read_bytes()):
        tomllib.loads(FORMAT.write(account.events, people).text)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_what_we_write_replays_in_pokerkit_to_the_same_stacks(file: Path, people: People, read: Read) -> None:
    if file.name == "odd.phh":
        pytest.skip("holds an action that nobody knows")
    for account in read(file.read_bytes()):
        text = FORMAT.write(account.events, people).text
        state = fold(account.events)
        scale = 10**state.game.exponent
        players = [event.seat for event in account.events if isinstance(event, o.SeatDealtIn)]
        seats = tomllib.loads(text, parse_float=Decimal).get("seats", players)
        ours = [state.stack(seat) for seat in seats]
        decimals = pokerkit_stacks(text)
        drop = Decimal(state.chips.drop) / scale
        if drop:
            assert sum(decimals) - drop == Decimal(sum(ours)) / scale, "PokerKit takes no rake"
        else:
            assert [None if stack is None else Decimal(stack) / scale for stack in ours] == [
                None if stack.is_infinite() else stack for stack in decimals
            ]


def test_several_hands_are_one_file_of_sections(people: People, read: Read) -> None:
    accounts = [account for file in FILES for account in read(file.read_bytes())]
    texts = [FORMAT.write(account.events, people).text for account in accounts]
    document = FORMAT.separator.join(f"[{number}]\n{text}" for number, text in enumerate(texts, 1))
    assert [a.events for a in read(document)] == [a.events for a in accounts]


def test_what_phh_has_no_word_for_is_kept_in_our_own_field(people: People, read: Read) -> None:
    events = foreign(people)
    export = FORMAT.write(events, people)
    assert export.losses == []
    assert only_hand(read(export.text)).events == events


def test_other_programs_read_the_play_of_a_foreign_hand(people: People) -> None:
    text = FORMAT.write(foreign(people), people).text
    fields = tomllib.loads(text)
    assert fields["players"] == ["Ada", "Bo", "Cy", "Di"]
    assert fields["seats"] == [1, 2, 4, 5]
    assert fields["antes"] == [0, 0, 1, 0]
    assert fields["blinds_or_straddles"] == [1, 2, -2, 0]
    assert fields["winnings"] == [0, 0, 0, 125]
    assert fields["_handledger_rake"] == 3
    assert pokerkit_stacks(text) == [199, 172, 0, 319]


def test_without_our_field_the_play_reads_the_same(people: People, read: Read) -> None:
    text = FORMAT.write(foreign(people), people).text
    plain_fields = "".join(x for x in text.splitlines(True) if not x.startswith("_handledger_events"))
    acts = (b.Folded, b.Checked, b.Called, b.Raised, b.BetReturned, d.BoardDealt, e.DropTaken)

    def play(events: Sequence[Event]) -> list[tuple[str, ...]]:
        return [
            (type(x).__name__, str(getattr(x, "seat", "")), str(getattr(x, "to", "")))
            for x in events
            if isinstance(x, acts)
        ]

    assert play(only_hand(read(plain_fields)).events) == play(foreign(people))


def test_a_raise_to_less_than_lies_there_is_named_and_comes_back(people: People, read: Read) -> None:
    """No other program takes it for an act."""
    events = foreign(people)
    index = next(index for index, event in enumerate(events) if isinstance(event, b.Raised))
    assert FORMAT.write is not None
    assert FORMAT.write(events, people).losses == []
    low = [*events[:index], b.Raised(events[index].seat, 10, 10), *events[index + 1 :]]
    export = FORMAT.write(low, people)
    assert export.losses == ["a bet or raise to no more than lies there: another program reads no such act (1)"]
    assert only_hand(read(export.text)).events == low


def test_bets_that_a_limit_hand_does_not_tell_are_those_that_were_made_and_are_named(
    people: People, read: Read
) -> None:
    """No reader of the notation takes a hand without them."""
    events_without_bets = [
        o.GameSet("holdem", "limit", "cash", "USD", 2) if isinstance(event, o.GameSet) else event
        for event in foreign(people)
    ]
    export = FORMAT.write(events_without_bets, people)
    steps = [event.to for event in events_without_bets if isinstance(event, b.Raised)][:1]
    assert f"small_bet = {(steps[0] - 2 * 100) // 100}\n" in export.text
    assert export.losses == ["the size of its bets, which the hand does not tell"]
    assert only_hand(read(export.text)).events == events_without_bets


def test_the_least_bet_of_a_hand_without_stakes_is_the_posted_big_blind(people: People) -> None:
    events_without_stakes = [
        o.GameSet("holdem", "no-limit", "cash", "USD", 2) if isinstance(event, o.GameSet) else event
        for event in foreign(people)
    ]
    posted = max(event.live for event in events_without_stakes if isinstance(event, o.BlindPosted))
    text = FORMAT.write(events_without_stakes, people).text
    assert Decimal(tomllib.loads(text)["min_bet"]) == Decimal(posted) / 100


def test_an_erased_name_is_a_loss_that_is_said(people: People, read: Read) -> None:
    events = foreign(people)
    for player in list(people.names):
        del people.names[player]
    export = FORMAT.write(events, people)
    assert any("erased" in loss for loss in export.losses)
    assert "Ada" not in export.text


@pytest.mark.parametrize("betting", ["no-limit", "pot-limit", "limit", "spread"])
def test_a_game_without_a_code_is_named_and_not_written(betting: o.Betting, people: People) -> None:
    events = foreign(people)
    for variant in VARIANTS:
        events[1] = o.GameSet(variant, betting, "cash", "USD", 2, (100, 200))
        export = FORMAT.write(events, people)
        if (variant, betting) in CODES:
            assert export.text, variant
        else:
            assert export.text == "", variant
            assert f"{betting} {variant}" in export.losses[0]


def test_a_remark_that_would_break_a_line_does_not(people: People, read: Read) -> None:
    account = only_hand(read(hand("d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "p3 f")))
    for words in ("two\nlines", "it's # here", "", "  wide  ", "\x1b[2J", "handledger", "x = 1"):
        events = [*account.events, e.RemarkNoted(people.text(words) or people.text(" "))]
        text = FORMAT.write(events, people).text
        assert only_hand(read(text)).events == events
        tomllib.loads(text)


def test_a_commented_out_field_stays_a_comment(people: People, read: Read) -> None:
    text = "# variant = 'FT'\n# author = 'Nobody'\n" + hand("d dh p1 ????")
    account = only_hand(read(text))
    export = FORMAT.write(account.events, people)
    assert only_hand(read(export.text)).events == account.events
    assert tomllib.loads(export.text)["variant"] == "NT"


def test_chunks_cut_between_hands_give_the_same_hands(people: People) -> None:
    data = (SAMPLES / "posts.phhs").read_bytes() * 3
    expected = [a.events for a in FORMAT.read(Chunk(data), people)]
    for size in (600, 1500, 4000):
        hands, start, buffer = [], 0, b""
        for index in range(0, len(data), size):
            buffer += data[index : index + size]
            end = FORMAT.find_cut(buffer, "utf-8")
            if end:
                hands += FORMAT.read(Chunk(buffer[:end], start, last=False), people)
                start, buffer = start + end, buffer[end:]
        hands += FORMAT.read(Chunk(buffer, start), people)
        assert [a.events for a in hands] == expected
        assert all(data[a.start :].startswith((b"[", b"#")) for a in hands)


def dealt_before_the_posts(people: People) -> list[Event]:
    """As PokerNow's log has it: everybody has cards before the blinds are posted; Hero's are told when all are dealt."""
    events = foreign(people)
    posts = [event for event in events if isinstance(event, o.BlindPosted)]
    events = [event for event in events if event not in posts]
    cards = next(event for event in events if isinstance(event, d.HoleCardsDealt))
    events.remove(cards)
    index = next(index for index, event in enumerate(events) if isinstance(event, d.DealCompleted)) + 1
    return [*events[:index], cards, *posts, *events[index:]]


def test_posts_behind_the_cards_are_said_by_the_plain_fields(people: People, read: Read) -> None:
    """What a reader has who knows nothing of our own field."""
    events = dealt_before_the_posts(people)
    text = FORMAT.write(events, people).text
    assert only_hand(read(text)).events == events
    plain_fields = "".join(line for line in text.splitlines(True) if not line.startswith("_handledger"))
    assert strip_own_fields(FORMAT.write(foreign(people), people).text) == strip_own_fields(text)
    assert pokerkit_stacks(plain_fields) == pokerkit_stacks(
        strip_own_fields(FORMAT.write(foreign(people), people).text)
    )
    assert "blinds_or_straddles = [1, 2, " in plain_fields


def strip_own_fields(text: str) -> str:
    return "".join(line for line in text.splitlines(True) if not line.startswith("_handledger"))


def test_who_folded_and_who_showed_already_shows_nothing_in_the_plain_actions(people: People) -> None:
    events = foreign(people)
    index = next(index for index, event in enumerate(events) if isinstance(event, e.CardsShown)) + 1
    events[index:index] = [e.CardsShown(2, "9c9d"), e.CardsShown(4, "QsQd")]
    text = FORMAT.write(events, people).text
    assert "p2 sm 9c9d" not in strip_own_fields(text)
    assert strip_own_fields(text).count("sm QsQd") == 1
    assert pokerkit_stacks(strip_own_fields(text)) == pokerkit_stacks(
        strip_own_fields(FORMAT.write(foreign(people), people).text)
    )


def test_a_hand_with_a_button_and_nobody_at_the_table_is_named_and_not_written(people: People) -> None:
    assert FORMAT.write is not None
    export = FORMAT.write(
        [o.HandOpened("R", "1", "1", 0), o.GameSet("holdem", "no-limit", "cash", "USD", 2), o.ButtonPlaced(1)], people
    )
    assert (export.text, export.losses) == ("", ["a hand of 0 players"])
