"""On what terms a new player or one who moved is dealt in: every term, asked directly."""

from __future__ import annotations

import pytest

from ledger.table.state import SeatState, TableState
from projections.obligations import undealt
from projections.obligations.debt_inputs import DebtInputs
from projections.obligations.dues import Ground, Missed
from projections.obligations.entry_terms import Terms, assess_newcomer
from projections.obligations.game_start import NewGame
from projections.obligations.missed_blinds import Spot
from projections.obligations.move_costs import assess_move
from projections.obligations.moves import Move, measure_move
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.policy import Policy, Ruling
from projections.obligations.stakes import Stakes
from projections.obligations.tab import Tab
from tests.projections.obligations.desk import ALL, new_game, policy
from tests.projections.obligations.test_debts_measures import table

SPOT = Spot(2, 4, 5)
LIMIT = Stakes((5, 10), True, 10, 10, True, 0, "holdem", "cash", {})
LOW = Stakes((1, 3), True, 3, 3, True, 0, "holdem", "cash", {})


def make_inputs(
    book: str | Policy, *spots: Spot, stakes: Stakes = LIMIT, game: NewGame | None = None, witnesses: int = ALL
) -> DebtInputs:
    book_policy = policy(book) if isinstance(book, str) else book
    memory = PlayerTabs(book_policy)
    if game is not None:
        memory.game = game
    state = TableState(witnesses=witnesses)
    return DebtInputs(book_policy, memory, state, stakes, list(spots), frozenset((1, 2, 4, 5, 6, 8)), None)


def drop_points(book: str, *points: str, **more: object) -> Policy:
    """A book that is silent on some points, or says something else of them."""
    rulings = {key: ruling for key, ruling in policy(book).rulings.items() if key not in points}
    return Policy(rulings | {key: Ruling(value, ("own",)) for key, value in more.items()})


def summarize_terms(terms: Terms) -> tuple[str, str, str]:
    """Deal, posts and ways, in a few characters; a way that is open now has a `!`."""
    posts = " ".join(f"{post.role}:{post.live}+{post.dead}" for post in terms.post)
    text = " ".join(
        f"{way_in.kind}{'!' * way_in.is_on_this_hand}:{way_in.hands_to_wait}:{way_in.live}" for way_in in terms.ways_in
    )
    return terms.deal, posts, text


def cited(terms: Terms) -> list[tuple[str, ...]]:
    return [reason.clauses for reason in terms.reasons]


@pytest.mark.parametrize(
    ("book", "spots", "seat", "expected"),
    [
        ("rrop4", [SPOT], 7, ("if-posts", "entry:10+0", "post!:0:10 big-blind:2:0")),
        ("rrop4", [SPOT], 5, ("yes", "", "big-blind!:0:0")),
        ("rrop4", [SPOT], 3, ("no", "", "big-blind:5:0 button-passes:1:10")),
        ("rrop4", [], 7, ("open", "entry:10+0", "big-blind:None:0")),
        ("rrop4", [SPOT, Spot(4, 5, 6)], 3, ("open", "entry:10+0", "big-blind:5:0")),
        ("bicycle", [SPOT], 7, ("yes", "", "free!:0:0 big-blind:2:0")),
        ("bicycle", [SPOT], 3, ("yes", "", "free!:0:0 big-blind:5:0")),
    ],
)
def test_a_new_player_comes_in_by_the_zone_and_the_post(
    book: str, spots: list[Spot], seat: int, expected: tuple[str, str, str]
) -> None:
    assert summarize_terms(assess_newcomer(make_inputs(book, *spots), seat, Tab(seat, origin="walk-in"))) == expected


def test_who_pays_nothing_has_no_price_for_waiting_until_the_button_has_passed() -> None:
    free = assess_newcomer(make_inputs("hilton", SPOT, stakes=LOW), 3, Tab(3, origin="walk-in"))
    assert summarize_terms(free) == ("no", "", "big-blind:5:0 button-passes:1:0")


