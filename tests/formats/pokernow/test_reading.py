"""A PokerNow log becomes hands and facts about the table, each at its row and with its time."""

from __future__ import annotations

import pytest

from ledger import presence as p
from ledger.account import Account, Reject, TableAccount
from ledger.formats.pokernow import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.intake.byte_accounts import count_bytes as accounted
from ledger.notation import Chunk
from ledger.table import events as t
from ledger.vocabulary import Witness
from tests.formats.pokernow.samples_of import events_of, facts, hand, items, sample
from tests.formats.support import new_people, read, unbalanced, unread


def log(*rows: str) -> str:
    """Rows as they happened, a second apart, as the file has them."""
    lines = []
    for index, text in enumerate(rows):
        quoted = '"' + text.replace('"', '""') + '"'
        lines.append(f"{quoted},2026-01-15T20:00:{index % 60:02}.000Z,{(1768507200 + index) * 100000}")
    return "\n".join(["entry,at,order", *reversed(lines)]) + "\n"


HEADS_UP = (
    '-- starting hand #7  (No Limit Texas Hold\'em) (dealer: "A @ a") --',
    'Player stacks: #1 "A @ a" (100) | #2 "B @ b" (100)',
    '"A @ a" posts a small blind of 1',
    '"B @ b" posts a big blind of 2',
    '"A @ a" folds',
    'Uncalled bet of 1 returned to "B @ b"',
    '"B @ b" collected 2 from pot',
    "-- ending hand #7 --",
)


@pytest.mark.parametrize("name", ["evening.csv", "games.csv", "hostile.csv", "tournament.csv"])
def test_each_event_points_at_the_row_that_tells_it(name: str) -> None:
    data = sample(name).encode()
    for item in items(name):
        assert not isinstance(item, Reject)
        for index in range(len(item.events)):
            start, length = item.places[2 * index : 2 * index + 2]
            row = data[item.start + start :][:length].decode()
            if length:
                moment = item.times.get(index) or item.opened.started
                assert row.rpartition(",")[2].startswith(str(moment))


def test_the_file_runs_backwards_and_is_told_forwards() -> None:
    forwards = log(*HEADS_UP)
    rows = forwards.splitlines()
    backwards = "\n".join([rows[0], *reversed(rows[1:])]) + "\n"
    assert hand_of(forwards).events == hand_of(backwards).events


def hand_of(text: str, name: str = "") -> Account:
    items = [item for item in read(FORMAT, text, name=name) if isinstance(item, Account)]
    assert len(items) == 1
    return items[0]


def test_rows_of_one_moment_go_by_their_number_wherever_they_stand() -> None:
    rows = log(*HEADS_UP).splitlines()
    rows[3], rows[5] = rows[5], rows[3]
    assert hand_of("\n".join(rows)).events == hand_of(log(*HEADS_UP)).events


def test_a_number_that_somebody_cut_short_is_taken_from_the_moment() -> None:
    text = log(*HEADS_UP).replace(",176850720000000", ",17685072000000")
    assert hand_of(text).events == hand_of(log(*HEADS_UP)).events


def test_numbers_that_a_spreadsheet_rounded_are_taken_from_the_moment() -> None:
    lines = [line.rpartition(",")[0] + ",1.76851E+14" for line in log(*HEADS_UP).splitlines()[1:]]
    text = "\n".join(["entry,at,order", *lines])
    assert hand_of(text).events == hand_of(log(*HEADS_UP)).events


def test_rows_without_a_number_go_by_the_moment() -> None:
    numbered = log(*HEADS_UP)
    unnumbered = "\n".join(line.rpartition(",")[0] for line in numbered.splitlines()) + "\n"
    assert unnumbered.startswith("entry,at\n")
    assert FORMAT.sniff(unnumbered.encode())
    assert [item.events for item in read(FORMAT, unnumbered)] == [item.events for item in read(FORMAT, numbered)]


