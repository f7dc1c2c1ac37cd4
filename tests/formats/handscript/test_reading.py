"""What people write in handscript is what the ledger reads, and what is wrong is said clearly."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ledger import formats
from ledger.account import Account, Reject, SectionAccount, TableAccount
from ledger.errors import UnreadableHandError
from ledger.formats.handscript import FORMAT, PROFILES, read_case, read_with_comments, write_lines, write_told
from ledger.formats.handscript.context import Settings
from ledger.formats.handscript.lines import iterate_lines
from ledger.formats.handscript.live import LiveLines
from ledger.formats.handscript.parser import HandscriptReader
from ledger.hand import betting as b
from ledger.hand.ending import HandCompleted
from ledger.hand.fold import fold
from ledger.hand.opening import ButtonPlaced, GameSet, HandOpened, OptionSet, SeatDealtIn
from ledger.notation import Chunk
from ledger.people import People
from ledger.presence import SeatLeft

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = sorted((ROOT / "cli" / "samples").glob("*.hand"))

HEADER = """\
handscript 1
venue "Riverside Cardroom"  table T7  seats 9
witness live-table
game holdem no-limit cash blinds 2/5 unit USD 2  # dollars and cents
option straddle-amount 10
"""
HAND = """
hand 412  2026-11-20T23:59:30-05:00
seat 1 Ana 612
seat 2 "Bo Lee" 480.50
seat 6 Eli 300
button 2
6 posts small 2
1 posts big 5
deal done
2 raises to 15            at 00:00:10.5    # a note
6 folds
1 calls                   at 23:59:58
2 wins 32
end
"""


@pytest.fixture
def people() -> People:
    return People(b"p" * 32)


def read_items(text: str, people: People):
    return [item.told for item in read_with_comments(text, people)]


def rejects(text: str, people: People) -> list[Reject]:
    return [item for item in FORMAT.read(Chunk(text.encode()), people) if isinstance(item, Reject)]


def test_the_header_holds_for_every_hand_below_it(people):
    first, second = read_items(HEADER + HAND + HAND.replace("412", "413"), people)
    for hand, number in ((first, "412"), (second, "413")):
        opened = hand.opened
        assert (opened.venue, opened.table, opened.seats) == ("Riverside Cardroom", "T7", 9)
        assert (opened.number, opened.witnesses) == (number, PROFILES["live-table"])
        assert hand.events[1] == GameSet("holdem", "no-limit", "cash", "USD", 2, (200, 500))
        assert hand.events[2] == OptionSet("straddle-amount", 1000)


@pytest.mark.parametrize(
    "game", ["game holdem no-limit cash blinds $2/$5 unit USD 2", "Game: holdem no-limit cash blinds 2/5 unit USD 2"]
)
def test_a_game_that_the_header_tells_in_everyday_words_is_that_of_all_hands(people, game):
    hands = read_items(HEADER.replace("game holdem no-limit cash blinds 2/5 unit USD 2", game) + HAND + HAND, people)
    assert [hand.events[1] for hand in hands] == [GameSet("holdem", "no-limit", "cash", "USD", 2, (200, 500))] * 2


def test_the_unit_that_is_told_below_the_options_of_a_header_is_that_of_their_amounts(people):
    (hand,) = read_items("handscript 1\nvenue V table T\noption straddle-amount 10\nunit USD 2\n" + HAND, people)
    assert hand.events[1] == OptionSet("straddle-amount", 1000)


@pytest.mark.parametrize(
    ("line", "column"),
    [("6  raises\tto 40x", 14), ('6 raises to "40"', 13), ("6 raises to 4@0", 13), ('6 folds "Ah" now', 14)],
)
def test_what_is_wrong_is_said_with_its_column(people, line, column):
    (reject,) = rejects(HEADER + HAND.replace("6 folds", line), people)
    assert [problem.column for problem in reject.problems] == [column]


@pytest.mark.parametrize("name", ["omaha-8", "Omaha8"])
def test_a_game_that_nobody_knows_is_refused_with_the_one_that_is_meant(name, people):
    (reject,) = rejects(
        HEADER + HAND.replace("seat 1", f"game {name} pot-limit cash blinds 5/5 unit USD 2\nseat 1", 1), people
    )
    assert [problem.write for problem in reject.problems] == ["game omaha8 pot-limit cash blinds 5/5 unit USD 2"]


def test_a_game_in_quotes_is_told_as_it_is(people):
    changed_text = HAND.replace("seat 1", 'game "pineapple of the house" no-limit cash blinds 5/5\nseat 1', 1)
    (hand,) = read_items(HEADER + changed_text, people)
    assert isinstance(hand.events[1], GameSet)
    assert hand.events[1].variant == "pineapple of the house"
    assert write_lines(hand.events, people)[1].startswith('game "pineapple of the house" no-limit')


def test_a_hand_may_have_another_game_than_the_header(people):
    changed_text = HAND.replace("seat 1", "game omaha pot-limit cash blinds 5/5\nseat 1", 1)
    (hand,) = read_items(HEADER + changed_text, people)
    assert [e.variant for e in hand.events if isinstance(e, GameSet)] == ["omaha"]


def test_stakes_and_games_that_change_between_hands_are_those_of_the_hands_below(people):
    hand = "hand {}\nseat 1 Ana 600\nseat 2 Bo 600\nbutton 1\nend\n"
    text = HEADER.replace("2/5", "2/5 bets 5/10") + hand.format(1) + "stakes blinds 5/10 bets 10/20\n" + hand.format(2)
    text += (
        "game-changed omaha8 limit\noption straddle-amount 20\n"
        + hand.format(3)
        + "stakes blinds 10/20\n"
        + hand.format(4)
    )
    hands = [item for item in read_items(text, people) if isinstance(item, Account)]
    games = [event for account in hands for event in account.events if isinstance(event, GameSet)]
    assert [(game.variant, game.betting, game.blinds, game.bets) for game in games] == [
        ("holdem", "no-limit", (200, 500), (500, 1000)),
        ("holdem", "no-limit", (500, 1000), (1000, 2000)),
        ("omaha8", "limit", (500, 1000), (1000, 2000)),
        ("omaha8", "limit", (1000, 2000), ()),
    ]


def test_what_a_line_leaves_out_follows_from_the_lines_before(people):
    (hand,) = read_items(HEADER + HAND, people)
    raised, _, call = hand.events[-5:-2]
    assert raised == b.Raised(2, 1500, 1500)
    assert call == b.Called(1, 1000, 1500)


def test_a_call_for_less_is_all_that_the_seat_has(people):
    account, _ = read_case(
        "stacks 1:200 2:50\nbutton 1\n1 posts small 1\n2 posts big 2\n1 raises to 90\n2 calls all-in", people
    )
    assert account.events[-1] == b.Called(2, 48, 50, all_in=True)


def test_illegal_amounts_are_written_out_and_kept(people):
    (hand,) = read_items(HEADER + HAND, people)
    index = next(i for i, e in enumerate(hand.events) if isinstance(e, b.Raised))
    hand.events[index] = b.Raised(2, 700, 1500)
    text = write_told(hand, people)
    assert "2 raises to 15 adding 7" in text
    assert read_items(text, people)[0].events == hand.events


def test_times_are_those_of_the_clock_on_the_wall_over_midnight(people):
    (hand,) = read_items(HEADER + HAND, people)
    started = hand.opened.started
    assert sorted(hand.times.values()) == [started + 28_000, started + 40_500]
    assert read_items(write_told(hand, people), people)[0].times == hand.times


def test_every_event_points_at_its_line(people):
    data = (HEADER + HAND).encode()
    (hand,) = FORMAT.read(Chunk(data, start=1000), people)
    for index, event in enumerate(hand.events):
        place = hand.start - 1000 + hand.places[2 * index]
        line = data[place : place + hand.places[2 * index + 1]].decode()
        if isinstance(event, HandCompleted):
            assert line == "end"
        if isinstance(event, b.Raised):
            assert line.startswith("2 raises to 15")
    assert hand.start + hand.length == 1000 + len(data.rstrip())


def test_comments_are_no_events_and_are_there_for_test_pages(people):
    account, comments = read_case(
        "button 1 stacks 1:200 2:200 3:200\n2 posts small 1\n3 posts big 2\n"
        '1 straddles 4   # B8f\n# a note\nremark "# none"\n',
        people,
    )
    (index,) = comments
    assert (type(account.events[index]).__name__, comments[index]) == ("StraddlePosted", "B8f")
    assert len(account.events) == 10


def test_seats_in_short(people):
    account, _ = read_case("button 1 stacks 1:200 2:?", people)
    _, _, first_seat, second_seat, button = account.events
    assert first_seat == SeatDealtIn(1, people.player("Case", "Player 1"), 200)
    assert second_seat == SeatDealtIn(2, people.player("Case", "Player 2"), None)
    assert button == ButtonPlaced(1)


def test_a_table_that_is_kept_live_goes_on_at_the_stakes_that_were_told(people):
    live = LiveLines(people, Settings(venue="Room", table="T7"))
    moment = datetime(2026, 11, 20, 20, tzinfo=UTC)
    for line in (
        "game holdem limit cash blinds 5/10 bets 10/20",
        "1 sits Ana",
        "stakes blinds 10/20 bets 20/40",
        "hand 1",
    ):
        new_hand = live.take(line, moment)
    seats = live.take("stacks 1:600 2:500", moment)
    assert [event.bets for event in new_hand.events if isinstance(event, GameSet)] == [(20, 40)]
    assert [people.name(event.player) for event in seats.events] == ["Ana", "Player 2"]


def test_stacks_are_those_of_who_sits_there_by_the_lines_before(people):
    hand = "hand {}\nbutton 1 stacks 1:600 2:600 8:600\nend\n"
    text = (
        HEADER
        + "1 sits Ana\n"
        + hand.format(1)
        + 'moved Ana from 1 to 4\nmoved "Player 2" from 2 to 1\n8 leaves "Player 8"\n8 sits Bo\n'
    )
    text += hand.format(2).replace("2:600", "4:600") + "table T8\n" + hand.format(3)
    hands = [item for item in read_items(text, people) if isinstance(item, Account)]
    names = [
        {event.seat: people.name(event.player) for event in account.events if isinstance(event, SeatDealtIn)}
        for account in hands
    ]
    assert names == [
        {1: "Ana", 2: "Player 2", 8: "Player 8"},
        {1: "Player 2", 4: "Ana", 8: "Bo"},
        {1: "Player 1", 2: "Player 2", 8: "Player 8"},
    ]


def test_a_damaged_hand_is_rejected_and_its_neighbours_are_read(people):
    bad = HAND.replace("412", "413").replace("raises", "raizes")
    first, reject, last = FORMAT.read(Chunk((HEADER + HAND + bad + HAND.replace("412", "414")).encode()), people)
    assert (first.opened.number, last.opened.number) == ("412", "414")
    assert isinstance(reject, Reject)
    assert reject.code == "verb"
    assert "raizes" in reject.reason
    assert "raises" in reject.hint
    assert (HEADER + HAND + bad).splitlines()[reject.line - 1].startswith("2 raizes")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("2 raises 15", "the word 'to' is missing before 15"),
        ("2 raises to", "an amount is missing at the end of the line"),
        ("2 raises to 15 ading 3", "found ading"),
        ("2 raises to 15.001", "at most 2 decimals"),
        ("2 raises to \u0661\u0665", "expected an amount"),
        ("2 raises to 1" + "0" * 30, "fewer digits"),
        ("2 posts tiny 2", "expected one of"),
        ("2 posts smal 2", "smal isn't a word for this place. Did you mean small?"),
        ("flop 7h 2c Kx", "Kx isn't a card"),
        ('remark "open', "a quote that is not closed"),
        (r'remark "\u{d800}"', "no such escape"),
        ("6 leaves Ana reason", "found reason"),
        ("adopted hilton 1 x", "isn't about a hand"),
        ("(((((", "too deep"),
    ],
)
def test_an_error_says_what_was_expected_and_what_was_found(people, wrong, message):
    (reject,) = rejects(HEADER + HAND.replace("6 folds", wrong), people)
    assert message in reject.reason
    assert reject.reason.startswith("line 16: ")


def test_a_header_that_cannot_be_read_rejects_all_below_it(people):
    text = HEADER.replace("live-table", "live-tabel") + HAND + HAND
    rejected = rejects(text + HEADER + HAND, people)
    assert [(r.problems[0].line, "live-tabel" in r.reason) for r in rejected] == [(3, True)] * 2
    rows = text.splitlines()
    assert [rows[r.line - 1].split()[:2] for r in rejected] == [["hand", "412"]] * 2, "each is listed where it begins"
    assert "this is handscript 2; this program reads handscript 1" in rejects("handscript 2\n" + HAND, people)[0].reason


def test_facts_between_hands_go_to_the_table(people):
    first, table, second = read_items(HEADER + HAND + "\n6 leaves Eli stack 298\n" + HAND, people)
    assert isinstance(first, Account)
    assert isinstance(second, Account)
    assert isinstance(table, TableAccount)
    assert (table.venue, table.table) == ("Riverside Cardroom", "T7")
    assert table.events == [SeatLeft(6, people.player("Riverside Cardroom", "Eli"), stack=29800)]


def test_facts_belong_to_the_table_that_the_lines_of_their_hands_name(people):
    untimed_hand = re.sub(r" +at .*", "", HAND)
    named_hand = untimed_hand.replace("hand 412  2026-11-20T23:59:30-05:00", "hand 412 tournament T1 table T9")
    text = f"{HEADER}\n6 sits Eli\n{named_hand}\n1 away\n\ntable T8\n2 away\n{untimed_hand}\n6 away\n"
    facts = [fact for fact in read_items(text, people) if isinstance(fact, TableAccount)]
    assert [(fact.tournament, fact.table) for fact in facts] == [
        ("T1", "T9"),  # above the hand
        ("T1", "T9"),  # behind it
        ("", "T8"),  # below a header that was said anew
        ("", "T8"),
    ]


def test_cases_and_house_facts_have_sections_of_their_own(people):
    text = HEADER + 'case IN2026-1\nopened blinds by floor claim "posted twice"\nend\nhouse\nend\n'
    case, empty = (item.told for item in _lenient(text, people))
    assert isinstance(case, SectionAccount)
    assert (case.kind, case.name, case.events[0].number) == ("case", "IN2026-1", "IN2026-1")
    assert isinstance(empty, Reject)
    assert rejects(text, people)[0].code == "not-imported"


def _lenient(text: str, people: People):
    return HandscriptReader(people).read_sections(iterate_lines(Chunk(text.encode())))


@pytest.mark.parametrize("name", ["\u202eanA", "Ana María", 'quo"te\\', "#1", "none", "at", " ", "søndag", "\u200d"])
def test_any_name_survives_and_no_name_turns_a_line_around(people, name):
    account, _ = read_case("stacks 1:20", people)
    account.events[2] = SeatDealtIn(1, people.player("Case", name), 20)
    text = write_told(account, people)
    assert all(char.isprintable() for char in text.replace("\n", ""))
    assert read_items(text, people)[0].events == account.events


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "cp1252"])
def test_every_encoding_is_read_and_bytes_are_counted_in_it(people, encoding):
    data = (HEADER + HAND.replace("Eli", "Élise")).replace("\n", "\r\n").encode(encoding)
    (hand,) = FORMAT.read(Chunk(data, encoding=encoding), people)
    assert people.name(hand.events[5].player) == "Élise"
    place = hand.start + hand.places[-2]
    assert data[place : place + hand.places[-1]].decode(encoding).rstrip() == "end"


def test_bytes_that_are_no_text_reject_only_their_hand(people):
    data = (HEADER + HAND).encode() + HAND.replace("412", "413").encode().replace(b"Ana", b"\xff")
    hand, reject = FORMAT.read(Chunk(data), people)
    assert isinstance(hand, Account)
    assert reject.code == "encoding"


def test_a_source_is_cut_where_a_header_begins(people):
    text = FORMAT.write(read_items(HEADER + HAND, people)[0].events, people).text
    for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
        data = (text + FORMAT.separator + text).encode(encoding)
        cut = FORMAT.find_cut(data, encoding)
        assert data[cut:] == text.encode(encoding)
        assert FORMAT.find_cut(text.encode(encoding), encoding) == 0


def test_the_format_is_recognised_by_its_first_words():
    assert formats.recognise(b"# a note\n\n handscript 1\n") is FORMAT
    assert FORMAT.sniff(b"hand 1\nhandscript 1") == 0
    assert FORMAT.sniff(b"\n" * 60_000) == 0


def test_lines_are_told_with_names_and_numbers(people):
    (hand,) = read_items(HEADER + HAND, people)
    text_lines = write_lines(hand.events, people, 1)
    assert text_lines[3:5] == ["4 seat 1 Ana 612", '5 seat 2 "Bo Lee" 480.50']


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_sample_evenings_keep_every_chip(path, people):
    stacks: dict[str, int] = {}
    for account in read_items(path.read_text("utf-8"), people):
        if isinstance(account, TableAccount):
            for event in account.events:
                name = type(event).__name__
                if name == "ChipsAdded":
                    stacks[event.player] += event.amount
                elif name == "SeatTaken":
                    stacks[event.player] = event.stack
                elif name == "SeatLeft":
                    assert stacks.pop(event.player) == event.stack
            continue
        state = fold(account.events)
        assert (state.conservation(), state.oddities, state.completed) == (0, [], True)
        for seat, player in state.players.items():
            assert stacks.get(player, state.start[seat]) == state.start[seat]
            stacks[player] = state.stack(seat)


def test_samples_of_other_formats_are_read_by_their_readers(people):
    samples = ROOT / "cli" / "samples"
    for name, reader, many in (("evening-online.txt", "pokerstars", 12), ("final-table.phhs", "phh", 5)):
        data = (samples / name).read_bytes()
        assert formats.recognise(data).name == reader
        hands = list(formats.get(reader).read(Chunk(data, name=name), people))
        assert [type(hand) for hand in hands] == [Account] * many
        assert all(fold(hand.events).conservation() == 0 for hand in hands)


def test_the_page_shows_a_hand_that_can_be_read(people):
    page = (ROOT / "docs" / "handscript.md").read_text("utf-8")
    example = re.search(r"```\n(handscript 1\n.*?)```", page, re.DOTALL)
    hand, table = read_items(example[1], people)
    assert fold(hand.events).conservation() == 0
    assert isinstance(table, TableAccount)


def test_one_hand_is_expected_of_a_case_page(people):
    with pytest.raises(UnreadableHandError, match="one hand"):
        read_case("hand 1\nend\nhand 2\nend", people)


def test_the_first_event_says_which_hand(people):
    account, _ = read_case("deal done", people)
    assert isinstance(account.events[0], HandOpened)