def test_why_a_new_player_is_asked_comes_first_and_what_is_lacking_before_that() -> None:
    tab = Tab(7, origin="walk-in", arrived_after="3", arrival_version=12)
    terms = assess_newcomer(make_inputs("rrop4", SPOT), 7, tab)
    assert "hasn't been dealt in" in terms.reasons[0].sentence
    assert (terms.reasons[0].hand, terms.reasons[0].version) == ("3", 12)
    lacking = assess_newcomer(make_inputs("rrop4"), 7, tab)
    assert lacking.reasons[0].sentence == "where the button and the big blind were"
    newcomer_terms = assess_newcomer(make_inputs("rrop4", SPOT, Spot(4, 5, 6)), 3, tab)
    assert newcomer_terms.reasons[0].sentence == "which method of moving the button applies"
    size = assess_newcomer(make_inputs("hilton", SPOT, stakes=LIMIT._replace(lower=None)), 7, tab)
    assert (size.deal, size.reasons[0].sentence[:16]) == ("open", "the size of the ")


def test_a_player_who_may_have_been_moved_by_the_house_is_open() -> None:
    for origin, deal in (("unknown", "open"), ("must-move", "open"), ("walk-in", "if-posts"), ("broken-game", "yes")):
        terms = assess_newcomer(make_inputs("hilton", SPOT), 7, Tab(7, origin=origin))  # type: ignore[arg-type]  # only what is asked of the book stands in
        assert terms.deal == deal
    assert assess_newcomer(make_inputs("rrop4", SPOT), 7, Tab(7)).deal == "if-posts"
    tab = Tab(7, origin="playing-over")
    assert assess_newcomer(make_inputs("hilton", SPOT), 7, tab).deal == "open"
    assert assess_newcomer(make_inputs("rrop4", SPOT), 7, tab).deal == "if-posts"
    assert ("blinds.6",) in cited(assess_newcomer(make_inputs("rrop4", SPOT), 7, tab))


def test_a_new_game_lets_in_whom_no_blind_has_passed() -> None:
    def deal(seat: int, *spots: Spot, is_told: bool = True, book: str = "rrop4") -> str:
        new = new_game(*spots, is_told=is_told)
        return assess_newcomer(make_inputs(book, SPOT, game=new), seat, Tab(seat, origin="walk-in")).deal

    assert deal(7) == "yes"  # the first hand
    assert deal(7, Spot(1, 2, 4)) == "yes"
    assert deal(7, Spot(5, 6, 8)) == "if-posts"
    assert deal(7, Spot(5, 6, 8), is_told=False) == "if-posts"
    assert deal(7, Spot(1)) == "open"
    assert deal(7, Spot(1, 2, 4), book="hilton") == "if-posts"
    gone_round = [Spot(8, 1, 2), Spot(1, 2, 4), Spot(8, 1, 2)]
    assert deal(7, *gone_round) == "if-posts"


def test_a_game_is_assumed_to_be_old_where_its_beginning_would_not_be_told() -> None:
    def assumed(new: NewGame, witnesses: int, book: str = "rrop4") -> bool:
        terms = assess_newcomer(make_inputs(book, SPOT, game=new, witnesses=witnesses), 7, Tab(7, origin="walk-in"))
        return any(reason.basis == "assumed" for reason in terms.reasons)

    old = new_game(Spot(5, 6, 8), is_told=False)
    assert assumed(old, 0)
    assert not assumed(old, ALL)
    assert not assumed(old, 0, "hilton")
    assert not assumed(new_game(Spot(5, 6, 8)), 0)
    assert not assumed(new_game(Spot(8, 1, 2), Spot(1, 2, 4), Spot(8, 1, 2), is_told=False), 0)


def test_whether_a_game_asks_for_a_post_is_its_option() -> None:
    def deal(**options: int) -> tuple[str, str, str]:
        stakes = LIMIT._replace(is_limit=False, options={k.replace("_", "-"): v for k, v in options.items()})
        return summarize_terms(assess_newcomer(make_inputs("hilton", SPOT, stakes=stakes), 7, Tab(7, origin="walk-in")))

    assert deal() == ("open", "entry:10+0", "big-blind:2:0") or deal()[0] == "open"
    assert deal(entry_post_required=1) == ("if-posts", "entry:10+0", "post!:0:10 big-blind:2:0")
    assert deal(entry_post_required=0) == ("yes", "", "free!:0:0 big-blind:2:0")