FIRST_LOGS = (
    '-- starting hand #7 (No Limit Texas Hold\'em) (dealer: "A @ a") --',
    'Players stacks: "A @ a" (1000) | "B @ b" (980) | "C @ c" (1020)',
    '"B @ b" posts a small blind of 10',
    '"C @ c" posts a big blind of 20',
    '"A @ a" raises with 60',
    '"B @ b" calls with 60',
    '"C @ c" folds',
    "flop: [4♦, 8♥, A♥]",
    '"B @ b" checks',
    '"A @ a" bets with 80',
    '"B @ b" raises with 200',
    '"A @ a" calls with 200',
    "turn: 4♦, 8♥, A♥ [K♣]",
    '"B @ b" bets with 720 and all in',
    '"A @ a" calls with 720',
    "river: 4♦, 8♥, A♥, K♣ [2♣]",
    "\"A @ a\" wins 1980 with Two Pair, A's & K's (combination: A♠, A♥, K♠, K♣, 8♥) (hand: A♠, K♠)",
    "-- ending hand #7 --",
    '-- starting hand #8 (No Limit Texas Hold\'em) (dealer: "A @ a") --',
    'Players stacks: "A @ a" (2000) | "C @ c" (1000)',
    '"A @ a" posts a small blind of 10',
    '"C @ c" posts a big blind of 20',
    '"A @ a" raises 60',
    '"C @ c" folds',
    '"A @ a" gained 40',
    "-- ending hand #8 --",
)


def test_the_words_of_the_first_logs_are_read() -> None:
    people = new_people()
    hands = [item for item in read(FORMAT, log(*FIRST_LOGS), people=people) if isinstance(item, Account)]
    assert [unread(hand, people) for hand in hands] == [[], []]
    assert [unbalanced(hand) for hand in hands] == [[], []]
    first, second = hands
    assert [(seat.seat, seat.stack) for seat in events_of(first, o.SeatDealtIn)] == [(1, 1000), (2, 980), (3, 1020)]
    assert [(hand.added, hand.to) for hand in events_of(first, b.Raised)] == [(60, 60), (200, 200)]
    assert [(hand.added, hand.all_in) for hand in events_of(first, b.Bet)] == [(80, None), (720, True)]
    assert [hand.cards for hand in events_of(first, e.CardsShown)] == ["AsKs"]
    assert [hand.amount for hand in events_of(second, b.BetReturned)] == [40]


def test_calls_bets_and_raises_are_the_streets_total() -> None:
    account = hand("evening.csv", "1")
    assert events_of(account, b.Called) == [b.Called(1, 200, 200), b.Called(1, 600, 800)]
    assert events_of(account, b.Raised) == [b.Raised(2, 700, 800)]


def test_every_act_has_its_time() -> None:
    account = hand("evening.csv", "1")
    index = next(position for position, event in enumerate(account.events) if isinstance(event, b.Raised))
    assert account.times[index] == 1768507211000


def test_cards_shown_after_the_end_and_undealt_cards_belong_to_the_hand() -> None:
    account = hand("evening.csv", "1")
    assert events_of(account, e.CardsShown) == [
        e.CardsShown(2, "Kd??", after=True),
        e.CardsShown(1, "Ks9s", after=True),
    ]
    assert events_of(account, d.RabbitShown) == [d.RabbitShown("3s4s")]


def test_the_owner_of_the_log_is_found_by_the_hands_that_he_shows() -> None:
    assert events_of(hand("evening.csv", "2"), d.HoleCardsDealt) == [d.HoleCardsDealt(1, "TsTc")]
    assert hand("evening.csv", "2").opened.witnesses & Witness.OWN_CARDS
    assert not hand("evening.csv", "3").opened.witnesses & Witness.OWN_CARDS


