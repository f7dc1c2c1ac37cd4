"""What a caller states of a hand or of the house: it is taken whole, or refused with what to state."""

from __future__ import annotations

import pytest

from handledger import HandledgerError, NoRulebookError, PostsError, Table


def make_table(**options: object) -> Table:
    table = Table("no-limit 1/2", rulebook="rrop4", options=options)
    for seat in (1, 2, 3, 4):
        table.sit(seat, f"P{seat}")
    return table


@pytest.mark.parametrize("dealt", [(1, 2, 3), (1, 2)])
def test_no_blind_is_lost_where_its_seat_gets_no_cards(dealt: tuple[int, ...]) -> None:
    table = make_table()
    table.deal(button=1)
    with pytest.raises(HandledgerError, match="is due to post a blind and would get no cards"):
        table.deal(dealt=dealt)
    assert table.hands == 1
    hand = table.deal(posts={1: 1, 2: 2}, dealt=dealt)
    assert [(post.seat, post.chips) for post in hand.posts] == [(1, 1), (2, 2)]


def test_who_owes_nothing_may_go_without_cards() -> None:
    table = make_table()
    table.deal(button=1)
    hand = table.deal(dealt=(2, 3, 4))
    assert [(post.seat, post.chips) for post in hand.posts] == [(3, 1), (4, 2)]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("button-method", "zzz"),
        ("raise-cap", -5),
        ("blind-dead", 7),
        ("straddle-allowed", "maybe"),
        ("smallest-chip", 10**30),
        ("entry-post-required", 2),
        ("other", "two\nlines"),
        ("half-bet-rule", True),
    ],
)
def test_an_option_takes_only_what_handscript_can_hold(name: str, value: object) -> None:
    with pytest.raises(HandledgerError, match=f"The option {name} can't be"):
        make_table(**{name: value})


@pytest.mark.parametrize(("name", "value"), [("button-method", "dead"), ("raise-cap", 4), ("other", "kill game")])
def test_an_option_comes_back_from_handscript(name: str, value: object) -> None:
    table = make_table(**{name: value})
    table.deal(button=1)
    assert Table.from_handscript(table.to_handscript()).to_dict()["options"] == {name: value}


def test_a_clause_is_cited_only_where_it_decides() -> None:
    table = Table("limit 10/20", rulebook="hilton")
    for seat in (1, 3, 4):
        table.sit(seat, f"P{seat}")
    table.deal(button=1)
    table.leave(3)
    due = table.due()
    cited = {post.kind: post.clauses for post in due.posts}
    assert cited == {"small blind": (), "big blind": ("B11b.1",)}  # the book doesn't say who has the button heads-up
    assert not due.is_certain


def test_each_of_several_readings_says_where_the_blinds_are() -> None:
    table = Table("no-limit 1/2", rulebook="rrop4")
    table.sit(1, "Ana")
    table.sit(2, "Bo")
    table.deal(button=1)
    table.sit(3, "Cy")
    texts = [reading.text for reading in table.due().readings]
    assert all(texts)
    assert len(set(texts)) == len(texts)


def make_table_with_collision() -> Table:
    """Return a table where the big blind would be at the button's seat: two players, and a third sits down."""
    table = Table("no-limit 100/200", rulebook="hilton", tournament=True)
    table.sit(1, "Ana")
    table.sit(2, "Bo")
    table.deal(button=2)
    table.sit(3, "Cy")
    return table


@pytest.mark.parametrize("stated", [{}, {"posts": {1: 100, 2: 200}}, {"dealt": [1, 2, 3]}])
def test_no_hand_is_invented_where_a_floor_decides(stated: dict) -> None:
    table = make_table_with_collision()
    for ask in (table.check, table.deal):
        with pytest.raises(PostsError, match="a floor decides") as refused:
            ask(**stated)
        assert "deal(button=" in refused.value.hint
    assert table.hands == 1
    hand = table.deal(button=1, posts={2: 100, 3: 200})
    assert (hand.button, hand.small_blind, hand.big_blind) == (1, 2, 3)
    assert [(post.seat, post.kind, post.chips) for post in hand.posts] == [
        (2, "small blind", 100),
        (3, "big blind", 200),
    ]


@pytest.mark.parametrize(
    ("game", "book", "seats"),
    [
        ("limit 10/20", "hilton", [3, 4]),
        ("limit 10/20", "rrop4", [3, 4]),
        ("no-limit 1/2", "bicycle", [3, 4]),
        ("no-limit blinds 1/2/5", "hilton", [3, 4, 5]),
        ("no-limit blinds 1/2/5", "bicycle", [4, 5]),  # another reading has no small blind
    ],
)
def test_each_missing_blind_is_named(game: str, book: str, seats: list[int]) -> None:
    table = Table(game, rulebook=book)
    for seat in range(1, 6):
        table.sit(seat, f"P{seat}")
    table.deal(button=1)
    due = {post.seat: post for post in table.due().posts}
    faults = table.check(posts={})
    assert [fault.seat for fault in faults] == seats
    for fault in faults:
        assert due[fault.seat].kind in fault.sentence
        assert fault.clause
        assert fault.reason.startswith("As dealt: button in seat 2, no blinds.")  # not those of the other faults
    first, *others = seats
    assert [fault.seat for fault in table.check(posts={first: due[first].chips})] == others
    assert table.check() == ()