def test_lowball_costs_a_multiple_of_the_big_blind() -> None:
    low = LIMIT._replace(variant="triple-27")
    assert summarize_terms(assess_newcomer(make_inputs("rrop4", SPOT, stakes=low), 7, Tab(7)))[1] == "entry:20+0"
    silent = drop_points("rrop4", "entry.lowball_multiple")
    assert summarize_terms(assess_newcomer(make_inputs(silent, SPOT, stakes=low), 7, Tab(7)))[1] == "entry:20+0"
    three = drop_points("rrop4", **{"entry.lowball_multiple": 3})
    assert summarize_terms(assess_newcomer(make_inputs(three, SPOT, stakes=low), 7, Tab(7)))[1] == "entry:30+0"
    unknown = low._replace(blinds=())
    assert summarize_terms(assess_newcomer(make_inputs("rrop4", SPOT, stakes=unknown), 7, Tab(7)))[1] == "entry:None+0"


# Seat changes


def move(gained: int = 2, players_beyond: int = 0, leaving: str = "", new_seat: int = 7, **more: object) -> Move:
    return Move(3, new_seat, "7", 12, gained, players_beyond, leaving, 4, **more)  # type: ignore[arg-type]  # by name


def moved(
    book: str | Policy,
    move: Move,
    stakes: Stakes = LIMIT,
    spot: Spot = SPOT,
    tab: Tab | None = None,
    new: NewGame | None = None,
) -> Terms:
    return assess_move(make_inputs(book, spot, stakes=stakes, game=new), move.new_seat, tab or Tab(move.new_seat), move)


def test_a_move_away_waits_or_posts_the_big_blind() -> None:
    waits = "post!:0:10 position:2:0 big-blind:2:0"
    assert summarize_terms(moved("rrop4", move())) == ("if-posts", "entry:10+0", waits)
    assert summarize_terms(moved("rrop4", move(waited=1)))[2] == waits.replace("position:2", "position:1")
    owes = Tab(7, missed=[Missed("big", "6", Ground("went by"))])
    assert summarize_terms(moved("rrop4", move(), tab=owes)) == ("no", "", "position:2:0 big-blind:2:0")
    low = LIMIT._replace(variant="triple-27")
    kills = ("if-posts", "kill:None+0", "kill!:0:None position:2:0 big-blind:2:0")
    assert summarize_terms(moved("rrop4", move(), low)) == kills
    policy = drop_points("rrop4", "seat_change.lowball")
    assert summarize_terms(moved(policy, move(), low)) == ("if-posts", "entry:10+0", waits)
    assert summarize_terms(moved("rrop4", move(new_seat=5))) == ("yes", "", "big-blind!:0:0")
    assert summarize_terms(moved("rrop4", move(missing_fact="where"))) == ("open", "", "")
    assert summarize_terms(moved("bicycle", move())) == ("open", "", "")


def test_a_place_regained_is_free() -> None:
    free = ("yes", "", "free!:0:0")
    closer = moved("rrop4", move(0))
    assert (summarize_terms(closer), closer.reasons[0].clauses) == (free, ("blinds.13.3",))
    assert moved("rrop4", move(-1, waited=2)).reasons[0].clauses == ("blinds.13.3",)
    waited = moved("rrop4", move(2, waited=2))
    assert (summarize_terms(waited), "sat out 2 hands" in waited.reasons[0].sentence) == (free, True)
    assert "no farther" in moved("rrop4", move(0, waited=1)).reasons[0].sentence
    silent = drop_points("hilton", "seat_change.closer")
    assert moved(silent, move(0)).reasons[0].clauses == ("B20",)