def test_cards_of_an_owner_who_is_not_known_are_kept_as_words() -> None:
    people = new_people()
    rows = (*HEADS_UP[:2], "Your hand is A♠, K♦", *HEADS_UP[2:])
    account = next(i for i in read(FORMAT, log(*rows), people=people) if isinstance(i, Account))
    assert [people.words(event.text) for event in events_of(account, e.RemarkNoted)] == ["Your hand is A♠, K♦"]


def test_it_runs_twice_with_side_pots() -> None:
    account = hand("evening.csv", "2")
    assert events_of(account, b.RunsAgreed) == [b.RunsAgreed(2)]
    assert [event.runs for event in events_of(account, b.RunsAnswered)] == [2, 2, 2]
    assert [(event.street, event.run) for event in events_of(account, d.BoardDealt)] == [
        ("flop", 1),
        ("turn", 1),
        ("river", 1),
        ("flop", 2),
        ("turn", 2),
        ("river", 2),
    ]
    assert [(event.seat, event.run) for event in events_of(account, e.PotAwarded)] == [(4, 1), (2, 1), (2, 2)]


def test_missed_blinds_are_dead_and_live_and_a_dead_small_blind_is_nobodys() -> None:
    account = hand("evening.csv", "3")
    assert events_of(account, o.BlindPosted) == [
        o.BlindPosted(2, "big", 400),
        o.BlindPosted(1, "makeup-small", 0, 150, True),
        o.BlindPosted(5, "makeup-small", 0, 200),
        o.BlindPosted(5, "makeup-big", 400),
    ]
    assert events_of(account, o.BlindSkipped) == [o.BlindSkipped("small", None, "dead-small-blind")]


def test_of_a_dead_button_the_log_does_not_say_where_it_lies() -> None:
    account = hand("evening.csv", "3")
    assert events_of(account, o.ButtonPlaced) == [o.ButtonPlaced(None)]
    assert not account.opened.witnesses & Witness.BUTTON


def test_a_straddle_is_a_straddle() -> None:
    assert events_of(hand("evening.csv", "2"), o.StraddlePosted) == [o.StraddlePosted(2, 400)]


def test_a_bomb_pot_has_two_boards_and_no_blinds() -> None:
    account = hand("games.csv", "10")
    assert events_of(account, o.OptionSet) == [o.OptionSet("bomb-pot", 3)]
    assert {(event.kind, event.amount) for event in events_of(account, o.AntePosted)} == {("bomb-pot", 3)}
    assert [event.board for event in events_of(account, d.BoardDealt)] == [1, 2, 1, 2, 1, 2]
    assert [(event.seat, event.board) for event in events_of(account, e.PotAwarded)] == [(2, 1), (10, 2)]
    assert events_of(account, o.GameSet)[0].variant == "omaha5"


@pytest.mark.parametrize(
    "words",
    [
        "posts a bet of 3 (bomb pot bet) and go all in",
        "posts a bet of 3 and go all in (bomb pot bet)",
        "posts 3 for the bomb pot and go all in ",
        "calls 3 (bomb pot bet) and go all in",
    ],
)
def test_a_bomb_pots_ante_is_known_in_every_wording(words: str) -> None:
    account = hand_of(log(*HEADS_UP[:2], f'"A @ a" {words}', *HEADS_UP[4:]))
    assert events_of(account, o.AntePosted) == [o.AntePosted(1, 3, kind="bomb-pot", all_in=True)]


def test_a_post_may_be_all_in() -> None:
    account = hand_of(log(*HEADS_UP[:3], '"B @ b" posts a big blind of 1 and go all in ', *HEADS_UP[4:]))
    assert events_of(account, o.BlindPosted)[1] == o.BlindPosted(2, "big", 1, all_in=True)
    assert events_of(account, o.GameSet)[0].blinds == ()


def test_halves_of_a_pot_are_told_apart() -> None:
    halves = [(event.amount, event.half) for event in events_of(hand("games.csv", "11"), e.PotAwarded)]
    assert halves == [(2, ""), (13, "high"), (14, "low")]