def make_running_table(book: str, *, running: bool = True) -> Table:
    table = Table("limit 10/20", rulebook=book, running=running)
    for seat, name in ((2, "Ana"), (4, "Bo"), (6, "Cy"), (8, "Di")):
        table.sit(seat, name, 500)
    return table


@pytest.mark.parametrize("book", ["rrop4", "bicycle"])
def test_a_newcomer_to_a_running_game_is_none_of_a_new_one(book: str) -> None:
    answers = {}
    for running in (True, False):
        table = make_running_table(book, running=running)
        table.deal(button=2)
        table.sit(1, "Eve")
        answers[running] = table.due().seat(1)
    if book == "rrop4":
        assert answers[True].chips == 10
        assert answers[False].chips == 0
        assert answers[False].choices == ("play", "wait")
    assert [answers[running].name for running in answers] == ["Eve", "Eve"]


def test_the_players_of_a_running_game_owe_nothing() -> None:
    for book in ("hilton", "rrop4", "bicycle"):
        table = make_running_table(book)
        table.deal(button=2)
        due = table.due()
        assert [(seat.status, seat.missed) for seat in due.seats] == [("plays", ())] * 4
        assert due.is_certain or book == "rrop4"


def test_a_blind_missed_before_is_owed() -> None:
    table = make_running_table("bicycle")
    table.owes(4, "small blind")
    hand = table.deal(button=2)
    assert hand.dealt == (2, 6, 8)  # whoever owes wasn't in the last hand
    owing = table.due().seat(4)
    assert owing.missed == ("small blind",)
    assert (owing.status, owing.choices) == ("may_choose", ("post", "wait"))
    assert table.due().seat(6).missed == ()


def test_a_running_table_comes_back_from_its_document_and_from_handscript() -> None:
    table = make_running_table("hilton")
    table.owes(8, "small blind", "big blind")
    table.deal(button=2)
    table.sit(1, "Eve")
    for again in (Table.from_dict(table.to_dict()), Table.from_handscript(table.to_handscript(), rulebook="hilton")):
        assert again.due() == table.due()
        assert again.is_running
    assert table.to_dict()["running"] is True
    assert table.to_dict()["steps"][:1] == [{"do": "sit", "seat": 2, "name": "Ana", "stack": 500}]
    assert {"do": "owes", "seat": 8, "blinds": ["small blind", "big blind"]} in table.to_dict()["steps"]


def test_what_is_owed_from_before_is_stated_before_the_first_hand() -> None:
    table = make_running_table("hilton")
    with pytest.raises(HandledgerError, match="blinds is"):
        table.owes(4)
    with pytest.raises(HandledgerError, match="blinds is"):
        table.owes(4, "ante")
    table.deal(button=2)
    with pytest.raises(HandledgerError, match='What "Bo" owes follows from the hands'):
        table.owes(4, "small blind")
    with pytest.raises(HandledgerError, match="follows from the hands"):
        make_running_table("hilton", running=False).owes(4, "small blind")


def test_a_book_of_tournaments_is_refused_for_a_cash_game() -> None:
    table = make_running_table("hilton")
    for ask in (table.due, table.check):
        with pytest.raises(NoRulebookError, match="The rulebook tda2024 is for tournaments only") as refused:
            ask(rulebook="tda2024")
        assert "tournament=true" in refused.value.hint.lower()
    with pytest.raises(NoRulebookError, match="for tournaments only"):
        make_running_table("tda2024").deal(button=2)
    assert Table("no-limit 1/2", rulebook="tda2024", tournament=True).due().rulebook == "tda2024"


def test_whatever_is_open_is_a_sentence() -> None:
    tables = [Table("no-limit 1/3", rulebook="rrop4"), make_running_table("rrop4"), make_table_with_collision()]
    tables[0].sit(1, "Ana")
    tables[1].owes(4, "big blind")
    for table in tables:
        due = table.due()
        reasons = [reason.sentence for seat in due.seats for reason in seat.reasons]
        reasons += [reason.sentence for reason in due.button_reasons + due.small_blind_reasons + due.big_blind_reasons]
        for sentence in (due.unknown, *due.unknowns, *reasons):
            assert not sentence or (sentence[0].isupper() and sentence[-1] in ".?!"), sentence


@pytest.mark.parametrize("kind", [{}, [], None, 7, "ante"])
def test_a_document_with_a_strange_kind_of_post_is_refused(kind: object) -> None:
    table = make_running_table("hilton")
    table.deal(button=2)
    document = table.to_dict()
    document["steps"][-1]["posts"][0]["kind"] = kind
    with pytest.raises(HandledgerError, match="isn't a kind of post"):
        Table.from_dict(document)