@pytest.mark.parametrize(
    ("players_beyond", "gained", "leaving", "stakes", "expected"),
    [
        (2, 3, "big", LIMIT, ("yes", "", "free!:0:0")),
        (3, 4, "big", LIMIT, ("if-posts", "makeup:5+0", "post!:0:5 big-blind:2:0")),
        (3, 4, "big", LOW, ("yes", "", "free!:0:0")),
        (0, 2, "", LIMIT, ("yes", "", "free!:0:0")),
        (0, 3, "", LIMIT, ("if-posts", "entry:10+0", "post!:0:10 big-blind:2:0")),
        (0, 4, "", LOW, ("yes", "", "free!:0:0")),
        (0, 3, "", LIMIT._replace(lower=None), ("open", "", "")),
        (0, 2, "", LIMIT._replace(lower=None), ("yes", "", "free!:0:0")),
    ],
)
def test_a_move_past_several_players_costs_a_post_at_higher_limits(
    players_beyond: int, gained: int, leaving: str, stakes: Stakes, expected: tuple[str, str, str]
) -> None:
    assert summarize_terms(moved("hilton", move(gained, players_beyond, leaving), stakes)) == expected
    silent = drop_points("hilton", "seat_change.players_passed")
    assert summarize_terms(moved(silent, move(gained, players_beyond, leaving), stakes)) == expected


@pytest.mark.parametrize(
    ("first", "last_hand", "stakes", "expected"),
    [
        (move(3, waited=3), 0, LIMIT, ("if-posts", "entry:10+0", "post!:0:10 big-blind:2:0")),
        (move(3), 2, LIMIT, ("if-posts", "entry:10+0", "post!:0:10 big-blind:2:0")),
        (move(2), 1, LIMIT, ("open", "", "")),  # only together past three
        (move(1), 3, LIMIT, ("if-posts", "entry:10+0", "post!:0:10 big-blind:2:0")),
        (move(3), -1, LIMIT, ("open", "", "")),  # out, and back again
        (move(1), 1, LIMIT, ("yes", "", "free!:0:0")),
        (move(-1), 2, LIMIT, ("yes", "", "free!:0:0")),
        (move(-1), 0, LIMIT, ("yes", "", "free!:0:0")),
        (move(3), 1, LOW, ("yes", "", "free!:0:0")),
        (move(4, 3, "big"), 0, LIMIT, ("if-posts", "makeup:5+0", "post!:0:5 big-blind:2:0")),
        (move(3, 2, "big"), 1, LIMIT, ("open", "", "")),
        (move(3, 2, "big"), 0, LIMIT, ("yes", "", "free!:0:0")),
        (move(0, 0, "button"), 1, LIMIT, ("yes", "", "free!:0:0")),  # the free pass is spent
        (move(2, missing_fact="where"), 1, LIMIT, ("open", "", "")),
    ],
)
def test_of_two_changes_without_cards_between_both_count_and_hands_sat_out_do_not(
    first: Move, last_hand: int, stakes: Stakes, expected: tuple[str, str, str]
) -> None:
    second = move(last_hand, leaving="small")
    second.append_to_earlier(first)
    assert summarize_terms(moved("hilton", second, stakes)) == expected


def test_a_second_change_is_waited_out_after_what_is_left_of_the_first() -> None:
    second = move(1)
    second.append_to_earlier(move(3, waited=2))
    assert (second.gained, second.hands_left) == (2, 2)
    second.waited = 1
    assert "position:1" in summarize_terms(moved("rrop4", second))[2]
    second.waited = 2
    assert moved("rrop4", second).deal == "yes"


def test_a_free_pass_lasts_until_the_player_comes_back_behind_the_button() -> None:
    def shown_of(book: str, spot: Spot, *, granted: bool, new_seat: int = 7) -> tuple[str, str, str]:
        move = Move(2, new_seat, "7", 12, 2, 0, "button", 1, granted=granted)
        return summarize_terms(moved(book, move, spot=spot))

    free = ("yes", "", "free!:0:0")
    assert shown_of("rrop4", SPOT, granted=True) == free
    assert shown_of("rrop4", Spot(6, 8, 1), granted=False) == free
    next_spot = Spot(6, 8, 1)
    assert shown_of("rrop4", next_spot, granted=True) == ("no", "", "button-passes:1:0 big-blind:5:0")
    assert shown_of("hilton", next_spot, granted=True)[0] == "open"