def test_a_bounty_moves_chips_and_is_no_part_of_the_pot() -> None:
    account = hand("games.csv", "12")
    assert events_of(account, e.BountyWon) == [e.BountyWon(1, 25, 2, "seven-deuce")]
    assert events_of(account, p.ChipsRemoved) == [p.ChipsRemoved(2, 25)]
    assert not unbalanced(account)


def test_what_happens_between_hands_are_facts_of_the_table() -> None:
    people = new_people()
    events = facts("evening.csv")
    ada, bo, cy, di = (
        people.player("PokerNow", f"{name}")
        for name in ("Ada @ aaaaaaaaaa", "Bo @ bbbb_bbbbb", "Cy @ cc-ccccccc", "Di @ dddddddddd")
    )
    guest = people.player("PokerNow", "Di @ gggggggggg")
    for event in (
        t.SeatRequested(bo),
        t.SeatRequestAnswered(bo, granted=False, by="host"),
        t.SeatRequestAnswered(bo, granted=True, by="host", stack=18000),
        t.GameStarted(),
        p.ChipsAdded(4, 4200, "admin", "host", cy),
        t.HostChanged(bo, ada),
        t.RemovalQueued(cy, "host"),
        t.RemovalQueued(cy, "host", withdrawn=True),
        t.RemovalQueued("", "host"),
        p.StackCounted(1, 200),
        p.PlayerAway(1, ada, why="stood-up"),
        p.SeatLeft(4, cy, "left", 15000),
        p.SeatLeft(1, ada, "busted", 0),
        t.PlayerIdentified(guest, di),
        t.StakesChanged((200, 400)),
        t.StakesChanged(ante=50),
    ):
        assert event in events, event


def test_who_comes_or_goes_during_a_hand_stands_in_it() -> None:
    assert events_of(hand("evening.csv", "1"), p.SeatTaken)[0].stack == 20000
    account = hand("evening.csv", "3")
    assert [event.seat for event in events_of(account, p.PlayerBack)] == [1]
    assert [event.why for event in events_of(account, p.PlayerAway)] == ["forced"]
    assert [(event.seat, event.stack) for event in events_of(account, p.SeatTaken)] == [(5, 8000)]


def test_a_game_in_which_all_sit_down_anew_begins_with_that_hand() -> None:
    items_read = items("evening.csv")
    index = next(
        index
        for index, item in enumerate(items_read)
        if isinstance(item, TableAccount) and item.events == [t.GameStarted()]
    )
    assert isinstance(items_read[index + 1], Account)
    assert items_read[index].inferred == [0]


def test_a_tournaments_rows_say_that_it_is_one() -> None:
    assert events_of(hand("tournament.csv", "2"), o.GameSet)[0].format == "tournament"
    assert events_of(hand("evening.csv", "2"), o.GameSet)[0].format == "cash"
    assert p.ChipsAdded(2, 1000, "rebuy", "player", new_people().player("PokerNow", "Bo @ bbbb_bbbbb")) in facts(
        "tournament.csv"
    )
    assert t.TablePaused("break") in facts("tournament.csv")


def test_words_without_an_event_are_kept_over_several_lines() -> None:
    people = new_people()
    remarks = [
        people.words(event.text)
        for item in read(FORMAT, sample("evening.csv"), people=people)
        if isinstance(item, TableAccount)
        for event in item.events
        if isinstance(event, e.RemarkNoted)
    ]
    assert 'Game Config Changes\nBomb Pot: off » on\nRun it Twice: "ask players" » no' in remarks


def test_rows_that_nobody_knows_are_kept_where_they_stand() -> None:
    people = new_people()
    items = read(FORMAT, sample("evening.csv"), people=people)
    last = [item for item in items if isinstance(item, Account)][-1]
    assert unread(last, people) == ['"Di @ dddddddddd" dances']
    assert not events_of(last, e.HandCompleted)
    events = [event for event in facts("evening.csv") if isinstance(event, e.LineUnread)]
    assert len(events) == 1