@pytest.mark.parametrize(
    ("game", "book", "is_tournament", "seat"),
    [("no-limit 100/200", "tda2024", True, 4), ("no-limit 1/2", "hilton", False, 3)],
)
def test_an_absent_player_who_is_dealt_in_may_be_stated(game: str, book: str, is_tournament: bool, seat: int) -> None:
    table = Table(game, rulebook=book, tournament=is_tournament)
    for number, name in enumerate(["Ana", "Bo", "Cy", "Di", "Ed"], start=1):
        table.sit(number, name)
    table.deal(button=2)
    table.away(seat, in_room=True)
    due = table.due()
    assert seat in due.dealt
    assert table.check(posts={post.seat: post.chips or 0 for post in due.posts}, dealt=due.dealt) == ()
    if not is_tournament:
        table.undo()
        table.away(seat, in_room=False)
        with pytest.raises(HandledgerError, match='"Cy" in seat 3 is away'):
            table.check(dealt=due.dealt)


def test_an_absent_player_of_a_tournament_is_dealt_in_until_back() -> None:
    table = Table("no-limit 100/200", rulebook="tda2024", tournament=True)
    for number, name in enumerate(["Ana", "Bo", "Cy", "Di", "Ed"], start=1):
        table.sit(number, name)
    table.deal(button=2)
    table.away(4)
    for _ in range(3):
        assert 4 in table.due().dealt
        table.deal()
        assert table.seated[4].presence == "away"
    with pytest.raises(HandledgerError, match="away already"):
        table.away(4)
    table.back(4)
    assert table.seated[4].presence == "present"


def test_a_straddle_is_offered_only_next_to_the_big_blind() -> None:
    table = make_running_table("hilton")
    table.owes(8, "small blind", "big blind")
    table.deal(button=6)  # seats 2 and 4 have the blinds
    assert table.due().big_blind == 6
    assert table.due().sentence.endswith("Di may play for 10 live and 5 dead, or wait 1 hand, or straddle.")
    table = make_running_table("hilton")
    table.owes(8, "small blind", "big blind")
    table.deal(button=4)
    assert (table.due().button, table.due().seat(8).choices) == (6, ())
    assert "straddle" not in table.due().sentence


def test_a_dead_button_at_the_chair_of_an_absent_player_is_not_called_empty() -> None:
    table = make_running_table("hilton")
    table.deal(button=2)
    table.away(6)
    table.deal()
    assert (table.due().button, table.due().button_is_dead) == (6, True)
    assert table.due().sentence.startswith("Button seat 6 (Cy, not dealt in).")
    table.leave(6)
    assert table.due().sentence.startswith("Button seat 6 (empty).")


def test_only_blinds_that_the_game_has_can_be_owed() -> None:
    with pytest.raises(HandledgerError, match='blinds is "third blind"') as refused:
        make_running_table("hilton").owes(4, "third blind")
    assert refused.value.hint == "Choose one of: small blind, big blind."
    table = Table("razz limit 5/10", rulebook="hilton", running=True)
    table.sit(1, "Ana")
    with pytest.raises(HandledgerError, match="no button and no blinds"):
        table.owes(1, "big blind")


def test_the_sentence_of_an_answer_promises_nothing_below_it() -> None:
    table = Table("no-limit 1/2", rulebook="rrop4", running=True)
    for seat in range(1, 10):
        table.sit(seat, f"P{seat}")
    for seat in range(3, 10):
        table.owes(seat, "small blind", "big blind")
    table.deal(button=1)
    due = table.due()
    assert len(due.choices) > 1
    assert "below" not in due.sentence
    assert "more players have a choice or must wait." in due.sentence
    assert "This holds if " in due.sentence


def test_readings_deal_the_players_of_the_shown_hand_in() -> None:
    table = Table("no-limit 1/2", rulebook="rrop4", running=True)
    for seat, name in ((1, "Ana"), (2, "Bo"), (4, "Cy"), (5, "Di"), (7, "Ed"), (8, "Flo")):
        table.sit(seat, name)
    table.owes(8, "small blind", "big blind")
    table.deal(button=1)
    table.deal()
    table.away(5)
    due = table.due()
    assert len(due.choices) == 3
    assert {reading.dealt for reading in due.readings} == {due.dealt}
    assert due.readings == due.choices[0].readings
    assert {choice.dealt for choice in due.choices[1:]} == {(1, 2, 4, 7, 8)}


def test_a_hand_for_one_player_asks_for_players_and_not_for_the_button() -> None:
    table = make_running_table("hilton")
    table.deal(button=2)
    for seat in (4, 6, 8):
        table.away(seat)
    with pytest.raises(HandledgerError, match="A hand needs two players; 1 would get cards"):
        table.deal()
    for seat in (4, 6, 8):
        table.leave(seat)
    table.leave(2)
    with pytest.raises(HandledgerError, match="A hand needs two players; 0 would get cards"):
        table.deal()