def test_in_a_new_game_a_move_is_free_while_no_blind_has_passed_the_seat() -> None:
    def deal(new: NewGame, book: str | Policy = "rrop4") -> str:
        return moved(book, move(), new=new).deal

    assert deal(new_game(Spot(1, 2, 4))) == "yes"
    assert deal(new_game(Spot(1, 2, 4), is_told=False)) == "if-posts"
    assert deal(new_game(Spot(5, 6, 8))) == "if-posts"
    assert deal(new_game(Spot(1))) == "if-posts"
    assert deal(new_game(Spot(1, 2, 4)), drop_points("rrop4", "seat_change.new_game")) == "if-posts"


# How far a seat is


def test_seats_are_counted_from_the_next_big_blinds_seat() -> None:
    def offset(big: int, new_seat: int, *seats: int, chairs: int = 9, start: int = 2) -> int | None:
        return measure_move(table(*seats, new_seat, chairs=chairs), Spot(1, start, big), start, new_seat, 5).offset

    assert offset(3, 7, 1, 3, 4, 6, 8) == 3
    assert offset(8, 9, 1, 3, 4, 8) == 0
    assert offset(8, 3, 1, 4, 8) == 2
    assert offset(3, 1, 3, 4, 8) == 6
    assert offset(3, 1, 3, 4, 8, chairs=0) is None
    assert offset(3, 5, 3, 4, 8, chairs=0) == 1
    assert offset(8, 7, 3, 4, 8) == 4
    assert offset(3, 7) is None
    assert offset(3, 4, 3) == 0  # it is before the only other one


def test_nobody_is_passed_by_who_takes_the_seat_of_the_last_big_blind() -> None:
    state = table(1, 2, 4, 6, 8, 3)
    state.seats[3] = SeatState(3, "p5", last_hand_dealt="7")
    move = measure_move(state, Spot(1, 2, 3), 5, 3, 5)
    assert (move.gained, move.passed_beyond, move.leaving) == (-1, 0, "")
    big = measure_move(table(1, 2, 4, 6, 8), Spot(1, 2, 3), 3, 4, 5)
    assert (big.gained, big.passed_beyond, big.leaving) == (0, 0, "big")


def test_hands_until_the_button_has_passed_count_who_is_dealt_in() -> None:
    def hands(spot: Spot, seat: int, *dealt: int) -> int | None:
        debt_inputs = make_inputs("hilton", spot)
        debt_inputs.dealt = frozenset(dealt)
        return debt_inputs.count_hands_until_passed(seat)

    assert hands(Spot(4, 6, 8), 5, 4, 6, 8) == 1
    assert hands(Spot(2, 4, 8), 3, 2, 4, 8) == 1
    assert hands(Spot(2, 4, 6, 8), 3, 2, 4, 6, 8) == 1
    assert hands(Spot(2, 4, 6, 8), 7, 2, 4, 6, 8) == 3
    assert hands(Spot(2, 4, 8), 7, 2, 4, 8) == 2
    assert hands(Spot(2, 4, 8), 1, 2, 4, 8) == 0


def test_who_is_due_the_button_is_the_first_after_the_last() -> None:
    def due(seat: int, was: int, spot_now: int, *dealt: int) -> bool:
        debt_inputs = make_inputs("hilton", SPOT)
        debt_inputs.dealt = frozenset(dealt)
        return undealt._is_button_due_at(debt_inputs, seat, was, spot_now)

    assert due(3, 2, 4, 2, 4, 6)
    assert due(3, 2, 3, 2, 4, 6)
    assert due(1, 6, 2, 2, 4, 6)
    assert due(8, 6, 2, 2, 4, 6)
    assert not due(5, 2, 4, 2, 4, 6)
    assert not due(2, 2, 4, 2, 4, 6)
    assert not due(5, 2, 6, 2, 4, 6)  # somebody is dealt in between
    assert not due(3, 2, 2, 2, 4, 6)
    assert not due(1, 6, 4, 1, 2, 4, 6, 8)
    assert due(3, 2, 4, 3, 4, 2, 6)