def test_hostile_names_are_matched_whole() -> None:
    people = new_people()
    account = next(i for i in read(FORMAT, sample("hostile.csv"), people=people) if isinstance(i, Account))
    assert [people.name(event.player) for event in events_of(account, o.SeatDealtIn)] == [
        "all in @ h1h1h1h1h1",
        '"Bo" @ home | #9 "x (5) @ h2h2h2h2h2',
        'Ada" folds @ h3h3h3h3h3',
    ]
    assert [type(event) for event in account.events if isinstance(event, b.Folded | b.Raised)] == [
        b.Raised,
        b.Folded,
        b.Raised,
        b.Folded,
    ]


@pytest.mark.parametrize(
    ("words", "variant", "betting"),
    [
        ("(No Limit Texas Hold'em)", "holdem", "no-limit"),
        ("No Limit Texas Hold'em", "holdem", "no-limit"),
        ("(Pot Limit Omaha Hi)", "omaha", "pot-limit"),
        ("Pot Limit Omaha 6 Hi/Lo 8 or Better", "omaha6-8", "pot-limit"),
        ("Fixed Limit Texas Hold\u2019em", "holdem", "limit"),
        ("(No Limit 6+ Hold'em)", "short-deck", "no-limit"),
    ],
)
def test_games_are_known_by_their_words(words: str, variant: str, betting: str) -> None:
    head = f'-- starting hand #7 (id: x1y2z3)  {words} (dealer: "A @ a") --'
    game = events_of(hand_of(log(head, *HEADS_UP[1:])), o.GameSet)[0]
    assert (game.variant, game.betting) == (variant, betting)


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("poker_now_log_pgl6kvq-E5GHsh.csv", "pgl6kvq-E5GHsh"),
        ("logs/poker_now_log_pgl6kvq-E5GHsh (1).csv", "pgl6kvq-E5GHsh"),
        ("friday.csv", "friday"),
        ("", "log"),
    ],
)
def test_the_table_is_the_game_that_the_files_name_holds(name: str, table: str) -> None:
    assert hand_of(log(*HEADS_UP), name).opened.table == table


def test_the_same_log_twice_in_a_file_tells_the_same_hands() -> None:
    text = log(*(f"filler {index}" for index in range(100)), *HEADS_UP)
    accounts = [i for i in read(FORMAT, text + text) if isinstance(i, Account)]
    assert len(accounts) == 2
    assert accounts[0].events == accounts[1].events


def test_column_names_in_the_middle_of_a_file_are_no_row() -> None:
    names, *rows = log(*HEADS_UP).splitlines()
    text = "\n".join([names, *rows[:4], names, *rows[4:], "no row", names]) + "\n"
    items_ = read(FORMAT, text)
    assert hand_of(text).events == hand_of(log(*HEADS_UP)).events
    assert accounted(Chunk(text.encode()), items_).not_read == 0


def test_another_game_behind_it_is_another_table() -> None:
    later = log(*HEADS_UP).replace("T20:", "T23:").replace(",17685072", ",17685182")
    tables = [i.opened.table for i in read(FORMAT, log(*HEADS_UP) + later, name="x") if isinstance(i, Account)]
    assert tables == ["x", "x from 2026-01-15T23:00:00.000Z"]


def test_acts_without_the_beginning_of_their_hand_are_rejected() -> None:
    items = read(FORMAT, log(*HEADS_UP[4:], *HEADS_UP))
    assert [(type(item), getattr(item, "code", "")) for item in items] == [(Reject, "no-header"), (Account, "")]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("entry,at,order\n", "not-a-hand"),
        ("nothing like it\n", "not-a-hand"),
        (log(HEADS_UP[0], *HEADS_UP[2:]), "cut-off"),
        (log(HEADS_UP[0].replace("Texas Hold'em", "Pineapple"), *HEADS_UP[1:]), "unknown-game"),
        (log(HEADS_UP[0], "Player stacks: nobody", *HEADS_UP[2:]), "seat"),
        (log(*HEADS_UP[:2], '"A @ a" posts a small blind of x', *HEADS_UP[3:]), "amount"),
        (log(*HEADS_UP[:2], "a\0b", *HEADS_UP[2:]), "damaged"),
        ('{"gameId": "g", "hands": []}', "not-a-hand"),
        ('{"gameId": "g", "dealerSeat": 1, "hands": [{"id"', "cut-off"),
        ('{"logs": [], "x": {"msg": 1, "created_at": 2}}', "not-a-hand"),
    ],
)
def test_what_is_no_hand_is_rejected_with_its_reason(text: str, code: str) -> None:
    assert [item.code for item in read(FORMAT, text) if isinstance(item, Reject)] == [code]


def test_a_damaged_row_stays_in_its_hand_and_makes_it_incomplete() -> None:
    people = new_people()
    text = log(*HEADS_UP).replace('"""A @ a"" folds",', '"""A @ a"" folds')
    accounts = [i for i in read(FORMAT, text, people=people) if isinstance(i, Account)]
    assert len(accounts) == 1
    assert [words[:14] for words in unread(accounts[0], people)] == ['"""A @ a"" fol']


def test_the_log_as_the_site_fetches_it_tells_the_same() -> None:
    fetched = [i.events for i in read(FORMAT, sample("fetched.json"), name="x") if isinstance(i, Account)]
    saved = [i.events for i in read(FORMAT, sample("games.csv"), name="x") if isinstance(i, Account)]
    assert fetched == saved


def test_a_long_log_is_cut_behind_a_hands_first_row_so_that_facts_follow_their_hand() -> None:
    data = sample("evening.csv").encode()
    cut_offset = FORMAT.find_cut(data, "utf-8")
    assert 0 < cut_offset < len(data)
    assert b"-- starting hand #" in data[:cut_offset].splitlines()[-1]
    people = new_people()
    parts = [
        *FORMAT.read(Chunk(data[:cut_offset], name="e.csv"), people),
        *FORMAT.read(Chunk(data[cut_offset:], start=cut_offset, name="e.csv"), people),
    ]
    uncut_items = list(FORMAT.read(Chunk(data, name="e.csv"), people))
    numbers = sorted(i.opened.number for i in parts if isinstance(i, Account))
    assert numbers == sorted(i.opened.number for i in uncut_items if isinstance(i, Account))


def test_a_log_that_runs_forwards_is_cut_before_a_hand() -> None:
    data = sample("tournament.csv").encode()
    cut_offset = FORMAT.find_cut(data, "utf-8")
    assert b"-- starting hand #2" in data[cut_offset:].splitlines()[0]


def test_a_straddle_over_ones_own_blind_and_a_missed_blind_beside_one_are_totals() -> None:
    account = hand_of(
        log(
            '-- starting hand #8  (No Limit Texas Hold\'em) (dealer: "A @ a") --',
            'Player stacks: #1 "A @ a" (1000) | #2 "B @ b" (1000) | #3 "C @ c" (1000)',
            '"B @ b" posts a small blind of 10',
            '"C @ c" posts a big blind of 20',
            '"B @ b" posts a straddle of 40',
            '"A @ a" calls 40',
            '"B @ b" checks',
            '"C @ c" folds',
            "Flop:  [A♣, 7♦, J♣]",
            '"B @ b" bets 50',
            '"A @ a" folds',
            'Uncalled bet of 50 returned to "B @ b"',
            '"B @ b" collected 100 from pot',
            "-- ending hand #8 --",
        )
    )
    (straddle,) = [event for event in account.events if isinstance(event, o.StraddlePosted)]
    assert straddle.amount == 30, "with the small blind of 10 they are the 40 that lie there"
    assert unbalanced(account) == []
